/* Properties of times of impact in 2D other than right answers (those are tested against the
 * truth, in contenders/tests): the same bits from every backend, in calls of any size, next to
 * any other pairs; refusing only the bad pair.
 * GJB_GOLDEN=print in the environment prints the table of work. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/hash.h"
#include "simd/tests/answers.h"

enum { MANY = 1100, PAIRS = 77 };

static gjb_scene *moving(const char *workload, const char *family, int precision, uint64_t pairs)
{
    const gjb_recipe recipe = {
        .workload = workload, .family = family, .seed = 11, .precision = (gjb_precision)precision, .pairs = pairs};
    return answers_scene(&recipe);
}

static void alike(const char *workload, const char *family, uint64_t pairs)
{
    for (int p = 0; p < GJB_PRECISIONS; p++) {
        gjb_scene *scene = moving(workload, family, p, pairs);
        const size_t bytes = pairs * gjb_result_size(GJB_TOI, (gjb_precision)p, 2);
        unsigned char *want = malloc(bytes);
        answers_get(scene, &scene->shapes, "scalar", GJB_TOI, pairs, want, NULL);
        for (size_t b = 0; b < gjb_backend_count; b++)
            if (gjb_backend_available(gjb_backends[b]->name)) {
                answers_in_calls(scene, gjb_backends[b]->name, GJB_TOI, want, bytes);
                answers_in_a_crowd(scene, gjb_backends[b]->name, GJB_TOI, want, bytes);
            }
        const answers all = {want, bytes / pairs};
        answers_expect_plain_numbers(&all, pairs, (gjb_precision)p, family);
        free(want);
        gjb_scene_free(scene);
    }
}

Test(toi2, answers_alike_on_every_backend_in_calls_of_any_size)
{
    alike("polygon8", "approach-spin", MANY);
    alike("mixed-kinds", "fast-spin", MANY);
    alike("mixed-kinds", "graze-motion", MANY);
    alike("polygon64", "approach-spin", 200);
    alike("polygon64", "resting", MANY);
    alike("polygon8", "resting", 5000); /* more than are sorted together */
    alike("rounded-polygon8", "resting", MANY);
}

/* `turn`: the cosine of its pose, as given; 0 leaves the pose. */
static void expect_refused(const char *backend, int precision, const double motion[3], double turn)
{
    gjb_scene *scene = moving("polygon8", "approach-spin", precision, PAIRS);
    const answers before = answers_all(scene, backend, GJB_TOI);
    const uint32_t pair = 33, body = scene->frames[0].pairs[2 * pair + 1];
    const double numbers[6] = {motion[0], motion[1], motion[2], 0, 0, 0};
    cr_assert_eq(gjb_scene_set_motion(scene, 0, body, numbers), 0);
    if (turn > 0)
        gjb_scene_set_pose(scene, 0, body, (gjb_pose2d){0, 0, turn, 0});
    const answers after = answers_all(scene, backend, GJB_TOI);
    answers_expect_one_refused(&before, &after, PAIRS, pair, backend);
    free(before.results);
    free(after.results);
    gjb_scene_free(scene);
}

Test(toi2, refuses_a_bad_motion_and_nothing_else)
{
    static const double bad[][3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, NAN}, {0, 0, 1025}, {0, 0, -INFINITY}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        for (size_t b = 0; b < gjb_backend_count; b++)
            for (int p = 0; p < GJB_PRECISIONS && gjb_backend_available(gjb_backends[b]->name); p++)
                expect_refused(gjb_backends[b]->name, p, bad[k], 0);
}

Test(toi2, refuses_a_pose_whose_rotation_is_not_of_unit_length)
{
    static const double still[3], turn[] = {0.5, 2};
    for (size_t k = 0; k < sizeof turn / sizeof *turn; k++)
        for (size_t b = 0; b < gjb_backend_count; b++)
            for (int p = 0; p < GJB_PRECISIONS && gjb_backend_available(gjb_backends[b]->name); p++)
                expect_refused(gjb_backends[b]->name, p, still, turn[k]);
}

/* A box and a circle that come to touch shortly before the end of the step. Rotations of unit length up to rounding in
 * f32 are allowed in f64: an axis that turned with the box grew by as much in each round, and the hit was missed. */
Test(toi2, finds_hits_if_rotations_are_of_unit_length_in_f32_only)
{
    gjb_scene *scene = gjb_scene_new(2, GJB_F64, 2, 2, 2, 1);
    gjb_scene_set_shape(scene, 0, GJB_BOX, 0, 1, (const double[1][2]){{0.5, 0.5}}, 0);
    gjb_scene_set_shape(scene, 1, GJB_POINT, 1, 1, (const double[1][2]){{0, 0}}, 1.5);
    static const gjb_pose2d poses[] = {
        {-3.1153504848480225, 7.932172775268555, 0.5950462818145752, 0.8036914467811584},
        {-4.603768348693848, 6.5437726974487305, 0.9987934231758118, 0.04910918325185776}};
    static const double motions[][6] = {{0.07420177012681961, 0.014438200742006302, 0.022058190777897835},
                                        {0.0715911015868187, 0.007605368737131357, -0.006262776907533407}};
    for (uint32_t body = 0; body < 2; body++) {
        scene->body_shape[body] = scene->frames[0].pairs[body] = body;
        gjb_scene_set_pose(scene, 0, body, poses[body]);
        cr_assert_eq(gjb_scene_set_motion(scene, 0, body, motions[body]), 0);
    }
    for (size_t b = 0; b < gjb_backend_count; b++) {
        if (!gjb_backend_available(gjb_backends[b]->name))
            continue;
        const answers all = answers_all(scene, gjb_backends[b]->name, GJB_TOI);
        gjb_result2d result;
        memcpy(&result, all.results, sizeof result);
        cr_expect(answers_status(&all, 0) == GJB_HIT && fabs(result.value - 0.98007017) < 1e-8, "%s: %u at %.17g",
                  gjb_backends[b]->name, answers_status(&all, 0), result.value);
        free(all.results);
    }
    gjb_scene_free(scene);
}

/* If nothing moves, toi is intersect. */
Test(toi2, without_motion_tells_overlap_alone)
{
    for (int p = 0; p < GJB_PRECISIONS; p++) {
        gjb_scene *scene = moving("mixed-kinds", "mixed", p, MANY);
        const answers still = answers_all(scene, NULL, GJB_INTERSECT), toi = answers_all(scene, NULL, GJB_TOI);
        for (size_t i = 0; i < MANY; i++)
            cr_expect_eq(answers_status(&still, i), answers_status(&toi, i), "pair %zu: %u, %u", i,
                         answers_status(&still, i), answers_status(&toi, i));
        free(still.results);
        free(toi.results);
        gjb_scene_free(scene);
    }
}

/* Displacements far beyond the shapes, and shapes at the limits of the number range. */
Test(toi2, answers_at_any_magnitude)
{
    static const double far[] = {1e-30, 1e12, 1e30, 1e-38};
    gjb_scene *scene = moving("polygon8", "approach", GJB_F32, PAIRS);
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        const double numbers[6] = {far[k], -far[k], k % 2 ? 3 : 0, 0, 0, 0};
        cr_assert_eq(gjb_scene_set_motion(scene, 0, scene->frames[0].pairs[14 * k], numbers), 0);
        gjb_scene_set_pose(scene, 0, scene->frames[0].pairs[14 * k + 7], (gjb_pose2d){-far[k], far[k], 1, 0});
    }
    const answers all = answers_all(scene, NULL, GJB_TOI);
    for (size_t i = 0; i < PAIRS; i++) {
        const unsigned status = answers_status(&all, i);
        cr_expect(status == GJB_SEPARATED || status == GJB_OVERLAPPING || status == GJB_HIT, "pair %zu: %u", i, status);
    }
    answers_expect_plain_numbers(&all, PAIRS, GJB_F32, "any magnitude");
    free(all.results);
    gjb_scene_free(scene);
}

/* The bits themselves, and the work that they took: looks, and pairs on the fallback path. They
 * may change with the kernel, on purpose: then these numbers change in the same commit. */
typedef struct golden {
    const char *workload, *family;
    uint64_t print[GJB_PRECISIONS], looks[GJB_PRECISIONS], fallback[GJB_PRECISIONS];
} golden;

static const golden goldens[] = {
    {"polygon8", "approach", {0x60735391e64dcc8e, 0x3fa2bf18899154c5},
     {2650, 2635}, {0, 0}},
    {"polygon8", "approach-spin", {0xac47fa505c505b6e, 0xc37a343812be1829},
     {10215, 10839}, {0, 0}},
    {"mixed-kinds", "fast-spin", {0xd97dd9a91d770e86, 0x21c71afee0ef1d29},
     {11395, 12763}, {0, 0}},
    {"mixed-kinds", "needle-motion", {0x6a0d168281cc9691, 0x9b98a2ac0abe73b8},
     {6386, 7356}, {0, 0}},
};

Test(toi2, gives_the_bits_that_it_gave_for_the_work_that_it_took)
{
    for (size_t k = 0; k < sizeof goldens / sizeof *goldens; k++) {
        golden now = {goldens[k].workload, goldens[k].family, {0}, {0}, {0}};
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            gjb_scene *scene = moving(now.workload, now.family, p, MANY);
            const size_t size = gjb_result_size(GJB_TOI, (gjb_precision)p, 2);
            unsigned char *results = malloc(MANY * size);
            gjb_run_stats stats = {0};
            answers_get(scene, &scene->shapes, "scalar", GJB_TOI, MANY, results, &stats);
            now.print[p] = gjb_fingerprint(results, MANY, size, size, 0);
            now.looks[p] = stats.lane_live;
            now.fallback[p] = stats.fallback;
            free(results);
            gjb_scene_free(scene);
        }
        if (answers_printing())
            printf("    {\"%s\", \"%s\", {0x%016llx, 0x%016llx}, {%llu, %llu}, {%llu, %llu}},\n", now.workload,
                   now.family, (unsigned long long)now.print[0], (unsigned long long)now.print[1],
                   (unsigned long long)now.looks[0], (unsigned long long)now.looks[1],
                   (unsigned long long)now.fallback[0], (unsigned long long)now.fallback[1]);
        else
            cr_expect(memcmp(now.print, goldens[k].print, sizeof now.print) == 0 &&
                          memcmp(now.looks, goldens[k].looks, sizeof now.looks) == 0 &&
                          memcmp(now.fallback, goldens[k].fallback, sizeof now.fallback) == 0,
                      "%s, %s: see GJB_GOLDEN", now.workload, now.family);
    }
}
