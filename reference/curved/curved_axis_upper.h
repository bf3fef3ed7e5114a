/* Inside the reference room: depths that all but tie around an axis, from above. */
#ifndef REF_CURVED_AXIS_UPPER_H
#define REF_CURVED_AXIS_UPPER_H

#include "reference/curved/curved.h"

/* Axis 0, 1 or 2 of a core, unit, in the frame: of a curved kind that local axis, if it is about as wide all around it; of one
 * with vertices the first alone, its longest way. False if there is none such, and then `axis` is any. */
bool ref_curved_axis(const ref_solid *solid, int which, ref_real axis[3]);

/* Lowers depth->highest, and turns its normal to where that is, by what is found around those axes of both bodies, about
 * as far from each as the normal is. In space. */
void ref_curved_axis_upper(const ref_curved *curved, ref_depth *depth);

#endif
