/* What paired runs, two tallies or two result files say of two builds: verdicts, for people and for programs. */
#ifndef GJB_BENCH_COMPARISON_H
#define GJB_BENCH_COMPARISON_H

#include <signal.h>
#include <stdio.h>

#include "bench/compare/paired_runs.h"
#include "bench/compare/ratios.h"
#include "bench/results.h"

typedef struct gjb_compared {
    const char *name;   /* the benchmark's; of the paired runs or file */
    gjb_ratio ratio;    /* new over old */
    double ns[GJB_PAIRED_SIDES]; /* a pair */
    double instructions[GJB_PAIRED_SIDES]; /* a pair; 0: not counted */
    const json_t *answers[GJB_PAIRED_SIDES]; /* exact counts, or NULL; of counts, all of the row (gjb_tally_json) */
    size_t launches;
    const char *trouble; /* why it was not judged, or "" */
    char question[120];  /* what `trouble` may lead to */
} gjb_compared;

typedef struct gjb_comparison {
    gjb_compared *rows;
    size_t count;
    size_t of[GJB_CHANGES]; /* rows by verdict; those in trouble are none of them */
    size_t changed;  /* rows whose exact counts or answers differ */
    double floor, alpha; /* floor: a share, such as 0.01 */
    int of_files;        /* launches are blocks of one launch */
    int of_counts;       /* ratios are of instructions, and exact: there are no launches, alpha says nothing */
} gjb_comparison;

/* Rows lead into the paired runs, which outlive them. 0, or -1 with `error`. */
int gjb_compare_paired(gjb_comparison *c, const gjb_paired *paired, double floor, double alpha, uint64_t seed,
                       gjb_error *error);

typedef struct gjb_result_file {
    const char *path;   /* for messages */
    const json_t *root; /* outlives the rows */
} gjb_result_file;

typedef struct gjb_files_settings {
    const char *only; /* as of gjb_paired_settings */
    double floor, alpha;
    uint64_t seed;
    const volatile sig_atomic_t *stop; /* may be NULL; non-zero: nothing is judged */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* may be NULL */
    void *user;
} gjb_files_settings;

/* Of two results of `bench` or `run`, old and new: measured apart, so that what the machine was doing is part of the
 * difference; samples of either are independent of the other's. */
int gjb_compare_files(gjb_comparison *c, const gjb_result_file sides[GJB_PAIRED_SIDES],
                      const gjb_files_settings *settings, gjb_error *error);
/* Of two results of `bench --count`, or of gjb_tally_json. Instructions decide, by themselves: what differs by `floor`
 * and more is slower or faster, all else the same. */
int gjb_compare_counts(gjb_comparison *c, const gjb_result_file sides[GJB_PAIRED_SIDES], const char *only, double floor,
                       gjb_error *error);
/* Verdicts on all rows together, of times. The first two of the above do it. */
void gjb_comparison_judge(gjb_comparison *c);
void gjb_comparison_free(gjb_comparison *c);

/* One line a benchmark, the changes of answers and counts below it, and a summary. */
void gjb_comparison_print(const gjb_comparison *c, FILE *stream, const gjb_bench_paint *paint);
/* For gjb_comparison_print: the same of counts. */
void gjb_counts_print(const gjb_comparison *c, FILE *stream, const gjb_bench_paint *paint);
/* {"floor", "alpha", "comparisons": [...], "summary": {...}}; NULL out of memory. */
json_t *gjb_comparison_json(const gjb_comparison *c);

#endif
