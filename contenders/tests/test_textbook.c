/* The textbook methods on the example that tutorials work through, point by point, with
 * values found on paper; and on pairs that show one weakness at a time. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "contenders/textbook/textbook.h"
#include "reference/reference.h"
#include "scenes/scene.h"

/* --- the worked example ------------------------------------------------------------- */

/* As printed. The first is clockwise. */
static const double triangle_a[3][2] = {{0, 1}, {1, -1}, {-1, -1}};
static const double triangle_b[3][2] = {{0, -1}, {1, 1}, {-1, 1}};
/* As our loader keeps it: the first vertex stays, the others turn about. */
static const double reversed_a[3][2] = {{0, 1}, {-1, -1}, {1, -1}};

static const gjb_pose2d nowhere = {0, 0, 1, 0};

static gjb_pair pair_of(const double (*a)[2], uint32_t a_count, const double (*b)[2], uint32_t b_count)
{
    gjb_pair pair = {.dim = 2};
    pair.as.plane.a = (gjb_body2){GJB_POLYGON, a_count, a, 0, nowhere, {0, 0, 0}};
    pair.as.plane.b = (gjb_body2){GJB_POLYGON, b_count, b, 0, nowhere, {0, 0, 0}};
    return pair;
}

static gjb_answer ask(const char *name, const gjb_pair *pair)
{
    gjb_answer answer;
    const gjb_textbook *method = gjb_textbook_find(name);
    cr_assert_not_null(method, "%s", name);
    cr_assert_eq(gjb_textbook_walk(method, pair, NULL, &answer), 0);
    return answer;
}

/* By vertex of A, then of B. B - D of the tutorials is the fourth: (1, 0). They print (-1, 0). */
static const double differences[9][2] = {{0, 2},  {-1, 0}, {1, 0},   {1, 0}, {0, -2},
                                         {2, -2}, {-1, 0}, {-2, -2}, {0, -2}};
static const double sums[9][2] = {{0, 0}, {1, 2},   {-1, 2}, {1, -2}, {2, 0},
                                  {0, 0}, {-1, -2}, {0, 0},  {-2, 0}};
static const double difference_hull[3][2] = {{0, 2}, {-2, -2}, {2, -2}};
static const double sum_hull[6][2] = {{1, -2}, {2, 0}, {1, 2}, {-1, 2}, {-2, 0}, {-1, -2}};

/* Strict corners, counter-clockwise: nothing lies to the right of any side, no corner on one. In
 * small integers, so exact. */
static void check_hull(const double (*hull)[2], int count, const double (*points)[2])
{
    for (int i = 0; i < count; i++) {
        const double *p = hull[i], *q = hull[(i + 1) % count], *r = hull[(i + 2) % count];
        cr_assert_gt((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]), 0);
        int found = 0;
        for (int k = 0; k < 9; k++) {
            cr_assert_geq((q[0] - p[0]) * (points[k][1] - p[1]) - (q[1] - p[1]) * (points[k][0] - p[0]), 0);
            found |= points[k][0] == p[0] && points[k][1] == p[1];
        }
        cr_assert(found);
    }
}

Test(textbook, sum_and_difference_of_the_example)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int axis = 0; axis < 2; axis++) {
                cr_assert_eq(triangle_a[i][axis] - triangle_b[j][axis], differences[3 * i + j][axis]);
                cr_assert_eq(triangle_a[i][axis] + triangle_b[j][axis], sums[3 * i + j][axis]);
            }
    check_hull(difference_hull, 3, differences);
    check_hull(sum_hull, 6, sums);
}

/* Of the difference, as printed and reversed. No point has y = -3, which tutorials print. */
Test(textbook, supports_of_the_example)
{
    static const struct {
        double d[2], w[2], reversed_w[2], a[2], b[2];
    } cases[] = {
        {{0, 1}, {0, 2}, {0, 2}, {0, 1}, {0, -1}},
        {{0, -1}, {0, -2}, {-2, -2}, {1, -1}, {1, 1}}, /* ties: the first stored */
        {{1, 0}, {2, -2}, {2, -2}, {1, -1}, {-1, 1}},
        {{-1, 0}, {-2, -2}, {-2, -2}, {-1, -1}, {1, 1}},
        {{1, 1}, {0, 2}, {0, 2}, {0, 1}, {0, -1}},
        {{2, -1}, {2, -2}, {2, -2}, {1, -1}, {-1, 1}},
        {{-3, -1}, {-2, -2}, {-2, -2}, {-1, -1}, {1, 1}},
    };
    const gjb_pair printed = pair_of(triangle_a, 3, triangle_b, 3),
                   reversed = pair_of(reversed_a, 3, triangle_b, 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gjb_trace_vertex v, r;
        gjb_textbook_support2(&printed.as.plane, cases[i].d, &v);
        gjb_textbook_support2(&reversed.as.plane, cases[i].d, &r);
        double most = -DBL_MAX;
        for (int k = 0; k < 9; k++)
            most = fmax(most, differences[k][0] * cases[i].d[0] + differences[k][1] * cases[i].d[1]);
        cr_assert_gt(most, 0, "the origin is inside: every support passes it, and the exit test must go on");
        cr_assert_eq(v.w[0] * cases[i].d[0] + v.w[1] * cases[i].d[1], most);
        for (int axis = 0; axis < 2; axis++) {
            cr_assert_eq(v.w[axis], cases[i].w[axis], "case %zu", i);
            cr_assert_eq(v.a[axis], cases[i].a[axis], "case %zu", i);
            cr_assert_eq(v.b[axis], cases[i].b[axis], "case %zu", i);
            cr_assert_eq(r.w[axis], cases[i].reversed_w[axis], "case %zu", i);
        }
    }
}

/* The sides of the difference lie 2, 2 / sqrt 5 and 2 / sqrt 5 from the origin, which is inside. */
Test(textbook, truth_of_the_example)
{
    const gjb_pair pair = pair_of(triangle_a, 3, triangle_b, 3);
    ref_exact exact;
    ref_oracle2(&pair.as.plane, &exact);
    cr_assert_eq(exact.sign, -1);
    cr_assert(exact.lo <= -2 / sqrt(5) + DBL_EPSILON && exact.hi >= -2 / sqrt(5) - DBL_EPSILON);
    cr_assert_leq(exact.hi - exact.lo, DBL_EPSILON);
}

/* In the order printed, the first two supports are (0, 2) and (0, -2): the origin lies between
 * them, the next direction is 0, and a deep overlap is called none. EPA then never runs;
 * the method with distances sees an intersection, and no depth. */
Test(textbook, example_as_printed_is_answered_wrong)
{
    const gjb_pair pair = pair_of(triangle_a, 3, triangle_b, 3);
    static const char *const apart[] = {"textbook-gjk2", "textbook-epa2", "textbook-epa2-tight"};
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(ask(apart[i], &pair).status, GJB_SEPARATED, "%s", apart[i]);
    static const char *const flat[] = {"textbook-dist2", "textbook-dist2-nearer"};
    for (size_t i = 0; i < 2; i++) {
        const gjb_answer answer = ask(flat[i], &pair);
        cr_assert_eq(answer.status, GJB_OVERLAPPING);
        cr_assert(answer.sigma == 0 && answer.normal[0] == 0 && answer.normal[1] == 0, "%s", flat[i]);
    }
}

Test(textbook, example_reversed_is_answered_right)
{
    const gjb_pair pair = pair_of(reversed_a, 3, triangle_b, 3);
    cr_assert_eq(ask("textbook-gjk2", &pair).status, GJB_OVERLAPPING);
    static const char *const deep[] = {"textbook-epa2", "textbook-epa2-tight", "textbook-dist2",
                                       "textbook-dist2-nearer"};
    for (size_t i = 0; i < 4; i++) {
        const gjb_answer r = ask(deep[i], &pair);
        cr_assert_eq(r.status, GJB_OVERLAPPING);
        cr_assert_float_eq(r.sigma, -2 / sqrt(5), 1e-15);
        cr_assert_float_eq(r.normal[0], -2 / sqrt(5), 1e-15);
        cr_assert_float_eq(r.normal[1], 1 / sqrt(5), 1e-15);
        /* The point of the side from (0, 2) to (-2, -2) nearest to the origin is (-4/5, 2/5). */
        cr_assert_float_eq(r.point_a[0] - r.point_b[0], -0.8, 1e-15);
        cr_assert_float_eq(r.point_a[1] - r.point_b[1], 0.4, 1e-15);
    }
}

/* What a scene file makes of the first triangle, and so what contenders are fed. */
Test(textbook, loading_reverses_the_first_triangle)
{
    static const char text[] =
        "{\"gjkbench\": 1, \"shapes\": [{\"kind\": \"polygon\", \"vertices\": [[0, 1], [1, -1], "
        "[-1, -1]]}, {\"kind\": \"polygon\", \"vertices\": [[0, -1], [1, 1], [-1, 1]]}], "
        "\"bodies\": [{\"shape\": 0, \"pose\": {\"x\": 0, \"y\": 0}}, "
        "{\"shape\": 1, \"pose\": {\"x\": 0, \"y\": 0}}], \"pairs\": [[0, 1]]}";
    gjb_error error = {""};
    gjb_scene *scene = gjb_scene_parse(text, sizeof text - 1, "example", &error);
    cr_assert_not_null(scene, "%s", error.text);
    gjb_pair_space space = {0};
    gjb_pair pair;
    cr_assert_eq(gjb_scene_pair(scene, 0, 0, &space, &pair), 0);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 2; axis++) {
            cr_assert_eq(pair.as.plane.a.vertices[i][axis], reversed_a[i][axis]);
            cr_assert_eq(pair.as.plane.b.vertices[i][axis], triangle_b[i][axis]);
        }
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
}

/* --- one cause at a time ---------------------------------------------------------------- */

static const double diamond[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

static gjb_pair moved(const double (*vertices)[2], double x, double y)
{
    gjb_pair pair = pair_of(vertices, 4, vertices, 4);
    pair.as.plane.b.pose.x = x;
    pair.as.plane.b.pose.y = y;
    return pair;
}

static double sigma_of(const gjb_pair *pair)
{
    ref_exact exact;
    ref_oracle2(&pair->as.plane, &exact);
    return exact.lo;
}

/* One above the other, at a depth of 0.75 sqrt 2: the first two supports and the origin are on one
 * line. A hair to the side, and the answer is right. */
Test(textbook, a_line_through_the_origin_is_no_intersection)
{
    const gjb_pair above = moved(diamond, 0, 0.5), aside = moved(diamond, 1e-3, 0.5);
    cr_assert_float_eq(sigma_of(&above), -0.75 * sqrt(2), 1e-15);
    cr_assert_eq(ask("textbook-gjk2", &above).status, GJB_SEPARATED);
    cr_assert_eq(ask("textbook-gjk2", &aside).status, GJB_OVERLAPPING);
}

/* The first segment passes the origin at 1e-7. Along a direction of that length no support is
 * farther by 1e-5, so the search ends: apart by 1e-7, at a depth of 1.06. */
Test(textbook, a_direction_that_is_not_unit_ends_the_search_early)
{
    const gjb_pair pair = moved(diamond, 1e-7, 0.5);
    static const char *const names[] = {"textbook-dist2", "textbook-dist2-nearer"};
    for (int i = 0; i < 2; i++) {
        const gjb_answer r = ask(names[i], &pair);
        cr_assert_eq(r.status, GJB_SEPARATED);
        cr_assert_float_eq(r.sigma, 1e-7, 1e-12);
    }
}

static const double origin[1][2] = {{0, 0}};

/* Two unit circles. Three supports take turns, and each time the one that is needed goes. */
Test(textbook, dropping_the_oldest_goes_round_in_circles)
{
    gjb_pair pair = pair_of(origin, 1, origin, 1);
    pair.as.plane.a.kind = pair.as.plane.b.kind = GJB_POINT;
    pair.as.plane.a.radius = pair.as.plane.b.radius = 1;
    pair.as.plane.b.pose.x = 2.2;
    pair.as.plane.b.pose.y = 0.9;
    cr_assert_eq(ask("textbook-dist2", &pair).status, GJB_ITERATION_LIMIT);
    const gjb_answer r = ask("textbook-dist2-nearer", &pair);
    cr_assert_eq(r.status, GJB_SEPARATED);
    /* 1e-5 along a direction as long as the distance. */
    cr_assert_float_eq(r.sigma, hypot(2.2, 0.9) - 2, 1e-5 / (hypot(2.2, 0.9) - 2));
}

/* A square of side 2 and one that shares part of a side with it. Where they overlap by 2^-40 the depth
 * is right. Where the nearest edge of the difference holds the origin, it has no normal, and
 * another is taken: a depth of 0.5 for 0. */
Test(textbook, an_edge_through_the_origin_is_passed_over)
{
    static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const gjb_pair shallow = moved(square, 2 - 0x1p-40, 1.5), touching = moved(square, 1.5, 2);
    const gjb_answer r = ask("textbook-epa2-tight", &shallow), t = ask("textbook-epa2-tight", &touching);
    cr_assert_eq(r.status, GJB_OVERLAPPING);
    cr_assert_float_eq(r.sigma, -0x1p-40, 1e-15);
    cr_assert_eq(t.status, GJB_OVERLAPPING, "%s %g", gjb_status_name(t.status), t.sigma);
    cr_assert_eq(t.sigma, -0.5, "%g", t.sigma);
}
