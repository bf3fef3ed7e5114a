/* Is the machine fit to measure on? What speaks against it, and what to do. */
#ifndef GJB_BENCH_TIMING_CONDITIONS_H
#define GJB_BENCH_TIMING_CONDITIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Ticks of all CPUs, from /proc/stat; zero if it does not say. */
typedef struct gjb_conditions {
    uint64_t all, stolen; /* by the host, for other guests */
    double load;                   /* of the last minute, when it began */
} gjb_conditions;

void gjb_conditions_begin(gjb_conditions *before);

/* A line for each thing that is amiss, with what to do, after `launches` launches. Returns how many. */
int gjb_conditions_warn(const gjb_conditions *before, size_t launches, FILE *stream);

#endif
