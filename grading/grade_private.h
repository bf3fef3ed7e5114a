/* Inside grading: what pairs at rest and in motion share. */
#ifndef GJB_GRADING_GRADE_PRIVATE_H
#define GJB_GRADING_GRADE_PRIVATE_H

#include <math.h>

#include "grading/grade.h"

/* One answer that is graded. */
typedef struct gjb_grading {
    gjb_query query;
    gjb_truth *truth;
    const gjb_result *result;
    const gjb_tolerance *granted;
    double tolerance; /* T */
    double own;       /* of toi: T in the contender's own precision */
    gjb_grade grade;
} gjb_grading;

/* Epsilon S, what errors are counted in. */
static inline double unit_of(const gjb_tolerance *tolerance, double size)
{
    return tolerance->epsilon * fmax(size, tolerance->least);
}
static inline double in_units(long double error, double unit)
{
    return unit > 0 ? (double)(error / unit) : error > 0 ? INFINITY : 0;
}

/* The sigma up to which shapes count as overlapping: of intersect within a margin more than 0. */
double gjb_bar_of(gjb_query query, const gjb_pair *pair);
/* Is it an answer that stopped once the shapes were proven to be further apart than matters? */
int gjb_stops_at_limit(gjb_query query, const gjb_pair *pair, const gjb_result *r, const gjb_tolerance *granted);

void gjb_set_fault(gjb_grade *grade, gjb_fault fault); /* unless it has one already */
/* A distance in units of eps S. */
double gjb_in_eps(const gjb_grading *g, long double distance);
long double gjb_length_of(const long double v[3]);
/* Is that 1, but for rounding? The grade keeps by how much it is not. */
int gjb_is_unit(gjb_grade *grade, long double length, const gjb_tolerance *granted);

/* A normal of that length. Unless that is 0, the support gap along it must be no less than `wanted`, but for what is
 * allowed. Errors are counted in units. */
typedef struct gjb_normal_check {
    long double length, wanted, gap, allowed, unit;
} gjb_normal_check;
/* Sets the error, and the fault: of a direction that falls short, else of a length that is not 1. */
void gjb_check_normal(gjb_grade *grade, const gjb_normal_check *check, const gjb_tolerance *granted);

/* Of the shapes along a normal, and of a point to one of them; what was asked last is kept. */
long double gjb_gap_along(gjb_truth *truth, const double normal[3]);
long double gjb_distance_to(gjb_truth *truth, int of_b, const double point[3]);

/* The form of a record of manifold. */
gjb_fault gjb_manifold_form(const gjb_result *result, uint32_t dim, int ours);
/* Do the bounds on sigma leave open what its grade depends on? */
int gjb_manifold_doubt(const gjb_truth *truth, const gjb_result *result, const gjb_tolerance *granted,
                       double tolerance);
/* With the truth as it stands; of the right form. */
void gjb_grade_manifold(gjb_grading *g);

/* Answers that are of the right form, and no refusals; the truth has been opened for motion. */
void gjb_grade_toi(gjb_grading *g);
void gjb_grade_sweep(gjb_grading *g);

/* What the oracle makes of a pair in motion, and whether the bounds contradict it. */
void gjb_motion_exact(gjb_truth *truth);
void gjb_swept_exact(gjb_truth *truth);
double gjb_swept_time(gjb_truth *truth);

#endif
