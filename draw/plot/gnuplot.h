/* Runs gnuplot, and fits its SVG into the page. */
#ifndef GJB_DRAW_PLOT_GNUPLOT_H
#define GJB_DRAW_PLOT_GNUPLOT_H

#include <stddef.h>

#include "draw/text.h"

/* Path of the program that GJKBENCH_GNUPLOT names, or the first gnuplot on
 * PATH, into `path`. 0, or -1 when there is none. */
int gnuplot_find(char *path, size_t size);

/* Feeds `script` and collects what gnuplot prints into `svg`. No shell and no
 * named file is involved. 0, or -1 with a reason. A gnuplot that has not
 * finished after 30 seconds is ended. */
int gnuplot_run(const char *path, const text *script, text *svg, char *reason, size_t reason_size);

/* The same for any kind of drawing, whose last bytes hold `mark`. */
int gnuplot_print(const char *path, const text *script, const char *mark, text *printed, char *reason, size_t reason_size);

/* draw/plot/gnuplot_files.c: the drawing for papers, dark on white: from what gnuplot_run collected, an SVG that
 * stands alone (-1 when this is not gnuplot's SVG), and from the script that it ran, a PDF. */
int gnuplot_standalone(const text *svg, const char *title, text *out);
int gnuplot_pdf(const char *path, const text *script, text *pdf, char *reason, size_t reason_size);

/* Appends the drawing to `page`: colours as CSS variables, text in the page's
 * own font, an accessible name, the definitions of point marks left to
 * gnuplot_marks. 0, or -1 when this is not gnuplot's SVG. */
int gnuplot_embed(const text *svg, const char *title, text *page);

/* draw/plot/gnuplot_marks.c. The point marks, once a page, before the first drawing. */
void gnuplot_marks(text *page);
/* Appends the drawing with marks that stand together gathered in a group that has their size and colour: half of
 * a drawing's bytes say nothing else. */
void gnuplot_gather_marks(const char *drawing, text *page);

#endif
