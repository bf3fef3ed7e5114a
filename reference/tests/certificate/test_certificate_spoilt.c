/* The checker against certificates that are wrong: whatever is done to one, nothing false is proven of the
 * pair, and no false claim is accepted. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/certificate/certificate_grid.h"
#include "reference/certificate/certificate_make.h"
#include "reference/reference.h"
#include "reference/tests/curved/curved_pairs.h"
#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"

typedef struct luck {
    uint64_t state;
} luck;

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t draw(luck *l)
{
    uint64_t z = l->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(luck *l, uint32_t count)
{
    return count ? (uint32_t)(draw(l) % count) : 0;
}

static double real(luck *l) /* in [-1, 1) */
{
    return (double)(int64_t)draw(l) * 0x1p-63;
}

static void *copied(const void *from, size_t count, size_t size)
{
    void *to = calloc(count + 64, size); /* room for what spoiling adds */
    cr_assert(to);
    if (count)
        memcpy(to, from, count * size);
    return to;
}

static ref_certificate copy_of(const ref_certificate *c)
{
    ref_certificate d = *c;
    for (int s = 0; s < 2; s++) {
        d.inner[s] = copied(c->inner[s], c->inner_count[s], sizeof *c->inner[s]);
        d.points[s].index = copied(c->points[s].index, c->points[s].count, sizeof(uint32_t));
        d.points[s].weight = copied(c->points[s].weight, c->points[s].count, sizeof(double));
    }
    d.vertices = copied(c->vertices, c->vertex_count, sizeof *c->vertices);
    d.faces = copied(c->faces, c->face_count, sizeof *c->faces);
    return d;
}

typedef struct subject {
    uint32_t dim, corners[2];
    ref_certificate *c;
    luck *luck;
} subject;

static void flip_direction(subject *s)
{
    for (int k = 0; k < 3; k++)
        s->c->direction[k] = -s->c->direction[k];
}
static void turn_direction(subject *s)
{
    const double by = ldexp(1, -(int)below(s->luck, 60));
    for (uint32_t k = 0; k < s->dim; k++)
        s->c->direction[k] += by * real(s->luck);
}
static void lose_direction(subject *s)
{
    const double odd[4] = {0, NAN, INFINITY, 1e308};
    s->c->direction[below(s->luck, s->dim)] = odd[below(s->luck, 4)];
}
static void swap_indices(subject *s)
{
    ref_certificate *c = s->c;
    if (c->vertex_count) {
        uint32_t *v = c->vertices[below(s->luck, c->vertex_count)], other = v[0];
        v[0] = v[1];
        v[1] = other;
    }
}
static void another_vertex(subject *s)
{
    ref_certificate *c = s->c;
    if (c->vertex_count) {
        const int side = (int)below(s->luck, 2);
        c->vertices[below(s->luck, c->vertex_count)][side] = below(s->luck, s->corners[side] + 1);
    }
}
static void drop_face(subject *s)
{
    ref_certificate *c = s->c;
    if (c->face_count) {
        memcpy(c->faces[below(s->luck, c->face_count)], c->faces[c->face_count - 1], sizeof *c->faces);
        c->face_count--;
    }
}
static void reverse_face(subject *s)
{
    ref_certificate *c = s->c;
    if (c->face_count) {
        uint32_t *v = c->faces[below(s->luck, c->face_count)], other = v[0];
        v[0] = v[1];
        v[1] = other;
    }
}
static void another_corner(subject *s)
{
    ref_certificate *c = s->c;
    if (c->face_count)
        c->faces[below(s->luck, c->face_count)][below(s->luck, s->dim)] = below(s->luck, c->vertex_count + 1);
}
static void turn_inside_out(subject *s)
{
    for (uint32_t f = 0; f < s->c->face_count; f++) {
        const uint32_t other = s->c->faces[f][0];
        s->c->faces[f][0] = s->c->faces[f][1];
        s->c->faces[f][1] = other;
    }
}
static void line_with_itself(subject *s) /* winds 0 times */
{
    ref_certificate *c = s->c;
    const uint32_t count = c->face_count;
    uint32_t(*faces)[3] = calloc(2 * count + 1, sizeof *faces);
    for (uint32_t f = 0; f < count; f++) {
        memcpy(faces[f], c->faces[f], sizeof *faces);
        memcpy(faces[count + f], (uint32_t[3]){c->faces[f][1], c->faces[f][0], c->faces[f][2]},
               sizeof *faces);
    }
    free(c->faces);
    c->faces = faces;
    c->face_count = 2 * count;
}
/* A triangle or tetrahedron of any vertices of D, closed, wherever it lies. */
static void some_surface(subject *s)
{
    static const uint32_t plane[3][3] = {{0, 1}, {1, 2}, {2, 0}},
                          space[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    ref_certificate *c = s->c;
    free(c->faces);
    free(c->vertices);
    c->vertex_count = c->face_count = s->dim + 1;
    c->vertices = calloc(4, sizeof *c->vertices);
    c->faces = copied(s->dim == 2 ? plane : space, s->dim + 1, sizeof *c->faces);
    for (uint32_t v = 0; v < c->vertex_count; v++)
        for (int side = 0; side < 2; side++)
            c->vertices[v][side] = below(s->luck, s->corners[side]);
}
static void some_simplex(subject *s)
{
    s->c->simplex_count = below(s->luck, s->dim + 2);
    for (uint32_t v = 0; v < s->c->simplex_count; v++)
        for (int side = 0; side < 2; side++)
            s->c->simplex[v][side] = below(s->luck, s->corners[side]);
}
static void another_of_simplex(subject *s)
{
    const int side = (int)below(s->luck, 2);
    s->c->simplex[below(s->luck, 4)][side] = below(s->luck, s->corners[side] + 1);
}
static void shrink_simplex(subject *s)
{
    s->c->simplex_count -= s->c->simplex_count > 0;
}
static void move_weight(subject *s)
{
    ref_terms *terms = &s->c->points[below(s->luck, 2)];
    if (terms->count)
        terms->weight[below(s->luck, terms->count)] += real(s->luck);
}
static void odd_weight(subject *s)
{
    const double odd[6] = {0, -1, NAN, INFINITY, 5e-324, 1e308};
    ref_terms *terms = &s->c->points[below(s->luck, 2)];
    if (terms->count)
        terms->weight[below(s->luck, terms->count)] = odd[below(s->luck, 6)];
}
static void oppose_weights(subject *s) /* the sum stays what it was, and a weight is negative */
{
    ref_terms *terms = &s->c->points[below(s->luck, 2)];
    if (terms->count >= 2) {
        terms->weight[0] += 4;
        terms->weight[1] -= 4;
    }
}
static void scale_weights(subject *s)
{
    ref_terms *terms = &s->c->points[below(s->luck, 2)];
    for (uint32_t k = 0; k < terms->count; k++)
        terms->weight[k] *= 0.1;
}
static void another_term(subject *s)
{
    const uint32_t side = below(s->luck, 2);
    ref_terms *terms = &s->c->points[side];
    if (terms->count)
        terms->index[below(s->luck, terms->count)] = below(s->luck, s->corners[side] + 1);
}
static void drop_points(subject *s)
{
    s->c->points[below(s->luck, 2)].count = 0;
}
static void move_inner(subject *s)
{
    const uint32_t side = below(s->luck, 2);
    if (s->c->inner_count[side]) {
        double *x = s->c->inner[side][below(s->luck, s->c->inner_count[side])];
        const double by = 1 + ldexp(1, -(int)below(s->luck, 53));
        for (uint32_t k = 0; k < s->dim; k++)
            x[k] *= by;
    }
}
static void inner_of_vertices(
    subject *s) /* refused where the core has vertices: they are not to be replaced */
{
    const int side = (int)below(s->luck, 2);
    s->c->inner_count[side] = s->c->inner_count[side] ? s->c->inner_count[side] : 3;
}

typedef void spoiling(subject *s);
static spoiling *const spoilings[] = {
    flip_direction,     turn_direction, lose_direction,  swap_indices,     another_vertex, drop_face,
    reverse_face,       another_corner, turn_inside_out, line_with_itself, some_surface,   some_simplex,
    another_of_simplex, shrink_simplex, move_weight,     odd_weight,       oppose_weights, scale_weights,
    another_term,       drop_points,    move_inner,      inner_of_vertices};
enum { SPOILINGS = sizeof spoilings / sizeof *spoilings };

typedef struct truth {
    double lo, hi;
    int sign;
    bool narrow; /* lo and hi are neighbours, or one */
} truth;

static truth truth_of(const gjb_pair *pair)
{
    truth t = {.narrow = !gjb_pair_curved(pair)};
    if (pair->dim == 2) {
        ref_exact exact;
        ref_oracle2(&pair->as.plane, &exact);
        t.lo = exact.lo, t.hi = exact.hi, t.sign = exact.sign;
    } else {
        ref_exact3 exact;
        ref_oracle3(&pair->as.space, &exact);
        t.lo = exact.lo, t.hi = exact.hi, t.sign = exact.sign;
    }
    return t;
}

/* Is it true that sigma >= lo, <= hi, and of that sign, as far as is known? */
static bool holds(const truth *t, double lo, double hi, int sign)
{
    if (!t->narrow)
        return lo <= t->hi && hi >= t->lo && (sign == 0 || (sign > 0 ? t->hi > 0 : t->lo <= 0));
    return lo <= t->lo && hi >= t->hi && (sign == 0 || (sign > 0) == (t->sign > 0));
}

typedef struct tally {
    uint64_t spoilt, refused, by_spoiling[SPOILINGS];
} tally;

static void expect_nothing_false(const gjb_pair *pair, const ref_certificate *c, const truth *t,
                                 const char *where, int spoilt, tally *tally)
{
    ref_certified v;
    ref_certificate_check(pair, c, &v);
    cr_expect(holds(t, v.lo, v.hi, v.sign),
              "%s, spoilt by %d: proven [%.17g, %.17g] %d, the truth is [%.17g, %.17g] %d", where, spoilt,
              v.lo, v.hi, v.sign, t->lo, t->hi, t->sign);
    cr_expect(!v.accepted || holds(t, c->lo, c->hi, c->sign), "%s, spoilt by %d: [%.17g, %.17g] is accepted",
              where, spoilt, c->lo, c->hi);
    cr_expect(v.accepted || v.reason[0], "%s, spoilt by %d: refused without a reason", where, spoilt);
    tally->spoilt++;
    tally->refused += !v.accepted;
    if (spoilt >= 0 && !v.accepted)
        tally->by_spoiling[spoilt]++;
}

/* What is claimed beyond the proof by an ulp is refused. */
static void strengthen(const gjb_pair *pair, ref_certificate *c, const char *where)
{
    const ref_certificate claimed = *c;
    ref_certified v;
    for (int k = 0; k < 3; k++) {
        *c = claimed;
        if (k == 0) {
            c->lo = nextafter(c->lo, INFINITY);
            c->hi = INFINITY; /* no longer an interval, else */
        } else if (k == 1) {
            c->hi = nextafter(c->hi, -INFINITY);
            c->lo = -INFINITY;
        } else {
            c->sign = c->sign ? -c->sign : 1;
        }
        ref_certificate_check(pair, c, &v);
        cr_expect(!v.accepted, "%s: more is claimed than proven (%d), and accepted", where, k);
    }
    *c = claimed;
}

static void spoil(const gjb_pair *pair, const gjb_pair *other, const char *where, luck *l, tally *tally)
{
    const truth t = truth_of(pair), t_other = truth_of(other);
    ref_certificate whole;
    ref_certificate_open(&whole);
    ref_certificate_prove(pair, &(ref_evidence){0}, &whole);
    ref_certificate_claim(pair, &whole);
    strengthen(pair, &whole, where);
    expect_nothing_false(other, &whole, &t_other, where, -1, tally);
    for (int k = 0; k < 2 * SPOILINGS; k++) {
        ref_certificate c = copy_of(&whole);
        subject s = {.dim = pair->dim, .c = &c, .luck = l};
        for (int side = 0; side < 2; side++) {
            s.corners[side] = pair->dim == 2 ? (side ? pair->as.plane.b.count : pair->as.plane.a.count)
                                             : (side ? pair->as.space.b.count : pair->as.space.a.count);
            s.corners[side] = c.inner_count[side] ? c.inner_count[side] : s.corners[side];
        }
        const int which = k % SPOILINGS;
        spoilings[which](&s);
        for (int more = k < SPOILINGS ? 0 : (int)below(l, 3); more > 0; more--)
            spoilings[below(l, SPOILINGS)](&s);
        if (below(l, 4) ==
            0) { /* what it then proves need not imply what was claimed: claim what would be false */
            c.lo = t.lo > 0 ? t.hi * 1.5 : t.hi + 1e-9;
            c.hi = INFINITY;
        }
        expect_nothing_false(pair, &c, &t, where, k < SPOILINGS ? which : -1, tally);
        ref_certificate_close(&c);
    }
    ref_certificate_close(&whole);
}

Test(certificate_spoilt, nothing_false_is_proven, .timeout = 180)
{
    static test_pair flat[2];
    static test_pair3 solid[2];
    static curved_pair curved[2];
    luck l = {7};
    tally tally = {0};
    char where[64];
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (uint64_t index = 0; index < 10; index++) {
            snprintf(where, sizeof where, "2D family %d pair %d", family, (int)index);
            test_pair_make(&flat[0], (test_family)family, index, 9);
            test_pair_make(&flat[1], (test_family)family, index + 1, 9);
            spoil(&(gjb_pair){.dim = 2, .as.plane = flat[0].pair},
                  &(gjb_pair){.dim = 2, .as.plane = flat[1].pair}, where, &l, &tally);
        }
    }
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (uint64_t index = 0; index < 8; index++) {
            snprintf(where, sizeof where, "3D family %d pair %d", family, (int)index);
            test_pair3_make(&solid[0], (test_family3)family, index, 9);
            test_pair3_make(&solid[1], (test_family3)family, index + 1, 9);
            spoil(&(gjb_pair){.dim = 3, .as.space = solid[0].pair},
                  &(gjb_pair){.dim = 3, .as.space = solid[1].pair}, where, &l, &tally);
        }
    }
    for (uint64_t index = 0; index < 16; index++) {
        const uint32_t dim = 2 + index % 2;
        snprintf(where, sizeof where, "%uD curved pair %d", dim, (int)index);
        curved_pair_make(&curved[0], dim, CURVED_PLAIN, index);
        curved_pair_make(&curved[1], dim, CURVED_PLAIN, index + 2);
        spoil(&curved[0].pair, &curved[1].pair, where, &l, &tally);
    }
    for (int k = 0; k < SPOILINGS; k++)
        cr_expect(tally.by_spoiling[k] > 0 || spoilings[k] == scale_weights ||
                      spoilings[k] == turn_inside_out,
                  "spoiling %d is never refused", k);
    printf("# %d spoilt certificates, %d refused\n", (int)tally.spoilt, (int)tally.refused);
}

/* ---- by hand ---- */

static const double triangle_a[][2] = {{0, 0}, {4, 0}, {0, 3}}, triangle_b[][2] = {{1, 1}, {5, 1}, {1, 4}};

static gjb_pair triangles(test_pair *room, double x)
{
    test_pair_set(room, 0, GJB_POLYGON, 3, triangle_a, 0, (gjb_pose2d){0, 0, 1, 0});
    test_pair_set(room, 1, GJB_POLYGON, 3, triangle_b, 0, (gjb_pose2d){x, 0, 1, 0});
    return (gjb_pair){.dim = 2, .as.plane = room->pair};
}

/* Steps that rest on a closed form, and the same with what makes them fail. */
Test(certificate_spoilt, steps_by_hand)
{
    static test_pair room;
    gjb_pair pair = triangles(&room, 10);
    ref_certified v;
    ref_certificate c;
    /* Apart: b's least x is 11, a's greatest 4. The direction has no unit length. */
    ref_certificate_open(&c);
    c.has_direction = true;
    c.direction[0] = 3;
    c.lo = 7;
    c.sign = 1;
    ref_certificate_check(&pair, &c, &v);
    cr_expect(v.accepted && v.lo == 7 && v.sign == 1 && v.hi == INFINITY, "%s", v.reason);
    c.lo = 7 + 0x1p-50;
    ref_certificate_check(&pair, &c, &v);
    cr_expect(!v.accepted && v.lo == 7);
    /* Points (4, 0) and the middle of (11, 1) and (11, 4), by weights of any sum: sqrt(49 + 6.25). */
    uint32_t index_a[] = {1}, index_b[] = {0, 2};
    double weight_a[] = {0.3}, weight_b[] = {5, 5};
    ref_certificate_open(&c);
    c.points[0] = (ref_terms){1, index_a, weight_a};
    c.points[1] = (ref_terms){2, index_b, weight_b};
    c.hi = 7.4330343736592526;
    ref_certificate_check(&pair, &c, &v);
    cr_expect(v.accepted && v.hi >= sqrt(55.25) && v.hi <= nextafter(sqrt(55.25), 8), "%.17g %s", v.hi,
              v.reason);
    /* Witness points are held to their slack. */
    c.has_witness = true;
    c.witness[0][0] = 4, c.witness[0][1] = 0.125, c.witness[1][0] = 11, c.witness[1][1] = 2.5;
    c.off = 0.125;
    ref_certificate_check(&pair, &c, &v);
    cr_expect(v.accepted, "%s", v.reason);
    c.off = nextafter(0.125, 0);
    ref_certificate_check(&pair, &c, &v);
    cr_expect(!v.accepted && strstr(v.reason, "witness.a"), "%s", v.reason);
    /* Nothing to prove, and nothing that proves it. */
    ref_certificate_open(&c);
    ref_certificate_check(&pair, &c, &v);
    cr_expect(!v.accepted);
    c.hi = 100;
    ref_certificate_check(&pair, &c, &v);
    cr_expect(!v.accepted && strstr(v.reason, "claim.hi"), "%s", v.reason);
}

/* What a file cannot hold, and a caller can. */
Test(certificate_spoilt, numbers_that_are_none)
{
    static test_pair room;
    const gjb_pair pair = triangles(&room, 10);
    ref_certified v;
    double inner[1][3] = {{NAN, 0, 0}};
    const struct {
        ref_certificate c;
        const char *says;
    } rows[] = {
        {{.lo = NAN, .hi = 0}, "claim: "},
        {{.lo = 1, .hi = 0}, "no interval"},
        {{.hi = 9, .has_witness = true, .off = NAN}, "witness.off: nan"},
        {{.hi = 9, .has_witness = true, .off = -1}, "witness.off: -1"},
        {{.hi = 9, .has_witness = true, .witness = {{0, INFINITY}}}, "witness.a: "},
        {{.hi = 9, .has_witness = true}, "witness: claimed, and the proof has no points of the cores"},
        {{.hi = 9, .simplex_count = 5}, "simplex: 5 vertices"},
        {{.hi = 9, .inner_count = {1, 0}, .inner = {inner, NULL}}, "inner.a[0]: not finite"},
        {{.hi = 9, .has_direction = true, .direction = {NAN, 1}}, "direction: none"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ref_certificate_check(&pair, &rows[k].c, &v);
        cr_expect(!v.accepted && strstr(v.reason, rows[k].says), "row %d: '%s'", (int)k, v.reason);
    }
}

/* Touching along an edge and at a corner: what no rounding may decide. */
Test(certificate_spoilt, touching_is_exact)
{
    static test_pair room;
    gjb_pair pair = triangles(&room, 3); /* a's (4, 0) is 1 below b's (4, 1); shift by hand */
    room.pair.b.pose.y = -1;
    pair.as.plane = room.pair;
    ref_certified v;
    ref_certificate c;
    ref_certificate_open(&c);
    c.simplex_count = 1;
    c.simplex[0][0] = 1;
    c.simplex[0][1] = 0;
    c.hi = 0;
    c.sign = -1;
    ref_certificate_check(&pair, &c, &v);
    cr_expect(v.accepted && v.hi == 0 && v.sign == -1, "%s", v.reason);
    room.pair.b.pose.x = nextafter(3, 4);
    pair.as.plane = room.pair;
    ref_certificate_check(&pair, &c, &v);
    cr_expect(!v.accepted && v.hi == INFINITY);
    c = (ref_certificate){
        .lo = 0x1p-52, .hi = INFINITY, .sign = 1, .has_direction = true, .direction = {1, 0}};
    ref_certificate_check(&pair, &c, &v);
    cr_expect(v.accepted, "%s", v.reason);
}

/* A polytope that is right but for a face of no area, or that has the origin on a face, and one that crosses
 * itself. */
Test(certificate_spoilt, surfaces_by_hand)
{
    static const double square[][2] = {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}, dot[][2] = {{0, 0}};
    static test_pair room;
    test_pair_set(&room, 0, GJB_POINT, 1, dot, 0, (gjb_pose2d){0, 0, 1, 0});
    test_pair_set(&room, 1, GJB_POLYGON, 4, square, 0, (gjb_pose2d){1, 0, 1, 0});
    const gjb_pair pair = {.dim = 2, .as.plane = room.pair};
    uint32_t vertices[][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 3}};
    static const struct {
        uint32_t count, faces[8][3];
        double hi;
    } rows[] = {
        {4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, -1},
        {4, {{1, 0}, {2, 1}, {3, 2}, {0, 3}}, -1},                                 /* clockwise winds too */
        {5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, -1},                         /* an edge of no length */
        {3, {{0, 1}, {1, 3}, {3, 0}}, -0.70710678118654746},                       /* of part of it */
        {8, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1}, {1, 2}, {2, 3}, {3, 0}}, -1}, /* twice around */
        {3, {{1, 2}, {2, 3}, {3, 1}}, INFINITY},                                   /* next to the origin */
        {3, {{0, 1}, {1, 2}, {2, 3}}, INFINITY},                                   /* open */
        {8, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 0}, {2, 1}, {3, 2}, {0, 3}}, INFINITY}, /* forth and back */
        {4,
         {{0, 2}, {2, 1}, {1, 3}, {3, 0}},
         -0.70710678118654746}, /* crosses itself, and winds once there */
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ref_certified v;
        ref_certificate c;
        ref_certificate_open(&c);
        c.vertices = vertices;
        c.vertex_count = 5;
        c.faces = (uint32_t(*)[3])(uintptr_t)rows[k].faces;
        c.face_count = rows[k].count;
        ref_certificate_check(&pair, &c, &v);
        cr_expect(v.hi == rows[k].hi || (isfinite(v.hi) && v.hi == nextafter(rows[k].hi, 0)),
                  "surface %d: %.17g, %s", (int)k, v.hi, v.reason);
    }
}

static gjb_pair dot_and_hull(test_pair3 *room, uint32_t count, const double (*vertices)[3])
{
    static const double dot[][3] = {{0, 0, 0}};
    test_pair3_set(room, 0, 1, dot, 0, (gjb_pose3d){.qw = 1});
    test_pair3_set(room, 1, count, vertices, 0, (gjb_pose3d){.qw = 1});
    return (gjb_pair){.dim = 3, .as.space = room->pair};
}

/* A corner in the very direction of the first ray: another one has to do. */
Test(certificate_spoilt, a_ray_through_a_corner)
{
    static const double around[][3] = {{1000003, 514229, 317811}, {-1e6, 0, 0}, {0, -1e6, 0}, {0, 0, -1e6}},
                        sideways[][3] = {{1000003, 514229, 317811}, {3e6, 0, 0}, {0, 3e6, 0}, {0, 0, 3e6}},
                        behind[][3] = {
                            {-1000003, -514229, -317811}, {-3e6, 0, 0}, {0, -3e6, 0}, {0, 0, -3e6}};
    static test_pair3 room;
    uint32_t vertices[][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}},
             faces[][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    for (int k = 0; k < 3; k++) {
        const gjb_pair pair = dot_and_hull(&room, 4, k == 0 ? around : k == 1 ? sideways : behind);
        ref_certified v;
        ref_certificate c;
        ref_certificate_open(&c);
        c.vertices = vertices;
        c.faces = faces;
        c.vertex_count = c.face_count = 4;
        ref_certificate_check(&pair, &c, &v);
        cr_expect((v.hi < 0) == (k == 0) && (k == 0 || strstr(v.reason, "does not wind")), "%d: %.17g, %s", k,
                  v.hi, v.reason);
    }
}

/* The origin below a triangle, below an edge of it, and in it. */
Test(certificate_spoilt, a_triangle_beside_its_plane)
{
    static const double above[][3] = {{10, 0, 1}, {-5, 9, 1}, {-5, -9, 1}},
                        at[][3] = {{10, 0, 0}, {-5, 9, 0}, {-5, -9, 0}},
                        out[][3] = {{10, 0, 0}, {1, 9, 0}, {1, -9, 0}};
    static test_pair3 room;
    for (int k = 0; k < 3; k++) {
        const gjb_pair pair = dot_and_hull(&room, 3, k == 0 ? above : k == 1 ? at : out);
        ref_certified v;
        ref_certificate c = {
            .lo = -INFINITY, .hi = 0, .simplex_count = 3, .simplex = {{0, 0}, {0, 1}, {0, 2}}};
        ref_certificate_check(&pair, &c, &v);
        cr_expect(v.accepted == (k == 1), "%d: %s", k, v.reason);
    }
}

/* On the boundary, and an ulp outside, of each kind; where the core is flat, off its plane. */
Test(certificate_spoilt, points_of_curved_cores)
{
    const double out = 1 + 0x1p-52;
    const struct {
        gjb_kind kind;
        uint32_t dim;
        double rows[6], in[3], sideways[3];
    } rows[] = {
        {GJB_ELLIPSE, 2, {5, 10}, {3, 8, 0}, {3, 8 * out, 0}},
        {GJB_ELLIPSE, 2, {5, 0}, {5, 0, 0}, {0, 5e-324, 0}},
        {GJB_ELLIPSOID, 3, {3, 3, 3}, {2, 2, 1}, {2, 2, out}},
        {GJB_SUPERELLIPSE, 2, {4, 4, 1, 0}, {1, -3, 0}, {1, -3 * out, 0}},
        {GJB_SUPERELLIPSE, 2, {2, 2, 16, 0}, {2, 0, 0}, {2 * out, 0, 0}},
        {GJB_SUPERELLIPSE, 2, {2, 2, 16, 0}, {1.9, 1.9, 0}, {1.95, 1.95, 0}},
        {GJB_SUPERELLIPSOID, 3, {8, 8, 8, 1, 0, 0}, {1, 3, -4}, {1, 3, -4 * out}},
        {GJB_CYLINDER, 3, {5, 2, 0}, {3, -4, -2}, {3, -4 * out, -2}},
        {GJB_CYLINDER, 3, {5, 2, 0}, {3, -4, 2}, {3, -4, 2 * out}},
        {GJB_CONE, 3, {10, 2, 0}, {3, -4, 0}, {3, -4 * out, 0}},
        {GJB_CONE, 3, {10, 2, 0}, {0, 0, 2}, {5e-324, 0, 2}},
        {GJB_CONE, 3, {10, 2, 0}, {6, 8, -2}, {6, 8, -2 * out}},
        {GJB_CONE, 3, {10, 0, 0}, {6, 8, 0}, {6, 8 * out, 0}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        cr_expect(ref_cert_inside(rows[k].kind, rows[k].dim, rows[k].rows, rows[k].in), "row %d: inside",
                  (int)k);
        cr_expect(!ref_cert_inside(rows[k].kind, rows[k].dim, rows[k].rows, rows[k].sideways), "row %d: sideways",
                  (int)k);
    }
}

/* Gaps of curved cores known on paper: the double below, and no lower. */
Test(certificate_spoilt, gaps_of_curved_cores)
{
    static curved_pair room;
    const struct {
        uint32_t dim;
        gjb_kind kind;
        uint32_t count;
        double rows[6], at[3], n[3];
        long double gap;
    } table[] = {
        {2, GJB_ELLIPSE, 1, {1, 1}, {3, 3}, {1, 1}, sqrtl(18) - 1},
        {2, GJB_ELLIPSE, 1, {3, 4}, {9, 9}, {1, 1}, (18 - 5) / sqrtl(2)},
        {2, GJB_SUPERELLIPSE, 2, {3, 4, 1, 0}, {9, 9}, {1, 1}, (18 - 4) / sqrtl(2)},
        {2, GJB_SUPERELLIPSE, 2, {8, 27, 1.5, 0}, {90, 90}, {1, 1}, (180 - cbrtl(512 + 19683)) / sqrtl(2)},
        {3, GJB_ELLIPSOID, 1, {2, 3, 6}, {9, 9, 9}, {1, 1, 1}, (27 - 7) / sqrtl(3)},
        {3, GJB_CYLINDER, 1, {1, 2, 0}, {9, 9, 9}, {3, 4, 1}, (72 - 7) / sqrtl(26)},
        {3, GJB_CONE, 1, {1, 2, 0}, {9, 9, 9}, {3, 4, 1}, (72 - 3) / sqrtl(26)},
        {3, GJB_CONE, 1, {1, 2, 0}, {9, 9, 9}, {3, 4, 5}, (108 - 10) / sqrtl(50)},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        static const double dot[3] = {0};
        const double still[4] = {table[k].dim == 2, 0, 0, table[k].dim == 3};
        room.pair.dim = table[k].dim;
        curved_pair_set(&room, 0, table[k].kind, table[k].count, table[k].rows, 0);
        curved_pair_set(&room, 1, GJB_POINT, 1, dot, 0);
        curved_pair_pose(&room, 1, table[k].at, still);
        ref_certified v;
        ref_certificate c = {.lo = -INFINITY, .hi = INFINITY, .has_direction = true};
        memcpy(c.direction, table[k].n, sizeof c.direction);
        ref_certificate_check(&room.pair, &c, &v);
        const long double slack = 4 * LDBL_EPSILON * table[k].gap; /* of the formulas above */
        cr_expect(v.lo <= table[k].gap + slack && nextafter(v.lo, INFINITY) > table[k].gap - slack,
                  "row %d: %.17g, %.20Lg", (int)k, v.lo, table[k].gap);
    }
}
