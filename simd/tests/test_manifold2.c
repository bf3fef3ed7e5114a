/* Contacts in the plane: right by the rules of docs/manifolds.md, the same bits from every backend and in any batch, ids
 * that stay, and closed cases. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simd/tests/answers.h"
#include "simd/tests/patch2.h"

enum { PAIRS = 61, LARGEST = sizeof(gjb_manifold2d) };

/* Records of all pairs, in one call. */
static void ask(const gjb_scene *scene, const char *backend, gjb_query query, double margin, void *records)
{
    gjb_scene asked = *scene;
    asked.margin = margin;
    answers_get(&asked, &asked.shapes, backend, query, scene->frames[0].pair_count, records, NULL);
}

/* ---- many pairs ---- */

static void expect_same_bits(const gjb_scene *scene, double margin, const void *want)
{
    gjb_scene asked = *scene;
    asked.margin = margin;
    const size_t bytes = PAIRS * gjb_result_size(GJB_MANIFOLD, (gjb_precision)scene->shapes.precision, 2);
    for (size_t b = 0; b < gjb_backend_count; b++)
        if (gjb_backend_available(gjb_backends[b]->name))
            answers_in_calls(&asked, gjb_backends[b]->name, GJB_MANIFOLD, want, bytes);
}

/* Returns how many have two contacts. */
static unsigned expect_right(const gjb_scene *scene, double margin, const char *family)
{
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    const size_t size = gjb_result_size(GJB_MANIFOLD, precision, 2);
    char signed_distances[PAIRS * sizeof(gjb_result2d)], records[PAIRS * LARGEST];
    gjb_pair_space space = {0};
    unsigned two = 0;
    ask(scene, "scalar", GJB_SIGNED_DISTANCE, 0, signed_distances);
    ask(scene, "scalar", GJB_MANIFOLD, margin, records);
    for (size_t i = 0; i < PAIRS; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        pair.margin = margin;
        const double sigma = precision == GJB_F32 ? (double)((gjb_result2f *)(void *)signed_distances)[i].value
                                                  : ((gjb_result2d *)(void *)signed_distances)[i].value;
        const patch2 got = patch2_read(records + i * size, precision);
        const char *fault = patch2_untidy(records + i * size, precision);
        if (!fault && gjb_pair_curved(&pair))
            fault = got.count == (sigma <= margin) ? NULL : "more or less than one contact";
        else if (!fault)
            fault = patch2_fault(&pair, sigma, &got, precision == GJB_F32 ? 0x1p-24 : 0x1p-53);
        cr_expect_null(fault, "%s, %s, %s, margin %g, pair %zu: %s", scene->name, family, gjb_precision_name(precision),
                       margin, i, fault);
        two += got.count == 2;
    }
    gjb_pair_space_free(&space);
    expect_same_bits(scene, margin, records);
    return two;
}

Test(manifold2, is_right_and_the_same_everywhere, .timeout = 300)
{
    static const char *const workloads[] = {
        "point",    "segment",   "capsule",           "triangle",   "box",         "rounded-box",
        "polygon8", "polygon32", "rounded-polygon64", "polygon256", "mixed-kinds", "mixed-curved"};
    static const double margins[] = {0, 0.002, 0.1, INFINITY};
    unsigned two = 0;
    for (unsigned precision = 0; precision < GJB_PRECISIONS; precision++)
        for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
            for (size_t f = 0; f < gjb_family_count; f++) {
                const gjb_family *family = &gjb_families[f];
                if (family->moving || !gjb_family_has(family, 2, workloads[w]))
                    continue;
                const gjb_recipe recipe = {.workload = workloads[w], .family = family->name, .seed = 3 + f,
                                           .precision = (gjb_precision)precision, .pairs = PAIRS};
                gjb_scene *scene = answers_scene(&recipe);
                two += expect_right(scene, margins[(w + f) % 4] * family->scale, family->name);
                gjb_scene_free(scene);
            }
    cr_assert(two > 1000, "%u have two contacts", two);
}

/* ---- single pairs ---- */

typedef struct placed {
    gjb_kind kind;
    uint32_t rows;
    double row[8][2], radius;
    gjb_pose2d pose;
} placed;

static const placed unit_box = {.kind = GJB_BOX, .rows = 1, .row = {{1, 1}}, .pose = {0, 0, 1, 0}};

static placed moved(placed shape, double x, double y, double angle)
{
    shape.pose = (gjb_pose2d){x, y, cos(angle), sin(angle)};
    return shape;
}

static gjb_scene *scene_of(gjb_precision precision, const placed *a, const placed *b)
{
    gjb_scene *scene = gjb_scene_new(2, precision, 2, a->rows + b->rows, 2, 1);
    gjb_scene_set_shape(scene, 0, a->kind, 0, a->rows, a->row, a->radius);
    gjb_scene_set_shape(scene, 1, b->kind, a->rows, b->rows, b->row, b->radius);
    gjb_scene_set_pose(scene, 0, 0, a->pose);
    gjb_scene_set_pose(scene, 0, 1, b->pose);
    scene->frames[0].pairs[0] = 0;
    scene->frames[0].pairs[1] = 1;
    return scene;
}

static patch2 ask_of(gjb_precision precision, const char *backend, placed a, placed b, double margin)
{
    char record[LARGEST];
    gjb_scene *scene = scene_of(precision, &a, &b);
    ask(scene, backend, GJB_MANIFOLD, margin, record);
    gjb_scene_free(scene);
    cr_assert_null(patch2_untidy(record, precision), "%s", patch2_untidy(record, precision));
    return patch2_read(record, precision);
}

static gjb_manifold2d ask_pair(placed a, placed b, double margin)
{
    gjb_manifold2d m;
    gjb_scene *scene = scene_of(GJB_F64, &a, &b);
    ask(scene, NULL, GJB_MANIFOLD, margin, &m);
    gjb_scene_free(scene);
    cr_assert_null(patch2_untidy(&m, GJB_F64), "%s", patch2_untidy(&m, GJB_F64));
    return m;
}

static void expect_contact(const gjb_contact2d *c, double ax, double ay, double bx, double by, double separation)
{
    const double got[5] = {c->point_a[0], c->point_a[1], c->point_b[0], c->point_b[1], c->separation};
    const double want[5] = {ax, ay, bx, by, separation};
    for (int k = 0; k < 5; k++)
        cr_expect(fabs(got[k] - want[k]) <= 0x1p-48, "number %d is %.17g, not %.17g", k, got[k], want[k]);
}

/* B is to the right, and higher by half of a side. The places of contacts ascend along (-ny, nx) = (0, 1). */
Test(manifold2, closed_cases)
{
    gjb_manifold2d m = ask_pair(unit_box, moved(unit_box, 1.75, 1, 0), 0);
    cr_assert(m.count == 2 && m.head.status == GJB_OVERLAPPING);
    cr_expect(m.normal[0] == 1 && m.normal[1] == 0);
    expect_contact(&m.contact[0], 1, 0, .75, 0, -.25);
    expect_contact(&m.contact[1], 1, 1, .75, 1, -.25);

    m = ask_pair(unit_box, moved(unit_box, 2, 0, 0), 0);
    cr_assert_eq(m.count, 2, "faces that touch");
    expect_contact(&m.contact[0], 1, -1, 1, -1, 0);
    expect_contact(&m.contact[1], 1, 1, 1, 1, 0);

    m = ask_pair(unit_box, moved(unit_box, 2, 2, 0), 0);
    cr_assert_eq(m.count, 1, "corners that touch");
    expect_contact(&m.contact[0], 1, 1, 1, 1, 0);

    placed capsule = {.kind = GJB_SEGMENT, .rows = 2, .row = {{-2, 0}, {2, 0}}, .radius = .5, .pose = {0, 1.25, 1, 0}};
    m = ask_pair(unit_box, capsule, 0);
    cr_assert_eq(m.count, 2, "a capsule that lies flat");
    expect_contact(&m.contact[0], 1, 1, 1, .75, -.25);
    expect_contact(&m.contact[1], -1, 1, -1, .75, -.25);

    placed circle = {.kind = GJB_POINT, .rows = 1, .radius = .5, .pose = {.25, 1.25, 1, 0}};
    m = ask_pair(unit_box, circle, 0);
    cr_assert_eq(m.count, 1, "a circle");
    expect_contact(&m.contact[0], .25, 1, .25, .75, -.25);

    placed ellipse = {.kind = GJB_ELLIPSE, .rows = 1, .row = {{1, .5}}, .pose = {0, 1.25, 1, 0}};
    m = ask_pair(unit_box, ellipse, 0);
    cr_assert_eq(m.count, 1, "an ellipse");
    cr_expect(fabs(m.contact[0].separation + .25) < 1e-12);

    m = ask_pair(unit_box, moved(unit_box, NAN, 0, 0), INFINITY);
    cr_expect(m.head.status == GJB_INVALID_INPUT && m.count == 0, "no number");
}

Test(manifold2, margins)
{
    const placed apart = moved(unit_box, 2.25, 0, 0);
    gjb_manifold2d m = ask_pair(unit_box, apart, .125);
    cr_expect(m.count == 0 && m.normal[0] == 0 && m.head.status == GJB_SEPARATED);
    m = ask_pair(unit_box, apart, .25);
    cr_expect(m.count == 2 && m.head.status == GJB_SEPARATED, "as far as the margin");
    m = ask_pair(unit_box, apart, INFINITY);
    cr_assert_eq(m.count, 2);
    expect_contact(&m.contact[0], 1, -1, 1.25, -1, .25);

    /* leaning by less than the angle: one end is beyond the margin, and the contact goes as far as that */
    const double lean = .01;
    const placed leaning = moved(unit_box, 1 + cos(lean) + sin(lean), 0, lean);
    m = ask_pair(unit_box, leaning, INFINITY);
    cr_assert_eq(m.count, 2);
    const gjb_contact2d *deep = &m.contact[m.contact[0].separation > m.contact[1].separation];
    const uint32_t feature = m.contact[0].feature;
    cr_expect(fabs(deep->separation) <= 0x1p-48, "%g", deep->separation);
    m = ask_pair(unit_box, leaning, .005);
    cr_assert_eq(m.count, 2);
    cr_expect(fabs(fmax(m.contact[0].separation, m.contact[1].separation) - .005) <= 0x1p-48);
    cr_expect_eq(m.contact[0].feature, feature, "the margin changes no id");
    m = ask_pair(unit_box, moved(unit_box, 1 + cos(.02) + sin(.02), 0, .02), INFINITY);
    cr_expect_eq(m.count, 1, "leaning by more than the angle");
}

static uint64_t state = 1;

static double jitter(double by)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return by * ((double)(state >> 40) * 0x1p-23 - 1);
}

typedef void of_each(gjb_precision precision, const char *backend);

static void on_all(of_each *body)
{
    for (size_t b = 0; b < gjb_backend_count; b++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            if (gjb_backend_available(gjb_backends[b]->name))
                body((gjb_precision)p, gjb_backends[b]->name);
}

static const placed ground = {.kind = GJB_BOX, .rows = 1, .row = {{20, 1}}, .pose = {0, -2, 1, 0}};

/* Two boxes of the same width exactly on one another, a box on a long ground, and a trapezoid on a box. */
static void tremble(gjb_precision precision, const char *backend)
{
    const placed trapezoid = {.kind = GJB_POLYGON, .rows = 4, .row = {{-1, -1}, {1, -1}, {.5, 1}, {-.5, 1}},
                              .pose = {0, -2, 1, 0}};
    const placed below[] = {moved(unit_box, 0, -2, 0), ground, trapezoid};
    for (size_t k = 0; k < sizeof below / sizeof *below; k++)
        for (int swapped = 0; swapped < 2; swapped++) {
            uint32_t first[2] = {0, 0};
            for (int frame = 0; frame < 200; frame++) {
                const placed above = moved(unit_box, jitter(1e-4), jitter(1e-4), jitter(1e-4));
                const patch2 m = swapped ? ask_of(precision, backend, below[k], above, .01)
                                         : ask_of(precision, backend, above, below[k], .01);
                cr_assert_eq(m.count, 2, "%s, case %zu, frame %d", backend, k, frame);
                for (int c = 0; c < 2; c++) {
                    first[c] = frame ? first[c] : m.contact[c].feature;
                    cr_assert_eq(m.contact[c].feature, first[c], "%s, case %zu, frame %d: %x", backend, k, frame,
                                 m.contact[c].feature);
                }
            }
        }
}

Test(manifold2, ids_stay_while_a_pair_trembles)
{
    on_all(tremble);
}

/* Moved by 1e-4 of its size a frame, and trembling by a tenth of that, over the end of the ground: how often an id
 * changes, and at which frame first. Lying flat none does: an end of two edges has one id, whichever of them ends. */
static int drift(gjb_precision precision, const char *backend, int swapped, double lean, double to, int *first)
{
    const double step = 2e-4, tremble = 0.1 * step, down = lean > 0 ? sqrt(2) : 1, deep = 0.05;
    uint32_t last[2] = {0, 0}, count = 0;
    int changes = 0;
    for (int frame = 0; frame < 200; frame++) {
        const double x = to + (frame - 99.5) * step, y = down - 1 - deep;
        const placed above = moved(unit_box, x + jitter(tremble), y + jitter(tremble), lean + jitter(tremble));
        const patch2 m = swapped ? ask_of(precision, backend, ground, above, .01)
                                 : ask_of(precision, backend, above, ground, .01);
        int changed = frame > 0 && m.count != count;
        cr_assert(m.count > 0 && m.status == GJB_OVERLAPPING, "%s, frame %d", backend, frame);
        for (uint32_t c = 0; c < m.count; c++) {
            changed |= frame > 0 && m.contact[c].feature != last[c];
            last[c] = m.contact[c].feature;
        }
        count = m.count;
        *first = changed && changes == 0 ? frame : *first;
        changes += changed;
    }
    return changes;
}

static void drifts(gjb_precision precision, const char *backend)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        int first = 0;
        cr_expect_eq(drift(precision, backend, swapped, 0, 19, &first), 0, "%s, frame %d", backend, first);
        /* On a corner, which slips off where that is the shorter way out: so far before the end. */
        const double slips = 20 - 0.05 * (sqrt(2) - 1);
        const int changes = drift(precision, backend, swapped, acos(0) / 2, slips, &first);
        cr_expect(changes == 1 && first == 100, "%s: %d, at first %d", backend, changes, first);
    }
}

Test(manifold2, ids_change_when_a_corner_slides_off_and_at_no_other_frame)
{
    on_all(drifts);
}

/* A corner on a long edge keeps its id when the edge next to it is no longer level; the ground has more corners than the
 * box. */
Test(manifold2, a_corner_keeps_its_id_when_its_edge_rises)
{
    const placed plate = {.kind = GJB_POLYGON, .rows = 8, .pose = {0, -2, 1, 0},
                          .row = {{-20, 1}, {-21, 0}, {-20, -1}, {-10, -1.5}, {10, -1.5}, {20, -1}, {21, 0}, {20, 1}}};
    for (int k = 0; k < 8; k++) { /* every face, leaning either way */
        const double face = k / 2 * acos(0), lean = k % 2 ? -.01 : .01;
        const gjb_manifold2d flat = ask_pair(moved(unit_box, 0, 0, face + lean), plate, .1);
        const gjb_manifold2d tilted = ask_pair(moved(unit_box, 0, 0, face + 2 * lean), plate, .1);
        cr_assert(flat.count == 2 && tilted.count == 1);
        const int deeper = flat.contact[1].separation < flat.contact[0].separation;
        cr_expect_eq(tilted.contact[0].feature, flat.contact[deeper].feature, "case %d", k);
    }
}

/* Exchanged bodies: the same points with their roles, the other way around. */
Test(manifold2, exchanged_bodies_give_the_same_points)
{
    for (int k = 0; k < 200; k++) {
        const placed a = moved(unit_box, 0, 0, jitter(.012)),
                     b = moved(unit_box, 2 + jitter(.1), jitter(1), jitter(.002));
        const gjb_manifold2d m = ask_pair(a, b, .2), w = ask_pair(b, a, .2);
        cr_assert_eq(m.count, w.count);
        for (uint32_t c = 0; c < m.count; c++) {
            const gjb_contact2d *p = &m.contact[c], *q = &w.contact[m.count - 1 - c];
            cr_expect(fabs(p->separation - q->separation) <= 1e-14);
            for (int axis = 0; axis < 2; axis++)
                cr_expect(fabs(p->point_a[axis] - (q->point_b[axis] + (axis ? b.pose.y : b.pose.x))) <= 1e-14);
        }
    }
}

/* The check itself: each wrong in one way. */
Test(manifold2, wrong_contacts_are_noticed)
{
    const placed a = unit_box, b = moved(unit_box, 1.75, 1, 0);
    gjb_scene *scene = scene_of(GJB_F64, &a, &b);
    gjb_pair_space space = {0};
    gjb_pair pair;
    gjb_manifold2d m;
    cr_assert_eq(gjb_scene_pair(scene, 0, 0, &space, &pair), 0);
    ask(scene, NULL, GJB_MANIFOLD, 0, &m);
    const patch2 good = patch2_read(&m, GJB_F64);
    cr_assert_null(patch2_fault(&pair, -.25, &good, 0x1p-53));
    for (int wrong = 0; wrong < 7; wrong++) {
        patch2 bad = good;
        gjb_contact2d *c = &bad.contact[1];
        const double off = 1e-13;
        if (wrong == 0)
            c->point_a[0] += off;
        if (wrong == 1)
            c->point_b[0] -= off;
        if (wrong == 2)
            c->separation += off;
        if (wrong == 3)
            bad.count = 1;
        if (wrong == 4)
            bad.count = 0;
        if (wrong == 5)
            c->point_a[1] -= off, c->point_b[1] -= off; /* short of the end, on both sides */
        if (wrong == 6)
            bad.normal[1] = 1e-6;
        cr_expect_not_null(patch2_fault(&pair, -.25, &bad, 0x1p-53), "wrong %d", wrong);
    }
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
}
