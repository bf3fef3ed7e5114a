/* Detects whether a process or thread hangs, by the work it does. The wall clock would not do: it also runs
 * while the machine sleeps, the program is stopped (Ctrl-Z), or other programs have the processor.
 *
 * Two limits, both counted from the request or from the last progress:
 * - CPU time used: the process runs without end.
 * - Time in which we were awake and it was blocked: it sleeps, waits for an event that never comes, or
 *   stopped itself. It is blocked if none of its threads is running or waiting for a processor, so that a
 *   process which a busy machine starves does not count as hung. A thread that waits for a disk is not
 *   blocked as long as its CPU time grows. We look every few hundredths of a second. A longer time between
 *   two looks counts as GJB_PATIENCE_GAP: we were stopped or starved ourselves, and cannot judge it. */
#ifndef GJB_CORE_PATIENCE_H
#define GJB_CORE_PATIENCE_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define GJB_PATIENCE_GAP 0.5 /* seconds; several times what lies between two looks */

/* What we wait for. {0}: unknown, and all time in which we are awake counts as blocked. */
typedef struct gjb_awaited {
    pid_t pid, tid;  /* tid 0: all threads of the process */
    clockid_t clock; /* its CPU time */
    int has_clock;
} gjb_awaited;
gjb_awaited gjb_awaited_process(pid_t pid);
gjb_awaited gjb_awaited_this_thread(void);

/* The caller sets the members up to `stop`; all others start at 0. */
typedef struct gjb_patience {
    gjb_awaited who;
    double cpu, blocked;               /* limits in seconds */
    const _Atomic uint64_t *progress;  /* a change restarts both limits; may be NULL */
    const volatile sig_atomic_t *stop; /* gjb_patience_await ends if it is raised; may be NULL */
    int looked;
    uint64_t last_progress;
    double last, last_cpu, cpu_before, was_blocked;
} gjb_patience;

/* One look, to be taken every few hundredths of a second. 1: it hangs. The first look only starts the
 * count. */
int gjb_patience_look(gjb_patience *patience);

typedef enum gjb_await { GJB_AWAIT_READY = 0, GJB_AWAIT_HUNG, GJB_AWAIT_STOPPED } gjb_await;
/* Waits until the descriptor can be read or its other end is closed, with a look every `milliseconds`. */
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
