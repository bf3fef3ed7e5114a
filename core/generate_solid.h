/* Small vectors of the 3D half of the generator, and supports over sets of
 * points: correctly rounded operations in a stated order, the same bits on
 * every machine. */
#ifndef GJB_CORE_GENERATE_SOLID_H
#define GJB_CORE_GENERATE_SOLID_H

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
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

/* out = a + b * t; out may be a or b. */
static inline void gjb_along3(const double a[3], const double b[3], double t, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] + b[axis] * t;
    }
}

/* To unit length; 0 where there is no length (or it underflows). */
static inline int gjb_unit3(double v[3])
{
    const double length = sqrt(gjb_dot3(v, v));
    if (!(length > 0.0)) {
        return 0;
    }
    for (int axis = 0; axis < 3; axis++) {
        v[axis] /= length;
    }
    return 1;
}

/* Rows of the rotation of q = (x, y, z, w): M(q) / (q.q), as core/types.h has
 * it. Exact for the rotations of a cube. */
void gjb_rotation3(const double q[4], double m[3][3]);

#endif
