#include "reports/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- who is fastest ---- */

static void fastest_cell(const results *r, const base_point *base, const char *query, text *page)
{
    const bench_row *best = points_fastest(r, base, query, NULL);
    const bench_row *next = best && points_ours(best->contender) ? points_others(r, base, query, 1) : NULL;
    if (!best) {
        text_add(page, "<td class=\"quiet\">–</td>");
        return;
    }
    series_name name = points_series(r, best, base->precision);
    text_add(page, "<td>");
    text_html(page, name.s);
    if (next && next != best) {
        const double times = next->ns / best->ns;
        text_format(page, "<br><span><b>%.*f×</b> ", times < 9.95 ? 1 : 0, times);
        text_html(page, next->contender);
        text_add(page, results_does_more(r, next->contender, query) ? " †</span>" : "</span>");
    }
    text_add(page, "</td>");
}

static void fastest_table(const brief_part *part, text *page)
{
    base_point bases[BASES];
    const size_t n = points_bases(part->r, part->base, bases);
    names queries = points_queries(part->r);
    text_format(
        page,
        "<div class=\"scroll\"><table data-file=\"brief-%ud\" data-title=\"Fastest that is right, %uD\">"
        "<thead><tr><th scope=\"col\">%uD</th>",
        part->base->dim, part->base->dim, part->base->dim);
    for (size_t b = 0; b < n; b++) {
        text_add(page, "<th scope=\"col\">");
        text_html(page, bases[b].workload);
        text_add(page, "</th>");
    }
    text_add(page, "</tr></thead><tbody>");
    for (size_t q = 0; q < queries.n; q++) {
        int any = 0;
        for (size_t b = 0; b < n; b++)
            any |= points_fastest(part->r, &bases[b], queries.s[q], NULL) != NULL;
        if (!any)
            continue;
        series_name title = points_spaced(queries.s[q]);
        text_add(page, "<tr><th scope=\"row\">");
        text_html(page, title.s);
        text_add(page, "</th>");
        for (size_t b = 0; b < n; b++)
            fastest_cell(part->r, &bases[b], queries.s[q], page);
        text_add(page, "</tr>");
    }
    text_add(page, "</tbody></table></div>");
}

static void brief_fastest(const brief_part *parts, size_t part_count, text *page)
{
    int any = 0;
    text_add(page, "<div class=\"card\"><h3>Who is fastest</h3>");
    for (size_t p = 0; p < part_count; p++)
        if (parts[p].r->bench_count) {
            fastest_table(&parts[p], page);
            any = 1;
        }
    text_add(
        page,
        any ? "<p class=\"note\">Of those that are right; × is how many times as fast as the fastest other "
              "that is. <a href=\"#headline\">All of them</a>.</p></div>"
            : "<p class=\"absent\">No times at rest in these results.</p></div>");
}

/* ---- who is wrong ---- */

typedef struct tally {
    const char *contender;
    double graded, wrong, lost; /* lost: crashed or hung */
} tally;

static size_t tally_all(const results *all, tally sums[NAMES])
{
    names list = points_contenders(all);
    size_t n = 0;
    for (size_t c = 0; c < list.n; c++) {
        tally sum = {.contender = list.s[c]};
        for (size_t i = 0; i < all->verify_count; i++) {
            const verify_row *row = &all->verify[i];
            if (strcmp(row->contender, list.s[c]))
                continue;
            sum.graded += row->graded;
            sum.wrong += row->wrong;
            sum.lost += results_count(row->crashed) + results_count(row->hung);
        }
        size_t at = n;
        if (!(sum.graded > 0))
            continue;
        for (; at && sums[at - 1].wrong / sums[at - 1].graded < sum.wrong / sum.graded; at--)
            sums[at] = sums[at - 1];
        sums[at] = sum;
        n++;
    }
    return n;
}

static void brief_wrong(const results *all, text *page)
{
    tally sums[NAMES];
    const size_t n = tally_all(all, sums);
    number a, b;
    text_add(page, "<div class=\"card\"><h3>Who is wrong</h3>");
    if (!n) {
        text_add(page, "<p class=\"absent\">Nothing was graded in these results.</p></div>");
        return;
    }
    text_add(page, "<div class=\"scroll\"><table data-file=\"brief-wrong\" data-title=\"Wrong answers of all "
                   "graded\"><thead><tr>");
    tables_column(page, "contender", 0);
    tables_column(page, "wrong", 1);
    tables_column(page, "of graded", 1);
    text_add(page, "</tr></thead><tbody>");
    for (size_t i = 0; i < n; i++) {
        text_add(page, points_ours(sums[i].contender) ? "<tr class=\"best\"><th scope=\"row\">"
                                                      : "<tr><th scope=\"row\">");
        text_html(page, sums[i].contender);
        if (sums[i].lost > 0)
            text_format(page, ", crashed or hung on %s", number_count(&a, sums[i].lost));
        text_format(page, "</th><td class=\"n%s\">%s</td><td class=\"n\">%s</td></tr>",
                    sums[i].wrong > 0 ? " bad" : "", number_rate(&a, sums[i].wrong / sums[i].graded),
                    number_count(&b, sums[i].graded));
    }
    text_add(
        page,
        "</tbody></table></div><p class=\"note\">Over all families, queries and precisions, hard ones on "
        "purpose. <a href=\"#verdicts\">In words</a>.</p></div>");
}

/* ---- what changed ---- */

static int stands_out(const compared_row *row)
{
    return !strcmp(row->verdict, "slower") || !strcmp(row->verdict, "faster") || row->changes > 0;
}

/* "+5.0% (4.1% to 6.0%)" */
static void change_cell(const compared_row *row, text *page)
{
    text_add(page, !strcmp(row->verdict, "slower") ? "<td class=\"n bad\">" : "<td class=\"n\">");
    if (row->ratio > 0)
        text_format(page, "%+.1f%%", 100 * (row->ratio - 1));
    else
        text_add(page, "–");
    if (row->low > 0 && row->high > 0)
        text_format(page, " <span class=\"quiet\">(%+.1f to %+.1f)</span>", 100 * (row->low - 1), 100 * (row->high - 1));
    text_add(page, "</td>");
}

static void changes_table(const results *all, text *page)
{
    text_add(page, "<div class=\"scroll\"><table data-file=\"brief-changed\" data-title=\"What changed between two "
                   "builds\"><thead><tr>");
    tables_column(page, "benchmark", 0);
    tables_column(page, "verdict", 0);
    tables_column(page, "time", 1);
    tables_column(page, "answers and counts", 0);
    text_add(page, "</tr></thead><tbody>");
    for (size_t i = 0; i < all->compared_count; i++) {
        const compared_row *row = &all->compared[i];
        if (!stands_out(row))
            continue;
        text_add(page, "<tr><th scope=\"row\">");
        text_html(page, row->name);
        text_add(page, "</th><td>");
        text_html(page, row->verdict);
        text_add(page, "</td>");
        change_cell(row, page);
        text_add(page, row->changes ? "<td>changed</td></tr>" : "<td>the same</td></tr>");
    }
    text_add(page, "</tbody></table></div>");
}

static void changes_told(const results *all, text *page)
{
    size_t slower = 0, faster = 0, same = 0, standing = 0;
    for (size_t i = 0; i < all->compared_count; i++) {
        const compared_row *row = &all->compared[i];
        slower += !strcmp(row->verdict, "slower");
        faster += !strcmp(row->verdict, "faster");
        same += !strcmp(row->verdict, "same");
        standing += (size_t)stands_out(row);
    }
    text_format(page, "<p class=\"note\">%zu benchmarks of two builds. Slower: %zu. Faster: %zu. The same: %zu. Not sure: "
                      "%zu. Times are new over old, with a 95%% interval.</p>",
                all->compared_count, slower, faster, same, all->compared_count - slower - faster - same);
    if (standing)
        changes_table(all, page);
}

static void timeline_told(const results *all, text *page)
{
    size_t changed, slower;
    timeline_count(all, &changed, &slower);
    text_format(page, "<p class=\"note\">Over commits: %zu of %zu series changed, and %zu are slower since their newest change. "
                      "<a href=\"#history%s\">Which</a>.</p>",
                changed, all->timeline_count, slower, all->timeline[0].dim == 3 ? "-3d" : "");
}

static void brief_changed(const results *all, text *page)
{
    size_t runs = 0;
    for (size_t f = 0; f < all->file_count; f++)
        runs += all->files[f].kind == RESULTS_BENCH;
    text_add(page, "<div class=\"card whole\" id=\"changed\"><h3>What changed</h3>");
    if (all->timeline_count)
        timeline_told(all, page);
    if (all->compared_count)
        changes_told(all, page);
    else if (!all->timeline_count)
        text_add(page, runs ? "<p class=\"note\">Nothing to compare with: these results hold no comparison of two builds "
                              "('gjkbench compare --json').</p>"
                            : "<p class=\"note\">No measured times, and so no change of them.</p>");
    text_add(page, "</div>");
}

void tables_brief(const results *all, const brief_part *parts, size_t part_count, text *page)
{
    text_add(page, "<section id=\"brief\"><h2>In brief</h2><div class=\"cards\">");
    brief_fastest(parts, part_count, page);
    brief_wrong(all, page);
    brief_changed(all, page);
    text_add(page, "</div></section>\n");
}
