/* List items computed from results: throughput kept, calls, kinds of shapes, costs of isolation. */
#include "reports/remarks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/ratios.h"

static int same_way(const bench_row *a, const bench_row *b)
{
    return !strcmp(a->contender, b->contender) && !strcmp(a->backend, b->backend) && !strcmp(a->query, b->query) &&
           !strcmp(a->precision, b->precision);
}

void remarks_throughput(const results *r, const base_point *base, text *page)
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
        number a, b, c;
        series_name query = points_spaced(queries.s[q]);
        text_add(page, "<li><b>");
        text_html(page, query.s);
        text_format(page, ":</b> at %s shapes batch ", number_count(&a, large->shapes));
        text_html(page, large->backend);
        text_add(page, " keeps ");
        ratio_html(ratio_of(r, small, large), RATIO_PERCENT, page);
        text_format(page, " of its throughput at %s shapes, %s million pairs per second",
                    number_count(&b, small->shapes), number_figures(&c, large->pairs_per_second / 1e6));
        /* The ceiling is that of a scene of a million shapes: smaller ones may live in a cache. */
        if (lines > 0 && large->random_lines > 0 && large->shapes >= 500000) {
            text_add(page, ": ");
            ratio_html(ratio_between(r, timing_exact(1e9 * large->random_lines / lines), timing_of(large)),
                       RATIO_PERCENT, page);
            text_add(page, " of what this machine’s memory gives for as many random lines");
        }
        text_add(page, ".</li>");
    }
}

/* The fastest row of batch at the base point whose backend was measured at other calls too. */
static const bench_row *fastest_called(const results *r, const base_point *base, const char *query)
{
    const bench_row *best = NULL;
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        if (!results_batch(row->contender) || strcmp(row->query, query) || strcmp(row->precision, base->precision) ||
            !points_in_sweep(base, row, "", VARY_NOTHING) || (best && best->ns <= row->ns))
            continue;
        for (size_t j = 0; j < r->bench_count && best != row; j++)
            if (same_way(&r->bench[j], row) && r->bench[j].call != row->call &&
                points_in_sweep(base, &r->bench[j], "calls", VARY_CALL))
                best = row;
    }
    return best;
}

/* The time of a contender at that many pairs a call, or at the base point if that was not measured. */
static double ns_at_call(const results *r, const base_point *base, const bench_row *way, double call)
{
    for (size_t i = 0; i < r->bench_count; i++)
        if (same_way(&r->bench[i], way) && r->bench[i].call == call &&
            points_in_sweep(base, &r->bench[i], "calls", VARY_CALL))
            return r->bench[i].ns;
    return way->ns;
}

/* Fewest measured pairs a call from which on `ours` is always the faster; NaN for none. */
static double overtakes_from(const results *r, const base_point *base, const bench_row *ours, const bench_row *rival)
{
    double loses = 0, from = NAN;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->bench_count; i++) {
            const bench_row *row = &r->bench[i];
            if (!same_way(row, ours) || !points_in_sweep(base, row, "calls", VARY_CALL))
                continue;
            if (!pass && row->ns >= ns_at_call(r, base, rival, row->call))
                loses = fmax(loses, row->call);
            if (pass && row->call > loses && !(row->call >= from))
                from = row->call;
        }
    return from;
}

void remarks_call(const results *r, const base_point *base, text *page)
{
    names queries = points_queries(r);
    for (size_t q = 0; q < queries.n; q++) {
        const bench_row *ours = fastest_called(r, base, queries.s[q]);
        int said = 0;
        const bench_row *const rivals[] = {points_others(r, base, queries.s[q], 1),
                                           points_fastest(r, base, queries.s[q], "reference")};
        for (size_t v = 0; ours && v < 2; v++) {
            const bench_row *rival = rivals[v];
            double from = rival ? overtakes_from(r, base, ours, rival) : NAN;
            if (isnan(from))
                continue;
            number n;
            series_name query = points_spaced(queries.s[q]);
            if (!said) {
                text_add(page, "<li><b>");
                text_html(page, query.s);
                text_add(page, ":</b> batch ");
                text_html(page, ours->backend);
                text_add(page, " beats ");
            }
            text_add(page, said ? ", " : "");
            text_html(page, rival->contender);
            text_format(page, "%s from %s pair%s a call on",
                        results_does_more(r, rival->contender, queries.s[q]) ? " †" : "", number_count(&n, from),
                        from == 1 ? "" : "s");
            ratio_mark(ratio_of_run(r), page);
            said = 1;
        }
        if (said)
            text_add(page, ".</li>");
    }
}

/* The fastest right row of a query on a kind of shape: of batch, or of those that are not ours. */
static const bench_row *fastest_on(const results *r, const base_point *base, const char *query, const char *workload,
                                   int ours)
{
    const bench_row *best = NULL;
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        if (points_has_tag(row, "kinds") && !strcmp(row->family, base->family) && !strcmp(row->query, query) &&
            !strcmp(row->workload, workload) && points_precision(row, base->precision) &&
            (ours ? results_batch(row->contender) : !row->ours) &&
            !results_does_more(r, row->contender, query) && points_right(r, row) && (!best || row->ns < best->ns))
            best = row;
    }
    return best;
}

void remarks_kinds(const results *r, const base_point *base, text *page)
{
    names queries = points_queries(r), workloads = {0};
    for (size_t i = 0; i < r->bench_count; i++)
        if (points_has_tag(&r->bench[i], "kinds"))
            names_add(&workloads, r->bench[i].workload);
    for (size_t q = 0; q < queries.n; q++) {
        int said = 0;
        for (size_t w = 0; w < workloads.n; w++) {
            const bench_row *ours = fastest_on(r, base, queries.s[q], workloads.s[w], 1);
            const bench_row *rival = fastest_on(r, base, queries.s[q], workloads.s[w], 0);
            if (!ours || !rival)
                continue;
            if (!said++) {
                series_name query = points_spaced(queries.s[q]);
                text_add(page, "<li><b>");
                text_html(page, query.s);
                text_add(page, ":</b> batch against the fastest other that is right, times as fast: ");
            } else {
                text_add(page, "; ");
            }
            text_html(page, workloads.s[w]);
            text_add(page, " ");
            ratio_html(ratio_of(r, rival, ours), RATIO_FIGURES, page);
            text_add(page, " (");
            text_html(page, rival->contender);
            text_add(page, ")");
        }
        if (said)
            text_add(page, ".</li>");
    }
}

static void signed_percent(double ratio, text *page)
{
    text_format(page, "%s%.1f%%", ratio < 1 ? "−" : "+", 100 * fabs(ratio - 1));
}

void remarks_isolation(const results *r, text *page)
{
    json_t *rows = results_context(r, "isolation_cost"), *one;
    size_t i;
    json_array_foreach(rows, i, one) {
        const char *contender = json_string_value(json_object_get(one, "contender"));
        number shapes, call;
        const int two = json_object_get(one, "between") != NULL;
        text_add(page, i     ? "; "
                       : two ? "<p class=\"note\">Contenders are timed in child processes, all of one thread on one "
                               "processor. The same contender in two of them differs by: "
                             : "<p class=\"note\">Contenders that are not ours run in a child process, and are timed "
                               "there. What that costs, ours being timed both here and in a child: ");
        text_format(page, "%.0fD ", json_number_value(json_object_get(one, "dim")));
        text_html(page, contender ? contender : "?");
        text_add(page, " ");
        const unequal u = unequal_of(one);
        text_add(page, unequal_much(u) ? "<b class=\"amiss\">" : "");
        signed_percent(1 + u.cost, page);
        text_add(page, unequal_much(u) ? "</b> (95% interval " : " (95% interval ");
        signed_percent(json_number_value(json_object_get(one, two ? "between_low" : "ratio_low")), page);
        text_add(page, " to ");
        signed_percent(json_number_value(json_object_get(one, two ? "between_high" : "ratio_high")), page);
        text_format(page, ", %s pairs a call)", number_count(&call, json_number_value(json_object_get(one, "pairs_per_call"))));
        if (i + 1 == json_array_size(rows))
            text_format(page, ", at %s shapes.</p>", number_count(&shapes, json_number_value(json_object_get(one, "shapes"))));
    }
}
