/* The command `fuzz`: options, the corpus, the search for wrong answers, and its results. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/bugs/failure_picture.h"
#include "cli/cli.h"
#include "cli/verification/verify_plan.h"
#include "scenes/hash.h"

_Static_assert(GJB_MUTATE_VERTICES == 40, "what --corpus says");

/* Before options are read: no count or time, which have other bounds. */
#define NOT_GIVEN UINT64_MAX

typedef struct request {
    cli_select select;
    cli_verify_lists lists;
    gjb_verify_plan chosen; /* what SELECT comes to */
    gjb_hunt_plan plan;
    cli_shard shard;
    uint64_t threads;
    const char *json_path, *corpus;
    gjb_scene **scenes;
    uint64_t unwritten; /* files */
} request;

static void say_unwritten(void *context, const char *why)
{
    request *r = context;
    if (!r->unwritten++) /* a full disk says the same of every file */
        fprintf(stderr, CLI_PROGRAM " fuzz: %s\n", why);
}

/* A picture that cannot be written is a file that cannot. */
static void draw_find(void *context, const gjb_hunt_found *find)
{
    gjb_error error = {{0}};
    if (cli_failure_draw(find, &error))
        say_unwritten(context, error.text);
}

static void progress(uint64_t done, uint64_t total)
{
    cli_progress("searched", done, total);
}

static void shrinking(uint64_t done, uint64_t total)
{
    cli_progress("shrunk failures", done, total);
}

static int parse(request *r, int argc, char **argv)
{
    const cli_option options[] = {
        {"time", CLI_SECONDS, &r->plan.seconds, "T",
         "time for the whole run (default: 60s), of which a third goes to shrinking failures"},
        {"pairs", CLI_COUNT, &r->plan.pairs, "N",
         "stop after N pairs per contender, query, dimension and precision instead of after --time; the same on every "
         "run"},
        {"seed", CLI_COUNT, &r->plan.seed, "S", "seed of the search (default: 1)"},
        {"margin", CLI_LENGTH, &r->plan.margin, "M", cli_margin_about},
        {"within", CLI_LENGTH, &r->plan.within, "M", cli_within_about},
        {"leaving", CLI_LEAVING, &r->plan.leaving, "WHAT", cli_leaving_about},
        {"shard", CLI_SHARD, &r->shard, "K/N", "search only the K-th of N parts; 'merge' combines them"},
        {"threads", CLI_COUNT, &r->threads, "N",
         "processors to use (default: all); with --pairs results do not depend on it"},
        {"corpus", CLI_TEXT, &r->corpus, "PATH",
         "start from these pairs too, of shapes with at most 40 vertices: a file of pairs or a folder of such files"},
        {"out", CLI_TEXT, &r->plan.out, "DIR",
         "folder for findings: README.md, and pair, picture and C test of each (default: none are saved)"},
        {"json", CLI_TEXT, &r->json_path, "FILE",
         "write results as JSON; '-' is stdout, and the table goes to stderr"},
        {"unguided", CLI_FLAG, &r->plan.unguided, NULL,
         "do not mutate; compare with a normal run to see what guidance gains"},
        {"as-found", CLI_FLAG, &r->plan.as_found, NULL, "do not shrink"},
        {"shrink", CLI_COUNT, &r->plan.shrink_most, "N", "most pairs to try while shrinking one failure (default: 20k)"},
        {0}};
    const cli_spec spec = {
        .usage = "fuzz [SELECT] [--time T | --pairs N] [--seed S] [--shard K/N] [--corpus PATH] [--out DIR] "
                 "[--json FILE]",
        .about = "Searches for pairs that a contender answers wrongly. It needs no fuzzing engine: it mutates the geometry\n"
                 "of pairs (makes an edge parallel or a face flush, repeats a vertex, brings shapes to touch, ...), and\n"
                 "mutates those further that came closest to breaking a bound. Each combination of contender, query,\n"
                 "dimension and precision is searched separately.\n\n"
                 "A failing pair is shrunk as long as it fails in the same way, and reported on one line: which contender\n"
                 "is off by how much, in units of S, of eps S and of T (see 'verify --help'); or, for a bad normal, its length.\n"
                 "With --out, README.md lists all failures, the worst first. Each has a pair file for 'replay' and 'explain',\n"
                 "a picture (.svg) and a test in C. For a search without failures, the pair closest to failing is saved.\n\n"
                 "Exits with the first of these that holds:\n"
                 "  99   certificate and oracle contradict each other\n"
                 "  1    an answer of ours fails\n"
                 "  2    a file could not be written; all others are there\n"
                 "  130  stopped by Ctrl-C; what was found is written without further shrinking",
        .options = options,
        .select = &r->select,
        .examples =
            "  gjkbench fuzz --time 10m --contender batch --out found      ours, ten minutes\n"
            "  gjkbench fuzz --time 5m --contender bullet-gjkepa,fcl-libccd --dim 3 --query penetration --out "
            "found\n"
            "  gjkbench fuzz --plugin ./mine.so --contender mine --time 1m --out found\n"
            "  gjkbench fuzz --corpus data/regressions --time 2m           start from pairs that failed before\n"
            "  gjkbench fuzz --pairs 100k --shard 1/4 --json c/1.json      a quarter of a campaign\n"};
    const char *files[1];
    r->plan.pairs = r->plan.shrink_most = NOT_GIVEN;
    r->plan.seconds = -1;
    r->plan.margin = GJB_DEFAULT_MARGIN;
    const int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    if (r->plan.pairs != NOT_GIVEN && r->plan.seconds >= 0)
        return cli_usage_error("--time and --pairs exclude each other");
    if (!r->plan.pairs || r->plan.seconds == 0)
        return cli_usage_error("nothing to search: --%s 0", r->plan.pairs ? "time" : "pairs");
    if (!r->plan.shrink_most)
        return cli_usage_error("--shrink 0: use --as-found to skip shrinking");
    if (r->threads > 1024)
        return cli_usage_error("--threads: at most 1024");
    return -1;
}

static uint64_t large_pairs(const gjb_scene *scene)
{
    uint64_t large = 0;
    for (uint64_t p = 0; p < scene->frames[0].pair_count; p++) {
        uint32_t rows = 0;
        for (int i = 0; i < 2; i++) {
            const uint32_t body = scene->frames[0].pairs[2 * p + i];
            const uint32_t count =
                scene->shapes.row_count[scene->body_shape ? scene->body_shape[body] : body];
            rows = count > rows ? count : rows;
        }
        large += rows > GJB_MUTATE_VERTICES;
    }
    return large;
}

static int load_corpus(request *r, gjb_error *error)
{
    struct dirent **names = NULL;
    struct stat is;
    if (stat(r->corpus, &is))
        return gjb_fail(error, "--corpus %s: there is no such file or folder", r->corpus);
    const int folder = S_ISDIR(is.st_mode),
              found = folder ? scandir(r->corpus, &names, cli_is_scene, alphasort) : 1;
    uint64_t large = 0;
    int failed = found < 1 ? gjb_fail(error, "--corpus %s: no pairs in it (.json or .gjb)", r->corpus) : 0;
    r->scenes = calloc((size_t)(found > 0 ? found : 1), sizeof *r->scenes);
    for (int i = 0; i < found; i++) {
        char path[4096];
        snprintf(path, sizeof path, folder ? "%s/%s" : "%s", r->corpus, folder ? names[i]->d_name : "");
        gjb_scene *scene = failed || !r->scenes ? NULL : gjb_scene_load(path, error);
        failed |= !scene;
        if (scene) {
            const uint64_t hash = gjb_scene_hash(scene);
            large += large_pairs(scene);
            r->scenes[r->plan.corpus_count++] = scene;
            r->plan.corpus_hash = gjb_fingerprint(&hash, 1, sizeof hash, sizeof hash, r->plan.corpus_hash);
        }
        if (folder)
            free(names[i]);
    }
    free(names);
    r->plan.corpus = (const gjb_scene *const *)r->scenes;
    if (large && !failed)
        fprintf(stderr,
                CLI_PROGRAM " fuzz: --corpus %s: left out, for shapes of more than %d vertices: %llu pairs\n",
                r->corpus, GJB_MUTATE_VERTICES, (unsigned long long)large);
    return failed ? -1 : 0;
}

static int prepare(request *r, gjb_error *error)
{
    gjb_hunt_plan *plan = &r->plan;
    cli_verify_plan(&r->select, &r->lists, &r->chosen);
    r->chosen.pairs = 1;
    if (cli_check_leaving(&r->select, r->plan.leaving, error) || cli_verify_check(&r->select, &r->chosen, error))
        return -1;
    plan->workloads = r->chosen.workloads;
    plan->workload_count = r->chosen.workload_count;
    plan->families = r->chosen.families;
    plan->family_count = r->chosen.family_count;
    plan->entries = r->chosen.entries;
    plan->entry_count = r->chosen.entry_count;
    plan->queries = r->chosen.queries;
    plan->precisions = r->chosen.precisions;
    plan->threads = (uint32_t)r->threads;
    plan->shard = r->shard.index;
    plan->shards = r->shard.of;
    plan->stop = &cli_interrupted;
    plan->progress = progress;
    plan->shrinking = shrinking;
    plan->found = draw_find;
    plan->unwritten = say_unwritten;
    plan->context = r;
    plan->shrink_most = plan->shrink_most == NOT_GIVEN ? 0 : plan->shrink_most;
    plan->pairs = plan->pairs == NOT_GIVEN ? 0 : plan->pairs;
    plan->seconds = plan->seconds >= 0 ? plan->seconds : plan->pairs ? 0 : 60;
    return (r->json_path && cli_check_writable(r->json_path, error)) ||
                   (plan->out && cli_make_folder(plan->out, error)) || (r->corpus && load_corpus(r, error))
               ? -1
               : 0;
}

/* Had everybody their turn, and took none of the shapes? A shard alone may have no turn but of such. */
static int nobody_asked(const request *r, const json_t *hunt)
{
    const json_t *row, *rows = json_object_get(hunt, "rows");
    size_t i;
    json_array_foreach(rows, i, row)
        if (json_integer_value(json_object_get(row, "pairs")) >
            json_integer_value(json_object_get(row, "unsupported")))
            return 0;
    return json_array_size(rows) > 0 && r->shard.of <= 1 && !cli_interrupted;
}

static int give(const request *r, const json_t *hunt)
{
    const char *json_path = r->json_path;
    gjb_error error = {{0}};
    FILE *stream = cli_text_stream(json_path);
    const gjb_verify_paint paint = cli_verify_paint(stream);
    gjb_hunt_print(hunt, stream, &paint);
    int code = gjb_hunt_exit(hunt);
    if (r->plan.out && gjb_hunt_index(hunt, r->plan.out, &error))
        say_unwritten((request *)(uintptr_t)r, error.text);
    if (r->unwritten > 1)
        fprintf(stream, "%llu files could not be written\n", (unsigned long long)r->unwritten);
    if (!code && r->unwritten)
        code = GJB_EXIT_USAGE;
    if (json_path) {
        json_t *json = json_object();
        json_object_set_new(json, "context", cli_context());
        json_object_update_missing(json, (json_t *)(uintptr_t)hunt);
        if (cli_write_json(json, json_path, &error)) {
            fprintf(stderr, CLI_PROGRAM " fuzz: %s\n", error.text);
            code = GJB_EXIT_USAGE;
        }
        json_decref(json);
    }
    return code == GJB_EXIT_OK && cli_interrupted ? CLI_EXIT_INTERRUPTED : code;
}

int cmd_fuzz(int argc, char **argv)
{
    request *r = calloc(1, sizeof *r);
    gjb_error error = {{0}};
    if (!r)
        return GJB_EXIT_HARNESS;
    r->plan.seed = 1;
    int code = parse(r, argc, argv);
    if (code < 0 && prepare(r, &error))
        code = cli_usage_error("%s", error.text);
    if (code < 0) {
        cli_catch_interrupt();
        json_t *hunt = gjb_hunt_run(&r->plan, &error);
        if (hunt && nobody_asked(r, hunt))
            code = cli_usage_error("nothing to search: no selected contender supports the shapes of the "
                                   "selected pairs, of at most %d vertices",
                                   GJB_MUTATE_VERTICES);
        else if (hunt)
            code = give(r, hunt);
        else
            fprintf(stderr, CLI_PROGRAM " fuzz: %s\n", error.text), code = GJB_EXIT_HARNESS;
        json_decref(hunt);
    }
    for (size_t i = 0; i < r->plan.corpus_count; i++)
        gjb_scene_free(r->scenes[i]);
    free(r->scenes);
    free(r);
    return code;
}
