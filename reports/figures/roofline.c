/* Rooflines: measured throughput against what memory and the arithmetic of supports allow. */
#include "reports/figures/figures_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/ratios.h"

/* What the vertices and poses of all shapes take, in bytes. */
static double scene_bytes(const base_point *base, const bench_row *row)
{
    const double number = strcmp(row->precision, "f64") ? 4 : 8, pose = base->dim == 3 ? 7 : 4;
    return row->shapes * (base->dim * row->vertices + pose) * number;
}

static double field_of(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Random lines a second that memory gave from the largest measured buffer of no more than `bytes`, which a larger
 * scene cannot be given sooner; or else from the smallest. NaN if none was measured. */
static double lines_for(json_t *rows, double bytes)
{
    double lines = NAN, best = NAN;
    json_t *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const double size = field_of(row, "bytes"), rate = field_of(row, "lines_per_second");
        const int within = size <= bytes, was = best <= bytes;
        if (!(size > 0) || !(rate > 0))
            continue;
        if (isnan(best) || (within && (!was || size > best)) || (!within && !was && size < best)) {
            best = size;
            lines = rate;
        }
    }
    return lines;
}

static int is_ours(const drawing *d, const bench_row *row, const char *backend)
{
    return results_batch(row->contender) && !strcmp(row->query, d->query) &&
           !strcmp(row->backend, backend) && !strcmp(row->precision, d->precision) && row->random_lines > 0 &&
           row->shapes > 0;
}

/* The most shapes of the sweep over them: between these and the base point there is nothing new to see. */
static double most_shapes(const drawing *d, const char *backend)
{
    double most = 0;
    for (size_t i = 0; i < d->r->bench_count; i++)
        if (is_ours(d, &d->r->bench[i], backend) &&
            points_in_sweep(d->base, &d->r->bench[i], "shapes", VARY_SHAPES))
            most = fmax(most, d->r->bench[i].shapes);
    return most;
}

static int belongs(const drawing *d, const bench_row *row, const char *backend, double most)
{
    return is_ours(d, row, backend) &&
           (points_in_sweep(d->base, row, "vertices", VARY_VERTICES) ||
            (row->shapes == most && points_in_sweep(d->base, row, "shapes", VARY_SHAPES)));
}

/* A series by the number of shapes: what varies along it is the number of vertices. */
static void add_point(plot *p, const bench_row *row)
{
    static const plot_style looks[] = {{1, 7, 1, 2},  {3, 5, 1, 2},  {4, 9, 1, 2},
                                       {5, 11, 1, 2}, {6, 13, 1, 2}, {9, 15, 1, 2}};
    char label[40];
    number n;
    snprintf(label, sizeof label, "%s shapes", number_count(&n, row->shapes));
    plot_add(plot_line_of(p, label, looks[p->line_count % 6]), row->random_lines, row->pairs_per_second,
             row->pairs_per_second * row->ns / row->high, row->pairs_per_second * row->ns / row->low);
}

static void add_roofs(json_t *rows, double from, double to, plot *p)
{
    json_t *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const double size = field_of(row, "bytes"), rate = field_of(row, "lines_per_second");
        char label[40];
        number n;
        if (!(size > 0) || !(rate > 0))
            continue;
        snprintf(label, sizeof label, "roof, %s", number_bytes(&n, size));
        plot_line *line = plot_line_of(p, label, (plot_style){COLOUR_MUTED, 0, (int)(i % 4) + 1, 1});
        plot_add(line, from, rate / from, NAN, NAN);
        plot_add(line, to, rate / to, NAN, NAN);
    }
}

/* Pairs a second, were the arithmetic of supports all that a pair takes: each iteration looks at the vertices of both.
 * NaN if that was not measured. */
static double ports_for(const drawing *d, const bench_row *row)
{
    json_t *rows = results_context(d->r, "port_ceiling"), *one;
    size_t i;
    json_array_foreach(rows, i, one)
    {
        const char *backend = json_string_value(json_object_get(one, "backend")),
                   *precision = json_string_value(json_object_get(one, "precision"));
        if (backend && precision && !strcmp(backend, row->backend) && !strcmp(precision, row->precision) &&
            field_of(one, "dim") == d->base->dim)
            return field_of(one, "vertices_per_second") / (2 * row->vertices * row->mean_iterations);
    }
    return NAN;
}

static void add_ports(const drawing *d, const bench_row *row, plot *p)
{
    const double roof = ports_for(d, row);
    if (roof > 0 && isfinite(roof))
        plot_add(plot_line_of(p, "roof, arithmetic", (plot_style){COLOUR_MUTED, 10, 1, 1}), row->random_lines, roof, NAN, NAN);
}

static void say_nearest(const bench_row *row, double share, plot *p)
{
    number shapes, percent, lines;
    if (row && share > 1)
        snprintf(p->caption, sizeof p->caption,
                 "A roof was measured too low, or the machine was disturbed while it was: %.40s with %s shapes is above it.",
                 row->workload, number_count(&shapes, row->shapes));
    else if (row)
        snprintf(p->caption, sizeof p->caption,
                 "Nearest to its roof: %.40s with %s shapes, at %s%% of what memory and arithmetic allow at %s random "
                 "lines a pair.",
                 row->workload, number_count(&shapes, row->shapes), number_figures(&percent, 100 * share),
                 number_short(&lines, row->random_lines));
}

static plot *draw_roof(const drawing *d, const void *what, int *shows)
{
    (void)what;
    const bench_row *widest = points_fastest(d->r, d->base, d->query, "batch"), *nearest = NULL;
    json_t *rows = json_object_get(results_context(d->r, "memory_ceiling"), "rows");
    double from = INFINITY, to = 0, nearness = 0;
    size_t points = 0; /* two would draw roofs with next to nothing below them */
    const double most = widest ? most_shapes(d, widest->backend) : 0;
    char heading[HEADING];
    figures_heading(heading, d->query, d->precision);
    plot *p = plot_new(PLOT_DOTS, heading, "random cache lines a pair needs", "lines_per_pair",
                       "million pairs per second", "pairs_per_second");
    for (size_t i = 0; p && widest && i < d->r->bench_count; i++) {
        const bench_row *row = &d->r->bench[i];
        if (!belongs(d, row, widest->backend, most))
            continue;
        double roof = lines_for(rows, scene_bytes(d->base, row)) / row->random_lines;
        roof = fmin(roof, isfinite(ports_for(d, row)) ? ports_for(d, row) : roof);
        points++;
        from = fmin(from, row->random_lines);
        to = fmax(to, row->random_lines);
        add_point(p, row);
        add_ports(d, row, p);
        if (row->pairs_per_second / roof > nearness) {
            nearness = row->pairs_per_second / roof;
            nearest = row;
        }
    }
    *shows = points > 2 && to > from && json_array_size(rows);
    if (!p || !*shows)
        return p;
    add_roofs(rows, from, to, p);
    p->log_x = p->log_y = 1;
    p->y_unit = 1e6;
    if (nearest)
        p->doubt = ratio_between(NULL, timing_exact(nearest->ns * nearness), timing_of(nearest));
    plot_name(p, "roof", d->query, d->precision);
    say_nearest(nearest, nearness, p);
    return p;
}

void figures_roofline(const results *r, const base_point *base, figure_group *group)
{
    figures_each(r, base, group, draw_roof, NULL);
}
