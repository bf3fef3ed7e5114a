/* Maps of the fastest right contender over two factors, with and without the batched kernels. */
#include "reports/figures/figures_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/ratios.h"

/* One thing that varies: its places in order, each a number to sort by and a name. */
typedef struct axis {
    const char *title, *column;
    double (*key)(const bench_row *row);
    void (*name)(const bench_row *row, char name[40]);
} axis;

typedef struct places {
    size_t n;
    double key[PLOT_ROWS];
    char name[PLOT_ROWS][40];
} places;

/* Where two things vary: the sweep that has both, or the rows of any that do. */
typedef struct map {
    const char *tag; /* and the name of its files */
    vary varies;
    axis x, y;
} map;

static double key_class(const bench_row *row)
{
    for (int c = 0; c < CLASSES; c++)
        if (!strcmp(figures_classes[c], row->family))
            return c;
    return NAN;
}

static double key_vertices(const bench_row *row)
{
    return row->vertices;
}
static double key_shapes(const bench_row *row)
{
    return row->shapes;
}
static double key_call(const bench_row *row)
{
    return row->call;
}

static void name_class(const bench_row *row, char name[40])
{
    snprintf(name, 40, "%.39s", row->family);
}

/* The number says it if every row has the same kind; a box is not a hull. */
static void name_vertices(const bench_row *row, char name[40])
{
    const int numbered = strpbrk(row->workload, "0123456789") != NULL;
    if (numbered)
        snprintf(name, 40, "%.0f", row->vertices);
    else
        snprintf(name, 40, "%.39s", row->workload);
}

static void name_shapes(const bench_row *row, char name[40])
{
    snprintf(name, 40, "%.0f", row->shapes);
}
static void name_call(const bench_row *row, char name[40])
{
    snprintf(name, 40, "%.0f", row->call);
}

static const map maps[] = {
    {"map-vertices",
     VARY_VERTICES | VARY_CLASS,
     {"separation class", "family", key_class, name_class},
     {"vertices per shape", "vertices", key_vertices, name_vertices}},
    {"map-shapes",
     VARY_SHAPES | VARY_CALL,
     {"shapes in the scene", "shapes", key_shapes, name_shapes},
     {"pairs per call", "pairs_per_call", key_call, name_call}},
};
enum { MAPS = sizeof maps / sizeof *maps };

/* Has the sweep been taken at all? Otherwise rows that were asked for one by one may make a map too. */
static int has_sweep(const results *r, const map *m)
{
    for (size_t i = 0; i < r->bench_count; i++)
        if (points_has_tag(&r->bench[i], m->tag))
            return 1;
    return 0;
}

static int belongs(const drawing *d, const map *m, int swept, const bench_row *row)
{
    return !strcmp(row->query, d->query) &&
           (swept ? points_has_tag(row, m->tag) : points_in_sweep(d->base, row, "", m->varies)) &&
           isfinite(m->x.key(row)) && isfinite(m->y.key(row)) && points_precision(row, d->precision);
}

static void add_place(places *all, const axis *a, const bench_row *row)
{
    char name[40];
    const double key = a->key(row);
    size_t at = 0;
    a->name(row, name);
    for (size_t i = 0; i < all->n; i++)
        if (!strcmp(all->name[i], name))
            return;
    if (all->n == PLOT_ROWS)
        return;
    while (at < all->n && all->key[at] <= key)
        at++;
    for (size_t i = all->n++; i > at; i--) {
        all->key[i] = all->key[i - 1];
        memcpy(all->name[i], all->name[i - 1], sizeof all->name[0]);
    }
    all->key[at] = key;
    memcpy(all->name[at], name, sizeof name);
}

static int is_at(const axis *a, const bench_row *row, const char *place)
{
    char name[40];
    a->name(row, name);
    return !strcmp(name, place);
}

/* The fastest right row at a place, of another contender than `but` (NULL: any). Sets *seen if there is
 * any row, and *asked if there is one of a contender that counts. */
static const bench_row *fastest_at(const drawing *d, const map *m, int swept, int ours, const char *x,
                                   const char *y, const char *but, int *seen, int *asked)
{
    const bench_row *best = NULL;
    for (size_t i = 0; i < d->r->bench_count; i++) {
        const bench_row *row = &d->r->bench[i];
        if (!belongs(d, m, swept, row) || !is_at(&m->x, row, x) || !is_at(&m->y, row, y))
            continue;
        *seen = 1;
        if (!ours && row->ours)
            continue;
        *asked = 1;
        if (points_right(d->r, row) && (!but || strcmp(but, row->contender)) && (!best || row->ns < best->ns))
            best = row;
    }
    return best;
}

static void put_who(const results *r, const bench_row *row, char who[40])
{
    snprintf(who, 40, "%.34s%s", row->contender,
             results_does_more(r, row->contender, row->query) ? " †" : "");
}

static void add_cell(const drawing *d, const map *m, int swept, int ours, size_t x, size_t y, plot *p)
{
    int seen = 0, asked = 0;
    const bench_row *best = fastest_at(d, m, swept, ours, p->categories[x], p->rows[y], NULL, &seen, &asked);
    if (!seen || p->cell_count == PLOT_CELLS)
        return;
    plot_cell *cell = &p->cells[p->cell_count++];
    *cell = (plot_cell){.x = x, .y = y, .value = NAN, .lead = {.times = NAN}, .asked = asked};
    if (!best)
        return;
    const bench_row *next =
        fastest_at(d, m, swept, ours, p->categories[x], p->rows[y], best->contender, &seen, &asked);
    put_who(d->r, best, cell->best);
    /* One that has no look of its own keeps its colour from cell to cell and map to map. */
    const names all = points_contenders(d->r);
    cell->colour = plot_style_of(best->contender, best->backend, names_find(&all, best->contender)).colour;
    if (cell->colour < 1 || cell->colour > 9)
        cell->colour = 8;
    cell->value = best->ns;
    if (next) {
        put_who(d->r, next, cell->next);
        cell->lead = ratio_of(d->r, next, best);
        cell->tied = best->high >= next->low;
    }
}

/* Every place of one map; NULL out of memory, `shows` 0 if one of the two things does not vary, or hardly
 * with the other. */
static plot *draw_map(const drawing *d, const map *m, int ours, int *shows)
{
    const int swept = has_sweep(d->r, m);
    places x = {0}, y = {0};
    char heading[HEADING];
    series_name query = points_spaced(d->query);
    for (size_t i = 0; i < d->r->bench_count; i++)
        if (belongs(d, m, swept, &d->r->bench[i])) {
            add_place(&x, &m->x, &d->r->bench[i]);
            add_place(&y, &m->y, &d->r->bench[i]);
        }
    snprintf(heading, sizeof heading, "%.30s, %.10s%s", query.s, d->precision, ours ? "" : ", without ours");
    plot *p = plot_new(PLOT_MAP, heading, m->x.title, m->x.column, m->y.title, m->y.column);
    *shows = x.n > 1 && y.n > 1;
    if (!p || !*shows)
        return p;
    for (size_t i = 0; i < x.n; i++)
        plot_category(p, x.name[i]);
    for (; p->row_count < y.n; p->row_count++)
        memcpy(p->rows[p->row_count], y.name[p->row_count], sizeof p->rows[0]);
    for (size_t i = 0; i < p->category_count; i++)
        for (size_t k = 0; k < p->row_count; k++)
            add_cell(d, m, swept, ours, i, k, p);
    *shows = 2 * p->cell_count > x.n * y.n;
    char file[40];
    snprintf(file, sizeof file, "%s%s", m->tag, ours ? "" : "-others");
    plot_name(p, file, d->query, d->precision);
    return p;
}

/* Those of all queries next to each other, then the same without ours. */
void figures_maps(const results *r, const base_point *base, figure_group *group)
{
    names queries = points_queries(r);
    for (size_t m = 0; m < MAPS; m++)
        for (int ours = 1; ours >= 0; ours--)
            for (size_t q = 0; q < queries.n; q++) {
                const drawing d = {r, base, queries.s[q], base->precision};
                int shows = 1;
                plot *p = draw_map(&d, &maps[m], ours, &shows);
                if (p && !shows)
                    free(p);
                else
                    figures_keep(group, p, 0);
            }
}
