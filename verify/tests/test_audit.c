/* Of curved shapes: answers broken by little more than what is granted are noticed, by the fast truth and by
 * the slow one, and an audit tells of a verdict that differs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "contenders/table.h"
#include "scenes/generate/generate.h"
#include "verify/verify_private.h"

enum { PAIRS = 2 };
static const char *const kinds[] = {"ellipsoid", "cylinder", "cone", "superellipsoid"};
static const char *const families[] = {"near", "mixed", "shallow", "deep"};
enum { KINDS = sizeof kinds / sizeof *kinds, FAMILIES = sizeof families / sizeof *families };

/* Just within and just beyond T. */
static const double within = 0.99, beyond = 1.01;

/* A pair, its truth, and the reference's answer, which is right. */
typedef struct subject {
    gjb_truth truth;
    gjb_tolerance granted;
    gjb_result right;
    double tolerance;
    const char *where;
} subject;

static void open_subject(subject *s, const gjb_pair *pair, const char *where)
{
    const ref_answer3 answer = ref_signed_distance3(&pair->as.space, NULL);
    const gjb_contender *reference = gjb_contender_find("reference");
    const gjb_tolerance published = gjb_tolerance_for(reference, GJB_SIGNED_DISTANCE, GJB_F64, 3);
    cr_assert(!gjb_truth_open_lazily(&s->truth, pair));
    cr_assert_eq((int)s->truth.effort.slowly, s->truth.slowly);
    s->granted = gjb_tolerance_on(&published, pair);
    s->tolerance = gjb_tolerance_of(&s->granted, s->truth.size);
    s->right = (gjb_result){.status = answer.status, .value = answer.sigma + 0.0};
    s->where = where;
    for (int k = 0; k < 3; k++) {
        s->right.normal[k] = answer.normal[k] + 0.0;
        s->right.point_a[k] = answer.point_a[k] + 0.0;
        s->right.point_b[k] = answer.point_b[k] + 0.0;
    }
}

static void expect(subject *s, gjb_query query, const gjb_result *r, const gjb_tolerance *granted,
                   gjb_verdict verdict, gjb_fault fault)
{
    const gjb_grade g = gjb_grade_result(query, &s->truth, r, granted);
    cr_expect(g.verdict == verdict && g.fault == fault, "%s, %s: %s (%s) instead of %s (%s)", s->where,
              s->truth.slowly ? "slow" : "fast", gjb_verdict_name(g.verdict), gjb_fault_name(g.fault),
              gjb_verdict_name(verdict), gjb_fault_name(fault));
}

/* Alone: points are held against the value, too. What truth leaves open, a few eps S, is granted. */
static void spoil_value(subject *s)
{
    gjb_tolerance alone = s->granted;
    alone.no_normal = alone.no_points = 1;
    cr_expect(s->truth.hi - s->truth.lo <= 4 * s->granted.epsilon * s->truth.size, "%s: wide", s->where);
    for (int sign = -1; sign <= 1; sign += 2) {
        gjb_result r = {.status = s->right.status};
        r.value = s->right.value + sign * within * s->tolerance;
        expect(s, GJB_SIGNED_DISTANCE, &r, &alone, GJB_RIGHT, GJB_FAULT_NONE);
        r.value = (sign < 0 ? s->truth.lo : s->truth.hi) + sign * beyond * s->tolerance;
        expect(s, GJB_SIGNED_DISTANCE, &r, &alone, GJB_WRONG, GJB_FAULT_VALUE);
    }
}

/* A point of A that its normal supports leaves A along it. */
static void spoil_points(subject *s)
{
    for (int far = 0; far < 2; far++) {
        gjb_result r = s->right;
        for (int k = 0; k < 3; k++)
            r.point_a[k] += (far ? beyond : within) * s->tolerance * r.normal[k];
        expect(s, GJB_SIGNED_DISTANCE, &r, &s->granted, far ? GJB_WRONG : GJB_RIGHT,
               far ? GJB_FAULT_WITNESS : GJB_FAULT_NONE);
    }
}

/* Leant towards `across` by that much. */
static gjb_result lean(const subject *s, const double across[3], double by)
{
    gjb_result r = s->right;
    const double length = hypot(1, by);
    for (int k = 0; k < 3; k++)
        r.normal[k] = (s->right.normal[k] + by * across[k]) / length + 0.0;
    return r;
}

static double shortfall(subject *s, const gjb_result *r)
{
    const long double n[3] = {r->normal[0], r->normal[1], r->normal[2]};
    return (double)(s->truth.lo - gjb_support_gap(&s->truth.placed, n));
}

/* Leant until the gap along it falls just so short. */
static void spoil_normal(subject *s)
{
    const double *n = s->right.normal;
    const int k = fabs(n[0]) < 0.6 ? 0 : 1;
    double across[3] = {-n[k] * n[0], -n[k] * n[1], -n[k] * n[2]};
    across[k] += 1;
    const double length = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    for (int i = 0; i < 3; i++)
        across[i] /= length;
    gjb_tolerance alone = s->granted;
    alone.no_points = 1;
    for (int far = 0; far < 2; far++) {
        double low = 0, high = 1;
        for (int step = 0; step < 100; step++) {
            const double middle = low + (high - low) / 2;
            const gjb_result r = lean(s, across, middle);
            if (shortfall(s, &r) < (far ? beyond : within) * s->tolerance)
                low = middle;
            else
                high = middle;
        }
        const gjb_result r = lean(s, across, far ? high : low);
        expect(s, GJB_SIGNED_DISTANCE, &r, &alone, far ? GJB_WRONG : GJB_RIGHT,
               far ? GJB_FAULT_NORMAL : GJB_FAULT_NONE);
    }
}

/* Of a pair that is just within the band, or just beyond it. */
static void spoil_boolean(subject *s)
{
    const gjb_result wrong = {.status = s->right.status == GJB_SEPARATED ? GJB_OVERLAPPING : GJB_SEPARATED};
    gjb_tolerance granted = {.epsilon = s->granted.epsilon};
    granted.tau = fabs(s->right.value) / within;
    expect(s, GJB_INTERSECT, &wrong, &granted, GJB_UNGRADED, GJB_FAULT_NONE);
    granted.tau = fabs(s->right.value) / beyond;
    expect(s, GJB_INTERSECT, &wrong, &granted, GJB_WRONG, GJB_FAULT_BOOLEAN);
}

static void spoil_all(subject *s)
{
    expect(s, GJB_SIGNED_DISTANCE, &s->right, &s->granted, GJB_RIGHT, GJB_FAULT_NONE);
    gjb_truth_exact(&s->truth);
    spoil_value(s);
    spoil_points(s);
    spoil_normal(s);
    spoil_boolean(s);
}

static void for_scene(const gjb_recipe *recipe)
{
    gjb_error error = {{0}};
    gjb_pair_space space = {0};
    gjb_scene *scene = gjb_generate(recipe, &error);
    subject subjects[2] = {{.truth.slowly = 0}, {.truth.slowly = 1}};
    cr_assert(scene, "%s", error.text);
    for (uint64_t i = 0; i < recipe->pairs; i++)
        for (int slowly = 0; slowly < 2; slowly++) {
            char where[96];
            gjb_pair pair;
            snprintf(where, sizeof where, "%s %s pair %d", recipe->workload, recipe->family, (int)i);
            cr_assert(!gjb_scene_pair(scene, 0, i, &space, &pair));
            open_subject(&subjects[slowly], &pair, where);
            spoil_all(&subjects[slowly]);
        }
    gjb_truth_close(&subjects[0].truth);
    gjb_truth_close(&subjects[1].truth);
    gjb_scene_free(scene);
    gjb_pair_space_free(&space);
}

Test(audit, curved_answers_just_beyond_what_is_granted_are_noticed, .timeout = 120)
{
    for (size_t w = 0; w < KINDS; w++)
        for (size_t f = 0; f < FAMILIES; f++)
            for_scene(&(gjb_recipe){.dim = 3, .precision = GJB_F64, .seed = 23, .pairs = PAIRS,
                                    .family = families[f], .workload = kinds[w]});
}

/* --- Verdicts that differ --- */

/* Answers of the reference to a few pairs that overlap. */
typedef struct audited {
    gjb_contender contender;
    gjb_verify_workload workload;
    const gjb_family *family;
    gjb_verify_entry entry;
    gjb_verify_plan plan;
    gjb_verify_report report;
    gjb_combos all;
    gjb_watch watch;
    gjb_chunk chunk;
} audited;

static void open_audited(audited *a, const char *workload)
{
    gjb_error error = {{0}};
    *a = (audited){.contender = *gjb_contender_find("reference"), .workload = {3, workload},
                   .family = gjb_family_find("deep")};
    a->contender.ours = 1; /* it runs in this process */
    a->entry.contender = &a->contender;
    a->plan = (gjb_verify_plan){.workloads = &a->workload, .workload_count = 1, .families = &a->family,
                                .family_count = 1, .entries = &a->entry, .entry_count = 1,
                                .queries = 1u << GJB_SIGNED_DISTANCE, .precisions = 1u << GJB_F64,
                                .pairs = PAIRS, .seed = 5, .threads = 1};
    cr_assert(!gjb_verify_combos_make(&a->all, &a->plan, &a->report, &error), "%s", error.text);
    cr_assert(!gjb_verify_tasks_make(&a->all, &a->plan));
    cr_assert(!gjb_verify_chunk_run(&a->chunk, &a->plan, a->all.list, a->all.tasks, &a->watch, &error), "%s",
              error.text);
}

static void close_audited(audited *a)
{
    gjb_verify_chunk_free(&a->chunk);
    gjb_verify_combos_free(&a->all);
    free(a->report.rows);
}

/* What an audit tells of a pair whose truth is so many T off, or "". */
static const char *told_of(audited *a, const gjb_pair *pair, uint64_t index, double off, int *conflict)
{
    const size_t r = GJB_SIGNED_DISTANCE;
    gjb_truth truth = {.slowly = 0}, slow = {.slowly = 1};
    const gjb_result result = gjb_result_get(GJB_SIGNED_DISTANCE, GJB_F64, 3, a->chunk.straight[r], index);
    const gjb_tolerance granted = gjb_tolerance_on(&a->chunk.granted[r], pair);
    cr_assert(!gjb_truth_open(&truth, pair));
    gjb_truth_exact(&truth);
    truth.lo += off * gjb_tolerance_of(&granted, truth.size);
    truth.hi += off * gjb_tolerance_of(&granted, truth.size);
    a->chunk.grades[r] = gjb_grade_result(GJB_SIGNED_DISTANCE, &truth, &result, &a->chunk.granted[r]);
    a->chunk.conflict.text[0] = '\0';
    cr_assert(!gjb_verify_audit(&a->chunk, &truth, &slow, index));
    *conflict = truth.conflict;
    gjb_truth_close(&truth);
    gjb_truth_close(&slow);
    return a->chunk.conflict.text;
}

static void expect_told(audited *a, const gjb_pair *pair, uint64_t index)
{
    int conflict;
    cr_expect_str_eq(told_of(a, pair, index, 0, &conflict), "");
    cr_expect_not(conflict);
    for (int sign = -1; sign <= 1; sign += 2) {
        char text[256];
        snprintf(text, sizeof text, "pair %d of 3D %s deep, f64: signed_distance of reference - is "
                 "wrong, and right by the slow truth", (int)index, a->workload.name);
        cr_expect_str_eq(told_of(a, pair, index, 1.1 * sign, &conflict), text);
        cr_expect(conflict);
    }
}

/* Of a cone, whose slow search is long enough to be cut. */
static void expect_nothing_told(audited *a, const gjb_pair *pair, uint64_t index)
{
    int conflict;
    ref_effort_limit(0);
    cr_expect_str_eq(told_of(a, pair, index, 1.1, &conflict), "");
    ref_effort_limit(REF_EFFORT_SECONDS);
}

/* Of a cone, whose core is made no smaller: the slow truth takes branch and bound, the fast one fewer cells. */
static void expect_slow(audited *a, const gjb_pair *pair, uint64_t index)
{
    ref_curved curved;
    ref_enclosure found[2], by_cells;
    const ref_real width = 0x1p-52L * gjb_pair_size(pair);
    (void)a;
    ref_curved_open(&curved, pair);
    for (int slowly = 0; slowly < 2; slowly++) {
        ref_effort effort = {.slowly = slowly};
        ref_effort *before = ref_effort_begin(&effort);
        ref_curved_enclose_quickly(&curved, width, 300000, true, &found[slowly]);
        ref_effort_end(before);
    }
    ref_curved_enclose(&curved, width, 300000, true, &by_cells);
    cr_expect(found[1].corners == by_cells.corners && found[0].corners < by_cells.corners,
              "pair %d: %u corners slowly, %u fast, %u by cells", (int)index, (unsigned)found[1].corners,
              (unsigned)found[0].corners, (unsigned)by_cells.corners);
}

static void for_audited(const char *workload, void (*check)(audited *a, const gjb_pair *pair, uint64_t index))
{
    audited a;
    gjb_pair_space space = {0};
    open_audited(&a, workload);
    for (uint64_t i = 0; i < a.chunk.pairs; i++) {
        gjb_pair pair;
        cr_assert(!gjb_scene_pair(a.chunk.scene, 0, i, &space, &pair));
        check(&a, &pair, i);
    }
    gjb_pair_space_free(&space);
    close_audited(&a);
}

Test(audit, a_verdict_that_differs_is_told, .timeout = 60)
{
    for (size_t w = 0; w < KINDS; w++)
        for_audited(kinds[w], expect_told);
}

Test(audit, the_slow_truth_is_slow, .timeout = 60)
{
    for_audited("cone", expect_slow);
}

Test(audit, what_the_slow_truth_leaves_open_is_no_conflict, .timeout = 60)
{
    for_audited("cone", expect_nothing_told);
}
