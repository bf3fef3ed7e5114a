/* Chunks of pairs in motion, sorted by bin and by whether a body turns. A group of one kind is served window by window,
 * and lanes that a window leaves open go on in the next: a tile of a few slow lanes costs as much as a full one. */
#ifndef GJB_SIMD_TOI2_GROUPS_H
#define GJB_SIMD_TOI2_GROUPS_H

#include "simd/plane/toi2_tile.h"

/* Polygons of 33 to 64 vertices fit into lanes here. The number is that of boxes in 3D, which 2D has no use for. */
enum { SIZE_64 = SIZE_BOX, QUADS_64 = 16 };

enum { GROUPS = 2 * BIN_ROWS };

/* Entries of a group g that is in use are start[g] .. end[g] - 1: bin g % BIN_ROWS, those that turn from BIN_ROWS
 * on. */
typedef struct groups2 {
    uint64_t used; /* bits: most calls have a few groups */
    unsigned start[GROUPS], end[GROUPS];
} groups2;
_Static_assert(GROUPS <= 64, "a bit for each group");

LANE_FN unsigned moving_bin(const shape_meta *a, const shape_meta *b)
{
    const unsigned bin = bin_of(a, b);
    if (bin / 4 != SIZE_BIG || a->quads > QUADS_64 || b->quads > QUADS_64)
        return bin;
    return 4 * SIZE_64 + (bin & 2u) + (a->quads == QUADS_64 && b->quads == QUADS_64);
}

LANE_FN int body_turns(const gjb_batch *batch, uint32_t body)
{
    return !(motion_of(batch, body)[2] == 0);
}

/* `bin`: of all pairs, or GROUPS if each has its own. */
LANE_FN unsigned group_of(const gjb_library *library, const gjb_batch *batch, const uint32_t *pair, unsigned bin)
{
    if (bin == GROUPS)
        bin = moving_bin(meta_of(library, batch, pair[0]), meta_of(library, batch, pair[1]));
    if (!batch->motions)
        return bin;
    return bin + BIN_ROWS * (unsigned)(body_turns(batch, pair[0]) | body_turns(batch, pair[1]));
}

LANE_FN unsigned common_bin(const gjb_library *library, const gjb_batch *batch, const uint32_t *pair)
{
    const unsigned bin = bin_of(meta_of(library, batch, pair[0]), meta_of(library, batch, pair[1]));
    return library->alike && bin / 4 != SIZE_BIG ? bin : GROUPS;
}

/* Sorts the `count` pairs from `first` on, at most CHUNK. */
LANE_CALL void sort_moving(window *w, const gjb_library *library, const gjb_batch *batch, size_t first, unsigned count,
                           groups2 *g)
{
    enum { AHEAD = 32 };
    const uint32_t *pairs = batch->pairs + 2 * first;
    const unsigned bin = common_bin(library, batch, pairs);
    unsigned at[GROUPS] = {0};
    g->used = 0;
    uint8_t group[CHUNK];
    for (unsigned i = 0; i < count; i++) {
        if (library->far && i + AHEAD < count) {
            prefetch_body(library, batch, pairs[2 * (i + AHEAD)]);
            prefetch_body(library, batch, pairs[2 * (i + AHEAD) + 1]);
        }
        group[i] = (uint8_t)group_of(library, batch, pairs + 2 * i, bin);
        at[group[i]]++;
        g->used |= (uint64_t)1 << group[i];
    }
    unsigned sum = 0;
    for (uint64_t used = g->used; used; used &= used - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(used);
        g->start[k] = sum;
        g->end[k] = sum += at[k];
        at[k] = g->start[k];
    }
    for (unsigned i = 0; i < count; i++)
        w->order[at[group[i]]++] = (uint16_t)i;
    w->first = first;
    w->all = &w->given;
    w->in_order = 0;
}

/* Lanes that wait, fewer than LANES, get entries that the next window leaves alone. */
LANE_CALL void keep_waiting(context *ctx)
{
    spill *queue = &ctx->queue;
    if (queue->count)
        collect(ctx->pairs.all, queue->entry, queue->count, &ctx->some);
    for (unsigned i = 0; i < queue->count; i++) {
        copy_entry(&ctx->some, i, &ctx->pairs.given, WINDOW + i);
        queue->entry[i] = (uint16_t)(WINDOW + i);
    }
}

/* Serves n entries, or lanes that wait, by the narrowest backend that takes them at once: as serve_few, which has one
 * for a single pair. */
LANE_FN void serve_narrow(context *ctx, unsigned bin, const uint16_t *idx, unsigned first, unsigned end, unsigned n)
{
    ctx->library->bins[narrowest(n > 1 ? n : 2)](ctx, bin, idx, first, end);
}

/* Bins of one method, with or without radius, share a tile for what they leave: small[rounded]. */
typedef struct leftovers2 {
    leftover small[2];
} leftovers2;

LANE_FN void serve_leftovers(context *ctx, leftovers2 *left)
{
    for (int k = 0; k < 2; k++) {
        leftover *l = &left->small[k];
        if (l->count)
            serve_narrow(ctx, l->bin, l->entry, 0, l->count, l->count);
        l->count = 0;
    }
}

/* Entries first .. end - 1 of a bin without curves. `more`: there are more in the next window, and the end is that of a
 * tile. */
LANE_FN void serve_group(context *ctx, gjb_bin *wide, leftovers2 *left, unsigned bin, unsigned first, unsigned end,
                         int more)
{
    const unsigned rest = bin / 4 == SIZE_BIG ? 0 : (end - first) % LANES;
    ctx->keeps = 1;
    if (end - rest > first)
        wide(ctx, bin, NULL, first, end - rest);
    ctx->keeps = 0;
    if (more)
        keep_waiting(ctx);
    else if (ctx->queue.count)
        serve_narrow(ctx, bin, NULL, 0, 0, ctx->queue.count);
    if (rest && (ctx->batch->axes || bin / 4 == SIZE_64))
        serve_narrow(ctx, bin, NULL, end - rest, end, rest);
    else if (rest)
        keep_leftover(ctx, &left->small[bin >> 1 & 1], wide, bin, end - rest, end);
}

#endif
