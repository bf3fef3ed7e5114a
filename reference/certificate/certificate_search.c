/* GJK and support mappings in long double that look for the parts of a certificate. */
#include "reference/certificate/certificate_search.h"

#include <string.h>

#include "reference/certificate/certificate_grid.h"
#include "reference/methods/frame3.h"

static void open_side(ref_made_side *side, const gjb_pair *pair, int of_b)
{
    if (pair->dim == 2) {
        const gjb_body2 *body = of_b ? &pair->as.plane.b : &pair->as.plane.a;
        const gjb_pose2d *a = &pair->as.plane.a.pose, *at = &body->pose;
        *side = (ref_made_side){.kind = body->kind,
                                .count = body->count,
                                .rows = &body->vertices[0][0],
                                .radius = body->radius,
                                .turn = {{at->c, -at->s}, {at->s, at->c}},
                                .offset = {(ref_real)at->x - a->x, (ref_real)at->y - a->y}};
    } else {
        const gjb_body3 *body = of_b ? &pair->as.space.b : &pair->as.space.a;
        const gjb_pose3d *a = &pair->as.space.a.pose, *at = &body->pose;
        *side = (ref_made_side){
            .kind = body->kind,
            .count = body->count,
            .rows = &body->vertices[0][0],
            .radius = body->radius,
            .offset = {(ref_real)at->x - a->x, (ref_real)at->y - a->y, (ref_real)at->z - a->z}};
        ref_rotation3(at, side->turn);
    }
    side->curved = gjb_is_curved(side->kind);
}

void ref_maker_open(ref_maker *m, const gjb_pair *pair)
{
    m->dim = pair->dim;
    m->size = gjb_pair_size(pair);
    open_side(&m->side[0], pair, 0);
    open_side(&m->side[1], pair, 1);
}

/* The point of |x/a|^p + ... <= 1 farthest along n, p > 1: x_i = a_i sign(n_i) rho_i / |rho|_p, rho_i the
 * (p-1)-th root of |a_i n_i|. */
static void along_powers(uint32_t dim, const double *semi, double p, const ref_real n[3], ref_real x[3])
{
    ref_real most = 0, sum = 0, rho[3] = {0};
    for (uint32_t k = 0; k < dim; k++)
        most = fmaxl(most, fabsl(semi[k] * n[k]));
    for (uint32_t k = 0; k < dim && most > 0; k++) {
        const ref_real t = fabsl(semi[k] * n[k]) / most;
        rho[k] = p > 1 ? powl(t, 1 / ((ref_real)p - 1)) : t == 1 && sum == 0;
        sum += powl(rho[k], p);
    }
    for (uint32_t k = 0; k < dim; k++)
        x[k] = most > 0 ? semi[k] * copysignl(rho[k], n[k]) * powl(sum, -1 / (ref_real)p) : 0;
}

static void along_curve(const ref_made_side *side, uint32_t dim, const ref_real n[3], ref_real x[3])
{
    const double *row = side->rows;
    const ref_real across = hypotl(n[0], n[1]);
    memset(x, 0, 3 * sizeof *x);
    switch (side->kind) {
    case GJB_SUPERELLIPSE:
    case GJB_SUPERELLIPSOID:
        along_powers(dim, row, row[dim], n, x);
        break;
    case GJB_CYLINDER:
    case GJB_CONE:
        if (side->kind == GJB_CONE && n[2] * row[1] >= row[0] * across - n[2] * row[1]) {
            x[2] = row[1];
            break;
        }
        for (int k = 0; k < 2; k++)
            x[k] = across > 0 ? row[0] * n[k] / across : 0;
        x[2] = side->kind == GJB_CONE || n[2] < 0 ? -(ref_real)row[1] : row[1];
        break;
    default:
        along_powers(dim, row, 2, n, x);
    }
}

/* Rounded, and drawn in towards the middle until it is surely inside. */
static void settle(const ref_made_side *side, uint32_t dim, const ref_real x[3], double local[3])
{
    ref_real in = 0;
    for (int tries = 0; tries < 40; tries++) {
        for (uint32_t k = 0; k < 3; k++)
            local[k] = k < dim ? (double)(x[k] * (1 - in)) : 0;
        if (ref_cert_inside(side->kind, dim, side->rows, local))
            return;
        in = in > 0 ? 2 * in : 0x1p-53L;
    }
    memset(local, 0, 3 * sizeof *local);
}

/* Greatest n.x over a core: its place, and what it is. */
static void support(const ref_maker *m, int s, const ref_real n[3], ref_made_corner *corner,
                    ref_real place[3])
{
    const ref_made_side *side = &m->side[s];
    ref_real local[3] = {0}, x[3] = {0};
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            local[c] += side->turn[r][c] * n[r];
    if (side->curved) {
        along_curve(side, m->dim, local, x);
        settle(side, m->dim, x, corner->local[s]);
        for (int k = 0; k < 3; k++)
            x[k] = corner->local[s][k];
    } else {
        ref_real most = -HUGE_VALL;
        for (uint32_t k = 0; k < side->count; k++) {
            const double *v = side->rows + (size_t)m->dim * k;
            const ref_real along = local[0] * v[0] + local[1] * v[1] + (m->dim == 3 ? local[2] * v[2] : 0);
            if (along > most) {
                most = along;
                corner->index[s] = k;
            }
        }
        for (uint32_t k = 0; k < m->dim; k++)
            x[k] = side->rows[(size_t)m->dim * corner->index[s] + k];
    }
    for (int r = 0; r < 3; r++)
        place[r] =
            side->turn[r][0] * x[0] + side->turn[r][1] * x[1] + side->turn[r][2] * x[2] + side->offset[r];
}

ref_made_corner ref_made_support(const ref_maker *m, int of, const ref_real target[3], const ref_real n[3])
{
    const ref_real back[3] = {-n[0], -n[1], -n[2]};
    ref_real a[3], b[3];
    ref_made_corner corner = {0};
    if (of >= 0) {
        support(m, of, back, &corner, a);
        for (int k = 0; k < 3; k++)
            corner.w[k] = a[k] - target[k];
        return corner;
    }
    support(m, 0, n, &corner, a);
    support(m, 1, back, &corner, b);
    for (int k = 0; k < 3; k++)
        corner.w[k] = b[k] - a[k];
    return corner;
}

enum { ROUNDS = 400 };

/* Of the vertices of a tetrahedron that holds the origin: the volumes about it that leave each out. */
static void weigh(const ref_real w[4][3], ref_real weight[4])
{
    ref_real sum = 0;
    for (int k = 0; k < 4; k++) {
        ref_real n[3];
        ref_cross(n, w[k <= 1 ? 2 : 1], w[k <= 2 ? 3 : 2]);
        weight[k] = fabsl(ref_inner(n, w[k == 0]));
        sum += weight[k];
    }
    for (int k = 0; k < 4; k++)
        weight[k] = sum > 0 ? weight[k] / sum : 0.25L;
}

/* Distance of the weighted point from the origin, as it comes out. */
static ref_real residue(const ref_real w[4][3], int count, const ref_real weight[4])
{
    ref_real sum[3] = {0};
    for (int k = 0; k < count; k++)
        for (int m = 0; m < 3; m++)
            sum[m] += weight[k] * w[k][m];
    return sqrtl(ref_inner(sum, sum));
}

/* Of a tetrahedron that seems to hold the origin and is thin, volumes say little: the nearest point of a
 * face may do better. */
static void weigh_best(const ref_real w[4][3], ref_real weight[4])
{
    weigh(w, weight);
    ref_real least = residue(w, 4, weight);
    for (int out = 0; out < 4; out++) {
        ref_real face[3][3], other[4] = {0};
        for (int k = 0; k < 3; k++)
            memcpy(face[k], w[k + (k >= out)], sizeof face[k]);
        const ref_nearest3l at = ref_nearest_simplex3l((const ref_real(*)[3])face, 3, 0);
        for (int k = 0; k < 3; k++)
            other[k + (k >= out)] = at.weight[k];
        const ref_real found = residue(w, 4, other);
        if (found < least) {
            least = found;
            memcpy(weight, other, sizeof other);
        }
    }
}

void ref_made_approach(const ref_maker *m, int of, const ref_real target[3], const ref_real from[3],
                       ref_made_nearest *out)
{
    ref_real n[3] = {from[0], from[1], from[2]}, lower = -HUGE_VALL;
    const ref_real met = 0x1p-62L * m->size;
    *out = (ref_made_nearest){.distance = HUGE_VALL};
    if (!(ref_unit(n, n) > 0))
        n[0] = 1;
    for (int round = 0; round < ROUNDS; round++) {
        const ref_made_corner found = ref_made_support(m, of, target, n);
        ref_made_nearest next = *out;
        ref_real w[4][3];
        lower = fmaxl(lower, ref_inner(n, found.w));
        if (round && out->distance - lower <= met)
            return;
        next.simplex[next.count++] = found;
        for (int k = 0; k < next.count; k++)
            memcpy(w[k], next.simplex[k].w, sizeof w[k]);
        ref_nearest3l at = ref_nearest_simplex3l((const ref_real(*)[3])w, next.count, 0);
        if (at.count == 4) {
            weigh_best((const ref_real(*)[3])w, at.weight);
            at.distance = 0;
        }
        int kept = 0;
        for (int k = 0; k < next.count; k++) {
            if (at.weight[k] > 0) {
                next.simplex[kept] = next.simplex[k];
                next.weight[kept++] = at.weight[k];
            }
        }
        next.count = kept;
        next.distance = at.distance;
        next.holds = at.count == 4 || at.distance <= met;
        if (!kept || !(at.distance < out->distance))
            return;
        *out = next;
        if (next.holds)
            return;
        memcpy(n, at.normal, sizeof n);
        if (!(ref_unit(n, n) > 0))
            return;
    }
}
