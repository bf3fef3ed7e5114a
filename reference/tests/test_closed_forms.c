/* Pairs whose signed distance, normal and points are known on paper. */
#include <criterion/criterion.h>
#include <math.h>

#include "reference/reference.h"
#include "reference/tests/claim.h"
#include "reference/tests/pairs.h"

static const double point[][2] = {{0, 0}};
static const double bar[][2] = {{-2, 0}, {2, 0}};
static const double box[][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
static const double long_box[][2] = {{-4, -1}, {4, -1}, {4, 1}, {-4, 1}};
static const double triangle[][2] = {{0, 0}, {4, 0}, {0, 3}};
static const double clumsy_box[][2] = {{-1, -1}, {0, -1}, {1, -1}, {1, -1},
                                       {1, 1}, {0.5, 1}, {-1, 1}, {-1, 1}};
static const double five_dots[][2] = {{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}};
static const double folded[][2] = {{-2, 0}, {0, 0}, {2, 0}, {1, 0}};

#define SHAPE(v) sizeof(v) / sizeof((v)[0]), v

typedef struct half {
    uint32_t count;
    const double (*vertices)[2];
    double radius, x, y, c, s;
} half;

static const struct known {
    const char *name;
    half a, b;
    double sigma;
    double normal[2]; /* 0, 0: several are right */
} table[] = {
    {"circles apart", {SHAPE(point), 1, 0, 0, 1, 0}, {SHAPE(point), 2, 3, 4, 0, 1}, 2, {0.6, 0.8}},
    {"circles touching", {SHAPE(point), 2, 0, 0, 1, 0}, {SHAPE(point), 3, 3, 4, 1, 0}, 0, {0.6, 0.8}},
    {"circles overlapping", {SHAPE(point), 3, 0, 0, 1, 0}, {SHAPE(point), 4, 3, 4, 1, 0}, -2, {0.6, 0.8}},
    {"circle in circle", {SHAPE(point), 8, 0, 0, 1, 0}, {SHAPE(point), 1, 3, 4, 1, 0}, -4, {0.6, 0.8}},
    {"concentric circles", {SHAPE(point), 8, 5, 7, 1, 0}, {SHAPE(point), 1, 5, 7, 1, 0}, -9, {0, 0}},
    {"points in one place", {SHAPE(point), 0, 5, 7, 1, 0}, {SHAPE(point), 0, 5, 7, 1, 0}, 0, {0, 0}},
    {"points apart", {SHAPE(point), 0, 0, 0, 1, 0},
     {SHAPE(point), 0, -5, 12, 1, 0}, 13, {-5. / 13, 12. / 13}},
    {"dots repeated", {SHAPE(five_dots), 0, 0, 0, 1, 0}, {SHAPE(point), 0.5, 1, 7, 1, 0}, 4.5, {0, 1}},
    {"capsules abreast", {SHAPE(bar), 0.5, 0, 0, 1, 0}, {SHAPE(bar), 0.25, 1, 2, 1, 0}, 1.25, {0, 1}},
    {"capsules in line", {SHAPE(bar), 0.5, 0, 0, 1, 0}, {SHAPE(bar), 0.25, 5, 0, 1, 0}, 0.25, {1, 0}},
    {"capsules end to side", {SHAPE(bar), 0.5, 0, 0, 1, 0}, {SHAPE(bar), 0.5, 0, 4, 0, 1}, 1, {0, 1}},
    {"capsules crossing", {SHAPE(bar), 0.5, 0, 0, 1, 0}, {SHAPE(bar), 0.5, 0, 1, 0, 1}, -2, {0, 1}},
    {"segments crossing in an L", {SHAPE(bar), 0, 0, 0, 1, 0}, {SHAPE(bar), 0, 1.5, 0, 0, 1}, -0.5, {1, 0}},
    {"segments in line, overlapping", {SHAPE(bar), 0, 0, 0, 1, 0}, {SHAPE(bar), 0, 3, 0, 1, 0}, 0, {0, 0}},
    {"segments in line, overlapping, round", {SHAPE(bar), 1, 0, 0, 1, 0},
     {SHAPE(bar), 1, 3, 0, 1, 0}, -2, {0, 0}},
    {"segments in line, end to end", {SHAPE(bar), 0, 0, 0, 1, 0}, {SHAPE(bar), 0, 4, 0, 1, 0}, 0, {0, 0}},
    {"segments in line, apart", {SHAPE(bar), 0, 0, 0, 1, 0}, {SHAPE(folded), 0, -7, 0, 1, 0}, 3, {-1, 0}},
    {"the same segment", {SHAPE(bar), 0, 0, 0, 1, 0}, {SHAPE(folded), 0, 0, 0, -1, 0}, 0, {0, 0}},
    {"point on segment", {SHAPE(point), 0, 1, 0, 1, 0}, {SHAPE(bar), 0, 0, 0, 1, 0}, 0, {0, 0}},
    {"boxes apart", {SHAPE(box), 0, 0, 0, 1, 0}, {SHAPE(box), 0, 5, 1, 1, 0}, 3, {1, 0}},
    {"boxes corner to corner", {SHAPE(box), 0, 0, 0, 1, 0}, {SHAPE(box), 0, 5, 6, 1, 0}, 5, {0.6, 0.8}},
    {"boxes touching", {SHAPE(box), 0, 0, 0, 1, 0}, {SHAPE(box), 0, -2, 1.5, 1, 0}, 0, {-1, 0}},
    {"boxes touching at a corner", {SHAPE(box), 0, 0, 0, 1, 0}, {SHAPE(box), 0, 2, 2, 0, 1}, 0, {0, 0}},
    {"boxes overlapping", {SHAPE(box), 0, 0, 0, 1, 0}, {SHAPE(box), 0, 0.5, -1.75, 1, 0}, -0.25, {0, -1}},
    {"rounded boxes overlapping", {SHAPE(box), 0.5, 0, 0, 1, 0},
     {SHAPE(box), 0.25, 0.5, -2.5, 1, 0}, -0.25, {0, -1}},
    {"box in long box", {SHAPE(long_box), 0, 0, 0, 1, 0}, {SHAPE(box), 0, 2, 0.5, 1, 0}, -1.5, {0, 1}},
    {"long box turned, on end", {SHAPE(long_box), 0, 0, 0, 0, 1}, {SHAPE(box), 0, 0, 6, 1, 0}, 1, {0, 1}},
    {"clumsy box", {SHAPE(clumsy_box), 0, 0, 0, 1, 0},
     {SHAPE(clumsy_box), 0, 0.5, -1.75, 1, 0}, -0.25, {0, -1}},
    {"circle at a corner", {SHAPE(box), 0, 0, 0, 1, 0}, {SHAPE(point), 2, 4, 5, 1, 0}, 3, {0.6, 0.8}},
    {"circle over an edge", {SHAPE(box), 0, 0, 0, 1, 0}, {SHAPE(point), 2, 0.5, 5, 1, 0}, 2, {0, 1}},
    {"circle in a box", {SHAPE(box), 0, 0, 0, 1, 0}, {SHAPE(point), 0.25, 0.5, 0, 1, 0}, -0.75, {1, 0}},
    {"point at the corner of a box", {SHAPE(box), 0, 0, 0, 1, 0}, {SHAPE(point), 0, 1, -1, 1, 0}, 0, {0, 0}},
    {"point over a triangle", {SHAPE(triangle), 0, 0, 0, 1, 0},
     {SHAPE(point), 0, 5, 5.5, 1, 0}, 5, {0.6, 0.8}},
    {"point in a triangle", {SHAPE(triangle), 0, 0, 0, 1, 0},
     {SHAPE(point), 0, 2, 0.25, 1, 0}, -0.25, {0, -1}},
    {"far from the origin", {SHAPE(box), 0, 1e15, -1e15, 1, 0},
     {SHAPE(box), 0, 1e15 + 5, 1 - 1e15, 1, 0}, 3, {1, 0}},
};
enum { KNOWN = sizeof table / sizeof table[0] };

static void load(test_pair *pair, const struct known *row)
{
    const half *halves[2] = {&row->a, &row->b};
    for (int side = 0; side < 2; side++) {
        const half *h = halves[side];
        gjb_kind kind = h->count == 1 ? GJB_POINT : h->count == 2 ? GJB_SEGMENT : GJB_POLYGON;
        gjb_pose2d pose = {h->x, h->y, h->c, h->s};
        test_pair_set(pair, side, kind, h->count, h->vertices, h->radius, pose);
    }
}

#define D(name) name##2
#define E(name) name
#define SUITE closed_forms
#define SIGNED(pair) ref_signed_distance2(pair)
#define CLAIM claim_in_plane
#define SLACK 1e-14
#include "reference/tests/closed_forms.inc"

Test(closed_forms, oracle_tells_a_last_bit)
{
    static test_pair pair;
    static const double nudge[3] = {-0x1p-52, 0, 0x1p-52};
    for (int k = 0; k < 3; k++) {
        test_pair_set(&pair, 0, GJB_POLYGON, 4, box, 0, (gjb_pose2d){1e6, 0, 1, 0});
        test_pair_set(&pair, 1, GJB_POINT, 1, point, 0, (gjb_pose2d){1e6, 1 + nudge[k], 1, 0});
        ref_exact x;
        ref_oracle2(&pair.pair, &x);
        cr_expect_eq(x.sign, k - 1);
        cr_expect(x.lo == nudge[k] && x.hi == nudge[k]);
    }
    /* sqrt 2 is no double: neighbours enclose it. Circles of radius 0.7071... */
    test_pair_set(&pair, 0, GJB_POINT, 1, point, 0, (gjb_pose2d){0, 0, 1, 0});
    test_pair_set(&pair, 1, GJB_POINT, 1, point, 0, (gjb_pose2d){1, 1, 1, 0});
    ref_exact x;
    ref_oracle2(&pair.pair, &x);
    cr_expect(x.lo == 0x1.6a09e667f3bccp+0 && x.hi == 0x1.6a09e667f3bcdp+0);
    /* The radius nearest to it leaves the error of that rounding alone:
     * sqrt(2) - 0x1.6a09e667f3bcd = -0x1.bdd3413b26456...p-54. */
    pair.pair.a.radius = 0x1.6a09e667f3bcdp+0;
    ref_oracle2(&pair.pair, &x);
    cr_expect_eq(x.sign, -1);
    cr_expect(x.lo < -0x1.bdd3413b26450p-54 && x.hi > -0x1.bdd3413b26460p-54 && x.hi == nextafter(x.lo, 0),
              "[%a, %a]", x.lo, x.hi);
}

Test(closed_forms, refuses_what_is_no_number)
{
    static test_pair pair;
    test_pair_set(&pair, 0, GJB_POINT, 1, point, 0, (gjb_pose2d){NAN, 0, 1, 0});
    test_pair_set(&pair, 1, GJB_POINT, 1, point, 0, (gjb_pose2d){1, 1, 1, 0});
    cr_expect_eq(ref_signed_distance2(&pair.pair).status, GJB_INVALID_INPUT);
    pair.pair.a.pose.x = 0;
    pair.pair.b.radius = INFINITY;
    cr_expect_eq(ref_gjk2(&pair.pair).status, GJB_INVALID_INPUT);
}
