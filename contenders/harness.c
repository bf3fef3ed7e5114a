#include "contenders/harness.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contenders/float_state.h"

/* What all threads of a run share; written only while the workers wait. */
typedef struct job {
    gjb_query query;
    const gjb_frame *frame;
    uint64_t first, count, call;
    int poison, want_stats;
    char *results;
    size_t size; /* of a record */
} job;

/* Two cache lines apart at least, so that counting costs no sharing. */
typedef struct worker {
    _Alignas(128) gjb_session *session;
    uint32_t index;
    pthread_t thread;
    void *workspace;
    gjb_run_stats stats;
    uint64_t unwritten, float_changes;
} worker;

struct gjb_session {
    const gjb_contender *contender;
    const gjb_scene *scene;
    const char *backend;
    void *prepared;
    double prepare_seconds;
    uint64_t float_changes; /* of prepare */
    uint32_t threads;       /* that have a workspace */
    uint32_t started;       /* workers whose thread runs; worker 0 is the caller */
    worker *workers;
    job job;
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    uint64_t generation;
    uint32_t pending;
    int quit;
};

static int still_poison(const void *field, size_t size)
{
    const unsigned char *byte = field;
    for (size_t i = 0; i < size; i++)
        if (byte[i] != GJB_POISON)
            return 0;
    return 1;
}

/* Every record is laid out alike: head, for f64 a zero, then value, normal and
 * both points. */
_Static_assert(offsetof(gjb_result2f, value) == 4 && offsetof(gjb_result3f, value) == 4 &&
                   offsetof(gjb_result2d, value) == 8 && offsetof(gjb_result3d, value) == 8 &&
                   sizeof(gjb_result2f) == 4 + 7 * sizeof(float) && sizeof(gjb_result3f) == 4 + 10 * sizeof(float) &&
                   sizeof(gjb_result2d) == 8 + 7 * sizeof(double) && sizeof(gjb_result3d) == 8 + 10 * sizeof(double),
               "records are head and numbers");

static size_t numbers_at(gjb_precision precision)
{
    return precision == GJB_F32 ? offsetof(gjb_result2f, value) : offsetof(gjb_result2d, value);
}

/* The 1 + 3 * dim numbers of a record. */
static void get_numbers(gjb_precision precision, uint32_t dim, const char *record, double *numbers)
{
    const char *from = record + numbers_at(precision);
    const uint32_t count = 1 + 3 * dim;
    if (precision == GJB_F64) {
        memcpy(numbers, from, count * sizeof *numbers);
        return;
    }
    float narrow[1 + 3 * 3];
    memcpy(narrow, from, count * sizeof *narrow);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = (double)narrow[i];
}

/* A poisoned status is none that exists. Vectors are looked at whole: one
 * coordinate may have the poison's bits by chance. */
static int unwritten(gjb_query query, gjb_precision precision, uint32_t dim, const char *record)
{
    gjb_head head;
    memcpy(&head, record, sizeof head);
    if (head.status == GJB_UNWRITTEN || head.status >= GJB_STATUSES)
        return 1;
    if (query == GJB_INTERSECT)
        return 0;
    uint32_t zero = 0;
    if (precision == GJB_F64)
        memcpy(&zero, record + offsetof(gjb_result2d, zero), sizeof zero);
    const size_t scalar = precision == GJB_F32 ? sizeof(float) : sizeof(double);
    const char *value = record + numbers_at(precision), *vectors = value + scalar;
    int poisoned = zero != 0 || still_poison(value, scalar);
    for (size_t k = 0; k < 3; k++)
        poisoned |= still_poison(vectors + k * dim * scalar, dim * scalar);
    return poisoned;
}

static void fill_batch(const gjb_session *session, const job *j, uint64_t begin, uint64_t count,
                       void *workspace, gjb_run_stats *stats, gjb_batch *batch)
{
    const gjb_shapes *shapes = &session->scene->shapes;
    batch->query = j->query;
    batch->poses = j->frame->poses;
    batch->pose_stride = gjb_pose_size((gjb_precision)shapes->precision, shapes->dim);
    batch->body_shape = session->scene->body_shape;
    batch->pairs = j->frame->pairs + 2 * (j->first + begin);
    batch->pair_count = (size_t)count;
    batch->results = j->results + begin * j->size;
    batch->result_stride = j->size;
    batch->workspace = workspace;
    batch->stats = stats;
}

/* The calls of one thread: a contiguous range, so that each thread touches its
 * own part of results and pairs. */
static void work(worker *w, const job *j, gjb_run_stats *stats)
{
    gjb_session *session = w->session;
    const uint64_t calls = j->count / j->call + (j->count % j->call != 0);
    const uint64_t begin = calls / session->threads * w->index +
                           calls % session->threads * w->index / session->threads;
    const uint64_t next = w->index + 1;
    const uint64_t end =
        calls / session->threads * next + calls % session->threads * next / session->threads;
    const uint64_t from = begin * j->call, to = end * j->call < j->count ? end * j->call : j->count;

    w->unwritten = 0;
    if (from >= to)
        return;
    if (j->poison)
        memset(j->results + from * j->size, GJB_POISON, (to - from) * j->size);
    gjb_batch batch;
    fill_batch(session, j, from, 0, w->workspace, stats, &batch);
    for (uint64_t at = from; at < to; at += j->call) {
        batch.pair_count = (size_t)(to - at < j->call ? to - at : j->call);
        const gjb_float_state saved = gjb_float_enter();
        session->contender->run(session->prepared, &batch);
        w->float_changes += (uint64_t)gjb_float_leave(saved);
        batch.pairs += 2 * batch.pair_count;
        batch.results = (char *)batch.results + batch.pair_count * j->size;
    }
    if (j->poison)
        for (uint64_t i = from; i < to; i++)
            w->unwritten += (uint64_t)unwritten(j->query, (gjb_precision)session->scene->shapes.precision,
                                                session->scene->shapes.dim, j->results + i * j->size);
}

static void *serve(void *argument)
{
    worker *w = argument;
    gjb_session *session = w->session;
    uint64_t seen = 0;
    pthread_mutex_lock(&session->lock);
    for (;;) {
        while (!session->quit && session->generation == seen)
            pthread_cond_wait(&session->start, &session->lock);
        if (session->quit)
            break;
        seen = session->generation;
        pthread_mutex_unlock(&session->lock);
        if (session->job.want_stats)
            memset(&w->stats, 0, sizeof w->stats);
        work(w, &session->job, session->job.want_stats ? &w->stats : NULL);
        pthread_mutex_lock(&session->lock);
        if (--session->pending == 0)
            pthread_cond_signal(&session->done);
    }
    pthread_mutex_unlock(&session->lock);
    return NULL;
}

static int choose_backend(gjb_session *session, const char *backend, gjb_error *error)
{
    const gjb_contender *c = session->contender;
    session->backend = NULL;
    if (c->backends == NULL) {
        if (backend != NULL && strcmp(backend, "-") != 0)
            return gjb_fail(error, "%s: backend %s: this contender has no backends to choose from", c->name,
                            backend);
        return 0;
    }
    for (size_t i = 0; c->backends[i] != NULL; i++) {
        const int named = backend != NULL && strcmp(backend, c->backends[i]) == 0;
        const int available = c->backend_available == NULL || c->backend_available(c->backends[i]);
        if (named && !available)
            return gjb_fail(error, "%s: backend %s: not available on this CPU", c->name, backend);
        if (named || (backend == NULL && available))
            session->backend = c->backends[i];
    }
    if (session->backend == NULL && backend != NULL)
        return gjb_fail(error, "%s: backend %s: unknown", c->name, backend);
    if (session->backend == NULL)
        return gjb_fail(error, "%s: no backend is available on this CPU", c->name);
    return 0;
}

static int check_contender(const gjb_contender *c, const gjb_scene *scene, gjb_error *error)
{
    if (c->abi_version != GJB_CONTENDER_ABI || c->struct_size != sizeof *c)
        return gjb_fail(error, "%s: built for contender ABI %u of %u bytes, this program has %u of %zu",
                        c->name, (unsigned)c->abi_version, (unsigned)c->struct_size, GJB_CONTENDER_ABI,
                        sizeof *c);
    if (!(c->dims >> scene->shapes.dim & 1u))
        return gjb_fail(error, "%s: dimension %u: not supported", c->name, (unsigned)scene->shapes.dim);
    if (!(c->precisions >> scene->shapes.precision & 1u))
        return gjb_fail(error, "%s: precision %s: not supported", c->name,
                        gjb_precision_name((gjb_precision)scene->shapes.precision));
    return 0;
}

static int prepare(gjb_session *session, gjb_error *error)
{
    struct timespec before, after;
    const gjb_float_state saved = gjb_float_enter();
    clock_gettime(CLOCK_MONOTONIC, &before);
    session->prepared = session->contender->prepare(&session->scene->shapes, session->backend);
    clock_gettime(CLOCK_MONOTONIC, &after);
    session->float_changes = (uint64_t)gjb_float_leave(saved);
    session->prepare_seconds =
        (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    if (session->prepared == NULL)
        return gjb_fail(error, "%s: out of memory preparing %u shapes", session->contender->name,
                        (unsigned)session->scene->shapes.count);
    return 0;
}

static int make_workers(gjb_session *session, uint32_t threads, gjb_error *error)
{
    const size_t bytes = session->contender->workspace_size(session->prepared);
    const size_t rounded = bytes < 64 ? 64 : (bytes + 63) / 64 * 64;
    session->workers = aligned_alloc(_Alignof(worker), threads * sizeof(worker));
    if (session->workers == NULL)
        return gjb_fail(error, "%s: out of memory for %u threads", session->contender->name, threads);
    memset(session->workers, 0, threads * sizeof(worker));
    for (uint32_t i = 0; i < threads; i++) {
        worker *w = &session->workers[i];
        w->session = session;
        w->index = i;
        w->workspace = aligned_alloc(64, rounded);
        if (w->workspace == NULL)
            return gjb_fail(error, "%s: out of memory for a workspace of %zu bytes", session->contender->name,
                            rounded);
        session->threads = i + 1;
    }
    /* Signals stay with the caller's thread, which knows what to do on Ctrl-C. */
    sigset_t all, saved;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    session->started = 1;
    for (uint32_t i = 1; i < threads; i++) {
        if (pthread_create(&session->workers[i].thread, NULL, serve, &session->workers[i]) != 0)
            break;
        session->started = i + 1;
    }
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (session->started < threads)
        return gjb_fail(error, "%s: could start only %u of %u threads", session->contender->name,
                        session->started, threads);
    return 0;
}

gjb_session *gjb_session_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                              uint32_t threads, gjb_error *error)
{
    if (check_contender(contender, scene, error) != 0)
        return NULL;
    if (threads > GJB_MAX_THREADS) {
        gjb_fail(error, "threads: %u: at most %u", (unsigned)threads, GJB_MAX_THREADS);
        return NULL;
    }
    gjb_session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        gjb_fail(error, "%s: out of memory", contender->name);
        return NULL;
    }
    session->contender = contender;
    session->scene = scene;
    pthread_mutex_init(&session->lock, NULL);
    pthread_cond_init(&session->start, NULL);
    pthread_cond_init(&session->done, NULL);
    if (choose_backend(session, backend, error) != 0 || prepare(session, error) != 0 ||
        make_workers(session, threads == 0 ? 1 : threads, error) != 0) {
        gjb_session_close(session);
        return NULL;
    }
    return session;
}

void gjb_session_close(gjb_session *session)
{
    if (session == NULL)
        return;
    pthread_mutex_lock(&session->lock);
    session->quit = 1;
    pthread_cond_broadcast(&session->start);
    pthread_mutex_unlock(&session->lock);
    for (uint32_t i = 1; i < session->started; i++)
        pthread_join(session->workers[i].thread, NULL);
    for (uint32_t i = 0; i < session->threads; i++)
        free(session->workers[i].workspace);
    free(session->workers);
    if (session->prepared != NULL)
        session->contender->release(session->prepared);
    pthread_cond_destroy(&session->done);
    pthread_cond_destroy(&session->start);
    pthread_mutex_destroy(&session->lock);
    free(session);
}

const char *gjb_session_backend(const gjb_session *session)
{
    return session->backend != NULL ? session->backend : "-";
}

double gjb_session_prepare_seconds(const gjb_session *session)
{
    return session->prepare_seconds;
}

uint64_t gjb_session_float_changes(const gjb_session *session)
{
    uint64_t changes = session->float_changes;
    for (uint32_t i = 0; i < session->threads; i++)
        changes += session->workers[i].float_changes;
    return changes;
}

static int inside(const gjb_scene *scene, uint32_t frame, uint64_t first, uint64_t count)
{
    return frame < scene->frame_count && first <= scene->frames[frame].pair_count &&
           count <= scene->frames[frame].pair_count - first;
}

static void add_stats(gjb_run_stats *sum, const gjb_run_stats *part)
{
    sum->pairs += part->pairs;
    sum->lane_slots += part->lane_slots;
    sum->lane_live += part->lane_live;
    sum->spilled += part->spilled;
    sum->careful += part->careful;
    for (size_t i = 0; i < sizeof sum->iterations / sizeof sum->iterations[0]; i++)
        sum->iterations[i] += part->iterations[i];
}

uint64_t gjb_session_run(gjb_session *session, gjb_query query, uint32_t frame, uint64_t first,
                         uint64_t count, uint64_t call, int poison, void *results, gjb_run_stats *stats)
{
    if (stats != NULL)
        memset(stats, 0, sizeof *stats);
    if (!inside(session->scene, frame, first, count))
        return count;
    if (call == 0 || call > count)
        call = count / session->threads + (count % session->threads != 0);
    if (count == 0)
        return 0;
    const job j = {query,
                   &session->scene->frames[frame],
                   first,
                   count,
                   call,
                   poison,
                   stats != NULL,
                   results,
                   gjb_result_size(query, (gjb_precision)session->scene->shapes.precision, session->scene->shapes.dim)};
    if (session->threads == 1) {
        work(&session->workers[0], &j, stats);
        return session->workers[0].unwritten;
    }
    pthread_mutex_lock(&session->lock);
    session->job = j;
    session->pending = session->threads - 1;
    session->generation++;
    pthread_cond_broadcast(&session->start);
    pthread_mutex_unlock(&session->lock);
    work(&session->workers[0], &session->job, stats);
    pthread_mutex_lock(&session->lock);
    while (session->pending != 0)
        pthread_cond_wait(&session->done, &session->lock);
    pthread_mutex_unlock(&session->lock);

    uint64_t sum = 0;
    for (uint32_t i = 0; i < session->threads; i++) {
        sum += session->workers[i].unwritten;
        if (stats != NULL && i > 0)
            add_stats(stats, &session->workers[i].stats);
    }
    return sum;
}

const void *gjb_session_batch(const gjb_session *session, gjb_query query, uint32_t frame, uint64_t first,
                              uint64_t count, void *results, gjb_batch *batch)
{
    if (!inside(session->scene, frame, first, count))
        return NULL;
    const job j = {.query = query,
                   .frame = &session->scene->frames[frame],
                   .first = first,
                   .count = count,
                   .results = results,
                   .size = gjb_result_size(query, (gjb_precision)session->scene->shapes.precision, session->scene->shapes.dim)};
    fill_batch(session, &j, 0, count, session->workers[0].workspace, NULL, batch);
    return session->prepared;
}

gjb_result gjb_result_get(gjb_query query, gjb_precision precision, uint32_t dim, const void *results,
                          uint64_t index)
{
    const char *record = (const char *)results + index * gjb_result_size(query, precision, dim);
    gjb_result out = {0};
    gjb_head head;
    memcpy(&head, record, sizeof head);
    out.status = head.status < GJB_STATUSES ? (gjb_status)head.status : GJB_UNWRITTEN;
    out.iterations = head.iterations;
    if (query == GJB_INTERSECT)
        return out;
    double numbers[1 + 3 * 3];
    get_numbers(precision, dim, record, numbers);
    out.value = numbers[0];
    for (uint32_t i = 0; i < dim; i++) {
        out.normal[i] = numbers[1 + i];
        out.point_a[i] = numbers[1 + dim + i];
        out.point_b[i] = numbers[1 + 2 * dim + i];
    }
    return out;
}
