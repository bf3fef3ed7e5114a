/* A ratio of two times. Whatever shows one on the page goes through here, which marks it in red if it cannot
 * be believed: the mark is next to the number, and not in a note below. */
#ifndef GJB_REPORTS_RATIO_H
#define GJB_REPORTS_RATIO_H

#include <jansson.h>

#include "reports/text.h"

struct results;
struct bench_row;

/* Nanoseconds a pair, or any other quantity that is positive. */
typedef struct timing {
    double ns, low, high; /* with its 95% interval; NaN: not known */
    double shared; /* of the time by the clock, the part that other work had the processor for; or NaN */
} timing;

typedef struct ratio {
    double times;           /* NaN: not known */
    double low, high;       /* 95% interval of it; NaN: not known */
    double shared;          /* the larger of both times */
    double unequal, load;   /* of the run; 0: let pass */
} ratio;

typedef enum ratio_form {
    RATIO_TIMES,   /* 3.1× */
    RATIO_FIGURES, /* 3.14, of a column that says what it is */
    RATIO_PERCENT  /* 314% */
} ratio_form;

timing timing_of(const struct bench_row *row);
timing timing_exact(double ns); /* a ceiling, say */
/* How long `over` takes, in times of `under`; `r` may be NULL: of no run. */
ratio ratio_between(const struct results *r, timing over, timing under);
ratio ratio_of(const struct results *r, const struct bench_row *over, const struct bench_row *under);
ratio ratio_inverse(ratio q);
/* Of nothing but the run: what holds for all of its ratios. */
ratio ratio_of_run(const struct results *r);
/* The one of the wider interval, with the larger of every other doubt. */
ratio ratio_wider(ratio a, ratio b);

/* Did more want to run than there are processors? Others took part of them. */
int ratio_overloaded(const struct results *r, double *load, double *cpus);

/* The number alone, for what is not HTML. */
const char *ratio_text(number *n, ratio q, ratio_form form);
/* The number, and its mark. */
void ratio_html(ratio q, ratio_form form, text *page);
/* The mark alone, after a space: nothing if there is no doubt. */
void ratio_mark(ratio q, text *page);

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
