/* The least support of D over a cap of directions, from below, in long double. */
#include "reference/curved/curved_cap.h"

#include <math.h>

typedef ref_real real;
#define PAIR ref_curved
#define SOLID ref_solid
enum { STEPS = 12 };
#define LITTLE(pair) ((pair)->size * 0x1p-58L) /* next to a height */
#define ROUNDNESS(solid) (fminl(ref_solid_roundness(solid), 1) * (1 - 0x1p-50L))
#define CAP_HEIGHT ref_cap_height
#define CAP_HOLDS ref_cap_holds
#define TURN_HOLDS ref_turn_holds
#define TURN_DESCEND ref_turn_descend
#define CAP_DESCEND ref_cap_descend
#include "reference/curved/curved_cap_parts.h"
#include "reference/curved/curved_turn_parts.h"
