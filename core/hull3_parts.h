/* Between the files of core that make hulls. */
#ifndef GJB_CORE_HULL3_PARTS_H
#define GJB_CORE_HULL3_PARTS_H

#include "core/hull3.h"

/* Ends of the points along the coordinate axis on which they reach farthest. */
void gjb_hull3_ends(const double (*points)[3], size_t count, uint32_t ends[2]);
/* The point farthest from the line of the ends, and the normal of the plane
 * through the three: 0 where all points lie on the line. */
uint32_t gjb_hull3_third(const double (*points)[3], size_t count, const uint32_t ends[2], double normal[3]);
/* Copies, times 2 to the minus result, so that the largest coordinate lies in
 * [0.5, 1): no product of a few over- or underflows. */
int gjb_hull3_scale(const double (*points)[3], size_t count, double (*scaled)[3]);

static inline void gjb_subtract3(const double a[3], const double b[3], double out[3])
{
    for (int d = 0; d < 3; d++) {
        out[d] = a[d] - b[d];
    }
}

static inline void gjb_cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double gjb_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
