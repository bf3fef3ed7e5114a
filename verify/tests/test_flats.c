/* What batch and reference answer where cylinders and cones lie on one another and on all else, by an end or a side,
 * flat or leaning by some share of the angle within which that counts. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/harness.h"
#include "contenders/table.h"
#include "core/random.h"
#include "core/tests/one_in.h"
#include "grading/grade.h"
#include "scenes/generate/generate.h"

#define SINE 0x1p-6 /* of the angle of docs/manifolds.md */

enum { BODIES = 2, MOST_ROWS = 64 };

typedef struct model {
    gjb_kind kind;
    uint32_t count;
    double rows[MOST_ROWS][3];
    double radius;
    double up[3], at[3], along[3]; /* a face's normal, a point of it, a direction in it */
} model;

static void set3(double out[3], double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* Of very thin hulls ours take more than is extreme, by rounding (docs/manifolds.md, "What ours does"). */
static double size_of(gjb_random *r)
{
    return gjb_random_below(r, 4) ? gjb_random_range(r, 0.25, 1) : gjb_random_octaves(r, -6, 2);
}

/* A cylinder or a cone, by its end or a line of its side. */
static void make_round(gjb_random *r, model *m)
{
    const double radius = size_of(r), half = size_of(r);
    double c, s;
    m->kind = gjb_random_below(r, 2) ? GJB_CYLINDER : GJB_CONE;
    m->count = 1;
    set3(m->rows[0], radius, half, 0);
    const double flat = m->kind == GJB_CONE || gjb_random_below(r, 2) ? -1 : 1;
    if (gjb_random_below(r, 2)) {
        set3(m->up, 0, 0, flat);
        set3(m->at, 0, 0, flat * half);
        set3(m->along, 1, 0, 0);
        return;
    }
    gjb_random_rotation(r, &c, &s);
    const double slant = hypot(radius, 2 * half), out = m->kind == GJB_CONE ? 2 * half / slant : 1,
                 lean = m->kind == GJB_CONE ? radius / slant : 0, mid = m->kind == GJB_CONE ? radius / 2 : radius;
    set3(m->up, c * out, s * out, lean);
    set3(m->at, c * mid, s * mid, 0);
    set3(m->along, -c * lean, -s * lean, out);
}

static void make_prism(gjb_random *r, model *m)
{
    const uint32_t sides = 3 + gjb_random_below(r, 14);
    const double radius = size_of(r), half = size_of(r);
    m->kind = GJB_HULL;
    m->count = 2 * sides;
    for (uint32_t k = 0; k < sides; k++) {
        double c, s;
        gjb_cos_sin((k + 0.5 * gjb_random_unit(r)) / sides, &c, &s);
        set3(m->rows[2 * k], radius * c, radius * s, half);
        set3(m->rows[2 * k + 1], radius * c, radius * s, -half);
    }
    set3(m->up, 0, 0, 1);
    set3(m->at, 0, 0, half);
    set3(m->along, 1, 0, 0);
}

/* What may lie under it. */
static void make_any(gjb_random *r, model *m)
{
    const double x = size_of(r), y = size_of(r), z = size_of(r);
    set3(m->up, 0, 0, 1);
    set3(m->along, 1, 0, 0);
    switch (gjb_random_below(r, 7)) {
    case 0:
        m->kind = GJB_BOX;
        m->count = 1;
        set3(m->rows[0], x, y, z);
        set3(m->at, 0, 0, z);
        return;
    case 1:
        m->kind = GJB_HALFSPACE;
        m->count = 2;
        set3(m->rows[0], 0, 0, 1);
        set3(m->rows[1], z, 0, 0);
        set3(m->at, 0, 0, z);
        return;
    case 2:
        m->kind = GJB_SEGMENT;
        m->count = 2;
        set3(m->rows[0], -x, 0, 0);
        set3(m->rows[1], x, 0, 0);
        m->radius = gjb_random_below(r, 2) ? y / 4 : 0;
        set3(m->at, 0, 0, m->radius);
        return;
    case 3:
        m->kind = GJB_TRIANGLE;
        m->count = 3;
        set3(m->rows[0], -x, -y, 0);
        set3(m->rows[1], x, -z, 0);
        set3(m->rows[2], 0, y, 0);
        set3(m->at, 0, 0, 0);
        return;
    case 4:
        make_prism(r, m);
        return;
    default:
        make_round(r, m);
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void times(const double p[4], const double q[4], double out[4])
{
    double v[3];
    cross(p, q, v);
    for (int k = 0; k < 3; k++)
        out[k] = p[3] * q[k] + q[3] * p[k] + v[k];
    out[3] = p[3] * q[3] - (p[0] * q[0] + p[1] * q[1] + p[2] * q[2]);
}

static void turned_by(const double q[4], const double v[3], double out[3])
{
    double w[3], x[3];
    cross(q, v, w);
    for (int k = 0; k < 3; k++)
        w[k] += q[3] * v[k];
    cross(q, w, x);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2 * x[k];
}

/* The rotation that takes the model's face to look along z, or against it, with its direction turned by an angle. */
static void face_along(const model *m, double sign, double turns, double q[4])
{
    double across[3], r[3][3];
    double c, s;
    cross(m->up, m->along, across);
    gjb_cos_sin(turns, &c, &s);
    for (int k = 0; k < 3; k++) {
        r[0][k] = c * m->along[k] - sign * s * across[k];
        r[1][k] = s * m->along[k] + sign * c * across[k];
        r[2][k] = sign * m->up[k];
    }
    const double d[4] = {1 + r[0][0] - r[1][1] - r[2][2], 1 - r[0][0] + r[1][1] - r[2][2],
                         1 - r[0][0] - r[1][1] + r[2][2], 1 + r[0][0] + r[1][1] + r[2][2]};
    int best = 0;
    for (int k = 1; k < 4; k++)
        best = d[k] > d[best] ? k : best;
    const double w[3] = {r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
    for (int k = 0; k < 3; k++)
        q[k] = best == 3 ? w[k] : best == k ? d[k] : r[best][k] + r[k][best];
    q[3] = best == 3 ? d[3] : w[best];
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] /= length;
}

static gjb_pose3d posed(const double at[3], const double q[4])
{
    return (gjb_pose3d){at[0], at[1], at[2], q[0], q[1], q[2], q[3]};
}

/* A lies with a face up, B on it with one down, both in a frame of any rotation; B leans by some share of the angle. */
static void place_both(gjb_random *r, const model *a, const model *b, gjb_pose3d pose[2])
{
    static const double leans[] = {0, 0, 0, 0, 1e-9, 1e-4, 0.5, 0.99, 1.01, 2};
    static const double gaps[] = {0, 0, -0.01, -0.001, 0.01, 0.019};
    double qa[4], qb[4], frame[4], lean[4], t[4], at[2][3], point[3], c, s;
    face_along(a, 1, gjb_random_unit(r), qa);
    const double steps = gjb_random_below(r, 2) ? gjb_random_below(r, 8) / 8.0 : gjb_random_unit(r);
    face_along(b, -1, steps, qb);
    gjb_random_rotation(r, &c, &s);
    const double angle = leans[gjb_random_below(r, 10)] * asin(SINE);
    const double way[4] = {c * sin(angle / 2), s * sin(angle / 2), 0, cos(angle / 2)};
    memcpy(lean, way, sizeof lean);
    times(lean, qb, t);
    memcpy(qb, t, sizeof qb);
    const double far = gjb_random_below(r, 4) ? 1.5 * gjb_random_unit(r) : 0;
    turned_by(qa, a->at, at[0]);
    turned_by(qb, b->at, point);
    gjb_random_rotation(r, &c, &s);
    set3(at[1], far * c, far * s, gaps[gjb_random_below(r, 6)] + b->radius);
    for (int k = 0; k < 3; k++) {
        at[1][k] = at[0][k] + at[1][k] - point[k];
        at[0][k] = 0;
    }
    gjb_random_quaternion(r, frame);
    if (gjb_random_below(r, 3) == 0)
        memcpy(frame, (const double[4]){0, 0, 0, 1}, sizeof frame);
    for (int side = 0; side < 2; side++) {
        double out[3];
        times(frame, side ? qb : qa, t);
        gjb_unit_quaternion(t);
        turned_by(frame, at[side], out);
        pose[side] = posed(out, t);
    }
}

/* Of one pair, of which `first` is A. */
static gjb_scene *scene_of(const model m[2], const gjb_pose3d pose[2], uint32_t first, gjb_precision precision)
{
    const uint32_t rows[2] = {0, m[0].count};
    gjb_scene *scene = gjb_scene_new(3, precision, 2, m[0].count + m[1].count, BODIES, 1);
    cr_assert_not_null(scene);
    for (uint32_t k = 0; k < 2; k++) {
        gjb_scene_set_shape(scene, k, m[k].kind, rows[k], m[k].count, m[k].rows, m[k].radius);
        gjb_scene_set_pose3(scene, 0, k, pose[k]);
        ((uint32_t *)(uintptr_t)scene->frames[0].pairs)[k] = k ^ first;
    }
    scene->margin = 0.02;
    return scene;
}

static gjb_scene *make_scene(uint64_t seed, uint64_t index, gjb_precision precision)
{
    gjb_random r = gjb_random_make(seed, 77, index);
    model m[2] = {{.count = 0}, {.count = 0}};
    gjb_pose3d pose[2];
    make_any(&r, &m[0]);
    make_round(&r, &m[1]);
    m[1].radius = gjb_random_below(&r, 4) ? 0 : 0.125;
    place_both(&r, &m[0], &m[1], pose);
    return scene_of(m, pose, gjb_random_below(&r, 2), precision);
}

typedef struct tally {
    long pairs, wrong, ungraded, several, covered;
    double coverage;
} tally;

static void ask(const gjb_contender *contender, const gjb_scene *scene, gjb_precision precision, uint64_t index,
                tally *t)
{
    gjb_error error = {""};
    gjb_manifold3d record;
    gjb_pair pair;
    gjb_pair_space room = {0};
    gjb_session *session = gjb_session_open(contender, NULL, scene, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    cr_assert_eq(gjb_session_run(session, GJB_MANIFOLD, 0, 0, 1, 0, 1, &record, NULL), 0);
    gjb_session_close(session);
    const gjb_result r = gjb_result_get(GJB_MANIFOLD, precision, 3, &record, 0);
    const gjb_tolerance any = gjb_tolerance_for(contender, GJB_MANIFOLD, precision, 3);
    cr_assert(!gjb_scene_pair(scene, 0, 0, &room, &pair));
    pair.margin = scene->margin;
    const gjb_tolerance tolerance = gjb_tolerance_on(&any, &pair);
    gjb_truth truth = {.epsilon = gjb_epsilon(precision)};
    cr_assert(!gjb_truth_open_lazily(&truth, &pair));
    const gjb_grade g = gjb_grade_result(GJB_MANIFOLD, &truth, &r, &tolerance);
    t->pairs++;
    t->ungraded += g.verdict == GJB_UNGRADED;
    t->several += r.count > 1;
    if (g.verdict == GJB_WRONG) {
        t->wrong++;
        cr_expect_fail("%s %s pair %lu: %s, %u contacts, coverage %g, value %g normal %g points %g", contender->name,
                       gjb_precision_name(precision), (unsigned long)index, gjb_fault_name(g.fault), r.count,
                       g.coverage, g.value_eps, g.normal_eps, g.witness_eps);
    }
    if (g.has_coverage && r.count > 1) {
        t->covered++;
        t->coverage += g.coverage;
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&room);
}

static void ask_all(const char *name, gjb_precision precision, long pairs, double least)
{
    const gjb_contender *contender = gjb_contender_find(name);
    const char *seed = getenv("GJB_FLATS_SEED");
    tally t = {0};
    cr_assert_not_null(contender);
    for (long i = 0; i < pairs; i++) {
        gjb_scene *scene = make_scene(seed ? (uint64_t)atol(seed) : 1, (uint64_t)i, precision);
        ask(contender, scene, precision, (uint64_t)i, &t);
        gjb_scene_free(scene);
    }
    const double mean = t.coverage / (t.covered ? (double)t.covered : 1);
    if (getenv("GJB_FLATS_SEED"))
        fprintf(stderr,
                "# %s %s: %ld pairs, %ld wrong, %ld ungraded, %ld of several contacts, coverage %g of %ld\n",
                name, gjb_precision_name(precision), t.pairs, t.wrong, t.ungraded, t.several, mean,
                t.covered);
    cr_expect(3 * t.several > t.pairs && 100 * t.ungraded <= t.pairs && mean >= least,
              "%s: of %ld pairs %ld with several contacts, %ld ungraded, coverage %g", name, t.pairs, t.several,
              t.ungraded, mean);
}

/* GJB_FLATS asks for another number, GJB_FLATS_SEED for other pairs and a line with what came out. */
static long pairs_of(long night)
{
    const char *asked = getenv("GJB_FLATS");
    return asked ? atol(asked) : night / (long)one_in(10);
}

/* Right contacts of rounded cones and cylinders that lean, at ends of lines and crossings of rims: the grader once
 * called them off their surface. */
Test(flats, rims_of_rounded_shapes)
{
    static const struct {
        model shape[2];
        gjb_pose3d pose[2];
        uint32_t first;
    } cases[] = {
        {{{GJB_HALFSPACE, 2, {{0, 0, 1}, {0.5343396848962075}}, 0, {0}, {0}, {0}},
          {GJB_CONE, 1, {{0.6025337242465333, 0.35103399229701837}}, 0.125, {0}, {0}, {0}}},
         {{0, 0, 0, 0.23517836455617624, -0.2202851446242337, -0.8945759260415042, -0.3096764512350722},
          {-0.4091111944925683, 0.33720151434763623, 0.7301657471249949, 0.05426943859705624, -0.825607403124176,
           0.5039902234100039, 0.24783280381751144}},
         0},
        {{{GJB_BOX, 1, {{0.12498755166129599, 0.6722873230089177, 0.34861791339297865}}, 0, {0}, {0}, {0}},
          {GJB_CONE, 1, {{0.3240065770816416, 0.3835991071759501}}, 0.125, {0}, {0}, {0}}},
         {{0, 0, 0, -0.3721443971766805, 0.46849138623025005, -0.6885839344918389, -0.4097273896602503},
          {0.11898943403827417, -0.8155285959809173, 0.2353682705466853, -0.41416678861196604, 0.44388012336134713,
           -0.6588739067098486, -0.4442088274139405}},
         1},
        {{{GJB_TRIANGLE,
           3,
           {{-0.7790583540726818, -0.01789455165163092, 0},
            {0.7790583540726818, -0.7666278439163279, 0},
            {0, 0.01789455165163092, 0}},
           0,
           {0},
           {0},
           {0}},
          {GJB_CYLINDER, 1, {{0.545755895339272, 0.4593727033909993}}, 0.125, {0}, {0}, {0}}},
         {{0, 0, 0, 0, 0, 0.7601300379808507, 0.6497709791605275},
          {-0.14796037385325903, -0.23930718826156877, 0.5843586833789376, 0.2344459189191039, 0.9721213150367664,
           -0.003075264050763928, -0.0024088803172915294}},
         1},
    };
    tally t = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const model *m = cases[i].shape;
        gjb_scene *scene = scene_of(m, cases[i].pose, cases[i].first, GJB_F64);
        ask(gjb_contender_find("batch"), scene, GJB_F64, i, &t);
        gjb_scene_free(scene);
    }
    cr_expect(t.pairs == 3 && t.several == 3 && t.wrong == 0 && t.ungraded == 0);
}

Test(flats, batch, .timeout = 280)
{
    for (int p = 0; p < GJB_PRECISIONS; p++)
        ask_all("batch", (gjb_precision)p, pairs_of(6000), 0.98);
}

Test(flats, reference, .timeout = 280)
{
    ask_all("reference", GJB_F64, pairs_of(1000), 0.999);
}
