/* Support mappings of curved 3D shapes for one direction, in double: as curve3.h, with
 * which it agrees to rounding. */
#ifndef GJB_SIMD_CURVE_SOLO3_H
#define GJB_SIMD_CURVE_SOLO3_H

#include <sleef.h>

#include "simd/library.h"
#include "simd/vector3.h"

typedef struct solo_curve {
    unsigned curve; /* CURVE_NONE: vertices */
    vec3 size;
    double p;
} solo_curve;

static inline double inverse_or_0(double x)
{
    return x > 0 ? 1 / x : 0;
}

static inline vec3 solo_superellipsoid(const solo_curve *c, vec3 d)
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
static inline vec3 solo_extreme(const solo_curve *c, vec3 d)
{
    if (c->curve == CURVE_SUPER)
        return solo_superellipsoid(c, d);
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

#endif
