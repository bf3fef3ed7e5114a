/* Draws the convergence of GJK and EPA from rows of errors by supports, and states it in words. */
#include "reports/figures/converge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/facts.h"
#include "reports/figures/fields.h"
#include "reports/figures/figures_parts.h"

#define ROW(key, member, type, required)                                                                     \
    {                                                                                                        \
        key, offsetof(converge_row, member), type, required                                                  \
    }

static const field row_fields[] = {
    ROW("query", query, TEXT, 1),   ROW("workload", workload, TEXT, 1), ROW("precision", precision, TEXT, 1),
    ROW("method", method, TEXT, 1), ROW("dim", dim, COUNT, 1),          ROW("pairs", pairs, COUNT, 1),
    ROW("met", met, COUNT, 1),      ROW("floor", floor, COUNT, 1),      ROW("capped", capped, COUNT, 1),
};
static const field ours_fields[] = {
    ROW("mean", ours.mean, COUNT, 1), ROW("median", ours.median, COUNT, 1), ROW("most", ours.most, COUNT, 1),
    ROW("all", ours.all, COUNT, 1),   ROW("capped", ours.capped, COUNT, 1),
    ROW("unproven", ours.unproven, COUNT, 0),
};

static int read_steps(double *out, size_t *count, json_t *object, const char *key, const char *where,
                      gjb_error *error)
{
    json_t *array = json_object_get(object, key), *value;
    size_t i;
    if (!json_is_array(array) || json_array_size(array) > CONVERGE_STEPS)
        return gjb_fail(error, "%s.%s: expected an array of at most %d numbers", where, key, CONVERGE_STEPS);
    json_array_foreach(array, i, value)
    {
        if (!json_is_number(value) || !(json_number_value(value) > 0))
            return gjb_fail(error, "%s.%s[%zu]: expected a positive number", where, key, i);
        out[i] = json_number_value(value);
    }
    *count = json_array_size(array);
    return 0;
}

int converge_read(converge_row *row, json_t *object, const char *where, gjb_error *error)
{
    json_t *ours = json_object_get(object, "ours");
    size_t errors;
    *row = (converge_row){.ours = {NAN, NAN, NAN, NAN, NAN, NAN}};
    if (fields_read(row, row_fields, sizeof row_fields / sizeof *row_fields, object, where, error) ||
        (ours &&
         fields_read(row, ours_fields, sizeof ours_fields / sizeof *ours_fields, ours, where, error)) ||
        read_steps(row->supports, &row->steps, object, "supports", where, error) ||
        read_steps(row->most, &errors, object, "most", where, error))
        return -1;
    return errors == row->steps ? 0 : gjb_fail(error, "%s.most: as many as \"supports\" are expected", where);
}

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
void facts_converge(const results *r, const base_point *base, text *page)
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
