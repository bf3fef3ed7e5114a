/* How far a point is off the side that a polytope shows along a normal, by its exact faces. */
#ifndef REF_SIDE_H
#define REF_SIDE_H

#include "core/types.h"

/* Frame, units and the normal as in reference/patch/patch.h: the upper side of A (side 0) along the normal, the lower
 * side of B (side 1). Of cores with vertices, in space; radii are not looked at. Which faces look that way is decided
 * exactly, however steep they are; the distance to them is in long double. -1 if no face does, as of a triangle that is
 * seen along its plane. Takes time of the order of the faces times the vertices. Thread-safe. */
long double ref_side_distance(const gjb_pair *pair, int side, const double normal[3],
                              const long double point[3]);

#endif
