/* Wall-clock, thread and process CPU time, read from the clocks of POSIX in nanoseconds. */
#include "core/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t gjb_clock_wall(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t gjb_clock_thread(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
