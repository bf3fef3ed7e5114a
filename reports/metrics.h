/* What answers depended on apart from the pair, as `verify` counts it. */
#ifndef GJB_REPORTS_METRICS_H
#define GJB_REPORTS_METRICS_H

#include "reports/figures/json_fields.h"

enum { METRIC_SHIFTS = 8 };

typedef struct metric_shift {
    double log2; /* both bodies were moved by 2^log2 S */
    double pairs, inexact, changed, flipped, worst_eps;
} metric_shift;

typedef struct metrics {
    double pairs, again, reordered, other_session;
    size_t shift_count;
    metric_shift shifts[METRIC_SHIFTS];
} metrics;

/* Of the object "metrics" of `row`; all zero if it has none. 0, or -1 with one line in `error`. */
int metrics_read(metrics *m, json_t *row, const char *where, gjb_error *error);
void metrics_add(metrics *sum, const metrics *part);
/* The same form again; NULL if nothing was asked. */
json_t *metrics_json(const metrics *m);

#endif
