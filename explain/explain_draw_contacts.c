/* Draws a contact manifold: the exact patch, and the contacts with their separations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain_draw_parts.h"

/* The shadow of the exact patch on A, and its corners. */
static void draw_exact(canvas *c, const explained *e, const view *look)
{
    const uint32_t n = e->patch ? e->patch->count : 0;
    double(*at)[2] = n ? malloc(n * sizeof *at) : NULL;
    if (!at)
        return;
    for (uint32_t k = 0; k < n; k++)
        view_project(look, e->patch->corners[k].point_a, at[k]);
    canvas_fill(c, (const double(*)[2])at, n, INK_NEAREST, 0.3);
    canvas_line(c, (const double(*)[2])at, n, 1, INK_NEAREST, 1.5, 1);
    free(at);
}

/* In order around their middle. */
static void order_around(double (*at)[2], uint32_t n)
{
    double middle[2] = {0, 0};
    for (uint32_t k = 0; k < n; k++)
        for (int m = 0; m < 2; m++)
            middle[m] += at[k][m] / n;
    for (uint32_t k = 1; k < n; k++)
        for (uint32_t i = k; i > 0; i--) {
            double *p = at[i - 1], *q = at[i], swapped[2];
            if (atan2(p[1] - middle[1], p[0] - middle[0]) <= atan2(q[1] - middle[1], q[0] - middle[0]))
                break;
            memcpy(swapped, p, sizeof swapped);
            memcpy(p, q, sizeof swapped);
            memcpy(q, swapped, sizeof swapped);
        }
}

static void draw_marks(canvas *c, const explained *e, const view *look, int with_separation)
{
    const uint32_t n = e->contact_count;
    double ring[GJB_CONTACTS_3D][2], pairs[GJB_CONTACTS_3D][2][2], middle[2] = {0, 0};
    for (uint32_t k = 0; k < n; k++) {
        view_project(look, e->contact[k].point_a, pairs[k][0]);
        view_project(look, e->contact[k].point_b, pairs[k][1]);
        memcpy(ring[k], pairs[k][0], sizeof ring[k]);
        for (int m = 0; m < 2; m++)
            middle[m] += ring[k][m] / n;
    }
    order_around(ring, n);
    canvas_line(c, (const double(*)[2])ring, n, 1, COLOUR_INK, 1.2, 2);
    canvas_segments(c, (const double(*)[2][2])pairs, n, COLOUR_INK, 2, 1);
    for (uint32_t k = 0; k < n; k++) {
        char words[40];
        double away[2];
        int used = snprintf(words, sizeof words, "%u", (unsigned)k + 1);
        if (with_separation)
            snprintf(words + used, sizeof words - (size_t)used, ": %.4g", e->contact[k].separation + 0.0);
        for (int m = 0; m < 2; m++)
            away[m] = pairs[k][0][m] - middle[m];
        if (!(hypot(away[0], away[1]) > 0))
            away[0] = away[1] = 1;
        for (int b = 0; b < 2; b++)
            canvas_dot(c, pairs[k][b], CANVAS_DIAMOND, 0.8, COLOUR_INK);
        canvas_label(c, pairs[k][0], away, words, COLOUR_INK);
    }
}

void explain_draw_contacts(canvas *c, const explained *e, const view *look)
{
    draw_exact(c, e, look);
    draw_marks(c, e, look, 0);
}

/* The eye is on B's side, and looks against the normal; the patch's longest side lies flat. */
static view look_against(const explained *e, double unit)
{
    view look = {.dim = 3, .unit = unit};
    const double *n = e->normal, length = hypot(hypot(n[0], n[1]), n[2]);
    double side[3] = {fabs(n[0]) <= 0.6 * length, fabs(n[0]) > 0.6 * length, 0}, longest = 0;
    const uint32_t corners = e->patch ? e->patch->count : 0;
    for (uint32_t k = 0; k < corners && corners > 1; k++) {
        const double *p = e->patch->corners[k].point_a, *q = e->patch->corners[(k + 1) % corners].point_a;
        const double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
        if (solid_dot(edge, edge) > longest) {
            longest = solid_dot(edge, edge);
            memcpy(side, edge, sizeof side);
        }
    }
    for (int k = 0; k < 3; k++)
        look.toward[k] = n[k] / length;
    solid_cross(look.toward, side, look.up);
    const double tall = sqrt(solid_dot(look.up, look.up));
    for (int k = 0; k < 3; k++)
        look.up[k] /= tall;
    solid_cross(look.up, look.toward, look.right);
    return look;
}

void explain_draw_patch(canvas *c, const explained *e, const stage *s, const double panel[2])
{
    const view look = look_against(e, s->look.unit);
    const double size = gjb_pair_size(e->pair) / look.unit;
    canvas_range range = canvas_nothing();
    double at[2];
    for (uint32_t k = 0; k < e->contact_count; k++) {
        view_project(&look, e->contact[k].point_a, at);
        canvas_take_in(&range, at);
    }
    for (uint32_t k = 0; e->patch && k < e->patch->count; k++) {
        view_project(&look, e->patch->corners[k].point_a, at);
        canvas_take_in(&range, at);
    }
    /* Room for labels; and a point shows some of what is about it. */
    const double extent = fmax(range.high[0] - range.low[0], range.high[1] - range.low[1]);
    for (int m = 0; m < 2; m++) {
        const double room = fmax(0.12 * (range.high[m] - range.low[m]), (extent > 0.01 * size ? 0.02 : 0.3) * size);
        range.low[m] -= room;
        range.high[m] += room;
    }
    range = canvas_panel(c, panel[0], panel[1], &range, "the contact patch, seen against n", 0);
    for (int b = 0; b < 2; b++) {
        solid body = {0};
        gjb_error error;
        if (!s->bodies[b].unbounded && !solid_see(&look, e->pair, b, &body, &error)) {
            body.edge_count = body.hidden_count = 0; /* edges of the back would look like sides of the patch */
            explain_draw_body(c, &look, &body, &range, b ? INK_B : INK_A, 0.1, 1.2);
        }
        solid_free(&body);
    }
    draw_exact(c, e, &look);
    draw_marks(c, e, &look, 1);
    canvas_panel_end(c);
}
