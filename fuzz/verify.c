#include "fuzz/verify.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "contenders/harness.h"
#include "core/hash.h"

/* One dimension x workload x family x precision: rows beside each other, one per entry and query. */
typedef struct combo {
    uint32_t dim;
    const char *workload;
    const gjb_family *family;
    gjb_precision precision;
    uint64_t first, pairs; /* of this shard */
    uint64_t others;       /* contenders that are not ours meet chunks that begin before it */
    gjb_verify_row *rows;  /* [entry][query] */
} combo;

typedef struct task {
    size_t combo;
    uint64_t first, pairs;
} task;

/* What a worker is doing, for the watchdog. */
typedef struct watch {
    _Atomic double since; /* 0: nothing that can hang */
    _Atomic size_t combo, row;
} watch;

struct worker;

typedef struct state {
    const gjb_verify_plan *plan;
    gjb_verify_report *report;
    combo *combos;
    size_t combo_count;
    task *tasks;
    size_t task_count;
    _Atomic size_t next, finished_workers;
    _Atomic uint64_t pairs_done;
    _Atomic int stop;
    pthread_mutex_t lock;
    pthread_cond_t done;
    gjb_error error;
    watch *watches;
    struct worker *workers;
} state;

typedef struct worker {
    struct state *all;
    watch *watch;
    pthread_t thread;
} worker;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Everything of one chunk; made for the task, freed after it. */
typedef struct chunk {
    const combo *combo;
    gjb_scene *scene; /* frame 0 as generated, frame 1 with the bodies of each pair exchanged */
    uint64_t first, pairs;
    size_t rows;
    void **straight, **swapped; /* [row] result records, NULL where not run */
    gjb_verify_row *tally;      /* [row] */
    gjb_tolerance *granted;     /* [row] */
    gjb_grade *grades;          /* [row], of the pair at hand */
    uint64_t oracle_calls, audits, conflicts;
    gjb_error save_error;
} chunk;

static int add_swapped_frame(gjb_scene *scene)
{
    uint64_t pairs = scene->frames[0].pair_count;
    uint32_t frame = gjb_scene_add_frame(scene, pairs);
    if (frame == UINT32_MAX)
        return -1;
    size_t pose = gjb_pose_size((gjb_precision)scene->shapes.precision, scene->shapes.dim);
    memcpy(scene->frames[frame].poses, scene->frames[0].poses, scene->body_count * pose);
    for (uint64_t i = 0; i < pairs; i++) {
        scene->frames[frame].pairs[2 * i] = scene->frames[0].pairs[2 * i + 1];
        scene->frames[frame].pairs[2 * i + 1] = scene->frames[0].pairs[2 * i];
    }
    return 0;
}

static int asked(const chunk *c, const gjb_verify_row *row)
{
    return row->contender->ours || c->first < c->combo->others;
}

static int supported(const combo *c, const gjb_verify_row *row)
{
    const gjb_contender *who = row->contender;
    return who->dims >> c->dim & 1 && who->precisions >> c->precision & 1 && who->queries >> row->query & 1;
}

/* One contender and query over the chunk, straight and swapped. */
static int answer(chunk *c, size_t r, gjb_session *session, watch *watch)
{
    gjb_verify_row *row = &c->tally[r];
    size_t size = gjb_result_size(row->query, c->combo->precision, c->combo->dim);
    c->straight[r] = calloc(c->pairs, size);
    c->swapped[r] = calloc(c->pairs, size);
    if (!c->straight[r] || !c->swapped[r])
        return -1;
    watch->row = r;
    watch->since = now();
    gjb_session_run(session, row->query, 0, 0, c->pairs, 0, 1, c->straight[r], &row->stats);
    gjb_run_stats exchanged;
    gjb_session_run(session, row->query, 1, 0, c->pairs, 0, 1, c->swapped[r], &exchanged);
    row->crashed = row->stats.crashed + exchanged.crashed;
    row->hung = row->stats.hung + exchanged.hung;
    row->unasked = row->stats.unasked + exchanged.unasked;
    watch->since = 0;
    /* Keyed by place, then summed: the same whatever order chunks finish in. */
    uint64_t key = gjb_fingerprint(&c->first, 1, sizeof c->first, sizeof c->first, 0);
    row->fingerprint = gjb_fingerprint(c->straight[r], c->pairs, size, size, key);
    row->pairs = c->pairs;
    return 0;
}

static int answer_all(chunk *c, const gjb_verify_plan *plan, watch *watch, gjb_error *error)
{
    for (size_t e = 0; e < plan->entry_count; e++) {
        gjb_session *session = NULL;
        for (int q = 0; q < GJB_QUERIES; q++) {
            size_t r = e * GJB_QUERIES + (size_t)q;
            if (!(plan->queries >> q & 1) || !supported(c->combo, &c->tally[r]) || !asked(c, &c->tally[r]))
                continue;
            if (!session)
                session = gjb_session_open(plan->entries[e].contender, plan->entries[e].backend, c->scene, 1,
                                           error);
            if (!session)
                return -1;
            if (answer(c, r, session, watch)) {
                gjb_session_close(session);
                return gjb_fail(error, "verify: out of memory");
            }
        }
        gjb_session_close(session);
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

static void count_grade(gjb_verify_row *row, const gjb_grade *g, double epsilon)
{
    row->graded += g->verdict == GJB_RIGHT || g->verdict == GJB_WRONG;
    row->ungraded += g->verdict == GJB_UNGRADED;
    row->unsupported += g->verdict == GJB_NOT_SUPPORTED;
    row->wrong += g->verdict == GJB_WRONG;
    row->nan += g->fault == GJB_FAULT_NAN;
    row->capped += g->fault == GJB_FAULT_CAPPED;
    row->unwritten += g->fault == GJB_FAULT_UNWRITTEN;
    row->faults[g->fault]++;
    int boolean = g->fault == GJB_FAULT_BOOLEAN;
    row->beyond_1e6 += boolean || g->value_eps * epsilon > 1e-6;
    row->beyond_1e3 += boolean || g->value_eps * epsilon > 1e-3;
    row->worst_error_eps = larger(row->worst_error_eps, g->error_eps);
    row->worst_value_eps = larger(row->worst_value_eps, g->value_eps);
    row->worst_normal_eps = larger(row->worst_normal_eps, g->normal_eps);
    row->worst_witness_eps = larger(row->worst_witness_eps, g->witness_eps);
    if (g->has_value)
        count_error(row->histogram[0], g->value_eps);
    if (g->has_vectors) {
        count_error(row->histogram[1], g->normal_eps);
        count_error(row->histogram[2], g->witness_eps);
    }
}

static int answered(gjb_status status)
{
    return status == GJB_SEPARATED || status == GJB_OVERLAPPING;
}

/* The answer must not depend on who is called A, but for rounding. */
static int asymmetric(gjb_query query, gjb_truth *truth, const gjb_result *r, const gjb_result *s,
                      const gjb_tolerance *granted)
{
    double tolerance = gjb_tolerance_of(granted, truth->size);
    if (r->status != s->status) {
        if (!answered(r->status) || !answered(s->status))
            return 1;
        int in_band = truth->lo >= -tolerance && truth->hi <= tolerance;
        if (!in_band && truth->lo <= tolerance && truth->hi >= -tolerance)
            gjb_truth_exact(truth);
        if (truth->lo > tolerance || truth->hi < -tolerance)
            return 1;
    }
    if (!gjb_queries[query].has_value)
        return 0;
    return !(fabs(r->value - s->value) <= 2 * tolerance);
}

static void save_failure(chunk *c, const gjb_verify_plan *plan, gjb_verify_row *row, uint64_t index,
                         const char *fault, const gjb_result *result)
{
    if (!plan->out || row->saved >= GJB_VERIFY_SAVED || !(row->contender->ours || plan->save_all))
        return;
    gjb_scene *one = gjb_scene_extract(c->scene, 0, index);
    if (!one)
        return;
    const char *query = gjb_queries[row->query].name;
    snprintf(one->name, sizeof one->name, "%s", c->combo->workload);
    snprintf(one->query, sizeof one->query, "%s", query);
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

/* The grade of an earlier backend of the same contender whose record has the same bytes, or NULL. */
static const gjb_grade *same_record(const chunk *c, size_t r, uint64_t index, size_t size)
{
    const char *record = (const char *)c->straight[r] + index * size;
    for (size_t earlier = r; earlier >= GJB_QUERIES;) {
        earlier -= GJB_QUERIES;
        if (c->tally[earlier].contender != c->tally[r].contender)
            return NULL;
        if (c->straight[earlier] && !memcmp(record, (const char *)c->straight[earlier] + index * size, size))
            return &c->grades[earlier];
    }
    return NULL;
}

static void grade_pair(chunk *c, const gjb_verify_plan *plan, gjb_truth *truth, uint64_t index)
{
    double epsilon = gjb_epsilon(c->combo->precision);
    for (size_t r = 0; r < c->rows; r++) {
        gjb_verify_row *row = &c->tally[r];
        if (!c->straight[r])
            continue;
        size_t size = gjb_result_size(row->query, c->combo->precision, c->combo->dim);
        gjb_result result = gjb_result_get(row->query, c->combo->precision, c->combo->dim, c->straight[r], index);
        gjb_result swapped = gjb_result_get(row->query, c->combo->precision, c->combo->dim, c->swapped[r], index);
        const gjb_grade *known = same_record(c, r, index, size);
        c->grades[r] = known ? *known : gjb_grade_result(row->query, truth, &result, &c->granted[r]);
        count_grade(row, &c->grades[r], epsilon);
        if (c->grades[r].verdict == GJB_WRONG)
            save_failure(c, plan, row, index, gjb_fault_name(c->grades[r].fault), &result);
        if (c->grades[r].verdict != GJB_NOT_SUPPORTED &&
            asymmetric(row->query, truth, &result, &swapped, &c->granted[r])) {
            row->symmetry_wrong++;
            save_failure(c, plan, row, index, "asymmetric", &swapped);
        }
    }
}

static int grade_all(chunk *c, const gjb_verify_plan *plan, gjb_error *error)
{
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    int failed = 0;
    for (uint64_t i = 0; i < c->pairs && !failed; i++) {
        gjb_pair pair;
        failed = gjb_scene_pair(c->scene, 0, i, &space, &pair) || gjb_truth_open(&truth, &pair);
        if (failed)
            break;
        grade_pair(c, plan, &truth, i);
        if (plan->audit && (c->first + i) % plan->audit == 0) {
            gjb_truth_exact(&truth);
            c->audits++;
        }
        c->oracle_calls += (uint64_t)truth.exact;
        if (truth.conflict) {
            c->conflicts++;
            for (size_t r = 0; r < c->rows; r++)
                if (c->straight[r] && c->tally[r].contender->ours) {
                    gjb_result result =
                        gjb_result_get(c->tally[r].query, c->combo->precision, c->combo->dim, c->straight[r], i);
                    save_failure(c, plan, &c->tally[r], i, "certificate against oracle", &result);
                    break;
                }
        }
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    return failed ? gjb_fail(error, "verify: out of memory") : 0;
}

static void merge_row(gjb_verify_row *into, const gjb_verify_row *from)
{
    into->pairs += from->pairs;
    into->graded += from->graded;
    into->ungraded += from->ungraded;
    into->unsupported += from->unsupported;
    into->wrong += from->wrong;
    into->nan += from->nan;
    into->hung += from->hung;
    into->crashed += from->crashed;
    into->capped += from->capped;
    into->unwritten += from->unwritten;
    into->symmetry_wrong += from->symmetry_wrong;
    for (size_t i = 0; i < GJB_FAULTS; i++)
        into->faults[i] += from->faults[i];
    for (size_t i = 0; i < 3 * GJB_ERROR_BINS; i++)
        into->histogram[i / GJB_ERROR_BINS][i % GJB_ERROR_BINS] +=
            from->histogram[i / GJB_ERROR_BINS][i % GJB_ERROR_BINS];
    into->beyond_1e6 += from->beyond_1e6;
    into->beyond_1e3 += from->beyond_1e3;
    into->saved += from->saved;
    into->fingerprint += from->fingerprint;
    into->worst_error_eps = larger(into->worst_error_eps, from->worst_error_eps);
    into->worst_value_eps = larger(into->worst_value_eps, from->worst_value_eps);
    into->worst_normal_eps = larger(into->worst_normal_eps, from->worst_normal_eps);
    into->worst_witness_eps = larger(into->worst_witness_eps, from->worst_witness_eps);
    into->unasked += from->unasked;
    gjb_run_stats_add(&into->stats, &from->stats);
}

static void free_chunk(chunk *c)
{
    for (size_t r = 0; r < c->rows; r++) {
        if (c->straight)
            free(c->straight[r]);
        if (c->swapped)
            free(c->swapped[r]);
    }
    free(c->straight);
    free(c->swapped);
    free(c->tally);
    free(c->granted);
    free(c->grades);
    gjb_scene_free(c->scene);
}

static int run_task(state *all, const task *t, watch *watch, gjb_error *error)
{
    const gjb_verify_plan *plan = all->plan;
    const combo *combo = &all->combos[t->combo];
    size_t rows = plan->entry_count * GJB_QUERIES;
    gjb_recipe recipe = {.dim = combo->dim,
                         .workload = combo->workload,
                         .family = combo->family->name,
                         .seed = plan->seed,
                         .precision = combo->precision,
                         .first = t->first,
                         .pairs = t->pairs};
    chunk c = {.combo = combo, .first = t->first, .pairs = t->pairs, .rows = rows};
    c.straight = calloc(rows, sizeof *c.straight);
    c.swapped = calloc(rows, sizeof *c.swapped);
    c.tally = calloc(rows, sizeof *c.tally);
    c.granted = calloc(rows, sizeof *c.granted);
    c.grades = calloc(rows, sizeof *c.grades);
    int failed = !c.straight || !c.swapped || !c.tally || !c.granted || !c.grades;
    if (failed)
        gjb_fail(error, "verify: out of memory");
    if (!failed) {
        c.scene = gjb_generate(&recipe, error);
        failed = !c.scene;
    }
    if (!failed && add_swapped_frame(c.scene))
        failed = gjb_fail(error, "verify: out of memory");
    for (size_t r = 0; r < rows && !failed; r++) {
        c.tally[r].contender = combo->rows[r].contender;
        c.tally[r].backend = combo->rows[r].backend;
        c.tally[r].query = combo->rows[r].query;
        c.granted[r] = gjb_tolerance_for(c.tally[r].contender, c.tally[r].query, combo->precision, combo->dim);
    }
    watch->combo = t->combo;
    failed = failed || answer_all(&c, plan, watch, error) || grade_all(&c, plan, error);
    if (!failed) {
        pthread_mutex_lock(&all->lock);
        for (size_t r = 0; r < rows; r++)
            merge_row(&combo->rows[r], &c.tally[r]);
        all->report->oracle_calls += c.oracle_calls;
        all->report->audits += c.audits;
        all->report->conflicts += c.conflicts;
        if (!all->report->save_error.text[0])
            all->report->save_error = c.save_error;
        pthread_mutex_unlock(&all->lock);
        all->pairs_done += t->pairs;
    }
    free_chunk(&c);
    return failed ? -1 : 0;
}

static void *work(void *argument)
{
    worker *w = argument;
    state *all = w->all;
    while (!all->stop && !(all->plan->stop && *all->plan->stop)) {
        size_t i = all->next++;
        if (i >= all->task_count)
            break;
        gjb_error error = {{0}};
        if (run_task(all, &all->tasks[i], w->watch, &error)) {
            pthread_mutex_lock(&all->lock);
            if (!all->error.text[0])
                all->error = error;
            pthread_mutex_unlock(&all->lock);
            all->stop = 1;
        }
    }
    pthread_mutex_lock(&all->lock);
    all->finished_workers++;
    pthread_cond_signal(&all->done);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* Waits for the workers; 1, with the lock held, when one of them hangs in a contender. */
static int supervise(state *all, uint32_t threads)
{
    double limit = all->plan->hang_seconds > 0 ? all->plan->hang_seconds : 120;
    for (;;) {
        struct timespec wake;
        clock_gettime(CLOCK_REALTIME, &wake);
        wake.tv_nsec += 200000000;
        wake.tv_sec += wake.tv_nsec / 1000000000;
        wake.tv_nsec %= 1000000000;
        pthread_mutex_lock(&all->lock);
        if (all->finished_workers < threads)
            pthread_cond_timedwait(&all->done, &all->lock, &wake);
        int finished = all->finished_workers >= threads;
        pthread_mutex_unlock(&all->lock);
        if (all->plan->progress)
            all->plan->progress(all->pairs_done, finished ? all->pairs_done : all->report->pairs_planned);
        if (finished)
            return 0;
        for (uint32_t i = 0; i < threads; i++) {
            double since = all->watches[i].since;
            if (since > 0 && now() - since > limit) {
                pthread_mutex_lock(&all->lock); /* and keep it: nobody may touch the rows any more */
                all->stop = 1;
                gjb_verify_row *row = &all->combos[all->watches[i].combo].rows[all->watches[i].row];
                row->hung++;
                row->pairs++;
                return 1;
            }
        }
    }
}

/* Pairs of each workload x family of a dimension: [first, last) of this shard,
 * contenders that are not ours below `others`. */
typedef struct share {
    uint64_t first, last, others;
} share;

static int in_dimension(const gjb_family *family, uint32_t dim)
{
    return family->dims >> dim & 1;
}

static share share_of(const gjb_verify_plan *plan, uint32_t dim)
{
    uint64_t workloads = 0, families = 0, shards = plan->shards ? plan->shards : 1, next = plan->shard + 1;
    for (size_t w = 0; w < plan->workload_count; w++)
        workloads += plan->workloads[w].dim == dim;
    for (size_t f = 0; f < plan->family_count; f++)
        families += in_dimension(plan->families[f], dim);
    uint64_t combos = workloads * families, each = combos ? (plan->pairs + combos - 1) / combos : 0;
    return (share){.first = each / shards * plan->shard + each % shards * plan->shard / shards,
                   .last = each / shards * next + each % shards * next / shards,
                   .others = plan->others && combos ? (plan->others + combos - 1) / combos : UINT64_MAX};
}

static void add_combo(state *all, const gjb_verify_workload *workload, const gjb_family *family,
                      gjb_precision precision)
{
    const gjb_verify_plan *plan = all->plan;
    const size_t per = plan->entry_count * GJB_QUERIES;
    const share pairs = share_of(plan, workload->dim);
    combo *c = &all->combos[all->combo_count];
    *c = (combo){.dim = workload->dim,
                 .workload = workload->name,
                 .family = family,
                 .precision = precision,
                 .first = pairs.first,
                 .pairs = pairs.last - pairs.first,
                 .others = pairs.others,
                 .rows = all->report->rows + all->combo_count * per};
    for (size_t r = 0; r < per; r++) {
        const gjb_verify_entry *entry = &plan->entries[r / GJB_QUERIES];
        c->rows[r].dim = c->dim;
        c->rows[r].workload = c->workload;
        c->rows[r].family = c->family;
        c->rows[r].precision = c->precision;
        c->rows[r].contender = entry->contender;
        c->rows[r].backend = entry->backend ? entry->backend : "-";
        c->rows[r].query = (gjb_query)(r % GJB_QUERIES);
    }
    all->combo_count++;
    all->report->pairs_planned += c->pairs;
}

/* Round-robin, so that an interrupted run has seen a little of everything. */
static int make_tasks(state *all)
{
    size_t room = 0;
    uint64_t most = 0;
    for (size_t i = 0; i < all->combo_count; i++) {
        const uint64_t pairs = all->combos[i].pairs;
        room += (size_t)((pairs + GJB_VERIFY_CHUNK - 1) / GJB_VERIFY_CHUNK);
        most = pairs > most ? pairs : most;
    }
    all->tasks = calloc(room + 1, sizeof *all->tasks);
    if (!all->tasks)
        return -1;
    for (uint64_t at = 0; at < most; at += GJB_VERIFY_CHUNK)
        for (size_t i = 0; i < all->combo_count; i++) {
            const combo *c = &all->combos[i];
            if (at < c->pairs)
                all->tasks[all->task_count++] =
                    (task){i, c->first + at, c->pairs - at < GJB_VERIFY_CHUNK ? c->pairs - at : GJB_VERIFY_CHUNK};
        }
    return 0;
}

static int make_combos(state *all, gjb_error *error)
{
    const gjb_verify_plan *plan = all->plan;
    const size_t most = plan->workload_count * plan->family_count * GJB_PRECISIONS;
    all->combos = calloc(most + 1, sizeof *all->combos);
    all->report->rows = calloc(most * plan->entry_count * GJB_QUERIES + 1, sizeof *all->report->rows);
    if (!all->combos || !all->report->rows)
        return gjb_fail(error, "verify: out of memory");
    for (int p = 0; p < GJB_PRECISIONS; p++)
        for (size_t w = 0; w < plan->workload_count && plan->precisions >> p & 1; w++)
            for (size_t f = 0; f < plan->family_count; f++)
                if (in_dimension(plan->families[f], plan->workloads[w].dim))
                    add_combo(all, &plan->workloads[w], plan->families[f], (gjb_precision)p);
    all->report->row_count = all->combo_count * plan->entry_count * GJB_QUERIES;
    return make_tasks(all) ? gjb_fail(error, "verify: out of memory") : 0;
}

/* Do both rows stand in the same line of the table? */
static int same_line(const gjb_verify_row *a, const gjb_verify_row *b)
{
    return a->dim == b->dim && a->contender == b->contender && !strcmp(a->backend, b->backend) && a->precision == b->precision &&
           a->query == b->query;
}

size_t gjb_verify_lines(const gjb_verify_report *report, gjb_verify_row **lines)
{
    size_t count = 0, capacity = 64;
    *lines = calloc(capacity, sizeof **lines);
    for (size_t i = 0; *lines && i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        size_t at = 0;
        while (at < count && !same_line(&(*lines)[at], row))
            at++;
        if (at == count) {
            if (count == capacity) {
                gjb_verify_row *more = realloc(*lines, 2 * capacity * sizeof *more);
                if (!more)
                    break;
                *lines = more;
                capacity *= 2;
            }
            (*lines)[count] = (gjb_verify_row){.dim = row->dim,
                                               .contender = row->contender,
                                               .backend = row->backend,
                                               .precision = row->precision,
                                               .query = row->query};
            count++;
        }
        uint64_t chained = gjb_fingerprint(&row->fingerprint, 1, sizeof row->fingerprint,
                                           sizeof row->fingerprint, (*lines)[at].fingerprint);
        merge_row(&(*lines)[at], row);
        (*lines)[at].fingerprint = chained;
        if (!row->family->touching) {
            (*lines)[at].pairs_apart += row->pairs;
            (*lines)[at].ungraded_apart += row->ungraded;
        }
    }
    return count;
}

/* Drops rows that nobody answered, and draws conclusions. */
static void conclude(gjb_verify_report *report)
{
    size_t kept = 0;
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].pairs)
            report->rows[kept++] = report->rows[i];
    report->row_count = kept;
    for (size_t i = 0; i < kept; i++) {
        const gjb_verify_row *row = &report->rows[i];
        for (size_t j = i; j-- > 0;) {
            const gjb_verify_row *other = &report->rows[j];
            if (other->dim != row->dim || other->contender != row->contender || other->workload != row->workload ||
                other->family != row->family || other->precision != row->precision)
                break;
            if (other->query == row->query) {
                report->differing_rows += other->fingerprint != row->fingerprint;
                break;
            }
        }
        if (row->contender->ours)
            report->wrong_ours += row->wrong + row->symmetry_wrong + row->hung + row->crashed;
    }
    gjb_verify_row *lines;
    size_t count = gjb_verify_lines(report, &lines);
    for (size_t i = 0; i < count; i++)
        report->ungraded_lines += lines[i].contender->ours &&
                                  100 * lines[i].ungraded_apart >= lines[i].pairs_apart &&
                                  lines[i].ungraded_apart;
    free(lines);
}

static void free_state(state *all)
{
    free(all->tasks);
    free(all->combos);
    free(all->watches);
    free(all->workers);
    free(all);
}

/* The number of workers started, 0 with `error`. */
static uint32_t start_workers(state *all, uint32_t threads, gjb_error *error)
{
    uint32_t started = 0;
    /* Signals stay with the caller's thread. */
    sigset_t every, saved;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &saved);
    for (; started < threads; started++) {
        all->workers[started] = (worker){.all = all, .watch = &all->watches[started]};
        if (pthread_create(&all->workers[started].thread, NULL, work, &all->workers[started]))
            break;
    }
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (!started)
        gjb_fail(error, "verify: cannot start a thread");
    return started;
}

gjb_verify_report *gjb_verify_run(const gjb_verify_plan *plan, gjb_error *error)
{
    double begin = now();
    uint32_t threads = plan->threads ? plan->threads : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN), started = 0;
    gjb_verify_report *report = calloc(1, sizeof *report);
    state *all = calloc(1, sizeof *all);
    if (all) {
        all->plan = plan;
        all->report = report;
        all->watches = calloc(threads, sizeof *all->watches);
        all->workers = calloc(threads, sizeof *all->workers);
    }
    if (!report || !all || !all->watches || !all->workers) {
        gjb_fail(error, "verify: out of memory");
    } else {
        pthread_mutex_init(&all->lock, NULL);
        pthread_cond_init(&all->done, NULL);
        if (!make_combos(all, error))
            started = start_workers(all, threads, error);
    }
    if (!started) {
        gjb_verify_free(report);
        if (all)
            free_state(all);
        return NULL;
    }
    int hung = supervise(all, started);
    report->pairs_done = all->pairs_done;
    report->interrupted = hung || report->pairs_done < report->pairs_planned;
    report->threads = started;
    report->seed = plan->seed;
    report->seconds = now() - begin;
    conclude(report);
    if (hung) /* a thread of ours is lost in a contender: what it uses stays */
        return report;
    for (uint32_t i = 0; i < started; i++)
        pthread_join(all->workers[i].thread, NULL);
    if (all->error.text[0]) {
        gjb_fail(error, "%s", all->error.text);
        gjb_verify_free(report);
        report = NULL;
    }
    free_state(all);
    return report;
}

void gjb_verify_free(gjb_verify_report *report)
{
    if (report)
        free(report->rows);
    free(report);
}

int gjb_verify_exit(const gjb_verify_report *report)
{
    if (report->conflicts)
        return GJB_EXIT_HARNESS;
    return report->wrong_ours || report->ungraded_lines || report->differing_rows ? GJB_EXIT_WRONG
                                                                                  : GJB_EXIT_OK;
}
