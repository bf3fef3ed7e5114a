/* GJK (Gilbert, Johnson, Keerthi 1988) on the cores in space.
 *
 * It answers for the rounded vertices that it meets, each within a few eps of
 * the true one. Both bounds come from the same iterate: the nearest point of the
 * simplex from above, the support gap along its normal from below. When they
 * meet within a few eps the answer is right within a few eps, however thin or
 * short the features; when they do not, the method says so. */
#include "reference/frame3.h"

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
    for (int k = 0; k < *count; k++) {
        for (int m = 0; m < 3; m++) {
            w[k][m] = simplex[k].w[m];
        }
    }
    ref_nearest3 nearest = ref_nearest_simplex3((const double(*)[3])w, *count, 1u << (*count - 1));
    if (nearest.count == 4) {
        return nearest;
    }
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
    for (int k = 0; k < 3; k++) {
        core->normal[k] = nearest->normal[k];
    }
    ref_witness3(core, simplex, count, nearest->weight);
}

static const char *first_text(const ref_frame3 *frame)
{
    return frame->offset[0] == 0 && frame->offset[1] == 0 && frame->offset[2] == 0
               ? "the first support; the translations of A and B are the same, and any direction serves"
               : "the first support, in the direction from A's translation to B's";
}

/* What the simplex was before it was reduced, what is left of it, and the nearest point. */
static void tell(ref_watch *watch, const ref_vertex3 *kept, int count, const ref_nearest3 *nearest, const char *first)
{
    static const char *const texts[] = {
        NULL,
        "the vertex nearest to the origin is kept; the next search goes from it towards the origin",
        "an edge is nearest to the origin; the next search goes along its normal, towards the origin",
        "a face is nearest to the origin; the next search goes along its normal, towards the origin",
    };
    for (int k = 0; k < count; k++) {
        ref_watch_feature_at(watch, kept[k].a, kept[k].b);
    }
    ref_watch_closest(watch, nearest->distance, nearest->normal);
    ref_watch_upper(watch, nearest->distance);
    ref_watch_tell(watch, "gjk",
                   nearest->distance == 0 ? "the simplex holds the origin: the cores overlap"
                   : first                ? first
                                          : texts[count]);
}

static void show(ref_watch *watch, const ref_vertex3 *simplex, int count)
{
    for (int k = 0; k < count; k++) {
        ref_watch_vertex(watch, simplex[k].a, simplex[k].b);
    }
}

static void tell_end(ref_watch *watch, const ref_vertex3 *simplex, int count, const ref_nearest3 *nearest, bool met)
{
    show(watch, simplex, count);
    for (int k = 0; k < count; k++) {
        ref_watch_feature(watch, (uint32_t)k);
    }
    ref_watch_closest(watch, nearest->distance, nearest->normal);
    ref_watch_tell(watch, "gjk",
                   met ? "nothing of A - B lies nearer to the origin this way: the bounds have met"
                       : "no vertex is farther this way than those known: rounding allows no more progress");
}

ref_outcome3 ref_gjk_core3(const ref_frame3 *frame, ref_core3 *core, ref_vertex3 simplex[4], int *count)
{
    static const double any[3] = {1, 0, 0};
    const double *start = frame->offset[0] == 0 && frame->offset[1] == 0 && frame->offset[2] == 0 ? any : frame->offset;
    simplex[0] = ref_support3(frame, start);
    *count = 1;
    if (frame->watch) {
        ref_watch_search(frame->watch, start, simplex[0].a, simplex[0].b);
    }
    double last = DBL_MAX, tightest = DBL_MAX;
    for (core->iterations = 1; core->iterations <= ITERATION_CAP; core->iterations++) {
        if (frame->watch) {
            show(frame->watch, simplex, *count);
        }
        ref_nearest3 nearest = reduce(simplex, count);
        if (frame->watch) {
            tell(frame->watch, simplex, *count, &nearest, core->iterations > 1 ? NULL : first_text(frame));
        }
        if (nearest.distance == 0) {
            return REF_OVERLAP3;
        }
        ref_vertex3 support = ref_support3(frame, nearest.normal);
        double gap = ref_dot3(nearest.normal, support.w);
        if (frame->watch) {
            ref_watch_search(frame->watch, nearest.normal, support.a, support.b);
        }
        if (nearest.distance - gap < tightest) {
            tightest = nearest.distance - gap;
            record(core, &nearest, gap, simplex, *count);
        }
        bool known = nearest.distance >= last;
        for (int k = 0; k < *count; k++) {
            known = known || same_vertex(&simplex[k], &support);
        }
        if (nearest.distance - gap <= frame->met || known) {
            if (frame->watch) {
                tell_end(frame->watch, simplex, *count, &nearest, nearest.distance - gap <= frame->stalled);
            }
            break;
        }
        last = nearest.distance;
        simplex[(*count)++] = support;
    }
    if (tightest <= frame->stalled) {
        return REF_APART3;
    }
    /* Within rounding of the boundary of D the simplex serves EPA as well. */
    return last <= 4 * frame->stalled ? REF_OVERLAP3 : REF_STALLED_OUT3;
}
