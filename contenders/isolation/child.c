/* The parent's side of a child process: starts it, sends requests, waits for progress, collects answers. */
#include "contenders/isolation/child_private.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contenders/isolation/crash_notes.h"
#include "contenders/isolation/fork_server.h"
#include "contenders/isolation/hangs.h"
#include "core/patience.h"

enum { POLL_MS = 20 };
static const double seconds_a_pair = 0.004, seconds_a_shape = 0.01, open_factor = 10;
/* Of one that has hung. */
static const double brief_seconds_a_shape = 0.001, brief_seconds_a_row = 5e-6, least_share = 0.25;
/* Of one that only prepares, and did so before. */
static const double brief_blocked_share = 0.2;
/* A child has nothing to wait for but the disk that its library is read from. One that blocks at a pair does so twice,
 * among others and alone: both together stay below 30 s. */
static const double blocked_factor = 10, blocked_least = 1;

static double hang_limit = 1;
static const volatile sig_atomic_t *stop_flag;

void gjb_session_hang_limit(double seconds)
{
    hang_limit = seconds;
}

void gjb_session_stop_on(const volatile sig_atomic_t *stop)
{
    stop_flag = stop;
}

int gjb_child_stoppable(void)
{
    return stop_flag != NULL;
}

int gjb_child_stopped(void)
{
    return stop_flag != NULL && *stop_flag != 0;
}

/* To answer so many pairs a thread. */
static double seconds_for(const gjb_child *child, uint64_t pairs)
{
    return hang_limit * gjb_hangs_share(child->contender) * (1 + seconds_a_pair * (double)pairs);
}

static double seconds_to_prepare(const gjb_child *child)
{
    const gjb_shapes *shapes = &child->shared->scene.shapes;
    double rows = 0;
    if (!child->brief && !gjb_hangs_any(child->contender))
        return hang_limit * (open_factor + seconds_a_shape * shapes->count);
    for (uint32_t i = 0; i < shapes->count; i++)
        rows += shapes->row_count[i];
    return hang_limit * (fmax(gjb_hangs_share(child->contender), least_share) * (child->brief ? 1 : open_factor) +
                         brief_seconds_a_shape * shapes->count + brief_seconds_a_row * rows);
}

static gjb_reply bury(gjb_child *child, int hung, gjb_end *end)
{
    const int status = child->elsewhere ? gjb_fork_server_wait_for_end(child->pid, hung)
                                        : gjb_child_wait_for_end(child->pid, hung);
    close(child->socket);
    child->socket = -1;
    child->pid = 0;
    child->float_changes_before += child->float_changes;
    child->float_changes = 0;
    *end = (gjb_end){.what = GJB_HUNG};
    const gjb_end *program = &child->channel->program_end;
    if (!hung && child->channel->program_ended && (unsigned)program->what < GJB_MILD) {
        *end = *program;
        end->said[sizeof end->said - 1] = '\0';
    } else if (!hung && (status & GJB_LIVED_ON || child->channel->said == GJB_CLOSED_FILES)) {
        end->what = GJB_CLOSED_FILES;
    } else if (!hung && WIFSIGNALED(status)) {
        const gjb_mishap what = gjb_crash_notes_meaning(child->channel->said, WTERMSIG(status));
        *end = (gjb_end){.what = what, .code = what == GJB_CRASHED ? WTERMSIG(status) : 0};
    } else if (!hung) {
        *end = (gjb_end){.what = GJB_EXITED, .code = WEXITSTATUS(status)};
    }
    return GJB_REPLY_ENDED;
}

/* Waits for the child's byte. `allowed` is CPU seconds without progress. */
static gjb_reply await(gjb_child *child, double allowed, gjb_end *end)
{
    const double brief = child->brief ? brief_blocked_share : 1;
    const double share = fmax(gjb_hangs_share(child->contender), least_share) * brief;
    gjb_patience patience = {.who = gjb_awaited_process(child->pid),
                             .cpu = allowed * child->threads,
                             .blocked = fmax(blocked_factor * hang_limit * share, blocked_least * brief),
                             .progress = &child->channel->progress,
                             .stop = stop_flag};
    char byte;
    switch (gjb_patience_await(&patience, child->socket, POLL_MS)) {
    case GJB_AWAIT_READY:
        return recv(child->socket, &byte, 1, 0) == 1 ? GJB_REPLY_OK : bury(child, 0, end);
    case GJB_AWAIT_STOPPED:
        gjb_child_stop(child);
        return GJB_REPLY_STOPPED;
    case GJB_AWAIT_HUNG:
        gjb_hangs_count(child->contender);
        break;
    }
    return bury(child, 1, end);
}

static gjb_reply ask(gjb_child *child, gjb_request what, double allowed, gjb_end *end)
{
    const char byte = 1;
    child->channel->what = what;
    if (send(child->socket, &byte, 1, MSG_NOSIGNAL) != 1)
        return bury(child, 0, end);
    const gjb_reply reply = await(child, allowed, end);
    if (reply == GJB_REPLY_OK)
        child->float_changes = child->channel->float_changes;
    return reply;
}

gjb_child *gjb_child_new(const gjb_contender *contender, const char *backend, const gjb_shared_scene *shared,
                         uint32_t threads, uint64_t most)
{
    uint64_t pairs = 1;
    gjb_child *child = calloc(1, sizeof *child);
    if (child == NULL)
        return NULL;
    child->contender = contender;
    child->backend = backend;
    child->shared = shared;
    child->threads = threads;
    child->socket = -1;
    for (uint32_t f = 0; f < shared->scene.frame_count; f++)
        pairs = shared->scene.frames[f].pair_count > pairs ? shared->scene.frames[f].pair_count : pairs;
    const int afar = gjb_fork_server_is_on();
    if (gjb_fenced_map(&child->talk, sizeof *child->channel, afar) != 0 ||
        gjb_fenced_map(&child->timed, pairs * (size_t)GJB_RECORD_MOST, afar) != 0 ||
        gjb_fenced_map(&child->results, (pairs < most ? pairs : most) * (size_t)GJB_RECORD_MOST, afar) != 0) {
        gjb_child_free(child);
        return NULL;
    }
    child->channel = (gjb_channel *)child->talk.begin;
    return child;
}

void gjb_child_be_brief(gjb_child *child)
{
    child->brief = 1;
}

void gjb_child_stop(gjb_child *child)
{
    gjb_end end;
    if (child->pid != 0)
        bury(child, 1, &end);
}

void gjb_child_free(gjb_child *child)
{
    if (child == NULL)
        return;
    gjb_child_stop(child);
    gjb_fenced_unmap(&child->results);
    gjb_fenced_unmap(&child->timed);
    gjb_fenced_unmap(&child->talk);
    free(child);
}

static int fork_child(gjb_child *child, gjb_error *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return gjb_fail(error, "%s: no socket for a child process: %s", child->contender->name, strerror(errno));
    memset(child->channel, 0, sizeof *child->channel);
    child->channel->hang_limit = hang_limit;
    pid_t pid = gjb_fork_server_is_on() ? gjb_fork_server_start(child, ends[1]) : -1;
    child->elsewhere = pid > 0;
    if (!child->elsewhere) {
        const pid_t parent = getpid();
        pid = fork();
        if (pid == 0)
            gjb_child_serve(child, ends[0], ends[1], parent);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return gjb_fail(error, "%s: no child process: %s", child->contender->name, strerror(errno));
    }
    child->pid = pid;
    child->socket = ends[0];
    return 0;
}

static gjb_reply ask_axes(gjb_child *child, gjb_end *end)
{
    const gjb_scene *scene = &child->shared->scene;
    uint64_t pairs = 0;
    for (uint32_t f = 0; f < scene->frame_count; f++)
        pairs += scene->frames[f].pair_count;
    child->channel->warm_query = child->warm_query;
    child->channel->start = child->start;
    return ask(child, GJB_ASK_AXES, seconds_for(child, pairs), end);
}

gjb_reply gjb_child_axes(gjb_child *child, gjb_query query, gjb_start start, int *started, gjb_error *error,
                         gjb_end *end)
{
    child->warm_query = query;
    child->start = start;
    const gjb_reply reply = ask_axes(child, end);
    *started = reply == GJB_REPLY_OK ? child->channel->started : 0;
    if (*started >= 0)
        return reply;
    child->channel->error.text[sizeof child->channel->error.text - 1] = '\0';
    gjb_fail(error, "%s", child->channel->error.text);
    return reply;
}

gjb_reply gjb_child_start(gjb_child *child, gjb_end *end, gjb_error *error)
{
    if (child->pid != 0)
        return GJB_REPLY_OK;
    if (fork_child(child, error) != 0)
        return GJB_REPLY_REFUSED;
    const gjb_reply reply = await(child, seconds_to_prepare(child), end);
    if (reply != GJB_REPLY_OK)
        return reply;
    child->float_changes = child->channel->float_changes;
    if (!child->started_once)
        child->prepare_seconds = child->channel->seconds;
    child->started_once = 1;
    if (!(child->channel->seconds < 0))
        return child->start ? ask_axes(child, end) : GJB_REPLY_OK;
    const int unprepared = child->channel->unprepared;
    child->channel->error.text[sizeof child->channel->error.text - 1] = '\0';
    if (!unprepared)
        gjb_fail(error, "%s", child->channel->error.text);
    gjb_child_stop(child);
    if (!unprepared)
        return GJB_REPLY_REFUSED;
    *end = (gjb_end){.what = GJB_UNPREPARED};
    return GJB_REPLY_ENDED;
}

static size_t record_size(const gjb_child *child, gjb_query query)
{
    const gjb_shapes *shapes = &child->shared->scene.shapes;
    return gjb_result_size(query, (gjb_precision)shapes->precision, shapes->dim);
}

static char *first_record(const gjb_child *child, const gjb_span *span)
{
    return child->results.end - span->count * record_size(child, span->query);
}

static int untouched(const char *begin, const char *end)
{
    return begin == end ||
           ((unsigned char)*begin == GJB_POISON && memcmp(begin, begin + 1, (size_t)(end - begin) - 1) == 0);
}

/* Records end where the guard pages begin; all that lies before them is looked at. */
gjb_reply gjb_child_run(gjb_child *child, const gjb_span *span, int poison, int want_stats, const void **results,
                        gjb_run_stats *stats, gjb_end *end)
{
    gjb_channel *c = child->channel;
    char *begin = child->results.begin, *first = first_record(child, span);
    memset(begin, GJB_POISON, (size_t)(first - begin));
    c->span = *span;
    c->poison = poison;
    c->want_stats = want_stats;
    c->at = (size_t)(first - begin);
    const uint64_t pairs = span->call != 0 && span->call < span->count ? span->call : span->count;
    const gjb_reply reply = ask(child, GJB_ASK_RUN, seconds_for(child, pairs), end);
    if (reply != GJB_REPLY_OK)
        return reply;
    if (!untouched(begin, first)) {
        gjb_child_stop(child);
        *end = (gjb_end){.what = GJB_WROTE_OUTSIDE};
        return GJB_REPLY_ENDED;
    }
    *results = first;
    if (want_stats)
        *stats = c->stats;
    return GJB_REPLY_OK;
}

uint64_t gjb_child_got_to(const gjb_child *child, const gjb_span *span)
{
    const gjb_shapes *shapes = &child->shared->scene.shapes;
    const char *record = first_record(child, span);
    uint64_t pair = 0;
    while (pair < span->count &&
           gjb_count_unwritten(span->query, (gjb_precision)shapes->precision, shapes->dim, record, 1) == 0) {
        record += record_size(child, span->query);
        pair++;
    }
    return pair;
}

gjb_reply gjb_child_time(gjb_child *child, gjb_stretch *stretch, int warm, gjb_timing *timing, gjb_end *end)
{
    gjb_channel *c = child->channel;
    const size_t size = record_size(child, stretch->query);
    const uint64_t most = child->threads > 1 ? GJB_THREADED_PAIRS : stretch->call;
    const size_t room = (size_t)(child->timed.end - child->timed.begin);
    c->stretch = *stretch;
    c->warm = warm;
    c->at = most < room / size ? room - most * size : room % size; /* never more pairs than a frame has */
    const gjb_reply reply = ask(child, GJB_ASK_TIME, seconds_for(child, most), end);
    if (reply != GJB_REPLY_OK)
        return reply;
    *timing = c->timing;
    stretch->frame = c->stretch.frame < child->shared->scene.frame_count ? c->stretch.frame : 0;
    stretch->at = c->stretch.at;
    return GJB_REPLY_OK;
}

gjb_reply gjb_child_time_prepare(gjb_child *child, double *seconds, gjb_end *end)
{
    const gjb_reply reply = ask(child, GJB_ASK_PREPARE, seconds_to_prepare(child), end);
    *seconds = reply == GJB_REPLY_OK ? child->channel->seconds : -1;
    return reply;
}

double gjb_child_prepare_seconds(const gjb_child *child)
{
    return child->prepare_seconds;
}

uint64_t gjb_child_float_changes(const gjb_child *child)
{
    return child->float_changes_before + child->float_changes;
}
