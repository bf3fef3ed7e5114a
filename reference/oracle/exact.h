/* Inside the reference room: what exact arithmetic needs in either dimension:
 * doubles as scaled integers, and the doubles around a root. */
#ifndef REF_EXACT_H
#define REF_EXACT_H

#include <gmp.h>
#include <stddef.h>

/* Exponent of the lowest bit set of a finite `x`; INT_MAX for 0. */
int ref_lowest_bit(double x);
/* z = x * 2^-exponent, exactly. Precondition: exponent <= ref_lowest_bit(x). */
void ref_set_scaled(mpz_t z, double x, int exponent);
/* z * 2^exponent, truncated to 64 bits. */
long double ref_to_long_double(const mpz_t z, int exponent);

/* mantissa * 2^exponent. */
typedef struct ref_dyadic {
    mpz_t mantissa;
    int exponent;
} ref_dyadic;

/* Where the shapes of a pair lie, in exact numbers: rotations as c and s in the plane, as a quaternion of
 * any length but 0 (qx, qy, qz, qw) in space, and the translation of B relative to A's. */
typedef struct ref_place {
    ref_dyadic rotation[2][4];
    ref_dyadic offset[3];
} ref_place;

void ref_place_init(ref_place *place); /* all 0 */
void ref_place_clear(ref_place *place);
void ref_dyadic_set(ref_dyadic *d, double x);
/* to - from. */
void ref_dyadic_difference(ref_dyadic *d, double to, double from);
/* Lowest of the exponents of those that are not 0; INT_MAX if all are. */
int ref_dyadic_lowest(const ref_dyadic *d, int count);
/* z = d * 2^-exponent. Precondition: exponent <= ref_dyadic_lowest(d). */
void ref_dyadic_scaled(mpz_t z, const ref_dyadic *d, int exponent);

/* sign * sqrt(numerator / denominator); denominator > 0. */
typedef struct ref_root {
    int sign;
    mpz_t numerator, denominator;
} ref_root;

typedef struct ref_interval {
    int sign;      /* exact */
    double lo, hi; /* adjacent doubles or equal */
} ref_interval;

/* The doubles around (root - radius) * 2^exponent. */
ref_interval ref_enclose(const ref_root *root, const mpz_t radius, int exponent);

/* Ends the program: a certificate does not hold. */
void ref_broken(const char *what);
/* calloc, never NULL: ends the program when memory does not suffice. */
void *ref_zeroed(size_t count, size_t size);

#endif
