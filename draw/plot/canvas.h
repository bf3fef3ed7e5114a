/* Figures drawn through gnuplot: panels next to each other, each with its own range, and in
 * them polygons, lines, arrows, dots and labels in the order of the calls. Colours are
 * those of plot.h, so that the page's style sheet has them, light and dark. */
#ifndef GJB_DRAW_PLOT_CANVAS_H
#define GJB_DRAW_PLOT_CANVAS_H

#include "draw/plot/plot.h"

typedef struct canvas {
    int width, height; /* pixels */
    text blocks, commands, plot;
    int next; /* data block */
} canvas;

typedef struct canvas_range {
    double low[2], high[2];
} canvas_range;

enum { CANVAS_DOT = 7, CANVAS_DIAMOND = 13, CANVAS_RING = 6 }; /* gnuplot point types */

/* Zeroes it; release with canvas_free. */
void canvas_open(canvas *c, int width, int height);
void canvas_free(canvas *c);

/* An empty range; points are then taken in. */
canvas_range canvas_nothing(void);
void canvas_take_in(canvas_range *range, const double at[2]);

/* A panel from `left` to `right`, fractions of the width, around `range`, one unit being as long
 * in x as in y. Returns the range that it shows. */
canvas_range canvas_panel(canvas *c, double left, double right, const canvas_range *range, const char *title,
                          int axes);
void canvas_panel_end(canvas *c);

void canvas_fill(canvas *c, const double (*p)[2], size_t n, int colour, double opacity);
/* dash: gnuplot's; 1 is solid, 2 dashed, 3 dotted. */
void canvas_line(canvas *c, const double (*p)[2], size_t n, int closed, int colour, double width, int dash);
/* Separate lines of two ends each: far cheaper than as many calls. */
void canvas_segments(canvas *c, const double (*ends)[2][2], size_t n, int colour, double width, int dash);
void canvas_arrow(canvas *c, const double from[2], const double to[2], int colour, double width);
void canvas_dot(canvas *c, const double at[2], int type, double size, int colour);
/* Next to `at`, on the side to which `away` points. */
void canvas_label(canvas *c, const double at[2], const double away[2], const char *words, int colour);

/* The whole as a gnuplot script. */
void canvas_script(const canvas *c, text *out);

#endif
