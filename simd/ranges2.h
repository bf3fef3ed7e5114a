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

/* Added to both in a record: registers that are read on past y must not hold subnormal numbers, with which products are
 * slow. */
#define RANGE_MARK 0x40000000u

/* A record of n vertices: x[n] y[n], a point inside, the number of corners, a real that is not used, ranges. A range
 * takes at most two reals. */
static inline gjb_range *gjb_ranges(const real *record, uint32_t n)
{
    return (gjb_range *)(void *)(real *)(uintptr_t)(record + 2 * (size_t)n + 4);
}

static inline gjb_range gjb_range_of(const real *record, uint32_t n, uint32_t k)
{
    const gjb_range r = gjb_ranges(record, n)[k];
    return (gjb_range){r.first - RANGE_MARK, r.end - RANGE_MARK};
}

/* How many corners a record of n vertices has; the other vertices repeat the first. */
static inline real gjb_corners(const real *record, uint32_t n)
{
    return record[2 * (size_t)n + 2];
}

#endif
