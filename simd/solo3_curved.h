/* The depth of one pair of which a shape is curved: the least, over all directions, of the
 * support of D, by branch and bound, every direction of a level in a lane.
 *
 * Directions are cells of a cube around the origin. A point s of D bounds the support along any
 * u from below by u.s / |u|, which over a cell is least at a corner where it is positive there
 * (a positive linear function over a convex one is quasi-concave). The cell's own support point
 * is such an s, and so is that of the best direction so far: near a local minimum n of depth d
 * it is d n, so that what is within an angle t of n is no shallower than d cos(t). Cells that
 * cannot hold less than the best are dropped, others quartered. The best is bettered in double:
 * D is moved out along its direction until it clears the origin, and the axis of the distance
 * (GJK) is a direction at least as good.
 *
 * A level is one set: which cells it has, and what they yield, depends neither on lanes nor on
 * the order in which they are looked at. */
#ifndef GJB_SIMD_SOLO3_CURVED_H
#define GJB_SIMD_SOLO3_CURVED_H

#include <stdlib.h>

#include "simd/curve3.h"
#include "simd/solo3_gjk.h"

enum { RIDGE_LOOKS = 64, RIDGE_TRIES = 4 };
#define RIDGE_COSINE 0.99518472667219688624 /* of a turn's 64th part */
#define RIDGE_SINE 0.098017140329560601994
enum { MOST_CELLS = 2048, FEW_CELLS = 128, MOST_LEVELS = 40, MOST_SEEN = 1 << 14, FIRST_SPLIT = 2, BETTERINGS = 48 };

/* What is given away: no direction is shallower by more than this. */
#define CURVED_DOUBT (24 * (double)REAL_EPSILON)
#define CURVED_MET (32 * (double)REAL_EPSILON)
/* D is taken to be no thinner than the root of this. */
#define THINNEST_SQUARED 0x1p-30
/* Points so far off fit. */
#define CURVED_FIT (GJB_BITS == 32 ? (double)REAL_EPSILON : 8 * ROUNDING)

/* Cells of half width `half` about (u, v) of a face, 2 * axis + (is it the negative one). */
typedef struct cells {
    real u[MOST_CELLS + 16], v[MOST_CELLS + 16], face[MOST_CELLS + 16];
    real next_u[MOST_CELLS + 16], next_v[MOST_CELLS + 16], next_face[MOST_CELLS + 16];
    real gap[MOST_CELLS + 16], s[3][MOST_CELLS + 16];
    uint32_t count;
    real half;
} cells;

/* The pair, the same in every lane. */
typedef struct lane_problem {
    curve3 a, b;
    const problem *p;
    m3 turn;
    v3 shift;
    mat3 round; /* cells' directions to D's: what they are of, D would be about as long along all */
    m3 rounds;  /* the same in lanes */
} lane_problem;

static v3 v3_same(vec3 v)
{
    return v3_set((real)v.x, (real)v.y, (real)v.z);
}

static void same_curve(curve3 *out, const solo_curve *c)
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

/* Adds the squares of how long a shape is along three axes across each other. */
static void add_lengths(double square[3][3], vec3 axis, double weight)
{
    const double v[3] = {axis.x, axis.y, axis.z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            square[r][c] += weight * v[r] * v[c];
}

static void add_curve(double square[3][3], const solo_curve *c, const mat3 *turn)
{
    const int lined = c->curve == CURVE_CYLINDER || c->curve == CURVE_CONE;
    const double lengths[3] = {c->size.x, lined ? c->size.x : c->size.y, lined ? c->size.y : c->size.z};
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        const vec3 axis = {e[0], e[1], e[2]};
        add_lengths(square, turn ? turn3(turn, axis) : axis, lengths[k] * lengths[k]);
    }
}

static void add_cloud(double square[3][3], const cloud *c, double scale, const mat3 *turn)
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

/* To the directions of D from those of D made round: its lengths are those of an ellipsoid with the
 * matrix C C' (Cholesky), whose support mapping C' makes a ball's. */
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
}

/* The vertex farthest along d, for each lane's d. */
static v3 extreme_of_cloud(const cloud *c, double scale, v3 d)
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

/* The most that the gap along a direction of each cell may be, as each of two points of D says. */
static vr cell_bound(const lane_problem *q, const lane_faces *f, vr u, vr v, vr half, const v3 s[2])
{
    vr most[2] = {v_set(-REAL_MAX), v_set(-REAL_MAX)};
    for (int k = 0; k < 4; k++) {
        const vr cu = k & 1 ? v_add(u, half) : v_sub(u, half), cv = k & 2 ? v_add(v, half) : v_sub(v, half);
        const v3 d = m3_turn(&q->rounds, from_face(f, f->sign, cu, cv));
        const vr by = v_div(v_set(1), v_sqrt(v3_dot(d, d)));
        for (int i = 0; i < 2; i++)
            most[i] = v_max(v_mul(v3_dot(d, s[i]), by), most[i]);
    }
    return v_min(most[0], most[1]);
}

static void look_at_cells(const lane_problem *q, cells *c)
{
    for (uint32_t i = 0; i < c->count; i += LANES) {
        const lane_faces f = faces_of(v_load(c->face + i));
        const vr u = v_load(c->u + i), v = v_load(c->v + i);
        v3 d = m3_turn(&q->rounds, from_face(&f, f.sign, u, v));
        d = v3_mul(d, v_div(v_set(1), v_sqrt(v3_dot(d, d))));
        const v3 s = lane_support(q, d);
        v_store(c->gap + i, v3_dot(d, s));
        v_store(c->s[0] + i, s.x);
        v_store(c->s[1] + i, s.y);
        v_store(c->s[2] + i, s.z);
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

static vec3 direction_of(const lane_problem *q, const cells *c, uint32_t i)
{
    const int axis = (int)c->face[i] / 2;
    const double sign = (int)c->face[i] % 2 ? -1 : 1, u = (double)c->u[i], v = (double)c->v[i];
    const vec3 d = turn3(&q->round, axis == 0   ? (vec3){sign, u, v}
                                    : axis == 1 ? (vec3){u, sign, v}
                                                : (vec3){u, v, sign});
    return mul3(d, 1 / sqrt(dot3(d, d)));
}

static void put_cell(cells *c, uint32_t at, real u, real v, real face)
{
    c->next_u[at] = u;
    c->next_v[at] = v;
    c->next_face[at] = face;
}

/* Puts the most that each cell may hold in place of its gap. */
static void bound_cells(const lane_problem *q, cells *c, v3 best)
{
    const vr wide = v_set(c->half);
    for (uint32_t i = 0; i < c->count; i += LANES) {
        const lane_faces f = faces_of(v_load(c->face + i));
        const vr u = v_load(c->u + i), v = v_load(c->v + i);
        const v3 known[2] = {{v_load(c->s[0] + i), v_load(c->s[1] + i), v_load(c->s[2] + i)}, best};
        v_store(c->gap + i, cell_bound(q, &f, u, v, wide, known));
    }
}

static int falling(const void *left, const void *right)
{
    const real p = *(const real *)left, q = *(const real *)right;
    return (p < q) - (p > q);
}

/* A bar that at most `most` bounds are above. */
static real raised_bar(cells *c, real bar, uint32_t most)
{
    uint32_t above = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->gap[i] > bar)
            c->next_u[above++] = c->gap[i];
    if (above <= most)
        return bar;
    qsort(c->next_u, above, sizeof *c->next_u, falling);
    return c->next_u[most];
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
    for (uint32_t i = count; i < count + 16; i++) { /* lanes behind the last read on */
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

/* How far points are from being sigma n apart, or, where that is little, from their shapes. */
static void measure_off(const problem *p, core_answer *out)
{
    const vec3 off = sub3(sub3(out->b, out->a), mul3(out->normal, out->sigma));
    out->gap = sqrt(dot3(off, off));
    if (out->gap < 0x1p-20)
        out->gap = fmax(out->gap, fmax(solo_outside(&p->curve_a, out->a),
                                       solo_outside(&p->curve_b, turn_back3(&p->turn, sub3(out->b, p->shift)))));
}

/* Keeps a point of a cylinder or cone, so high over its middle, from going past its ends, but for
 * rounding, as it rises by `by` a share. */
static void keep_between_ends(const solo_curve *c, double at, double by, double *least, double *most)
{
    if ((c->curve != CURVE_CYLINDER && c->curve != CURVE_CONE) || !(fabs(by) > 0))
        return;
    const double end = c->size.y + 8 * ROUNDING, down = (-end - at) / by, up = (end - at) / by;
    *least = fmax(*least, fmin(fmin(down, up), 0));
    *most = fmin(*most, fmax(fmax(down, up), 0));
}

/* Moves points along the lines that they are on, until they are sigma n apart, or at an end. */
static void slide_points(const problem *p, core_answer *out)
{
    enum { PASSES = 24 };
    sides *on = &out->on;
    const vec3 up = {p->turn.row[0].z, p->turn.row[1].z, p->turn.row[2].z};
    for (int pass = 0; pass < PASSES; pass++)
        for (int k = 0; k < SIDES; k++) {
            const double ee = dot3(on->e[k], on->e[k]);
            if (!(ee > SHORTEST_SIDE_SQUARED))
                continue;
            double least = on->least[k], most = on->most[k];
            keep_between_ends(&p->curve_a, out->a.z, on->a[k].z, &least, &most);
            keep_between_ends(&p->curve_b, dot3(up, sub3(out->b, p->shift)), dot3(up, on->b[k]), &least, &most);
            const vec3 off = sub3(sub3(out->b, out->a), mul3(out->normal, out->sigma));
            const double share = fmin(fmax(-dot3(off, on->e[k]) / ee, least), most);
            out->a = add3(out->a, mul3(on->a[k], share));
            out->b = add3(out->b, mul3(on->b[k], share));
            on->least[k] -= share;
            on->most[k] -= share;
        }
}

static void place_points(const problem *p, core_answer *out)
{
    slide_points(p, out);
    measure_off(p, out);
}

/* The same answer with its points, which may be between corners of a round surface, out on it. */
static core_answer settled(const problem *p, const core_answer *from)
{
    core_answer out = *from;
    const vec3 back = neg3(turn_back3(&p->turn, out.normal)), local_b = turn_back3(&p->turn, sub3(out.b, p->shift));
    out.a = solo_settle(&p->curve_a, out.normal, out.a);
    out.b = add3(turn3(&p->turn, solo_settle(&p->curve_b, back, local_b)), p->shift);
    place_points(p, &out);
    return out;
}

/* Is it less deep by more than its points fit worse? */
static int improves(const core_answer *had, const core_answer *got)
{
    return got->gap < DBL_MAX && got->sigma - got->gap > had->sigma - had->gap;
}

/* An answer with its normal turned to its points, of which the depth grows by no more than the
 * square of the angle where D is round: taken in place of `best` if it is better. */
static void turn_to_points(problem *p, const core_answer *from, core_answer *best)
{
    core_answer turned = *from;
    const vec3 w = from->sigma > 0 ? sub3(from->b, from->a) : sub3(from->a, from->b);
    const double length = sqrt(dot3(w, w));
    if (!(length > 0x1p-60))
        return;
    turned.normal = mul3(w, 1 / length);
    turned.sigma = dot3(turned.normal, support3(p, turned.normal).w);
    measure_off(p, &turned);
    if (improves(best, &turned))
        *best = turned;
}

/* The straight lines of the surfaces that an answer's points are on. */
static void add_lines(const problem *p, core_answer *out)
{
    const vec3 none = {0, 0, 0}, local_b = turn_back3(&p->turn, sub3(out->b, p->shift));
    add_side(&out->on, 2, solo_line_at(&p->curve_a, out->a), none, -1, 1);
    add_side(&out->on, 3, none, turn3(&p->turn, solo_line_at(&p->curve_b, local_b)), -1, 1);
}

/* Makes the points of cores apart fit the distance, where a thin simplex has left them off. */
static void fit_apart(problem *p, core_answer *best)
{
    core_answer fitted = *best;
    measure_off(p, &fitted);
    if (fitted.gap <= CURVED_FIT)
        return;
    add_lines(p, &fitted);
    place_points(p, &fitted);
    if (fitted.gap > CURVED_FIT) {
        const core_answer out = settled(p, &fitted);
        fitted = out.gap < fitted.gap ? out : fitted;
    }
    if (fitted.gap > CURVED_FIT)
        turn_to_points(p, &fitted, &fitted);
    fitted.gap = best->gap;
    *best = fitted;
}

/* One step from the direction u: the axis of D moved out along it until it clears the origin
 * by `clear`. */
static void better_once(problem *p, vec3 u, double gap, double clear, core_answer *out)
{
    problem moved = *p;
    simplex s;
    core_answer apart = {.gap = DBL_MAX};
    const vec3 by = mul3(u, clear - gap);
    moved.shift = add3(p->shift, by);
    moved.begin = u;
    moved.warm = 0;
    moved.supports = 0;
    const outcome found = gjk3(&moved, 2 * ROUNDING, 0, 0, &s, &apart);
    p->supports += moved.supports;
    out->gap = DBL_MAX;
    if (found != APART)
        return;
    add_lines(&moved, &apart);
    out->on = apart.on;
    const corner c = support3(p, apart.normal);
    out->normal = apart.normal;
    out->sigma = dot3(apart.normal, c.w);
    out->a = apart.a;
    out->b = sub3(apart.b, by);
    place_points(p, out);
}

/* The direction nearest to n that is normal to the cones' lines that points are on. */
static vec3 onto_ridges(const problem *p, const sides *on, vec3 n)
{
    if (p->curve_a.curve == CURVE_CONE && dot3(on->e[2], on->e[2]) > 0)
        n = solo_normal_to_line(&p->curve_a, n);
    if (p->curve_b.curve == CURVE_CONE && dot3(on->e[3], on->e[3]) > 0)
        n = neg3(turn3(&p->turn, solo_normal_to_line(&p->curve_b, neg3(turn_back3(&p->turn, n)))));
    return n;
}

/* Newton's step from an answer, whose points tell how far w is off its direction, and move as it
 * turns. 0 where there is none. */
static int newton_from(problem *p, const core_answer *from, core_answer *to)
{
    const sides *on = &from->on;
    const corner at = {.a = from->a, .b = from->b, .w = sub3(from->b, from->a)};
    if (!newton_step(p, from->normal, &at, on, &to->normal))
        return 0;
    to->normal = onto_ridges(p, on, to->normal);
    to->sigma = dot3(to->normal, support3(p, to->normal).w);
    const vec3 n = from->normal, by = sub3(to->normal, n), back = neg3(turn_back3(&p->turn, n));
    const vec3 local_b = turn_back3(&p->turn, sub3(from->b, p->shift)), local_by = neg3(turn_back3(&p->turn, by));
    to->a = add3(from->a, solo_bend(&p->curve_a, n, from->a, by));
    to->b = add3(from->b, turn3(&p->turn, solo_bend(&p->curve_b, back, local_b, local_by)));
    to->on = *on;
    place_points(p, to);
    return 1;
}

/* Newton's steps from an answer as long as they better it, on round surfaces or between their corners; the
 * last that did not is `newton`. Returns 1 where there is such a one. */
static int newton_on(problem *p, int settle, core_answer *at, core_answer *newton)
{
    for (int again = 0; again < 4 && at->gap > CURVED_FIT; again++) {
        if (!newton_from(p, at, newton))
            return 0;
        if (settle)
            *newton = settled(p, newton);
        if (!improves(at, newton) || !(newton->gap < 0.5 * at->gap))
            return 1;
        *at = *newton;
    }
    return 0;
}

/* Along u + share * way, on the ridges that an answer is on: the direction there, and the gap along it. */
static double look_on_way(problem *p, const sides *on, vec3 u, vec3 way, double share, vec3 *d)
{
    const vec3 far = add3(u, mul3(way, share));
    *d = onto_ridges(p, on, mul3(far, 1 / sqrt(dot3(far, far))));
    return dot3(*d, support3(p, *d).w);
}

/* Farther on the way from u to a step's direction, as far as it gains: where the depth bends the other
 * way, a step is a small part of it. */
static void go_on(problem *p, vec3 u, const core_answer *step, vec3 *to, double *gap)
{
    const vec3 way = sub3(step->normal, u);
    for (double share = 4; share <= 0x1p20; share *= 4) {
        vec3 d;
        const double there = look_on_way(p, &step->on, u, way, share, &d);
        if (!(there > *gap))
            return;
        *to = d;
        *gap = there;
    }
}

/* Less far on the way from a step to Newton's, which went too far. */
static void fall_short(problem *p, const core_answer *step, const core_answer *newton, vec3 *to, double *gap)
{
    const vec3 way = sub3(newton->normal, step->normal);
    for (double share = 0.25; share >= 0x1p-8; share /= 4) {
        vec3 d;
        const double there = look_on_way(p, &step->on, step->normal, way, share, &d);
        if (there > *gap) {
            *to = d;
            *gap = there;
            return;
        }
    }
}

/* What the support along u alone says. */
static core_answer plain_answer(problem *p, vec3 u)
{
    const corner c = support3(p, u);
    core_answer out = {.sigma = dot3(u, c.w), .normal = u, .a = c.a, .b = c.b};
    measure_off(p, &out);
    return out;
}

/* A local minimum of the depth from the direction u, no deeper than it; `gap` of the answer is
 * what its points are off. A step leads to a direction that is nearer by a ratio, or right where an
 * edge or a face is met; between them Newton's nears by a square. The edge of a cone turns with its
 * direction, which Newton's step leaves by its square: a step from there brings it back, so that it
 * is taken on trial. */
static core_answer better(problem *p, vec3 u)
{
    core_answer best = plain_answer(p, u), turned = best;
    double gap = best.sigma;
    for (int step = 0, idle = 0, trial = 0; step < BETTERINGS && idle < 5 && best.gap > CURVED_FIT; step++) {
        core_answer next, newton;
        better_once(p, u, gap, fmax(-0.25 * gap, 0x1p-32), &next);
        const int good = next.gap < DBL_MAX && improves(&best, &next);
        if (good)
            best = next;
        idle = good ? 0 : idle + 1;
        if (next.gap == DBL_MAX || (trial && !good)) {
            u = best.normal;
            gap = best.sigma;
            trial = 0;
            continue;
        }
        trial = 0;
        int overshot = 0;
        core_answer out = settled(p, &next);
        if (newton_on(p, 1, &out, &newton) || out.gap > CURVED_FIT) {
            if (newton_on(p, 0, &next, &newton)) {
                overshot = newton.sigma < next.sigma;
                trial = !overshot && newton.sigma < 0;
            }
        }
        if (improves(&next, &out)) {
            next = out;
            trial = overshot = 0;
        }
        if (next.gap > CURVED_FIT)
            turn_to_points(p, &next, &turned);
        if (improves(&best, &next)) {
            best = next;
            idle = 0;
        }
        const vec3 before = u;
        u = trial ? newton.normal : next.normal;
        gap = trial ? newton.sigma : next.sigma;
        if (!trial && next.gap > 0x1p-20)
            go_on(p, before, &next, &u, &gap);
        if (overshot)
            fall_short(p, &next, &newton, &u, &gap);
    }
    return best.gap > CURVED_FIT && improves(&best, &turned) ? turned : best;
}

/* Directions around the axis of a cone or cylinder that are normal to its straight lines: D has
 * edges along them, and along such a ridge the depth may change by so little that cells across it
 * are dropped late. */
typedef struct ridge {
    const problem *p;
    int of_b;
    double lean; /* along the axis, of unit length */
    double at[RIDGE_LOOKS + 1][2]; /* unit vectors across it */
    double gap[RIDGE_LOOKS + 1], rise[RIDGE_LOOKS + 1]; /* and how fast the gap rises by the angle around */
} ridge;

/* A shape's local vector as a direction of D, of which A's extreme is along it and B's against it. */
static vec3 from_local(const ridge *r, vec3 v)
{
    return r->of_b ? neg3(turn3(&r->p->turn, v)) : v;
}

static vec3 ridge_normal(const ridge *r, const double at[2])
{
    const double out = sqrt(1 - r->lean * r->lean);
    return from_local(r, (vec3){out * at[0], out * at[1], r->lean});
}

static vec3 along_ridge(const ridge *r, const double at[2])
{
    const double out = sqrt(1 - r->lean * r->lean);
    return from_local(r, (vec3){-out * at[1], out * at[0], 0});
}

static void look_along_ridge(const lane_problem *q, ridge *r)
{
    real d[3][RIDGE_LOOKS], w[3][RIDGE_LOOKS];
    r->at[0][0] = 1;
    r->at[0][1] = 0;
    for (int i = 0; i < RIDGE_LOOKS; i++) {
        const double c = r->at[i][0], s = r->at[i][1];
        const vec3 n = ridge_normal(r, r->at[i]);
        d[0][i] = (real)n.x;
        d[1][i] = (real)n.y;
        d[2][i] = (real)n.z;
        r->at[i + 1][0] = c * RIDGE_COSINE - s * RIDGE_SINE;
        r->at[i + 1][1] = s * RIDGE_COSINE + c * RIDGE_SINE;
    }
    for (int i = 0; i < RIDGE_LOOKS; i += LANES) {
        const v3 at = lane_support(q, (v3){v_load(d[0] + i), v_load(d[1] + i), v_load(d[2] + i)});
        v_store(w[0] + i, at.x);
        v_store(w[1] + i, at.y);
        v_store(w[2] + i, at.z);
    }
    for (int i = 0; i <= RIDGE_LOOKS; i++) {
        const int k = i % RIDGE_LOOKS;
        const vec3 at = {(double)w[0][k], (double)w[1][k], (double)w[2][k]};
        r->gap[i] = dot3(ridge_normal(r, r->at[k]), at);
        r->rise[i] = dot3(along_ridge(r, r->at[k]), at);
    }
}

/* The look before the highest place of a ridge, if the gap may rise above `bar` there; -1: none does. */
static int highest_of_ridge(const ridge *r, double bar)
{
    int best = -1;
    double high = bar;
    for (int i = 0; i < RIDGE_LOOKS; i++) {
        const double before = r->gap[i] + r->rise[i] * RIDGE_SINE, after = r->gap[i + 1] - r->rise[i + 1] * RIDGE_SINE;
        const double most = fmin(before, after) - r->gap[i] * (1 - RIDGE_COSINE);
        if (r->rise[i] >= 0 && r->rise[i + 1] <= 0 && most > high) {
            best = i;
            high = most;
        }
    }
    return best;
}

/* Where the gap ends to rise along a ridge, between a look and the next. */
static vec3 top_of_ridge(problem *p, const ridge *r, int look)
{
    double up[2] = {r->at[look][0], r->at[look][1]}, down[2] = {r->at[look + 1][0], r->at[look + 1][1]}, at[2];
    for (int halving = 0; halving < 56; halving++) {
        const double x = up[0] + down[0], y = up[1] + down[1], length = sqrt(x * x + y * y);
        at[0] = x / length;
        at[1] = y / length;
        const double rise = dot3(along_ridge(r, at), support3(p, ridge_normal(r, at)).w);
        memcpy(rise > 0 ? up : down, at, sizeof at);
    }
    return ridge_normal(r, at);
}

static void better_from(problem *p, vec3 u, core_answer *best)
{
    const core_answer other = better(p, u);
    if (other.sigma > best->sigma)
        *best = other;
}

/* Betters the best by what is found at the highest places of a cone's or cylinder's ridge, and from its ends. */
static void search_ridge(problem *p, const lane_problem *q, int of_b, core_answer *best)
{
    ridge r = {.p = p, .of_b = of_b, .lean = solo_ridge(of_b ? &p->curve_b : &p->curve_a)};
    if (r.lean < 0)
        return;
    for (int end = -1; end <= 1; end += 2) {
        const vec3 u = from_local(&r, (vec3){0, 0, end});
        if (dot3(u, support3(p, u).w) > best->sigma + CURVED_DOUBT)
            better_from(p, u, best);
    }
    look_along_ridge(q, &r);
    for (int k = 0; k < RIDGE_TRIES; k++) {
        const int look = highest_of_ridge(&r, best->sigma + CURVED_DOUBT);
        if (look < 0)
            return;
        const vec3 top = top_of_ridge(p, &r, look);
        if (dot3(top, support3(p, top).w) > best->sigma + CURVED_DOUBT / 2)
            better_from(p, top, best);
        r.rise[look] = -DBL_MAX;
    }
}

/* The depth of cores that overlap, or all but. `best->gap` is how far its points are from proof;
 * DBL_MAX where cells outgrew their room, as those around an axis of both shapes do: the ones that
 * may hold most are then looked at alone. */
static void deepen_curved(problem *p, void *room, core_answer *best)
{
    cells *c = room;
    lane_problem q;
    int proven = 1;
    open_lanes(&q, p);
    first_cells(c);
    *best = (core_answer){.sigma = -DBL_MAX, .gap = DBL_MAX};
    vec3 highest = {0, 0, 0};
    double seen_gap = -DBL_MAX;
    for (uint32_t level = 0, seen = 0; level < MOST_LEVELS && seen < MOST_SEEN && c->count > 0; level++) {
        look_at_cells(&q, c);
        seen += c->count;
        p->supports += c->count;
        const uint32_t i = best_cell(c);
        const double found = (double)c->gap[i];
        if (found > seen_gap) {
            seen_gap = found;
            highest = direction_of(&q, c, i);
        }
        if (level > 0 && seen_gap > best->sigma + CURVED_DOUBT / 2)
            better_from(p, highest, best);
        if (level == 1)
            for (int of_b = 0; of_b < 2; of_b++)
                search_ridge(p, &q, of_b, best);
        const double sigma = fmax(best->sigma, found);
        const v3 near = best->sigma >= found ? v3_same(mul3(best->normal, best->sigma))
                                             : v3_set(c->s[0][i], c->s[1][i], c->s[2][i]);
        const real bar = (real)(sigma + CURVED_DOUBT);
        bound_cells(&q, c, near);
        const real raised = raised_bar(c, bar, proven ? MOST_CELLS / 4 : FEW_CELLS);
        proven &= raised == bar;
        take_quarters(c, quarter_cells(c, raised));
    }
    if (best->gap == DBL_MAX)
        better_from(p, highest, best); /* the first cells said all */
    best->sigma = fmin(best->sigma, 0); /* cores that all but touch */
    if (!proven || c->count > 0)
        best->gap = DBL_MAX;
}

#endif
