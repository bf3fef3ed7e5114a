/* Between shrinking and its reductions. */
#ifndef GJB_FUZZ_SHRINK_PRIVATE_H
#define GJB_FUZZ_SHRINK_PRIVATE_H

#include "fuzz/shrink.h"

typedef enum gjb_made { GJB_MADE = 0, GJB_NOT_MADE, GJB_NO_MORE } gjb_made;

/* One row a reduction: candidate k of it, from 0 on, made in place of `edit`; GJB_NO_MORE from the last on.
 */
typedef struct gjb_reduction {
    const char *name;
    gjb_made (*make)(gjb_edit *edit, uint32_t k);
} gjb_reduction;
extern const gjb_reduction gjb_reductions[]; /* what takes most away first */
extern const size_t gjb_reduction_count;

#endif
