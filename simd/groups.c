/* Sorts the vertices of a large hull into groups of neighbours, each with its bounding ball. */
#include "simd/groups.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct bounds {
    double low[3], high[3];
} bounds;

static bounds bounds_of(const gjb_grouped *v, uint32_t count)
{
    bounds b;
    for (int axis = 0; axis < 3; axis++) {
        b.low[axis] = b.high[axis] = v[0].at[axis];
        for (uint32_t i = 1; i < count; i++) {
            const double x = v[i].at[axis]; /* fmin is a call */
            b.low[axis] = x < b.low[axis] ? x : b.low[axis];
            b.high[axis] = x > b.high[axis] ? x : b.high[axis];
        }
    }
    return b;
}

static inline int before(const gjb_grouped *a, const gjb_grouped *b)
{
    return a->key != b->key ? a->key < b->key : a->index < b->index;
}

static int by_key(const void *left, const void *right)
{
    return before(left, right) ? -1 : before(right, left);
}

static void swap(gjb_grouped *a, gjb_grouped *b)
{
    const gjb_grouped kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves the median of v[0], v[middle] and v[last] to the middle. */
static void order_three(gjb_grouped *v, uint32_t middle, uint32_t last)
{
    if (before(&v[middle], &v[0]))
        swap(&v[middle], &v[0]);
    if (before(&v[last], &v[middle]))
        swap(&v[last], &v[middle]);
    if (before(&v[middle], &v[0]))
        swap(&v[middle], &v[0]);
}

/* Puts the `first` least of `count` > `first` vertices in front, in no order (quickselect, Hoare 1961).
 * Sorts them if that takes too many rounds, as it might for input made to defeat it. */
static void select_first(gjb_grouped *v, uint32_t count, uint32_t first)
{
    enum { ROUNDS = 40 };
    for (int round = 0; count > 2 * GROUP && round < ROUNDS; round++) {
        order_three(v, count / 2, count - 1);
        const gjb_grouped pivot = v[count / 2];
        uint32_t low = 0, high = count - 1;
        for (;;) {
            while (before(&v[low], &pivot))
                low++;
            while (before(&pivot, &v[high]))
                high--;
            if (low >= high)
                break;
            swap(&v[low++], &v[high--]);
        }
        const uint32_t split = high + 1; /* none before it exceeds any after it */
        if (first == split)
            return;
        const uint32_t skipped = first > split ? split : 0;
        count = first > split ? count - split : split;
        v += skipped;
        first -= skipped;
    }
    qsort(v, count, sizeof *v, by_key);
}

void gjb_group_vertices(gjb_grouped *v, uint32_t count)
{
    while (count > GROUP) {
        const bounds b = bounds_of(v, count);
        int widest = 0;
        for (int axis = 1; axis < 3; axis++)
            if (b.high[axis] - b.low[axis] > b.high[widest] - b.low[widest])
                widest = axis;
        for (uint32_t i = 0; i < count; i++)
            v[i].key = v[i].at[widest];
        const uint32_t half = ((count - 1) / GROUP + 1) / 2 * GROUP;
        if (half > GROUP)
            select_first(v, count, half);
        else /* a half is one group, whose order is kept */
            qsort(v, count, sizeof *v, by_key);
        gjb_group_vertices(v, half);
        v += half;
        count -= half;
    }
}

gjb_ball gjb_group_ball(const gjb_grouped *v, uint32_t count)
{
    const bounds b = bounds_of(v, count);
    gjb_ball ball = {.radius = 0};
    for (int axis = 0; axis < 3; axis++)
        ball.centre[axis] = b.low[axis] / 2 + b.high[axis] / 2;
    for (uint32_t i = 0; i < count; i++) {
        const double x = v[i].at[0] - ball.centre[0], y = v[i].at[1] - ball.centre[1], z = v[i].at[2] - ball.centre[2];
        const double most = fmax(fmax(fabs(x), fabs(y)), fabs(z));
        if (most > DBL_MAX / 4)
            ball.radius = DBL_MAX;
        else if (most > 0)
            ball.radius = fmax(ball.radius, most * sqrt((x / most) * (x / most) + (y / most) * (y / most) +
                                                        (z / most) * (z / most)));
    }
    return ball;
}
