/* The command `selftest`: calls the script that breaks copies of the program on purpose. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "gjkbench-build.h"

/* The work is done by a script next to the sources, which it needs anyway: it copies and builds them. */
#define SCRIPT "scripts/selftest/selftest.py"

enum { MOST_WORDS = 32, MOST_PATH = 4096 };

typedef struct words {
    const char *at[MOST_WORDS];
    size_t count;
} words;

static void add(words *w, const char *name, const char *value)
{
    if (!value)
        return;
    w->at[w->count++] = name;
    w->at[w->count++] = value;
}

static void add_flag(words *w, const char *name, int given)
{
    if (given)
        w->at[w->count++] = name;
}

static void add_count(words *w, const char *name, uint64_t value, char text[32])
{
    snprintf(text, 32, "%llu", (unsigned long long)value);
    add(w, name, text);
}

static int find_script(const char *source, char path[MOST_PATH])
{
    if (snprintf(path, MOST_PATH, "%s/" SCRIPT, source) >= MOST_PATH || access(path, R_OK)) {
        fprintf(stderr, CLI_PROGRAM " selftest: --source: %s: no sources of gjkbench there (" SCRIPT ")\n",
                source);
        return -1;
    }
    return 0;
}

/* The program that this is: the copy is to have its bits. */
static const char *own_path(char path[MOST_PATH])
{
    const ssize_t length = readlink("/proc/self/exe", path, MOST_PATH - 1);
    if (length <= 0)
        return NULL;
    path[length] = 0;
    return path;
}

static int run_script(words *w)
{
    fflush(NULL);
    execvp(w->at[0], (char *const *)w->at);
    if (errno == ENOENT) {
        fputs(CLI_PROGRAM " selftest: python3 is missing, which runs it: 'apt-get install python3'\n",
              stderr);
        return GJB_EXIT_SKIPPED;
    }
    fprintf(stderr, CLI_PROGRAM " selftest: python3: %s\n", strerror(errno));
    return GJB_EXIT_HARNESS;
}

int cmd_selftest(int argc, char **argv)
{
    const char *source = GJB_SOURCE, *faults = NULL, *only = NULL, *work = NULL, *json = NULL;
    uint64_t mutants = 0, seed = 1, jobs = 1;
    double seconds = 10;
    int list = 0, resume = 0, all_layers = 0, check = 0;
    const cli_option options[] = {
        {"source", CLI_TEXT, &source, "DIR", "sources of this program (default: those that it was built from)"},
        {"faults", CLI_TEXT, &faults, "FILE",
         "table of hand-made faults (default: data/faults/hand.json of the sources)"},
        {"only", CLI_TEXT, &only, "NAMES",
         "try only these faults, with commas between; mN is the N-th mechanical one"},
        {"mutants", CLI_COUNT, &mutants, "N",
         "also make N mechanical faults, spread evenly over the functions of simd (default: 0)"},
        {"seed", CLI_COUNT, &seed, "S", "seed of the mechanical faults (default: 1)"},
        {"time", CLI_SECONDS, &seconds, "T", "CPU seconds of search for each fault and layer (default: 10)"},
        {"jobs", CLI_COUNT, &jobs, "N", "faults to try in parallel (default: 1)"},
        {"work", CLI_TEXT, &work, "DIR",
         "folder in which the copy is built and kept (default: ~/.cache/gjkbench/selftest)"},
        {"json", CLI_TEXT, &json, "FILE", "write results as JSON; '-' is stdout, after the text"},
        {"all-layers", CLI_FLAG, &all_layers, NULL, "ask every layer, also after one has noticed"},
        {"resume", CLI_FLAG, &resume, NULL, "skip faults whose results are in DIR already"},
        {"list", CLI_FLAG, &list, NULL, "name the hand-made faults, and exit"},
        {"check", CLI_FLAG, &check, NULL,
         "only check that the text that each hand-made fault replaces is in the sources exactly once"},
        {0}};
    const cli_spec spec = {
        .usage = "selftest [--only NAMES] [--mutants N] [--seed S] [--time T] [--json FILE]",
        .about = "Tests whether the checks would notice if this program were broken. It copies the sources, puts faults\n"
                 "into the copy, each behind a switch, and builds it once. For each fault, layers of checks run one after\n"
                 "another, the cheapest first, until one notices: fingerprints, search with certificates, saved failures,\n"
                 "unit tests. Hand-made faults come from a table, and are in kernels, reference, grading and adapters. N\n"
                 "mechanical faults are small changes to the sources of simd. Only the copy has switches. Nothing counts\n"
                 "unless every layer is silent on the copy with no fault switched on, and the copy's kernels have the\n"
                 "same bits as this program. Seconds are CPU seconds. See docs/selftest.md.\n\n"
                 "Exits with 0 if every fault is caught, 1 if one survives, 77 if a compiler, meson, ninja or python3 is\n"
                 "missing, 99 if a layer is not silent without a fault. Results are kept after Ctrl-C.",
        .options = options,
        .examples = "  gjkbench selftest --list\n"
                    "  gjkbench selftest                                  the hand-made faults: an hour "
                    "of one core\n"
                    "  gjkbench selftest --only boolean-sign,lost-spill\n"
                    "  gjkbench selftest --mutants 260 --seed 1 --json power.json\n"
                    "  gjkbench selftest --mutants 260 --seed 1 --only m17 --all-layers\n",
    };
    int code = cli_parse(&spec, argc, argv, NULL, NULL);
    if (code >= 0)
        return code;
    char script[MOST_PATH], self[MOST_PATH];
    if (find_script(source, script))
        return GJB_EXIT_USAGE;
    words w = {{"python3", script}, 2};
    add(&w, "--source", source);
    add(&w, "--program", own_path(self));
    add(&w, "--faults", faults);
    add(&w, "--only", only);
    char numbers[4][32];
    add_count(&w, "--mutants", mutants, numbers[0]);
    add_count(&w, "--seed", seed, numbers[1]);
    add_count(&w, "--jobs", jobs, numbers[2]);
    snprintf(numbers[3], sizeof numbers[3], "%.9g", seconds);
    add(&w, "--time", numbers[3]);
    add(&w, "--work", work);
    add(&w, "--json", json);
    add_flag(&w, "--all-layers", all_layers);
    add_flag(&w, "--resume", resume);
    add_flag(&w, "--list", list);
    add_flag(&w, "--check", check);
    return run_script(&w);
}
