/* The cells of a league line: name, times by class, curve over vertices, shares of wrong answers, dependence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/league/league_sheet.h"

static const league_families families[] = {
    {"sweep", {"box-sweep", "any"}, "swept", {{"box-graze", "graze"}, {"box-axis", "axis"}}},
    {"toi", {"approach-turn", "turn"}, "motion",
     {{"approach", "straight"}, {"approach-spin", "spin"}, {"fast-spin", "whirl"},
      {"fast", "fast"}, {"slow", "slow"}, {"resting", "rest"}}},
    {NULL, {"mixed", "mixed"}, "families",
     {{"far", "far"}, {"near", "near"}, {"touching", "touch"},
      {"shallow", "shallow"}, {"deep", "deep"}, {"contained", "inside"}}},
};

const league_families *league_families_of(const char *query)
{
    const league_families *f = families;
    while (f->query && strcmp(f->query, query))
        f++;
    return f;
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

/* ---- who ---- */

static void word_html(json_t *about, const char *key, const char *before, text *page)
{
    const char *s = json_string_value(json_object_get(about, key));
    if (!s || !*s)
        return;
    text_add(page, before);
    text_html(page, s);
}

static void who_cell(const league_sheet *s, const league_row *row, text *page)
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
static void tile_cell(const league_cell *cell, double fastest, const char *class, const char *why, text *page)
{
    number n, low, high;
    const double ns = cell ? cell->value[LEAGUE_NS] : NAN, slower = log2(ns / fastest);
    const int heat = isfinite(slower) ? (int)fmax(0, 6 - floor(slower + 0.5)) : 0;
    text_format(page, "<td class=\"tile h%d%s\"", heat, cell ? "" : " quiet");
    if (cell)
        text_format(page, " title=\"%s: %s to %s ns\"", class, number_figures(&low, cell->value[LEAGUE_LOW]),
                    number_figures(&high, cell->value[LEAGUE_HIGH]));
    else
        text_format(page, " title=\"%s\"", why);
    text_format(page, ">%s</td>", tile(&n, ns));
}

/* Who does not take the shapes of the others' base point is shown with its own, which does not compare. */
static void other_base(const league_cell *cell, const char *class, const char *shapes, text *page)
{
    number n, low, high;
    text_format(page, "<td class=\"tile\" title=\"%s: %s to %s ns\">%s<small>", class,
                number_figures(&low, cell->value[LEAGUE_LOW]), number_figures(&high, cell->value[LEAGUE_HIGH]),
                tile(&n, cell->value[LEAGUE_NS]));
    text_html(page, shapes);
    text_add(page, "</small></td>");
}

const league_cells *league_classes(const league_sheet *s, const league_row *row, int other)
{
    const int box = row->dim == 3 && !strcmp(s->lines.base, "box");
    return box != other ? &row->box_classes : &row->classes;
}

static const char not_measured[] = "not measured";

/* What was timed, but not at the shapes of the others, does not take them. */
static const char *why_not(const league_sheet *s, const league_row *row)
{
    return row->base.n && !league_find(&row->base, s->lines.base) ? "not supported" : not_measured;
}

static void time_cells(const league_sheet *s, const league_row *row, text *page)
{
    const league_cell *base = league_find(&row->base, s->lines.base);
    if (base || !row->base.n)
        tile_cell(base, s->fastest_base, s->classes->base[0], why_not(s, row), page);
    else
        other_base(&row->base.cells[0], s->classes->base[0], row->base.cells[0].name, page);
    for (size_t c = 0; c < s->separations; c++) {
        const char *class = s->classes->beside[c][0];
        const league_cells *own = league_classes(s, row, 0), *others = league_classes(s, row, 1);
        const league_cell *other = own->n ? NULL : league_find(others, class);
        if (other)
            other_base(other, class, others == &row->box_classes ? "box" : "hull16", page);
        else
            tile_cell(league_find(own, class), s->fastest[c], class,
                      others->n ? not_measured : why_not(s, row), page);
    }
}

enum { CURVE_HEIGHT = 30, CURVE_MARGIN = 4 };

static double along(double value, double least, double most, double length)
{
    return most > least ? CURVE_MARGIN + (length - 2 * CURVE_MARGIN) * log(value / least) / log(most / least)
                        : length / 2;
}

static void curve(const league_sheet *s, const league_row *row, const char *class, text *page)
{
    text_format(page, "<polyline class=\"%s\" points=\"", class);
    for (size_t v = 0; v < row->vertices.n; v++)
        text_format(page, "%.1f,%.1f ",
                    along(league_vertices(row->vertices.cells[v].name), s->few, s->many, LEAGUE_CURVE),
                    CURVE_HEIGHT -
                        along(row->vertices.cells[v].value[LEAGUE_NS], s->low, s->high, CURVE_HEIGHT));
    text_add(page, "\"/>");
}

/* Every table has one scale; the first line's curve stands behind all others. */
static void curve_cell(const league_sheet *s, const league_row *row, text *page)
{
    const league_row *first = s->lines.n ? s->lines.rows[0] : row;
    number n;
    if (!row->vertices.n) {
        text_format(page, "<td class=\"quiet\" title=\"%s\">–</td>", why_not(s, row));
        return;
    }
    text_format(page,
                "<td class=\"curve\"><svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "role=\"graphics-symbol img\"><title>",
                LEAGUE_CURVE, CURVE_HEIGHT, LEAGUE_CURVE, CURVE_HEIGHT);
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
                    along(league_vertices(row->vertices.cells[v].name), s->few, s->many, LEAGUE_CURVE),
                    CURVE_HEIGHT -
                        along(row->vertices.cells[v].value[LEAGUE_NS], s->low, s->high, CURVE_HEIGHT));
    text_add(page, "</svg></td>");
}

/* ---- wrong ---- */

static void wrong_cell(const league_sheet *s, const league_row *row, text *page)
{
    number n, count, graded;
    if (!(row->graded > 0)) {
        text_add(page, "<td class=\"n quiet\">–</td>");
        return;
    }
    text_format(page, "<td class=\"n%s\" title=\"%s of %s graded answers\">%s",
                row->wrong > 0 ? " bad" : " quiet", number_count(&count, row->wrong),
                number_count(&graded, row->graded), number_rate(&n, row->wrong / row->graded));
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

enum { STRIP_HEIGHT = 22 };

static void strip_cell(const league_sheet *s, const league_row *row, text *page)
{
    const int width = (int)s->families.n * LEAGUE_STRIP;
    size_t bad = 0;
    number n, m;
    for (size_t f = 0; f < s->families.n; f++)
        bad += wrongness(league_find(&row->families, s->families.s[f])) > 1;
    text_format(page,
                "<td class=\"strip\"><svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "role=\"graphics-symbol img\" "
                "aria-label=\"wrong in %zu of %zu families\">",
                width, STRIP_HEIGHT, width, STRIP_HEIGHT, bad, s->families.n);
    for (size_t f = 0; f < s->families.n; f++) {
        const league_cell *cell = league_find(&row->families, s->families.s[f]);
        text_format(page, "<rect class=\"w%d\" x=\"%zu\" width=\"%d\" height=\"%d\"><title>", wrongness(cell),
                    f * LEAGUE_STRIP, LEAGUE_STRIP - 1, STRIP_HEIGHT);
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

static void worst_cell(const league_sheet *s, const league_row *row, text *page)
{
    number n;
    if (!s->has_value || !(row->graded > 0))
        text_add(page, "<td class=\"n quiet\">–</td>");
    else
        text_format(page, "<td class=\"n\">%s</td>",
                    isfinite(row->worst_error_eps) ? tile(&n, row->worst_error_eps) : "∞");
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
        text_format(
            page,
            "<td class=\"n bad\" title=\"other bytes: asked again %s, in another order %s, in another "
            "session %s\">%s</td>",
            number_rate(&a, m->again / m->pairs), number_rate(&b, m->reordered / m->pairs),
            number_rate(&c, m->other_session / m->pairs), number_rate(&n, most / m->pairs));
    else
        text_add(page, "<td class=\"n quiet\">same</td>");
}

static void shift_cell(const league_sheet *s, const metrics *m, double log2, text *page)
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
                shift->flipped > 0 ? " bad" : "", number_count(&n, shift->changed),
                number_count(&pairs, shift->pairs), number_figures(&worst, shift->worst_eps),
                number_rate(&rate, shift->flipped / shift->pairs));
    if (s->has_value)
        text_format(page, "<small>%s εS</small>", tile(&worst, shift->worst_eps));
    text_add(page, "</td>");
}

void league_line(const league_sheet *s, const league_row *row, text *page)
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
