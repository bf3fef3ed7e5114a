/* Balls within shapes: one that rolls inside of a shape all along its surface, and a shape that is one itself. */
#ifndef GJB_SIMD_FALLBACK3_BALL_H
#define GJB_SIMD_FALLBACK3_BALL_H

#include "simd/lanes/lanes.h"
#include "simd/space/fallback/fallback3.h"
#include "simd/space/fallback/fallback3_curve.h"

#define ROLLS (1 - 16 * (double)REAL_EPSILON) /* less by what rounding may ask for */

/* How round a superellipsoid is, 1 for an ellipsoid. With q = p / (p - 1) and y the direction times the
 * semi-axes, whose q-norm N is the support, the radii of curvature are at least (q - 1) N^(1-q) m least^2,
 * m being the least of |y|^(q-2). Of p > 2, m is N^(q-2) or more and N at most 3^(1/q-1/2) of y's length; of
 * p < 2, where m is 0 on the planes of the axes, only what is nearer to them than REAL_EPSILON^1.1 is flatter
 * than this: no bound is off by more than that. Powers are taken by tangents, which lie below them. */
static inline double roundness(const fallback_curve *c)
{
    const double p = c->p;
    if (p >= 2)
        return (1 - 1.0987 * (0.5 - 1 / p)) / (p - 1);
    return fmax(1 - CURVE_FLATTEST(GJB_BITS) * (2 - p) / (p - 1), 0) / (p - 1);
}

/* The radius of a ball that rolls inside of a shape: no more than the least of its curvature's (of an
 * ellipsoid at the ends of the longest axis). 0 of those with edges or corners, or nearly so. */
static inline double rolling_radius(const fallback_curve *c)
{
    const double most = fmax(c->size.x, fmax(c->size.y, c->size.z)), least = fmin(c->size.x, fmin(c->size.y, c->size.z));
    const double ball = least * least * inverse_or_0(most);
    return c->curve == CURVE_ELLIPSE ? ball : c->curve == CURVE_SUPER && c->p > 1 ? roundness(c) * ball : 0;
}

/* An ellipsoid of three equal semi-axes is a point with a radius: the depth with whatever has vertices ends,
 * and no turn moves it. 1 if it is one. */
static inline int ball_to_point(gjb_fallback_side *side)
{
    static const real origin[12 + LANES]; /* a register is loaded, wherever it begins */
    const double *r = side->curved;
    if (!(side->curve == CURVE_ELLIPSE || (side->curve == CURVE_SUPER && r[3] == 2)) || r[0] != r[1] || r[1] != r[2])
        return 0;
    side->curve = CURVE_NONE;
    side->vertices = origin;
    side->balls = NULL;
    side->count = 4;
    side->radius += r[0];
    return 1;
}

#endif
