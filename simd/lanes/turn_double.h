/* Cosine and sine in double for the scalar parts, from the arithmetic of turn.h: the
 * same bits on every machine, unlike libm. Compiled once, at baseline. */
#ifndef GJB_SIMD_TURN_DOUBLE_H
#define GJB_SIMD_TURN_DOUBLE_H

void gjb_turn_double(double angle, double *cosine, double *sine);

#endif
