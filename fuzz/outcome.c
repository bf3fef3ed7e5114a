/* Asks all backends of a contender for a batch of edits, straight and swapped, and grades the answers. */
#include "fuzz/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify_private.h"

const char *gjb_symptom_name(gjb_symptom symptom)
{
    static const char *const own[] = {"asymmetric", "backends differ", "certificate against oracle"};
    if (symptom == GJB_SYMPTOM_NONE)
        return "right";
    if (symptom < GJB_FAULTS)
        return gjb_fault_name((gjb_fault)symptom);
    if (symptom < GJB_SYMPTOM_MISHAP)
        return own[symptom - GJB_FAULTS];
    return symptom < GJB_SYMPTOMS ? gjb_mishap_name((gjb_mishap)(symptom - GJB_SYMPTOM_MISHAP)) : "unknown";
}

int gjb_ask_declines(const gjb_ask *ask, const gjb_edit *edit)
{
    for (int i = 0; i < 2; i++) {
        const gjb_edit_body *b = &edit->body[i];
        if (!(ask->contender->kinds >> b->kind & 1u) || b->count > ask->contender->max_vertices)
            return 1;
    }
    return 0;
}

/* All pairs in frame 0, and exchanged in frame 1. */
static gjb_scene *gather(const gjb_scene *const *pairs, size_t count)
{
    gjb_edit *edit = malloc(sizeof *edit);
    uint64_t rows = 0, first = 0;
    for (size_t i = 0; i < count; i++)
        rows += (uint64_t)pairs[i]->shapes.row_count[0] + pairs[i]->shapes.row_count[1];
    gjb_scene *all = gjb_scene_new(pairs[0]->shapes.dim, (gjb_precision)pairs[0]->shapes.precision,
                                   (uint32_t)(2 * count), rows, (uint32_t)(2 * count), count);
    int failed = !edit || !all;
    for (size_t i = 0; i < count && !failed; i++) {
        gjb_edit_load(edit, pairs[i], 0, 0);
        failed = gjb_edit_put(edit, all, i, (uint32_t)first);
        first += (uint64_t)edit->body[0].count + edit->body[1].count;
    }
    free(edit);
    if (!failed) {
        all->margin = pairs[0]->margin;
        all->within = pairs[0]->within;
        all->leaving = pairs[0]->leaving;
    }
    if (failed || gjb_verify_add_swapped_frame(all)) {
        gjb_scene_free(all);
        return NULL;
    }
    return all;
}

/* Work on the pairs of one call. */
typedef struct job {
    const gjb_ask *ask;
    const gjb_scene *scene;
    size_t count, size;
    void *straight, *exchanged, *other;
    gjb_outcome *out;
} job;

/* Answers of one backend, and what it did apart from answering. */
static int answer(job *j, const char *backend, void *straight, void *exchanged, int keeps, gjb_error *error)
{
    gjb_session *session = gjb_session_open(j->ask->contender, backend, j->scene, 1, error);
    size_t found = 0;
    if (!session)
        return -1;
    gjb_session_run(session, j->ask->query, 0, 0, j->count, 0, 1, straight, NULL);
    if (exchanged)
        gjb_session_run(session, j->ask->query, 1, 0, j->count, 0, 1, exchanged, NULL);
    const gjb_finding *list = gjb_session_findings(session, &found);
    /* What is left unwritten or NaN grading sees too, and calls by its name. */
    for (size_t i = 0; i < found && keeps; i++)
        if (list[i].frame == 0 && !gjb_mishap_is_graded(list[i].what) &&
            list[i].pair < j->count && !j->out[list[i].pair].symptom) {
            j->out[list[i].pair].symptom = GJB_SYMPTOM_MISHAP + list[i].what;
            j->out[list[i].pair].code = list[i].code;
        }
    gjb_session_close(session);
    return 0;
}

static double share(double part, double whole)
{
    return whole > 0 && part > 0 ? part / whole : 0;
}

/* Of the fault that an answer is blamed for; of one that is blamed for none, or for what has no measure, the largest
 * of all. */
static double eps_of(const gjb_grade *grade)
{
    switch (grade->fault) {
    case GJB_FAULT_VALUE:
    case GJB_FAULT_LATE:
    case GJB_FAULT_LAST:
        return grade->value_eps;
    case GJB_FAULT_NORMAL:
        return grade->normal_eps;
    case GJB_FAULT_WITNESS:
        return grade->witness_eps;
    default:
        return grade->error_eps;
    }
}

/* How far sigma is from where a boolean changes. */
static double from_bar(const gjb_outcome *o)
{
    return fmax(fmax(o->lo - o->grade.bar, o->grade.bar - o->hi), 0);
}

/* How far off, in world units, by an error in units of eps S. */
static double error_of(const gjb_outcome *o, gjb_query query, double eps)
{
    const int boolean = o->grade.fault == GJB_FAULT_BOOLEAN && !gjb_queries[query].moving;
    if (boolean)
        return from_bar(o);
    const double error = eps * o->epsilon * o->size;
    if (o->grade.fault == GJB_FAULT_VALUE && !(error > 0) &&
        !gjb_queries[query].moving) /* wrong before it was measured */
        return fabs(o->result.value - o->truth);
    if (o->grade.has_value || o->grade.has_normal || o->grade.has_points)
        return error;
    return o->grade.verdict == GJB_WRONG ? INFINITY : 0;
}

/* Errors in units of what is granted; how much of it exchanging A and B takes; for a boolean, how near the
 * pair is to the band in which none is graded. Apart from these, a little for work: iterations, and how hard the
 * truth was to find. `most`: no value beyond it matters. */
static double closeness_of(const gjb_outcome *o, const gjb_ask *ask, double most)
{
    const double largest = error_of(o, ask->query, o->grade.error_eps);
    double closeness = share(o->symptom >= GJB_SYMPTOM_MISHAP ? INFINITY : largest, o->tolerance);
    if (gjb_queries[ask->query].has_value && isfinite(o->exchanged.value))
        closeness = fmax(closeness, share(fabs(fmin(o->exchanged.value, most) - fmin(o->result.value, most)),
                                          2 * o->tolerance));
    if (ask->query == GJB_INTERSECT) {
        const double nearest = from_bar(o);
        closeness = fmax(closeness, nearest > o->tolerance ? sqrt(o->tolerance / nearest) : 0.25);
    }
    return closeness + 0.05 * log2(1.0 + o->result.iterations) / 8 +
           0.02 * log2(1 + share(o->hi - o->lo, o->epsilon * o->size)) / 16;
}

static double limit_of(gjb_query query, const gjb_pair *pair)
{
    return gjb_queries[query].has_within && pair->within > 0 ? pair->within : INFINITY;
}

static void judge(job *j, size_t i, gjb_truth *truth, const gjb_tolerance *granted)
{
    const gjb_ask *ask = j->ask;
    const gjb_scene *s = j->scene;
    gjb_outcome *o = &j->out[i];
    const gjb_tolerance own = gjb_tolerance_on(granted, truth->pair);
    const gjb_precision precision = (gjb_precision)s->shapes.precision;
    const int moving = gjb_queries[ask->query].moving;
    o->result = gjb_result_get(ask->query, precision, s->shapes.dim, j->straight, i);
    o->exchanged = gjb_result_get(ask->query, precision, s->shapes.dim, j->exchanged, i);
    o->grade = (gjb_grade){.verdict = GJB_NOT_SUPPORTED};
    o->epsilon = own.epsilon;
    o->size = moving ? gjb_path_size(truth->pair) : truth->size;
    o->tolerance = gjb_tolerance_of(&own, o->size);
    if (moving)
        o->tolerance += own.tau_time * (o->size - gjb_pair_size(truth->pair));
    if (o->result.unasked)
        return;
    o->grade = gjb_grade_result(ask->query, truth, &o->result, granted);
    if (!o->symptom && truth->conflict)
        o->symptom = GJB_SYMPTOM_CONFLICT;
    if (!o->symptom && o->grade.verdict == GJB_WRONG)
        o->symptom = o->grade.fault;
    if (!o->symptom && ask->contender->ours && o->grade.verdict != GJB_NOT_SUPPORTED &&
        !o->exchanged.unasked && gjb_asymmetric(ask->query, truth, &o->result, &o->exchanged, granted))
        o->symptom = GJB_SYMPTOM_ASYMMETRIC;
    if (o->symptom && !moving)
        gjb_truth_exact(truth);
    o->lo = truth->lo;
    o->hi = truth->hi;
    if (moving)
        o->truth = o->symptom ? gjb_truth_time(truth, ask->query) : NAN;
    else
        o->truth = gjb_queries[ask->query].graded(0.5 * truth->lo + 0.5 * truth->hi);
    o->error = o->symptom >= GJB_SYMPTOM_MISHAP ? INFINITY
               : o->symptom == GJB_FAULT_LENGTH
                   ? NAN
                   : error_of(o, ask->query, eps_of(&o->grade));
    o->closeness = closeness_of(o, ask, limit_of(ask->query, truth->pair));
}

static int judge_all(job *j, const gjb_tolerance *granted)
{
    gjb_pair_space space = {0};
    gjb_truth truth = {.epsilon = granted->epsilon};
    int failed = 0;
    for (size_t i = 0; i < j->count && !failed; i++) {
        gjb_pair pair;
        failed = gjb_scene_pair(j->scene, 0, i, &space, &pair) ||
                 (gjb_queries[j->ask->query].moving ? gjb_truth_open_moving(&truth, &pair)
                                                    : gjb_truth_open(&truth, &pair));
        if (!failed)
            judge(j, i, &truth, granted);
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    return failed;
}

/* Backends of ours give the same bytes. */
static int compare(job *j, gjb_error *error)
{
    for (size_t b = 1; b < j->ask->backend_count; b++) {
        if (answer(j, j->ask->backends[b], j->other, NULL, 0, error))
            return -1;
        for (size_t i = 0; i < j->count; i++)
            if (!j->out[i].symptom &&
                memcmp((char *)j->other + i * j->size, (char *)j->straight + i * j->size, j->size) != 0)
                j->out[i].symptom = GJB_SYMPTOM_BACKENDS;
    }
    return 0;
}

/* Pairs of the same margins, which are a scene's. */
static int ask_alike(const gjb_ask *ask, const gjb_scene *const *pairs, size_t count, gjb_outcome *out,
                     gjb_error *error)
{
    gjb_scene *scene = gather(pairs, count);
    job j = {.ask = ask, .scene = scene, .count = count, .out = out};
    memset(out, 0, count * sizeof *out);
    int failed = !scene;
    if (!failed) {
        j.size = gjb_result_size(ask->query, (gjb_precision)scene->shapes.precision, scene->shapes.dim);
        j.straight = calloc(count, j.size);
        j.exchanged = calloc(count, j.size);
        j.other = calloc(count, j.size);
        failed = !j.straight || !j.exchanged || !j.other;
    }
    if (failed)
        gjb_fail(error, "out of memory");
    if (!failed) {
        const gjb_tolerance granted = gjb_tolerance_for(
            ask->contender, ask->query, (gjb_precision)scene->shapes.precision, scene->shapes.dim);
        failed = answer(&j, ask->backends[0], j.straight, j.exchanged, 1, error);
        if (!failed && judge_all(&j, &granted))
            failed = gjb_fail(error, "out of memory");
        failed = failed || compare(&j, error);
    }
    free(j.straight);
    free(j.exchanged);
    free(j.other);
    gjb_scene_free(scene);
    return failed ? -1 : 0;
}

int gjb_ask_pairs(const gjb_ask *ask, const gjb_scene *const *pairs, size_t count, gjb_outcome *out, gjb_error *error)
{
    const gjb_scene **alike = malloc((count + 1) * sizeof *alike);
    gjb_outcome *outcomes = malloc((count + 1) * sizeof *outcomes);
    size_t *at = malloc((count + 1) * sizeof *at);
    uint8_t *done = calloc(count + 1, 1);
    int failed = !alike || !outcomes || !at || !done ? gjb_fail(error, "out of memory") : 0;
    for (size_t first = 0; first < count && !failed; first++) {
        size_t some = 0;
        for (size_t i = first; i < count && !done[first]; i++)
            if (!done[i] && pairs[i]->margin == pairs[first]->margin && pairs[i]->within == pairs[first]->within &&
                pairs[i]->leaving == pairs[first]->leaving) {
                alike[some] = pairs[i];
                at[some++] = i;
            }
        failed = some ? ask_alike(ask, alike, some, outcomes, error) : 0;
        for (size_t i = 0; i < some && !failed; i++) {
            out[at[i]] = outcomes[i];
            done[at[i]] = 1;
        }
    }
    free(alike);
    free(outcomes);
    free(at);
    free(done);
    return failed ? -1 : 0;
}
