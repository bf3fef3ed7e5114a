/* A curved shape of the fallback path in the form of simd/plane/curve2.h; in double. */
#ifndef GJB_SIMD_FALLBACK2_CURVE_H
#define GJB_SIMD_FALLBACK2_CURVE_H

#include "simd/plane/curve2.h"
#include "simd/plane/fallback/fallback2.h"

/* Its lengths times `scale`; CURVE_NONE for a body with vertices. */
static inline curve2 fallback_curve_of(const fallback_body *body, double scale)
{
    curve2 c = {.present = 1u << body->curve};
    c.is[body->curve] = 1;
    if (body->curve == CURVE_NONE)
        return c;
    const double p = body->curve == CURVE_SUPER ? body->x[2] : 2;
    c.a = body->x[0] * scale;
    c.b = body->x[1] * scale;
    c.slope = fmin(1 / (p - 1), CURVE_STEEPEST);
    c.inverse = 1 / p;
    return c;
}

#endif
