/* Pairs for the targets of queries, small enough that an oracle has its word on thousands a minute. */
#ifndef GJB_FUZZ_TARGETS_PAIR_BYTES_H
#define GJB_FUZZ_TARGETS_PAIR_BYTES_H

#include <stdint.h>

#include "scenes/scene.h"

enum { GJB_PAIR_VERTICES = 40 };

/* A valid scene of two bodies and one pair, of dimension `only`, or of any if that is 0. The bytes are a scene file,
 * JSON or binary, or anything else, which means two shapes with at most GJB_PAIR_VERTICES vertices and their poses, in
 * motion or at rest: each number keeps its bits but for its exponent, which is folded into 2^-20 .. 2^19. NULL when they
 * come to no valid pair, to one of another dimension, or to a scene file of another sort. The caller frees it. */
gjb_scene *gjb_pair_from_bytes(const uint8_t *data, size_t size, uint32_t only);

#endif
