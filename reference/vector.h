/* Inside the reference room: vectors in long double. */
#ifndef REF_VECTOR_H
#define REF_VECTOR_H

#include <math.h>

typedef long double ref_real;

static inline ref_real ref_inner(const ref_real p[3], const ref_real q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
static inline void ref_cross(ref_real out[3], const ref_real p[3], const ref_real q[3])
{
    out[0] = p[1] * q[2] - p[2] * q[1];
    out[1] = p[2] * q[0] - p[0] * q[2];
    out[2] = p[0] * q[1] - p[1] * q[0];
}
/* v / |v|, 0 of 0; returns |v|. */
static inline ref_real ref_unit(ref_real out[3], const ref_real v[3])
{
    const ref_real length = sqrtl(ref_inner(v, v));
    for (int m = 0; m < 3; m++)
        out[m] = length > 0 ? v[m] / length : 0;
    return length;
}
/* Unit vectors across the unit n and each other. */
static inline void ref_across(const ref_real n[3], ref_real first[3], ref_real second[3])
{
    const int least = fabsl(n[0]) <= fabsl(n[1]) && fabsl(n[0]) <= fabsl(n[2]) ? 0 : fabsl(n[1]) <= fabsl(n[2]) ? 1 : 2;
    const ref_real other[3] = {least == 0, least == 1, least == 2};
    ref_cross(first, other, n);
    ref_unit(first, first);
    ref_cross(second, n, first);
}

#endif
