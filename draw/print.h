/* The page on paper. */
#ifndef GJB_DRAW_PRINT_H
#define GJB_DRAW_PRINT_H

#include "core/error.h"

/* A browser that prints, into `path`: the program that GJKBENCH_BROWSER names, or the first of Chromium's names on
 * PATH. 0, or -1. */
int print_browser(char *path, size_t size);

/* Prints `out_dir`/index.html to `out_dir`/report.pdf. 0, or -1 with one line in `error`; then an older one stays as
 * it was. A browser that has not finished after two minutes is ended. */
int print_page(const char *browser, const char *out_dir, gjb_error *error);

#endif
