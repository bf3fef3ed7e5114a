/* Maps over two factors: cells as CSV, as an HTML table, and as a gnuplot script. */
#include "draw/plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

number plot_lead_of(const plot_cell *cell)
{
    number lead = {""};
    if (*cell->best && cell->tied)
        strcpy(lead.s, "tie");
    else if (*cell->best && isfinite(cell->lead.times))
        ratio_text(&lead, cell->lead, RATIO_TIMES);
    else if (*cell->best)
        strcpy(lead.s, "alone");
    return lead;
}

void plot_map_csv(const plot *p, text *out)
{
    text_format(out, "%s,%s,fastest,ns_per_pair,next,times_as_fast,tied\r\n", p->x_column, p->y_column);
    for (size_t i = 0; i < p->cell_count; i++) {
        const plot_cell *c = &p->cells[i];
        text_csv(out, p->categories[c->x]);
        text_add(out, ",");
        text_csv(out, p->rows[c->y]);
        text_add(out, ",");
        text_csv(out, c->best);
        text_add(out, ",");
        if (isfinite(c->value))
            text_format(out, "%.9g", c->value);
        text_add(out, ",");
        text_csv(out, c->next);
        text_add(out, ",");
        if (isfinite(c->lead.times))
            text_format(out, "%.9g", c->lead.times);
        text_format(out, ",%d\r\n", c->tied);
    }
}

static const plot_cell *cell_at(const plot *p, size_t x, size_t y)
{
    for (size_t i = 0; i < p->cell_count; i++)
        if (p->cells[i].x == x && p->cells[i].y == y)
            return &p->cells[i];
    return NULL;
}

/* ---- for papers: the page has a table ---- */

enum { CELL_WIDTH = 124, CELL_HEIGHT = 44, MARGIN_LEFT = 124, MARGIN_TOP = 62, MARGIN = 10 };

/* `of` says what x is a coordinate of: the first axis, or the screen. */
static void label_at(const char *s, const char *of, double x, double y, const char *how, int colour,
                     text *out)
{
    text_add(out, "set label \"");
    text_gnuplot(out, s);
    text_format(out, "\" at %s %.9g, first %.9g %s front tc rgb \"#0001%02x\"\n", of, x, y, how, colour);
}

static void draw_cell(const plot_cell *c, size_t x, size_t y, int *next, text *out)
{
    const double middle = (double)x + 0.5;
    if (!c || !*c->best) {
        const char *word = !c ? "–" : c->asked ? "none right" : "none";
        label_at(word, "first", middle, (double)y + 0.5, "center font ',12'", COLOUR_MUTED, out);
        return;
    }
    text_format(out,
                "set object %d rectangle from first %.9g, first %.9g to first %.9g, first %.9g back fs "
                "transparent solid "
                "0.22 noborder fc rgb \"#0001%02x\"\n",
                (*next)++, (double)x + 0.02, (double)y + 0.04, (double)x + 0.98, (double)y + 0.96, c->colour);
    label_at(c->best, "first", middle, (double)y + 0.3, "center font ',12'", COLOUR_INK, out);
    label_at(plot_lead_of(c).s, "first", middle, (double)y + 0.7, "center font ',12'", COLOUR_INK, out);
}

void plot_map_script(const plot *p, text *out)
{
    const int width = MARGIN_LEFT + CELL_WIDTH * (int)p->category_count + MARGIN,
              height = MARGIN_TOP + CELL_HEIGHT * (int)p->row_count + MARGIN;
    int next = 1;
    text_format(
        out,
        "set terminal svg size %d,%d noenhanced dynamic font 'DejaVu Sans,14'\nset encoding utf8\nunset key\n"
        "unset border\nunset tics\nset lmargin at screen %.4f\nset rmargin at screen %.4f\nset tmargin at "
        "screen "
        "%.4f\nset bmargin at screen %.4f\nset xrange [0:%zu]\nset yrange [%zu:0]\n",
        width, height, (double)MARGIN_LEFT / width, 1 - (double)MARGIN / width,
        1 - (double)MARGIN_TOP / height, (double)MARGIN / height, p->category_count, p->row_count);
    label_at(p->x_title, "first", (double)p->category_count / 2, -44.0 / CELL_HEIGHT, "center", COLOUR_MUTED,
             out);
    label_at(p->y_title, "screen", 4.0 / width, -16.0 / CELL_HEIGHT, "left", COLOUR_MUTED, out);
    for (size_t x = 0; x < p->category_count; x++)
        label_at(p->categories[x], "first", (double)x + 0.5, -16.0 / CELL_HEIGHT, "center", COLOUR_INK, out);
    for (size_t y = 0; y < p->row_count; y++)
        label_at(p->rows[y], "screen", 4.0 / width, (double)y + 0.5, "left", COLOUR_INK, out);
    for (size_t y = 0; y < p->row_count; y++)
        for (size_t x = 0; x < p->category_count; x++)
            draw_cell(cell_at(p, x, y), x, y, &next, out);
    text_format(out, "plot NaN notitle lc rgb \"#0001%02x\"\n", COLOUR_INK);
}

static void add_cell(const plot_cell *c, table *t)
{
    number n;
    char colour[16];
    if (!c) {
        table_put(t, 0, "–");
        return;
    }
    if (!*c->best) {
        table_put(t, TABLE_QUIET, c->asked ? "none right" : "none");
        return;
    }
    snprintf(colour, sizeof colour, "m%d", c->colour);
    table_cell_begin(t, 0, 1, colour);
    table_attribute(t, "title", "%s ns a pair%s%s", number_figures(&n, c->value), *c->next ? "; next: " : "", c->next);
    table_say(t, "%s", c->best);
    table_mark(t, "<b>", " ");
    table_say(t, "%s", plot_lead_of(c).s);
    table_mark(t, "</b>", "");
    if (!c->tied)
        table_doubt(t, c->lead);
}

void plot_map_table(const plot *p, table_files *files, text *page)
{
    table t = {.class = "map"};
    text_add(&t.file, p->id);
    text_add(&t.title, p->heading);
    table_row_begin(&t, TABLE_HEAD);
    table_cell_begin(&t, 0, 1, NULL);
    table_cell_begin(&t, 0, p->category_count, NULL);
    table_say(&t, "%s", p->x_title);
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, TABLE_TITLE, "%s", p->y_title);
    for (size_t x = 0; x < p->category_count; x++)
        table_put(&t, TABLE_TITLE, "%s", p->categories[x]);
    for (size_t y = 0; y < p->row_count; y++) {
        table_row_begin(&t, TABLE_BODY);
        table_put(&t, TABLE_TITLE, "%s", p->rows[y]);
        for (size_t x = 0; x < p->category_count; x++)
            add_cell(cell_at(p, x, y), &t);
    }
    table_end(&t, files, page);
}
