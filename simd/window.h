/* Windows of pairs: addresses of their numbers, sorted by the method that serves
 * them, and prefetched before they are needed.
 *
 * Kinds that are mixed are sorted over a chunk of some thousand pairs, of which a window
 * holds the next ones in that order: tiles are then full but for a few at the end of each
 * bin. Chunks whose pairs begin with axes of a last answer are windows, as those are kept
 * for a window at a time.
 *
 * A whole window is prefetched at once. Prefetching the next one a few pairs at a
 * time while this one runs was measured to be slower, in cache and out of it: a
 * short loop keeps as many cache lines in flight as the core can, a loop with
 * arithmetic between the requests does not.
 */
#ifndef GJB_SIMD_WINDOW_H
#define GJB_SIMD_WINDOW_H

#include "core/types.h"
#include "simd/lanes/lanes.h"
#include "simd/library.h"

#ifndef GJB_DIM
#error "GJB_DIM must be 2 or 3"
#endif

#if GJB_BITS == 32
typedef gjb_meta_f32 shape_meta;
#define RESULT_(dim) gjb_result##dim##f
#else
typedef gjb_meta_f64 shape_meta;
#define RESULT_(dim) gjb_result##dim##d
#endif
#define RESULT(dim) RESULT_(dim)
typedef RESULT(GJB_DIM) record;

/* Bins: each size, with and without radius, and with both shapes of exactly
 * that size or not; then the pairs that cannot be answered. */
enum { BINS = 4 * SHAPE_INVALID, BIN_INVALID = BINS, BIN_ROWS = BINS + 4 };

enum { MIXED = 64 }; /* pairs of a call that tiles of several sizes serve best */
enum { CHAINS = 2 };

/* Addresses of the numbers of the window's pairs. In rows, so that a tile can use LANES
 * consecutive entries directly. */
typedef struct sources {
    const real *rec_a[WINDOW + 16], *rec_b[WINDOW + 16]; /* records */
    uint32_t body_a[WINDOW + 16], body_b[WINDOW + 16];
    real extent[WINDOW + 16];   /* of both; 2D, in 3D records have it */
    uint16_t quads_a[WINDOW + 16], quads_b[WINDOW + 16]; /* if the bin does not determine them */
    uint16_t pair[WINDOW + 16]; /* of the window, as the caller gave them */
} sources;

typedef struct window {
    sources given;            /* as the caller gave them, or in the order of the chunk */
    sources sorted;           /* by bin, unless all are of one, or the chunk is sorted */
    const sources *all;       /* the one of these two in whose order they run */
    size_t first;             /* in the batch: of the window, or if it is sorted of the chunk */
    unsigned start[BIN_ROWS + 1]; /* entries of bin b: start[b] .. start[b + 1] - 1 */
    int in_order;             /* entries are consecutive pairs */
    unsigned count;           /* of entries */
    uint8_t bin[MIXED];       /* of each entry, in windows that fill_mixed has filled */
    /* the chunk, if it is sorted */
    uint16_t order[CHUNK];
    unsigned chunk_start[BIN_ROWS + 1];
} window;

LANE_FN unsigned bin_of(const shape_meta *a, const shape_meta *b)
{
    unsigned size_a = METHOD_SIZE(a->method), size_b = METHOD_SIZE(b->method), size = size_a > size_b ? size_a : size_b;
    if (GJB_DIM == 3 && (a->method & b->method & METHOD_BOX))
        size = SIZE_BOX;
    return 4 * size + 2 * ((a->method | b->method) & METHOD_ROUNDED) + (size_a == size_b);
}

/* Into the second-level cache: the first level has room for fewer lines in flight,
 * which limits the speed of loads from memory. */
LANE_FN void prefetch(const void *address)
{
    __builtin_prefetch(address, 0, 2);
}

/* Into the first-level cache, for the next tile. */
LANE_FN void prefetch_near(const void *address)
{
    __builtin_prefetch(address, 0, 3);
}

/* Prefetches the lines after the first of a record that fits in lanes. A larger one
 * is prefetched while the pair before it runs (fallback_bin). */
LANE_FN void prefetch_rest(const real *rec, unsigned quads)
{
    const size_t line = 64 / sizeof(real);
    const size_t reals = quads > LANE_QUADS ? 0 : gjb_library_units(3, quads) * gjb_library_unit(3);
    for (size_t at = line; at < reals; at += line)
        prefetch(rec + at);
}

LANE_FN void copy_entry(const sources *from, unsigned i, sources *to, unsigned at)
{
    to->rec_a[at] = from->rec_a[i];
    to->rec_b[at] = from->rec_b[i];
    to->body_a[at] = from->body_a[i];
    to->body_b[at] = from->body_b[i];
    if (GJB_DIM == 2)
        to->extent[at] = from->extent[i];
    to->quads_a[at] = from->quads_a[i];
    to->quads_b[at] = from->quads_b[i];
    to->pair[at] = from->pair[i];
}

LANE_FN const shape_meta *meta_of(const gjb_library *library, const gjb_batch *batch, uint32_t body)
{
    return (const shape_meta *)library->meta + (batch->body_shape ? batch->body_shape[body] : body);
}

LANE_FN const real *pose_of(const gjb_batch *batch, uint32_t body)
{
    return (const real *)((const char *)batch->poses + body * batch->pose_stride);
}

LANE_FN const real *record_of(const gjb_library *library, const shape_meta *meta)
{
    return (const real *)library->records + gjb_library_unit(GJB_DIM) * (size_t)meta->offset;
}

/* Prefetches the meta, which locates the records, and the pose. */
LANE_FN void prefetch_body(const gjb_library *library, const gjb_batch *batch, uint32_t body)
{
    prefetch(meta_of(library, batch, body));
    prefetch(pose_of(batch, body));
}

/* Returns nonzero unless all shapes are of the same size and kind. `pairs` in `order`, or if that is NULL as they
 * are. */
LANE_FN unsigned find_window(sources *restrict to, const gjb_library *library, const gjb_batch *batch,
                             const uint32_t *pairs, const uint16_t *order, unsigned count, int far, int alike)
{
    const gjb_library lib = *library; /* copies: the compiler then knows that no store below changes them */
    const gjb_batch bat = *batch;
    const size_t axes = GJB_DIM == 2 && bat.query >= GJB_PENETRATION ? lib.axes : 0;
    const unsigned common = meta_of(&lib, &bat, pairs[order ? 2 * order[0] : 0])->method;
    unsigned others = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned pair = order ? order[i] : i;
        to->pair[i] = (uint16_t)pair;
        to->body_a[i] = pairs[2 * pair];
        to->body_b[i] = pairs[2 * pair + 1];
    }
    for (unsigned i = 0; i < count && far; i++) {
        prefetch_body(&lib, &bat, to->body_a[i]);
        prefetch_body(&lib, &bat, to->body_b[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        const shape_meta *a = meta_of(&lib, &bat, to->body_a[i]), *b = meta_of(&lib, &bat, to->body_b[i]);
        const real *rec_a = record_of(&lib, a), *rec_b = record_of(&lib, b);
        if (far) {
            prefetch(rec_a);
            prefetch(rec_b);
            if (GJB_DIM == 3 && !(a->method & b->method & METHOD_BOX)) {
                prefetch_rest(rec_a, a->quads);
                prefetch_rest(rec_b, b->quads);
            }
            if (axes) {
                prefetch(rec_a + axes);
                prefetch(rec_b + axes);
            }
        }
        to->rec_a[i] = rec_a;
        to->rec_b[i] = rec_b;
        if (GJB_DIM == 2)
            to->extent[i] = a->extent + b->extent;
        if (!alike)
            others |= (common ^ a->method) | (common ^ b->method);
    }
    if (others || METHOD_SIZE(common) == SIZE_BIG)
        for (unsigned i = 0; i < count; i++) {
            to->quads_a[i] = meta_of(&lib, &bat, to->body_a[i])->quads;
            to->quads_b[i] = meta_of(&lib, &bat, to->body_b[i])->quads;
        }
    return others;
}

LANE_FN unsigned bin_of_entry(const gjb_library *library, const gjb_batch *batch, const sources *from, unsigned i)
{
    return bin_of(meta_of(library, batch, from->body_a[i]), meta_of(library, batch, from->body_b[i]));
}

LANE_FN void sort_window(window *w, const gjb_library *library, const gjb_batch *batch, unsigned count)
{
    const sources *given = &w->given;
    unsigned at[BIN_ROWS];
    memset(w->start, 0, sizeof w->start);
    for (unsigned i = 0; i < count; i++)
        w->start[bin_of_entry(library, batch, given, i) + 1]++;
    for (unsigned b = 0; b < BIN_ROWS; b++)
        at[b] = w->start[b + 1] += w->start[b];
    for (unsigned i = count; i-- > 0;)
        copy_entry(given, i, &w->sorted, --at[bin_of_entry(library, batch, given, i)]);
    w->all = &w->sorted;
}

/* `count` pairs from `first` on, 1 <= count <= WINDOW. */
LANE_FN void fill_window(window *w, const gjb_library *library, const gjb_batch *batch, size_t first, unsigned count)
{
    const uint32_t *pairs = batch->pairs + 2 * first;
    sources *given = &w->given;
    w->first = first;
    w->count = count;
    /* one source, a loop for each case: this is a fifth of the time of a short query */
    const unsigned others = library->far     ? find_window(given, library, batch, pairs, NULL, count, 1, 0)
                            : library->alike ? find_window(given, library, batch, pairs, NULL, count, 0, 1)
                                             : find_window(given, library, batch, pairs, NULL, count, 0, 0);
    w->in_order = !others;
    if (others) {
        sort_window(w, library, batch, count);
        return;
    }
    /* All of one bin, as in most windows: they run as they are. */
    const unsigned bin = bin_of_entry(library, batch, given, 0);
    for (unsigned b = 0; b <= BIN_ROWS; b++)
        w->start[b] = b > bin ? count : 0;
    w->all = given;
}

/* A window of one pair; returns its bin. Of a call with one pair, a window for many would take a quarter of the
 * time. */
LANE_FN unsigned fill_one(window *w, const gjb_library *library, const gjb_batch *batch, size_t pair)
{
    sources *to = &w->given;
    const uint32_t body_a = batch->pairs[2 * pair], body_b = batch->pairs[2 * pair + 1];
    const shape_meta *a = meta_of(library, batch, body_a), *b = meta_of(library, batch, body_b);
    to->pair[0] = 0;
    to->body_a[0] = body_a;
    to->body_b[0] = body_b;
    to->rec_a[0] = record_of(library, a);
    to->rec_b[0] = record_of(library, b);
    to->extent[0] = a->extent + b->extent;
    to->quads_a[0] = a->quads;
    to->quads_b[0] = b->quads;
    w->first = pair;
    w->all = to;
    w->in_order = 1;
    w->count = 1;
    return bin_of(a, b);
}

/* Bins of one chain are served by one method, in tiles that they share: vertices are repeated up to the largest,
 * and a radius may be 0. In 3D boxes have axes of their own, in 2D the boolean is for shapes without radius. */
LANE_FN unsigned chain_of(gjb_query query, unsigned bin)
{
    return GJB_DIM == 3 ? bin / 4 == SIZE_BOX : query == GJB_INTERSECT && (bin & 2u);
}

/* A window of all pairs of a call, up to MIXED, sorted by chain and size as they are read. Returns 0 if some pair
 * is in no chain. Chain c is chain[c] .. chain[c + 1] - 1. */
LANE_CALL int fill_mixed(window *w, const gjb_library *library, const gjb_batch *batch, unsigned chain[CHAINS + 1])
{
    enum { SIZES = 8, IN_LANES = 1 << SIZE_4 | 1 << SIZE_8 | 1 << SIZE_16 | 1 << SIZE_32 | 1 << SIZE_BOX };
    const unsigned count = (unsigned)batch->pair_count;
    const uint32_t *pairs = batch->pairs;
    unsigned start[CHAINS * SIZES] = {0}, sizes = 0, sum = 0;
    uint8_t bin[MIXED];
    for (unsigned i = 0; i < count; i++) {
        bin[i] = (uint8_t)bin_of(meta_of(library, batch, pairs[2 * i]), meta_of(library, batch, pairs[2 * i + 1]));
        sizes |= 1u << bin[i] / 4;
        start[SIZES * chain_of(batch->query, bin[i]) + bin[i] / 4]++;
    }
    if (sizes & ~(unsigned)IN_LANES)
        return 0;
    for (unsigned k = 0; k < CHAINS * SIZES; k++) {
        if (k % SIZES == 0)
            chain[k / SIZES] = sum;
        const unsigned many = start[k];
        start[k] = sum;
        sum += many;
    }
    chain[CHAINS] = count;
    sources *to = &w->given;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t body_a = pairs[2 * i], body_b = pairs[2 * i + 1];
        const shape_meta *a = meta_of(library, batch, body_a), *b = meta_of(library, batch, body_b);
        const unsigned at = start[SIZES * chain_of(batch->query, bin[i]) + bin[i] / 4]++;
        to->pair[at] = (uint16_t)i;
        to->body_a[at] = body_a;
        to->body_b[at] = body_b;
        to->rec_a[at] = record_of(library, a);
        to->rec_b[at] = record_of(library, b);
        if (GJB_DIM == 2)
            to->extent[at] = a->extent + b->extent;
        to->quads_a[at] = a->quads;
        to->quads_b[at] = b->quads;
        w->bin[at] = bin[i];
    }
    w->first = 0;
    w->count = count;
    w->all = to;
    w->in_order = 0;
    return 1;
}

/* Sorts the `count` pairs from `first` on by bin. */
LANE_CALL void sort_chunk(window *w, const gjb_library *library, const gjb_batch *batch, size_t first, unsigned count)
{
    enum { AHEAD = 32 };
    const uint32_t *pairs = batch->pairs + 2 * first;
    unsigned at[BIN_ROWS] = {0};
    uint8_t bin[CHUNK];
    for (unsigned i = 0; i < count; i++) {
        if (library->far && i + AHEAD < count) {
            prefetch(meta_of(library, batch, pairs[2 * (i + AHEAD)]));
            prefetch(meta_of(library, batch, pairs[2 * (i + AHEAD) + 1]));
        }
        bin[i] = (uint8_t)bin_of(meta_of(library, batch, pairs[2 * i]), meta_of(library, batch, pairs[2 * i + 1]));
        at[bin[i]]++;
    }
    for (unsigned b = 0, sum = 0; b < BIN_ROWS; b++) {
        w->chunk_start[b] = sum;
        sum += at[b];
        at[b] = w->chunk_start[b];
    }
    w->chunk_start[BIN_ROWS] = count;
    for (unsigned i = 0; i < count; i++)
        w->order[at[bin[i]]++] = (uint16_t)i;
    w->first = first;
}

/* Fills the window with pairs of a sorted chunk from `at` on. Returns how many. */
LANE_FN unsigned fill_from_chunk(window *w, const gjb_library *library, const gjb_batch *batch, unsigned at)
{
    const unsigned all = w->chunk_start[BIN_ROWS], end = all - at < WINDOW ? all : at + WINDOW;
    for (unsigned b = 0; b <= BIN_ROWS; b++) {
        const unsigned start = w->chunk_start[b];
        w->start[b] = start < at ? 0 : start > end ? end - at : start - at;
    }
    const uint32_t *pairs = batch->pairs + 2 * w->first;
    if (library->far)
        find_window(&w->given, library, batch, pairs, w->order + at, end - at, 1, 0);
    else
        find_window(&w->given, library, batch, pairs, w->order + at, end - at, 0, 0);
    w->all = &w->given;
    w->in_order = 0;
    w->count = end - at;
    return end - at;
}

/* Goes through a batch window by window. */
typedef struct walk {
    size_t first;    /* of the chunk */
    unsigned at, count; /* in the chunk; 0 of 0: it is still to begin */
    int sorted;
} walk;

/* Returns how many pairs the next window holds: 0 at the end. */
LANE_FN unsigned next_window(window *w, walk *walk, const gjb_library *library, const gjb_batch *batch)
{
    if (walk->at == walk->count) {
        const size_t left = batch->pair_count - (walk->first += walk->count);
        walk->sorted = !library->alike && !batch->axes && left > WINDOW;
        walk->at = 0;
        walk->count = left < (walk->sorted ? CHUNK : WINDOW) ? (unsigned)left : walk->sorted ? CHUNK : WINDOW;
        if (left == 0)
            return 0;
        if (walk->sorted)
            sort_chunk(w, library, batch, walk->first, walk->count);
    }
    if (walk->sorted) {
        const unsigned taken = fill_from_chunk(w, library, batch, walk->at);
        walk->at += taken;
        return taken;
    }
    fill_window(w, library, batch, walk->first, walk->count);
    return walk->at = walk->count;
}

/* Collects entries idx[0..n) consecutively; those beyond repeat the last. */
LANE_FN void collect(const sources *all, const uint16_t *idx, unsigned n, sources *some)
{
    for (unsigned l = 0; l < LANES; l++)
        copy_entry(all, idx[l < n ? l : n - 1], some, l);
}

#endif
