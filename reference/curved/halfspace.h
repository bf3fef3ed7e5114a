/* Inside the reference room: pairs of which one shape is a half-space, in closed form. Its solid is the point of the
 * plane nearest to its local origin: along the plane's normal the gap of that point is the pair's, for no point of
 * the plane is higher. Any other direction proves less, and one that leaves the plane by an angle is charged for how
 * far it goes along it. */
#ifndef REF_HALFSPACE_H
#define REF_HALFSPACE_H

#include <math.h>

#include "reference/curved/curved.h"

/* Of the two the half-space, 0 or 1, or -1. */
static inline int ref_halfspace_side(const ref_curved *curved)
{
    return gjb_is_unbounded(curved->body[0].kind) ? 0 : gjb_is_unbounded(curved->body[1].kind) ? 1 : -1;
}
/* A half-space's unit normal in the frame. */
static inline void ref_halfspace_normal(const ref_solid *solid, ref_real n[3])
{
    ref_real turned[3];
    for (int k = 0; k < 3; k++)
        turned[k] = ref_inner(solid->turn[k], solid->semi);
    ref_unit(n, turned);
}
/* What sigma is along it, from A to B. */
static inline void ref_halfspace_axis(const ref_curved *curved, ref_real n[3])
{
    const int side = ref_halfspace_side(curved);
    ref_halfspace_normal(&curved->body[side], n);
    for (int k = 0; k < 3 && side == 1; k++)
        n[k] = -n[k];
}
/* By how much less than that of the stand-in a gap along unit n is: a bound on sigma for every n. Let x be the lowest
 * point of the other shape above the foot f. Along n, at an angle to the normal of sine s, n.(x - f) is at most
 * sigma + s |x - f| sqrt 2, and |x - f| is no more than `size`. */
static inline ref_real ref_halfspace_charge(const ref_real axis[3], const ref_real n[3], ref_real size)
{
    ref_real across[3];
    if (!(ref_inner(axis, n) > 0))
        return 8 * size;
    ref_cross(across, axis, n);
    return 1.5L * size * sqrtl(ref_inner(across, across));
}
/* lower = upper - 2 error; normal and points. */
void ref_halfspace_enclose(const ref_curved *curved, ref_enclosure *out);
void ref_halfspace_approach(const ref_curved *curved, ref_near *out);
/* How far a point is above the surface, less than 0 below. */
ref_real ref_halfspace_above(const ref_solid *solid, const ref_real point[3]);

#endif
