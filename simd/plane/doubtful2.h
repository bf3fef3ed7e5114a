/* Pairs of straight cores that lanes leave in doubt, in lanes of double: separating axes and the features that meet
 * along the best of them. What touches is decided here; what even double leaves open goes to the fallback path. */
#ifndef GJB_SIMD_DOUBTFUL2_H
#define GJB_SIMD_DOUBTFUL2_H

#include "simd/doubtful.h"

enum { DOUBTFUL_VERTICES = 32 };

/* Pairs as stored, widened to double; radii are 0. */
typedef struct doubtful2 {
    double x_a[DOUBTFUL_PAIRS][DOUBTFUL_VERTICES], y_a[DOUBTFUL_PAIRS][DOUBTFUL_VERTICES];
    double x_b[DOUBTFUL_PAIRS][DOUBTFUL_VERTICES], y_b[DOUBTFUL_PAIRS][DOUBTFUL_VERTICES];
    double pose_a[DOUBTFUL_PAIRS][4], pose_b[DOUBTFUL_PAIRS][4];
    double extent[DOUBTFUL_PAIRS]; /* max |vertex|, of both */
    uint32_t vertices;             /* of each shape, a multiple of 4: the last are repeated */
    uint32_t pairs;                /* rows in use */
    uint32_t signs_only;           /* nothing but apart and overlapping is wanted */
} doubtful2;

/* Lane bits, and for those that overlap, in world units and axes and relative to A's translation, as a fallback_answer
 * has it. The normal of those apart separates them. */
typedef struct decided2 {
    unsigned apart, overlapping; /* in neither: undecided */
    double sigma[DOUBTFUL_PAIRS], normal[2][DOUBTFUL_PAIRS];
    double a[2][DOUBTFUL_PAIRS], b[2][DOUBTFUL_PAIRS];
} decided2;

/* Decides all rows in use: DOUBTFUL_NAME(2). */
typedef void doubtful2_fn(const doubtful2 *pairs, decided2 *decided);

#endif
