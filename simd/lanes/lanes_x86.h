/* SSE4.1, AVX (also compiled as AVX2), AVX-512 on 256-bit and 512-bit registers.
 * One source: widths differ only in prefix, suffix and the transposing load. */
#include <immintrin.h>

#define LANE_CAT_(a, b, c) a##b##_##c
#define LANE_CAT(a, b, c) LANE_CAT_(a, b, c)
#define X(op) LANE_CAT(LANE_PREFIX, op, LANE_SUFFIX)

#if GJB_BITS == 32
#define LANE_SUFFIX ps
#else
#define LANE_SUFFIX pd
#endif

#if defined(GJB_LANES_SSE)
#ifndef __SSE4_1__
#error "this backend is compiled with -msse4.1"
#endif
#define LANE_PREFIX _mm_
#define LANES (128 / GJB_BITS)
#if GJB_BITS == 32
typedef __m128 vr;
#else
typedef __m128d vr;
#endif
#elif defined(GJB_LANES_AVX) || defined(GJB_LANES_AVX512VL)
#ifndef __AVX__
#error "this backend is compiled with -mavx or more"
#endif
#define LANE_PREFIX _mm256_
#define LANES (256 / GJB_BITS)
#if GJB_BITS == 32
typedef __m256 vr;
#else
typedef __m256d vr;
#endif
#elif defined(GJB_LANES_AVX512)
#define LANE_PREFIX _mm512_
#define LANES (512 / GJB_BITS)
#if GJB_BITS == 32
typedef __m512 vr;
#else
typedef __m512d vr;
#endif
#else
#error "no lane kind defined"
#endif

LANE_FN vr v_set(real x) { return X(set1)(x); }
LANE_FN vr v_load(const real *p) { return X(loadu)(p); }
LANE_FN void v_store(real *p, vr a) { X(storeu)(p, a); }
LANE_FN vr v_add(vr a, vr b) { return X(add)(a, b); }
LANE_FN vr v_sub(vr a, vr b) { return X(sub)(a, b); }
LANE_FN vr v_mul(vr a, vr b) { return X(mul)(a, b); }
LANE_FN vr v_div(vr a, vr b) { return X(div)(a, b); }
LANE_FN vr v_sqrt(vr a) { return X(sqrt)(a); }
LANE_FN vr v_min(vr a, vr b) { return X(min)(a, b); }
LANE_FN vr v_max(vr a, vr b) { return X(max)(a, b); }
LANE_FN vr v_neg(vr a) { return X(xor)(a, X(set1)((real)-0.0)); }
LANE_FN vr v_abs(vr a) { return X(andnot)(X(set1)((real)-0.0), a); }
LANE_FN vr v_pow2_floor(vr a)
{
    /* infinity is all exponent bits and no others */
    return X(and)(a, X(set1)((real)INFINITY));
}

#if defined(GJB_LANES_AVX512VL) || defined(GJB_LANES_AVX512)
#if !defined(__AVX512VL__) || !defined(__AVX512DQ__)
#error "this backend is compiled with -mavx512f -mavx512vl -mavx512dq -mavx512bw"
#endif
#if GJB_BITS == 32 && defined(GJB_LANES_AVX512)
typedef __mmask16 vm;
#else
typedef __mmask8 vm;
#endif
#define LANE_CMP_(p, s) p##cmp_##s##_mask
#define LANE_CMP__(p, s) LANE_CMP_(p, s)
#define LANE_CMP LANE_CMP__(LANE_PREFIX, LANE_SUFFIX)
LANE_FN vm v_gt(vr a, vr b) { return LANE_CMP(a, b, _CMP_GT_OQ); }
LANE_FN vm v_ge(vr a, vr b) { return LANE_CMP(a, b, _CMP_GE_OQ); }
LANE_FN vm v_eq(vr a, vr b) { return LANE_CMP(a, b, _CMP_EQ_OQ); }
LANE_FN vr v_sel(vm m, vr a, vr b) { return X(mask_blend)(m, b, a); }
LANE_FN vm m_and(vm a, vm b) { return (vm)(a & b); }
LANE_FN vm m_or(vm a, vm b) { return (vm)(a | b); }
LANE_FN vm m_andnot(vm a, vm b) { return (vm)(a & ~b); }
LANE_FN vm m_not(vm a) { return (vm)~a; }
LANE_FN unsigned m_bits(vm m) { return m & ((1u << (LANES - 1) << 1) - 1u); }
#define HAS_V_PACK
/* in a register: packing to memory is slow on some CPUs */
LANE_FN void v_pack(real *p, unsigned bits, vr a) { v_store(p, X(maskz_compress)((vm)bits, a)); }
#else
typedef vr vm;
#if defined(GJB_LANES_SSE)
LANE_FN vm v_gt(vr a, vr b) { return X(cmpgt)(a, b); }
LANE_FN vm v_ge(vr a, vr b) { return X(cmpge)(a, b); }
LANE_FN vm v_eq(vr a, vr b) { return X(cmpeq)(a, b); }
#else
LANE_FN vm v_gt(vr a, vr b) { return X(cmp)(a, b, _CMP_GT_OQ); }
LANE_FN vm v_ge(vr a, vr b) { return X(cmp)(a, b, _CMP_GE_OQ); }
LANE_FN vm v_eq(vr a, vr b) { return X(cmp)(a, b, _CMP_EQ_OQ); }
#endif
#if defined(GJB_LANES_AVX) && !defined(__AVX2__)
/* gcc turns blendv into a sign test of integers, which AVX lacks at this width:
 * it would go lane by lane. */
LANE_FN vr v_sel(vm m, vr a, vr b) { return X(or)(X(and)(m, a), X(andnot)(m, b)); }
#else
LANE_FN vr v_sel(vm m, vr a, vr b) { return X(blendv)(b, a, m); }
#endif
LANE_FN vm m_and(vm a, vm b) { return X(and)(a, b); }
LANE_FN vm m_or(vm a, vm b) { return X(or)(a, b); }
LANE_FN vm m_andnot(vm a, vm b) { return X(andnot)(b, a); }
LANE_FN vm m_not(vm a) { return X(xor)(a, v_eq(v_set(0), v_set(0))); }
LANE_FN unsigned m_bits(vm m) { return (unsigned)X(movemask)(m); }
#endif

#if defined(__AVX2__) && !defined(GJB_LANES_SSE)
#define HAS_V_PICK
#if LANES == 16
LANE_FN vr v_bytes(const uint8_t *p)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
/* Small tables in registers. */
LANE_FN vr v_pick(const real *table, unsigned count, vr index)
{
    const __m512i at = _mm512_cvttps_epi32(index);
    if (count <= 16)
        return _mm512_permutexvar_ps(at, v_load(table));
    if (count <= 32)
        return _mm512_permutex2var_ps(v_load(table), at, v_load(table + 16));
    if (count > 64)
        return _mm512_i32gather_ps(at, table, 4);
    const __m512 low = _mm512_permutex2var_ps(v_load(table), at, v_load(table + 16));
    const __m512 high = _mm512_permutex2var_ps(v_load(table + 32), at, v_load(table + 48));
    return _mm512_mask_mov_ps(low, _mm512_cmpgt_epi32_mask(at, _mm512_set1_epi32(31)), high);
}
#elif GJB_BITS == 32
LANE_FN vr v_bytes(const uint8_t *p)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
LANE_FN vr v_pick(const real *table, unsigned count, vr index)
{
    (void)count;
    return _mm256_i32gather_ps(table, _mm256_cvttps_epi32(index), 4);
}
#elif LANES == 8
LANE_FN vr v_bytes(const uint8_t *p)
{
    return _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
LANE_FN vr v_pick(const real *table, unsigned count, vr index)
{
    if (count > 32)
        return _mm512_i32gather_pd(_mm512_cvttpd_epi32(index), table, 8);
    const __m512i at = _mm512_cvttpd_epi64(index);
    const __m512d low = _mm512_permutex2var_pd(v_load(table), at, v_load(table + 8));
    if (count <= 16)
        return low;
    const __m512d high = _mm512_permutex2var_pd(v_load(table + 16), at, v_load(table + 24));
    return _mm512_mask_mov_pd(low, _mm512_cmpgt_epi64_mask(at, _mm512_set1_epi64(15)), high);
}
#else
LANE_FN vr v_bytes(const uint8_t *p)
{
    int four;
    memcpy(&four, p, sizeof four);
    return _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(four)));
}
LANE_FN vr v_pick(const real *table, unsigned count, vr index)
{
    (void)count;
    return _mm256_i32gather_pd(table, _mm256_cvttpd_epi32(index), 8);
}
#endif
#endif

#if GJB_BITS == 32 && LANES < 16 && !defined(HAS_V_PACK)
#define HAS_V_PACK
/* Bytes of the floats whose bits are set side by side; the rest does not matter. */
#define FLOAT(i) 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3
#define FLOATS(a, b, c, d) {FLOAT(a), FLOAT(b), FLOAT(c), FLOAT(d)}
static const _Alignas(16) uint8_t pack_floats[16][16] __attribute__((unused)) = {
    FLOATS(0, 0, 0, 0), FLOATS(0, 0, 0, 0), FLOATS(1, 0, 0, 0), FLOATS(0, 1, 0, 0),
    FLOATS(2, 0, 0, 0), FLOATS(0, 2, 0, 0), FLOATS(1, 2, 0, 0), FLOATS(0, 1, 2, 0),
    FLOATS(3, 0, 0, 0), FLOATS(0, 3, 0, 0), FLOATS(1, 3, 0, 0), FLOATS(0, 1, 3, 0),
    FLOATS(2, 3, 0, 0), FLOATS(0, 2, 3, 0), FLOATS(1, 2, 3, 0), FLOATS(0, 1, 2, 3)};
#undef FLOATS
#undef FLOAT
LANE_FN void pack_four(real *p, unsigned bits, __m128 a)
{
    const __m128i order = _mm_load_si128((const __m128i *)(const void *)pack_floats[bits & 15]);
    _mm_storeu_ps(p, _mm_castsi128_ps(_mm_shuffle_epi8(_mm_castps_si128(a), order)));
}
#if LANES == 4
LANE_FN void v_pack(real *p, unsigned bits, vr a) { pack_four(p, bits, a); }
#else
LANE_FN void v_pack(real *p, unsigned bits, vr a)
{
    pack_four(p, bits, _mm256_castps256_ps128(a));
    pack_four(p + __builtin_popcount(bits & 15), bits >> 4, _mm256_extractf128_ps(a, 1));
}
#endif
#endif

/* Halves onto each other until one is left. */
#if GJB_BITS == 32
LANE_FN float largest_of_4(__m128 a)
{
    a = _mm_max_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_max_ss(a, _mm_shuffle_ps(a, a, 1)));
}
#if LANES == 4
LANE_FN real v_largest(vr a) { return largest_of_4(a); }
#else
LANE_FN float largest_of_8(__m256 a)
{
    return largest_of_4(_mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1)));
}
#if LANES == 8
LANE_FN real v_largest(vr a) { return largest_of_8(a); }
#else
LANE_FN real v_largest(vr a)
{
    return largest_of_8(_mm256_max_ps(_mm512_castps512_ps256(a), _mm512_extractf32x8_ps(a, 1)));
}
#endif
#endif
#else
LANE_FN double largest_of_2(__m128d a)
{
    return _mm_cvtsd_f64(_mm_max_sd(a, _mm_unpackhi_pd(a, a)));
}
#if LANES == 2
LANE_FN real v_largest(vr a) { return largest_of_2(a); }
#else
LANE_FN double largest_of_4(__m256d a)
{
    return largest_of_2(_mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1)));
}
#if LANES == 4
LANE_FN real v_largest(vr a) { return largest_of_4(a); }
#else
LANE_FN real v_largest(vr a)
{
    return largest_of_4(_mm256_max_pd(_mm512_castpd512_pd256(a), _mm512_extractf64x4_pd(a, 1)));
}
#endif
#endif
#endif

/* Transposing load. Pointers are spread over the 128-bit blocks so that the
 * transpose stays inside blocks and lanes still come out in order. */
#ifdef __AVX__
LANE_FN void load4t_8(const float *const *p, __m256 out[4])
{
    __m256 r[4];
    for (int j = 0; j < 4; j++)
        r[j] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p[j])), _mm_loadu_ps(p[j + 4]), 1);
    __m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpackhi_ps(r[0], r[1]);
    __m256 c = _mm256_unpacklo_ps(r[2], r[3]), d = _mm256_unpackhi_ps(r[2], r[3]);
    out[0] = _mm256_shuffle_ps(a, c, 0x44);
    out[1] = _mm256_shuffle_ps(a, c, 0xee);
    out[2] = _mm256_shuffle_ps(b, d, 0x44);
    out[3] = _mm256_shuffle_ps(b, d, 0xee);
}
#endif
#if GJB_BITS == 32
#if LANES == 4
LANE_FN void v_load4t(const real *const *p, vr out[4])
{
    __m128 r[4];
    for (int j = 0; j < 4; j++)
        r[j] = _mm_loadu_ps(p[j]);
    _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]);
    for (int j = 0; j < 4; j++)
        out[j] = r[j];
}
#elif LANES == 8
LANE_FN void v_load4t(const real *const *p, vr out[4])
{
    load4t_8(p, out);
}
#else
/* Two halves: an insert into 512 bits costs as much as four into 256. */
LANE_FN void v_load4t(const real *const *p, vr out[4])
{
    __m256 lo[4], hi[4];
    load4t_8(p, lo);
    load4t_8(p + 8, hi);
    for (int j = 0; j < 4; j++)
        out[j] = _mm512_insertf32x8(_mm512_castps256_ps512(lo[j]), hi[j], 1);
}
#endif
#else
LANE_FN void v_load4t(const real *const *p, vr out[4])
{
    for (int h = 0; h < 4; h += 2) {
        vr r[2];
        for (int j = 0; j < 2; j++) {
#if LANES == 2
            r[j] = _mm_loadu_pd(p[j] + h);
#elif LANES == 4
            r[j] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p[j] + h)),
                                        _mm_loadu_pd(p[j + 2] + h), 1);
#else
            __m512d t = _mm512_castpd128_pd512(_mm_loadu_pd(p[j] + h));
            t = _mm512_insertf64x2(t, _mm_loadu_pd(p[j + 2] + h), 1);
            t = _mm512_insertf64x2(t, _mm_loadu_pd(p[j + 4] + h), 2);
            r[j] = _mm512_insertf64x2(t, _mm_loadu_pd(p[j + 6] + h), 3);
#endif
        }
        out[h] = X(unpacklo)(r[0], r[1]);
        out[h + 1] = X(unpackhi)(r[0], r[1]);
    }
}
#endif

#if GJB_BITS == 64 && LANES > 2
#define HAS_LOAD4T_FLOATS
LANE_FN void v_load4t_floats(const float *const *p, vr out[4])
{
#if LANES == 8
    __m256 narrow[4];
    load4t_8(p, narrow);
    for (int j = 0; j < 4; j++)
        out[j] = _mm512_cvtps_pd(narrow[j]);
#else
    __m128 r[4];
    for (int j = 0; j < 4; j++)
        r[j] = _mm_loadu_ps(p[j]);
    _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]);
    for (int j = 0; j < 4; j++)
        out[j] = _mm256_cvtps_pd(r[j]);
#endif
}
#endif

/* Transposing store: the same shuffles, then block by block. */
#if GJB_BITS == 32
LANE_FN void v_store4t(const vr in[4], real *const *p)
{
    vr a = X(unpacklo)(in[0], in[1]), b = X(unpackhi)(in[0], in[1]);
    vr c = X(unpacklo)(in[2], in[3]), d = X(unpackhi)(in[2], in[3]);
    const vr r[4] = {X(shuffle)(a, c, 0x44), X(shuffle)(a, c, 0xee), X(shuffle)(b, d, 0x44), X(shuffle)(b, d, 0xee)};
    for (int j = 0; j < 4; j++) {
#if LANES == 4
        _mm_storeu_ps(p[j], r[j]);
#elif LANES == 8
        _mm_storeu_ps(p[j], _mm256_castps256_ps128(r[j]));
        _mm_storeu_ps(p[j + 4], _mm256_extractf128_ps(r[j], 1));
#else
        _mm_storeu_ps(p[j], _mm512_castps512_ps128(r[j]));
        _mm_storeu_ps(p[j + 4], _mm512_extractf32x4_ps(r[j], 1));
        _mm_storeu_ps(p[j + 8], _mm512_extractf32x4_ps(r[j], 2));
        _mm_storeu_ps(p[j + 12], _mm512_extractf32x4_ps(r[j], 3));
#endif
    }
}
#else
LANE_FN void v_store4t(const vr in[4], real *const *p)
{
    for (int h = 0; h < 4; h += 2) {
        const vr r[2] = {X(unpacklo)(in[h], in[h + 1]), X(unpackhi)(in[h], in[h + 1])};
        for (int j = 0; j < 2; j++) {
#if LANES == 2
            _mm_storeu_pd(p[j] + h, r[j]);
#elif LANES == 4
            _mm_storeu_pd(p[j] + h, _mm256_castpd256_pd128(r[j]));
            _mm_storeu_pd(p[j + 2] + h, _mm256_extractf128_pd(r[j], 1));
#else
            _mm_storeu_pd(p[j] + h, _mm512_castpd512_pd128(r[j]));
            _mm_storeu_pd(p[j + 2] + h, _mm512_extractf64x2_pd(r[j], 1));
            _mm_storeu_pd(p[j + 4] + h, _mm512_extractf64x2_pd(r[j], 2));
            _mm_storeu_pd(p[j + 6] + h, _mm512_extractf64x2_pd(r[j], 3));
#endif
        }
    }
}
#endif
