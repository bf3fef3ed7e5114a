/* Experiments that were published, repeated: a bucket of pairs at a time is made, measured and graded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/measure/bench_plan.h"
#include "cli/measure/recipe_place.h"
#include "core/spelling.h"
#include "reports/figures/recipe.h"
#include "reports/report.h"
#include "scenes/published.h"

enum { PATHS = 4096, CALL = 4096, QUICK = 0, FULL = 1 };

/* Timed work per point. */
static const double point_seconds[] = {0.01, 0.06};
/* Pairs to grade of each bucket: as many as truth is kept of. */
static const uint64_t most_grades = CLI_TRUTHS;

typedef struct recipe {
    const gjb_published *what;
    gjb_published_size size;
    int full;
    cli_select select;
    cli_bench bench;
    gjb_bench all; /* rows of every bucket */
    const char *out;
    char json_path[PATHS], failures[PATHS];
    json_t *arguments; /* of the command line, from the name on */
} recipe;

static int fail(const char *text, int code)
{
    fprintf(stderr, CLI_PROGRAM " recipe: %s\n", text);
    return code;
}

static uint64_t pairs_of(const gjb_published_size *size)
{
    return (uint64_t)size->couples * size->poses * size->seeds;
}

/* In the precision of the recipe, or in the other one if the contender has no choice. */
static int fed_in(const recipe *r, const gjb_contender *contender, gjb_precision *precision)
{
    const gjb_precision choices[] = {r->what->precision, r->what->precision == GJB_F32 ? GJB_F64 : GJB_F32};
    for (size_t i = 0; i < 2; i++)
        if (cli_select_precision(&r->select, contender, choices[i])) {
            *precision = choices[i];
            return 1;
        }
    return 0;
}

/* The backend that it would choose itself, which is the last, unless others are selected. */
static int add_points(recipe *r, const gjb_bench_case *place)
{
    gjb_plan *plan = &r->bench.plan;
    const uint32_t queries = r->select.queries_given ? r->select.queries : r->what->queries;
    plan->count = 0;
    for (unsigned query = 0; query < GJB_STILL_QUERIES; query++)
        for (size_t i = 0; i < r->select.contender_count && queries >> query & 1; i++) {
            const gjb_contender *contender = r->select.contenders[i];
            const char *backends[CLI_BACKENDS_MAX];
            gjb_bench_case point = *place;
            if (!(contender->dims >> place->dim & 1) ||
                !cli_select_query(&r->select, contender, (gjb_query)query) ||
                !fed_in(r, contender, &point.precision))
                continue;
            const size_t ways = cli_select_backends(&r->select, contender, backends);
            point.query = (gjb_query)query;
            for (size_t way = r->select.backend_count || !ways ? 0 : ways - 1; way < ways; way++) {
                point.way = (gjb_way){contender, backends[way]};
                if (plan->count == plan->capacity) {
                    plan->capacity = 2 * plan->capacity + 16;
                    gjb_bench_case *more = realloc(plan->points, plan->capacity * sizeof *more);
                    if (!more)
                        return -1;
                    plan->points = more;
                }
                plan->points[plan->count++] = point;
            }
        }
    return 0;
}

static int move_mishaps(gjb_bench_mishaps *all, gjb_bench_mishaps *part)
{
    if (!part->count)
        return 0;
    gjb_bench_mishap *more = realloc(all->all, (all->count + part->count) * sizeof *more);
    if (!more)
        return -1;
    memcpy(more + all->count, part->all, part->count * sizeof *more);
    all->all = more;
    all->count += part->count;
    part->count = 0; /* files that they name are the others' now */
    return 0;
}

/* What was measured of a bucket joins the rest; points no longer lead to its scene. */
static int move_rows(gjb_bench *all, gjb_bench *part)
{
    gjb_measurement *rows = realloc(all->rows, (all->count + part->count + 1) * sizeof *rows);
    gjb_bench_case *died =
        rows ? realloc(all->died, (all->died_count + part->died_count + 1) * sizeof *died) : NULL;
    if (rows)
        all->rows = rows;
    gjb_bench_left_out *left_out =
        died ? realloc(all->left_out, (all->unsupported + part->unsupported + 1) * sizeof *left_out) : NULL;
    if (died)
        all->died = died;
    if (!left_out || move_mishaps(&all->mishaps, &part->mishaps))
        return -1;
    all->left_out = left_out;
    if (part->count)
        memcpy(rows + all->count, part->rows, part->count * sizeof *rows);
    if (part->died_count)
        memcpy(died + all->died_count, part->died, part->died_count * sizeof *died);
    all->count += part->count;
    all->died_count += part->died_count;
    if (part->unsupported)
        memcpy(left_out + all->unsupported, part->left_out, part->unsupported * sizeof *left_out);
    all->unsupported += part->unsupported;
    all->interrupted |= part->interrupted;
    part->count = part->died_count = 0;
    gjb_bench_free(part);
    return 0;
}

static int nothing_measured(const recipe *r, uint32_t dim, gjb_error *error)
{
    cli_select here = r->select;
    char clash[256];
    here.dims = 1u << dim;
    return gjb_fail(error, "nothing to measure: no selected contender has a selected query in %uD%s",
                    (unsigned)dim, cli_select_clash(&here, clash));
}

/* Measures one bucket. `scene` may be NULL: it is generated then. */
static int measure(recipe *r, const gjb_published_panel *panel, const gjb_published_place *place,
                   const gjb_scene *scene, gjb_error *error)
{
    const uint64_t pairs = pairs_of(&r->size);
    char name[GJB_PUBLISHED_NAME];
    gjb_bench_case point = {.dim = r->what->dim,
                       .recorded = scene,
                       .threads = 1,
                       .scene_precision = r->what->precision,
                       .answers = pairs,
                       .grades = pairs < most_grades ? pairs : most_grades};
    point.shapes = scene ? scene->shapes.count : gjb_base_point(2)->shapes;
    point.call = pairs < CALL ? (uint32_t)pairs : CALL;
    gjb_published_workload(r->what, panel, place, name);
    snprintf(point.workload, sizeof point.workload, "%s", name);
    gjb_published_family(r->what, panel, place, name);
    snprintf(point.family, sizeof point.family, "%s", name);
    if (add_points(r, &point))
        return gjb_fail(error, "out of memory");
    if (!r->bench.plan.count)
        return nothing_measured(r, point.dim, error);
    const int failed = cli_bench_measure(&r->bench, error);
    for (size_t i = 0; i < r->bench.bench.count; i++)
        r->bench.bench.rows[i].point.recorded = NULL;
    return move_rows(&r->all, &r->bench.bench) ? gjb_fail(error, "out of memory") : failed;
}

static int measure_place(recipe *r, const gjb_published_panel *panel, const gjb_published_place *place,
                         gjb_scene *scene, const cli_touching *touching, gjb_error *error)
{
    if (!gjb_published_has(r->what, panel, place))
        return 0;
    if (scene && cli_recipe_place(scene, touching, place->sigma, error))
        return -1;
    return cli_interrupted ? 0 : measure(r, panel, place, scene, error);
}

static int measure_panel(recipe *r, const gjb_published_panel *panel, gjb_error *error)
{
    cli_touching touching = {.stop = &cli_interrupted};
    gjb_scene *scene = NULL;
    int failed = 0;
    if (r->what->dim == 3) {
        scene = gjb_published_ellipsoids(&r->size, r->bench.seed, panel->scale, error);
        failed = !scene || cli_touching_find(&touching, scene, error);
    }
    for (const gjb_published_place *place = r->what->places; place->label && !failed && !cli_interrupted;
         place++) {
        const size_t done =
            (size_t)(panel - r->what->panels) * GJB_PUBLISHED_PLACES + (size_t)(place - r->what->places);
        cli_progress(r->what->name, done, GJB_PUBLISHED_PANELS * GJB_PUBLISHED_PLACES);
        failed = measure_place(r, panel, place, scene, &touching, error);
    }
    cli_touching_free(&touching);
    gjb_scene_free(scene);
    return failed;
}

/* What the page says about the experiment. */
static json_t *facts(const recipe *r)
{
    const gjb_published *p = r->what;
    return json_pack("{ss ss ss sI si si si sI sb sO}", "name", p->name, "title", p->title, "citation",
                     p->citation, "seed", (json_int_t)r->bench.seed, "couples", (int)r->size.couples, "poses",
                     (int)r->size.poses, "seeds", (int)r->size.seeds, "pairs", (json_int_t)pairs_of(&r->size),
                     "full", memcmp(&r->size, &p->full, sizeof r->size) == 0, "arguments", r->arguments);
}

static int write_results(recipe *r, gjb_error *error)
{
    json_t *context = cli_context();
    if (!context || gjb_bench_add_context(context, r->bench.seed, NULL, 0))
        return gjb_fail(error, "out of memory");
    json_object_set_new(context, "gjkbench_version", json_incref(json_object_get(context, "version")));
    json_object_set_new(context, "recipe", facts(r));
    json_t *root = gjb_bench_json(&r->all, context);
    if (!root)
        return gjb_fail(error, "out of memory");
    const int failed = cli_write_json(root, r->json_path, error);
    json_decref(root);
    return failed;
}

static int prepare(recipe *r, gjb_error *error)
{
    char data[PATHS];
    if (strlen(r->out) + sizeof "/data/bench.json" > sizeof data)
        return gjb_fail(error, "--out: name too long");
    snprintf(data, sizeof data, "%s/data", r->out);
    snprintf(r->json_path, sizeof r->json_path, "%s/data/bench.json", r->out);
    snprintf(r->failures, sizeof r->failures, "%s/failures", r->out);
    r->bench.out = r->failures;
    return cli_make_folder(r->out, error) || cli_make_folder(data, error) ||
                   cli_check_writable(r->json_path, error)
               ? -1
               : 0;
}

/* What was measured by then is written and drawn, whatever went wrong. */
static int repeat(recipe *r)
{
    gjb_error error = {{0}}, write_error = {{0}};
    if (prepare(r, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    cli_catch_interrupt();
    int failed = 0;
    for (const gjb_published_panel *panel = r->what->panels; panel->name && !failed && !cli_interrupted;
         panel++)
        failed = measure_panel(r, panel, &error);
    cli_progress(r->what->name, 1, 1);
    r->all.interrupted |= cli_interrupted != 0;
    if (!r->all.count)
        return failed ? fail(error.text, GJB_EXIT_USAGE)
                      : fail("interrupted before anything was measured", CLI_EXIT_INTERRUPTED);
    if (write_results(r, &write_error))
        return fail(write_error.text, GJB_EXIT_USAGE);
    const int drawn = gjb_recipe_report(r->json_path, r->out, &write_error);
    if (drawn < 0)
        return fail(write_error.text, GJB_EXIT_USAGE);
    if (drawn == GJB_REPORT_UNDRAWN)
        fprintf(stderr, CLI_PROGRAM " recipe: %s\n", write_error.text);
    gjb_recipe_print(r->json_path, stdout, &write_error);
    printf("\n%s/index.html\n", r->out);
    if (failed)
        return fail(error.text, GJB_EXIT_HARNESS);
    if (gjb_bench_wrong_ours(&r->all))
        return GJB_EXIT_WRONG;
    return r->all.interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_OK;
}

static int set_size(recipe *r, uint64_t couples, uint64_t poses, uint64_t seeds)
{
    const uint64_t given[] = {couples, poses, seeds};
    uint32_t *const of[] = {&r->size.couples, &r->size.poses, &r->size.seeds};
    static const char *const names[] = {"pairs", "poses", "seeds"};
    r->size = r->full ? r->what->full : r->what->quick;
    for (size_t i = 0; i < 3; i++) {
        if (given[i] == UINT64_MAX)
            continue;
        if (r->what->dim == 2 && i > 0)
            return cli_usage_error("--%s: in %s every pair has its own pose", names[i], r->what->name);
        if (!given[i] || given[i] > 10000000)
            return cli_usage_error("--%s %llu: expected 1 to 10000000", names[i],
                                   (unsigned long long)given[i]);
        *of[i] = (uint32_t)given[i];
    }
    if (pairs_of(&r->size) > 10000000)
        return cli_usage_error("%llu pairs: at most 10000000", (unsigned long long)pairs_of(&r->size));
    return -1;
}

static int find(recipe *r, const char *name)
{
    const char *names[16];
    size_t count = 0;
    r->what = gjb_published_find(name);
    for (; count < gjb_published_count && count < 16; count++)
        names[count] = gjb_published_all[count].name;
    if (r->what)
        return -1;
    const char *near = gjb_nearest_name(name, names, count);
    if (near)
        return cli_usage_error("unknown recipe '%s': did you mean '%s'?", name, near);
    return cli_usage_error("unknown recipe '%s'; 'gjkbench list' shows them", name);
}

int cmd_recipe(int argc, char **argv)
{
    static const char *const takes[] = {"query", "contender", "backend", "precision", NULL};
    static recipe r; /* large */
    int quick = 0;
    uint64_t couples = UINT64_MAX, poses = UINT64_MAX, seeds = UINT64_MAX;
    r = (recipe){.out = "recipe", .select = {.takes = takes}, .bench = {.seed = 1}};
    const cli_option options[] = {
        {"quick", CLI_FLAG, &quick, NULL,
         "a first look: 25 pairs in 10 poses of one seed, or 2,048 polygons"},
        {"pairs", CLI_COUNT, &couples, "N", "pairs of shapes (default: 250 for hulls, 16384 for polygons)"},
        {"poses", CLI_COUNT, &poses, "N", "poses of each pair, for hulls (default: 100)"},
        {"seeds", CLI_COUNT, &seeds, "N", "number of consecutive seeds, for hulls (default: 4)"},
        {"seed", CLI_COUNT, &r.bench.seed, "S", "first seed; its pairs are the same on every machine (default: 1)"},
        {"min-time", CLI_SECONDS, &r.bench.min_time, "T", "timed work per point (default: 60ms; with --quick 10ms)"},
        {"out", CLI_TEXT, &r.out, "DIR", "folder for the page and its data (default: recipe)"},
        {0}};
    const cli_spec spec = {
        .usage = "recipe NAME [SELECT] [--quick] [--out DIR]",
        .about = "Repeats a published experiment: makes its pairs, lets the contenders answer them, grades the answers,\n"
                 "times the contenders, and draws the publication's kind of figure in DIR/index.html. Each drawing is also an\n"
                 "SVG and a CSV in DIR/data, and a table in CSV, Markdown and LaTeX in DIR/tables. 'gjkbench list' has the\n"
                 "citations.\n\n"
                 "  polygons-2011.09117         random convex polygons of 3 to 12 vertices:\n"
                 "                              far, touching, overlapping\n"
                 "  ellipsoid-hulls-2205.09663  hulls of points on ellipsoids, from 5 apart to a\n"
                 "                              depth of 0.1; at each of 49 places 100,000 pairs\n"
                 "                              (250 pairs, 100 poses, 4 seeds)\n\n"
                 "The first 16,384 pairs of each bucket are graded, with every pair of shapes among them. Other libraries are\n"
                 "graded on as many pairs as they answer in 3 s. Iterations are those that a contender itself reports.\n"
                 "Exits with 1 if an answer of ours is wrong.",
        .options = options,
        .select = &r.select,
        .examples = "  gjkbench recipe polygons-2011.09117\n"
                    "  gjkbench recipe ellipsoid-hulls-2205.09663 --quick --out look\n"
                    "  gjkbench recipe ellipsoid-hulls-2205.09663 --query distance --contender "
                    "batch,bullet-gjkepa,fcl-libccd\n"
                    "  gjkbench recipe polygons-2011.09117 --plugin ./mine.so      includes your library\n",
        .min_files = 1,
        .max_files = 1};
    const char *names[64];
    size_t count;
    int code = argc > 64 ? cli_usage_error("too many words") : cli_parse(&spec, argc, argv, names, &count);
    if (code >= 0 || (code = find(&r, names[0])) >= 0)
        return code;
    r.full = !quick;
    r.arguments = json_array();
    for (int i = 1; i < argc; i++)
        json_array_append_new(r.arguments, json_string(argv[i]));
    code = set_size(&r, couples, poses, seeds);
    if (code >= 0)
        return code;
    if (r.bench.min_time == 0)
        r.bench.min_time = point_seconds[r.full ? FULL : QUICK];
    code = repeat(&r);
    cli_bench_free(&r.bench);
    gjb_bench_free(&r.all);
    json_decref(r.arguments);
    return code;
}
