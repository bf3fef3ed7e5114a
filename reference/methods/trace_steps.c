/* Reports the steps of GJK and EPA to a trace: vertices, simplex, faces, nearest feature, bounds. */
#include "reference/methods/trace_steps.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "reference/methods/surface3.h"

void ref_watch_open(ref_watch *watch, const gjb_trace *trace, int dim)
{
    watch->trace = trace;
    if (trace) /* without one, whoever asks for many answers need not pay for all of this */
        *watch = (ref_watch){.trace = trace, .dim = dim, .lower = -DBL_MAX, .upper = DBL_MAX};
}

ref_watch *ref_watch_at(ref_watch *watch, double unscale)
{
    watch->unscale = unscale;
    return watch->trace ? watch : NULL;
}

void ref_watch_close(ref_watch *watch)
{
    if (watch->trace) {
        free(watch->vertices);
        free(watch->faces);
    }
}

static gjb_trace_vertex placed(const ref_watch *watch, const double *a, const double *b)
{
    gjb_trace_vertex v = {{0}, {0}, {0}};
    for (int k = 0; k < watch->dim; k++) {
        v.a[k] = a[k] * watch->unscale + 0.0; /* no -0 */
        v.b[k] = b[k] * watch->unscale + 0.0;
        v.w[k] = (a[k] - b[k]) * watch->unscale + 0.0;
    }
    return v;
}

void ref_watch_search(ref_watch *watch, const double *direction, const double *a, const double *b)
{
    double along = 0, length = 0;
    for (int k = 0; k < watch->dim; k++)
        length = hypot(length, direction[k]);
    for (int k = 0; k < watch->dim; k++) {
        watch->step.direction[k] = direction[k] / length + 0.0;
        along += watch->step.direction[k] * (b[k] - a[k]);
    }
    watch->step.has_direction = watch->step.has_support = 1;
    watch->step.support = placed(watch, a, b);
    watch->lower = fmax(watch->lower, along);
}

void ref_watch_vertex(ref_watch *watch, const double *a, const double *b)
{
    gjb_trace_step *step = &watch->step;
    watch->vertices =
        ref_grown(watch->vertices, &watch->vertex_room, step->vertex_count + 1, sizeof *watch->vertices);
    watch->vertices[step->vertex_count++] = placed(watch, a, b);
}

void ref_watch_face(ref_watch *watch, uint32_t p, uint32_t q, uint32_t r)
{
    gjb_trace_step *step = &watch->step;
    watch->faces = ref_grown(watch->faces, &watch->face_room, step->face_count + 1, sizeof *watch->faces);
    uint32_t *face = watch->faces[step->face_count++];
    face[0] = p;
    /* -D is D turned by half a turn in the plane, and turned inside out in space. */
    face[1] = watch->dim == 2 ? q : r;
    face[2] = watch->dim == 2 ? r : q;
}

void ref_watch_feature(ref_watch *watch, uint32_t vertex)
{
    watch->step.feature[watch->step.feature_count++] = vertex;
}

void ref_watch_feature_at(ref_watch *watch, const double *a, const double *b)
{
    const gjb_trace_vertex at = placed(watch, a, b);
    for (uint32_t v = 0; v < watch->step.vertex_count; v++) {
        int same = 1;
        for (int k = 0; k < watch->dim; k++)
            same &= watch->vertices[v].a[k] == at.a[k] && watch->vertices[v].b[k] == at.b[k];
        if (same) {
            ref_watch_feature(watch, v);
            return;
        }
    }
}

void ref_watch_closest(ref_watch *watch, double distance, const double *normal)
{
    watch->step.has_closest = 1;
    for (int k = 0; k < watch->dim; k++)
        watch->step.closest[k] = -distance * normal[k] * watch->unscale + 0.0;
}

void ref_watch_upper(ref_watch *watch, double upper)
{
    watch->upper = fmin(watch->upper, upper);
}

void ref_watch_tell(ref_watch *watch, const char *method, const char *text)
{
    gjb_trace_step *step = &watch->step;
    step->method = method;
    step->text = text;
    step->vertices = watch->vertices;
    step->faces = (const uint32_t(*)[3])watch->faces;
    step->has_lower = watch->lower > -DBL_MAX;
    step->has_upper = watch->upper < DBL_MAX;
    /* Where they have met, rounding may have let them pass each other. */
    step->lower = step->has_lower ? fmin(watch->lower, watch->upper) * watch->unscale : 0;
    step->upper = step->has_upper ? watch->upper * watch->unscale : 0;
    watch->trace->step(watch->trace->user, step);
    *step = (gjb_trace_step){0};
}

void ref_watch_gjk(ref_watch *watch, ref_gjk_step what, double distance, const double *normal)
{
    static const char *const texts[] = {
        [REF_GJK_TOWARDS] = "the first support, in the direction from A's translation to B's",
        [REF_GJK_ANYWHERE] =
            "the first support; the translations of A and B are the same, and any direction serves",
        [REF_GJK_MET] = "nothing of A - B lies nearer to the origin this way: the bounds have met",
        [REF_GJK_STUCK] = "no vertex is farther this way than those known: rounding allows no more progress",
    };
    static const char *const nearest[] = {
        NULL,
        "the vertex nearest to the origin is kept; the next search goes from it towards the origin",
        "an edge is nearest to the origin; the next search goes along its normal, towards the origin",
        "a face is nearest to the origin; the next search goes along its normal, towards the origin",
    };
    const char *text = what == REF_GJK_NEXT ? nearest[watch->step.feature_count & 3] : texts[what];
    ref_watch_closest(watch, distance, normal);
    ref_watch_upper(watch, distance);
    ref_watch_tell(watch, "gjk", distance == 0 ? "the simplex holds the origin: the cores overlap" : text);
}
