/* A tile: LANES pairs in 3D, transformed into their own frames and transposed.
 *
 * The frame of a pair is A's local frame, scaled by the exact power of two that
 * brings the size of the pair into about [1, 2), as in 2D. B's rotation in it is
 * that of the quaternion conj(a) b over its square, so that neither has to be of
 * exact unit length.
 */
#ifndef GJB_SIMD_TILE3_H
#define GJB_SIMD_TILE3_H

#include "simd/by_size.h"
#include "simd/lanes/lanes3.h"
#include "simd/warm_start.h"
#ifdef GJB_LANES_SINGLE
#include "simd/lanes/across.h"
#endif

/* Vertices of one shape in lanes. */
typedef struct cloud {
    vr x[MAX_LANE_VERTICES], y[MAX_LANE_VERTICES], z[MAX_LANE_VERTICES];
} cloud;

typedef struct tile {
    cloud a, b;
    m3 world;           /* A's local axes to the world's */
    m3 turn;            /* B's local axes to A's */
    v3 shift;           /* B's origin in the frame */
    vr scale, grain;    /* world units to the frame's and back */
    vr ra, rb, radius;  /* radii in world units; their sum in the frame, with what a margin adds */
    vr bar;             /* of cores that are further apart the query wants to know no more, if it stops early */
    vm valid, in_use;
    const real *const *rec_a, *const *rec_b;
    const uint16_t *quads_a, *quads_b;
    const uint32_t *body_a, *body_b;
    const struct tile_curves *curves; /* if lanes may have some (curve_tile3.h) */
    struct scan_ahead *ahead; /* of hulls that are scanned (scan_tile3.h); NULL: nothing */
    uint16_t entry[LANES]; /* of the window */
    int whole;          /* every lane holds a valid pair of its own */
    int in_order;       /* these follow each other in the batch */
    v3 half_a, half_b;  /* half extents of boxes, in world units */
} tile;

/* Quad `quad` of a coordinate of every lane's shape. `uniform`: all shapes have
 * exactly N / 4 quads; else one with fewer repeats its last. */
LANE_FN void load_quad3(const real *const *rec, const uint16_t *quads, int N, int uniform, uint32_t axis,
                        uint32_t quad, vr out[4])
{
    const real *p[LANES];
    for (int l = 0; l < LANES; l++) {
        if (uniform) {
            p[l] = rec[l] + 4 + (axis * (uint32_t)N + 4 * quad);
        } else {
            uint32_t q = quad < quads[l] ? quad : quads[l] - 1u;
            p[l] = rec[l] + 4 + 4 * (axis * quads[l] + q);
        }
    }
    v_load4t(p, out);
}

#ifdef GJB_LANES_SINGLE
LANE_FN void across_repeat3(cloud *c, int n, int N)
{
    across_repeat(c->x, n, N);
    across_repeat(c->y, n, N);
    across_repeat(c->z, n, N);
}

LANE_FN across across_row(v3 row, across x, across y, across z, real shift)
{
    const across plane = ACROSS_OP(add)(ACROSS_OP(mul)(across_set(row.x), x), ACROSS_OP(mul)(across_set(row.y), y));
    return ACROSS_OP(add)(ACROSS_OP(add)(plane, ACROSS_OP(mul)(across_set(row.z), z)), across_set(shift));
}

LANE_FN void pack_vertices3(tile *t, int N, int uniform)
{
    const int na = uniform ? N : 4 * t->quads_a[0], nb = uniform ? N : 4 * t->quads_b[0];
    const real *xa = t->rec_a[0] + 4, *xb = t->rec_b[0] + 4;
    const across by = across_set(t->scale);
    for (int i = 0; i < na; i += ACROSS) {
        across_store(t->a.x + i, ACROSS_OP(mul)(across_stored(xa, i, na), by));
        across_store(t->a.y + i, ACROSS_OP(mul)(across_stored(xa + na, i, na), by));
        across_store(t->a.z + i, ACROSS_OP(mul)(across_stored(xa + 2 * na, i, na), by));
    }
    for (int i = 0; i < nb; i += ACROSS) {
        const across x = ACROSS_OP(mul)(across_stored(xb, i, nb), by);
        const across y = ACROSS_OP(mul)(across_stored(xb + nb, i, nb), by);
        const across z = ACROSS_OP(mul)(across_stored(xb + 2 * nb, i, nb), by);
        across_store(t->b.x + i, across_row(t->turn.row[0], x, y, z, t->shift.x));
        across_store(t->b.y + i, across_row(t->turn.row[1], x, y, z, t->shift.y));
        across_store(t->b.z + i, across_row(t->turn.row[2], x, y, z, t->shift.z));
    }
    if (uniform)
        return;
    across_repeat3(&t->a, na, N);
    across_repeat3(&t->b, nb, N);
}
#else
LANE_FN void pack_vertices3(tile *t, int N, int uniform)
{
    for (int q = 0; q < N / 4; q++) {
        vr x[4], y[4], z[4];
        load_quad3(t->rec_a, t->quads_a, N, uniform, 0, (uint32_t)q, x);
        load_quad3(t->rec_a, t->quads_a, N, uniform, 1, (uint32_t)q, y);
        load_quad3(t->rec_a, t->quads_a, N, uniform, 2, (uint32_t)q, z);
        for (int j = 0; j < 4; j++) {
            t->a.x[4 * q + j] = v_mul(x[j], t->scale);
            t->a.y[4 * q + j] = v_mul(y[j], t->scale);
            t->a.z[4 * q + j] = v_mul(z[j], t->scale);
        }
        load_quad3(t->rec_b, t->quads_b, N, uniform, 0, (uint32_t)q, x);
        load_quad3(t->rec_b, t->quads_b, N, uniform, 1, (uint32_t)q, y);
        load_quad3(t->rec_b, t->quads_b, N, uniform, 2, (uint32_t)q, z);
        for (int j = 0; j < 4; j++) {
            const v3 local = {v_mul(x[j], t->scale), v_mul(y[j], t->scale), v_mul(z[j], t->scale)};
            const v3 b = v3_add(m3_turn(&t->turn, local), t->shift);
            t->b.x[4 * q + j] = b.x;
            t->b.y[4 * q + j] = b.y;
            t->b.z[4 * q + j] = b.z;
        }
    }
}
#endif

BY_SIZE(pack_lanes3, tile, pack_vertices3)

typedef struct pose3 {
    v3 at;
    vr x, y, z, w; /* quaternion */
} pose3;

LANE_FN pose3 load_poses3(const gjb_batch *batch, const uint32_t *body)
{
    const real *p[LANES];
    vr front[4], back[4];
    for (unsigned l = 0; l < LANES; l++)
        p[l] = pose_of(batch, body[l]);
    v_load4t(p, front);
    OPAQUE(body);
    for (unsigned l = 0; l < LANES; l++)
        p[l] = pose_of(batch, body[l]) + 3;
    v_load4t(p, back);
    return (pose3){{front[0], front[1], front[2]}, back[0], back[1], back[2], back[3]};
}

LANE_FN vm unit_length(const pose3 *p)
{
    vr square = v_add(v_add(v_mul(p->x, p->x), v_mul(p->y, p->y)), v_add(v_mul(p->z, p->z), v_mul(p->w, p->w)));
    return v_lt(v_abs(v_sub(square, v_set(1))), v_set((real)0x1p-10));
}

/* The extents of shapes; *half are the half extents of those that are boxes. */
LANE_FN vr load_head(const real *const *rec, v3 *half)
{
    vr h[4];
    v_load4t(rec, h);
    *half = (v3){h[0], h[1], h[2]};
    return h[3];
}

/* The frame of pairs whose extents add up to `extent`. */
LANE_FN void frame_pair3(tile *t, const pose3 *a, const pose3 *b, vr extent)
{
    t->world = m3_rotation(a->x, a->y, a->z, a->w);
    const v3 shift = m3_turn_back(&t->world, v3_sub(b->at, a->at));
    vr size = v_add(extent, v_add(v_add(v_abs(shift.x), v_abs(shift.y)), v_abs(shift.z)));
    t->valid = m_and(v_lt(size, v_set(REAL_MAX / 16)), m_and(unit_length(a), unit_length(b)));
    size = v_sel(t->valid, v_max(size, v_set(REAL_MIN * 16)), v_set(1));
    t->grain = v_pow2_floor(size);
    t->scale = v_div(v_set(1), t->grain); /* powers of two: exact */
    t->shift = v3_mul(shift, t->scale);
    t->turn = m3_rotation(
        v_add(v_sub(v_mul(a->w, b->x), v_mul(a->x, b->w)), v_sub(v_mul(a->z, b->y), v_mul(a->y, b->z))),
        v_add(v_sub(v_mul(a->w, b->y), v_mul(a->y, b->w)), v_sub(v_mul(a->x, b->z), v_mul(a->z, b->x))),
        v_add(v_sub(v_mul(a->w, b->z), v_mul(a->z, b->w)), v_sub(v_mul(a->y, b->x), v_mul(a->x, b->y))),
        v_add(v_add(v_mul(a->w, b->w), v_mul(a->x, b->x)), v_add(v_mul(a->y, b->y), v_mul(a->z, b->z))));
}

/* Packs n entries, 1 <= n <= LANES: those of `idx`, or when it is NULL those
 * from `first` on; poses and scale alone. Shapes follow by pack_vertices3, or are
 * read in another way. */
TILE_FN void pack_poses3(tile *t, context *ctx, const uint16_t *idx, unsigned first, unsigned n)
{
    const sources *from = ctx->pairs.all;
    for (unsigned l = 0; l < LANES; l++)
        t->entry[l] = idx ? idx[l < n ? l : n - 1] : (uint16_t)(first + l);
    t->in_order = !idx && ctx->pairs.in_order;
    if (idx || n < LANES) {
        collect(from, t->entry, n, &ctx->some);
        from = &ctx->some;
        first = 0;
    }
    const uint32_t *body_a = from->body_a + first, *body_b = from->body_b + first;
    t->rec_a = from->rec_a + first;
    t->rec_b = from->rec_b + first;
    OPAQUE(body_a);
    OPAQUE(body_b);
    OPAQUE(t->rec_a);
    OPAQUE(t->rec_b);
    t->quads_a = from->quads_a + first;
    t->quads_b = from->quads_b + first;
    t->body_a = body_a;
    t->body_b = body_b;
    const pose3 a = load_poses3(ctx->batch, body_a), b = load_poses3(ctx->batch, body_b);
    frame_pair3(t, &a, &b, v_add(load_head(t->rec_a, &t->half_a), load_head(t->rec_b, &t->half_b)));
    t->ra = t->rb = v_set(0);
    if (ctx->rounded) {
        t->ra = load_radii(ctx, from->body_a + first);
        t->rb = load_radii(ctx, from->body_b + first);
    }
    t->radius = v_mul(v_add(v_add(t->ra, t->rb), v_set(added_radius(ctx))), t->scale);
    t->bar = v_add(t->radius, v_mul(v_set(distance_limit(ctx)), t->scale));
    t->in_use = m_below(n);
    t->valid = m_and(t->valid, t->in_use);
    t->whole = n == LANES && m_bits(t->valid) == lanes_below(LANES);
}

/* The best so far of a tournament. */
typedef struct entrant {
    vr reach;
    v3 p;
} entrant;

LANE_FN entrant enter(const cloud *c, int i, v3 d)
{
    const v3 p = {c->x[i], c->y[i], c->z[i]};
    return (entrant){v3_dot(d, p), p};
}

/* The later one wins only if it is farther out, so the lowest index wins ties. */
LANE_FN entrant play3(entrant first, entrant second)
{
    const vm later = v_gt(second.reach, first.reach);
    return (entrant){v_max(second.reach, first.reach), v3_sel(later, second.p, first.p)};
}

LANE_FN entrant play_four(const cloud *c, int i, v3 d)
{
    const entrant low = play3(enter(c, i, d), enter(c, i + 1, d));
    return play3(low, play3(enter(c, i + 2, d), enter(c, i + 3, d)));
}

/* The vertex of n that is extreme along d; the lowest index on ties. n is 4 or a
 * multiple of 8. */
LANE_FN v3 extreme_vertex3(const cloud *c, int n, v3 d)
{
#ifdef GJB_LANES_SINGLE
    const unsigned at = across_farthest3(c->x, c->y, c->z, n, d.x, d.y, d.z);
    return (v3){c->x[at], c->y[at], c->z[at]};
#endif
    entrant best = play_four(c, 0, d);
    if (n > 4)
        best = play3(best, play_four(c, 4, d));
    for (int i = 8; i < n; i += 8)
        best = play3(best, play3(play_four(c, i, d), play_four(c, i + 4, d)));
    return best.p;
}

/* The first direction of a warm start, in the frame, of about unit length; lanes without
 * an axis keep theirs. */
LANE_FN vm warm_direction(const context *ctx, const tile *t, v3 *d)
{
    vr axis[4];
    vm known = load_axes(ctx, t->entry, axis);
    *d = v3_sel(known, m3_turn_back(&t->world, (v3){axis[0], axis[1], axis[2]}), *d);
    return known;
}

/* Notes separating axes that are known in the frame. */
LANE_FN void note_directions(context *ctx, const tile *t, unsigned bits, v3 d)
{
    const v3 world = m3_turn(&t->world, d);
    const vr axis[3] = {world.x, world.y, world.z};
    note_axes(ctx, t->entry, bits, axis);
}

#endif
