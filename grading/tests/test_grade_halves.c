/* Signed distances in integers: against the oracle on pairs of both grids, on pairs known by hand, and refused for what
 * is not of that form; and what the grader makes of them. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/tests/one_in.h"
#include "grading/grade.h"
#include "grading/halves.h"
#include "reference/reference.h"
#include "scenes/generate/grid.h"

typedef struct known {
    int sign;
    double lo, hi;
} known;

static known by_oracle(const gjb_pair *pair)
{
    if (pair->dim == 2) {
        ref_exact exact;
        ref_oracle2(&pair->as.plane, &exact);
        return (known){exact.sign, exact.lo, exact.hi};
    }
    ref_exact3 exact;
    ref_oracle3(&pair->as.space, &exact);
    return (known){exact.sign, exact.lo, exact.hi};
}

/* Every so many pairs of a grid. */
static void compare(const gjb_grid_row *row, uint64_t pairs)
{
    gjb_grid *grid = gjb_grid_open(row);
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_grid_scene(grid, GJB_F64, 0, pairs, &error);
    gjb_pair_space space = {0};
    uint64_t of_sign[3] = {0};
    cr_assert(scene != NULL, "%s", error.text);
    for (uint64_t i = 0; i < pairs; i++) {
        gjb_pair pair;
        gjb_squared sigma;
        double lo, hi;
        cr_assert(!gjb_scene_pair(scene, 0, i, &space, &pair));
        cr_assert(!gjb_halves_sigma(&pair, &sigma), "%s: pair %llu", row->name, (unsigned long long)i);
        gjb_squared_root(&sigma, &lo, &hi);
        const known exact = by_oracle(&pair);
        cr_assert_eq(sigma.sign, exact.sign, "%s: pair %llu: %d, %d", row->name, (unsigned long long)i,
                     sigma.sign, exact.sign);
        cr_assert(lo <= exact.lo && exact.hi <= hi, "%s: pair %llu: [%a, %a] and [%a, %a]", row->name,
                  (unsigned long long)i, lo, hi, exact.lo, exact.hi);
        cr_assert(hi - lo <= 0x1p-51 * fabs(hi));
        of_sign[sigma.sign + 1]++;
    }
    for (int s = 0; s < 3; s++)
        cr_assert(20 * of_sign[s] > pairs, "%s: %llu of sign %d", row->name, (unsigned long long)of_sign[s],
                  s - 1);
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
    gjb_grid_close(grid);
}

Test(grade_halves, agree_with_the_oracle)
{
    for (size_t i = 0; i < gjb_grid_count; i++)
        compare(&gjb_grids[i], 200000 / one_in(50));
}

/* ---- by hand ---- */

static const double square[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}}, slope[3][2] = {{0, 0}, {1, 0}, {0, 1}},
                    stick[2][2] = {{0, 0}, {2, 0}}, dot2[1][2] = {{0, 0}}, many[5][2] = {{0}},
                    third[1][2] = {{1.0 / 3, 0}}, quarter[1][2] = {{0.25, 0}}, far_off[1][2] = {{9, 0}};
static const double corner3[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                    edge_x[3][3] = {{0, 0, 0}, {2, 0, 0}, {2, 0, 0}},
                    edge_y[3][3] = {{0, 0, 0}, {0, 2, 0}, {0, 1, 0}},
                    face[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, point3[3][3] = {{0}};

static gjb_pair flat_pair(const double (*a)[2], uint32_t m, const double (*b)[2], uint32_t n, double x,
                          double y)
{
    return (gjb_pair){
        .dim = 2,
        .as.plane = {
            .a = {.kind = GJB_POLYGON, .count = m, .vertices = a, .pose = {.c = 1}},
            .b = {.kind = GJB_POLYGON, .count = n, .vertices = b, .pose = {.x = x, .y = y, .c = 1}}}};
}

static gjb_pair pair_in_space(const double (*a)[3], uint32_t m, const double (*b)[3], uint32_t n, double x,
                              double y, double z)
{
    return (gjb_pair){
        .dim = 3,
        .as.space = {
            .a = {.kind = GJB_HULL, .count = m, .vertices = a, .pose = {.qw = 1}},
            .b = {.kind = GJB_HULL, .count = n, .vertices = b, .pose = {.x = x, .y = y, .z = z, .qw = 1}}}};
}

static void expect(const gjb_pair *pair, double sigma, const char *what)
{
    gjb_squared found;
    double lo, hi;
    cr_assert(!gjb_halves_sigma(pair, &found), "%s", what);
    gjb_squared_root(&found, &lo, &hi);
    cr_assert(lo <= sigma && sigma <= hi && (sigma != 0 || found.sign == 0), "%s: [%a, %a], not %a", what, lo,
              hi, sigma);
}

Test(grade_halves, are_what_is_known_by_hand)
{
    const struct {
        const char *what;
        gjb_pair pair;
        double sigma;
    } cases[] = {
        {"squares apart", flat_pair(square, 4, square, 4, 3.5, 0), 1.5},
        {"squares, corner to corner", flat_pair(square, 4, square, 4, 3, 4), sqrt(5)},
        {"squares that touch", flat_pair(square, 4, square, 4, 2, 0.5), 0},
        {"squares in one another", flat_pair(square, 4, square, 4, 0.5, 1), -1},
        {"a corner over a slope", flat_pair(slope, 3, dot2, 1, 1, 1), sqrt(0.5)},
        {"a point in a slope", flat_pair(square, 4, dot2, 1, 1, 1.5), -0.5},
        {"sticks on a line", flat_pair(stick, 2, stick, 2, 1, 0), 0},
        {"sticks crossing no more", flat_pair(stick, 2, stick, 2, 1, 0.5), 0.5},
        {"points in one place", flat_pair(dot2, 1, dot2, 1, 0, 0), 0},
        {"a point before a face of a corner", pair_in_space(corner3, 4, point3, 3, 0.5, 0.5, 0.5),
         sqrt(1.0 / 12)},
        {"a point on that face", pair_in_space(corner3, 4, point3, 3, 0.5, 0.5, 0), 0},
        {"edges across one another", pair_in_space(edge_x, 3, edge_y, 3, 1, -1, 1.5), 1.5},
        {"edges that cross", pair_in_space(edge_x, 3, edge_y, 3, 1, -1, 0), 0},
        {"a corner through a face", pair_in_space(face, 3, corner3, 4, 1, 1, -0.5), -0.5},
        {"the same", pair_in_space(corner3, 4, corner3, 4, 0, 0, 0), -1 / sqrt(3)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i].pair, cases[i].sigma, cases[i].what);
}

Test(grade_halves, are_none_of_other_pairs)
{
    gjb_pair pairs[] = {flat_pair(third, 1, dot2, 1, 0, 0),          flat_pair(quarter, 1, dot2, 1, 0, 0),
                        flat_pair(far_off, 1, dot2, 1, 0, 0),        flat_pair(dot2, 1, dot2, 1, 1e300, 0),
                        flat_pair(dot2, 1, dot2, 1, NAN, 0),         flat_pair(many, 5, dot2, 1, 0, 0),
                        flat_pair(dot2, 0, dot2, 1, 0, 0),           flat_pair(dot2, 1, dot2, 1, 0, 0),
                        flat_pair(dot2, 1, dot2, 1, 0, 0),           flat_pair(dot2, 1, dot2, 1, 0, 0),
                        pair_in_space(point3, 3, point3, 3, 0, 0, 0)};
    const size_t count = sizeof pairs / sizeof *pairs;
    pairs[count - 4].as.plane.a.radius = 0.5;
    pairs[count - 3].as.plane.b.pose.s = 0.5;
    pairs[count - 2].as.plane.b.kind = GJB_ELLIPSE;
    pairs[count - 1].as.space.b.pose.qz = 0.5;
    for (size_t i = 0; i < count; i++) {
        gjb_squared sigma;
        cr_assert_eq(gjb_halves_sigma(&pairs[i], &sigma), -1, "%zu", i);
    }
}

/* ---- graded ---- */

/* A wrong value, and a right one, by a truth that no search was made for; and an audit of a truth that is wrong. */
Test(grade_halves, decide_what_is_right)
{
    const gjb_pair pair = flat_pair(square, 4, square, 4, 3, 4);
    const gjb_tolerance granted = {.k = 32, .epsilon = 0x1p-53, .no_normal = 1, .no_points = 1};
    const gjb_result right = {.status = GJB_SEPARATED, .value = sqrt(5)},
                     wrong = {.status = GJB_SEPARATED, .value = 2.25};
    gjb_truth truth = {.epsilon = 0x1p-53}, slow = {.epsilon = 0x1p-53, .slowly = 1};
    cr_assert(!gjb_truth_open_in_halves(&truth, &pair) && !gjb_truth_open_lazily(&slow, &pair));
    cr_assert(truth.exact && truth.in_halves && truth.lo <= sqrt(5) && sqrt(5) <= truth.hi);
    cr_assert_eq(gjb_grade_result(GJB_DISTANCE, &truth, &right, &granted).verdict, GJB_RIGHT);
    cr_assert_eq(gjb_grade_result(GJB_DISTANCE, &truth, &wrong, &granted).verdict, GJB_WRONG);
    gjb_truth_audit(&truth, &slow);
    cr_assert(!truth.conflict);
    cr_assert(!gjb_truth_open_in_halves(&truth, &pair) && !gjb_truth_open_lazily(&slow, &pair));
    truth.lo = truth.hi = 2.25;
    gjb_truth_audit(&truth, &slow);
    cr_assert(truth.conflict, "an audit sees that integers and oracle differ");
    const gjb_pair other = flat_pair(third, 1, square, 4, 3, 4);
    cr_assert(!gjb_truth_open_in_halves(&truth, &other) && !truth.exact && !truth.in_halves, "the oracle's");
    gjb_truth_close(&truth);
    gjb_truth_close(&slow);
}
