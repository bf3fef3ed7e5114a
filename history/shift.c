/* The ratio of two levels, with an interval by resampling of runs and of their blocks. */
#include <math.h>
#include <stdlib.h>

#include "bench/statistics.h"
#include "history/change.h"
#include "scenes/generate/generate.h"

enum { STREAM_RATIO = 0x68697302, RESAMPLES = 1000 };

/* The median of a run's blocks, if they are kept; with `random` of blocks drawn again. */
static double run_level(const gjb_blocks *run, gjb_random *random)
{
    double drawn[GJB_CHANGE_BLOCKS_MOST];
    for (size_t i = 0; i < run->count; i++)
        drawn[i] = run->ns[random ? gjb_random_below(random, (uint32_t)run->count) : i];
    return run->count ? gjb_median(drawn, run->count) : run->median;
}

/* The median over runs; with `random` of runs drawn again. */
static double level_of(const gjb_blocks *runs, size_t n, gjb_random *random)
{
    double medians[GJB_CHANGE_SIDE_MOST];
    for (size_t i = 0; i < n; i++)
        medians[i] = run_level(&runs[random ? gjb_random_below(random, (uint32_t)n) : i], random);
    return gjb_median(medians, n);
}

gjb_shift gjb_shift_across(const gjb_blocks *before, size_t n, const gjb_blocks *after, size_t m, uint64_t seed)
{
    double ratios[RESAMPLES];
    gjb_random random = gjb_random_make(seed, STREAM_RATIO, n);
    for (size_t i = 0; i < RESAMPLES; i++) {
        const double above = level_of(after, m, &random);
        ratios[i] = above / level_of(before, n, &random);
    }
    gjb_sort(ratios, RESAMPLES);
    return (gjb_shift){level_of(after, m, NULL) / level_of(before, n, NULL), ratios[RESAMPLES / 40],
                       ratios[RESAMPLES - 1 - RESAMPLES / 40]};
}
