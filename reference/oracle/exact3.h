/* Inside the reference room: a pair in space on one grid of integers.
 *
 * R = M(q) / (q.q) with q scaled to integers, so world coordinates relative to
 * A's translation, times P = (qa.qa)(qb.qb) and over a power of two, are
 * integers: those of a vertex v of A are (qb.qb) M(qa) v, of B (qa.qa) M(qb) v
 * plus P times the translation. Images are computed when first asked for; next to
 * them go long doubles, which decide what their error lets them decide. */
#ifndef REF_EXACT3_H
#define REF_EXACT3_H

#include <stdbool.h>

#include "reference/methods/frame3.h"
#include "reference/oracle/exact.h"

typedef struct ref_vector3 { mpz_t x[3]; } ref_vector3;

typedef struct ref_side3 {
    const gjb_body3 *body;
    mpz_t turn[3][3];  /* M(q) times the other's q.q */
    int vertex;        /* exponent of local coordinates */
    mp_bitcnt_t shift; /* from there to the grid */
    ref_vector3 *image;
    bool *ready;
    long double rotation[3][3];
} ref_side3;

typedef struct ref_grid3 {
    ref_side3 side[2];
    mpz_t product;       /* P */
    int exponent;        /* world = integer / P * 2^exponent */
    ref_vector3 offset;  /* translation of B relative to A's, times P */
    long double shift[3];
    long double doubt;   /* no approximate coordinate of D is farther off */
    mpz_t radius;        /* of both, on the grid without P */
    ref_vector3 p, q, r, s, n; /* scratch of this room's functions on grids */
    mpz_t t, u, v;
} ref_grid3;

/* A vertex of D by its indices. */
typedef struct ref_corner3 { uint32_t i, j; } ref_corner3;

/* Shapes and radii of the pair, at the place. */
void ref_grid3_open(ref_grid3 *grid, const gjb_pair3 *pair, const ref_place *place);
/* Sets a place to the poses of a pair. */
void ref_place_of3(ref_place *place, const gjb_pair3 *pair);
void ref_grid3_close(ref_grid3 *grid);

void ref_vector3_init(ref_vector3 *v);
void ref_vector3_clear(ref_vector3 *v);
void ref_cross3(ref_vector3 *out, const ref_vector3 *p, const ref_vector3 *q); /* out is neither */
void ref_inner3(mpz_t out, const ref_vector3 *p, const ref_vector3 *q);
void ref_subtract3(ref_vector3 *out, const ref_vector3 *p, const ref_vector3 *q);
bool ref_zero3(const ref_vector3 *v);
/* Truncated, divided by a common power of two that brings the largest near 1. */
void ref_direction3(const ref_vector3 *v, long double out[3]);

/* A vertex of A (side 0) or B on the grid; the grid keeps it. */
const ref_vector3 *ref_image3(ref_grid3 *grid, int side, uint32_t index);
void ref_corner3_at(ref_grid3 *grid, ref_corner3 corner, ref_vector3 *out);
/* World place of a vertex of A (side 0) or B relative to A's translation, within grid->doubt. */
void ref_place3(const ref_grid3 *grid, int side, uint32_t index, long double out[3]);
void ref_corner3_near(const ref_grid3 *grid, ref_corner3 corner, long double out[3]);

/* The corner of D that minimises n.w, exactly over all stored vertices: `from`
 * itself unless another is lower. */
ref_corner3 ref_lowest3(ref_grid3 *grid, const ref_vector3 *n, ref_corner3 from);
/* Ends the program unless n.w is nowhere lower than at the corner. */
void ref_check_support3(ref_grid3 *grid, const ref_vector3 *n, ref_corner3 corner);

#endif
