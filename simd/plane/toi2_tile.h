/* A tile of pairs in motion: vertices stay in local frames, scaled by the exact power of
 * two that brings the size of the pair at rest plus its displacement into about [1, 2).
 * Directions are turned into local frames, and the vertices found are turned back: world
 * axes, relative to A's translation. */
#ifndef GJB_SIMD_TOI2_TILE_H
#define GJB_SIMD_TOI2_TILE_H

#include "simd/lanes/turn.h"
#include "simd/plane/curve_tile2.h"

enum { MOVING_VERTICES = 64 }; /* in lanes: at rest it is half as many */

/* As in_blocks(), for as many. */
LANE_FN int in_moving_blocks(const context *ctx)
{
    return ctx->vertices > 32 ? MOVING_VERTICES : in_blocks(ctx);
}

typedef struct moving_tile {
    vr ax[MOVING_VERTICES], ay[MOVING_VERTICES];
    vr bx[MOVING_VERTICES], by[MOVING_VERTICES];
    vr ac, as, bc, bs;       /* rotations at t = 0 */
    vr unit_a, unit_b;       /* what makes them of unit length */
    vr x, y, dx, dy;         /* from A's translation to B's, and its change over the step */
    vr wa, wb;               /* angles */
    vr radian;               /* time in which no body turns by more than a radian, nor against the other */
    vr rising;               /* upper bound of the rate at which turning raises both supports */
    vr reach_a, reach_b;     /* radii of balls about the local origins */
    vr ra, rb, radius;       /* radii, their sum */
    vr grain, scale, size;   /* frame to world units and back; S of the path */
    vm turns_a, turns_b, valid;
    int uniform;             /* every shape has the bin's size */
    const real *const *rec_a, *const *rec_b;
    const uint16_t *quads_a, *quads_b;
    const uint32_t *body_a, *body_b;
    const tile_curves *curves; /* if there are any */
    uint16_t entry[LANES];
} moving_tile;

/* Both bodies at a time. */
typedef struct poses2 {
    vr ac, as, bc, bs, x, y;
} poses2;

LANE_FN void turn_on(vr c, vr s, vr angle, vr t, vr *to_c, vr *to_s)
{
    vr tc, ts;
    v_turn(v_mul(angle, t), &tc, &ts);
    *to_c = v_sub(v_mul(tc, c), v_mul(ts, s));
    *to_s = v_add(v_mul(ts, c), v_mul(tc, s));
}

/* `turns`: bodies of the bin turn. */
LANE_FN poses2 poses_at(const moving_tile *m, int turns, vr t)
{
    poses2 at = {m->ac, m->as, m->bc, m->bs, v_add(m->x, v_mul(t, m->dx)), v_add(m->y, v_mul(t, m->dy))};
    if (turns) { /* turning by an angle of 0 changes nothing */
        turn_on(m->ac, m->as, m->wa, t, &at.ac, &at.as);
        turn_on(m->bc, m->bs, m->wb, t, &at.bc, &at.bs);
    }
    return at;
}

LANE_FN void turn_out(vr c, vr s, vr x, vr y, vr *wx, vr *wy)
{
    *wx = v_sub(v_mul(c, x), v_mul(s, y));
    *wy = v_add(v_mul(s, x), v_mul(c, y));
}

/* Of a batch that has motions. */
LANE_FN const real *motion_of(const gjb_batch *batch, uint32_t body)
{
    return (const real *)((const char *)batch->motions + body * batch->motion_stride);
}

/* Rows 1 to 3 are the displacement and the angle. A load takes the number before them, too, which lies in the motion of
 * the body before: one by one the numbers would be stored, and a register loaded from them has to wait. */
LANE_FN void load_motions(const gjb_batch *batch, const uint32_t *body, vr out[4])
{
    real first[4] = {0};
    const real *from[LANES];
    if (batch->motions)
        memcpy(first + 1, batch->motions, 3 * sizeof(real));
    for (unsigned l = 0; l < LANES; l++)
        from[l] = batch->motions && body[l] ? motion_of(batch, body[l]) - 1 : first;
    v_load4t(from, out);
}

/* Both are next to each other in what is known of a shape. */
LANE_FN void load_extents(const context *ctx, const uint32_t *body, vr *extent, vr *radius)
{
    enum { AT = offsetof(shape_meta, radius) / sizeof(real) };
    const real *from[LANES];
    vr rows[4];
    for (unsigned l = 0; l < LANES; l++)
        from[l] = (const real *)(const void *)meta_of(ctx->library, ctx->batch, body[l]);
    v_load4t(from, rows);
    *radius = rows[AT];
    *extent = rows[AT + 1];
}

LANE_FN void pack_local(const real *const *rec, const uint16_t *quads, int N, int uniform, vr scale, vr *x, vr *y)
{
    for (int q = 0; q < N / 4; q++) {
        load_quad(rec, quads, N, uniform, 0, (uint32_t)q, x + 4 * q, y + 4 * q);
        for (int j = 4 * q; j < 4 * q + 4; j++) {
            x[j] = v_mul(x[j], scale);
            y[j] = v_mul(y[j], scale);
        }
    }
}

LANE_FN vm near_one(vr square)
{
    return v_lt(v_abs(v_sub(square, v_set(1))), v_set((real)0x1p-10));
}

/* Sets the units of the frame, and S in them. A turn moves no body farther out, so the frame
 * need not hold the part of S that comes from turns. */
LANE_FN void size_frame(moving_tile *m, vr extent_a, vr extent_b)
{
    const vr one = v_set(1), half = v_set((real)0.5);
    vr size = v_add(v_add(extent_a, extent_b),
                    v_add(v_add(v_abs(m->x), v_abs(m->y)), v_add(v_abs(m->dx), v_abs(m->dy))));
    const vr most = v_set((real)GJB_MOST_RADIANS);
    m->valid = m_and(m_and(m->valid, v_lt(size, v_set(REAL_MAX / 16))),
                     m_and(v_le(v_abs(m->wa), most), v_le(v_abs(m->wb), most)));
    size = v_sel(m->valid, v_max(size, v_set(REAL_MIN * 16)), one);
    m->grain = v_pow2_floor(size);
    m->scale = v_div(one, m->grain); /* powers of two: exact */
    vr *const lengths[] = {&m->x, &m->y, &m->dx, &m->dy, &m->ra, &m->rb};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        *lengths[k] = v_mul(*lengths[k], m->scale);
    m->radius = v_add(m->ra, m->rb);
    m->reach_a = v_mul(extent_a, m->scale);
    m->reach_b = v_mul(extent_b, m->scale);
    vr way = v_add(v_sqrt(v_dot(m->x, m->y, m->x, m->y)), v_sqrt(v_dot(m->dx, m->dy, m->dx, m->dy)));
    vr turned = v_add(v_mul(v_abs(m->wa), v_sub(m->reach_a, m->ra)), v_mul(v_abs(m->wb), v_sub(m->reach_b, m->rb)));
    m->rising = turned;
    m->size = v_max(v_add(v_add(m->reach_a, m->reach_b), v_add(way, turned)), half);
}

/* Packs n entries as pack_poses does. */
TILE_FN void pack_motions(moving_tile *m, context *ctx, const uint16_t *idx, unsigned first, unsigned n)
{
    const sources *from = ctx->pairs.all;
    for (unsigned l = 0; l < LANES; l++)
        m->entry[l] = idx ? idx[l < n ? l : n - 1] : (uint16_t)(first + l);
    if (idx || n < LANES) {
        collect(from, m->entry, n, &ctx->some);
        from = &ctx->some;
        first = 0;
    }
    const uint32_t *body_a = m->body_a = from->body_a + first, *body_b = m->body_b = from->body_b + first;
    m->rec_a = from->rec_a + first;
    m->rec_b = from->rec_b + first;
    m->uniform = ctx->uniform;
    m->quads_a = from->quads_a + first;
    m->quads_b = from->quads_b + first;
    vr pa[4], pb[4], ma[4], mb[4], extent_a, extent_b;
    load_poses(ctx->batch, body_a, pa);
    load_poses(ctx->batch, body_b, pb);
    load_motions(ctx->batch, body_a, ma);
    load_motions(ctx->batch, body_b, mb);
    load_extents(ctx, body_a, &extent_a, &m->ra);
    load_extents(ctx, body_b, &extent_b, &m->rb);
    m->ac = pa[2], m->as = pa[3], m->bc = pb[2], m->bs = pb[3];
    vr square_a = v_dot(m->ac, m->as, m->ac, m->as), square_b = v_dot(m->bc, m->bs, m->bc, m->bs);
    m->unit_a = v_div(v_set(1), v_sqrt(square_a));
    m->unit_b = v_div(v_set(1), v_sqrt(square_b));
    m->x = v_sub(pb[0], pa[0]), m->y = v_sub(pb[1], pa[1]);
    m->dx = v_sub(mb[1], ma[1]), m->dy = v_sub(mb[2], ma[2]);
    m->wa = ma[3], m->wb = mb[3];
    vr most = v_max(v_max(v_abs(m->wa), v_abs(m->wb)), v_abs(v_sub(m->wa, m->wb)));
    m->radian = v_div(v_set(1), v_max(most, v_set(REAL_MIN)));
    m->turns_a = m_not(v_eq(m->wa, v_set(0)));
    m->turns_b = m_not(v_eq(m->wb, v_set(0)));
    m->valid = m_and(m_below(n), m_and(near_one(square_a), near_one(square_b)));
    size_frame(m, extent_a, extent_b);
}

/* Called after pack_motions: pack vertices, and curves. */
LANE_FN void pack_both_local(moving_tile *m, int N, int uniform)
{
    pack_local(m->rec_a, m->quads_a, N, uniform, m->scale, m->ax, m->ay);
    pack_local(m->rec_b, m->quads_b, N, uniform, m->scale, m->bx, m->by);
}
BY_SIZE(pack_moving, moving_tile, pack_both_local)

LANE_FN void pack_moving_vertices(moving_tile *m, int N, int uniform)
{
    if (N > 0)
        pack_moving(m, N, uniform);
}

TILE_FN void pack_moving_curves(moving_tile *m, tile_curves *c, const context *ctx, int N)
{
    load_curves(&c->a, &c->vertices_a, ctx, m->body_a, m->rec_a, m->scale);
    load_curves(&c->b, &c->vertices_b, ctx, m->body_b, m->rec_b, m->scale);
    if (N == ANY_CURVE && (c->a.present | c->b.present) & 1u << CURVE_NONE)
        pack_moving_blocks(m, 0, c->vertices_a > c->vertices_b ? c->vertices_a : c->vertices_b);
    m->curves = c;
}

/* The extreme point along (dx, dy), in the shape's own axes, of any curve or vertices. */
LANE_FN void local_curved(const curve2 *c, int N, int vertices, const vr *lx, const vr *ly, const real *const *rec,
                          const uint16_t *quads, vr scale, unsigned live, vr dx, vr dy, vr *x, vr *y)
{
    vr vx, vy;
    extreme_of_curve2(c, dx, dy, x, y);
    if (!(c->present & 1u << CURVE_NONE))
        return;
    if (N == LARGE_CURVE) {
        large_extreme(c, rec, quads, live, dx, dy, &vx, &vy);
        vx = v_mul(vx, scale);
        vy = v_mul(vy, scale);
    } else {
        lane_extreme(lx, ly, vertices, dx, dy, &vx, &vy);
    }
    *x = v_sel(c->is[CURVE_NONE], vx, *x);
    *y = v_sel(c->is[CURVE_NONE], vy, *y);
}

/* Vertex i[l] of each lane's record, in the frame's units. */
LANE_FN void pick_local(const real *const *rec, const uint16_t *quads, const uint32_t *i, vr scale, vr *vx, vr *vy)
{
    real x[LANES], y[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        x[l] = rec[l][i[l]];
        y[l] = rec[l][4 * quads[l] + i[l]];
    }
    *vx = v_mul(v_load(x), scale);
    *vy = v_mul(v_load(y), scale);
}

/* Vertices of A extreme along (adx, ady) and of B along (bdx, bdy), each in its own axes. */
LANE_FN void local_support(const moving_tile *m, int N, unsigned live, vr adx, vr ady, vr bdx, vr bdy, vr *ax, vr *ay,
                           vr *bx, vr *by)
{
    if (N < 0) {
        const tile_curves *c = m->curves;
        local_curved(&c->a, N, c->vertices_a, m->ax, m->ay, m->rec_a, m->quads_a, m->scale, live, adx, ady, ax, ay);
        local_curved(&c->b, N, c->vertices_b, m->bx, m->by, m->rec_b, m->quads_b, m->scale, live, bdx, bdy, bx, by);
        return;
    }
    if (N > 0) {
        extreme_vertex(m->ax, m->ay, N, adx, ady, ax, ay);
        extreme_vertex(m->bx, m->by, N, bdx, bdy, bx, by);
        return;
    }
    real d[4][LANES];
    uint32_t ia[LANES] = {0}, ib[LANES] = {0};
    v_store(d[0], adx);
    v_store(d[1], ady);
    v_store(d[2], bdx);
    v_store(d[3], bdy);
    for (; live; live &= live - 1) {
        unsigned l = (unsigned)__builtin_ctz(live);
        ia[l] = extreme_in_place(m->rec_a[l], m->quads_a[l], d[0][l], d[1][l]);
        ib[l] = extreme_in_place(m->rec_b[l], m->quads_b[l], d[2][l], d[3][l]);
    }
    pick_local(m->rec_a, m->quads_a, ia, m->scale, ax, ay);
    pick_local(m->rec_b, m->quads_b, ib, m->scale, bx, by);
}

#endif
