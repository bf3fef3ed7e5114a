/* Contact manifolds in space: what lies over one another along the normals of signed distances, in lanes. */
#include "simd/context.h"

gjb_patches KERNEL(gjb_patches3);

void KERNEL(gjb_patches3)(const void *prepared, const gjb_batch *batch, size_t first, size_t count,
                          const void *signed_distances)
{
    (void)prepared;
    (void)signed_distances;
    for (size_t i = 0; i < count; i++) {
        const gjb_head head = {GJB_UNSUPPORTED, 0};
        char *record = (char *)batch->results + (first + i) * batch->result_stride;
        memset(record, 0, gjb_result_size(GJB_MANIFOLD, GJB_BITS == 32 ? GJB_F32 : GJB_F64, GJB_DIM));
        memcpy(record, &head, sizeof head);
    }
}
