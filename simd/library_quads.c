/* How many quads a shape takes. */
#include "simd/library.h"

uint32_t gjb_library_quads(const gjb_shapes *shapes, uint32_t i)
{
    const int box = shapes->kind[i] == GJB_BOX || shapes->kind[i] == GJB_AABB;
    uint32_t n = box ? gjb_box_corners(shapes->dim) : shapes->row_count[i];
    if (shapes->kind[i] >= GJB_KINDS || n == 0 || gjb_is_curved(shapes->kind[i]))
        return 1;
    uint32_t quads = n / 4 + (n % 4 != 0), padded = 1;
    if (quads > LANE_QUADS)
        return (quads + 3) / 4 * 4;
    while (padded < quads)
        padded *= 2;
    return padded;
}
