/* Between the files of mutations: rows by what they change, and what they share. */
#ifndef GJB_FUZZ_MUTATE_PRIVATE_H
#define GJB_FUZZ_MUTATE_PRIVATE_H

#include <math.h>
#include <string.h>

#include "fuzz/mutate.h"

#define GJB_MUTATION(name)                                                                                   \
    int gjb_mutate_##name(gjb_random *r, gjb_edit *edit, uint32_t which, const gjb_edit *other)

/* Shapes (mutate_shape.c). */
GJB_MUTATION(nudge);
GJB_MUTATION(collinear);
GJB_MUTATION(coplanar);
GJB_MUTATION(repeat);
GJB_MUTATION(drop);
GJB_MUTATION(interior);
GJB_MUTATION(aspect);
GJB_MUTATION(flatten);
GJB_MUTATION(scale);
GJB_MUTATION(scale_pair);
GJB_MUTATION(radius);
GJB_MUTATION(exponent);
GJB_MUTATION(round);
GJB_MUTATION(mirror);
/* Kinds, and both shapes (mutate_kind.c). */
GJB_MUTATION(equivalent);
GJB_MUTATION(equal);
GJB_MUTATION(swap);
GJB_MUTATION(cross_shape);
GJB_MUTATION(cross_place);
GJB_MUTATION(cross_motion);
/* Poses (mutate_place.c). */
GJB_MUTATION(far);
GJB_MUTATION(origin);
GJB_MUTATION(same_place);
GJB_MUTATION(identity);
GJB_MUTATION(quarter);
GJB_MUTATION(near_axis);
GJB_MUTATION(turn);
GJB_MUTATION(nudge_turn);
GJB_MUTATION(parallel);
GJB_MUTATION(parallel_edges);
GJB_MUTATION(flush);
GJB_MUTATION(vertex_on);
GJB_MUTATION(slide);
GJB_MUTATION(touch);
GJB_MUTATION(near_touch);
GJB_MUTATION(depth);
/* Motions (mutate_motion.c). */
GJB_MUTATION(still);
GJB_MUTATION(along_normal);
GJB_MUTATION(arrive);
GJB_MUTATION(graze);
GJB_MUTATION(spin);
GJB_MUTATION(reverse);
GJB_MUTATION(nudge_motion);

/* sigma and a normal of the pair at rest, by the reference. 0, or 1 if it has none: numbers too large, or a pair
 * whose depth takes long, as that of curved solids does. */
int gjb_edit_sigma(const gjb_edit *edit, double *sigma, double normal[3]);
/* Largest component of the shape along a direction of the world, with the radius, about its translation. */
double gjb_edit_support(const gjb_edit *edit, uint32_t which, const double n[3]);
void gjb_edit_unit(gjb_random *r, uint32_t dim, double n[3]); /* a random direction */
/* -1 if a direction has no length. */
int gjb_edit_normalise(double n[3]);
/* Turns a body by the shortest way that takes one direction of the world to another, both of unit length. */
void gjb_edit_turn_to(gjb_edit *edit, uint32_t which, const double from[3], const double to[3]);

static inline double gjb_edit_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void gjb_edit_cross(const double a[3], const double b[3], double out[3])
{
    const double u[3] = {a[0], a[1], a[2]}, v[3] = {b[0], b[1], b[2]};
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

#endif
