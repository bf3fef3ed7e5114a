/* Times one contender in this process and in child processes by turns, and reports the difference. */
#include "bench/isolation_cost.h"

#include <math.h>
#include <stdlib.h>

#include "bench/statistics.h"
#include "bench/timed.h"
#include "contenders/harness.h"
#include "core/query.h"
#include "scenes/generate/generate.h"

enum { HERE, CHILD, SECOND, TWINS };
enum { A_DRAW = GJB_ISOLATION_BLOCKS / GJB_ISOLATION_DRAWS }; /* blocks of a twin */
enum { CALL_LEAST = 16 };

/* The same contender: the first in this process, the others in children, which each draw forks again. */
typedef struct contest {
    const gjb_contender *contender;
    const gjb_scene *scene;
    gjb_session *twins[TWINS];
    gjb_stretch stretch; /* of the next block, for all */
    void *results;
    uint32_t blocks; /* so far */
    double ns[TWINS][GJB_ISOLATION_BLOCKS]; /* a pair */
    uint64_t seed;
    gjb_error *error;
} contest;

/* One block of a twin: where `next` is given, it becomes where the block ended. */
static int take(contest *c, int which, gjb_stretch *next, double *ns_per_pair, double *ns)
{
    gjb_stretch stretch = c->stretch;
    gjb_timing t;
    const int lost = gjb_session_time(c->twins[which], &stretch, 1, c->results, &t);
    if (lost < 0)
        return gjb_fail(c->error, "%s: it did not live through the calls that show what isolation costs",
                        c->contender->name);
    if (lost == 0 && next)
        *next = stretch;
    *ns_per_pair = lost == 0 && t.pairs ? t.cpu_ns / (double)t.pairs : 0;
    *ns = t.cpu_ns;
    return lost;
}

/* The first of several calls pays for fresh pages, and any may be disturbed. */
static int take_quickest(contest *c, double *ns)
{
    double pair, again = 0;
    int lost = take(c, HERE, NULL, &pair, ns);
    for (int i = 0; i < 2 && !lost; i++) {
        lost = take(c, HERE, NULL, &pair, &again);
        *ns = again < *ns ? again : *ns;
    }
    return lost;
}

/* Pairs of a call, if GJB_ISOLATION_CALL of them take longer than a block, and calls that fill a block. */
static int calibrate(contest *c, double block_ns)
{
    double ns = 0;
    int lost = take_quickest(c, &ns);
    for (; !lost && ns > 2 * block_ns && c->stretch.call > CALL_LEAST; lost = take_quickest(c, &ns))
        c->stretch.call /= 2;
    for (; !lost && ns < block_ns / 4 && c->stretch.calls < 1u << 20; lost = take_quickest(c, &ns))
        c->stretch.calls *= 4;
    if (!lost && ns > 0) {
        const double calls = (double)c->stretch.calls * block_ns / ns;
        c->stretch.calls = calls > 1 ? (uint64_t)calls : 1;
    }
    return lost;
}

/* A block of each, in an order of its own, over the same pairs. 0, or as gjb_session_time. */
static int take_round(contest *c)
{
    uint32_t order[TWINS];
    gjb_stretch next = c->stretch;
    int lost = 0;
    gjb_shuffle(order, TWINS, c->seed, c->blocks);
    for (int i = 0; i < TWINS && !lost; i++) {
        double *pair = &c->ns[order[i]][c->blocks], ns;
        lost = take(c, (int)order[i], &next, pair, &ns);
        lost = lost ? lost : *pair > 0 ? 0 : 1;
    }
    next.calls = c->stretch.calls;
    c->stretch = next;
    c->blocks += !lost;
    return lost;
}

/* Each draw gives one logarithm: the middle of its blocks. */
gjb_ratio gjb_isolation_ratio(const double *over, const double *under, uint64_t seed)
{
    double draws[GJB_ISOLATION_DRAWS], logs[A_DRAW];
    for (uint32_t draw = 0; draw < GJB_ISOLATION_DRAWS; draw++) {
        for (uint32_t i = 0; i < A_DRAW; i++)
            logs[i] = log(over[draw * A_DRAW + i] / under[draw * A_DRAW + i]);
        draws[draw] = gjb_middle(logs, A_DRAW);
    }
    return gjb_ratio_of(draws, GJB_ISOLATION_DRAWS, 0, 1, seed);
}

/* Which of the children is forked first changes with each draw. */
static int take_draw(contest *c, uint32_t draw, const volatile sig_atomic_t *stop)
{
    int lost = 0;
    for (uint32_t i = 0; i < 2 && !lost; i++) {
        const int which = (i ^ draw) & 1 ? SECOND : CHILD;
        c->twins[which] = gjb_timed_open(c->contender, NULL, c->scene, 1, c->error);
        lost = c->twins[which] ? 0 : -1;
    }
    for (uint32_t i = 0; i < A_DRAW && !lost; i++)
        lost = stop && *stop ? 1 : take_round(c);
    for (int which = CHILD; which < TWINS; which++) {
        gjb_session_close(c->twins[which]);
        c->twins[which] = NULL;
    }
    return lost;
}

static int measure(contest *c, double seconds, const volatile sig_atomic_t *stop, gjb_isolation_row *row)
{
    int lost = calibrate(c, 1e9 * seconds / (TWINS * GJB_ISOLATION_BLOCKS));
    for (uint32_t draw = 0; draw < GJB_ISOLATION_DRAWS && !lost; draw++)
        lost = take_draw(c, draw, stop);
    if (lost)
        return lost < 0 ? -1 : 0;
    row->blocks = c->blocks;
    row->point.call = c->stretch.call;
    row->ratio = gjb_isolation_ratio(c->ns[CHILD], c->ns[HERE], c->seed);
    row->between = gjb_isolation_ratio(c->ns[SECOND], c->ns[CHILD], c->seed);
    row->ns_here = gjb_median(c->ns[HERE], c->blocks);
    row->ns_child = gjb_median(c->ns[CHILD], c->blocks);
    return 0;
}

int gjb_isolation_cost(const gjb_bench_case *base, const gjb_contender *contender, uint64_t seed, double seconds,
                       const volatile sig_atomic_t *stop, gjb_isolation_row *row, gjb_error *error)
{
    *row = (gjb_isolation_row){.point = *base};
    gjb_bench_case *p = &row->point;
    p->query = GJB_DISTANCE;
    p->call = GJB_ISOLATION_CALL;
    const gjb_recipe recipe = {.workload = p->workload,
                               .family = p->family,
                               .seed = seed,
                               .dim = p->dim,
                               .precision = p->scene_precision,
                               .pairs = gjb_bench_case_pairs(p),
                               .shapes = p->shapes};
    gjb_scene *scene = gjb_generate(&recipe, error);
    if (!scene)
        return -1;
    if (!(contender->precisions >> p->precision & 1)) {
        p->precision = p->precision == GJB_F32 ? GJB_F64 : GJB_F32;
        gjb_scene *converted = gjb_scene_convert(scene, p->precision);
        gjb_scene_free(scene);
        scene = converted;
    }
    if (!scene)
        return gjb_fail(error, "out of memory");
    contest c = {.contender = contender,
                 .scene = scene,
                 .stretch = {p->query, p->call, 1, 0, 0},
                 .seed = seed,
                 .error = error};
    c.results = malloc(p->call * (size_t)GJB_RECORD_MOST);
    c.twins[HERE] = gjb_session_open(contender, NULL, scene, 1, error);
    int failed = -1;
    if (!c.results)
        gjb_fail(error, "out of memory");
    else if (c.twins[HERE]) {
        p->way = (gjb_way){contender, gjb_session_backend(c.twins[HERE])};
        failed = measure(&c, seconds, stop, row);
    }
    gjb_session_close(c.twins[HERE]);
    free(c.results);
    gjb_scene_free(scene);
    return failed;
}

json_t *gjb_isolation_json(const gjb_isolation_row *rows, size_t count)
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        const gjb_isolation_row *r = &rows[i];
        const gjb_bench_case *p = &r->point;
        if (r->blocks)
            json_array_append_new(
                all, json_pack("{si ss ss ss ss ss ss si si si sf sf sf sf sf sf sf sf}", "dim", (int)p->dim,
                               "contender", p->way.contender->name, "backend", p->way.backend, "precision",
                               gjb_precision_name(p->precision), "query", gjb_queries[p->query].name,
                               "workload", p->workload, "family", p->family, "shapes", (int)p->shapes,
                               "pairs_per_call", (int)p->call, "blocks", (int)r->blocks, "ns_per_pair_here",
                               r->ns_here, "ns_per_pair_child", r->ns_child, "ratio", exp(r->ratio.log),
                               "ratio_low", exp(r->ratio.low), "ratio_high", exp(r->ratio.high), "between",
                               exp(r->between.log), "between_low", exp(r->between.low), "between_high",
                               exp(r->between.high)));
    }
    return all;
}

static double percent(double log)
{
    return 100 * expm1(log);
}

void gjb_isolation_print(const gjb_isolation_row *rows, size_t count, FILE *stream, const char *title,
                         const char *plain)
{
    int any = 0;
    for (size_t i = 0; i < count; i++) {
        const gjb_isolation_row *r = &rows[i];
        const gjb_bench_case *p = &r->point;
        if (!r->blocks)
            continue;
        if (!any++)
            fprintf(stream, "%swhat a child process costs the time of a pair%s: %u shapes, %u pairs a call\n",
                    title, plain, (unsigned)p->shapes, (unsigned)p->call);
        fprintf(
            stream,
            "  %uD %-10s %-9s %s %s, %s: %+.2f%% (95%% interval %+.2f%% to %+.2f%%), %.4g against %.4g ns; "
            "one child against another: %+.2f%% (%+.2f%% to %+.2f%%)\n",
            (unsigned)p->dim, p->way.contender->name, p->way.backend, gjb_precision_name(p->precision),
            gjb_queries[p->query].name, p->workload, percent(r->ratio.log), percent(r->ratio.low),
            percent(r->ratio.high), r->ns_child, r->ns_here, percent(r->between.log),
            percent(r->between.low), percent(r->between.high));
    }
}
