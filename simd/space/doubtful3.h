/* Pairs of boxes that lanes leave in doubt, in lanes of double: separating axes and the features that meet along the
 * best of them. */
#ifndef GJB_SIMD_DOUBTFUL3_H
#define GJB_SIMD_DOUBTFUL3_H

#include "simd/doubtful.h"

/* Pairs as stored, widened to double; radii are 0. */
typedef struct doubtful3 {
    double pose_a[DOUBTFUL_PAIRS][8], pose_b[DOUBTFUL_PAIRS][8]; /* x y z qx qy qz qw */
    double head_a[DOUBTFUL_PAIRS][4], head_b[DOUBTFUL_PAIRS][4]; /* half extents, extent */
    uint32_t pairs;      /* rows in use */
    uint32_t signs_only; /* nothing but apart and overlapping is wanted */
} doubtful3;

/* Lane bits; in neither: undecided. For those that overlap in world units and axes, points relative to A's translation.
 * The normal of those apart separates them. */
typedef struct decided3 {
    unsigned apart, overlapping;
    double sigma[DOUBTFUL_PAIRS], normal[3][DOUBTFUL_PAIRS];
    double a[3][DOUBTFUL_PAIRS], b[3][DOUBTFUL_PAIRS];
} decided3;

/* Decides all rows in use: DOUBTFUL_NAME(3). */
typedef void doubtful3_fn(const doubtful3 *pairs, decided3 *decided);

#endif
