/* Our scalar double-precision reference as a contender: what a careful
 * textbook implementation costs, and a second opinion beside the kernels. */
#include "contenders/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/adapter.h"
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

/* One shape of a pair; `corners` is where those of a box go. */
typedef struct core {
    gjb_kind kind;
    uint32_t count;
    const double *rows;
    double radius;
    const void *pose;
} core;

/* Coordinate of a corner of a box; of one by two corners the lesser first. */
static double corner_of(gjb_kind kind, const double *rows, uint32_t dim, uint32_t i, uint32_t axis)
{
    const double sign = gjb_box_corner(dim, i, axis);
    if (kind == GJB_BOX)
        return sign * rows[axis];
    return sign < 0 ? fmin(rows[axis], rows[dim + axis]) : fmax(rows[axis], rows[dim + axis]);
}

static core core_of(const gjb_shapes *shapes, const gjb_batch *batch, uint32_t index, double corners[8 * 3])
{
    const uint32_t shape = gjb_batch_shape(batch, index), dim = shapes->dim;
    core c = {(gjb_kind)shapes->kind[shape], shapes->row_count[shape],
              (const double *)shapes->rows + (size_t)shapes->first[shape] * dim,
              ((const double *)shapes->radius)[shape], gjb_batch_pose(batch, index)};
    if (c.kind == GJB_BOX || c.kind == GJB_AABB) {
        c.count = gjb_box_corners(dim);
        for (uint32_t i = 0; i < c.count; i++)
            for (uint32_t axis = 0; axis < dim; axis++)
                corners[i * dim + axis] = corner_of(c.kind, c.rows, dim, i, axis);
        c.rows = corners;
    }
    return c;
}

static gjb_body2 body2(const core *c)
{
    gjb_body2 b = {.kind = c->kind, .count = c->count, .vertices = (const double(*)[2])c->rows, .radius = c->radius};
    memcpy(&b.pose, c->pose, sizeof b.pose);
    return b;
}

static gjb_body3 body3(const core *c)
{
    gjb_body3 b = {.kind = c->kind, .count = c->count, .vertices = (const double(*)[3])c->rows, .radius = c->radius};
    memcpy(&b.pose, c->pose, sizeof b.pose);
    return b;
}

/* The two answers are laid out alike but for their dimension. */
#define TAKE(answer, from, dim)                                                                                 \
    do {                                                                                                        \
        (answer)->status = (gjb_status)(from).status;                                                           \
        (answer)->iterations = (unsigned)(from).iterations;                                                     \
        (answer)->sigma = (from).sigma;                                                                         \
        memcpy((answer)->normal, (from).normal, (dim) * sizeof(double));                                        \
        memcpy((answer)->point_a, (from).point_a, (dim) * sizeof(double));                                      \
        memcpy((answer)->point_b, (from).point_b, (dim) * sizeof(double));                                      \
    } while (0)

static void answer_pair(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const gjb_shapes *shapes = prepared;
    double corners[2][8 * 3];
    const core a = core_of(shapes, batch, pair[0], corners[0]), b = core_of(shapes, batch, pair[1], corners[1]);
    if (shapes->dim == 2) {
        const gjb_pair2 plane = {body2(&a), body2(&b)};
        const ref_answer found = ref_signed_distance2(&plane);
        TAKE(answer, found, 2);
    } else {
        const gjb_pair3 space = {body3(&a), body3(&b)};
        const ref_answer3 found = ref_signed_distance3(&space, NULL);
        TAKE(answer, found, 3);
    }
}

static void run(const void *prepared, const gjb_batch *batch)
{
    const gjb_shapes *shapes = prepared;
    gjb_answer_all(prepared, batch, GJB_F64, shapes->dim, answer_pair);
}

static const gjb_contender reference = {
    .abi_version = GJB_CONTENDER_ABI,
    .struct_size = sizeof(gjb_contender),
    .name = "reference",
    .version = GJB_VERSION,
    .licence = "MIT",
    .note = "scalar, double precision: GJK, then EPA where the cores overlap",
    .dims = 1u << 2 | 1u << 3,
    .kinds = GJB_KINDS_2D | GJB_KINDS_3D | 1u << GJB_AABB,
    .queries = (1u << GJB_STILL_QUERIES) - 1,
    .precisions = 1u << GJB_F64,
    .max_vertices = GJB_NO_VERTEX_LIMIT,
    .ours = 1,
    .prepare = prepare,
    .workspace_size = gjb_no_workspace,
    .run = run,
    .release = free,
};

const gjb_contender *const gjb_contenders_reference[] = {&reference, NULL};
