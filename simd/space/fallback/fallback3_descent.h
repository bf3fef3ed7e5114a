/* The least depth near a direction, of one pair of which a shape is curved, in double.
 *
 * D is moved out along the direction until it clears the origin. The axis of the distance (GJK) is then a
 * direction at least as good, and such steps converge linearly, Newton's quadratically. If the depth bends
 * the other way, or is nearly level, a line search extends or shortens the step. */
#ifndef GJB_SIMD_FALLBACK3_DESCENT_H
#define GJB_SIMD_FALLBACK3_DESCENT_H

#include "simd/space/fallback/fallback3_witness.h"

#define FINEST_CLIMB 0x1p-20 /* of a radian */
#define BARELY_CLEAR 0x1p-44 /* how far D is moved out if it is no deeper, and more gave no fit */
enum { BETTERINGS = 48, IDLE_BETTERINGS = 5, MOST_CLIMBS = 24, POLISHES = 12 };

/* One step from the direction u: the axis of D moved out along it until it clears the origin
 * by `clear`. */
static void better_once(problem *p, vec3 u, double gap, double clear, core_answer *out)
{
    problem moved = *p;
    simplex s;
    core_answer apart = {.gap = DBL_MAX};
    const vec3 by = mul3(u, clear - gap);
    moved.shift = add3(p->shift, by);
    moved.begin = u;
    moved.warm = 0;
    moved.supports = 0;
    const outcome found = gjk3(&moved, 2 * ROUNDING, 0, 0, &s, &apart);
    p->supports += moved.supports;
    out->gap = DBL_MAX;
    if (found != APART)
        return;
    add_lines(&moved, &apart);
    out->on = apart.on;
    const corner c = support3(p, apart.normal);
    out->normal = apart.normal;
    out->sigma = dot3(apart.normal, c.w);
    out->a = apart.a;
    out->b = sub3(apart.b, by);
    place_points(p, out);
}

/* The direction nearest to n that is normal to the lines of cones on which the points lie. */
static vec3 onto_ridges(const problem *p, const sides *on, vec3 n)
{
    if (p->curve_a.curve == CURVE_CONE && dot3(on->e[2], on->e[2]) > 0)
        n = fallback_normal_to_line(&p->curve_a, n);
    if (p->curve_b.curve == CURVE_CONE && dot3(on->e[3], on->e[3]) > 0)
        n = neg3(turn3(&p->turn, fallback_normal_to_line(&p->curve_b, neg3(turn_back3(&p->turn, n)))));
    return n;
}

/* Newton's step from an answer, by the offset of its points from its direction, and by how they move as it
 * turns. 0 if there is none. */
static int newton_from(problem *p, const core_answer *from, core_answer *to)
{
    const sides *on = &from->on;
    const corner at = {.a = from->a, .b = from->b, .w = sub3(from->b, from->a)};
    if (!newton_step(p, from->normal, &at, on, &to->normal))
        return 0;
    to->normal = onto_ridges(p, on, to->normal);
    to->sigma = dot3(to->normal, support3(p, to->normal).w);
    const vec3 n = from->normal, by = sub3(to->normal, n), back = neg3(turn_back3(&p->turn, n));
    const vec3 local_b = turn_back3(&p->turn, sub3(from->b, p->shift)), local_by = neg3(turn_back3(&p->turn, by));
    to->a = add3(from->a, fallback_bend(&p->curve_a, n, from->a, by));
    to->b = add3(from->b, turn3(&p->turn, fallback_bend(&p->curve_b, back, local_b, local_by)));
    to->on = *on;
    place_points(p, to);
    return 1;
}

/* Newton's steps from an answer as long as they improve it, on round surfaces or between their corners. The
 * first that does not is `newton`; returns 1 if there is one. */
static int newton_on(problem *p, int settle, core_answer *at, core_answer *newton)
{
    for (int again = 0; again < 4 && at->gap > CURVED_FIT; again++) {
        if (!newton_from(p, at, newton))
            return 0;
        if (settle)
            *newton = settled(p, newton);
        if (!improves(at, newton) || !(newton->gap < 0.5 * at->gap))
            return 1;
        *at = *newton;
    }
    return 0;
}

/* The direction along u + share * way, on the ridges that an answer is on, and the gap along it. */
static double look_on_way(problem *p, const sides *on, vec3 u, vec3 way, double share, vec3 *d)
{
    const vec3 far = add3(u, mul3(way, share));
    *d = onto_ridges(p, on, mul3(far, 1 / sqrt(dot3(far, far))));
    return dot3(*d, support3(p, *d).w);
}

/* Extends the step from u to a direction as long as that gains: if the depth bends the other way, a step is
 * only a small part of the way. */
static void go_on(problem *p, vec3 u, const core_answer *step, vec3 *to, double *gap)
{
    const vec3 way = sub3(step->normal, u);
    for (double share = 4; share <= 0x1p20; share *= 4) {
        vec3 d;
        const double there = look_on_way(p, &step->on, u, way, share, &d);
        if (!(there > *gap))
            return;
        *to = d;
        *gap = there;
    }
}

/* Shortens the way from a step to Newton's step, which went too far. */
static void fall_short(problem *p, const core_answer *step, const core_answer *newton, vec3 *to, double *gap)
{
    const vec3 way = sub3(newton->normal, step->normal);
    for (double share = 0.25; share >= 0x1p-8; share /= 4) {
        vec3 d;
        const double there = look_on_way(p, &step->on, step->normal, way, share, &d);
        if (there > *gap) {
            *to = d;
            *gap = there;
            return;
        }
    }
}

/* The answer of the support along u alone. */
static core_answer plain_answer(problem *p, vec3 u)
{
    const corner c = support3(p, u);
    core_answer out = {.sigma = dot3(u, c.w), .normal = u, .a = c.a, .b = c.b};
    measure_off(p, &out);
    return out;
}

/* The same with its points moved along the straight lines that end at them, if they then fit better: there
 * the depth has a crease across a line, or two. */
static core_answer answer_on_lines(problem *p, vec3 u)
{
    const core_answer plain = plain_answer(p, u);
    const vec3 none = {0, 0, 0}, back = neg3(turn_back3(&p->turn, u));
    core_answer out = plain;
    add_side(&out.on, 2, fallback_line_along(&p->curve_a, u), none, -1, 1);
    add_side(&out.on, 3, none, turn3(&p->turn, fallback_line_along(&p->curve_b, back)), -1, 1);
    place_points(p, &out);
    return improves(&plain, &out) ? out : plain;
}

/* Unit vectors perpendicular to an answer's normal and each other, towards which a turn of the normal
 * moves w = b - a most and least; and by how much. By the extreme points, since those of the answer may have
 * slid, and the bend of a superellipsoid nearly perpendicular to an axis is the ratio of two numbers close to
 * 0. */
static void bend_axes(problem *p, const core_answer *from, vec3 axes[2], double bend[2])
{
    const corner at = support3(p, from->normal);
    vec3 e[2];
    double m[3];
    across_of(from->normal, &e[0], &e[1]);
    bend_of(p, from->normal, &at, e, m);
    const double half = 0.5 * (m[0] - m[2]), root = sqrt(half * half + m[1] * m[1]);
    const double x = half > 0 ? half + root : m[1], y = half > 0 ? m[1] : root - half, length = sqrt(x * x + y * y);
    const double c = length > 0 ? x / length : 1, s = length > 0 ? y / length : 0;
    axes[0] = add3(mul3(e[0], c), mul3(e[1], s));
    axes[1] = sub3(mul3(e[1], c), mul3(e[0], s));
    bend_of(p, from->normal, &at, axes, m); /* again: next to a stiff axis rounding had lost the other's */
    bend[0] = m[0];
    bend[1] = m[2];
}

/* A less deep direction within an eighth of a turn of an answer's, on the ways along which D bends by
 * less than half its depth: there points also fit at a maximum of the depth, and at a saddle. 0 if there
 * is none. */
static int climb(problem *p, const core_answer *from, vec3 *to)
{
    const vec3 n = from->normal;
    vec3 axes[2];
    double bend[2], top = from->sigma;
    bend_axes(p, from, axes, bend);
    for (int k = 0; k < 2; k++)
        for (double by = bend[k] < -0.5 * from->sigma ? 1 : 0; by >= FINEST_CLIMB; by *= 0.25)
            for (int sign = -1; sign <= 1; sign += 2) {
                const vec3 far = add3(n, mul3(axes[k], sign * by)), d = mul3(far, 1 / sqrt(dot3(far, far)));
                const double there = dot3(d, support3(p, d).w);
                if (there > top) {
                    top = there;
                    *to = d;
                }
            }
    return top > from->sigma;
}

/* Newton's steps as for smooth shapes only: if their depth is nearly level, as around an axis, the simplex
 * is wide, and its sides are no edges. */
static void polish(problem *p, core_answer *best)
{
    static const sides none;
    core_answer at = plain_answer(p, best->normal);
    for (int step = 0; step < POLISHES && best->gap > CURVED_FIT; step++) {
        const corner c = {.a = at.a, .b = at.b, .w = sub3(at.b, at.a)};
        vec3 to;
        if (!newton_step(p, at.normal, &c, &none, &to))
            return;
        const core_answer next = plain_answer(p, to);
        if (!(next.sigma > at.sigma || next.gap < at.gap))
            return;
        at = next;
        if (improves(best, &at))
            *best = at;
    }
}

/* Puts one of the points straight across from the other, if its shape holds it there: the lines of a flat
 * cone have nearly one normal, which does not determine the line that the point is on. */
static void reach_across(const problem *p, const core_answer *from, core_answer *best)
{
    const vec3 by = mul3(best->normal, best->sigma);
    core_answer on_a = *best, on_b = *best;
    on_a.a = sub3(from->b, by);
    on_a.b = from->b;
    on_b.a = from->a;
    on_b.b = add3(from->a, by);
    measure_off(p, &on_a);
    measure_off(p, &on_b);
    if (p->curve_a.curve && improves(best, &on_a))
        *best = on_a;
    if (p->curve_b.curve && improves(best, &on_b))
        *best = on_b;
}

/* A local minimum of the depth from the direction u, no deeper than there; `gap` of the answer is the
 * error of its points. A step converges linearly, or is exact if it meets an edge or a face; between
 * steps Newton's method converges quadratically. The edge of a cone turns with the direction, and
 * Newton's step leaves it by its square. A step from there brings it back, so Newton's is taken on
 * trial. */
static core_answer better_about(problem *p, vec3 u)
{
    core_answer best = answer_on_lines(p, u), turned = best;
    double gap = best.sigma, top = gap;
    for (int step = 0, idle = 0, trial = 0; step < BETTERINGS && idle < IDLE_BETTERINGS && best.gap > CURVED_FIT; step++) {
        core_answer next, newton;
        better_once(p, u, gap, fmax(-0.25 * gap, p->clear), &next);
        const int good = next.gap < DBL_MAX && improves(&best, &next);
        if (good)
            best = next;
        const int risen = next.gap < DBL_MAX && next.sigma > top; /* maybe without a fit yet */
        idle = good || risen ? 0 : idle + 1;
        if (next.gap == DBL_MAX || (trial && !good && !risen)) {
            u = best.normal;
            gap = best.sigma;
            trial = 0;
            continue;
        }
        trial = 0;
        int overshot = 0;
        core_answer out = settled(p, &next);
        if (newton_on(p, 1, &out, &newton) || out.gap > CURVED_FIT) {
            if (newton_on(p, 0, &next, &newton)) {
                overshot = newton.sigma < next.sigma;
                trial = !overshot && newton.sigma < 0;
            }
        }
        if (improves(&next, &out)) {
            next = out;
            trial = overshot = 0;
        }
        if (next.gap > CURVED_FIT)
            turn_to_points(p, &next, &turned);
        if (improves(&best, &next)) {
            best = next;
            idle = 0;
        }
        top = fmax(top, next.sigma - CURVED_FIT);
        const vec3 before = u;
        u = trial ? newton.normal : next.normal;
        gap = trial ? newton.sigma : next.sigma;
        if (!trial && next.gap > 0x1p-20)
            go_on(p, before, &next, &u, &gap);
        if (overshot)
            fall_short(p, &next, &newton, &u, &gap);
    }
    return best.gap > CURVED_FIT && improves(&best, &turned) ? turned : best;
}

/* The same, and usually not at a saddle. */
static core_answer better(problem *p, vec3 u)
{
    core_answer best = better_about(p, u);
    polish(p, &best);
    if (best.gap > CURVED_FIT) {
        const core_answer corners = plain_answer(p, best.normal), own = best;
        reach_across(p, &corners, &best);
        reach_across(p, &own, &best);
    }
    core_answer at = best;
    for (int climbs = 0; climbs < MOST_CLIMBS && climb(p, &at, &u); climbs++)
        at = plain_answer(p, u);
    if (at.sigma > best.sigma + CURVED_FIT) {
        const core_answer other = better_about(p, at.normal);
        if (improves(&best, &other))
            best = other;
    }
    return best;
}

#endif
