/* Inside the reference room: pairs of which one shape is a half-space, in closed form. Its solid is the point of the
 * plane nearest to its local origin: along the plane's normal the gap of that point is the pair's, for no point of
 * the plane is higher. Any other direction proves less, and one that leaves the plane by an angle is charged for how
 * far it goes along it. */
#ifndef REF_HALFSPACE_H
#define REF_HALFSPACE_H

#include "reference/curved/curved.h"

/* Of the two the half-space, 0 or 1, or -1. */
int ref_halfspace_side(const ref_curved *curved);
/* A half-space's unit normal in the frame. */
void ref_halfspace_normal(const ref_solid *solid, ref_real n[3]);
/* What sigma is along it, from A to B. */
void ref_halfspace_axis(const ref_curved *curved, ref_real n[3]);
/* By how much less than that of the stand-in a gap along unit n is: a bound on sigma for every n. Let x be the lowest
 * point of the other shape above the foot f. Along n, at an angle to the normal of sine s, n.(x - f) is at most
 * sigma + s |x - f| sqrt 2, and |x - f| is no more than `size`. */
ref_real ref_halfspace_charge(const ref_real axis[3], const ref_real n[3], ref_real size);
/* lower = upper - 2 error; normal and points. */
void ref_halfspace_enclose(const ref_curved *curved, ref_enclosure *out);
void ref_halfspace_approach(const ref_curved *curved, ref_near *out);
/* How far a point is above the surface, less than 0 below. */
ref_real ref_halfspace_above(const ref_solid *solid, const ref_real point[3]);

#endif
