/* Compiled once per backend and precision: powers of many numbers, for test_power.c. */
#include "simd/lanes/power.h"

#define POWERS__(backend, bits) powers_##backend##_##bits
#define POWERS_(backend, bits) POWERS__(backend, bits)
#define POWERS POWERS_(GJB_BACKEND, GJB_BITS)
void POWERS(const real *x, const real *y, real *power, real *share, size_t count);

void POWERS(const real *x, const real *y, real *power, real *share, size_t count)
{
    for (size_t i = 0; i + LANES <= count; i += LANES) {
        v_store(power + i, v_power(v_load(x + i), v_load(y + i)));
        v_store(share + i, v_share_power(v_load(x + i), v_load(y + i)));
    }
}
