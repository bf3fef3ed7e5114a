/* Exact convex hulls of vertices in the plane, by exact signs of turns. */
#include "reference/oracle/hull2.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/oracle/exact.h"

static int turn_exactly(const double p[2], const double q[2], const double r[2])
{
    const double x[6] = {p[0], p[1], q[0], q[1], r[0], r[1]};
    int exponent = INT_MAX;
    for (int k = 0; k < 6; k++) {
        int lowest = ref_lowest_bit(x[k]);
        exponent = lowest < exponent ? lowest : exponent;
    }
    if (exponent == INT_MAX)
        return 0;
    mpz_t z[6], left, right;
    for (int k = 0; k < 6; k++) {
        mpz_init(z[k]);
        ref_set_scaled(z[k], x[k], exponent);
    }
    for (int k = 2; k < 6; k++)
        mpz_sub(z[k], z[k], z[k % 2]);
    mpz_init(left);
    mpz_init(right);
    mpz_mul(left, z[2], z[5]);
    mpz_mul(right, z[3], z[4]);
    int sign = mpz_cmp(left, right);
    for (int k = 0; k < 6; k++)
        mpz_clear(z[k]);
    mpz_clear(left);
    mpz_clear(right);
    return (sign > 0) - (sign < 0);
}

int ref_turn2(const double p[2], const double q[2], const double r[2])
{
    double left = (p[0] - r[0]) * (q[1] - r[1]);
    double right = (p[1] - r[1]) * (q[0] - r[0]);
    double turn = left - right, sum = fabs(left) + fabs(right);
    /* Shewchuk 1997, stage A: the sign is right beyond (3 + 16u)u times the
     * sum, unless products underflow. 4u covers it. */
    if (sum > 0x1p-900 && isfinite(sum) && fabs(turn) > 0x1p-51 * sum)
        return turn > 0 ? 1 : -1;
    return turn_exactly(p, q, r);
}

static int order(const double p[2], const double q[2])
{
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* Left turns all the way and once around: then one vertex alone has both its
 * neighbours after it in lexicographic order. */
static bool strictly_convex(const double (*v)[2], uint32_t n)
{
    uint32_t lowest = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t before = k ? k - 1 : n - 1, after = k + 1 < n ? k + 1 : 0;
        if (ref_turn2(v[before], v[k], v[after]) <= 0)
            return false;
        lowest += order(v[k], v[before]) < 0 && order(v[k], v[after]) < 0;
    }
    return lowest == 1;
}

typedef struct sorted {
    double at[2];
    uint32_t index;
} sorted;

static int compare(const void *p, const void *q)
{
    const sorted *a = p, *b = q;
    int by_place = order(a->at, b->at);
    return by_place ? by_place : (a->index > b->index) - (a->index < b->index);
}

uint32_t ref_hull2(const double (*v)[2], uint32_t n, uint32_t *hull)
{
    if (n >= 3 && strictly_convex(v, n)) {
        for (uint32_t k = 0; k < n; k++)
            hull[k] = k;
        return n;
    }
    /* Andrew's monotone chain (1979). The lower chain ends before the last
     * point, the upper before the first. */
    sorted *points = malloc(2 * (size_t)n * sizeof *points);
    if (!points) {
        fputs("gjkbench: out of memory in the exact hull\n", stderr);
        abort();
    }
    sorted *chain = points + n;
    for (uint32_t k = 0; k < n; k++)
        points[k] = (sorted){{v[k][0], v[k][1]}, k};
    qsort(points, n, sizeof *points, compare);
    uint32_t unique = 1;
    for (uint32_t k = 1; k < n; k++)
        if (order(points[k].at, points[unique - 1].at) != 0)
            points[unique++] = points[k];
    uint32_t written = 0;
    for (int upper = 0; upper < 2; upper++) {
        uint32_t length = 0;
        for (uint32_t k = 0; k < unique; k++) {
            const sorted *next = &points[upper ? unique - 1 - k : k];
            while (length >= 2 && ref_turn2(chain[length - 2].at, chain[length - 1].at, next->at) <= 0)
                length--;
            chain[length++] = *next;
        }
        for (uint32_t k = 0; k + 1 < length; k++)
            hull[written++] = chain[k].index;
    }
    if (unique == 1)
        hull[written++] = points[0].index;
    free(points);
    return written;
}
