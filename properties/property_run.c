/* Runs the property table: draws pairs, makes related ones, asks every contender, and holds the answers. */
#include "properties/property_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/isolation/fork_server.h"
#include "verify/verify_private.h"

enum { PER_CHUNK = 96, STRAIGHT = 0, BACKWARDS, SHUFFLED, FRAMES };
static const uint32_t still = GJB_AT_REST_QUERIES, timed = 1u << GJB_SWEEP | 1u << GJB_TOI;

/* Where a workload meets a family. */
typedef struct combo {
    const char *workload;
    const gjb_family *family;
} combo;

typedef struct chunk {
    const gjb_property_plan *plan;
    gjb_property_report *report;
    uint32_t dim;
    gjb_precision precision;
    int moves;
    uint64_t first; /* of the pairs drawn */
    size_t count;
    prop_pair *pairs; /* [PER_CHUNK] */
    combo of[PER_CHUNK];
    double size[PER_CHUNK];
    uint32_t shuffle[PER_CHUNK];
    gjb_scene *drawn;   /* frames: straight, backwards, shuffled */
    prop_group related; /* made without answers */
    prop_group lifted;
    prop_stack stack;
    prop_pair *scratch;
    prop_judge judge;
    void *answers[GJB_QUERIES], *again, *of_related, *of_lifted;
} chunk;

static int stopped(const gjb_property_plan *plan)
{
    return plan->stop && *plan->stop;
}

static int takes(const gjb_property_plan *plan, const gjb_property *row)
{
    return !plan->taken || plan->taken[row - gjb_properties];
}

static int meets(const chunk *c, const gjb_property *row)
{
    return takes(c->plan, row) && row->dims >> c->dim & 1 &&
           row->pairs & (c->moves ? GJB_MOVING_PAIRS : GJB_STILL_PAIRS);
}

/* --- Pairs --- */

static size_t list_combos(const gjb_property_plan *plan, uint32_t dim, int moves, combo *list, size_t room)
{
    size_t count = 0;
    const char *const *names = plan->workloads[dim - 2], *const *bend = gjb_workload_tour_curved(dim);
    for (size_t w = 0; names && names[w]; w++)
        for (size_t f = 0; f < plan->family_count && count < room; f++) {
            const gjb_family *family = plan->families[f];
            int curved = 0;
            for (size_t i = 0; bend[i]; i++)
                curved |= !strcmp(names[w], bend[i]);
            if ((family->moving != GJB_AT_REST) == moves && gjb_family_has(family, dim, names[w]) &&
                gjb_workload_vertices(dim, names[w]) <= GJB_PROPERTY_VERTICES &&
                !(curved && dim == 3 && family->costly))
                list[count++] = (combo){names[w], family};
        }
    return count;
}

/* So that the first few pairs are of many: steps of the golden section. */
static size_t place_in(uint64_t k, size_t count)
{
    size_t step = (size_t)(0.618 * (double)count) | 1, a = step, b = count;
    while (a != 1) { /* coprime */
        for (a = step, b = count; b;) {
            const size_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a != 1)
            step++;
    }
    return (size_t)(k % count * step % count);
}

static int draw(chunk *c, const combo *combos, size_t combo_count, gjb_error *error)
{
    gjb_prop_stack_clear(&c->stack, c->dim, c->precision, c->moves);
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t k = c->first + i;
        c->of[i] = combos[place_in(k, combo_count)];
        const gjb_recipe recipe = {.dim = c->dim,
                                   .workload = c->of[i].workload,
                                   .family = c->of[i].family->name,
                                   .seed = c->plan->seed,
                                   .precision = c->precision,
                                   .first = k / combo_count,
                                   .pairs = 1};
        gjb_scene *one = gjb_generate(&recipe, error);
        if (!one)
            return -1;
        gjb_prop_pair_get(one, 0, &c->pairs[i]);
        gjb_prop_judge_forget(&c->judge);
        c->size[i] = gjb_prop_size(&c->judge, one, 0, c->moves);
        gjb_scene_free(one);
        if (gjb_prop_stack_push(&c->stack, &c->pairs[i]))
            return gjb_fail(error, "properties: out of memory");
    }
    gjb_random random = gjb_random_make(c->plan->seed, 0x73687566, c->first);
    for (uint32_t i = 0; i < c->count; i++)
        c->shuffle[i] = i;
    for (uint32_t i = (uint32_t)c->count; i-- > 1;) {
        const uint32_t j = gjb_random_below(&random, i + 1), was = c->shuffle[i];
        c->shuffle[i] = c->shuffle[j];
        c->shuffle[j] = was;
    }
    gjb_prop_judge_forget(&c->judge);
    c->drawn = gjb_prop_stack_scene(&c->stack, error);
    if (!c->drawn)
        return -1;
    for (uint32_t f = BACKWARDS; f < FRAMES; f++) {
        if (gjb_scene_add_frame(c->drawn, c->count) != f)
            return gjb_fail(error, "properties: out of memory");
        memcpy(c->drawn->frames[f].poses, c->drawn->frames[0].poses,
               c->drawn->body_count * gjb_pose_size(c->precision, c->dim));
        if (gjb_verify_copy_motions(c->drawn, 0, f))
            return gjb_fail(error, "properties: out of memory");
        for (size_t i = 0; i < c->count; i++)
            memcpy(c->drawn->frames[f].pairs + 2 * i,
                   c->drawn->frames[0].pairs + 2 * (f == BACKWARDS ? c->count - 1 - i : c->shuffle[i]),
                   2 * sizeof(uint32_t));
    }
    return 0;
}

/* Makes the related pairs of one row and pair into the stack, and claims of them into the group; query -1: any. */
static int relate(chunk *c, prop_group *group, const gjb_property *row, size_t i, const gjb_drawn *from,
                  int query)
{
    uint32_t made[8];
    for (unsigned which = 0; which < row->related; which++) {
        gjb_random random =
            gjb_random_make(c->plan->seed ^ (uint64_t)(row - gjb_properties) << 32, 0x70726f70, c->first + i);
        gjb_related to = {
            .pair = c->scratch, .claim = PROP_SAME, .against = -1, .scale = 1, .query = -1, .time_scale = 1};
        made[which] = UINT32_MAX;
        *c->scratch = c->pairs[i];
        if (!row->make(from, which, &random, &to) || gjb_prop_round(c->scratch) || !isfinite(to.off))
            continue;
        if (to.against >= 0 && made[to.against] == UINT32_MAX)
            continue;
        if (group->count == group->capacity) {
            const size_t capacity = 2 * group->capacity + 1024;
            prop_claimed *more = realloc(group->list, capacity * sizeof *more);
            if (!more)
                return -1;
            group->list = more;
            group->capacity = capacity;
        }
        for (size_t k = group->count; to.against >= 0 && k-- > 0;)
            if (group->list[k].at == made[to.against]) { /* both are rounded */
                to.off += group->list[k].to.off;
                break;
            }
        to.dim = c->scratch->dim;
        to.pair = NULL;
        made[which] = (uint32_t)c->stack.count;
        group->list[group->count++] =
            (prop_claimed){.to = to,
                           .row = row,
                           .base = (uint32_t)i,
                           .at = made[which],
                           .against = to.against < 0 ? UINT32_MAX : made[to.against],
                           .query = query};
        if (gjb_prop_stack_push(&c->stack, c->scratch))
            return -1;
    }
    return 0;
}

static int finish_group(chunk *c, prop_group *group, gjb_error *error)
{
    group->pairs = c->stack.count;
    if (!group->pairs)
        return 0;
    group->scene = gjb_prop_stack_scene(&c->stack, error);
    return !group->scene || gjb_scene_check(group->scene, "properties", error) ? -1 : 0;
}

static int make_related(chunk *c, gjb_error *error)
{
    for (int lifts = 0; lifts < 2; lifts++) {
        prop_group *group = lifts ? &c->lifted : &c->related;
        gjb_prop_stack_clear(&c->stack, lifts ? 3 : c->dim, c->precision, c->moves);
        for (size_t r = 0; r < gjb_property_count; r++) {
            const gjb_property *row = &gjb_properties[r];
            if (row->way != GJB_BY_RELATED || row->lifts != lifts || !meets(c, row))
                continue;
            for (size_t i = 0; i < c->count && !stopped(c->plan); i++) {
                const gjb_drawn from = {.pair = &c->pairs[i],
                                        .size = c->size[i],
                                        .epsilon = gjb_epsilon(c->precision),
                                        .moves = c->moves};
                if (relate(c, group, row, i, &from, -1))
                    return gjb_fail(error, "properties: out of memory");
            }
        }
        if (finish_group(c, group, error))
            return -1;
    }
    return 0;
}

/* --- Answers --- */

/* 1 when all of them were asked. */
static int ask(gjb_session *session, gjb_query query, uint32_t frame, uint64_t first, uint64_t count,
               uint64_t call, void *records, size_t size)
{
    gjb_session_stats stats;
    gjb_session_run(session, query, frame, first, count, call, 1, (char *)records + first * size, &stats);
    return !stats.interrupted;
}

static gjb_result result_of(const chunk *c, gjb_query query, uint32_t dim, const void *records, uint64_t i)
{
    return gjb_result_get(query, c->precision, dim, records, i);
}

static prop_answer drawn_answer(const chunk *c, gjb_query query, uint32_t i)
{
    return (prop_answer){c->drawn, i, query, result_of(c, query, c->dim, c->answers[query], i)};
}

static void note_slow(chunk *c, gjb_property_tally *t, const prop_case *seen)
{
    const combo *of = &c->of[seen->drawn.index % PER_CHUNK];
    t->too_slow++;
    if (!c->report->too_slow_first[0])
        snprintf(c->report->too_slow_first, sizeof c->report->too_slow_first, "pair %llu of %uD %s %s, %s",
                 (unsigned long long)(c->first + seen->drawn.index), (unsigned)c->dim, of->workload,
                 of->family->name, gjb_precision_name(c->precision));
}

static void count_finding(chunk *c, size_t entry, const gjb_property *row, gjb_query query,
                          const prop_finding *found, const prop_case *seen)
{
    gjb_property_tally *t =
        gjb_property_at(c->report, entry, (size_t)(row - gjb_properties), c->dim, c->precision, query);
    const int too_slow = c->judge.too_slow;
    c->judge.too_slow = 0;
    if (found->verdict == PROP_SKIPPED || stopped(c->plan)) /* a truth that is cut says less than it might */
        return;
    if (too_slow)
        note_slow(c, t, seen);
    if (found->verdict == PROP_MUTE) {
        t->mute++;
        return;
    }
    t->checked++;
    t->ungraded += found->verdict == PROP_UNGRADED;
    if (found->worst_eps > t->worst_eps)
        t->worst_eps = found->worst_eps;
    if (found->verdict != PROP_VIOLATED)
        return;
    t->violated++;
    if (c->plan->out && t->saved < GJB_PROPERTY_SAVED) {
        const combo *of = &c->of[seen->drawn.index % PER_CHUNK];
        t->saved += !gjb_prop_case_save(c->plan, &c->plan->entries[entry], row, of->workload,
                                        of->family->name, c->first + seen->drawn.index, found, seen);
    }
}

static int asked_of(const gjb_property_entry *entry, const gjb_property_plan *plan, gjb_query query)
{
    return entry->contender->queries >> query & 1 && plan->queries >> query & 1;
}

static gjb_session *open_on(const gjb_property_entry *entry, const gjb_scene *scene, uint32_t threads,
                            gjb_error *error)
{
    return gjb_session_open(entry->contender, entry->backend, scene, threads, error);
}

/* Answers to a group, and what comes of its claims. */
static int hold_group(chunk *c, size_t e, prop_group *group, uint32_t dim, void *records, gjb_error *error)
{
    const gjb_property_entry *entry = &c->plan->entries[e];
    if (!group->count || !(entry->contender->dims >> dim & 1))
        return 0;
    gjb_session *session = open_on(entry, group->scene, 1, error);
    if (!session)
        return -1;
    for (int q = 0; q < GJB_QUERIES; q++) {
        const size_t size = gjb_result_size((gjb_query)q, c->precision, dim);
        size_t done = 0; /* claims before this one are asked about */
        int whole = 1;
        for (size_t k = 0; k < group->count && whole && !stopped(c->plan); k++) {
            const prop_claimed *claim = &group->list[k];
            const int drawn_query = claim->query < 0 ? q : claim->query;
            const int related_query = claim->to.query < 0 ? drawn_query : claim->to.query;
            if (related_query != q || !(claim->row->queries >> drawn_query & 1) ||
                !asked_of(entry, c->plan, (gjb_query)drawn_query) || !(entry->contender->queries >> q & 1) ||
                !((c->moves ? timed : still) >> drawn_query & 1))
                continue;
            if (k >= done) { /* a run of claims that are asked the same lies in a run of pairs */
                for (done = k + 1; done < group->count && group->list[done].row == claim->row &&
                                   group->list[done].query == claim->query;)
                    done++;
                whole = ask(session, (gjb_query)q, 0, claim->at, group->list[done - 1].at - claim->at + 1, 0,
                            records, size);
                if (!whole)
                    break;
            }
            if (!gjb_query_meets((gjb_query)drawn_query, c->of[claim->base].family->moving))
                continue;
            const prop_case seen = {.drawn = drawn_answer(c, (gjb_query)drawn_query, claim->base),
                                    .got = {group->scene, claim->at, (gjb_query)q,
                                            result_of(c, (gjb_query)q, dim, records, claim->at)},
                                    .against_related = claim->against != UINT32_MAX,
                                    .to = &claim->to};
            prop_case full = seen;
            full.other = full.against_related
                             ? (prop_answer){group->scene, claim->against, (gjb_query)q,
                                             result_of(c, (gjb_query)q, dim, records, claim->against)}
                             : full.drawn;
            const prop_finding found =
                gjb_prop_hold(&c->judge, claim->row, &claim->to, &full.drawn, &full.other, &full.got);
            count_finding(c, e, claim->row, (gjb_query)drawn_query, &found, &full);
        }
    }
    gjb_session_close(session);
    return 0;
}

/* What depends on answers is made from them. */
static int hold_followers(chunk *c, size_t e, gjb_error *error)
{
    const gjb_property_entry *entry = &c->plan->entries[e];
    prop_group group = {0};
    int failed = 0;
    gjb_prop_stack_clear(&c->stack, c->dim, c->precision, c->moves);
    for (size_t r = 0; r < gjb_property_count && !failed; r++) {
        const gjb_property *row = &gjb_properties[r];
        if (row->way != GJB_BY_ANSWER || !meets(c, row))
            continue;
        for (int q = 0; q < GJB_QUERIES && !failed; q++)
            for (uint32_t i = 0;
                 i < c->count && row->queries >> q & 1 && asked_of(entry, c->plan, (gjb_query)q) && !failed;
                 i++) {
                const prop_answer answer = drawn_answer(c, (gjb_query)q, i);
                if (!gjb_prop_given(&answer.result) || gjb_prop_stopped(&answer) ||
                    !gjb_query_meets((gjb_query)q, c->of[i].family->moving))
                    continue;
                const gjb_drawn from = {.pair = &c->pairs[i],
                                        .size = c->size[i],
                                        .epsilon = gjb_epsilon(c->precision),
                                        .moves = c->moves,
                                        .said = &answer.result,
                                        .query = (gjb_query)q,
                                        .tolerance = gjb_prop_tolerance(&c->judge, &answer),
                                        .who = entry->contender};
                failed =
                    relate(c, &group, row, i, &from, q) ? gjb_fail(error, "properties: out of memory") : 0;
            }
    }
    void *records = failed || !c->stack.count ? NULL : calloc(c->stack.count, (size_t)GJB_RECORD_MOST);
    if (c->stack.count && !failed)
        failed =
            !records || finish_group(c, &group, error) || hold_group(c, e, &group, c->dim, records, error);
    free(records);
    gjb_prop_group_free(&group);
    gjb_prop_judge_forget(&c->judge);
    return failed ? -1 : 0;
}

/* --- Records --- */

static const gjb_property *row_of(gjb_property_way way)
{
    for (size_t r = 0; r < gjb_property_count; r++)
        if (gjb_properties[r].way == way)
            return &gjb_properties[r];
    return NULL;
}

/* Record i of `again` is of pair at[i], or i. */
static void hold_bytes(chunk *c, size_t e, gjb_property_way way, gjb_query query, const void *again,
                       const uint32_t *at, int reversed)
{
    const size_t size = gjb_result_size(query, c->precision, c->dim);
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t pair = at ? at[i] : reversed ? (uint32_t)c->count - 1 - i : i;
        prop_case seen = {.drawn = drawn_answer(c, query, pair)};
        seen.other = seen.got = seen.drawn;
        seen.got.result = result_of(c, query, c->dim, again, i);
        if (seen.drawn.result.status == GJB_UNSUPPORTED || seen.drawn.result.unasked ||
            seen.got.result.unasked || !gjb_query_meets(query, c->of[pair].family->moving))
            continue;
        const int same =
            !memcmp((const char *)c->answers[query] + pair * size, (const char *)again + i * size, size);
        const double change = fabs(seen.drawn.result.value - seen.got.result.value) /
                              (gjb_epsilon(c->precision) * c->size[pair]);
        const prop_finding found = {same ? PROP_HOLDS : PROP_VIOLATED,
                                    same || !isfinite(change) ? 0 : change};
        count_finding(c, e, row_of(way), query, &found, &seen);
    }
}

static int wants(const chunk *c, gjb_property_way way)
{
    return row_of(way) && meets(c, row_of(way));
}

/* In the session that answered first. */
static void hold_again(chunk *c, size_t e, gjb_session *session, gjb_query q)
{
    static const uint64_t calls[] = {1, 3, 7};
    const size_t size = gjb_result_size(q, c->precision, c->dim);
    if (wants(c, GJB_BY_ORDER) && ask(session, q, BACKWARDS, 0, c->count, 0, c->again, size))
        hold_bytes(c, e, GJB_BY_ORDER, q, c->again, NULL, 1);
    if (wants(c, GJB_BY_LANE) && ask(session, q, SHUFFLED, 0, c->count, 0, c->again, size))
        hold_bytes(c, e, GJB_BY_LANE, q, c->again, c->shuffle, 0);
    for (int k = 0; k < 3 && wants(c, GJB_BY_CALL); k++)
        if (ask(session, q, STRAIGHT, 0, c->count, calls[k], c->again, size))
            hold_bytes(c, e, GJB_BY_CALL, q, c->again, NULL, 0);
}

/* In another: prepared again, on three threads, on the first backend. */
static int hold_elsewhere(chunk *c, size_t e, gjb_property_way way, uint32_t threads, const char *backend,
                          gjb_error *error)
{
    gjb_property_entry entry = c->plan->entries[e];
    if (!wants(c, way) || stopped(c->plan))
        return 0;
    if (backend)
        entry.backend = backend;
    gjb_session *session = open_on(&entry, c->drawn, threads, error);
    if (!session)
        return -1;
    for (int q = 0; q < GJB_QUERIES; q++)
        if (asked_of(&entry, c->plan, (gjb_query)q) && (c->moves ? timed : still) >> q & 1 &&
            ask(session, (gjb_query)q, STRAIGHT, 0, c->count, threads > 1 ? 5 : 0, c->again,
                gjb_result_size((gjb_query)q, c->precision, c->dim)))
            hold_bytes(c, e, way, (gjb_query)q, c->again, NULL, 0);
    gjb_session_close(session);
    return 0;
}

/* What is said to one query, against what is to another. */
static void hold_queries(chunk *c, size_t e, uint32_t answered)
{
    const gjb_property *row = row_of(GJB_BY_QUERY);
    for (int p = 0; p < GJB_QUERIES; p++)
        for (int q = p + 1; q < GJB_QUERIES; q++)
            for (uint32_t i = 0; i < c->count && answered >> p & 1 && answered >> q & 1; i++) {
                const unsigned moving = c->of[i].family->moving;
                if ((gjb_queries[p].moving && !gjb_query_meets((gjb_query)p, moving)) ||
                    (gjb_queries[q].moving && !gjb_query_meets((gjb_query)q, moving)))
                    continue;
                prop_case seen = {.drawn = drawn_answer(c, (gjb_query)p, i),
                                  .got = drawn_answer(c, (gjb_query)q, i)};
                seen.other = seen.drawn;
                const prop_finding found = gjb_prop_agree(&c->judge, &seen.drawn, &seen.got);
                count_finding(c, e, row, (gjb_query)q, &found, &seen);
            }
}

/* --- One of them --- */

static int hold_entry(chunk *c, size_t e, gjb_error *error)
{
    const gjb_property_entry *entry = &c->plan->entries[e];
    uint32_t answered = 0;
    if (!(entry->contender->dims >> c->dim & 1) && !(c->lifted.count && entry->contender->dims >> 3 & 1))
        return 0;
    if (!(entry->contender->precisions >> c->precision & 1) ||
        !(entry->contender->queries & (c->moves ? timed : still)))
        return 0;
    c->judge.who = entry->contender;
    if (entry->contender->dims >> c->dim & 1) {
        gjb_session *session = open_on(entry, c->drawn, 1, error);
        if (!session)
            return -1;
        for (int q = 0; q < GJB_QUERIES; q++) {
            const int at_start = q == GJB_INTERSECT && wants(c, GJB_BY_QUERY);
            if (!asked_of(entry, c->plan, (gjb_query)q) ||
                (!((c->moves ? timed : still) >> q & 1) && !at_start))
                continue;
            if (!ask(session, (gjb_query)q, STRAIGHT, 0, c->count, 0, c->answers[q],
                     gjb_result_size((gjb_query)q, c->precision, c->dim))) {
                gjb_session_close(session);
                return 0;
            }
            answered |= 1u << q;
            /* At once, as a memory may be short. */
            if (wants(c, GJB_BY_REPEAT) && ask(session, (gjb_query)q, STRAIGHT, 0, c->count, 0, c->again,
                                               gjb_result_size((gjb_query)q, c->precision, c->dim)))
                hold_bytes(c, e, GJB_BY_REPEAT, (gjb_query)q, c->again, NULL, 0);
        }
        for (int q = 0; q < GJB_QUERIES; q++)
            if (answered >> q & 1 && (c->moves ? timed : still) >> q & 1)
                hold_again(c, e, session, (gjb_query)q);
        gjb_session_close(session);
        const char *const *backends = entry->contender->backends;
        if (hold_elsewhere(c, e, GJB_BY_SESSION, 1, NULL, error) ||
            hold_elsewhere(c, e, GJB_BY_THREAD, 3, NULL, error) ||
            (backends && backends[1] && hold_elsewhere(c, e, GJB_BY_BACKEND, 1, backends[0], error)))
            return -1;
        if (wants(c, GJB_BY_QUERY))
            hold_queries(c, e, answered);
        if (!stopped(c->plan) &&
            (hold_group(c, e, &c->related, c->dim, c->of_related, error) || hold_followers(c, e, error)))
            return -1;
    }
    if (!stopped(c->plan) && c->lifted.count && !(entry->contender->dims >> c->dim & 1))
        for (int q = 0; q < GJB_QUERIES; q++) /* no answer in the plane, and none is needed */
            memset(c->answers[q], GJB_LEFT_OUT, PER_CHUNK * (size_t)GJB_RECORD_MOST);
    return stopped(c->plan) ? 0 : hold_group(c, e, &c->lifted, 3, c->of_lifted, error);
}

static int open_chunk(chunk *c, gjb_error *error)
{
    int failed = !(c->pairs = calloc(PER_CHUNK, sizeof *c->pairs)) ||
                 !(c->scratch = calloc(1, sizeof *c->scratch)) ||
                 !(c->again = calloc(PER_CHUNK, (size_t)GJB_RECORD_MOST));
    for (int q = 0; q < GJB_QUERIES; q++)
        failed = failed || !(c->answers[q] = calloc(PER_CHUNK, (size_t)GJB_RECORD_MOST));
    return failed ? gjb_fail(error, "properties: out of memory") : 0;
}

static void close_chunk(chunk *c)
{
    free(c->pairs);
    free(c->scratch);
    free(c->again);
    for (int q = 0; q < GJB_QUERIES; q++)
        free(c->answers[q]);
    gjb_prop_stack_free(&c->stack);
    gjb_prop_judge_close(&c->judge);
}

static int run_chunk(chunk *c, const combo *combos, size_t combo_count, uint64_t *done, uint64_t total,
                     gjb_error *error)
{
    c->judge.precision = c->precision;
    gjb_prop_judge_forget(&c->judge);
    int failed = draw(c, combos, combo_count, error) || make_related(c, error);
    if (!failed) {
        c->of_related = calloc(c->related.pairs + 1, (size_t)GJB_RECORD_MOST);
        c->of_lifted = calloc(c->lifted.pairs + 1, (size_t)GJB_RECORD_MOST);
        failed = !c->of_related || !c->of_lifted ? gjb_fail(error, "properties: out of memory") : 0;
    }
    for (size_t e = 0; e < c->plan->entry_count && !failed && !stopped(c->plan); e++) {
        failed = hold_entry(c, e, error);
        (*done)++;
        if (c->plan->progress)
            c->plan->progress(*done, total);
    }
    c->report->drawn += c->count;
    free(c->of_related);
    free(c->of_lifted);
    c->of_related = c->of_lifted = NULL;
    gjb_prop_group_free(&c->related);
    gjb_prop_group_free(&c->lifted);
    gjb_scene_free(c->drawn);
    c->drawn = NULL;
    return failed;
}

static int run_all(gjb_property_report *report, chunk *c, gjb_error *error)
{
    enum { ROOM = 8192 };
    const gjb_property_plan *plan = report->plan;
    combo *combos = malloc(ROOM * sizeof *combos);
    const uint64_t chunks = (plan->pairs + PER_CHUNK - 1) / PER_CHUNK;
    uint64_t done = 0, total = 0;
    int failed = !combos ? gjb_fail(error, "properties: out of memory") : 0;
    /* First how much there is to do, then to do it. */
    for (int doing = 0; doing < 2 && !failed; doing++)
        for (uint32_t dim = 2; dim <= 3; dim++)
            for (int p = 0; p < GJB_PRECISIONS; p++)
                for (int moves = 0; moves < 2 && !failed; moves++) {
                    if (!(plan->dims >> dim & 1) || !(plan->precisions >> p & 1) ||
                        !(plan->queries & (moves ? timed : still)))
                        continue;
                    const size_t count = list_combos(plan, dim, moves, combos, ROOM);
                    total += doing || !count ? 0 : chunks * plan->entry_count;
                    for (uint64_t k = 0; k < chunks && doing && count && !failed && !stopped(plan); k++) {
                        c->dim = dim;
                        c->precision = (gjb_precision)p;
                        c->moves = moves;
                        c->first = k * PER_CHUNK;
                        c->count =
                            plan->pairs - c->first < PER_CHUNK ? (size_t)(plan->pairs - c->first) : PER_CHUNK;
                        failed = run_chunk(c, combos, count, &done, total, error);
                    }
                }
    free(combos);
    if (plan->progress && !failed)
        plan->progress(total, total);
    return failed;
}

gjb_property_report *gjb_property_run(const gjb_property_plan *plan, gjb_error *error)
{
    gjb_property_report *report = calloc(1, sizeof *report);
    chunk *c = calloc(1, sizeof *c);
    int failed = !report || !c ? gjb_fail(error, "properties: out of memory") : 0;
    if (!failed) {
        report->plan = plan;
        report->tallies = calloc(plan->entry_count * gjb_property_count * 2 * GJB_PRECISIONS * GJB_QUERIES,
                                 sizeof *report->tallies);
        *c = (chunk){.plan = plan, .report = report, .stack = {.margin = plan->margin, .within = plan->within}};
        failed = !report->tallies ? gjb_fail(error, "properties: out of memory") : open_chunk(c, error);
    }
    if (!failed) {
        gjb_session_stop_on(plan->stop);
        gjb_fork_server_begin();
        failed = run_all(report, c, error);
        gjb_fork_server_end();
        gjb_session_stop_on(NULL);
        report->interrupted = stopped(plan);
    }
    if (c)
        close_chunk(c);
    free(c);
    if (failed) {
        gjb_property_free(report);
        return NULL;
    }
    return report;
}

void gjb_property_free(gjb_property_report *report)
{
    if (report)
        free(report->tallies);
    free(report);
}
