/* Grading: is this answer right? Certificates first, the exact oracle where
 * they leave a doubt. The rules are in docs/DESIGN.md, "Right". */
#ifndef GJB_FUZZ_GRADE_H
#define GJB_FUZZ_GRADE_H

#include "contenders/harness.h"
#include "core/query.h"

typedef enum gjb_verdict { GJB_RIGHT = 0, GJB_WRONG, GJB_UNGRADED, GJB_NOT_SUPPORTED, GJB_VERDICTS } gjb_verdict;

/* What was wrong, for tables and for naming saved files. */
typedef enum gjb_fault {
    GJB_FAULT_NONE = 0,
    GJB_FAULT_BOOLEAN,    /* overlap told apart wrongly, outside the band */
    GJB_FAULT_VALUE,
    GJB_FAULT_NORMAL,
    GJB_FAULT_WITNESS,
    GJB_FAULT_NAN,
    GJB_FAULT_UNWRITTEN,
    GJB_FAULT_CAPPED,     /* iteration limit: a status, never right */
    GJB_FAULT_REFUSED,    /* invalid input for valid input */
    GJB_FAULTS
} gjb_fault;
const char *gjb_fault_name(gjb_fault fault);

/* Truth of one pair, computed lazily and shared by all who answer it. */
typedef struct gjb_truth {
    const gjb_pair2 *pair;
    double size;          /* S */
    double lo, hi;        /* proven interval for sigma */
    int exact;            /* 1: from the oracle */
} gjb_truth;
void gjb_truth_open(gjb_truth *truth, const gjb_pair2 *pair);
/* Narrows [lo, hi] by the exact oracle. */
void gjb_truth_exact(gjb_truth *truth);

typedef struct gjb_tolerance {
    double k;        /* of k * eps * S */
    double epsilon;  /* the coarser of scene's and contender's */
    double tau;      /* absolute, documented by the contender */
    double skin;
} gjb_tolerance;

typedef struct gjb_grade {
    gjb_verdict verdict;
    gjb_fault fault;
    double error_eps;  /* largest of value, normal gap and witness error, in units of eps * S */
    double value_eps;  /* of the value alone */
} gjb_grade;

gjb_grade gjb_grade_result(gjb_query query, gjb_truth *truth, const gjb_result2 *result,
                           const gjb_tolerance *tolerance);

#endif
