/* Drawings made before the page is written, on all processors: to start gnuplot takes longer than to draw. */
#ifndef GJB_DRAW_PLOT_PRERENDER_H
#define GJB_DRAW_PLOT_PRERENDER_H

#include "draw/plot/plot.h"

typedef struct ahead_drawing {
    const plot *plot;
    text svg;
    int drawn;
} ahead_drawing;

typedef struct ahead {
    ahead_drawing *list;
    size_t count;
} ahead;

/* Notes one to draw; the plot outlives it. 0, or -1 out of memory. */
int ahead_add(ahead *all, const plot *p);
/* Draws them all, or ends at the first failure, which the writer of the page meets again and reports. */
void ahead_draw(ahead *all, const char *gnuplot);
/* The SVG of a plot, or NULL if it is not drawn. */
text *ahead_find(ahead *all, const plot *p);
void ahead_free(ahead *all);

#endif
