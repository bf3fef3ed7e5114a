/* The steps of a method on one pair, kept to be told and drawn. */
#ifndef GJB_EXPLAIN_RECORDED_TRACE_H
#define GJB_EXPLAIN_RECORDED_TRACE_H

#include <stddef.h>

#include "core/trace.h"

/* Zero it before use; free with walk_free. */
typedef struct walk {
    gjb_trace_step *steps; /* [count]; their arrays belong to the walk */
    size_t count, room;
    gjb_trace_vertex *met; /* every vertex of A - B met, in the order of meeting: w1, w2, ... */
    uint32_t met_count, met_room;
    size_t bytes;          /* of the arrays kept */
    size_t bare;           /* steps without their simplex and faces, for they would fill the memory */
    int failed;            /* out of memory; what came before is kept */
} walk;

/* A trace that keeps what it is told in `w`. */
gjb_trace walk_trace(walk *w);
void walk_free(walk *w);

/* Place of a vertex among those met, from 0; UINT32_MAX for one never met. Vertices are the
 * same when both of their supports are. */
uint32_t walk_number(const walk *w, const gjb_trace_vertex *vertex);

/* The depth that the last step's polytope proves, NaN if it proves none: the least distance of its
 * faces, if none has the origin on its outer side and together they go once around it. Then the
 * ball of that radius is enclosed by points of A - B, which is convex. In double, as the walk's own
 * vertices are. */
double walk_inner(const walk *w);

#endif
