/* Times of impact in 3D of the batched kernels against signed distances at many moments: on
 * the families in motion, and on motions put on families at rest. */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/tests/motions3.h"
#include "core/query.h"
#include "simd/simd.h"

enum { EACH = 8 };

static const char *const workloads[] = {"point", "sphere", "capsule", "triangle", "box", "rounded-box", "hull4",
                                        "hull16", "hull32", "hull64", "rounded-hull8", "mixed-kinds", NULL};

static gjb_result3d widened(const unsigned char *record, gjb_precision precision)
{
    gjb_result3d wide = {.value = 0};
    gjb_result3f f;
    if (precision == GJB_F64) {
        memcpy(&wide, record, sizeof wide);
        return wide;
    }
    memcpy(&f, record, sizeof f);
    wide.head = f.head;
    wide.value = (double)f.value;
    for (int k = 0; k < 3; k++) {
        wide.normal[k] = (double)f.normal[k];
        wide.point_a[k] = (double)f.point_a[k];
        wide.point_b[k] = (double)f.point_b[k];
    }
    return wide;
}

typedef struct tally {
    size_t pairs, hits, fallback;
    double least, most; /* sigma at hits, in eps S */
} tally;

/* `axes`: of EACH pairs, or NULL. */
static void run(const gjb_scene *scene, const char *backend, unsigned char *results, void *axes, tally *sum)
{
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    void *prepared = gjb_simd_prepare(&scene->shapes, backend), *workspace = NULL;
    cr_assert_not_null(prepared);
    cr_assert_eq(posix_memalign(&workspace, 64, gjb_simd_workspace_size(prepared)), 0);
    memset(workspace, 0, gjb_simd_workspace_size(prepared));
    gjb_run_stats stats = {0};
    const gjb_batch batch = {.query = GJB_TOI,
                             .poses = scene->frames[0].poses,
                             .pose_stride = gjb_pose_size(precision, 3),
                             .body_shape = scene->body_shape,
                             .pairs = scene->frames[0].pairs,
                             .pair_count = EACH,
                             .results = results,
                             .result_stride = gjb_result_size(GJB_TOI, precision, 3),
                             .workspace = workspace,
                             .stats = &stats,
                             .motions = scene->frames[0].motions,
                             .motion_stride = gjb_motion_size(precision, 3),
                             .axes = axes,
                             .axis_stride = 3 * sizeof(double)};
    gjb_simd_run(prepared, &batch);
    sum->fallback += stats.fallback;
    gjb_simd_release(prepared);
    free(workspace);
}

static void judge(const gjb_scene *scene, const char *what, tally *sum)
{
    static unsigned char results[EACH * sizeof(gjb_result3d)];
    double axes[3 * EACH]; /* the second half of the pairs starts from any direction */
    memset(axes, 0, sizeof axes);
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    gjb_pair_space space = {0};
    for (size_t i = 3 * EACH / 2; i < 3 * EACH; i++) {
        const double wide = sin((double)(7 * i));
        const float narrow = (float)wide;
        char *at = (char *)&axes[i / 3 * 3];
        if (precision == GJB_F32)
            memcpy(at + i % 3 * sizeof narrow, &narrow, sizeof narrow);
        else
            memcpy(at + i % 3 * sizeof wide, &wide, sizeof wide);
    }
    run(scene, "scalar", results, axes, sum);
    for (uint64_t i = 0; i < EACH; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        const gjb_result3d answer = widened(results + i * gjb_result_size(GJB_TOI, precision, 3), precision);
        const verdict3 v = motions3_judge(&pair.as.space, precision, &answer, gjb_queries[GJB_TOI].k[1][precision]);
        cr_expect_null(v.wrong, "%s, %s, pair %zu: %s (%g eps S)", what, gjb_precision_name(precision), (size_t)i, v.wrong,
                       v.at);
        sum->pairs++;
        if (answer.head.status == GJB_HIT) {
            sum->hits++;
            sum->least = fmin(sum->least, v.at);
            sum->most = fmax(sum->most, v.at);
        }
    }
    gjb_pair_space_free(&space);
}

/* Families that move as they do, those at rest in every way of motions3. */
static void judge_families(int moving, uint64_t seed)
{
    for (int p = 0; p < GJB_PRECISIONS; p++) {
        tally sum = {.least = INFINITY, .most = -INFINITY};
        for (size_t f = 0; f < gjb_family_count; f++)
            for (const char *const *w = workloads; *w; w++) {
                const gjb_family *family = &gjb_families[f];
                if (!gjb_family_has(family, 3, *w) || (family->moving != GJB_AT_REST) != moving)
                    continue;
                gjb_error error = {0};
                const gjb_recipe recipe = {.workload = *w, .family = family->name, .seed = seed, .pairs = EACH,
                                           .precision = (gjb_precision)p, .dim = 3};
                char what[96];
                gjb_scene *scene = gjb_generate(&recipe, &error);
                cr_assert_not_null(scene, "%s", error.text);
                const unsigned way = (unsigned)((f + (size_t)(w - workloads)) % motions3_count());
                snprintf(what, sizeof what, "%s, %s, %s", *w, family->name, moving ? "" : motions3_name(way));
                if (!moving)
                    motions3_set(scene, way, seed);
                judge(scene, what, &sum);
                gjb_scene_free(scene);
            }
        cr_log_info("%s: %zu pairs, %zu hits, %zu fallback, sigma there %.2f to %.2f eps S",
                    gjb_precision_name((gjb_precision)p), sum.pairs, sum.hits, sum.fallback, sum.least, sum.most);
        cr_expect_gt(sum.hits, sum.pairs / 8);
    }
}

Test(toi3_answers, are_right_on_families_in_motion, .timeout = 200)
{
    judge_families(1, 21);
}

Test(toi3_answers, are_right_on_families_at_rest_that_are_set_in_motion, .timeout = 200)
{
    judge_families(0, 22);
}
