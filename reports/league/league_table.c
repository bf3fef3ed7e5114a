/* League tables on the page: columns, widths, heads, and one table for each query. */
#include "reports/league/league_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/query.h"
#include "reports/league/league_cells.h"
#include "reports/ratios.h"

names league_queries(const results *part)
{
    names list = {0};
    for (int q = 0; q < GJB_QUERIES; q++)
        for (size_t i = 0; i < part->league_count; i++)
            if (!strcmp(part->league[i].query, gjb_queries[q].name))
                names_add(&list, gjb_queries[q].name);
    return list;
}

static void add_shift(league_sheet *s, double log2)
{
    size_t k = 0;
    while (k < s->shifts && s->log2[k] != log2)
        k++;
    if (k == s->shifts && k < LEAGUE_SHIFTS)
        s->log2[s->shifts++] = log2;
}

static void measure_sheet(league_sheet *s)
{
    s->low = s->few = s->fastest_base = INFINITY;
    for (size_t c = 0; c < LEAGUE_SEPARATIONS; c++)
        s->fastest[c] = INFINITY;
    for (size_t i = 0; i < s->lines.n; i++) {
        const league_row *row = s->lines.rows[i];
        const int counts = !results_self_timed(s->part, row->contender); /* as the fastest */
        s->fastest_base = counts ? fmin(s->fastest_base, league_ns(&s->lines, row)) : s->fastest_base;
        for (size_t f = 0; f < row->families.n; f++)
            names_add(&s->families, row->families.cells[f].name);
        for (size_t c = 0; c < s->separations; c++) {
            const league_cell *cell = league_find(league_classes(s, row, 0), s->classes->further[c][0]);
            s->fastest[c] = fmin(s->fastest[c], cell && counts ? cell->value[LEAGUE_NS] : INFINITY);
        }
        for (size_t v = 0; v < row->vertices.n; v++) {
            const double n = row->vertices.cells[v].value[LEAGUE_VERTICES],
                         ns = row->vertices.cells[v].value[LEAGUE_NS];
            s->low = fmin(s->low, ns);
            s->high = fmax(s->high, ns);
            s->few = fmin(s->few, n);
            s->many = fmax(s->many, n);
        }
        for (size_t k = 0; k < row->metrics.shift_count; k++)
            add_shift(s, row->metrics.shifts[k].log2);
    }
}

/* ---- the table ---- */

/* One row a column that is not a tile; the widths of a table are those of all, so that they stand in line. */
static const struct {
    const char *title;
    int width, quantity;
} columns[] = {
    {"all", 54, 1},   {"by family", 0, 0}, {"worst, εS", 50, 1}, {"hung", 38, 1},
    {"crash", 42, 1}, {"cap", 42, 1},      {"swap", 60, 1},      {"again", 48, 1},
};
enum { COLUMNS = sizeof columns / sizeof *columns, BY_FAMILY = 1, WRONG = 6, WHO = 170, TILE = 40, SHIFT = 56 };

static void widths(const league_sheet *s, text *out)
{
    text_format(out,
                "<colgroup><col style=\"width:%dpx\"><col span=\"%zu\" style=\"width:%dpx\"><col "
                "style=\"width:%dpx\">",
                WHO, s->separations + 1, TILE, LEAGUE_CURVE + 16);
    for (size_t c = 0; c < COLUMNS; c++)
        text_format(out, "<col style=\"width:%dpx\">",
                    c == BY_FAMILY ? (int)s->families.n * LEAGUE_STRIP + 12 : columns[c].width);
    text_format(out, "<col span=\"%zu\" style=\"width:%dpx\"></colgroup>", s->shifts, SHIFT);
}

static void group(table *t, size_t span, const char *title)
{
    table_cell_begin(t, 0, span, "group");
    table_say(t, "%s", title);
}

static void groups(const league_sheet *s, table *t)
{
    table_row_begin(t, TABLE_HEAD);
    table_cell_begin(t, 0, 1, NULL);
    group(t, s->separations + 2, "nanoseconds a pair");
    table_say(t, "%s%s", *s->lines.base ? ", " : "", s->lines.base);
    table_doubt(t, ratio_of_run(s->part));
    group(t, WRONG, "wrong answers");
    group(t, COLUMNS - WRONG + s->shifts, "other answers when");
}

static void head(const league_sheet *s, uint32_t dim, table *t)
{
    series_name title = points_spaced(s->lines.query), file = league_file(dim, s->lines.query);
    t->width = WHO + (int)(s->separations + 1) * TILE + LEAGUE_CURVE + 16 +
               (int)s->families.n * LEAGUE_STRIP + 12 + (int)s->shifts * SHIFT;
    for (size_t c = 0; c < COLUMNS; c++)
        t->width += columns[c].width;
    text_add(&t->file, file.s);
    text_format(&t->title, "%uD league table: %s", dim, title.s);
    text_add(&t->above, "<caption>");
    text_html(&t->above, title.s);
    text_format(&t->above, " <span><a href=\"data/%s.csv\">CSV</a></span></caption>", file.s);
    widths(s, &t->above);
    groups(s, t);
    table_row_begin(t, TABLE_HEAD);
    table_put(t, TABLE_TITLE, "contender");
    table_put(t, TABLE_TITLE | TABLE_TILE, "%s", s->classes->base[1]);
    for (size_t c = 0; c < s->separations; c++)
        table_put(t, TABLE_TITLE | TABLE_TILE, "%s", s->classes->further[c][1]);
    table_cell_begin(t, TABLE_TITLE, 1, "curve");
    if (s->many > s->few)
        table_say(t, "%.0f–%.0f ", s->few, s->many);
    table_say(t, "vertices");
    for (size_t c = 0; c < COLUMNS; c++)
        table_put(t, TABLE_TITLE | (columns[c].quantity ? TABLE_NUMBER : 0), "%s", columns[c].title);
    for (size_t k = 0; k < s->shifts; k++) {
        table_put(t, TABLE_TITLE | TABLE_NUMBER, "moved ");
        if (s->log2[k] > 0) {
            table_mark(t, "2<sup>", "2^");
            table_say(t, "%.0f", s->log2[k]);
            table_mark(t, "</sup>", "");
        }
        table_say(t, "S");
    }
}

static const char *const class_titles[LEAGUE_CLASSES] = {
    [LEAGUE_RIGHT] = "No wrong answer", [LEAGUE_ALMOST] = "Wrong in at most 0.1%",
    [LEAGUE_OFTEN] = "Wrong more often", [LEAGUE_UNKNOWN] = "Not graded",
};

static void add_table(const results *part, const char *query, uint32_t dim, table_files *files, text *page)
{
    const gjb_query_row *known = gjb_query_find(query);
    league_sheet s = {.part = part, .classes = league_families_of(query), .has_value = !known || known->has_value};
    league_rank(part, query, &s.lines);
    if (!s.lines.n)
        return;
    while (s.classes->further[s.separations][0])
        s.separations++;
    measure_sheet(&s);
    table t = {.class = "league"};
    head(&s, dim, &t);
    for (size_t i = 0; i < s.lines.n; i++) {
        const league_class class = league_class_of(s.lines.rows[i]);
        if (!i || class != league_class_of(s.lines.rows[i - 1])) {
            table_row_begin(&t, TABLE_GROUP);
            table_cell_begin(&t, TABLE_TITLE, 1 + s.separations + 2 + COLUMNS + s.shifts, NULL);
            table_say(&t, "%s", class_titles[class]);
        }
        league_line(&s, s.lines.rows[i], &t);
    }
    table_end(&t, files, page);
}

void league_tables(const results *part, uint32_t dim, table_files *files, text *page)
{
    names queries = league_queries(part);
    for (size_t q = 0; q < queries.n; q++)
        add_table(part, queries.s[q], dim, files, page);
}
