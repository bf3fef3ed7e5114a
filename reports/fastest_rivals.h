/* Ours against the fastest other contender that is right, at every place where both were timed. */
#ifndef GJB_REPORTS_FASTEST_RIVALS_H
#define GJB_REPORTS_FASTEST_RIVALS_H

#include "reports/point_selection.h"
#include "reports/ratios.h"

/* One time: of a measured point, or of a cell of a league table. */
typedef struct timed {
    const char *query, *workload, *family, *contender;
    const char *precision; /* "": the contender answers the query in one alone, so it is held against any */
    double dim, shapes, call, threads;
    timing took;
    int right, more; /* more: does more than the query asks */
    int small;       /* a call of fewer pairs than the base point's, on purpose */
} timed;

/* Above 1 ours is the faster. */
typedef struct rival {
    const timed *ours, *other;
    ratio lead;
} rival;

/* Ours at its fastest backend. In `small` calls lanes cannot pay off, so these stand apart. */
typedef struct rivals {
    timed *all;
    size_t n;
    size_t places, won;      /* without those of small calls */
    rival best, worst, small; /* NULL if none */
} rivals;

/* Of measured points, or if there are none, of the league table. 0, or -1 out of memory. */
int rivals_find(const results *r, rivals *found);
void rivals_free(rivals *found);

#endif
