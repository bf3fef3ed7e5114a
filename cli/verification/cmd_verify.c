/* The command `verify`: options to a plan or a shard of it, the run, and its result file. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/options/hulls.h"
#include "cli/verification/verify_grid.h"
#include "core/json_file.h"
#include "scenes/hash.h"
#include "verify/verify_merge.h"

/* What was asked for apart from the shard and the file, so that `merge` can ask for another shard. */
static json_t *arguments(int argc, char **argv)
{
    static const char *const apart[] = {"--shard", "--json", "--resume"};
    json_t *list = json_array();
    for (int i = 1; i < argc; i++) {
        size_t a = 0;
        while (a < 3 && (strncmp(argv[i], apart[a], strlen(apart[a])) != 0 || !strchr("=", argv[i][strlen(apart[a])])))
            a++;
        if (a == 3)
            json_array_append_new(list, json_string(argv[i]));
        else if (a < 2 && !strchr(argv[i], '='))
            i++;
    }
    return list;
}

static int give_results(const gjb_verify_report *report, const char *json_path, json_t *asked, gjb_error *error)
{
    FILE *stream = cli_text_stream(json_path);
    gjb_verify_paint paint = cli_verify_paint(stream);
    gjb_verify_print(report, stream, &paint);
    if (!json_path)
        return 0;
    json_t *json = json_object(), *results = gjb_verify_json(report);
    json_t *context = cli_context();
    json_object_set(context, "arguments", asked);
    json_object_set_new(json, "context", context);
    json_object_update_missing(json, results);
    int failed = cli_write_json(json, json_path, error);
    json_decref(results);
    json_decref(json);
    return failed;
}

/* What the command line asks for. */
typedef struct request {
    cli_select select;
    gjb_verify_plan plan;
    cli_verify_lists lists; /* what the plan's pointers lead to */
    uint64_t threads, audit;
    cli_shard shard;
    const char *json_path, *out, *hulls_path, *grid; /* NULL if not given */
    gjb_scene *hulls;
    int resume;
} request;

/* -1 to go on, else an exit code. */
static int parse(request *r, int argc, char **argv)
{
    const cli_option options[] = {
        {"pairs", CLI_COUNT, &r->plan.pairs, "N",
         "pairs per dimension and precision, spread evenly over workloads and families (default: 200k)"},
        {"space-pairs", CLI_COUNT, &r->plan.space_pairs, "N",
         "as --pairs, for 3D only, where the truth takes longer (default: --pairs)"},
        {"seed", CLI_COUNT, &r->plan.seed, "S", "seed of the pairs, which are the same on every machine (default: 1)"},
        {"margin", CLI_LENGTH, &r->plan.margin, "M", cli_margin_about},
        {"within", CLI_LENGTH, &r->plan.within, "M", cli_within_about},
        {"leaving", CLI_LEAVING, &r->plan.leaving, "WHAT", cli_leaving_about},
        {"exhaustive", CLI_TEXT, &r->grid, "grid2|grid3",
         "take every pair of a small grid of integers, up to symmetry, in place of generated pairs (docs/grids.md)"},
        {"shard", CLI_SHARD, &r->shard, "K/N", "verify only the K-th of N parts of the pairs"},
        {"threads", CLI_COUNT, &r->threads, "N", "processors to use (default: all); results do not depend on it"},
        {"hulls", CLI_TEXT, &r->hulls_path, "PATH", cli_hulls_about},
        {"json", CLI_TEXT, &r->json_path, "FILE",
         "write results as JSON; '-' is stdout, and the table goes to stderr"},
        {"resume", CLI_FLAG, &r->resume, NULL,
         "do nothing if the FILE of --json is already complete; an interrupted run starts over"},
        {"out", CLI_TEXT, &r->out, "DIR", "folder for failing pairs (default: failures, created on the first failure)"},
        {"save-all", CLI_FLAG, &r->plan.save_all, NULL, "save failing pairs of other contenders too"},
        {"answers-only", CLI_FLAG, &r->plan.answers_only, NULL,
         "grade nothing: print fingerprints, and compare backends by them (several times faster)"},
        {"audit", CLI_COUNT, &r->audit, "N",
         "audit every N-th pair (default: 512; 0: none)"},
        {0}};
    const cli_spec spec = {
        .usage = "verify [SELECT] [--pairs N] [--seed S] [--shard K/N] [--json FILE] [--out DIR]",
        .about =
            "Grades the answers of contenders to generated pairs: booleans, values, normals and witness points. Proven\n"
            "bounds decide; if they leave a doubt, the exact oracle does.\n\n"
            "An answer is right if its error is at most T = tau + skin + k eps S:\n\n"
            "  tau   accuracy that the library documents\n"
            "  skin  margin that the library adds by design\n"
            "  k     published for each query and kind of shape ('list' prints it)\n"
            "  eps   2^-24 in f32, 2^-53 in f64\n"
            "  S     size of the pair: the reach of each shape from its origin, plus the\n"
            "        distance between both origins\n\n"
            "A boolean is graded only if the shapes are farther than T from touching, or from\n"
            "the distance of --within.\n\n"
            "Columns of the table; backends that agree share a line:\n\n"
            "  graded      answers that were graded\n"
            "  ungr.       share of the answers that was not graded\n"
            "  wrong       graded answers that are wrong\n"
            "  no ans.     answers that were NaN, hung, crashed or at the iteration limit, or\n"
            "              not asked for, as the contender had crashed or hung too often\n"
            "  asymm.      answers that change if A and B are swapped\n"
            "  worst/epsS  largest error in units of eps S\n"
            "  cover.      manifold: mean share of the contact patch that the contacts span\n\n"
            "Failing pairs of ours are saved for 'replay', at most 20 for each line. So are pairs at which any contender\n"
            "crashed, hung, wrote outside its results, left one unwritten, returned NaN or changed how floats are rounded.\n"
            "A hang means too much CPU time, or blocked for too long. Ctrl-Z and suspend do not count.\n\n"
            "For every N-th pair (--audit), an audit compares certificates with the exact oracle, and grades every answer\n"
            "again after a second, slower search for the truth. If either comparison differs, a checker is broken: exit\n"
            "code 99.\n\n"
            "Exits with 1 if\n"
            "  - an answer of ours is wrong, NaN, missing, at the iteration limit, or changes\n"
            "    if A and B are swapped;\n"
            "  - backends differ in a single bit;\n"
            "  - too few pairs were graded in a line of ours with 1,000 pairs or more, not\n"
            "    counting the touching families: the truth of 5% or more took too long, or\n"
            "    1% or more were not graded for another reason. With --within that is not\n"
            "    asked of intersect.\n"
            "Exits with 2 if there is nothing to grade, 130 after Ctrl-C with nothing wrong so far: what was done is\n"
            "printed and written.",
        .options = options,
        .select = &r->select,
        .examples = "  gjkbench verify                                      everything: a minute or two\n"
                    "  gjkbench verify --contender batch --pairs 10M        a campaign on our kernels\n"
                    "  gjkbench verify --query penetration --family needle --precision f32\n"
                    "  gjkbench verify --backend avx2,scalar --json - | jq '.summary'\n"
                    "  gjkbench verify --answers-only                       do all backends give the same bits?\n"
                    "  gjkbench verify --workload real256 --hulls mine.gjb   your own shapes ('import' makes them)\n"
                    "  gjkbench verify --exhaustive grid2 --contender batch --shard 1/16   part of a grid\n"
                    "  gjkbench verify --pairs 10M --shard 3/8              machine 3 of 8\n"
                    "  gjkbench verify --pairs 10M --shard 3/8 --resume --json c/3.json   skipped if already complete\n"};
    const char *files[1];
    const int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code < 0 && r->resume && (!r->json_path || cli_is_stdout(r->json_path)))
        return cli_usage_error("--resume needs --json FILE");
    return code < 0 && r->threads > 1024 ? cli_usage_error("--threads: at most 1024") : code;
}

/* What cannot work out is said before any work. 0, or -1 with `error`. */
static int check(const request *r, gjb_error *error)
{
    /* The default folder is made only when a failure comes, but must not turn out unusable then. */
    const int made = r->out || !access(r->plan.out, F_OK);
    return cli_verify_check(&r->select, &r->plan, error) || (made && cli_make_folder(r->plan.out, error)) ||
                   (r->json_path && cli_check_writable(r->json_path, error))
               ? -1
               : 0;
}

/* Completes the plan. 0, or -1 with `error`. */
static int prepare(request *r, gjb_error *error)
{
    gjb_verify_plan *plan = &r->plan;
    plan->out = r->out ? r->out : plan->out;
    cli_verify_plan(&r->select, &r->lists, plan);
    if (r->grid && cli_verify_grid(r->grid, &r->select, r->hulls_path, &r->lists, plan, error))
        return -1;
    cli_verify_defaults(plan);
    plan->threads = (uint32_t)r->threads;
    plan->audit = (uint32_t)r->audit;
    plan->shard = r->shard.index;
    plan->shards = r->shard.of;
    if (check(r, error))
        return -1;
    r->hulls = r->hulls_path ? cli_hulls_load(r->hulls_path, &r->select, error) : NULL;
    plan->library = r->hulls ? &r->hulls->shapes : NULL;
    plan->library_hash = r->hulls ? gjb_scene_hash(r->hulls) : 0;
    return r->hulls_path && !r->hulls ? -1 : 0;
}

static int exit_code(const gjb_verify_report *report)
{
    gjb_error error = {{0}};
    const int code = gjb_verify_exit(report);
    if (code == GJB_EXIT_OK && report->interrupted)
        return CLI_EXIT_INTERRUPTED;
    if (code == GJB_EXIT_OK && cli_verify_check_report(report, &error))
        return cli_usage_error("%s", error.text);
    return code;
}

static int fail(const gjb_error *error, int code)
{
    fprintf(stderr, CLI_PROGRAM " verify: %s\n", error->text);
    return code;
}

/* Is it all done by an earlier run? Then its exit code; -1 to go on; a file of something else is not touched. */
static int done_before(const request *r)
{
    gjb_error error = {{0}};
    if (access(r->json_path, F_OK))
        return -1;
    const gjb_verify_part part = {r->json_path, gjb_json_load(r->json_path, &error)};
    json_t *plan = gjb_verify_plan_json(&r->plan), *context = cli_context();
    gjb_verify_shards shards = {0};
    gjb_verify_report *report = NULL;
    int code = -1;
    if (!part.root || gjb_verify_same(&part, plan, context, &error) ||
        !(report = gjb_verify_combine(&part, 1, &shards, &error))) {
        gjb_json_point_file(&error, r->json_path);
        code = fail(&error, GJB_EXIT_USAGE);
    } else if (shards.state[r->plan.shard] == GJB_SHARD_DONE) {
        fprintf(stderr, CLI_PROGRAM " verify: %s: done before\n", r->json_path);
        code = gjb_verify_exit(report);
    }
    gjb_verify_free(report);
    gjb_verify_shards_free(&shards);
    json_decref((json_t *)(uintptr_t)part.root);
    json_decref(plan);
    json_decref(context);
    return code;
}

static void release(request *r)
{
    gjb_scene_free(r->hulls);
    gjb_grid_close(r->plan.grid);
}

int cmd_verify(int argc, char **argv)
{
    request r = {.plan = {.pairs = CLI_NOT_GIVEN,
                          .space_pairs = CLI_NOT_GIVEN,
                          .seed = CLI_NOT_GIVEN,
                          .margin = CLI_NO_MARGIN,
                          .within = CLI_NO_MARGIN,
                          .leaving = CLI_NO_LEAVING,
                          .out = "failures"},
                 .audit = 512, .shard = {0, 1}};
    gjb_error error = {{0}};
    int code = parse(&r, argc, argv);
    if (code >= 0)
        return code;
    if (prepare(&r, &error)) {
        release(&r);
        return cli_usage_error("%s", error.text);
    }
    code = r.resume ? done_before(&r) : -1;
    if (code >= 0) {
        release(&r);
        return code;
    }
    cli_catch_interrupt();
    gjb_verify_report *report = gjb_verify_run(&r.plan, &error);
    if (!report) {
        release(&r);
        return fail(&error, GJB_EXIT_HARNESS);
    }
    json_t *asked = arguments(argc, argv);
    code = give_results(report, r.json_path, asked, &error) ? fail(&error, GJB_EXIT_USAGE) : exit_code(report);
    json_decref(asked);
    /* A thread lost in a contender of ours may still read them. */
    if (!report->interrupted)
        release(&r);
    gjb_verify_free(report);
    return code;
}
