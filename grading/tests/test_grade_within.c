/* Grades of questions with a margin: overlap within a distance, and distances of which none beyond a limit matters. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "grading/grade.h"
#include "scenes/generate/generate.h"

static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

/* Two squares, apart by `gap` along x. */
static gjb_pair squares(double gap, double within)
{
    return (gjb_pair){.dim = 2,
                      .within = within,
                      .as.plane = {{GJB_POLYGON, 4, square, 0, {0, 0, 1, 0}, {0, 0, 0}},
                                   {GJB_POLYGON, 4, square, 0, {2 + gap, 0.5, 1, 0}, {0, 0, 0}}}};
}

static gjb_tolerance ours(gjb_query query)
{
    const gjb_contender contender = {.ours = 1, .within = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE};
    return gjb_tolerance_for(&contender, query, GJB_F64, 2);
}

/* `lazily`: the truth is found while it grades. */
static gjb_grade grade_of(gjb_query query, const gjb_pair *pair, const gjb_result *r,
                          const gjb_tolerance *granted, int lazily)
{
    gjb_truth truth = {0};
    cr_assert(!(lazily ? gjb_truth_open_lazily : gjb_truth_open)(&truth, pair));
    const gjb_grade grade = gjb_grade_result(query, &truth, r, granted);
    cr_expect_not(truth.conflict);
    gjb_truth_close(&truth);
    return grade;
}

static void expect_grade(gjb_query query, const gjb_pair *pair, gjb_result r, gjb_verdict verdict,
                         gjb_fault fault, const char *what)
{
    const gjb_tolerance granted = ours(query);
    for (int lazily = 0; lazily < 2; lazily++) {
        const gjb_grade grade = grade_of(query, pair, &r, &granted, lazily);
        cr_expect(grade.verdict == verdict && grade.fault == fault, "%s: %s, %s", what,
                  gjb_verdict_name(grade.verdict), gjb_fault_name(grade.fault));
    }
}

Test(grade_within, overlap)
{
    const gjb_result apart = {.status = GJB_SEPARATED}, overlapping = {.status = GJB_OVERLAPPING};
    static const struct {
        double gap, within;
        gjb_verdict separated, overlapping;
    } cases[] = {{0.25, 0, GJB_RIGHT, GJB_WRONG},
                 {0.25, 0.125, GJB_RIGHT, GJB_WRONG},
                 {0.25, 0.5, GJB_WRONG, GJB_RIGHT},
                 {0.25, 0.25, GJB_UNGRADED, GJB_UNGRADED},
                 {0, 0, GJB_UNGRADED, GJB_UNGRADED},
                 {0, 0.125, GJB_WRONG, GJB_RIGHT},
                 {-0.5, 0.125, GJB_WRONG, GJB_RIGHT},
                 {0.25, 0.25 + 0x1p-40, GJB_WRONG, GJB_RIGHT},
                 {0.25, 0.25 - 0x1p-40, GJB_RIGHT, GJB_WRONG},
                 {0.25, 1e300, GJB_WRONG, GJB_RIGHT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gjb_pair pair = squares(cases[i].gap, cases[i].within);
        char what[64];
        snprintf(what, sizeof what, "gap %g, within %g", cases[i].gap, cases[i].within);
        expect_grade(GJB_INTERSECT, &pair, apart, cases[i].separated,
                     cases[i].separated == GJB_WRONG ? GJB_FAULT_BOOLEAN : GJB_FAULT_NONE, what);
        expect_grade(GJB_INTERSECT, &pair, overlapping, cases[i].overlapping,
                     cases[i].overlapping == GJB_WRONG ? GJB_FAULT_BOOLEAN : GJB_FAULT_NONE, what);
    }
}

/* How far a wrong boolean is off counts from the margin. */
Test(grade_within, how_wrong_overlap_is)
{
    const gjb_pair pair = squares(0.25, 0.25 - 0x1p-20);
    const gjb_result overlapping = {.status = GJB_OVERLAPPING};
    const gjb_tolerance granted = ours(GJB_INTERSECT);
    gjb_truth truth = {0};
    cr_assert(!gjb_truth_open(&truth, &pair));
    const gjb_grade grade = gjb_grade_result(GJB_INTERSECT, &truth, &overlapping, &granted);
    cr_expect(grade.fault == GJB_FAULT_BOOLEAN && !gjb_grade_beyond(&grade, &truth, 1e-6, granted.epsilon) &&
              gjb_grade_beyond(&grade, &truth, 1e-8, granted.epsilon));
    gjb_truth_close(&truth);
}

Test(grade_within, other_queries_do_not_see_it)
{
    const gjb_pair pair = squares(0.25, 0.5);
    const gjb_result overlapping = {.status = GJB_OVERLAPPING};
    expect_grade(GJB_DISTANCE, &pair, overlapping, GJB_WRONG, GJB_FAULT_BOOLEAN, "distance");
    expect_grade(GJB_PENETRATION, &pair, (gjb_result){.status = GJB_SEPARATED}, GJB_RIGHT, GJB_FAULT_NONE,
                 "penetration");
}

/* A distance of 0.25 of which none beyond 0.125 matters. */
Test(grade_within, a_distance_that_stopped)
{
    const double tilt = sqrt(0.5);
    const gjb_result full = {.status = GJB_SEPARATED,
                             .value = 0.25,
                             .normal = {1, 0, 0},
                             .point_a = {1, 0.5, 0},
                             .point_b = {1.25, 0.5, 0}};
    const struct {
        const char *what;
        double value, normal[3];
        gjb_verdict verdict;
        gjb_fault fault;
    } cases[] = {{"the whole distance", 0.25, {1, 0, 0}, GJB_RIGHT, GJB_FAULT_NONE},
                 {"less of it", 0.2, {1, 0, 0}, GJB_RIGHT, GJB_FAULT_NONE},
                 {"just more than the limit", nextafter(0.125, 1), {1, 0, 0}, GJB_RIGHT, GJB_FAULT_NONE},
                 {"the limit", 0.125, {1, 0, 0}, GJB_WRONG, GJB_FAULT_VALUE},
                 {"less than the limit", 0.1, {1, 0, 0}, GJB_WRONG, GJB_FAULT_VALUE},
                 {"too much", 0.26, {1, 0, 0}, GJB_WRONG, GJB_FAULT_VALUE},
                 {"too much by half T", 0.25 + 16 * 0x1p-53 * 4, {1, 0, 0}, GJB_RIGHT, GJB_FAULT_NONE},
                 {"a normal that proves less", 0.2, {tilt, -tilt, 0}, GJB_WRONG, GJB_FAULT_NORMAL},
                 {"a normal the other way", 0.2, {-1, 0, 0}, GJB_WRONG, GJB_FAULT_NORMAL},
                 {"no normal", 0.2, {0, 0, 0}, GJB_WRONG, GJB_FAULT_LENGTH},
                 {"a normal that is too long", 0.2, {1 + 1e-9, 0, 0}, GJB_WRONG, GJB_FAULT_LENGTH}};
    const gjb_pair pair = squares(0.25, 0.125);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gjb_result r = {.status = GJB_SEPARATED, .value = cases[i].value};
        memcpy(r.normal, cases[i].normal, sizeof r.normal);
        expect_grade(GJB_DISTANCE, &pair, r, cases[i].verdict, cases[i].fault, cases[i].what);
    }
    expect_grade(GJB_DISTANCE, &pair, full, GJB_RIGHT, GJB_FAULT_NONE, "a whole answer");
    gjb_result r = full;
    r.point_b[0] += 0.125; /* points that are not 0 are looked at */
    expect_grade(GJB_DISTANCE, &pair, r, GJB_WRONG, GJB_FAULT_WITNESS, "a wrong point");
    r = full;
    r.value = 0.2;
    expect_grade(GJB_DISTANCE, &pair, r, GJB_WRONG, GJB_FAULT_VALUE, "less, but with points");
    r = (gjb_result){.status = GJB_SEPARATED, .value = 0.2, .normal = {1, 0, 0}};
    const gjb_pair near = squares(0.0625, 0.125), deep = squares(-0.5, 0.125), any = squares(0.25, 0);
    expect_grade(GJB_DISTANCE, &near, r, GJB_WRONG, GJB_FAULT_VALUE, "nearer than the limit");
    expect_grade(GJB_DISTANCE, &deep, r, GJB_WRONG, GJB_FAULT_BOOLEAN, "overlapping");
    expect_grade(GJB_DISTANCE, &any, r, GJB_WRONG, GJB_FAULT_VALUE, "without a limit");
}

/* Only of those that say that they take it; without a normal of its own the value alone is looked at. */
Test(grade_within, who_may_stop)
{
    const gjb_pair pair = squares(0.25, 0.125);
    gjb_result r = {.status = GJB_SEPARATED, .value = 0.2, .normal = {1, 0, 0}};
    gjb_tolerance granted = ours(GJB_DISTANCE);
    granted.within = 0;
    cr_expect_eq(grade_of(GJB_DISTANCE, &pair, &r, &granted, 0).fault, GJB_FAULT_VALUE);
    granted.within = granted.no_normal = granted.no_points = 1;
    for (int lazily = 0; lazily < 2; lazily++) {
        r.value = 0.2;
        cr_expect_eq(grade_of(GJB_DISTANCE, &pair, &r, &granted, lazily).verdict, GJB_RIGHT);
        r.value = 0.26;
        cr_expect_eq(grade_of(GJB_DISTANCE, &pair, &r, &granted, lazily).fault, GJB_FAULT_VALUE);
    }
}

/* Who is called A decides where a search stops. */
Test(grade_within, exchanged)
{
    const gjb_pair pair = squares(0.25, 0.125);
    const gjb_tolerance granted = ours(GJB_DISTANCE), booleans = ours(GJB_INTERSECT);
    const gjb_result r = {.status = GJB_SEPARATED, .value = 0.2, .normal = {1, 0, 0}};
    gjb_result s = r;
    gjb_truth truth = {0};
    cr_assert(!gjb_truth_open(&truth, &pair));
    s.value = 0.25;
    cr_expect_not(gjb_asymmetric(GJB_DISTANCE, &truth, &r, &s, &granted));
    s.point_a[0] = 1;
    cr_expect_not(gjb_asymmetric(GJB_DISTANCE, &truth, &r, &s, &granted), "one that did not stop");
    s.value = 0.1;
    cr_expect(gjb_asymmetric(GJB_DISTANCE, &truth, &r, &s, &granted), "one that says less than the limit");
    cr_expect(gjb_asymmetric(GJB_DISTANCE, &truth, &s, &r, &granted));
    s.status = GJB_OVERLAPPING;
    cr_expect(gjb_asymmetric(GJB_INTERSECT, &truth, &r, &s, &booleans),
              "far from the margin both have one truth");
    gjb_truth_close(&truth);
    const gjb_pair at = squares(0.25, 0.25);
    cr_assert(!gjb_truth_open(&truth, &at));
    cr_expect_not(gjb_asymmetric(GJB_INTERSECT, &truth, &r, &s, &booleans), "at the margin rounding decides");
    gjb_truth_close(&truth);
}

/* Of pairs of all kinds: sigma's own bounds as answers, with margins on both sides of it. */
static void check_pair(gjb_pair *pair, const char *where)
{
    gjb_truth truth = {0};
    cr_assert(!gjb_truth_open(&truth, pair));
    gjb_truth_exact(&truth);
    const double sigma = truth.lo, size = truth.size;
    gjb_truth_close(&truth);
    const gjb_tolerance granted = ours(GJB_INTERSECT);
    for (int side = -1; side <= 1; side += 2) {
        pair->within = sigma + side * 0x1p-30 * size;
        if (!(pair->within > 0))
            continue;
        const gjb_result r = {.status = side > 0 ? GJB_OVERLAPPING : GJB_SEPARATED},
                         wrong = {.status = side > 0 ? GJB_SEPARATED : GJB_OVERLAPPING};
        for (int lazily = 0; lazily < 2; lazily++) {
            cr_expect_eq(grade_of(GJB_INTERSECT, pair, &r, &granted, lazily).verdict, GJB_RIGHT, "%s", where);
            cr_expect_eq(grade_of(GJB_INTERSECT, pair, &wrong, &granted, lazily).fault, GJB_FAULT_BOOLEAN,
                         "%s", where);
        }
    }
}

Test(grade_within, overlap_of_many, .timeout = 120)
{
    static const char *const workloads[2][5] = {{"box", "capsule", "polygon8", "rounded-polygon8", "ellipse"},
                                                {"box", "capsule", "hull8", "rounded-hull8", "ellipsoid"}};
    static const char *const families[] = {"near", "mixed", "far", "shallow", "vertex-on"};
    gjb_pair_space space = {0};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (size_t w = 0; w < 5; w++)
            for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
                const gjb_recipe recipe = {.dim = dim,
                                           .precision = GJB_F64,
                                           .seed = 8,
                                           .pairs = 6,
                                           .family = families[f],
                                           .workload = workloads[dim - 2][w]};
                gjb_error error = {{0}};
                if (!gjb_family_has(gjb_family_find(families[f]), dim, recipe.workload))
                    continue;
                gjb_scene *scene = gjb_generate(&recipe, &error);
                cr_assert(scene, "%s", error.text);
                for (uint64_t i = 0; i < recipe.pairs; i++) {
                    gjb_pair pair;
                    char where[96];
                    snprintf(where, sizeof where, "%uD %s %s %d", (unsigned)dim, recipe.workload, families[f],
                             (int)i);
                    cr_assert(!gjb_scene_pair(scene, 0, i, &space, &pair));
                    check_pair(&pair, where);
                }
                gjb_scene_free(scene);
            }
    gjb_pair_space_free(&space);
}
