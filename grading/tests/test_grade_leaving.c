/* Grades of times of impact that ignore contacts that are left: what touches at first and goes no deeper. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "grading/grade.h"

static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
static const double cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

/* Two squares or cubes, apart by `gap` along x; the second moves. */
static gjb_pair pair_of(uint32_t dim, double gap, double out, double along, uint32_t leaving)
{
    if (dim == 2)
        return (gjb_pair){.dim = 2,
                          .leaving = leaving,
                          .as.plane = {{GJB_POLYGON, 4, square, 0, {0, 0, 1, 0}, {0, 0, 0}},
                                       {GJB_POLYGON, 4, square, 0, {2 + gap, 0.5, 1, 0}, {out, along, 0}}}};
    return (gjb_pair){.dim = 3,
                      .leaving = leaving,
                      .as.space = {{GJB_HULL, 8, cube, 0, {0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0}},
                                   {GJB_HULL, 8, cube, 0, {2 + gap, 0.5, 0, 0, 0, 0, 1}, {out, along, 0, 0, 0, 0}}}};
}

static gjb_tolerance ours(uint32_t dim)
{
    const gjb_contender contender = {.ours = 1, .leaving = 1u << GJB_TOI};
    return gjb_tolerance_for(&contender, GJB_TOI, GJB_F64, dim);
}

static gjb_verdict verdict_by(const gjb_tolerance *granted, const gjb_pair *pair, const gjb_result *r)
{
    gjb_truth truth = {0};
    cr_assert_eq(gjb_truth_open_moving(&truth, pair), 0);
    const gjb_grade grade = gjb_grade_result(GJB_TOI, &truth, r, granted);
    cr_expect_not(truth.conflict);
    cr_expect(grade.verdict != GJB_WRONG || grade.fault == GJB_FAULT_BOOLEAN, "%s", gjb_fault_name(grade.fault));
    gjb_truth_close(&truth);
    return grade.verdict;
}

static gjb_verdict verdict_of(const gjb_pair *pair, const gjb_result *r)
{
    const gjb_tolerance granted = ours(pair->dim);
    return verdict_by(&granted, pair, r);
}

/* Gaps and what closes or opens, in shares of T. */
static const struct {
    double gap, out, along;
    uint32_t leaving;
    gjb_verdict separated, overlapping;
} cases[] = {
    {0, 0, 1, GJB_LEAVING_HIT, GJB_WRONG, GJB_RIGHT},
    {0, 0, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_WRONG}, /* along the face */
    {0, 0, 0, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_WRONG}, /* at rest */
    {0, 1e12, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_WRONG},
    {0, 0.125, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_WRONG},
    {0, -1e12, 1, GJB_LEAVING_IGNORE, GJB_WRONG, GJB_RIGHT},
    {0, -1.5, 1, GJB_LEAVING_IGNORE, GJB_WRONG, GJB_RIGHT},
    {0, -0.5, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_RIGHT}, /* deeper, but by less than rounding shows */
    {0, -0x1p-20, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_RIGHT},
    {0.125, 0, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_WRONG},
    {-0.125, 0, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_WRONG},
    {-0.125, 1, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_WRONG},
    {0.5, 0, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_RIGHT}, /* about T */
    {-0.5, 0, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_RIGHT},
    {2, 0, 1, GJB_LEAVING_IGNORE, GJB_RIGHT, GJB_WRONG}, /* never touches */
    {-2, 0, 1, GJB_LEAVING_IGNORE, GJB_WRONG, GJB_RIGHT}, /* too deep */
    {-2, 1e12, 1, GJB_LEAVING_IGNORE, GJB_WRONG, GJB_RIGHT},
    {0.5, -2, 1, GJB_LEAVING_IGNORE, GJB_WRONG, GJB_RIGHT},
};

Test(grade_leaving, clear_cases_and_what_rounding_decides)
{
    static const gjb_result apart = {.status = GJB_SEPARATED}, overlapping = {.status = GJB_OVERLAPPING};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const gjb_pair about = pair_of(dim, 0, 0, cases[i].along, GJB_LEAVING_HIT);
            const gjb_tolerance granted = ours(dim);
            const double T = gjb_tolerance_of(&granted, gjb_path_size(&about));
            const gjb_pair pair =
                pair_of(dim, cases[i].gap * T, fmin(cases[i].out * T, 1), cases[i].along, cases[i].leaving);
            const gjb_verdict separated = verdict_of(&pair, &apart), overlaps = verdict_of(&pair, &overlapping);
            cr_expect(separated == cases[i].separated, "%uD, case %zu: separated is %s", (unsigned)dim, i,
                      gjb_verdict_name(separated));
            cr_expect(overlaps == cases[i].overlapping, "%uD, case %zu: overlapping is %s", (unsigned)dim, i,
                      gjb_verdict_name(overlaps));
        }
}

/* Of a scene in f32, doubles may call a depth what touches to floats, but not what touches to doubles. */
Test(grade_leaving, depths_in_the_precision_of_the_contender)
{
    static const gjb_result overlapping = {.status = GJB_OVERLAPPING};
    static const gjb_precision both[] = {GJB_F32, GJB_F64};
    for (int own = 0; own < 2; own++)
        for (int depth = 0; depth < 2; depth++) {
            gjb_tolerance granted = ours(2);
            granted.epsilon = gjb_epsilon(both[depth]);
            const gjb_pair about = pair_of(2, 0, 0, 1, GJB_LEAVING_HIT);
            const gjb_pair pair = pair_of(2, -0.125 * gjb_tolerance_of(&granted, gjb_path_size(&about)), 0, 1,
                                          GJB_LEAVING_IGNORE);
            granted.epsilon = gjb_epsilon(GJB_F32);
            granted.own = gjb_epsilon(both[own]);
            cr_expect_eq(verdict_by(&granted, &pair, &overlapping), own == 1 && depth == 0 ? GJB_RIGHT : GJB_WRONG,
                         "%d %d", own, depth);
        }
}

/* A hit at the beginning, or later on the way along the face, is no better. */
Test(grade_leaving, hits_of_what_slides)
{
    for (int k = 0; k < 4; k++) {
        const gjb_pair pair = pair_of(2, k & 1 ? 0x1p-50 : 0, 0, 1, GJB_LEAVING_IGNORE);
        const gjb_result hit = {.status = GJB_HIT,
                                .value = k & 1 && k & 2 ? 0.25 : 0,
                                .normal = {1, 0},
                                .point_a = {1, 0.75},
                                .point_b = {1, 0.75}};
        gjb_pair plain = pair;
        plain.leaving = GJB_LEAVING_HIT;
        cr_expect_eq(verdict_of(&plain, &hit), GJB_RIGHT, "case %d", k);
        cr_expect_eq(verdict_of(&pair, &hit), GJB_WRONG, "case %d", k);
    }
}

/* At a vertex one normal that does not close is enough; and what falls, but soon rises again, has not left. */
Test(grade_leaving, corners)
{
    static const struct {
        double x, y, dx, dy;
        int left;
    } corners[] = {{2, 2, -1, 0, 1}, {2, 2, -1, 1, 1}, {2, 2, 1, -4, 1}, {2, 2, -1, -1, 0}, {2, 2, -1, -0x1p-20, 0},
                   {2, 2 - 0x1p-20, -0x1p-20, 1, 0}, {2, 2 - 0x1p-30, -1, 1, 0}};
    static const gjb_result apart = {.status = GJB_SEPARATED}, overlapping = {.status = GJB_OVERLAPPING};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        const gjb_pair pair = {.dim = 2,
                               .leaving = GJB_LEAVING_IGNORE,
                               .as.plane = {{GJB_POLYGON, 4, square, 0, {0, 0, 1, 0}, {0, 0, 0}},
                                            {GJB_POLYGON,
                                             4,
                                             square,
                                             0,
                                             {corners[i].x, corners[i].y, 1, 0},
                                             {corners[i].dx, corners[i].dy, 0}}}};
        cr_expect_eq(verdict_of(&pair, &apart), corners[i].left ? GJB_RIGHT : GJB_WRONG, "corner %zu", i);
        cr_expect_eq(verdict_of(&pair, &overlapping), corners[i].left ? GJB_WRONG : GJB_RIGHT, "corner %zu", i);
    }
}
