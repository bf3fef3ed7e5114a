/* Shared by the files that make hulls. */
#ifndef GJB_SCENES_MESH_HULL3_PARTS_H
#define GJB_SCENES_MESH_HULL3_PARTS_H

#include "scenes/generate/generate_solid.h"
#include "scenes/mesh/hull3.h"

/* Ends of the points along the coordinate axis on which they reach farthest. */
void gjb_hull3_ends(const double (*points)[3], size_t count, uint32_t ends[2]);
/* The point farthest from the line of the ends, and the normal of the plane
 * through the three: 0 if all points lie on the line. */
uint32_t gjb_hull3_third(const double (*points)[3], size_t count, const uint32_t ends[2], double normal[3]);
/* Copies, times 2 to the minus result, so that the largest coordinate lies in
 * [0.5, 1): no product of a few over- or underflows. */
int gjb_hull3_scale(const double (*points)[3], size_t count, double (*scaled)[3]);

#endif
