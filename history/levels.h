/* The levels of a series between its changes. */
#ifndef GJB_HISTORY_LEVELS_H
#define GJB_HISTORY_LEVELS_H

#include "history/find.h"

/* A stretch of a series between two changes, of level or workload. */
typedef struct gjb_level {
    size_t first, end;
    double ns;    /* the median of its runs */
    double ratio; /* to the first level of the same workload */
} gjb_level;

typedef struct gjb_levels {
    gjb_level *all;
    size_t count;
} gjb_levels;
/* 0, or -1 out of memory. Free `all` in both cases. */
int gjb_levels_of(const gjb_found *found, gjb_levels *levels);

/* The median of runs `first` to before `end`, in nanoseconds a pair. NaN out of memory. */
double gjb_series_median(const gjb_series *series, size_t first, size_t end);

#endif
