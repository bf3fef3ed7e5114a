/* The vertices of one shape across a register, for a single pair: eight floats or four doubles of AVX2 at a time. What
 * is chosen is what a tournament in lanes chooses: the vertex farthest along a direction, the lowest index on ties. */
#ifndef GJB_SIMD_ACROSS_H
#define GJB_SIMD_ACROSS_H

#include <immintrin.h>

#include "simd/lanes/lanes.h"

#if GJB_BITS == 32
enum { ACROSS = 8 };
typedef __m256 across;
#define ACROSS_OP(op) _mm256_##op##_ps
#else
enum { ACROSS = 4 };
typedef __m256d across;
#define ACROSS_OP(op) _mm256_##op##_pd
#endif

LANE_FN across across_load(const real *from)
{
    return ACROSS_OP(loadu)(from);
}

/* The largest, in every place. */
LANE_FN across across_most(across d)
{
#if GJB_BITS == 32
    d = ACROSS_OP(max)(d, _mm256_permute2f128_ps(d, d, 1));
    d = ACROSS_OP(max)(d, _mm256_permute_ps(d, 0x4e));
    return ACROSS_OP(max)(d, _mm256_permute_ps(d, 0xb1));
#else
    d = ACROSS_OP(max)(d, _mm256_permute2f128_pd(d, d, 1));
    return ACROSS_OP(max)(d, _mm256_permute_pd(d, 5));
#endif
}

/* The index of the largest of d[0 .. blocks) in all, the lowest on ties. */
LANE_FN unsigned across_first(const across *d, int blocks)
{
    across most = d[0];
    for (int b = 1; b < blocks; b++)
        most = ACROSS_OP(max)(most, d[b]);
    most = across_most(most);
    unsigned bits = 0;
    for (int b = 0; b < blocks; b++)
        bits |= (unsigned)ACROSS_OP(movemask)(ACROSS_OP(cmp)(d[b], most, _CMP_EQ_OQ)) << (b * ACROSS);
    return (unsigned)__builtin_ctz(bits);
}

LANE_FN across across_dot(across dx, across dy, const real *x, const real *y)
{
    return ACROSS_OP(add)(ACROSS_OP(mul)(dx, across_load(x)), ACROSS_OP(mul)(dy, across_load(y)));
}

/* Of n vertices, 4 or a multiple of 8, which lie side by side. */
LANE_FN unsigned across_farthest2(const real *x, const real *y, int n, real dx, real dy)
{
    across d[32 / ACROSS];
    const across ax = ACROSS_OP(set1)(dx), ay = ACROSS_OP(set1)(dy);
#if GJB_BITS == 32
    if (n == 4) { /* the second half repeats the first */
        const __m128 half = _mm_add_ps(_mm_mul_ps(_mm_set1_ps(dx), _mm_loadu_ps(x)),
                                       _mm_mul_ps(_mm_set1_ps(dy), _mm_loadu_ps(y)));
        d[0] = _mm256_insertf128_ps(_mm256_castps128_ps256(half), half, 1);
        return across_first(d, 1);
    }
#endif
    for (int i = 0; i < n; i += ACROSS)
        d[i / ACROSS] = across_dot(ax, ay, x + i, y + i);
    return across_first(d, n / ACROSS);
}

LANE_FN unsigned across_farthest3(const real *x, const real *y, const real *z, int n, real dx, real dy, real dz)
{
    across d[32 / ACROSS];
    const across ax = ACROSS_OP(set1)(dx), ay = ACROSS_OP(set1)(dy), az = ACROSS_OP(set1)(dz);
#if GJB_BITS == 32
    if (n == 4) {
        const __m128 plane = _mm_add_ps(_mm_mul_ps(_mm_set1_ps(dx), _mm_loadu_ps(x)),
                                        _mm_mul_ps(_mm_set1_ps(dy), _mm_loadu_ps(y)));
        const __m128 half = _mm_add_ps(plane, _mm_mul_ps(_mm_set1_ps(dz), _mm_loadu_ps(z)));
        d[0] = _mm256_insertf128_ps(_mm256_castps128_ps256(half), half, 1);
        return across_first(d, 1);
    }
#endif
    for (int i = 0; i < n; i += ACROSS)
        d[i / ACROSS] = ACROSS_OP(add)(across_dot(ax, ay, x + i, y + i), ACROSS_OP(mul)(az, across_load(z + i)));
    return across_first(d, n / ACROSS);
}

#endif
