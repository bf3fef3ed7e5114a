/* A contender that is slower by a known part: what calibrations inject. */
#ifndef GJB_BENCH_INJECTED_SLOWDOWN_H
#define GJB_BENCH_INJECTED_SLOWDOWN_H

#include <gjkbench/contender.h>

/* The same answers from the same code, but some pairs of each call are answered twice, so that over many
 * calls `share` of the pairs are, 0 <= share <= 1. The contender runs in this process. A table has no room to say
 * whose it is: of one contender and one share in a process, the last asked for. */
const gjb_contender *gjb_slowed(const gjb_contender *contender, double share);

#endif
