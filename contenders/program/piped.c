/* Starts a program with pipes, writes and reads at once, and judges how it ends. */
#include "contenders/program/piped.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/patience.h"
#include "core/sanitized.h"

enum { TICK_MS = 20, READ_MOST = 1 << 16, FIRST_DESCRIPTOR = 3, LAST_WORDS = 64 };
/* What it may keep in memory. Not its address space: run-time systems reserve more than there is. AddressSanitizer
 * reserves it as data: a program that is built with it raises this soft limit (docs/programs.md), and has none if we
 * are. */
static const rlim_t most_data = (rlim_t)4 << 30;

/* --- starting ------------------------------------------------------------------ */

/* The standard streams of the two processes, and where a failure to run it is reported. */
typedef struct ends {
    int in[2], out[2], errors[2], failed[2];
} ends;

static void close_all(int *descriptors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (descriptors[i] >= 0)
            close(descriptors[i]);
        descriptors[i] = -1;
    }
}

/* Beyond the standard streams, which this process may lack. */
static int make_pipe(int pipe_ends[2])
{
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
        pipe_ends[0] = pipe_ends[1] = -1;
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        const int moved = pipe_ends[i] < FIRST_DESCRIPTOR
                              ? fcntl(pipe_ends[i], F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR)
                              : pipe_ends[i];
        if (moved != pipe_ends[i])
            close(pipe_ends[i]);
        pipe_ends[i] = moved;
    }
    return pipe_ends[0] < 0 || pipe_ends[1] < 0 ? -1 : 0;
}

static void limit_memory(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0) { /* a child of ours has little */
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_AS, &limit);
    }
    if (!GJB_SANITIZED && getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur > most_data) {
        limit.rlim_cur = most_data;
        setrlimit(RLIMIT_DATA, &limit);
    }
}

/* After a fork of a process with threads: nothing but calls to the system. */
_Noreturn static void become(char *const *words, const ends *e, int alone, pid_t parent)
{
    sigset_t nothing;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (alone)
        setpgid(0, 0);
    if (getppid() != parent)
        _exit(127);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&nothing);
    sigprocmask(SIG_SETMASK, &nothing, NULL);
    limit_memory();
    if (dup2(e->in[0], 0) == 0 && dup2(e->out[1], 1) == 1 && dup2(e->errors[1], 2) == 2) {
        close_range(FIRST_DESCRIPTOR, ~0u, CLOSE_RANGE_CLOEXEC);
        execvp(words[0], words);
    }
    const int why = errno;
    const ssize_t wrote = write(e->failed[1], &why, sizeof why);
    _exit(wrote < 0 ? 126 : 127);
}

/* 0 once it runs, or the reason why not. */
static int wait_for_exec(int failed)
{
    int why = 0;
    ssize_t got;
    while ((got = read(failed, &why, sizeof why)) < 0 && errno == EINTR)
        ;
    return got == (ssize_t)sizeof why ? why : 0;
}

static void never_wait(int descriptor)
{
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

int gjb_piped_start(gjb_piped *piped, char *const *words, int alone, gjb_error *error)
{
    ends e = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    *piped = (gjb_piped){.own_group = alone, .to = -1, .from = -1, .errors = -1};
    if (make_pipe(e.in) != 0 || make_pipe(e.out) != 0 || make_pipe(e.failed) != 0 ||
        make_pipe(e.errors) != 0) {
        const int why = errno;
        close_all((int *)&e, sizeof e / sizeof(int));
        return gjb_fail(error, "no pipe: %s", strerror(why));
    }
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(words, &e, alone, parent);
    int why = pid < 0 ? errno : 0;
    piped->pid = pid > 0 ? pid : 0;
    piped->to = e.in[1];
    piped->from = e.out[0];
    piped->errors = e.errors[0];
    close_all((int[]){e.in[0], e.out[1], e.errors[1], e.failed[1]}, 4);
    if (pid > 0)
        why = wait_for_exec(e.failed[0]);
    close(e.failed[0]);
    if (why != 0) {
        gjb_piped_stop(piped);
        return gjb_fail(error, "%s: %s", words[0], strerror(why));
    }
    never_wait(piped->to);
    never_wait(piped->from);
    never_wait(piped->errors);
    return 0;
}

void gjb_piped_stop(gjb_piped *piped)
{
    if (piped->pid > 0) {
        kill(piped->own_group ? -piped->pid : piped->pid, SIGKILL);
        kill(piped->pid, SIGKILL);
        while (waitpid(piped->own_group ? -piped->pid : piped->pid, NULL, 0) > 0 || errno == EINTR)
            ;
        close_all((int[]){piped->to, piped->from, piped->errors}, 3);
    }
    free(piped->bytes);
    *piped = (gjb_piped){.to = -1, .from = -1, .errors = -1};
}

/* Does a line say where it ended, or what to try, and not why? The last lines of node, Java, Rust and the sanitizers
 * do. `line` has no blanks at its front; those that it had make "7: " a line of Rust's backtrace. */
static int is_aside(const char *line, int indented)
{
    static const char *const asides[] = {"at ", "... ", "Node.js v", "note: ", "stack backtrace:", "^"};
    const size_t digits = strspn(line, "0123456789");
    for (size_t i = 0; i < sizeof asides / sizeof *asides; i++)
        if (strncmp(line, asides[i], strlen(asides[i])) == 0)
            return 1;
    return *line == '\0' || strstr(line, "==ABORTING") != NULL ||
           (indented && digits > 0 && strncmp(line + digits, ": ", 2) == 0);
}

static void end_line(gjb_piped *piped)
{
    piped->line[piped->line_size] = '\0';
    piped->line_size = 0;
    const size_t blanks = strspn(piped->line, " \t");
    memmove(piped->line, piped->line + blanks, sizeof piped->line - blanks);
    gjb_text_clean(piped->line);
    if (!is_aside(piped->line, blanks > 0))
        memcpy(piped->words, piped->line, sizeof piped->words);
}

/* Keeps its words, and hands on what a process in our group writes. 0: there is no more for now. */
static int hear(gjb_piped *piped)
{
    char text[1024];
    const ssize_t got = piped->errors >= 0 ? read(piped->errors, text, sizeof text) : -1;
    if (got == 0)
        close_all(&piped->errors, 1);
    for (ssize_t i = 0; i < got; i++)
        if (text[i] == '\n' || text[i] == '\r')
            end_line(piped);
        else if (piped->line_size + 1 < sizeof piped->line)
            piped->line[piped->line_size++] = text[i];
    if (got > 0 && !piped->own_group && write(STDERR_FILENO, text, (size_t)got) < 0)
        return 1; /* no one reads it */
    return got > 0;
}

/* What it has written by now; if it goes on writing, that is enough. */
static void hear_out(gjb_piped *piped)
{
    for (int i = 0; i < LAST_WORDS && hear(piped); i++)
        ;
    end_line(piped);
}

/* --- ends ---------------------------------------------------------------------- */

static int ended(gjb_piped *piped, gjb_program_end *end, gjb_mishap what, int code)
{
    hear_out(piped);
    *end = (gjb_program_end){.what = what, .code = code};
    memcpy(end->said, piped->words, sizeof end->said);
    return -1;
}

/* It has closed its output. It may live on: it is given a second. */
static int bury(gjb_piped *piped, gjb_program_end *end)
{
    struct timespec pause = {0, 20000};
    int status = 0;
    for (long waited = 0; waitpid(piped->pid, &status, WNOHANG) != piped->pid; waited += pause.tv_nsec) {
        if (waited > 1000000000)
            return ended(piped, end, GJB_BROKE_PROTOCOL, GJB_BREACH_CLOSED);
        nanosleep(&pause, NULL);
        pause.tv_nsec += pause.tv_nsec < 1000000 ? pause.tv_nsec : 0;
    }
    if (piped->own_group)
        kill(-piped->pid, SIGKILL);
    while (piped->own_group && (waitpid(-piped->pid, NULL, 0) > 0 || errno == EINTR))
        ;
    hear_out(piped);
    piped->pid = 0;
    close_all((int[]){piped->to, piped->from, piped->errors}, 3);
    piped->errors = -1;
    if (WIFEXITED(status))
        return ended(piped, end, GJB_EXITED, WEXITSTATUS(status));
    return WTERMSIG(status) == SIGABRT ? ended(piped, end, GJB_ABORTED, 0)
                                       : ended(piped, end, GJB_CRASHED, WTERMSIG(status));
}

/* --- bytes --------------------------------------------------------------------- */

/* Bytes that came, 0 for none yet, or -1 at the end. */
static ssize_t receive(gjb_piped *piped)
{
    if (piped->room - piped->size < READ_MOST) {
        const size_t room = 2 * piped->room + READ_MOST;
        char *bytes = realloc(piped->bytes, room);
        if (bytes == NULL)
            return -1;
        piped->bytes = bytes;
        piped->room = room;
    }
    const ssize_t got = read(piped->from, piped->bytes + piped->size, READ_MOST);
    if (got > 0)
        piped->size += (size_t)got;
    return got > 0 ? got : got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

/* What it does not read is not written: it may answer all the same. */
static void send_some(gjb_piped *piped, const char **out, size_t *left)
{
    const ssize_t wrote = write(piped->to, *out, *left);
    if (wrote > 0) {
        *out += wrote;
        *left -= (size_t)wrote;
    } else if (wrote < 0 && errno != EAGAIN && errno != EINTR) {
        *left = 0;
    }
}

/* Everything that `take` can make something of. */
static int take_all(gjb_piped *piped, gjb_piped_take take, void *user)
{
    size_t used, at = 0;
    int taken = GJB_TAKEN_MORE;
    do {
        used = 0;
        taken = take(user, piped->bytes + at, piped->size - at, &used);
        at += used;
    } while (taken == GJB_TAKEN_MORE && used > 0);
    piped->size -= at;
    memmove(piped->bytes, piped->bytes + at, piped->size);
    return taken == GJB_TAKEN_ALL && piped->size > 0 ? GJB_BREACH_UNASKED : taken;
}

static int hangs(gjb_patience *patience, const gjb_piped_limits *limits, uint64_t *looked)
{
    const uint64_t now = gjb_clock_wall();
    if (now - *looked < TICK_MS * 1000000u)
        return 0;
    *looked = now;
    if (limits->alive != NULL)
        atomic_fetch_add_explicit(limits->alive, 1, memory_order_relaxed);
    return gjb_patience_look(patience);
}

int gjb_piped_exchange(gjb_piped *piped, const char *out, size_t size, const gjb_piped_limits *limits,
                       gjb_piped_take take, void *user, gjb_program_end *end)
{
    gjb_patience patience = {.who = gjb_awaited_process(piped->pid),
                             .cpu = limits->cpu,
                             .blocked = limits->blocked,
                             .progress = limits->progress};
    uint64_t looked = 0;
    if (piped->pid == 0)
        return ended(piped, end, GJB_EXITED, 0);
    const ssize_t before = size > 0 ? receive(piped) : 0;
    if (before != 0)
        return before < 0 ? bury(piped, end) : ended(piped, end, GJB_BROKE_PROTOCOL, GJB_BREACH_UNASKED);
    while (!hangs(&patience, limits, &looked)) {
        struct pollfd ready[3] = {{.fd = piped->from, .events = POLLIN},
                                  {.fd = size > 0 ? piped->to : -1, .events = POLLOUT},
                                  {.fd = piped->errors, .events = POLLIN}};
        if (poll(ready, 3, TICK_MS) < 0 && errno != EINTR)
            break;
        if (ready[2].revents != 0)
            hear(piped);
        if (ready[1].revents != 0)
            send_some(piped, &out, &size);
        if (ready[0].revents == 0)
            continue;
        const ssize_t got = receive(piped);
        if (got < 0)
            return bury(piped, end);
        const int taken = take_all(piped, take, user);
        if (taken == GJB_TAKEN_ALL)
            return 0;
        if (taken != GJB_TAKEN_MORE)
            return ended(piped, end, GJB_BROKE_PROTOCOL, taken);
    }
    return ended(piped, end, GJB_HUNG, 0);
}
