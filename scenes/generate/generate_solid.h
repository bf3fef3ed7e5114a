/* Small vectors of the 3D half of the generator, and supports over sets of
 * points: correctly rounded operations in a stated order, the same bits on
 * every machine. */
#ifndef GJB_SCENES_GENERATE_GENERATE_SOLID_H
#define GJB_SCENES_GENERATE_GENERATE_SOLID_H

#include <math.h>
#include <stdint.h>

static inline double gjb_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void gjb_cross3(const double a[3], const double b[3], double out[3])
{
    const double x = a[1] * b[2] - a[2] * b[1];
    const double y = a[2] * b[0] - a[0] * b[2];
    const double z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void gjb_minus3(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = a[axis] - b[axis];
}

/* out = a + b * t; out may be a or b. */
static inline void gjb_along3(const double a[3], const double b[3], double t, double out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = a[axis] + b[axis] * t;
}

/* Scales to unit length; 0 if the length is 0 or underflows. */
static inline int gjb_unit3(double v[3])
{
    const double length = sqrt(gjb_dot3(v, v));
    if (!(length > 0.0))
        return 0;
    for (int axis = 0; axis < 3; axis++)
        v[axis] /= length;
    return 1;
}

/* Rows of the rotation of q = (x, y, z, w): M(q) / (q.q), as in
 * gjkbench/types.h. Exact for the rotations of a cube. */
void gjb_rotation3(const double q[4], double m[3][3]);
/* Product of unit quaternions, of unit length: first b, then a. `out` may be either. */
void gjb_turn_after(const double a[4], const double b[4], double out[4]);
/* Where the rotation of q takes a coordinate axis. */
void gjb_turned_axis(const double q[4], int axis, double u[3]);

/* A face, edge or corner of A - B: `edges` counts the sides known. A random
 * point of it is `at` plus a share of each. */
typedef struct gjb_feature {
    double at[3], edge[2][3];
    uint8_t of_b[2]; /* whether a side is one of -B, not of A */
    uint32_t edges;
    double normal[3]; /* unit, outwards */
} gjb_feature;

struct gjb_placement;
struct gjb_placed;
/* The quaternion of the body's pose, as it is stored. */
void gjb_stored_turn(const struct gjb_placed *body, double q[4]);
/* The vertex of A - B farthest along n: of several, those with the lowest
 * indices. */
void gjb_support3(const struct gjb_placement *p, const double n[3], double v[3]);

/* From the corner farthest along `n` over an edge to a face, tilting to `u`
 * first, both unit: gift wrapping (Chand, Kapur 1970) on A - B, which is never
 * built. Stops after `edges`, at most 2, or when A - B has no more. Sides are
 * differences of turned vertices: exact if those are lattice
 * points. */
void gjb_find_feature(const struct gjb_placement *p, const double n[3], const double u[3], uint32_t edges,
                      gjb_feature *f);
/* Where the ray from the centre leaves A - B, widened by the radius, to about
 * a thousandth: portal refinement (Snethen 2008). 0 if it is flat. */
double gjb_exit_of_ray3(const struct gjb_placement *p, const double u[3]);
/* The same of one body as it is turned, about its own centre. */
double gjb_exit_of_body3(const struct gjb_placed *body, const double u[3]);
/* A feature of the hull of points. */
void gjb_feature_of_points(double (*rows)[3], uint32_t count, const double n[3], const double u[3],
                           uint32_t edges, gjb_feature *f);

#endif
