#include "reports/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void verdict(text *page, int good, const char *title)
{
    const char *class = good > 0 ? "good" : good < 0 ? "wrong" : "open";
    const char *sign = good > 0 ? "✓" : good < 0 ? "✗" : "–";
    text_format(page, "<li class=\"%s\"><span class=\"sign\" aria-hidden=\"true\">%s</span><div><b>", class,
                sign);
    text_html(page, title);
    text_add(page, "</b> ");
}

/* Sums over the verified rows of ours. */
typedef struct proofs {
    double pairs, answers, ungraded, wrong, other;
} proofs;

static proofs proofs_of(const results *r)
{
    proofs sum = {0};
    for (size_t i = 0; i < r->file_count; i++) {
        const json_t *summary = r->files[i].summary;
        if (!json_is_true(json_object_get(summary, "answers_only")))
            sum.pairs += json_number_value(json_object_get(summary, "pairs"));
    }
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *row = &r->verify[i];
        if (!points_ours(row->contender))
            continue;
        sum.answers += row->graded;
        sum.ungraded += results_count(row->ungraded);
        sum.wrong += row->wrong + results_count(row->symmetry_wrong);
        sum.other += results_count(row->nan) + results_count(row->hung) + results_count(row->crashed) +
                     results_count(row->capped) + results_count(row->unwritten);
    }
    return sum;
}

static void verdict_proofs(const results *r, text *page)
{
    if (!r->verify_count) {
        verdict(page, 0, "Nothing proven here.");
        text_add(page, "These results hold no verification: run <code>gjkbench verify "
                       "--json verify.json</code> and report that file too.</div></li>");
        return;
    }
    const proofs sum = proofs_of(r);
    if (sum.answers + sum.ungraded + sum.wrong + sum.other == 0) {
        verdict(page, 0, "Nothing graded here.");
        text_add(page, "These answers were not held against the truth: run <code>gjkbench verify --json "
                       "verify.json</code> without <code>--answers-only</code>, and with a contender of ours.</div></li>");
        return;
    }
    number a, b, c;
    char title[96];
    if (sum.wrong > 0)
        snprintf(title, sizeof title, "%s wrong answer%s of ours.", number_count(&a, sum.wrong),
                 sum.wrong == 1 ? "" : "s");
    else if (sum.other > 0)
        snprintf(title, sizeof title, "%s answers of ours are missing.", number_count(&a, sum.other));
    else
        snprintf(title, sizeof title, "No wrong answer of ours.");
    verdict(page, sum.wrong > 0 || sum.other > 0 ? -1 : 1, title);
    if (sum.pairs > 0)
        text_format(page, "%s pairs, proven by certificates or the exact oracle. ",
                    number_count(&a, sum.pairs));
    double all = sum.answers + sum.ungraded;
    text_format(page, "Our kernels and our reference gave %s graded answers; another %s of theirs lie too "
                "close to touching to call. NaN or hung, at the iteration limit or unwritten: %s.</div></li>",
                number_count(&a, sum.answers), number_rate(&b, all > 0 ? sum.ungraded / all : NAN),
                number_count(&c, sum.other));
}

/* One answer sheet: equal keys must have equal fingerprints. */
typedef struct sheet {
    const char *query, *workload, *family, *precision, *start, *backend, *fingerprint;
    double dim, shapes, pairs;
} sheet;

static int compare_numbers(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) - isnan(b) : (a > b) - (a < b);
}

static int compare_sheets(const void *left, const void *right)
{
    const sheet *a = left, *b = right;
    int order = strcmp(a->query, b->query);
    order = order ? order : strcmp(a->workload, b->workload);
    order = order ? order : strcmp(a->family, b->family);
    order = order ? order : strcmp(a->precision, b->precision);
    order = order ? order : strcmp(a->start, b->start);
    order = order ? order : compare_numbers(a->dim, b->dim);
    order = order ? order : compare_numbers(a->shapes, b->shapes);
    return order ? order : compare_numbers(a->pairs, b->pairs);
}

typedef struct agreement {
    size_t groups, differing;
    names backends;
    text list; /* of the first that differ */
} agreement;

static void compare_fingerprints(sheet *sheets, size_t n, agreement *found)
{
    if (n)
        qsort(sheets, n, sizeof *sheets, compare_sheets);
    for (size_t i = 0, end; i < n; i = end) {
        int differs = 0, backends = 0;
        for (end = i; end < n && !compare_sheets(&sheets[i], &sheets[end]); end++) {
            differs |= strcmp(sheets[end].fingerprint, sheets[i].fingerprint) != 0;
            backends |= strcmp(sheets[end].backend, sheets[i].backend) != 0;
        }
        if (!backends)
            continue;
        for (size_t k = i; k < end; k++)
            names_add(&found->backends, sheets[k].backend);
        found->groups++;
        found->differing += differs != 0;
        if (differs && found->differing <= 6)
            text_format(&found->list, "%s%.0fd/%.40s/%.40s/%.40s/%.8s", found->list.size ? ", " : "",
                        sheets[i].dim, sheets[i].query,
                        sheets[i].workload, sheets[i].family, sheets[i].precision);
    }
}

/* The answers of batch among the verified pairs, then among the measured points: what was asked differs. */
static int find_agreement(const results *r, agreement *found)
{
    size_t n = 0, most = r->verify_count > results_points(r) ? r->verify_count : results_points(r);
    sheet *sheets = calloc(most + 1, sizeof *sheets);
    if (!sheets)
        return -1;
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *row = &r->verify[i];
        if (!strcmp(row->contender, "batch") && *row->fingerprint)
            sheets[n++] = (sheet){row->query, row->workload, row->family, row->precision, "",
                                  row->backend, row->fingerprint, row->dim, NAN, row->pairs};
    }
    compare_fingerprints(sheets, n, found);
    n = 0;
    for (size_t i = 0; i < results_points(r); i++) {
        const bench_row *row = results_point(r, i);
        if (!strcmp(row->contender, "batch") && *row->fingerprint)
            sheets[n++] = (sheet){row->query, row->workload, row->family, row->precision, row->start,
                                  row->backend, row->fingerprint, row->dim, row->shapes, row->pairs};
    }
    compare_fingerprints(sheets, n, found);
    free(sheets);
    return 0;
}

static void list_backends(const names *backends, text *page)
{
    for (size_t i = 0; i < backends->n; i++) {
        text_add(page, i ? i + 1 == backends->n ? " and " : ", " : "");
        text_html(page, backends->s[i]);
    }
}

static void verdict_fingerprints(const results *r, text *page)
{
    agreement found = {0};
    number a, b;
    if (find_agreement(r, &found)) {
        page->failed = 1;
    } else if (!found.groups) {
        verdict(page, 0, "No fingerprints to compare.");
        text_add(page, "These results hold one backend only: run without <code>--backend</code>.</div></li>");
    } else if (found.differing) {
        verdict(page, -1, "Backends disagree.");
        text_format(page, "Fingerprints differ in %s of %s comparisons: ",
                    number_count(&a, (double)found.differing), number_count(&b, (double)found.groups));
        text_html(page, found.list.s ? found.list.s : "");
        text_add(page, found.differing > 6 ? " and more.</div></li>" : ".</div></li>");
    } else {
        verdict(page, 1, "The same bits from every backend.");
        text_format(page, "One fingerprint of all results in each of %s comparisons between ",
                    number_count(&a, (double)found.groups));
        list_backends(&found.backends, page);
        text_add(page, ".</div></li>");
    }
    text_free(&found.list);
}

/* What one contender did over all rows. */
typedef struct record { double graded, wrong, crashed, hung, unasked, untimed; } record;

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

static record record_of(const results *r, const char *contender)
{
    record sum = {.untimed = untimed(r, contender)};
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *row = &r->verify[i];
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

/* The rows of a file that are about a contender in one dimension; a row that names none is 2D. */
static int is_about(const json_t *row, const char *contender, double dim)
{
    const json_t *own = json_object_get(row, "dim");
    const char *name = json_string_value(json_object_get(row, "contender"));
    return name && !strcmp(name, contender) && (own ? json_number_value(own) : 2) == dim;
}

/* Pairs by what befell the contender, as the harness names it: {"crashed": 3, ...}. */
static json_t *mishaps_of(const results *r, const char *contender, double dim)
{
    json_t *sum = json_object();
    for (size_t f = 0; f < r->file_count; f++) {
        const json_t *row, *count;
        const char *what;
        size_t i;
        json_array_foreach(json_object_get(r->files[f].root, "rows"), i, row) {
            if (!is_about(row, contender, dim))
                continue;
            json_object_foreach(json_object_get(row, "mishaps"), what, count) {
                const json_int_t before = json_integer_value(json_object_get(sum, what));
                json_object_set_new(sum, what, json_integer(before + json_integer_value(count)));
            }
        }
    }
    return sum;
}

static void list_mishaps(const results *r, const char *contender, double dim, text *page)
{
    json_t *sum = mishaps_of(r, contender, dim), *count;
    const char *what, *separator = " Findings, by pairs: ";
    json_object_foreach(sum, what, count) {
        if (json_integer_value(count) == 0)
            continue;
        number n;
        text_add(page, separator);
        text_html(page, what);
        text_format(page, " %s", number_count(&n, (double)json_integer_value(count)));
        separator = ", ";
    }
    text_add(page, *separator == ',' ? "." : "");
    json_decref(sum);
}

static void verdict_rival(const results *r, const char *contender, const record *sum, text *page)
{
    number a, b;
    char title[96];
    int ended = sum->crashed > 0 || sum->hung > 0;
    snprintf(title, sizeof title, "%.40s: %s wrong.", contender,
             sum->wrong > 0 ? number_rate(&a, sum->wrong / sum->graded) : "nothing");
    verdict(page, !(sum->wrong > 0 || ended || sum->untimed > 0), title);
    text_format(page, "%s of %s graded answers lie beyond its own documented accuracy, over all families.",
                number_count(&a, sum->wrong), number_count(&b, sum->graded));
    if (ended)
        text_format(page, " It crashed on %s and hung on %s pairs", number_count(&a, sum->crashed),
                    number_count(&b, sum->hung));
    if (sum->unasked > 0)
        text_format(page, ", after which %s more were not asked", number_count(&a, sum->unasked));
    text_add(page, ended ? "." : "");
    list_mishaps(r, contender, r->verify_count ? r->verify[0].dim : 0, page);
    if (sum->untimed > 0)
        text_format(page, " At %s point%s it has no time, because it crashed or hung.",
                    number_count(&a, sum->untimed), sum->untimed == 1 ? "" : "s");
    text_add(page, "</div></li>");
}

static void verdict_rivals(const results *r, text *page)
{
    names contenders = points_contenders(r);
    for (size_t c = 0; c < contenders.n; c++) {
        const record sum = record_of(r, contenders.s[c]);
        if (!points_ours(contenders.s[c]) && (sum.graded > 0 || sum.untimed > 0))
            verdict_rival(r, contenders.s[c], &sum, page);
    }
}

void tables_verdicts(const results *r, text *page)
{
    text_add(page, "<ul class=\"verdicts\" id=\"verdicts\">");
    for (size_t i = 0; i < r->file_count; i++) {
        json_t *flag = results_fact(&r->files[i], "interrupted");
        if (flag && !json_is_null(flag) && !json_is_false(flag)) {
            verdict(page, -1, "Interrupted.");
            text_add(page, "The run behind ");
            text_html(page, r->files[i].name);
            text_add(page, " was stopped before its end: this page shows what was measured until then."
                           "</div></li>");
        }
    }
    verdict_proofs(r, page);
    verdict_fingerprints(r, page);
    verdict_rivals(r, page);
    text_add(page, "</ul>");
}
