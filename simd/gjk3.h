/* GJK in lanes (Gilbert, Johnson, Keerthi 1988), 3D: the distance of two cores
 * with witness points, and how the boolean ends early.
 *
 * D = { b - a }. Nothing is decided that is not proven: apart, when the support
 * along v/|v| meets |v|; overlapping, when the origin is in a tetrahedron of D
 * by more than the rounding of the test, or nearer to D than the rounding of the
 * input. All else goes to the solo path.
 *
 * A simplex is three corners of which some may be the same: a vertex stands
 * three times, an edge's second end twice. A triangle of such corners has no
 * normal and drops out by itself.
 */
#ifndef GJB_SIMD_GJK3_H
#define GJB_SIMD_GJK3_H

#include "simd/tile3.h"

#define MAX_ITERATIONS 40

/* In the frame, where the pair's size is of order one. */
#define VOLUME_DOUBT (16 * REAL_EPSILON)                 /* of a triple product */
#define TOUCH_SQUARED (64 * REAL_EPSILON * REAL_EPSILON) /* |v|^2 of touching cores */
#define GAP_SQUARED (64 * REAL_EPSILON * REAL_EPSILON)   /* (upper - lower bound)^2 */
#define POINT_DOUBT (64 * REAL_EPSILON * REAL_EPSILON)   /* squared, of witness points against v */
#define FLAT_SQUARED (64 * REAL_EPSILON * REAL_EPSILON)  /* sine^2 of a triangle without a normal */

/* What a run of a tile leaves, as lane bits. */
typedef struct lanes_done {
    unsigned separated, overlapping, doubtful, live;
    vm alive; /* `live` as a mask */
} lanes_done;

LANE_FN void count_work(const context *ctx, unsigned live)
{
    if (ctx->batch->stats) {
        ctx->batch->stats->lane_slots += LANES;
        ctx->batch->stats->lane_live += (unsigned)__builtin_popcount(live);
    }
}

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

LANE_FN corner3 support_pair3(const tile *t, int N, v3 d)
{
    return (corner3){extreme_vertex3(&t->a, N, d), extreme_vertex3(&t->b, N, v3_neg(d))};
}

/* A feature at the newest corner w, as a candidate for the nearest. */
typedef struct candidate {
    vr dd; /* |v|^2; REAL_MAX where the nearest point is not on it */
    v3 v;
} candidate;

/* The edge from w to x, e = x - w. */
LANE_FN candidate try_edge(v3 w, v3 x, v3 e)
{
    const vr ee = v3_dot(e, e), ahead = v_neg(v3_dot(w, e)), zero = v_set(0);
    const vr by = v_div(v_set(1), ee);
    vm in = m_and(v_gt(ahead, zero), v_gt(v3_dot(x, e), zero));
    candidate c;
    c.v = v3_add(w, v3_mul(e, v_mul(ahead, by)));
    /* made perpendicular once more: near contact the rounding of v is its tilt */
    c.v = v3_sub(c.v, v3_mul(e, v_mul(v3_dot(c.v, e), by)));
    c.dd = v_sel(in, v3_dot(c.v, c.v), v_set(REAL_MAX));
    return c;
}

/* The triangle w, x, y with e = x - w, f = y - w, normal n = e x f. */
LANE_FN candidate try_face(v3 w, v3 x, v3 y, v3 e, v3 f, v3 n, vm open)
{
    const vr zero = v_set(0), ee = v3_dot(e, e), ff = v3_dot(f, f);
    vm thin = v_le(v3_dot(n, n), v_mul(v_set(FLAT_SQUARED), v_mul(ee, ff)));
    /* perpendicular to the longer side: a thin triangle's normal tilts along it */
    vm first = v_gt(ee, ff);
    const v3 side = v3_sel(first, e, f);
    v3 m = v3_sub(n, v3_mul(side, v_div(v3_dot(n, side), v_sel(first, ee, ff))));
    const vr mm = v3_dot(m, m), height = v_div(v3_dot(m, w), mm);
    vm in = m_and(m_and(v_gt(v3_dot(m, v3_cross(y, w)), zero), v_gt(v3_dot(m, v3_cross(w, x)), zero)),
                  v_gt(v3_dot(m, v3_cross(x, y)), zero));
    candidate c;
    c.v = v3_mul(m, height);
    c.dd = v_sel(m_andnot(m_and(in, open), thin), v3_dot(c.v, c.v), v_set(REAL_MAX));
    return c;
}

/* Adds w to the simplex: the nearest point of the tetrahedron is on a feature at
 * w, or the origin is inside. Lanes not alive keep their state. Returns those
 * with the origin inside for certain; *lost are those where no feature came
 * nearer than before. */
LANE_FN vm advance(simplex3 *s, const corner3 *c, vm alive, vr before, vr *dd, vm *lost)
{
    const vr zero = v_set(0), doubt = v_set(VOLUME_DOUBT);
    const v3 w = point_of(c), p = point_of(&s->c[0]), q = point_of(&s->c[1]), r = point_of(&s->c[2]);
    const v3 ep = v3_sub(p, w), eq = v3_sub(q, w), er = v3_sub(r, w);
    const v3 npq = v3_cross(ep, eq), nqr = v3_cross(eq, er), nrp = v3_cross(er, ep);
    const vr volume = v3_dot(npq, er);
    const vr hpq = v3_dot(npq, w), hqr = v3_dot(nqr, w), hrp = v3_dot(nrp, w);
    /* Signs as if the volume were positive: the origin is inside a face where -h is. */
    vm flip = v_lt(volume, zero), solid = v_gt(v_abs(volume), doubt);
    const vr spq = v_sel(flip, hpq, v_neg(hpq)), sqr = v_sel(flip, hqr, v_neg(hqr)), srp = v_sel(flip, hrp, v_neg(hrp));
    vm within = m_and(solid, m_and(m_and(v_gt(spq, doubt), v_gt(sqr, doubt)), v_gt(srp, doubt)));
    vm opq = m_or(m_andnot(alive, solid), v_le(spq, doubt)), oqr = m_or(m_andnot(alive, solid), v_le(sqr, doubt)),
       orp = m_or(m_andnot(alive, solid), v_le(srp, doubt));

    simplex3 best = {.c = {*c, *c, *c}, .v = w};
    vr least = v3_dot(w, w);
#define TAKE(what, second, third)                                                                                \
    do {                                                                                                         \
        const candidate k = what;                                                                                \
        vm better = v_lt(k.dd, least);                                                                           \
        least = v_sel(better, k.dd, least);                                                                      \
        best.v = v3_sel(better, k.v, best.v);                                                                    \
        best.c[1] = corner_sel(better, s->c[second], best.c[1]);                                                 \
        best.c[2] = corner_sel(better, s->c[third], best.c[2]);                                                  \
    } while (0)
    TAKE(try_edge(w, p, ep), 0, 0);
    TAKE(try_edge(w, q, eq), 1, 1);
    TAKE(try_edge(w, r, er), 2, 2);
    TAKE(try_face(w, p, q, ep, eq, npq, opq), 0, 1);
    TAKE(try_face(w, q, r, eq, er, nqr, oqr), 1, 2);
    TAKE(try_face(w, r, p, er, ep, nrp, orp), 2, 0);
#undef TAKE
    *lost = v_ge(least, before);
    *dd = v_sel(alive, least, *dd);
    s->v = v3_sel(alive, best.v, s->v);
    for (int k = 0; k < 3; k++)
        s->c[k] = corner_sel(alive, best.c[k], s->c[k]);
    return within;
}

LANE_FN void distance_start(const tile *t, const context *ctx, int N, unsigned live, simplex3 *s)
{
    const vr tiny = v_set(REAL_EPSILON * REAL_EPSILON);
    v3 d = t->shift;
    d.x = v_sel(v_lt(v3_dot(d, d), tiny), v_set(1), d.x);
    count_work(ctx, live);
    s->c[0] = s->c[1] = s->c[2] = support_pair3(t, N, d);
    s->v = point_of(&s->c[0]);
    s->iterations = v_set(1);
}

LANE_FN vm same_point(v3 p, v3 q)
{
    return m_and(m_and(v_eq(p.x, q.x), v_eq(p.y, q.y)), v_eq(p.z, q.z));
}

/* Runs until no more than `spare` lanes are live. `prune_apart`, `prune_within`:
 * stop as soon as it is known on which side of the radii the distance lies. */
LANE_FN void distance_run(const tile *t, const context *ctx, int N, int spare, int prune_apart, int prune_within,
                          simplex3 *s, lanes_done *done)
{
    const vr one = v_set(1), zero = v_set(0), radius2 = v_mul(t->radius, t->radius);
    unsigned live = done->live;
    vm alive = done->alive;
    vr dd = v3_dot(s->v, s->v);
    while (__builtin_popcount(live) > spare) {
        count_work(ctx, live);
        const corner3 c = support_pair3(t, N, s->v);
        const v3 w = point_of(&c);
        s->iterations = v_sel(alive, v_add(s->iterations, one), s->iterations);

        const vr vw = v3_dot(s->v, w), gap = v_sub(dd, vw);
        vm touching = v_le(dd, v_set(TOUCH_SQUARED));
        if (prune_within)
            touching = m_or(touching, v_le(dd, radius2));
        vm apart = m_or(v_le(gap, zero), v_le(v_mul(gap, gap), v_mul(v_set(GAP_SQUARED), dd)));
        if (prune_apart)
            apart = m_or(apart, m_and(v_gt(vw, zero), v_gt(v_mul(vw, vw), v_mul(radius2, dd))));
        vm known = m_or(m_or(same_point(w, point_of(&s->c[0])), same_point(w, point_of(&s->c[1]))),
                        same_point(w, point_of(&s->c[2])));
        known = m_or(known, v_gt(s->iterations, v_set(MAX_ITERATIONS)));
        /* touching is judged before apart: its direction is noise */
        const unsigned near = m_bits(touching) & live, off = m_bits(apart) & live & ~near;
        const unsigned stuck = m_bits(known) & live & ~near & ~off;
        done->overlapping |= near;
        done->separated |= off;
        done->doubtful |= stuck;
        live &= ~(near | off | stuck);
        alive = m_andnot(alive, m_or(touching, m_or(apart, known)));
        if (!live)
            break;

        vm lost;
        const vm within = advance(s, &c, alive, dd, &dd, &lost);
        const unsigned inside = m_bits(within) & live, idle = m_bits(lost) & live & ~inside;
        done->overlapping |= inside;
        done->doubtful |= idle;
        live &= ~(inside | idle);
        alive = m_andnot(alive, m_or(within, lost));
    }
    done->live = live;
}

#endif
