/* The parts of `explain`: which pair, which method, what proves the answer. */
#ifndef GJB_CLI_EXPLAIN_H
#define GJB_CLI_EXPLAIN_H

#include <gjkbench/adapter.h>
#include <jansson.h>

#include "scenes/scene.h"
#include "core/trace.h"
#include "grading/grade.h"
#include "explain/explain_page.h"

/* ---- the pair ---- */

typedef struct cli_pair {
    gjb_scene *scene;
    uint32_t frame;
    uint64_t index;
    gjb_pair_space space;
    gjb_pair pair;      /* in double */
    char title[128];    /* the scene's name, or the file's */
    int reversed[2];    /* A, B: a polygon that a file has clockwise, and the loader has turned about */
    int rounded;        /* from f64 to f32, for the method */
    const char *method; /* that an example is about; NULL: none */
} cli_pair;

/* `operand` is a file ("-": standard input) or the name of an example that ships; `only` the id of a case of
 * a file of known failures, or NULL. 0, or -1 with one line in `error`; cli_pair_close either way. */
int cli_pair_open(cli_pair *p, const char *operand, uint64_t frame, uint64_t index, const char *only,
                  gjb_error *error);
void cli_pair_close(cli_pair *p);
/* Rounds the scene to the precision if it is finer, as whoever feeds a contender does. 0, or -1
 * with one line in `error`. */
int cli_pair_round(cli_pair *p, gjb_precision precision, gjb_error *error);

/* ---- the method ---- */

typedef struct cli_method {
    const char *name, *about;
    uint32_t dims, queries;         /* bits */
    const gjb_contender *contender; /* whose promises the answer is held to */
    int cores_alone;                /* the walk is on the cores, and radii enter at the end */
    int proves;                     /* its steps are of points of A - B, and their bounds are its own */
    /* 0, or -1 when memory does not suffice. */
    int (*walk)(const struct cli_method *method, const gjb_pair *pair, gjb_query query,
                const gjb_trace *trace, gjb_answer *answer);
} cli_method;

/* The method of that name for the pair, NULL the default, and the query: `query` NULL is what the
 * scene names, or else the most that the method answers. 0, or -1 with one line in `error`. */
int cli_method_choose(const char *name, const char *query, const cli_pair *pair, cli_method *method,
                      gjb_query *chosen, gjb_error *error);

/* ---- the proof ---- */

/* The support gap along n, which sigma is not less than, whatever n is, rounded down; NaN where n is no
 * direction. */
double cli_gap(const gjb_pair *pair, const double n[3]);
/* How far a point is off shape A or B; `most` is at least that. NaN where it is no point. */
double cli_off(const gjb_pair *pair, int of_b, const double point[3], double *most);
/* The depth of the cores that the polytope of the reference's walk proves, NaN where it proves none. */
double cli_inner(const gjb_pair *pair);
gjb_pair cli_cores(const gjb_pair *pair);
/* For a method whose steps prove nothing themselves: of each step the best lower bound on sigma of the
 * cores so far, from the support gaps along its directions. */
void cli_bound_steps(const gjb_pair *pair, walk *steps);

/* What is known of the answer. Lengths in world units; what there is not is NaN. */
typedef struct cli_proof {
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
} cli_proof;

/* 0, or -1 with one line in `error`. */
int cli_proof_make(const cli_pair *pair, const cli_method *method, gjb_query query, const gjb_answer *answer,
                   const walk *steps, cli_proof *proof, gjb_error *error);
void cli_proof_tell(const cli_proof *proof, const cli_pair *pair, const cli_method *method,
                    const gjb_answer *answer, const walk *steps, explain_lines *lines);

/* Everything as JSON; the caller owns the reference. NULL when memory does not suffice. */
json_t *cli_explain_json(const cli_pair *pair, const cli_method *method, const cli_proof *proof,
                         const gjb_answer *answer, const walk *steps);

#endif
