/* Do answers to a pair and to the exchanged pair contradict each other? */
#include <math.h>

#include "grading/grade_private.h"

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

/* Is the signed distance within the tolerance of a bar, on either side of which an answer is right? */
static int is_near(gjb_truth *truth, double bar, double tolerance)
{
    const long double lo = truth->lo - (long double)bar, hi = truth->hi - (long double)bar;
    if (lo >= -tolerance && hi <= tolerance)
        return 1;
    if (lo <= tolerance && hi >= -tolerance)
        gjb_truth_exact(truth);
    return truth->lo - (long double)bar <= tolerance && truth->hi - (long double)bar >= -tolerance;
}

int gjb_asymmetric(gjb_query query, gjb_truth *truth, const gjb_result *r, const gjb_result *s,
                      const gjb_tolerance *published)
{
    const gjb_tolerance own = gjb_tolerance_on(published, truth->pair), *const granted = &own;
    double tolerance = gjb_tolerance_of(granted, truth->size);
    if (gjb_queries[query].moving)
        return asymmetric_motion(query, truth, r, s, granted);
    if (r->status != s->status && (!answered(r->status) || !answered(s->status) ||
                                   !is_near(truth, gjb_bar_of(query, truth->pair), tolerance)))
        return 1;
    if (query == GJB_MANIFOLD && (r->count == 0) != (s->count == 0)) /* then there is no value, too */
        return !is_near(truth, truth->pair->margin, tolerance);
    if (!gjb_queries[query].has_value)
        return 0;
    /* What stopped says no more than that the shapes are further apart than matters. */
    const int stopped = gjb_stops_at_limit(query, truth->pair, r, granted);
    const int other = gjb_stops_at_limit(query, truth->pair, s, granted);
    if (stopped && other)
        return 0;
    if (stopped || other) {
        const double whole = stopped ? s->value : r->value;
        return !(whole > truth->pair->within - 2 * tolerance) || !(whole <= truth->hi + tolerance);
    }
    return !(fabs(r->value - s->value) <= 2 * tolerance);
}
