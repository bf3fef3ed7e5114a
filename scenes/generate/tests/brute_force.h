/* Signed distance by brute force, for tests of generated scenes. In 2D: all
 * differences of vertices, their hull, the distance of a point to it. In 3D:
 * the normals of all triples and pairs of sides, the distances of all points,
 * sides and triples. Shares nothing with the generator. */
#ifndef GJB_SCENES_GENERATE_TESTS_BRUTE_FORCE_H
#define GJB_SCENES_GENERATE_TESTS_BRUTE_FORCE_H

#include "scenes/scene.h"

/* At most 64 vertices each. Good to a few roundings of the pair's size. */
double brute_force_sigma(const gjb_pair2 *pair);
/* At most 16 vertices each. Good to a few roundings of a long double. */
double brute_force_sigma3(const gjb_pair3 *pair);

/* Circumradius about the mean vertex, with the radius. */
double brute_force_size(const gjb_body2 *body);
double brute_force_size3(const gjb_body3 *body);

#endif
