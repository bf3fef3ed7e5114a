/* Time of impact in lanes: conservative advancement, what 2D and 3D share.
 *
 * A lane holds a time t up to which its pair is proven apart, and a direction n. The gap
 * along n at t, the difference of supports, is a lower bound of the separation; while it
 * is more than TOI_AIM the time advances, by no more than what keeps the gap proven to be
 * TOI_TARGET on the way (Mirtich 1996; here by bounds of second order). When n shows no
 * such gap it is bettered, by GJK at t. The lane ends when the closest points that are
 * known are within TOI_TOUCH.
 *
 * All three in unit roundoffs times the size of the pair's path (gjb_path_size). TARGET is
 * more than rounding of poses, turns and supports hides: then the pair is apart at t,
 * whatever rounding does. AIM leaves room for rounding of the advance, TOUCH for that of
 * the closest points; with the rounding of all it stays below the published k.
 */
#ifndef GJB_SIMD_TOI_H
#define GJB_SIMD_TOI_H

#include "simd/lanes/lanes.h"

#define TOI_TARGET 10
#define TOI_AIM 13
#define TOI_TOUCH 22

/* A function that is at least the parabola through (0, h0) and (1, h1) of second
 * derivative 2 * bend, bend >= 0: the largest share of [0, 1] up to which that stays at
 * `floor` or more, h0 > floor; 1 if all of it does. Rounded down by more than what its
 * own operations lose. */
LANE_FN vr toi_share(vr h0, vr h1, vr bend, vr floor)
{
    const vr zero = v_set(0), one = v_set(1), less = v_set(1 - 8 * REAL_EPSILON);
    vr c = v_sub(h0, floor), b = v_add(bend, v_sub(h0, h1));
    vr disc = v_sub(v_mul(b, b), v_mul(v_set(4), v_mul(bend, c)));
    vr share = v_mul(v_div(v_add(c, c), v_add(b, v_sqrt(v_max(disc, zero)))), less);
    vm reaches = m_and(v_gt(b, zero), m_and(v_ge(disc, zero), v_lt(share, one)));
    return v_sel(m_or(reaches, v_lt(h1, floor)), v_max(v_min(share, less), zero), one);
}

/* The first tau > 0 at which h + slope tau + bend tau^2 is 0, h > 0; `never` where it is not. */
LANE_FN vr toi_root(vr h, vr slope, vr bend, vr never)
{
    const vr zero = v_set(0);
    vr disc = v_sub(v_mul(slope, slope), v_mul(v_set(4), v_mul(bend, h)));
    vr below = v_sub(v_sqrt(v_max(disc, zero)), slope);
    return v_sel(m_and(v_ge(disc, zero), v_gt(below, zero)), v_div(v_add(h, h), below), never);
}

#endif
