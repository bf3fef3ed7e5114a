/* The kernels in an engine: shapes are prepared once, and each frame's pairs from the broad phase
 * are answered in one call.
 *   cc engine.c $(pkg-config --cflags --libs libgjkbench) */
#include <gjkbench/kernels.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A box of half extents 1, 1, 1, a sphere of radius 1/2, and a tetrahedron with one corner at its origin. */
static const uint8_t kind[] = {GJB_BOX, GJB_POINT, GJB_HULL};
static const uint32_t first[] = {0, 1, 2}, row_count[] = {1, 1, 4};
static const float radius[] = {0, 0.5f, 0};
static const float rows[][3] = {{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {2, 1, 0}, {2, -1, 1}, {2, -1, -1}};

/* Bodies: x, y, z, then the rotation as a quaternion, its real part last. */
static const gjb_pose3f poses[] = {
    {0, 0, 0, 0, 0, 0, 1}, {4, 0, 0, 0, 0, 0, 1}, {0, 0, 1.25f, 0, 0, 0, 1}, {3, 0, 0, 0, 0, 0, 1}};
static const uint32_t body_shape[] = {0, 1, 0, 2};
static const uint32_t pairs[][2] = {{0, 1}, {0, 2}, {0, 3}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static int fail(const char *error)
{
    fprintf(stderr, "engine: %s\n", error);
    return 1;
}

static void print(const uint32_t pair[2], const gjb_result3f *r)
{
    printf("%u and %u: %s by %.4f along %.4f %.4f %.4f\n", pair[0], pair[1],
           r->head.status == GJB_OVERLAPPING ? "overlap" : "apart", (double)(r->value < 0 ? -r->value : r->value),
           (double)r->normal[0], (double)r->normal[1], (double)r->normal[2]);
}

int main(void)
{
    gjb_result3f results[PAIRS];
    char error[200];
    /* from here */
    const gjb_shapes shapes = {.dim = 3, .precision = GJB_F32, .count = 3, .kind = kind,
                               .first = first, .row_count = row_count, .radius = radius, .rows = rows};
    gjb_kernels *kernels = gjb_kernels_prepare(&shapes, NULL, error, sizeof error);
    if (!kernels)
        return fail(error);
    const size_t size = gjb_kernels_workspace_size(kernels);
    void *workspace = aligned_alloc(64, size); /* one per thread, zeroed once */
    if (!workspace)
        return fail("no memory");
    memset(workspace, 0, size);
    const gjb_batch batch = {.query = GJB_SIGNED_DISTANCE, .poses = poses, .pose_stride = sizeof *poses,
                             .body_shape = body_shape, .pairs = *pairs, .pair_count = PAIRS,
                             .results = results, .result_stride = sizeof *results, .workspace = workspace};
    if (gjb_kernels_run(kernels, &batch, size, error, sizeof error))
        return fail(error);
    /* to here */
    for (int i = 0; i < PAIRS; i++)
        print(pairs[i], &results[i]);
    free(workspace);
    gjb_kernels_release(kernels);
    return 0;
}
