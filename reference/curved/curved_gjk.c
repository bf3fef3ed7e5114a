/* GJK on corners that are computed as they are met. What it returns is a proof, whatever the way there: an
 * axis, judged by its gap, and a convex combination of points of D. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "reference/curved/curved.h"
#include "reference/methods/nearest3.h"

enum { CAP = 400, PATIENCE = 6 };

typedef struct search {
    ref_corner simplex[4]; /* w is less the target */
    int count;
    ref_real weight[4];
    ref_real normal[3];
    ref_real distance;
    bool inside;
} search;

static ref_real lesser(ref_real p, ref_real q)
{
    return p < q ? p : q;
}

static ref_real volume(const ref_real p[3], const ref_real q[3], const ref_real r[3])
{
    ref_real n[3];
    ref_cross(n, q, r);
    return ref_inner(p, n);
}

/* Of a tetrahedron that holds the origin. */
static void weigh_volumes(search *s)
{
    const ref_real *p = s->simplex[0].w, *q = s->simplex[1].w, *r = s->simplex[2].w, *t = s->simplex[3].w;
    const ref_real part[4] = {fabsl(volume(q, r, t)), fabsl(volume(p, r, t)), fabsl(volume(p, q, t)),
                              fabsl(volume(p, q, r))};
    const ref_real sum = part[0] + part[1] + part[2] + part[3];
    for (int k = 0; k < 4; k++)
        s->weight[k] = part[k] / sum;
}

static void point_of(const search *s, ref_real at[3])
{
    at[0] = at[1] = at[2] = 0;
    for (int k = 0; k < s->count; k++)
        for (int m = 0; m < 3; m++)
            at[m] += s->weight[k] * s->simplex[k].w[m];
}

/* In a flat one volumes are coarse: what the weights are off by, weighed once more. */
static void refine(search *s)
{
    ref_real at[3], more[4];
    point_of(s, at);
    for (int k = 0; k < 4; k++) {
        const ref_real *p = s->simplex[k == 0].w, *q = s->simplex[k < 2 ? 2 : 1].w, *r = s->simplex[k < 3 ? 3 : 2].w;
        ref_real e[3], f[3], g[3], n[3];
        for (int m = 0; m < 3; m++) {
            e[m] = q[m] - p[m];
            f[m] = r[m] - p[m];
            g[m] = s->simplex[k].w[m] - p[m];
        }
        ref_cross(n, e, f);
        more[k] = -ref_inner(at, n) / ref_inner(g, n);
    }
    for (int k = 0; k < 4; k++) {
        const ref_real weight = s->weight[k] + more[k];
        s->weight[k] = weight > 0 ? weight : 0; /* also of NaN */
    }
}

/* The point as its weights make it, which is in D however they were found. */
static void measure(search *s)
{
    ref_real at[3], sum = 0;
    point_of(s, at);
    for (int k = 0; k < s->count; k++)
        sum += s->weight[k];
    for (int k = 0; k < s->count; k++)
        s->weight[k] /= sum;
    s->distance = sqrtl(ref_inner(at, at)) / sum;
}

/* Drops what the nearest point does not need. */
static void take_nearest(search *s, const ref_nearest3l *nearest)
{
    int kept = 0;
    for (int k = 0; k < s->count; k++) {
        if (nearest->weight[k] > 0) {
            s->simplex[kept] = s->simplex[k];
            s->weight[kept++] = nearest->weight[k];
        }
    }
    s->count = kept;
    memcpy(s->normal, nearest->normal, sizeof s->normal);
    measure(s);
}

static void reduce_of(search *s, int count)
{
    ref_real w[4][3];
    for (int k = 0; k < count; k++)
        memcpy(w[k], s->simplex[k].w, sizeof w[k]);
    const ref_nearest3l nearest = ref_nearest_simplex3l((const ref_real(*)[3])w, count, 0);
    s->count = count;
    s->inside = nearest.count == 4;
    if (!s->inside)
        take_nearest(s, &nearest);
}

/* The same as far as it is the newest vertex that leads nearer, which it does until rounding ends that; `coarse`: found in
 * double. False: it does not. */
static bool reduce_by_newest(search *s, bool coarse)
{
    const unsigned newest = 1u << (s->count - 1);
    const ref_real before = s->distance;
    ref_real w[4][3];
    double rounded[4][3];
    ref_nearest3l nearest = {.count = 0};
    for (int k = 0; k < s->count; k++) {
        for (int m = 0; m < 3; m++) {
            w[k][m] = s->simplex[k].w[m];
            rounded[k][m] = (double)w[k][m];
        }
    }
    if (coarse) {
        const ref_nearest3 found = ref_nearest_simplex3((const double(*)[3])rounded, s->count, newest);
        nearest.count = found.count;
        for (int k = 0; k < 4; k++) {
            nearest.weight[k] = found.weight[k];
            nearest.normal[k % 3] = found.normal[k % 3];
        }
        ref_unit(nearest.normal, nearest.normal);
    } else {
        nearest = ref_nearest_simplex3l((const ref_real(*)[3])w, s->count, newest);
    }
    if (nearest.count == 4 || !(ref_inner(nearest.normal, nearest.normal) > 0.5L))
        return false;
    s->inside = false;
    take_nearest(s, &nearest);
    return s->count > 0 && s->distance < before;
}

/* A tetrahedron seems to hold the origin. Where its weights do not bear that out, it was flat, and a face is nearer. */
static void reduce(search *s, bool coarse)
{
    const search all = *s;
    if (s->count > 1 && reduce_by_newest(s, coarse))
        return;
    *s = all;
    reduce_of(s, s->count);
    if (!s->inside)
        return;
    weigh_volumes(s);
    refine(s);
    refine(s);
    measure(s);
    for (int left_out = 0; left_out < 4; left_out++) {
        search face = all;
        face.simplex[left_out] = all.simplex[3];
        reduce_of(&face, 3);
        if (face.distance < s->distance)
            *s = face;
    }
}

static void take(const search *s, ref_near *out)
{
    for (int m = 0; m < 3; m++) {
        out->normal[m] = s->normal[m];
        for (int side = 0; side < 2; side++) {
            out->point[side][m] = 0;
            for (int k = 0; k < s->count; k++)
                out->point[side][m] += s->weight[k] * s->simplex[k].place[side][m];
        }
    }
}

static bool known(const search *s, const ref_corner *c)
{
    for (int k = 0; k < s->count; k++) {
        const ref_real *w = s->simplex[k].w;
        if (w[0] == c->w[0] && w[1] == c->w[1] && w[2] == c->w[2])
            return true;
    }
    return false;
}

static ref_corner corner(const ref_curved *curved, const ref_real target[3], const ref_real n[3])
{
    ref_corner c = ref_curved_corner(curved, n);
    for (int m = 0; m < 3; m++)
        c.w[m] -= target[m];
    return c;
}

void ref_curved_nearest(const ref_curved *curved, const ref_real target[3], const ref_real from[3],
                        ref_real width, bool points, ref_near *out)
{
    search s = {.count = 1, .weight = {1}, .normal = {1, 0, 0}};
    if (ref_inner(from, from) > 0)
        ref_unit(s.normal, from);
    s.simplex[0] = corner(curved, target, s.normal);
    *out = (ref_near){.upper = HUGE_VALL, .lower = ref_inner(s.normal, s.simplex[0].w), .corners = 1};
    memcpy(out->axis, s.normal, sizeof out->axis);
    take(&s, out);
    ref_real tightest = HUGE_VALL;
    const bool coarse = width > 0x1p-36L * curved->size;
    for (int stuck = 0; stuck < PATIENCE && out->corners < CAP; stuck++) {
        reduce(&s, coarse);
        if (s.distance < out->upper) {
            out->upper = s.distance;
            stuck = 0;
        }
        const bool flat = curved->dim == 2 && s.normal[2] != 0; /* a triangle of the plane holds the origin */
        if (s.inside || flat || !(ref_inner(s.normal, s.normal) > 0.5L)) {
            if (s.distance < tightest) {
                take(&s, out);
                memcpy(out->normal, out->axis, sizeof out->normal);
            }
            return;
        }
        const ref_corner next = corner(curved, target, s.normal);
        const ref_real gap = ref_inner(s.normal, next.w);
        out->corners++;
        if (gap > out->lower) {
            out->lower = gap;
            memcpy(out->axis, s.normal, sizeof out->axis);
            stuck = 0;
        }
        if (lesser(s.distance, s.distance - gap) < tightest) {
            tightest = lesser(s.distance, s.distance - gap);
            take(&s, out);
            stuck = 0;
            if (gap < 0) /* points of what holds the target, or all but: it has no normal */
                memcpy(out->normal, out->axis, sizeof out->normal);
        }
        if ((points ? tightest : out->upper - out->lower) <= width || known(&s, &next))
            return;
        s.simplex[s.count++] = next;
    }
}
