/* A pair in its frame, and the support mapping of D. Vertices are compared in their stored precision (scan3.h), all
 * else is in double. */
#ifndef GJB_SIMD_FALLBACK3_SUPPORT_H
#define GJB_SIMD_FALLBACK3_SUPPORT_H

#include "simd/space/fallback/fallback3.h"
#include "simd/space/fallback/fallback3_curve.h"
#include "simd/space/scan3.h"

#define ROUNDING 0x1p-53 /* of double */
enum { LINES_AHEAD = 48 /* prefetched per support: most pairs take four or more supports */ };

/* The least by which D is moved out: more than vertices may be short of the extreme. Small, because points
 * err by this times the error of the axis. */
#define LEAST_CLEAR (GJB_BITS == 32 ? 0x1p-16 : 0x1p-32)

typedef struct problem {
    hull3 a, b;
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

static inline hull3 hull_of(const gjb_fallback_side *side)
{
    return (hull3){side->vertices, side->balls, side->count, hull_group(side->count)};
}

static inline fallback_curve curve_of(const gjb_fallback_side *side, double scale)
{
    return (fallback_curve){side->curve, {side->curved[0] * scale, side->curved[1] * scale, side->curved[2] * scale},
                        side->curved[3]};
}

LANE_FN uint32_t extreme3(const hull3 *c, vec3 d)
{
    return scan_extreme3(c, (real)d.x, (real)d.y, (real)d.z);
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
static inline vec3 extreme_point(const hull3 *c, const fallback_curve *curve, double scale, vec3 d, uint32_t *index)
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
