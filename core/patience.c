/* Judges whether a process or thread hangs, by its CPU time and by states read from /proc. */
#include "core/patience.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

gjb_awaited gjb_awaited_process(pid_t pid)
{
    gjb_awaited who = {.pid = pid};
    who.has_clock = clock_getcpuclockid(pid, &who.clock) == 0;
    return who;
}

gjb_awaited gjb_awaited_this_thread(void)
{
    gjb_awaited who = {.pid = getpid(), .tid = gettid()};
    who.has_clock = pthread_getcpuclockid(pthread_self(), &who.clock) == 0;
    return who;
}

static double seconds_of(clockid_t id)
{
    struct timespec t;
    return clock_gettime(id, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

/* The state letter of proc_pid_stat(5); 0 if it cannot be read. */
static char state_of_thread(pid_t pid, pid_t tid)
{
    char text[128]; /* a name of 64 bytes at most comes before it, in parentheses */
    snprintf(text, sizeof text, "/proc/%d/task/%d/stat", (int)pid, (int)tid);
    const int file = open(text, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end != NULL && name_end[1] == ' ' ? name_end[2] : 0;
}

/* The most active state of all threads: R before D before any other. */
static char state_of_process(pid_t pid)
{
    char path[32], state = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder != NULL && state != 'R' && (entry = readdir(folder)) != NULL) {
        const char one = entry->d_name[0] == '.' ? 0 : state_of_thread(pid, (pid_t)atoi(entry->d_name));
        if (one != 0 && (state != 'D' || one == 'R'))
            state = one;
    }
    if (folder != NULL)
        closedir(folder);
    return state;
}

static gjb_activity activity_of(const gjb_awaited *who, int used_cpu)
{
    if (who->pid == 0)
        return GJB_IS_BLOCKED;
    const char state = who->tid != 0 ? state_of_thread(who->pid, who->tid) : state_of_process(who->pid);
    if (state == 0)
        return GJB_IS_UNKNOWN;
    return state == 'R' || (state == 'D' && used_cpu) ? GJB_IS_RUNNING : GJB_IS_BLOCKED;
}

int gjb_patience_judge(gjb_patience *p, const gjb_look *look)
{
    const double passed = look->now - p->last;
    const int used_cpu = look->cpu > p->last_cpu;
    if (!p->looked || look->progress != p->last_progress) {
        p->cpu_before = look->cpu;
        p->was_blocked = 0;
    } else if (look->activity == GJB_IS_BLOCKED || (look->activity == GJB_IS_UNKNOWN && !used_cpu)) {
        p->was_blocked += passed < GJB_PATIENCE_GAP ? passed : GJB_PATIENCE_GAP;
    } else if (look->activity == GJB_IS_UNKNOWN) {
        p->was_blocked = 0;
    }
    p->looked = 1;
    p->last_progress = look->progress;
    p->last = look->now;
    p->last_cpu = look->cpu;
    return look->cpu - p->cpu_before > p->cpu || p->was_blocked > p->blocked;
}

int gjb_patience_look(gjb_patience *p)
{
    gjb_look look = {.now = seconds_of(CLOCK_MONOTONIC),
                     .cpu = p->who.has_clock ? seconds_of(p->who.clock) : 0};
    if (p->progress != NULL)
        look.progress = atomic_load(p->progress);
    /* If it used half of the time, its state need not be read. */
    const double used = look.cpu - p->last_cpu;
    if (p->looked && used < 0.5 * (look.now - p->last))
        look.activity = activity_of(&p->who, used > 0);
    return gjb_patience_judge(p, &look);
}

gjb_await gjb_patience_await(gjb_patience *p, int descriptor, int milliseconds)
{
    struct pollfd ready = {.fd = descriptor, .events = POLLIN};
    for (;;) {
        const int got = poll(&ready, 1, milliseconds);
        if (got > 0)
            return GJB_AWAIT_READY;
        if (got < 0 && errno != EINTR)
            return GJB_AWAIT_HUNG;
        if (p->stop != NULL && *p->stop != 0)
            return GJB_AWAIT_STOPPED;
        if (gjb_patience_look(p))
            return GJB_AWAIT_HUNG;
    }
}
