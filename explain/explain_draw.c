/* Draws a step: simplex or polytope, closest point and supports in the Minkowski difference, and both shapes. */
#include "explain/explain_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain_draw_parts.h"

enum { WIDTH = 660, HEIGHT = 345, LABELS_MOST = 6 };

static const double left_panel[2] = {0.06, 0.5}, right_panel[2] = {0.56, 0.97};

static void project(const stage *s, const double at[3], double out[2])
{
    view_project(&s->look, at, out);
}

static void middle_of(const solid *body, double out[2])
{
    out[0] = out[1] = 0;
    for (size_t k = 0; k < body->outline_count; k++)
        for (int m = 0; m < 2; m++)
            out[m] += body->outline[k][m] / (double)body->outline_count;
}

static void take_in_solid(canvas_range *range, const solid *body)
{
    for (size_t k = 0; k < body->outline_count; k++)
        canvas_take_in(range, body->outline[k]);
    for (size_t k = 0; k < body->rounded_count; k++)
        canvas_take_in(range, body->rounded[k]);
}

static double width_of(const canvas_range *range)
{
    return range->high[0] - range->low[0];
}

/* The axes, small, in the corner of a panel. */
static void draw_axes(canvas *c, const stage *s, const canvas_range *range)
{
    static const char *const names[3] = {"x", "y", "z"};
    double size = 0.09 * width_of(range), base[2];
    for (int m = 0; m < 2; m++)
        base[m] = range->low[m] + 0.1 * (range->high[m] - range->low[m]);
    for (int axis = 0; axis < 3 && s->look.dim == 3; axis++) {
        double tip[2] = {base[0] + size * s->look.right[axis], base[1] + size * s->look.up[axis]};
        double away[2] = {tip[0] - base[0], tip[1] - base[1]};
        canvas_arrow(c, base, tip, COLOUR_MUTED, 1);
        canvas_label(c, tip, away, names[axis], COLOUR_MUTED);
    }
}

static void draw_segment(canvas *c, const stage *s, const double p[3], const double q[3], int colour,
                         double width, int dash)
{
    double ends[2][2];
    project(s, p, ends[0]);
    project(s, q, ends[1]);
    canvas_line(c, (const double(*)[2])ends, 2, 0, colour, width, dash);
}

static int faces_eye(const stage *s, const gjb_trace_step *step, const uint32_t face[3])
{
    const double *p = step->vertices[face[0]].w, *q = step->vertices[face[1]].w;
    const double *r = step->vertices[face[2]].w;
    double a[2], b[2], c[2];
    project(s, p, a);
    project(s, q, b);
    project(s, r, c);
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
}

/* All edges of a simplex; those of a polytope, the ones behind dashed. */
static void draw_simplex_edges(canvas *c, const stage *s, const gjb_trace_step *step)
{
    const uint32_t n = step->vertex_count;
    size_t room = 3 * (size_t)step->face_count + (step->face_count ? 0 : (size_t)n * n);
    double(*ends)[2][2] = malloc((room + 1) * sizeof *ends);
    size_t count = 0;
    if (!ends)
        return;
    if (!step->face_count)
        for (uint32_t p = 0; p < n; p++)
            for (uint32_t q = 0; q < p; q++) {
                project(s, step->vertices[p].w, ends[count][0]);
                project(s, step->vertices[q].w, ends[count++][1]);
            }
    canvas_segments(c, (const double(*)[2][2])ends, count, INK_SIMPLEX, 1.5, 1);
    for (int front = 0; front < 2; front++) {
        count = 0;
        for (uint32_t f = 0; f < step->face_count; f++) {
            const uint32_t *face = step->faces[f];
            int edges = face[2] == UINT32_MAX ? 1 : 3;
            for (int k = 0; k < edges && (edges == 1 || faces_eye(s, step, face)) == front; k++) {
                project(s, step->vertices[face[k]].w, ends[count][0]);
                project(s, step->vertices[face[(k + 1) % 3]].w, ends[count++][1]);
            }
        }
        canvas_segments(c, (const double(*)[2][2])ends, count, INK_SIMPLEX, front ? 1.3 : 0.8, front ? 1 : 3);
    }
    free(ends);
}

static void draw_simplex(canvas *c, const stage *s, const gjb_trace_step *step)
{
    double(*p)[2] = malloc((step->vertex_count + 1) * sizeof *p);
    if (!p)
        return;
    for (uint32_t k = 0; k < step->vertex_count; k++)
        project(s, step->vertices[k].w, p[k]);
    size_t n = hull_of_drawn(p, step->vertex_count);
    canvas_fill(c, (const double(*)[2])p, n, INK_SIMPLEX, 0.3);
    free(p);
    draw_simplex_edges(c, s, step);
}

/* The nearest feature, and the way from the origin to its closest point. */
static void draw_nearest(canvas *c, const stage *s, const gjb_trace_step *step)
{
    static const double origin[3] = {0, 0, 0};
    double p[GJB_TRACE_FEATURE][2], at[2];
    int inside = !step->face_count && step->feature_count == s->look.dim + 1;
    for (uint32_t k = 0; k < step->feature_count; k++)
        project(s, step->vertices[step->feature[k]].w, p[k]);
    if (step->feature_count == 3)
        canvas_fill(c, (const double(*)[2])p, 3, INK_NEAREST, inside ? 0.2 : 0.4);
    if (!inside)
        canvas_line(c, (const double(*)[2])p, step->feature_count, 1, INK_NEAREST, 3, 1);
    if (!step->has_closest)
        return;
    project(s, step->closest, at);
    draw_segment(c, s, origin, step->closest, INK_NEAREST, 1.5, 3);
    canvas_dot(c, at, CANVAS_DIAMOND, 0.9, INK_NEAREST);
}

static int is_support(const gjb_trace_step *step, const gjb_trace_vertex *v)
{
    return step->has_support && !memcmp(v, &step->support, sizeof *v);
}

static void draw_vertex(canvas *c, const explained *e, const stage *s, const gjb_trace_vertex *v, int colour)
{
    double at[2], centre[2], away[2];
    char words[48];
    uint32_t number = walk_number(e->walk, v);
    project(s, v->w, at);
    middle_of(&s->bodies[DIFFERENCE], centre);
    for (int m = 0; m < 2; m++) /* of a single point away from the origin, whose own name stands left below */
        away[m] = at[m] - (s->bodies[DIFFERENCE].outline_count > 1 ? centre[m] : 0);
    if (!(hypot(at[0], at[1]) > 0))
        away[0] = away[1] = 1;
    canvas_dot(c, at, CANVAS_DOT, colour == INK_SEARCH ? 0.8 : 0.5, colour);
    if (number == UINT32_MAX)
        return;
    int n = snprintf(words, sizeof words, "w%u", number + 1);
    if (colour == INK_SEARCH && s->look.dim == 2)
        snprintf(words + n, sizeof words - (size_t)n, " (%.6g, %.6g)", v->w[0] + 0.0, v->w[1] + 0.0);
    canvas_label(c, at, away, words, colour);
}

static void draw_vertices(canvas *c, const explained *e, const stage *s, const gjb_trace_step *step)
{
    for (uint32_t k = 0; k < step->vertex_count; k++) {
        int wanted = step->vertex_count <= LABELS_MOST;
        for (uint32_t f = 0; f < step->feature_count; f++)
            wanted |= step->feature[f] == k;
        if (wanted && !is_support(step, &step->vertices[k]))
            draw_vertex(c, e, s, &step->vertices[k], COLOUR_INK);
    }
    if (step->has_support)
        draw_vertex(c, e, s, &step->support, INK_SEARCH);
}

static void draw_arrow(canvas *c, const stage *s, const double from[3], const double way[3], double length,
                       int colour)
{
    double base[2], along[2], tip[2];
    project(s, from, base);
    view_direct(&s->look, way, along);
    for (int m = 0; m < 2; m++)
        tip[m] = base[m] + length * along[m];
    if (hypot(along[0], along[1]) > 0.02)
        canvas_arrow(c, base, tip, colour, 2);
}

/* In the plane: the line through `at` across the direction. */
static void draw_across(canvas *c, const stage *s, const double at[3], const double way[3],
                        const canvas_range *range, int colour)
{
    double p[2][2], middle[2], length = hypot(way[0], way[1]), reach = 2 * width_of(range);
    if (s->look.dim != 2 || !(length > 0))
        return;
    project(s, at, middle);
    for (int k = 0; k < 2; k++) {
        p[k][0] = middle[0] + (k ? -1 : 1) * reach * way[1] / length;
        p[k][1] = middle[1] - (k ? -1 : 1) * reach * way[0] / length;
    }
    canvas_line(c, (const double(*)[2])p, 2, 0, colour, 1, 2);
}

/* Its name stands on the far side of the difference, or left below within. */
static void draw_origin(canvas *c, const stage *s)
{
    static const double origin[3] = {0, 0, 0};
    double at[2], centre[2], away[2] = {-1, -1};
    project(s, origin, at);
    middle_of(&s->bodies[DIFFERENCE], centre);
    if (!hull_holds((const double(*)[2])s->bodies[DIFFERENCE].outline, s->bodies[DIFFERENCE].outline_count,
                    at))
        for (int m = 0; m < 2; m++)
            away[m] = at[m] - centre[m];
    if (!(hypot(away[0], away[1]) > 0))
        away[0] = away[1] = -1;
    canvas_dot(c, at, CANVAS_RING, 0.9, COLOUR_INK);
    canvas_label(c, at, away, "O", COLOUR_INK);
}

/* In the plane, if they are few: every a - b of which A - B is the hull. */
static void draw_differences(canvas *c, const stage *s)
{
    const solid *d = &s->bodies[DIFFERENCE];
    for (size_t k = 0; s->look.dim == 2 && !d->unbounded && d->count <= DIFFERENCES_DRAWN && k < d->count; k++) {
        double at[2];
        project(s, d->points[k], at);
        canvas_dot(c, at, CANVAS_DOT, 0.3, COLOUR_MUTED);
    }
}

static canvas_range open_difference(canvas *c, const explained *e, const stage *s)
{
    static const double origin[2] = {0, 0};
    canvas_range range = canvas_nothing();
    canvas_take_in(&range, origin);
    take_in_solid(&range, &s->bodies[DIFFERENCE]);
    for (uint32_t k = 0; k < e->walk->met_count; k++) {
        double at[2];
        project(s, e->walk->met[k].w, at);
        canvas_take_in(&range, at);
    }
    range = canvas_panel(c, left_panel[0], left_panel[1], &range, "A - B", s->look.dim == 2);
    explain_draw_body(c, &s->look, &s->bodies[DIFFERENCE], &range, COLOUR_MUTED, 0.1, 1.2);
    draw_differences(c, s);
    draw_axes(c, s, &range);
    return range;
}

/* Of small shapes' vertices, but for a step's supports, which have names. */
static void draw_letters(canvas *c, const explained *e, const stage *s, const gjb_trace_step *step)
{
    for (int b = 0; b < 2; b++)
        for (uint32_t k = 0; e->letters.of[b][k]; k++) {
            double place[3] = {0, 0, 0}, at[2], middle[2], away[2];
            const double *support = !step || !step->has_support ? NULL
                                    : b                         ? step->support.b
                                                                : step->support.a;
            if (support && letters_at(&e->letters, e->pair, b, support) == e->letters.of[b][k])
                continue;
            letters_place(e->pair, b, k, place);
            project(s, place, at);
            middle_of(&s->bodies[b], middle);
            for (int m = 0; m < 2; m++)
                away[m] = at[m] - middle[m];
            canvas_label(c, at, away, (char[2]){e->letters.of[b][k], '\0'}, b ? INK_B : INK_A);
        }
}

/* Its range has room for `more` points too. */
static canvas_range open_shapes(canvas *c, const explained *e, const stage *s, const gjb_trace_step *step,
                                const char *title, const double (*more)[2], size_t n)
{
    canvas_range range = canvas_nothing();
    for (size_t k = 0; k < n; k++)
        canvas_take_in(&range, more[k]);
    take_in_solid(&range, &s->bodies[BODY_A]);
    take_in_solid(&range, &s->bodies[BODY_B]);
    range = canvas_panel(c, right_panel[0], right_panel[1], &range, title, s->look.dim == 2);
    for (int b = 0; b < 2; b++)
        explain_draw_body(c, &s->look, &s->bodies[b], &range, b ? INK_B : INK_A, 0.2, 1.5);
    for (int b = 0; b < 2; b++) {
        double middle[2], other[2], away[2];
        middle_of(&s->bodies[b], middle);
        middle_of(&s->bodies[!b], other);
        for (int m = 0; m < 2; m++)
            away[m] = middle[m] - other[m];
        if (!(hypot(away[0], away[1]) > 0)) {
            away[0] = b ? 1 : -1;
            away[1] = -away[0];
        }
        /* Where vertices have letters, "A" alone might be one. */
        canvas_label(c, middle, away, &"shape A\0shape B"[8 * b + (*e->letters.of[0] ? 0 : 6)],
                     b ? INK_B : INK_A);
    }
    draw_letters(c, e, s, step);
    return range;
}

static void draw_supports(canvas *c, const explained *e, const stage *s, const gjb_trace_step *step,
                          const canvas_range *range)
{
    for (int b = 0; b < 2 && step->has_support; b++) {
        const double *at = b ? step->support.b : step->support.a, sign = b ? -1 : 1;
        double way[3], drawn[2], away[2];
        for (int k = 0; k < 3; k++)
            way[k] = sign * step->direction[k];
        project(s, at, drawn);
        view_direct(&s->look, way, away);
        canvas_dot(c, drawn, CANVAS_DOT, 0.8, INK_SEARCH);
        if (step->has_direction) {
            draw_across(c, s, at, way, range, INK_SEARCH);
            draw_arrow(c, s, at, way, 0.13 * width_of(range), INK_SEARCH);
        }
        double aside[2] = {away[1] + 0.3 * away[0], -away[0] + 0.3 * away[1]};
        const char letter = letters_at(&e->letters, e->pair, b, at);
        char words[16];
        snprintf(words, sizeof words, letter ? "%c = %c" : "%c", b ? 'b' : 'a', letter);
        canvas_label(c, drawn, aside, words, INK_SEARCH);
    }
}

/* The closest point that a step set out from: its own if its simplex has not taken the support
 * in, else that of the step before. */
static const double *searched_from(const walk *w, size_t k)
{
    static const double origin[3] = {0, 0, 0};
    const gjb_trace_step *step = &w->steps[k];
    int taken_in = 0;
    for (uint32_t v = 0; v < step->vertex_count; v++)
        taken_in |= is_support(step, &step->vertices[v]);
    if (!taken_in && step->has_closest)
        return step->closest;
    return k && step[-1].has_closest ? step[-1].closest : origin;
}

void explain_draw_step(const explained *e, const stage *s, size_t k, text *script)
{
    const gjb_trace_step *step = &e->walk->steps[k];
    canvas c;
    canvas_open(&c, WIDTH, HEIGHT);
    canvas_range range = open_difference(&c, e, s);
    draw_simplex(&c, s, step);
    draw_nearest(&c, s, step);
    if (step->has_direction && step->has_support)
        draw_across(&c, s, step->support.w, step->direction, &range, INK_SEARCH);
    if (step->has_direction)
        draw_arrow(&c, s, searched_from(e->walk, k), step->direction, 0.2 * width_of(&range), INK_SEARCH);
    draw_vertices(&c, e, s, step);
    draw_origin(&c, s);
    canvas_panel_end(&c);
    range = open_shapes(&c, e, s, step, step->has_support ? "A and B, and the support of each" : "A and B",
                        NULL, 0);
    draw_supports(&c, e, s, step, &range);
    canvas_panel_end(&c);
    canvas_script(&c, script);
    canvas_free(&c);
}

/* B where the answer would move it, so that the shapes just touch. 0 if it stays, or without memory. */
static size_t move_b(const explained *e, const stage *s, double (**moved)[2])
{
    const solid *b = &s->bodies[BODY_B];
    const double(*outline)[2] = (const double(*)[2])(b->rounded_count ? b->rounded : b->outline);
    const size_t n = b->rounded_count ? b->rounded_count : b->outline_count;
    double shift[2];
    *moved = e->sigma < 0 && !b->unbounded ? malloc(n * sizeof **moved) : NULL;
    if (!*moved)
        return 0;
    view_direct(&s->look, e->normal, shift);
    for (size_t k = 0; k < n; k++)
        for (int m = 0; m < 2; m++)
            (*moved)[k][m] = outline[k][m] - e->sigma / s->look.unit * shift[m];
    return n;
}

/* On the left, where the normal touches A - B. */
static void draw_touched(canvas *c, const explained *e, const stage *s)
{
    static const double origin[3] = {0, 0, 0};
    double nearest[3], at[2];
    const canvas_range range = open_difference(c, e, s);
    for (int k = 0; k < 3; k++)
        nearest[k] = e->point_a[k] - e->point_b[k];
    draw_across(c, s, nearest, e->normal, &range, INK_NEAREST);
    draw_segment(c, s, origin, nearest, INK_NEAREST, 2, 1);
    draw_arrow(c, s, nearest, e->normal, 0.15 * width_of(&range), INK_NEAREST);
    project(s, nearest, at);
    canvas_dot(c, at, CANVAS_DIAMOND, 0.9, INK_NEAREST);
    draw_origin(c, s);
    canvas_panel_end(c);
}

static void draw_witnesses(canvas *c, const explained *e, const stage *s, const canvas_range *range)
{
    static const char *const names[2] = {"a", "b"};
    double at[2], aside[2];
    draw_segment(c, s, e->point_a, e->point_b, INK_NEAREST, 2, 1);
    draw_arrow(c, s, e->sigma > 0 ? e->point_b : e->point_a, e->normal, 0.15 * width_of(range), INK_NEAREST);
    for (int b = 0; b < 2; b++) {
        const double *point = b ? e->point_b : e->point_a;
        draw_across(c, s, point, e->normal, range, INK_NEAREST);
        project(s, point, at);
        view_direct(&s->look, e->normal, aside);
        /* Where a and b are as good as one point, their names stand on either side. */
        const double side = b && fabs(e->sigma) < 0.02 * s->look.unit * width_of(range) ? -1 : 1;
        double sideways[2] = {side * aside[1], -side * aside[0]};
        canvas_dot(c, at, CANVAS_DIAMOND, 0.8, INK_NEAREST);
        canvas_label(c, at, sideways, names[b], INK_NEAREST);
    }
}

void explain_draw_answer(const explained *e, const stage *s, text *script)
{
    canvas c;
    double(*moved)[2] = NULL;
    canvas_open(&c, WIDTH, HEIGHT);
    if (e->contact_count && s->look.dim == 3)
        explain_draw_patch(&c, e, s, left_panel);
    else
        draw_touched(&c, e, s);
    const size_t moved_count = e->contact_count ? 0 : move_b(e, s, &moved);
    const canvas_range range = open_shapes(&c, e, s, NULL,
                                           e->contact_count ? "A and B, and the contacts" : "A and B, and the answer",
                                           (const double(*)[2])moved, moved_count);
    if (e->contact_count) {
        explain_draw_contacts(&c, e, &s->look);
        draw_arrow(&c, s, e->point_a, e->normal, 0.15 * width_of(&range), INK_NEAREST);
    } else {
        canvas_line(&c, (const double(*)[2])moved, moved_count, 1, INK_B, 1, 3);
        free(moved);
        draw_witnesses(&c, e, s, &range);
    }
    canvas_panel_end(&c);
    canvas_script(&c, script);
    canvas_free(&c);
}
