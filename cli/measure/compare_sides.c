/* Finds or builds each side of a comparison: files, programs, plug-ins, or revisions from git. */
#include "cli/measure/compare_sides.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "core/file.h"

enum { PATH_ROOM = 4096 };
extern char **environ;

/* --- other programs ----------------------------------------------------------- */

/* Runs a script with arguments that it takes as $1, $2, ...: none is read as a word of the shell. `log` may be NULL.
 * Its exit status, or -1. */
static int run_script(const char *script, const char *const arguments[4], const char *log)
{
    const char *argv[9] = {"sh", "-ec", script, "sh"};
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status = -1;
    for (size_t i = 0; i < 4 && arguments[i]; i++)
        argv[4 + i] = arguments[i];
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, log ? log : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    if (!posix_spawnp(&pid, "sh", &files, NULL, (char *const *)argv, environ))
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&files);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What a program prints, line by line, without a shell. Reads at most `room` lines; -1 if it fails. */
static int read_lines(const char *const *argv, char (*lines)[48], int room)
{
    int ends[2], status = -1, count = 0;
    posix_spawn_file_actions_t files;
    pid_t pid;
    char line[PATH_ROOM];
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    const int failed = posix_spawnp(&pid, argv[0], &files, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    while (from && !failed && fgets(line, sizeof line, from))
        if (count < room)
            snprintf(lines[count++], sizeof *lines, "%.*s", (int)strcspn(line, "\n"), line);
    if (from)
        fclose(from);
    if (!failed)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    return !failed && status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? count : -1;
}

/* --- what is given ------------------------------------------------------------ */

static int starts_with(const char *path, const char *bytes, size_t size)
{
    char begin[8] = {0};
    gjb_error unread = {""};
    FILE *file = gjb_file_open(path, &unread);
    const size_t got = file ? fread(begin, 1, sizeof begin, file) : 0;
    if (file)
        fclose(file);
    return got >= size && !memcmp(begin, bytes, size);
}

static int find_file(cli_side *side, const struct stat *info, gjb_error *error)
{
    const size_t length = strlen(side->given);
    side->path = realpath(side->given, NULL);
    if (!side->path)
        return gjb_fail(error, "%s: %s", side->given, strerror(errno));
    if (S_ISDIR(info->st_mode))
        return gjb_fail(error, "%s: is a folder; name the program in it, as build/cli/gjkbench", side->given);
    if (length > 3 && !strcmp(side->given + length - 3, ".so"))
        side->kind = CLI_SIDE_PLUGIN;
    else if (!access(side->path, X_OK))
        side->kind = CLI_SIDE_PROGRAM;
    else if (starts_with(side->path, "\177ELF", 4))
        return gjb_fail(error, "%s: this file is not executable", side->given);
    else
        side->kind = CLI_SIDE_FILE;
    return 0;
}

int cli_side_find(cli_side *side, const char *given, gjb_error *error)
{
    struct stat info;
    char wanted[300], line[1][48];
    *side = (cli_side){.given = given};
    if (!stat(given, &info))
        return find_file(side, &info, error);
    side->kind = CLI_SIDE_REVISION;
    snprintf(wanted, sizeof wanted, "%.250s^{commit}", given);
    const char *const argv[] = {"git", "rev-parse", "--verify", "--quiet", "--end-of-options", wanted, NULL};
    if (given[0] == '-' || strlen(given) > 250 || read_lines(argv, line, 1) != 1)
        return gjb_fail(error, "%s: neither a file nor a revision that git knows here", given);
    snprintf(side->commit, sizeof side->commit, "%s", line[0]);
    return 0;
}

void cli_side_free(cli_side *side)
{
    free(side->path);
    *side = (cli_side){0};
}

/* --- revisions ---------------------------------------------------------------- */

/* $1 the commit, $2 its folder, $3 backends, or "". Built next to it, so that what is there is whole. */
static const char build_script[] = "rm -rf \"$2/source\" \"$2/build\"\n"
                                   "mkdir -p \"$2/source\"\n"
                                   "top=$(git rev-parse --show-toplevel)\n"
                                   "git -C \"$top\" archive --format=tar \"$1\" >\"$2/source.tar\"\n"
                                   "tar -x -C \"$2/source\" -f \"$2/source.tar\"\n"
                                   "rm \"$2/source.tar\"\n"
                                   "meson setup \"$2/build\" \"$2/source\" --buildtype=release "
                                   "-Dtests=disabled -Dcontenders=disabled -Dassimp=disabled "
                                   "${3:+-Dbackends=$3}\n"
                                   "ninja -C \"$2/build\" cli/gjkbench\n";

/* What else a build is made by: another compiler, or its flags, must not find the builds of this one. */
static const char tools_script[] = "{ echo \"$CC|$CFLAGS|$CPPFLAGS|$LDFLAGS\"; ${CC:-cc} --version; } | cksum | cut -d' ' -f1";

int cli_side_build(cli_side *side, const char *builds, const char *backends, gjb_error *error)
{
    const char *const tools[] = {"sh", "-c", tools_script, NULL};
    char folder[PATH_ROOM], program[PATH_ROOM + 64], log[PATH_ROOM + 64], by[1][48];
    if (read_lines(tools, by, 1) != 1)
        return gjb_fail(error, "%s: cannot tell the compiler's version", side->given);
    snprintf(folder, sizeof folder, "%s/%.12s-%s-%s", builds, side->commit, backends ? backends : "all", by[0]);
    if (cli_make_folder(folder, error))
        return -1;
    snprintf(program, sizeof program, "%s/build/cli/gjkbench", folder);
    snprintf(log, sizeof log, "%s/build.log", folder);
    if (access(program, X_OK)) {
        const char *const arguments[4] = {side->commit, folder, backends ? backends : ""};
        fprintf(stderr, CLI_PROGRAM " compare: building %s (%.12s)\n", side->given, side->commit);
        if (run_script(build_script, arguments, log))
            return cli_interrupted ? gjb_fail(error, "interrupted while %s was built", side->given)
                                   : gjb_fail(error, "%s: it does not build; the output of the build is in %s", side->given, log);
    }
    free(side->path);
    side->path = strdup(program);
    return side->path ? 0 : gjb_fail(error, "out of memory");
}

int cli_commits_between(const char *old, const char *new, char (**commits)[48], gjb_error *error)
{
    enum { MOST = 100000 };
    char range[128];
    snprintf(range, sizeof range, "%s..%s", old, new);
    const char *const argv[] = {"git", "rev-list", "--first-parent", "--reverse", range, NULL};
    *commits = malloc(MOST * sizeof **commits);
    const int count = *commits ? read_lines(argv, *commits, MOST) : -1;
    if (count >= 0)
        return count;
    free(*commits);
    *commits = NULL;
    return gjb_fail(error, "%s: git cannot list the commits", range);
}
