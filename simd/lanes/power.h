/* Powers in lanes: the same bits on every machine.
 *
 * SLEEF's deterministic functions (Shibata, Petrogalli 2020), of names with cinz and the
 * instruction set: without fused operations, so that all widths agree. Names without either
 * choose by the machine that they run on, and those with finz fuse.
 */
#ifndef GJB_SIMD_POWER_H
#define GJB_SIMD_POWER_H

#include <sleef.h>

#include "simd/lanes/lanes.h"

#if GJB_BITS == 32
#define SLEEF_(function, f32, f64, isa) Sleef_cinz_##function##f##f32##_u10##isa
#else
#define SLEEF_(function, f32, f64, isa) Sleef_cinz_##function##d##f64##_u10##isa
#endif
/* Vector functions round a half to even, those in plain C away from 0 (3.5.1): powers near sqrt(2) times a
 * power of two then differ in the last bit. So one lane uses a vector function that every such CPU has. */
#if defined(GJB_LANES_SCALAR) && defined(__x86_64__)
#define SLEEF(function) SLEEF_(function, 4, 2, sse2)
#if GJB_BITS == 32
#define SPREAD _mm_set1_ps
#define FIRST _mm_cvtss_f32
#else
#define SPREAD _mm_set1_pd
#define FIRST _mm_cvtsd_f64
#endif
#elif defined(GJB_LANES_SCALAR) && defined(__aarch64__)
#define SLEEF(function) SLEEF_(function, 4, 2, advsimdnofma)
#if GJB_BITS == 32
#define SPREAD vdupq_n_f32
#define FIRST(v) vgetq_lane_f32(v, 0)
#else
#define SPREAD vdupq_n_f64
#define FIRST(v) vgetq_lane_f64(v, 0)
#endif
#else
#define SPREAD(x) (x)
#define FIRST(v) (v)
#endif
#if defined(SLEEF)
#elif defined(GJB_LANES_SCALAR)
#define SLEEF(function) SLEEF_(function, 1, 1, purec)
#elif defined(GJB_LANES_NEON)
#define SLEEF(function) SLEEF_(function, 4, 2, advsimdnofma)
#elif defined(GJB_LANES_SSE)
#define SLEEF(function) SLEEF_(function, 4, 2, sse4)
#elif defined(GJB_LANES_AVX512)
#define SLEEF(function) SLEEF_(function, 16, 8, avx512fnofma)
#else
#define SLEEF(function) SLEEF_(function, 8, 4, avx) /* the only ones of 256 bits */
#endif

/* x to the power of y, with a relative error of at most 2 REAL_EPSILON; x >= 0 and finite, and at
 * least 2^-100 if y < 0. 0^y is 0, and 1 for y = 0; 1^y is 1. |y| up to 2^100 gives no NaN. Results
 * below the normal numbers may be anything from 0 to the smallest normal number. */
LANE_FN vr v_power(vr x, vr y)
{
    return FIRST(SLEEF(pow)(SPREAD(x), SPREAD(y)));
}

/* The same for results from 0 to 1, with an absolute error of at most 4 REAL_EPSILON, in half the
 * time: the result scales the error of the logarithm. y is not 0. */
LANE_FN vr v_share_power(vr x, vr y)
{
    return FIRST(SLEEF(exp)(SPREAD(v_mul(y, FIRST(SLEEF(log)(SPREAD(x)))))));
}

#endif
