/* Runs a verification: worker threads over chunks, a watchdog for hangs, time limit and interruption. */
#include "verify/verify_private.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "contenders/isolation/fork_server.h"
#include "core/patience.h"

/* Seconds that ours may be blocked: it has nothing to wait for but memory. */
static const double blocked_most = 30;

struct worker;

typedef struct state {
    const gjb_verify_plan *plan;
    gjb_verify_report *report;
    gjb_combos combos;
    double begin;
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

/* Of pairs that were left out, as many count as done as some contender was asked about. */
static uint64_t most_asked(const gjb_chunk *c)
{
    uint64_t most = 0;
    for (size_t r = 0; r < c->rows; r++)
        most = c->tally[r].pairs > most ? c->tally[r].pairs : most;
    return most;
}

static int run_task(state *all, const gjb_task *t, gjb_watch *watch, gjb_error *error)
{
    gjb_combo *combo = &all->combos.list[t->combo];
    gjb_chunk c;
    pthread_mutex_lock(&all->lock);
    gjb_verify_name_rows(combo, all->plan, 0);
    pthread_mutex_unlock(&all->lock);
    watch->combo = t->combo;
    int failed = gjb_verify_chunk_run(&c, all->plan, combo, t, watch, error);
    if (!failed) {
        pthread_mutex_lock(&all->lock);
        for (size_t r = 0; r < c.rows; r++)
            if (gjb_verify_supports(combo, c.tally[r].contender, c.tally[r].query))
                gjb_verify_merge(&combo->rows[r], &c.tally[r]);
        failed = gjb_verify_keep_mishaps(all->report, &c) ? gjb_fail(error, "verify: out of memory") : 0;
        all->report->oracle_calls += c.oracle_calls;
        all->report->audits += c.audits;
        all->report->hashes.inputs += c.hashes.inputs;
        all->report->hashes.truths += c.hashes.truths;
        all->report->hashes.truth_count += c.hashes.truth_count;
        all->report->conflicts += c.conflicts;
        gjb_fail(&all->report->conflict_first, "%s", c.conflict.text);
        if (!all->report->too_slow_first[0])
            memcpy(all->report->too_slow_first, c.too_slow, sizeof c.too_slow);
        if (!all->report->save_error.text[0])
            all->report->save_error = c.save_error;
        pthread_mutex_unlock(&all->lock);
        all->pairs_done += c.interrupted ? most_asked(&c) : t->pairs;
    }
    gjb_verify_chunk_free(&c);
    return failed;
}

/* No more chunks are begun then; those begun are finished, so that what is done is always the first so many. */
static int is_over(const state *all)
{
    const gjb_verify_plan *plan = all->plan;
    return all->stop || (plan->stop && *plan->stop) ||
           (plan->sample.seconds > 0 && all->next > 0 && gjb_verify_now() - all->begin >= plan->sample.seconds);
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
    w->watch.stop = all->plan->stop;
    while (!is_over(all)) {
        size_t i = all->next++;
        if (i >= all->combos.task_count)
            break;
        gjb_error error = {{0}};
        if (run_task(all, &all->combos.tasks[i], &w->watch, &error)) {
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
                pthread_mutex_lock(&all->lock); /* and keep it: the rows may not change any more */
                all->stop = 1;
                gjb_verify_row *row = &all->combos.list[w->watch.combo].rows[w->watch.row];
                row->hung++;
                row->pairs++;
                return 1;
            }
        }
    }
}

static void free_state(state *all)
{
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

/* What the clock left is what the sample was: the same chunks again need no clock. */
static void note_sample(state *all)
{
    if (!gjb_verify_samples(all->plan))
        return;
    const size_t begun = all->next < all->combos.task_count ? all->next : all->combos.task_count;
    all->report->pairs_planned = gjb_verify_task_pairs(&all->combos, begun);
    gjb_verify_plan_note(all->report->plan, begun, all->combos.task_count);
}

static gjb_verify_report *run(const gjb_verify_plan *plan, gjb_error *error)
{
    uint32_t threads = plan->threads ? plan->threads : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN), started = 0;
    gjb_verify_report *report = calloc(1, sizeof *report);
    state *all = calloc(1, sizeof *all);
    if (all) {
        all->plan = plan;
        all->report = report;
        all->begin = gjb_verify_now();
        all->workers = calloc(threads, sizeof *all->workers);
    }
    if (!report || !all || !all->workers) {
        gjb_fail(error, "verify: out of memory");
    } else {
        pthread_mutex_init(&all->lock, NULL);
        pthread_cond_init(&all->done, NULL);
        report->plan = gjb_verify_plan_json(plan);
        if (!report->plan || gjb_verify_combos_make(&all->combos, plan, report, error) ||
            gjb_verify_tasks_make(&all->combos, plan))
            gjb_fail(error, "verify: out of memory");
        else {
            report->pairs_planned = gjb_verify_task_pairs(&all->combos, SIZE_MAX);
            started = start_workers(all, threads, error);
        }
    }
    if (!started) {
        gjb_verify_free(report);
        if (all)
            free_state(all);
        return NULL;
    }
    int hung = supervise(all, started);
    report->pairs_done = all->pairs_done;
    note_sample(all);
    report->interrupted = hung || report->pairs_done < report->pairs_planned;
    report->threads = started;
    report->seed = plan->seed;
    report->answers_only = plan->answers_only;
    report->seconds = gjb_verify_now() - all->begin;
    gjb_verify_keep_named(report, &all->combos, plan);
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
