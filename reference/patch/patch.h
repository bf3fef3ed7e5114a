/* The exact contact patch of two polytopes along a normal, in the plane and in space (docs/manifolds.md).
 *
 * Frame and units as in gjkbench/types.h: vectors in world axes, points relative to A's translation, lengths
 * in the units of the pair. The normal points from A to B.
 *
 * Method. The vertices go to one grid of integers (reference/oracle). A vertex belongs to a shape's feature if
 * its normal cone has a direction within the angle of the normal: the direction of the cone that is nearest to
 * the normal is found by an active set method (Lawson and Hanson 1974, chapter 23), with exact signs. The
 * feature is the convex hull of these vertices. Both features are projected along the normal, and one is clipped
 * by the lines of the other (Sutherland and Hodgman 1974) in rationals. Only what is reported is rounded. */
#ifndef REF_PATCH_H
#define REF_PATCH_H

#include "core/types.h"

/* Sine of the angle within which a face, edge or vertex counts as extreme along the normal: 0.895 degrees. */
#define REF_PATCH_SINE 0x1p-6
/* Of the size of the best points that fit the count, the share that points kept have to span. */
#define REF_PATCH_SHARE 0.5
enum { REF_PATCH_POINTS = 4 }; /* that fit the count in space; in the plane a patch has 2 corners at most */

typedef struct ref_patch_question {
    double normal[3]; /* from A to B, finite, not 0, of any length; in the plane normal[2] is not looked at */
    double sine;      /* of the angle, 0 <= sine < 1: REF_PATCH_SINE, or another one for tests */
    double margin;    /* contacts are wanted up to this separation, radii taken off; INFINITY: all */
    double near;      /* >= 0: features whose projections miss each other by no more lie over one
                         another; about corners by a square of so much either way. 0: exactly */
    double slack;     /* >= 0: a corner that is separated by so much more than the deepest one is as deep */
} ref_patch_question;

typedef struct ref_patch_corner {
    double point_a[3], point_b[3]; /* on the shapes, radii included; point_b - point_a = separation * unit normal */
    double separation;             /* negative: overlap */
} ref_patch_corner;

/* Zero before first use; the buffer is reused from call to call, and ref_patch_free gives it back. */
typedef struct ref_patch {
    uint32_t count;            /* of corners: 0 if nothing lies over one another within the margin, 1 a point, 2 a
                                  segment, 3 and more a strictly convex polygon */
    ref_patch_corner *corners; /* counter-clockwise to who looks against the normal; of 3 and more */
    double size;               /* area of 3 and more, length of 2, 0 of a point; seen along the normal */
    double deepest;            /* the least separation of any corner; 0 if there is none */
    uint32_t best_count;       /* of the corners that span most, at most REF_PATCH_POINTS: all, if they fit, else those
                                  of largest area with one of the deepest among them */
    uint32_t best[REF_PATCH_POINTS]; /* their indices, ascending */
    double share;              /* of the size that the best span: 1 if all corners fit, 0 if there is none */
    uint32_t feature[2];       /* corners of the projected features of A and of B: 1 vertex, 2 edge, 3 and more face */
    uint32_t room;
} ref_patch;

/* The patch of cores with vertices, any radii. A shape means the hull of its stored vertices in any order; vertices
 * may be repeated or lie within, and shapes may be flat, segments or points. Whether the pair is apart is not asked.
 *
 * Corners, their order, what fits the count and the shares are decided exactly, but for these: `near` is rounded up
 * and the margin to nearest, each within 2^-50 of itself; with near > 0 the patch may go beyond the margin by what the
 * faces of the feature that is grown rise by over `near`. Numbers reported are rounded once or twice from exact ones:
 * each coordinate within 2^-50 of the largest of the pair.
 *
 * Where more than one face is within the angle, the feature is the hull of their vertices: at its inside it may run
 * below the shape's surface, by no more than its width times the tangent of the angle.
 *
 * Preconditions: numbers of the pair are finite, a quaternion is not 0. Ends the program, as a defect of the caller,
 * if a core is curved or has no vertices, or the question is not as stated; and when memory does not suffice, as GMP
 * does. Thread-safe. Takes time of the order of the cube of the vertices of a feature that are not in one plane. */
void ref_patch_find(const gjb_pair *pair, const ref_patch_question *question, ref_patch *out);
void ref_patch_free(ref_patch *patch);

#endif
