/* Opens a session for timing in a child process that is pinned to the processor of all timed work. */
#include "bench/timed.h"

#include <sched.h>

/* This thread to the processor of all that is timed, which is where it was when that was first asked: the system puts
 * two programs that time onto two. 0, or -1 if the system does not let us. */
static int pin(cpu_set_t *before)
{
    static int ours = -1;
    cpu_set_t one;
    ours = ours < 0 ? sched_getcpu() : ours;
    if (ours < 0 || sched_getaffinity(0, sizeof *before, before) || !CPU_ISSET(ours, before))
        return -1;
    CPU_ZERO(&one);
    CPU_SET(ours, &one);
    return sched_setaffinity(0, sizeof one, &one);
}

/* The child is forked by this thread, and has its processors. */
gjb_session *gjb_timed_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                            uint32_t threads, gjb_error *error)
{
    cpu_set_t before;
    const int pinned = threads <= 1 && pin(&before) == 0;
    gjb_session *session = gjb_session_open_isolated(contender, backend, scene, threads, error);
    if (pinned)
        sched_setaffinity(0, sizeof before, &before);
    return session;
}
