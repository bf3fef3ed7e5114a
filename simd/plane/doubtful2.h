/* Pairs of straight cores that lanes leave in doubt, in lanes of double: separating axes and the features that meet
 * along the best of them. What touches is decided here; what even double leaves open goes to the fallback path.
 * Of larger shapes four edges are tried: those whose normals are next to the direction in which the search ended. */
#ifndef GJB_SIMD_DOUBTFUL2_H
#define GJB_SIMD_DOUBTFUL2_H

#include <stdint.h>

enum { DOUBTFUL_VERTICES = 128, DOUBTFUL_ROWS = 16 };

/* Pairs as stored; radii are 0. Rows that are not in use repeat the last. */
typedef struct doubtful2 {
    const void *record_a[DOUBTFUL_ROWS], *record_b[DOUBTFUL_ROWS], *pose_a[DOUBTFUL_ROWS], *pose_b[DOUBTFUL_ROWS];
    double quads_a[DOUBTFUL_ROWS], quads_b[DOUBTFUL_ROWS]; /* not if uniform */
    double extent[DOUBTFUL_ROWS]; /* max |vertex|, of both */
    double toward_x[DOUBTFUL_ROWS], toward_y[DOUBTFUL_ROWS]; /* if guided: about the axis, along A's own axes */
    uint32_t vertices;            /* a multiple of 4: a shape with fewer repeats its last */
    uint32_t guided;              /* only the edges across those directions are tried: signs alone can be had so */
    uint32_t uniform;             /* no shape has fewer */
    uint32_t pairs;               /* rows in use */
    uint32_t floats;              /* records and poses are */
    uint32_t signs_only;          /* nothing but apart and overlapping is wanted */
    uint32_t axes;                /* so are normals of pairs apart, which separate them */
} doubtful2;

/* Lane bits, and of those that overlap, in world units and axes and relative to A's translation, as a fallback_answer
 * has it: 0, sigma, normal, and both points. Rows of others are 0, but for the normals that are asked for. */
typedef struct decided2 {
    unsigned apart, overlapping; /* in neither: undecided */
    double row[DOUBTFUL_ROWS][8];
} decided2;

/* Decides all rows in use: DOUBTFUL_NAME(2). */
typedef void doubtful2_fn(const doubtful2 *pairs, decided2 *decided);

#endif
