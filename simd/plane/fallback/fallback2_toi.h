/* The fallback path of the time of impact: one pair at a time, in double, for lanes that
 * could not end. Every step finds the signed distance from all edges and vertices
 * (fallback2.h), so only the time has to converge. Compiled once, at baseline. */
#ifndef GJB_SIMD_FALLBACK2_TOI_H
#define GJB_SIMD_FALLBACK2_TOI_H

#include <gjkbench/types.h>

#include "simd/plane/fallback/fallback2.h"

/* A body as stored, at t = 0, and its motion, widened to double. */
typedef struct fallback_mover {
    fallback_body at;
    double dx, dy, angle;
    double extent; /* max |vertex| + radius */
} fallback_mover;

typedef struct fallback_impact {
    gjb_status status; /* GJB_HIT, GJB_OVERLAPPING, GJB_SEPARATED or GJB_ITERATION_LIMIT */
    double t;
    fallback_answer answer; /* at t; normal +0 if none is known */
} fallback_impact;

/* `epsilon`: unit roundoff of the precision that the answer is for. `room`: 2 * (a.n + b.n) doubles. */
void gjb_fallback2_toi(const fallback_mover *a, const fallback_mover *b, double epsilon, double *room,
                      fallback_impact *impact);

#endif
