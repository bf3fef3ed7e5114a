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
            b.low[axis] = fmin(b.low[axis], v[i].at[axis]);
            b.high[axis] = fmax(b.high[axis], v[i].at[axis]);
        }
    }
    return b;
}

static int by_key(const void *left, const void *right)
{
    const gjb_grouped *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
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
        qsort(v, count, sizeof *v, by_key);
        const uint32_t half = ((count - 1) / GROUP + 1) / 2 * GROUP;
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
