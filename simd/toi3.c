/* Times of impact in 3D: compiled once per backend and precision.
 *
 * Windows and bins as in run3.c. */
#include "simd/answer3.h"
#include "simd/side3.h"

gjb_solo3_toi KERNEL(gjb_solo3_toi);

LANE_FN const real *motion_of(const gjb_batch *batch, uint32_t body)
{
    static const real still[8];
    return batch->motions ? (const real *)((const char *)batch->motions + body * batch->motion_stride) : still;
}

LANE_FN real *axis_of(const context *ctx, unsigned pair)
{
    return (real *)((char *)ctx->batch->axes + (ctx->pairs.first + pair) * ctx->batch->axis_stride);
}

/* ---- one pair at a time ---- */

/* Displacements that leave every number finite, turns that are no more than a scene has. */
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

static void write_solo(const context *ctx, unsigned pair, gjb_status status, const gjb_solo_answer *got)
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

/* What the last answer's axis was, at most 1 along any coordinate; 0 where it is of no use. */
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

static void solo_pair(const context *ctx, unsigned entry, const gjb_solo_ahead *ahead)
{
    const sources *all = ctx->pairs.all;
    const unsigned index = all->pair[entry];
    gjb_solo_pair pair = {.a = side_of(ctx, all->rec_a[entry], all->body_a[entry]),
                          .b = side_of(ctx, all->rec_b[entry], all->body_b[entry])};
    gjb_solo_motion motion;
    gjb_solo_answer got;
    memset(&got, 0, sizeof got);
    for (int k = 0; k < 6; k++) {
        motion.a[k] = (double)motion_of(ctx->batch, all->body_a[entry])[k];
        motion.b[k] = (double)motion_of(ctx->batch, all->body_b[entry])[k];
    }
    if (ahead)
        memcpy(pair.ahead, ahead, sizeof pair.ahead);
    read_axis(ctx, index, motion.axis);
    const int valid = valid_pose(pair.a.pose) && valid_pose(pair.b.pose) && valid_motion(motion.a) && valid_motion(motion.b);
    const gjb_status status = valid ? KERNEL(gjb_solo3_toi)(&pair, &motion, &got) : GJB_INVALID_INPUT;
    write_solo(ctx, index, status, &got);
}

static void solo_bin(context *ctx, unsigned first, unsigned end)
{
    const sources *all = ctx->pairs.all;
    for (unsigned k = first; k < end; k++) {
        gjb_solo_ahead ahead[2] = {{NULL, NULL}, {NULL, NULL}};
        if (k + 1 < end && ctx->library->far) {
            ahead[0] = ahead_of(ctx, all->rec_a[k + 1], all->body_a[k + 1]);
            ahead[1] = ahead_of(ctx, all->rec_b[k + 1], all->body_b[k + 1]);
        }
        solo_pair(ctx, k, ahead);
    }
}

/* ---- a window ---- */

static void run_bin(context *ctx, unsigned bin, unsigned first, unsigned end)
{
    ctx->rounded = bin >> 1 & 1;
    ctx->uniform = bin & 1;
    solo_bin(ctx, first, end);
}

void KERNEL(gjb_toi3)(const void *prepared, const gjb_batch *batch)
{
    const gjb_library *library = prepared;
    context *ctx = batch->workspace;
    ctx->library = library;
    ctx->batch = batch;
    ctx->queue.count = 0;
    if (batch->stats)
        batch->stats->pairs += batch->pair_count;
    window *w = &ctx->pairs;
    for (size_t first = 0; first < batch->pair_count; first += WINDOW) {
        const size_t left = batch->pair_count - first;
        const unsigned count = left < WINDOW ? (unsigned)left : WINDOW;
        fill_window(w, library, batch, first, count);
        for (unsigned b = 0; b < BINS; b++)
            if (w->start[b + 1] > w->start[b])
                run_bin(ctx, b, w->start[b], w->start[b + 1]);
        for (unsigned i = w->start[BIN_INVALID]; i < count; i++) {
            static const gjb_solo_answer none;
            write_solo(ctx, w->all->pair[i], GJB_INVALID_INPUT, &none);
        }
    }
}
