/* Warm start is a hint: whatever axes ours are given, their answers are right, and
 * the same on every backend; without any, they are the answers of a cold start. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"
#include "core/tests/one_in.h"
#include "grading/grade.h"
#include "scenes/generate/generate.h"

enum { WARM_PAIRS = UNDER_SANITIZERS ? 16 : 40, BACKENDS = 8 };

typedef enum hint { UNKNOWN, OF_A_POSE_NEARBY, OF_ANOTHER_PAIR, NEGATED, ANY_BITS, LARGE, TINY, HINTS } hint;
static const char *const hint_names[HINTS] = {"unknown", "of a pose nearby", "of another pair", "negated",
                                              "any bits", "huge", "denormal"};

typedef struct asked {
    const gjb_contender *contender;
    const gjb_scene *scene;
    gjb_query query;
    size_t size, axis; /* bytes of a record, of an axis */
} asked;

static void ask(const asked *of, const char *backend, void *poses, void *axes, void *results)
{
    const gjb_shapes *shapes = &of->scene->shapes;
    void *prepared = of->contender->prepare(shapes, backend);
    void *workspace = aligned_alloc(64, (of->contender->workspace_size(prepared) + 63) / 64 * 64);
    memset(results, 0xA5, WARM_PAIRS * of->size);
    const gjb_batch batch = {.query = of->query, .poses = poses,
                             .pose_stride = gjb_pose_size((gjb_precision)shapes->precision, shapes->dim),
                             .body_shape = of->scene->body_shape, .pairs = of->scene->frames[0].pairs,
                             .pair_count = WARM_PAIRS, .results = results, .result_stride = of->size,
                             .workspace = workspace, .axes = axes, .axis_stride = of->axis,
                             .motions = of->scene->frames[0].motions,
                             .motion_stride = gjb_motion_size((gjb_precision)shapes->precision, shapes->dim)};
    of->contender->run(prepared, &batch);
    of->contender->release(prepared);
    free(workspace);
}

static double get(const void *numbers, gjb_precision precision, size_t at)
{
    return precision == GJB_F32 ? (double)((const float *)numbers)[at] : ((const double *)numbers)[at];
}

static void put(void *numbers, gjb_precision precision, size_t at, double value)
{
    if (precision == GJB_F32)
        ((float *)numbers)[at] = (float)value;
    else
        ((double *)numbers)[at] = value;
}

/* Axes of the scene with every body moved by a hundredth of a pair's size. */
static void axes_nearby(const asked *of, void *axes, void *results)
{
    const gjb_shapes *shapes = &of->scene->shapes;
    const gjb_precision precision = (gjb_precision)shapes->precision;
    const size_t pose = gjb_pose_size(precision, shapes->dim), numbers = pose / (precision == GJB_F32 ? 4 : 8);
    char *poses = malloc(pose * of->scene->body_count);
    memcpy(poses, of->scene->frames[0].poses, pose * of->scene->body_count);
    gjb_pair_space space = {0};
    for (uint64_t i = 0; i < WARM_PAIRS; i++) {
        gjb_pair pair;
        gjb_scene_pair(of->scene, 0, i, &space, &pair);
        const uint32_t body = of->scene->frames[0].pairs[2 * i + 1];
        const size_t at = body * numbers + i % shapes->dim;
        put(poses, precision, at, get(poses, precision, at) + 0.01 * gjb_pair_size(&pair));
    }
    gjb_pair_space_free(&space);
    ask(of, "scalar", poses, axes, results);
    free(poses);
}

static void make_axes(const asked *of, hint kind, void *axes, void *results)
{
    const gjb_precision precision = (gjb_precision)of->scene->shapes.precision;
    const size_t dim = of->scene->shapes.dim, numbers = WARM_PAIRS * dim, bytes = WARM_PAIRS * of->axis;
    memset(axes, 0, bytes);
    if (kind == OF_A_POSE_NEARBY || kind == OF_ANOTHER_PAIR || kind == NEGATED)
        axes_nearby(of, axes, results);
    gjb_random random = gjb_random_make(7, (uint64_t)kind, (uint64_t)of->query);
    if (kind == OF_ANOTHER_PAIR) {
        char first[3 * sizeof(double)];
        memcpy(first, axes, of->axis);
        memmove(axes, (char *)axes + of->axis, bytes - of->axis);
        memcpy((char *)axes + bytes - of->axis, first, of->axis);
    }
    for (size_t k = 0; k < numbers; k++)
        if (kind == NEGATED)
            put(axes, precision, k, -get(axes, precision, k));
        else if (kind == LARGE)
            put(axes, precision, k, (gjb_random_unit(&random) - 0.5) * (precision == GJB_F32 ? 6e38 : 1.7e308));
        else if (kind == TINY)
            put(axes, precision, k, (gjb_random_unit(&random) - 0.5) * (precision == GJB_F32 ? 1e-44 : 1e-322));
    if (kind == ANY_BITS)
        for (size_t k = 0; k < bytes; k++)
            ((unsigned char *)axes)[k] = gjb_random_u32(&random) % 4 ? (unsigned char)gjb_random_u32(&random) : 255;
}

static void expect_right(const asked *of, const void *results, const char *what)
{
    const gjb_shapes *shapes = &of->scene->shapes;
    const gjb_precision precision = (gjb_precision)shapes->precision;
    const gjb_tolerance tolerance = gjb_tolerance_for(of->contender, of->query, precision, shapes->dim);
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    for (uint64_t i = 0; i < WARM_PAIRS; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(of->scene, 0, i, &space, &pair), 0);
        cr_assert_eq((gjb_queries[of->query].moving ? gjb_truth_open_moving : gjb_truth_open)(&truth, &pair), 0);
        const gjb_result result = gjb_result_get(of->query, precision, shapes->dim, results, i);
        const gjb_grade grade = gjb_grade_result(of->query, &truth, &result, &tolerance);
        cr_expect(grade.verdict == GJB_RIGHT || grade.verdict == GJB_UNGRADED, "%s %s %s, axes %s, pair %u: %s",
                  of->scene->name, gjb_precision_name(precision), gjb_queries[of->query].name, what, (unsigned)i,
                  gjb_fault_name(grade.fault));
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
}

/* One of each number, and an axis where a record has a normal, or is of shapes told apart. */
static void expect_plain_axes(const asked *of, const void *axes, const void *results, const char *what)
{
    const gjb_precision precision = (gjb_precision)of->scene->shapes.precision;
    const size_t dim = of->scene->shapes.dim;
    for (uint64_t i = 0; i < WARM_PAIRS; i++) {
        const gjb_result result = gjb_result_get(of->query, precision, (uint32_t)dim, results, i);
        const int normal = of->query == GJB_SIGNED_DISTANCE || (of->query == GJB_DISTANCE && result.status == GJB_SEPARATED) ||
                           (of->query == GJB_PENETRATION && result.status == GJB_OVERLAPPING) ||
                           (of->query == GJB_MANIFOLD && result.count > 0);
        double square = 0;
        for (size_t k = 0; k < dim; k++) {
            const double number = get(axes, precision, i * dim + k);
            cr_expect(isfinite(number) && !(number == 0 && signbit(number)), "%s, axes %s: %g", of->scene->name, what, number);
            square += number * number;
            if (normal)
                cr_expect_eq(number, result.normal[k], "%s, axes %s: not the normal", of->scene->name, what);
        }
        if (result.status == GJB_OVERLAPPING && !normal)
            cr_expect_eq(square, 0, "%s, axes %s: of an overlap without a normal", of->scene->name, what);
    }
}

static void with_hint(const asked *of, hint kind, const void *cold, char *room)
{
    const size_t records = WARM_PAIRS * (size_t)GJB_RECORD_MOST, axis_bytes = WARM_PAIRS * of->axis;
    char *axes = room, *used = axes + WARM_PAIRS * 24, *first_axes = used + WARM_PAIRS * 24;
    char *results = first_axes + WARM_PAIRS * 24, *first = results + records;
    make_axes(of, kind, axes, results);
    int seen = 0;
    for (const char *const *backend = of->contender->backends; *backend; backend++) {
        if (!of->contender->backend_available(*backend))
            continue;
        memcpy(used, axes, axis_bytes);
        ask(of, *backend, of->scene->frames[0].poses, used, seen ? results : first);
        if (!seen++) {
            memcpy(first_axes, used, axis_bytes);
            expect_right(of, first, hint_names[kind]);
            expect_plain_axes(of, used, first, hint_names[kind]);
            if (kind == UNKNOWN)
                cr_expect_eq(memcmp(first, cold, WARM_PAIRS * of->size), 0, "%s %s: 0 is not a cold start",
                             of->scene->name, gjb_queries[of->query].name);
            continue;
        }
        cr_expect(memcmp(first, results, WARM_PAIRS * of->size) == 0 && memcmp(first_axes, used, axis_bytes) == 0,
                  "%s %s, axes %s: other bits on %s", of->scene->name, gjb_queries[of->query].name,
                  hint_names[kind], *backend);
    }
}

static void over_families(uint32_t dim, const char *workload)
{
    static const char *const families[] = {"near", "touching", "shallow", "deep", "identical", "mixed",
                                           "approach-spin", "graze-motion", "resting"};
    const gjb_contender *batch = gjb_contender_find("batch");
    cr_assert_not_null(batch);
    char *room = aligned_alloc(64, WARM_PAIRS * 1024), *cold = malloc(WARM_PAIRS * (size_t)GJB_RECORD_MOST);
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (int precision = 0; precision < GJB_PRECISIONS; precision++) {
            gjb_error error = {0};
            const gjb_recipe recipe = {.workload = workload, .family = families[f], .seed = 11, .dim = dim,
                                       .precision = (gjb_precision)precision, .pairs = WARM_PAIRS};
            gjb_scene *scene = gjb_generate(&recipe, &error);
            cr_assert_not_null(scene, "%s", error.text);
            for (int q = 0; q < GJB_QUERIES; q++) {
                if (q == GJB_SWEEP || !(batch->queries >> q & 1) ||
                    !gjb_query_meets((gjb_query)q, gjb_family_find(families[f])->moving))
                    continue;
                const asked of = {batch, scene, (gjb_query)q,
                                  gjb_result_size((gjb_query)q, (gjb_precision)precision, dim),
                                  dim * (precision == GJB_F32 ? sizeof(float) : sizeof(double))};
                ask(&of, "scalar", scene->frames[0].poses, NULL, cold);
                for (int kind = 0; kind < HINTS; kind++)
                    with_hint(&of, (hint)kind, cold, room);
            }
            gjb_scene_free(scene);
        }
    free(room);
    free(cold);
}

Test(warm, axes_are_hints_in_the_plane)
{
    static const char *const workloads[] = {"polygon8", "polygon32", "polygon64", "mixed-kinds"};
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        over_families(2, workloads[w]);
}

Test(warm, axes_are_hints_in_space)
{
    static const char *const workloads[] = {"box", "hull16", "hull64", "mixed-kinds"};
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        over_families(3, workloads[w]);
}
