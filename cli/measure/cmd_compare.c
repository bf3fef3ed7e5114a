/* The command `compare`: two builds or result files, and bisection for the commit that changed the times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/machine/timing_conditions.h"
#include "bench/rows.h"
#include "cli/cli.h"
#include "cli/measure/bench_plan.h"
#include "cli/measure/compare_programs.h"
#include "cli/measure/compare_sides.h"
#include "cli/measure/count.h"
#include "contenders/plugin.h"
#include "contenders/table.h"
#include "core/json_file.h"

static const double short_budget = 150, nightly_budget = 1800, bisect_budget = 20;
/* The machine may have treated them differently. */
static const double floor_of_files = 0.05;

typedef struct compare {
    cli_side sides[GJB_PAIRED_SIDES];
    cli_pairing pairing;
    const char *json_path, *builds;
    const char *floor_from;
    char *backends; /* of revisions, for meson; NULL: all */
    int nightly, bisects, counts, floor_given;
    cli_counting counting;
} compare;

/* What was measured of two builds, or read from two files: then the result alone. */
typedef struct measured {
    gjb_comparison result;
    gjb_paired paired;                      /* times, */
    gjb_tally tallies[GJB_PAIRED_SIDES];  /* or counts */
    const json_t *context[GJB_PAIRED_SIDES], *missing[GJB_PAIRED_SIDES];
    int interrupted;
} measured;

static void measured_free(measured *m)
{
    gjb_comparison_free(&m->result);
    gjb_paired_free(&m->paired);
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        gjb_tally_free(&m->tallies[s]);
}

/* 0, or -1 with `error`; what was measured by then stays. Free it in both cases. */
static int measure(const compare *c, const cli_pairing *pairing, const cli_pairing_side sides[GJB_PAIRED_SIDES],
                   measured *m, gjb_error *error)
{
    *m = (measured){0};
    const int failed = c->counts ? cli_counting_compare(&c->counting, pairing, sides, m->tallies, &m->result, error)
                                 : cli_pairing_run(pairing, sides, &m->paired, &m->result, error);
    m->interrupted = c->counts ? cli_interrupted != 0 : m->paired.interrupted;
    for (int s = 0; s < GJB_PAIRED_SIDES; s++) {
        m->context[s] = c->counts ? m->tallies[s].context : m->paired.context[s];
        m->missing[s] = c->counts ? m->tallies[s].missing : m->paired.missing[s];
    }
    return failed;
}

static int fail(const gjb_error *error, int code)
{
    fprintf(stderr, CLI_PROGRAM " compare: %s\n", error->text);
    return code;
}

static cli_pairing_side side_of(const cli_side *side)
{
    return side->kind == CLI_SIDE_PLUGIN ? (cli_pairing_side){.plugin = side->path}
                                         : (cli_pairing_side){.program = side->path};
}

static int build_both(compare *c, gjb_error *error)
{
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        if (c->sides[s].kind == CLI_SIDE_REVISION && cli_side_build(&c->sides[s], c->builds, c->backends, error))
            return -1;
    return 0;
}

static const gjb_compared *slowest(const gjb_comparison *result)
{
    const gjb_compared *most = NULL;
    for (size_t i = 0; i < result->count; i++) {
        const gjb_compared *v = &result->rows[i];
        if (v->ratio.change == GJB_CHANGE_SLOWER && (!most || v->ratio.log > most->ratio.log))
            most = v;
    }
    return most;
}

/* --- bisection ---------------------------------------------------------------- */

/* Is the commit on the slow side of the change that `whole` is of? 1 or 0; -1 with `error` if it does not
 * build, or cannot be measured. */
static int is_slow(compare *c, const char *commit, const char *name, double whole, gjb_error *error)
{
    cli_side side = {.given = commit, .kind = CLI_SIDE_REVISION};
    cli_pairing pairing = c->pairing;
    measured m;
    int slow = -1;
    snprintf(side.commit, sizeof side.commit, "%s", commit);
    pairing.only = name;
    pairing.budget = pairing.budget < bisect_budget ? pairing.budget : bisect_budget;
    if (cli_side_build(&side, c->builds, c->backends, error))
        return -1;
    const cli_pairing_side sides[GJB_PAIRED_SIDES] = {side_of(&c->sides[0]), side_of(&side)};
    if (!measure(c, &pairing, sides, &m, error) && m.result.count && !m.result.rows[0].trouble[0]) {
        const gjb_ratio *r = &m.result.rows[0].ratio;
        slow = r->log > whole / 2;
        FILE *stream = cli_text_stream(c->json_path);
        fprintf(stream, "  %.12s  %+.2f%% (%+.2f%% to %+.2f%%)  %s\n", commit, 100 * expm1(r->log),
                100 * expm1(r->low), 100 * expm1(r->high), slow ? "slow" : "fast");
        fflush(stream);
    }
    measured_free(&m);
    cli_side_free(&side);
    return slow;
}

/* Asks for the commit `middle`, or if that tells nothing, the nearest one between `fast` and `slow` that tells:
 * towards the slow end first. Its place, or -1. */
static int ask_near(compare *c, char (*commits)[48], uint8_t *silent, int fast, int middle, int slow,
                    const gjb_compared *worst, int *is)
{
    for (int i = 0; i < slow - fast - 1 && !cli_interrupted; i++) {
        const int up = slow - middle, at = i < up ? middle + i : middle - 1 - (i - up);
        gjb_error error = {{0}};
        if (silent[at])
            continue;
        *is = is_slow(c, commits[at], worst->name, worst->ratio.log, &error);
        if (*is >= 0)
            return at;
        silent[at] = 1;
        fprintf(stderr, CLI_PROGRAM " compare: passed over: %s\n", error.text[0] ? error.text : commits[at]);
    }
    return -1;
}

/* The first commit of [0, count) that is slow; the last one is. `*doubt` of those before it tell nothing. -1 out of
 * memory. */
static int search(compare *c, char (*commits)[48], int count, const gjb_compared *worst, int *doubt)
{
    int fast = -1, slow = count - 1, at = 0, is = 0;
    uint8_t *silent = calloc((size_t)count, 1);
    if (!silent)
        return -1;
    while (slow - fast > 1 && at >= 0) {
        at = ask_near(c, commits, silent, fast, fast + (slow - fast) / 2, slow, worst, &is);
        if (at >= 0)
            *(is ? &slow : &fast) = at;
    }
    *doubt = slow - fast - 1;
    free(silent);
    return slow;
}

static int bisect(compare *c, const gjb_comparison *result, gjb_error *error)
{
    const gjb_compared *worst = slowest(result);
    FILE *stream = cli_text_stream(c->json_path);
    char(*commits)[48];
    if (!worst) {
        fprintf(stream, "nothing to bisect: no benchmark is slower\n");
        return 0;
    }
    const int count = cli_commits_between(c->sides[0].commit, c->sides[1].commit, &commits, error);
    if (count < 0)
        return -1;
    fprintf(stream, "\nbisecting %s over %d commits\n", worst->name, count);
    int doubt = 0;
    if (count > 0) {
        const int first = search(c, commits, count, worst, &doubt);
        if (!cli_interrupted && first >= 0) {
            fprintf(stream, "%s is the first slow commit", commits[first]);
            if (doubt)
                fprintf(stream, ", or one of %d before it that tell nothing", doubt);
            fputc('\n', stream);
        }
    }
    free(commits);
    return count > 0 ? 0 : gjb_fail(error, "%s is no ancestor of %s", c->sides[0].given, c->sides[1].given);
}

/* --- both ways ---------------------------------------------------------------- */

static int write_json(const compare *c, const measured *m, gjb_error *error)
{
    json_t *context = cli_context(), *root = gjb_comparison_json(&m->result);
    if (!context || !root)
        return gjb_fail(error, "out of memory");
    for (int s = 0; s < GJB_PAIRED_SIDES; s++) {
        json_t *side = json_pack("{ss ss* sO*}", "given", c->sides[s].given, "commit",
                                 c->sides[s].commit[0] ? c->sides[s].commit : NULL, "says", m->context[s]);
        json_object_set_new(context, s ? "new" : "old", side);
    }
    if (m->interrupted)
        json_object_set_new(context, "interrupted", json_true());
    if (c->counts)
        json_object_set_new(context, "not_counted", cli_counting_left_out_json(&c->counting));
    if (m->paired.count) {
        json_object_set_new(context, "launches", json_integer((json_int_t)m->paired.launches));
        json_t *rows = json_object_get(root, "comparisons");
        for (size_t i = 0; i < json_array_size(rows) && i < m->paired.count; i++)
            json_object_set(json_array_get(rows, i), "places", m->paired.rows[i].places);
    }
    json_object_set_new(root, "context", context);
    const int failed = cli_write_json(root, c->json_path, error);
    json_decref(root);
    return failed;
}

static int conclude(const compare *c, const measured *m)
{
    FILE *stream = cli_text_stream(c->json_path);
    const gjb_bench_paint paint = cli_bench_paint(stream);
    const gjb_comparison *result = &m->result;
    gjb_error error = {{0}};
    gjb_comparison_print(result, stream, &paint);
    for (int s = 0; s < GJB_PAIRED_SIDES; s++) {
        size_t i;
        json_t *name;
        json_array_foreach(m->missing[s], i, name)
            fprintf(stream, "%s has no %s\n", c->sides[s].given, json_string_value(name));
    }
    if (m->paired.count)
        fprintf(stream, "%zu launches of both; the floor of %.2g%% is %s\n", m->paired.launches, 100 * c->pairing.floor,
                c->floor_from);
    cli_counting_print_left_out(&c->counting, stream);
    if (c->json_path && write_json(c, m, &error))
        return fail(&error, GJB_EXIT_USAGE);
    if (m->interrupted)
        return CLI_EXIT_INTERRUPTED;
    if (result->of[GJB_CHANGE_SLOWER])
        return GJB_EXIT_SLOWER;
    size_t judged = 0;
    for (int change = 0; change < GJB_CHANGES; change++)
        judged += result->of[change];
    return judged == result->count ? GJB_EXIT_OK : GJB_EXIT_HARNESS;
}

/* What is part of a difference apart from the source. */
static void warn_of_builds(const json_t *old, const json_t *new, FILE *stream)
{
    static const char *const keys[] = {"cpu", "compiler", "flags", "library_build_type"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *before = json_string_value(json_object_get(old, keys[i])),
                   *after = json_string_value(json_object_get(new, keys[i]));
        if (before && after && strcmp(before, after) != 0)
            fprintf(stream, "warning: another %s: '%s' and '%s'\n", keys[i], before, after);
    }
}

static int compare_builds(compare *c)
{
    gjb_error error = {{0}};
    measured m;
    gjb_conditions before;
    if (build_both(c, &error))
        return fail(&error, cli_interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_USAGE);
    gjb_conditions_begin(&before);
    int code = GJB_EXIT_HARNESS;
    const cli_pairing_side sides[GJB_PAIRED_SIDES] = {side_of(&c->sides[0]), side_of(&c->sides[1])};
    if (measure(c, &c->pairing, sides, &m, &error)) {
        if (m.result.count)
            conclude(c, &m);
        fail(&error, code);
    } else {
        if (!c->counts)
            gjb_conditions_warn(&before, m.paired.launches, stderr);
        warn_of_builds(m.context[0], m.context[1], stderr);
        code = conclude(c, &m);
        if (c->bisects && !cli_interrupted && bisect(c, &m.result, &error))
            code = fail(&error, GJB_EXIT_USAGE);
        else if (cli_interrupted)
            code = CLI_EXIT_INTERRUPTED;
    }
    measured_free(&m);
    return code;
}

static void progress(void *user, uint64_t done, uint64_t total)
{
    cli_progress(user, done, total);
}

/* Files of counts say so themselves. */
static int judge_files(const compare *c, const gjb_result_file files[GJB_PAIRED_SIDES], measured *m, gjb_error *error)
{
    const gjb_files_settings settings = {.only = c->pairing.only, .floor = c->pairing.floor, .alpha = c->pairing.alpha,
                                         .seed = c->pairing.seed, .stop = &cli_interrupted, .progress = progress,
                                         .user = (void *)c->pairing.name};
    const int counts[GJB_PAIRED_SIDES] = {gjb_rows_are_counts(files[0].root), gjb_rows_are_counts(files[1].root)};
    if (counts[0] != counts[1] || (c->counts && !counts[0]))
        return gjb_fail(error, "%s: holds times, not counts: 'bench --count' writes these", files[counts[0]].path);
    return counts[0] ? gjb_compare_counts(&m->result, files, c->pairing.only,
                                          c->floor_given ? c->pairing.floor : cli_floor_of_counts, error)
                     : gjb_compare_files(&m->result, files, &settings, error);
}

static int compare_files(compare *c)
{
    gjb_error error = {{0}};
    measured m = {.result = {0}};
    gjb_result_file files[GJB_PAIRED_SIDES] = {{0}};
    const json_t *contexts[GJB_PAIRED_SIDES];
    int code = GJB_EXIT_USAGE, failed = 0;
    for (int s = 0; s < GJB_PAIRED_SIDES && !failed; s++) {
        files[s] = (gjb_result_file){c->sides[s].given, gjb_json_load(c->sides[s].path, &error)};
        contexts[s] = json_object_get(files[s].root, "context");
        failed = !files[s].root;
    }
    if (failed || judge_files(c, files, &m, &error)) {
        for (int s = 0; s < GJB_PAIRED_SIDES; s++)
            gjb_json_point_file(&error, c->sides[s].given);
        code = fail(&error, cli_interrupted ? CLI_EXIT_INTERRUPTED : code);
    } else {
        for (int s = 0; s < GJB_PAIRED_SIDES; s++)
            if (!json_is_string(json_object_get(contexts[s], "cpu")))
                fprintf(stderr, "warning: %s does not say where it was measured: no context.cpu\n", files[s].path);
        warn_of_builds(contexts[0], contexts[1], stderr);
        code = conclude(c, &m);
    }
    measured_free(&m);
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        json_decref((json_t *)files[s].root);
    return code;
}

/* --- the command line --------------------------------------------------------- */

/* A plug-in's contenders, if none is named. */
static int name_contenders(compare *c, const cli_select *select)
{
    static char names[CLI_CONTENDERS_MAX * 32];
    gjb_error error = {{0}};
    if (c->sides[0].kind != CLI_SIDE_PLUGIN || select->contenders_given)
        return -1;
    const size_t before = gjb_contender_count();
    if (gjb_plugin_add(c->sides[0].path, &error))
        return fail(&error, GJB_EXIT_USAGE);
    for (size_t i = before; i < gjb_contender_count() && i - before < CLI_CONTENDERS_MAX; i++) {
        if (names[0])
            strcat(names, ",");
        strcat(names, gjb_contender_at(i)->name);
    }
    c->pairing.arguments[c->pairing.argument_count++] = "--contender";
    c->pairing.arguments[c->pairing.argument_count++] = names;
    return -1;
}

static void add_backend(char text[CLI_COUNT_BACKENDS], const char *names)
{
    if (!names || !names[0] || !strcmp(names, "scalar"))
        return;
    strncat(text, ",", CLI_COUNT_BACKENDS - strlen(text) - 1);
    strncat(text, names, CLI_COUNT_BACKENDS - strlen(text) - 1);
}

/* Only what is measured: kernels take long to build. */
static void choose_backends(compare *c, const cli_select *select)
{
    static char text[CLI_COUNT_BACKENDS];
    const gjb_contender *batch = gjb_contender_find("batch");
    const char *backends[CLI_BACKENDS_MAX];
    const size_t count = batch ? cli_select_backends(select, batch, backends) : 0;
    strcpy(text, "scalar");
    if (select->backend_count) {
        for (size_t i = 0; i < count; i++)
            add_backend(text, backends[i]);
    } else if (c->counts) {
        add_backend(text, c->counting.widest);
        add_backend(text, c->counting.processor);
    } else if (count) {
        add_backend(text, backends[count - 1]);
    }
    c->backends = text;
}

/* A plug-in's contenders take part, if none is named, and batch does not. */
static int choose_counting(compare *c, const cli_select *select)
{
    const int batch = cli_counting_takes_batch(select) &&
                      (c->sides[0].kind != CLI_SIDE_PLUGIN || select->contenders_given);
    if (c->pairing.budget > 0 || c->nightly)
        return cli_usage_error("--count measures no times: drop --%s", c->nightly ? "nightly" : "budget");
    return cli_counting_choose(&c->counting, &c->pairing, select, batch);
}

static int take_sides(compare *c, const char *const *given)
{
    static const char *const kind_names[] = {[CLI_SIDE_FILE] = "result file", [CLI_SIDE_PROGRAM] = "program",
                                             [CLI_SIDE_PLUGIN] = "plug-in", [CLI_SIDE_REVISION] = "revision"};
    gjb_error error = {{0}};
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        if (cli_side_find(&c->sides[s], given[s], &error))
            return fail(&error, GJB_EXIT_USAGE);
    const cli_side_kind kinds[GJB_PAIRED_SIDES] = {c->sides[0].kind, c->sides[1].kind};
    const int builds[GJB_PAIRED_SIDES] = {kinds[0] == CLI_SIDE_PROGRAM || kinds[0] == CLI_SIDE_REVISION,
                                          kinds[1] == CLI_SIDE_PROGRAM || kinds[1] == CLI_SIDE_REVISION};
    if (kinds[0] != kinds[1] && !(builds[0] && builds[1]))
        return cli_usage_error("cannot compare %s (%s) with %s (%s): give two result files, two plug-ins, or two programs or "
                               "revisions", given[0], kind_names[kinds[0]], given[1], kind_names[kinds[1]]);
    if (c->bisects && (kinds[0] != CLI_SIDE_REVISION || kinds[1] != CLI_SIDE_REVISION))
        return cli_usage_error("--bisect wants two revisions");
    return -1;
}

/* What is in files was chosen when it was measured. */
static int refuse_for_files(const compare *c, const char *builds)
{
    const char *option = c->pairing.budget > 0 ? "--budget" : c->nightly ? "--nightly" : c->builds != builds ? "--builds" : NULL;
    for (size_t i = 0; i < c->pairing.argument_count && !option; i++)
        if (!strncmp(c->pairing.arguments[i], "--", 2) && strncmp(c->pairing.arguments[i], "--seed", 6) != 0)
            option = c->pairing.arguments[i];
    return option ? cli_usage_error("%.*s has no use for result files; --only selects their benchmarks by name",
                                    (int)strcspn(option, "="), option)
                  : -1;
}

int cmd_compare(int argc, char **argv)
{
    cli_select select = {.takes_recorded = 1};
    char builds[4096];
    compare c = {.pairing = {.alpha = 0.01, .seed = 1, .name = "compare"},
                 .builds = cli_cache_path("builds", builds, sizeof builds)};
    double floor_percent = NAN;
    const char *ignored = NULL;
    double margin = CLI_NO_MARGIN; /* handed on as it was given */
    uint32_t leaving = CLI_NO_LEAVING; /* likewise */
    cli_numbers numbers[3] = {{{0}, 0}};
    const cli_option options[] = {
        {"budget", CLI_SECONDS, &c.pairing.budget, "T",
         "time for measuring, without building (default: 150s); at least six launches of each are made"},
        {"nightly", CLI_FLAG, &c.nightly, NULL, "measure for half an hour, which shows smaller changes"},
        {"count", CLI_FLAG, &c.counts, NULL,
         "compare instructions instead of times: exact, on any machine, in a minute; needs Valgrind"},
        {"only", CLI_TEXT, &c.pairing.only, "TEXT", "only benchmarks whose name contains TEXT"},
        {"floor", CLI_REAL, &floor_percent, "PERCENT",
         "ignore differences below this (default: 0.5 or the value that 'calibrate' kept; files 5; counts 0.5)"},
        {"alpha", CLI_REAL, &c.pairing.alpha, "P", "false-alarm rate of all benchmarks together (default: 0.01)"},
        {"bisect", CLI_FLAG, &c.bisects, NULL,
         "with two revisions: find the commit that slowed the benchmark with the largest slow-down"},
        {"builds", CLI_TEXT, &c.builds, "DIR",
         "folder in which revisions are built and kept (default: in the user's cache folder)"},
        {"json", CLI_TEXT, &c.json_path, "FILE",
         "write verdicts, intervals and the times of every memory placement; '-' is stdout"},
        {"seed", CLI_COUNT, &c.pairing.seed, "S", "seed of the scenes and of the order of blocks (default: 1)"},
        {"shapes", CLI_NUMBERS, &numbers[0], "LIST", "as in 'bench'"},
        {"batch", CLI_NUMBERS, &numbers[1], "LIST", "as in 'bench'"},
        {"threads", CLI_NUMBERS, &numbers[2], "LIST", "as in 'bench'"},
        {"coherence", CLI_TEXT, &ignored, "LIST", "as in 'bench'"},
        {"hulls", CLI_TEXT, &ignored, "PATH", "as in 'bench'"},
        {"margin", CLI_LENGTH, &margin, "M", "as in 'bench'"},
        {"within", CLI_LENGTH, &margin, "M", "as in 'bench'"},
        {"leaving", CLI_LEAVING, &leaving, "WHAT", "as in 'bench'"},
        {0}
    };
    const cli_spec spec = {
        .usage = "compare OLD NEW [SELECT] [--budget T | --count] [--json FILE]",
        .about = "Says what became slower, what became faster, and which answers and numbers of iterations changed. OLD and NEW are\n"
                 "two programs (gjkbench, built twice), two plug-ins, two revisions, which it builds, or two result\n"
                 "files of 'bench --json'.\n\n"
                 "Two builds run alternately, in short blocks in random order on one CPU. Each is started many times, and its\n"
                 "code and data move in memory each time. Each launch gives one ratio, and the interval is bootstrapped over\n"
                 "launches. The verdict is\n"
                 "  slower        significantly slower by more than --floor, Holm-corrected for\n"
                 "                all benchmarks together; 'faster' likewise\n"
                 "  same          the difference is shown to be less than 2%\n"
                 "  inconclusive  otherwise: measure for longer\n"
                 "Result files come from separate runs, so machine load adds to the difference. Their ratio is that of the\n"
                 "medians, and a rank test decides the verdict. Prefer comparing builds.\n\n"
                 "With --count it counts only the instructions of the kernels' calls, under Valgrind's callgrind. Counts are\n"
                 "the same each time, also on a busy machine, so any difference is a real one; below --floor it raises no\n"
                 "alarm. It shows which functions changed, and estimates cycles. Valgrind runs no AVX-512: those backends\n"
                 "are listed as not counted. Files of 'bench --count' are compared in the same way.\n\n"
                 "Without SELECT it measures the base points of 'bench' with the batched kernels on the widest backend.\n"
                 "Exits with 3 if something is slower, else 99 if a benchmark could not be measured in both (the reason is\n"
                 "shown), 130 after Ctrl-C: what was measured is reported. Inconclusive results do not fail the run: the summary of --json counts them.",
        .options = options,
        .select = &select,
        .examples = "  gjkbench compare main HEAD                         two revisions, measured for 150 s\n"
                    "  gjkbench compare v1.0 HEAD --bisect                and find the commit\n"
                    "  gjkbench compare old/cli/gjkbench new/cli/gjkbench --query distance --dim 3\n"
                    "  gjkbench compare old.so new.so --budget 1m         two builds of a plug-in\n"
                    "  gjkbench compare main HEAD --count                 instructions, without noise\n"
                    "  gjkbench compare monday.json today.json            two result files\n",
        .min_files = 2,
        .max_files = 2,
    };
    const char *given[CLI_PAIRING_ARGUMENTS], *usual_builds = c.builds;
    size_t count = 0;
    if (argc > CLI_PAIRING_ARGUMENTS)
        return cli_usage_error("too many arguments");
    int code = cli_parse(&spec, argc, argv, given, &count);
    if (code < 0)
        code = take_sides(&c, given);
    if (code < 0)
        code = cli_pairing_hand_on(&c.pairing, argc, argv, &select);
    if (code < 0 && c.counts && c.sides[0].kind != CLI_SIDE_FILE)
        code = choose_counting(&c, &select);
    if (code < 0 && c.sides[0].kind == CLI_SIDE_FILE)
        code = refuse_for_files(&c, usual_builds);
    if (code < 0)
        code = name_contenders(&c, &select);
    if (code < 0 && !(c.pairing.alpha > 0 && c.pairing.alpha < 1))
        code = cli_usage_error("--alpha %g: must be between 0 and 1", c.pairing.alpha);
    if (code < 0 && !(isnan(floor_percent) || (floor_percent >= 0 && floor_percent <= 100)))
        code = cli_usage_error("--floor %g: must be from 0 to 100", floor_percent);
    gjb_error error = {{0}};
    if (code < 0 && c.json_path && cli_check_writable(c.json_path, &error))
        code = fail(&error, GJB_EXIT_USAGE);
    if (code < 0) {
        const int files = c.sides[0].kind == CLI_SIDE_FILE;
        c.pairing.floor = c.counts ? cli_floor_of_counts : cli_floor(&c.floor_from);
        c.floor_given = !isnan(floor_percent);
        if (c.floor_given || files) {
            c.pairing.floor = c.floor_given ? floor_percent / 100 : floor_of_files;
            c.floor_from = "as given";
        }
        if (!(c.pairing.budget > 0))
            c.pairing.budget = c.nightly ? nightly_budget : short_budget;
        choose_backends(&c, &select);
        cli_catch_interrupt();
        code = files ? compare_files(&c) : compare_builds(&c);
    }
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        cli_side_free(&c.sides[s]);
    return code;
}
