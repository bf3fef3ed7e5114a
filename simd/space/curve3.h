/* Support mappings of curved 3D shapes in lanes.
 *
 * Lengths and directions are those of the shape's local frame; directions of any length
 * whose square is a normal number. The point found is on the surface within a few roundings
 * of the shape's size, however the direction was rounded, so that combinations of such points
 * are points of the shape. If a direction determines no point (the side of a disc seen from
 * above), the centre of the feature is taken, which is as far out as the rest.
 */
#ifndef GJB_SIMD_CURVE3_H
#define GJB_SIMD_CURVE3_H

#include "simd/lanes/lanes3.h"
#include "simd/lanes/power.h"
#include "simd/library.h"

enum { CURVES = CURVE_CONE + 1 };

/* A shape in each lane: any curve, or vertices (CURVE_NONE), which are not used here. */
typedef struct curve3 {
    v3 size;          /* semi-axes; or the base's radius, half the height, 0 */
    vr slope, inverse; /* 1 / (p - 1), 1 / p */
    vm is[CURVES];
    unsigned present;  /* bit of each curve that some lane has */
} curve3;

/* 1 / x, or 0 if x is 0. */
LANE_FN vr v_inverse(vr x)
{
    const vm some = v_gt(x, v_set(0));
    return v_sel(some, v_div(v_set(1), v_sel(some, x, v_set(1))), v_set(0));
}

LANE_FN vr v_signed(vr size, vr as)
{
    return v_sel(v_lt(as, v_set(0)), v_neg(size), size);
}

LANE_FN v3 extreme_of_ellipsoid(const curve3 *c, v3 d)
{
    v3 m = {v_mul(c->size.x, d.x), v_mul(c->size.y, d.y), v_mul(c->size.z, d.z)};
    const vr by = v_inverse(v_sqrt(v3_dot(m, m)));
    m = v3_mul(m, by);
    return (v3){v_mul(c->size.x, m.x), v_mul(c->size.y, m.y), v_mul(c->size.z, m.z)};
}

/* With t the share of each part in the largest, the point has ratios t^(1/(p-1)), whose p-th
 * powers are t times them. */
LANE_FN v3 extreme_of_superellipsoid(const curve3 *c, v3 d)
{
    const v3 m = {v_abs(v_mul(c->size.x, d.x)), v_abs(v_mul(c->size.y, d.y)), v_abs(v_mul(c->size.z, d.z))};
    const vr most = v_max(v_max(m.x, m.y), m.z);
    const vm some = v_gt(most, v_set(0));
    const vr whole = v_sel(some, most, v_set(1));
    const v3 t = {v_div(m.x, whole), v_div(m.y, whole), v_div(m.z, whole)};
    const v3 ratio = {v_power(t.x, c->slope), v_power(t.y, c->slope), v_power(t.z, c->slope)};
    const vr sum = v_sel(some, v3_dot(t, ratio), v_set(1));
    const vr shrink = v_sel(some, v_power(sum, v_neg(c->inverse)), v_set(0));
    const v3 at = v3_mul(ratio, shrink);
    return (v3){v_signed(v_mul(c->size.x, at.x), d.x), v_signed(v_mul(c->size.y, at.y), d.y),
                v_signed(v_mul(c->size.z, at.z), d.z)};
}

LANE_FN v3 extreme_of_cylinder(const curve3 *c, v3 d)
{
    const vr by = v_mul(c->size.x, v_inverse(v_sqrt(v_add(v_mul(d.x, d.x), v_mul(d.y, d.y)))));
    return (v3){v_mul(d.x, by), v_mul(d.y, by), v_signed(c->size.y, d.z)};
}

LANE_FN v3 extreme_of_cone(const curve3 *c, v3 d)
{
    const vr flat = v_sqrt(v_add(v_mul(d.x, d.x), v_mul(d.y, d.y))), by = v_mul(c->size.x, v_inverse(flat));
    const vm apex = v_ge(v_mul(v_add(c->size.y, c->size.y), d.z), v_mul(c->size.x, flat));
    const vr zero = v_set(0);
    return (v3){v_sel(apex, zero, v_mul(d.x, by)), v_sel(apex, zero, v_mul(d.y, by)),
                v_sel(apex, c->size.y, v_neg(c->size.y))};
}

/* The point farthest along d; meaningless in lanes without a curve. */
LANE_FN v3 extreme_of_curve(const curve3 *c, v3 d)
{
    v3 at = v3_set(0, 0, 0);
    if (c->present >> CURVE_ELLIPSE & 1)
        at = extreme_of_ellipsoid(c, d);
    if (c->present >> CURVE_SUPER & 1)
        at = v3_sel(c->is[CURVE_SUPER], extreme_of_superellipsoid(c, d), at);
    if (c->present >> CURVE_CYLINDER & 1)
        at = v3_sel(c->is[CURVE_CYLINDER], extreme_of_cylinder(c, d), at);
    if (c->present >> CURVE_CONE & 1)
        at = v3_sel(c->is[CURVE_CONE], extreme_of_cone(c, d), at);
    return at;
}

/* How the extreme point s along the unit d moves as d turns by t, to first order: the Hessian of the
 * support function. 0 if the point is a corner. */
LANE_FN v3 bend_of_ball(const curve3 *c, v3 d, v3 s, v3 t)
{
    const vm round = c->is[CURVE_ELLIPSE];
    const vr h = v3_dot(d, s), by = v_inverse(h), across = v_mul(v3_dot(s, t), by), most = v_set((real)0x1p16);
    const vr slope = v_sel(round, v_set(1), c->slope);
    const vr axes[3] = {c->size.x, c->size.y, c->size.z}, n[3] = {d.x, d.y, d.z}, p[3] = {s.x, s.y, s.z};
    const vr way[3] = {t.x, t.y, t.z};
    vr out[3];
    for (int k = 0; k < 3; k++) {
        const vr size = v_abs(n[k]), ratio = v_div(v_abs(p[k]), v_max(size, v_set(REAL_EPSILON)));
        const vr bend = v_sel(round, v_mul(v_mul(axes[k], axes[k]), by), v_min(ratio, most));
        out[k] = v_mul(slope, v_sub(v_mul(bend, way[k]), v_mul(p[k], across)));
    }
    return (v3){out[0], out[1], out[2]};
}

LANE_FN v3 bend_of_rim(v3 d, v3 s, v3 t)
{
    const vr flat = v_sqrt(v_add(v_mul(d.x, d.x), v_mul(d.y, d.y)));
    const vr out = v_sqrt(v_add(v_mul(s.x, s.x), v_mul(s.y, s.y))); /* 0 at an apex */
    const vr off = v_mul(v_sub(v_mul(t.y, s.x), v_mul(t.x, s.y)), v_inverse(v_mul(flat, out)));
    return (v3){v_neg(v_mul(off, s.y)), v_mul(off, s.x), v_set(0)};
}

LANE_FN v3 bend_of_curve(const curve3 *c, v3 d, v3 s, v3 t)
{
    const v3 none = v3_set(0, 0, 0);
    v3 out = none;
    if (c->present & (1u << CURVE_ELLIPSE | 1u << CURVE_SUPER))
        out = v3_sel(m_or(c->is[CURVE_ELLIPSE], c->is[CURVE_SUPER]), bend_of_ball(c, d, s, t), none);
    if (c->present & (1u << CURVE_CYLINDER | 1u << CURVE_CONE))
        out = v3_sel(m_or(c->is[CURVE_CYLINDER], c->is[CURVE_CONE]), bend_of_rim(d, s, t), out);
    return out;
}

/* From the extreme point s of a cylinder to the other end of the straight line of its side. 0 for
 * other shapes: a cone's lines lean, and following them was measured to cost more than it gains. */
LANE_FN v3 line_of_curve(const curve3 *c, v3 s)
{
    const vr zero = v_set(0), height = v_add(c->size.y, c->size.y);
    const vr up = v_sel(v_gt(s.z, zero), v_neg(height), height);
    return (v3){zero, zero, v_sel(c->is[CURVE_CYLINDER], up, zero)};
}

/* Unit vectors perpendicular to the unit n and each other (Duff et al. 2017). */
LANE_FN void across3(v3 n, v3 *t, v3 *u)
{
    const vr one = v_set(1), sign = v_signed(one, n.z), a = v_div(v_set(-1), v_add(sign, n.z));
    const vr b = v_mul(v_mul(n.x, n.y), a);
    *t = (v3){v_add(one, v_mul(v_mul(sign, v_mul(n.x, n.x)), a)), v_mul(sign, b), v_neg(v_mul(sign, n.x))};
    *u = (v3){b, v_add(sign, v_mul(v_mul(n.y, n.y), a)), v_neg(n.y)};
}

/* Sets which curve each lane has; the caller fills in lengths and powers. */
LANE_FN void set_curves(curve3 *c, const unsigned curve[LANES])
{
    real code[LANES];
    c->present = 0;
    for (unsigned l = 0; l < LANES; l++) {
        code[l] = (real)curve[l];
        c->present |= 1u << curve[l];
    }
    for (int k = 0; k < CURVES; k++)
        c->is[k] = v_eq(v_load(code), v_set((real)k));
}

#endif
