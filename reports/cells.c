/* Cells of `bench --cells`: ours against the fastest right contender, worst first, with what is lost. */
#include "reports/ratios.h"
#include "reports/tables.h"

#include <math.h>
#include <string.h>

/* On the page itself: what is below is won by far. */
enum { SHOWN_CELLS = 100 };

static int has_peer(const cell_row *cell)
{
    return isfinite(cell->ratio);
}

static void counts(const results *r, text *page)
{
    size_t lost = 0, below = 0, alone = 0;
    for (size_t i = 0; i < r->cell_count; i++) {
        lost += r->cells[i].ratio < 1;
        below += r->cells[i].ratio < 4;
        alone += !has_peer(&r->cells[i]);
    }
    number a, b, c, d;
    text_format(page,
                "<p class=\"lead\">Every query, workload, family and call size, ours against the fastest other "
                "contender that is right there, worst first. Of %s cells <b%s>%s</b> %s lost and %s %s below 4 times "
                "as fast; %s without a right peer %s counted apart, and not as won.</p>",
                number_count(&a, (double)r->cell_count), lost ? " class=\"amiss\"" : "", number_count(&b, (double)lost),
                lost == 1 ? "is" : "are", number_count(&c, (double)below), below == 1 ? "is" : "are",
                number_count(&d, (double)alone), alone == 1 ? "is" : "are");
}

static void cell_line(const results *r, const cell_row *cell, int on_page, table *t)
{
    number n;
    table_row_begin(t, on_page ? TABLE_BODY : TABLE_UNSEEN);
    table_cell_begin(t, TABLE_NUMBER | (cell->ratio < 1 ? TABLE_BAD : 0), 1, NULL);
    if (has_peer(cell))
        table_ratio(t, ratio_between(r, timing_exact(cell->rival_ns), timing_exact(cell->ours_ns)), RATIO_FIGURES);
    else
        table_say(t, "–");
    table_put(t, TABLE_TITLE, "%.0fD %s", cell->dim, points_spaced(cell->query).s);
    table_put(t, 0, "%s", cell->workload);
    table_put(t, 0, "%s%s", cell->family, strcmp(cell->recorded, "new") ? "" : ", new");
    table_put(t, TABLE_NUMBER, "%s", cell->call);
    table_put(t, 0, "%s %s", cell->backend, cell->precision);
    table_put(t, TABLE_NUMBER, "%s", number_figures(&n, cell->ours_ns));
    table_put(t, 0, "%s", *cell->rival ? cell->rival : "no right peer");
    table_put(t, TABLE_NUMBER, "%s", number_figures(&n, cell->rival_ns));
    table_put(t, TABLE_NUMBER | (cell->wrong_share > 0 ? TABLE_BAD : 0), "%s", number_rate(&n, cell->wrong_share));
    table_put(t, 0, "%s", cell->judged);
}

void tables_cells(const results *r, table_files *files, text *page)
{
    static const char *const titles[] = {"times as fast", "query", "workload", "family", "pairs a call", "ours",
                                         "ns a pair", "fastest right", "its ns", "off by more than 1e-3 S", "judged"};
    static const int quantity[] = {1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0};
    counts(r, page);
    table t = {0};
    text_add(&t.file, "cells");
    text_add(&t.title, "Ours against the fastest right contender, worst first");
    table_row_begin(&t, TABLE_HEAD);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        table_put(&t, TABLE_TITLE | (quantity[i] ? TABLE_NUMBER : 0), "%s", titles[i]);
    for (size_t i = 0; i < r->cell_count; i++)
        cell_line(r, &r->cells[i], i < SHOWN_CELLS, &t);
    table_end(&t, files, page);
    text_add(page, "<p class=\"note\">Right: off by more than 1e-3 S in at most 0.1% of its graded answers (a time of "
                   "impact: by more than it documents); of its other families if none of a cell can be graded. 1% off: "
                   "none is right, and this is the fastest that is off in at most 1%.");
    if (r->cell_count > SHOWN_CELLS)
        text_format(page, " These are the worst %d; the files have all.", SHOWN_CELLS);
    text_add(page, "</p>");
}
