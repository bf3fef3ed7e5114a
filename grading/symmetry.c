/* Do answers to a pair and to the exchanged pair contradict each other? */
#include <math.h>

#include "grading/grade.h"

static int answered(gjb_status status)
{
    return status == GJB_SEPARATED || status == GJB_OVERLAPPING;
}

/* A time says how near the shapes are by where they are then: exchanged, it must be as right as it was. */
static int asymmetric_motion(gjb_query query, gjb_truth *truth, const gjb_result *r, const gjb_result *s,
                             const gjb_tolerance *granted)
{
    if (r->status == s->status && r->value == s->value && r->last == s->last)
        return 0;
    gjb_tolerance times = *granted;
    times.no_normal = times.no_points = 1;
    const gjb_grade before = gjb_grade_result(query, truth, r, &times);
    const gjb_grade after = gjb_grade_result(query, truth, s, &times);
    if (truth->effort.cut) /* between the two, it may be: what was not cut is no better for it */
        return 0;
    return (before.verdict == GJB_WRONG) != (after.verdict == GJB_WRONG) ||
           (before.verdict == GJB_NOT_SUPPORTED) != (after.verdict == GJB_NOT_SUPPORTED);
}

int gjb_asymmetric(gjb_query query, gjb_truth *truth, const gjb_result *r, const gjb_result *s,
                      const gjb_tolerance *published)
{
    const gjb_tolerance own = gjb_tolerance_on(published, truth->pair), *const granted = &own;
    double tolerance = gjb_tolerance_of(granted, truth->size);
    if (gjb_queries[query].moving)
        return asymmetric_motion(query, truth, r, s, granted);
    if (r->status != s->status) {
        if (!answered(r->status) || !answered(s->status))
            return 1;
        int in_band = truth->lo >= -tolerance && truth->hi <= tolerance;
        if (!in_band && truth->lo <= tolerance && truth->hi >= -tolerance)
            gjb_truth_exact(truth);
        if (truth->lo > tolerance || truth->hi < -tolerance)
            return 1;
    }
    if (!gjb_queries[query].has_value)
        return 0;
    return !(fabs(r->value - s->value) <= 2 * tolerance);
}
