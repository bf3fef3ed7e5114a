/* Convex polygons in rationals: hulls, parts on one side of a line, areas, and the four corners that span most. */
#include "reference/patch/polygon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/oracle/exact.h"

void ref_polygon_open(ref_polygon *p, uint32_t room)
{
    p->at = ref_zeroed(room, sizeof *p->at);
    p->room = room;
    p->count = 0;
    for (uint32_t k = 0; k < room; k++)
        mpq_inits(p->at[k].x[0], p->at[k].x[1], NULL);
}

void ref_polygon_close(ref_polygon *p)
{
    for (uint32_t k = 0; k < p->room; k++)
        mpq_clears(p->at[k].x[0], p->at[k].x[1], NULL);
    free(p->at);
}

static void append(ref_polygon *p, const ref_point2 *point)
{
    mpq_set(p->at[p->count].x[0], point->x[0]);
    mpq_set(p->at[p->count].x[1], point->x[1]);
    p->count++;
}

void ref_turn2_exact(mpq_t out, const ref_point2 *p, const ref_point2 *q, const ref_point2 *r)
{
    mpq_t u, v;
    mpq_inits(u, v, NULL);
    mpq_sub(u, q->x[0], p->x[0]);
    mpq_sub(v, r->x[1], p->x[1]);
    mpq_mul(out, u, v);
    mpq_sub(u, q->x[1], p->x[1]);
    mpq_sub(v, r->x[0], p->x[0]);
    mpq_mul(u, u, v);
    mpq_sub(out, out, u);
    mpq_clears(u, v, NULL);
}

int ref_turn2_sign(const ref_point2 *p, const ref_point2 *q, const ref_point2 *r)
{
    const ref_point2 *point[3] = {p, q, r};
    double at[3][2], reach[2] = {0, 0};
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < 2; m++) {
            at[k][m] = mpq_get_d(point[k]->x[m]);
            reach[m] = fmax(reach[m], fabs(at[k][m]));
        }
    const double turn = (at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) - (at[1][1] - at[0][1]) * (at[2][0] - at[0][0]);
    if (fabs(turn) > REF_TURN_DOUBT * reach[0] * reach[1])
        return ref_sign(turn);
    mpq_t exact;
    mpq_init(exact);
    ref_turn2_exact(exact, p, q, r);
    const int sign = mpq_sgn(exact);
    mpq_clear(exact);
    return sign;
}

static int compare(const void *left, const void *right)
{
    const ref_point2 *p = left, *q = right;
    int first = mpq_cmp(p->x[0], q->x[0]);
    return first ? first : mpq_cmp(p->x[1], q->x[1]);
}

/* Andrew's monotone chain (1979): the lower chain ends before the last point, the upper before the first. */
void ref_polygon_hull(ref_polygon *p)
{
    ref_polygon hull;
    if (p->count < 2)
        return;
    qsort(p->at, p->count, sizeof *p->at, compare);
    if (compare(&p->at[0], &p->at[p->count - 1]) == 0) {
        p->count = 1;
        return;
    }
    ref_polygon_open(&hull, 2 * p->count);
    for (int upper = 0; upper < 2; upper++) {
        uint32_t first = hull.count;
        for (uint32_t k = 0; k < p->count; k++) {
            const ref_point2 *next = &p->at[upper ? p->count - 1 - k : k];
            while (hull.count >= first + 2) {
                if (ref_turn2_sign(&hull.at[hull.count - 2], &hull.at[hull.count - 1], next) > 0)
                    break;
                hull.count--;
            }
            if (hull.count == first || compare(&hull.at[hull.count - 1], next) != 0)
                append(&hull, next);
        }
        hull.count--;
    }
    ref_polygon_close(p);
    *p = hull;
}

void ref_line2_init(ref_line2 *line)
{
    mpq_inits(line->by[0], line->by[1], line->by[2], NULL);
}

void ref_line2_clear(ref_line2 *line)
{
    mpq_clears(line->by[0], line->by[1], line->by[2], NULL);
}

void ref_line2_at(mpq_t out, const ref_line2 *line, const ref_point2 *point)
{
    mpq_t t;
    mpq_init(t);
    mpq_mul(out, line->by[0], point->x[0]);
    mpq_mul(t, line->by[1], point->x[1]);
    mpq_add(out, out, t);
    mpq_add(out, out, line->by[2]);
    mpq_clear(t);
}

void ref_point2_round(const ref_point2 *point, double out[2])
{
    out[0] = mpq_get_d(point->x[0]);
    out[1] = mpq_get_d(point->x[1]);
}

double ref_line2_near(const ref_line2 *line, const double point[2], double *doubt)
{
    const double along = mpq_get_d(line->by[0]) * point[0], across = mpq_get_d(line->by[1]) * point[1];
    const double rest = mpq_get_d(line->by[2]);
    *doubt = 0x1p-48 * (fabs(along) + fabs(across) + fabs(rest));
    return along + across + rest;
}

/* Where the line is 0 between p, where it is `u`, and q, where it is `v` of the other sign: p + (q - p) u / (u - v). */
static void cross_line(ref_polygon *out, const ref_point2 *p, const ref_point2 *q, const mpq_t u, const mpq_t v)
{
    ref_point2 *at = &out->at[out->count++];
    mpq_t along;
    mpq_init(along);
    mpq_sub(along, u, v);
    mpq_div(along, u, along);
    for (int m = 0; m < 2; m++) {
        mpq_sub(at->x[m], q->x[m], p->x[m]);
        mpq_mul(at->x[m], at->x[m], along);
        mpq_add(at->x[m], at->x[m], p->x[m]);
    }
    mpq_clear(along);
}

/* The sign of a line at a point, by doubles if they are sure. */
static int line_sign(const ref_line2 *line, const ref_point2 *point)
{
    double at[2], doubt;
    ref_point2_round(point, at);
    const double near = ref_line2_near(line, at, &doubt);
    if (fabs(near) > doubt)
        return ref_sign(near);
    mpq_t exact;
    mpq_init(exact);
    ref_line2_at(exact, line, point);
    const int sign = mpq_sgn(exact);
    mpq_clear(exact);
    return sign;
}

static bool is_all_within(const ref_polygon *p, const ref_line2 *line)
{
    for (uint32_t k = 0; k < p->count; k++)
        if (line_sign(line, &p->at[k]) < 0)
            return false;
    return true;
}

void ref_polygon_clip(ref_polygon *p, const ref_line2 *line)
{
    ref_polygon out;
    mpq_t here, there;
    if (is_all_within(p, line))
        return;
    ref_polygon_open(&out, 2 * p->count);
    mpq_inits(here, there, NULL);
    ref_line2_at(here, line, &p->at[0]);
    for (uint32_t k = 0; k < p->count; k++) {
        const ref_point2 *next = &p->at[k + 1 < p->count ? k + 1 : 0];
        ref_line2_at(there, line, next);
        if (mpq_sgn(here) >= 0)
            append(&out, &p->at[k]);
        if (mpq_sgn(here) * mpq_sgn(there) < 0)
            cross_line(&out, &p->at[k], next, here, there);
        mpq_swap(here, there);
    }
    mpq_clears(here, there, NULL);
    ref_polygon_close(p);
    *p = out;
}

void ref_polygon_area(mpq_t out, const ref_polygon *p)
{
    mpq_t turn;
    mpq_init(turn);
    mpq_set_ui(out, 0, 1);
    for (uint32_t k = 2; k < p->count; k++) {
        ref_turn2_exact(turn, &p->at[0], &p->at[k - 1], &p->at[k]);
        mpq_add(out, out, turn);
    }
    mpq_clear(turn);
}

/* Corners in double relative to the first, and how far rounding may move a turn of them. */
typedef struct rounded {
    double (*at)[2];
    double doubt;
} rounded;

static void rounded_open(rounded *out, const ref_polygon *p)
{
    double reach[2] = {0, 0};
    mpq_t step;
    mpq_init(step);
    out->at = ref_zeroed(p->count, sizeof *out->at);
    for (uint32_t k = 0; k < p->count; k++)
        for (int m = 0; m < 2; m++) {
            mpq_sub(step, p->at[k].x[m], p->at[0].x[m]);
            out->at[k][m] = mpq_get_d(step);
            reach[m] = fmax(reach[m], fabs(out->at[k][m]));
        }
    out->doubt = REF_TURN_DOUBT * reach[0] * reach[1];
    mpq_clear(step);
}

/* (j - i) x (l - k): of corners in the order i, k, j, l it is -2 times their area; in double. */
static double cross_rounded(const rounded *r, uint32_t i, uint32_t j, uint32_t k, uint32_t l)
{
    const double *from = r->at[i], *to = r->at[j], *here = r->at[k], *there = r->at[l];
    return (to[0] - from[0]) * (there[1] - here[1]) - (to[1] - from[1]) * (there[0] - here[0]);
}

static void cross_exactly(mpq_t out, const ref_polygon *p, uint32_t i, uint32_t j, uint32_t k, uint32_t l)
{
    mpq_t u, v;
    mpq_inits(u, v, NULL);
    for (int m = 0; m < 2; m++) {
        mpq_sub(u, p->at[j].x[m], p->at[i].x[m]);
        mpq_sub(v, p->at[l].x[!m], p->at[k].x[!m]);
        mpq_mul(u, u, v);
        if (m == 0)
            mpq_set(out, u);
        else
            mpq_sub(out, out, u);
    }
    mpq_clears(u, v, NULL);
}

/* Of (j - i) x (l - k). */
static int cross_sign(const ref_polygon *p, const rounded *r, uint32_t i, uint32_t j, uint32_t k, uint32_t l)
{
    const double near = cross_rounded(r, i, j, k, l);
    if (fabs(near) > r->doubt)
        return ref_sign(near);
    mpq_t exact;
    mpq_init(exact);
    cross_exactly(exact, p, i, j, k, l);
    const int sign = mpq_sgn(exact);
    mpq_clear(exact);
    return sign;
}

/* The corner from `at` on, before `end`, that is farthest from the line through i and j, on the right (`side` 1) or
 * left (-1) of it. Distances rise and then fall along a convex polygon. Indices count around. */
static uint32_t farthest(const ref_polygon *p, const rounded *r, uint32_t i, uint32_t j, uint32_t at, uint32_t end,
                         int side)
{
    const uint32_t count = p->count;
    while (at + 1 < end &&
           side * cross_sign(p, r, i % count, j % count, at % count, (at + 1) % count) <= 0)
        at++;
    return at;
}

/* Is the area of these four larger than that of those? */
static bool is_larger(const ref_polygon *p, const rounded *r, const uint32_t four[4], const uint32_t best[4])
{
    const double gain = fabs(cross_rounded(r, four[0], four[2], four[1], four[3])) -
                        fabs(cross_rounded(r, best[0], best[2], best[1], best[3]));
    if (fabs(gain) > 4 * r->doubt)
        return gain > 0;
    mpq_t own, other;
    mpq_inits(own, other, NULL);
    cross_exactly(own, p, four[0], four[2], four[1], four[3]);
    cross_exactly(other, p, best[0], best[2], best[1], best[3]);
    mpq_abs(own, own);
    mpq_abs(other, other);
    const bool larger = mpq_cmp(own, other) > 0;
    mpq_clears(own, other, NULL);
    return larger;
}

static int ascending(const void *left, const void *right)
{
    uint32_t p = *(const uint32_t *)left, q = *(const uint32_t *)right;
    return (p > q) - (p < q);
}

/* Four corners have two diagonals; the one with the deep corner i ends at j. As j goes on, so does what is farthest
 * on either side. */
void ref_polygon_best(const ref_polygon *p, const bool *deep, uint32_t best[4], mpq_t most)
{
    bool found = false;
    rounded r;
    rounded_open(&r, p);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t k = i + 1, l = i + 3;
        for (uint32_t j = i + 2; deep[i] && j < i + p->count - 1; j++) {
            k = farthest(p, &r, i, j, k, j, 1);
            l = farthest(p, &r, i, j, l > j ? l : j + 1, i + p->count, -1);
            const uint32_t four[4] = {i, k % p->count, j % p->count, l % p->count};
            if (found && !is_larger(p, &r, four, best))
                continue;
            memcpy(best, four, sizeof four);
            found = true;
        }
    }
    cross_exactly(most, p, best[0], best[2], best[1], best[3]);
    mpq_abs(most, most);
    qsort(best, 4, sizeof *best, ascending);
    free(r.at);
}
