/* Counts instructions in user space with perf_event_open, on systems that have it. */
#include "bench/machine/instructions.h"

#include <unistd.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/syscall.h>

int gjb_instructions_open(void)
{
    struct perf_event_attr what = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof what,
                                   .config = PERF_COUNT_HW_INSTRUCTIONS,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}
#else
int gjb_instructions_open(void)
{
    return -1;
}
#endif

uint64_t gjb_instructions_read(int counter)
{
    uint64_t count;
    return counter >= 0 && read(counter, &count, sizeof count) == (ssize_t)sizeof count ? count : 0;
}

void gjb_instructions_close(int counter)
{
    if (counter >= 0)
        close(counter);
}
