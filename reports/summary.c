/* The summary at the top of the page: fastest contenders, wrong answers, and times that changed. */
#include "reports/tables.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "reports/ratios.h"

/* ---- the fastest ---- */

static void fastest_cell(const results *r, const base_point *base, const char *query, table *t)
{
    const bench_row *best = points_fastest(r, base, query, NULL);
    const bench_row *next = best && best->ours ? points_others(r, base, query, 1) : NULL;
    if (!best) {
        table_put(t, TABLE_QUIET, "–");
        return;
    }
    table_put(t, 0, "%s", points_series(r, best, base->precision).s);
    if (next && next != best) {
        table_mark(t, "<br><span><b>", " ");
        table_ratio(t, ratio_of(r, next, best), RATIO_TIMES);
        table_mark(t, "</b> ", " ");
        table_say(t, "%s%s", next->contender, results_does_more(r, next->contender, query) ? " †" : "");
        table_mark(t, "</span>", "");
    }
}

static void fastest_table(const summary_part *part, table_files *files, text *page)
{
    base_point bases[BASES];
    const size_t n = points_bases(part->r, part->base, bases);
    names queries = points_queries(part->r);
    table t = {0};
    text_format(&t.file, "brief-%ud", part->base->dim);
    text_format(&t.title, "Fastest that is right, %uD", part->base->dim);
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, TABLE_TITLE, "%uD", part->base->dim);
    for (size_t b = 0; b < n; b++)
        table_put(&t, TABLE_TITLE, "%s", bases[b].workload);
    for (size_t q = 0; q < queries.n; q++) {
        int any = 0;
        for (size_t b = 0; b < n; b++)
            any |= points_fastest(part->r, &bases[b], queries.s[q], NULL) != NULL;
        if (!any)
            continue;
        table_row_begin(&t, TABLE_BODY);
        table_put(&t, TABLE_TITLE, "%s", points_spaced(queries.s[q]).s);
        for (size_t b = 0; b < n; b++)
            fastest_cell(part->r, &bases[b], queries.s[q], &t);
    }
    table_end(&t, files, page);
}

static void summary_fastest(const summary_part *parts, size_t part_count, table_files *files, text *page)
{
    int any = 0;
    text_add(page, "<div class=\"card\"><h3>Fastest right contender</h3>");
    for (size_t p = 0; p < part_count; p++)
        if (parts[p].r->bench_count) {
            fastest_table(&parts[p], files, page);
            any = 1;
        }
    text_add(
        page,
        any ? "<p class=\"note\">Correct contenders only; × = speed-up over the next fastest correct one. "
              "<a href=\"#headline\">All of them</a>.</p></div>"
            : "<p class=\"absent\">No times at rest in these results.</p></div>");
}

/* ---- wrong answers ---- */

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

static void list_mishaps(const results *r, const char *contender, table *t)
{
    json_t *sum = mishaps_of(r, contender), *count;
    const char *what;
    number n;
    int any = 0;
    json_object_foreach(sum, what, count) {
        if (json_integer_value(count) == 0)
            continue;
        if (!any)
            table_mark(t, "<br><span class=\"quiet\">", " ");
        table_say(t, "%s%s %s", any++ ? ", " : "by pairs: ", what, number_count(&n, (double)json_integer_value(count)));
    }
    table_mark(t, any ? "</span>" : "", "");
    json_decref(sum);
}

static int bad_if(int bad)
{
    return TABLE_NUMBER | (bad ? TABLE_BAD : 0);
}

static void wrong_row(const results *all, const tally *sums, size_t n, const tally *sum, table *t)
{
    number a;
    table_row_begin(t, results_ours(all, sum->contender) ? TABLE_BEST : TABLE_BODY);
    table_put(t, TABLE_TITLE, "%s", sum->contender);
    list_mishaps(all, sum->contender, t);
    table_put(t, bad_if(sum->wrong > 0), "%s", number_rate(&a, sum->graded > 0 ? sum->wrong / sum->graded : NAN));
    table_put(t, TABLE_NUMBER, "%s", number_count(&a, sum->graded));
    for (size_t k = 0; k < LOSSES; k++)
        if (any_lost(sums, n, k))
            table_put(t, bad_if(loss_of(sum, k) > 0), "%s", number_count(&a, loss_of(sum, k)));
}

static void summary_wrong(const results *all, table_files *files, text *page)
{
    tally sums[NAMES];
    const size_t n = tally_all(all, sums);
    text_add(page, "<div class=\"card\"><h3>Wrong answers, over all pairs that were graded</h3>");
    if (!n) {
        text_add(page, "<p class=\"absent\">Nothing was graded in these results.</p></div>");
        return;
    }
    table t = {0};
    text_add(&t.file, "brief-wrong");
    text_add(&t.title, "Wrong answers of all graded");
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, TABLE_TITLE, "contender");
    table_put(&t, TABLE_TITLE | TABLE_NUMBER, "wrong");
    table_put(&t, TABLE_TITLE | TABLE_NUMBER, "of graded");
    for (size_t k = 0; k < LOSSES; k++)
        if (any_lost(sums, n, k))
            table_put(&t, TABLE_TITLE | TABLE_NUMBER, "%s", losses[k].title);
    for (size_t i = 0; i < n; i++)
        wrong_row(all, sums, n, &sums[i], &t);
    table_end(&t, files, page);
    text_format(
        page,
        "<p class=\"note\">Wrong: beyond the tolerance and what the contender documents as its "
        "own accuracy. Families are hard on purpose, so a contender can be wrong here and have “wrong 0” in "
        "the cards below, which are of the base point alone. <a href=\"#wrong%s\">By family</a>.</p></div>",
        all->verify_count && all->verify[0].dim == 3 ? "-3d" : "");
}

/* ---- what changed ---- */

static int stands_out(const compared_row *row)
{
    return !strcmp(row->verdict, "slower") || !strcmp(row->verdict, "faster") || row->changes > 0;
}

/* "+5.0% (4.1% to 6.0%)", or of counts, which have no interval, "+0.51%". */
static void change_cell(const compared_row *row, table *t)
{
    table_cell_begin(t, bad_if(!strcmp(row->verdict, "slower")), 1, NULL);
    if (row->ratio > 0)
        table_say(t, "%+.*f%%", row->of_counts ? 2 : 1, 100 * (row->ratio - 1));
    else
        table_say(t, "–");
    if (row->low > 0 && row->high > 0 && !row->of_counts) {
        table_mark(t, " <span class=\"quiet\">", " ");
        table_say(t, "(%+.1f to %+.1f)", 100 * (row->low - 1), 100 * (row->high - 1));
        table_mark(t, "</span>", "");
    }
}

static void changes_table(const results *all, table_files *files, text *page)
{
    table t = {0};
    text_add(&t.file, "brief-changed");
    text_add(&t.title, "What changed between two builds");
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, TABLE_TITLE, "benchmark");
    table_put(&t, TABLE_TITLE, "verdict");
    table_put(&t, TABLE_TITLE | TABLE_NUMBER, all->compared[0].of_counts ? "instructions" : "time");
    table_put(&t, TABLE_TITLE, "answers and counts");
    for (size_t i = 0; i < all->compared_count; i++) {
        const compared_row *row = &all->compared[i];
        if (!stands_out(row))
            continue;
        table_row_begin(&t, TABLE_BODY);
        table_put(&t, TABLE_TITLE, "%s", row->name);
        table_put(&t, 0, "%s", row->verdict);
        change_cell(row, &t);
        table_put(&t, 0, row->changes ? "changed" : "the same");
    }
    table_end(&t, files, page);
}

static void changes_told(const results *all, table_files *files, text *page)
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
                      "%zu. %s are new over old%s.</p>",
                all->compared_count, slower, faster, same, all->compared_count - slower - faster - same,
                all->compared[0].of_counts ? "Instructions" : "Times",
                all->compared[0].of_counts ? ", counted exactly" : ", with a 95% interval");
    if (standing)
        changes_table(all, files, page);
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

static void summary_changed(const results *all, table_files *files, text *page)
{
    if (!all->timeline_count && !all->compared_count)
        return;
    text_add(page, "<div class=\"card whole\" id=\"changed\"><h3>What changed</h3>");
    if (all->timeline_count)
        timeline_told(all, page);
    if (all->compared_count)
        changes_told(all, files, page);
    text_add(page, "</div>");
}

void tables_summary(const results *all, const summary_part *parts, size_t part_count, table_files *files,
                    text *page)
{
    text_add(page, "<section id=\"brief\"><h2>In brief</h2><div class=\"cards\">");
    summary_fastest(parts, part_count, files, page);
    summary_wrong(all, files, page);
    summary_changed(all, files, page);
    text_add(page, "</div></section>\n");
}
