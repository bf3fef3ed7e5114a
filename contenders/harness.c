/* Sessions, in this process or in a child, behind one interface: open, prepare, run, time, findings. */
#include "contenders/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/isolation/child.h"
#include "contenders/isolation/in_process.h"
#include "contenders/isolation/isolated.h"
#include "contenders/program/breach.h"

/* One of the two is there. */
struct gjb_session {
    const gjb_contender *contender;
    const gjb_scene *scene;
    const char *backend;
    uint32_t threads;
    gjb_in_process *local;
    gjb_isolated *isolated;
};

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
    if (c->abi_version != GJB_CONTENDER_ABI)
        return gjb_fail(error, "%s: built for contender ABI %u, this program has %u", c->name,
                        (unsigned)c->abi_version, GJB_CONTENDER_ABI);
    if (!(c->dims >> scene->shapes.dim & 1u))
        return gjb_fail(error, "%s: dimension %u: not supported", c->name, (unsigned)scene->shapes.dim);
    if (!(c->precisions >> scene->shapes.precision & 1u))
        return gjb_fail(error, "%s: precision %s: not supported", c->name,
                        gjb_precision_name((gjb_precision)scene->shapes.precision));
    return 0;
}

static gjb_session *open_session(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                                 uint32_t threads, int isolated, gjb_error *error)
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
    session->threads = threads = threads == 0 ? 1 : threads;
    if (choose_backend(session, backend, error) == 0) {
        if (!isolated)
            session->local = gjb_in_process_open(contender, session->backend, scene, threads, error);
        else
            session->isolated = gjb_isolated_open(contender, session->backend, scene, threads, error);
    }
    if (session->local == NULL && session->isolated == NULL) {
        free(session);
        return NULL;
    }
    return session;
}

gjb_session *gjb_session_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                              uint32_t threads, gjb_error *error)
{
    return open_session(contender, backend, scene, threads, !contender->ours, error);
}

gjb_session *gjb_session_open_isolated(const gjb_contender *contender, const char *backend,
                                       const gjb_scene *scene, uint32_t threads, gjb_error *error)
{
    return open_session(contender, backend, scene, threads, 1, error);
}

void gjb_session_close(gjb_session *session)
{
    if (session == NULL)
        return;
    gjb_in_process_close(session->local);
    gjb_isolated_close(session->isolated);
    free(session);
}

const char *gjb_session_backend(const gjb_session *session)
{
    return session->backend != NULL ? session->backend : "-";
}

double gjb_session_prepare_seconds(const gjb_session *session)
{
    return session->local != NULL ? gjb_in_process_prepare_seconds(session->local)
                                  : gjb_isolated_prepare_seconds(session->isolated);
}

uint64_t gjb_session_float_changes(const gjb_session *session)
{
    return session->local != NULL ? gjb_in_process_float_changes(session->local)
                                  : gjb_isolated_float_changes(session->isolated);
}

static int inside(const gjb_scene *scene, uint32_t frame, uint64_t first, uint64_t count)
{
    return frame < scene->frame_count && first <= scene->frames[frame].pair_count &&
           count <= scene->frames[frame].pair_count - first;
}

/* Where a stop flag may be raised, ours that answers one pair after another, each of which may take a second,
 * is asked about few at a time. What has backends packs pairs of a call next to each other, and is fast: it
 * gets all at once. */
static uint64_t at_once(const gjb_session *session, const gjb_span *span)
{
    const uint64_t few = session->threads > 1 ? 16 * (uint64_t)session->threads
                         : span->call > 0     ? span->call
                                              : 1;
    return gjb_child_stoppable() && session->contender->backends == NULL && few < span->count ? few
                                                                                              : span->count;
}

static uint64_t run_local(gjb_session *session, gjb_span span, int poison, char *results,
                          gjb_session_stats *stats)
{
    const gjb_shapes *shapes = &session->scene->shapes;
    const size_t size = gjb_result_size(span.query, (gjb_precision)shapes->precision, shapes->dim);
    const uint64_t all = span.count, few = at_once(session, &span);
    uint64_t unwritten = 0;
    for (uint64_t at = 0; at < all; at += span.count, span.first += span.count) {
        gjb_run_stats part;
        span.count = few < all - at ? few : all - at;
        if (at > 0 && gjb_child_stopped()) {
            memset(results + at * size, GJB_LEFT_OUT, (all - at) * size);
            if (stats != NULL)
                stats->interrupted = all - at;
            break;
        }
        unwritten +=
            gjb_in_process_run(session->local, &span, poison, results + at * size, stats != NULL ? &part : NULL);
        if (stats != NULL)
            gjb_run_stats_add(&stats->run, &part);
    }
    return unwritten;
}

uint64_t gjb_session_run(gjb_session *session, gjb_query query, uint32_t frame, uint64_t first,
                         uint64_t count, uint64_t call, int poison, void *results, gjb_session_stats *stats)
{
    const gjb_span span = {query, frame, first, count, call};
    if (stats != NULL)
        memset(stats, 0, sizeof *stats);
    if (!inside(session->scene, frame, first, count))
        return count;
    return session->local != NULL ? run_local(session, span, poison, results, stats)
                                  : gjb_isolated_run(session->isolated, &span, poison, results, stats);
}

int gjb_session_time(gjb_session *session, gjb_stretch *stretch, int warm, void *results, gjb_timing *timing)
{
    uint64_t pairs = 0;
    for (uint32_t f = 0; f < session->scene->frame_count && pairs == 0; f++)
        pairs = session->scene->frames[f].pair_count;
    *timing = (gjb_timing){0};
    if (pairs == 0 || stretch->call == 0 || !inside(session->scene, stretch->frame, stretch->at, 0))
        return -1;
    if (session->isolated != NULL)
        return gjb_isolated_time(session->isolated, stretch, warm, timing);
    gjb_in_process_time(session->local, stretch, warm, results, timing, NULL);
    return 0;
}

const char *gjb_start_name(gjb_start start)
{
    static const char *const names[GJB_STARTS] = {"cold", "warm", "stale"};
    return names[start];
}

int gjb_session_start(gjb_session *session, gjb_query query, gjb_start start, gjb_error *error)
{
    return session->local != NULL ? gjb_in_process_start(session->local, query, start, error)
                                  : gjb_isolated_start(session->isolated, query, start, error);
}

double gjb_session_time_prepare(gjb_session *session)
{
    return session->local != NULL ? gjb_in_process_time_prepare(session->local)
                                  : gjb_isolated_time_prepare(session->isolated);
}

const gjb_finding *gjb_session_findings(const gjb_session *session, size_t *count)
{
    *count = 0;
    return session->local != NULL ? NULL : gjb_isolated_findings(session->isolated, count);
}

const char *gjb_mishap_name(gjb_mishap mishap)
{
    static const char *const names[GJB_MISHAPS] = {
        [GJB_CRASHED] = "crashed",
        [GJB_ABORTED] = "aborted",
        [GJB_THREW] = "let an exception escape",
        [GJB_EXITED] = "exited",
        [GJB_HUNG] = "hung",
        [GJB_WROTE_OUTSIDE] = "wrote outside its results",
        [GJB_WROTE_INPUT] = "wrote to its input",
        [GJB_UNPREPARED] = "could not prepare",
        [GJB_BROKE_PROTOCOL] = "broke the protocol",
        [GJB_LEFT_UNWRITTEN] = "left its result unwritten",
        [GJB_RETURNED_NAN] = "returned NaN",
        [GJB_CHANGED_FLOATS] = "changed the floating-point state",
    };
    return names[mishap];
}

const char *gjb_mishap_text(gjb_mishap mishap, int code, char text[GJB_MISHAP_TEXT])
{
    const char *signal = mishap == GJB_CRASHED ? sigabbrev_np(code) : NULL;
    if (signal != NULL)
        snprintf(text, GJB_MISHAP_TEXT, "%s (SIG%s)", gjb_mishap_name(mishap), signal);
    else if (mishap == GJB_BROKE_PROTOCOL)
        snprintf(text, GJB_MISHAP_TEXT, "%s (%s)", gjb_mishap_name(mishap), gjb_breach_name(code));
    else if (mishap == GJB_CRASHED || mishap == GJB_EXITED)
        snprintf(text, GJB_MISHAP_TEXT, "%s (%d)", gjb_mishap_name(mishap), code);
    else
        snprintf(text, GJB_MISHAP_TEXT, "%s", gjb_mishap_name(mishap));
    return text;
}
