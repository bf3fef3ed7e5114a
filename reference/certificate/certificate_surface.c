/* The step by a polytope of vertices of D: closed, around the origin, and how far out. Exact.
 *
 * A closed surface splits space into regions of one winding number each, and that far away is 0. Where it is
 * not 0 at the origin, it is the same, so not 0, at every point nearer than the nearest face; each such
 * point lies in the hull of the surface, and so in D. */
#include "reference/certificate/certificate_grid.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct edge {
    uint32_t low, high;
    int way;
} edge;

static int by_ends(const void *p, const void *q)
{
    const edge *e = p, *f = q;
    return e->low != f->low ? (e->low > f->low) - (e->low < f->low)
                            : (e->high > f->high) - (e->high < f->high);
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("gjkbench: out of memory in a certificate\n", stderr);
        abort();
    }
    return memory;
}

/* Each directed edge as often as its reverse; in the plane each vertex is left as often as reached. */
static int closed(const ref_certificate *c, uint32_t dim, ref_certified *verdict)
{
    const size_t count = (size_t)c->face_count * dim;
    edge *edges = room(count, sizeof *edges);
    for (uint32_t f = 0; f < c->face_count; f++) {
        const uint32_t *v = c->faces[f];
        for (uint32_t k = 0; k < dim; k++) {
            const uint32_t from = v[k], to = v[(k + 1) % dim];
            edges[(size_t)f * dim + k] = dim == 2    ? (edge){from, 0, k == 0 ? 1 : -1}
                                         : from < to ? (edge){from, to, 1}
                                                     : (edge){to, from, from == to ? 0 : -1};
        }
    }
    qsort(edges, count, sizeof *edges, by_ends);
    int failed = 0;
    int64_t sum = 0;
    for (size_t e = 0; e < count && !failed; e++) {
        sum += edges[e].way;
        if ((e + 1 == count || by_ends(&edges[e], &edges[e + 1])) && sum)
            failed = dim == 2
                         ? ref_cert_refuse(verdict, "polytope: not closed at vertex %u", edges[e].low)
                         : ref_cert_refuse(verdict, "polytope: not closed at the edge of vertices %u and %u",
                                           edges[e].low, edges[e].high);
    }
    free(edges);
    return failed;
}

typedef struct surface {
    uint32_t dim;
    const ref_certificate *c;
    ref_lattice *at;
    ref_lattice e, f, n; /* scratch */
    mpz_t t, u, v, w;
} surface;

/* A nearer one replaces what was nearest; t / u >= 0 squared. */
static void take_nearer(surface *s, ref_cert_bound *nearest, bool *some)
{
    mpz_mul(s->v, s->t, nearest->below);
    mpz_mul(s->w, nearest->above, s->u);
    if (!*some || mpz_cmp(s->v, s->w) < 0) {
        mpz_set(nearest->above, s->t);
        mpz_set(nearest->below, s->u);
        *some = true;
    }
}

static void less(ref_lattice *out, const ref_lattice *p, const ref_lattice *q)
{
    for (int m = 0; m < 3; m++)
        mpz_sub(out->x[m], p->x[m], q->x[m]);
}

/* A corner, or the foot on an edge. That all are points of the face is what matters; the nearest point of it
 * is among those of the corners, the edges and the inside. */
static void near_edge(surface *s, const ref_lattice *p, const ref_lattice *q, ref_cert_bound *nearest,
                      bool *some)
{
    ref_cert_inner(s->t, p, p);
    mpz_set_ui(s->u, 1);
    take_nearer(s, nearest, some);
    less(&s->e, q, p);
    ref_cert_inner(s->v, p, &s->e);
    ref_cert_inner(s->w, q, &s->e);
    if (mpz_sgn(s->v) < 0 && mpz_sgn(s->w) > 0) { /* between both ends */
        ref_cert_cross(&s->n, p, q);
        ref_cert_inner(s->t, &s->n, &s->n);
        ref_cert_inner(s->u, &s->e, &s->e);
        take_nearer(s, nearest, some);
    }
}

/* The foot on the plane of a triangle, if it is inside. */
static void near_inside(surface *s, const ref_lattice *const p[3], ref_cert_bound *nearest, bool *some)
{
    ref_lattice side;
    less(&s->e, p[1], p[0]);
    less(&s->f, p[2], p[0]);
    ref_cert_cross(&s->n, &s->e, &s->f);
    ref_cert_inner(s->u, &s->n, &s->n);
    bool inside = mpz_sgn(s->u) > 0;
    ref_lattice_init(&side);
    for (int k = 0; k < 3 && inside; k++) { /* (p x q) . n >= 0: the foot is left of each edge */
        ref_cert_cross(&side, p[k], p[(k + 1) % 3]);
        ref_cert_inner(s->t, &side, &s->n);
        inside = mpz_sgn(s->t) >= 0;
    }
    ref_lattice_clear(&side);
    if (inside) {
        ref_cert_inner(s->t, p[0], &s->n);
        mpz_mul(s->t, s->t, s->t);
        take_nearer(s, nearest, some);
    }
}

static void nearest_face(surface *s, ref_cert_bound *nearest)
{
    bool some = false;
    for (uint32_t f = 0; f < s->c->face_count; f++) {
        const uint32_t *v = s->c->faces[f];
        const ref_lattice *p[3] = {&s->at[v[0]], &s->at[v[1]], &s->at[v[s->dim - 1]]};
        if (s->dim == 2) {
            near_edge(s, p[0], p[1], nearest, &some);
            near_edge(s, p[1], p[0], nearest, &some);
            continue;
        }
        for (int k = 0; k < 3; k++)
            near_edge(s, p[k], p[(k + 1) % 3], nearest, &some);
        near_inside(s, p, nearest, &some);
    }
}

/* Crossings of the ray along +x, upwards less downwards; an edge owns its lower end. The origin is on no
 * edge. */
static long winding_in_plane(surface *s)
{
    long turns = 0;
    for (uint32_t f = 0; f < s->c->face_count; f++) {
        const ref_lattice *p = &s->at[s->c->faces[f][0]], *q = &s->at[s->c->faces[f][1]];
        const bool from_below = mpz_sgn(p->x[1]) <= 0, to_below = mpz_sgn(q->x[1]) <= 0;
        if (from_below == to_below)
            continue;
        mpz_mul(s->t, p->x[0], q->x[1]);
        mpz_submul(s->t, p->x[1], q->x[0]);
        if (from_below && mpz_sgn(s->t) > 0)
            turns++;
        else if (to_below && mpz_sgn(s->t) < 0)
            turns--;
    }
    return turns;
}

/* Sign of u . (p x q). */
static int side_of(surface *s, const ref_lattice *u, const ref_lattice *p, const ref_lattice *q)
{
    ref_cert_cross(&s->n, p, q);
    ref_cert_inner(s->t, u, &s->n);
    return mpz_sgn(s->t);
}

static bool parallel(surface *s, const ref_lattice *p, const ref_lattice *q)
{
    ref_cert_cross(&s->n, p, q);
    return mpz_sgn(s->n.x[0]) == 0 && mpz_sgn(s->n.x[1]) == 0 && mpz_sgn(s->n.x[2]) == 0;
}

/* Is the face part of a line through the origin, of which u is no direction? Then the ray misses it, whichever u
 * that is. The origin is on no face, so no corner is 0. */
static bool misses_line(surface *s, const ref_lattice *u, const ref_lattice *p, const ref_lattice *q,
                        const ref_lattice *r)
{
    return parallel(s, p, q) && parallel(s, q, r) && !parallel(s, u, p);
}

/* Crossings of the ray along u. False if it meets an edge or a corner, or nearly might: another one will
 * do. */
static bool winding_along(surface *s, const ref_lattice *u, long *turns)
{
    *turns = 0;
    for (uint32_t f = 0; f < s->c->face_count; f++) {
        const uint32_t *v = s->c->faces[f];
        const ref_lattice *p = &s->at[v[0]], *q = &s->at[v[1]], *r = &s->at[v[2]];
        const int pq = side_of(s, u, p, q), qr = side_of(s, u, q, r), rp = side_of(s, u, r, p);
        const int least = pq < qr ? (pq < rp ? pq : rp) : (qr < rp ? qr : rp);
        const int most = pq > qr ? (pq > rp ? pq : rp) : (qr > rp ? qr : rp);
        if ((least < 0 && most > 0) || (least == 0 && most == 0 && misses_line(s, u, p, q, r)))
            continue; /* the line passes outside */
        if (least == 0 || most == 0)
            return false;
        /* u = (qr p + rp q + pq r) / volume: a ray, not its other half, if signs agree. */
        const int volume = side_of(s, p, q, r);
        *turns += volume == least ? volume : 0;
    }
    return true;
}

enum { RAYS = 64 };

static int winding_in_space(surface *s, long *turns, ref_certified *verdict)
{
    ref_lattice u;
    bool clear = false;
    ref_lattice_init(&u);
    for (long k = 0; k < RAYS && !clear; k++) {
        mpz_set_si(u.x[0], 1000003 + 7919 * k * k);
        mpz_set_si(u.x[1], 514229 - 104729 * k);
        mpz_set_si(u.x[2], k % 2 ? -317811 - 65537 * k : 317811 + 65537 * k);
        clear = winding_along(s, &u, turns);
    }
    ref_lattice_clear(&u);
    return clear ? 0
                 : ref_cert_refuse(verdict, "polytope: each of %d rays from the origin meets an edge", RAYS);
}

static int name_what_exists(const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    for (uint32_t v = 0; v < c->vertex_count; v++) {
        for (int side = 0; side < 2; side++) {
            if (c->vertices[v][side] >= g->side[side].count)
                return ref_cert_refuse(verdict, "polytope.vertices[%u][%d]: corner %u of %u", v, side,
                                       c->vertices[v][side], g->side[side].count);
        }
    }
    for (uint32_t f = 0; f < c->face_count; f++) {
        for (uint32_t k = 0; k < g->dim; k++) {
            if (c->faces[f][k] >= c->vertex_count)
                return ref_cert_refuse(verdict, "polytope.faces[%u][%u]: vertex %u of %u", f, k,
                                       c->faces[f][k], c->vertex_count);
        }
    }
    return 0;
}

int ref_cert_polytope(const ref_cert_grid *g, const ref_certificate *c, ref_cert_bound *bound,
                      ref_certified *verdict)
{
    if (name_what_exists(g, c, verdict) || closed(c, g->dim, verdict))
        return -1;
    surface s = {.dim = g->dim, .c = c, .at = room(c->vertex_count, sizeof *s.at)};
    for (uint32_t v = 0; v < c->vertex_count; v++) {
        ref_lattice_init(&s.at[v]);
        ref_cert_corner(g, c->vertices[v], &s.at[v]);
    }
    ref_lattice_init(&s.e);
    ref_lattice_init(&s.f);
    ref_lattice_init(&s.n);
    mpz_inits(s.t, s.u, s.v, s.w, NULL);
    long turns = 0;
    int failed = 0;
    nearest_face(&s, bound);
    bound->way = -mpz_sgn(bound->above);
    if (bound->way) { /* else the origin is on a face, and so in D, however the surface winds */
        if (g->dim == 2)
            turns = winding_in_plane(&s);
        else
            failed = winding_in_space(&s, &turns, verdict);
        if (!failed && turns == 0)
            failed = ref_cert_refuse(verdict, "polytope: does not wind about the origin");
    }
    for (uint32_t v = 0; v < c->vertex_count; v++)
        ref_lattice_clear(&s.at[v]);
    free(s.at);
    ref_lattice_clear(&s.e);
    ref_lattice_clear(&s.f);
    ref_lattice_clear(&s.n);
    mpz_clears(s.t, s.u, s.v, s.w, NULL);
    return failed;
}
