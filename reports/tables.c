#include "reports/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"

static const char *speedup(number *buffer, double times)
{
    if (!isfinite(times))
        return number_figures(buffer, NAN);
    snprintf(buffer->s, sizeof buffer->s, times < 9.95 ? "%.1f×" : "%.0f×", times);
    return buffer->s;
}

static void wrong_cell(text *page, double rate)
{
    number n;
    if (isnan(rate))
        text_add(page, "<td class=\"n quiet\">not verified</td>");
    else if (rate > 0)
        text_format(page, "<td class=\"n bad\">%s</td>", number_rate(&n, rate));
    else
        text_add(page, "<td class=\"n\">0</td>");
}

/* ---- headline ---- */

static void versus(const results *r, const bench_row *best, const bench_row *other, int right, text *page)
{
    number n;
    text_add(page, "<div class=\"versus\"><span class=\"big\">");
    text_add(page, speedup(&n, other->ns / best->ns));
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
    text *page;
} card;

static void headline_row(card *c, const bench_row *row)
{
    number n;
    text *page = c->page;
    series_name name = points_series(c->r, row, c->base->precision);
    text_add(page, row == c->best ? "<tr class=\"best\"><th scope=\"row\">" : "<tr><th scope=\"row\">");
    text_html(page, name.s);
    text_format(page, "</th><td class=\"n\">%s</td>", number_figures(&n, row->ns));
    text_format(page, "<td class=\"n\">%s</td>", number_figures(&n, row->pairs_per_second / 1e6));
    wrong_cell(page, points_wrong_rate(c->r, row));
    if (isfinite(row->wrong_rate_1e3))
        wrong_cell(page, row->wrong_rate_1e3);
    else
        text_add(page, "<td class=\"n quiet\">–</td>");
    text_add(page, "</tr>");
    if (row->graded > 0) {
        c->least = c->most > 0 ? fmin(c->least, row->graded) : row->graded;
        c->most = fmax(c->most, row->graded);
    }
}

static int same_way(const bench_row *a, const bench_row *b)
{
    return !strcmp(a->contender, b->contender) && !strcmp(a->backend, b->backend);
}

/* How far its rates can be trusted: of slow contenders fewer pairs are graded, of booleans those too close to call
 * are not. */
static void card_graded(const card *c)
{
    number least, most;
    if (!(c->most > 0))
        return;
    text_format(c->page, "<p class=\"note\">Rates rest on %s", number_count(&least, c->least));
    if (c->most > c->least)
        text_format(c->page, " to %s", number_count(&most, c->most));
    text_add(c->page, " graded pairs each. Right: off by more than 1e-3 S in at most 0.1% of them.</p>");
}

/* The fastest packaged contender that is right, the fastest of all where that is another, and the reference. */
static void rivals(const results *r, const base_point *base, const bench_row *best, text *page)
{
    const bench_row *right = points_packaged(r, base, best->query, 1), *any = points_packaged(r, base, best->query, 0);
    const bench_row *reference = points_fastest(r, base, best->query, "reference");
    if (right && right != best)
        versus(r, best, right, 1, page);
    if (any && any != right && any != best)
        versus(r, best, any, 0, page);
    if (reference && reference != best)
        versus(r, best, reference, 1, page);
}

/* Of ours, each backend that is not the best tells what older machines get. */
static void backend_rows(card *c)
{
    const results *r = c->r;
    names backends = points_backends(r);
    for (size_t b = backends.n; b-- > 0;)
        for (size_t i = 0; i < r->bench_count; i++) {
            const bench_row *row = &r->bench[i];
            if (!same_way(row, c->best) && !strcmp(row->contender, "batch") &&
                !strcmp(row->query, c->best->query) && !strcmp(row->backend, backends.s[b]) &&
                !strcmp(row->precision, c->base->precision) && points_in_sweep(c->base, row, "", VARY_NOTHING)) {
                headline_row(c, row);
                break;
            }
        }
}

static void headline_card(const results *r, const base_point *base, const char *query, text *page)
{
    const bench_row *best = points_fastest(r, base, query, NULL);
    if (!best)
        return;
    names contenders = points_contenders(r);
    series_name title = points_spaced(query), best_name = points_series(r, best, base->precision);
    text_add(page, "<section class=\"card\"><h3>");
    text_html(page, title.s);
    text_add(page, "</h3><p class=\"who\">fastest that is right: ");
    text_html(page, best_name.s);
    text_add(page, "</p>");
    rivals(r, base, best, page);
    text_add(page, "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">contender</th><th scope=\"col\" class=\"n\">ns a pair"
                   "</th><th scope=\"col\" class=\"n\">M pairs/s</th><th scope=\"col\" class=\"n\">wrong</th>"
                   "<th scope=\"col\" class=\"n\">at 1e-3 S</th></tr></thead><tbody>");
    card c = {.r = r, .base = base, .best = best, .page = page};
    headline_row(&c, best);
    backend_rows(&c);
    for (size_t i = 0; i < contenders.n; i++) {
        const bench_row *row = points_fastest(r, base, query, contenders.s[i]);
        if (row && row != best && strcmp(row->contender, "batch"))
            headline_row(&c, row);
    }
    text_add(page, "</tbody></table></div>");
    card_graded(&c);
    text_add(page, "</section>");
}

void tables_no_times(text *page)
{
    text_add(page, "<p class=\"absent\">No measured times in these results: run <code>gjkbench bench --json bench.json"
                   "</code> and report that file too.</p>");
}

static void headline_base(const results *r, const base_point *base, text *page)
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
        headline_card(r, base, queries.s[q], page);
    text_add(page, "</div>");
}

void tables_headline(const results *r, const base_point *base, text *page)
{
    base_point bases[BASES];
    size_t n = r->bench_count ? points_bases(r, base, bases) : 0;
    int more = 0;
    for (size_t i = 0; i < n; i++)
        headline_base(r, &bases[i], page);
    for (size_t i = 0; i < r->bench_count; i++)
        more |= results_does_more(r, r->bench[i].contender, r->bench[i].query);
    if (more)
        text_add(page, "<p class=\"note\">† does more than the query asks (why is under Contenders). Its time is no like for "
                       "like, and is marked wherever it appears.</p>");
}

/* ---- verdicts ---- */

static void verdict(text *page, int good, const char *title)
{
    text_format(page, "<li class=\"%s\"><span class=\"sign\" aria-hidden=\"true\">%s</span><div><b>", good > 0 ? "good" :
                good < 0 ? "wrong" : "open", good > 0 ? "✓" : good < 0 ? "✗" : "–");
    text_html(page, title);
    text_add(page, "</b> ");
}

static double known(double count)
{
    return isfinite(count) ? count : 0;
}

/* The interrupted flag, a seed: a bench file has them in its context, a verify file in its summary. */
static json_t *fact_of(const results_file *file, const char *key)
{
    json_t *value = json_object_get(file->context, key);
    return value ? value : json_object_get(file->summary, key);
}

static void verdict_proofs(const results *r, text *page)
{
    if (!r->verify_count) {
        verdict(page, 0, "Nothing proven here.");
        text_add(page, "These results hold no verification: run <code>gjkbench verify --json verify.json</code> and report "
                       "that file too.</div></li>");
        return;
    }
    double pairs = 0, answers = 0, ungraded = 0, wrong = 0, other = 0;
    for (size_t i = 0; i < r->file_count; i++)
        pairs += json_number_value(json_object_get(r->files[i].summary, "pairs"));
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *row = &r->verify[i];
        if (!points_ours(row->contender))
            continue;
        answers += row->graded;
        ungraded += known(row->ungraded);
        wrong += row->wrong + known(row->symmetry_wrong);
        other += known(row->nan) + known(row->hung) + known(row->crashed) + known(row->capped) + known(row->unwritten);
    }
    number a, b, c;
    char title[96];
    if (wrong > 0)
        snprintf(title, sizeof title, "%s wrong answer%s of ours.", number_count(&a, wrong), wrong == 1 ? "" : "s");
    else if (other > 0)
        snprintf(title, sizeof title, "%s answers of ours are missing.", number_count(&a, other));
    else
        snprintf(title, sizeof title, "No wrong answer of ours.");
    verdict(page, wrong > 0 || other > 0 ? -1 : 1, title);
    if (pairs > 0)
        text_format(page, "%s pairs, proven by certificates or the exact oracle. ", number_count(&a, pairs));
    text_format(page, "Our kernels and our reference gave %s graded answers; another %s of theirs lie too close to touching "
                "to call. NaN or hung, at the iteration limit or unwritten: %s.</div></li>", number_count(&a, answers),
                number_rate(&b, answers + ungraded > 0 ? ungraded / (answers + ungraded) : NAN), number_count(&c, other));
}

/* One answer sheet: equal keys must have equal fingerprints. */
typedef struct sheet {
    const char *query, *workload, *family, *precision, *backend, *fingerprint;
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

static void verdict_fingerprints(const results *r, text *page)
{
    agreement found = {0};
    size_t n = 0, most = r->verify_count > r->bench_count ? r->verify_count : r->bench_count;
    sheet *sheets = calloc(most + 1, sizeof *sheets);
    if (!sheets) {
        page->failed = 1;
        return;
    }
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *row = &r->verify[i];
        if (!strcmp(row->contender, "batch") && *row->fingerprint)
            sheets[n++] = (sheet){row->query, row->workload, row->family, row->precision, row->backend, row->fingerprint,
                                  row->dim, NAN, row->pairs};
    }
    compare_fingerprints(sheets, n, &found);
    n = 0;
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        if (!strcmp(row->contender, "batch") && *row->fingerprint)
            sheets[n++] = (sheet){row->query, row->workload, row->family, row->precision, row->backend, row->fingerprint,
                                  row->dim, row->shapes, row->pairs};
    }
    compare_fingerprints(sheets, n, &found);
    free(sheets);
    number a, b;
    if (!found.groups) {
        verdict(page, 0, "No fingerprints to compare.");
        text_add(page, "These results hold one backend only: run without <code>--backend</code>.</div></li>");
    } else if (found.differing) {
        verdict(page, -1, "Backends disagree.");
        text_format(page, "Fingerprints differ in %s of %s comparisons: ", number_count(&a, (double)found.differing),
                    number_count(&b, (double)found.groups));
        text_html(page, found.list.s ? found.list.s : "");
        text_add(page, found.differing > 6 ? " and more.</div></li>" : ".</div></li>");
    } else {
        verdict(page, 1, "The same bits from every backend.");
        text_format(page, "One fingerprint of all results in each of %s comparisons between ",
                    number_count(&a, (double)found.groups));
        for (size_t i = 0; i < found.backends.n; i++) {
            text_add(page, i ? i + 1 == found.backends.n ? " and " : ", " : "");
            text_html(page, found.backends.s[i]);
        }
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
        sum.crashed += known(row->crashed);
        sum.hung += known(row->hung);
        sum.unasked += known(row->unasked);
    }
    return sum;
}

static void verdict_rivals(const results *r, text *page)
{
    names contenders = points_contenders(r);
    for (size_t c = 0; c < contenders.n; c++) {
        record sum = record_of(r, contenders.s[c]);
        if (points_ours(contenders.s[c]) || !(sum.graded > 0 || sum.untimed > 0))
            continue;
        number a, b, d;
        char title[96];
        int faultless = !(sum.wrong > 0 || sum.crashed > 0 || sum.hung > 0 || sum.untimed > 0);
        snprintf(title, sizeof title, "%.40s: %s wrong.", contenders.s[c],
                 sum.wrong > 0 ? number_rate(&a, sum.wrong / sum.graded) : "nothing");
        verdict(page, faultless, title);
        text_format(page, "%s of %s graded answers lie beyond its own documented accuracy, over all families.",
                    number_count(&b, sum.wrong), number_count(&d, sum.graded));
        if (sum.crashed > 0 || sum.hung > 0)
            text_format(page, " It crashed on %s and hung on %s pairs", number_count(&a, sum.crashed),
                        number_count(&b, sum.hung));
        if (sum.unasked > 0)
            text_format(page, ", after which %s more were not asked", number_count(&d, sum.unasked));
        text_add(page, sum.crashed > 0 || sum.hung > 0 ? "." : "");
        if (sum.untimed > 0)
            text_format(page, " At %s point%s it has no time, because it crashed or hung.",
                        number_count(&a, sum.untimed), sum.untimed == 1 ? "" : "s");
        text_add(page, "</div></li>");
    }
}

void tables_verdicts(const results *r, text *page)
{
    text_add(page, "<ul class=\"verdicts\">");
    for (size_t i = 0; i < r->file_count; i++) {
        json_t *flag = fact_of(&r->files[i], "interrupted");
        if (flag && !json_is_null(flag) && !json_is_false(flag)) {
            verdict(page, -1, "Interrupted.");
            text_add(page, "The run behind ");
            text_html(page, r->files[i].name);
            text_add(page, " was stopped before its end: this page shows what was measured until then.</div></li>");
        }
    }
    verdict_proofs(r, page);
    verdict_fingerprints(r, page);
    verdict_rivals(r, page);
    text_add(page, "</ul>");
}

/* ---- who is wrong where ---- */

typedef struct tally {
    double asked, careful; /* of contenders that have a careful path: ours in lanes */
    double graded, ungraded, unsupported, wrong, nan, hung, crashed, unasked, capped, symmetry, beyond_1e6, beyond_1e3, worst;
    int seen;
} tally;

static void count(tally *t, const verify_row *row)
{
    t->seen = 1;
    t->graded += row->graded;
    t->wrong += row->wrong;
    t->ungraded += known(row->ungraded);
    t->unsupported += known(row->unsupported);
    t->nan += known(row->nan);
    t->hung += known(row->hung);
    t->crashed += known(row->crashed);
    t->unasked += known(row->unasked);
    t->capped += known(row->capped);
    if (!strcmp(row->contender, "batch")) {
        t->asked += known(row->pairs);
        t->careful += known(row->careful);
    }
    t->symmetry += known(row->symmetry_wrong);
    t->beyond_1e6 += known(row->beyond_1e6);
    t->beyond_1e3 += known(row->beyond_1e3);
    if (isfinite(row->worst_error_eps))
        t->worst = fmax(t->worst, row->worst_error_eps);
}

typedef struct column { const char *contender, *precision; } column;

static void tally_cell(text *page, const tally *t)
{
    number n, m;
    if (!t->seen)
        text_add(page, "<td class=\"n quiet\">–</td>");
    else if (t->wrong > 0 && t->graded < 100) /* a share of so few would mislead */
        text_format(page, "<td class=\"n bad\">%s of %s</td>", number_count(&n, t->wrong), number_count(&m, t->graded));
    else if (t->wrong > 0)
        text_format(page, "<td class=\"n bad\">%s</td>",
                    number_rate(&n, t->graded > 0 ? t->wrong / t->graded : 1));
    else
        text_format(page, "<td class=\"n quiet\">%s</td>", t->graded > 0 ? "0" : t->unsupported > 0 ? "unsupported" : "–");
}

typedef const char *(*foot_value)(number *n, const tally *t, int has_value);
static const char *foot_graded(number *n, const tally *t, int v) { (void)v; return number_count(n, t->graded); }
static const char *foot_wrong(number *n, const tally *t, int v) { (void)v; return number_count(n, t->wrong); }
static const char *foot_ungraded(number *n, const tally *t, int v)
{
    (void)v;
    return number_rate(n, t->graded + t->ungraded > 0 ? t->ungraded / (t->graded + t->ungraded) : NAN);
}
static const char *foot_worst(number *n, const tally *t, int v)
{
    if (!v || t->worst < 1e6)
        return number_figures(n, v ? t->worst : NAN);
    int power = (int)floor(log10(t->worst));
    snprintf(n->s, sizeof n->s, "%.1fe%d", t->worst / pow(10, power), power);
    return n->s;
}
static const char *foot_nan(number *n, const tally *t, int v) { (void)v; return number_count(n, t->nan); }
static const char *foot_hung(number *n, const tally *t, int v) { (void)v; return number_count(n, t->hung); }
static const char *foot_crashed(number *n, const tally *t, int v) { (void)v; return number_count(n, t->crashed); }
static const char *foot_unasked(number *n, const tally *t, int v) { (void)v; return number_count(n, t->unasked); }
static const char *foot_1e6(number *n, const tally *t, int v) { return number_count(n, v ? t->beyond_1e6 : NAN); }
static const char *foot_1e3(number *n, const tally *t, int v) { return number_count(n, v ? t->beyond_1e3 : NAN); }
static const char *foot_capped(number *n, const tally *t, int v) { (void)v; return number_count(n, t->capped); }
static const char *foot_symmetry(number *n, const tally *t, int v) { (void)v; return number_count(n, t->symmetry); }
static const char *foot_careful(number *n, const tally *t, int v)
{
    (void)v;
    return number_rate(n, t->asked > 0 ? t->careful / t->asked : NAN);
}
static const struct { const char *title; foot_value value; } foot[] = {
    {"graded answers", foot_graded}, {"wrong", foot_wrong}, {"too close to call", foot_ungraded},
    {"worst error, εS", foot_worst}, {"off by more than 1e-6 S", foot_1e6},
    {"off by more than 1e-3 S", foot_1e3}, {"not a number", foot_nan}, {"hung", foot_hung},
    {"crashed", foot_crashed}, {"left unasked", foot_unasked}, {"iteration limit", foot_capped},
    {"wrong when swapped", foot_symmetry}, {"by the careful path", foot_careful},
};

static void wrong_table(const results *r, const char *query, uint32_t dim, text *page)
{
    column columns[NAMES];
    size_t n = 0;
    names families = points_families(r), contenders = points_contenders(r), precisions = points_precisions(r);
    for (size_t c = 0; c < contenders.n; c++)
        for (size_t p = 0; p < precisions.n; p++)
            for (size_t i = 0; i < r->verify_count; i++) {
                const verify_row *row = &r->verify[i];
                if (!strcmp(row->query, query) && !strcmp(row->contender, contenders.s[c]) &&
                    !strcmp(row->precision, precisions.s[p]) && n < NAMES) {
                    columns[n++] = (column){contenders.s[c], precisions.s[p]};
                    break;
                }
            }
    if (!n)
        return;
    tally totals[NAMES] = {0};
    const gjb_query_row *known = gjb_query_find(query);
    series_name title = points_spaced(query);
    text_add(page, "<div class=\"scroll\"><table><caption>");
    text_html(page, title.s);
    if (known)
        text_format(page, " <span>tolerance k = %g (f32), %g (f64)</span>", known->k[dim - 2][GJB_F32],
                    known->k[dim - 2][GJB_F64]);
    text_add(page, "</caption><thead><tr><th scope=\"col\">family</th>");
    for (size_t c = 0; c < n; c++) {
        text_add(page, "<th scope=\"col\" class=\"n\">");
        text_html(page, columns[c].contender);
        text_add(page, results_does_more(r, columns[c].contender, query) ? " †<br>" : "<br>");
        text_html(page, columns[c].precision);
        text_add(page, "</th>");
    }
    text_add(page, "</tr></thead><tbody>");
    for (size_t f = 0; f < families.n; f++) {
        int any = 0;
        tally cells[NAMES] = {0};
        for (size_t i = 0; i < r->verify_count; i++) {
            const verify_row *row = &r->verify[i];
            if (strcmp(row->query, query) || strcmp(row->family, families.s[f]))
                continue;
            for (size_t c = 0; c < n; c++)
                if (!strcmp(row->contender, columns[c].contender) && !strcmp(row->precision, columns[c].precision)) {
                    count(&cells[c], row);
                    count(&totals[c], row);
                    any = 1;
                }
        }
        if (!any)
            continue;
        text_add(page, "<tr><th scope=\"row\">");
        text_html(page, families.s[f]);
        text_add(page, "</th>");
        for (size_t c = 0; c < n; c++)
            tally_cell(page, &cells[c]);
        text_add(page, "</tr>");
    }
    text_add(page, "</tbody><tfoot>");
    for (size_t f = 0; f < sizeof foot / sizeof *foot; f++) {
        text_format(page, "<tr><th scope=\"row\">%s</th>", foot[f].title);
        for (size_t c = 0; c < n; c++) {
            number value;
            text_format(page, "<td class=\"n\">%s</td>", foot[f].value(&value, &totals[c], !known || known->has_value));
        }
        text_add(page, "</tr>");
    }
    text_add(page, "</tfoot></table></div>");
}

void tables_wrong(const results *r, uint32_t dim, text *page)
{
    if (!r->verify_count) {
        text_add(page, "<p class=\"absent\">No verification in these results: run <code>gjkbench verify --json verify.json"
                       "</code> and report that file too.</p>");
        return;
    }
    text_add(page, "<p class=\"lead\">Share of wrong answers per family of pairs: beyond kεS, plus what the contender itself "
                   "documents as its accuracy. A boolean counts only where the truth lies outside that band.</p>"
                   "<div class=\"tables");
    /* Many columns need the whole width. */
    text_add(page, points_contenders(r).n > 4 ? " wide\">" : "\">");
    names queries = points_queries(r);
    for (size_t q = 0; q < queries.n; q++)
        wrong_table(r, queries.s[q], dim, page);
    text_add(page, "</div>");
}

/* ---- every measured point ---- */

void tables_benchmarks(const results *r, text *page)
{
    number n;
    if (!r->bench_count) {
        text_add(page, "<p class=\"absent\">No measured times in these results: run <code>gjkbench bench</code>.</p>");
        return;
    }
    text_format(page, "<details><summary>All %s measured points</summary><div class=\"scroll\"><table class=\"long\"><thead><tr>"
                "<th scope=\"col\">name</th><th scope=\"col\" class=\"n\">ns a pair</th><th scope=\"col\" class=\"n\">interval</th>"
                "<th scope=\"col\" class=\"n\">least</th><th scope=\"col\" class=\"n\">M pairs/s</th>"
                "<th scope=\"col\" class=\"n\">prepare, ns a shape</th><th scope=\"col\" class=\"n\">wrong</th>"
                "<th scope=\"col\">fingerprint</th></tr></thead><tbody>", number_count(&n, (double)r->bench_count));
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        number low, high;
        text_add(page, "<tr><th scope=\"row\">");
        text_html(page, row->name);
        text_add(page, results_does_more(r, row->contender, row->query) ? " †</th>" : "</th>");
        text_format(page, "<td class=\"n\">%s</td>", number_figures(&n, row->ns));
        text_format(page, "<td class=\"n\">%s–%s</td>", isfinite(row->low) ? number_figures(&low, row->low) : "",
                    isfinite(row->high) ? number_figures(&high, row->high) : "");
        text_format(page, "<td class=\"n\">%s</td>", number_figures(&n, row->minimum));
        text_format(page, "<td class=\"n\">%s</td>", number_figures(&n, row->pairs_per_second / 1e6));
        text_format(page, "<td class=\"n\">%s</td>", number_figures(&n, row->prepare_ns));
        double rate = points_wrong_rate(r, row);
        text_format(page, "<td class=\"n%s\">%s</td><td class=\"hex\">", rate > 0 ? " bad" : "", number_rate(&n, rate));
        text_html(page, *row->fingerprint ? row->fingerprint : "–");
        text_add(page, "</td></tr>");
    }
    text_add(page, "</tbody></table></div></details>");
}

/* ---- machine and contenders ---- */

static void value_html(json_t *value, text *page)
{
    if (json_is_string(value)) {
        text_html(page, json_string_value(value));
    } else if (json_is_integer(value)) {
        text_format(page, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        number n;
        text_add(page, number_figures(&n, json_real_value(value)));
    } else if (json_is_boolean(value)) {
        text_add(page, json_is_true(value) ? "yes" : "no");
    } else {
        text_add(page, "–");
    }
}

static void pair_row(const char *key, text *page)
{
    text_add(page, "<tr><th scope=\"row\">");
    series_name name = points_spaced(key);
    text_html(page, name.s);
    text_add(page, "</th><td>");
}

static void cache_row(json_t *caches, text *page)
{
    json_t *cache;
    size_t i;
    pair_row("caches", page);
    json_array_foreach(caches, i, cache) {
        const char *type = json_string_value(json_object_get(cache, "type"));
        number size;
        text_add(page, i ? ", L" : "L");
        value_html(json_object_get(cache, "level"), page);
        text_add(page, " ");
        text_html(page, type ? type : "");
        text_format(page, " %s", number_bytes(&size, json_number_value(json_object_get(cache, "size"))));
    }
    text_add(page, "</td></tr>");
}

void tables_machine(const results *r, text *page)
{
    static const char *const names_of[][2] = {
        {"cpu", "CPU"}, {"num_cpus", "logical CPUs"}, {"host_name", "host"}, {"date", "date"}, {"compiler", "compiler"},
        {"flags", "flags"}, {"library_build_type", "build"}, {"commit", "commit"}, {"gjkbench_version", "gjkbench"},
        {"version", "gjkbench"}, {"seed", "seed"},
    };
    for (size_t f = 0; f < r->file_count; f++) {
        json_t *context = r->files[f].context, *value;
        const char *name = strrchr(r->files[f].name, '/');
        const char *key;
        text_add(page, "<div class=\"scroll\"><table class=\"facts\"><caption>");
        text_html(page, name ? name + 1 : r->files[f].name);
        static const char *const kinds[] = {"measured times", "verification", "replay of known failures"};
        text_format(page, " <span>%s</span></caption><tbody>", kinds[r->files[f].kind]);
        if (!context)
            text_add(page, "<tr><td>This file says nothing about its machine.</td></tr>");
        for (size_t i = 0; i < sizeof names_of / sizeof *names_of; i++)
            if ((value = fact_of(&r->files[f], names_of[i][0])) && !json_is_null(value) &&
                (strcmp(names_of[i][0], "version") || !json_object_get(context, "gjkbench_version"))) {
                pair_row(names_of[i][1], page);
                value_html(value, page);
                text_add(page, "</td></tr>");
            }
        if (json_is_array(value = json_object_get(context, "caches")) && json_array_size(value))
            cache_row(value, page);
        json_object_foreach(json_object_get(context, "memory_ceiling"), key, value) {
            if (json_is_object(value) || json_is_array(value))
                continue;
            char label[64];
            snprintf(label, sizeof label, "memory ceiling: %.40s", key);
            pair_row(label, page);
            number n;
            if (json_is_number(value))
                text_add(page, number_figures(&n, json_number_value(value)));
            else
                value_html(value, page);
            text_add(page, "</td></tr>");
        }
        text_add(page, "</tbody></table></div>");
    }
}

static void text_cell(json_t *object, const char *key, text *page)
{
    const char *s = json_string_value(json_object_get(object, key));
    text_add(page, "<td>");
    text_html(page, s && *s ? s : "–");
    text_add(page, "</td>");
}

void tables_contenders(const results *r, text *page)
{
    json_t *list = results_context(r, "contenders"), *one;
    names seen = points_contenders(r);
    size_t i;
    for (i = 0; i < r->known_count; i++)
        names_add(&seen, r->known[i].contender);
    if (json_array_size(list)) {
        text_add(page, "<div class=\"scroll\"><table class=\"facts\"><caption>Measured here</caption><thead><tr><th scope=\"col\">contender</th>"
                       "<th scope=\"col\">version</th><th scope=\"col\">licence</th><th scope=\"col\">note</th></tr></thead><tbody>");
        json_array_foreach(list, i, one) {
            const char *name = json_string_value(json_object_get(one, "name"));
            if (!name || names_find(&seen, name) < 0) /* in the build, but not asked for, or of the other dimension */
                continue;
            text_add(page, "<tr><th scope=\"row\">");
            text_html(page, name);
            text_add(page, "</th>");
            text_cell(one, "version", page);
            text_cell(one, "licence", page);
            text_cell(one, "note", page);
            text_add(page, "</tr>");
        }
        text_add(page, "</tbody></table></div>");
    } else {
        text_add(page, "<p class=\"absent\">These results do not list their contenders’ versions.</p>");
    }
    list = results_context(r, "missing");
    if (!json_array_size(list)) {
        text_add(page, "<p class=\"note\">No known contender is missing from this build.</p>");
        return;
    }
    text_add(page, "<div class=\"scroll\"><table class=\"facts\"><caption>Missing from this build</caption><thead><tr>"
                   "<th scope=\"col\">contender</th><th scope=\"col\">how to get it</th></tr></thead><tbody>");
    json_array_foreach(list, i, one) {
        const char *name = json_string_value(json_object_get(one, "name"));
        text_add(page, "<tr><th scope=\"row\">");
        text_html(page, name ? name : "–");
        text_add(page, "</th>");
        text_cell(one, "advice", page);
        text_add(page, "</tr>");
    }
    text_add(page, "</tbody></table></div>");
}
