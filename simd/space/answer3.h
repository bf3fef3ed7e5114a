/* Turns results of lanes into world units, and refuses invalid pairs. */
#ifndef GJB_SIMD_ANSWER3_H
#define GJB_SIMD_ANSWER3_H

#include "simd/space/gjk3.h"

TILE_FN void write_status(const context *ctx, const tile *t, unsigned bits, gjb_status status, vr iterations)
{
    real it[LANES];
    v_store(it, iterations);
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits);
        write_plain(ctx, ctx->pairs.all->pair[t->entry[l]], status, (unsigned)(int)it[l]);
    }
}

LANE_FN unsigned refuse_invalid(const context *ctx, const tile *t, unsigned n)
{
    const unsigned all = lanes_below(n), bad = all & ~m_bits(t->valid);
    if (bad)
        write_status(ctx, t, bad, GJB_INVALID_INPUT, v_set(0));
    return all & ~bad;
}

/* Squared, of witness points against v; a sixteenth of it along v. */
#define TURNED_DOUBT (2304 * REAL_EPSILON * REAL_EPSILON)

typedef struct answer3 {
    vr sigma;
    v3 n, a, b;
} answer3;

/* From the frame to world units and axes, and on to the surface of the radii. */
LANE_FN void finish_answer(const tile *t, answer3 *r)
{
    v3 n = m3_turn(&t->world, r->n);
    r->n = v3_mul(n, v_div(v_set(1), v_sqrt(v3_dot(n, n))));
    r->sigma = v_sub(v_mul(r->sigma, t->grain), v_add(t->ra, t->rb));
    r->a = v3_add(v3_mul(m3_turn(&t->world, r->a), t->grain), v3_mul(r->n, t->ra));
    r->b = v3_sub(v3_mul(m3_turn(&t->world, r->b), t->grain), v3_mul(r->n, t->rb));
}

/* Shares of e and f in the point p + s e + t f nearest to the origin, by the longer of them and the height of
 * the other over it: the rounding of s e + t f is then relative to the size of p, however small or thin the
 * triangle is. */
LANE_FN void shares_by_height(v3 p, v3 e, v3 f, vr ee, vr ff, vr *s, vr *t)
{
    const vr zero = v_set(0), one = v_set(1), square = v_max(ee, ff);
    const vm swap = v_gt(ff, ee);
    const v3 base = v3_sel(swap, f, e), side = v3_sel(swap, e, f);
    const vr slope = v_div(v3_dot(side, base), square);
    const v3 height = v3_sub(side, v3_mul(base, slope));
    const vr along = v_div(v3_dot(p, base), square);
    const v3 left = v3_sub(p, v3_mul(base, along)); /* the whole p would err along the base too */
    const vr up = v_max(v_neg(v_div(v3_dot(left, height), v3_dot(height, height))), zero);
    const vr over = v_max(v_neg(v_add(along, v_mul(up, slope))), zero);
    const vr less = v_div(one, v_max(v_add(up, over), one));
    *s = v_mul(v_sel(swap, up, over), less);
    *t = v_mul(v_sel(swap, over, up), less);
}

/* Whether the difference of the points, v + off, is as good an axis as v. The normal of a thin
 * triangle, and v with it, errs by more than the points that its corners combine to. Turning the axis by a
 * small angle costs the square of the angle if D is round, but the angle itself if D is straight, so its
 * support decides. */
LANE_FN vm points_prove(const tile *t, v3 v, v3 off, vr dd, vm doubtful)
{
    const vr square = v3_dot(off, off), along = v3_dot(off, v), eps = v_set(REAL_EPSILON);
    vm good = m_and(v_le(square, v_set(TURNED_DOUBT)), v_le(square, v_mul(v_mul(v_set(4), eps), dd)));
    good = m_and(m_and(doubtful, good), v_le(v_mul(along, along), v_mul(v_set(TURNED_DOUBT / 16), dd)));
    if (!m_bits(good))
        return good;
    const v3 d = v3_add(v, off);
    const corner3 c = seldom_support3(t, ANY_CURVE, d);
    const vr far = v3_dot(d, d), gap = v_sub(far, v3_dot(d, point_of(&c)));
    return m_and(good, m_or(v_le(gap, v_set(0)), v_le(v_mul(gap, gap), v_mul(v_set(LOST_GAP_SQUARED), far))));
}

/* Cores apart by |v|; *torn: lanes whose points are not v apart. */
TILE_FN answer3 apart_answer(const tile *t, int N, const simplex3 *s, vm *torn)
{
    const v3 p = point_of(&s->c[0]), q = point_of(&s->c[1]), r = point_of(&s->c[2]);
    const v3 e = v3_sub(q, p), f = v3_sub(r, p), n = v3_cross(e, f);
    const vr zero = v_set(0), one = v_set(1), ee = v3_dot(e, e), ff = v3_dot(f, f);
    vm flat = v_le(v3_dot(n, n), v_mul(v_set(FLAT_SQUARED), v_mul(ee, ff))), lone = v_le(ee, zero);
    vr along = v_div(v_neg(v3_dot(p, e)), ee);
    along = v_sel(lone, zero, v_min(v_max(along, zero), one));
    /* no weight below 0 by rounding: points must be on their shapes */
    const vr u = v_max(v3_dot(n, v3_cross(q, r)), zero), v = v_max(v3_dot(n, v3_cross(r, p)), zero);
    const vr w = v_max(v3_dot(n, v3_cross(p, q)), zero);
    const vr by = v_div(one, v_add(v_add(u, v), w));
    vr wp = v_sel(flat, v_sub(one, along), v_mul(u, by)), wq = v_sel(flat, along, v_mul(v, by));
    vr wr = v_sel(flat, zero, v_mul(w, by));
    if (N == ANY_CURVE) { /* whose corners may be near each other */
        vr on_e, on_f;
        shares_by_height(p, e, f, ee, ff, &on_e, &on_f);
        wq = v_sel(flat, along, on_e);
        wr = v_sel(flat, zero, on_f);
        wp = v_sub(one, v_add(wq, wr));
    }
    answer3 out;
    out.a = v3_add(v3_add(v3_mul(s->c[0].a, wp), v3_mul(s->c[1].a, wq)), v3_mul(s->c[2].a, wr));
    out.b = v3_add(v3_add(v3_mul(s->c[0].b, wp), v3_mul(s->c[1].b, wq)), v3_mul(s->c[2].b, wr));
    const v3 off = v3_sub(v3_sub(out.b, out.a), s->v);
    const vr dd = v3_dot(s->v, s->v);
    vm sound = v_le(v3_dot(off, off), v_set(POINT_DOUBT)); /* false on NaN */
    out.n = s->v;
    if (N == ANY_CURVE) {
        const vm turned = points_prove(t, s->v, off, dd, m_andnot(t->in_use, sound));
        out.n = v3_sel(turned, v3_sub(out.b, out.a), s->v);
        sound = m_or(sound, turned);
    }
    *torn = m_andnot(t->in_use, sound);
    out.sigma = v_sqrt(v3_dot(out.n, out.n));
    finish_answer(t, &out);
    return out;
}

#endif
