/* Inside the reference room: coordinates over the plane normal to a direction, in integers and rationals. */
#ifndef REF_FLAT_H
#define REF_FLAT_H

#include "reference/oracle/exact3.h"
#include "reference/patch/polygon.h"

/* Coordinates over the plane normal to n are products with e = n x (an axis) and f = n x e, the height is the product
 * with n: integers on the grid, stretched by |e|, |f| = |n||e| and |n|. Lengths and angles take that into account. */
typedef struct ref_flat_frame {
    ref_vector3 axis[3];  /* e, f, n */
    mpz_t square[3];      /* their products with themselves */
    mpq_t length;         /* of n, within 2^-60 of itself */
} ref_flat_frame;

/* `normal` is not 0; its length does not matter. */
void ref_flat_frame_open(ref_flat_frame *frame, const double normal[3]);
void ref_flat_frame_close(ref_flat_frame *frame);
/* The coordinate of the grid along world axis `m` of what is over a point of the plane at a height. */
void ref_flat_place(mpq_t out, const ref_flat_frame *frame, const ref_point2 *at, const mpq_t height, int m);
/* The product of the steps in the plane from one point to two others, in lengths on the grid. */
void ref_flat_inner(mpq_t out, const ref_flat_frame *frame, const ref_point2 *from, const ref_point2 *p,
                    const ref_point2 *q);
/* What the line rises by, at most, over a length `near` on the grid. */
void ref_flat_growth(mpq_t out, const ref_flat_frame *frame, const ref_line2 *line, const mpq_t near);
/* The square root of `square` >= 0, at most 2^-60 of it too much, and never too little. */
void ref_root_above(mpq_t out, const mpq_t square);

#endif
