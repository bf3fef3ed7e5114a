/* Ours against the fastest other contender that is right, at every place where both were timed. */
#include "reports/fastest_rivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"

static int same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static int same_place(const timed *a, const timed *b)
{
    return same(a->dim, b->dim) && same(a->shapes, b->shapes) && same(a->call, b->call) &&
           same(a->threads, b->threads) && !strcmp(a->query, b->query) && !strcmp(a->workload, b->workload) &&
           !strcmp(a->family, b->family);
}

static int same_precision(const timed *ours, const timed *other)
{
    return !*other->precision || !strcmp(ours->precision, other->precision);
}

static int one_precision(const results *r, const bench_row *row)
{
    for (size_t i = 0; i < r->bench_count; i++)
        if (strcmp(r->bench[i].precision, row->precision) && !strcmp(r->bench[i].contender, row->contender) &&
            !strcmp(r->bench[i].query, row->query) && same(r->bench[i].dim, row->dim))
            return 0;
    return 1;
}

static void add_points(const results *r, rivals *found)
{
    double call[4] = {NAN, NAN, NAN, NAN};
    for (uint32_t dim = 2; dim <= 3; dim++)
        call[dim] = points_base(r, dim).call;
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        const int batch = results_batch(row->contender),
                  sized = points_has_tag(row, "calls") || points_has_tag(row, "calls-kinds") ||
                          points_has_tag(row, "map-shapes");
        if (row->self_timed || (!batch && row->ours))
            continue;
        found->all[found->n++] = (timed){row->query,
                                         row->workload,
                                         row->family,
                                         row->contender,
                                         !batch && one_precision(r, row) ? "" : row->precision,
                                         row->dim,
                                         row->shapes,
                                         row->call,
                                         row->threads,
                                         timing_of(row),
                                         points_right(r, row),
                                         results_does_more(r, row->contender, row->query),
                                         sized && row->call < call[row->dim == 3 ? 3 : 2]};
    }
}

/* At most 0.1% wrong in the family, or off by more than 1e-3 S over all: the rule of points, from what a
 * league table keeps. */
static int right_in(const league_row *row, const char *family)
{
    const league_cell *cell = league_find(&row->families, family);
    if (cell && cell->value[LEAGUE_GRADED] > 0 &&
        cell->value[LEAGUE_WRONG] <= GJB_RIGHT_SHARE * cell->value[LEAGUE_GRADED])
        return 1;
    return row->graded > 0 && row->beyond_1e3 + row->hung + row->crashed <= GJB_RIGHT_SHARE * row->graded;
}

static void add_cells(const results *r, const league_row *row, const league_cells *cells,
                      const char *workload, const char *family, rivals *found)
{
    for (size_t c = 0; c < cells->n && strcmp(row->query, "sweep");
         c++) { /* of sweeps memory sets the pace */
        const char *name = cells->cells[c].name, *in = family ? family : name;
        const double *value = cells->cells[c].value;
        found->all[found->n++] = (timed){row->query,
                                         workload ? workload : name,
                                         in,
                                         row->contender,
                                         results_batch(row->contender) ? row->precision : "",
                                         row->dim,
                                         NAN,
                                         NAN,
                                         NAN,
                                         {value[LEAGUE_NS], value[LEAGUE_LOW], value[LEAGUE_HIGH], NAN},
                                         right_in(row, in),
                                         results_does_more(r, row->contender, row->query),
                                         0};
    }
}

static void add_league(const results *r, rivals *found)
{
    for (size_t i = 0; i < r->league_count; i++) {
        const league_row *row = &r->league[i];
        const char *workload = row->base.n ? row->base.cells[0].name : "";
        if (results_self_timed(r, row->contender) || (!results_batch(row->contender) && row->ours))
            continue;
        add_cells(r, row, &row->base, NULL, "mixed", found);
        add_cells(r, row, &row->classes, workload, NULL, found);
        add_cells(r, row, &row->box_classes, "box", NULL, found);
        add_cells(r, row, &row->vertices, NULL, "mixed", found);
    }
}

/* The fastest other that is right. */
static const timed *rival_of(const rivals *found, const timed *ours)
{
    const timed *best = NULL;
    for (size_t i = 0; i < found->n; i++) {
        const timed *other = &found->all[i];
        if (!results_batch(other->contender) && other->right && (!best || other->took.ns < best->took.ns) &&
            same_place(ours, other) && same_precision(ours, other))
            best = other;
    }
    return best;
}

/* Ours, right, and the fastest of ours at its place. */
static int leads(const rivals *found, const timed *ours)
{
    if (!results_batch(ours->contender) || !ours->right)
        return 0;
    for (size_t i = 0; i < found->n; i++) {
        const timed *other = &found->all[i];
        if (other != ours && results_batch(other->contender) && other->right &&
            (other->took.ns < ours->took.ns || (other->took.ns == ours->took.ns && other < ours)) &&
             same_place(ours, other) &&
            same_precision(ours, other))
            return 0;
    }
    return 1;
}

static void keep(const results *r, rival *kept, const timed *ours, const timed *other, int most)
{
    const ratio lead = ratio_between(r, other->took, ours->took);
    if (isfinite(lead.times) &&
        (!kept->ours || (most ? lead.times > kept->lead.times : lead.times < kept->lead.times)))
        *kept = (rival){ours, other, lead};
}

int rivals_find(const results *r, rivals *found)
{
    size_t room = r->bench_count + 1;
    for (size_t i = 0; i < r->league_count; i++)
        room += r->league[i].base.n + r->league[i].classes.n + r->league[i].box_classes.n +
                r->league[i].vertices.n;
    *found = (rivals){.all = calloc(room, sizeof *found->all)};
    if (!found->all)
        return -1;
    if (r->bench_count)
        add_points(r, found);
    else
        add_league(r, found);
    for (size_t i = 0; i < found->n; i++) {
        const timed *ours = &found->all[i];
        const timed *next = leads(found, ours) ? rival_of(found, ours) : NULL;
        if (!next)
            continue;
        keep(r, ours->small ? &found->small : &found->worst, ours, next, 0);
        if (ours->small)
            continue;
        found->places++;
        found->won += ours->took.ns < next->took.ns;
        keep(r, &found->best, ours, next, 1);
    }
    return 0;
}

void rivals_free(rivals *found)
{
    free(found->all);
    *found = (rivals){0};
}
