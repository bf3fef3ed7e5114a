/* Two builds measured against each other in one run: two workers (bench/compare/worker.h) take blocks by turns. */
#ifndef GJB_BENCH_PAIRED_RUNS_H
#define GJB_BENCH_PAIRED_RUNS_H

#include <jansson.h>
#include <signal.h>
#include <stdint.h>

#include "core/error.h"

enum { GJB_PAIRED_OLD = 0, GJB_PAIRED_NEW, GJB_PAIRED_SIDES };

typedef struct gjb_paired_settings {
    double budget;     /* seconds for everything; GJB_RATIOS_LEAST launches take as long as they take */
    uint64_t launches; /* at most so many; 0: as the budget allows */
    double block;      /* seconds of a block; 0: GJB_PAIRED_BLOCK */
    uint32_t places;   /* in memory that a point is measured at, a launch; 0: as the budget allows */
    uint32_t
        turns; /* blocks of each side at each of them; 0: as many as moving there is worth, GJB_PAIRED_TURNS at most */
    uint64_t seed;    /* of the orders */
    const char *only; /* points whose names it is part of; NULL: all */
    const volatile sig_atomic_t *stop;
    void (*progress)(void *user, uint64_t done, uint64_t total); /* of thousands; may be NULL */
    void *user;
} gjb_paired_settings;

/* Short: what disturbs a machine comes and goes at all scales, so that longer blocks are no quieter, only fewer. */
#define GJB_PAIRED_BLOCK 0.0001
enum { GJB_PAIRED_TURNS = 12, GJB_PAIRED_LAUNCHES_MOST = 1000 };

typedef struct gjb_paired_row {
    char *name;
    json_t *answers[GJB_PAIRED_SIDES]; /* exact counts; NULL: not got to */
    json_t *
        places; /* of each launch, of each place, [ns a pair of old, of new, log(new / old)]: medians of blocks,
                       and the mean of the middle half of ratios */
    double *logs; /* of each launch: the mean of the middle half of its places' */
    size_t launches;
    double ns[GJB_PAIRED_SIDES];           /* a pair: medians of all places */
    double instructions[GJB_PAIRED_SIDES]; /* a pair, median; 0: not counted */
    char trouble[160];                   /* why it is not compared, or "": "another workload", ... */
} gjb_paired_row;

typedef struct gjb_paired {
    gjb_paired_row *rows; /* points that both have, in the order of the new one's */
    size_t count;
    json_t *context[GJB_PAIRED_SIDES]; /* what each says of itself */
    json_t *missing[GJB_PAIRED_SIDES]; /* names that only the other has */
    size_t launches;
    int interrupted;
} gjb_paired;

/* One side: an argv, ended by NULL, that serves (bench/compare/worker.h). */
typedef struct gjb_paired_side {
    const char *const *command;
    uint64_t
        files; /* bits of the words of it that are copied for each launch: the program, and what it loads */
} gjb_paired_side;

/* Starts each side's program again for each launch, so that what a launch is dealt is dealt often: addresses, and the
 * pages of memory that hold data and code. Code stays where it is as long as a file is in memory, whichever process
 * runs it, which makes one of two copies of a program slower than the other for good: so files are copied. Within a
 * launch both are ready, and run by turns on one CPU if the points are of one thread. 0, or -1 with one line in
 * `error`; what was measured by then stays. Free it in both cases. */
int gjb_paired_run(gjb_paired *paired, const gjb_paired_side sides[GJB_PAIRED_SIDES],
                   const gjb_paired_settings *settings, gjb_error *error);
void gjb_paired_free(gjb_paired *paired);

#endif
