/* Which vertices of a large polygon can be extreme along directions of a range. */
#ifndef GJB_SIMD_RANGES2_H
#define GJB_SIMD_RANGES2_H

#include "simd/library.h"

/* Directions are in twice as many ranges as the record has quads: equal parts of the way around (a square of perimeter
 * 4) from -x on. For each, the number of axes before it: its directions' extreme vertex is found from there by climbing
 * along edges. */
#define RANGES_OF_QUAD 2

/* A record of n vertices: x[n] y[n], a point inside, the number of corners, a real that is not used, ranges. */
static inline real *gjb_ranges(const real *record, uint32_t n)
{
    return (real *)(uintptr_t)(record + 2 * (size_t)n + 4);
}

/* How many corners a record of n vertices has; the other vertices repeat the first. */
static inline real gjb_corners(const real *record, uint32_t n)
{
    return record[2 * (size_t)n + 2];
}

#endif
