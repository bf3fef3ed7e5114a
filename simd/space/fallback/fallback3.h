/* One 3D pair at a time, in double, its vertices in lanes: GJK for the distance
 * (Gilbert, Johnson, Keerthi 1988), EPA for the depth (van den Bergen 2001), or branch
 * and bound over directions if a shape is curved (fallback3_curved.h).
 *
 * It serves depths of large hulls and of curved shapes, and pairs that lanes of the other methods could
 * not prove. Compiled once per backend and precision
 * of the stored vertices; backends differ in how many vertices they read at once,
 * and not in their results.
 *
 * Frame: A's local axes and origin, lengths times the exact power of two that
 * brings the size of the pair into [1, 2). D = { b - a : a in A, b in B }. */
#ifndef GJB_SIMD_FALLBACK3_H
#define GJB_SIMD_FALLBACK3_H

#include <stddef.h>
#include <stdint.h>

#include <gjkbench/types.h>

/* A shape of the library. */
typedef struct gjb_fallback_side {
    const void *vertices; /* local, in the stored precision, and balls, as in library.h */
    const void *balls;    /* NULL: no more than 1024 vertices */
    uint32_t count;       /* a multiple of 4 */
    uint32_t curve;       /* CURVE_NONE, or which curve; then vertices are not used, but */
    double curved[4];     /* lengths as in library.h, and p */
    double pose[7];       /* x y z qx qy qz qw */
    double radius, extent;
} gjb_fallback_side;

/* Memory that will be read next, prefetched a few lines at a time; equal: nothing. */
typedef struct gjb_fallback_ahead {
    const char *at, *end;
} gjb_fallback_ahead;

/* A pair, and what is asked about it. */
typedef struct gjb_fallback_pair {
    gjb_fallback_side a, b;
    double met;          /* bounds closer than this, in units of the pair's size, have met */
    uint8_t want_apart;  /* 1: the distance of shapes apart; 0: only that they are apart */
    uint8_t want_depth;  /* 1: the depth of shapes that overlap; 0: only that they overlap */
    uint8_t cores_meet;  /* cores are known to meet, up to rounding: only the depth is missing */
    gjb_fallback_ahead ahead[2]; /* of the next pair */
    double axis[3];      /* first direction: of the last answer, world axes, finite; 0: none is known */
} gjb_fallback_pair;

/* In world units and axes, points relative to A's translation; radii included.
 * If only the sign was asked for, the rest is undefined, except the normal of shapes apart:
 * it separates them. */
typedef struct gjb_fallback_answer {
    int overlapping;
    int proven;          /* the bounds met, or nearly */
    uint32_t iterations; /* number of supports */
    double sigma;
    double normal[3];    /* unit, A to B */
    double a[3], b[3];   /* b - a = sigma * normal */
} gjb_fallback_answer;

/* Bytes of `room` for shapes of up to so many vertices, padded; `curved`: and for curved ones. */
size_t gjb_fallback3_room(uint32_t vertices, int curved);

/* Poses are of unit length within 2^-10, all numbers finite. `room`, of
 * gjb_fallback3_room() bytes and 64-aligned, is scratch. */
typedef void gjb_fallback3(const gjb_fallback_pair *pair, void *room, gjb_fallback_answer *answer);

/* A pair in motion: displacements and rotation vectors (core/types.h), and the first
 * direction of the search in world axes, from A to B, or 0. */
typedef struct gjb_fallback_motion {
    double a[6], b[6];
    double axis[3];
} gjb_fallback_motion;

/* Time of impact: GJB_HIT, GJB_SEPARATED, GJB_OVERLAPPING, or GJB_ITERATION_LIMIT. For a hit
 * sigma is the time, and all else is that at the time; for a separation the normal is the last
 * axis. Poses are of unit length within 2^-10, all numbers finite; `met` and `want_...` are
 * ignored. */
typedef gjb_status gjb_fallback3_toi(const gjb_fallback_pair *pair, const gjb_fallback_motion *motion,
                                     gjb_fallback_answer *answer);

#endif
