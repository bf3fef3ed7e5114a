/* The quick axes of two boxes for a single pair: three at a time in a register, with the operations of sat3.h in the
 * same order on each. */
#ifndef GJB_SIMD_SAT_SINGLE3_H
#define GJB_SIMD_SAT_SINGLE3_H

#include "simd/space/sat3.h"

/* Rows of a rotation, and its columns. */
typedef struct turn4 {
    four row[3], column[3];
} turn4;

#if GJB_BITS == 32
#define FOUR_BLEND(a, b, lanes) _mm_blend_ps(a, b, lanes)
#else
#define FOUR_BLEND(a, b, lanes) _mm256_blend_pd(a, b, lanes)
#endif

/* As m3_rotation, by v and w. */
LANE_FN turn4 turn_by(four v, real w)
{
    const four square = four_mul(v, v), ww = four_set(w * w), next = four_next(square), last = four_last(square);
    const real by = 1 / ((ww[0] + square[0]) + (square[1] + square[2]));
    const four by2 = four_set(by + by);
    const four product = four_mul(v, four_next(v)), turned = four_mul(four_set(w), four_last(v));
    const four diagonal = four_mul(four_sub(four_add(ww, square), four_add(next, last)), four_set(by));
    const four below = four_mul(four_add(product, turned), by2), above = four_mul(four_sub(product, turned), by2);
    const four above_last = four_last(above), below_last = four_last(below);
    return (turn4){{FOUR_BLEND(FOUR_BLEND(diagonal, above_last, 2), below, 4),
                    FOUR_BLEND(FOUR_BLEND(below, diagonal, 2), above_last, 4),
                    FOUR_BLEND(FOUR_BLEND(above_last, below, 2), diagonal, 4)},
                   {FOUR_BLEND(FOUR_BLEND(diagonal, below_last, 2), above, 4),
                    FOUR_BLEND(FOUR_BLEND(above, diagonal, 2), below_last, 4),
                    FOUR_BLEND(FOUR_BLEND(below_last, above, 2), diagonal, 4)}};
}

/* As m3_turn_back. */
LANE_FN four four_turn_back(const turn4 *t, four v)
{
    return four_add(four_add(four_mul(t->row[0], four_set(v[0])), four_mul(t->row[1], four_set(v[1]))),
                    four_mul(t->row[2], four_set(v[2])));
}

/* Along the faces of the box with half extents h, in whose axes the other's origin is at `shift`: `column` k is axis k
 * of the other, whose half extents are `other`. */
LANE_FN four face_gaps(four shift, four h, four other, const four column[3])
{
    four reach[3];
    for (int k = 0; k < 3; k++)
        reach[k] = four_mul(four_abs(column[k]), four_set(other[k]));
    return four_sub(four_abs(shift), four_add(h, four_add(four_add(reach[0], reach[1]), reach[2])));
}

/* As quick_edge_gap, of A's axis i and all of B. */
LANE_FN four quick_edge_gaps(const four row[3], four ha, four hb, four shift, int i)
{
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const four along = four_sub(four_mul(four_set(shift[i2]), row[i1]), four_mul(four_set(shift[i1]), row[i2]));
    const four size = four_abs(row[i]), size1 = four_abs(row[i1]), size2 = four_abs(row[i2]);
    const four ra = four_add(four_mul(four_set(ha[i1]), size2), four_mul(four_set(ha[i2]), size1));
    const four rb = four_add(four_mul(four_next(hb), four_last(size)), four_mul(four_last(hb), four_next(size)));
    return four_sub(four_abs(along), four_add(ra, rb));
}

/* As quick_gap3. */
LANE_FN vr quick_gap4(const turn4 *t, four ha, four hb, four shift)
{
    const four *row = t->row;
    four most = FOUR_OP(max)(face_gaps(shift, ha, hb, t->column), face_gaps(four_turn_back(t, shift), hb, ha, row));
    most = FOUR_OP(max)(quick_edge_gaps(row, ha, hb, shift, 0), most);
    most = FOUR_OP(max)(quick_edge_gaps(row, ha, hb, shift, 1), most);
    most = FOUR_OP(max)(quick_edge_gaps(row, ha, hb, shift, 2), most);
    return four_most(most);
}

LANE_FN int is_unit(four v, real w)
{
    const four square = four_mul(v, v);
    return v_abs(((square[0] + square[1]) + (square[2] + w * w)) - 1) < (real)0x1p-10;
}

/* Whether two boxes overlap, as box_intersect decides by quick gaps, from their poses and heads: 1 and 0; or -1 if
 * these do not decide, or the pair is invalid. `radii` is the sum of both. */
LANE_FN int quick_overlap(const real *pose_a, const real *pose_b, const real *head_a, const real *head_b, real radii)
{
    const four qa = FOUR_OP(loadu)(pose_a + 3), qb = FOUR_OP(loadu)(pose_b + 3);
    const four ha = FOUR_OP(loadu)(head_a), hb = FOUR_OP(loadu)(head_b);
    const real wa = qa[3], wb = qb[3];
    const turn4 world = turn_by(qa, wa);
    const four shift = four_turn_back(&world, four_sub(FOUR_OP(loadu)(pose_b), FOUR_OP(loadu)(pose_a)));
    const four off = four_abs(shift), both = four_mul(qa, qb);
    const real size = (ha[3] + hb[3]) + ((off[0] + off[1]) + off[2]);
    if (!(size < REAL_MAX / 16 && is_unit(qa, wa) && is_unit(qb, wb)))
        return -1;
    const real scale = 1 / v_pow2_floor(v_max(size, REAL_MIN * 16));
    const four turned = four_sub(four_mul(four_set(wa), qb), four_mul(qa, four_set(wb)));
    const four crossed = four_sub(four_mul(four_last(qa), four_next(qb)), four_mul(four_next(qa), four_last(qb)));
    const turn4 turn = turn_by(four_add(turned, crossed), (both[3] + both[0]) + (both[1] + both[2]));
    const four by = four_set(scale);
    const vr quick = quick_gap4(&turn, four_mul(ha, by), four_mul(hb, by), four_mul(shift, by));
    const int over = quick < -2 * GAP_DOUBT, apart = quick > radii * scale + 2 * GAP_DOUBT;
    return over | apart ? over : -1; /* which of the two is no branch: it would often be guessed wrong */
}

#endif
