/* Manifolds graded by each rule: right answers, and one planted fault for each. */
#include "grading/tests/manifold_cases.h"

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
    check_wrong(&pair, &off, GJB_FAULT_LENGTH);
    memset(off.normal, 0, sizeof off.normal);
    check_wrong(&pair, &off, GJB_FAULT_LENGTH);
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
