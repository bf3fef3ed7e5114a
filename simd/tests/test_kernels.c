/* What a kernel owes beyond right answers: refusing a pair alone, answering far
 * outside ordinary sizes, and never depending on what lies beside a pair. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/generate.h"
#include "core/hash.h"
#include "core/query.h"
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
    run r = {.size = gjb_result_size(query, precision, 2)};
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

/* ---- a pair's answer, whatever else there is ---- */

enum { MANY = 1500 }; /* several windows and a tail */

static gjb_scene *many_pairs(const char *workload, const char *family, gjb_precision precision)
{
    gjb_error error = {0};
    gjb_recipe recipe = {.workload = workload, .family = family, .seed = 3, .precision = precision, .pairs = MANY};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

/* All pairs of the scene's frame, `call` of them at a time. */
static void answer_in_calls(const gjb_scene *scene, const gjb_shapes *shapes, const char *backend, gjb_query query,
                            size_t call, unsigned char *results, gjb_run_stats *stats)
{
    const gjb_precision precision = (gjb_precision)shapes->precision;
    const size_t size = gjb_result_size(query, precision, 2);
    void *prepared = gjb_simd_prepare(shapes, backend), *workspace = NULL;
    cr_assert_not_null(prepared);
    cr_assert_eq(posix_memalign(&workspace, 64, gjb_simd_workspace_size(prepared)), 0);
    memset(results, 0xA5, MANY * size);
    for (size_t first = 0; first < MANY; first += call) {
        gjb_batch batch = {.query = query,
                           .poses = scene->frames[0].poses,
                           .pose_stride = precision == GJB_F32 ? sizeof(gjb_pose2f) : sizeof(gjb_pose2d),
                           .body_shape = scene->body_shape,
                           .pairs = scene->frames[0].pairs + 2 * first,
                           .pair_count = MANY - first < call ? MANY - first : call,
                           .results = results + first * size,
                           .result_stride = size,
                           .workspace = workspace,
                           .stats = stats};
        gjb_simd_run(prepared, &batch);
    }
    gjb_simd_release(prepared);
    free(workspace);
}

typedef void many_fn(const gjb_scene *scene, const char *backend, gjb_query query, const unsigned char *want,
                     size_t bytes);

/* With the answers of the scalar backend in one call beside each case. */
static void each_many(const char *workload, many_fn *body)
{
    unsigned char *want = malloc(MANY * sizeof(gjb_result2d));
    for (int p = 0; p < GJB_PRECISIONS; p++) {
        gjb_scene *scene = many_pairs(workload, "mixed", (gjb_precision)p);
        for (int q = 0; q < GJB_QUERIES; q++) {
            answer_in_calls(scene, &scene->shapes, "scalar", (gjb_query)q, MANY, want, NULL);
            for (size_t b = 0; b < gjb_backend_count; b++)
                if (gjb_backend_available(gjb_backends[b]->name))
                    body(scene, gjb_backends[b]->name, (gjb_query)q, want,
                         MANY * gjb_result_size((gjb_query)q, (gjb_precision)p, 2));
        }
        gjb_scene_free(scene);
    }
    free(want);
}

static void in_calls(const gjb_scene *scene, const char *backend, gjb_query query, const unsigned char *want,
                     size_t bytes)
{
    static const size_t calls[] = {1, 5, 255, 256, 257, 600, MANY};
    unsigned char *got = malloc(bytes);
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        answer_in_calls(scene, &scene->shapes, backend, query, calls[k], got, NULL);
        cr_expect_eq(memcmp(want, got, bytes), 0, "%s, %s: %zu pairs a call", backend, gjb_queries[query].name,
                     calls[k]);
    }
    free(got);
}

Test(kernels, answer_alike_in_calls_of_any_size)
{
    each_many("polygon8", in_calls);
    each_many("mixed-kinds", in_calls);
}

/* The same shapes first in a library too large for a core's own cache, which is
 * fetched in another way. */
static void in_a_crowd(const gjb_scene *scene, const char *backend, gjb_query query, const unsigned char *want,
                       size_t bytes)
{
    const gjb_shapes *few = &scene->shapes;
    const uint32_t times = 1 + (4u << 20) / (64 * few->count); /* 64 bytes a shape, at least */
    const uint32_t rows = few->first[few->count - 1] + few->row_count[few->count - 1];
    const size_t row = 2 * (few->precision == GJB_F32 ? sizeof(float) : sizeof(double));
    uint8_t *kind = malloc(times * few->count);
    uint32_t *first = malloc(times * few->count * sizeof *first), *count = malloc(times * few->count * sizeof *count);
    char *radius = malloc(times * few->count * row / 2), *all_rows = malloc(times * (size_t)rows * row);
    for (uint32_t k = 0; k < times; k++) {
        memcpy(kind + k * few->count, few->kind, few->count);
        memcpy(count + k * few->count, few->row_count, few->count * sizeof *count);
        memcpy(radius + k * few->count * row / 2, few->radius, few->count * row / 2);
        memcpy(all_rows + k * (size_t)rows * row, few->rows, rows * row);
        for (uint32_t i = 0; i < few->count; i++)
            first[k * few->count + i] = few->first[i] + k * rows;
    }
    gjb_shapes all = *few;
    all.count = times * few->count;
    all.kind = kind;
    all.first = first;
    all.row_count = count;
    all.radius = radius;
    all.rows = all_rows;
    unsigned char *got = malloc(bytes);
    answer_in_calls(scene, &all, backend, query, MANY, got, NULL);
    cr_expect_eq(memcmp(want, got, bytes), 0, "%s, %s: another answer in a large library", backend,
                 gjb_queries[query].name);
    free(got);
    free(kind);
    free(first);
    free(count);
    free(radius);
    free(all_rows);
}

Test(kernels, answer_alike_from_a_large_library)
{
    each_many("polygon8", in_a_crowd);
    each_many("mixed-kinds", in_a_crowd);
}

/* Supports and pairs on the careful path are exact, and what makes the kernels
 * fast: they may change, on purpose, and these numbers with them. */
Test(kernels, take_the_iterations_that_they_took)
{
    static const struct {
        const char *workload, *family;
        struct {
            uint64_t supports, careful; /* of MANY pairs, one lane at a time */
        } want[GJB_PRECISIONS][GJB_QUERIES];
    } rows[] = {
        {"polygon8", "mixed",
         {{{2410, 0}, {4876, 0}, {1500, 0}, {5627, 0}},
          {{2410, 0}, {4876, 0}, {1500, 0}, {5627, 0}}}},
        {"polygon8", "near",
         {{{4064, 0}, {5757, 0}, {1500, 0}, {5757, 0}},
          {{4064, 0}, {5757, 0}, {1500, 0}, {5757, 0}}}},
        {"polygon8", "identical",
         {{{4694, 0}, {4500, 0}, {1500, 0}, {6000, 0}},
          {{4693, 0}, {4500, 0}, {1500, 0}, {6000, 0}}}},
        {"polygon256", "mixed",
         {{{2451, 0}, {7243, 0}, {4074, 771}, {7243, 771}},
          {{2451, 0}, {7247, 0}, {4074, 771}, {7247, 771}}}},
    };
    unsigned char *results = malloc(MANY * sizeof(gjb_result2d));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            gjb_scene *scene = many_pairs(rows[k].workload, rows[k].family, (gjb_precision)p);
            for (int q = 0; q < GJB_QUERIES; q++) {
                gjb_run_stats stats = {0};
                answer_in_calls(scene, &scene->shapes, "scalar", (gjb_query)q, MANY, results, &stats);
                cr_expect(stats.lane_live == rows[k].want[p][q].supports && stats.careful == rows[k].want[p][q].careful,
                          "%s %s %s %s: now {%llu, %llu}", rows[k].workload, rows[k].family,
                          gjb_precision_name((gjb_precision)p), gjb_queries[q].name,
                          (unsigned long long)stats.lane_live, (unsigned long long)stats.careful);
            }
            gjb_scene_free(scene);
        }
    free(results);
}

/* The bits themselves. They may change with the kernels, on purpose: then these
 * numbers change in the same commit, which says so. */
Test(kernels, give_the_bits_that_they_gave)
{
    static const uint64_t want[GJB_PRECISIONS] = {0x36709d79dce2c94e, 0x639e693d0a4e63b3};
    static const char *const families[] = {"mixed", "touching", "parallel"};
    unsigned char *results = malloc(MANY * sizeof(gjb_result2d));
    for (int p = 0; p < GJB_PRECISIONS; p++) {
        uint64_t print = 0;
        for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
            gjb_scene *scene = many_pairs("mixed-kinds", families[f], (gjb_precision)p);
            for (int q = 0; q < GJB_QUERIES; q++) {
                const size_t size = gjb_result_size((gjb_query)q, (gjb_precision)p, 2);
                answer_in_calls(scene, &scene->shapes, "scalar", (gjb_query)q, MANY, results, NULL);
                print = gjb_fingerprint(results, MANY, size, size, print);
            }
            gjb_scene_free(scene);
        }
        cr_expect_eq(print, want[p], "%s: now 0x%016llx", gjb_precision_name((gjb_precision)p),
                     (unsigned long long)print);
    }
    free(results);
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
