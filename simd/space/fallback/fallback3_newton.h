/* Steps on smooth surfaces, for one pair: points along straight lines, and Newton's step of a direction. */
#ifndef GJB_SIMD_FALLBACK3_NEWTON_H
#define GJB_SIMD_FALLBACK3_NEWTON_H

#include "simd/space/fallback/fallback3_support.h"

static inline double clamp_share(double x)
{
    return fmin(fmax(x, 0), 1);
}

/* Slides the points of c, which is least along n, along the straight lines of their surfaces to where they
 * are nearest to each other, if that costs at most half of `gap` along n. Without sliding, the extreme point
 * would jump from end to end of such lines, and the axis turn by little each time. */
static inline void slide_along_lines(const problem *p, vec3 n, double gap, corner *c)
{
    const vec3 local_b = turn_back3(&p->turn, sub3(c->b, p->shift));
    const vec3 e = turn3(&p->turn, fallback_line(&p->curve_b, local_b)), f = neg3(fallback_line(&p->curve_a, c->a));
    const double ee = dot3(e, e), ff = dot3(f, f), ef = dot3(e, f), we = dot3(c->w, e), wf = dot3(c->w, f);
    const double first = clamp_share((ef * wf - ff * we) * inverse_or_0(ee * ff - ef * ef));
    const double on_a = clamp_share(-(wf + first * ef) * inverse_or_0(ff));
    const double on_b = clamp_share(-(we + on_a * ef) * inverse_or_0(ee));
    if (!(dot3(n, e) * on_b + dot3(n, f) * on_a <= 0.5 * gap))
        return;
    c->a = sub3(c->a, mul3(f, on_a));
    c->b = add3(c->b, mul3(e, on_b));
    c->w = sub3(c->b, c->a);
}

enum { SIDES = 4, SLIDES = 24 };

/* Lines of D across a direction: sides of its simplex, and straight lines of the surfaces; 0 if there are
 * none. The direction stays perpendicular to stiff ones. */
typedef struct sides {
    vec3 a[SIDES], b[SIDES]; /* how a point of A and one of B go along it, */
    vec3 e[SIDES];           /* and their difference; */
    vec3 stiff[SIDES];       /* the part that the direction stays perpendicular to; */
    double least[SIDES], most[SIDES]; /* shares within which both stay on their shapes */
} sides;
#define SIDE_STIFFNESS 0x1p36
#define SHORTEST_SIDE_SQUARED 0x1p-80  /* shorter ones are rounding */
#define SHORTEST_CHORD_SQUARED 0x1p-16 /* and such chords of one */
#define NEWTON_DAMPING 0x1p-40 /* if corners touch, nothing else limits the turn */

/* Unit vectors perpendicular to the unit n and each other, the first along the longest stiff side: else
 * rounding of its stiffness would swamp the bend of smooth surfaces. */
static inline void stiff_axes(vec3 n, const sides *locked, vec3 e[2])
{
    double longest = SHORTEST_SIDE_SQUARED;
    across_of(n, &e[0], &e[1]);
    for (int k = 0; k < SIDES; k++) {
        const vec3 side = sub3(locked->stiff[k], mul3(n, dot3(n, locked->stiff[k])));
        const double square = dot3(side, side);
        if (square > longest) {
            longest = square;
            e[0] = mul3(side, 1 / sqrt(square));
            e[1] = cross3(n, e[0]);
        }
    }
}

/* The derivative of w = b - a along the axes e as the direction turns from the unit n to each: the matrix
 * (m00 m01; m01 m11). 0 at a corner. */
static inline void bend_of(const problem *p, vec3 n, const corner *c, const vec3 e[2], double m[3])
{
    vec3 bent[2];
    const vec3 local_n = neg3(turn_back3(&p->turn, n)), local_b = turn_back3(&p->turn, sub3(c->b, p->shift));
    for (int k = 0; k < 2; k++)
        bent[k] = add3(fallback_bend(&p->curve_a, n, c->a, e[k]),
                       turn3(&p->turn, fallback_bend(&p->curve_b, local_n, local_b, turn_back3(&p->turn, e[k]))));
    m[0] = dot3(e[0], bent[0]);
    m[1] = dot3(e[0], bent[1]);
    m[2] = dot3(e[1], bent[1]);
}

/* Newton's step for the direction with the largest gap, from the unit n, along which D is least at c: at
 * that direction w is along n. The step d solves (g + K) d = w less its part along n, with g the gap, and K
 * the derivative of w by n plus the stiffness of `locked`. K does not describe edges and corners, so that
 * the step may fail and must be checked. Returns 0 if there is none. */
static inline int newton_step(const problem *p, vec3 n, const corner *c, const sides *locked, vec3 *d)
{
    vec3 e[2];
    double m[3];
    const double g = dot3(n, c->w) + NEWTON_DAMPING;
    stiff_axes(n, locked, e);
    bend_of(p, n, c, e, m);
    const double x = dot3(e[0], c->w), y = dot3(e[1], c->w);
    double m00 = g + m[0], m01 = m[1], m11 = g + m[2];
    for (int k = 0; k < SIDES; k++) {
        const double along = dot3(e[0], locked->stiff[k]), across = dot3(e[1], locked->stiff[k]);
        if (!(dot3(locked->stiff[k], locked->stiff[k]) > SHORTEST_SIDE_SQUARED))
            continue;
        m00 += SIDE_STIFFNESS * along * along;
        m11 += SIDE_STIFFNESS * across * across;
        m01 += SIDE_STIFFNESS * along * across;
    }
    const double det = m00 * m11 - m01 * m01;
    if (!(det > 0 && m00 > 0))
        return 0;
    const double s = fmin(fmax((m11 * x - m01 * y) / det, -1), 1), t = fmin(fmax((m00 * y - m01 * x) / det, -1), 1);
    *d = add3(n, add3(mul3(e[0], s), mul3(e[1], t)));
    *d = mul3(*d, 1 / sqrt(dot3(*d, *d)));
    return 1;
}

#endif
