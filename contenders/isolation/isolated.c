/* An isolated session: splits calls into requests, and finds the guilty pair after a crash or hang. */
#include "contenders/isolation/isolated.h"

#include <stdlib.h>
#include <string.h>

#include "contenders/isolation/child.h"
#include "contenders/isolation/findings.h"
#include "contenders/isolation/fork_server.h"
#include "contenders/isolation/hangs.h"
#include "contenders/isolation/spoiling.h"
#include "contenders/program/program.h"

/* Pairs a request and thread; tries to start before it counts; shapes that it may not live through preparing, and those
 * that are tried in place of one. */
enum { STEP = 256, STARTS = 3, SPOILING_MAX = 32, STAND_INS = 5 };

struct gjb_isolated {
    const gjb_contender *contender;
    const char *backend;
    const gjb_scene *scene; /* as it was given */
    uint32_t threads;
    const gjb_shared_scene *shared;
    gjb_substitutes prepared; /* the scene without shapes that it does not live through preparing, if there are any */
    uint8_t *spoiling;        /* [shape]: by how, one more than its gjb_mishap; NULL: none is */
    uint32_t spoiling_count;
    int prepared_once;        /* without these */
    gjb_child *child;
    gjb_findings findings;
    uint64_t float_changes; /* of the child, as far as they are accounted for */
    uint8_t *claimed;       /* [shape]; NULL: all of them, and none is a half-space */
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

/* To start a program takes as long as thousands of answers: one that only dies is not asked for long. */
static int gave_up(const gjb_isolated *isolated)
{
    return gjb_findings_enough(&isolated->findings) ||
           (isolated->findings.in_a_row >= GJB_DEATHS_IN_A_ROW && gjb_is_self_timed(isolated->contender));
}

static void give_up(gjb_isolated *isolated)
{
    isolated->findings.hangs = GJB_HANGS_MAX;
}

static void add_finding(gjb_isolated *isolated, gjb_end end, gjb_query query, uint32_t frame, uint64_t pair,
                        gjb_session_stats *stats)
{
    gjb_finding finding = {.what = end.what, .code = end.code, .query = query, .frame = frame, .pair = pair};
    memcpy(finding.said, end.said, sizeof finding.said);
    gjb_findings_add(&isolated->findings, finding, stats);
}

/* 1 if calls since the last time left the floats changed. */
static int floats_changed(gjb_isolated *isolated)
{
    const uint64_t before = isolated->float_changes;
    isolated->float_changes = gjb_child_float_changes(isolated->child);
    return isolated->float_changes != before;
}

/* Of preparing, or of a stretch of calls: no pair is named. One finding reports it. */
static void look_at_floats(gjb_isolated *isolated, gjb_query query, uint32_t frame)
{
    if (floats_changed(isolated) && isolated->findings.mild[GJB_CHANGED_FLOATS][query] == 0)
        add_finding(isolated, (gjb_end){.what = GJB_CHANGED_FLOATS}, query, frame, GJB_NO_PAIR, NULL);
}

/* The first pair of the scene with a shape; GJB_NO_PAIR if there is none. */
static uint64_t pair_with(const gjb_scene *scene, uint32_t shape, uint32_t *frame)
{
    for (*frame = 0; *frame < scene->frame_count; ++*frame)
        for (uint64_t i = 0; i < 2 * scene->frames[*frame].pair_count; i++) {
            const uint32_t body = scene->frames[*frame].pairs[i];
            if ((scene->body_shape != NULL ? scene->body_shape[body] : body) == shape)
                return i / 2;
        }
    *frame = 0;
    return GJB_NO_PAIR;
}

/* It came to its end while it prepared. Of no shape: GJB_NO_SHAPE. */
static void add_preparing(gjb_isolated *isolated, gjb_end end, uint32_t shape)
{
    gjb_finding finding = {
        .what = end.what, .code = end.code, .query = GJB_INTERSECT, .pair = GJB_NO_PAIR, .preparing = 1};
    memcpy(finding.said, end.said, sizeof finding.said);
    if (shape != GJB_NO_SHAPE)
        finding.pair = pair_with(&isolated->shared->scene, shape, &finding.frame);
    gjb_findings_add(&isolated->findings, finding, NULL);
}

/* From here on children prepare another shape in its place. 0, or -1 out of memory. */
static int leave_out_shape(gjb_isolated *isolated, uint32_t shape, uint32_t by, gjb_mishap what)
{
    const gjb_shared_scene *before = isolated->shared;
    if (isolated->spoiling == NULL) {
        isolated->spoiling = calloc(before->scene.shapes.count, 1);
        if (isolated->spoiling == NULL || gjb_substitutes_make(&isolated->prepared, isolated->scene) != 0)
            return -1;
    }
    isolated->spoiling[shape] = (uint8_t)(1 + what);
    isolated->spoiling_count++;
    gjb_child_free(isolated->child);
    isolated->child = NULL;
    gjb_shared_release(before);
    gjb_substitutes_set(&isolated->prepared, shape, by);
    isolated->float_changes = 0;
    isolated->shared = gjb_shared_acquire(&isolated->prepared.scene, gjb_fork_server_is_on());
    if (isolated->shared != NULL)
        isolated->child = gjb_child_new(isolated->contender, isolated->backend, isolated->shared, isolated->threads,
                                        (uint64_t)STEP * isolated->threads);
    return isolated->child != NULL ? 0 : -1;
}

/* Another that it lives through preparing, or GJB_NO_SHAPE: it may well die of all of them. Some are tried, far from
 * each other, since neighbours are alike. */
static uint32_t find_stand_in(const gjb_isolated *isolated, uint32_t shape)
{
    const gjb_scene *scene = &isolated->shared->scene;
    const uint32_t count = scene->shapes.count;
    for (uint32_t i = 1; i <= STAND_INS; i++) {
        const uint32_t other = (uint32_t)((shape + (uint64_t)i * (count / (STAND_INS + 1) + 1)) % count);
        if (other != shape && !gjb_spoiling_ends(isolated->contender, isolated->backend, scene, other))
            return other;
    }
    return GJB_NO_SHAPE;
}

/* It came to its end while it prepared. 1 if it may be tried again, without the shape that did it. */
static int go_on_without(gjb_isolated *isolated, gjb_end end)
{
    const gjb_scene *scene = &isolated->shared->scene;
    gjb_end alone = end;
    uint32_t by = GJB_NO_SHAPE;
    if (end.what == GJB_HUNG)
        gjb_hangs_count_preparing(isolated->contender, 1);
    const uint32_t shape = gjb_spoiling_find(isolated->contender, isolated->backend, scene, &alone);
    if (shape != GJB_NO_SHAPE)
        by = find_stand_in(isolated, shape);
    if (gjb_child_stopped())
        return 0;
    add_preparing(isolated, shape == GJB_NO_SHAPE ? end : alone, shape);
    if (by == GJB_NO_SHAPE && end.what == GJB_HUNG)
        gjb_hangs_count_preparing(isolated->contender, GJB_PREPARE_HANGS_MAX);
    return by != GJB_NO_SHAPE && isolated->spoiling_count < SPOILING_MAX &&
           leave_out_shape(isolated, shape, by, alone.what) == 0;
}

/* A fork from a process of many threads may, once in a long while, find a lock
 * held: only what repeats is the contender's. Of hangs that takes too long. */
static gjb_reply try_to_start(gjb_isolated *isolated, gjb_end *end, gjb_error *error)
{
    gjb_error own = {""};
    *end = (gjb_end){.what = GJB_CRASHED};
    for (int i = 0; i < STARTS && end->what != GJB_HUNG && end->what != GJB_UNPREPARED; i++) {
        const gjb_reply reply = gjb_child_start(isolated->child, end, error != NULL ? error : &own);
        if (reply == GJB_REPLY_OK)
            look_at_floats(isolated, GJB_INTERSECT, 0);
        if (reply == GJB_REPLY_OK || reply == GJB_REPLY_STOPPED || (reply == GJB_REPLY_REFUSED && error != NULL))
            return reply;
    }
    return GJB_REPLY_ENDED;
}

static gjb_reply start(gjb_isolated *isolated, gjb_error *error)
{
    gjb_reply reply = GJB_REPLY_ENDED;
    gjb_end end = {.what = GJB_HUNG};
    int again = isolated->child != NULL && (isolated->prepared_once || !gjb_hangs_too_often(isolated->contender));
    if (!again)
        add_preparing(isolated, end, GJB_NO_SHAPE);
    while (again && (reply = try_to_start(isolated, &end, error)) == GJB_REPLY_ENDED)
        again = go_on_without(isolated, end);
    if (gjb_child_stopped() && reply == GJB_REPLY_ENDED)
        return GJB_REPLY_STOPPED;
    if (reply == GJB_REPLY_ENDED)
        give_up(isolated);
    isolated->prepared_once |= reply == GJB_REPLY_OK;
    return reply;
}

/* 0, or -1 out of memory. */
static int note_claims(gjb_isolated *isolated)
{
    const gjb_shapes *shapes = &isolated->shared->scene.shapes;
    const gjb_contender *c = isolated->contender;
    uint32_t claimed = 0, unbounded = 0;
    isolated->claimed = malloc(shapes->count + 1u);
    if (isolated->claimed == NULL)
        return -1;
    for (uint32_t i = 0; i < shapes->count; i++) {
        isolated->claimed[i] = c->kinds >> shapes->kind[i] & 1 && shapes->row_count[i] <= c->max_vertices;
        claimed += isolated->claimed[i];
        unbounded += gjb_is_unbounded(shapes->kind[i]);
    }
    if (claimed == shapes->count && unbounded == 0) { /* no one is asked about two half-spaces */
        free(isolated->claimed);
        isolated->claimed = NULL;
    }
    return 0;
}

gjb_isolated *gjb_isolated_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                                uint32_t threads, gjb_error *error)
{
    gjb_isolated *isolated = calloc(1, sizeof *isolated);
    if (isolated != NULL) {
        isolated->contender = contender;
        isolated->backend = backend;
        isolated->scene = scene;
        isolated->threads = threads;
        isolated->shared = gjb_shared_acquire(scene, gjb_fork_server_is_on());
        if (isolated->shared != NULL)
            isolated->child =
                gjb_child_new(contender, backend, isolated->shared, threads, (uint64_t)STEP * threads);
    }
    if (isolated == NULL || isolated->child == NULL || note_claims(isolated) != 0) {
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
    gjb_shared_release(isolated->shared);
    gjb_substitutes_free(&isolated->prepared);
    free(isolated->spoiling);
    free(isolated->claimed);
    free(isolated);
}

int gjb_isolated_start(gjb_isolated *isolated, gjb_query query, gjb_start from, gjb_error *error)
{
    gjb_end end;
    int started = 0;
    if (gjb_child_stopped() || gave_up(isolated) || start(isolated, NULL) != GJB_REPLY_OK)
        return 0;
    if (gjb_child_axes(isolated->child, query, from, &started, error, &end) == GJB_REPLY_ENDED)
        add_finding(isolated, end, query, 0, GJB_NO_PAIR, NULL);
    return started;
}

double gjb_isolated_prepare_seconds(const gjb_isolated *isolated)
{
    return isolated->child != NULL ? gjb_child_prepare_seconds(isolated->child) : 0;
}

uint64_t gjb_isolated_float_changes(const gjb_isolated *isolated)
{
    return isolated->child != NULL ? gjb_child_float_changes(isolated->child) : 0;
}

const gjb_finding *gjb_isolated_findings(const gjb_isolated *isolated, size_t *count)
{
    *count = isolated->findings.count;
    return isolated->findings.list;
}

/* --- asking ------------------------------------------------------------------ */

static char *record(const task *t, uint64_t pair)
{
    return t->results + (pair - t->span.first) * t->size;
}

/* Asks for a part of the task. The answers are there until the next request. */
static gjb_reply ask(const task *t, uint64_t first, uint64_t count, const void **answers, gjb_run_stats *stats,
                     gjb_end *end)
{
    gjb_span span = t->span;
    span.first = first;
    span.count = count;
    if (gjb_child_stopped())
        return GJB_REPLY_STOPPED;
    const gjb_reply reply = start(t->isolated, NULL);
    if (reply != GJB_REPLY_OK)
        return reply == GJB_REPLY_ENDED ? GJB_REPLY_REFUSED : reply;
    const gjb_reply ran = gjb_child_run(t->isolated->child, &span, t->poison, stats != NULL, answers, stats, end);
    if (ran == GJB_REPLY_OK)
        t->isolated->findings.in_a_row = 0;
    return ran;
}

/* Which pairs leave the floats changed: the same child is asked again, one by one. What it then answers is
 * not kept, for an earlier pair may have changed the way that these were rounded. */
static void trace_floats(task *t, uint64_t first, uint64_t count)
{
    const size_t *kept = &t->isolated->findings.mild[GJB_CHANGED_FLOATS][t->span.query], known = *kept;
    const gjb_end changed = {.what = GJB_CHANGED_FLOATS};
    gjb_reply reply = GJB_REPLY_OK;
    for (uint64_t i = 0; i < count && reply == GJB_REPLY_OK && *kept < GJB_MILD_MAX; i++) {
        const void *answers;
        gjb_end end;
        reply = ask(t, first + i, 1, &answers, NULL, &end);
        if (reply == GJB_REPLY_OK && floats_changed(t->isolated))
            add_finding(t->isolated, changed, t->span.query, t->span.frame, first + i, t->stats);
        else if (reply == GJB_REPLY_ENDED)
            add_finding(t->isolated, end, t->span.query, t->span.frame, GJB_NO_PAIR, NULL);
    }
    if (*kept == known && reply == GJB_REPLY_OK)
        add_finding(t->isolated, changed, t->span.query, t->span.frame, GJB_NO_PAIR, NULL);
}

/* Threads write next to each other, with no guard between: a record that is missing from a run of several, and there
 * when its pair is asked for alone, was another thread's to lose. */
static void look_again(task *t, uint64_t first, uint64_t count)
{
    const gjb_shapes *shapes = &t->isolated->shared->scene.shapes;
    int lost = 0;
    for (uint64_t pair = first; pair < first + count; pair++) {
        const void *again;
        gjb_end end;
        if (gjb_count_unwritten(t->span.query, (gjb_precision)shapes->precision, shapes->dim, record(t, pair), 1) == 0)
            continue;
        if (ask(t, pair, 1, &again, NULL, &end) != GJB_REPLY_OK)
            return;
        lost |= gjb_count_unwritten(t->span.query, (gjb_precision)shapes->precision, shapes->dim, again, 1) == 0;
        memcpy(record(t, pair), again, t->size);
    }
    if (lost)
        add_finding(t->isolated, (gjb_end){.what = GJB_WROTE_OUTSIDE}, t->span.query, t->span.frame, GJB_NO_PAIR, NULL);
}

/* What came back goes to its place, and is looked at. */
static gjb_reply answer(task *t, uint64_t first, uint64_t count, gjb_end *end)
{
    const gjb_shapes *shapes = &t->isolated->shared->scene.shapes;
    gjb_run_stats stats;
    const void *answers;
    const gjb_reply reply = ask(t, first, count, &answers, t->stats != NULL ? &stats : NULL, end);
    if (reply != GJB_REPLY_OK)
        return reply;
    memcpy(record(t, first), answers, count * t->size);
    if (t->stats != NULL)
        gjb_run_stats_add(&t->stats->run, &stats);
    if (t->poison && t->isolated->threads > 1 && count > 1)
        look_again(t, first, count);
    if (t->poison)
        gjb_findings_look(&t->isolated->findings, t->span.query, (gjb_precision)shapes->precision, shapes->dim,
                          t->span.frame, first, count, record(t, first), t->stats);
    if (floats_changed(t->isolated) && t->poison)
        trace_floats(t, first, count);
    return GJB_REPLY_OK;
}

static void leave_poisoned(task *t, uint64_t first, uint64_t count)
{
    memset(record(t, first), GJB_POISON, count * t->size);
}

static void leave_out(task *t, uint64_t first, uint64_t count)
{
    memset(record(t, first), GJB_LEFT_OUT, count * t->size);
    if (t->stats != NULL)
        *(gjb_child_stopped() ? &t->stats->interrupted : &t->stats->unasked) += count;
}

/* --- blaming ----------------------------------------------------------------- */

static void blame(task *t, uint64_t pair, gjb_end end)
{
    leave_poisoned(t, pair, 1);
    add_finding(t->isolated, end, t->span.query, t->span.frame, pair, t->stats);
}

/* 1 if a fresh child, asked for the pairs of [first, last] one by one, comes to an end. */
static int ends(const task *t, uint64_t first, uint64_t last, gjb_end *end)
{
    const void *answers;
    gjb_child_stop(t->isolated->child);
    for (uint64_t pair = first; pair <= last; pair++)
        if (ask(t, pair, 1, &answers, NULL, end) == GJB_REPLY_ENDED)
            return 1;
    return 0;
}

/* A fresh child answers [first, last] again, whatever the one before had spoilt. */
static void redo(task *t, uint64_t first, uint64_t last)
{
    const void *answers;
    gjb_end end;
    gjb_child_stop(t->isolated->child);
    for (uint64_t pair = first; pair <= last; pair++)
        if (ask(t, pair, 1, &answers, NULL, &end) == GJB_REPLY_OK)
            memcpy(record(t, pair), answers, t->size);
        else
            leave_out(t, pair, 1);
}

/* The child that answered pairs since `fresh` alone came to its end at `pair`.
 * A fresh one tells whether that pair is guilty or an earlier one, which only
 * then took effect: the last from which on it repeats, found by bisection.
 * GJB_NO_PAIR if it does not. */
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
    return guilty;
}

static void find_guilty(task *t, uint64_t pair, gjb_end end)
{
    gjb_end by = end;
    const uint64_t guilty = end.what == GJB_HUNG ? pair : search(t, pair, &by);
    if (end.what != GJB_HUNG && gjb_child_stopped()) {
        leave_out(t, pair, 1); /* what cut the search short found nothing */
    } else if (guilty != GJB_NO_PAIR) {
        blame(t, guilty, by);
        redo(t, guilty + 1, pair);
    } else {
        add_finding(t->isolated, end, t->span.query, t->span.frame, GJB_NO_PAIR, NULL);
        redo(t, pair, pair);
    }
    gjb_child_stop(t->isolated->child);
    t->fresh = pair + 1;
}

/* Pairs one by one, after the child came to an end on all of them together. */
static void one_by_one(task *t, uint64_t first, uint64_t count, gjb_end together)
{
    const size_t found = t->isolated->findings.ends;
    t->fresh = first;
    for (uint64_t pair = first; pair < first + count; pair++) {
        gjb_end end;
        gjb_reply reply = GJB_REPLY_REFUSED;
        if (!gave_up(t->isolated))
            reply = answer(t, pair, 1, &end);
        if (reply == GJB_REPLY_ENDED)
            find_guilty(t, pair, end);
        else if (reply != GJB_REPLY_OK)
            leave_out(t, pair, 1);
    }
    if (t->isolated->findings.ends == found && !gjb_child_stopped())
        add_finding(t->isolated, together, t->span.query, t->span.frame, GJB_NO_PAIR, NULL);
}

static void settle(task *t, uint64_t first, uint64_t count);

/* The child came to its end on all of them together. Most contenders write record after record, so that the
 * first one missing is of the guilty pair, which then a fresh child's end confirms; if it does not, none
 * is spared. */
static void narrow(task *t, uint64_t first, uint64_t count, gjb_end together)
{
    gjb_span span = t->span;
    gjb_end alone;
    span.first = first;
    span.count = count;
    const uint64_t got_to = t->poison ? gjb_child_got_to(t->isolated->child, &span) : count;
    if (got_to == count || !ends(t, first + got_to, first + got_to, &alone)) {
        one_by_one(t, first, count, together);
        return;
    }
    settle(t, first, got_to); /* first, so that findings come in order */
    blame(t, first + got_to, alone);
    settle(t, first + got_to + 1, count - got_to - 1);
}

/* As many pairs as one request takes, or fewer: answers, blame, or left out. */
static void settle(task *t, uint64_t first, uint64_t count)
{
    gjb_end end;
    if (count == 0)
        return;
    const gjb_reply reply = gave_up(t->isolated) ? GJB_REPLY_REFUSED : answer(t, first, count, &end);
    if (reply == GJB_REPLY_ENDED)
        narrow(t, first, count, end);
    else if (reply != GJB_REPLY_OK)
        leave_out(t, first, count);
}

/* How pairs are treated: asked, declined as the contender does not claim a shape, or left without an answer as it does
 * not live through preparing one: then one more than its gjb_mishap, plus 1. */
enum { DECLINED = 0, ASKED = 1 };

static int treatment(const task *t, uint64_t pair)
{
    const gjb_scene *scene = &t->isolated->shared->scene;
    const uint32_t *bodies = scene->frames[t->span.frame].pairs + 2 * pair;
    const gjb_isolated *isolated = t->isolated;
    int unbounded = 0, how = ASKED;
    for (int i = 0; i < 2; i++) {
        const uint32_t shape = scene->body_shape != NULL ? scene->body_shape[bodies[i]] : bodies[i];
        if (isolated->claimed != NULL && !isolated->claimed[shape])
            return DECLINED;
        if (isolated->spoiling != NULL && isolated->spoiling[shape])
            how = ASKED + isolated->spoiling[shape];
        unbounded += gjb_is_unbounded(isolated->scene->shapes.kind[shape]);
    }
    return unbounded < 2 ? how : DECLINED;
}

/* Of `count` pairs from `first` on, those that are treated as the first one is. */
static uint64_t alike(const task *t, uint64_t first, uint64_t count, int how)
{
    uint64_t run = 1;
    if (t->isolated->claimed == NULL && t->isolated->spoiling == NULL)
        return count;
    while (run < count && treatment(t, first + run) == how)
        run++;
    return run;
}

/* There is a finding about the shape. */
static void leave_unprepared(task *t, uint64_t first, uint64_t count, int how)
{
    leave_poisoned(t, first, count);
    if (t->stats == NULL)
        return;
    const int hung = how == ASKED + 1 + GJB_HUNG;
    t->stats->hung += hung ? count : 0;
    t->stats->hung_preparing += hung ? count : 0;
    t->stats->crashed += hung ? 0 : count;
}

static void decline(task *t, uint64_t first, uint64_t count)
{
    const gjb_head head = {GJB_UNSUPPORTED, 0};
    memset(record(t, first), 0, count * t->size);
    for (uint64_t i = 0; i < count; i++)
        memcpy(record(t, first + i), &head, sizeof head);
    if (t->stats != NULL)
        t->stats->run.pairs += count;
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
    const gjb_shapes *shapes = &isolated->shared->scene.shapes;
    const gjb_precision precision = (gjb_precision)shapes->precision;
    task t = {isolated, *span, poison, results, gjb_result_size(span->query, precision, shapes->dim), stats, 0};
    if (stats != NULL)
        memset(stats, 0, sizeof *stats);
    const uint64_t last = span->first + span->count, step = step_of(&t);
    for (uint64_t at = span->first, count; at < last; at += count) {
        const int how = isolated->claimed == NULL && isolated->spoiling == NULL ? ASKED : treatment(&t, at);
        count = alike(&t, at, last - at < step ? last - at : step, how);
        if (how == ASKED)
            settle(&t, at, count);
        else if (how == DECLINED)
            decline(&t, at, count);
        else
            leave_unprepared(&t, at, count, how);
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
    look_at_floats(isolated, stretch->query, frame);
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
