/* What the drawings show, in words: list items computed from the results. */
#ifndef GJB_REPORTS_REMARKS_H
#define GJB_REPORTS_REMARKS_H

#include "draw/text.h"
#include "reports/point_selection.h"

/* How much throughput the largest scene keeps, and how near that is to what memory allows. */
void remarks_throughput(const results *r, const base_point *base, text *page);
/* From how many pairs a call the batch overtakes each contender that takes one pair at a time. */
void remarks_call(const results *r, const base_point *base, text *page);

/* By kind of shape, ours against the fastest other contender that is right. */
void remarks_kinds(const results *r, const base_point *base, text *page);

/* A note on what a child process costs a time, if that was measured. */
void remarks_isolation(const results *r, text *page);

#endif
