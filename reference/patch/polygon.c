/* Convex polygons in rationals: hulls, parts on one side of a line, areas, and the four corners that span most. */
#include "reference/patch/polygon.h"

#include <limits.h>
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

/* Corners about the first one in units of 2^-192 of a scale on which none is farther than 1 along an axis: integers,
 * which decide nearly all comparisons of areas. Each is less than a unit off, so that twice a triangle's area is off by
 * less than 2^196 square units. Where two equal polygons lie on one another, corners are pairs as near as rounding. */
enum { ROUGH_BITS = 192, ROUGH_DOUBT = ROUGH_BITS + 4 };

typedef struct rough_polygon {
    const ref_polygon *exact;
    mpz_t (*at)[2];
    mpz_t doubt; /* more than what a comparison of two sums of two areas is off by */
    mpz_t here, next, u, v;
} rough_polygon;

/* No less than the exponent of |x|, and at most one more. */
static long exponent_of(const mpq_t x)
{
    return (long)mpz_sizeinbase(mpq_numref(x), 2) - (long)mpz_sizeinbase(mpq_denref(x), 2) + 1;
}

static void rough_open(rough_polygon *rough, const ref_polygon *p)
{
    mpq_t x;
    long most = LONG_MIN;
    mpq_init(x);
    mpz_inits(rough->doubt, rough->here, rough->next, rough->u, rough->v, NULL);
    mpz_set_ui(rough->doubt, 8);
    mpz_mul_2exp(rough->doubt, rough->doubt, ROUGH_DOUBT);
    rough->exact = p;
    rough->at = ref_zeroed(p->count, sizeof *rough->at);
    for (uint32_t k = 0; k < 2 * p->count; k++) {
        mpq_sub(x, p->at[k / 2].x[k % 2], p->at[0].x[k % 2]);
        if (mpq_sgn(x) != 0 && exponent_of(x) > most)
            most = exponent_of(x);
    }
    for (uint32_t k = 0; k < 2 * p->count; k++) {
        mpz_t *own = &rough->at[k / 2][k % 2];
        mpq_sub(x, p->at[k / 2].x[k % 2], p->at[0].x[k % 2]);
        if (most < ROUGH_BITS)
            mpq_mul_2exp(x, x, (mp_bitcnt_t)(ROUGH_BITS - most));
        else
            mpq_div_2exp(x, x, (mp_bitcnt_t)(most - ROUGH_BITS));
        mpz_init(*own);
        mpz_set_q(*own, x);
    }
    mpq_clear(x);
}

static void rough_close(rough_polygon *rough)
{
    for (uint32_t k = 0; k < 2 * rough->exact->count; k++)
        mpz_clear(rough->at[k / 2][k % 2]);
    mpz_clears(rough->doubt, rough->here, rough->next, rough->u, rough->v, NULL);
    free(rough->at);
}

/* Twice that of a triangle. Corners count around. */
static void rough_area(mpz_t out, rough_polygon *rough, uint32_t i, uint32_t j, uint32_t k)
{
    const uint32_t count = rough->exact->count;
    mpz_t *p = rough->at[i % count], *q = rough->at[j % count], *r = rough->at[k % count];
    mpz_sub(rough->u, q[0], p[0]);
    mpz_sub(rough->v, r[1], p[1]);
    mpz_mul(out, rough->u, rough->v);
    mpz_sub(rough->u, q[1], p[1]);
    mpz_sub(rough->v, r[0], p[0]);
    mpz_submul(out, rough->u, rough->v);
    mpz_abs(out, out);
}

static void exact_area(mpq_t out, const ref_polygon *p, uint32_t i, uint32_t j, uint32_t k)
{
    ref_turn2_exact(out, &p->at[i % p->count], &p->at[j % p->count], &p->at[k % p->count]);
    mpq_abs(out, out);
}

/* Is the next corner nearer to the line through i and j than this one? */
static bool falls(rough_polygon *rough, uint32_t i, uint32_t j, uint32_t at)
{
    rough_area(rough->here, rough, i, at, j);
    rough_area(rough->next, rough, i, at + 1, j);
    mpz_sub(rough->next, rough->next, rough->here);
    if (mpz_cmpabs(rough->next, rough->doubt) > 0)
        return mpz_sgn(rough->next) < 0;
    mpq_t here, next;
    mpq_inits(here, next, NULL);
    exact_area(here, rough->exact, i, at, j);
    exact_area(next, rough->exact, i, at + 1, j);
    const bool less = mpq_cmp(next, here) < 0;
    mpq_clears(here, next, NULL);
    return less;
}

/* The corner from `at` on, before `end`, that is farthest from the line through i and j. Areas rise and then fall along a
 * convex polygon. */
static uint32_t farthest(rough_polygon *rough, uint32_t i, uint32_t j, uint32_t at, uint32_t end)
{
    while (at + 1 < end && !falls(rough, i, j, at))
        at++;
    return at;
}

static int ascending(const void *left, const void *right)
{
    uint32_t p = *(const uint32_t *)left, q = *(const uint32_t *)right;
    return (p > q) - (p < q);
}

/* May the area of four corners in order be more than one whose rough measure is `largest`? Leaves theirs in `here`. */
static bool may_be_more(rough_polygon *rough, const uint32_t at[4], mpz_t largest)
{
    rough_area(rough->here, rough, at[0], at[1], at[2]);
    rough_area(rough->next, rough, at[0], at[3], at[2]);
    mpz_add(rough->here, rough->here, rough->next);
    mpz_add(rough->next, rough->here, rough->doubt);
    return mpz_cmp(rough->next, largest) >= 0;
}

/* Four corners have two diagonals; the one with the deep corner i ends at j. As j goes on, so does what is farthest
 * on either side. */
void ref_polygon_best(const ref_polygon *p, const bool *deep, uint32_t best[4], mpq_t most)
{
    mpq_t left, right;
    mpz_t largest;
    rough_polygon rough;
    mpq_inits(left, right, NULL);
    mpz_init_set_si(largest, -1);
    mpq_set_si(most, -1, 1);
    rough_open(&rough, p);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t k = i + 1, l = i + 3;
        for (uint32_t j = i + 2; deep[i] && j < i + p->count - 1; j++) {
            k = farthest(&rough, i, j, k, j);
            l = farthest(&rough, i, j, l > j ? l : j + 1, i + p->count);
            const uint32_t chosen[4] = {i, k, j, l};
            if (!may_be_more(&rough, chosen, largest))
                continue;
            exact_area(left, p, i, k, j);
            exact_area(right, p, i, l, j);
            mpq_add(left, left, right);
            if (mpq_cmp(left, most) <= 0)
                continue;
            mpq_set(most, left);
            mpz_set(largest, rough.here);
            for (int m = 0; m < 4; m++)
                best[m] = chosen[m] % p->count;
        }
    }
    qsort(best, 4, sizeof *best, ascending);
    rough_close(&rough);
    mpz_clear(largest);
    mpq_clears(left, right, NULL);
}
