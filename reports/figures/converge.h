/* Convergence of GJK and EPA: rows of `gjkbench converge`, one drawing a query and precision. */
#ifndef GJB_REPORTS_CONVERGE_H
#define GJB_REPORTS_CONVERGE_H

#include <jansson.h>

#include "core/error.h"

enum { CONVERGE_STEPS = 64 };

typedef struct converge_row {
    const char *query, *workload, *precision, *method;
    double dim, pairs, met, floor, capped;
    size_t steps;
    double supports[CONVERGE_STEPS], most[CONVERGE_STEPS]; /* errors in sizes of the pair, of all but one in twenty */
    struct {
        double mean, median, most, all, capped, unproven; /* iterations; NaN if ours do not answer */
    } ours;
} converge_row;

/* 0, or -1 with "WHERE.key: ..." in `error`. */
int converge_read(converge_row *row, json_t *object, const char *where, gjb_error *error);

#endif
