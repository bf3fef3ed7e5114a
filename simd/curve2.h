/* Support mappings of curved 2D shapes in lanes.
 *
 * Lengths and directions are those of the shape's local frame. The point found is on the
 * outline within a few roundings of the shape's size, whatever rounding makes of the
 * direction, so that what is made of such points is made of points of the shape. Of points
 * that are as far out as each other any may come.
 *
 * Along n the outline |x/a|^p + |y/b|^p = 1 is extreme where its gradient is parallel to n:
 * with t <= 1 the ratio of the parts |a nx| and |b ny|, |x|/a and |y|/b are in the ratio
 * rho = t^(1/(p-1)), and the p-th power of that is t rho.
 */
#ifndef GJB_SIMD_CURVE2_H
#define GJB_SIMD_CURVE2_H

#include "simd/library.h"
#include "simd/power.h"

enum { CURVES2 = CURVE_SUPER + 1 };

/* A shape in each lane: any curve, or vertices (CURVE_NONE), which are not looked at here. */
typedef struct curve2 {
    vr a, b;           /* semi-axes */
    vr slope, inverse; /* 1 / (p - 1), 1 / p, of CURVE_SUPER */
    vm is[CURVES2];
    unsigned present;  /* bit of each curve that some lane has */
} curve2;

/* The point farthest along (nx, ny), of any length; of no meaning in lanes without a curve. */
LANE_FN void extreme_of_curve2(const curve2 *c, vr nx, vr ny, vr *x, vr *y)
{
    const vr zero = v_set(0), one = v_set(1);
    const vr mx = v_abs(v_mul(c->a, nx)), my = v_abs(v_mul(c->b, ny));
    const vm steep = v_gt(my, mx);
    const vr most = v_max(mx, my), t = v_div(v_min(mx, my), v_sel(v_gt(most, zero), most, one));
    vr ratio = t, larger = v_div(one, v_sqrt(v_add(one, v_mul(t, t))));
    if (c->present >> CURVE_SUPER & 1) {
        const vr root = v_power(t, c->slope), whole = v_power(v_add(one, v_mul(root, t)), v_neg(c->inverse));
        ratio = v_sel(c->is[CURVE_SUPER], root, ratio);
        larger = v_sel(c->is[CURVE_SUPER], whole, larger);
    }
    const vr smaller = v_mul(ratio, larger);
    const vr ox = v_mul(c->a, v_sel(steep, smaller, larger)), oy = v_mul(c->b, v_sel(steep, larger, smaller));
    *x = v_sel(v_lt(nx, zero), v_neg(ox), ox);
    *y = v_sel(v_lt(ny, zero), v_neg(oy), oy);
}

#endif
