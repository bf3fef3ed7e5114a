/* Signed distances of pairs with curved shapes, by very many directions in long double: slow, and
 * independent of the kernels. Answers of 2D kernels are compared with it. */
#ifndef GJB_SIMD_TESTS_DENSE2_H
#define GJB_SIMD_TESTS_DENSE2_H

#include "scenes/scene.h"

/* max over unit n, from A to B, of the gap between the cores' supports, less the radii. */
long double dense_sigma(const gjb_pair2 *pair);
/* The gap along n, world axes and of unit length, radii included: minus the depth along n if they overlap. */
long double dense_gap(const gjb_pair2 *pair, long double nx, long double ny);
/* How far a point, world axes and relative to A's translation, is from being in a shape: at most that, and 0 inside. */
long double dense_outside(const gjb_pair2 *pair, int of_b, long double x, long double y);

#endif
