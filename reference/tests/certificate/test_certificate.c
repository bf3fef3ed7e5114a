/* Certificates and their checker: those of right answers are accepted and tight, spoilt ones prove nothing
 * false. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference/certificate/certificate_make.h"
#include "reference/reference.h"
#include "reference/tests/curved/curved_pairs.h"
#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"
#include "scenes/generate/generate.h"

enum { TIGHT = 8 }; /* units of eps S that a proven bound may be off */

/* Proven bounds, and the units that tightness is measured in. */
typedef struct truth {
    double lo, hi, unit;
    int sign; /* of sigma */
} truth;

static truth truth_of(const gjb_pair *pair)
{
    truth t = {.unit = 0x1p-53 * fmax(gjb_pair_size(pair), gjb_least_size(GJB_F64))};
    if (pair->dim == 2) {
        ref_exact exact;
        ref_oracle2(&pair->as.plane, &exact);
        t.lo = exact.lo;
        t.hi = exact.hi;
        t.sign = exact.sign;
    } else {
        ref_exact3 exact;
        ref_oracle3(&pair->as.space, &exact);
        t.lo = exact.lo;
        t.hi = exact.hi;
        t.sign = exact.sign;
    }
    return t;
}

typedef void visitor(const gjb_pair *pair, const char *where, void *context);

static void for_scene(const gjb_recipe *recipe, visitor *visit, void *context)
{
    gjb_error error = {{0}};
    gjb_pair_space space = {0};
    gjb_scene *scene = gjb_generate(recipe, &error);
    cr_assert(scene, "%s", error.text);
    for (uint64_t i = 0; i < recipe->pairs; i++) {
        char where[128];
        gjb_pair pair;
        snprintf(where, sizeof where, "%uD %s %s pair %d", (unsigned)recipe->dim, recipe->workload,
                 recipe->family, (int)i);
        cr_assert(!gjb_scene_pair(scene, 0, i, &space, &pair));
        visit(&pair, where, context);
    }
    gjb_scene_free(scene);
    gjb_pair_space_free(&space);
}

/* Pairs of every family at rest of one workload. */
static void for_workload(uint32_t dim, const char *workload, uint64_t pairs, visitor *visit, void *context)
{
    for (size_t f = 0; f < gjb_family_count; f++) {
        const gjb_recipe recipe = {.dim = dim,
                                   .precision = f % 2 ? GJB_F64 : GJB_F32,
                                   .seed = 7,
                                   .pairs = pairs,
                                   .family = gjb_families[f].name,
                                   .workload = workload};
        if (gjb_family_has(&gjb_families[f], dim, workload))
            for_scene(&recipe, visit, context);
    }
}

typedef struct tally {
    uint64_t count, apart, overlap;
    double below, above; /* how far, in units, proven bounds are off at most */
} tally;

/* Does what was proven hold of the pair? lo is the greatest double that is not above sigma, and hi the least
 * not below. */
static void expect_sound(const ref_certified *v, const truth *truth, const char *where)
{
    cr_expect(v->lo <= truth->lo && v->hi >= truth->hi,
              "%s: proven [%.17g, %.17g], the truth is [%.17g, %.17g]", where, v->lo, v->hi, truth->lo,
              truth->hi);
    cr_expect(v->sign == 0 || (v->sign > 0) == (truth->sign > 0), "%s: proven %d, the sign is %d", where,
              v->sign, truth->sign);
}

static void accept_and_measure(const gjb_pair *pair, const char *where, void *context)
{
    tally *t = context;
    const truth truth = truth_of(pair);
    ref_certificate c;
    ref_certified verdict;
    ref_certificate_open(&c);
    ref_certificate_prove(pair, &(ref_evidence){0}, &c);
    ref_certificate_claim(pair, &c);
    ref_certificate_check(pair, &c, &verdict);
    cr_expect(verdict.accepted, "%s: %s", where, verdict.reason);
    expect_sound(&verdict, &truth, where);
    const double below = (truth.lo - verdict.lo) / truth.unit, above = (verdict.hi - truth.hi) / truth.unit;
    cr_expect(below <= TIGHT && above <= TIGHT, "%s: %.3g eps S below, %.3g above the truth", where, below,
              above);
    t->below = fmax(t->below, below);
    t->above = fmax(t->above, above);
    t->apart += verdict.sign > 0;
    t->overlap += verdict.sign < 0;
    t->count++;
    ref_certificate_close(&c);
}

Test(certificate, right_answers_are_proven_and_tightly, .timeout = 120)
{
    static const char *const plane[] = {"point",    "segment",   "capsule",          "box",        "polygon3",
                                        "polygon8", "polygon64", "rounded-polygon8", "mixed-kinds"};
    static const char *const space[] = {"sphere", "capsule", "triangle",      "box",        "hull4",
                                        "hull16", "hull64",  "rounded-hull8", "mixed-kinds"};
    tally t = {0};
    for (size_t w = 0; w < sizeof plane / sizeof *plane; w++)
        for_workload(2, plane[w], 5, accept_and_measure, &t);
    for (size_t w = 0; w < sizeof space / sizeof *space; w++)
        for_workload(3, space[w], 2, accept_and_measure, &t);
    cr_expect(t.apart > 500 && t.overlap > 300 && (t.count - t.apart - t.overlap) * 50 < t.count);
    printf("# %d pairs: %d apart, %d overlapping; at most %.2g eps S below and %.2g above the truth\n",
           (int)t.count, (int)t.apart, (int)t.overlap, t.below, t.above);
}

Test(certificate, nasty_pairs_are_proven, .timeout = 120)
{
    static test_pair flat;
    static test_pair3 solid;
    tally t = {0};
    char where[64];
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (uint64_t index = 0; index < 40; index++) {
            snprintf(where, sizeof where, "2D family %d pair %d", family, (int)index);
            test_pair_make(&flat, (test_family)family, index, 12);
            accept_and_measure(&(gjb_pair){.dim = 2, .as.plane = flat.pair}, where, &t);
        }
    }
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (uint64_t index = 0; index < 20; index++) {
            snprintf(where, sizeof where, "3D family %d pair %d", family, (int)index);
            test_pair3_make(&solid, (test_family3)family, index, 12);
            accept_and_measure(&(gjb_pair){.dim = 3, .as.space = solid.pair}, where, &t);
        }
    }
    printf("# %d pairs: %d apart, %d overlapping; at most %.2g eps S below and %.2g above the truth\n",
           (int)t.count, (int)t.apart, (int)t.overlap, t.below, t.above);
}

/* Their truth is an interval too, and how narrow a depth can be proven depends on how round it is. */
Test(certificate, curved_pairs_are_proven, .timeout = 120)
{
    static curved_pair curved;
    int count = 0, apart = 0, overlap = 0, tight = 0;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        for (int family = 0; family < CURVED_FAMILIES; family++) {
            for (uint64_t index = 0; index < (dim == 2 ? 16u : 8u); index++) {
                ref_certificate c;
                ref_certified verdict;
                curved_pair_make(&curved, dim, (curved_family)family, index);
                const truth truth = truth_of(&curved.pair);
                ref_certificate_open(&c);
                ref_certificate_prove(&curved.pair, &(ref_evidence){0}, &c);
                ref_certificate_claim(&curved.pair, &c);
                ref_certificate_check(&curved.pair, &c, &verdict);
                cr_expect(verdict.accepted, "%uD family %d pair %d: %s", dim, family, (int)index,
                          verdict.reason);
                cr_expect(verdict.lo <= truth.hi && verdict.hi >= truth.lo,
                          "%uD family %d pair %d: [%.17g, %.17g], oracle [%.17g, %.17g]", dim, family,
                          (int)index, verdict.lo, verdict.hi, truth.lo, truth.hi);
                apart += verdict.sign > 0;
                overlap += verdict.sign < 0;
                tight += verdict.hi - verdict.lo <= TIGHT * truth.unit;
                count++;
                ref_certificate_close(&c);
            }
        }
    }
    cr_expect(tight * 4 > count * 3);
    printf("# %d curved pairs: %d apart, %d overlapping, %d within %d eps S\n", count, apart, overlap, tight,
           TIGHT);
}

/* ---- half-spaces ---- */

static ref_certified judged(const gjb_pair *pair, const ref_certificate *c)
{
    ref_certified verdict;
    ref_certificate_check(pair, c, &verdict);
    return verdict;
}

/* What is a little stronger than the proof is refused, and what proves less proves nothing false. */
static void spoil_plane(const gjb_pair *pair, const truth *truth, const ref_certificate *right, const char *where)
{
    ref_certificate c = *right;
    c.lo = nextafter(right->lo, INFINITY);
    cr_expect(right->lo == right->hi || !judged(pair, &c).accepted, "%s: lo is one ulp more than proven", where);
    c = *right;
    c.hi = nextafter(right->hi, -INFINITY);
    cr_expect(right->lo == right->hi || !judged(pair, &c).accepted, "%s: hi is one ulp less than proven", where);
    c = *right;
    c.has_plane = false;
    cr_expect(!judged(pair, &c).accepted && judged(pair, &c).lo == -INFINITY, "%s: without the plane", where);
    c = *right;
    c.has_direction = true;
    c.direction[0] = 1;
    cr_expect(!judged(pair, &c).accepted, "%s: a direction", where);
    const int s = right->points[0].count ? 0 : 1; /* another corner is no lower */
    uint32_t index = 0;
    double weight = 1;
    c = *right;
    c.lo = -INFINITY;
    c.hi = INFINITY;
    c.sign = 0;
    c.has_witness = true;
    c.off = 0;
    c.points[s] = (ref_terms){1, &index, &weight};
    cr_expect(judged(pair, &c).hi >= truth->lo, "%s: corner 0 proves %.17g", where, judged(pair, &c).hi);
    cr_expect(!judged(pair, &c).accepted || judged(pair, &c).hi < INFINITY, "%s: witnesses at A's translation", where);
    c.points[1 - s] = c.points[s];
    cr_expect(!judged(pair, &c).accepted, "%s: a point of the half-space", where);
}

static void accept_plane(const gjb_pair *pair, const char *where, void *context)
{
    tally *t = context;
    const truth truth = truth_of(pair);
    ref_certificate c;
    ref_certificate_open(&c);
    ref_certificate_prove(pair, &(ref_evidence){0}, &c);
    ref_certificate_claim(pair, &c);
    const ref_certified verdict = judged(pair, &c);
    cr_expect(verdict.accepted, "%s: %s", where, verdict.reason);
    cr_expect(verdict.lo <= truth.hi && verdict.hi >= truth.lo, "%s: [%.17g, %.17g], oracle [%.17g, %.17g]", where,
              verdict.lo, verdict.hi, truth.lo, truth.hi);
    const double width = (verdict.hi - verdict.lo) / truth.unit;
    cr_expect(width <= TIGHT, "%s: %.3g eps S wide", where, width);
    spoil_plane(pair, &truth, &c, where);
    t->above = fmax(t->above, width);
    t->apart += verdict.sign > 0;
    t->overlap += verdict.sign < 0;
    t->count++;
    ref_certificate_close(&c);
}

Test(certificate, half_spaces_are_proven, .timeout = 120)
{
    tally t = {0};
    for_workload(2, "halfspace", 40, accept_plane, &t);
    for_workload(3, "halfspace", 40, accept_plane, &t);
    cr_expect(t.apart > 500 && t.overlap > 300 && (t.count - t.apart - t.overlap) * 10 < t.count);
    printf("# %d pairs with a half-space: %d apart, %d overlapping; at most %.2g eps S wide\n", (int)t.count,
           (int)t.apart, (int)t.overlap, t.above);
}

/* The plane z = 1, of a normal of length 2, and a box that stands on it: touching, to the last bit. */
Test(certificate, what_stands_on_a_plane_overlaps_it)
{
    static const double plane[2][3] = {{0, 0, 2}, {1, 0, 0}};
    double corners[8][3];
    for (int k = 0; k < 8; k++)
        for (int m = 0; m < 3; m++)
            corners[k][m] = k >> m & 1 ? .5 : -.5;
    const gjb_body3 ground = {.kind = GJB_HALFSPACE, .count = 2, .vertices = plane, .radius = .25, .pose = {.qw = 1}};
    static const struct {
        double z, sigma;
        int sign;
    } cases[] = {{2, 0, -1}, {2.25, .25, 1}, {1.5, -.5, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int of_b = 0; of_b < 2; of_b++) {
            const gjb_body3 box = {.kind = GJB_BOX, .count = 8, .vertices = (const double(*)[3])corners, .radius = .25,
                                   .pose = {.z = cases[i].z, .qw = 1}};
            gjb_pair pair = {.dim = 3, .as.space = {of_b ? box : ground, of_b ? ground : box}};
            ref_certificate c;
            ref_certificate_open(&c);
            ref_certificate_prove(&pair, &(ref_evidence){0}, &c);
            ref_certificate_claim(&pair, &c);
            cr_expect(c.lo == cases[i].sigma && c.hi == cases[i].sigma && c.sign == cases[i].sign,
                      "case %zu: [%g, %g], %d", i, c.lo, c.hi, c.sign);
            /* In world axes about A's translation: a point of the surface, and one at the box's lowest face. */
            const double from = of_b ? -cases[i].z : 0;
            c.has_witness = true;
            c.off = 0x1p-20;
            memcpy(c.witness[of_b], (double[3]){9, 9, from + 1.25}, sizeof c.witness[0]);
            memcpy(c.witness[!of_b],
                   (double[3]){corners[c.points[!of_b].index[0]][0], corners[c.points[!of_b].index[0]][1],
                               from + cases[i].z - .75},
                   sizeof c.witness[0]);
            cr_expect(judged(&pair, &c).accepted, "%s", judged(&pair, &c).reason);
            for (int s = 0; s < 2; s++) {
                c.witness[s][2] += s == of_b ? 0x1p-19 : -0x1p-19;
                cr_expect(!judged(&pair, &c).accepted, "case %zu: witness %d is off", i, s);
                c.witness[s][2] -= s == of_b ? 0x1p-19 : -0x1p-19;
            }
            ref_certificate_close(&c);
            pair.as.space.a = pair.as.space.b = ground;
            ref_certificate none;
            ref_certificate_open(&none);
            none.has_plane = true;
            none.lo = 0;
            cr_expect(strstr(judged(&pair, &none).reason, "two half-spaces") != NULL);
            pair.as.space.a = pair.as.space.b = box;
            cr_expect(strstr(judged(&pair, &none).reason, "plane: no shape") != NULL);
        }
}
