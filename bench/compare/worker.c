/* The worker's side of a comparison: obeys requests in lines of JSON, and answers and times points. */
#include "bench/compare/worker.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/answers.h"
#include "bench/compare/injected_slowdown.h"
#include "bench/compare/placement.h"
#include "bench/count/callgrind.h"
#include "bench/machine/instructions.h"
#include "core/patience.h"
#include "core/query.h"
#include "scenes/hash.h"

enum {
    LINE = GJB_WORKER_TURNS + 64,
    PATIENCE = 600, /* seconds */
    TICK_MS = 100,
    COUNTED_PAIRS = 4000, /* their counts are the same each time: more would be no surer. A thousandth of it is whole */
};

/* The point at hand. Points of one scene come one after another, and share it. */
typedef struct worker {
    const gjb_plan *plan;
    const gjb_worker_settings *settings;
    gjb_measurement row;
    const gjb_scene *scene; /* as made */
    gjb_scene *made;        /* owned, or NULL: it is a recorded one */
    gjb_scene *converted;   /* a copy in the contender's precision: owned */
    uint64_t hash; /* but of points of a query with a margin (gjb_bench_asks_margin) */
    gjb_session *session; /* NULL: no point is open */
    void *results;
    gjb_stretch stretch; /* of the next block */
    int counter;
} worker;

static void close_session(worker *w)
{
    gjb_session_close(w->session);
    free(w->results);
    w->session = NULL;
    w->results = NULL;
}

static void close_scene(worker *w)
{
    close_session(w);
    gjb_scene_free(w->converted);
    gjb_scene_free(w->made);
    w->converted = w->made = NULL;
    w->scene = NULL;
}

static int open_scene(worker *w, const gjb_bench_case *point, gjb_error *error)
{
    if (w->scene && gjb_bench_case_same_scene(&w->row.point, point))
        return 0;
    close_scene(w);
    w->scene = gjb_bench_case_scene(point, w->settings->library, w->settings->seed, &w->made, error);
    if (w->scene)
        w->hash = gjb_scene_hash_for(w->scene, GJB_PENETRATION);
    return w->scene ? 0 : -1;
}

static const gjb_contender *as_asked(const worker *w, const gjb_contender *contender)
{
    if (w->settings->slow > 0 && contender->ours)
        contender = gjb_slowed(contender, w->settings->slow);
    return gjb_callgrind_here() ? gjb_counted(contender) : contender;
}

/* What times depend on is allocated here, and nowhere else. */
static int open_session(worker *w, gjb_error *error)
{
    const gjb_bench_case *point = &w->row.point;
    close_session(w);
    gjb_scene_free(w->converted);
    w->converted = gjb_scene_convert(w->scene, point->precision);
    if (!w->converted)
        return gjb_fail(error, "%s: out of memory", point->workload);
    w->results = aligned_alloc(64, gjb_bench_result_bytes(point));
    if (!w->results)
        return gjb_fail(error, "out of memory");
    memset(w->results, 0, gjb_bench_result_bytes(point));
    w->session = gjb_session_open(as_asked(w, point->way.contender), point->way.backend, w->converted,
                                  point->threads, error);
    if (!w->session)
        return -1;
    return point->start && gjb_session_start(w->session, point->query, point->start, error) < 0 ? -1 : 0;
}

static int open_point(worker *w, const gjb_bench_case *point, gjb_error *error)
{
    close_session(w);
    if (open_scene(w, point, error))
        return -1;
    w->row = (gjb_measurement){.point = *point, .pairs = gjb_bench_case_pairs(point), .timed_call = point->call};
    w->stretch = (gjb_stretch){.query = point->query, .call = point->call};
    if (open_session(w, error))
        return -1;
    if (!gjb_callgrind_here()) /* which knows functions by the file that they were mapped from */
        gjb_code_fresh(); /* of what runs from here on, code is moved with each place */
    return 0;
}

static json_t *hash_json(uint64_t hash)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return json_string(text);
}

static json_t *open_json(worker *w, size_t index, gjb_error *error)
{
    if (index >= w->plan->count) {
        gjb_fail(error, "open %zu: there are %zu points", index, w->plan->count);
        return NULL;
    }
    if (open_point(w, &w->plan->points[index], error)) {
        close_session(w);
        return NULL;
    }
    const gjb_way *way = &w->row.point.way;
    const gjb_query query = w->row.point.query;
    return json_pack("{sI so sf ss ss}", "pairs", (json_int_t)w->row.pairs, "workload_hash",
                     hash_json(gjb_bench_asks_margin(&w->row.point) ? gjb_scene_hash_for(w->scene, query) : w->hash),
                     "prepared", gjb_session_prepare_seconds(w->session), "contender", way->contender->name,
                     "backend", way->backend ? way->backend : "-");
}

static json_t *move_json(uint64_t seed)
{
    gjb_shuffle_pages(seed);
    return json_pack("{sI}", "code_moved", (json_int_t)gjb_code_move());
}

static json_t *shuffle_json(worker *w, uint64_t seed, gjb_error *error)
{
    const gjb_stretch stretch = w->stretch;
    close_session(w);
    gjb_scene_free(w->converted);
    w->converted = NULL;
    gjb_shuffle_pages(seed);
    const size_t moved = gjb_code_move();
    if (open_session(w, error)) {
        close_session(w);
        return NULL;
    }
    w->stretch = stretch;
    return json_pack("{sf sI}", "prepared", gjb_session_prepare_seconds(w->session), "code_moved",
                     (json_int_t)moved);
}

static json_t *answer_json(worker *w, gjb_error *error)
{
    gjb_measurement *row = &w->row;
    *row = (gjb_measurement){.point = row->point, .pairs = row->pairs, .timed_call = row->timed_call};
    const uint64_t unsupported = gjb_bench_answer(row, w->session, w->converted, w->results);
    const gjb_run_stats *run = &row->stats.run;
    if (gjb_bench_lost(&row->stats)) {
        gjb_fail(error, "%s did not live through its answers", row->point.way.contender->name);
        return NULL;
    }
    size_t bins = GJB_ITERATION_BINS;
    while (bins && !row->iterations[bins - 1])
        bins--;
    json_t *histogram = json_array();
    for (size_t i = 0; i < bins; i++)
        json_array_append_new(histogram, json_integer((json_int_t)row->iterations[i]));
    return json_pack("{so sI sI sI sI sI sI sI sI sf so}", "fingerprint", hash_json(row->fingerprint),
                     "answered", (json_int_t)row->answered, "unsupported", (json_int_t)unsupported,
                     "unwritten", (json_int_t)row->unwritten, "capped", (json_int_t)row->capped, "lane_slots",
                     (json_int_t)run->lane_slots, "lane_live", (json_int_t)run->lane_live, "careful",
                     (json_int_t)run->fallback, "spilled", (json_int_t)run->spilled, "mean_iterations",
                     row->mean_iterations, "iteration_histogram", histogram);
}

typedef struct block {
    gjb_timing timing;
    uint64_t instructions;
} block;

static int take_block(worker *w, gjb_stretch stretch, int warm, block *b, gjb_error *error)
{
    stretch.frame = w->stretch.frame;
    stretch.at = w->stretch.at;
    b->timing = (gjb_timing){0};
    const uint64_t before = gjb_instructions_read(w->counter);
    if (gjb_session_time(w->session, &stretch, warm, w->results, &b->timing) || !b->timing.pairs)
        return gjb_fail(error, "%s did not live through a timed block", w->row.point.way.contender->name);
    b->instructions = gjb_instructions_read(w->counter) - before;
    w->stretch.frame = stretch.frame;
    w->stretch.at = stretch.at;
    return 0;
}

static int hear_turn(gjb_error *error)
{
    gjb_patience patience = {.blocked = PATIENCE};
    char turn;
    if (gjb_patience_await(&patience, GJB_WORKER_HEARS, TICK_MS) == GJB_AWAIT_READY &&
        read(GJB_WORKER_HEARS, &turn, 1) == 1)
        return 0;
    return gjb_fail(error, "the other side handed no turn over");
}

/* A frame is never cut: about as many frames as have so many pairs, at least one. */
static uint64_t calls_for(const worker *w, uint64_t pairs)
{
    const double frame = (double)w->row.pairs / w->converted->frame_count;
    const double calls = (double)pairs / (frame > 1 ? frame : 1);
    return calls > 1 ? (uint64_t)calls : 1;
}

/* A block that fails is no reason to keep the turn: the other side waits for it. */
static json_t *turns_json(worker *w, uint64_t pairs, char side, const char *order, gjb_error *error)
{
    json_t *blocks = json_array();
    int failed = 0, gone = 0, warm = 1;
    gjb_stretch stretch = w->stretch;
    if (w->row.point.by_frame) {
        stretch.calls = calls_for(w, pairs);
    } else {
        stretch.call = pairs < stretch.call ? (uint32_t)pairs : stretch.call;
        stretch.calls = pairs / stretch.call;
    }
    for (size_t i = 0; order[i] && !gone; i++) {
        block b;
        if (order[i] != side)
            continue;
        gone = i > 0 && order[i - 1] != side && hear_turn(error);
        if (!failed && !gone)
            failed = take_block(w, stretch, warm, &b, error);
        warm = 0;
        if (!failed && !gone)
            json_array_append_new(blocks, json_pack("[ffII]", b.timing.cpu_ns, b.timing.wall_ns,
                                                    (json_int_t)b.timing.pairs, (json_int_t)b.instructions));
        if (!gone && order[i + 1] && order[i + 1] != side && write(GJB_WORKER_HANDS, "", 1) != 1)
            gone = gjb_fail(error, "the other side takes no turn");
    }
    if (!failed && !gone)
        return json_pack("{so}", "blocks", blocks);
    json_decref(blocks);
    return NULL;
}

/* The first pairs of the scene in order, in calls of the point's size. Returns how many. */
static uint64_t run_counted(worker *w)
{
    const gjb_bench_case *point = &w->row.point;
    const uint64_t answers = gjb_bench_case_answers(point), limit = answers < COUNTED_PAIRS ? answers : COUNTED_PAIRS,
                   span = gjb_bench_span(point);
    uint64_t done = 0;
    for (uint32_t frame = 0; frame < w->converted->frame_count && done < limit; frame++) {
        const uint64_t pairs = w->converted->frames[frame].pair_count;
        for (uint64_t first = 0; first < pairs && done < limit;) {
            uint64_t part = pairs - first < limit - done ? pairs - first : limit - done;
            part = part < span ? part : span;
            gjb_session_run(w->session, point->query, frame, first, part, point->call, 0, w->results, NULL);
            first += part;
            done += part;
        }
    }
    return done;
}

static json_t *count_json(worker *w, gjb_error *error)
{
    if (w->row.point.threads > 1 || (!gjb_callgrind_here() && w->counter < 0)) {
        gjb_fail(error, w->row.point.threads > 1 ? "counts are of one thread" : "nothing counts here");
        return NULL;
    }
    if (!gjb_callgrind_here()) {
        run_counted(w);
        const uint64_t before = gjb_instructions_read(w->counter);
        const uint64_t pairs = run_counted(w);
        return json_pack("{sI sI}", "pairs", (json_int_t)pairs, "instructions",
                         (json_int_t)(gjb_instructions_read(w->counter) - before));
    }
    gjb_callgrind_warm();
    run_counted(w);
    gjb_callgrind_start();
    const uint64_t pairs = run_counted(w);
    return json_pack("{sI sI}", "pairs", (json_int_t)pairs, "file", (json_int_t)gjb_callgrind_end());
}

/* NULL with `error`. */
static json_t *obey(worker *w, const char *line, gjb_error *error)
{
    unsigned long long number;
    char more, side[2], order[GJB_WORKER_TURNS + 1];
    if (sscanf(line, "open %llu %c", &number, &more) == 1)
        return open_json(w, (size_t)number, error);
    if (!w->session) {
        gjb_fail(error, "no point is open");
        return NULL;
    }
    if (sscanf(line, "move %llu %c", &number, &more) == 1)
        return move_json(number);
    if (sscanf(line, "shuffle %llu %c", &number, &more) == 1)
        return shuffle_json(w, number, error);
    if (!strcmp(line, "answer\n"))
        return answer_json(w, error);
    if (!strcmp(line, "count\n"))
        return count_json(w, error);
    if (sscanf(line, "turns %llu %1[01] %200[01] %c", &number, side, order, &more) == 3 && number > 0 &&
        number <= UINT32_MAX)
        return turns_json(w, number, side[0], order, error);
    gjb_fail(error, "what is '%.*s'?", (int)strcspn(line, "\n"), line);
    return NULL;
}

static int say(json_t *json, FILE *out)
{
    const int failed = !json || json_dumpf(json, out, JSON_COMPACT) || fputc('\n', out) == EOF || fflush(out);
    json_decref(json);
    return failed ? -1 : 0;
}

static int begin(const worker *w, json_t *context, FILE *out)
{
    const gjb_plan *plan = w->plan;
    json_t *points = json_array();
    for (size_t i = 0; i < plan->count; i++) {
        char name[GJB_BENCH_CASE_NAME];
        json_array_append_new(points, json_string(gjb_bench_case_name(&plan->points[i], name)));
    }
    json_object_set_new(context, "gjkbench_worker", json_integer(GJB_WORKER_PROTOCOL));
    json_object_set_new(context, "points", points);
    json_object_set_new(context, "counts", gjb_callgrind_here() ? json_string("callgrind")
                                           : w->counter >= 0    ? json_string("processor")
                                                                : json_null());
    return say(context, out);
}

int gjb_worker_serve(const gjb_plan *plan, const gjb_worker_settings *settings, json_t *context, FILE *in,
                     FILE *out, gjb_error *error)
{
    signal(SIGPIPE, SIG_IGN); /* a peer that is gone is an error of the write */
    worker w = {.plan = plan, .settings = settings, .counter = gjb_instructions_open()};
    char line[LINE];
    int failed = begin(&w, context, out);
    while (!failed && fgets(line, sizeof line, in)) {
        json_t *reply = obey(&w, line, error);
        if (!reply)
            reply = json_pack("{ss}", "error", error->text[0] ? error->text : "out of memory");
        error->text[0] = '\0';
        failed = say(reply, out);
    }
    close_scene(&w);
    gjb_instructions_close(w.counter);
    return failed ? gjb_fail(error, "no program reads the results") : 0;
}
