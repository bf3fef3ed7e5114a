/* A tile: LANES pairs, transformed into their own frames and transposed.
 *
 * The frame of a pair is A's local frame, scaled by the exact power of two that
 * brings the size of the pair into about [1, 2): no digits are lost far
 * from the origin, nothing underflows at 1e-6 or overflows at 1e6, and scaling
 * a pair by a power of two scales its answer bit for bit. A's rotation is unit
 * only up to rounding, R'R = rho2 * I, so A is scaled by rho2 to stay the exact
 * image under R' of the stored pose.
 */
#ifndef GJB_SIMD_TILE2_H
#define GJB_SIMD_TILE2_H

#include "simd/by_size.h"
#include "simd/lanes/fetch.h"
#include "simd/ranges2.h"
#include "simd/warm_start.h"
#ifdef GJB_LANES_SINGLE
#include "simd/lanes/across.h"
#endif

/* Shapes that are not in lanes, in their own axes. Those that would fit have no ranges. */
typedef struct large2 {
    const real *x[LANES], *y[LANES], *range[LANES];
    real count[LANES], ranges[LANES];
} large2;

LANE_FN void find_large(const real *const *rec, const uint16_t *quads, large2 *p)
{
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t n = 4u * quads[l];
        const int ranged = quads[l] > LANE_QUADS;
        p->x[l] = rec[l];
        p->y[l] = rec[l] + n;
        p->range[l] = ranged ? gjb_ranges(rec[l], n) : rec[l];
        p->count[l] = (real)n;
        p->ranges[l] = (real)(ranged ? RANGES_OF_QUAD * quads[l] : 0);
    }
}

typedef struct tile {
    vr ax[MAX_LANE_VERTICES], ay[MAX_LANE_VERTICES]; /* A's vertices */
    vr bx[MAX_LANE_VERTICES], by[MAX_LANE_VERTICES]; /* B's vertices */
    vr c, s;                    /* B's rotation relative to A */
    vr cs, ss, tx, ty;          /* B to the frame: rotation times scale, translation */
    vr a_scale, scale;          /* A to the frame; world units to its own */
    vr a_c, a_s, rho2, grain;   /* A's rotation, its square; frame back to world units */
    vr ra, rb, radius;          /* radii in world units; their sum in the frame, with what a margin adds */
    vr bar;                     /* as in space/tile3.h */
    vm valid, in_use;
    int uniform;                /* every shape has the bin's size exactly */
    const real *const *rec_a, *const *rec_b;
    large2 large_a, large_b; /* if vertices are not in lanes */
    const uint32_t *body_a, *body_b;
    const struct tile_curves *curves; /* if there are any */
    size_t axes;                /* from a record to its axes */
    const uint16_t *quads_a, *quads_b;
    uint16_t entry[LANES];      /* of the window */
    int na, nb;                 /* of a single pair: vertices in ax, bx without those repeated */
    int whole;                  /* every lane holds a valid pair of its own */
    int in_order;               /* these follow each other in the batch */
} tile;

/* Loads quad `quad` of both coordinates of every lane's shape; `beyond` is 0 for
 * vertices, the library's `axes` for those. `uniform`: all shapes have exactly
 * N / 4 quads; else one with fewer repeats its last. */
LANE_FN void load_quad(const real *const *rec, const uint16_t *quads, int N, int uniform, size_t beyond, uint32_t quad,
                       vr x[4], vr y[4])
{
    if (uniform) {
        const real *px[LANES], *py[LANES];
        for (int l = 0; l < LANES; l++) {
            px[l] = rec[l] + beyond + 4 * quad;
            py[l] = rec[l] + beyond + ((uint32_t)N + 4 * quad);
        }
        v_load4t(px, x);
        v_load4t(py, y);
        return;
    }
    const real *px[LANES], *py[LANES];
    const real *const *from_x = px, *const *from_y = py;
#pragma GCC unroll 1
    for (int l = 0; l < LANES; l++) {
        const int64_t own = quads[l], last = own - 1, q = quad < own ? quad : last;
        px[l] = rec[l] + beyond + 4 * q;
        py[l] = rec[l] + beyond + 4 * q + 4 * own;
    }
    OPAQUE(from_x); /* a loop in vectors, not one address after the other */
    OPAQUE(from_y);
    v_load4t(from_x, x);
    v_load4t(from_y, y);
}

#ifdef GJB_LANES_SINGLE
LANE_FN void pack_vertices(tile *t, int N, int uniform)
{
    const int na = uniform ? N : 4 * t->quads_a[0], nb = uniform ? N : 4 * t->quads_b[0];
    const real *xa = t->rec_a[0], *xb = t->rec_b[0];
    const across by = across_set(t->a_scale), c = across_set(t->cs), s = across_set(t->ss);
    const across tx = across_set(t->tx), ty = across_set(t->ty);
    for (int i = 0; i < na; i += ACROSS) {
        across_store(t->ax + i, ACROSS_OP(mul)(across_stored(xa, i, na), by));
        across_store(t->ay + i, ACROSS_OP(mul)(across_stored(xa + na, i, na), by));
    }
    for (int i = 0; i < nb; i += ACROSS) {
        const across x = across_stored(xb, i, nb), y = across_stored(xb + nb, i, nb);
        across_store(t->bx + i, ACROSS_OP(add)(ACROSS_OP(sub)(ACROSS_OP(mul)(c, x), ACROSS_OP(mul)(s, y)), tx));
        across_store(t->by + i, ACROSS_OP(add)(ACROSS_OP(add)(ACROSS_OP(mul)(s, x), ACROSS_OP(mul)(c, y)), ty));
    }
    t->na = na;
    t->nb = nb;
    if (uniform)
        return;
    across_repeat(t->ax, na, N);
    across_repeat(t->ay, na, N);
    across_repeat(t->bx, nb, N);
    across_repeat(t->by, nb, N);
}
#else
LANE_FN void pack_vertices(tile *t, int N, int uniform)
{
    for (int q = 0; q < N / 4; q++) {
        vr x[4], y[4];
        load_quad(t->rec_a, t->quads_a, N, uniform, 0, (uint32_t)q, x, y);
        for (int j = 0; j < 4; j++) {
            t->ax[4 * q + j] = v_mul(x[j], t->a_scale);
            t->ay[4 * q + j] = v_mul(y[j], t->a_scale);
        }
        load_quad(t->rec_b, t->quads_b, N, uniform, 0, (uint32_t)q, x, y);
        for (int j = 0; j < 4; j++) {
            t->bx[4 * q + j] = v_add(v_sub(v_mul(t->cs, x[j]), v_mul(t->ss, y[j])), t->tx);
            t->by[4 * q + j] = v_add(v_add(v_mul(t->ss, x[j]), v_mul(t->cs, y[j])), t->ty);
        }
    }
}
#endif

BY_SIZE(pack_lanes, tile, pack_vertices)

LANE_FN void load_poses(const gjb_batch *batch, const uint32_t *body, vr out[4])
{
    const real *p[LANES];
    for (unsigned l = 0; l < LANES; l++)
        p[l] = pose_of(batch, body[l]);
    v_load4t(p, out);
}

/* The frame of pairs at poses pa and pb, whose extents add up to `extent`, and B in it. */
LANE_FN void frame_pair(tile *t, const vr pa[4], const vr pb[4], vr extent)
{
    vr dx = v_sub(pb[0], pa[0]), dy = v_sub(pb[1], pa[1]);
    vr tx = v_dot(pa[2], pa[3], dx, dy), ty = v_cross(pa[2], pa[3], dx, dy);
    vr size = v_add(extent, v_add(v_abs(tx), v_abs(ty)));
    vr rho2 = v_dot(pa[2], pa[3], pa[2], pa[3]);
    vr rho2b = v_dot(pb[2], pb[3], pb[2], pb[3]);
    vr close = v_set((real)0x1p-10), one = v_set(1);
    t->valid = m_and(v_lt(size, v_set(REAL_MAX / 16)),
                     m_and(v_lt(v_abs(v_sub(rho2, one)), close), v_lt(v_abs(v_sub(rho2b, one)), close)));
    size = v_sel(t->valid, v_max(size, v_set(REAL_MIN * 16)), one);
    vr grain = v_pow2_floor(size), scale = v_div(one, grain); /* powers of two: exact */
    t->c = v_dot(pa[2], pa[3], pb[2], pb[3]);
    t->s = v_cross(pa[2], pa[3], pb[2], pb[3]);
    t->cs = v_mul(t->c, scale);
    t->ss = v_mul(t->s, scale);
    t->tx = v_mul(tx, scale);
    t->ty = v_mul(ty, scale);
    t->a_scale = v_mul(rho2, scale);
    t->scale = scale;
    t->grain = grain;
    t->a_c = pa[2];
    t->a_s = pa[3];
    t->rho2 = rho2;
}

/* Packs n entries, 1 <= n <= LANES: those of `idx`, or when it is NULL those
 * from `first` on; all but their cores. */
TILE_FN void pack_poses(tile *t, context *ctx, const uint16_t *idx, unsigned first, unsigned n)
{
    const sources *from = ctx->pairs.all;
    for (unsigned l = 0; l < LANES; l++)
        t->entry[l] = idx ? idx[l < n ? l : n - 1] : (uint16_t)(first + l);
    t->in_order = !idx && ctx->pairs.in_order;
    if (idx || first + LANES > ctx->pairs.count) { /* lanes that are not in use read any pair */
        collect(from, t->entry, n, &ctx->some);
        from = &ctx->some;
        first = 0;
    }
    t->rec_a = from->rec_a + first;
    t->rec_b = from->rec_b + first;
    t->axes = ctx->library->axes;
    t->uniform = ctx->uniform;
    t->quads_a = from->quads_a + first;
    t->quads_b = from->quads_b + first;
    t->body_a = from->body_a + first;
    t->body_b = from->body_b + first;
    vr pa[4], pb[4];
    load_poses(ctx->batch, from->body_a + first, pa);
    load_poses(ctx->batch, from->body_b + first, pb);
    frame_pair(t, pa, pb, v_load(from->extent + first));
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

/* The same with their vertices: N is the vertex count of the bin, or 0 if shapes are
 * scanned in place. */
LANE_FN void pack_tile(tile *t, context *ctx, const uint16_t *idx, unsigned first, unsigned n, int N)
{
    pack_poses(t, ctx, idx, first, n);
    if (N > 0)
        pack_lanes(t, N, t->uniform);
    if (N == 0) {
        find_large(t->rec_a, t->quads_a, &t->large_a);
        find_large(t->rec_b, t->quads_b, &t->large_b);
    }
}

/* One match of a tournament: the later entry wins only if it is farther out, so
 * the lowest index wins ties. */
LANE_FN void play(vr *d, vr *x, vr *y, int first, int second)
{
    vm later = v_gt(d[second], d[first]);
    d[first] = v_max(d[second], d[first]);
    x[first] = v_sel(later, x[second], x[first]);
    y[first] = v_sel(later, y[second], y[first]);
}

/* The vertex of n that is extreme along (dx, dy); the lowest index on ties. n is
 * 4 or a multiple of 8. Unrolled by hand: gcc does not unroll a loop over rounds,
 * and leaves the entries in memory. */
LANE_FN void extreme_vertex(const vr *x, const vr *y, int n, vr dx, vr dy, vr *vx, vr *vy)
{
#ifdef GJB_LANES_SINGLE
    const unsigned at = across_farthest2(x, y, n, dx, dy);
    *vx = x[at];
    *vy = y[at];
    return;
#endif
    const int block = n < 8 ? n : 8;
    vr d[9], px[9], py[9]; /* the last is the best of the blocks before */
    for (int base = 0; base < n; base += block) {
        for (int i = 0; i < block; i++) {
            px[i] = x[base + i];
            py[i] = y[base + i];
            d[i] = v_dot(dx, dy, px[i], py[i]);
        }
        play(d, px, py, 0, 1);
        play(d, px, py, 2, 3);
        play(d, px, py, 0, 2);
        if (block == 8) {
            play(d, px, py, 4, 5);
            play(d, px, py, 6, 7);
            play(d, px, py, 4, 6);
            play(d, px, py, 0, 4);
        }
        if (base > 0)
            play(d, px, py, 8, 0);
        else
            d[8] = d[0], px[8] = px[0], py[8] = py[0];
    }
    *vx = px[8];
    *vy = py[8];
}

/* The same for one lane's shape with its vertices in lanes: returns the index. */
LANE_FN uint32_t extreme_in_place(const real *record, uint32_t quads, real dx, real dy)
{
    const uint32_t n = 4 * quads;
    const real *x = record, *y = record + n;
    vr vdx = v_set(dx), vdy = v_set(dy), index = v_ramp(), step = v_set(LANES);
    vr best = v_dot(vdx, vdy, v_load(x), v_load(y)), which = index;
    if (n < LANES) /* a small shape paired with a big one: the other lanes read on past it */
        best = v_sel(m_below(n), best, v_set(-REAL_MAX));
    for (uint32_t k = LANES; k < n; k += LANES) {
        index = v_add(index, step);
        vr d = v_dot(vdx, vdy, v_load(x + k), v_load(y + k));
        vm later = m_and(v_gt(d, best), v_lt(index, v_set((real)n)));
        best = v_sel(later, d, best);
        which = v_sel(later, index, which);
    }
    real at[LANES];
    v_store(at, which);
    uint32_t lowest = n;
    for (unsigned top = m_bits(v_eq(best, v_set(v_largest(best)))); top; top &= top - 1) {
        const uint32_t other = (uint32_t)at[__builtin_ctz(top)];
        lowest = other < lowest ? other : lowest;
    }
    return lowest < n ? lowest : 0; /* of NaN the first */
}

/* How far around from -x (x, y) is, of 1, which it is less than; see ranges2.h. 0 if that is not a number. */
LANE_FN vr way_around(vr x, vr y)
{
    const vr zero = v_set(0), one = v_set(1), part = v_div(x, v_add(v_abs(x), v_abs(y)));
    const vr around = v_mul(v_sel(v_lt(y, zero), v_add(one, part), v_sub(v_set(3), part)), v_set((real)0.25));
    return v_sel(v_ge(around, zero), v_min(around, v_set(1 - REAL_EPSILON)), zero); /* false on NaN */
}

/* On the way to the vertices of large shapes that are extreme along (dx, dy), in their own axes. */
typedef struct climb2 {
    const large2 *shapes;
    vr dx, dy, at, x, y;
    vr start; /* at which a lane would be around: rounding may let all edges of a flat shape rise */
    vm open;  /* lanes that may have to go on */
} climb2;

/* Goes along the next edges, if they rise. Edges are nearly exact, so that this does not depend on where a shape is. */
LANE_FN void climb_on(climb2 *c)
{
    const vr zero = v_set(0);
    vr next = v_add(c->at, v_set(1));
    next = v_sel(v_lt(next, v_load(c->shapes->count)), next, zero);
    const vr x = v_fetch(c->shapes->x, next), y = v_fetch(c->shapes->y, next);
    const vm rises = v_gt(v_dot(c->dx, c->dy, v_sub(x, c->x), v_sub(y, c->y)), zero);
    c->open = m_andnot(m_and(c->open, rises), v_eq(next, c->start));
    c->at = v_sel(c->open, next, c->at);
    c->x = v_sel(c->open, x, c->x);
    c->y = v_sel(c->open, y, c->y);
}

/* The same of one lane, to the end: a fetch of all takes longer than a few loads. */
LANE_FN uint32_t climb_alone(const large2 *p, unsigned lane, uint32_t start, real dx, real dy)
{
    const real *x = p->x[lane], *y = p->y[lane];
    const uint32_t count = (uint32_t)p->count[lane];
    uint32_t at = start;
    for (;;) {
        const uint32_t next = at + 1 < count ? at + 1 : 0;
        const vr ex = v_set(x[next] - x[at]), ey = v_set(y[next] - y[at]);
        if (next == start || !m_bits(v_gt(v_dot(v_set(dx), v_set(dy), ex, ey), v_set(0))))
            return at;
        at = next;
    }
}

/* The vertex of one lane's shape. That of a shape that would fit in lanes, paired with one that does not, is found
 * without ranges. */
LANE_FN uint32_t extreme_alone(const large2 *p, unsigned lane, vr range, vr dx, vr dy)
{
    real in[LANES], x[LANES], y[LANES];
    v_store(in, range);
    v_store(x, dx);
    v_store(y, dy);
    if (p->ranges[lane] > 0)
        return climb_alone(p, lane, (uint32_t)p->range[lane][(uint32_t)in[lane]], x[lane], y[lane]);
    return extreme_in_place(p->x[lane], (uint32_t)p->count[lane] / 4, x[lane], y[lane]);
}

/* Begins where the ranges of the directions do, in the lanes `live`. */
LANE_FN climb2 begin_climb(const large2 *p, unsigned live, vr dx, vr dy)
{
    const vr ranges = v_load(p->ranges), zero = v_set(0), range = v_mul(way_around(dx, dy), ranges);
    climb2 c = {.shapes = p, .dx = dx, .dy = dy, .open = v_gt(ranges, zero)};
    unsigned rest = live & ~m_bits(c.open);
    if (lane_count(live) == 1) {
        const unsigned l = (unsigned)__builtin_ctz(live);
        const uint32_t at = extreme_alone(p, l, range, dx, dy);
        c.at = v_set((real)at);
        c.x = v_set(p->x[l][at]);
        c.y = v_set(p->y[l][at]);
        c.open = v_lt(zero, zero);
        return c;
    }
    c.at = v_sel(c.open, v_fetch(p->range, range), zero);
    if (rest) {
        real at[LANES];
        v_store(at, c.at);
        for (; rest; rest &= rest - 1) {
            const unsigned l = (unsigned)__builtin_ctz(rest);
            at[l] = (real)extreme_alone(p, l, range, dx, dy);
        }
        c.at = v_load(at);
    }
    c.start = c.at;
    c.x = v_fetch(p->x, c.at);
    c.y = v_fetch(p->y, c.at);
    return c;
}

/* Takes points in their shapes' own axes to the frame. */
LANE_FN void place_points(const tile *t, vr *ax, vr *ay, vr *bx, vr *by)
{
    const vr x = *bx, y = *by;
    *ax = v_mul(*ax, t->a_scale);
    *ay = v_mul(*ay, t->a_scale);
    *bx = v_add(v_sub(v_mul(t->cs, x), v_mul(t->ss, y)), t->tx);
    *by = v_add(v_add(v_mul(t->ss, x), v_mul(t->cs, y)), t->ty);
}

/* A point inside of a shape that is not in lanes. */
LANE_FN void inside_in_place(const real *record, uint32_t quads, real *x, real *y)
{
    const uint32_t n = 4 * quads;
    const int in_record = quads > LANE_QUADS;
    *x = in_record ? record[2 * n] : (real)0.5 * (record[0] + record[n / 2]);
    *y = in_record ? record[2 * n + 1] : (real)0.5 * (record[n] + record[n + n / 2]);
}

/* Such points of both shapes, in the frame. */
LANE_FN void inside_points(const tile *t, vr *ax, vr *ay, vr *bx, vr *by)
{
    real x[LANES], y[LANES], u[LANES], w[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        inside_in_place(t->rec_a[l], t->quads_a[l], &x[l], &y[l]);
        inside_in_place(t->rec_b[l], t->quads_b[l], &u[l], &w[l]);
    }
    *ax = v_load(x);
    *ay = v_load(y);
    *bx = v_load(u);
    *by = v_load(w);
    place_points(t, ax, ay, bx, by);
}

/* Support of both shapes by their vertices: a extreme along (dx, dy), b against it, in the frame. */
LANE_FN void vertices_pair(const tile *t, int N, unsigned live, vr dx, vr dy, vr *ax, vr *ay, vr *bx, vr *by)
{
    if (N > 0) {
        extreme_vertex(t->ax, t->ay, N, dx, dy, ax, ay);
        extreme_vertex(t->bx, t->by, N, v_neg(dx), v_neg(dy), bx, by);
        return;
    }
    climb2 a = begin_climb(&t->large_a, live, dx, dy);
    const vr bx_along = v_neg(v_dot(t->c, t->s, dx, dy)), by_along = v_neg(v_cross(t->c, t->s, dx, dy));
    climb2 b = begin_climb(&t->large_b, live, bx_along, by_along);
    while (m_bits(m_or(a.open, b.open))) { /* both at once: a fetch takes long */
        climb_on(&a);
        climb_on(&b);
    }
    *ax = a.x;
    *ay = a.y;
    *bx = b.x;
    *by = b.y;
    place_points(t, ax, ay, bx, by);
}

/* Takes vectors of the frame to world axes, still in the frame's units. */
typedef struct turn2 {
    vr c, s;
} turn2;

LANE_FN turn2 world_turn(const tile *t)
{
    return (turn2){v_div(t->a_c, t->rho2), v_div(t->a_s, t->rho2)};
}

LANE_FN void to_world(const turn2 *r, vr x, vr y, vr *wx, vr *wy)
{
    *wx = v_sub(v_mul(r->c, x), v_mul(r->s, y));
    *wy = v_add(v_mul(r->s, x), v_mul(r->c, y));
}

/* The first direction of a warm start, in the frame; lanes without an axis keep theirs. */
LANE_FN vm warm_direction(const context *ctx, const tile *t, vr *dx, vr *dy)
{
    vr axis[4];
    vm known = load_axes(ctx, t->entry, axis);
    *dx = v_sel(known, v_dot(t->a_c, t->a_s, axis[0], axis[1]), *dx);
    *dy = v_sel(known, v_cross(t->a_c, t->a_s, axis[0], axis[1]), *dy);
    return known;
}

/* Notes separating axes that are known in the frame. */
LANE_CALL void note_directions(context *ctx, const tile *t, unsigned bits, vr dx, vr dy)
{
    vr axis[2];
    const turn2 local = {t->a_c, t->a_s};
    to_world(&local, dx, dy, &axis[0], &axis[1]);
    note_axes(ctx, t->entry, bits, axis);
}

#endif
