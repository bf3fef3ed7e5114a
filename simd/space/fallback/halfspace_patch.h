/* Contacts of a shape that lies on a half-space: the corners of its feature, cut where the margin ends. In double, in the
 * plane and in space; what it takes from patch3.h also serves other pairs. Part of halfspace.c. */
#ifndef GJB_SIMD_HALFSPACE_PATCH_H
#define GJB_SIMD_HALFSPACE_PATCH_H

/* Whose clipping by another feature is of no use here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "simd/space/patch3.h"
#include "simd/space/round3.h"
#pragma GCC diagnostic pop

/* One pair, the half-space's translation as the origin. */
typedef struct lying {
    int of_b;            /* the half-space is B */
    vec3 n, t, u;        /* out of the half-space, and across */
    vec3 c;              /* the other's translation */
    double height, ball; /* of the plane, without its radius; and that */
    double radius;       /* of the other */
    double most;         /* separation of the cores */
    double narrow;       /* a polygon without inside */
    double deep;         /* a corner that is no higher than the deepest point by more stands for it */
    double as_deep;      /* and one by more than another corner is as deep */
    double grain;
} lying;

static uint32_t vertex_id(const lying *l, unsigned id)
{
    return l->of_b ? FEATURE_VERTEX_A(id) : FEATURE_VERTEX_B(id);
}

static uint32_t margin_id(const lying *l, unsigned id, unsigned end)
{
    return l->of_b ? FEATURE_MARGIN_A(id, end) : FEATURE_MARGIN_B(id, end);
}

/* A point of the feature, h as high as the shape is there. Room is never short: at most MOST_EDGES put two each. */
static void put_at(const lying *l, patch3 *to, double x, double y, double h, uint32_t id)
{
    to->corner[to->count++] = (corner3){x, y, h, -l->height, -(h + l->height), id, 0};
}

/* An edge of the feature, or all of it if it is a segment. */
typedef struct side_edge {
    double x, y, dx, dy;
} side_edge;

static height3 height_along_edge(feature3 *f, const side_edge *e, double t)
{
    return height_over(f, OF_SURFACE, e->x + t * e->dx, e->y + t * e->dy);
}

/* From one end of an edge towards the other to where it is within the margin: steps along the slope, as the separation is
 * convex and made of straight parts. 0 if it is nowhere. */
static int cut_edge(const lying *l, feature3 *f, const side_edge *e, double from, double to, double *end)
{
    enum { STEPS = 64 };
    *end = from;
    for (int step = 0; step < STEPS; step++) {
        const height3 at = height_along_edge(f, e, *end);
        const double over = -(at.h + l->height) - l->most, rate = -(at.gx * e->dx + at.gy * e->dy);
        if (over <= 0 || (step > 0 && over < HEIGHT_DOUBT))
            return 1;
        const double next = *end - over / rate;
        if (!(to > from ? rate < 0 && next <= to : rate > 0 && next >= to))
            return 0;
        *end = next;
    }
    return 1;
}

/* A vertex is as high as it is stored: the plane of a narrow face may be steep. */
static void put_end_of(const lying *l, patch3 *to, feature3 *f, const side_edge *e, double t, unsigned vertex,
                       int cut, uint32_t id)
{
    if (cut)
        put_at(l, to, e->x + t * e->dx, e->y + t * e->dy, height_along_edge(f, e, t).h, id);
    else
        put_at(l, to, f->x[vertex], f->y[vertex], f->h[vertex], vertex_id(l, f->id[vertex]));
}

static void put_edge(const lying *l, patch3 *to, feature3 *f, unsigned p, unsigned q)
{
    const side_edge e = {f->x[p], f->y[p], f->x[q] - f->x[p], f->y[q] - f->y[p]};
    double first = 0, last = 1;
    if (l->most < (double)INFINITY && (!cut_edge(l, f, &e, 0, 1, &first) || !cut_edge(l, f, &e, 1, 0, &last)))
        return;
    if (first > last)
        return;
    put_end_of(l, to, f, &e, first, p, first > 0, margin_id(l, f->id[p], 0));
    if (last > first && (last < 1 || f->corners == 2))
        put_end_of(l, to, f, &e, last, q, last < 1, margin_id(l, f->id[p], 1));
}

/* A point of the other's core and its separation from the plane, as a contact. */
static void put_lying(const lying *l, vec3 core, double separation, uint32_t feature, gjb_answer *answer)
{
    const vec3 shift = l->of_b ? l->c : (vec3){0, 0, 0},
               other = sub3(sub3(core, mul3(l->n, l->radius)), shift),
               plane = sub3(other, mul3(l->n, separation));
    const double points[2][3] = {{other.x * l->grain, other.y * l->grain, other.z * l->grain},
                                 {plane.x * l->grain, plane.y * l->grain, plane.z * l->grain}};
    gjb_answer_contact(answer, points[!l->of_b], points[l->of_b], separation * l->grain, feature);
}

/* `low`: the lowest point of the core. Where it is at no corner it is a contact as well. */
static void put_patch(const lying *l, patch3 *patch, const feature3 *f, uint32_t most, vec3 low,
                      gjb_answer *answer)
{
    const double least = -(f->top + l->height), radii = l->radius + l->ball;
    const corner3 inner = {.x = dot3(l->t, low), .y = dot3(l->u, low)};
    const int apart = patch->count == 0 || patch->corner[deepest_of(patch)].gap > least + l->deep;
    if (apart)
        put_lying(l, low, least - radii, FEATURE_DEEPEST(f->id[f->corner[0]], 0), answer);
    if (apart && most == 2 && patch->count == 2) { /* the end that is farther away */
        const double first = square_between(&patch->corner[0], &inner),
                     second = square_between(&patch->corner[1], &inner);
        patch->corner[0] = patch->corner[second > first];
        patch->count = 1;
    }
    keep_corners(patch, apart && most > 2 ? &inner : NULL, l->as_deep, -(double)INFINITY);
    for (unsigned i = 0; i < patch->count; i++) {
        const corner3 *c = &patch->corner[i];
        const vec3 core = add3(add3(mul3(l->t, c->x), mul3(l->u, c->y)), mul3(l->n, -c->a));
        put_lying(l, core, c->gap - radii, c->feature, answer);
    }
}

/* Rows of the room for a feature: 5 reals and 5 words a vertex. */
static feature3 feature_in(double *room, unsigned each)
{
    uint16_t *words = (uint16_t *)(room + 5 * each);
    return (feature3){.x = room,
                      .y = room + each,
                      .h = room + 2 * each,
                      .u = room + 3 * each,
                      .v = room + 4 * each,
                      .id = words,
                      .corner = words + each,
                      .room = words + 2 * each};
}

static void put_alone(const lying *l, const feature3 *f, double top, vec3 low, gjb_answer *answer)
{
    put_lying(l, low, -(top + l->height) - (l->radius + l->ball), vertex_id(l, f->id[f->corner[0]]), answer);
}

static void put_edges(const lying *l, feature3 *f, uint32_t most, vec3 low, gjb_answer *answer)
{
    patch3 patch;
    patch.count = 0;
    const unsigned edges = f->corners == 2 ? 1 : f->corners, stride = stride_of(f->corners);
    for (unsigned i = 0; i < edges; i += stride)
        put_edge(l, &patch, f, f->corner[i], f->corner[i + 1 < f->corners ? i + 1 : 0]);
    put_patch(l, &patch, f, most, low, answer);
}

/* `view` looks from the other shape towards the plane; most: contacts. */
static void find_lying(const lying *l, const stored3 *stored, const view3 *view, double *room, uint32_t most,
                       vec3 low, gjb_answer *answer)
{
    feature3 f = feature_in(room, stored->count);
    find_feature(&f, stored, view);
    if (f.corners > 1 && l->narrow > NARROW)
        flatten(&f, l->narrow);
    if (f.corners == 1)
        put_alone(l, &f, f.top, low, answer);
    else
        put_edges(l, &f, most, low, answer);
}

static void put_rim(const lying *l, patch3 *to, const feature3 *f, const disc3 *d, const rim3 *at)
{
    double x, y;
    rim_place(d, at, &x, &y);
    const double h = f->ph + f->gx * x + f->gy * y;
    if (-(h + l->height) <= l->most + HEIGHT_DOUBT)
        put_at(l, to, x, y, h, vertex_id(l, at->id));
}

/* A disc: points of its rim, where the margin ends on that, and half way from there to the deepest. */
static void put_disc(const lying *l, const feature3 *f, const disc3 *d, vec3 low, gjb_answer *answer)
{
    patch3 patch;
    rim_ends ends = {.count = 0};
    rim3 at, half[2];
    patch.count = 0;
    for (unsigned k = 0; k < RIM_WAYS; k++) {
        at = (rim3){rim_ways[k][0], rim_ways[k][1], k};
        put_rim(l, &patch, f, d, &at);
    }
    const int leans = highest_of_rim(d->ph, d->qh, l->deep / 2, &at);
    if (leans)
        put_rim(l, &patch, f, d, &at);
    if (l->most < (double)INFINITY)
        add_line_ends(&ends, d->ph, d->qh, -l->height - l->most - d->h, RIM_MARGIN);
    for (unsigned k = 0; k < ends.count; k++)
        put_rim(l, &patch, f, d, &ends.at[k]);
    const unsigned halves = leans ? find_halves(&ends, &at, half) : 0;
    for (unsigned k = 0; k < halves; k++)
        put_rim(l, &patch, f, d, &half[k]);
    put_patch(l, &patch, f, GJB_CONTACTS_3D, low, answer);
}

/* A cylinder or a cone. `room`: of two vertices. */
static void find_round_lying(const lying *l, const round3 *round, const view3 *view, double *room, vec3 low,
                             gjb_answer *answer)
{
    feature3 f = feature_in(room, 2);
    disc3 disc;
    const vec3 n = front_of(view);
    const shown3 shown = shown_by(round, n);
    f.corners = 1;
    f.corner[0] = 0;
    f.id[0] = (uint16_t)name_of_point(round, n);
    if (shown == SHOWS_LINE)
        find_side_line(&f, round, view, n);
    if (shown == SHOWS_DISC)
        find_disc(&f, &disc, round, view, n);
    if (f.corners == 1)
        put_alone(l, &f, -dot3(l->n, low), low, answer);
    else if (shown == SHOWS_LINE)
        put_edges(l, &f, GJB_CONTACTS_3D, low, answer);
    else
        put_disc(l, &f, &disc, low, answer);
}

#endif
