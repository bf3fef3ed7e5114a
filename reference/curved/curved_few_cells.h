/* Inside the reference room: the least support of D over all directions, proven by few cells: in caps, or by
 * turn and lean about an axis (curved_turn.h). */
#ifndef REF_CURVED_FEW_CELLS_H
#define REF_CURVED_FEW_CELLS_H

#include "reference/curved/curved.h"

/* As ref_curved_depth, but for its cap: where few cells do not prove depth->highest - width, false, and
 * nothing is proven then (depth->highest and its normal may be better all the same). No lean. */
bool ref_curved_few_cells(const ref_curved *curved, ref_real width, ref_depth *depth);

#endif
