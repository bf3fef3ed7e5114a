/* The first lines of the page: run health, and what was learnt in sentences made from numbers. */
#ifndef GJB_REPORTS_OPENING_H
#define GJB_REPORTS_OPENING_H

#include "draw/text.h"
#include "reports/results.h"

/* One line, red if a run was interrupted, or an answer of ours is wrong or missing, or backends disagree. */
void opening_health(const results *all, text *page);
/* What was graded; who is fastest, with our best and our worst case; how far the times can be believed. */
void opening_sentences(const results *all, text *page);

#endif
