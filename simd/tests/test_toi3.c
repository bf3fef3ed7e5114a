/* Times of impact in 3D: the same bits for any backend, calls and neighbours; only bad input is
 * refused; hints change only the work. contenders and fuzz test the answers against the truth.
 * GJB_GOLDEN=print prints the bits, and the work that they took. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/hash.h"
#include "simd/tests/answers.h"

enum { EACH = 24, MANY = 600 };

static const char *const curved[] = {"ellipsoid", "superellipsoid", "cylinder", "cone", "mixed-curved",
                                     "rounded-cylinder", NULL};

/* Of all families in motion x tour, EACH pairs of each; and x curved. */
static const uint64_t golden[2][GJB_PRECISIONS] = {{0x9018909538786799, 0x212340ac8aeaff0d},
                                                   {0x8b08b437df6e0fcb, 0x2fda910f3d79399e}};

/* Of MANY pairs: rounds in lanes, and pairs on the fallback path. */
static const struct {
    const char *workload, *family;
    unsigned long long of[GJB_PRECISIONS][2];
} counts[] = {
    {"box", "needle-motion", {{6332, 17}, {6750, 9}}},
    {"hull16", "needle-motion", {{7156, 15}, {7527, 4}}},
};

/* Hints: NULL, or three numbers a pair, which are written too. */
static void get(const gjb_scene *scene, const char *backend, size_t call, void *axes, unsigned char *results,
                gjb_run_stats *stats)
{
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    const gjb_frame *frame = &scene->frames[0];
    const size_t size = gjb_result_size(GJB_TOI, precision, 3);
    const size_t axis = 3 * (precision == GJB_F32 ? sizeof(float) : sizeof(double));
    void *prepared = gjb_simd_prepare(&scene->shapes, backend), *workspace = NULL;
    cr_assert_not_null(prepared);
    cr_assert_eq(posix_memalign(&workspace, 64, gjb_simd_workspace_size(prepared)), 0);
    memset(workspace, 0, gjb_simd_workspace_size(prepared));
    memset(results, 0xA5, frame->pair_count * size);
    for (size_t first = 0; first < frame->pair_count; first += call) {
        const gjb_batch batch = {.query = GJB_TOI,
                                 .poses = frame->poses,
                                 .pose_stride = gjb_pose_size(precision, 3),
                                 .body_shape = scene->body_shape,
                                 .pairs = frame->pairs + 2 * first,
                                 .pair_count = frame->pair_count - first < call ? frame->pair_count - first : call,
                                 .results = results + first * size,
                                 .result_stride = size,
                                 .workspace = workspace,
                                 .stats = stats,
                                 .motions = frame->motions,
                                 .motion_stride = gjb_motion_size(precision, 3),
                                 .axes = axes ? (char *)axes + first * axis : NULL,
                                 .axis_stride = axis};
        gjb_simd_run(prepared, &batch);
    }
    gjb_simd_release(prepared);
    free(workspace);
}

typedef void scene_case(gjb_scene *scene, const char *what);

/* Scenes of all families that move, of a few workloads or the whole tour, in both precisions. */
static void each_scene(const char *const *workloads, uint64_t pairs, scene_case *body)
{
    char what[96];
    for (int p = 0; p < GJB_PRECISIONS; p++)
        for (size_t f = 0; f < gjb_family_count; f++)
            for (const char *const *w = workloads; *w && gjb_families[f].moving; w++) {
                if (!gjb_family_has(&gjb_families[f], 3, *w))
                    continue;
                const gjb_recipe recipe = {.workload = *w, .family = gjb_families[f].name, .seed = 11, .pairs = pairs,
                                           .precision = (gjb_precision)p, .dim = 3};
                gjb_scene *scene = answers_scene(&recipe);
                snprintf(what, sizeof what, "%s, %s, %s", *w, recipe.family, gjb_precision_name(recipe.precision));
                body(scene, what);
                gjb_scene_free(scene);
            }
}

static const char *const few[] = {"capsule", "box", "hull16", "hull64", "mixed-kinds", NULL};

static void alike(gjb_scene *scene, const char *what)
{
    const size_t calls[] = {EACH, 1, 7, 17};
    static unsigned char want[EACH * sizeof(gjb_result3d)], got[sizeof want];
    const size_t bytes = EACH * gjb_result_size(GJB_TOI, (gjb_precision)scene->shapes.precision, 3);
    get(scene, "scalar", EACH, NULL, want, NULL);
    for (size_t b = 0; b < gjb_backend_count; b++)
        for (size_t c = 0; c < sizeof calls / sizeof *calls && gjb_backend_available(gjb_backends[b]->name); c++) {
            get(scene, gjb_backends[b]->name, calls[c], NULL, got, NULL);
            cr_expect_eq(memcmp(want, got, bytes), 0, "%s: %s, %zu a call", what, gjb_backends[b]->name, calls[c]);
        }
    const answers all = {want, bytes / EACH};
    answers_expect_plain_numbers(&all, EACH, (gjb_precision)scene->shapes.precision, what);
}

Test(toi3, answer_alike_on_every_backend_in_calls_of_any_size, .timeout = 100)
{
    each_scene(few, EACH, alike);
}

Test(toi3, answer_alike_of_curved_shapes, .timeout = 100)
{
    each_scene(curved, EACH, alike);
}

/* Many pairs in one call, in another order: other neighbours, tiles put aside and taken up again. */
static void reordered(gjb_scene *scene, const char *what)
{
    const size_t size = gjb_result_size(GJB_TOI, (gjb_precision)scene->shapes.precision, 3);
    unsigned char *want = malloc(MANY * size), *got = malloc(MANY * size);
    uint32_t *kept = malloc(2 * MANY * sizeof *kept), *pairs = scene->frames[0].pairs;
    memcpy(kept, pairs, 2 * MANY * sizeof *kept);
    get(scene, "scalar", MANY, NULL, want, NULL);
    for (size_t i = 0; i < MANY; i++) /* 7 and MANY have no divisor in common */
        memcpy(&pairs[2 * (7 * i % MANY)], &kept[2 * i], 2 * sizeof *kept);
    for (size_t b = 0; b < gjb_backend_count; b++) {
        size_t wrong = 0;
        if (!gjb_backend_available(gjb_backends[b]->name))
            continue;
        get(scene, gjb_backends[b]->name, MANY, NULL, got, NULL);
        for (size_t i = 0; i < MANY; i++)
            wrong += memcmp(want + i * size, got + 7 * i % MANY * size, size) != 0;
        cr_expect_eq(wrong, 0, "%s, %s: %zu pairs answered otherwise", what, gjb_backends[b]->name, wrong);
    }
    free(kept);
    free(got);
    free(want);
}

Test(toi3, answer_alike_in_any_order_beside_any_other, .timeout = 100)
{
    static const char *const mixed[] = {"mixed-kinds", "mixed-curved", NULL};
    each_scene(mixed, MANY, reordered);
}

static void with_bad_motions(gjb_scene *scene, const char *what)
{
    static const double bad[][2] = {{0, NAN}, {1, INFINITY}, {2, -INFINITY}, {3, NAN}, {4, INFINITY}, {5, 2000}};
    static unsigned char before[EACH * sizeof(gjb_result3d)], after[sizeof before];
    const size_t size = gjb_result_size(GJB_TOI, (gjb_precision)scene->shapes.precision, 3);
    for (size_t b = 0; b < gjb_backend_count; b++) {
        if (!gjb_backend_available(gjb_backends[b]->name))
            continue;
        get(scene, gjb_backends[b]->name, EACH, NULL, before, NULL);
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            const uint32_t pair = (uint32_t)(3 * k + 1), body = scene->frames[0].pairs[2 * pair + (k & 1)];
            double kept[6], motion[6];
            gjb_scene_motion(scene, 0, body, kept);
            memcpy(motion, kept, sizeof motion);
            motion[(size_t)bad[k][0]] = bad[k][1];
            gjb_scene_set_motion(scene, 0, body, motion);
            get(scene, gjb_backends[b]->name, EACH, NULL, after, NULL);
            gjb_scene_set_motion(scene, 0, body, kept);
            const answers was = {before, size}, is = {after, size};
            answers_expect_one_refused(&was, &is, EACH, pair, what);
        }
    }
}

Test(toi3, refuse_a_bad_motion_and_nothing_else, .timeout = 100)
{
    static const char *const some[] = {"box", "hull64", "cone", NULL};
    each_scene(some, EACH, with_bad_motions);
}

/* Empty hints change nothing, and every answer leaves an axis of unit length, or 0. Tests with a
 * truth check answers that used hints. */
static void with_axes(gjb_scene *scene, const char *what)
{
    static unsigned char plain[EACH * sizeof(gjb_result3d)], got[sizeof plain];
    const int wide = scene->shapes.precision == GJB_F64;
    const size_t size = gjb_result_size(GJB_TOI, (gjb_precision)scene->shapes.precision, 3);
    double axes[3 * EACH];
    float narrow[3 * EACH];
    void *given = wide ? (void *)axes : (void *)narrow;
    const answers is = {got, size};
    for (size_t b = 0; b < gjb_backend_count; b++) {
        if (!gjb_backend_available(gjb_backends[b]->name))
            continue;
        get(scene, gjb_backends[b]->name, EACH, NULL, plain, NULL);
        for (size_t i = 0; i < 3 * EACH; i++)
            narrow[i] = (float)(axes[i] = i / 3 % 3 == 0 ? 0 : i / 3 % 3 == 1 ? NAN : i % 3 == 2 ? INFINITY : 1);
        get(scene, gjb_backends[b]->name, EACH, given, got, NULL);
        cr_expect_eq(memcmp(plain, got, EACH * size), 0, "%s, %s: hints that are none", what, gjb_backends[b]->name);
        get(scene, gjb_backends[b]->name, EACH, given, got, NULL);
        for (size_t i = 0; i < EACH; i++) {
            double square = 0;
            for (size_t k = 3 * i; k < 3 * i + 3; k++)
                square += wide ? axes[k] * axes[k] : (double)(narrow[k] * narrow[k]);
            cr_expect(answers_status(&is, i) == GJB_OVERLAPPING ? square == 0 : fabs(square - 1) < 1e-5,
                      "%s: axis of pair %zu", what, i);
        }
    }
}

Test(toi3, take_hints_and_leave_them, .timeout = 100)
{
    each_scene(few, EACH, with_axes);
    each_scene(curved, EACH, with_axes);
}

/* ---- what may change, on purpose ---- */

Test(toi3, take_the_work_that_they_took)
{
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            const gjb_recipe recipe = {.workload = counts[k].workload, .family = counts[k].family, .seed = 3,
                                       .pairs = MANY, .precision = (gjb_precision)p, .dim = 3};
            gjb_scene *scene = answers_scene(&recipe);
            unsigned char *results = malloc(MANY * sizeof(gjb_result3d));
            gjb_run_stats stats = {0};
            get(scene, "scalar", MANY, NULL, results, &stats);
            const unsigned long long rounds = stats.lane_live, fallback = stats.fallback;
            if (answers_printing())
                printf("%s %s {%llu, %llu}\n", counts[k].workload, gjb_precision_name(recipe.precision),
                       rounds, fallback);
            else
                cr_expect(rounds == counts[k].of[p][0] && fallback == counts[k].of[p][1], "%s %s: now {%llu, %llu}",
                          counts[k].workload, gjb_precision_name(recipe.precision), rounds, fallback);
            free(results);
            gjb_scene_free(scene);
        }
}

static uint64_t prints[16];

static void add_prints(gjb_scene *scene, const char *what)
{
    static unsigned char results[EACH * sizeof(gjb_result3d)];
    const size_t size = gjb_result_size(GJB_TOI, (gjb_precision)scene->shapes.precision, 3);
    const int p = (int)scene->shapes.precision;
    (void)what;
    get(scene, "scalar", EACH, NULL, results, NULL);
    prints[p] = gjb_fingerprint(results, EACH, size, size, prints[p]);
}

Test(toi3, give_the_bits_that_they_gave, .timeout = 100)
{
    const char *const *tour = gjb_workload_tour(3), *straight[32] = {NULL};
    const char *const *const workloads[2] = {straight, curved};
    memcpy(straight, tour, (size_t)(gjb_workload_tour_curved(3) - tour) * sizeof *tour);
    for (int w = 0; w < 2; w++) {
        memset(prints, 0, sizeof prints);
        each_scene(workloads[w], EACH, add_prints);
        for (int p = 0; p < GJB_PRECISIONS; p++)
            if (answers_printing())
                printf("0x%016llx\n", (unsigned long long)prints[p]);
            else
                cr_expect_eq(prints[p], golden[w][p], "%s%s: now 0x%016llx", w ? "curved, " : "",
                             gjb_precision_name((gjb_precision)p), (unsigned long long)prints[p]);
    }
}
