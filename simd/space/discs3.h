/* Contacts of discs: with polygons, with segments, and with each other. What of the patch is round is stood for by some
 * points of the rim: 16 that are fixed to the shape, the deepest, where the other's edges or the margin end on it, and
 * half way between such ends, or from them to the deepest, as what lies between may be short. In double, one pair at a
 * time. */
#ifndef GJB_SIMD_DISCS3_H
#define GJB_SIMD_DISCS3_H

#include "simd/space/patch3.h"
#include "simd/space/round3.h"

#define RIM_END 0 /* of a part: as if the rim were the only side */

/* A disc and what it meets: another disc, or a polygon by its sides, or a segment. */
typedef struct disc_meet3 {
    meet3 *m;
    const disc3 *disc, *second; /* or none */
    feature3 *other;
    const sides3 *sides;
    int of_b; /* the disc is B's */
    double deep; /* a corner that is no higher than the deepest point by more stands for it */
    rim_ends ends;
    double rise[2]; /* along the disc's axes the gap is less by as much */
} disc_meet3;

static uint32_t id_of_rim(const disc_meet3 *r, unsigned id)
{
    return r->of_b ? FEATURE_VERTEX_B(id) : FEATURE_VERTEX_A(id);
}

static uint32_t id_of_other(const disc_meet3 *r, unsigned id)
{
    return r->of_b ? FEATURE_VERTEX_A(id) : FEATURE_VERTEX_B(id);
}

/* The part of an edge that is within the grown rim. */
static int clip_by_rim(const disc3 *d, double px, double py, double dx, double dy, part3 *part)
{
    double a, b, ea, eb;
    const double most = grown_parts(d);
    parts_in(d, px, py, &a, &b);
    parts_in(d, d->x + dx, d->y + dy, &ea, &eb);
    *part = (part3){0, 1, OWN_END, OWN_END};
    const double square = ea * ea + eb * eb;
    if (!(square > 0))
        return a * a + b * b <= most * most;
    const double foot = -(a * ea + b * eb) / square, across = (a * eb - b * ea) / sqrt(square);
    const double left = most * most - across * across;
    if (!(left >= 0))
        return 0;
    const double half = sqrt(left / square);
    if (foot - half > 0)
        *part = (part3){foot - half, part->to, RIM_END, part->to_side};
    if (foot + half < 1)
        *part = (part3){part->from, foot + half, part->from_side, RIM_END};
    return part->from <= part->to;
}

static void add_crossing(disc_meet3 *r, double x, double y, unsigned id)
{
    double a, b;
    parts_in(r->disc, x, y, &a, &b);
    add_end(&r->ends, a, b, id);
}

/* The id of where an edge of the other ends. */
static uint32_t id_of_part(const disc_meet3 *r, unsigned id, int side, unsigned end)
{
    if (side == MARGIN_END)
        return r->of_b ? FEATURE_MARGIN_A(id, end) : FEATURE_MARGIN_B(id, end);
    return id_of_rim(r, RIM_CROSSING + 2 * id + end);
}

/* Corners on the edges of the other. */
static void find_edges(disc_meet3 *r)
{
    const feature3 *f = r->other;
    for (unsigned i = 0; i < f->corners; i += r->m->stride) {
        const unsigned p = f->corner[i], q = f->corner[i + 1 < f->corners ? i + 1 : 0];
        const double px = f->x[p], py = f->y[p], dx = f->x[q] - px, dy = f->y[q] - py;
        const on3 own = on_edges((int)i, NO_EDGE, !r->of_b);
        part3 part;
        if (!clip_by_rim(r->disc, px, py, dx, dy, &part))
            continue;
        if (part.from_side == RIM_END)
            add_crossing(r, px + part.from * dx, py + part.from * dy, RIM_CROSSING + 2u * f->id[p]);
        if (part.to_side == RIM_END)
            add_crossing(r, px + part.to * dx, py + part.to * dy, RIM_CROSSING + 2u * f->id[p] + 1);
        if (!cut_part(r->m, own, px, py, dx, dy, &part))
            continue;
        if (part.from_side == OWN_END)
            put_corner(r->m, own, px, py, id_of_other(r, f->id[p]));
        else
            put_corner(r->m, own, px + part.from * dx, py + part.from * dy,
                       id_of_part(r, f->id[p], part.from_side, 0));
        if (part.to > part.from && part.to_side != OWN_END)
            put_corner(r->m, own, px + part.to * dx, py + part.to * dy,
                       id_of_part(r, f->id[p], part.to_side, 1));
    }
}

static int is_in_sides(const sides3 *s, double x, double y)
{
    for (unsigned k = 0; k < s->count; k++)
        if (s->nx[k] * x + s->ny[k] * y < s->least[k])
            return 0;
    return 1;
}

/* A point of the rim that is over the other and within the margin. */
static void put_rim(disc_meet3 *r, const rim3 *at)
{
    const on3 none = {NO_EDGE, NO_EDGE};
    double x, y, rate;
    rim_place(r->disc, at, &x, &y);
    if (r->second ? !is_in_disc(r->second, x, y) : !is_in_sides(r->sides, x, y))
        return;
    if (gap_at(r->m, none, x, y, 0, 0, &rate) > r->m->most + HEIGHT_DOUBT)
        r->m->cut = 1;
    else
        put_corner(r->m, none, x, y, id_of_rim(r, at->id));
}

/* Where the margin ends on the rim, and where the gap is least on it, if both features are flat. */
static void find_margin(disc_meet3 *r)
{
    const feature3 *a = r->m->a, *b = r->m->b;
    const disc3 *d = r->disc;
    if (!a->flat || !b->flat)
        return;
    const double gx = a->gx + b->gx, gy = a->gy + b->gy; /* the gap is less by as much */
    const double there = a->ph + b->ph + gx * d->x + gy * d->y + r->m->most;
    r->rise[0] = gx * d->px + gy * d->py;
    r->rise[1] = gx * d->qx + gy * d->qy;
    if (r->m->most < (double)INFINITY)
        add_line_ends(&r->ends, r->rise[0], r->rise[1], -there, RIM_MARGIN);
}

static void sort_ends(rim_ends *ends)
{
    for (unsigned i = 1; i < ends->count; i++) {
        const rim3 moved = ends->at[i];
        const double way = way_of(moved.c, moved.s);
        unsigned k = i;
        for (; k > 0 && way_of(ends->at[k - 1].c, ends->at[k - 1].s) > way; k--)
            ends->at[k] = ends->at[k - 1];
        ends->at[k] = moved;
    }
}

static int is_of_margin(const rim3 *end)
{
    return end->id == RIM_MARGIN || end->id == RIM_MARGIN + 1;
}

static void find_rim(disc_meet3 *r)
{
    rim3 at, deepest, half[2];
    find_margin(r);
    sort_ends(&r->ends);
    for (unsigned k = 0; k < RIM_WAYS; k++) {
        at = (rim3){rim_ways[k][0], rim_ways[k][1], k};
        put_rim(r, &at);
    }
    const int leans = highest_of_rim(r->rise[0], r->rise[1], r->deep / 2, &deepest);
    if (leans)
        put_rim(r, &deepest);
    for (unsigned k = 0; k < r->ends.count; k++) {
        const rim3 *end = &r->ends.at[k], *next = &r->ends.at[k + 1 < r->ends.count ? k + 1 : 0];
        if (is_of_margin(end) || r->second)
            put_rim(r, end);
        if (leans && is_of_margin(end) && is_of_margin(next)) /* half way is the deepest */
            continue;
        if (next != end && rim_towards(end->c + next->c, end->s + next->s, RIM_MIDDLE + end->id, &at))
            put_rim(r, &at);
    }
    const unsigned halves = leans ? find_halves(&r->ends, &deepest, half) : 0;
    for (unsigned k = 0; k < halves; k++)
        put_rim(r, &half[k]);
}

/* Where both rims cross: of circles, which rims are all but so; then by Newton's method. */
static void find_tip(disc_meet3 *r, double x, double y, unsigned id)
{
    enum { STEPS = 4 };
    const disc3 *d = r->disc, *e = r->second;
    for (int step = 0; step < STEPS; step++) {
        double a, b, c, f;
        parts_in(d, x, y, &a, &b);
        parts_in(e, x, y, &c, &f);
        const double ux = a * d->by[0][0] + b * d->by[1][0], uy = a * d->by[0][1] + b * d->by[1][1];
        const double vx = c * e->by[0][0] + f * e->by[1][0], vy = c * e->by[0][1] + f * e->by[1][1];
        const double g = 0.5 * (a * a + b * b - 1), h = 0.5 * (c * c + f * f - 1), det = ux * vy - uy * vx;
        const double dx = (g * vy - h * uy) / det, dy = (h * ux - g * vx) / det;
        if (!(dx * dx + dy * dy <= 0.0625 * d->radius * d->radius))
            break;
        x -= dx;
        y -= dy;
    }
    add_crossing(r, x, y, id);
}

static void find_tips(disc_meet3 *r)
{
    const double dx = r->second->x - r->disc->x, dy = r->second->y - r->disc->y, square = dx * dx + dy * dy;
    const double p = r->disc->radius, q = r->second->radius;
    if (!(square > 0))
        return;
    const double foot = (square + p * p - q * q) / (2 * square), left = p * p / square - foot * foot;
    if (!(left >= 0))
        return;
    const double across = sqrt(left), x = r->disc->x + foot * dx, y = r->disc->y + foot * dy;
    find_tip(r, x - across * dy, y + across * dx, RIM_TIP);
    find_tip(r, x + across * dy, y - across * dx, RIM_TIP + 1);
}

/* The part of a segment that is over the disc. */
static void find_chord(disc_meet3 *r)
{
    const feature3 *f = r->other;
    const unsigned p = f->corner[0], q = f->corner[1], id = f->id[p];
    const double px = f->x[p], py = f->y[p], dx = f->x[q] - px, dy = f->y[q] - py;
    const on3 none = {NO_EDGE, NO_EDGE};
    part3 part;
    if (!clip_by_rim(r->disc, px, py, dx, dy, &part) || !cut_part(r->m, none, px, py, dx, dy, &part))
        return;
    for (unsigned end = 0; end < (part.to > part.from ? 2u : 1u); end++) {
        const int side = end ? part.to_side : part.from_side;
        const double t = end ? part.to : part.from;
        if (side == OWN_END)
            put_corner(r->m, none, f->x[end ? q : p], f->y[end ? q : p], id_of_other(r, f->id[end ? q : p]));
        else
            put_corner(r->m, none, px + t * dx, py + t * dy, id_of_part(r, id, side, end));
    }
}

/* Sides of a polygon in the disc, for rays. */
static void find_rim_sides(const disc3 *d, sides3 *s)
{
    s->count = 0;
    for (unsigned k = 0; k < RIM_WAYS; k++) {
        const rim3 from = {rim_ways[k][0], rim_ways[k][1], k};
        const unsigned next = k + 1 < RIM_WAYS ? k + 1 : 0;
        const rim3 to = {rim_ways[next][0], rim_ways[next][1], next};
        double px, py, qx, qy;
        rim_place(d, &from, &px, &py);
        rim_place(d, &to, &qx, &qy);
        const double by = 1 / sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py));
        double nx = -(qy - py) * by, ny = (qx - px) * by;
        if (nx * (d->x - px) + ny * (d->y - py) < 0) {
            nx = -nx;
            ny = -ny;
        }
        put_side(s, nx, ny, nx * px + ny * py - s->grown, k);
    }
}

/* Two features of which one is a disc, or both. `sides` of a polygon are there. */
static void meet_discs(meet3 *m, const disc3 *const disc[2], const sides3 *sides, double deep)
{
    feature3 *const f[2] = {m->a, m->b};
    for (int k = 0; k < 2; k++) {
        if (!disc[k])
            continue;
        m->stride = stride_of(f[1 - k]->corners);
        disc_meet3 r = {m, disc[k], disc[1 - k], f[1 - k], &sides[1 - k], k, deep, {.count = 0},
                        {disc[k]->ph, disc[k]->qh}};
        if (disc[1 - k])
            find_tips(&r);
        else if (f[1 - k]->corners == 2)
            find_chord(&r);
        else
            find_edges(&r);
        if (disc[1 - k] || f[1 - k]->corners > 2)
            find_rim(&r);
    }
}

#endif
