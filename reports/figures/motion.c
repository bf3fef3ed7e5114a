/* What figures at rest have no room for: bodies that move over a step, and searches
 * that begin where the last one ended. */
#include <math.h>
#include <string.h>

#include "core/query.h"
#include "reports/page.h"
#include "reports/ratios.h"
#include "reports/tables.h"

static int same_pairs(const bench_row *a, const bench_row *b)
{
    return a->dim == b->dim && a->shapes == b->shapes && a->call == b->call && a->threads == b->threads &&
           !strcmp(a->query, b->query) && !strcmp(a->workload, b->workload) && !strcmp(a->family, b->family);
}

static void cell(table *t, double value)
{
    number n;
    table_put(t, TABLE_NUMBER, "%s", number_figures(&n, value));
}

static void ratio_cell(table *t, ratio q)
{
    table_cell_begin(t, TABLE_NUMBER, 1, NULL);
    table_ratio(t, q, RATIO_FIGURES);
}

static void count_cell(table *t, double value)
{
    number n;
    table_put(t, TABLE_NUMBER, "%s", number_count(&n, value));
}

static void wrong_cell(table *t, double rate)
{
    number n;
    table_put(t, TABLE_NUMBER | (rate > 0 ? TABLE_BAD : 0), "%s", number_rate(&n, rate));
}

static void place_cells(table *t, const bench_row *row)
{
    table_row_begin(t, TABLE_BODY);
    table_put(t, TABLE_TITLE, "%.0fD %s", row->dim, row->workload);
    count_cell(t, row->shapes);
    table_put(t, 0, "%s", row->family);
}

static void way_cell(table *t, const bench_row *row)
{
    const int named = strcmp(row->backend, "-") != 0;
    table_put(t, 0, "%s%s%s %s", row->contender, named ? " " : "", named ? row->backend : "", row->precision);
}

/* The column that place_cells fills with the number of shapes. */
enum { SHAPE_COUNT = 1 };

static table begin_table(const char *file, const char *title, const char *const *columns, size_t names, size_t count)
{
    table t = {0};
    text_format(&t.file, "motion-%s", file);
    text_add(&t.title, title);
    table_row_begin(&t, TABLE_HEAD);
    for (size_t i = 0; i < count; i++)
        table_put(&t, TABLE_TITLE | (i >= names || i == SHAPE_COUNT ? TABLE_NUMBER : 0), "%s", columns[i]);
    return t;
}

/* Nothing without a row below the head. */
static void end_table(table *t, table_files *files, text *page)
{
    if (t->row_count > 1)
        text_format(page, "<h3>%s</h3>", t->title.s);
    table_end(t, files, t->row_count > 1 ? page : NULL);
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
        if (!*other->start && same_pairs(row, other) && !other->ours &&
            strncmp(other->contender, "textbook", 8) && !(other->wrong_rate > GJB_RIGHT_SHARE) && (!best || other->ns < best->ns))
            best = other;
    }
    return best;
}

static void impact_table(const results *r, table_files *files, text *page)
{
    static const char *const columns[] = {"shapes", "count", "motion", "contender", "ns a pair", "wrong",
                                          "× the fastest packaged, right by its own tolerance", "M pairs/s"};
    table t = begin_table("impact", "Time of impact", columns, 4, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < r->apart_count; i++) {
        const bench_row *row = &r->apart[i], *other;
        if (!is(row, "toi"))
            continue;
        place_cells(&t, row);
        way_cell(&t, row);
        cell(&t, row->ns);
        wrong_cell(&t, row->wrong_rate);
        other = row->ours ? best_other(r, row) : NULL;
        table_cell_begin(&t, TABLE_NUMBER, 1, NULL);
        if (other)
            table_ratio(&t, ratio_of(r, other, row), RATIO_FIGURES);
        table_say(&t, "%s%s", other ? " " : "", other ? other->contender : "–");
        cell(&t, row->pairs_per_second / 1e6);
    }
    end_table(&t, files, page);
}

static void swept_table(const results *r, table_files *files, text *page)
{
    static const char *const columns[] = {"shapes", "count", "motion", "contender", "pairs", "bytes in order",
                                          "ns a pair",
                                          "memory alone, ns", "times memory's time", "wrong"};
    table t = begin_table("sweep", "Swept boxes, and what memory allows", columns, 4, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < r->apart_count; i++) {
        const bench_row *row = &r->apart[i];
        if (!is(row, "sweep"))
            continue;
        place_cells(&t, row);
        way_cell(&t, row);
        count_cell(&t, row->pairs);
        cell(&t, row->pair_bytes);
        cell(&t, row->ns);
        cell(&t, row->memory_ns);
        ratio_cell(&t, ratio_between(r, timing_of(row), timing_exact(row->memory_ns)));
        wrong_cell(&t, row->wrong_rate);
    }
    end_table(&t, files, page);
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

static void start_table(const results *r, table_files *files, text *page)
{
    static const char *const columns[] = {"shapes", "count", "family", "query", "axis", "cold, ns a pair", "with it",
                                          "times as fast", "iterations, cold", "with it"};
    table t = begin_table("warm-start", "Warm start: the axis of a pair's last answer", columns, 5,
                          sizeof columns / sizeof *columns);
    for (size_t i = 0; i < r->apart_count; i++) {
        const bench_row *row = &r->apart[i], *cold = *row->start ? cold_of(r, row) : NULL;
        if (!cold)
            continue;
        place_cells(&t, row);
        table_put(&t, 0, "%s", row->query);
        table_put(&t, 0, !strcmp(row->start, "warm") ? "of the frame before" : "of another pair");
        cell(&t, cold->ns);
        cell(&t, row->ns);
        ratio_cell(&t, ratio_of(r, cold, row));
        cell(&t, cold->mean_iterations);
        cell(&t, row->mean_iterations);
    }
    end_table(&t, files, page);
}

void tables_motion(const results *r, table_files *files, text *page)
{
    if (!r->apart_count)
        return;
    fold_open("motion", "Motion and warm start", page);
    text_add(page, "<p>Bodies that move, and turn, over a step: "
                   "when do they touch first? Memory's time is that of reading poses and motions in order and a box "
                   "each from anywhere, and nothing else. A warm start gives each search the axis of the last answer to the same two "
                   "bodies; finding it in the frame before is part of the time.</p>");
    impact_table(r, files, page);
    swept_table(r, files, page);
    start_table(r, files, page);
    fold_close(page);
}
