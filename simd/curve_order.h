/* Orders pairs with a curved shape so that a tile has like kinds. */
#ifndef GJB_SIMD_CURVE_ORDER_H
#define GJB_SIMD_CURVE_ORDER_H

#include "simd/context.h"

/* Kinds that lanes distinguish: curves, then sizes of vertices. */
enum { VERTEX_CLASSES = CURVE_CONE + 1, SHAPE_CLASSES = VERTEX_CLASSES + SIZE_BIG + 1 };

LANE_FN unsigned class_of(const context *ctx, uint32_t body)
{
    const unsigned method = meta_of(ctx->library, ctx->batch, body)->method;
    return METHOD_CURVE(method) ? METHOD_CURVE(method) : VERTEX_CLASSES + METHOD_SIZE(method);
}

/* Sorts entries first .. end - 1 into `order`, by the kinds of both shapes. Those with too many vertices
 * for lanes come last; returns their number. */
LANE_FN unsigned order_curved(const context *ctx, unsigned first, unsigned end, uint16_t order[WINDOW])
{
    enum { KEYS = SHAPE_CLASSES * SHAPE_CLASSES };
    const sources *all = ctx->pairs.all;
    uint16_t start[KEYS] = {0}, key[WINDOW];
    unsigned large = 0;
    for (unsigned i = first; i < end; i++) {
        const unsigned a = class_of(ctx, all->body_a[i]), b = class_of(ctx, all->body_b[i]);
        const int big = a == VERTEX_CLASSES + SIZE_BIG || b == VERTEX_CLASSES + SIZE_BIG;
        key[i - first] = (uint16_t)(big ? KEYS - 1 : a * SHAPE_CLASSES + b);
        start[key[i - first]]++;
        large += (unsigned)big;
    }
    for (unsigned k = 0, sum = 0; k < KEYS; k++) {
        const unsigned count = start[k];
        start[k] = (uint16_t)sum;
        sum += count;
    }
    for (unsigned i = first; i < end; i++)
        order[start[key[i - first]]++] = (uint16_t)i;
    return large;
}

#endif
