/* Every contender of the build that takes curved shapes in 3D, on pairs whose answers are known from paper.
 *
 * A feature is a point of a core whose outward normal there is known: the tip and side of a cone, the rim of a
 * cylinder, a point of an ellipsoid. Any two that meet in one point make a pair: B is turned so that its normal
 * is against A's, spun about it, and put `gap` away. Then sigma = gap, along that normal, between these points:
 * apart by the two supporting planes; overlapping, by so little that no curvature is in the way, because the
 * difference of both shapes is smooth at that point of its surface. Of curved kinds and all others.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "contenders/tests/paper3.h"

/* `flat` is the dimension of the part of the surface that has this normal, `sharp` that of the normals that
 * this point has and 1: 1 if there is but one. */
typedef struct feature {
    const char *name;
    gjb_kind kind;
    uint32_t count;
    double rows[3][3], radius;
    double point[3], normal[3]; /* the normal of any length */
    int flat, sharp;
    int weighted; /* `point` holds |x/a|^p and so on instead, of a superellipsoid */
} feature;

#define ELLIPSOID(a, b, c) GJB_ELLIPSOID, 1, {{a, b, c}}
#define SUPERELLIPSOID(a, b, c, p) GJB_SUPERELLIPSOID, 2, {{a, b, c}, {p, 0, 0}}
#define CYLINDER GJB_CYLINDER, 1, {{1.25, 0.75, 0}}
#define CONE GJB_CONE, 1, {{1.2, 0.8, 0}}
#define BOX GJB_BOX, 1, {{1, 0.75, 1.25}}

static const feature features[] = {
    {"ellipsoid", ELLIPSOID(2, 1.5, 1), 0, {4 / 3., 0.5, 2 / 3.}, {1 / 3., 2 / 9., 2 / 3.}, 0, 1, 0},
    {"end of an ellipsoid", ELLIPSOID(1.5, 1.25, 1), 0, {0, 0, -1}, {0, 0, -1}, 0, 1, 0},
    {"equal axes", ELLIPSOID(1.75, 1.75, 1.75), 0, {0.5, -0.75, 1.5}, {2, -3, 6}, 0, 1, 0},
    {"rounded ellipsoid", ELLIPSOID(2, 1.5, 1), 0.25, {4 / 3., -0.5, 2 / 3.}, {1 / 3., -2 / 9., 2 / 3.}, 0, 1, 0},
    {"superellipsoid of 1.5", SUPERELLIPSOID(2, 1.5, 1, 1.5), 0, {0.25, 0.25, 0.5}, {1, 1, 1}, 0, 1, 1},
    {"superellipsoid of 2", SUPERELLIPSOID(2, 1.5, 1, 2), 0, {0.5, 0.25, 0.25}, {1, -1, 1}, 0, 1, 1},
    {"superellipsoid of 4", SUPERELLIPSOID(1.5, 1, 2, 4), 0, {0.25, 0.25, 0.5}, {-1, 1, 1}, 0, 1, 1},
    {"superellipsoid of 16", SUPERELLIPSOID(1, 1.5, 2, 16), 0, {0.5, 0.25, 0.25}, {1, 1, -1}, 0, 1, 1},
    {"rounded superellipsoid", SUPERELLIPSOID(1.5, 1, 2, 3), 0.125, {0.25, 0.25, 0.5}, {1, 1, 1}, 0, 1, 1},
    {"face of an octahedron", SUPERELLIPSOID(2, 1.5, 1.75, 1), 0, {0.5, 0.25, 0.25}, {1, 1, 1}, 2, 1, 1},
    {"side of a cylinder", CYLINDER, 0, {0.75, 1, 0.25}, {0.6, 0.8, 0}, 1, 1, 0},
    {"cap of a cylinder", CYLINDER, 0, {0.5, -0.25, 0.75}, {0, 0, 1}, 2, 1, 0},
    {"rim of a cylinder", CYLINDER, 0, {0.75, 1, -0.75}, {0.36, 0.48, -0.8}, 0, 2, 0},
    {"rim of a rounded cylinder", CYLINDER, 0.25, {1, -0.75, 0.75}, {0.48, -0.36, 0.8}, 0, 2, 0},
    {"tip of a cone", CONE, 0, {0, 0, 0.8}, {0.28, 0, 0.96}, 0, 3, 0},
    {"side of a cone", CONE, 0, {0.36, 0.48, 0}, {0.48, 0.64, 0.6}, 1, 1, 0},
    {"base of a cone", CONE, 0, {0.25, -0.5, -0.8}, {0, 0, -1}, 2, 1, 0},
    {"rim of a cone", CONE, 0, {0.72, 0.96, -0.8}, {0.48, 0.64, -0.6}, 0, 2, 0},
    {"tip of a rounded cone", CONE, 0.25, {0, 0, 0.8}, {0.28, 0, 0.96}, 0, 3, 0},
    {"sphere", GJB_POINT, 1, {{0.25, -0.5, 0.75}}, 0.5, {0.25, -0.5, 0.75}, {2, 3, 6}, 0, 1, 0},
    {"point", GJB_POINT, 1, {{0.25, -0.5, 0.75}}, 0, {0.25, -0.5, 0.75}, {2, 3, 6}, 0, 3, 0},
    {"capsule", GJB_SEGMENT, 2, {{-1, 0.25, 0}, {1.5, 0.25, 0}}, 0.25, {0.5, 0.25, 0}, {0, 0.6, 0.8}, 1, 1, 0},
    {"segment", GJB_SEGMENT, 2, {{-1, 0.25, 0}, {1.5, 0.25, 0}}, 0, {0.5, 0.25, 0}, {0, 0.6, 0.8}, 1, 2, 0},
    {"triangle", GJB_TRIANGLE, 3, {{-2, -1, 0.5}, {3, -1, 0.5}, {0, 3, 0.5}}, 0, {0.5, 0.25, 0.5}, {0, 0, 1}, 2, 1, 0},
    {"face of a box", BOX, 0, {0.25, -0.5, 1.25}, {0, 0, 1}, 2, 1, 0},
    {"edge of a box", BOX, 0, {1, 0.25, -1.25}, {0.6, 0, -0.8}, 1, 2, 0},
    {"corner of a box", BOX, 0, {1, 0.75, 1.25}, {0.48, 0.64, 0.6}, 0, 3, 0},
    {"side of a rounded box", BOX, 0.25, {-1, 0.5, 0.25}, {-1, 0, 0}, 2, 1, 0},
};
enum { FEATURES = sizeof features / sizeof features[0], MOST_PAIRS = FEATURES * FEATURES };

/* Exactly unit but for rounding: 1 + 4 + 16 + 100 = 121. */
static const double turn_of_a[4] = {1 / 11., 2 / 11., 4 / 11., 10 / 11.}, place_of_a[3] = {8.5, -4.25, 2.125};

static int curved(const feature *f)
{
    return GJB_CURVED_3D >> f->kind & 1u;
}

/* Where they meet in one point, whichever way B is spun; and, overlapping, one direction alone is the
 * shortest. */
static int meet(const feature *a, const feature *b, double gap)
{
    return (curved(a) || curved(b)) && a->flat + b->flat <= 2 &&
           (gap > -a->radius - b->radius || a->sharp + b->sharp <= 4);
}

/* Of the shape, radius included, in its local frame. */
static void point_of(const feature *f, double point[3], double normal[3])
{
    double length = 0;
    for (int i = 0; i < 3; i++) {
        const double p = f->rows[1][0], a = f->rows[0][i];
        point[i] = f->weighted ? copysign(a * pow(f->point[i], 1 / p), f->normal[i]) : f->point[i];
        normal[i] = f->weighted ? copysign(pow(f->point[i], (p - 1) / p) / a, f->normal[i]) : f->normal[i];
        length += normal[i] * normal[i];
    }
    for (int i = 0; i < 3; i++) {
        normal[i] /= sqrt(length);
        point[i] += f->radius * normal[i];
    }
}

/* A rotation that takes one unit vector to another, then spins by some angle about that. */
static void turn_to(const double from[3], const double to[3], double q[4])
{
    const double spin[4] = {0.6 * to[0], 0.6 * to[1], 0.6 * to[2], 0.8};
    double least[4] = {0, 0, 0, 1}, length = 0;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        least[i] = from[(i + 1) % 3] * to[(i + 2) % 3] - from[(i + 2) % 3] * to[(i + 1) % 3];
        least[3] += from[i] * to[i];
        axis = fabs(from[i]) < fabs(from[axis]) ? i : axis;
    }
    if (least[3] < 1e-6) { /* half a turn, about anything across */
        least[3] = 0;
        for (int i = 0; i < 3; i++)
            least[i] = (i == axis) - from[axis] * from[i];
    }
    for (int i = 0; i < 4; i++)
        length += least[i] * least[i];
    for (int i = 0; i < 4; i++)
        least[i] /= sqrt(length);
    paper3_product(spin, least, q);
}

/* A pair from paper: B's pose, and what is true of it. */
typedef struct couple {
    const feature *a, *b;
    gjb_pose3d pose_b;
    double shift[3]; /* of B's translation from A's */
    paper3_truth truth;
} couple;

static couple couple_of(const feature *a, const feature *b, double gap)
{
    couple c = {.a = a, .b = b, .truth.gap = gap};
    double on_a[3], normal_a[3], on_b[3], normal_b[3], facing[3], in_a[4], q[4], from_b[3];
    point_of(a, on_a, normal_a);
    point_of(b, on_b, normal_b);
    for (int i = 0; i < 3; i++)
        facing[i] = -normal_a[i];
    turn_to(normal_b, facing, in_a);
    paper3_product(turn_of_a, in_a, q);
    paper3_turn(turn_of_a, on_a, c.truth.on_a);
    paper3_turn(turn_of_a, normal_a, c.truth.normal);
    paper3_turn(q, on_b, from_b);
    for (int i = 0; i < 3; i++) {
        c.truth.on_b[i] = c.truth.on_a[i] + gap * c.truth.normal[i];
        c.shift[i] = c.truth.on_b[i] - from_b[i];
    }
    c.pose_b = (gjb_pose3d){place_of_a[0] + c.shift[0],
                            place_of_a[1] + c.shift[1],
                            place_of_a[2] + c.shift[2],
                            q[0],
                            q[1],
                            q[2],
                            q[3]};
    return c;
}

static size_t couples_of(double gap, couple couples[MOST_PAIRS])
{
    size_t count = 0;
    for (size_t a = 0; a < FEATURES; a++)
        for (size_t b = 0; b < FEATURES; b++)
            if (meet(&features[a], &features[b], gap))
                couples[count++] = couple_of(&features[a], &features[b], gap);
    return count;
}

/* Pair 2 i is couple i, pair 2 i + 1 the same swapped. */
static gjb_scene *scene_of(gjb_precision precision, const couple *couples, size_t count)
{
    static const gjb_pose3d origin = {8.5, -4.25, 2.125, 1 / 11., 2 / 11., 4 / 11., 10 / 11.};
    gjb_scene *scene = gjb_scene_new(3, precision, 2 * (uint32_t)count, 3 * 2 * (uint64_t)count,
                                     2 * (uint32_t)count, 2 * (uint64_t)count);
    if (scene == NULL)
        abort();
    uint32_t first = 0;
    for (uint32_t i = 0; i < 2 * count; i++) {
        const couple *c = &couples[i / 2];
        const feature *f = i % 2 ? c->b : c->a;
        gjb_scene_set_shape(scene, i, f->kind, first, f->count, f->rows, f->radius);
        gjb_scene_set_pose3(scene, 0, i, i % 2 ? c->pose_b : origin);
        first += f->count;
        scene->frames[0].pairs[2 * i] = i;
        scene->frames[0].pairs[2 * i + 1] = i ^ 1u;
    }
    return scene;
}

/* --- who may do what ---------------------------------------------------------- */

/* On what is curved a method ends by a tolerance. An error e in the value turns the normal, and moves the
 * points, by the order of the square root of e: so of ours too. */
static const paper3_allowance ours[GJB_PRECISIONS] = {{5e-5, 2e-2, 2e-2}, {1e-12, 2e-6, 2e-6}};

/* Of all pairs a thousand, `strays` may be off by more. Measured, and rounded up. */
typedef struct row {
    const char *contender; /* a variant's own before its contender's, which it has too */
    int apart, strays;
    paper3_allowance by;
} row;

static const row rows[] = {
    /* Portals: no least depth, and a position along the portal's rays. */
    {"bullet-mpr", 0, 0, {0.02, 0.75, 0.06}},
    {"libccd-mpr", 0, 0, {0.02, 0.75, 0.06}},
    {"fcl-libccd", 0, 0, {0.02, 0.55, 0.2}},
    {"mujoco", 0, 0, {0.02, 0.75, 0.06}},
    {"ode-boxbox", 0, 0, {2e-3, 0.2, 0.06}},
    {"bullet-gjkepa", 1, 0, {2e-4, 0.03, 0.012}},
    {"bullet-gjkepa", 0, 0, {1e-3, 0.09, 0.02}},
    {"bullet-pair", 1, 0, {5e-3, 0.2, 0.025}},
    /* Samples directions. */
    {"bullet-pair-minkowski", 0, 0, {0.15, 0.9, 0.45}},
    {"bullet-pair", 0, 0, {5e-3, 0.2, 0.03}},
    {"fcl-libccd-tight", 1, 0, {1e-8, 2e-4, 1e-4}},
    {"fcl-libccd", 1, 0, {5e-4, 0.01, 0.01}},
    {"fcl-indep-tight", 1, 0, {5e-11, 1e-5, 3e-6}},
    {"fcl-indep", 1, 0, {2e-6, 2e-3, 1e-3}},
    /* Its EPA gives up on what is curved. */
    {"fcl-indep", 0, 450, {2e-3, 0.2, 0.2}},
    /* Ends early, at times with a depth of 0. */
    {"libccd-epa-tight", 0, 10, {2e-3, 0.2, 1}},
    {"libccd-epa", 0, 60, {0.016, 0.3, 1}},
};

static const row *row_of(const gjb_contender *contender, int apart)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].apart == apart &&
            (!strcmp(rows[i].contender, contender->name) ||
             (contender->variant_of != NULL && !strcmp(rows[i].contender, contender->variant_of))))
            return &rows[i];
    return NULL;
}

/* FCL, ODE and MuJoCo round nothing but points and segments, and the latter two have neither without a radius. */
static int claims(const gjb_contender *contender, const feature *f)
{
    const int fcl = !strncmp(contender->name, "fcl-", 4);
    const int ode = !strcmp(contender->name, "ode-boxbox") || !strncmp(contender->name, "mujoco", 6);
    const int round = f->kind == GJB_POINT || f->kind == GJB_SEGMENT;
    const int refused = round ? ode && f->radius == 0 : (fcl || ode) && f->radius > 0;
    return (contender->kinds >> f->kind & 1u) && !refused;
}

/* --- asking ------------------------------------------------------------------- */

static couple couples[MOST_PAIRS];
static gjb_result3d results[2 * MOST_PAIRS];

static void check(const gjb_contender *contender, gjb_precision precision, gjb_query query, size_t count,
                  double gap)
{
    const row *row = row_of(contender, gap > 0);
    const paper3_allowance *allowed = row != NULL ? &row->by : &ours[precision];
    size_t answers = 0, strays = 0;
    char text[600], name[100], first[600] = "";
    for (size_t i = 0; i < 2 * count; i++) {
        const couple *c = &couples[i / 2];
        const gjb_result r = gjb_result_get(query, precision, 3, results, i);
        paper3_truth truth = c->truth;
        snprintf(name, sizeof name, "%s and %s%s", c->a->name, c->b->name, i % 2 ? ", swapped" : "");
        if (!claims(contender, c->a) || !claims(contender, c->b)) {
            cr_assert(r.status == GJB_UNSUPPORTED, "%s, %s", contender->name, name);
            continue;
        }
        if (i % 2)
            paper3_swap(&truth, c->shift);
        answers++;
        if (!paper3_right(contender, name, allowed, query, &truth, &r, text) && strays++ == 0)
            memcpy(first, text, sizeof first);
    }
    cr_expect(1000 * strays <= (row != NULL ? (size_t)row->strays : 0) * answers, "%zu of %zu: %s", strays,
              answers, first);
}

static void check_all(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                      double gap)
{
    (void)dim;
    const size_t count = couples_of(gap, couples);
    gjb_scene *scene = scene_of(precision, couples, count);
    gjb_error error = {""};
    gjb_session *session = gjb_session_open(contender, backend, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    for (int query = 0; query < GJB_STILL_QUERIES; query++) {
        if (!(contender->queries >> query & 1u))
            continue;
        cr_assert_eq(gjb_session_run(session, (gjb_query)query, 0, 0, 2 * count, 0, 1, results, NULL), 0);
        check(contender, precision, (gjb_query)query, count, gap);
    }
    gjb_session_close(session);
    gjb_scene_free(scene);
}

/* Bullet's margins are larger than 0.0625 and 0.015. */
Test(curved3, apart)
{
    test_each(1u << 3, ~0u, 1, check_all, 0.75);
}

Test(curved3, apart_by_less_than_a_margin)
{
    test_each(1u << 3, ~0u, 1, check_all, 0.0625);
}

Test(curved3, overlapping)
{
    test_each(1u << 3, ~0u, 1, check_all, -0.0625);
}

Test(curved3, overlapping_by_less_than_a_margin)
{
    test_each(1u << 3, ~0u, 1, check_all, -0.015);
}

/* --- in motion ---------------------------------------------------------------- */

/* FCL's conservative advancement has no ellipsoids, its sampling has. */
static int advances(const gjb_contender *contender, const couple *c)
{
    const int ellipsoid = c->a->kind == GJB_ELLIPSOID || c->b->kind == GJB_ELLIPSOID;
    return !ellipsoid || strncmp(contender->name, "fcl-", 4) != 0 || !strcmp(contender->name, "fcl-sampled");
}

/* How early or late a time may be, and how many of a thousand may be anything else. All that is not named
 * here is held to its precision and what it documents. */
static const struct {
    const char *contender;
    double late;
    int strays;
} times[] = {
    /* Distances of btGjkPairDetector, which end early on what is curved. */
    {"bullet-ccd", 0.006, 0},
    {"bullet-gjkcast", 0.08, 80},
    {"fcl-libccd", 3e-4, 60},
    {"fcl-sampled", 1 / 18., 0},
};

static double allowed_time(const gjb_contender *contender, gjb_precision precision, size_t *strays)
{
    const double own = precision == GJB_F32 ? 1e-4 : 1e-9;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (!strcmp(times[i].contender, contender->name)) {
            *strays = (size_t)times[i].strays;
            return own + times[i].late;
        }
    return own + contender->tau_time + contender->tau[GJB_TOI] / (2 * 0.75);
}

static void check_toi(const gjb_contender *contender, gjb_precision precision, size_t count)
{
    size_t most = 0, answers = 0, strays = 0;
    const double late = allowed_time(contender, precision, &most);
    char first[300] = "";
    for (size_t i = 0; i < 2 * count; i++) {
        const couple *c = &couples[i / 2];
        const gjb_result r = gjb_result_get(GJB_TOI, precision, 3, results, i);
        if (!claims(contender, c->a) || !claims(contender, c->b) || !advances(contender, c)) {
            cr_assert(r.status == GJB_UNSUPPORTED);
            continue;
        }
        answers++;
        if (!(r.status == GJB_HIT && fabs(r.value - 0.5) <= late) && strays++ == 0)
            snprintf(first, sizeof first, "%s, %s and %s%s: %s at %.9g", contender->name, c->a->name,
                     c->b->name, i % 2 ? ", swapped" : "", gjb_status_name(r.status), r.value);
    }
    cr_expect(1000 * strays <= most * answers, "%zu of %zu: %s", strays, answers, first);
}

/* B comes along the normal, by twice the gap: a time of one half. */
static void check_impacts(const gjb_contender *contender, const char *backend, uint32_t dim, gjb_precision precision,
                      double gap)
{
    (void)dim;
    if (!(contender->queries >> GJB_TOI & 1u))
        return;
    const size_t count = couples_of(gap, couples);
    gjb_scene *scene = scene_of(precision, couples, count);
    for (uint32_t i = 0; i < count; i++) {
        double motion[6] = {0};
        for (int k = 0; k < 3; k++)
            motion[k] = -2 * gap * couples[i].truth.normal[k];
        cr_assert_eq(gjb_scene_set_motion(scene, 0, 2 * i + 1, motion), 0);
    }
    gjb_error error = {""};
    gjb_session *session = gjb_session_open(contender, backend, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    cr_assert_eq(gjb_session_run(session, GJB_TOI, 0, 0, 2 * count, 0, 1, results, NULL), 0);
    check_toi(contender, precision, count);
    gjb_session_close(session);
    gjb_scene_free(scene);
}

Test(curved3, impacts)
{
    test_each(1u << 3, ~0u, 1, check_impacts, 0.75);
}
