/* What a change of the motion does to the time of first contact. */
#include <math.h>
#include <string.h>

#include "properties/property_private.h"

static void scale_motion(prop_pair *pair, double by)
{
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 6; k++)
            pair->body[b].motion[k] = pair->body[b].motion[k] * by + 0.0;
}

/* Bodies as they are at a time of the step; how far that is rounded. */
static double go_on(prop_pair *pair, double t)
{
    gjb_pair_space space = {0};
    gjb_pair view, then;
    double off = 0;
    if (gjb_prop_view(pair, &space, &view)) {
        gjb_pair_space_free(&space);
        return INFINITY;
    }
    ref_pair_at(&view, t, &then);
    for (int b = 0; b < 2; b++) {
        prop_body *body = &pair->body[b];
        off += gjb_prop_move(pair, b, body->motion, t, NULL);
        if (pair->dim == 2) {
            const gjb_pose2d *pose = b ? &then.as.plane.b.pose : &then.as.plane.a.pose;
            memcpy(body->turn, (double[4]){pose->c, pose->s, 0, 0}, sizeof body->turn);
        } else {
            const gjb_pose3d *pose = b ? &then.as.space.b.pose : &then.as.space.a.pose;
            memcpy(body->turn, (double[4]){pose->qx, pose->qy, pose->qz, pose->qw}, sizeof body->turn);
        }
        /* (c, s) is off by one roundoff of each, q by as much, which turns by twice that; and 4 of double before. */
        off += (4 * gjb_epsilon(pair->precision) + 8 * 0x1p-53) * gjb_prop_reach(pair, b);
    }
    gjb_pair_space_free(&space);
    return off;
}

PROP_MAKES(gjb_prop_common_velocity)
{
    double by = 0;
    int exact = 1;
    (void)which, (void)random;
    for (int b = 0; b < 2; b++)
        for (uint32_t k = 0; k < from->pair->dim; k++)
            by = fmax(by, fabs(from->pair->body[b].motion[k]));
    by = by > 0 ? ldexp(1, ilogb(by)) : 1;
    for (int b = 0; b < 2; b++)
        for (uint32_t k = 0; k < 2; k++) {
            double *m = &to->pair->body[b].motion[k];
            exact = gjb_prop_exact_sum(from->pair->precision, *m, k ? -by : by, m) && exact;
        }
    return exact;
}

PROP_MAKES(gjb_prop_twice_as_far)
{
    (void)which, (void)random;
    scale_motion(to->pair, 2);
    to->time_scale = 2;
    for (int b = 0; b < 2; b++) {
        const double *m = to->pair->body[b].motion;
        const double radians =
            from->pair->dim == 2 ? fabs(m[2]) : sqrt(m[3] * m[3] + m[4] * m[4] + m[5] * m[5]);
        if (radians > GJB_MOST_RADIANS)
            return 0;
    }
    return gjb_prop_round(to->pair) == 0;
}

PROP_MAKES(gjb_prop_backwards)
{
    (void)which, (void)random, (void)from;
    for (int b = 0; b < 2; b++)
        gjb_prop_move(to->pair, b, to->pair->body[b].motion, 1, NULL);
    scale_motion(to->pair, -1);
    to->time_scale = -1;
    to->time_shift = 1;
    return gjb_prop_round(to->pair) == 0;
}

PROP_MAKES(gjb_prop_first_half)
{
    (void)random, (void)from;
    if (which)
        go_on(to->pair, 0.5);
    scale_motion(to->pair, 0.5);
    to->time_scale = 0.5;
    to->time_shift = which ? 0.5 : 0;
    return gjb_prop_round(to->pair) == 0;
}

PROP_MAKES(gjb_prop_inflate_in_time)
{
    static const double shares[] = {0x1p-8, 0x1p-3};
    prop_body *body = &to->pair->body[gjb_random_below(random, 2)];
    body->radius += shares[which] * from->size;
    to->claim = PROP_NO_MORE;
    return gjb_prop_round(to->pair) == 0;
}

/* Apart before the hit, and touching at it; apart until the end if there is none. */
PROP_MAKES(gjb_prop_along_the_way)
{
    const int hit = from->said->status == GJB_HIT;
    const double t = (hit ? from->said->value : 1) * 0.25 * which;
    (void)random;
    if ((!hit && from->said->status != GJB_SEPARATED) || !(t >= 0 && t <= 1))
        return 0;
    to->off = go_on(to->pair, t) + 0x1p-50 * from->size;
    memset(to->pair->body[0].motion, 0, sizeof to->pair->body[0].motion);
    memset(to->pair->body[1].motion, 0, sizeof to->pair->body[1].motion);
    to->claim = PROP_KNOWN;
    to->low = 0;
    to->high = hit && which == 4 ? 0 : INFINITY;
    to->tau = from->tolerance;
    const uint32_t has = from->who->queries;
    to->query = has >> GJB_SIGNED_DISTANCE & 1 ? GJB_SIGNED_DISTANCE
                : has >> GJB_DISTANCE & 1      ? GJB_DISTANCE
                                               : GJB_INTERSECT;
    return (has >> to->query & 1) && gjb_prop_round(to->pair) == 0;
}
