/* Bounds on sigma as signed square roots of rationals, compared with doubles by their squares. */
#include "reference/certificate/certificate_grid.h"

#include <math.h>
#include <string.h>

void ref_cert_bound_init(ref_cert_bound *bound)
{
    bound->way = 0;
    mpz_init(bound->above);
    mpz_init_set_ui(bound->below, 1);
}

void ref_cert_bound_clear(ref_cert_bound *bound)
{
    mpz_clears(bound->above, bound->below, NULL);
}

/* way * sqrt(above / below) against z = radii + x scale / 2^exponent, times 2^finer so that z is whole. */
int ref_cert_compare(const ref_cert_grid *g, const ref_cert_bound *bound, const mpz_t radii, double x)
{
    const int lowest = ref_cert_lowest(x);
    const int unit = lowest < g->exponent ? lowest : g->exponent;
    const mp_bitcnt_t finer = (mp_bitcnt_t)(g->exponent - unit);
    mpz_t z, t;
    mpz_inits(z, t, NULL);
    ref_cert_integer(z, x, unit);
    mpz_mul(z, z, g->scale);
    mpz_mul_2exp(t, radii, finer);
    mpz_add(z, z, t);
    int order;
    const int way = mpz_sgn(bound->above) ? bound->way : 0;
    if (way != mpz_sgn(z)) {
        order = way > mpz_sgn(z) ? 1 : -1;
    } else {
        mpz_mul(z, z, z);
        mpz_mul(z, z, bound->below);
        mpz_mul_2exp(t, bound->above, 2 * finer);
        const int further = mpz_cmp(t, z);
        order = way * ((further > 0) - (further < 0));
    }
    mpz_clears(z, t, NULL);
    return order;
}

/* Doubles in order, -0 and 0 apart, as whole numbers. */
static double of_rank(int64_t rank)
{
    const uint64_t bits = rank >= 0 ? (uint64_t)rank : (UINT64_C(1) << 63) + (uint64_t)(-rank);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double ref_cert_rounded(const ref_cert_grid *g, const ref_cert_bound *bound, bool up)
{
    const int64_t infinity = INT64_C(0x7ff) << 52;
    int64_t below = -infinity, above = infinity; /* ranks of what is surely below, and above */
    while (above != below + 1) {
        const int64_t middle =
            below / 2 + above / 2 + (below % 2 + above % 2) / 2; /* their difference overflows */
        const int order = ref_cert_compare(g, bound, g->radii, of_rank(middle));
        if (order == 0)
            return of_rank(middle) + 0.0;
        *(order > 0 ? &below : &above) = middle;
    }
    return of_rank(up ? above : below) + 0.0;
}
