/* Numbers at addresses of each lane's own. Apart from lanes.h because little needs it. */
#ifndef GJB_SIMD_FETCH_H
#define GJB_SIMD_FETCH_H

#include "simd/lanes/lanes.h"

/* Lane i is p[i][index lane i] in the lanes of m, else q[i][index lane i]. */
#if defined(GJB_LANES_AVX512) && GJB_BITS == 32
LANE_FN vr v_fetch_either(vm m, const real *const *p, const real *const *q, vr index)
{
    const __m512i at = _mm512_cvttps_epi32(index);
    const __m256i low = _mm512_castsi512_si256(at), high = _mm512_extracti64x4_epi64(at, 1);
    const __m512i one = _mm512_mask_blend_epi64((__mmask8)m, _mm512_loadu_si512(q), _mm512_loadu_si512(p));
    const __m512i two =
        _mm512_mask_blend_epi64((__mmask8)(m >> 8), _mm512_loadu_si512(q + 8), _mm512_loadu_si512(p + 8));
    const __m512i from_low = _mm512_add_epi64(one, _mm512_slli_epi64(_mm512_cvtepi32_epi64(low), 2));
    const __m512i from_high = _mm512_add_epi64(two, _mm512_slli_epi64(_mm512_cvtepi32_epi64(high), 2));
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_i64gather_ps(from_low, NULL, 1)),
                              _mm512_i64gather_ps(from_high, NULL, 1), 1);
}
#elif defined(GJB_LANES_AVX512)
LANE_FN vr v_fetch_either(vm m, const real *const *p, const real *const *q, vr index)
{
    const __m512i from = _mm512_mask_blend_epi64(m, _mm512_loadu_si512(q), _mm512_loadu_si512(p));
    return _mm512_i64gather_pd(_mm512_add_epi64(from, _mm512_slli_epi64(_mm512_cvttpd_epi64(index), 3)), NULL,
                               1);
}
#elif defined(__AVX2__) && !defined(GJB_LANES_SSE) && !defined(GJB_LANES_SCALAR)
/* The fetches of this width name the register of their index, ymm0, as qemu 7.2 (target/i386) takes ymm4 in that
 * place for no index at all, and reads at 0. */
LANE_FN __m256i fetch_pointers(const real *const *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
#if GJB_BITS == 32
LANE_FN __m128 fetch_four(__m256i from, __m128i at)
{
    __m128 out = _mm_setzero_ps(), all = _mm_castsi128_ps(_mm_set1_epi32(-1));
    __asm__("vgatherqps %1, (,%t2,1), %0"
            : "+&x"(out), "+&x"(all)
            : "Yz"(_mm256_add_epi64(from, _mm256_slli_epi64(_mm256_cvtepi32_epi64(at), 2)))
            : "memory");
    return out;
}
LANE_FN vr v_fetch_either(vm m, const real *const *p, const real *const *q, vr index)
{
    const __m256i at = _mm256_cvttps_epi32(index);
#if defined(GJB_LANES_AVX512VL)
    const __m256i low = _mm256_mask_blend_epi64((__mmask8)(m & 15), fetch_pointers(q), fetch_pointers(p));
    const __m256i high =
        _mm256_mask_blend_epi64((__mmask8)(m >> 4), fetch_pointers(q + 4), fetch_pointers(p + 4));
#else
    const __m256i wide = _mm256_castps_si256(m);
    const __m256i first = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(wide));
    const __m256i last = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(wide, 1));
    const __m256i low = _mm256_blendv_epi8(fetch_pointers(q), fetch_pointers(p), first);
    const __m256i high = _mm256_blendv_epi8(fetch_pointers(q + 4), fetch_pointers(p + 4), last);
#endif
    return _mm256_insertf128_ps(_mm256_castps128_ps256(fetch_four(low, _mm256_castsi256_si128(at))),
                                fetch_four(high, _mm256_extracti128_si256(at, 1)), 1);
}
#else
LANE_FN vr v_fetch_either(vm m, const real *const *p, const real *const *q, vr index)
{
#if defined(GJB_LANES_AVX512VL)
    const __m256i from = _mm256_mask_blend_epi64(m, fetch_pointers(q), fetch_pointers(p));
#else
    const __m256i from = _mm256_blendv_epi8(fetch_pointers(q), fetch_pointers(p), _mm256_castpd_si256(m));
#endif
    const __m256i at = _mm256_cvtepi32_epi64(_mm256_cvttpd_epi32(index));
    __m256d out = _mm256_setzero_pd(), all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
    __asm__("vgatherqpd %1, (,%t2,1), %0"
            : "+&x"(out), "+&x"(all)
            : "Yz"(_mm256_add_epi64(from, _mm256_slli_epi64(at, 3)))
            : "memory");
    return out;
}
#endif
#else
LANE_FN vr v_fetch_either(vm m, const real *const *p, const real *const *q, vr index)
{
    const unsigned bits = m_bits(m);
    real at[LANES], out[LANES];
    v_store(at, index);
    for (int l = 0; l < LANES; l++)
        out[l] = (bits >> l & 1 ? p : q)[l][(uint32_t)at[l]];
    return v_load(out);
}
#endif

LANE_FN vr v_fetch(const real *const *p, vr index)
{
    return v_fetch_either(v_eq(v_set(0), v_set(0)), p, p, index);
}

#endif
