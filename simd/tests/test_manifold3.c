/* Contacts of pairs in space: closed cases, the same bits from every backend and in calls of any size, ids that stay
 * while bodies jitter, margins, and refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tests/one_in.h"
#include "simd/tests/answers.h"

typedef struct solid {
    gjb_kind kind;
    uint32_t count;
    double rows[12][3];
    double radius;
} solid;

static const solid cube = {.kind = GJB_BOX, .count = 1, .rows = {{1, 1, 1}}};
static const gjb_pose3d upright = {.qw = 1};

static double margin_of_tests = 0.02;

/* A record as one of doubles. */
static gjb_manifold3d widened(gjb_precision precision, const unsigned char *record)
{
    gjb_manifold3d m;
    gjb_manifold3f f;
    memset(&m, 0, sizeof m);
    if (precision == GJB_F64) {
        memcpy(&m, record, sizeof m);
        return m;
    }
    memcpy(&f, record, sizeof f);
    m.head = f.head;
    m.count = f.count;
    for (int k = 0; k < 3; k++)
        m.normal[k] = (double)f.normal[k];
    for (unsigned i = 0; i < GJB_CONTACTS_3D; i++) {
        for (int k = 0; k < 3; k++) {
            m.contact[i].point_a[k] = (double)f.contact[i].point_a[k];
            m.contact[i].point_b[k] = (double)f.contact[i].point_b[k];
        }
        m.contact[i].separation = (double)f.contact[i].separation;
        m.contact[i].feature = f.contact[i].feature;
    }
    return m;
}

/* Of one pair; b - a = s n holds. */
static gjb_manifold3d ask(gjb_precision precision, const char *backend, const solid *a, gjb_pose3d at_a, const solid *b,
                          gjb_pose3d at_b)
{
    gjb_scene *scene = gjb_scene_new(3, precision, 2, a->count + b->count, 2, 1);
    gjb_scene_set_shape(scene, 0, a->kind, 0, a->count, a->rows, a->radius);
    gjb_scene_set_shape(scene, 1, b->kind, a->count, b->count, b->rows, b->radius);
    gjb_scene_set_pose3(scene, 0, 0, at_a);
    gjb_scene_set_pose3(scene, 0, 1, at_b);
    uint32_t *pair = (uint32_t *)(uintptr_t)scene->frames[0].pairs;
    pair[0] = 0;
    pair[1] = 1;
    scene->margin = margin_of_tests;
    const answers all = answers_all(scene, backend, GJB_MANIFOLD);
    const gjb_manifold3d m = widened(precision, all.results);
    for (unsigned i = 0; i < m.count; i++)
        for (int k = 0; k < 3; k++) {
            const gjb_contact3d *c = &m.contact[i];
            const double off = c->point_b[k] - c->point_a[k] - c->separation * m.normal[k];
            const double size = fabs(c->point_a[k]) + fabs(c->separation);
            cr_expect(fabs(off) <= size * (precision == GJB_F64 ? 2e-15 : 1e-6), "contact %u: off by %g", i, off);
        }
    free(all.results);
    gjb_scene_free(scene);
    return m;
}

static double near_of(gjb_precision precision)
{
    return precision == GJB_F64 ? 2e-14 : 1e-5;
}

/* Whether some contact's point on A is there, at this separation. */
static void expect_contact(const gjb_manifold3d *m, gjb_precision precision, double x, double y, double z,
                           double separation)
{
    const double near = near_of(precision);
    for (unsigned i = 0; i < m->count; i++) {
        const gjb_contact3d *c = &m->contact[i];
        if (fabs(c->point_a[0] - x) < near && fabs(c->point_a[1] - y) < near && fabs(c->point_a[2] - z) < near &&
            fabs(c->separation - separation) < near)
            return;
    }
    cr_expect_fail("no contact at %g, %g, %g with separation %g", x, y, z, separation);
}

static gjb_pose3d turned(double x, double y, double z, double ax, double ay, double az, double angle)
{
    const double by = sin(angle / 2) / sqrt(ax * ax + ay * ay + az * az);
    return (gjb_pose3d){x, y, z, ax * by, ay * by, az * by, cos(angle / 2)};
}

/* ---- closed cases ---- */

typedef void closed_case(gjb_precision precision, const char *backend);

static void on_all(closed_case *body)
{
    for (size_t b = 0; b < gjb_backend_count; b++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            if (gjb_backend_available(gjb_backends[b]->name))
                body((gjb_precision)p, gjb_backends[b]->name);
}

static void box_on_box(gjb_precision p, const char *backend)
{
    const solid small = {.kind = GJB_BOX, .count = 1, .rows = {{0.5, 0.25, 0.5}}};
    gjb_pose3d at = {0.25, 0, 1.5 - 0x1p-7, 0, 0, 0, 1};
    const gjb_manifold3d m = ask(p, backend, &cube, upright, &small, at);
    cr_assert_eq(m.count, 4);
    cr_expect_eq(m.head.status, GJB_OVERLAPPING);
    for (int k = 0; k < 4; k++)
        expect_contact(&m, p, 0.25 + (k & 1 ? 0.5 : -0.5), k & 2 ? 0.25 : -0.25, 1, -0x1p-7);
    at.x = 1.25; /* half of it */
    const gjb_manifold3d half = ask(p, backend, &cube, upright, &small, at);
    cr_assert_eq(half.count, 4);
    for (int k = 0; k < 4; k++)
        expect_contact(&half, p, k & 1 ? 1 : 0.75, k & 2 ? 0.25 : -0.25, 1, -0x1p-7);
}

Test(manifold3, box_on_box)
{
    on_all(box_on_box);
}

static double area_of(const gjb_manifold3d *m)
{
    double most = 0;
    for (int i = 0; i < 4; i++) /* of four points in convex position the diagonals are one of three pairings */
        for (int j = i + 1; j < 4; j++) {
            const int k = i != 0 && j != 0 ? 0 : i != 1 && j != 1 ? 1 : 2, l = 6 - i - j - k;
            const double *p = m->contact[i].point_a, *q = m->contact[j].point_a, *r = m->contact[k].point_a,
                         *s = m->contact[l].point_a;
            const double area = fabs((q[0] - p[0]) * (s[1] - r[1]) - (q[1] - p[1]) * (s[0] - r[0])) / 2;
            most = area > most ? area : most;
        }
    return most;
}

/* The overlap of two equal squares at half a right angle is a regular octagon; every second corner makes a square. */
static void box_turned(gjb_precision p, const char *backend)
{
    const gjb_manifold3d m = ask(p, backend, &cube, upright, &cube, turned(0, 0, 2 - 0x1p-7, 0, 0, 1, acos(-1) / 4));
    const double radius = 1 / cos(acos(-1) / 8);
    cr_assert_eq(m.count, 4);
    cr_expect(area_of(&m) > 0.98 * 2 * radius * radius, "%g of %g", area_of(&m), 2 * radius * radius);
}

Test(manifold3, box_turned_on_box)
{
    on_all(box_turned);
}

static void edge_on_face(gjb_precision p, const char *backend)
{
    const solid small = {.kind = GJB_BOX, .count = 1, .rows = {{0.5, 0.5, 0.5}}};
    const gjb_manifold3d m =
        ask(p, backend, &cube, upright, &small, turned(0, 0, 1 + sqrt(0.5) - 0x1p-7, 1, 0, 0, acos(-1) / 4));
    cr_assert_eq(m.count, 2);
    for (int k = 0; k < 2; k++)
        expect_contact(&m, p, k ? 0.5 : -0.5, 0, 1, -0x1p-7);
}

Test(manifold3, edge_on_face)
{
    on_all(edge_on_face);
}

static void single_points(gjb_precision p, const char *backend)
{
    const solid bar = {.kind = GJB_SEGMENT, .count = 2, .rows = {{-1, 0, 0}, {1, 0, 0}}, .radius = 0.25};
    const gjb_manifold3d crossing = ask(p, backend, &bar, upright, &bar, turned(0, 0, 0.49, 0, 0, 1, 1.2));
    cr_expect_eq(crossing.count, 1);
    expect_contact(&crossing, p, 0, 0, 0.25, -0.01);
    /* on a corner: along (1, 1, 1) */
    const double angle = acos(1 / sqrt(3));
    const gjb_manifold3d corner =
        ask(p, backend, &cube, upright, &cube, turned(0, 0, 1 + sqrt(3) - 0x1p-7, 1, -1, 0, angle));
    cr_expect_eq(corner.count, 1);
    expect_contact(&corner, p, 0, 0, 1, -0x1p-7);
    const solid ball = {.kind = GJB_POINT, .count = 1, .radius = 0.5};
    const gjb_manifold3d round = ask(p, backend, &cube, upright, &ball, (gjb_pose3d){0.3, 0.2, 1.5, 0, 0, 0, 1});
    cr_expect_eq(round.count, 1);
    expect_contact(&round, p, 0.3, 0.2, 1, 0);
}

Test(manifold3, crossing_edges_a_corner_and_a_ball_have_one_point)
{
    on_all(single_points);
}

static void capsule_flat(gjb_precision p, const char *backend)
{
    const solid bar = {.kind = GJB_SEGMENT, .count = 2, .rows = {{-2, 0, 0}, {0.5, 0, 0}}, .radius = 0.25};
    const gjb_manifold3d m = ask(p, backend, &cube, upright, &bar, (gjb_pose3d){0, 0.125, 1.25 + 0x1p-7, 0, 0, 0, 1});
    cr_assert_eq(m.count, 2);
    expect_contact(&m, p, -1, 0.125, 1, 0x1p-7);
    expect_contact(&m, p, 0.5, 0.125, 1, 0x1p-7);
}

Test(manifold3, capsule_flat_on_a_box)
{
    on_all(capsule_flat);
}

/* A roof: its ridge is level, its sides are steep, and its ends less so. */
static void ridge(gjb_precision p, const char *backend)
{
    const solid roof = {
        .kind = GJB_HULL,
        .count = 6,
        .rows = {
            {-1, 0, 0}, {1, 0, 0}, {-1.5, 0.25, -1}, {-1.5, -0.25, -1}, {1.5, 0.25, -1}, {1.5, -0.25, -1}}};
    const solid plate = {.kind = GJB_BOX, .count = 1, .rows = {{4, 4, 0.5}}};
    const gjb_manifold3d m = ask(p, backend, &roof, upright, &plate, (gjb_pose3d){0, 0, 0.5 - 0x1p-7, 0, 0, 0, 1});
    cr_assert_eq(m.count, 2);
    for (int k = 0; k < 2; k++)
        expect_contact(&m, p, k ? 1 : -1, 0, 0, -0x1p-7);
}

Test(manifold3, level_ridge_between_steep_sides)
{
    on_all(ridge);
}

static double random_of(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53 * 2 - 1;
}

/* The corners of a box, rounded after a turn that the pose takes back: quads that rounding broke into triangles. */
static void broken_box(gjb_precision p, const char *backend)
{
    uint64_t state = 7;
    for (int round = 0; round < 40; round++) {
        gjb_pose3d q = turned(0, 0, 0, random_of(&state), random_of(&state), random_of(&state), 3 * random_of(&state));
        solid hull = {.kind = GJB_HULL, .count = 8};
        for (int i = 0; i < 8; i++) {
            const double v[3] = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.75 : -0.75, i & 4 ? 0.25 : -0.25};
            const double u[3] = {q.qx, q.qy, q.qz};
            const double c[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
            const double d[3] = {u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2], u[0] * c[1] - u[1] * c[0]};
            for (int k = 0; k < 3; k++)
                hull.rows[i][k] = v[k] - 2 * q.qw * c[k] + 2 * d[k]; /* turned back */
        }
        q.z = 1.25 - 0x1p-7;
        const gjb_manifold3d m = ask(p, backend, &cube, upright, &hull, q);
        cr_assert_eq(m.count, 4, "round %d: %u", round, m.count);
        for (int k = 0; k < 4; k++)
            expect_contact(&m, p, k & 1 ? 0.5 : -0.5, k & 2 ? 0.75 : -0.75, 1, -0x1p-7);
    }
}

Test(manifold3, faces_that_rounding_broke)
{
    on_all(broken_box);
}

/* ---- margins ---- */

static void margins(gjb_precision p, const char *backend)
{
    const gjb_pose3d above = {0, 0, 2 + 0x1p-7, 0, 0, 0, 1}, far = {0, 0, 20, 0, 0, 0, 1};
    const double kept = margin_of_tests;
    margin_of_tests = 0;
    const gjb_manifold3d none = ask(p, backend, &cube, upright, &cube, above);
    cr_expect_eq(none.count, 0);
    cr_expect_eq(none.head.status, GJB_SEPARATED);
    cr_expect(none.normal[0] == 0 && none.normal[1] == 0 && none.normal[2] == 0);
    /* leans by 2^-7: within the angle, but only an edge is within the margin */
    const gjb_pose3d leaning = turned(0, 0, 2 + 0x1p-8, 0, 1, 0, 0x1p-7);
    margin_of_tests = 0x1p-8;
    const gjb_manifold3d cut = ask(p, backend, &cube, upright, &cube, leaning);
    cr_expect(cut.count > 1 && cut.count <= 4);
    for (unsigned i = 0; i < cut.count; i++)
        cr_expect(cut.contact[i].separation <= 0x1p-8 + near_of(p));
    margin_of_tests = INFINITY;
    cr_expect_eq(ask(p, backend, &cube, upright, &cube, above).count, 4);
    cr_expect_eq(ask(p, backend, &cube, upright, &cube, far).count, 4);
    margin_of_tests = kept;
}

Test(manifold3, margins)
{
    on_all(margins);
}

/* ---- ids ---- */

static unsigned shared_ids(const gjb_manifold3d *p, const gjb_manifold3d *q)
{
    unsigned found = 0;
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned j = 0; j < q->count; j++)
            found += p->contact[i].feature == q->contact[j].feature;
    return found;
}

static int same_ids(const gjb_manifold3d *p, const gjb_manifold3d *q)
{
    return p->count == q->count && shared_ids(p, q) == p->count;
}

static void jitter(gjb_precision p, const char *backend)
{
    uint64_t state = 3;
    gjb_manifold3d first = {0};
    for (int frame = 0; frame < 200; frame++) {
        gjb_pose3d at = turned(0.3 + 1e-4 * random_of(&state), 0.2 + 1e-4 * random_of(&state),
                               1.99 + 1e-4 * random_of(&state), 1e-4 * random_of(&state),
                               1e-4 * random_of(&state), 1, 0.02);
        const gjb_manifold3d m = ask(p, backend, &cube, upright, &cube, at);
        if (frame == 0)
            first = m;
        cr_expect(same_ids(&first, &m), "frame %d: %u contacts", frame, m.count);
    }
    /* a corner slides over an edge */
    const solid small = {.kind = GJB_BOX, .count = 1, .rows = {{0.25, 0.25, 0.25}}};
    const gjb_manifold3d in = ask(p, backend, &cube, upright, &small, turned(0.6, 0, 1.24, 0, 0, 1, 0.3));
    const gjb_manifold3d out = ask(p, backend, &cube, upright, &small, turned(0.8, 0, 1.24, 0, 0, 1, 0.3));
    cr_expect_eq(in.count, 4);
    cr_expect(!same_ids(&in, &out));
}

Test(manifold3, ids_stay_while_a_body_jitters_and_change_when_a_corner_slides_off)
{
    on_all(jitter);
}

/* Moved by 1e-4 of its size a frame over a face, and trembling by a tenth of that, until the edge of the face is passed
 * half way, by one corner, or by two at once: ids change at that frame, and at no other. A patch of five corners has to
 * leave one of them out: which one, trembling decides where areas nearly tie. */
static void drift(gjb_precision p, const char *backend, double spin, gjb_kind kind)
{
    const double half = 0.25, step = 1e-4 * 2 * half;
    solid small = {.kind = kind, .count = kind == GJB_BOX ? 1 : 8, .rows = {{half, half, half}}};
    for (int i = 0; i < 8 && kind == GJB_HULL; i++)
        for (int k = 0; k < 3; k++)
            small.rows[i][k] = i >> k & 1 ? half : -half;
    const double foremost = half * (cos(spin) + sin(spin));
    for (int swapped = 0; swapped < 2; swapped++) {
        uint64_t state = 5;
        gjb_manifold3d last = {0};
        for (int frame = 0; frame < 200; frame++) {
            double by[5];
            for (int k = 0; k < 5; k++)
                by[k] = 0.1 * step * random_of(&state);
            const double x = 1 - foremost + (frame - 99.5) * step;
            const gjb_pose3d at = turned(x + by[0], 0.1, 1 + half - 1e-3 + by[1], by[2], by[3], 1, spin + by[4]);
            const gjb_manifold3d m =
                swapped ? ask(p, backend, &small, at, &cube, upright) : ask(p, backend, &cube, upright, &small, at);
            cr_assert_eq(m.count, 4, "%s, frame %d", backend, frame);
            const int changed = frame > 0 && !same_ids(&last, &m), may = spin > 0 && frame > 100;
            const int right = may ? shared_ids(&last, &m) >= 3 : changed == (frame == 100);
            cr_assert(right, "%s, spin %g, frame %d", backend, spin, frame);
            last = m;
        }
    }
}

static void drifts(gjb_precision p, const char *backend)
{
    for (int kind = 0; kind < 2; kind++) {
        drift(p, backend, 0, kind ? GJB_HULL : GJB_BOX);
        drift(p, backend, 0.3, kind ? GJB_HULL : GJB_BOX);
    }
}

Test(manifold3, ids_change_when_a_corner_slides_off_and_at_no_other_frame)
{
    on_all(drifts);
}

/* ---- discs and side lines ---- */

static const solid drum = {.kind = GJB_CYLINDER, .count = 1, .rows = {{0.5, 0.75, 0}}},
                   hat = {.kind = GJB_CONE, .count = 1, .rows = {{0.5, 0.75, 0}}},
                   ground = {.kind = GJB_HALFSPACE, .count = 2, .rows = {{0, 0, 1}, {1, 0, 0}}},
                   table = {.kind = GJB_CYLINDER, .count = 1, .rows = {{2, 1, 0}}};
#define QUARTER 1.57079632679489662

static int ids_differ(const gjb_manifold3d *m)
{
    int differ = 1;
    for (unsigned i = 0; i < m->count; i++)
        for (unsigned j = 0; j < i; j++)
            differ &= m->contact[i].feature != m->contact[j].feature;
    return differ;
}

/* Four points of the rim, in a square, on whatever is level at z = 1; and the same with the bodies exchanged. */
static void standing(gjb_precision p, const char *backend)
{
    const solid *const under[] = {&cube, &table, &ground}, *const above[] = {&drum, &hat};
    const double near = near_of(p);
    for (int u = 0; u < 3; u++)
        for (int k = 0; k < 2; k++)
            for (int spin = 0; spin < 3; spin++) {
                const gjb_pose3d at = turned(0.25, 0.125, 1.75 - 0x1p-7, 0, 0, 1, 0.7 * spin);
                const gjb_manifold3d m = ask(p, backend, under[u], upright, above[k], at),
                                     n = ask(p, backend, above[k], at, under[u], upright);
                cr_assert(m.count == 4 && n.count == 4, "%d %d: %u", u, k, m.count);
                cr_expect(ids_differ(&m) && ids_differ(&n));
                cr_expect(area_of(&m) > 2 * 0.25 - near && area_of(&n) > 2 * 0.25 - near, "%g", area_of(&m));
                for (unsigned i = 0; i < 4; i++) {
                    const double *a = m.contact[i].point_a;
                    cr_expect(fabs(hypot(a[0] - 0.25, a[1] - 0.125) - 0.5) < near && fabs(a[2] - 1) < near);
                    cr_expect(fabs(m.contact[i].separation + 0x1p-7) < near);
                }
            }
}

Test(manifold3, discs_that_stand_have_four_points_of_their_rim)
{
    on_all(standing);
}

/* Half of it beyond the end of a box: where its rim crosses the edge, and its far point, or two next to that. */
static void over_an_edge(gjb_precision p, const char *backend)
{
    const gjb_manifold3d m = ask(p, backend, &cube, upright, &drum, (gjb_pose3d){1, 0, 1.75, 0, 0, 0, 1});
    cr_assert_eq(m.count, 4);
    expect_contact(&m, p, 1, 0.5, 1, 0);
    expect_contact(&m, p, 1, -0.5, 1, 0);
    cr_expect(area_of(&m) > 0.95 * 0.25 * 0.75 * sqrt(3), "%g", area_of(&m)); /* half a hexagon */
    const gjb_manifold3d inside = ask(p, backend, &table, upright, &cube, (gjb_pose3d){0.25, 0, 2, 0, 0, 0, 1});
    cr_assert_eq(inside.count, 4);
    for (int k = 0; k < 4; k++)
        expect_contact(&inside, p, k & 1 ? 1.25 : -0.75, k & 2 ? 1 : -1, 1, 0);
}

Test(manifold3, a_disc_over_an_edge_and_a_box_within_a_disc)
{
    on_all(over_an_edge);
}

/* Equal discs, half a radius apart: the tips of the lens are there, whatever the angle that the rims' points begin at. */
static void lens(gjb_precision p, const char *backend)
{
    for (int spin = 0; spin < 5; spin++) {
        const gjb_manifold3d m =
            ask(p, backend, &drum, upright, &drum, turned(0.25, 0, 1.5, 0, 0, 1, 0.3 * spin));
        cr_assert_eq(m.count, 4);
        cr_expect(ids_differ(&m) && area_of(&m) > 0.22, "%g", area_of(&m));
        const gjb_manifold3d thin = /* thinner than what is between points of the rim */
            ask(p, backend, &drum, upright, &drum, turned(0.995, 0, 1.5, 0, 0, 1, 0.3 * spin));
        cr_assert_eq(thin.count, 4);
        const double tip = sqrt(0.25 - 0.4975 * 0.4975);
        expect_contact(&thin, p, 0.4975, tip, 0.75, 0);
        expect_contact(&thin, p, 0.4975, -tip, 0.75, 0);
        expect_contact(&thin, p, 0.5, 0, 0.75, 0);
        expect_contact(&thin, p, 0.495, 0, 0.75, 0);
    }
}

Test(manifold3, discs_on_discs)
{
    on_all(lens);
}

/* On its side: the ends of a line, or where the face ends. */
static void lying(gjb_precision p, const char *backend)
{
    const solid *const under[] = {&cube, &table, &ground};
    for (int u = 0; u < 3; u++) {
        const gjb_manifold3d m = ask(p, backend, under[u], upright, &drum, turned(0.125, 0, 1.5, 1, 0, 0, QUARTER));
        cr_assert_eq(m.count, 2);
        cr_expect(ids_differ(&m));
        for (int k = 0; k < 2; k++)
            expect_contact(&m, p, 0.125, k ? 0.75 : -0.75, 1, 0);
    }
    const gjb_manifold3d beyond = ask(p, backend, &cube, upright, &drum, turned(0.125, 0.5, 1.5, 1, 0, 0, QUARTER));
    cr_assert_eq(beyond.count, 2);
    expect_contact(&beyond, p, 0.125, 1, 1, 0);
    expect_contact(&beyond, p, 0.125, -0.25, 1, 0);
    const gjb_manifold3d disc = ask(p, backend, &table, upright, &drum, turned(0, 1.5, 1.5, 1, 0, 0, QUARTER));
    cr_assert_eq(disc.count, 2);
    expect_contact(&disc, p, 0, 2, 1, 0);
    expect_contact(&disc, p, 0, 0.75, 1, 0);
    const gjb_pose3d side = turned(0, 0, 0, 1, 0, 0, QUARTER), moved = turned(0, 0.5, 1, 1, 0, 0, QUARTER);
    const gjb_manifold3d both = ask(p, backend, &drum, side, &drum, moved);
    cr_assert_eq(both.count, 2);
    expect_contact(&both, p, 0, 0.75, 0.5, 0);
    expect_contact(&both, p, 0, -0.25, 0.5, 0);
}

Test(manifold3, cylinders_on_their_sides)
{
    on_all(lying);
}

/* A cone leans to lie on its side by the angle whose tangent is 1/3. */
static void cone_lying(gjb_precision p, const char *backend)
{
    const double lean = atan2(1, 3), high = 0.75 * sin(lean), apex = 0.75 * cos(lean);
    const solid *const under[] = {&cube, &ground};
    for (int u = 0; u < 2; u++) {
        const gjb_pose3d at = turned(0, 0, 1 + high, 1, 0, 0, QUARTER + lean);
        const gjb_manifold3d m = ask(p, backend, under[u], upright, &hat, at);
        cr_assert_eq(m.count, 2, "%u", m.count);
        expect_contact(&m, p, 0, -apex, 1, 0);
        expect_contact(&m, p, 0, sqrt(2.5) - apex, 1, 0);
    }
}

Test(manifold3, a_cone_on_its_side)
{
    on_all(cone_lying);
}

/* Within the angle all of the disc, its deepest point among it; beyond one point. Also where the margin cuts it. */
static void leaning(gjb_precision p, const char *backend)
{
    for (int u = 0; u < 2; u++)
        for (int k = 0; k < 2; k++) {
            const double by = (k ? 1.02 : 0.98) / 64, low = 0.75 * cos(by) + 0.5 * sin(by),
                         y = 0.125 + 0.75 * sin(by) - 0.5 * cos(by);
            const double a = sin(by / 2), c = cos(by / 2), s = sin(0.1), t = cos(0.1); /* and turned about its axis */
            const gjb_pose3d at = {0.25, 0.125, 1 + low + 0x1p-10, a * t, -a * s, c * s, c * t};
            const gjb_manifold3d m = ask(p, backend, u ? &ground : &cube, upright, &drum, at);
            cr_assert_eq(m.count, k ? 1 : 4);
            if (!k) /* of one point less is asked across than up */
                expect_contact(&m, p, 0.25, y, 1, 0x1p-10);
            cr_expect(k || area_of(&m) > 0.98 * 2 * 0.25, "%g", area_of(&m));
            margin_of_tests = 0x1p-9;
            const gjb_manifold3d cut = ask(p, backend, u ? &ground : &cube, upright, &drum, at);
            margin_of_tests = 0.02;
            cr_expect(k ? cut.count == 1 : cut.count == 4 && area_of(&cut) < area_of(&m));
            double most = 0;
            for (unsigned i = 0; i < cut.count; i++)
                most = fmax(most, cut.contact[i].separation);
            cr_expect(most < 0x1p-9 + near_of(p) && (k || most > 0x1p-9 - near_of(p)), "%g", most); /* where it ends */
        }
}

Test(manifold3, discs_that_lean)
{
    on_all(leaning);
}

/* Of a disc that barely rests the margin leaves a small segment, with few points that are fixed to the shape, or none:
 * the deepest, both ends, and one half way between. Whatever rounding says, the ids are the same. */
static void resting(gjb_precision p, const char *backend)
{
    static const double angles[] = {8, 15, 22.4, 30, 44}; /* half of the segment */
    const double by = 0.5 / 64, low = 0.75 * cos(by) + 0.5 * sin(by), a = sin(by / 2), c = cos(by / 2);
    for (int u = 0; u < 2; u++)
        for (unsigned k = 0; k < sizeof angles / sizeof *angles; k++)
            for (int spin = 0; spin < 8; spin++) {
                const double half = angles[k] * QUARTER / 90, s = sin(0.03 * spin), t = cos(0.03 * spin);
                const gjb_pose3d at = {0.25, 0.125, 1 + low + 0x1p-10, a * t, -a * s, c * s, c * t};
                margin_of_tests = 0x1p-10 + 0.5 * sin(by) * (1 - cos(half));
                const gjb_manifold3d m = ask(p, backend, u ? &ground : &cube, upright, &drum, at),
                                     n = ask(p, backend, &drum, at, u ? &ground : &cube, upright);
                margin_of_tests = 0.02;
                const double least = 0.25 * sin(half) * (1 - cos(half)) + 0.125 * (2 * sin(half / 2) - sin(half));
                cr_assert(m.count == 4 && n.count == 4, "under %d, %g: %u %u", u, angles[k], m.count, n.count);
                cr_expect(ids_differ(&m) && ids_differ(&n));
                cr_expect(area_of(&m) > 0.98 * least && area_of(&n) > 0.98 * least, "under %d, %g, spin %d: %g %g", u,
                          angles[k], spin, area_of(&m) / least, area_of(&n) / least);
            }
}

Test(manifold3, discs_that_barely_rest)
{
    on_all(resting);
}

/* The ids of these stay as the body trembles. */
static void trembling_on_its_rim(gjb_precision p, const char *backend)
{
    const double by = 0.5 / 64, low = 0.75 * cos(by) + 0.5 * sin(by), near = p == GJB_F64 ? 1e-15 : 1e-7;
    uint64_t state = 3;
    for (int u = 0; u < 2; u++) {
        gjb_manifold3d first = {.count = 0};
        for (int frame = 0; frame < 50; frame++) {
            const double lean = by + near * random_of(&state), a = sin(lean / 2), c = cos(lean / 2), s = sin(0.05),
                         t = cos(0.05);
            const gjb_pose3d at = {0.01 * random_of(&state), 0.01 * random_of(&state),
                                   1 + low + 0x1p-10 + near * random_of(&state), a * t, -a * s, c * s, c * t};
            margin_of_tests = 0x1p-10 + 0.5 * sin(by) * (1 - cos(20 * QUARTER / 90));
            const gjb_manifold3d m = ask(p, backend, u ? &ground : &cube, upright, &drum, at);
            margin_of_tests = 0.02;
            first = frame ? first : m;
            cr_assert(m.count == 4 && same_ids(&first, &m), "%s, under %d, frame %d", backend, u, frame);
        }
    }
}

Test(manifold3, ids_of_a_disc_that_barely_rests_stay)
{
    on_all(trembling_on_its_rim);
}

/* Where the contact of this feature is in the axes of a body that is turned about z. */
static void find_local(const gjb_manifold3d *m, uint32_t feature, gjb_pose3d at, double spin, double local[2])
{
    local[0] = local[1] = NAN;
    for (unsigned i = 0; i < m->count; i++) {
        const double x = m->contact[i].point_b[0] - at.x, y = m->contact[i].point_b[1] - at.y;
        if (m->contact[i].feature != feature)
            continue;
        local[0] = cos(spin) * x + sin(spin) * y;
        local[1] = cos(spin) * y - sin(spin) * x;
    }
}

/* Points of the rim are fixed to the shape: ids stay while it trembles where it stands, and turns about its axis. */
static void trembling(gjb_precision p, const char *backend)
{
    const double near = p == GJB_F64 ? 1e-15 : 1e-7; /* rounding: what leans has a deepest point */
    for (int u = 0; u < 2; u++) {
        const solid *under = u ? &ground : &cube;
        uint64_t state = 3;
        const gjb_manifold3d first =
            ask(p, backend, under, upright, &drum, turned(0, 0, 1.75 - 0x1p-8, 0, 0, 1, 0.1));
        for (int frame = 0; frame < 50; frame++) {
            gjb_pose3d at = turned(0.01 * random_of(&state), 0.01 * random_of(&state),
                                   1.75 - 0x1p-8 + 1e-4 * random_of(&state), 0, 0, 1, 0.1 + 0.02 * frame);
            at.qx += near * random_of(&state);
            at.qy += near * random_of(&state);
            const gjb_manifold3d m = ask(p, backend, under, upright, &drum, at);
            cr_assert(m.count == 4 && same_ids(&first, &m), "%s, under %d, frame %d", backend, u, frame);
            for (unsigned i = 0; i < 4; i++) {
                double p0[2], p1[2];
                find_local(&first, m.contact[i].feature, (gjb_pose3d){.x = 0}, 0.1, p0);
                find_local(&m, m.contact[i].feature, at, 0.1 + 0.02 * frame, p1);
                cr_expect(hypot(p1[0] - p0[0], p1[1] - p0[1]) < near_of(p), "contact %u at frame %d", i, frame);
            }
        }
        const gjb_manifold3d edge =
            ask(p, backend, &cube, upright, &drum, turned(0.75, 0, 1.75 - 0x1p-8, 0, 0, 1, 0.1));
        cr_expect(edge.count == 4 && shared_ids(&first, &edge) < 4);
    }
}

Test(manifold3, ids_of_rims_stay)
{
    on_all(trembling);
}

/* ---- batches ---- */

static const char *const workloads[] = {
    "box",     "rounded-box", "hull8",    "hull16",      "rounded-hull32", "hull64",
    "hull100", "segment",     "triangle", "mixed-kinds", "mixed-curved",   "point",
    "cylinder", "cone",      "rounded-cylinder", "halfspace"};
static const char *const families[] = {"mixed", "parallel", "near-axis", "parallel-edges",
                                       "flat",  "touching", "identical"};

static int is_plain(double number)
{
    return isfinite(number) && !(number == 0 && signbit(number));
}

/* No -0, no number that is none, nothing behind the contacts, and no feature twice. */
static int is_tidy(const unsigned char *record, gjb_precision precision)
{
    static const gjb_contact3d none;
    const gjb_manifold3d m = widened(precision, record);
    int tidy = m.count <= GJB_CONTACTS_3D;
    for (int k = 0; k < 3; k++)
        tidy &= is_plain(m.normal[k]);
    for (unsigned i = 0; i < GJB_CONTACTS_3D; i++) {
        const gjb_contact3d *c = &m.contact[i];
        tidy &= i < m.count || memcmp(c, &none, sizeof none) == 0;
        for (int k = 0; k < 3; k++)
            tidy &= is_plain(c->point_a[k]) & is_plain(c->point_b[k]);
        for (unsigned j = 0; j < i && i < m.count; j++)
            tidy &= c->feature != m.contact[j].feature;
    }
    return tidy;
}

/* `day`: which of the backends take their turn. */
static void same_bits(const char *workload, const gjb_family *family, gjb_precision precision, size_t day)
{
    const gjb_recipe recipe = {.workload = workload, .family = family->name, .seed = 9, .precision = precision,
                               .pairs = 150, .dim = 3, .margin = margin_of_tests};
    gjb_scene *scene = answers_scene(&recipe);
    const answers want = answers_all(scene, "scalar", GJB_MANIFOLD);
    for (size_t i = 0; i < recipe.pairs; i++)
        cr_expect(is_tidy(want.results + i * want.size, precision), "%s %s %s: pair %zu", workload, family->name,
                  gjb_precision_name(precision), i);
    for (size_t b = 0; b < gjb_backend_count; b++)
        if (gjb_backend_available(gjb_backends[b]->name) && (b + day) % one_in(2) == 0)
            answers_in_calls(scene, gjb_backends[b]->name, GJB_MANIFOLD, want.results, recipe.pairs * want.size);
    free(want.results);
    gjb_scene_free(scene);
}

Test(manifold3, every_backend_and_call_gives_the_same_bits)
{
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
        for (size_t f = 0; f < sizeof families / sizeof *families; f++)
            for (int p = 0; p < GJB_PRECISIONS; p++) {
                const gjb_family *family = gjb_family_find(families[f]);
                cr_assert_not_null(family, "%s", families[f]);
                if (gjb_family_has(family, 3, workloads[w]))
                    same_bits(workloads[w], family, (gjb_precision)p, w + f + (size_t)p);
            }
}

/* Shapes that are far from their own origins, turned about these. */
static void eccentric(gjb_precision p, const char *backend)
{
    const solid tetrahedron = {.kind = GJB_HULL, .count = 4, .rows = {{7, 3, 0}, {9, 3, 0}, {8, 5, 0}, {8, 4, 1}}};
    const gjb_pose3d poses[] = {{-8, -4, 1, 0, 0, 0, 1}, {4, -8, 1, 0, 0, sqrt(0.5), sqrt(0.5)}, {8, 4, 1, 0, 0, 1, 0}};
    for (int k = 0; k < 3; k++) {
        cr_expect_eq(ask(p, backend, &cube, upright, &tetrahedron, poses[k]).count, 3, "pose %d", k);
        cr_expect_eq(ask(p, backend, &tetrahedron, poses[k], &cube, upright).count, 3, "pose %d", k);
    }
}

Test(manifold3, far_from_the_origin)
{
    on_all(eccentric);
}

static void refusals(gjb_precision p, const char *backend)
{
    const gjb_manifold3d bad = ask(p, backend, &cube, upright, &cube, (gjb_pose3d){.x = NAN, .qw = 1});
    gjb_manifold3d want;
    memset(&want, 0, sizeof want);
    want.head.status = GJB_INVALID_INPUT;
    cr_expect_eq(bad.head.status, GJB_INVALID_INPUT);
    want.head = bad.head;
    cr_expect(memcmp(&bad, &want, sizeof bad) == 0);
    const solid wrong = {.kind = GJB_BOX, .count = 1, .rows = {{-1, 1, 1}}};
    const gjb_pose3d far = {.x = 100, .qw = 1};
    cr_expect_eq(ask(p, backend, &wrong, upright, &cube, upright).head.status, GJB_INVALID_INPUT);
    cr_expect_eq(ask(p, backend, &wrong, upright, &cube, far).head.status, GJB_INVALID_INPUT);
    cr_expect_eq(ask(p, backend, &cube, upright, &wrong, far).head.status, GJB_INVALID_INPUT);
}

Test(manifold3, invalid_pairs_are_refused)
{
    on_all(refusals);
}

/* Numbers of any magnitude. */
static void magnitudes(gjb_precision p, const char *backend)
{
    const double by[2][3] = {{1e-30, 1e12, 1e36}, {1e-290, 1e100, 1e300}};
    const double kept = margin_of_tests;
    margin_of_tests = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double s = by[p][k];
        const solid box = {.kind = GJB_BOX, .count = 1, .rows = {{s, s, s}}};
        const solid hull = {.kind = GJB_HULL, .count = 4, .rows = {{-s, -s, 0}, {s, -s, 0}, {0, s, 0}, {0, 0, s}}};
        const gjb_pose3d at = {0, 0, 1.5 * s, 0, 0, 0, 1};
        cr_expect_eq(ask(p, backend, &box, upright, &box, at).count, 4, "%g", s);
        cr_expect_eq(ask(p, backend, &box, upright, &hull, at).count, 3, "%g", s);
    }
    margin_of_tests = kept;
}

Test(manifold3, any_magnitude)
{
    on_all(magnitudes);
}
