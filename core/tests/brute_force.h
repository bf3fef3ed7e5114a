/* Signed distance by brute force, for tests of what was generated: all
 * differences of vertices, their hull, the distance of a point to it. Shares
 * nothing with the generator. */
#ifndef GJB_CORE_TESTS_BRUTE_FORCE_H
#define GJB_CORE_TESTS_BRUTE_FORCE_H

#include "core/scene.h"

/* At most 64 vertices each. Good to a few roundings of the pair's size. */
double brute_force_sigma(const gjb_pair2 *pair);

/* Circumradius about the mean vertex, with the radius. */
double brute_force_size(const gjb_body2 *body);

#endif
