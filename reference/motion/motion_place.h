/* Inside the reference room: the place of a pair in motion at a time, and sigma there. */
#ifndef REF_MOTION_PLACE_H
#define REF_MOTION_PLACE_H

#include "reference/motion/motion.h"
#include "reference/motion/placed_oracle.h"

/* Offset exactly; rotations exactly if a body does not turn, else rounded to 128 bits from MPFR's
 * correctly rounded parts. Returns whether all of it is exact. With what is not, no point is farther than
 * 2^-110 S from where it truly is. */
bool ref_motion_place(ref_place *place, const gjb_pair *pair, double t);

#endif
