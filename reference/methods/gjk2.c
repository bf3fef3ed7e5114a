/* GJK (Gilbert, Johnson, Keerthi 1988) on the cores in the plane.
 *
 * Every vertex of D that it meets is a rounded one, at most a few eps from the
 * true one. The method answers for the rounded vertices, and both bounds come
 * from the same iterate: the nearest point v of the simplex from above, the
 * support gap along v/|v| from below. When they meet within a few eps, the
 * answer is right within a few eps, however thin or short the features. */
#include "reference/curved/curved_pair.h"
#include "reference/methods/frame2.h"

#include <float.h>
#include <math.h>

enum { ITERATION_CAP = 128 };

/* Bounds closer than this have met; further apart at the end, the method stalled. */
static const double met = 2 * REF_EPSILON;
static const double stalled = 16 * REF_EPSILON;

static bool same_vertex(const ref_vertex2 *p, const ref_vertex2 *q)
{
    return (p->i == q->i && p->j == q->j) || (p->w[0] == q->w[0] && p->w[1] == q->w[1]);
}

static bool holds_origin(const ref_vertex2 s[3])
{
    double u = ref_cross2(s[0].w, s[1].w);
    double v = ref_cross2(s[1].w, s[2].w);
    double w = ref_cross2(s[2].w, s[0].w);
    bool left = u >= 0 && v >= 0 && w >= 0;
    bool right = u <= 0 && v <= 0 && w <= 0;
    return left != right;
}

/* Nearest point of the simplex to the origin; drops the vertices that it does
 * not need. A triangle that holds the origin stays whole, at distance 0. */
static ref_nearest2 reduce(ref_vertex2 s[3], int *count)
{
    static const double origin[2] = {0, 0};
    if (*count == 3 && holds_origin(s))
        return (ref_nearest2){.distance = 0};
    ref_nearest2 best = {.distance = DBL_MAX};
    int best_p = 0, best_q = 0;
    for (int p = 0; p < *count; p++) {
        for (int q = p + (*count > 1); q < *count; q++) {
            ref_nearest2 nearest = ref_segment_nearest2(s[p].w, s[q].w, origin);
            if (nearest.distance < best.distance) {
                best = nearest;
                best_p = p;
                best_q = q;
            }
        }
    }
    ref_vertex2 p = s[best_p], q = s[best_q];
    if (best.feature == 2) {
        s[0] = p;
        s[1] = q;
        *count = 2;
    } else {
        s[0] = best.feature ? q : p;
        best.t = 0;
        *count = 1;
    }
    return best;
}

REF_WATCHED static void show(ref_watch *watch, const ref_vertex2 *simplex, int count)
{
    for (int k = 0; k < count; k++)
        ref_watch_vertex(watch, simplex[k].a, simplex[k].b);
}

/* The simplex as it was has been shown; `kept` is what is left of it. */
REF_WATCHED static void tell(ref_watch *watch, ref_gjk_step what, const ref_vertex2 *kept, int count,
                 const ref_nearest2 *nearest)
{
    for (int k = 0; k < count; k++)
        ref_watch_feature_at(watch, kept[k].a, kept[k].b);
    ref_watch_gjk(watch, what, nearest->distance, nearest->normal);
}

ref_outcome ref_gjk_core2(const ref_frame2 *frame, ref_core2 *core, ref_vertex2 simplex[3], int *count)
{
    const bool anywhere = frame->offset[0] == 0 && frame->offset[1] == 0;
    const double start[2] = {anywhere ? 1 : frame->offset[0], frame->offset[1]};
    simplex[0] = ref_support2(frame, start);
    *count = 1;
    ref_gjk_step step = anywhere ? REF_GJK_ANYWHERE : REF_GJK_TOWARDS;
    if (frame->watch)
        ref_watch_search(frame->watch, start, simplex[0].a, simplex[0].b);
    double last = DBL_MAX, tightest = DBL_MAX;
    int iteration = 0;
    while (iteration < ITERATION_CAP) {
        iteration++;
        core->iterations = iteration;
        if (frame->watch)
            show(frame->watch, simplex, *count);
        ref_nearest2 nearest = reduce(simplex, count);
        if (frame->watch) {
            tell(frame->watch, step, simplex, *count, &nearest);
            step = REF_GJK_NEXT;
        }
        if (nearest.distance == 0)
            return REF_OVERLAP;
        ref_vertex2 support = ref_support2(frame, nearest.normal);
        double gap = ref_dot2(nearest.normal, support.w);
        if (frame->watch)
            ref_watch_search(frame->watch, nearest.normal, support.a, support.b);
        if (nearest.distance - gap < tightest) {
            tightest = nearest.distance - gap;
            core->sigma = nearest.distance;
            core->normal[0] = nearest.normal[0];
            core->normal[1] = nearest.normal[1];
            core->lower = fmin(gap, nearest.distance);
            core->upper = nearest.distance;
            ref_witness2(core, &simplex[0], &simplex[*count - 1], nearest.t);
        }
        bool known = nearest.distance >= last;
        for (int k = 0; k < *count; k++)
            known = known || same_vertex(&simplex[k], &support);
        if (nearest.distance - gap <= met || known) {
            if (frame->watch) {
                show(frame->watch, simplex, *count);
                step = nearest.distance - gap <= stalled ? REF_GJK_MET : REF_GJK_STUCK;
                tell(frame->watch, step, simplex, *count, &nearest);
            }
            break;
        }
        last = nearest.distance;
        simplex[(*count)++] = support;
    }
    if (tightest <= stalled)
        return REF_APART;
    /* Within rounding of the boundary of D the simplex serves EPA as well. */
    return last <= 4 * stalled ? REF_OVERLAP : REF_STALLED;
}

static ref_answer gjk_alone(const gjb_pair2 *pair, ref_watch *watch)
{
    ref_frame2 frame;
    if (ref_is_curved2(pair))
        return ref_curved_answer2(pair, REF_CORES);
    if (!ref_frame2_open(&frame, pair))
        return (ref_answer){.status = GJB_INVALID_INPUT};
    gjb_pair2 cores = *pair;
    cores.a.radius = cores.b.radius = 0;
    frame.pair = &cores;
    frame.watch = ref_watch_at(watch, frame.unscale);
    ref_core2 core = {0};
    ref_vertex2 simplex[3];
    int count = 0;
    ref_outcome outcome = ref_gjk_core2(&frame, &core, simplex, &count);
    if (outcome == REF_STALLED) {
        ref_enumerate_core2(&frame, &core);
        outcome = core.sigma > 0 ? REF_APART : REF_OVERLAP;
    }
    if (outcome == REF_OVERLAP)
        return (ref_answer){.status = GJB_OVERLAPPING, .iterations = core.iterations};
    return ref_answer2(&frame, &core);
}

ref_answer ref_gjk2_traced(const gjb_pair2 *pair, const gjb_trace *trace)
{
    ref_watch watch;
    ref_watch_open(&watch, trace, 2);
    ref_answer answer = gjk_alone(pair, &watch);
    ref_watch_close(&watch);
    return answer;
}

ref_answer ref_gjk2(const gjb_pair2 *pair)
{
    return ref_gjk2_traced(pair, NULL);
}
