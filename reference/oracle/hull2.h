/* Inside the reference room: exact hulls of stored vertices in the plane. */
#ifndef REF_HULL2_H
#define REF_HULL2_H

#include <stdint.h>

/* Exact sign of the turn p -> q -> r: 1 left, -1 right, 0 collinear or repeated. */
int ref_turn2(const double p[2], const double q[2], const double r[2]);

/* Indices of the strict hull of `count` >= 1 vertices into `hull` (room for
 * `count`), counter-clockwise: without repeated, collinear or interior ones.
 * Returns how many: 1 for a point, 2 for a segment. Exact. Ends the program
 * when memory does not suffice, as GMP does. */
uint32_t ref_hull2(const double (*vertices)[2], uint32_t count, uint32_t *hull);

#endif
