/* Prints a table as CSV, Markdown or LaTeX. */
#include "reports/sheet.h"

#include <stdio.h>
#include <string.h>

static const char *text_of(const sheet *s, size_t row, size_t column)
{
    const char *words = s->cells[row][column].s;
    return words ? words : "";
}

/* Columns that say something below the head. */
static int is_kept(const sheet *s, size_t column)
{
    for (size_t r = 0; r < s->rows; r++)
        if (s->kinds[r] != SHEET_HEAD && *text_of(s, r, column))
            return 1;
    return 0;
}

/* The row that names the columns; the number of rows where there is none. */
static size_t naming_row(const sheet *s)
{
    size_t found = s->rows;
    for (size_t r = 0; r < s->rows; r++)
        if (s->kinds[r] == SHEET_HEAD)
            found = r;
    return found;
}

/* ---- CSV ---- */

void sheet_csv(const sheet *s, text *out)
{
    const size_t head = naming_row(s);
    for (size_t r = 0; r < s->rows; r++) {
        int first = 1;
        if (s->kinds[r] == SHEET_HEAD && r != head)
            continue;
        for (size_t c = 0; c < s->columns; c++) {
            if (!is_kept(s, c))
                continue;
            text_add(out, first ? "" : ",");
            text_csv(out, text_of(s, r, c));
            first = 0;
        }
        text_add(out, "\r\n");
    }
}

/* ---- Markdown ---- */

static void markdown(text *out, const char *s, int strong)
{
    const char *mark = strong && *s ? "**" : "";
    text_add(out, mark);
    for (; *s; s++) {
        if (*s == '<')
            text_add(out, "&lt;");
        else if (*s == '&')
            text_add(out, "&amp;");
        else {
            if (strchr("\\`*_[]|~", *s))
                text_add(out, "\\");
            text_bytes(out, s, 1);
        }
    }
    text_add(out, mark);
}

static void markdown_cell(const sheet *s, size_t row, size_t column, text *out)
{
    text_add(out, " ");
    markdown(out, text_of(s, row, column), s->cells[row][column].strong);
    text_add(out, " |");
}

static void markdown_rule(const sheet *s, text *out)
{
    text_add(out, "|");
    for (size_t c = 0; c < s->columns; c++)
        if (is_kept(s, c))
            text_add(out, s->right[c] ? " ---: |" : " --- |");
    text_add(out, "\n");
}

static void markdown_row(const sheet *s, size_t row, text *out)
{
    text_add(out, "|");
    for (size_t c = 0; c < s->columns; c++)
        if (is_kept(s, c)) {
            if (row < s->rows)
                markdown_cell(s, row, c, out);
            else
                text_add(out, " |");
        }
    text_add(out, "\n");
}

void sheet_markdown(const sheet *s, text *out)
{
    const size_t head = naming_row(s);
    if (*s->title) {
        markdown(out, s->title, 1);
        text_add(out, "\n\n");
    }
    markdown_row(s, head, out); /* a table of Markdown has a head, be it an empty one */
    markdown_rule(s, out);
    for (size_t r = 0; r < s->rows; r++)
        if (s->kinds[r] != SHEET_HEAD)
            markdown_row(s, r, out);
}

/* ---- LaTeX ---- */

static const struct {
    const char *plain, *latex;
} escapes[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"\"", "''"},
    {"†", "$\\dagger$"},
    {"×", "$\\times$"},
    {"ε", "$\\varepsilon$"},
    {"·", "$\\cdot$"},
    {"–", "--"},
    {"−", "$-$"},
    {"≥", "$\\geq$"},
    {"≤", "$\\leq$"},
    {"’", "'"},
    {"‘", "`"},
    {"“", "``"},
    {"”", "''"},
    {"✓", "yes"},
    {"✗", "no"},
    {"…", "\\ldots{}"},
    {"∞", "$\\infty$"},
    {"±", "$\\pm$"},
    {"°", "$^\\circ$"},
    {"µ", "$\\mu$"},
};

/* Letters of western alphabets are any engine's; what is neither those nor in the table becomes '?'. */
static void latex(text *out, const char *s)
{
    while (*s) {
        size_t i = 0, size = 1;
        while (i < sizeof escapes / sizeof *escapes && strncmp(s, escapes[i].plain, strlen(escapes[i].plain)))
            i++;
        unsigned char c = (unsigned char)*s;
        if (i < sizeof escapes / sizeof *escapes) {
            text_add(out, escapes[i].latex);
            size = strlen(escapes[i].plain);
        } else if (c < 0x80) {
            text_bytes(out, s, 1);
        } else {
            while (((unsigned char)s[size] & 0xC0) == 0x80)
                size++;
            int western = size == 2 && c >= 0xC3 && c <= 0xC5;
            text_bytes(out, western ? s : "?", western ? 2 : 1);
        }
        s += size;
    }
}

/* Columns that a cell covers and that are kept. */
static size_t width_of(const sheet *s, size_t row, size_t column)
{
    size_t n = 0;
    int span = s->cells[row][column].span;
    for (int k = 0; k < (span < 1 ? 1 : span) && column + (size_t)k < s->columns; k++)
        n += (size_t)is_kept(s, column + (size_t)k);
    return n;
}

static void latex_cell(const sheet *s, size_t row, size_t column, size_t width, text *out)
{
    const char *words = text_of(s, row, column);
    const int head = s->kinds[row] == SHEET_HEAD, spans = width > 1 || (head && s->right[column]);
    if (spans)
        text_format(out, "\\multicolumn{%zu}{%s}{", width, width == 1 ? "r" : head ? "c" : "l");
    if (s->cells[row][column].strong)
        text_add(out, "\\textbf{");
    latex(out, words);
    text_add(out, s->cells[row][column].strong ? "}" : "");
    text_add(out, spans ? "}" : "");
}

static void latex_row(const sheet *s, size_t row, text *out)
{
    int first = 1;
    for (size_t c = 0; c < s->columns;) {
        int span = s->cells[row][c].span;
        size_t width = width_of(s, row, c);
        if (width) {
            text_add(out, first ? "" : " & ");
            latex_cell(s, row, c, width, out);
            first = 0;
        }
        c += (size_t)(span < 1 ? 1 : span);
    }
    text_add(out, " \\\\\n");
}

void sheet_latex(const sheet *s, text *out)
{
    text_add(out, "% ");
    latex(out, s->title);
    text_add(out, "\n\\begin{tabular}{");
    for (size_t c = 0; c < s->columns; c++)
        if (is_kept(s, c))
            text_add(out, s->right[c] ? "r" : "l");
    text_add(out, "}\n\\hline\n");
    for (size_t r = 0; r < s->rows; r++) {
        if (r && s->kinds[r] != s->kinds[r - 1])
            text_add(out, "\\hline\n");
        latex_row(s, r, out);
    }
    text_add(out, "\\hline\n\\end{tabular}\n");
}
