/* Tiles with curved shapes in some lanes: their support mapping, in addition to that of
 * vertices; and the support of a pair of any bin. */
#ifndef GJB_SIMD_CURVE_TILE2_H
#define GJB_SIMD_CURVE_TILE2_H

#include "simd/plane/curve2.h"
#include "simd/plane/tile2.h"

/* Values of N for bins with curves: other shapes have up to 32 vertices, in lanes; or more,
 * which are scanned in place. */
#define ANY_CURVE (-1)
#define LARGE_CURVE (-2)

/* Which of the two a bin is, as a constant like that of in_blocks(). */
LANE_FN int in_curves(const context *ctx)
{
    return ctx->vertices == LARGE_CURVE ? LARGE_CURVE : ANY_CURVE;
}

typedef struct tile_curves {
    curve2 a, b;                /* lengths in units of the frame */
    int vertices_a, vertices_b; /* of lanes that have them: 4, or a multiple of 8 */
} tile_curves;

LANE_CALL void load_curves(curve2 *c, int *vertices, const context *ctx, const uint32_t *body, const real *const *rec,
                         vr scale)
{
    const real *p[LANES];
    real code[LANES], inverse[LANES];
    unsigned most = 1;
    vr numbers[4];
    c->present = 0;
    for (unsigned l = 0; l < LANES; l++) {
        const shape_meta *meta = meta_of(ctx->library, ctx->batch, body[l]);
        const unsigned curve = METHOD_CURVE(meta->method);
        code[l] = (real)curve;
        c->present |= 1u << curve;
        most = curve == CURVE_NONE && meta->quads > most ? meta->quads : most;
        p[l] = rec[l];
        inverse[l] = rec[l][4];
    }
    *vertices = 4 * (int)most;
    for (int k = 0; k < CURVES2; k++)
        c->is[k] = v_eq(v_load(code), v_set((real)k));
    v_load4t(p, numbers);
    c->a = v_mul(numbers[0], scale); /* meaningless in lanes with vertices */
    c->b = v_mul(numbers[1], scale);
    c->slope = v_sel(c->is[CURVE_SUPER], numbers[3], v_set(1));
    c->inverse = v_sel(c->is[CURVE_SUPER], v_load(inverse), v_set(1));
}

/* Follows pack_poses, as pack_vertices does elsewhere. */
TILE_FN void pack_curves(tile *t, tile_curves *c, const context *ctx, int N)
{
    load_curves(&c->a, &c->vertices_a, ctx, t->body_a, t->rec_a, t->scale);
    load_curves(&c->b, &c->vertices_b, ctx, t->body_b, t->rec_b, t->scale);
    if (N == ANY_CURVE && (c->a.present | c->b.present) & 1u << CURVE_NONE)
        pack_lanes_blocks(t, 0, c->vertices_a > c->vertices_b ? c->vertices_a : c->vertices_b);
    t->curves = c;
}

/* A's extreme vertex along (dx, dy) of the shape's own axes, in lanes without a curve, of shapes scanned
 * in place. Blocks of all lanes are scanned; in curved lanes the result is meaningless. */
LANE_FN void large_extreme(const curve2 *c, const real *const *rec, const uint16_t *quads, unsigned live, vr dx, vr dy,
                           vr *x, vr *y)
{
    real to_x[LANES], to_y[LANES], found_x[LANES] = {0}, found_y[LANES] = {0};
    v_store(to_x, dx);
    v_store(to_y, dy);
    for (live &= m_bits(c->is[CURVE_NONE]); live; live &= live - 1) {
        const unsigned l = (unsigned)__builtin_ctz(live);
        const uint32_t i = extreme_in_place(rec[l], quads[l], to_x[l], to_y[l]);
        found_x[l] = rec[l][i];
        found_y[l] = rec[l][4 * quads[l] + i];
    }
    *x = v_load(found_x);
    *y = v_load(found_y);
}

/* As extreme_vertex, with n at least 4, which helps the compiler. */
LANE_FN void lane_extreme(const vr *x, const vr *y, int n, vr dx, vr dy, vr *vx, vr *vy)
{
    extreme_vertex(x, y, n > 4 ? n : 4, dx, dy, vx, vy);
}

/* A's extreme along (dx, dy), in the frame; for a curve also the point's magnitudes along its own axes. */
LANE_FN void curved_extreme_a(const tile *t, int N, unsigned live, vr dx, vr dy, vr *x, vr *y, vr *u, vr *v)
{
    const curve2 *c = &t->curves->a;
    vr vx, vy;
    extreme_of_curve2(c, dx, dy, x, y);
    *u = v_abs(*x);
    *v = v_abs(*y);
    if (!(c->present & 1u << CURVE_NONE))
        return;
    if (N == LARGE_CURVE) {
        large_extreme(c, t->rec_a, t->quads_a, live, dx, dy, &vx, &vy);
        vx = v_mul(vx, t->a_scale);
        vy = v_mul(vy, t->a_scale);
    } else {
        lane_extreme(t->ax, t->ay, t->curves->vertices_a, dx, dy, &vx, &vy);
    }
    *x = v_sel(c->is[CURVE_NONE], vx, *x);
    *y = v_sel(c->is[CURVE_NONE], vy, *y);
}

LANE_FN void curved_extreme_b(const tile *t, int N, unsigned live, vr dx, vr dy, vr *x, vr *y, vr *u, vr *v)
{
    const curve2 *c = &t->curves->b;
    const vr lx = v_dot(t->c, t->s, dx, dy), ly = v_cross(t->c, t->s, dx, dy);
    vr px, py, vx, vy;
    extreme_of_curve2(c, lx, ly, &px, &py);
    *u = v_abs(px);
    *v = v_abs(py);
    *x = v_add(v_sub(v_mul(t->c, px), v_mul(t->s, py)), t->tx);
    *y = v_add(v_add(v_mul(t->s, px), v_mul(t->c, py)), t->ty);
    if (!(c->present & 1u << CURVE_NONE))
        return;
    if (N == LARGE_CURVE) {
        large_extreme(c, t->rec_b, t->quads_b, live, lx, ly, &px, &py);
        vx = v_add(v_sub(v_mul(t->cs, px), v_mul(t->ss, py)), t->tx);
        vy = v_add(v_add(v_mul(t->ss, px), v_mul(t->cs, py)), t->ty);
    } else {
        lane_extreme(t->bx, t->by, t->curves->vertices_b, dx, dy, &vx, &vy);
    }
    *x = v_sel(c->is[CURVE_NONE], vx, *x);
    *y = v_sel(c->is[CURVE_NONE], vy, *y);
}

/* Support of both shapes: a extreme along (dx, dy), b against it, in the frame. */
LANE_FN void support_pair(const tile *t, int N, unsigned live, vr dx, vr dy, vr *ax, vr *ay, vr *bx, vr *by)
{
    if (N >= 0) {
        vertices_pair(t, N, live, dx, dy, ax, ay, bx, by);
        return;
    }
    vr u, v;
    curved_extreme_a(t, N, live, dx, dy, ax, ay, &u, &v);
    curved_extreme_b(t, N, live, v_neg(dx), v_neg(dy), bx, by, &u, &v);
}

/* The same, not inlined, for any bin. */
typedef struct reached2 {
    vr ax, ay, bx, by;
} reached2;

LANE_CALL reached2 seldom_support(const tile *t, int N, unsigned live, vr dx, vr dy)
{
    reached2 s;
    support_pair(t, N, live, dx, dy, &s.ax, &s.ay, &s.bx, &s.by);
    return s;
}

#endif
