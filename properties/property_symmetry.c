/* What neither the names of the bodies nor place, orientation, handedness or unit of length may change. */
#include <math.h>
#include <string.h>

#include "properties/property_private.h"

PROP_MAKES(gjb_prop_swap)
{
    (void)which, (void)random;
    to->pair->body[0] = from->pair->body[1];
    to->pair->body[1] = from->pair->body[0];
    return 1;
}

PROP_MAKES(gjb_prop_rigid)
{
    const prop_turn turn = gjb_prop_turn_random(from->pair->dim, random);
    double place[3], direction[3];
    memcpy(place, from->pair->body[0].place, sizeof place);
    if (which) {
        gjb_prop_direction(from->pair->dim, random, direction);
        for (int k = 0; k < 3; k++)
            place[k] = gjb_prop_rounded(from->pair->precision, place[k] + 3 * from->size * direction[k]);
    }
    to->off = gjb_prop_turn_pair(to->pair, &turn, place, from->moves);
    return 1;
}

/* Related pair 0 lies on the grid on which pair 1, shifted by steps of it, does too: so both are of one truth. */
PROP_MAKES(gjb_prop_translate)
{
    static const double direction[3] = {1, -0.5, 0.25};
    const uint32_t dim = from->pair->dim;
    const double by = ldexp(1, ilogb(from->size) + 1 + (int)gjb_random_below(random, 2) * 8);
    double most = 2 * by;
    for (int b = 0; b < 2; b++)
        for (uint32_t k = 0; k < dim; k++)
            most = fmax(most, fabs(from->pair->body[b].place[k]) + 2 * by);
    const double grid = ldexp(from->epsilon, ilogb(most) + 1);
    int exact = 1;
    for (int b = 0; b < 2; b++)
        for (uint32_t k = 0; k < dim; k++) {
            double *place = &to->pair->body[b].place[k], sum = 0;
            *place = nearbyint(*place / grid) * grid;
            exact = exact && gjb_prop_exact_sum(from->pair->precision, *place,
                                                nearbyint(direction[k] * by / grid) * grid, &sum);
            *place = which ? sum : *place;
        }
    to->claim = which ? PROP_SAME : PROP_NOTHING;
    to->against = which ? 0 : -1;
    return exact;
}

static int times(gjb_precision precision, double *number, double by)
{
    const double was = *number;
    *number = gjb_prop_rounded(precision, was * by);
    return fabs(*number) <= gjb_largest(precision) && *number / by == was && was * by / by == was;
}

/* 1 if no number was rounded. */
PROP_MAKES(gjb_prop_scale)
{
    static const int powers[] = {-12, 1, 9};
    const double by = ldexp(1, powers[which]);
    int exact = 1;
    (void)random;
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        const uint32_t lengths =
            gjb_is_curved(body->kind) ? 1 : body->count; /* the second row is an exponent */
        for (uint32_t i = 0; i < 3 * lengths; i++)
            exact = times(from->pair->precision, &body->rows[i / 3][i % 3], by) && exact;
        exact = times(from->pair->precision, &body->radius, by) && exact;
        for (uint32_t k = 0; k < 3; k++)
            exact = times(from->pair->precision, &body->place[k], by) && exact;
        for (uint32_t k = 0; k < from->pair->dim; k++)
            exact = times(from->pair->precision, &body->motion[k], by) && exact;
    }
    to->scale = by;
    return exact && from->size * fmin(by, 1) > gjb_least_size(from->pair->precision);
}

void gjb_prop_carry_scaled(const gjb_related *to, gjb_result *result)
{
    if (result->status != GJB_HIT) /* whose value is a time */
        result->value *= to->scale;
    for (int k = 0; k < 3; k++) {
        result->point_a[k] *= to->scale;
        result->point_b[k] *= to->scale;
    }
}

/* (x, y) to (-y, x), so often; in space half a turn about an axis. */
static void turn_exactly(uint32_t dim, unsigned which, double v[3])
{
    if (dim == 3) {
        for (unsigned k = 0; k < 3; k++)
            v[k] = k == which ? v[k] : 0.0 - v[k];
        return;
    }
    for (unsigned i = 0; i <= which; i++) {
        const double x = v[0];
        v[0] = 0.0 - v[1];
        v[1] = x;
    }
}

PROP_MAKES(gjb_prop_turns)
{
    const uint32_t dim = from->pair->dim;
    (void)random;
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        turn_exactly(dim, which, body->place);
        if (dim == 2) {
            double turn[3] = {body->turn[0], body->turn[1], 0},
                   way[3] = {body->motion[0], body->motion[1], 0};
            turn_exactly(2, which, turn);
            turn_exactly(2, which, way);
            memcpy(body->turn, turn, 2 * sizeof *turn);
            memcpy(body->motion, way, 2 * sizeof *way);
            continue;
        }
        /* The unit along that axis, times q. */
        const double q[4] = {body->turn[0], body->turn[1], body->turn[2], body->turn[3]};
        const unsigned i = which, j = (which + 1) % 3, k = (which + 2) % 3;
        body->turn[i] = q[3];
        body->turn[j] = 0.0 - q[k];
        body->turn[k] = q[j];
        body->turn[3] = 0.0 - q[i];
        turn_exactly(3, which, body->motion);
        turn_exactly(3, which, body->motion + 3);
    }
    to->by = which;
    return 1;
}

void gjb_prop_carry_turned(const gjb_related *to, gjb_result *result)
{
    double *const vectors[] = {result->normal, result->point_a, result->point_b};
    for (int i = 0; i < 3; i++)
        turn_exactly(to->dim, (unsigned)to->by, vectors[i]);
}

PROP_MAKES(gjb_prop_mirror)
{
    const uint32_t dim = from->pair->dim;
    (void)random, (void)which;
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        const prop_body *was = &from->pair->body[b];
        const int image = body->kind == GJB_BOX || gjb_is_curved(body->kind); /* of itself */
        const uint32_t rows = gjb_is_unbounded(body->kind) ? 1 : body->count; /* the second row is an offset */
        for (uint32_t i = 0; i < rows && !image; i++) {
            /* Outlines stay counter-clockwise. */
            const uint32_t row = body->kind == GJB_POLYGON ? body->count - 1 - i : i;
            body->rows[i][0] = 0.0 - was->rows[row][0];
            body->rows[i][1] = was->rows[row][1];
            body->rows[i][2] = was->rows[row][2];
        }
        body->place[0] = 0.0 - body->place[0];
        body->motion[0] = 0.0 - body->motion[0];
        if (dim == 2) {
            body->turn[1] = 0.0 - body->turn[1];
            body->motion[2] = 0.0 - body->motion[2];
        } else {
            body->turn[1] = 0.0 - body->turn[1];
            body->turn[2] = 0.0 - body->turn[2];
            body->motion[4] = 0.0 - body->motion[4];
            body->motion[5] = 0.0 - body->motion[5];
        }
    }
    return 1;
}
