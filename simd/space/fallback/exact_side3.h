/* Decides by exact signs whether the origin is in a tetrahedron. */
#ifndef GJB_SIMD_EXACT_SIDE3_H
#define GJB_SIMD_EXACT_SIDE3_H

#include "simd/space/fallback/fallback3_support.h"

/* Adds to an expansion: n numbers that do not overlap, the least first (Shewchuk 1997). */
static int grow(double *e, int n, double x)
{
    for (int k = 0; k < n; k++) {
        const double sum = x + e[k], part = sum - x;
        e[k] = (x - (sum - part)) + (e[k] - part);
        x = sum;
    }
    e[n] = x;
    return n + 1;
}

/* The upper half of a's digits. */
static double upper_half(double a)
{
    const double c = 0x8000001p0 * a;
    return c - (c - a);
}

/* The rounding error of ab = a b (Dekker 1971). A fused operation would give it, but not all backends have
 * one. */
static double lost(double a, double b, double ab)
{
    const double a1 = upper_half(a), b1 = upper_half(b), a2 = a - a1, b2 = b - b1;
    return a2 * b2 - (((ab - a1 * b1) - a2 * b1) - a1 * b2);
}

static int grow_by_product(double *e, int n, double a, double b, double c)
{
    const double ab = a * b, rest = lost(a, b, ab), high = ab * c, low = rest * c;
    n = grow(e, n, lost(rest, c, low));
    n = grow(e, n, low);
    n = grow(e, n, lost(ab, c, high));
    return grow(e, n, high);
}

/* The exact sign of p . (q x r): for a flat tetrahedron rounding could give either sign. */
static int side_of(vec3 p, vec3 q, vec3 r)
{
    const double about = dot3(p, cross3(q, r));
    if (fabs(about) > 8 * DBL_EPSILON * length3(p) * length3(q) * length3(r))
        return about > 0 ? 1 : -1;
    double e[24];
    int n = grow_by_product(e, 0, p.x, q.y, r.z);
    n = grow_by_product(e, n, p.y, q.z, r.x);
    n = grow_by_product(e, n, p.z, q.x, r.y);
    n = grow_by_product(e, n, -p.x, q.z, r.y);
    n = grow_by_product(e, n, -p.y, q.x, r.z);
    n = grow_by_product(e, n, -p.z, q.y, r.x);
    while (n && !(fabs(e[n - 1]) > 0))
        n--;
    return n ? (e[n - 1] > 0 ? 1 : -1) : 0;
}

/* 1 if the origin is in the tetrahedron of the rounded corners. */
static int holds_origin(const simplex *s)
{
    const vec3 p = s->c[0].w, q = s->c[1].w, r = s->c[2].w, t = s->c[3].w;
    const int side[4] = {side_of(q, r, t), -side_of(p, r, t), side_of(p, q, t), -side_of(p, q, r)};
    int most = 0, least = 0;
    for (int k = 0; k < 4; k++) {
        most = side[k] > most ? side[k] : most;
        least = side[k] < least ? side[k] : least;
    }
    return most > least && !(most && least);
}

#endif
