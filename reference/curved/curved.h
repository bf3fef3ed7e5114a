/* Inside the reference room, and for grading: pairs in which a core is curved, in long double.
 *
 * A body is its core, placed, and a ball about each point of it. D = { b - a } of the cores; for a unit n,
 * gap(n) is the least n.w over D, and sigma of the cores is the largest gap over all n, whether the origin
 * is outside D (distance) or inside (minus the depth). Frame: world axes about A's translation; the plane
 * is space with third coordinates 0. A pair whose cores are both polytopes is taken too.
 *
 * Bounds. A support point found for a direction n, however badly, is a point of the core within rounding:
 * ellipsoid, cylinder and cone have closed forms, and of |x/a|^p + ... <= 1 the point
 *     m_i = |a_i n_i|, t_i = m_i / max m, rho_i = t_i^(1/(p-1)), x_i = a_i sign(n_i) rho_i (sum rho^p)^(-1/p)
 * is on the surface whatever rho is. A rho that is off by d units is right for a direction off by (p-1) d units, along
 * which a support point falls short by at most twice that times the core's reach. rho and rho^p are powers of two of one
 * logarithm, l and p l: 8 units of l and of each power make d at most 8 (|l| + 1), of which (p-1) |l| times rho^(p-1), by
 * which the direction counts, is below 1; so all that is below 320 units. x is off from the surface by what rho^p is next
 * to the power of the rounded rho, 8 + 8 p (1 + |l|) rho^p units of N^p, a p-th of that of itself, and 16 of the sum: below 60. In all
 * below 512 units of 2^-64 of the reach. Placing takes 96 more for each unit of length, of a reach twice: ref_curved.error
 * is 96 units of `size`, in which a reach counts twice, and 512 of the reach of each core that takes powers. The tests
 * compare with MPFR. */
#ifndef REF_CURVED_H
#define REF_CURVED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/types.h"
#include "reference/vector.h"

typedef struct ref_solid {
    gjb_kind kind;      /* one with vertices: by rows; else curved, or a half-space (halfspace.h) */
    uint32_t dim, count;
    const double *rows; /* vertices, `dim` numbers each; borrowed */
    ref_real semi[3];   /* semi-axes; of a cylinder or cone r, r, h; of a half-space its unit normal */
    ref_real exponent;  /* of a superellipse or superellipsoid; of a half-space how far its plane is along that */
    ref_real turn[3][3], offset[3]; /* local to frame */
    ref_real ball;      /* its radius, and what the core was shrunk by */
    ref_real shrunk;    /* the core is smaller by a ball of this radius than `kind` says */
    ref_real reach;     /* no point of the core is farther from its local origin */
} ref_solid;

typedef struct ref_curved {
    uint32_t dim;
    ref_solid body[2];
    ref_real size;  /* sum of all lengths that take part, at least S */
    ref_real error; /* of any gap, support point or bound along a unit direction */
    ref_real lean, pivot[2]; /* of a plane that stands for space: B is turned by that angle, one way or the other, about
                                that point; 0 else */
} ref_curved;

/* Of one pair, as stored. `pair` is borrowed; its numbers are finite, no shape is empty, no quaternion 0. */
void ref_curved_open(ref_curved *curved, const gjb_pair *pair);
/* The same with other poses: rotations, and the translation of B relative to A's. In the plane the rotation's
 * upper left is used. */
void ref_curved_open_at(ref_curved *curved, const gjb_pair *pair, const ref_real turn[2][3][3],
                        const ref_real offset[3]);
/* Is a core curved, or a half-space? */
bool ref_is_curved(const gjb_pair *pair);
bool ref_is_curved2(const gjb_pair2 *pair);
bool ref_is_curved3(const gjb_pair3 *pair);

/* One core in its local frame, the radius its ball. A ball becomes a point. `scale`: by which the rotations that it
 * will get lengthen. */
void ref_solid_open(ref_solid *solid, gjb_kind kind, uint32_t dim, uint32_t count, const double *rows,
                    double radius, ref_real scale);
/* Largest n.x over a core, and a point x there. n is unit up to rounding, or of any length if nothing was shrunk. */
ref_real ref_solid_support(const ref_solid *solid, const ref_real n[3], ref_real x[3]);
/* How much of the ball that would roll in an ellipsoid of the same semi-axes (least^2 / most) rolls in a curved core; 1 of
 * an ellipsoid, 0 of a core with edges and of exponent 1. Derived in curved_roundness.c. Below exponent 2 it does not
 * hold for directions within e^-60 of a plane of two axes; there it is too large by nothing next to `error`. */
ref_real ref_solid_roundness(const ref_solid *solid);
/* Of curved cores, from above: no point is farther from the line through the local origin along a unit vector of the local frame. */
ref_real ref_solid_aside(const ref_solid *solid, const ref_real axis[3]);
/* Roundings that a support point of this core may be off, in units of 2^-64 of its reach. */
ref_real ref_solid_units(const ref_solid *solid);

/* A vertex of D for the direction n: the w = b - a that minimises n.w. */
typedef struct ref_corner {
    ref_real place[2][3], w[3];
} ref_corner;
ref_corner ref_curved_corner(const ref_curved *curved, const ref_real n[3]);
/* Support gap of the shapes, balls included, along n (of any length but 0), within `error`. */
ref_real ref_curved_gap(const ref_curved *curved, const ref_real n[3]);
/* Distance of a point to shape A or B, 0 inside, within 2 * error of the pair and of the point. */
ref_real ref_curved_point_distance(const ref_curved *curved, int of_b, const ref_real point[3]);

/* What is known of sigma. */
typedef struct ref_enclosure {
    ref_real lower, upper; /* proven: lower <= sigma <= upper */
    ref_real normal[3];    /* unit, A to B: proves `lower` up to the error */
    ref_real point[2][3];  /* on A and B, as far from each other as sigma along the normal says */
    uint32_t corners;      /* support points that it took, of both bodies together */
    bool capped;           /* `most` was reached, and the interval is wider than asked */
} ref_enclosure;
/* An interval that is as narrow as `width`, a 32nd of it and twice the error, unless that took more than `most` corners.
 * Points are looked for only where asked. Apart: a separating axis, and points of both. Overlapping: branch and
 * bound over directions. Depths that all but tie around an axis or on part of the way, where cells do not end: with points
 * they are looked for, and proven to 2^-50 of the size, around it (curved_axis_upper.h, curved_axis_lower.h). Where that fails, a part
 * of `most` is taken of cores that are all but round, else all of it. */
void ref_curved_enclose(const ref_curved *curved, ref_real width, uint32_t most, bool points,
                        ref_enclosure *out);
/* The same, but a depth is first looked for, and proven by few cells (curved_few_cells.h); not so if the effort is asked
 * slowly. */
void ref_curved_enclose_quickly(const ref_curved *curved, ref_real width, uint32_t most, bool points,
                                ref_enclosure *out);
/* The same with points, for a distance: if the shapes overlap, or do so within the error, `lower` is wide, and normal
 * and points are any. */
void ref_curved_enclose_distance(const ref_curved *curved, ref_real width, uint32_t most, ref_enclosure *out);

/* The parts. Bounds of the cores' distance by GJK (Gilbert, Johnson, Keerthi 1988), D moved by -target, from a
 * first direction (0 for any), until they are within `width`, or rounding ends progress. `points`: until those of one
 * simplex are. */
typedef struct ref_near {
    ref_real lower, upper; /* proven up to the error; of cores that meet lower is what some axis proves, maybe little */
    ref_real axis[3];      /* of `lower` */
    ref_real normal[3];    /* of the simplex whose own bounds met best, which may be another one, */
    ref_real point[2][3];  /* and its points */
    uint32_t corners;
} ref_near;
void ref_curved_nearest(const ref_curved *curved, const ref_real target[3], const ref_real from[3],
                        ref_real width, bool points, ref_near *out);
/* The same about the origin, by way of smaller cores: bounds, and points on the cores, are good if they overlap by less
 * than those are smaller, too; lower and upper are then below 0. */
void ref_curved_approach(const ref_curved *curved, const ref_real from[3], ref_real width, ref_near *out);

/* Least support of D over all unit directions, the depth if the origin is in D: found for `normal`, from above, and
 * proven from below. In: a normal to begin with, and `highest` the depth that it proves. */
typedef struct ref_depth {
    ref_real lowest, highest;
    ref_real normal[3];
    uint32_t corners;
    bool capped;
} ref_depth;
void ref_curved_depth(const ref_curved *curved, ref_real width, uint32_t most, ref_depth *depth);
/* The corner of D along the unit normal `n`, whose support -n.w becomes the depth's if it is the lowest so far. */
ref_corner ref_depth_try(const ref_curved *curved, const ref_real n[3], ref_depth *depth);

#endif
