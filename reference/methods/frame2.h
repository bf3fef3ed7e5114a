/* Inside the reference room: the frame that GJK, EPA and the enumeration work
 * in, and the room's answers in that frame.
 *
 * Frame: world axes, origin at the translation of A, lengths multiplied by a
 * power of two (exact) that brings the size of the pair to about 1. There a
 * tolerance is a plain number, nothing underflows at 1e-6 nor overflows at
 * 1e6, and a pair far from the origin keeps every digit its inputs had.
 *
 * D = { b - a : a in core A, b in core B }. For a unit n, gap(n) is the minimum
 * of n.w over D, and sigma of the cores is the maximum of gap over all n,
 * whether the origin lies outside D (distance) or inside (minus the depth). */
#ifndef REF_FRAME2_H
#define REF_FRAME2_H

#include "reference/methods/trace_steps.h"
#include "reference/reference.h"

#define REF_EPSILON 0x1p-53 /* unit roundoff of double */

typedef struct ref_frame2 {
    const gjb_pair2 *pair;
    double scale, unscale;  /* frame = world * scale; both powers of two */
    double offset[2];       /* translation of B relative to A's, in the frame */
    ref_watch *watch;       /* who is told of each step; NULL: nobody */
} ref_frame2;

/* A vertex of D: b - a, and what it is made of. */
typedef struct ref_vertex2 {
    uint32_t i, j; /* vertices of A and of B */
    double a[2], b[2];
    double w[2];
} ref_vertex2;

/* An answer about the cores, in the frame. */
typedef struct ref_core2 {
    double sigma;
    double normal[2];
    double a[2], b[2];
    double lower, upper;
    int iterations;
} ref_core2;

/* False when a number is not finite or a shape has no vertices. */
bool ref_frame2_open(ref_frame2 *frame, const gjb_pair2 *pair);
ref_vertex2 ref_vertex2_at(const ref_frame2 *frame, uint32_t i, uint32_t j);
/* The vertex of D that minimises n.w; lowest indices on ties. */
ref_vertex2 ref_support2(const ref_frame2 *frame, const double n[2]);
/* Back to the world, radii added. */
ref_answer ref_answer2(const ref_frame2 *frame, const ref_core2 *core);

static inline double ref_dot2(const double p[2], const double q[2])
{
    return p[0] * q[0] + p[1] * q[1];
}

static inline double ref_cross2(const double p[2], const double q[2])
{
    return p[0] * q[1] - p[1] * q[0];
}

/* The nearest point of the segment p-q to `target`. */
typedef struct ref_nearest2 {
    double t;           /* p + t (q - p) */
    double distance;
    double normal[2];   /* unit, from target to the point; the segment's own perpendicular where the
                           nearest point lies inside it, so right however small the distance; zero
                           when the target is an end point */
    int feature;        /* 0: p, 1: q, 2: inside */
} ref_nearest2;
ref_nearest2 ref_segment_nearest2(const double p[2], const double q[2], const double target[2]);

/* Writes the point at t between two vertices of D to the core answer. */
void ref_witness2(ref_core2 *core, const ref_vertex2 *p, const ref_vertex2 *q, double t);

typedef enum ref_outcome { REF_APART, REF_OVERLAP, REF_STALLED } ref_outcome;

/* GJK. On REF_APART `core` is complete; on REF_OVERLAP simplex[0 .. *count-1]
 * holds the origin up to rounding; on REF_STALLED neither. */
ref_outcome ref_gjk_core2(const ref_frame2 *frame, ref_core2 *core, ref_vertex2 simplex[3], int *count);
/* EPA from any vertices of D. False when it could not finish. */
bool ref_epa_core2(const ref_frame2 *frame, ref_core2 *core, const ref_vertex2 *simplex, int count);
/* All edge normals, then all pairs of vertex and edge: slow, and always an answer. */
void ref_enumerate_core2(const ref_frame2 *frame, ref_core2 *core);

#endif
