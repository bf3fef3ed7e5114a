/* Every contender of the build that knows three dimensions, on pairs whose
 * answers are known from paper.
 *
 * The pairs are lopsided, turned and far from the origin, so that a swapped
 * normal, a margin left in, or points in the wrong frame cannot come out right.
 * In A's local frame each pair meets along +z, at (1/2, 1/4, 1) of A, B starting
 * `gap` above: sigma = gap, the normal is (0, 0, 1).
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "contenders/tests/paper3.h"

typedef struct solid {
    gjb_kind kind;
    uint32_t count;
    double rows[8][3];
    double radius;
} solid;

/* Either A has a face up there and B comes with a corner, or the other way round. */
typedef struct test_case {
    const char *name;
    solid a, b;
    int face_of_b;
} test_case;

#define CORNERED                                                                                              \
    {                                                                                                         \
        GJB_HULL, 6, {{-1, 0.5, -1}, {2, 0.75, 0}, {0.5, 1, 2}, {1, 1.5, -0.5}, {0.5, -1, 0.25}, {0.4, 0.6, 0.3}}, 0 \
    }
#define PILLAR                                                                                                \
    {                                                                                                         \
        GJB_HULL, 6, {{-2, -1, 1}, {2, -1.5, 1}, {1.5, 2, 1}, {-1, 1.5, 1}, {0.5, 0.25, -3}, {0.25, 0.5, 0}}, 0 \
    }

static const test_case cases[] = {
    {"box and box", {GJB_BOX, 1, {{2, 1.5, 1}}, 0}, {GJB_BOX, 1, {{1, 0.75, 1.25}}, 0}, 0},
    {"box and hull", {GJB_BOX, 1, {{2, 1.5, 1}}, 0}, CORNERED, 0},
    {"hull and hull", PILLAR, CORNERED, 0},
    {"hull and box", PILLAR, {GJB_BOX, 1, {{1, 0.75, 1.25}}, 0}, 0},
    {"box and sphere", {GJB_BOX, 1, {{2, 1.5, 1}}, 0}, {GJB_POINT, 1, {{0.25, -0.5, 0.75}}, 0.5}, 0},
    {"box and capsule",
     {GJB_BOX, 1, {{2, 1.5, 1}}, 0},
     {GJB_SEGMENT, 2, {{0.25, -0.5, 0.75}, {1, 1, 0}}, 0.25},
     0},
    {"sphere and sphere",
     {GJB_POINT, 1, {{0.5, 0.25, -0.25}}, 1.25},
     {GJB_POINT, 1, {{0.25, -0.5, 0.75}}, 0.5},
     0},
    {"sphere and box", {GJB_POINT, 1, {{0.5, 0.25, 0.25}}, 0.75}, {GJB_BOX, 1, {{1, 0.75, 1.25}}, 0}, 1},
    {"capsule and capsule",
     {GJB_SEGMENT, 2, {{-1, 0.25, 0.75}, {2.5, 0.25, 0.75}}, 0.25},
     {GJB_SEGMENT, 2, {{0.25, -0.5, 0.75}, {1, 1, 0}}, 0.375},
     0},
    {"capsule and sphere",
     {GJB_SEGMENT, 2, {{-1, 0.25, 0.75}, {2.5, 0.25, 0.75}}, 0.25},
     {GJB_POINT, 1, {{0.25, -0.5, 0.75}}, 0.5},
     0},
    {"capsule and hull", {GJB_SEGMENT, 2, {{-1, 0.25, 0.5}, {2.5, 0.25, 0.5}}, 0.5}, CORNERED, 0},
    {"triangle and hull", {GJB_TRIANGLE, 3, {{-2, -1, 1}, {3, -1, 1}, {0, 3, 1}}, 0}, CORNERED, 0},
    {"rounded triangle and box",
     {GJB_TRIANGLE, 3, {{-2, -1, 0.75}, {3, -1, 0.75}, {0, 3, 0.75}}, 0.25},
     {GJB_BOX, 1, {{1, 0.75, 1.25}}, 0},
     0},
    {"point and box", {GJB_POINT, 1, {{0.5, 0.25, 1}}, 0}, {GJB_BOX, 1, {{1, 0.75, 1.25}}, 0}, 1},
    {"segment and sphere",
     {GJB_SEGMENT, 2, {{-1, 0.25, 1}, {2.5, 0.25, 1}}, 0},
     {GJB_POINT, 1, {{0.25, -0.5, 0.75}}, 0.5},
     0},
    {"rounded box and hull", {GJB_BOX, 1, {{2, 1.5, 0.75}}, 0.25}, CORNERED, 0},
    {"box and rounded hull",
     {GJB_BOX, 1, {{2, 1.5, 1}}, 0},
     {GJB_HULL, 4, {{-1, 0.5, -1}, {2, 0.75, 0}, {0.5, 1, 2}, {0.5, -1, 0.25}}, 0.1875},
     0},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Exactly unit but for rounding: 1 + 4 + 16 + 100 = 121, 4 + 16 + 25 + 36 = 81. */
static const gjb_pose3d pose_a = {100.5, -50.25, 30.125, 1 / 11., 2 / 11., 4 / 11., 10 / 11.};
static const double cornerwise[4] = {2 / 9., -4 / 9., 5 / 9., 6 / 9.}, upright[4] = {0.5, 0.5, 0.5, 0.5};
static const double meeting[3] = {0.5, 0.25, 1};

static void turn_a(const double v[3], double out[3])
{
    const double q[4] = {pose_a.qx, pose_a.qy, pose_a.qz, pose_a.qw};
    paper3_turn(q, v, out);
}

/* B's lowest point in A's axes, from B's origin. */
static void lowest(const test_case *c, const double q[4], double low[3])
{
    low[0] = low[1] = 0;
    const solid *b = &c->b;
    const uint32_t count = b->kind == GJB_BOX ? 8 : b->count;
    low[2] = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double v[3], turned[3];
        for (uint32_t k = 0; k < 3; k++)
            v[k] = b->kind == GJB_BOX ? gjb_box_corner(3, i, k) * b->rows[0][k] : b->rows[i][k];
        paper3_turn(q, v, turned);
        if (turned[2] < low[2])
            memcpy(low, turned, sizeof turned);
    }
    if (c->face_of_b) /* somewhere on its face, not at its middle */
        low[0] = 0.125, low[1] = -0.25;
    low[2] -= b->radius;
}

static gjb_pose3d pose_b(const test_case *c, double gap)
{
    const double *q = c->face_of_b ? upright : cornerwise;
    double low[3], offset[3], world[3];
    lowest(c, q, low);
    for (int i = 0; i < 3; i++)
        offset[i] = meeting[i] - low[i] + (i == 2 ? gap : 0);
    turn_a(offset, world);
    const double a[4] = {pose_a.qx, pose_a.qy, pose_a.qz, pose_a.qw};
    double p[4];
    paper3_product(a, q, p);
    return (gjb_pose3d){pose_a.x + world[0], pose_a.y + world[1], pose_a.z + world[2], p[0], p[1], p[2], p[3]};
}

static gjb_scene *couple(gjb_precision precision, const test_case *c, double gap)
{
    gjb_scene *scene = gjb_scene_new(3, precision, 2, c->a.count + c->b.count, 2, 2);
    if (scene == NULL)
        abort();
    gjb_scene_set_shape(scene, 0, c->a.kind, 0, c->a.count, c->a.rows, c->a.radius);
    gjb_scene_set_shape(scene, 1, c->b.kind, c->a.count, c->b.count, c->b.rows, c->b.radius);
    gjb_scene_set_pose3(scene, 0, 0, pose_a);
    gjb_scene_set_pose3(scene, 0, 1, pose_b(c, gap));
    static const uint32_t pairs[] = {0, 1, 1, 0};
    memcpy(scene->frames[0].pairs, pairs, sizeof pairs);
    return scene;
}

static int is_rounded(const solid *s)
{
    return s->radius > 0 && s->kind != GJB_POINT && s->kind != GJB_SEGMENT;
}

static int is_for_ode(const solid *s)
{
    return s->kind == GJB_BOX ? s->radius == 0 : (s->kind == GJB_POINT || s->kind == GJB_SEGMENT) && s->radius > 0;
}

static int is_for_mujoco(const solid *s)
{
    return s->kind == GJB_HULL ? s->radius == 0 : is_for_ode(s);
}

/* Pairs that a contender may leave unsupported, and no others. */
static int may_refuse(const gjb_contender *contender, const test_case *c)
{
    const int triangle = c->a.kind == GJB_TRIANGLE || c->b.kind == GJB_TRIANGLE;
    if (strncmp(contender->name, "fcl-", 4) == 0)
        return triangle || is_rounded(&c->a) || is_rounded(&c->b);
    if (strcmp(contender->name, "ode-boxbox") == 0)
        return !is_for_ode(&c->a) || !is_for_ode(&c->b);
    if (strcmp(contender->name, "mujoco") == 0)
        return !is_for_mujoco(&c->a) || !is_for_mujoco(&c->b);
    return 0;
}

/* How far off a library may be. All that is not named here is held to its
 * precision, at a hundred units from the origin. */
typedef struct allowance {
    const char *contender, *name; /* NULL: any case */
    int sharp;                    /* for pairs without a radius alone */
    paper3_allowance by;
} allowance;

static const allowance allowances[] = {
    /* Its position is not where the shapes meet, its EPA stops early on what is round. */
    {"libccd-epa", NULL, 1, {1e-9, 1e-9, 1}},
    {"libccd-epa", NULL, 0, {0.015, 0.2, 1}},
    /* Portals: a position half way along the portal's rays, and between capsules no least depth. */
    {"libccd-mpr", "capsule and capsule", 0, {0.06, 0.65, 0.2}},
    {"libccd-mpr", NULL, 1, {1e-9, 1e-9, 0.1}},
    {"libccd-mpr", NULL, 0, {1e-4, 0.02, 0.1}},
    {"fcl-libccd", "capsule and capsule", 0, {0.06, 0.65, 0.2}},
    {"fcl-libccd", NULL, 1, {1e-9, 1e-9, 0.1}},
    {"fcl-libccd", NULL, 0, {1e-5, 0.01, 0.1}},
    /* Its EPA gives up somewhere: 0.44 for 0.125, and 0.003 where it is to be tight. */
    {"fcl-indep-tight", NULL, 1, {1e-9, 1e-9, 1e-9}},
    {"fcl-indep-tight", NULL, 0, {INFINITY, 0, 0}},
    {"fcl-indep", "capsule and hull", 0, {INFINITY, 0, 0}},
    {"fcl-indep", NULL, 1, {1e-9, 1e-9, 1e-9}},
    {"fcl-indep", NULL, 0, {5e-5, 5e-3, 5e-4}},
    {"bullet-mpr", "capsule and capsule", 0, {0.06, 0.65, 0.2}},
    {"bullet-mpr", NULL, 1, {2e-5, 2e-4, 0.1}},
    {"bullet-mpr", NULL, 0, {1e-4, 0.02, 0.1}},
    /* Half the depth of two boxes that meet by a face; portals for hulls. */
    {"mujoco", "box and box", 1, {0.0626, 1e-6, 0.03}},
    {"mujoco", NULL, 1, {2e-5, 2e-4, 0.1}},
    {"mujoco", "capsule and hull", 0, {2e-4, 0.02, 0.1}},
    /* Samples directions. */
    {"bullet-pair-minkowski", NULL, 0, {0.02, 0.2, 1}},
};

/* Variants are held to what their contender is, if they have no rows of their own. */
static int is_about(const allowance *a, const gjb_contender *contender)
{
    if (strcmp(a->contender, contender->name) == 0)
        return 1;
    return contender->variant_of != NULL && strcmp(a->contender, contender->variant_of) == 0;
}

static const paper3_allowance *allowed_for(const gjb_contender *contender, const test_case *c, gjb_precision precision)
{
    for (size_t i = 0; i < sizeof allowances / sizeof allowances[0]; i++) {
        const allowance *a = &allowances[i];
        if (is_about(a, contender) && (a->name == NULL || strcmp(a->name, c->name) == 0) &&
            (!a->sharp || c->a.radius + c->b.radius == 0))
            return &a->by;
    }
    return &paper3_own[precision];
}

/* What paper says; `swapped`: of the pair (B, A). */
static paper3_truth truth_of(const test_case *c, double gap, int swapped)
{
    static const double up[3] = {0, 0, 1};
    const gjb_pose3d b = pose_b(c, gap);
    const double above[3] = {meeting[0], meeting[1], meeting[2] + gap};
    const double shift[3] = {b.x - pose_a.x, b.y - pose_a.y, b.z - pose_a.z};
    paper3_truth t = {.gap = gap};
    turn_a(up, t.normal);
    turn_a(meeting, t.on_a);
    turn_a(above, t.on_b);
    if (swapped)
        paper3_swap(&t, shift);
    return t;
}

static void check(const gjb_contender *contender, const test_case *c, gjb_precision precision, gjb_query query,
                  double gap, int swapped, const gjb_result *r)
{
    char text[600];
    const paper3_truth truth = truth_of(c, gap, swapped);
    cr_assert(paper3_right(contender, c->name, allowed_for(contender, c, precision), query, &truth, r, text), "%s%s",
              swapped ? "swapped: " : "", text);
}

static void check_all(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                      double gap)
{
    (void)dim;
    for (size_t i = 0; i < CASES; i++) {
        const test_case *c = &cases[i];
        gjb_scene *scene = couple(precision, c, gap);
        gjb_error error = {""};
        gjb_session *session = gjb_session_open(contender, backend, scene, 1, &error);
        cr_assert_not_null(session, "%s", error.text);
        for (int query = 0; query < GJB_STILL_QUERIES; query++) {
            if (!(contender->queries >> query & 1u))
                continue;
            gjb_result3d results[2];
            cr_assert_eq(gjb_session_run(session, (gjb_query)query, 0, 0, 2, 0, 1, results, NULL), 0);
            for (int swapped = 0; swapped < 2; swapped++) {
                const gjb_result r =
                    gjb_result_get((gjb_query)query, precision, 3, results, (uint64_t)swapped);
                if (may_refuse(contender, c))
                    cr_assert_eq(r.status, GJB_UNSUPPORTED, "%s, %s", contender->name, c->name);
                else
                    check(contender, c, precision, (gjb_query)query, gap, swapped, &r);
            }
        }
        gjb_session_close(session);
        gjb_scene_free(scene);
    }
}

/* Bullet's margins of 0.04 a shape are larger than 0.015: one left in would tell. */
Test(answers3, apart)
{
    test_each(1u << 3, ~0u, 1, check_all, 0.75);
}

Test(answers3, apart_by_less_than_a_margin)
{
    test_each(1u << 3, ~0u, 1, check_all, 0.015);
}

Test(answers3, overlapping)
{
    test_each(1u << 3, ~0u, 1, check_all, -0.125);
}

Test(answers3, overlapping_by_less_than_a_margin)
{
    test_each(1u << 3, ~0u, 1, check_all, -0.015);
}
