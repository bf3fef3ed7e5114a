/* What lanes found, from their frame to the world's, and how they refuse a pair. */
#ifndef GJB_SIMD_ANSWER3_H
#define GJB_SIMD_ANSWER3_H

#include "simd/gjk3.h"

LANE_FN void write_status(const context *ctx, const tile *t, unsigned bits, gjb_status status, vr iterations)
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

/* Shares of e and f in the point of p + s e + t f nearest to the origin, n = e x f, by the vectors dual to
 * them: what rounding makes of s e and t f is then of the size of p, however small the triangle. */
LANE_FN void dual_shares(v3 p, v3 e, v3 f, v3 n, vr *s, vr *t)
{
    const vr zero = v_set(0), one = v_set(1), by = v_neg(v_div(one, v3_dot(n, n)));
    *s = v_max(v_mul(v3_dot(p, v3_cross(f, n)), by), zero);
    *t = v_max(v_mul(v3_dot(p, v3_cross(n, e)), by), zero);
    const vr less = v_div(one, v_max(v_add(*s, *t), one));
    *s = v_mul(*s, less);
    *t = v_mul(*t, less);
}

/* Cores apart by |v|; *torn where the points that v is made of are not v apart. */
LANE_FN answer3 apart_answer(const tile *t, int N, const simplex3 *s, vm *torn)
{
    const v3 p = point_of(&s->c[0]), q = point_of(&s->c[1]), r = point_of(&s->c[2]);
    const v3 e = v3_sub(q, p), f = v3_sub(r, p), n = v3_cross(e, f);
    const vr zero = v_set(0), one = v_set(1), ee = v3_dot(e, e), ff = v3_dot(f, f);
    vm flat = v_le(v3_dot(n, n), v_mul(v_set(FLAT_SQUARED), v_mul(ee, ff))), lone = v_le(ee, zero);
    vr along = v_div(v_neg(v3_dot(p, e)), ee);
    along = v_sel(lone, zero, v_min(v_max(along, zero), one));
    /* no weight below 0, whatever rounding says: points are to be on their shapes */
    const vr u = v_max(v3_dot(n, v3_cross(q, r)), zero), v = v_max(v3_dot(n, v3_cross(r, p)), zero);
    const vr w = v_max(v3_dot(n, v3_cross(p, q)), zero);
    const vr by = v_div(one, v_add(v_add(u, v), w));
    vr wp = v_sel(flat, v_sub(one, along), v_mul(u, by)), wq = v_sel(flat, along, v_mul(v, by));
    vr wr = v_sel(flat, zero, v_mul(w, by));
    if (N == ANY_CURVE) { /* whose corners come near to each other */
        vr on_e, on_f;
        dual_shares(p, e, f, n, &on_e, &on_f);
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
    *torn = m_andnot(t->in_use, sound);
    out.sigma = v_sqrt(dd);
    out.n = s->v;
    finish_answer(t, &out);
    return out;
}

#endif
