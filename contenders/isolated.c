#include "contenders/isolated.h"

#include <stdlib.h>
#include <string.h>

#include "contenders/child.h"

enum { STEP = 256, STARTS = 3 }; /* pairs a request and thread; tries to start before it counts */

struct gjb_isolated {
    const gjb_contender *contender;
    uint32_t threads;
    const gjb_arena *arena;
    gjb_child *child;
    gjb_finding findings[GJB_FINDINGS_MAX];
    size_t found, hangs;
};

/* A run in the course of being answered. */
typedef struct task {
    gjb_isolated *isolated;
    gjb_span span; /* the whole of it */
    int poison;
    char *results;
    size_t size; /* of a record */
    gjb_session_stats *stats;
    uint64_t fresh; /* the first pair that the present child answered, or will, alone */
} task;

static int gave_up(const gjb_isolated *isolated)
{
    return isolated->found == GJB_FINDINGS_MAX || isolated->hangs >= GJB_HANGS_MAX;
}

static void give_up(gjb_isolated *isolated)
{
    isolated->hangs = GJB_HANGS_MAX;
}

static void add_finding(gjb_isolated *isolated, gjb_end end, gjb_query query, uint32_t frame, uint64_t pair,
                        gjb_session_stats *stats)
{
    if (isolated->found < GJB_FINDINGS_MAX)
        isolated->findings[isolated->found++] = (gjb_finding){end.what, end.code, query, frame, pair};
    isolated->hangs += end.what == GJB_HUNG;
    if (stats != NULL && pair != GJB_NO_PAIR) {
        stats->crashed += end.what != GJB_HUNG;
        stats->hung += end.what == GJB_HUNG;
    }
}

/* A fork from a process of many threads may, once in a long while, find a lock
 * held: only what repeats is the contender's. */
static gjb_reply start(gjb_isolated *isolated, gjb_error *error)
{
    gjb_end end = {GJB_CRASHED, 0};
    gjb_error own = {""};
    for (int i = 0; i < STARTS; i++) {
        const gjb_reply reply = gjb_child_start(isolated->child, &end, error != NULL ? error : &own);
        if (reply == GJB_REPLY_OK || reply == GJB_REPLY_STOPPED || (reply == GJB_REPLY_REFUSED && error != NULL))
            return reply;
    }
    add_finding(isolated, end, GJB_INTERSECT, 0, GJB_NO_PAIR, NULL);
    give_up(isolated);
    return GJB_REPLY_ENDED;
}

gjb_isolated *gjb_isolated_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                                uint32_t threads, gjb_error *error)
{
    gjb_isolated *isolated = calloc(1, sizeof *isolated);
    uint64_t most = 1;
    for (uint32_t f = 0; f < scene->frame_count; f++)
        most = scene->frames[f].pair_count > most ? scene->frames[f].pair_count : most;
    if (isolated != NULL) {
        isolated->contender = contender;
        isolated->threads = threads;
        isolated->arena = gjb_arena_acquire(scene);
        if (isolated->arena != NULL)
            isolated->child = gjb_child_new(contender, backend, &isolated->arena->scene, threads,
                                            most * sizeof(gjb_result3d));
    }
    if (isolated == NULL || isolated->child == NULL) {
        gjb_fail(error, "%s: out of memory", contender->name);
        gjb_isolated_close(isolated);
        return NULL;
    }
    gjb_error own = {""};
    if (start(isolated, error != NULL ? error : &own) != GJB_REPLY_REFUSED)
        return isolated;
    gjb_isolated_close(isolated);
    return NULL;
}

void gjb_isolated_close(gjb_isolated *isolated)
{
    if (isolated == NULL)
        return;
    gjb_child_free(isolated->child);
    gjb_arena_release(isolated->arena);
    free(isolated);
}

double gjb_isolated_prepare_seconds(const gjb_isolated *isolated)
{
    return gjb_child_prepare_seconds(isolated->child);
}

uint64_t gjb_isolated_float_changes(const gjb_isolated *isolated)
{
    return gjb_child_float_changes(isolated->child);
}

const gjb_finding *gjb_isolated_findings(const gjb_isolated *isolated, size_t *count)
{
    *count = isolated->found;
    return isolated->findings;
}

/* --- asking ------------------------------------------------------------------ */

static char *record(const task *t, uint64_t pair)
{
    return t->results + (pair - t->span.first) * t->size;
}

/* Asks for a part of the task; what came back goes to its place. */
static gjb_reply ask(task *t, uint64_t first, uint64_t count, gjb_end *end)
{
    gjb_span span = t->span;
    span.first = first;
    span.count = count;
    gjb_run_stats stats;
    const void *answers;
    gjb_reply reply = gjb_child_stopped() ? GJB_REPLY_STOPPED : start(t->isolated, NULL);
    if (reply == GJB_REPLY_OK)
        reply = gjb_child_run(t->isolated->child, &span, t->poison, t->stats != NULL, &answers, &stats, end);
    else if (reply == GJB_REPLY_ENDED)
        reply = GJB_REPLY_REFUSED;
    if (reply != GJB_REPLY_OK)
        return reply;
    memcpy(record(t, first), answers, count * t->size);
    if (t->stats != NULL)
        gjb_run_stats_add(&t->stats->run, &stats);
    return GJB_REPLY_OK;
}

static void leave_poisoned(task *t, uint64_t first, uint64_t count)
{
    memset(record(t, first), GJB_POISON, count * t->size);
}

static void leave_out(task *t, uint64_t first, uint64_t count)
{
    leave_poisoned(t, first, count);
    if (t->stats != NULL)
        *(gjb_child_stopped() ? &t->stats->interrupted : &t->stats->unasked) += count;
}

/* --- blaming ----------------------------------------------------------------- */

static void blame(task *t, uint64_t pair, gjb_end end)
{
    leave_poisoned(t, pair, 1);
    add_finding(t->isolated, end, t->span.query, t->span.frame, pair, t->stats);
}

/* 1 where a fresh child, asked for the pairs of [first, last] one by one, comes to an end. */
static int ends(task *t, uint64_t first, uint64_t last, gjb_end *end)
{
    task silent = *t;
    silent.stats = NULL;
    gjb_child_stop(t->isolated->child);
    for (uint64_t pair = first; pair <= last; pair++)
        if (ask(&silent, pair, 1, end) == GJB_REPLY_ENDED)
            return 1;
    return 0;
}

/* The child that answered pairs since `fresh` alone came to its end at `pair`.
 * A fresh one tells whether that pair is guilty or an earlier one, which only
 * then took effect: the last from which on it repeats, found by bisection.
 * GJB_NO_PAIR where it does not. */
static uint64_t search(task *t, uint64_t pair, gjb_end *again)
{
    gjb_end other;
    if (ends(t, pair, pair, again))
        return pair;
    if (t->fresh >= pair || !ends(t, t->fresh, pair, &other))
        return GJB_NO_PAIR;
    uint64_t guilty = t->fresh, innocent = pair; /* it repeats from the one, not from the other */
    while (innocent - guilty > 1) {
        const uint64_t middle = guilty + (innocent - guilty) / 2;
        if (ends(t, middle, pair, &other))
            guilty = middle;
        else
            innocent = middle;
    }
    ends(t, guilty + 1, pair, &other); /* whatever it spoilt is answered anew */
    return guilty;
}

static void find_guilty(task *t, uint64_t pair, gjb_end end)
{
    gjb_end by = end;
    const uint64_t guilty = end.what == GJB_HUNG ? pair : search(t, pair, &by);
    if (end.what != GJB_HUNG && gjb_child_stopped())
        leave_out(t, pair, 1); /* what cut the search short found nothing */
    else if (guilty != GJB_NO_PAIR)
        blame(t, guilty, by);
    else
        add_finding(t->isolated, end, t->span.query, t->span.frame, GJB_NO_PAIR, NULL);
    gjb_child_stop(t->isolated->child);
    t->fresh = pair + 1;
}

/* Pairs one by one, after the child came to an end on all of them together. */
static void narrow(task *t, uint64_t first, uint64_t count, gjb_end together)
{
    const size_t found = t->isolated->found;
    t->fresh = first;
    for (uint64_t pair = first; pair < first + count; pair++) {
        gjb_end end;
        gjb_reply reply = GJB_REPLY_REFUSED;
        if (!gave_up(t->isolated))
            reply = ask(t, pair, 1, &end);
        if (reply == GJB_REPLY_ENDED)
            find_guilty(t, pair, end);
        else if (reply != GJB_REPLY_OK)
            leave_out(t, pair, 1);
    }
    if (t->isolated->found == found && !gjb_child_stopped())
        add_finding(t->isolated, together, t->span.query, t->span.frame, GJB_NO_PAIR, NULL);
}

/* As many pairs as one request takes: a call for every thread. */
static uint64_t step_of(const task *t)
{
    const uint64_t call = t->span.call;
    return (call != 0 && call < STEP ? call : STEP) * t->isolated->threads;
}

uint64_t gjb_isolated_run(gjb_isolated *isolated, const gjb_span *span, int poison, void *results,
                          gjb_session_stats *stats)
{
    const gjb_shapes *shapes = &isolated->arena->scene.shapes;
    const gjb_precision precision = (gjb_precision)shapes->precision;
    task t = {isolated, *span, poison, results, gjb_result_size(span->query, precision, shapes->dim), stats, 0};
    if (stats != NULL)
        memset(stats, 0, sizeof *stats);
    const uint64_t last = span->first + span->count, step = step_of(&t);
    for (uint64_t at = span->first; at < last; at += step) {
        const uint64_t count = last - at < step ? last - at : step;
        gjb_end end;
        const gjb_reply reply = gave_up(isolated) ? GJB_REPLY_REFUSED : ask(&t, at, count, &end);
        if (reply == GJB_REPLY_ENDED)
            narrow(&t, at, count, end);
        else if (reply != GJB_REPLY_OK)
            leave_out(&t, at, count);
    }
    return poison ? gjb_count_unwritten(span->query, precision, shapes->dim, results, span->count) : 0;
}

int gjb_isolated_time(gjb_isolated *isolated, gjb_stretch *stretch, int warm, gjb_timing *timing)
{
    gjb_end end;
    if (gjb_child_stopped())
        return 1;
    if (gave_up(isolated) || start(isolated, NULL) != GJB_REPLY_OK)
        return gjb_child_stopped() ? 1 : -1;
    const uint32_t frame = stretch->frame;
    const gjb_reply reply = gjb_child_time(isolated->child, stretch, warm, timing, &end);
    if (reply == GJB_REPLY_ENDED)
        add_finding(isolated, end, stretch->query, frame, GJB_NO_PAIR, NULL);
    return reply == GJB_REPLY_OK ? 0 : reply == GJB_REPLY_STOPPED ? 1 : -1;
}

double gjb_isolated_time_prepare(gjb_isolated *isolated)
{
    gjb_end end;
    double seconds = -1;
    if (gjb_child_stopped() || gave_up(isolated) || start(isolated, NULL) != GJB_REPLY_OK)
        return -1;
    if (gjb_child_time_prepare(isolated->child, &seconds, &end) == GJB_REPLY_ENDED)
        add_finding(isolated, end, GJB_INTERSECT, 0, GJB_NO_PAIR, NULL);
    return seconds;
}
