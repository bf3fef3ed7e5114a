/* Pairs of boxes that lanes leave in doubt, in lanes of double: separating axes and the features that meet along the
 * best of them. */
#ifndef GJB_SIMD_DOUBTFUL3_H
#define GJB_SIMD_DOUBTFUL3_H

#include <stdint.h>

#include "simd/lanes/lanes.h"

enum { DOUBTFUL_BOXES = 8 };

/* Pairs as stored, widened to double; radii are 0. */
typedef struct doubtful3 {
    double pose_a[DOUBTFUL_BOXES][8], pose_b[DOUBTFUL_BOXES][8]; /* x y z qx qy qz qw */
    double head_a[DOUBTFUL_BOXES][4], head_b[DOUBTFUL_BOXES][4]; /* half extents, extent */
    uint32_t pairs;      /* rows in use */
    uint32_t signs_only; /* nothing but apart and overlapping is wanted */
} doubtful3;

/* Lane bits; in neither: undecided. For those that overlap in world units and axes, points relative to A's translation.
 * The normal of those apart separates them. */
typedef struct decided3 {
    unsigned apart, overlapping;
    double sigma[DOUBTFUL_BOXES], normal[3][DOUBTFUL_BOXES];
    double a[3][DOUBTFUL_BOXES], b[3][DOUBTFUL_BOXES];
} decided3;

/* All rows in use. One function per backend: gjb_doubtful3_avx2 and so on. */
typedef void doubtful3_fn(const doubtful3 *pairs, decided3 *decided);
#define DOUBTFUL3_NAME_(backend) gjb_doubtful3_##backend
#define DOUBTFUL3_NAME(backend) DOUBTFUL3_NAME_(backend)
#define DOUBTFUL3 DOUBTFUL3_NAME(GJB_HELPERS)

#endif
