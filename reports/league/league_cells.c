/* The cells of a league line: name, times by class, curve over vertices, shares of wrong answers, dependence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/league/league_cells.h"

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

/* ---- contender ---- */

static void say_word(json_t *about, const char *key, table *t)
{
    const char *s = json_string_value(json_object_get(about, key));
    if (s && *s)
        table_say(t, " · %s", s);
}

static void who_cell(const league_sheet *s, const league_row *row, table *t)
{
    json_t *about = results_about(s->part, row->contender), *more, *one;
    const char *note = json_string_value(json_object_get(about, "note"));
    size_t i;
    int marked = 0;
    more = json_object_get(about, "does_more");
    json_array_foreach(more, i, one)
        marked |= json_is_string(one) && !strcmp(json_string_value(one), row->query);
    table_cell_begin(t, TABLE_TITLE, 1, NULL);
    table_attribute(t, "title", "%s", note ? note : "");
    table_mark(t, "<b>", "");
    table_say(t, "%s", row->contender);
    table_mark(t, marked ? "</b> †<small>" : "</b><small>", marked ? " † " : " ");
    if (strcmp(row->backend, "-"))
        table_say(t, "%s ", row->backend);
    table_say(t, "%s", row->precision);
    say_word(about, "version", t);
    say_word(about, "licence", t);
    if (results_self_timed(s->part, row->contender))
        table_say(t, " · self-timed");
    table_mark(t, "</small>", "");
}

/* ---- time ---- */

/* The nearer to the fastest of its column, the darker. */
static void tile_cell(const league_cell *cell, double fastest, const char *class, const char *why, table *t)
{
    number n, low, high;
    char heat[16];
    const double ns = cell ? cell->value[LEAGUE_NS] : NAN, slower = log2(ns / fastest);
    snprintf(heat, sizeof heat, "h%d", isfinite(slower) ? (int)fmin(6, fmax(0, 6 - floor(slower + 0.5))) : 0);
    table_cell_begin(t, TABLE_TILE | (cell ? 0 : TABLE_QUIET), 1, heat);
    if (cell)
        table_attribute(t, "title", "%s: %s to %s ns", class, number_figures(&low, cell->value[LEAGUE_LOW]),
                        number_figures(&high, cell->value[LEAGUE_HIGH]));
    else
        table_attribute(t, "title", "%s", why);
    table_say(t, "%s", tile(&n, ns));
}

static void small(table *t, const char *words)
{
    table_mark(t, "<small>", " ");
    table_say(t, "%s", words);
    table_mark(t, "</small>", "");
}

/* Who does not take the shapes of the others' base point is shown with its own, which does not compare. */
static void other_base(const league_cell *cell, const char *class, const char *shapes, table *t)
{
    number n, low, high;
    table_cell_begin(t, TABLE_TILE, 1, NULL);
    table_attribute(t, "title", "%s: %s to %s ns", class, number_figures(&low, cell->value[LEAGUE_LOW]),
                    number_figures(&high, cell->value[LEAGUE_HIGH]));
    table_say(t, "%s", tile(&n, cell->value[LEAGUE_NS]));
    small(t, shapes);
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

static void time_cells(const league_sheet *s, const league_row *row, table *t)
{
    const league_cell *base = league_find(&row->base, s->lines.base);
    if (base || !row->base.n)
        tile_cell(base, s->fastest_base, s->classes->base[0], why_not(s, row), t);
    else
        other_base(&row->base.cells[0], s->classes->base[0], row->base.cells[0].name, t);
    for (size_t c = 0; c < s->separations; c++) {
        const char *class = s->classes->further[c][0];
        const league_cells *own = league_classes(s, row, 0), *others = league_classes(s, row, 1);
        const league_cell *other = own->n ? NULL : league_find(others, class);
        if (other)
            other_base(other, class, others == &row->box_classes ? "box" : "hull16", t);
        else
            tile_cell(league_find(own, class), s->fastest[c], class,
                      others->n ? not_measured : why_not(s, row), t);
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
                    along(row->vertices.cells[v].value[LEAGUE_VERTICES], s->few, s->many, LEAGUE_CURVE),
                    CURVE_HEIGHT -
                        along(row->vertices.cells[v].value[LEAGUE_NS], s->low, s->high, CURVE_HEIGHT));
    text_add(page, "\"/>");
}

/* A drawing, and the words that stand for it elsewhere. */
static void add_drawing(table *t, const char *class, text *svg, const char *words)
{
    table_cell_begin(t, 0, 1, class);
    table_mark(t, svg->s ? svg->s : "", words);
    t->html.failed |= svg->failed;
    text_free(svg);
}

/* Every table has one scale; the first line's curve stands behind all others. */
static void curve_cell(const league_sheet *s, const league_row *row, table *t)
{
    const league_row *first = s->lines.n ? s->lines.rows[0] : row;
    number n;
    if (!row->vertices.n) {
        table_cell_begin(t, TABLE_QUIET, 1, NULL);
        table_attribute(t, "title", "%s", why_not(s, row));
        table_say(t, "–");
        return;
    }
    text svg = {0};
    text_format(&svg,
                "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "role=\"graphics-symbol img\"><title>",
                LEAGUE_CURVE, CURVE_HEIGHT, LEAGUE_CURVE, CURVE_HEIGHT);
    for (size_t v = 0; v < row->vertices.n; v++) {
        text_add(&svg, v ? ", " : "");
        text_html(&svg, row->vertices.cells[v].name);
        text_format(&svg, " %s ns", number_figures(&n, row->vertices.cells[v].value[LEAGUE_NS]));
    }
    text_add(&svg, "</title>");
    if (first != row && first->vertices.n > 1)
        curve(s, first, "first", &svg);
    if (row->vertices.n > 1)
        curve(s, row, "own", &svg);
    for (size_t v = 0; v < row->vertices.n; v++)
        text_format(&svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\"/>",
                    along(row->vertices.cells[v].value[LEAGUE_VERTICES], s->few, s->many, LEAGUE_CURVE),
                    CURVE_HEIGHT -
                        along(row->vertices.cells[v].value[LEAGUE_NS], s->low, s->high, CURVE_HEIGHT));
    text_add(&svg, "</svg>");
    add_drawing(t, "curve", &svg, "");
}

/* ---- wrong ---- */

static void wrong_cell(const league_sheet *s, const league_row *row, table *t)
{
    number n, count, graded;
    if (!(row->graded > 0)) {
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "–");
        return;
    }
    table_cell_begin(t, TABLE_NUMBER | (row->wrong > 0 ? TABLE_BAD : TABLE_QUIET), 1, NULL);
    table_attribute(t, "title", "%s of %s graded answers", number_count(&count, row->wrong),
                    number_count(&graded, row->graded));
    table_say(t, "%s", number_rate(&n, row->wrong / row->graded));
    if (s->has_value && row->wrong > 0) {
        table_mark(t, "<small title=\"off by more than 1e-3 S\">", " ");
        table_say(t, "%s", number_rate(&n, row->beyond_1e3 / row->graded));
        table_mark(t, "</small>", "");
    }
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

static void strip_cell(const league_sheet *s, const league_row *row, table *t)
{
    const int width = (int)s->families.n * LEAGUE_STRIP;
    size_t bad = 0;
    number n, m;
    char words[64];
    text svg = {0};
    for (size_t f = 0; f < s->families.n; f++)
        bad += wrongness(league_find(&row->families, s->families.s[f])) > 1;
    snprintf(words, sizeof words, "wrong in %zu of %zu families", bad, s->families.n);
    text_format(&svg,
                "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "role=\"graphics-symbol img\" "
                "aria-label=\"%s\">",
                width, STRIP_HEIGHT, width, STRIP_HEIGHT, words);
    for (size_t f = 0; f < s->families.n; f++) {
        const league_cell *cell = league_find(&row->families, s->families.s[f]);
        text_format(&svg, "<rect class=\"w%d\" x=\"%zu\" width=\"%d\" height=\"%d\"><title>", wrongness(cell),
                    f * LEAGUE_STRIP, LEAGUE_STRIP - 1, STRIP_HEIGHT);
        text_html(&svg, s->families.s[f]);
        if (wrongness(cell))
            text_format(&svg, ": %s wrong of %s", number_count(&n, cell->value[LEAGUE_WRONG]),
                        number_count(&m, cell->value[LEAGUE_GRADED]));
        else
            text_add(&svg, ": nothing graded");
        text_add(&svg, "</title></rect>");
    }
    text_add(&svg, "</svg>");
    add_drawing(t, "strip", &svg, words);
}

static void worst_cell(const league_sheet *s, const league_row *row, table *t)
{
    number n;
    if (!s->has_value || !(row->graded > 0))
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "–");
    else
        table_put(t, TABLE_NUMBER, "%s", isfinite(row->worst_error_eps) ? tile(&n, row->worst_error_eps) : "∞");
}

static void count_cell(double count, double of, table *t)
{
    number n;
    if (!(of > 0))
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "–");
    else
        table_put(t, TABLE_NUMBER | (count > 0 ? TABLE_BAD : TABLE_QUIET), "%s", number_count(&n, count));
}

/* ---- what answers depend on ---- */

static void swap_cell(const league_row *row, table *t)
{
    const double asked = row->pairs - row->unsupported;
    number n;
    if (!(asked > 0))
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "–");
    else if (row->symmetry_wrong > 0)
        table_put(t, TABLE_NUMBER | TABLE_BAD, "%s", number_rate(&n, row->symmetry_wrong / asked));
    else
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "same");
}

static void repeat_cell(const metrics *m, table *t)
{
    number n, a, b, c;
    const double most = fmax(m->again, fmax(m->reordered, m->other_session));
    if (!(m->pairs > 0) || !(most > 0)) {
        table_put(t, TABLE_NUMBER | TABLE_QUIET, m->pairs > 0 ? "same" : "–");
        return;
    }
    table_cell_begin(t, TABLE_NUMBER | TABLE_BAD, 1, NULL);
    table_attribute(t, "title", "other bytes: asked again %s, in another order %s, in another session %s",
                    number_rate(&a, m->again / m->pairs), number_rate(&b, m->reordered / m->pairs),
                    number_rate(&c, m->other_session / m->pairs));
    table_say(t, "%s", number_rate(&n, most / m->pairs));
}

static void shift_cell(const league_sheet *s, const metrics *m, double log2, table *t)
{
    number n, pairs, rate, worst;
    const metric_shift *shift = NULL;
    for (size_t k = 0; k < m->shift_count; k++)
        if (m->shifts[k].log2 == log2)
            shift = &m->shifts[k];
    if (!shift || !(shift->pairs > 0)) {
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "–");
        return;
    }
    table_cell_begin(t, TABLE_NUMBER | (shift->changed == 0 ? TABLE_QUIET : shift->flipped > 0 ? TABLE_BAD : 0), 1,
                     NULL);
    if (shift->changed == 0) {
        table_attribute(t, "title", "the same bytes for %s pairs", number_count(&n, shift->pairs));
        table_say(t, "same");
        return;
    }
    table_attribute(t, "title", "%s of %s answers changed; by at most %s εS", number_count(&n, shift->changed),
                    number_count(&pairs, shift->pairs), number_figures(&worst, shift->worst_eps));
    table_say(t, "%s", number_rate(&rate, shift->flipped / shift->pairs));
    if (s->has_value) {
        char by[64];
        snprintf(by, sizeof by, "%s εS", tile(&worst, shift->worst_eps));
        small(t, by);
    }
}

void league_line(const league_sheet *s, const league_row *row, table *t)
{
    table_row_begin(t, TABLE_BODY);
    who_cell(s, row, t);
    time_cells(s, row, t);
    curve_cell(s, row, t);
    wrong_cell(s, row, t);
    strip_cell(s, row, t);
    worst_cell(s, row, t);
    count_cell(row->hung, row->pairs, t);
    count_cell(row->crashed, row->pairs, t);
    count_cell(row->capped, row->pairs, t);
    swap_cell(row, t);
    repeat_cell(&row->metrics, t);
    for (size_t k = 0; k < s->shifts; k++)
        shift_cell(s, &row->metrics, s->log2[k], t);
}
