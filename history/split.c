/* The best split of a series by ranks over seeded windows, with its p-value from random permutations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "history/change.h"
#include "scenes/generate/generate.h"

/* Streams of gjb_random that belong to this room; the ratio's is in ratio.c. */
enum { STREAM_CHANCE = 0x68697301 };
enum { EXCEEDED_ENOUGH = 400, DRAWS = 9999, DRAWS_LEAST = 1999, WORK = 2000000000 /* splits to look at for series of one length */ };
/* Windows of a series: the whole, and, of one that is not short, overlapping parts of it. */
enum { SCALES = 10, WINDOW_LEAST = 12, WINDOWS_FROM = 32 };

/* What a split with a left side of `a` runs scores: -power * log(1 - scale * d^2), d the left side's sum of ranks less
 * what it would be without a difference. */
typedef struct weighing { double scale, power; } weighing;

/* Splits of windows of one length, which begin `first[0]`, `first[1]`, ... */
typedef struct windows {
    size_t length, count;
    size_t *first;
    weighing *weigh; /* [a] */
} windows;

/* Scores of runs in random order, of one length, as they were drawn. */
typedef struct gjb_chance_length {
    size_t n, count, capacity;
    gjb_random random;
    double *scores, *sums; /* sums: room for n + 1 */
    windows scales[SCALES];
    size_t scale_count;
} gjb_chance_length;

void gjb_chance_free(gjb_chance *chance)
{
    for (size_t i = 0; i < chance->count; i++) {
        gjb_chance_length *length = &chance->lengths[i];
        free(length->scores);
        free(length->sums);
        for (size_t k = 0; k < length->scale_count; k++) {
            free(length->scales[k].first);
            free(length->scales[k].weigh);
        }
    }
    free(chance->lengths);
    chance->lengths = NULL;
    chance->count = 0;
}

/* The best split of any window, of ranks 1 .. n, ties at their mean. */
static gjb_split best_split(const gjb_chance_length *length, const double *ranks)
{
    gjb_split best = {0, 0, 1};
    double *const sums = length->sums;
    sums[0] = 0;
    for (size_t i = 0; i < length->n; i++)
        sums[i + 1] = sums[i] + ranks[i];
    for (size_t k = 0; k < length->scale_count; k++) {
        const windows *w = &length->scales[k];
        for (size_t i = 0; i < w->count; i++) {
            const double *at = sums + w->first[i], mean = (at[w->length] - at[0]) / (double)w->length;
            for (size_t a = GJB_CHANGE_SIDE_LEAST; a + GJB_CHANGE_SIDE_LEAST <= w->length; a++) {
                const double d = at[a] - at[0] - (double)a * mean, y = w->weigh[a].scale * d * d;
                if (best.at && w->weigh[a].power * y <= best.score * (1 - y)) /* the logarithm is no better */
                    continue;
                const double score = -w->weigh[a].power * log1p(-y);
                if (score > best.score || !best.at)
                    best = (gjb_split){w->first[i] + a, score, 1};
            }
        }
    }
    return best;
}

typedef struct ranked { double value; size_t at; } ranked;

static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : (x->at > y->at) - (x->at < y->at);
}

static double *ranks_of(const double *values, size_t n)
{
    double *ranks = malloc((n ? n : 1) * sizeof *ranks);
    ranked *order = malloc((n ? n : 1) * sizeof *order);
    for (size_t i = 0; ranks && order && i < n; i++)
        order[i] = (ranked){values[i], i};
    if (ranks && order)
        qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0, end; ranks && order && i < n; i = end) {
        for (end = i + 1; end < n && order[end].value == order[i].value; end++)
            ;
        for (size_t j = i; j < end; j++)
            ranks[order[j].at] = (double)(i + 1 + end) / 2;
    }
    if (!order) {
        free(ranks);
        ranks = NULL;
    }
    free(order);
    return ranks;
}

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* Sides of a few runs have short tails: five of a hundred runs that are all slower come by chance once in 75 million times,
 * but lie just 3.8 deviations off. So that every split is held to the same chance, the mean ranks' difference is taken
 * for one that follows a symmetric beta distribution with the variance and the range that it has, and the chance that
 * it has at the end of that range. That is near enough, for what scores are worth is counted. */
static weighing weigh(double n, double a, double b)
{
    const double length = a + b, variance = n * (n + 1) / 12 * length / (a * b), most = n - length / 2;
    const double power = (most * most / variance - 1) / 2;
    const double end = log_choose(n, a) + (length < n ? log_choose(n - a, b) : 0) - log(2);
    const double per_rank = length / (a * b); /* of the sums' difference, to that of means */
    return (weighing){-expm1(-end / power) * per_rank * per_rank / (most * most), power};
}

/* `count` windows, evenly spaced. -1 out of memory. */
static int add_windows(gjb_chance_length *length, size_t size, size_t count)
{
    windows *w = &length->scales[length->scale_count++];
    *w = (windows){size, count, malloc(count * sizeof *w->first), calloc(size + 1, sizeof *w->weigh)};
    if (!w->first || !w->weigh)
        return -1;
    for (size_t i = 0; i < count; i++)
        w->first[i] = count > 1 ? i * (length->n - size) / (count - 1) : 0;
    for (size_t a = 1; a < size; a++)
        w->weigh[a] = weigh((double)length->n, (double)a, (double)(size - a));
    return 0;
}

/* Seeded intervals (Kovacs, Buhlmann, Li and Munk 2023): each scale is shorter by the root of two, and overlaps by half. */
static int open_length(gjb_chance_length *length)
{
    const size_t n = length->n;
    length->sums = malloc((n + 1) * sizeof *length->sums);
    int failed = !length->sums || add_windows(length, n, 1);
    for (size_t k = 1; k < SCALES && !failed && n >= WINDOWS_FROM; k++) {
        const double share = pow(0.5, 0.5 * (double)k);
        const size_t size = (size_t)ceil((double)n * share);
        if (size < WINDOW_LEAST)
            break;
        failed = add_windows(length, size, 2 * (size_t)ceil(1 / share) - 1);
    }
    return failed ? -1 : 0;
}

static gjb_chance_length *length_of(gjb_chance *chance, size_t n)
{
    for (size_t i = 0; i < chance->count; i++)
        if (chance->lengths[i].n == n)
            return &chance->lengths[i];
    gjb_chance_length *grown = realloc(chance->lengths, (chance->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    chance->lengths = grown;
    grown += chance->count++;
    *grown = (gjb_chance_length){.n = n, .random = gjb_random_make(chance->seed, STREAM_CHANCE, n)};
    return open_length(grown) ? NULL : grown;
}

/* Splits that one permutation is looked at for. */
static size_t work_of(const gjb_chance_length *length)
{
    size_t work = 0;
    for (size_t k = 0; k < length->scale_count; k++)
        work += length->scales[k].length * length->scales[k].count;
    return work;
}

/* One more score; `ranks` holds n, in any order. -1 out of memory. */
static int draw(gjb_chance_length *length, double *ranks)
{
    if (length->count == length->capacity) {
        const size_t capacity = length->capacity ? 4 * length->capacity : 256;
        double *grown = realloc(length->scores, capacity * sizeof *grown);
        if (!grown)
            return -1;
        length->scores = grown;
        length->capacity = capacity;
    }
    for (size_t i = 0; i < length->n; i++)
        ranks[i] = (double)(i + 1);
    for (size_t i = length->n; i > 1; i--) { /* Fisher and Yates */
        const size_t j = gjb_random_below(&length->random, (uint32_t)i);
        const double other = ranks[j];
        ranks[j] = ranks[i - 1];
        ranks[i - 1] = other;
    }
    length->scores[length->count++] = best_split(length, ranks).score;
    return 0;
}

/* A score that differs by rounding alone is the same score. */
static double p_of(double score, gjb_chance_length *length, const gjb_chance *chance)
{
    const size_t n = length->n, affordable = WORK / work_of(length), most = affordable > DRAWS_LEAST ? affordable : DRAWS_LEAST;
    const size_t wanted = chance->draws ? chance->draws : DRAWS, draws = wanted < most ? wanted : most;
    double *ranks = malloc(n * sizeof *ranks), p = -1;
    size_t exceeded = 0, l = 0;
    if (!ranks)
        return -1;
    for (; l < draws && exceeded < EXCEEDED_ENOUGH; l++) {
        if (l == length->count && draw(length, ranks))
            goto done;
        exceeded += length->scores[l] >= score * (1 - 1e-12);
    }
    p = exceeded == EXCEEDED_ENOUGH ? (double)exceeded / (double)l : (double)(exceeded + 1) / (double)(draws + 1);
done:
    free(ranks);
    return p;
}

gjb_split gjb_split_find(const double *values, size_t n, gjb_chance *chance)
{
    gjb_split best = {0, 0, 1};
    if (n < GJB_CHANGE_RUNS_LEAST)
        return best;
    double *ranks = ranks_of(values, n);
    if (!ranks)
        return (gjb_split){0, 0, -1};
    gjb_chance_length *length = length_of(chance, n);
    if (length)
        best = best_split(length, ranks);
    free(ranks);
    best.p = length ? p_of(best.score, length, chance) : -1;
    return best;
}

double gjb_split_least_p(size_t n)
{
    if (n < GJB_CHANGE_RUNS_LEAST)
        return 1;
    /* All below the middle on one side, all above on the other: two of so many ways to choose a side. Every score
     * as large is one of those, the middle's being the largest that there is. */
    const double half = (double)(n / 2), rest = (double)(n - n / 2);
    const double ways = exp(lgamma((double)n + 1) - lgamma(half + 1) - lgamma(rest + 1));
    return fmin(1, (n % 2 ? 4 : 2) / ways);
}
