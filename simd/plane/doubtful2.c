/* Separating axes of pairs that touch, in lanes of double: compiled once per backend, for both precisions. The
 * frame is that of simd/plane/tile2.h, the rule that of fallback2.c, which serves what is left. */
#include "simd/plane/doubtful2.h"

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

/* Gaps along the edge normals of `core`, which is A, or with `exchanged` B. Lengths are compared by squares,
 * without a root and a quotient for each edge. An edge without length is no axis. */
LANE_FN void try_edges(const core2 *core, const core2 *other, int n, int exchanged, axis2 *best)
{
    for (int i = 0; i < n; i++) {
        const int j = i + 1 == n ? 0 : i + 1;
        const vr nx = v_sub(core->y[j], core->y[i]), ny = v_sub(core->x[i], core->x[j]);
        const vr square = v_dot(nx, ny, nx, ny);
        const vr gap = v_sub(lowest(other, n, nx, ny), v_dot(nx, ny, core->x[i], core->y[i]));
        const vr power = signed_square(gap);
        const vm more = v_gt(v_mul(power, best->square), v_mul(best->power, square));
        const vm wider = m_and(v_gt(square, v_set(0x1p-400)), more);
        best->x = v_sel(wider, exchanged ? v_neg(nx) : nx, best->x);
        best->y = v_sel(wider, exchanged ? v_neg(ny) : ny, best->y);
        best->power = v_sel(wider, power, best->power);
        best->square = v_sel(wider, square, best->square);
    }
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
    try_edges(&p.a, &p.b, n, 0, &best);
    try_edges(&p.b, &p.a, n, 1, &best);
    const vm found = m_and(sound, v_gt(best.square, v_set(0)));
    const vr by_length = v_div(v_set(1), v_sqrt(v_sel(found, best.square, v_set(1))));
    const vr nx = v_mul(best.x, by_length), ny = v_mul(best.y, by_length);
    const feature2 top = feature(&p.a, n, nx, ny, 0), bottom = feature(&p.b, n, nx, ny, 1);
    const vr gap = v_sub(bottom.height, top.height);
    const vr low = v_max(top.low, bottom.low), high = v_min(top.high, bottom.high);
    /* Features that share nothing: the axis is a neighbour of the right one, or corners are nearest. */
    const vm shared = v_le(low, v_add(high, v_set(TOUCH)));
    const vm apart = m_and(found, v_gt(gap, v_set(8 * TOUCH)));
    const vm over = m_and(m_and(found, shared), v_le(gap, v_set(TOUCH)));
    out->apart |= m_bits(apart) << first;
    out->overlapping |= m_bits(over) << first;
    if (d->signs_only)
        return;
    const vr sigma = v_min(gap, v_set(0)), middle = v_mul(v_set(0.5), v_add(low, high));
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
