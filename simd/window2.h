/* Windows of pairs: where their numbers are, sorted by the method that serves
 * them, and brought near before they are needed.
 *
 * A whole window is asked for at once. To ask for the next one a few pairs at a
 * time while this one runs was measured, and is slower in cache and out of it:
 * the core has as many lines under way as it can in a short loop, and not when
 * there is arithmetic between them.
 */
#ifndef GJB_SIMD_WINDOW2_H
#define GJB_SIMD_WINDOW2_H

#include "simd/lanes.h"
#include "simd/library.h"

#if GJB_BITS == 32
typedef gjb_meta_f32 shape_meta;
typedef gjb_result2f result2;
#else
typedef gjb_meta_f64 shape_meta;
typedef gjb_result2d result2;
#endif

/* Bins: each size, with and without radius, and with both shapes of exactly
 * that size or not; then the pairs that cannot be answered. */
enum { BINS = 4 * SIZES, BIN_INVALID = BINS, BIN_ROWS = 4 * (SIZES + 1) };

/* Where the numbers of the window's pairs are. Rows, so that a tile takes LANES
 * consecutive entries as they are. */
typedef struct sources {
    const real *rec_a[WINDOW + 16], *rec_b[WINDOW + 16], *pose_a[WINDOW + 16], *pose_b[WINDOW + 16];
    real extent[WINDOW + 16], ra[WINDOW + 16], rb[WINDOW + 16];
    uint16_t quads_a[WINDOW + 16], quads_b[WINDOW + 16];
    uint16_t pair[WINDOW + 16]; /* of the window, as the caller gave them */
} sources;

typedef struct window {
    sources all;              /* in the order in which they run: by bin */
    size_t first;             /* in the batch */
    unsigned count;
    unsigned start[BIN_ROWS + 1]; /* entries of bin b: start[b] .. start[b + 1] - 1 */
    uint32_t shape[2 * WINDOW];
} window;

LANE_FN unsigned bin_of(const shape_meta *a, const shape_meta *b)
{
    unsigned size = a->size > b->size ? a->size : b->size;
    return 4 * size + 2u * (a->rounded | b->rounded) + (a->size == b->size);
}

/* What filling a window reads, apart from what it writes: the compiler then
 * knows that the one does not change the other. */
typedef struct places {
    const uint32_t *pairs; /* of the window */
    const uint32_t *body_shape;
    const char *poses;
    size_t pose_stride;
    const shape_meta *meta;
    const real *records;
    size_t axes; /* from a record to its axes; 0: not needed */
    int far;     /* shapes are too many for a cache near the core */
} places;

/* From far away into the second level: the first has room for fewer lines under
 * way, which is what takes the time there. */
LANE_FN void prefetch(const void *address, int far)
{
    if (far)
        __builtin_prefetch(address, 0, 2);
    else
        __builtin_prefetch(address, 0, 3);
}

LANE_FN void look_at(const places *p, uint32_t *restrict shape, unsigned count, int far)
{
    for (unsigned k = 0; k < 2 * count; k++) {
        uint32_t body = p->pairs[k];
        shape[k] = p->body_shape ? p->body_shape[body] : body;
        prefetch(&p->meta[shape[k]], far);
        prefetch(p->poses + body * p->pose_stride, far);
    }
}

/* Entry `to` for pair i. Returns its bin. */
LANE_FN unsigned place(const places *p, sources *restrict all, unsigned to, unsigned i, const shape_meta *a,
                       const shape_meta *b, int far)
{
    const real *rec_a = p->records + 8 * (size_t)a->offset, *rec_b = p->records + 8 * (size_t)b->offset;
    prefetch(rec_a, far);
    prefetch(rec_b, far);
    if (p->axes) {
        prefetch(rec_a + p->axes, far);
        prefetch(rec_b + p->axes, far);
    }
    all->rec_a[to] = rec_a;
    all->rec_b[to] = rec_b;
    all->pose_a[to] = (const real *)(p->poses + p->pairs[2 * i] * p->pose_stride);
    all->pose_b[to] = (const real *)(p->poses + p->pairs[2 * i + 1] * p->pose_stride);
    all->extent[to] = a->extent + b->extent;
    all->ra[to] = a->radius;
    all->rb[to] = b->radius;
    all->quads_a[to] = a->quads;
    all->quads_b[to] = b->quads;
    all->pair[to] = (uint16_t)i;
    return bin_of(a, b);
}

LANE_FN void fill(window *w, const places *p, int far)
{
    const shape_meta *meta = p->meta;
    const uint32_t *shape = w->shape;
    const unsigned count = w->count;
    unsigned bins = 0, common, at[BIN_ROWS];
    look_at(p, w->shape, count, far);
    /* As if all pairs were of one bin, as they mostly are: then this is all. */
    common = bin_of(&meta[shape[0]], &meta[shape[1]]);
    for (unsigned i = 0; i < count; i++)
        bins |= common ^ place(p, &w->all, i, i, &meta[shape[2 * i]], &meta[shape[2 * i + 1]], far);
    memset(w->start, 0, sizeof w->start);
    if (bins)
        for (unsigned i = 0; i < count; i++)
            w->start[bin_of(&meta[shape[2 * i]], &meta[shape[2 * i + 1]]) + 1]++;
    else
        w->start[common + 1] = count;
    for (unsigned b = 0; b < BIN_ROWS; b++)
        at[b] = w->start[b + 1] += w->start[b];
    if (bins)
        for (unsigned i = count; i-- > 0;) {
            const shape_meta *a = &meta[shape[2 * i]], *b = &meta[shape[2 * i + 1]];
            place(p, &w->all, --at[bin_of(a, b)], i, a, b, far);
        }
}

/* `count` pairs from `first` on, 1 <= count <= WINDOW. */
LANE_FN void fill_window(window *w, const gjb_library *library, const gjb_batch *batch, size_t first, unsigned count)
{
    const places p = {.pairs = batch->pairs + 2 * first,
                      .body_shape = batch->body_shape,
                      .poses = batch->poses,
                      .pose_stride = batch->pose_stride,
                      .meta = library->meta,
                      .records = library->records,
                      .axes = batch->query >= GJB_PENETRATION ? library->axes : 0,
                      .far = library->far};
    w->first = first;
    w->count = count;
    if (p.far)
        fill(w, &p, 1);
    else
        fill(w, &p, 0);
}

/* Entries idx[0..n) side by side; those beyond repeat the last. */
LANE_FN void collect(const sources *all, const uint16_t *idx, unsigned n, sources *some)
{
    for (unsigned l = 0; l < LANES; l++) {
        unsigned i = idx[l < n ? l : n - 1];
        some->rec_a[l] = all->rec_a[i];
        some->rec_b[l] = all->rec_b[i];
        some->pose_a[l] = all->pose_a[i];
        some->pose_b[l] = all->pose_b[i];
        some->extent[l] = all->extent[i];
        some->ra[l] = all->ra[i];
        some->rb[l] = all->rb[i];
        some->quads_a[l] = all->quads_a[i];
        some->quads_b[l] = all->quads_b[i];
    }
}

#endif
