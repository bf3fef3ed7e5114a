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
        {"source", CLI_TEXT, &source, "DIR", "sources of this program (those that it was built from)"},
        {"faults", CLI_TEXT, &faults, "FILE",
         "table of faults made by hand (data/faults/hand.json of the sources)"},
        {"only", CLI_TEXT, &only, "NAMES",
         "these faults alone, with commas between; mN is the N-th made by rule"},
        {"mutants", CLI_COUNT, &mutants, "N",
         "faults made by rule, too, spread evenly over the functions of simd (0)"},
        {"seed", CLI_COUNT, &seed, "S", "which of those (1)"},
        {"time", CLI_SECONDS, &seconds, "T", "CPU seconds of search for each fault and layer (10)"},
        {"jobs", CLI_COUNT, &jobs, "N", "faults that are looked for side by side (1)"},
        {"work", CLI_TEXT, &work, "DIR", "where the copy is built and kept (~/.cache/gjkbench/selftest)"},
        {"json", CLI_TEXT, &json, "FILE", "all of it as JSON; '-' is stdout, behind the text"},
        {"all-layers", CLI_FLAG, &all_layers, NULL, "ask every layer, not only until one notices"},
        {"resume", CLI_FLAG, &resume, NULL, "leave out what DIR has the results of already"},
        {"list", CLI_FLAG, &list, NULL, "name the faults made by hand, and end"},
        {"check", CLI_FLAG, &check, NULL,
         "only whether each of these still finds its old text, once, in the sources"},
        {0}};
    const cli_spec spec = {
        .usage = "selftest [--only NAMES] [--mutants N] [--seed S] [--time T] [--json FILE]",
        .about = "Proof of power: whether what checks this program would notice if it were broken. Copies "
                 "the sources,\n"
                 "puts faults into the copy, each behind a switch, builds it once, and lets layer after "
                 "layer of checks\n"
                 "look at each fault, cheapest first, until one notices: fingerprints, search with "
                 "certificates, saved\n"
                 "failures, unit tests. Faults are those of a table made by hand, in kernels, reference, "
                 "grading and\n"
                 "adapters, and N small changes made by rule in the sources of simd. The switches are in the "
                 "copy alone.\n"
                 "Before anything counts, every layer must be silent on the copy with no fault switched on, "
                 "and its\n"
                 "kernels must have the bits of this program. Seconds are those of the processor. See "
                 "docs/selftest.md.\n\n"
                 "Exits with 0 when every fault is caught, 1 when one survives, 77 when a compiler, meson, "
                 "ninja or\n"
                 "python3 is missing, 99 when a layer is not silent without a fault. What is done by Ctrl-C "
                 "is kept.",
        .options = options,
        .examples = "  gjkbench selftest --list\n"
                    "  gjkbench selftest                                  the faults made by hand: an hour "
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
