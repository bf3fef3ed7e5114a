#include "reports/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"
#include "reports/facts.h"

/* Keeps the plot if it shows anything. */
static void keep(figure_group *group, plot *p, int secondary)
{
    if (!p) {
        group->failed = 1;
        return;
    }
    if (!plot_finish(p) || group->n == GROUP_PLOTS) {
        free(p);
        return;
    }
    group->secondary[group->n] = secondary;
    group->plots[group->n++] = p;
}

static plot_line *series(const results *r, plot *p, const bench_row *row, const char *precision)
{
    series_name label = points_series(r, row, precision);
    return plot_line_of(p, label.s, plot_style_of(row->contender, row->backend, (int)p->line_count));
}

static void heading_of(char *heading, size_t size, const char *query, const char *precision)
{
    series_name name = points_spaced(query);
    snprintf(heading, size, "%s%s%s", name.s, *precision ? ", " : "", precision);
}

/* The row belongs to the drawing of this precision in its own right, and does
 * not merely stand in for want of another precision. */
static int adds_to(const results *r, const base_point *base, const bench_row *row, const char *precision)
{
    return !strcmp(row->precision, precision) &&
           (!strcmp(precision, base->precision) || !points_precision(r, row, base->precision));
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

static void build_sweep(const results *r, const base_point *base, figure_group *group, const sweep *s)
{
    names queries = points_queries(r), precisions = points_precisions(r);
    for (size_t q = 0; q < queries.n; q++)
        for (size_t k = 0; k < precisions.n; k++) {
            char heading[96];
            heading_of(heading, sizeof heading, queries.s[q], precisions.s[k]);
            plot *p = plot_new(PLOT_CURVES, heading, s->x_title, s->x_column,
                               s->what == Y_RATE ? "million pairs per second" : "nanoseconds per pair",
                               s->what == Y_RATE ? "pairs_per_second" : "ns_per_pair");
            int own = 0, sweeps = 0;
            double first = NAN;
            for (size_t i = 0; p && i < r->bench_count; i++) {
                const bench_row *row = &r->bench[i];
                if (strcmp(row->query, queries.s[q]) || !points_in_sweep(base, row, s->tag, s->varies) ||
                    !points_precision(r, row, precisions.s[k]))
                    continue;
                double x = s->x(row);
                if (adds_to(r, base, row, precisions.s[k])) { /* others only keep it company */
                    own = 1;
                    sweeps |= isfinite(first) && isfinite(x) && x != first;
                    first = isnan(first) ? x : first;
                }
                add_measured(series(r, p, row, precisions.s[k]), x, row, s->what);
            }
            if (!p) {
                group->failed = 1;
                return;
            }
            if (!own || !sweeps) { /* one lonely x is no sweep */
                free(p);
                continue;
            }
            p->log_x = s->log_x;
            p->log_y = 1;
            p->y_unit = s->what == Y_RATE ? 1e6 : 1;
            plot_name(p, s->file, queries.s[q], precisions.s[k]);
            if (s->finish)
                s->finish(r, base, p);
            keep(group, p, strcmp(precisions.s[k], base->precision) != 0);
        }
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

static void build_throughput(const results *r, const base_point *base, figure_group *group)
{
    static const sweep s = {"throughput", "shapes", VARY_SHAPES, Y_RATE, 1, "shapes in the scene", "shapes",
                            x_shapes, mark_caches};
    build_sweep(r, base, group, &s);
}

static void build_vertices(const results *r, const base_point *base, figure_group *group)
{
    static const sweep s = {"vertices", "vertices", VARY_VERTICES, Y_TIME, 1, "vertices per shape", "vertices",
                            x_vertices, NULL};
    build_sweep(r, base, group, &s);
}

static void build_call(const results *r, const base_point *base, figure_group *group)
{
    static const sweep s = {"calls", "calls", VARY_CALL, Y_TIME, 1, "pairs per call", "pairs_per_call", x_call, NULL};
    build_sweep(r, base, group, &s);
}

static void build_threads(const results *r, const base_point *base, figure_group *group)
{
    static const sweep s = {"threads", "threads", VARY_THREADS, Y_RATE, 1, "threads", "threads", x_threads,
                            add_ideal_threads};
    build_sweep(r, base, group, &s);
}

static void build_speedup(const results *r, const base_point *base, figure_group *group)
{
    names queries = points_queries(r), precisions = points_precisions(r), backends = points_backends(r);
    for (size_t q = 0; q < queries.n; q++) {
        char heading[96];
        heading_of(heading, sizeof heading, queries.s[q], "");
        plot *p = plot_new(PLOT_BARS, heading, "backend", "backend", "times as fast as one scalar lane", "speedup");
        for (size_t b = 0; p && b < backends.n; b++)
            plot_category(p, backends.s[b]);
        for (size_t k = 0; p && k < precisions.n; k++) {
            const bench_row *scalar = NULL;
            for (size_t pass = 0; pass < 2; pass++)
                for (size_t i = 0; i < r->bench_count; i++) {
                    const bench_row *row = &r->bench[i];
                    if (strcmp(row->query, queries.s[q]) || strcmp(row->contender, "batch") ||
                        strcmp(row->precision, precisions.s[k]) || !points_in_sweep(base, row, "", VARY_NOTHING))
                        continue;
                    if (!pass) {
                        if (!scalar && !strcmp(row->backend, "scalar"))
                            scalar = row;
                        continue;
                    }
                    int at = names_find(&backends, row->backend);
                    if (!scalar || at < 0)
                        continue;
                    plot_line *line = plot_line_of(p, precisions.s[k], (plot_style){k ? 4 : 1, 5, 1, 1});
                    size_t before = line ? line->n : 0;
                    plot_add(line, at, scalar->ns / row->ns, scalar->ns / row->high, scalar->ns / row->low);
                    int lanes = points_lanes(row->backend, row->precision);
                    if (line && line->n > before && lanes > 1)
                        line->ideal[before] = lanes;
                }
        }
        if (p)
            plot_name(p, "speedup", queries.s[q], "");
        if (p && backends.n < 2) {
            free(p);
            continue;
        }
        keep(group, p, 0);
    }
}

/* Categories on x: one value a family or a workload. */
static const char *const classes[] = {"far", "near", "touching", "shallow", "deep", "contained", "mixed"};
enum { CLASSES = sizeof classes / sizeof *classes };

typedef struct category_sweep {
    const char *file, *x_title, *x_column;
    plot_kind kind;
    int (*belongs)(const base_point *base, const bench_row *row);
    int by_family;
} category_sweep;

static void build_categories(const results *r, const base_point *base, figure_group *group, const category_sweep *s)
{
    names queries = points_queries(r), precisions = points_precisions(r);
    for (size_t q = 0; q < queries.n; q++)
        for (size_t k = 0; k < precisions.n; k++) {
            char heading[96];
            int own = 0, sweeps = 0, first = -1;
            heading_of(heading, sizeof heading, queries.s[q], precisions.s[k]);
            plot *p = plot_new(s->kind, heading, s->x_title, s->x_column, "nanoseconds per pair", "ns_per_pair");
            if (!p) {
                group->failed = 1;
                return;
            }
            for (size_t c = 0; s->by_family && c < CLASSES; c++)
                for (size_t i = 0; i < r->bench_count; i++)
                    if (!strcmp(r->bench[i].family, classes[c]) && s->belongs(base, &r->bench[i]))
                        plot_category(p, classes[c]);
            for (size_t i = 0; i < r->bench_count; i++) {
                const bench_row *row = &r->bench[i];
                if (strcmp(row->query, queries.s[q]) || !points_precision(r, row, precisions.s[k]) ||
                    !s->belongs(base, row))
                    continue;
                int at = plot_category(p, s->by_family ? row->family : row->workload);
                if (adds_to(r, base, row, precisions.s[k])) {
                    own = 1;
                    first = first < 0 ? at : first;
                    sweeps |= at != first;
                }
                if (at >= 0)
                    add_measured(series(r, p, row, precisions.s[k]), at, row, Y_TIME);
            }
            if (!own || (s->by_family && !sweeps)) {
                free(p);
                continue;
            }
            p->log_y = 1;
            plot_name(p, s->file, queries.s[q], precisions.s[k]);
            keep(group, p, strcmp(precisions.s[k], base->precision) != 0);
        }
}

static int in_classes(const base_point *base, const bench_row *row)
{
    return points_in_sweep(base, row, "families", VARY_CLASS);
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
    static const category_sweep s = {"class", "separation class", "family", PLOT_CURVES, in_classes, 1};
    build_categories(r, base, group, &s);
}

static void build_scenes(const results *r, const base_point *base, figure_group *group)
{
    static const category_sweep s = {"scenes", "recorded scene", "scene", PLOT_DOTS, in_scenes, 0};
    build_categories(r, base, group, &s);
}

static void build_kinds(const results *r, const base_point *base, figure_group *group)
{
    static const category_sweep s = {"kinds", "shape", "workload", PLOT_DOTS, in_kinds, 0};
    build_categories(r, base, group, &s);
}

/* Counts of one contender's errors of one kind, over all its rows. Returns their sum. */
static double sum_errors(const results *r, const char *query, const char *precision, const char *contender, int kind,
                         double bins[ERROR_BINS])
{
    double total = 0;
    memset(bins, 0, ERROR_BINS * sizeof *bins);
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *row = &r->verify[i];
        if (strcmp(row->query, query) || strcmp(row->precision, precision) || strcmp(row->contender, contender))
            continue;
        for (size_t b = 0; b < row->error_bins[kind]; b++) {
            bins[b] += row->errors[kind][b];
            total += row->errors[kind][b];
        }
    }
    return total;
}

static void build_errors(const results *r, const base_point *base, figure_group *group)
{
    static const char *const kinds[ERROR_KINDS] = {"", " normal", " witness"};
    static const plot_style ours[ERROR_KINDS] = {{1, 7, 1, 3}, {3, 9, 2, 1.5}, {4, 5, 4, 1.5}};
    names queries = points_queries(r), precisions = points_precisions(r), contenders = points_contenders(r);
    for (size_t q = 0; q < queries.n; q++)
        for (size_t k = 0; k < precisions.n; k++) {
            char heading[96];
            heading_of(heading, sizeof heading, queries.s[q], precisions.s[k]);
            plot *p = plot_new(PLOT_CURVES, heading, "error up to, in units of εS", "error_eps_up_to",
                               "share of graded answers", "share");
            for (size_t c = 0; p && c < contenders.n; c++) {
                int batch = !strcmp(contenders.s[c], "batch");
                for (int kind = 0; kind < (batch ? ERROR_KINDS : 1); kind++) {
                    double bins[ERROR_BINS];
                    double total = sum_errors(r, queries.s[q], precisions.s[k], contenders.s[c], kind, bins);
                    if (!(total > 0))
                        continue;
                    char label[64];
                    snprintf(label, sizeof label, "%.40s%s%s", contenders.s[c], kinds[kind],
                             results_does_more(r, contenders.s[c], queries.s[q]) ? " †" : "");
                    plot_line *line = plot_line_of(p, label, batch ? ours[kind]
                                                                   : plot_style_of(contenders.s[c], "", (int)c));
                    for (size_t b = 0; b < ERROR_BINS; b++)
                        plot_add(line, ldexp(1, (int)b - 4), bins[b] / total, NAN, NAN);
                }
            }
            if (p) {
                const gjb_query_row *row = gjb_query_find(queries.s[q]);
                p->log_x = p->log_y = p->legend = 1;
                plot_name(p, "errors", queries.s[q], precisions.s[k]);
                if (row) {
                    char label[32];
                    double tolerance = row->k[base->dim - 2][!strcmp(precisions.s[k], "f64")];
                    snprintf(label, sizeof label, "k = %g", tolerance);
                    plot_mark_at(p, tolerance, label);
                }
            }
            keep(group, p, strcmp(precisions.s[k], base->precision) != 0);
        }
}

static plot_style query_style(size_t q)
{
    static const plot_style styles[] = {{1, 7, 1, 2}, {4, 5, 1, 2}, {3, 9, 1, 2}, {6, 13, 1, 2}, {5, 11, 1, 2},
                                        {8, 15, 1, 2}};
    return styles[q % 6];
}

/* The widest backend of batch that was measured at the base point. */
static const char *widest(const results *r, const base_point *base)
{
    names backends = points_backends(r);
    const char *found = NULL;
    for (size_t b = 0; b < backends.n; b++)
        for (size_t i = 0; i < r->bench_count; i++)
            if (!strcmp(r->bench[i].backend, backends.s[b]) && points_in_sweep(base, &r->bench[i], "", VARY_NOTHING))
                found = backends.s[b];
    return found;
}

static int is_ours(const bench_row *row, const char *query, const char *precision)
{
    return !strcmp(row->contender, "batch") && !strcmp(row->query, query) && !strcmp(row->precision, precision);
}

static void build_lanes(const results *r, const base_point *base, figure_group *group)
{
    names queries = points_queries(r), backends = points_backends(r);
    const char *wide = widest(r, base);
    char heading[96];
    snprintf(heading, sizeof heading, "iterations, %.20s", base->precision);
    plot *steps = plot_new(PLOT_CURVES, heading, "iterations until the answer", "iterations", "share of pairs, %",
                           "share");
    snprintf(heading, sizeof heading, "lane occupancy by backend, %.20s", base->precision);
    plot *lanes = plot_new(PLOT_CURVES, heading, "backend", "backend", "lanes with work left, %", "occupancy");
    snprintf(heading, sizeof heading, "lane occupancy by class, %.20s %.20s", wide ? wide : "", base->precision);
    plot *family = plot_new(PLOT_CURVES, heading, "separation class", "family", "lanes with work left, %",
                            "occupancy");
    for (size_t b = 0; lanes && b < backends.n; b++)
        plot_category(lanes, backends.s[b]);
    for (size_t q = 0; steps && lanes && family && q < queries.n; q++) {
        series_name label = points_spaced(queries.s[q]);
        for (size_t i = 0; i < r->bench_count; i++) {
            const bench_row *row = &r->bench[i];
            if (!is_ours(row, queries.s[q], base->precision))
                continue;
            int at_base = points_in_sweep(base, row, "", VARY_NOTHING);
            int is_wide = wide && !strcmp(row->backend, wide);
            double total = 0;
            for (size_t b = 0; b < row->iteration_bins; b++)
                total += row->iterations[b];
            plot_line *line = at_base && is_wide && total > 0 ? plot_line_of(steps, label.s, query_style(q)) : NULL;
            for (size_t b = 0; line && b < row->iteration_bins; b++)
                if (row->iterations[b] > 0)
                    plot_add(line, (double)b, row->iterations[b] / total, NAN, NAN);
            int at = names_find(&backends, row->backend);
            if (at_base && at >= 0 && isfinite(row->occupancy))
                plot_add(plot_line_of(lanes, label.s, query_style(q)), at, row->occupancy, NAN, NAN);
            if (is_wide && isfinite(row->occupancy) && in_classes(base, row))
                for (size_t c = 0; c < CLASSES; c++) {
                    if (!family->category_count) /* every class keeps its place */
                        for (size_t d = 0; d < CLASSES; d++)
                            plot_category(family, classes[d]);
                    if (!strcmp(classes[c], row->family))
                        plot_add(plot_line_of(family, label.s, query_style(q)), (double)c, row->occupancy, NAN, NAN);
                }
        }
    }
    plot *const all[] = {steps, lanes, family};
    static const char *const files[] = {"iterations", "occupancy-backend", "occupancy-class"};
    for (size_t i = 0; i < 3; i++) {
        if (all[i]) {
            all[i]->y_unit = 0.01;
            all[i]->legend = all[i] == steps;
            plot_name(all[i], files[i], "", "");
        }
        keep(group, all[i], 0);
    }
}

const figure_group figure_groups[] = {
    {.id = "throughput", .title = "Throughput against the number of shapes",
     .lead = "Higher is better. Pairs in random order that touch every shape; transforming and packing are part of the "
             "time. Dotted lines mark where vertices and poses alone fill a cache: to the right of the last one, "
             "memory sets the pace.",
     .absent = "No sweep over shape counts in these results: run gjkbench bench --shapes 16,256,4k,64k,1M.",
     .build = build_throughput, .facts = facts_throughput},
    {.id = "speedup", .title = "What each backend gains over scalar",
     .lead = "The same source compiled per instruction set, at the base point. The line across a bar is the number of "
             "lanes: what perfect use of them would give. Packing, lanes that wait for their neighbours and memory "
             "take the rest; fewer, wider instructions can also give more.",
     .absent = "Needs the scalar backend and at least one other at the base point: run gjkbench bench without "
               "--backend.",
     .build = build_speedup},
    {.id = "vertices", .title = "Time against the number of vertices",
     .lead = "Lower is better. Both shapes of a pair have that many vertices.",
     .absent = "No sweep over vertex counts in these results: run gjkbench bench.",
     .build = build_vertices},
    {.id = "class", .title = "Time per separation class",
     .lead = "Lower is better. From far apart to one inside the other; mixed, about half overlapping, is the base "
             "point.",
     .absent = "No separation classes beside the base point in these results: run gjkbench bench.",
     .build = build_class},
    {.id = "kinds", .title = "Kinds of shape",
     .lead = "Lower is better. A radius turns a point into a circle or sphere, a segment into a capsule, and rounds "
             "the corners of the rest. Hulls of real things (real64: of at most 64 vertices) are there in 3D.",
     .absent = "No other kinds of shape in these results: run gjkbench bench.",
     .build = build_kinds},
    {.id = "call", .title = "Pairs per call",
     .lead = "Lower is better. How many pairs a caller must hand over at once before the lanes pay off.",
     .absent = "No sweep over pairs per call in these results: run gjkbench bench --batch 1,16,256,4k,64k.",
     .build = build_call, .facts = facts_call},
    {.id = "scenes", .title = "Recorded scenes",
     .lead = "Lower is better. Frames recorded from a physics engine, with the pairs that its broad phase handed over.",
     .absent = "No recorded scenes in these results: run gjkbench bench --workload with their names; where they are "
               "not found, GJKBENCH_DATA must name the data folder.",
     .build = build_scenes},
    {.id = "errors", .title = "How far answers are from the exact truth",
     .lead = "Each answer is held against an exact result or a proven interval, all families together. The unit is "
             "εS: ε is the unit roundoff of the precision, S the size of the pair. The dotted line is the published "
             "tolerance k: beyond it, an answer of ours is wrong. The last "
             "point gathers everything beyond.",
     .absent = "No error distributions in these results: run gjkbench verify --json verify.json and report that file "
               "too.",
     .build = build_errors},
    {.id = "lanes", .title = "Iterations and lane occupancy",
     .lead = "Why the lanes do not give their full number: pairs need different numbers of iterations, and a lane "
             "whose pair is done waits for its neighbours.",
     .absent = "These results carry no counts of iterations or lanes: run gjkbench bench.",
     .build = build_lanes},
    {.id = "threads", .title = "Threads",
     .lead = "Higher is better. The pairs of the base point spread over threads.",
     .absent = "No sweep over threads in these results: run gjkbench bench --threads 1,2,4.",
     .build = build_threads},
    {.id = NULL},
};

void figures_build(figure_group *group, const results *r, const base_point *base)
{
    group->build(r, base, group);
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
