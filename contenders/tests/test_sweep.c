/* Moving boxes that stay unturned, on pairs whose first and last contact are known from paper; and what is
 * nothing for sweep to answer. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/harness.h"
#include "contenders/tests/scenes.h"
#include "core/query.h"

typedef struct solid {
    gjb_kind kind;
    uint32_t count;
    double rows[2][3], radius;
} solid;

/* B starts at `at` from A and moves by `way` as A sees it. `point`: the centre of what they share when they meet. */
typedef struct test_case {
    const char *name;
    solid a, b;
    double at[3], way[3];
    gjb_status status;
    double first, last, normal[3], point[3];
} test_case;

#define BOX(x, y, z) {GJB_BOX, 1, {{x, y, z}}, 0}
#define DOT {GJB_POINT, 1, {{0.5, 0.25, 0.125}}, 0}
#define CORNERS {GJB_AABB, 2, {{3, 1, -1}, {-1, 0, 1}}, 0} /* about (1, 0.5, 0), and not in order */
#define HIT GJB_HIT
#define APART GJB_SEPARATED
#define OVERLAP GJB_OVERLAPPING

static const test_case cases[] = {
    {"face on", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 0.25, 0}, {-6, 0, 0}, HIT, 0.5, 1, {1}, {2, 0.25, 0}},
    {"through", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 0.25, 0}, {-16, 0, 0}, HIT, 3. / 16, 9. / 16, {1}, {2, 0.25, 0}},
    {"aslant", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 4, 0}, {-6, -3, 0}, HIT, 2.5 / 3, 1, {0, 1}, {1, 1, 0}},
    {"from below", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {0, -4, 0}, {0, 4, 0}, HIT, 0.625, 1, {0, -1}, {0, -1, 0}},
    {"corners in any order", CORNERS, BOX(1, 0.5, 0.5), {1, 4, 0}, {0, -4, 0}, HIT, 0.625, 1, {0, 1}, {1, 1, 0}},
    {"corners move", BOX(1, 0.5, 0.5), CORNERS, {-5, 0, 0}, {4, 0, 0}, HIT, 0.25, 1, {-1}, {-1, 0.25, 0}},
    {"a point", BOX(2, 1, 1), DOT, {0.5, 3, 0}, {0, -8, 0}, HIT, 2.25 / 8, 4.25 / 8, {0, 1}, {1, 1, 0.125}},
    {"points that meet", DOT, DOT, {4, 0, 0}, {-8, 0, 0}, HIT, 0.5, 0.5, {1}, {0.5, 0.25, 0.125}},
    {"past", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 2, 0}, {-12, 0, 0}, APART, 0, 0, {0}, {0}},
    {"away", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 0.25, 0}, {6, 1, 0}, APART, 0, 0, {0}, {0}},
    {"not far enough", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 0.25, 0}, {-2.75, 0, 0}, APART, 0, 0, {0}, {0}},
    {"at rest", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 0.25, 0}, {0, 0, 0}, APART, 0, 0, {0}, {0}},
    {"overlapping at rest", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {2.5, 1, 0}, {0, 0, 0}, OVERLAP, 0, 1, {0}, {1.75, 0.75, 0}},
    {"overlapping and parting", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {2.5, 1, 0}, {2, 0, 0}, OVERLAP, 0, 0.25, {0},
     {1.75, 0.75, 0}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* What sweep is not about, on top of the first case. */
typedef enum twist { NONE, TURNED, TURNING, ROUND, POLYGON, TWISTS } twist;

static gjb_scene *couple(uint32_t dim, gjb_precision precision, const test_case *c, twist how)
{
    static const double drift[3] = {2.5, -1.75, 0.5};
    gjb_scene *scene = gjb_scene_new(dim, precision, 2, 16, 2, 2);
    if (scene == NULL)
        abort();
    for (uint32_t i = 0; i < 2; i++) {
        const solid *s = i == 0 ? &c->a : &c->b;
        double rows[12] = {0}, motion[6] = {0}, at[3];
        for (uint32_t k = 0; k < dim * s->count; k++)
            rows[k] = s->rows[k / dim][k % dim];
        for (uint32_t k = 0; k < 3; k++) {
            at[k] = 50.5 + (i == 1 ? c->at[k] : 0);
            motion[k] = k < dim ? drift[k] + (i == 1 ? c->way[k] : 0) : 0;
        }
        const int here = i == 1 && how != NONE;
        if (here && how == TURNING)
            motion[dim == 2 ? 2 : 4] = 0.25;
        const gjb_kind kind = !here || how != POLYGON ? s->kind : dim == 2 ? GJB_POLYGON : GJB_HULL;
        gjb_scene_set_shape(scene, i, kind, 8 * i, kind == s->kind ? s->count : 4, rows,
                            here && how == ROUND ? 0.125 : s->radius);
        const double cosine = here && how == TURNED ? 0.8 : 1, sine = here && how == TURNED ? 0.6 : 0;
        if (dim == 2)
            gjb_scene_set_pose(scene, 0, i, (gjb_pose2d){at[0], at[1], cosine, sine});
        else
            gjb_scene_set_pose3(scene, 0, i, (gjb_pose3d){at[0], at[1], at[2], 0, 0, sine, cosine});
        if (gjb_scene_set_motion(scene, 0, i, motion) != 0)
            abort();
    }
    static const uint32_t pairs[] = {0, 1, 1, 0};
    memcpy(scene->frames[0].pairs, pairs, sizeof pairs);
    return scene;
}

static int near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

static void check(const gjb_contender *contender, uint32_t dim, gjb_precision precision, const test_case *c, int swapped,
                  const gjb_result *r)
{
    const double tolerance = precision == GJB_F32 ? 1e-5 : 1e-12, sign = swapped ? -1 : 1;
    char text[300];
    snprintf(text, sizeof text, "%s, %uD, %s, %s: status %s, %.9g to %.9g, normal (%g %g %g), point (%g %g %g)",
             contender->name, (unsigned)dim, c->name, swapped ? "swapped" : "straight", gjb_status_name(r->status),
             r->value, r->last, r->normal[0], r->normal[1], r->normal[2], r->point_a[0], r->point_a[1], r->point_a[2]);
    cr_expect(r->status == c->status, "%s", text);
    cr_expect(near(r->value, c->first, tolerance) && near(r->last, c->last, tolerance), "%s", text);
    for (uint32_t i = 0; i < dim; i++) {
        const double shift = c->at[i] + c->first * c->way[i], point = c->point[i] - (swapped ? shift : 0);
        if (contender->ours || c->a.kind != GJB_POINT) /* a point has two faces at once: box2d-ray takes the far one */
            cr_expect(r->normal[i] == sign * c->normal[i], "%s", text);
        if (!(contender->no_points >> GJB_SWEEP & 1) && c->status != GJB_SEPARATED)
            cr_expect(near(r->point_a[i], point, 10 * tolerance), "%s", text);
    }
}

static void ask(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                const test_case *c, twist how)
{
    gjb_scene *scene = couple(dim, precision, c, how);
    gjb_error error = {""};
    gjb_session *session = gjb_session_open(contender, backend, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    gjb_sweep3d results[2];
    cr_assert_eq(gjb_session_run(session, GJB_SWEEP, 0, 0, 2, 0, 1, results, NULL), 0);
    for (int swapped = 0; swapped < 2; swapped++) {
        const gjb_result r = gjb_result_get(GJB_SWEEP, precision, dim, results, (uint64_t)swapped);
        if (how != NONE)
            cr_expect(r.status == GJB_UNSUPPORTED, "%s, %uD, twist %d: %s", contender->name, (unsigned)dim, how,
                      gjb_status_name(r.status));
        else
            check(contender, dim, precision, c, swapped, &r);
    }
    gjb_session_close(session);
    gjb_scene_free(scene);
}

static void ask_all(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                    double gap)
{
    (void)gap;
    for (size_t i = 0; i < CASES; i++)
        ask(contender, backend, dim, precision, &cases[i], NONE);
    for (int how = NONE + 1; how < TWISTS; how++)
        ask(contender, backend, dim, precision, &cases[0], (twist)how);
}

Test(sweep, first_and_last_contact)
{
    test_each(1u << 2 | 1u << 3, 1u << GJB_SWEEP, 0, ask_all, 0);
}

/* Whoever does not claim them is not asked about them. */
Test(sweep, boxes_by_corners_are_declined_by_who_does_not_take_them)
{
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *contender = gjb_contender_at(i);
        const gjb_precision precision = contender->precisions >> GJB_F32 & 1 ? GJB_F32 : GJB_F64;
        const uint32_t dim = contender->dims >> 2 & 1 ? 2 : 3;
        gjb_query query = GJB_INTERSECT;
        while (!(contender->queries >> query & 1u))
            query++;
        gjb_scene *scene = couple(dim, precision, &cases[4], NONE);
        gjb_error error = {""};
        gjb_session *session = gjb_session_open(contender, NULL, scene, 1, &error);
        cr_assert_not_null(session, "%s", error.text);
        gjb_manifold3d results[2];
        cr_assert_eq(gjb_session_run(session, query, 0, 0, 2, 0, 1, results, NULL), 0);
        for (uint64_t k = 0; k < 2; k++)
            cr_expect_eq(gjb_result_get(query, precision, dim, results, k).status == GJB_UNSUPPORTED,
                         !(contender->kinds >> GJB_AABB & 1u), "%s", contender->name);
        gjb_session_close(session);
        gjb_scene_free(scene);
    }
}
