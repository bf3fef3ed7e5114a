/* Ratios of the times of result files, and how far conditions of timing were unequal in a run. */
#ifndef GJB_REPORTS_RATIOS_H
#define GJB_REPORTS_RATIOS_H

#include <jansson.h>

#include "draw/ratio.h"

struct results;
struct bench_row;

/* Nanoseconds a pair, or any other quantity that is positive. */
typedef struct timing {
    double ns, low, high; /* with its 95% interval; NaN: not known */
    double shared; /* of the time by the clock, the part that other work had the processor for; or NaN */
} timing;

timing timing_of(const struct bench_row *row);
timing timing_exact(double ns); /* a ceiling, say */
/* How long `over` takes, in times of `under`; `r` may be NULL: of no run. */
ratio ratio_between(const struct results *r, timing over, timing under);
ratio ratio_of(const struct results *r, const struct bench_row *over, const struct bench_row *under);
/* Of nothing but the run: what holds for all of its ratios. */
ratio ratio_of_run(const struct results *r);
/* Did more want to run than there are processors? Others took part of them. */
int ratio_overloaded(const struct results *r, double *load, double *cpus);

/* What the same contender differs by in two places where contenders are timed, less 1: of a row of
 * "isolation_cost". */
typedef struct unequal {
    double cost;   /* NaN: not measured */
    double surely; /* the nearer end of its interval; 0 if that holds none */
} unequal;
unequal unequal_of(const json_t *row);
/* The worst of a run. */
unequal unequal_in(const struct results *r);
/* Is it surely more than ratios are believed with? */
int unequal_much(unequal u);
#define UNEQUAL_MOST 0.03

#endif
