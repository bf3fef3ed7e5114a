/* Makes a failing pair small, in geometry: fewer vertices, simpler kinds, rounder numbers, no rotations,
 * shapes alike, while it fails in the same way. */
#ifndef GJB_FUZZ_SHRINK_H
#define GJB_FUZZ_SHRINK_H

#include "fuzz/outcome.h"

typedef struct gjb_shrink_plan {
    gjb_ask ask;
    uint64_t most;  /* pairs that may be asked; 0: 20,000. Of what ends a process, 600 at most: each costs
                       children */
    double seconds; /* wall time; 0: no limit, and the result depends on nothing but the pair */
    const volatile sig_atomic_t *stop; /* may be NULL; once nonzero, what is reached is the result */
} gjb_shrink_plan;

typedef struct gjb_shrunk {
    gjb_scene *pair; /* the caller's to free */
    gjb_outcome outcome, before;
    uint64_t asked;
    int at_rest; /* 1: no reduction is left that works; 0: a limit ended it */
} gjb_shrunk;

/* "In the same way": the same symptom and status, and off by no less than a quarter of what it was off by in
 * units of T, or a hundredth of S, whichever is less, and in any case beyond T. Greedy (as delta debugging
 * is; Zeller, Hildebrandt 2002): of the reductions of a kind the one that leaves least is taken, until none
 * works. 0; 1 if the pair does not fail, which outcome tells of; -1 with `error`. Only where 0 is returned
 * is there a pair. */
int gjb_shrink(const gjb_shrink_plan *plan, const gjb_scene *pair, gjb_shrunk *out, gjb_error *error);

/* What there is to have less of; for tests, and for choosing among pairs that fail alike. */
double gjb_edit_cost(const gjb_edit *edit);

#endif
