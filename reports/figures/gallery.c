/* Draws the gallery of kinds: a specimen of each shape with its silhouette and edges. */
#include "reports/figures/gallery.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"
#include "scenes/generate/generate_solid.h"
#include "draw/canvas.h"
#include "draw/gnuplot.h"
#include "reports/page.h"
#include "draw/solids.h"

enum { ROWS = 12, AROUND = 96, MERIDIANS = 12, PARALLELS = 5, LINES_MAX = 2048, WIDTH = 300, HEIGHT = 250 };

/* Added to each for the dashed outline. */
static const double margin = 0.22;

typedef struct specimen {
    uint32_t dim;
    gjb_kind kind;
    uint32_t count;
    double rows[ROWS][3];
    const char *about;
} specimen;

#define GOLD 0.809016994374947
#define HALF 0.5

static const specimen specimens[] = {
    {2, GJB_POINT, 1, {{0}}, "a radius makes it a circle"},
    {2, GJB_SEGMENT, 2, {{-1, -0.3}, {1, 0.3}}, "a radius makes it a capsule"},
    {2,
     GJB_POLYGON,
     5,
     {{-1, -0.4}, {0.2, -0.8}, {1.1, -0.2}, {0.7, 0.6}, {-0.5, 0.7}},
     "the hull of its vertices"},
    {2, GJB_BOX, 1, {{1.1, 0.65}}, "by half extents"},
    {2, GJB_AABB, 2, {{-0.9, -0.7}, {1.2, 0.5}}, "a box by two corners, about any centre"},
    {2, GJB_ELLIPSE, 1, {{1.2, 0.65}}, "(x/a)² + (y/b)² ≤ 1"},
    {2, GJB_SUPERELLIPSE, 2, {{1.2, 0.8}, {4}}, "|x/a|^p + |y/b|^p ≤ 1, p = 4; thin: p = 1, 1.5, 2 and 16"},
    {3, GJB_POINT, 1, {{0}}, "a radius makes it a ball"},
    {3, GJB_SEGMENT, 2, {{-0.8, 0.4, -0.4}, {0.8, -0.4, 0.4}}, "a radius makes it a capsule"},
    {3, GJB_TRIANGLE, 3, {{-0.9, -0.3, -0.5}, {1, -0.4, -0.3}, {0, 0.5, 0.9}}, "flat, or thick by a radius"},
    {3, GJB_BOX, 1, {{0.9, 0.7, 0.6}}, "by half extents"},
    {3, GJB_AABB, 2, {{-0.5, -0.8, -0.7}, {0.7, 0.6, 0.9}}, "a box by two corners, about any centre"},
    {3,
     GJB_HULL,
     12,
     {{0, HALF, GOLD},
      {0, HALF, -GOLD},
      {0, -HALF, GOLD},
      {0, -HALF, -GOLD},
      {HALF, GOLD, 0},
      {HALF, -GOLD, 0},
      {-HALF, GOLD, 0},
      {-HALF, -GOLD, 0},
      {GOLD, 0, HALF},
      {GOLD, 0, -HALF},
      {-GOLD, 0, HALF},
      {-GOLD, 0, -HALF}},
     "the hull of its vertices"},
    {3, GJB_ELLIPSOID, 1, {{1.1, 0.8, 0.6}}, "(x/a)² + (y/b)² + (z/c)² ≤ 1"},
    {3, GJB_SUPERELLIPSOID, 2, {{0.95, 0.8, 0.7}, {4}}, "|x/a|^p + |y/b|^p + |z/c|^p ≤ 1, here p = 4"},
    {3, GJB_CYLINDER, 1, {{0.75, 0.8}}, "x² + y² ≤ r², |z| ≤ h"},
    {3, GJB_CONE, 1, {{0.85, 0.85}}, "the hull of a disc and an apex"},
};

static const view aslant = {3, {.8, -.6, 0}, {.24, .32, .91651514}, {-.54990908, -.73321211, .4}, 1};
static const view flat = {2, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1};

/* The vertices of those that have some. */
static uint32_t corners(const specimen *s, double out[ROWS][3])
{
    const uint32_t boxes = gjb_box_corners(s->dim);
    if (s->kind != GJB_BOX && s->kind != GJB_AABB) {
        memcpy(out, s->rows, sizeof s->rows);
        return s->count;
    }
    for (uint32_t i = 0; i < boxes; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const double sign = k < s->dim ? gjb_box_corner(s->dim, i, k) : 0;
            out[i][k] = s->kind == GJB_BOX ? sign * s->rows[0][k] : s->rows[sign > 0][k];
        }
    return boxes;
}

static void support(const specimen *s, const double n[3], double out[3])
{
    double points[ROWS][3], row[6] = {0}, most = -HUGE_VAL;
    if (gjb_is_curved(s->kind)) { /* rows lie beside each other, as many numbers each as the dimension */
        for (uint32_t i = 0; i < s->count * s->dim; i++)
            row[i] = s->rows[i / s->dim][i % s->dim];
        gjb_curved_support(s->kind, s->dim, row, n, out);
        return;
    }
    const uint32_t count = corners(s, points);
    for (uint32_t i = 0; i < count; i++)
        if (gjb_dot3(n, points[i]) > most) {
            most = gjb_dot3(n, points[i]);
            memcpy(out, points[i], sizeof points[i]);
        }
}

/* As it is seen, `more` farther out all around. */
static void silhouette(const specimen *s, const view *v, double more, double out[AROUND][2])
{
    for (int i = 0; i < AROUND; i++) {
        double c, w, n[3], at[3];
        gjb_cos_sin((i + 0.5) / AROUND, &c, &w);
        for (int k = 0; k < 3; k++)
            n[k] = c * v->right[k] + w * v->up[k];
        support(s, n, at);
        for (int k = 0; k < 3; k++)
            at[k] += more * n[k];
        view_project(v, at, out[i]);
    }
}

/* Lines on a solid, those that its own body hides apart. */
typedef struct wires {
    size_t front, hidden;
    double seen[LINES_MAX][2][2], behind[LINES_MAX][2][2];
} wires;

static void add_wire(wires *w, const double p[3], const double q[3], int faces_us)
{
    size_t *count = faces_us ? &w->front : &w->hidden;
    double(*line)[2] = (faces_us ? w->seen : w->behind)[*count];
    if (*count == LINES_MAX || !memcmp(p, q, 3 * sizeof *p))
        return;
    view_project(&aslant, p, line[0]);
    view_project(&aslant, q, line[1]);
    ++*count;
}

/* Supports of a circle of directions: about z at a height, or through it. */
static void circle(const specimen *s, wires *w, int through, double turns)
{
    double last[3], normal[3];
    for (int i = 0; i <= AROUND; i++) {
        double c, h, x, y, at[3], n[3], middle[3];
        /* Not along an axis itself, where a whole face is as far out. */
        gjb_cos_sin((i + 0.5) / AROUND, &c, &h);
        gjb_cos_sin(turns, &x, &y);
        n[0] = through ? c * x : x * c;
        n[1] = through ? c * y : x * h;
        n[2] = through ? h : y;
        support(s, n, at);
        for (int k = 0; k < 3 && i > 0; k++)
            middle[k] = n[k] + normal[k];
        if (i > 0)
            add_wire(w, last, at, gjb_dot3(middle, aslant.toward) > 0);
        memcpy(last, at, sizeof at);
        memcpy(normal, n, sizeof n);
    }
}

static void curved_wires(const specimen *s, wires *w)
{
    for (int i = 0; i < MERIDIANS / 2; i++)
        circle(s, w, 1, (i + 0.125) / MERIDIANS);
    for (int i = 0; i < PARALLELS; i++)
        circle(s, w, 0, 0.5 * ((i + 1.0) / (PARALLELS + 1) - 0.5) + 1e-3);
}

/* Outward, where three points span a face of the hull; 0 where they do not. */
static int face_normal(double p[ROWS][3], uint32_t count, const uint32_t face[3], double n[3])
{
    double e[3], f[3];
    int above = 0, below = 0;
    gjb_minus3(p[face[1]], p[face[0]], e);
    gjb_minus3(p[face[2]], p[face[0]], f);
    gjb_cross3(e, f, n);
    if (!gjb_unit3(n))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        double d[3];
        gjb_minus3(p[i], p[face[0]], d);
        above |= gjb_dot3(n, d) > 1e-9;
        below |= gjb_dot3(n, d) < -1e-9;
    }
    for (int k = 0; k < 3 && above; k++)
        n[k] = -n[k];
    return !(above && below);
}

/* An edge is where two faces meet that are not one plane; flat shapes have all. */
static void straight_wires(const specimen *s, wires *w)
{
    double p[ROWS][3];
    const uint32_t count = corners(s, p);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            double first[3], n[3];
            int faces = 0, edge = count < 4, seen = count < 4;
            for (uint32_t k = 0; k < count && count > 3; k++) {
                if (k == i || k == j || !face_normal(p, count, (uint32_t[3]){i, j, k}, n))
                    continue;
                edge |= faces && gjb_dot3(first, n) < 1 - 1e-9;
                seen |= gjb_dot3(n, aslant.toward) > 0;
                memcpy(first, n, sizeof n);
                faces++;
            }
            if (edge)
                add_wire(w, p[i], p[j], seen);
        }
}

static void draw_exponents(const specimen *s, canvas *c)
{
    static const double exponents[] = {1, 1.5, 2, 16};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        double outline[AROUND][2];
        specimen other = *s;
        other.rows[1][0] = exponents[i];
        silhouette(&other, &flat, 0, outline);
        canvas_line(c, (const double(*)[2])outline, AROUND, 1, COLOUR_MUTED, 0.7, 1);
    }
}

static void draw(const specimen *s, canvas *c)
{
    static wires w; /* large */
    const view *v = s->dim == 2 ? &flat : &aslant;
    const int colour = gjb_is_curved(s->kind) ? 1 : 4;
    double outline[AROUND][2], around[AROUND][2];
    canvas_range range = canvas_nothing();
    silhouette(s, v, 0, outline);
    silhouette(s, v, margin, around);
    for (int i = 0; i < AROUND; i++)
        canvas_take_in(&range, around[i]);
    /* One scale for all: about the middle of each as much as the largest takes. */
    for (int k = 0; k < 2; k++) {
        const double middle = 0.5 * (range.low[k] + range.high[k]), half = k ? 1.2 : 1.4;
        range.low[k] = middle - half;
        range.high[k] = middle + half;
    }
    canvas_open(c, WIDTH, HEIGHT);
    canvas_panel(c, 0.02, 0.98, &range, "", 0);
    canvas_fill(c, (const double(*)[2])outline, AROUND, colour, 0.2);
    w.front = w.hidden = 0;
    if (s->dim == 3 && gjb_is_curved(s->kind))
        curved_wires(s, &w);
    else if (s->dim == 3)
        straight_wires(s, &w);
    else if (s->kind == GJB_SUPERELLIPSE)
        draw_exponents(s, c);
    canvas_segments(c, (const double(*)[2][2])w.behind, w.hidden, COLOUR_MUTED, 0.5, 3);
    canvas_segments(c, (const double(*)[2][2])w.seen, w.front, colour, 1, 1);
    canvas_line(c, (const double(*)[2])outline, AROUND, 1, colour, 2, 1);
    if (s->kind == GJB_POINT)
        canvas_dot(c, outline[0], CANVAS_DOT, 0.6, colour);
    canvas_line(c, (const double(*)[2])around, AROUND, 1, COLOUR_INK, 1, 2);
    canvas_panel_end(c);
}

/* 0, or -1 with a reason. */
static int picture(const specimen *s, const char *gnuplot, text *page, char *reason, size_t size)
{
    canvas c;
    text script = {0}, svg = {0};
    char title[160];
    draw(s, &c);
    canvas_script(&c, &script);
    canvas_free(&c);
    snprintf(title, sizeof title, "%s in %uD: %s", gjb_kind_name(s->kind), s->dim, s->about);
    int failed = script.failed || gnuplot_run(gnuplot, &script, &svg, reason, size);
    if (!failed) {
        text_format(page, "<figure><figcaption><span><b>%s</b>, %uD: ", gjb_kind_name(s->kind), s->dim);
        text_html(page, s->about);
        text_add(page, "</span></figcaption>");
        failed = gnuplot_embed(&svg, title, page);
        if (failed)
            snprintf(reason, size, "gnuplot printed something else than a drawing");
        text_add(page, "</figure>");
    }
    text_free(&script);
    text_free(&svg);
    return failed ? -1 : 0;
}

void gallery_section(const char *gnuplot, text *page)
{
    char reason[256] = "";
    fold_open("gallery", "What each kind looks like", page);
    if (!gnuplot) {
        text_add(page, "<p class=\"note\">No pictures: gnuplot was not found.</p>");
        fold_close(page);
        return;
    }
    text_add(
        page,
        "<p class=\"lead\">Any kind meets any other of its dimension in every query but sweep, which is for "
        "boxes. Each is drawn from its own support mapping: the farthest points all around, and on "
        "curved solids those of circles of directions. Dashed: the same with a radius.</p>"
        "<div class=\"plots\">");
    int failed = 0;
    for (size_t i = 0; i < sizeof specimens / sizeof *specimens && !failed; i++)
        failed = picture(&specimens[i], gnuplot, page, reason, sizeof reason);
    text_add(page, "</div>");
    if (failed) {
        text_add(page, "<p class=\"absent\">Pictures are missing: ");
        text_html(page, reason);
        text_add(page, ".</p>");
    }
    fold_close(page);
}
