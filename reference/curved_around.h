/* Inside the reference room: depths that all but tie around an axis, from below. */
#ifndef REF_CURVED_AROUND_H
#define REF_CURVED_AROUND_H

#include "reference/curved.h"

/* Is the support of D at least `bar`, above 0, along all unit directions? Within the errors of two support points. Of
 * cores in space that are all but round about an axis of one; false where they are not, or where that took more than
 * `most` corners, and then nothing is said. */
bool ref_curved_around(const ref_curved *curved, ref_real bar, uint32_t most);

#endif
