/* A pair in its frame, and the support mapping of D with vertices in lanes.
 *
 * Vertices are looked at in the precision that they are stored in: the one found
 * may be a few roundings of it short of the extreme. All else is in double. */
#ifndef GJB_SIMD_SOLO3_SUPPORT_H
#define GJB_SIMD_SOLO3_SUPPORT_H

#include "simd/lanes.h"
#include "simd/solo3.h"
#include "simd/vector3.h"

#define ROUNDING 0x1p-53 /* of double */

typedef struct problem {
    const real *a, *b;
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

static const real ramp[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* The index of the entry that is largest, the lowest on ties. */
LANE_FN uint32_t top_entry(vr value, vr index)
{
    unsigned top = m_bits(v_eq(value, v_set(v_largest(value))));
    real at[LANES];
    v_store(at, index);
    uint32_t lowest = (uint32_t)at[__builtin_ctz(top)];
    for (top &= top - 1; top; top &= top - 1) {
        const uint32_t other = (uint32_t)at[__builtin_ctz(top)];
        lowest = other < lowest ? other : lowest;
    }
    return lowest;
}

LANE_FN vr reach3(const real *x, const real *y, const real *z, vr dx, vr dy, vr dz)
{
    return v_add(v_add(v_mul(dx, v_load(x)), v_mul(dy, v_load(y))), v_mul(dz, v_load(z)));
}

/* The vertex that is extreme along d; the lowest index on ties. */
LANE_FN uint32_t extreme3(const real *x, uint32_t n, vec3 d)
{
    const real *y = x + n, *z = y + n;
    const vr dx = v_set((real)d.x), dy = v_set((real)d.y), dz = v_set((real)d.z), step = v_set(LANES);
    vr best = reach3(x, y, z, dx, dy, dz);
    if (n <= LANES) {
        if (n < LANES) /* a shape of fewer vertices than lanes reads on past its own */
            best = v_sel(m_below(n), best, v_set(-REAL_MAX));
        return (uint32_t)__builtin_ctz(m_bits(v_eq(best, v_set(v_largest(best)))));
    }
    vr index = v_load(ramp), which = index;
    for (uint32_t k = LANES; k < n; k += LANES) {
        const vr reach = reach3(x + k, y + k, z + k, dx, dy, dz);
        index = v_add(index, step);
        vm later = v_gt(reach, best);
        best = v_max(reach, best);
        which = v_sel(later, index, which);
    }
    return top_entry(best, which);
}

static inline corner corner_of(const problem *p, uint32_t ia, uint32_t ib)
{
    const real *a = p->a + ia, *b = p->b + ib;
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
static inline corner support3(problem *p, vec3 d)
{
    p->supports++;
    const uint32_t ia = extreme3(p->a, p->count_a, d);
    const uint32_t ib = extreme3(p->b, p->count_b, neg3(turn_back3(&p->turn, d)));
    return corner_of(p, ia, ib);
}

static inline int same_corner(const corner *c, const corner *d)
{
    return c->ia == d->ia && c->ib == d->ib;
}

#endif
