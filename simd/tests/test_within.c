/* Intersect within a margin, and distances that stop at one: the same as without where that says it, the same bits from
 * every backend and in any call, warm or cold. Grading holds them against the exact truth elsewhere. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tests/one_in.h"
#include "simd/tests/answers.h"

enum { PAIRS = 61 };

typedef struct answer {
    gjb_status status;
    double value, normal[3], points[6];
} answer;

static answer read_answer(const gjb_scene *scene, gjb_query query, const char *records, size_t i)
{
    const uint32_t dim = scene->shapes.dim;
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    const char *record = records + i * gjb_result_size(query, precision, dim);
    gjb_head head;
    double numbers[10] = {0};
    memcpy(&head, record, sizeof head);
    for (uint32_t k = 0; k < 10 && k < 1 + 3 * dim && query != GJB_INTERSECT; k++) {
        float narrow;
        if (precision == GJB_F64) {
            memcpy(&numbers[k], record + 8 + 8 * k, sizeof numbers[k]);
        } else {
            memcpy(&narrow, record + 4 + 4 * k, sizeof narrow);
            numbers[k] = (double)narrow;
        }
    }
    answer r = {.status = (gjb_status)head.status, .value = numbers[0]};
    memcpy(r.normal, numbers + 1, dim * sizeof *numbers);
    memcpy(r.points, numbers + 1 + dim, 2 * dim * sizeof *numbers);
    return r;
}

/* What must follow from the whole distance. Returns 1 if the answer stopped. */
static int check_distance(const answer *whole, const answer *got, double within, double near,
                          const char *what)
{
    int points = 0;
    for (int k = 0; k < 6; k++)
        points |= got->points[k] != 0;
    const int stopped = got->status == GJB_SEPARATED && got->value > within && !points;
    cr_expect(got->status == whole->status || (whole->value <= near && got->value <= near), "%s: status",
              what);
    if (stopped) {
        const double length = sqrt(got->normal[0] * got->normal[0] + got->normal[1] * got->normal[1] +
                                   got->normal[2] * got->normal[2]);
        cr_expect(got->value <= whole->value + near && whole->value > within - near &&
                      fabs(length - 1) < 1e-6,
                  "%s: %.17g of %.17g, beyond %g", what, got->value, whole->value, within);
    } else {
        cr_expect(fabs(got->value - whole->value) <= 2 * near, "%s: %.17g instead of %.17g", what, got->value,
                  whole->value);
    }
    return stopped;
}

static void expect_same_bits(const gjb_scene *scene, gjb_query query, const void *want)
{
    const size_t bytes =
        PAIRS * gjb_result_size(query, (gjb_precision)scene->shapes.precision, scene->shapes.dim);
    for (size_t b = 0; b < gjb_backend_count; b++)
        if (gjb_backend_available(gjb_backends[b]->name))
            answers_in_calls(scene, gjb_backends[b]->name, query, want, bytes);
}

/* Returns how many distances stopped. */
static unsigned check_scene(const gjb_scene *scene, double within, const char *family)
{
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    char whole[PAIRS * sizeof(gjb_result3d)], distances[sizeof whole], booleans[PAIRS * sizeof(gjb_head)];
    gjb_scene plain = *scene, asked = *scene;
    gjb_pair_space space = {0};
    unsigned stopped = 0;
    plain.within = 0;
    asked.within = within;
    answers_get(&plain, &plain.shapes, "scalar", GJB_DISTANCE, PAIRS, (unsigned char *)whole, NULL);
    answers_get(&asked, &asked.shapes, "scalar", GJB_DISTANCE, PAIRS, (unsigned char *)distances, NULL);
    answers_get(&asked, &asked.shapes, "scalar", GJB_INTERSECT, PAIRS, (unsigned char *)booleans, NULL);
    for (size_t i = 0; i < PAIRS; i++) {
        gjb_pair pair;
        char what[128];
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        snprintf(what, sizeof what, "%s, %s, %s, within %g, pair %zu", scene->name, family,
                 gjb_precision_name(precision), within, i);
        const double near = 64 * gjb_epsilon(precision) * gjb_pair_size(&pair);
        const answer a = read_answer(scene, GJB_DISTANCE, whole, i),
                     b = read_answer(scene, GJB_DISTANCE, distances, i),
                     c = read_answer(scene, GJB_INTERSECT, booleans, i);
        stopped += (unsigned)check_distance(&a, &b, within, near, what);
        const double sigma = a.status == GJB_SEPARATED ? a.value : 0;
        cr_expect(fabs(sigma - within) <= near || (c.status == GJB_OVERLAPPING) == (sigma < within),
                  "%s: %s at %.17g", what, gjb_status_name(c.status), sigma);
    }
    expect_same_bits(&asked, GJB_DISTANCE, distances);
    expect_same_bits(&asked, GJB_INTERSECT, booleans);
    gjb_pair_space_free(&space);
    return stopped;
}

static void check_all(uint32_t dim, const char *const *workloads, size_t count)
{
    static const char *const families[] = {"mixed",    "near",       "touching",  "far",
                                           "parallel", "size-ratio", "vertex-on", "tiny"};
    static const double margins[] = {0.3, 0.01, 1, 2e-4, 1e9};
    unsigned stopped = 0, turn = 0;
    for (size_t w = 0; w < count; w++)
        for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
            const gjb_family *family = gjb_family_find(families[f]);
            if (!gjb_family_has(family, dim, workloads[w]) || turn++ % one_in(2))
                continue;
            for (int p = 0; p < GJB_PRECISIONS; p++) {
                gjb_scene *scene = answers_scene(&(gjb_recipe){.dim = dim,
                                                               .workload = workloads[w],
                                                               .family = families[f],
                                                               .seed = 12,
                                                               .pairs = PAIRS,
                                                               .precision = (gjb_precision)p});
                for (size_t m = 0; m < sizeof margins / sizeof *margins; m++)
                    stopped += check_scene(scene, margins[m] * family->scale, families[f]);
                gjb_scene_free(scene);
            }
        }
    cr_expect_gt(stopped, 1000u, "%u distances stopped", stopped);
}

Test(within, in_the_plane, .timeout = 120)
{
    static const char *const workloads[] = {
        "circle",           "box",       "rounded-box", "polygon3",    "polygon8",
        "rounded-polygon8", "polygon64", "capsule",     "mixed-kinds", "mixed-curved"};
    check_all(2, workloads, sizeof workloads / sizeof *workloads);
}

Test(within, in_space, .timeout = 120)
{
    static const char *const workloads[] = {"sphere",  "box",         "rounded-box",   "triangle",
                                            "hull8",   "hull16",      "rounded-hull8", "hull128",
                                            "capsule", "mixed-kinds", "mixed-curved"};
    check_all(3, workloads, sizeof workloads / sizeof *workloads);
}

/* A margin that no number in f32 is: what stopped still shows it by its value. */
Test(within, what_stopped_says_more_than_the_margin)
{
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            for (int k = -3; k <= 3; k++) {
                gjb_scene *scene = gjb_scene_new(dim, (gjb_precision)p, 2, 2, 2, 1);
                const double half[3] = {1, 1, 1};
                for (uint32_t i = 0; i < 2; i++) {
                    gjb_scene_set_shape(scene, i, GJB_BOX, i, 1, half, 0);
                    if (dim == 2)
                        gjb_scene_set_pose(scene, 0, i, (gjb_pose2d){3 * i, 0, 1, 0});
                    else
                        gjb_scene_set_pose3(scene, 0, i, (gjb_pose3d){3 * i, 0, 0, 0, 0, 0, 1});
                    scene->frames[0].pairs[i] = i;
                }
                scene->within = 1 + k * 0x1p-26;
                char record[sizeof(gjb_result3d)];
                for (size_t b = 0; b < gjb_backend_count; b++) {
                    if (!gjb_backend_available(gjb_backends[b]->name))
                        continue;
                    answers_get(scene, &scene->shapes, gjb_backends[b]->name, GJB_DISTANCE, 1,
                                (unsigned char *)record, NULL);
                    const answer r = read_answer(scene, GJB_DISTANCE, record, 0);
                    const int points = r.points[0] != 0 || r.points[dim] != 0;
                    cr_expect(fabs(r.value - 1) < 1e-6 && (points || r.value > scene->within),
                              "%uD %d: %.17g", (unsigned)dim, k, r.value);
                }
                gjb_scene_free(scene);
            }
}
