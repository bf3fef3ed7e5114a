/* Wrong answers that look like a mistake of the adapter: what they have in common, and what to do. */
#include "grading/grade_private.h"

/* Few are no usual mistake. Of a mistake that is made everywhere, nearly all answers of its fault are. */
enum { LEAST = 3, SOME = 5, NEARLY_ALL = 90 };

/* `fault`: which it explains; GJB_FAULT_NONE: several. `percent`: of the answers with that fault. */
static const struct {
    const char *name, *about;
    gjb_fault fault;
    uint64_t percent;
} hints[GJB_HINTS] = {
    [GJB_HINT_NONE] = {"none", "", GJB_FAULT_NONE, 0},
    [GJB_HINT_THRESHOLD] = {"threshold",
                            "are tiny distances of shapes that overlap: ask the library's own test, or "
                            "its threshold, in place of 'distance > 0'",
                            GJB_FAULT_NONE, SOME},
    [GJB_HINT_LENGTH] = {"normal-length",
                         "have a normal that points the right way, and whose length is not 1: "
                         "divide it by its length (gjb_unit of gjkbench/adapter.h)",
                         GJB_FAULT_NONE, SOME},
    [GJB_HINT_OPPOSITE] = {"opposite-normal", "are right with the opposite normal: it points from A to B",
                           GJB_FAULT_NONE, SOME},
    [GJB_HINT_ORIGIN] = {"origin",
                         "have points that are right once A's translation is subtracted: they are relative to it",
                         GJB_FAULT_NONE, SOME},
    [GJB_HINT_EXCHANGED] = {"exchanged-points",
                            "have points that are right if they are exchanged: point_a is of A, and point_b of B",
                            GJB_FAULT_WITNESS, NEARLY_ALL},
    [GJB_HINT_NO_RADIUS] = {"radius-left-out",
                            "have values that are right once the radii are subtracted: every shape may be rounded by "
                            "a radius",
                            GJB_FAULT_VALUE, NEARLY_ALL},
    [GJB_HINT_RADIUS_TWICE] = {"radius-twice",
                               "have values that are right once the radii are added: they are counted twice",
                               GJB_FAULT_VALUE, NEARLY_ALL},
    [GJB_HINT_NO_POSE] = {"pose-left-out",
                          "have values that are right if shapes are not moved: a pose turns a shape, then moves it",
                          GJB_FAULT_VALUE, NEARLY_ALL},
    [GJB_HINT_POSE_TWICE] = {"pose-twice", "have values that are right if each pose is applied twice",
                             GJB_FAULT_VALUE, NEARLY_ALL},
    [GJB_HINT_TURNED_BACK] = {"turned-back",
                              "have values that are right if shapes turn the other way: the rotation is transposed",
                              GJB_FAULT_VALUE, NEARLY_ALL},
};

const char *gjb_hint_name(gjb_hint hint)
{
    return hints[hint].name;
}

const char *gjb_hint_about(gjb_hint hint)
{
    return hints[hint].about;
}

int gjb_hint_holds(gjb_hint hint, const uint64_t faults[GJB_FAULTS], const uint64_t of_hint[GJB_HINTS])
{
    const gjb_fault fault = hints[hint].fault;
    uint64_t wrong = fault == GJB_FAULT_NONE ? 0 : faults[fault];
    for (int i = 1; i < GJB_FAULTS && fault == GJB_FAULT_NONE; i++)
        wrong += faults[i];
    return of_hint[hint] >= LEAST && 100 * of_hint[hint] >= hints[hint].percent * wrong;
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

static int are_exchanged(gjb_truth *truth, const gjb_result *r, double tolerance)
{
    return gjb_distance_to(truth, 1, r->point_a) <= tolerance + truth->placed.error &&
           gjb_distance_to(truth, 0, r->point_b) <= tolerance + truth->placed.error;
}

/* Of a value that is wrong, the signed distance that it says. */
static double sigma_of(gjb_query query, const gjb_result *r)
{
    return query == GJB_PENETRATION ? -r->value : r->value;
}

static int is_sigma(const gjb_truth *truth, double sigma, double tolerance)
{
    return sigma >= truth->lo - tolerance && sigma <= truth->hi + tolerance;
}

static gjb_hint hint_of_value(const gjb_truth *truth, double sigma, double tolerance)
{
    const gjb_pair *pair = truth->pair;
    const double radii = pair->dim == 2 ? pair->as.plane.a.radius + pair->as.plane.b.radius
                                        : pair->as.space.a.radius + pair->as.space.b.radius;
    if (is_sigma(truth, sigma - radii, tolerance))
        return GJB_HINT_NO_RADIUS;
    return is_sigma(truth, sigma + radii, tolerance) ? GJB_HINT_RADIUS_TWICE : GJB_HINT_NONE;
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
        return is_from_world(truth, result, &granted, tolerance) ? GJB_HINT_ORIGIN
               : are_exchanged(truth, result, tolerance)         ? GJB_HINT_EXCHANGED
                                                                 : GJB_HINT_NONE;
    case GJB_FAULT_VALUE:
        return hint_of_value(truth, sigma_of(query, result), tolerance);
    default:
        return GJB_HINT_NONE;
    }
}

/* --- poses --------------------------------------------------------------------- */

static gjb_pose2d mistaken2(const gjb_pose2d *p, gjb_hint mistake)
{
    if (mistake == GJB_HINT_NO_POSE)
        return (gjb_pose2d){.c = 1};
    if (mistake == GJB_HINT_TURNED_BACK)
        return (gjb_pose2d){p->x, p->y, p->c, -p->s};
    return (gjb_pose2d){p->x + p->c * p->x - p->s * p->y, p->y + p->s * p->x + p->c * p->y, p->c * p->c - p->s * p->s,
                        2 * p->c * p->s};
}

static gjb_pose3d mistaken3(const gjb_pose3d *p, gjb_hint mistake)
{
    if (mistake == GJB_HINT_NO_POSE)
        return (gjb_pose3d){.qw = 1};
    if (mistake == GJB_HINT_TURNED_BACK)
        return (gjb_pose3d){p->x, p->y, p->z, -p->qx, -p->qy, -p->qz, p->qw};
    /* With q of length 1, t turned is t + 2w v×t + 2 v×(v×t). */
    const double cross[3] = {p->qy * p->z - p->qz * p->y, p->qz * p->x - p->qx * p->z, p->qx * p->y - p->qy * p->x};
    const double again[3] = {p->qy * cross[2] - p->qz * cross[1], p->qz * cross[0] - p->qx * cross[2],
                             p->qx * cross[1] - p->qy * cross[0]};
    const double w = p->qw;
    return (gjb_pose3d){2 * (p->x + w * cross[0] + again[0]),
                        2 * (p->y + w * cross[1] + again[1]),
                        2 * (p->z + w * cross[2] + again[2]),
                        2 * w * p->qx,
                        2 * w * p->qy,
                        2 * w * p->qz,
                        w * w - p->qx * p->qx - p->qy * p->qy - p->qz * p->qz};
}

static gjb_pair mistaken(const gjb_pair *pair, gjb_hint mistake)
{
    gjb_pair other = *pair;
    if (pair->dim == 2) {
        other.as.plane.a.pose = mistaken2(&pair->as.plane.a.pose, mistake);
        other.as.plane.b.pose = mistaken2(&pair->as.plane.b.pose, mistake);
    } else {
        other.as.space.a.pose = mistaken3(&pair->as.space.a.pose, mistake);
        other.as.space.b.pose = mistaken3(&pair->as.space.b.pose, mistake);
    }
    return other;
}

gjb_hint gjb_pose_hint_of(gjb_query query, const gjb_truth *truth, const gjb_result *result, const gjb_grade *grade,
                          const gjb_tolerance *published)
{
    static const gjb_hint mistakes[] = {GJB_HINT_NO_POSE, GJB_HINT_POSE_TWICE, GJB_HINT_TURNED_BACK};
    const gjb_query_row *row = &gjb_queries[query];
    gjb_hint hint = GJB_HINT_NONE;
    if (grade->fault != GJB_FAULT_VALUE || row->moving || row->has_patch || gjb_pair_curved(truth->pair) ||
        gjb_pair_unbounded(truth->pair))
        return hint;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes && hint == GJB_HINT_NONE; i++) {
        const gjb_pair pair = mistaken(truth->pair, mistakes[i]);
        const gjb_tolerance granted = gjb_tolerance_on(published, &pair);
        gjb_truth other = {.epsilon = truth->epsilon};
        /* The contender's own product of poses is rounded, too. */
        if (gjb_truth_open(&other, &pair) == 0 &&
            is_sigma(&other, sigma_of(query, result), 4 * gjb_tolerance_of(&granted, fmax(other.size, truth->size))))
            hint = mistakes[i];
        gjb_truth_close(&other);
    }
    return hint;
}
