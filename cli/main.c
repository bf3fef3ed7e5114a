#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "gjkbench-build.h"

static const struct cli_command {
    const char *name;
    const char *about;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"list", "what there is: backends of this CPU, contenders, queries, workloads, families", cmd_list},
    {"run", "verify, then bench, then report: the main job", cmd_run},
    {"bench", "measure throughput: shapes, vertices, families, calls, backends, contenders", cmd_bench},
    {"verify", "grade every answer against certificates and the exact oracle", cmd_verify},
    {"converge", "say how GJK and EPA come nearer to the truth, by kind of shape", cmd_converge},
    {"choose", "say which contender to choose for given shapes and pairs, and why", cmd_choose},
    {"replay", "run saved pairs, scenes or known failures through contenders again", cmd_replay},
    {"explain", "walk one pair through a method, step by step, with pictures", cmd_explain},
    {"step", "move the boxes of a scene over a step, and let those that meet respond", cmd_step},
    {"import", "make a scene of the convex hulls of meshes: OBJ, OFF, STL", cmd_import},
    {"recipe", "repeat a published experiment, and draw its figure", cmd_recipe},
    {"report", "draw a page from result files: index.html with inline pictures", cmd_report},
};
static const size_t command_count = sizeof commands / sizeof *commands;

static void print_help(FILE *stream)
{
    fprintf(stream,
            "usage: " CLI_PROGRAM " COMMAND [OPTION]...\n\n"
            "Batched convex collision queries in 2D and 3D: how fast they are, and whether every answer is right.\n\n"
            "commands:\n");
    for (size_t i = 0; i < command_count; i++)
        fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].about);
    fputs("\n'" CLI_PROGRAM " COMMAND --help' teaches a command with examples.\n"
          "exit codes: 0 fine, 1 verification failed, 2 usage or bad input, 3 significant slow-down,\n"
          "            77 skipped, 99 harness error, 130 interrupted\n",
          stream);
}

int main(int argc, char **argv)
{
    int at = 1;
    for (; at < argc && !strncmp(argv[at], "--color=", 8); at++)
        if (cli_color_set(argv[at] + 8))
            return cli_usage_error("--color wants auto, always or never, not '%s'", argv[at] + 8);
    if (at == argc) {
        print_help(stderr);
        return GJB_EXIT_USAGE;
    }
    const char *name = argv[at];
    if (!strcmp(name, "--version")) {
        puts(CLI_PROGRAM " " GJB_VERSION);
        return GJB_EXIT_OK;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        if (at + 1 == argc) {
            print_help(stdout);
            return GJB_EXIT_OK;
        }
        /* "gjkbench help COMMAND" */
        static char help[] = "--help";
        name = argv[at + 1];
        for (size_t i = 0; i < command_count; i++)
            if (!strcmp(name, commands[i].name))
                return commands[i].run(2, (char *[]){argv[at + 1], help, NULL});
    }
    const char *names[32];
    for (size_t i = 0; i < command_count; i++) {
        if (!strcmp(name, commands[i].name))
            return commands[i].run(argc - at, argv + at);
        names[i] = commands[i].name;
    }
    const char *near = cli_nearest(name, names, command_count);
    if (near)
        return cli_usage_error("unknown command '%s': did you mean '%s'?", name, near);
    return cli_usage_error("unknown command '%s'; --help lists them", name);
}
