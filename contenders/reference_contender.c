/* Our scalar double-precision reference as a contender: what a careful
 * textbook implementation costs, and a second opinion beside the kernels. */
#include "contenders/rows.h"

#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"

/* Boxes are expanded per pair: four corners cost less than a second library. */
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

static gjb_body2 body(const gjb_shapes *shapes, const gjb_batch *batch, uint32_t index, double corners[4][2])
{
    const uint32_t shape = batch->body_shape != NULL ? batch->body_shape[index] : index;
    const double(*rows)[2] = (const double(*)[2])shapes->rows + shapes->first[shape];
    gjb_body2 b;
    b.kind = (gjb_kind)shapes->kind[shape];
    b.count = shapes->row_count[shape];
    b.vertices = rows;
    b.radius = ((const double *)shapes->radius)[shape];
    memcpy(&b.pose, (const char *)batch->poses + index * batch->pose_stride, sizeof b.pose);
    if (b.kind == GJB_BOX) {
        static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        for (int i = 0; i < 4; i++)
            for (int axis = 0; axis < 2; axis++)
                corners[i][axis] = sign[i][axis] * rows[0][axis];
        b.count = 4;
        b.vertices = (const double(*)[2])corners;
    }
    return b;
}

/* + 0.0 makes -0 into +0, as records promise. */
static void write_result(gjb_query query, const ref_answer *answer, char *record)
{
    const int separated = answer->status == GJB_SEPARATED, overlapping = answer->status == GJB_OVERLAPPING;
    gjb_result2d r = {0};
    r.head.status = (uint16_t)answer->status;
    r.head.iterations = (uint16_t)answer->iterations;
    if (query == GJB_INTERSECT) {
        memcpy(record, &r.head, sizeof r.head);
        return;
    }
    const int defined = query == GJB_DISTANCE      ? separated
                        : query == GJB_PENETRATION ? overlapping
                                                   : separated || overlapping;
    if (defined) {
        r.value = (query == GJB_PENETRATION ? -answer->sigma : answer->sigma) + 0.0;
        for (int i = 0; i < 2; i++) {
            r.normal[i] = answer->normal[i] + 0.0;
            r.point_a[i] = answer->point_a[i] + 0.0;
            r.point_b[i] = answer->point_b[i] + 0.0;
        }
    }
    memcpy(record, &r, sizeof r);
}

static void run(const void *prepared, const gjb_batch *batch)
{
    const gjb_shapes *shapes = prepared;
    for (size_t i = 0; i < batch->pair_count; i++) {
        double corners[2][4][2];
        const gjb_pair2 pair = {body(shapes, batch, batch->pairs[2 * i], corners[0]),
                                body(shapes, batch, batch->pairs[2 * i + 1], corners[1])};
        const ref_answer answer = ref_signed_distance2(&pair);
        write_result(batch->query, &answer, (char *)batch->results + i * batch->result_stride);
        if (batch->stats != NULL) {
            batch->stats->pairs++;
            batch->stats->iterations[answer.iterations < 31 ? answer.iterations : 31]++;
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
    .dims = 1u << 2,
    .kinds = GJB_KINDS_2D,
    .queries = (1u << GJB_QUERIES) - 1,
    .precisions = 1u << GJB_F64,
    .max_vertices = GJB_NO_VERTEX_LIMIT,
    .ours = 1,
    .prepare = prepare,
    .workspace_size = workspace_size,
    .run = run,
    .release = free,
};
