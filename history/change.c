/* Change points of a series by recursive splits, placed and judged again; false discovery rate over many series. */
#include "history/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/statistics.h"

/* A stretch is held to its share of the level: those without a change make up the series, and together raise a false
 * alarm no more often than one series would. */
static double share(double level, size_t stretch, size_t n)
{
    return level * (double)stretch / (double)n;
}

/* What is still to be split. A stack of its own: nothing bounds the depth but n. */
typedef struct span { size_t first, end; } span;

static int ascending(const void *a, const void *b)
{
    const gjb_split *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

enum { NEAR = 20 }; /* how far the best split by ranks may be off: it leans to the middle */

/* Sum of distances from the median. */
static double spread(const double *values, size_t n)
{
    double sorted[GJB_CHANGE_SIDE_MOST + NEAR], sum = 0;
    memcpy(sorted, values, n * sizeof *values);
    const double median = gjb_median(sorted, n);
    for (size_t i = 0; i < n; i++)
        sum += fabs(values[i] - median);
    return sum;
}

/* Where between `first` and `end` two levels fit best, near `at`. */
static size_t place(const double *values, size_t first, size_t at, size_t end)
{
    first = at - first > GJB_CHANGE_SIDE_MOST ? at - GJB_CHANGE_SIDE_MOST : first;
    end = end - at > GJB_CHANGE_SIDE_MOST ? at + GJB_CHANGE_SIDE_MOST : end;
    const size_t low = at - first > NEAR + GJB_CHANGE_SIDE_LEAST ? at - NEAR : first + GJB_CHANGE_SIDE_LEAST,
                 high = end - at > NEAR + GJB_CHANGE_SIDE_LEAST ? at + NEAR : end - GJB_CHANGE_SIDE_LEAST;
    double least = INFINITY;
    for (size_t t = low; t <= high; t++) {
        const double sum = spread(values + first, t - first) + spread(values + t, end - t);
        if (sum < least) {
            least = sum;
            at = t;
        }
    }
    return at;
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
        if (again.p > share(level, end - first, n) || !again.at)
            continue;
        again.at = place(values, first, first + again.at, end);
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
        if (found.p > share(level, s.end - s.first, n) || !found.at)
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

typedef struct ranked { double value; size_t at; } ranked;

static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : (x->at > y->at) - (x->at < y->at);
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
