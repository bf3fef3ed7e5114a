/* Is one build slower, by ratios of paired launches: bootstrap intervals, p-values, and Holm's correction. */
#include "bench/compare/ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/statistics.h"
#include "scenes/generate/generate.h"

enum { STREAM_RATIOS = 0x62656e06, RESAMPLES_LEAST = 9999, RESAMPLES_MOST = 9999999, ENOUGH = 100, EXACT_MOST = 9,
       MULTISETS = 24310 /* of nine */ };

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

/* Resamples at least as far out as ours is if the truth is a limit: above a lower one, below an upper one. */
typedef struct tail {
    int above;
    double ours, weight;
} tail;
enum { SLOWER, FASTER, NOT_LESS, NOT_MORE, TAILS };

typedef struct resample {
    double student, weight;
} resample;

/* All resamples, the first of them one by one for the interval. */
typedef struct spread {
    const double *sorted;
    size_t count;
    centre whole;
    tail tails[TAILS];
    resample *kept;
    size_t kept_count, room;
    double weight, kept_weight;
} spread;

/* `drawn` is ascending, as the ranks that it was drawn as. */
static void take(spread *s, const double *drawn, double weight)
{
    const centre c = centre_of(drawn, s->count);
    const double t = student(c.mean - s->whole.mean, c.error);
    for (int i = 0; i < TAILS; i++)
        if (s->tails[i].above ? t >= s->tails[i].ours : t <= s->tails[i].ours)
            s->tails[i].weight += weight;
    s->weight += weight;
    if (s->kept_count < s->room) {
        s->kept[s->kept_count++] = (resample){t, weight};
        s->kept_weight += weight;
    }
}

/* Every resample there is, each as often as it would be drawn (Fisher and Hall, 1991). */
static void take_all(spread *s)
{
    const size_t n = s->count;
    double drawn[EXACT_MOST], first = 1; /* how often that of all different ones is drawn, of n^n */
    size_t ranks[EXACT_MOST] = {0}, last = 0;
    for (size_t i = 1; i <= n; i++)
        first *= (double)i / (double)n;
    while (last < n) {
        double weight = first;
        for (size_t i = 0, same = 1; i < n; i++) {
            drawn[i] = s->sorted[ranks[i]];
            same = i && ranks[i] == ranks[i - 1] ? same + 1 : 1;
            weight /= (double)same;
        }
        take(s, drawn, weight);
        for (last = 0; last < n && ranks[n - 1 - last] == n - 1;)
            last++;
        for (size_t i = n - 1 - last, rank = last < n ? ranks[i] + 1 : 0; last < n && i < n; i++)
            ranks[i] = rank;
    }
}

/* As many as make the interval, then until the rarer of slower and faster came often enough for its chance to be known
 * (Besag and Clifford, 1991), or `most`. */
static void take_some(spread *s, double most, uint64_t seed)
{
    gjb_random random = gjb_random_make(seed, STREAM_RATIOS, s->count);
    while (s->weight < most &&
           (s->kept_count < s->room || s->tails[SLOWER].weight < ENOUGH || s->tails[FASTER].weight < ENOUGH)) {
        double drawn[GJB_SAMPLES_MAX];
        uint16_t times[GJB_SAMPLES_MAX] = {0};
        size_t at = 0;
        for (size_t i = 0; i < s->count; i++)
            times[gjb_random_below(&random, (uint32_t)s->count)]++;
        for (size_t i = 0; i < s->count; i++)
            for (uint16_t t = 0; t < times[i]; t++)
                drawn[at++] = s->sorted[i];
        take(s, drawn, 1);
    }
}

/* Never 0: what was not drawn may be the next. */
static double chance(const spread *s, int tail)
{
    const double weight = s->tails[tail].weight;
    return s->count <= EXACT_MOST ? fmax(weight / s->weight, gjb_finest_chance) : (1 + weight) / (s->weight + 1);
}

static int by_student(const void *a, const void *b)
{
    const double x = ((const resample *)a)->student, y = ((const resample *)b)->student;
    return (x > y) - (x < y);
}

/* What one in forty is below, and one in forty above. `kept` is ascending. */
static void middle_of(const spread *s, double *low, double *high)
{
    const double tail = s->kept_weight / 40;
    double below = 0, above = 0;
    for (size_t i = 0; i < s->kept_count && below < tail; i++)
        below += s->kept[i].weight, *low = s->kept[i].student;
    for (size_t i = s->kept_count; i-- && above < tail;)
        above += s->kept[i].weight, *high = s->kept[i].student;
}

gjb_ratio gjb_ratio_of(const double *logs, size_t count, double floor, double finest, uint64_t seed)
{
    gjb_ratio ratio = {0, -INFINITY, INFINITY, {1, 1, 1, 1}, GJB_CHANGE_UNSURE};
    if (count > GJB_SAMPLES_MAX)
        count = GJB_SAMPLES_MAX;
    spread s = {.count = count, .room = count <= EXACT_MOST ? MULTISETS : RESAMPLES_LEAST};
    double sorted[GJB_SAMPLES_MAX], low = 0, high = 0;
    if (count)
        memcpy(sorted, logs, count * sizeof *sorted);
    s.kept = count >= GJB_RATIOS_LEAST ? malloc(s.room * sizeof *s.kept) : NULL;
    if (!s.kept) {
        ratio.log = gjb_median(sorted, count);
        return ratio;
    }
    gjb_sort(sorted, count);
    for (size_t i = 1; i < count; i++)
        if (sorted[i] - sorted[i - 1] < rounding)
            sorted[i] = sorted[i - 1];
    s.sorted = sorted;
    s.whole = centre_of(sorted, count);
    const double mean = s.whole.mean, error = s.whole.error, same = log1p(gjb_same_within);
    s.tails[SLOWER] = (tail){1, student(mean - floor, error), 0};
    s.tails[FASTER] = (tail){0, student(mean + floor, error), 0};
    s.tails[NOT_LESS] = (tail){1, student(mean + same, error), 0};
    s.tails[NOT_MORE] = (tail){0, student(mean - same, error), 0};
    if (count <= EXACT_MOST)
        take_all(&s);
    else
        take_some(&s, fmin(fmax(resamples_of_finest / finest, RESAMPLES_LEAST), RESAMPLES_MOST), seed);
    qsort(s.kept, s.kept_count, sizeof *s.kept, by_student);
    middle_of(&s, &low, &high);
    ratio.log = mean;
    ratio.low = error > 0 ? mean - high * error : mean;
    ratio.high = error > 0 ? mean - low * error : mean;
    ratio.p[GJB_CHANGE_SLOWER] = chance(&s, SLOWER);
    ratio.p[GJB_CHANGE_FASTER] = chance(&s, FASTER);
    ratio.p[GJB_CHANGE_NONE] = fmax(chance(&s, NOT_LESS), chance(&s, NOT_MORE));
    free(s.kept);
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
