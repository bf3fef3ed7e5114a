/* Time of impact in lanes: conservative advancement, what 2D and 3D share.
 *
 * A lane holds a time t up to which its pair is proven apart, and a direction n. The gap
 * along n at t, the difference of supports, is a lower bound of the separation. While it
 * is more than TOI_AIM the time advances, by no more than keeps the gap proven to be at
 * least TOI_TARGET (Mirtich 1996; here by bounds of second order). If n shows no such
 * gap, GJK at t improves it. The lane ends when the closest known points are within
 * TOI_TOUCH.
 *
 * All three are in unit roundoffs times the size of the pair's path (gjb_path_size). TARGET
 * exceeds the rounding of poses, turns and supports, so that the pair is certainly apart at
 * t. AIM leaves room for rounding of the advance, TOUCH for that of the closest points;
 * with all rounding it stays below the published k.
 */
#ifndef GJB_SIMD_TOI_H
#define GJB_SIMD_TOI_H

#include "simd/lanes/lanes.h"

#define TOI_TARGET 10
#define TOI_AIM 13
#define TOI_TOUCH 22

/* For a function that is at least the parabola through (0, h0) and (1, h1) of second
 * derivative 2 * bend, bend >= 0: the largest share of [0, 1] up to which the parabola
 * stays at `floor` or more, h0 > floor; 1 if all of it does. Rounded down by more than
 * the rounding of its own operations. */
LANE_FN vr toi_share(vr h0, vr h1, vr bend, vr floor)
{
    const vr zero = v_set(0), one = v_set(1), less = v_set(1 - 8 * REAL_EPSILON);
    vr c = v_sub(h0, floor), b = v_add(bend, v_sub(h0, h1));
    vr disc = v_sub(v_mul(b, b), v_mul(v_set(4), v_mul(bend, c)));
    vr share = v_mul(v_div(v_add(c, c), v_add(b, v_sqrt(v_max(disc, zero)))), less);
    vm reaches = m_and(v_gt(b, zero), m_and(v_ge(disc, zero), v_lt(share, one)));
    return v_sel(m_or(reaches, v_lt(h1, floor)), v_max(v_min(share, less), zero), one);
}

/* The first tau > 0 at which h + slope tau + bend tau^2 is 0, h > 0; `never` if there is none. */
LANE_FN vr toi_root(vr h, vr slope, vr bend, vr never)
{
    const vr zero = v_set(0);
    vr disc = v_sub(v_mul(slope, slope), v_mul(v_set(4), v_mul(bend, h)));
    vr below = v_sub(v_sqrt(v_max(disc, zero)), slope);
    return v_sel(m_and(v_ge(disc, zero), v_gt(below, zero)), v_div(v_add(h, h), below), never);
}

#endif
