/* Inside the reference room: depths that all but tie around an axis, from below. */
#ifndef REF_CURVED_AXIS_LOWER_H
#define REF_CURVED_AXIS_LOWER_H

#include "reference/curved/curved.h"

typedef enum ref_around {
    REF_NOT_AROUND,  /* nothing is proven, and the cores are not all but round about an axis of one of them */
    REF_AROUND_OPEN, /* they are, and nothing is said: the support may be less, or `most` corners were not enough */
    REF_AROUND_PROVEN
} ref_around;

/* Is the support of D at least `bar`, above 0, along all unit directions? `most` corners are taken around each axis of the
 * cores, the likeliest first. Within the errors of two support points. In
 * space. Sources are in curved_axis_lower.c. */
ref_around ref_curved_axis_lower(const ref_curved *curved, ref_real bar, uint32_t most);

#endif
