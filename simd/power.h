/* Powers in lanes: the same bits on every machine.
 *
 * SLEEF's deterministic functions (Shibata, Petrogalli 2020), of names with cinz and the
 * instruction set: without fused operations, so that all widths agree. Names without either
 * choose by the machine that they run on, and those with finz fuse.
 */
#ifndef GJB_SIMD_POWER_H
#define GJB_SIMD_POWER_H

#include <sleef.h>

#include "simd/lanes.h"

#if GJB_BITS == 32
#define SLEEF_(function, f32, f64, isa) Sleef_cinz_##function##f##f32##_u10##isa
#else
#define SLEEF_(function, f32, f64, isa) Sleef_cinz_##function##d##f64##_u10##isa
#endif
#if defined(GJB_LANES_SCALAR)
#define SLEEF(function) SLEEF_(function, 1, 1, purec)
#elif defined(GJB_LANES_NEON)
#define SLEEF(function) SLEEF_(function, 4, 2, advsimdnofma)
#elif defined(GJB_LANES_SSE)
#define SLEEF(function) SLEEF_(function, 4, 2, sse4)
#elif defined(GJB_LANES_AVX512)
#define SLEEF(function) SLEEF_(function, 16, 8, avx512fnofma)
#else
#define SLEEF(function) SLEEF_(function, 8, 4, avx) /* of 256 bits there are no others */
#endif

/* x to the power of y, within 2 REAL_EPSILON of it, relatively; x >= 0 and finite, and 2^-100
 * or more where y < 0. Of 0 it is 0, and 1 for y = 0; of 1 it is 1. |y| up to 2^100 gives no NaN;
 * results that are no normal numbers may be any from 0 to the smallest of those. */
LANE_FN vr v_power(vr x, vr y)
{
    return SLEEF(pow)(x, y);
}

/* The same of results from 0 to 1, within 4 REAL_EPSILON absolutely: what is lost of the logarithm
 * times the result, and in half the time. y is not 0. */
LANE_FN vr v_share_power(vr x, vr y)
{
    return SLEEF(exp)(v_mul(y, SLEEF(log)(x)));
}

#endif
