/* Contacts of one pair, whose features may be chains of edges: of shapes that are finely cut, or too large for lanes.
 * Plain C, so that it gives the same bits in every backend.
 *
 * Along chains the separation is a convex function of the place, with a bend at each corner. So its least value may
 * be at neither end. Two contacts cannot span all then: one is the deepest, the other the end farther from it. */
#ifndef GJB_SIMD_MANIFOLD_CHAIN2_H
#define GJB_SIMD_MANIFOLD_CHAIN2_H

#include "simd/plane/manifold2.h"
#include "simd/plane/tile2.h"

/* One shape of a pair, and its chain of edges that are level. */
typedef struct chain2 {
    const real *x, *y;
    uint32_t count;                     /* of corners */
    uint16_t slot[MAX_LANE_VERTICES];   /* where those are, of shapes that repeat some */
    int repeats;
    real dx, dy;                        /* in the shape's axes, of which the chain is on the side */
    real sign, place, height;           /* corners' places and heights are times the sign, plus these */
    uint32_t least, most;               /* corners at its ends, by their places */
} chain2;

typedef struct corner2 {
    real place, height;
} corner2;

LANE_FN uint32_t slot_of(const chain2 *c, uint32_t corner)
{
    return c->repeats ? c->slot[corner] : corner;
}

LANE_FN corner2 corner_of(const chain2 *c, uint32_t corner)
{
    const uint32_t at = slot_of(c, corner);
    const real x = c->x[at], y = c->y[at];
    return (corner2){c->place + c->sign * (c->dx * y - c->dy * x), c->height + c->sign * (c->dx * x + c->dy * y)};
}

LANE_FN uint32_t corner_after(const chain2 *c, uint32_t corner)
{
    return corner + 1 < c->count ? corner + 1 : 0;
}

LANE_FN uint32_t corner_before(const chain2 *c, uint32_t corner)
{
    return (corner ? corner : c->count) - 1;
}

/* Whether the edge after a corner is. */
LANE_FN int is_level(const chain2 *c, uint32_t corner)
{
    const uint32_t from = slot_of(c, corner), to = slot_of(c, corner_after(c, corner));
    const real x = c->x[to] - c->x[from], y = c->y[to] - c->y[from];
    const real along = c->dx * y - c->dy * x, up = c->dx * x + c->dy * y;
    return along > 0 && (up < 0 ? -up : up) <= LEVEL_TANGENT * along;
}

/* The corners of a record, and the extreme one. */
static uint32_t find_corners(chain2 *c, const real *rec, uint32_t quads)
{
    const uint32_t n = 4 * quads;
    c->x = rec;
    c->y = rec + n;
    c->repeats = quads <= LANE_QUADS;
    if (!c->repeats) {
        large2 p = {.x = {c->x}, .y = {c->y}, .range = {gjb_ranges(rec, n)}};
        p.count[0] = (real)n;
        p.ranges[0] = (real)(RANGES_OF_QUAD * quads);
        const vr dx = v_set(c->dx), dy = v_set(c->dy);
        c->count = (uint32_t)gjb_corners(rec, n);
        const uint32_t top = extreme_alone(&p, 0, v_mul(way_around(dx, dy), v_load(p.ranges)), dx, dy);
        return top < c->count ? top : 0;
    }
    uint32_t top = 0;
    real best = 0;
    c->count = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (k && c->x[k] == c->x[k - 1] && c->y[k] == c->y[k - 1])
            continue;
        const real up = c->dx * c->x[k] + c->dy * c->y[k];
        if (!k || up > best) {
            best = up;
            top = c->count;
        }
        c->slot[c->count++] = (uint16_t)k;
    }
    return top;
}

/* A corner of the chain, from the extreme one. That may be at the far end of an edge that is lost in rounding. */
static uint32_t chain_at(const chain2 *c, uint32_t top)
{
    const uint32_t before = corner_before(c, top), after = corner_after(c, top);
    if (is_level(c, top) || is_level(c, before))
        return top;
    return is_level(c, after) ? after : is_level(c, corner_before(c, before)) ? before : top;
}

/* The rest of *c is set. */
static void find_chain(chain2 *c, const real *rec, uint32_t quads)
{
    const uint32_t top = chain_at(c, find_corners(c, rec, quads));
    uint32_t first = top, last = top, left = c->count - 1;
    for (; left && is_level(c, last); left--)
        last = corner_after(c, last);
    for (; left && is_level(c, corner_before(c, first)); left--)
        first = corner_before(c, first);
    c->least = c->sign > 0 ? first : last;
    c->most = c->sign > 0 ? last : first;
}

/* Of the chain over a place, and how it rises there: on the side of lesser places if `left`. */
static real height_at(const chain2 *c, real place, int left, real *rise)
{
    corner2 p = corner_of(c, c->least);
    *rise = 0;
    for (uint32_t at = c->least; at != c->most;) {
        at = c->sign > 0 ? corner_after(c, at) : corner_before(c, at);
        const corner2 q = corner_of(c, at);
        if (at == c->most || (left ? place <= q.place : place < q.place)) {
            const real wide = q.place - p.place;
            *rise = wide > 0 ? (q.height - p.height) / wide : 0;
            return place <= p.place ? p.height : place >= q.place ? q.height : p.height + *rise * (place - p.place);
        }
        p = q;
    }
    return p.height;
}

typedef struct chains2 {
    chain2 a, b;
    real ra, rb, nx, ny, margin;
    real same, as_deep; /* SAME_PLACE and AS_DEEP of this pair */
} chains2;

static real separation_at(const chains2 *g, real place, int left, real *rise)
{
    real up_a, up_b;
    const real a = height_at(&g->a, place, left, &up_a), b = height_at(&g->b, place, left, &up_b);
    *rise = up_b - up_a;
    return b - a - (g->ra + g->rb);
}

/* From an end towards the deepest place, which is within the margin, to the first place that is: by Newton's method,
 * which does not go beyond that of a convex function. */
static real cut_end(const chains2 *g, real from, real deepest)
{
    enum { MOST_CUTS = 64 };
    const int left = from > deepest;
    real at = from;
    for (int k = 0; k < MOST_CUTS; k++) {
        real rise;
        const real over = separation_at(g, at, left, &rise) - g->margin;
        const real next = at - over / rise;
        if (!(over > 0))
            break;
        if (!(left ? next < at : next > at)) /* rounding, at the place or of the slope */
            return over > g->as_deep ? deepest : at;
        if (!(left ? next > deepest : next < deepest))
            return deepest;
        at = next;
    }
    return at;
}

/* A contact at a place. */
static contact2 contact_at(const chains2 *g, real place, uint32_t feature)
{
    real unused;
    const real up = height_at(&g->a, place, 0, &unused) + g->ra, down = height_at(&g->b, place, 0, &unused) - g->rb;
    return (contact2){.point_a = {up * g->nx - place * g->ny, up * g->ny + place * g->nx},
                      .point_b = {down * g->nx - place * g->ny, down * g->ny + place * g->nx},
                      .separation = down - up,
                      .feature = feature};
}

static uint32_t feature_of(const chains2 *g, uint32_t corner_a)
{
    const int edge_a = g->a.least != g->a.most, edge_b = g->b.least != g->b.most;
    const uint32_t kind = edge_b ? KIND_ENDS : edge_a ? KIND_CORNER_OF_B : KIND_CORNERS;
    return slot_of(&g->a, edge_b ? corner_a : g->a.least) | slot_of(&g->b, g->b.most) * OF_B | kind << KIND_SHIFT;
}

static real larger(real a, real b)
{
    return a > b ? a : b;
}

static real lesser(real a, real b)
{
    return a < b ? a : b;
}

/* Writes contacts between the chains, of which all is set. */
static void write_between(const patches2 *p, size_t i, const chains2 *g)
{
    const record *r = p->found + i;
    const corner2 a0 = corner_of(&g->a, g->a.least), a1 = corner_of(&g->a, g->a.most);
    const corner2 b0 = corner_of(&g->b, g->b.least), b1 = corner_of(&g->b, g->b.most);
    real lo = larger(a0.place, b0.place), hi = lesser(a1.place, b1.place);
    const real middle = lo + hi, witness = g->nx * r->point_a[1] - g->ny * r->point_a[0];
    const int upper = (a1.place + a1.place) - middle < middle - (a0.place + a0.place);
    if (hi - lo > g->same) {
        const real deepest = larger(lo, lesser(witness, hi));
        lo = cut_end(g, lo, deepest);
        hi = cut_end(g, hi, deepest);
    }
    if (!(hi - lo > g->same)) {
        const contact2 only = witness_contact(r, feature_of(g, upper ? g->a.most : g->a.least));
        write_manifold(p, i, &only, 1);
        return;
    }
    contact2 ends[2] = {contact_at(g, lo, feature_of(g, g->a.least)), contact_at(g, hi, feature_of(g, g->a.most))};
    if (lesser(ends[0].separation, ends[1].separation) > r->value + g->as_deep)
        ends[witness - lo < hi - witness ? 0 : 1] = witness_contact(r, (uint32_t)KIND_BETWEEN << KIND_SHIFT);
    write_manifold(p, i, ends, 2);
}

static void write_chains(const patches2 *p, size_t i)
{
    const uint32_t *pair = p->batch->pairs + 2 * p->pair[i];
    const shape_meta *ma = meta_of(p->library, p->batch, pair[0]), *mb = meta_of(p->library, p->batch, pair[1]);
    const real *pa = pose_of(p->batch, pair[0]), *pb = pose_of(p->batch, pair[1]);
    const real nx = p->found[i].normal[0], ny = p->found[i].normal[1], dx = pb[0] - pa[0], dy = pb[1] - pa[1];
    const real size = ma->extent + mb->extent + ((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy));
    chains2 g = {.a = {.dx = pa[2] * nx + pa[3] * ny, .dy = pa[2] * ny - pa[3] * nx, .sign = 1},
                 .b = {.dx = -(pb[2] * nx + pb[3] * ny),
                       .dy = -(pb[2] * ny - pb[3] * nx),
                       .sign = -1,
                       .place = nx * dy - ny * dx,
                       .height = nx * dx + ny * dy},
                 .ra = ma->radius,
                 .rb = mb->radius,
                 .nx = nx,
                 .ny = ny,
                 .margin = margin_of(p),
                 .same = SAME_PLACE * size,
                 .as_deep = AS_DEEP * size};
    find_chain(&g.a, record_of(p->library, ma), ma->quads);
    find_chain(&g.b, record_of(p->library, mb), mb->quads);
    write_between(p, i, &g);
}

#endif
