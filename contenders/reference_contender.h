/* What the contender `reference` adds to the reference methods, for those who show how it answers. */
#ifndef GJB_CONTENDERS_REFERENCE_CONTENDER_H
#define GJB_CONTENDERS_REFERENCE_CONTENDER_H

#include <gjkbench/adapter.h>

#include "core/types.h"

/* Adds the contacts to `answer`, that of the signed distance of a pair at rest, with `count` 0. Along its normal the
 * exact patch gives the corners, that of a polygon inside each disc. If a shape shows a point, that is the witness. The
 * feature of a contact is the index of its corner, which is another one if a corner comes in: ids of the reference are
 * not steady. */
void gjb_reference_manifold(const gjb_pair *pair, gjb_answer *answer);

#endif
