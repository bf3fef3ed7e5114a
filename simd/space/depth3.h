/* The depth of two overlapping cores, found across a register for one pair at a time: compiled once per backend and
 * precision.
 *
 * The depth is the least h(u) = max u . a - min u . b over unit directions u: how far B moves along u until
 * the cores touch. It is attained at a facet of their Minkowski difference, so it is along a normal of a face of
 * either, or where an arc of one's Gauss map crosses an arc of the other's (separating axes over Gauss maps: Gregorius,
 * "The Separating Axis Test between Convex Polyhedra", GDC 2013).
 */
#ifndef GJB_SIMD_DEPTH3_H
#define GJB_SIMD_DEPTH3_H

#include "simd/lanes/lanes.h"
#include "simd/library.h"

typedef struct depth3_side {
    const real *vertices; /* in groups of x, y and z, in units of the shape */
    uint32_t group;
    const gjb_gauss *gauss;
    const real *rows;       /* of the Gauss map */
} depth3_side;

/* In the frame of A: B's points turn by `turn`, are scaled, and shifted. */
typedef struct depth3_pair {
    depth3_side a, b;
    real turn[3][3], shift[3], scale;
    real reach; /* no point of the difference is farther from the origin */
} depth3_pair;

typedef struct depth3_answer {
    real depth;   /* in the frame; 0 if rounding says less */
    real n[3];    /* the direction that B moves to separate, of unit length */
    real a[3], b[3]; /* witness points, in the frame */
    unsigned rounds; /* of directions asked */
} depth3_answer;

typedef enum depth3_outcome {
    DEPTH_FOUND,
    DEPTH_LOST,  /* rounding leaves no witness points */
    DEPTH_NONE,  /* neither core has a Gauss map with arcs, or one has none */
} depth3_outcome;

typedef depth3_outcome depth3_fn(const depth3_pair *pair, depth3_answer *answer);

#endif
