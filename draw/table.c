/* Builds a table, prints it as HTML, and writes its files. */
#include "draw/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw/save_text.h"

/* Room for one more: lists are as long as a power of two. NULL out of memory, and the list is as it was. */
static void *roomier(void *list, size_t n, size_t size)
{
    return n & (n - 1) ? list : realloc(list, (n ? 2 * n : 1) * size);
}

void table_row_begin(table *t, table_part part)
{
    table_row *rows = roomier(t->rows, t->row_count, sizeof *rows);
    if (!rows) {
        t->html.failed = 1;
        return;
    }
    t->rows = rows;
    rows[t->row_count++] = (table_row){part, t->cell_count};
}

static int add_columns(table *t, size_t count)
{
    while (t->column_count < count) {
        table_column *columns = roomier(t->columns, t->column_count, sizeof *columns);
        if (!columns)
            return -1;
        t->columns = columns;
        columns[t->column_count++] = (table_column){0};
    }
    return 0;
}

static int is_title(table_part part, int is)
{
    return part == TABLE_HEAD || part == TABLE_GROUP || is & TABLE_TITLE;
}

static void add_class(table *t, int is, table_part part, const char *class)
{
    const char *words[] = {is & TABLE_NUMBER && (part == TABLE_HEAD || !t->compact) ? "n" : NULL,
                           is & TABLE_TILE ? "tile" : NULL, class, is & TABLE_BAD ? "bad" : NULL,
                           is & TABLE_QUIET ? "quiet" : NULL};
    int any = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i])
            text_format(&t->html, "%s%s", any++ ? " " : " class=\"", words[i]);
    text_add(&t->html, any ? "\"" : "");
}

static void add_tag(table *t, table_part part, const table_cell *cell, const char *class)
{
    text_add(&t->html, is_title(part, cell->is) ? "<th" : "<td");
    if (cell->is & TABLE_TITLE && (part == TABLE_HEAD || !t->compact))
        text_format(&t->html, " scope=\"%s\"", part == TABLE_HEAD ? "col" : part == TABLE_GROUP ? "rowgroup" : "row");
    if (cell->span > 1)
        text_format(&t->html, " colspan=\"%zu\"", cell->span);
    add_class(t, cell->is, part, class);
    t->open = 1;
}

static void shut(table *t)
{
    text_add(&t->html, t->open ? ">" : "");
    t->open = 0;
}

void table_cell_begin(table *t, int is, size_t span, const char *class)
{
    table_cell *cells = roomier(t->cells, t->cell_count, sizeof *cells);
    if (!cells || !t->row_count || t->html.failed) {
        t->cells = cells ? cells : t->cells;
        t->html.failed = 1;
        return;
    }
    const table_row *row = &t->rows[t->row_count - 1];
    const table_cell *before = t->cell_count > row->first ? &cells[t->cell_count - 1] : NULL;
    t->cells = cells;
    shut(t);
    text_bytes(&t->html, "", 1);
    text_bytes(&t->words, "", 1);
    table_cell *cell = &cells[t->cell_count++];
    *cell = (table_cell){t->html.size, t->words.size, before ? before->column + before->span : 0, span, is};
    if (add_columns(t, cell->column + span))
        t->html.failed = 1;
    else if (span == 1 && is & (TABLE_NUMBER | TABLE_TILE))
        t->columns[cell->column].right = 1;
    add_tag(t, row->part, cell, class);
}

void table_attribute(table *t, const char *name, const char *format, ...)
{
    text value = {0};
    va_list list;
    va_start(list, format);
    text_list(&value, format, list);
    va_end(list);
    text_format(&t->html, " %s=\"", name);
    text_html(&t->html, value.s ? value.s : "");
    text_add(&t->html, "\"");
    t->html.failed |= value.failed;
    text_free(&value);
}

static void add_words(table *t, const char *words)
{
    text_add(&t->words, words);
    if (*words && t->cell_count && t->rows[t->row_count - 1].part != TABLE_HEAD && !t->html.failed)
        t->columns[t->cells[t->cell_count - 1].column].kept = 1;
}

static void say(table *t, const char *format, va_list list)
{
    text words = {0};
    text_list(&words, format, list);
    shut(t);
    text_html(&t->html, words.s ? words.s : "");
    add_words(t, words.s ? words.s : "");
    t->html.failed |= words.failed;
    text_free(&words);
}

void table_say(table *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(t, format, list);
    va_end(list);
}

void table_put(table *t, int is, const char *format, ...)
{
    va_list list;
    table_cell_begin(t, is, 1, NULL);
    va_start(list, format);
    say(t, format, list);
    va_end(list);
}

void table_mark(table *t, const char *html, const char *words)
{
    shut(t);
    text_add(&t->html, html);
    add_words(t, words);
}

void table_doubt(table *t, ratio q)
{
    number doubt;
    shut(t);
    ratio_mark(q, &t->html);
    if (*ratio_doubt(&doubt, q)) {
        add_words(t, " ");
        add_words(t, doubt.s);
    }
}

void table_ratio(table *t, ratio q, ratio_form form)
{
    number n;
    table_say(t, "%s", ratio_text(&n, q, form));
    if (q.times == q.times)
        table_doubt(t, q);
}

/* ---- HTML ---- */

static const char *group_of(table_part part)
{
    return part == TABLE_HEAD ? "thead" : part == TABLE_FOOT ? "tfoot" : "tbody";
}

static void html_row(const table *t, size_t r, text *out)
{
    const table_row *row = &t->rows[r];
    const size_t end = r + 1 < t->row_count ? t->rows[r + 1].first : t->cell_count;
    text_add(out, row->part == TABLE_BEST ? "<tr class=\"best\">"
                  : row->part == TABLE_GROUP ? "<tr class=\"rank\">" : "<tr>");
    for (size_t c = row->first; c < end; c++) {
        text_add(out, t->html.s + t->cells[c].html);
        if (c + 1 == t->cell_count && t->open)
            text_add(out, ">");
        if (!t->compact)
            text_add(out, is_title(row->part, t->cells[c].is) ? "</th>" : "</td>");
    }
    text_add(out, t->compact ? "" : "</tr>");
}

void table_html(const table *t, text *out)
{
    const char *open = NULL;
    text_add(out, "<div class=\"scroll\"><table");
    if (t->class)
        text_format(out, " class=\"%s\"", t->class);
    if (t->file.size) {
        text_format(out, " data-file=\"%s\" data-title=\"", t->file.s);
        text_html(out, t->title.size ? t->title.s : "");
        text_add(out, "\"");
    }
    if (t->width)
        text_format(out, " style=\"width:%dpx\"", t->width);
    text_add(out, ">");
    text_add(out, t->above.size ? t->above.s : "");
    for (size_t r = 0; r < t->row_count; r++) {
        const char *group = group_of(t->rows[r].part);
        if (t->rows[r].part == TABLE_UNSEEN)
            continue;
        if (group != open || t->rows[r].part == TABLE_GROUP) {
            if (open)
                text_format(out, "</%s>", open);
            text_format(out, "<%s>", group);
        }
        open = group;
        html_row(t, r, out);
    }
    if (open)
        text_format(out, "</%s>", open);
    text_add(out, "</table></div>");
}

/* ---- files ---- */

static const struct {
    const char *ending, *title;
    void (*print)(const table *t, text *out);
} forms[] = {{"csv", "CSV", table_csv}, {"md", "Markdown", table_markdown}, {"tex", "LaTeX", table_latex}};
enum { FORMS = sizeof forms / sizeof *forms };

static void save_form(const table *t, size_t form, table_files *files)
{
    text out = {0};
    char name[160];
    snprintf(name, sizeof name, "%s.%s", t->file.s, forms[form].ending);
    forms[form].print(t, &out);
    if (out.failed)
        files->failed = gjb_fail(&files->error, "report: out of memory");
    else
        files->failed = save_text(files->folder, name, &out, &files->error);
    text_free(&out);
}

static void add_links(const table *t, text *page)
{
    text_add(page, "<p class=\"files\">This table as");
    for (size_t f = 0; f < FORMS; f++)
        text_format(page, " <a href=\"tables/%s.%s\" aria-label=\"%s as %s\">%s</a>", t->file.s, forms[f].ending,
                    t->file.s, forms[f].title, forms[f].title);
    text_add(page, "</p>");
}

static void show(const table *t, table_files *files, text *page)
{
    if (t->html.failed || t->words.failed || t->file.failed || t->title.failed || t->above.failed) {
        page->failed = 1;
        return;
    }
    table_html(t, page);
    if (!t->file.size)
        return;
    add_links(t, page);
    if (!files->failed && !files->made++)
        files->failed = save_folder(files->folder, &files->error);
    for (size_t f = 0; f < FORMS && !files->failed; f++)
        save_form(t, f, files);
}

void table_end(table *t, table_files *files, text *page)
{
    text *const texts[] = {&t->file, &t->title, &t->above, &t->html, &t->words};
    if (page)
        show(t, files, page);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_free(texts[i]);
    free(t->rows);
    free(t->cells);
    free(t->columns);
    *t = (table){0};
}
