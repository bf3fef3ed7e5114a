/* Small shapes in the plane as tutorials have them: vertices with letters, tables of their differences
 * and sums. */
#ifndef GJB_REPORTS_EXPLAIN_LETTERS_H
#define GJB_REPORTS_EXPLAIN_LETTERS_H

#include <stdio.h>

#include "core/types.h"

struct text; /* draw/text.h */

enum { LETTERS_MOST = 8 };

/* Of shape A, then on with shape B; all 0 if there are none. */
typedef struct letters {
    char of[2][LETTERS_MOST + 1]; /* by vertex */
} letters;

/* For pairs in the plane of at least two vertices a shape and at most LETTERS_MOST of both. Where a
 * shape is `reversed` its letters follow the order before that: its first vertex stayed the first. */
letters letters_make(const gjb_pair *pair, const int reversed[2]);
/* Vertex `index` of shape A or B, world axes, relative to A's translation. */
void letters_place(const gjb_pair *pair, int of_b, uint32_t index, double out[2]);
/* The letter of the vertex that lies at a point so given; '\0' if none does. */
char letters_at(const letters *l, const gjb_pair *pair, int of_b, const double at[2]);

/* All a - b and all a + b, one table each, the latter of world coordinates. */
void letters_print(const letters *l, const gjb_pair *pair, FILE *stream);
void letters_html(const letters *l, const gjb_pair *pair, struct text *page);

#endif
