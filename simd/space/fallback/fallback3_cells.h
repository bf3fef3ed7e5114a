/* Directions of one pair with a curved shape, one in each lane: cells of a cube around the origin, and
 * bounds of D along them.
 *
 * The gap along u is the distance of D from the origin along it: negative in overlap, and its largest value
 * is minus the depth. A point s of D bounds it from above by u.s / |u|. Over a cell that is largest at a
 * corner if it is negative there (a positive linear function over a convex one is quasi-concave). The cube is
 * that of D made round: the depths of a needle all lie in a narrow band of directions.
 *
 * A level is one set: its cells and their results depend neither on lanes nor on the order of the search. */
#ifndef GJB_SIMD_FALLBACK3_CELLS_H
#define GJB_SIMD_FALLBACK3_CELLS_H

#include <stdlib.h>

#include "simd/space/curve3.h"
#include "simd/space/fallback/fallback3_ball.h"
#include "simd/space/fallback/fallback3_support.h"

enum { MOST_CELLS = 16384, FIRST_SPLIT = 2 };
/* D counts as no thinner than the root of this. */
#define THINNEST_SQUARED 0x1p-30

/* Cells of half width `half` about (u, v) of a face, which is 2 * axis + (1 for the negative side). */
typedef struct cells {
    real u[MOST_CELLS + 16], v[MOST_CELLS + 16], face[MOST_CELLS + 16];
    real next_u[MOST_CELLS + 16], next_v[MOST_CELLS + 16], next_face[MOST_CELLS + 16];
    real gap[MOST_CELLS + 16], s[3][MOST_CELLS + 16], other[3][MOST_CELLS + 16];
    uint32_t count;
    real half;
} cells;

/* The pair, the same in every lane. */
typedef struct lane_problem {
    curve3 a, b;
    const problem *p;
    m3 turn;
    v3 shift;
    mat3 round; /* directions of cells to those of D: the rounded D is about as long along all */
    m3 rounds;  /* the same in lanes */
    real roll;  /* a ball of this radius rolls inside D */
} lane_problem;

static v3 v3_same(vec3 v)
{
    return v3_set((real)v.x, (real)v.y, (real)v.z);
}

static void same_curve(curve3 *out, const fallback_curve *c)
{
    unsigned curve[LANES];
    for (unsigned l = 0; l < LANES; l++)
        curve[l] = c->curve;
    set_curves(out, curve);
    out->size = v3_same(c->size);
    const double slope = c->curve == CURVE_SUPER ? fmin(1 / (c->p - 1), CURVE_STEEPEST) : 0;
    out->slope = v_set((real)slope);
    out->inverse = v_set((real)(c->curve == CURVE_SUPER ? 1 / c->p : 0));
}

/* Adds the squared lengths of a shape along perpendicular axes. */
static void add_lengths(double square[3][3], vec3 axis, double weight)
{
    const double v[3] = {axis.x, axis.y, axis.z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            square[r][c] += weight * v[r] * v[c];
}

static void add_curve(double square[3][3], const fallback_curve *c, const mat3 *turn)
{
    const int lined = c->curve == CURVE_CYLINDER || c->curve == CURVE_CONE;
    const double lengths[3] = {c->size.x, lined ? c->size.x : c->size.y, lined ? c->size.y : c->size.z};
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        const vec3 axis = {e[0], e[1], e[2]};
        add_lengths(square, turn ? turn3(turn, axis) : axis, lengths[k] * lengths[k]);
    }
}

static void add_cloud(double square[3][3], const hull3 *c, double scale, const mat3 *turn)
{
    vec3 middle = {0, 0, 0};
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < c->count; i++) {
            const real *p = vertex_of(c, i);
            const vec3 v = mul3((vec3){(double)p[0], (double)p[c->group], (double)p[2 * c->group]}, scale);
            const vec3 off = sub3(v, middle);
            if (pass)
                add_lengths(square, turn ? turn3(turn, off) : off, 3.0 / c->count);
            else
                middle = add3(middle, mul3(v, 1.0 / c->count));
        }
    }
}

/* From the directions of D made round to those of D. Its lengths are those of an ellipsoid with the matrix
 * C C' (Cholesky), whose support mapping C' turns into that of a ball. */
static mat3 rounding_of(const problem *p)
{
    double s[3][3] = {{0}};
    p->curve_a.curve ? add_curve(s, &p->curve_a, NULL) : add_cloud(s, &p->a, p->scale, NULL);
    p->curve_b.curve ? add_curve(s, &p->curve_b, &p->turn) : add_cloud(s, &p->b, p->scale, &p->turn);
    const double least = THINNEST_SQUARED * (s[0][0] + s[1][1] + s[2][2]) + 0x1p-100;
    const double c0 = sqrt(s[0][0] + least), c10 = s[1][0] / c0, c20 = s[2][0] / c0;
    const double c1 = sqrt(fmax(s[1][1] - c10 * c10, 0) + least), c21 = (s[2][1] - c20 * c10) / c1;
    const double c2 = sqrt(fmax(s[2][2] - c20 * c20 - c21 * c21, 0) + least);
    const double by = fmin(fmin(c0, c1), c2), i0 = by / c0, i1 = by / c1, i2 = by / c2;
    return (mat3){{{i0, -c10 / c1 * i0, (c10 * c21 / c1 - c20) / c2 * i0}, {0, i1, -c21 / c2 * i1}, {0, 0, i2}}};
}

static void open_lanes(lane_problem *q, const problem *p)
{
    q->p = p;
    same_curve(&q->a, &p->curve_a);
    same_curve(&q->b, &p->curve_b);
    q->round = rounding_of(p);
    for (int k = 0; k < 3; k++) {
        q->turn.row[k] = v3_same(p->turn.row[k]);
        q->rounds.row[k] = v3_same(q->round.row[k]);
    }
    q->shift = v3_same(p->shift);
    q->roll = (real)(ROLLS * (rolling_radius(&p->curve_a) + rolling_radius(&p->curve_b)));
}

/* The vertex farthest along d, for each lane's d. */
static v3 extreme_of_cloud(const hull3 *c, double scale, v3 d)
{
    v3 best = v3_set(0, 0, 0);
    vr reach = v_set(-REAL_MAX);
    for (uint32_t i = 0; i < c->count; i++) {
        const real *p = vertex_of(c, i);
        const v3 v = v3_set(p[0] * (real)scale, p[c->group] * (real)scale, p[2 * c->group] * (real)scale);
        const vr here = v3_dot(v, d);
        const vm later = v_gt(here, reach);
        best = v3_sel(later, v, best);
        reach = v_max(here, reach);
    }
    return best;
}

/* The point of D least along d. */
static v3 lane_support(const lane_problem *q, v3 d)
{
    const problem *p = q->p;
    const v3 back = v3_neg(m3_turn_back(&q->turn, d));
    const v3 a = p->curve_a.curve ? extreme_of_curve(&q->a, d) : extreme_of_cloud(&p->a, p->scale, d);
    const v3 b = p->curve_b.curve ? extreme_of_curve(&q->b, back) : extreme_of_cloud(&p->b, p->scale, back);
    return v3_sub(v3_add(m3_turn(&q->turn, b), q->shift), a);
}

/* Which axis a cell's face is across, and on which side. */
typedef struct lane_faces {
    vm x, z;
    vr sign;
} lane_faces;

static lane_faces faces_of(vr face)
{
    const vm x = v_lt(face, v_set(2)), z = v_ge(face, v_set(4)); /* sides of x: 0 and 1, of y: 2 and 3, of z: 4 and 5 */
    const vr side = v_sub(face, v_sel(x, v_set(0), v_sel(z, v_set(4), v_set(2))));
    return (lane_faces){x, z, v_sub(v_set(1), v_add(side, side))};
}

/* (across, u, v) of a face to x, y, z: u is the first other axis and v the second. */
static v3 from_face(const lane_faces *f, vr across, vr u, vr v)
{
    return (v3){v_sel(f->x, across, u), v_sel(f->x, u, v_sel(f->z, v, across)), v_sel(f->z, across, v)};
}

static v3 cell_direction(const lane_problem *q, const lane_faces *f, vr u, vr v)
{
    const v3 d = m3_turn(&q->rounds, from_face(f, f->sign, u, v));
    return v3_mul(d, v_div(v_set(1), v_sqrt(v3_dot(d, d))));
}

/* The bounds by two points of D at the corners of each cell. */
typedef struct corner_gaps {
    vr of_p[4], of_q[4];
} corner_gaps;

/* Nearly the least bound by a point between p and q, which is the largest value at a corner. The worst corner
 * for p and the worst for q are equal at some share; a third corner that is worse there replaces one. */
static vr least_between(const corner_gaps *g)
{
    const vr zero = v_set(0), one = v_set(1);
    vr p1 = g->of_p[0], q1 = g->of_q[0], p2 = p1, q2 = q1;
    for (int k = 1; k < 4; k++) {
        const vm worse_p = v_gt(g->of_p[k], p1), worse_q = v_gt(g->of_q[k], q2);
        p1 = v_sel(worse_p, g->of_p[k], p1);
        q1 = v_sel(worse_p, g->of_q[k], q1);
        p2 = v_sel(worse_q, g->of_p[k], p2);
        q2 = v_sel(worse_q, g->of_q[k], q2);
    }
    vr least = v_min(p1, q2);
    for (int round = 0; round < 2; round++) {
        const vr more = v_sub(q2, q1), both = v_add(v_sub(p1, p2), more);
        const vr share = v_max(zero, v_min(one, v_div(more, v_sel(v_gt(both, zero), both, one)))), rest = v_sub(one, share);
        vr most = v_set(-REAL_MAX), p = p1, q = q1;
        for (int k = 0; k < 4; k++) {
            const vr here = v_add(v_mul(share, g->of_p[k]), v_mul(rest, g->of_q[k]));
            const vm worse = v_gt(here, most);
            most = v_max(here, most);
            p = v_sel(worse, g->of_p[k], p);
            q = v_sel(worse, g->of_q[k], q);
        }
        const vm by_p = v_gt(p, q);
        p1 = v_sel(by_p, p, p1);
        q1 = v_sel(by_p, q, q1);
        p2 = v_sel(by_p, p2, p);
        q2 = v_sel(by_p, q2, q);
        least = v_min(most, least);
    }
    return least;
}

/* Upper bound of the gap over each cell, by points of D less the ball that rolls inside it: the cell's own
 * and a neighbour's, which on a ridge are the ends of the feature with the nearest point, and the best. */
static vr cell_bound(const lane_problem *q, const lane_faces *f, vr u, vr v, vr half, v3 own, v3 other, v3 best)
{
    const vr zero = v_set(0);
    const v3 middle = cell_direction(q, f, u, v);
    corner_gaps g;
    vr far = v_set(-REAL_MAX), narrow = v_set(1);
    for (int k = 0; k < 4; k++) {
        const vr cu = k & 1 ? v_add(u, half) : v_sub(u, half), cv = k & 2 ? v_add(v, half) : v_sub(v, half);
        const v3 d = m3_turn(&q->rounds, from_face(f, f->sign, cu, cv));
        const vr by = v_div(v_set(1), v_sqrt(v3_dot(d, d)));
        g.of_p[k] = v_mul(v3_dot(d, own), by);
        g.of_q[k] = v_mul(v3_dot(d, other), by);
        far = v_max(v_mul(v3_dot(d, best), by), far);
        narrow = v_min(v_mul(v3_dot(d, middle), by), narrow);
    }
    /* If the bound is positive, as when the ball is larger than the depth, it is larger inside the
     * cell: at most the point's length, and at most by the factor that a mix of corners is shorter than
     * they are. */
    const vr wide = v_sel(v_gt(narrow, v_set(0.125f)), v_div(v_set(1), narrow), v_set(REAL_MAX)), near = least_between(&g);
    const vr near_ahead = v_min(v_mul(near, wide), v_sqrt(v_max(v3_dot(own, own), v3_dot(other, other))));
    const vr far_ahead = v_min(v_mul(far, wide), v_sqrt(v3_dot(best, best)));
    const vr near_most = v_sel(v_gt(near, zero), near_ahead, near), far_most = v_sel(v_gt(far, zero), far_ahead, far);
    return v_sub(v_min(near_most, far_most), v_set(q->roll));
}

static void look_at_cells(const lane_problem *q, cells *c)
{
    for (uint32_t i = 0; i < c->count; i += LANES) {
        const lane_faces f = faces_of(v_load(c->face + i));
        const vr u = v_load(c->u + i), v = v_load(c->v + i);
        const v3 d = cell_direction(q, &f, u, v);
        const v3 s = lane_support(q, d);
        const v3 within = v3_add(s, v3_mul(d, v_set(q->roll)));
        v_store(c->gap + i, v3_dot(d, s));
        v_store(c->s[0] + i, within.x);
        v_store(c->s[1] + i, within.y);
        v_store(c->s[2] + i, within.z);
    }
}

/* Gives each quarter of a cell that point of the other quarters which is farthest from its own. */
static void meet_neighbours(cells *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t first = i & ~3u;
        uint32_t farthest = first;
        real most = -1;
        for (uint32_t j = first; j < first + 4; j++) {
            const real x = c->s[0][j] - c->s[0][i], y = c->s[1][j] - c->s[1][i], z = c->s[2][j] - c->s[2][i];
            const real far = x * x + y * y + z * z;
            farthest = far > most ? j : farthest;
            most = far > most ? far : most;
        }
        for (int k = 0; k < 3; k++)
            c->other[k][i] = c->s[k][farthest];
    }
}

static uint32_t best_cell(const cells *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->count; i++)
        if (c->gap[i] > c->gap[best])
            best = i;
    return best;
}

static vec3 unit_of(vec3 d)
{
    return mul3(d, 1 / sqrt(dot3(d, d)));
}

static vec3 on_cube(const cells *c, uint32_t i)
{
    const int axis = (int)c->face[i] / 2;
    const double sign = (int)c->face[i] % 2 ? -1 : 1, u = (double)c->u[i], v = (double)c->v[i];
    return axis == 0 ? (vec3){sign, u, v} : axis == 1 ? (vec3){u, sign, v} : (vec3){u, v, sign};
}

/* The middle of a cell: in the frame, and of D made round. */
static vec3 direction_of(const lane_problem *q, const cells *c, uint32_t i)
{
    return unit_of(turn3(&q->round, on_cube(c, i)));
}

static vec3 round_direction_of(const cells *c, uint32_t i)
{
    return unit_of(on_cube(c, i));
}

/* The direction of D made round for one in the frame; `round` is upper triangular. */
static vec3 made_round(const lane_problem *q, vec3 d)
{
    const vec3 *row = q->round.row;
    const double z = d.z / row[2].z, y = (d.y - row[1].z * z) / row[1].y;
    return unit_of((vec3){(d.x - row[0].y * y - row[0].z * z) / row[0].x, y, z});
}

static void put_cell(cells *c, uint32_t at, real u, real v, real face)
{
    c->next_u[at] = u;
    c->next_v[at] = v;
    c->next_face[at] = face;
}

/* Replaces the gap of each cell by its upper bound: by its own support, a neighbour's, and `best`, another
 * point of D less the ball. */
static void bound_cells(const lane_problem *q, cells *c, vec3 best)
{
    const v3 known = v3_same(best);
    meet_neighbours(c);
    for (uint32_t i = 0; i < c->count; i += LANES) {
        const lane_faces f = faces_of(v_load(c->face + i));
        const v3 own = {v_load(c->s[0] + i), v_load(c->s[1] + i), v_load(c->s[2] + i)};
        const v3 other = {v_load(c->other[0] + i), v_load(c->other[1] + i), v_load(c->other[2] + i)};
        v_store(c->gap + i, cell_bound(q, &f, v_load(c->u + i), v_load(c->v + i), v_set(c->half), own, other, known));
    }
}

/* Element `n` in descending order: Hoare's FIND (1961). Reorders `v`. */
static real nth_largest(real *v, uint32_t count, uint32_t n)
{
    int32_t from = 0, to = (int32_t)count - 1;
    const int32_t at = (int32_t)n;
    while (from < to) {
        const real pivot = v[from + (to - from) / 2];
        int32_t i = from, j = to;
        while (i <= j) {
            while (v[i] > pivot)
                i++;
            while (v[j] < pivot)
                j--;
            if (i <= j) {
                const real other = v[i];
                v[i++] = v[j];
                v[j--] = other;
            }
        }
        if (at > j && at < i)
            break;
        from = at >= i ? i : from;
        to = at <= j ? j : to;
    }
    return v[n];
}

/* The bar, raised so that at most `most` bounds are above it. */
static real raised_bar(cells *c, real bar, uint32_t most)
{
    uint32_t above = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->gap[i] > bar)
            c->next_u[above++] = c->gap[i];
    if (above <= most)
        return bar;
    return nth_largest(c->next_u, above, most);
}

/* The quarters of cells whose bound is above the bar; their number. */
static uint32_t quarter_cells(cells *c, real bar)
{
    uint32_t count = 0;
    const real half = c->half / 2;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t part = 0; part < 4 && c->gap[i] > bar; part++)
            put_cell(c, count++, c->u[i] + (part & 1 ? half : -half), c->v[i] + (part & 2 ? half : -half), c->face[i]);
    return count;
}

static void take_quarters(cells *c, uint32_t count)
{
    memcpy(c->u, c->next_u, count * sizeof *c->u);
    memcpy(c->v, c->next_v, count * sizeof *c->v);
    memcpy(c->face, c->next_face, count * sizeof *c->face);
    c->count = count;
    c->half /= 2;
    for (uint32_t i = count; i < count + 16; i++) { /* lanes after the last read on */
        c->u[i] = c->v[i] = 0;
        c->face[i] = 0;
    }
}

static void first_cells(cells *c)
{
    uint32_t count = 0;
    c->half = (real)2 / FIRST_SPLIT; /* quartered once */
    for (int face = 0; face < 6; face++)
        for (int i = 0; i < FIRST_SPLIT * FIRST_SPLIT; i++)
            put_cell(c, count++, (real)(2 * (i % FIRST_SPLIT) + 1) / FIRST_SPLIT - 1,
                     (real)(2 * (i / FIRST_SPLIT) + 1) / FIRST_SPLIT - 1, (real)face);
    take_quarters(c, count);
}

#endif
