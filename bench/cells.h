/* Cells: a time of ours against the fastest other contender that is right there, worst first. */
#ifndef GJB_BENCH_CELLS_H
#define GJB_BENCH_CELLS_H

#include "bench/results.h"

/* How a rival comes to be one. */
typedef enum gjb_judged {
    GJB_NO_PEER = 0, /* no contender is right, nor nearly: nothing is won there */
    GJB_NEARLY_RIGHT, /* none is right: the fastest of those that are off in at most GJB_NEARLY_RIGHT_SHARE */
    GJB_RIGHT_PEER,
    GJB_JUDGEMENTS
} gjb_judged;
const char *gjb_judged_name(gjb_judged judged); /* "none", "1% off", "right" */

/* One query, workload, family, call size and precision, and one backend of ours. */
typedef struct gjb_cell {
    const gjb_measurement *ours, *rival; /* of the bench; no rival: NULL */
    gjb_judged judged;
    double wrong; /* the rival's gjb_bench_wrong_share; NaN without one */
    double ratio; /* its time over ours: below 1 the cell is lost; NaN without one */
} gjb_cell;

/* Cells of recorded scenes that have a right peer, and the geometric mean of their ratios: NaN without any. */
typedef struct gjb_recorded_mean {
    size_t cells;
    double ratio;
} gjb_recorded_mean;

typedef struct gjb_cells {
    gjb_cell *all; /* the worst ratio first; those without a peer last, in the order of the bench */
    size_t count;
    size_t lost, below_4, no_peer; /* below_4: the lost ones too */
    gjb_recorded_mean first, recent; /* of the six scenes recorded first; of the new ones */
} gjb_cells;

/* Cells of `bench`, which they point into: one a row of ours but the reference. 0, or -1 out of memory; zero them
 * beforehand, free them in both cases. */
int gjb_cells_rank(gjb_cells *cells, const gjb_bench *bench);
void gjb_cells_free(gjb_cells *cells);
int gjb_cell_is_new(const gjb_cell *cell); /* of a recorded scene that is marked as new */

/* What to measure for cells: polytopes of up to 32 vertices and mixed kinds, in every way to lie, a few sizes of a
 * call, some motions, and the recordings. Lists that `options` has stand in place of these. As gjb_plan_make. */
int gjb_cells_plan(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error);

/* In lines of at most 100 columns. */
void gjb_cells_print(const gjb_cells *cells, FILE *stream, const gjb_bench_paint *paint);
/* Adds an array "cells" and an object "summary" to what gjb_bench_json made. 0, or -1 out of memory. */
int gjb_cells_add_json(const gjb_cells *cells, json_t *root);

#endif
