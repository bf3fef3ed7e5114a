/* Finds an executable on the path, runs it, and reads its output with a time limit. */
#include "draw/program.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"

extern char **environ;

int program_find(const char *variable, const char *const *names, char *path, size_t size)
{
    const char *own = getenv(variable), *const one[] = {own, NULL};
    if (own && strchr(own, '/')) {
        int n = snprintf(path, size, "%s", own);
        return n > 0 && (size_t)n < size && gjb_file_is_program(path) ? 0 : -1;
    }
    for (names = own && *own ? one : names; *names; names++)
        if (gjb_file_on_path(*names, path, size))
            return 0;
    return -1;
}

static int wait_for(pid_t child, int seconds, int *status)
{
    const struct timespec nap = {0, 2000000};
    const int most = seconds * 500;
    for (int naps = 0;; naps++) {
        pid_t got = waitpid(child, status, naps < most ? WNOHANG : 0);
        if (got == child)
            return naps < most ? 0 : -1;
        if (got < 0 && errno != EINTR)
            return -1;
        if (naps == most - 1)
            kill(child, SIGKILL);
        nanosleep(&nap, NULL);
    }
}

static void read_all(FILE *f, text *out)
{
    char buffer[8192];
    size_t n;
    rewind(f);
    while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
        text_bytes(out, buffer, n);
}

static int start(const char *path, char *const argv[], FILE *const files[3], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions))
        return -1;
    int failed = 0;
    for (int i = 0; i < 3; i++)
        failed |= posix_spawn_file_actions_adddup2(&actions, fileno(files[i]), i);
    failed = failed || posix_spawn(child, path, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed ? -1 : 0;
}

program_end program_run(const char *path, char *const argv[], const text *in, int seconds, text *out,
                        text *complaint)
{
    FILE *files[3] = {tmpfile(), tmpfile(), tmpfile()};
    program_end end = PROGRAM_UNSTARTED;
    int status = 0;
    pid_t child;
    if (files[0] && files[1] && files[2] && fwrite(in->s ? in->s : "", 1, in->size, files[0]) == in->size &&
        !fflush(files[0])) {
        rewind(files[0]);
        if (!start(path, argv, files, &child)) {
            end = wait_for(child, seconds, &status)           ? PROGRAM_UNENDED
                  : WIFEXITED(status) && !WEXITSTATUS(status) ? PROGRAM_FINE
                                                              : PROGRAM_FAILED;
            read_all(files[1], out);
            read_all(files[2], complaint);
        }
    }
    for (int i = 0; i < 3; i++)
        if (files[i])
            fclose(files[i]);
    return end;
}
