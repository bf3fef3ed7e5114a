/* Doubles as scaled integers and dyadic rationals, and the doubles that enclose an exact root. */
#include "reference/oracle/exact.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x = mantissa * 2^exponent. */
static int64_t split(double x, int *exponent)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int field = (int)(bits >> 52 & 0x7ff);
    int64_t mantissa = (int64_t)(bits & UINT64_C(0xfffffffffffff));
    if (field)
        mantissa |= INT64_C(1) << 52;
    *exponent = (field ? field : 1) - 1075;
    return x < 0 ? -mantissa : mantissa;
}

int ref_lowest_bit(double x)
{
    int exponent;
    int64_t mantissa = split(x, &exponent);
    return mantissa ? exponent + __builtin_ctzll((unsigned long long)mantissa) : INT_MAX;
}

void ref_set_scaled(mpz_t z, double x, int exponent)
{
    int own;
    int64_t mantissa = split(x, &own);
    mpz_set_d(z, (double)mantissa); /* any width of long */
    if (mantissa == 0)
        return;
    long shift = (long)own - exponent;
    if (shift >= 0)
        mpz_mul_2exp(z, z, (mp_bitcnt_t)shift);
    else
        mpz_tdiv_q_2exp(z, z, (mp_bitcnt_t)-shift); /* drops zeros only */
}

void ref_place_init(ref_place *place)
{
    for (int k = 0; k < 11; k++) {
        ref_dyadic *d = k < 8 ? &place->rotation[k / 4][k % 4] : &place->offset[k - 8];
        mpz_init(d->mantissa);
        d->exponent = 0;
    }
}

void ref_place_clear(ref_place *place)
{
    for (int k = 0; k < 11; k++)
        mpz_clear(k < 8 ? place->rotation[k / 4][k % 4].mantissa : place->offset[k - 8].mantissa);
}

void ref_dyadic_set(ref_dyadic *d, double x)
{
    d->exponent = x != 0 ? ref_lowest_bit(x) : 0;
    ref_set_scaled(d->mantissa, x, d->exponent);
}

void ref_dyadic_difference(ref_dyadic *d, double to, double from)
{
    int own = ref_lowest_bit(to), other = ref_lowest_bit(from);
    mpz_t z;
    mpz_init(z);
    d->exponent = own < other ? own : other == INT_MAX ? 0 : other;
    ref_set_scaled(d->mantissa, to, d->exponent);
    ref_set_scaled(z, from, d->exponent);
    mpz_sub(d->mantissa, d->mantissa, z);
    mpz_clear(z);
}

int ref_dyadic_lowest(const ref_dyadic *d, int count)
{
    int lowest = INT_MAX;
    for (int k = 0; k < count; k++)
        if (mpz_sgn(d[k].mantissa) != 0 && d[k].exponent < lowest)
            lowest = d[k].exponent;
    return lowest;
}

void ref_dyadic_scaled(mpz_t z, const ref_dyadic *d, int exponent)
{
    if (mpz_sgn(d->mantissa) == 0)
        mpz_set_ui(z, 0);
    else
        mpz_mul_2exp(z, d->mantissa, (mp_bitcnt_t)(d->exponent - exponent));
}

long double ref_to_long_double(const mpz_t z, int exponent)
{
    size_t limbs = mpz_size(z), low = limbs > 3 ? limbs - 3 : 0;
    long double value = 0;
    for (size_t k = limbs; k > low; k--)
        value = ldexpl(value, GMP_NUMB_BITS) + (long double)mpz_getlimbn(z, (mp_size_t)(k - 1));
    value = ldexpl(value, (int)(low * GMP_NUMB_BITS) + exponent);
    return mpz_sgn(z) < 0 ? -value : value;
}

void ref_broken(const char *what)
{
    fprintf(stderr, "gjkbench: the exact oracle failed its own certificate: %s\n", what);
    abort();
}

void *ref_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("gjkbench: out of memory in the reference\n", stderr);
        abort();
    }
    return memory;
}

/* Exact sign of (root - radius) * 2^exponent - x. */
static int compare(const ref_root *root, const mpz_t radius, int exponent, double x, mpz_t u, mpz_t v)
{
    int lowest = ref_lowest_bit(x), finest = lowest < exponent ? lowest : exponent;
    mp_bitcnt_t finer = (mp_bitcnt_t)(exponent - finest);
    ref_set_scaled(u, x, finest);
    mpz_mul_2exp(v, radius, finer);
    mpz_add(u, u, v); /* the root against this */
    int side = mpz_sgn(u);
    if (side != 0 && side != root->sign)
        return root->sign ? root->sign : -side;
    mpz_mul(u, u, u);
    mpz_mul(u, u, root->denominator);
    mpz_mul_2exp(v, root->numerator, 2 * finer);
    int compared = mpz_cmp(v, u);
    return root->sign * ((compared > 0) - (compared < 0));
}

/* A double near the difference, which is not 0: enough bits that it keeps 70. */
static double near(const ref_root *root, const mpz_t radius, int exponent, mpz_t u, mpz_t v)
{
    size_t bits = 0;
    for (mp_bitcnt_t fine = 0;; fine += bits < 70 ? 100 - bits : 30) {
        mpz_mul_2exp(u, root->numerator, 2 * fine);
        mpz_tdiv_q(u, u, root->denominator);
        mpz_sqrt(u, u);
        mpz_mul_2exp(v, radius, fine);
        if (root->sign < 0)
            mpz_neg(u, u);
        mpz_sub(u, u, v);
        bits = mpz_sgn(u) ? mpz_sizeinbase(u, 2) : 0;
        if (bits >= 70) {
            long own;
            double mantissa = mpz_get_d_2exp(&own, u);
            return ldexp(mantissa, (int)(own + exponent - (long)fine));
        }
    }
}

static ref_interval around(const ref_root *root, const mpz_t radius, int exponent, mpz_t u, mpz_t v)
{
    ref_interval out = {.sign = compare(root, radius, exponent, 0, u, v)};
    if (out.sign == 0)
        return out;
    double x = fmax(-DBL_MAX, fmin(DBL_MAX, near(root, radius, exponent, u, v)));
    int side = compare(root, radius, exponent, x, u, v);
    double away = side > 0 ? INFINITY : -INFINITY;
    while (side != 0) {
        double next = nextafter(x, away);
        int other = isfinite(next) ? compare(root, radius, exponent, next, u, v) : -side;
        if (other == -side) {
            out.lo = fmin(x, next);
            out.hi = fmax(x, next);
            return out;
        }
        x = next;
        side = other;
    }
    out.lo = out.hi = x;
    return out;
}

ref_interval ref_enclose(const ref_root *root, const mpz_t radius, int exponent)
{
    mpz_t u, v;
    mpz_inits(u, v, NULL);
    ref_interval out = around(root, radius, exponent, u, v);
    mpz_clears(u, v, NULL);
    return out;
}
