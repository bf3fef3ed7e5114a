/* The parts of `explain`: which pair, which method, what proves the answer. */
#ifndef GJB_CLI_EXPLAIN_H
#define GJB_CLI_EXPLAIN_H

#include <gjkbench/adapter.h>
#include <jansson.h>

#include "core/trace.h"
#include "explain/explain_page.h"
#include "grading/grade.h"
#include "reference/patch/patch.h"
#include "scenes/scene.h"

/* ---- the pair ---- */

typedef struct explain_pair {
    gjb_scene *scene;
    uint32_t frame;
    uint64_t index;
    gjb_pair_space space;
    gjb_pair pair;      /* in double */
    char title[128];    /* the scene's name, or the file's */
    int reversed[2];    /* A, B: a polygon that a file has clockwise, and the loader has turned about */
    int rounded;        /* from f64 to f32, for the method */
    const char *method; /* that an example is about; NULL: none */
} explain_pair;

/* ---- the method ---- */

typedef struct explain_method {
    const char *name, *about;
    uint32_t dims, queries;         /* bits */
    const gjb_contender *contender; /* whose promises the answer is held to */
    int cores_alone;                /* the walk is on the cores, and radii enter at the end */
    int proves;                     /* its steps are of points of A - B, and their bounds are its own */
    /* 0, or -1 when memory does not suffice. NULL: a contender that is asked, and whose steps are not known. */
    int (*walk)(const struct explain_method *method, const gjb_pair *pair, gjb_query query,
                const gjb_trace *trace, gjb_answer *answer);
} explain_method;

/* The method of that name for the pair, NULL the default, and the query: `query` NULL is what the
 * scene names, or else the most that the method answers. 0, or -1 with one line in `error`. */
int explain_method_choose(const char *name, const char *query, const explain_pair *pair, explain_method *method,
                      gjb_query *chosen, gjb_error *error);

/* 1: a contender without a walk. Its answer is all that is known. */
int explain_is_asked(const explain_method *method);
/* Asks the contender of a method without a walk for that one pair: in a process of its own if it is not ours.
 * `result` is what it wrote, `mishap` what it did apart from answering, or "". 0, or -1 with one line in `error`,
 * also if it has no answer to the pair. */
int explain_ask(const explain_method *method, const explain_pair *pair, gjb_query query, gjb_answer *answer,
                gjb_result *result, char mishap[GJB_MISHAP_TEXT], gjb_error *error);

/* ---- the proof ---- */

/* The support gap along n, which sigma is not less than, whatever n is, rounded down; NaN if n is no
 * direction. */
double explain_gap(const gjb_pair *pair, const double n[3]);
/* How far a point is off shape A or B; `most` is at least that. NaN if it is no point. */
double explain_off(const gjb_pair *pair, int of_b, const double point[3], double *most);
/* The depth of the cores that the polytope of the reference's walk proves, NaN if it proves none. */
double explain_inner(const gjb_pair *pair);
gjb_pair explain_cores(const gjb_pair *pair);
/* For a method whose steps prove nothing themselves: of each step the best lower bound on sigma of the
 * cores so far, from the support gaps along its directions. */
void explain_bound_steps(const gjb_pair *pair, walk *steps);

/* What is known of the answer. Lengths in world units; what there is not is NaN. */
typedef struct explain_proof {
    gjb_query query;
    gjb_precision precision; /* the coarser of scene and method */
    gjb_result result;
    gjb_grade grade;
    double size, epsilon, k, tolerance, tau;
    int sign;                   /* of sigma, exact */
    double lo, hi;              /* sigma lies between */
    double gap;                 /* support gap along the normal */
    double off_a, off_b, apart; /* witness points from their shapes and from each other */
    double above;               /* sigma is at most that, by these points */
    double inner;               /* the depth that a polytope of A - B proves, radii added */
    double core_apart; /* of rounded shapes: the witness points, taken back to the cores, from each other */
    size_t axis;       /* without a normal: the step whose direction has the largest support gap, */
    double axis_gap;   /* and that gap */
    int no_points, no_normal; /* the contender gives none of its own, and none are graded */
    int has_patch;     /* of features with more than a point in common, if a manifold was asked for: */
    ref_patch patch;   /* the exact one, along the answer's normal, */
    int discs;         /* but that polygons stand in it for so many discs */
} explain_proof;

/* `result`: what a contender wrote, NULL if the answer is a walk's. 0, or -1 with one line in `error`;
 * explain_proof_free either way. */
int explain_proof_make(const explain_pair *pair, const explain_method *method, gjb_query query,
                       const gjb_answer *answer, const gjb_result *result, const walk *steps, explain_proof *proof,
                       gjb_error *error);
void explain_proof_free(explain_proof *proof);
void explain_proof_tell(const explain_proof *proof, const explain_pair *pair, const explain_method *method,
                    const gjb_answer *answer, const walk *steps, explain_lines *lines);

/* Everything as JSON; the caller owns the reference. Takes the reference to `context`, what made the numbers. NULL when
 * memory does not suffice. */
json_t *explain_json(json_t *context, const explain_pair *pair, const explain_method *method,
                     const explain_proof *proof, const gjb_answer *answer, const walk *steps);

#endif
