#include "contenders/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contenders/plugin.h"

enum {
    SLACK = 1024,     /* bytes before the first record that are looked at after each run */
    POLL_MS = 20,
    SOCKET_LEAST = 64 /* its number in the child: no stream of the parent lies there */
};
static const double seconds_a_pair = 0.004, seconds_a_shape = 0.01, open_factor = 10;
/* Wall time that a child may stay without any CPU time: the machine may be busy with others. */
static const double idle_factor = 8, idle_least = 2;
static const rlim_t more_memory = (rlim_t)2 << 30;

static double hang_limit = 1;
static const volatile sig_atomic_t *stop_flag;

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

typedef enum request { RUN = 1, TIME, PREPARE } request;

/* The child may have scribbled on it: nothing in here is used as an index. */
typedef struct channel {
    request what;
    gjb_span span;
    int poison, want_stats, warm;
    size_t at; /* of the first record, from the beginning of the results */
    gjb_stretch stretch;
    gjb_timing timing;
    gjb_run_stats stats;
    double seconds; /* of preparing; negative: failed */
    uint64_t float_changes;
    gjb_error error;
    _Atomic uint64_t progress;
} channel;

struct gjb_child {
    const gjb_contender *contender;
    const char *backend;
    const gjb_scene *scene;
    uint32_t threads;
    gjb_fenced talk, results;
    channel *channel;
    pid_t pid;  /* 0: none */
    int socket; /* ours; -1: none */
    int started_once;
    double prepare_seconds;
    uint64_t float_changes, float_changes_before; /* of this process, of those before */
};

void gjb_session_hang_limit(double seconds)
{
    hang_limit = seconds;
}

void gjb_session_stop_on(const volatile sig_atomic_t *stop)
{
    stop_flag = stop;
}

int gjb_child_stopped(void)
{
    return stop_flag != NULL && *stop_flag != 0;
}

/* --- in the child ------------------------------------------------------------ */

/* A library may call exit(): what the parent has registered is not its business. */
static void leave(void)
{
    _exit(0);
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
    const rlim_t used = SANITIZED ? 0 : address_space();
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
    if (getppid() != parent)
        _exit(0);
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    static const int plain[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        signal(plain[i], SIG_DFL);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0);
    atexit(leave);

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

static void obey(gjb_local *local, channel *c, char *results)
{
    switch (c->what) {
    case RUN:
        gjb_local_run(local, &c->span, c->poison, results + c->at, c->want_stats ? &c->stats : NULL);
        break;
    case TIME:
        gjb_local_time(local, &c->stretch, c->warm, results + c->at, &c->timing, &c->progress);
        break;
    case PREPARE:
        c->seconds = gjb_local_time_prepare(local);
        break;
    }
    c->float_changes = gjb_local_float_changes(local);
}

_Noreturn static void serve(const gjb_child *child, int socket)
{
    channel *c = child->channel;
    const gjb_contender *contender = gjb_plugin_resolve(child->contender, &c->error);
    gjb_local *local =
        contender == NULL ? NULL
                          : gjb_local_open(contender, child->backend, child->scene, child->threads, &c->error);
    c->seconds = local != NULL ? gjb_local_prepare_seconds(local) : -1;
    c->float_changes = local != NULL ? gjb_local_float_changes(local) : 0;
    char byte = 0;
    while (send(socket, &byte, 1, MSG_NOSIGNAL) == 1 && recv(socket, &byte, 1, 0) == 1 && local != NULL)
        obey(local, c, child->results.begin);
    _exit(0);
}

/* --- in the parent ----------------------------------------------------------- */

static double seconds_of(clockid_t id)
{
    struct timespec t;
    return clock_gettime(id, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

/* One that has closed its socket may live on: it is given a second. */
static int wait_for_end(pid_t pid, int killed)
{
    const struct timespec pause = {0, 1000000};
    int status = 0;
    for (int ms = 0; !killed && ms < 1000; ms++) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return status;
        nanosleep(&pause, NULL);
    }
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static gjb_reply bury(gjb_child *child, int hung, gjb_end *end)
{
    const int status = wait_for_end(child->pid, hung);
    close(child->socket);
    child->socket = -1;
    child->pid = 0;
    child->float_changes_before += child->float_changes;
    child->float_changes = 0;
    *end = hung                  ? (gjb_end){GJB_HUNG, 0}
           : WIFSIGNALED(status) ? (gjb_end){GJB_CRASHED, WTERMSIG(status)}
                                 : (gjb_end){GJB_EXITED, WEXITSTATUS(status)};
    return GJB_REPLY_ENDED;
}

/* Waits for the child's byte. `allowed` is CPU seconds without progress. */
static gjb_reply await(gjb_child *child, double allowed, gjb_end *end)
{
    clockid_t clock;
    const int has_clock = clock_getcpuclockid(child->pid, &clock) == 0;
    struct pollfd ready = {.fd = child->socket, .events = POLLIN};
    uint64_t seen = 0;
    double cpu = -1, last_cpu = -1, idle = 0;
    for (;;) {
        const int got = poll(&ready, 1, POLL_MS);
        char byte;
        if (got > 0)
            return recv(child->socket, &byte, 1, 0) == 1 ? GJB_REPLY_OK : bury(child, 0, end);
        if (got < 0 && errno != EINTR)
            return bury(child, 1, end);
        if (gjb_child_stopped()) {
            gjb_child_stop(child);
            return GJB_REPLY_STOPPED;
        }
        const uint64_t progress = atomic_load_explicit(&child->channel->progress, memory_order_relaxed);
        const double cpu_now = has_clock ? seconds_of(clock) : 0, wall_now = seconds_of(CLOCK_MONOTONIC);
        if (cpu < 0 || progress != seen) {
            seen = progress;
            cpu = cpu_now;
        }
        if (cpu_now != last_cpu) {
            last_cpu = cpu_now;
            idle = wall_now;
        }
        if (cpu_now - cpu > allowed * child->threads || wall_now - idle > idle_factor * allowed + idle_least)
            return bury(child, 1, end);
    }
}

static gjb_reply ask(gjb_child *child, request what, double allowed, gjb_end *end)
{
    const char byte = 1;
    child->channel->what = what;
    if (send(child->socket, &byte, 1, MSG_NOSIGNAL) != 1)
        return bury(child, 0, end);
    const gjb_reply reply = await(child, allowed, end);
    if (reply == GJB_REPLY_OK)
        child->float_changes = child->channel->float_changes;
    return reply;
}

gjb_child *gjb_child_new(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                         uint32_t threads, size_t capacity)
{
    gjb_child *child = calloc(1, sizeof *child);
    if (child == NULL)
        return NULL;
    child->contender = contender;
    child->backend = backend;
    child->scene = scene;
    child->threads = threads;
    child->socket = -1;
    if (gjb_fenced_map(&child->talk, sizeof *child->channel) != 0 ||
        gjb_fenced_map(&child->results, capacity + SLACK) != 0) {
        gjb_child_free(child);
        return NULL;
    }
    child->channel = (channel *)child->talk.begin;
    return child;
}

void gjb_child_stop(gjb_child *child)
{
    gjb_end end;
    if (child->pid != 0)
        bury(child, 1, &end);
}

void gjb_child_free(gjb_child *child)
{
    if (child == NULL)
        return;
    gjb_child_stop(child);
    gjb_fenced_unmap(&child->results);
    gjb_fenced_unmap(&child->talk);
    free(child);
}

static int fork_child(gjb_child *child, gjb_error *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return gjb_fail(error, "%s: no socket for a child process: %s", child->contender->name, strerror(errno));
    memset(child->channel, 0, sizeof *child->channel);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        serve(child, settle(ends[0], ends[1], parent, child->threads));
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return gjb_fail(error, "%s: no child process: %s", child->contender->name, strerror(errno));
    }
    child->pid = pid;
    child->socket = ends[0];
    return 0;
}

gjb_reply gjb_child_start(gjb_child *child, gjb_end *end, gjb_error *error)
{
    if (child->pid != 0)
        return GJB_REPLY_OK;
    if (fork_child(child, error) != 0)
        return GJB_REPLY_REFUSED;
    const double allowed = hang_limit * (open_factor + seconds_a_shape * child->scene->shapes.count);
    const gjb_reply reply = await(child, allowed, end);
    if (reply != GJB_REPLY_OK)
        return reply;
    child->float_changes = child->channel->float_changes;
    if (!child->started_once)
        child->prepare_seconds = child->channel->seconds;
    child->started_once = 1;
    if (!(child->channel->seconds < 0))
        return GJB_REPLY_OK;
    child->channel->error.text[sizeof child->channel->error.text - 1] = '\0';
    gjb_fail(error, "%s", child->channel->error.text);
    gjb_child_stop(child);
    return GJB_REPLY_REFUSED;
}

/* Records end where the guard page begins; what lies before them is looked at. */
gjb_reply gjb_child_run(gjb_child *child, const gjb_span *span, int poison, int want_stats, const void **results,
                        gjb_run_stats *stats, gjb_end *end)
{
    channel *c = child->channel;
    const gjb_shapes *shapes = &child->scene->shapes;
    const size_t bytes =
        span->count * gjb_result_size(span->query, (gjb_precision)shapes->precision, shapes->dim);
    char *first = child->results.end - bytes;
    memset(first - SLACK, GJB_POISON, SLACK);
    c->span = *span;
    c->poison = poison;
    c->want_stats = want_stats;
    c->at = (size_t)(first - child->results.begin);
    const uint64_t pairs = span->call != 0 && span->call < span->count ? span->call : span->count;
    const gjb_reply reply = ask(child, RUN, hang_limit * (1 + seconds_a_pair * (double)pairs), end);
    if (reply != GJB_REPLY_OK)
        return reply;
    for (const char *byte = first - SLACK; byte < first; byte++)
        if ((unsigned char)*byte != GJB_POISON) {
            gjb_child_stop(child);
            *end = (gjb_end){GJB_WROTE_OUTSIDE, 0};
            return GJB_REPLY_ENDED;
        }
    *results = first;
    if (want_stats)
        *stats = c->stats;
    return GJB_REPLY_OK;
}

gjb_reply gjb_child_time(gjb_child *child, gjb_stretch *stretch, int warm, gjb_timing *timing, gjb_end *end)
{
    channel *c = child->channel;
    const gjb_shapes *shapes = &child->scene->shapes;
    const size_t size = gjb_result_size(stretch->query, (gjb_precision)shapes->precision, shapes->dim);
    const uint64_t most = child->threads > 1 ? GJB_THREADED_PAIRS : stretch->call;
    const size_t room = (size_t)(child->results.end - child->results.begin);
    c->stretch = *stretch;
    c->warm = warm;
    c->at = most < room / size ? room - most * size : room % size; /* never more pairs than a frame has */
    const gjb_reply reply = ask(child, TIME, hang_limit * (1 + seconds_a_pair * (double)most), end);
    if (reply != GJB_REPLY_OK)
        return reply;
    *timing = c->timing;
    stretch->frame = c->stretch.frame < child->scene->frame_count ? c->stretch.frame : 0;
    stretch->at = c->stretch.at;
    return GJB_REPLY_OK;
}

gjb_reply gjb_child_time_prepare(gjb_child *child, double *seconds, gjb_end *end)
{
    const double allowed = hang_limit * (open_factor + seconds_a_shape * child->scene->shapes.count);
    const gjb_reply reply = ask(child, PREPARE, allowed, end);
    *seconds = reply == GJB_REPLY_OK ? child->channel->seconds : -1;
    return reply;
}

double gjb_child_prepare_seconds(const gjb_child *child)
{
    return child->prepare_seconds;
}

uint64_t gjb_child_float_changes(const gjb_child *child)
{
    return child->float_changes_before + child->float_changes;
}
