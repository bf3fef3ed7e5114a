/* Cells as text and as JSON. */
#include <math.h>
#include <string.h>

#include "bench/cells.h"
#include "core/query.h"

enum { COLUMNS = 9, CELL = 48, LINE = 100, RATIO = 0, RIVAL = COLUMNS - 1, WAY = 5 };

/* A line, and what its columns are called; the last is as wide as the line leaves room for. */
typedef struct line {
    char cell[COLUMNS][CELL];
} line;
static const line head = {{"ratio", "query", "workload", "family", "call", "ours", "ns", "its ns", "fastest right"}};
static const int to_the_right[COLUMNS] = {[RATIO] = 1, [4] = 1, [6] = 1, [7] = 1};
static const int most[COLUMNS] = {9, 18, 16, 13, 8, 12, 8, 8, CELL - 1};

static void call_text(const gjb_bench_case *point, char text[CELL])
{
    if (point->by_frame)
        snprintf(text, CELL, "frame");
    else
        snprintf(text, CELL, "%u", (unsigned)point->call);
}

/* Three digits: a clock tells no more. */
static void number_text(double value, char text[CELL])
{
    snprintf(text, CELL, "%.*f", value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2, value);
}

static line line_of(const gjb_cell *cell)
{
    const gjb_bench_case *p = &cell->ours->point;
    line l = {0};
    strcpy(l.cell[RATIO], "-");
    strcpy(l.cell[7], "-");
    snprintf(l.cell[1], CELL, "%ud %.40s", (unsigned)p->dim, gjb_queries[p->query].name);
    snprintf(l.cell[2], CELL, "%.47s", p->workload);
    snprintf(l.cell[3], CELL, "%.40s%s", p->family, gjb_cell_is_new(cell) ? ", new" : "");
    call_text(p, l.cell[4]);
    snprintf(l.cell[WAY], CELL, "%.32s %s", p->way.backend ? p->way.backend : p->way.contender->name,
             gjb_precision_name(p->scene_precision));
    number_text(cell->ours->ns.median, l.cell[6]);
    if (!cell->rival) {
        strcpy(l.cell[RIVAL], "no right peer");
        return l;
    }
    number_text(cell->ratio, l.cell[RATIO]);
    number_text(cell->rival->ns.median, l.cell[7]);
    snprintf(l.cell[RIVAL], CELL, "%s%.40s", cell->judged == GJB_NEARLY_RIGHT ? "~ " : "",
             cell->rival->point.way.contender->name);
    return l;
}

static void print_line(FILE *stream, const line *l, const int width[COLUMNS])
{
    int room = LINE;
    for (int i = 0; i < RIVAL; i++) {
        if (!width[i])
            continue;
        fprintf(stream, "%*.*s ", to_the_right[i] ? width[i] : -width[i], width[i], l->cell[i]);
        room -= width[i] + 1;
    }
    fprintf(stream, "%.*s\n", room, l->cell[RIVAL]);
}

/* As wide as what is in them; the way of ours only if there are several. */
static void find_widths(const gjb_cells *cells, int width[COLUMNS])
{
    int ways = 0;
    const line first = cells->count ? line_of(&cells->all[0]) : head;
    for (int k = 0; k < COLUMNS; k++)
        width[k] = (int)strlen(head.cell[k]);
    for (size_t i = 0; i < cells->count; i++) {
        const line l = line_of(&cells->all[i]);
        ways |= strcmp(l.cell[WAY], first.cell[WAY]) != 0;
        for (int k = 0; k < COLUMNS; k++) {
            const int length = (int)strlen(l.cell[k]);
            width[k] = length <= width[k] ? width[k] : length < most[k] ? length : most[k];
        }
    }
    if (!ways)
        width[WAY] = 0;
}

static void print_counts(const gjb_cells *cells, FILE *stream, const gjb_bench_paint *paint)
{
    fprintf(stream, "%s%zu cells:%s %s%zu lost%s, %zu below 4 times as fast, %zu without a right peer\n", paint->title,
            cells->count, paint->plain, cells->lost ? paint->bad : paint->good, cells->lost, paint->plain,
            cells->below_4, cells->no_peer);
}

static void print_mean(const gjb_recorded_mean *mean, const char *scenes, FILE *stream)
{
    char ratio[CELL];
    if (!mean->cells)
        return;
    number_text(mean->ratio, ratio);
    fprintf(stream, "recorded scenes, %s: geometric mean %s, of %zu cells with a right peer\n", scenes, ratio,
            mean->cells);
}

void gjb_cells_print(const gjb_cells *cells, FILE *stream, const gjb_bench_paint *paint)
{
    int width[COLUMNS];
    find_widths(cells, width);
    if (cells->count && !width[WAY])
        fprintf(stream, "ours: batch, %s\n", line_of(&cells->all[0]).cell[WAY]);
    fputs(paint->title, stream);
    print_line(stream, &head, width);
    fputs(paint->plain, stream);
    for (size_t i = 0; i < cells->count; i++) {
        const line l = line_of(&cells->all[i]);
        print_line(stream, &l, width);
    }
    print_counts(cells, stream, paint);
    print_mean(&cells->first, "the first six", stream);
    print_mean(&cells->recent, "the new ones", stream);
    fputs("ratio: times as fast as the fastest other contender that is right: off by more than 1e-3 S in at\n"
          "most 0.1% of its graded answers (a time of impact: by more than it documents); of its other\n"
          "families if none of a cell can be graded.\n"
          "~: none is right: the fastest that is off in at most 1%. No right peer: nor is there one of these;\n"
          "such a cell is not won.\n",
          stream);
}

static json_t *cell_json(const gjb_cell *cell)
{
    const gjb_bench_case *p = &cell->ours->point;
    char call[CELL];
    call_text(p, call);
    json_t *o = json_pack("{si ss ss ss ss sI ss ss sf ss}", "dim", (int)p->dim, "query", gjb_queries[p->query].name,
                          "workload", p->workload, "family", p->family, "call", call, "pairs_per_call",
                          (json_int_t)p->call, "precision", gjb_precision_name(p->scene_precision), "backend",
                          p->way.backend ? p->way.backend : "-", "ours_ns", cell->ours->ns.median, "judged",
                          gjb_judged_name(cell->judged));
    const gjb_measurement *rival = cell->rival;
    if (o && p->recorded)
        json_object_set_new(o, "recorded", json_string(gjb_cell_is_new(cell) ? "new" : "first"));
    if (!o || !rival)
        return o;
    json_t *more = json_pack("{ss ss sf sf sf}", "rival", rival->point.way.contender->name, "rival_precision",
                             gjb_precision_name(rival->point.precision), "rival_ns", rival->ns.median, "ratio",
                             cell->ratio, "wrong_share", cell->wrong);
    json_object_update(o, more);
    json_decref(more);
    return o;
}

/* NULL, which json_object_set_new refuses, only out of memory. */
static json_t *mean_json(const gjb_recorded_mean *mean)
{
    json_t *o = json_pack("{sI}", "cells", (json_int_t)mean->cells);
    if (o && mean->cells)
        json_object_set_new(o, "geometric_mean", json_real(mean->ratio));
    return o;
}

int gjb_cells_add_json(const gjb_cells *cells, json_t *root)
{
    json_t *all = json_array();
    int failed = 0;
    for (size_t i = 0; i < cells->count; i++)
        failed |= json_array_append_new(all, cell_json(&cells->all[i]));
    failed |= json_object_set_new(root, "cells", all);
    failed |= json_object_set_new(
        root, "summary",
        json_pack("{sI sI sI sI so so}", "cells", (json_int_t)cells->count, "lost", (json_int_t)cells->lost, "below_4",
                  (json_int_t)cells->below_4, "no_right_peer", (json_int_t)cells->no_peer, "recorded_first",
                  mean_json(&cells->first), "recorded_new", mean_json(&cells->recent)));
    return failed ? -1 : 0;
}
