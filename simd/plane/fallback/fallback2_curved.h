/* The fallback path of pairs with a curved shape: the least support of the difference A - B over
 * all directions, in double, which is minus the signed distance whether they overlap or not.
 *
 * Branch and bound over the circle. A cell is the arc between two directions whose supports
 * are known. The outline of the difference turns there with a radius of curvature of at least r,
 * so it is a convex outline moved out by r, and its support is no less than r and that of the
 * two points moved in by r. Cells that cannot hold less than the best so far are dropped. Where
 * r exceeds the support the support is a convex function of the angle: its one minimum is then
 * looked for by a root of the derivative. Others are split where their bound is least, which
 * for polygons is at the normal of a side. Nothing is given away but a few roundings, unless
 * directions to look along run out, of which the best is then the answer. */
#ifndef GJB_SIMD_FALLBACK2_CURVED_H
#define GJB_SIMD_FALLBACK2_CURVED_H

#include "simd/plane/fallback/fallback2.h"

/* As gjb_fallback2, of any two shapes; the same results, and compiled once too. */
void gjb_fallback2_curved(const fallback_body *a, const fallback_body *b, double extent, double *room,
                         fallback_answer *answer);

#endif
