/* Supports of the pairs of a tile by scans of their records, for hulls that are too large to be held in lanes: a step
 * of GJK is done for all lanes together, a support for one lane after another. */
#ifndef GJB_SIMD_SCAN_TILE3_H
#define GJB_SIMD_SCAN_TILE3_H

#include "simd/space/fallback_side3.h"
#include "simd/space/scan3.h"
#include "simd/space/tile3.h"

/* Value of N for bins with such hulls. */
#define ANY_HULL (-2)

/* What lanes ask, and what each is answered: a vertex in local axes. */
typedef struct scanned {
    real along[3][LANES], at[3][LANES];
} scanned;

/* Records of the pairs of the next tile, prefetched a few lines at a time while lanes are scanned. */
typedef struct scan_ahead {
    gjb_fallback_ahead a[LANES], b[LANES];
} scan_ahead;

LANE_FN void prefetch_some(gjb_fallback_ahead *lines)
{
    enum { SOME = 16 };
    for (int k = 0; k < SOME && lines->at < lines->end; k++, lines->at += 64)
        prefetch(lines->at);
}

LANE_FN void scan_lane(const real *rec, unsigned quads, unsigned l, scanned *s)
{
    const hull3 hull = hull_of_record(rec, quads);
    const real *v = vertex_of(&hull, scan_extreme3(&hull, s->along[0][l], s->along[1][l], s->along[2][l]));
    for (int k = 0; k < 3; k++)
        s->at[k][l] = v[k * hull.group];
}

/* The vertices of A along d and of B against it, in the frame. Lanes not in `live` have A's and B's origins. */
LANE_FN void scan_pairs3(const tile *t, v3 d, unsigned live, v3 *a, v3 *b)
{
    scanned to_a, to_b;
    memset(to_a.at, 0, sizeof to_a.at);
    memset(to_b.at, 0, sizeof to_b.at);
    const vr length = v_sqrt(v_max(v3_dot(d, d), v_set(REAL_MIN))); /* cores that touch have no direction */
    const v3 u = v3_mul(d, v_div(v_set(1), length)), back = v3_neg(m3_turn_back(&t->turn, u));
    v3_store(u, to_a.along[0], to_a.along[1], to_a.along[2]);
    v3_store(back, to_b.along[0], to_b.along[1], to_b.along[2]);
    for (unsigned bits = live; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits);
        if (t->ahead) {
            prefetch_some(&t->ahead->a[l]);
            prefetch_some(&t->ahead->b[l]);
        }
        scan_lane(t->rec_a[l], t->quads_a[l], l, &to_a);
        scan_lane(t->rec_b[l], t->quads_b[l], l, &to_b);
    }
    *a = v3_mul(v3_load(to_a.at[0], to_a.at[1], to_a.at[2]), t->scale);
    const v3 local = v3_mul(v3_load(to_b.at[0], to_b.at[1], to_b.at[2]), t->scale);
    *b = v3_add(m3_turn(&t->turn, local), t->shift);
}

#endif
