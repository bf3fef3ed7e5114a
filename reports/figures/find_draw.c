/* Draws a wrongly answered pair as SVG: silhouettes, edges, normal, witness points, and words. */
#include "reports/figures/find_draw.h"

#include <math.h>
#include <string.h>

#include "core/file.h"
#include "draw/solids.h"
#include "scenes/generate/generate_parts.h"

enum { OUTLINE = 240, WIDE = 720, HIGH = 480, EDGE = 40, WRAP = 100, SMALL = 12 /* pixels */ };

static const char *const colours[2] = {"#1f77b4", "#ff7f0e"};

typedef struct shape {
    gjb_kind kind;
    uint32_t dim, count;
    const double *rows;
    double radius, turn[3][3], place[3], motion[3], spin[3];
    double wide; /* of what is seen of a half-space */
} shape;

typedef struct scenery {
    const gjb_find_picture *picture;
    shape of[2];
    view look;
    double low[2], high[2], scale;
    solid solids[2]; /* with edges, if the kind has flat faces */
} scenery;

static shape shape_of(const gjb_pair *pair, int b)
{
    shape s = {.dim = pair->dim, .wide = 0.75 * gjb_pair_size(pair)};
    if (pair->dim == 2) {
        const gjb_body2 *of = b ? &pair->as.plane.b : &pair->as.plane.a, *a = &pair->as.plane.a;
        s.kind = of->kind, s.count = of->count, s.rows = (const double *)of->vertices, s.radius = of->radius;
        memcpy(s.turn, (double[3][3]){{of->pose.c, -of->pose.s, 0}, {of->pose.s, of->pose.c, 0}, {0, 0, 1}},
               sizeof s.turn);
        memcpy(s.place, (double[3]){of->pose.x - a->pose.x, of->pose.y - a->pose.y, 0}, sizeof s.place);
        memcpy(s.motion, (double[3]){of->motion.x, of->motion.y, 0}, sizeof s.motion);
        s.spin[2] = of->motion.angle;
        return s;
    }
    const gjb_body3 *of = b ? &pair->as.space.b : &pair->as.space.a, *a = &pair->as.space.a;
    const double x = of->pose.qx, y = of->pose.qy, z = of->pose.qz, w = of->pose.qw,
                 q = x * x + y * y + z * z + w * w;
    s.kind = of->kind, s.count = of->count, s.rows = (const double *)of->vertices, s.radius = of->radius;
    const double m[3][3] = {
        {(w * w + x * x - y * y - z * z) / q, 2 * (x * y - w * z) / q, 2 * (x * z + w * y) / q},
        {2 * (x * y + w * z) / q, (w * w + y * y - x * x - z * z) / q, 2 * (y * z - w * x) / q},
        {2 * (x * z - w * y) / q, 2 * (y * z + w * x) / q, (w * w + z * z - x * x - y * y) / q}};
    memcpy(s.turn, m, sizeof m);
    memcpy(s.place, (double[3]){of->pose.x - a->pose.x, of->pose.y - a->pose.y, of->pose.z - a->pose.z},
           sizeof s.place);
    memcpy(s.motion, (double[3]){of->motion.x, of->motion.y, of->motion.z}, sizeof s.motion);
    memcpy(s.spin, (double[3]){of->motion.wx, of->motion.wy, of->motion.wz}, sizeof s.spin);
    return s;
}

/* R(w) v (Rodrigues 1840). */
static void spun(const double w[3], double v[3])
{
    const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (!(angle > 0))
        return;
    const double n[3] = {w[0] / angle, w[1] / angle, w[2] / angle}, c = cos(angle), s = sin(angle);
    const double along = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
    const double across[3] = {n[1] * v[2] - n[2] * v[1], n[2] * v[0] - n[0] * v[2],
                              n[0] * v[1] - n[1] * v[0]};
    for (int k = 0; k < 3; k++)
        v[k] = c * v[k] + s * across[k] + (1 - c) * along * n[k];
}

/* A half-space is seen as a disc of its plane about the point nearest to its origin, as wide as the pair is large. */
static void farthest_of_disc(const shape *s, const double local[3], double at[3])
{
    double n[3] = {0}, length = 0, along = 0, square = 0;
    for (uint32_t k = 0; k < s->dim; k++)
        length += s->rows[k] * s->rows[k];
    for (uint32_t k = 0; k < s->dim; k++) {
        n[k] = s->rows[k] / sqrt(length);
        along += n[k] * local[k];
    }
    for (uint32_t k = 0; k < s->dim; k++)
        square += (local[k] - along * n[k]) * (local[k] - along * n[k]);
    for (uint32_t k = 0; k < s->dim; k++)
        at[k] = s->rows[s->dim] * n[k] + (square > 0 ? s->wide * (local[k] - along * n[k]) / sqrt(square) : 0);
}

/* The point of the shape farthest along a direction of the world, at the beginning or the end of the step. */
static void farthest(const shape *s, const double n[3], int at_end, double out[3])
{
    double local[3], at[3] = {0}, back[3] = {n[0], n[1], n[2]};
    if (at_end)
        spun((double[]){-s->spin[0], -s->spin[1], -s->spin[2]}, back);
    for (int k = 0; k < 3; k++)
        local[k] = s->turn[0][k] * back[0] + s->turn[1][k] * back[1] + s->turn[2][k] * back[2];
    if (gjb_is_curved(s->kind)) {
        gjb_curved_support(s->kind, s->dim, s->rows, local, at);
    } else if (gjb_is_unbounded(s->kind)) {
        farthest_of_disc(s, local, at);
    } else {
        double best = -INFINITY;
        for (uint32_t v = 0; v < s->count; v++) {
            double along = 0;
            for (uint32_t k = 0; k < s->dim; k++)
                along += s->rows[v * s->dim + k] * local[k];
            if (along > best) {
                best = along;
                memcpy(at, s->rows + v * s->dim, s->dim * sizeof *at);
            }
        }
    }
    for (int k = 0; k < 3; k++)
        out[k] = s->turn[k][0] * at[0] + s->turn[k][1] * at[1] + s->turn[k][2] * at[2];
    if (at_end)
        spun(s->spin, out);
    for (int k = 0; k < 3; k++)
        out[k] += s->place[k] + (at_end ? s->motion[k] : 0) + s->radius * n[k];
}

/* From the picture's plane to pixels. */
static void to_page(const scenery *v, const double at[2], double out[2])
{
    out[0] = WIDE / 2 + (at[0] - 0.5 * v->low[0] - 0.5 * v->high[0]) * v->scale;
    out[1] = EDGE + (v->high[1] - at[1]) * v->scale;
}

static void on_page(const scenery *v, const double p[3], double out[2])
{
    double at[2];
    view_project(&v->look, p, at);
    to_page(v, at, out);
}

/* A point of the outline as it is seen: that farthest along a direction of the picture. */
static void rim(const scenery *v, int b, int i, int at_end, double out[3])
{
    const double angle = 6.283185307179586 * i / OUTLINE, c = cos(angle), s = sin(angle);
    double n[3];
    for (int k = 0; k < 3; k++)
        n[k] = c * v->look.right[k] + s * v->look.up[k];
    farthest(&v->of[b], n, at_end, out);
}

static void grow(scenery *v, const double p[3])
{
    double at[2];
    view_project(&v->look, p, at);
    for (int k = 0; k < 2; k++) {
        v->low[k] = fmin(v->low[k], at[k]);
        v->high[k] = fmax(v->high[k], at[k]);
    }
}

static scenery scenery_of(const gjb_find_picture *picture)
{
    /* In space across (1, 2, 1), z upwards. */
    static const view looks[2] = {
        {2, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1},
        {3,
         {0.8944271909999159, -0.4472135954999579, 0},
         {-0.18257418583505536, -0.3651483716701107, 0.9128709291752769},
         {-0.4082482904638631, -0.8164965809277261, -0.4082482904638631},
         1}};
    scenery v = {.picture = picture,
                 .of = {shape_of(picture->pair, 0), shape_of(picture->pair, 1)},
                 .look = looks[picture->pair->dim - 2],
                 .low = {INFINITY, INFINITY},
                 .high = {-INFINITY, -INFINITY}};
    for (int b = 0; b < 2; b++)
        for (int end = 0; end <= picture->moving; end++)
            for (int i = 0; i < OUTLINE; i++) {
                double p[3];
                rim(&v, b, i, end, p);
                grow(&v, p);
            }
    const double wide = v.high[0] - v.low[0], high = v.high[1] - v.low[1];
    v.scale = fmin((WIDE - 2 * EDGE) / fmax(wide, 1e-300), (HIGH - 2 * EDGE) / fmax(high, 1e-300));
    return v;
}

static void draw_outline(FILE *f, const scenery *v, int b, int at_end)
{
    fprintf(f, "<path fill=\"%s\" fill-opacity=\"%s\" stroke=\"%s\" stroke-width=\"1.5\"%s d=\"", colours[b],
            at_end ? "0.06" : "0.25", colours[b], at_end ? " stroke-dasharray=\"2 3\"" : "");
    for (int i = 0; i < OUTLINE; i++) {
        double p[3], at[2];
        rim(v, b, i, at_end, p);
        on_page(v, p, at);
        fprintf(f, "%c%.2f %.2f", i ? 'L' : 'M', at[0], at[1]);
    }
    fputs("Z\"/>\n", f);
}

/* Edges of flat faces, those behind dashed, as `explain` draws them. */
static void draw_edges(FILE *f, const scenery *v, int b)
{
    const solid *s = &v->solids[b];
    for (int hidden = 0; hidden < 2; hidden++) {
        const size_t front = s->edge_count - s->hidden_count;
        fprintf(f, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" d=\"", colours[b],
                hidden ? "0.7\" stroke-dasharray=\"2 3" : "1");
        for (size_t k = hidden ? front : 0; k < (hidden ? s->edge_count : front); k++) {
            double p[2], q[2];
            to_page(v, s->edges[k][0], p);
            to_page(v, s->edges[k][1], q);
            fprintf(f, "M%.2f %.2fL%.2f %.2f", p[0], p[1], q[0], q[1]);
        }
        fputs("\"/>\n", f);
    }
}

/* Its letter; a ring around what is too small to be seen. */
static void draw_name(FILE *f, const scenery *v, int b)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < OUTLINE; i++) {
        double p[3], at[2];
        rim(v, b, i, 0, p);
        on_page(v, p, at);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    const double x = 0.5 * low[0] + 0.5 * high[0], y = 0.5 * low[1] + 0.5 * high[1];
    if (high[0] - low[0] < SMALL && high[1] - low[1] < SMALL)
        fprintf(f,
                "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%d\" fill=\"none\" stroke=\"%s\" stroke-dasharray=\"2 "
                "2\"/>\n",
                x, y, SMALL, colours[b]);
    fprintf(f, "<text x=\"%.2f\" y=\"%.2f\" fill=\"%s\" font-weight=\"bold\">%c</text>\n",
            b ? fmin(high[0] + 4, WIDE - 16) : fmax(low[0] - 14, 4), y, colours[b], "AB"[b]);
}

/* In the corner, with a bar of a round length. */
static void draw_axes(FILE *f, const scenery *v)
{
    static const char *const names[3] = {"x", "y", "z"};
    const double base[2] = {EDGE, HIGH - 4}, length = pow(10, floor(log10(150 / v->scale)));
    for (int k = 0; k < (int)v->look.dim; k++) {
        const double tip[2] = {base[0] + 26 * v->look.right[k], base[1] - 26 * v->look.up[k]};
        fprintf(f,
                "<path stroke=\"#666\" d=\"M%.2f %.2fL%.2f %.2f\"/><text x=\"%.2f\" y=\"%.2f\" "
                "fill=\"#666\">%s</text>\n",
                base[0], base[1], tip[0], tip[1], tip[0] + 2, tip[1] + 4, names[k]);
    }
    fprintf(f,
            "<path stroke=\"#666\" stroke-width=\"2\" d=\"M%d %dh%.2f\"/><text x=\"%d\" y=\"%d\" "
            "fill=\"#666\">%g</text>\n",
            EDGE + 60, HIGH - 4, length * v->scale, EDGE + 60, HIGH - 10, length);
}

static void draw_line(FILE *f, const scenery *v, const double p[3], const double q[3], const char *style)
{
    double a[2], b[2];
    on_page(v, p, a);
    on_page(v, q, b);
    if (isfinite(a[0] + a[1] + b[0] + b[1]) && fabs(a[0]) + fabs(a[1]) + fabs(b[0]) + fabs(b[1]) < 1e5)
        fprintf(f,
                "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" %s/>\n<circle cx=\"%.2f\" cy=\"%.2f\" "
                "r=\"3\" %s style=\"stroke-dasharray:none\"/>\n"
                "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" %s style=\"stroke-dasharray:none\"/>\n",
                a[0], a[1], b[0], b[1], style, a[0], a[1], style, b[0], b[1], style);
}

static int draw_vectors(FILE *f, const scenery *v, const double normal[3], const double a[3],
                        const double b[3], const char *style)
{
    const double length = 0.15 * (WIDE - 2 * EDGE) / v->scale;
    double tip[3], given = 0;
    for (int k = 0; k < 3; k++) {
        tip[k] = a[k] + length * normal[k];
        given += fabs(normal[k]) + fabs(a[k]) + fabs(b[k]);
    }
    if (!(given > 0 && isfinite(given))) /* an answer without any */
        return 0;
    draw_line(f, v, a, b, style);
    if (normal[0] != 0 || normal[1] != 0 || normal[2] != 0)
        draw_line(f, v, a, tip, style);
    return 1;
}

/* --- Contacts --- */

typedef struct rectangle {
    double low[2], high[2];
} rectangle;

/* What labels have to keep clear of: points, and labels that are there. */
typedef struct occupied {
    rectangle by[3 * GJB_CONTACTS_3D];
    size_t count;
} occupied;

static int meet(const rectangle *r, const rectangle *o)
{
    return r->low[0] <= o->high[0] && o->low[0] <= r->high[0] && r->low[1] <= o->high[1] && o->low[1] <= r->high[1];
}

static int is_free(const occupied *taken, const rectangle *r)
{
    int clear = r->low[0] >= 0 && r->high[0] <= WIDE && r->low[1] >= EDGE / 2 && r->high[1] <= HIGH + EDGE / 2;
    for (size_t i = 0; i < taken->count; i++)
        clear &= !meet(r, &taken->by[i]);
    return clear;
}

/* The nearest place about a point that is free; contacts may be seen at one point. */
static void draw_label(FILE *f, const double at[2], const char *text, occupied *taken)
{
    static const char halo[] = "stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\""; /* lines run below */
    enum { TALL = 10, RINGS = 6 };
    const double wide = 6.0 * (double)strlen(text);
    rectangle r = {{0, 0}, {0, 0}};
    for (int place = 0; place < 4 * RINGS; place++) {
        const int ring = place / 4, left = place & 1, below = place >> 1 & 1;
        r.low[0] = at[0] + (left ? -5 - wide : 5);
        r.low[1] = at[1] + (below ? 4 + TALL * ring : -4 - TALL * (ring + 1));
        r.high[0] = r.low[0] + wide;
        r.high[1] = r.low[1] + TALL;
        if (is_free(taken, &r))
            break;
    }
    taken->by[taken->count++] = r;
    fprintf(f, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%d\" fill=\"#d62728\" %s>%s</text>\n", r.low[0],
            r.high[1] - 1, TALL, halo, text);
}

/* Indices of points in order around their middle. */
static void order_around(double (*at)[2], uint32_t count, uint32_t order[GJB_CONTACTS_3D])
{
    double middle[2] = {0}, angle[GJB_CONTACTS_3D];
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            middle[k] += at[i][k] / count;
    for (uint32_t i = 0; i < count; i++) {
        angle[i] = atan2(at[i][1] - middle[1], at[i][0] - middle[0]);
        order[i] = i;
        for (uint32_t k = i; k > 0 && angle[order[k]] < angle[order[k - 1]]; k--) {
            const uint32_t swapped = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swapped;
        }
    }
}

/* Contacts of a manifold: the outline of its points on A, in order around the normal, and each pair of points with its
 * separation. Returns how many. */
static uint32_t draw_contacts(FILE *f, const scenery *v, const gjb_result *r, const char *style)
{
    const uint32_t most = v->look.dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D,
                   count = r->count < most ? r->count : most;
    uint32_t order[GJB_CONTACTS_3D];
    double at[GJB_CONTACTS_3D][2], end[2];
    occupied taken = {.count = 0};
    for (uint32_t i = 0; i < count; i++) {
        on_page(v, r->contact[i].point_a, at[i]);
        if (!(fabs(at[i][0]) + fabs(at[i][1]) < 1e5)) /* no number, or far out */
            return 0;
    }
    order_around(at, count, order);
    fprintf(f, "<path %s d=\"", style);
    for (uint32_t i = 0; i < count; i++)
        fprintf(f, "%c%.2f %.2f", i ? 'L' : 'M', at[order[i]][0], at[order[i]][1]);
    fputs("Z\"/>\n", f);
    for (uint32_t i = 0; i < count; i++) {
        draw_line(f, v, r->contact[i].point_a, r->contact[i].point_b, style);
        on_page(v, r->contact[i].point_b, end);
        for (int b = 0; b < 2; b++) {
            const double *dot = b ? end : at[i];
            taken.by[taken.count++] = (rectangle){{dot[0] - 3, dot[1] - 3}, {dot[0] + 3, dot[1] + 3}};
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.3g", r->contact[i].separation);
        draw_label(f, at[i], text, &taken);
    }
    return count;
}

/* --- The page --- */

static void draw_words(FILE *f, const char *words)
{
    int y = HIGH + 34;
    while (*words) {
        size_t n = strlen(words);
        for (size_t cut = n > WRAP ? WRAP : n; n > WRAP; cut--)
            if (words[cut] == ' ' || cut == 1)
                n = cut;
        fprintf(f, "<text x=\"%d\" y=\"%d\">", EDGE / 2, y);
        for (size_t i = 0; i < n; i++)
            fputs(words[i] == '<'   ? "&lt;"
                  : words[i] == '>' ? "&gt;"
                  : words[i] == '&' ? "&amp;"
                                    : (char[]){words[i], 0},
                  f);
        fputs("</text>\n", f);
        words += n;
        words += *words == ' ';
        y += 16;
    }
}

#define AS_ANSWERED "stroke=\"#d62728\" stroke-width=\"1.5\" stroke-dasharray=\"5 3\" fill=\"none\""

static void write_svg(FILE *f, const void *context)
{
    const gjb_find_picture *picture = context;
    scenery v = scenery_of(picture);
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
            "font-size=\"12\">\n"
            "<title>a pair that is answered wrongly</title>\n<rect width=\"100%%\" height=\"100%%\" "
            "fill=\"white\"/>\n",
            WIDE, HIGH + 100);
    int drawn[2] = {0, 0};
    for (int b = 0; b < 2; b++)
        for (int end = picture->moving; end >= 0; end--)
            draw_outline(f, &v, b, end);
    gjb_error error = {{0}};
    for (int b = 0; b < 2; b++) { /* a picture without edges is better than none */
        if (!gjb_is_curved(v.of[b].kind) && !gjb_is_unbounded(v.of[b].kind) &&
            !solid_see(&v.look, picture->pair, b, &v.solids[b], &error))
            draw_edges(f, &v, b);
        solid_free(&v.solids[b]);
        draw_name(f, &v, b);
    }
    draw_axes(f, &v);
    if (picture->has_truth)
        drawn[0] = draw_vectors(f, &v, picture->normal, picture->point_a, picture->point_b,
                               "stroke=\"#2ca02c\" stroke-width=\"3\" fill=\"#2ca02c\"");
    const int contacts = picture->answer && picture->answer->count;
    const char *points = contacts ? "normal and contact points: " : "normal and witness points: ";
    if (contacts)
        drawn[1] = draw_contacts(f, &v, picture->answer, AS_ANSWERED) > 0;
    else if (picture->answer)
        drawn[1] =
            draw_vectors(f, &v, picture->answer->normal, picture->answer->point_a, picture->answer->point_b,
                         AS_ANSWERED);
    fprintf(f,
            "<text x=\"%d\" y=\"16\">%s<tspan fill=\"#2ca02c\">%s</tspan>%s<tspan "
            "fill=\"#d62728\">%s</tspan></text>\n",
            EDGE / 2, drawn[0] || drawn[1] ? points : "", drawn[0] ? "the truth" : "",
            drawn[0] && drawn[1] ? ", " : "", drawn[1] ? "as answered" : "");
    draw_words(f, picture->line);
    fputs("</svg>\n", f);
}

int gjb_find_draw(const gjb_find_picture *picture, const char *path, gjb_error *error)
{
    return gjb_file_write(path, write_svg, picture, error);
}
