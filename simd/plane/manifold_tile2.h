/* Contacts of a tile of pairs whose vertices fit in lanes, and whose features are single corners and edges. */
#ifndef GJB_SIMD_MANIFOLD_TILE2_H
#define GJB_SIMD_MANIFOLD_TILE2_H

#include "simd/plane/manifold2.h"
#include "simd/plane/tile2.h"

/* A shape's feature along a direction: its ends by their places. Both are the extreme corner if no edge is level. */
typedef struct feature2 {
    vr lo, lo_height, lo_corner, hi, hi_height, hi_corner;
    vm edge, chain; /* an edge is level; several are, and this is one of them */
} feature2;

/* Quad `quad` of every lane's record; a shape with fewer begins again. */
LANE_FN void load_round(const real *const *rec, const uint16_t *quads, uint32_t quad, vr x[4], vr y[4])
{
    const real *px[LANES], *py[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t own = quads[l];
        px[l] = rec[l] + 4 * (quad & (own - 1)); /* of shapes in lanes, quads are a power of two */
        py[l] = px[l] + 4 * own;
    }
    v_load4t(px, x);
    v_load4t(py, y);
}

/* A corner on the way around. */
typedef struct corner_lanes {
    vr x, y, place, height, corner;
} corner_lanes;

/* The edge from p to q, in the lanes `in`; `slot` is q's. A repeated corner has the number of its first slot. */
LANE_FN void look_at_edge(vr dx, vr dy, const corner_lanes *p, corner_lanes *q, real slot, vm in, feature2 *f)
{
    const vr x = v_sub(q->x, p->x), y = v_sub(q->y, p->y), zero = v_set(0);
    const vr along = v_cross(dx, dy, x, y), up = v_dot(dx, dy, x, y);
    const vm same = m_and(v_eq(x, zero), v_eq(y, zero));
    q->corner = v_sel(same, p->corner, v_set(slot));
    const vm level = m_and(m_and(v_gt(along, zero), v_le(v_abs(up), v_mul(v_set(LEVEL_TANGENT), along))), in);
    const vm first = m_andnot(level, f->edge);
    f->chain = m_or(f->chain, m_and(level, f->edge));
    f->edge = m_or(f->edge, level);
    f->lo = v_sel(first, p->place, f->lo);
    f->lo_height = v_sel(first, p->height, f->lo_height);
    f->lo_corner = v_sel(first, p->corner, f->lo_corner);
    f->hi = v_sel(first, q->place, f->hi);
    f->hi_height = v_sel(first, q->height, f->hi_height);
    f->hi_corner = v_sel(first, q->corner, f->hi_corner);
}

/* Along (dx, dy) in the shape's own axes. */
LANE_FN feature2 feature_along(const real *const *rec, const uint16_t *quads, int N, vr dx, vr dy)
{
    real own[LANES];
    for (unsigned l = 0; l < LANES; l++)
        own[l] = (real)(4 * quads[l]);
    const vr count = v_load(own), zero = v_set(0);
    const vm none = v_lt(zero, zero);
    feature2 f = {zero, zero, zero, zero, zero, zero, none, none};
    corner_lanes start = {zero, zero, zero, zero, zero}, last = start, top = start;
    for (int q = 0; q < N / 4; q++) {
        vr x[4], y[4];
        load_round(rec, quads, (uint32_t)q, x, y);
        for (int j = 0; j < 4; j++) {
            const int k = 4 * q + j;
            corner_lanes now = {x[j], y[j], v_cross(dx, dy, x[j], y[j]), v_dot(dx, dy, x[j], y[j]), zero};
            if (k == 0) {
                start = top = now;
            } else {
                look_at_edge(dx, dy, &last, &now, (real)k, v_gt(count, v_set((real)(k - 1))), &f);
                const vm farther = v_gt(now.height, top.height);
                top.height = v_sel(farther, now.height, top.height);
                top.place = v_sel(farther, now.place, top.place);
                top.corner = v_sel(farther, now.corner, top.corner);
            }
            last = now;
        }
    }
    look_at_edge(dx, dy, &last, &start, 0, v_gt(count, v_set((real)(N - 1))), &f);
    f.hi_corner = v_sel(v_ge(f.hi_corner, count), zero, f.hi_corner);
    f.lo = v_sel(f.edge, f.lo, top.place);
    f.lo_height = v_sel(f.edge, f.lo_height, top.height);
    f.lo_corner = v_sel(f.edge, f.lo_corner, top.corner);
    f.hi = v_sel(f.edge, f.hi, top.place);
    f.hi_height = v_sel(f.edge, f.hi_height, top.height);
    f.hi_corner = v_sel(f.edge, f.hi_corner, top.corner);
    return f;
}

/* What was asked against the normal, of a shape that is placed: by its places, as if along the normal. The number of
 * the edge stays that of its first corner. */
LANE_FN feature2 turned_about(const feature2 *f, vr place, vr height)
{
    return (feature2){v_sub(place, f->hi), v_sub(height, f->hi_height), f->hi_corner,
                      v_sub(place, f->lo), v_sub(height, f->lo_height), f->lo_corner, f->edge, f->chain};
}

/* How the edge rises. */
LANE_FN vr rise_of(const feature2 *f)
{
    const vr wide = v_sub(f->hi, f->lo), zero = v_set(0);
    const vm some = v_gt(wide, zero);
    return v_sel(some, v_div(v_sub(f->hi_height, f->lo_height), v_sel(some, wide, v_set(1))), zero);
}

LANE_FN vr height_over(const feature2 *f, vr rise, vr place)
{
    const vr within = v_add(f->lo_height, v_mul(rise, v_sub(place, f->lo)));
    return v_sel(v_le(place, f->lo), f->lo_height, v_sel(v_ge(place, f->hi), f->hi_height, within));
}

/* The pairs of a tile. */
typedef struct patch_lanes {
    const real *rec_a[LANES], *rec_b[LANES];
    uint16_t quads_a[LANES], quads_b[LANES];
    real *to[LANES];
    vr nx, ny, sigma, head; /* the signed distance, its points */
    vr wax, way, wbx, wby;
    vr a_dx, a_dy, b_dx, b_dy; /* the normal in A's axes, the opposite in B's */
    vr place, height;          /* of B's origin */
    vr ra, rb, size;
} patch_lanes;

LANE_FN void pack_patches(const patches2 *p, const uint16_t *list, unsigned n, patch_lanes *t)
{
    enum { RADIUS = GJB_BITS == 32 ? 2 : 1, EXTENT };
    const real *meta[2][LANES], *pose[2][LANES], *found[2][LANES];
    for (unsigned l = 0; l < LANES; l++) {
        const size_t i = list[l < n ? l : n - 1];
        const uint32_t *pair = p->batch->pairs + 2 * p->pair[i];
        const shape_meta *a = meta_of(p->library, p->batch, pair[0]), *b = meta_of(p->library, p->batch, pair[1]);
        meta[0][l] = (const real *)(const void *)a;
        meta[1][l] = (const real *)(const void *)b;
        t->rec_a[l] = record_of(p->library, a);
        t->rec_b[l] = record_of(p->library, b);
        t->quads_a[l] = a->quads;
        t->quads_b[l] = b->quads;
        pose[0][l] = pose_of(p->batch, pair[0]);
        pose[1][l] = pose_of(p->batch, pair[1]);
        found[0][l] = (const real *)(const void *)(p->found + i);
        found[1][l] = found[0][l] + 4;
        t->to[l] = (real *)(void *)manifold_of(p, i);
    }
    vr pa[4], pb[4], ma[4], mb[4], front[4], points[4];
    v_load4t(pose[0], pa);
    v_load4t(pose[1], pb);
    v_load4t(meta[0], ma);
    v_load4t(meta[1], mb);
    v_load4t(found[0], front);
    v_load4t(found[1], points);
    const vr nx = front[2], ny = front[3], dx = v_sub(pb[0], pa[0]), dy = v_sub(pb[1], pa[1]);
    t->head = front[0];
    t->sigma = front[1];
    t->nx = nx;
    t->ny = ny;
    t->wax = points[0];
    t->way = points[1];
    t->wbx = points[2];
    t->wby = points[3];
    t->a_dx = v_dot(pa[2], pa[3], nx, ny);
    t->a_dy = v_cross(pa[2], pa[3], nx, ny);
    t->b_dx = v_neg(v_dot(pb[2], pb[3], nx, ny));
    t->b_dy = v_neg(v_cross(pb[2], pb[3], nx, ny));
    t->place = v_cross(nx, ny, dx, dy);
    t->height = v_dot(nx, ny, dx, dy);
    t->ra = ma[RADIUS];
    t->rb = mb[RADIUS];
    t->size = v_add(v_add(ma[EXTENT], mb[EXTENT]), v_add(v_abs(dx), v_abs(dy)));
}

/* ---- records ---- */

#if GJB_BITS == 32
typedef uint32_t word;
#else
typedef uint64_t word;
#endif

/* Bits of numbers. */
LANE_FN vr load_words(const word *bits)
{
    real out[LANES];
    memcpy(out, bits, sizeof out);
    return v_load(out);
}

/* Features as words, of numbers below the kinds. */
LANE_FN void load_features(vr below, vr kind, vm used, word *out)
{
    const vr zero = v_set(0);
    real low[LANES], high[LANES];
    v_store(low, v_sel(used, below, zero));
    v_store(high, v_sel(used, kind, zero));
    for (unsigned l = 0; l < LANES; l++)
        out[l] = (word)(uint32_t)((int32_t)low[l] | (int32_t)high[l] << KIND_SHIFT);
}

/* Points of both shapes at a place and their heights, ax ay bx by. */
LANE_FN void points_at(const patch_lanes *t, vr place, vr up, vr down, vr out[4])
{
    const vr x = v_mul(place, t->ny), y = v_mul(place, t->nx);
    out[0] = v_sub(v_mul(up, t->nx), x);
    out[1] = v_add(v_mul(up, t->ny), y);
    out[2] = v_sub(v_mul(down, t->nx), x);
    out[3] = v_add(v_mul(down, t->ny), y);
}

/* Records of all lanes; those not in `two` have one contact, and zeros for the other. Points and separations are rows
 * of five. */
LANE_FN void store_patches(const patch_lanes *t, vm two, const vr one[5], const vr other[5], const word *feature_one,
                           const word *feature_other)
{
    const vr zero = v_set(0);
    vr p[5], q[5];
    for (int k = 0; k < 5; k++) {
        p[k] = v_add(one[k], zero); /* -0 becomes +0 */
        q[k] = v_sel(two, v_add(other[k], zero), zero);
    }
    const vr nx = v_add(t->nx, zero), ny = v_add(t->ny, zero);
    const vr f = load_words(feature_one), g = load_words(feature_other);
    const unsigned pairs = m_bits(two);
    word front[LANES];
#if GJB_BITS == 32
    for (unsigned l = 0; l < LANES; l++)
        front[l] = 1 + (pairs >> l & 1);
    const vr rows[4][4] = {{t->head, load_words(front), nx, ny}, {p[0], p[1], p[2], p[3]}, {p[4], f, q[0], q[1]},
                           {q[2], q[3], q[4], g}};
    static const unsigned at[4] = {0, 4, 8, 12};
#else
    real head[LANES];
    v_store(head, t->head);
    memcpy(front, head, sizeof front);
    for (unsigned l = 0; l < LANES; l++)
        front[l] |= (word)(1 + (pairs >> l & 1)) << 32;
    const vr rows[4][4] = {{load_words(front), nx, ny, p[0]}, {p[1], p[2], p[3], p[4]}, {f, q[0], q[1], q[2]},
                           {q[2], q[3], q[4], g}};
    static const unsigned at[4] = {0, 4, 8, 11}; /* the last group begins with one that is there */
#endif
    for (int k = 0; k < 4; k++) {
        real *to[LANES];
        for (unsigned l = 0; l < LANES; l++)
            to[l] = t->to[l] + at[k];
        v_store4t(rows[k], to);
    }
}

/* ---- contacts ---- */

/* Moves ends that are beyond the margin to where the separation is just that. */
LANE_FN void cut_ends(vr margin, vr s0, vr s1, vr *lo, vr *hi)
{
    const vm over0 = v_gt(s0, margin), over1 = v_gt(s1, margin);
    const vr from = *lo, to = *hi, slope = v_sub(s1, s0), zero = v_set(0);
    const vm cut = m_andnot(m_or(over0, over1), m_and(over0, over1));
    const vr run = v_div(v_sub(to, from), v_sel(cut, slope, v_set(1)));
    const vr at0 = v_add(from, v_mul(v_sub(v_sel(cut, margin, zero), s0), run));
    const vr at1 = v_add(to, v_mul(v_sub(v_sel(cut, margin, zero), s1), run));
    *lo = v_sel(over0, v_min(v_max(at0, from), to), from);
    *hi = v_sel(over1, v_min(v_max(at1, from), to), to);
}

/* Writes the records of n pairs of the list; returns lanes that have to be answered one by one. */
LANE_FN unsigned patch_tile(const patches2 *p, const uint16_t *list, unsigned n, int N)
{
    patch_lanes t;
    pack_patches(p, list, n, &t);
    const feature2 a = feature_along(t.rec_a, t.quads_a, N, t.a_dx, t.a_dy);
    const feature2 against = feature_along(t.rec_b, t.quads_b, N, t.b_dx, t.b_dy);
    const feature2 b = turned_about(&against, t.place, t.height);
    const vr rise_a = rise_of(&a), rise_b = rise_of(&b), radius = v_add(t.ra, t.rb), margin = v_set(margin_of(p));
    const vr same = v_mul(v_set(SAME_PLACE), t.size);
    vr lo = v_max(a.lo, b.lo), hi = v_min(a.hi, b.hi);
    const vr middle = v_add(lo, hi);
    const vm upper = v_lt(v_sub(v_add(a.hi, a.hi), middle), v_sub(middle, v_add(a.lo, a.lo)));
    vr s0 = v_sub(v_sub(height_over(&b, rise_b, lo), height_over(&a, rise_a, lo)), radius);
    vr s1 = v_sub(v_sub(height_over(&b, rise_b, hi), height_over(&a, rise_a, hi)), radius);
    vm two = v_gt(v_sub(hi, lo), same);
    two = m_andnot(two, m_and(v_gt(s0, margin), v_gt(s1, margin)));
    cut_ends(margin, s0, s1, &lo, &hi);
    two = m_and(two, v_gt(v_sub(hi, lo), same));
    const vr up0 = v_add(height_over(&a, rise_a, lo), t.ra), down0 = v_sub(height_over(&b, rise_b, lo), t.rb);
    const vr up1 = v_add(height_over(&a, rise_a, hi), t.ra), down1 = v_sub(height_over(&b, rise_b, hi), t.rb);
    s0 = v_sub(down0, up0);
    s1 = v_sub(down1, up1);
    const vm shallow = v_gt(v_min(s0, s1), v_add(t.sigma, v_mul(v_set(AS_DEEP), t.size)));
    const unsigned odd = m_bits(m_or(m_or(a.chain, b.chain), m_and(two, shallow))) & lanes_below(n);
    vr first[5], second[5];
    points_at(&t, lo, up0, down0, first);
    points_at(&t, hi, up1, down1, second);
    first[4] = s0;
    second[4] = s1;
    const vr witness[5] = {t.wax, t.way, t.wbx, t.wby, t.sigma};
    for (int k = 0; k < 5; k++)
        first[k] = v_sel(two, first[k], witness[k]);
    /* what meets */
    const vr of_b = v_mul(against.lo_corner, v_set(OF_B));
    const vr kind = v_sel(b.edge, v_set(KIND_ENDS), v_sel(a.edge, v_set(KIND_CORNER_OF_B), v_set(KIND_CORNERS)));
    const vm of_hi = m_andnot(m_and(upper, b.edge), two);
    word feature_one[LANES], feature_other[LANES];
    load_features(v_add(v_sel(of_hi, a.hi_corner, a.lo_corner), of_b), kind, v_eq(kind, kind), feature_one);
    load_features(v_add(a.hi_corner, of_b), kind, two, feature_other);
    store_patches(&t, two, first, second, feature_one, feature_other);
    return odd;
}

#endif
