/* The command `run`: verification, benchmarks, league and report, or an archived run repeated. */
#include <stdio.h>
#include <string.h>

#include "cli/archive/run_archive.h"
#include "cli/cli.h"
#include "cli/measure/bench_plan.h"
#include "cli/measure/league_file.h"
#include "cli/options/hulls.h"
#include "cli/verification/cmd_replay.h"
#include "cli/verification/verify_plan.h"
#include "reports/report.h"

enum { RUN_PATH = 4096 };

/* Pairs that each size grades per precision in 2D and 3D, and seconds after which it makes do with those that it has by
 * then; audits as `verify` does. */
static const uint64_t verify_pairs[2][GJB_PLAN_SIZES] = {{100000, 400000, 10000000}, {50000, 200000, 10000000}};
static const double verify_seconds[GJB_PLAN_SIZES] = {22, 140, 0};
/* The same of timing: no scene is begun after so long. */
static const double bench_seconds[GJB_PLAN_SIZES] = {24, 170, 0};
/* Libraries that hang cost seconds each time, and are known well enough by then. */
static const uint64_t other_pairs = 400000;

/* To see what a child process costs a time. */
static const double isolation_seconds = 0.3;

typedef struct run {
    gjb_plan_size size;
    const char *out, *known, *hulls; /* the last two may be NULL */
    const char *league_path; /* NULL: not given */
    const char *archive, *from; /* NULL: not given */
    int quick, full;
    char verify_path[RUN_PATH], bench_path[RUN_PATH], known_path[RUN_PATH], own_league[RUN_PATH];
    char command[1024];
    int verified; /* something, and written */
    int unwritten; /* a file is: see lost */
    cli_league league;
    uint64_t seed;
    uint64_t pairs; /* to grade, per dimension and precision; UINT64_MAX: as the size says */
    cli_run_graded graded; /* by the run that is repeated */
    cli_select select;
    cli_bench bench;
} run;

static int fail(const char *text, int code)
{
    fprintf(stderr, CLI_PROGRAM " run: %s\n", text);
    return code;
}

/* A result that cannot be written ends the run: what comes next would be lost as well, or misses it. */
static int lost(run *r, const char *text)
{
    r->unwritten = 1;
    return fail(text, GJB_EXIT_USAGE);
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
                            .margin = cli_margin_of_made(r->bench.margin),
                            .within = cli_within_of_made(r->bench.within),
                            .leaving = cli_leaving_of_made(r->bench.leaving), .audit = 512, .out = failures};
    if (r->graded.pairs) {
        plan.pairs = r->graded.pairs;
        plan.space_pairs = r->graded.space_pairs;
        plan.sample.chunks = r->graded.chunks;
    } else if (r->pairs == UINT64_MAX) {
        plan.pairs = verify_pairs[0][r->size];
        plan.space_pairs = verify_pairs[1][r->size];
        plan.sample.seconds = verify_seconds[r->size];
    }
    snprintf(failures, sizeof failures, "%s/failures", r->out);
    cli_verify_plan(&r->select, &lists, &plan);
    plan.library = r->bench.library;
    cli_progress_until(plan.sample.seconds);
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
        code = worse(code, lost(r, error.text));
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
    const double seconds =
        r->bench.min_time > 0 && r->bench.min_time < isolation_seconds ? r->bench.min_time : isolation_seconds;
    r->bench.scenes_most = r->graded.scenes;
    if (r->bench.min_time == 0 && !r->graded.pairs)
        r->bench.seconds = bench_seconds[r->size];
    snprintf(failures, sizeof failures, "%s/failures", r->out);
    r->bench.out = failures;
    int failed = cli_bench_ceilings(&r->bench, &error) ||
                 cli_bench_isolation(&r->bench, &r->select, seconds, &error) ||
                 cli_bench_measure(&r->bench, &error);
    int code = failed ? fail(error.text, GJB_EXIT_HARNESS) : GJB_EXIT_OK;
    if (cli_bench_write(&r->bench, r->bench_path, &write_error))
        code = worse(code, lost(r, write_error.text));
    if (gjb_bench_wrong_ours(&r->bench.bench))
        code = worse(code, GJB_EXIT_WRONG);
    return r->bench.bench.interrupted ? worse(code, CLI_EXIT_INTERRUPTED) : code;
}

/* A run that was cut short says nothing about contenders that were not asked. */
static int league(run *r, int benched, int whole)
{
    const char *files[2] = {r->verify_path, r->bench_path};
    gjb_error error = {{0}};
    if (!r->verified)
        return GJB_EXIT_OK;
    if (cli_league_write(&r->league, files, benched ? 2 : 1, r->own_league, r->command, whole, &error))
        return lost(r, error.text);
    return GJB_EXIT_OK;
}

static int report(run *r, int benched)
{
    gjb_error error = {{0}};
    const char *files[3] = {r->verify_path};
    size_t count = 1;
    if (benched)
        files[count++] = r->bench_path;
    if (r->known)
        files[count++] = r->known_path;
    int drawn = gjb_report_write(files, count, r->out, &error);
    if (drawn < 0)
        return lost(r, error.text);
    if (drawn == GJB_REPORT_UNDRAWN)
        fprintf(stderr, CLI_PROGRAM " run: %s\n"
                "  the numbers are kept; draw them later with: " CLI_PROGRAM " report %s %s %s --out %s\n",
                error.text, r->verify_path, benched ? r->bench_path : "", r->known ? r->known_path : "", r->out);
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
    int code = worse(wrong ? GJB_EXIT_WRONG : GJB_EXIT_OK, verify(r));
    const int benched = !cli_interrupted && !r->unwritten;
    if (benched)
        code = worse(code, bench(r));
    if (cli_interrupted) /* also between two parts, if neither notices */
        code = worse(code, CLI_EXIT_INTERRUPTED);
    if (cli_interrupted && !r->verified && !r->unwritten) { /* in the first moments: there is nothing to draw */
        puts("interrupted before anything was done");
        return code;
    }
    if (!r->unwritten)
        code = worse(code, league(r, benched, benched && !cli_interrupted));
    if (!r->unwritten)
        code = worse(code, report(r, benched));

    putchar('\n');
    if (benched && r->bench.bench.count)
        gjb_bench_print_headline(&r->bench.bench, stdout, &paint);
    if (code == CLI_EXIT_INTERRUPTED)
        puts("interrupted: the page shows what was done by then");
    if (code == GJB_EXIT_WRONG)
        printf("%sthere are wrong answers of ours%s: see the page and '" CLI_PROGRAM " replay %s/failures/*'\n",
               paint.bad, paint.plain, r->out);
    if (!r->unwritten)
        printf("\n%s/index.html\n", r->out);
    return code;
}

/* What an older run left in the folder is no part of this one. */
static int forget(run *r)
{
    char path[RUN_PATH];
    for (size_t i = 0; cli_run_results[i]; i++)
        if (snprintf(path, sizeof path, "%s/data/%s", r->out, cli_run_results[i]) < (int)sizeof path)
            remove(path);
    return GJB_EXIT_OK;
}

/* The run, and all of it in one file. */
static int run_kept(run *r, int argc, char **argv)
{
    cli_run_asked asked = {argc, argv, {{"--known", r->known}, {"--hulls", r->hulls}}, r->out, 0};
    cli_archive archive = {0};
    json_t *manifest = NULL;
    gjb_error error = {{0}};
    if (!r->archive)
        return run_all(r);
    int failed = cli_check_writable(r->archive, &error) || cli_run_archive_begin(&archive, &manifest, &asked, &error);
    int code = failed ? fail(error.text, GJB_EXIT_USAGE) : forget(r);
    if (!failed) {
        code = asked.exit_code = run_all(r);
        /* Bad input, or interrupted in the first moments: there is nothing to keep. */
        failed = code == GJB_EXIT_USAGE || !r->verified;
        if (!failed && cli_run_archive_end(&archive, manifest, &asked, r->archive, &error))
            code = worse(code, fail(error.text, GJB_EXIT_USAGE));
        else if (!failed)
            printf("%s\n", r->archive);
    }
    json_decref(manifest);
    cli_archive_free(&archive);
    return code;
}

static void tell_command(run *r, int argc, char **argv)
{
    size_t used = (size_t)snprintf(r->command, sizeof r->command, CLI_PROGRAM);
    for (int i = 0; i < argc && used < sizeof r->command; i++)
        used += (size_t)snprintf(r->command + used, sizeof r->command - used, " %s", argv[i]);
}

static run the_run; /* large */

static int parse(int argc, char **argv)
{
    the_run = (run){.out = "report",
                    .seed = 1,
                    .pairs = UINT64_MAX,
                    .bench = {.margin = CLI_NO_MARGIN, .within = CLI_NO_MARGIN, .leaving = CLI_NO_LEAVING}};
    const cli_option options[] = {
        {"quick", CLI_FLAG, &the_run.quick, NULL, "take a sample of pairs and points that fits into a minute"},
        {"full", CLI_FLAG, &the_run.full, NULL, "ten million pairs, every backend at every point, however long it takes"},
        {"out", CLI_TEXT, &the_run.out, "DIR", "folder for the page and its data (default: report)"},
        {"pairs", CLI_COUNT, &the_run.pairs, "N",
         "grade exactly N pairs per precision, in 2D and in 3D (default: a sample limited by time, of at most 400k in 2D "
         "and 200k in 3D; with --quick 100k and 50k; with --full 10M, of which other libraries get 400k)"},
        {"known", CLI_TEXT, &the_run.known, "FILE",
         "known failures of libraries, as for 'replay': answer them again, and show the results"},
        {"hulls", CLI_TEXT, &the_run.hulls, "PATH", cli_hulls_about},
        {"league", CLI_TEXT, &the_run.league_path, "FILE",
         "league table to update (default: $XDG_DATA_HOME/gjkbench/league.json with --contender all, else none)"},
        {"min-time", CLI_SECONDS, &the_run.bench.min_time, "T", "timed work per point (default: about 180 s shared by all points)"},
        {"seed", CLI_COUNT, &the_run.seed, "S", "seed of pairs and scenes, the same on every machine (default: 1)"},
        {"margin", CLI_LENGTH, &the_run.bench.margin, "M", cli_margin_about},
        {"within", CLI_LENGTH, &the_run.bench.within, "M", cli_within_about},
        {"leaving", CLI_LEAVING, &the_run.bench.leaving, "WHAT", cli_leaving_about},
        {"archive", CLI_TEXT, &the_run.archive, "FILE",
         "keep the whole run in one file: options, inputs, machine, samples and page"},
        {"from", CLI_TEXT, &the_run.from, "FILE", "repeat the run of an archive, and report differences"},
        {0}
    };
    const cli_spec spec = {
        .usage = "run [SELECT] [--quick|--full] [--out DIR] [--league FILE] [--known FILE] [--hulls PATH] [--pairs N] "
                 "[--min-time T] [--archive FILE | --from FILE]",
        .about = "The main job: grades every contender's answers, measures throughput, and writes a page, DIR/index.html,\n"
                 "and its numbers, DIR/data, in 2D and 3D. It takes six minutes. 'bench --help' lists what is skipped\n"
                 "without --full.\n\n"
                 "Exits with 1 if an answer of ours is wrong, and with 130 after Ctrl-C: the page then shows what was done.\n\n"
                 "--archive FILE keeps the whole run in one file, a gzipped tar. --from FILE repeats it, here or elsewhere,\n"
                 "with the same options and seeds, and with the archive's copies of --known and --hulls. It then reports\n"
                 "differences of machine, build and libraries, and of results: pairs, answers (bit by bit), counts,\n"
                 "verdicts. It exits with 1 if a result differs. Times are compared too, but do not count. Only --out,\n"
                 "--league, --plugin and --contender-program may go with --from. An archive has only the names of plug-ins and\n"
                 "programs, so give them again.",
        .options = options,
        .select = &the_run.select,
        .examples = "  gjkbench run                     everything, then open report/index.html\n"
                    "  gjkbench run --quick --out /tmp/look\n"
                    "  gjkbench run --contender batch,box2d --precision f32\n"
                    "  gjkbench run --contender all     every configuration too; updates your league table\n"
                    "  gjkbench run --workload real64,real4096 --hulls data/hulls/fetched   meshes of other projects\n"
                    "  gjkbench run --quick --archive mine.tar.gz    to pass on\n"
                    "  gjkbench run --from mine.tar.gz --out again   repeat it elsewhere, and report differences\n"
    };
    const char *files[1];
    return cli_parse(&spec, argc, argv, files, NULL);
}

static int repeat_or_run(int argc, char **argv)
{
    if (the_run.quick && the_run.full)
        return cli_usage_error("--quick and --full exclude each other");
    tell_command(&the_run, argc, argv);
    the_run.size = the_run.bench.size = the_run.quick ? GJB_PLAN_QUICK : the_run.full ? GJB_PLAN_FULL : GJB_PLAN_DEFAULT;
    the_run.bench.brief = the_run.quick;
    the_run.bench.seed = the_run.seed;
    if (!the_run.pairs)
        return cli_usage_error("nothing to grade: --pairs 0");
    gjb_error error = {{0}};
    gjb_scene *hulls = the_run.hulls ? cli_hulls_load(the_run.hulls, &the_run.select, &error) : NULL;
    if (the_run.hulls && !hulls)
        return cli_usage_error("%s", error.text);
    the_run.bench.library = hulls ? &hulls->shapes : NULL;
    const int code = run_kept(&the_run, argc, argv);
    cli_bench_free(&the_run.bench);
    cli_league_free(&the_run.league);
    /* A thread lost in a contender of ours may still read them. */
    if (!cli_interrupted)
        gjb_scene_free(hulls);
    return code;
}

/* 1 if nothing is asked for that the archive says. */
static int alone(int argc, char **argv)
{
    static const char *const may[] = {"--from", "--out", "--league", "--plugin", "--contender-program", "--color"};
    for (int i = 1; i < argc; i++) {
        const size_t size = strcspn(argv[i], "=");
        size_t k = 0;
        while (k < sizeof may / sizeof *may && (strlen(may[k]) != size || strncmp(argv[i], may[k], size)))
            k++;
        if (k == sizeof may / sizeof *may)
            return 0;
        i += !argv[i][size];
    }
    return 1;
}

static int names_code(const char *word)
{
    static const char *const options[] = {"--plugin", "--contender-program"};
    const size_t size = strcspn(word, "=");
    return (size == strlen(options[0]) && !strncmp(word, options[0], size)) ||
           (size == strlen(options[1]) && !strncmp(word, options[1], size));
}

/* Plug-ins and programs are given again: no file may say what code is run. */
static int check_plugins(const cli_run_again *again, int argc, char **argv, const char *from)
{
    const json_t *plugins = json_object_get(again->manifest, "plugins");
    size_t given = 0;
    for (int i = 1; i < argc; i++)
        given += names_code(argv[i]);
    if (given == json_array_size(plugins))
        return -1;
    const char *first = json_string_value(json_array_get(plugins, 0));
    return cli_usage_error("%s: the run had %zu plug-ins%s%s, and %zu are given: name each with --plugin or --contender-program", from,
                           json_array_size(plugins), first ? ", the first of them " : "", first ? first : "", given);
}

static int repeat(int argc, char **argv)
{
    cli_run_again again = {0};
    gjb_error error = {{0}};
    const char *from = the_run.from, *out = the_run.out, *league_path = the_run.league_path;
    if (!alone(argc, argv))
        return cli_usage_error("--from: the archive says what is asked; with it go --out, --league, --plugin and --contender-program alone");
    int code = cli_run_again_open(&again, from, out, &error) ? cli_usage_error("%s", error.text) : -1;
    if (code < 0)
        code = check_plugins(&again, argc, argv, from);
    if (code < 0)
        code = parse(again.argc, again.argv);
    if (code < 0 && cli_run_again_graded(&again, &the_run.graded, &error))
        code = cli_usage_error("%s: %s", from, error.text);
    if (code < 0) {
        the_run.league_path = league_path;
        forget(&the_run);
        code = repeat_or_run(again.argc, again.argv);
        const int different = code == GJB_EXIT_USAGE || !the_run.verified ? 0 : cli_run_compare(&again, out, stdout, &error);
        if (different < 0)
            code = worse(code, fail(error.text, GJB_EXIT_USAGE));
        else if (different > 0)
            code = GJB_EXIT_WRONG;
    }
    cli_run_again_free(&again);
    return code;
}

int cmd_run(int argc, char **argv)
{
    const int code = parse(argc, argv);
    if (code >= 0)
        return code;
    return the_run.from ? repeat(argc, argv) : repeat_or_run(argc, argv);
}
