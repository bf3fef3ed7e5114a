/* One pair in plain numbers, to be changed at will: shapes as stored, poses, motions. What it becomes as a
 * scene is rounded to its precision and passes the same checks as a file. */
#ifndef GJB_FUZZ_EDITABLE_PAIR_H
#define GJB_FUZZ_EDITABLE_PAIR_H

#include "scenes/scene.h"

/* A body. Rows as scenes store them (gjkbench/types.h), third coordinates 0 in 2D. */
typedef struct gjb_edit_body {
    gjb_kind kind;
    uint32_t count;
    double radius;
    double place[3];  /* translation */
    double turn[4];   /* c, s; in 3D the quaternion x, y, z, w */
    double motion[6]; /* displacement, then angle or rotation vector: from [dim] on, as in
                         gjb_scene_set_motion */
    double rows[GJB_MAX_VERTICES][3];
} gjb_edit_body;

/* A quarter of a megabyte: not for stacks. */
typedef struct gjb_edit {
    uint32_t dim;
    gjb_precision precision;
    double margin; /* of manifold, else without a meaning */
    double within; /* of intersect and distance, likewise */
    uint32_t leaving; /* of toi, likewise: a gjb_leaving */
    int moving; /* 1: a pair of a query about motion; else motions are not written */
    gjb_edit_body body[2];
} gjb_edit;

/* Pair `index` of a frame. `moving` is whether the frame has motions. */
void gjb_edit_load(gjb_edit *edit, const gjb_scene *scene, uint32_t frame, uint64_t index);
void gjb_edit_copy(gjb_edit *to, const gjb_edit *from); /* rows in use alone */
/* A scene of that one pair, rounded and checked. NULL with `error` (may be NULL) if it is none that
 * gjb_scene_check lets in. The caller frees it. */
gjb_scene *gjb_edit_scene(const gjb_edit *edit, gjb_error *error);
/* Writes it as pair `index` of frame 0 of a scene of its dimension and precision that has room for that:
 * shapes and bodies 2 index and 2 index + 1, rows from `first` on. Unchecked. 0, or -1 when memory does not
 * suffice. */
int gjb_edit_put(const gjb_edit *edit, gjb_scene *scene, uint64_t index, uint32_t first);
/* Rounds and repairs the edit to what its scene says. 0, or -1 if it has no valid scene; it is then
 * as it was. */
int gjb_edit_settle(gjb_edit *edit);
/* The same numbers? */
int gjb_edit_equal(const gjb_edit *a, const gjb_edit *b);

/* Makes it a pair that sweep takes: unturned points and boxes without radius that do not spin. */
void gjb_edit_square(gjb_edit *edit);

/* Local vertices of the core, boxes as their corners, counter-clockwise in 2D; of a curved kind points of its
 * axes. At least one. `out` has room for GJB_MAX_VERTICES. Returns how many. */
uint32_t gjb_edit_corners(const gjb_edit *edit, uint32_t which, double (*out)[3]);
/* From local axes to those of the world (of any length), and back. */
void gjb_edit_turn(const gjb_edit *edit, uint32_t which, const double in[3], double out[3]);
void gjb_edit_unturn(const gjb_edit *edit, uint32_t which, const double in[3], double out[3]);
/* Largest distance of a shape's points from its local origin, and S of the pair at rest. */
double gjb_edit_reach(const gjb_edit *edit, uint32_t which);
double gjb_edit_size(const gjb_edit *edit);
/* The next number of the precision, `steps` of them away. */
double gjb_edit_step(gjb_precision precision, double value, int steps);

#endif
