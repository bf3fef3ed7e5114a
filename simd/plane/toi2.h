/* Time of impact in lanes, 2D (simd/toi.h).
 *
 * Each iteration takes one support of both shapes, along n at a time of the lane's own. A
 * lane that is fixing its direction does so at t: the simplex, three points of B - A by
 * their vertices, is placed there, its closest point to the origin gives n, and the support
 * gives the gap. A lane that is probing looks ahead, at te > t, along the n that it had at t.
 *
 * A direction may turn with a body: if a vertex meets a side, n stays normal to that
 * side, and the gap along it is that of the vertex alone.
 *
 * Between both times n turns, in the axes of a shape, through less than half a turn, and
 * no support there exceeds that of the corner in which the lines of both supports meet.
 * For that corner the gap along n is a sinusoid through both gaps, whose second derivative
 * is w^2 times its height over the shape's origin, with w the rate against n. The part that
 * translation adds if n turns is bounded likewise. That is the parabola of toi_share.
 */
#ifndef GJB_SIMD_TOI2_H
#define GJB_SIMD_TOI2_H

#include "simd/plane/toi2_tile.h"
#include "simd/toi.h"

/* One pair in some thousands creeps on for longer; a tile of it alone would cost more than the fallback path. */
#define MAX_TOI_ITERATIONS 256
/* A corner of two support lines within a radian is no higher than this times the higher of them: 1 / cos(1/2). */
#define CORNER ((real)1.15)
#define WIDE ((real)0.5)     /* a direction still serves if its gap is this share of the known distance */

typedef struct vertices2 {
    vr ax, ay, bx, by; /* a vertex of A and one of B, in local frames */
} vertices2;

/* What the direction of a lane turns with. */
enum { WITH_WORLD, WITH_A, WITH_B };

typedef struct advance2 {
    vertices2 p, q, w;
    vr ux, uy, with;   /* from A to B, of unit length, in the axes of what it turns with */
    vr nx, ny;         /* the same in world axes at t */
    vr sx, sy;         /* the direction that proved t, in world axes */
    vr t, te;          /* proven up to t; the next round looks at te >= t */
    vr gap, ha, hb;    /* of a probing lane: the gap at t, and the heights of its supports; of one that
                          was cut short: gap is how far it may look now; else 0 */
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
    vr rank;     /* the square; for an end slightly more, so that it loses ties */
    vr length;   /* of the point; of reduce() */
} nearest2;

LANE_FN nearest2 nearest_of(vr px, vr py, vr qx, vr qy)
{
    const vr zero = v_set(0), one = v_set(1);
    nearest2 c;
    vr ex = v_sub(qx, px), ey = v_sub(qy, py);
    vr tp = v_neg(v_dot(px, py, ex, ey)), tq = v_dot(qx, qy, ex, ey), over = v_div(one, v_dot(ex, ey, ex, ey));
    vm keep_p = v_le(tp, zero), inside = m_andnot(v_gt(tq, zero), keep_p);
    /* from the edge's normal: near contact the foot cancels to nothing */
    vr ratio = v_mul(v_sub(v_mul(py, ex), v_mul(px, ey)), over);
    c.x = v_sel(inside, v_neg(v_mul(ey, ratio)), v_sel(keep_p, px, qx));
    c.y = v_sel(inside, v_mul(ex, ratio), v_sel(keep_p, py, qy));
    c.share = v_sel(inside, v_mul(tp, over), v_sel(keep_p, zero, one));
    c.dd = v_dot(c.x, c.y, c.x, c.y);
    c.rank = v_sel(inside, c.dd, v_mul(c.dd, v_set(1 + 8 * REAL_EPSILON)));
    return c;
}

/* The closest side of the triangle p q w becomes p q. Returns its closest point, and in `inside`
 * whether the origin is within all sides: the third corner then lies beyond the origin, by more
 * than rounding. */
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

/* Starts lanes with the direction from origin to origin at the time when balls about both shapes
 * meet, or come nearest; lanes that have begun keep their state. */
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
    nx = v_sel(none, m->ac, nx); /* A's own axis: a rotation of the whole pair rotates it too */
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

/* The rotation from the axes that a direction turns with to world axes: of unit length, or a direction would be longer
 * after each round, and a gap along it, less the radius, not what it seems. */
LANE_FN void axes_of(const moving_tile *m, const poses2 *at, int turns, vr with, vr *c, vr *s)
{
    *c = v_set(1);
    *s = v_set(0);
    if (!turns)
        return;
    vm a = v_eq(with, v_set(WITH_A)), b = v_eq(with, v_set(WITH_B));
    *c = v_sel(a, v_mul(at->ac, m->unit_a), v_sel(b, v_mul(at->bc, m->unit_b), *c));
    *s = v_sel(a, v_mul(at->as, m->unit_a), v_sel(b, v_mul(at->bs, m->unit_b), *s));
}

/* A support and what follows from it. */
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

/* The time until the gap between the vertices found has shrunk by `spare`, with a turning direction. */
LANE_FN vr vertex_root(const rates2 *r, const support2 *s, vr spare, vr never)
{
    vr slope = v_sub(v_add(s->nd, v_mul(r->omega, s->px)), v_add(v_mul(r->a, s->rise_a), v_mul(r->b, s->rise_b)));
    vr bend = v_mul(r->omega, v_sub(v_add(s->pd, s->pd), v_mul(r->omega, s->along)));
    bend = v_add(bend, v_add(v_mul(v_mul(r->a, r->a), s->ha), v_mul(v_mul(r->b, r->b), s->hb)));
    return toi_root(spare, slope, v_mul(bend, v_set((real)0.5)), never);
}

/* The bend of the parabola over a unit of time, while nothing turns by more than a radian.
 * All are bounds over both ends: `least` of n times x, `turning` of the direction's rate times
 * the displacement a quarter turn on from n. */
LANE_FN vr corner_bend(const rates2 *r, vr ha, vr hb, vr least, vr turning)
{
    const vr zero = v_set(0), corner = v_set(CORNER);
    vr bend = v_add(v_mul(v_mul(r->a, r->a), v_max(ha, zero)), v_mul(v_mul(r->b, r->b), v_max(hb, zero)));
    bend = v_mul(corner, v_add(bend, v_max(v_add(turning, turning), zero)));
    vr held = v_mul(v_mul(r->omega, r->omega), v_min(least, v_mul(corner, least)));
    return v_mul(v_set((real)0.5), v_max(v_sub(bend, held), zero));
}

/* The time up to which the gap along n stays at TARGET, with each turning body replaced by its ball, or
 * with supports that rise as fast as the farthest vertices move. */
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

/* How far to look ahead from te, if the gap is more than AIM: as long as the parabola along the
 * present velocity of the vertices found stays above AIM. */
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

/* What a new direction should turn with, and the time when its gap is used up. If a vertex meets a
 * side, that side; or nothing, if that lasts longer although one end of the side approaches. */
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

/* The proven share of the time between t and te. */
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

/* ---- one round ---- */

/* TOI_TARGET, TOI_AIM and TOI_TOUCH (toi.h) of each pair, as lengths. */
typedef struct limits2 {
    vr target, aim, touch;
} limits2;

/* One round of all lanes: the results of each step, for later steps. Each mask is set by one step. */
typedef struct round2 {
    /* see(): the pair at te, the simplex there, and the support along n */
    poses2 at;
    vm fixing;    /* te is t: the lane fixes its direction here; all others are probing, from t to te */
    vm starting;  /* in its first round: there is no simplex, n is what toi_start chose */
    vm first;     /* te is 0: shapes that touch here overlap from the start, which is no hit */
    vm inside;    /* the simplex has the origin inside */
    vm steer;     /* n is new: that of the simplex's closest point */
    advance2 now; /* only its simplex. p and q: the side closest to the origin; w: the last support */
    vr wx, wy;    /* w, placed at te */
    vr known;     /* upper bound of the distance at te: that of the closest point, less the radius */
    vr nx, ny;
    support2 s;

    /* prove(): how much of the time from t to te is free */
    vr tau, share; /* te - t; the proven share of it, from t on: 1 for lanes that are fixing */
    vm cut;        /* probing, but the proof ends before te: the look ahead was too far */
    vm whole;      /* probing, and proven up to te */
    vr sx, sy;     /* the direction that proves t, the field below */

    /* propose(): the next look */
    vm moves;  /* along a line: t advances at once, and n proves it */
    vm probes; /* n is kept for the next look, at a later te */
    vr with;   /* what n will turn with */
    vr t, te;  /* proven up to t; the next look is at te. t = te: a direction is to be fixed there */

    /* judge(): which lanes end */
    vm ends;  /* the shapes touch at te: a hit, or overlapping if te is 0 */
    vm apart; /* free up to t = 1 */
    vm torn;  /* the simplex has the origin inside although the shapes are proven apart: a rounding error */
    vm tired; /* no new support is found, or it took too many rounds */
} round2;

/* Places the simplex at te, reduces it to a side, chooses n and takes the support along it. */
LANE_FN void see(const moving_tile *m, int N, int turns, unsigned live, const advance2 *g, round2 *r)
{
    const vr zero = v_set(0);
    vr axis_c, axis_s;
    r->at = poses_at(m, turns, g->te);
    r->fixing = v_le(g->te, g->t);
    r->starting = v_eq(g->iterations, zero);
    r->first = v_le(g->te, zero);
    r->now.p = g->p, r->now.q = g->q, r->now.w = g->w;
    const nearest2 c = reduce(&r->at, &r->now, &r->inside, &r->wx, &r->wy);
    r->known = v_sub(c.length, m->radius);
    axes_of(m, &r->at, turns, g->with, &axis_c, &axis_s);
    turn_out(axis_c, axis_s, g->ux, g->uy, &r->nx, &r->ny);
    /* A probing lane keeps n: the proof needs one direction at both ends. A closest point at the origin gives
     * no direction, nor does a lane without a simplex. */
    r->steer = m_andnot(m_and(r->fixing, v_gt(c.dd, zero)), r->starting);
    r->nx = v_sel(r->steer, v_div(c.x, c.length), r->nx);
    r->ny = v_sel(r->steer, v_div(c.y, c.length), r->ny);
    r->s = look(m, N, live, &r->at, r->nx, r->ny);
}

/* How much of the time to te the gaps at both ends prove, and by which direction. */
LANE_FN void prove(const moving_tile *m, int turns, const limits2 *limit, const advance2 *g, round2 *r)
{
    r->share = v_set(1);
    r->cut = r->whole = m_andnot(r->fixing, r->fixing); /* without turns nothing is probed */
    if (turns) {
        r->share = proven_share(m, g, &r->at, &r->s, r->nx, r->ny, limit->target);
        r->cut = m_andnot(v_lt(r->share, v_set(1)), r->fixing);
        r->whole = m_andnot(m_not(r->cut), r->fixing);
    }
    r->tau = v_sub(g->te, g->t);
    r->t = v_sel(r->cut, v_add(g->t, v_mul(r->tau, r->share)), g->te);
    r->sx = v_add(g->nx, v_mul(r->share, v_sub(r->nx, g->nx)));
    r->sy = v_add(g->ny, v_mul(r->share, v_sub(r->ny, g->ny)));
}

/* What n should turn with, and how far to look ahead along it: *probed. For pairs that turn. */
LANE_FN void plan_probe(const moving_tile *m, const advance2 *g, vr aim, vr spare, round2 *r, vr *probed)
{
    const support2 *s = &r->s;
    vr root;
    r->with = best_with(m, &r->now, s, r->steer, g->with, spare, &root);
    const rates2 rates = rates_of(m, r->with);
    /* the vertices that stopped the last look ahead will do so again */
    const vr last_gap = v_max(v_sub(v_sub(v_dot(r->nx, r->ny, r->wx, r->wy), m->radius), aim), spare);
    const vr last_slope = slope_of(&rates, s, &r->now.w), slope = slope_of(&rates, s, &s->v);
    const vm again = m_and(r->steer, v_gt(g->gap, v_set(0))), comes_on = m_and(again, v_lt(last_slope, v_set(0)));
    root = v_min(root, v_sel(comes_on, v_div(last_gap, v_neg(last_slope)), root));
    root = v_min(root, v_sel(again, g->gap, root));
    const vr seen = probe_time(m, &rates, g->te, s, spare, slope, root);
    *probed = v_sel(m_or(m->turns_a, m->turns_b), seen, *probed);
}

/* The next look after te: along a line, or ahead along n; else t and te become the proven time, and a better
 * direction is to be fixed there. */
LANE_FN void propose(const moving_tile *m, int turns, const limits2 *limit, const advance2 *g, round2 *r)
{
    const vr spare = v_sub(r->s.gap, limit->aim);
    vm advances, ahead = v_gt(spare, v_set(0));
    const vr lined = linear_time(m, turns, g->te, &r->s, limit->aim, &advances);
    vr probed = g->te; /* without turns the line decides alone */
    r->with = g->with;
    if (turns)
        plan_probe(m, g, limit->aim, spare, r, &probed);
    /* n still serves if it was fixed just now, or if at the probe's end its gap is not much less than the
     * known distance. A lane that was cut short is not at te. */
    const vm keeps = m_andnot(m_or(r->fixing, v_ge(spare, v_mul(v_set(WIDE), r->known))), r->cut);
    r->moves = m_and(keeps, m_and(advances, m_or(v_ge(lined, probed), m_not(ahead))));
    r->probes = m_andnot(m_and(keeps, m_and(ahead, v_gt(probed, g->te))), r->moves);
    r->t = v_sel(r->moves, v_min(v_max(lined, r->t), v_set(1)), r->t);
    r->te = v_sel(r->probes, probed, r->t);
    r->sx = v_sel(r->moves, r->nx, v_sel(r->fixing, g->sx, r->sx));
    r->sy = v_sel(r->moves, r->ny, v_sel(r->fixing, g->sy, r->sy));
}

LANE_FN vm same_vertices(const vertices2 *v, const vertices2 *w)
{
    return m_and(m_and(v_eq(v->ax, w->ax), v_eq(v->ay, w->ay)), m_and(v_eq(v->bx, w->bx), v_eq(v->by, w->by)));
}

/* Which lanes end. One that touches ends as that, whatever else holds; lanes that are torn or tired go to the
 * fallback path (see count_ends). */
LANE_FN void judge(const moving_tile *m, const limits2 *limit, const advance2 *g, round2 *r)
{
    /* with a radius, points on both surfaces are near only if n is near the closest points' direction */
    const vm settled = m_or(m_or(r->first, v_eq(m->radius, v_set(0))), m_and(r->fixing, v_ge(r->s.gap, v_set(0))));
    const vm near = m_and(m_andnot(v_le(r->known, limit->touch), r->cut), settled);
    r->ends = m_andnot(m_or(near, m_and(r->fixing, r->inside)), r->starting);
    r->torn = m_andnot(m_andnot(r->ends, near), r->first);
    r->apart = m_andnot(m_and(v_ge(r->t, v_set(1)), m_or(r->whole, r->moves)), r->ends);
    /* A support that is already in the simplex improves no direction. */
    const vm old = m_or(same_vertices(&r->s.v, &r->now.p), same_vertices(&r->s.v, &r->now.q));
    const vm stuck = m_andnot(m_and(m_and(r->fixing, old), v_le(r->t, g->t)), m_or(r->starting, r->probes));
    r->tired = m_or(stuck, v_ge(g->iterations, v_set(MAX_TOI_ITERATIONS)));
}

/* Notes in `done` how lanes end. */
LANE_FN void count_ends(const round2 *r, unsigned live, toi_done *done)
{
    const unsigned over = m_bits(r->ends) & live, beginning = m_bits(r->first);
    const unsigned lost = m_bits(m_or(r->torn, m_andnot(r->tired, m_or(r->ends, r->apart)))) & live;
    done->hit |= over & ~beginning & ~lost;
    done->overlapping |= over & beginning & ~lost;
    done->separated |= m_bits(r->apart) & live & ~lost;
    done->doubtful |= lost;
}

/* The round's outcome becomes the lane's state. Lanes of `alive` that end get the parts of their answers: the
 * side at te, the direction there, and the time. */
LANE_FN void commit(const moving_tile *m, int turns, vm alive, vm goes_on, const round2 *r, advance2 *g)
{
    const vr zero = v_set(0), quarter = v_set((real)0.25);
    /* corner to corner, too close for rounding to give a direction: the one that proved t becomes the
     * normal */
    const vm vague = m_and(m_and(r->ends, v_lt(r->s.gap, zero)), v_eq(m->radius, zero));
    vr axis_c, axis_s;
    blend_vertices(alive, &r->now.p, &g->p);
    blend_vertices(alive, &r->now.q, &g->q);
    axes_of(m, &r->at, turns, r->with, &axis_c, &axis_s);
    g->ux = v_sel(alive, v_dot(axis_c, axis_s, r->nx, r->ny), g->ux);
    g->uy = v_sel(alive, v_cross(axis_c, axis_s, r->nx, r->ny), g->uy);
    g->with = v_sel(alive, r->with, g->with);
    g->nx = v_sel(alive, v_sel(vague, g->sx, r->nx), g->nx);
    g->ny = v_sel(alive, v_sel(vague, g->sy, r->ny), g->ny);
    g->sx = v_sel(goes_on, r->sx, g->sx);
    g->sy = v_sel(goes_on, r->sy, g->sy);
    const vm only = m_and(r->starting, goes_on); /* the first support is the whole simplex */
    blend_vertices(only, &r->s.v, &g->p);
    blend_vertices(only, &r->s.v, &g->q);
    blend_vertices(goes_on, &r->s.v, &g->w);
    g->t = v_sel(goes_on, r->t, v_sel(m_and(alive, r->ends), g->te, g->t));
    g->te = v_sel(goes_on, r->te, g->te);
    /* a lane that was cut short looks less far, by the share that was proven */
    const vr nearer = v_mul(r->tau, v_sel(v_lt(r->share, quarter), quarter, v_set(4)));
    g->gap = v_sel(r->probes, r->s.gap, v_sel(r->cut, v_max(nearer, v_set(16 * REAL_EPSILON)), zero));
    g->ha = v_sel(goes_on, r->s.ha, g->ha);
    g->hb = v_sel(goes_on, r->s.hb, g->hb);
    g->iterations = v_sel(alive, v_add(g->iterations, v_set(1)), g->iterations);
}

/* Runs until at most `spare` lanes are live. `alive` is `live` as a mask. */
LANE_FN void toi_run(const moving_tile *m, const context *ctx, int N, int turns, int spare, advance2 *g, toi_done *done)
{
    const vr unit = v_set(REAL_EPSILON);
    const limits2 limit = {v_mul(v_mul(v_set(TOI_TARGET), unit), m->size), v_mul(v_mul(v_set(TOI_AIM), unit), m->size),
                           v_mul(v_mul(v_set(TOI_TOUCH), unit), m->size)};
    unsigned live = done->live;
    vm alive = done->alive;
    work did = {0, 0};
    while (lane_count(live) > spare) {
        round2 r;
        count_round(&did, live);
        see(m, N, turns, live, g, &r);
        prove(m, turns, &limit, g, &r);
        propose(m, turns, &limit, g, &r);
        judge(m, &limit, g, &r);
        count_ends(&r, live, done);
        const vm goes_on = m_andnot(alive, m_or(m_or(r.ends, r.apart), r.tired));
        commit(m, turns, alive, goes_on, &r, g);
        alive = goes_on;
        live &= m_bits(alive);
    }
    done->live = live;
    add_work(ctx, &did);
}

#endif
