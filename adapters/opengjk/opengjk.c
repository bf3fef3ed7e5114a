/* openGJK as a plug-in of gjkbench: distances of polytopes, in the precision that the library was built for.
 *
 * Build: cmake -S . -B build -DCMAKE_PREFIX_PATH=... && cmake --build build; add -DOPENGJK_32BITS=ON for a library of
 * floats (its USE_32BITS). The library is GPL-3.0, and so is what is linked with it; this file is MIT.
 *
 * Frames: the library takes vertices in one frame. They are placed here, in world axes relative to A's translation, so
 * that its witness points need no conversion.
 * Normals: it gives none. The one here is the direction between its witness points, of unit length, and not graded.
 * Radii: it knows none. Distances are those of the cores, less the radii.
 * Overlapping: its header says that it returns 0 then, while its source stops at three thresholds above 0: at a
 * distance of 1e4 eps, at 100 eps times the largest vertex of the difference, and at a duality gap of 100 eps. Below
 * the first two cores overlap here. The third is an absolute tolerance of the squared distance, hence tau, which is
 * its square root; its relative tolerance is 1e4 eps of the distance.
 * Margins: there is none.
 * It prints a line when it reaches its 25 iterations, and does not say so in its result. Where that is NaN, there is no
 * answer (GJB_ITERATION_LIMIT).
 */
#include <float.h>
#include <gjkbench/adapter.h>
#include <math.h>
#include <openGJK/openGJK.h>
#include <stdio.h>
#include <stdlib.h>

#define FLOATS (sizeof(gkFloat) == sizeof(float))
static const double MOST_RELATIVE = 1e2 * (double)gkEpsilon, MOST_ABSOLUTE = 1e4 * (double)gkEpsilon;

typedef struct prepared {
    gjb_shapes shapes;
    uint32_t most; /* vertices of a shape */
} prepared;

/* A body as the library takes it, in a thread's workspace: rows of pointers, then coordinates. */
typedef struct body {
    gkPolytope polytope;
    double size; /* the largest |vertex| */
} body;

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    prepared *p = malloc(sizeof *p);
    if (p == NULL)
        return NULL;
    *p = (prepared){*shapes, 1};
    for (uint32_t i = 0; i < shapes->count; i++) {
        const uint32_t count = gjb_shape_vertex_count(shapes, i);
        p->most = count > p->most ? count : p->most;
    }
    return p;
}

static size_t bytes_per_body(const prepared *p)
{
    return p->most * (sizeof(gkFloat *) + 3 * sizeof(gkFloat));
}

static size_t workspace_size(const void *p)
{
    return 2 * bytes_per_body(p) + 64;
}

static body place(const prepared *p, const gjb_batch *batch, const uint32_t *pair, int which)
{
    const gjb_pose3d origin = gjb_batch_pose3d(batch, pair[0]), pose = gjb_batch_pose3d(batch, pair[which]);
    const gjb_placing placing = gjb_place(&pose, &origin);
    const uint32_t shape = gjb_batch_shape(batch, pair[which]), count = gjb_shape_vertex_count(&p->shapes, shape);
    gkFloat **rows = (gkFloat **)batch->workspace + (size_t)which * p->most;
    gkFloat *numbers = (gkFloat *)((gkFloat **)batch->workspace + 2 * (size_t)p->most) + (size_t)which * 3 * p->most;
    body b = {{(int)count, {0, 0, 0}, 0, rows}, 0};
    for (uint32_t i = 0; i < count; i++) {
        double local[3], placed[3], length = 0;
        gjb_shape_vertex(&p->shapes, shape, i, local);
        gjb_place_point(&placing, local, placed);
        rows[i] = numbers + 3 * i;
        for (int k = 0; k < 3; k++) {
            rows[i][k] = (gkFloat)placed[k];
            length += placed[k] * placed[k];
        }
        b.size = fmax(b.size, sqrt(length));
    }
    return b;
}

static void answer_pair(const void *prepared_by_us, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const prepared *p = prepared_by_us;
    const body a = place(p, batch, pair, 0), b = place(p, batch, pair, 1);
    const double radius[2] = {gjb_shape_radius(&p->shapes, gjb_batch_shape(batch, pair[0])),
                              gjb_shape_radius(&p->shapes, gjb_batch_shape(batch, pair[1]))};
    gkSimplex simplex = {0};
    const double apart = (double)compute_minimum_distance(a.polytope, b.polytope, &simplex);
    const double zero = fmax(MOST_ABSOLUTE, MOST_RELATIVE * (a.size + b.size));
    answer->sigma = (apart <= zero ? 0 : apart) - radius[0] - radius[1];
    answer->status = isnan(apart)          ? GJB_ITERATION_LIMIT
                     : answer->sigma > 0 ? GJB_SEPARATED
                                         : GJB_OVERLAPPING;
    if (answer->status != GJB_SEPARATED || batch->query == GJB_INTERSECT)
        return;
    for (int k = 0; k < 3; k++)
        answer->normal[k] = (double)simplex.witnesses[1][k] - (double)simplex.witnesses[0][k];
    gjb_unit(answer->normal);
    for (int k = 0; k < 3; k++) {
        answer->point_a[k] = (double)simplex.witnesses[0][k] + radius[0] * answer->normal[k];
        answer->point_b[k] = (double)simplex.witnesses[1][k] - radius[1] * answer->normal[k];
    }
}

static void run(const void *p, const gjb_batch *batch)
{
    const int known = batch->query == GJB_INTERSECT || batch->query == GJB_DISTANCE;
    gjb_answer_all(p, batch, FLOATS ? GJB_F32 : GJB_F64, 3, known ? answer_pair : gjb_answer_unsupported);
}

/* A library of the other precision reads other numbers: 3 and 4 apart are 5 apart, if both have one. */
static int has_our_precision(void)
{
    gkFloat numbers[2][3] = {{0, 0, 0}, {3, 4, 0}}, *rows[2] = {numbers[0], numbers[1]};
    const gkPolytope a = {1, {0, 0, 0}, 0, rows}, b = {1, {0, 0, 0}, 0, rows + 1};
    gkSimplex simplex = {0};
    return fabs((double)compute_minimum_distance(a, b, &simplex) - 5) < 1e-3;
}

GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size)
{
    static gjb_contender opengjk = {
        .abi_version = GJB_CONTENDER_ABI,
        .struct_size = sizeof(gjb_contender),
        .name = FLOATS ? "opengjk-f32" : "opengjk",
        .version = OPENGJK_VERSION,
        .licence = "GPL-3.0-only",
        .note = "GJK; vertices are placed and radii taken off by the adapter; stops 100 eps before a squared distance "
                "of 0",
        .dims = 1u << 3,
        .kinds = GJB_KINDS_3D | 1u << GJB_AABB,
        .queries = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE,
        .no_normal = 1u << GJB_DISTANCE,
        .precisions = FLOATS ? 1u << GJB_F32 : 1u << GJB_F64,
        .max_vertices = GJB_NO_VERTEX_LIMIT,
        .prepare = prepare,
        .workspace_size = workspace_size,
        .run = run,
        .release = free,
    };
    static const gjb_contender *const tables[] = {&opengjk, NULL};
    opengjk.tau[GJB_INTERSECT] = opengjk.tau[GJB_DISTANCE] = sqrt(1e2 * (double)gkEpsilon);
    opengjk.tau_relative[GJB_INTERSECT] = opengjk.tau_relative[GJB_DISTANCE] = 1e4 * (double)gkEpsilon;
    if (options[0] != '\0') {
        snprintf(error, error_size, "option '%s': there is none", options);
        return NULL;
    }
    if (!has_our_precision()) {
        snprintf(error, error_size, "the library has other numbers than this adapter: build it with OPENGJK_32BITS=%s",
                 FLOATS ? "OFF" : "ON");
        return NULL;
    }
    return tables;
}
