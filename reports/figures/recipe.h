/* The figures of a published experiment that was repeated (scenes/published.h): what `gjkbench recipe` measured, over
 * what the publication varies. */
#ifndef GJB_REPORTS_RECIPE_H
#define GJB_REPORTS_RECIPE_H

#include <stdio.h>

#include "core/error.h"

/* Reads results whose context names a recipe and writes `out_dir`/index.html, and each drawing as SVG and CSV in
 * `out_dir`/data and its medians as tables in `out_dir`/tables. GJB_REPORT_DRAWN or GJB_REPORT_UNDRAWN
 * (reports/report.h), or negative with one line in `error`. */
int gjb_recipe_report(const char *json_path, const char *out_dir, gjb_error *error);

/* The same as a table: a line for each query, panel and contender. 0, or -1 with `error`. */
int gjb_recipe_print(const char *json_path, FILE *stream, gjb_error *error);

#endif
