/* Tables of the page once more, for papers and notes: a table that names a file, <table data-file="NAME">, becomes
 * NAME.csv, NAME.md and NAME.tex. What the page shows is what they say. */
#ifndef GJB_REPORTS_SHEET_H
#define GJB_REPORTS_SHEET_H

#include "core/error.h"
#include "draw/text.h"

enum { SHEET_COLUMNS = 96 };

typedef struct sheet_cell {
    char *s;    /* plain UTF-8, or NULL: taken by a neighbour that spans it */
    int span;   /* columns from here on */
    int strong; /* marked as bad */
} sheet_cell;

typedef enum sheet_kind { SHEET_HEAD, SHEET_BODY, SHEET_FOOT } sheet_kind;

typedef struct sheet {
    char name[128], title[256];
    size_t rows, columns, capacity;
    sheet_cell (*cells)[SHEET_COLUMNS]; /* by row */
    sheet_kind *kinds;
    int right[SHEET_COLUMNS]; /* holds quantities */
    /* Of class "compact": its cells have no class, its head says which columns hold quantities, and rows of class
     * "file" are in its files alone. */
    int compact;
    int failed; /* out of memory, or too wide */
} sheet;

/* The table that starts at `html`, at its "<table". */
void sheet_read(sheet *s, const char *html);
void sheet_free(sheet *s);

/* reports/sheet_print.c. Columns without any text in the body are left out. Where rows of a head span columns, the
 * last row of it names them; LaTeX keeps all of them. The LaTeX is a tabular that needs no package. */
void sheet_csv(const sheet *s, text *out);
void sheet_markdown(const sheet *s, text *out);
void sheet_latex(const sheet *s, text *out);

/* Copies the page with a line of links after every such table, and writes the files into `folder`. 0, or -1 with one
 * line in `error`. */
int sheets_write(const text *page, const char *folder, text *linked, gjb_error *error);

#endif
