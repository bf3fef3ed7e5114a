/* The nearest point of a simplex in space in each precision, and the normal of a plane of three points. */
#include "reference/methods/nearest3.h"

#include <float.h>
#include <math.h>

#define REAL double
#define ROOT sqrt
#define LEAST (DBL_EPSILON / 2)
#define NAME(name) ref_##name##3
#include "reference/methods/nearest3.inc"
#undef REAL
#undef ROOT
#undef LEAST
#undef NAME

#define REAL long double
#define ROOT sqrtl
#define LEAST (LDBL_EPSILON / 2)
#define NAME(name) ref_##name##3l
#include "reference/methods/nearest3.inc"

bool ref_plane3(const double p[3], const double q[3], const double r[3], double normal[3], double *distance)
{
    const double w[3][3] = {{p[0], p[1], p[2]}, {q[0], q[1], q[2]}, {r[0], r[1], r[2]}};
    const int order[3] = {0, 1, 2};
    ref_axes3 f;
    if (!ref_axes_of3(w, order, &f))
        return false;
    for (int m = 0; m < 3; m++)
        normal[m] = f.n[m];
    *distance = ref_dot3(normal, w[f.base]);
    return true;
}
