/* Random numbers and rotations with the same bits on every machine.
 *
 * Random123's Philox is the only source of randomness in the project. Its bits are processed only by
 * correctly rounded double operations (+ - * / sqrt), and by SLEEF's deterministic `cinz` functions for
 * angles. */
#ifndef GJB_CORE_RANDOM_H
#define GJB_CORE_RANDOM_H

#include <stdint.h>

/* A stream of uniform bits, keyed by a counter. */
typedef struct gjb_random { uint64_t key[2]; uint64_t counter; uint32_t spare[4]; uint32_t left; } gjb_random;
gjb_random gjb_random_make(uint64_t seed, uint64_t stream, uint64_t index);
uint32_t gjb_random_u32(gjb_random *r);
double gjb_random_unit(gjb_random *r);                 /* [0, 1), 53 bits */
double gjb_random_range(gjb_random *r, double lo, double hi);
uint32_t gjb_random_below(gjb_random *r, uint32_t n);  /* [0, n), unbiased */
double gjb_random_sign(gjb_random *r);                 /* -1 or 1 */
/* In [2^lo, 2^hi): every octave equally often. */
double gjb_random_octaves(gjb_random *r, int lo, int hi);
/* Cosine and sine of a uniform angle. */
void gjb_random_rotation(gjb_random *r, double *c, double *s);
/* Uniform over all rotations (Shoemake 1992); over all directions of space. */
void gjb_random_quaternion(gjb_random *r, double q[4]);
void gjb_random_direction3(gjb_random *r, double u[3]);

/* Cosine and sine of `turns` full turns. */
void gjb_cos_sin(double turns, double *c, double *s);
/* Brings (c, s), of unit length but for a few roundings, to within two units of roundoff of it. */
void gjb_unit_length(double *c, double *s);
/* q = (x, y, z, w) likewise. */
void gjb_unit_quaternion(double q[4]);
double gjb_power_of_two(int exponent); /* |exponent| < 1023 */

#endif
