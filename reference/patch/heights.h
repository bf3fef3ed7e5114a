/* Inside the reference room: a feature over the plane normal to a direction, as its outline and its height. */
#ifndef REF_HEIGHTS_H
#define REF_HEIGHTS_H

#include "reference/patch/placed.h"
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

/* The hull of the extreme vertices of a shape. Its upper side (of A) or lower side (of B) is the least (the most) of
 * the heights of the planes. */
typedef struct ref_feature {
    ref_polygon outline;
    ref_line2 *planes; /* the height over a point */
    uint32_t plane_count, plane_room;
} ref_feature;

void ref_feature_open(ref_feature *feature, const ref_placed *placed, int side, const ref_flat_frame *frame, double sine);
void ref_feature_close(ref_feature *feature);
/* At the nearest point of the outline: its planes may be steep, and say nothing outside. */
void ref_feature_height(mpq_t out, const ref_feature *feature, int side, const ref_flat_frame *frame, const ref_point2 *at);
/* Keeps of a polygon what is in the outline grown by `near`, a length on the grid, at its sides; 0: exactly. Corners
 * are not grown by more than the square about them. */
void ref_feature_clip(ref_polygon *polygon, const ref_feature *feature, const ref_flat_frame *frame, const mpq_t near);

#endif
