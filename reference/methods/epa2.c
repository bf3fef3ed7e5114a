/* EPA (van den Bergen 2001) in the plane, on the cores.
 *
 * Grows a convex polygon inside D. Its nearest edge bounds the depth from
 * below, the support along that edge's normal from above. It may start from a
 * segment, walked there and back, and the origin may lie outside by a rounding
 * error: the nearest edge line is then at a negative distance and grows first. */
#include "reference/curved/curved_pair.h"
#include "reference/methods/frame2.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INLINE_EDGES = 96 };

static const double met = 2 * REF_EPSILON;

/* What a trace is given. */
static const char seeded[] =
    "the simplex becomes a polygon inside A - B; its nearest edge bounds the depth from below";
static const char split[] = "the nearest edge's normal found a vertex farther out: the edge gives way to two";
static const char outermost[] =
    "nothing of A - B lies beyond the nearest edge: its distance is the depth, its normal the way out";

/* Edge from this vertex to that of edge `next`, counter-clockwise. */
typedef struct edge {
    ref_vertex2 vertex;
    double outward[2];
    double distance; /* of the edge's line along `outward`, signed */
    uint32_t next;
} edge;

typedef struct polygon {
    edge *edges;
    uint32_t count, capacity;
    edge *heap;
} polygon;

static bool add_vertex(polygon *poly, const ref_vertex2 *vertex, uint32_t next)
{
    if (poly->count == poly->capacity) {
        uint32_t capacity = 2 * poly->capacity;
        edge *grown = realloc(poly->heap, capacity * sizeof *grown);
        if (!grown)
            return false;
        if (!poly->heap)
            memcpy(grown, poly->edges, poly->count * sizeof *grown);
        poly->heap = poly->edges = grown;
        poly->capacity = capacity;
    }
    poly->edges[poly->count].vertex = *vertex;
    poly->edges[poly->count].next = next;
    poly->count++;
    return true;
}

static void measure(polygon *poly, uint32_t k)
{
    edge *from = &poly->edges[k];
    const double *p = from->vertex.w, *q = poly->edges[from->next].vertex.w;
    double e[2] = {q[0] - p[0], q[1] - p[1]};
    double length = sqrt(ref_dot2(e, e));
    if (!(length > 0)) { /* no edge: never the nearest */
        from->outward[0] = from->outward[1] = 0;
        from->distance = DBL_MAX;
        return;
    }
    from->outward[0] = e[1] / length;
    from->outward[1] = -e[0] / length;
    from->distance = ref_cross2(ref_dot2(p, p) <= ref_dot2(q, q) ? p : q, e) / length;
}

static bool differ(const ref_vertex2 *p, const ref_vertex2 *q)
{
    return p->w[0] != q->w[0] || p->w[1] != q->w[1];
}

/* Two or three different vertices of D, counter-clockwise; 1 when D is a point. */
static int seed(const ref_frame2 *frame, const ref_vertex2 *simplex, int count, ref_vertex2 out[3])
{
    static const double directions[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    int n = 0;
    for (int k = 0; k < count + 4 && n < (k < count ? 3 : 2); k++) {
        ref_vertex2 v = k < count ? simplex[k] : ref_support2(frame, directions[k - count]);
        bool fresh = true;
        for (int m = 0; m < n; m++)
            fresh = fresh && differ(&v, &out[m]);
        if (fresh)
            out[n++] = v;
    }
    if (n == 3) {
        double e[2] = {out[1].w[0] - out[0].w[0], out[1].w[1] - out[0].w[1]};
        double f[2] = {out[2].w[0] - out[0].w[0], out[2].w[1] - out[0].w[1]};
        if (ref_cross2(e, f) < 0) {
            ref_vertex2 swap = out[1];
            out[1] = out[2];
            out[2] = swap;
        }
    }
    return n;
}

/* The point of the polygon's outline nearest to where the normal meets the
 * nearest face. Over all edges, because rounding may choose the wrong one of
 * two almost parallel edges, and the foot may then lie far beyond its end. */
static void place_witness(const polygon *poly, ref_core2 *core)
{
    double target[2] = {core->sigma * core->normal[0], core->sigma * core->normal[1]};
    double least = DBL_MAX;
    uint32_t best = 0;
    double best_t = 0;
    for (uint32_t k = 0; k < poly->count; k++) {
        const double *p = poly->edges[k].vertex.w, *q = poly->edges[poly->edges[k].next].vertex.w;
        ref_nearest2 nearest = ref_segment_nearest2(p, q, target);
        if (nearest.distance < least) {
            least = nearest.distance;
            best = k;
            best_t = nearest.t;
        }
    }
    ref_witness2(core, &poly->edges[best].vertex, &poly->edges[poly->edges[best].next].vertex, best_t);
}

REF_WATCHED static void tell(ref_watch *watch, const polygon *poly, const edge *nearest, const char *text)
{
    for (uint32_t k = 0; k < poly->count; k++) {
        ref_watch_vertex(watch, poly->edges[k].vertex.a, poly->edges[k].vertex.b);
        ref_watch_face(watch, k, poly->edges[k].next, UINT32_MAX);
    }
    ref_watch_feature(watch, (uint32_t)(nearest - poly->edges));
    ref_watch_feature(watch, nearest->next);
    ref_watch_closest(watch, nearest->distance, nearest->outward);
    ref_watch_upper(watch, -nearest->distance);
    ref_watch_tell(watch, "epa", text);
}

static bool expand(const ref_frame2 *frame, ref_core2 *core, polygon *poly)
{
    uint64_t cap = 4 * ((uint64_t)frame->pair->a.count + frame->pair->b.count) + 64;
    for (uint64_t round = 0; round < cap; round++) {
        uint32_t nearest = 0;
        for (uint32_t k = 1; k < poly->count; k++)
            if (poly->edges[k].distance < poly->edges[nearest].distance)
                nearest = k;
        core->iterations++;
        edge *face = &poly->edges[nearest];
        if (frame->watch)
            tell(frame->watch, poly, face, round ? split : seeded);
        double n[2] = {-face->outward[0], -face->outward[1]};
        ref_vertex2 support = ref_support2(frame, n);
        if (frame->watch)
            ref_watch_search(frame->watch, n, support.a, support.b);
        double reach = -ref_dot2(n, support.w);
        bool known = !differ(&support, &face->vertex) || !differ(&support, &poly->edges[face->next].vertex);
        if (reach - face->distance <= met || known) {
            core->sigma = -reach;
            core->normal[0] = n[0];
            core->normal[1] = n[1];
            core->lower = -fmax(reach, face->distance);
            core->upper = -fmin(reach, face->distance);
            if (frame->watch)
                tell(frame->watch, poly, face, outermost);
            place_witness(poly, core);
            return true;
        }
        uint32_t after = face->next, fresh = poly->count;
        if (!add_vertex(poly, &support, after))
            return false;
        poly->edges[nearest].next = fresh;
        measure(poly, nearest);
        measure(poly, fresh);
    }
    return false;
}

bool ref_epa_core2(const ref_frame2 *frame, ref_core2 *core, const ref_vertex2 *simplex, int count)
{
    ref_vertex2 start[3];
    int n = seed(frame, simplex, count, start);
    if (n == 1) { /* D is a point, at the origin or within rounding of it: every normal serves */
        double length = sqrt(ref_dot2(start[0].w, start[0].w));
        core->normal[0] = length > 0 ? start[0].w[0] / length : 1;
        core->normal[1] = length > 0 ? start[0].w[1] / length : 0;
        core->sigma = core->lower = core->upper = length;
        ref_witness2(core, &start[0], &start[0], 0);
        if (frame->watch) {
            ref_watch_vertex(frame->watch, start[0].a, start[0].b);
            ref_watch_tell(frame->watch, "epa", "A - B is a single point, at the origin");
        }
        return true;
    }
    edge storage[INLINE_EDGES];
    polygon poly = {.edges = storage, .capacity = INLINE_EDGES};
    for (int k = 0; k < n; k++)
        add_vertex(&poly, &start[k], (uint32_t)((k + 1) % n));
    for (uint32_t k = 0; k < poly.count; k++)
        measure(&poly, k);
    bool done = expand(frame, core, &poly);
    free(poly.heap);
    return done;
}

ref_answer ref_signed_distance2_traced(const gjb_pair2 *pair, const gjb_trace *trace)
{
    ref_frame2 frame;
    ref_watch watch;
    if (ref_is_curved2(pair))
        return ref_curved_answer2(pair, REF_SIGNED);
    if (!ref_frame2_open(&frame, pair))
        return (ref_answer){.status = GJB_INVALID_INPUT};
    ref_watch_open(&watch, trace, 2);
    frame.watch = ref_watch_at(&watch, frame.unscale);
    ref_core2 core = {0};
    ref_vertex2 simplex[3];
    int count = 0;
    ref_outcome outcome = ref_gjk_core2(&frame, &core, simplex, &count);
    if (outcome == REF_OVERLAP && !ref_epa_core2(&frame, &core, simplex, count))
        outcome = REF_STALLED;
    if (outcome == REF_STALLED)
        ref_enumerate_core2(&frame, &core);
    ref_watch_close(&watch);
    return ref_answer2(&frame, &core);
}

ref_answer ref_signed_distance2(const gjb_pair2 *pair)
{
    return ref_signed_distance2_traced(pair, NULL);
}

ref_answer ref_distance2(const gjb_pair2 *pair)
{
    return ref_is_curved2(pair) ? ref_curved_answer2(pair, REF_DISTANCE) : ref_signed_distance2(pair);
}
