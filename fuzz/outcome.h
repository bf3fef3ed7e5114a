/* Asks one contender about pairs, and says of each what went wrong, and how close to wrong it came. */
#ifndef GJB_FUZZ_OUTCOME_H
#define GJB_FUZZ_OUTCOME_H

#include "fuzz/editable_pair.h"
#include "grading/grade.h"
#include "verify/verify.h"

/* What is wrong with an answer: a fault of grading by its number, or one of these, or GJB_SYMPTOM_MISHAP +
 * a gjb_mishap. */
typedef unsigned gjb_symptom;
enum {
    GJB_SYMPTOM_NONE = 0,
    GJB_SYMPTOM_ASYMMETRIC = GJB_FAULTS, /* of ours: another answer when A and B are exchanged */
    GJB_SYMPTOM_BACKENDS,                /* of ours: backends differ in their bytes */
    GJB_SYMPTOM_CONFLICT, /* certificate and oracle contradict each other: nobody's answer is to blame */
    GJB_SYMPTOM_MISHAP,
    GJB_SYMPTOMS = GJB_SYMPTOM_MISHAP + GJB_MISHAPS
};
const char *gjb_symptom_name(gjb_symptom symptom);

/* Which contender, and what. */
typedef struct gjb_ask {
    const gjb_contender *contender;
    const char *const *backends; /* the first is graded, and all others are held against it byte by byte */
    size_t backend_count;        /* at least 1; the one of a contender with one way is NULL */
    gjb_query query;
} gjb_ask;

typedef struct gjb_outcome {
    gjb_symptom symptom;
    int code; /* of a mishap: signal or exit status */
    gjb_grade grade;
    gjb_result result, exchanged; /* of the pair, and of it with B as A */
    double lo, hi;    /* proven: sigma lies between, at rest; of a query about motion both are 0 */
    double truth;     /* what `value` is held against; of intersect sigma; of motion the time of contact, NaN:
                         none */
    double size;      /* S */
    double epsilon;   /* of the tolerance */
    double tolerance; /* T */
    double
        error; /* of what is wrong, if that is value, normal or points, else of the worst of these, or how
                  far from touching a pair is whose boolean is wrong: world units; infinite if there is no
                  answer, NaN if a normal's length is wrong, which is none: see grade.length_off */
    double closeness; /* to breaking a bound: of right answers below 1 but for how it adds up, of wrong ones
                         more */
} gjb_outcome;

/* Pairs of one dimension and precision, each a scene of one pair. `out` has room for `count`. 0, or -1 with
 * `error`. */
int gjb_ask_pairs(const gjb_ask *ask, const gjb_scene *const *pairs, size_t count, gjb_outcome *out,
                  gjb_error *error);

/* Is a shape of a kind or size that the contender does not take? */
int gjb_ask_declines(const gjb_ask *ask, const gjb_edit *edit);

#endif
