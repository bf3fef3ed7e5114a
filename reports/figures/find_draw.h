/* One pair that was answered wrongly, as an SVG: both shapes, the truth, and what was answered. */
#ifndef GJB_REPORTS_FIND_DRAW_H
#define GJB_REPORTS_FIND_DRAW_H

#include "contenders/harness.h"
#include "core/error.h"
#include "core/types.h"

typedef struct gjb_find_picture {
    const gjb_pair *pair;
    const char *line;                         /* what is wrong, and by how much: below the picture */
    int has_truth;                            /* 1: the three below are known */
    double normal[3], point_a[3], point_b[3]; /* world axes, relative to A's translation */
    const gjb_result *answer;                 /* its normal and points are drawn if it has any */
    int moving;                               /* 1: both are drawn at the end of the step too, paler */
} gjb_find_picture;

/* In space seen along (-1, -2, -1). 0, or -1 with one line in `error`. */
int gjb_find_draw(const gjb_find_picture *picture, const char *path, gjb_error *error);

#endif
