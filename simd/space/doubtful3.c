/* Separating axes of boxes that touch, in lanes of double: compiled once per backend, for both precisions. */
#include "simd/space/doubtful3.h"
#include "simd/space/answer3.h"
#include "simd/space/sat3.h"

LANE_FN void load_rows(const doubtful3 *d, const double *rows, unsigned stride, unsigned first, vr out[4])
{
    const real *from[LANES];
    for (unsigned l = 0; l < LANES; l++) /* lanes without a pair repeat the last */
        from[l] = rows + stride * (first + l < d->pairs ? first + l : d->pairs - 1);
    v_load4t(from, out);
}

LANE_FN pose3 load_pose(const doubtful3 *d, const double (*poses)[8], unsigned first)
{
    vr front[4], back[4];
    load_rows(d, poses[0], 8, first, front);
    load_rows(d, poses[0] + 3, 8, first, back);
    return (pose3){{front[0], front[1], front[2]}, back[0], back[1], back[2], back[3]};
}

LANE_FN void store_point(v3 p, double to[3][DOUBTFUL_BOXES], unsigned first)
{
    v_store(to[0] + first, p.x);
    v_store(to[1] + first, p.y);
    v_store(to[2] + first, p.z);
}

/* The sign of the largest gap decides: the difference of two boxes has at each corner a whole octant of one of them, so
 * that a point outside by a gap g along its facets is at most sqrt(3) g away. */
LANE_FN void decide(const doubtful3 *d, unsigned first, decided3 *out)
{
    tile t;
    vr a[4], b[4];
    const pose3 pa = load_pose(d, d->pose_a, first), pb = load_pose(d, d->pose_b, first);
    load_rows(d, d->head_a[0], 4, first, a);
    load_rows(d, d->head_b[0], 4, first, b);
    t.half_a = (v3){a[0], a[1], a[2]};
    t.half_b = (v3){b[0], b[1], b[2]};
    t.ra = t.rb = t.radius = v_set(0);
    frame_pair3(&t, &pa, &pb, v_add(a[3], b[3]));
    const boxes3 boxes = load_boxes(&t);
    axis3 best = largest_gap3(&boxes);
    const vm apart = v_gt(best.gap, v_set(GAP_DOUBT));
    best.gap = v_min(best.gap, v_set(0));
    out->apart |= m_bits(apart) << first;
    if (d->signs_only) {
        out->overlapping |= m_bits(m_not(apart)) << first;
        return;
    }
    answer3 r = {.sigma = best.gap, .n = best.n};
    const vm torn = overlap_points(&boxes, &best, &r.a, &r.b);
    out->overlapping |= m_bits(m_andnot(m_not(apart), torn)) << first;
    finish_answer(&t, &r);
    v_store(out->sigma + first, r.sigma);
    store_point(r.n, out->normal, first);
    store_point(r.a, out->a, first);
    store_point(r.b, out->b, first);
}

doubtful3_fn DOUBTFUL3;

void DOUBTFUL3(const doubtful3 *d, decided3 *out)
{
    out->apart = out->overlapping = 0;
    for (unsigned first = 0; first < d->pairs; first += LANES)
        decide(d, first, out);
    const unsigned asked = (1u << d->pairs) - 1;
    out->apart &= asked;
    out->overlapping &= asked;
}
