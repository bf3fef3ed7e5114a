/* What a duel, or two result files, say of two builds: verdicts, for people and for programs. */
#ifndef GJB_BENCH_COMPARISON_H
#define GJB_BENCH_COMPARISON_H

#include <stdio.h>

#include "bench/duel.h"
#include "bench/ratios.h"
#include "bench/results.h"

typedef struct gjb_compared {
    const char *name;   /* the benchmark's; of the duel or file */
    gjb_ratio ratio;    /* new over old */
    double ns[GJB_DUEL_SIDES]; /* a pair */
    double instructions[GJB_DUEL_SIDES]; /* a pair; 0: not counted */
    const json_t *answers[GJB_DUEL_SIDES]; /* exact counts, or NULL */
    size_t launches;
    const char *trouble; /* why it was not judged, or "" */
} gjb_compared;

typedef struct gjb_comparison {
    gjb_compared *rows;
    size_t count;
    size_t of[GJB_CHANGES]; /* rows by verdict; those in trouble are none of them */
    size_t changed;  /* rows whose exact counts or answers differ */
    double floor, alpha; /* floor: a share, such as 0.01 */
} gjb_comparison;

/* Rows lead into the duel, which outlives them. 0, or -1 with `error`. */
int gjb_compare_duel(gjb_comparison *c, const gjb_duel *duel, double floor, double alpha, uint64_t seed,
                     gjb_error *error);
/* Of two result files of `bench` or `run` (their "benchmarks"), which outlive the rows: measured apart, so that what
 * the machine was doing is part of the difference; samples are paired as they come. `only` as of gjb_duel_settings. */
int gjb_compare_files(gjb_comparison *c, const json_t *old, const json_t *new, const char *only, double floor,
                      double alpha, uint64_t seed, gjb_error *error);
void gjb_comparison_free(gjb_comparison *c);

/* One line a benchmark, the changes of answers and counts below it, and a summary. */
void gjb_comparison_print(const gjb_comparison *c, FILE *stream, const gjb_bench_paint *paint);
/* {"floor", "alpha", "comparisons": [...], "summary": {...}}; NULL out of memory. */
json_t *gjb_comparison_json(const gjb_comparison *c);

#endif
