/* Every contender of the build that gives manifolds, on those that are known from paper: overlapping, apart by less
 * than the margin, and by more; each also with the bodies exchanged, in the world's frame and in a turned one. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "contenders/harness.h"
#include "contenders/tests/manifolds/cases.h"
#include "contenders/tests/scenes.h"

#define MARGIN 0.25
#define ROUNDING 256.0 /* of a pair, in eps S, with the rounding of the poses themselves */

typedef struct frame {
    double at[3], turn[4];
} frame;

/* In the plane by `turn` 0 and 1, a cosine and a sine. */
static const frame frames[2][2] = {
    {{{0, 0, 0}, {1, 0, 0, 0}}, {{3, -2, 0}, {0.6, 0.8, 0, 0}}},
    {{{0, 0, 0}, {0, 0, 0, 1}}, {{3, -2, 5}, {0.5, -0.1, 0.7, 0.5}}},
};

static void turn(const frame *f, uint32_t dim, const double v[3], double out[3])
{
    const double *q = f->turn;
    if (dim == 2) {
        out[0] = q[0] * v[0] - q[1] * v[1];
        out[1] = q[1] * v[0] + q[0] * v[1];
        out[2] = 0;
        return;
    }
    double w[3], x[3];
    for (int i = 0; i < 3; i++)
        w[i] = 2 * (q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3]);
    for (int i = 0; i < 3; i++)
        x[i] = q[(i + 1) % 3] * w[(i + 2) % 3] - q[(i + 2) % 3] * w[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + q[3] * w[i] + x[i];
}

static void compose(const double p[4], const double q[4], uint32_t dim, double out[4])
{
    if (dim == 2) {
        out[0] = p[0] * q[0] - p[1] * q[1];
        out[1] = p[1] * q[0] + p[0] * q[1];
        return;
    }
    out[3] = p[3] * q[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = p[3] * q[i] + p[i] * q[3] + p[j] * q[k] - p[k] * q[j];
        out[3] -= p[i] * q[i];
    }
}

static void set_body(gjb_scene *scene, uint32_t body, uint32_t dim, const frame *f)
{
    const double *t = f->turn, *at = f->at;
    if (dim == 2)
        gjb_scene_set_pose(scene, 0, body, (gjb_pose2d){at[0], at[1], t[0], t[1]});
    else
        gjb_scene_set_pose3(scene, 0, body, (gjb_pose3d){at[0], at[1], at[2], t[0], t[1], t[2], t[3]});
}

static void set_shape(gjb_scene *scene, uint32_t index, uint32_t first, uint32_t dim, const manifold_shape *s)
{
    double rows[8 * 3];
    for (uint32_t i = 0; i < s->count * dim; i++)
        rows[i] = s->rows[i / dim][i % dim];
    gjb_scene_set_shape(scene, index, s->kind, first, s->count, rows, s->radius);
}

/* Pair 0 is A with B, pair 1 is B with A. */
static gjb_scene *scene_of(const manifold_case *c, const frame *world, gjb_precision precision, double gap)
{
    gjb_scene *scene = gjb_scene_new(c->dim, precision, 2, c->a.count + c->b.count, 2, 2);
    static const uint32_t pairs[] = {0, 1, 1, 0};
    if (scene == NULL)
        abort();
    set_shape(scene, 0, 0, c->dim, &c->a);
    set_shape(scene, 1, c->a.count, c->dim, &c->b);
    double within[3] = {c->at[0], c->at[1], c->at[2]};
    within[c->dim - 1] += gap;
    frame b = {{0, 0, 0}, {0, 0, 0, 0}};
    turn(world, c->dim, within, b.at);
    for (int i = 0; i < 3; i++)
        b.at[i] += world->at[i];
    compose(world->turn, c->turn, c->dim, b.turn);
    set_body(scene, 0, c->dim, world);
    set_body(scene, 1, c->dim, &b);
    memcpy(scene->frames[0].pairs, pairs, sizeof pairs);
    scene->margin = MARGIN;
    return scene;
}

static int is_round(const manifold_shape *shape)
{
    return shape->kind == GJB_CYLINDER || shape->kind == GJB_CONE;
}

/* What an answer is held against, in the world, relative to the first body. */
typedef struct expected {
    const gjb_contender *contender;
    const manifold_case *of;
    int exchanged; /* 1: B is the first body */
    char name[160];
    double gap, tolerance, normal[3];
    double points[4][3]; /* on the case's A */
} expected;

/* FCL meets two boxes, and balls and what has no faces, in closed form. All other pairs it searches, by libccd's
 * portals or its EPA. So does Bullet cylinders and cones, and ODE cylinders but on boxes and balls, and MuJoCo all but
 * balls, capsules and boxes; the depth that it has of two boxes is half of theirs. Neither depth nor
 * normal is that of the truth by more than they document, at tight tolerances by far. verify counts those; here they
 * say no more than whether they overlap. */
static int is_searched(const gjb_contender *contender, const manifold_case *c)
{
    const int round = is_round(&c->a) || is_round(&c->b);
    if (round && (strncmp(contender->name, "bullet-", 7) == 0 ||
                  (strncmp(contender->name, "ode-", 4) == 0 && c->a.kind != GJB_BOX && c->b.kind != GJB_BOX)))
        return 1;
    if (strncmp(contender->name, "mujoco", 6) == 0)
        return (c->a.kind != GJB_POINT && c->a.kind != GJB_SEGMENT) ||
               (c->b.kind != GJB_POINT && c->b.kind != GJB_SEGMENT);
    const int balls = c->a.kind == GJB_POINT || c->b.kind == GJB_POINT;
    const int hulls = c->a.kind == GJB_HULL || c->b.kind == GJB_HULL;
    const int closed = !hulls && (balls || (c->a.kind == GJB_BOX && c->b.kind == GJB_BOX));
    return !closed && strncmp(contender->name, "fcl-", 4) == 0;
}

static expected expect(const gjb_contender *contender, const manifold_case *c, const frame *world, double gap,
                       gjb_precision precision, int exchanged)
{
    expected e = {.contender = contender, .of = c, .exchanged = exchanged, .gap = gap};
    double normal[3] = {0, 0, 0}, origin[3] = {0, 0, 0};
    snprintf(e.name, sizeof e.name, "%s, %uD %s%s, %s, gap %g", contender->name, (unsigned)c->dim, c->name,
             exchanged ? " exchanged" : "", gjb_precision_name(precision), gap);
    e.tolerance = ROUNDING * gjb_epsilon(precision) + contender->tau[GJB_MANIFOLD] + contender->skin;
    normal[c->dim - 1] = exchanged ? -1 : 1;
    turn(world, c->dim, normal, e.normal);
    if (exchanged) {
        memcpy(origin, c->at, sizeof origin);
        origin[c->dim - 1] += gap;
    }
    for (uint32_t i = 0; i < c->count && i < 4; i++) {
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = c->points[i][k] - origin[k];
        turn(world, c->dim, point, e.points[i]);
    }
    return e;
}

static double dot(const double p[3], const double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static double distance_of(const double p[3], const double q[3])
{
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

/* How far a contact lies from a point across the normal. */
static double across(const expected *e, const gjb_contact3d *contact, const double point[3])
{
    double off[3];
    for (int k = 0; k < 3; k++)
        off[k] = contact->point_a[k] - point[k];
    const double along = dot(off, e->normal);
    for (int k = 0; k < 3; k++)
        off[k] -= along * e->normal[k];
    return sqrt(dot(off, off));
}

/* What the case calls A is level where they meet. */
static void check_contact(const expected *e, const gjb_result *r, uint32_t i)
{
    const gjb_contact3d *contact = &r->contact[i];
    for (int k = 0; k < 3; k++) {
        const double off = contact->point_b[k] - contact->point_a[k] - contact->separation * r->normal[k];
        cr_assert_lt(fabs(off), e->tolerance, "%s: contact %u: points are not the separation apart", e->name, i);
    }
    cr_assert_lt(contact->separation, MARGIN + e->tolerance, "%s: contact %u", e->name, i);
    for (uint32_t k = 0; k < i; k++)
        cr_assert_neq(contact->feature, r->contact[k].feature, "%s: two contacts have one feature", e->name);
    const double *level = e->exchanged ? contact->point_b : contact->point_a;
    const double off = dot(level, e->normal) - dot(e->points[0], e->normal);
    /* Where ODE has the only position of a cylinder's contact its manual does not say: it is half way. */
    const int anywhere = (is_round(&e->of->a) || is_round(&e->of->b)) && e->contender->no_points >> GJB_MANIFOLD & 1;
    cr_assert_lt(fabs(off), e->tolerance + (anywhere ? fabs(contact->separation) : 0),
                 "%s: contact %u: %g off the surface", e->name, i, off);
}

/* Of two boxes every library gives all that fit. */
static void check_contacts(const expected *e, const gjb_result *r)
{
    const int boxes = e->of->a.kind == GJB_BOX && e->of->b.kind == GJB_BOX;
    const int partial = !boxes && e->contender->partial >> GJB_MANIFOLD & 1;
    double least = INFINITY;
    cr_assert_lt(distance_of(r->normal, e->normal), e->tolerance, "%s: normal (%g %g %g)", e->name, r->normal[0],
                 r->normal[1], r->normal[2]);
    for (uint32_t i = 0; i < r->count; i++) {
        check_contact(e, r, i);
        least = fmin(least, r->contact[i].separation);
    }
    cr_assert_lt(fabs(least - e->gap), e->tolerance, "%s: the least separation is %g", e->name, least);
    for (uint32_t i = 0; i < e->of->count && !partial; i++) {
        double nearest = INFINITY;
        for (uint32_t k = 0; k < r->count; k++)
            nearest = fmin(nearest, across(e, &r->contact[k], e->points[i]));
        cr_assert_lt(nearest, 2 * e->tolerance, "%s: point %u is %g from any contact of %u", e->name, i, nearest,
                     r->count);
    }
}

static void check(const expected *e, const gjb_result *r)
{
    const gjb_status status = e->gap > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    const int may_lack = e->contender->touching_only >> GJB_MANIFOLD & 1 && e->gap > 0;
    cr_assert_eq(r->status, status, "%s: %s", e->name, gjb_status_name(r->status));
    if (e->gap > MARGIN)
        cr_assert_eq(r->count, 0, "%s: %u contacts", e->name, r->count);
    else if ((r->count > 0 || !may_lack) && !is_searched(e->contender, e->of))
        check_contacts(e, r);
}

static int claims(const gjb_contender *c, const manifold_case *of)
{
    return c->kinds >> of->a.kind & 1 && c->kinds >> of->b.kind & 1;
}

/* Of a pair, and of the same exchanged. */
static void answers_of(const gjb_contender *contender, const char *backend, const manifold_case *c, const frame *world,
                       gjb_precision precision, double gap, gjb_manifold3d results[2])
{
    gjb_error error = {""};
    gjb_scene *scene = scene_of(c, world, precision, gap);
    gjb_session *session = gjb_session_open(contender, backend, scene, 1, &error);
    cr_assert_not_null(session, "%s: %s", contender->name, error.text);
    cr_assert_eq(gjb_session_run(session, GJB_MANIFOLD, 0, 0, 2, 0, 1, results, NULL), 0, "%s: %s: unwritten",
                 contender->name, c->name);
    gjb_session_close(session);
    gjb_scene_free(scene);
}

static void ask_case(const gjb_contender *contender, const char *backend, const manifold_case *c,
                     gjb_precision precision, double gap)
{
    for (int at = 0; at < 2; at++) {
        const frame *world = &frames[c->dim - 2][at];
        gjb_manifold3d results[2];
        answers_of(contender, backend, c, world, precision, gap, results);
        for (int exchanged = 0; exchanged < 2; exchanged++) {
            const gjb_result r = gjb_result_get(GJB_MANIFOLD, precision, c->dim, results, (uint64_t)exchanged);
            const expected e = expect(contender, c, world, gap, precision, exchanged);
            if (r.status == GJB_UNSUPPORTED)
                cr_assert(c->a.radius + c->b.radius > 0, "%s: sharp, and not supported", e.name);
            else
                check(&e, &r);
        }
    }
}

static void ask(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision, double gap)
{
    for (unsigned i = 0; i < manifold_case_count; i++)
        if (manifold_cases[i].dim == dim && claims(contender, &manifold_cases[i]))
            ask_case(contender, backend, &manifold_cases[i], precision, gap);
}

Test(manifolds, of_shapes_that_overlap)
{
    test_each(1u << 2 | 1u << 3, 1u << GJB_MANIFOLD, 0, ask, -0.0625);
}

Test(manifolds, of_shapes_apart_within_the_margin)
{
    test_each(1u << 2 | 1u << 3, 1u << GJB_MANIFOLD, 0, ask, 0.0625);
}

Test(manifolds, of_shapes_apart_beyond_the_margin)
{
    test_each(1u << 2 | 1u << 3, 1u << GJB_MANIFOLD, 0, ask, 1);
}

/* What a contender has no manifold for, on a box that it has one for. */
Test(manifolds, of_unsupported_shapes)
{
    static const manifold_shape square = {GJB_BOX, 1, {{1, 1}}, 0}, cube = {GJB_BOX, 1, {{1, 1, 1}}, 0};
    static const struct {
        const char *name, *shape;
        uint32_t dim;
        manifold_shape b;
    } cases[] = {
        {"textbook-clip2", "circle", 2, {GJB_POINT, 1, {{0}}, 0.5}},
        {"textbook-clip2", "rounded box", 2, {GJB_BOX, 1, {{1, 1}}, 0.5}},
        {"textbook-clip3", "rounded box", 3, {GJB_BOX, 1, {{1, 1, 1}}, 0.5}},
        {"textbook-clip3", "flat box", 3, {GJB_BOX, 1, {{1, 1, 0}}, 0}},
        {"box2d", "capsule", 2, {GJB_SEGMENT, 2, {{-1, 0}, {1, 0}}, 0.5}},
        {"chipmunk", "flat polygon", 2, {GJB_POLYGON, 3, {{-1, 0}, {1, 0}, {0, 0}}, 0}},
        {"ode-boxbox", "rounded box", 3, {GJB_BOX, 1, {{1, 1, 1}}, 0.5}},
        {"ode-boxbox", "triangle", 3, {GJB_TRIANGLE, 3, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0}},
        {"mujoco", "rounded box", 3, {GJB_BOX, 1, {{1, 1, 1}}, 0.5}},
        {"mujoco", "flat hull", 3, {GJB_HULL, 4, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, 0}},
        {"fcl-indep", "rounded box", 3, {GJB_BOX, 1, {{1, 1, 1}}, 0.5}},
        {"fcl-libccd", "flat hull", 3, {GJB_HULL, 4, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const gjb_contender *contender = gjb_contender_find(cases[i].name);
        if (contender == NULL)
            continue;
        const uint32_t dim = cases[i].dim;
        const manifold_case of = {cases[i].shape, dim, dim == 2 ? square : cube, cases[i].b, {0, 0, 0},
                                  {dim == 2, 0, 0, dim == 3}, 0, {{0}}};
        const gjb_precision precision = contender->precisions >> GJB_F64 & 1 ? GJB_F64 : GJB_F32;
        gjb_manifold3d results[2];
        answers_of(contender, NULL, &of, &frames[dim - 2][0], precision, 0, results);
        for (uint64_t exchanged = 0; exchanged < 2; exchanged++) {
            const gjb_result r = gjb_result_get(GJB_MANIFOLD, precision, dim, results, exchanged);
            cr_assert_eq(r.status, GJB_UNSUPPORTED, "%s: %s: %s", cases[i].name, of.name, gjb_status_name(r.status));
            cr_assert_eq(r.count, 0);
        }
    }
}
