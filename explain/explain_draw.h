/* One figure: on the left the Minkowski difference, on the right the shapes. */
#ifndef GJB_REPORTS_EXPLAIN_DRAW_H
#define GJB_REPORTS_EXPLAIN_DRAW_H

#include "draw/text.h"
#include "explain/explain_page.h"
#include "explain/explain_view.h"

/* In the plane a dot for every a - b, if there are no more. */
enum { DIFFERENCES_DRAWN = 100 };

/* Step k as a gnuplot script. */
void explain_draw_step(const explained *e, const stage *s, size_t k, text *script);
/* The answer: its normal and witness points. Only if it has them. */
void explain_draw_answer(const explained *e, const stage *s, text *script);

#endif
