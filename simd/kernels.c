/* The public interface of the kernels. It checks all arguments, once per call, so that the code below
 * need not. */
#include <gjkbench/kernels.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "simd/library.h"
#include "simd/simd.h"

/* To callers a gjb_library is a gjb_kernels. */
static const gjb_library *library_of(const gjb_kernels *kernels)
{
    return (const gjb_library *)(const void *)kernels;
}

__attribute__((format(printf, 3, 4))) static int refuse(char *error, size_t error_size, const char *format, ...)
{
    if (error && error_size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error, error_size, format, arguments);
        va_end(arguments);
        gjb_text_clean(error);
    }
    return -1;
}

static void all_is_well(char *error, size_t error_size)
{
    if (error && error_size)
        *error = 0;
}

const char *gjb_kernels_version(void)
{
    return GJB_VERSION;
}

const char *gjb_kernels_backend(size_t i)
{
    return i < gjb_backend_count ? gjb_backends[i]->name : NULL;
}

int gjb_kernels_available(const char *backend)
{
    return backend && gjb_backend_available(backend);
}

const char *gjb_kernels_best(void)
{
    return gjb_backend_best()->name;
}

/* 0, or -1 with an error in the shapes, before their rows are read. */
static int check_shapes(const gjb_shapes *shapes, char *error, size_t error_size)
{
    if (!shapes)
        return refuse(error, error_size, "shapes: NULL");
    if (shapes->dim != 2 && shapes->dim != 3)
        return refuse(error, error_size, "shapes.dim: %u is neither 2 nor 3", (unsigned)shapes->dim);
    if (shapes->precision >= GJB_PRECISIONS)
        return refuse(error, error_size, "shapes.precision: %u is neither GJB_F32 nor GJB_F64",
                      (unsigned)shapes->precision);
    const struct {
        const char *field;
        const void *array;
    } arrays[] = {{"kind", shapes->kind},
                  {"first", shapes->first},
                  {"row_count", shapes->row_count},
                  {"radius", shapes->radius},
                  {"rows", shapes->rows}};
    for (size_t i = 0; shapes->count && i < sizeof arrays / sizeof *arrays; i++)
        if (!arrays[i].array)
            return refuse(error, error_size, "shapes.%s: NULL, with %u shapes", arrays[i].field, (unsigned)shapes->count);
    for (uint32_t i = 0; i < shapes->count; i++)
        if (shapes->row_count[i] > GJB_MAX_VERTICES)
            return refuse(error, error_size, "shapes.row_count[%u]: %u is more than %u", (unsigned)i,
                          (unsigned)shapes->row_count[i], GJB_MAX_VERTICES);
    return 0;
}

gjb_kernels *gjb_kernels_prepare(const gjb_shapes *shapes, const char *backend, char *error, size_t error_size)
{
    all_is_well(error, error_size);
    if (check_shapes(shapes, error, error_size))
        return NULL;
    if (backend && !gjb_backend_available(backend)) {
        refuse(error, error_size, "backend: '%.40s' is %s", backend,
               gjb_backend_find(backend) ? "not of this CPU" : "unknown to this library");
        return NULL;
    }
    void *prepared = gjb_simd_prepare(shapes, backend);
    if (!prepared)
        refuse(error, error_size, "out of memory for %u shapes", (unsigned)shapes->count);
    return prepared;
}

void gjb_kernels_release(gjb_kernels *kernels)
{
    gjb_simd_release(kernels);
}

size_t gjb_kernels_workspace_size(const gjb_kernels *kernels)
{
    return kernels ? (gjb_simd_workspace_size(kernels) + 63) & ~(size_t)63 : 0;
}

/* An array of the batch: the size of a record, and its alignment. */
typedef struct strided {
    const char *field;
    const void *array;
    size_t stride, least, alignment;
    int optional;
} strided;

static int check_array(const strided *a, char *error, size_t error_size)
{
    if (!a->array)
        return a->optional ? 0 : refuse(error, error_size, "batch.%s: NULL", a->field);
    if ((uintptr_t)a->array % a->alignment)
        return refuse(error, error_size, "batch.%s: not aligned to %zu bytes", a->field, a->alignment);
    if (a->stride < a->least || a->stride % a->alignment)
        return refuse(error, error_size, "batch.%s: %zu bytes apart, which is %s %zu", a->field, a->stride,
                      a->stride < a->least ? "less than" : "no multiple of", a->stride < a->least ? a->least : a->alignment);
    return 0;
}

static int takes_margin(gjb_query query)
{
    return query == GJB_MANIFOLD || query == GJB_INTERSECT || query == GJB_DISTANCE;
}

static int check_margin(double margin, char *error, size_t error_size)
{
    if (margin >= 0)
        return 0;
    return refuse(error, error_size, "batch.margin: %g is %s", margin, margin < 0 ? "negative" : "not a number");
}

/* Contacts that are left are ignored only where nothing turns: names the first body of a pair that does. */
static int check_leaving(const gjb_library *library, const gjb_batch *b, char *error, size_t error_size)
{
    const uint32_t dim = library->dim;
    if (b->leaving > GJB_LEAVING_IGNORE)
        return refuse(error, error_size, "batch.leaving: %u is no gjb_leaving", (unsigned)b->leaving);
    for (size_t i = 0; i < 2 * b->pair_count && b->leaving && b->motions; i++) {
        const void *motion = (const char *)b->motions + b->pairs[i] * b->motion_stride;
        for (uint32_t k = dim; k < gjb_motion_numbers(dim); k++) {
            const double turn = library->precision == GJB_F32 ? (double)((const float *)motion)[k]
                                                              : ((const double *)motion)[k];
            if (turn != 0)
                return refuse(error, error_size,
                              "batch.motions[%u]: turns by %g, but batch.leaving is GJB_LEAVING_IGNORE",
                              (unsigned)b->pairs[i], turn);
        }
    }
    return 0;
}

static int check_batch(const gjb_library *library, const gjb_batch *b, char *error, size_t error_size)
{
    const uint32_t dim = library->dim;
    const gjb_precision precision = library->precision;
    const size_t number = precision == GJB_F32 ? sizeof(float) : sizeof(double);
    const size_t head = b->query == GJB_INTERSECT ? _Alignof(gjb_head) : number;
    const strided arrays[] = {
        {"poses", b->poses, b->pose_stride, gjb_pose_size(precision, dim), number, 0},
        {"pairs", b->pairs, 2 * sizeof *b->pairs, 2 * sizeof *b->pairs, sizeof *b->pairs, 0},
        {"body_shape", b->body_shape, sizeof *b->body_shape, sizeof *b->body_shape, sizeof *b->body_shape, 1},
        {"results", b->results, b->result_stride, gjb_result_size(b->query, precision, dim), head, 0},
        {"motions", b->motions, b->motion_stride, gjb_motion_size(precision, dim), number, 1},
        {"axes", b->axes, b->axis_stride, dim * number, number, 1},
        {"stats", b->stats, sizeof *b->stats, sizeof *b->stats, _Alignof(gjb_run_stats), 1}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (check_array(&arrays[i], error, error_size))
            return -1;
    if (b->query == GJB_TOI)
        return check_leaving(library, b, error, error_size);
    return takes_margin(b->query) ? check_margin(b->margin, error, error_size) : 0;
}

static int check_workspace(const gjb_kernels *kernels, const void *workspace, size_t size, char *error, size_t error_size)
{
    const size_t least = gjb_kernels_workspace_size(kernels);
    if (!workspace)
        return refuse(error, error_size, "batch.workspace: NULL");
    if ((uintptr_t)workspace % 64)
        return refuse(error, error_size, "batch.workspace: not aligned to 64 bytes");
    if (size < least)
        return refuse(error, error_size, "workspace_size: %zu is less than %zu", size, least);
    return 0;
}

int gjb_kernels_run(const gjb_kernels *kernels, const gjb_batch *batch, size_t workspace_size, char *error,
                    size_t error_size)
{
    all_is_well(error, error_size);
    if (!kernels || !batch)
        return refuse(error, error_size, "%s: NULL", kernels ? "batch" : "kernels");
    if ((unsigned)batch->query >= GJB_QUERIES)
        return refuse(error, error_size, "batch.query: %u is no query", (unsigned)batch->query);
    if (batch->pair_count == 0)
        return 0;
    if (check_batch(library_of(kernels), batch, error, error_size) ||
        check_workspace(kernels, batch->workspace, workspace_size, error, error_size))
        return -1;
    gjb_simd_run(kernels, batch);
    return 0;
}

/* ---- one pair ---- */

/* What gjb_kernels_pair3f() and its like need of their arguments. */
static int may_ask(const gjb_library *library, uint32_t dim, gjb_precision precision, uint32_t shape_a,
                   uint32_t shape_b, const void *workspace)
{
    return library && library->dim == dim && library->precision == precision && shape_a < library->count &&
           shape_b < library->count && workspace && (uintptr_t)workspace % 64 == 0;
}

/* Answers a batch of one pair, whose bodies are its two shapes. */
static gjb_status ask_one(const gjb_kernels *kernels, uint32_t shape_a, uint32_t shape_b, gjb_batch *batch)
{
    static const uint32_t pair[2] = {0, 1};
    const uint32_t body_shape[2] = {shape_a, shape_b};
    gjb_head head;
    batch->body_shape = body_shape;
    batch->pairs = pair;
    batch->pair_count = 1;
    gjb_simd_run(kernels, batch);
    memcpy(&head, batch->results, sizeof head);
    return (gjb_status)head.status;
}

/* Of intersect the batch writes the head alone. */
#define PAIR(suffix, dim, precision)                                                                             \
    gjb_status gjb_kernels_within##suffix(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a,         \
                                          const gjb_pose##suffix *pose_a, uint32_t shape_b,                      \
                                          const gjb_pose##suffix *pose_b, double margin,                         \
                                          gjb_result##suffix *result, void *workspace)                           \
    {                                                                                                            \
        if (!pose_a || !pose_b || !result || (unsigned)query >= GJB_STILL_QUERIES ||                             \
            (takes_margin(query) && !(margin >= 0)) ||                                                           \
            !may_ask(library_of(kernels), dim, precision, shape_a, shape_b, workspace))                          \
            return GJB_UNWRITTEN;                                                                                \
        const gjb_pose##suffix poses[2] = {*pose_a, *pose_b};                                                    \
        gjb_batch batch = {.query = query, .poses = poses, .pose_stride = sizeof *poses, .results = result,      \
                           .result_stride = sizeof *result, .workspace = workspace, .margin = margin};           \
        if (query == GJB_INTERSECT)                                                                              \
            memset(result, 0, sizeof *result);                                                                   \
        return ask_one(kernels, shape_a, shape_b, &batch);                                                       \
    }                                                                                                            \
    gjb_status gjb_kernels_pair##suffix(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a,           \
                                        const gjb_pose##suffix *pose_a, uint32_t shape_b,                        \
                                        const gjb_pose##suffix *pose_b, gjb_result##suffix *result,              \
                                        void *workspace)                                                         \
    {                                                                                                            \
        return gjb_kernels_within##suffix(kernels, query, shape_a, pose_a, shape_b, pose_b, 0, result,           \
                                          workspace);                                                            \
    }                                                                                                            \
    gjb_status gjb_kernels_manifold##suffix(const gjb_kernels *kernels, uint32_t shape_a,                        \
                                            const gjb_pose##suffix *pose_a, uint32_t shape_b,                    \
                                            const gjb_pose##suffix *pose_b, double margin,                       \
                                            gjb_manifold##suffix *manifold, void *workspace)                     \
    {                                                                                                            \
        if (!pose_a || !pose_b || !manifold || !(margin >= 0) ||                                                 \
            !may_ask(library_of(kernels), dim, precision, shape_a, shape_b, workspace))                          \
            return GJB_UNWRITTEN;                                                                                \
        const gjb_pose##suffix poses[2] = {*pose_a, *pose_b};                                                    \
        gjb_batch batch = {.query = GJB_MANIFOLD, .poses = poses, .pose_stride = sizeof *poses,                  \
                           .results = manifold, .result_stride = sizeof *manifold, .workspace = workspace,       \
                           .margin = margin};                                                                    \
        return ask_one(kernels, shape_a, shape_b, &batch);                                                       \
    }
PAIR(2f, 2, GJB_F32)
PAIR(2d, 2, GJB_F64)
PAIR(3f, 3, GJB_F32)
PAIR(3d, 3, GJB_F64)
