/* Inside the reference room: the vertices of a pair of either dimension on one grid of integers, and the feature
 * of a shape that is extreme along a direction. */
#ifndef REF_PLACED_H
#define REF_PLACED_H

#include "reference/oracle/exact3.h"

/* world = at / product * 2^exponent, relative to A's translation. In the plane the third coordinate is 0. */
typedef struct ref_placed {
    uint32_t count[2];
    ref_vector3 *at[2];
    double radius[2];
    mpz_t product;
    int exponent;
} ref_placed;

void ref_placed_open(ref_placed *placed, const gjb_pair *pair);
void ref_placed_close(ref_placed *placed);

/* Points less the first of them in doubles, to decide signs that are clear: each coordinate in a unit of its own, a
 * power of two, so that it is 1 at most, and truncated: 2^-52 off at most. The caller frees them. */
typedef struct ref_rounded {
    double (*at)[3];
    long exponent[3]; /* at * 2^exponent */
} ref_rounded;

ref_rounded ref_round_points(const ref_vector3 *points, uint32_t count);

/* Writes which vertices of A (side 0) or B have a direction in their normal cone within the angle of `n`, outward
 * from the shape and not 0: member[count]. Returns how many, at least 1. 0 <= sine < 1. Exact. */
uint32_t ref_extreme_vertices(const ref_placed *placed, int side, const ref_vector3 *n, double sine, bool *member);

#endif
