/* The command `history`: its table of subcommands, their help, and the path of the store. */
#include <string.h>

#include "cli/history/history.h"
#include "cli/options/complete.h"
#include "core/spelling.h"

static const struct history_command {
    const char *name, *about;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"add", "add result files of bench or run to the history", history_add},
    {"list", "list machines, runs and benchmarks", history_list},
    {"show", "show one run, with its times", history_show},
    {"changes", "find changes of times: commits around them, size, certainty", history_changes},
    {"plot", "draw times over commits: a page, SVG and CSV", history_plot},
    {"export", "write everything as JSON or CSV", history_export},
    {"import", "read a file that export wrote", history_import},
};
static const size_t command_count = sizeof commands / sizeof *commands;

static void print_help(FILE *stream)
{
    fputs("usage: " CLI_PROGRAM " history COMMAND [OPTION]...\n\n"
          "Keeps runs of 'bench' in one SQLite file, each with machine, commit, compiler,\n"
          "flags, workload hashes, fingerprints and raw samples, and finds the commits at\n"
          "which times changed. A series has only times of one machine, compiler, flags\n"
          "and seed. Times of different workloads are never compared.\n\n"
          "commands:\n", stream);
    for (size_t i = 0; i < command_count; i++)
        fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].about);
    fputs("\nexamples:\n"
          "  gjkbench bench --quick --json bench.json && gjkbench history add bench.json\n"
          "  gjkbench history list\n"
          "  gjkbench history changes --benchmark '*/distance/*'   exits with 3 if slower\n"
          "  gjkbench history plot                                 history-page/index.html\n"
          "\n'" CLI_PROGRAM " history COMMAND --help' shows options and examples.\n", stream);
}

int cmd_history(int argc, char **argv)
{
    if (cli_completing() && argc <= 2) {
        for (size_t i = 0; i < command_count; i++)
            cli_complete_offer(argc > 1 ? argv[1] : "", commands[i].name, commands[i].about);
        return GJB_EXIT_OK;
    }
    if (argc < 2) {
        print_help(stderr);
        return GJB_EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help(stdout);
        return GJB_EXIT_OK;
    }
    const char *names[16];
    for (size_t i = 0; i < command_count; i++) {
        names[i] = commands[i].name;
        if (strcmp(argv[1], commands[i].name))
            continue;
        char name[32];
        snprintf(name, sizeof name, "history %s", commands[i].name);
        argv[1] = name; /* as messages name it */
        return commands[i].run(argc - 1, argv + 1);
    }
    if (cli_completing())
        return GJB_EXIT_OK;
    const char *near = gjb_nearest_name(argv[1], names, command_count);
    return near ? cli_usage_error("history: unknown command '%s': did you mean '%s'?", argv[1], near)
                : cli_usage_error("history: unknown command '%s'; 'history --help' lists all commands", argv[1]);
}
