/* One lane in plain C: the fallback, and the build to debug. */
#define LANES 1
typedef real vr;
typedef unsigned vm;

LANE_FN vr v_set(real x) { return x; }
LANE_FN vr v_load(const real *p) { return *p; }
LANE_FN void v_store(real *p, vr a) { *p = a; }
LANE_FN real v_largest(vr a) { return a; }
LANE_FN vr v_add(vr a, vr b) { return a + b; }
LANE_FN vr v_sub(vr a, vr b) { return a - b; }
LANE_FN vr v_mul(vr a, vr b) { return a * b; }
LANE_FN vr v_div(vr a, vr b) { return a / b; }
LANE_FN vr v_neg(vr a) { return -a; }
#if GJB_BITS == 32
LANE_FN vr v_sqrt(vr a) { return sqrtf(a); }
LANE_FN vr v_abs(vr a) { return fabsf(a); }
LANE_FN vr v_pow2_floor(vr a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= 0x7f800000u;
    memcpy(&a, &bits, sizeof bits);
    return a;
}
#else
LANE_FN vr v_sqrt(vr a) { return sqrt(a); }
LANE_FN vr v_abs(vr a) { return fabs(a); }
LANE_FN vr v_pow2_floor(vr a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= 0x7ff0000000000000u;
    memcpy(&a, &bits, sizeof bits);
    return a;
}
#endif
LANE_FN vm v_gt(vr a, vr b) { return a > b; }
LANE_FN vm v_ge(vr a, vr b) { return a >= b; }
LANE_FN vm v_eq(vr a, vr b) { return a == b; }
LANE_FN vr v_sel(vm m, vr a, vr b) { return m ? a : b; }
LANE_FN vr v_min(vr a, vr b) { return v_sel(v_gt(b, a), a, b); }
LANE_FN vr v_max(vr a, vr b) { return v_sel(v_gt(a, b), a, b); }
LANE_FN vm m_and(vm a, vm b) { return a & b; }
LANE_FN vm m_or(vm a, vm b) { return a | b; }
LANE_FN vm m_andnot(vm a, vm b) { return a & (b ^ 1u); }
LANE_FN vm m_not(vm a) { return a ^ 1u; }
LANE_FN unsigned m_bits(vm m) { return m; }
LANE_FN void v_load4t(const real *const *p, vr out[4])
{
    for (int j = 0; j < 4; j++)
        out[j] = p[0][j];
}
LANE_FN void v_store4t(const vr in[4], real *const *p)
{
    for (int j = 0; j < 4; j++)
        p[0][j] = in[j];
}
