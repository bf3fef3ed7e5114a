/* Inside the child: limits, closed descriptors, and the loop that obeys the parent's requests. */
#include "contenders/isolation/child_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "contenders/isolation/crash_notes.h"
#include "contenders/isolation/float_state.h"
#include "contenders/isolation/signal_guard.h"
#include "contenders/plugin.h"
#include "contenders/program/program.h"
#include "core/sanitized.h"

enum { SOCKET_LEAST = 64 }; /* its number: no stream of the parent lies there */
static const rlim_t more_memory = (rlim_t)2 << 30;

/* A library may call exit(): what the parent has registered is not its business. */
static void leave(int status, void *nothing)
{
    (void)nothing;
    _exit(status);
}

static rlim_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return 0;
    const int got = fscanf(file, "%lu", &pages);
    fclose(file);
    return got == 1 ? (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

/* What grows without end fails here and leaves the machine alone.
 * AddressSanitizer reserves more than any limit. */
static void limit_memory(uint32_t threads)
{
    struct rlimit limit;
    const rlim_t used = GJB_SANITIZED ? 0 : address_space();
    if (used == 0 || getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    const rlim_t wanted = used + more_memory + ((rlim_t)threads << 24);
    if (wanted < limit.rlim_cur)
        limit.rlim_cur = wanted;
    setrlimit(RLIMIT_AS, &limit);
}

/* Nothing of the parent's but the socket stays open; Ctrl-C is the parent's to
 * handle, and with it ends the child. Returns the socket. */
static int settle(int parents_end, int socket, pid_t parent, uint32_t threads)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* with whatever a contender forks */
    if (getppid() != parent)
        _exit(0);
    gjb_signal_guard_begin(parent);
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    static const int plain[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        signal(plain[i], SIG_DFL);
    sigset_t nothing; /* a thread that blocks signals may have forked us */
    sigemptyset(&nothing);
    sigprocmask(SIG_SETMASK, &nothing, NULL);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0);
    on_exit(leave, NULL);

    close(parents_end);
    const int own = fcntl(socket, F_DUPFD_CLOEXEC, SOCKET_LEAST);
    if (own < 0)
        _exit(0);
    if (getenv("GJKBENCH_CHILD_OUTPUT") == NULL) {
        const int nowhere = open("/dev/null", O_RDWR);
        for (int fd = 0; nowhere >= 0 && fd < 3; fd++)
            dup2(nowhere, fd);
    }
    close_range(3, (unsigned)own - 1, 0);
    close_range((unsigned)own + 1, ~0u, 0);
    limit_memory(threads);
    return own;
}

static void watch_end(const gjb_child *child)
{
    static gjb_crash_notes notes;
    const gjb_fenced *fenced[] = {&child->results, &child->timed};
    notes.said = &child->channel->said;
    for (int i = 0; i < 2; i++) {
        const char *base = fenced[i]->mapping.base;
        notes.fences[2 * i] = (gjb_range){base, (size_t)(fenced[i]->begin - base)};
        notes.fences[2 * i + 1] =
            (gjb_range){fenced[i]->end, (size_t)(base + fenced[i]->mapping.bytes - fenced[i]->end)};
    }
    notes.inputs = (gjb_range){child->shared->mapping.base, child->shared->mapping.bytes};
    gjb_crash_notes_watch(&notes);
}

/* What is shared with us is not there for what a contender forks: a copy that goes on answering would write among the
 * answers that are asked for next. It ends as it tries to. */
static void keep_from_copies(const gjb_child *child)
{
    const gjb_fenced *shared[] = {&child->talk, &child->results, &child->timed};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (shared[i]->mapping.base != NULL)
            madvise(shared[i]->mapping.base, shared[i]->mapping.bytes, MADV_DONTFORK);
}

static gjb_channel *own_channel;

/* The end of a program is this process's own: what it left has no use. */
static void program_ended(const gjb_program_end *end)
{
    own_channel->program_end = (gjb_end){.what = end->what, .code = end->code};
    memcpy(own_channel->program_end.said, end->said, sizeof end->said);
    own_channel->program_ended = 1;
    _exit(0);
}

/* What stands behind the row of a plug-in or of a program. */
static const gjb_contender *resolve(const gjb_contender *row, gjb_channel *channel)
{
    const gjb_program_watch watch = {program_ended, &channel->progress, channel->hang_limit};
    own_channel = channel;
    const gjb_contender *contender = gjb_plugin_resolve(row, &channel->error);
    return contender != NULL ? gjb_program_resolve(contender, &watch) : NULL;
}

static void obey(const gjb_child *child, gjb_in_process *local, uint64_t changed)
{
    gjb_channel *c = child->channel;
    switch (c->what) {
    case GJB_ASK_RUN:
        gjb_in_process_run(local, &c->span, c->poison, child->results.begin + c->at,
                           c->want_stats ? &c->stats : NULL);
        break;
    case GJB_ASK_TIME:
        gjb_in_process_time(local, &c->stretch, c->warm, child->timed.begin + c->at, &c->timing, &c->progress);
        break;
    case GJB_ASK_PREPARE:
        c->seconds = gjb_in_process_time_prepare(local);
        break;
    case GJB_ASK_AXES:
        c->started = gjb_in_process_start(local, c->warm_query, c->start, &c->error);
        break;
    }
    c->float_changes = changed + gjb_in_process_float_changes(local);
}

_Noreturn void gjb_child_serve(const gjb_child *child, int theirs, int own, pid_t parent)
{
    const int socket = settle(theirs, own, parent, child->threads);
    gjb_channel *c = child->channel;
    watch_end(child);
    keep_from_copies(child);
    const gjb_float_state saved = gjb_float_enter();
    const gjb_contender *contender = resolve(child->contender, c);
    const uint64_t changed = (uint64_t)gjb_float_leave(saved); /* as loading a library of fast-math does */
    gjb_crash_notes_watch_exceptions();
    gjb_in_process *local =
        contender == NULL
            ? NULL
            : gjb_in_process_open(contender, child->backend, &child->shared->scene, child->threads, &c->error);
    c->seconds = local != NULL ? gjb_in_process_prepare_seconds(local) : -1;
    c->unprepared = contender != NULL && local == NULL;
    c->float_changes = changed + (local != NULL ? gjb_in_process_float_changes(local) : 0);
    char byte = 0;
    const pid_t self = getpid();
    errno = 0;
    while (send(socket, &byte, 1, MSG_NOSIGNAL) == 1 && recv(socket, &byte, 1, 0) == 1 && local != NULL) {
        obey(child, local, changed);
        if (getpid() != self) /* a contender forked, and its copy came back too: one answer is enough */
            _exit(0);
        errno = 0;
    }
    if (errno == EBADF || errno == ENOTSOCK)
        c->said = GJB_CLOSED_FILES;
    _exit(0);
}
