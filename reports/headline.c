/* The headline tables: the fastest backend of each query against rivals, the reference and other backends. */
#include "reports/ratios.h"
#include "reports/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void wrong_cell(table *t, double rate)
{
    number n;
    if (isnan(rate))
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "not verified");
    else
        table_put(t, TABLE_NUMBER | (rate > 0 ? TABLE_BAD : 0), "%s", rate > 0 ? number_rate(&n, rate) : "0");
}

static void versus(const results *r, const bench_row *best, const bench_row *other, int right, text *page)
{
    number n;
    text_add(page, "<div class=\"versus\"><span class=\"big\">");
    ratio_html(ratio_of(r, other, best), RATIO_TIMES, page);
    text_add(page, "</span> <span>as fast as ");
    text_add(page, strcmp(other->contender, "reference") ? "" : "the ");
    text_html(page, other->contender);
    text_add(page, results_does_more(r, other->contender, other->query) ? " †" : "");
    if (!right)
        text_format(page, isfinite(other->wrong_rate_1e3) ? ", off by more than 1e-3 S in %s" : ", wrong in %s",
                    number_rate(&n, points_rule_rate(r, other)));
    text_add(page, "</span></div>");
}

/* The table of one query: its rows are held against `best`. */
typedef struct card {
    const results *r;
    const base_point *base;
    const bench_row *best;
    double least, most; /* pairs that were graded for a row of it; 0: none */
    table table;
} card;

static void headline_row(card *c, const bench_row *row)
{
    number n;
    table *t = &c->table;
    table_row_begin(t, row == c->best ? TABLE_BEST : TABLE_BODY);
    /* A bar as long as it is fast, up to the best that is right. */
    table_cell_begin(t, TABLE_TITLE, 1, "bar");
    table_attribute(t, "style", "--w:%.0f%%", 100 * fmin(1, c->best->ns / row->ns));
    table_say(t, "%s", points_series(c->r, row, c->base->precision).s);
    if (isfinite(row->mean_coverage)) /* of a manifold: next to how often it is wrong, what its contacts span */
        table_say(t, ", covers %.3g%%", 100 * row->mean_coverage);
    table_put(t, TABLE_NUMBER, "%s", number_figures(&n, row->ns));
    table_put(t, TABLE_NUMBER, "%s", number_figures(&n, row->pairs_per_second / 1e6));
    wrong_cell(t, points_wrong_rate(c->r, row));
    if (isfinite(row->wrong_rate_1e3))
        wrong_cell(t, row->wrong_rate_1e3);
    else
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "–");
    if (row->graded > 0) {
        c->least = c->most > 0 ? fmin(c->least, row->graded) : row->graded;
        c->most = fmax(c->most, row->graded);
    }
}

static int same_way(const bench_row *a, const bench_row *b)
{
    return !strcmp(a->contender, b->contender) && !strcmp(a->backend, b->backend);
}

/* How far its rates can be trusted: of slow contenders fewer pairs are graded, of booleans those too close to
 * call are not. */
static void card_graded(const card *c, text *page)
{
    number least, most;
    if (!(c->most > 0))
        return;
    text_format(page, "<p class=\"note\">Rates rest on %s", number_count(&least, c->least));
    if (c->most > c->least)
        text_format(page, " to %s", number_count(&most, c->most));
    text_add(page, " graded pairs each. Right: off by more than 1e-3 S in at most 0.1% of them.</p>");
}

/* The fastest other contender that is right, the fastest of all if that is another, and the reference. */
static void rivals(const results *r, const base_point *base, const bench_row *best, text *page)
{
    const bench_row *right = points_others(r, base, best->query, 1);
    const bench_row *any = points_others(r, base, best->query, 0);
    const bench_row *reference = points_fastest(r, base, best->query, "reference");
    if (right && right != best)
        versus(r, best, right, 1, page);
    if (any && any != right && any != best)
        versus(r, best, any, 0, page);
    if (reference && reference != best)
        versus(r, best, reference, 1, page);
}

static int is_backend_row(const card *c, const bench_row *row, const char *backend)
{
    return !same_way(row, c->best) && results_batch(row->contender) && !strcmp(row->query, c->best->query) &&
           !strcmp(row->backend, backend) && !strcmp(row->precision, c->base->precision) &&
           points_in_sweep(c->base, row, "", VARY_NOTHING);
}

/* Of ours, each backend that is not the best tells what older machines get. */
static void backend_rows(card *c)
{
    names backends = points_backends(c->r);
    for (size_t b = backends.n; b-- > 0;)
        for (size_t i = 0; i < c->r->bench_count; i++)
            if (is_backend_row(c, &c->r->bench[i], backends.s[b])) {
                headline_row(c, &c->r->bench[i]);
                break;
            }
}

/* The best, our other backends, everyone else at their fastest. */
static void card_table(card *c, table_files *files, text *page)
{
    static const char *const titles[] = {"ns a pair", "M pairs/s", "wrong", "at 1e-3 S"};
    names contenders = points_contenders(c->r);
    table *t = &c->table;
    text_format(&t->file, "headline-%ud-", c->base->dim);
    text_slug(&t->file, c->base->workload);
    text_add(&t->file, "-");
    text_slug(&t->file, c->best->query);
    text_format(&t->title, "%uD, %s: %s", c->base->dim, c->base->workload, c->best->query);
    table_row_begin(t, TABLE_HEAD);
    table_put(t, TABLE_TITLE, "contender");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        table_put(t, TABLE_TITLE | TABLE_NUMBER, "%s", titles[i]);
    headline_row(c, c->best);
    backend_rows(c);
    for (size_t i = 0; i < contenders.n; i++) {
        const bench_row *row = points_fastest(c->r, c->base, c->best->query, contenders.s[i]);
        if (row && row != c->best && !results_batch(row->contender))
            headline_row(c, row);
    }
    table_end(t, files, page);
}

static void headline_card(const results *r, const base_point *base, const char *query, table_files *files, text *page)
{
    card c = {.r = r, .base = base, .best = points_fastest(r, base, query, NULL)};
    if (!c.best)
        return;
    series_name title = points_spaced(query), best_name = points_series(r, c.best, base->precision);
    text_add(page, "<section class=\"card\"><h3>");
    text_html(page, title.s);
    text_add(page, "</h3><p class=\"who\">fastest that is right: ");
    text_html(page, best_name.s);
    text_add(page, "</p>");
    rivals(r, base, c.best, page);
    card_table(&c, files, page);
    card_graded(&c, page);
    text_add(page, "</section>");
}

void tables_no_times(text *page)
{
    text_add(page, "<p class=\"absent\">No measured times in these results: run <code>gjkbench bench "
                   "--json bench.json</code> and report that file too.</p>");
}

static void headline_base(const results *r, const base_point *base, table_files *files, text *page)
{
    number shapes, threads;
    text_format(page, "<p class=\"lead\"><b>%uD.</b> ", base->dim);
    text_add(page, base->standard ? "The base point: " : "The standard base point was not measured; instead: ");
    text_html(page, base->workload);
    text_add(page, ", ");
    text_html(page, base->family);
    text_format(page, ", %s shapes, ", number_count(&shapes, base->shapes));
    text_html(page, base->precision);
    text_format(page, ", %s thread%s. Transforming and packing are part of every time.</p>",
                number_count(&threads, base->threads), base->threads == 1 ? "" : "s");
    text_add(page, "<div class=\"cards\">");
    names queries = points_queries(r);
    for (size_t q = 0; q < queries.n; q++)
        headline_card(r, base, queries.s[q], files, page);
    text_add(page, "</div>");
}

void tables_headline(const results *r, const base_point *base, table_files *files, text *page)
{
    base_point bases[BASES];
    size_t n = r->bench_count ? points_bases(r, base, bases) : 0;
    int more = 0;
    for (size_t i = 0; i < n; i++)
        headline_base(r, &bases[i], files, page);
    for (size_t i = 0; i < r->bench_count; i++)
        more |= results_does_more(r, r->bench[i].contender, r->bench[i].query);
    if (more)
        text_add(page, "<p class=\"note\">† does more than the query asks (why is under Contenders). It is "
                       "not a like-for-like comparison, and is marked wherever it appears.</p>");
}
