/* No answer is counted right whose own evidence does not carry it: answers spoilt by more and less than what
 * is granted are graded, and apart from the grader become certificates that an exact checker follows. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "grading/answer_certificate.h"
#include "reference/reference.h"
#include "scenes/generate/generate.h"

typedef struct tally {
    uint64_t graded, right, refused, both;
} tally;

static uint64_t state = 1;

static double in_unit(void) /* in [0, 1) */
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

static gjb_result right_answer(const gjb_pair *pair, gjb_query query)
{
    ref_answer3 answer;
    if (pair->dim == 3) {
        answer = ref_signed_distance3(&pair->as.space, NULL);
    } else {
        const ref_answer flat = ref_signed_distance2(&pair->as.plane);
        answer = (ref_answer3){.status = flat.status,
                               .sigma = flat.sigma,
                               .normal = {flat.normal[0], flat.normal[1]},
                               .point_a = {flat.point_a[0], flat.point_a[1]},
                               .point_b = {flat.point_b[0], flat.point_b[1]}};
    }
    gjb_result r = {.status = answer.status};
    const int apart = answer.status == GJB_SEPARATED;
    if (!(gjb_queries[query].vectors_when >> (apart ? 0 : 1) & 1))
        return r;
    r.value = (query == GJB_PENETRATION ? -answer.sigma : answer.sigma) + 0.0;
    for (int k = 0; k < 3; k++) {
        r.normal[k] = answer.normal[k] + 0.0;
        r.point_a[k] = answer.point_a[k] + 0.0;
        r.point_b[k] = answer.point_b[k] + 0.0;
    }
    return r;
}

/* Some or all of an answer, by a few thousandths of what is granted to a few hundred times that. */
static void spoil(gjb_result *r, const gjb_pair *pair, double tolerance)
{
    const double by = tolerance * pow(10, 5 * in_unit() - 2.5);
    const int which = (int)(9 * in_unit());
    const double along = (2 * in_unit() - 1) * by;
    double length = 0;
    for (uint32_t k = 0; k < pair->dim; k++) {
        const double way = 2 * in_unit() - 1;
        if (which == 0 || which == 1)
            r->normal[k] += way * by / gjb_pair_size(pair) * (which ? 1e3 : 1);
        if (which == 2 || which == 3)
            r->point_a[k] += way * by;
        if (which == 3 || which == 4)
            r->point_b[k] += way * by;
        if (which == 5) {
            const double other = r->point_a[k];
            r->point_a[k] = r->point_b[k];
            r->point_b[k] = other;
        }
        if (which == 6)
            r->normal[k] = 0.0 - r->normal[k];
        if (which == 8) { /* as far apart as ever: what one of them is off adds to the gap */
            r->point_a[k] += along * r->normal[k];
            r->point_b[k] += along * r->normal[k];
        }
        length = hypot(length, r->normal[k]);
    }
    if (which == 7 || which == 8 || which == 0)
        r->value += (2 * in_unit() - 1) * by;
    for (uint32_t k = 0; k < pair->dim && length > 0; k++)
        r->normal[k] = r->normal[k] / length + 0.0;
}

/* Does the certificate that is made of an answer hold, and do its points lie as its value says? */
static int carried(const gjb_placed_pair *placed, gjb_query query, const gjb_result *r,
                   const gjb_tolerance *granted, char why[256])
{
    ref_certificate c;
    ref_certified verdict;
    const double sigma = query == GJB_PENETRATION ? -r->value : r->value;
    long double apart = 0;
    for (int k = 0; k < 3; k++) {
        const long double off =
            (long double)r->point_b[k] - r->point_a[k] - (long double)sigma * r->normal[k];
        apart = hypotl(apart, off);
    }
    ref_certificate_open(&c);
    gjb_certify_answer(placed, query, r, granted, &c);
    ref_certificate_check(placed->pair, &c, &verdict);
    const int near = apart <= c.off;
    ref_certificate_close(&c);
    snprintf(why, 256, "%s", verdict.accepted ? "points and value differ" : verdict.reason);
    return verdict.accepted && near;
}

static void grade_spoilt(gjb_truth *truth, const char *where, tally *t)
{
    static const gjb_query queries[] = {GJB_DISTANCE, GJB_PENETRATION, GJB_SIGNED_DISTANCE};
    const gjb_tolerance granted = {.k = 64, .epsilon = 0x1p-53, .least = gjb_least_size(GJB_F64), .ours = 1};
    const double tolerance = gjb_tolerance_of(&granted, truth->size);
    for (int k = 0; k < 12; k++) {
        const gjb_query query = queries[k % 3];
        gjb_result r = right_answer(truth->pair, query);
        const int bit = r.status == GJB_SEPARATED ? 0 : 1;
        if (!(gjb_queries[query].vectors_when >> bit & 1))
            continue;
        spoil(&r, truth->pair, tolerance);
        const gjb_grade grade = gjb_grade_result(query, truth, &r, &granted);
        char why[256];
        const int holds = carried(&truth->placed, query, &r, &granted, why);
        cr_expect(grade.verdict != GJB_RIGHT || holds,
                  "%s, %s: called right, and its own certificate fails: %s", where, gjb_queries[query].name,
                  why);
        t->graded++;
        t->right += grade.verdict == GJB_RIGHT;
        t->refused += !holds;
        t->both += grade.verdict == GJB_WRONG && !holds;
    }
}

Test(grade_certificates, nothing_is_right_that_its_own_certificate_does_not_carry, .timeout = 120)
{
    static const char *const workloads[] = {"segment",  "capsule",          "box",
                                            "polygon8", "rounded-polygon8", "triangle",
                                            "hull16",   "rounded-hull8",    "mixed-kinds",
                                            "halfspace"};
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    gjb_error error = {{0}};
    tally t = {0};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
            for (size_t f = 0; f < gjb_family_count; f++) {
                const gjb_recipe recipe = {.dim = dim,
                                           .precision = GJB_F64,
                                           .seed = 11,
                                           .pairs = 3,
                                           .family = gjb_families[f].name,
                                           .workload = workloads[w]};
                if (gjb_families[f].moving || !gjb_family_has(&gjb_families[f], dim, workloads[w]))
                    continue;
                gjb_scene *scene = gjb_generate(&recipe, &error);
                cr_assert(scene, "%s", error.text);
                for (uint64_t i = 0; i < recipe.pairs; i++) {
                    char where[128];
                    gjb_pair pair;
                    snprintf(where, sizeof where, "%uD %s %s pair %d", (unsigned)dim, workloads[w],
                             gjb_families[f].name, (int)i);
                    cr_assert(!gjb_scene_pair(scene, 0, i, &space, &pair) && !gjb_truth_open(&truth, &pair));
                    grade_spoilt(&truth, where, &t);
                }
                gjb_scene_free(scene);
            }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    /* Both verdicts are met often, and they differ only where what is granted is spent in full. */
    cr_expect(t.right * 5 > t.graded && t.refused * 5 > t.graded, "of %d: %d right, %d refused",
              (int)t.graded, (int)t.right, (int)t.refused);
    cr_expect((t.graded - t.right - t.both) * 20 < t.graded, "of %d: %d right, %d wrong and refused",
              (int)t.graded, (int)t.right, (int)t.both);
    printf("# %d answers: %d right, %d refused, %d of these wrong\n", (int)t.graded, (int)t.right,
           (int)t.refused, (int)t.both);
}
