/* One 3D pair at a time, in double, its vertices in lanes: GJK for the distance
 * (Gilbert, Johnson, Keerthi 1988), EPA for the depth (van den Bergen 2001), or branch
 * and bound over directions where a shape curves (fallback3_curved.h).
 *
 * It serves large hulls, every depth that axes do not find, and whatever a lane
 * of the other methods could not prove. Compiled once per backend and precision
 * of the stored vertices; backends differ in how many vertices they look at
 * together, and in nothing that they find.
 *
 * Frame: A's local axes and origin, lengths times the exact power of two that
 * brings the size of the pair into [1, 2). D = { b - a : a in A, b in B }. */
#ifndef GJB_SIMD_FALLBACK3_H
#define GJB_SIMD_FALLBACK3_H

#include <stddef.h>
#include <stdint.h>

#include <gjkbench/types.h>

/* A shape as the library keeps it. */
typedef struct gjb_fallback_side {
    const void *vertices; /* local, in the stored precision, and balls, as library.h has them */
    const void *balls;    /* NULL: no more than 1024 vertices */
    uint32_t count;       /* a multiple of 4 */
    uint32_t curve;       /* CURVE_NONE, or which; then vertices are not looked at, but */
    double curved[4];     /* lengths as library.h has them, and p */
    double pose[7];       /* x y z qx qy qz qw */
    double radius, extent;
} gjb_fallback_side;

/* What will be read, to be asked for a few lines at a time; equal: nothing. */
typedef struct gjb_fallback_ahead {
    const char *at, *end;
} gjb_fallback_ahead;

/* What is wanted of a pair. */
typedef struct gjb_fallback_pair {
    gjb_fallback_side a, b;
    double met;          /* bounds closer than this, in units of the pair's size, have met */
    uint8_t want_apart;  /* the distance of shapes apart; else only that they are */
    uint8_t want_depth;  /* the depth of those that overlap; else only that they do */
    uint8_t cores_meet;  /* known to, up to rounding: only the depth is left */
    gjb_fallback_ahead ahead[2]; /* of the next pair */
    double axis[3];      /* of its last answer, world axes, where to begin; finite; 0: none is known */
} gjb_fallback_pair;

/* In world units and axes, points relative to A's translation; radii included.
 * Where only the sign was wanted the rest is not to be read, but for the normal of those
 * apart: it separates them. */
typedef struct gjb_fallback_answer {
    int overlapping;
    int proven;          /* the bounds met, or all but */
    uint32_t iterations; /* supports asked for */
    double sigma;
    double normal[3];    /* unit, A to B */
    double a[3], b[3];   /* b - a = sigma * normal */
} gjb_fallback_answer;

/* Bytes of `room` for shapes of so many vertices, padded, and less; `curved`: and for curved ones. */
size_t gjb_fallback3_room(uint32_t vertices, int curved);

/* Poses are of unit length within 2^-10, all numbers finite. `room`, of
 * gjb_fallback3_room() bytes and 64-aligned, is scratch. */
typedef void gjb_fallback3(const gjb_fallback_pair *pair, void *room, gjb_fallback_answer *answer);

/* A pair in motion: displacements and rotation vectors (core/types.h), and where the
 * search starts: an axis in world axes, from A to B, or 0. */
typedef struct gjb_fallback_motion {
    double a[6], b[6];
    double axis[3];
} gjb_fallback_motion;

/* When do shapes meet? GJB_HIT, GJB_SEPARATED, GJB_OVERLAPPING, or GJB_ITERATION_LIMIT. Of a
 * hit sigma is the time and all else as at that time; of a separation the normal is the last
 * axis. Poses are of unit length within 2^-10, all numbers finite; `met` and `want_...` are
 * not looked at. */
typedef gjb_status gjb_fallback3_toi(const gjb_fallback_pair *pair, const gjb_fallback_motion *motion, gjb_fallback_answer *answer);

#endif
