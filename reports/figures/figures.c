/* Drawings of throughput over shapes, vertices, calls, threads, separation classes, families and kinds. */
#include "reports/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figures/captions.h"
#include "reports/figures/figures_parts.h"
#include "reports/ratios.h"
#include "reports/remarks.h"

static plot_line *series(const results *r, plot *p, const bench_row *row, const char *precision)
{
    series_name label = points_series(r, row, precision);
    plot_line *line = plot_line_of(p, label.s, plot_style_of(row->contender, row->backend, (int)p->line_count));
    if (line)
        snprintf(line->owner, sizeof line->owner, "%.39s", row->contender);
    return line;
}

/* The row belongs to the drawing of this precision in its own right, and does
 * not merely stand in for want of another precision. */
static int adds_to(const base_point *base, const bench_row *row, const char *precision)
{
    return !strcmp(row->precision, precision) &&
           (!strcmp(precision, base->precision) || !points_precision(row, base->precision));
}

typedef enum y_value { Y_RATE, Y_TIME } y_value;

static void add_measured(plot_line *line, double x, const bench_row *row, y_value what)
{
    if (what == Y_TIME)
        plot_add(line, x, row->ns, row->low, row->high);
    else
        plot_add(line, x, row->pairs_per_second, row->pairs_per_second * row->ns / row->high,
                 row->pairs_per_second * row->ns / row->low);
}

/* One drawing a query and precision, of rows that vary one number. */
typedef struct sweep {
    const char *file, *tag;
    vary varies;
    y_value what;
    int log_x;
    const char *x_title, *x_column;
    double (*x)(const bench_row *row);
    void (*finish)(const results *r, const base_point *base, plot *p);
} sweep;

/* Whether a drawing shows what it is for: rows of its own precision, at more than one x. */
typedef struct spread {
    int own, sweeps;
    double first;
} spread;

static void spread_add(spread *s, const drawing *d, const bench_row *row, double x)
{
    if (!adds_to(d->base, row, d->precision)) /* others only keep it company */
        return;
    s->sweeps |= s->own && isfinite(s->first) && isfinite(x) && x != s->first;
    s->first = s->own && !isnan(s->first) ? s->first : x;
    s->own = 1;
}

static plot *draw_sweep(const drawing *d, const void *what, int *shows)
{
    const sweep *s = what;
    int rate = s->what == Y_RATE;
    char heading[HEADING];
    spread found = {0};
    figures_heading(heading, d->query, d->precision);
    plot *p = plot_new(PLOT_CURVES, heading, s->x_title, s->x_column,
                       rate ? "million pairs per second" : "nanoseconds per pair",
                       rate ? "pairs_per_second" : "ns_per_pair");
    for (size_t i = 0; p && i < d->r->bench_count; i++) {
        const bench_row *row = &d->r->bench[i];
        if (strcmp(row->query, d->query) || !points_in_sweep(d->base, row, s->tag, s->varies) ||
            !points_precision(row, d->precision))
            continue;
        spread_add(&found, d, row, s->x(row));
        add_measured(series(d->r, p, row, d->precision), s->x(row), row, s->what);
    }
    *shows = found.own && found.sweeps; /* one lonely x is no sweep */
    if (!p || !*shows)
        return p;
    p->log_x = s->log_x;
    p->log_y = 1;
    p->y_unit = rate ? 1e6 : 1;
    plot_name(p, s->file, d->query, d->precision);
    if (s->finish)
        s->finish(d->r, d->base, p);
    return p;
}

static double x_shapes(const bench_row *row) { return row->shapes; }
static double x_vertices(const bench_row *row) { return row->vertices; }
static double x_call(const bench_row *row) { return row->call; }
static double x_threads(const bench_row *row) { return row->threads; }

/* Where the vertices and poses of all shapes alone fill a cache. */
static void mark_caches(const results *r, const base_point *base, plot *p)
{
    json_t *caches = results_context(r, "caches"), *cache;
    double bytes = strcmp(base->precision, "f64") ? 4 : 8, vertices = NAN, seen[4] = {0};
    size_t i, n = 0;
    for (size_t k = 0; k < r->bench_count && isnan(vertices); k++)
        if (!strcmp(r->bench[k].workload, base->workload))
            vertices = r->bench[k].vertices;
    if (isnan(vertices))
        return;
    json_array_foreach(caches, i, cache) {
        const char *type = json_string_value(json_object_get(cache, "type"));
        double level = json_number_value(json_object_get(cache, "level"));
        double size = json_number_value(json_object_get(cache, "size"));
        int known = 0;
        for (size_t k = 0; k < n; k++)
            known |= seen[k] == level;
        if (known || n == 4 || level < 1 || level > 9 || size <= 0 || (type && strstr(type, "nstruction")))
            continue;
        char label[32];
        snprintf(label, sizeof label, "L%.0f", level);
        double pose = base->dim == 3 ? 7 : 4;
        plot_mark_at(p, size / ((base->dim * vertices + pose) * bytes), label);
        seen[n++] = level;
    }
}

static void add_ideal_threads(const results *r, const base_point *base, plot *p)
{
    (void)r;
    (void)base;
    const plot_line *best = NULL;
    double most = 0;
    for (size_t l = 0; l < p->line_count; l++)
        for (size_t i = 0; i < p->lines[l].n; i++) {
            most = fmax(most, p->lines[l].x[i]);
            if (p->lines[l].x[i] == 1 && (!best || p->lines[l].y[i] > best->y[0]))
                best = &p->lines[l];
        }
    if (!best)
        return;
    double at_one = 0;
    for (size_t i = 0; i < best->n; i++)
        if (best->x[i] == 1)
            at_one = best->y[i];
    plot_line *line = plot_line_of(p, "in proportion", (plot_style){COLOUR_MUTED, 0, 3, 1});
    for (double t = 1; t <= most; t *= 2)
        plot_add(line, t, at_one * t, NAN, NAN);
    plot_add(line, most, at_one * most, NAN, NAN);
}

static void fit_growth(const results *r, const base_point *base, plot *p)
{
    (void)r;
    (void)base;
    for (size_t l = 0; l < p->line_count; l++) {
        plot_fit_power(&p->lines[l]);
        if (!plot_fit_tells(&p->lines[l].fit))
            p->lines[l].fit = (plot_fit){0};
    }
}

static void build_throughput(const results *r, const base_point *base, figure_group *group)
{
    static const sweep s = {"throughput", "shapes", VARY_SHAPES, Y_RATE, 1, "shapes in the scene", "shapes",
                            x_shapes, mark_caches};
    figures_each(r, base, group, draw_sweep, &s);
}

static void build_vertices(const results *r, const base_point *base, figure_group *group)
{
    static const sweep s = {"vertices", "vertices", VARY_VERTICES, Y_TIME, 1, "vertices per shape", "vertices",
                            x_vertices, fit_growth};
    figures_each(r, base, group, draw_sweep, &s);
}

static void build_call(const results *r, const base_point *base, figure_group *group)
{
    static const sweep s = {"calls", "calls", VARY_CALL, Y_TIME, 1, "pairs per call", "pairs_per_call", x_call,
                            NULL};
    figures_each(r, base, group, draw_sweep, &s);
}

static void build_threads(const results *r, const base_point *base, figure_group *group)
{
    static const sweep s = {"threads", "threads", VARY_THREADS, Y_RATE, 1, "threads", "threads", x_threads,
                            add_ideal_threads};
    figures_each(r, base, group, draw_sweep, &s);
}

/* Categories on x: one value a family or a workload. */
typedef struct category_sweep {
    const char *file, *x_title, *x_column;
    plot_kind kind;
    int (*belongs)(const base_point *base, const bench_row *row);
    int by_family;
} category_sweep;

/* Classes keep their order, whatever that of the rows. */
static void place_classes(const drawing *d, const category_sweep *s, plot *p)
{
    for (size_t c = 0; c < CLASSES; c++)
        for (size_t i = 0; i < d->r->bench_count; i++)
            if (!strcmp(d->r->bench[i].family, figures_classes[c]) && s->belongs(d->base, &d->r->bench[i]))
                plot_category(p, figures_classes[c]);
}

static plot *draw_categories(const drawing *d, const void *what, int *shows)
{
    const category_sweep *s = what;
    char heading[HEADING];
    spread found = {0};
    figures_heading(heading, d->query, d->precision);
    plot *p = plot_new(s->kind, heading, s->x_title, s->x_column, "nanoseconds per pair", "ns_per_pair");
    if (p && s->by_family)
        place_classes(d, s, p);
    for (size_t i = 0; p && i < d->r->bench_count; i++) {
        const bench_row *row = &d->r->bench[i];
        if (strcmp(row->query, d->query) || !points_precision(row, d->precision) ||
            !s->belongs(d->base, row))
            continue;
        int at = plot_category(p, s->by_family ? row->family : row->workload);
        spread_add(&found, d, row, at);
        if (at >= 0)
            add_measured(series(d->r, p, row, d->precision), at, row, Y_TIME);
    }
    *shows = found.own && (found.sweeps || !s->by_family);
    if (p) {
        p->log_y = 1;
        plot_name(p, s->file, d->query, d->precision);
    }
    return p;
}

static int in_scenes(const base_point *base, const bench_row *row)
{
    (void)base;
    return points_has_tag(row, "scenes") || !strcmp(row->family, "recorded");
}

static int in_kinds(const base_point *base, const bench_row *row)
{
    return (points_has_tag(row, "kinds") || points_has_tag(row, "real")) && !strcmp(row->family, base->family);
}

static void build_class(const results *r, const base_point *base, figure_group *group)
{
    static const category_sweep s = {"class", "separation class", "family", PLOT_CURVES, figures_in_classes, 1};
    figures_each(r, base, group, draw_categories, &s);
}

static void build_scenes(const results *r, const base_point *base, figure_group *group)
{
    static const category_sweep s = {"scenes", "recorded scene", "scene", PLOT_DOTS, in_scenes, 0};
    figures_each(r, base, group, draw_categories, &s);
}

static void build_kinds(const results *r, const base_point *base, figure_group *group)
{
    static const category_sweep s = {"kinds", "shape", "workload", PLOT_DOTS, in_kinds, 0};
    figures_each(r, base, group, draw_categories, &s);
}

const figure_group figure_groups[] = {
    {.id = "throughput", .timed = 1, .title = "Throughput against the number of shapes",
     .lead = "Higher is better. Pairs in random order that touch every shape; transforming and packing are "
             "part of the time. Dotted lines mark where vertices and poses alone fill a cache: to the right "
             "of the last one, memory sets the pace.",
     .absent = "No sweep over shape counts in these results: run gjkbench bench --shapes 16,256,4k,64k,1M.",
     .build = build_throughput, .remarks = remarks_throughput, .caption = caption_highest},
    {.id = "speedup", .timed = 1, .title = "What each backend gains over scalar",
     .lead = "The same source compiled per instruction set, at the base point. The line across a bar is the "
             "number of lanes: what perfect use of them would give. Packing, lanes that wait for their "
             "neighbours and memory take the rest; fewer, wider instructions can also give more.",
     .absent = "Needs the scalar backend and at least one other at the base point: run gjkbench bench without "
               "--backend.",
     .build = figures_speedup, .caption = caption_speedup},
    {.id = "vertices", .timed = 1, .title = "Time against the number of vertices",
     .lead = "Lower is better. Both shapes of a pair have that many vertices. Thin dotted lines are fitted powers: "
             "straight through the logarithms, by least squares, from four points on, with 95% intervals "
             "of the exponent in brackets. The exponent of a line that bends is its mean over what was measured.",
     .absent = "No sweep over vertex counts in these results: run gjkbench bench.",
     .build = build_vertices, .caption = caption_growth},
    {.id = "class", .timed = 1, .title = "Time per separation class",
     .lead = "Lower is better. From far apart to one inside the other; mixed, about half overlapping, is the "
             "base point.",
     .absent = "No separation classes apart from the base point in these results: run gjkbench bench.",
     .build = build_class, .caption = caption_lowest},
    {.id = "kinds", .timed = 1, .title = "Kinds of shape",
     .lead = "Lower is better. A radius turns a point into a circle or sphere, a segment into a capsule, and "
             "rounds the corners of the rest. Ellipses, ellipsoids, cylinders, cones and the super kinds curve. Hulls "
             "of real things (real64: of at most 64 vertices) are there in 3D.",
     .absent = "No other kinds of shape in these results: run gjkbench bench.",
     .build = build_kinds, .remarks = remarks_kinds, .caption = caption_lowest},
    {.id = "call", .timed = 1, .title = "Pairs per call",
     .lead = "Lower is better. How many pairs a caller must hand over at once before the lanes pay off.",
     .absent = "No sweep over pairs per call in these results: run gjkbench bench --batch 1,16,256,4k,64k.",
     .build = build_call, .remarks = remarks_call, .caption = caption_lowest},
    {.id = "maps", .timed = 1, .title = "Best choice by case",
     .lead = "The fastest contender that is right, and how many times as fast it is as the next right one; "
             "alone: no other is right; tie: the intervals of both overlap; none: no contender takes such shapes. "
             "Each map is shown twice: with all contenders, and without ours. Right means the same as in the headlines.",
     .absent = "No two factors varied together in these results: run gjkbench bench without --workload, "
               "--family, --shapes and --batch.",
     .build = figures_maps, .caption = caption_map},
    {.id = "scenes", .timed = 1, .title = "Recorded scenes",
     .lead = "Lower is better. Frames recorded from a physics engine, with the pairs that its broad phase "
             "handed over.",
     .absent = "No recorded scenes in these results: run gjkbench bench --workload with their names; where "
               "they are not found, GJKBENCH_DATA must name the data folder.",
     .build = build_scenes, .caption = caption_lowest},
    {.id = "errors", .title = "How far answers are from the exact truth",
     .lead = "Each answer is held against an exact result or a proven interval, all families together. The "
             "unit is εS: ε is the unit roundoff of the precision, S the size of the pair. The curves are "
             "cumulative: how many answers lie further off than x, of all graded ones, so that a curve ends where "
             "nothing further off was met. The dotted line is the published tolerance k: beyond it, an answer of "
             "ours is wrong.",
     .absent = "No error distributions in these results: run gjkbench verify --json verify.json and report "
               "that file too.",
     .build = figures_errors, .caption = caption_errors},
    {.id = "lanes", .title = "Iterations and lane occupancy",
     .lead = "Why the lanes do not give their full number: pairs need different numbers of iterations, and a "
             "lane whose pair is done waits for its neighbours.",
     .absent = "These results carry no counts of iterations or lanes: run gjkbench bench.",
     .build = figures_lanes, .caption = caption_lanes},
    {.id = "roof", .timed = 1, .title = "Roofline",
     .lead = "Higher is better. Every pair needs that many random cache lines at least: the vertices of both shapes, and "
             "where they are. Roofs are measured in the same run: how many random lines a second one core fetches from "
             "a buffer of that size when nothing else is in its way. No scene rises above the roof of a buffer that is "
             "smaller than itself. Triangles are the roof of arithmetic: vertices a second that one core scans for supports, from "
             "the nearest cache and with nothing else to do, over what the iterations of the point look at. What is "
             "below both goes to packing, turning, waiting lanes and steps that depend on each other. Of ours the backend that "
             "is fastest at the base point.",
     .absent = "No measured ceiling of memory in these results, or one kind of shape alone: run gjkbench bench.",
     .build = figures_roofline},
    {.id = "threads", .timed = 1, .title = "Threads",
     .lead = "Higher is better. The pairs of the base point spread over threads.",
     .absent = "No sweep over threads in these results: run gjkbench bench --threads 1,2,4.",
     .build = build_threads, .caption = caption_threads},
    {.id = "history", .title = "Over commits",
     .lead = "Each dot is a run, in order of commits; the line is the level, and where it steps a change was found that is "
             "not noise: the label says by how much, new over old, and the words below which commit brought it. "
             "A series is of one machine, one compiler with its flags, and one seed.",
     .absent = "No history in these results: run gjkbench history changes --json history.json and report that file too.",
     .build = figures_timeline, .remarks = remarks_timeline},
    {.id = NULL},
};

void figures_build(figure_group *group, const results *r, const base_point *base)
{
    group->build(r, base, group);
    for (size_t i = 0; i < group->n && group->timed; i++)
        group->plots[i]->doubt = ratio_wider(group->plots[i]->doubt, ratio_of_run(r));
    for (size_t i = 0; i < group->n && group->caption; i++)
        group->caption(group->plots[i]);
    for (size_t i = 0; i < group->n && base->dim == 3; i++) {
        char id[sizeof group->plots[i]->id];
        snprintf(id, sizeof id, "3d-%.90s", group->plots[i]->id);
        memcpy(group->plots[i]->id, id, sizeof id);
    }
}

void figures_free(figure_group *group)
{
    for (size_t i = 0; i < group->n; i++)
        free(group->plots[i]);
    group->n = 0;
}
