/* A table: built once, and printed as HTML on the page and as CSV, Markdown and LaTeX in files next to it. */
#ifndef GJB_DRAW_TABLE_H
#define GJB_DRAW_TABLE_H

#include "core/error.h"
#include "draw/ratio.h"

/* Of a row. The body has rows of the best, titles that open a group of rows, and rows that are in the files alone. */
typedef enum table_part { TABLE_HEAD, TABLE_BODY, TABLE_BEST, TABLE_GROUP, TABLE_UNSEEN, TABLE_FOOT } table_part;

/* What a cell is: the title of its row or column, a quantity (a small one of a colour), bad news, or no news. */
enum { TABLE_TITLE = 1, TABLE_NUMBER = 2, TABLE_TILE = 4, TABLE_BAD = 8, TABLE_QUIET = 16 };

typedef struct table_row {
    table_part part;
    size_t first; /* of its cells */
} table_row;

typedef struct table_cell {
    size_t html, words; /* where its own begin */
    size_t column, span;
    int is;
} table_cell;

typedef struct table_column {
    int right, kept; /* holds quantities; says something below the head */
} table_column;

/* Zero it, name its file if it shall have one, and add rows; table_end prints and frees it. */
typedef struct table {
    const char *class; /* of the page's style, or NULL */
    int compact;       /* thousands of rows: on the page without end tags, and its head says which are quantities */
    int width;         /* in pixels; 0: as wide as it needs */
    text file, title;  /* "points", for points.csv; what it is about, in plain words */
    text above;        /* HTML before the first row: caption, widths */
    text html, words;  /* of all cells: with their start tags, and plain, each ended by a NUL */
    table_row *rows;
    table_cell *cells;
    table_column *columns;
    size_t row_count, cell_count, column_count;
    int open; /* the start tag of the last cell */
} table;

void table_row_begin(table *t, table_part part);
/* Begins a cell of the last row; `class` is more of its style, or NULL. */
void table_cell_begin(table *t, int is, size_t span, const char *class);
/* Of the cell that was begun last and holds nothing yet. */
void table_attribute(table *t, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Adds words to it, plain text. */
void table_say(table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds HTML to it, and the words that stand for that elsewhere. */
void table_mark(table *t, const char *html, const char *words);
/* The mark of a ratio that cannot be believed; and the ratio with its mark. */
void table_doubt(table *t, ratio q);
void table_ratio(table *t, ratio q, ratio_form form);
/* A whole cell of one column. */
void table_put(table *t, int is, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The table as such. CSV and Markdown leave out columns without any words below the head, and the last row of the
 * head names the others; LaTeX, a tabular that needs no package, keeps all rows of the head. */
void table_html(const table *t, text *out);
void table_csv(const table *t, text *out);
void table_markdown(const table *t, text *out);
void table_latex(const table *t, text *out);

/* Where the files of tables go. */
typedef struct table_files {
    const char *folder; /* made for the first of them */
    int made, failed;   /* `error` says why */
    gjb_error error;
} table_files;

/* Adds the table to the page; one that names a file is written to it, in all forms, and followed by links.
 * Frees; without a page it does nothing else. */
void table_end(table *t, table_files *files, text *page);

#endif
