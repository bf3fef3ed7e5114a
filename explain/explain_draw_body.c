/* Draws a body: shadow and edges, or of a half-space its surface, hatched below. */
#include <math.h>

#include "explain/explain_draw_parts.h"

enum { EDGES_MOST = 120, STROKES = 64, STROKES_OF_SIDE = 14 };

/* ---- half-spaces ---- */

/* In the plane: normal, height along it, and the point of the surface below the middle of the panel. */
typedef struct ground {
    double n[2], height, middle[2];
} ground;

static ground ground_of(const view *look, const solid *body, const canvas_range *range)
{
    ground g = {.height = -INFINITY};
    double above = 0;
    view_direct(look, body->outward, g.n);
    for (size_t k = 0; k < body->outline_count; k++)
        g.height = fmax(g.height, g.n[0] * body->outline[k][0] + g.n[1] * body->outline[k][1]);
    for (int m = 0; m < 2; m++)
        above += g.n[m] * (range->low[m] / 2 + range->high[m] / 2);
    for (int m = 0; m < 2; m++)
        g.middle[m] = range->low[m] / 2 + range->high[m] / 2 - (above - g.height) * g.n[m];
    return g;
}

static double over(const ground *g, const double at[2])
{
    return g->n[0] * at[0] + g->n[1] * at[1] - g->height;
}

/* What the panel shows of it. */
static size_t clip_panel(const ground *g, const canvas_range *range, double out[5][2])
{
    const double corners[4][2] = {{range->low[0], range->low[1]},
                                  {range->high[0], range->low[1]},
                                  {range->high[0], range->high[1]},
                                  {range->low[0], range->high[1]}};
    size_t n = 0;
    for (int k = 0; k < 4; k++) {
        const double *p = corners[k], *q = corners[(k + 1) % 4], at_p = over(g, p), at_q = over(g, q);
        for (int m = 0; m < 2 && at_p <= 0; m++)
            out[n][m] = p[m];
        n += at_p <= 0;
        const int crosses = (at_p <= 0) != (at_q <= 0);
        for (int m = 0; m < 2 && crosses; m++)
            out[n][m] = p[m] + at_p / (at_p - at_q) * (q[m] - p[m]);
        n += (size_t)crosses;
    }
    return n;
}

static int within(const canvas_range *range, const double at[2])
{
    return at[0] >= range->low[0] && at[0] <= range->high[0] && at[1] >= range->low[1] && at[1] <= range->high[1];
}

static void draw_ground(canvas *c, const view *look, const solid *body, const canvas_range *range, int colour,
                        double opacity, double width)
{
    const ground g = ground_of(look, body, range);
    const double wide = hypot(range->high[0] - range->low[0], range->high[1] - range->low[1]);
    double shown[5][2], line[2][2], strokes[STROKES][2][2];
    size_t count = 0;
    canvas_fill(c, (const double(*)[2])shown, clip_panel(&g, range, shown), colour, opacity);
    for (int end = 0; end < 2; end++)
        for (int m = 0; m < 2; m++)
            line[end][m] = g.middle[m] + (end ? 1 : -1) * wide * (m ? g.n[0] : -g.n[1]);
    canvas_line(c, (const double(*)[2])line, 2, 0, colour, width, 1);
    for (int k = 0; k < STROKES; k++) {
        const double along = wide * ((k + 0.5) / STROKES * 2 - 1), length = wide / STROKES * 1.1;
        for (int m = 0; m < 2; m++) {
            const double t = m ? g.n[0] : -g.n[1];
            strokes[count][0][m] = g.middle[m] + along * t;
            strokes[count][1][m] = strokes[count][0][m] - length * (g.n[m] + t);
        }
        count += (size_t)within(range, strokes[count][0]);
    }
    canvas_segments(c, (const double(*)[2][2])strokes, count, colour, 0.8, 1);
    if (body->radius > 0) {
        for (int end = 0; end < 2; end++)
            for (int m = 0; m < 2; m++)
                line[end][m] += body->radius / look->unit * g.n[m];
        canvas_line(c, (const double(*)[2])line, 2, 0, colour, 0.8, 2);
    }
}

/* In space: a part of its surface, with an edge that is dotted since it goes on, and strokes down from the sides in
 * front. */
static void draw_floor(canvas *c, const view *look, const solid *body, int colour, double opacity)
{
    static const int around[5] = {0, 1, 3, 2, 0};
    double ring[4][2], middle[3] = {0, 0, 0}, strokes[4 * STROKES_OF_SIDE][2][2];
    const double from_below = solid_dot(body->outward, look->toward);
    size_t count = 0;
    for (int k = 0; k < 4; k++) {
        view_project(look, body->points[around[k]], ring[k]);
        for (int m = 0; m < 3; m++)
            middle[m] += body->points[k][m] / 4;
    }
    canvas_fill(c, (const double(*)[2])ring, 4, colour, opacity);
    canvas_line(c, (const double(*)[2])ring, 4, 1, colour, 0.8, 3);
    for (int side = 0; side < 4; side++) {
        const double *p = body->points[around[side]], *q = body->points[around[side + 1]];
        double out[3], length = 0;
        for (int m = 0; m < 3; m++) {
            out[m] = p[m] / 2 + q[m] / 2 - middle[m];
            length = hypot(length, q[m] - p[m]);
        }
        if (from_below >= 0 && solid_dot(out, look->toward) < 0)
            continue;
        for (int k = 0; k < STROKES_OF_SIDE; k++) {
            const double part = (k + 0.5) / STROKES_OF_SIDE;
            double top[3], bottom[3];
            for (int m = 0; m < 3; m++) {
                top[m] = p[m] + part * (q[m] - p[m]);
                bottom[m] = top[m] - 0.04 * length * body->outward[m] - 0.04 * (q[m] - p[m]);
            }
            view_project(look, top, strokes[count][0]);
            view_project(look, bottom, strokes[count++][1]);
        }
    }
    canvas_segments(c, (const double(*)[2][2])strokes, count, colour, 0.8, 1);
}

/* ---- all ---- */

/* Shadow, hidden edges, visible edges. */
void explain_draw_body(canvas *c, const view *look, const solid *body, const canvas_range *range, int colour,
                       double opacity, double width)
{
    const double(*outline)[2] = (const double(*)[2])body->outline;
    const double(*edges)[2][2] = (const double(*)[2][2])body->edges;
    const size_t front = body->edge_count - body->hidden_count;
    const int crowded = front > EDGES_MOST;
    if (body->unbounded && look->dim == 2) {
        draw_ground(c, look, body, range, colour, opacity, width);
        return;
    }
    if (body->unbounded) {
        draw_floor(c, look, body, colour, opacity);
        return;
    }
    canvas_fill(c, outline, body->outline_count, colour, opacity);
    if (!crowded && body->hidden_count)
        canvas_segments(c, edges + front, body->hidden_count, colour, 0.6, 3);
    canvas_segments(c, edges, front, colour, crowded ? 0.4 : 0.9, 1);
    canvas_line(c, outline, body->outline_count, 1, colour, width, 1);
    canvas_line(c, (const double(*)[2])body->rounded, body->rounded_count, 1, colour, 0.8, 2);
    if (body->outline_count == 1)
        canvas_dot(c, body->outline[0], CANVAS_DOT, 0.5, colour);
}
