/* Counts by kind of shape how the error of GJK and EPA falls with each support, as JSON. */
#include "verify/converge/converge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"
#include "grading/grade.h"
#include "scenes/generate/generate_parts.h"
#include "scenes/generate/generate_solid.h"
#include "verify/converge/converge_methods.h"

/* The last of each is there to compare with: it ends. */
static const struct {
    uint32_t dim;
    const char *workload;
} kinds[] = {{2, "ellipse"},        {2, "superellipse"}, {2, "polygon16"}, {3, "ellipsoid"},
             {3, "superellipsoid"}, {3, "cylinder"},     {3, "cone"},      {3, "hull16"}};

static const struct {
    gjb_query query;
    const char *family, *method;
} asked[] = {{GJB_DISTANCE, "near", "GJK"}, {GJB_PENETRATION, "deep", "EPA"}};

enum { KINDS = sizeof kinds / sizeof *kinds, ASKED = sizeof asked / sizeof *asked };

/* No error is reported below this: a logarithmic axis has no zero. */
#define LEAST_ERROR 0x1p-56

/* --- Supports --- */

typedef struct placed {
    gjb_kind kind;
    uint32_t count;
    const double *rows;
    double turn[3][3], at[3];
} placed;

typedef struct both {
    uint32_t dim;
    placed body[2];
} both;

static void place(placed *out, const gjb_pair *pair, int of_b)
{
    if (pair->dim == 2) {
        const gjb_body2 *b = of_b ? &pair->as.plane.b : &pair->as.plane.a;
        const double c = b->pose.c, s = b->pose.s;
        *out = (placed){
            b->kind, b->count, *b->vertices, {{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, {b->pose.x, b->pose.y, 0}};
        return;
    }
    const gjb_body3 *b = of_b ? &pair->as.space.b : &pair->as.space.a;
    const double q[4] = {b->pose.qx, b->pose.qy, b->pose.qz, b->pose.qw};
    *out = (placed){b->kind, b->count, *b->vertices, {{0}}, {b->pose.x, b->pose.y, b->pose.z}};
    gjb_rotation3(q, out->turn);
}

static void farthest(const placed *p, uint32_t dim, const double d[3], double out[3])
{
    double local[3], at[3] = {0, 0, 0}, most = -HUGE_VAL;
    for (int k = 0; k < 3; k++)
        local[k] = p->turn[0][k] * d[0] + p->turn[1][k] * d[1] + p->turn[2][k] * d[2];
    if (gjb_is_curved(p->kind))
        gjb_curved_support(p->kind, dim, p->rows, local, at);
    for (uint32_t i = 0; i < p->count && !gjb_is_curved(p->kind); i++) {
        const double *v = p->rows + (size_t)i * dim;
        const double reach = local[0] * v[0] + local[1] * v[1] + (dim == 3 ? local[2] * v[2] : 0);
        if (reach > most) {
            most = reach;
            memcpy(at, v, dim * sizeof *v);
        }
    }
    for (int k = 0; k < 3; k++)
        out[k] = gjb_dot3(p->turn[k], at) + p->at[k];
}

static void support(const void *of, const double d[3], double w[3])
{
    const both *pair = of;
    const double back[3] = {-d[0], -d[1], -d[2]};
    double a[3], b[3];
    farthest(&pair->body[0], pair->dim, d, a);
    farthest(&pair->body[1], pair->dim, back, b);
    for (int k = 0; k < 3; k++)
        w[k] = a[k] - b[k];
}

static void difference_of(const gjb_pair *pair, both *space, gjb_difference *d)
{
    space->dim = pair->dim;
    *d = (gjb_difference){.support = support, .of = space, .dim = pair->dim, .size = gjb_pair_size(pair)};
    for (int i = 0; i < 2; i++)
        place(&space->body[i], pair, i);
    for (int k = 0; k < 3; k++) {
        d->offset[k] = space->body[1].at[k] - space->body[0].at[k];
        space->body[1].at[k] = d->offset[k];
        space->body[0].at[k] = 0;
    }
}

/* --- One row --- */

typedef struct tally {
    uint64_t pairs, ends[GJB_CONVERGE_ENDS];
    double *error; /* [GJB_CONVERGE_CAP][plan's pairs] */
} tally;

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* After the end the answer stays what it was. */
static void count_walk(tally *t, uint64_t room, const gjb_walk *walk, double truth, double size)
{
    for (uint32_t k = 0; k < GJB_CONVERGE_CAP; k++) {
        const double value = walk->value[k < walk->count ? k : walk->count - 1];
        t->error[k * room + t->pairs] = fmax(LEAST_ERROR, fabs(value - truth) / size);
    }
    t->ends[walk->end]++;
    t->pairs++;
}

static int stopped(const gjb_converge_plan *plan)
{
    return plan->stop && *plan->stop;
}

static int walk_pairs(const gjb_converge_plan *plan, const gjb_scene *scene, gjb_precision precision,
                      gjb_query query, tally *t)
{
    const uint64_t room = scene->frames[0].pair_count;
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    int failed = 0;
    for (uint64_t i = 0; i < room && !failed && !stopped(plan); i++) {
        gjb_pair pair;
        gjb_difference d;
        both bodies;
        gjb_walk walk;
        failed = gjb_scene_pair(scene, 0, i, &space, &pair) || gjb_truth_open(&truth, &pair);
        const int apart = !failed && truth.lo > 0, within = !failed && truth.hi < 0;
        if (truth.effort.cut ||
            (query == GJB_DISTANCE ? !apart : !within)) /* cut, it is nothing to converge to */
            continue;
        difference_of(&pair, &bodies, &d);
        (precision == GJB_F32 ? gjb_walk_f32 : gjb_walk_f64)(&d, query == GJB_PENETRATION, &walk);
        count_walk(t, room, &walk, fabs(0.5 * (truth.lo + truth.hi)), d.size);
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    return failed ? -1 : 0;
}

/* Every count at first, then ever fewer of them. */
static uint32_t after(uint32_t supports)
{
    return supports < 16   ? supports + 1
           : supports < 32 ? supports + 2
           : supports < 96 ? supports + 4
                           : supports + 16;
}

static void tell_errors(json_t *row, tally *t, uint64_t room)
{
    json_t *supports = json_array(), *median = json_array(), *most = json_array();
    for (uint32_t k = 1; k <= GJB_CONVERGE_CAP && t->pairs; k = after(k)) {
        double *errors = t->error + (k - 1) * room;
        qsort(errors, t->pairs, sizeof *errors, ascending);
        json_array_append_new(supports, json_integer(k));
        json_array_append_new(median, json_real(errors[t->pairs / 2]));
        json_array_append_new(most, json_real(errors[t->pairs - 1 - t->pairs / 20]));
    }
    json_object_set_new(row, "supports", supports);
    json_object_set_new(row, "median", median);
    json_object_set_new(row, "most", most);
    json_object_set_new(row, "met", json_integer((json_int_t)t->ends[GJB_CONVERGE_MET]));
    json_object_set_new(row, "floor", json_integer((json_int_t)t->ends[GJB_CONVERGE_FLOOR]));
    json_object_set_new(row, "capped", json_integer((json_int_t)t->ends[GJB_CONVERGE_CAPPED]));
    json_object_set_new(row, "other", json_integer((json_int_t)t->ends[GJB_CONVERGE_OTHER]));
}

/* Iterations of ours on the same pairs, of those of the query's sort. */
static int tell_ours(json_t *row, const gjb_scene *scene, gjb_precision precision, gjb_query query,
                     gjb_error *error)
{
    const gjb_contender *batch = gjb_contender_find("batch");
    if (!batch || !(batch->precisions >> precision & 1))
        return 0;
    const uint64_t pairs = scene->frames[0].pair_count;
    gjb_session *session = gjb_session_open(batch, NULL, scene, 1, error);
    void *records = calloc(pairs, gjb_result_size(query, precision, scene->shapes.dim));
    double *counts = malloc(pairs * sizeof *counts), sum = 0;
    uint64_t answered = 0, capped = 0;
    gjb_session_stats stats = {0};
    const int failed = !session || !records || !counts;
    if (!failed) {
        gjb_session_run(session, query, 0, 0, pairs, 0, 1, records, &stats);
        for (uint64_t i = 0; i < pairs; i++) {
            const gjb_result r = gjb_result_get(query, precision, scene->shapes.dim, records, i);
            capped += r.status == GJB_ITERATION_LIMIT;
            if (r.status == (query == GJB_DISTANCE ? GJB_SEPARATED : GJB_OVERLAPPING))
                sum += counts[answered++] = r.iterations;
        }
        qsort(counts, answered, sizeof *counts, ascending);
    }
    if (!failed && answered)
        json_object_set_new(row, "ours",
                            json_pack("{ss sI sf sf sf sf sI sI}", "backend", gjb_session_backend(session),
                                      "pairs", (json_int_t)answered, "mean", sum / (double)answered, "median",
                                      counts[answered / 2], "most", counts[answered - 1 - answered / 20],
                                      "all", counts[answered - 1], "capped", (json_int_t)capped, "unproven",
                                      (json_int_t)stats.run.unproven));
    if (session)
        gjb_session_close(session);
    free(records);
    free(counts);
    return failed ? -1 : 0;
}

static json_t *one_row(const gjb_converge_plan *plan, size_t kind, size_t query, gjb_precision precision,
                       gjb_error *error)
{
    const gjb_recipe recipe = {.dim = kinds[kind].dim,
                               .workload = kinds[kind].workload,
                               .family = asked[query].family,
                               .seed = plan->seed,
                               .precision = precision,
                               .pairs = plan->pairs};
    gjb_scene *scene = gjb_generate(&recipe, error);
    tally t = {.error = malloc(GJB_CONVERGE_CAP * plan->pairs * sizeof(double))};
    json_t *row = scene && t.error
                      ? json_pack("{si ss ss ss ss}", "dim", (int)recipe.dim, "query",
                                  gjb_queries[asked[query].query].name, "workload", recipe.workload,
                                  "precision", gjb_precision_name(precision), "method", asked[query].method)
                      : NULL;
    int failed = !row || walk_pairs(plan, scene, precision, asked[query].query, &t);
    if (!failed) {
        json_object_set_new(row, "pairs", json_integer((json_int_t)t.pairs));
        tell_errors(row, &t, plan->pairs);
        failed = tell_ours(row, scene, precision, asked[query].query, error);
    }
    if (failed) {
        json_decref(row);
        row = NULL;
        if (!*error->text)
            gjb_fail(error, "convergence: out of memory");
    }
    free(t.error);
    gjb_scene_free(scene);
    return row;
}

json_t *gjb_converge_json(const gjb_converge_plan *plan, gjb_error *error)
{
    json_t *rows = json_array();
    const uint64_t total = KINDS * ASKED * GJB_PRECISIONS;
    for (uint64_t i = 0; i < total; i++) {
        const size_t kind = i / (ASKED * GJB_PRECISIONS), query = i / GJB_PRECISIONS % ASKED;
        const gjb_precision precision = (gjb_precision)(i % GJB_PRECISIONS);
        if (plan->progress)
            plan->progress(i, total);
        if (!(plan->dims >> kinds[kind].dim & 1) || !(plan->precisions >> precision & 1) || stopped(plan))
            continue;
        json_t *row = one_row(plan, kind, query, precision, error);
        if (row && stopped(plan)) { /* on the way: it has part of its pairs */
            json_decref(row);
            continue;
        }
        if (!row || json_array_append_new(rows, row)) {
            json_decref(rows);
            return NULL;
        }
    }
    if (plan->progress)
        plan->progress(total, total);
    return json_pack("{so}", "convergence", rows);
}

uint64_t gjb_converge_capped(const json_t *convergence)
{
    const json_t *row;
    uint64_t capped = 0;
    size_t i;
    json_array_foreach(json_object_get(convergence, "convergence"), i, row) capped +=
        (uint64_t)json_integer_value(json_object_get(json_object_get(row, "ours"), "capped"));
    return capped;
}
