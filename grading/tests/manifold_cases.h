/* Pairs, answers and checks that tests of graded manifolds share. */
#ifndef GJB_GRADING_TESTS_MANIFOLD_CASES_H
#define GJB_GRADING_TESTS_MANIFOLD_CASES_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "grading/grade.h"
#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"

static inline gjb_tolerance granted(gjb_precision precision)
{
    return (gjb_tolerance){
        .k = 32, .epsilon = gjb_epsilon(precision), .least = gjb_least_size(precision), .ours = 1};
}

static inline gjb_grade grade_with(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance,
                            int slowly)
{
    gjb_truth truth = {.slowly = slowly};
    cr_assert(!gjb_truth_open_lazily(&truth, pair));
    const gjb_grade grade = gjb_grade_result(GJB_MANIFOLD, &truth, r, tolerance);
    cr_assert(!truth.conflict);
    gjb_truth_close(&truth);
    return grade;
}

/* Was the fast patch not enough? */
static inline int asks_exact(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance)
{
    gjb_truth truth = {0};
    cr_assert(!gjb_truth_open_lazily(&truth, pair));
    gjb_grade_result(GJB_MANIFOLD, &truth, r, tolerance);
    const int asked = truth.wanted_exactly.known;
    gjb_truth_close(&truth);
    return asked;
}

/* What coverage may be off by where the patch is large. */
static double straight = 1e-9;

/* Fast and slow, which have to agree. */
static inline gjb_grade grade(const gjb_pair *pair, const gjb_result *r)
{
    const gjb_tolerance tolerance = granted(GJB_F64);
    const gjb_grade fast = grade_with(pair, r, &tolerance, 0), slow = grade_with(pair, r, &tolerance, 1);
    cr_expect_eq(fast.verdict, slow.verdict, "fast %s (%s), slow %s (%s)", gjb_verdict_name(fast.verdict),
                 gjb_fault_name(fast.fault), gjb_verdict_name(slow.verdict), gjb_fault_name(slow.fault));
    cr_expect_eq(fast.fault, slow.fault);
    cr_expect_eq(fast.has_coverage, slow.has_coverage);
    cr_expect(fabs(fast.coverage - slow.coverage) <= straight, "coverage %.17g, slowly %.17g", fast.coverage,
              slow.coverage);
    return fast;
}

static inline void check_right(const gjb_pair *pair, const gjb_result *r, double coverage)
{
    const gjb_tolerance tolerance = granted(GJB_F64);
    const gjb_grade g = grade(pair, r);
    cr_expect(!asks_exact(pair, r, &tolerance));
    cr_expect_eq(g.verdict, GJB_RIGHT, "%s: value %g, normal %g, points %g", gjb_fault_name(g.fault),
                 g.value_eps, g.normal_eps, g.witness_eps);
    cr_expect_eq(g.has_coverage, coverage >= 0);
    cr_expect(coverage < 0 || fabs(g.coverage - coverage) <= straight, "coverage %.17g for %.17g", g.coverage,
              coverage);
}

static inline void check_wrong(const gjb_pair *pair, const gjb_result *r, gjb_fault fault)
{
    const gjb_grade g = grade(pair, r);
    cr_expect_eq(g.verdict, GJB_WRONG);
    cr_expect_eq(g.fault, fault, "%s instead of %s", gjb_fault_name(g.fault), gjb_fault_name(fault));
}

/* --- Answers --------------------------------------------------------------------------------------- */

static inline void set_deepest(gjb_result *r)
{
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < r->count; i++)
        deepest = r->contact[i].separation < r->contact[deepest].separation ? i : deepest;
    r->value = r->contact[deepest].separation;
    memcpy(r->point_a, r->contact[deepest].point_a, sizeof r->point_a);
    memcpy(r->point_b, r->contact[deepest].point_b, sizeof r->point_b);
}

static inline gjb_result begun(double sigma, double x, double y, double z)
{
    return (gjb_result){.status = sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING, .normal = {x, y, z}};
}

/* A point of A, and that of B in the direction of the normal. */
static inline void add(gjb_result *r, double x, double y, double z, double separation)
{
    gjb_contact3d *c = &r->contact[r->count++];
    const double a[3] = {x, y, z};
    for (int k = 0; k < 3; k++) {
        c->point_a[k] = a[k] + 0.0;
        c->point_b[k] = a[k] + separation * r->normal[k] + 0.0;
    }
    c->separation = separation;
    c->feature = r->count;
    set_deepest(r);
}

static inline gjb_result without(const gjb_result *r, uint32_t contact)
{
    gjb_result out = *r;
    out.count--;
    for (uint32_t i = contact; i < out.count && i + 1 < GJB_CONTACTS_3D; i++)
        out.contact[i] = r->contact[i + 1];
    memset(&out.contact[out.count], 0, sizeof out.contact[0]);
    set_deepest(&out);
    return out;
}

/* --- Closed forms ------------------------------------------------------------------------------------ */

static const gjb_pose3d still = {0, 0, 0, 0, 0, 0, 1};
static test_pair3 space;
static test_pair plane;

static inline void set_box(int side, double x, double y, double z, gjb_pose3d pose)
{
    double v[8][3];
    for (uint32_t k = 0; k < 8; k++) {
        v[k][0] = x * gjb_box_corner(3, k, 0);
        v[k][1] = y * gjb_box_corner(3, k, 1);
        v[k][2] = z * gjb_box_corner(3, k, 2);
    }
    test_pair3_set(&space, side, 8, (const double(*)[3])v, 0, pose);
    (side ? &space.pair.b : &space.pair.a)->kind = GJB_BOX;
}

static inline gjb_pair spatial(double margin)
{
    return (gjb_pair){.dim = 3, .margin = margin, .as.space = space.pair};
}

static inline gjb_pair planar(double margin)
{
    return (gjb_pair){.dim = 2, .margin = margin, .as.plane = plane.pair};
}

/* A box of 4 by 2 by 2, on it one of 2 by 2 by 1, moved so that it sticks out at one side: 3 by 2 of overlap. */
static inline gjb_result boxes(double separation)
{
    set_box(0, 2, 1, 1, (gjb_pose3d){5, 6, 7, 0, 0, 0, 1});
    set_box(1, 1, 1, 0.5, (gjb_pose3d){5.5, 6.5, 8.5 + separation, 0, 0, 0, 1});
    gjb_result r = begun(separation, 0, 0, 1);
    add(&r, -0.5, -0.5, 1, separation);
    add(&r, 1.5, -0.5, 1, separation);
    add(&r, 1.5, 1, 1, separation);
    add(&r, -0.5, 1, 1, separation);
    return r;
}

#endif
