/* Proven bounds on the signed distance of a pair, in long double: the cheap
 * certificate that decides nearly every answer without the exact oracle. */
#ifndef GJB_FUZZ_BOUNDS_H
#define GJB_FUZZ_BOUNDS_H

#include "core/types.h"

/* One core's vertices in the frame of the pair: world axes, relative to the
 * translation of A's pose, each within `error` of its exact place. */
typedef struct gjb_placed {
    long double (*vertices)[2];
    long double (*normals)[2]; /* outward, of the hull edges; for a flat core both sides */
    uint32_t *corners;         /* vertices of the hull, counter-clockwise, certainly convex */
    uint32_t *order;           /* vertices from left to right */
    uint32_t count, corner_count, normal_count;
    uint32_t capacity;
    long double radius;
} gjb_placed;

typedef struct gjb_placed_pair {
    gjb_placed a, b;
    double size;       /* S */
    long double error; /* of any support gap or point distance below */
} gjb_placed_pair;

/* Zero the struct before its first use; buffers are reused from one pair to
 * the next. 0, or -1 when memory does not suffice. */
int gjb_place_pair(gjb_placed_pair *placed, const gjb_pair2 *pair);
void gjb_placed_free(gjb_placed_pair *placed);

/* Support gap of the two shapes, radii included, along n (normalised inside,
 * not zero). sigma >= gap - error for every n. */
long double gjb_support_gap(const gjb_placed_pair *placed, const long double n[2]);

/* Distance of a point to shape A or B, 0 inside. Within `error`. */
long double gjb_point_distance(const gjb_placed_pair *placed, int of_b, const long double point[2]);

/* lo <= sigma <= hi, rounded outwards. `normal`, `point_a` and `point_b` are a
 * guess from any method; a good one makes the bounds narrow, a bad one only wide. */
void gjb_certify(const gjb_placed_pair *placed, const double normal[2], const double point_a[2],
                 const double point_b[2], double *lo, double *hi);

#endif
