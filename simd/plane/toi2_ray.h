/* Time of impact in 2D, of shapes without radius: a ray against B - A as it is at t = 0.
 *
 * Seen from B - A the origin goes along a line. The supports across that line say whether it
 * passes by; else they are a left and a right end of a chord that the line goes through,
 * and the support beyond the chord, on the origin's side, replaces the end on its own side,
 * until there is none: the chord is then the edge through which the line goes in, or comes out
 * (portal refinement, Snethen 2008). An origin that a new chord passes over is inside. Each
 * chord's support is a bound along its normal, as in toi.h. Lanes that this leaves open
 * (bodies that turn and get near, ends too blunt for TOI_TOUCH) go to toi_run, from the time
 * proven and the chord found.
 */
#ifndef GJB_SIMD_TOI2_RAY_H
#define GJB_SIMD_TOI2_RAY_H

#include "simd/plane/toi2.h"

#define MOST_CHORDS 6
#define TILT ((real)0x1p-6) /* of normals, to see both ends of a side */
#define CONVEX 4 /* a support that is so little beyond a chord is on it; same unit as TOI_TARGET */

/* The extreme vertices of n against and along (dx, dy), as extreme_vertex. */
LANE_FN void extreme_vertices(const vr *x, const vr *y, int n, vr dx, vr dy, vr *low, vr *high)
{
    extreme_vertex(x, y, n, dx, dy, &high[0], &high[1]);
    extreme_vertex(x, y, n, v_neg(dx), v_neg(dy), &low[0], &low[1]);
}

LANE_FN vr side_of(const moving_tile *m, vr x, vr y)
{
    return v_cross(m->dx, m->dy, x, y);
}

/* Supports across the way: left in *p, right in *q. Returns the wider of both gaps; its
 * normal is (*ux, *uy). */
LANE_FN vr across(const moving_tile *m, int N, const poses2 *at, vertices2 *p, vertices2 *q, vr *ux, vr *uy)
{
    const vr over = v_div(v_set(1), v_sqrt(v_dot(m->dx, m->dy, m->dx, m->dy)));
    const vr nx = v_neg(v_mul(m->dy, over)), ny = v_mul(m->dx, over), along = v_dot(nx, ny, at->x, at->y);
    vr a_low[2], a_high[2], b_low[2], b_high[2];
    vr dx = v_dot(at->ac, at->as, nx, ny), dy = v_cross(at->ac, at->as, nx, ny);
    extreme_vertices(m->ax, m->ay, N, dx, dy, a_low, a_high);
    vr right = v_sub(along, v_dot(dx, dy, a_high[0], a_high[1]));
    vr left = v_sub(v_dot(dx, dy, a_low[0], a_low[1]), along);
    dx = v_dot(at->bc, at->bs, nx, ny), dy = v_cross(at->bc, at->bs, nx, ny);
    extreme_vertices(m->bx, m->by, N, dx, dy, b_low, b_high);
    right = v_add(right, v_dot(dx, dy, b_low[0], b_low[1]));
    left = v_sub(left, v_dot(dx, dy, b_high[0], b_high[1]));
    *p = (vertices2){a_low[0], a_low[1], b_high[0], b_high[1]};
    *q = (vertices2){a_high[0], a_high[1], b_low[0], b_low[1]};
    vm by_right = v_gt(right, left);
    *ux = v_sel(by_right, nx, v_neg(nx));
    *uy = v_sel(by_right, ny, v_neg(ny));
    return v_sel(by_right, right, left);
}

/* For lanes that pass by with a gap along n: supports a little to either side of n, which are
 * both ends of a side that n is normal to. */
LANE_FN void flank(const moving_tile *m, int N, const poses2 *at, vr nx, vr ny, vm passing, vertices2 *p, vertices2 *q)
{
    vertices2 *const ends[] = {p, q};
    for (int k = 0; k < 2; k++) {
        const vr tilt = v_set(k ? -TILT : TILT);
        const vr x = v_sub(nx, v_mul(tilt, ny)), y = v_add(ny, v_mul(tilt, nx));
        vertices2 v;
        local_support(m, N, m_bits(passing), v_dot(at->ac, at->as, x, y), v_cross(at->ac, at->as, x, y),
                      v_neg(v_dot(at->bc, at->bs, x, y)), v_neg(v_cross(at->bc, at->bs, x, y)), &v.ax, &v.ay, &v.bx,
                      &v.by);
        blend_vertices(passing, &v, ends[k]);
    }
}

/* The time proven by a gap at t = 0. */
LANE_FN vr proven_by(const moving_tile *m, int turns, vr gap, vr nd, vr aim)
{
    const vr zero = v_set(0), close = v_sub(gap, aim);
    vr nearing = v_max(v_neg(nd), zero);
    if (turns)
        nearing = v_add(nearing, m->rising);
    vr until = v_sel(v_gt(nearing, zero), v_div(close, nearing), v_set(2));
    return v_sel(v_gt(close, zero), until, zero);
}

/* Whether the origin is within a triangle, by more than the rounding of products of points so far
 * away; else a needle that points at the origin would count as holding it. */
LANE_FN vm encloses(vr px, vr py, vr qx, vr qy, vr ox, vr oy)
{
    const vr pq = v_cross(px, py, qx, qy), qo = v_cross(qx, qy, ox, oy), op = v_cross(ox, oy, px, py);
    vr lost = v_max(v_dot(px, py, px, py), v_max(v_dot(qx, qy, qx, qy), v_dot(ox, oy, ox, oy)));
    lost = v_mul(v_set(4 * REAL_EPSILON), lost);
    return m_or(v_gt(v_min(pq, v_min(qo, op)), lost), v_lt(v_max(pq, v_max(qo, op)), v_neg(lost)));
}

/* Begins the lanes in done->alive; lanes that end are noted in `done`. Returns those and the
 * lanes that toi_run continues; all other lanes have not begun. */
LANE_FN vm ray_run(const moving_tile *m, const context *ctx, int N, int turns, advance2 *g, toi_done *done)
{
    const vr zero = v_set(0), one = v_set(1), epsilon = v_mul(v_set(REAL_EPSILON), m->size);
    const vr aim = v_mul(v_set(TOI_AIM), epsilon), touch = v_mul(v_set(TOI_TOUCH), epsilon);
    const vr flat = v_mul(v_set(CONVEX), epsilon);
    const poses2 at = {m->ac, m->as, m->bc, m->bs, m->x, m->y};
    vertices2 p, q;
    support2 s;
    vr bx, by, t = zero, iterations = one; /* the normal that proves most, and t */
    /* squares below this have lost digits */
    vm moves = m_and(done->alive, v_gt(v_dot(m->dx, m->dy, m->dx, m->dy), v_set(REAL_MIN / REAL_EPSILON)));
    vr gap = across(m, N, &at, &p, &q, &bx, &by);
    vr until = proven_by(m, turns, gap, zero, aim);
    vm passes = m_and(moves, v_gt(gap, aim)), apart = m_and(passes, v_ge(until, one));
    const vm passing = m_andnot(passes, apart);
    if (m_bits(passing))
        flank(m, N, &at, bx, by, passing, &p, &q);
    t = v_sel(passing, until, t);
    /* a corner proves less than the gap: look along the gap's normal again */
    vm corner = m_and(m_and(v_eq(p.ax, q.ax), v_eq(p.ay, q.ay)), m_and(v_eq(p.bx, q.bx), v_eq(p.by, q.by)));
    iterations = v_sel(m_and(passing, corner), zero, iterations);
    vr px, py, qx, qy, wx, wy;
    place(&at, &p, &px, &py);
    place(&at, &q, &qx, &qy);
    vm chord = m_and(v_le(gap, aim), v_gt(side_of(m, px, py), side_of(m, qx, qy)));
    vm alive = m_andnot(m_and(moves, chord), apart), found = m_andnot(alive, alive), inside = found;
    const vm begun = m_or(alive, passing);
    vr ox = px, oy = py; /* the end that the last support replaced */
    vm behind = v_lt(v_cross(px, py, v_sub(qx, px), v_sub(qy, py)), zero);
    work did = {0, 0};
    for (int k = 0; k < MOST_CHORDS; k++) {
        const unsigned live = m_bits(alive);
        count_round(&did, live);
        if (!live)
            break;
        vr ex = v_sub(qy, py), ey = v_sub(px, qx), over = v_div(one, v_sqrt(v_dot(ex, ey, ex, ey)));
        over = v_sel(behind, v_neg(over), over);
        vr nx = v_mul(ex, over), ny = v_mul(ey, over);
        s = look(m, N, live, &at, nx, ny);
        until = proven_by(m, turns, s.gap, s.nd, aim);
        place(&at, &s.v, &wx, &wy);
        vr height = v_dot(nx, ny, px, py), beyond = v_dot(nx, ny, v_sub(px, wx), v_sub(py, wy));
        vm farther = m_and(alive, v_ge(until, t));
        bx = v_sel(farther, nx, bx);
        by = v_sel(farther, ny, by);
        t = v_sel(farther, until, t);
        iterations = v_sel(alive, v_add(iterations, one), iterations);
        vm passed = m_and(alive, v_le(height, zero)), past = m_and(alive, v_ge(until, one));
        vm edge = m_and(alive, v_le(beyond, flat));
        inside = m_or(inside, passed);
        apart = m_or(apart, past);
        found = m_or(found, edge);
        alive = m_andnot(alive, m_or(m_or(past, passed), edge));
        vm to_left = v_gt(side_of(m, wx, wy), zero), left = m_and(alive, to_left), right = m_andnot(alive, to_left);
        blend_vertices(left, &s.v, &p);
        blend_vertices(right, &s.v, &q);
        ox = v_sel(left, px, v_sel(right, qx, ox)), oy = v_sel(left, py, v_sel(right, qy, oy));
        px = v_sel(left, wx, px), py = v_sel(left, wy, py);
        qx = v_sel(right, wx, qx), qy = v_sel(right, wy, qy);
        /* a chord along the way has no side to look to */
        alive = m_and(alive, v_gt(side_of(m, v_sub(px, qx), v_sub(py, qy)), zero));
    }
    add_work(ctx, &did);
    /* near an end, sides of the way are mere rounding, and do not suffice */
    inside = m_andnot(m_and(inside, encloses(px, py, qx, qy, ox, oy)), apart);
    const vr x = v_mul(t, m->dx), y = v_mul(t, m->dy);
    const nearest2 c = nearest_of(v_add(px, x), v_add(py, y), v_add(qx, x), v_add(qy, y));
    vm near = m_andnot(m_and(begun, v_le(c.dd, v_mul(touch, touch))), apart), late = v_gt(t, zero);
    vm over = m_andnot(m_or(near, inside), late), hit = m_and(m_and(near, found), late);
    if (turns) /* the pose is no longer that of t = 0 */
        hit = m_andnot(hit, hit);
    vm ends = m_or(m_or(apart, over), hit);
    g->p = g->w = p;
    g->q = q;
    g->ux = g->nx = g->sx = bx, g->uy = g->ny = g->sy = by;
    g->t = g->te = t;
    g->with = g->gap = g->ha = g->hb = zero;
    g->iterations = iterations;
    done->hit = m_bits(hit);
    done->overlapping = m_bits(over);
    done->separated = m_bits(apart);
    done->alive = m_andnot(done->alive, ends);
    done->live &= m_bits(done->alive);
    return m_or(begun, apart);
}

#endif
