/* What figures at rest have no room for: bodies that move over a step, and searches
 * that begin where the last one ended. */
#include <math.h>
#include <string.h>

#include "reports/page.h"
#include "reports/ratios.h"
#include "reports/tables.h"

/* Wrong answers of a contender that passes for right. */
static const double right_share = 1e-3;

static int same_pairs(const bench_row *a, const bench_row *b)
{
    return a->dim == b->dim && a->shapes == b->shapes && a->call == b->call && a->threads == b->threads &&
           !strcmp(a->query, b->query) && !strcmp(a->workload, b->workload) && !strcmp(a->family, b->family);
}

static void cell(text *page, double value)
{
    number n;
    text_format(page, "<td class=\"n\">%s</td>", number_figures(&n, value));
}

static void ratio_cell(text *page, ratio q)
{
    text_add(page, "<td class=\"n\">");
    ratio_html(q, RATIO_FIGURES, page);
    text_add(page, "</td>");
}

static void count_cell(text *page, double value)
{
    number n;
    text_format(page, "<td class=\"n\">%s</td>", number_count(&n, value));
}

static void name_cell(text *page, const char *name)
{
    text_add(page, "<td>");
    text_html(page, name);
    text_add(page, "</td>");
}

static void place_cells(text *page, const bench_row *row)
{
    text_format(page, "<tr><th scope=\"row\">%.0fD ", row->dim);
    text_html(page, row->workload);
    text_add(page, "</th>");
    count_cell(page, row->shapes);
    name_cell(page, row->family);
}

static void way_cell(text *page, const bench_row *row)
{
    text_add(page, "<td>");
    text_html(page, row->contender);
    if (strcmp(row->backend, "-")) {
        text_add(page, " ");
        text_html(page, row->backend);
    }
    text_add(page, " ");
    text_html(page, row->precision);
    text_add(page, "</td>");
}

/* The column that place_cells fills with the number of shapes. */
enum { SHAPE_COUNT = 1 };

static void open_table(text *page, const char *file, const char *title, const char *const *columns, size_t names, size_t count)
{
    text_format(page, "<h3>%s</h3><div class=\"scroll\"><table data-file=\"motion-%s\" data-title=\"%s\">"
                "<thead><tr>", title, file, title);
    for (size_t i = 0; i < count; i++)
        tables_column(page, columns[i], i >= names || i == SHAPE_COUNT);
    text_add(page, "</tr></thead><tbody>");
}

static void close_table(text *page)
{
    text_add(page, "</tbody></table></div>");
}

static int is(const bench_row *row, const char *query)
{
    return !*row->start && !strcmp(row->query, query);
}

/* Of those that are not ours and not known to be wrong: the fastest at the same place; or NULL. */
static const bench_row *best_other(const results *r, const bench_row *row)
{
    const bench_row *best = NULL;
    for (size_t i = 0; i < r->apart_count; i++) {
        const bench_row *other = &r->apart[i];
        if (!*other->start && same_pairs(row, other) && !points_ours(other->contender) &&
            strncmp(other->contender, "textbook", 8) && !(other->wrong_rate > right_share) && (!best || other->ns < best->ns))
            best = other;
    }
    return best;
}

static void impact_table(const results *r, text *page)
{
    static const char *const columns[] = {"shapes", "count", "motion", "contender", "ns a pair", "wrong",
                                          "× the fastest packaged, right by its own tolerance", "M pairs/s"};
    number n;
    int any = 0;
    for (size_t i = 0; i < r->apart_count; i++) {
        const bench_row *row = &r->apart[i], *other;
        if (!is(row, "toi"))
            continue;
        if (!any++)
            open_table(page, "impact", "Time of impact", columns, 4, sizeof columns / sizeof *columns);
        place_cells(page, row);
        way_cell(page, row);
        cell(page, row->ns);
        text_format(page, "<td class=\"n%s\">%s</td>", row->wrong_rate > 0 ? " bad" : "",
                    number_rate(&n, row->wrong_rate));
        other = points_ours(row->contender) ? best_other(r, row) : NULL;
        text_add(page, "<td class=\"n\">");
        if (other) {
            ratio_html(ratio_of(r, other, row), RATIO_FIGURES, page);
            text_add(page, " ");
        }
        text_html(page, other ? other->contender : "–");
        text_add(page, "</td>");
        cell(page, row->pairs_per_second / 1e6);
        text_add(page, "</tr>");
    }
    if (any)
        close_table(page);
}

static void swept_table(const results *r, text *page)
{
    static const char *const columns[] = {"shapes", "count", "motion", "contender", "pairs", "bytes in order",
                                          "ns a pair",
                                          "memory alone, ns", "times memory's time", "wrong"};
    number n;
    int any = 0;
    for (size_t i = 0; i < r->apart_count; i++) {
        const bench_row *row = &r->apart[i];
        if (!is(row, "sweep"))
            continue;
        if (!any++)
            open_table(page, "sweep", "Swept boxes, and what memory allows", columns, 4,
                       sizeof columns / sizeof *columns);
        place_cells(page, row);
        way_cell(page, row);
        count_cell(page, row->pairs);
        cell(page, row->pair_bytes);
        cell(page, row->ns);
        cell(page, row->memory_ns);
        ratio_cell(page, ratio_between(r, timing_of(row), timing_exact(row->memory_ns)));
        text_format(page, "<td class=\"n%s\">%s</td></tr>", row->wrong_rate > 0 ? " bad" : "",
                    number_rate(&n, row->wrong_rate));
    }
    if (any)
        close_table(page);
}

/* Points in motion stand apart whether they are cold or not. */
static const bench_row *cold_of(const results *r, const bench_row *row)
{
    for (size_t i = 0; i < results_points(r); i++) {
        const bench_row *cold = results_point(r, i);
        if (!*cold->start && same_pairs(row, cold) && !strcmp(row->contender, cold->contender) &&
            !strcmp(row->backend, cold->backend) && !strcmp(row->precision, cold->precision))
            return cold;
    }
    return NULL;
}

static void start_table(const results *r, text *page)
{
    static const char *const columns[] = {"shapes", "count", "family", "query", "axis", "cold, ns a pair", "with it",
                                          "times as fast", "iterations, cold", "with it"};
    int any = 0;
    for (size_t i = 0; i < r->apart_count; i++) {
        const bench_row *row = &r->apart[i], *cold = *row->start ? cold_of(r, row) : NULL;
        if (!cold)
            continue;
        if (!any++)
            open_table(page, "warm-start", "Warm start: the axis of a pair's last answer", columns, 5,
                       sizeof columns / sizeof *columns);
        place_cells(page, row);
        name_cell(page, row->query);
        name_cell(page, !strcmp(row->start, "warm") ? "of the frame before" : "of another pair");
        cell(page, cold->ns);
        cell(page, row->ns);
        ratio_cell(page, ratio_of(r, cold, row));
        cell(page, cold->mean_iterations);
        cell(page, row->mean_iterations);
        text_add(page, "</tr>");
    }
    if (any)
        close_table(page);
}

void tables_motion(const results *r, text *page)
{
    if (!r->apart_count)
        return;
    fold_open("motion", "Motion and warm start", page);
    text_add(page, "<p>Bodies that move, and turn, over a step: "
                   "when do they touch first? Memory's time is that of reading poses and motions in order and a box "
                   "each from anywhere, and nothing else. A warm start gives each search the axis of the last answer to the same two "
                   "bodies; finding it in the frame before is part of the time.</p>");
    impact_table(r, page);
    swept_table(r, page);
    start_table(r, page);
    fold_close(page);
}
