/* The program's entry point: the table of commands, general help, and dispatch. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options/complete.h"
#include "cli/options/wrap.h"
#include "core/spelling.h"
#include "gjkbench-build.h"

/* Commands stand in the folder of their group. The rare ones of a group come last. */
enum { MEASURE, VERIFY, FIND_BUGS, TOOLS, GROUPS };
static const char *const groups[GROUPS] = {"measure", "verify", "find bugs", "tools"};

static const struct cli_command {
    int group;
    const char *name;
    const char *about;
    int (*run)(int argc, char **argv);
} commands[] = {
    {MEASURE, "run", "verify, then bench, then report: the main job", cmd_run},
    {MEASURE, "bench", "measure throughput by shapes, vertices, families, calls, backends and contenders", cmd_bench},
    {MEASURE, "choose", "rank contenders for given shapes and pairs, and say why", cmd_choose},
    {MEASURE, "compare", "find what became slower or faster between two builds", cmd_compare},
    {MEASURE, "calibrate", "measure the false-alarm rate of 'compare' on this machine", cmd_calibrate},
    {MEASURE, "history", "keep runs, and find the commits at which times changed", cmd_history},
    {MEASURE, "recipe", "repeat a published experiment, and draw its figure", cmd_recipe},
    {MEASURE, "suite", "answer a named, frozen list of pairs, and print a score card to cite", cmd_suite},
    {MEASURE, "report", "draw a page from result files: index.html with inline pictures", cmd_report},
    {MEASURE, "convert", "write results in the formats of programs that track benchmarks", cmd_convert},
    {VERIFY, "verify", "grade every answer against certificates and the exact oracle", cmd_verify},
    {VERIFY, "replay", "run saved pairs, scenes or known failures through contenders again", cmd_replay},
    {VERIFY, "properties", "check relations between answers, such as swapping A and B", cmd_properties},
    {VERIFY, "certify", "write an answer and its proof to a file", cmd_certify},
    {VERIFY, "check", "check the proofs of answers in exact arithmetic", cmd_check},
    {VERIFY, "merge", "combine the shards of a verification or a search, and list missing ones", cmd_merge},
    {VERIFY, "selftest", "break this program on purpose, and count which checks notice", cmd_selftest},
    {FIND_BUGS, "fuzz", "search for pairs that are answered wrongly, and shrink them", cmd_fuzz},
    {FIND_BUGS, "shrink", "shrink a wrongly answered pair until it is easy to read", cmd_shrink},
    {FIND_BUGS, "explain", "show each step of a method on one pair, with pictures", cmd_explain},
    {TOOLS, "list", "list the names of backends, contenders, queries, workloads and families", cmd_list},
    {TOOLS, "import", "convert meshes (OBJ, OFF, PLY, STL) or a robot (MJCF, URDF) to a scene", cmd_import},
    {TOOLS, "step", "move the boxes of a scene over one step, with a response to each hit", cmd_step},
};
static const size_t command_count = sizeof commands / sizeof *commands;

static void print_help(FILE *stream)
{
    fprintf(stream,
            "usage: " CLI_PROGRAM " COMMAND [OPTION]...\n\n"
            "Measures collision queries between convex shapes, and proves answers right\n"
            "or wrong, in 2D and 3D.\n");
    for (size_t i = 0; i < command_count; i++) {
        if (!i || commands[i].group != commands[i - 1].group)
            fprintf(stream, "\n%s:\n", groups[commands[i].group]);
        fprintf(stream, "  %-10s ", commands[i].name);
        cli_print_wrapped(stream, commands[i].about, 13, 13);
    }
    fputs("\n'" CLI_PROGRAM " COMMAND --help' shows options and examples.\n"
          "exit codes: 0 success, 1 verification failed, 2 usage, bad input, or output that\n"
          "            could not be written, 3 significant slow-down, 77 skipped,\n"
          "            99 harness error, 130 interrupted\n",
          stream);
}

static const struct cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (!strcmp(name, commands[i].name))
            return &commands[i];
    return NULL;
}

/* The words behind the program's name, the last of them being typed. */
static int complete(int count, char **words)
{
    int at = 0;
    while (at + 1 < count && !strncmp(words[at], "--color=", 8))
        at++;
    const int helps = at + 1 < count && !strcmp(words[at], "help");
    const struct cli_command *named = at + 1 < count ? find_command(words[at]) : NULL;
    if (named) {
        cli_complete_begin();
        return named->run(count - at, words + at);
    }
    static const char *const others[] = {"--help", "--version", "--color=auto", "--color=always", "--color=never", "help"};
    const char *typed = count ? words[count - 1] : "";
    if (at + 1 < count && (!helps || at + 2 < count))
        return GJB_EXIT_OK;
    for (size_t i = 0; i < command_count; i++)
        cli_complete_offer(typed, commands[i].name, commands[i].about);
    for (size_t i = 0; !helps && (*typed == '-' || *typed == 'h') && i < sizeof others / sizeof *others; i++)
        cli_complete_offer(typed, others[i], NULL);
    return GJB_EXIT_OK;
}

static int run(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], CLI_COMPLETE))
        return complete(argc - 2, argv + 2);
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
        if (find_command(name))
            return find_command(name)->run(2, (char *[]){argv[at + 1], help, NULL});
    }
    cli_progress_of(name);
    if (find_command(name))
        return find_command(name)->run(argc - at, argv + at);
    if (!strcmp(name, "converge"))
        return cli_usage_error("'converge' went in this version: 'explain' shows the steps of a pair, "
                               "'bench' mean iterations");
    const char *names[32];
    for (size_t i = 0; i < command_count; i++)
        names[i] = commands[i].name;
    static const char *const options[] = {"--version", "--help"};
    const char *near =
        name[0] == '-' ? gjb_nearest_name(name, options, 2) : gjb_nearest_name(name, names, command_count);
    if (near && name[0] == '-')
        return cli_usage_error("unknown option '%s': did you mean '%s'?", name, near);
    if (near)
        return cli_usage_error("unknown command '%s': did you mean '%s'?", name, near);
    return cli_usage_error("unknown command '%s'; --help lists all commands", name);
}

int main(int argc, char **argv)
{
    cli_open_streams();
    return cli_close_stdout(run(argc, argv));
}
