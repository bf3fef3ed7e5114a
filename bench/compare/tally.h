/* What builds execute at the points of a plan, counted exactly: a worker of each (bench/compare/worker.h) under
 * callgrind, or by the processor's counter. The same program counts the same each time, whatever else the machine
 * does. */
#ifndef GJB_BENCH_TALLY_H
#define GJB_BENCH_TALLY_H

#include <jansson.h>
#include <signal.h>
#include <stdint.h>

#include "core/error.h"

enum { GJB_TALLY_SIDES = 2 };

typedef struct gjb_tally_side {
    const char *name;           /* for errors: the program, as it was given */
    const char *const *command; /* an argv, ended by NULL, that serves */
} gjb_tally_side;

typedef struct gjb_tally_settings {
    int by_processor;    /* not by callgrind: for backends that it does not run */
    const char *only;    /* points whose names it is part of; NULL: all */
    const volatile sig_atomic_t *stop;
    void (*progress)(void *user, uint64_t done, uint64_t total); /* of points; may be NULL */
    void *user;
} gjb_tally_settings;

/* Of one side. */
typedef struct gjb_tally {
    json_t *context;  /* what the side says of itself; "counted_by" says what counted */
    json_t *rows;     /* an array, one row a point that all sides have: see gjb_tally_json */
    json_t *missing;  /* names of points that only the other side has */
} gjb_tally;

/* Counts `count` sides at once, 1 or 2. 0, or -1 with one line in `error`: a side that does not start, or cannot count;
 * no Valgrind. What was counted by then stays, and so it does if `stop` is raised, which is no failure. A point that
 * one side cannot count has "trouble" in its row. Free all in both cases. */
int gjb_tally_run(gjb_tally *tallies, const gjb_tally_side *sides, size_t count, const gjb_tally_settings *settings,
                  gjb_error *error);
void gjb_tally_free(gjb_tally *tally);

/* {"context", "benchmarks"}: rows of "name", "contender", "backend", "workload_hash", "label" (fingerprint of the
 * answers), "pairs", "instructions_per_pair", and under callgrind "branches_per_pair", "mispredicted_per_pair",
 * "misses_per_pair", "last_misses_per_pair", "cycles_per_pair" (gjb_profile_cycles) and "functions", of instructions a
 * pair each; and of the exact counts of answers what the worker says. NULL out of memory. */
json_t *gjb_tally_json(const gjb_tally *tally);

#endif
