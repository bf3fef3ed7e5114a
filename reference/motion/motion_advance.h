/* Inside the reference room: how far shapes are proven to stay apart, and what stopped it. */
#ifndef REF_MOTION_ADVANCE_H
#define REF_MOTION_ADVANCE_H

#include "reference/motion/moving_pair.h"

typedef enum ref_stop { REF_ARRIVED, REF_CLOSE, REF_CAPPED } ref_stop;

typedef struct ref_advanced {
    ref_stop stop;
    int steps;
    double t;          /* sigma > margin from the start up to here; if that is the start, nothing is proven */
    ref_posed posed;   /* the last pose looked at, and what was found; at t where it stopped short */
    ref_nearby nearby;
    ref_axis axis;
    /* The newest normal, or the one kept before if its gap is wider at this pose. Nearest points give a normal within
     * rounding over the distance only, so where cores all but touch that of a step before may be better. */
    ref_real widest[3];
} ref_advanced;

/* From t on, sigma > margin until `end` or as long as can be. `proof` may be NULL. */
void ref_advance(const gjb_pair *pair, const ref_mover *mover, double t, double end, double margin,
                 ref_proof *proof, ref_advanced *out);

#endif
