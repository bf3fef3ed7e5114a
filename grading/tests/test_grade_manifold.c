/* Manifolds graded: in closed form, with one planted fault for each rule, and on random pairs, where the fast patch has
 * to say what the exact one says, and an answer made from the exact patch has to be right and cover all. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>
#include <time.h>

#include "core/tests/one_in.h"
#include "grading/answer_certificate.h"
#include "grading/bounds_private.h"
#include "grading/grade.h"
#include "reference/patch/patch.h"
#include "reference/reference.h"
#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"
#include "scenes/generate/generate.h"

static gjb_tolerance granted(gjb_precision precision)
{
    return (gjb_tolerance){
        .k = 32, .epsilon = gjb_epsilon(precision), .least = gjb_least_size(precision), .ours = 1};
}

static gjb_grade grade_with(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance,
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
static int asks_exact(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance)
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
static gjb_grade grade(const gjb_pair *pair, const gjb_result *r)
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

static void check_right(const gjb_pair *pair, const gjb_result *r, double coverage)
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

static void check_wrong(const gjb_pair *pair, const gjb_result *r, gjb_fault fault)
{
    const gjb_grade g = grade(pair, r);
    cr_expect_eq(g.verdict, GJB_WRONG);
    cr_expect_eq(g.fault, fault, "%s instead of %s", gjb_fault_name(g.fault), gjb_fault_name(fault));
}

/* --- Answers --------------------------------------------------------------------------------------- */

static void set_deepest(gjb_result *r)
{
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < r->count; i++)
        deepest = r->contact[i].separation < r->contact[deepest].separation ? i : deepest;
    r->value = r->contact[deepest].separation;
    memcpy(r->point_a, r->contact[deepest].point_a, sizeof r->point_a);
    memcpy(r->point_b, r->contact[deepest].point_b, sizeof r->point_b);
}

static gjb_result begun(double sigma, double x, double y, double z)
{
    return (gjb_result){.status = sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING, .normal = {x, y, z}};
}

/* A point of A, and that of B in the direction of the normal. */
static void add(gjb_result *r, double x, double y, double z, double separation)
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

static gjb_result without(const gjb_result *r, uint32_t contact)
{
    gjb_result out = *r;
    out.count--;
    for (uint32_t i = contact; i < out.count; i++)
        out.contact[i] = r->contact[i + 1];
    memset(&out.contact[out.count], 0, sizeof out.contact[0]);
    set_deepest(&out);
    return out;
}

/* The best points of the exact patch. It is grown by less than T, since its corners are off the shapes by as much. */
static gjb_result best_of(const gjb_pair *pair, const double normal[3], double sigma, double near)
{
    const ref_patch_question q = {
        {normal[0], normal[1], normal[2]}, REF_PATCH_SINE, pair->margin - near, near / 4, near / 4};
    ref_patch patch = {0};
    gjb_result r = begun(sigma, normal[0] + 0.0, normal[1] + 0.0, normal[2] + 0.0);
    ref_patch_find(pair, &q, &patch);
    for (uint32_t k = 0; k < patch.best_count; k++) {
        const ref_patch_corner *corner = &patch.corners[patch.best[k]];
        gjb_contact3d *c = &r.contact[r.count++];
        for (int m = 0; m < 3; m++) {
            c->point_a[m] = corner->point_a[m] + 0.0;
            c->point_b[m] = corner->point_b[m] + 0.0;
        }
        c->separation = corner->separation + 0.0;
        c->feature = k;
    }
    if (r.count)
        set_deepest(&r);
    else
        memset(r.normal, 0, sizeof r.normal);
    ref_patch_free(&patch);
    return r;
}

/* --- Closed forms ------------------------------------------------------------------------------------ */

static const gjb_pose3d still = {0, 0, 0, 0, 0, 0, 1};
static test_pair3 space;
static test_pair plane;

static void set_box(int side, double x, double y, double z, gjb_pose3d pose)
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

static gjb_pair spatial(double margin)
{
    return (gjb_pair){.dim = 3, .margin = margin, .as.space = space.pair};
}

static gjb_pair planar(double margin)
{
    return (gjb_pair){.dim = 2, .margin = margin, .as.plane = plane.pair};
}

/* A box of 4 by 2 by 2, on it one of 2 by 2 by 1, moved so that it sticks out at one side: 3 by 2 of overlap. */
static gjb_result boxes(double separation)
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

Test(grade_manifold, box_on_box)
{
    for (int k = -2; k <= 2; k++) {
        const gjb_result r = boxes(0.125 * k);
        for (int m = 0; m < 3; m++) {
            const gjb_pair pair = spatial(m == 2 ? INFINITY : 0.375 * (m + 1));
            check_right(&pair, &r, 1);
        }
    }
}

Test(grade_manifold, far_apart_nothing_is_wanted)
{
    const gjb_result r = boxes(0.25), none = {.status = GJB_SEPARATED};
    for (int k = 0; k < 3; k++) {
        const gjb_pair pair = spatial(0.125 * (k + 1));
        if (k == 0) { /* beyond the margin: points are too far apart, and none are right */
            check_right(&pair, &none, -1);
            cr_expect_eq(grade(&pair, &r).verdict, GJB_WRONG);
        } else if (k == 1) { /* on it: both are right */
            check_right(&pair, &none, -1);
            check_right(&pair, &r, -1);
        } else {
            check_wrong(&pair, &none, GJB_FAULT_PATCH);
            check_right(&pair, &r, 1);
        }
    }
    gjb_pair pair = spatial(0.375);
    pair.as.space.b.pose.z -= 0.5;
    const gjb_result deep = {.status = GJB_OVERLAPPING};
    check_wrong(&pair, &deep, GJB_FAULT_PATCH);
}

Test(grade_manifold, a_corner_is_missing)
{
    const gjb_result r = boxes(-0.125);
    const gjb_pair pair = spatial(0.25);
    for (uint32_t k = 0; k < 4; k++) {
        const gjb_result three = without(&r, k);
        check_wrong(&pair, &three, GJB_FAULT_PATCH);
        gjb_tolerance tolerance = granted(GJB_F64);
        tolerance.partial = 1;
        for (int slowly = 0; slowly < 2; slowly++) {
            const gjb_grade g = grade_with(&pair, &three, &tolerance, slowly);
            cr_expect_eq(g.verdict, GJB_RIGHT);
            cr_expect(g.has_coverage && fabs(g.coverage - 0.5) <= 1e-9);
        }
    }
    gjb_result moved = r; /* half of a per cent of the length */
    moved.contact[2].point_a[0] = moved.contact[2].point_b[0] = 1.49;
    set_deepest(&moved);
    check_wrong(&pair, &moved, GJB_FAULT_PATCH);
}

Test(grade_manifold, points_off_their_shapes)
{
    const gjb_result r = boxes(-0.125);
    const gjb_pair pair = spatial(0.25);
    for (int k = 0; k < 5; k++) {
        gjb_result off = r;
        gjb_contact3d *c = &off.contact[1];
        if (k == 0) /* above A's top, below B's bottom */
            c->point_a[2] += 1e-12;
        else if (k == 1) /* to the side */
            c->point_a[0] = c->point_b[0] = 1.5 + 1e-12;
        else if (k == 2) /* right points, and another separation */
            c->separation = -0.125 + 1e-12;
        else if (k == 3) /* a point inside */
            c->point_b[2] = 0.5, c->point_a[2] = 0.5, c->separation = 0;
        else /* b on the far side of B */
            c->point_b[2] += 1, c->separation += 1;
        set_deepest(&off);
        check_wrong(&pair, &off, GJB_FAULT_CONTACT);
    }
}

/* The back of a plate, at its middle and at its corner: as far from its top as it is thick. */
Test(grade_manifold, the_back_of_a_thin_plate)
{
    for (int k = 3; k <= 30; k += 9) {
        const double thick = ldexp(1, -k);
        set_box(0, 2, 2, thick / 2, still);
        set_box(1, 1, 1, 1, (gjb_pose3d){0, 0, 1 + thick / 2, 0, 0, 0, 1});
        const gjb_pair pair = spatial(1);
        gjb_result r = begun(0, 0, 0, 1);
        for (int corner = 0; corner < 4; corner++)
            add(&r, corner / 2 ? 1 : -1, corner % 2 ? 1 : -1, thick / 2, 0);
        check_right(&pair, &r, 1);
        r.contact[2].point_a[2] = -thick / 2;
        r.contact[2].separation = thick;
        set_deepest(&r);
        check_wrong(&pair, &r, GJB_FAULT_CONTACT);
        /* Both of the same size, so that all points are on rims. */
        set_box(1, 2, 2, 1, (gjb_pose3d){0, 0, 1 + thick / 2, 0, 0, 0, 1});
        const gjb_pair rims = spatial(1);
        r = begun(0, 0, 0, 1);
        for (int corner = 0; corner < 4; corner++)
            add(&r, corner / 2 ? 2 : -2, corner % 2 ? 2 : -2, thick / 2, 0);
        check_right(&rims, &r, 1);
        r.contact[1].point_a[2] = -thick / 2;
        r.contact[1].separation = thick;
        set_deepest(&r);
        check_wrong(&rims, &r, GJB_FAULT_CONTACT);
    }
}

/* A point in the middle of a turned plate that stands on its edge: triangles that hold it up are all but lines. */
Test(grade_manifold, within_a_plate_that_stands)
{
    straight = 1e-6; /* the patch is as thin as the plate */
    for (int k = 10; k <= 28; k += 3) {
        const double thick = ldexp(1, -k), angle = 1.13, c = cos(angle), s = sin(angle);
        set_box(0, 2, 2, 2, still);
        set_box(1, 0.92, thick, 0.93, (gjb_pose3d){-0.18, -0.08, 3.05, 0, 0, sin(angle / 2), cos(angle / 2)});
        const gjb_pair pair = spatial(5);
        const double gap = 3.05 - 0.93 - 2;
        gjb_result r = begun(gap, 0, 0, 1);
        for (int corner = 0; corner < 4; corner++) {
            const double x = corner / 2 ? 0.92 : -0.92, y = corner % 2 ? thick : -thick;
            add(&r, c * x - s * y - 0.18, s * x + c * y - 0.08, 2, gap);
        }
        check_right(&pair, &r, 1);
        r.contact[3].point_a[0] = r.contact[3].point_b[0] = -0.18;
        r.contact[3].point_a[1] = r.contact[3].point_b[1] = -0.08;
        r.contact[3].point_b[2] = 3.05;
        r.contact[3].separation = 1.05;
        set_deepest(&r);
        check_wrong(&pair, &r, GJB_FAULT_CONTACT);
    }
}

Test(grade_manifold, beyond_the_margin)
{
    /* A box on a corner of itself leans over a face; a point high up on its side is on the lower side, and far. */
    set_box(0, 4, 4, 1, still);
    const double v[4][3] = {{0, 0, 0}, {1, 0, 1}, {-1, 1, 1}, {-1, -1, 1}};
    test_pair3_set(&space, 1, 4, v, 0, (gjb_pose3d){0, 0, 1, 0, 0, 0, 1});
    gjb_result r = begun(0, 0, 0, 1);
    add(&r, 0, 0, 1, 0);
    add(&r, 0.5, 0, 1, 0.5);
    gjb_pair pair = spatial(0.5);
    check_right(&pair, &r, 1); /* more than is wanted */
    pair.margin = 0.5 - 1e-9;
    check_wrong(&pair, &r, GJB_FAULT_CONTACT);
    const gjb_result deepest_missing = without(&r, 0);
    pair.margin = 1;
    check_wrong(&pair, &deepest_missing, GJB_FAULT_DEEPEST);
    r.contact[1].point_a[0] = r.contact[1].point_b[0] = 0.5 - 1e-9; /* off B's slope */
    check_wrong(&pair, &r, GJB_FAULT_CONTACT);
}

Test(grade_manifold, wrong_normals_and_status)
{
    gjb_result r = boxes(-0.125), off;
    gjb_pair pair = spatial(0.25);
    off = begun(-1, 1, 0, 0); /* another axis: deeper */
    add(&off, 2, 0, 0, -2.5);
    check_wrong(&pair, &off, GJB_FAULT_NORMAL);
    off = r;
    off.normal[2] = 1 + 1e-12;
    check_wrong(&pair, &off, GJB_FAULT_NORMAL);
    memset(off.normal, 0, sizeof off.normal);
    check_wrong(&pair, &off, GJB_FAULT_NORMAL);
    off = r;
    off.status = GJB_SEPARATED;
    check_wrong(&pair, &off, GJB_FAULT_BOOLEAN);
    off.status = GJB_ITERATION_LIMIT;
    check_wrong(&pair, &off, GJB_FAULT_CAPPED);
    r = boxes(0.125);
    pair = spatial(0.25);
    r.status = GJB_OVERLAPPING;
    check_wrong(&pair, &r, GJB_FAULT_BOOLEAN);
}

Test(grade_manifold, form)
{
    const gjb_result r = boxes(-0.125), none = {.status = GJB_SEPARATED};
    gjb_pair pair = spatial(0.25);
    gjb_result off = r;
    off.contact[2].feature = off.contact[0].feature;
    check_wrong(&pair, &off, GJB_FAULT_FEATURE);
    gjb_tolerance others = granted(GJB_F64);
    others.ours = 0;
    cr_expect_eq(grade_with(&pair, &off, &others, 0).verdict, GJB_RIGHT);
    off = r;
    off.contact[3].point_b[1] = NAN;
    check_wrong(&pair, &off, GJB_FAULT_NAN);
    off = r;
    off.count = 5;
    check_wrong(&pair, &off, GJB_FAULT_FORM);
    off = r;
    off.count = 3;
    check_wrong(&pair, &off, GJB_FAULT_FORM);
    off = r;
    off.normal[0] = -0.0;
    check_wrong(&pair, &off, GJB_FAULT_FORM);
    boxes(0.5);
    pair = spatial(0.25);
    check_right(&pair, &none, -1);
    off = none;
    off.normal[2] = 1;
    check_wrong(&pair, &off, GJB_FAULT_FORM);
    off = none;
    off.contact[0].feature = 1;
    check_wrong(&pair, &off, GJB_FAULT_FORM);
}

/* A square turned by an eighth on a square: an octagon, of which four corners are kept. */
Test(grade_manifold, boxes_turned)
{
    const double h = 0.38268343236508977, w = 0.9238795325112867, near = sqrt(2) - 1;
    set_box(0, 1, 1, 1, still);
    set_box(1, 1, 1, 1, (gjb_pose3d){0, 0, 2, 0, 0, h, w});
    const gjb_pair pair = spatial(0.25);
    gjb_result r = begun(0, 0, 0, 1);
    add(&r, 1, near, 1, 0);
    add(&r, -near, 1, 1, 0);
    add(&r, -1, -near, 1, 0);
    add(&r, near, -1, 1, 0);
    check_right(&pair, &r, 1);
    r.contact[0].point_a[1] = r.contact[0].point_b[1] = -near; /* still more than half */
    cr_expect_eq(grade(&pair, &r).verdict, GJB_RIGHT);
    const gjb_result three = without(&r, 1); /* and now less */
    check_wrong(&pair, &three, GJB_FAULT_PATCH);
}

/* A prism on its edge on a face: two points; in the middle, and only one. */
Test(grade_manifold, edge_on_face)
{
    const double v[6][3] = {{-2, 0, 0}, {2, 0, 0}, {-2, 1, 1}, {2, 1, 1}, {-2, -1, 1}, {2, -1, 1}};
    set_box(0, 1, 1, 1, still);
    test_pair3_set(&space, 1, 6, v, 0, (gjb_pose3d){1.5, 0.25, 0.75, 0, 0, 0, 1});
    const gjb_pair pair = spatial(0.5);
    gjb_result r = begun(-0.25, 0, 0, 1);
    add(&r, -0.5, 0.25, 1, -0.25);
    add(&r, 1, 0.25, 1, -0.25);
    check_right(&pair, &r, 1);
    for (uint32_t k = 0; k < 2; k++) {
        const gjb_result one = without(&r, k);
        check_wrong(&pair, &one, GJB_FAULT_PATCH);
    }
    r.contact[1].point_a[0] = r.contact[1].point_b[0] = 0.25; /* half of it */
    cr_expect(fabs(grade(&pair, &r).coverage - 0.5) <= 1e-9);
}

/* A wedge leans over a face by less than the angle, and the margin ends half way: what is beyond is not asked for. */
Test(grade_manifold, the_margin_cuts_the_patch)
{
    const double v[8][3] = {{-1, -1, 0}, {1, -1, 0x1p-6}, {-1, 1, 0}, {1, 1, 0x1p-6},
                            {-1, -1, 1}, {1, -1, 1},      {-1, 1, 1}, {1, 1, 1}};
    set_box(0, 2, 2, 1, still);
    test_pair3_set(&space, 1, 8, v, 0, (gjb_pose3d){0, 0, 1 + 0x1p-9, 0, 0, 0, 1});
    for (int half = 0; half < 2; half++) {
        const double far = half ? 0 : 1, high = 0x1p-9 + (half ? 0x1p-7 : 0x1p-6);
        const gjb_pair pair = spatial(high);
        gjb_result r = begun(0x1p-9, 0, 0, 1);
        add(&r, -1, -1, 1, 0x1p-9);
        add(&r, far, -1, 1, high);
        add(&r, far, 1, 1, high);
        add(&r, -1, 1, 1, 0x1p-9);
        check_right(&pair, &r, 1);
        for (uint32_t k = 1; k < 4; k++) {
            const gjb_result three = without(&r, k);
            check_wrong(&pair, &three, GJB_FAULT_PATCH);
        }
        r.contact[1].point_a[0] = r.contact[1].point_b[0] = far - 0.125; /* not as far as the margin */
        r.contact[1].separation -= 0x1p-10;
        r.contact[1].point_b[2] -= 0x1p-10;
        check_wrong(&pair, &r, GJB_FAULT_PATCH);
    }
}

/* A low ridge: both its faces are within the angle, and the margin cuts each. Its points and those of one side cover half,
 * which is enough, and not a little less. */
Test(grade_manifold, a_ridge)
{
    const double v[10][3] = {{0, -1, 0},     {0, 1, 0},   {-1, -1, 0x1p-7}, {-1, 1, 0x1p-7}, {1, -1, 0x1p-7},
                             {1, 1, 0x1p-7}, {-1, -1, 1}, {-1, 1, 1},       {1, -1, 1},      {1, 1, 1}};
    gjb_contender contender = {.ours = 1, .partial = 1u << GJB_MANIFOLD};
    const gjb_tolerance partial = gjb_tolerance_for(&contender, GJB_MANIFOLD, GJB_F64, 3);
    set_box(0, 2, 2, 1, still);
    test_pair3_set(&space, 1, 10, v, 0, (gjb_pose3d){0, 0, 1, 0, 0, 0, 1});
    const gjb_pair pair = spatial(0x1p-8);
    gjb_result r = begun(0, 0, 0, 1);
    add(&r, 0, -1, 1, 0);
    add(&r, 0, 1, 1, 0);
    add(&r, 0.5, 1, 1, 0x1p-8);
    add(&r, 0.5, -1, 1, 0x1p-8);
    for (int slowly = 0; slowly < 2; slowly++) {
        const gjb_grade g = grade_with(&pair, &r, &partial, slowly);
        cr_expect_eq(g.verdict, GJB_RIGHT);
        cr_expect(g.has_coverage && fabs(g.coverage - 0.5) <= 1e-9, "coverage %.17g", g.coverage);
    }
    cr_expect(!asks_exact(&pair, &r, &partial));
    check_right(&pair, &r, 0.5); /* of who promises all, too: the ridge takes a place */
    r.contact[3].point_a[0] = r.contact[3].point_b[0] = 0.25;
    r.contact[3].point_b[2] = 1 + 0x1p-9;
    r.contact[3].separation = 0x1p-9;
    check_wrong(&pair, &r, GJB_FAULT_PATCH);
}

/* A low pyramid on its tip, whose base has a corner that is cut off by less than T: four corners stand for all
 * five, and the tip takes a place. So half is enough. Of a base of three corners, two of them cut, all is asked for. */
Test(grade_manifold, a_tip_within_corners_made_by_rounding)
{
    const double high = 0x1p-8, cut = 0x1p-48;
    const double base[2][5][2] = {{{-1, -1}, {1, -1}, {1, 1 - cut}, {1 - cut, 1}, {-1, 1}},
                                  {{-1, -1}, {1 - cut, -1}, {1, -1 + cut}, {-1 + cut, 1}, {-1, 1 - cut}}};
    for (int three = 0; three < 2; three++) {
        double v[11][3] = {{three ? -0.25 : 0, three ? -0.25 : 0, 0}};
        for (int k = 0; k < 10; k++) {
            v[k + 1][0] = base[three][k % 5][0];
            v[k + 1][1] = base[three][k % 5][1];
            v[k + 1][2] = k < 5 ? high : 1;
        }
        set_box(0, 2, 2, 1, still);
        test_pair3_set(&space, 1, 11, (const double(*)[3])v, 0, (gjb_pose3d){0, 0, 1, 0, 0, 0, 1});
        const gjb_pair pair = spatial(0.5);
        gjb_result r = begun(0, 0, 0, 1);
        add(&r, v[0][0], v[0][1], 1, 0);
        add(&r, -1, -1, 1, high);
        add(&r, base[three][2][0], base[three][2][1], 1, high);
        const gjb_result two = r;
        check_wrong(&pair, &two, GJB_FAULT_PATCH);
        add(&r, base[three][4][0], base[three][4][1], 1, high);
        check_right(&pair, &r, three ? 1 : 0.5);
        const gjb_result corners = without(&r, 0);
        check_wrong(&pair, &corners, GJB_FAULT_DEEPEST);
        if (!three)
            continue;
        r.contact[3].point_a[1] = r.contact[3].point_b[1] = 0.5; /* along a side, and so as high */
        const gjb_tolerance wide = granted(GJB_F32);             /* in which rounding decides nothing */
        for (int slowly = 0; slowly < 2; slowly++)
            cr_expect_eq(grade_with(&pair, &r, &wide, slowly).fault, GJB_FAULT_PATCH);
    }
}

/* A box leans on another with one edge in it, and the other edge of its face apart by less than the margin. A contender
 * that gives contacts of what overlaps alone may leave out the second, but not half of the first. */
Test(grade_manifold, touching_only)
{
    gjb_contender contender = {.ours = 1, .touching_only = 1u << GJB_MANIFOLD};
    const gjb_tolerance touching = gjb_tolerance_for(&contender, GJB_MANIFOLD, GJB_F64, 3);
    const double s = 0x1p-8, v[8][3] = {{-1, -1, -s}, {-1, 1, -s}, {1, -1, s}, {1, 1, s},
                                        {-1, -1, 1},  {-1, 1, 1},  {1, -1, 1}, {1, 1, 1}};
    set_box(0, 2, 2, 1, still);
    test_pair3_set(&space, 1, 8, v, 0, (gjb_pose3d){0, 0, 1, 0, 0, 0, 1});
    const gjb_pair pair = spatial(0x1p-6);
    gjb_result r = begun(0, 0, 0, 1);
    add(&r, -1, -1, 1, -s);
    add(&r, -1, 1, 1, -s);
    check_wrong(&pair, &r, GJB_FAULT_PATCH);
    add(&r, 0, 1, 1, 0);
    add(&r, 0, -1, 1, 0);
    check_wrong(&pair, &r, GJB_FAULT_PATCH);
    for (int slowly = 0; slowly < 2; slowly++) {
        const gjb_grade g = grade_with(&pair, &r, &touching, slowly);
        cr_expect_eq(g.verdict, GJB_RIGHT, "%s", gjb_fault_name(g.fault));
        cr_expect(fabs(g.coverage - 0.5) <= 1e-9, "coverage %.17g", g.coverage);
        const gjb_result three = without(&r, 3);
        cr_expect_eq(grade_with(&pair, &three, &touching, slowly).fault, GJB_FAULT_PATCH);
    }
}

/* Edges across each other touch in one point, however small the angle; edges along each other in two. */
Test(grade_manifold, edges)
{
    straight = 1e-5; /* the patch of crossing edges is a few T long */
    for (int k = 0; k < 40; k++) {
        const double y = ldexp(1, -k), a[2][3] = {{-1, 0, 0}, {1, 0, 0}}, b[2][3] = {{-1, -y, 0}, {1, y, 0}};
        test_pair3_set(&space, 0, 2, a, 0.25, still);
        test_pair3_set(&space, 1, 2, b, 0.125, (gjb_pose3d){0, 0, 0.25, 0, 0, 0, 1});
        const gjb_pair pair = spatial(0.5);
        gjb_result r = begun(-0.125, 0, 0, 1);
        add(&r, 0, 0, 0.25, -0.125);
        check_right(&pair, &r, 1);
    }
    const double a[2][3] = {{-1, 0, 0}, {1, 0, 0}};
    for (int k = 0; k < 3; k++) { /* next to each other by rounding, too */
        test_pair3_set(&space, 0, 2, a, 0.25, still);
        test_pair3_set(&space, 1, 2, a, 0.125, (gjb_pose3d){0.5, k * 0x1p-52, 0.25, 0, 0, 0, 1});
        const gjb_pair pair = spatial(0.5);
        gjb_result r = begun(-0.125, 0, 0, 1);
        add(&r, -0.5, 0, 0.25, -0.125);
        add(&r, 1, 0, 0.25, -0.125);
        check_right(&pair, &r, 1);
        const gjb_result one = without(&r, 0);
        check_wrong(&pair, &one, GJB_FAULT_PATCH);
    }
}

/* A rounded rod 1e-10 thick: weights of three points on it are off by more than T along it. Numbers of a pair of which
 * rational arithmetic says that both points are on both cores. */
Test(grade_manifold, a_rounded_rod)
{
    static const double v[2][8][3] = {
        {{0x1.35f0df512f57bp-33, 0x1.54c9cb8eefb9ep-33, -0x1.f384ef257fddbp-2},
         {-0x1.d3d5656423373p-33, 0x1.c3d72ba580163p-37, -0x1.f384ef257fddbp-2},
         {-0x1.fd5a6b02183d3p-34, -0x1.7d5ea79438685p-33, -0x1.f384ef257fddbp-2},
         {0x1.5910afa5374ddp-33, -0x1.33748610e36c8p-33, -0x1.f384ef257fddbp-2},
         {-0x1.115f49eb59c47p-33, 0x1.7278a43a55804p-35, 0x1.62aa7faabdf36p-1},
         {0x1.b9e03a99771e0p-33, 0x1.e272a16e045bcp-34, 0x1.a7b34899f9654p-2},
         {-0x1.9a923ebe9a589p-34, -0x1.0a005edbd5736p-32, 0x1.0f9654c6bfcdap-3},
         {-0x1.59585e8941117p-34, 0x1.08d302ec3578bp-32, -0x1.aee9d6aa7ff2ap-3}},
        {{-0x1.26eaeb91f823cp-8, 0x1.397e24e24f90ep-8, 0x1.5d55b251a33f4p-10},
         {0x1.b3ed041207c3cp-10, 0x1.758170929b2c9p-10, 0x1.924f548bb4ee2p-8},
         {-0x1.b5f4f503b6de2p-8, -0x1.a4a51e13ba349p-11, -0x1.06dbd3213103bp-11},
         {0x1.a13be55375225p-9, 0x1.6b64aa960eeacp-8, -0x1.bd847f43c04aap-11},
         {0x1.bb161c05dbbadp-15, -0x1.0fcd36b52bff2p-8, 0x1.4abe3fd7ec85ep-8},
         {-0x1.a3d94e033a294p-9, -0x1.8216f604ef415p-12, -0x1.77126139fb797p-8},
         {0x1.95ee4b1092db3p-8, -0x1.c3870e5af4a93p-11, 0x1.1198d6cdbb2b0p-12},
         {0x1.5f5f0bdfea0b1p-11, -0x1.7d946244d9cf4p-8, -0x1.495b3340ebcd2p-9}}};
    test_pair3_set(&space, 0, 8, v[0], 0x1.0d99f5d3676fap-2,
                   (gjb_pose3d){-0x1.b2ba3b69e3e56p-7, -0x1.587865cbd7844p-6, -0x1.e6c772c10b868p-6,
                                0x1.da90512d4f756p-1, -0x1.7d4ef4d9b8bf9p-5, -0x1.b1c1a155a1eb6p-3,
                                0x1.39ba4aa86a099p-2});
    test_pair3_set(&space, 1, 8, v[1], 0x1.75a1016e132e6p-9,
                   (gjb_pose3d){-0x1.b2ba3b69b1e83p-7, -0x1.587865cbb7cc7p-6, -0x1.e6c772c0e027fp-6,
                                -0x1.6617ea967e87cp-1, 0x1.c1ba3f3b546bdp-2, -0x1.11711dbf11f7dp-1,
                                0x1.727d7e3cea1a0p-3});
    const gjb_pair pair = spatial(0.02);
    gjb_result r = begun(-1, 0x1.7b4a255d538dcp-1, 0x1.01c62669e6c2ep-2, -0x1.3edc15c2431cap-1);
    const double at[2][7] = {
        {0x1.8ffb01b59ca78p-3, 0x1.10df7f9d2e29fp-4, -0x1.4ee04733b303bp-3, -0x1.0ff88345cb863p-8,
         -0x1.2f4e32fcb5f88p-10, 0x1.10bbaf33f7b4ap-8, -0x1.13b39e7f5479ep-2},
        {0x1.8ffb01b286159p-3, 0x1.10df7fa35682bp-4, -0x1.4ee0473480bf0p-3, -0x1.0ff883909f232p-8,
         -0x1.2f4e3152026e0p-10, 0x1.10bbaf0614547p-8, -0x1.13b39e7ed2ea5p-2}};
    for (int k = 0; k < 2; k++) {
        add(&r, at[k][0], at[k][1], at[k][2], at[k][6]);
        memcpy(r.contact[k].point_b, at[k] + 3, sizeof r.contact[k].point_b);
    }
    set_deepest(&r);
    const gjb_grade g = grade(&pair, &r);
    cr_expect_eq(g.verdict, GJB_RIGHT, "%s", gjb_fault_name(g.fault));
    r.contact[1].point_a[0] += 1e-12; /* off the rod */
    r.contact[1].point_b[0] += 1e-12;
    check_wrong(&pair, &r, GJB_FAULT_CONTACT);
}

/* A capsule that lies flat, a point, a sphere, and a face that shares its border with another. */
Test(grade_manifold, thin_and_round_shapes)
{
    const double segment[2][3] = {{-1, 0, 0}, {1, 0, 0}}, point[1][3] = {{0, 0, 0}};
    set_box(0, 2, 2, 1, still);
    test_pair3_set(&space, 1, 2, segment, 0.5, (gjb_pose3d){0, 0, 1.5, 0, 0, 0, 1});
    gjb_pair pair = spatial(0.5);
    gjb_result r = begun(0, 0, 0, 1);
    add(&r, -1, 0, 1, 0);
    add(&r, 1, 0, 1, 0);
    check_right(&pair, &r, 1);
    const gjb_result one = without(&r, 0);
    check_wrong(&pair, &one, GJB_FAULT_PATCH);
    for (int k = 0; k < 2; k++) {
        test_pair3_set(&space, 1, 1, point, k * 0.5, (gjb_pose3d){0.25, 0, 1.25, 0, 0, 0, 1});
        pair = spatial(0.5);
        r = begun(k ? -1 : 1, 0, 0, 1);
        add(&r, 0.25, 0, 1, k ? -0.25 : 0.25);
        check_right(&pair, &r, 1);
        r.contact[0].point_a[2] -= 0.5; /* inside */
        r.contact[0].separation += 0.5;
        set_deepest(&r);
        cr_expect_eq(grade(&pair, &r).verdict, GJB_WRONG);
    }
    set_box(1, 1, 1, 1, (gjb_pose3d){3, 0, 2, 0, 0, 0, 1});
    pair = spatial(0.5);
    r = begun(0, 0, 0, 1);
    add(&r, 2, -1, 1, 0);
    add(&r, 2, 1, 1, 0);
    cr_expect_eq(grade(&pair, &r).verdict, GJB_RIGHT);
}

Test(grade_manifold, plane)
{
    const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const gjb_pose2d at[2] = {{0, 0, 1, 0}, {0.5, 1.75, 1, 0}};
    test_pair_set(&plane, 0, GJB_BOX, 4, square, 0, at[0]);
    test_pair_set(&plane, 1, GJB_BOX, 4, square, 0, at[1]);
    const gjb_pair pair = planar(0.5);
    gjb_result r = begun(-0.25, 0, 1, 0);
    add(&r, -0.5, 1, 0, -0.25);
    add(&r, 1, 1, 0, -0.25);
    check_right(&pair, &r, 1);
    const gjb_result one = without(&r, 1);
    check_wrong(&pair, &one, GJB_FAULT_PATCH);
    gjb_result off = r;
    off.contact[1].point_a[1] = -1; /* the back */
    off.contact[1].separation = 1.75;
    check_wrong(&pair, &off, GJB_FAULT_CONTACT);
    off = r;
    off.count = 3;
    check_wrong(&pair, &off, GJB_FAULT_FORM);
    /* A corner on a side: one point. */
    test_pair_set(&plane, 1, GJB_BOX, 4, square, 0, (gjb_pose2d){0, 1.5 + sqrt(2), sqrt(0.5), sqrt(0.5)});
    const gjb_pair corner = planar(1);
    r = begun(1, 0, 1, 0);
    add(&r, 0, 1, 0, 0.5);
    check_right(&corner, &r, 1);
}

/* --- Random pairs -------------------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t pairs, graded, inside, spoilt, noticed;
    uint64_t exact; /* right answers that the exact patch was asked about */
    uint64_t moved, refused; /* answers of which a point was moved, and whose certificates fail */
} tally;

/* Do the certificates of all contacts hold, as an exact checker sees it? */
static int carried(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance, char why[256])
{
    gjb_placed_pair placed = {0};
    int all = 1;
    cr_assert(!gjb_place_pair(&placed, pair));
    for (uint32_t i = 0; i < (r->count ? r->count : 1) && all; i++) {
        ref_certificate c;
        ref_certified verdict;
        ref_certificate_open(&c);
        gjb_certify_contact(&placed, r, i, tolerance, &c);
        ref_certificate_check(pair, &c, &verdict);
        all = verdict.accepted;
        snprintf(why, 256, "contact %u: %.200s", (unsigned)i, verdict.reason);
        ref_certificate_close(&c);
    }
    gjb_placed_free(&placed);
    return all;
}

static ref_answer3 reference_of(const gjb_pair *pair)
{
    if (pair->dim == 3)
        return ref_signed_distance3(&pair->as.space, NULL);
    const ref_answer flat = ref_signed_distance2(&pair->as.plane);
    return (ref_answer3){.sigma = flat.sigma, .normal = {flat.normal[0], flat.normal[1], 0}};
}

/* Without rule 6 coverage is that of the fast patch, even of a spoilt answer. */
static void compare_partial(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance,
                            const char *where)
{
    gjb_tolerance partial = *tolerance;
    partial.partial = 1;
    const gjb_grade fast = grade_with(pair, r, &partial, 0), slow = grade_with(pair, r, &partial, 1);
    cr_expect(fast.verdict == slow.verdict && fast.has_coverage == slow.has_coverage, "%s: partial", where);
    cr_expect(fabs(fast.coverage - slow.coverage) <= 1e-9, "%s: coverage %.17g, slowly %.17g", where,
              fast.coverage, slow.coverage);
}

/* Spoilt answers get the same verdict both ways. */
static void compare_spoilt(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance,
                           const char *where, tally *t)
{
    for (uint32_t k = 0; k < 2 * r->count; k++) {
        gjb_result off = *r;
        if (k < r->count && r->count > 1)
            off = without(r, k);
        else if (k >= r->count)
            off.contact[k - r->count].point_a[k % pair->dim] += 0.01;
        const gjb_grade fast = grade_with(pair, &off, tolerance, 0),
                        slow = grade_with(pair, &off, tolerance, 1);
        cr_expect(fast.verdict == slow.verdict && fast.fault == slow.fault, "%s: %u: %s %s, slowly %s %s",
                  where, (unsigned)k, gjb_verdict_name(fast.verdict), gjb_fault_name(fast.fault),
                  gjb_verdict_name(slow.verdict), gjb_fault_name(slow.fault));
        cr_expect(fabs(fast.coverage - slow.coverage) <= 1e-9, "%s: %u: coverage %.17g, slowly %.17g", where,
                  (unsigned)k, fast.coverage, slow.coverage);
        compare_partial(pair, &off, tolerance, where);
        t->spoilt++;
        t->noticed += fast.verdict == GJB_WRONG;
        char why[256];
        const int holds = carried(pair, &off, tolerance, why);
        cr_expect(holds || fast.verdict != GJB_RIGHT, "%s: %u: called right, and %s", where, (unsigned)k, why);
        t->moved += k >= r->count;
        t->refused += k >= r->count && !holds;
    }
}

/* Where several faces are within the angle, a corner inside the patch may lie below the surface: the shape goes on above
 * it. The exact patch does not say how high. */
static int is_below(const gjb_pair *pair, const gjb_result *r, double near)
{
    gjb_placed_pair placed = {0};
    int below = 0;
    cr_assert(!gjb_place_pair(&placed, pair));
    for (uint32_t k = 0; k < r->count; k++)
        for (int of_b = 0; of_b < 2; of_b++) {
            const double *point = of_b ? r->contact[k].point_b : r->contact[k].point_a;
            real above[3];
            for (int m = 0; m < 3; m++)
                above[m] = point[m] + (of_b ? -4 : 4) * near * r->normal[m];
            below |= gjb_point_distance(&placed, of_b, above) <= 0.25 * near;
        }
    gjb_placed_free(&placed);
    return below;
}

static void compare(const gjb_pair *pair, gjb_precision precision, const char *where, tally *t)
{
    const gjb_tolerance tolerance = granted(precision);
    const double near = gjb_tolerance_of(&tolerance, gjb_pair_size(pair));
    const ref_answer3 truth = reference_of(pair);
    const gjb_result r = best_of(pair, truth.normal, truth.sigma, near);
    t->pairs++;
    if (r.count == 0 || fabs(truth.sigma - r.value) > 0.5 * near || is_below(pair, &r, near)) {
        t->inside += r.count > 0;
        return;
    }
    t->graded++;
    const gjb_grade fast = grade_with(pair, &r, &tolerance, 0), slow = grade_with(pair, &r, &tolerance, 1);
    cr_expect(fast.verdict == GJB_RIGHT && slow.verdict == GJB_RIGHT, "%s: %s %s, slowly %s; %g %g %g", where,
              gjb_verdict_name(fast.verdict), gjb_fault_name(fast.fault), gjb_fault_name(slow.fault),
              fast.value_eps, fast.normal_eps, fast.witness_eps);
    if (truth.sigma < pair->margin - 1.5 * near)
        cr_expect(fast.has_coverage && fast.coverage > 1 - 1e-6 &&
                      fabs(fast.coverage - slow.coverage) <= 1e-9,
                  "%s: coverage %.17g, slowly %.17g", where, fast.coverage, slow.coverage);
    t->exact += asks_exact(pair, &r, &tolerance);
    char why[256];
    cr_expect(carried(pair, &r, &tolerance, why), "%s: %s", where, why);
    compare_spoilt(pair, &r, &tolerance, where, t);
}

/* None, wide, and so that it ends somewhere on the patch. */
static void set_margin(gjb_pair *pair, uint64_t i)
{
    const double size = gjb_pair_size(pair);
    pair->margin = (double)(i % 4) * 0.125 * size;
    if (i % 4 == 3)
        pair->margin = fmax(0, reference_of(pair).sigma) + ldexp(size, -8 - (int)(i / 4 % 12));
}

Test(grade_manifold, fast_and_exact_agree_in_space, .timeout = 250)
{
    tally t = {0};
    static const test_family3 families[] = {SPACE_LATTICE, SPACE_PLAIN, SPACE_PARALLEL, SPACE_COPLANAR,
                                            SPACE_TURNED,  SPACE_NEAR,  SPACE_FLAT,     SPACE_IDENTICAL};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (uint64_t i = 0; i < (f ? 60u : 300u) / (UNDER_SANITIZERS ? 8 : 1); i++) {
            char where[64];
            test_pair3_make(&space, families[f], i, 8);
            gjb_pair pair = spatial(0);
            set_margin(&pair, i);
            snprintf(where, sizeof where, "family %d pair %d", (int)families[f], (int)i);
            compare(&pair, GJB_F32, where, &t);
        }
    cr_log_info(
        "%d pairs, %d graded, %d with a point that is missing or below, %d spoilt, %d noticed, %d exactly\n",
        (int)t.pairs, (int)t.graded, (int)t.inside, (int)t.spoilt, (int)t.noticed, (int)t.exact);
    cr_expect(2 * t.graded > t.pairs && 2 * t.noticed > t.spoilt && 20 * t.exact < t.graded &&
              20 * t.inside < t.pairs);
    cr_expect(4 * t.refused > t.moved, "of %d answers with a point that is off %d are refused", (int)t.moved,
              (int)t.refused); /* others are moved along a face */
}

Test(grade_manifold, fast_and_exact_agree_in_the_plane, .timeout = 250)
{
    tally t = {0};
    static const test_family families[] = {DYADIC, PLAIN, PARALLEL, COLLINEAR, IDENTICAL, NEAR, FLAT};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (uint64_t i = 0; i < (f ? 60u : 300u) / (UNDER_SANITIZERS ? 8 : 1); i++) {
            char where[64];
            test_pair_make(&plane, families[f], i, 8);
            gjb_pair pair = planar(0);
            set_margin(&pair, i);
            snprintf(where, sizeof where, "family %d pair %d", (int)families[f], (int)i);
            compare(&pair, GJB_F32, where, &t);
        }
    cr_log_info(
        "%d pairs, %d graded, %d with a point that is missing or below, %d spoilt, %d noticed, %d exactly\n",
        (int)t.pairs, (int)t.graded, (int)t.inside, (int)t.spoilt, (int)t.noticed, (int)t.exact);
    cr_expect(2 * t.graded > t.pairs && 2 * t.noticed > t.spoilt && 20 * t.exact < t.graded &&
              20 * t.inside < t.pairs);
    cr_expect(4 * t.refused > t.moved, "of %d answers with a point that is off %d are refused", (int)t.moved,
              (int)t.refused); /* others are moved along a face */
}

/* --- Curved kinds --------------------------------------------------------------------------------------- */

/* One point, the deepest; and the same within A, which is noticed. */
static void check_curved(const gjb_pair *pair, const char *where, tally *t)
{
    const gjb_tolerance tolerance = {
        .k = 4096, .epsilon = gjb_epsilon(GJB_F64), .least = gjb_least_size(GJB_F64), .ours = 1};
    const ref_answer3 truth = reference_of(pair);
    const double near = gjb_tolerance_of(&tolerance, gjb_pair_size(pair));
    ref_answer flat = {0};
    if (pair->dim == 2)
        flat = ref_signed_distance2(&pair->as.plane);
    gjb_result r = begun(truth.sigma, truth.normal[0] + 0.0, truth.normal[1] + 0.0, truth.normal[2] + 0.0);
    gjb_contact3d *c = &r.contact[r.count++];
    for (uint32_t m = 0; m < pair->dim; m++) {
        c->point_a[m] = (pair->dim == 2 ? flat.point_a[m] : truth.point_a[m]) + 0.0;
        c->point_b[m] = (pair->dim == 2 ? flat.point_b[m] : truth.point_b[m]) + 0.0;
    }
    c->separation = truth.sigma;
    set_deepest(&r);
    const gjb_grade g = grade_with(pair, &r, &tolerance, 0);
    t->pairs++;
    cr_expect(g.verdict == GJB_RIGHT || g.verdict == GJB_UNGRADED, "%s: %s %g %g %g", where,
              gjb_fault_name(g.fault), g.value_eps, g.normal_eps, g.witness_eps);
    t->graded += g.verdict == GJB_RIGHT;
    if (truth.sigma < pair->margin - 2 * near)
        cr_expect(g.has_coverage && g.coverage == 1, "%s: coverage %g", where, g.coverage);
    gjb_result within = r; /* half of what it is from A's local origin */
    for (uint32_t m = 0; m < pair->dim; m++)
        within.contact[0].point_a[m] *= 0.5;
    set_deepest(&within);
    t->spoilt++;
    t->noticed += grade_with(pair, &within, &tolerance, 0).fault == GJB_FAULT_CONTACT;
    const gjb_result none = {.status = r.status};
    if (truth.sigma < pair->margin - 2 * near)
        cr_expect_eq(grade_with(pair, &none, &tolerance, 0).fault, GJB_FAULT_PATCH);
}

Test(grade_manifold, curved, .timeout = 250)
{
    static const struct {
        uint32_t dim;
        const char *workload;
    } of[] = {{2, "ellipse"},  {2, "superellipse"}, {3, "ellipsoid"},
              {3, "cylinder"}, {3, "cone"},         {3, "superellipsoid"}};
    static const char *const families[] = {"near", "shallow"};
    tally t = {0};
    for (size_t w = 0; w < sizeof of / sizeof *of; w++)
        for (int f = 0; f < 2; f++) {
            const gjb_recipe recipe = {.dim = of[w].dim,
                                       .precision = GJB_F64,
                                       .seed = 3,
                                       .pairs = 8,
                                       .family = families[f],
                                       .workload = of[w].workload};
            gjb_error error = {{0}};
            gjb_pair_space room = {0};
            gjb_scene *scene = gjb_generate(&recipe, &error);
            cr_assert(scene, "%s", error.text);
            for (uint64_t i = 0; i < recipe.pairs; i++) {
                char where[64];
                gjb_pair pair;
                cr_assert(!gjb_scene_pair(scene, 0, i, &room, &pair));
                pair.margin = 0.25 * gjb_pair_size(&pair);
                snprintf(where, sizeof where, "%s %s pair %d", of[w].workload, families[f], (int)i);
                check_curved(&pair, where, &t);
            }
            gjb_scene_free(scene);
            gjb_pair_space_free(&room);
        }
    cr_expect(t.graded == t.pairs && t.noticed == t.spoilt, "%d pairs, %d right, %d spoilt, %d noticed",
              (int)t.pairs, (int)t.graded, (int)t.spoilt, (int)t.noticed);
}
