/* The batched 2D queries: compiled once per backend and precision.
 *
 * Pairs are taken in windows, binned by padded size and by whether they have a
 * radius, and run in tiles. The choices for a pair (bin, method, caps)
 * depend only on the pair, so its answer is the same in any lane, batch,
 * thread and backend.
 */
#include "simd/curve_order.h"
#include "simd/plane/depth_bin2.h"
#include "simd/plane/sat2.h"

/* ---- the three methods over one bin ---- */

/* `e` and `done` by value: taking their addresses would keep them in memory, even in the loops. */
TILE_FN void boolean_finish(context *ctx, const tile *t, int N, edge2 e, lanes_done done)
{
    real it[LANES];
    if (is_warm(ctx)) /* the edge is still that of the last support */
        note_directions(ctx, t, done.separated & ~done.noted, v_sub(e.py, e.qy), v_sub(e.qx, e.px));
    v_store(it, e.iterations);
    if (writes_whole(ctx, t)) {
        write_heads(ctx, t->entry, t->in_order, done.overlapping, e.iterations);
    } else {
        write_status(ctx, t, done.separated, GJB_SEPARATED, it);
        write_status(ctx, t, done.overlapping, GJB_OVERLAPPING, it);
    }
    if (done.doubtful) {
        real toward[2][LANES]; /* across the edge that the origin is on, up to rounding */
        v_store(toward[0], v_sub(e.py, e.qy));
        v_store(toward[1], v_sub(e.qx, e.px));
        fallback_lanes(ctx, t, done.doubtful, it, N == 0 ? (const real(*)[LANES])toward : NULL);
    }
    if (LANES > 1 && done.live)
        push_lanes(ctx, t->entry, done.live, &e.px, 4, e.iterations);
}

LANE_FN void boolean_bin(context *ctx, int N, const uint16_t *idx, unsigned first, unsigned end)
{
    tile t;
    const vr zero = v_set(0);
    edge2 e = {zero, zero, zero, zero, zero}, spilled = e;
    feed f = {.idx = idx, .next = first, .end = end};
    turn now;
    while (next_turn(ctx, &f, &spilled.px, 4, &spilled.iterations, &now)) {
        pack_tile(&t, ctx, now.idx, now.first, now.n, N);
        lanes_done done = {0, 0, 0, lanes_below(now.n), t.in_use, m_andnot(t.in_use, t.in_use), 0};
        if (now.resumed) {
            e = spilled;
        } else {
            done.live = refuse_invalid(ctx, &t, now.n);
            done.alive = t.valid;
            boolean_start(&t, ctx, N, &e, &done);
        }
        boolean_run(&t, ctx, N, now.spare, &e, &done);
        boolean_finish(ctx, &t, N, e, done);
    }
}

/* The point that proves the distance, of which vx, vy and t are set. A single lane ends with the last that was found,
 * unless it was apart from the start. */
LANE_FN closest2 proven_point(const segment2 *g, unsigned noted)
{
#if LANES == 1
    if (!noted)
        return (closest2){.vx = g->vx, .vy = g->vy, .t = g->t};
#endif
    (void)noted;
    return closest_point(g);
}

/* Cores apart by a proven distance. `noted`: lanes that were apart from the start. */
LANE_FN answer2 apart_answer(const tile *t, const segment2 *g, unsigned noted)
{
    const turn2 world = world_turn(t);
    const closest2 c = proven_point(g, noted);
    answer2 r;
    vr vx, vy;
    to_world(&world, c.vx, c.vy, &vx, &vy);
    r.sigma = v_sqrt(v_dot(vx, vy, vx, vy));
    r.nx = v_neg(v_div(vx, r.sigma));
    r.ny = v_neg(v_div(vy, r.sigma));
    vr ax = v_add(g->pax, v_mul(c.t, v_sub(g->qax, g->pax))), ay = v_add(g->pay, v_mul(c.t, v_sub(g->qay, g->pay)));
    vr bx = v_add(g->pbx, v_mul(c.t, v_sub(g->qbx, g->pbx))), by = v_add(g->pby, v_mul(c.t, v_sub(g->qby, g->pby)));
    to_world(&world, ax, ay, &r.ax, &r.ay);
    to_world(&world, bx, by, &r.bx, &r.by);
    add_radii(t, &r);
    return r;
}

/* Writes lanes whose gap along (nx, ny), from A to B, is more than matters: with that gap, that axis and no points. */
LANE_CALL void write_beyond(context *ctx, const tile *t, unsigned beyond, vr nx, vr ny, vr gap, const real *it)
{
    const turn2 world = world_turn(t);
    const vr zero = v_set(0);
    answer2 r = {.sigma = gap, .ax = zero, .ay = zero, .bx = zero, .by = zero};
    vr x, y;
    to_world(&world, nx, ny, &x, &y);
    const vr length = v_sqrt(v_dot(x, y, x, y));
    r.nx = v_div(x, length);
    r.ny = v_div(y, length);
    add_radii(t, &r);
    r.sigma = v_max(r.sigma, v_set(just_beyond(ctx)));
    r.ax = r.ay = r.bx = r.by = zero;
    write_answers(ctx, t, beyond, &r, it, 0);
}

/* Lanes that are further apart than matters say so, and have no points. */
LANE_FN void leave_beyond(const context *ctx, const tile *t, const segment2 *g, unsigned noted, answer2 *r)
{
    if (!(distance_limit(ctx) > 0))
        return;
    const closest2 c = proven_point(g, noted);
    const vm beyond = is_beyond(v_dot(c.vx, c.vy, c.vx, c.vy), t->bar);
    const vr zero = v_set(0);
    r->sigma = v_sel(beyond, v_set(just_beyond(ctx)), r->sigma);
    r->ax = v_sel(beyond, zero, r->ax);
    r->ay = v_sel(beyond, zero, r->ay);
    r->bx = v_sel(beyond, zero, r->bx);
    r->by = v_sel(beyond, zero, r->by);
}

/* Cores that overlap, or touch, along the best axis. */
LANE_FN answer2 overlap_answer(const tile *t, int N, const axis2 *best, vm *torn)
{
    const turn2 world = world_turn(t);
    answer2 r;
    vr ax, ay, bx, by, nx, ny, zero = v_set(0);
    *torn = overlap_witness(t, N, best, &ax, &ay, &bx, &by);
    to_world(&world, best->nx, best->ny, &nx, &ny);
    vr length = v_sqrt(v_dot(nx, ny, nx, ny));
    r.nx = v_div(nx, length);
    r.ny = v_div(ny, length);
    r.sigma = v_min(best->gap, zero);
    to_world(&world, ax, ay, &r.ax, &r.ay);
    to_world(&world, bx, by, &r.bx, &r.by);
    add_radii(t, &r);
    return r;
}

/* A gap that is more than the limit by less may be so by rounding. */
#define LIMIT_DOUBT (64 * REAL_EPSILON)

/* Both, of a whole tile of which `live` are valid: `overlapping`, and those apart by more than matters. Others are
 * written again. Returns those that are left to the distance; *lost are those whose points are torn. */
LANE_FN unsigned write_limited(context *ctx, const tile *t, int N, const axis2 *best, unsigned overlapping,
                               unsigned live, const real *it, unsigned *lost)
{
    const vr zero = v_set(0);
    const vm far = v_gt(best->gap, v_add(t->bar, v_set(LIMIT_DOUBT)));
    answer2 r = {zero, zero, zero, zero, zero, zero, zero};
    vm torn = v_gt(zero, zero);
    if (overlapping) {
        r = overlap_answer(t, N, best, &torn);
    } else {
        const turn2 world = world_turn(t);
        vr x, y;
        to_world(&world, best->nx, best->ny, &x, &y);
        const vr by = v_sqrt(v_dot(x, y, x, y));
        r.nx = v_div(x, by);
        r.ny = v_div(y, by);
    }
    const vr apart = v_sub(v_mul(best->gap, t->grain), v_add(t->ra, t->rb));
    r.sigma = v_sel(far, v_max(apart, v_set(just_beyond(ctx))), r.sigma);
    r.ax = v_sel(far, zero, r.ax);
    r.ay = v_sel(far, zero, r.ay);
    r.bx = v_sel(far, zero, r.bx);
    r.by = v_sel(far, zero, r.by);
    write_records(ctx, t, &r, t->in_use, overlapping, it);
    *lost = m_bits(torn) & overlapping;
    return live & ~(overlapping | m_bits(far));
}

/* Handles lanes whose cores overlap. That is the answer, or the depth is found by another method: axes, or depths of
 * curves if N < 0. `whole`: the records of all lanes have been written, with these as overlapping. */
LANE_FN void finish_overlapping(context *ctx, const tile *t, int N, unsigned overlapping, int whole, const real *it)
{
    const gjb_query query = ctx->batch->query;
    if (query == GJB_INTERSECT || query == GJB_DISTANCE) {
        if (!whole)
            write_status(ctx, t, overlapping, GJB_OVERLAPPING, it);
    } else if (query == GJB_PENETRATION && N > 0) {
        write_fallback(ctx, t, overlapping, it); /* the axes ran first, and found these apart: one of the two errs */
    } else {
        hand_on(ctx, t->entry, overlapping);
    }
}

/* Distance queries: writes answers of lanes that are apart; those that overlap, see above. Doubtful lanes
 * go to the fallback path, and unfinished ones are kept for another tile. */
TILE_FN void distance_finish(context *ctx, const tile *t, int N, segment2 g, lanes_done done)
{
    real it[LANES];
    gjb_query query = ctx->batch->query;
    v_store(it, g.iterations);
    if (notes_separation(ctx)) {
        const closest2 c = closest_point(&g);
        note_directions(ctx, t, done.separated & ~done.noted, v_neg(c.vx), v_neg(c.vy));
    }
    const int whole = writes_whole(ctx, t) && query != GJB_PENETRATION;
    if (whole && query == GJB_INTERSECT) {
        write_heads(ctx, t->entry, t->in_order, done.overlapping, g.iterations);
    } else if (whole) {
        answer2 r = apart_answer(t, &g, done.noted);
        leave_beyond(ctx, t, &g, done.noted, &r);
        vm beyond = v_gt(r.sigma, v_set(0));
        vm defined = query == GJB_DISTANCE ? m_and(done.apart, beyond) : done.apart;
        write_records(ctx, t, &r, defined, done.overlapping | ~m_bits(beyond), it);
    } else if (query == GJB_INTERSECT) {
        write_status(ctx, t, done.separated, GJB_SEPARATED, it);
    } else if (done.separated) {
        answer2 r = apart_answer(t, &g, done.noted);
        leave_beyond(ctx, t, &g, done.noted, &r);
        write_answers(ctx, t, done.separated, &r, it, 0);
    }
    finish_overlapping(ctx, t, N, done.overlapping, whole, it);
    write_fallback(ctx, t, done.doubtful, it);
    if (LANES > 1 && done.live)
        push_lanes(ctx, t->entry, done.live, &g.pax, STATE_REALS, g.iterations);
}

LANE_FN void distance_bin(context *ctx, int N, const uint16_t *idx, unsigned first, unsigned end)
{
    tile t;
    tile_curves curves;
    const vr zero = v_set(0);
    segment2 g = {.iterations = zero}, spilled = {zero, zero, zero, zero, zero, zero, zero, zero, .iterations = zero};
    feed f = {.idx = idx, .next = first, .end = end};
    turn now;
    const gjb_query query = ctx->batch->query;
    const int prune_apart = apart_pruning(ctx);
    const int prune_within = query == GJB_INTERSECT || query == GJB_DISTANCE;
    while (next_turn(ctx, &f, &spilled.pax, STATE_REALS, &spilled.iterations, &now)) {
        if (N >= 0) {
            pack_tile(&t, ctx, now.idx, now.first, now.n, N);
        } else {
            pack_poses(&t, ctx, now.idx, now.first, now.n);
            pack_curves(&t, &curves, ctx, N);
        }
        lanes_done done = {0, 0, 0, lanes_below(now.n), t.in_use, m_andnot(t.in_use, t.in_use), 0};
        if (now.resumed) {
            g = spilled;
        } else {
            done.live = refuse_invalid(ctx, &t, now.n);
            done.alive = t.valid;
            distance_start(&t, ctx, N, prune_apart, &g, &done);
        }
        distance_run(&t, ctx, N, now.spare, prune_apart, prune_within, &g, &done);
        distance_finish(ctx, &t, N, g, done);
    }
}

/* Axes: penetration, and the overlapping side of the signed distance. Cores
 * apart along an axis but within their radii go to the distance. */
LANE_FN void axes_bin(context *ctx, int N, const uint16_t *idx, unsigned first, unsigned end)
{
    const int known_overlapping = ctx->resolving;
    tile t;
    real it[LANES];
    for (unsigned k = first; k < end; k += LANES) {
        unsigned n = end - k < LANES ? end - k : LANES;
        pack_tile(&t, ctx, idx ? idx + k : NULL, k, n, N);
        unsigned live = refuse_invalid(ctx, &t, n);
        count_work(ctx, live);
        const int limited = !known_overlapping && distance_limit(ctx) > 0;
        /* those apart are written without an axis, or go on; but as an axis to begin with it has to be one that does
         * not depend on the other lanes */
        const int hasty = !known_overlapping && !(limited && is_warm(ctx));
        axis2 best = t.uniform ? largest_gap(&t, N, 1, live, hasty) : largest_gap(&t, N, 0, live, hasty);
        v_store(it, v_set(1));
        /* A gap within rounding of zero decides nothing: cores may be apart corner to
         * corner, and no edge normal shows it. The distance decides; if it has
         * already found that the cores meet, a wide gap contradicts it. */
        vr doubt = v_set(known_overlapping ? 64 * REAL_EPSILON : -32 * REAL_EPSILON);
        unsigned apart = m_bits(v_gt(best.gap, doubt)) & live, overlapping = live & ~apart;
        if (limited && writes_whole(ctx, &t)) {
            unsigned lost;
            const unsigned rest = write_limited(ctx, &t, N, &best, overlapping, live, it, &lost);
            write_fallback(ctx, &t, lost, it);
            hand_on(ctx, t.entry, rest);
            continue;
        }
        if (apart && known_overlapping) {
            write_fallback(ctx, &t, apart, it);
        } else if (apart) {
            unsigned beyond = apart & m_bits(v_gt(best.gap, limited ? v_add(t.bar, v_set(LIMIT_DOUBT)) : t.bar));
            if (limited && beyond)
                write_beyond(ctx, &t, beyond, best.nx, best.ny, best.gap, it);
            else if (!writes_whole(ctx, &t) || !overlapping)
                write_status(ctx, &t, beyond, GJB_SEPARATED, it);
            /* without radius it is within rounding of touching: the distance would not decide either */
            const unsigned sharp = limited ? 0 : m_bits(v_eq(t.radius, v_set(0))) & apart & ~beyond;
            write_fallback(ctx, &t, sharp, it);
            hand_on(ctx, t.entry, apart & ~(beyond | sharp));
        }
        if (!overlapping)
            continue;
        vm torn;
        answer2 r = overlap_answer(&t, N, &best, &torn);
        unsigned lost = m_bits(torn) & overlapping;
        if (writes_whole(ctx, &t) && !known_overlapping)
            write_records(ctx, &t, &r, v_le(best.gap, doubt), overlapping, it);
        else
            write_answers(ctx, &t, overlapping & ~lost, &r, it, 1);
        write_fallback(ctx, &t, lost, it);
    }
}

/* ---- a window ---- */

typedef void bin_fn(context *, const uint16_t *idx, unsigned first, unsigned end);

/* METHOD(axes, 8, 8) defines the bin_fn axes_8: axes_bin with N = 8. The sizes are suffixes, each with its N:
 *   4, 8     as many vertices: a constant, by which the compiler unrolls
 *   blocks   16 or 32: a loop over blocks of 8
 *   big      0: shapes scanned in place, of any number
 *   curved   less than 0: pairs with a curve, by distance alone
 * `sizes` and run_curved choose among them. Whether a start is warm, and whether a curve's partner is scanned
 * in place, is decided at run time: separate functions would double the code. */
#define METHOD(method, size, N)                                                                                  \
    static void method##_##size(context *c, const uint16_t *i, unsigned f, unsigned e)                           \
    {                                                                                                            \
        method##_bin(c, N, i, f, e);                                                                             \
    }
METHOD(boolean, 4, 4)
METHOD(boolean, 8, 8)
METHOD(boolean, blocks, in_blocks(c))
METHOD(distance, 4, 4)
METHOD(distance, 8, 8)
METHOD(distance, blocks, in_blocks(c))
METHOD(axes, 4, 4)
METHOD(axes, 8, 8)
METHOD(axes, blocks, in_blocks(c))

#ifndef GJB_LANES_SINGLE
METHOD(boolean, big, 0)
METHOD(distance, big, 0)
METHOD(axes, big, 0)
METHOD(distance, curved, in_curves(c))

/* Pairs with a shape scanned in place are run separately. */
static void run_curved(context *ctx, unsigned first, unsigned end)
{
    uint16_t order[WINDOW];
    const unsigned large = order_curved(ctx, first, end, order);
    ctx->uniform = 0;
    ctx->rounded = 1;
    ctx->listed = 0;
    ctx->vertices = ANY_CURVE;
    distance_curved(ctx, order, 0, end - first - large);
    depth_list(ctx, ANY_CURVE);
    ctx->vertices = LARGE_CURVE;
    distance_curved(ctx, order, end - first - large, end - first);
    depth_list(ctx, LARGE_CURVE);
}
#endif

static const struct size_row {
    int vertices; /* in lanes; 0: scanned in place */
    bin_fn *boolean, *distance, *axes;
} sizes[] = {
    {4, boolean_4, distance_4, axes_4},
    {8, boolean_8, distance_8, axes_8},
    {16, boolean_blocks, distance_blocks, axes_blocks},
    {32, boolean_blocks, distance_blocks, axes_blocks},
#ifndef GJB_LANES_SINGLE
    {0, boolean_big, distance_big, axes_big},
#endif
};

/* Signed distances up to a limit: axes show which pairs overlap, and which are too far apart to matter. Of all sizes, as
 * a pair may be served with larger ones. */
LANE_FN void sort_by_axes(context *ctx, const struct size_row *size, const uint16_t *idx, unsigned first, unsigned end)
{
    uint16_t rest[WINDOW];
    ctx->resolving = 0;
    size->axes(ctx, idx, first, end);
    const unsigned count = ctx->listed;
    memcpy(rest, ctx->list, count * sizeof *rest);
    ctx->listed = 0;
    if (count)
        size->distance(ctx, rest, 0, count);
}

/* But curves. */
LANE_FN void serve_bin(context *ctx, unsigned bin, const uint16_t *idx, unsigned first, unsigned end)
{
    const struct size_row *size = &sizes[bin / 4];
    const int rounded = (bin >> 1 & 1) || added_radius(ctx) > 0;
    ctx->listed = 0;
    ctx->vertices = size->vertices;
    ctx->uniform = bin & 1;
    ctx->rounded = rounded;
    switch (ctx->batch->query) {
    case GJB_INTERSECT:
        (rounded ? size->distance : size->boolean)(ctx, idx, first, end);
        break;
    case GJB_PENETRATION:
        if (size->vertices > 0) {
            ctx->resolving = 0;
            size->axes(ctx, idx, first, end);
            if (ctx->listed)
                size->distance(ctx, ctx->list, 0, ctx->listed);
            break;
        }
        __attribute__((fallthrough)); /* of many axes, to try all costs more than to find that shapes are apart */
    case GJB_SIGNED_DISTANCE:
        if (distance_limit(ctx) > 0 && size->vertices > 0)
            sort_by_axes(ctx, size, idx, first, end);
        else
            size->distance(ctx, idx, first, end);
        ctx->resolving = 1;
        if (ctx->listed)
            size->axes(ctx, ctx->list, 0, ctx->listed);
        break;
    default:
        size->distance(ctx, idx, first, end);
        break;
    }
    if (ctx->doubtful_count)
        decide_doubtful(ctx);
}

gjb_bin KERNEL(gjb_bin2);
#ifndef GJB_LANES_SINGLE
gjb_bin KERNEL(gjb_toi2_bin); /* toi2.c */
#endif

/* A bin of curves has no `idx`, unless they move. */
void KERNEL(gjb_bin2)(void *context_, unsigned bin, const uint16_t *idx, unsigned first, unsigned end)
{
    context *ctx = context_;
#ifndef GJB_LANES_SINGLE
    if (ctx->batch->query == GJB_TOI) {
        KERNEL(gjb_toi2_bin)(ctx, bin, idx, first, end);
        return;
    }
    if (bin / 4 == SIZE_CURVED) {
        run_curved(ctx, first, end);
        return;
    }
#endif
    serve_bin(ctx, bin, idx, first, end);
}

#if LANES == 1
/* Lanes are of no use to pairs with a curve, or too large for lanes: these are the backend's. */
static void run_one(context *ctx, size_t pair)
{
    const gjb_library *library = ctx->library;
    const unsigned bin = fill_one(&ctx->pairs, library, ctx->batch, pair);
    if (is_warm(ctx))
        take_window_axes(ctx, 1);
    if (bin < 4 * SIZE_BIG)
        serve_bin(ctx, bin, NULL, 0, 1);
    else if (bin < BIN_INVALID)
        library->backend->bin[2][library->precision](ctx, bin, NULL, 0, 1);
    else
        write_plain(ctx, 0, GJB_INVALID_INPUT, 0);
    if (is_warm(ctx))
        return_window_axes(ctx, 1);
}

void KERNEL(gjb_few2)(const void *prepared, const gjb_batch *batch)
{
    context *ctx = begin_run(prepared, batch);
    for (size_t pair = 0; pair < batch->pair_count; pair++)
        run_one(ctx, pair);
}
#endif

#ifndef GJB_LANES_SINGLE
void KERNEL(gjb_toi2)(const void *prepared, const gjb_batch *batch); /* toi2.c */

void KERNEL(gjb_run2)(const void *prepared, const gjb_batch *batch)
{
    if (batch->query == GJB_TOI) {
        KERNEL(gjb_toi2)(prepared, batch);
        return;
    }
    context *ctx = begin_run(prepared, batch);
    if (serve_mixed(ctx, KERNEL(gjb_bin2)))
        return;
    window *w = &ctx->pairs;
    walk walk = {0};
    for (unsigned count; (count = next_window(w, &walk, prepared, batch)) > 0;) {
        if (batch->axes)
            take_window_axes(ctx, count);
        serve_bins(ctx, KERNEL(gjb_bin2));
        if (w->start[4 * SIZE_CURVED + 4] > w->start[4 * SIZE_CURVED])
            run_curved(ctx, w->start[4 * SIZE_CURVED], w->start[4 * SIZE_CURVED + 4]);
        for (unsigned i = w->start[BIN_INVALID]; i < count; i++)
            write_plain(ctx, w->all->pair[i], GJB_INVALID_INPUT, 0);
        if (batch->axes)
            return_window_axes(ctx, count);
    }
}
#endif

#if defined(GJB_LANES_SCALAR) && !defined(GJB_LANES_SINGLE)
size_t CONTEXT_BYTES(void)
{
    return sizeof(context);
}
#endif
