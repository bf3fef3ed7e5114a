#include "bench/ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/statistics.h"
#include "core/generate.h"

enum { STREAM_RATIOS = 0x62656e06, RESAMPLES_LEAST = 9999, RESAMPLES_MOST = 9999999, ENOUGH = 100 };

const double gjb_same_within = 0.02;
const double gjb_finest_chance = 1.0 / (RESAMPLES_MOST + 1);
static const double trimmed = 0.2;
static const double resamples_of_finest = 4; /* where the finest chance is one in so many of them */
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

/* The studentised mean of a resample. It is drawn as ranks, so that nothing is sorted. */
static double resample(const double *sorted, size_t count, centre whole, gjb_random *random)
{
    double drawn[GJB_SAMPLES_MAX];
    uint16_t times[GJB_SAMPLES_MAX] = {0};
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        times[gjb_random_below(random, (uint32_t)count)]++;
    for (size_t i = 0; i < count; i++)
        for (uint16_t t = 0; t < times[i]; t++)
            drawn[at++] = sorted[i];
    const centre c = centre_of(drawn, count);
    return student(c.mean - whole.mean, c.error);
}

/* Resamples at least as far out as ours is where the truth is a limit: above a lower one, below an upper one. */
typedef struct tail {
    int above;
    double ours;
    size_t count;
} tail;
enum { SLOWER, FASTER, NOT_LESS, NOT_MORE, TAILS };

/* Never 0. */
static double chance(const tail *t, size_t resamples)
{
    return (1 + (double)t->count) / ((double)resamples + 1);
}

/* At least RESAMPLES_LEAST, which are in `students`, then until the rarer of slower and faster came often enough for
 * its chance to be known (Besag and Clifford, 1991), or `most`. Their number. */
static size_t fill_tails(tail tails[TAILS], const double *sorted, size_t count, centre whole, size_t most,
                         double students[RESAMPLES_LEAST], uint64_t seed)
{
    gjb_random random = gjb_random_make(seed, STREAM_RATIOS, count);
    size_t r = 0;
    while (r < most && (r < RESAMPLES_LEAST || tails[SLOWER].count < ENOUGH || tails[FASTER].count < ENOUGH)) {
        const double t = resample(sorted, count, whole, &random);
        if (r < RESAMPLES_LEAST)
            students[r] = t;
        for (int i = 0; i < TAILS; i++)
            tails[i].count += tails[i].above ? t >= tails[i].ours : t <= tails[i].ours;
        r++;
    }
    return r;
}

gjb_ratio gjb_ratio_of(const double *logs, size_t count, double floor, double finest, uint64_t seed)
{
    gjb_ratio ratio = {0, -INFINITY, INFINITY, {1, 1, 1, 1}, GJB_CHANGE_UNSURE};
    if (count > GJB_SAMPLES_MAX)
        count = GJB_SAMPLES_MAX;
    const double wanted = fmin(fmax(resamples_of_finest / finest, RESAMPLES_LEAST), RESAMPLES_MOST);
    double sorted[GJB_SAMPLES_MAX],
        *students = count >= GJB_RATIOS_LEAST ? malloc(RESAMPLES_LEAST * sizeof *students) : NULL;
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
    const double same = log1p(gjb_same_within);
    tail tails[TAILS] = {[SLOWER] = {1, student(whole.mean - floor, whole.error), 0},
                         [FASTER] = {0, student(whole.mean + floor, whole.error), 0},
                         [NOT_LESS] = {1, student(whole.mean + same, whole.error), 0},
                         [NOT_MORE] = {0, student(whole.mean - same, whole.error), 0}};
    const size_t resamples = fill_tails(tails, sorted, count, whole, (size_t)wanted, students, seed);
    gjb_sort(students, RESAMPLES_LEAST);
    const size_t cut = RESAMPLES_LEAST / 40;
    ratio.log = whole.mean;
    ratio.low = whole.error > 0 ? whole.mean - students[RESAMPLES_LEAST - 1 - cut] * whole.error : whole.mean;
    ratio.high = whole.error > 0 ? whole.mean - students[cut] * whole.error : whole.mean;
    ratio.p[GJB_CHANGE_SLOWER] = chance(&tails[SLOWER], resamples);
    ratio.p[GJB_CHANGE_FASTER] = chance(&tails[FASTER], resamples);
    ratio.p[GJB_CHANGE_NONE] = fmax(chance(&tails[NOT_LESS], resamples), chance(&tails[NOT_MORE], resamples));
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
