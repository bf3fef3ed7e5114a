/* Independent truth: scalar double methods, an exact oracle, and certificates.
 * Shares no code with `simd`: an oracle that shares code with a kernel shares
 * its bugs. All take pairs in double (gjb_pair2) and return vectors by the
 * conventions of core/types.h. */
#ifndef GJB_REFERENCE_H
#define GJB_REFERENCE_H

#include <stdbool.h>

#include "core/types.h"

typedef struct ref_answer {
    gjb_status status;
    int iterations;
    double sigma;       /* signed distance */
    double normal[2];   /* unit, A to B */
    double point_a[2], point_b[2];
    double lower, upper; /* bounds on sigma that the method itself proves (up to rounding) */
} ref_answer;

/* GJK distance on the cores (Gilbert, Johnson, Keerthi 1988; sub-distance by
 * the signed-area form), then EPA (van den Bergen 2001) where the cores overlap,
 * keeping both bounds; the radius enters afterwards. Should either stall, all
 * edge normals and vertex-edge pairs are enumerated, so it never fails to
 * answer: GJB_SEPARATED or GJB_OVERLAPPING, or GJB_INVALID_INPUT where a number
 * is not finite or a shape has no vertices. Value, bounds and normal's gap are
 * measured within 4 eps S, the points' difference within 6. */
ref_answer ref_signed_distance2(const gjb_pair2 *pair);
/* The parts, for tests: distance of the cores alone, radii left out, points on
 * the cores. All but status and iterations is 0 where cores overlap. */
ref_answer ref_gjk2(const gjb_pair2 *pair);

/* Proven interval for sigma, from rational arithmetic on the exact stored
 * numbers: Minkowski difference of the cores by edge merge, in GMP integers on
 * one power-of-two grid. A shape means the hull of its stored vertices, in any
 * order. Ends only with a certificate, checked over all stored vertices: the
 * program ends when that fails. Numbers must be finite, shapes not empty.
 * Thread-safe. */
typedef struct ref_exact {
    int sign;          /* of sigma, exact: -1, 0, 1 (0: touching) */
    double lo, hi;     /* lo <= sigma <= hi, adjacent doubles or equal */
    double normal[2];  /* a right normal, rounded to double; (1, 0) where every one is right */
    double point_a[2], point_b[2]; /* within 2 eps S of exact ones */
} ref_exact;
void ref_oracle2(const gjb_pair2 *pair, ref_exact *out);

/* Certificates, each checked in arithmetic at least 2^10 finer than double's
 * with stated error; T is the tolerance granted. */
typedef struct ref_bounds {
    double lower, upper; /* proven bounds on sigma, rounded outwards */
} ref_bounds;

/* Support gap along the direction `n` (normalised inside; not zero): the
 * largest lower bound on sigma that n proves when the shapes are apart, and
 * minus the depth that n proves from above when they overlap. That is, for any
 * n: sigma >= gap when gap > 0, and depth <= -gap when gap <= 0. Radii included.
 * The return value is within `*error` of the exact gap. */
long double ref_gap2(const gjb_pair2 *pair, const double n[2], long double *error);
/* Distance of a point (relative to A's translation) to shape A or B of the
 * pair, 0 inside. Within `*error` of the exact value. */
long double ref_point_distance2(const gjb_pair2 *pair, bool of_b, const double point[2], long double *error);

#endif
