/* Contenders in motion, on pairs whose times are known from paper: when, along which normal, and what a
 * library's own conventions are made into. All is far from the origin, and A moves along with B where
 * that changes no time.
 */
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

/* B starts at `at` from A; each shape moves as `motion` says, in 2D about z. */
typedef struct test_case {
    const char *name;
    solid a, b;
    double at[3], way[3]; /* of B as A sees it */
    double turn;          /* of A about z, in radians */
    gjb_status status;
    double time, normal[3], point[3]; /* on A, if just one point is hit */
    double speed;                     /* of approach along the normal when it hits */
} test_case;

#define BALL(radius) {GJB_POINT, 1, {{0}}, radius}
#define BOX(x, y, z) {GJB_BOX, 1, {{x, y, z}}, 0}
#define ROD {GJB_SEGMENT, 2, {{0.5, 0, 0}, {2, 0, 0}}, 0.125}
#define HIT GJB_HIT
#define APART GJB_SEPARATED
#define OVERLAP GJB_OVERLAPPING

/* A ball whose centre is 1.5 from the rod's origin, 0.6 radians ahead of it, is hit once 1.5 sin(what is left) is
 * the sum of both radii. */
#define AHEAD 0.6
#define LEFT asin(0.375 / 1.5)

static test_case cases[] = {
    {"balls", BALL(0.5), BALL(1), {5, 0, 0}, {-4, 0, 0}, 0, HIT, 0.875, {1, 0, 0}, {0.5, 0, 0}, 4},
    {"ball off its origin", {GJB_POINT, 1, {{0.5, 0.25, 0}}, 0.5}, BALL(1), {5.5, 0.25, 0}, {-4, 0, 0}, 0, HIT, 0.875,
     {1, 0, 0}, {1, 0.25, 0}, 4},
    {"boxes", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 0.25, 0}, {-6, 0, 0}, 0, HIT, 0.5, {1, 0, 0}, {NAN}, 6},
    {"boxes aslant", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 4, 0}, {-6, -3, 0}, 0, HIT, 2.5 / 3, {0, 1, 0}, {NAN}, 3},
    {"box and ball", BOX(2, 1, 1), BALL(0.5), {0.25, 3.5, 0}, {0, -4, 0}, 0, HIT, 0.5, {0, 1, 0}, {0.25, 1, 0}, 4},
    {"ball and box", BALL(0.5), BOX(2, 1, 1), {0.25, 3.5, 0}, {0, -4, 0}, 0, HIT, 0.5, {0, 1, 0}, {0, 0.5, 0}, 4},
    {"rod and ball", ROD, BALL(0.5), {1.25, 3, 0}, {0, -4, 0}, 0, HIT, 0.59375, {0, 1, 0}, {1.25, 0.125, 0}, 4},
    {"through in one step", BOX(0.0625, 2, 2), BALL(0.25), {5, 0.5, 0}, {-20, 0, 0}, 0, HIT, 4.6875 / 20, {1, 0, 0},
     {0.0625, 0.5, 0}, 20},
    {"away", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 0.25, 0}, {6, 1, 0}, 0, APART, 0, {0}, {0}, 0},
    {"past", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {6, 2, 0}, {-12, 0, 0}, 0, APART, 0, {0}, {0}, 0},
    {"not far enough", BALL(0.5), BALL(1), {5, 0, 0}, {-3.25, 0, 0}, 0, APART, 0, {0}, {0}, 0},
    {"at rest and apart", BALL(0.5), BALL(1), {5, 0, 0}, {0, 0, 0}, 0, APART, 0, {0}, {0}, 0},
    {"at rest and overlapping", BOX(2, 1, 1), BALL(1), {2, 0.5, 0}, {0, 0, 0}, 0, OVERLAP, 0, {0}, {0}, 0},
    {"overlapping and closing", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {2.5, 0.25, 0}, {-1, 0, 0}, 0, OVERLAP, 0, {0}, {0}, 0},
    {"overlapping and parting", BOX(2, 1, 1), BOX(1, 0.5, 0.5), {2.5, 0.25, 0}, {9, 0, 0}, 0, OVERLAP, 0, {0}, {0}, 0},
    {"balls that overlap and part", BALL(0.5), BALL(1), {1.25, 0, 0}, {5, 0, 0}, 0, OVERLAP, 0, {0}, {0}, 0},
    {"turning rod", ROD, BALL(0.25), {1.5, AHEAD, 0}, {0, 0, 0}, 0.75, HIT, 0, {0}, {0}, 0},
    {"turning rod and a long step", ROD, BALL(0.25), {1.5, AHEAD, 0}, {0, 0, 0}, 2.5, HIT, 0, {0}, {0}, 0},
    {"rod of many turns", ROD, BALL(0.25), {1.5, AHEAD, 0}, {0, 0, 0}, 25, HIT, 0, {0}, {0}, 0},
    {"rod that turns away", ROD, BALL(0.25), {1.5, AHEAD, 0}, {0, 0, 0}, -0.75, APART, 0, {0}, {0}, 0},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* What is written in polar coordinates above. */
__attribute__((constructor)) static void fill_turning(void)
{
    for (size_t i = 0; i < CASES; i++) {
        test_case *c = &cases[i];
        if (c->turn == 0)
            continue;
        const double angle = AHEAD - LEFT, along = 1.5 * cos(LEFT), out = 0.125;
        c->at[0] = 1.5 * cos(AHEAD);
        c->at[1] = 1.5 * sin(AHEAD);
        if (c->status != GJB_HIT)
            continue;
        c->time = angle / c->turn;
        c->normal[0] = -sin(angle);
        c->normal[1] = cos(angle);
        c->point[0] = along * cos(angle) + out * c->normal[0];
        c->point[1] = along * sin(angle) + out * c->normal[1];
        c->speed = along * c->turn;
    }
}

/* The most that a contender lets a body turn; more is unsupported. */
static double most_turn(const gjb_contender *contender)
{
    static const struct {
        const char *name;
        double turn;
    } known[] = {{"box2d-cast", 0},         {"bullet-ccd", 0.7854}, {"bullet-gjkcast", 0},
                 {"bullet-simplexcast", 0}, {"fcl-libccd", M_PI},   {"fcl-indep", M_PI},
                 {"fcl-sampled", M_PI}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(contender->name, known[i].name) == 0)
            return known[i].turn;
    return INFINITY;
}

/* What they are known to miss. */
static int misses(const gjb_contender *contender, const test_case *c)
{
    static const struct {
        const char *contender, *name;
    } known[] = {
        {"fcl-sampled", "through in one step"}, /* happens between its looks */
        {"box2d", "rod of many turns"},         /* apart along its axis at the end, so it says "separated" */
        {"box2d-skin", "rod of many turns"},
        {"bullet-gjkcast", "boxes"}, /* its step ends in contact, where btGjkPairDetector has no result */
        {"bullet-gjkcast", "boxes aslant"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(contender->name, known[i].contender) == 0 && strcmp(c->name, known[i].name) == 0)
            return 1;
    return 0;
}

static const double drift[3] = {2.5, -1.75, 0.5}; /* of A, and of B apart from its own way */

static gjb_scene *couple(uint32_t dim, gjb_precision precision, const test_case *c)
{
    gjb_scene *scene = gjb_scene_new(dim, precision, 2, c->a.count + c->b.count, 2, 2);
    if (scene == NULL)
        abort();
    uint32_t first = 0;
    const solid *solids[2] = {&c->a, &c->b};
    const double from[2] = {1, 0};
    for (uint32_t i = 0; i < 2; i++) {
        const double position[3] = {50.5 + (i == 1 ? c->at[0] : 0), -25.25 + (i == 1 ? c->at[1] : 0),
                                    10.125 + (i == 1 ? c->at[2] : 0)};
        double rows[6], motion[6] = {0};
        for (uint32_t k = 0; k < dim * solids[i]->count; k++)
            rows[k] = solids[i]->rows[k / dim][k % dim];
        gjb_scene_set_shape(scene, i, solids[i]->kind, first, solids[i]->count, rows, solids[i]->radius);
        first += solids[i]->count;
        for (uint32_t k = 0; k < dim; k++)
            motion[k] = drift[k] + (i == 1 ? c->way[k] : 0);
        motion[dim == 2 ? 2 : 5] = i == 0 ? c->turn : 0;
        if (dim == 2)
            gjb_scene_set_pose(scene, 0, i, (gjb_pose2d){position[0], position[1], from[0], from[1]});
        else
            gjb_scene_set_pose3(scene, 0, i, (gjb_pose3d){position[0], position[1], position[2], 0, 0, 0, 1});
        if (gjb_scene_set_motion(scene, 0, i, motion) != 0)
            abort();
    }
    static const uint32_t pairs[] = {0, 1, 1, 0};
    memcpy(scene->frames[0].pairs, pairs, sizeof pairs);
    return scene;
}

static void check(const gjb_contender *contender, gjb_precision precision, uint32_t dim, const test_case *c, int swapped,
                  const gjb_result *r)
{
    static const gjb_result nothing;
    const double rounding = precision == GJB_F32 ? 1e-4 : 1e-9;
    const double path = hypot(c->way[0], c->way[1]) + 3 * fabs(c->turn), looks = 1.0 / 9;
    const double time = strcmp(contender->name, "fcl-sampled") == 0 ? looks : contender->tau_time;
    const double taught = strncmp(contender->name, "textbook-", 9) == 0 ? 0.02 : 0; /* its distance to what is round */
    const double tolerance = contender->tau[GJB_TOI] + time * path + contender->skin + rounding + taught;
    char text[300];
    snprintf(text, sizeof text, "%s, %uD, %s, %s: status %s at %.9g of %.9g, normal (%g %g %g), point (%g %g %g)",
             contender->name, (unsigned)dim, c->name, swapped ? "swapped" : "straight", gjb_status_name(r->status),
             r->value, c->time, r->normal[0], r->normal[1], r->normal[2], r->point_a[0], r->point_a[1], r->point_a[2]);
    if (fabs(c->turn) > most_turn(contender)) {
        cr_expect(r->status == GJB_UNSUPPORTED, "%s", text);
        return;
    }
    if (misses(contender, c))
        return;
    cr_expect(r->status == c->status, "%s", text);
    if (r->status != GJB_HIT) {
        gjb_result fields = *r;
        fields.status = nothing.status;
        fields.iterations = 0;
        cr_expect(memcmp(&fields, &nothing, sizeof fields) == 0, "%s", text);
        return;
    }
    cr_expect(r->value > 0 && r->value <= 1, "%s", text);
    cr_expect(fabs(r->value - c->time) * c->speed <= tolerance, "%s", text);
    const double sign = swapped ? -1 : 1;
    for (uint32_t i = 0; i < dim && !(contender->no_normal >> GJB_TOI & 1); i++)
        cr_expect(fabs(r->normal[i] - sign * c->normal[i]) <= 20 * tolerance, "%s", text);
    for (uint32_t i = 0; i < dim && !(contender->no_points >> GJB_TOI & 1) && !isnan(c->point[0]); i++) {
        const double from_b = c->point[i] - c->at[i] - c->time * c->way[i];
        const double *on_a = swapped ? r->point_b : r->point_a;
        cr_expect(fabs(on_a[i] - (swapped ? from_b : c->point[i])) <= 20 * tolerance, "%s", text);
    }
}

static void check_case(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                       const test_case *c)
{
    gjb_scene *scene = couple(dim, precision, c);
    gjb_error error = {""};
    gjb_session *session = gjb_session_open(contender, backend, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    gjb_result3d results[2];
    cr_assert_eq(gjb_session_run(session, GJB_TOI, 0, 0, 2, 0, 1, results, NULL), 0);
    for (int swapped = 0; swapped < 2; swapped++) {
        const gjb_result r = gjb_result_get(GJB_TOI, precision, dim, results, (uint64_t)swapped);
        check(contender, precision, dim, c, swapped, &r);
    }
    gjb_session_close(session);
    gjb_scene_free(scene);
}

static void check_times(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                        double gap)
{
    (void)gap;
    for (size_t i = 0; i < CASES; i++)
        check_case(contender, backend, dim, precision, &cases[i]);
}

Test(motion, times)
{
    test_each(1u << 2 | 1u << 3, 1u << GJB_TOI, 0, check_times, 0);
}
