/* Whether contacts of polygons in the plane are right, by docs/manifolds.md, in long double: slow, and exact enough to
 * be held to T. */
#ifndef GJB_SIMD_TESTS_PATCH2_H
#define GJB_SIMD_TESTS_PATCH2_H

#include "core/types.h"

/* A record of either precision. */
typedef struct patch2 {
    gjb_status status;
    uint32_t count;
    double normal[2];
    gjb_contact2d contact[GJB_CONTACTS_2D];
} patch2;

patch2 patch2_read(const void *record, gjb_precision precision);

/* NULL, or what is wrong with the contacts of a pair without curves whose signed distance is sigma. `unit` is the
 * precision's unit roundoff. */
const char *patch2_fault(const gjb_pair *pair, double sigma, const patch2 *got, double unit);

/* NULL, or what every record has to hold, and this one does not: unused bytes 0, no -0, ids different and not 0. */
const char *patch2_untidy(const void *record, gjb_precision precision);

#endif
