/* GJK in lanes (Gilbert, Johnson, Keerthi 1988), 2D: the boolean by signs
 * alone, and the distance with witness points.
 *
 * Every decision is proven. Apart: a support along the direction
 * fails to pass the origin. Overlapping: the origin is inside a triangle of
 * support points by more than the rounding of the test, or within the rounding
 * of the input of a point of the difference. The distance: its lower bound, the
 * support along v, meets its upper bound |v|. A pair that cannot be proven in the
 * iterations allowed goes to the fallback path.
 */
#ifndef GJB_SIMD_GJK2_H
#define GJB_SIMD_GJK2_H

#include "simd/plane/curve_tile2.h"

#define MAX_ITERATIONS 64
#define SETTLED 3 /* iterations after which most lanes have ended, and checking for stuck ones pays */

/* In the frame, in which the pair's size is of order one. */
#define CENTRAL_SQUARED ((real)0x1p-12)                       /* |c|^2 of a point inside at the origin */
#define CROSS_DOUBT (8 * REAL_EPSILON)                        /* of a cross product */
#define TOUCH_SQUARED (64 * REAL_EPSILON * REAL_EPSILON)      /* |v|^2 of touching cores */
#define GAP_SQUARED (36 * REAL_EPSILON * REAL_EPSILON)        /* (upper - lower bound)^2 */
#define CURVED_GAP_SQUARED (256 * REAL_EPSILON * REAL_EPSILON) /* bounds of curves never meet */

/* The outcome of a tile's run, as lane bits. */
typedef struct lanes_done {
    unsigned separated, overlapping, doubtful, live;
    vm alive; /* `live` as a mask */
    vm apart; /* `separated` as a mask; only for the distance */
    unsigned noted; /* of those separated, whose axis is noted */
} lanes_done;

/* First direction: from A's origin to B's, or any if they coincide. */
LANE_FN void first_direction(const tile *t, vr *dx, vr *dy)
{
    vm zero = m_and(v_eq(t->tx, v_set(0)), v_eq(t->ty, v_set(0)));
    *dx = v_sel(zero, v_set(1), t->tx);
    *dy = t->ty;
}

/* ---- the boolean, cores without radius ---- */

typedef struct edge2 {
    vr px, py, qx, qy; /* of the difference; the origin is left of p -> q */
    vr iterations;
} edge2;

/* The vertex halfway around from the first: of each shape's own number, whatever the tile's. */
LANE_FN void opposite(const vr *x, const vr *y, const uint16_t *quads, int N, int uniform, vr *ox, vr *oy)
{
    *ox = x[N / 2];
    *oy = y[N / 2];
    if (uniform)
        return;
    real all[LANES];
    for (unsigned l = 0; l < LANES; l++)
        all[l] = (real)quads[l];
    const vr own = v_load(all);
    for (int q = N / 8; q > 0; q /= 2) {
        const vm smaller = v_le(own, v_set((real)q));
        *ox = v_sel(smaller, x[2 * q], *ox);
        *oy = v_sel(smaller, y[2 * q], *oy);
    }
}

/* A point inside of the difference: halfway between two vertices of A, less
 * halfway between two of B. */
LANE_FN void inner_point(const tile *t, int N, vr *cx, vr *cy)
{
    const vr half = v_set((real)0.5);
    vr ax, ay, bx, by;
    if (N > 0) {
        opposite(t->ax, t->ay, t->quads_a, N, t->uniform, &ax, &ay);
        opposite(t->bx, t->by, t->quads_b, N, t->uniform, &bx, &by);
        ax = v_add(t->ax[0], ax);
        ay = v_add(t->ay[0], ay);
        bx = v_add(t->bx[0], bx);
        by = v_add(t->by[0], by);
    } else {
        inside_points(t, &ax, &ay, &bx, &by);
        *cx = v_sub(ax, bx);
        *cy = v_sub(ay, by);
        return;
    }
    *cx = v_mul(half, v_sub(ax, bx));
    *cy = v_mul(half, v_sub(ay, by));
}

/* From a point inside towards the origin: the first support proves cores that are
 * farther apart, and in overlap the origin is seldom far from the triangle that
 * the second support completes (as in Snethen's XenoCollide, 2008). */
LANE_FN void boolean_start(const tile *t, context *ctx, int N, edge2 *e, lanes_done *done)
{
    const unsigned live = done->live;
    vr cx, cy, ax, ay, bx, by, zero = v_set(0);
    inner_point(t, N, &cx, &cy);
    const vm central = v_lt(v_dot(cx, cy, cx, cy), v_set(CENTRAL_SQUARED));
    vr dx = v_sel(central, v_set(1), v_neg(cx)), dy = v_sel(central, zero, v_neg(cy));
    const int warm = is_warm(ctx);
    if (warm)
        warm_direction(ctx, t, &dx, &dy);
    count_work(ctx, live);
    support_pair(t, N, live, dx, dy, &ax, &ay, &bx, &by);
    vr px = v_sub(ax, bx), py = v_sub(ay, by);
    vm out = v_lt(v_dot(dx, dy, px, py), zero);
    done->separated = m_bits(out) & live;
    if (warm)
        note_directions(ctx, t, done->noted = done->separated, dx, dy);
    done->live = live & ~done->separated;
    done->alive = m_andnot(done->alive, out);
    if (m_bits(central) & done->live) { /* no direction from there: straight across */
        count_work(ctx, m_bits(central) & done->live);
        const reached2 across = seldom_support(t, N, m_bits(central) & done->live, v_neg(px), v_neg(py));
        cx = v_sel(central, v_sub(across.ax, across.bx), cx);
        cy = v_sel(central, v_sub(across.ay, across.by), cy);
    }
    vm swap = v_lt(v_cross(cx, cy, px, py), zero);
    e->px = v_sel(swap, px, cx);
    e->py = v_sel(swap, py, cy);
    e->qx = v_sel(swap, cx, px);
    e->qy = v_sel(swap, cy, py);
    e->iterations = v_set(1);
}

/* Runs until at most `spare` lanes are live. */
LANE_FN void boolean_run(const tile *t, const context *ctx, int N, int spare, edge2 *e, lanes_done *done)
{
    const vr zero = v_set(0), doubt = v_set(CROSS_DOUBT), one = v_set(1);
    unsigned live = done->live;
    vm alive = done->alive;
    work did = {0, 0};
    while (lane_count(live) > spare) {
        vr dx = v_sub(e->py, e->qy), dy = v_sub(e->qx, e->px), ax, ay, bx, by;
        count_round(&did, live);
        support_pair(t, N, live, dx, dy, &ax, &ay, &bx, &by);
        vr wx = v_sub(ax, bx), wy = v_sub(ay, by);
        e->iterations = v_sel(alive, v_add(e->iterations, one), e->iterations);
        vm out = v_lt(v_dot(dx, dy, wx, wy), zero);
        vr base = v_cross(e->px, e->py, e->qx, e->qy);
        vr right = v_cross(e->qx, e->qy, wx, wy), left = v_cross(wx, wy, e->px, e->py);
        vm within = m_and(v_gt(right, doubt), v_gt(left, doubt));
        vm certain = m_and(within, v_gt(base, doubt));
        vm tired = v_gt(e->iterations, v_set(SETTLED));
        if (m_bits(tired) & live) {
            /* no farther than the edge, and yet not apart: up to rounding, the origin
             * is on it */
            vm stuck = m_or(m_and(v_eq(wx, e->px), v_eq(wy, e->py)), m_and(v_eq(wx, e->qx), v_eq(wy, e->qy)));
            tired = m_and(tired, m_or(stuck, v_gt(e->iterations, v_set(MAX_ITERATIONS))));
        }
        vm take_p = v_lt(right, left);
        unsigned separated = m_bits(out) & live;
        unsigned overlapping = m_bits(certain) & live & ~separated;
        unsigned doubtful = m_bits(tired) & live & ~separated & ~overlapping;
        done->separated |= separated;
        done->overlapping |= overlapping;
        done->doubtful |= doubtful;
        live &= ~(separated | overlapping | doubtful);
        alive = m_andnot(alive, m_or(out, m_or(certain, tired)));
        /* up to rounding, the origin is on the base: on through the side q -> w */
        vm turn = m_and(alive, within);
        e->px = v_sel(turn, e->qx, v_sel(m_and(alive, take_p), wx, e->px));
        e->py = v_sel(turn, e->qy, v_sel(m_and(alive, take_p), wy, e->py));
        vm move_q = m_or(turn, m_andnot(alive, take_p));
        e->qx = v_sel(move_q, wx, e->qx);
        e->qy = v_sel(move_q, wy, e->qy);
    }
    done->live = live;
    add_work(ctx, &did);
}

/* ---- the distance ---- */

typedef struct segment2 {
    /* two support points of the difference by their vertices; equal for one */
    vr pax, pay, pbx, pby, qax, qay, qbx, qby;
    vr iterations;
#if LANES == 1
    vr vx, vy, t; /* of the point of it that was found last: as closest2 */
#endif
} segment2;

/* The closest point of a segment2 to the origin. */
typedef struct closest2 {
    vr px, py, qx, qy; /* the difference's points; both the vertex if that is closest */
    vr vx, vy, dd;     /* closest point, its square */
    vr t;              /* v = p + t (q - p) */
    vr height;         /* signed: > 0 when the origin is right of p -> q */
    vm inside, keep_p; /* perpendicular foot inside the edge; else p is closest, or q */
} closest2;

LANE_FN closest2 closest_point(const segment2 *g)
{
    const vr zero = v_set(0);
    closest2 c;
    vr px = v_sub(g->pax, g->pbx), py = v_sub(g->pay, g->pby);
    vr qx = v_sub(g->qax, g->qbx), qy = v_sub(g->qay, g->qby);
    vr ex = v_sub(qx, px), ey = v_sub(qy, py);
    vr tp = v_neg(v_dot(px, py, ex, ey)), tq = v_dot(qx, qy, ex, ey), nn = v_dot(ex, ey, ex, ey);
    c.keep_p = v_le(tp, zero);
    c.inside = m_andnot(v_gt(tq, zero), c.keep_p);
    /* From the edge's normal, not from a point on it: near contact the foot
     * cancels to nothing. */
    c.height = v_sub(v_mul(py, ex), v_mul(px, ey));
    vr ratio = v_div(c.height, nn);
    vr ox = v_sel(c.keep_p, px, qx), oy = v_sel(c.keep_p, py, qy);
    c.vx = v_sel(c.inside, v_neg(v_mul(ey, ratio)), ox);
    c.vy = v_sel(c.inside, v_mul(ex, ratio), oy);
    c.px = v_sel(c.inside, px, ox);
    c.py = v_sel(c.inside, py, oy);
    c.qx = v_sel(c.inside, qx, ox);
    c.qy = v_sel(c.inside, qy, oy);
    c.t = v_sel(c.inside, v_div(tp, nn), v_sel(c.keep_p, zero, v_set(1)));
    c.dd = v_dot(c.vx, c.vy, c.vx, c.vy);
    return c;
}

/* The same of a segment whose points are equal. */
LANE_FN closest2 closest_end(const segment2 *g)
{
    const vr zero = v_set(0), x = v_sub(g->pax, g->pbx), y = v_sub(g->pay, g->pby);
    const vm all = v_eq(zero, zero), none = v_gt(zero, zero);
    return (closest2){x, y, x, y, x, y, v_dot(x, y, x, y), zero, zero, none, all};
}

#define LEAN_VERTICES 16 /* with fewer, another support costs as much as it saves */

/* Adds the other end of the edge whose normal the axis is: a direction that leans from the axis
 * towards the origin finds it. Only if the edge is wider than the gap; else GJK's own direction
 * finds it. */
LANE_FN void lean(const tile *t, const context *ctx, int N, vm known, vr dx, vr dy, segment2 *g)
{
    const vr px = v_sub(g->pax, g->pbx), py = v_sub(g->pay, g->pby);
    const vr gap = v_dot(dx, dy, px, py), aside = v_cross(dx, dy, px, py);
    vm wide = m_and(known, v_gt(v_abs(aside), v_abs(gap)));
    if (!m_bits(wide))
        return;
    const vr by = v_sel(v_gt(aside, v_set(0)), v_set(LEAN), v_set(-LEAN));
    count_work(ctx, m_bits(wide));
    const reached2 s = seldom_support(t, N, m_bits(wide), v_add(dx, v_mul(by, dy)), v_sub(dy, v_mul(by, dx)));
    g->qax = v_sel(wide, s.ax, g->qax);
    g->qay = v_sel(wide, s.ay, g->qay);
    g->qbx = v_sel(wide, s.bx, g->qbx);
    g->qby = v_sel(wide, s.by, g->qby);
    g->iterations = v_sel(wide, v_add(g->iterations, v_set(1)), g->iterations);
}

/* If the first direction is that of a last answer, and with `prune_apart`, it may be
 * proof enough. */
LANE_FN void distance_start(const tile *t, context *ctx, int N, int prune_apart, segment2 *g, lanes_done *done)
{
    const unsigned live = done->live;
    vr dx, dy;
    first_direction(t, &dx, &dy);
    vm known = t->in_use;
    const int warm = is_warm(ctx);
    if (warm)
        known = warm_direction(ctx, t, &dx, &dy);
    count_work(ctx, live);
    support_pair(t, N, live, dx, dy, &g->pax, &g->pay, &g->pbx, &g->pby);
    g->qax = g->pax, g->qay = g->pay, g->qbx = g->pbx, g->qby = g->pby;
    g->iterations = v_set(1);
    if (warm && prune_apart == PRUNE_BY_SIGN) {
        const vr along = v_dot(dx, dy, v_sub(g->pbx, g->pax), v_sub(g->pby, g->pay));
        const vr bar = v_mul(v_mul(t->radius, t->radius), v_dot(dx, dy, dx, dy));
        vm apart = m_and(m_and(known, v_gt(along, v_set(0))), v_gt(v_mul(along, along), bar));
        done->noted = m_bits(apart) & live;
        done->separated |= done->noted;
        done->live &= ~done->noted;
        done->apart = m_or(done->apart, m_and(done->alive, apart));
        done->alive = m_andnot(done->alive, apart);
        note_directions(ctx, t, done->noted, dx, dy);
    } else if (warm && (N == 0 || N >= LEAN_VERTICES)) {
        lean(t, ctx, N, m_and(known, done->alive), dx, dy, g);
    }
}

/* `prune`: stop as soon as it is known on which side of the radii the distance
 * lies. Otherwise lanes end apart with a proven distance, or with touching or
 * overlapping cores. */
LANE_FN void distance_run(const tile *t, const context *ctx, int N, int spare, int prune_apart, int prune_within,
                          segment2 *g, lanes_done *done)
{
    const vr zero = v_set(0), one = v_set(1), doubt = v_set(CROSS_DOUBT);
    const vr met_squared = v_set(N < 0 ? CURVED_GAP_SQUARED : GAP_SQUARED);
    const vr radius2 = v_mul(t->radius, t->radius), bar2 = v_mul(t->bar, t->bar);
    unsigned live = done->live;
    vm alive = done->alive;
    work did = {0, 0};
    while (lane_count(live) > spare) {
#if LANES == 1
        const closest2 c = v_gt(g->iterations, one) || is_warm(ctx) ? closest_point(g) : closest_end(g);
        g->vx = c.vx, g->vy = c.vy, g->t = c.t;
#else
        const closest2 c = closest_point(g);
#endif
        vr ax, ay, bx, by;
        count_round(&did, live);
        support_pair(t, N, live, v_neg(c.vx), v_neg(c.vy), &ax, &ay, &bx, &by);
        vr wx = v_sub(ax, bx), wy = v_sub(ay, by);
        g->iterations = v_sel(alive, v_add(g->iterations, one), g->iterations);

        vr vw = v_dot(c.vx, c.vy, wx, wy), gap = v_sub(c.dd, vw);
        vm touching = v_le(c.dd, v_set(TOUCH_SQUARED));
        if (prune_within)
            touching = m_or(touching, v_le(c.dd, radius2));
        vm repeated = m_or(m_and(v_eq(wx, c.px), v_eq(wy, c.py)), m_and(v_eq(wx, c.qx), v_eq(wy, c.qy)));
        vm met = m_or(v_le(gap, zero), v_le(v_mul(gap, gap), v_mul(met_squared, c.dd)));
        vm apart = m_or(repeated, met);
        const vm beyond = m_and(v_gt(vw, zero), v_gt(v_mul(vw, vw), v_mul(bar2, c.dd)));
        if (prune_apart)
            apart = m_or(apart, beyond);

        /* The edge at w that faces the origin; signs as if it lay left of p -> q. */
        vm flip = v_gt(c.height, zero);
        vr right = v_cross(c.qx, c.qy, wx, wy), left = v_cross(wx, wy, c.px, c.py);
        right = v_sel(flip, v_neg(right), right);
        left = v_sel(flip, v_neg(left), left);
        vm in_right = v_gt(right, doubt), in_left = v_gt(left, doubt);
        if (N < 0) { /* corners may be as near to each other as the accuracy of the depth */
            const vr far = v_add(v_abs(wx), v_abs(wy));
            in_right = v_gt(right, v_mul(doubt, v_add(far, v_add(v_abs(c.qx), v_abs(c.qy)))));
            in_left = v_gt(left, v_mul(doubt, v_add(far, v_add(v_abs(c.px), v_abs(c.py)))));
        }
        vm inside = m_and(c.inside, m_and(in_right, in_left));
        vr facing = v_dot(wx, wy, v_sub(wx, c.qx), v_sub(wy, c.qy));
        vm keep_q = m_andnot(m_or(in_left, v_gt(facing, zero)), in_right);
        vm tired = v_gt(g->iterations, v_set(MAX_ITERATIONS));

        unsigned hit = m_bits(m_or(touching, inside)) & live;
        /* touching is judged before apart: its direction is noise */
        unsigned near = m_bits(touching) & live;
        unsigned off = m_bits(apart) & live & ~near;
        hit &= ~off;
        unsigned lost = m_bits(tired) & live & ~hit & ~off;
        done->overlapping |= hit;
        done->separated |= off;
        done->doubtful |= lost;
        live &= ~(hit | off | lost);
        done->apart = m_or(done->apart, m_andnot(m_and(alive, apart), touching));
        alive = m_andnot(alive, m_or(m_or(touching, inside), m_or(apart, tired)));

        /* the closest vertex may by now be in both places of the simplex */
        vm from_q = m_and(alive, m_or(m_and(c.inside, keep_q), m_andnot(m_andnot(alive, c.inside), c.keep_p)));
        g->pax = v_sel(from_q, g->qax, g->pax);
        g->pay = v_sel(from_q, g->qay, g->pay);
        g->pbx = v_sel(from_q, g->qbx, g->pbx);
        g->pby = v_sel(from_q, g->qby, g->pby);
        g->qax = v_sel(alive, ax, g->qax);
        g->qay = v_sel(alive, ay, g->qay);
        g->qbx = v_sel(alive, bx, g->qbx);
        g->qby = v_sel(alive, by, g->qby);
    }
    done->live = live;
    add_work(ctx, &did);
}

#endif
