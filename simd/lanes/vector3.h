/* Vectors of three doubles for the scalar parts of the 3D kernels. */
#ifndef GJB_SIMD_VECTOR3_H
#define GJB_SIMD_VECTOR3_H

#include <math.h>

typedef struct vec3 {
    double x, y, z;
} vec3;

static inline vec3 add3(vec3 p, vec3 q) { return (vec3){p.x + q.x, p.y + q.y, p.z + q.z}; }
static inline vec3 sub3(vec3 p, vec3 q) { return (vec3){p.x - q.x, p.y - q.y, p.z - q.z}; }
static inline vec3 mul3(vec3 p, double s) { return (vec3){p.x * s, p.y * s, p.z * s}; }
static inline vec3 neg3(vec3 p) { return (vec3){-p.x, -p.y, -p.z}; }
static inline double dot3(vec3 p, vec3 q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static inline vec3 cross3(vec3 p, vec3 q)
{
    return (vec3){p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}

/* Half turns of the world about its axes permute a quaternion's components and
 * change their signs. Sums of four are summed here in pairs that those turns
 * keep together, so that such a turn changes no rounding. */

/* Rotation by a quaternion, R = M(q) / (q.q), rows. */
typedef struct mat3 {
    vec3 row[3];
} mat3;

static inline double length3(vec3 v)
{
    return sqrt(dot3(v, v));
}

static inline mat3 rotation3(double x, double y, double z, double w)
{
    const double xx = x * x, yy = y * y, zz = z * z, ww = w * w, n = (ww + xx) + (yy + zz);
    const double xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
    return (mat3){{{((ww + xx) - (yy + zz)) / n, 2 * (xy - wz) / n, 2 * (xz + wy) / n},
                   {2 * (xy + wz) / n, ((ww + yy) - (xx + zz)) / n, 2 * (yz - wx) / n},
                   {2 * (xz - wy) / n, 2 * (yz + wx) / n, ((ww + zz) - (xx + yy)) / n}}};
}
/* By conj(a) b; x, y, z, w. */
static inline mat3 relative_rotation3(const double *a, const double *b)
{
    return rotation3((a[3] * b[0] - a[0] * b[3]) + (a[2] * b[1] - a[1] * b[2]),
                     (a[3] * b[1] - a[1] * b[3]) + (a[0] * b[2] - a[2] * b[0]),
                     (a[3] * b[2] - a[2] * b[3]) + (a[1] * b[0] - a[0] * b[1]),
                     (a[3] * b[3] + a[0] * b[0]) + (a[1] * b[1] + a[2] * b[2]));
}
/* (u, c) q: first q, then the turn. */
static inline void then_turned3(const double *q, double c, vec3 u, double *then)
{
    then[0] = (q[0] * c + u.x * q[3]) + (u.y * q[2] - u.z * q[1]);
    then[1] = (q[1] * c - u.x * q[2]) + (u.y * q[3] + u.z * q[0]);
    then[2] = (q[2] * c + u.x * q[1]) + (u.z * q[3] - u.y * q[0]);
    then[3] = (q[3] * c - u.x * q[0]) - (u.y * q[1] + u.z * q[2]);
}
static inline vec3 turn3(const mat3 *m, vec3 v)
{
    return (vec3){dot3(m->row[0], v), dot3(m->row[1], v), dot3(m->row[2], v)};
}
/* By the transpose: the inverse. */
static inline vec3 turn_back3(const mat3 *m, vec3 v)
{
    return add3(add3(mul3(m->row[0], v.x), mul3(m->row[1], v.y)), mul3(m->row[2], v.z));
}

/* Unit vectors across the unit n and each other (Duff et al. 2017). */
static inline void across_of(vec3 n, vec3 *t, vec3 *u)
{
    const double sign = copysign(1, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    *t = (vec3){1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    *u = (vec3){b, sign + n.y * n.y * a, -n.y};
}

#endif
