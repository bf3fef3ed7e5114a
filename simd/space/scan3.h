/* The support mapping of one hull as it is stored, its vertices across a register. They are compared in their stored
 * precision: the one found may be a few of its roundings short of the extreme. */
#ifndef GJB_SIMD_SCAN3_H
#define GJB_SIMD_SCAN3_H

#include "simd/lanes/lanes.h"
#include "simd/library.h"

/* Vertices of a record: x[group] y[group] z[group] of each group, one or more. */
typedef struct hull3 {
    const real *vertices;
    const real *balls; /* NULL: all are looked at */
    uint32_t count, group;
} hull3;

/* Vertices in a group of a record of so many. */
LANE_FN uint32_t hull_group(uint32_t vertices)
{
    return vertices > 4 * LANE_QUADS ? GROUP : vertices;
}

/* Of the record of a hull of so many quads. */
LANE_FN hull3 hull_of_record(const real *rec, unsigned quads)
{
    return (hull3){rec + 4 * gjb_library_head(quads), quads > ALL_QUADS ? rec + LINE_REALS : NULL, 4 * quads,
                   hull_group(4 * quads)};
}

LANE_FN vr reach3(const real *x, const real *y, const real *z, vr dx, vr dy, vr dz)
{
    return v_add(v_add(v_mul(dx, v_load(x)), v_mul(dy, v_load(y))), v_mul(dz, v_load(z)));
}

static inline const real *vertex_of(const hull3 *c, uint32_t i)
{
    return c->vertices + (c->group == GROUP ? 3 * (i / GROUP * GROUP) + i % GROUP : i);
}

static inline const real *group_of(const hull3 *c, uint32_t g)
{
    return c->vertices + 3 * GROUP * g;
}

/* The best vertex so far, one in each lane. */
typedef struct best3 {
    vr reach, index;
} best3;

/* The lowest index wins ties if entries come in order. */
LANE_FN void consider(best3 *best, vr reach, vr index)
{
    vm later = v_gt(reach, best->reach);
    best->reach = v_max(reach, best->reach);
    best->index = v_sel(later, index, best->index);
}

/* Scans the group that begins with the vertices of `index`. Returns the index of the next. */
LANE_FN vr look_at_group(const real *x, vr dx, vr dy, vr dz, vr index, best3 *best)
{
    for (uint32_t i = 0; i < GROUP; i += LANES, x += LANES) {
        consider(best, reach3(x, x + GROUP, x + 2 * GROUP, dx, dy, dz), index);
        index = v_add(index, v_set(LANES));
    }
    return index;
}

/* How far the balls from g on reach along d. */
LANE_FN vr ball_reach(const hull3 *c, uint32_t g, vr dx, vr dy, vr dz)
{
    const uint32_t slots = (uint32_t)gjb_library_balls(c->count / 4);
    const real *x = c->balls + g;
    return v_add(reach3(x, x + slots, x + 2 * slots, dx, dy, dz), v_load(x + 3 * slots));
}

/* Scans the group whose ball reaches farthest, then all groups whose balls reach beyond
 * its best vertex. */
static uint32_t extreme_of_groups(const hull3 *c, vr dx, vr dy, vr dz)
{
    const uint32_t groups = c->count / GROUP;
    const vr index = v_ramp();
    best3 ball = {ball_reach(c, 0, dx, dy, dz), index}, best = {v_set(-REAL_MAX), index};
    for (uint32_t g = LANES; g < groups; g += LANES)
        consider(&ball, ball_reach(c, g, dx, dy, dz), v_add(v_set((real)g), index));
    look_at_group(group_of(c, v_top_index(ball.reach, ball.index)), dx, dy, dz, index, &best);
    const vr bar = v_set(v_largest(best.reach));
    best = (best3){v_set(-REAL_MAX), index};
    for (uint32_t g = 0; g < groups; g += LANES) {
        vm short_of = v_lt(ball_reach(c, g, dx, dy, dz), bar);
        for (unsigned bits = ~m_bits(short_of) & ALL_LANES; bits; bits &= bits - 1) {
            const uint32_t at = g + (uint32_t)__builtin_ctz(bits);
            look_at_group(group_of(c, at), dx, dy, dz, v_add(v_set((real)(at * GROUP)), index), &best);
        }
    }
    return v_top_index(best.reach, best.index);
}

/* Vertices that one word of bits stands for. */
enum { BLOCK = 64, BLOCK_ROWS = BLOCK / LANES, GROUP_ROWS = GROUP / LANES };

/* Which of up to BLOCK_ROWS rows of reaches hold the largest, a bit for each vertex. */
LANE_FN uint64_t holders(const vr *reach, uint32_t rows, vr largest)
{
    uint64_t bits = 0;
    for (uint32_t r = 0; r < rows; r++)
        bits |= (uint64_t)m_bits(v_eq(reach[r], largest)) << (r * LANES);
    return bits;
}

LANE_FN vr group_row(const real *x, uint32_t row, vr dx, vr dy, vr dz)
{
    x += row / GROUP_ROWS * (3 * GROUP) + row % GROUP_ROWS * LANES;
    return reach3(x, x + GROUP, x + 2 * GROUP, dx, dy, dz);
}

/* Of a block of so many rows, a constant: they stay in registers. The last if its reach is no number. */
LANE_FN uint32_t extreme_of_block(const real *x, uint32_t rows, vr dx, vr dy, vr dz)
{
    vr reach[BLOCK_ROWS], best = reach[0] = group_row(x, 0, dx, dy, dz);
    for (uint32_t r = 1; r < rows; r++)
        best = v_max(reach[r] = group_row(x, r, dx, dy, dz), best);
    const uint64_t last = (uint64_t)1 << (rows * LANES - 1);
    return (uint32_t)__builtin_ctzll(holders(reach, rows, v_set(v_largest(best))) | last);
}

/* Of more than a block, whose rows do not fit in registers. */
LANE_FN uint32_t extreme_of_rows(const hull3 *c, vr dx, vr dy, vr dz)
{
    vr index = v_ramp();
    best3 best = {v_set(-REAL_MAX), index};
    for (const real *x = c->vertices; x < c->vertices + 3 * c->count; x += 3 * GROUP)
        index = look_at_group(x, dx, dy, dz, index, &best);
    return v_top_index(best.reach, best.index);
}

/* Of a hull that fits in lanes. */
LANE_FN uint32_t extreme_of_few(const hull3 *c, vr dx, vr dy, vr dz)
{
    const uint32_t n = c->count;
    const real *x = c->vertices, *y = x + n, *z = y + n;
    vr reach[4 * LANE_QUADS / LANES > 0 ? 4 * LANE_QUADS / LANES : 1], best = reach[0] = reach3(x, y, z, dx, dy, dz);
    if (n < LANES) /* lanes read on past them */
        best = reach[0] = v_sel(m_below(n), best, v_set(-REAL_MAX));
    const uint32_t rows = n < LANES ? 1 : n / LANES;
    for (uint32_t r = 1; r < rows; r++)
        best = v_max(reach[r] = reach3(x + r * LANES, y + r * LANES, z + r * LANES, dx, dy, dz), best);
    return (uint32_t)__builtin_ctzll(holders(reach, rows, v_set(v_largest(best))) | (uint64_t)1 << (n - 1));
}

/* The vertex that is extreme along (x, y, z), of unit length within 2^-7; the lowest index on ties. */
LANE_FN uint32_t scan_extreme3(const hull3 *c, real along_x, real along_y, real along_z)
{
    const vr dx = v_set(along_x), dy = v_set(along_y), dz = v_set(along_z);
    if (c->balls)
        return extreme_of_groups(c, dx, dy, dz);
    if (c->count <= 4 * LANE_QUADS)
        return extreme_of_few(c, dx, dy, dz);
    if (c->count == 3 * GROUP)
        return extreme_of_block(c->vertices, 3 * GROUP_ROWS, dx, dy, dz);
    if (c->count == 4 * GROUP)
        return extreme_of_block(c->vertices, 4 * GROUP_ROWS, dx, dy, dz);
    return extreme_of_rows(c, dx, dy, dz);
}

#endif
