/* Where a series of times changes its level. Pure: times in, change points out, the same everywhere.
 *
 * One change: the least probable Wilcoxon statistic over all splits (Pettitt 1979; Lausen and Schumacher 1992) of the
 * series and of windows of it, for what was taken back later shows in windows alone (seeded intervals: Kovacs, Buhlmann,
 * Li and Munk 2023); of ranks, so that one run that went astray moves nothing. Its significance is that of runs in
 * random order, counted over permutations as they come until enough have exceeded it (Besag and Clifford 1991).
 *
 * Several changes: each side of a significant one is searched in turn (Vostrikova 1981), and each is judged once more
 * between its neighbours, and placed where distances from the medians of both sides are least (Bai 1995). Many series:
 * Benjamini and Hochberg (1995) choose those that change; a chosen one is split at the level that it was chosen at
 * (Benjamini and Bogomolov 2014), each stretch of it at its share. How large a change is: a bootstrap over runs, and
 * over blocks within runs (Kalibera and Jones 2013). */
#ifndef GJB_HISTORY_CHANGE_H
#define GJB_HISTORY_CHANGE_H

#include <stddef.h>
#include <stdint.h>

enum {
    GJB_CHANGE_RUNS_LEAST = 4,  /* with fewer, no split leaves a side of two */
    GJB_CHANGE_SIDE_LEAST = 2,  /* one run apart from the others is an outlier, not a level */
    GJB_CHANGE_SIDE_MOST = 100, /* runs of a side that the size of a change is taken from: those next to it */
    GJB_CHANGE_BLOCKS_MOST = 64 /* blocks of a run that count there */
};

/* How often runs in random order split as well. Holds what was drawn by then, for series of one length share it.
 * Zero it but for `seed` and `draws` (0: 9,999); end with gjb_chance_free. */
typedef struct gjb_chance {
    uint64_t seed;
    size_t draws; /* at most that many permutations, fewer of long series, but 1,999; no p is below 1 / (draws + 1) */
    struct gjb_chance_length *lengths;
    size_t count;
} gjb_chance;
void gjb_chance_free(gjb_chance *chance);

typedef struct gjb_split {
    size_t at;   /* the first run of the new level; 0: no split leaves two sides */
    double score; /* about -log of the chance of that split alone; 0 for no difference at all */
    double p;
} gjb_split;

/* The best split of `n` values in order. Ties share their ranks. p is 1 if there is none, negative out of memory. */
gjb_split gjb_split_find(const double *values, size_t n, gjb_chance *chance);

/* All changes of `n` values at a level, first to last, into `changes`, which holds n. Returns how many, or -1 out
 * of memory. */
long gjb_changes_find(const double *values, size_t n, double level, gjb_chance *chance, gjb_split *changes);

/* Benjamini and Hochberg: q[i] is the least rate of false discoveries at which p[i] counts; q may be p. Returns
 * the level for p that the rate `rate` comes to, 0 if nothing counts, or -1 out of memory. */
double gjb_discoveries(const double *p, size_t n, double rate, double *q);

/* The least p that `n` values can have, whatever they are: of fewer than eight none is below 0.05. */
double gjb_split_least_p(size_t n);

/* A run's blocks; `count` 0 stands for `median` alone. */
typedef struct gjb_blocks {
    double median;
    size_t count;
    double ns[GJB_CHANGE_BLOCKS_MOST];
} gjb_blocks;

typedef struct gjb_shift { double value, low, high; } gjb_shift; /* of medians, after : before; 95% interval */
/* Of at least one run each, at most GJB_CHANGE_SIDE_MOST. */
gjb_shift gjb_shift_across(const gjb_blocks *before, size_t n, const gjb_blocks *after, size_t m, uint64_t seed);

#endif
