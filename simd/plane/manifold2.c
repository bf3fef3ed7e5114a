/* Contact manifolds in the plane: what lies over one another along the normals of signed distances, in lanes. */
#include "simd/context.h"
#include "simd/plane/manifold_chain2.h"
#include "simd/plane/manifold_tile2.h"
#include "simd/plane/near2.h"

gjb_patches KERNEL(gjb_patches2);
gjb_near KERNEL(gjb_near2);

unsigned KERNEL(gjb_near2)(const void *prepared, const gjb_batch *batch, size_t first, unsigned count, size_t *near)
{
    return list_near(prepared, batch, first, count, sizeof(manifold2), near);
}

/* Pairs of a chunk that have contacts, by what finds them. */
enum { LANE_SIZES = SIZE_32 + 1 };
typedef struct lists2 {
    uint16_t pair[LANE_SIZES + 1][MANIFOLD_CHUNK]; /* by the size of the larger shape; the last one by one */
    unsigned count[LANE_SIZES + 1];
} lists2;

/* Answers those that need no features, and lists the others. */
LANE_FN void sort_pairs(const patches2 *p, size_t count, lists2 *lists)
{
    memset(lists->count, 0, sizeof lists->count);
    for (size_t i = 0; i < count; i++) {
        const record *r = p->found + i;
        const int answered = r->head.status == GJB_SEPARATED || r->head.status == GJB_OVERLAPPING;
        if (!answered || (double)r->value > p->batch->margin) {
            write_none(p, i);
            continue;
        }
        const uint32_t *pair = p->batch->pairs + 2 * p->pair[i];
        const unsigned a = METHOD_SIZE(meta_of(p->library, p->batch, pair[0])->method);
        const unsigned b = METHOD_SIZE(meta_of(p->library, p->batch, pair[1])->method), size = a > b ? a : b;
        if (size >= SIZE_CURVED) {
            write_witness(p, i, KIND_CURVED);
            continue;
        }
        const unsigned list = size < LANE_SIZES ? size : LANE_SIZES;
        lists->pair[list][lists->count[list]++] = (uint16_t)i;
    }
}

#define TILES(name, N)                                                                                           \
    LANE_CALL void name(const patches2 *p, const uint16_t *list, unsigned count, int vertices)                   \
    {                                                                                                            \
        (void)vertices;                                                                                          \
        for (unsigned k = 0; k < count; k += LANES) {                                                            \
            const unsigned left = count - k, n = left < LANES ? left : LANES;                                    \
            for (unsigned odd = patch_tile(p, list + k, n, N); odd; odd &= odd - 1)                              \
                write_chains(p, list[k + (unsigned)__builtin_ctz(odd)]);                                         \
        }                                                                                                        \
    }
TILES(tiles_of_4, 4)
TILES(tiles_of_8, 8)
TILES(tiles_of_blocks, vertices)

void KERNEL(gjb_patches2)(const void *prepared, const gjb_batch *batch, const size_t *pairs, size_t count,
                          const void *signed_distances)
{
    static void (*const tiles[LANE_SIZES])(const patches2 *, const uint16_t *, unsigned, int) = {
        tiles_of_4, tiles_of_8, tiles_of_blocks, tiles_of_blocks};
    const patches2 p = {.library = prepared, .batch = batch, .pair = pairs, .found = signed_distances};
    lists2 lists;
    sort_pairs(&p, count, &lists);
    for (int size = 0; size < LANE_SIZES; size++)
        if (lists.count[size])
            tiles[size](&p, lists.pair[size], lists.count[size], 4 << size);
    for (unsigned k = 0; k < lists.count[LANE_SIZES]; k++)
        write_chains(&p, lists.pair[LANE_SIZES][k]);
}
