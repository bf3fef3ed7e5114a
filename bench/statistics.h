/* What a set of timings says: the median, how sure it is, and the minimum. */
#ifndef GJB_BENCH_STATISTICS_H
#define GJB_BENCH_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#include "core/sort.h"
#include "scenes/generate/generate.h"

typedef struct gjb_summary {
    double median;
    double low, high; /* 95% interval of the median: percentile bootstrap (Efron, 1979) */
    double minimum;
} gjb_summary;

enum { GJB_BOOTSTRAP_RESAMPLES = 1000, GJB_SAMPLES_MAX = 1024 };

/* Mean of the two middle ones when `count` is even. Sorts `values`. 0 for none. */
double gjb_median(double *values, size_t count);

/* Mean of the middle half, which many disturbed ones move little. Sorts `values`. 0 for none. */
double gjb_middle(double *values, size_t count);

/* At most GJB_SAMPLES_MAX samples count. The resampling is seeded: the same
 * samples give the same interval everywhere. All zero for no samples. */
gjb_summary gjb_summarise(const double *samples, size_t count, uint64_t seed);

/* The median of as many of `sorted` as there are, drawn with replacement; at most GJB_SAMPLES_MAX. */
double gjb_resampled_median(const double *sorted, size_t count, gjb_random *random);

/* How large a share may still be, of which `some` of `all` were found: the upper end of the exact 95% interval
 * (Clopper and Pearson, 1934). 1 for none found of none. some <= all. */
double gjb_share_upper(uint64_t some, uint64_t all);
/* And how small; 0 for none found of none. */
double gjb_share_lower(uint64_t some, uint64_t all);

/* Fisher and Yates; `order` becomes a random permutation of 0 .. count - 1. */
void gjb_shuffle(uint32_t *order, uint32_t count, uint64_t seed, uint64_t round);

#endif
