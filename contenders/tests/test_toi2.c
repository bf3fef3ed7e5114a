/* Times of impact of the batched kernels in the plane, judged by marching (impact2.h):
 * families in motion, and motions of this file's own; with and without a hint. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/tests/impact2.h"
#include "core/query.h"
#include "scenes/generate/generate.h"
#include "simd/simd.h"

enum { PAIRS = 40 };

/* Asks for all pairs, with `hints` or NULL. */
static unsigned char *answers_of(const gjb_scene *scene, void *hints)
{
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    const size_t size = gjb_result_size(GJB_TOI, precision, 2);
    void *prepared = gjb_simd_prepare(&scene->shapes, NULL), *workspace = NULL;
    cr_assert_not_null(prepared);
    cr_assert_eq(posix_memalign(&workspace, 64, gjb_simd_workspace_size(prepared)), 0);
    memset(workspace, 0, gjb_simd_workspace_size(prepared));
    unsigned char *results = malloc(scene->frames[0].pair_count * size);
    memset(results, 0xA5, scene->frames[0].pair_count * size);
    const gjb_batch batch = {.query = GJB_TOI,
                             .poses = scene->frames[0].poses,
                             .pose_stride = gjb_pose_size(precision, 2),
                             .motions = scene->frames[0].motions,
                             .motion_stride = gjb_motion_size(precision, 2),
                             .body_shape = scene->body_shape,
                             .pairs = scene->frames[0].pairs,
                             .pair_count = scene->frames[0].pair_count,
                             .results = results,
                             .result_stride = size,
                             .workspace = workspace,
                             .axes = hints,
                             .axis_stride = precision == GJB_F32 ? 8 : 16};
    gjb_simd_run(prepared, &batch);
    gjb_simd_release(prepared);
    free(workspace);
    return results;
}

static int judge_all(const gjb_scene *scene, const unsigned char *results, const char *what)
{
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    const double k = gjb_queries[GJB_TOI].k[0][precision];
    gjb_pair_space space = {0};
    int undecided = 0;
    for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
        const impact2 answer = impact2_read(results + i * gjb_result_size(GJB_TOI, precision, 2), precision);
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        const impact2_verdict v = impact2_judge(&pair.as.plane, precision, k, &answer);
        cr_expect_null(v.wrong, "%s, %s, %s, pair %llu: %s (status %d, t %a, sigma %g units)", scene->name, what,
                       gjb_precision_name(precision), (unsigned long long)i, v.wrong, (int)answer.status, answer.t,
                       v.units);
        undecided += v.undecided;
    }
    gjb_pair_space_free(&space);
    return undecided;
}

static gjb_scene *scene_of(const char *workload, const char *family, int precision)
{
    const gjb_recipe recipe = {
        .workload = workload, .family = family, .seed = 4, .precision = (gjb_precision)precision, .pairs = PAIRS};
    gjb_error error = {0};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

static const char *const workloads[] = {"polygon8", "box", "rounded-polygon8", "segment", "mixed-kinds", "polygon64"};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

Test(toi2, is_right_of_families_in_motion)
{
    int undecided = 0, families = 0;
    for (size_t f = 0; f < gjb_family_count; f++) {
        if (!(gjb_families[f].dims >> 2 & 1u) || !gjb_query_meets(GJB_TOI, gjb_families[f].moving))
            continue;
        for (int k = 0; k < 2 * WORKLOADS; k++) {
            gjb_scene *scene = scene_of(workloads[k / 2], gjb_families[f].name, k % 2);
            unsigned char *results = answers_of(scene, NULL);
            undecided += judge_all(scene, results, gjb_families[f].name);
            free(results);
            gjb_scene_free(scene);
        }
        families++;
    }
    cr_expect(families > 10);
    cr_expect(undecided < families * 2 * WORKLOADS * PAIRS / 100, "%d went undecided", undecided);
}

Test(toi2, is_right_of_motions_of_all_sorts)
{
    for (int m = 0; impact2_motions[m]; m++)
        for (int k = 0; k < 2 * WORKLOADS; k++) {
            gjb_scene *scene = scene_of(workloads[k / 2], m % 2 ? "near" : "far", k % 2);
            impact2_move(scene, impact2_motions[m], 9);
            unsigned char *results = answers_of(scene, NULL);
            judge_all(scene, results, impact2_motions[m]);
            free(results);
            gjb_scene_free(scene);
        }
}

/* Hints that are wrong, not a number, or the last answer's: an answer stays right, and its axis
 * is the next hint. */
Test(toi2, is_right_whatever_the_hint)
{
    for (int precision = 0; precision < GJB_PRECISIONS; precision++) {
        gjb_scene *scene = scene_of("mixed-kinds", "approach-spin", precision);
        double axes[PAIRS][2];
        for (int i = 0; i < PAIRS; i++)
            for (int k = 0; k < 2; k++) {
                const double values[] = {0, -1, 1e30, 0.5, (double)NAN, (double)INFINITY, 1e-30};
                const double value = values[(i + 3 * k) % 7];
                const float narrow = (float)value;
                if (precision == GJB_F32)
                    memcpy((char *)axes + 8 * i + 4 * k, &narrow, sizeof narrow);
                else
                    axes[i][k] = value;
            }
        for (int turn = 0; turn < 2; turn++) {
            unsigned char *results = answers_of(scene, axes);
            judge_all(scene, results, turn ? "last hints" : "any hints");
            free(results);
        }
        gjb_scene_free(scene);
    }
}

static gjb_scene *parsed(const char *text)
{
    gjb_error error = {0};
    gjb_scene *scene = gjb_scene_parse(text, strlen(text), "a test", &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

/* Boxes whose sides come to lie flush where their ends all but meet: of corner to corner and side
 * to side the lengths are equal but for less than a roundoff, and the normals are not. */
Test(toi2, takes_the_side_where_a_corner_is_as_near)
{
    static const char *const text =
        "{\"gjkbench\": 1, \"dim\": 2, \"precision\": \"f64\", \"name\": \"flush\","
        " \"shapes\": [{\"kind\": \"box\", \"half_extents\": [4, 5], \"radius\": 3},"
        "              {\"kind\": \"box\", \"half_extents\": [2, 5], \"radius\": 3}],"
        " \"bodies\": [{\"shape\": 0, \"pose\": {\"x\": 41, \"y\": 51, \"c\": 1, \"s\": 0},"
        "               \"motion\": {\"x\": 0, \"y\": 0, \"angle\": 0}},"
        "              {\"shape\": 1, \"pose\": {\"x\": 21, \"y\": 19, \"c\": 1, \"s\": 0},"
        "               \"motion\": {\"x\": 8, \"y\": 32, \"angle\": 0}}], \"pairs\": [[0, 1]]}";
    gjb_scene *scene = parsed(text);
    for (int k = 1; k <= 64; k++) {
        double motion[6] = {8, 32, 0, 0, 0, 0};
        const gjb_pose2d at = {21, 51 - k / 2.0, 1, 0};
        motion[1] = k / 2.0;
        gjb_scene_set_pose(scene, 0, 1, at);
        cr_assert_eq(gjb_scene_set_motion(scene, 0, 1, motion), 0);
        unsigned char *results = answers_of(scene, NULL);
        judge_all(scene, results, "flush");
        const impact2 answer = impact2_read(results, GJB_F64);
        cr_expect_eq(answer.status, GJB_HIT);
        cr_expect_lt(fabs(answer.normal[1]), 0x1p-49, "%d: normal off by %g", k, answer.normal[1]);
        free(results);
    }
    gjb_scene_free(scene);
}

/* A segment on its way along another, beyond its end: to which side of the way that end lies is
 * all rounding. */
Test(toi2, is_not_taken_in_by_the_point_of_a_needle)
{
    static const char *const text =
        "{\"gjkbench\": 1, \"dim\": 2, \"precision\": \"f32\", \"name\": \"needle\","
        " \"shapes\": [{\"kind\": \"segment\","
        "               \"vertices\": [[-67.38427, 115.86945], [57.166973, -134.75099]],"
        "               \"radius\": 0},"
        "              {\"kind\": \"segment\", \"radius\": 0,"
        "               \"vertices\": [[-0.006803036, 0.008409582], [0.0061442684, -0.0042126174]]}],"
        " \"bodies\": [{\"shape\": 0, \"pose\": {\"x\": 0.009854168, \"y\": 0.02367331,"
        "                                       \"c\": 0.9999567, \"s\": -0.0093033835},"
        "               \"motion\": {\"x\": -0.015492782, \"y\": -0.010712305, \"angle\": 0}},"
        "              {\"shape\": 1, \"pose\": {\"x\": -66.30415, \"y\": 116.52516,"
        "                                       \"c\": 0.97096646, \"s\": 0.2392156},"
        "               \"motion\": {\"x\": 0.0053551486, \"y\": -0.053650368, \"angle\": 0}}],"
        " \"pairs\": [[0, 1]]}";
    gjb_scene *scene = parsed(text);
    unsigned char *results = answers_of(scene, NULL);
    judge_all(scene, results, "needle");
    cr_expect_eq(impact2_read(results, GJB_F32).status, GJB_HIT);
    free(results);
    gjb_scene_free(scene);
}
