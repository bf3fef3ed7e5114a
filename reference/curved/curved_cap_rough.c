/* The least support of D over a cap of directions, from below, in double. */
#include "reference/curved/curved_cap.h"

typedef double real;
#define PAIR ref_rough
#define SOLID ref_rough_solid
enum { STEPS = 40 };
#define LITTLE(pair) ((pair)->margin * 0x1p-6) /* next to a height */
#define ROUNDNESS(solid) ((solid)->round)
#define CAP_HEIGHT ref_rough_height
#define CAP_HOLDS ref_rough_holds
#define TURN_HOLDS ref_rough_turn_holds
#define TURN_DESCEND ref_rough_turn_descend
#define CAP_DESCEND ref_rough_descend
#include "reference/curved/curved_cap_parts.h"
#include "reference/curved/curved_turn_parts.h"

bool ref_rough_open(ref_rough *rough, const ref_curved *curved)
{
    rough->dim = curved->dim;
    rough->margin = (double)(curved->size * 0x1p-40L);
    for (int side = 0; side < 2; side++) {
        const ref_solid *from = &curved->body[side];
        ref_rough_solid *to = &rough->body[side];
        *to = (ref_rough_solid){.kind = from->kind,
                                .dim = from->dim,
                                .count = from->count,
                                .rows = from->rows,
                                .exponent = (double)from->exponent,
                                .round = fmin((double)ref_solid_roundness(from), 1) * (1 - 0x1p-50),
                                .shrunk = (double)from->shrunk};
        for (int i = 0; i < 3; i++) {
            to->semi[i] = (double)from->semi[i];
            to->offset[i] = (double)from->offset[i];
            for (int k = 0; k < 3; k++)
                to->turn[i][k] = (double)from->turn[i][k];
        }
    }
    return curved->size > 0x1p-400L && curved->size < 0x1p400L;
}
