/* Separating axes of shapes scanned in place: a line turns around both, against one corner of each, and meets their
 * edges in the order of their directions (as in Shamos's calipers, 1978). So each edge normal of either is asked with
 * one corner of the other.
 *
 * A corner that is none of the extreme ones gives less than the depth, whatever rounding did to the order: so the
 * least depth is proven if the corners that gave it are extreme.
 */
#ifndef GJB_SIMD_CALIPERS2_H
#define GJB_SIMD_CALIPERS2_H

#include "simd/lanes/fetch.h"
#include "simd/plane/tile2.h"

/* Vertices within this of the extreme along an axis belong to its feature. */
#define FEATURE_DOUBT (8 * REAL_EPSILON)

typedef struct axis2 {
    vr gap, nx, ny; /* largest gap; its unit axis, A to B */
    vr at_a, at_b;  /* of shapes scanned in place: corners that gave it, */
    vm lost;        /* and lanes in which rounding leaves doubt */
} axis2;

/* From a shape's own axes to the frame. */
typedef struct placing2 {
    vr c, s, tx, ty;
} placing2;

LANE_FN void place_point(const placing2 *to, vr x, vr y, vr *px, vr *py)
{
    *px = v_add(v_sub(v_mul(to->c, x), v_mul(to->s, y)), to->tx);
    *py = v_add(v_add(v_mul(to->s, x), v_mul(to->c, y)), to->ty);
}

typedef struct rows2 {
    const real *x[LANES], *y[LANES];
} rows2;

/* One shape of each lane, where the line is. */
typedef struct caliper2 {
    const rows2 *rows;
    placing2 to;
    vr count;            /* of corners */
    vr at, own_x, own_y; /* the next corner, in the shape's own axes */
    vr vx, vy, ex, ey;   /* the corner it turns about, and the edge after that, in the frame */
} caliper2;

/* The placings and numbers of corners, and the first corner of each lane. */
LANE_FN void start_caliper(caliper2 *k, rows2 *rows, const real *const *rec, const uint16_t *quads,
                           placing2 to, const real *first)
{
    real count[LANES], at[LANES], x[LANES], y[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t n = 4u * quads[l];
        rows->x[l] = rec[l];
        rows->y[l] = rec[l] + n;
        count[l] = quads[l] > LANE_QUADS ? gjb_corners(rec[l], n) : (real)n;
        at[l] = first[l] < count[l] ? first[l] : 0;
        x[l] = rows->x[l][(uint32_t)at[l]];
        y[l] = rows->y[l][(uint32_t)at[l]];
    }
    k->rows = rows;
    k->to = to;
    k->count = v_load(count);
    k->at = v_load(at);
    k->own_x = v_load(x);
    k->own_y = v_load(y);
}

LANE_FN vr after_corner(vr at, vr count)
{
    const vr next = v_add(at, v_set(1));
    return v_sel(v_ge(next, count), v_set(0), next);
}

LANE_FN vr before_corner(vr at, vr count)
{
    return v_sub(v_sel(v_eq(at, v_set(0)), count, at), v_set(1));
}

/* A goes on by a corner in the lanes of m, B in the others. */
LANE_FN void go_on(vm m, caliper2 *a, caliper2 *b)
{
    const vr at = after_corner(v_sel(m, a->at, b->at), v_sel(m, a->count, b->count));
    const vr x = v_fetch_either(m, a->rows->x, b->rows->x, at),
             y = v_fetch_either(m, a->rows->y, b->rows->y, at);
    const vr old_x = v_sel(m, a->own_x, b->own_x), old_y = v_sel(m, a->own_y, b->own_y), zero = v_set(0);
    const vr c = v_sel(m, a->to.c, b->to.c), s = v_sel(m, a->to.s, b->to.s);
    const placing2 to = {c, s, v_sel(m, a->to.tx, b->to.tx), v_sel(m, a->to.ty, b->to.ty)},
                   turn = {c, s, zero, zero};
    vr vx, vy, ex, ey;
    place_point(&to, old_x, old_y, &vx, &vy);
    place_point(&turn, v_sub(x, old_x), v_sub(y, old_y), &ex, &ey); /* the edge is nearly exact */
    const vr new[7] = {at, x, y, vx, vy, ex, ey};
    vr *of_a = &a->at, *of_b = &b->at;
    for (int i = 0; i < 7; i++) {
        of_a[i] = v_sel(m, new[i], of_a[i]);
        of_b[i] = v_sel(m, of_b[i], new[i]);
    }
}

/* The least so far. */
typedef struct least2 {
    vr square;     /* of the depth, with its sign */
    vr ex, ey;     /* the edge, as if it were A's */
    vr at_a, at_b; /* corners after those that gave it */
} least2;

LANE_FN void ask_edge(vm m, vm alive, const caliper2 *a, const caliper2 *b, least2 *best)
{
    const vr ex = v_sel(m, a->ex, v_neg(b->ex)), ey = v_sel(m, a->ey, v_neg(b->ey));
    const vr along = v_cross(v_sub(a->vx, b->vx), v_sub(a->vy, b->vy), ex, ey);
    const vr square = v_div(v_mul(along, v_abs(along)), v_dot(ex, ey, ex, ey));
    const vm less = m_and(alive, v_lt(square, best->square)); /* false on NaN, of an edge without length */
    best->square = v_sel(less, square, best->square);
    best->ex = v_sel(less, ex, best->ex);
    best->ey = v_sel(less, ey, best->ey);
    best->at_a = v_sel(less, a->at, best->at_a);
    best->at_b = v_sel(less, b->at, best->at_b);
}

/* Whose edge is next. `small`: some have corners more than once, between which is no edge. */
LANE_FN vm a_is_next(const caliper2 *a, const caliper2 *b, int small, vm a_is_done)
{
    const vr zero = v_set(0);
    const vm first = v_le(v_cross(a->ex, a->ey, b->ex, b->ey), zero);
    if (!small)
        return first;
    const vm none_a = m_and(v_eq(a->ex, zero), v_eq(a->ey, zero)),
             none_b = m_and(v_eq(b->ex, zero), v_eq(b->ey, zero));
    return m_andnot(first, m_or(none_b, m_and(none_a, a_is_done)));
}

/* Turns until all edges have been asked: that is as often as there are, but for rounding at the first direction.
 * Returns lanes in which it does not end. */
LANE_FN vm turn_around(caliper2 *a, caliper2 *b, int small, least2 *best)
{
    const vr most = v_add(v_add(a->count, b->count), v_set(16)), one = v_set(1);
    vr asked_a = v_set(0), asked_b = asked_a;
    vm alive, none_left;
    do {
        const vm a_done = v_ge(asked_a, a->count);
        none_left = m_and(a_done, v_ge(asked_b, b->count));
        alive = m_andnot(v_lt(v_add(asked_a, asked_b), most), none_left);
        const vm m = a_is_next(a, b, small, a_done);
        ask_edge(m, alive, a, b, best);
        go_on(m, a, b);
        asked_a = v_sel(m, v_add(asked_a, one), asked_a);
        asked_b = v_sel(m, asked_b, v_add(asked_b, one));
    } while (m_bits(alive));
    return m_not(none_left);
}

/* The largest gap along any edge normal of either, by the corners that gave it. */
LANE_CALL axis2 gap_in_place(const tile *t)
{
    caliper2 a, b;
    rows2 rows[2];
    real ia[LANES] = {0}, ib[LANES];
    const vr zero = v_set(0), one = v_set(1);
    /* from -x on, along which A's first corner is extreme; B's along x */
    climb2 first_b = begin_climb(&t->large_b, ALL_LANES, t->c, v_neg(t->s));
    while (m_bits(first_b.open))
        climb_on(&first_b);
    v_store(ib, first_b.at);
    start_caliper(&a, &rows[0], t->rec_a, t->quads_a, (placing2){t->a_scale, zero, zero, zero}, ia);
    start_caliper(&b, &rows[1], t->rec_b, t->quads_b, (placing2){t->cs, t->ss, t->tx, t->ty}, ib);
    a.vx = a.vy = a.ex = a.ey = b.vx = b.vy = b.ex = b.ey = zero;
    go_on(v_eq(zero, zero), &a, &b);
    go_on(v_gt(zero, zero), &a, &b);
    least2 best = {v_set(REAL_MAX), one, zero, a.at, b.at};
    const vm lost = turn_around(&a, &b, !t->uniform, &best);
    const vr length = v_sqrt(v_dot(best.ex, best.ey, best.ex, best.ey)), depth = v_sqrt(v_abs(best.square));
    return (axis2){.gap = v_sel(v_gt(best.square, zero), v_neg(depth), depth),
                   .nx = v_div(best.ey, length),
                   .ny = v_neg(v_div(best.ex, length)),
                   .at_a = before_corner(best.at_a, a.count),
                   .at_b = before_corner(best.at_b, b.count),
                   .lost = lost};
}

/* One side of a feature: corners after or before the extreme one that are as far. Widens lo .. hi, returns lanes in
 * which a corner is farther. */
LANE_FN vm widen_feature(const caliper2 *k, int before, vr start, vr nx, vr ny, vr top, vr *lo, vr *hi)
{
    const vr floor = v_sub(top, v_set(FEATURE_DOUBT)), ceiling = v_add(top, v_set(FEATURE_DOUBT));
    const vm all = v_eq(k->count, k->count);
    vr at = start;
    vm in = all, over = m_not(all);
    while (m_bits(in)) {
        vr x, y;
        at = before ? before_corner(at, k->count) : after_corner(at, k->count);
        x = v_fetch(k->rows->x, at);
        y = v_fetch(k->rows->y, at);
        place_point(&k->to, x, y, &x, &y);
        const vr up = v_dot(nx, ny, x, y), along = v_cross(nx, ny, x, y);
        in = m_andnot(m_and(in, v_ge(up, floor)), v_eq(at, start));
        over = m_or(over, m_and(in, v_gt(up, ceiling)));
        *lo = v_sel(in, v_min(along, *lo), *lo);
        *hi = v_sel(in, v_max(along, *hi), *hi);
    }
    return over;
}

/* As extreme_feature, about the extreme corner `start`; the tangent is (-ny, nx). Returns lanes in which it is none. */
LANE_CALL vm feature_in_place(const real *const *rec, const uint16_t *quads, placing2 to, vr start, vr nx,
                              vr ny, vr *height, vr *lo, vr *hi)
{
    caliper2 k;
    rows2 rows;
    real at[LANES];
    v_store(at, start);
    start_caliper(&k, &rows, rec, quads, to, at);
    vr x, y;
    place_point(&to, k.own_x, k.own_y, &x, &y);
    *height = v_dot(nx, ny, x, y);
    *lo = *hi = v_cross(nx, ny, x, y);
    const vm over = widen_feature(&k, 0, start, nx, ny, *height, lo, hi);
    return m_or(over, widen_feature(&k, 1, start, nx, ny, *height, lo, hi));
}

/* Both features along the best axis; lanes in which they do not prove it. lo, hi of A, then of B along A's tangent. */
LANE_FN vm features_in_place(const tile *t, const axis2 *best, vr *top, vr *bottom, vr *lo, vr *hi)
{
    const vr zero = v_set(0);
    const placing2 of_a = {t->a_scale, zero, zero, zero}, of_b = {t->cs, t->ss, t->tx, t->ty};
    const vm a =
        feature_in_place(t->rec_a, t->quads_a, of_a, best->at_a, best->nx, best->ny, top, &lo[0], &hi[0]);
    vr left, right;
    const vm b = feature_in_place(t->rec_b, t->quads_b, of_b, best->at_b, v_neg(best->nx), v_neg(best->ny),
                                  bottom, &left, &right);
    lo[1] = v_neg(right);
    hi[1] = v_neg(left);
    return m_or(best->lost, m_or(a, b));
}

#endif
