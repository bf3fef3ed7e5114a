/* Certificates and their checker: those of right answers are accepted and tight, spoilt ones prove nothing false. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/generate.h"
#include "reference/certificate_make.h"
#include "reference/reference.h"
#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"

/* Proven bounds, and the units that tightness is measured in. */
typedef struct truth {
    double lo, hi, unit;
} truth;

static truth truth_of(const gjb_pair *pair)
{
    truth t = {.unit = 0x1p-53 * fmax(gjb_pair_size(pair), gjb_least_size(GJB_F64))};
    if (pair->dim == 2) {
        ref_exact exact;
        ref_oracle2(&pair->as.plane, &exact);
        t.lo = exact.lo;
        t.hi = exact.hi;
    } else {
        ref_exact3 exact;
        ref_oracle3(&pair->as.space, &exact);
        t.lo = exact.lo;
        t.hi = exact.hi;
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
        snprintf(where, sizeof where, "%uD %s %s pair %d", (unsigned)recipe->dim, recipe->workload, recipe->family, (int)i);
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
        const gjb_recipe recipe = {.dim = dim, .precision = f % 2 ? GJB_F64 : GJB_F32, .seed = 7, .pairs = pairs,
                                   .family = gjb_families[f].name, .workload = workload};
        if (gjb_family_has(&gjb_families[f], dim, workload)) {
            for_scene(&recipe, visit, context);
        }
    }
}

typedef struct tally {
    uint64_t count, apart, overlap, undecided;
    double below, above; /* how far, in units, proven bounds are off at most */
} tally;

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
    cr_expect(verdict.lo <= truth.hi && verdict.hi >= truth.lo, "%s: proven [%.17g, %.17g], the oracle says [%.17g, %.17g]",
              where, verdict.lo, verdict.hi, truth.lo, truth.hi);
    const double below = (truth.lo - verdict.lo) / truth.unit, above = (verdict.hi - truth.hi) / truth.unit;
    t->below = fmax(t->below, below);
    t->above = fmax(t->above, above);
    if (getenv("CERT_SHOW") && (below > 8 || above > 8))
        printf("# %s: %g below, %g above, sigma %g unit %g; faces %u simplex %u\n", where, below, above, truth.lo, truth.unit, c.face_count, c.simplex_count);
    t->apart += verdict.sign > 0;
    t->overlap += verdict.sign < 0;
    t->undecided += verdict.sign == 0;
    t->count++;
    ref_certificate_close(&c);
}

Test(certificate, right_answers_are_proven_and_tightly, .timeout = 120)
{
    static const char *const plane[] = {"point", "segment", "capsule", "box", "polygon3", "polygon8", "polygon64",
                                        "rounded-polygon8", "mixed-kinds"};
    static const char *const space[] = {"sphere", "capsule", "triangle", "box", "hull4", "hull16", "rounded-hull8",
                                        "mixed-kinds"};
    tally t = {0};
    for (size_t w = 0; w < sizeof plane / sizeof *plane; w++) {
        for_workload(2, plane[w], 12, accept_and_measure, &t);
    }
    for (size_t w = 0; w < sizeof space / sizeof *space; w++) {
        for_workload(3, space[w], 6, accept_and_measure, &t);
    }
    printf("# %d pairs: %d apart, %d overlapping, %d neither; at most %.2g and %.2g eps S off\n", (int)t.count, (int)t.apart,
           (int)t.overlap, (int)t.undecided, t.below, t.above);
}
