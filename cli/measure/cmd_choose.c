/* The command `choose`: checks the request, builds or loads the pairs, and ranks contenders by query. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/results.h"
#include "choose/choose_candidates.h"
#include "choose/choose_scene.h"
#include "cli/cli.h"
#include "cli/measure/choose_print.h"
#include "cli/options/hulls.h"
#include "contenders/recorded.h"
#include "contenders/table.h"
#include "core/spelling.h"

enum { MOST = 1 << 24, USUAL_QUERIES = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION };

/* What the command line says; negative numbers are not given. */
typedef struct choosing {
    cli_select select;
    const char *file, *json, *licence, *results, *hulls;
    double overlap, accuracy, wrong, min_time, margin, within;
    uint64_t shapes, batch, threads, pairs, seed;
    licences licences;
    choose_need need;
    choose_results known;
    gjb_scene *library;
    json_t *context, *rows, *choices; /* of the results */
    size_t undecided;                 /* questions that no contender qualifies for */
} choosing;

static int fail(const char *text, int code)
{
    fprintf(stderr, CLI_PROGRAM " choose: %s\n", text);
    return code;
}

static int check_share(const char *option, double value, gjb_error *error)
{
    return value >= 0 && value <= 1 ? 0 : gjb_fail(error, "--%s %g: a share lies in 0 to 1", option, value);
}

static int check_count(const char *option, uint64_t value, uint64_t least, uint64_t most, gjb_error *error)
{
    if (value == UINT64_MAX || (value >= least && value <= most))
        return 0;
    return gjb_fail(error, "--%s %llu: must lie in %llu to %llu", option, (unsigned long long)value,
                    (unsigned long long)least, (unsigned long long)most);
}

static int check_licence(choosing *ch, gjb_error *error)
{
    const char *more[CLI_CONTENDERS_MAX];
    char unknown[CLI_LICENCE_NAME];
    size_t count = 0, names = 0;
    for (; count < ch->select.contender_count; count++)
        more[count] = ch->select.contenders[count]->licence;
    if (!ch->licence || !licences_read(&ch->licences, ch->licence, more, count, unknown))
        return 0;
    while (licence_names[names])
        names++;
    const char *near = gjb_nearest_name(unknown, licence_names, names);
    if (near)
        return gjb_fail(error, "--licence: unknown licence '%s'; did you mean '%s'?", unknown, near);
    return gjb_fail(
        error,
        "--licence: unknown licence '%s': an SPDX name or pattern such as MIT or BSD-*, or permissive, "
        "weak-copyleft, copyleft, any",
        unknown);
}

/* What describes pairs is refused next to a file that has them. */
static int check_file(const choosing *ch, gjb_error *error)
{
    const char *given = ch->select.workload_count  ? "--workload"
                        : ch->select.family_count  ? "--family"
                        : ch->overlap != -1        ? "--overlap"
                        : ch->shapes != UINT64_MAX ? "--shapes"
                        : ch->hulls                ? "--hulls"
                                                   : NULL;
    if (ch->file && given)
        return gjb_fail(error, "%s describes pairs, but the pairs come from %s", given, ch->file);
    if (ch->overlap != -1 && ch->select.family_count)
        return gjb_fail(error, "--overlap and --family exclude each other: both say how pairs lie");
    return 0;
}

/* Times of impact have no share of S to be off by. */
static int check_queries(const choosing *ch, gjb_error *error)
{
    for (int q = 0; q < GJB_QUERIES && ch->select.queries_given; q++)
        if (ch->select.queries >> q & 1 && gjb_queries[q].moving)
            return gjb_fail(error, "--query %s: choose ranks only queries of shapes at rest; 'bench --query %s' "
                            "measures which library is fastest", gjb_queries[q].name, gjb_queries[q].name);
    return 0;
}

static int check(choosing *ch, gjb_error *error)
{
    if (check_file(ch, error) || check_queries(ch, error) || (ch->overlap != -1 && check_share("overlap", ch->overlap, error)) ||
        check_share("wrong", ch->wrong, error) || check_count("shapes", ch->shapes, 2, MOST, error) ||
        check_count("batch", ch->batch, 1, MOST, error) ||
        check_count("threads", ch->threads, 0, GJB_MAX_THREADS, error) ||
        check_count("pairs", ch->pairs, 1, 1u << 20, error) || check_licence(ch, error))
        return -1;
    if (!(ch->accuracy >= 0))
        return gjb_fail(error, "--accuracy %g: must not be negative", ch->accuracy);
    return ch->json ? cli_check_writable(ch->json, error) : 0;
}

static uint32_t threads_of(const choosing *ch)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (ch->threads)
        return (uint32_t)ch->threads;
    return processors < 1 ? 1 : processors > (long)GJB_MAX_THREADS ? GJB_MAX_THREADS : (uint32_t)processors;
}

/* Results have every row that the choice rests on, so that they serve --results again, and `report`. */
static void keep_rows(choosing *ch, const choose_answers *all)
{
    json_t *fresh = gjb_bench_json(&all->bench, json_incref(ch->context));
    json_array_extend(ch->rows, json_object_get(fresh, "benchmarks"));
    json_decref(fresh);
    for (size_t i = 0; i < all->count; i++)
        if (all->entries[i].reused)
            json_array_append(ch->rows, (json_t *)(uintptr_t)all->entries[i].reused);
}

/* The candidates of one query, ranked. */
static size_t rank_query(choosing *ch, const choose_answers *all, gjb_query query,
                         choose_candidate list[CHOOSE_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < all->count && count < CHOOSE_MOST; i++)
        if (all->entries[i].point.query == query)
            list[count++] = all->entries[i].c;
    choose_rank(list, count, &ch->need);
    return count;
}

/* Choices first, as all of them fit on a screen; then the scene; then the rankings. */
/* Names the selected contenders that do not have the dimension. */
static void print_other_dims(FILE *stream, const cli_select *select, uint32_t dim)
{
    int any = 0;
    for (size_t i = 0; i < select->contender_count; i++)
        if (!(select->contenders[i]->dims >> dim & 1)) {
            if (any)
                fputs(", ", stream);
            else
                fprintf(stream, "not %uD: ", (unsigned)dim);
            fputs(select->contenders[i]->name, stream);
            any = 1;
        }
    if (any)
        fputc('\n', stream);
}

static void show(choosing *ch, const choose_answers *all, choose_question *q, uint32_t queries, FILE *stream)
{
    static choose_candidate lists[GJB_QUERIES][CHOOSE_MOST];
    size_t counts[GJB_QUERIES] = {0};
    choose_held held = {0};
    for (int k = 0; k < GJB_QUERIES; k++) {
        if (!(queries >> k & 1))
            continue;
        q->query = gjb_queries[k].name;
        counts[k] = rank_query(ch, all, (gjb_query)k, lists[k]);
        ch->undecided += !counts[k] || !lists[k][0].rank;
        choose_print_choice(stream, &held, q, lists[k], counts[k], &ch->need);
        json_array_append_new(ch->choices, choose_json(q, lists[k], counts[k], &ch->need));
    }
    q->query = NULL;
    choose_print_choice(stream, &held, q, NULL, 0, &ch->need);
    choose_print_scene(stream, q);
    print_other_dims(stream, &ch->select, q->dim);
    for (int k = 0; k < GJB_QUERIES; k++)
        if (counts[k]) {
            q->query = gjb_queries[k].name;
            choose_print_ranking(stream, q, lists[k], counts[k], &ch->need);
        }
}

/* All backends that were named, or that this CPU has, of each selected contender that has the dimension: of few pairs
 * a narrow one may be the fastest. */
static size_t ways_of(const cli_select *select, uint32_t dim, gjb_way ways[CLI_CONTENDERS_MAX * CLI_BACKENDS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < select->contender_count; i++) {
        const char *backends[CLI_BACKENDS_MAX];
        const gjb_contender *contender = select->contenders[i];
        const size_t n = contender->dims >> dim & 1 ? cli_select_backends(select, contender, backends) : 0;
        for (size_t w = 0; w < n; w++)
            ways[count++] = (gjb_way){contender, backends[w]};
    }
    return count;
}

static uint32_t queries_of(const choosing *ch, const gjb_scene *scene)
{
    const gjb_query_row *named = gjb_query_find(scene->query);
    return ch->select.queries_given ? ch->select.queries : named ? 1u << named->id : USUAL_QUERIES;
}

/* Of a scene that has some. */
static void find_compounds(const gjb_scene *scene, choose_question *q)
{
    gjb_compound_pairs pairs;
    if (!gjb_scene_has_compounds(scene) || gjb_compound_pairs_find(scene, &pairs))
        return;
    q->compound_pairs = pairs.count;
    q->parts_each = (double)choose_pairs(scene) / (double)pairs.count;
    gjb_compound_pairs_free(&pairs);
}

/* The frames that make a call: those with pairs. */
static void find_frames(const gjb_scene *scene, choose_question *q)
{
    uint32_t calls = 0;
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        const uint64_t pairs = scene->frames[f].pair_count;
        q->most = pairs > q->most ? pairs : q->most;
        q->least = pairs && (!q->least || pairs < q->least) ? pairs : q->least;
        calls += pairs > 0;
    }
    q->mean = (double)choose_pairs(scene) / (calls ? calls : 1);
}

static int choose_by(choosing *ch, choose_asked *asked, const char *how, gjb_error *error)
{
    const gjb_query_row *named = gjb_query_find(asked->scene->query);
    if (!ch->select.queries_given && named && named->moving)
        return gjb_fail(error, "the scene asks for '%s', but choose ranks only queries of shapes at rest: name one with "
                        "--query", named->name);
    char shapes[CHOOSE_HOW];
    choose_answers all = {0};
    gjb_way ways[CLI_CONTENDERS_MAX * CLI_BACKENDS_MAX];
    asked->ways = ways;
    asked->way_count = ways_of(&ch->select, asked->scene->shapes.dim, ways);
    asked->precisions = ch->select.precisions_given ? ch->select.precisions : 0;
    asked->watch = (choose_watch){.stop = &cli_interrupted, .progress = cli_progress};
    asked->threads = threads_of(ch);
    asked->queries = queries_of(ch, asked->scene);
    asked->pairs = ch->pairs == UINT64_MAX ? 0 : ch->pairs;
    asked->min_time = ch->min_time;
    asked->seed = ch->seed;
    asked->accuracy = ch->accuracy;
    const int failed = choose_ask(&all, asked, &ch->known, error);
    choose_shapes_text(asked->scene, shapes);
    choose_question q = {.dim = asked->scene->shapes.dim,
                         .call = asked->call,
                         .threads = asked->threads,
                         .frame_pairs = (double)choose_pairs(asked->scene) / asked->scene->frame_count,
                         .by_frame = asked->by_frame,
                         .how = how,
                         .shapes = shapes,
                         .mix = all.mix};
    find_frames(asked->scene, &q);
    find_compounds(asked->scene, &q);
    if (!failed) {
        show(ch, &all, &q, asked->queries, cli_text_stream(ch->json));
        keep_rows(ch, &all);
    }
    choose_answers_free(&all);
    return failed;
}

/* The pairs of a file or of a recorded scene; of several frames each is a call, as an engine makes it. */
static int choose_by_scene(choosing *ch, gjb_scene *scene, const char *name, gjb_error *error)
{
    choose_asked asked = {.scene = scene,
                          .family = "recorded",
                          .by_frame = ch->batch == UINT64_MAX && scene->frame_count > 1,
                          .call = ch->batch == UINT64_MAX ? gjb_base_point(scene->shapes.dim)->call
                                                          : (uint32_t)ch->batch};
    if (ch->margin >= 0)
        scene->margin = ch->margin;
    if (ch->within >= 0)
        scene->within = ch->within;
    const char *slash = strrchr(name, '/');
    char how[CHOOSE_HOW];
    snprintf(asked.workload, sizeof asked.workload, "%.47s", slash ? slash + 1 : name);
    snprintf(how, sizeof how, "%llu of %.200s, in %u frame%s", (unsigned long long)choose_pairs(scene), name,
             (unsigned)scene->frame_count, scene->frame_count == 1 ? "" : "s");
    if (!(ch->select.dims >> scene->shapes.dim & 1))
        return gjb_fail(error, "%s: is %uD, but --dim asks for %d", name, (unsigned)scene->shapes.dim,
                        scene->shapes.dim == 2 ? 3 : 2);
    if (!choose_pairs(scene))
        return gjb_fail(error, "%s: pairs: none in it to choose by", name);
    return choose_by(ch, &asked, how, error);
}

/* Pairs as described, in one dimension; 1 when it lacks something that was named: half a description is
 * another. */
static int choose_by_description(choosing *ch, uint32_t dim, gjb_error *error)
{
    const char *workloads[CLI_SELECT_MAX];
    const gjb_family *families[CLI_SELECT_MAX];
    choose_description d = {.dim = dim,
                            .workloads = workloads,
                            .families = families,
                            .overlap = ch->overlap,
                            .seed = ch->seed,
                            .margin = cli_margin_of_made(ch->margin),
                            .within = cli_within_of_made(ch->within),
                            .library = ch->library ? &ch->library->shapes : NULL};
    d.precision = ch->select.precisions == 1u << GJB_F64 ? GJB_F64 : GJB_F32;
    d.shapes = ch->shapes == UINT64_MAX ? 0 : (uint32_t)ch->shapes;
    d.call = ch->batch == UINT64_MAX ? 0 : (uint32_t)ch->batch;
    for (size_t i = 0; i < ch->select.workload_count; i++)
        if (gjb_workload_vertices(dim, ch->select.workloads[i]))
            workloads[d.workload_count++] = ch->select.workloads[i];
    if (!ch->select.workload_count)
        workloads[d.workload_count++] = gjb_base_point(dim)->workload;
    for (size_t i = 0; i < ch->select.family_count; i++)
        if (ch->select.families[i]->dims >> dim & 1)
            families[d.family_count++] = ch->select.families[i];
    if ((ch->select.workload_count && d.workload_count < ch->select.workload_count) ||
        d.family_count < ch->select.family_count)
        return 1;

    char how[CHOOSE_HOW];
    choose_asked asked = {0};
    gjb_scene *scene = choose_describe(&d, &asked.call, how, error);
    if (!scene)
        return -1;
    asked.scene = scene;
    const int mixed = d.overlap < 0 || d.overlap == 0.5;
    const int plain = d.workload_count == 1 && (d.family_count == 1 || (!d.family_count && mixed));
    ch->known.plain = plain && !d.library;
    ch->known.seed = ch->seed;
    snprintf(asked.workload, sizeof asked.workload, "%s", d.workload_count == 1 ? workloads[0] : "several");
    snprintf(asked.family, sizeof asked.family, "%s",
             !plain           ? "several"
             : d.family_count ? families[0]->name
                              : "mixed");
    const int failed = choose_by(ch, &asked, how, error);
    gjb_scene_free(scene);
    return failed;
}

static int choose_described(choosing *ch, gjb_error *error)
{
    const gjb_recorded *recorded = NULL;
    for (size_t i = 0; i < ch->select.workload_count; i++)
        if (gjb_recorded_find(ch->select.workloads[i]))
            recorded = gjb_recorded_find(ch->select.workloads[i]);
    if (recorded && (ch->select.workload_count > 1 || ch->select.family_count || ch->overlap != -1 ||
                     ch->shapes != UINT64_MAX))
        return gjb_fail(
            error, "--workload: '%s' is a recorded scene: it stands alone, with shapes and family of its own",
            recorded->name);
    if (recorded) {
        gjb_scene *scene = gjb_recorded_load(recorded, error);
        const int failed = !scene || choose_by_scene(ch, scene, recorded->name, error);
        gjb_scene_free(scene);
        return failed ? -1 : 0;
    }
    int failed = 0, asked = 0;
    for (uint32_t dim = 2; dim <= 3 && failed >= 0 && !cli_interrupted; dim++)
        if (ch->select.dims >> dim & 1) {
            if (asked)
                fputc('\n', cli_text_stream(ch->json));
            failed = choose_by_description(ch, dim, error);
            asked |= !failed;
        }
    if (failed >= 0 && !asked && !cli_interrupted)
        return gjb_fail(error, "no selected dimension has all of the selected workloads and families");
    return failed < 0 ? -1 : 0;
}

static int write_results(choosing *ch, gjb_error *error)
{
    json_t *root =
        json_pack("{sO sO sO}", "context", ch->context, "choices", ch->choices, "benchmarks", ch->rows);
    const int failed = root ? cli_write_json(root, ch->json, error) : gjb_fail(error, "out of memory");
    json_decref(root);
    return failed;
}

static int work(choosing *ch)
{
    gjb_error error = {{0}};
    if (check(ch, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    ch->need = (choose_need){ch->accuracy, ch->wrong, &ch->licences};
    ch->context = cli_context();
    ch->rows = json_array();
    ch->choices = json_array();
    if (!ch->context || !ch->rows || !ch->choices || gjb_bench_add_context(ch->context, ch->seed, NULL, 0))
        return fail("out of memory", GJB_EXIT_HARNESS);
    if (ch->results && choose_results_load(&ch->known, ch->results, ch->context, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    if (ch->hulls && !(ch->library = cli_hulls_load(ch->hulls, &ch->select, &error)))
        return fail(error.text, GJB_EXIT_USAGE);
    gjb_scene *scene = ch->file ? gjb_scene_load(ch->file, &error) : NULL;
    if (ch->file && !scene)
        return fail(error.text, GJB_EXIT_USAGE);

    cli_catch_interrupt();
    const char *name = cli_is_stdout(ch->file) ? "standard input" : ch->file;
    if (scene)
        cli_warn_scene(scene, name);
    const int failed = scene ? choose_by_scene(ch, scene, name, &error) : choose_described(ch, &error);
    if (!cli_interrupted) /* a thread lost in a contender of ours may still read it */
        gjb_scene_free(scene);
    if (failed)
        return fail(error.text, GJB_EXIT_USAGE);
    if (ch->json && write_results(ch, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    if (cli_interrupted) {
        fputs(CLI_PROGRAM " choose: interrupted: this is what was known by then\n", stderr);
        return CLI_EXIT_INTERRUPTED;
    }
    return ch->undecided ? GJB_EXIT_WRONG : GJB_EXIT_OK;
}

int cmd_choose(int argc, char **argv)
{
    static choosing ch; /* large */
    ch = (choosing){.select = {.takes_recorded = 1},
                    .overlap = -1,
                    .accuracy = 1e-3,
                    .wrong = 1e-3,
                    .min_time = 0.25,
                    .shapes = UINT64_MAX,
                    .batch = UINT64_MAX,
                    .threads = 1,
                    .pairs = UINT64_MAX,
                    .seed = 1,
                    .margin = CLI_NO_MARGIN,
                    .within = CLI_NO_MARGIN,
                    .known = {.built_in = gjb_contender_count()}}; /* plug-ins come with the options */
    const cli_option options[] = {
        {"overlap", CLI_REAL, &ch.overlap, "SHARE",
         "share of described pairs that overlap, 0 to 1 (default: about half)"},
        {"shapes", CLI_COUNT, &ch.shapes, "N",
         "shapes in the described scene (default: 4096; fewer if they are large)"},
        {"batch", CLI_COUNT, &ch.batch, "N", "most pairs per call (default: 4096; in a scene of several frames: a frame)"},
        {"threads", CLI_COUNT, &ch.threads, "N", "threads; 0 means all processors (default: 1)"},
        {"accuracy", CLI_REAL, &ch.accuracy, "X",
         "largest error of value, normal or points that you accept, relative to the size of the pair (default: 1e-3)"},
        {"wrong", CLI_REAL, &ch.wrong, "SHARE",
         "largest share of answers that may exceed --accuracy or be missing (default: 0.001)"},
        {"licence", CLI_TEXT, &ch.licence, "LIST",
         "licences that you accept: SPDX names, patterns (BSD-*), permissive, weak-copyleft, copyleft (default: any)"},
        {"pairs", CLI_COUNT, &ch.pairs, "N",
         "pairs to grade, spread over the scene (default: 4096; fewer if shapes are large)"},
        {"results", CLI_TEXT, &ch.results, "FILES",
         "result files of bench, run or choose, or a league table, with commas between: times in these files are "
         "reused, except for plug-ins"},
        {"min-time", CLI_SECONDS, &ch.min_time, "T", "timed work per contender and query (default: 250ms)"},
        {"seed", CLI_COUNT, &ch.seed, "S", "seed of the described pairs, the same on every machine (default: 1)"},
        {"margin", CLI_LENGTH, &ch.margin, "M", cli_margin_about},
        {"within", CLI_LENGTH, &ch.within, "M", cli_within_about},
        {"hulls", CLI_TEXT, &ch.hulls, "PATH", cli_hulls_about},
        {"json", CLI_TEXT, &ch.json, "FILE",
         "write rankings and times as JSON; '-' is stdout, and the text goes to stderr"},
        {0}};
    const cli_spec spec = {
        .usage = "choose [SCENE] [SELECT] [--overlap SHARE] [--batch N] [--accuracy X] [--licence LIST] "
                 "[--json FILE]",
        .about = "Ranks contenders for given pairs, and says why. SCENE is a file with your own shapes, poses and pairs\n"
                 "(docs/scene-format.md; '-' is standard input). Without one, describe the pairs: --workload sets kind\n"
                 "and size of shapes, --overlap the share that overlaps; see also --shapes, --batch and --threads.\n"
                 "--overlap 0.5 uses family mixed. Smaller shares add far and near, larger ones shallow and deep. Or give\n"
                 "--family.\n\n"
                 "Each contender is graded on a sample of the pairs by your --accuracy and --wrong, not by what its\n"
                 "documentation promises. Then it is timed in blocks that alternate in random order. '0 wrong of 2,000 pairs'\n"
                 "is not 'never wrong': next to each share is the upper end of its exact 95% interval. A library fits if\n"
                 "that end is within your limits. If only the observed share is within them, the library is 'unproven' and\n"
                 "ranks lower. Intervals of time that overlap are a tie. A library that crashes, hangs, leaves a pair\n"
                 "unanswered, or whose licence is not in your list, is unfit; the reason is shown.\n\n"
                 "In a scene of several frames each frame is a call, as an engine makes it, unless --batch divides them. A\n"
                 "contender takes part with every backend that this CPU has, unless --backend names some: for few pairs a\n"
                 "call a narrow one may be the fastest. Without --query, the queries are those of the scene, else intersect,\n"
                 "distance and penetration, each with its own ranking.\n\n"
                 "Exits with 0 if there is a choice for each query. Exits with 1 if there is none for a query: each contender\n"
                 "is unfit (the nearest miss is named), or too few pairs (under 64) were graded to prove anything. Exits\n"
                 "with 2 for bad input, and with 130 after Ctrl-C: what was known by then is shown.",
        .options = options,
        .select = &ch.select,
        .examples =
            "  gjkbench choose scene.json                                 for the pairs of your game or robot\n"
            "  gjkbench choose --dim 3 --workload box,hull32 --overlap 0.1 --query distance\n"
            "  gjkbench choose --dim 2 --workload polygon8 --licence MIT,BSD-*,Zlib --contender box2d,batch\n"
            "  gjkbench choose --workload sphere,capsule --batch 16 --accuracy 1e-5 --wrong 0.01\n"
            "  gjkbench choose --dim 3 --results report/data/bench.json   reuse times of an earlier run\n"
            "  gjkbench choose scene.json --json - | jq '.choices[].sentence'\n",
        .max_files = 1};
    const char *files[1] = {NULL};
    size_t count = 0;
    int code = cli_parse(&spec, argc, argv, files, &count);
    if (code >= 0)
        return code;
    ch.file = count ? files[0] : NULL;
    code = work(&ch);
    choose_results_free(&ch.known);
    json_decref(ch.context);
    json_decref(ch.rows);
    json_decref(ch.choices);
    if (!cli_interrupted)
        gjb_scene_free(ch.library);
    return code;
}
