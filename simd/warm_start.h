/* Warm start: the next search for a pair begins with the axis of its last answer.
 *
 * An axis only sets the first direction. No method trusts it: every answer is proven
 * as without it, so that any numbers are allowed.
 */
#ifndef GJB_SIMD_WARM_START_H
#define GJB_SIMD_WARM_START_H

#include "simd/context.h"

/* How far a direction leans sideways from an axis: more than an axis usually turns from one
 * frame to the next, and less than the angle between faces of the difference. */
#define LEAN ((real)0.125)

LANE_FN int is_warm(const context *ctx)
{
    return ctx->batch->axes != NULL;
}

/* Takes in the axes of the window's `count` pairs; nothing is noted of them yet. */
LANE_CALL void take_window_axes(context *ctx, unsigned count)
{
    const char *from = (const char *)ctx->batch->axes + ctx->pairs.first * ctx->batch->axis_stride;
    const size_t stride = ctx->batch->axis_stride;
    for (unsigned i = 0; i < count; i++, from += stride)
        memcpy(ctx->axes[i], from, GJB_DIM * sizeof(real));
    memset(ctx->noted, 0, sizeof ctx->noted);
}

/* Axes of a tile's lanes, world axes, their largest coordinate 1 in size, but 0 if
 * numbers are not finite or all 0. Returns the lanes that have one. */
LANE_CALL vm load_axes(const context *ctx, const uint16_t *entry, vr axis[4])
{
    const vr zero = v_set(0), most = v_set(REAL_MAX);
    const real *from[LANES];
    for (unsigned l = 0; l < LANES; l++)
        from[l] = ctx->axes[ctx->pairs.all->pair[entry[l]] % WINDOW]; /* lanes without a pair read any */
    v_load4t(from, axis);
    vr largest = zero;
    vm known = v_eq(zero, zero);
    for (int k = 0; k < GJB_DIM; k++) {
        known = m_and(known, v_le(v_abs(axis[k]), most)); /* false on NaN */
        largest = v_max(v_abs(axis[k]), largest);
    }
    known = m_and(known, v_gt(largest, zero));
    largest = v_sel(known, largest, v_set(1));
    for (int k = 0; k < GJB_DIM; k++)
        axis[k] = v_div(v_sel(known, axis[k], zero), largest);
    return known;
}

/* The same of one pair. */
static inline void load_axis(const context *ctx, unsigned entry, double axis[GJB_DIM])
{
    const real *from = ctx->axes[ctx->pairs.all->pair[entry]];
    double most = 0;
    int finite = 1;
    for (int k = 0; k < GJB_DIM; k++) {
        const double size = fabs((double)from[k]);
        finite &= size <= (double)REAL_MAX; /* false on NaN */
        most = size > most ? size : most;
    }
    for (int k = 0; k < GJB_DIM; k++)
        axis[k] = finite && most > 0 ? (double)from[k] / most : 0;
}

/* Notes the separating axis of pairs whose records have none, in world axes and of any
 * length but 0. */
LANE_CALL void note_axes(context *ctx, const uint16_t *entry, unsigned bits, const vr axis[GJB_DIM])
{
    if (!bits)
        return;
    const vr zero = v_set(0); /* x + 0 turns -0 into +0 */
    const vr last = GJB_DIM == 3 ? v_add(axis[GJB_DIM - 1], zero) : zero;
    const vr rows[4] = {v_add(axis[0], zero), v_add(axis[1], zero), last, zero};
    real *to[LANES];
    for (unsigned l = 0; l < LANES; l++)
        to[l] = ctx->noted[bits >> l & 1 ? ctx->pairs.all->pair[entry[l]] : WINDOW];
    v_store4t(rows, to);
}

/* The same of one pair. */
static inline void note_axis(context *ctx, unsigned pair, const double axis[GJB_DIM])
{
    for (int k = 0; k < GJB_DIM; k++)
        ctx->noted[pair][k] = (real)axis[k] + 0;
}

/* 1 if separating axes must be noted, because records do not hold them. */
LANE_FN int notes_separation(const context *ctx)
{
    return is_warm(ctx) && (ctx->batch->query == GJB_INTERSECT || ctx->batch->query == GJB_PENETRATION);
}

/* Returns the axes of the window's `count` pairs: those noted, or else the normals of their
 * records, which are 0 if there is none. */
LANE_CALL void return_window_axes(context *ctx, unsigned count)
{
    char *to = (char *)ctx->batch->axes + ctx->pairs.first * ctx->batch->axis_stride;
    const size_t stride = ctx->batch->axis_stride;
    const char *from = (const char *)result_of(ctx, 0) + offsetof(record, normal);
    const int by_record = ctx->batch->query == GJB_DISTANCE || ctx->batch->query == GJB_SIGNED_DISTANCE;
    if (by_record) {
        for (unsigned i = 0; i < count; i++, to += stride, from += ctx->batch->result_stride)
            memcpy(to, from, GJB_DIM * sizeof(real));
        return;
    }
    if (ctx->batch->query == GJB_PENETRATION)
        for (unsigned i = 0; i < count; i++, from += ctx->batch->result_stride) {
            gjb_head head;
            memcpy(&head, result_of(ctx, i), sizeof head);
            if (head.status == GJB_OVERLAPPING)
                memcpy(ctx->noted[i], from, GJB_DIM * sizeof(real));
        }
    for (unsigned i = 0; i < count; i++, to += stride)
        memcpy(to, ctx->noted[i], GJB_DIM * sizeof(real));
}

#endif
