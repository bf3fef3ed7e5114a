/* Manifolds that are known from paper, in the plane and in space.
 *
 * In A's frame A shows a face or a top at `points`, B stands on it, and the normal is the last axis. B's pose is that
 * at which both just touch; moved along the normal by a gap, each contact is separated by that gap. */
#ifndef GJB_CONTENDERS_TESTS_MANIFOLD_CASES_H
#define GJB_CONTENDERS_TESTS_MANIFOLD_CASES_H

#include <gjkbench/types.h>

typedef struct manifold_shape {
    gjb_kind kind;
    uint32_t count;
    double rows[8][3];
    double radius;
} manifold_shape;

typedef struct manifold_case {
    const char *name;
    uint32_t dim;
    manifold_shape a, b;
    double at[3], turn[4]; /* B's pose: in the plane cosine and sine, in space a quaternion */
    uint32_t count;
    double points[4][3];   /* on A */
} manifold_case;

extern const manifold_case manifold_cases[];
extern const unsigned manifold_case_count;

#endif
