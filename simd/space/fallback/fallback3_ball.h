/* Balls within shapes: a ball that rolls inside a shape all along its surface, and shapes that are balls. */
#ifndef GJB_SIMD_FALLBACK3_BALL_H
#define GJB_SIMD_FALLBACK3_BALL_H

#include "simd/lanes/lanes.h"
#include "simd/space/fallback/fallback3.h"
#include "simd/space/fallback/fallback3_curve.h"

#define ROLLS (1 - 16 * (double)REAL_EPSILON) /* a margin for rounding */

/* How round a superellipsoid is, 1 for an ellipsoid. With q = p / (p - 1) and y the direction times the
 * semi-axes, whose q-norm N is the support, the radii of curvature are at least (q - 1) N^(1-q) m least^2,
 * with m the least of |y|^(q-2). For p > 2, m is at least N^(q-2), and N at most 3^(1/q-1/2) of y's
 * length. For p < 2, m is 0 on the planes of the axes, but only directions nearer to them than
 * REAL_EPSILON^1.1 are flatter than this: no bound is off by more than that. Powers are bounded by
 * tangents, which lie below them. */
static inline double roundness(const fallback_curve *c)
{
    const double p = c->p;
    if (p >= 2)
        return (1 - 1.0987 * (0.5 - 1 / p)) / (p - 1);
    return fmax(1 - CURVE_FLATTEST(GJB_BITS) * (2 - p) / (p - 1), 0) / (p - 1);
}

/* The radius of a ball that rolls inside a shape: at most the least radius of curvature, which an ellipsoid
 * has at the ends of its longest axis. 0 for shapes with edges or corners, or nearly so. */
static inline double rolling_radius(const fallback_curve *c)
{
    const double most = fmax(c->size.x, fmax(c->size.y, c->size.z)),
                 least = fmin(c->size.x, fmin(c->size.y, c->size.z));
    const double ball = least * least * inverse_or_0(most);
    return c->curve == CURVE_ELLIPSE ? ball : c->curve == CURVE_SUPER && c->p > 1 ? roundness(c) * ball : 0;
}

/* Turns an ellipsoid of three equal semi-axes into a point with a radius: its depth against vertices is then
 * finite work, and no turn moves it. 1 if it is one. */
static inline int ball_to_point(gjb_fallback_side *side)
{
    static const real origin[12 + LANES]; /* room to load a whole register from any coordinate */
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
