/* The fallback path: one pair at a time, in double, for pairs that lanes could not
 * prove. Every pair of an edge and a vertex is tried, so nothing has to
 * converge. Compiled once, at baseline: all backends call the same code. */
#ifndef GJB_SIMD_FALLBACK2_H
#define GJB_SIMD_FALLBACK2_H

#include <stdint.h>

/* One pair as stored, widened to double. */
typedef struct fallback_body {
    const double *x, *y; /* vertices in the local frame, counter-clockwise, repeats allowed */
    uint32_t n;
    double px, py, c, s; /* pose */
    double radius;
    unsigned curve; /* if not CURVE_NONE, x holds the semi-axes and p, and n is 0 */
} fallback_body;

/* In world units and axes, relative to A's translation; radii included. */
typedef struct fallback_answer {
    int cores_overlap; /* touching within a few eps of the pair's size included */
    double sigma;      /* signed distance */
    double normal[2];  /* unit, A to B */
    double a[2], b[2]; /* b - a = sigma * normal */
} fallback_answer;

/* `extent`: max |vertex| + radius, of both. `room`: 2 * (a.n + b.n) doubles. */
void gjb_fallback2(const fallback_body *a, const fallback_body *b, double extent, double *room,
                   fallback_answer *answer);

#endif
