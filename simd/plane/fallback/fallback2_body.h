/* Makes the fallback path's body from a record and a pose. */
#ifndef GJB_SIMD_FALLBACK2_BODY_H
#define GJB_SIMD_FALLBACK2_BODY_H

#include "simd/plane/fallback/fallback2.h"
#include "simd/window.h"

/* `x`: room for the record's numbers. */
static fallback_body widen_body(const real *record, const shape_meta *meta, const real *pose, double *x)
{
    const uint32_t n = 4u * meta->quads, curve = METHOD_CURVE(meta->method);
    for (uint32_t i = 0; i < 2 * n; i++)
        x[i] = (double)record[i];
    return (fallback_body){x, x + n, curve ? 0 : n, (double)pose[0], (double)pose[1], (double)pose[2], (double)pose[3],
                          (double)meta->radius, curve};
}

#endif
