/* Wrong answers that look like a mistake of the adapter: what they have in common, and what to do. */
#include "grading/grade_private.h"

static const struct {
    const char *name, *about;
} hints[GJB_HINTS] = {
    [GJB_HINT_NONE] = {"none", ""},
    [GJB_HINT_THRESHOLD] = {"threshold", "are tiny distances of shapes that overlap: ask the library's own test, or "
                                         "its threshold, in place of 'distance > 0'"},
    [GJB_HINT_LENGTH] = {"normal-length", "have a normal that points the right way, and whose length is not 1: "
                                          "divide it by its length (gjb_unit of gjkbench/adapter.h)"},
    [GJB_HINT_OPPOSITE] = {"opposite-normal", "are right with the opposite normal: it points from A to B"},
    [GJB_HINT_ORIGIN] = {"origin", "have points that are right once A's translation is subtracted: they are relative "
                                   "to it"},
};

const char *gjb_hint_name(gjb_hint hint)
{
    return hints[hint].name;
}

const char *gjb_hint_about(gjb_hint hint)
{
    return hints[hint].about;
}

static int is_tiny(const gjb_truth *truth, const gjb_result *r)
{
    return r->status == GJB_SEPARATED && r->value > 0 && r->value <= -1e-3 * truth->hi;
}

static int is_opposite(gjb_query query, gjb_truth *truth, const gjb_result *r, double tolerance)
{
    const double opposite[3] = {-r->normal[0], -r->normal[1], -r->normal[2]};
    const double sigma = query == GJB_PENETRATION ? fmin(truth->lo, 0) : truth->lo;
    return gjb_gap_along(truth, opposite) >= sigma - tolerance - truth->placed.error;
}

/* World coordinates have lost what a translation's rounding takes. */
static int is_from_world(gjb_truth *truth, const gjb_result *r, const gjb_tolerance *granted, double tolerance)
{
    const gjb_pair *pair = truth->pair;
    const gjb_pose2d *plane = &pair->as.plane.a.pose;
    const gjb_pose3d *space = &pair->as.space.a.pose;
    const int flat = pair->dim == 2;
    const double t[3] = {flat ? plane->x : space->x, flat ? plane->y : space->y, flat ? 0 : space->z};
    const double *const points[2] = {r->point_a, r->point_b};
    const double allowed = tolerance + 4 * granted->epsilon * (fabs(t[0]) + fabs(t[1]) + fabs(t[2]));
    for (int i = 0; i < 2; i++) {
        const double moved[3] = {points[i][0] - t[0], points[i][1] - t[1], points[i][2] - t[2]};
        if (!(gjb_distance_to(truth, i, moved) <= allowed + truth->placed.error))
            return 0;
    }
    return 1;
}

gjb_hint gjb_hint_of(gjb_query query, gjb_truth *truth, const gjb_result *result, const gjb_grade *grade,
                     const gjb_tolerance *published)
{
    const gjb_query_row *row = &gjb_queries[query];
    if (grade->verdict != GJB_WRONG || row->moving || row->has_patch || !row->has_value)
        return grade->fault == GJB_FAULT_LENGTH ? GJB_HINT_LENGTH : GJB_HINT_NONE;
    const gjb_tolerance granted = gjb_tolerance_on(published, truth->pair);
    const double tolerance = gjb_tolerance_of(&granted, truth->size);
    switch (grade->fault) {
    case GJB_FAULT_LENGTH:
        return GJB_HINT_LENGTH;
    case GJB_FAULT_BOOLEAN:
        return is_tiny(truth, result) ? GJB_HINT_THRESHOLD : GJB_HINT_NONE;
    case GJB_FAULT_NORMAL:
        return is_opposite(query, truth, result, tolerance) ? GJB_HINT_OPPOSITE : GJB_HINT_NONE;
    case GJB_FAULT_WITNESS:
        return is_from_world(truth, result, &granted, tolerance) ? GJB_HINT_ORIGIN : GJB_HINT_NONE;
    default:
        return GJB_HINT_NONE;
    }
}
