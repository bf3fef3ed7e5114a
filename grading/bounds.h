/* Proven bounds on the signed distance of a pair, in long double: the cheap
 * certificate that decides nearly every answer without the exact oracle. Both
 * dimensions; vectors have three coordinates, the third unused in 2D. */
#ifndef GJB_GRADING_BOUNDS_H
#define GJB_GRADING_BOUNDS_H

#include "core/types.h"
#include "reference/curved/curved.h"
#include "reference/reference.h"

/* One core's vertices in the frame of the pair: world axes, relative to the
 * translation of A's pose, each within `error` of its exact place. */
typedef struct gjb_placed2 {
    long double (*vertices)[2];
    long double (*normals)[2]; /* outward, of the hull edges; for a flat core both sides */
    uint32_t *corners;         /* vertices of the hull, counter-clockwise, certainly convex */
    uint32_t *order;           /* vertices from left to right */
    uint32_t count, corner_count, normal_count;
    uint32_t capacity;
    long double radius;
} gjb_placed2;

/* In 3D vertices stay as stored, and are placed when they are met:
 * turn * vertex + offset. */
typedef struct gjb_placed3 {
    const double (*vertices)[3];
    uint32_t count;
    double reach; /* largest |vertex|, rounded up */
    long double turn[3][3], offset[3];
    long double radius;
} gjb_placed3;

typedef struct gjb_placed_pair {
    const gjb_pair *pair;   /* borrowed; at a time, the pair rounded to double as it is then */
    const gjb_pair *whose;  /* borrowed; the pair that moves */
    gjb_pair then;
    long double time;
    double size;            /* S; at a time, that of the path */
    long double error;      /* of any support gap or point distance below */
    gjb_placed2 plane[2];   /* A, B */
    gjb_placed3 space[2];
    int deep;               /* 1: an answer says that the cores overlap; if so, their depth is sooner found */
    int is_curved;          /* 1: a core is curved, and the pair is this instead of the two above */
    ref_curved curved;
    ref_polytope3 polytope; /* in 3D, of the last pair whose cores overlap */
    void *scratch;          /* to check it */
    size_t scratch_size;    /* bytes */
} gjb_placed_pair;

/* Zero the struct before its first use; buffers are reused from one pair to
 * the next. `pair` is borrowed. 0, or -1 when memory does not suffice. */
int gjb_place_pair(gjb_placed_pair *placed, const gjb_pair *pair);
/* The same as bodies are at a time of their motion; points are relative to A's translation then. */
int gjb_place_pair_at(gjb_placed_pair *placed, const gjb_pair *pair, long double time);
void gjb_placed_free(gjb_placed_pair *placed);

/* Rounded to a double that is no less (`up`), or no more. */
double gjb_outwards(long double value, int up);

/* Of both shapes, added; of pairs that do not curve. */
long double gjb_radii(const gjb_placed_pair *placed);

/* Support gap of the two shapes, radii included, along n (normalised inside,
 * not zero). sigma >= gap - error for every n. */
long double gjb_support_gap(const gjb_placed_pair *placed, const long double n[3]);

/* Distance of a point to shape A or B, 0 inside. Within `error`. */
long double gjb_point_distance(const gjb_placed_pair *placed, int of_b, const long double point[3]);

/* lo <= sigma <= hi, rounded outwards: proven, whatever the methods that look
 * for the proof make of the pair; if they do badly it is only wide. Of curved pairs the proof takes
 * the longer the narrower it is, and `epsilon` S is enough. 0, or -1 when memory does not suffice. */
int gjb_bound_sigma(gjb_placed_pair *placed, double epsilon, double *lo, double *hi);

#endif
