/* A polytope of vertices of D as a proof of depth.
 *
 * Let the surface be closed, and wind about the origin other than 0 times. No
 * point nearer to the origin than every face then winds differently, so each is
 * enclosed by vertices of D and belongs to it, D being convex. Nothing is
 * also asked of the surface: neither that it is convex nor that it does not
 * cross itself. */
#include "grading/bounds_private.h"

#include <float.h>
#include <stdlib.h>

/* Edges of the surface, in lists by their lower vertex. */
typedef struct edge {
    uint32_t to, next;
    int balance; /* times walked upwards less times walked downwards */
} edge;

/* What is needed of the scratch memory. */
typedef struct surface {
    real (*at)[3];
    real *length;
    edge *edges;
    uint32_t *first, edge_count;
} surface;

static const uint32_t none = UINT32_MAX;

static int reserve(gjb_placed_pair *placed, surface *s)
{
    const ref_polytope3 *p = &placed->polytope;
    const size_t vertices = p->vertex_count, edges = 3 * (size_t)p->face_count;
    /* Never nothing: no offset is taken from NULL then. */
    const size_t bytes = vertices * (4 * sizeof(real) + sizeof(uint32_t)) + edges * sizeof(edge) + 1;
    if (bytes > placed->scratch_size) {
        void *more = realloc(placed->scratch, bytes);
        if (!more)
            return -1;
        placed->scratch = more;
        placed->scratch_size = bytes;
    }
    s->at = placed->scratch;
    s->length = (real *)(s->at + vertices);
    s->edges = (edge *)(s->length + vertices);
    s->first = (uint32_t *)(s->edges + edges);
    s->edge_count = 0;
    return 0;
}

static int place_vertices(const gjb_placed_pair *placed, surface *s)
{
    const ref_polytope3 *p = &placed->polytope;
    for (uint32_t v = 0; v < p->vertex_count; v++) {
        const uint32_t i = p->vertices[v][0], j = p->vertices[v][1];
        if (i >= placed->space[0].count || j >= placed->space[1].count)
            return 0;
        real a[3], b[3];
        gjb_image3(&placed->space[0], i, a);
        gjb_image3(&placed->space[1], j, b);
        gjb_sub3(b, a, s->at[v]);
        s->length[v] = gjb_length3(s->at[v]);
        s->first[v] = none;
    }
    return 1;
}

static void walk(surface *s, uint32_t from, uint32_t to)
{
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    uint32_t at = s->first[low];
    while (at != none && s->edges[at].to != high)
        at = s->edges[at].next;
    if (at == none) {
        at = s->edge_count++;
        s->edges[at] = (edge){high, s->first[low], 0};
        s->first[low] = at;
    }
    s->edges[at].balance += from < to ? 1 : -1;
}

static int is_closed(const ref_polytope3 *p, surface *s)
{
    for (uint32_t f = 0; f < p->face_count; f++) {
        const uint32_t *v = p->faces[f];
        if (v[0] >= p->vertex_count || v[1] >= p->vertex_count || v[2] >= p->vertex_count)
            return 0;
        for (int k = 0; k < 3; k++)
            if (v[k] != v[(k + 1) % 3])
                walk(s, v[k], v[(k + 1) % 3]);
    }
    for (uint32_t e = 0; e < s->edge_count; e++)
        if (s->edges[e].balance)
            return 0;
    return p->face_count > 0;
}

/* Six times the signed volume of the face and the origin. */
static real volume(const surface *s, const uint32_t v[3])
{
    real n[3];
    gjb_cross3(s->at[v[1]], s->at[v[2]], n);
    return gjb_dot3(s->at[v[0]], n);
}

/* Solid angle of the face from the origin (van Oosterom and Strackee 1983). */
static real solid_angle(const surface *s, const uint32_t v[3])
{
    const real *p = s->at[v[0]], *q = s->at[v[1]], *r = s->at[v[2]];
    const real lp = s->length[v[0]], lq = s->length[v[1]], lr = s->length[v[2]];
    real below = lp * lq * lr + gjb_dot3(p, q) * lr + gjb_dot3(q, r) * lp + gjb_dot3(r, p) * lq;
    return 2 * atan2l(volume(s, v), below);
}

/* Does the surface wind about the origin? With every face certainly turned the
 * same way it does; else the solid angles are added up, which are exact enough
 * unless a sliver comes very near to the origin. */
static int winds(const ref_polytope3 *p, const surface *s, int far_enough)
{
    int ways = 0;
    real total = 0;
    for (uint32_t f = 0; f < p->face_count; f++) {
        const uint32_t *v = p->faces[f];
        real six = volume(s, v), doubt = 64 * LDBL_EPSILON * s->length[v[0]] * s->length[v[1]] * s->length[v[2]];
        ways |= six > doubt ? 1 : six < -doubt ? 2 : 4;
    }
    if (ways == 1 || ways == 2)
        return 1;
    for (uint32_t f = 0; far_enough && f < p->face_count; f++)
        total += solid_angle(s, p->faces[f]);
    return fabsl(total) > 6; /* 4 pi times a whole number */
}

static real least_along(const surface *s, const uint32_t v[3], const real n[3])
{
    return fminl(gjb_dot3(s->at[v[0]], n), fminl(gjb_dot3(s->at[v[1]], n), gjb_dot3(s->at[v[2]], n)));
}

/* How far the face is from the origin, at least, and along which direction:
 * its normal proves it, or, of a sliver, the nearest point. */
static real face_distance(const surface *s, const uint32_t v[3], real nearest, real direction[3])
{
    const real *p = s->at[v[0]], *q = s->at[v[1]], *r = s->at[v[2]];
    real e[3], f[3], weights[3], best = 0;
    gjb_sub3(q, p, e);
    gjb_sub3(r, p, f);
    gjb_cross3(e, f, direction);
    if (gjb_normalise3(direction)) {
        real sign = gjb_dot3(direction, p) < 0 ? -1 : 1;
        for (int k = 0; k < 3; k++)
            direction[k] *= sign;
        best = least_along(s, v, direction);
        if (best >= nearest)
            return best;
    }
    real to[3];
    gjb_triangle_nearest3(p, q, r, weights);
    for (int k = 0; k < 3; k++)
        to[k] = weights[0] * p[k] + weights[1] * q[k] + weights[2] * r[k];
    real other = gjb_normalise3(to) ? least_along(s, v, to) : 0;
    if (other > best) {
        best = other;
        for (int k = 0; k < 3; k++)
            direction[k] = to[k];
    }
    return best;
}

int gjb_inner_radius3(gjb_placed_pair *placed, real *radius, real normal[3])
{
    const ref_polytope3 *p = &placed->polytope;
    surface s;
    *radius = 0;
    if (reserve(placed, &s))
        return -1;
    if (!p->face_count || !place_vertices(placed, &s) || !is_closed(p, &s))
        return 0;
    real nearest = INFINITY, direction[3];
    for (uint32_t f = 0; f < p->face_count; f++) {
        real distance = face_distance(&s, p->faces[f], nearest, direction);
        if (distance < nearest) {
            nearest = distance;
            for (int k = 0; k < 3; k++)
                normal[k] = direction[k];
        }
    }
    /* What moves no face across the origin changes no winding: rounding does not. */
    if (nearest > 8 * placed->error && winds(p, &s, nearest > 0x1p-40L * placed->size))
        *radius = nearest;
    return 0;
}
