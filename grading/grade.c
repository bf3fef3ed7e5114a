/* Grades an answer: truth from certificates or the oracle, tolerances, faults, and errors in units of eps S. */
#include "grading/grade_private.h"
#include "grading/halves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reference/reference.h"

const char *gjb_fault_name(gjb_fault fault)
{
    static const char *const names[GJB_FAULTS] = {
        [GJB_FAULT_NONE] = "none",           [GJB_FAULT_BOOLEAN] = "boolean",
        [GJB_FAULT_VALUE] = "value",         [GJB_FAULT_NORMAL] = "normal",
        [GJB_FAULT_WITNESS] = "witness",     [GJB_FAULT_NAN] = "nan",
        [GJB_FAULT_UNWRITTEN] = "unwritten", [GJB_FAULT_CAPPED] = "capped",
        [GJB_FAULT_REFUSED] = "refused",     [GJB_FAULT_FORM] = "form",
        [GJB_FAULT_LATE] = "late",           [GJB_FAULT_LAST] = "last",
        [GJB_FAULT_CONTACT] = "contact",     [GJB_FAULT_DEEPEST] = "deepest",
        [GJB_FAULT_PATCH] = "patch",         [GJB_FAULT_FEATURE] = "feature",
        [GJB_FAULT_LENGTH] = "normal-length"};
    return fault < GJB_FAULTS ? names[fault] : "?";
}

const char *gjb_verdict_name(gjb_verdict verdict)
{
    static const char *const names[GJB_VERDICTS] = {"right", "wrong", "ungraded", "unsupported"};
    return verdict < GJB_VERDICTS ? names[verdict] : "?";
}

const char *gjb_length_text(const gjb_grade *grade, char text[GJB_LENGTH_TEXT])
{
    if (fabs(grade->length_off) < 0.1)
        snprintf(text, GJB_LENGTH_TEXT, "1 %c %.3g", grade->length_off < 0 ? '-' : '+', fabs(grade->length_off));
    else
        snprintf(text, GJB_LENGTH_TEXT, "%.3g", 1 + grade->length_off);
    return text;
}

const char *gjb_fault_text(const gjb_grade *grade, char text[GJB_FAULT_TEXT])
{
    if (grade->too_slow)
        snprintf(text, GJB_FAULT_TEXT, "too slow to judge");
    else if (grade->fault == GJB_FAULT_LENGTH) {
        char length[GJB_LENGTH_TEXT];
        snprintf(text, GJB_FAULT_TEXT, "normal's length is %s", gjb_length_text(grade, length));
    } else if (grade->fault == GJB_FAULT_NORMAL && grade->normal_eps > 0)
        snprintf(text, GJB_FAULT_TEXT, "normal's support gap falls %.3g eps S short", grade->normal_eps);
    else if (grade->fault == GJB_FAULT_PATCH && grade->has_coverage)
        snprintf(text, GJB_FAULT_TEXT, "patch: %scontacts cover %.3g%% of the best",
                 grade->coverage > 0.999 ? "a corner is missing, though " : "", 100 * grade->coverage);
    else
        snprintf(text, GJB_FAULT_TEXT, "%s", gjb_fault_name(grade->fault));
    return text;
}

static void renew(gjb_truth *truth, const gjb_pair *pair, int moving)
{
    truth->pair = pair;
    truth->exact = 0;
    truth->conflict = 0;
    truth->sought = 0;
    truth->in_halves = 0;
    truth->measured = (gjb_measured){0};
    truth->wanted.known = truth->wanted_exactly.known = 0;
    truth->moving = moving;
    truth->motion.open = 0;
    truth->motion.swept_open = 0;
    truth->effort = (ref_effort){.slowly = truth->slowly};
}

int gjb_truth_open_moving(gjb_truth *truth, const gjb_pair *pair)
{
    renew(truth, pair, 1);
    truth->lo = truth->hi = 0;
    truth->size = gjb_path_size(pair);
    return 0;
}

int gjb_truth_open_lazily(gjb_truth *truth, const gjb_pair *pair)
{
    renew(truth, pair, 0);
    truth->lo = -INFINITY;
    truth->hi = INFINITY;
    if (gjb_place_pair(&truth->placed, pair))
        return -1;
    truth->size = truth->placed.size;
    return 0;
}

int gjb_truth_open_in_halves(gjb_truth *truth, const gjb_pair *pair)
{
    gjb_squared sigma;
    if (gjb_truth_open_lazily(truth, pair))
        return -1;
    if (gjb_halves_sigma(pair, &sigma))
        return 0;
    gjb_squared_root(&sigma, &truth->lo, &truth->hi);
    truth->sought = truth->exact = truth->in_halves = 1;
    return 0;
}

/* Looks for bounds, once. Where memory does not suffice they stay as they are, and the oracle decides. */
static int seek(gjb_truth *truth)
{
    if (truth->sought)
        return 0;
    truth->sought = 1;
    double lo, hi;
    ref_effort *before = ref_effort_begin(&truth->effort);
    const int failed = gjb_bound_sigma(&truth->placed, truth->epsilon > 0 ? truth->epsilon : 0x1p-53, &lo, &hi);
    ref_effort_end(before);
    if (failed)
        return -1;
    /* Two proofs of opposite things: one of them is a defect of ours. */
    truth->conflict |= lo > truth->hi || hi < truth->lo;
    truth->lo = fmax(lo, truth->lo);
    truth->hi = fmin(hi, truth->hi);
    return 0;
}

int gjb_truth_open(gjb_truth *truth, const gjb_pair *pair)
{
    return gjb_truth_open_lazily(truth, pair) || seek(truth) ? -1 : 0;
}

/* A search that was cut short may know less than answers have proven. */
static void settle(gjb_truth *truth, double lo, double hi)
{
    truth->conflict |= lo > truth->hi || hi < truth->lo || !(lo <= hi);
    truth->lo = truth->effort.cut ? fmax(lo, truth->lo) : lo;
    truth->hi = truth->effort.cut ? fmin(hi, truth->hi) : hi;
    truth->exact = 1;
}

static void ask_oracle(gjb_truth *truth)
{
    if (truth->moving) { /* several queries have a truth of their own */
        gjb_motion_exact(truth);
        truth->exact = 1;
        return;
    }
    if (truth->exact)
        return;
    double lo, hi;
    if (truth->pair->dim == 2) {
        ref_exact exact;
        ref_oracle2(&truth->pair->as.plane, &exact);
        lo = exact.lo;
        hi = exact.hi;
    } else {
        ref_exact3 exact;
        ref_oracle3(&truth->pair->as.space, &exact);
        lo = exact.lo;
        hi = exact.hi;
    }
    settle(truth, lo, hi);
}

void gjb_truth_exact(gjb_truth *truth)
{
    ref_effort *before = ref_effort_begin(&truth->effort);
    ask_oracle(truth);
    ref_effort_end(before);
}

void gjb_truth_audit(gjb_truth *truth, gjb_truth *slow)
{
    truth->effort.slowly = true;
    if (truth->moving || (!truth->placed.is_curved && !truth->in_halves)) {
        gjb_truth_exact(truth);
        return;
    }
    gjb_truth_exact(slow);
    settle(truth, slow->lo, slow->hi);
    truth->in_halves = 0;
    truth->conflict |= slow->conflict;
}

void gjb_truth_close(gjb_truth *truth)
{
    gjb_placed_free(&truth->placed);
    gjb_path_close(&truth->motion.path);
    memset(truth, 0, sizeof *truth);
}

gjb_tolerance gjb_tolerance_on(const gjb_tolerance *tolerance, const gjb_pair *pair)
{
    gjb_tolerance own = *tolerance;
    const int plane = pair->dim == 2;
    own.k = fmax(own.k, own.k_of_kind[plane ? pair->as.plane.a.kind : pair->as.space.a.kind]);
    own.k = fmax(own.k, own.k_of_kind[plane ? pair->as.plane.b.kind : pair->as.space.b.kind]);
    return own;
}

double gjb_tolerance_of(const gjb_tolerance *tolerance, double size)
{
    return tolerance->tau + tolerance->skin + tolerance->k * unit_of(tolerance, size) + tolerance->relative * size;
}

gjb_tolerance gjb_tolerance_for(const gjb_contender *contender, gjb_query query, gjb_precision precision,
                                uint32_t dim)
{
    gjb_tolerance granted = {.k = gjb_queries[query].k[dim - 2][precision],
                             .epsilon = gjb_epsilon(precision),
                             .own = gjb_epsilon(precision),
                             .least = gjb_least_size(precision),
                             .tau = contender->tau[query],
                             .tau_time = query == GJB_TOI ? contender->tau_time : 0,
                             .skin = contender->skin,
                             .relative = contender->tau_relative[query],
                             .ours = (int)contender->ours,
                             .no_normal = contender->no_normal >> query & 1,
                             .no_points = contender->no_points >> query & 1,
                             .partial = contender->partial >> query & 1,
                             .within = contender->within >> query & 1,
                             .touching_only = contender->touching_only >> query & 1};
    memcpy(granted.k_of_kind, gjb_queries[query].k_of_kind, sizeof granted.k_of_kind);
    return granted;
}

double gjb_bar_of(gjb_query query, const gjb_pair *pair)
{
    return gjb_queries[query].has_within && !gjb_queries[query].has_value ? pair->within : 0;
}

/* Where the pair lies against the band |sigma - bar| <= T. */
typedef enum place { APART, BAND, OVERLAP, DOUBT } place;

static place place_of(const gjb_query_row *row, const gjb_truth *truth, double tolerance)
{
    const long double bar = gjb_bar_of(row->id, truth->pair), lo = truth->lo - bar, hi = truth->hi - bar;
    if (lo > tolerance)
        return APART;
    if (hi < -tolerance)
        return OVERLAP;
    if (lo >= -tolerance && hi <= tolerance)
        return BAND;
    /* An exact interval that straddles the edge of the band by an ulp is in it. */
    return truth->exact ? BAND : DOUBT;
}

/* An oracle that gave up on a curved pair leaves an interval that says nothing of a value in it. */
static int too_wide(const gjb_query_row *row, const gjb_truth *truth, double value, double tolerance)
{
    const double from = row->graded(truth->lo), to = row->graded(truth->hi);
    return truth->exact && fabs(to - from) > tolerance && fmin(from, to) <= value && value <= fmax(from, to);
}

/* Distance of `value` from the truth, at most. */
static double value_error(const gjb_query_row *row, const gjb_truth *truth, double value, double tolerance)
{
    double from = row->graded(truth->lo), to = row->graded(truth->hi);
    double a = fabs(value - from), b = fabs(value - to);
    if (!truth->exact)
        return a > b ? a : b;
    if (too_wide(row, truth, value, tolerance))
        return 0;
    return a < b ? a : b; /* adjacent doubles: the nearer one, so that a perfect answer has no error */
}

static int has_vectors(const gjb_query_row *row, gjb_status status)
{
    const int bit = status == GJB_SEPARATED ? 0 : status == GJB_OVERLAPPING ? 1 : 2;
    return row->vectors_when >> bit & 1;
}

static int minus_zero(const double *field)
{
    return *field == 0 && signbit(*field);
}
static int plus_zero(const double *field)
{
    return *field == 0 && !signbit(*field);
}

static int answered(const gjb_query_row *row, gjb_status status)
{
    return status == GJB_SEPARATED || status == GJB_OVERLAPPING || (status == GJB_HIT && row->moving);
}

/* Points that are all 0 are no distance apart. */
int gjb_stops_at_limit(gjb_query query, const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *granted)
{
    int points = 0;
    for (int k = 0; k < 3 && !granted->no_points; k++)
        points |= r->point_a[k] != 0 || r->point_b[k] != 0;
    return granted->within && gjb_queries[query].has_within && gjb_queries[query].has_value && pair->within > 0 &&
           r->status == GJB_SEPARATED && r->value > pair->within && !points;
}

int gjb_defined_by(gjb_query query, gjb_status status)
{
    const gjb_query_row *row = &gjb_queries[query];
    const int vectors = has_vectors(row, status) ? GJB_NORMAL | GJB_POINTS : 0;
    if (row->id == GJB_SWEEP)
        return status == GJB_OVERLAPPING ? GJB_POINTS | GJB_LAST
               : status == GJB_HIT       ? GJB_VALUE | GJB_LAST | vectors
                                         : 0;
    if (row->moving)
        return status == GJB_HIT ? GJB_VALUE | vectors : 0;
    return row->has_value ? GJB_VALUE | vectors : 0;
}

static gjb_fault check_form(const gjb_query_row *row, const gjb_result *r, int ours)
{
    const struct {
        const double *at;
        int group, count;
    } fields[] = {{&r->value, GJB_VALUE, 1},
                  {r->normal, GJB_NORMAL, 3},
                  {r->point_a, GJB_POINTS, 3},
                  {r->point_b, GJB_POINTS, 3},
                  {&r->last, GJB_LAST, 1}};
    const int defined = gjb_defined_by(row->id, r->status);
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        for (int k = 0; k < fields[f].count; k++) {
            const double *field = fields[f].at + k;
            if (!isfinite(*field))
                return GJB_FAULT_NAN;
            if (fields[f].group & defined ? ours && minus_zero(field) : !plus_zero(field))
                return GJB_FAULT_FORM;
        }
    return GJB_FAULT_NONE;
}

/* What an answer proves by itself: its normal that sigma is no less than the gap along it, its points, as far
 * as they are from their shapes, that it is no more than they are apart. */
static void learn_gap(gjb_truth *truth, const gjb_result *r)
{
    const long double normal[3] = {r->normal[0], r->normal[1], r->normal[2]};
    if (gjb_length_of(normal) > 0)
        truth->lo = fmax(truth->lo, gjb_outwards(gjb_gap_along(truth, r->normal) - truth->placed.error, 0));
}

static void learn(gjb_truth *truth, const gjb_result *r)
{
    const long double error = truth->placed.error;
    learn_gap(truth, r);
    if (r->status != GJB_SEPARATED)
        return;
    const long double way[3] = {(long double)r->point_b[0] - r->point_a[0], (long double)r->point_b[1] - r->point_a[1],
                                (long double)r->point_b[2] - r->point_a[2]};
    const long double apart =
        gjb_length_of(way) + gjb_distance_to(truth, 0, r->point_a) + gjb_distance_to(truth, 1, r->point_b);
    truth->hi = fmin(truth->hi, gjb_outwards(apart + 3 * error, 1));
}

/* A direction proves a bound on sigma by its support gap. */
static void grade_normal(const gjb_query_row *row, gjb_truth *truth, const gjb_result *r,
                         const gjb_tolerance *granted, double tolerance, gjb_grade *grade)
{
    const gjb_placed_pair *placed = &truth->placed;
    const long double normal[3] = {r->normal[0], r->normal[1], r->normal[2]}, length = gjb_length_of(normal);
    /* A depth is proven from above by any axis, and 0 is the least there is. */
    const double sigma = row->id == GJB_PENETRATION ? fmin(truth->lo, 0) : truth->lo;
    const gjb_normal_check check = {.length = length,
                                    .wanted = sigma,
                                    .gap = length > 0 ? gjb_gap_along(truth, r->normal) : 0,
                                    .allowed = tolerance + placed->error,
                                    .unit = unit_of(granted, truth->size)};
    gjb_check_normal(grade, &check, granted);
}

/* Each on its shape, and as far from each other as the value says: along the normal, if there is one. */
static void grade_points(const gjb_query_row *row, gjb_truth *truth, const gjb_result *r,
                         const gjb_tolerance *granted, double tolerance, gjb_grade *grade)
{
    const gjb_placed_pair *placed = &truth->placed;
    const long double sigma = row->id == GJB_PENETRATION ? -r->value : r->value;
    long double off[3];
    for (int k = 0; k < 3; k++)
        off[k] = (long double)r->point_b[k] - r->point_a[k] - (granted->no_normal ? 0 : sigma * r->normal[k]);
    const long double gap = granted->no_normal ? fabsl(gjb_length_of(off) - fabsl(sigma)) : gjb_length_of(off);
    const long double worst =
        fmaxl(gap, fmaxl(gjb_distance_to(truth, 0, r->point_a), gjb_distance_to(truth, 1, r->point_b)));
    grade->has_points = 1;
    grade->witness_eps = in_units(worst, unit_of(granted, truth->size));
    if (!(worst <= tolerance + placed->error))
        gjb_set_fault(grade, GJB_FAULT_WITNESS);
}

/* One attempt with the truth as it stands. */
static gjb_grade attempt(const gjb_query_row *row, gjb_truth *truth, const gjb_result *r,
                         const gjb_tolerance *granted, double tolerance, place where)
{
    gjb_grade grade = {.verdict = GJB_RIGHT, .bar = gjb_bar_of(row->id, truth->pair)};
    int apart = r->status == GJB_SEPARATED;
    if ((where == APART && !apart) || (where == OVERLAP && apart))
        gjb_set_fault(&grade, GJB_FAULT_BOOLEAN);
    if (!row->has_value) {
        if (where == BAND)
            grade.verdict = GJB_UNGRADED;
        return grade;
    }

    grade.has_value = 1;
    double error = value_error(row, truth, r->value, tolerance);
    grade.value_eps = in_units(error, unit_of(granted, truth->size));
    if (!(error <= tolerance))
        gjb_set_fault(&grade, GJB_FAULT_VALUE);
    if (has_vectors(row, r->status) && !granted->no_normal)
        grade_normal(row, truth, r, granted, tolerance, &grade);
    if (has_vectors(row, r->status) && !granted->no_points)
        grade_points(row, truth, r, granted, tolerance, &grade);
    if (grade.verdict == GJB_RIGHT && too_wide(row, truth, r->value, tolerance))
        grade.verdict = GJB_UNGRADED;
    grade.error_eps = fmax(grade.value_eps, fmax(grade.normal_eps, grade.witness_eps));
    return grade;
}

/* One attempt at a distance that stopped: how far the value is above what is known that shapes are apart at least, and
 * above the gap along the normal. */
static gjb_grade attempt_beyond(const gjb_query_row *row, gjb_truth *truth, const gjb_result *r,
                                const gjb_tolerance *granted, double tolerance)
{
    gjb_grade grade = {.verdict = GJB_RIGHT, .has_value = 1};
    const double unit = unit_of(granted, truth->size), over = fmax(0, r->value - truth->lo);
    if (truth->hi < -tolerance)
        gjb_set_fault(&grade, GJB_FAULT_BOOLEAN);
    grade.value_eps = too_wide(row, truth, r->value, tolerance) ? 0 : in_units(over, unit);
    if (!(over <= tolerance) && !too_wide(row, truth, r->value, tolerance))
        gjb_set_fault(&grade, GJB_FAULT_VALUE);
    if (!granted->no_normal) {
        const long double normal[3] = {r->normal[0], r->normal[1], r->normal[2]}, length = gjb_length_of(normal);
        const gjb_normal_check check = {.length = length,
                                        .wanted = r->value,
                                        .gap = length > 0 ? gjb_gap_along(truth, r->normal) : 0,
                                        .allowed = tolerance + truth->placed.error,
                                        .unit = unit};
        gjb_check_normal(&grade, &check, granted);
    }
    if (grade.verdict == GJB_RIGHT && !(over <= tolerance))
        grade.verdict = GJB_UNGRADED;
    grade.error_eps = fmax(grade.value_eps, grade.normal_eps);
    return grade;
}

/* A normal is a proof by itself that shapes are as far apart as the gap along it. What it leaves in doubt is looked
 * for: then the value may be wrong, or the normal only. */
static gjb_grade grade_beyond(const gjb_query_row *row, gjb_truth *truth, const gjb_result *r,
                              const gjb_tolerance *granted, double tolerance)
{
    if (!granted->no_normal)
        learn_gap(truth, r);
    if (!(r->value - truth->lo <= tolerance) && seek(truth) == 0 && !(r->value - truth->lo <= tolerance))
        gjb_truth_exact(truth);
    gjb_grade grade = attempt_beyond(row, truth, r, granted, tolerance);
    if (grade.verdict == GJB_WRONG && !truth->exact) {
        gjb_truth_exact(truth);
        grade = attempt_beyond(row, truth, r, granted, tolerance);
    }
    return grade;
}

/* Errors are measured too, and bounds should not add to them what shows. */
static int leaves_doubt(const gjb_query_row *row, const gjb_truth *truth, const gjb_tolerance *granted,
                        double tolerance)
{
    return place_of(row, truth, tolerance) == DOUBT ||
           (row->has_value && truth->hi - truth->lo > 2 * unit_of(granted, truth->size));
}

static gjb_grade grade_moving(const gjb_query_row *row, gjb_truth *truth, const gjb_result *result,
                              const gjb_tolerance *granted)
{
    const double path = gjb_path_size(truth->pair), way = path - gjb_pair_size(truth->pair);
    gjb_tolerance own = *granted;
    own.epsilon = own.own > 0 ? fmin(own.own, own.epsilon) : own.epsilon;
    gjb_grading g = {.query = row->id, .truth = truth, .result = result, .granted = granted,
                     .tolerance = gjb_tolerance_of(granted, path) + granted->tau_time * way,
                     .own = gjb_tolerance_of(&own, path) + granted->tau_time * way};
    g.grade.has_value = g.grade.moving = 1;
    if (row->id == GJB_SWEEP)
        gjb_grade_sweep(&g);
    else
        gjb_grade_toi(&g);
    g.grade.error_eps = fmax(g.grade.value_eps, fmax(g.grade.normal_eps, g.grade.witness_eps));
    return g.grade;
}

/* Faults that a better truth of sigma may take back. */
static int depends_on_sigma(const gjb_grade *grade)
{
    return grade->verdict == GJB_WRONG &&
           (grade->fault == GJB_FAULT_BOOLEAN || grade->fault == GJB_FAULT_NORMAL ||
            grade->fault == GJB_FAULT_PATCH);
}

/* With a larger T a patch may want more contacts. An answer that is right with the T of doubles, by every rule, is
 * right with a larger one. `g` is of an exact truth. */
static void grade_finer(gjb_grading *g)
{
    gjb_tolerance fine = *g->granted;
    fine.epsilon = gjb_epsilon(GJB_F64);
    gjb_grading finer = *g;
    finer.granted = &fine;
    finer.tolerance = gjb_tolerance_of(&fine, g->truth->size);
    finer.grade = (gjb_grade){.verdict = GJB_RIGHT};
    gjb_grade_manifold(&finer);
    if (finer.grade.verdict != GJB_RIGHT)
        return;
    g->grade.verdict = GJB_RIGHT;
    g->grade.fault = finer.grade.fault;
}

static gjb_grade grade_manifold(gjb_truth *truth, const gjb_result *result, const gjb_tolerance *granted)
{
    const double tolerance = gjb_tolerance_of(granted, truth->size);
    const gjb_grading asked = {
        .query = GJB_MANIFOLD, .truth = truth, .result = result, .granted = granted, .tolerance = tolerance};
    if (!truth->sought && result->count && !granted->no_normal && !granted->no_points)
        learn(truth, result);
    if (!truth->sought && gjb_manifold_doubt(truth, result, granted, tolerance)) {
        truth->placed.deep = result->count && result->status == GJB_OVERLAPPING &&
                             fabs(result->value) > gjb_radii(&truth->placed);
        seek(truth);
    }
    if (gjb_manifold_doubt(truth, result, granted, tolerance))
        gjb_truth_exact(truth);
    gjb_grading g = asked;
    gjb_grade_manifold(&g);
    if (depends_on_sigma(&g.grade) && !truth->exact) {
        gjb_truth_exact(truth);
        g = asked;
        gjb_grade_manifold(&g);
    }
    if (g.grade.verdict == GJB_WRONG && g.grade.fault == GJB_FAULT_PATCH && granted->epsilon > gjb_epsilon(GJB_F64))
        grade_finer(&g);
    return g.grade;
}

static gjb_grade grade_result(gjb_query query, gjb_truth *truth, const gjb_result *result,
                              const gjb_tolerance *published)
{
    const gjb_tolerance own = gjb_tolerance_on(published, truth->pair), *const granted = &own;
    static const struct {
        gjb_verdict verdict;
        gjb_fault fault;
    } unanswered[GJB_STATUSES] = {[GJB_UNWRITTEN] = {GJB_WRONG, GJB_FAULT_UNWRITTEN},
                                  [GJB_ITERATION_LIMIT] = {GJB_WRONG, GJB_FAULT_CAPPED},
                                  [GJB_INVALID_INPUT] = {GJB_WRONG, GJB_FAULT_REFUSED},
                                  [GJB_UNSUPPORTED] = {GJB_NOT_SUPPORTED, GJB_FAULT_NONE},
                                  [GJB_HIT] = {GJB_WRONG, GJB_FAULT_FORM}}; /* of queries at rest */
    const gjb_query_row *row = &gjb_queries[query];
    if (result->status >= GJB_STATUSES)
        return (gjb_grade){.verdict = GJB_WRONG, .fault = GJB_FAULT_UNWRITTEN};
    if (!answered(row, result->status))
        return (gjb_grade){.verdict = unanswered[result->status].verdict,
                           .fault = unanswered[result->status].fault};
    gjb_fault form = row->has_patch ? gjb_manifold_form(result, truth->pair->dim, granted->ours)
                                    : check_form(row, result, granted->ours);
    if (form)
        return (gjb_grade){.verdict = GJB_WRONG, .fault = form};

    if (row->moving)
        return grade_moving(row, truth, result, granted);
    if (row->has_patch)
        return grade_manifold(truth, result, granted);
    double tolerance = gjb_tolerance_of(granted, truth->size);
    if (gjb_stops_at_limit(query, truth->pair, result, granted))
        return grade_beyond(row, truth, result, granted, tolerance);
    if (!truth->sought && gjb_defined_by(row->id, result->status) & GJB_NORMAL && !granted->no_normal &&
        !granted->no_points)
        learn(truth, result);
    if (leaves_doubt(row, truth, granted, tolerance) && !truth->sought) {
        truth->placed.deep = result->status == GJB_OVERLAPPING && fabs(result->value) > gjb_radii(&truth->placed);
        seek(truth);
    }
    if (leaves_doubt(row, truth, granted, tolerance))
        gjb_truth_exact(truth);
    gjb_grade grade = attempt(row, truth, result, granted, tolerance, place_of(row, truth, tolerance));
    if (grade.verdict == GJB_WRONG && !truth->exact) {
        gjb_truth_exact(truth);
        grade = attempt(row, truth, result, granted, tolerance, place_of(row, truth, tolerance));
    }
    return grade;
}

int gjb_grade_beyond(const gjb_grade *grade, const gjb_truth *truth, double share, double epsilon)
{
    if (grade->verdict != GJB_RIGHT && grade->verdict != GJB_WRONG)
        return 0;
    if (grade->fault == GJB_FAULT_BOOLEAN && !grade->moving &&
        (truth->lo - grade->bar > share * truth->size || truth->hi - grade->bar < -share * truth->size))
        return 1;
    /* Of a manifold more than the value counts: corners that are missing have no size, points have theirs. */
    if (grade->fault == GJB_FAULT_PATCH || grade->fault == GJB_FAULT_FEATURE)
        return 1;
    if (grade->fault == GJB_FAULT_CONTACT)
        return !(grade->error_eps * epsilon <= share);
    if (!grade->has_value)
        return grade->verdict == GJB_WRONG && grade->fault != GJB_FAULT_BOOLEAN;
    return !(grade->value_eps * epsilon <= share);
}

gjb_grade gjb_grade_result(gjb_query query, gjb_truth *truth, const gjb_result *result,
                           const gjb_tolerance *published)
{
    ref_effort *before = ref_effort_begin(&truth->effort);
    gjb_grade grade = grade_result(query, truth, result, published);
    ref_effort_end(before);
    grade.too_slow = grade.verdict == GJB_UNGRADED && ref_effort_too_slow(&truth->effort);
    return grade;
}
