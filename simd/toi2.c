/* Time of impact in 2D, batched: windows, tiles and records around toi2.h. Compiled once
 * per backend and precision; pairs are binned and spilled as in run2.c. */
#include "core/types.h"
#include "simd/careful_toi2.h"
#include "simd/toi2.h"

/* ---- answers ---- */

/* Of lanes in `bits`; vectors of those that hit. */
LANE_FN void write_impacts(const context *ctx, const moving_tile *m, const advance2 *g, unsigned bits)
{
    const poses2 at = poses_at(m, g->t);
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
    const vr field[7] = {g->t, nx, ny, v_mul(ax, m->grain), v_mul(ay, m->grain), v_mul(bx, m->grain), v_mul(by, m->grain)};
    real o[7][LANES], it[LANES];
    for (int k = 0; k < 7; k++)
        v_store(o[k], v_add(field[k], zero)); /* x + 0 turns -0 into +0 */
    v_store(it, g->iterations);
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits), pair = ctx->pairs.all->pair[m->entry[l]];
        record out;
        memset(&out, 0, sizeof out);
        out.value = o[0][l];
        for (int k = 0; k < 2; k++) {
            out.normal[k] = o[1 + k][l];
            out.point_a[k] = o[3 + k][l];
            out.point_b[k] = o[5 + k][l];
        }
        memcpy(result_of(ctx, pair), &out, sizeof out);
        write_head(ctx, pair, GJB_HIT, (unsigned)(int)it[l]);
    }
}

LANE_FN void write_statuses(const context *ctx, const moving_tile *m, unsigned bits, gjb_status status, vr iterations)
{
    real it[LANES];
    v_store(it, iterations);
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits);
        write_plain(ctx, ctx->pairs.all->pair[m->entry[l]], status, (unsigned)(int)it[l]);
    }
}

/* ---- warm start ---- */

LANE_FN void start_warm(const context *ctx, const moving_tile *m, advance2 *g)
{
    vr axis[4];
    const vm known = load_axes(ctx, m->entry, axis);
    const vr length = v_sqrt(v_dot(axis[0], axis[1], axis[0], axis[1]));
    g->ux = g->nx = g->sx = v_sel(known, v_div(axis[0], length), g->nx);
    g->uy = g->ny = g->sy = v_sel(known, v_div(axis[1], length), g->ny);
}

/* ---- the careful path ---- */

static careful_mover widen(const context *ctx, const real *rec, uint32_t body, double *x)
{
    const shape_meta *meta = meta_of(ctx->library, ctx->batch, body);
    const real *pose = pose_of(ctx->batch, body);
    const uint32_t n = 4u * meta->quads;
    for (uint32_t i = 0; i < 2 * n; i++)
        x[i] = (double)rec[i];
    careful_mover out = {.at = {x, x + n, n, (double)pose[0], (double)pose[1], (double)pose[2], (double)pose[3],
                                (double)meta->radius},
                         .extent = (double)meta->extent};
    if (ctx->batch->motions) {
        const real *m = (const real *)((const char *)ctx->batch->motions + body * ctx->batch->motion_stride);
        out.dx = (double)m[0];
        out.dy = (double)m[1];
        out.angle = (double)m[2];
    }
    return out;
}

/* All arithmetic is in careful_toi2.c, compiled once; here numbers are only moved. */
static void careful_pair(context *ctx, unsigned entry, unsigned iterations)
{
    const sources *all = ctx->pairs.all;
    const unsigned pair = all->pair[entry];
    const size_t room = 8 * (size_t)ctx->library->max_quads; /* x and y of one shape */
    careful_mover a = widen(ctx, all->rec_a[entry], all->body_a[entry], ctx->careful);
    careful_mover b = widen(ctx, all->rec_b[entry], all->body_b[entry], ctx->careful + room);
    careful_impact got;
    gjb_careful_toi2(&a, &b, (double)REAL_EPSILON, ctx->careful + 2 * room, &got);
    if (ctx->batch->stats)
        ctx->batch->stats->careful++;
    if (is_warm(ctx))
        note_axis(ctx, pair, got.answer.normal);
    if (got.status != GJB_HIT) {
        write_plain(ctx, pair, got.status, iterations);
        return;
    }
    record r;
    memset(&r, 0, sizeof r);
    r.value = (real)got.t;
    if ((double)r.value > got.t) /* down: to the number before it, of a positive one */
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

LANE_FN void toi_finish(context *ctx, const moving_tile *m, const advance2 *g, const toi_done *done)
{
    if (done->hit)
        write_impacts(ctx, m, g, done->hit);
    write_statuses(ctx, m, done->overlapping, GJB_OVERLAPPING, g->iterations);
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
            careful_pair(ctx, m->entry[l], (unsigned)(int)it[l]);
        }
    }
    if (done->live)
        push_lanes(ctx, m->entry, done->live, &g->p.ax, ADVANCE_REALS, g->iterations);
}

LANE_FN void toi_bin(context *ctx, int N, unsigned first, unsigned end)
{
    moving_tile m;
    advance2 g;
    memset(&g, 0, sizeof g);
    feed f = {.next = first, .end = end};
    turn now;
    while (next_turn(ctx, &f, &g.p.ax, ADVANCE_REALS, &g.iterations, &now)) {
        pack_moving(&m, ctx, now.idx, now.first, now.n, N);
        toi_done done = {.live = lanes_below(now.n) & m_bits(m.valid), .alive = m.valid};
        if (!now.resumed) {
            write_statuses(ctx, &m, lanes_below(now.n) & ~done.live, GJB_INVALID_INPUT, v_set(0));
            toi_start(&m, &g);
            if (is_warm(ctx))
                start_warm(ctx, &m, &g);
        }
        toi_run(&m, ctx, N, now.spare, &g, &done);
        toi_finish(ctx, &m, &g, &done);
    }
}

static void toi_4(context *ctx, unsigned first, unsigned end)
{
    toi_bin(ctx, 4, first, end);
}

static void toi_8(context *ctx, unsigned first, unsigned end)
{
    toi_bin(ctx, 8, first, end);
}

static void toi_blocks(context *ctx, unsigned first, unsigned end)
{
    toi_bin(ctx, ctx->vertices, first, end);
}

static void toi_big(context *ctx, unsigned first, unsigned end)
{
    toi_bin(ctx, 0, first, end);
}

static const struct size_row {
    int vertices; /* in lanes; 0: scanned in place */
    void (*bin)(context *, unsigned first, unsigned end);
} sizes[] = {{4, toi_4}, {8, toi_8}, {16, toi_blocks}, {32, toi_blocks}, {0, toi_big}};

void KERNEL(gjb_toi2)(const void *prepared, const gjb_batch *batch);
void KERNEL(gjb_toi2)(const void *prepared, const gjb_batch *batch)
{
    const gjb_library *library = prepared;
    context *ctx = batch->workspace;
    ctx->library = library;
    ctx->batch = batch;
    ctx->queue.count = 0;
    ctx->careful = (double *)((char *)batch->workspace + ((sizeof(context) + 63) & ~(size_t)63));
    if (batch->stats)
        batch->stats->pairs += batch->pair_count;
    window *w = &ctx->pairs;
    for (size_t first = 0; first < batch->pair_count; first += WINDOW) {
        const size_t left = batch->pair_count - first;
        const unsigned count = left < WINDOW ? (unsigned)left : WINDOW;
        fill_window(w, library, batch, first, count);
        if (is_warm(ctx))
            take_window_axes(ctx, count);
        for (unsigned b = 0; b < 4 * (sizeof sizes / sizeof *sizes); b++) {
            if (w->start[b + 1] <= w->start[b])
                continue;
            ctx->vertices = sizes[b / 4].vertices;
            ctx->uniform = b & 1;
            sizes[b / 4].bin(ctx, w->start[b], w->start[b + 1]);
        }
        for (unsigned i = w->start[BIN_INVALID]; i < count; i++)
            write_plain(ctx, w->all->pair[i], GJB_INVALID_INPUT, 0);
        if (is_warm(ctx))
            return_window_axes(ctx, count);
    }
}
