/* Pairs in the plane whose boxes may be within the margin: axes of both boxes, and the line of their centres. */
#ifndef GJB_SIMD_NEAR2_H
#define GJB_SIMD_NEAR2_H

#include "simd/near.h"
#include "simd/plane/tile2.h"

LANE_FN unsigned boxes_near(const gjb_library *library, const gjb_batch *batch, const uint32_t *body_a,
                            const uint32_t *body_b, double margin)
{
    tile t;
    const bounds a = load_bounds(library, batch, body_a), b = load_bounds(library, batch, body_b);
    vr pa[4], pb[4];
    load_poses(batch, body_a, pa);
    load_poses(batch, body_b, pb);
    frame_pair(&t, pa, pb, v_add(a.half[3], b.half[3]));
    const vr c = t.c, s = t.s, ac = v_abs(c), as = v_abs(s);
    const vr ax = v_mul(a.half[0], t.a_scale), ay = v_mul(a.half[1], t.a_scale);
    const vr bx = v_mul(b.half[0], t.scale), by = v_mul(b.half[1], t.scale);
    /* from centre to centre, along A's axes and along B's */
    vr ox = a.centre[0], oy = a.centre[1], x = b.centre[0], y = b.centre[1];
    place_points(&t, &ox, &oy, &x, &y);
    x = v_sub(x, ox);
    y = v_sub(y, oy);
    const vr u = v_abs(v_dot(c, s, x, y)), w = v_abs(v_cross(c, s, x, y)), dx = v_abs(x), dy = v_abs(y);
    const vr square = v_dot(c, s, c, s);
    vr gap = v_max(v_sub(dx, v_add(ax, v_dot(ac, as, bx, by))), v_sub(dy, v_add(ay, v_dot(as, ac, bx, by))));
    gap = v_max(gap, v_sub(u, v_add(v_mul(bx, square), v_dot(ac, as, ax, ay))));
    gap = v_max(gap, v_sub(w, v_add(v_mul(by, square), v_dot(as, ac, ax, ay))));
    const vr far2 = v_dot(x, y, x, y), reach = v_add(v_dot(ax, ay, dx, dy), v_dot(bx, by, u, w));
    const vr bar = near_bar(&a, &b, margin, t.scale);
    const vm apart = m_or(v_gt(gap, bar), v_gt(v_sub(far2, reach), v_mul(bar, v_sqrt(far2))));
    return ~m_bits(m_and(apart, t.valid));
}

#endif
