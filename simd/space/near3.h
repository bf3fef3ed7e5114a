/* Pairs in space whose boxes may be within the margin: faces of both boxes, and the line of their centres. */
#ifndef GJB_SIMD_NEAR3_H
#define GJB_SIMD_NEAR3_H

#include "simd/near.h"
#include "simd/space/tile3.h"

LANE_FN unsigned boxes_near(const gjb_library *library, const gjb_batch *batch, const uint32_t *body_a,
                            const uint32_t *body_b, double margin)
{
    tile t;
    const bounds a = load_bounds(library, batch, body_a), b = load_bounds(library, batch, body_b);
    const pose3 pa = load_poses3(batch, body_a), pb = load_poses3(batch, body_b);
    frame_pair3(&t, &pa, &pb, v_add(a.half[3], b.half[3]));
    const v3 ha = v3_mul((v3){a.half[0], a.half[1], a.half[2]}, t.scale);
    const v3 hb = v3_mul((v3){b.half[0], b.half[1], b.half[2]}, t.scale);
    const v3 ca = v3_mul((v3){a.centre[0], a.centre[1], a.centre[2]}, t.scale);
    const v3 cb = v3_mul((v3){b.centre[0], b.centre[1], b.centre[2]}, t.scale);
    const v3 shift = v3_sub(v3_add(t.shift, m3_turn(&t.turn, cb)), ca); /* from centre to centre */
    const v3 along_a = v3_abs(shift), along_b = v3_abs(m3_turn_back(&t.turn, shift));
    const m3 turn = {{v3_abs(t.turn.row[0]), v3_abs(t.turn.row[1]), v3_abs(t.turn.row[2])}};
    const v3 gap_a = v3_sub(along_a, v3_add(ha, m3_turn(&turn, hb)));
    const v3 gap_b = v3_sub(along_b, v3_add(hb, m3_turn_back(&turn, ha)));
    const vr gap = v_max(v_max(v_max(gap_a.x, gap_a.y), v_max(gap_a.z, gap_b.x)), v_max(gap_b.y, gap_b.z));
    const vr bar = near_bar(&a, &b, margin, t.scale);
    const vr square = v3_dot(shift, shift), reach = v_add(v3_dot(ha, along_a), v3_dot(hb, along_b));
    const vm apart = m_or(v_gt(gap, bar), v_gt(v_sub(square, reach), v_mul(bar, v_sqrt(square))));
    return ~m_bits(m_and(apart, t.valid));
}

#endif
