/* Our scalar double-precision reference as a contender: what a careful
 * textbook implementation costs, and a second opinion beside the kernels. */
#include "contenders/rows.h"

#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    gjb_shapes *copy = malloc(sizeof *copy);
    if (copy != NULL)
        *copy = *shapes;
    return copy;
}

static size_t workspace_size(const void *prepared)
{
    (void)prepared;
    return 0;
}

/* One shape of a pair. Boxes are expanded per pair: eight corners cost less
 * than a second library. */
typedef struct core {
    gjb_kind kind;
    uint32_t count;
    const double *vertices;
    double radius, corners[8 * 3];
    const void *pose;
} core;

static void take_core(const gjb_shapes *shapes, const gjb_batch *batch, uint32_t index, core *c)
{
    const uint32_t shape = batch->body_shape != NULL ? batch->body_shape[index] : index, dim = shapes->dim;
    c->kind = (gjb_kind)shapes->kind[shape];
    c->count = shapes->row_count[shape];
    c->vertices = (const double *)shapes->rows + (size_t)shapes->first[shape] * dim;
    c->radius = ((const double *)shapes->radius)[shape];
    c->pose = (const char *)batch->poses + index * batch->pose_stride;
    if (c->kind != GJB_BOX)
        return;
    c->count = gjb_box_corners(dim);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = 0; k < dim; k++)
            c->corners[i * dim + k] = gjb_box_corner(dim, i, k) * c->vertices[k];
    c->vertices = c->corners;
}

static gjb_body2 body2(const core *c)
{
    gjb_body2 b = {c->kind, c->count, (const double(*)[2])c->vertices, c->radius, {0, 0, 1, 0}};
    memcpy(&b.pose, c->pose, sizeof b.pose);
    return b;
}

static gjb_body3 body3(const core *c)
{
    gjb_body3 b = {c->kind, c->count, (const double(*)[3])c->vertices, c->radius, {0, 0, 0, 0, 0, 0, 1}};
    memcpy(&b.pose, c->pose, sizeof b.pose);
    return b;
}

/* An answer of either dimension; vectors one behind the other, as in records. */
typedef struct answer {
    gjb_status status;
    int iterations;
    double sigma, vectors[9];
} answer;

static answer solve(uint32_t dim, const core *a, const core *b)
{
    answer out;
    if (dim == 2) {
        const gjb_pair2 pair = {body2(a), body2(b)};
        const ref_answer r = ref_signed_distance2(&pair);
        out = (answer){r.status, r.iterations, r.sigma, {r.normal[0], r.normal[1], r.point_a[0], r.point_a[1],
                                                         r.point_b[0], r.point_b[1]}};
    } else {
        const gjb_pair3 pair = {body3(a), body3(b)};
        const ref_answer3 r = ref_signed_distance3(&pair, NULL);
        out = (answer){r.status, r.iterations, r.sigma, {0}};
        memcpy(out.vectors, r.normal, sizeof r.normal);
        memcpy(out.vectors + 3, r.point_a, sizeof r.point_a);
        memcpy(out.vectors + 6, r.point_b, sizeof r.point_b);
    }
    return out;
}

/* + 0.0 makes -0 into +0, as records promise. */
static void write_result(gjb_query query, uint32_t dim, const answer *found, char *record)
{
    const int separated = found->status == GJB_SEPARATED, overlapping = found->status == GJB_OVERLAPPING;
    struct {
        gjb_head head;
        uint32_t zero;
        double value, vectors[9];
    } r = {.head = {(uint16_t)found->status, (uint16_t)found->iterations}};
    _Static_assert(sizeof r == sizeof(gjb_result3d), "laid out as the records are");
    const int defined = query == GJB_DISTANCE      ? separated
                        : query == GJB_PENETRATION ? overlapping
                                                   : separated || overlapping;
    if (defined) {
        r.value = (query == GJB_PENETRATION ? -found->sigma : found->sigma) + 0.0;
        for (uint32_t i = 0; i < 3 * dim; i++)
            r.vectors[i] = found->vectors[i] + 0.0;
    }
    memcpy(record, &r, gjb_result_size(query, GJB_F64, dim));
}

static void run(const void *prepared, const gjb_batch *batch)
{
    const gjb_shapes *shapes = prepared;
    core a, b;
    for (size_t i = 0; i < batch->pair_count; i++) {
        take_core(shapes, batch, batch->pairs[2 * i], &a);
        take_core(shapes, batch, batch->pairs[2 * i + 1], &b);
        const answer found = solve(shapes->dim, &a, &b);
        write_result(batch->query, shapes->dim, &found, (char *)batch->results + i * batch->result_stride);
        if (batch->stats != NULL) {
            batch->stats->pairs++;
            batch->stats->iterations[found.iterations < 31 ? found.iterations : 31]++;
        }
    }
}

const gjb_contender gjb_contender_reference = {
    .abi_version = GJB_CONTENDER_ABI,
    .struct_size = sizeof(gjb_contender),
    .name = "reference",
    .version = GJB_VERSION,
    .licence = "MIT",
    .note = "scalar, double precision: GJK, then EPA where the cores overlap",
    .dims = 1u << 2 | 1u << 3,
    .kinds = GJB_KINDS_2D | GJB_KINDS_3D,
    .queries = (1u << GJB_QUERIES) - 1,
    .precisions = 1u << GJB_F64,
    .max_vertices = GJB_NO_VERTEX_LIMIT,
    .ours = 1,
    .prepare = prepare,
    .workspace_size = workspace_size,
    .run = run,
    .release = free,
};
