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
    return (unsigned)__builtin_ctz(bits | 1u << (blocks * ACROSS - 1)); /* of NaN the last */
}

LANE_FN across across_set(real x)
{
    return ACROSS_OP(set1)(x);
}

LANE_FN across across_dot(across dx, across dy, const real *x, const real *y)
{
    return ACROSS_OP(add)(ACROSS_OP(mul)(dx, across_load(x)), ACROSS_OP(mul)(dy, across_load(y)));
}

/* One point along several axes. */
LANE_FN across across_along(across nx, across ny, real x, real y)
{
    return ACROSS_OP(add)(ACROSS_OP(mul)(nx, across_set(x)), ACROSS_OP(mul)(ny, across_set(y)));
}

/* Of n vertices, which lie side by side: 4 or a multiple of 8. If a register holds 8, four are there twice. */
LANE_FN unsigned across_farthest2(const real *x, const real *y, int n, real dx, real dy)
{
    across d[32 / ACROSS];
    const across ax = across_set(dx), ay = across_set(dy);
    const int blocks = n < ACROSS ? 1 : n / ACROSS;
    for (int b = 0; b < blocks; b++)
        d[b] = across_dot(ax, ay, x + b * ACROSS, y + b * ACROSS);
    return across_first(d, blocks);
}

LANE_FN unsigned across_farthest3(const real *x, const real *y, const real *z, int n, real dx, real dy, real dz)
{
    across d[32 / ACROSS];
    const across ax = across_set(dx), ay = across_set(dy), az = across_set(dz);
    const int blocks = n < ACROSS ? 1 : n / ACROSS;
    for (int b = 0; b < blocks; b++)
        d[b] = ACROSS_OP(add)(across_dot(ax, ay, x + b * ACROSS, y + b * ACROSS),
                              ACROSS_OP(mul)(az, across_load(z + b * ACROSS)));
    return across_first(d, blocks);
}

/* ---- three things at once ---- */

/* Three numbers of like kind, such as of the corners of a triangle; the fourth repeats the third. */
#if GJB_BITS == 32
typedef __m128 four;
#define FOUR_OP(op) _mm_##op##_ps
#define FOUR_ORDER(a, order) _mm_shuffle_ps(a, a, order)
#else
typedef __m256d four;
#define FOUR_OP(op) _mm256_##op##_pd
#define FOUR_ORDER(a, order) _mm256_permute4x64_pd(a, order)
#endif

LANE_FN four four_set(real x) { return FOUR_OP(set1)(x); }
LANE_FN four four_of(real a, real b, real c) { return FOUR_OP(setr)(a, b, c, c); }
LANE_FN four four_add(four a, four b) { return FOUR_OP(add)(a, b); }
LANE_FN four four_sub(four a, four b) { return FOUR_OP(sub)(a, b); }
LANE_FN four four_mul(four a, four b) { return FOUR_OP(mul)(a, b); }
LANE_FN four four_abs(four a) { return FOUR_OP(andnot)(four_set((real)-0.0), a); }
LANE_FN four four_neg(four a) { return FOUR_OP(xor)(four_set((real)-0.0), a); }
LANE_FN four four_and(four a, four b) { return FOUR_OP(and)(a, b); }
LANE_FN four four_or(four a, four b) { return FOUR_OP(or)(a, b); }
LANE_FN four four_gt(four a, four b) { return FOUR_OP(cmp)(a, b, _CMP_GT_OQ); }
LANE_FN four four_ge(four a, four b) { return FOUR_OP(cmp)(a, b, _CMP_GE_OQ); }
LANE_FN four four_eq(four a, four b) { return FOUR_OP(cmp)(a, b, _CMP_EQ_OQ); }
LANE_FN four four_sel(four m, four a, four b) { return FOUR_OP(blendv)(b, a, m); }
LANE_FN unsigned four_bits(four m) { return (unsigned)FOUR_OP(movemask)(m) & 7u; }
LANE_FN void four_store(real *to, four a) { FOUR_OP(storeu)(to, a); }

/* The second, third and first; the third, first and second. */
LANE_FN four four_next(four a) { return FOUR_ORDER(a, 0x09); }
LANE_FN four four_last(four a) { return FOUR_ORDER(a, 0x52); }
/* The first in every place. */
LANE_FN four four_first(four a) { return FOUR_ORDER(a, 0); }

LANE_FN real four_least(four a)
{
    return FOUR_OP(min)(FOUR_OP(min)(four_last(a), four_next(a)), a)[0];
}

LANE_FN real four_most(four a)
{
    return FOUR_OP(max)(FOUR_OP(max)(four_last(a), four_next(a)), a)[0];
}

/* Three vectors, with the operations of lanes3.h in the same order. */
typedef struct four3 {
    four x, y, z;
} four3;

LANE_FN four3 four3_sub(four3 p, four3 q)
{
    return (four3){four_sub(p.x, q.x), four_sub(p.y, q.y), four_sub(p.z, q.z)};
}
LANE_FN four3 four3_next(four3 p) { return (four3){four_next(p.x), four_next(p.y), four_next(p.z)}; }
LANE_FN four four3_dot(four3 p, four3 q)
{
    return four_add(four_add(four_mul(p.x, q.x), four_mul(p.y, q.y)), four_mul(p.z, q.z));
}
LANE_FN four3 four3_cross(four3 p, four3 q)
{
    return (four3){four_sub(four_mul(p.y, q.z), four_mul(p.z, q.y)), four_sub(four_mul(p.z, q.x), four_mul(p.x, q.z)),
                   four_sub(four_mul(p.x, q.y), four_mul(p.y, q.x))};
}

/* ---- packing ---- */

/* Coordinates i .. of n stored ones. */
LANE_FN across across_stored(const real *from, int i, int n)
{
#if GJB_BITS == 32
    if (n == 4)
        return _mm256_broadcast_ps((const __m128 *)(const void *)from);
#endif
    (void)n;
    return across_load(from + i);
}

LANE_FN void across_store(real *to, across a)
{
    ACROSS_OP(storeu)(to, a);
}

/* Repeats the last four of n up to N. */
LANE_FN void across_repeat(real *row, int n, int N)
{
    for (int i = n < 4 ? 4 : n; i < N; i += 4) /* never less: gcc warns of row[-4] */
        memcpy(row + i, row + i - 4, 4 * sizeof *row);
}

#endif
