#include "reports/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int same_way(const bench_row *a, const bench_row *b)
{
    return !strcmp(a->contender, b->contender) && !strcmp(a->backend, b->backend) && !strcmp(a->query, b->query) &&
           !strcmp(a->precision, b->precision);
}

void facts_throughput(const results *r, const base_point *base, text *page)
{
    json_t *ceiling = results_context(r, "memory_ceiling");
    double lines = json_number_value(json_object_get(ceiling, "lines_per_second"));
    names queries = points_queries(r);
    for (size_t q = 0; q < queries.n; q++) {
        const bench_row *small = points_fastest(r, base, queries.s[q], "batch"), *large = NULL;
        for (size_t i = 0; small && i < r->bench_count; i++) {
            const bench_row *row = &r->bench[i];
            if (same_way(row, small) && points_in_sweep(base, row, "shapes", VARY_SHAPES) && row->shapes > small->shapes &&
                (!large || row->shapes > large->shapes))
                large = row;
        }
        if (!large || large->shapes < 16 * small->shapes)
            continue;
        number a, b, c, d;
        series_name query = points_spaced(queries.s[q]);
        text_add(page, "<li><b>");
        text_html(page, query.s);
        text_format(page, ":</b> at %s shapes ", number_count(&a, large->shapes));
        text_html(page, large->backend);
        text_format(page, " keeps %.0f%% of its throughput at %s shapes, %s million pairs per second",
                    100 * small->ns / large->ns, number_count(&b, small->shapes),
                    number_figures(&c, large->pairs_per_second / 1e6));
        if (lines > 0 && large->random_lines > 0)
            text_format(page, ": %s%% of what this machine’s memory gives for as many random lines",
                        number_figures(&d, 100 * large->pairs_per_second * large->random_lines / lines));
        text_add(page, ".</li>");
    }
}

void facts_call(const results *r, const base_point *base, text *page)
{
    static const char *const rivals[][2] = {{"box2d", "Box2D"}, {"reference", "the reference"}};
    names queries = points_queries(r);
    for (size_t q = 0; q < queries.n; q++) {
        const bench_row *ours = points_fastest(r, base, queries.s[q], "batch");
        int said = 0;
        for (size_t v = 0; ours && v < 2; v++) {
            const bench_row *rival = points_fastest(r, base, queries.s[q], rivals[v][0]);
            double from = INFINITY, least = INFINITY;
            int sizes = 0;
            for (size_t i = 0; rival && i < r->bench_count; i++) {
                const bench_row *row = &r->bench[i];
                if (!same_way(row, ours) || !points_in_sweep(base, row, "calls", VARY_CALL))
                    continue;
                /* against the rival at the same call where that was measured */
                const bench_row *other = rival;
                for (size_t j = 0; j < r->bench_count; j++)
                    if (same_way(&r->bench[j], rival) && r->bench[j].call == row->call &&
                        points_in_sweep(base, &r->bench[j], "calls", VARY_CALL))
                        other = &r->bench[j];
                sizes++;
                least = fmin(least, row->call);
                if (row->ns < other->ns)
                    from = fmin(from, row->call);
            }
            if (sizes < 2 || !isfinite(from))
                continue;
            number n;
            series_name query = points_spaced(queries.s[q]);
            if (!said) {
                text_add(page, "<li><b>");
                text_html(page, query.s);
                text_add(page, ":</b> ");
                text_html(page, ours->backend);
            }
            text_format(page, "%s beats %s%s from %s pair%s a call on", said ? " and" : "", rivals[v][1],
                        results_does_more(r, rivals[v][0], queries.s[q]) ? "’s manifold †" : "", number_count(&n, from),
                        from == 1 ? "" : "s");
            said = 1;
        }
        if (said)
            text_add(page, ".</li>");
    }
}
