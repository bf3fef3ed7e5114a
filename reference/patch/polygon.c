/* Convex polygons in rationals: hulls, parts on one side of a line, areas, and the four corners that span most. */
#include "reference/patch/polygon.h"

#include <stdlib.h>

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
    mpq_t turn;
    if (p->count < 2)
        return;
    qsort(p->at, p->count, sizeof *p->at, compare);
    if (compare(&p->at[0], &p->at[p->count - 1]) == 0) {
        p->count = 1;
        return;
    }
    ref_polygon_open(&hull, 2 * p->count);
    mpq_init(turn);
    for (int upper = 0; upper < 2; upper++) {
        uint32_t first = hull.count;
        for (uint32_t k = 0; k < p->count; k++) {
            const ref_point2 *next = &p->at[upper ? p->count - 1 - k : k];
            while (hull.count >= first + 2) {
                ref_turn2_exact(turn, &hull.at[hull.count - 2], &hull.at[hull.count - 1], next);
                if (mpq_sgn(turn) > 0)
                    break;
                hull.count--;
            }
            if (hull.count == first || compare(&hull.at[hull.count - 1], next) != 0)
                append(&hull, next);
        }
        hull.count--;
    }
    mpq_clear(turn);
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

void ref_polygon_clip(ref_polygon *p, const ref_line2 *line)
{
    ref_polygon out;
    mpq_t here, there;
    if (p->count == 0)
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

/* The corner from `at` on, before `end`, that is farthest from the line through i and j; `area` gets its triangle.
 * Areas rise and then fall along a convex polygon. Indices count around. */
static uint32_t farthest(const ref_polygon *p, uint32_t i, uint32_t j, uint32_t at, uint32_t end, mpq_t area)
{
    mpq_t next;
    mpq_init(next);
    const ref_point2 *from = &p->at[i % p->count], *to = &p->at[j % p->count];
    ref_turn2_exact(area, from, &p->at[at % p->count], to);
    mpq_abs(area, area);
    while (at + 1 < end) {
        ref_turn2_exact(next, from, &p->at[(at + 1) % p->count], to);
        mpq_abs(next, next);
        if (mpq_cmp(next, area) < 0)
            break;
        mpq_swap(area, next);
        at++;
    }
    mpq_clear(next);
    return at;
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
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    mpq_set_si(most, -1, 1);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t k = i + 1, l = i + 3;
        for (uint32_t j = i + 2; deep[i] && j < i + p->count - 1; j++) {
            k = farthest(p, i, j, k, j, left);
            l = farthest(p, i, j, l > j ? l : j + 1, i + p->count, right);
            mpq_add(left, left, right);
            if (mpq_cmp(left, most) <= 0)
                continue;
            mpq_set(most, left);
            const uint32_t chosen[4] = {i, k, j, l};
            for (int m = 0; m < 4; m++)
                best[m] = chosen[m] % p->count;
        }
    }
    qsort(best, 4, sizeof *best, ascending);
    mpq_clears(left, right, NULL);
}
