/* Draws the convergence of GJK and EPA from rows of errors by supports, and states it in words. */
#include "reports/figures/converge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/figures/figures_parts.h"
#include "reports/remarks.h"

/* Where an answer has become what it stays, its line ends. */
static void add_line(plot *p, const converge_row *row)
{
    static const plot_style looks[] = {
        {1, 6, 1, 1.5}, {4, 8, 1, 1.5}, {6, 12, 1, 1.5}, {7, 10, 1, 1.5}, {9, 4, 1, 1.5}};
    plot_line *line = plot_line_of(p, row->workload, looks[p->line_count % (sizeof looks / sizeof *looks)]);
    size_t last = row->steps;
    while (last > 1 && row->most[last - 2] == row->most[last - 1])
        last--;
    for (size_t i = 0; line && i < last; i++)
        plot_add(line, row->supports[i], row->most[i], NAN, NAN);
}

static plot *draw(const results *r, const converge_row *first)
{
    char heading[HEADING], title[HEADING];
    snprintf(title, sizeof title, "%.8s, %.32s", first->method, first->query);
    figures_heading(heading, title, first->precision);
    plot *p =
        plot_new(PLOT_CURVES, heading, "supports taken", "supports", "error in sizes of the pair", "error");
    for (size_t i = 0; p && i < r->converge_count; i++)
        if (!strcmp(r->converge[i].query, first->query) &&
            !strcmp(r->converge[i].precision, first->precision))
            add_line(p, &r->converge[i]);
    if (p) {
        p->log_y = 1;
        plot_name(p, "converge", first->query, first->precision);
    }
    return p;
}

/* The first of its drawing. */
static int begins(const results *r, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!strcmp(r->converge[k].query, r->converge[i].query) &&
            !strcmp(r->converge[k].precision, r->converge[i].precision))
            return 0;
    return 1;
}

void figures_converge(const results *r, const base_point *base, figure_group *group)
{
    (void)base;
    for (size_t i = 0; i < r->converge_count; i++)
        if (begins(r, i))
            figures_keep(group, draw(r, &r->converge[i]), 0);
}

/* Whether anybody stopped at a cap, and how many iterations ours take until their answer is proven. */
void remarks_converge(const results *r, const base_point *base, text *page)
{
    double pairs = 0, capped = 0, ours = 0, unproven = 0;
    number n, m;
    (void)base;
    for (size_t i = 0; i < r->converge_count; i++) {
        pairs += r->converge[i].pairs;
        capped += r->converge[i].capped;
        ours += r->converge[i].ours.capped > 0 ? r->converge[i].ours.capped : 0;
        if (r->converge[i].dim == 3 && !strcmp(r->converge[i].query, "penetration"))
            unproven += r->converge[i].ours.unproven > 0 ? r->converge[i].ours.unproven : 0;
    }
    text_format(page, "<li>Iteration limit reached: ours %s of %s",
                number_count(&n, ours), number_count(&m, pairs));
    text_format(page, ", textbook methods %s.", number_count(&n, capped));
    text_format(page, " Of depths in 3D branch and bound ran out of cells in %s: the least that was found is the answer.</li>",
                number_count(&n, unproven));
    for (size_t i = 0; i < r->converge_count; i++) {
        const converge_row *first = &r->converge[i];
        if (!begins(r, i) || isnan(first->ours.mean))
            continue;
        text_add(page, "<li><b>ours, ");
        series_name query = points_spaced(first->query);
        text_html(page, query.s);
        text_add(page, ", ");
        text_html(page, first->precision);
        text_add(page,
                 ":</b> iterations until the answer stands, of half of the pairs, of 95% and of all:");
        for (size_t k = i, said = 0; k < r->converge_count; k++) {
            const converge_row *row = &r->converge[k];
            if (strcmp(row->query, first->query) || strcmp(row->precision, first->precision))
                continue;
            text_add(page, said++ ? "; " : " ");
            text_html(page, row->workload);
            text_format(page, " %.0f, %.0f, %.0f", row->ours.median, row->ours.most, row->ours.all);
        }
        text_add(page, ".</li>");
    }
}
