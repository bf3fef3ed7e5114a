/* Proofs that two bodies in motion stay apart, in long double: the cheap certificate of a time of
 * impact from below. Both dimensions; a pair in the plane is one in space without a third coordinate. */
#ifndef GJB_GRADING_BOUNDS_PATH_H
#define GJB_GRADING_BOUNDS_PATH_H

#include "grading/bounds.h"

/* A body of the pair: where it starts is computed again for each time. */
typedef struct gjb_mobile {
    gjb_placed3 core;       /* vertices, reach and radius */
    ref_solid curved;       /* instead, in a pair in which a core is curved: about its origin, unturned */
    long double spin[3];    /* rotation vector w */
    long double rate;       /* |w| */
    long double swing;      /* largest distance of the core from the axis of rotation, rounded up */
} gjb_mobile;

typedef struct gjb_path {
    const gjb_pair *pair; /* borrowed */
    double size;          /* S: gjb_path_size */
    long double error;    /* of any support gap */
    gjb_mobile body[2];
    int is_curved;
    int plane; /* 1 + which body is a half-space, or 0. Then its normal is the only axis, and turns as it does */
    long double velocity[3];
    double (*flat[2])[3]; /* vertices of a pair in the plane */
    uint32_t room[2];
    gjb_placed_pair placed; /* where sigma was last bounded */
    long double axis[3];    /* last one that proved anything */
} gjb_path;

/* Zero the struct before its first use; buffers are reused. 0, or -1 when memory does not suffice. */
int gjb_path_open(gjb_path *path, const gjb_pair *pair);
void gjb_path_close(gjb_path *path);

/* Of a half-space n is that axis, whatever is given, and bodies turn relative to it.
 * Is sigma above `level` for every t in [from, to]? 1 is a proof, along one axis n (of unit length); 0 says
 * nothing. Bit i of `whole` takes the support of body i over all angles, instead of near those that it goes
 * through. The proof: with vertices expanded to first order about the beginning of the interval the gap along n
 * is a least of linear functions, and what is left out is at most the half of |p''| times the time squared;
 * so the bound is concave in t, and above the level if it is so at both ends. In the plane n lies in it. */
int gjb_path_apart(const gjb_path *path, const long double n[3], long double from, long double to,
                   unsigned whole, long double level);

/* Searches for such proofs from `from` on, one after another (conservative advancement; Mirtich 1996). Returns
 * how far they lead towards `to`: at least `from`, which proves nothing of `from` itself. */
long double gjb_path_reach(gjb_path *path, long double from, long double to, long double level);

/* Proven bounds on sigma at a time; path->placed is then the pair as it is at that time. 0, or -1 out of memory. */
int gjb_path_sigma(gjb_path *path, long double t, double *lo, double *hi);

#endif
