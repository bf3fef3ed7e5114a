/* Separating axes of two boxes in lanes (Gottschalk, Lin, Manocha 1996): the
 * gap along the face normals of both and the cross products of their edges. The
 * largest gap, if it is negative, is minus the depth of the cores: the facets
 * of the Minkowski difference have no other normals.
 *
 * Edges that are nearly parallel need no special rule. Every axis is made of the
 * rounded rotation entries, and both boxes are measured along that very axis, so
 * that any gap is a true one. If two edges are parallel up to rounding, the facet
 * between them is so thin that its neighbours are as near.
 */
#ifndef GJB_SIMD_SAT3_H
#define GJB_SIMD_SAT3_H

#include "simd/space/gjk3.h"

/* Gaps nearer to zero than this decide nothing: corner to corner no axis shows the
 * whole distance. In the frame. */
#define GAP_DOUBT (32 * REAL_EPSILON)
/* An edge pair must exceed the faces by this: features of faces are more reliable. */
#define EDGE_MARGIN (4 * REAL_EPSILON)
/* An axis this nearly perpendicular to an edge touches all of it. */
#define ALONG_DOUBT (2 * REAL_EPSILON)

typedef struct boxes3 {
    v3 ha, hb;  /* half extents in the frame */
    m3 turn;    /* B's axes are its columns */
    v3 shift, shift_b; /* B's centre from A's, in A's axes and in B's */
} boxes3;

typedef struct axis3 {
    vr gap;  /* largest */
    v3 n;    /* its unit axis, in A's axes, A to B */
    vm edge; /* of two edges */
    v3 ea, eb; /* their directions */
    vr dot, square; /* ea . eb, and 1 less its square */
} axis3;

LANE_FN v3 column(const m3 *m, int j)
{
    const v3 *r = m->row;
    return j == 0 ? (v3){r[0].x, r[1].x, r[2].x} : j == 1 ? (v3){r[0].y, r[1].y, r[2].y} : (v3){r[0].z, r[1].z, r[2].z};
}
LANE_FN vr part(v3 p, int k) { return k == 0 ? p.x : k == 1 ? p.y : p.z; }

LANE_FN boxes3 load_boxes(const tile *t)
{
    return (boxes3){v3_mul(t->half_a, t->scale), v3_mul(t->half_b, t->scale), t->turn, t->shift,
                    m3_turn_back(&t->turn, t->shift)};
}

LANE_FN v3 signed_axis(v3 axis, vr along)
{
    return v3_sel(v_lt(along, v_set(0)), v3_neg(axis), axis);
}

/* The gap along the cross product of A's axis i and B's axis j, times the
 * product's length; *l is the product. */
LANE_FN vr edge_gap(const boxes3 *b, int i, int j, v3 *l, vr *along)
{
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const v3 bj = column(&b->turn, j), b1 = column(&b->turn, j1), b2 = column(&b->turn, j2);
    const vr l1 = v_neg(part(bj, i2)), l2 = part(bj, i1), zero = v_set(0);
    *l = (v3){i == 0 ? zero : i1 == 0 ? l1 : l2, i == 1 ? zero : i1 == 1 ? l1 : l2, i == 2 ? zero : i1 == 2 ? l1 : l2};
    *along = v_add(v_mul(part(b->shift, i1), l1), v_mul(part(b->shift, i2), l2));
    const vr ra = v_add(v_mul(part(b->ha, i1), v_abs(l1)), v_mul(part(b->ha, i2), v_abs(l2)));
    const vr c1 = v_add(v_mul(part(b1, i1), l1), v_mul(part(b1, i2), l2));
    const vr c2 = v_add(v_mul(part(b2, i1), l1), v_mul(part(b2, i2), l2));
    const vr rb = v_add(v_mul(part(b->hb, j1), v_abs(c1)), v_mul(part(b->hb, j2), v_abs(c2)));
    return v_sub(v_abs(*along), v_add(ra, rb));
}

LANE_FN vr face_gap_a(const boxes3 *b, int i)
{
    return v_sub(v_abs(part(b->shift, i)), v_add(part(b->ha, i), v3_dot(v3_abs(b->turn.row[i]), b->hb)));
}

LANE_FN vr face_gap_b(const boxes3 *b, int j)
{
    return v_sub(v_abs(part(b->shift_b, j)), v_add(part(b->hb, j), v3_dot(v3_abs(column(&b->turn, j)), b->ha)));
}

/* Calls step(i, j) for A's axis i and B's axis j, unrolled by hand: the compiler does
 * not unroll loops of this size, and would select axes at run time. */
#define EACH_EDGE_PAIR(step)       \
    step(0, 0) step(0, 1) step(0, 2) \
    step(1, 0) step(1, 1) step(1, 2) \
    step(2, 0) step(2, 1) step(2, 2)

/* The gap along the product of axes i and j as in textbooks: B's axes count as
 * orthonormal, and the product is not normalised. That only moves the gap towards
 * zero, except for the rounding of a rotation. */
LANE_FN vr quick_edge_gap(const boxes3 *b, const m3 *size, int i, int j)
{
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const vr along = v_sub(v_mul(part(b->shift, i2), part(b->turn.row[i1], j)),
                           v_mul(part(b->shift, i1), part(b->turn.row[i2], j)));
    const vr ra = v_add(v_mul(part(b->ha, i1), part(size->row[i2], j)), v_mul(part(b->ha, i2), part(size->row[i1], j)));
    const vr rb = v_add(v_mul(part(b->hb, j1), part(size->row[i], j2)), v_mul(part(b->hb, j2), part(size->row[i], j1)));
    return v_sub(v_abs(along), v_add(ra, rb));
}

/* A core without thickness. */
LANE_FN vm is_flat(v3 half)
{
    return v_lt(v_min(v_min(half.x, half.y), half.z), v_set((real)(GJB_BITS == 32 ? 0x1p-16 : 0x1p-40)));
}

LANE_FN vr quick_face_gap3(const boxes3 *b)
{
    const vr most = v_max(v_max(face_gap_a(b, 0), face_gap_a(b, 1)), face_gap_a(b, 2));
    return v_max(v_max(v_max(face_gap_b(b, 0), face_gap_b(b, 1)), face_gap_b(b, 2)), most);
}

LANE_FN m3 size_of_turn(const boxes3 *b)
{
    return (m3){{v3_abs(b->turn.row[0]), v3_abs(b->turn.row[1]), v3_abs(b->turn.row[2])}};
}

/* The largest gap, or one of the same sign nearer to zero. Its sign is certain if
 * its size exceeds twice GAP_DOUBT. */
LANE_FN vr quick_gap3(const boxes3 *b)
{
    const m3 size = size_of_turn(b);
    vr most = quick_face_gap3(b);
#define STEP(i, j) most = v_max(quick_edge_gap(b, &size, i, j), most);
    EACH_EDGE_PAIR(STEP)
#undef STEP
    return most;
}

/* The same without edges that are parallel up to rounding, whose gap is always near zero: A's axis i is
 * perpendicular to both other axes of B. The facet between such edges is so thin that its neighbours are as near. */
LANE_FN vr quick_gap_of_crossed3(const boxes3 *b)
{
    const m3 size = size_of_turn(b);
    const vr flat = v_set(GAP_DOUBT), none = v_set(-REAL_MAX);
    vr most = quick_face_gap3(b);
#define STEP(i, j)                                                                                               \
    most = v_max(v_sel(v_gt(v_max(part(size.row[i], (j + 1) % 3), part(size.row[i], (j + 2) % 3)), flat),         \
                       quick_edge_gap(b, &size, i, j), none),                                                    \
                 most);
    EACH_EDGE_PAIR(STEP)
#undef STEP
    return most;
}

LANE_FN v3 unit_axis(int i) { return v3_set(i == 0, i == 1, i == 2); }

LANE_FN void try_edges(const boxes3 *b, int i, int j, axis3 *best, vr *bar)
{
    v3 l;
    vr along, gap = edge_gap(b, i, j, &l, &along);
    const vr square = v3_dot(l, l), by = v_div(v_set(1), v_sqrt(square));
    gap = v_mul(gap, by);
    vm wider = v_gt(gap, *bar); /* false if there is no axis: NaN */
    wider = m_and(wider, v_gt(square, v_set(REAL_MIN / REAL_EPSILON)));
    *bar = v_sel(wider, gap, *bar);
    best->gap = v_sel(wider, gap, best->gap);
    best->n = v3_sel(wider, v3_mul(signed_axis(l, along), by), best->n);
    best->edge = m_or(best->edge, wider);
    best->ea = v3_sel(wider, unit_axis(i), best->ea);
    best->eb = v3_sel(wider, column(&b->turn, j), best->eb);
    best->dot = v_sel(wider, part(column(&b->turn, j), i), best->dot);
    best->square = v_sel(wider, square, best->square);
}

LANE_FN axis3 largest_gap3(const boxes3 *b)
{
    const vr zero = v_set(0);
    axis3 best;
    best.gap = v_set(-REAL_MAX);
    best.n = v3_set(1, 0, 0);
    for (int i = 0; i < 3; i++) {
        const vr gap = face_gap_a(b, i);
        vm wider = v_gt(gap, best.gap);
        best.gap = v_max(gap, best.gap);
        best.n = v3_sel(wider, signed_axis(unit_axis(i), part(b->shift, i)), best.n);
    }
    for (int j = 0; j < 3; j++) {
        const vr gap = face_gap_b(b, j);
        vm wider = v_gt(gap, best.gap);
        best.gap = v_max(gap, best.gap);
        best.n = v3_sel(wider, signed_axis(column(&b->turn, j), part(b->shift_b, j)), best.n);
    }
    best.edge = v_gt(zero, zero);
    best.ea = best.eb = v3_set(0, 0, 0);
    best.dot = zero;
    best.square = v_set(1);
    vr bar = v_add(best.gap, v_set(EDGE_MARGIN));
#define STEP(i, j) try_edges(b, i, j, &best, &bar);
    EACH_EDGE_PAIR(STEP)
#undef STEP
    return best;
}

LANE_FN vr clamp(vr x, vr most)
{
    return v_max(v_min(x, most), v_neg(most));
}

/* A coordinate of the feature that is extreme along n: an end of the axis; or, if n is
 * perpendicular to the axis, the value between the ends that is nearest to `wish`. */
LANE_FN vr feature_part(vr n, vr h, vr wish)
{
    vm across = v_le(v_abs(n), v_set(ALONG_DOUBT));
    return v_sel(across, clamp(wish, h), v_sel(v_gt(n, v_set(0)), h, v_neg(h)));
}

LANE_FN v3 feature_point(v3 n, v3 h, v3 wish)
{
    return (v3){feature_part(n.x, h.x, wish.x), feature_part(n.y, h.y, wish.y), feature_part(n.z, h.z, wish.z)};
}

/* Witness points of an overlap along an axis, on the cores: a point that the extreme
 * features of both share. Two edges meet where their lines are nearest; other
 * features are clamped into each other in turn. Returns the lanes in which the points
 * do not fit: the axis may be a neighbour of the right one. */
LANE_FN vm overlap_points(const boxes3 *b, const axis3 *best, v3 *pa, v3 *pb)
{
    const v3 nb = v3_neg(m3_turn_back(&b->turn, best->n)), none = v3_set(0, 0, 0), step = v3_mul(best->n, best->gap);
    v3 wish_b = v3_neg(b->shift_b);
    /* edges: r + u eb - s ea = 0, for u */
    const v3 middle = v3_add(m3_turn(&b->turn, feature_point(nb, b->hb, none)), b->shift);
    const v3 rest = v3_sub(v3_sub(middle, feature_point(best->n, b->ha, none)), step);
    const vr u = v_div(v_sub(v_mul(best->dot, v3_dot(rest, best->ea)), v3_dot(rest, best->eb)), best->square);
    wish_b = v3_sel(best->edge, (v3){u, u, u}, wish_b);
    v3 a = none, at = none;
    for (int round = 0; round < 3; round++) {
        at = v3_add(m3_turn(&b->turn, feature_point(nb, b->hb, wish_b)), b->shift);
        a = feature_point(best->n, b->ha, v3_sub(at, step));
        wish_b = v3_sel(best->edge, wish_b, m3_turn_back(&b->turn, v3_sub(v3_add(a, step), b->shift)));
    }
    *pa = a;
    *pb = at;
    const v3 off = v3_sub(v3_sub(at, a), step);
    vm sound = v_le(v3_dot(off, off), v_set(POINT_DOUBT));
    return m_andnot(v_eq(v_set(0), v_set(0)), sound);
}

#endif
