/* Warm start of a scene's pairs: the axes of the frame before, and where in them a
 * pair of this frame stands. */
#ifndef GJB_CONTENDERS_WARM_AXES_H
#define GJB_CONTENDERS_WARM_AXES_H

#include "contenders/harness.h"

typedef struct gjb_warm gjb_warm;

/* Answers a frame with `axes`, a packed array that it replaces by that of its answers. */
typedef void gjb_warm_ask(void *user, uint32_t frame, void *axes);

/* Goes through the scene once, each frame warm from the one before. In a scene of one frame the
 * frame before is that frame. NULL when memory does not suffice. Free with gjb_warm_free. */
gjb_warm *gjb_warm_make(const gjb_scene *scene, gjb_start start, gjb_warm_ask *ask, void *user);
void gjb_warm_free(gjb_warm *warm); /* NULL is fine */

size_t gjb_warm_axis(const gjb_warm *warm);   /* bytes of one */
uint64_t gjb_warm_known(const gjb_warm *warm); /* pairs of the scene that have an axis to start from */
size_t gjb_warm_most(const gjb_warm *warm);   /* pairs of the largest frame */

/* For callers that keep an axis a pair and have new pairs: for pairs [first, first + count) of
 * a frame, the axes of the same bodies' last answer, 0 if there is none, to `axes`. */
void gjb_warm_gather(const gjb_warm *warm, uint32_t frame, uint64_t first, uint64_t count, void *axes);

#endif
