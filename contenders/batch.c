/* Our batched kernels as a contender: one backend a row of the backend table. */
#include "contenders/contender_lists.h"

#include "simd/simd.h"

enum { MAX_BACKENDS = 31 };
static const char *backends[MAX_BACKENDS + 1];

/* The contender's list is NULL-terminated names, the backend table is rows: the
 * one is drawn from the other, so that a new backend is still just a row. */
__attribute__((constructor)) static void list_backends(void)
{
    size_t count = 0;
    for (size_t i = 0; i < gjb_backend_count && count < MAX_BACKENDS; i++)
        backends[count++] = gjb_backends[i]->name;
    backends[count] = NULL;
}

static const gjb_contender batch = {
    .abi_version = GJB_CONTENDER_ABI,
    .struct_size = sizeof(gjb_contender),
    .name = "batch",
    .version = GJB_VERSION,
    .licence = "MIT",
    .note = "batched across pairs; the same bits from every backend",
    .dims = 1u << 2 | 1u << 3,
    .kinds = GJB_KINDS_2D | GJB_KINDS_3D | 1u << GJB_AABB | GJB_CURVED_2D | GJB_CURVED_3D | GJB_UNBOUNDED,
    .queries = ((1u << GJB_STILL_QUERIES) - 1) | 1u << GJB_SWEEP | 1u << GJB_TOI | 1u << GJB_MANIFOLD,
    .precisions = 1u << GJB_F32 | 1u << GJB_F64,
    .max_vertices = GJB_NO_VERTEX_LIMIT,
    .ours = 1,
    .within = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE,
    .leaving = 1u << GJB_TOI,
    .backends = backends,
    .backend_available = gjb_backend_available,
    .prepare = gjb_simd_prepare,
    .workspace_size = gjb_simd_workspace_size,
    .run = gjb_simd_run,
    .release = gjb_simd_release,
};

const gjb_contender *const gjb_contenders_batch[] = {&batch, NULL};
