/* Accounts for the CPU time, the caps and the stop flag that limit the search for one pair's truth. */
#include "reference/effort.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { LOOK_EVERY = 64 }; /* polls: the clock of a thread is a call of the system */

static double limit = REF_EFFORT_SECONDS;
static const volatile sig_atomic_t *stop_flag;
static _Thread_local ref_effort *current;
static _Thread_local double begun;
static _Thread_local bool running; /* from the first poll on: most pairs are decided without any */
static _Thread_local uint32_t polls;

void ref_effort_limit(double seconds)
{
    limit = seconds;
}

void ref_effort_stop_on(const volatile sig_atomic_t *stop)
{
    stop_flag = stop;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void account(void)
{
    const double at = now();
    current->spent += running ? at - begun : 0;
    begun = at;
    running = true;
    if (current->spent >= limit)
        current->cut = REF_TOO_SLOW;
}

ref_effort *ref_effort_begin(ref_effort *effort)
{
    ref_effort *before = current;
    if (effort != current) {
        current = effort;
        running = false;
        polls = 0;
    }
    return before;
}

void ref_effort_end(ref_effort *before)
{
    if (before != current) {
        current->spent += running ? now() - begun : 0;
        current = before;
        running = false;
    }
}

void ref_effort_note_cap(void)
{
    if (current)
        current->capped = true;
}

bool ref_effort_slowly(void)
{
    return current && current->slowly;
}

bool ref_effort_over(void)
{
    if (!current)
        return false;
    if (!current->cut && stop_flag && *stop_flag)
        current->cut = REF_STOPPED;
    else if (!current->cut && polls++ % LOOK_EVERY == 0)
        account();
    return current->cut != REF_UNCUT;
}
