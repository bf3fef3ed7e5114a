/* The careful path of the time of impact: one pair at a time, in double, for lanes that
 * could not end. Every step finds the signed distance by looking at all edges and vertices
 * (careful.h), so there is nothing to converge but the time. Compiled once, at baseline. */
#ifndef GJB_SIMD_CAREFUL_TOI2_H
#define GJB_SIMD_CAREFUL_TOI2_H

#include <gjkbench/types.h>

#include "simd/plane/fallback/careful.h"

/* A body as stored, at t = 0, and its motion, widened to double. */
typedef struct careful_mover {
    careful_body at;
    double dx, dy, angle;
    double extent; /* max |vertex| + radius */
} careful_mover;

typedef struct careful_impact {
    gjb_status status; /* GJB_HIT, GJB_OVERLAPPING, GJB_SEPARATED or GJB_ITERATION_LIMIT */
    double t;
    careful_answer answer; /* at t; normal +0 where nothing is known */
} careful_impact;

/* `epsilon`: unit roundoff of the precision that the answer is for. `room`: 2 * (a.n + b.n) doubles. */
void gjb_careful_toi2(const careful_mover *a, const careful_mover *b, double epsilon, double *room,
                      careful_impact *impact);

#endif
