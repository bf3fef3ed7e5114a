/* NEON on aarch64: 4 floats or 2 doubles. */
#include <arm_neon.h>

#define LANES (128 / GJB_BITS)
#if GJB_BITS == 32
typedef float32x4_t vr;
typedef uint32x4_t vm;
#define N(op) v##op##q_f32
#define NU(op) v##op##q_u32
#define N_BITS vreinterpretq_u32_f32
#define N_REAL vreinterpretq_f32_u32
#define N_EXPONENT vdupq_n_u32(0x7f800000u)
#else
typedef float64x2_t vr;
typedef uint64x2_t vm;
#define N(op) v##op##q_f64
#define NU(op) v##op##q_u64
#define N_BITS vreinterpretq_u64_f64
#define N_REAL vreinterpretq_f64_u64
#define N_EXPONENT vdupq_n_u64(0x7ff0000000000000u)
#endif

LANE_FN vr v_load(const real *p) { return N(ld1)(p); }
LANE_FN void v_store(real *p, vr a) { N(st1)(p, a); }
LANE_FN real v_largest(vr a) { return N(maxv)(a); }
LANE_FN vr v_add(vr a, vr b) { return N(add)(a, b); }
LANE_FN vr v_sub(vr a, vr b) { return N(sub)(a, b); }
LANE_FN vr v_mul(vr a, vr b) { return N(mul)(a, b); }
LANE_FN vr v_div(vr a, vr b) { return N(div)(a, b); }
LANE_FN vr v_sqrt(vr a) { return N(sqrt)(a); }
LANE_FN vr v_neg(vr a) { return N(neg)(a); }
LANE_FN vr v_abs(vr a) { return N(abs)(a); }
LANE_FN vr v_pow2_floor(vr a) { return N_REAL(NU(and)(N_BITS(a), N_EXPONENT)); }
LANE_FN vm v_gt(vr a, vr b) { return N(cgt)(a, b); }
LANE_FN vm v_ge(vr a, vr b) { return N(cge)(a, b); }
LANE_FN vm v_eq(vr a, vr b) { return N(ceq)(a, b); }
LANE_FN vr v_sel(vm m, vr a, vr b) { return N(bsl)(m, a, b); }
LANE_FN vr v_min(vr a, vr b) { return v_sel(v_gt(b, a), a, b); }
LANE_FN vr v_max(vr a, vr b) { return v_sel(v_gt(a, b), a, b); }
LANE_FN vm m_and(vm a, vm b) { return NU(and)(a, b); }
LANE_FN vm m_or(vm a, vm b) { return NU(orr)(a, b); }
LANE_FN vm m_andnot(vm a, vm b) { return NU(bic)(a, b); }
LANE_FN vm m_not(vm a) { return ~a; }

#if GJB_BITS == 32
LANE_FN vr v_set(real x) { return vdupq_n_f32(x); }
LANE_FN unsigned m_bits(vm m)
{
    const uint32_t weight[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, vld1q_u32(weight)));
}
LANE_FN void transpose4(vr r0, vr r1, vr r2, vr r3, vr out[4])
{
    vr a = vtrn1q_f32(r0, r1), b = vtrn2q_f32(r0, r1), c = vtrn1q_f32(r2, r3), d = vtrn2q_f32(r2, r3);
    out[0] = vreinterpretq_f32_f64(vtrn1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(c)));
    out[1] = vreinterpretq_f32_f64(vtrn1q_f64(vreinterpretq_f64_f32(b), vreinterpretq_f64_f32(d)));
    out[2] = vreinterpretq_f32_f64(vtrn2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(c)));
    out[3] = vreinterpretq_f32_f64(vtrn2q_f64(vreinterpretq_f64_f32(b), vreinterpretq_f64_f32(d)));
}
LANE_FN void v_load4t(const real *const *p, vr out[4])
{
    transpose4(vld1q_f32(p[0]), vld1q_f32(p[1]), vld1q_f32(p[2]), vld1q_f32(p[3]), out);
}
LANE_FN void v_store4t(const vr in[4], real *const *p)
{
    vr r[4];
    transpose4(in[0], in[1], in[2], in[3], r);
    for (int i = 0; i < 4; i++)
        vst1q_f32(p[i], r[i]);
}
#else
LANE_FN vr v_set(real x) { return vdupq_n_f64(x); }
LANE_FN unsigned m_bits(vm m)
{
    return (unsigned)((vgetq_lane_u64(m, 0) & 1u) | (vgetq_lane_u64(m, 1) & 2u));
}
LANE_FN void v_load4t(const real *const *p, vr out[4])
{
    for (int h = 0; h < 4; h += 2) {
        vr r0 = vld1q_f64(p[0] + h), r1 = vld1q_f64(p[1] + h);
        out[h] = vtrn1q_f64(r0, r1);
        out[h + 1] = vtrn2q_f64(r0, r1);
    }
}
LANE_FN void v_store4t(const vr in[4], real *const *p)
{
    for (int h = 0; h < 4; h += 2) {
        vst1q_f64(p[0] + h, vtrn1q_f64(in[h], in[h + 1]));
        vst1q_f64(p[1] + h, vtrn2q_f64(in[h], in[h + 1]));
    }
}
#endif
