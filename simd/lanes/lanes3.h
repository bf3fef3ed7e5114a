/* 3D vectors and rotations in lanes, one in each. */
#ifndef GJB_SIMD_LANES3_H
#define GJB_SIMD_LANES3_H

#include "simd/lanes/lanes.h"

typedef struct v3 {
    vr x, y, z;
} v3;

LANE_FN v3 v3_set(real x, real y, real z) { return (v3){v_set(x), v_set(y), v_set(z)}; }
LANE_FN v3 v3_load(const real *x, const real *y, const real *z) { return (v3){v_load(x), v_load(y), v_load(z)}; }
LANE_FN void v3_store(v3 p, real *x, real *y, real *z)
{
    v_store(x, p.x);
    v_store(y, p.y);
    v_store(z, p.z);
}
LANE_FN v3 v3_add(v3 p, v3 q) { return (v3){v_add(p.x, q.x), v_add(p.y, q.y), v_add(p.z, q.z)}; }
LANE_FN v3 v3_sub(v3 p, v3 q) { return (v3){v_sub(p.x, q.x), v_sub(p.y, q.y), v_sub(p.z, q.z)}; }
LANE_FN v3 v3_mul(v3 p, vr s) { return (v3){v_mul(p.x, s), v_mul(p.y, s), v_mul(p.z, s)}; }
LANE_FN v3 v3_neg(v3 p) { return (v3){v_neg(p.x), v_neg(p.y), v_neg(p.z)}; }
LANE_FN v3 v3_abs(v3 p) { return (v3){v_abs(p.x), v_abs(p.y), v_abs(p.z)}; }
LANE_FN v3 v3_sel(vm m, v3 p, v3 q) { return (v3){v_sel(m, p.x, q.x), v_sel(m, p.y, q.y), v_sel(m, p.z, q.z)}; }
LANE_FN vr v3_dot(v3 p, v3 q) { return v_add(v_add(v_mul(p.x, q.x), v_mul(p.y, q.y)), v_mul(p.z, q.z)); }
LANE_FN v3 v3_cross(v3 p, v3 q)
{
    return (v3){v_sub(v_mul(p.y, q.z), v_mul(p.z, q.y)), v_sub(v_mul(p.z, q.x), v_mul(p.x, q.z)),
                v_sub(v_mul(p.x, q.y), v_mul(p.y, q.x))};
}

/* Rows of a rotation. */
typedef struct m3 {
    v3 row[3];
} m3;

LANE_FN m3 m3_rotation(vr x, vr y, vr z, vr w)
{
    const vr xx = v_mul(x, x), yy = v_mul(y, y), zz = v_mul(z, z), ww = v_mul(w, w);
    const vr by = v_div(v_set(1), v_add(v_add(ww, xx), v_add(yy, zz))), by2 = v_add(by, by);
    const vr xy = v_mul(x, y), xz = v_mul(x, z), yz = v_mul(y, z);
    const vr wx = v_mul(w, x), wy = v_mul(w, y), wz = v_mul(w, z);
    return (m3){{{v_mul(v_sub(v_add(ww, xx), v_add(yy, zz)), by), v_mul(v_sub(xy, wz), by2), v_mul(v_add(xz, wy), by2)},
                 {v_mul(v_add(xy, wz), by2), v_mul(v_sub(v_add(ww, yy), v_add(xx, zz)), by), v_mul(v_sub(yz, wx), by2)},
                 {v_mul(v_sub(xz, wy), by2), v_mul(v_add(yz, wx), by2), v_mul(v_sub(v_add(ww, zz), v_add(xx, yy)), by)}}};
}
LANE_FN v3 m3_turn(const m3 *m, v3 v)
{
    return (v3){v3_dot(m->row[0], v), v3_dot(m->row[1], v), v3_dot(m->row[2], v)};
}
LANE_FN v3 m3_turn_back(const m3 *m, v3 v)
{
    return v3_add(v3_add(v3_mul(m->row[0], v.x), v3_mul(m->row[1], v.y)), v3_mul(m->row[2], v.z));
}

#endif
