/* What the drawings show, in words: list items computed from the results. */
#ifndef GJB_REPORTS_FACTS_H
#define GJB_REPORTS_FACTS_H

#include "reports/points.h"
#include "draw/text.h"

/* How much throughput the largest scene keeps, and how near that is to what memory allows. */
void facts_throughput(const results *r, const base_point *base, text *page);
/* From how many pairs a call the batch overtakes each contender that takes one pair at a time. */
void facts_call(const results *r, const base_point *base, text *page);

/* By kind of shape, ours against the fastest other contender that is right. */
void facts_kinds(const results *r, const base_point *base, text *page);

/* What a child process may cost a time before ratios are no longer believed. */
#define FACTS_MOST_COST 0.03
/* What is left between two contenders of the same code where they are timed, of a row of "isolation_cost", as a ratio:
 * between two children, or, in results of old, what a child cost others and not ours. */
double facts_uneven(const json_t *row);
/* The largest of a run by its size, less 1; NaN if it was not measured. */
double facts_worst_uneven(const results *r);
/* A red mark with that size, next to a ratio that it touches; nothing within FACTS_MOST_COST. */
void facts_mark_uneven(const results *r, text *page);

/* A note on what a child process costs a time, where that was measured. */
void facts_isolation(const results *r, text *page);

#endif
