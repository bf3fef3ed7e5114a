/* What the files that build figures share. */
#ifndef GJB_REPORTS_FIGURES_PARTS_H
#define GJB_REPORTS_FIGURES_PARTS_H

#include "reports/figures/figures.h"

enum { HEADING = 96, CLASSES = 7 };
extern const char *const figures_classes[CLASSES]; /* of separation, in their order */

/* Keeps the plot if it shows anything; NULL is want of memory. */
void figures_keep(figure_group *group, plot *p, int secondary);
/* "distance, f32". */
void figures_heading(char heading[HEADING], const char *query, const char *precision);
/* The row is one of the sweep over separation classes. */
int figures_in_classes(const base_point *base, const bench_row *row);

/* One drawing a query and precision: `draw` makes it, and clears `shows` if it would show nothing. */
typedef struct drawing {
    const results *r;
    const base_point *base;
    const char *query, *precision;
} drawing;
typedef plot *(*figure_draw)(const drawing *d, const void *what, int *shows);
void figures_each(const results *r, const base_point *base, figure_group *group, figure_draw draw,
                  const void *what);

/* reports/figures/figures_lanes.c: what the lanes give, and how far answers are off. */
void figures_speedup(const results *r, const base_point *base, figure_group *group);
void figures_errors(const results *r, const base_point *base, figure_group *group);
void figures_lanes(const results *r, const base_point *base, figure_group *group);

/* reports/figures/maps.c: who is the fastest right contender where two things vary. */
void figures_maps(const results *r, const base_point *base, figure_group *group);

/* reports/figures/roofline.c: how near throughput comes to what memory allows. */
void figures_roofline(const results *r, const base_point *base, figure_group *group);

/* reports/figures/timeline.c: times over commits, with what changed them. */
void figures_timeline(const results *r, const base_point *base, figure_group *group);
void remarks_timeline(const results *r, const base_point *base, text *page);

#endif
