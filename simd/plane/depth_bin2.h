/* Depths of a list of pairs, in tiles (simd/plane/depth2.h). */
#ifndef GJB_SIMD_DEPTH_BIN2_H
#define GJB_SIMD_DEPTH_BIN2_H

#include "simd/plane/answer2.h"
#include "simd/plane/depth2.h"

/* The answer of closed cells: the direction of the better end, and the points of the chord that it crosses.
 * Adds to *doubtful the lanes in which it crosses none. */
LANE_CALL answer2 depth_answer(const tile *t, const found2 *f, unsigned *doubtful)
{
    const turn2 world = world_turn(t);
    const vr zero = v_set(0);
    const look2 *p = &f->c.lo, *q = &f->c.hi;
    const view2 lo = view_of(p), hi = view_of(q);
    const vm low = v_le(lo.h, hi.h);
    const vr nx = v_sel(low, p->nx, q->nx), ny = v_sel(low, p->ny, q->ny);
    const vr before = v_cross(nx, ny, lo.x, lo.y), after = v_cross(nx, ny, hi.x, hi.y), between = v_sub(after, before);
    const vm crosses = m_and(v_le(before, zero), m_and(v_ge(after, zero), v_gt(between, zero)));
    const vr share = v_sel(crosses, v_div(v_neg(before), between), v_sel(low, zero, v_set(1)));
    const vr h = v_add(v_dot(nx, ny, lo.x, lo.y), v_mul(share, v_dot(nx, ny, v_sub(hi.x, lo.x), v_sub(hi.y, lo.y))));
    const vm across = m_or(crosses, v_le(v_abs(v_sel(low, lo.rise, hi.rise)), v_set(DEPTH_DOUBT)));
    *doubtful |= m_bits(m_not(m_and(m_and(across, f->closed), v_ge(h, v_set(-DEPTH_DOUBT)))));

    answer2 r;
    vr wx, wy;
    to_world(&world, nx, ny, &wx, &wy);
    const vr full = v_sqrt(v_dot(wx, wy, wx, wy));
    r.nx = v_div(wx, full);
    r.ny = v_div(wy, full);
    r.sigma = v_min(v_neg(h), zero);
    to_world(&world, v_add(p->ax, v_mul(share, v_sub(q->ax, p->ax))), v_add(p->ay, v_mul(share, v_sub(q->ay, p->ay))), &r.ax, &r.ay);
    to_world(&world, v_add(p->bx, v_mul(share, v_sub(q->bx, p->bx))), v_add(p->by, v_mul(share, v_sub(q->by, p->by))), &r.bx, &r.by);
    add_radii(t, &r);
    return r;
}

/* Entries of `list`, all valid pairs whose cores overlap. Unless this is the `last` time, the last lanes
 * of tiles go back to ctx->list, to start again in full tiles. */
LANE_CALL void depth_tiles(context *ctx, int N, const uint16_t *list, unsigned count, int last)
{
    tile t;
    tile_curves curves;
    fan2 fan;
    found2 found;
    stack2 stack;
    for (unsigned first = 0; first < count; first += LANES) {
        const unsigned n = count - first < LANES ? count - first : LANES, live = lanes_below(n);
        vr at;
        real it[LANES];
        unsigned doubtful = 0;
        pack_poses(&t, ctx, list + first, 0, n);
        pack_curves(&t, &curves, ctx, N);
        spread_fan(&t, ctx, N, live, &fan);
        start_descent(&fan, &found, &at);
        descend(&t, ctx, N, t.in_use, &found);
        push_fan(&t, &fan, &found, at, live, &stack);
        const unsigned left = look_into(&t, ctx, N, live, last ? 0 : SPARE_LANES, &stack, &found, &doubtful);
        hand_on(ctx, t.entry, left);
        const vm better = m_andnot(t.in_use, m_or(found.closed, m_of_bits(left | doubtful)));
        if (m_bits(better))
            descend(&t, ctx, N, better, &found);
        v_store(it, found.iterations);
        answer2 r = depth_answer(&t, &found, &doubtful);
        write_answers(ctx, &t, live & ~(left | doubtful), &r, it, 1);
        write_fallback(ctx, &t, live & doubtful & ~left, it);
    }
}

/* The entries of ctx->list. */
LANE_FN void depth_list(context *ctx, int N)
{
    uint16_t list[WINDOW];
    for (int last = 0; last < 2 && ctx->listed > 0; last++) {
        const unsigned count = ctx->listed;
        memcpy(list, ctx->list, count * sizeof *list);
        ctx->listed = 0;
        depth_tiles(ctx, N, list, count, last);
    }
    ctx->listed = 0;
}

#endif
