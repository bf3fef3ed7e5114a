/* The least depths along the ridges of cones, cylinders and long ellipsoids, and at their ends. */
#ifndef GJB_SIMD_SOLO3_RIDGE_H
#define GJB_SIMD_SOLO3_RIDGE_H

#include "simd/solo3_better.h"
#include "simd/solo3_cells.h"

/* What is given away: no direction is shallower by more than this. */
#define CURVED_DOUBT (24 * (double)REAL_EPSILON)

#define ALIKE 0x1p-4 /* lengths of an ellipsoid around which it is looked as around a ridge */
enum { RIDGE_LOOKS = 256, RIDGE_TRIES = 16 };
#define LEVEL 0x1p-4            /* the depth as a direction turns, beside it */
#define MOST_LEAN_SQUARED 0.999 /* around an axis nearer to it there is no ring to speak of */
#define RIDGE_COSINE 0.99969881869620424997 /* of a turn's 256th part */
#define RIDGE_SINE 0.024541228522912288032

/* Directions around the axis of a cone or cylinder that are normal to its straight lines, or of an ellipsoid
 * longer along one axis than along two that are about equal: D has edges along them, or bends alike, and along
 * such a ridge the depth may change by so little that cells across it are dropped late. */
typedef struct ridge {
    const problem *p;
    int of_b, axis;
    double lean; /* along the axis, of unit length */
    double at[RIDGE_LOOKS + 1][2]; /* unit vectors across it */
    double gap[RIDGE_LOOKS + 1], rise[RIDGE_LOOKS + 1]; /* and how fast the gap rises by the angle around */
} ridge;

/* A shape's vector, its third part along the axis, as a direction of D, of which A's extreme is along it and B's
 * against it. */
static vec3 from_local(const ridge *r, vec3 around)
{
    const vec3 v = r->axis == 0 ? (vec3){around.z, around.x, around.y} : r->axis == 1 ? (vec3){around.y, around.z, around.x} : around;
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

/* The axis of a ridge, and how its normals lean along it; 0 where there is none. */
static int ridge_of(const solo_curve *c, ridge *r)
{
    const double size[3] = {c->size.x, c->size.y, c->size.z};
    r->axis = size[0] > size[1] && size[0] > size[2] ? 0 : size[1] > size[2] ? 1 : 2;
    const double u = size[(r->axis + 1) % 3], v = size[(r->axis + 2) % 3];
    r->lean = 0;
    if (c->curve == CURVE_ELLIPSE || (c->curve == CURVE_SUPER && c->p == 2))
        return fabs(u - v) <= ALIKE * fmax(u, v) && u > 0 && v > 0;
    r->axis = 2;
    r->lean = solo_ridge(c);
    return r->lean >= 0;
}

/* Betters the best by what is found at the highest places of a ridge, if that may be more than `doubt`. */
static void search_along(problem *p, const lane_problem *q, ridge *r, double doubt, core_answer *best)
{
    look_along_ridge(q, r);
    for (int k = 0; k < RIDGE_TRIES; k++) {
        const int look = highest_of_ridge(r, best->sigma + doubt);
        if (look < 0)
            return;
        const vec3 top = top_of_ridge(p, r, look);
        if (dot3(top, support3(p, top).w) > best->sigma + doubt / 2)
            better_from(p, top, best);
        r->rise[look] = -DBL_MAX;
    }
}

/* The same around each axis of the curved shapes, as far from it as the best is, if the depth is all but level
 * on one way from the best: as around an axis that both are all but round about. */
static void search_rings(problem *p, const lane_problem *q, core_answer *best)
{
    vec3 axes[2];
    double bend[2];
    bend_axes(p, best, axes, bend);
    if (!(fabs(bend[1] + best->sigma) < LEVEL * -best->sigma))
        return;
    for (int k = 0; k < 6; k++) {
        ridge r = {.p = p, .of_b = k / 3, .axis = k % 3};
        if (!(r.of_b ? p->curve_b.curve : p->curve_a.curve))
            continue;
        r.lean = dot3(from_local(&r, (vec3){0, 0, 1}), best->normal);
        if (r.lean * r.lean < MOST_LEAN_SQUARED)
            search_along(p, q, &r, CURVED_FIT, best);
    }
}

/* Betters the best by what is found at the highest places of a shape's ridge, and from its ends. */
static void search_ridge(problem *p, const lane_problem *q, int of_b, core_answer *best)
{
    ridge r = {.p = p, .of_b = of_b};
    if (!ridge_of(of_b ? &p->curve_b : &p->curve_a, &r))
        return;
    for (int end = -1; end <= 1; end += 2) {
        const vec3 u = from_local(&r, (vec3){0, 0, end});
        if (dot3(u, support3(p, u).w) > best->sigma + CURVED_DOUBT)
            better_from(p, u, best);
    }
    search_along(p, q, &r, CURVED_DOUBT, best);
}

#endif
