/* What it costs a contender's times that it runs in a child process. */
#ifndef GJB_BENCH_ISOLATION_COST_H
#define GJB_BENCH_ISOLATION_COST_H

#include <jansson.h>
#include <signal.h>
#include <stdio.h>

#include "bench/compare/ratios.h"
#include "bench/plan.h"

enum { GJB_ISOLATION_CALL = 256, GJB_ISOLATION_DRAWS = 9, GJB_ISOLATION_BLOCKS = 279 };

typedef struct gjb_isolation_row {
    gjb_bench_case point; /* base point, distance; in calls of GJB_ISOLATION_CALL pairs, fewer if those take longer than
                             a block */
    uint32_t blocks;            /* of each; 0: not measured */
    double ns_here, ns_child;   /* medians, a pair */
    gjb_ratio ratio;            /* time in a child over time in this process, of blocks next to each other */
    gjb_ratio between;          /* the same of two children: all that is left if everything is timed in one */
} gjb_isolation_row;

/* Times one of ours at the base point `base`, in this process and in two children (bench/timed.h), over the
 * same pairs, a block of each by turns in random order, for about `seconds`. What memory a child is dealt stays
 * with it, and can make it the slower one of two for good; so GJB_ISOLATION_DRAWS pairs of children are forked,
 * one after another, each of which gives one logarithm of a ratio. All are what every other time is: calls and
 * nothing else between the clocks, and the contender runs there. 0, also if `stop` (may be NULL)
 * was raised before there are enough blocks, and `row->blocks` is 0 then; or -1 with one line in `error`. */
int gjb_isolation_cost(const gjb_bench_case *base, const gjb_contender *contender, uint64_t seed, double seconds,
                       const volatile sig_atomic_t *stop, gjb_isolation_row *row, gjb_error *error);

/* The ratio of `over` to `under`, GJB_ISOLATION_BLOCKS times each, measured in turns: those of each draw in a row. */
gjb_ratio gjb_isolation_ratio(const double *over, const double *under, uint64_t seed);

/* An array, of the rows that were measured. */
json_t *gjb_isolation_json(const gjb_isolation_row *rows, size_t count);
/* "  2D reference: +0.3% (95% interval -0.2% to +0.9%) ..." a row. */
void gjb_isolation_print(const gjb_isolation_row *rows, size_t count, FILE *stream, const char *title,
                         const char *plain);

#endif
