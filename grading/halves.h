/* The exact signed distance of shapes whose corners are small multiples of a half, in integers alone. It shares nothing
 * with the bounds, with `reference` or with any kernel. */
#ifndef GJB_GRADING_HALVES_H
#define GJB_GRADING_HALVES_H

#include "core/types.h"

enum { GJB_HALVES_CORNERS = 4, GJB_HALVES_MOST = 16 };

/* sigma squared is over / under, of which under > 0; its sign is -1, 0 or 1. In the units of the pair. */
typedef struct gjb_squared {
    int64_t over, under;
    int sign;
} gjb_squared;

/* 0, or -1 if the pair is not of this form: at most GJB_HALVES_CORNERS vertices a shape, radii 0, poses unturned, every
 * world coordinate a multiple of a half and at most GJB_HALVES_MOST / 2. */
int gjb_halves_sigma(const gjb_pair *pair, gjb_squared *sigma);
/* Doubles around the root, at most four units in the last place apart; equal for 0. */
void gjb_squared_root(const gjb_squared *sigma, double *lo, double *hi);

#endif
