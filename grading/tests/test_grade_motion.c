/* Grading of motion: proofs of staying apart against the reference's sigma, right answers of the
 * reference, and the verdict on answers spoilt on purpose. */
#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "grading/grade.h"
#include "scenes/generate/generate.h"

enum { PAIRS = 24 };
static const char *const workloads[] = {"box", "polygon8", "capsule", "sphere", "hull16"};
static const gjb_tolerance ours = {.k = 32, .epsilon = 0x1p-53, .least = 0x1p-1018, .ours = 1};
static const gjb_tolerance theirs = {.k = 32, .epsilon = 0x1p-53, .least = 0x1p-1018};

typedef struct visit {
    gjb_truth truth;
    gjb_pair pair;
    const gjb_family *family;
    uint64_t pairs, hits, misses, overlaps, slow;
    char where[128];
} visit;

static void open_truth(visit *v)
{
    cr_assert_eq(gjb_truth_open_moving(&v->truth, &v->pair), 0);
}

static void for_scene(const gjb_recipe *recipe, void (*check)(visit *v), visit *v)
{
    gjb_error error = {{0}};
    gjb_pair_space space = {0};
    gjb_scene *scene = gjb_generate(recipe, &error);
    cr_assert(scene, "%s", error.text);
    for (uint64_t i = 0; i < recipe->pairs; i++) {
        snprintf(v->where, sizeof v->where, "%uD %s %s %s pair %d", (unsigned)recipe->dim, recipe->workload,
                 recipe->family, gjb_precision_name(recipe->precision), (int)i);
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &v->pair), 0);
        open_truth(v);
        check(v);
        v->pairs++;
    }
    gjb_scene_free(scene);
    gjb_pair_space_free(&space);
}

/* Pairs of every family in motion up to `most`, a gjb_moving. */
static visit for_pairs(unsigned most, void (*check)(visit *v))
{
    visit v = {.pairs = 0};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++)
            for (size_t f = 0; f < gjb_family_count; f++)
                for (int precision = 0; precision < GJB_PRECISIONS; precision++) {
                    v.family = &gjb_families[f];
                    const gjb_recipe recipe = {.dim = dim,
                                               .precision = (gjb_precision)precision,
                                               .seed = 11,
                                               .pairs = PAIRS,
                                               .family = v.family->name,
                                               .workload = workloads[w]};
                    if (v.family->moving != GJB_AT_REST && v.family->moving <= most &&
                        gjb_family_has(v.family, dim, workloads[w]))
                        for_scene(&recipe, check, &v);
                }
    gjb_truth_close(&v.truth);
    return v;
}

/* +0 where there might be -0. */
static void plus(double *v, const double *from, int count)
{
    for (int k = 0; k < count; k++)
        v[k] = from[k] + 0.0;
}

static gjb_result toi_of(const gjb_pair *pair)
{
    ref_toi_answer a;
    ref_toi(pair, &a);
    gjb_result r = {.status = a.status};
    if (a.status == GJB_HIT) {
        r.value = a.time;
        plus(r.normal, a.normal, 3);
        plus(r.point_a, a.point_a, 3);
        plus(r.point_b, a.point_b, 3);
    }
    return r;
}

static gjb_result sweep_of(const gjb_pair *pair)
{
    ref_sweep_answer a;
    ref_sweep(pair, &a);
    gjb_result r = {.status = a.status, .value = a.time, .last = a.last};
    plus(r.normal, a.normal, 3);
    plus(r.point_a, a.point, 3);
    plus(r.point_b, a.point, 3);
    return r;
}

static void count(visit *v, const gjb_result *r)
{
    v->hits += r->status == GJB_HIT;
    v->misses += r->status == GJB_SEPARATED;
    v->overlaps += r->status == GJB_OVERLAPPING;
}

/* --- Proofs --- */

static void proofs_hold(visit *v)
{
    gjb_path path = {.pair = NULL};
    cr_assert_eq(gjb_path_open(&path, &v->pair), 0);
    const long double reached = gjb_path_reach(&path, 0, 1, 0);
    double lo, hi;
    for (int i = 0; i < 16 && reached > 0; i++) {
        const double t = (double)(reached * i / 16);
        const ref_bounds sigma = ref_sigma_at(&v->pair, t);
        cr_expect(sigma.upper > 0, "%s: proven apart until %.17Lg, sigma at %.17g at most %g", v->where, reached, t,
                  sigma.upper);
    }
    /* Where it ends there is next to nothing left: what is apart and not proven so is a graze. */
    if (reached < 1) {
        cr_assert_eq(gjb_path_sigma(&path, reached, &lo, &hi), 0);
        cr_expect(hi <= 0x1p-50 * path.size, "%s: the proof ends at %.17Lg, %g S apart", v->where, reached,
                  lo / path.size);
    }
    v->hits += reached < 1;
    v->misses += reached >= 1;
    gjb_path_close(&path);
}

Test(grade_motion, proofs_of_staying_apart_hold_and_reach_the_contact, .timeout = 120)
{
    const visit v = for_pairs(GJB_MOVING, proofs_hold);
    cr_expect(v.hits * 5 > v.pairs && v.misses * 5 > v.pairs);
}

/* sigma at a time, of two methods that share no code. */
static void bounds_hold(visit *v)
{
    gjb_path path = {.pair = NULL};
    cr_assert_eq(gjb_path_open(&path, &v->pair), 0);
    for (int i = 0; i < 4; i++) {
        const double t = (i + 0.3) / 4;
        double lo, hi;
        cr_assert_eq(gjb_path_sigma(&path, t, &lo, &hi), 0);
        const ref_bounds other = ref_sigma_at(&v->pair, t);
        cr_expect(lo <= other.upper && other.lower <= hi, "%s at %g: [%.17g, %.17g] and [%.17g, %.17g]", v->where, t,
                  lo, hi, other.lower, other.upper);
        cr_expect(hi - lo <= 0x1p-50 * path.size || hi < 0, "%s at %g: wide, %g S", v->where, t, (hi - lo) / path.size);
    }
    gjb_path_close(&path);
}

Test(grade_motion, bounds_at_a_time_agree_with_the_reference, .timeout = 120)
{
    cr_expect(for_pairs(GJB_MOVING, bounds_hold).pairs > 0);
}

/* --- Verdicts --- */

static void expect_right(visit *v, gjb_query query, const gjb_result *r)
{
    const gjb_grade g = gjb_grade_result(query, &v->truth, r, &ours);
    count(v, r);
    cr_expect(g.verdict == GJB_RIGHT || (g.verdict == GJB_UNGRADED && v->family->touching),
              "%s: %s %.17g: %s, %g eps S", v->where, gjb_status_name(r->status), r->value, gjb_fault_name(g.fault), g.error_eps);
    cr_expect(!v->truth.conflict, "%s: bounds and oracle contradict each other", v->where);
}

static void toi_is_right(visit *v)
{
    const gjb_result r = toi_of(&v->pair);
    expect_right(v, GJB_TOI, &r);
}

/* Whatever is cut, of ours and of others: what is right is at worst ungraded. */
static void toi_is_never_wrong(visit *v)
{
    const gjb_result r = toi_of(&v->pair);
    for (int whose = 0; whose < 2; whose++) {
        const gjb_grade g = gjb_grade_result(GJB_TOI, &v->truth, &r, whose ? &theirs : &ours);
        count(v, &r);
        v->slow += g.too_slow;
        cr_expect(g.verdict == GJB_RIGHT || g.verdict == GJB_UNGRADED, "%s: %s %.17g: %s", v->where,
                  gjb_status_name(r.status), r.value, gjb_fault_name(g.fault));
        cr_expect_eq(g.too_slow, g.verdict == GJB_UNGRADED && v->truth.effort.cut == REF_TOO_SLOW, "%s",
                     v->where);
        cr_expect(!v->truth.conflict, "%s: bounds and oracle contradict each other", v->where);
    }
    gjb_truth_exact(&v->truth);
    cr_expect(!v->truth.conflict, "%s: bounds and oracle contradict each other", v->where);
}

Test(grade_motion, a_truth_that_is_too_slow_blames_nobody, .timeout = 120)
{
    ref_effort_limit(0);
    visit v = for_pairs(GJB_MOVING, toi_is_never_wrong);
    for (size_t f = 0; f < gjb_family_count; f++) { /* of curved shapes the oracle is cut as well */
        const gjb_recipe recipe = {.dim = 3,
                                   .precision = GJB_F64,
                                   .seed = 11,
                                   .pairs = PAIRS / 2,
                                   .family = gjb_families[f].name,
                                   .workload = "superellipsoid"};
        if (gjb_families[f].moving != GJB_AT_REST && gjb_family_has(&gjb_families[f], 3, recipe.workload))
            for_scene(&recipe, toi_is_never_wrong, &v);
    }
    gjb_truth_close(&v.truth);
    ref_effort_limit(REF_EFFORT_SECONDS);
    cr_expect(v.slow * 8 > v.pairs && v.hits > 0 && v.misses > 0, "%d of %d too slow", (int)v.slow,
              (int)v.pairs);
}

Test(grade_motion, times_of_the_reference_are_right, .timeout = 120)
{
    const visit v = for_pairs(GJB_MOVING, toi_is_right);
    cr_expect(v.hits * 4 > v.pairs && v.misses * 5 > v.pairs && v.overlaps > 0);
}

static void sweep_is_right(visit *v)
{
    const gjb_result r = sweep_of(&v->pair);
    expect_right(v, GJB_SWEEP, &r);
    gjb_truth_exact(&v->truth);
    cr_expect(!v->truth.conflict, "%s: bounds and oracle contradict each other", v->where);
}

Test(grade_motion, sweeps_of_the_reference_are_right, .timeout = 120)
{
    const visit v = for_pairs(GJB_BOXES_MOVING, sweep_is_right);
    cr_expect(v.hits * 4 > v.pairs && v.misses * 5 > v.pairs && v.overlaps > 0);
}

/* What may be done to an answer. `by` is a time that takes the shapes far beyond T. */
static void late(gjb_result *r, double by)
{
    r->value += by;
}
static void early(gjb_result *r, double by)
{
    r->value -= by;
}
static void backwards(gjb_result *r, double by)
{
    (void)by;
    for (int k = 0; k < 3; k++)
        r->normal[k] = 0.0 - r->normal[k];
}
static void wrong_face(gjb_result *r, double by)
{
    (void)by;
    const double x = r->normal[0];
    r->normal[0] = r->normal[1];
    r->normal[1] = x;
}
static void long_normal(gjb_result *r, double by)
{
    (void)by;
    for (int k = 0; k < 3; k++)
        r->normal[k] *= 1 + 1e-12;
}
static void away(gjb_result *r, double by)
{
    (void)by;
    for (int k = 0; k < 3; k++)
        r->point_b[k] = r->point_a[k] += 1e-3 * r->normal[k] * (1 + fabs(r->point_a[k]));
}
static void missed(gjb_result *r, double by)
{
    (void)by;
    *r = (gjb_result){.status = GJB_SEPARATED};
}
static void at_start(gjb_result *r, double by)
{
    (void)by;
    *r = (gjb_result){.status = GJB_OVERLAPPING};
}
static void nan_value(gjb_result *r, double by)
{
    (void)by;
    r->value = NAN;
}
static void nan_last(gjb_result *r, double by)
{
    (void)by;
    r->last = NAN;
}
static void minus(gjb_result *r, double by)
{
    (void)by;
    for (int k = 0; k < 3; k++)
        r->normal[k] = r->normal[k] == 0 ? -0.0 : r->normal[k];
}
static void after_the_end(gjb_result *r, double by)
{
    (void)by;
    r->value = 1.5;
    r->last = r->last > 0 ? 1.5 : 0;
}
static void last_early(gjb_result *r, double by)
{
    r->last -= by;
}
static void last_late(gjb_result *r, double by)
{
    r->last += by;
}
static void capped(gjb_result *r, double by)
{
    (void)by;
    *r = (gjb_result){.status = GJB_ITERATION_LIMIT};
}

enum { TOI = 1, SWEEP = 2 };
static const struct {
    const char *name;
    int queries;
    gjb_fault fault;
    void (*spoil)(gjb_result *r, double by);
} spoils[] = {{"late", TOI | SWEEP, GJB_FAULT_LATE, late},
              {"early", TOI | SWEEP, GJB_FAULT_VALUE, early},
              {"normal turned round", TOI | SWEEP, GJB_FAULT_NORMAL, backwards},
              {"normal too long", TOI | SWEEP, GJB_FAULT_LENGTH, long_normal},
              {"wrong face", SWEEP, GJB_FAULT_NORMAL, wrong_face},
              {"points off", TOI | SWEEP, GJB_FAULT_WITNESS, away},
              {"contact missed", TOI | SWEEP, GJB_FAULT_BOOLEAN, missed},
              {"overlap at the start", TOI, GJB_FAULT_BOOLEAN, at_start},
              {"NaN", TOI | SWEEP, GJB_FAULT_NAN, nan_value},
              {"NaN as last", SWEEP, GJB_FAULT_NAN, nan_last},
              {"-0", TOI | SWEEP, GJB_FAULT_FORM, minus},
              {"after the end", TOI | SWEEP, GJB_FAULT_VALUE, after_the_end},
              {"last too early", SWEEP, GJB_FAULT_LAST, last_early},
              {"last too late", SWEEP, GJB_FAULT_LAST, last_late},
              {"capped", TOI | SWEEP, GJB_FAULT_CAPPED, capped}};
static uint64_t spoilt[sizeof spoils / sizeof *spoils], noticed[sizeof spoils / sizeof *spoils];

/* Ones that the fault must show in: it enters and leaves well within the step, neither at a corner nor
 * sliding, so that 1e-5 of the step is far more than T. */
static int is_plain(visit *v, const gjb_result *r, gjb_query query)
{
    double before, after, lo, hi;
    gjb_path path = {.pair = NULL};
    if (r->status != GJB_HIT || r->value < 0.01 || r->value > 0.9)
        return 0;
    cr_assert_eq(gjb_path_open(&path, &v->pair), 0);
    const double bar = 1e4 * 0x1p-53 * path.size;
    cr_assert(!gjb_path_sigma(&path, r->value - 1e-5, &before, &hi) &&
              !gjb_path_sigma(&path, r->value + 1e-5, &lo, &after));
    gjb_path_close(&path);
    int turned = 0;
    for (int k = 0; k < 3; k++)
        turned |= r->normal[k] != 0 && fabs(r->normal[k]) != 1;
    return before > bar && after < -bar && (query == GJB_SWEEP ? r->last < 0.9 && !turned : 1);
}

/* Several faces are hit at once, but for T, and each of them is right. */
static int hits_corner(const visit *v, double t)
{
    ref_sweep_state then;
    int axes = 0;
    double most = -INFINITY;
    ref_sweep_at(&v->pair, t, &then);
    for (uint32_t k = 0; k < v->pair.dim; k++)
        most = fmax(most, then.gap[k][1]);
    for (uint32_t k = 0; k < v->pair.dim; k++)
        axes += then.gap[k][1] >= most - 64 * 0x1p-53 * v->truth.size;
    return axes > 1;
}

static void spoil_all(visit *v, gjb_query query, gjb_result right)
{
    if (!is_plain(v, &right, query) || gjb_grade_result(query, &v->truth, &right, &ours).verdict != GJB_RIGHT)
        return;
    const int corner = query == GJB_SWEEP && hits_corner(v, right.value);
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        gjb_result r = right;
        spoils[i].spoil(&r, 1e-5);
        if (!(spoils[i].queries & (query == GJB_TOI ? TOI : SWEEP)) || !memcmp(&r, &right, sizeof r) ||
            (spoils[i].spoil == wrong_face && (corner || right.normal[2] != 0)))
            continue;
        const gjb_grade g = gjb_grade_result(query, &v->truth, &r, &ours);
        spoilt[i]++;
        noticed[i] += g.verdict == GJB_WRONG && g.fault == spoils[i].fault;
        cr_expect_eq(g.verdict, GJB_WRONG, "%s: %s goes unnoticed", v->where, spoils[i].name);
        /* Late is not wrong of others where T, or what they document, covers it. */
        gjb_tolerance granted = theirs;
        granted.tau = 0.5 * v->truth.size;
        if (spoils[i].spoil == late) {
            cr_expect_neq(gjb_grade_result(query, &v->truth, &r, &granted).fault, GJB_FAULT_LATE, "%s", v->where);
            cr_expect_eq(gjb_grade_result(query, &v->truth, &r, &theirs).fault, GJB_FAULT_LATE, "%s", v->where);
            gjb_tolerance in_time = theirs;
            in_time.tau_time = 1; /* the whole step */
            cr_expect_neq(gjb_grade_result(query, &v->truth, &r, &in_time).fault, GJB_FAULT_LATE, "%s", v->where);
        }
        if (spoils[i].spoil == missed)
            cr_expect_eq(gjb_grade_result(query, &v->truth, &r, &theirs).verdict, GJB_WRONG, "%s", v->where);
    }
    v->hits++;
}

static void spoil_toi(visit *v)
{
    spoil_all(v, GJB_TOI, toi_of(&v->pair));
}
static void spoil_sweep(visit *v)
{
    spoil_all(v, GJB_SWEEP, sweep_of(&v->pair));
}

static void expect_noticed(int query)
{
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++)
        if (spoils[i].queries & query)
            /* A fault may show as another where it is both. */
            cr_expect(spoilt[i] > 20 && noticed[i] * 10 >= spoilt[i] * 9, "%s: %d of %d by this name", spoils[i].name,
                      (int)noticed[i], (int)spoilt[i]);
}

Test(grade_motion, spoilt_times_are_noticed, .timeout = 120)
{
    cr_expect(for_pairs(GJB_MOVING, spoil_toi).hits > 100);
    expect_noticed(TOI);
}

Test(grade_motion, spoilt_sweeps_are_noticed, .timeout = 120)
{
    cr_expect(for_pairs(GJB_BOXES_MOVING, spoil_sweep).hits > 100);
    expect_noticed(SWEEP);
}

/* A contact that hardly happens is missed all the same. */
static void miss_grazes(visit *v)
{
    ref_toi_truth truth;
    if (!v->family->touching)
        return;
    ref_oracle_toi(&v->pair, &truth);
    const gjb_result apart = {.status = GJB_SEPARATED};
    const gjb_grade g = gjb_grade_result(GJB_TOI, &v->truth, &apart, &ours);
    const gjb_verdict wanted = truth.contact == REF_NO_CONTACT ? GJB_RIGHT : GJB_WRONG;
    if (truth.contact == REF_CONTACT_CLOSE)
        return;
    cr_expect_eq(g.verdict, wanted, "%s: verdict %d, contact %d", v->where, (int)g.verdict, (int)truth.contact);
    v->hits += wanted == GJB_WRONG;
    v->misses += wanted == GJB_RIGHT;
}

Test(grade_motion, missed_grazes_are_wrong, .timeout = 120)
{
    const visit v = for_pairs(GJB_MOVING, miss_grazes);
    cr_expect(v.hits > 50 && v.misses > 50);
}

/* The times on either side of a contact at which sigma is first surely beyond a level: before it apart by more than T,
 * after it in overlap at all. */
static double beyond(visit *v, gjb_path *path, double from, double to, double level)
{
    for (int step = 0; step < 60; step++) {
        const double middle = from + (to - from) / 2;
        double lo, hi;
        cr_assert_eq(gjb_path_sigma(path, middle, &lo, &hi), 0, "%s", v->where);
        if (level > 0 ? lo > level : hi < level)
            to = middle;
        else
            from = middle;
    }
    return to;
}

static void spoil_curved(visit *v)
{
    const gjb_result right = toi_of(&v->pair);
    const gjb_tolerance granted = gjb_tolerance_on(&ours, &v->pair);
    const double tolerance = gjb_tolerance_of(&granted, v->truth.size);
    if (!is_plain(v, &right, GJB_TOI))
        return;
    gjb_path path = {.pair = NULL};
    cr_assert_eq(gjb_path_open(&path, &v->pair), 0);
    gjb_result early_by_little = right, late_by_little = right;
    early_by_little.value = beyond(v, &path, right.value, right.value - 1e-5, tolerance);
    late_by_little.value = beyond(v, &path, right.value, right.value + 1e-5, -0x1p-40 * v->truth.size);
    gjb_path_close(&path);
    cr_expect_eq(gjb_grade_result(GJB_TOI, &v->truth, &right, &ours).verdict, GJB_RIGHT, "%s", v->where);
    open_truth(v);
    gjb_grade g = gjb_grade_result(GJB_TOI, &v->truth, &early_by_little, &ours);
    cr_expect(g.verdict == GJB_WRONG && g.fault == GJB_FAULT_VALUE, "%s: more than T too early goes unnoticed", v->where);
    open_truth(v);
    g = gjb_grade_result(GJB_TOI, &v->truth, &late_by_little, &ours);
    cr_expect(g.verdict == GJB_WRONG && g.fault == GJB_FAULT_LATE, "%s: late goes unnoticed", v->where);
    v->hits++;
}

Test(grade_motion, curved_times_just_beyond_what_is_granted_are_noticed, .timeout = 120)
{
    static const char *const curved[] = {"ellipsoid", "cylinder", "cone", "superellipsoid"};
    visit v = {.pairs = 0};
    for (size_t w = 0; w < sizeof curved / sizeof *curved; w++)
        for (size_t f = 0; f < gjb_family_count; f++) {
            v.family = &gjb_families[f];
            const gjb_recipe recipe = {.dim = 3, .precision = GJB_F64, .seed = 17, .pairs = 4, .family = v.family->name,
                                       .workload = curved[w]};
            if (v.family->moving >= GJB_STRAIGHT_MOVING && gjb_family_has(v.family, 3, curved[w]))
                for_scene(&recipe, spoil_curved, &v);
        }
    gjb_truth_close(&v.truth);
    cr_expect(v.hits > 40, "%d", (int)v.hits);
}
