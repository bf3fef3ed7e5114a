/* GJK (Gilbert, Johnson, Keerthi 1988) on the cores in space.
 *
 * It answers for the rounded vertices that it meets, each within a few eps of
 * the true one. Both bounds come from the same iterate: the nearest point of the
 * simplex from above, the support gap along its normal from below. When they
 * meet within a few eps the answer is right within a few eps, however thin or
 * short the features; when they do not, the method says so. */
#include "reference/methods/frame3.h"

#include <float.h>
#include <math.h>

enum { ITERATION_CAP = 256 };

static bool same_vertex(const ref_vertex3 *p, const ref_vertex3 *q)
{
    return (p->i == q->i && p->j == q->j) || (p->w[0] == q->w[0] && p->w[1] == q->w[1] && p->w[2] == q->w[2]);
}

/* Nearest point of the simplex; drops the vertices that it does not need. */
static ref_nearest3 reduce(ref_vertex3 simplex[4], int *count)
{
    double w[4][3];
    for (int k = 0; k < *count; k++)
        for (int m = 0; m < 3; m++)
            w[k][m] = simplex[k].w[m];
    ref_nearest3 nearest = ref_nearest_simplex3((const double(*)[3])w, *count, 1u << (*count - 1));
    if (nearest.count == 4)
        return nearest;
    int kept = 0;
    for (int k = 0; k < *count; k++) {
        if (nearest.weight[k] > 0) {
            simplex[kept] = simplex[k];
            nearest.weight[kept++] = nearest.weight[k];
        }
    }
    *count = kept;
    return nearest;
}

static void record(ref_core3 *core, const ref_nearest3 *nearest, double gap, const ref_vertex3 *simplex, int count)
{
    core->sigma = core->upper = nearest->distance;
    core->lower = fmin(gap, nearest->distance);
    for (int k = 0; k < 3; k++)
        core->normal[k] = nearest->normal[k];
    ref_witness3(core, simplex, count, nearest->weight);
}

REF_WATCHED static void show(ref_watch *watch, const ref_vertex3 *simplex, int count)
{
    for (int k = 0; k < count; k++)
        ref_watch_vertex(watch, simplex[k].a, simplex[k].b);
}

/* The simplex as it was has been shown; `kept` is what is left of it. */
REF_WATCHED static void tell(ref_watch *watch, ref_gjk_step what, const ref_vertex3 *kept, int count,
                 const ref_nearest3 *nearest)
{
    for (int k = 0; k < count; k++)
        ref_watch_feature_at(watch, kept[k].a, kept[k].b);
    ref_watch_gjk(watch, what, nearest->distance, nearest->normal);
}

ref_outcome3 ref_gjk_core3(const ref_frame3 *frame, ref_core3 *core, ref_vertex3 simplex[4], int *count)
{
    static const double any[3] = {1, 0, 0};
    const bool anywhere = frame->offset[0] == 0 && frame->offset[1] == 0 && frame->offset[2] == 0;
    const double *start = anywhere ? any : frame->offset;
    simplex[0] = ref_support3(frame, start);
    *count = 1;
    ref_gjk_step step = anywhere ? REF_GJK_ANYWHERE : REF_GJK_TOWARDS;
    if (frame->watch)
        ref_watch_search(frame->watch, start, simplex[0].a, simplex[0].b);
    double last = DBL_MAX, tightest = DBL_MAX;
    for (core->iterations = 1; core->iterations <= ITERATION_CAP; core->iterations++) {
        if (frame->watch)
            show(frame->watch, simplex, *count);
        ref_nearest3 nearest = reduce(simplex, count);
        if (frame->watch) {
            tell(frame->watch, step, simplex, *count, &nearest);
            step = REF_GJK_NEXT;
        }
        if (nearest.distance == 0)
            return REF_OVERLAP3;
        ref_vertex3 support = ref_support3(frame, nearest.normal);
        double gap = ref_dot3(nearest.normal, support.w);
        if (frame->watch)
            ref_watch_search(frame->watch, nearest.normal, support.a, support.b);
        if (nearest.distance - gap < tightest) {
            tightest = nearest.distance - gap;
            record(core, &nearest, gap, simplex, *count);
        }
        bool known = nearest.distance >= last;
        for (int k = 0; k < *count; k++)
            known = known || same_vertex(&simplex[k], &support);
        if (nearest.distance - gap <= frame->met || known) {
            if (frame->watch) {
                show(frame->watch, simplex, *count);
                step = nearest.distance - gap <= frame->stalled ? REF_GJK_MET : REF_GJK_STUCK;
                tell(frame->watch, step, simplex, *count, &nearest);
            }
            break;
        }
        last = nearest.distance;
        simplex[(*count)++] = support;
    }
    if (tightest <= frame->stalled)
        return REF_APART3;
    /* Within rounding of the boundary of D the simplex serves EPA as well. */
    return last <= 4 * frame->stalled ? REF_OVERLAP3 : REF_STALLED_OUT3;
}
