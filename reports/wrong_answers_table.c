/* The table of wrong answers: contenders by families, with worst errors and what went ungraded. */
#include "reports/tables.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/query.h"

typedef struct tally {
    double asked, fallback, unproven; /* of contenders that have a fallback path: ours in lanes */
    double graded, ungraded, too_slow, unsupported, wrong, nan, hung, crashed, unasked, capped, symmetry;
    double beyond_1e6, beyond_1e3, worst;
    int seen;
} tally;

static void count(tally *t, const verify_row *row)
{
    t->seen = 1;
    t->graded += row->graded;
    t->wrong += row->wrong;
    t->too_slow += results_count(row->too_slow);
    t->ungraded += results_count(row->ungraded) - results_count(row->too_slow); /* too close to call */
    t->unsupported += results_count(row->unsupported);
    t->nan += results_count(row->nan);
    t->hung += results_count(row->hung);
    t->crashed += results_count(row->crashed);
    t->unasked += results_count(row->unasked);
    t->capped += results_count(row->capped);
    if (results_batch(row->contender)) {
        t->asked += results_count(row->pairs);
        t->fallback += results_count(row->fallback);
        t->unproven += results_count(row->unproven);
    }
    t->symmetry += results_count(row->symmetry_wrong);
    t->beyond_1e6 += results_count(row->beyond_1e6);
    t->beyond_1e3 += results_count(row->beyond_1e3);
    if (isfinite(row->worst_error_eps))
        t->worst = fmax(t->worst, row->worst_error_eps);
}

typedef struct column { const char *contender, *precision; } column;

/* Why nothing could be graded: "too close (369), too slow (2), 111 unsupported". */
static void ungraded_cell(table *t, const tally *sum)
{
    number n;
    const double both = sum->ungraded + sum->too_slow;
    table_cell_begin(t, TABLE_NUMBER | TABLE_QUIET, 1, NULL);
    if (sum->ungraded > 0)
        table_say(t, "too close (%s)", number_count(&n, sum->ungraded));
    if (sum->ungraded > 0 && sum->too_slow > 0)
        table_mark(t, ",<br>", ", ");
    if (sum->too_slow > 0)
        table_say(t, "too slow (%s)", number_count(&n, sum->too_slow));
    if (both > 0 && sum->unsupported > 0) {
        table_mark(t, ",<br>", ", ");
        table_say(t, "%s ", number_count(&n, sum->unsupported));
    }
    table_say(t, "%s", sum->unsupported > 0 ? "unsupported" : both > 0 ? "" : "–");
}

static void tally_cell(table *t, const tally *sum)
{
    number n, m;
    if (!sum->seen)
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "–");
    else if (sum->wrong > 0 && sum->graded < 100) /* a share of so few would mislead */
        table_put(t, TABLE_NUMBER | TABLE_BAD, "%s of %s", number_count(&n, sum->wrong), number_count(&m, sum->graded));
    else if (sum->wrong > 0)
        table_put(t, TABLE_NUMBER | TABLE_BAD, "%s", number_rate(&n, sum->graded > 0 ? sum->wrong / sum->graded : 1));
    else if (sum->graded > 0)
        table_put(t, TABLE_NUMBER | TABLE_QUIET, "0");
    else
        ungraded_cell(t, sum);
}

typedef enum foot_kind { FOOT_COUNT, FOOT_BEYOND, FOOT_CLOSE, FOOT_WORST, FOOT_SHARE } foot_kind;

/* Of counts: which one. */
static const struct {
    const char *title;
    foot_kind kind;
    size_t offset;
} foot[] = {
    {"graded answers", FOOT_COUNT, offsetof(tally, graded)},
    {"wrong", FOOT_COUNT, offsetof(tally, wrong)},
    {"too close to call", FOOT_CLOSE, offsetof(tally, ungraded)},
    {"too slow to judge", FOOT_CLOSE, offsetof(tally, too_slow)},
    {"worst error, εS", FOOT_WORST, 0},
    {"off by more than 1e-6 S", FOOT_BEYOND, offsetof(tally, beyond_1e6)},
    {"off by more than 1e-3 S", FOOT_BEYOND, offsetof(tally, beyond_1e3)},
    {"not a number", FOOT_COUNT, offsetof(tally, nan)},
    {"hung", FOOT_COUNT, offsetof(tally, hung)},
    {"crashed", FOOT_COUNT, offsetof(tally, crashed)},
    {"left unasked", FOOT_COUNT, offsetof(tally, unasked)},
    {"iteration limit", FOOT_COUNT, offsetof(tally, capped)},
    {"wrong when swapped", FOOT_COUNT, offsetof(tally, symmetry)},
    {"needed the double-precision fallback", FOOT_SHARE, offsetof(tally, fallback)},
    {"bounds that did not meet", FOOT_SHARE, offsetof(tally, unproven)},
};

static const char *foot_worst(number *n, double worst)
{
    if (!(worst >= 1e6))
        return number_figures(n, worst);
    int power = (int)floor(log10(worst));
    snprintf(n->s, sizeof n->s, "%.1fe%d", worst / pow(10, power), power);
    return n->s;
}

static const char *foot_text(number *n, size_t row, const tally *t, int has_value)
{
    double count = *(const double *)((const char *)t + foot[row].offset),
           all = t->graded + t->ungraded + t->too_slow;
    switch (foot[row].kind) {
    case FOOT_BEYOND:
        return number_count(n, has_value ? count : NAN);
    case FOOT_CLOSE:
        return number_rate(n, all > 0 ? count / all : NAN);
    case FOOT_WORST:
        return foot_worst(n, has_value ? t->worst : NAN);
    case FOOT_SHARE: /* of those that were asked of ours */
        return number_rate(n, t->asked > 0 ? count / t->asked : NAN);
    default:
        return number_count(n, count);
    }
}

/* The table of one query. */
typedef struct sheet {
    const results *r;
    const char *query;
    column columns[NAMES];
    size_t n;
    tally totals[NAMES];
    table table;
} sheet;

static int was_verified(const results *r, const char *query, const column *c)
{
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *row = &r->verify[i];
        if (!strcmp(row->query, query) && !strcmp(row->contender, c->contender) &&
            !strcmp(row->precision, c->precision))
            return 1;
    }
    return 0;
}

static void find_columns(sheet *s)
{
    names contenders = points_contenders(s->r), precisions = points_precisions(s->r);
    for (size_t c = 0; c < contenders.n; c++)
        for (size_t p = 0; p < precisions.n; p++) {
            const column one = {contenders.s[c], precisions.s[p]};
            if (s->n < NAMES && was_verified(s->r, s->query, &one))
                s->columns[s->n++] = one;
        }
}

static void wrong_head(sheet *s, uint32_t dim)
{
    const gjb_query_row *known = gjb_query_find(s->query);
    series_name title = points_spaced(s->query);
    table *t = &s->table;
    text_format(&t->file, "wrong-%ud-", dim);
    text_slug(&t->file, s->query);
    text_add(&t->title, title.s);
    text_add(&t->above, "<caption>");
    text_html(&t->above, title.s);
    if (known) {
        char tolerance[96];
        snprintf(tolerance, sizeof tolerance, "tolerance k = %g (f32), %g (f64)", known->k[dim - 2][GJB_F32],
                 known->k[dim - 2][GJB_F64]);
        text_format(&t->title, " %s", tolerance);
        text_format(&t->above, " <span>%s</span>", tolerance);
    }
    text_add(&t->above, "</caption>");
    table_row_begin(t, TABLE_HEAD);
    table_put(t, TABLE_TITLE, "family");
    for (size_t c = 0; c < s->n; c++) {
        table_put(t, TABLE_TITLE | TABLE_NUMBER, "%s%s", s->columns[c].contender,
                  results_does_more(s->r, s->columns[c].contender, s->query) ? " †" : "");
        table_mark(t, "<br>", " ");
        table_say(t, "%s", s->columns[c].precision);
    }
}

static void family_row(sheet *s, const char *family)
{
    int any = 0;
    tally cells[NAMES] = {0};
    for (size_t i = 0; i < s->r->verify_count; i++) {
        const verify_row *row = &s->r->verify[i];
        if (strcmp(row->query, s->query) || strcmp(row->family, family))
            continue;
        for (size_t c = 0; c < s->n; c++)
            if (!strcmp(row->contender, s->columns[c].contender) &&
                !strcmp(row->precision, s->columns[c].precision)) {
                count(&cells[c], row);
                count(&s->totals[c], row);
                any = 1;
            }
    }
    if (!any)
        return;
    table_row_begin(&s->table, TABLE_BODY);
    table_put(&s->table, TABLE_TITLE, "%s", family);
    for (size_t c = 0; c < s->n; c++)
        tally_cell(&s->table, &cells[c]);
}

static void wrong_foot(sheet *s)
{
    const gjb_query_row *known = gjb_query_find(s->query);
    for (size_t f = 0; f < sizeof foot / sizeof *foot; f++) {
        table_row_begin(&s->table, TABLE_FOOT);
        table_put(&s->table, TABLE_TITLE, "%s", foot[f].title);
        for (size_t c = 0; c < s->n; c++) {
            number n;
            table_put(&s->table, TABLE_NUMBER, "%s", foot_text(&n, f, &s->totals[c], !known || known->has_value));
        }
    }
}

static void wrong_table(const results *r, const char *query, uint32_t dim, table_files *files, text *page)
{
    sheet s = {.r = r, .query = query};
    names families = points_families(r);
    find_columns(&s);
    if (!s.n)
        return;
    wrong_head(&s, dim);
    for (size_t f = 0; f < families.n; f++)
        family_row(&s, families.s[f]);
    wrong_foot(&s);
    text_add(page, "<div>");
    table_end(&s.table, files, page);
    text_add(page, "</div>");
}

void tables_wrong(const results *r, uint32_t dim, table_files *files, text *page)
{
    text_add(page, "<p class=\"lead\">Share of wrong answers per family of pairs: beyond kεS, plus what the "
                   "contender itself documents as its accuracy. A boolean counts only if the truth lies "
                   "outside that band.</p><div class=\"tables");
    /* Many columns need the whole width. */
    text_add(page, points_contenders(r).n > 4 ? " wide\">" : "\">");
    names queries = points_queries(r);
    for (size_t q = 0; q < queries.n; q++)
        wrong_table(r, queries.s[q], dim, files, page);
    text_add(page, "</div>");
}
