/* Time of impact in lanes, 2D (simd/toi.h).
 *
 * Each iteration takes one support of both shapes, along n at a time of the lane's own. A
 * lane that is fixing its direction does so at t: the simplex, three points of B - A by
 * their vertices, is placed there, its closest point to the origin gives n, and the support
 * the gap. A lane that is probing looks ahead, at te > t, along the n that it had at t.
 *
 * A direction may turn with a body: where a vertex meets a side, n stays normal to that
 * side, and the gap along it is that of the vertex alone.
 *
 * Between both times n turns, in the axes of a shape, through less than half a turn, and
 * there no support is more than that of the corner where the lines of both supports meet:
 * of that corner the gap along n is a sinusoid through both gaps, whose second derivative
 * is w^2 times its height over the shape's origin, w being the rate against n. What
 * translation adds where n turns is bounded likewise. That is the parabola of toi_share.
 */
#ifndef GJB_SIMD_TOI2_H
#define GJB_SIMD_TOI2_H

#include "simd/toi.h"
#include "simd/plane/toi2_tile.h"

#define MAX_TOI_ITERATIONS 2048
/* A corner of two support lines within a radian is no higher than this times the higher of them: 1 / cos(1/2). */
#define CORNER ((real)1.15)
#define WIDE ((real)0.5)     /* a gap of so much of the distance that is known: its direction still serves */

typedef struct vertices2 {
    vr ax, ay, bx, by; /* a vertex of A and one of B, in local frames */
} vertices2;

/* What the direction of a lane turns with. */
enum { WITH_WORLD, WITH_A, WITH_B };

typedef struct advance2 {
    vertices2 p, q, w;
    vr ux, uy, with;   /* from A to B, of unit length, in the axes of what it turns with */
    vr nx, ny;         /* the same in world axes at t */
    vr sx, sy;         /* what proved t, in world axes */
    vr t, te;          /* proven up to t; what comes next is at te >= t */
    vr gap, ha, hb;    /* of a lane that is probing: at t, and the heights of its supports; of one that was cut
                          short, the gap is how far it may look now; else 0 */
    vr iterations;
} advance2;
enum { ADVANCE_REALS = offsetof(advance2, iterations) / sizeof(vr) };

typedef struct toi_done {
    unsigned hit, overlapping, separated, doubtful, live;
    vm alive;
} toi_done;

LANE_FN void place(const poses2 *at, const vertices2 *v, vr *x, vr *y)
{
    vr ax, ay, bx, by;
    turn_out(at->ac, at->as, v->ax, v->ay, &ax, &ay);
    turn_out(at->bc, at->bs, v->bx, v->by, &bx, &by);
    *x = v_add(at->x, v_sub(bx, ax));
    *y = v_add(at->y, v_sub(by, ay));
}

LANE_FN void blend_vertices(vm m, const vertices2 *from, vertices2 *to)
{
    to->ax = v_sel(m, from->ax, to->ax);
    to->ay = v_sel(m, from->ay, to->ay);
    to->bx = v_sel(m, from->bx, to->bx);
    to->by = v_sel(m, from->by, to->by);
}

/* Closest point of a segment to the origin. */
typedef struct nearest2 {
    vr x, y, dd; /* the point, its square */
    vr share;    /* point = p + share (q - p) */
    vr rank;     /* the square; of an end somewhat more, so that among equals it is not taken */
    vr length;   /* of the point; of reduce() */
} nearest2;

LANE_FN nearest2 nearest_of(vr px, vr py, vr qx, vr qy)
{
    const vr zero = v_set(0), one = v_set(1);
    nearest2 c;
    vr ex = v_sub(qx, px), ey = v_sub(qy, py);
    vr tp = v_neg(v_dot(px, py, ex, ey)), tq = v_dot(qx, qy, ex, ey), over = v_div(one, v_dot(ex, ey, ex, ey));
    vm keep_p = v_le(tp, zero), inside = m_andnot(v_gt(tq, zero), keep_p);
    /* from the edge's normal: near contact the foot is all cancellation */
    vr ratio = v_mul(v_sub(v_mul(py, ex), v_mul(px, ey)), over);
    c.x = v_sel(inside, v_neg(v_mul(ey, ratio)), v_sel(keep_p, px, qx));
    c.y = v_sel(inside, v_mul(ex, ratio), v_sel(keep_p, py, qy));
    c.share = v_sel(inside, v_mul(tp, over), v_sel(keep_p, zero, one));
    c.dd = v_dot(c.x, c.y, c.x, c.y);
    c.rank = v_sel(inside, c.dd, v_mul(c.dd, v_set(1 + 8 * REAL_EPSILON)));
    return c;
}

/* The side of the triangle p q w that is closest becomes p q. Returns its closest point, and
 * in `inside` whether the origin is within all sides: the corner that is left then lies
 * beyond it, by more than rounding. */
LANE_FN nearest2 reduce(const poses2 *at, advance2 *g, vm *inside, vr *w_x, vr *w_y)
{
    vr px, py, qx, qy, wx, wy;
    place(at, &g->p, &px, &py);
    place(at, &g->q, &qx, &qy);
    place(at, &g->w, &wx, &wy);
    *w_x = wx;
    *w_y = wy;
    nearest2 c = nearest_of(px, py, qx, qy), of_qw = nearest_of(qx, qy, wx, wy), of_pw = nearest_of(px, py, wx, wy);
    vm leave_p = m_and(v_lt(of_qw.rank, c.rank), v_le(of_qw.rank, of_pw.rank));
    vm leave_q = m_andnot(v_lt(of_pw.rank, c.rank), leave_p);
    const vr *qw_field = &of_qw.x, *pw_field = &of_pw.x;
    vr *field = &c.x;
    for (int k = 0; k < 4; k++)
        field[k] = v_sel(leave_p, qw_field[k], v_sel(leave_q, pw_field[k], field[k]));
    vr left_x = v_sel(leave_p, px, v_sel(leave_q, qx, wx)), left_y = v_sel(leave_p, py, v_sel(leave_q, qy, wy));
    c.length = v_sqrt(c.dd);
    *inside = v_lt(v_dot(c.x, c.y, left_x, left_y), v_mul(v_set(-16 * REAL_EPSILON), c.length));
    blend_vertices(leave_p, &g->q, &g->p);
    blend_vertices(m_or(leave_p, leave_q), &g->w, &g->q);
    return c;
}

/* Where balls about both shapes meet, or come nearest, and the direction there; lanes that
 * have begun keep what they have. */
LANE_FN void toi_start(const moving_tile *m, vm begun, advance2 *g)
{
    const vr zero = v_set(0), one = v_set(1);
    vr reach = v_add(m->reach_a, m->reach_b);
    vr xx = v_dot(m->x, m->y, m->x, m->y), dd = v_dot(m->dx, m->dy, m->dx, m->dy), xd = v_dot(m->x, m->y, m->dx, m->dy);
    vr c = v_sub(xx, v_mul(reach, reach));
    vr root = v_sqrt(v_max(v_sub(v_mul(xd, xd), v_mul(dd, c)), zero));
    vr meet = v_div(v_sub(v_neg(xd), root), v_max(dd, v_set(REAL_MIN)));
    meet = v_sel(m_and(v_gt(c, zero), v_lt(xd, zero)), v_min(v_max(meet, zero), one), zero);
    vr nx = v_add(m->x, v_mul(meet, m->dx)), ny = v_add(m->y, v_mul(meet, m->dy));
    const vm none = v_le(v_sqrt(v_dot(nx, ny, nx, ny)), v_set(REAL_EPSILON));
    nx = v_sel(none, m->ac, nx); /* A's own axis: it turns as the world does */
    ny = v_sel(none, m->as, ny);
    const vr length = v_sqrt(v_dot(nx, ny, nx, ny));
    nx = v_div(nx, length);
    ny = v_div(ny, length);
    advance2 fresh = {.ux = nx, .uy = ny, .nx = nx, .ny = ny, .sx = nx, .sy = ny};
    const vertices2 origins = {zero, zero, zero, zero};
    fresh.p = fresh.q = fresh.w = origins;
    fresh.with = fresh.t = fresh.te = fresh.gap = fresh.ha = fresh.hb = fresh.iterations = zero;
    vr *to = &g->p.ax;
    const vr *from = &fresh.p.ax;
    for (int k = 0; k <= ADVANCE_REALS; k++)
        to[k] = v_sel(begun, to[k], from[k]);
}

/* How a direction and the bodies turn: the direction's own rate, and the bodies' against it. */
typedef struct rates2 {
    vr omega, a, b;
} rates2;

LANE_FN rates2 rates_of(const moving_tile *m, vr with)
{
    const vr zero = v_set(0);
    vr omega = v_sel(v_eq(with, v_set(WITH_A)), m->wa, v_sel(v_eq(with, v_set(WITH_B)), m->wb, zero));
    return (rates2){omega, v_sub(m->wa, omega), v_sub(m->wb, omega)};
}

/* A direction of the axes that it turns with, in world axes, and back. */
LANE_FN void axes_of(const poses2 *at, int turns, vr with, vr *c, vr *s)
{
    *c = v_set(1);
    *s = v_set(0);
    if (!turns)
        return;
    vm a = v_eq(with, v_set(WITH_A)), b = v_eq(with, v_set(WITH_B));
    *c = v_sel(a, at->ac, v_sel(b, at->bc, *c));
    *s = v_sel(a, at->as, v_sel(b, at->bs, *s));
}

/* What a support tells. */
typedef struct support2 {
    vertices2 v;
    vr adx, ady, bdx, bdy; /* n in A's axes, and against it in B's */
    vr ha, hb;           /* heights over the shapes' origins, along n and against it */
    vr gap, along;       /* along n; n times x */
    vr rise_a, rise_b;   /* of the heights, by angle of the shape */
    vr nd, pd, px;       /* n times the displacement; a quarter turn on from n, times it and times x */
} support2;

LANE_FN support2 look(const moving_tile *m, int N, unsigned live, const poses2 *at, vr nx, vr ny)
{
    support2 s;
    const vr adx = s.adx = v_dot(at->ac, at->as, nx, ny), ady = s.ady = v_cross(at->ac, at->as, nx, ny);
    const vr bdx = s.bdx = v_neg(v_dot(at->bc, at->bs, nx, ny)), bdy = s.bdy = v_neg(v_cross(at->bc, at->bs, nx, ny));
    local_support(m, N, live, adx, ady, bdx, bdy, &s.v.ax, &s.v.ay, &s.v.bx, &s.v.by);
    s.ha = v_dot(adx, ady, s.v.ax, s.v.ay);
    s.hb = v_dot(bdx, bdy, s.v.bx, s.v.by);
    s.along = v_dot(nx, ny, at->x, at->y);
    s.gap = v_sub(v_sub(s.along, v_add(s.ha, s.hb)), m->radius);
    s.rise_a = v_cross(s.v.ax, s.v.ay, adx, ady);
    s.rise_b = v_cross(s.v.bx, s.v.by, bdx, bdy);
    s.nd = v_dot(nx, ny, m->dx, m->dy);
    s.pd = v_cross(nx, ny, m->dx, m->dy);
    s.px = v_cross(nx, ny, at->x, at->y);
    return s;
}

/* When the gap between the vertices found is used up to `spare`, as the direction turns at a rate. */
LANE_FN vr vertex_root(const rates2 *r, const support2 *s, vr spare, vr never)
{
    vr slope = v_sub(v_add(s->nd, v_mul(r->omega, s->px)), v_add(v_mul(r->a, s->rise_a), v_mul(r->b, s->rise_b)));
    vr bend = v_mul(r->omega, v_sub(v_add(s->pd, s->pd), v_mul(r->omega, s->along)));
    bend = v_add(bend, v_add(v_mul(v_mul(r->a, r->a), s->ha), v_mul(v_mul(r->b, r->b), s->hb)));
    return toi_root(spare, slope, v_mul(bend, v_set((real)0.5)), never);
}

/* The bend of the parabola over a unit of time, while nothing turns by more than a radian.
 * Heights, n times x and a quarter turn on from n times the displacement: all at the ends,
 * of x the least of both n and both x. */
LANE_FN vr corner_bend(const rates2 *r, vr ha, vr hb, vr least, vr turning)
{
    const vr zero = v_set(0), corner = v_set(CORNER);
    vr bend = v_add(v_mul(v_mul(r->a, r->a), v_max(ha, zero)), v_mul(v_mul(r->b, r->b), v_max(hb, zero)));
    bend = v_mul(corner, v_add(bend, v_max(v_add(turning, turning), zero)));
    vr held = v_mul(v_mul(r->omega, r->omega), v_min(least, v_mul(corner, least)));
    return v_mul(v_set((real)0.5), v_max(v_sub(bend, held), zero));
}

/* The time up to which the gap along n stays TARGET, of bodies that turn as their balls, or
 * whose supports rise as fast as their farthest vertices go. */
LANE_FN vr linear_time(const moving_tile *m, int turns, vr te, const support2 *s, vr aim, vm *advances)
{
    const vr zero = v_set(0), never = v_set(2);
    vr close = v_sub(s->gap, aim), nearing = v_max(v_neg(s->nd), zero), until = never;
    *advances = v_gt(close, zero);
    if (!turns)
        return v_sel(v_gt(nearing, zero), v_add(te, v_div(close, nearing)), never);
    vr far_a = v_sel(m->turns_a, m->reach_a, v_add(s->ha, m->ra));
    vr far_b = v_sel(m->turns_b, m->reach_b, v_add(s->hb, m->rb));
    vr spare = v_sub(v_sub(s->along, v_add(far_a, far_b)), aim);
    until = v_sel(v_gt(nearing, zero), v_add(te, v_div(spare, nearing)), never);
    until = v_sel(v_gt(spare, zero), until, te);
    return v_max(until, v_add(te, v_div(close, v_add(nearing, m->rising))));
}

/* How far to look ahead from te, where the gap is more than AIM: while the parabola to where
 * the vertices found will be, as fast as they go now, stays above AIM. */
LANE_FN vr probe_time(const moving_tile *m, const rates2 *r, vr te, const support2 *s, vr spare, vr slope, vr root)
{
    const vr zero = v_set(0), one = v_set(1);
    vr bend = v_max(corner_bend(r, s->ha, s->hb, s->along, v_mul(r->omega, s->pd)), v_set(REAL_MIN));
    vr rising = v_div(v_max(slope, zero), bend), wide = v_sqrt(v_div(v_mul(v_set(3), spare), bend));
    return v_min(v_add(te, v_min(root, v_min(v_add(rising, wide), m->radian))), one);
}

/* How fast the gap between two vertices changes. */
LANE_FN vr slope_of(const rates2 *r, const support2 *s, const vertices2 *v)
{
    return v_sub(v_add(s->nd, v_mul(r->omega, s->px)), v_add(v_mul(r->a, v_cross(v->ax, v->ay, s->adx, s->ady)),
                                                             v_mul(r->b, v_cross(v->bx, v->by, s->bdx, s->bdy))));
}

/* What a new direction should turn with, and when its gap is used up. Where a vertex meets a
 * side, that side; or nothing, where this lasts longer though one end of the side comes on. */
LANE_FN vr best_with(const moving_tile *m, const advance2 *g, const support2 *s, vm steer, vr had, vr spare, vr *root)
{
    const vr world = v_set(WITH_WORLD), four = v_set(4);
    vm one_a = m_and(v_eq(g->p.ax, g->q.ax), v_eq(g->p.ay, g->q.ay));
    vm one_b = m_and(v_eq(g->p.bx, g->q.bx), v_eq(g->p.by, g->q.by));
    vr with = v_sel(m_andnot(one_b, one_a), v_set(WITH_A), v_sel(m_andnot(one_a, one_b), v_set(WITH_B), world));
    with = v_sel(steer, with, had);
    rates2 r = rates_of(m, with);
    *root = vertex_root(&r, s, spare, four);
    const rates2 none = {v_set(0), m->wa, m->wb};
    vr falls = v_neg(v_min(slope_of(&none, s, &g->p), slope_of(&none, s, &g->q)));
    vr still = v_sel(v_gt(falls, v_set(0)), v_div(spare, falls), four);
    vm stands = m_andnot(m_and(steer, v_gt(still, v_min(*root, m->radian))), v_eq(with, world));
    *root = v_sel(stands, still, *root);
    return v_sel(stands, world, with);
}

/* Of the span of time between t and te, what share is proven. */
LANE_FN vr proven_share(const moving_tile *m, const advance2 *g, const poses2 *at, const support2 *s, vr nx, vr ny,
                        vr target)
{
    const rates2 r = rates_of(m, g->with);
    vr tau = v_sub(g->te, g->t);
    vr x = v_add(m->x, v_mul(g->t, m->dx)), y = v_add(m->y, v_mul(g->t, m->dy)); /* at t */
    vr least = v_min(v_min(v_dot(g->nx, g->ny, x, y), v_dot(nx, ny, x, y)),
                     v_min(v_dot(g->nx, g->ny, at->x, at->y), s->along));
    vr turning = v_max(v_mul(r.omega, s->pd), v_mul(r.omega, v_cross(g->nx, g->ny, m->dx, m->dy)));
    vr bend = v_mul(corner_bend(&r, v_max(g->ha, s->ha), v_max(g->hb, s->hb), least, turning), v_mul(tau, tau));
    return toi_share(g->gap, s->gap, bend, target);
}

/* Runs until no more than `spare` lanes are live. */
LANE_FN void toi_run(const moving_tile *m, const context *ctx, int N, int turns, int spare, advance2 *g, toi_done *done)
{
    const vr zero = v_set(0), one = v_set(1), epsilon = v_set(REAL_EPSILON);
    const vr target = v_mul(v_mul(v_set(TOI_TARGET), epsilon), m->size);
    const vr aim = v_mul(v_mul(v_set(TOI_AIM), epsilon), m->size);
    const vr touch = v_mul(v_mul(v_set(TOI_TOUCH), epsilon), m->size);
    unsigned live = done->live;
    vm alive = done->alive;
    work did = {0, 0};
    while (lane_count(live) > spare) {
        count_round(&did, live);
        const poses2 at = poses_at(m, turns, g->te);
        vm fixing = v_le(g->te, g->t), starting = v_eq(g->iterations, zero), inside;
        vr wx, wy;
        advance2 now; /* its simplex alone */
        now.p = g->p, now.q = g->q, now.w = g->w;
        nearest2 c = reduce(&at, &now, &inside, &wx, &wy);
        const vr length = c.length, known = v_sub(length, m->radius);
        vr axis_c, axis_s, nx, ny;
        axes_of(&at, turns, g->with, &axis_c, &axis_s);
        turn_out(axis_c, axis_s, g->ux, g->uy, &nx, &ny);
        vm steer = m_andnot(m_and(fixing, v_gt(c.dd, zero)), starting);
        nx = v_sel(steer, v_div(c.x, length), nx);
        ny = v_sel(steer, v_div(c.y, length), ny);

        support2 s = look(m, N, live, &at, nx, ny);
        vr share = one;
        vm cut = m_andnot(fixing, fixing), whole = cut; /* nothing that stays unturned is probed */
        if (turns) {
            share = proven_share(m, g, &at, &s, nx, ny, target);
            cut = m_andnot(v_lt(share, one), fixing);
            whole = m_andnot(m_not(cut), fixing);
        }
        vm first = v_le(g->te, zero);
        /* with a radius, points on both surfaces are only as near as n is to the closest points' direction */
        vm settled = m_or(m_or(first, v_eq(m->radius, zero)), m_and(fixing, v_ge(s.gap, zero)));
        vm near = m_and(m_andnot(v_le(known, touch), cut), settled);
        vm ends = m_andnot(m_or(near, m_and(fixing, inside)), starting);
        vm torn = m_andnot(m_andnot(ends, near), first); /* apart, and not: rounding alone does that */
        vr tau = v_sub(g->te, g->t), t = v_sel(cut, v_add(g->t, v_mul(tau, share)), g->te);
        vr sx = v_add(g->nx, v_mul(share, v_sub(nx, g->nx))), sy = v_add(g->ny, v_mul(share, v_sub(ny, g->ny)));

        /* onwards from te: along a line, or a look ahead; or a better direction there */
        vr spare_gap = v_sub(s.gap, aim);
        vm advances, ahead = v_gt(spare_gap, zero);
        vr lined = linear_time(m, turns, g->te, &s, aim, &advances);
        vr with = g->with, probed = g->te; /* of one that does not turn the line tells all */
        if (turns) {
            vr root;
            with = best_with(m, &now, &s, steer, with, spare_gap, &root);
            const rates2 r = rates_of(m, with);
            /* what stopped the last look ahead does so again */
            vr last_gap = v_max(v_sub(v_sub(v_dot(nx, ny, wx, wy), m->radius), aim), spare_gap);
            vr last_slope = slope_of(&r, &s, &now.w), slope = slope_of(&r, &s, &s.v);
            vm again = m_and(steer, v_gt(g->gap, zero));
            root = v_min(root, v_sel(m_and(again, v_lt(last_slope, zero)), v_div(last_gap, v_neg(last_slope)), root));
            root = v_min(root, v_sel(again, g->gap, root));
            probed = v_sel(m_or(m->turns_a, m->turns_b), probe_time(m, &r, g->te, &s, spare_gap, slope, root), probed);
        }
        vm keeps = m_andnot(m_or(fixing, v_ge(spare_gap, v_mul(v_set(WIDE), known))), cut);
        vm moves = m_and(keeps, m_and(advances, m_or(v_ge(lined, probed), m_not(ahead))));
        vm probes = m_andnot(m_and(keeps, m_and(ahead, v_gt(probed, g->te))), moves);
        t = v_sel(moves, v_min(v_max(lined, t), one), t);
        vr te = v_sel(probes, probed, t);
        sx = v_sel(moves, nx, v_sel(fixing, g->sx, sx));
        sy = v_sel(moves, ny, v_sel(fixing, g->sy, sy));

        vm apart = m_andnot(m_and(v_ge(t, one), m_or(whole, moves)), ends);
        vm same_p = m_and(m_and(v_eq(s.v.ax, now.p.ax), v_eq(s.v.ay, now.p.ay)),
                          m_and(v_eq(s.v.bx, now.p.bx), v_eq(s.v.by, now.p.by)));
        vm same_q = m_and(m_and(v_eq(s.v.ax, now.q.ax), v_eq(s.v.ay, now.q.ay)),
                          m_and(v_eq(s.v.bx, now.q.bx), v_eq(s.v.by, now.q.by)));
        vm stuck = m_andnot(m_and(m_and(fixing, m_or(same_p, same_q)), v_le(t, g->t)), m_or(starting, probes));
        vm tired = m_or(stuck, v_ge(g->iterations, v_set(MAX_TOI_ITERATIONS)));
        /* corner to corner, closer than what rounding says of the direction: then what proved t is the normal */
        vm vague = m_and(m_and(ends, v_lt(s.gap, zero)), v_eq(m->radius, zero));

        unsigned over = m_bits(ends) & live, lost = m_bits(m_or(torn, m_andnot(tired, m_or(ends, apart)))) & live;
        unsigned beginning = m_bits(first);
        done->hit |= over & ~beginning & ~lost;
        done->overlapping |= over & beginning & ~lost;
        done->separated |= m_bits(apart) & live & ~lost;
        done->doubtful |= lost;
        vm goes_on = m_andnot(alive, m_or(m_or(ends, apart), tired));

        /* of those that end, what they end with: the side at t, and its direction */
        blend_vertices(alive, &now.p, &g->p);
        blend_vertices(alive, &now.q, &g->q);
        axes_of(&at, turns, with, &axis_c, &axis_s);
        g->ux = v_sel(alive, v_dot(axis_c, axis_s, nx, ny), g->ux);
        g->uy = v_sel(alive, v_cross(axis_c, axis_s, nx, ny), g->uy);
        g->with = v_sel(alive, with, g->with);
        g->nx = v_sel(alive, v_sel(vague, g->sx, nx), g->nx);
        g->ny = v_sel(alive, v_sel(vague, g->sy, ny), g->ny);
        g->sx = v_sel(goes_on, sx, g->sx);
        g->sy = v_sel(goes_on, sy, g->sy);
        vm only = m_and(starting, goes_on); /* the first support is the whole simplex */
        blend_vertices(only, &s.v, &g->p);
        blend_vertices(only, &s.v, &g->q);
        blend_vertices(goes_on, &s.v, &g->w);
        g->t = v_sel(goes_on, t, v_sel(m_and(alive, ends), g->te, g->t));
        g->te = v_sel(goes_on, te, g->te);
        vr nearer = v_mul(tau, v_sel(v_lt(share, v_set((real)0.25)), v_set((real)0.25), v_set(4)));
        g->gap = v_sel(probes, s.gap, v_sel(cut, v_max(nearer, v_set(16 * REAL_EPSILON)), zero));
        g->ha = v_sel(goes_on, s.ha, g->ha);
        g->hb = v_sel(goes_on, s.hb, g->hb);
        g->iterations = v_sel(alive, v_add(g->iterations, one), g->iterations);
        alive = goes_on;
        live &= m_bits(alive);
    }
    done->live = live;
    add_work(ctx, &did);
}

#endif
