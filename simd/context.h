/* State of one `run` call: the window, spilled lanes, and how answers are
 * written. The same source for 2D and 3D. */
#ifndef GJB_SIMD_CONTEXT_H
#define GJB_SIMD_CONTEXT_H

#include "simd/window.h"

/* Spill a tile for repacking when this many of its lanes or fewer are live. */
#define SPARE_LANES (LANES / 4)

#define MAX_LANE_VERTICES (4 * LANE_QUADS)

/* Spilled state: the simplex of an unfinished lane; for queries in motion, which need more,
 * also the axis and the time. */
enum { SPILLED = 32 }; /* two tiles of the widest backend: workspaces are of one size for all */
enum { STATE_REALS = GJB_DIM == 2 ? 8 : 21, MOST_STATE_REALS = STATE_REALS + (GJB_DIM == 2 ? 16 : 1) };
typedef struct spill {
    uint16_t entry[SPILLED];
    real iterations[SPILLED];
    real state[MOST_STATE_REALS][SPILLED];
    unsigned count;
} spill;

/* State of one `run` call; lives in the caller's workspace. */
typedef struct context {
    const gjb_library *library;
    const gjb_batch *batch;
    window pairs;
    sources some;               /* of a tile whose entries are not consecutive in the window */
    uint16_t list[WINDOW];      /* entries of the window passed on to a second method */
    unsigned listed;
    uint16_t doubtful[WINDOW];  /* entries that lanes of double will decide */
    uint16_t doubtful_iterations[WINDOW]; /* so far; 2D */
    real toward[2][WINDOW];     /* of those scanned in place: about the axis, in the frame; 2D */
    unsigned doubtful_count;
    int resolving;              /* the axes run after a distance that found overlap */
    int vertices;               /* of the bin, if not a constant */
    int uniform;                /* every shape of the bin has that many */
    int rounded;                /* some shape of the bin has a radius */
    int turning;                /* every pair of the bin has a body that turns; else none has */
    int keeps;                  /* lanes of the last tile wait for more of their bin; in motion */
    spill queue;
    double *fallback;           /* scratch of the fallback path */
    real axes[WINDOW][4];       /* warm start: of the window's pairs, as the caller gave them; */
    real noted[WINDOW + 1][4];  /* separating axes of pairs whose records hold none. The last is spare */
} context;

/* Vertices of a bin in blocks of 8, as constants: for any number the compiler would also keep the code for
 * shapes that are curved, or too large for lanes. */
LANE_FN int in_blocks(const context *ctx)
{
    return ctx->vertices > 16 ? 32 : 16;
}

/* What a margin adds to the radii of a pair: shapes are asked for as if they were that much larger. */
LANE_FN real added_radius(const context *ctx)
{
    return ctx->batch->query == GJB_INTERSECT ? (real)ctx->batch->margin : 0;
}

/* How far apart shapes may be for their distance to matter; 0: any. */
LANE_FN real distance_limit(const context *ctx)
{
    const gjb_query query = ctx->batch->query;
    return query == GJB_DISTANCE || query == GJB_SIGNED_DISTANCE ? (real)ctx->batch->margin : 0;
}

/* When a distance may end early: never; when it is known on which side of the radii it lies; or when it is more than
 * the limit. */
enum { PRUNE_NEVER, PRUNE_BY_SIGN, PRUNE_BY_LIMIT };

LANE_FN int apart_pruning(const context *ctx)
{
    const gjb_query query = ctx->batch->query;
    if (query == GJB_INTERSECT || query == GJB_PENETRATION)
        return PRUNE_BY_SIGN;
    return distance_limit(ctx) > 0 ? PRUNE_BY_LIMIT : PRUNE_NEVER;
}

/* What a record says that has no points because its shapes are too far apart: a little more than the margin, also if
 * that was rounded down. */
LANE_FN real just_beyond(const context *ctx)
{
    const real limit = distance_limit(ctx), more = limit * (4 * REAL_EPSILON);
    return limit + (more > 0 ? more : REAL_LEAST);
}

/* Lanes whose last point v of A - B is further from the origin than `bar`, and perhaps some that are so up to rounding;
 * dd = v . v. Lanes that stopped are among them: there v . w > bar |v|, and v . w <= v . v. In
 * all others v is the nearest point. So v proves that they are that far apart. */
LANE_FN vm is_beyond(vr dd, vr bar)
{
    return v_ge(dd, v_mul(v_mul(bar, bar), v_set(1 - 16 * REAL_EPSILON)));
}

/* Work of runs, for statistics. Summed locally first: a store in a loop would keep the compiler from
 * holding in registers anything that it might change. */
typedef struct work {
    unsigned rounds, live;
} work;

LANE_FN void count_round(work *w, unsigned live)
{
    w->rounds++;
    w->live += (unsigned)lane_count(live);
}

LANE_FN void add_work(const context *ctx, const work *w)
{
    if (ctx->batch->stats) {
        ctx->batch->stats->lane_slots += w->rounds * LANES;
        ctx->batch->stats->lane_live += w->live;
    }
}

/* Of one round. */
LANE_FN void count_work(const context *ctx, unsigned live)
{
    const work w = {1, (unsigned)lane_count(live)};
    add_work(ctx, &w);
}

LANE_FN context *begin_run(const void *prepared, const gjb_batch *batch)
{
    context *ctx = batch->workspace;
    ctx->library = prepared;
    ctx->batch = batch;
    ctx->queue.count = 0;
    ctx->doubtful_count = 0;
    ctx->fallback = (double *)((char *)batch->workspace + ((sizeof(context) + 63) & ~(size_t)63));
    if (batch->stats)
        batch->stats->pairs += batch->pair_count;
    return ctx;
}

#define CONTEXT_BYTES__(dim, bits) gjb_context_bytes##dim##_##bits
#define CONTEXT_BYTES_(dim, bits) CONTEXT_BYTES__(dim, bits)
#define CONTEXT_BYTES CONTEXT_BYTES_(GJB_DIM, GJB_BITS)

LANE_FN vr load_radii(const context *ctx, const uint32_t *body)
{
    real radius[LANES];
    for (unsigned l = 0; l < LANES; l++)
        radius[l] = meta_of(ctx->library, ctx->batch, body[l])->radius;
    return v_load(radius);
}

LANE_FN record *result_of(const context *ctx, unsigned pair)
{
    return (record *)((char *)ctx->batch->results + (ctx->pairs.first + pair) * ctx->batch->result_stride);
}

LANE_FN void write_head(const context *ctx, unsigned pair, gjb_status status, unsigned iterations)
{
    gjb_head head = {(uint16_t)status, (uint16_t)iterations};
    memcpy(result_of(ctx, pair), &head, sizeof head);
    if (ctx->batch->stats)
        ctx->batch->stats->iterations[iterations < 31 ? iterations : 31]++;
}

/* Writes the heads of all lanes of a whole tile, for intersect. Unfinished lanes
 * are written again later: a branch on them would be unpredictable.
 * `in_order`: its entries are consecutive in the batch. */
LANE_FN void write_heads(const context *ctx, const uint16_t *entry, int in_order, unsigned overlapping, vr iterations)
{
    const size_t stride = ctx->batch->result_stride;
    char *results = (char *)ctx->batch->results + ctx->pairs.first * stride;
    gjb_head head[LANES];
    real it[LANES];
    v_store(it, iterations);
    for (unsigned l = 0; l < LANES; l++)
        head[l] = (gjb_head){(uint16_t)(GJB_SEPARATED + (overlapping >> l & 1)), (uint16_t)(int)it[l]};
    if (in_order && stride == sizeof *head) {
        memcpy(results + entry[0] * stride, head, sizeof head);
        return;
    }
    for (unsigned l = 0; l < LANES; l++)
        memcpy(results + ctx->pairs.all->pair[entry[l]] * stride, &head[l], sizeof *head);
}

/* Writes a record whose status leaves its fields undefined. */
LANE_FN void write_plain(const context *ctx, unsigned pair, gjb_status status, unsigned iterations)
{
    if (ctx->batch->query != GJB_INTERSECT) {
        static const record zero;
        memcpy(result_of(ctx, pair), &zero, sizeof zero);
    }
    write_head(ctx, pair, status, iterations);
}

LANE_FN void hand_on(context *ctx, const uint16_t *entry, unsigned bits)
{
    for (; bits; bits &= bits - 1)
        ctx->list[ctx->listed++] = entry[__builtin_ctz(bits)];
}

/* ---- bins ---- */

/* Entries of bins of one chain. */
typedef struct leftover {
    uint16_t entry[WIDEST_LANES];
    unsigned count, bin;
} leftover;

/* Which of the library's bins takes n entries at once, with the fewest lanes. */
LANE_FN unsigned narrowest(unsigned n)
{
    return n > 8 ? 4 : n > 4 ? 3 : n > 2 ? 2 : n - 1;
}

/* Fewer entries than a tile, or just as many, by the backend whose tile they fill best: answers do not depend on it. */
LANE_FN void serve_few(context *ctx, unsigned bin, const uint16_t *idx, unsigned first, unsigned n)
{
    ctx->library->bins[narrowest(n)](ctx, bin, idx, first, first + n);
}

/* Adds entries first .. end - 1, serves whole tiles of them. */
LANE_FN void keep_leftover(context *ctx, leftover *l, gjb_bin *wide, unsigned bin, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        const unsigned size = l->count && l->bin / 4 > bin / 4 ? l->bin / 4 : bin / 4;
        l->bin = l->count ? 4 * size + ((l->bin | bin) & 2u) + (l->bin == bin ? bin & 1u : 0) : bin;
        l->entry[l->count++] = (uint16_t)i;
        if (l->count == LANES) {
            wide(ctx, l->bin, l->entry, 0, LANES);
            l->count = 0;
        }
    }
}

/* The window's bins, but for curves: full tiles of each by `wide`, then what is left of several together. Shapes that are
 * scanned in place fill any register, and what begins with an axis depends on the bin: these are not mixed. */
LANE_FN void serve_bins(context *ctx, gjb_bin *wide)
{
    const unsigned *start = ctx->pairs.start;
    leftover all[CHAINS];
    all[0].count = all[1].count = 0;
    for (unsigned b = 0; b < 4 * SIZE_CURVED; b++) {
        const unsigned first = start[b], end = start[b + 1];
        if (first == end)
            continue;
        const unsigned left = b / 4 == SIZE_BIG ? 0 : (end - first) % LANES;
        if (end - left > first)
            wide(ctx, b, NULL, first, end - left);
        if (left && ctx->batch->axes)
            serve_few(ctx, b, NULL, end - left, left);
        else if (left)
            keep_leftover(ctx, &all[chain_of(ctx->batch->query, b)], wide, b, end - left, end);
    }
    for (unsigned c = 0; c < CHAINS; c++)
        if (all[c].count)
            serve_few(ctx, all[c].bin, all[c].entry, 0, all[c].count);
}

/* The bin that serves entries first .. first + n - 1 of a chain, whose sizes ascend. */
LANE_FN unsigned bin_of_tile(const window *w, unsigned first, unsigned n)
{
    unsigned any = 0, every = 1;
    for (unsigned i = first; i < first + n; i++) {
        any |= w->bin[i];
        every &= w->bin[i];
    }
    const unsigned size = w->bin[first + n - 1] / 4;
    return 4 * size + (any & 2u) + (w->bin[first] / 4 == size ? every : 0);
}

/* A call of up to MIXED pairs of several kinds. Returns 0 if others than these have to serve it. */
LANE_FN int serve_mixed(context *ctx, gjb_bin *wide)
{
    const gjb_batch *batch = ctx->batch;
    unsigned chain[CHAINS + 1];
    if (ctx->library->alike || ctx->library->far || batch->axes || batch->pair_count > MIXED ||
        !fill_mixed(&ctx->pairs, ctx->library, batch, chain))
        return 0;
    for (unsigned c = 0; c < CHAINS; c++)
        for (unsigned first = chain[c]; first < chain[c + 1]; first += LANES) {
            const unsigned left = chain[c + 1] - first, n = left < LANES ? left : LANES;
            const unsigned bin = bin_of_tile(&ctx->pairs, first, n);
            if (n == LANES)
                wide(ctx, bin, NULL, first, first + n);
            else
                serve_few(ctx, bin, NULL, first, n);
        }
    return 1;
}

/* ---- spilling ---- */

TILE_FN void push_lanes(context *ctx, const uint16_t *entry, unsigned bits, const vr *state, int reals, vr iterations)
{
    spill *queue = &ctx->queue;
    const unsigned at = queue->count;
    if (ctx->batch->stats)
        ctx->batch->stats->spilled += (unsigned)__builtin_popcount(bits);
    for (int k = 0; k < reals; k++)
        v_pack(&queue->state[k][at], bits, state[k]);
    v_pack(&queue->iterations[at], bits, iterations);
    for (; bits; bits &= bits - 1)
        queue->entry[queue->count++] = entry[__builtin_ctz(bits)];
}

/* Takes up to LANES of the queue's newest entries; returns how many. */
LANE_FN unsigned pop_lanes(context *ctx, uint16_t *idx, vr *state, int reals, vr *iterations)
{
    spill *queue = &ctx->queue;
    unsigned n = queue->count < LANES ? queue->count : LANES, from = queue->count - n;
    for (unsigned l = 0; l < n; l++)
        idx[l] = queue->entry[from + l];
    *iterations = v_sel(m_below(n), v_load(&queue->iterations[from]), v_set(0));
    for (int k = 0; k < reals; k++)
        state[k] = v_load(&queue->state[k][from]); /* rows are long enough to read past n */
    queue->count = from;
    return n;
}

/* Feeds new pairs while there are any and the queue holds less than a tile; else
 * spilled lanes, until none is left. One loop, so that each method is compiled once
 * per size. In run2.c *state is a copy of what a method changes, because its address
 * is taken, which would keep it in memory. Elsewhere a copy costs more. */
typedef struct feed {
    const uint16_t *idx; /* entries; NULL: consecutive ones */
    unsigned next, end;
    int keeps; /* less than a tile of spilled lanes stays in the queue */
    uint16_t popped[LANES];
} feed;

typedef struct turn {
    const uint16_t *idx;
    unsigned first, n;
    int resumed, spare;
} turn;

TILE_FN int next_turn(context *ctx, feed *f, vr *state, int reals, vr *iterations, turn *out)
{
    const unsigned left = f->end - f->next;
    if ((LANES == 1 || ctx->queue.count < LANES) && left > 0) { /* a single lane is never spilled */
        *out = (turn){f->idx ? f->idx + f->next : NULL, f->next, left < LANES ? left : LANES, 0, SPARE_LANES};
        f->next += out->n;
    } else if (LANES > 1 && ctx->queue.count > 0 && !(f->keeps && ctx->queue.count < LANES)) {
        const unsigned n = pop_lanes(ctx, f->popped, state, reals, iterations);
        *out = (turn){f->popped, 0, n, 1, n < LANES ? 0 : SPARE_LANES};
    } else {
        return 0;
    }
    if (f->next == f->end && ctx->queue.count == 0 && !f->keeps) /* to the end: no others would join them in a tile */
        out->spare = 0;
    return 1;
}

#endif
