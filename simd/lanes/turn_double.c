/* Sine and cosine in double, from one lane of the lanes' arithmetic. */
#define GJB_LANES_SCALAR
#define GJB_BITS 64
#include "simd/lanes/turn_double.h"

#include "simd/lanes/turn.h"

void gjb_turn_double(double angle, double *cosine, double *sine)
{
    v_turn(angle, cosine, sine);
}
