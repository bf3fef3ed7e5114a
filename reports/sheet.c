/* Reads the page's own HTML tables back, and links each to files of its data. */
#include "reports/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/save.h"

/* ---- our own HTML, read back ---- */

static const struct {
    const char *entity, *means;
} entities[] = {
    {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"},
};

/* One character, or entity, of text. Returns where the next one begins. */
static const char *add_character(text *out, const char *s)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (!strncmp(s, entities[i].entity, strlen(entities[i].entity))) {
            text_add(out, entities[i].means);
            return s + strlen(entities[i].entity);
        }
    if (*s == ' ' || *s == '\n' || *s == '\t') {
        if (out->size && out->s[out->size - 1] != ' ')
            text_add(out, " ");
    } else {
        text_bytes(out, s, 1);
    }
    return s + 1;
}

static int is_tag(const char *s, const char *name)
{
    size_t size = strlen(name);
    return *s == '<' && !strncmp(s + 1, name, size) && strchr(" >/", s[1 + size]) && s[1 + size];
}

/* The value of an attribute of the tag at `s` into `value`; "" where it has none. */
static void attribute(const char *s, const char *key, char *value, size_t size)
{
    const char *end = strchr(s, '>');
    char wanted[40];
    text decoded = {0};
    snprintf(wanted, sizeof wanted, " %s=\"", key);
    *value = '\0';
    const char *at = strstr(s, wanted);
    if (!end || !at || at > end)
        return;
    for (at += strlen(wanted); *at && *at != '"';)
        at = add_character(&decoded, at);
    snprintf(value, size, "%s", decoded.s ? decoded.s : "");
    text_free(&decoded);
}

static int has_class(const char *s, const char *class)
{
    char all[96], *rest = all, *word;
    attribute(s, "class", all, sizeof all);
    while ((word = strsep(&rest, " ")))
        if (!strcmp(word, class))
            return 1;
    return 0;
}

/* The text between here and the tag that closes `closing`; a drawing counts as what it is called. */
static const char *content(const char *s, const char *closing, text *out)
{
    while (*s && strncmp(s, closing, strlen(closing))) {
        if (*s != '<') {
            s = add_character(out, s);
            continue;
        }
        if (is_tag(s, "svg")) {
            char name[128];
            const char *end = strstr(s, "</svg>");
            attribute(s, "aria-label", name, sizeof name);
            text_add(out, name);
            s = end ? end : s;
        } else if (is_tag(s, "sup")) {
            text_add(out, "^");
        } else if (is_tag(s, "br") || is_tag(s, "small") || is_tag(s, "b") || is_tag(s, "span")) {
            add_character(out, " ");
        }
        const char *end = strchr(s, '>');
        s = end ? end + 1 : s + strlen(s);
    }
    while (out->size && out->s[out->size - 1] == ' ')
        out->s[--out->size] = '\0';
    return s;
}

/* ---- rows and cells ---- */

static int add_row(sheet *s, sheet_kind kind)
{
    if (s->rows == s->capacity) {
        size_t more = s->capacity ? 2 * s->capacity : 32;
        void *cells = realloc(s->cells, more * sizeof *s->cells);
        if (cells)
            s->cells = cells;
        void *kinds = realloc(s->kinds, more * sizeof *s->kinds);
        if (kinds)
            s->kinds = kinds;
        if (!cells || !kinds)
            return s->failed = 1;
        s->capacity = more;
    }
    memset(s->cells[s->rows], 0, sizeof *s->cells);
    s->kinds[s->rows++] = kind;
    return 0;
}

static int span_of(const char *tag, const char *key)
{
    char value[16];
    attribute(tag, key, value, sizeof value);
    int span = atoi(value);
    return span < 1 ? 1 : span;
}

/* `open` holds what cells of earlier rows reach down to: columns are skipped, and the last such row names them. */
typedef struct reach {
    int rows[SHEET_COLUMNS];
    char *names[SHEET_COLUMNS];
} reach;

static const char *add_cell(sheet *s, const char *tag, size_t *column, reach *open)
{
    sheet_cell *row = s->cells[s->rows - 1];
    text words = {0};
    while (*column < SHEET_COLUMNS && open->rows[*column] > 0) {
        row[*column] = (sheet_cell){strdup(open->names[*column]), 1, 0};
        open->rows[(*column)++]--;
    }
    const int span = span_of(tag, "colspan"), down = span_of(tag, "rowspan");
    const char *start = strchr(tag, '>');
    const char *end =
        content(start ? start + 1 : tag + strlen(tag), is_tag(tag, "th") ? "</th>" : "</td>", &words);
    if (*column + (size_t)span > SHEET_COLUMNS || words.failed) {
        s->failed = 1;
        text_free(&words);
        return end;
    }
    row[*column] = (sheet_cell){words.s ? words.s : calloc(1, 1), span, has_class(tag, "bad")};
    s->failed |= !row[*column].s;
    const sheet_kind kind = s->kinds[s->rows - 1];
    if ((kind == SHEET_BODY && (has_class(tag, "n") || has_class(tag, "tile"))) ||
        (kind == SHEET_HEAD && s->compact && has_class(tag, "n")))
        s->right[*column] = 1;
    if (down > 1 && !s->failed) { /* named in the last row that it reaches, and empty before */
        open->rows[*column] = down - 1;
        free(open->names[*column]);
        open->names[*column] = row[*column].s;
        row[*column].s = calloc(1, 1);
    }
    *column += (size_t)span;
    s->columns = *column > s->columns ? *column : s->columns;
    return end;
}

void sheet_read(sheet *s, const char *html)
{
    sheet_kind kind = SHEET_BODY;
    reach open = {0};
    size_t column = 0;
    const char *end = strstr(html, "</table>");
    *s = (sheet){0};
    attribute(html, "data-file", s->name, sizeof s->name);
    attribute(html, "data-title", s->title, sizeof s->title);
    s->compact = has_class(html, "compact");
    while (end && html < end && !s->failed) {
        if (is_tag(html, "caption") && !*s->title) {
            text title = {0};
            html = content(strchr(html, '>') + 1, "</caption>", &title);
            snprintf(s->title, sizeof s->title, "%s", title.s ? title.s : "");
            text_free(&title);
        } else if (is_tag(html, "thead") || is_tag(html, "tbody") || is_tag(html, "tfoot")) {
            kind = html[2] == 'h' ? SHEET_HEAD : html[2] == 'b' ? SHEET_BODY : SHEET_FOOT;
        } else if (is_tag(html, "tr")) {
            column = 0;
            add_row(s, kind);
        } else if ((is_tag(html, "th") || is_tag(html, "td")) && s->rows) {
            html = add_cell(s, html, &column, &open);
        }
        html++;
    }
    for (size_t c = 0; c < SHEET_COLUMNS; c++)
        free(open.names[c]);
}

void sheet_free(sheet *s)
{
    for (size_t r = 0; r < s->rows; r++)
        for (size_t c = 0; c < SHEET_COLUMNS; c++)
            free(s->cells[r][c].s);
    free(s->cells);
    free(s->kinds);
    *s = (sheet){0};
}

/* ---- the files of a page ---- */

static const struct {
    const char *ending, *title;
    void (*print)(const sheet *s, text *out);
} forms[] = {{"csv", "CSV", sheet_csv}, {"md", "Markdown", sheet_markdown}, {"tex", "LaTeX", sheet_latex}};
enum { FORMS = sizeof forms / sizeof *forms };

static int save_forms(const sheet *s, const char *folder, gjb_error *error)
{
    for (size_t f = 0; f < FORMS; f++) {
        text out = {0};
        char name[144];
        snprintf(name, sizeof name, "%s.%s", s->name, forms[f].ending);
        forms[f].print(s, &out);
        int failed =
            out.failed ? gjb_fail(error, "report: out of memory") : save_text(folder, name, &out, error);
        text_free(&out);
        if (failed)
            return -1;
    }
    return 0;
}

static void add_links(const sheet *s, text *page)
{
    text_add(page, "<p class=\"files\">This table as");
    for (size_t f = 0; f < FORMS; f++)
        text_format(page, " <a href=\"tables/%s.%s\" aria-label=\"%s as %s\">%s</a>", s->name,
                    forms[f].ending, s->name, forms[f].title, forms[f].title);
    text_add(page, "</p>");
}

/* Copies a table without rows that are for its files, and without the end tags that HTML lets out: thousands of rows
 * of them outweigh what they hold. */
static void copy_compact(const char *s, const char *end, text *page)
{
    static const char *const ends[] = {"</td>", "</th>", "</tr>"};
    static const char row[] = "<tr class=\"file\">", row_end[] = "</tr>";
    const char *from = s;
    while (s < end) {
        size_t size = 0;
        for (size_t i = 0; *s == '<' && i < sizeof ends / sizeof *ends && !size; i++)
            size = strncmp(s, ends[i], strlen(ends[i])) ? 0 : strlen(ends[i]);
        if (*s == '<' && !strncmp(s, row, sizeof row - 1)) {
            const char *after = strstr(s, row_end);
            size = after && after < end ? (size_t)(after - s) + sizeof row_end - 1 : 0;
        }
        if (size) {
            text_bytes(page, from, (size_t)(s - from));
            from = s + size;
        }
        s += size ? size : 1;
    }
    text_bytes(page, from, (size_t)(end - from));
}

int sheets_write(const text *page, const char *folder, text *linked, gjb_error *error)
{
    static const char opening[] = "<table", closing[] = "</table></div>";
    const char *from = page->s ? page->s : "", *at = from;
    int failed = 0, made = 0;
    while (!failed && (at = strstr(at, opening))) {
        sheet s;
        sheet_read(&s, at);
        const char *end = strstr(at, closing);
        at += sizeof opening - 1;
        /* A table too wide for a sheet stays on the page alone. */
        if (*s.name && end && !s.failed && s.rows) {
            end += sizeof closing - 1;
            const char *table = at - (sizeof opening - 1);
            text_bytes(linked, from, (size_t)(table - from));
            if (s.compact)
                copy_compact(table, end, linked);
            else
                text_bytes(linked, table, (size_t)(end - table));
            failed = (!made++ && save_folder(folder, error)) || save_forms(&s, folder, error);
            add_links(&s, linked);
            from = at = end;
        }
        sheet_free(&s);
    }
    text_add(linked, from);
    return failed ? -1 : 0;
}
