/* Inside the reference room: the frame of GJK and EPA in space, as frame2.h has
 * it for the plane, and what the methods share with the exact oracle. */
#ifndef REF_FRAME3_H
#define REF_FRAME3_H

#include "reference/methods/nearest3.h"
#include "reference/methods/trace_steps.h"
#include "reference/reference.h"

#define REF_EPSILON3 0x1p-53 /* unit roundoff of double */

typedef struct ref_frame3 {
    const gjb_pair3 *pair;
    double scale, unscale;      /* frame = world * scale; both powers of two */
    double met;                 /* bounds this close have met, */
    double stalled;             /* and further apart at the end, the method stalled: a few eps S */
    double offset[3];           /* translation of B relative to A's, in the frame */
    long double exact[2][3][3]; /* rotations of A and B, within rounding of long double */
    double rotation[2][3][3];   /* the same, rounded */
    ref_watch *watch;           /* who is told of each step; NULL: nobody */
} ref_frame3;

/* A vertex of D: b - a, and what it is made of. */
typedef struct ref_vertex3 {
    uint32_t i, j; /* vertices of A and of B */
    double a[3], b[3];
    double w[3];
} ref_vertex3;

/* An answer about the cores, in the frame. */
typedef struct ref_core3 {
    double sigma;
    double normal[3];
    double a[3], b[3];
    double lower, upper;
    int iterations;
} ref_core3;

typedef enum ref_outcome3 { REF_APART3, REF_OVERLAP3, REF_STALLED_OUT3 } ref_outcome3;

/* False when a number is not finite, a shape has no vertices or a quaternion is 0. */
bool ref_frame3_open(ref_frame3 *frame, const gjb_pair3 *pair);
/* R = M(q) / (q.q), each entry within 16 units of roundoff. */
void ref_rotation3(const gjb_pose3d *pose, long double rotation[3][3]);
void ref_rotation3l(const long double q[4], long double rotation[3][3]);
ref_vertex3 ref_vertex3_at(const ref_frame3 *frame, uint32_t i, uint32_t j);
/* The vertex of D that minimises n.w; lowest indices on ties. */
ref_vertex3 ref_support3(const ref_frame3 *frame, const double n[3]);
/* Back to the world, radii added. */
ref_answer3 ref_answer3_of(const ref_frame3 *frame, const ref_core3 *core);
/* Writes the weighted point of up to four vertices of D. */
void ref_witness3(ref_core3 *core, const ref_vertex3 *simplex, int count, const double weight[4]);

/* GJK. On REF_APART3 `core` is complete; simplex[0 .. *count-1] is the last one
 * whatever the outcome, and on REF_OVERLAP3 holds the origin up to rounding. */
ref_outcome3 ref_gjk_core3(const ref_frame3 *frame, ref_core3 *core, ref_vertex3 simplex[4], int *count);
/* EPA from any vertices of D. False when rounding kept it from finishing, or D
 * is flat but for rounding. `polytope` may be NULL. */
bool ref_epa_core3(const ref_frame3 *frame, ref_core3 *core, const ref_vertex3 *simplex, int count,
                   ref_polytope3 *polytope);
/* ref_oracle3 with the polytope that proves its depth; not NULL. */
void ref_oracle_polytope3(const gjb_pair3 *pair, ref_exact3 *out, ref_polytope3 *polytope);

#endif
