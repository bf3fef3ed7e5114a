/* Draws film strips of moving boxes, as SVG, as a section of the report, and as a page. */
#include "reports/figures/film.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot/canvas.h"
#include "draw/plot/gnuplot.h"
#include "draw/save_text.h"
#include "draw/solids.h"
#include "draw/style.h"
#include "draw/table.h"
#include "reports/page.h"
#include "reports/report.h"
#include "scenes/scene.h"

enum { WIDTH = 420, LEAST_HEIGHT = 160, MOST_HEIGHT = 420, PICTURES = 9, HITS_TOLD = 200 };

/* ---- what is drawn ---- */

/* In space from aslant; up is z. */
static const view aslant = {3, {.8, -.6, 0}, {.24, .32, .91651514}, {.55, .73, .4}, 1};
static const view flat = {2, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 1};

static void corner(const film *f, uint32_t i, const double at[3], unsigned which, double out[2])
{
    const gjb_step_box *box = &f->boxes[i];
    double p[3] = {0};
    for (unsigned k = 0; k < f->dim; k++)
        p[k] = at[k] + ((which >> k & 1u) ? box->high[k] : box->low[k]);
    view_project(f->dim == 2 ? &flat : &aslant, p, out);
}

static void middle(const film *f, uint32_t i, const double at[3], double out[2])
{
    const gjb_step_box *box = &f->boxes[i];
    double p[3] = {0};
    for (unsigned k = 0; k < f->dim; k++)
        p[k] = at[k] + (box->low[k] + box->high[k]) / 2;
    view_project(f->dim == 2 ? &flat : &aslant, p, out);
}

static int is_wall(const film *f, uint32_t i)
{
    return !(f->boxes[i].inverse_mass > 0);
}

static int colour_of(const film *f, uint32_t i)
{
    static const int colours[] = {1, 3, 4, 5, 6, 2};
    return is_wall(f, i) ? COLOUR_MUTED : colours[i % (sizeof colours / sizeof *colours)];
}

static void draw_box(const film *f, canvas *c, uint32_t i, const double at[3])
{
    double outline[8][2], edges[12][2][2];
    size_t corners = (size_t)1 << f->dim, edge_count = 0;
    for (unsigned k = 0; k < corners; k++)
        corner(f, i, at, k, outline[k]);
    for (unsigned k = 0; k < corners; k++)
        for (unsigned axis = 0; axis < f->dim; axis++)
            if (!(k >> axis & 1u)) {
                memcpy(edges[edge_count][0], outline[k], sizeof outline[k]);
                memcpy(edges[edge_count++][1], outline[k | 1u << axis], sizeof outline[k]);
            }
    const int colour = colour_of(f, i);
    const size_t n = hull_of_drawn(outline, corners);
    canvas_fill(c, (const double(*)[2])outline, n, colour, is_wall(f, i) ? .3 : .5);
    canvas_segments(c, (const double(*)[2][2])edges, edge_count, colour, f->dim == 2 ? 1 : .7, 1);
    if (n < 3)
        canvas_dot(c, outline[0], CANVAS_DOT, .5, colour);
}

/* The middle of a box from the beginning to `time`, a corner at each of its hits. */
static void draw_way(const film *f, canvas *c, uint32_t i, double time, const double at[3])
{
    double(*way)[2] = malloc((f->step->event_count + 2) * sizeof *way);
    size_t n = 0;
    if (!way)
        return;
    middle(f, i, f->boxes[i].at, way[n++]);
    for (size_t e = 0; e < f->step->event_count && f->step->events[e].time <= time; e++) {
        const gjb_step_event *event = &f->step->events[e];
        if (event->a == i || event->b == i)
            middle(f, i, event->at[event->b == i], way[n++]);
    }
    middle(f, i, at, way[n++]);
    if (fabs(way[n - 1][0] - way[0][0]) + fabs(way[n - 1][1] - way[0][1]) > 0 || n > 2)
        canvas_line(c, (const double(*)[2])way, n, 0, colour_of(f, i), 1, 2);
    free(way);
}

/* What both faces share: a line, in space the outline of a rectangle, thick. */
static void draw_contact(const film *f, canvas *c, const gjb_step_event *e)
{
    const gjb_step_box *a = &f->boxes[e->a], *b = &f->boxes[e->b];
    double low[3] = {0}, high[3] = {0}, p[4][2];
    unsigned n = 0;
    for (unsigned k = 0; k < f->dim; k++) {
        low[k] = fmax(e->at[0][k] + a->low[k], e->at[1][k] + b->low[k]);
        high[k] = fmin(e->at[0][k] + a->high[k], e->at[1][k] + b->high[k]);
    }
    const unsigned u = (e->axis + 1u) % f->dim, v = (e->axis + 2u) % f->dim;
    for (unsigned k = 0; k < (f->dim == 2 ? 2u : 4u); k++) {
        double at[3] = {low[0], low[1], low[2]};
        at[u] = k == 0 || k == 3 ? low[u] : high[u];
        if (f->dim == 3)
            at[v] = k < 2 ? low[v] : high[v];
        view_project(f->dim == 2 ? &flat : &aslant, at, p[n++]);
    }
    canvas_line(c, (const double(*)[2])p, n, 1, COLOUR_INK, 4, 1);
    canvas_dot(c, p[0], CANVAS_DOT, .4, COLOUR_INK);
}

/* ---- pictures ---- */

/* Does a time of its own begin with event e, apart from beginning and end? */
static int is_new_time(const gjb_step *s, size_t e)
{
    return s->events[e].time > (e > 0 ? s->events[e - 1].time : 0) && s->events[e].time < s->time;
}

/* Beginning, hits and end; of more hits than there is room for, evenly many. */
static size_t choose_times(const gjb_step *s, double times[PICTURES])
{
    size_t different = 0, seen = 0, n = 0;
    for (size_t e = 0; e < s->event_count; e++)
        different += (size_t)is_new_time(s, e);
    const size_t room = PICTURES - 2, taken = different < room ? different : room;
    times[n++] = 0;
    for (size_t e = 0; e < s->event_count; e++)
        if (is_new_time(s, e) && n - 1 < taken && seen++ >= (n - 1) * different / taken)
            times[n++] = s->events[e].time;
    times[n++] = s->time;
    return n;
}

static void take_in_all(const film *f, canvas_range *range, double (*places)[3], double time)
{
    gjb_step_places(f->step, f->boxes, time, places, NULL);
    for (uint32_t i = 0; i < f->step->count; i++)
        for (unsigned k = 0; k < 1u << f->dim; k++) {
            double at[2];
            corner(f, i, places[i], k, at);
            canvas_take_in(range, at);
        }
}

/* As high as what is shown needs, in addition to title and margins. */
static int height_of(const canvas_range *range)
{
    const double wide = range->high[0] - range->low[0], high = range->high[1] - range->low[1];
    const double wanted = wide > 0 ? 1.25 * WIDTH * high / wide : MOST_HEIGHT;
    return (int)fmin(fmax(wanted, LEAST_HEIGHT), MOST_HEIGHT);
}

static void picture(const film *f, double time, const canvas_range *range, double (*places)[3], text *script)
{
    canvas c;
    canvas_open(&c, WIDTH, height_of(range));
    canvas_panel(&c, .02, .98, range, "", 0); /* the caption says when */
    gjb_step_places(f->step, f->boxes, time, places, NULL);
    for (uint32_t i = 0; i < f->step->count; i++)
        if (is_wall(f, i))
            draw_box(f, &c, i, places[i]);
    for (uint32_t i = 0; i < f->step->count; i++)
        draw_way(f, &c, i, time, places[i]);
    for (uint32_t i = 0; i < f->step->count; i++)
        if (!is_wall(f, i))
            draw_box(f, &c, i, places[i]);
    for (size_t e = 0; e < f->step->event_count; e++)
        if (f->step->events[e].time >= time && f->step->events[e].time <= time)
            draw_contact(f, &c, &f->step->events[e]);
    canvas_panel_end(&c);
    canvas_script(&c, script);
    canvas_free(&c);
}

int film_strip(const film *f, const char *gnuplot, text *page, char *reason, size_t reason_size)
{
    double times[PICTURES];
    const size_t count = choose_times(f->step, times);
    double(*places)[3] = malloc(((size_t)f->step->count + 1) * sizeof *places);
    int failed = !places;
    canvas_range range = canvas_nothing();
    for (size_t k = 0; k < count && !failed; k++)
        take_in_all(f, &range, places, times[k]);
    text_add(page, "<div class=\"plots\">");
    for (size_t k = 0; k < count && !failed; k++) {
        text script = {0}, svg = {0};
        char title[160];
        snprintf(title, sizeof title, "Moving boxes at t = %.6g", times[k]);
        picture(f, times[k], &range, places, &script);
        failed = script.failed || gnuplot_run(gnuplot, &script, &svg, reason, reason_size);
        text_format(page, "<figure><figcaption><b>t = %.4g</b></figcaption>", times[k]);
        if (!failed && gnuplot_embed(&svg, title, page)) {
            snprintf(reason, reason_size, "gnuplot printed something else than a drawing");
            failed = 1;
        }
        text_add(page, "</figure>");
        text_free(&script);
        text_free(&svg);
    }
    text_add(page, "</div>");
    free(places);
    return failed ? -1 : 0;
}

/* ---- a section of the report ---- */

static gjb_scene *shipped(void)
{
    const char *named = getenv("GJKBENCH_DATA"), *const folders[] = {named ? named : GJB_DATA_SOURCE,
                                                                     named ? named : GJB_DATA_INSTALLED};
    gjb_scene *scene = NULL;
    for (size_t k = 0; k < 2 && !scene; k++) {
        char path[4200];
        gjb_error error = {{0}};
        snprintf(path, sizeof path, "%s/motion/boxes.json", folders[k]);
        scene = gjb_scene_load(path, &error);
    }
    return scene;
}

static void strip_of(const gjb_scene *scene, const char *gnuplot, text *page)
{
    const gjb_step_settings settings = {.dim = scene->shapes.dim, .response = GJB_RESPOND_SLIDE};
    gjb_error error = {{0}};
    text strip = {0};
    char reason[256] = "";
    gjb_step_box *boxes = gjb_step_of_scene(scene, "boxes.json", &error);
    gjb_step step =
        boxes ? gjb_step_boxes(boxes, scene->body_count, &settings) : (gjb_step){.status = GJB_STEP_INVALID};
    const film f = {.dim = settings.dim, .boxes = boxes, .step = &step};
    if (step.status <= GJB_STEP_CAPPED && !film_strip(&f, gnuplot, &strip, reason, sizeof reason)) {
        text_format(
            page,
            "<p class=\"lead\">One step of the %u boxes of data/motion/boxes.json, computed as this page was "
            "made: %zu hits in order of time, and after each the rest of the step is swept again. Faces "
            "that are hit are drawn thick; dashed: paths so far; walls are grey. <code>gjkbench step</code> does "
            "it with scenes of your own.</p>",
            step.count, step.event_count);
        text_bytes(page, strip.s, strip.size);
    } else {
        text_add(page, "<p class=\"absent\">No film: ");
        text_html(page, *error.text ? error.text : reason);
        text_add(page, ".</p>");
    }
    text_free(&strip);
    gjb_step_free(&step);
    free(boxes);
}

void film_section(const char *gnuplot, text *page)
{
    gjb_scene *scene = gnuplot ? shipped() : NULL;
    fold_open("film", "Moving boxes", page);
    if (scene)
        strip_of(scene, gnuplot, page);
    else
        text_format(page, "<p class=\"note\">No film: %s.</p>",
                    gnuplot ? "data/motion/boxes.json was not found; GJKBENCH_DATA names the data folder"
                            : "gnuplot was not found");
    fold_close(page);
    gjb_scene_free(scene);
}

/* ---- the page ---- */

static void hits_table(const film *f, text *page)
{
    static const char axes[] = "xyz";
    const gjb_step *s = f->step;
    table t = {0};
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, TABLE_TITLE | TABLE_NUMBER, "time");
    table_put(&t, TABLE_TITLE | TABLE_NUMBER, "box");
    table_put(&t, TABLE_TITLE | TABLE_NUMBER, "meets");
    table_put(&t, TABLE_TITLE, "face");
    table_put(&t, TABLE_TITLE | TABLE_NUMBER, "responses");
    for (size_t e = 0; e < s->event_count && e < HITS_TOLD; e++) {
        table_row_begin(&t, TABLE_BODY);
        table_put(&t, TABLE_NUMBER, "%.6f", s->events[e].time);
        table_put(&t, TABLE_NUMBER, "%u", s->events[e].a);
        table_put(&t, TABLE_NUMBER, "%u", s->events[e].b);
        table_put(&t, 0, "%c%c", s->events[e].side > 0 ? '+' : '-', axes[s->events[e].axis]);
        table_put(&t, TABLE_NUMBER, "%u", s->events[e].responses);
    }
    table_end(&t, NULL, page);
    if (s->event_count > HITS_TOLD)
        text_format(page, "<p class=\"note\">The first %d of %zu.</p>", HITS_TOLD, s->event_count);
}

static void film_head(const film *f, text *page)
{
    page_begin("", f->title, ": one step", "", page);
    gnuplot_marks(page);
    page_heading(f->title, ": one step of moving boxes", f->note, page);
    text_format(page, "<p class=\"sub\">%u boxes, %zu hits, %u at the cap. Response: ", f->step->count,
                f->step->event_count, f->step->capped);
    text_html(page, f->response);
    text_add(
        page,
        "</p></header>\n<main><p class=\"lead\">Faces that are hit at the time of a picture are drawn thick, "
        "dashed: paths so far; walls are grey.</p>");
}

int gjb_film_write(const film *f, const char *folder, gjb_error *error)
{
    char gnuplot[4096], reason[256] = "gnuplot not found; install it (Debian: apt-get install gnuplot-nox)";
    text page = {0}, strip = {0};
    film_head(f, &page);
    const int drawn =
        !gnuplot_find(gnuplot, sizeof gnuplot) && !film_strip(f, gnuplot, &strip, reason, sizeof reason);
    if (drawn)
        text_bytes(&page, strip.s, strip.size);
    text_add(&page, "<h2>Hits</h2>");
    hits_table(f, &page);
    text_add(&page, "</main></body></html>\n");
    int failed = page.failed || strip.failed ? gjb_fail(error, "%s: out of memory", folder) : 0;
    failed = failed || save_folder(folder, error) || save_text(folder, "index.html", &page, error);
    text_free(&page);
    text_free(&strip);
    if (failed)
        return -1;
    if (!drawn)
        gjb_fail(error, "%s/index.html has the hits without pictures: %s", folder, reason);
    return drawn ? GJB_REPORT_DRAWN : GJB_REPORT_UNDRAWN;
}
