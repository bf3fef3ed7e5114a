/* What GJK and EPA fall back on: every edge normal, then every pair of a
 * vertex and an edge. Quadratic in the vertices, without iteration, so it
 * always ends with an answer. */
#include "reference/methods/frame2.h"

#include <float.h>
#include <math.h>

static const double met = 8 * REF_EPSILON;

/* Separating axis over the edges of one body: the largest gap and its normal. */
static void best_axis(const ref_frame2 *frame, const gjb_body2 *body, double *gap, double normal[2])
{
    for (uint32_t k = 0; k + 1 < body->count || (k < body->count && body->count > 2); k++) {
        uint32_t m = k + 1 < body->count ? k + 1 : 0;
        double x = (body->vertices[m][0] - body->vertices[k][0]) * frame->scale;
        double y = (body->vertices[m][1] - body->vertices[k][1]) * frame->scale;
        double e[2] = {body->pose.c * x - body->pose.s * y, body->pose.s * x + body->pose.c * y};
        double length = sqrt(ref_dot2(e, e));
        if (!(length > 0))
            continue;
        for (int side = -1; side <= 1; side += 2) {
            double n[2] = {side * e[1] / length, -side * e[0] / length};
            double found = ref_dot2(n, ref_support2(frame, n).w);
            if (found > *gap) {
                *gap = found;
                normal[0] = n[0];
                normal[1] = n[1];
            }
        }
    }
}

/* The point of D's outline nearest to `target`. */
static ref_nearest2 nearest_pair(const ref_frame2 *frame, const double target[2], ref_core2 *core)
{
    uint32_t na = frame->pair->a.count, nb = frame->pair->b.count;
    ref_nearest2 best = {.distance = DBL_MAX};
    for (uint32_t i = 0; i < na; i++) {
        for (uint32_t j = 0; j < nb; j++) {
            ref_vertex2 p = ref_vertex2_at(frame, i, j);
            ref_vertex2 along_a = ref_vertex2_at(frame, i + 1 < na ? i + 1 : 0, j);
            ref_vertex2 along_b = ref_vertex2_at(frame, i, j + 1 < nb ? j + 1 : 0);
            for (int side = 0; side < 2; side++) {
                const ref_vertex2 *q = side ? &along_b : &along_a;
                ref_nearest2 nearest = ref_segment_nearest2(p.w, q->w, target);
                if (nearest.distance < best.distance) {
                    best = nearest;
                    ref_witness2(core, &p, q, nearest.t);
                }
            }
        }
    }
    return best;
}

REF_WATCHED static void tell(ref_watch *watch, const ref_core2 *core)
{
    watch->lower = core->lower;
    watch->upper = core->upper;
    ref_watch_closest(watch, core->sigma, core->normal);
    ref_watch_tell(watch, "enumeration",
                   "rounding stalled the method: every edge normal and every pair of vertex and edge was "
                   "tried");
}

void ref_enumerate_core2(const ref_frame2 *frame, ref_core2 *core)
{
    static const double origin[2] = {0, 0};
    double gap = -DBL_MAX, normal[2] = {1, 0};
    best_axis(frame, &frame->pair->a, &gap, normal);
    best_axis(frame, &frame->pair->b, &gap, normal);
    ref_nearest2 nearest = nearest_pair(frame, origin, core);
    double along = nearest.distance > 0 ? ref_dot2(nearest.normal, ref_support2(frame, nearest.normal).w)
                                        : -DBL_MAX;
    /* A direction that rounding made, between vertices that all but touch,
     * proves nothing: the edge normals then know better. */
    bool apart = along > 0 && along >= gap - met;
    if (apart || gap == -DBL_MAX) { /* no edge: D is a point */
        core->sigma = core->upper = nearest.distance;
        core->normal[0] = nearest.distance > 0 ? nearest.normal[0] : 1;
        core->normal[1] = nearest.distance > 0 ? nearest.normal[1] : 0;
        core->lower = fmin(core->upper, nearest.distance > 0 ? along : 0);
        if (frame->watch)
            tell(frame->watch, core);
        return;
    }
    core->sigma = core->lower = core->upper = gap;
    core->normal[0] = normal[0];
    core->normal[1] = normal[1];
    double target[2] = {gap * normal[0], gap * normal[1]};
    nearest_pair(frame, target, core);
    if (frame->watch)
        tell(frame->watch, core);
}
