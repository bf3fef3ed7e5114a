/* What cylinders and cones show along a normal: which part, where its corners are, and the patch of what stands for
 * it. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "reference/patch/flats.h"
#include "reference/patch/patch.h"

static const double sizes[1][3] = {{2, 3, 0}}, coin[1][3] = {{2, 0, 0}}, low[1][3] = {{2, 0x1p-8, 0}},
                    cube_corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}},
                    plane[2][3] = {{0, 0, 1}, {1, 0, 0}}, ball_axes[1][3] = {{1, 1, 2}};
static const gjb_pose3d still = {0, 0, 0, 0, 0, 0, 1};

static gjb_body3 round_of(gjb_kind kind, const double (*rows)[3])
{
    return (gjb_body3){.kind = kind, .count = 1, .vertices = rows, .pose = still};
}

static gjb_body3 cube_at(double z)
{
    return (gjb_body3){.kind = GJB_HULL, .count = 8, .vertices = cube_corners, .pose = {0, 0, z, 0, 0, 0, 1}};
}

static gjb_pair pair_of(gjb_body3 a, gjb_body3 b)
{
    return (gjb_pair){.dim = 3, .margin = INFINITY, .as.space = {a, b}};
}

/* At an angle from the z axis towards (0.6, 0.8), in degrees. */
static void direction(double degrees, double n[3])
{
    const double angle = degrees * 0.017453292519943295;
    n[0] = 0.6 * sin(angle);
    n[1] = 0.8 * sin(angle);
    n[2] = cos(angle);
}

/* What of A is shown along n: 0 a point, 2 a line, more a disc. */
static uint32_t shown(gjb_kind kind, const double (*rows)[3], double degrees, ref_flats *flats)
{
    const gjb_pair pair = pair_of(round_of(kind, rows), cube_at(10));
    double n[3];
    direction(degrees, n);
    for (int k = 0; k < 3; k++)
        n[k] *= 7; /* of any length */
    return ref_flats_open(flats, &pair, n, REF_FLATS_INNER) ? 0 : flats->pair.as.space.a.count;
}

enum { DISC = REF_DISC_CORNERS };

Test(flats, which_part_is_shown)
{
    const double angle = 0.8952464, side = 90 - 18.434948822922; /* of the normal of a cone of 2 and 3: atan 1/3 up */
    const struct {
        gjb_kind kind;
        const double (*rows)[3];
        double degrees;
        uint32_t want;
    } cases[] = {
        {GJB_CYLINDER, sizes, 0, DISC},
        {GJB_CYLINDER, sizes, angle - 1e-3, DISC},
        {GJB_CYLINDER, sizes, angle + 1e-3, 0},
        {GJB_CYLINDER, sizes, 180 - angle + 1e-3, DISC},
        {GJB_CYLINDER, sizes, 45, 0},
        {GJB_CYLINDER, sizes, 90 - angle - 1e-3, 0},
        {GJB_CYLINDER, sizes, 90 - angle + 1e-3, 2},
        {GJB_CYLINDER, sizes, 90 + angle - 1e-3, 2},
        {GJB_CYLINDER, coin, 90, 2}, /* of no length: what is shown is a point */
        {GJB_CONE, sizes, 0, 0}, /* the apex */
        {GJB_CONE, sizes, 180, DISC},
        {GJB_CONE, sizes, 180 - angle - 1e-3, 0},
        {GJB_CONE, sizes, side, 2},
        {GJB_CONE, sizes, side + angle - 1e-3, 2},
        {GJB_CONE, sizes, side + angle + 1e-3, 0},
        {GJB_CONE, sizes, side - angle + 1e-3, 2},
        {GJB_CONE, sizes, side - angle - 1e-3, 0},
        {GJB_CONE, sizes, 180 - side, 0},
        {GJB_CONE, coin, 0, DISC}, /* both sides */
        {GJB_CONE, coin, 180, DISC},
        {GJB_CONE, low, 0.2, 0}, /* lines all around are within the angle */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ref_flats flats;
        const uint32_t found = shown(cases[i].kind, cases[i].rows, cases[i].degrees, &flats);
        cr_expect_eq(found, cases[i].want, "case %zu: %u", i, found);
    }
}

/* In the plane of the end exactly; inner corners in the disc, outer sides around it, and both next to the rim. */
Test(flats, corners_of_a_disc)
{
    gjb_random r = gjb_random_make(1, 1, 1);
    for (int round = 0; round < 200; round++) {
        const double radius = gjb_random_octaves(&r, -20, 20), half = gjb_random_octaves(&r, -20, 20);
        const double rows[1][3] = {{radius, half, 0}};
        gjb_body3 body = round_of(GJB_CYLINDER, rows);
        double q[4], n[3];
        gjb_random_quaternion(&r, q);
        body.pose = (gjb_pose3d){0, 0, 0, q[0], q[1], q[2], q[3]};
        const gjb_pair pair = pair_of(body, cube_at(10));
        /* the axis, turned by M(q) */
        n[0] = 2 * (q[0] * q[2] + q[1] * q[3]);
        n[1] = 2 * (q[1] * q[2] - q[0] * q[3]);
        n[2] = 1 - 2 * (q[0] * q[0] + q[1] * q[1]);
        for (int way = 0; way < 2; way++) {
            ref_flats flats;
            cr_assert_eq(ref_flats_open(&flats, &pair, n, way ? REF_FLATS_OUTER : REF_FLATS_INNER), 0);
            const gjb_body3 *got = &flats.pair.as.space.a;
            cr_assert(got->count == DISC && got->kind == GJB_HULL && flats.discs == 1);
            for (uint32_t i = 0; i < DISC; i++) {
                const double *p = got->vertices[i], *s = got->vertices[(i + 1) % DISC];
                cr_expect_eq(p[2], half);
                const long double out = hypotl(p[0], p[1]) / (long double)radius;
                cr_expect(way || (out <= 1 && out >= 1 - 0x1p-51L), "%Lg", 1 - out);
                const long double x = s[0] - (long double)p[0], y = s[1] - (long double)p[1];
                const long double from = fabsl(x * p[1] - y * p[0]) / hypotl(x, y) / (long double)radius;
                cr_expect(!way || (from >= 1 && from <= 1 + 0x1p-50L), "%Lg", from - 1);
            }
        }
    }
}

/* One corner is where a leaning disc is deepest, and the ends of a side line are in the half-plane of axis and normal. */
Test(flats, the_azimuth_of_the_normal)
{
    ref_flats flats;
    shown(GJB_CYLINDER, sizes, 0.5, &flats);
    double least = INFINITY;
    for (uint32_t i = 0; i < DISC; i++)
        least = fmin(least, hypot(flats.rows[0][i][0] - 1.2, flats.rows[0][i][1] - 1.6));
    cr_expect(least < 1e-15, "%g", least);
    cr_assert_eq(shown(GJB_CONE, sizes, 71.565051177078, &flats), 2);
    cr_expect(hypot(flats.rows[0][0][0] - 1.2, flats.rows[0][0][1] - 1.6) < 1e-15 && flats.rows[0][0][2] == -3);
    cr_expect(flats.rows[0][1][0] == 0 && flats.rows[0][1][1] == 0 && flats.rows[0][1][2] == 3);
}

static ref_patch patch_of(const gjb_pair *pair, ref_flats_way way)
{
    const double up[3] = {0, 0, 1};
    const ref_patch_question q = {{0, 0, 1}, REF_PATCH_SINE, INFINITY, 0, 0};
    ref_flats flats;
    ref_patch patch = {0};
    cr_assert_eq(ref_flats_open(&flats, pair, up, way), 0);
    ref_patch_find(&flats.pair, &q, &patch);
    return patch;
}

/* Disc on disc, disc on half-space, disc on box, and what the gap between both polygons is. */
Test(flats, patches)
{
    const double pi = 3.14159265358979323846;
    gjb_body3 above = round_of(GJB_CYLINDER, sizes);
    above.pose.z = 6;
    const gjb_body3 under[] = {round_of(GJB_CYLINDER, sizes),
                               {.kind = GJB_HALFSPACE, .count = 2, .vertices = plane, .pose = {0, 0, 2, 0, 0, 0, 1}}};
    for (int u = 0; u < 2; u++) {
        const gjb_pair pair = pair_of(under[u], above);
        ref_patch inner = patch_of(&pair, REF_FLATS_INNER), outer = patch_of(&pair, REF_FLATS_OUTER);
        cr_expect_eq(inner.count, DISC);
        cr_expect(inner.size < 4 * pi && inner.size > 0.9935 * 4 * pi, "%g", inner.size);
        cr_expect(outer.size > 4 * pi && outer.size < 1.0033 * 4 * pi, "%g", outer.size);
        cr_expect(fabs(inner.size * inner.share - 8) < 1e-12, "%.17g", inner.size * inner.share);
        cr_expect(fabs(inner.deepest) < 1e-12);
        ref_patch_free(&inner);
        ref_patch_free(&outer);
    }
    const gjb_pair box = pair_of(round_of(GJB_CYLINDER, sizes), cube_at(4));
    ref_patch within = patch_of(&box, REF_FLATS_INNER);
    cr_expect(within.count == 4 && fabs(within.size - 4) < 1e-12 && within.share == 1);
    ref_patch_free(&within);
}

/* An ellipsoid has one point, whatever the other shape is; polytopes stay as they are. */
Test(flats, other_kinds)
{
    const double up[3] = {0, 0, 1};
    ref_flats flats;
    const gjb_pair ball = pair_of(round_of(GJB_CYLINDER, sizes), round_of(GJB_ELLIPSOID, ball_axes)),
                   cubes = pair_of(cube_at(0), cube_at(2));
    cr_expect_eq(ref_flats_open(&flats, &ball, up, REF_FLATS_INNER), -1);
    cr_expect_eq(ref_flats_open(&flats, &cubes, up, REF_FLATS_INNER), 0);
    cr_expect(flats.discs == 0 && !flats.plane && flats.pair.as.space.b.vertices == cube_corners);
}
