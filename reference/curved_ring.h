/* Inside the reference room: depths that all but tie around an axis. */
#ifndef REF_CURVED_RING_H
#define REF_CURVED_RING_H

#include "reference/curved.h"

/* Lowers depth->highest, and turns its normal to where that is, by what is found around the axes of both bodies, those
 * of curved kinds about which they are about as wide all around, and the longest way of those with vertices, about as far from each as the normal is. In space. */
void ref_curved_rings(const ref_curved *curved, ref_depth *depth);

#endif
