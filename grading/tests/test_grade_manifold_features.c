/* Manifolds graded: which features meet, how the margin cuts their patch, and rounded, thin and flat shapes. */
#include "grading/tests/manifold_cases.h"
#include "reference/reference.h"

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

/* A low ridge: both its faces are within the angle, and the margin cuts each. Its points and those of one side cover
 * half, which is enough, and not a little less. */
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

/* A wall that leans out by less than T from half way up: what is next to it lies on the upper side, what is next to the
 * wall below it does not. */
Test(grade_manifold, a_steep_face_narrower_than_the_tolerance)
{
    const double out = 1 + 4e-6;
    const double v[9][3] = {{-1, -1, 0.5},   {1, -1, 0.5},   {1, 1, 0.5},  {-1, -1, -0.3}, {out, -1, -0.3},
                            {out, 1, -0.3}, {-1, -1, -1}, {out, -1, -1}, {out, 1, -1}};
    const struct {
        double x, z;
        gjb_fault fault;
    } cases[] = {{1, 0.2, GJB_FAULT_NONE},          {1, -0.2, GJB_FAULT_NONE},      {1 - 1e-6, 0.2, GJB_FAULT_NONE},
                 {1 + 2e-6, -0.2, GJB_FAULT_NONE},  {1, -1, GJB_FAULT_CONTACT},     {1 - 1e-6, -1, GJB_FAULT_CONTACT},
                 {1 - 3e-6, -1, GJB_FAULT_CONTACT}, {1 - 8e-6, -1, GJB_FAULT_CONTACT},
                 {1 + 2e-6, -1, GJB_FAULT_CONTACT},
                 {1 - 2e-5, 0.2, GJB_FAULT_CONTACT}};
    test_pair3_set(&space, 0, 9, v, 0, still);
    set_box(1, 1.5, 1.5, 0.5, (gjb_pose3d){0, 0, 1, 0, 0, 0, 1});
    const gjb_pair pair = spatial(2);
    const gjb_tolerance wide = granted(GJB_F32);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gjb_result r = begun(0, 0, 0, 1);
        add(&r, -1, -1, 0.5, 0);
        add(&r, 1, -1, 0.5, 0);
        add(&r, 1, 1, 0.5, 0);
        add(&r, cases[i].x, 0, 0.5, 0);
        r.contact[3].point_a[2] = cases[i].z;
        r.contact[3].separation = 0.5 - cases[i].z;
        cr_expect_eq(grade_with(&pair, &r, &wide, 0).fault, cases[i].fault, "case %zu: %s", i,
                     gjb_fault_name(grade_with(&pair, &r, &wide, 0).fault));
    }
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
        for (int rounded = 0; rounded < 2; rounded++)            /* what is right in double stays right */
            for (int slowly = 0; slowly < 2; slowly++) {
                r.contact[3].separation = high + rounded * 0x1p-30;
                cr_expect_eq(grade_with(&pair, &r, &wide, slowly).fault, rounded ? GJB_FAULT_PATCH : GJB_FAULT_NONE);
            }
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

/* Squares whose edges, long and all but level, have little of their length in common: that is held at both ends. */
Test(grade_manifold, edges_that_share_little)
{
    static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const gjb_tolerance tolerance = granted(GJB_F32);
    for (int k = 0; k < 4; k++) {
        const double turn = 0.3, lean = k % 2 ? 1e-4 : 0, c = cos(turn), s = sin(turn);
        const double near = tolerance.k * tolerance.epsilon * 6, share = (k / 2 ? 1000 : 200) * near,
                     y = 2 + 1e-4;
        test_pair_set(&plane, 0, GJB_POLYGON, 4, square, 0, (gjb_pose2d){0, 0, c, s});
        test_pair_set(&plane, 1, GJB_POLYGON, 4, square, 0,
                      (gjb_pose2d){c * (2 - share) - s * y, s * (2 - share) + c * y, cos(turn + lean),
                                   sin(turn + lean)});
        const gjb_pair pair = planar(0.1);
        const ref_answer sigma = ref_signed_distance2(&pair.as.plane);
        gjb_result r = begun(sigma.sigma, -s, c, 0);
        for (int end = 0; end < 2; end++) { /* B's corner is over A's edge, A's under B's */
            const double x = end ? 1 : 1 - share + lean, gap = 1e-4 + lean * (x - 2 + share);
            add(&r, c * x - s, s * x + c, 0, gap);
        }
        for (int slowly = 0; slowly < 2; slowly++) {
            const gjb_grade both = grade_with(&pair, &r, &tolerance, slowly);
            cr_expect_eq(both.verdict, GJB_RIGHT, "%d: %s", k, gjb_fault_name(both.fault));
            for (uint32_t end = 0; end < 2; end++) {
                const gjb_result one = without(&r, end);
                cr_expect_eq(grade_with(&pair, &one, &tolerance, slowly).verdict, GJB_WRONG, "%d without %d",
                             k, (int)end);
            }
        }
    }
}

/* A ridge narrower than T on a face is held at both ends, as an edge is. Faces that share as little only hold one
 * another by rounding, so of them any point will do. */
Test(grade_manifold, narrow_polygons)
{
    const gjb_tolerance tolerance = granted(GJB_F32);
    const double c = cos(0.3), s = sin(0.3);
    for (int k = 0; k < 6; k++) { /* of four corners or three, on top, below, or a strip that is shared */
        const double w = 1e-6, tip = k % 2 ? 0 : w, side = k / 2 == 1 ? -1 : 1;
        const double v[8][3] = {{-1, -w, 0.5 * side},   {-1, w, 0.5 * side},     {1, -tip, 0.5 * side},
                                {1, tip, 0.5 * side},   {-1, -0.5, -0.5 * side}, {-1, 0.5, -0.5 * side},
                                {1, -0.5, -0.5 * side}, {1, 0.5, -0.5 * side}};
        const int ridge = k / 2 == 1, shared = k / 2 == 2;
        const double y = shared ? 2 - w : 0;
        test_pair3_set(&space, ridge, 8, v, 0, (gjb_pose3d){0, 0, ridge, 0, 0, sin(0.15), cos(0.15)});
        if (shared)
            set_box(0, 1, 1, 0.5, (gjb_pose3d){0, 0, 0, 0, 0, sin(0.15), cos(0.15)});
        set_box(!ridge, shared ? 1 : 2, shared ? 1 : 2, 0.5,
                (gjb_pose3d){-y * s, y * c, ridge ? 0 : 1, 0, 0, sin(0.15), cos(0.15)});
        const gjb_pair pair = spatial(0.1);
        gjb_result r = begun(0, 0, 0, 1);
        for (int end = -1; end < 2; end += 2)
            add(&r, c * end - s * y / 2, s * end + c * y / 2, 0.5, 0);
        for (int slowly = 0; slowly < 2; slowly++) {
            const gjb_grade both = grade_with(&pair, &r, &tolerance, slowly);
            cr_expect_eq(both.verdict, GJB_RIGHT, "%d: %s", k, gjb_fault_name(both.fault));
            for (uint32_t end = 0; end < 2; end++) {
                const gjb_result one = without(&r, end);
                cr_expect_eq(grade_with(&pair, &one, &tolerance, slowly).verdict,
                             shared ? GJB_RIGHT : GJB_WRONG, "%d without %d", k, (int)end);
            }
        }
    }
}

/* A strip a quarter of T wide that crosses a wider one at a small angle, whose sides end it. It may be taken for either
 * of its own sides, which end 4 T before or after its middle line does. What lacks much more of an end is wrong. */
Test(grade_manifold, narrow_strips_that_cross)
{
    const gjb_tolerance tolerance = granted(GJB_F32);
    const double s = 1. / 32, half = asin(s) / 2, near = gjb_tolerance_of(&tolerance, 3.23607);
    set_box(0, 1, near / 8, 0.5, still);
    set_box(1, 1, 100 * near, 0.5, (gjb_pose3d){0, 0, 1, 0, 0, sin(half), cos(half)});
    const gjb_pair pair = spatial(0.1);
    cr_expect_float_eq(gjb_pair_size(&pair), 3.23607, 0.01);
    const double end = 100 * near / s;
    static const struct {
        double lacks; /* in T */
        gjb_fault fault;
    } cases[] = {{0, GJB_FAULT_NONE}, {4, GJB_FAULT_NONE}, {16, GJB_FAULT_PATCH}, {50, GJB_FAULT_PATCH}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int side = -1; side < 2; side += 2) {
            gjb_result r = begun(0, 0, 0, 1);
            add(&r, -side * end, 0, 0.5, 0);
            add(&r, side * (end - cases[k].lacks * near), 0, 0.5, 0);
            for (int slowly = 0; slowly < 2; slowly++)
                cr_expect_eq(grade_with(&pair, &r, &tolerance, slowly).fault, cases[k].fault, "%g T: %s",
                             cases[k].lacks,
                             gjb_fault_name(grade_with(&pair, &r, &tolerance, slowly).fault));
        }
}
