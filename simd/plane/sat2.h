/* Separating axes in lanes: the gap of two cores along every edge normal of
 * both. The largest gap, if it is negative, is minus the penetration depth
 * of the cores, exactly the minimum translation: the facets of the Minkowski
 * difference have no other normals (Gottschalk 1996, for boxes; in 2D the
 * statement for all convex polygons is elementary).
 */
#ifndef GJB_SIMD_SAT2_H
#define GJB_SIMD_SAT2_H

#include "simd/plane/calipers2.h"

#ifdef GJB_LANES_SINGLE
#include "simd/plane/sat_single2.h"
#else
/* Tries the normals of one shape: vertices (ox, oy) are its own, (x, y) the
 * other's; `c`, `s` rotate its axes into the frame; `of_b` when it is B. */
LANE_FN void try_axes(const real *const *rec, const uint16_t *quads, size_t axes, int N, int uniform,
                      const vr *ox, const vr *oy, const vr *x, const vr *y, int of_b, vr c, vr s, axis2 *best)
{
    for (int q = 0; q < N / 4; q++) {
        vr mx[4], my[4];
        load_quad(rec, quads, N, uniform, axes, (uint32_t)q, mx, my);
        for (int j = 0; j < 4; j++) {
            vr nx = mx[j], ny = my[j];
            if (of_b) {
                nx = v_sub(v_mul(c, mx[j]), v_mul(s, my[j]));
                ny = v_add(v_mul(s, mx[j]), v_mul(c, my[j]));
            }
            vr low = v_dot(nx, ny, x[0], y[0]);
            for (int k = 1; k < N; k++)
                low = v_min(v_dot(nx, ny, x[k], y[k]), low);
            vr gap = v_sub(low, v_dot(nx, ny, ox[4 * q + j], oy[4 * q + j]));
            vm wider = v_gt(gap, best->gap);
            best->gap = v_sel(wider, gap, best->gap);
            best->nx = v_sel(wider, of_b ? v_neg(nx) : nx, best->nx);
            best->ny = v_sel(wider, of_b ? v_neg(ny) : ny, best->ny);
        }
    }
}

/* Largest gap. `hasty`: stops when every live lane is apart by more than matters;
 * the gap of such lanes then proves no more than that. */
LANE_FN axis2 largest_gap(const tile *t, int N, int uniform, unsigned live, int hasty)
{
    if (N == 0)
        return gap_in_place(t);
    axis2 best = {.gap = v_set(-REAL_MAX), .nx = v_set(1), .ny = v_set(0)};
    try_axes(t->rec_a, t->quads_a, t->axes, N, uniform, t->ax, t->ay, t->bx, t->by, 0, t->c, t->s, &best);
    vm apart = v_gt(best.gap, t->bar);
    if (hasty && (m_bits(apart) & live) == live)
        return best;
    try_axes(t->rec_b, t->quads_b, t->axes, N, uniform, t->bx, t->by, t->ax, t->ay, 1, t->c, t->s, &best);
    return best;
}

/* Height of the extreme feature along (nx, ny), and the stretch of it along the
 * tangent (-ny, nx). */
LANE_FN void extreme_feature(const vr *x, const vr *y, int N, vr nx, vr ny, vr tx, vr ty, vr *height, vr *lo, vr *hi)
{
    vr up[MAX_LANE_VERTICES];
    vr top = up[0] = v_dot(nx, ny, x[0], y[0]);
    for (int k = 1; k < N; k++) {
        up[k] = v_dot(nx, ny, x[k], y[k]);
        top = v_max(up[k], top);
    }
    vr floor = v_sub(top, v_set(FEATURE_DOUBT)), most = v_set(REAL_MAX);
    *lo = most;
    *hi = v_neg(most);
    for (int k = 0; k < N; k++) {
        vm in = v_ge(up[k], floor);
        vr along = v_dot(tx, ty, x[k], y[k]);
        *lo = v_min(v_sel(in, along, most), *lo);
        *hi = v_max(v_sel(in, along, v_neg(most)), *hi);
    }
    *height = top;
}
#endif

/* Witness points of an overlap along an axis, on the cores: the middle of what
 * the two extreme features share. Between edges that rounding cannot distinguish,
 * the axis may be that of a neighbour of the right edge, and the features share
 * nothing: such lanes are returned, for the fallback path. */
LANE_FN vm overlap_witness(const tile *t, int N, const axis2 *best, vr *ax, vr *ay, vr *bx, vr *by)
{
    vr nx = best->nx, ny = best->ny, tx = v_neg(ny), ty = nx;
    vr top, bottom, from[2], to[2];
    vm lost = v_gt(nx, nx);
    if (N > 0) {
        extreme_feature(t->ax, t->ay, N, nx, ny, tx, ty, &top, &from[0], &to[0]);
        extreme_feature(t->bx, t->by, N, v_neg(nx), v_neg(ny), tx, ty, &bottom, &from[1], &to[1]);
    } else {
        lost = features_in_place(t, best, &top, &bottom, from, to);
    }
    vr lo = v_max(from[0], from[1]), hi = v_min(to[0], to[1]);
    vr along = v_mul(v_set((real)0.5), v_add(lo, hi));
    bottom = v_neg(bottom);
    *ax = v_add(v_mul(nx, top), v_mul(tx, along));
    *ay = v_add(v_mul(ny, top), v_mul(ty, along));
    *bx = v_add(v_mul(nx, bottom), v_mul(tx, along));
    *by = v_add(v_mul(ny, bottom), v_mul(ty, along));
    return m_or(lost, m_not(v_le(v_sub(lo, hi), v_set(FEATURE_DOUBT)))); /* true on NaN */
}

#endif
