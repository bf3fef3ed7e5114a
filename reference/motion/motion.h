/* Independent truth about bodies in motion: a scalar time of impact, proofs that shapes stay
 * apart, an oracle with a proven interval, and exact sweeps. All take pairs in double of
 * either dimension; motion is that of gjb_body*.motion, t in [0, 1], frames and normals as in
 * gjkbench/types.h: points are relative to A's translation at the time they are told for.
 * Vectors have three coordinates here; in the plane the third is 0.
 *
 * sigma(t) is the signed distance of the pair as it lies at time t, S is gjb_path_size.
 * Preconditions of all: numbers are finite, shapes not empty, t in [0, 1]. Thread-safe. Where
 * memory does not suffice the program ends, as GMP does. */
#ifndef REF_MOTION_H
#define REF_MOTION_H

#include "reference/reference.h"

/* --- The pair at one time ------------------------------------------------------------- */

/* The pair as it lies at `t`, at rest: A's translation is 0 and B's is relative to it, rotations
 * and translation rounded to double from long double. No point of either shape is farther than
 * 4 * 2^-53 S from where it truly is. Vertices stay those of `pair`. */
void ref_pair_at(const gjb_pair *pair, double t, gjb_pair *out);

/* Proven bounds on sigma(t), rounded outwards. Where the cores are apart: from below by a separating
 * axis, from above by witness points, both measured in long double, and within 16 * 2^-53 S of each other.
 * Where the cores meet: by the exact oracle of the pair as ref_pair_at rounds it, slower. */
ref_bounds ref_sigma_at(const gjb_pair *pair, double t);

/* Support gap along `n` at time t: as ref_gap2, so sigma(t) >= gap for any n other than 0.
 * Within `*error` of the exact value, about 2^-58 S. */
long double ref_gap_at(const gjb_pair *pair, double t, const double n[3], long double *error);
/* Distance of a point (relative to A's translation at t) to shape A or B as it lies at t, 0
 * inside. Within `*error` of the exact value: about 5 * 2^-53 S. */
long double ref_point_distance_at(const gjb_pair *pair, double t, bool of_b, const double point[3],
                                  long double *error);

/* --- Proof of staying apart ------------------------------------------------------------ */

/* An axis (any length but 0, from A to B) that keeps the shapes apart from `t` on, until the next
 * step's time, while it turns itself by `spin` radians in unit time: at t + tau the axis is
 * R(tau spin) normal. A face that turns is followed so. */
typedef struct ref_proof_step {
    double t;
    long double normal[3], spin[3];
} ref_proof_step;

/* Times ascend; the last step holds until `end`. Zero before first use; the buffer is reused from
 * call to call, and ref_proof_free gives it back. */
typedef struct ref_proof {
    ref_proof_step *steps;
    uint32_t count, room;
    double end;
} ref_proof;
void ref_proof_free(ref_proof *proof);

typedef enum ref_verdict {
    REF_UNDECIDED, /* too close to tell, or the cap on steps was reached */
    REF_PROVEN,
    REF_REFUTED
} ref_verdict;

/* Is sigma > margin at every t in [t0, t1]? `margin` may have either sign. Proven by steps of
 * conservative advancement (Mirtich 1996), each along one axis with a bound on the gap
 * that is concave in time (reference/motion/moving_pair.h), all in long double with stated error;
 * `proof` may be NULL. Else `*until` is how far it is proven: sigma > margin on [t0, *until]
 * where *until > t0. REF_REFUTED: sigma <= margin at `*at`, which is proven too, and later than
 * *until. Grazes are undecided where sigma comes within about 2^-57 S of the margin; an
 * answer in f32 or f64 that leaves a few eps S always gets its proof. */
ref_verdict ref_prove_apart(const gjb_pair *pair, double t0, double t1, double margin, ref_proof *proof,
                            double *until, double *at);

/* Checks a proof that sigma > margin on [t0, t1], whoever found it. The first in long double,
 * whose sinl and cosl are trusted to 4 units in the last place; the second with
 * MPFR's proven roundings: slower by an order of magnitude. False: not proven by these axes, or t0, t1 not
 * covered, or times that do not ascend. */
bool ref_check_apart(const gjb_pair *pair, double t0, double t1, double margin, const ref_proof *proof);
bool ref_check_apart_exact(const gjb_pair *pair, double t0, double t1, double margin, const ref_proof *proof);

/* --- Time of impact ---------------------------------------------------------------------- */

/* The first contact, by conservative advancement in long double with distances by
 * ref_signed_distance2/3. GJB_HIT: `time` is never later than the first contact, and sigma(time)
 * at most 8 * 2^-53 S; GJB_OVERLAPPING: sigma(0) is at most that; GJB_SEPARATED: proven apart all
 * through [0, 1]; GJB_ITERATION_LIMIT after REF_TOI_STEPS; GJB_INVALID_INPUT if a number is not
 * finite, a shape has no vertices, a quaternion is zero, or a body turns by more than
 * GJB_MOST_RADIANS. Fields that a status leaves undefined are 0. */
typedef struct ref_toi_answer {
    gjb_status status;
    int iterations;
    double time;
    double normal[3];              /* of a hit: unit, A to B, at that time */
    double point_a[3], point_b[3]; /* of a hit: points nearest to each other */
    double sigma;                  /* at `time`, within 4 * 2^-53 S */
} ref_toi_answer;
enum { REF_TOI_STEPS = 20000 };
void ref_toi(const gjb_pair *pair, ref_toi_answer *out);

/* A contact of ref_toi that is left is ignored: GJB_SEPARATED takes the place of a contact of a pair whose sigma(0) is
 * within `touching` of 0, if sigma stays above -touching, by distances of ref_signed_distance2/3 on the way. The rest
 * stays as it was; so does all if a body turns. */
void ref_toi_leave(const gjb_pair *pair, double touching, ref_toi_answer *out);

/* What is proven of the first contact. */
typedef enum ref_contact {
    REF_NO_CONTACT,    /* apart on [0, 1] */
    REF_CONTACT,       /* apart on [0, lo], in contact at hi or, at an instant, between */
    REF_CONTACT_FIRST, /* in contact at t = 0: exact. lo = hi = 0 */
    REF_CONTACT_CLOSE  /* apart on [0, lo]; then so close that it is not told whether they touch. hi is a
                          time by which they have, or infinite if none is known; also what a search that
                          reference/effort.h cuts ends with */
} ref_contact;

typedef struct ref_toi_truth {
    ref_contact contact;
    double lo, hi;  /* REF_NO_CONTACT: lo is 1, hi infinite */
    bool exact;     /* lo and hi are adjacent doubles, or the exact time lies between such: translation */
    int sign;       /* of sigma(0), exact: -1, 0, 1 */
    ref_bounds start; /* sigma(0): adjacent doubles or equal */
    int steps;      /* of the proof that was checked; 0 for translation, where exact signs are the proof */
} ref_toi_truth;

/* Proven interval of the first contact. Bodies that do not turn: sigma is convex in t, so exact
 * signs of it (oracles of reference.h, moved to the dyadic place at t) at a few times prove all.
 * Bodies that turn: a proof of ref_prove_apart, checked by ref_check_apart_exact, up to where sigma
 * is a few 2^-58 S; contact by the exact oracles on poses rounded to 128 bits. */
void ref_oracle_toi(const gjb_pair *pair, ref_toi_truth *out);
/* Exact: the sign of sigma(t) with bodies that do not turn, and doubles around it. With bodies that
 * turn, doubles around sigma(t) of the poses rounded to 128 bits, widened by that rounding; sign 0
 * if that leaves it open. */
typedef struct ref_sigma {
    int sign;
    double lo, hi;
} ref_sigma;
ref_sigma ref_oracle_sigma_at(const gjb_pair *pair, double t);
/* The same for the sign: if that is not 1 the interval of a curved pair may be wider. `tied`, false to begin with:
 * a search for its depth came to no end, and those that follow are shorter. */
ref_sigma ref_oracle_sign_at(const gjb_pair *pair, double t, bool *tied);

/* --- Sweep of boxes ---------------------------------------------------------------------- */

/* Two boxes, by the least and greatest coordinates of their vertices (kinds point, box, aabb; no
 * rotation, angle or radius, which are not looked at), in rational arithmetic: exact, and rounded
 * once. `growth` widens the pair: both boxes are in contact where their gap along every axis is at
 * most `growth` (0: the boxes as they are; negative: shrunk). */
typedef struct ref_sweep_truth {
    gjb_status status;    /* exact: GJB_HIT, GJB_OVERLAPPING (touching at t = 0 included), GJB_SEPARATED */
    double first[2];      /* adjacent doubles around the first contact, or equal if it is one; 0 unless hit */
    double last[2];       /* the same of the last in [0, 1]; 0 if separated */
    uint32_t faces;       /* hit: faces of A that the first contact is on, exactly at once; bit 2 axis is the
                             one with normal -1 along the axis, bit 2 axis + 1 with +1 */
    double clearance[2];  /* adjacent doubles around, or equal to, the least growth at which they would be in
                             contact at some t in [0, 1]: the least over t of the greatest gap along any axis.
                             > 0 for a miss; <= 0: how deep they go */
    double point[3];      /* centre of the region in contact at the first contact, or of the shared one at t = 0,
                             by the boxes as they are; relative to A's translation then; rounded */
} ref_sweep_truth;
void ref_oracle_sweep(const gjb_pair *pair, double growth, ref_sweep_truth *out);

/* The boxes at a given time: for each axis exact signed gap, > 0 apart, the negative least overlap
 * otherwise, with the sign of the face of A that looks at B, and the region in contact. */
typedef struct ref_sweep_state {
    double gap[3][2];   /* by axis: adjacent doubles around it, or equal */
    int side[3];        /* 1: B is beyond A's upper face, -1: beyond its lower face: the face with the greater gap */
    double region[3][2]; /* by axis: shared interval relative to A's translation at t, rounded; if they are
                            apart along it, the interval between them, in ascending order */
} ref_sweep_state;
void ref_sweep_at(const gjb_pair *pair, double t, ref_sweep_state *out);

/* Scalar sweep: the exact answer, times rounded to the safe side: first contact down, last up.
 * GJB_INVALID_INPUT if a number is not finite or a shape has no vertices. */
typedef struct ref_sweep_answer {
    gjb_status status;
    double time, last;
    double normal[3], point[3];
} ref_sweep_answer;
void ref_sweep(const gjb_pair *pair, ref_sweep_answer *out);

#endif
