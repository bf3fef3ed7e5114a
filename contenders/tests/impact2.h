/* Judges times of impact in the plane by marching: at a time s the reference proves a
 * distance, and no point moves faster than the displacements' difference and angle times
 * reach of both bodies allow, so there is no contact before s + distance / speed. Slow,
 * and shares nothing with what it judges. */
#ifndef GJB_CONTENDERS_IMPACT2_H
#define GJB_CONTENDERS_IMPACT2_H

#include "scenes/scene.h"

typedef struct impact2 {
    gjb_status status;
    double t, normal[2], point_a[2], point_b[2];
} impact2;

typedef struct impact2_verdict {
    const char *wrong; /* what is, or NULL */
    int undecided;     /* the march did not end */
    double units;      /* sigma(t) in eps S, of a hit */
} impact2_verdict;

impact2 impact2_read(const void *record, gjb_precision precision);
/* `k`: the tolerance is k eps S. */
impact2_verdict impact2_judge(const gjb_pair2 *pair, gjb_precision precision, double k, const impact2 *answer);

/* Ways to move, that scenes of shapes at rest are given. */
extern const char *const impact2_motions[]; /* NULL-terminated */
/* Gives every body of frame 0 a motion. */
void impact2_move(gjb_scene *scene, const char *motion, uint64_t seed);

#endif
