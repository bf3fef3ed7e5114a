#include "reports/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

plot_lead plot_lead_of(const plot_cell *cell)
{
    plot_lead lead = {""};
    if (*cell->best && cell->tied)
        strcpy(lead.s, "tie");
    else if (*cell->best && isfinite(cell->times))
        snprintf(lead.s, sizeof lead.s, "%.*f×", cell->times < 9.95 ? 1 : 0, fmin(cell->times, 1e6));
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
        if (isfinite(c->times))
            text_format(out, "%.9g", c->times);
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

static void put_cell(const plot_cell *c, text *page)
{
    number n;
    if (!c) {
        text_add(page, "<td>–</td>");
        return;
    }
    if (!*c->best) {
        text_add(page,
                 c->asked ? "<td class=\"quiet\">nobody right</td>" : "<td class=\"quiet\">nobody</td>");
        return;
    }
    text_format(page, "<td class=\"m%d\" title=\"%s ns a pair", c->colour, number_figures(&n, c->value));
    text_add(page, *c->next ? "; next: " : "");
    text_html(page, c->next);
    text_add(page, "\">");
    text_html(page, c->best);
    text_format(page, "<b>%s</b></td>", plot_lead_of(c).s);
}

void plot_map_html(const plot *p, text *page)
{
    text_format(page, "<div class=\"scroll\"><table class=\"map\" data-file=\"%s\" data-title=\"", p->id);
    text_html(page, p->heading);
    text_add(page, "\"><thead><tr><th scope=\"col\" rowspan=\"2\">");
    text_html(page, p->y_title);
    text_format(page, "</th><th colspan=\"%zu\">", p->category_count);
    text_html(page, p->x_title);
    text_add(page, "</th></tr><tr>");
    for (size_t x = 0; x < p->category_count; x++) {
        text_add(page, "<th scope=\"col\">");
        text_html(page, p->categories[x]);
        text_add(page, "</th>");
    }
    text_add(page, "</tr></thead><tbody>");
    for (size_t y = 0; y < p->row_count; y++) {
        text_add(page, "<tr><th scope=\"row\">");
        text_html(page, p->rows[y]);
        text_add(page, "</th>");
        for (size_t x = 0; x < p->category_count; x++)
            put_cell(cell_at(p, x, y), page);
        text_add(page, "</tr>");
    }
    text_add(page, "</tbody></table></div>");
}
