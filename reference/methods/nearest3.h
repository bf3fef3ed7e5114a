/* Inside the reference room: the point of a simplex nearest to the origin, in
 * double for the methods and in long double for the certificates. */
#ifndef REF_NEAREST3_H
#define REF_NEAREST3_H

#include <stdbool.h>

/* Nearest feature of a simplex of up to four vertices. */
#define REF_NEAREST3(real)                                                                       \
    {                                                                                            \
        real distance;                                                                           \
        real normal[3]; /* unit, from the origin to the nearest point and square to the feature: \
                           of a face its own normal, right however small the distance; zero      \
                           where the origin is an end or inside a tetrahedron */                 \
        real weight[4]; /* of the vertices, sum 1; those not needed have 0 */                    \
        int count;      /* how many are needed; 4 if a tetrahedron holds the origin */        \
    }
typedef struct ref_nearest3 REF_NEAREST3(double) ref_nearest3;
typedef struct ref_nearest3l REF_NEAREST3(long double) ref_nearest3l;

/* Of the features that have all vertices of the bit mask `with`, so that GJK
 * need not look again at what it had without its newest vertex; 0 for all. */
ref_nearest3 ref_nearest_simplex3(const double (*w)[3], int count, unsigned with);
ref_nearest3l ref_nearest_simplex3l(const long double (*w)[3], int count, unsigned with);

/* Unit normal of a triangle, counter-clockwise seen from its tip, and the
 * distance of its plane along it. False if it is a line but for rounding. */
bool ref_plane3(const double p[3], const double q[3], const double r[3], double normal[3], double *distance);

static inline double ref_dot3(const double p[3], const double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

#endif
