/* Which rows make which drawing. */
#ifndef GJB_REPORTS_FIGURES_H
#define GJB_REPORTS_FIGURES_H

#include "draw/plot/plot.h"
#include "reports/point_selection.h"

enum { GROUP_PLOTS = 24 };

/* The drawings of one section, one to three a query. */
typedef struct figure_group {
    const char *id, *title;
    const char *lead;   /* what to look at, one or two sentences */
    const char *absent; /* why there may be none, and how to get them */
    void (*build)(const results *r, const base_point *base, struct figure_group *group);
    /* Appends list items that say in words what the drawings show; may be NULL. */
    void (*remarks)(const results *r, const base_point *base, text *page);
    void (*caption)(plot *p); /* says what each drawing shows */
    int timed; /* of times of contenders, that readers hold against each other */
    size_t n;
    plot *plots[GROUP_PLOTS];
    int secondary[GROUP_PLOTS]; /* another precision than the base point's: folded away */
    int failed;                 /* memory ran out */
} figure_group;

extern const figure_group figure_groups[]; /* templates to copy; ends with a NULL id */

void figures_build(figure_group *group, const results *r, const base_point *base);
void figures_free(figure_group *group);

#endif
