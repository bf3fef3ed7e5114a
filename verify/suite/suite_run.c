/* Runs a suite: its plans one after another by `verify`, its cases by `replay`, all counted in cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/hash.h"
#include "verify/replay.h"
#include "verify/suite/suite_private.h"

const char gjb_suite_on_record[] = "on record";

typedef struct run {
    const gjb_suite *suite;
    const gjb_suite_settings *settings;
    gjb_suite_result *result;
    size_t room;
} run;

/* Progress over all plans: those before are done. */
static struct {
    void (*progress)(uint64_t done, uint64_t total);
    uint64_t before, all;
} course;

static void progress(uint64_t done, uint64_t total)
{
    (void)total;
    if (course.before + done < course.all)
        course.progress(course.before + done, course.all);
}

static int stopped(const run *r)
{
    return r->settings->stop && *r->settings->stop;
}

/* The more serious of two: a defect of the checkers, wrong answers, all well. */
static void note_code(run *r, int code)
{
    if (code > r->result->exit_code)
        r->result->exit_code = code;
}

static int is_cell(const gjb_suite_cell *c, size_t entry, gjb_query query, uint32_t dim, const char *kind)
{
    return c->entry == entry && c->query == query && c->dim == dim && strcmp(c->kind, kind) == 0;
}

/* The cell, made at need; NULL out of memory. */
static gjb_suite_cell *cell_of(run *r, size_t entry, gjb_query query, uint32_t dim, const char *kind)
{
    gjb_suite_result *result = r->result;
    for (size_t i = result->cell_count; i > 0; i--)
        if (is_cell(&result->cells[i - 1], entry, query, dim, kind))
            return &result->cells[i - 1];
    if (result->cell_count == r->room) {
        const size_t room = 2 * r->room + 64;
        gjb_suite_cell *more = realloc(result->cells, room * sizeof *more);
        if (!more)
            return NULL;
        result->cells = more;
        r->room = room;
    }
    gjb_suite_cell *cell = &result->cells[result->cell_count++];
    *cell = (gjb_suite_cell){.entry = entry, .query = query, .dim = dim, .kind = kind};
    return cell;
}

static size_t entry_of(const run *r, const gjb_contender *contender, const char *backend)
{
    size_t e = 0;
    for (; e < r->settings->entry_count; e++) {
        const gjb_verify_entry *entry = &r->settings->entries[e];
        if (entry->contender == contender && strcmp(entry->backend ? entry->backend : "-", backend) == 0)
            break;
    }
    return e;
}

/* ---- generated pairs ---- */

/* What it did not come back from counts as wrong, even if that was only with A and B exchanged. */
static uint64_t wrong_of(const gjb_verify_row *row)
{
    const uint64_t lost = row->crashed + row->hung;
    const uint64_t most = lost < row->pairs - row->unsupported ? lost : row->pairs - row->unsupported;
    return row->wrong > most ? row->wrong : most;
}

static int add_row(run *r, const gjb_verify_row *row, const char *kind)
{
    gjb_suite_cell *c = cell_of(r, entry_of(r, row->contender, row->backend), row->query, row->dim, kind);
    if (!c)
        return -1;
    c->answers += row->graded + row->ungraded;
    c->graded += row->graded;
    c->wrong += wrong_of(row);
    c->no_answer += row->nan + row->unwritten + row->capped;
    c->crashed += row->crashed;
    c->hung += row->hung;
    c->left_out += row->unasked;
    c->unsupported += row->unsupported;
    c->asymmetric += row->symmetry_wrong;
    c->worst = fmax(c->worst, row->worst_error_eps * gjb_epsilon(row->precision));
    return 0;
}

static gjb_verify_plan plan_of(const run *r, const gjb_suite_part *part)
{
    gjb_verify_plan plan = part->file.plan;
    plan.entries = r->settings->entries;
    plan.entry_count = r->settings->entry_count;
    plan.threads = r->settings->threads;
    plan.truths = r->suite->truths;
    plan.out = r->settings->out;
    plan.stop = r->settings->stop;
    plan.progress = course.progress ? progress : NULL;
    return plan;
}

static int run_part(run *r, const gjb_suite_part *part, gjb_error *error)
{
    static gjb_verify_plan plan; /* a thread that is lost in a contender of ours still reads it */
    plan = plan_of(r, part);
    gjb_verify_report *report = gjb_verify_run(&plan, error);
    if (!report)
        return -1;
    gjb_suite_result *result = r->result;
    int failed = 0;
    for (size_t i = 0; i < report->row_count && !failed; i++)
        failed = add_row(r, &report->rows[i], part->kind);
    result->pairs += report->pairs_done;
    course.before += report->pairs_done;
    result->hashes.inputs += report->hashes.inputs;
    result->hashes.truths += report->hashes.truths;
    result->hashes.truth_count += report->hashes.truth_count;
    result->complete &= !report->interrupted;
    if (r->settings->entry_count)
        note_code(r, gjb_verify_exit(report));
    gjb_verify_free(report);
    return failed ? gjb_fail(error, "suite: out of memory") : 0;
}

/* ---- pairs on record ---- */

typedef struct replayed {
    run *run;
    uint32_t dim;
    int failed;
} replayed;

static void count_mishap(gjb_suite_cell *c, const char *mishap)
{
    for (int m = 0; mishap && m < GJB_MILD; m++)
        if (strcmp(mishap, gjb_mishap_name((gjb_mishap)m)) == 0)
            *(m == GJB_HUNG ? &c->hung : &c->crashed) += 1;
}

static void take_case(void *context, const gjb_replay_case *one)
{
    replayed *at = context;
    run *r = at->run;
    gjb_suite_cell *c =
        cell_of(r, entry_of(r, one->contender, one->backend), one->query, at->dim, gjb_suite_on_record);
    at->failed |= !c;
    if (!c)
        return;
    const gjb_verdict verdict = one->grade.verdict;
    const gjb_fault fault = one->grade.fault;
    if (one->result.unasked) {
        c->left_out++;
        return;
    }
    c->graded += verdict == GJB_RIGHT || verdict == GJB_WRONG;
    c->answers += verdict != GJB_NOT_SUPPORTED;
    c->unsupported += verdict == GJB_NOT_SUPPORTED;
    c->wrong += verdict == GJB_WRONG;
    c->no_answer += fault == GJB_FAULT_NAN || fault == GJB_FAULT_UNWRITTEN || fault == GJB_FAULT_CAPPED;
    count_mishap(c, one->mishap);
    if (one->grade.has_value)
        c->worst = fmax(c->worst, one->grade.error_eps * one->epsilon);
    if (verdict == GJB_WRONG && one->contender->ours)
        note_code(r, GJB_EXIT_WRONG);
}

/* A contender whose backends have no names is asked under none, and answers as "-". */
static int run_case(void *context, gjb_scene *scene, const char *id, double step, int collected,
                    gjb_error *error)
{
    run *r = context;
    gjb_suite_result *result = r->result;
    const gjb_replay_plan plan = {.entries = r->settings->entries,
                                  .entry_count = r->settings->entry_count,
                                  .precisions = collected ? (1u << GJB_PRECISIONS) - 1 : 0,
                                  .step = step,
                                  .stop = r->settings->stop};
    replayed at = {r, scene->shapes.dim, 0};
    result->complete &= !stopped(r);
    if (!result->complete) /* what comes next would only be more of a part */
        return 0;
    if (gjb_verify_hash(&result->hashes, scene, 1, gjb_fingerprint(id, 1, strlen(id), strlen(id), 0)))
        return gjb_fail(error, "%s: out of memory", id);
    if (gjb_replay_scene(scene, id, &plan, take_case, &at, error))
        return -1;
    result->cases++;
    return at.failed ? gjb_fail(error, "%s: out of memory", id) : 0;
}

int gjb_suite_run(const gjb_suite *suite, const gjb_suite_settings *settings, gjb_suite_result *result,
                  gjb_error *error)
{
    *result = (gjb_suite_result){.complete = 1};
    run r = {suite, settings, result, 0};
    const double begin = gjb_verify_now();
    course.progress = settings->progress;
    course.before = 0;
    course.all = gjb_suite_pairs(suite);
    int failed = 0;
    for (size_t i = 0; i < suite->part_count && !failed && result->complete; i++)
        failed = run_part(&r, &suite->parts[i], error);
    failed = failed || gjb_suite_each_case(suite, run_case, &r, error);
    if (course.progress)
        course.progress(course.all, course.all);
    result->complete &= !stopped(&r);
    result->seconds = gjb_verify_now() - begin;
    return failed ? -1 : 0;
}

void gjb_suite_result_free(gjb_suite_result *result)
{
    free(result->cells);
    *result = (gjb_suite_result){0};
}
