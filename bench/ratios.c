#include "bench/ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/statistics.h"
#include "core/generate.h"

enum { STREAM_RATIOS = 0x62656e06, RESAMPLES_LEAST = 9999, RESAMPLES_MOST = 199999, RESAMPLES_A_TEST = 400 };

const double gjb_same_within = 0.02;
static const double trimmed = 0.2;
static const double rounding = 1e-12; /* apart by less is equal: it would be a spread of its own */

const char *gjb_change_name(gjb_change change)
{
    static const char *const names[GJB_CHANGES] = {"cannot tell", "same", "faster", "slower"};
    return names[change];
}

typedef struct centre {
    double mean, error;
} centre;

/* `sorted` ascending. */
static centre centre_of(const double *sorted, size_t count)
{
    const size_t cut = (size_t)(trimmed * (double)count), kept = count - 2 * cut;
    const double least = sorted[cut], most = sorted[count - 1 - cut];
    double sum = 0, winsorised = (double)cut * (least + most), squares = 0;
    for (size_t i = cut; i < count - cut; i++)
        sum += sorted[i];
    winsorised = (winsorised + sum) / (double)count;
    for (size_t i = 0; i < count; i++) {
        const double x = i < cut ? least : i >= count - cut ? most : sorted[i];
        squares += (x - winsorised) * (x - winsorised);
    }
    const double variance = squares / (double)(count - 1);
    return (centre){sum / (double)kept, sqrt(variance / (double)count) / (1 - 2 * trimmed)};
}

static double student(double apart, double error)
{
    return error > 0 ? apart / error : apart == 0 ? 0 : copysign(INFINITY, apart);
}

/* Studentised means of resamples, ascending. A resample is drawn as ranks, so that none is sorted. */
static void resample(const double *sorted, size_t count, centre whole, double *students, size_t resamples,
                     uint64_t seed)
{
    gjb_random random = gjb_random_make(seed, STREAM_RATIOS, count);
    double drawn[GJB_SAMPLES_MAX];
    for (size_t r = 0; r < resamples; r++) {
        uint16_t times[GJB_SAMPLES_MAX] = {0};
        size_t at = 0;
        for (size_t i = 0; i < count; i++)
            times[gjb_random_below(&random, (uint32_t)count)]++;
        for (size_t i = 0; i < count; i++)
            for (uint16_t t = 0; t < times[i]; t++)
                drawn[at++] = sorted[i];
        const centre c = centre_of(drawn, count);
        students[r] = student(c.mean - whole.mean, c.error);
    }
    gjb_sort(students, resamples);
}

/* How many of `students` are below `value`. */
static size_t below(const double *students, size_t resamples, double value)
{
    size_t low = 0, high = resamples;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (students[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct spread {
    centre whole;
    const double *students;
    size_t resamples;
} spread;

/* Chance of a mean as large as ours, or larger, where the truth is `limit`; never 0. */
static double chance_above(const spread *s, double limit)
{
    const size_t smaller = below(s->students, s->resamples, student(s->whole.mean - limit, s->whole.error));
    return (1 + (double)(s->resamples - smaller)) / ((double)s->resamples + 1);
}

static double chance_below(const spread *s, double limit)
{
    const double ours = student(s->whole.mean - limit, s->whole.error);
    return (1 + (double)below(s->students, s->resamples, nextafter(ours, INFINITY))) /
           ((double)s->resamples + 1);
}

gjb_ratio gjb_ratio_of(const double *logs, size_t count, double floor, size_t tests, uint64_t seed)
{
    gjb_ratio ratio = {0, -INFINITY, INFINITY, {1, 1, 1, 1}, GJB_CHANGE_UNSURE};
    if (count > GJB_SAMPLES_MAX)
        count = GJB_SAMPLES_MAX;
    size_t resamples = RESAMPLES_A_TEST * tests;
    resamples = resamples < RESAMPLES_LEAST  ? RESAMPLES_LEAST
                : resamples > RESAMPLES_MOST ? RESAMPLES_MOST
                                             : resamples;
    double sorted[GJB_SAMPLES_MAX],
        *students = count >= GJB_RATIOS_LEAST ? malloc(resamples * sizeof *students) : NULL;
    if (count)
        memcpy(sorted, logs, count * sizeof *sorted);
    if (!students) {
        ratio.log = gjb_median(sorted, count);
        return ratio;
    }
    gjb_sort(sorted, count);
    for (size_t i = 1; i < count; i++)
        if (sorted[i] - sorted[i - 1] < rounding)
            sorted[i] = sorted[i - 1];
    const centre whole = centre_of(sorted, count);
    resample(sorted, count, whole, students, resamples, seed);
    const spread s = {whole, students, resamples};
    const size_t tail = resamples / 40;
    const double same = log1p(gjb_same_within);
    ratio.log = whole.mean;
    ratio.low = whole.error > 0 ? whole.mean - students[resamples - 1 - tail] * whole.error : whole.mean;
    ratio.high = whole.error > 0 ? whole.mean - students[tail] * whole.error : whole.mean;
    ratio.p[GJB_CHANGE_SLOWER] = chance_above(&s, floor);
    ratio.p[GJB_CHANGE_FASTER] = chance_below(&s, -floor);
    ratio.p[GJB_CHANGE_NONE] = fmax(chance_above(&s, -same), chance_below(&s, same));
    free(students);
    return ratio;
}

typedef struct test {
    double p;
    size_t ratio;
    gjb_change change;
} test;

static int by_p(const void *a, const void *b)
{
    const test *x = a, *y = b;
    return (x->p > y->p) - (x->p < y->p);
}

void gjb_judge(gjb_ratio *ratios, size_t count, double alpha)
{
    test *tests = malloc((2 * count + 1) * sizeof *tests);
    for (size_t i = 0; i < count; i++) {
        ratios[i].change = ratios[i].p[GJB_CHANGE_NONE] <= alpha ? GJB_CHANGE_NONE : GJB_CHANGE_UNSURE;
        for (int c = 0; c < 2 && tests; c++) {
            const gjb_change change = c ? GJB_CHANGE_SLOWER : GJB_CHANGE_FASTER;
            tests[2 * i + (size_t)c] = (test){ratios[i].p[change], i, change};
        }
    }
    if (!tests)
        return;
    qsort(tests, 2 * count, sizeof *tests, by_p);
    for (size_t i = 0; i < 2 * count && tests[i].p <= alpha / (double)(2 * count - i); i++)
        ratios[tests[i].ratio].change = tests[i].change;
    free(tests);
}
