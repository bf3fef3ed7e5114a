/* The first lines of the page: run health, and what was learnt in sentences made from numbers. */
#include "reports/opening.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sort.h"
#include "reports/fastest_rivals.h"
#include "reports/proofs.h"
#include "reports/ratios.h"

/* ---- health ---- */

/* What is amiss, one after the other. */
static void amiss(text *list, const char *what)
{
    text_add(list, list->size ? "; " : "");
    text_add(list, what);
}

static void add_interrupted(const results *all, text *list)
{
    int said = 0;
    for (size_t i = 0; i < all->file_count; i++) {
        json_t *flag = results_fact(&all->files[i], "interrupted");
        const char *name = strrchr(all->files[i].name, '/');
        if (!flag || json_is_null(flag) || json_is_false(flag))
            continue;
        if (!said)
            amiss(list, "interrupted before the end (");
        text_add(list, said++ ? ", " : "");
        text_html(list, name ? name + 1 : all->files[i].name);
    }
    text_add(list, said ? ")" : "");
}

static void add_missing(const proofs *sum, text *list)
{
    number n;
    int said = 0;
    if (!(sum->missing > 0))
        return;
    amiss(list, "");
    text_format(list,
                sum->missing == 1 ? "%s answer of ours is missing (" : "%s answers of ours are missing (",
                number_count(&n, sum->missing));
    for (size_t k = 0; k < PROOF_LOSSES; k++)
        if (sum->lost[k] > 0)
            text_format(list, "%s%s: %s", said++ ? ", " : "", proof_losses[k].word,
                        number_count(&n, sum->lost[k]));
    text_add(list, ")");
}

/* Points whose answers, graded as they were timed, are not all right. */
static void add_wrong_points(const results *all, text *list)
{
    size_t points = 0;
    for (size_t i = 0; i < results_points(all); i++) {
        const bench_row *row = results_point(all, i);
        points += row->ours && row->wrong_rate > 0;
    }
    if (!points)
        return;
    amiss(list, "");
    text_format(list, "wrong answers of ours at %zu timed point%s", points, points == 1 ? "" : "s");
}

/* Returns how many comparisons there were. */
static size_t add_disagreement(const results *all, text *list)
{
    agreement found = {0};
    number a, b;
    list->failed |= proofs_agreement(all, &found) != 0;
    if (found.differing) {
        amiss(list, "");
        text_format(list, "backends disagree in %s of %s comparisons",
                    number_count(&a, (double)found.differing), number_count(&b, (double)found.groups));
    }
    text_free(&found.list);
    return found.groups;
}

void opening_health(const results *all, text *page)
{
    text list = {0};
    number n;
    const proofs sum = proofs_of(all);
    add_interrupted(all, &list);
    if (sum.wrong > 0) {
        amiss(&list, "");
        text_format(&list, sum.wrong == 1 ? "%s answer of ours is wrong" : "%s answers of ours are wrong",
                    number_count(&n, sum.wrong));
    }
    add_missing(&sum, &list);
    add_wrong_points(all, &list);
    const size_t compared = add_disagreement(all, &list);
    const int asked = sum.answers > 0;
    text_format(page, "<p id=\"health\" class=\"health %s\"><b>%s</b> ",
                list.size ? "amiss"
                : asked   ? "fine"
                          : "unknown",
                list.size ? "Run not clean:"
                : asked   ? "Run clean:"
                          : "Run complete, but nothing of ours was graded.");
    if (list.size)
        text_add(page, list.s);
    else if (asked)
        text_add(page,
                 compared
                     ? "not interrupted, no answer of ours wrong or missing, the same bits from every backend"
                     : "not interrupted, no answer of ours wrong or missing");
    text_add(page, list.size || asked ? ".</p>\n" : "</p>\n");
    page->failed |= list.failed;
    text_free(&list);
}

/* ---- what was graded ---- */

static void add_slow(const proofs *sum, text *page)
{
    number n;
    if (!(sum->too_slow > 0))
        return;
    text_format(page,
                sum->too_slow == 1 ? "; %s pair was too slow to judge, and passed over"
                                   : "; %s pairs were too slow to judge, and passed over",
                number_count(&n, sum->too_slow));
    if (sum->slow_first) {
        text_add(page, sum->too_slow == 1 ? ": " : ", one of them ");
        text_html(page, sum->slow_first);
    }
}

static void sentence_graded(const results *all, text *page)
{
    const proofs sum = proofs_of(all);
    number a, b;
    text_add(page, "<li><b>Right?</b> ");
    if (!(sum.graded > 0)) {
        text_add(page, "Nothing was graded, so nothing is known of right and wrong.</li>");
        return;
    }
    if (sum.answers > 0)
        text_format(page, "Of our answers <b%s>%s of %s</b> %s wrong", sum.wrong > 0 ? " class=\"amiss\"" : "",
                    number_count(&a, sum.wrong), number_count(&b, sum.answers), sum.wrong == 1 ? "is" : "are");
    if (sum.answers > 0 && sum.backends.n > 1)
        text_format(page, " (each of %zu backends counts)", sum.backends.n);
    if (!(sum.answers > 0))
        text_add(page, "None of ours took part");
    if (sum.missing > 0)
        text_format(page, ", <b class=\"amiss\">%s</b> %s missing", number_count(&a, sum.missing),
                    sum.missing == 1 ? "is" : "are");
    text_format(page, ". Graded against exact truth: %s answers of %zu contender%s", number_count(&a, sum.graded),
                sum.contenders.n, sum.contenders.n == 1 ? "" : "s");
    if (sum.pairs > 0)
        text_format(page, " to %s pairs", number_count(&a, sum.pairs));
    if (sum.pairs > 0 && sum.families.n)
        text_format(page, " of %zu %s", sum.families.n, sum.families.n == 1 ? "family" : "families");
    add_slow(&sum, page);
    text_add(page, ".</li>");
}

/* ---- the fastest ---- */

/* "71× bullet-gjkepa (3D penetration, box, deep: 12.0 ns against 852)" */
static void say_rival(const rival *d, const char *class, text *page)
{
    number n, a, b;
    const timed *at = d->ours;
    series_name query = points_spaced(at->query);
    text_format(page, "<b%s>%s</b>", class, ratio_text(&n, d->lead, RATIO_TIMES));
    ratio_mark(d->lead, page);
    text_add(page, " ");
    text_html(page, d->other->contender);
    text_format(page, "%s (%.0fD ", d->other->more ? " †" : "", isnan(at->dim) ? 2 : at->dim);
    text_html(page, query.s);
    text_add(page, ", ");
    text_html(page, at->workload);
    text_add(page, ", ");
    text_html(page, at->family);
    if (at->small)
        text_format(page, ", %s a call", number_count(&n, at->call));
    text_format(page, ": %s ns against %s)", number_figures(&a, at->took.ns),
                number_figures(&b, d->other->took.ns));
}

static void say_duels(const results *all, text *page)
{
    rivals found;
    number a, b;
    if (rivals_find(all, &found)) {
        page->failed = 1;
        return;
    }
    if (found.places)
        text_format(page, "Ours is faster than every other right contender in <b>%s of %s</b> timed cases",
                    number_count(&b, (double)found.won), number_count(&a, (double)found.places));
    if (found.best.ours) {
        text_add(page, "; best: ");
        say_rival(&found.best, "", page);
    }
    if (found.worst.ours) {
        text_add(page, "; worst: ");
        say_rival(&found.worst, found.worst.lead.times < 1 ? " class=\"amiss\"" : "", page);
    }
    if (found.small.ours && (!found.worst.ours || found.small.lead.times < found.worst.lead.times)) {
        text_add(page, found.places ? ". Small calls cost more; worst of them: " : "Worst of small calls: ");
        say_rival(&found.small, found.small.lead.times < 1 ? " class=\"amiss\"" : "", page);
    }
    text_add(page, found.places || found.small.ours
                       ? "."
                       : "No case where ours and another right contender were timed.");
    if (found.worst.ours && (found.best.other->more || found.worst.other->more))
        text_add(page, " † does more than the query asks.");
    rivals_free(&found);
}

static void sentence_fastest(const results *all, text *page)
{
    text_add(page, "<li><b>Fast?</b> ");
    if (all->bench_count || all->league_count)
        say_duels(all, page);
    else
        text_add(page, all->apart_count ? "Only motion and warm starts were timed: <a href=\"#motion\">see there</a>."
                                        : "Nothing was timed.");
    text_add(page, "</li>");
}

/* ---- how far to believe it ---- */

/* What 0.1% wrong takes to be shown, at 95%: none wrong of so many. */
enum { ENOUGH_GRADED = 2995 };
static const double steady = 0.05;

typedef struct precision_of_run {
    double typical,
        graded;          /* medians: half an interval over its time; graded answers a point; NaN: not known */
    size_t points, wide; /* timed points; those of them wider than `steady` */
} precision_of_run;

static double middle(double *values, size_t n)
{
    if (n)
        gjb_sort(values, n);
    return n ? values[n / 2] : NAN;
}

/* 0, or -1 out of memory. */
static int measure_run(const results *all, precision_of_run *found)
{
    const size_t n = results_points(all);
    double *widths = calloc(2 * n + 1, sizeof *widths), *graded = widths ? widths + n : NULL;
    size_t width_count = 0, graded_count = 0;
    *found = (precision_of_run){.points = n};
    for (size_t i = 0; i < n && widths; i++) {
        const bench_row *row = results_point(all, i);
        const double half = (row->high - row->low) / (2 * row->ns);
        if (isfinite(half)) {
            widths[width_count++] = half;
            found->wide += half > steady;
        }
        if (row->graded > 0)
            graded[graded_count++] = row->graded;
    }
    if (widths) {
        found->typical = middle(widths, width_count);
        found->graded = middle(graded, graded_count);
    }
    free(widths);
    return widths ? 0 : -1;
}

/* What speaks against it. */
static void add_doubts(const results *all, const precision_of_run *run, text *list)
{
    number n;
    double load, cpus;
    const unequal u = unequal_in(all);
    if (run->typical > steady || (double)run->wide > 0.25 * (double)run->points) {
        amiss(list, "");
        text_format(list, "the machine was noisy, %zu of %zu times are known to no better than ±%.0f%%",
                    run->wide, run->points, 100 * steady);
    }
    if (ratio_overloaded(all, &load, &cpus)) {
        amiss(list, "");
        text_format(list, "other work took part of the machine, load %.1f on %.0f processors", load, cpus);
    }
    if (unequal_much(u)) {
        amiss(list, "");
        text_format(list,
                    "conditions of timing were not equal: the same contender differs by %s%.1f%%, more than ±%.0f%%",
                    u.cost < 0 ? "−" : "+", 100 * fabs(u.cost), 100 * UNEQUAL_MOST);
    }
    if (run->graded < ENOUGH_GRADED) {
        amiss(list, "");
        text_format(
            list,
            "few answers were graded, typically %s a timed point, so that shares below %.2g%% cannot be seen",
            number_count(&n, run->graded), 100 * -log(0.05) / run->graded);
    }
}

/* What it rests on. */
static void say_ground(const results *all, const precision_of_run *run, text *page)
{
    number n, m;
    const unequal u = unequal_in(all);
    text_format(page, "%s times", number_count(&n, (double)run->points));
    if (isfinite(run->typical))
        text_format(page, ", typically known to ±%.1f%% (95%%)", 100 * run->typical);
    if (isfinite(u.cost) && !unequal_much(u))
        text_format(page, "; the same contender timed twice differs by %s%.1f%%", u.cost < 0 ? "−" : "+",
                    100 * fabs(u.cost));
    if (run->graded >= ENOUGH_GRADED)
        text_format(page, "; %s graded answers a timed point", number_count(&m, run->graded));
    text_add(page, ".");
}

static void sentence_fit(const results *all, text *page)
{
    precision_of_run run;
    text doubts = {0};
    if (measure_run(all, &run)) {
        page->failed = 1;
        return;
    }
    text_add(page, "<li><b>Fit to be believed?</b> ");
    add_doubts(all, &run, &doubts);
    if (!run.points)
        text_add(page, "No times of a run are in these results to judge that by.");
    else if (doubts.size) {
        text_add(page, "<b class=\"amiss\">With care:</b> ");
        text_bytes(page, doubts.s, doubts.size);
        text_add(page, ". It rests on ");
        say_ground(all, &run, page);
    } else {
        text_add(page, "Yes: it rests on ");
        say_ground(all, &run, page);
    }
    text_add(page, "</li>");
    page->failed |= doubts.failed;
    text_free(&doubts);
}

void opening_sentences(const results *all, text *page)
{
    text_add(page, "<ol id=\"opening\" class=\"opening\">");
    sentence_graded(all, page);
    sentence_fastest(all, page);
    sentence_fit(all, page);
    text_add(page, "</ol>\n");
}
