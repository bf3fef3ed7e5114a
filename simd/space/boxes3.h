/* Contacts of boxes, segments and points, rounded or not, in lanes: their features along the normal are corners, edges
 * and faces, which are centres and half edges. Pairs that are unlike most are left to patch3.h, by what the pair itself
 * is. */
#ifndef GJB_SIMD_BOXES3_H
#define GJB_SIMD_BOXES3_H

#include "simd/space/patch3.h"
#include "simd/space/tile3.h"

#define LEVEL ((real)0x1p-6 + 16 * REAL_EPSILON) /* sine within which an edge is level */

/* Of the shapes of a side, those that are segments: by centre and half the edge, which is 0 of a point. */
typedef struct lines3 {
    vm is;
    v3 centre, edge;
} lines3;

/* LANES pairs. Lengths are on the scale of each pair, in the frame of A's axes. */
typedef struct boxes3 {
    v3 n;           /* in world axes */
    m3 world, turn; /* A's axes to the world's, B's axes to A's */
    v3 na, nb;      /* n in A's axes and in B's */
    v3 ha, hb, shift;
    vr scale, grain, ra, rb, radii, least, near;
    unsigned lines; /* which lanes have some */
    lines3 line[2];
} boxes3;

/* Of a batch. */
typedef struct asked3 {
    const gjb_library *library;
    const gjb_batch *batch;
    const size_t *pair; /* numbers in it */
    const record *apart;
} asked3;

LANE_CALL void load_lines(const real *const *rec, unsigned lanes, vr scale, lines3 *to)
{
    const vr half = v_mul(scale, v_set((real)0.5));
    vr x[4], y[4], z[4];
    const real *row[3][LANES];
    real is[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        is[l] = (real)(lanes >> l & 1);
        for (int k = 0; k < 3; k++)
            row[k][l] = rec[l] + 4 + 4 * k;
    }
    v_load4t(row[0], x);
    v_load4t(row[1], y);
    v_load4t(row[2], z);
    to->is = v_gt(v_load(is), v_set(0));
    to->centre = v3_mul((v3){v_add(x[0], x[1]), v_add(y[0], y[1]), v_add(z[0], z[1])}, half);
    to->edge = v3_mul((v3){v_sub(x[1], x[0]), v_sub(y[1], y[0]), v_sub(z[1], z[0])}, half);
}

LANE_FN boxes3 load_boxes(const asked3 *q, const uint16_t *pair)
{
    boxes3 b;
    uint32_t body[2][LANES];
    const real *rec[2][LANES], *apart[LANES];
    real radius[2][LANES];
    unsigned lines[2] = {0, 0};
    for (unsigned l = 0; l < LANES; l++) {
        for (int k = 0; k < 2; k++) {
            body[k][l] = q->batch->pairs[2 * q->pair[pair[l]] + (size_t)k];
            const shape_meta *meta = meta_of(q->library, q->batch, body[k][l]);
            rec[k][l] = record_of(q->library, meta);
            radius[k][l] = meta->radius;
            lines[k] |= (meta->method & METHOD_LINE ? 1u : 0u) << l;
        }
        apart[l] = &q->apart[pair[l]].value;
    }
    const pose3 at = load_poses3(q->batch, body[0]), to = load_poses3(q->batch, body[1]);
    vr answer[4];
    v_load4t(apart, answer);
    const vr extent = v_add(load_head(rec[0], &b.ha), load_head(rec[1], &b.hb));
    b.n = (v3){answer[1], answer[2], answer[3]};
    b.world = m3_rotation(at.x, at.y, at.z, at.w);
    const v3 shift = m3_turn_back(&b.world, v3_sub(to.at, at.at));
    const vr size = v_add(extent, v_add(v_add(v_abs(shift.x), v_abs(shift.y)), v_abs(shift.z)));
    b.grain = v_pow2_floor(v_max(size, v_set(REAL_MIN * 16)));
    b.scale = v_div(v_set(1), b.grain);
    b.shift = v3_mul(shift, b.scale);
    b.turn = m3_rotation(
        v_add(v_sub(v_mul(at.w, to.x), v_mul(at.x, to.w)), v_sub(v_mul(at.z, to.y), v_mul(at.y, to.z))),
        v_add(v_sub(v_mul(at.w, to.y), v_mul(at.y, to.w)), v_sub(v_mul(at.x, to.z), v_mul(at.z, to.x))),
        v_add(v_sub(v_mul(at.w, to.z), v_mul(at.z, to.w)), v_sub(v_mul(at.y, to.x), v_mul(at.x, to.y))),
        v_add(v_add(v_mul(at.w, to.w), v_mul(at.x, to.x)), v_add(v_mul(at.y, to.y), v_mul(at.z, to.z))));
    b.na = m3_turn_back(&b.world, b.n);
    b.nb = m3_turn_back(&b.turn, b.na);
    b.ha = v3_mul(b.ha, b.scale);
    b.hb = v3_mul(b.hb, b.scale);
    b.lines = lines[0] | lines[1];
    if (b.lines)
        for (int k = 0; k < 2; k++)
            load_lines(rec[k], lines[k], b.scale, &b.line[k]);
    b.ra = v_load(radius[0]);
    b.rb = v_load(radius[1]);
    b.radii = v_mul(v_add(b.ra, b.rb), b.scale);
    b.least = v_add(v_mul(answer[0], b.scale), b.radii);
    b.near = v_mul(v_set((real)NEAR), v_add(v_mul(extent, b.scale), v_sqrt(v3_dot(b.shift, b.shift))));
    return b;
}

/* ---- which features ---- */

/* Axes along which a box is level, and the index of the corner at the lower ends of these. Of a face that is no wider
 * than rounding the middle line counts, and what is that much farther away meets it. */
typedef struct facing3 {
    vm level[3], narrow[3], some, two, bent; /* bent: two edges are level, the face is not */
    vr corner, width;                        /* from the middle line */
} facing3;

/* n points out of the box. */
LANE_FN facing3 facing_of_box(v3 n, v3 half)
{
    const vr along[3] = {n.x, n.y, n.z}, h[3] = {half.x, half.y, half.z}, zero = v_set(0),
             level = v_set(LEVEL);
    facing3 f;
    vr square = zero;
    f.corner = f.width = zero;
    for (int k = 0; k < 3; k++) {
        const vm flat = v_le(v_abs(along[k]), level);
        f.level[k] = m_and(flat, v_gt(h[k], v_set((real)NARROW)));
        f.narrow[k] = m_andnot(flat, f.level[k]);
        f.width = v_add(f.width, v_sel(f.narrow[k], h[k], zero));
        square = v_add(square, v_sel(f.level[k], v_mul(along[k], along[k]), zero));
        f.corner = v_add(f.corner, v_sel(v_gt(along[k], level), v_set((real)(1 << k)), zero));
    }
    f.some = m_or(m_or(f.level[0], f.level[1]), f.level[2]);
    f.two = m_or(m_and(f.level[0], f.level[1]), m_and(m_or(f.level[0], f.level[1]), f.level[2]));
    f.bent = m_and(f.two, v_gt(square, v_set(LEVEL * LEVEL)));
    return f;
}

/* `line`: NULL if no lane has any. */
LANE_FN facing3 facing_of(v3 n, v3 half, const lines3 *line)
{
    facing3 f = facing_of_box(n, half);
    if (!line)
        return f;
    const vr zero = v_set(0), one = v_set(1), along = v3_dot(n, line->edge);
    const vr length = v_sqrt(v3_dot(line->edge, line->edge));
    const vm level = m_and(m_and(v_le(v_abs(along), v_mul(v_set(LEVEL), length)), v_gt(length, v_set((real)NARROW))),
                           line->is);
    f.level[0] = m_or(f.level[0], level); /* a line has no half extents */
    f.some = m_or(f.some, level);
    f.corner = v_sel(line->is, v_sel(v_gt(along, zero), one, zero), f.corner);
    f.corner = v_sel(level, zero, f.corner);
    return f;
}

/* A face, or an edge, seen along the normal: centre and half edges, anticlockwise; of an edge the first is it. */
typedef struct quad3 {
    vr x, y, h, ex, ey, eh, fx, fy, fh;
    vr corner, e, f;   /* index of the corner at the lower ends, and what an end of either edge adds */
    vr gx, gy;         /* how it rises */
    vr ax, ay, bx, by; /* coordinates in units of half edges; of an edge the second is the distance */
    vr a_wide, b_wide; /* 1 / distance that is 1 of them */
} quad3;

typedef struct axes3 {
    v3 x, y, h;
} axes3;

LANE_FN void see_vector(const axes3 *axes, v3 v, vr *x, vr *y, vr *h)
{
    *x = v3_dot(axes->x, v);
    *y = v3_dot(axes->y, v);
    *h = v3_dot(axes->h, v);
}

LANE_FN void swap_if(vm m, vr *p, vr *q)
{
    const vr first = *p;
    *p = v_sel(m, *q, first);
    *q = v_sel(m, first, *q);
}

/* `turn` and `shift` place the box, or are NULL. `faces`: all lanes have faces; else some have edges, and some may be
 * lines, if that is not NULL. */
LANE_FN quad3 quad_of(const facing3 *f, v3 n, v3 half, const lines3 *line, const axes3 *axes, const m3 *turn,
                      const v3 *shift, int faces)
{
    const vr zero = v_set(0), level = v_set(LEVEL), one = v_set(1);
    const vr along[3] = {n.x, n.y, n.z}, h[3] = {half.x, half.y, half.z};
    const vm *l = f->level;
    vm first[3] = {l[0], m_andnot(l[1], l[0]), m_andnot(m_andnot(l[2], l[0]), l[1])};
    vm second[3] = {m_and(l[0], m_not(l[0])), m_and(l[0], l[1]), m_and(l[2], m_or(l[0], l[1]))};
    vr c[3], e[3], g[3];
    quad3 q;
    q.corner = f->corner;
    q.e = q.f = zero;
    for (int k = 0; k < 3; k++) {
        c[k] = v_sel(m_or(l[k], f->narrow[k]), zero, v_sel(v_gt(along[k], level), h[k], v_neg(h[k])));
        e[k] = v_sel(first[k], h[k], zero);
        g[k] = v_sel(second[k], h[k], zero);
        q.e = v_sel(first[k], v_set((real)(1 << k)), q.e);
        q.f = v_sel(second[k], v_set((real)(1 << k)), q.f);
    }
    v3 at = {c[0], c[1], c[2]}, ve = {e[0], e[1], e[2]}, vf = {g[0], g[1], g[2]};
    if (line) {
        at = v3_sel(line->is, line->centre, at);
        ve = v3_sel(line->is, line->edge, ve);
    }
    if (turn) {
        at = v3_add(m3_turn(turn, at), *shift);
        ve = m3_turn(turn, ve);
        vf = m3_turn(turn, vf);
    }
    see_vector(axes, at, &q.x, &q.y, &q.h);
    see_vector(axes, ve, &q.ex, &q.ey, &q.eh);
    see_vector(axes, vf, &q.fx, &q.fy, &q.fh);
    const vm turned = v_lt(v_cross(q.ex, q.ey, q.fx, q.fy), zero);
    swap_if(turned, &q.ex, &q.fx);
    swap_if(turned, &q.ey, &q.fy);
    swap_if(turned, &q.eh, &q.fh);
    swap_if(turned, &q.e, &q.f);
    vr by = v_div(one, v_cross(q.ex, q.ey, q.fx, q.fy));
    q.gx = v_mul(v_cross(q.eh, q.ey, q.fh, q.fy), by);
    q.gy = v_mul(v_cross(q.ex, q.eh, q.fx, q.fh), by);
    q.ax = v_mul(q.fy, by);
    q.ay = v_neg(v_mul(q.fx, by));
    q.bx = v_neg(v_mul(q.ey, by));
    q.by = v_mul(q.ex, by);
    if (!faces) {
        const vr square = v_dot(q.ex, q.ey, q.ex, q.ey), short_by = v_div(one, square),
                 unit = v_div(one, v_sqrt(square));
        const vr ax = v_mul(q.ex, short_by), ay = v_mul(q.ey, short_by);
        q.gx = v_sel(f->two, q.gx, v_mul(ax, q.eh));
        q.gy = v_sel(f->two, q.gy, v_mul(ay, q.eh));
        q.ax = v_sel(f->two, q.ax, ax);
        q.ay = v_sel(f->two, q.ay, ay);
        q.bx = v_sel(f->two, q.bx, v_neg(v_mul(q.ey, unit)));
        q.by = v_sel(f->two, q.by, v_mul(q.ex, unit));
    }
    q.a_wide = v_sqrt(v_dot(q.ax, q.ay, q.ax, q.ay));
    q.b_wide = v_sqrt(v_dot(q.bx, q.by, q.bx, q.by));
    return q;
}

/* ---- points ---- */

typedef struct spot3 {
    vr x, y, gap, code;
} spot3;

LANE_FN spot3 spot_sel(vm m, spot3 p, spot3 q)
{
    return (spot3){v_sel(m, p.x, q.x), v_sel(m, p.y, q.y), v_sel(m, p.gap, q.gap), v_sel(m, p.code, q.code)};
}

/* What a point is, as numbers of lanes: which, then an index of A's, then one of B's. */
enum { CODE_A = 64, CODE_B = 128, CODE_CROSSING = 192, CODE_OTHER_SIDE = 256, CODE_MARGIN_A = 320, CODE_MARGIN_B = 384 };

LANE_FN uint32_t feature_of_code(unsigned code)
{
    const unsigned a = code & 7, b = code >> 3 & 7;
    switch (code & ~63u) {
    case CODE_A:
        return FEATURE_VERTEX_A(a);
    case CODE_B:
        return FEATURE_VERTEX_B(b);
    case CODE_CROSSING:
        return FEATURE_CROSSING(a, b);
    case CODE_MARGIN_A:
        return FEATURE_MARGIN_A(a, b);
    case CODE_MARGIN_B:
        return FEATURE_MARGIN_B(b, a);
    default:
        return FEATURE_CROSSING(a, b + OTHER_SIDE);
    }
}

/* The gap over a point: x, y and its value at 0. */
typedef struct slope3 {
    vr x, y, at;
} slope3;

LANE_FN slope3 slope_of(const quad3 *a, const quad3 *b)
{
    const vr down = v_sub(a->h, v_dot(a->gx, a->gy, a->x, a->y)),
             up = v_sub(b->h, v_dot(b->gx, b->gy, b->x, b->y));
    return (slope3){v_sub(b->gx, a->gx), v_sub(b->gy, a->gy), v_sub(up, down)};
}

LANE_FN vr gap_of(const slope3 *s, vr x, vr y)
{
    return v_add(s->at, v_dot(s->x, s->y, x, y));
}

/* Gaps this near to the margin may be on its other side: of an edge that goes on from there no more is wanted than its
 * end. A cut a little further on would be kept in place of a corner that is. */
#define CUT_DOUBT (24 * REAL_EPSILON)

/* The part of an edge whose gap is at most `most`, of the gaps at its ends. */
typedef struct cut3 {
    vr from, to;
    vm none;
} cut3;

LANE_FN cut3 cut_of(vr first, vr second, vr most)
{
    const vr zero = v_set(0), one = v_set(1);
    const vm out = v_gt(first, most), second_out = v_gt(second, most), some = m_or(out, second_out);
    const vr at = v_div(v_sub(most, first), v_sel(some, v_sub(second, first), one));
    const vr within = v_min(v_max(at, zero), one);
    return (cut3){v_sel(out, within, zero), v_sel(second_out, within, one), m_and(out, second_out)};
}

LANE_FN vr spot_turn(const spot3 *p, const spot3 *q, const spot3 *r)
{
    return v_cross(v_sub(q->x, p->x), v_sub(q->y, p->y), v_sub(r->x, p->x), v_sub(r->y, p->y));
}

/* ---- two faces ---- */

/* Four at which A's edges begin, four at which they end, four at which B's begin; and if the margin cuts some, four at
 * which B's end. */
enum { SPOTS = 12, CUT_SPOTS = 16 };
typedef struct spots3 {
    spot3 spot[CUT_SPOTS];
    vm ok[CUT_SPOTS];
} spots3;

/* Moves spots that some lane has to the front, in order. Returns how many; *most is how many a lane has at most. */
LANE_FN int gather_spots(spots3 *s, int spots, int *most)
{
    const vr zero = v_set(0), one = v_set(1);
    vr count = zero;
    int kept = 0;
    for (int i = 0; i < spots; i++) {
        if (!m_bits(s->ok[i]))
            continue;
        count = v_add(count, v_sel(s->ok[i], one, zero));
        s->spot[kept] = s->spot[i];
        s->ok[kept++] = s->ok[i];
    }
    *most = (int)v_largest(count);
    return kept;
}

/* Corners of p in the coordinates of q, by how much they are out of it, and on which side. */
typedef struct corners3 {
    vr x[4], y[4], a_out[4], b_out[4], index[4];
    vm a_up[4], b_up[4], a_is_out[4], b_is_out[4];
    vr a_by[2], b_by[2]; /* 1 / length of p's edges in those coordinates */
} corners3;

LANE_FN corners3 corners_in(const quad3 *p, const quad3 *q)
{
    static const int first[4] = {0, 1, 1, 0}, second[4] = {0, 0, 1, 1};
    const vr zero = v_set(0), one = v_set(1), dx = v_sub(p->x, q->x), dy = v_sub(p->y, q->y);
    const vr a = v_dot(q->ax, q->ay, dx, dy), ae = v_dot(q->ax, q->ay, p->ex, p->ey),
             af = v_dot(q->ax, q->ay, p->fx, p->fy);
    const vr b = v_dot(q->bx, q->by, dx, dy), be = v_dot(q->bx, q->by, p->ex, p->ey),
             bf = v_dot(q->bx, q->by, p->fx, p->fy);
    const vr a_most = v_add(one, v_mul(v_set((real)GROWN), q->a_wide)),
             b_most = v_add(one, v_mul(v_set((real)GROWN), q->b_wide));
    corners3 c;
    for (int k = 0; k < 4; k++) {
        const vr ak = second[k] ? v_add(first[k] ? v_add(a, ae) : v_sub(a, ae), af)
                                : v_sub(first[k] ? v_add(a, ae) : v_sub(a, ae), af);
        const vr bk = second[k] ? v_add(first[k] ? v_add(b, be) : v_sub(b, be), bf)
                                : v_sub(first[k] ? v_add(b, be) : v_sub(b, be), bf);
        const vr xk = first[k] ? v_add(p->x, p->ex) : v_sub(p->x, p->ex),
                 yk = first[k] ? v_add(p->y, p->ey) : v_sub(p->y, p->ey);
        c.x[k] = second[k] ? v_add(xk, p->fx) : v_sub(xk, p->fx);
        c.y[k] = second[k] ? v_add(yk, p->fy) : v_sub(yk, p->fy);
        c.a_out[k] = v_sub(v_abs(ak), a_most);
        c.b_out[k] = v_sub(v_abs(bk), b_most);
        c.a_up[k] = v_gt(ak, zero);
        c.b_up[k] = v_gt(bk, zero);
        c.a_is_out[k] = v_gt(c.a_out[k], zero);
        c.b_is_out[k] = v_gt(c.b_out[k], zero);
        vr index = p->corner;
        index = first[k] ? v_add(index, p->e) : index;
        c.index[k] = second[k] ? v_add(index, p->f) : index;
    }
    const vr half = v_set((real)0.5);
    c.a_by[0] = v_div(half, v_abs(ae));
    c.a_by[1] = v_div(half, v_abs(af));
    c.b_by[0] = v_div(half, v_abs(be));
    c.b_by[1] = v_div(half, v_abs(bf));
    return c;
}

/* The corner of q at which a side begins: the one over which a point is out. */
LANE_FN vr side_index(const quad3 *q, vm by_a, vm a_up, vm b_up)
{
    const vr e = v_add(q->corner, q->e), f = v_add(q->corner, q->f);
    return v_sel(by_a, v_sel(a_up, e, f), v_sel(b_up, v_add(e, q->f), q->corner));
}

/* Where the margin cuts faces: in these lanes, at this gap. */
typedef struct cutting3 {
    vm lanes;
    vr most;
} cutting3;

/* Spots on edge k of face p, up to two. `cutting`: NULL if the margin cuts none. Of B's edges crossings are spots of
 * A's. */
LANE_FN void clip_face_edge(const quad3 *p, const quad3 *q, const corners3 *c, int k, const slope3 *slope,
                            const cutting3 *cutting, int of_b, spots3 *to)
{
    const vr zero = v_set(0), one = v_set(1);
    const int next = (k + 1) % 4;
    const vr a_by = c->a_by[k % 2], b_by = c->b_by[k % 2];
    /* an end that is within stays within, though the length of an edge is rounded otherwise than its ends */
    const vr a_from = v_sel(c->a_is_out[k], v_min(v_mul(c->a_out[k], a_by), one), zero);
    const vr b_from = v_sel(c->b_is_out[k], v_min(v_mul(c->b_out[k], b_by), one), zero);
    const vr a_to = v_sel(c->a_is_out[next], v_sub(one, v_min(v_mul(c->a_out[next], a_by), one)), one);
    const vr b_to = v_sel(c->b_is_out[next], v_sub(one, v_min(v_mul(c->b_out[next], b_by), one)), one);
    const vr clip_from = v_max(a_from, b_from), clip_end = v_min(a_to, b_to);
    cut3 cut = {zero, one, v_gt(zero, zero)};
    if (cutting) {
        cut = cut_of(gap_of(slope, c->x[k], c->y[k]), gap_of(slope, c->x[next], c->y[next]), cutting->most);
        cut.from = v_sel(cutting->lanes, cut.from, zero);
        cut.to = v_sel(cutting->lanes, cut.to, one);
        cut.none = m_and(cut.none, cutting->lanes);
    }
    const vm starts_cut = v_gt(cut.from, clip_from), ends_cut = v_lt(cut.to, clip_end);
    const vr from = v_max(clip_from, cut.from), end = v_min(clip_end, cut.to);
    /* both out, and on the same side */
    const vm a_same = m_or(m_and(c->a_up[k], c->a_up[next]), m_not(m_or(c->a_up[k], c->a_up[next])));
    const vm b_same = m_or(m_and(c->b_up[k], c->b_up[next]), m_not(m_or(c->b_up[k], c->b_up[next])));
    const vm a_off = m_and(a_same, m_and(c->a_is_out[k], c->a_is_out[next]));
    const vm b_off = m_and(b_same, m_and(c->b_is_out[k], c->b_is_out[next]));
    const vm some = m_andnot(v_le(from, end), m_or(cut.none, m_or(a_off, b_off)));
    const vm crosses = m_or(c->a_is_out[k], c->b_is_out[k]),
             ends_crossing = m_or(c->a_is_out[next], c->b_is_out[next]);
    const vm starts_out = cutting ? m_or(crosses, starts_cut) : crosses,
             ends_out = cutting ? m_or(ends_crossing, ends_cut) : ends_crossing;
    const vr step = v_set(k < 2 ? 2 : -2), dx = v_mul(step, k % 2 ? p->fx : p->ex),
             dy = v_mul(step, k % 2 ? p->fy : p->ey);
    const vr crossing = v_add(c->index[k], v_set((real)CODE_CROSSING)), eight = v_set(8);
    const vr side = side_index(q, v_ge(a_from, b_from), c->a_up[k], c->b_up[k]);
    const vr end_side = side_index(q, v_le(a_to, b_to), c->a_up[next], c->b_up[next]);
    const vr own = of_b ? v_mul(eight, c->index[k]) : c->index[k];
    const vr margin = v_add(own, v_set((real)(of_b ? CODE_MARGIN_B : CODE_MARGIN_A)));
    const int at = of_b ? 8 + k : k;
    spot3 *first = &to->spot[at], *second = &to->spot[at + 4];
    first->x = v_sel(starts_out, v_add(c->x[k], v_mul(from, dx)), c->x[k]);
    first->y = v_sel(starts_out, v_add(c->y[k], v_mul(from, dy)), c->y[k]);
    first->gap = gap_of(slope, first->x, first->y);
    first->code = v_sel(starts_out, v_add(crossing, v_mul(eight, side)),
                        v_add(own, v_set((real)(of_b ? CODE_B : CODE_A))));
    to->ok[at] = of_b ? m_andnot(some, m_andnot(crosses, starts_cut)) : some;
    const vm from_margin = cutting ? v_ge(first->gap, v_sub(cutting->most, v_set(CUT_DOUBT))) : v_lt(zero, zero);
    if (cutting) {
        first->code = v_sel(starts_cut, margin, first->code);
        first->gap = v_sel(starts_cut, v_min(first->gap, cutting->most), first->gap);
    }
    second->x = v_add(c->x[k], v_mul(end, dx));
    second->y = v_add(c->y[k], v_mul(end, dy));
    second->gap = gap_of(slope, second->x, second->y);
    second->code = v_add(crossing, v_mul(eight, end_side));
    to->ok[at + 4] = m_and(m_and(some, of_b ? ends_cut : ends_out), v_gt(end, from));
    if (cutting) {
        const vm to_margin = v_ge(second->gap, v_sub(cutting->most, v_set(CUT_DOUBT)));
        to->ok[at] = m_andnot(to->ok[at], m_and(starts_cut, to_margin));
        to->ok[at + 4] = m_andnot(to->ok[at + 4], m_and(ends_cut, from_margin));
        second->code = v_sel(ends_cut, v_add(margin, v_set(of_b ? 1 : 8)), second->code);
        second->gap = v_sel(ends_cut, v_min(second->gap, cutting->most), second->gap);
    }
}

/* The largest gap over a face. */
LANE_FN vr most_over(const slope3 *slope, const quad3 *q)
{
    return v_add(gap_of(slope, q->x, q->y), v_add(v_abs(v_dot(slope->x, slope->y, q->ex, q->ey)),
                                                  v_abs(v_dot(slope->x, slope->y, q->fx, q->fy))));
}

/* Corners of the overlap of two faces, in any order. Returns how many rows they take: more if the margin may cut the
 * overlap in some lanes, as it ends within both faces. Other lanes have the same by either way. */
LANE_FN int find_spots(const quad3 *a, const quad3 *b, const slope3 *slope, vr most, spots3 *to)
{
    const cutting3 cutting = {v_gt(v_min(most_over(slope, a), most_over(slope, b)), most), most};
    const int cuts = m_bits(cutting.lanes) != 0;
    const corners3 ca = corners_in(a, b), cb = corners_in(b, a);
    for (int k = 0; k < 4; k++)
        clip_face_edge(a, b, &ca, k, slope, cuts ? &cutting : NULL, 0, to);
    for (int k = 0; k < 4 && cuts; k++)
        clip_face_edge(b, a, &cb, k, slope, &cutting, 1, to);
    for (int k = 0; k < 4 && !cuts; k++) {
        to->spot[8 + k] = (spot3){cb.x[k], cb.y[k], gap_of(slope, cb.x[k], cb.y[k]),
                                  v_add(v_mul(v_set(8), cb.index[k]), v_set((real)CODE_B))};
        to->ok[8 + k] = m_not(m_or(cb.a_is_out[k], cb.b_is_out[k]));
    }
    return cuts ? CUT_SPOTS : SPOTS;
}

/* Points that are kept, and how many. */
typedef struct kept3 {
    spot3 p[4];
    vm ok[4], unlike; /* unlike: lanes for the other method */
} kept3;

/* Replaces corner k of a quadrilateral by the spot that is the farthest out over its neighbours. Returns the lanes in
 * which that is another. */
LANE_FN vm exchange(const spots3 *s, int spots, spot3 *q, int k, vr deep)
{
    const spot3 last = q[(k + 3) % 4], next = q[(k + 1) % 4];
    const vr gain = v_set(1 + 16 * REAL_EPSILON);
    vr most = spot_turn(&last, &q[k], &next);
    vm moved = v_lt(most, most);
    spot3 best = q[k];
    for (int i = 0; i < spots; i++) {
        const spot3 *p = &s->spot[i];
        const vr out = spot_turn(&last, p, &next);
        vm better = m_and(v_gt(out, v_mul(most, gain)), s->ok[i]);
        if (k == 0)
            better = m_and(better, v_le(p->gap, deep));
        most = v_sel(better, out, most);
        best = spot_sel(better, *p, best);
        moved = m_or(moved, better);
    }
    q[k] = best;
    return moved;
}

/* The deepest, the farthest from it, the farthest from their line, the farthest out of that triangle; then, if there
 * are more than four, each is exchanged for one that makes it larger, twice around: of a narrow patch the second time
 * may move the deepest. */
LANE_FN kept3 keep_spots(spots3 *s, int all)
{
    const vr zero = v_set(0), none = v_set(REAL_MAX);
    int most_spots;
    const int spots = gather_spots(s, all, &most_spots);
    kept3 r;
    vr least = none, most = zero;
    spot3 p0 = s->spot[0];
    for (int i = 0; i < spots; i++) {
        const vm better = m_and(s->ok[i], v_lt(s->spot[i].gap, least));
        least = v_sel(better, s->spot[i].gap, least);
        p0 = spot_sel(better, s->spot[i], p0);
    }
    spot3 p1 = p0;
    for (int i = 0; i < spots; i++) {
        const vr dx = v_sub(s->spot[i].x, p0.x), dy = v_sub(s->spot[i].y, p0.y),
                 square = v_dot(dx, dy, dx, dy);
        const vm better = m_and(s->ok[i], v_gt(square, most));
        most = v_sel(better, square, most);
        p1 = spot_sel(better, s->spot[i], p1);
    }
    r.ok[0] = v_lt(least, none);
    r.ok[1] = v_gt(most, v_set((real)(SAME_POINT * SAME_POINT)));
    const vr narrow = v_mul(v_sqrt(most), v_set((real)NARROW));
    spot3 p2 = p0;
    vr area = zero;
    for (int i = 0; i < spots; i++) {
        const vr here = v_abs(spot_turn(&p0, &p1, &s->spot[i]));
        const vm better = m_and(s->ok[i], v_gt(here, area));
        area = v_sel(better, here, area);
        p2 = spot_sel(better, s->spot[i], p2);
    }
    r.ok[2] = m_and(r.ok[1], v_gt(area, narrow));
    const vm turned = v_lt(spot_turn(&p0, &p1, &p2), zero);
    const spot3 left = spot_sel(turned, p2, p1),
                right = spot_sel(turned, p1, p2); /* p0, left, right are anticlockwise */
    spot3 p3 = p0;
    vr out = zero, over[3] = {zero, zero, zero};
    for (int i = 0; i < spots; i++) {
        const spot3 *p = &s->spot[i];
        const vr side[3] = {spot_turn(&p0, p, &left), spot_turn(&left, p, &right), spot_turn(&right, p, &p0)};
        const vr here = v_max(v_max(side[0], side[1]), side[2]);
        const vm better = m_and(s->ok[i], v_gt(here, out));
        out = v_sel(better, here, out);
        p3 = spot_sel(better, *p, p3);
        for (int k = 0; k < 3; k++)
            over[k] = v_sel(better, side[k], over[k]);
    }
    const vm over_first = v_ge(over[0], out), over_second = m_andnot(v_ge(over[1], out), over_first);
    const spot3 from = spot_sel(over_first, p0, spot_sel(over_second, left, right)),
                to = spot_sel(over_first, left, spot_sel(over_second, right, p0));
    const vr ex = v_sub(to.x, from.x), ey = v_sub(to.y, from.y); /* of a short side little area is far out */
    r.ok[3] = m_and(r.ok[2], v_gt(out, v_mul(v_sqrt(v_dot(ex, ey, ex, ey)), v_set((real)NARROW))));
    spot3 q[4] = {p0, spot_sel(over_first, p3, left),
                  spot_sel(over_first, left, spot_sel(over_second, p3, right)),
                  spot_sel(m_or(over_first, over_second), right, p3)};
    const vr deep = v_add(least, v_set((real)AS_DEEP));
    unsigned moved = most_spots > 4;
    for (int around = 0; around < 2 && moved; around++) { /* where none moves the second time changes nothing */
        vm any = v_lt(zero, zero);
        for (int k = 2; k < 6; k++)
            any = m_or(any, exchange(s, spots, q, k % 4, deep));
        moved = m_bits(any);
    }
    r.p[0] = spot_sel(r.ok[3], q[0], p0);
    r.p[1] = spot_sel(r.ok[3], q[1], spot_sel(r.ok[2], left, p1));
    r.p[2] = spot_sel(r.ok[3], q[2], right);
    r.p[3] = q[3];
    return r;
}

/* ---- an edge and a face, or two edges ---- */

/* How far an end of an edge is out of q, grown by `near`, and of what it is then. */
typedef struct end3 {
    vr t,
        code; /* part of the edge that is out; the corner at which the side begins, and whether it is a second one */
    vm crosses;
} end3;

/* An end with the coordinates a and b in q, of which it may have a_most and b_most. */
LANE_FN end3 end_of(const quad3 *q, vm is_face, vr a, vr b, vr a_most, vr b_most, vr a_by, vr b_by)
{
    const vr zero = v_set(0), a_out = v_sub(v_abs(a), a_most), b_out = v_sub(v_abs(b), b_most);
    const vm a_is_out = v_gt(a_out, zero), b_is_out = v_gt(b_out, zero), a_up = v_gt(a, zero),
             b_up = v_gt(b, zero);
    const vr one = v_set(1), a_from = v_sel(a_is_out, v_min(v_mul(a_out, a_by), one), zero);
    const vr b_from = v_sel(b_is_out, v_min(v_mul(b_out, b_by), one), zero);
    const vm by_a = v_ge(a_from, b_from);
    const vr far = v_add(q->corner, q->e),
             along = v_add(v_sel(a_up, far, q->corner), v_set(CODE_OTHER_SIDE - CODE_CROSSING));
    end3 e;
    e.t = v_max(a_from, b_from);
    e.crosses = m_or(a_is_out, b_is_out);
    e.code = v_sel(is_face, side_index(q, by_a, a_up, b_up), v_sel(by_a, along, v_sel(b_up, far, q->corner)));
    return e;
}

/* Half way to q, if a point is out of it. `b_most`: what its second coordinate may be. */
LANE_FN void move_half_way(const quad3 *q, vr b_most, vr *x, vr *y)
{
    const vr zero = v_set(0), dx = v_sub(*x, q->x), dy = v_sub(*y, q->y), half = v_set((real)0.5);
    const vr a = v_dot(q->ax, q->ay, dx, dy), b = v_dot(q->bx, q->by, dx, dy);
    const vr a_by = v_div(half, v_mul(q->a_wide, q->a_wide)), b_by = v_div(half, v_mul(q->b_wide, q->b_wide));
    const vr a_out = v_max(v_sub(v_abs(a), v_set(1)), zero), b_out = v_max(v_sub(v_abs(b), b_most), zero);
    const vm by_a = v_gt(v_mul(a_out, q->b_wide), v_mul(b_out, q->a_wide));
    const vr step = v_sel(by_a, v_mul(a_out, a_by), v_mul(b_out, b_by));
    const vm up = v_gt(v_sel(by_a, a, b), zero);
    const vr by = v_sel(up, v_neg(step), step);
    *x = v_add(*x, v_mul(by, v_sel(by_a, q->ax, q->bx)));
    *y = v_add(*y, v_mul(by, v_sel(by_a, q->ay, q->by)));
}

/* The edge is A's if A has one, else B's. */
LANE_FN kept3 keep_ends(const quad3 *a, vm a_is_face, const quad3 *b, vm b_is_face, const slope3 *slope,
                        vr near, vr most)
{
    const vr zero = v_set(0), one = v_set(1), half = v_set((real)0.5);
    const vm of_b = a_is_face, is_face = m_or(of_b, b_is_face); /* of q */
    quad3 p, q;
    const vr *from[2] = {&a->x, &b->x};
    vr *into[2] = {&p.x, &q.x};
    for (size_t k = 0; k < sizeof p / sizeof(vr); k++) {
        into[0][k] = v_sel(of_b, from[1][k], from[0][k]);
        into[1][k] = v_sel(of_b, from[0][k], from[1][k]);
    }
    const vr dx = v_sub(p.x, q.x), dy = v_sub(p.y, q.y);
    const vr am = v_dot(q.ax, q.ay, dx, dy), ae = v_dot(q.ax, q.ay, p.ex, p.ey);
    const vr bm = v_dot(q.bx, q.by, dx, dy), be = v_dot(q.bx, q.by, p.ex, p.ey);
    const vr b_base = v_sel(is_face, one, zero);
    const vr a_most = v_add(one, v_mul(v_sel(is_face, near, v_set((real)GROWN)), q.a_wide));
    const vr b_most = v_add(b_base, v_mul(near, q.b_wide));
    const vr a_by = v_div(half, v_abs(ae)), b_by = v_div(half, v_abs(be));
    const vr a0 = v_sub(am, ae), b0 = v_sub(bm, be), a1 = v_add(am, ae), b1 = v_add(bm, be);
    const end3 low = end_of(&q, is_face, a0, b0, a_most, b_most, a_by, b_by);
    const end3 high = end_of(&q, is_face, a1, b1, a_most, b_most, a_by, b_by);
    const vm a_off =
        m_and(v_gt(v_mul(a0, a1), zero), m_and(v_gt(v_abs(a0), a_most), v_gt(v_abs(a1), a_most)));
    const vm b_off =
        m_and(v_gt(v_mul(b0, b1), zero), m_and(v_gt(v_abs(b0), b_most), v_gt(v_abs(b1), b_most)));
    const cut3 cut = cut_of(gap_of(slope, v_sub(p.x, p.ex), v_sub(p.y, p.ey)),
                            gap_of(slope, v_add(p.x, p.ex), v_add(p.y, p.ey)), most);
    const vr clip0 = low.t, clip1 = v_sub(one, high.t);
    const vm is_cut[2] = {v_gt(cut.from, clip0), v_lt(cut.to, clip1)};
    vr t0 = v_max(clip0, cut.from), t1 = v_min(clip1, cut.to);
    kept3 r;
    const vm some = m_andnot(v_le(t0, t1), m_or(cut.none, m_or(a_off, b_off)));
    const vr length = v_sqrt(v_dot(p.ex, p.ey, p.ex, p.ey)), twice = v_set(2);
    const vm crosses_twice = m_andnot(m_and(low.crosses, high.crosses), m_or(is_cut[0], is_cut[1]));
    const vm one_point =
        m_and(crosses_twice,
              v_lt(v_mul(v_mul(v_sub(t1, t0), length), twice), v_mul(v_set((real)2.25), near)));
    const vr middle = v_mul(v_add(t0, t1), half);
    t0 = v_sel(one_point, middle, t0);
    t1 = v_sel(one_point, middle, t1);
    const vr t[2] = {v_sub(v_mul(twice, t0), one), v_sub(v_mul(twice, t1), one)};
    const vr eight = v_set(8), far = v_add(p.corner, p.e), crossing = v_set((real)CODE_CROSSING);
    for (int k = 0; k < 2; k++) {
        const end3 *e = k ? &high : &low;
        const vr own = k ? far : p.corner;
        spot3 *to = &r.p[k];
        to->x = v_add(p.x, v_mul(t[k], p.ex));
        to->y = v_add(p.y, v_mul(t[k], p.ey));
        vr x = to->x, y = to->y;
        move_half_way(&q, b_base, &x, &y);
        const vm moves = m_andnot(e->crosses, is_cut[k]);
        to->x = v_sel(moves, x, to->x);
        to->y = v_sel(moves, y, to->y);
        to->gap = gap_of(slope, to->x, to->y);
        to->gap = v_sel(is_cut[k], v_min(to->gap, most), to->gap);
        const vm other = v_ge(e->code, v_set((real)(CODE_OTHER_SIDE - CODE_CROSSING)));
        const vr kind = v_sel(other, v_set((real)CODE_OTHER_SIDE), crossing);
        const vr side = v_sel(other, v_sub(e->code, v_set((real)(CODE_OTHER_SIDE - CODE_CROSSING))), e->code);
        const vr crosses =
            v_sel(of_b, v_add(side, v_mul(eight, p.corner)), v_add(p.corner, v_mul(eight, side)));
        const vr ends =
            v_sel(of_b, v_add(v_mul(eight, own), v_set((real)CODE_B)), v_add(own, v_set((real)CODE_A)));
        const vr margin = v_sel(of_b, v_add(v_mul(eight, p.corner), v_set((real)(CODE_MARGIN_B + k))),
                                v_add(p.corner, v_set((real)(CODE_MARGIN_A + 8 * k))));
        to->code = v_sel(is_cut[k], margin, v_sel(e->crosses, v_add(crosses, kind), ends));
    }
    const vm swap = v_lt(r.p[1].gap, r.p[0].gap);
    const spot3 first = spot_sel(swap, r.p[1], r.p[0]);
    r.p[1] = spot_sel(swap, r.p[0], r.p[1]);
    r.p[0] = first;
    const vr ox = v_sub(r.p[1].x, r.p[0].x), oy = v_sub(r.p[1].y, r.p[0].y);
    r.ok[0] = some;
    r.ok[1] =
        m_andnot(m_and(some, v_gt(v_dot(ox, oy, ox, oy), v_set((real)(SAME_POINT * SAME_POINT)))), one_point);
    r.ok[2] = r.ok[3] = v_gt(zero, zero);
    r.p[2] = r.p[3] = r.p[0];
    return r;
}

/* ---- whole pairs ---- */

#if GJB_BITS == 32
typedef gjb_manifold3f manifold;
typedef gjb_contact3f contact;
#else
typedef gjb_manifold3d manifold;
typedef gjb_contact3d contact;
#endif

LANE_FN manifold *manifold_of(const asked3 *q, unsigned pair)
{
    return (manifold *)((char *)q->batch->results + q->pair[pair] * q->batch->result_stride);
}

/* Writes contact k of the lanes in `n`: a is across and along the normal. */
LANE_FN void write_contact(const boxes3 *b, const axes3 *axes, const quad3 *a, const kept3 *r, int k,
                           contact *const *to)
{
    const vr zero = v_set(0);
    const spot3 *p = &r->p[k];
    const vr h = v_add(a->h, v_add(v_mul(a->gx, v_sub(p->x, a->x)), v_mul(a->gy, v_sub(p->y, a->y))));
    const v3 at = v3_add(v3_add(v3_mul(axes->x, p->x), v3_mul(axes->y, p->y)), v3_mul(axes->h, h));
    const v3 core = v3_mul(m3_turn(&b->world, at), b->grain), pa = v3_add(core, v3_mul(b->n, b->ra));
    const vr separation = v_sub(v_mul(p->gap, b->grain), v_add(b->ra, b->rb));
    const v3 pb = v3_add(pa, v3_mul(b->n, separation));
    const vr fields[8] = {pa.x, pa.y, pa.z, pb.x, pb.y, pb.z, separation, zero};
    vr out[8];
    real *rows[LANES], *rest[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        rows[l] = to[l]->point_a;
        rest[l] = rows[l] + 4;
    }
    for (int i = 0; i < 8; i++)
        out[i] = v_sel(r->ok[k], v_add(fields[i], zero), zero);
    v_store4t(out, rows);
    v_store4t(out + 4, rest);
}

/* Answers n pairs of boxes whose features are faces, or if not `faces` an edge and a face, or two edges. Returns those
 * left to the other method. */
LANE_FN unsigned patch_boxes(const asked3 *q, const uint16_t *pair, unsigned n, int faces)
{
    uint16_t list[LANES];
    for (unsigned l = 0; l < LANES; l++)
        list[l] = pair[l < n ? l : n - 1];
    const boxes3 b = load_boxes(q, list);
    const v3 out_of_b = v3_neg(b.nb);
    const lines3 *la = b.lines && !faces ? &b.line[0] : NULL, *lb = la ? &b.line[1] : NULL;
    const facing3 fa = facing_of(b.na, b.ha, la), fb = facing_of(out_of_b, b.hb, lb);
    axes3 axes;
    axes.h = b.na;
    {
        const vr zero = v_set(0), one = v_set(1);
        const vm down = v_lt(b.na.z, zero);
        const vr sign = v_sel(down, v_set(-1), one), by = v_div(v_set(-1), v_add(sign, b.na.z));
        const vr xy = v_mul(v_mul(b.na.x, b.na.y), by);
        axes.x = (v3){v_add(one, v_mul(v_mul(v_mul(sign, b.na.x), b.na.x), by)), v_mul(sign, xy),
                      v_neg(v_mul(sign, b.na.x))};
        axes.y = (v3){xy, v_add(sign, v_mul(v_mul(b.na.y, b.na.y), by)), v_neg(b.na.y)};
    }
    const quad3 a = quad_of(&fa, b.na, b.ha, la, &axes, NULL, NULL, faces);
    const quad3 o = quad_of(&fb, out_of_b, b.hb, lb, &axes, &b.turn, &b.shift, faces);
    const slope3 slope = slope_of(&a, &o);
    const vr margin = v_set((real)q->batch->margin), slack = v_set((real)AS_DEEP);
    const vr most = v_add(v_mul(margin, b.scale), b.radii);
    kept3 r;
    if (faces) {
        spots3 spots;
        const int rows = find_spots(&a, &o, &slope, most, &spots);
        r = keep_spots(&spots, rows);
    } else {
        r = keep_ends(&a, fa.two, &o, fb.two, &slope, v_add(b.near, v_add(fa.width, fb.width)), most);
    }
    vm fine = m_and(r.ok[0], v_le(r.p[0].gap, v_add(b.least, slack)));
    for (int k = 0; k < 4; k++)
        fine = m_and(fine, m_or(m_not(r.ok[k]), v_le(r.p[k].gap, v_add(most, slack))));
    contact *to[LANES], spare;
    real code[4][LANES];
    unsigned ok[4];
    for (int k = 0; k < 4; k++) {
        v_store(code[k], r.p[k].code);
        ok[k] = m_bits(r.ok[k]);
        for (unsigned l = 0; l < LANES; l++)
            to[l] = l < n ? &manifold_of(q, list[l])->contact[k] : &spare;
        if (faces || k < 2)
            write_contact(&b, &axes, &a, &r, k, to);
    }
    for (unsigned l = 0; l < n; l++) {
        manifold *m = manifold_of(q, list[l]);
        const record *apart = &q->apart[list[l]];
        m->head = apart->head;
        memcpy(m->normal, apart->normal, sizeof m->normal);
        m->count = 0;
        for (int k = 0; k < 4; k++)
            if (ok[k] >> l & 1) {
                m->contact[k].feature = feature_of_code((unsigned)(int)code[k][l]);
                m->count++;
            }
        if (!faces)
            memset(&m->contact[2], 0, 2 * sizeof(contact));
    }
    return lanes_below(n) & ~m_bits(fine);
}

LANE_CALL unsigned patch_faces(const asked3 *q, const uint16_t *pair, unsigned n)
{
    return patch_boxes(q, pair, n, 1);
}

LANE_CALL unsigned patch_edges(const asked3 *q, const uint16_t *pair, unsigned n)
{
    return patch_boxes(q, pair, n, 0);
}

/* What the features of n pairs of boxes are. */
typedef struct sorted3 {
    unsigned corner, faces, edges, other;
} sorted3;

/* Of pairs with a corner, `index` is that of A's, or 8 if only B has one, and then of B's. */
LANE_CALL sorted3 sort_boxes(const asked3 *q, const uint16_t *pair, unsigned n, real index[2][LANES])
{
    uint16_t list[LANES];
    for (unsigned l = 0; l < LANES; l++)
        list[l] = pair[l < n ? l : n - 1];
    const boxes3 b = load_boxes(q, list);
    const facing3 fa = facing_of(b.na, b.ha, b.lines ? &b.line[0] : NULL),
                  fb = facing_of(v3_neg(b.nb), b.hb, b.lines ? &b.line[1] : NULL);
    const unsigned all = lanes_below(n), some = m_bits(m_and(fa.some, fb.some));
    const unsigned bent = some & m_bits(m_or(fa.bent, fb.bent)), both = some & m_bits(m_and(fa.two, fb.two));
    v_store(index[0], v_sel(fa.some, v_set(8), fa.corner));
    v_store(index[1], v_sel(fb.some, v_set(8), fb.corner));
    return (sorted3){all & ~some, all & both & ~bent, all & some & ~both & ~bent, all & bent};
}

#endif
