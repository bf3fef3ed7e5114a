/* Pairs in space whose signed distance, normal and points are known on paper. */
#include <criterion/criterion.h>
#include <math.h>

#include "reference/reference.h"
#include "reference/tests/claim.h"
#include "reference/tests/pairs3.h"

static const double point[][3] = {{0, 0, 0}};
static const double bar[][3] = {{-2, 0, 0}, {2, 0, 0}};
static const double leaning[][3] = {{-0.5, -0.25, -1}, {0.5, 0.25, 1}};
static const double folded[][3] = {{-2, 0, 0}, {0, 0, 0}, {2, 0, 0}, {1, 0, 0}};
static const double cube[][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const double long_box[][3] = {{-4, -1, -2}, {4, -1, -2}, {-4, 1, -2}, {4, 1, -2},
                                     {-4, -1, 2},  {4, -1, 2},  {-4, 1, 2},  {4, 1, 2}};
/* The cube with vertices repeated, on edges, on faces and inside. */
static const double clumsy_cube[][3] = {{-1, -1, -1}, {0, 0, 0},  {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {1, 1, -1},
                                        {-1, -1, 1},  {1, -1, 1}, {-1, 1, 1},  {1, 1, 1},   {1, 0, 0},  {1, 0, 1}};
static const double corner[][3] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
static const double octahedron[][3] = {{3, 0, 0}, {-3, 0, 0}, {0, 3, 0}, {0, -3, 0}, {0, 0, 3}, {0, 0, -3}};
static const double triangle[][3] = {{0, 0, 0}, {4, 0, 0}, {0, 3, 0}};
static const double square[][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
static const double five_dots[][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};

#define SHAPE(v) sizeof(v) / sizeof((v)[0]), v
#define STRAIGHT {0, 0, 0, 1}
#define QUARTER_X {0.5, 0, 0, 0.5}
#define QUARTER_Y {0, 0.5, 0, 0.5}
#define QUARTER_Z {0, 0, 0.5, 0.5}
#define THIRD {0.5, 0.5, 0.5, 0.5} /* x to y to z */
/* Not unit, as no rotation with such exact entries is: by 3-4-5 about z. */
#define ATAN_4_3 {0, 0, 1, 2}

typedef struct half {
    uint32_t count;
    const double (*vertices)[3];
    double radius, at[3], q[4];
} half;

/* Roots of 3 and 2 as the nearest doubles. */
#define ROOT3 1.7320508075688772
#define ROOT2 1.4142135623730951

static const struct known {
    const char *name;
    half a, b;
    double sigma;
    double normal[3]; /* 0: several are right */
} table[] = {
    {"spheres apart", {SHAPE(point), 1, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 2, {2, 3, 6}, THIRD}, 4, {2. / 7, 3. / 7, 6. / 7}},
    {"spheres touching", {SHAPE(point), 3, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 4, {2, 3, 6}, STRAIGHT}, 0, {2. / 7, 3. / 7, 6. / 7}},
    {"spheres overlapping", {SHAPE(point), 4, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 5, {-2, 3, -6}, STRAIGHT}, -2, {-2. / 7, 3. / 7, -6. / 7}},
    {"concentric spheres", {SHAPE(point), 8, {5, 7, 1}, STRAIGHT}, {SHAPE(point), 1, {5, 7, 1}, THIRD}, -9, {0}},
    {"dots repeated", {SHAPE(five_dots), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0.5, {1, 2, 7}, STRAIGHT}, 3.5, {0, 0, 1}},
    {"points in one place", {SHAPE(point), 0, {5, 7, 1}, STRAIGHT}, {SHAPE(point), 0, {5, 7, 1}, STRAIGHT}, 0, {0}},
    {"capsules abreast", {SHAPE(bar), 0.5, {0, 0, 0}, STRAIGHT}, {SHAPE(bar), 0.25, {1, 0, 2}, STRAIGHT}, 1.25, {0, 0, 1}},
    {"capsules in line", {SHAPE(bar), 0.5, {0, 0, 0}, STRAIGHT}, {SHAPE(bar), 0.25, {5, 0, 0}, STRAIGHT}, 0.25, {1, 0, 0}},
    {"capsules crossed", {SHAPE(bar), 0.5, {0, 0, 0}, STRAIGHT}, {SHAPE(bar), 0.5, {0, 0, 3}, QUARTER_Z}, 2, {0, 0, 1}},
    {"capsules through each other", {SHAPE(bar), 0.5, {0, 0, 0}, STRAIGHT}, {SHAPE(bar), 0.5, {1, 0, 0}, QUARTER_Z}, -1, {0}},
    {"segments in line, overlapping", {SHAPE(bar), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(folded), 0, {3, 0, 0}, STRAIGHT}, 0, {0}},
    {"segments in line, round", {SHAPE(bar), 1, {0, 0, 0}, STRAIGHT}, {SHAPE(folded), 1, {3, 0, 0}, STRAIGHT}, -2, {0}},
    {"the same segment", {SHAPE(bar), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(folded), 0, {0, 0, 0}, STRAIGHT}, 0, {0}},
    {"sphere on a leaning segment", {SHAPE(point), 0.5, {0, 0, 0}, STRAIGHT}, {SHAPE(leaning), 0, {0, 0, 0}, STRAIGHT}, -0.5, {0}},
    {"cubes face to face", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(cube), 0, {0.5, 5, 1}, THIRD}, 3, {0, 1, 0}},
    {"cubes edge to edge", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(cube), 0, {5, 6, 1}, QUARTER_X}, 5, {0.6, 0.8, 0}},
    {"cubes corner to corner", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(cube), 0, {4, 5, -8}, STRAIGHT}, 7, {2. / 7, 3. / 7, -6. / 7}},
    {"cubes, edges across", {SHAPE(cube), 0, {0, 0, 0}, {1, 0, 0, 2}}, {SHAPE(long_box), 0, {0, 0, 10}, {0, 1, 0, 2}},
     10 - 1.4 - (4 * 0.8 + 2 * 0.6), {0, 0, 1}},
    {"cubes touching by faces", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(cube), 0, {-2, 0.5, 0.25}, STRAIGHT}, 0, {-1, 0, 0}},
    {"cubes touching by a corner", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(cube), 0, {2, 2, -2}, QUARTER_X}, 0, {0}},
    {"cubes overlapping", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(cube), 0, {0.5, 0.25, -1.75}, STRAIGHT}, -0.25, {0, 0, -1}},
    {"rounded cubes overlapping", {SHAPE(cube), 0.5, {0, 0, 0}, STRAIGHT}, {SHAPE(cube), 0.25, {0.5, -2.5, 0}, STRAIGHT}, -0.25, {0, -1, 0}},
    {"the same cube", {SHAPE(cube), 0, {9, 9, 9}, THIRD}, {SHAPE(cube), 0, {9, 9, 9}, THIRD}, -2, {0}},
    {"cube in long box", {SHAPE(long_box), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(cube), 0, {2, 0.5, 0}, STRAIGHT}, -1.5, {0, 1, 0}},
    {"clumsy cubes", {SHAPE(clumsy_cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(clumsy_cube), 0, {0.5, -1.75, 0}, STRAIGHT}, -0.25, {0, -1, 0}},
    {"sphere at a corner", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 2, {3, 4, 7}, STRAIGHT}, 5, {2. / 7, 3. / 7, 6. / 7}},
    {"sphere over a face", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 2, {0.5, 5, 0}, STRAIGHT}, 2, {0, 1, 0}},
    {"sphere in a cube", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0.25, {0.5, 0, 0.25}, STRAIGHT}, -0.75, {1, 0, 0}},
    {"point at a corner", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0, {1, -1, 1}, STRAIGHT}, 0, {0}},
    {"point on an edge", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0, {1, -1, 0.5}, STRAIGHT}, 0, {0}},
    {"point on a face", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0, {0.25, -1, 0.5}, STRAIGHT}, 0, {0, -1, 0}},
    {"point over a slope", {SHAPE(corner), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0, {3, 3, 3}, STRAIGHT}, 2 * ROOT3, {ROOT3 / 3, ROOT3 / 3, ROOT3 / 3}},
    {"point under a slope", {SHAPE(corner), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0, {0.875, 0.875, 0.875}, STRAIGHT}, -0.125 * ROOT3, {ROOT3 / 3, ROOT3 / 3, ROOT3 / 3}},
    {"point amid an octahedron", {SHAPE(octahedron), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0, {0, 0, 0}, STRAIGHT}, -ROOT3, {0}},
    {"octahedra edge to edge", {SHAPE(octahedron), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(octahedron), 0, {5, 5, 0}, STRAIGHT}, 2 * ROOT2, {ROOT2 / 2, ROOT2 / 2, 0}},
    {"point over a triangle", {SHAPE(triangle), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0, {1, 1, -2}, STRAIGHT}, 2, {0, 0, -1}},
    {"point next to a triangle", {SHAPE(triangle), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 0, {5, 5.5, 0}, STRAIGHT}, 5, {0.6, 0.8, 0}},
    {"point in a triangle", {SHAPE(triangle), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(point), 1, {1, 1, 0}, STRAIGHT}, -1, {0}},
    {"segment through a square", {SHAPE(square), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(bar), 0, {0, 0, 0.5}, QUARTER_Y}, -1, {0}},
    {"squares in one plane, apart", {SHAPE(square), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(square), 0, {5, 6, 0}, QUARTER_Z}, 5, {0.6, 0.8, 0}},
    {"squares in one plane, overlapping", {SHAPE(square), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(square), 0.5, {1, 0.5, 0}, STRAIGHT}, -0.5, {0}},
    {"squares in parallel planes", {SHAPE(square), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(square), 0, {1, 0.5, 3}, QUARTER_Z}, 3, {0, 0, 1}},
    {"squares crossing", {SHAPE(square), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(square), 0, {0, 0, 0.75}, QUARTER_X}, -0.25, {0, 0, 1}},
    {"cube turned by 3-4-5", {SHAPE(cube), 0, {0, 0, 0}, STRAIGHT}, {SHAPE(cube), 0, {4, 0, 0}, ATAN_4_3}, 1.6, {1, 0, 0}},
    {"far from the origin", {SHAPE(cube), 0, {1e15, -1e15, 1e15}, STRAIGHT}, {SHAPE(cube), 0, {1e15 + 5, 1 - 1e15, 1e15}, STRAIGHT}, 3, {1, 0, 0}},
};
enum { KNOWN = sizeof table / sizeof table[0] };

static void load(test_pair3 *pair, const struct known *row)
{
    const half *halves[2] = {&row->a, &row->b};
    for (int side = 0; side < 2; side++) {
        const half *h = halves[side];
        gjb_pose3d pose = {h->at[0], h->at[1], h->at[2], h->q[0], h->q[1], h->q[2], h->q[3]};
        test_pair3_set(pair, side, h->count, h->vertices, h->radius, pose);
    }
}

#define D(name) name##3
#define E(name) name##3
#define SUITE closed_forms3
#define SIGNED(pair) ref_signed_distance3(pair, NULL)
#define CLAIM claim_in_space
#define SLACK 2e-14
#include "reference/tests/closed_forms.inc"

Test(closed_forms3, oracle_tells_a_last_bit)
{
    static test_pair3 pair;
    static const double nudge[3] = {-0x1p-52, 0, 0x1p-52};
    for (int k = 0; k < 3; k++) {
        test_pair3_set(&pair, 0, 8, cube, 0, (gjb_pose3d){1e6, 0, 7, 0.5, 0.5, 0.5, 0.5});
        test_pair3_set(&pair, 1, 1, point, 0, (gjb_pose3d){1e6, 1 + nudge[k], 7, 0, 0, 0, 1});
        ref_exact3 x;
        ref_oracle3(&pair.pair, &x);
        cr_expect_eq(x.sign, k - 1);
        cr_expect(x.lo == nudge[k] && x.hi == nudge[k]);
    }
    /* sqrt 3 is no double: its neighbours, and its difference to the nearer one,
     * 0x1.bb67ae8584caa73b25742d7078b83b89... */
    test_pair3_set(&pair, 0, 1, point, 0, (gjb_pose3d){0, 0, 0, 0, 0, 0, 1});
    test_pair3_set(&pair, 1, 1, point, 0, (gjb_pose3d){1, 1, 1, 0, 0, 0, 1});
    ref_exact3 x;
    ref_oracle3(&pair.pair, &x);
    cr_expect(x.lo == 0x1.bb67ae8584caap+0 && x.hi == 0x1.bb67ae8584cabp+0, "[%a, %a]", x.lo, x.hi);
    pair.pair.a.radius = 0x1.bb67ae8584caap+0;
    ref_oracle3(&pair.pair, &x);
    cr_expect_eq(x.sign, 1);
    cr_expect(x.lo >= 0x7.3b25742d7078p-56 && x.hi <= 0x7.3b25742d7079p-56 && x.hi == nextafter(x.lo, 1),
              "[%a, %a]", x.lo, x.hi);
}

Test(closed_forms3, refuses_what_is_no_number)
{
    static test_pair3 pair;
    test_pair3_set(&pair, 0, 1, point, 0, (gjb_pose3d){0, NAN, 0, 0, 0, 0, 1});
    test_pair3_set(&pair, 1, 1, point, 0, (gjb_pose3d){1, 1, 1, 0, 0, 0, 1});
    cr_expect_eq(ref_signed_distance3(&pair.pair, NULL).status, GJB_INVALID_INPUT);
    pair.pair.a.pose.y = 0;
    pair.pair.b.radius = INFINITY;
    cr_expect_eq(ref_gjk3(&pair.pair).status, GJB_INVALID_INPUT);
    pair.pair.b.radius = 0;
    cr_expect_eq(ref_gjk3(&pair.pair).status, GJB_SEPARATED);
    pair.pair.b.pose.qw = 0;
    cr_expect_eq(ref_signed_distance3(&pair.pair, NULL).status, GJB_INVALID_INPUT);
    pair.pair.b.pose.qw = 1;
    pair.pair.b.count = 0;
    cr_expect_eq(ref_signed_distance3(&pair.pair, NULL).status, GJB_INVALID_INPUT);
}
