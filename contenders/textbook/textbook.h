/* GJK and EPA as widely read tutorials teach them, so that one can see what the code
 * does that one is about to copy: absolute tolerances, exits on <= 0 and missing cases
 * are those of the tutorials, on purpose. Not ours to mend: docs/textbook.md says what
 * to do instead. Own code, from the descriptions; the one addition is a cap on
 * iterations, GJB_ITERATION_LIMIT, if a copy would hang.
 *
 * All search A - B, whose vertices are w = a - b, by a support function: core and
 * radius together, vertices turned and moved to world space. The plane is in double,
 * as the Java and JavaScript tutorials have it, space in float, as those for games. */
#ifndef GJB_CONTENDERS_TEXTBOOK_H
#define GJB_CONTENDERS_TEXTBOOK_H

#include "contenders/libraries/adapter.h"
#include "core/trace.h"
#include "core/types.h"

/* A method by the name of its contender ("textbook-gjk2", ...), whose note says what it stands for. */
typedef struct gjb_textbook {
    const char *name;
    uint32_t dim;
} gjb_textbook;

extern const gjb_textbook gjb_textbooks[];
extern const size_t gjb_textbook_count;
const gjb_textbook *gjb_textbook_find(const char *name); /* NULL if none */

/* Runs a method on a pair and reports each step; `trace` may be NULL. The answer follows
 * gjkbench/types.h: normal from A to B, points relative to A's translation. A boolean method
 * gives a status alone; one that computes depths alone leaves sigma of separated pairs 0.
 * What the method makes of degenerate pairs may be NaN, or the wrong status. Steps have no bounds:
 * rounded in world coordinates, supports are not points of A - B and prove none. "gjk",
 * "distance" and "epa" are its methods' names. 0, or -1 if the pair is of another dimension, a shape has no
 * vertices, or memory does not suffice. */
int gjb_textbook_walk(const gjb_textbook *textbook, const gjb_pair *pair, const gjb_trace *trace,
                      gjb_answer *answer);

/* The support of A - B in a direction of any length: if several vertices are as far, the
 * first stored. Points a and b relative to A's translation. With a radius, a direction
 * of length 0 makes NaN. */
void gjb_textbook_support2(const gjb_pair2 *pair, const double direction[2], gjb_trace_vertex *support);

#endif
