/* Compiled once per precision: the sine and cosine of the lanes, for test_turn.c. */
#define GJB_LANES_SCALAR
#include "simd/lanes/turn.h"

#if GJB_BITS == 32
#define TURN turn_of_32
#else
#define TURN turn_of_64
#endif
void TURN(double angle, double *c, double *s);

void TURN(double angle, double *c, double *s)
{
    vr lane_c, lane_s;
    v_turn(v_set((real)angle), &lane_c, &lane_s);
    *c = (double)lane_c;
    *s = (double)lane_s;
}
