/* Pairs whose truth is known: from the plane, and from a formula. */
#include <math.h>
#include <string.h>

#include "properties/property_private.h"

static int proven(const prop_pair *pair, double *low, double *high)
{
    gjb_pair_space space = {0};
    gjb_truth truth = {.epsilon = gjb_epsilon(pair->precision)};
    gjb_pair view;
    const int failed = gjb_prop_view(pair, &space, &view) || gjb_truth_open(&truth, &view);
    *low = truth.lo;
    *high = truth.hi;
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    return failed ? -1 : 0;
}

/* The core times [-high, high]. 0 of what curves or has no end. */
static int extrude(prop_body *body, double high)
{
    const uint32_t n = body->count;
    if (gjb_is_curved(body->kind) || gjb_is_unbounded(body->kind) || body->kind == GJB_AABB || 2 * n > PROP_ROWS)
        return 0;
    if (body->kind == GJB_BOX) {
        body->rows[0][2] = high;
        return 1;
    }
    for (uint32_t i = n; i-- > 0;)
        for (int k = 0; k < 2; k++) {
            memcpy(body->rows[2 * i + (uint32_t)k], body->rows[i], sizeof body->rows[i]);
            body->rows[2 * i + (uint32_t)k][2] = k ? high : -high;
        }
    body->kind = body->kind == GJB_POINT ? GJB_SEGMENT : GJB_HULL;
    body->count = 2 * n;
    return 1;
}

/* Both reach so far out of the plane that the way out of one another lies in it; then the whole is turned. */
PROP_MAKES(gjb_prop_extrude)
{
    const prop_turn turn = gjb_prop_turn_random(3, random);
    const double high = gjb_prop_rounded(from->pair->precision, from->size);
    (void)which;
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        const long double c = body->turn[0], s = body->turn[1], n = hypotl(c, s);
        const double reach = gjb_prop_reach(from->pair, b);
        long double m[3][3];
        if (!extrude(body, high))
            return 0;
        const long double w = sqrtl(0.5L * fmaxl(0, 1 + c / n)),
                          z = copysignl(sqrtl(0.5L * fmaxl(0, 1 - c / n)), s);
        memcpy(body->turn, (double[4]){0, 0, (double)z, (double)w}, sizeof body->turn);
        body->place[2] = 0;
        gjb_prop_matrix(3, body, m);
        to->off += 1.5 * reach * (double)(fabsl(m[0][0] - c) + fabsl(m[1][0] - s));
    }
    to->pair->dim = 3;
    to->off += gjb_prop_turn_pair(to->pair, &turn, (double[3]){0, 0, 0}, 0);
    to->claim = PROP_KNOWN;
    return proven(from->pair, &to->low, &to->high) == 0;
}

/* --- Formulas --- */

static void unturned(uint32_t dim, prop_body *body)
{
    memset(body->turn, 0, sizeof body->turn);
    body->turn[dim == 2 ? 0 : 3] = 1;
    memset(body->motion, 0, sizeof body->motion);
}

static void ball(prop_body *body, double radius)
{
    body->kind = GJB_POINT;
    body->count = 1;
    body->radius = radius;
    memset(body->rows[0], 0, sizeof body->rows[0]);
}

static void box(uint32_t dim, gjb_random *random, double size, prop_body *body)
{
    body->kind = GJB_BOX;
    body->count = 1;
    body->radius = 0;
    for (uint32_t k = 0; k < 3; k++)
        body->rows[0][k] = k < dim ? size * gjb_random_range(random, 0.125, 1) : 0;
}

static long double between(const prop_pair *pair, int axis)
{
    return (long double)pair->body[1].place[axis] - pair->body[0].place[axis];
}

/* Distance of the centre of B from the segment of A, which lies along its local x. */
static long double from_segment(const prop_pair *pair)
{
    long double m[3][3], t = 0, sum = 0, axis = 0;
    const double half = pair->body[0].rows[1][0];
    gjb_prop_matrix(pair->dim, &pair->body[0], m);
    for (int k = 0; k < 3; k++) {
        t += between(pair, k) * m[k][0];
        axis += m[k][0] * m[k][0];
    }
    t = fmaxl(-half, fminl(half, t / axis));
    for (int k = 0; k < 3; k++) {
        const long double d = between(pair, k) - t * m[k][0];
        sum += d * d;
    }
    return sqrtl(sum);
}

/* sigma of boxes whose axes are the world's: apart by the corners' distance, else out along the nearest face. */
static long double box_gap(const prop_pair *pair)
{
    long double outside = 0, deepest = -INFINITY;
    for (int k = 0; k < (int)pair->dim; k++) {
        const long double gap = fabsl(between(pair, k)) - pair->body[0].rows[0][k] - pair->body[1].rows[0][k];
        outside += gap > 0 ? gap * gap : 0;
        deepest = fmaxl(deepest, gap);
    }
    return outside > 0 ? sqrtl(outside) : deepest;
}

PROP_MAKES(gjb_prop_closed_forms)
{
    prop_pair *pair = to->pair;
    const double size = from->size * gjb_random_range(random, 0.125, 1);
    long double sigma;
    ball(&pair->body[1], size * gjb_random_range(random, 0.125, 1));
    switch (which) {
    case 0:
        ball(&pair->body[0], size * gjb_random_range(random, 0.125, 1));
        break;
    case 1:
        ball(&pair->body[0], size * gjb_random_range(random, 0, 0.5));
        pair->body[0].kind = GJB_SEGMENT;
        pair->body[0].count = 2;
        memset(pair->body[0].rows, 0, 2 * sizeof *pair->body[0].rows);
        pair->body[0].rows[1][0] = size * gjb_random_range(random, 0.125, 1);
        pair->body[0].rows[0][0] = 0.0 - pair->body[0].rows[1][0];
        break;
    default:
        for (int b = 0; b < 2; b++) {
            unturned(pair->dim, &pair->body[b]);
            box(pair->dim, random, size, &pair->body[b]);
        }
    }
    if (gjb_prop_round(pair))
        return 0;
    if (which == 2)
        sigma = box_gap(pair);
    else if (which == 1)
        sigma = from_segment(pair) - pair->body[0].radius - pair->body[1].radius;
    else
        sigma = sqrtl(between(pair, 0) * between(pair, 0) + between(pair, 1) * between(pair, 1) +
                      between(pair, 2) * between(pair, 2)) -
                pair->body[0].radius - pair->body[1].radius;
    to->claim = PROP_KNOWN;
    to->low = to->high = (double)sigma;
    to->off = 0x1p-50 * from->size;
    return isfinite(to->low);
}

/* Balls, and unturned boxes, that meet head on along x, so that the gap falls by as much as they go. */
PROP_MAKES(gjb_prop_closed_times)
{
    prop_pair *pair = to->pair;
    const double size = from->size * gjb_random_range(random, 0.125, 1),
                 way = size * gjb_random_range(random, 1, 8);
    long double reach = 0;
    for (int b = 0; b < 2; b++) {
        unturned(pair->dim, &pair->body[b]);
        if (which)
            box(pair->dim, random, size, &pair->body[b]);
        else
            ball(&pair->body[b], size * gjb_random_range(random, 0.125, 1));
    }
    for (int k = 1; k < 3; k++)
        pair->body[1].place[k] = pair->body[0].place[k];
    pair->body[1].place[0] = pair->body[0].place[0] + size * gjb_random_range(random, 2.5, 8);
    pair->body[1].motion[0] = 0.0 - way;
    if (gjb_prop_round(pair))
        return 0;
    for (int b = 0; b < 2; b++)
        reach += which ? pair->body[b].rows[0][0] : pair->body[b].radius;
    to->claim = PROP_TIME;
    to->by = fabs(pair->body[1].motion[0]);
    to->low = to->high = (double)((between(pair, 0) - reach) / to->by);
    to->off = 0x1p-50 * from->size;
    return between(pair, 0) - reach > 0 && to->by > 0;
}
