/* Contacts that are left (gjb_batch.leaving): a pass over times of impact, by signed distances on the way. */
#ifndef GJB_SIMD_LEAVING_H
#define GJB_SIMD_LEAVING_H

#include "simd/library.h"

/* In unit roundoffs times the size of the path (gjb_path_size): a pair is left if gaps along fixed directions prove
 * that its signed distance never falls below minus LEAVING_DEEP, and if it did not hit from more than LEAVING_FAR
 * away. Both are less than the published k, beyond which the answer would be wrong, by what they are computed to. And
 * they exceed a quarter of it, up to which the answer is demanded, by as much as signed distances, and gaps along
 * their normals, may lack. Of curved shapes in space, of which k is twice as large, more. */
#define LEAVING_DEEP 28
#define LEAVING_FAR 26
#define LEAVING_CURVED3 32 /* in addition */

/* `batch` is one of times of impact, and answered. Pairs that hit or overlap, and that leave, become separated; those
 * that turn, of which this is not decided, unsupported. `at_rest` answers batches of signed distances. */
void gjb_leaving_run(const gjb_library *library, const gjb_batch *batch, gjb_few *at_rest);

#endif
