/* Sentences for a step: its simplex, nearest feature, support and bounds, by letters or numbers. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "explain/explain_page.h"

enum { NAMES_MOST = 8 };

void explain_add(explain_lines *lines, const char *term, const char *format, ...)
{
    if (lines->count == EXPLAIN_LINES)
        return;
    explain_line *line = &lines->line[lines->count++];
    va_list arguments;
    va_start(arguments, format);
    snprintf(line->term, sizeof line->term, "%s", term);
    vsnprintf(line->words, sizeof line->words, format, arguments);
    va_end(arguments);
}

int explain_told(size_t k, size_t count, size_t most)
{
    return count <= most || k < (most + 1) / 2 || k >= count - most / 2;
}

static size_t name(const walk *w, const gjb_trace_vertex *v, char *out, size_t size)
{
    uint32_t k = walk_number(w, v);
    int n = k == UINT32_MAX ? snprintf(out, size, " ?") : snprintf(out, size, " w%u", k + 1);
    return (size_t)n < size ? (size_t)n : size - 1;
}

static void names(const walk *w, const gjb_trace_step *s, const uint32_t *some, uint32_t count, char *out,
                  size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (uint32_t k = 0; k < count && n + 8 < size; k++)
        n += name(w, &s->vertices[some ? some[k] : k], out + n, size - n);
}

static void tell_simplex(const explained *e, const gjb_trace_step *s, explain_lines *lines)
{
    char list[128];
    const char *term = !s->face_count ? "simplex" : e->pair->dim == 2 ? "polygon" : "polytope";
    if (!s->vertex_count)
        return;
    if (s->vertex_count > NAMES_MOST) {
        explain_add(lines, term, "%u vertices, %u %s", s->vertex_count, s->face_count,
                    e->pair->dim == 2 ? "edges" : "faces");
        return;
    }
    names(e->walk, s, NULL, s->vertex_count, list, sizeof list);
    explain_add(lines, term, "%s", list + 1);
}

static void tell_nearest(const explained *e, const gjb_trace_step *s, explain_lines *lines)
{
    static const char *const features[] = {"", "vertex", "edge", "face", "tetrahedron"};
    char list[64], at[96];
    double distance = hypot(hypot(s->closest[0], s->closest[1]), s->closest[2]);
    names(e->walk, s, s->feature, s->feature_count, list, sizeof list);
    if (!s->face_count && s->feature_count == e->pair->dim + 1)
        explain_add(lines, "nearest", "%s%s: the origin lies inside",
                    e->pair->dim == 2 ? "triangle" : "tetrahedron", list);
    else if (s->has_closest)
        explain_add(lines, "nearest", "%s%s%s%s, %.6g from the origin", features[s->feature_count], list,
                    s->feature_count ? ", at " : "at ", explain_point(s->closest, e->pair->dim, at),
                    distance);
    else if (s->feature_count)
        explain_add(lines, "nearest", "%s%s", features[s->feature_count], list);
}

/* A walk's bounds are those of the cores, whatever its supports have of the radii. */
static void tell_bounds(const explained *e, const gjb_trace_step *s, explain_lines *lines)
{
    const gjb_pair *p = e->pair;
    int round = p->dim == 2 ? p->as.plane.a.radius > 0 || p->as.plane.b.radius > 0
                            : p->as.space.a.radius > 0 || p->as.space.b.radius > 0;
    char lower[40] = "", upper[40] = "";
    if (s->has_lower)
        snprintf(lower, sizeof lower, "%.6g <= ", s->lower + 0.0);
    if (s->has_upper)
        snprintf(upper, sizeof upper, " <= %.6g", s->upper + 0.0);
    if (s->has_lower || s->has_upper)
        explain_add(lines, "bounds", "%ssigma%s%s", lower, round ? " of the cores" : "", upper);
}

/* ": B - F", or nothing. */
static const char *lettered(const explained *e, const gjb_trace_vertex *v, char out[16])
{
    const char a = letters_at(&e->letters, e->pair, 0, v->a), b = letters_at(&e->letters, e->pair, 1, v->b);
    out[0] = '\0';
    if (a && b)
        snprintf(out, 16, ": %c - %c", a, b);
    return out;
}

void explain_step(const explained *e, size_t k, explain_lines *lines)
{
    const gjb_trace_step *s = &e->walk->steps[k];
    const uint32_t dim = e->pair->dim;
    char first[96], second[96], third[96], w[16], pair[16];
    lines->count = 0;
    if (s->has_direction)
        explain_add(lines, "direction", "d = %s", explain_point(s->direction, dim, first));
    if (s->has_support) {
        name(e->walk, &s->support, w, sizeof w);
        explain_add(lines, "support", "%s = a - b = %s - %s = %s%s", w + 1,
                    explain_point(s->support.a, dim, first), explain_point(s->support.b, dim, second),
                    explain_point(s->support.w, dim, third), lettered(e, &s->support, pair));
    }
    tell_simplex(e, s, lines);
    tell_nearest(e, s, lines);
    tell_bounds(e, s, lines);
}
