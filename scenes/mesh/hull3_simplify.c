/* Reduces a hull to a number of its vertices, the farthest first, and measures the deviation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/mesh/hull3_parts.h"

enum {
    LEAST = 4,
    ALONE = 256, /* so many vertices come one at a time, then one in SHARE of those there are */
    SHARE = 64
};

enum { OUT = 0, KEPT = 1, INSIDE = 2 }; /* INSIDE: on the hull so far, or in it */

typedef struct plane {
    double normal[3]; /* outwards, of any length */
    double at[3];     /* the triangle's first vertex */
} plane;

/* The hull so far, and how far the other vertices lie from it. */
typedef struct chooser {
    const double (*all)[3]; /* vertices of the whole hull, scaled */
    uint32_t total, dimension;
    gjb_hull3 inner;
    uint8_t *state;      /* of each vertex: OUT, KEPT or INSIDE */
    uint8_t *fresh;      /* distance is from the hull so far */
    double *distance;    /* else from an earlier one: never too small, as hulls only grow */
    uint32_t *nearest;   /* triangle of the hull so far, if fresh */
    uint8_t *taken;      /* triangles that this round has chosen a vertex for */
    plane *planes;       /* of the triangles of the hull so far */
    uint32_t *queue;     /* heap of the vertices that may lie outside, the farthest first */
    uint32_t waiting;    /* in it */
    uint32_t *chosen;    /* vertices kept, in the order of choosing */
    double (*points)[3]; /* the same */
    uint32_t count;      /* of these */
} chooser;

/* Squared distance of p from the triangle a, b, c: Ericson, "Real-time
 * collision detection", 2005, section 5.1.5, by Voronoi regions. A triangle
 * without area falls into a region of its edges or vertices, or divides 0 by 0,
 * which is then no distance. */
static double triangle_distance2(const double p[3], const double a[3], const double b[3], const double c[3])
{
    double ab[3], ac[3], ap[3], bp[3], cp[3], bc[3];
    gjb_minus3(b, a, ab);
    gjb_minus3(c, a, ac);
    gjb_minus3(c, b, bc);
    gjb_minus3(p, a, ap);
    gjb_minus3(p, b, bp);
    gjb_minus3(p, c, cp);
    const double d1 = gjb_dot3(ab, ap), d2 = gjb_dot3(ac, ap), d3 = gjb_dot3(ab, bp);
    const double d4 = gjb_dot3(ac, bp), d5 = gjb_dot3(ab, cp), d6 = gjb_dot3(ac, cp);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    double u = 0.0, v = 0.0; /* nearest point a + u ab + v ac */
    if (d1 <= 0 && d2 <= 0) {
        u = 0;
    } else if (d3 >= 0 && d4 <= d3) {
        u = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        v = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        u = d1 / (d1 - d3);
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        v = d2 / (d2 - d6);
    } else if (va <= 0 && d4 >= d3 && d5 >= d6) {
        v = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        u = 1 - v;
    } else {
        u = vb / (va + vb + vc);
        v = vc / (va + vb + vc);
    }
    double off[3];
    for (int d = 0; d < 3; d++)
        off[d] = ap[d] - u * ab[d] - v * ac[d];
    return gjb_dot3(off, off);
}

/* Distance of a vertex from the hull so far. A vertex outside is nearest to a
 * triangle that faces it; a flat hull's triangles all count. */
static void measure(chooser *s, uint32_t vertex)
{
    const double *p = s->all[vertex];
    double best = INFINITY;
    for (uint32_t i = 0; i < s->inner.triangle_count; i++) {
        double ap[3];
        gjb_minus3(p, s->planes[i].at, ap);
        if (s->inner.dimension == 3 && !(gjb_dot3(s->planes[i].normal, ap) > 0))
            continue;
        const uint32_t *t = s->inner.triangles[i];
        const double distance2 =
            triangle_distance2(p, s->planes[i].at, s->inner.vertices[t[1]], s->inner.vertices[t[2]]);
        if (distance2 < best) {
            best = distance2;
            s->nearest[vertex] = i;
        }
    }
    s->fresh[vertex] = 1;
    s->distance[vertex] = best < INFINITY ? sqrt(best) : 0;
    if (best == INFINITY || best == 0)
        s->state[vertex] = INSIDE;
}

/* 1 if a comes before b: the farther one, of equals the first vertex. */
static int before(const chooser *s, uint32_t a, uint32_t b)
{
    return s->distance[a] != s->distance[b] ? s->distance[a] > s->distance[b] : a < b;
}

/* Moves the first of the heap down to its place. */
static void sink(chooser *s)
{
    const uint32_t vertex = s->queue[0];
    uint32_t at = 0;
    for (;;) {
        uint32_t next = 2 * at + 1;
        if (next >= s->waiting)
            break;
        if (next + 1 < s->waiting && before(s, s->queue[next + 1], s->queue[next]))
            next++;
        if (before(s, vertex, s->queue[next]))
            break;
        s->queue[at] = s->queue[next];
        at = next;
    }
    s->queue[at] = vertex;
}

/* The vertex that lies farthest out, its distance fresh; UINT32_MAX when none
 * does. Distances only shrink, so that the first of the queue is never too near. */
static uint32_t farthest(chooser *s)
{
    while (s->waiting > 0) {
        const uint32_t first = s->queue[0];
        if (s->state[first] != OUT)
            s->queue[0] = s->queue[--s->waiting];
        else if (s->fresh[first])
            return first;
        else
            measure(s, first);
        if (s->waiting > 0)
            sink(s);
    }
    return UINT32_MAX;
}

static void keep(chooser *s, uint32_t vertex)
{
    s->state[vertex] = KEPT;
    s->chosen[s->count] = vertex;
    memcpy(s->points[s->count++], s->all[vertex], sizeof s->points[0]);
}

/* Ends of the hull's longest coordinate axis, the vertex farthest from their
 * line, and that farthest from the three's plane. */
static void choose_simplex(chooser *s)
{
    uint32_t ends[2], fourth = UINT32_MAX;
    double plane[3], to[3], most = 0.0;
    gjb_hull3_ends(s->all, s->total, ends);
    const uint32_t third = gjb_hull3_third(s->all, s->total, ends, plane);
    keep(s, ends[0]);
    keep(s, ends[1]);
    keep(s, third);
    for (uint32_t i = 0; i < s->total && s->dimension == 3; i++) {
        gjb_minus3(s->all[i], s->all[ends[0]], to);
        if (fabs(gjb_dot3(to, plane)) > most) {
            most = fabs(gjb_dot3(to, plane));
            fourth = i;
        }
    }
    if (fourth != UINT32_MAX)
        keep(s, fourth);
}

static int remake(chooser *s, gjb_error *error)
{
    gjb_hull3_free(&s->inner);
    memset(s->fresh, 0, s->total);
    memset(s->taken, 0, 2 * (size_t)s->total);
    if (gjb_hull3_make((const double(*)[3])s->points, s->count, &s->inner, error) != 0)
        return -1;
    if (s->inner.triangle_count > 2 * s->total)
        return gjb_fail(error, "hull: of %u points: %u triangles, more than any has", s->count,
                        s->inner.triangle_count);
    for (uint32_t i = 0; i < s->inner.triangle_count; i++) {
        const uint32_t *t = s->inner.triangles[i];
        double ab[3], ac[3];
        gjb_minus3(s->inner.vertices[t[1]], s->inner.vertices[t[0]], ab);
        gjb_minus3(s->inner.vertices[t[2]], s->inner.vertices[t[0]], ac);
        gjb_cross3(ab, ac, s->planes[i].normal);
        memcpy(s->planes[i].at, s->inner.vertices[t[0]], sizeof s->planes[i].at);
    }
    return 0;
}

static int choose(chooser *s, uint32_t vertices, gjb_error *error)
{
    choose_simplex(s);
    while (remake(s, error) == 0) {
        const uint32_t room = vertices - s->count, share = s->count < ALONE ? 1 : s->count / SHARE;
        uint32_t next = farthest(s);
        if (next == UINT32_MAX || room == 0)
            return 0;
        const uint32_t round = share < room ? share : room;
        for (uint32_t n = 0; n < round && next != UINT32_MAX && !s->taken[s->nearest[next]]; n++) {
            s->taken[s->nearest[next]] = 1;
            keep(s, next);
            next = farthest(s);
        }
    }
    return -1;
}

/* Back from the scaled copy: vertices as they were, sources counted in `hull`. */
static void deliver(chooser *s, const gjb_hull3 *hull, int exponent, gjb_hull3 *result, double *deviation)
{
    const uint32_t far = farthest(s);
    *deviation = far == UINT32_MAX ? 0.0 : ldexp(s->distance[far], exponent);
    *result = s->inner;
    memset(&s->inner, 0, sizeof s->inner);
    for (uint32_t i = 0; i < result->vertex_count; i++) {
        result->source[i] = s->chosen[result->source[i]];
        memcpy(result->vertices[i], hull->vertices[result->source[i]], sizeof result->vertices[i]);
    }
    result->volume = ldexp(result->volume, 3 * exponent);
}

static int simplify(const gjb_hull3 *hull, uint32_t vertices, gjb_hull3 *result, double *deviation,
                    gjb_error *error)
{
    const size_t n = hull->vertex_count;
    double(*scaled)[3] = malloc(n * sizeof *scaled);
    chooser s = {.all = (const double(*)[3])scaled,
                 .total = hull->vertex_count,
                 .dimension = hull->dimension,
                 .state = calloc(n, 1),
                 .fresh = calloc(n, 1),
                 .distance = malloc(n * sizeof *s.distance),
                 .nearest = malloc(n * sizeof *s.nearest),
                 .taken = malloc(2 * n),
                 .planes = malloc(2 * n * sizeof *s.planes),
                 .queue = malloc(n * sizeof *s.queue),
                 .waiting = hull->vertex_count,
                 .chosen = malloc(n * sizeof *s.chosen),
                 .points = malloc(n * sizeof *s.points)};
    int code = -1;
    if (scaled && s.state && s.fresh && s.distance && s.nearest && s.taken && s.planes && s.queue &&
        s.chosen && s.points) {
        const int exponent = gjb_hull3_scale((const double(*)[3])hull->vertices, n, scaled);
        for (size_t i = 0; i < n; i++) {
            s.distance[i] = INFINITY;
            s.queue[i] = (uint32_t)i;
        }
        code = choose(&s, vertices, error);
        if (code == 0)
            deliver(&s, hull, exponent, result, deviation);
    } else {
        gjb_fail(error, "hull: out of memory for %zu vertices", n);
    }
    gjb_hull3_free(&s.inner);
    void *owned[] = {scaled, s.state, s.fresh, s.distance, s.nearest, s.taken, s.planes, s.queue, s.chosen, s.points};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    return code;
}

int gjb_hull3_simplify(const gjb_hull3 *hull, uint32_t vertices, gjb_hull3 *result, double *deviation,
                       gjb_error *error)
{
    memset(result, 0, sizeof *result);
    if (vertices < LEAST)
        return gjb_fail(error, "hull: vertices: %u, must be at least %d", vertices, LEAST);
    if (hull->vertex_count <= vertices) {
        *deviation = 0.0;
        return gjb_hull3_make((const double(*)[3])hull->vertices, hull->vertex_count, result, error);
    }
    return simplify(hull, vertices, result, deviation, error);
}
