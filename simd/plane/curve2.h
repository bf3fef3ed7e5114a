/* Support mappings of curved 2D shapes in lanes.
 *
 * Lengths and directions are those of the shape's local frame. The point found is on the
 * outline within a few roundings of the shape's size, however the direction was rounded,
 * so that combinations of such points are points of the shape. Of points equally far out
 * any may be returned.
 *
 * Along n the outline |x/a|^p + |y/b|^p = 1 is extreme where its gradient is parallel to n.
 * With t <= 1 the ratio of the parts |a nx| and |b ny|, |x|/a and |y|/b are in the ratio
 * rho = t^(1/(p-1)), and the p-th power of that is t rho.
 */
#ifndef GJB_SIMD_CURVE2_H
#define GJB_SIMD_CURVE2_H

#include "simd/lanes/power.h"
#include "simd/library.h"

enum { CURVES2 = CURVE_SUPER + 1 };

/* A shape in each lane: any curve, or vertices (CURVE_NONE), which are not used here. */
typedef struct curve2 {
    vr a, b;           /* semi-axes */
    vr slope, inverse; /* 1 / (p - 1), 1 / p, of CURVE_SUPER */
    vm is[CURVES2];
    unsigned present;  /* bit of each curve that some lane has */
} curve2;

/* The point farthest along (nx, ny), of any length; meaningless in lanes without a curve. */
LANE_FN void extreme_of_curve2(const curve2 *c, vr nx, vr ny, vr *x, vr *y)
{
    const vr zero = v_set(0), one = v_set(1);
    const vr mx = v_abs(v_mul(c->a, nx)), my = v_abs(v_mul(c->b, ny));
    const vm steep = v_gt(my, mx);
    const vr most = v_max(mx, my), t = v_div(v_min(mx, my), v_sel(v_gt(most, zero), most, one));
    vr ratio = t, larger = v_div(one, v_sqrt(v_add(one, v_mul(t, t))));
    if (c->present >> CURVE_SUPER & 1) {
        const vr root = v_share_power(t, c->slope), whole = v_share_power(v_add(one, v_mul(root, t)), v_neg(c->inverse));
        ratio = v_sel(c->is[CURVE_SUPER], root, ratio);
        larger = v_sel(c->is[CURVE_SUPER], whole, larger);
    }
    const vr smaller = v_mul(ratio, larger);
    const vr ox = v_mul(c->a, v_sel(steep, smaller, larger)), oy = v_mul(c->b, v_sel(steep, larger, smaller));
    *x = v_sel(v_lt(nx, zero), v_neg(ox), ox);
    *y = v_sel(v_lt(ny, zero), v_neg(oy), oy);
}

/* ---- curvature ---- */

#define STEEP_SLOPE ((real)64) /* for p nearer to 1 the curvature counts as unknown */
#define ROUNDED_RADIUS (512 * REAL_EPSILON) /* its relative rounding error if powers are not steep */

/* A curved shape along a unit vector, in its own axes: the vector, and the point's magnitudes. */
typedef struct spot2 {
    vr nx, ny, u, v;
} spot2;

/* The radius of curvature of a curve of exponent p is P Q / ((p - 1) h^3) with P = h u / |nx| =
 * a^2 (u/a)^(2-p), and Q likewise. For an ellipse they are the squares of its semi-axes. */
LANE_FN vr curve_factor(vr along, vr at, vr h, vr axis)
{
    const vr n = v_abs(along);
    const vm off = v_gt(n, v_set(0));
    return v_sel(off, v_div(v_mul(h, at), v_sel(off, n, v_set(1))), axis);
}

/* The same along an axis, where the curve is flat (p > 2) or pointed (p < 2). For p just below 2 the
 * factor is less than this bound only in directions too near to the axis to be distinguished from it
 * (CURVE_FLATTEST). */
LANE_FN vr factor_at_axis(const curve2 *c, vr size)
{
    const vr one = v_set(1), fall = v_mul(v_set((real)CURVE_FLATTEST(GJB_BITS)), v_sub(c->slope, one));
    const vr round = v_mul(v_mul(size, size), v_max(v_sub(one, fall), v_set(0)));
    return v_sel(v_lt(c->slope, one), v_set((real)0x1p30), round);
}

/* The support of the ellipse with the same axes. */
LANE_FN vr ellipse_reach(const curve2 *c, const spot2 *at)
{
    const vr x = v_mul(c->a, at->nx), y = v_mul(c->b, at->ny);
    return v_sqrt(v_dot(x, y, x, y));
}

/* A lower bound of a curve's radius of curvature between two spots; 0 if none is known. `corner`
 * is one over the cosine of half the angle between them. All factors are monotone in a quadrant except h.
 * h is at most that of the corner of both tangents, and at most 2^(1/2 - 1/p) times the ellipse's, which
 * is monotone. */
LANE_FN vr least_radius(const curve2 *c, const spot2 *lo, const spot2 *hi, vr corner)
{
    const vr zero = v_set(0), one = v_set(1);
    const vr h_lo = v_add(v_mul(v_abs(lo->nx), lo->u), v_mul(v_abs(lo->ny), lo->v));
    const vr h_hi = v_add(v_mul(v_abs(hi->nx), hi->u), v_mul(v_abs(hi->ny), hi->v));
    vr h = v_max(h_lo, h_hi), p = v_mul(c->a, c->a), q = v_mul(c->b, c->b);
    vm known = m_and(v_ge(v_mul(lo->nx, hi->nx), zero), v_ge(v_mul(lo->ny, hi->ny), zero));
    if (c->present >> CURVE_SUPER & 1) {
        const vm super = c->is[CURVE_SUPER];
        const vr at_x = factor_at_axis(c, c->a), at_y = factor_at_axis(c, c->b);
        const vr p_super = v_min(curve_factor(lo->nx, lo->u, h_lo, at_x), curve_factor(hi->nx, hi->u, h_hi, at_x));
        const vr q_super = v_min(curve_factor(lo->ny, lo->v, h_lo, at_y), curve_factor(hi->ny, hi->v, h_hi, at_y));
        const vr more = v_add(one, v_max(v_sub(v_set((real)0.5), c->inverse), zero)); /* a tangent of the power */
        const vr round = v_mul(more, v_max(ellipse_reach(c, lo), ellipse_reach(c, hi)));
        p = v_sel(super, v_mul(p_super, c->slope), p);
        q = v_sel(super, q_super, q);
        h = v_sel(super, v_min(v_mul(h, corner), round), h); /* an ellipse's is monotone */
        known = m_and(known, v_le(c->slope, v_set(STEEP_SLOPE)));
    }
    const vr radius = v_mul(v_div(p, h), v_div(v_div(q, h), h));
    /* false on NaN, for a shape without extent there */
    known = m_andnot(m_and(known, m_and(v_gt(radius, zero), v_lt(radius, v_set((real)0x1p20)))), c->is[CURVE_NONE]);
    const vr off = v_sel(v_le(c->slope, v_set(2)), v_set(1 - ROUNDED_RADIUS), v_set(1 - (real)0x1p-6));
    return v_sel(known, v_mul(radius, off), zero);
}

#endif
