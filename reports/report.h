/* The page to look at: result files in, index.html and data/NAME.csv out. */
#ifndef GJB_REPORTS_REPORT_H
#define GJB_REPORTS_REPORT_H

#include <stddef.h>

#include "core/error.h"

enum {
    GJB_REPORT_DRAWN = 0,
    GJB_REPORT_UNDRAWN = 1 /* the page is written, but gnuplot is missing or failed: tables, no drawings */
};

/* Reads verify, bench and replay results (JSON, told apart by content, "-" is
 * standard input) and writes `out_dir`/index.html, self-contained, with the numbers of
 * every drawing in `out_dir`/data, every drawing as SVG in `out_dir`/figures, and the tables as Markdown and LaTeX
 * in `out_dir`/tables. Folders are made as needed. gnuplot is the
 * program that GJKBENCH_GNUPLOT names, or else the first on PATH.
 * Returns one of the codes above; for GJB_REPORT_UNDRAWN one line in `error`
 * says why and how to draw later. Negative with one line in `error`, naming
 * file, field and value, for a bad file or an unwritable folder; then no page
 * is written, and an older one stays as it was. */
int gjb_report_write(const char *const *files, size_t n, const char *out_dir, gjb_error *error);

/* As gjb_report_write, and next to it the same as PDF: `out_dir`/report.pdf, printed by a browser, and every drawing
 * by gnuplot. The browser is the program that GJKBENCH_BROWSER names, or else the first chromium,
 * chromium-browser, google-chrome or chrome on PATH. Without one GJB_REPORT_UNDRAWN, with one line in `error`. */
int gjb_report_print(const char *const *files, size_t n, const char *out_dir, gjb_error *error);

#endif
