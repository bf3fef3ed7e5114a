/* What the Box2D adapter makes of polygons that b2PolygonShape::Set would
 * change, or that its manifolds do not know. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "contenders/harness.h"
#include "contenders/table.h"
#include "contenders/tests/scenes.h"

static const test_shape plain = {GJB_BOX, 1, {{1, 1}}, 0};
static const test_shape square = {GJB_POLYGON, 4, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, 0};

static gjb_result ask(const test_shape *shape, double x, gjb_query query)
{
    const gjb_pose2d a = {0, 0, 1, 0}, b = {x, 0.125, 1, 0};
    gjb_scene *scene = test_couple(GJB_F32, shape, a, &plain, b);
    gjb_error error = {""};
    gjb_session *session = gjb_session_open(gjb_contender_find("box2d"), NULL, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    gjb_result2f results[2];
    gjb_session_run(session, query, 0, 0, 2, 0, 1, results, NULL);
    const gjb_result r = gjb_result_get(query, GJB_F32, 2, results, 0);
    gjb_session_close(session);
    gjb_scene_free(scene);
    return r;
}

Test(box2d, repeated_vertices_change_nothing)
{
    const test_shape repeated = {
        GJB_POLYGON,
        9,
        {{-1, -1}, {-1, -1}, {-1, -1}, {1, -1}, {1, 1}, {1, 1}, {-1, 1}, {-1, -1}, {-1, -1}},
        0,
    };
    const gjb_result want = ask(&square, 1.75, GJB_PENETRATION), got = ask(&repeated, 1.75, GJB_PENETRATION);
    cr_assert_eq(want.status, GJB_OVERLAPPING);
    cr_assert_eq(want.value, 0.25);
    cr_assert(memcmp(&want, &got, sizeof want) == 0);
}

/* b2PolygonShape::Set would weld the two vertices 0.001 apart, and answer 0.2495. */
Test(box2d, near_vertices_stay_apart)
{
    const test_shape close = {GJB_POLYGON, 5, {{-1, -1}, {1, -1}, {1, 1}, {0.9995, 1.0001}, {-1, 1}}, 0};
    cr_assert_eq(ask(&close, 1.75, GJB_PENETRATION).value, 0.25);
}

Test(box2d, manifolds_take_eight_vertices)
{
    test_shape many = {GJB_POLYGON, 0, {{0}}, 0};
    for (uint32_t n = 7; n <= 9; n++) {
        many.count = n;
        for (uint32_t i = 0; i < n; i++) {
            many.rows[i][0] = cos(2 * M_PI * i / n);
            many.rows[i][1] = sin(2 * M_PI * i / n);
        }
        cr_assert_eq(ask(&many, 1.75, GJB_PENETRATION).status, n <= 8 ? GJB_OVERLAPPING : GJB_UNSUPPORTED);
        cr_assert_eq(ask(&many, 1.75, GJB_INTERSECT).status, GJB_OVERLAPPING);
        cr_assert_float_eq(ask(&many, 3, GJB_DISTANCE).value, 1, 1e-6);
    }
}

Test(box2d, what_has_no_inside_has_no_manifold)
{
    const test_shape flat = {GJB_POLYGON, 4, {{-1, 0}, {0, 0}, {1, 0}, {0, 0}}, 0};
    const test_shape dot = {GJB_POLYGON, 3, {{0.5, 0}, {0.5, 0}, {0.5, 0}}, 0};
    cr_assert_eq(ask(&flat, 1.75, GJB_PENETRATION).status, GJB_UNSUPPORTED);
    cr_assert_eq(ask(&dot, 1, GJB_PENETRATION).status, GJB_UNSUPPORTED);
    cr_assert_eq(ask(&flat, 1.75, GJB_INTERSECT).status, GJB_OVERLAPPING);
    cr_assert_eq(ask(&dot, 2.5, GJB_DISTANCE).value, 1);
    cr_assert_eq(ask(&square, 1, GJB_SIGNED_DISTANCE).status, GJB_UNSUPPORTED);
}

/* A gap of 0.001 at ten units from the origin: points there round to 1e-6, so
 * that a normal drawn from them alone would be off by 1e-3. */
Test(box2d, a_normal_holds_near_contact)
{
    const test_shape corner = {GJB_POLYGON, 3, {{-1, 0.5}, {1.75, -2.5}, {2.75, 1.5}}, 0};
    const gjb_pose2d a = {10.5, -5.25, 0.8, 0.6};
    const double x = 1, y = 2.001;
    const gjb_pose2d b = {a.x + a.c * x - a.s * y, a.y + a.s * x + a.c * y, -0.6, 0.8};
    gjb_scene *scene = test_couple(GJB_F32, &plain, a, &corner, b);
    gjb_error error = {""};
    gjb_session *session = gjb_session_open(gjb_contender_find("box2d"), NULL, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    gjb_result2f results[2];
    gjb_session_run(session, GJB_DISTANCE, 0, 0, 2, 0, 1, results, NULL);
    for (int swapped = 0; swapped < 2; swapped++) {
        const double sign = swapped ? -1 : 1;
        cr_assert_eq(results[swapped].head.status, GJB_SEPARATED);
        cr_assert_float_eq(results[swapped].normal[0], sign * -0.6, 2e-7);
        cr_assert_float_eq(results[swapped].normal[1], sign * 0.8, 2e-7);
    }
    gjb_session_close(session);
    gjb_scene_free(scene);
}
