/* One chunk of verification: pairs asked straight and exchanged, graded, with failures and mishaps saved. */
#include "verify/verify_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "contenders/harness.h"
#include "contenders/isolation/finding_file.h"
#include "contenders/program/program.h"
#include "scenes/hash.h"

static int asked(const gjb_chunk *c, const gjb_verify_row *row)
{
    return row->contender->ours || c->first < c->combo->others;
}

/* Keyed by place, then summed: the same whatever order chunks finish in. Of no pairs it is 0. */
static void fingerprint(gjb_chunk *c, size_t r)
{
    if (!c->tally[r].pairs) {
        c->tally[r].fingerprint = 0;
        return;
    }
    const size_t size = gjb_result_size(c->tally[r].query, c->combo->precision, c->combo->dim);
    const uint64_t key = gjb_fingerprint(&c->first, 1, sizeof c->first, sizeof c->first, 0);
    c->tally[r].fingerprint = gjb_fingerprint(c->straight[r], c->tally[r].pairs, size, size, key);
}

/* One contender and query over the chunk, straight and, unless answers are all that is wanted, swapped. */
static int answer(gjb_chunk *c, const gjb_verify_plan *plan, size_t r, gjb_session *session, gjb_watch *watch,
                  uint64_t *answered)
{
    gjb_verify_row *row = &c->tally[r];
    const uint64_t pairs = gjb_verify_asked(plan, row->contender, c->pairs);
    size_t size = gjb_result_size(row->query, c->combo->precision, c->combo->dim);
    c->straight[r] = calloc(c->pairs, size);
    c->swapped[r] = calloc(c->pairs, size);
    if (!c->straight[r] || !c->swapped[r])
        return -1;
    const uint64_t changes = gjb_session_float_changes(session);
    gjb_session_stats exchanged = {0};
    gjb_verify_ask(watch, r, row->contender, session, row->query, 0, pairs, size, c->straight[r], &row->stats);
    if (!plan->answers_only)
        gjb_verify_ask(watch, r, row->contender, session, row->query, 1, pairs, size, c->swapped[r], &exchanged);
    row->crashed = row->stats.crashed + exchanged.crashed;
    row->hung = row->stats.hung + exchanged.hung;
    row->crashed_exchanged = exchanged.crashed;
    row->hung_exchanged = exchanged.hung;
    /* Preparing has a limit of its own (contenders/isolation/hangs.h): what hung then costs no other scene. */
    c->combo->hung[r] += (uint32_t)(row->hung - row->stats.hung_preparing - exchanged.hung_preparing);
    row->unasked = row->stats.unasked + exchanged.unasked;
    *answered += (plan->answers_only ? 1 : 2) * pairs - row->crashed - row->hung - row->unasked -
                 row->stats.interrupted - exchanged.interrupted;
    for (int i = 0; i < GJB_MISHAPS; i++)
        row->found[i] = row->stats.found[i] + exchanged.found[i];
    if (row->contender->ours)
        row->found[GJB_CHANGED_FLOATS] = gjb_session_float_changes(session) - changes;
    row->pairs = pairs - row->stats.interrupted;
    c->exchanged[r] = pairs - exchanged.interrupted;
    c->interrupted |= row->stats.interrupted + exchanged.interrupted > 0;
    fingerprint(c, r);
    return 0;
}

/* 1 while the row and its entry have room for more of the kind; takes a place. */
static int has_room(const gjb_chunk *c, size_t row, gjb_mishap what)
{
    _Atomic uint32_t *of_row = &c->combo->kept[2 * row + (what >= GJB_MILD)];
    _Atomic uint32_t *of_entry = &c->combo->entry_kept[row / GJB_QUERIES * GJB_MISHAPS + what];
    return *of_row < GJB_VERIFY_SAVED && *of_entry < GJB_VERIFY_MISHAPS && (*of_row)++ < GJB_VERIFY_SAVED &&
           (*of_entry)++ < GJB_VERIFY_MISHAPS;
}

/* The file's path, or NULL. */
static char *save_mishap(gjb_chunk *c, const gjb_verify_plan *plan, const gjb_verify_entry *entry,
                         const gjb_finding *finding, gjb_query query)
{
    const gjb_finding_origin origin = {.contender = entry->contender,
                                       .backend = entry->backend,
                                       .workload = c->combo->workload,
                                       .family = c->combo->family->name,
                                       .seed = plan->seed,
                                       .first = c->first,
                                       .exchanged = finding->frame == 1};
    char path[GJB_FINDING_PATH];
    gjb_finding asked = *finding;
    asked.query = query;
    if (!plan->out || finding->pair == GJB_NO_PAIR)
        return NULL;
    return gjb_finding_save(c->scene, &asked, &origin, plan->out, path, &c->save_error) ? NULL : strdup(path);
}

/* Where preparing ended a process, no query is to blame: the first that was asked stands in. */
static size_t row_of(const gjb_chunk *c, size_t e, gjb_query query)
{
    size_t row = e * GJB_QUERIES + query;
    for (size_t q = 0; q < GJB_QUERIES && !c->straight[row]; q++)
        row = e * GJB_QUERIES + q;
    return row;
}

static int keep_mishaps(gjb_chunk *c, const gjb_verify_plan *plan, size_t e, const gjb_session *session)
{
    size_t count = 0;
    const gjb_verify_entry *entry = &plan->entries[e];
    const gjb_finding *found = gjb_session_findings(session, &count);
    if (!count)
        return 0;
    gjb_verify_mishap *more = realloc(c->mishaps, (c->mishap_count + count) * sizeof *more);
    if (!more)
        return -1;
    c->mishaps = more;
    for (size_t i = 0; i < count; i++) {
        const size_t row = row_of(c, e, found[i].query);
        c->tally[row].found[found[i].what] += found[i].pair == GJB_NO_PAIR || found[i].preparing;
        if (!has_room(c, row, found[i].what)) {
            c->mishaps_dropped++;
            continue;
        }
        c->mishaps[c->mishap_count++] =
            (gjb_verify_mishap){.dim = c->combo->dim,
                                .workload = c->combo->workload,
                                .family = c->combo->family,
                                .precision = c->combo->precision,
                                .contender = entry->contender,
                                .backend = entry->backend ? entry->backend : "-",
                                .what = found[i].what,
                                .code = found[i].code,
                                .query = c->tally[row].query,
                                .pair = found[i].pair == GJB_NO_PAIR ? GJB_NO_PAIR : c->first + found[i].pair,
                                .exchanged = found[i].frame == 1,
                                .preparing = found[i].preparing,
                                .file = save_mishap(c, plan, entry, &found[i], c->tally[row].query),
                                .said = found[i].said[0] ? strdup(found[i].said) : NULL};
    }
    return 0;
}

/* Of a row that has more than so many pairs, the rest is as if it had not been asked. */
static void leave_out(gjb_chunk *c, size_t r, uint64_t from)
{
    if (!c->straight[r] || c->tally[r].pairs <= from)
        return;
    c->tally[r].stats.interrupted += c->tally[r].pairs - from;
    c->tally[r].pairs = from;
    fingerprint(c, r);
}

/* Backends are held against each other: what one was not asked for, the others of its contender were not, either. */
static void keep_alike(gjb_chunk *c)
{
    for (size_t r = 0; r < c->rows; r++)
        for (size_t s = 0; s < c->rows; s++)
            if (c->tally[s].contender == c->tally[r].contender && c->tally[s].query == c->tally[r].query)
                leave_out(c, r, c->tally[s].pairs);
}

/* A program that only dies is not started again and again for the families and precisions of a workload. */
static int gave_up(const gjb_chunk *c, size_t e)
{
    return c->combo->deaths[e] >= GJB_DEATHS_IN_A_ROW;
}

/* That it did not live through preparing took several processes to find. */
static void count_deaths(gjb_chunk *c, size_t e, const gjb_session *session, uint64_t answered)
{
    size_t count = 0;
    const gjb_finding *found = gjb_session_findings(session, &count);
    if (!gjb_is_self_timed(c->tally[e * GJB_QUERIES].contender))
        return;
    if (answered)
        c->combo->deaths[e] = 0;
    for (size_t i = 0; i < count && !answered; i++)
        c->combo->deaths[e] += found[i].what >= GJB_MILD ? 0 : found[i].preparing ? GJB_DEATHS_IN_A_ROW / 2 : 1;
}

/* Counted as asked: a row without answers is not a right one. */
static void leave_unasked(gjb_chunk *c, const gjb_verify_plan *plan, size_t r)
{
    c->tally[r].pairs = gjb_verify_asked(plan, c->tally[r].contender, c->pairs);
    c->tally[r].unasked = (plan->answers_only ? 1 : 2) * c->tally[r].pairs;
}

static int answer_all(gjb_chunk *c, const gjb_verify_plan *plan, gjb_watch *watch, gjb_error *error)
{
    for (size_t e = 0; e < plan->entry_count; e++) {
        gjb_session *session = NULL;
        uint64_t answered = 0;
        for (int q = 0; q < GJB_QUERIES; q++) {
            size_t r = e * GJB_QUERIES + (size_t)q;
            if (plan->stop && *plan->stop) {
                c->interrupted = 1;
                break;
            }
            if (!(plan->queries >> q & 1) || !gjb_verify_supports(c->combo, c->tally[r].contender, c->tally[r].query) || !asked(c, &c->tally[r]))
                continue;
            if (c->combo->hung[r] >= GJB_VERIFY_HANGS) {
                c->tally[r].unasked = gjb_verify_asked(plan, c->tally[r].contender, c->pairs);
                continue;
            }
            if (!session && gave_up(c, e)) {
                leave_unasked(c, plan, r);
                continue;
            }
            if (!session)
                session = gjb_session_open(plan->entries[e].contender, plan->entries[e].backend, c->scene, 1,
                                           error);
            if (!session)
                return -1;
            if (answer(c, plan, r, session, watch, &answered)) {
                gjb_session_close(session);
                return gjb_fail(error, "verify: out of memory");
            }
        }
        if (session)
            count_deaths(c, e, session, answered);
        const int failed = session && keep_mishaps(c, plan, e, session);
        gjb_session_close(session);
        if (failed)
            return gjb_fail(error, "verify: out of memory");
    }
    return 0;
}

static void count_error(uint64_t histogram[GJB_ERROR_BINS], double error_eps)
{
    int bin = 0;
    if (error_eps >= 1024)
        bin = GJB_ERROR_BINS - 1;
    else if (error_eps >= 0.0625)
        bin = ilogb(error_eps) + 5;
    histogram[bin]++;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void count_grade(gjb_verify_row *row, const gjb_grade *g, const gjb_truth *truth, double epsilon)
{
    row->graded += g->verdict == GJB_RIGHT || g->verdict == GJB_WRONG;
    row->ungraded += g->verdict == GJB_UNGRADED;
    row->unsupported += g->verdict == GJB_NOT_SUPPORTED;
    row->wrong += g->verdict == GJB_WRONG;
    row->nan += g->fault == GJB_FAULT_NAN;
    row->capped += g->fault == GJB_FAULT_CAPPED;
    row->unwritten += g->fault == GJB_FAULT_UNWRITTEN;
    row->faults[g->fault]++;
    row->beyond_1e6 += (uint64_t)gjb_grade_beyond(g, truth, 1e-6, epsilon);
    row->beyond_1e3 += (uint64_t)gjb_grade_beyond(g, truth, 1e-3, epsilon);
    row->worst_error_eps = larger(row->worst_error_eps, g->error_eps);
    row->worst_value_eps = larger(row->worst_value_eps, g->value_eps);
    row->worst_normal_eps = larger(row->worst_normal_eps, g->normal_eps);
    row->worst_witness_eps = larger(row->worst_witness_eps, g->witness_eps);
    if (g->has_coverage) {
        row->covered++;
        row->coverage += (uint64_t)llround(GJB_COVERAGE_ONE * g->coverage);
    }
    if (g->has_value)
        count_error(row->histogram[0], g->value_eps);
    if (g->has_normal)
        count_error(row->histogram[1], g->normal_eps);
    if (g->has_points)
        count_error(row->histogram[2], g->witness_eps);
}

static void save_failure(gjb_chunk *c, const gjb_verify_plan *plan, size_t r, uint64_t index, const char *fault,
                         const gjb_result *result)
{
    gjb_verify_row *row = &c->tally[r];
    if (!plan->out || !(row->contender->ours || plan->save_all) || c->combo->saved[r] >= GJB_VERIFY_SAVED ||
        c->combo->saved[r]++ >= GJB_VERIFY_SAVED)
        return;
    gjb_scene *one = gjb_scene_extract(c->scene, 0, index);
    if (!one)
        return;
    const char *query = gjb_queries[row->query].name;
    snprintf(one->name, sizeof one->name, "%s", c->combo->workload);
    snprintf(one->query, sizeof one->query, "%s", query);
    one->margin = gjb_queries[row->query].has_patch ? one->margin : 0;
    one->within = gjb_queries[row->query].has_within ? one->within : 0;
    one->leaving = gjb_queries[row->query].has_leaving ? one->leaving : GJB_LEAVING_HIT;
    snprintf(one->note, sizeof one->note, "%s/%s/%s %s: %s %.17g; family %s, seed %llu, pair %llu",
             row->contender->name, row->backend, gjb_precision_name(c->combo->precision), fault,
             gjb_status_name(result->status), result->value, c->combo->family->name,
             (unsigned long long)plan->seed, (unsigned long long)(c->first + index));
    char path[4096];
    snprintf(path, sizeof path, "%s/%ud-%s-%s-%s-%016llx.json", plan->out,
             (unsigned)c->combo->dim, c->combo->workload, c->combo->family->name, query, (unsigned long long)gjb_scene_hash(one));
    mkdir(plan->out, 0777);
    row->saved += !gjb_scene_save_json(one, path, &c->save_error);
    gjb_scene_free(one);
}

/* The first that learns of it names and saves the pair. */
static void note_slow(gjb_chunk *c, const gjb_verify_plan *plan, size_t r, uint64_t index, const gjb_result *result)
{
    c->tally[r].too_slow++;
    if (c->slow_known == index + 1)
        return;
    c->slow_known = index + 1;
    c->tally[r].pairs_too_slow++;
    if (!c->too_slow[0])
        gjb_verify_pair_name(c, index, c->too_slow);
    save_failure(c, plan, r, index, "too slow to judge", result);
}

/* The row of an earlier backend of the same contender whose records, straight or both, have the same bytes, or r. */
static size_t same_record(const gjb_chunk *c, size_t r, uint64_t index, size_t size, int both)
{
    const char *record = (const char *)c->straight[r] + index * size, *other = (const char *)c->swapped[r] + index * size;
    for (size_t earlier = r; earlier >= GJB_QUERIES;) {
        earlier -= GJB_QUERIES;
        if (c->tally[earlier].contender != c->tally[r].contender)
            break;
        if (c->straight[earlier] && !memcmp(record, (const char *)c->straight[earlier] + index * size, size) &&
            (!both || !memcmp(other, (const char *)c->swapped[earlier] + index * size, size)))
            return earlier;
    }
    return r;
}

enum { POSES_TRIED = 8 };

/* A contender that mistakes poses does so at every pair. After some wrong values without a sign of it, it is not looked
 * for. */
static void count_hint(gjb_chunk *c, size_t r, gjb_truth *truth, const gjb_result *result)
{
    gjb_verify_row *row = &c->tally[r];
    const uint64_t *hints = row->hints;
    const int poses = row->faults[GJB_FAULT_VALUE] <= POSES_TRIED ||
                      hints[GJB_HINT_NO_POSE] + hints[GJB_HINT_POSE_TWICE] + hints[GJB_HINT_TURNED_BACK] > 0;
    gjb_hint hint = gjb_hint_of(row->query, truth, result, &c->grades[r], &c->granted[r]);
    if (hint == GJB_HINT_NONE && poses)
        hint = gjb_pose_hint_of(row->query, truth, result, &c->grades[r], &c->granted[r]);
    row->hints[hint]++;
}

static void grade_row(gjb_chunk *c, const gjb_verify_plan *plan, gjb_truth *truth, size_t r, uint64_t index)
{
    gjb_verify_row *row = &c->tally[r];
    size_t size = gjb_result_size(row->query, c->combo->precision, c->combo->dim);
    gjb_result result = gjb_result_get(row->query, c->combo->precision, c->combo->dim, c->straight[r], index);
    gjb_result swapped = gjb_result_get(row->query, c->combo->precision, c->combo->dim, c->swapped[r], index);
    if (result.unasked)
        return;
    size_t known = same_record(c, r, index, size, 0);
    c->grades[r] = known != r ? c->grades[known] : gjb_grade_result(row->query, truth, &result, &c->granted[r]);
    count_grade(row, &c->grades[r], truth, gjb_epsilon(c->combo->precision));
    if (c->grades[r].too_slow)
        note_slow(c, plan, r, index, &result);
    if (c->grades[r].verdict == GJB_WRONG) {
        if (!row->contender->ours)
            count_hint(c, r, truth, &result);
        save_failure(c, plan, r, index, gjb_fault_name(c->grades[r].fault), &result);
    }
    known = same_record(c, r, index, size, 1);
    c->skewed[r] = known != r ? c->skewed[known]
                              : c->grades[r].verdict != GJB_NOT_SUPPORTED && index < c->exchanged[r] &&
                                    !swapped.unasked &&
                                    gjb_asymmetric(row->query, truth, &result, &swapped, &c->granted[r]);
    if (c->skewed[r]) {
        row->symmetry_wrong++;
        save_failure(c, plan, r, index, "asymmetric", &swapped);
    }
}

/* Booleans last: what has a value brings proofs, and these say where the pair lies. */
static void grade_pair(gjb_chunk *c, const gjb_verify_plan *plan, gjb_truth *truth, uint64_t index)
{
    for (int with_value = 1; with_value >= 0; with_value--)
        for (size_t r = 0; r < c->rows; r++)
            if (c->straight[r] && index < c->tally[r].pairs && gjb_queries[c->tally[r].query].has_value == with_value)
                grade_row(c, plan, truth, r, index);
}

/* Truth may take a second a pair: an interrupted run waits for those that are done in a second, not for a thousand. */
static const double grade_on_seconds = 1;

static int has_waited(const gjb_verify_plan *plan, double *since)
{
    if (!plan->stop || !*plan->stop)
        return 0;
    if (!(*since > 0))
        *since = gjb_verify_now();
    return gjb_verify_now() - *since > grade_on_seconds;
}

static void leave_ungraded(gjb_chunk *c, uint64_t from)
{
    c->interrupted = 1;
    for (size_t r = 0; r < c->rows; r++)
        leave_out(c, r, from);
}

static void note_conflict(gjb_chunk *c, const gjb_verify_plan *plan, uint64_t index)
{
    char name[GJB_VERIFY_PAIR];
    c->conflicts++;
    gjb_fail(&c->conflict, "%s: certificate and oracle", gjb_verify_pair_name(c, index, name));
    for (size_t r = 0; r < c->rows; r++)
        if (c->straight[r] && c->tally[r].contender->ours) {
            const gjb_result result =
                gjb_result_get(c->tally[r].query, c->combo->precision, c->combo->dim, c->straight[r], index);
            save_failure(c, plan, r, index, "truths contradict each other", &result);
            break;
        }
}

static int grade_all(gjb_chunk *c, const gjb_verify_plan *plan, gjb_error *error)
{
    gjb_pair_space space = {0};
    gjb_truth truth = {.epsilon = gjb_epsilon(c->combo->precision)}, slow = truth;
    double stopped = 0;
    int failed = 0;
    slow.slowly = 1;
    for (uint64_t i = 0; i < c->pairs && !failed; i++) {
        gjb_pair pair;
        if (has_waited(plan, &stopped)) {
            leave_ungraded(c, i);
            break;
        }
        failed = gjb_scene_pair(c->scene, 0, i, &space, &pair) || gjb_verify_open_truth(c, &truth, &pair);
        if (failed)
            break;
        grade_pair(c, plan, &truth, i);
        if (truth.effort.cut == REF_STOPPED) {
            leave_ungraded(c, i + 1);
            break;
        }
        if (plan->audit && !(stopped > 0) && (c->task->audited_from + i) % plan->audit == 0)
            failed = gjb_verify_audit(c, &truth, &slow, i);
        c->oracle_calls += (uint64_t)(truth.exact && !truth.in_halves);
        if (truth.conflict)
            note_conflict(c, plan, i);
    }
    gjb_truth_close(&truth);
    gjb_truth_close(&slow);
    gjb_pair_space_free(&space);
    return failed ? gjb_fail(error, "verify: out of memory") : 0;
}

/* The key says which pairs they are: chunks of other pairs that happen to be alike do not change places unseen. */
static int hash(gjb_chunk *c, const gjb_verify_plan *plan, const gjb_task *task)
{
    char name[GJB_VERIFY_PAIR];
    gjb_verify_pair_name(c, 0, name);
    const uint64_t left = plan->truths > task->first ? plan->truths - task->first : 0;
    return gjb_verify_hash(&c->hashes, c->scene, left, gjb_fingerprint(name, 1, strlen(name), strlen(name), plan->seed));
}

int gjb_verify_chunk_run(gjb_chunk *c, const gjb_verify_plan *plan, const gjb_combo *combo, const gjb_task *task,
                         gjb_watch *watch, gjb_error *error)
{
    const size_t rows = plan->entry_count * GJB_QUERIES;
    *c = (gjb_chunk){.combo = combo, .first = task->first, .pairs = task->pairs, .task = task, .rows = rows};
    c->straight = calloc(rows, sizeof *c->straight);
    c->swapped = calloc(rows, sizeof *c->swapped);
    c->exchanged = calloc(rows, sizeof *c->exchanged);
    c->tally = calloc(rows, sizeof *c->tally);
    c->granted = calloc(rows, sizeof *c->granted);
    c->grades = calloc(rows, sizeof *c->grades);
    c->skewed = calloc(rows, sizeof *c->skewed);
    if (!c->straight || !c->swapped || !c->exchanged || !c->tally || !c->granted || !c->grades ||
        !c->skewed)
        return gjb_fail(error, "verify: out of memory");
    c->scene = gjb_verify_make_scene(plan, combo, task->first, task->pairs, error);
    if (!c->scene)
        return -1;
    if (plan->truths && hash(c, plan, task))
        return gjb_fail(error, "verify: out of memory");
    if (gjb_verify_add_swapped_frame(c->scene))
        return gjb_fail(error, "verify: out of memory");
    for (size_t r = 0; r < rows; r++) {
        const gjb_verify_entry *entry = &plan->entries[r / GJB_QUERIES];
        c->tally[r].contender = entry->contender;
        c->tally[r].backend = entry->backend ? entry->backend : "-";
        c->tally[r].query = (gjb_query)(r % GJB_QUERIES);
        c->granted[r] = gjb_tolerance_for(c->tally[r].contender, c->tally[r].query, combo->precision, combo->dim);
    }
    enum { ORDERS = 2, SEARCHES = 2 }; /* of a pair: straight and exchanged; its distance, its signed distance */
    ref_remember(c->pairs * ORDERS * SEARCHES);
    const int failed = answer_all(c, plan, watch, error);
    ref_forget();
    if (failed)
        return -1;
    if (c->interrupted)
        keep_alike(c);
    return !plan->answers_only && (gjb_metrics_measure(c, plan, watch, error) || grade_all(c, plan, error)) ? -1 : 0;
}

void gjb_verify_chunk_free(gjb_chunk *c)
{
    for (size_t r = 0; r < c->rows; r++) {
        if (c->straight)
            free(c->straight[r]);
        if (c->swapped)
            free(c->swapped[r]);
    }
    free(c->straight);
    free(c->swapped);
    free(c->exchanged);
    free(c->tally);
    free(c->granted);
    free(c->grades);
    free(c->skewed);
    for (size_t i = 0; i < c->mishap_count; i++)
        free(c->mishaps[i].file);
    free(c->mishaps);
    gjb_scene_free(c->scene);
}
