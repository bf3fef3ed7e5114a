/* A drawing within the page, and next to it as files for papers. */
#ifndef GJB_REPORTS_DRAWING_H
#define GJB_REPORTS_DRAWING_H

#include "core/error.h"
#include "draw/plot/prerender.h"
#include "draw/table.h"
#include "reports/figures/figures.h"

typedef struct pen {
    const char *
        gnuplot; /* a path, or NULL: none; becomes NULL when it failed, which is told once and not waited for again */
    prerender *prerender; /* drawn by then, or NULL */
    const char *folder; /* where DRAWING.svg goes, or NULL: nowhere */
    int pdf;            /* and DRAWING.pdf */
    char reason[256];   /* why there is no drawing, or "" */
    int unsaved;        /* a file could not be written: `error` says which */
    gjb_error error;
    table_files tables; /* of the page */
} pen;

/* With what it shows in words and links to its files. Where it cannot be drawn its numbers stand in a table. */
void drawing_figure(pen *pen, const figure_group *group, const plot *p, text *page);

#endif
