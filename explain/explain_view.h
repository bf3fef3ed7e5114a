/* What all figures of a walk share: both shapes and their Minkowski difference, placed, and seen from a side that shows
 * the steps. */
#ifndef GJB_EXPLAIN_EXPLAIN_VIEW_H
#define GJB_EXPLAIN_EXPLAIN_VIEW_H

#include "draw/solids.h"
#include "explain/recorded_trace.h"

enum { BODY_A, BODY_B, DIFFERENCE, BODIES };

/* World axes, relative to A's translation. */
typedef struct stage {
    view look;
    solid bodies[BODIES];
    int approximate; /* the difference has too many vertices: it is the hull of many of its supports */
} stage;

/* Places, differs, looks and draws. 0, or -1 with one line in `error`; free with stage_free either way. */
int stage_open(stage *s, const gjb_pair *pair, const walk *w, gjb_error *error);
void stage_free(stage *s);

#endif
