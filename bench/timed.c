#include "bench/timed.h"

#include <sched.h>

/* 0, or -1 where the system does not let us. */
static int pin_to_last(cpu_set_t *before)
{
    cpu_set_t one;
    int last = CPU_SETSIZE - 1;
    if (sched_getaffinity(0, sizeof *before, before) || CPU_COUNT(before) < 1)
        return -1;
    while (!CPU_ISSET(last, before))
        last--;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    return sched_setaffinity(0, sizeof one, &one);
}

/* The child is forked by this thread, and has its processors. */
gjb_session *gjb_timed_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                            uint32_t threads, gjb_error *error)
{
    cpu_set_t before;
    const int pinned = threads <= 1 && pin_to_last(&before) == 0;
    gjb_session *session = gjb_session_open_isolated(contender, backend, scene, threads, error);
    if (pinned)
        sched_setaffinity(0, sizeof before, &before);
    return session;
}
