/* Bench results as JSON: the context, one row a point, ceilings, and mishaps. */
#include "bench/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/machine/machine.h"
#include "contenders/program/program.h"
#include "contenders/table.h"
#include "core/json_file.h"
#include "core/query.h"
#include "scenes/generate/generate.h"

static void set_hash(json_t *object, const char *key, uint64_t value)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
    json_object_set_new(object, key, json_string(text));
}

static json_t *numbers(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            json_array_append_new(array, json_real(values[i]));
    return array;
}

json_t *gjb_contenders_json(void)
{
    json_t *contenders = json_array();
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *c = gjb_contender_at(i);
        json_t *more = json_array(), *dims = json_array();
        for (int q = 0; q < GJB_QUERIES; q++)
            if (c->does_more >> q & 1)
                json_array_append_new(more, json_string(gjb_queries[q].name));
        for (int dim = 2; dim <= 3; dim++)
            if (c->dims >> dim & 1)
                json_array_append_new(dims, json_integer(dim));
        json_array_append_new(contenders, json_pack("{ss ss ss ss so so ss* sb sb}", "name", c->name, "version",
                                                    c->version, "licence", c->licence, "note", c->note, "dims", dims,
                                                    "does_more", more, "variant_of", c->variant_of, "ours", c->ours, "self_timed",
                                                    gjb_is_self_timed(c)));
    }
    return contenders;
}

int gjb_bench_add_context(json_t *context, uint64_t seed, const gjb_memory_row *memory, size_t memory_rows)
{
    json_t *contenders = gjb_contenders_json(), *missing = json_array();
    gjb_machine_add(context);
    gjb_set_count(context, "seed", seed);
    for (const gjb_missing *m = gjb_contenders_missing; m->name; m++)
        json_array_append_new(missing, json_pack("{ss ss}", "name", m->name, "advice", m->advice));
    if (json_object_set_new(context, "contenders", contenders) || json_object_set_new(context, "missing", missing))
        return -1;
    if (!memory || memory_rows <= GJB_MEMORY_SCENE_ROW) /* interrupted before */
        return 0;

    json_t *rows = json_array();
    for (size_t i = 0; i < memory_rows; i++)
        json_array_append_new(rows, json_pack("{sI sf sf s[fff]}", "bytes", (json_int_t)memory[i].bytes, "ns_per_line",
                                              memory[i].ns_per_line, "lines_per_second", 1e9 / memory[i].ns_per_line,
                                              "ns_by_prefetch_level", memory[i].ns_by_level[0],
                                              memory[i].ns_by_level[1], memory[i].ns_by_level[2]));
    const gjb_memory_row *scene = &memory[GJB_MEMORY_SCENE_ROW];
    json_t *ceiling = json_pack("{sI sf sf so}", "bytes", (json_int_t)scene->bytes, "ns_per_line", scene->ns_per_line,
                                "lines_per_second", 1e9 / scene->ns_per_line, "rows", rows);
    return json_object_set_new(context, "memory_ceiling", ceiling);
}

int gjb_bench_add_ports(json_t *context, const gjb_port_row *rows, size_t count)
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(all, json_pack("{ss ss sI sf}", "backend", rows[i].backend, "precision",
                                             gjb_precision_name(rows[i].precision), "dim", (json_int_t)rows[i].dim,
                                             "vertices_per_second", rows[i].vertices_per_second));
    return json_object_set_new(context, "port_ceiling", all);
}

/* What a million-shape scene is held against. */
static void set_memory_model(json_t *o, const gjb_measurement *m)
{
    uint32_t vertices = gjb_bench_case_vertices(&m->point);
    if (!vertices)
        return;
    size_t bytes = m->point.scene_precision == GJB_F32 ? sizeof(float) : sizeof(double);
    gjb_set_count(o, "vertices", vertices);
    gjb_set_number(o, "random_lines_per_pair", gjb_random_lines_per_pair(vertices, m->point.dim * bytes));
}

static const char *not_graded(const gjb_measurement *m)
{
    if (!m->grade.looked_at)
        return "grading was off, or the time for it was up";
    return m->grade.too_slow ? "the truth took too long" : "all pairs lie within the tolerance of touching";
}

static void set_answers(json_t *o, const gjb_measurement *m)
{
    double answered = m->answered ? (double)m->answered : NAN;
    if (m->grade.graded) {
        gjb_set_number(o, "wrong_rate", (double)m->grade.wrong / (double)m->grade.graded);
        gjb_set_number(o, "wrong_rate_1e3", (double)m->grade.wrong_1e3 / (double)m->grade.graded);
        gjb_set_count(o, "graded", m->grade.graded);
        gjb_set_number(o, "worst_error_eps", m->grade.worst_error_eps);
    } else {
        json_object_set_new(o, "wrong_rate", json_null());
        json_object_set_new(o, "wrong_rate_1e3", json_null());
        json_object_set_new(o, "not_graded", json_string(not_graded(m)));
    }
    if (m->stats.found[GJB_RETURNED_NAN])
        gjb_set_number(o, "nan_rate", (double)m->stats.found[GJB_RETURNED_NAN] / answered);
    if (m->grade.covered) { /* of manifolds alone */
        gjb_set_number(o, "mean_coverage", m->grade.coverage / (double)m->grade.covered);
        gjb_set_count(o, "covered", m->grade.covered);
    }
    gjb_set_number(o, "capped_rate", (double)m->capped / answered);
    gjb_set_number(o, "unwritten_rate", (double)m->unwritten / answered);
    gjb_set_number(o, "mean_iterations", m->mean_iterations);
    size_t bins = GJB_ITERATION_BINS;
    while (bins && !m->iterations[bins - 1])
        bins--;
    json_t *histogram = json_array();
    for (size_t i = 0; i < bins; i++)
        json_array_append_new(histogram, json_integer((json_int_t)m->iterations[i]));
    json_object_set_new(o, "iteration_histogram", histogram);
    if (m->stats.run.lane_slots)
        gjb_set_number(o, "lane_occupancy", (double)m->stats.run.lane_live / (double)m->stats.run.lane_slots);
    if (m->stats.run.pairs) {
        gjb_set_number(o, "careful_share", (double)m->stats.run.fallback / (double)m->stats.run.pairs);
        gjb_set_number(o, "spilled_share", (double)m->stats.run.spilled / (double)m->stats.run.pairs);
    }
}

static json_t *row_json(const gjb_measurement *m, size_t index)
{
    const gjb_bench_case *p = &m->point;
    char name[GJB_BENCH_CASE_NAME];
    gjb_bench_case_name(p, name);
    json_t *o = json_pack("{ss si ss ss si si sI}", "name", name, "family_index", (int)index, "run_name", name,
                          "run_type", "iteration", "repetitions", 1, "repetition_index", 0, "threads",
                          (json_int_t)p->threads);
    gjb_set_count(o, "iterations", m->calls);
    gjb_set_number(o, "real_time", m->wall_ns_per_call);
    gjb_set_number(o, "cpu_time", m->cpu_ns_per_call);
    json_object_set_new(o, "time_unit", json_string("ns"));
    set_hash(o, "label", m->fingerprint);
    gjb_set_number(o, "ns_per_pair", m->ns.median);
    gjb_set_number(o, "ns_low", m->ns.low);
    gjb_set_number(o, "ns_high", m->ns.high);
    gjb_set_number(o, "ns_min", m->ns.minimum);
    gjb_set_number(o, "pairs_per_second", 1e9 / m->ns.median);
    gjb_set_number(o, "prepare_ns_per_shape", m->prepare_ns_per_shape);
    if (gjb_is_self_timed(p->way.contender)) { /* what was measured of it is the rest */
        json_object_set_new(o, "self_timed", json_true());
        gjb_set_number(o, "pipe_ns_per_pair", m->pipe_ns);
    }
    set_answers(o, m);
    json_object_set_new(o, "contender", json_string(p->way.contender->name));
    json_object_set_new(o, "backend", json_string(p->way.backend ? p->way.backend : "-"));
    json_object_set_new(o, "precision", json_string(gjb_precision_name(p->precision)));
    json_object_set_new(o, "scene_precision", json_string(gjb_precision_name(p->scene_precision)));
    gjb_set_count(o, "dim", p->dim);
    json_object_set_new(o, "query", json_string(gjb_queries[p->query].name));
    json_object_set_new(o, "workload", json_string(p->workload));
    json_object_set_new(o, "family", json_string(p->family));
    gjb_set_count(o, "shapes", p->shapes);
    gjb_set_count(o, "pairs", m->pairs);
    gjb_set_count(o, "pairs_per_call", p->call);
    if (p->by_frame) /* pairs_per_call is the largest of them */
        json_object_set_new(o, "call", json_string("frame"));
    gjb_set_count(o, "timed_pairs_per_call", m->timed_call);
    char sweeps[GJB_SWEEP_NAMES];
    json_object_set_new(o, "sweep", json_string(gjb_sweep_names(p->sweeps, sweeps)));
    if (m->memory_ns > 0) {
        gjb_set_count(o, "bytes_per_pair", gjb_swept_bytes(p->dim, p->precision));
        gjb_set_number(o, "memory_ns_per_pair", m->memory_ns);
    }
    if (gjb_queries[p->query].has_patch)
        gjb_set_number(o, "margin", p->margin);
    if (gjb_queries[p->query].has_within && p->within > 0)
        gjb_set_number(o, "within", p->within);
    if (gjb_queries[p->query].has_leaving && p->leaving)
        json_object_set_new(o, "leaving", json_string("ignore"));
    if (p->start) /* the others are as they were before there was a choice */
        json_object_set_new(o, "start", json_string(gjb_start_name(p->start)));
    set_hash(o, "workload_hash", m->workload_hash);
    gjb_set_count(o, "fingerprint_pairs", m->answered);
    set_memory_model(o, m);
    json_object_set_new(o, "samples", numbers(m->samples, m->sample_count));
    json_object_set_new(o, "samples_real", numbers(m->wall_samples, m->sample_count));
    return o;
}

static json_t *died_json(const gjb_bench *bench)
{
    json_t *names = json_array();
    for (size_t i = 0; i < bench->died_count; i++) {
        char name[GJB_BENCH_CASE_NAME];
        json_array_append_new(names, json_string(gjb_bench_case_name(&bench->died[i], name)));
    }
    return names;
}

static json_t *left_out_json(const gjb_bench *bench)
{
    json_t *all = json_array();
    for (size_t i = 0; i < bench->unsupported; i++) {
        const gjb_bench_left_out *l = &bench->left_out[i];
        char name[GJB_BENCH_CASE_NAME];
        json_array_append_new(all, json_pack("{ss ss sI sI}", "name", gjb_bench_case_name(&l->point, name),
                                             "contender", l->point.way.contender->name, "unsupported_pairs",
                                             (json_int_t)l->pairs, "asked_pairs", (json_int_t)l->asked));
    }
    return all;
}

static json_t *mishaps_json(const gjb_bench *bench)
{
    json_t *all = json_array();
    for (size_t i = 0; i < bench->mishaps.count; i++) {
        const gjb_bench_mishap *m = &bench->mishaps.all[i];
        const gjb_finding *f = &m->finding;
        char name[GJB_BENCH_CASE_NAME], text[GJB_MISHAP_TEXT];
        json_array_append_new(
            all, json_pack("{ss ss ss ss si sI si so ss?}", "name", gjb_bench_case_name(&m->point, name),
                           "contender", m->point.way.contender->name, "what", gjb_mishap_name(f->what),
                           "text", gjb_finding_text(f, text), "code", f->code, "times",
                           (json_int_t)m->times, "frame", (int)f->frame, "pair",
                           f->pair == GJB_NO_PAIR ? json_null() : json_integer((json_int_t)f->pair), "file",
                           m->file));
        if (f->said[0])
            json_object_set_new(json_array_get(all, i), "said", json_string(f->said));
    }
    return all;
}

json_t *gjb_bench_json(const gjb_bench *bench, json_t *context)
{
    json_t *rows = json_array(), *root = json_object();
    for (size_t i = 0; i < bench->count; i++)
        json_array_append_new(rows, row_json(&bench->rows[i], i));
    if (bench->interrupted)
        json_object_set_new(context, "interrupted", json_true());
    if (bench->unsupported) {
        gjb_set_count(context, "unsupported_points", bench->unsupported);
        json_object_set_new(context, "unsupported", left_out_json(bench));
    }
    if (bench->died_count)
        json_object_set_new(context, "died", died_json(bench));
    if (bench->mishaps.count)
        json_object_set_new(context, "mishaps", mishaps_json(bench));
    if (!root || json_object_set_new(root, "context", context) || json_object_set_new(root, "benchmarks", rows)) {
        json_decref(root);
        return NULL;
    }
    return root;
}
