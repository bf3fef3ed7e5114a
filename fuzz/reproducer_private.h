/* Between the files that write a failure as a C test: what is known of it, and the parts of the text. */
#ifndef GJB_FUZZ_REPRODUCER_PRIVATE_H
#define GJB_FUZZ_REPRODUCER_PRIVATE_H

#include <stdio.h>

#include "fuzz/hunt.h"

typedef struct writing {
    const gjb_ask *ask;
    const gjb_scene *pair;
    const gjb_outcome *o;
    double error;           /* at rest: of a support gap, which grading grants in addition to T */
    int proven[2];          /* 1: point_a or point_b is off its shape, and `out` shows it */
    double out[2][3];       /* from the shape to the point, of unit length */
    double soonest, latest; /* of motion: a hit before the one is too early, and after the other too late */
    int starts_deep;        /* 1: deeper than T at the start */
    int uncovered;          /* of a manifold. 1: no contact reaches `level` along `beyond`, and one has to */
    double beyond[3], level;
    double area; /* of a manifold: what contacts have to span along this normal; 0: nothing that is known */
} writing;

/* --- What they share (reproducer_parts.c) --- */

/* Numbers that lose nothing, or NAN and the like. */
void gjb_write_number(FILE *f, double value);
void gjb_write_vector(FILE *f, const double v[3]);

/* A margin of intersect or distance; 0: none. */
double gjb_written_within(const writing *w);
/* Does it give normals, or points, of its own? */
int gjb_gives_normal(const writing *w);
int gjb_gives_points(const writing *w);
/* The axis that shows best how far a point is off its shape: from there to the point. 1 if that is more than T. */
int gjb_find_way_out(const writing *w, const gjb_pair *pair, int of_b, const double point[3], double out[3]);

/* The functions `reach` and `misses` of the test, and checks of the status. */
void gjb_write_support(FILE *f, const writing *w);
void gjb_write_misses(FILE *f, const writing *w);
void gjb_write_status_checks(FILE *f, const writing *w);

/* --- Calls of libraries (reproducer_call.c) --- */

typedef struct gjb_reproducer_call gjb_reproducer_call;

/* Of a contender that is known, for a pair of shapes that have corners; else NULL. */
const gjb_reproducer_call *gjb_reproducer_call_of(const gjb_ask *ask, const gjb_scene *pair);
/* What compiles THIS.c so that it calls. */
const char *gjb_reproducer_call_command(const gjb_reproducer_call *call);
/* Corners in each shape's own frame, and `static struct answer ask(void)`. */
void gjb_reproducer_call_write(FILE *f, const gjb_reproducer_call *call, const gjb_ask *ask,
                               const gjb_scene *pair);

/* --- Of manifolds (reproducer_manifold.c) --- */

/* What is wrong with the patch or its points, as proofs that the test holds answers to. */
void gjb_manifold_prove(writing *w, const gjb_pair *pair);
/* Do the checks see what is wrong with the answer? Only of the faults of points and patch. */
int gjb_manifold_is_checked(const writing *w);
/* Margin and proofs; `struct answer` and `check`; what reads `result` into an answer `a`; what was answered. */
void gjb_manifold_write_truth(FILE *f, const writing *w);
void gjb_manifold_write_checks(FILE *f, const writing *w);
void gjb_manifold_write_reading(FILE *f, const writing *w);
void gjb_manifold_write_answer(FILE *f, const writing *w);

#endif
