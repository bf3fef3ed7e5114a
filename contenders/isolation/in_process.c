/* A session in this process: threads over ranges of pairs, warm starts, and timed calls. */
#include "contenders/isolation/in_process.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contenders/isolation/float_state.h"
#include "contenders/program/program.h"
#include "contenders/question.h"
#include "contenders/warm_axes.h"
#include "core/query.h"

/* What all threads of a run share; written only while the workers wait. */
typedef struct job {
    gjb_span span; /* its call size settled */
    int poison, want_stats;
    char *results;
    size_t size; /* of a record */
} job;

/* Two cache lines apart at least, so that counting costs no sharing. */
typedef struct worker {
    _Alignas(128) gjb_in_process *local;
    uint32_t index;
    pthread_t thread;
    void *memory, *workspace; /* as allocated; 64-aligned within */
    void *axes; /* of a call, if they start warm */
    gjb_run_stats stats;
    uint64_t unwritten, float_changes;
} worker;

struct gjb_in_process {
    const gjb_contender *contender;
    const gjb_scene *scene;
    const char *backend;
    uint32_t unasked; /* bits of queries: gjb_takes_question */
    void *prepared;
    double prepare_seconds;
    uint64_t float_changes; /* of prepare */
    uint32_t threads;       /* that have a workspace */
    uint32_t started;       /* workers whose thread runs; worker 0 is the caller */
    worker *workers;
    job job;
    gjb_warm *warm; /* NULL: all calls start cold */
    gjb_query warm_query;
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    uint64_t generation;
    uint32_t pending; /* threads that have not begun, or have not done their part */
    int quit;
};

static gjb_precision precision_of(const gjb_in_process *local)
{
    return (gjb_precision)local->scene->shapes.precision;
}

static size_t record_size(const gjb_in_process *local, gjb_query query)
{
    return gjb_result_size(query, precision_of(local), local->scene->shapes.dim);
}

/* gjb_batch.margin, by query. A distance without a limit is an answer to the limited question, too. */
static double margin_of(const gjb_in_process *local, gjb_query query)
{
    if (gjb_queries[query].has_patch)
        return local->scene->margin;
    return gjb_within_of(local->contender) >> query & 1 ? local->scene->within : 0;
}

/* A batch without pairs yet. */
static gjb_batch batch_of(const worker *w, gjb_query query, uint32_t frame, gjb_run_stats *stats)
{
    const gjb_scene *scene = w->local->scene;
    return (gjb_batch){.query = query,
                       .poses = scene->frames[frame].poses,
                       .pose_stride = gjb_pose_size(precision_of(w->local), scene->shapes.dim),
                       .body_shape = scene->body_shape,
                       .result_stride = record_size(w->local, query),
                       .workspace = w->workspace,
                       .stats = stats,
                       .motions = scene->frames[frame].motions,
                       .motion_stride = gjb_motion_size(precision_of(w->local), scene->shapes.dim),
                       .margin = margin_of(w->local, query),
                       .leaving = gjb_queries[query].has_leaving ? scene->leaving : GJB_LEAVING_HIT};
}

static void answer_unsupported(const gjb_batch *batch, size_t size)
{
    const gjb_head head = {GJB_UNSUPPORTED, 0};
    for (size_t i = 0; i < batch->pair_count; i++) {
        char *record = (char *)batch->results + i * batch->result_stride;
        memset(record, 0, size);
        memcpy(record, &head, sizeof head);
    }
}

/* Another question than it takes is none: its answer would be held against the wrong truth. */
static inline void ask(const gjb_in_process *local, const gjb_batch *batch)
{
    if (local->unasked >> batch->query & 1)
        answer_unsupported(batch, batch->result_stride);
    else
        local->contender->run(local->prepared, batch);
}

/* Axes of the pairs from `first` on that the batch is about. */
static inline void warm_up(const worker *w, gjb_batch *batch, uint32_t frame, uint64_t first)
{
    const gjb_in_process *local = w->local;
    if (local->warm == NULL || batch->query != local->warm_query)
        return;
    batch->axes = w->axes;
    batch->axis_stride = gjb_warm_axis(local->warm);
    gjb_warm_gather(local->warm, frame, first, batch->pair_count, w->axes);
}

/* The calls of one thread: a contiguous range, so that each thread touches its
 * own part of results and pairs. */
static void work(worker *w, const job *j, gjb_run_stats *stats)
{
    gjb_in_process *local = w->local;
    const gjb_span *span = &j->span;
    const uint64_t calls = span->count / span->call + (span->count % span->call != 0);
    const uint64_t begin = calls / local->threads * w->index +
                           calls % local->threads * w->index / local->threads;
    const uint64_t next = w->index + 1;
    const uint64_t end =
        calls / local->threads * next + calls % local->threads * next / local->threads;
    const uint64_t from = begin * span->call, to = end * span->call < span->count ? end * span->call : span->count;

    w->unwritten = 0;
    if (from >= to)
        return;
    if (j->poison)
        memset(j->results + from * j->size, GJB_POISON, (to - from) * j->size);
    gjb_batch batch = batch_of(w, span->query, span->frame, stats);
    batch.pairs = local->scene->frames[span->frame].pairs + 2 * (span->first + from);
    batch.results = j->results + from * j->size;
    for (uint64_t at = from; at < to; at += span->call) {
        batch.pair_count = (size_t)(to - at < span->call ? to - at : span->call);
        const gjb_float_state saved = gjb_float_enter();
        warm_up(w, &batch, span->frame, span->first + at);
        ask(local, &batch);
        w->float_changes += (uint64_t)gjb_float_leave(saved);
        batch.pairs += 2 * batch.pair_count;
        batch.results = (char *)batch.results + batch.pair_count * j->size;
    }
    if (j->poison)
        w->unwritten = gjb_count_unwritten(span->query, precision_of(local), local->scene->shapes.dim,
                                           j->results + from * j->size, to - from);
}

static void *serve(void *argument)
{
    worker *w = argument;
    gjb_in_process *local = w->local;
    uint64_t seen = 0;
    pthread_mutex_lock(&local->lock);
    if (--local->pending == 0)
        pthread_cond_signal(&local->done);
    for (;;) {
        while (!local->quit && local->generation == seen)
            pthread_cond_wait(&local->start, &local->lock);
        if (local->quit)
            break;
        seen = local->generation;
        pthread_mutex_unlock(&local->lock);
        if (local->job.want_stats)
            memset(&w->stats, 0, sizeof w->stats);
        work(w, &local->job, local->job.want_stats ? &w->stats : NULL);
        pthread_mutex_lock(&local->lock);
        if (--local->pending == 0)
            pthread_cond_signal(&local->done);
    }
    pthread_mutex_unlock(&local->lock);
    return NULL;
}

static uint64_t clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int prepare(gjb_in_process *local, gjb_error *error)
{
    const gjb_float_state saved = gjb_float_enter();
    const uint64_t before = clock_ns(CLOCK_MONOTONIC);
    local->prepared = local->contender->prepare(&local->scene->shapes, local->backend);
    const double seconds = 1e-9 * (double)(clock_ns(CLOCK_MONOTONIC) - before);
    local->prepare_seconds = gjb_program_prepare_seconds(local->contender, local->prepared, seconds);
    local->float_changes = (uint64_t)gjb_float_leave(saved);
    if (local->prepared == NULL)
        return gjb_fail(error, "%s: out of memory preparing %u shapes", local->contender->name,
                        (unsigned)local->scene->shapes.count);
    return 0;
}

static void wait_for_workers(gjb_in_process *local)
{
    pthread_mutex_lock(&local->lock);
    while (local->pending != 0)
        pthread_cond_wait(&local->done, &local->lock);
    pthread_mutex_unlock(&local->lock);
}

static int make_workers(gjb_in_process *local, uint32_t threads, gjb_error *error)
{
    const size_t bytes = local->contender->workspace_size(local->prepared);
    if (bytes > PTRDIFF_MAX - 127)
        return gjb_fail(error, "%s: out of memory for a workspace of %zu bytes", local->contender->name, bytes);
    const size_t rounded = bytes < 64 ? 64 : (bytes + 63) / 64 * 64;
    local->workers = aligned_alloc(_Alignof(worker), threads * sizeof(worker));
    if (local->workers == NULL)
        return gjb_fail(error, "%s: out of memory for %u threads", local->contender->name, threads);
    memset(local->workers, 0, threads * sizeof(worker));
    for (uint32_t i = 0; i < threads; i++) {
        worker *w = &local->workers[i];
        w->local = local;
        w->index = i;
        /* as zeros come from the system: a room for the worst case is not touched before it is used */
        w->memory = calloc(1, rounded + 63);
        if (w->memory == NULL)
            return gjb_fail(error, "%s: out of memory for a workspace of %zu bytes", local->contender->name,
                            rounded);
        w->workspace = (char *)w->memory + (64 - (uintptr_t)w->memory % 64) % 64;
        local->threads = i + 1;
    }
    /* Signals stay with the caller's thread, which knows what to do on Ctrl-C; but for those that a thread
     * raises itself, which tell of its end only if they are not blocked. */
    sigset_t all, saved;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    local->started = 1;
    local->pending = threads - 1;
    for (uint32_t i = 1; i < threads; i++) {
        if (pthread_create(&local->workers[i].thread, NULL, serve, &local->workers[i]) != 0)
            break;
        local->started = i + 1;
    }
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (local->started < threads)
        return gjb_fail(error, "%s: could start only %u of %u threads", local->contender->name,
                        local->started, threads);
    /* A child that is forked while a thread begins finds the locks held that the thread had: the sanitizers' allocator
     * has one that no fork releases. */
    wait_for_workers(local);
    return 0;
}

gjb_in_process *gjb_in_process_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                                    uint32_t threads, gjb_error *error)
{
    gjb_in_process *local = calloc(1, sizeof *local);
    if (local == NULL) {
        gjb_fail(error, "%s: out of memory", contender->name);
        return NULL;
    }
    local->contender = contender;
    local->scene = scene;
    local->backend = backend;
    for (int q = 0; q < GJB_QUERIES; q++)
        local->unasked |= (uint32_t)!gjb_takes_question(contender, scene, (gjb_query)q) << q;
    pthread_mutex_init(&local->lock, NULL);
    pthread_cond_init(&local->start, NULL);
    pthread_cond_init(&local->done, NULL);
    if (prepare(local, error) != 0 || make_workers(local, threads, error) != 0) {
        gjb_in_process_close(local);
        return NULL;
    }
    return local;
}

void gjb_in_process_close(gjb_in_process *local)
{
    if (local == NULL)
        return;
    pthread_mutex_lock(&local->lock);
    local->quit = 1;
    pthread_cond_broadcast(&local->start);
    pthread_mutex_unlock(&local->lock);
    for (uint32_t i = 1; i < local->started; i++)
        pthread_join(local->workers[i].thread, NULL);
    for (uint32_t i = 0; i < local->threads; i++) {
        free(local->workers[i].memory);
        free(local->workers[i].axes);
    }
    free(local->workers);
    gjb_warm_free(local->warm);
    if (local->prepared != NULL)
        local->contender->release(local->prepared);
    pthread_cond_destroy(&local->done);
    pthread_cond_destroy(&local->start);
    pthread_mutex_destroy(&local->lock);
    free(local);
}

double gjb_in_process_prepare_seconds(const gjb_in_process *local)
{
    return local->prepare_seconds;
}

uint64_t gjb_in_process_float_changes(const gjb_in_process *local)
{
    uint64_t changes = local->float_changes;
    for (uint32_t i = 0; i < local->threads; i++)
        changes += local->workers[i].float_changes;
    return changes;
}

/* All workers at once; worker 0 is the caller. */
static uint64_t work_together(gjb_in_process *local, const job *j, gjb_run_stats *stats)
{
    pthread_mutex_lock(&local->lock);
    local->job = *j;
    local->pending = local->threads - 1;
    local->generation++;
    pthread_cond_broadcast(&local->start);
    pthread_mutex_unlock(&local->lock);
    work(&local->workers[0], &local->job, stats);
    wait_for_workers(local);

    uint64_t unwritten = 0;
    for (uint32_t i = 0; i < local->threads; i++) {
        unwritten += local->workers[i].unwritten;
        if (stats != NULL && i > 0)
            gjb_run_stats_add(stats, &local->workers[i].stats);
    }
    return unwritten;
}

uint64_t gjb_in_process_run(gjb_in_process *local, const gjb_span *span, int poison, void *results,
                            gjb_run_stats *stats)
{
    if (stats != NULL)
        memset(stats, 0, sizeof *stats);
    if (span->count == 0)
        return 0;
    job j = {*span, poison, stats != NULL, results, record_size(local, span->query)};
    if (j.span.call == 0 || j.span.call > j.span.count)
        j.span.call = j.span.count / local->threads + (j.span.count % local->threads != 0);
    if (local->threads > 1)
        return work_together(local, &j, stats);
    work(&local->workers[0], &j, stats);
    return local->workers[0].unwritten;
}

/* --- warm start ---------------------------------------------------------------- */

typedef struct asking {
    gjb_in_process *local;
    gjb_query query;
    void *results;
} asking;

static void ask_warm(void *user, uint32_t frame, void *axes)
{
    const asking *a = user;
    gjb_in_process *local = a->local;
    gjb_batch batch = batch_of(&local->workers[0], a->query, frame, NULL);
    batch.pairs = local->scene->frames[frame].pairs;
    batch.pair_count = local->scene->frames[frame].pair_count;
    batch.results = a->results;
    batch.axes = axes;
    batch.axis_stride = local->scene->shapes.dim * (precision_of(local) == GJB_F32 ? sizeof(float) : sizeof(double));
    const gjb_float_state saved = gjb_float_enter();
    ask(local, &batch);
    local->workers[0].float_changes += (uint64_t)gjb_float_leave(saved);
}

int gjb_in_process_start(gjb_in_process *local, gjb_query query, gjb_start start, gjb_error *error)
{
    uint64_t most = 1;
    for (uint32_t f = 0; f < local->scene->frame_count; f++)
        most = local->scene->frames[f].pair_count > most ? local->scene->frames[f].pair_count : most;
    gjb_warm_free(local->warm);
    local->warm = NULL;
    local->warm_query = query;
    if (start == GJB_COLD)
        return 0;
    asking a = {local, query, malloc(most * record_size(local, query))};
    gjb_warm *warm = a.results ? gjb_warm_make(local->scene, start, ask_warm, &a) : NULL;
    free(a.results);
    int failed = warm == NULL;
    for (uint32_t i = 0; i < local->threads && !failed; i++) {
        free(local->workers[i].axes);
        local->workers[i].axes = malloc(most * gjb_warm_axis(warm));
        failed = local->workers[i].axes == NULL;
    }
    if (failed) {
        gjb_warm_free(warm);
        return gjb_fail(error, "%s: out of memory for a warm start", local->contender->name);
    }
    if (gjb_warm_known(warm) == 0) {
        gjb_warm_free(warm);
        return 1;
    }
    local->warm = warm;
    return 0;
}

/* --- timing ------------------------------------------------------------------ */

/* Where the next call starts: at the beginning of a frame if one ended. */
static void next_call(const gjb_scene *scene, gjb_stretch *stretch)
{
    while (stretch->at >= scene->frames[stretch->frame].pair_count) {
        stretch->at = 0;
        stretch->frame = stretch->frame + 1 < scene->frame_count ? stretch->frame + 1 : 0;
    }
}

static void step(_Atomic uint64_t *progress)
{
    if (progress != NULL)
        atomic_fetch_add_explicit(progress, 1, memory_order_relaxed);
}

/* Straight into the contender: nothing else runs in between. */
static uint64_t calls_alone(gjb_in_process *local, gjb_stretch *stretch, uint64_t calls, void *results,
                            _Atomic uint64_t *progress)
{
    const gjb_scene *scene = local->scene;
    uint64_t pairs = 0;
    gjb_batch batch = {0};
    uint32_t frame = UINT32_MAX;
    for (uint64_t i = 0; i < calls; i++) {
        next_call(scene, stretch);
        if (frame != stretch->frame) {
            frame = stretch->frame;
            batch = batch_of(&local->workers[0], stretch->query, frame, NULL);
            batch.results = results;
        }
        const uint64_t left = scene->frames[frame].pair_count - stretch->at;
        batch.pairs = scene->frames[frame].pairs + 2 * stretch->at;
        batch.pair_count = (size_t)(left < stretch->call ? left : stretch->call);
        warm_up(&local->workers[0], &batch, frame, stretch->at);
        ask(local, &batch);
        stretch->at += batch.pair_count;
        pairs += batch.pair_count;
        step(progress);
    }
    return pairs;
}

static uint64_t calls_together(gjb_in_process *local, gjb_stretch *stretch, uint64_t calls, void *results,
                               _Atomic uint64_t *progress)
{
    uint64_t pairs = 0;
    for (uint64_t i = 0; i < calls; i++) {
        next_call(local->scene, stretch);
        const uint64_t left = local->scene->frames[stretch->frame].pair_count - stretch->at;
        const gjb_span span = {stretch->query, stretch->frame, stretch->at,
                               left < GJB_THREADED_PAIRS ? left : GJB_THREADED_PAIRS, stretch->call};
        gjb_in_process_run(local, &span, 0, results, NULL);
        stretch->at += span.count;
        pairs += span.count;
        step(progress);
    }
    return pairs;
}

/* A program's own times are in place of ours, which hold the way to it and back, too. */
static void take_own_times(const gjb_in_process *local, gjb_timing *timing)
{
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < local->threads; i++) {
        const double ns = (double)gjb_program_answers_ns(local->contender, local->workers[i].workspace);
        sum += ns;
        most = ns > most ? ns : most;
    }
    timing->pipe_ns = 0;
    if (sum == 0)
        return;
    timing->pipe_ns = timing->wall_ns > most ? timing->wall_ns - most : 0;
    timing->cpu_ns = sum;
    timing->wall_ns = most;
}

void gjb_in_process_time(gjb_in_process *local, gjb_stretch *stretch, int warm, void *results, gjb_timing *timing,
                         _Atomic uint64_t *progress)
{
    const int together = local->threads > 1;
    const clockid_t cpu = together ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID;
    uint64_t (*calls)(gjb_in_process *, gjb_stretch *, uint64_t, void *, _Atomic uint64_t *) =
        together ? calls_together : calls_alone;
    const gjb_float_state saved = gjb_float_enter();
    if (warm)
        calls(local, stretch, 1, results, progress);
    take_own_times(local, timing); /* of calls before */
    const uint64_t wall_before = clock_ns(CLOCK_MONOTONIC), cpu_before = clock_ns(cpu);
    timing->pairs = calls(local, stretch, stretch->calls, results, progress);
    timing->cpu_ns = (double)(clock_ns(cpu) - cpu_before);
    timing->wall_ns = (double)(clock_ns(CLOCK_MONOTONIC) - wall_before);
    take_own_times(local, timing);
    local->workers[0].float_changes += (uint64_t)gjb_float_leave(saved);
}

double gjb_in_process_time_prepare(gjb_in_process *local)
{
    const gjb_float_state saved = gjb_float_enter();
    const uint64_t before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    void *prepared = local->contender->prepare(&local->scene->shapes, local->backend);
    const double ns = (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - before);
    const double seconds = gjb_program_prepare_seconds(local->contender, prepared, 1e-9 * ns);
    if (prepared != NULL)
        local->contender->release(prepared);
    gjb_float_leave(saved);
    return prepared != NULL ? seconds : -1;
}
