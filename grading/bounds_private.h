/* Inside the bounds: the parts of either dimension, and vectors in space. */
#ifndef GJB_GRADING_BOUNDS_PRIVATE_H
#define GJB_GRADING_BOUNDS_PRIVATE_H

#include <math.h>

#include "grading/bounds.h"

typedef long double real;

/* Bounds on the signed distance of the cores, within the pair's error. */
typedef struct gjb_core_bounds {
    real lower, upper;
} gjb_core_bounds;

int gjb_place2(gjb_placed_pair *placed);
void gjb_placed2_free(gjb_placed2 *placed);
real gjb_core_gap2(const gjb_placed_pair *placed, real nx, real ny);
real gjb_point_distance2(const gjb_placed_pair *placed, int of_b, const real point[2]);
gjb_core_bounds gjb_core_bounds2(const gjb_placed_pair *placed);

void gjb_place3(gjb_placed_pair *placed);
/* R = M(q) / (q.q) of q = x, y, z, w, as gjkbench/types.h has it. */
void gjb_placed_rotation3(const real q[4], real r[3][3]);
/* Poses at time t, about A's translation there: the rotation of A or B as a quaternion or as (c, s)
 * in the first two, the translation of B relative to A in `offset`. */
void gjb_turned_at(const gjb_pair *pair, int of_b, real t, real q[4]);
void gjb_velocity(const gjb_pair *pair, real velocity[3]); /* of B relative to A */
void gjb_offset_at(const gjb_pair *pair, real t, real offset[3]);
/* The same rounded to double, with A's translation 0 and nothing moving: for guesses. */
void gjb_pair_at(const gjb_pair *pair, real t, gjb_pair *then);
real gjb_core_gap3(const gjb_placed_pair *placed, const real n[3]);
real gjb_point_distance3(const gjb_placed_pair *placed, int of_b, const real point[3]);
int gjb_core_bounds3(gjb_placed_pair *placed, gjb_core_bounds *bounds);

/* A vertex of D = B - A. */
typedef struct gjb_vertex3 {
    uint32_t i, j; /* of A, of B */
    real at[3];
} gjb_vertex3;

/* Largest n . x over a placed core, and the vertex; n of any length. */
real gjb_placed_support3(const gjb_placed3 *placed, const real n[3], uint32_t *index);
void gjb_image3(const gjb_placed3 *placed, uint32_t i, real out[3]);
/* The least n . x over D, and a vertex there; n of unit length. */
real gjb_least_along3(const gjb_placed3 *a, const gjb_placed3 *b, const real n[3], gjb_vertex3 *vertex);

/* Nearest point of D to the origin (Gilbert, Johnson, Keerthi 1988), from a
 * first direction. What it finds is a proof: `lower` is the least n . x over
 * D along some unit n, and `upper` the length of a convex combination of
 * vertices, which the search cannot get wrong by more than rounding. It stops
 * when they are within `narrow`, when the origin is inside, or if rounding
 * ends progress. */
typedef struct gjb_search3 {
    real lower, upper;
    real axis[3]; /* unit; what proves `lower` */
    gjb_vertex3 simplex[4];
    int count;
} gjb_search3;
void gjb_search_nearest3(const gjb_placed3 *a, const gjb_placed3 *b, const real start[3], real narrow,
                         gjb_search3 *search);

/* Nearest point of the triangle to the origin, as weights of its corners. Not
 * relied on: a wrong one is only not the nearest. */
void gjb_triangle_nearest3(const real p[3], const real q[3], const real r[3], real weights[3]);

/* How far the polytope of the pair proves the cores to overlap: a ball of that
 * radius about the origin lies in D. 0 if it proves nothing. `normal` is
 * that of the nearest face, out of D. */
int gjb_inner_radius3(gjb_placed_pair *placed, real *radius, real normal[3]);

static inline real gjb_dot3(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void gjb_sub3(const real a[3], const real b[3], real out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}
static inline void gjb_cross3(const real a[3], const real b[3], real out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
static inline real gjb_length3(const real a[3])
{
    return sqrtl(gjb_dot3(a, a));
}
/* 0 if there is no direction. */
static inline int gjb_normalise3(real a[3])
{
    real length = gjb_length3(a);
    if (!(length > 0))
        return 0;
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return 1;
}

#endif
