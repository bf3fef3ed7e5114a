/* What a kernel owes beyond right answers: refusing a pair alone, answering far
 * outside ordinary sizes, and never depending on what lies beside a pair. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/generate.h"
#include "simd/simd.h"

enum { PAIRS = 77 }; /* full tiles and a tail on every backend */

typedef struct run {
    unsigned char *results;
    size_t size;
} run;

static gjb_scene *scene_of(const char *workload, gjb_precision precision)
{
    gjb_error error = {0};
    gjb_recipe recipe = {.workload = workload, .family = "mixed", .seed = 5, .precision = precision, .pairs = PAIRS};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

static run answer(const gjb_scene *scene, const char *backend, gjb_query query)
{
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    run r = {.size = gjb_result_size(query, precision)};
    void *prepared = gjb_simd_prepare(&scene->shapes, backend), *workspace = NULL;
    cr_assert_not_null(prepared);
    cr_assert_eq(posix_memalign(&workspace, 64, gjb_simd_workspace_size(prepared)), 0);
    r.results = malloc(PAIRS * r.size);
    memset(r.results, 0xA5, PAIRS * r.size);
    gjb_batch batch = {.query = query,
                       .poses = scene->frames[0].poses,
                       .pose_stride = precision == GJB_F32 ? sizeof(gjb_pose2f) : sizeof(gjb_pose2d),
                       .body_shape = scene->body_shape,
                       .pairs = scene->frames[0].pairs,
                       .pair_count = PAIRS,
                       .results = r.results,
                       .result_stride = r.size,
                       .workspace = workspace};
    gjb_simd_run(prepared, &batch);
    gjb_simd_release(prepared);
    free(workspace);
    return r;
}

static unsigned status_of(const run *r, unsigned pair)
{
    gjb_head head;
    memcpy(&head, r->results + pair * r->size, sizeof head);
    return head.status;
}

typedef void case_fn(gjb_scene *scene, const char *backend, gjb_query query);

static void each_case(const char *workload, case_fn *body)
{
    for (size_t b = 0; b < gjb_backend_count; b++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            for (int q = 0; q < GJB_QUERIES; q++) {
                if (!gjb_backend_available(gjb_backends[b]->name))
                    continue;
                gjb_scene *scene = scene_of(workload, (gjb_precision)p);
                body(scene, gjb_backends[b]->name, (gjb_query)q);
                gjb_scene_free(scene);
            }
}

static void bad_pose(gjb_scene *scene, const char *backend, gjb_query query)
{
    static const double bad[][4] = {{NAN, 0, 1, 0}, {0, INFINITY, 1, 0}, {0, 0, NAN, 0}, {0, 0, 0, 0}, {0, 0, 2, 0}};
    run before = answer(scene, backend, query);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const uint32_t pair = (uint32_t)(7 + 13 * k), body = 2 * pair;
        gjb_pose2d kept = gjb_scene_pose(scene, 0, body);
        gjb_scene_set_pose(scene, 0, body, (gjb_pose2d){bad[k][0], bad[k][1], bad[k][2], bad[k][3]});
        run after = answer(scene, backend, query);
        for (unsigned i = 0; i < PAIRS; i++)
            if (i == pair)
                cr_expect_eq(status_of(&after, i), GJB_INVALID_INPUT, "%s, pose %zu: status %u", backend, k,
                             status_of(&after, i));
            else
                cr_expect_arr_eq(before.results + i * before.size, after.results + i * after.size, before.size,
                                 "%s, pose %zu, pair %u changed with its neighbour", backend, k, i);
        gjb_scene_set_pose(scene, 0, body, kept);
        free(after.results);
    }
    free(before.results);
}

Test(kernels, refuses_a_bad_pose_and_nothing_else)
{
    each_case("polygon8", bad_pose);
}

static void bad_shape(gjb_scene *scene, const char *backend, gjb_query query)
{
    run before = answer(scene, backend, query);
    const double rows[8][2] = {{NAN, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}};
    gjb_scene_set_shape(scene, scene->body_shape[20], GJB_POLYGON,
                        scene->shapes.first[scene->body_shape[20]], 8, rows, 0);
    run after = answer(scene, backend, query);
    for (unsigned i = 0; i < PAIRS; i++)
        if (i == 10)
            cr_expect_eq(status_of(&after, i), GJB_INVALID_INPUT, "%s", backend);
        else
            cr_expect_arr_eq(before.results + i * before.size, after.results + i * after.size, before.size,
                             "%s, pair %u changed with its neighbour", backend, i);
    free(before.results);
    free(after.results);
}

Test(kernels, refuses_a_bad_shape_and_nothing_else)
{
    each_case("polygon8", bad_shape);
}

static void any_magnitude(gjb_scene *scene, const char *backend, gjb_query query)
{
    static const double far[] = {1e-30, 1e12, 1e30, 3e38};
    for (size_t k = 0; k < sizeof far / sizeof *far; k++)
        gjb_scene_set_pose(scene, 0, (uint32_t)(4 * k), (gjb_pose2d){far[k], -far[k], 1, 0});
    const size_t width = scene->shapes.precision == GJB_F32 ? sizeof(float) : sizeof(double);
    run r = answer(scene, backend, query);
    for (unsigned i = 0; i < PAIRS; i++) {
        unsigned status = status_of(&r, i);
        cr_expect(status == GJB_SEPARATED || status == GJB_OVERLAPPING ||
                      (status == GJB_INVALID_INPUT && i == 6),
                  "%s: status %u of pair %u", backend, status, i);
        for (size_t at = r.size > 8 ? width : r.size; at < r.size; at += width) {
            double x = 0;
            if (width == sizeof(float)) {
                float f;
                memcpy(&f, r.results + i * r.size + at, sizeof f);
                x = (double)f;
            } else {
                memcpy(&x, r.results + i * r.size + at, sizeof x);
            }
            cr_expect(isfinite(x), "%s: pair %u is not finite at byte %zu", backend, i, at);
            cr_expect(!(x == 0 && signbit(x)), "%s: pair %u holds -0 at byte %zu", backend, i, at);
        }
    }
    free(r.results);
}

Test(kernels, answers_at_any_magnitude_with_finite_numbers)
{
    each_case("rounded-polygon8", any_magnitude);
}

Test(backends, are_found_by_name_alone)
{
    cr_assert_not_null(gjb_backend_find("scalar"));
    cr_expect(gjb_backend_available("scalar"));
    cr_expect_null(gjb_backend_find("avx1024"));
    cr_expect_not(gjb_backend_available("avx1024"));
    cr_expect(gjb_backend_available(gjb_backend_best()->name));
    cr_expect_eq(gjb_backend_find("scalar")->lanes[GJB_F32], 1);
    cr_expect_null(gjb_simd_prepare(&(gjb_shapes){.dim = 2}, "avx1024"));
}
