#include "fuzz/verify_private.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "contenders/fork_server.h"
#include "core/patience.h"

/* Seconds that ours may be blocked: it has nothing to wait for but memory. */
static const double blocked_most = 30;

typedef struct task {
    size_t combo;
    uint64_t first, pairs;
} task;

struct worker;

typedef struct state {
    const gjb_verify_plan *plan;
    gjb_verify_report *report;
    gjb_combos combos;
    task *tasks;
    size_t task_count;
    _Atomic size_t next, finished_workers;
    _Atomic uint64_t pairs_done;
    _Atomic int stop;
    pthread_mutex_t lock;
    pthread_cond_t done;
    gjb_error error;
    struct worker *workers;
} state;

typedef struct worker {
    struct state *all;
    gjb_watch watch;
    gjb_patience patience; /* with it; the supervisor's from the first time on that ours is asked */
    pthread_t thread;
} worker;

double gjb_verify_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run_task(state *all, const task *t, gjb_watch *watch, gjb_error *error)
{
    const gjb_combo *combo = &all->combos.list[t->combo];
    gjb_chunk c;
    watch->combo = t->combo;
    int failed = gjb_verify_chunk_run(&c, all->plan, combo, t->first, t->pairs, watch, error);
    if (!failed) {
        pthread_mutex_lock(&all->lock);
        for (size_t r = 0; r < c.rows; r++)
            gjb_verify_merge(&combo->rows[r], &c.tally[r]);
        failed = gjb_verify_keep_mishaps(all->report, &c) ? gjb_fail(error, "verify: out of memory") : 0;
        all->report->oracle_calls += c.oracle_calls;
        all->report->audits += c.audits;
        all->report->conflicts += c.conflicts;
        if (!all->report->save_error.text[0])
            all->report->save_error = c.save_error;
        pthread_mutex_unlock(&all->lock);
        all->pairs_done += c.interrupted ? 0 : t->pairs;
    }
    gjb_verify_chunk_free(&c);
    return failed;
}

static void *work(void *argument)
{
    worker *w = argument;
    state *all = w->all;
    const double limit = all->plan->hang_seconds > 0 ? all->plan->hang_seconds : 120;
    w->patience = (gjb_patience){.who = gjb_awaited_this_thread(),
                                 .cpu = limit,
                                 .blocked = fmin(limit, blocked_most),
                                 .progress = &w->watch.asked};
    while (!all->stop && !(all->plan->stop && *all->plan->stop)) {
        size_t i = all->next++;
        if (i >= all->task_count)
            break;
        gjb_error error = {{0}};
        if (run_task(all, &all->tasks[i], &w->watch, &error)) {
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

/* A worker that has not begun has no patience yet; what it does between two answers, as to find the truth, may take as
 * long as it likes. */
static int hangs(worker *w)
{
    return w->watch.asked != 0 && gjb_patience_look(&w->patience) && w->patience.last_progress % 2 == 1;
}

/* Waits for the workers; 1, with the lock held, when one of them hangs in a contender. */
static int supervise(state *all, uint32_t threads)
{
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
            worker *w = &all->workers[i];
            if (hangs(w)) {
                pthread_mutex_lock(&all->lock); /* and keep it: nobody may touch the rows any more */
                all->stop = 1;
                gjb_verify_row *row = &all->combos.list[w->watch.combo].rows[w->watch.row];
                row->hung++;
                row->pairs++;
                return 1;
            }
        }
    }
}

/* Pairs of each workload x family of a dimension, and below which of them contenders that are not ours take part. */
typedef struct share {
    uint64_t each, others;
} share;

int gjb_verify_asks(const gjb_verify_plan *plan, const gjb_family *family, const gjb_verify_workload *workload)
{
    int meets = 0;
    for (int q = 0; q < GJB_QUERIES; q++)
        meets |= plan->queries >> q & 1 && gjb_query_meets((gjb_query)q, family->moving);
    return meets && gjb_family_has(family, workload->dim, workload->name);
}

static share share_of(const gjb_verify_plan *plan, uint32_t dim)
{
    uint64_t combos = 0;
    for (size_t w = 0; w < plan->workload_count; w++)
        for (size_t f = 0; f < plan->family_count && plan->workloads[w].dim == dim; f++)
            combos += (uint64_t)gjb_verify_asks(plan, plan->families[f], &plan->workloads[w]);
    uint64_t pairs = dim == 3 && plan->space_pairs ? plan->space_pairs : plan->pairs;
    return (share){.each = combos ? (pairs + combos - 1) / combos : 0,
                   .others = plan->others && combos ? (plan->others + combos - 1) / combos : UINT64_MAX};
}

/* Whole chunks are dealt, each combination's from another shard on: what is done alone is then
 * what one run does, bit for bit, and no shard has one family or kind of shape to itself. */
static int is_dealt(const gjb_verify_plan *plan, size_t combo, uint64_t first)
{
    const uint64_t shards = plan->shards ? plan->shards : 1;
    return (combo % shards + first / GJB_VERIFY_CHUNK % shards) % shards == plan->shard;
}

static uint64_t chunk_at(const gjb_combo *c, uint64_t first)
{
    return c->pairs - first < GJB_VERIFY_CHUNK ? c->pairs - first : GJB_VERIFY_CHUNK;
}

uint64_t gjb_verify_dealt(const gjb_verify_plan *plan, const gjb_combo *c, size_t combo)
{
    const uint64_t shards = plan->shards ? plan->shards : 1, chunks = (c->pairs + GJB_VERIFY_CHUNK - 1) / GJB_VERIFY_CHUNK;
    const uint64_t first = (plan->shard + shards - combo % shards) % shards; /* chunk; then every so many */
    if (first >= chunks)
        return 0;
    const uint64_t count = (chunks - 1 - first) / shards + 1, last = first + (count - 1) * shards;
    return (count - 1) * GJB_VERIFY_CHUNK + chunk_at(c, last * GJB_VERIFY_CHUNK);
}

static void add_combo(gjb_combos *all, const gjb_verify_plan *plan, gjb_verify_row *rows,
                      const gjb_verify_workload *workload, const gjb_family *family, gjb_precision precision, share pairs)
{
    const size_t per = plan->entry_count * GJB_QUERIES;
    gjb_combo *c = &all->list[all->count];
    *c = (gjb_combo){.dim = workload->dim,
                 .workload = workload->name,
                 .family = family,
                 .precision = precision,
                 .pairs = pairs.each,
                 .others = pairs.others,
                 .rows = rows + all->count * per};
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
    c->saved = all->counters + 4 * per * all->count;
    c->hung = c->saved + per;
    c->kept = c->hung + per;
    all->count++;
}

/* Round-robin, so that an interrupted run has seen a little of everything. */
static int make_tasks(state *all)
{
    size_t room = 0;
    uint64_t most = 0;
    for (size_t i = 0; i < all->combos.count; i++) {
        const uint64_t pairs = all->combos.list[i].pairs;
        room += (size_t)(gjb_verify_dealt(all->plan, &all->combos.list[i], i) / GJB_VERIFY_CHUNK + 1);
        most = pairs > most ? pairs : most;
    }
    all->tasks = calloc(room + 1, sizeof *all->tasks);
    if (!all->tasks)
        return -1;
    for (uint64_t at = 0; at < most; at += GJB_VERIFY_CHUNK)
        for (size_t i = 0; i < all->combos.count; i++) {
            const gjb_combo *c = &all->combos.list[i];
            if (at >= c->pairs || !is_dealt(all->plan, i, at))
                continue;
            all->tasks[all->task_count++] = (task){i, at, chunk_at(c, at)};
            all->report->pairs_planned += chunk_at(c, at);
        }
    return 0;
}

int gjb_verify_combos_make(gjb_combos *all, const gjb_verify_plan *plan, gjb_verify_report *report, gjb_error *error)
{
    const size_t most = plan->workload_count * plan->family_count * GJB_PRECISIONS;
    all->list = calloc(most + 1, sizeof *all->list);
    report->rows = calloc(most * plan->entry_count * GJB_QUERIES + 1, sizeof *report->rows);
    const size_t counters = 4 * most * plan->entry_count * GJB_QUERIES;
    all->counters = calloc(counters + plan->entry_count * GJB_MISHAPS + 1, sizeof *all->counters);
    if (!all->list || !report->rows || !all->counters)
        return gjb_fail(error, "verify: out of memory");
    const share shares[4] = {[2] = share_of(plan, 2), [3] = share_of(plan, 3)};
    for (int p = 0; p < GJB_PRECISIONS; p++)
        for (size_t w = 0; w < plan->workload_count && plan->precisions >> p & 1; w++)
            for (size_t f = 0; f < plan->family_count; f++)
                if (gjb_verify_asks(plan, plan->families[f], &plan->workloads[w]))
                    add_combo(all, plan, report->rows, &plan->workloads[w], plan->families[f], (gjb_precision)p,
                              shares[plan->workloads[w].dim]);
    for (size_t i = 0; i < all->count; i++)
        all->list[i].entry_kept = all->counters + counters;
    report->row_count = all->count * plan->entry_count * GJB_QUERIES;
    return 0;
}

void gjb_verify_combos_free(gjb_combos *all)
{
    free(all->list);
    free(all->counters);
}

static void free_state(state *all)
{
    free(all->tasks);
    gjb_verify_combos_free(&all->combos);
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
        all->workers[started].all = all;
        if (pthread_create(&all->workers[started].thread, NULL, work, &all->workers[started]))
            break;
    }
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (!started)
        gjb_fail(error, "verify: cannot start a thread");
    return started;
}

static gjb_verify_report *run(const gjb_verify_plan *plan, gjb_error *error)
{
    double begin = gjb_verify_now();
    uint32_t threads = plan->threads ? plan->threads : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN), started = 0;
    gjb_verify_report *report = calloc(1, sizeof *report);
    state *all = calloc(1, sizeof *all);
    if (all) {
        all->plan = plan;
        all->report = report;
        all->workers = calloc(threads, sizeof *all->workers);
    }
    if (!report || !all || !all->workers) {
        gjb_fail(error, "verify: out of memory");
    } else {
        pthread_mutex_init(&all->lock, NULL);
        pthread_cond_init(&all->done, NULL);
        report->plan = gjb_verify_plan_json(plan);
        if (!report->plan || gjb_verify_combos_make(&all->combos, plan, report, error) || make_tasks(all))
            gjb_fail(error, "verify: out of memory");
        else
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
    report->answers_only = plan->answers_only;
    report->seconds = gjb_verify_now() - begin;
    gjb_verify_conclude(report);
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

gjb_verify_report *gjb_verify_run(const gjb_verify_plan *plan, gjb_error *error)
{
    gjb_fork_server_begin();
    gjb_verify_report *report = run(plan, error);
    gjb_fork_server_end();
    return report;
}
