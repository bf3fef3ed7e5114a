/* Contacts that are left (gjb_batch.leaving): a pass over times of impact, by signed distances on the way. */
#ifndef GJB_SIMD_LEAVING_H
#define GJB_SIMD_LEAVING_H

#include "simd/library.h"

/* A pair counts as touching if its signed distance at t = 0 is within so much of 0, in unit roundoffs times the size of the
 * path (gjb_path_size), and as left if the distance never falls below minus that. Of curved shapes in space, of which more
 * is published, more. Between a quarter of the published k, up to which the answer is demanded, and k itself, beyond which
 * it would be wrong, that is so far from either that no rounding of a signed distance reaches them. */
#define LEAVING_TOUCH 20
#define LEAVING_TOUCH_CURVED3 40

/* `batch` is one of times of impact, and answered. Pairs that hit or overlap, and that leave, become separated; those that
 * turn, of which this is not decided, unsupported. `at_rest` answers batches of signed distances. */
void gjb_leaving_run(const gjb_library *library, const gjb_batch *batch, gjb_few *at_rest);

#endif
