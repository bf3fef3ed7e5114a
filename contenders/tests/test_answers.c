/* Every contender of the build on pairs whose answers are known from paper.
 *
 * The pairs are lopsided, turned and moved, so that a swapped normal, a margin
 * left in, or points in the wrong frame cannot come out right. In A's local
 * frame each pair meets along +y, at (1/2, 1) of A, B starting `gap` above:
 * sigma = gap, the normal is (0, 1).
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contenders/harness.h"
#include "contenders/tests/scenes.h"
#include "core/query.h"

/* B is given in a frame turned by a right angle against A's, whose origin lies
 * at (1, 2 + gap) of A's; its lowest point is (1/2, 1 + gap) of A's. */
typedef struct test_case {
    const char *name;
    test_shape a, b;
} test_case;

static const test_case cases[] = {
    {"box and triangle",
     {GJB_BOX, 1, {{2, 1}}, 0},
     {GJB_POLYGON, 3, {{-1, 0.5}, {1.75, -2.5}, {2.75, 1.5}}, 0}},
    {"polygon and pentagon",
     {GJB_POLYGON, 5, {{-1, -3}, {2, -1}, {1.5, 1}, {-0.25, 1}, {-2, 0}}, 0},
     {GJB_POLYGON, 5, {{-1, 0.5}, {1, -1.5}, {2.5, -1}, {3, 0.5}, {0.5, 2}}, 0}},
    {"polygon and circle",
     {GJB_POLYGON, 4, {{-1, -3}, {2, -1}, {1.5, 1}, {-1.5, 1}}, 0},
     {GJB_POINT, 1, {{-0.75, 0.5}}, 0.25}},
    {"circle and circle", {GJB_POINT, 1, {{0.5, 0.25}}, 0.75}, {GJB_POINT, 1, {{0.25, 0.5}}, 1.25}},
    {"circle and box", {GJB_POINT, 1, {{0.5, -0.5}}, 1.5}, {GJB_BOX, 1, {{1, 0.75}}, 0}},
    {"capsule and rounded box",
     {GJB_SEGMENT, 2, {{-1, 0.75}, {2.5, 0.75}}, 0.25},
     {GJB_POLYGON, 3, {{-0.875, 0.5}, {1.75, -2.5}, {2.75, 1.5}}, 0.125}},
    {"capsule and point", {GJB_SEGMENT, 2, {{-1, 0.5}, {2.5, 0.5}}, 0.5}, {GJB_POINT, 1, {{-1, 0.5}}, 0}},
    {"rounded box and triangle",
     {GJB_BOX, 1, {{2, 0.75}}, 0.25},
     {GJB_POLYGON, 3, {{-1, 0.5}, {1.75, -2.5}, {2.75, 1.5}}, 0}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Exactly unit, in binary too only up to rounding: the tolerance covers it. */
static const gjb_pose2d pose_a = {10.5, -5.25, 0.8, 0.6};

static void turn(gjb_pose2d pose, double x, double y, double out[2])
{
    out[0] = pose.c * x - pose.s * y;
    out[1] = pose.s * x + pose.c * y;
}

static gjb_pose2d pose_b(double gap)
{
    double offset[2];
    turn(pose_a, 1, 2 + gap, offset);
    return (gjb_pose2d){pose_a.x + offset[0], pose_a.y + offset[1], -0.6, 0.8};
}

static int near2(const double got[2], const double want[2], double tolerance)
{
    return fabs(got[0] - want[0]) <= tolerance && fabs(got[1] - want[1]) <= tolerance;
}

/* `swapped`: the pair (B, A), whose normal and points must turn about. */
static void check(const gjb_contender *contender, const char *backend, const test_case *c, gjb_query query,
                  double gap, int swapped, const gjb_result *r)
{
    double normal[2], on_a[2], on_b[2];
    const gjb_pose2d b = pose_b(gap);
    turn(pose_a, 0, 1, normal);
    turn(pose_a, 0.5, 1, on_a);
    turn(pose_a, 0.5, 1 + gap, on_b);
    if (swapped)
        for (int i = 0; i < 2; i++) {
            const double shift = i == 0 ? b.x - pose_a.x : b.y - pose_a.y, t = on_a[i];
            normal[i] = -normal[i];
            on_a[i] = on_b[i] - shift;
            on_b[i] = t - shift;
        }
    char text[400];
    snprintf(text, sizeof text,
             "%s %s, %s, %s, gap %g, %s: status %u value %.9g normal (%.9g %.9g) a (%.9g %.9g) b (%.9g %.9g)",
             contender->name, backend, c->name, gjb_queries[query].name, gap,
             swapped ? "swapped" : "straight", (unsigned)r->status, r->value, r->normal[0], r->normal[1],
             r->point_a[0], r->point_a[1],
             r->point_b[0], r->point_b[1]);
    if (fabs(gap) <= contender->skin) /* by design it may answer either, and with vectors or without */
        return;
    cr_assert(r->status == (gap > 0 ? GJB_SEPARATED : GJB_OVERLAPPING), "%s", text);
    if (query == GJB_INTERSECT)
        return;
    if ((query == GJB_DISTANCE && gap < 0) || (query == GJB_PENETRATION && gap > 0)) {
        static const double zero[2];
        cr_assert(r->value == 0 && memcmp(r->normal, zero, sizeof zero) == 0 &&
                      memcmp(r->point_a, zero, sizeof zero) == 0 &&
                      memcmp(r->point_b, zero, sizeof zero) == 0,
                  "%s", text);
        return;
    }
    /* In f32 at ten units from the origin; a normal may be drawn from points 0.015 apart. */
    const double close = 2e-5 + contender->skin;
    cr_assert(fabs(r->value - (query == GJB_PENETRATION ? -gap : gap)) <= close, "%s", text);
    cr_assert(near2(r->normal, normal, 5e-4), "%s", text);
    cr_assert(near2(r->point_a, on_a, close), "%s", text);
    cr_assert(near2(r->point_b, on_b, close), "%s", text);
}

/* Pairs that a contender may leave unsupported, and no others. */
static int may_refuse(const gjb_contender *contender, const test_case *c, gjb_query query)
{
    const int capsule = c->a.kind == GJB_SEGMENT || c->b.kind == GJB_SEGMENT;
    const int rounded_a = c->a.kind != GJB_POINT && c->a.radius > 0;
    const int rounded_b = c->b.kind != GJB_POINT && c->b.radius > 0;
    return strncmp(contender->name, "box2d", 5) == 0 && query == GJB_PENETRATION &&
           (capsule || rounded_a || rounded_b);
}

static void check_all(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                      double gap)
{
    (void)dim;
    for (size_t i = 0; i < CASES; i++) {
        const test_case *c = &cases[i];
        gjb_scene *scene = test_couple(precision, &c->a, pose_a, &c->b, pose_b(gap));
        gjb_error error = {""};
        gjb_session *session = gjb_session_open(contender, backend, scene, 1, &error);
        cr_assert_not_null(session, "%s", error.text);
        for (int query = 0; query < GJB_STILL_QUERIES; query++) {
            if (!(contender->queries >> query & 1u))
                continue;
            gjb_result2d results[2];
            cr_assert_eq(gjb_session_run(session, (gjb_query)query, 0, 0, 2, 0, 1, results, NULL), 0);
            for (int swapped = 0; swapped < 2; swapped++) {
                const gjb_result r =
                    gjb_result_get((gjb_query)query, precision, 2, results, (uint64_t)swapped);
                if (may_refuse(contender, c, (gjb_query)query))
                    cr_assert_eq(r.status, GJB_UNSUPPORTED, "%s, %s", contender->name, c->name);
                else
                    check(contender, gjb_session_backend(session), c, (gjb_query)query, gap, swapped, &r);
            }
        }
        gjb_session_close(session);
        gjb_scene_free(scene);
    }
}

/* 0.015 and -0.015 lie within Box2D's skin of 0.02: one left in would tell. */
Test(answers, apart)
{
    test_each(1u << 2, ~0u, 1, check_all, 0.75);
}

Test(answers, apart_by_less_than_a_skin)
{
    test_each(1u << 2, ~0u, 1, check_all, 0.015);
}

Test(answers, overlapping)
{
    test_each(1u << 2, ~0u, 1, check_all, -0.125);
}

Test(answers, overlapping_by_less_than_a_skin)
{
    test_each(1u << 2, ~0u, 1, check_all, -0.015);
}
