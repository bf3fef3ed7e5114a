/* The fallback path of pairs with a curved shape: the least support of the difference A - B over
 * all directions, in double, which is minus the signed distance whether they overlap or not.
 *
 * Branch and bound over the circle. A cell is the arc between two directions whose supports
 * are known. The outline of the difference has there a radius of curvature of at least r, so
 * it is a convex outline moved out by r, and its support is at least r plus that of the two
 * points moved in by r. Cells that cannot hold less than the best so far are dropped. If r
 * exceeds the support, the support is a convex function of the angle, and its one minimum is
 * found as a root of the derivative. Other cells are split where their bound is least; for
 * polygons that is at the normal of a side. The result is exact to a few roundings, unless
 * the number of directions runs out; then the best of them is the answer. */
#ifndef GJB_SIMD_FALLBACK2_CURVED_H
#define GJB_SIMD_FALLBACK2_CURVED_H

#include "simd/plane/fallback/fallback2.h"

/* As gjb_fallback2, for any two shapes, with the same kind of result; also compiled once. */
void gjb_fallback2_curved(const fallback_body *a, const fallback_body *b, double extent, double *room,
                         fallback_answer *answer);

#endif
