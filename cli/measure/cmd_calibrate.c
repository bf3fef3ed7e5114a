/* The command `calibrate`: repeats comparisons of equal and of slowed builds to find the false-alarm rate. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/compare/calibration.h"
#include "bench/machine/timing_conditions.h"
#include "cli/cli.h"
#include "cli/measure/bench_plan.h"
#include "cli/measure/compare_programs.h"
#include "cli/measure/count.h"

static const double usual_budget = 150;
static const uint64_t usual_rounds = 3;
static const double alarms_most = 0.01;

typedef struct calibrate {
    cli_pairing pairing;
    uint64_t rounds, identical_rounds;
    const char *json_path, *relinked;
    int keeps, counts;
    cli_counting counting;
} calibrate;

static int fail(const gjb_error *error, int code)
{
    fprintf(stderr, CLI_PROGRAM " calibrate: %s\n", error->text);
    return code;
}

/* One comparison; its seed is its own, so that orders and resamples are. */
static int compare_once(calibrate *c, gjb_calibration_level *level, uint64_t number, gjb_error *error)
{
    cli_pairing pairing = c->pairing;
    const cli_pairing_side sides[GJB_PAIRED_SIDES] = {
        {0}, {.program = !strcmp(level->name, "relinked") ? c->relinked : NULL, .slow = level->slow}};
    gjb_paired paired = {0};
    gjb_tally tallies[GJB_PAIRED_SIDES] = {{0}};
    gjb_comparison result = {0};
    char name[64];
    snprintf(name, sizeof name, "%s, round %llu", level->name, (unsigned long long)number + 1);
    pairing.seed += number;
    pairing.name = name;
    int failed = c->counts ? cli_counting_compare(&c->counting, &pairing, sides, tallies, &result, error)
                           : cli_pairing_run(&pairing, sides, &paired, &result, error);
    if (!failed && !cli_interrupted && gjb_calibration_add(level, &result))
        failed = gjb_fail(error, "out of memory");
    gjb_comparison_free(&result);
    gjb_paired_free(&paired);
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        gjb_tally_free(&tallies[s]);
    return failed;
}

/* `whole`: nothing was cut short, or left out. */
static int conclude(const calibrate *c, const gjb_calibration *calibration, int whole, gjb_error *error)
{
    FILE *stream = cli_text_stream(c->json_path);
    const gjb_bench_paint paint = cli_bench_paint(stream);
    const double floor = gjb_calibration_floor(calibration);
    json_t *context = cli_context();
    int failed = 0;
    gjb_calibration_print(calibration, stream, &paint);
    if (c->counts)
        fprintf(stream, "instructions, judged with a floor of %.2g%%; builds that do not differ are %.2g%% apart at most\n",
                100 * c->pairing.floor, 100 * floor);
    else
        fprintf(stream, "comparisons of %.0f s, judged with a floor of %.2g%%; the intervals of 99 of 100 benchmarks "
                        "that do not differ begin less than %.2g%% from no difference\n",
                c->pairing.budget, 100 * c->pairing.floor, 100 * floor);
    if (!context)
        return gjb_fail(error, "out of memory");
    if (c->json_path) {
        json_t *root = json_pack("{sO sf sf sf so}", "context", context, "budget", c->pairing.budget, "floor_used",
                                 c->pairing.floor, "floor", floor, "levels", gjb_calibration_json(calibration));
        failed = cli_write_json(root, c->json_path, error);
        json_decref(root);
    }
    if (!failed && c->keeps && !whole)
        fprintf(stderr, CLI_PROGRAM " calibrate: the floor is not kept: it takes all rounds of all benchmarks\n");
    /* The one that alarms were counted with, as long as these were few: of a lower one nothing is known. */
    const int holds = gjb_calibration_alarms(calibration) <= alarms_most;
    if (!failed && c->keeps && whole)
        failed = cli_floor_save(holds ? c->pairing.floor : fmax(floor, c->pairing.floor), context, error);
    json_decref(context);
    return failed;
}

static int run(calibrate *c)
{
    gjb_calibration_level of_times[] = {{.name = "identical"},        {.name = "relinked"},
                                        {.name = "+1%", .slow = 0.01}, {.name = "+2%", .slow = 0.02},
                                        {.name = "+5%", .slow = 0.05}, {.name = "+10%", .slow = 0.1}},
                          of_counts[] = {{.name = "identical"},          {.name = "relinked"},
                                         {.name = "+0.1%", .slow = 0.001}, {.name = "+0.5%", .slow = 0.005},
                                         {.name = "+1%", .slow = 0.01},  {.name = "+2%", .slow = 0.02},
                                         {.name = "+5%", .slow = 0.05}};
    gjb_calibration_level *levels = c->counts ? of_counts : of_times;
    gjb_calibration all = {levels, sizeof of_times / sizeof *of_times};
    if (c->counts)
        all.count = sizeof of_counts / sizeof *of_counts;
    gjb_error error = {{0}};
    gjb_conditions before;
    int failed = 0;
    const uint64_t most = c->identical_rounds > c->rounds ? c->identical_rounds : c->rounds;
    gjb_conditions_begin(&before);
    cli_catch_interrupt();
    for (uint64_t round = 0; round < most && !failed && !cli_interrupted; round++)
        for (size_t i = 0; i < all.count && !failed && !cli_interrupted; i++) {
            const uint64_t rounds = levels[i].slow > 0 ? c->rounds : c->identical_rounds;
            if (round < rounds && (c->relinked || strcmp(levels[i].name, "relinked") != 0))
                failed = compare_once(c, &levels[i], round * all.count + i, &error);
        }
    if (!c->counts)
        gjb_conditions_warn(&before, SIZE_MAX, stderr);
    int code = failed ? fail(&error, GJB_EXIT_HARNESS) : cli_interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_OK;
    if (conclude(c, &all, code == GJB_EXIT_OK && !c->pairing.argument_count, &error))
        code = fail(&error, GJB_EXIT_USAGE);
    gjb_calibration_free(&all);
    return code;
}

static const char *why_no_program(const char *path)
{
    struct stat status;
    if (stat(path, &status) || access(path, X_OK))
        return strerror(errno);
    return S_ISREG(status.st_mode) ? NULL : "is no program";
}

int cmd_calibrate(int argc, char **argv)
{
    cli_select select = {.takes_recorded = 1};
    calibrate c = {.pairing = {.alpha = 0.01, .seed = 1}, .rounds = usual_rounds, .keeps = 1};
    double floor_percent = NAN;
    int dry = 0;
    const cli_option options[] = {
        {"rounds", CLI_COUNT, &c.rounds, "N", "comparisons at each known slow-down (default: 3)"},
        {"identical", CLI_COUNT, &c.identical_rounds, "N", "comparisons of identical builds (default: --rounds)"},
        {"count", CLI_FLAG, &c.counts, NULL,
         "compare instructions, as in 'compare', with slow-downs of 0.1, 0.5, 1, 2 and 5%"},
        {"relinked", CLI_TEXT, &c.relinked, "PROGRAM", "also compare this build of the same source, linked in another order"},
        {"budget", CLI_SECONDS, &c.pairing.budget, "T", "time for each comparison (default: 150s)"},
        {"floor", CLI_REAL, &floor_percent, "PERCENT",
         "ignore differences below this (default: 0.5 or the value that was measured last)"},
        {"alpha", CLI_REAL, &c.pairing.alpha, "P", "as in 'compare' (default: 0.01)"},
        {"seed", CLI_COUNT, &c.pairing.seed, "S", "seed of the scenes and of the order of blocks (default: 1)"},
        {"dry", CLI_FLAG, &dry, NULL, "do not keep the measured floor for 'compare'"},
        {"json", CLI_TEXT, &c.json_path, "FILE", "write the counts; '-' is stdout"},
        {0}
    };
    const cli_spec spec = {
        .usage = "calibrate [SELECT] [--rounds N] [--budget T | --count] [--json FILE]",
        .about = "Compares this program with itself, in the way of 'compare', and with itself slowed by 1, 2, 5 and 10% (it\n"
                 "answers this share of the pairs twice). Counts false alarms and slow-downs that were found, with exact\n"
                 "intervals. Keeps the floor that it judged with for 'compare', on this CPU and with this compiler. If\n"
                 "more than 1 in 100 benchmarks of identical builds were called changed, it keeps a larger floor. All levels\n"
                 "three times take 38 minutes. A run of only some benchmarks, or one that was cut short, keeps nothing.",
        .options = options,
        .select = &select,
        .examples = "  gjkbench calibrate                                   before 'compare' is trusted\n"
                    "  gjkbench calibrate --rounds 0 --identical 50         only false alarms, two hours\n"
                    "  gjkbench calibrate --count --identical 24            for counts: ten minutes\n"
                    "  gjkbench calibrate --dim 2 --query distance --budget 30s --dry   a first look\n",
    };
    const char *files[CLI_PAIRING_ARGUMENTS];
    gjb_error error = {{0}};
    const char *from;
    if (argc > CLI_PAIRING_ARGUMENTS)
        return cli_usage_error("too many arguments");
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code < 0)
        code = cli_pairing_hand_on(&c.pairing, argc, argv, &select);
    if (code >= 0)
        return code;
    if (!(c.pairing.alpha > 0 && c.pairing.alpha < 1))
        return cli_usage_error("--alpha %g: must be between 0 and 1", c.pairing.alpha);
    if (!(isnan(floor_percent) || (floor_percent >= 0 && floor_percent <= 100)))
        return cli_usage_error("--floor %g: must be from 0 to 100", floor_percent);
    if (c.json_path && cli_check_writable(c.json_path, &error))
        return fail(&error, GJB_EXIT_USAGE);
    const char *why = c.relinked ? why_no_program(c.relinked) : NULL;
    if (why)
        return cli_usage_error("--relinked %s: %s", c.relinked, why);
    if (c.counts && c.pairing.budget > 0)
        return cli_usage_error("--count measures no times: drop --budget");
    c.pairing.budget = c.pairing.budget > 0 ? c.pairing.budget : usual_budget;
    code = c.counts ? cli_counting_choose(&c.counting, &c.pairing, &select, cli_counting_takes_batch(&select)) : -1;
    if (code >= 0)
        return code;
    c.pairing.floor = !isnan(floor_percent) ? floor_percent / 100 : c.counts ? cli_floor_of_counts : cli_floor(&from);
    c.identical_rounds = c.identical_rounds ? c.identical_rounds : c.rounds;
    if (!c.identical_rounds)
        return cli_usage_error("--rounds 0 and --identical 0: nothing to compare");
    c.keeps = !dry && !c.counts;
    return run(&c);
}
