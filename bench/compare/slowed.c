/* Slows a contender by a known share: a part of the pairs of each call is answered twice. */
#include "bench/compare/slowed.h"

static const gjb_contender *of;
static gjb_contender slowed;
static double share_again;

/* A part of a pair is owed to the next call. Each thread owes its own. */
static void run(const void *prepared, const gjb_batch *batch)
{
    static _Thread_local double owed;
    of->run(prepared, batch);
    owed += share_again * (double)batch->pair_count;
    gjb_batch again = *batch;
    again.pair_count = (size_t)owed;
    again.stats = NULL;
    owed -= (double)again.pair_count;
    if (again.pair_count)
        of->run(prepared, &again);
}

const gjb_contender *gjb_slowed(const gjb_contender *contender, double share)
{
    of = contender;
    share_again = share;
    slowed = *contender;
    slowed.run = run;
    return &slowed;
}
