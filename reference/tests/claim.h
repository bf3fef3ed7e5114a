/* What an answer claims, in either dimension, and how tests hold it against the truth. */
#ifndef REF_TESTS_CLAIM_H
#define REF_TESTS_CLAIM_H

#include "core/types.h"

enum { CLAIM_VALUE_LIMIT = 8 }; /* units of eps S that a value may be off */

typedef struct claim {
    int dim;
    double size; /* S of the pair */
    double sigma, lower, upper;
    const double *normal, *point_a, *point_b; /* `dim` coordinates each; borrowed */
    long double gap;                          /* along the normal, by the certificate */
    long double off_a, off_b;                 /* the points from their shapes */
} claim;

/* Fills in the rest, by the certificates of that dimension. */
claim claim_in_plane(const gjb_pair2 *pair, claim c);
claim claim_in_space(const gjb_pair3 *pair, claim c);

/* Ends the test unless value, bounds, points and normal are right to a few eps S:
 * sigma is proven to lie in [lo, hi]. */
void claim_check(const claim *c, double lo, double hi, const char *who, int family, int index);

/* Expects sigma, and `normal` unless that is zero, to within `slack`, with points and gap that
 * agree with them. */
void claim_expect(const claim *c, double sigma, const double *normal, double slack, const char *name,
                  const char *who);

#endif
