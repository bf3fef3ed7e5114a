/* Puts the page together. */
#ifndef GJB_REPORTS_PAGE_H
#define GJB_REPORTS_PAGE_H

#include "reports/figures.h"

extern const char *const page_style[]; /* the style sheet in parts, NULL at its end */

/* Draws through `gnuplot` (a path, or NULL: none). `groups` end with a NULL id. When a drawing fails, its numbers
 * stand in a table instead and `reason` says why; else `reason` stays "". */
void page_write(const results *r, const base_point *base, const figure_group *groups, const char *gnuplot, text *page,
                char *reason, size_t reason_size);

#endif
