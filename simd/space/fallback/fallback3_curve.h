/* Support mappings of curved 3D shapes for one direction, in double: those of curve3.h,
 * up to rounding. */
#ifndef GJB_SIMD_FALLBACK3_CURVE_H
#define GJB_SIMD_FALLBACK3_CURVE_H

#include <sleef.h>

#include "simd/lanes/vector3.h"
#include "simd/library.h"

typedef struct fallback_curve {
    unsigned curve; /* CURVE_NONE: vertices */
    vec3 size;
    double p;
} fallback_curve;

static inline double inverse_or_0(double x)
{
    return x > 0 ? 1 / x : 0;
}

static inline vec3 fallback_superellipsoid(const fallback_curve *c, vec3 d)
{
    const double m[3] = {fabs(c->size.x * d.x), fabs(c->size.y * d.y), fabs(c->size.z * d.z)};
    const double most = fmax(fmax(m[0], m[1]), m[2]), slope = fmin(1 / (c->p - 1), CURVE_STEEPEST);
    double ratio[3], sum = 0;
    if (!(most > 0))
        return (vec3){0, 0, 0};
    for (int k = 0; k < 3; k++) {
        ratio[k] = Sleef_cinz_powd1_u10purec(m[k] / most, slope);
        sum += m[k] / most * ratio[k];
    }
    const double shrink = Sleef_cinz_powd1_u10purec(sum, -1 / c->p);
    return (vec3){copysign(c->size.x * ratio[0] * shrink, d.x), copysign(c->size.y * ratio[1] * shrink, d.y),
                  copysign(c->size.z * ratio[2] * shrink, d.z)};
}

/* The point farthest along d, about of unit length. */
static inline vec3 fallback_extreme(const fallback_curve *c, vec3 d)
{
    if (c->curve == CURVE_SUPER)
        return fallback_superellipsoid(c, d);
    if (c->curve == CURVE_ELLIPSE) {
        const vec3 m = {c->size.x * d.x, c->size.y * d.y, c->size.z * d.z};
        const vec3 unit = mul3(m, inverse_or_0(sqrt(dot3(m, m))));
        return (vec3){c->size.x * unit.x, c->size.y * unit.y, c->size.z * unit.z};
    }
    const double flat = sqrt(d.x * d.x + d.y * d.y), by = c->size.x * inverse_or_0(flat);
    if (c->curve == CURVE_CONE && 2 * c->size.y * d.z >= c->size.x * flat)
        return (vec3){0, 0, c->size.y};
    return (vec3){d.x * by, d.y * by, c->curve == CURVE_CONE || d.z < 0 ? -c->size.y : c->size.y};
}

/* A direction nearer to the axis is that of a flat end, and rounding must not move its point. */
#define FLAT_END 0x1p-20

/* How the extreme point s along the unit d moves as d turns by t, to first order: the Hessian of the
 * support function. 0 at a corner. */
static inline vec3 fallback_bend(const fallback_curve *c, vec3 d, vec3 s, vec3 t)
{
    if (c->curve == CURVE_NONE)
        return (vec3){0, 0, 0};
    if (c->curve == CURVE_CYLINDER || c->curve == CURVE_CONE) {
        const double flat = sqrt(d.x * d.x + d.y * d.y), out = sqrt(s.x * s.x + s.y * s.y); /* 0 at an apex */
        const double off = (t.y * s.x - t.x * s.y) * inverse_or_0(fmax(flat, FLAT_END) * out);
        return (vec3){-off * s.y, off * s.x, 0};
    }
    const double by = inverse_or_0(dot3(d, s)), across = dot3(s, t) * by;
    const double slope = c->curve != CURVE_SUPER ? 1 : c->p > 1 ? 1 / (c->p - 1) : 0; /* not at corners */
    const double axes[3] = {c->size.x, c->size.y, c->size.z}, n[3] = {d.x, d.y, d.z}, p[3] = {s.x, s.y, s.z};
    const double way[3] = {t.x, t.y, t.z};
    double out[3];
    for (int k = 0; k < 3; k++) {
        const double bend = c->curve == CURVE_ELLIPSE ? axes[k] * axes[k] * by
                                                      : fmin(fabs(p[k]) / fmax(fabs(n[k]), 0x1p-60), 0x1p40);
        out[k] = slope * (bend * way[k] - p[k] * across);
    }
    return (vec3){out[0], out[1], out[2]};
}

/* From the extreme point s of a cylinder to the other end of the straight line of its side. 0 for
 * other shapes. */
static inline vec3 fallback_line(const fallback_curve *c, vec3 s)
{
    return (vec3){0, 0, c->curve == CURVE_CYLINDER ? (s.z > 0 ? -2 : 2) * c->size.y : 0};
}

/* The parts along the axis and out from it of a unit normal of a cone's or a cylinder's straight lines.
 * For a flat cone the part out from it is less than the rounding of 1 less the square of the other. 0: there
 * are no such lines. */
static inline int fallback_ridge(const fallback_curve *c, double *lean, double *out)
{
    const double slant = sqrt(c->size.x * c->size.x + 4 * c->size.y * c->size.y);
    *lean = c->curve == CURVE_CONE && slant > 0 ? c->size.x / slant : 0;
    *out = c->curve == CURVE_CONE && slant > 0 ? 2 * c->size.y / slant : 1;
    return (c->curve == CURVE_CYLINDER || c->curve == CURVE_CONE) && slant > 0;
}

/* The unit vector nearest to d that is normal to a straight line of a cone: such vectors form a circle about
 * its axis. (A cylinder's are all perpendicular to its axis.) */
static inline vec3 fallback_normal_to_line(const fallback_curve *c, vec3 d)
{
    const double flat = sqrt(d.x * d.x + d.y * d.y), slant = sqrt(c->size.x * c->size.x + 4 * c->size.y * c->size.y);
    if (!(flat > 0 && slant > 0))
        return d;
    const double out = 2 * c->size.y / slant / flat;
    return (vec3){d.x * out, d.y * out, c->size.x / slant};
}

/* The straight line of the surface, from the rim up, that is farthest along d around the axis. 0 for other
 * shapes. */
static inline vec3 fallback_line_along(const fallback_curve *c, vec3 d)
{
    if (c->curve != CURVE_CYLINDER && c->curve != CURVE_CONE)
        return (vec3){0, 0, 0};
    const double in = c->curve == CURVE_CONE ? -c->size.x * inverse_or_0(sqrt(d.x * d.x + d.y * d.y)) : 0;
    return (vec3){d.x * in, d.y * in, 2 * c->size.y};
}

/* The straight line of the surface with s in its interior. 0 if there is none. */
static inline vec3 fallback_line_at(const fallback_curve *c, vec3 s)
{
    const double inside = (1 - 0x1p-30) * c->size.y, out = sqrt(s.x * s.x + s.y * s.y);
    const int lined = c->curve == CURVE_CYLINDER || c->curve == CURVE_CONE;
    if (!lined || !(fabs(s.z) < inside))
        return (vec3){0, 0, 0};
    const double slant = c->curve == CURVE_CONE ? c->size.x * inverse_or_0(out) : 0;
    return (vec3){-s.x * slant, -s.y * slant, 2 * c->size.y};
}

/* The sum of |x/a|^p, 1 on the surface of a superellipsoid; axes of no length do not count. */
static inline double fallback_power_of(const fallback_curve *c, vec3 s)
{
    const double axes[3] = {c->size.x, c->size.y, c->size.z}, at[3] = {fabs(s.x), fabs(s.y), fabs(s.z)};
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += Sleef_cinz_powd1_u10purec(at[k] * inverse_or_0(axes[k]), c->p);
    return sum;
}

/* The radius of a cylinder or cone at the height of s. */
static inline double fallback_width(const fallback_curve *c, vec3 s)
{
    const double narrow = c->curve == CURVE_CONE ? (c->size.y - s.z) * inverse_or_0(2 * c->size.y) : 1;
    return c->size.x * narrow;
}

/* The approximate distance of s from the shape, if that is small; 0 within. */
static inline double fallback_outside(const fallback_curve *c, vec3 s)
{
    if (c->curve == CURVE_NONE)
        return 0;
    if (c->curve == CURVE_CYLINDER || c->curve == CURVE_CONE) {
        const double out = sqrt(s.x * s.x + s.y * s.y);
        double lean, across;
        fallback_ridge(c, &lean, &across);
        const double sideways = (out - fallback_width(c, s)) * across;
        return fmax(fmax(fmax(out - c->size.x, sideways), fabs(s.z) - c->size.y), 0);
    }
    const double axes[3] = {c->size.x, c->size.y, c->size.z}, at[3] = {fabs(s.x), fabs(s.y), fabs(s.z)};
    const double p = c->curve == CURVE_SUPER ? c->p : 2;
    double term[3], slope[3], out = 0;
    for (int k = 0; k < 3; k++) {
        const double share = at[k] * inverse_or_0(axes[k]);
        const double power = c->curve == CURVE_SUPER ? Sleef_cinz_powd1_u10purec(share, p - 1) : share;
        out = axes[k] > 0 ? out : fmax(out, at[k]);
        slope[k] = p * power * inverse_or_0(axes[k]);
        term[k] = share * power; /* the p-th power */
    }
    /* A section through the middle is no farther out, and its slope serves if that of a thin part changes
     * too fast. */
    for (int part = 1; part < 8; part++) {
        double sum = 0, square = 0;
        for (int k = 0; k < 3; k++) {
            sum += part >> k & 1 ? term[k] : 0;
            square += part >> k & 1 ? slope[k] * slope[k] : 0;
        }
        out = fmax(out, (sum - 1) * inverse_or_0(sqrt(square)));
    }
    return out;
}

/* The point of the surface near s with the unit normal d; s is on the surface, or inside by as much as it
 * is curved. On nearly flat parts of superellipsoids that may be far off: there s goes straight out to the
 * surface. */
static inline vec3 fallback_settle(const fallback_curve *c, vec3 d, vec3 s)
{
    if (c->curve == CURVE_NONE)
        return s;
    if (c->curve == CURVE_ELLIPSE || c->curve == CURVE_SUPER) {
        const vec3 there = fallback_extreme(c, d), by = sub3(there, s);
        const double far = dot3(by, by);
        if (c->curve == CURVE_ELLIPSE || !(far > 0x1p-20 * dot3(there, there)))
            return there;
        const double power = fallback_power_of(c, s);
        return power > 0 ? mul3(s, Sleef_cinz_powd1_u10purec(power, -1 / c->p)) : there;
    }
    const double flat = sqrt(d.x * d.x + d.y * d.y), out = sqrt(s.x * s.x + s.y * s.y);
    const int at_rim = s.z <= (0x1p-46 - 1) * c->size.y; /* a flat cone's width would be rounding */
    const double wide = at_rim ? c->size.x : fallback_width(c, s);
    if (!(flat > FLAT_END) || out < (1 - 0x1p-16) * wide) /* inside a flat end */
        return s;
    return (vec3){d.x * (wide / flat), d.y * (wide / flat), s.z};
}

#endif
