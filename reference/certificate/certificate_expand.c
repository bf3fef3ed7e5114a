/* Polytopes that grow inside D towards its nearest face; faces that have the origin outside grow first. */
#include <stdlib.h>
#include <string.h>

#include "reference/certificate/certificate_search.h"
#include "reference/methods/surface3.h"

enum { MOST_OF_VERTICES = 20000, MOST_OF_CURVES = 700 };

typedef struct growth {
    const ref_maker *m;
    ref_made_corner *corners;
    uint32_t count, room;
    ref_real met;
    ref_surface3 surface;
    struct plane {
        ref_real outward[3], distance;
        bool flat;
    } * planes;
    uint32_t plane_room;
    uint32_t fresh; /* the corner that faces are asked about */
} growth;

static uint32_t most_of(const ref_maker *m)
{
    return m->side[0].curved || m->side[1].curved ? MOST_OF_CURVES : MOST_OF_VERTICES;
}

static void add(growth *g, const ref_made_corner *corner)
{
    g->corners = ref_grown(g->corners, &g->room, g->count + 1, sizeof *g->corners);
    g->corners[g->count++] = *corner;
}

/* Of D, farthest out along n. */
static ref_made_corner farthest(const growth *g, const ref_real n[3])
{
    const ref_real back[3] = {-n[0], -n[1], -n[2]};
    return ref_made_support(g->m, -1, NULL, back);
}

static void less(ref_real out[3], const ref_real p[3], const ref_real q[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = p[k] - q[k];
}

/* ---- in the plane ---- */

static bool same(const ref_made_corner *p, const ref_made_corner *q)
{
    return p->w[0] == q->w[0] && p->w[1] == q->w[1];
}

static bool known(const growth *g, const ref_made_corner *corner)
{
    bool found = false;
    for (uint32_t k = 0; k < g->count && !found; k++)
        found = same(corner, &g->corners[k]);
    return found;
}

static void put(growth *g, uint32_t at, const ref_made_corner *corner)
{
    add(g, corner);
    memmove(g->corners + at + 1, g->corners + at, (g->count - 1 - at) * sizeof *g->corners);
    g->corners[at] = *corner;
}

static void expand_in_plane(growth *g, const ref_real from[3], ref_made_polytope *out)
{
    const ref_real around[4][3] = {
        {from[0], from[1]}, {-from[1], from[0]}, {-from[0], -from[1]}, {from[1], -from[0]}};
    for (int k = 0; k < 4; k++) {
        const ref_made_corner corner = farthest(g, around[k]);
        if (!known(g, &corner))
            add(g, &corner);
    }
    while (g->count >= 2 && g->count < most_of(g->m)) {
        ref_real least = HUGE_VALL, outward[3] = {0};
        uint32_t at = 0;
        for (uint32_t k = 0; k < g->count; k++) {
            const ref_real *p = g->corners[k].w, *q = g->corners[(k + 1) % g->count].w;
            ref_real n[3] = {q[1] - p[1], p[0] - q[0], 0};
            ref_unit(n, n);
            const ref_real distance = fminl(ref_inner(n, p), ref_inner(n, q));
            if (distance < least) {
                least = distance;
                at = k;
                memcpy(outward, n, sizeof n);
            }
        }
        const ref_made_corner corner = farthest(g, outward);
        if (!(ref_inner(outward, corner.w) - least > g->met) || known(g, &corner))
            break;
        put(g, at + 1, &corner);
    }
    if (g->count < 3)
        return;
    out->faces = calloc(g->count, sizeof *out->faces);
    out->face_count = out->faces ? g->count : 0;
    for (uint32_t k = 0; k < out->face_count; k++) {
        out->faces[k][0] = k;
        out->faces[k][1] = (k + 1) % g->count;
    }
}

/* ---- in space ---- */

static void measure(growth *g)
{
    g->planes = ref_grown(g->planes, &g->plane_room, g->surface.count, sizeof *g->planes);
    for (uint32_t k = 0; k < g->surface.fresh_count; k++) {
        const uint32_t face = g->surface.fresh[k], *v = g->surface.faces[face].v;
        ref_real e[3], f[3];
        struct plane *plane = &g->planes[face];
        less(e, g->corners[v[1]].w, g->corners[v[0]].w);
        less(f, g->corners[v[2]].w, g->corners[v[0]].w);
        ref_cross(plane->outward, e, f);
        plane->flat = !(ref_unit(plane->outward, plane->outward) > 0x1p-100L * g->m->size * g->m->size);
        plane->distance = ref_inner(plane->outward, g->corners[v[0]].w);
    }
}

static bool sees(void *context, uint32_t face)
{
    const growth *g = context;
    const struct plane *plane = &g->planes[face];
    return ref_inner(plane->outward, g->corners[g->fresh].w) - plane->distance > g->met / 16;
}

static bool tetrahedron(growth *g, const ref_real from[3])
{
    ref_real along[3], e[3], n[3] = {0}, first[3], second[3];
    ref_unit(along, from);
    ref_across(along, first, second);
    const ref_real back[3] = {-along[0], -along[1], -along[2]};
    const ref_made_corner ends[2] = {farthest(g, along), farthest(g, back)};
    add(g, &ends[0]);
    add(g, &ends[1]);
    less(e, ends[0].w, ends[1].w);
    if (!(ref_unit(e, e) > 0))
        return false;
    ref_across(e, first, second);
    const ref_real *ways[4] = {first, second, (ref_real[3]){-first[0], -first[1], -first[2]},
                               (ref_real[3]){-second[0], -second[1], -second[2]}};
    ref_made_corner third = {0};
    ref_real most = 0;
    for (int k = 0; k < 4; k++) {
        const ref_made_corner corner = farthest(g, ways[k]);
        ref_real f[3], c[3];
        less(f, corner.w, ends[1].w);
        ref_cross(c, e, f);
        const ref_real aside = ref_unit(c, c);
        if (aside > most) {
            most = aside;
            third = corner;
            memcpy(n, c, sizeof n);
        }
    }
    if (!(most > 0x1p-50L * g->m->size))
        return false;
    add(g, &third);
    const ref_real down[3] = {-n[0], -n[1], -n[2]};
    ref_made_corner up = farthest(g, n), low = farthest(g, down);
    const ref_real base = ref_inner(n, ends[1].w), above = ref_inner(n, up.w) - base,
                   below = base - ref_inner(n, low.w);
    if (!(fmaxl(above, below) > 0x1p-50L * g->m->size))
        return false;
    add(g, above > below ? &up : &low);
    /* n is that of (1, 0, third) counter-clockwise; the last vertex must see 0, 1, 2 clockwise. */
    ref_real f[3], c[3], d[3];
    less(e, g->corners[1].w, g->corners[0].w);
    less(f, g->corners[2].w, g->corners[0].w);
    ref_cross(c, e, f);
    less(d, g->corners[3].w, g->corners[0].w);
    if (ref_inner(c, d) > 0) {
        const ref_made_corner swap = g->corners[0];
        g->corners[0] = g->corners[1];
        g->corners[1] = swap;
    }
    return true;
}

static void expand_in_space(growth *g, const ref_real from[3], ref_made_polytope *out)
{
    if (!tetrahedron(g, from))
        return;
    ref_surface3_open(&g->surface);
    measure(g);
    while (g->count < most_of(g->m)) {
        ref_real least = HUGE_VALL;
        uint32_t at = 0;
        for (uint32_t k = 0; k < g->surface.count; k++) {
            if (!g->surface.faces[k].gone && !g->planes[k].flat && g->planes[k].distance < least) {
                least = g->planes[k].distance;
                at = k;
            }
        }
        if (!isfinite(least))
            break;
        const ref_made_corner corner = farthest(g, g->planes[at].outward);
        if (!(ref_inner(g->planes[at].outward, corner.w) - least > g->met))
            break;
        add(g, &corner);
        g->fresh = g->count - 1;
        if (!ref_surface3_extend(&g->surface, at, g->fresh, sees, g)) {
            g->count--;
            break;
        }
        measure(g);
    }
    out->faces = calloc(g->surface.count, sizeof *out->faces);
    for (uint32_t k = 0; k < g->surface.count && out->faces; k++)
        if (!g->surface.faces[k].gone)
            memcpy(out->faces[out->face_count++], g->surface.faces[k].v, sizeof *out->faces);
}

void ref_made_expand(const ref_maker *m, const ref_real from[3], ref_made_polytope *out)
{
    /* Corners of curves are rounded to double. */
    growth g = {.m = m, .met = (m->side[0].curved || m->side[1].curved ? 0x1p-51L : 0x1p-61L) * m->size};
    *out = (ref_made_polytope){0};
    (m->dim == 2 ? expand_in_plane : expand_in_space)(&g, from, out);
    ref_surface3_free(&g.surface);
    free(g.planes);
    out->corners = g.corners;
    out->corner_count = g.count;
}
