/* Drawings made before the page is written, on all processors: to start gnuplot takes longer than to draw. */
#ifndef GJB_DRAW_PLOT_PRERENDER_H
#define GJB_DRAW_PLOT_PRERENDER_H

#include "draw/plot/plot.h"

typedef struct prerender_drawing {
    const plot *plot;
    text svg;
    int drawn;
} prerender_drawing;

typedef struct prerender {
    prerender_drawing *list;
    size_t count;
} prerender;

/* Notes one to draw; the plot outlives it. 0, or -1 out of memory. */
int prerender_add(prerender *all, const plot *p);
/* Draws them all, or ends at the first failure, which the writer of the page meets again and reports. */
void prerender_draw(prerender *all, const char *gnuplot);
/* The SVG of a plot, or NULL if it is not drawn. */
text *prerender_find(prerender *all, const plot *p);
void prerender_free(prerender *all);

#endif
