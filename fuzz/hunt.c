/* Runs a search: islands over targets and threads, failures chosen, shrunk and saved with the closest pairs. */
#include "fuzz/hunt_private.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contenders/isolation/fork_server.h"
#include "fuzz/hunt_json.h"
#include "scenes/hash.h"
#include "verify/verify_private.h"

/* Of the time: until when is searched, and shrunk; the rest is for files. */
static const double search_share = 0.6, shrink_until = 0.9;

typedef struct hunt {
    const gjb_hunt_plan *plan;
    gjb_target *targets;
    size_t target_count;
    gjb_island *islands; /* in the order that they are counted if pairs are; else as they came */
    size_t island_count, island_room;
    _Atomic size_t next, next_failure;
    _Atomic uint64_t pairs_done;
    _Atomic int failed;
    uint32_t running;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    gjb_error error;
    double begin, deadline, slice, searched; /* the last in seconds */
    /* Failures that are none of each other's like, and what became of them. */
    gjb_failure **failures;
    gjb_shrunk *shrunk;
    const gjb_target **failure_of;
    size_t failure_count;
    json_t **told; /* [failure] */
} hunt;

static void give_up(hunt *h, const gjb_error *error)
{
    pthread_mutex_lock(&h->lock);
    if (!h->error.text[0])
        h->error = *error;
    pthread_mutex_unlock(&h->lock);
    h->failed = 1;
}

static int stopped(const hunt *h)
{
    return h->failed || (h->plan->stop && *h->plan->stop);
}

/* ---- targets ---- */

static uint64_t key_of(const gjb_target *t)
{
    char name[GJB_FAILURE_NAME];
    const int n =
        snprintf(name, sizeof name, "%s|%s|%u|%s", t->ask.contender->name, gjb_queries[t->ask.query].name,
                 (unsigned)t->dim, gjb_precision_name(t->precision));
    return gjb_fingerprint(name, 1, (size_t)n, (size_t)n, 0);
}

/* Has the plan a workload and a family that the query is about? */
static int has_pairs(const gjb_hunt_plan *plan, uint32_t dim, gjb_query query)
{
    for (size_t w = 0; w < plan->workload_count; w++)
        for (size_t f = 0; f < plan->family_count; f++)
            if (plan->workloads[w].dim == dim &&
                gjb_family_has(plan->families[f], dim, plan->workloads[w].name) &&
                gjb_query_meets(query, plan->families[f]->moving) &&
                !(plan->leaving && gjb_queries[query].has_leaving && !gjb_family_leaves(plan->families[f])))
                return 1;
    return 0;
}

static void add_target(hunt *h, size_t first, size_t last, uint32_t dim, gjb_precision precision,
                       gjb_query query)
{
    const gjb_hunt_plan *plan = h->plan;
    gjb_target *t = &h->targets[h->target_count];
    *t = (gjb_target){.ask = {.contender = plan->entries[first].contender, .query = query},
                      .dim = dim,
                      .precision = precision};
    for (size_t e = last + 1; e-- > first && t->ask.backend_count < sizeof t->backends / sizeof *t->backends;)
        t->backends[t->ask.backend_count++] = plan->entries[e].backend;
    t->key = key_of(t);
    h->target_count++;
}

static int make_targets(hunt *h, gjb_error *error)
{
    const gjb_hunt_plan *plan = h->plan;
    h->targets = calloc(plan->entry_count * GJB_QUERIES * GJB_PRECISIONS * 2 + 1, sizeof *h->targets);
    if (!h->targets)
        return gjb_fail(error, "out of memory");
    for (size_t first = 0, last; first < plan->entry_count; first = last + 1) {
        const gjb_contender *who = plan->entries[first].contender;
        for (last = first; last + 1 < plan->entry_count && plan->entries[last + 1].contender == who;)
            last++;
        for (uint32_t dim = 2; dim <= 3; dim++)
            for (int p = 0; p < GJB_PRECISIONS; p++)
                for (int q = 0; q < GJB_QUERIES; q++)
                    if (who->dims >> dim & 1 && who->precisions & plan->precisions & 1u << p &&
                        who->queries & plan->queries & 1u << q && has_pairs(plan, dim, (gjb_query)q))
                        add_target(h, first, last, dim, (gjb_precision)p, (gjb_query)q);
    }
    for (size_t t = 0; t < h->target_count; t++)
        h->targets[t].ask.backends = h->targets[t].backends;
    return h->target_count
               ? 0
               : gjb_fail(
                     error,
                     "nothing to search: no selected contender, query, precision and dimension go together");
}

/* ---- islands ---- */

static int dealt(const gjb_hunt_plan *plan, size_t target, uint64_t number)
{
    const uint64_t shards = plan->shards ? plan->shards : 1;
    return (target % shards + number % shards) % shards == plan->shard;
}

static uint64_t island_size(const gjb_hunt_plan *plan)
{
    return plan->island ? plan->island : GJB_HUNT_ISLAND;
}

/* Where pairs are counted: all islands of the shard, round-robin over targets. */
static int make_islands(hunt *h, gjb_error *error)
{
    const uint64_t of = island_size(h->plan), each = (h->plan->pairs + of - 1) / of;
    h->island_room = (size_t)(each * h->target_count) + 1;
    h->islands = calloc(h->island_room, sizeof *h->islands);
    if (!h->islands)
        return gjb_fail(error, "out of memory");
    for (uint64_t i = 0; i < each; i++)
        for (size_t t = 0; t < h->target_count; t++)
            if (dealt(h->plan, t, i))
                h->islands[h->island_count++] = (gjb_island){.target = t, .number = i};
    return 0;
}

static uint64_t pairs_in(const gjb_hunt_plan *plan, uint64_t number)
{
    const uint64_t left = plan->pairs - number * island_size(plan);
    return left < island_size(plan) ? left : island_size(plan);
}

/* Where time is: the next island of the shard, whose room is made under the lock. */
static int claim_timed(hunt *h, gjb_island *island)
{
    size_t at;
    int over;
    do { /* of many shards this one's are far between */
        at = h->next++;
        over = stopped(h) || gjb_verify_now() >= h->deadline;
    } while (!over && !dealt(h->plan, at % h->target_count, at / h->target_count));
    *island = (gjb_island){.target = at % h->target_count, .number = at / h->target_count};
    return !over;
}

static int add_timed(hunt *h, const gjb_island *island)
{
    pthread_mutex_lock(&h->lock);
    if (h->island_count == h->island_room) {
        const size_t room = h->island_room ? 2 * h->island_room : 64;
        gjb_island *more = realloc(h->islands, room * sizeof *more);
        if (!more) {
            pthread_mutex_unlock(&h->lock);
            return -1;
        }
        h->islands = more;
        h->island_room = room;
    }
    h->islands[h->island_count++] = *island;
    pthread_mutex_unlock(&h->lock);
    return 0;
}

static void search_counted(hunt *h, gjb_error *error)
{
    for (size_t i; !stopped(h) && (i = h->next++) < h->island_count;) {
        gjb_island *island = &h->islands[i];
        if (gjb_island_run(island, h->plan, &h->targets[island->target], pairs_in(h->plan, island->number), 0,
                           error))
            give_up(h, error);
        h->pairs_done += island->pairs;
    }
}

static void search_timed(hunt *h, gjb_error *error)
{
    for (gjb_island island; claim_timed(h, &island);) {
        const double until = gjb_verify_now() + h->slice;
        if (gjb_island_run(&island, h->plan, &h->targets[island.target], UINT64_MAX, fmin(until, h->deadline),
                           error) ||
            add_timed(h, &island))
            give_up(h, error);
        h->pairs_done += island.pairs;
    }
}

/* ---- failures ---- */

/* What is left is for all that is left; but so little would make nothing smaller, and is for the first of
 * them. */
static double share_of_time(const hunt *h, double left, size_t i)
{
    const uint32_t threads = h->plan->threads ? h->plan->threads : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    return fmax(0.5, left * threads / (double)(h->failure_count - i));
}

static void shrink_one(hunt *h, size_t i, gjb_error *error)
{
    const gjb_failure *f = h->failures[i];
    const gjb_target *t = h->failure_of[i];
    gjb_shrunk *s = &h->shrunk[i];
    /* Asked again alone the pair may come out otherwise, for example of a contender that remembers. It is kept as found
     * then. */
    const int timed = h->plan->pairs == 0, hung = f->outcome.symptom == GJB_SYMPTOM_MISHAP + GJB_HUNG;
    const double left = h->deadline - gjb_verify_now();
    const gjb_shrink_plan plan = {.ask = t->ask,
                                  .most = h->plan->shrink_most,
                                  .stop = h->plan->stop,
                                  .seconds = timed ? fmin(left, share_of_time(h, left, i)) : hung ? 60 : 0};
    int code = h->plan->as_found || (timed && left <= 0) ? 1 : gjb_shrink(&plan, f->pair, s, error);
    if (code == 1) {
        *s = (gjb_shrunk){
            .pair = gjb_scene_extract(f->pair, 0, 0), .outcome = f->outcome, .before = f->outcome};
        code = s->pair ? 0 : gjb_fail(error, "out of memory");
    }
    if (code)
        give_up(h, error);
}

static void *work(void *argument)
{
    hunt *h = argument;
    gjb_error error = {{0}};
    if (h->failures)
        for (size_t i; !h->failed && (i = h->next_failure++) < h->failure_count;)
            shrink_one(h, i, &error);
    else if (h->plan->pairs)
        search_counted(h, &error);
    else
        search_timed(h, &error);
    pthread_mutex_lock(&h->lock);
    h->running--;
    pthread_cond_signal(&h->ended);
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

static void tell_progress(hunt *h, int done)
{
    if (h->failures && h->plan->shrinking)
        h->plan->shrinking(done                                 ? h->failure_count
                           : h->next_failure < h->failure_count ? h->next_failure
                                                                : h->failure_count,
                           h->failure_count);
    if (!h->plan->progress || h->failures)
        return;
    uint64_t total = 0;
    for (size_t i = 0; i < h->island_count && h->plan->pairs; i++)
        total += pairs_in(h->plan, h->islands[i].number);
    if (h->plan->pairs && (done || h->pairs_done > 0)) /* none yet: it may turn out that there is nothing to search */
        h->plan->progress(done ? total : h->pairs_done, total);
    else if (!h->plan->pairs)
        h->plan->progress((uint64_t)(1e3 * (done ? h->deadline - h->begin
                                                 : fmin(gjb_verify_now(), h->deadline) - h->begin)),
                          (uint64_t)(1e3 * (h->deadline - h->begin)));
}

/* Threads at work until all have ended. */
static int run_threads(hunt *h, gjb_error *error)
{
    const uint32_t wanted = h->plan->threads ? h->plan->threads : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t *threads = calloc(wanted, sizeof *threads);
    uint32_t started = 0;
    sigset_t every, saved;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &saved);
    h->running = wanted;
    for (; threads && started < wanted; started++)
        if (pthread_create(&threads[started], NULL, work, h))
            break;
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    pthread_mutex_lock(&h->lock);
    h->running -= wanted - started;
    while (h->running) {
        struct timespec wake;
        clock_gettime(CLOCK_REALTIME, &wake);
        wake.tv_nsec += 200000000;
        wake.tv_sec += wake.tv_nsec / 1000000000;
        wake.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&h->ended, &h->lock, &wake);
        pthread_mutex_unlock(&h->lock);
        tell_progress(h, 0);
        pthread_mutex_lock(&h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    tell_progress(h, 1);
    free(threads);
    return started && threads ? 0 : gjb_fail(error, "cannot start a thread");
}

static int by_target_and_number(const void *left, const void *right)
{
    const gjb_island *a = left, *b = right;
    return a->target != b->target ? (a->target > b->target) - (a->target < b->target)
                                  : (a->number > b->number) - (a->number < b->number);
}

/* The first of each kind of failure, by island and pair. */
static int choose_failures(hunt *h, gjb_error *error)
{
    size_t room = 1;
    for (size_t i = 0; i < h->island_count; i++)
        room += h->islands[i].failure_count;
    h->failures = calloc(room, sizeof(gjb_failure *));
    h->failure_of = calloc(room, sizeof(gjb_target *));
    h->shrunk = calloc(room, sizeof *h->shrunk);
    h->told = calloc(room, sizeof(json_t *));
    if (!h->failures || !h->failure_of || !h->shrunk || !h->told)
        return gjb_fail(error, "out of memory");
    for (size_t i = 0; i < h->island_count; i++)
        for (size_t f = 0; f < h->islands[i].failure_count; f++) {
            const gjb_target *t = &h->targets[h->islands[i].target];
            int known = 0;
            for (size_t k = 0; k < h->failure_count && !known; k++)
                known =
                    h->failure_of[k] == t && gjb_failure_alike(h->failures[k], &h->islands[i].failures[f]);
            if (known)
                continue;
            h->failure_of[h->failure_count] = t;
            h->failures[h->failure_count++] = &h->islands[i].failures[f];
        }
    return 0;
}

/* ---- files ---- */

static int make_folder(const char *path, gjb_error *error)
{
    return mkdir(path, 0777) && errno != EEXIST ? gjb_fail(error, "%s: %s", path, strerror(errno)) : 0;
}

static int tell_failure(hunt *h, size_t i, json_t *failures, gjb_error *error)
{
    const gjb_target *t = h->failure_of[i];
    const gjb_shrunk *s = &h->shrunk[i];
    char name[GJB_FAILURE_NAME], line[GJB_FAILURE_LINE];
    if (!s->pair)
        return gjb_fail(error, "out of memory");
    gjb_failure_name(&t->ask, gjb_symptom_name(s->outcome.symptom), s->pair, name);
    gjb_failure_line(&t->ask, s->pair, &s->outcome, line);
    h->told[i] = gjb_hunt_failure_json(t, h->failures[i], s, line, h->plan->out ? name : NULL);
    return h->told[i] && !json_array_append_new(failures, h->told[i]) ? 0 : gjb_fail(error, "out of memory");
}

/* One file less: what a search of hours found is more than that. */
static void do_without(hunt *h, const gjb_error *why)
{
    if (h->plan->unwritten)
        h->plan->unwritten(h->plan->context, why->text);
}

static void keep_failure(hunt *h, size_t i)
{
    gjb_error error = {{0}};
    const gjb_target *t = h->failure_of[i];
    const gjb_shrunk *s = &h->shrunk[i];
    char name[GJB_FAILURE_NAME], stem[4096], path[4200], line[GJB_FAILURE_LINE];
    gjb_failure_name(&t->ask, gjb_symptom_name(s->outcome.symptom), s->pair, name);
    gjb_failure_line(&t->ask, s->pair, &s->outcome, line);
    if (!h->plan->out)
        return;
    snprintf(stem, sizeof stem, "%s/%s", h->plan->out, name);
    snprintf(path, sizeof path, "%s.json", stem);
    if (!json_is_null(json_object_get(h->told[i], "same_as"))) { /* the same pair has a file already */
        json_object_set_new(h->told[i], "file", json_null());
        return;
    }
    if (make_folder(h->plan->out, &error) || gjb_failure_save(&t->ask, s->pair, &s->outcome, path, &error)) {
        json_object_set_new(h->told[i], "file", json_null());
        do_without(h, &error);
        return;
    }
    snprintf(path, sizeof path, "%s.c", stem);
    if (gjb_reproducer_save(&t->ask, s->pair, &s->outcome, path, &error))
        do_without(h, &error);
    if (h->plan->found)
        h->plan->found(h->plan->context, &(gjb_hunt_found){&t->ask, s->pair, &s->outcome, line, stem});
}

/* A pair that is no failure, with its note; `name` takes its file, or "". */
static void keep_pair(hunt *h, const gjb_target *t, gjb_scene *pair, const char *what,
                      char name[GJB_FAILURE_NAME])
{
    char path[4200];
    gjb_error error = {{0}};
    *name = 0;
    if (!h->plan->out)
        return;
    gjb_failure_name(&t->ask, what, pair, name);
    snprintf(path, sizeof path, "%s/%s.json", h->plan->out, name);
    snprintf(pair->query, sizeof pair->query, "%s", gjb_queries[t->ask.query].name);
    if (make_folder(h->plan->out, &error) || gjb_scene_save_json(pair, path, &error)) {
        *name = 0;
        do_without(h, &error);
    }
}

/* The pair that came closest to breaking a bound, of each target. */
static void keep_closest(hunt *h, const gjb_target *t, const gjb_island *best, char name[GJB_FAILURE_NAME])
{
    *name = 0;
    if (!best || !best->closest_pair)
        return;
    snprintf(best->closest_pair->note, sizeof best->closest_pair->note,
             "%s is right about it, and uses %.3g of the tolerance", t->ask.contender->name, best->closest);
    keep_pair(h, t, best->closest_pair, "closest", name);
}

/* How many pairs of a target were too slow to judge, and the first. */
static void tell_slow(hunt *h, const gjb_target *t, uint64_t count, const gjb_island *first, json_t *row)
{
    char name[GJB_FAILURE_NAME] = "";
    if (!first)
        return;
    snprintf(first->slow_pair->note, sizeof first->slow_pair->note,
             "too slow to judge: its truth took more than a pair has");
    keep_pair(h, t, first->slow_pair, "too-slow", name);
    json_object_set_new(row, "too_slow", json_integer((json_int_t)count));
    json_object_set_new(row, "too_slow_pair",
                        json_pack("{sI sI ss*}", "island", (json_int_t)first->number, "pair",
                                  (json_int_t)first->slow_index, "file", *name ? name : NULL));
}

static json_t *give_results(hunt *h, gjb_error *error)
{
    json_t *rows = json_array(), *failures = json_array();
    int failed = 0, interrupted = 0;
    for (size_t t = 0; t < h->target_count; t++) {
        const gjb_island *best = NULL, *slow = NULL;
        gjb_island sum = {.target = t};
        for (size_t i = 0; i < h->island_count; i++) {
            const gjb_island *one = &h->islands[i];
            if (one->target != t)
                continue;
            gjb_hunt_island_add(&sum, one);
            best = one->closest_pair && (!best || one->closest > best->closest) ? one : best;
            slow = slow || !one->slow_pair ? slow : one;
        }
        char name[GJB_FAILURE_NAME];
        keep_closest(h, &h->targets[t], best, name);
        if (!sum.number)
            continue;
        json_t *row = gjb_hunt_row_json(&h->targets[t], &sum, best, name);
        tell_slow(h, &h->targets[t], sum.too_slow, slow, row);
        json_array_append_new(rows, row);
    }
    for (size_t i = 0; i < h->island_count && h->plan->pairs; i++)
        interrupted |= h->islands[i].stopped || !h->islands[i].rounds;
    interrupted |= h->plan->stop && *h->plan->stop;
    for (size_t i = 0; i < h->failure_count && !failed; i++)
        failed = tell_failure(h, i, failures, error);
    gjb_hunt_mark_same(failures);
    for (size_t i = 0; i < h->failure_count && !failed; i++)
        keep_failure(h, i);
    if (failed) {
        json_decref(rows);
        json_decref(failures);
        return NULL;
    }
    return gjb_hunt_json(gjb_hunt_plan_json(h->plan), rows, failures, interrupted,
                         h->searched, gjb_verify_now() - h->begin, error);
}

static int any_failure(const hunt *h)
{
    for (size_t i = 0; i < h->island_count; i++)
        if (h->islands[i].failure_count)
            return 1;
    return 0;
}

static json_t *run(hunt *h, gjb_error *error)
{
    if (make_targets(h, error) || (h->plan->pairs && make_islands(h, error)))
        return NULL;
    const uint32_t threads = h->plan->threads ? h->plan->threads : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    const double mine = (double)h->target_count / (double)(h->plan->shards ? h->plan->shards : 1);
    const double end = h->begin + h->plan->seconds;
    h->deadline = h->plan->as_found ? end : h->begin + search_share * h->plan->seconds;
    h->slice = (h->deadline - h->begin) * threads / (mine > threads ? mine : threads);
    if (run_threads(h, error))
        return NULL;
    if (!h->plan->pairs && !h->plan->as_found && !any_failure(h) &&
        !stopped(h)) { /* none to shrink: search on */
        h->deadline = end;
        if (run_threads(h, error))
            return NULL;
    }
    h->searched = gjb_verify_now() - h->begin;
    h->deadline = h->begin + shrink_until * h->plan->seconds;
    if (h->island_count) /* else there may be no list */
        qsort(h->islands, h->island_count, sizeof *h->islands, by_target_and_number);
    if (!h->failed && !choose_failures(h, error) && h->failure_count)
        run_threads(h, error);
    if (h->error.text[0] || h->failed) {
        gjb_fail(error, "%s", h->error.text[0] ? h->error.text : "out of memory");
        return NULL;
    }
    return give_results(h, error);
}

json_t *gjb_hunt_run(const gjb_hunt_plan *plan, gjb_error *error)
{
    hunt h = {.plan = plan, .begin = gjb_verify_now()};
    pthread_mutex_init(&h.lock, NULL);
    pthread_cond_init(&h.ended, NULL);
    gjb_fork_server_begin();
    json_t *json = run(&h, error);
    gjb_fork_server_end();
    for (size_t i = 0; i < h.island_count; i++)
        gjb_island_free(&h.islands[i]);
    for (size_t i = 0; i < h.failure_count && h.shrunk; i++)
        gjb_scene_free(h.shrunk[i].pair);
    free(h.islands);
    free(h.failures);
    free(h.failure_of);
    free(h.shrunk);
    free(h.told);
    free(h.targets);
    pthread_mutex_destroy(&h.lock);
    pthread_cond_destroy(&h.ended);
    return json;
}
