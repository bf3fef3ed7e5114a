/* Client requests to callgrind, made around a contender's calls. */
#include "bench/count/callgrind.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_TOGGLE_COLLECT
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS
#endif

static const gjb_contender *of;
static gjb_contender counted;
static int counts;

int gjb_callgrind_here(void)
{
    return RUNNING_ON_VALGRIND != 0;
}

static void run(const void *prepared, const gjb_batch *batch)
{
    if (counts)
        CALLGRIND_TOGGLE_COLLECT;
    of->run(prepared, batch);
    if (counts)
        CALLGRIND_TOGGLE_COLLECT;
}

const gjb_contender *gjb_counted(const gjb_contender *contender)
{
    of = contender;
    counted = *contender;
    counted.run = run;
    counted.ours = 1; /* which is what keeps it in this process */
    return &counted;
}

void gjb_callgrind_warm(void)
{
    CALLGRIND_START_INSTRUMENTATION;
}

void gjb_callgrind_start(void)
{
    CALLGRIND_ZERO_STATS;
    counts = 1;
}

unsigned gjb_callgrind_end(void)
{
    static unsigned files;
    counts = 0;
    CALLGRIND_DUMP_STATS;
    CALLGRIND_STOP_INSTRUMENTATION;
    return ++files;
}
