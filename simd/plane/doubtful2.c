/* Separating axes of pairs that touch, in lanes of double: compiled once per backend, for both precisions. The
 * frame is that of simd/plane/tile2.h, the rule that of fallback2.c, which serves what is left. */
#include "simd/plane/doubtful2.h"

#include "simd/doubtful.h"

/* In the frame: a gap within a few roundings of the transform is none. */
#define TOUCH 0x1p-51

/* A core's vertices. */
typedef struct core2 {
    vr x[DOUBTFUL_VERTICES], y[DOUBTFUL_VERTICES];
} core2;

typedef struct pairs2 {
    core2 a, b;
    vr grain, rho2, a_c, a_s;
} pairs2;

/* The axis of the largest gap so far, of any length but 0. */
typedef struct axis2 {
    vr x, y, power, square; /* from A to B; the signed square of gap times length; length squared */
} axis2;

/* Four numbers of each of LANES pairs, `at` numbers after where theirs begin. */
LANE_FN void load_four(const void *const *rows, const uint32_t *at, int floats, vr out[4])
{
    const float *narrow[LANES];
    const double *wide[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        narrow[l] = (const float *)rows[l] + at[l];
        wide[l] = (const double *)rows[l] + at[l];
    }
    if (floats)
        v_load4t_floats(narrow, out);
    else
        v_load4t(wide, out);
}

/* Vertices 4 * quad and the next three, as stored. Edges without length, as those between repeated ones, are no
 * axes. */
LANE_FN void load_vertices(const void *const *records, const double *quads, const doubtful2 *d, uint32_t quad,
                           int floats, core2 *out)
{
    uint32_t x[LANES], y[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        const uint32_t own = d->uniform ? d->vertices / 4 : (uint32_t)quads[l];
        x[l] = 4 * (quad < own ? quad : own - 1);
        y[l] = 4 * own + x[l];
    }
    vr *to_x = &out->x[4 * quad], *to_y = &out->y[4 * quad];
    load_four(records, x, floats, to_x);
    load_four(records, y, floats, to_y);
    if (d->uniform || quad == 0)
        return;
    const vm beyond = v_le(v_load(quads), v_set((double)quad));
    for (int k = 0; k < 3; k++) {
        to_x[k] = v_sel(beyond, to_x[3], to_x[k]);
        to_y[k] = v_sel(beyond, to_y[3], to_y[k]);
    }
}

/* Returns the lanes whose frame is defined. */
LANE_FN vm pack(const doubtful2 *d, unsigned first, int n, int floats, pairs2 *p)
{
    static const uint32_t start[LANES];
    vr pa[4], pb[4];
    load_four(d->pose_a + first, start, floats, pa);
    load_four(d->pose_b + first, start, floats, pb);
    const vr dx = v_sub(pb[0], pa[0]), dy = v_sub(pb[1], pa[1]);
    const vr tx = v_dot(pa[2], pa[3], dx, dy), ty = v_cross(pa[2], pa[3], dx, dy);
    vr size = v_add(v_load(d->extent + first), v_add(v_abs(tx), v_abs(ty)));
    vm sound = m_and(v_gt(size, v_set(16 * DBL_MIN)), v_lt(size, v_set(DBL_MAX / 16)));
    size = v_sel(sound, size, v_set(1));
    p->grain = v_pow2_floor(size);
    p->a_c = pa[2];
    p->a_s = pa[3];
    p->rho2 = v_dot(pa[2], pa[3], pa[2], pa[3]);
    const vr scale = v_div(v_set(1), p->grain), by = v_mul(p->rho2, scale);
    const vr c = v_mul(v_dot(pa[2], pa[3], pb[2], pb[3]), scale), s = v_mul(v_cross(pa[2], pa[3], pb[2], pb[3]), scale);
    const vr mx = v_mul(tx, scale), my = v_mul(ty, scale);
    for (uint32_t q = 0; q < (uint32_t)n / 4; q++) {
        load_vertices(d->record_a + first, d->quads_a + first, d, q, floats, &p->a);
        load_vertices(d->record_b + first, d->quads_b + first, d, q, floats, &p->b);
        for (uint32_t i = 4 * q; i < 4 * q + 4; i++) {
            p->a.x[i] = v_mul(by, p->a.x[i]);
            p->a.y[i] = v_mul(by, p->a.y[i]);
            const vr x = p->b.x[i], y = p->b.y[i];
            p->b.x[i] = v_add(v_cross(c, s, y, x), mx);
            p->b.y[i] = v_add(v_dot(s, c, x, y), my);
        }
    }
    return sound;
}

LANE_FN vr lowest(const core2 *core, int n, vr nx, vr ny)
{
    vr low[4];
    for (int k = 0; k < 4; k++)
        low[k] = v_dot(nx, ny, core->x[k], core->y[k]);
    for (int i = 4; i < n; i += 4)
        for (int k = 0; k < 4; k++)
            low[k] = v_min(v_dot(nx, ny, core->x[i + k], core->y[i + k]), low[k]);
    return v_min(v_min(low[0], low[1]), v_min(low[2], low[3]));
}

LANE_FN vr signed_square(vr x)
{
    return v_mul(x, v_abs(x));
}

/* An edge, by its outward normal, which is of its length. */
typedef struct edge2 {
    vr x, y, nx, ny, square; /* one end of it; the normal, and its square */
} edge2;

LANE_FN edge2 edge_of(const core2 *core, int n, int i)
{
    const int j = i + 1 == n ? 0 : i + 1;
    const vr nx = v_sub(core->y[j], core->y[i]), ny = v_sub(core->x[i], core->x[j]);
    return (edge2){core->x[i], core->y[i], nx, ny, v_dot(nx, ny, nx, ny)};
}

/* An edge without length is no axis. */
LANE_FN vm has_length(const edge2 *e)
{
    return v_gt(e->square, v_set(0x1p-400));
}

/* The gap along the normal of an edge of A, or with `exchanged` of B. Lengths are compared by squares, without a root
 * and a quotient for each edge. */
LANE_FN void try_edge(const edge2 *e, const core2 *other, int n, int exchanged, axis2 *best)
{
    const vr power = signed_square(v_sub(lowest(other, n, e->nx, e->ny), v_dot(e->nx, e->ny, e->x, e->y)));
    const vm more = v_gt(v_mul(power, best->square), v_mul(best->power, e->square));
    const vm wider = m_and(has_length(e), more);
    best->x = v_sel(wider, exchanged ? v_neg(e->nx) : e->nx, best->x);
    best->y = v_sel(wider, exchanged ? v_neg(e->ny) : e->ny, best->y);
    best->power = v_sel(wider, power, best->power);
    best->square = v_sel(wider, e->square, best->square);
}

LANE_FN void try_edges(const core2 *core, const core2 *other, int n, int exchanged, axis2 *best)
{
    for (int i = 0; i < n; i++) {
        const edge2 e = edge_of(core, n, i);
        try_edge(&e, other, n, exchanged, best);
    }
}

/* Of the edges whose normals lie on one side of a direction, the one whose normal is nearest to it. */
typedef struct across2 {
    edge2 edge;
    vr cosine; /* its signed square, times that of both lengths */
} across2;

LANE_FN void take_nearer(const edge2 *e, vm side, vr cosine, across2 *nearest)
{
    const vr *from = &e->x;
    vr *to = &nearest->edge.x;
    const vm nearer = m_and(side, v_gt(v_mul(cosine, nearest->edge.square), v_mul(nearest->cosine, e->square)));
    for (int k = 0; k < 5; k++)
        to[k] = v_sel(nearer, from[k], to[k]);
    nearest->cosine = v_sel(nearer, cosine, nearest->cosine);
}

/* The gaps of two edges, those next to (dx, dy) on both sides: if a corner touches, its edge may be either. */
LANE_FN void try_edges_across(const core2 *core, const core2 *other, int n, vr dx, vr dy, int exchanged, axis2 *best)
{
    const vr zero = v_set(0);
    across2 left = {{zero, zero, zero, zero, zero}, v_set(-DBL_MAX)}, right = left;
    for (int i = 0; i < n; i++) {
        const edge2 e = edge_of(core, n, i);
        const vr cosine = signed_square(v_dot(e.nx, e.ny, dx, dy));
        const vm long_enough = has_length(&e), is_left = v_gt(v_cross(dx, dy, e.nx, e.ny), zero);
        take_nearer(&e, m_and(long_enough, is_left), cosine, &left);
        take_nearer(&e, m_andnot(long_enough, is_left), cosine, &right);
    }
    try_edge(&left.edge, other, n, exchanged, best);
    try_edge(&right.edge, other, n, exchanged, best);
}

/* Where a core ends along (nx, ny), and what part of the tangent its vertices there take. */
typedef struct feature2 {
    vr height, low, high;
} feature2;

LANE_FN feature2 feature(const core2 *core, int n, vr nx, vr ny, int nearest)
{
    feature2 f = {v_set(0), v_set(INFINITY), v_set(-INFINITY)};
    f.height = nearest ? lowest(core, n, nx, ny) : v_neg(lowest(core, n, v_neg(nx), v_neg(ny)));
    const vr bar = nearest ? v_add(f.height, v_set(TOUCH)) : v_sub(f.height, v_set(TOUCH));
    for (int i = 0; i < n; i++) {
        const vr along = v_dot(nx, ny, core->x[i], core->y[i]), t = v_cross(nx, ny, core->x[i], core->y[i]);
        vm there = nearest ? v_le(along, bar) : v_ge(along, bar);
        f.low = v_sel(there, v_min(t, f.low), f.low);
        f.high = v_sel(there, v_max(t, f.high), f.high);
    }
    return f;
}

/* Whether the triangle of a feature and the vertex farthest behind it holds the point at t and `height`. */
LANE_FN vm is_behind(const core2 *core, int n, vr nx, vr ny, const feature2 *f, int nearest, vr t, vr height)
{
    vr deepest = f->height, at = f->low;
    for (int i = 0; i < n; i++) {
        const vr along = v_dot(nx, ny, core->x[i], core->y[i]), across = v_cross(nx, ny, core->x[i], core->y[i]);
        const vm deeper = nearest ? v_gt(along, deepest) : v_lt(along, deepest);
        deepest = v_sel(deeper, along, deepest);
        at = v_sel(deeper, across, at);
    }
    const vr part = v_div(v_sub(height, f->height), v_sub(deepest, f->height));
    const vm between = m_and(v_ge(part, v_set(0)), v_le(part, v_set(1))); /* false on NaN, of a flat core */
    const vr low = v_add(f->low, v_mul(part, v_sub(at, f->low)));
    const vr high = v_add(f->high, v_mul(part, v_sub(at, f->high)));
    return m_and(between, m_and(v_le(low, t), v_le(t, high)));
}

/* The same arithmetic as fallback_to_world: frame to world, for a point and for a normal. Lanes not in `wanted`
 * are 0. */
LANE_FN void turned(const pairs2 *p, vm wanted, vr by, vr x, vr y, vr world[2])
{
    world[0] = v_sel(wanted, v_mul(by, v_cross(p->a_c, p->a_s, y, x)), v_set(0));
    world[1] = v_sel(wanted, v_mul(by, v_dot(p->a_s, p->a_c, x, y)), v_set(0));
}

/* Of unit length within three roundings: it is divided once, after it has turned. */
LANE_FN void turned_normal(const pairs2 *p, vm wanted, vr x, vr y, vr world[2])
{
    vr turn[2];
    turned(p, wanted, v_set(1), x, y, turn);
    const vr length = v_sqrt(v_dot(turn[0], turn[1], turn[0], turn[1])), by = v_sel(wanted, length, v_set(1));
    world[0] = v_div(turn[0], by);
    world[1] = v_div(turn[1], by);
}

LANE_FN void decide(const doubtful2 *d, unsigned first, int n, int floats, decided2 *out)
{
    pairs2 p;
    const vm sound = pack(d, first, n, floats, &p);
    axis2 best = {v_set(1), v_set(0), v_set(-1), v_set(0)};
    if (d->guided) {
        const vr dx = v_load(d->toward_x + first), dy = v_load(d->toward_y + first);
        try_edges_across(&p.a, &p.b, n, dx, dy, 0, &best);
        try_edges_across(&p.b, &p.a, n, v_neg(dx), v_neg(dy), 1, &best);
    } else {
        try_edges(&p.a, &p.b, n, 0, &best);
        try_edges(&p.b, &p.a, n, 1, &best);
    }
    const vm found = m_and(sound, v_gt(best.square, v_set(0)));
    const vr by_length = v_div(v_set(1), v_sqrt(v_sel(found, best.square, v_set(1))));
    const vr nx = v_mul(best.x, by_length), ny = v_mul(best.y, by_length);
    const feature2 top = feature(&p.a, n, nx, ny, 0), bottom = feature(&p.b, n, nx, ny, 1);
    const vr gap = v_sub(bottom.height, top.height);
    const vr low = v_max(top.low, bottom.low), high = v_min(top.high, bottom.high);
    /* Features that share nothing: the axis is a neighbour of the right one, or corners are nearest. */
    const vm shared = v_le(low, v_add(high, v_set(TOUCH)));
    const vm apart = m_and(found, v_gt(gap, v_set(8 * TOUCH)));
    const vr middle = v_mul(v_set(0.5), v_add(low, high));
    vm over = m_and(m_and(found, shared), v_le(gap, v_set(TOUCH)));
    if (d->guided && m_bits(m_and(over, v_lt(gap, v_set(-TOUCH))))) { /* another axis may have a gap */
        const vm in_a = is_behind(&p.a, n, nx, ny, &top, 0, middle, bottom.height);
        const vm in_b = is_behind(&p.b, n, nx, ny, &bottom, 1, middle, top.height);
        over = m_and(over, m_or(v_ge(gap, v_set(-TOUCH)), m_or(in_a, in_b)));
    }
    out->apart |= m_bits(apart) << first;
    out->overlapping |= m_bits(over) << first;
    if (d->signs_only)
        return;
    const vr sigma = v_min(gap, v_set(0));
    const vr px = v_sub(v_mul(nx, top.height), v_mul(ny, middle)), py = v_add(v_mul(ny, top.height), v_mul(nx, middle));
    const vr rho = v_sqrt(p.rho2), by_point = v_div(p.grain, p.rho2), by_normal = v_div(v_set(1), rho);
    vr front[4] = {v_set(0), v_sel(over, v_mul(v_mul(sigma, p.grain), by_normal), v_set(0))}, points[4];
    turned_normal(&p, d->axes ? m_or(apart, over) : over, best.x, best.y, front + 2);
    turned(&p, over, by_point, px, py, points);
    turned(&p, over, by_point, v_add(px, v_mul(nx, sigma)), v_add(py, v_mul(ny, sigma)), points + 2);
    double *to[LANES], *to_points[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        to[l] = out->row[first + l];
        to_points[l] = to[l] + 4;
    }
    v_store4t(front, to);
    v_store4t(points, to_points);
}

/* Of n vertices: a constant, by which the compiler unrolls, or a multiple of 8. */
LANE_FN void decide_all(const doubtful2 *d, int n, int floats, decided2 *out)
{
    for (unsigned first = 0; first < d->pairs; first += LANES)
        decide(d, first, n, floats, out);
}

doubtful2_fn DOUBTFUL_NAME(2);

void DOUBTFUL_NAME(2)(const doubtful2 *d, decided2 *out)
{
    out->apart = out->overlapping = 0;
    if (!d->floats)
        decide_all(d, (int)d->vertices, 0, out);
    else if (d->vertices == 4)
        decide_all(d, 4, 1, out);
    else if (d->vertices == 8)
        decide_all(d, 8, 1, out);
    else
        decide_all(d, (int)d->vertices, 1, out);
    const unsigned asked = (1u << d->pairs) - 1;
    out->apart &= asked;
    out->overlapping &= asked;
}
