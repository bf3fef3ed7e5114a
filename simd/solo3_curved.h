/* The depth of one pair of which a shape is curved: the least, over all directions, of the support of D,
 * by branch and bound.
 *
 * The points of D that bound a cell (solo3_cells.h) are its own support and that of the best direction so
 * far: near a local minimum n of depth d that is d n, so that what is within an angle t of n is no
 * shallower than d cos(t). Cells that cannot hold less than the best are dropped, others quartered. The
 * best is bettered in double (solo3_better.h); ridges, where cells are dropped late, are looked along. */
#ifndef GJB_SIMD_SOLO3_CURVED_H
#define GJB_SIMD_SOLO3_CURVED_H

#include "simd/solo3_ridge.h"

/* Once cells outgrow their room FEW_CELLS of a level are looked at, until MOST_IDLE levels have bettered nothing. */
enum { FEW_CELLS = 512, MOST_LEVELS = 40, MOST_SEEN = 1 << 16, MOST_IDLE = 4 };
enum { MOST_RIVALS = 8, RIVALS_LOOKED_FOR = 256 };
#define RIVAL_COSINE 0.999 /* of directions nearer than a rival's */
#define ALL_BUT_TOUCHING 0x1p-16
#define CURVED_MET (32 * (double)REAL_EPSILON)

/* Once more where points do not fit, D moved out by no more than cores that all but touch are deep. */
static void better_again(problem *p, core_answer *best)
{
    if (best->gap <= CURVED_MET)
        return;
    const double clear = p->clear;
    p->clear = fmin(fmax(-best->sigma, BARELY_CLEAR), LEAST_CLEAR);
    const core_answer again = better(p, best->normal);
    p->clear = clear;
    if (improves(best, &again))
        *best = again;
}

/* Makes the points of cores apart fit the distance, where a thin simplex has left them off. Of cores that
 * all but touch the nearest point's direction is noise, and bounds do not meet: their distance is the
 * least depth of D moved out, less that. */
static void fit_apart(problem *p, double met, core_answer *best)
{
    core_answer fitted = *best;
    if (best->gap > met && best->sigma < ALL_BUT_TOUCHING) {
        fitted = better(p, best->normal);
        better_again(p, &fitted);
        if (fitted.gap <= 2 * CURVED_FIT || improves(best, &fitted)) {
            *best = fitted;
            return;
        }
        fitted = *best;
    }
    measure_off(p, &fitted);
    if (fitted.gap <= CURVED_FIT)
        return;
    add_lines(p, &fitted);
    place_points(p, &fitted);
    if (fitted.gap > CURVED_FIT) {
        const core_answer out = settled(p, &fitted);
        fitted = out.gap < fitted.gap ? out : fitted;
    }
    if (fitted.gap > CURVED_FIT)
        turn_to_points(p, &fitted, &fitted);
    fitted.gap = best->gap;
    *best = fitted;
}

/* The point of D that an answer stands for, less the ball that rolls inside of it. Of a shape in which one
 * rolls it is the extreme point itself: one beside it by the root of rounding fits as well, and its ball
 * is beside that by as much. */
static vec3 nearest_within(problem *p, const lane_problem *q, const core_answer *best)
{
    const corner c = support3(p, best->normal);
    const int fits = best->gap <= 2 * CURVED_FIT;
    const vec3 a = fits && !(rolling_radius(&p->curve_a) > 0) ? best->a : c.a;
    const vec3 b = fits && !(rolling_radius(&p->curve_b) > 0) ? best->b : c.b;
    return add3(sub3(b, a), mul3(best->normal, (double)q->roll));
}

/* Betters the best from cells that are left far from it, and from each other: depths that all but tie with it may be
 * there, which cells come nearer to by halves alone. */
static void search_rest(problem *p, const lane_problem *q, const cells *c, core_answer *best)
{
    vec3 tried[MOST_RIVALS] = {best->normal};
    const uint32_t step = c->count / RIVALS_LOOKED_FOR + 1;
    for (uint32_t i = 0, count = 1; i < c->count && count < MOST_RIVALS; i += step) {
        const vec3 u = direction_of(q, c, i);
        int near = 0;
        for (uint32_t k = 0; k < count; k++)
            near |= dot3(u, tried[k]) > RIVAL_COSINE;
        if (near)
            continue;
        tried[count++] = u;
        better_from(p, u, best);
    }
}

/* The depth of cores that overlap, or all but. `best->gap` is how far its points are from proof;
 * DBL_MAX where cells outgrew their room, as those around an axis of both shapes do: the ones that
 * may hold most are then looked at alone. */
static void deepen_curved(problem *p, void *room, core_answer *best)
{
    cells *c = room;
    lane_problem q;
    int proven = 1;
    open_lanes(&q, p);
    first_cells(c);
    *best = (core_answer){.sigma = -DBL_MAX, .gap = DBL_MAX};
    vec3 highest = {0, 0, 0};
    double seen_gap = -DBL_MAX;
    uint32_t seen = 0, idle = 0;
    for (uint32_t level = 0; level < MOST_LEVELS && seen < MOST_SEEN && idle < MOST_IDLE && c->count > 0; level++) {
        const double before = best->sigma;
        look_at_cells(&q, c);
        seen += c->count;
        p->supports += c->count;
        const uint32_t i = best_cell(c);
        const double found = (double)c->gap[i];
        if (found > seen_gap) {
            seen_gap = found;
            highest = direction_of(&q, c, i);
        }
        if (level > 0 && seen_gap > best->sigma + CURVED_DOUBT / 2)
            better_from(p, highest, best);
        else if (!proven) /* no cell will tell how much better it may become about there */
            better_from(p, direction_of(&q, c, i), best);
        if (level == 1)
            for (int of_b = 0; of_b < 2; of_b++)
                search_ridge(p, &q, of_b, best);
        const double sigma = fmax(best->sigma, found);
        const vec3 own = {(double)c->s[0][i], (double)c->s[1][i], (double)c->s[2][i]};
        const int better_known = best->sigma >= found;
        /* what the cells have seen and points have not followed to is looked at more closely */
        const double doubt = best->sigma + CURVED_DOUBT < seen_gap ? 0 : CURVED_DOUBT;
        const real bar = (real)(sigma + doubt);
        bound_cells(&q, c, better_known ? nearest_within(p, &q, best) : own);
        const real raised = raised_bar(c, bar, proven ? MOST_CELLS / 4 : FEW_CELLS);
        proven &= raised == bar;
        idle = proven || best->sigma > before ? 0 : idle + 1;
        take_quarters(c, quarter_cells(c, raised));
    }
    if (best->gap == DBL_MAX)
        better_from(p, highest, best); /* the first cells said all */
    if (!proven || c->count > 0) {
        search_rings(p, &q, best);
        search_rest(p, &q, c, best);
    }
    better_again(p, best);
    best->sigma = fmin(best->sigma, 0); /* cores that all but touch */
    if (!proven || c->count > 0)
        best->gap = DBL_MAX;
}

#endif
