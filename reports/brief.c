/* The brief of the page: fastest contenders, wrong answers, and times that changed. */
#include "reports/tables.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "reports/ratios.h"

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
        text_add(page, "<br><span><b>");
        ratio_html(ratio_of(r, next, best), RATIO_TIMES, page);
        text_add(page, "</b> ");
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
    text_add(page, "<div class=\"card\"><h3>Fastest right contender</h3>");
    for (size_t p = 0; p < part_count; p++)
        if (parts[p].r->bench_count) {
            fastest_table(&parts[p], page);
            any = 1;
        }
    text_add(
        page,
        any ? "<p class=\"note\">Correct contenders only; × = speed-up over the next fastest correct one. "
              "<a href=\"#headline\">All of them</a>.</p></div>"
            : "<p class=\"absent\">No times at rest in these results.</p></div>");
}

/* ---- who is wrong ---- */

typedef struct tally {
    const char *contender;
    double graded, wrong, crashed, hung, unasked, untimed;
} tally;

/* Points that a contender lost by crashing or hanging while it was measured: their names have it in between. */
static double untimed(const results *r, const char *contender)
{
    json_t *list = results_context(r, "died"), *one;
    char part[96];
    size_t i;
    double count = 0;
    snprintf(part, sizeof part, "/%.80s/", contender);
    json_array_foreach(list, i, one)
        count += json_is_string(one) && strstr(json_string_value(one), part);
    return count;
}

static tally tally_of(const results *all, const char *contender)
{
    tally sum = {.contender = contender, .untimed = untimed(all, contender)};
    for (size_t i = 0; i < all->verify_count; i++) {
        const verify_row *row = &all->verify[i];
        if (strcmp(row->contender, contender))
            continue;
        sum.graded += row->graded;
        sum.wrong += row->wrong;
        sum.crashed += results_count(row->crashed);
        sum.hung += results_count(row->hung);
        sum.unasked += results_count(row->unasked);
    }
    return sum;
}

static double wrong_share(const tally *t)
{
    return t->graded > 0 ? t->wrong / t->graded : -1;
}

/* The most often wrong first. */
static size_t tally_all(const results *all, tally sums[NAMES])
{
    names list = points_contenders(all);
    size_t n = 0;
    for (size_t c = 0; c < list.n; c++) {
        const tally sum = tally_of(all, list.s[c]);
        size_t at = n;
        if (!(sum.graded > 0 || sum.untimed > 0))
            continue;
        for (; at && wrong_share(&sums[at - 1]) < wrong_share(&sum); at--)
            sums[at] = sums[at - 1];
        sums[at] = sum;
        n++;
    }
    return n;
}

/* Columns that are there only if some contender has such a count. */
static const struct {
    const char *title;
    size_t offset;
} losses[] = {
    {"crashed", offsetof(tally, crashed)},
    {"hung", offsetof(tally, hung)},
    {"not asked after", offsetof(tally, unasked)},
    {"points without a time", offsetof(tally, untimed)},
};
enum { LOSSES = sizeof losses / sizeof *losses };

static double loss_of(const tally *t, size_t k)
{
    return *(const double *)((const char *)t + losses[k].offset);
}

static int any_lost(const tally *sums, size_t n, size_t k)
{
    for (size_t i = 0; i < n; i++)
        if (loss_of(&sums[i], k) > 0)
            return 1;
    return 0;
}

/* Pairs by what befell the contender, as the harness names it: {"crashed": 3, ...}. */
static json_t *mishaps_of(const results *r, const char *contender)
{
    json_t *sum = json_object();
    for (size_t f = 0; f < r->file_count; f++) {
        const json_t *row, *count;
        const char *what;
        size_t i;
        json_array_foreach(json_object_get(r->files[f].root, "rows"), i, row) {
            const char *name = json_string_value(json_object_get(row, "contender"));
            if (!name || strcmp(name, contender))
                continue;
            json_object_foreach(json_object_get(row, "mishaps"), what, count) {
                const json_int_t before = json_integer_value(json_object_get(sum, what));
                json_object_set_new(sum, what, json_integer(before + json_integer_value(count)));
            }
        }
    }
    return sum;
}

static void list_mishaps(const results *r, const char *contender, text *page)
{
    json_t *sum = mishaps_of(r, contender), *count;
    const char *what, *separator = "<br><span class=\"quiet\">by pairs: ";
    number n;
    json_object_foreach(sum, what, count) {
        if (json_integer_value(count) == 0)
            continue;
        text_add(page, separator);
        text_html(page, what);
        text_format(page, " %s", number_count(&n, (double)json_integer_value(count)));
        separator = ", ";
    }
    text_add(page, *separator == ',' ? "</span>" : "");
    json_decref(sum);
}

static void wrong_row(const results *all, const tally *sums, size_t n, const tally *sum, text *page)
{
    number a, b;
    text_add(page, points_ours(sum->contender) ? "<tr class=\"best\"><th scope=\"row\">" : "<tr><th scope=\"row\">");
    text_html(page, sum->contender);
    list_mishaps(all, sum->contender, page);
    text_format(page, "</th><td class=\"n%s\">%s</td><td class=\"n\">%s</td>", sum->wrong > 0 ? " bad" : "",
                number_rate(&a, sum->graded > 0 ? sum->wrong / sum->graded : NAN), number_count(&b, sum->graded));
    for (size_t k = 0; k < LOSSES; k++)
        if (any_lost(sums, n, k))
            text_format(page, "<td class=\"n%s\">%s</td>", loss_of(sum, k) > 0 ? " bad" : "",
                        number_count(&a, loss_of(sum, k)));
    text_add(page, "</tr>");
}

static void brief_wrong(const results *all, text *page)
{
    tally sums[NAMES];
    const size_t n = tally_all(all, sums);
    text_add(page, "<div class=\"card\"><h3>Wrong answers, over all families</h3>");
    if (!n) {
        text_add(page, "<p class=\"absent\">Nothing was graded in these results.</p></div>");
        return;
    }
    text_add(page, "<div class=\"scroll\"><table data-file=\"brief-wrong\" data-title=\"Wrong answers of all "
                   "graded\"><thead><tr>");
    tables_column(page, "contender", 0);
    tables_column(page, "wrong", 1);
    tables_column(page, "of graded", 1);
    for (size_t k = 0; k < LOSSES; k++)
        if (any_lost(sums, n, k))
            tables_column(page, losses[k].title, 1);
    text_add(page, "</tr></thead><tbody>");
    for (size_t i = 0; i < n; i++)
        wrong_row(all, sums, n, &sums[i], page);
    text_format(
        page,
        "</tbody></table></div><p class=\"note\">Wrong: beyond the tolerance and what the contender documents as its "
        "own accuracy. Families are hard on purpose, so a contender can be wrong here and have “wrong 0” in "
        "the cards below, which are of the base point alone. <a href=\"#wrong%s\">By family</a>.</p></div>",
        all->verify_count && all->verify[0].dim == 3 ? "-3d" : "");
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
    text_format(page,
                "<p class=\"note\">Over commits: %zu of %zu series changed, and %zu %s slower since their newest "
                "change. <a href=\"#history%s\">Which</a>.</p>",
                changed, all->timeline_count, slower, slower == 1 ? "is" : "are",
                all->timeline[0].dim == 3 ? "-3d" : "");
}

static void brief_changed(const results *all, text *page)
{
    if (!all->timeline_count && !all->compared_count)
        return;
    text_add(page, "<div class=\"card whole\" id=\"changed\"><h3>What changed</h3>");
    if (all->timeline_count)
        timeline_told(all, page);
    if (all->compared_count)
        changes_told(all, page);
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
