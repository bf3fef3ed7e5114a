/* Lists the candidates with their backends and precisions, has them graded, and times the capable ones. */
#include "choose/choose_candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose/choose_scene.h"
#include "contenders/program/program.h"
#include "core/query.h"
#include "scenes/hash.h"

/* A contender without the precision of the scene takes part in one that it has. */
static uint32_t precisions_of(const choose_asked *asked, const gjb_contender *contender, gjb_precision scene)
{
    if (asked->precisions)
        return asked->precisions & contender->precisions;
    return contender->precisions >> scene & 1 ? 1u << scene : contender->precisions;
}

/* What keeps a contender from being asked at all, or "". */
static void find_lacks(choose_entry *e, const gjb_contender *contender, const gjb_scene *scene,
                       int has_precision)
{
    if (!(contender->queries >> e->point.query & 1))
        snprintf(e->c.lacks, sizeof e->c.lacks, "%s", gjb_queries[e->point.query].name);
    else if (!has_precision)
        snprintf(e->c.lacks, sizeof e->c.lacks, "the precision that you ask for");
    else if (e->point.precision < (gjb_precision)scene->shapes.precision &&
             !gjb_scene_fits(scene, e->point.precision))
        snprintf(e->c.lacks, sizeof e->c.lacks, "numbers as large as these, in %s",
                 gjb_precision_name(e->point.precision));
    else
        choose_lacks_shapes(scene, contender->kinds, contender->max_vertices, e->c.lacks, sizeof e->c.lacks);
}

static void add_entry(choose_answers *all, const choose_asked *asked, gjb_way way, gjb_query query,
                      gjb_precision precision, int has_precision)
{
    choose_entry *e = &all->entries[all->count++];
    const gjb_contender *contender = way.contender;
    e->c = (choose_candidate){
        .name = contender->name,
        .backend = way.backend ? way.backend : "-",
        .version = contender->version,
        .licence = contender->licence,
        .note = contender->note,
        .precision = precision,
        .more = contender->does_more >> query & 1,
        .self_timed = gjb_is_self_timed(contender),
    };
    e->point = (gjb_bench_case){
        .dim = asked->scene->shapes.dim,
        .query = query,
        .recorded = asked->scene,
        .shapes = asked->scene->shapes.count,
        .call = asked->call,
        .threads = asked->threads,
        .way = way,
        .precision = precision,
        .scene_precision = (gjb_precision)asked->scene->shapes.precision,
    };
    if (asked->by_frame)
        gjb_bench_case_by_frame(&e->point);
    snprintf(e->point.workload, sizeof e->point.workload, "%s", asked->workload);
    snprintf(e->point.family, sizeof e->point.family, "%s", asked->family);
    find_lacks(e, contender, asked->scene, has_precision);
}

static void add_way(choose_answers *all, const choose_asked *asked, gjb_way way)
{
    const gjb_precision own = (gjb_precision)asked->scene->shapes.precision;
    const uint32_t precisions = precisions_of(asked, way.contender, own);
    for (int q = 0; q < GJB_QUERIES; q++)
        for (unsigned p = 0; p < GJB_PRECISIONS && asked->queries >> q & 1; p++)
            if (precisions ? precisions >> p & 1 : p == own)
                add_entry(all, asked, way, (gjb_query)q, (gjb_precision)p, precisions != 0);
}

static int list_entries(choose_answers *all, const choose_asked *asked, gjb_error *error)
{
    all->entries = calloc(asked->way_count * GJB_PRECISIONS * GJB_QUERIES + 1, sizeof *all->entries);
    if (!all->entries)
        return gjb_fail(error, "out of memory");
    for (size_t i = 0; i < asked->way_count; i++)
        add_way(all, asked, asked->ways[i]);
    return 0;
}

static uint32_t largest(const gjb_shapes *shapes)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < shapes->count; i++)
        most = shapes->row_count[i] > most ? shapes->row_count[i] : most;
    return most;
}

static int grade_all(choose_answers *all, const choose_asked *asked, gjb_error *error)
{
    const uint64_t pairs = asked->pairs ? asked->pairs : choose_sample_pairs(largest(&asked->scene->shapes));
    choose_sample *sample = choose_sample_open(asked->scene, pairs, &asked->watch, error);
    if (!sample)
        return -1;
    all->mix = choose_sample_mix(sample);
    int failed = 0;
    for (size_t i = 0; i < all->count && !failed && !*asked->watch.stop; i++) {
        choose_entry *e = &all->entries[i];
        asked->watch.progress("graded contenders", i, all->count);
        if (!*e->c.lacks)
            failed = choose_grade(sample, &e->point.way, e->point.precision, e->point.query, e->point.call,
                                  asked->accuracy, &e->c, error);
    }
    asked->watch.progress("graded contenders", all->count, all->count);
    choose_sample_close(sample);
    return failed;
}

static int same_entry(const gjb_bench_case *a, const gjb_bench_case *b)
{
    return a->query == b->query && a->precision == b->precision && a->way.contender == b->way.contender &&
           a->way.backend == b->way.backend;
}

static void progress(void *user, uint64_t done, uint64_t total)
{
    const choose_asked *asked = user;
    asked->watch.progress("timed", done, total);
}

/* A contender that no row has left was declined or lost at a pair that was not graded. */
static void take_times(choose_answers *all, const choose_asked *asked, const gjb_plan *plan)
{
    for (size_t i = 0; i < all->count; i++) {
        choose_entry *e = &all->entries[i];
        int planned = 0, died = 0;
        for (size_t k = 0; k < plan->count; k++)
            planned |= same_entry(&plan->points[k], &e->point);
        for (size_t k = 0; k < all->bench.died_count; k++)
            died |= same_entry(&all->bench.died[k], &e->point);
        for (size_t k = 0; k < all->bench.count; k++)
            if (same_entry(&all->bench.rows[k].point, &e->point)) {
                e->c.ns = all->bench.rows[k].ns;
                e->c.timed = 1;
            }
        if (planned && died && !e->c.mishap)
            e->c.mishap = "crashed or hung";
        else if (planned && !died && !e->c.timed && !all->bench.interrupted && !*asked->watch.stop)
            snprintf(e->c.lacks, sizeof e->c.lacks, "some pairs of the scene");
    }
}

static int time_all(choose_answers *all, const choose_asked *asked, choose_results *results, gjb_error *error)
{
    gjb_plan plan = {.points = calloc(all->count + 1, sizeof *plan.points)};
    if (!plan.points)
        return gjb_fail(error, "out of memory");
    for (size_t i = 0; i < all->count; i++) {
        choose_entry *e = &all->entries[i];
        if (*e->c.lacks || e->c.mishap || e->c.unsupported)
            continue;
        const uint64_t hash = gjb_scene_hash_for(asked->scene, e->point.query);
        e->c.reused = e->c.timed = choose_results_find(results, &e->point, hash, &e->c.ns, &e->reused);
        if (!e->c.reused)
            plan.points[plan.count++] = e->point;
    }
    const gjb_bench_settings settings = {
        .seed = asked->seed,
        .min_time = asked->min_time,
        .stop = asked->watch.stop,
        .progress = progress,
        .user = (void *)asked,
    };
    int failed = plan.count && !*asked->watch.stop ? gjb_bench_measure(&all->bench, &plan, &settings, error) : 0;
    if (!failed)
        take_times(all, asked, &plan);
    gjb_plan_free(&plan);
    return failed;
}

int choose_ask(choose_answers *all, const choose_asked *asked, choose_results *results, gjb_error *error)
{
    return list_entries(all, asked, error) || grade_all(all, asked, error) ||
                   time_all(all, asked, results, error)
               ? -1
               : 0;
}

void choose_answers_free(choose_answers *all)
{
    gjb_bench_free(&all->bench);
    free(all->entries);
}
