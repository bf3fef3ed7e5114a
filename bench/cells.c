/* Ranks cells: finds the rival of each row of ours, and sorts by the ratio of their times. */
#include "bench/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/program/program.h"
#include "contenders/recorded.h"
#include "core/query.h"

const char *gjb_judged_name(gjb_judged judged)
{
    static const char *const names[GJB_JUDGEMENTS] = {"none", "1% off", "right"};
    return names[judged];
}

/* By what is known of it; a contender of which nothing was graded is no peer. */
static gjb_judged judge(double share)
{
    return share <= GJB_RIGHT_SHARE ? GJB_RIGHT_PEER : share <= GJB_NEARLY_RIGHT_SHARE ? GJB_NEARLY_RIGHT : GJB_NO_PEER;
}

static gjb_cell cell_of(const gjb_bench *bench, const gjb_measurement *ours)
{
    gjb_cell cell = {.ours = ours, .wrong = NAN, .ratio = NAN};
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *row = &bench->rows[i];
        if (row->point.way.contender->ours || gjb_is_self_timed(row->point.way.contender) ||
            !gjb_bench_same_question(row, ours))
            continue;
        const double share = gjb_bench_wrong_share(bench, row);
        const gjb_judged judged = judge(share);
        if (!judged || judged < cell.judged || (judged == cell.judged && row->ns.median >= cell.rival->ns.median))
            continue;
        cell = (gjb_cell){ours, row, judged, share, row->ns.median / ours->ns.median};
    }
    return cell;
}

static int by_ratio(const void *left, const void *right)
{
    const gjb_cell *a = left, *b = right;
    if (!a->rival != !b->rival)
        return !a->rival - !b->rival;
    if (a->rival && a->ratio != b->ratio)
        return a->ratio < b->ratio ? -1 : 1;
    return (a->ours > b->ours) - (a->ours < b->ours);
}

static int is_ours(const gjb_measurement *row)
{
    const gjb_contender *contender = row->point.way.contender;
    return contender->ours && !row->point.start && strcmp(contender->name, "reference") != 0;
}

int gjb_cell_is_new(const gjb_cell *cell)
{
    const gjb_bench_case *point = &cell->ours->point;
    const gjb_recorded *recorded = point->recorded ? gjb_recorded_find(point->workload) : NULL;
    return recorded && recorded->is_new;
}

static gjb_recorded_mean mean_of(const gjb_cells *cells, int is_new)
{
    gjb_recorded_mean mean = {0, NAN};
    double sum = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const gjb_cell *cell = &cells->all[i];
        if (!cell->ours->point.recorded || cell->judged != GJB_RIGHT_PEER || gjb_cell_is_new(cell) != is_new)
            continue;
        mean.cells++;
        sum += log(cell->ratio);
    }
    if (mean.cells)
        mean.ratio = exp(sum / (double)mean.cells);
    return mean;
}

int gjb_cells_rank(gjb_cells *cells, const gjb_bench *bench)
{
    cells->all = malloc((bench->count + 1) * sizeof *cells->all);
    if (!cells->all)
        return -1;
    for (size_t i = 0; i < bench->count; i++)
        if (is_ours(&bench->rows[i]))
            cells->all[cells->count++] = cell_of(bench, &bench->rows[i]);
    qsort(cells->all, cells->count, sizeof *cells->all, by_ratio);
    for (size_t i = 0; i < cells->count; i++) {
        cells->lost += cells->all[i].ratio < 1;
        cells->below_4 += cells->all[i].ratio < 4;
        cells->no_peer += !cells->all[i].rival;
    }
    cells->first = mean_of(cells, 0);
    cells->recent = mean_of(cells, 1);
    return 0;
}

void gjb_cells_free(gjb_cells *cells)
{
    free(cells->all);
    *cells = (gjb_cells){0};
}
