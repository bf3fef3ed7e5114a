/* Who fails which known failure: the cases of replayed collections, against contenders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/tables.h"

enum { LABEL = 160 };

/* What a contender made of a case, over queries, precisions and backends. */
typedef struct cell {
    unsigned right, wrong, ungraded, unsupported;
    char failed[LABEL]; /* queries and precisions of the wrong ones */
} cell;

typedef struct matrix {
    const char **ids; /* in the order of the files */
    size_t id_count;
    names contenders;
    cell *cells; /* [id][contender] */
} matrix;

static size_t find_id(const matrix *m, const char *id)
{
    size_t i = m->id_count;
    while (i && strcmp(m->ids[i - 1], id)) /* rows of a case lie together: the last is the likeliest */
        i--;
    return i ? i - 1 : m->id_count;
}

static void note_failure(cell *c, const known_row *row)
{
    char part[64];
    series_name query = points_spaced(row->query);
    snprintf(part, sizeof part, "%.24s %.6s", query.s, row->precision);
    if (strstr(c->failed, part) || strlen(c->failed) + strlen(part) + 3 > sizeof c->failed)
        return;
    strcat(c->failed, *c->failed ? ", " : "");
    strcat(c->failed, part);
}

static void count_row(cell *c, const known_row *row)
{
    int wrong = !strcmp(row->verdict, "wrong");
    c->wrong += (unsigned)wrong;
    c->right += !strcmp(row->verdict, "right");
    c->ungraded += !strcmp(row->verdict, "ungraded");
    c->unsupported += !strcmp(row->verdict, "unsupported");
    if (wrong)
        note_failure(c, row);
}

static int fill(matrix *m, const results *r)
{
    m->ids = calloc(r->known_count + 1, sizeof *m->ids);
    if (!m->ids)
        return -1;
    for (size_t i = 0; i < r->known_count; i++)
        if (r->known[i].ours)
            names_add(&m->contenders, r->known[i].contender);
    for (size_t i = 0; i < r->known_count; i++) {
        names_add(&m->contenders, r->known[i].contender);
        if (find_id(m, r->known[i].id) == m->id_count)
            m->ids[m->id_count++] = r->known[i].id;
    }
    m->cells = calloc(m->id_count * m->contenders.n + 1, sizeof *m->cells);
    if (!m->cells)
        return -1;
    for (size_t i = 0; i < r->known_count; i++) {
        int column = names_find(&m->contenders, r->known[i].contender);
        if (column >= 0)
            count_row(&m->cells[find_id(m, r->known[i].id) * m->contenders.n + (size_t)column], &r->known[i]);
    }
    return 0;
}

static int anyone_fails(const matrix *m, size_t id)
{
    for (size_t c = 0; c < m->contenders.n; c++)
        if (m->cells[id * m->contenders.n + c].wrong)
            return 1;
    return 0;
}

static void add_cell(const cell *c, table *t)
{
    if (c->wrong)
        table_put(t, TABLE_BAD, "%s", c->failed);
    else if (c->right)
        table_put(t, 0, "✓");
    else
        table_put(t, TABLE_QUIET, c->ungraded ? "too close" : "–");
}

static table begin_table(const matrix *m, const char *file, const char *first)
{
    table t = {.class = "known"};
    text_format(&t.file, "known-%s", file);
    text_format(&t.title, "Known failures: %s", file);
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, TABLE_TITLE, "%s", first);
    for (size_t c = 0; c < m->contenders.n; c++)
        table_put(&t, TABLE_TITLE, "%s", m->contenders.s[c]);
    return t;
}

/* The cases that someone fails, or the others. */
static void add_cases(const matrix *m, int failed, table_files *files, text *page)
{
    table t = begin_table(m, failed ? "failed" : "passed", "case");
    for (size_t i = 0; i < m->id_count; i++) {
        if (anyone_fails(m, i) != failed)
            continue;
        table_row_begin(&t, TABLE_BODY);
        table_put(&t, TABLE_TITLE, "%s", m->ids[i]);
        for (size_t c = 0; c < m->contenders.n; c++)
            add_cell(&m->cells[i * m->contenders.n + c], &t);
    }
    table_end(&t, files, page);
}

static int is_failed(const cell *c) { return c->wrong > 0; }
static int is_right(const cell *c) { return !c->wrong && c->right; }
static int is_close(const cell *c) { return !c->wrong && !c->right && c->ungraded; }
static int is_unsupported(const cell *c) { return !c->wrong && !c->right && !c->ungraded; }
static const struct { const char *title; int (*is)(const cell *c);
} sums[] = {
    {"right", is_right},
    {"wrong", is_failed},
    {"too close to call", is_close},
    {"not supported", is_unsupported},
};

static void add_summary(const matrix *m, table_files *files, text *page)
{
    table t = begin_table(m, "summary", "cases");
    for (size_t s = 0; s < sizeof sums / sizeof *sums; s++) {
        table_row_begin(&t, TABLE_BODY);
        table_put(&t, TABLE_TITLE, "%s", sums[s].title);
        for (size_t c = 0; c < m->contenders.n; c++) {
            size_t count = 0;
            for (size_t i = 0; i < m->id_count; i++)
                count += sums[s].is(&m->cells[i * m->contenders.n + c]) != 0;
            table_put(&t, count && sums[s].is == is_failed ? TABLE_BAD : 0, "%zu", count);
        }
    }
    table_end(&t, files, page);
}

/* What the collection holds and this program cannot take yet. */
static void left_out_html(const results *r, text *page)
{
    int any = 0;
    for (size_t f = 0; f < r->file_count; f++) {
        json_t *list =
                   r->files[f].kind == RESULTS_KNOWN ? json_object_get(r->files[f].root, "left_out") : NULL,
               *one;
        size_t i;
        json_array_foreach(list, i, one) {
            const char *reason = json_string_value(json_object_get(one, "reason"));
            number n;
            text_add(page, any ? "; " : "<p class=\"note\">Not supported yet, in number of cases: ");
            text_html(page, reason ? reason : "?");
            text_format(page, " (%s)", number_count(&n, json_number_value(json_object_get(one, "count"))));
            any = 1;
        }
    }
    if (any)
        text_add(page, ".</p>");
}

void tables_known(const results *r, table_files *files, text *page)
{
    matrix m = {0};
    size_t failed = 0;
    if (fill(&m, r)) {
        page->failed = 1;
    } else {
        for (size_t i = 0; i < m.id_count; i++)
            failed += (size_t)anyone_fails(&m, i);
        text_format(page,
                    "<p class=\"lead\">Pairs that some library answered wrongly once, given to every "
                    "contender in every "
                    "precision it has. Of %zu cases %zu %s answered wrongly by some contender here; a cell names "
                    "the queries "
                    "that are wrong.</p>",
                    m.id_count, failed, failed == 1 ? "is" : "are");
        add_summary(&m, files, page);
        if (failed)
            add_cases(&m, 1, files, page);
        if (failed < m.id_count) {
            text_format(page, "<details><summary>%zu case%s that no contender here gets wrong</summary>",
                        m.id_count - failed, m.id_count - failed == 1 ? "" : "s");
            add_cases(&m, 0, files, page);
            text_add(page, "</details>");
        }
        left_out_html(r, page);
    }
    free(m.ids);
    free(m.cells);
}
