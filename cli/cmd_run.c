#include <stdio.h>
#include <string.h>

#include "cli/bench_plan.h"
#include "cli/cli.h"
#include "cli/hulls.h"
#include "cli/league_file.h"
#include "cli/replay.h"
#include "cli/verify_plan.h"
#include "fuzz/converge.h"
#include "reports/report.h"

enum { RUN_PATH = 4096 };

/* Pairs that each size grades per precision in 2D and 3D, where truth costs more and libraries hang; audits as
 * `verify` does. */
static const uint64_t verify_pairs[2][GJB_PLAN_SIZES] = {{20000, 400000, 10000000}, {2500, 20000, 10000000}};
/* Libraries that hang cost seconds each time, and are known well enough by then. */
static const uint64_t other_pairs = 400000;

/* Pairs of each kind that convergence is drawn from. */
static const uint64_t converge_pairs[GJB_PLAN_SIZES] = {100, 400, 4000};

/* To see what a child process costs a time. */
static const double isolation_seconds = 0.3;

typedef struct run {
    gjb_plan_size size;
    const char *out, *known, *hulls; /* the last two may be NULL */
    const char *league_path; /* NULL: not given */
    char verify_path[RUN_PATH], bench_path[RUN_PATH], known_path[RUN_PATH], converge_path[RUN_PATH],
        own_league[RUN_PATH];
    char command[1024];
    int verified; /* something, and written */
    cli_league league;
    uint64_t seed;
    uint64_t pairs; /* to grade, per dimension and precision; UINT64_MAX: as the size says */
    cli_select select;
    cli_bench bench;
} run;

static int fail(const char *text, int code)
{
    fprintf(stderr, CLI_PROGRAM " run: %s\n", text);
    return code;
}

/* The more serious of two exit codes: wrong answers of ours, then a failure of
 * the harness, then an interruption. */
static int worse(int a, int b)
{
    static const int order[] = {GJB_EXIT_WRONG, GJB_EXIT_HARNESS, GJB_EXIT_USAGE, CLI_EXIT_INTERRUPTED};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return GJB_EXIT_OK;
}

/* Folders first: an unwritable one must not cost two minutes. */
static int prepare(run *r, gjb_error *error)
{
    char data[RUN_PATH];
    if (strlen(r->out) + sizeof "/data/verify.json" > sizeof data)
        return gjb_fail(error, "--out: name too long");
    snprintf(data, sizeof data, "%s/data", r->out);
    if (cli_make_folder(r->out, error) || cli_make_folder(data, error))
        return -1;
    snprintf(r->verify_path, sizeof r->verify_path, "%s/data/verify.json", r->out);
    snprintf(r->bench_path, sizeof r->bench_path, "%s/data/bench.json", r->out);
    snprintf(r->known_path, sizeof r->known_path, "%s/data/known.json", r->out);
    snprintf(r->converge_path, sizeof r->converge_path, "%s/data/convergence.json", r->out);
    snprintf(r->own_league, sizeof r->own_league, "%s/data/league.json", r->out);
    /* Part of the workloads or families says less than what is kept. */
    const int everything = r->select.contenders_all && !r->select.workload_count && !r->select.family_count;
    if ((r->league_path || everything) && cli_league_open(&r->league, r->league_path, error))
        return -1;
    return cli_check_writable(r->verify_path, error) || cli_check_writable(r->bench_path, error) ? -1 : 0;
}

static int verify(run *r)
{
    char failures[RUN_PATH];
    gjb_error error = {{0}};
    cli_verify_lists lists;
    gjb_verify_plan plan = {.pairs = r->pairs, .space_pairs = r->pairs, .others = other_pairs, .seed = r->seed,
                            .audit = 512, .out = failures};
    if (r->pairs == UINT64_MAX) {
        plan.pairs = verify_pairs[0][r->size];
        plan.space_pairs = verify_pairs[1][r->size];
    }
    snprintf(failures, sizeof failures, "%s/failures", r->out);
    cli_verify_plan(&r->select, &lists, &plan);
    plan.library = r->bench.library;
    gjb_verify_report *report = gjb_verify_run(&plan, &error);
    if (!report)
        return fail(error.text, GJB_EXIT_HARNESS);

    gjb_verify_paint paint = cli_verify_paint(stdout);
    gjb_verify_print(report, stdout, &paint);
    json_t *json = json_object(), *results = gjb_verify_json(report);
    json_t *context = cli_context();
    json_object_set_new(context, "contenders", gjb_contenders_json());
    json_object_set_new(json, "context", context);
    json_object_update_missing(json, results);
    int code = gjb_verify_exit(report);
    const int written = !cli_write_json(json, r->verify_path, &error);
    r->verified = written && report->row_count > 0;
    if (!written)
        code = worse(code, fail(error.text, GJB_EXIT_USAGE));
    else if (code == GJB_EXIT_OK && report->interrupted)
        code = CLI_EXIT_INTERRUPTED;
    json_decref(results);
    json_decref(json);
    gjb_verify_free(report);
    return code;
}

/* Whatever was measured is written, an interrupted or failed run's too. */
static int bench(run *r)
{
    gjb_error error = {{0}}, write_error = {{0}};
    char failures[RUN_PATH];
    const double seconds = r->bench.min_time > 0 && r->bench.min_time < isolation_seconds ? r->bench.min_time
                                                                                          : isolation_seconds;
    snprintf(failures, sizeof failures, "%s/failures", r->out);
    r->bench.out = failures;
    int failed = cli_bench_memory(&r->bench, &error) ||
                 cli_bench_isolation(&r->bench, &r->select, seconds, &error) ||
                 cli_bench_measure(&r->bench, &error);
    int code = failed ? fail(error.text, GJB_EXIT_HARNESS) : GJB_EXIT_OK;
    if (cli_bench_write(&r->bench, r->bench_path, &write_error))
        code = worse(code, fail(write_error.text, GJB_EXIT_USAGE));
    if (gjb_bench_wrong_ours(&r->bench.bench))
        code = worse(code, GJB_EXIT_WRONG);
    return r->bench.bench.interrupted ? worse(code, CLI_EXIT_INTERRUPTED) : code;
}

/* A drawing of its own, which takes seconds: what a selection of workloads, families or contenders is not about. */
static int converge(run *r, int *converged)
{
    const gjb_converge_plan plan = {.dims = r->select.dims, .precisions = r->select.precisions, .seed = r->seed,
                                    .pairs = converge_pairs[r->size], .stop = &cli_interrupted};
    gjb_error error = {{0}};
    if (r->select.workload_count || r->select.family_count || r->select.contenders_given || r->pairs != UINT64_MAX)
        return GJB_EXIT_OK;
    json_t *json = gjb_converge_json(&plan, &error);
    if (!json)
        return fail(error.text, GJB_EXIT_HARNESS);
    const int wrong = gjb_converge_capped(json) > 0;
    json_object_set_new(json, "context", cli_context());
    *converged = !cli_write_json(json, r->converge_path, &error);
    json_decref(json);
    return *converged ? wrong ? GJB_EXIT_WRONG : GJB_EXIT_OK : fail(error.text, GJB_EXIT_USAGE);
}

/* A run that was cut short says nothing about who did not get his turn. */
static int league(run *r, int benched, int whole)
{
    const char *files[2] = {r->verify_path, r->bench_path};
    gjb_error error = {{0}};
    if (!r->verified)
        return GJB_EXIT_OK;
    if (cli_league_write(&r->league, files, benched ? 2 : 1, r->own_league, r->command, whole, &error))
        return fail(error.text, GJB_EXIT_HARNESS);
    return GJB_EXIT_OK;
}

static int report(run *r, int benched, int converged)
{
    gjb_error error = {{0}};
    const char *files[4] = {r->verify_path};
    size_t count = 1;
    if (benched)
        files[count++] = r->bench_path;
    if (r->known)
        files[count++] = r->known_path;
    if (converged)
        files[count++] = r->converge_path;
    int drawn = gjb_report_write(files, count, r->out, &error);
    if (drawn < 0)
        return fail(error.text, GJB_EXIT_HARNESS);
    if (drawn == GJB_REPORT_UNDRAWN)
        fprintf(stderr, CLI_PROGRAM " run: %s\n"
                "  the numbers are kept; draw them later with: " CLI_PROGRAM " report %s %s %s %s --out %s\n",
                error.text, r->verify_path, benched ? r->bench_path : "", r->known ? r->known_path : "",
                converged ? r->converge_path : "", r->out);
    return GJB_EXIT_OK;
}

static int run_all(run *r)
{
    gjb_error error = {{0}};
    gjb_bench_paint paint = cli_bench_paint(stdout);
    if (prepare(r, &error) || cli_bench_plan(&r->bench, &r->select, &error))
        return fail(error.text, GJB_EXIT_USAGE);
    cli_catch_interrupt();
    /* First, for it is short: a file that cannot be read must not cost minutes. */
    int wrong = r->known ? cli_replay(r->known, &r->select, r->known_path, stdout, &error) : 0;
    if (wrong < 0)
        return fail(error.text, GJB_EXIT_USAGE);
    int code = worse(wrong ? GJB_EXIT_WRONG : GJB_EXIT_OK, verify(r)), converged = 0;
    if (!cli_interrupted)
        code = worse(code, converge(r, &converged));
    const int benched = !cli_interrupted;
    if (benched)
        code = worse(code, bench(r));
    if (cli_interrupted && !r->verified) { /* in the first moments: there is nothing to draw */
        puts("interrupted before anything was done");
        return code;
    }
    code = worse(code, league(r, benched, benched && !cli_interrupted));
    code = worse(code, report(r, benched, converged));

    putchar('\n');
    if (benched && r->bench.bench.count)
        gjb_bench_print_headline(&r->bench.bench, stdout, &paint);
    if (code == CLI_EXIT_INTERRUPTED)
        puts("interrupted: the page shows what was done by then");
    if (code == GJB_EXIT_WRONG)
        printf("%sthere are wrong answers of ours%s: see the page and '" CLI_PROGRAM " replay %s/failures/*'\n",
               paint.bad, paint.plain, r->out);
    printf("\n%s/index.html\n", r->out);
    return code;
}

static void tell_command(run *r, int argc, char **argv)
{
    size_t used = (size_t)snprintf(r->command, sizeof r->command, CLI_PROGRAM);
    for (int i = 0; i < argc && used < sizeof r->command; i++)
        used += (size_t)snprintf(r->command + used, sizeof r->command - used, " %s", argv[i]);
}

int cmd_run(int argc, char **argv)
{
    static run r; /* large */
    int quick = 0, full = 0;
    r = (run){.out = "report", .seed = 1, .pairs = UINT64_MAX};
    const cli_option options[] = {
        {"quick", CLI_FLAG, &quick, NULL, "fewer pairs and points, some minutes"},
        {"full", CLI_FLAG, &full, NULL, "ten million pairs, every backend at every point: as long as it takes"},
        {"out", CLI_TEXT, &r.out, "DIR", "folder for the page and its data (report)"},
        {"pairs", CLI_COUNT, &r.pairs, "N",
         "pairs to grade per precision, in 2D and 3D (400k and 20k; quick 20k and 2.5k; full 10M, 400k of other libraries)"},
        {"known", CLI_TEXT, &r.known, "FILE", "known failures of libraries to replay and to show, as 'replay' takes them"},
        {"hulls", CLI_TEXT, &r.hulls, "PATH", cli_hulls_about},
        {"league", CLI_TEXT, &r.league_path, "FILE",
         "league table to renew ($XDG_DATA_HOME/gjkbench/league.json with --contender all, else none)"},
        {"min-time", CLI_SECONDS, &r.bench.min_time, "T", "timed work per point (default: about 180 s for everything)"},
        {"seed", CLI_COUNT, &r.seed, "S", "which pairs and scenes: the same on every machine (1)"},
        {0}
    };
    const cli_spec spec = {
        .usage = "run [SELECT] [--quick|--full] [--out DIR] [--league FILE] [--known FILE] [--hulls PATH] [--pairs N]\n"
                 "                    [--min-time T]",
        .about = "The main job: grades every contender's answers, measures throughput, and writes a page to look\n"
                 "at, DIR/index.html, with the numbers behind it in DIR/data, in 2D and 3D. Ten minutes and more. What\n"
                 "is left out without --full: see 'bench --help'.\n\n"
                 "Exits with 1 when an answer of ours is wrong, and with 130 when stopped by Ctrl-C: the page then\n"
                 "shows what was done.",
        .options = options,
        .select = &r.select,
        .examples = "  gjkbench run                     everything, then open report/index.html\n"
                    "  gjkbench run --quick --out /tmp/look\n"
                    "  gjkbench run --contender batch,box2d --precision f32\n"
                    "  gjkbench run --contender all     every configuration too, and renews the league table that is kept\n"
                    "  gjkbench run --workload real64,real4096 --hulls data/hulls/fetched   other people's meshes\n"
    };
    const char *files[1];
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    if (quick && full)
        return cli_usage_error("--quick and --full exclude each other");
    tell_command(&r, argc, argv);
    r.size = r.bench.size = quick ? GJB_PLAN_QUICK : full ? GJB_PLAN_FULL : GJB_PLAN_DEFAULT;
    r.bench.seed = r.seed;
    if (!r.pairs)
        return cli_usage_error("nothing to grade: --pairs 0");
    gjb_error error = {{0}};
    gjb_scene *hulls = r.hulls ? cli_hulls_load(r.hulls, &r.select, &error) : NULL;
    if (r.hulls && !hulls)
        return cli_usage_error("%s", error.text);
    r.bench.library = hulls ? &hulls->shapes : NULL;
    code = run_all(&r);
    cli_bench_free(&r.bench);
    cli_league_free(&r.league);
    /* A thread lost in a contender of ours may still read them. */
    if (!cli_interrupted)
        gjb_scene_free(hulls);
    return code;
}
