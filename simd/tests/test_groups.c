/* The groups of a large hull's vertices are those that sorting at every level would make. */
#include "simd/groups.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "core/random.h"

static int by_key(const void *left, const void *right)
{
    const gjb_grouped *a = left, *b = right;
    return a->key < b->key ? -1 : a->key > b->key ? 1 : (a->index > b->index) - (a->index < b->index);
}

/* The order that groups.h promises, by sorting all vertices at every level. */
static void group_plainly(gjb_grouped *v, uint32_t count)
{
    double low[3], high[3];
    int widest = 0;
    if (count <= GROUP)
        return;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = v[0].at[axis];
        for (uint32_t i = 1; i < count; i++) {
            low[axis] = fmin(low[axis], v[i].at[axis]);
            high[axis] = fmax(high[axis], v[i].at[axis]);
        }
        widest = high[axis] - low[axis] > high[widest] - low[widest] ? axis : widest;
    }
    for (uint32_t i = 0; i < count; i++)
        v[i].key = v[i].at[widest];
    qsort(v, count, sizeof *v, by_key);
    const uint32_t half = (count + GROUP - 1) / GROUP / 2 * GROUP;
    group_plainly(v, half);
    group_plainly(v + half, count - half);
}

/* Scattered, on a lattice with many alike, along a line, backwards, and on a helix. */
Test(groups, selecting_groups_as_sorting_does)
{
    enum { MOST = 2000, KINDS = 5 };
    static gjb_grouped asked[MOST], plain[MOST];
    for (uint32_t round = 0; round < 500; round++) {
        gjb_random random = gjb_random_make(11, round, 0);
        const uint32_t count = 1 + gjb_random_below(&random, round % 10 ? 400 : MOST);
        for (uint32_t i = 0; i < count; i++) {
            asked[i].index = i;
            for (int axis = 0; axis < 3; axis++) {
                const double x = gjb_random_range(&random, -1, 1), turned = axis ? sin(0.01 * i) : cos(0.01 * i);
                const double kinds[KINDS] = {x, floor(4 * x), (double)i * (axis + 1), -(double)i, turned};
                asked[i].at[axis] = kinds[round % KINDS];
            }
            plain[i] = asked[i];
        }
        gjb_group_vertices(asked, count);
        group_plainly(plain, count);
        for (uint32_t i = 0; i < count; i++)
            cr_assert_eq(asked[i].index, plain[i].index, "round %u, place %u of %u", round, i, count);
    }
}
