/* The lane abstraction: all that kernels use of a machine.
 *
 * Compiled once per backend and precision with GJB_BITS (32 or 64) and one of
 * GJB_LANES_SCALAR, GJB_LANES_SSE, GJB_LANES_AVX, GJB_LANES_AVX512VL,
 * GJB_LANES_AVX512, GJB_LANES_NEON defined. A header gives
 *   real        the scalar,
 *   vr          LANES reals,
 *   vm          one boolean a lane; its own type, since AVX-512 predicates are
 *               not vectors,
 * and the operations below. Every operation is correctly rounded, so that all
 * backends produce the same bits. There is no fused multiply-add, which rounds
 * once, and which not every machine has.
 *
 *   v_set v_load v_store            broadcast; unaligned memory
 *   v_add v_sub v_mul v_div v_sqrt  correctly rounded
 *   v_neg v_abs v_pow2_floor        bit operations on sign and exponent;
 *                                   v_pow2_floor(x) is 2^floor(log2 x), x normal and > 0
 *   v_gt v_ge v_eq                  false on NaN
 *   v_sel(m, a, b)                  m ? a : b
 *   v_min v_max                     a < b ? a : b and a > b ? a : b, which is what x86's
 *                                   instructions do on +-0 and NaN, and NEON's do not
 *   v_largest                       the largest of the lanes; none is NaN
 *   m_and m_or m_andnot(a, b) m_not a & b, a | b, a & ~b, ~a
 *   m_bits                          bit i is lane i
 *   v_load4t(p, out)                four consecutive reals at each of LANES
 *                                   pointers, transposed: out[j] lane i = p[i][j]
 *   v_load4t_floats(p, out)         the same of floats, for lanes of double
 *   v_store4t(in, p)                the inverse: p[i][j] = in[j] lane i
 *   v_pack(p, bits, a)              lanes of `bits` side by side; up to LANES reals are written
 *   v_pick(table, count, index)     lane i is table[index lane i]; all are below count; the table has room for the next
 *                                   power of two
 *   v_bytes(p)                      LANES bytes as numbers
 */
#ifndef GJB_SIMD_LANES_H
#define GJB_SIMD_LANES_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if GJB_BITS == 32
typedef float real;
#define REAL_EPSILON 0x1p-24f /* unit roundoff */
#define REAL_MAX FLT_MAX
#define REAL_LEAST FLT_TRUE_MIN
#define REAL_MIN FLT_MIN
#elif GJB_BITS == 64
typedef double real;
#define REAL_EPSILON 0x1p-53
#define REAL_MAX DBL_MAX
#define REAL_LEAST DBL_TRUE_MIN
#define REAL_MIN DBL_MIN
#else
#error "GJB_BITS must be 32 or 64"
#endif

#define LANE_FN static inline __attribute__((always_inline, unused))

/* For code that runs seldom: compiled once and called, which shortens compilation. */
#define LANE_CALL static __attribute__((noinline, unused))

/* Hides a pointer's origin from the compiler, which then addresses relative to it,
 * instead of keeping every sum of its parts in a register. */
#define OPAQUE(pointer) __asm__("" : "+r"(pointer))

/* Whose functions for single pairs and for doubtful ones are called. */
#ifndef GJB_HELPERS
#define GJB_HELPERS GJB_BACKEND
#endif

/* Names of what an object exports: one for each backend and precision. */
#define KERNEL__(name, backend, bits) name##_##backend##_##bits
#define KERNEL_(name, backend, bits) KERNEL__(name, backend, bits)
#define KERNEL(name) KERNEL_(name, GJB_BACKEND, GJB_BITS)
#define HELPER(name) KERNEL_(name, GJB_HELPERS, GJB_BITS)

#if defined(GJB_LANES_SCALAR)
#include "simd/lanes/lanes_scalar.h"
#elif defined(GJB_LANES_NEON)
#include "simd/lanes/lanes_neon.h"
#else
#include "simd/lanes/lanes_x86.h"
#endif

/* For code that runs once per tile and is the same for all sizes: called if a tile has many pairs. With
 * one or two, the call and its memory traffic would take some hundredths of the time, so it is inlined; also
 * in a file that defines TILES_INLINE first. */
#if LANES > 2 && !defined TILES_INLINE
#define TILE_FN LANE_CALL
#else
#define TILE_FN LANE_FN
#endif

#define ALL_LANES ((1u << (LANES - 1) << 1) - 1u)

/* Number of lanes in `bits`. A single lane needs no count, for which some machines lack an instruction. */
LANE_FN int lane_count(unsigned bits)
{
    return LANES == 1 ? (int)bits : __builtin_popcount(bits);
}

/* Bits of lanes below n. */
LANE_FN unsigned lanes_below(unsigned n)
{
    return n >= LANES ? ALL_LANES : (1u << n) - 1u;
}

#ifndef HAS_V_PACK
LANE_FN void v_pack(real *p, unsigned bits, vr a)
{
    real all[LANES];
    v_store(all, a);
    for (; bits; bits &= bits - 1)
        *p++ = all[__builtin_ctz(bits)];
}
#endif

#ifndef HAS_V_PICK
LANE_FN vr v_pick(const real *table, unsigned count, vr index)
{
    real all[LANES], out[LANES];
    (void)count;
    v_store(all, index);
    for (int l = 0; l < LANES; l++)
        out[l] = table[(int)all[l]];
    return v_load(out);
}

LANE_FN vr v_bytes(const uint8_t *p)
{
    real all[LANES];
    for (int l = 0; l < LANES; l++)
        all[l] = (real)p[l];
    return v_load(all);
}
#endif

#if GJB_BITS == 64 && !defined HAS_LOAD4T_FLOATS
LANE_FN void v_load4t_floats(const float *const *p, vr out[4])
{
    real wide[4][LANES];
    for (unsigned l = 0; l < LANES; l++)
        for (int j = 0; j < 4; j++)
            wide[j][l] = (real)p[l][j];
    for (int j = 0; j < 4; j++)
        out[j] = v_load(wide[j]);
}
#endif

/* Lane i holds i. */
LANE_FN vr v_ramp(void)
{
    static const real ramp[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return v_load(ramp);
}

/* Lanes below n. */
LANE_FN vm m_below(unsigned n)
{
    return v_gt(v_set((real)n), v_ramp());
}

/* The index of the value that is largest, the lowest on ties; none is NaN. */
LANE_FN uint32_t v_top_index(vr value, vr index)
{
    unsigned top = m_bits(v_eq(value, v_set(v_largest(value))));
    real at[LANES];
    v_store(at, index);
    uint32_t lowest = (uint32_t)at[__builtin_ctz(top)];
    for (top &= top - 1; top; top &= top - 1) {
        const uint32_t other = (uint32_t)at[__builtin_ctz(top)];
        lowest = other < lowest ? other : lowest;
    }
    return lowest;
}

/* Derived operations, the same source for every machine. */
LANE_FN vm v_lt(vr a, vr b) { return v_gt(b, a); }
LANE_FN vm v_le(vr a, vr b) { return v_ge(b, a); }
LANE_FN vr v_dot(vr ax, vr ay, vr bx, vr by) { return v_add(v_mul(ax, bx), v_mul(ay, by)); }
LANE_FN vr v_cross(vr ax, vr ay, vr bx, vr by) { return v_sub(v_mul(ax, by), v_mul(ay, bx)); }

#endif
