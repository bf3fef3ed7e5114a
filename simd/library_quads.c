/* How many quads a shape takes, and memory for what is prepared. */
#include "simd/library.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

uint32_t gjb_library_quads_of(uint32_t n)
{
    uint32_t quads = n / 4 + (n % 4 != 0), padded = 1;
    if (quads > LANE_QUADS)
        return (quads + 3) / 4 * 4;
    while (padded < quads)
        padded *= 2;
    return padded;
}

uint32_t gjb_library_quads(const gjb_shapes *shapes, uint32_t i)
{
    const int box = shapes->kind[i] == GJB_BOX || shapes->kind[i] == GJB_AABB;
    uint32_t n = box ? gjb_box_corners(shapes->dim) : shapes->row_count[i];
    if (shapes->kind[i] >= GJB_KINDS || n == 0 || gjb_is_curved(shapes->kind[i]))
        return 1;
    return gjb_library_quads_of(n);
}

/* Large arrays use huge pages if the system has them: shapes are visited in random
 * order, and each visit would need a page table walk. */
void *gjb_library_array(size_t bytes)
{
    const size_t huge = (size_t)1 << 21;
    void *array;
    if (posix_memalign(&array, bytes < huge ? 64 : huge, bytes ? bytes : 1) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= huge)
        madvise(array, bytes, MADV_HUGEPAGE); /* a hint, which may be refused */
#endif
    return memset(array, 0, bytes);
}
