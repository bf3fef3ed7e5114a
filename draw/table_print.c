/* Prints a table as CSV, Markdown or LaTeX. */
#include "draw/table.h"

#include <string.h>

/* The cell that begins in a column; NULL for none: a neighbour spans it, or the row is short. */
static const table_cell *cell_at(const table *t, size_t row, size_t column)
{
    const size_t end = row + 1 < t->row_count ? t->rows[row + 1].first : t->cell_count;
    for (size_t c = t->rows[row].first; c < end; c++)
        if (t->cells[c].column == column)
            return &t->cells[c];
    return NULL;
}

static const char *words_of(const table *t, const table_cell *cell)
{
    return cell ? t->words.s + cell->words : "";
}

/* The row that names the columns; the number of rows if there is none. */
static size_t naming_row(const table *t)
{
    size_t found = t->row_count;
    for (size_t r = 0; r < t->row_count; r++)
        if (t->rows[r].part == TABLE_HEAD)
            found = r;
    return found;
}

/* ---- CSV ---- */

void table_csv(const table *t, text *out)
{
    const size_t head = naming_row(t);
    for (size_t r = 0; r < t->row_count; r++) {
        int first = 1;
        if (t->rows[r].part == TABLE_HEAD && r != head)
            continue;
        for (size_t c = 0; c < t->column_count; c++) {
            if (!t->columns[c].kept)
                continue;
            text_add(out, first ? "" : ",");
            text_csv(out, words_of(t, cell_at(t, r, c)));
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
        else if ((unsigned char)*s < 0x20) /* a line of Markdown is a row */
            text_add(out, " ");
        else {
            if (strchr("\\`*_[]|~", *s))
                text_add(out, "\\");
            text_bytes(out, s, 1);
        }
    }
    text_add(out, mark);
}

static void markdown_rule(const table *t, text *out)
{
    text_add(out, "|");
    for (size_t c = 0; c < t->column_count; c++)
        if (t->columns[c].kept)
            text_add(out, t->columns[c].right ? " ---: |" : " --- |");
    text_add(out, "\n");
}

static void markdown_row(const table *t, size_t row, text *out)
{
    text_add(out, "|");
    for (size_t c = 0; c < t->column_count; c++)
        if (t->columns[c].kept) {
            const table_cell *cell = row < t->row_count ? cell_at(t, row, c) : NULL;
            text_add(out, row < t->row_count ? " " : "");
            markdown(out, words_of(t, cell), cell && cell->is & TABLE_BAD);
            text_add(out, " |");
        }
    text_add(out, "\n");
}

void table_markdown(const table *t, text *out)
{
    const size_t head = naming_row(t);
    if (t->title.size) {
        markdown(out, t->title.s, 1);
        text_add(out, "\n\n");
    }
    markdown_row(t, head, out); /* a table of Markdown has a head, be it an empty one */
    markdown_rule(t, out);
    for (size_t r = 0; r < t->row_count; r++)
        if (t->rows[r].part != TABLE_HEAD)
            markdown_row(t, r, out);
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
            text_bytes(out, c < 0x20 ? " " : s, 1); /* an empty line would end a paragraph */
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
static size_t width_of(const table *t, const table_cell *cell)
{
    size_t n = 0;
    for (size_t k = 0; k < cell->span; k++)
        n += (size_t)t->columns[cell->column + k].kept;
    return n;
}

/* After the end of a row a bracket or a star would be read as an argument to it. */
static void latex_cell(const table *t, int head, const table_cell *cell, size_t width, int first, text *out)
{
    const char *words = words_of(t, cell);
    const int strong = cell->is & TABLE_BAD, spans = width > 1 || (head && t->columns[cell->column].right);
    if (spans)
        text_format(out, "\\multicolumn{%zu}{%s}{", width, width == 1 ? "r" : head ? "c" : "l");
    text_add(out, strong ? "\\textbf{" : first && (*words == '[' || *words == '*') ? "{}" : "");
    latex(out, words);
    text_add(out, strong ? "}" : "");
    text_add(out, spans ? "}" : "");
}

static void latex_row(const table *t, size_t row, text *out)
{
    int first = 1;
    for (size_t c = 0; c < t->column_count;) {
        const table_cell *cell = cell_at(t, row, c);
        const size_t width = cell ? width_of(t, cell) : (size_t)t->columns[c].kept;
        if (width) {
            text_add(out, first ? "" : " & ");
            if (cell)
                latex_cell(t, t->rows[row].part == TABLE_HEAD, cell, width, first, out);
            first = 0;
        }
        c += cell ? cell->span : 1;
    }
    text_add(out, " \\\\\n");
}

/* Head, body, or foot. */
static int third_of(table_part part)
{
    return part == TABLE_HEAD ? 0 : part == TABLE_FOOT ? 2 : 1;
}

void table_latex(const table *t, text *out)
{
    text_add(out, "% ");
    latex(out, t->title.size ? t->title.s : "");
    text_add(out, "\n\\begin{tabular}{");
    for (size_t c = 0; c < t->column_count; c++)
        if (t->columns[c].kept)
            text_add(out, t->columns[c].right ? "r" : "l");
    text_add(out, "}\n\\hline\n");
    for (size_t r = 0; r < t->row_count; r++) {
        if (r && third_of(t->rows[r].part) != third_of(t->rows[r - 1].part))
            text_add(out, "\\hline\n");
        latex_row(t, r, out);
    }
    text_add(out, "\\hline\n\\end{tabular}\n");
}
