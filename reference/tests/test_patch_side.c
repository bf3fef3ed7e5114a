/* How far points are off the side that a polytope shows along a normal. */
#include <criterion/criterion.h>
#include <math.h>

#include "reference/patch/side.h"
#include "reference/tests/pairs3.h"

static const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1};

static const double cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

/* Of body A or B, both with these vertices, unrotated, B's origin at (0, 0, 4). */
static double off(const double (*vertices)[3], uint32_t count, int side, const double normal[3], double x,
                  double y, double z)
{
    gjb_pair pair = {.dim = 3};
    gjb_body3 *body[2] = {&pair.as.space.a, &pair.as.space.b};
    for (int k = 0; k < 2; k++) {
        *body[k] = (gjb_body3){.kind = GJB_HULL, .vertices = vertices, .count = count};
        body[k]->pose = (gjb_pose3d){.z = 4 * k, .qw = 1};
    }
    const long double point[3] = {x, y, z};
    return (double)ref_side_distance(&pair, side, normal, point);
}

Test(patch_side, of_a_cube)
{
    cr_assert_eq(off(cube, 8, 0, up, 0, 0, 1), 0);
    cr_assert_eq(off(cube, 8, 0, up, 0.5, 0.5, 1.25), 0.25);
    cr_assert_eq(off(cube, 8, 0, up, 0, 0, 0.5), 0.5);
    cr_assert_eq(off(cube, 8, 0, up, 1, 0, 0), 1, "a wall has its rim for an upper side");
    cr_assert_eq(off(cube, 8, 0, up, 4, 5, 1), 5, "the nearest corner");
    cr_assert_eq(off(cube, 8, 0, up, 0, 0, -1), 2, "the back");
}

Test(patch_side, of_b_looks_down_along_the_normal)
{
    cr_assert_eq(off(cube, 8, 1, up, 0, 0, 3), 0);
    cr_assert_eq(off(cube, 8, 1, up, 0, 0, 5), 2);
    cr_assert_eq(off(cube, 8, 1, down, 0, 0, 5), 0);
    cr_assert_eq(off(cube, 8, 0, down, 0, 0, -1), 0);
}

/* A wall that leans outward by one unit in 2^60 is no face that looks up; one that leans inward is. */
Test(patch_side, of_walls_that_all_but_stand)
{
    for (int inward = 0; inward < 2; inward++) {
        double leaning[8][3];
        for (int k = 0; k < 8; k++) {
            for (int m = 0; m < 3; m++)
                leaning[k][m] = cube[k][m];
            leaning[k][0] = cube[k][0] > 0 ? ldexp((cube[k][2] > 0) != inward ? 1 : 0, -60) : -1;
        }
        cr_assert_eq(off((const double(*)[3])leaning, 8, 0, up, 0, 0, 0) < 1e-15, inward, "leaning %s",
                     inward ? "inward" : "outward");
    }
}

Test(patch_side, of_flat_shapes)
{
    const double triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, along[3] = {1, 0, 0};
    cr_assert_eq(off(triangle, 3, 0, up, 0.25, 0.25, -2), 2, "a flat shape shows both sides at once");
    cr_assert_eq(off(triangle, 3, 0, up, -3, 0, 4), 5);
    cr_assert_eq(off(triangle, 3, 0, along, 0, 0, 0), -1, "seen along its plane it has none");
    cr_assert_eq(off(triangle, 1, 0, up, 0, 0, 0), -1);
    cr_assert_eq(off(triangle, 2, 0, up, 0, 0, 0), -1);
}
