/* The grader itself: its bounds against the oracle, its measures against the
 * reference's certificates, and its verdict on answers spoilt on purpose. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "core/generate.h"
#include "fuzz/grade.h"
#include "reference/reference.h"

enum { PAIRS = 24 };
static const char *const workloads[] = {"point",    "segment",   "capsule",          "box",        "polygon3",
                                        "polygon8", "polygon64", "rounded-polygon8", "mixed-kinds"};

/* Every pair of every workload and family, with its truth opened. */
static uint64_t for_pairs(void (*visit)(gjb_truth *truth, uint64_t *count, const char *where))
{
    uint64_t count = 0;
    gjb_truth truth = {0};
    gjb_pair_space space = {0};
    for (size_t k = 0; k < GJB_PRECISIONS * gjb_family_count * (sizeof workloads / sizeof *workloads); k++) {
        gjb_error error = {{0}};
        gjb_recipe recipe = {.precision = (gjb_precision)(k % GJB_PRECISIONS),
                             .seed = 3,
                             .pairs = PAIRS,
                             .family = gjb_families[k / GJB_PRECISIONS % gjb_family_count].name,
                             .workload = workloads[k / GJB_PRECISIONS / gjb_family_count]};
        char where[128];
        if (!(gjb_families[k / GJB_PRECISIONS % gjb_family_count].dims >> 2 & 1u))
            continue;
        gjb_scene *scene = gjb_generate(&recipe, &error);
        cr_assert(scene, "%s", error.text);
        for (uint64_t i = 0; i < PAIRS; i++) {
            gjb_pair pair;
            snprintf(where, sizeof where, "%s %s %s pair %d", recipe.workload, recipe.family,
                     gjb_precision_name(recipe.precision), (int)i);
            cr_assert(!gjb_scene_pair(scene, 0, i, &space, &pair) && !gjb_truth_open(&truth, &pair));
            visit(&truth, &count, where);
        }
        gjb_scene_free(scene);
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    return count;
}

static uint64_t wide, checked;

static void compare_bounds(gjb_truth *truth, uint64_t *count, const char *where)
{
    double lo = truth->lo, hi = truth->hi;
    gjb_truth_exact(truth);
    cr_expect(!truth->conflict, "%s: certificate [%.17g, %.17g], oracle [%.17g, %.17g]", where, lo, hi,
              truth->lo, truth->hi);
    wide += hi - lo > 0x1p-52 * truth->size;
    checked++;
    ++*count;
}

Test(grade, bounds_hold_the_oracle_and_are_narrow, .timeout = 120)
{
    cr_expect(for_pairs(compare_bounds) > 0);
    cr_expect(wide * 100 < checked, "%llu of %llu bounds are wider than 2 eps S", (unsigned long long)wide,
              (unsigned long long)checked);
}

static void compare_measures(gjb_truth *truth, uint64_t *count, const char *where)
{
    ref_answer guess = ref_signed_distance2(&truth->pair->as.plane);
    for (int k = 0; k < 8; k++) {
        double angle = 0.785 * k + (double)(*count % 97), n[2] = {cos(angle), sin(angle)};
        double spread = k < 4 ? 0.5 * truth->size : 1e-7 * truth->size;
        double point[2] = {guess.point_a[0] + spread * n[0], guess.point_a[1] + spread * n[1]};
        long double direction[2] = {n[0], n[1]}, at[2] = {point[0], point[1]}, error;
        long double gap = ref_gap2(&truth->pair->as.plane, n, &error);
        long double mine = gjb_support_gap(&truth->placed, direction);
        cr_expect(fabsl(gap - mine) <= error + truth->placed.error, "%s: gap %Lg, %Lg", where, mine, gap);
        for (int of_b = 0; of_b < 2; of_b++) {
            long double distance = ref_point_distance2(&truth->pair->as.plane, of_b, point, &error);
            mine = gjb_point_distance(&truth->placed, of_b, at);
            cr_expect(fabsl(distance - mine) <= error + truth->placed.error, "%s: point distance %Lg, %Lg",
                      where, mine, distance);
        }
    }
    ++*count;
}

Test(grade, measures_agree_with_the_reference, .timeout = 120)
{
    cr_expect(for_pairs(compare_measures) > 0);
}

/* A right answer, then one fault at a time. */
typedef struct spoil {
    const char *name;
    gjb_fault fault;
    void (*spoil)(gjb_result *r, double by);
} spoil;

static void flip(gjb_result *r, double by)
{
    (void)by;
    r->status = r->status == GJB_SEPARATED ? GJB_OVERLAPPING : GJB_SEPARATED;
}
static void more(gjb_result *r, double by)
{
    r->value += by;
}
static void less(gjb_result *r, double by)
{
    r->value -= by;
}
static void opposite(gjb_result *r, double by)
{
    (void)by;
    r->normal[0] = 0.0 - r->normal[0];
    r->normal[1] = 0.0 - r->normal[1];
}
static void lengthen(gjb_result *r, double by)
{
    (void)by;
    r->normal[0] *= 1 + 1e-6;
    r->normal[1] *= 1 + 1e-6;
}
static void shift_both(gjb_result *r, double by)
{
    double sign = r->value < 0 ? -1 : 1; /* out of A */
    for (int k = 0; k < 2; k++) {
        r->point_a[k] += sign * by * r->normal[k] * 2;
        r->point_b[k] += sign * by * r->normal[k] * 2;
    }
}
static void shift_one(gjb_result *r, double by)
{
    r->point_b[0] += 2 * by;
}
static void not_a_number(gjb_result *r, double by)
{
    (void)by;
    r->point_a[1] = NAN;
}
static void cap(gjb_result *r, double by)
{
    (void)by;
    r->status = GJB_ITERATION_LIMIT;
}
static void refuse(gjb_result *r, double by)
{
    (void)by;
    r->status = GJB_INVALID_INPUT;
}
static void leave(gjb_result *r, double by)
{
    (void)by;
    r->status = GJB_UNWRITTEN;
}

static const spoil spoils[] = {{"flip", GJB_FAULT_BOOLEAN, flip},
                               {"more", GJB_FAULT_VALUE, more},
                               {"less", GJB_FAULT_VALUE, less},
                               {"opposite", GJB_FAULT_NORMAL, opposite},
                               {"lengthen", GJB_FAULT_NORMAL, lengthen},
                               {"shift both", GJB_FAULT_WITNESS, shift_both},
                               {"shift one", GJB_FAULT_WITNESS, shift_one},
                               {"nan", GJB_FAULT_NAN, not_a_number},
                               {"cap", GJB_FAULT_CAPPED, cap},
                               {"refuse", GJB_FAULT_REFUSED, refuse},
                               {"leave", GJB_FAULT_UNWRITTEN, leave}};

static void spoil_answers(gjb_truth *truth, uint64_t *count, const char *where)
{
    const gjb_tolerance granted = {.k = 64, .epsilon = 0x1p-53, .ours = 1};
    double tolerance = gjb_tolerance_of(&granted, truth->size);
    ref_answer answer = ref_signed_distance2(&truth->pair->as.plane);
    gjb_result right = {.status = answer.status, .value = answer.sigma + 0.0};
    for (int k = 0; k < 2; k++) {
        right.normal[k] = answer.normal[k] + 0.0;
        right.point_a[k] = answer.point_a[k] + 0.0;
        right.point_b[k] = answer.point_b[k] + 0.0;
    }
    gjb_grade grade = gjb_grade_result(GJB_SIGNED_DISTANCE, truth, &right, &granted);
    cr_expect(grade.verdict == GJB_RIGHT, "%s: a right answer is called %s", where,
              gjb_fault_name(grade.fault));
    if (fabs(answer.sigma) <= 1e-3 * truth->size)
        return; /* in the band a flipped boolean or normal may pass */
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        gjb_result wrong = right;
        spoils[i].spoil(&wrong, 1.5 * tolerance);
        grade = gjb_grade_result(GJB_SIGNED_DISTANCE, truth, &wrong, &granted);
        /* Both points shifted along the normal may stay inside deep shapes. */
        if (spoils[i].spoil == shift_both && answer.sigma < 0)
            continue;
        /* The opposite of a depth's axis may be as good; its witness points then are not. */
        int fault = grade.fault == spoils[i].fault ||
                    (spoils[i].spoil == opposite && grade.fault == GJB_FAULT_WITNESS && answer.sigma < 0);
        cr_expect(grade.verdict == GJB_WRONG && fault, "%s: %s passed as %s", where, spoils[i].name,
                  gjb_fault_name(grade.fault));
        ++*count;
    }
}

Test(grade, spoilt_answers_are_noticed, .timeout = 120)
{
    cr_expect(for_pairs(spoil_answers) > 1000);
}

Test(grade, undefined_fields_are_plus_zero)
{
    const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    gjb_pair pair = {.dim = 2, .as.plane = {{GJB_POLYGON, 4, square, 0, {0, 0, 1, 0}}, {GJB_POLYGON, 4, square, 0, {1, 0, 1, 0}}}};
    const gjb_tolerance granted = {.k = 32, .epsilon = 0x1p-53, .ours = 1};
    gjb_truth truth = {0};
    cr_assert(!gjb_truth_open(&truth, &pair));
    gjb_result r = {.status = GJB_OVERLAPPING};
    cr_expect(gjb_grade_result(GJB_DISTANCE, &truth, &r, &granted).verdict == GJB_RIGHT);
    r.normal[0] = 1;
    cr_expect(gjb_grade_result(GJB_DISTANCE, &truth, &r, &granted).fault == GJB_FAULT_FORM);
    r.normal[0] = -0.0;
    cr_expect(gjb_grade_result(GJB_DISTANCE, &truth, &r, &granted).fault == GJB_FAULT_FORM);
    r.normal[0] = 0;
    r.value = -0.0;
    cr_expect(gjb_grade_result(GJB_DISTANCE, &truth, &r, &granted).fault == GJB_FAULT_FORM);
    gjb_truth_close(&truth);
}
