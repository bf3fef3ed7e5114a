/* The depth of one pair of which a shape is curved: the least, over all directions, of the support of
 * D, by branch and bound.
 *
 * The points of D that bound a cell (fallback3_cells.h) are its own support and that of the best direction
 * so far. Near a local minimum n of depth d that point is d n, so that directions within an angle t of n
 * are no shallower than d cos(t). Cells that cannot hold less than the best are dropped, others quartered.
 * The best is improved in double (fallback3_descent.h); ridges, where cells are dropped late, are searched
 * separately. */
#ifndef GJB_SIMD_FALLBACK3_CURVED_H
#define GJB_SIMD_FALLBACK3_CURVED_H

#include "simd/space/fallback/fallback3_ridge.h"

/* Once cells exceed their room, FEW_CELLS per level are searched, until MOST_IDLE levels improve nothing. */
enum { FEW_CELLS = 512, MOST_LEVELS = 40, MOST_SEEN = 1 << 16, MOST_IDLE = 4 };
enum { MOST_RIVALS = 12, RIVALS_NOTED = 128 };
#define RIVAL_COSINE 0.999 /* directions nearer to each other than this are no rivals */
#define ALL_BUT_TOUCHING 0x1p-16
#define CURVED_MET (32 * (double)REAL_EPSILON)

/* Tries again if points do not fit, with D moved out by no more than the depth of cores that nearly touch. */
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

/* Makes the points of cores apart fit the distance, if a thin simplex has left an error. If cores nearly
 * touch, the direction of the nearest point is noise, and bounds do not meet: their distance is the
 * least depth of D moved out, less the move. */
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

/* The point of D of an answer, less the ball that rolls inside D. For a shape with a rolling ball it is the
 * extreme point itself: a point off by the root of rounding would fit as well, but its ball would be off by
 * as much. */
static vec3 nearest_within(problem *p, const lane_problem *q, const core_answer *best)
{
    const corner c = support3(p, best->normal);
    const int fits = best->gap <= 2 * CURVED_FIT;
    const vec3 a = fits && !(rolling_radius(&p->curve_a) > 0) ? best->a : c.a;
    const vec3 b = fits && !(rolling_radius(&p->curve_b) > 0) ? best->b : c.b;
    return add3(sub3(b, a), mul3(best->normal, (double)q->roll));
}

/* Directions of cells that are dropped or left unproven: in the frame, and of D made round. */
typedef struct rivals {
    vec3 at[2 * RIVALS_NOTED], round[2 * RIVALS_NOTED];
    double near[2 * RIVALS_NOTED]; /* cosine of the least angle to searched directions, of D made round */
    uint32_t count;
} rivals;

/* Notes about RIVALS_NOTED of the cells, evenly; if bounds are given, of those above the bar. */
static void note_rivals(rivals *r, const lane_problem *q, const cells *c, const real *bounds, real bar)
{
    uint32_t above = 0, taken = 0;
    for (uint32_t i = 0; i < c->count; i++)
        above += !bounds || bounds[i] > bar;
    for (uint32_t i = 0, step = above / RIVALS_NOTED + 1; i < c->count; i++) {
        if ((bounds && !(bounds[i] > bar)) || taken++ % step != 0)
            continue;
        r->at[r->count] = direction_of(q, c, i);
        r->round[r->count] = round_direction_of(c, i);
        r->near[r->count++] = -1;
    }
}

/* Searches from cells far from the best and from each other in D made round (the depths of two crossing
 * plates may be less than a degree apart), the farthest first. Depths there may nearly equal the best, but
 * cells only halve their distance per level, while some of them are dropped. */
static void search_rivals(problem *p, const lane_problem *q, rivals *r, core_answer *best)
{
    vec3 last = made_round(q, best->normal);
    for (int tries = 0; tries < MOST_RIVALS && r->count > 0; tries++) {
        uint32_t far = 0;
        for (uint32_t i = 0; i < r->count; i++) {
            r->near[i] = fmax(r->near[i], dot3(r->round[i], last));
            far = r->near[i] < r->near[far] ? i : far;
        }
        if (r->near[far] > RIVAL_COSINE)
            return;
        last = r->round[far];
        better_from(p, r->at[far], best);
    }
}

/* The same from the flat sides of thin shapes, whose directions are narrower than the smallest cells: two
 * thin shapes that cross at a small angle are about as deep along either's sides. (Ends of cylinders and
 * cones: see ridges.) */
static void search_flat_sides(problem *p, core_answer *best)
{
    for (int of_b = 0; of_b < 2; of_b++) {
        const fallback_curve *c = of_b ? &p->curve_b : &p->curve_a;
        const double size[3] = {c->size.x, c->size.y, c->size.z}, most = fmax(size[0], fmax(size[1], size[2]));
        const int thin = size[0] <= size[1] && size[0] <= size[2] ? 0 : size[1] <= size[2] ? 1 : 2;
        if ((c->curve != CURVE_ELLIPSE && c->curve != CURVE_SUPER) || !(size[thin] < NEEDLE * most))
            continue;
        const vec3 axis = {thin == 0, thin == 1, thin == 2};
        const vec3 side = of_b ? turn3(&p->turn, axis) : axis;
        better_from(p, side, best);
        better_from(p, neg3(side), best);
    }
}

/* The depth of cores that overlap, or nearly. `best->gap` is the error of its points; DBL_MAX if cells
 * exceeded their room, as they do around an axis of both shapes: then only the most promising ones
 * are searched. */
static void deepen_curved(problem *p, void *room, core_answer *best)
{
    cells *c = room;
    lane_problem q;
    rivals rest; /* half a megabyte, of which `count` says how much there is */
    int proven = 1;
    rest.count = 0;
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
        else if (!proven) /* cells will no longer show how much better it may get there */
            better_from(p, direction_of(&q, c, i), best);
        if (level == 1)
            for (int of_b = 0; of_b < 2; of_b++)
                search_ridge(p, &q, of_b, best);
        const double sigma = fmax(best->sigma, found);
        const vec3 own = {(double)c->s[0][i], (double)c->s[1][i], (double)c->s[2][i]};
        const int better_known = best->sigma >= found;
        /* search more closely if cells have seen a gap that points have not reached */
        const double doubt = best->sigma + CURVED_DOUBT < seen_gap ? 0 : CURVED_DOUBT;
        const real bar = (real)(sigma + doubt);
        bound_cells(&q, c, better_known ? nearest_within(p, &q, best) : own);
        const real raised = raised_bar(c, bar, proven ? MOST_CELLS / 4 : FEW_CELLS);
        if (proven && raised != bar)
            note_rivals(&rest, &q, c, c->gap, bar);
        proven &= raised == bar;
        idle = proven || best->sigma > before ? 0 : idle + 1;
        take_quarters(c, quarter_cells(c, raised));
    }
    if (best->gap == DBL_MAX)
        better_from(p, highest, best); /* the first cells decided */
    if (!proven || c->count > 0) {
        search_rings(p, &q, best);
        search_flat_sides(p, best);
        note_rivals(&rest, &q, c, NULL, 0);
        search_rivals(p, &q, &rest, best);
    }
    better_again(p, best);
    best->sigma = fmin(best->sigma, 0); /* cores that nearly touch */
    if (!proven || c->count > 0)
        best->gap = DBL_MAX;
}

#endif
