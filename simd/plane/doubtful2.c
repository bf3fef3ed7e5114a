/* Separating axes of pairs that touch, in lanes of double: compiled once per backend, for both precisions. The frame is
 * that of simd/plane/tile2.h, the rule that of fallback2.c, which serves what is left. */
#include "simd/plane/doubtful2.h"

/* In the frame: a gap within a few roundings of the transform is none. */
#define TOUCH 0x1p-51

/* A core's vertices. */
typedef struct core2 {
    vr x[DOUBTFUL_VERTICES], y[DOUBTFUL_VERTICES];
} core2;

typedef struct pairs2 {
    core2 a, b;
    int n;
    vr grain, rho2, a_c, a_s;
} pairs2;

/* The axis of the largest gap so far, of any length but 0. */
typedef struct axis2 {
    vr x, y, gap, square; /* from A to B; gap times length; length squared */
} axis2;

LANE_FN void load_vertices(const doubtful2 *d, const double (*rows)[DOUBTFUL_VERTICES], unsigned first, int at,
                           vr out[4])
{
    load_rows(&rows[0][at], DOUBTFUL_VERTICES, first, d->pairs, out);
}

/* Returns the lanes whose frame is defined. */
LANE_FN vm pack(const doubtful2 *d, unsigned first, pairs2 *p)
{
    vr pa[4], pb[4], x[4], y[4];
    load_rows(d->pose_a[0], 4, first, d->pairs, pa);
    load_rows(d->pose_b[0], 4, first, d->pairs, pb);
    const vr dx = v_sub(pb[0], pa[0]), dy = v_sub(pb[1], pa[1]);
    const vr tx = v_dot(pa[2], pa[3], dx, dy), ty = v_cross(pa[2], pa[3], dx, dy);
    vr size = v_add(v_load(d->extent + first), v_add(v_abs(tx), v_abs(ty)));
    vm sound = m_and(v_gt(size, v_set(16 * DBL_MIN)), v_lt(size, v_set(DBL_MAX / 16)));
    size = v_sel(sound, size, v_set(1));
    p->grain = v_pow2_floor(size);
    p->a_c = pa[2];
    p->a_s = pa[3];
    p->rho2 = v_dot(pa[2], pa[3], pa[2], pa[3]);
    p->n = (int)d->vertices;
    const vr scale = v_div(v_set(1), p->grain), by = v_mul(p->rho2, scale);
    const vr c = v_mul(v_dot(pa[2], pa[3], pb[2], pb[3]), scale), s = v_mul(v_cross(pa[2], pa[3], pb[2], pb[3]), scale);
    const vr mx = v_mul(tx, scale), my = v_mul(ty, scale);
    int i = 0;
    do {
        load_vertices(d, d->x_a, first, i, x);
        load_vertices(d, d->y_a, first, i, y);
        for (int k = 0; k < 4; k++) {
            p->a.x[i + k] = v_mul(by, x[k]);
            p->a.y[i + k] = v_mul(by, y[k]);
        }
        load_vertices(d, d->x_b, first, i, x);
        load_vertices(d, d->y_b, first, i, y);
        for (int k = 0; k < 4; k++) {
            p->b.x[i + k] = v_add(v_cross(c, s, y[k], x[k]), mx);
            p->b.y[i + k] = v_add(v_dot(s, c, x[k], y[k]), my);
        }
    } while ((i += 4) < p->n);
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

/* Gaps along the edge normals of `core`, which is A, or with `exchanged` B. Lengths are compared by squares, without a
 * root and a quotient for each edge. An edge without length is no axis. */
LANE_FN void try_edges(const core2 *core, const core2 *other, int n, int exchanged, axis2 *best)
{
    for (int i = 0; i < n; i++) {
        const int j = i + 1 == n ? 0 : i + 1;
        const vr nx = v_sub(core->y[j], core->y[i]), ny = v_sub(core->x[i], core->x[j]);
        const vr square = v_dot(nx, ny, nx, ny);
        const vr gap = v_sub(lowest(other, n, nx, ny), v_dot(nx, ny, core->x[i], core->y[i]));
        const vr mine = v_mul(signed_square(gap), best->square), had = v_mul(signed_square(best->gap), square);
        vm wider = m_and(v_gt(square, v_set(0x1p-400)), v_gt(mine, had));
        best->x = v_sel(wider, exchanged ? v_neg(nx) : nx, best->x);
        best->y = v_sel(wider, exchanged ? v_neg(ny) : ny, best->y);
        best->gap = v_sel(wider, gap, best->gap);
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

/* The same arithmetic as fallback_to_world: frame to world, for a point and for a normal. */
LANE_FN void turned(const pairs2 *p, vr by, vr x, vr y, double *wx, double *wy)
{
    v_store(wx, v_mul(by, v_cross(p->a_c, p->a_s, y, x)));
    v_store(wy, v_mul(by, v_dot(p->a_s, p->a_c, x, y)));
}

LANE_FN void decide(const doubtful2 *d, unsigned first, decided2 *out)
{
    pairs2 p;
    const vm sound = pack(d, first, &p);
    axis2 best = {v_set(1), v_set(0), v_set(-1), v_set(0)};
    try_edges(&p.a, &p.b, p.n, 0, &best);
    try_edges(&p.b, &p.a, p.n, 1, &best);
    const vm found = m_and(sound, v_gt(best.square, v_set(0)));
    const vr by_length = v_div(v_set(1), v_sqrt(v_sel(found, best.square, v_set(1))));
    const vr nx = v_mul(best.x, by_length), ny = v_mul(best.y, by_length);
    const feature2 top = feature(&p.a, p.n, nx, ny, 0), bottom = feature(&p.b, p.n, nx, ny, 1);
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
    v_store(out->sigma + first, v_mul(v_mul(sigma, p.grain), by_normal));
    turned(&p, by_normal, nx, ny, out->normal[0] + first, out->normal[1] + first);
    turned(&p, by_point, px, py, out->a[0] + first, out->a[1] + first);
    turned(&p, by_point, v_add(px, v_mul(nx, sigma)), v_add(py, v_mul(ny, sigma)), out->b[0] + first,
           out->b[1] + first);
}

doubtful2_fn DOUBTFUL_NAME(2);

void DOUBTFUL_NAME(2)(const doubtful2 *d, decided2 *out)
{
    out->apart = out->overlapping = 0;
    for (unsigned first = 0; first < d->pairs; first += LANES)
        decide(d, first, out);
    const unsigned asked = (1u << d->pairs) - 1;
    out->apart &= asked;
    out->overlapping &= asked;
}
