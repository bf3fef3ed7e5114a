/* Drawings of speed-ups by backend, errors of answers, and iterations next to lanes in use. */
#include "reports/figures/figures_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/query.h"
#include "reports/ratios.h"

/* ---- what each backend gains ---- */

static int is_ours(const bench_row *row, const char *query, const char *precision)
{
    return results_batch(row->contender) && !strcmp(row->query, query) && !strcmp(row->precision, precision);
}

static const bench_row *scalar_row(const results *r, const base_point *base, const char *query,
                                   const char *precision)
{
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        if (is_ours(row, query, precision) && !strcmp(row->backend, "scalar") &&
            points_in_sweep(base, row, "", VARY_NOTHING))
            return row;
    }
    return NULL;
}

/* The bars of one precision, against its own scalar. */
static void add_speedups(const results *r, const base_point *base, const char *query, const char *precision,
                         plot_style style, plot *p)
{
    const bench_row *scalar = scalar_row(r, base, query, precision);
    names backends = points_backends(r);
    for (size_t i = 0; scalar && i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        int at = names_find(&backends, row->backend), lanes = points_lanes(row->backend, row->precision);
        if (at < 0 || !is_ours(row, query, precision) || !points_in_sweep(base, row, "", VARY_NOTHING))
            continue;
        plot_line *line = plot_line_of(p, precision, style);
        size_t before = line ? line->n : 0;
        const ratio q = ratio_of(r, scalar, row);
        plot_add(line, at, q.times, q.low, q.high);
        if (line && line->n > before && lanes > 1)
            line->ideal[before] = lanes;
    }
}

void figures_speedup(const results *r, const base_point *base, figure_group *group)
{
    names queries = points_queries(r), precisions = points_precisions(r), backends = points_backends(r);
    for (size_t q = 0; q < queries.n && backends.n > 1; q++) {
        char heading[HEADING];
        figures_heading(heading, queries.s[q], precisions.n == 1 ? precisions.s[0] : "");
        plot *p = plot_new(PLOT_BARS, heading, "backend", "backend", "times as fast as one scalar lane",
                           "speedup");
        for (size_t b = 0; p && b < backends.n; b++)
            plot_category(p, backends.s[b]);
        for (size_t k = 0; p && k < precisions.n; k++)
            add_speedups(r, base, queries.s[q], precisions.s[k], (plot_style){k ? 4 : 1, 5, 1, 1}, p);
        if (p)
            plot_name(p, "speedup", queries.s[q], "");
        figures_keep(group, p, 0);
    }
}

/* ---- how far answers are off ---- */

/* Counts of one contender's errors of one kind, over all its rows. Returns their sum. */
static double sum_errors(const results *r, const char *query, const char *precision, const char *contender,
                         int kind,
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

/* The errors of one contender: of ours in vectors too. */
static void add_errors(const drawing *d, const char *contender, int index, plot *p)
{
    static const char *const kinds[ERROR_KINDS] = {"", " normal", " witness"};
    static const plot_style ours[ERROR_KINDS] = {{1, 7, 1, 3}, {3, 9, 2, 1.5}, {4, 5, 4, 1.5}};
    int batch = results_batch(contender);
    for (int kind = 0; kind < (batch ? ERROR_KINDS : 1); kind++) {
        char label[64];
        double bins[ERROR_BINS], total = sum_errors(d->r, d->query, d->precision, contender, kind, bins);
        if (!(total > 0))
            continue;
        snprintf(label, sizeof label, "%.40s%s%s", contender, kinds[kind],
                 results_does_more(d->r, contender, d->query) ? " †" : "");
        plot_line *line = plot_line_of(p, label, batch ? ours[kind] : plot_style_of(contender, "", index));
        for (size_t b = 0; b + 1 < ERROR_BINS; b++) { /* what lies in later bins */
            double share = 0;
            for (size_t after = b + 1; after < ERROR_BINS; after++)
                share += bins[after];
            plot_add(line, ldexp(1, (int)b - 4), share / total, NAN, NAN);
        }
    }
}

static plot *draw_errors(const drawing *d, const void *what, int *shows)
{
    (void)what;
    (void)shows;
    names contenders = points_contenders(d->r);
    const gjb_query_row *query = gjb_query_find(d->query);
    char heading[HEADING];
    figures_heading(heading, d->query, d->precision);
    plot *p = plot_new(PLOT_CURVES, heading, "error, in units of εS", "error_eps",
                       "share of graded answers further off", "share_beyond");
    if (!p)
        return NULL;
    for (size_t c = 0; c < contenders.n; c++)
        add_errors(d, contenders.s[c], (int)c, p);
    p->log_x = p->log_y = p->legend = 1;
    plot_name(p, "errors", d->query, d->precision);
    if (query) {
        char label[32];
        double tolerance = query->k[d->base->dim - 2][!strcmp(d->precision, "f64")];
        snprintf(label, sizeof label, "k = %g", tolerance);
        plot_mark_at(p, tolerance, label);
    }
    return p;
}

void figures_errors(const results *r, const base_point *base, figure_group *group)
{
    figures_each(r, base, group, draw_errors, NULL);
}

/* ---- iterations and lanes ---- */

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
            if (!strcmp(r->bench[i].backend, backends.s[b]) &&
                points_in_sweep(base, &r->bench[i], "", VARY_NOTHING))
                found = backends.s[b];
    return found;
}

static void add_iterations(plot_line *line, const bench_row *row)
{
    double total = 0;
    for (size_t b = 0; b < row->iteration_bins; b++)
        total += row->iterations[b];
    for (size_t b = 0; b < row->iteration_bins; b++)
        if (row->iterations[b] > 0)
            plot_add(line, (double)b, row->iterations[b] / total, NAN, NAN);
}

static int has_iterations(const bench_row *row)
{
    for (size_t b = 0; b < row->iteration_bins; b++)
        if (row->iterations[b] > 0)
            return 1;
    return 0;
}

static void add_class(plot *p, const char *label, plot_style style, const bench_row *row)
{
    for (size_t c = 0; c < CLASSES; c++) {
        if (p->category_count < CLASSES) /* every class keeps its place */
            plot_category(p, figures_classes[c]);
        if (!strcmp(figures_classes[c], row->family))
            plot_add(plot_line_of(p, label, style), (double)c, row->occupancy, NAN, NAN);
    }
}

enum { BY_ITERATIONS, BY_BACKEND, BY_CLASS, LANE_PLOTS };

static void add_lanes(const results *r, const base_point *base, const char *query, plot_style style,
                      plot *const plots[LANE_PLOTS])
{
    names backends = points_backends(r);
    const char *wide = widest(r, base);
    series_name label = points_spaced(query);
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        if (!is_ours(row, query, base->precision))
            continue;
        int at_base = points_in_sweep(base, row, "", VARY_NOTHING), at = names_find(&backends, row->backend);
        int is_wide = wide && !strcmp(row->backend, wide);
        if (at_base && is_wide && has_iterations(row))
            add_iterations(plot_line_of(plots[BY_ITERATIONS], label.s, style), row);
        if (at_base && at >= 0 && isfinite(row->occupancy))
            plot_add(plot_line_of(plots[BY_BACKEND], label.s, style), at, row->occupancy, NAN, NAN);
        if (is_wide && isfinite(row->occupancy) && figures_in_classes(base, row))
            add_class(plots[BY_CLASS], label.s, style, row);
    }
}

void figures_lanes(const results *r, const base_point *base, figure_group *group)
{
    static const char *const files[LANE_PLOTS] = {"iterations", "occupancy-backend", "occupancy-class"};
    static const char *const idle = "lanes with work left, %";
    names queries = points_queries(r), backends = points_backends(r);
    const char *wide = widest(r, base);
    plot *plots[LANE_PLOTS];
    char heading[HEADING];
    snprintf(heading, sizeof heading, "iterations, %.20s", base->precision);
    plots[BY_ITERATIONS] = plot_new(PLOT_CURVES, heading, "iterations until the answer", "iterations",
                                    "share of pairs, %", "share");
    snprintf(heading, sizeof heading, "lane occupancy by backend, %.20s", base->precision);
    plots[BY_BACKEND] = plot_new(PLOT_CURVES, heading, "backend", "backend", idle, "occupancy");
    snprintf(heading, sizeof heading, "lane occupancy by class, %.20s %.20s", wide ? wide : "",
             base->precision);
    plots[BY_CLASS] = plot_new(PLOT_CURVES, heading, "separation class", "family", idle, "occupancy");
    int failed = !plots[BY_ITERATIONS] || !plots[BY_BACKEND] || !plots[BY_CLASS];
    for (size_t b = 0; !failed && b < backends.n; b++)
        plot_category(plots[BY_BACKEND], backends.s[b]);
    for (size_t q = 0; !failed && q < queries.n; q++)
        add_lanes(r, base, queries.s[q], query_style(q), plots);
    for (size_t i = 0; i < LANE_PLOTS; i++) {
        if (plots[i]) {
            plots[i]->y_unit = 0.01;
            plots[i]->legend = i == BY_ITERATIONS;
            plot_name(plots[i], files[i], "", "");
        }
        figures_keep(group, plots[i], 0);
    }
}
