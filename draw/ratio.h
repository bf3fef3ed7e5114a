/* A ratio of two times. Whatever shows one on the page goes through here, which marks it in red if it cannot
 * be believed: the mark is next to the number, and not in a note below. */
#ifndef GJB_DRAW_RATIO_H
#define GJB_DRAW_RATIO_H

#include "draw/text.h"

typedef struct ratio {
    double times;           /* NaN: not known */
    double low, high;       /* 95% interval of it; NaN: not known */
    double shared;          /* the larger of both times */
    double unequal, load;   /* of the run; 0: let pass */
} ratio;

typedef enum ratio_form {
    RATIO_TIMES,   /* 3.1× */
    RATIO_FIGURES, /* 3.14, of a column that says what it is */
    RATIO_PERCENT  /* 314% */
} ratio_form;

/* The one of the wider interval, with the larger of every other doubt. */
ratio ratio_wider(ratio a, ratio b);

/* The number alone, for what is not HTML. */
const char *ratio_text(number *n, ratio q, ratio_form form);
/* The number, and its mark. */
void ratio_html(ratio q, ratio_form form, text *page);
/* What its mark says of it: "±12%", "busy", or "". */
const char *ratio_doubt(number *n, ratio q);
/* The mark alone, after a space: nothing if there is no doubt. */
void ratio_mark(ratio q, text *page);

#endif
