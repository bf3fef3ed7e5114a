/* Whether what was asked for something hangs: judged by the work it does, not by the wall clock, which also runs while a
 * machine sleeps, while a program is stopped (Ctrl-Z), and while others have the processor.
 *
 * Two limits, both since it was asked or last got on:
 * - CPU time that it used: it runs without end.
 * - Time that we were awake for and it was blocked: it sleeps, waits for what never comes, or was stopped by itself. It is
 *   blocked if none of its threads is running or waits for a processor, so that what a busy machine starves does not
 *   hang; a thread that waits for a disk is not blocked as long as CPU time shows that it gets on. We look every few
 *   hundredths of a second, and a longer time between two looks counts as GJB_PATIENCE_GAP: we were stopped or starved
 *   ourselves, and what happened meanwhile says nothing. */
#ifndef GJB_CORE_PATIENCE_H
#define GJB_CORE_PATIENCE_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define GJB_PATIENCE_GAP 0.5 /* seconds; several times what lies between two looks */

/* What we wait for. With {0} it is unknown: all time that we are awake for counts as blocked. */
typedef struct gjb_awaited {
    pid_t pid, tid;  /* tid 0: all threads of the process */
    clockid_t clock; /* its CPU time */
    int has_clock;
} gjb_awaited;
gjb_awaited gjb_awaited_process(pid_t pid);
gjb_awaited gjb_awaited_this_thread(void);

/* The first members are the caller's to set, all others 0 at the beginning. */
typedef struct gjb_patience {
    gjb_awaited who;
    double cpu, blocked;               /* limits in seconds */
    const _Atomic uint64_t *progress;  /* time starts again if it changes; may be NULL */
    const volatile sig_atomic_t *stop; /* gjb_patience_await ends if it is raised; may be NULL */
    int looked;
    uint64_t last_progress;
    double last, last_cpu, cpu_before, was_blocked;
} gjb_patience;

/* One look, to be taken every few hundredths of a second. 1: it hangs. The first look only begins the count. */
int gjb_patience_look(gjb_patience *patience);

typedef enum gjb_await { GJB_AWAIT_READY = 0, GJB_AWAIT_HUNG, GJB_AWAIT_STOPPED } gjb_await;
/* Waits until the descriptor can be read or was closed at its other end, with a look every so many milliseconds. */
gjb_await gjb_patience_await(gjb_patience *patience, int descriptor, int milliseconds);

/* --- what a look sees, for tests ----------------------------------------------- */

typedef enum gjb_activity {
    GJB_IS_RUNNING = 0,
    GJB_IS_BLOCKED,
    GJB_IS_UNKNOWN /* blocked if it used no CPU time */
} gjb_activity;

typedef struct gjb_look {
    double now, cpu; /* seconds: monotonic, and of its CPU time */
    gjb_activity activity;
    uint64_t progress;
} gjb_look;
int gjb_patience_judge(gjb_patience *patience, const gjb_look *look);

#endif
