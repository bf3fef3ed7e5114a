/* A pair in its frame, and the support mapping of D with vertices in lanes.
 *
 * Vertices are compared in their stored precision: the one found may be a few of
 * its roundings short of the extreme. All else is in double. */
#ifndef GJB_SIMD_FALLBACK3_SUPPORT_H
#define GJB_SIMD_FALLBACK3_SUPPORT_H

#include "simd/lanes/lanes.h"
#include "simd/space/fallback/fallback3.h"
#include "simd/space/fallback/fallback3_curve.h"

#define ROUNDING 0x1p-53 /* of double */
enum { LINES_AHEAD = 48 /* prefetched per support: most pairs take four or more supports */ };

/* A shape's vertices: x[group] y[group] z[group] of each group, one or more. */
typedef struct cloud {
    const real *vertices;
    const real *balls; /* NULL: all are looked at */
    uint32_t count, group;
} cloud;

/* The least by which D is moved out: more than vertices may be short of the extreme. Small, because points
 * err by this times the error of the axis. */
#define LEAST_CLEAR (GJB_BITS == 32 ? 0x1p-16 : 0x1p-32)

typedef struct problem {
    cloud a, b;
    fallback_curve curve_a, curve_b; /* in the frame's units */
    int curved;    /* A or B is */
    mat3 turn;     /* B's local axes to the frame */
    vec3 shift;    /* B's origin in the frame */
    vec3 begin;    /* direction to look in first */
    int warm;      /* `begin` is that of a last answer, and may be proof enough */
    double scale;  /* local units to the frame's */
    double radius; /* of both, in the frame */
    uint32_t supports;
    double clear;  /* the least by which curved shapes are moved apart to find their depth */
    gjb_fallback_ahead ahead[2];
} problem;

/* A vertex of D, and its vertices of A and B. */
typedef struct corner {
    vec3 w, a, b;
    uint32_t ia, ib; /* NO_VERTEX of a curved shape */
} corner;
#define NO_VERTEX UINT32_MAX

typedef struct simplex {
    corner c[4];
    int count;
} simplex;

LANE_FN vr reach3(const real *x, const real *y, const real *z, vr dx, vr dy, vr dz)
{
    return v_add(v_add(v_mul(dx, v_load(x)), v_mul(dy, v_load(y))), v_mul(dz, v_load(z)));
}

static inline cloud cloud_of(const gjb_fallback_side *side)
{
    return (cloud){side->vertices, side->balls, side->count, side->count > 4 * LANE_QUADS ? GROUP : side->count};
}

static inline fallback_curve curve_of(const gjb_fallback_side *side, double scale)
{
    return (fallback_curve){side->curve, {side->curved[0] * scale, side->curved[1] * scale, side->curved[2] * scale},
                        side->curved[3]};
}

static inline const real *vertex_of(const cloud *c, uint32_t i)
{
    return c->vertices + (c->group == GROUP ? 3 * (i / GROUP * GROUP) + i % GROUP : i);
}

static inline const real *group_of(const cloud *c, uint32_t g)
{
    return c->vertices + 3 * GROUP * g;
}

/* The best vertex so far, one in each lane. */
typedef struct best3 {
    vr reach, index;
} best3;

/* The lowest index wins ties if entries come in order. */
LANE_FN void consider(best3 *best, vr reach, vr index)
{
    vm later = v_gt(reach, best->reach);
    best->reach = v_max(reach, best->reach);
    best->index = v_sel(later, index, best->index);
}

/* Scans the group that begins with the vertices of `index`. Returns the index of the next. */
LANE_FN vr look_at_group(const real *x, vr dx, vr dy, vr dz, vr index, best3 *best)
{
    for (uint32_t i = 0; i < GROUP; i += LANES, x += LANES) {
        consider(best, reach3(x, x + GROUP, x + 2 * GROUP, dx, dy, dz), index);
        index = v_add(index, v_set(LANES));
    }
    return index;
}

/* How far the balls from g on reach along d. */
LANE_FN vr ball_reach(const cloud *c, uint32_t g, vr dx, vr dy, vr dz)
{
    const uint32_t slots = (uint32_t)gjb_library_balls(c->count / 4);
    const real *x = c->balls + g;
    return v_add(reach3(x, x + slots, x + 2 * slots, dx, dy, dz), v_load(x + 3 * slots));
}

/* Scans the group whose ball reaches farthest, then all groups whose balls reach beyond
 * its best vertex. */
static uint32_t extreme_of_groups(const cloud *c, vr dx, vr dy, vr dz)
{
    const uint32_t groups = c->count / GROUP;
    const vr index = v_ramp();
    best3 ball = {ball_reach(c, 0, dx, dy, dz), index}, best = {v_set(-REAL_MAX), index};
    for (uint32_t g = LANES; g < groups; g += LANES)
        consider(&ball, ball_reach(c, g, dx, dy, dz), v_add(v_set((real)g), index));
    look_at_group(group_of(c, v_top_index(ball.reach, ball.index)), dx, dy, dz, index, &best);
    const vr bar = v_set(v_largest(best.reach));
    best = (best3){v_set(-REAL_MAX), index};
    for (uint32_t g = 0; g < groups; g += LANES) {
        vm short_of = v_lt(ball_reach(c, g, dx, dy, dz), bar);
        for (unsigned bits = ~m_bits(short_of) & ALL_LANES; bits; bits &= bits - 1) {
            const uint32_t at = g + (uint32_t)__builtin_ctz(bits);
            look_at_group(group_of(c, at), dx, dy, dz, v_add(v_set((real)(at * GROUP)), index), &best);
        }
    }
    return v_top_index(best.reach, best.index);
}

/* The vertex that is extreme along d, of unit length within 2^-7; the lowest index
 * on ties. */
LANE_FN uint32_t extreme3(const cloud *c, vec3 d)
{
    const vr dx = v_set((real)d.x), dy = v_set((real)d.y), dz = v_set((real)d.z);
    const uint32_t n = c->count;
    if (c->balls)
        return extreme_of_groups(c, dx, dy, dz);
    if (c->group == n) { /* no more than fit in lanes */
        const real *x = c->vertices, *y = x + n, *z = y + n;
        vr index = v_ramp();
        best3 best = {reach3(x, y, z, dx, dy, dz), index};
        if (n <= LANES) {
            if (n < LANES) /* with fewer vertices than lanes, lanes read on past them */
                best.reach = v_sel(m_below(n), best.reach, v_set(-REAL_MAX));
            return (uint32_t)__builtin_ctz(m_bits(v_eq(best.reach, v_set(v_largest(best.reach)))));
        }
        for (uint32_t k = LANES; k < n; k += LANES) {
            index = v_add(index, v_set(LANES));
            consider(&best, reach3(x + k, y + k, z + k, dx, dy, dz), index);
        }
        return v_top_index(best.reach, best.index);
    }
    vr index = v_ramp();
    best3 best = {v_set(-REAL_MAX), index};
    for (const real *x = c->vertices; x < c->vertices + 3 * n; x += 3 * GROUP)
        index = look_at_group(x, dx, dy, dz, index, &best);
    return v_top_index(best.reach, best.index);
}

static inline corner corner_of(const problem *p, uint32_t ia, uint32_t ib)
{
    const real *a = vertex_of(&p->a, ia), *b = vertex_of(&p->b, ib);
    const uint32_t na = p->a.group, nb = p->b.group;
    corner c;
    c.ia = ia;
    c.ib = ib;
    c.a = mul3((vec3){(double)a[0], (double)a[na], (double)a[2 * na]}, p->scale);
    c.b = add3(turn3(&p->turn, mul3((vec3){(double)b[0], (double)b[nb], (double)b[2 * nb]}, p->scale)), p->shift);
    c.w = sub3(c.b, c.a);
    return c;
}

/* The extreme point of A or B along d, both in its local axes; in the frame's units. */
static inline vec3 extreme_point(const cloud *c, const fallback_curve *curve, double scale, vec3 d, uint32_t *index)
{
    if (curve->curve) {
        *index = NO_VERTEX;
        return fallback_extreme(curve, d);
    }
    *index = extreme3(c, d);
    const real *v = vertex_of(c, *index);
    return mul3((vec3){(double)v[0], (double)v[c->group], (double)v[2 * c->group]}, scale);
}

/* A corner of curved shapes may be any point of the surface: A's extreme along da, and B's against db. */
static __attribute__((noinline)) corner curved_corner(const problem *p, vec3 da, vec3 db)
{
    corner c;
    c.a = extreme_point(&p->a, &p->curve_a, p->scale, da, &c.ia);
    const vec3 b = extreme_point(&p->b, &p->curve_b, p->scale, neg3(turn_back3(&p->turn, db)), &c.ib);
    c.b = add3(turn3(&p->turn, b), p->shift);
    c.w = sub3(c.b, c.a);
    return c;
}

/* The vertex of D that is least along the unit d: A's extreme along d and B's
 * against it. */
static inline corner support3(problem *p, vec3 d)
{
    p->supports++;
    for (int k = 0; k < 2; k++)
        for (int line = 0; line < LINES_AHEAD && p->ahead[k].at < p->ahead[k].end; line++, p->ahead[k].at += 64)
            __builtin_prefetch(p->ahead[k].at, 0, 2);
    if (p->curved)
        return curved_corner(p, d, d);
    const uint32_t ia = extreme3(&p->a, d);
    const uint32_t ib = extreme3(&p->b, neg3(turn_back3(&p->turn, d)));
    return corner_of(p, ia, ib);
}

static inline int same_corner(const corner *c, const corner *d)
{
    if (c->ia == NO_VERTEX || c->ib == NO_VERTEX)
        return c->w.x == d->w.x && c->w.y == d->w.y && c->w.z == d->w.z;
    return c->ia == d->ia && c->ib == d->ib;
}

#endif
