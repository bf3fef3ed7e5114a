/* Medians, bootstrap intervals, bounds on shares, and reproducible shuffles of timings. */
#include "bench/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/generate.h"

/* Streams of gjb_random that belong to this room. */
enum { STREAM_BOOTSTRAP = 0x62656e01, STREAM_SHUFFLE = 0x62656e02 };

double gjb_median(double *values, size_t count)
{
    if (!count)
        return 0;
    gjb_sort(values, count);
    size_t half = count / 2;
    return count % 2 ? values[half] : values[half - 1] / 2 + values[half] / 2;
}

double gjb_middle(double *values, size_t count)
{
    const size_t cut = count / 4;
    double sum = 0;
    if (!count)
        return 0;
    gjb_sort(values, count);
    for (size_t i = cut; i < count - cut; i++)
        sum += values[i];
    return sum / (double)(count - 2 * cut);
}

/* Drawn as ranks, so that no resample is sorted: counting how often each was drawn does the rest. */
double gjb_resampled_median(const double *sorted, size_t count, gjb_random *random)
{
    uint16_t drawn[GJB_SAMPLES_MAX] = {0};
    for (size_t i = 0; i < count; i++)
        drawn[gjb_random_below(random, (uint32_t)count)]++;

    size_t below = (count - 1) / 2, above = count / 2, seen = 0, rank = 0;
    while (seen + drawn[rank] <= below)
        seen += drawn[rank++];
    double lower = sorted[rank];
    while (seen + drawn[rank] <= above)
        seen += drawn[rank++];
    return below == above ? lower : lower / 2 + sorted[rank] / 2;
}

gjb_summary gjb_summarise(const double *samples, size_t count, uint64_t seed)
{
    gjb_summary s = {0, 0, 0, 0};
    if (!count)
        return s;
    if (count > GJB_SAMPLES_MAX)
        count = GJB_SAMPLES_MAX;

    double sorted[GJB_SAMPLES_MAX], medians[GJB_BOOTSTRAP_RESAMPLES];
    memcpy(sorted, samples, count * sizeof *sorted);
    s.median = gjb_median(sorted, count);
    s.minimum = sorted[0];

    gjb_random random = gjb_random_make(seed, STREAM_BOOTSTRAP, count);
    for (size_t i = 0; i < GJB_BOOTSTRAP_RESAMPLES; i++)
        medians[i] = gjb_resampled_median(sorted, count, &random);
    gjb_sort(medians, GJB_BOOTSTRAP_RESAMPLES);
    s.low = medians[GJB_BOOTSTRAP_RESAMPLES / 40];
    s.high = medians[GJB_BOOTSTRAP_RESAMPLES - 1 - GJB_BOOTSTRAP_RESAMPLES / 40];
    return s;
}

/* Probability of at most `some` in `all` draws, each with probability `p`, 0 < p < 1. */
static double at_most(uint64_t some, uint64_t all, double p)
{
    double sum = 0;
    for (uint64_t i = 0; i <= some; i++)
        sum += exp(lgamma((double)all + 1) - lgamma((double)i + 1) - lgamma((double)(all - i) + 1) +
                   (double)i * log(p) + (double)(all - i) * log1p(-p));
    return sum;
}

double gjb_share_upper(uint64_t some, uint64_t all)
{
    const double outside = 0.025;
    if (some >= all)
        return 1;
    double low = (double)some / (double)all, high = 1;
    for (int i = 0; i < 60 && low < high; i++) {
        const double middle = 0.5 * low + 0.5 * high;
        if (at_most(some, all, middle) > outside)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double gjb_share_lower(uint64_t some, uint64_t all)
{
    return some > 0 ? 1 - gjb_share_upper(all - some, all) : 0;
}

void gjb_shuffle(uint32_t *order, uint32_t count, uint64_t seed, uint64_t round)
{
    gjb_random random = gjb_random_make(seed, STREAM_SHUFFLE, round);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = gjb_random_below(&random, i), other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
}
