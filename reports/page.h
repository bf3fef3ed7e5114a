/* Puts the page together. */
#ifndef GJB_REPORTS_PAGE_H
#define GJB_REPORTS_PAGE_H

#include "reports/figures/drawing.h"

/* What the page shows of one dimension. */
enum { PARTS = 2, PART_GROUPS = 16 };
typedef struct page_part {
    uint32_t dim;
    results r;
    base_point base;
    figure_group groups[PART_GROUPS]; /* end with a NULL id */
} page_part;

/* A section behind its heading: what lies beyond the first screens. Links, printing and searches unfold it. */
void fold_open(const char *id, const char *title, text *page);
void fold_close(text *page);

/* Draws with the pen, which says afterwards what failed. */
void page_write(const results *all, const page_part *parts, size_t part_count, pen *pen, text *page);

#endif
