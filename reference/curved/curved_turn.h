/* Inside the reference room: depths that all but tie around an axis, by few cells of turn and lean. */
#ifndef REF_CURVED_TURN_H
#define REF_CURVED_TURN_H

#include "reference/curved/curved_cap.h"

/* As ref_curved_few_cells, in space, of bodies that are all but round about one axis. False: they are not, or
 * nothing is proven; `highest` and `normal` may be better all the same. */
bool ref_curved_turn(const ref_curved *curved, const ref_rough *rough, ref_real width, ref_depth *depth);

#endif
