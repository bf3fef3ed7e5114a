/* Properties of kernels other than right answers: refusing only the bad pair,
 * answering far outside ordinary sizes, and not depending on neighbouring pairs.
 * GJB_GOLDEN=print in the environment prints the table of work. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/hash.h"
#include "simd/plane/doubtful2.h"
#include "simd/tests/answers.h"

enum { PAIRS = 77 }; /* full tiles and a tail on every backend */

static gjb_recipe few(const char *workload)
{
    return (gjb_recipe){.workload = workload, .family = "mixed", .seed = 5, .pairs = PAIRS};
}

static void bad_pose(gjb_scene *scene, const char *backend, gjb_query query)
{
    static const double bad[][4] = {{NAN, 0, 1, 0}, {0, INFINITY, 1, 0}, {0, 0, NAN, 0}, {0, 0, 0, 0}, {0, 0, 2, 0}, {0, 0, 0.5, 0}};
    answers before = answers_all(scene, backend, query);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const uint32_t pair = (uint32_t)(7 + 13 * k), body = 2 * pair;
        gjb_pose2d kept = gjb_scene_pose(scene, 0, body);
        gjb_scene_set_pose(scene, 0, body, (gjb_pose2d){bad[k][0], bad[k][1], bad[k][2], bad[k][3]});
        answers after = answers_all(scene, backend, query);
        answers_expect_one_refused(&before, &after, PAIRS, pair, backend);
        gjb_scene_set_pose(scene, 0, body, kept);
        free(after.results);
    }
    free(before.results);
}

Test(kernels, refuses_a_bad_pose_and_nothing_else)
{
    answers_each(few("polygon8"), bad_pose);
}

static void bad_shape(gjb_scene *scene, const char *backend, gjb_query query)
{
    answers before = answers_all(scene, backend, query);
    const double rows[8][2] = {{NAN, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}};
    gjb_scene_set_shape(scene, scene->body_shape[20], GJB_POLYGON,
                        scene->shapes.first[scene->body_shape[20]], 8, rows, 0);
    answers after = answers_all(scene, backend, query);
    answers_expect_one_refused(&before, &after, PAIRS, 10, backend);
    free(before.results);
    free(after.results);
}

Test(kernels, refuses_a_bad_shape_and_nothing_else)
{
    answers_each(few("polygon8"), bad_shape);
}

static void any_magnitude(gjb_scene *scene, const char *backend, gjb_query query)
{
    static const double far[] = {1e-30, 1e12, 1e30, 3e38};
    for (size_t k = 0; k < sizeof far / sizeof *far; k++)
        gjb_scene_set_pose(scene, 0, (uint32_t)(4 * k), (gjb_pose2d){far[k], -far[k], 1, 0});
    answers all = answers_all(scene, backend, query);
    for (unsigned i = 0; i < PAIRS; i++) {
        unsigned status = answers_status(&all, i);
        cr_expect(status == GJB_SEPARATED || status == GJB_OVERLAPPING ||
                      (status == GJB_INVALID_INPUT && i == 6),
                  "%s: status %u of pair %u", backend, status, i);
    }
    answers_expect_plain_numbers(&all, PAIRS, (gjb_precision)scene->shapes.precision, backend);
    free(all.results);
}

Test(kernels, answers_at_any_magnitude_with_finite_numbers)
{
    answers_each(few("rounded-polygon8"), any_magnitude);
}

/* Body 2 pair: a polygon on a horizontal side whose ends are vertices `ahead` and ahead + 1 of its record, which
 * begins with the lowest x; body 2 pair + 1 straight below it, so that both ends are extreme along the first axis. */
static void stand_on_a_side(gjb_scene *scene, uint32_t pair, uint32_t ahead)
{
    enum { BEHIND = 30 };
    double rows[64][2];
    const double left = -1.3 - 0.017 * pair, right = 2.7 + 0.013 * pair, quarter = acos(-1) / 2;
    for (uint32_t k = 0; k <= ahead; k++) {
        const double turn = ahead ? quarter * k / ahead : quarter;
        rows[k][0] = k == ahead ? left : left - 1.1 * cos(turn);
        rows[k][1] = k == ahead ? -1.7 : -1.7 + 1.9 * (1 - sin(turn));
    }
    for (uint32_t k = 0; k <= BEHIND; k++) {
        rows[ahead + 1 + k][0] = right + 0.9 * sin(quarter * k / BEHIND);
        rows[ahead + 1 + k][1] = k ? -1.7 + 1.9 * (1 - cos(quarter * k / BEHIND)) : -1.7;
    }
    const uint32_t shape = scene->body_shape[2 * pair];
    gjb_scene_set_shape(scene, shape, GJB_POLYGON, scene->shapes.first[shape], ahead + 2 + BEHIND, rows, 0);
    gjb_scene_set_pose(scene, 0, 2 * pair, (gjb_pose2d){0, 0, 1, 0});
    gjb_scene_set_pose(scene, 0, 2 * pair + 1, (gjb_pose2d){0, -12.3 - pair, 1, 0});
}

static void ties_between_lanes(gjb_scene *scene, const char *backend, gjb_query query)
{
    for (uint32_t i = 0; i < 32; i++)
        stand_on_a_side(scene, i, i);
    const answers want = answers_all(scene, "scalar", query), got = answers_all(scene, backend, query);
    for (uint32_t i = 0; i < 32; i++)
        cr_expect(!memcmp(want.results + i * want.size, got.results + i * got.size, got.size), "%s: other bits of pair %u",
                  backend, i);
    free(want.results);
    free(got.results);
}

Test(kernels, take_the_lowest_index_of_ties_between_lanes)
{
    answers_each(few("polygon64"), ties_between_lanes);
}

/* ---- a pair's answer, whatever else there is ---- */

enum { MANY = 1500 }; /* several windows and a tail */

static gjb_recipe many(const char *workload, const char *family, gjb_precision precision)
{
    return (gjb_recipe){.workload = workload, .family = family, .seed = 3, .precision = precision, .pairs = MANY};
}

static gjb_scene *many_pairs(const char *workload, const char *family, gjb_precision precision)
{
    const gjb_recipe recipe = many(workload, family, precision);
    return answers_scene(&recipe);
}

Test(kernels, answer_alike_in_calls_of_any_size)
{
    answers_each_many(many("polygon8", "mixed", GJB_F32), answers_in_calls);
    answers_each_many(many("mixed-kinds", "mixed", GJB_F32), answers_in_calls);
}

Test(kernels, answer_alike_from_a_large_library)
{
    answers_each_many(many("polygon8", "mixed", GJB_F32), answers_in_a_crowd);
    answers_each_many(many("mixed-kinds", "mixed", GJB_F32), answers_in_a_crowd);
}

/* Of MANY pairs. */
static const answers_work_row counts[] = {
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
     {{{2451, 0}, {7243, 0}, {4845, 0}, {8014, 0}},
      {{2451, 0}, {7247, 0}, {4845, 0}, {8018, 0}}}},
    {"polygon64", "touching",
     {{{11481, 13}, {11394, 0}, {12560, 0}, {12894, 0}},
      {{11446, 0}, {11400, 0}, {12566, 0}, {12900, 0}}}},
    {"superellipse", "all-but-round",
     {{{4500, 0}, {4500, 0}, {20488, 31}, {20488, 31}},
      {{4500, 0}, {4500, 0}, {39915, 134}, {39915, 134}}}},
};

Test(kernels, take_the_work_that_they_took)
{
    answers_expect_work(many("", "", GJB_F32), counts, sizeof counts / sizeof *counts);
}

/* The bits themselves. They may change with the kernels, on purpose: then these
 * numbers change in the same commit, which says so. */
Test(kernels, give_the_bits_that_they_gave)
{
    static const struct {
        const char *workload, *families[3];
        uint64_t want[GJB_PRECISIONS];
    } rows[] = {{"mixed-kinds", {"mixed", "touching", "parallel"}, {0xd5e4f4b867acb95f, 0x10fb6892c6854cca}},
                {"mixed-curved", {"mixed", "touching", "aligned"}, {0x5b4618e53bf40a47, 0x2c714b01c9f71c79}}};
    unsigned char *results = malloc(MANY * sizeof(gjb_result2d));
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            uint64_t print = 0;
            for (size_t f = 0; f < sizeof rows[row].families / sizeof *rows[row].families; f++) {
                gjb_scene *scene = many_pairs(rows[row].workload, rows[row].families[f], (gjb_precision)p);
                for (int q = 0; q < GJB_STILL_QUERIES; q++) {
                    const size_t size = gjb_result_size((gjb_query)q, (gjb_precision)p, 2);
                    answers_get(scene, &scene->shapes, "scalar", (gjb_query)q, MANY, results, NULL);
                    print = gjb_fingerprint(results, MANY, size, size, print);
                }
                gjb_scene_free(scene);
            }
            cr_expect_eq(print, rows[row].want[p], "%s, %s: now 0x%016llx", rows[row].workload,
                         gjb_precision_name((gjb_precision)p), (unsigned long long)print);
        }
    free(results);
}

doubtful2_fn gjb_doubtful2_scalar;

/* Four edges say what they can: shapes that lie behind one another may be apart along an axis that was not tried. */
Test(doubtful, are_decided_by_edges_only_if_those_prove_it)
{
    enum { CORNERS = 8 };
    static const double flat[2 * CORNERS] = {1,   1.125, 1, -1,  -1.125, -1,  -1,  -1, /* x, then y; the last repeats */
                                             0.75, 0.875, 1, 1, 0.875, 0.75, 0.75, 0.75},
                        at_origin[4] = {0, 0, 1, 0};
    static const struct {
        double x, y, toward_x, toward_y;
        unsigned apart, overlapping;
    } rows[] = {
        {0, 1, 0, 1, 1, 0},                    /* B above */
        {0, 0.25, 0.01, 1, 0, 1},              /* touching */
        {0, 0.25 - 0x1p-30, -0.01, 1, 0, 1},   /* its edge in the other */
        {2 - 0x1p-30, 0.25 - 0x1p-30, 0, 1, 0, 1}, /* and a little of that edge */
        {0, -2, 0, 1, 0, 0},                   /* B below */
        {0, -2, 0, -1, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double pose_b[4] = {rows[i].x, rows[i].y, 1, 0};
        doubtful2 d = {.vertices = CORNERS, .guided = 1, .pairs = 1, .signs_only = 1};
        decided2 got;
        d.record_a[0] = d.record_b[0] = flat;
        d.pose_a[0] = at_origin;
        d.pose_b[0] = pose_b;
        d.quads_a[0] = d.quads_b[0] = CORNERS / 4;
        d.extent[0] = 4;
        d.toward_x[0] = rows[i].toward_x;
        d.toward_y[0] = rows[i].toward_y;
        gjb_doubtful2_scalar(&d, &got);
        cr_expect(got.apart == rows[i].apart && got.overlapping == rows[i].overlapping, "row %zu: %u %u", i, got.apart,
                  got.overlapping);
    }
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
