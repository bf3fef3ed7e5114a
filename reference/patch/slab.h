/* What of a half-space a shape may lie on, as a face with corners: for contact patches, which are those of polytopes. */
#ifndef REF_SLAB_H
#define REF_SLAB_H

#include "core/types.h"

/* The pair at rest with its half-space as a square of its plane under the other shape, wider than that; in the plane
 * a segment. Corners are rounded: within 4 * 2^-53 S of the plane. */
typedef struct ref_slab {
    gjb_pair pair;
    int side; /* which shape it stands for */
    double corners[4][3];
    double flat[2][2];
} ref_slab;

/* Of a pair with one half-space. `slab` must stay where it is: its pair points into it. */
void ref_slab_open(ref_slab *slab, const gjb_pair *pair);
/* How far a point, relative to A's translation, is above the half-space's surface; less than 0 below. In long double. */
long double ref_slab_above(const gjb_pair *pair, const double point[3]);

#endif
