/* Inside the reference room: a pair in motion in long double, of either dimension: the plane is
 * space with third coordinates 0, and rotations are matrices, so that one code serves both.
 *
 * What a gap does over time. Let the axis be n(tau) = R(tau s) n with s square to n, or 0; a body turn by the
 * rotation vector w in the step; r(tau) be the place of a point about its origin. Then
 *     d/dtau n.r = n.((w - s) x r), and
 *     |d2/dtau2 n.r| <= |s|^2 |r| + 2 |s||w| aside + |w|^2 aside,
 * aside the distance from the body's axis, for s = 0 even |w|^2 |n across w| aside: Taylor's formula bounds
 * how far a body reaches along n for all tau > 0 by one support in the direction n + tau n x (w - s), and a
 * parabola. Another bound, for s = 0 and what turns fast, is the cylinder that the body stays in whatever
 * its angle. With c the offset of B to A and d that of their displacements, likewise
 *     d/dtau n.c = (s x n).c + n.d, |d2/dtau2 n.c| <= |s|^2 |c| + 2 |s||d|.
 * So the lower bound on the gap at t + tau is concave in tau: positive at both ends of an interval it is so
 * within. With s the turn of the feature that n is square to, the rate is that of the distance itself.
 */
#ifndef REF_MOVING_PAIR_H
#define REF_MOVING_PAIR_H

#include "reference/curved/curved.h"
#include "reference/motion/motion.h"

typedef struct ref_moving {
    ref_solid core;     /* in its local frame; vertices or curved */
    uint32_t dim;
    ref_real radius;    /* core.ball */
    ref_real rest[3][3];     /* rotation at t = 0; of no unit length but nearly, in the plane */
    ref_real turn[3], speed; /* rotation vector of the step, and its length */
    ref_real axis[3];        /* its direction; 0 if it does not turn */
    ref_real reach;          /* farthest point of the core from the origin, */
    ref_real aside;          /* and from the axis: from above */
    ref_real least, most;    /* along the axis: from outside */
} ref_moving;

typedef struct ref_mover {
    ref_moving body[2];
    ref_real offset[3]; /* of B's translation to A's at t = 0 */
    ref_real drift[3];  /* of their displacements */
    ref_real radii;
    bool is_curved;     /* or one is a half-space: */
    int plane;          /* 1: A, 2: B; 0: neither. Then the only axis is its normal, which turns as it does */
    ref_curved rest;    /* of a curved pair, at t = 0 */
    ref_real size;      /* S */
    ref_real doubt;     /* no gap along a unit direction, nor bound on it, is computed worse */
} ref_mover;

typedef struct ref_posed {
    const ref_mover *mover;
    double t;
    ref_real rotation[2][3][3];
    ref_real offset[3];
} ref_posed;

/* False if a number is not finite, a shape empty, a quaternion 0, or an angle beyond GJB_MOST_RADIANS. */
bool ref_mover_open(ref_mover *mover, const gjb_pair *pair);
void ref_mover_pose(const ref_mover *mover, double t, ref_posed *posed);
/* Largest n.r over the core of a body about its own origin, n of any length, and where; `place` may be NULL. */
ref_real ref_mover_support(const ref_posed *posed, int body, const ref_real n[3], ref_real place[3]);
/* Lower bound on sigma that unit n gives, within mover->doubt. */
ref_real ref_mover_gap(const ref_posed *posed, const ref_real n[3]);

/* An axis that turns. */
typedef struct ref_axis {
    ref_real normal[3]; /* unit */
    ref_real spin[3];   /* square to it, up to rounding: radians in unit time; of a half-space its own, square or not,
                           for which the bounds above hold, too */
} ref_axis;
/* The half-space's normal, from A to B, and its spin. */
void ref_mover_plane(const ref_posed *posed, ref_axis *axis);

/* Bounds on how far a body may reach along a direction: by Taylor's formula or by its cylinder; bit 0
 * for A, bit 1 for B says cylinder. */
enum { REF_BOUNDS_ON_GAP = 4 };
/* The four lower bounds on sigma(t + tau) along an axis, less mover->doubt: each is concave in tau >= 0, for
 * t + tau up to 1. Those that do not hold for an axis that turns are -infinity. */
void ref_mover_bounds(const ref_posed *posed, const ref_axis *axis, ref_real tau,
                      ref_real bound[REF_BOUNDS_ON_GAP]);

/* Of a curved pair: as it lies at the pose. */
ref_curved ref_mover_curved(const ref_posed *posed);

/* Distance of the cores at the pose, by GJK (Gilbert, Johnson, Keerthi 1988) in long double: an axis
 * to be judged by its gap, and a point of each core. */
typedef struct ref_nearby {
    bool apart;         /* false: the cores meet, up to rounding, and all else is of no use */
    ref_real distance;
    ref_axis axis;      /* A to B; its spin is the turn of the features that it is square to */
    ref_real point[2][3]; /* relative to A's translation at t */
    ref_real inside;    /* where the nearest feature of B - A is of one dimension less than space or plane: how
                           far the nearest point lies from the border of a simplex of it, square to the axis;
                           else 0 */
    int iterations;
} ref_nearby;
/* `from`: a direction to begin with; 0 for any. */
void ref_mover_distance(const ref_posed *posed, const ref_real from[3], ref_nearby *out);

#endif
