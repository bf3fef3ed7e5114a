/* What it costs a contender's times that it runs in a child process. */
#ifndef GJB_BENCH_ISOLATION_COST_H
#define GJB_BENCH_ISOLATION_COST_H

#include <jansson.h>
#include <signal.h>
#include <stdio.h>

#include "bench/plan.h"
#include "bench/statistics.h"

enum { GJB_ISOLATION_CALL = 256, GJB_ISOLATION_BLOCKS = 31 };

typedef struct gjb_isolation_row {
    gjb_point point;            /* base point, distance, in calls of GJB_ISOLATION_CALL pairs */
    uint32_t blocks;            /* of each; 0: not measured */
    double ns_here, ns_child;   /* medians, a pair */
    gjb_summary ratio;          /* time in a child over time in this process, of blocks beside each other */
    gjb_summary between;        /* the same of two children: all that is left where everything is timed in one */
} gjb_isolation_row;

/* Times one of ours at the base point `base`, in this process and in two children (bench/timed.h), over the same
 * pairs, block by block in turn, each time the other one first, for about `seconds`. Both are what every other time is:
 * calls and nothing else between the clocks, where the contender runs. 0, also where `stop` (may be NULL)
 * was raised before there are enough blocks, and `row->blocks` is 0 then; or -1 with one line in `error`. */
int gjb_isolation_cost(const gjb_point *base, const gjb_contender *contender, uint64_t seed, double seconds,
                       const volatile sig_atomic_t *stop, gjb_isolation_row *row, gjb_error *error);

/* An array, of the rows that were measured. */
json_t *gjb_isolation_json(const gjb_isolation_row *rows, size_t count);
/* "  2D reference: +0.3% (95% interval -0.2% to +0.9%) ..." a row. */
void gjb_isolation_print(const gjb_isolation_row *rows, size_t count, FILE *stream, const char *title,
                         const char *plain);

#endif
