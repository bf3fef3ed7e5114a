/* Scenes of given hulls. */
#ifndef GJB_SCENES_MESH_HULLS_H
#define GJB_SCENES_MESH_HULLS_H

#include "scenes/mesh/hull3.h"
#include "scenes/scene.h"

enum { GJB_MEETING_PAIRS_MOST = 1 << 24 }; /* of compounds */

/* Which bodies meet, and how. */
typedef struct gjb_meeting {
    int next_only; /* 1: hull i meets hull i + 1, and the last the first; 0: each meets itself and every
                      later one */
    /* > 0: the distance of the pair. < 0: from touching, B is moved by that
     * much towards A's middle: they overlap by at most that. 0: both, in
     * turn, by a tenth of the smaller hull's half extent. Exact except for the
     * rounding of B's translation. */
    double gap;
    uint64_t seed; /* of the rotations and directions */
    uint64_t shallow; /* out: pairs in which B reached A's middle before it was moved that far */
    /* Of compounds: how many of the hulls are the parts of the first, of the second, and so on. Compounds meet
     * then, by the hull of all their parts: if that says that they overlap, one may still lie in a hollow of the other.
     * NULL: each hull is on its own. */
    const uint32_t *parts;
    uint32_t compound_count;
} gjb_meeting;

/* The kind of shape that a hull is: a triangle, segment or point if it has no more vertices. */
gjb_kind gjb_hull_kind(const gjb_hull3 *hull);

/* Shape i is hull i (a triangle, segment or point if it has no more
 * vertices). Each pair has two bodies of its own; with a gap of 0 each pair of
 * hulls comes twice. A pair of compounds has a body for each part of either, and
 * all pairs of their parts. NULL with one line in
 * `error`: no hulls, too many vertices for a shape or bodies for a scene, a
 * coordinate that the precision cannot hold, out of memory. */
gjb_scene *gjb_hulls_meet(const gjb_hull3 *hulls, uint32_t count, gjb_precision precision,
                          gjb_meeting *meeting, gjb_error *error);

/* One library of the hulls of several 3D scenes, in their order, other shapes
 * left out; f64 as soon as one of the scenes is. It has a body of its own and no
 * pairs. NULL with one line in `error`: more than a scene or memory holds. */
gjb_scene *gjb_hulls_join(gjb_scene *const *scenes, size_t count, gjb_error *error);

/* The hulls that ship, in the order of data/hulls/README.md; f32, 3D. Part of
 * the program, so that a workload of them is the same wherever it runs; read
 * once, by any thread, and never freed. NULL when memory did not suffice. */
const gjb_shapes *gjb_hulls_shipped(void);

#endif
