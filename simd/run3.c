/* The batched 3D queries: compiled once per backend and precision.
 *
 * Pairs are taken in windows and binned as in 2D; each bin is served by the
 * method for its kind and size. What is chosen for a pair depends on the pair
 * alone, so its answer is the same in any lane, batch, thread and backend.
 */
#include "simd/context.h"
#include "simd/solo3.h"

/* ---- one pair at a time ---- */

gjb_solo3 KERNEL(gjb_solo3);

static gjb_solo_side side_of(const context *ctx, const real *rec, uint32_t body)
{
    const shape_meta *meta = meta_of(ctx->library, ctx->batch, body);
    const real *pose = pose_of(ctx->batch, body);
    gjb_solo_side side = {.vertices = rec + 4, .count = 4u * meta->quads, .radius = (double)meta->radius,
                          .extent = (double)meta->extent};
    for (int k = 0; k < 7; k++)
        side.pose[k] = (double)pose[k];
    return side;
}

static int unit_rotation(const double *pose)
{
    double sum = -1;
    for (int k = 3; k < 7; k++)
        sum += pose[k] * pose[k];
    return sum < 0x1p-10 && sum > -0x1p-10; /* false on NaN */
}

static void write_answer(const context *ctx, unsigned pair, const gjb_solo_answer *got)
{
    const gjb_query query = ctx->batch->query;
    const gjb_status status = got->overlapping ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (query == GJB_INTERSECT || (query == GJB_DISTANCE && got->overlapping) ||
        (query == GJB_PENETRATION && !got->overlapping)) {
        write_plain(ctx, pair, status, got->iterations);
        return;
    }
    record r;
    memset(&r, 0, sizeof r);
    r.value = (real)(query == GJB_PENETRATION ? -got->sigma : got->sigma) + 0;
    for (int k = 0; k < 3; k++) {
        r.normal[k] = (real)got->normal[k] + 0;
        r.point_a[k] = (real)got->a[k] + 0;
        r.point_b[k] = (real)got->b[k] + 0;
    }
    memcpy(result_of(ctx, pair), &r, sizeof r);
    write_head(ctx, pair, status, got->iterations);
}

/* Bounds that differ by less than a quarter of a rounding of the result have met. */
#define MET ((double)REAL_EPSILON * (GJB_BITS == 32 ? 0.25 : 2))

static void solo_pair(const context *ctx, unsigned entry)
{
    const sources *all = ctx->pairs.all;
    const gjb_query query = ctx->batch->query;
    const gjb_solo_pair pair = {.a = side_of(ctx, all->rec_a[entry], all->body_a[entry]),
                                .b = side_of(ctx, all->rec_b[entry], all->body_b[entry]),
                                .met = MET,
                                .want_apart = query == GJB_DISTANCE || query == GJB_SIGNED_DISTANCE,
                                .want_depth = query == GJB_PENETRATION || query == GJB_SIGNED_DISTANCE};
    gjb_solo_answer got;
    if (!unit_rotation(pair.a.pose) || !unit_rotation(pair.b.pose)) {
        write_plain(ctx, all->pair[entry], GJB_INVALID_INPUT, 0);
        return;
    }
    KERNEL(gjb_solo3)(&pair, ctx->careful, &got);
    if (ctx->batch->stats && !got.proven)
        ctx->batch->stats->careful++;
    write_answer(ctx, all->pair[entry], &got);
}

void KERNEL(gjb_run3)(const void *prepared, const gjb_batch *batch)
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
        size_t left = batch->pair_count - first;
        const unsigned count = left < WINDOW ? (unsigned)left : WINDOW;
        fill_window(w, library, batch, first, count);
        for (unsigned i = 0; i < w->start[BIN_INVALID]; i++)
            solo_pair(ctx, i);
        for (unsigned i = w->start[BIN_INVALID]; i < count; i++)
            write_plain(ctx, w->all->pair[i], GJB_INVALID_INPUT, 0);
    }
}

#ifdef GJB_LANES_SCALAR
size_t CONTEXT_BYTES(void)
{
    return sizeof(context);
}
#endif
