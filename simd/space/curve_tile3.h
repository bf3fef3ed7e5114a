/* Tiles with curved shapes in some lanes: their support mapping, in addition to that of
 * vertices. */
#ifndef GJB_SIMD_CURVE_TILE3_H
#define GJB_SIMD_CURVE_TILE3_H

#include "simd/space/curve3.h"
#include "simd/space/tile3.h"

/* Value of N for bins with curves. */
#define ANY_CURVE (-1)
#define ANY_VERTICES 0

typedef struct tile_curves {
    curve3 a, b;                /* lengths in units of the frame */
    int vertices_a, vertices_b; /* of lanes that have them: 4, or a multiple of 8 */
    vm smooth;                  /* Newton's method pays: ellipsoids, with each other or vertices */
} tile_curves;

LANE_FN int lane_vertices(const curve3 *c, const unsigned curve[LANES], const uint16_t *quads)
{
    unsigned most = 1;
    for (unsigned l = 0; l < LANES && (c->present & 1u << CURVE_NONE); l++)
        most = !curve[l] && quads[l] > most ? quads[l] : most;
    return 4 * (int)most;
}

LANE_CALL void load_curves(curve3 *c, unsigned curve[LANES], const context *ctx, const uint32_t *body,
                         const real *const *rec, v3 size, vr scale)
{
    const real *p[LANES];
    vr numbers[4];
    for (unsigned l = 0; l < LANES; l++) {
        curve[l] = METHOD_CURVE(meta_of(ctx->library, ctx->batch, body[l])->method);
        p[l] = rec[l] + 4;
    }
    set_curves(c, curve);
    c->size = v3_mul(size, scale);
    if (!(c->present >> CURVE_SUPER & 1))
        return;
    v_load4t(p, numbers);
    c->slope = v_sel(c->is[CURVE_SUPER], numbers[1], v_set(1)); /* other lanes have vertices in its place */
    c->inverse = v_sel(c->is[CURVE_SUPER], numbers[2], v_set(1));
}

/* Follows pack_poses3, as pack_vertices3 does elsewhere. */
TILE_FN void pack_curves3(tile *t, tile_curves *c, const context *ctx)
{
    unsigned a[LANES], b[LANES];
    load_curves(&c->a, a, ctx, t->body_a, t->rec_a, t->half_a, t->scale);
    load_curves(&c->b, b, ctx, t->body_b, t->rec_b, t->half_b, t->scale);
    c->vertices_a = lane_vertices(&c->a, a, t->quads_a);
    c->vertices_b = lane_vertices(&c->b, b, t->quads_b);
    c->smooth = m_and(m_or(c->a.is[CURVE_ELLIPSE], c->a.is[CURVE_NONE]),
                      m_or(c->b.is[CURVE_ELLIPSE], c->b.is[CURVE_NONE]));
    if ((c->a.present | c->b.present) & 1u << CURVE_NONE)
        pack_lanes3_blocks(t, 0, c->vertices_a > c->vertices_b ? c->vertices_a : c->vertices_b);
    t->curves = c;
}

LANE_FN v3 curved_extreme_a(const tile *t, v3 d)
{
    const curve3 *c = &t->curves->a;
    const v3 at = extreme_of_curve(c, d);
    if (!(c->present & 1u << CURVE_NONE))
        return at;
    return v3_sel(c->is[CURVE_NONE], extreme_vertex3(&t->a, t->curves->vertices_a, d), at);
}

LANE_FN v3 curved_extreme_b(const tile *t, v3 d)
{
    const curve3 *c = &t->curves->b;
    const v3 at = v3_add(m3_turn(&t->turn, extreme_of_curve(c, m3_turn_back(&t->turn, d))), t->shift);
    if (!(c->present & 1u << CURVE_NONE))
        return at;
    return v3_sel(c->is[CURVE_NONE], extreme_vertex3(&t->b, t->curves->vertices_b, d), at);
}

LANE_FN vr clamp_share(vr x)
{
    return v_max(v_min(x, v_set(1)), v_set(0));
}

/* Slides a and b, at which D is least along v, along the straight lines of their surfaces to where they are
 * nearest to each other, if v separates D by `ahead` (of `dd` = v.v) and that costs at most half of the gap
 * between those bounds. Without sliding, the extreme point would jump from end to end of such lines, and the
 * axis turn by little each time. */
LANE_FN void slide_along_lines(const tile *t, v3 v, vr ahead, vr dd, v3 *a, v3 *b)
{
    enum { LINED = 1u << CURVE_CYLINDER };
    const tile_curves *c = t->curves;
    if (!((c->a.present | c->b.present) & LINED))
        return;
    const v3 local_b = m3_turn_back(&t->turn, v3_sub(*b, t->shift));
    const v3 p = m3_turn(&t->turn, line_of_curve(&c->b, local_b));
    const v3 q = v3_neg(line_of_curve(&c->a, *a)), w = v3_sub(*b, *a);
    const vr pp = v3_dot(p, p), qq = v3_dot(q, q), pq = v3_dot(p, q), wp = v3_dot(w, p), wq = v3_dot(w, q);
    const vr det = v_sub(v_mul(pp, qq), v_mul(pq, pq)), by_p = v_inverse(pp), by_q = v_inverse(qq);
    const vr first = clamp_share(v_mul(v_sub(v_mul(pq, wq), v_mul(qq, wp)), v_inverse(det)));
    const vr on_a = clamp_share(v_neg(v_mul(v_add(wq, v_mul(first, pq)), by_q)));
    const vr on_b = clamp_share(v_neg(v_mul(v_add(wp, v_mul(on_a, pq)), by_p)));
    const vr loss = v_add(v_mul(v3_dot(v, p), on_b), v_mul(v3_dot(v, q), on_a));
    const vm well = m_and(v_gt(ahead, v_set(0)), v_le(loss, v_mul(v_set((real)0.5), v_sub(dd, ahead))));

    *a = v3_sel(well, v3_sub(*a, v3_mul(q, on_a)), *a);
    *b = v3_sel(well, v3_add(*b, v3_mul(p, on_b)), *b);
}

/* Newton's step for the direction with the largest gap, from the unit n, along which D is least at
 * w = b - a: at that direction w is along n. The step d solves (g + K) d = w less its part along n, with g
 * the gap and K the derivative of w by n; both are positive if the shapes are apart. At an edge or a
 * corner K does not describe the other side, so that the step may fail and must be checked. */
LANE_FN v3 newton_direction(const tile *t, v3 n, v3 a, v3 b)
{
    const tile_curves *c = t->curves;
    const v3 local_n = v3_neg(m3_turn_back(&t->turn, n)), local_b = m3_turn_back(&t->turn, v3_sub(b, t->shift));
    const v3 w = v3_sub(b, a);
    v3 e[2], bent[2];
    across3(n, &e[0], &e[1]);
    for (int k = 0; k < 2; k++) {
        const v3 turned = m3_turn_back(&t->turn, e[k]);
        bent[k] = v3_add(bend_of_curve(&c->a, n, a, e[k]),
                         m3_turn(&t->turn, bend_of_curve(&c->b, local_n, local_b, turned)));
    }
    const vr g = v3_dot(n, w), p = v3_dot(e[0], w), q = v3_dot(e[1], w);
    const vr m00 = v_add(g, v3_dot(e[0], bent[0])), m11 = v_add(g, v3_dot(e[1], bent[1])), m01 = v3_dot(e[0], bent[1]);
    const vr det = v_sub(v_mul(m00, m11), v_mul(m01, m01));
    const vr by = v_inverse(det), most = v_set(1), least = v_set(-1);
    vr x = v_mul(v_sub(v_mul(m11, p), v_mul(m01, q)), by), y = v_mul(v_sub(v_mul(m00, q), v_mul(m01, p)), by);
    x = v_max(v_min(x, most), least);
    y = v_max(v_min(y, most), least);
    return v3_add(n, v3_add(v3_mul(e[0], x), v3_mul(e[1], y)));
}

#endif
