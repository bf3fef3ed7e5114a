/* Records a method's trace step by step, and recomputes the inner bound that a simplex or polytope proves. */
#include "explain/recorded_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond so many bytes only the first steps and the last one keep their arrays. */
static const size_t most_bytes = (size_t)64 << 20;

uint32_t walk_number(const walk *w, const gjb_trace_vertex *vertex)
{
    for (uint32_t k = w->met_count; k-- > 0;)
        if (!memcmp(w->met[k].a, vertex->a, sizeof vertex->a) &&
            !memcmp(w->met[k].b, vertex->b, sizeof vertex->b))
            return k;
    return UINT32_MAX;
}

static void meet(walk *w, const gjb_trace_vertex *vertex)
{
    if (walk_number(w, vertex) != UINT32_MAX)
        return;
    if (w->met_count == w->met_room) {
        uint32_t room = w->met_room ? 2 * w->met_room : 64;
        gjb_trace_vertex *met = realloc(w->met, room * sizeof *met);
        if (!met) {
            w->failed = 1;
            return;
        }
        w->met = met;
        w->met_room = room;
    }
    w->met[w->met_count++] = *vertex;
}

static void *copy(const void *from, size_t size, int *failed)
{
    void *to = size ? malloc(size) : NULL;
    if (to)
        memcpy(to, from, size);
    *failed |= size && !to;
    return to;
}

static size_t bytes_of(const gjb_trace_step *step)
{
    return step->vertex_count * sizeof *step->vertices + step->face_count * sizeof *step->faces;
}

static void strip(walk *w, gjb_trace_step *step)
{
    w->bytes -= bytes_of(step);
    free((void *)(uintptr_t)step->vertices);
    free((void *)(uintptr_t)step->faces);
    step->vertices = NULL;
    step->faces = NULL;
    step->vertex_count = step->face_count = step->feature_count = 0;
}

static void take(void *user, const gjb_trace_step *step)
{
    walk *w = user;
    if (w->failed)
        return;
    if (w->count == w->room) {
        size_t room = w->room ? 2 * w->room : 64;
        gjb_trace_step *steps = realloc(w->steps, room * sizeof *steps);
        if (!steps) {
            w->failed = 1;
            return;
        }
        w->steps = steps;
        w->room = room;
    }
    if (w->count && w->bytes + bytes_of(step) > most_bytes) {
        strip(w, &w->steps[w->count - 1]);
        w->bare++;
    }
    if (step->has_support)
        meet(w, &step->support);
    for (uint32_t v = 0; v < step->vertex_count; v++)
        meet(w, &step->vertices[v]);
    gjb_trace_step *kept = &w->steps[w->count];
    *kept = *step;
    kept->vertices = copy(step->vertices, step->vertex_count * sizeof *step->vertices, &w->failed);
    kept->faces = copy(step->faces, step->face_count * sizeof *step->faces, &w->failed);
    if (w->failed) {
        free((void *)(uintptr_t)kept->vertices);
        free((void *)(uintptr_t)kept->faces);
        return;
    }
    w->bytes += bytes_of(kept);
    w->count++;
}

gjb_trace walk_trace(walk *w)
{
    return (gjb_trace){take, w};
}

void walk_free(walk *w)
{
    for (size_t k = 0; k < w->count; k++)
        strip(w, &w->steps[k]);
    free(w->steps);
    free(w->met);
    *w = (walk){0};
}

/* ---- proof ---- */

static double dot(const double p[3], const double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

/* The part of the whole angle about the origin that a face takes up, signed: an edge's angle, or
 * a triangle's solid angle by van Oosterom and Strackee, 1983. */
static double angle_of(const double *p, const double *q, const double *r)
{
    if (!r)
        return atan2(p[0] * q[1] - p[1] * q[0], dot(p, q)) / (2 * 3.14159265358979323846);
    double a = sqrt(dot(p, p)), b = sqrt(dot(q, q)), c = sqrt(dot(r, r));
    double volume = p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                    p[2] * (q[0] * r[1] - q[1] * r[0]);
    return 2 * atan2(volume, a * b * c + dot(p, q) * c + dot(p, r) * b + dot(q, r) * a) /
           (4 * 3.14159265358979323846);
}

static double plane_distance(const double *p, const double *q, const double *r)
{
    double e[3], f[3] = {0, 0, 1}, n[3];
    for (int k = 0; k < 3; k++) {
        e[k] = q[k] - p[k];
        f[k] = r ? r[k] - p[k] : f[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    double length = sqrt(dot(n, n));
    return length > 0 ? dot(n, p) / length : INFINITY; /* a line keeps nothing in */
}

double walk_inner(const walk *w)
{
    const gjb_trace_step *step = w->count ? &w->steps[w->count - 1] : NULL;
    double least = INFINITY, around = 0;
    if (!step || !step->face_count)
        return NAN;
    for (uint32_t f = 0; f < step->face_count; f++) {
        const uint32_t *face = step->faces[f];
        const double *p = step->vertices[face[0]].w, *q = step->vertices[face[1]].w;
        const double *r = face[2] == UINT32_MAX ? NULL : step->vertices[face[2]].w;
        least = fmin(least, plane_distance(p, q, r));
        around += angle_of(p, q, r);
    }
    return least >= 0 && fabs(fabs(around) - 1) < 1e-6 ? least : NAN;
}
