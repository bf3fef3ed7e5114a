/* Is one build slower than another, by times that were measured apart: two independent samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare/ratios.h"
#include "bench/statistics.h"
#include "scenes/generate/generate.h"

enum { STREAM_APART = 0x62656e07, RESAMPLES = 9999, EXACT_MOST = 25, RANKS_MOST = 2 * GJB_SAMPLES_MAX };
static const double rounding = 1e-12; /* apart by less is a tie */

/* Times of one side, ascending. */
typedef struct sample {
    double times[GJB_SAMPLES_MAX];
    size_t count;
} sample;

typedef struct ranked {
    double log;
    int new;
} ranked;

static int by_log(const void *a, const void *b)
{
    const double x = ((const ranked *)a)->log, y = ((const ranked *)b)->log;
    return (x > y) - (x < y);
}

/* Twice the rank of each, ties sharing the middle, so that all are whole. Returns the sum of t^3 - t over
 * ties. */
static double rank(const ranked *all, size_t count, uint32_t *twice)
{
    double ties = 0;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && all[end].log - all[end - 1].log < rounding; end++)
            ;
        for (size_t k = i; k < end; k++)
            twice[k] = (uint32_t)(i + end + 1);
        const double t = (double)(end - i);
        ties += t * t * t - t;
    }
    return ties;
}

/* The share of all ways to draw `some` of the ranks whose sum is at least `sum` (Streitberg and Roehmel,
 * 1986). */
static double exact_tail(const uint32_t *twice, size_t count, size_t some, uint32_t sum)
{
    const size_t width = count * (count + 1) + 1;
    double *ways = calloc((some + 1) * width, sizeof *ways), all = 0, tail = 0;
    if (!ways)
        return 1;
    ways[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1 < some ? i + 1 : some; k > 0; k--)
            for (size_t s = width - 1; s >= twice[i]; s--)
                ways[k * width + s] += ways[(k - 1) * width + s - twice[i]];
    for (size_t s = 0; s < width; s++) {
        all += ways[some * width + s];
        tail += s >= sum ? ways[some * width + s] : 0;
    }
    free(ways);
    return tail / all;
}

static double normal_tail(size_t olds, size_t news, double ties, uint32_t twice_sum)
{
    const double n = (double)news, m = (double)olds, all = n + m;
    const double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
    const double above = 0.5 * twice_sum - n * (all + 1) / 2 - 0.5;
    return variance > 0 ? 0.5 * erfc(above / sqrt(2 * variance)) : 1;
}

/* The chance of ranks like these if the new times are no more than `shift` above the old ones; `sign` -1:
 * no less than that (Mann and Whitney, 1947). */
static double chance(const sample *old, const sample *new, double shift, int sign)
{
    ranked all[RANKS_MOST];
    uint32_t twice[RANKS_MOST], sum = 0;
    const size_t count = old->count + new->count;
    for (size_t i = 0; i < count; i++)
        all[i] = i < old->count ? (ranked){sign * (log(old->times[i]) + shift), 0}
                                : (ranked){sign * log(new->times[i - old->count]), 1};
    qsort(all, count, sizeof *all, by_log);
    const double ties = rank(all, count, twice);
    for (size_t i = 0; i < count; i++)
        sum += all[i].new ? twice[i] : 0;
    const double p = old->count <= EXACT_MOST && new->count <= EXACT_MOST
                         ? exact_tail(twice, count, new->count, sum)
                         : normal_tail(old->count, new->count, ties, sum);
    return fmin(1, fmax(p, gjb_finest_chance));
}

static void take(sample *s, const double *times, size_t count)
{
    s->count = count < GJB_SAMPLES_MAX ? count : GJB_SAMPLES_MAX;
    memcpy(s->times, times, s->count * sizeof *times);
    gjb_sort(s->times, s->count);
}

gjb_ratio gjb_ratio_apart(const double *olds, size_t old_count, const double *news, size_t new_count,
                          double floor, uint64_t seed)
{
    gjb_ratio ratio = {0, -INFINITY, INFINITY, {1, 1, 1, 1}, GJB_CHANGE_UNSURE};
    double logs[RESAMPLES];
    sample old, new;
    take(&old, olds, old_count);
    take(&new, news, new_count);
    if (!old.count || !new.count)
        return ratio;
    ratio.log = log(gjb_median(new.times, new.count) / gjb_median(old.times, old.count));
    if (old.count < GJB_RATIOS_LEAST || new.count < GJB_RATIOS_LEAST)
        return ratio;
    gjb_random random = gjb_random_make(seed, STREAM_APART, old.count + new.count);
    for (size_t i = 0; i < RESAMPLES; i++)
        logs[i] = log(gjb_resampled_median(new.times, new.count, &random) /
                      gjb_resampled_median(old.times, old.count, &random));
    gjb_sort(logs, RESAMPLES);
    ratio.low = logs[RESAMPLES / 40];
    ratio.high = logs[RESAMPLES - 1 - RESAMPLES / 40];
    const double same = log1p(gjb_same_within);
    ratio.p[GJB_CHANGE_SLOWER] = chance(&old, &new, floor, 1);
    ratio.p[GJB_CHANGE_FASTER] = chance(&old, &new, -floor, -1);
    ratio.p[GJB_CHANGE_NONE] = fmax(chance(&old, &new, -same, 1), chance(&old, &new, same, -1));
    return ratio;
}
