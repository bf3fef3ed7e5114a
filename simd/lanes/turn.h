/* Sine and cosine in lanes, for shapes that turn: the same bits on every machine.
 *
 * Only operations of lanes.h, all correctly rounded. The angle less a multiple k of pi/2
 * in three parts, the first two so short that k times them is exact (Cody, Waite 1980),
 * then polynomials that are minimax for absolute error, fitted to that interval by
 * exchange (Remez 1934). Rounding to an integer adds 1.5 * 2^(digits - 1), whose last
 * digit is the ones.
 */
#ifndef GJB_SIMD_TURN_H
#define GJB_SIMD_TURN_H

#include "simd/lanes/lanes.h"

#if GJB_BITS == 32
#define TURN_INTEGERS 0x1.8p23f
#define TURN_QUARTERS 0x1.45f306p-1f /* 2 / pi */
static const real turn_parts[3] = {0x1.9218p+0f, 0x1.ed5p-14f, 0x1.10b462p-30f}; /* of pi / 2 */
static const real turn_sine[] = {-0x1.555540p-3f, 0x1.1105b2p-7f, -0x1.98d9eep-13f};
static const real turn_cosine[] = {0x1.55554ap-5f, -0x1.6c0c8ap-10f, 0x1.9a01f6p-16f};
#else
#define TURN_INTEGERS 0x1.8p52
#define TURN_QUARTERS 0x1.45f306dc9c883p-1
static const real turn_parts[3] = {0x1.921fb544428p+0, 0x1.4611a62633p-42, 0x1.45c06e0e68948p-86};
static const real turn_sine[] = {-0x1.555555555553dp-3,  0x1.111111110eb12p-7,  -0x1.a01a019ab3434p-13,
                                 0x1.71de34743da6dp-19, -0x1.ae5db39b3f9bep-26, 0x1.5d648ae66ea33p-33};
static const real turn_cosine[] = {0x1.555555555554cp-5,   -0x1.6c16c16c1517cp-10, 0x1.a01a019cb18b6p-16,
                                   -0x1.27e4f809cae3dp-22, 0x1.1ee9ebce9cf16p-29,  -0x1.8fae8e40894dbp-37};
#endif
enum { TURN_TERMS = sizeof turn_sine / sizeof *turn_sine };

/* The nearest integer, of magnitudes below 2^21: to even on ties. */
LANE_FN vr v_nearest(vr x)
{
    const vr integers = v_set(TURN_INTEGERS);
    return v_sub(v_add(x, integers), integers);
}

/* c[0] + c[1] z + ... */
LANE_FN vr v_polynomial(const real *c, int terms, vr z)
{
    vr sum = v_set(c[terms - 1]);
    for (int i = terms - 1; i-- > 0;)
        sum = v_add(v_mul(sum, z), v_set(c[i]));
    return sum;
}

/* Cosine and sine of |x| <= 1100 radians, each within 2 REAL_EPSILON (absolute; 1.76 is the worst of all
 * floats); exactly 1 and 0 for 0. Beyond that finite but meaningless; NaN if x is not finite. */
LANE_FN void v_turn(vr x, vr *c, vr *s)
{
    const vr half = v_set((real)0.5), one = v_set(1);
    vr k = v_nearest(v_mul(x, v_set(TURN_QUARTERS)));
    vr r = v_sub(v_sub(x, v_mul(k, v_set(turn_parts[0]))), v_mul(k, v_set(turn_parts[1])));
    r = v_sub(r, v_mul(k, v_set(turn_parts[2])));
    vr z = v_mul(r, r);
    vr sine = v_add(r, v_mul(v_mul(r, z), v_polynomial(turn_sine, TURN_TERMS, z)));
    vr cosine = v_add(v_sub(one, v_mul(z, half)), v_mul(v_mul(z, z), v_polynomial(turn_cosine, TURN_TERMS, z)));
    /* quarter turns, as -2 .. 2 */
    vr quarter = v_sub(k, v_mul(v_nearest(v_mul(k, v_set((real)0.25))), v_set(4)));
    vm odd = v_eq(v_abs(quarter), one);
    vm down = m_or(v_gt(quarter, half), v_lt(quarter, v_set((real)-1.5)));   /* the cosine's sign turns at 1 and 2, */
    vm across = m_or(v_lt(quarter, v_neg(half)), v_gt(quarter, v_set((real)1.5))); /* the sine's at 2 and 3 */
    vr first = v_sel(odd, sine, cosine), second = v_sel(odd, cosine, sine);
    *c = v_sel(down, v_neg(first), first);
    *s = v_sel(across, v_neg(second), second);
}

#endif
