/* Independent truth: scalar double methods, an exact oracle, and certificates,
 * in the plane and, below, in space. Shares no code with `simd`: an oracle that
 * shares code with a kernel shares its bugs. All take pairs in double
 * (gjb_pair2, gjb_pair3) and return vectors by the conventions of gjkbench/types.h. */
#ifndef GJB_REFERENCE_H
#define GJB_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/trace.h"
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
 * the signed-area form), then EPA (van den Bergen 2001) if the cores overlap,
 * keeping both bounds; the radius enters afterwards. Should either stall, all
 * edge normals and vertex-edge pairs are enumerated, so it never fails to
 * answer: GJB_SEPARATED or GJB_OVERLAPPING, or GJB_INVALID_INPUT if a number
 * is not finite or a shape has no vertices. Value, bounds and normal's gap are
 * measured within 4 eps S, the points' difference within 6. */
ref_answer ref_signed_distance2(const gjb_pair2 *pair);
/* The same to one who asks for no depth: of shapes that overlap the status is right, and the rest may be 0. */
ref_answer ref_distance2(const gjb_pair2 *pair);
/* The parts, for tests: distance of the cores alone, radii left out, points on
 * the cores. All but status and iterations is 0 if cores overlap. */
ref_answer ref_gjk2(const gjb_pair2 *pair);
/* The same, bit for bit, telling each step; bounds in it only tighten. What the enumeration
 * finds is one step. */
ref_answer ref_signed_distance2_traced(const gjb_pair2 *pair, const gjb_trace *trace);
ref_answer ref_gjk2_traced(const gjb_pair2 *pair, const gjb_trace *trace);

/* Proven interval for sigma, from rational arithmetic on the exact stored
 * numbers: Minkowski difference of the cores by edge merge, in GMP integers on
 * one power-of-two grid. A shape means the hull of its stored vertices, in any
 * order. Ends only with a certificate, checked over all stored vertices: the
 * program ends when that fails. Numbers must be finite, shapes not empty.
 * Thread-safe. */
typedef struct ref_exact {
    int sign;          /* of sigma, exact: -1, 0, 1 (0: touching) */
    double lo, hi;     /* lo <= sigma <= hi, adjacent doubles or equal */
    double normal[2];  /* a right normal, rounded to double; (1, 0) if every one is right */
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

/* The same in space. */
typedef struct ref_answer3 {
    gjb_status status;
    int iterations;
    double sigma;
    double normal[3];
    double point_a[3], point_b[3];
    double lower, upper;
} ref_answer3;

/* The polytope that EPA ended with: proof of a depth from below. Vertices of
 * D = { b - a } by their indices in A and in B, faces by three vertices,
 * counter-clockwise seen from outside. Zero before first use; the buffers are
 * reused from call to call, and ref_polytope3_free gives them back. */
typedef struct ref_polytope3 {
    uint32_t (*vertices)[2];
    uint32_t (*faces)[3];
    uint32_t vertex_count, face_count;
    uint32_t vertex_room, face_room;
} ref_polytope3;
void ref_polytope3_free(ref_polytope3 *polytope);

/* GJK distance on the cores (Gilbert, Johnson, Keerthi 1988), then EPA (van den
 * Bergen 2001) if the cores overlap, keeping both bounds; the radius enters
 * afterwards. Where rounding stalls either, the exact oracle answers: slow, and
 * always an answer. GJB_SEPARATED or GJB_OVERLAPPING, or GJB_INVALID_INPUT if
 * a number is not finite, a shape has no vertices or a quaternion is zero.
 * `polytope` may be NULL; it has no faces if the cores are apart or D is flat,
 * and if they touch at most some that prove about 0. Value and normal's gap
 * are measured within 4 eps S, the points' difference within 5. Ends the program
 * when memory does not suffice, as GMP does. */
ref_answer3 ref_signed_distance3(const gjb_pair3 *pair, ref_polytope3 *polytope);
/* As ref_distance2. */
ref_answer3 ref_distance3(const gjb_pair3 *pair);
/* Distance of the cores alone, radii left out, points on the cores. All but
 * status and iterations is 0 if cores overlap. */
ref_answer3 ref_gjk3(const gjb_pair3 *pair);
/* The same, bit for bit, telling each step; what the oracle finds is one step. */
ref_answer3 ref_signed_distance3_traced(const gjb_pair3 *pair, ref_polytope3 *polytope,
                                        const gjb_trace *trace);
ref_answer3 ref_gjk3_traced(const gjb_pair3 *pair, const gjb_trace *trace);

/* Proven interval for sigma, in GMP integers: rotations are M(q) / (q.q), so the
 * whole pair is rational and is brought to one grid. Apart: the nearest point of
 * a simplex of D, and the support along it that proves it. Overlapping: an inner
 * polytope of D all of whose faces are at least as far out as one facet of D.
 * Ends only with that certificate, checked over all stored vertices: the program
 * ends when it fails. Numbers must be finite, shapes not empty, q not 0.
 * Thread-safe. */
typedef struct ref_exact3 {
    int sign;          /* of sigma, exact: -1, 0, 1 (0: touching) */
    double lo, hi;     /* lo <= sigma <= hi, adjacent doubles or equal */
    double normal[3];  /* a right normal, rounded to double */
    double point_a[3], point_b[3]; /* within 2 eps S of exact ones */
} ref_exact3;
void ref_oracle3(const gjb_pair3 *pair, ref_exact3 *out);

/* As ref_gap2 and ref_point_distance2. */
long double ref_gap3(const gjb_pair3 *pair, const double n[3], long double *error);
long double ref_point_distance3(const gjb_pair3 *pair, bool of_b, const double point[3], long double *error);
/* Lower bound on the depth of the cores (radii left out) that the polytope
 * proves, within `*error`; negative when it proves nothing. The faces must be a
 * closed surface (each directed edge once, its reverse once) that winds around
 * the origin, and all of them lie at least this far from it: then the ball of
 * this radius lies inside the convex hull of vertices of D. */
long double ref_depth_bound3(const gjb_pair3 *pair, const ref_polytope3 *polytope, long double *error);

/* From here to ref_forget() this thread keeps up to about so many answers to pairs with a curved core, and gives them again
 * to queries that ask the same of the same pair: penetration and signed distance are one search. Not for what is timed, nor
 * for what asks again whether answers are repeatable. Without memory it keeps nothing. Calls do not nest. */
void ref_remember(size_t answers);
void ref_forget(void);

/* Answers are laid out alike but for their dimension: fills a gjb_answer from one. */
#define REF_TAKE(answer, from, dim)                                                                          \
    do {                                                                                                     \
        (answer)->status = (gjb_status)(from).status;                                                        \
        (answer)->iterations = (unsigned)(from).iterations;                                                  \
        (answer)->sigma = (from).sigma;                                                                      \
        memcpy((answer)->normal, (from).normal, (dim) * sizeof(double));                                     \
        memcpy((answer)->point_a, (from).point_a, (dim) * sizeof(double));                                   \
        memcpy((answer)->point_b, (from).point_b, (dim) * sizeof(double));                                   \
    } while (0)

#endif
