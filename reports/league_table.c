#include "reports/league_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/query.h"
#include "reports/league_rank.h"
#include "reports/tables.h"

static const char *const classes[][2] = {{"far", "far"},         {"near", "near"}, {"touching", "touch"},
                                         {"shallow", "shallow"}, {"deep", "deep"}, {"contained", "inside"}};
enum { CLASSES = sizeof classes / sizeof *classes, SHIFTS_SHOWN = 3 };

/* Of all lines of a table. */
typedef struct sheet {
    const results *part;
    league_lines lines;
    names families;
    double fastest[CLASSES], fastest_base;
    double low, high, few, many; /* of nanoseconds and vertices, over all curves */
    double log2[SHIFTS_SHOWN];
    size_t shifts;
    int has_value;
} sheet;

names league_queries(const results *part)
{
    names list = {0};
    for (int q = 0; q < GJB_QUERIES; q++)
        for (size_t i = 0; i < part->league_count; i++)
            if (!strcmp(part->league[i].query, gjb_queries[q].name))
                names_add(&list, gjb_queries[q].name);
    return list;
}

/* Short enough for a tile: 3.1, 12, 812, 1.2k, 12k. */
static const char *tile(number *n, double value)
{
    if (!isfinite(value))
        snprintf(n->s, sizeof n->s, "–");
    else if (value < 9.95)
        snprintf(n->s, sizeof n->s, "%.1f", value);
    else if (value < 999.5)
        snprintf(n->s, sizeof n->s, "%.0f", value);
    else if (value < 9950)
        snprintf(n->s, sizeof n->s, "%.1fk", value / 1e3);
    else if (value < 999500)
        snprintf(n->s, sizeof n->s, "%.0fk", value / 1e3);
    else if (value < 1e7)
        snprintf(n->s, sizeof n->s, "%.1fM", value / 1e6);
    else
        snprintf(n->s, sizeof n->s, "1e%.0f", floor(log10(value) + 0.5));
    return n->s;
}

static void add_shift(sheet *s, double log2)
{
    size_t k = 0;
    while (k < s->shifts && s->log2[k] != log2)
        k++;
    if (k == s->shifts && k < SHIFTS_SHOWN)
        s->log2[s->shifts++] = log2;
}

static void measure_sheet(sheet *s)
{
    s->low = s->few = s->fastest_base = INFINITY;
    for (size_t c = 0; c < CLASSES; c++)
        s->fastest[c] = INFINITY;
    for (size_t i = 0; i < s->lines.n; i++) {
        const league_row *row = s->lines.rows[i];
        s->fastest_base = fmin(s->fastest_base, league_ns(&s->lines, row));
        for (size_t f = 0; f < row->families.n; f++)
            names_add(&s->families, row->families.cells[f].name);
        for (size_t c = 0; c < CLASSES; c++) {
            const league_cell *cell = league_find(&row->classes, classes[c][0]);
            s->fastest[c] = fmin(s->fastest[c], cell ? cell->value[LEAGUE_NS] : INFINITY);
        }
        for (size_t v = 0; v < row->vertices.n; v++) {
            const double n = league_vertices(row->vertices.cells[v].name), ns = row->vertices.cells[v].value[LEAGUE_NS];
            s->low = fmin(s->low, ns);
            s->high = fmax(s->high, ns);
            s->few = fmin(s->few, n);
            s->many = fmax(s->many, n);
        }
        for (size_t k = 0; k < row->metrics.shift_count; k++)
            add_shift(s, row->metrics.shifts[k].log2);
    }
}

/* ---- who ---- */

static void word_html(json_t *about, const char *key, const char *before, text *page)
{
    const char *s = json_string_value(json_object_get(about, key));
    if (!s || !*s)
        return;
    text_add(page, before);
    text_html(page, s);
}

static void who_cell(const sheet *s, const league_row *row, text *page)
{
    json_t *about = league_about(s->part, row->contender), *more, *one;
    size_t i;
    int marked = 0;
    more = json_object_get(about, "does_more");
    json_array_foreach(more, i, one)
        marked |= json_is_string(one) && !strcmp(json_string_value(one), row->query);
    text_add(page, "<th scope=\"row\" title=\"");
    word_html(about, "note", "", page);
    text_add(page, "\"><b>");
    text_html(page, row->contender);
    text_add(page, marked ? "</b> †<small>" : "</b><small>");
    if (strcmp(row->backend, "-"))
        text_html(page, row->backend);
    text_add(page, strcmp(row->backend, "-") ? " " : "");
    text_html(page, row->precision);
    word_html(about, "version", " · ", page);
    word_html(about, "licence", " · ", page);
    text_add(page, "</small></th>");
}

/* ---- time ---- */

/* The nearer to the fastest of its column, the darker. */
static void tile_cell(const league_cell *cell, double fastest, const char *class, text *page)
{
    number n, low, high;
    const double ns = cell ? cell->value[LEAGUE_NS] : NAN, slower = log2(ns / fastest);
    const int heat = isfinite(slower) ? (int)fmax(0, 6 - floor(slower + 0.5)) : 0;
    text_format(page, "<td class=\"tile h%d%s\"", heat, cell ? "" : " quiet");
    if (cell)
        text_format(page, " title=\"%s: %s to %s ns\"", class, number_figures(&low, cell->value[LEAGUE_LOW]),
                    number_figures(&high, cell->value[LEAGUE_HIGH]));
    text_format(page, ">%s</td>", tile(&n, ns));
}

static void time_cells(const sheet *s, const league_row *row, text *page)
{
    tile_cell(league_find(&row->base, s->lines.base), s->fastest_base, "mixed", page);
    for (size_t c = 0; c < CLASSES; c++)
        tile_cell(league_find(&row->classes, classes[c][0]), s->fastest[c], classes[c][0], page);
}

enum { CURVE_WIDTH = 96, CURVE_HEIGHT = 30, CURVE_MARGIN = 4 };

static double along(double value, double least, double most, double length)
{
    return most > least ? CURVE_MARGIN + (length - 2 * CURVE_MARGIN) * log(value / least) / log(most / least) : length / 2;
}

static void curve(const sheet *s, const league_row *row, const char *class, text *page)
{
    text_format(page, "<polyline class=\"%s\" points=\"", class);
    for (size_t v = 0; v < row->vertices.n; v++)
        text_format(page, "%.1f,%.1f ", along(league_vertices(row->vertices.cells[v].name), s->few, s->many, CURVE_WIDTH),
                    CURVE_HEIGHT - along(row->vertices.cells[v].value[LEAGUE_NS], s->low, s->high, CURVE_HEIGHT));
    text_add(page, "\"/>");
}

/* Every table has one scale; the first line's curve stands behind all others. */
static void curve_cell(const sheet *s, const league_row *row, text *page)
{
    const league_row *first = s->lines.n ? s->lines.rows[0] : row;
    number n;
    if (!row->vertices.n) {
        text_add(page, "<td class=\"quiet\">–</td>");
        return;
    }
    text_format(page, "<td class=\"curve\"><svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"graphics-symbol img\"><title>", CURVE_WIDTH,
                CURVE_HEIGHT, CURVE_WIDTH, CURVE_HEIGHT);
    for (size_t v = 0; v < row->vertices.n; v++) {
        text_add(page, v ? ", " : "");
        text_html(page, row->vertices.cells[v].name);
        text_format(page, " %s ns", number_figures(&n, row->vertices.cells[v].value[LEAGUE_NS]));
    }
    text_add(page, "</title>");
    if (first != row && first->vertices.n > 1)
        curve(s, first, "first", page);
    if (row->vertices.n > 1)
        curve(s, row, "own", page);
    for (size_t v = 0; v < row->vertices.n; v++)
        text_format(page, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\"/>",
                    along(league_vertices(row->vertices.cells[v].name), s->few, s->many, CURVE_WIDTH),
                    CURVE_HEIGHT - along(row->vertices.cells[v].value[LEAGUE_NS], s->low, s->high, CURVE_HEIGHT));
    text_add(page, "</svg></td>");
}

/* ---- wrong ---- */

static void wrong_cell(const sheet *s, const league_row *row, text *page)
{
    number n, count, graded;
    if (!(row->graded > 0)) {
        text_add(page, "<td class=\"n quiet\">–</td>");
        return;
    }
    text_format(page, "<td class=\"n%s\" title=\"%s of %s graded answers\">%s", row->wrong > 0 ? " bad" : " quiet",
                number_count(&count, row->wrong), number_count(&graded, row->graded),
                number_rate(&n, row->wrong / row->graded));
    if (s->has_value && row->wrong > 0)
        text_format(page, "<small title=\"off by more than 1e-3 S\">%s</small>",
                    number_rate(&n, row->beyond_1e3 / row->graded));
    text_add(page, "</td>");
}

/* None graded, none wrong, then by decades. */
static int wrongness(const league_cell *cell)
{
    if (!cell || !(cell->value[LEAGUE_GRADED] > 0))
        return 0;
    const double share = cell->value[LEAGUE_WRONG] / cell->value[LEAGUE_GRADED];
    return share <= 0 ? 1 : share <= 1e-3 ? 2 : share <= 1e-2 ? 3 : share <= 1e-1 ? 4 : 5;
}

enum { STRIP = 6, STRIP_HEIGHT = 22 };

static void strip_cell(const sheet *s, const league_row *row, text *page)
{
    const int width = (int)s->families.n * STRIP;
    size_t bad = 0;
    number n, m;
    for (size_t f = 0; f < s->families.n; f++)
        bad += wrongness(league_find(&row->families, s->families.s[f])) > 1;
    text_format(page, "<td class=\"strip\"><svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"graphics-symbol img\" "
                "aria-label=\"wrong in %zu of %zu families\">", width, STRIP_HEIGHT, width, STRIP_HEIGHT, bad,
                s->families.n);
    for (size_t f = 0; f < s->families.n; f++) {
        const league_cell *cell = league_find(&row->families, s->families.s[f]);
        text_format(page, "<rect class=\"w%d\" x=\"%zu\" width=\"%d\" height=\"%d\"><title>", wrongness(cell), f * STRIP,
                    STRIP - 1, STRIP_HEIGHT);
        text_html(page, s->families.s[f]);
        if (wrongness(cell))
            text_format(page, ": %s wrong of %s", number_count(&n, cell->value[LEAGUE_WRONG]),
                        number_count(&m, cell->value[LEAGUE_GRADED]));
        else
            text_add(page, ": nothing graded");
        text_add(page, "</title></rect>");
    }
    text_add(page, "</svg></td>");
}

static void worst_cell(const sheet *s, const league_row *row, text *page)
{
    number n;
    if (!s->has_value || !(row->graded > 0))
        text_add(page, "<td class=\"n quiet\">–</td>");
    else
        text_format(page, "<td class=\"n\">%s</td>", isfinite(row->worst_error_eps) ? tile(&n, row->worst_error_eps) : "∞");
}

static void count_cell(double count, double of, text *page)
{
    number n;
    if (!(of > 0))
        text_add(page, "<td class=\"n quiet\">–</td>");
    else
        text_format(page, "<td class=\"n%s\">%s</td>", count > 0 ? " bad" : " quiet", number_count(&n, count));
}

/* ---- what answers depend on ---- */

static void swap_cell(const league_row *row, text *page)
{
    const double asked = row->pairs - row->unsupported;
    number n;
    if (!(asked > 0))
        text_add(page, "<td class=\"n quiet\">–</td>");
    else if (row->symmetry_wrong > 0)
        text_format(page, "<td class=\"n bad\">%s</td>", number_rate(&n, row->symmetry_wrong / asked));
    else
        text_add(page, "<td class=\"n quiet\">same</td>");
}

static void repeat_cell(const metrics *m, text *page)
{
    number n, a, b, c;
    const double most = fmax(m->again, fmax(m->reordered, m->other_session));
    if (!(m->pairs > 0))
        text_add(page, "<td class=\"n quiet\">–</td>");
    else if (most > 0)
        text_format(page, "<td class=\"n bad\" title=\"other bytes: asked again %s, in another order %s, in another "
                    "session %s\">%s</td>", number_rate(&a, m->again / m->pairs), number_rate(&b, m->reordered / m->pairs),
                    number_rate(&c, m->other_session / m->pairs), number_rate(&n, most / m->pairs));
    else
        text_add(page, "<td class=\"n quiet\">same</td>");
}

static void shift_cell(const sheet *s, const metrics *m, double log2, text *page)
{
    number n, pairs, rate, worst;
    const metric_shift *shift = NULL;
    for (size_t k = 0; k < m->shift_count; k++)
        if (m->shifts[k].log2 == log2)
            shift = &m->shifts[k];
    if (!shift || !(shift->pairs > 0)) {
        text_add(page, "<td class=\"n quiet\">–</td>");
        return;
    }
    if (shift->changed == 0) {
        text_format(page, "<td class=\"n quiet\" title=\"the same bytes for %s pairs\">same</td>",
                    number_count(&n, shift->pairs));
        return;
    }
    text_format(page, "<td class=\"n%s\" title=\"%s of %s answers changed; by at most %s εS\">%s",
                shift->flipped > 0 ? " bad" : "", number_count(&n, shift->changed), number_count(&pairs, shift->pairs),
                number_figures(&worst, shift->worst_eps), number_rate(&rate, shift->flipped / shift->pairs));
    if (s->has_value)
        text_format(page, "<small>%s εS</small>", tile(&worst, shift->worst_eps));
    text_add(page, "</td>");
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
enum { COLUMNS = sizeof columns / sizeof *columns, BY_FAMILY = 1, WRONG = 6, WHO = 186, TILE = 40, SHIFT = 56 };

static void widths(const sheet *s, text *page)
{
    text_format(page, "<colgroup><col style=\"width:%dpx\"><col span=\"%d\" style=\"width:%dpx\"><col style=\"width:%dpx\">",
                WHO, CLASSES + 1, TILE, CURVE_WIDTH + 16);
    for (size_t c = 0; c < COLUMNS; c++)
        text_format(page, "<col style=\"width:%dpx\">",
                    c == BY_FAMILY ? (int)s->families.n * STRIP + 12 : columns[c].width);
    text_format(page, "<col span=\"%zu\" style=\"width:%dpx\"></colgroup>", s->shifts, SHIFT);
}

static void head(const sheet *s, uint32_t dim, text *page)
{
    series_name title = points_spaced(s->lines.query), file = league_file(dim, s->lines.query);
    int width = WHO + (CLASSES + 1) * TILE + CURVE_WIDTH + 16 + (int)s->families.n * STRIP + 12 + (int)s->shifts * SHIFT;
    for (size_t c = 0; c < COLUMNS; c++)
        width += columns[c].width;
    text_format(page, "<div class=\"scroll\"><table class=\"league\" style=\"width:%dpx\"><caption>", width);
    text_html(page, title.s);
    text_format(page, " <span><a href=\"data/%s.csv\">CSV</a></span></caption>", file.s);
    widths(s, page);
    text_format(page, "<thead><tr><th></th><th colspan=\"%d\" class=\"group\">nanoseconds a pair", CLASSES + 2);
    text_add(page, *s->lines.base ? ", " : "");
    text_html(page, s->lines.base);
    text_format(page, "</th><th colspan=\"%d\" class=\"group\">wrong answers</th><th colspan=\"%zu\" class=\"group\">other "
                "answers when</th></tr><tr><th scope=\"col\">contender</th><th scope=\"col\" class=\"tile\">mixed</th>",
                WRONG, COLUMNS - WRONG + s->shifts);
    for (size_t c = 0; c < CLASSES; c++)
        text_format(page, "<th scope=\"col\" class=\"tile\">%s</th>", classes[c][1]);
    if (s->many > 0)
        text_format(page, "<th scope=\"col\" class=\"curve\">%.0f–%.0f vertices</th>", s->few, s->many);
    else
        text_add(page, "<th scope=\"col\" class=\"curve\">vertices</th>");
    for (size_t c = 0; c < COLUMNS; c++)
        tables_column(page, columns[c].title, columns[c].quantity);
    for (size_t k = 0; k < s->shifts; k++)
        if (s->log2[k] > 0)
            text_format(page, "<th scope=\"col\" class=\"n\">moved 2<sup>%.0f</sup>S</th>", s->log2[k]);
        else
            tables_column(page, "moved S", 1);
    text_add(page, "</tr></thead>");
}

static const char *const class_titles[LEAGUE_CLASSES] = {
    [LEAGUE_RIGHT] = "No wrong answer", [LEAGUE_ALMOST] = "Wrong in at most 0.1%",
    [LEAGUE_OFTEN] = "Wrong more often", [LEAGUE_UNKNOWN] = "Not graded",
};

static void line(const sheet *s, const league_row *row, text *page)
{
    text_add(page, "<tr>");
    who_cell(s, row, page);
    time_cells(s, row, page);
    curve_cell(s, row, page);
    wrong_cell(s, row, page);
    strip_cell(s, row, page);
    worst_cell(s, row, page);
    count_cell(row->hung, row->pairs, page);
    count_cell(row->crashed, row->pairs, page);
    count_cell(row->capped, row->pairs, page);
    swap_cell(row, page);
    repeat_cell(&row->metrics, page);
    for (size_t k = 0; k < s->shifts; k++)
        shift_cell(s, &row->metrics, s->log2[k], page);
    text_add(page, "</tr>");
}

static void table(const results *part, const char *query, uint32_t dim, text *page)
{
    const gjb_query_row *known = gjb_query_find(query);
    sheet s = {.part = part, .has_value = !known || known->has_value};
    league_rank(part, query, &s.lines);
    if (!s.lines.n)
        return;
    measure_sheet(&s);
    head(&s, dim, page);
    for (size_t i = 0; i < s.lines.n; i++) {
        const league_class class = league_class_of(s.lines.rows[i]);
        if (!i || class != league_class_of(s.lines.rows[i - 1]))
            text_format(page, "%s<tbody><tr class=\"rank\"><th scope=\"rowgroup\" colspan=\"%zu\">%s</th></tr>",
                        i ? "</tbody>" : "", 1 + CLASSES + 2 + COLUMNS + s.shifts, class_titles[class]);
        line(&s, s.lines.rows[i], page);
    }
    text_add(page, "</tbody></table></div>");
}

void league_tables(const results *part, uint32_t dim, text *page)
{
    names queries = league_queries(part);
    for (size_t q = 0; q < queries.n; q++)
        table(part, queries.s[q], dim, page);
}
