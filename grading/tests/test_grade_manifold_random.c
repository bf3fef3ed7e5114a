/* Manifolds of random pairs graded: the fast patch has to say what the exact one says, and an answer made from the
 * exact patch has to be right and cover all. */
#include "core/tests/one_in.h"
#include "grading/answer_certificate.h"
#include "grading/bounds_private.h"
#include "grading/tests/manifold_cases.h"
#include "reference/patch/patch.h"
#include "reference/reference.h"
#include "scenes/generate/generate.h"

/* The best points of the exact patch. It is grown by less than T, since its corners are off the shapes by as much. */
static gjb_result best_of(const gjb_pair *pair, const double normal[3], double sigma, double near)
{
    const ref_patch_question q = {
        {normal[0], normal[1], normal[2]}, REF_PATCH_SINE, pair->margin - near, near / 4, near / 4};
    ref_patch patch = {0};
    gjb_result r = begun(sigma, normal[0] + 0.0, normal[1] + 0.0, normal[2] + 0.0);
    ref_patch_find(pair, &q, &patch);
    for (uint32_t k = 0; k < patch.best_count; k++) {
        const ref_patch_corner *corner = &patch.corners[patch.best[k]];
        gjb_contact3d *c = &r.contact[r.count++];
        for (int m = 0; m < 3; m++) {
            c->point_a[m] = corner->point_a[m] + 0.0;
            c->point_b[m] = corner->point_b[m] + 0.0;
        }
        c->separation = corner->separation + 0.0;
        c->feature = k;
    }
    if (r.count)
        set_deepest(&r);
    else
        memset(r.normal, 0, sizeof r.normal);
    ref_patch_free(&patch);
    return r;
}

/* --- Random pairs -------------------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t pairs, graded, inside, spoilt, noticed;
    uint64_t exact; /* right answers that the exact patch was asked about */
    uint64_t moved, refused; /* answers of which a point was moved, and whose certificates fail */
} tally;

/* Do the certificates of all contacts hold, as an exact checker sees it? */
static int carried(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance, char why[256])
{
    gjb_placed_pair placed = {0};
    int all = 1;
    cr_assert(!gjb_place_pair(&placed, pair));
    for (uint32_t i = 0; i < (r->count ? r->count : 1) && all; i++) {
        ref_certificate c;
        ref_certified verdict;
        ref_certificate_open(&c);
        gjb_certify_contact(&placed, r, i, tolerance, &c);
        ref_certificate_check(pair, &c, &verdict);
        all = verdict.accepted;
        snprintf(why, 256, "contact %u: %.200s", (unsigned)i, verdict.reason);
        ref_certificate_close(&c);
    }
    gjb_placed_free(&placed);
    return all;
}

static ref_answer3 reference_of(const gjb_pair *pair)
{
    if (pair->dim == 3)
        return ref_signed_distance3(&pair->as.space, NULL);
    const ref_answer flat = ref_signed_distance2(&pair->as.plane);
    return (ref_answer3){.sigma = flat.sigma, .normal = {flat.normal[0], flat.normal[1], 0}};
}

/* Without rule 6 coverage is that of the fast patch, even of a spoilt answer. */
static void compare_partial(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance,
                            const char *where)
{
    gjb_tolerance partial = *tolerance;
    partial.partial = 1;
    const gjb_grade fast = grade_with(pair, r, &partial, 0), slow = grade_with(pair, r, &partial, 1);
    cr_expect(fast.verdict == slow.verdict && fast.has_coverage == slow.has_coverage, "%s: partial", where);
    cr_expect(fabs(fast.coverage - slow.coverage) <= 1e-9, "%s: coverage %.17g, slowly %.17g", where,
              fast.coverage, slow.coverage);
}

/* Spoilt answers get the same verdict both ways. */
static void compare_spoilt(const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *tolerance,
                           const char *where, tally *t)
{
    for (uint32_t k = 0; k < 2 * r->count; k++) {
        gjb_result off = *r;
        if (k < r->count && r->count > 1)
            off = without(r, k);
        else if (k >= r->count)
            off.contact[k - r->count].point_a[k % pair->dim] += 0.01;
        const gjb_grade fast = grade_with(pair, &off, tolerance, 0),
                        slow = grade_with(pair, &off, tolerance, 1);
        cr_expect(fast.verdict == slow.verdict && fast.fault == slow.fault, "%s: %u: %s %s, slowly %s %s",
                  where, (unsigned)k, gjb_verdict_name(fast.verdict), gjb_fault_name(fast.fault),
                  gjb_verdict_name(slow.verdict), gjb_fault_name(slow.fault));
        cr_expect(fabs(fast.coverage - slow.coverage) <= 1e-9, "%s: %u: coverage %.17g, slowly %.17g", where,
                  (unsigned)k, fast.coverage, slow.coverage);
        compare_partial(pair, &off, tolerance, where);
        t->spoilt++;
        t->noticed += fast.verdict == GJB_WRONG;
        char why[256];
        const int holds = carried(pair, &off, tolerance, why);
        cr_expect(holds || fast.verdict != GJB_RIGHT, "%s: %u: called right, and %s", where, (unsigned)k, why);
        t->moved += k >= r->count;
        t->refused += k >= r->count && !holds;
    }
}

/* Where several faces are within the angle, a corner inside the patch may lie below the surface: the shape goes on
 * above it. The exact patch does not say how high. */
static int is_below(const gjb_pair *pair, const gjb_result *r, double near)
{
    gjb_placed_pair placed = {0};
    int below = 0;
    cr_assert(!gjb_place_pair(&placed, pair));
    for (uint32_t k = 0; k < r->count; k++)
        for (int of_b = 0; of_b < 2; of_b++) {
            const double *point = of_b ? r->contact[k].point_b : r->contact[k].point_a;
            real above[3];
            for (int m = 0; m < 3; m++)
                above[m] = point[m] + (of_b ? -4 : 4) * near * r->normal[m];
            below |= gjb_point_distance(&placed, of_b, above) <= 0.25 * near;
        }
    gjb_placed_free(&placed);
    return below;
}

static void compare(const gjb_pair *pair, gjb_precision precision, const char *where, tally *t)
{
    const gjb_tolerance tolerance = granted(precision);
    const double near = gjb_tolerance_of(&tolerance, gjb_pair_size(pair));
    const ref_answer3 truth = reference_of(pair);
    const gjb_result r = best_of(pair, truth.normal, truth.sigma, near);
    t->pairs++;
    if (r.count == 0 || fabs(truth.sigma - r.value) > 0.5 * near || is_below(pair, &r, near)) {
        t->inside += r.count > 0;
        return;
    }
    t->graded++;
    const gjb_grade fast = grade_with(pair, &r, &tolerance, 0), slow = grade_with(pair, &r, &tolerance, 1);
    cr_expect(fast.verdict == GJB_RIGHT && slow.verdict == GJB_RIGHT, "%s: %s %s, slowly %s; %g %g %g", where,
              gjb_verdict_name(fast.verdict), gjb_fault_name(fast.fault), gjb_fault_name(slow.fault),
              fast.value_eps, fast.normal_eps, fast.witness_eps);
    if (truth.sigma < pair->margin - 1.5 * near)
        cr_expect(fast.has_coverage && fast.coverage > 1 - 1e-6 &&
                      fabs(fast.coverage - slow.coverage) <= 1e-9,
                  "%s: coverage %.17g, slowly %.17g", where, fast.coverage, slow.coverage);
    t->exact += asks_exact(pair, &r, &tolerance);
    char why[256];
    cr_expect(carried(pair, &r, &tolerance, why), "%s: %s", where, why);
    compare_spoilt(pair, &r, &tolerance, where, t);
}

/* None, wide, and so that it ends somewhere on the patch. */
static void set_margin(gjb_pair *pair, uint64_t i)
{
    const double size = gjb_pair_size(pair);
    pair->margin = (double)(i % 4) * 0.125 * size;
    if (i % 4 == 3)
        pair->margin = fmax(0, reference_of(pair).sigma) + ldexp(size, -8 - (int)(i / 4 % 12));
}

/* Most pairs are graded, and few exactly; most answers that are spoilt are noticed. */
static void check_tally(const tally *t)
{
    cr_log_info(
        "%d pairs, %d graded, %d with a point that is missing or below, %d spoilt, %d noticed, %d exactly\n",
        (int)t->pairs, (int)t->graded, (int)t->inside, (int)t->spoilt, (int)t->noticed, (int)t->exact);
    cr_expect(2 * t->graded > t->pairs && 2 * t->noticed > t->spoilt && 20 * t->exact < t->graded &&
              20 * t->inside < t->pairs);
    cr_expect(4 * t->refused > t->moved, "of %d answers with a point that is off %d are refused", (int)t->moved,
              (int)t->refused); /* others are moved along a face */
}

Test(grade_manifold, fast_and_exact_agree_in_space, .timeout = 250)
{
    tally t = {0};
    static const test_family3 families[] = {SPACE_LATTICE, SPACE_PLAIN, SPACE_PARALLEL, SPACE_COPLANAR,
                                            SPACE_TURNED,  SPACE_NEAR,  SPACE_FLAT,     SPACE_IDENTICAL};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (uint64_t i = 0; i < (f ? 60u : 300u) / (UNDER_SANITIZERS ? 8 : 1); i++) {
            char where[64];
            test_pair3_make(&space, families[f], i, 8);
            gjb_pair pair = spatial(0);
            set_margin(&pair, i);
            snprintf(where, sizeof where, "family %d pair %d", (int)families[f], (int)i);
            compare(&pair, GJB_F32, where, &t);
        }
    check_tally(&t);
}

Test(grade_manifold, fast_and_exact_agree_in_the_plane, .timeout = 250)
{
    tally t = {0};
    static const test_family families[] = {DYADIC, PLAIN, PARALLEL, COLLINEAR, IDENTICAL, NEAR, FLAT};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (uint64_t i = 0; i < (f ? 60u : 300u) / (UNDER_SANITIZERS ? 8 : 1); i++) {
            char where[64];
            test_pair_make(&plane, families[f], i, 8);
            gjb_pair pair = planar(0);
            set_margin(&pair, i);
            snprintf(where, sizeof where, "family %d pair %d", (int)families[f], (int)i);
            compare(&pair, GJB_F32, where, &t);
        }
    check_tally(&t);
}

/* --- Curved kinds --------------------------------------------------------------------------------------- */

/* One point, the deepest; and the same within A, which is noticed. */
static void check_curved(const gjb_pair *pair, const char *where, tally *t)
{
    const gjb_tolerance tolerance = {
        .k = 4096, .epsilon = gjb_epsilon(GJB_F64), .least = gjb_least_size(GJB_F64), .ours = 1};
    const ref_answer3 truth = reference_of(pair);
    const double near = gjb_tolerance_of(&tolerance, gjb_pair_size(pair));
    ref_answer flat = {0};
    if (pair->dim == 2)
        flat = ref_signed_distance2(&pair->as.plane);
    gjb_result r = begun(truth.sigma, truth.normal[0] + 0.0, truth.normal[1] + 0.0, truth.normal[2] + 0.0);
    gjb_contact3d *c = &r.contact[r.count++];
    for (uint32_t m = 0; m < pair->dim; m++) {
        c->point_a[m] = (pair->dim == 2 ? flat.point_a[m] : truth.point_a[m]) + 0.0;
        c->point_b[m] = (pair->dim == 2 ? flat.point_b[m] : truth.point_b[m]) + 0.0;
    }
    c->separation = truth.sigma;
    set_deepest(&r);
    const gjb_grade g = grade_with(pair, &r, &tolerance, 0);
    t->pairs++;
    cr_expect(g.verdict == GJB_RIGHT || g.verdict == GJB_UNGRADED, "%s: %s %g %g %g", where,
              gjb_fault_name(g.fault), g.value_eps, g.normal_eps, g.witness_eps);
    t->graded += g.verdict == GJB_RIGHT;
    if (truth.sigma < pair->margin - 2 * near)
        cr_expect(g.has_coverage && g.coverage == 1, "%s: coverage %g", where, g.coverage);
    gjb_result within = r; /* half of what it is from A's local origin */
    for (uint32_t m = 0; m < pair->dim; m++)
        within.contact[0].point_a[m] *= 0.5;
    set_deepest(&within);
    t->spoilt++;
    t->noticed += grade_with(pair, &within, &tolerance, 0).fault == GJB_FAULT_CONTACT;
    const gjb_result none = {.status = r.status};
    if (truth.sigma < pair->margin - 2 * near)
        cr_expect_eq(grade_with(pair, &none, &tolerance, 0).fault, GJB_FAULT_PATCH);
}

Test(grade_manifold, curved, .timeout = 250)
{
    static const struct {
        uint32_t dim;
        const char *workload;
    } of[] = {{2, "ellipse"},  {2, "superellipse"}, {3, "ellipsoid"},
              {3, "cylinder"}, {3, "cone"},         {3, "superellipsoid"}};
    static const char *const families[] = {"near", "shallow"};
    tally t = {0};
    for (size_t w = 0; w < sizeof of / sizeof *of; w++)
        for (int f = 0; f < 2; f++) {
            const gjb_recipe recipe = {.dim = of[w].dim,
                                       .precision = GJB_F64,
                                       .seed = 3,
                                       .pairs = 8,
                                       .family = families[f],
                                       .workload = of[w].workload};
            gjb_error error = {{0}};
            gjb_pair_space room = {0};
            gjb_scene *scene = gjb_generate(&recipe, &error);
            cr_assert(scene, "%s", error.text);
            for (uint64_t i = 0; i < recipe.pairs; i++) {
                char where[64];
                gjb_pair pair;
                cr_assert(!gjb_scene_pair(scene, 0, i, &room, &pair));
                pair.margin = 0.25 * gjb_pair_size(&pair);
                snprintf(where, sizeof where, "%s %s pair %d", of[w].workload, families[f], (int)i);
                check_curved(&pair, where, &t);
            }
            gjb_scene_free(scene);
            gjb_pair_space_free(&room);
        }
    cr_expect(t.graded == t.pairs && t.noticed == t.spoilt, "%d pairs, %d right, %d spoilt, %d noticed",
              (int)t.pairs, (int)t.graded, (int)t.spoilt, (int)t.noticed);
}
