/* How sigma grows and shrinks as bodies are moved against one another, or made larger. */
#include <math.h>
#include <string.h>

#include "properties/property_private.h"

/* From what keeps all as they are to what makes the far overlap deeply. */
PROP_MAKES(gjb_prop_inflate)
{
    static const double shares[] = {0x1p-10, 0x1p-4, 0.25, 4};
    prop_body *body = &to->pair->body[gjb_random_below(random, 2)];
    const double was = body->radius;
    body->radius = gjb_prop_rounded(from->pair->precision, was + shares[which] * from->size);
    to->shift = was - body->radius;
    to->off = 0x1p-52 * body->radius;
    return body->radius <= gjb_largest(from->pair->precision);
}

PROP_MAKES(gjb_prop_lipschitz)
{
    static const double shares[] = {0x1p-8, 0x1p-3, 0.5, 1.5};
    double direction[3];
    gjb_prop_direction(from->pair->dim, random, direction);
    gjb_prop_move(to->pair, 1, direction, shares[which] * from->size, &to->by);
    to->claim = PROP_NEAR;
    to->off = 0x1p-50 * from->size;
    return 1;
}

/* Two chords: one anyhow, one along the line of the centres, from apart to apart on the other side. */
PROP_MAKES(gjb_prop_convex)
{
    static const double ends[] = {-0.3, 0.5, -1.25, 2};
    double direction[3];
    gjb_random same = gjb_random_make(random->key[0], random->key[1], which / 2);
    gjb_prop_direction(from->pair->dim, &same, direction);
    if (which >= 2) {
        double length = 0, between[3] = {0, 0, 0};
        for (uint32_t k = 0; k < from->pair->dim; k++) {
            between[k] = from->pair->body[1].place[k] - from->pair->body[0].place[k];
            length += between[k] * between[k];
        }
        for (uint32_t k = 0; k < 3 && length > 0; k++)
            direction[k] = 0.0 - between[k] / sqrt(length);
    }
    to->off = gjb_prop_move(to->pair, 1, direction, ends[which] * from->size, NULL) + 0x1p-50 * from->size;
    to->claim = which % 2 ? PROP_CHORD : PROP_NOTHING;
    to->against = which % 2 ? (int)which - 1 : -1;
    to->by = ends[which - which % 2] /
             (ends[which - which % 2] - ends[which | 1]); /* of the way, the drawn pair */
    return 1;
}

static int has_normal(const gjb_drawn *from)
{
    return !(from->who->no_normal >> from->query & 1) &&
           (from->said->status == GJB_SEPARATED || from->said->status == GJB_OVERLAPPING) &&
           !(from->query == GJB_DISTANCE && from->said->status == GJB_OVERLAPPING) &&
           !(from->query == GJB_PENETRATION && from->said->status == GJB_SEPARATED);
}

static double said_sigma(const gjb_drawn *from)
{
    return from->query == GJB_PENETRATION ? -from->said->value : from->said->value;
}

/* A right normal is one along which the gap is d - T at least, so that sigma on the way is off by no more than T. What
 * overlaps is moved out: further in another way out may be the shorter one. */
PROP_MAKES(gjb_prop_along_normal)
{
    static const double shares[] = {0.5, -0.5};
    if (!has_normal(from))
        return 0;
    (void)random;
    const double sigma = said_sigma(from),
                 by = sigma < 0 ? -0.5 * (0.5 + which) * sigma : shares[which] * sigma;
    to->off = gjb_prop_move(to->pair, 1, from->said->normal, by, NULL) + 0x1p-50 * from->size;
    to->shift = by;
    to->tau = from->tolerance;
    return fabs(sigma) > 8 * from->tolerance && isfinite(by);
}

/* To touching, and as little short of it as past it. */
PROP_MAKES(gjb_prop_through_zero)
{
    static const double shares[] = {0, 0x1p-16, -0x1p-16, 0x1p-6, -0x1p-6};
    if (!has_normal(from) || from->who->no_points >> from->query & 1)
        return 0;
    (void)random;
    const double sigma = said_sigma(from), rest = shares[which] * from->size;
    const int further_in =
        rest < 0 && rest < sigma; /* than it was; and out at the other side, if it is that thin */
    to->off = gjb_prop_move(to->pair, 1, from->said->normal, rest - sigma, NULL) + 0x1p-50 * from->size;
    to->claim = PROP_KNOWN;
    to->low = rest;
    to->high = further_in ? -rest : rest;
    to->tau = 4 * from->tolerance;
    return isfinite(sigma);
}

/* A little more than the depth separates, a little less does not; a little less than the distance does not touch. */
PROP_MAKES(gjb_prop_separates)
{
    const double sigma = has_normal(from) ? said_sigma(from) : 0;
    const double rest = (which ? -1 : 1) * (32 * from->tolerance + 0x1p-8 * from->size);
    (void)random;
    if (!has_normal(from) || !(from->who->queries >> GJB_INTERSECT & 1) || !isfinite(sigma) ||
        fabs(sigma) < fabs(rest) || (which && sigma > 0))
        return 0;
    to->off = gjb_prop_move(to->pair, 1, from->said->normal, rest - sigma, NULL) + 0x1p-50 * from->size;
    to->query = GJB_INTERSECT;
    to->claim = PROP_KNOWN;
    to->low = to->high = rest;
    to->tau = 2 * from->tolerance;
    return 1;
}
