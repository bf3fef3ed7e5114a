/* Which vertices of a large polygon can be extreme along directions of a range. */
#ifndef GJB_SIMD_RANGES2_H
#define GJB_SIMD_RANGES2_H

#include "simd/library.h"

/* Directions are in as many ranges as the record has quads: equal parts of the way around (a square of perimeter 4)
 * from -x on. For each, the numbers of axes before it, and up to its end: the extreme vertex of a direction in it is
 * between. The last axis is left out if the record has no place for the vertex after it. */
typedef struct gjb_range {
    uint32_t first, end;
} gjb_range;

/* A record of n vertices: x[n] y[n], a point inside, the number of corners, nothing, these. A range takes two reals at
 * most. */
static inline gjb_range *gjb_ranges(const real *record, uint32_t n)
{
    return (gjb_range *)(void *)(real *)(uintptr_t)(record + 2 * (size_t)n + 4);
}

/* Different ones. */
#define gjb_corners(record, n) ((record)[2 * (size_t)(n) + 2])

#endif
