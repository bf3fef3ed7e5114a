#include "history/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/generate.h"

/* Streams of gjb_random that belong to this room; the ratio's is in ratio.c. */
enum { STREAM_CHANCE = 0x68697301 };
enum { EXCEEDED_ENOUGH = 50, DRAWS = 9999 };

/* Scores of runs in random order, of one length, as they were drawn. */
typedef struct gjb_chance_length {
    size_t n, count, capacity;
    gjb_random random;
    double *scores;
} gjb_chance_length;

void gjb_chance_free(gjb_chance *chance)
{
    for (size_t i = 0; i < chance->count; i++)
        free(chance->lengths[i].scores);
    free(chance->lengths);
    chance->lengths = NULL;
    chance->count = 0;
}

/* The best split of ranks 1 .. n, ties at their mean. */
static gjb_split best_split(const double *ranks, size_t n)
{
    gjb_split best = {0, 0, 1};
    const double all = (double)n;
    double sum = 0;
    for (size_t t = 1; t + GJB_CHANGE_SIDE_LEAST <= n; t++) {
        sum += ranks[t - 1];
        if (t < GJB_CHANGE_SIDE_LEAST)
            continue;
        const double left = (double)t;
        const double score = fabs(sum - left * (all + 1) / 2) / sqrt(left * (all - left) * (all + 1) / 12);
        if (score > best.score || !best.at)
            best = (gjb_split){t, score, 1};
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
    return grown;
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
    length->scores[length->count++] = best_split(ranks, length->n).score;
    return 0;
}

/* A score that differs by rounding alone is the same score. */
static double p_of(double score, size_t n, gjb_chance *chance)
{
    const size_t draws = chance->draws ? chance->draws : DRAWS;
    gjb_chance_length *length = length_of(chance, n);
    double *ranks = length ? malloc(n * sizeof *ranks) : NULL, p = -1;
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
    best = best_split(ranks, n);
    free(ranks);
    best.p = p_of(best.score, n, chance);
    return best;
}

/* Splits [first, end), then both sides, in order. A stack of its own: nothing bounds the depth but n. */
typedef struct span { size_t first, end; } span;

static int ascending(const void *a, const void *b)
{
    const gjb_split *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Between its neighbours, which were not known when it was found, each is placed and judged once more. */
static long place_again(const double *values, size_t n, double level, gjb_chance *chance, gjb_split *changes,
                        size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t first = kept ? changes[kept - 1].at : 0, end = i + 1 < count ? changes[i + 1].at : n;
        gjb_split again = gjb_split_find(values + first, end - first, chance);
        if (again.p < 0)
            return -1;
        if (again.p > level || !again.at)
            continue;
        again.at += first;
        changes[kept++] = again;
    }
    return (long)kept;
}

long gjb_changes_find(const double *values, size_t n, double level, gjb_chance *chance, gjb_split *changes)
{
    span *open = malloc((n + 1) * sizeof *open);
    size_t opened = 0, count = 0;
    if (!open)
        return -1;
    open[opened++] = (span){0, n};
    while (opened) {
        const span s = open[--opened];
        gjb_split found = gjb_split_find(values + s.first, s.end - s.first, chance);
        if (found.p < 0) {
            free(open);
            return -1;
        }
        if (found.p > level || !found.at)
            continue;
        found.at += s.first;
        changes[count++] = found;
        open[opened++] = (span){s.first, found.at};
        open[opened++] = (span){found.at, s.end};
    }
    free(open);
    qsort(changes, count, sizeof *changes, ascending);
    return place_again(values, n, level, chance, changes, count);
}

double gjb_discoveries(const double *p, size_t n, double rate, double *q)
{
    ranked *order = malloc((n ? n : 1) * sizeof *order);
    double least = 1, level = 0;
    if (!order)
        return -1;
    for (size_t i = 0; i < n; i++)
        order[i] = (ranked){p[i], i};
    qsort(order, n, sizeof *order, by_value);
    for (size_t k = n; k > 0; k--) {
        least = fmin(least, order[k - 1].value * (double)n / (double)k);
        q[order[k - 1].at] = least;
        if (least <= rate && level == 0)
            level = rate * (double)k / (double)n;
    }
    free(order);
    return level;
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
