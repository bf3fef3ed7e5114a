/* Pairs of which one shape is a half-space: one at a time, in double, by one support along the plane's normal. Compiled
 * once, at baseline: all backends call the same code. Other pairs of the library never come here, and kernels take
 * half-spaces for invalid shapes. */
#ifndef GJB_SIMD_HALFSPACE_H
#define GJB_SIMD_HALFSPACE_H

#include "simd/library.h"

/* gjb_library.planes of shapes. NULL: there is no half-space, or memory ran out, which `failed` says. */
double (*gjb_halfspace_planes(const gjb_shapes *shapes, int *failed))[PLANE_NUMBERS];

/* Writes the records of those pairs of a batch of which a shape is a half-space, over what kernels made of them. `room`:
 * what the workspace has for the fallback path. */
void gjb_halfspace_run(const gjb_library *library, const gjb_batch *batch, double *room);

/* How far the core of a body, bounded, reaches along n, of any length but 0, about its translation: in double, within
 * a few roundings, for any precision. Lengths count times `scale`, which leaves room for their squares. */
double gjb_halfspace_reach(const gjb_library *library, const gjb_batch *batch, uint32_t index, double scale,
                           const double n[3]);

#endif
