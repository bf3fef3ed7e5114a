/* Starts a worker process, pins it to a processor, and exchanges lines with it, with a limit on its silence. */
#include "bench/compare/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/compare/worker.h"
#include "core/patience.h"

enum { TICK_MS = 100 };

extern char **environ;

static int spawn(gjb_worker_process *o, const char *const *command, const int to[2], const int from[2],
                 const int *turn)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, to[0], 0);
    posix_spawn_file_actions_adddup2(&files, from[1], 1);
    if (turn) {
        posix_spawn_file_actions_adddup2(&files, turn[0], GJB_WORKER_HEARS);
        posix_spawn_file_actions_adddup2(&files, turn[1], GJB_WORKER_HANDS);
    }
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP); /* Ctrl-C is ours to handle: it ends with its input */
    const int failed =
        posix_spawnp(&o->pid, command[0], &files, &attributes, (char *const *)command, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

static int start(gjb_worker_process *o, const char *const *command, const int *turn, gjb_error *error)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) {
        gjb_fail(error, "%s: no pipe: %s", o->program, strerror(errno));
        close(to[0]);
        close(to[1]);
        return -1;
    }
    const int failed = spawn(o, command, to, from, turn);
    close(to[0]);
    close(from[1]);
    if (failed) {
        close(to[1]);
        close(from[0]);
        o->pid = 0;
        return gjb_fail(error, "%s: cannot be started: %s", o->program, strerror(failed));
    }
    o->to = fdopen(to[1], "w");
    o->from = fdopen(from[0], "r");
    return o->to && o->from ? 0 : gjb_fail(error, "%s: out of memory", o->program);
}

int gjb_worker_process_start(gjb_worker_process *o, const char *program, const char *const *command, const int *turn,
                             const volatile sig_atomic_t *stop, json_t **hello, gjb_error *error)
{
    *o = (gjb_worker_process){.program = program, .stop = stop};
    *hello = NULL;
    if (start(o, command, turn, error))
        return -1;
    *hello = gjb_worker_process_hear(o, error);
    if (!*hello)
        return -1;
    const json_t *protocol = json_object_get(*hello, "gjkbench_worker");
    if (json_integer_value(protocol) == GJB_WORKER_PROTOCOL &&
        json_is_array(json_object_get(*hello, "points")))
        return 0;
    json_decref(*hello);
    *hello = NULL;
    return gjb_fail(error, "%s: serves by another protocol than this program's (%d)", o->program,
                    GJB_WORKER_PROTOCOL);
}

void gjb_worker_process_end(gjb_worker_process *o)
{
    if (o->to)
        fclose(o->to);
    if (o->from)
        fclose(o->from);
    if (o->pid > 0) {
        /* It may be in a call that takes long, and has nothing to lose. */
        kill(o->pid, SIGKILL);
        while (waitpid(o->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(o->line);
    *o = (gjb_worker_process){0};
}

void gjb_worker_process_tell(gjb_worker_process *o, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(o->to, format, arguments);
    va_end(arguments);
    fflush(o->to); /* if it is gone, its silence tells */
}

static double patience_seconds = 300;

void gjb_worker_process_patience(double seconds)
{
    patience_seconds = seconds;
}

/* Whether it says something before patience ends. One that does not is in a call that will not end. It may
 * be blocked for long: while a contender's process works for it, which is watched over there, and while the
 * other side has the turn. */
static int speaks(gjb_worker_process *o, gjb_error *error)
{
    gjb_patience patience = {.who = gjb_awaited_process(o->pid),
                             .cpu = patience_seconds,
                             .blocked = patience_seconds,
                             .stop = o->stop};
    switch (gjb_patience_await(&patience, fileno(o->from), TICK_MS)) {
    case GJB_AWAIT_READY:
        return 1;
    case GJB_AWAIT_STOPPED:
        gjb_fail(error, "%s: interrupted", o->program);
        return 0;
    case GJB_AWAIT_HUNG:
        break;
    }
    kill(o->pid, SIGKILL);
    gjb_fail(error, "%s: it said nothing for %g seconds, and was ended", o->program, patience_seconds);
    return 0;
}

json_t *gjb_worker_process_hear(gjb_worker_process *o, gjb_error *error)
{
    json_error_t bad;
    if (!speaks(o, error))
        return NULL;
    ssize_t got;
    while ((got = getline(&o->line, &o->room, o->from)) < 0 && errno == EINTR && !feof(o->from))
        clearerr(o->from);
    if (got < 0) {
        gjb_fail(error,
                 o->served ? "%s: it ended in the middle of serving"
                           : "%s: it ended instead of serving: is it a gjkbench that has 'bench --serve'?",
                 o->program);
        return NULL;
    }
    o->served = 1;
    json_t *reply = json_loadb(o->line, (size_t)got, 0, &bad);
    const char *said = json_string_value(json_object_get(reply, "error"));
    if (json_is_object(reply) && !said)
        return reply;
    gjb_fail(error, "%s: %s", o->program, said ? said : "what it says is no JSON");
    json_decref(reply);
    return NULL;
}

void gjb_worker_process_pin(const gjb_worker_process *o, const uint64_t *which)
{
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all) || CPU_COUNT(&all) < 1)
        return;
    if (!which) {
        sched_setaffinity(o->pid, sizeof all, &all);
        return;
    }
    uint64_t left = *which % (uint64_t)CPU_COUNT(&all);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all) || left-- > 0)
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(o->pid, sizeof one, &one);
}
