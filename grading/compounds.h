/* The answer of a pair of compounds, from the answers to the pairs of their parts, and whether it is right: one rule
 * for every contender (docs/scene-format.md, "Compounds"). */
#ifndef GJB_GRADING_COMPOUNDS_H
#define GJB_GRADING_COMPOUNDS_H

#include "grading/grade.h"

/* A pair of parts: its answer, the grade of that, and a proven interval that holds sigma; if the query is about motion,
 * the time of first contact, INFINITY if there is none. `allowed` is T, of motion 0. */
typedef struct gjb_part_answer {
    gjb_result result;
    gjb_grade grade;
    double lo, hi, allowed;
} gjb_part_answer;

/* Zero it before the first pair of parts is added. */
typedef struct gjb_compound_answer {
    uint64_t parts;    /* pairs of parts so far */
    uint64_t from;     /* which of them gave the answer, in the order in which they were added */
    gjb_result result; /* theirs; in its status a manifold overlaps if any does */
    uint64_t contacts; /* of manifold: of all of them */
    gjb_grade grade;   /* theirs, or of the wrong answer that hides one; once finished, with the verdict on both */
    double lo, hi;     /* as above, of the compounds: the same rule over proven intervals. Of depths and manifolds only
                          of what the rule says */
    /* For gjb_compound_finish. */
    double key;        /* the least wins */
    int missing, open; /* a pair of parts has no answer; one is ungraded */
    int wrong;         /* one is wrong */
    double hidden;     /* the least that a wrong answer may have been, at most */
    gjb_grade hides;   /* the grade of that one */
} gjb_compound_answer;

void gjb_compound_add(gjb_compound_answer *answer, gjb_query query, const gjb_part_answer *part);
/* Sets the verdict and its fault. */
void gjb_compound_finish(gjb_compound_answer *answer, gjb_query query);

#endif
