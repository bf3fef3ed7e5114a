/* The careful path: one pair at a time, in double, for what a lane could not
 * prove. Every pair of edges and vertices is looked at, so there is nothing to
 * converge. Compiled once, at baseline: all backends call the same code. */
#ifndef GJB_SIMD_CAREFUL_H
#define GJB_SIMD_CAREFUL_H

#include <stdint.h>

/* A core in its local frame: `n` vertices, counter-clockwise, repeats allowed. */
typedef struct careful_shape {
    const double *x, *y;
    uint32_t n;
} careful_shape;

typedef struct careful_answer {
    int overlapping;     /* the cores, touching within a few eps of their size included */
    double distance;     /* of the cores, > 0 apart; minus their depth otherwise */
    double normal[2];    /* unit, A to B */
    double a[2], b[2];   /* on the cores, b - a = distance * normal */
} careful_answer;

/* Everything in A's frame, which `c`, `s`, `tx`, `ty` take B's vertices to;
 * sizes of order one (the caller scales). `bx`, `by` are room for b.n doubles. */
void gjb_careful2(careful_shape a, careful_shape b, double c, double s, double tx, double ty, double *bx,
                  double *by, careful_answer *answer);

#endif
