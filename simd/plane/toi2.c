/* Time of impact in 2D, batched: windows, tiles and records around toi2.h. Compiled once
 * per backend and precision; pairs are binned and spilled as in run2.c. */
#include "core/types.h"
#include "simd/curve_order.h"
#include "simd/plane/fallback/fallback2_body.h"
#include "simd/plane/fallback/fallback2_toi.h"
#include "simd/plane/toi2_groups.h"
#include "simd/plane/toi2_ray.h"

/* Rounds cost so much more than those of the ray that lanes which the ray leaves are packed first. */
#define SPARE_AFTER_RAY (LANES * 5 / 8)

/* ---- answers ---- */

/* Records of the lanes in `bits`, of one status: *front from the value on, *points. */
TILE_FN void write_records(const context *ctx, const moving_tile *m, unsigned bits, gjb_status status, vr iterations,
                           const vr front[3], const vr points[4])
{
#if GJB_BITS == 32
    uint32_t head[LANES];
#else
    uint64_t head[LANES];
#endif
    record spare[1]; /* target of lanes that are not written */
    real *to[LANES], *to_points[LANES], it[LANES], head_bits[LANES];
    v_store(it, iterations);
    for (unsigned l = 0; l < LANES; l++) {
        const int written = bits >> l & 1;
        head[l] = status | (uint32_t)(int)it[l] << 16;
        to[l] = (real *)(void *)(written ? result_of(ctx, ctx->pairs.all->pair[m->entry[l]]) : spare);
        to_points[l] = to[l] + 4;
        if (written && ctx->batch->stats)
            ctx->batch->stats->iterations[it[l] < 31 ? (int)it[l] : 31]++;
    }
    memcpy(head_bits, head, sizeof head);
    const vr all[4] = {v_load(head_bits), front[0], front[1], front[2]};
    v_store4t(all, to);
    v_store4t(points, to_points);
}

/* Writes the lanes in `bits`, which hit. */
LANE_FN void write_impacts(const context *ctx, const moving_tile *m, int turns, const advance2 *g, unsigned bits)
{
    const poses2 at = poses_at(m, turns, g->t);
    vr px, py, qx, qy, axx, axy, aqx, aqy;
    place(&at, &g->p, &px, &py);
    place(&at, &g->q, &qx, &qy);
    const nearest2 c = nearest_of(px, py, qx, qy);
    const vr length = v_sqrt(c.dd), zero = v_set(0);
    turn_out(at.ac, at.as, g->p.ax, g->p.ay, &axx, &axy);
    turn_out(at.ac, at.as, g->q.ax, g->q.ay, &aqx, &aqy);
    vr off = v_sub(length, m->radius);
    vr full = v_sqrt(v_dot(g->nx, g->ny, g->nx, g->ny)), nx = v_div(g->nx, full), ny = v_div(g->ny, full);
    vr ax = v_add(axx, v_mul(c.share, v_sub(aqx, axx))), ay = v_add(axy, v_mul(c.share, v_sub(aqy, axy)));
    ax = v_add(ax, v_mul(m->ra, nx));
    ay = v_add(ay, v_mul(m->ra, ny));
    vr bx = v_add(ax, v_mul(off, nx)), by = v_add(ay, v_mul(off, ny));
    vr front[3] = {g->t, nx, ny};
    vr points[4] = {v_mul(ax, m->grain), v_mul(ay, m->grain), v_mul(bx, m->grain), v_mul(by, m->grain)};
    for (int k = 0; k < 3; k++)
        front[k] = v_add(front[k], zero); /* x + 0 turns -0 into +0 */
    for (int k = 0; k < 4; k++)
        points[k] = v_add(points[k], zero);
    write_records(ctx, m, bits, GJB_HIT, g->iterations, front, points);
}

TILE_FN void write_statuses(const context *ctx, const moving_tile *m, unsigned bits, gjb_status status, vr iterations)
{
    real it[LANES];
    v_store(it, iterations);
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits);
        write_plain(ctx, ctx->pairs.all->pair[m->entry[l]], status, (unsigned)(int)it[l]);
    }
}

/* ---- warm start ---- */

LANE_FN void start_warm(const context *ctx, const moving_tile *m, vm begun, advance2 *g)
{
    vr axis[4];
    const vm known = m_andnot(load_axes(ctx, m->entry, axis), begun);
    const vr length = v_sqrt(v_dot(axis[0], axis[1], axis[0], axis[1]));
    g->ux = g->nx = g->sx = v_sel(known, v_div(axis[0], length), g->nx);
    g->uy = g->ny = g->sy = v_sel(known, v_div(axis[1], length), g->ny);
}

/* ---- the fallback path ---- */

static fallback_mover widen_mover(const context *ctx, const real *rec, uint32_t body, double *x)
{
    const shape_meta *meta = meta_of(ctx->library, ctx->batch, body);
    const real *pose = pose_of(ctx->batch, body);
    fallback_mover out = {.at = widen_body(rec, meta, pose, x), .extent = (double)meta->extent};
    if (ctx->batch->motions) {
        const real *m = motion_of(ctx->batch, body);
        out.dx = (double)m[0];
        out.dy = (double)m[1];
        out.angle = (double)m[2];
    }
    return out;
}

/* All arithmetic is in fallback2_toi.c, compiled once; here numbers are only moved. */
static void fallback_pair(context *ctx, unsigned entry, unsigned iterations)
{
    const sources *all = ctx->pairs.all;
    const unsigned pair = all->pair[entry];
    const size_t room = 8 * (size_t)ctx->library->max_quads; /* x and y of one shape */
    fallback_mover a = widen_mover(ctx, all->rec_a[entry], all->body_a[entry], ctx->fallback);
    fallback_mover b = widen_mover(ctx, all->rec_b[entry], all->body_b[entry], ctx->fallback + room);
    fallback_impact got;
    gjb_fallback2_toi(&a, &b, (double)REAL_EPSILON, ctx->fallback + 2 * room, &got);
    if (ctx->batch->stats)
        ctx->batch->stats->fallback++;
    if (is_warm(ctx))
        note_axis(ctx, pair, got.answer.normal);
    if (got.status != GJB_HIT) {
        write_plain(ctx, pair, got.status, iterations);
        return;
    }
    record r;
    memset(&r, 0, sizeof r);
    r.value = (real)got.t;
    if ((double)r.value > got.t) /* round down: the number before a positive one */
        r.value = r.value * (1 - 2 * REAL_EPSILON);
    for (int k = 0; k < 2; k++) {
        r.normal[k] = (real)got.answer.normal[k] + 0;
        r.point_a[k] = (real)got.answer.a[k] + 0;
        r.point_b[k] = (real)got.answer.b[k] + 0;
    }
    memcpy(result_of(ctx, pair), &r, sizeof r);
    write_head(ctx, pair, GJB_HIT, iterations);
}

/* ---- a bin ---- */

LANE_FN void toi_finish(context *ctx, const moving_tile *m, int turns, const advance2 *g, const toi_done *done)
{
    if (done->hit)
        write_impacts(ctx, m, turns, g, done->hit);
    if (done->overlapping)
        write_statuses(ctx, m, done->overlapping, GJB_OVERLAPPING, g->iterations);
    if (done->separated)
        write_statuses(ctx, m, done->separated, GJB_SEPARATED, g->iterations);
    if (is_warm(ctx)) {
        const vr axis[2] = {g->nx, g->ny};
        note_axes(ctx, m->entry, done->hit | done->separated, axis);
    }
    if (done->doubtful) {
        real it[LANES];
        v_store(it, g->iterations);
        for (unsigned bits = done->doubtful; bits; bits &= bits - 1) {
            const unsigned l = (unsigned)__builtin_ctz(bits);
            fallback_pair(ctx, m->entry[l], (unsigned)(int)it[l]);
        }
    }
}

/* `turns`: every pair has a body that turns; else no body turns. */
LANE_FN void toi_bin(context *ctx, int N, int turns, const uint16_t *idx, unsigned first, unsigned end)
{
    moving_tile m;
    tile_curves curves;
    advance2 g;
    memset(&g, 0, sizeof g);
    feed f = {.idx = idx, .next = first, .end = end, .keeps = ctx->keeps};
    turn now;
    while (next_turn(ctx, &f, &g.p.ax, ADVANCE_REALS, &g.iterations, &now)) {
        pack_motions(&m, ctx, now.idx, now.first, now.n);
        if (N < 0)
            pack_moving_curves(&m, &curves, ctx, N);
        else
            pack_moving_vertices(&m, N, ctx->uniform);
        int spare = now.spare;
        toi_done done = {.live = lanes_below(now.n) & m_bits(m.valid), .alive = m.valid};
        if (!now.resumed) {
            if (lanes_below(now.n) & ~done.live)
                write_statuses(ctx, &m, lanes_below(now.n) & ~done.live, GJB_INVALID_INPUT, v_set(0));
            vm begun = m_andnot(m.valid, m.valid);
            if (N > 0 && !ctx->rounded) {
                begun = ray_run(&m, ctx, N, turns, &g, &done);
                spare = SPARE_AFTER_RAY;
            }
            if (done.live & ~m_bits(begun)) {
                toi_start(&m, begun, &g);
                if (is_warm(ctx))
                    start_warm(ctx, &m, begun, &g);
            }
        }
        toi_run(&m, ctx, N, turns, spare, &g, &done);
        toi_finish(ctx, &m, turns, &g, &done);
        if (done.live)
            push_lanes(ctx, m.entry, done.live, &g.p.ax, ADVANCE_REALS, g.iterations);
    }
}

typedef void toi_fn(context *ctx, const uint16_t *idx, unsigned first, unsigned end);
/* TOI(8, 8) defines toi_8 and toi_turning_8: toi_bin with N = 8, for pairs that do not turn and for those
 * that do. The loop of the first has no code of the second. Sizes as for METHOD in run2.c. */
#define TOI(size, N)                                                                                             \
    static void toi_##size(context *ctx, const uint16_t *idx, unsigned first, unsigned end)                      \
    {                                                                                                            \
        toi_bin(ctx, N, 0, idx, first, end);                                                                     \
    }                                                                                                            \
    static void toi_turning_##size(context *ctx, const uint16_t *idx, unsigned first, unsigned end)              \
    {                                                                                                            \
        toi_bin(ctx, N, 1, idx, first, end);                                                                     \
    }
TOI(4, 4)
TOI(8, 8)
TOI(blocks, in_moving_blocks(ctx))
TOI(big, 0)
TOI(curved, in_curves(ctx))

static const struct size_row {
    int vertices;   /* in lanes; 0: scanned in place; or which curves */
    toi_fn *bin[2]; /* for pairs that do not turn, and for those that do */
} sizes[] = {{4, {toi_4, toi_turning_4}},
             {8, {toi_8, toi_turning_8}},
             {16, {toi_blocks, toi_turning_blocks}},
             {32, {toi_blocks, toi_turning_blocks}},
             {0, {toi_big, toi_turning_big}},
             [SIZE_64] = {64, {toi_blocks, toi_turning_blocks}},
             [SIZE_CURVED] = {ANY_CURVE, {toi_curved, toi_turning_curved}},
             [SIZE_CURVED + 1] = {LARGE_CURVE, {toi_curved, toi_turning_curved}}};

gjb_bin KERNEL(gjb_toi2_bin);

void KERNEL(gjb_toi2_bin)(void *context_, unsigned bin, const uint16_t *idx, unsigned first, unsigned end)
{
    context *ctx = context_;
    const struct size_row *size = &sizes[bin / 4];
    ctx->vertices = size->vertices;
    ctx->uniform = bin & 1;
    ctx->rounded = bin >> 1 & 1;
    size->bin[ctx->turning](ctx, idx, first, end);
}

/* Pairs with a shape scanned in place are run separately. */
static void run_curved(context *ctx, unsigned first, unsigned end)
{
    uint16_t order[WINDOW];
    const unsigned count = end - first, large = order_curved(ctx, first, end, order);
    ctx->uniform = 0;
    ctx->rounded = 1;
    for (int k = 0; k < 2; k++) {
        ctx->vertices = sizes[SIZE_CURVED + k].vertices;
        sizes[SIZE_CURVED + k].bin[ctx->turning](ctx, order, k ? count - large : 0, k ? count : count - large);
    }
}

static void run_group(context *ctx, leftovers2 *left, unsigned bin, unsigned first, unsigned end, int more)
{
    if (more)
        serve_leftovers(ctx, left); /* of other bins, before lanes of this one wait */
    if (bin >= BIN_INVALID)
        for (unsigned i = first; i < end; i++)
            write_plain(ctx, ctx->pairs.all->pair[i], GJB_INVALID_INPUT, 0);
    else if (bin / 4 == SIZE_CURVED)
        run_curved(ctx, first, end);
    else
        serve_group(ctx, KERNEL(gjb_toi2_bin), left, bin, first, end, more);
}

/* Serves the window of the chunk's entries at .. end - 1. Returns how many are done: all, but for less than a tile of a
 * group that goes on. */
static unsigned run_window(context *ctx, const groups2 *g, unsigned at, unsigned end)
{
    leftovers2 left;
    unsigned done = at;
    left.small[0].count = left.small[1].count = 0;
    for (uint64_t used = g->used; used && done < end; used &= used - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(used), to = g->end[k] < end ? g->end[k] : end;
        const int more = g->end[k] > end, turning = k >= BIN_ROWS;
        if (to <= done)
            continue;
        if (turning != ctx->turning)
            serve_leftovers(ctx, &left);
        ctx->turning = turning;
        const unsigned rest = more && k % BIN_ROWS < 4 * SIZE_CURVED ? (to - done) % LANES : 0;
        run_group(ctx, &left, k % BIN_ROWS, done - at, to - rest - at, more);
        done = to - rest;
        if (rest)
            break;
    }
    serve_leftovers(ctx, &left);
    return done - at;
}

static void run_chunk(context *ctx, size_t first, unsigned count)
{
    const gjb_library *library = ctx->library;
    const gjb_batch *batch = ctx->batch;
    window *w = &ctx->pairs;
    groups2 g;
    sort_moving(w, library, batch, first, count, &g);
    if (is_warm(ctx))
        take_window_axes(ctx, count);
    for (unsigned at = 0; at < count;) {
        const unsigned end = count - at < WINDOW ? count : at + WINDOW;
        find_window(&w->given, library, batch, batch->pairs + 2 * first, w->order + at, end - at, library->far,
                    library->alike);
        at += run_window(ctx, &g, at, end);
    }
    if (is_warm(ctx))
        return_window_axes(ctx, count);
}

void KERNEL(gjb_toi2)(const void *prepared, const gjb_batch *batch);
void KERNEL(gjb_toi2)(const void *prepared, const gjb_batch *batch)
{
    context *ctx = begin_run(prepared, batch);
    ctx->keeps = ctx->turning = 0;
    const size_t most = is_warm(ctx) ? WINDOW : CHUNK; /* axes are kept for a window at a time */
    for (size_t first = 0; first < batch->pair_count; first += most) {
        const size_t left = batch->pair_count - first;
        run_chunk(ctx, first, (unsigned)(left < most ? left : most));
    }
}
