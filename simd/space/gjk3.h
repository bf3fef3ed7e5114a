/* GJK in lanes (Gilbert, Johnson, Keerthi 1988), 3D: the distance of two cores
 * with witness points, and how the boolean ends early.
 *
 * D = { b - a }. Every decision is proven: apart, if the support along v/|v|
 * meets |v|; overlapping, if the origin is in a tetrahedron of D by more than
 * the rounding of the test, or nearer to D than the rounding of the input. All
 * other pairs go to the fallback path.
 *
 * A simplex is three corners, some of which may be equal: a vertex appears three
 * times, an edge's second end twice. A triangle of such corners has no normal,
 * and so is never chosen.
 */
#ifndef GJB_SIMD_GJK3_H
#define GJB_SIMD_GJK3_H

#include "simd/space/curve_tile3.h"
#include "simd/space/scan_tile3.h"

#define MAX_ITERATIONS 40
#define NEWTON_FROM 4 /* iterations: before, GJK alone is as good */

/* In the frame, in which the pair's size is of order one. */
#define VOLUME_DOUBT (16 * REAL_EPSILON)                 /* of a triple product */
#define TOUCH_SQUARED (64 * REAL_EPSILON * REAL_EPSILON) /* |v|^2 of touching cores */
#define GAP_SQUARED (64 * REAL_EPSILON * REAL_EPSILON)   /* (upper - lower bound)^2 */
#define IDLE_SQUARED (256 * REAL_EPSILON * REAL_EPSILON) /* (|v|^2 less what it was)^2 / |v|^2, of rounding alone */
#define MOST_IDLE 6
/* (upper - lower bound)^2 that counts as met once no vertex is nearer: thin triangles tilt v */
#define SETTLED_SQUARED (256 * REAL_EPSILON * REAL_EPSILON)
#define CURVED_GAP_SQUARED (256 * REAL_EPSILON * REAL_EPSILON) /* bounds of curves never meet; */
#define LOST_GAP_SQUARED (1024 * REAL_EPSILON * REAL_EPSILON)  /* and for thin triangles, which stop them */
#define POINT_DOUBT (64 * REAL_EPSILON * REAL_EPSILON)   /* squared, of witness points against v */
#define FLAT_SQUARED (64 * REAL_EPSILON * REAL_EPSILON)  /* sine^2 of a triangle without a normal */

/* The outcome of a tile's run, as lane bits. */
typedef struct lanes_done {
    unsigned separated, overlapping, doubtful, live;
    vm alive; /* `live` as a mask */
    unsigned noted; /* of those separated, whose axis is noted */
} lanes_done;

/* A corner of D by its vertices. */
typedef struct corner3 {
    v3 a, b;
} corner3;

LANE_FN v3 point_of(const corner3 *c)
{
    return v3_sub(c->b, c->a);
}

LANE_FN corner3 corner_sel(vm m, corner3 p, corner3 q)
{
    return (corner3){v3_sel(m, p.a, q.a), v3_sel(m, p.b, q.b)};
}

typedef struct simplex3 {
    corner3 c[3];
    v3 v; /* the point of it nearest to the origin */
    vr iterations;
} simplex3;
_Static_assert(offsetof(simplex3, iterations) == STATE_REALS * sizeof(vr), "what is spilled");

/* `live`: lanes that need it. */
LANE_FN corner3 support_pair3(const tile *t, int N, v3 d, unsigned live)
{
    corner3 c;
    if (N == ANY_HULL) {
        scan_pairs3(t, d, live, &c.a, &c.b);
        return c;
    }
    if (N == ANY_CURVE)
        return (corner3){curved_extreme_a(t, d), curved_extreme_b(t, v3_neg(d))};
    return (corner3){extreme_vertex3(&t->a, N, d), extreme_vertex3(&t->b, N, v3_neg(d))};
}

/* The same, not inlined, for any bin. */
LANE_CALL corner3 seldom_support3(const tile *t, int N, v3 d)
{
    return support_pair3(t, N, d, ALL_LANES);
}

/* Which corners stay: w first, then of p, q, r the ends of the feature. */
typedef struct choice3 {
    vm alone, first_p, first_q, second_q, second_r;
} choice3;

#ifdef GJB_LANES_SINGLE
#include "simd/space/gjk_single3.h"
#else
/* |v|^2 of the nearest point of the line through w along e, c = w x e; REAL_MAX
 * if it is not between w and w + e. */
LANE_FN vr try_edge(v3 w, v3 e, v3 c, vr ee)
{
    const vr ahead = v_neg(v3_dot(w, e));
    vm in = m_and(v_gt(ahead, v_set(0)), v_gt(ee, ahead));
    return v_sel(in, v_div(v3_dot(c, c), ee), v_set(REAL_MAX));
}

/* The same of the plane of the triangle w, w + e, w + f, whose normal is n = e x f
 * and h = n . w; c = w x e, d = w x f. */
LANE_FN vr try_face(v3 n, vr h, v3 c, v3 d, vr ee, vr ff, vm open)
{
    const vr zero = v_set(0), nn = v3_dot(n, n), along = v3_dot(n, c), back = v3_dot(n, d);
    vm in = m_and(m_and(v_gt(along, zero), v_lt(back, zero)), v_gt(v_add(nn, back), along));
    in = m_and(m_and(in, open), v_gt(nn, v_mul(v_set(FLAT_SQUARED), v_mul(ee, ff))));
    return v_sel(in, v_div(v_mul(h, h), nn), v_set(REAL_MAX));
}

LANE_FN void keep_corners(corner3 c[3], const corner3 *w, const choice3 *k, vm alive)
{
    const corner3 one = corner_sel(k->first_p, c[0], corner_sel(k->first_q, c[1], c[2]));
    const corner3 other = corner_sel(k->second_q, c[1], corner_sel(k->second_r, c[2], c[0]));
    c[0] = corner_sel(alive, *w, c[0]);
    c[1] = corner_sel(alive, corner_sel(k->alone, *w, one), c[1]);
    c[2] = corner_sel(alive, corner_sel(k->alone, *w, other), c[2]);
}

/* Adds w to the simplex: the nearest point of the tetrahedron is on a feature at
 * w, or the origin is inside. Lanes not alive keep their state. Returns the lanes
 * with the origin inside for certain. *lost: lanes in which no feature is nearer
 * than before (curved shapes then keep their simplex). *kept: which corners stay. */
LANE_FN vm advance(simplex3 *s, int N, const corner3 *corner, vm alive, vr before, vr *dd, vm *lost, choice3 *kept)
{
    const vr zero = v_set(0), one = v_set(1), doubt = v_set(VOLUME_DOUBT);
    const v3 w = point_of(corner);
    const v3 ep = v3_sub(point_of(&s->c[0]), w), eq = v3_sub(point_of(&s->c[1]), w), er = v3_sub(point_of(&s->c[2]), w);
    const v3 npq = v3_cross(ep, eq), nqr = v3_cross(eq, er), nrp = v3_cross(er, ep);
    const vr volume = v3_dot(npq, er);
    const vr hpq = v3_dot(npq, w), hqr = v3_dot(nqr, w), hrp = v3_dot(nrp, w);
    /* Signs as if the volume were positive: the origin is inside a face if -h > 0. */
    vm flip = v_lt(volume, zero), flat = v_le(v_abs(volume), doubt);
    const vr spq = v_sel(flip, hpq, v_neg(hpq)), sqr = v_sel(flip, hqr, v_neg(hqr)), srp = v_sel(flip, hrp, v_neg(hrp));
    const vm opq = m_or(flat, v_le(spq, doubt)), oqr = m_or(flat, v_le(sqr, doubt)), orp = m_or(flat, v_le(srp, doubt));
    const vm within = m_not(m_or(m_or(opq, oqr), orp));

    const vr pp = v3_dot(ep, ep), qq = v3_dot(eq, eq), rr = v3_dot(er, er);
    const v3 cp = v3_cross(w, ep), cq = v3_cross(w, eq), cr = v3_cross(w, er);
    const vr edge_p = try_edge(w, ep, cp, pp), edge_q = try_edge(w, eq, cq, qq), edge_r = try_edge(w, er, cr, rr);
    const vr face_pq = try_face(npq, hpq, cp, cq, pp, qq, opq), face_qr = try_face(nqr, hqr, cq, cr, qq, rr, oqr);
    const vr face_rp = try_face(nrp, hrp, cr, cp, rr, pp, orp);

    /* The nearest of them. The second corner of an edge is in both places. */
    const vr ww = v3_dot(w, w), edge_pq = v_min(edge_q, edge_p), face_pqr = v_min(face_qr, face_pq);
    const vr edge = v_min(edge_r, edge_pq), face = v_min(face_rp, face_pqr), least = v_min(v_min(edge, ww), face);
    const vm on_face = v_lt(face, v_min(edge, ww)), alone = v_ge(v_min(edge, face), ww);
    const vm fpq = v_eq(face, face_pq), fqr = v_eq(face, face_qr), ep_best = v_eq(edge, edge_p), eq_best = v_eq(edge, edge_q);
    const vm first_p = m_or(m_and(on_face, fpq), m_andnot(ep_best, on_face));
    const vm first_q = m_or(m_and(on_face, m_andnot(fqr, fpq)), m_andnot(m_andnot(eq_best, ep_best), on_face));
    const vm second_q = m_or(m_and(on_face, fpq), m_andnot(m_andnot(eq_best, ep_best), on_face));
    const vm second_r = m_or(m_and(on_face, m_andnot(fqr, fpq)), m_not(m_or(m_or(ep_best, eq_best), on_face)));
    const v3 e = v3_sel(first_p, ep, v3_sel(first_q, eq, er)), f = v3_sel(second_q, eq, v3_sel(second_r, er, ep));

    /* v from cross products, which are perpendicular to the feature up to rounding. A
     * thin triangle's normal is made perpendicular to its longer side once more. */
    const vr ee = v3_dot(e, e), ff = v3_dot(f, f);
    const vm longer = v_gt(ff, ee);
    const v3 side = v3_sel(longer, f, e), n = v3_cross(e, f);
    const v3 m = v3_sub(n, v3_mul(side, v_div(v3_dot(n, side), v_sel(longer, ff, ee))));
    const v3 axis = v3_sel(on_face, m, v3_cross(e, v3_cross(w, e)));
    const vr scale = v_div(v_sel(on_face, v3_dot(m, w), one), v_sel(on_face, v3_dot(m, m), ee));
    const v3 v = v3_sel(alone, w, v3_mul(axis, scale));

    const vr now = v3_dot(v, v);
    *lost = m_or(v_ge(least, before), m_not(v_ge(now, zero))); /* NaN too */
    if (N == ANY_CURVE)
        alive = m_andnot(alive, *lost);
    *dd = v_sel(alive, now, *dd);
    s->v = v3_sel(alive, v, s->v);
    *kept = (choice3){alone, first_p, first_q, second_q, second_r};
    keep_corners(s->c, corner, kept, alive);
    return within;
}

LANE_FN vm same_point(v3 p, v3 q)
{
    return m_and(m_and(v_eq(p.x, q.x), v_eq(p.y, q.y)), v_eq(p.z, q.z));
}

/* Lanes in which w is a corner of the simplex. */
LANE_FN vm is_corner(const simplex3 *s, v3 w)
{
    return m_or(m_or(same_point(w, point_of(&s->c[0])), same_point(w, point_of(&s->c[1]))),
                same_point(w, point_of(&s->c[2])));
}
#endif

/* If the first direction is that of a last answer, and with `prune_apart`, it may be
 * proof enough. */
LANE_FN void distance_start(const tile *t, context *ctx, int N, int prune_apart, simplex3 *s, lanes_done *done)
{
    const vr tiny = v_set(REAL_EPSILON * REAL_EPSILON);
    v3 d = t->shift;
    d.x = v_sel(v_lt(v3_dot(d, d), tiny), v_set(1), d.x);
    vm known = t->in_use;
    if (is_warm(ctx))
        known = warm_direction(ctx, t, &d);
    count_work(ctx, done->live);
    s->c[0] = s->c[1] = s->c[2] = support_pair3(t, N, d, done->live);
    s->v = point_of(&s->c[0]);
    s->iterations = v_set(1);
    if (is_warm(ctx) && prune_apart == PRUNE_BY_SIGN) {
        const vr along = v3_dot(d, s->v), bar = v_mul(v_mul(t->radius, t->radius), v3_dot(d, d));
        vm apart = m_and(m_and(known, v_gt(along, v_set(0))), v_gt(v_mul(along, along), bar));
        done->noted = m_bits(apart) & done->live;
        done->separated |= done->noted;
        done->live &= ~done->noted;
        done->alive = m_andnot(done->alive, apart);
        note_directions(ctx, t, done->noted, d);
    }
}

/* Replaces the support c along v by that along Newton's direction, if it proves more: on smooth
 * shapes GJK converges linearly, Newton's method quadratically. */
LANE_FN void try_newton(const tile *t, simplex3 *s, vr vw, vr dd, vm alive, corner3 *c)
{
    const vm ahead = m_and(m_and(alive, t->curves->smooth), v_gt(vw, v_set(0)));
    if (!m_bits(ahead))
        return;
    const v3 n = v3_mul(s->v, v_div(v_set(1), v_sqrt(dd)));
    const v3 d = newton_direction(t, n, c->a, c->b);
    corner3 other = seldom_support3(t, ANY_CURVE, d);
    const vr there = v3_dot(d, point_of(&other));
    /* there / |d| > vw / |v|, in squares; and v must come nearer too */
    vm better = m_and(m_and(ahead, v_gt(there, v_set(0))),
                      v_gt(v_mul(v_mul(there, there), dd), v_mul(v_mul(vw, vw), v3_dot(d, d))));
    better = m_and(better, v_ge(v_sub(dd, v3_dot(s->v, point_of(&other))), v_mul(v_set((real)0.25), v_sub(dd, vw))));
    *c = corner_sel(better, other, *c);
    s->iterations = v_sel(ahead, v_add(s->iterations, v_set(1)), s->iterations);
}

/* Lanes that are no nearer than before by rounding alone. Between nearly parallel faces the axis has still to turn
 * after the distance has stopped changing, so a lane may go on a few times: it counts them in 64ths of an iteration. */
LANE_FN vm may_idle(simplex3 *s, vm alive, vm lost, vr before, vr now)
{
    const vr whole = v_set(REAL_EPSILON == 0x1p-24 ? (real)0x1.8p23 : (real)0x1.8p52), rise = v_sub(now, before);
    const vr idled = v_sub(s->iterations, v_sub(v_add(s->iterations, whole), whole));
    s->iterations = v_sel(m_and(alive, lost), v_add(s->iterations, v_set((real)1 / 64)), s->iterations);
    return m_and(v_le(v_mul(rise, rise), v_mul(v_set(IDLE_SQUARED), before)), v_lt(idled, v_set((real)MOST_IDLE / 64)));
}

/* Runs until at most `spare` lanes are live. `prune_apart`, `prune_within`: stop
 * as soon as it is known on which side of the radii the distance lies. */
LANE_FN void distance_run(const tile *t, const context *ctx, int N, int spare, int prune_apart, int prune_within,
                          simplex3 *s, lanes_done *done)
{
    const vr one = v_set(1), zero = v_set(0), radius2 = v_mul(t->radius, t->radius), bar2 = v_mul(t->bar, t->bar);
    const vr met_squared = v_set(N == ANY_CURVE ? CURVED_GAP_SQUARED : GAP_SQUARED);
    const vr settled_squared = v_set(N == ANY_CURVE ? LOST_GAP_SQUARED : SETTLED_SQUARED);
    unsigned live = done->live;
    vm alive = done->alive;
    work did = {0, 0};
    vr dd = v3_dot(s->v, s->v);
    while (lane_count(live) > spare) {
        count_round(&did, live);
        corner3 c = support_pair3(t, N, s->v, live);
        const v3 w = point_of(&c);
        s->iterations = v_sel(alive, v_add(s->iterations, one), s->iterations);

        const vr vw = v3_dot(s->v, w), gap = v_sub(dd, vw);
        vm touching = v_le(dd, v_set(TOUCH_SQUARED));
        if (prune_within)
            touching = m_or(touching, v_le(dd, radius2));
        vm apart = m_or(v_le(gap, zero), v_le(v_mul(gap, gap), v_mul(met_squared, dd)));
        const vm beyond = m_and(v_gt(vw, zero), v_gt(v_mul(vw, vw), v_mul(bar2, dd)));
        if (prune_apart)
            apart = m_or(apart, beyond);
        const vm known = m_or(is_corner(s, w), v_gt(s->iterations, v_set(MAX_ITERATIONS)));
        /* touching is judged before apart: its direction is noise */
        const unsigned near = m_bits(touching) & live, off = m_bits(apart) & live & ~near;
        const unsigned stuck = m_bits(known) & live & ~near & ~off;
        const vm all_but_met = v_le(v_mul(gap, gap), v_mul(settled_squared, dd));
        const unsigned settled = N == ANY_CURVE ? 0 : m_bits(all_but_met);
        done->overlapping |= near;
        done->separated |= off | (stuck & settled);
        done->doubtful |= stuck & ~settled;
        live &= ~(near | off | stuck);
        alive = m_andnot(alive, m_or(touching, m_or(apart, known)));
        if (!live)
            break;

        if (N == ANY_CURVE)
            slide_along_lines(t, s->v, vw, dd, &c.a, &c.b);
        if (N == ANY_CURVE && prune_apart != PRUNE_BY_SIGN)
            try_newton(t, s, vw, dd, m_and(alive, v_gt(s->iterations, v_set(NEWTON_FROM))), &c);
        vm lost;
        choice3 kept;
        const vr before = dd;
        const vm within = advance(s, N, &c, alive, before, &dd, &lost, &kept);
        if (N != ANY_CURVE)
            lost = m_andnot(lost, may_idle(s, alive, lost, before, dd));
        const unsigned inside = m_bits(within) & live, idle = m_bits(lost) & live & ~inside;
        const unsigned good = N == ANY_CURVE ? m_bits(all_but_met) & idle : 0;
        done->overlapping |= inside;
        done->separated |= good;
        done->doubtful |= idle & ~good;
        live &= ~(inside | idle);
        alive = m_andnot(alive, m_or(within, lost));
    }
    done->live = live;
    add_work(ctx, &did);
}

#endif
