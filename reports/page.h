/* Puts the page together. */
#ifndef GJB_REPORTS_PAGE_H
#define GJB_REPORTS_PAGE_H

#include "reports/figures.h"

extern const char *const page_style[]; /* the style sheet in parts, NULL at its end */

/* What the page shows of one dimension. */
enum { PARTS = 2, PART_GROUPS = 16 };
typedef struct page_part {
    uint32_t dim;
    results r;
    base_point base;
    figure_group groups[PART_GROUPS]; /* end with a NULL id */
} page_part;

/* Draws through `gnuplot` (a path, or NULL: none). When a drawing fails, its numbers
 * stand in a table instead and `reason` says why; else `reason` stays "". */
void page_write(const results *all, const page_part *parts, size_t part_count, const char *gnuplot, text *page,
                char *reason, size_t reason_size);

#endif
