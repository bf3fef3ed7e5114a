/* Times of impact in 3D: compiled once per backend and precision.
 *
 * Windows and bins as in run3.c. */
#define TILES_INLINE /* calls would cost boxes 3% to 7% of their time */
#include "simd/space/toi3.h"
#include "simd/space/answer3.h"
#include "simd/space/fallback_side3.h"

gjb_fallback3_toi KERNEL(gjb_fallback3_toi);

LANE_FN real *axis_of(const context *ctx, unsigned pair)
{
    return (real *)((char *)ctx->batch->axes + (ctx->pairs.first + pair) * ctx->batch->axis_stride);
}

/* ---- one pair at a time ---- */

/* 1 if displacements leave every number finite, and turns are within the limit of scenes. */
static int valid_motion(const double *motion)
{
    double square = 0;
    int near = 1;
    for (int k = 0; k < 3; k++) {
        near &= fabs(motion[k]) <= (double)REAL_MAX / 256;
        square += motion[3 + k] * motion[3 + k];
    }
    return near && square <= GJB_MOST_RADIANS * GJB_MOST_RADIANS * (1 + 0x1p-10); /* false on NaN */
}

/* The time in the stored precision, no later. */
static real not_later(double t)
{
    real r = (real)t;
    if ((double)r > t)
        r = (real)(t * (1 - (double)REAL_EPSILON));
    return r;
}

static void write_fallback(const context *ctx, unsigned pair, gjb_status status, const gjb_fallback_answer *got)
{
    record r;
    memset(&r, 0, sizeof r);
    if (status == GJB_HIT) {
        r.value = not_later(got->sigma);
        for (int k = 0; k < 3; k++) {
            r.normal[k] = (real)got->normal[k] + 0;
            r.point_a[k] = (real)got->a[k] + 0;
            r.point_b[k] = (real)got->b[k] + 0;
        }
    }
    memcpy(result_of(ctx, pair), &r, sizeof r);
    write_head(ctx, pair, status, got->iterations < UINT16_MAX ? got->iterations : UINT16_MAX);
    for (int k = 0; ctx->batch->axes && k < 3; k++)
        axis_of(ctx, pair)[k] = (real)got->normal[k] + 0;
}

/* The last answer's axis, scaled to at most 1 along any coordinate; 0 if it is unusable. */
static void read_axis(const context *ctx, unsigned pair, double axis[3])
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        axis[k] = ctx->batch->axes ? (double)axis_of(ctx, pair)[k] : 0;
        most = most >= fabs(axis[k]) ? most : fabs(axis[k]);
    }
    for (int k = 0; k < 3; k++)
        axis[k] = most > 0 && most <= (double)REAL_MAX && axis[k] == axis[k] ? axis[k] / most : 0;
}

static void fallback_pair(const context *ctx, unsigned entry, const gjb_fallback_ahead *ahead)
{
    const sources *all = ctx->pairs.all;
    const unsigned index = all->pair[entry];
    gjb_fallback_pair pair = {.a = side_of(ctx, all->rec_a[entry], all->body_a[entry]),
                          .b = side_of(ctx, all->rec_b[entry], all->body_b[entry])};
    gjb_fallback_motion motion;
    gjb_fallback_answer got;
    memset(&got, 0, sizeof got);
    for (int k = 0; k < 6; k++) {
        motion.a[k] = (double)motion_of(ctx->batch, all->body_a[entry])[k];
        motion.b[k] = (double)motion_of(ctx->batch, all->body_b[entry])[k];
    }
    if (ahead)
        memcpy(pair.ahead, ahead, sizeof pair.ahead);
    read_axis(ctx, index, motion.axis);
    const int valid = valid_pose(pair.a.pose) && valid_pose(pair.b.pose) && valid_motion(motion.a) &&
                      valid_motion(motion.b);
    const gjb_status status = valid ? KERNEL(gjb_fallback3_toi)(&pair, &motion, &got) : GJB_INVALID_INPUT;
    write_fallback(ctx, index, status, &got);
}

static void fallback_bin(context *ctx, unsigned first, unsigned end)
{
    const sources *all = ctx->pairs.all;
    for (unsigned k = first; k < end; k++) {
        gjb_fallback_ahead ahead[2] = {{NULL, NULL}, {NULL, NULL}};
        if (k + 1 < end && ctx->library->far) {
            ahead[0] = ahead_of(ctx, all->rec_a[k + 1], all->body_a[k + 1]);
            ahead[1] = ahead_of(ctx, all->rec_b[k + 1], all->body_b[k + 1]);
        }
        fallback_pair(ctx, k, ahead);
    }
}

/* ---- in lanes ---- */

static void fallback_lanes(const context *ctx, const tile *t, unsigned bits)
{
    if (ctx->batch->stats)
        ctx->batch->stats->fallback += (unsigned)__builtin_popcount(bits);
    for (; bits; bits &= bits - 1)
        fallback_pair(ctx, t->entry[__builtin_ctz(bits)], NULL);
}

/* The first direction: the last answer's axis, or from origin to origin. */
TILE_FN v3 first_axis(const context *ctx, const tile *t, const path3 *m)
{
    const vr tiny = v_set(REAL_EPSILON * REAL_EPSILON), zero = v_set(0);
    v3 d = m->at;
    d.x = v_sel(v_lt(v3_dot(d, d), tiny), v_set(1), d.x);
    if (!ctx->batch->axes)
        return d;
    real given[3][LANES];
    const unsigned in_use = m_bits(t->in_use);
    for (unsigned l = 0; l < LANES; l++) /* lanes without a pair have no axis of their own */
        for (int k = 0; k < 3; k++)
            given[k][l] = axis_of(ctx, ctx->pairs.all->pair[t->entry[in_use >> l & 1 ? l : 0]])[k];
    const v3 g = {v_load(given[0]), v_load(given[1]), v_load(given[2])};
    const vr most = v_max(v_abs(g.x), v_max(v_abs(g.y), v_abs(g.z)));
    const v3 u = {v_div(g.x, most), v_div(g.y, most), v_div(g.z, most)};
    const vr square = v3_dot(u, u); /* 1 to 3, or NaN */
    return v3_sel(m_and(v_gt(square, zero), v_lt(square, v_set(4))), u, d);
}

/* Writes records of the lanes in `bits`: whole for hits, only the status for others. */
TILE_FN void write_trips(const context *ctx, const tile *t, unsigned bits, gjb_status status, vr time, vr iterations,
                         const answer3 *r)
{
    const vr zero = v_set(0); /* x + 0 turns -0 into +0 */
    const vr fields[10] = {time, r->n.x, r->n.y, r->n.z, r->a.x, r->a.y, r->a.z, r->b.x, r->b.y, r->b.z};
    const int hit = status == GJB_HIT, axis = hit || status == GJB_SEPARATED;
    real out[10][LANES], it[LANES];
    for (int k = 0; k < 10; k++)
        v_store(out[k], v_add(fields[k], zero));
    v_store(it, iterations);
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits), pair = ctx->pairs.all->pair[t->entry[l]];
        record rec;
        memset(&rec, 0, sizeof rec);
        for (int k = 0; hit && k < 3; k++) {
            rec.value = out[0][l];
            rec.normal[k] = out[1 + k][l];
            rec.point_a[k] = out[4 + k][l];
            rec.point_b[k] = out[7 + k][l];
        }
        memcpy(result_of(ctx, pair), &rec, sizeof rec);
        write_head(ctx, pair, status, (unsigned)(int)it[l]);
        for (int k = 0; ctx->batch->axes && k < 3; k++)
            axis_of(ctx, pair)[k] = axis ? out[1 + k][l] : 0;
    }
}

LANE_FN void finish_trips(context *ctx, const tile *t, trip3 *p, const trips_done *done)
{
    unsigned doubtful = done->doubtful;
    answer3 r;
    memset(&r, 0, sizeof r);
    if (done->hit) {
        vm torn;
        r = apart_answer(t, ANY_VERTICES, &p->s, &torn);
        const unsigned lost = m_bits(torn) & done->hit;
        write_trips(ctx, t, done->hit & ~lost, GJB_HIT, p->t, p->iterations, &r);
        doubtful |= lost;
    }
    if (done->separated) {
        r.n = v3_mul(p->s.v, v_div(v_set(1), v3_length(p->s.v)));
        write_trips(ctx, t, done->separated, GJB_SEPARATED, p->t, p->iterations, &r);
    }
    if (done->overlapping)
        write_trips(ctx, t, done->overlapping, GJB_OVERLAPPING, p->t, p->iterations, &r);
    if (doubtful)
        fallback_lanes(ctx, t, doubtful);
    if (done->live) {
        p->v = p->s.v;
        push_lanes(ctx, t->entry, done->live, &p->local[0].a.x, TRIP_REALS, p->iterations);
    }
}

LANE_FN void lane_bin(context *ctx, int N, unsigned first, unsigned end)
{
    tile t;
    path3 m;
    trip3 p;
    memset(&p, 0, sizeof p);
    feed f = {.idx = NULL, .next = first, .end = end};
    turn now;
    while (next_turn(ctx, &f, &p.local[0].a.x, TRIP_REALS, &p.iterations, &now)) {
        pack_poses3(&t, ctx, now.idx, now.first, now.n);
        pack_path3(&t, &m, ctx, now.idx, now.first, now.n);
        pack_clouds3(&t, N, ctx->uniform);
        trips_done done = {0, 0, 0, 0, lanes_below(now.n), t.in_use};
        if (!now.resumed) {
            static const answer3 none;
            const unsigned all = done.live;
            p.t = p.iterations = v_set(0);
            done.live = m_bits(t.valid);
            done.alive = t.valid;
            if (all & ~done.live)
                write_trips(ctx, &t, all & ~done.live, GJB_INVALID_INPUT, p.t, p.iterations, &none);
        }
        place_trip(&m, &p);
        p.s.v = now.resumed ? p.v : first_axis(ctx, &t, &m);
        toi_run(&t, &m, ctx, N, now.spare, !now.resumed, &p, &done);
        finish_trips(ctx, &t, &p, &done);
    }
}

/* ---- a window ---- */

/* METHODS(8, 8) defines lanes_8: lane_bin with N = 8. Constants are unrolled, `blocks` loops over blocks of 8. */
#define METHODS(size, N)                                                                                         \
    static void lanes_##size(context *c, unsigned f, unsigned e)                                                 \
    {                                                                                                            \
        lane_bin(c, N, f, e);                                                                                    \
    }
METHODS(4, 4)
METHODS(8, 8)
METHODS(blocks, in_blocks(c))

static const struct size_row {
    int vertices; /* in lanes; 0: one pair at a time */
    void (*run)(context *, unsigned first, unsigned end);
} sizes[] = {
    [SIZE_4] = {4, lanes_4},        [SIZE_8] = {8, lanes_8},   [SIZE_16] = {16, lanes_blocks},
    [SIZE_32] = {32, lanes_blocks}, [SIZE_BIG] = {0, fallback_bin}, [SIZE_BOX] = {8, lanes_8},
    [SIZE_CURVED] = {0, fallback_bin},
};

static void run_bin(context *ctx, unsigned bin, unsigned first, unsigned end)
{
    const struct size_row *size = &sizes[bin / 4];
    ctx->vertices = size->vertices;
    ctx->rounded = bin >> 1 & 1;
    ctx->uniform = bin & 1;
    size->run(ctx, first, end);
}

void KERNEL(gjb_toi3)(const void *prepared, const gjb_batch *batch)
{
    const gjb_library *library = prepared;
    context *ctx = begin_run(prepared, batch);
    window *w = &ctx->pairs;
    for (size_t first = 0; first < batch->pair_count; first += WINDOW) {
        const size_t left = batch->pair_count - first;
        const unsigned count = left < WINDOW ? (unsigned)left : WINDOW;
        fill_window(w, library, batch, first, count);
        for (unsigned b = 0; b < BINS; b++)
            if (w->start[b + 1] > w->start[b])
                run_bin(ctx, b, w->start[b], w->start[b + 1]);
        for (unsigned i = w->start[BIN_INVALID]; i < count; i++) {
            static const gjb_fallback_answer none;
            write_fallback(ctx, w->all->pair[i], GJB_INVALID_INPUT, &none);
        }
    }
}
