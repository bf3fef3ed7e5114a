/* A pair in its frame, and the support mapping of D with vertices in lanes. */
#ifndef GJB_SIMD_SOLO3_SUPPORT_H
#define GJB_SIMD_SOLO3_SUPPORT_H

#include "simd/lanes.h"
#include "simd/solo3.h"
#include "simd/vector3.h"

#if GJB_BITS != 64
#error "one pair at a time is always in double"
#endif

#if GJB_SOURCE_BITS == 32
typedef float source;
#define load_source v_load_float
#else
typedef double source;
#define load_source v_load
#endif

typedef struct problem {
    const source *a, *b;
    uint32_t count_a, count_b;
    mat3 turn;     /* B's local axes to the frame */
    vec3 shift;    /* B's origin in the frame */
    double scale;  /* local units to the frame's */
    double radius; /* of both, in the frame */
    uint32_t supports;
} problem;

/* A vertex of D and what it is made of. */
typedef struct corner {
    vec3 w, a, b;
    uint32_t ia, ib;
} corner;

/* The entry that is largest, the lowest index on ties. */
LANE_FN uint32_t top_entry(vr value, vr index, uint32_t entries)
{
    real v[LANES], w[LANES];
    v_store(v, value);
    v_store(w, index);
    uint32_t top = 0;
    for (uint32_t l = 1; l < LANES && l < entries; l++)
        top = v[l] > v[top] || (v[l] == v[top] && w[l] < w[top]) ? l : top;
    return (uint32_t)w[top];
}

/* The vertex that is extreme along d; the lowest index on ties. A shape of fewer
 * vertices than lanes reads on past its own. */
LANE_FN uint32_t extreme3(const source *x, uint32_t n, vec3 d)
{
    static const real ramp[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const source *y = x + n, *z = y + n;
    const vr dx = v_set(d.x), dy = v_set(d.y), dz = v_set(d.z), step = v_set(LANES);
    vr index = v_load(ramp), which = index;
    vr best = v_add(v_add(v_mul(dx, load_source(x)), v_mul(dy, load_source(y))), v_mul(dz, load_source(z)));
    for (uint32_t k = LANES; k < n; k += LANES) {
        vr reach = v_add(v_add(v_mul(dx, load_source(x + k)), v_mul(dy, load_source(y + k))),
                         v_mul(dz, load_source(z + k)));
        index = v_add(index, step);
        vm later = v_gt(reach, best);
        best = v_max(reach, best);
        which = v_sel(later, index, which);
    }
    return top_entry(best, which, n);
}

static corner corner_of(const problem *p, uint32_t ia, uint32_t ib)
{
    const source *a = p->a + ia, *b = p->b + ib;
    const uint32_t na = p->count_a, nb = p->count_b;
    corner c;
    c.ia = ia;
    c.ib = ib;
    c.a = mul3((vec3){(double)a[0], (double)a[na], (double)a[2 * na]}, p->scale);
    c.b = add3(turn3(&p->turn, mul3((vec3){(double)b[0], (double)b[nb], (double)b[2 * nb]}, p->scale)), p->shift);
    c.w = sub3(c.b, c.a);
    return c;
}

/* The vertex of D that is least along the unit d: A's extreme along d and B's
 * against it. */
static corner support3(problem *p, vec3 d)
{
    p->supports++;
    const uint32_t ia = extreme3(p->a, p->count_a, d);
    const uint32_t ib = extreme3(p->b, p->count_b, neg3(turn_back3(&p->turn, d)));
    return corner_of(p, ia, ib);
}

static int same_corner(const corner *c, const corner *d)
{
    return c->ia == d->ia && c->ib == d->ib;
}

#endif
