/* Manifolds of cylinders and cones on their flat ends and sides, in closed form and with planted faults. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "grading/grade.h"
#include "reference/patch/patch.h"

static const double floor_rows[1][3] = {{3, 3, 1}}, plate_rows[1][3] = {{3, 1, 0}}, solid_rows[1][3] = {{1, 1, 0}},
                    brick_rows[1][3] = {{0.5, 0.25, 1}}, plane_rows[2][3] = {{0, 0, 1}, {1, 0, 0}};
static const gjb_pose3d still = {0, 0, 0, 0, 0, 0, 1};

/* Shapes of the cases: all but the last three have their top at z = 1. */
typedef enum shape { FLOOR, PLATE, PLANE, CYLINDER, CONE, BRICK } shape;

static gjb_body3 body_of(shape of, gjb_pose3d pose)
{
    static const struct {
        gjb_kind kind;
        uint32_t count;
        const double (*rows)[3];
    } shapes[] = {[FLOOR] = {GJB_BOX, 1, floor_rows},         [PLATE] = {GJB_CYLINDER, 1, plate_rows},
                  [PLANE] = {GJB_HALFSPACE, 2, plane_rows},   [CYLINDER] = {GJB_CYLINDER, 1, solid_rows},
                  [CONE] = {GJB_CONE, 1, solid_rows},         [BRICK] = {GJB_BOX, 1, brick_rows}};
    static double corners[2][8][3]; /* of boxes */
    gjb_body3 body = {.kind = shapes[of].kind, .count = shapes[of].count, .vertices = shapes[of].rows, .pose = pose};
    if (body.kind == GJB_BOX) {
        for (uint32_t i = 0; i < 8; i++)
            for (uint32_t k = 0; k < 3; k++)
                corners[of == BRICK][i][k] = gjb_box_corner(3, i, k) * shapes[of].rows[0][k];
        body.count = 8;
        body.vertices = (const double(*)[3])corners[of == BRICK];
    }
    return body;
}

static gjb_pair on(shape a, shape b, gjb_pose3d at)
{
    return (gjb_pair){.dim = 3, .margin = 0.125, .as.space = {body_of(a, still), body_of(b, at)}};
}

/* Turned about x. */
static gjb_pose3d leaning(double x, double y, double z, double angle)
{
    return (gjb_pose3d){x, y, z, sin(angle / 2), 0, 0, cos(angle / 2)};
}

static gjb_grade grade_as(const gjb_pair *pair, const gjb_result *r, int slowly, int partial)
{
    const gjb_tolerance tolerance = {.k = 64,
                                     .epsilon = gjb_epsilon(GJB_F64),
                                     .least = gjb_least_size(GJB_F64),
                                     .ours = 1,
                                     .partial = partial};
    gjb_truth truth = {.slowly = slowly};
    cr_assert(!gjb_truth_open_lazily(&truth, pair));
    const gjb_grade grade = gjb_grade_result(GJB_MANIFOLD, &truth, r, &tolerance);
    cr_assert(!truth.conflict);
    gjb_truth_close(&truth);
    return grade;
}

static gjb_grade grade(const gjb_pair *pair, const gjb_result *r)
{
    const gjb_grade fast = grade_as(pair, r, 0, 0), slow = grade_as(pair, r, 1, 0);
    cr_expect_eq(fast.fault, slow.fault, "%s, slowly %s", gjb_fault_name(fast.fault), gjb_fault_name(slow.fault));
    cr_expect(fabs(fast.coverage - slow.coverage) < 1e-9, "%.17g %.17g", fast.coverage, slow.coverage);
    return fast;
}

static void check_right(const gjb_pair *pair, const gjb_result *r, double least, double most)
{
    const gjb_grade g = grade(pair, r);
    cr_expect_eq(g.verdict, GJB_RIGHT, "%s: value %g, normal %g, points %g", gjb_fault_name(g.fault), g.value_eps,
                 g.normal_eps, g.witness_eps);
    cr_expect(g.has_coverage && g.coverage >= least - 1e-9 && g.coverage <= most + 1e-9, "coverage %.17g", g.coverage);
}

static void check_wrong(const gjb_pair *pair, const gjb_result *r, gjb_fault fault)
{
    const gjb_grade g = grade(pair, r);
    cr_expect_eq(g.verdict, GJB_WRONG, "coverage %g", g.coverage);
    cr_expect_eq(g.fault, fault, "%s instead of %s", gjb_fault_name(g.fault), gjb_fault_name(fault));
}

static gjb_result begun(double sigma)
{
    return (gjb_result){.status = sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING, .normal = {0, 0, 1}};
}

/* On A's top, at z = 1. */
static void add(gjb_result *r, double x, double y, double separation)
{
    gjb_contact3d *c = &r->contact[r->count++];
    *c = (gjb_contact3d){{x + 0.0, y + 0.0, 1}, {x + 0.0, y + 0.0, 1 + separation}, separation, r->count, 0};
    if (r->count == 1 || separation < r->value) {
        r->value = separation;
        memcpy(r->point_a, c->point_a, sizeof r->point_a);
        memcpy(r->point_b, c->point_b, sizeof r->point_b);
    }
}

static const double turn = 6.28318530717958648;

/* Points of a circle, from an angle on. */
static gjb_result around(double x, double y, double radius, double angle, unsigned count, double separation)
{
    gjb_result r = begun(separation);
    for (unsigned k = 0; k < count; k++)
        add(&r, x + radius * cos(angle + turn * k / count), y + radius * sin(angle + turn * k / count), separation);
    return r;
}

/* A disc is all of the patch: on a box, on a larger disc, on a half-space; of a cylinder, and of a cone. */
Test(grade_flats, a_disc)
{
    static const shape under[] = {FLOOR, PLATE, PLANE}, above[] = {CYLINDER, CONE};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 2; b++)
            for (int apart = 0; apart < 2; apart++) {
                const double gap = apart ? 0.0625 : -0.0625;
                const gjb_pair pair = on(under[a], above[b], (gjb_pose3d){0.5, 0.25, 2 + gap, 0, 0, 0, 1});
                gjb_result r = around(0.5, 0.25, 1, 0, 4, gap);
                check_right(&pair, &r, 1, 1);
                r = around(0.5, 0.25, 1, turn / 64, 4, gap);
                check_right(&pair, &r, 0.99, 1);
                r = around(0.5, 0.25, 1, 0.1, 3, gap);
                check_right(&pair, &r, 0.64, 0.65);
                r = around(0.5, 0.25, 0.72, 0.1, 4, gap); /* more than half */
                check_right(&pair, &r, 0.51, 0.52);
                r = around(0.5, 0.25, 0.7, 0.1, 4, gap); /* less */
                check_wrong(&pair, &r, GJB_FAULT_PATCH);
                r = around(0.5, 0.25, 1, 0.1, 2, gap);
                check_wrong(&pair, &r, GJB_FAULT_PATCH);
                r = around(0.5, 0.25, 1.001, 0, 4, gap); /* off the disc */
                check_wrong(&pair, &r, GJB_FAULT_CONTACT);
                r = begun(gap);
                memset(r.normal, 0, sizeof r.normal);
                check_wrong(&pair, &r, GJB_FAULT_PATCH);
                r = around(0.5, 0.25, 1, 0, 1, gap);
                const gjb_grade one = grade_as(&pair, &r, 0, 1);
                cr_expect(one.verdict == GJB_RIGHT && one.has_coverage && one.coverage < 1e-6);
            }
}

/* What lies between both polygons is never called wrong: points so far in that they share exactly half of the disc's. */
Test(grade_flats, doubts_pass_between_both_polygons)
{
    const gjb_pair pair = on(FLOOR, CYLINDER, (gjb_pose3d){0, 0, 2, 0, 0, 0, 1});
    const double half = sqrt(0.5);
    gjb_result r = around(0, 0, half * 1.0001, 0.03, 4, 0);
    r.status = GJB_OVERLAPPING;
    cr_expect_eq(grade(&pair, &r).verdict, GJB_RIGHT);
    r = around(0, 0, half * 0.9999, 0.03, 4, 0);
    cr_expect_eq(grade(&pair, &r).verdict, GJB_WRONG);
}

/* One and a half discs on discs, over the end of the lower one: a lens. */
Test(grade_flats, a_lens)
{
    const gjb_pair pair = on(PLATE, CYLINDER, (gjb_pose3d){3.25, 0, 2, 0, 0, 0, 1});
    const double x = (9 - 1 + 3.25 * 3.25) / (2 * 3.25), y = sqrt(9 - x * x);
    gjb_result r = begun(-1e-300);
    add(&r, x, y, 0);
    add(&r, 2.25, 0, 0);
    add(&r, x, -y, 0);
    check_right(&pair, &r, 0.6, 1);
    add(&r, 3, 0, 0);
    check_right(&pair, &r, 0.9, 1);
    gjb_result two = begun(-1e-300);
    add(&two, x, y, 0);
    add(&two, x, -y, 0);
    check_wrong(&pair, &two, GJB_FAULT_PATCH);
}

/* A disc that stands across the edge of a box. */
Test(grade_flats, a_disc_over_an_edge)
{
    const gjb_pair pair = on(FLOOR, CYLINDER, (gjb_pose3d){3.5, 0, 2, 0, 0, 0, 1});
    const double y = sqrt(0.75);
    gjb_result r = begun(-1e-300);
    add(&r, 3, y, 0);
    add(&r, 3, -y, 0);
    add(&r, 2.5, 0, 0);
    check_right(&pair, &r, 0.65, 1);
    gjb_result beyond = begun(-1e-300);
    add(&beyond, 3, y, 0);
    add(&beyond, 3, -y, 0);
    check_wrong(&pair, &beyond, GJB_FAULT_PATCH);
}

/* Of the disc nothing is at the border of the patch: then four corners are four corners. */
Test(grade_flats, a_brick_within_a_disc)
{
    const gjb_pair pair = on(PLATE, BRICK, (gjb_pose3d){1, 0, 2, 0, 0, 0, 1});
    gjb_result r = begun(-1e-300), most = begun(-1e-300);
    for (int k = 0; k < 4; k++)
        add(&r, k & 1 ? 1.5 : 0.5, k & 2 ? 0.25 : -0.25, 0);
    check_right(&pair, &r, 1, 1);
    for (int k = 0; k < 3; k++)
        add(&most, k & 1 ? 1.5 : 0.5, k & 2 ? 0.25 : -0.25, 0);
    check_wrong(&pair, &most, GJB_FAULT_PATCH);
}

/* Lying: along y. */
Test(grade_flats, a_side_line)
{
    static const shape under[] = {FLOOR, PLATE, PLANE};
    for (int a = 0; a < 3; a++) {
        const gjb_pair pair = on(under[a], CYLINDER, leaning(0.5, 0.25, 2, turn / 4));
        gjb_result r = begun(-1e-300);
        add(&r, 0.5, 1.25, 0);
        check_wrong(&pair, &r, GJB_FAULT_PATCH);
        add(&r, 0.5, 0, 0);
        check_wrong(&pair, &r, GJB_FAULT_PATCH);
        r.count = 1;
        r.contact[1] = (gjb_contact3d){.feature = 0};
        add(&r, 0.5, -0.75, 0);
        check_right(&pair, &r, 1, 1);
    }
}

/* Over the end of a box, and of a disc, where the 32-gon is up to 0.5% within. */
Test(grade_flats, a_side_line_over_an_end)
{
    for (int a = 0; a < 2; a++) {
        const gjb_pair pair = on(a ? PLATE : FLOOR, CYLINDER, leaning(0, 2.5, 2, turn / 4));
        gjb_result r = begun(-1e-300);
        add(&r, 0, 1.5, 0);
        add(&r, 0, 3, 0);
        check_right(&pair, &r, 1, 1);
        gjb_result less = begun(-1e-300);
        add(&less, 0, 1.5, 0);
        add(&less, 0, 2.9, 0);
        check_wrong(&pair, &less, GJB_FAULT_PATCH);
    }
}

/* One on its side, apex and rim at once. */
Test(grade_flats, a_cone_on_its_side)
{
    const double slope = atan2(1, 2), rise = 1 / sqrt(5); /* the side leans by so much; the centre is so high */
    const gjb_pair pair = on(FLOOR, CONE, leaning(0, 0, 1 + rise, turn / 4 + slope));
    const double slant = sqrt(5), apex = -cos(slope);
    gjb_result r = begun(-1e-300);
    add(&r, 0, apex, 0);
    check_wrong(&pair, &r, GJB_FAULT_PATCH);
    add(&r, 0, apex + slant, 0);
    check_right(&pair, &r, 1, 1);
}

/* Within the angle the disc has to be covered, and beyond a point does. */
Test(grade_flats, a_disc_that_leans)
{
    const double angle = asin(REF_PATCH_SINE);
    for (int beyond = 0; beyond < 2; beyond++) {
        const double by = angle * (beyond ? 1.01 : 0.99);
        const double low = cos(by) + sin(by), y = sin(by) - cos(by); /* of the rim's lowest point, from the centre */
        const gjb_pair pair = on(FLOOR, CYLINDER, leaning(0, 0, 1 + low, by));
        gjb_result r = begun(1e-300);
        add(&r, 0, y, 0);
        r.status = GJB_OVERLAPPING;
        if (beyond) {
            check_right(&pair, &r, 1, 1);
            continue;
        }
        check_wrong(&pair, &r, GJB_FAULT_PATCH);
        add(&r, 1, sin(by), sin(by));
        add(&r, -1, sin(by), sin(by));
        check_right(&pair, &r, 0.5, 0.51);
        gjb_result high = begun(1e-300); /* the other end is there, the deepest is not */
        add(&high, 0, sin(by) + cos(by), 2 * sin(by));
        add(&high, 1, sin(by), sin(by));
        add(&high, -1, sin(by), sin(by));
        check_wrong(&pair, &high, GJB_FAULT_DEEPEST);
    }
}
