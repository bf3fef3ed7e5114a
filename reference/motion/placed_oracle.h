/* Inside the reference room: the exact oracles on a pair that lies where `place` says. The plane's takes
 * nothing from the poses; space's begins its search from them, so they should be near. */
#ifndef REF_PLACED_ORACLE_H
#define REF_PLACED_ORACLE_H

#include "reference/oracle/exact.h"
#include "reference/reference.h"

void ref_oracle2_placed(const gjb_pair2 *pair, const ref_place *place, ref_exact *out);
void ref_oracle3_placed(const gjb_pair3 *pair, const ref_place *place, ref_exact3 *out, ref_polytope3 *polytope);

#endif
