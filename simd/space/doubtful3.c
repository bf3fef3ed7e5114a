/* Separating axes of boxes that touch, in lanes of double: compiled once per backend, for both precisions. */
#include "simd/space/doubtful3.h"
#include "simd/space/answer3.h"
#include "simd/space/sat3.h"

LANE_FN pose3 load_pose(const doubtful3 *d, const double (*poses)[8], unsigned first)
{
    vr front[4], back[4];
    load_rows(poses[0], 8, first, d->pairs, front);
    load_rows(poses[0] + 3, 8, first, d->pairs, back);
    return (pose3){{front[0], front[1], front[2]}, back[0], back[1], back[2], back[3]};
}

/* The sign of the largest gap decides: the difference of two boxes has at each corner a whole octant of one of them, so
 * that a point outside by a gap g along its facets is at most sqrt(3) g away. Two flat boxes have none: a gap of theirs
 * within rounding of zero decides nothing. */
LANE_FN void decide(const doubtful3 *d, unsigned first, decided3 *out)
{
    tile t;
    vr a[4], b[4];
    const pose3 pa = load_pose(d, d->pose_a, first), pb = load_pose(d, d->pose_b, first);
    load_rows(d->head_a[0], 4, first, d->pairs, a);
    load_rows(d->head_b[0], 4, first, d->pairs, b);
    t.half_a = (v3){a[0], a[1], a[2]};
    t.half_b = (v3){b[0], b[1], b[2]};
    t.ra = t.rb = t.radius = v_set(0);
    frame_pair3(&t, &pa, &pb, v_add(a[3], b[3]));
    const boxes3 boxes = load_boxes(&t);
    axis3 best = largest_gap3(&boxes);
    const vm apart = v_gt(best.gap, v_set(GAP_DOUBT));
    const vm open = m_and(v_ge(best.gap, v_set(-GAP_DOUBT)), m_and(is_flat(boxes.ha), is_flat(boxes.hb)));
    const vm over = m_not(m_or(apart, open));
    best.gap = v_min(best.gap, v_set(0));
    out->apart |= m_bits(apart) << first;
    if (d->signs_only) {
        out->overlapping |= m_bits(over) << first;
        return;
    }
    answer3 r = {.sigma = best.gap, .n = best.n};
    const vm torn = overlap_points(&boxes, &best, &r.a, &r.b);
    out->overlapping |= m_bits(m_andnot(over, torn)) << first;
    finish_answer(&t, &r);
    v_store(out->sigma + first, r.sigma);
    v3_store(r.n, out->normal[0] + first, out->normal[1] + first, out->normal[2] + first);
    v3_store(r.a, out->a[0] + first, out->a[1] + first, out->a[2] + first);
    v3_store(r.b, out->b[0] + first, out->b[1] + first, out->b[2] + first);
}

doubtful3_fn DOUBTFUL_NAME(3);

void DOUBTFUL_NAME(3)(const doubtful3 *d, decided3 *out)
{
    out->apart = out->overlapping = 0;
    for (unsigned first = 0; first < d->pairs; first += LANES)
        decide(d, first, out);
    const unsigned asked = (1u << d->pairs) - 1;
    out->apart &= asked;
    out->overlapping &= asked;
}
