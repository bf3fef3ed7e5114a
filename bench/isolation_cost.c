/* Times one contender in this process and in child processes by turns, and reports the difference. */
#include "bench/isolation_cost.h"

#include <stdlib.h>

#include "bench/timed.h"
#include "contenders/harness.h"
#include "scenes/generate/generate.h"
#include "core/query.h"

enum { HERE, CHILD, SECOND, TWINS };

/* The same contender: the first in this process, the others in children. */
typedef struct twin {
    gjb_session *session;
    double samples[GJB_ISOLATION_BLOCKS]; /* ns a pair */
} twin;

typedef struct contest {
    twin twins[TWINS];
    gjb_stretch stretch; /* of the next block, for both */
    void *results;
    const char *name;
    gjb_error *error;
} contest;

/* One block of a twin: where `next` is given, it becomes where the block ended. */
static int take(contest *c, int which, gjb_stretch *next, double *ns_per_pair, double *ns)
{
    gjb_stretch stretch = c->stretch;
    gjb_timing t;
    const int lost = gjb_session_time(c->twins[which].session, &stretch, 1, c->results, &t);
    if (lost < 0)
        return gjb_fail(c->error, "%s: it did not live through the calls that show what isolation costs",
                        c->name);
    if (lost == 0 && next)
        *next = stretch;
    *ns_per_pair = lost == 0 && t.pairs ? t.cpu_ns / (double)t.pairs : 0;
    *ns = t.cpu_ns;
    return lost;
}

/* Calls that fill a block. */
static int calibrate(contest *c, double block_ns)
{
    double pair, ns = 0;
    int lost = 0;
    while (!(lost = take(c, 0, NULL, &pair, &ns)) && ns < block_ns / 4 && c->stretch.calls < 1u << 20)
        c->stretch.calls *= 4;
    if (!lost && ns > 0) {
        const double calls = (double)c->stretch.calls * block_ns / ns;
        c->stretch.calls = calls > 1 ? (uint64_t)calls : 1;
    }
    return lost;
}

static int measure(contest *c, double seconds, const volatile sig_atomic_t *stop, gjb_isolation_row *row,
                   uint64_t seed)
{
    double ratios[GJB_ISOLATION_BLOCKS], between[GJB_ISOLATION_BLOCKS];
    uint32_t blocks = 0;
    int lost = calibrate(c, 1e9 * seconds / (TWINS * GJB_ISOLATION_BLOCKS));
    for (; !lost && blocks < GJB_ISOLATION_BLOCKS && !(stop && *stop); blocks++) {
        gjb_stretch next = c->stretch;
        double ns;
        for (uint32_t turn = 0; turn < TWINS && !lost; turn++) {
            const int which = (int)((turn + blocks) % TWINS);
            lost = take(c, which, &next, &c->twins[which].samples[blocks], &ns);
        }
        if (lost || !(c->twins[HERE].samples[blocks] > 0 && c->twins[CHILD].samples[blocks] > 0))
            break;
        next.calls = c->stretch.calls;
        c->stretch = next;
        ratios[blocks] = c->twins[CHILD].samples[blocks] / c->twins[HERE].samples[blocks];
        between[blocks] = c->twins[SECOND].samples[blocks] / c->twins[CHILD].samples[blocks];
    }
    if (lost < 0)
        return -1;
    if (blocks < GJB_ISOLATION_BLOCKS)
        return 0;
    row->blocks = blocks;
    row->ratio = gjb_summarise(ratios, blocks, seed);
    row->between = gjb_summarise(between, blocks, seed);
    row->ns_here = gjb_median(c->twins[0].samples, blocks);
    row->ns_child = gjb_median(c->twins[1].samples, blocks);
    return 0;
}

int gjb_isolation_cost(const gjb_point *base, const gjb_contender *contender, uint64_t seed, double seconds,
                       const volatile sig_atomic_t *stop, gjb_isolation_row *row, gjb_error *error)
{
    *row = (gjb_isolation_row){.point = *base};
    gjb_point *p = &row->point;
    p->query = GJB_DISTANCE;
    p->call = GJB_ISOLATION_CALL;
    const gjb_recipe recipe = {.workload = p->workload,
                               .family = p->family,
                               .seed = seed,
                               .dim = p->dim,
                               .precision = p->scene_precision,
                               .pairs = gjb_point_pairs(p),
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
    contest c = {.stretch = {p->query, p->call, 1, 0, 0}, .name = contender->name, .error = error};
    c.results = malloc(p->call * sizeof(gjb_result3d));
    c.twins[0].session = gjb_session_open(contender, NULL, scene, 1, error);
    for (int i = CHILD; i < TWINS && c.twins[i - 1].session; i++)
        c.twins[i].session = gjb_timed_open(contender, NULL, scene, 1, error);
    int failed = -1;
    if (!c.results)
        gjb_fail(error, "out of memory");
    else if (c.twins[SECOND].session) {
        p->way = (gjb_way){contender, gjb_session_backend(c.twins[0].session)};
        failed = measure(&c, seconds, stop, row, seed);
    }
    for (int i = 0; i < TWINS; i++)
        gjb_session_close(c.twins[i].session);
    free(c.results);
    gjb_scene_free(scene);
    return failed;
}

json_t *gjb_isolation_json(const gjb_isolation_row *rows, size_t count)
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        const gjb_isolation_row *r = &rows[i];
        const gjb_point *p = &r->point;
        if (r->blocks)
            json_array_append_new(
                all, json_pack("{si ss ss ss ss ss ss si si si sf sf sf sf sf sf sf sf}", "dim", (int)p->dim,
                               "contender", p->way.contender->name, "backend", p->way.backend, "precision",
                               gjb_precision_name(p->precision), "query", gjb_queries[p->query].name,
                               "workload", p->workload, "family", p->family, "shapes", (int)p->shapes,
                               "pairs_per_call", (int)p->call, "blocks", (int)r->blocks, "ns_per_pair_here",
                               r->ns_here, "ns_per_pair_child", r->ns_child, "ratio", r->ratio.median,
                               "ratio_low", r->ratio.low, "ratio_high", r->ratio.high, "between",
                               r->between.median, "between_low", r->between.low, "between_high", r->between.high));
    }
    return all;
}

static double percent(double ratio)
{
    return 100 * (ratio - 1);
}

void gjb_isolation_print(const gjb_isolation_row *rows, size_t count, FILE *stream, const char *title,
                         const char *plain)
{
    int any = 0;
    for (size_t i = 0; i < count; i++) {
        const gjb_isolation_row *r = &rows[i];
        const gjb_point *p = &r->point;
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
            gjb_queries[p->query].name, p->workload, percent(r->ratio.median), percent(r->ratio.low),
            percent(r->ratio.high), r->ns_child, r->ns_here, percent(r->between.median),
            percent(r->between.low), percent(r->between.high));
    }
}
