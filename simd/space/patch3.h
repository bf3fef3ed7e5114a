/* Contacts of one pair along a normal: what of its two features lies over one another, and the points of it that are
 * kept. For any polytopes, in double, with nothing prepared. */
#ifndef GJB_SIMD_PATCH3_H
#define GJB_SIMD_PATCH3_H

#include "simd/space/feature3.h"

/* Ids of what meets. A vertex of one shape over the other's feature: the vertex. Edges that cross: the vertices at
 * which they begin, anticlockwise about the normal. Where the margin ends on an edge: that vertex, and which end of the
 * rest. They stay as long as the same edges and vertices meet, whatever else changes, and differ within a manifold. */
#define FEATURE_VERTEX_A(a) (1u << 28 | (uint32_t)(a))
#define FEATURE_VERTEX_B(b) (2u << 28 | (uint32_t)(b))
#define FEATURE_CROSSING(a, b) (3u << 28 | (uint32_t)(a) << 13 | (uint32_t)(b))
#define FEATURE_MARGIN_A(a, end) (4u << 28 | (uint32_t)(a) << 1 | (end))
#define FEATURE_MARGIN_B(b, end) (5u << 28 | (uint32_t)(b) << 1 | (end))
#define FEATURE_DEEPEST(a, b) (6u << 28 | (uint32_t)(a) << 13 | (uint32_t)(b))
#define FEATURE_MARGIN_INNER(faces) (7u << 28 | (faces) >> 4)
#define FEATURE_OTHER(contact) (8u << 28 | (uint32_t)(contact))
/* The far side of a segment, as if another edge began there. */
#define OTHER_SIDE 4096u
enum {
    SHARP = 4
}; /* at most so many corners of a polygon have less than a right angle, and one more by rounding */

/* Distances in the pair's units. */
#define SAME_POINT (24 * (double)REAL_EPSILON) /* points that are one */
#define AS_DEEP (8 * (double)REAL_EPSILON)     /* of a corner whose separation is the least */
#define FEW_WIDE (32 * NARROW)                 /* what is no wider is not much wider than rounding */
#define LEAST_STEP 0x1p-52                     /* along a line, of where it is */
#define ALONG (64 * 0x1p-53)                   /* sine of an angle between lines that have one direction */
#define STANDING (10 * NARROW)                 /* of a corner from three others that stand for it, too */
#define INNER_SHARE 0.125                      /* of a triangle's area, from which what a point adds to it counts */
#define AREA_GAIN (1 + 16 * 0x1p-53)           /* by which a choice has to be larger than one before it */

typedef struct corner3 {
    double x, y, a, b; /* heights of the surfaces along the normal */
    double gap;        /* between them: the separation, and the radii */
    uint32_t feature;
    double unsure; /* of one on a line where the margin ends: how far rounding of the gap moves the line */
} corner3;

/* Room is never short: of either outline every stride-th edge is looked at, so at most MOST_EDGES, and each puts at
 * most a corner at either end; and each ray one. A disc has fewer, with what comes from its rim (RIM_WAYS,
 * RIM_ROOM). */
enum { MOST_CORNERS = 16, FEW_CORNERS = 6, MOST_EDGES = 128, MOST_RAYS = 64 };
enum { CORNER_ROOM = 2 * 2 * MOST_EDGES + MOST_RAYS };
#define FARTHEST 4. /* no feature is as wide */
/* (128 q + r) / (q + 1), rounded up, is no more than 128. */
static inline unsigned stride_of(unsigned corners)
{
    return 1 + corners / MOST_EDGES;
}

typedef struct patch3 {
    corner3 corner[CORNER_ROOM];
    unsigned count;
} patch3;

/* Sides of a feature: points within have nx x + ny y >= least. They are moved outward by `grown`, ends of a segment
 * by GROWN. */
typedef struct sides3 {
    double *nx, *ny, *least;
    uint16_t *id;
    unsigned count;
    double grown;
} sides3;

static void put_side(sides3 *s, double nx, double ny, double least, unsigned id)
{
    s->nx[s->count] = nx;
    s->ny[s->count] = ny;
    s->least[s->count] = least;
    s->id[s->count++] = (uint16_t)id;
}

/* A side is moved out until all corners are within, as a short side may be turned by rounding. */
static void find_sides(const feature3 *f, sides3 *s)
{
    const uint16_t *c = f->corner;
    s->count = 0;
    if (f->corners == 2) {
        const double along = f->x[c[0]] * f->ex + f->y[c[0]] * f->ey,
                     end = f->x[c[1]] * f->ex + f->y[c[1]] * f->ey;
        const double at = f->x[c[0]] * -f->ey + f->y[c[0]] * f->ex;
        put_side(s, -f->ey, f->ex, at - s->grown, f->id[c[0]]);
        put_side(s, f->ey, -f->ex, -at - s->grown, f->id[c[1]]);
        put_side(s, f->ex, f->ey, along - GROWN, f->id[c[0]] + OTHER_SIDE);
        put_side(s, -f->ex, -f->ey, -end - GROWN, f->id[c[1]] + OTHER_SIDE);
        return;
    }
    for (unsigned i = 0; i < f->corners; i++) {
        const unsigned p = c[i], q = c[i + 1 < f->corners ? i + 1 : 0];
        const double ex = f->x[q] - f->x[p], ey = f->y[q] - f->y[p], by = 1 / sqrt(ex * ex + ey * ey);
        const double nx = -ey * by, ny = ex * by;
        double least = nx * f->x[p] + ny * f->y[p];
        for (unsigned k = 0; k < f->corners && f->corners <= SHORT_OUTLINE; k++) {
            const double at = nx * f->x[c[k]] + ny * f->y[c[k]];
            least = at < least ? at : least;
        }
        put_side(s, nx, ny, least - s->grown, f->id[p]);
    }
    const unsigned sides = s->count;
    for (unsigned i = 0; i < sides; i++) { /* across sharp corners, which would grow by more than the sides */
        const unsigned last = i ? i - 1 : sides - 1, p = c[i];
        if (s->nx[i] * s->nx[last] + s->ny[i] * s->ny[last] >= 0 || s->count == sides + SHARP)
            continue;
        const double ex = s->nx[i] - s->nx[last], ey = s->ny[i] - s->ny[last],
                     by = 1 / sqrt(ex * ex + ey * ey);
        const double turn = s->nx[last] * s->ny[i] - s->ny[last] * s->nx[i], sign = turn > 0 ? by : -by;
        const double nx = -ey * sign, ny = ex * sign; /* between both, also if they are all but opposite */
        const double inward = nx * (s->nx[i] + s->nx[last]) + ny * (s->ny[i] + s->ny[last]) < 0 ? -1 : 1;
        put_side(s, inward * nx, inward * ny, inward * (nx * f->x[p] + ny * f->y[p]) - s->grown,
                 f->id[p] + OTHER_SIDE);
    }
}

/* A part of an edge, and what ends it: OWN_END, MARGIN_END or a side of the other feature. */
#define OWN_END (-1)
#define MARGIN_END (-2)
typedef struct part3 {
    double from, to;
    int from_side, to_side;
} part3;

/* An end that is out of a side is that side's, if only by rounding: an own end is another edge's, too. */
static int clip_edge(const sides3 *s, double px, double py, double qx, double qy, part3 *part)
{
    *part = (part3){0, 1, OWN_END, OWN_END};
    for (unsigned k = 0; k < s->count; k++) {
        const double p = s->nx[k] * px + s->ny[k] * py - s->least[k],
                     q = s->nx[k] * qx + s->ny[k] * qy - s->least[k];
        if (p < 0 && q < 0)
            return 0;
        if (p < 0) {
            const double t = p / (p - q);
            if (t > part->from || part->from_side == OWN_END) {
                part->from = t;
                part->from_side = (int)k;
            }
        }
        if (q < 0) {
            const double t = p / (p - q);
            if (t < part->to || part->to_side == OWN_END) {
                part->to = t;
                part->to_side = (int)k;
            }
        }
    }
    return part->from <= part->to;
}

/* ---- corners ---- */

/* Which features meet, how, and up to which gap. */
typedef struct meet3 {
    feature3 *a, *b;
    double least;    /* gap: that along the normal */
    double most;     /* of what is wanted */
    int cut;         /* 1: the margin left out some of an edge */
    unsigned stride; /* of edges that are looked at: of very many some do */
    patch3 *patch;
} meet3;

/* On which edges of polygons a point is. */
typedef struct on3 {
    int a, b;
} on3;

static on3 on_edges(int own, int other, int of_b)
{
    return of_b ? (on3){other, own} : (on3){own, other};
}

/* At which edge of the other feature a part ends. Of sides at a small angle it may be another than the one that ends it. */
static int edge_of(int side)
{
    return side >= 0 ? NEXT_EDGE : NO_EDGE;
}

/* The gap over a point, and how it grows along (dx, dy). */
static double gap_at(const meet3 *m, on3 on, double x, double y, double dx, double dy, double *rate)
{
    const height3 a = height_at(m->a, OF_FEATURE, on.a, x, y), b = height_at(m->b, OF_FEATURE, on.b, x, y);
    *rate = -((a.gx + b.gx) * dx + (a.gy + b.gy) * dy);
    return -(a.h + b.h);
}

/* Features that miss each other by rounding may be less than the least gap apart where one is steep: next to a feature
 * its height is that of its side. Then either point moves by half of what is missing. */
static void put_corner(meet3 *m, on3 on, double x, double y, uint32_t feature)
{
    patch3 *to = m->patch;
    const double a = height_at(m->a, OF_SURFACE, on.a, x, y).h, b = height_at(m->b, OF_SURFACE, on.b, x, y).h;
    const double gap = -(a + b), missing = gap < m->least ? (m->least - gap) / 2 : 0;
    to->corner[to->count++] = (corner3){x, y, a - missing, missing - b, gap + 2 * missing, feature, 0};
}

/* Where the gap is the margin, between a place at which it is more and one at which it is not. */
static double bisect_gap(const meet3 *m, on3 on, double px, double py, double dx, double dy, double out, double in)
{
    for (int step = 0; step < MOST_STEPS; step++) {
        const double middle = (out + in) / 2;
        double rate;
        if (gap_at(m, on, px + middle * dx, py + middle * dy, dx, dy, &rate) > m->most)
            out = middle;
        else
            in = middle;
    }
    return in;
}

/* Moves the end of a part to where the gap is within the margin. The gap is convex along the edge and made of straight
 * parts, so steps along its slope end at one of them. On a steep one a step may be less than t's last bit. At a border
 * of a surface rounding may take the slope of another part of it: then a step goes too far. 0 if nothing is left. */
static int cut_end(const meet3 *m, on3 on, double px, double py, double dx, double dy, double from, double to,
                   double *end)
{
    double t = from, rate;
    for (int step = 0; step < MOST_STEPS; step++) {
        const double over = gap_at(m, on, px + t * dx, py + t * dy, dx, dy, &rate) - m->most;
        *end = t;
        if (over <= 0 || (step > 0 && over < HEIGHT_DOUBT))
            return 1;
        const double by = fmax(fabs(over / rate), LEAST_STEP * (fabs(t) + fabs(to)));
        const double next = to > from ? t + by : t - by;
        if (!(to > from ? rate < 0 && next <= to : rate > 0 && next >= to)) {
            if (gap_at(m, on, px + to * dx, py + to * dy, dx, dy, &rate) > m->most)
                return 0;
            *end = bisect_gap(m, on, px, py, dx, dy, t, to);
            return 1;
        }
        t = next;
    }
    return 1;
}

static int cut_part(meet3 *m, on3 on, double px, double py, double dx, double dy, part3 *part)
{
    double from, to;
    if (m->most == (double)INFINITY)
        return 1;
    if (!cut_end(m, on, px, py, dx, dy, part->from, part->to, &from) ||
        !cut_end(m, on, px, py, dx, dy, part->to, part->from, &to)) {
        m->cut = 1;
        return 0;
    }
    if (from > part->from)
        part->from_side = MARGIN_END;
    if (to < part->to)
        part->to_side = MARGIN_END;
    m->cut |= from > part->from || to < part->to;
    part->from = from;
    part->to = to;
    return from <= to;
}

/* The first and the last end of an edge of A's or B's. */
static uint32_t id_of_end(const sides3 *s, unsigned id, int side, unsigned end, int of_b)
{
    if (side == MARGIN_END)
        return of_b ? FEATURE_MARGIN_B(id, end) : FEATURE_MARGIN_A(id, end);
    return FEATURE_CROSSING(id, s->id[side]);
}

/* Corners on edges of A: its vertices, crossings, and ends of the margin. Of B's edges the same but for crossings, which
 * are there already. A vertex comes with the edge that begins there. */
static void find_corners(meet3 *m, const feature3 *f, const sides3 *others, int of_b)
{
    for (unsigned i = 0; i < f->corners; i += m->stride) {
        const unsigned p = f->corner[i], q = f->corner[i + 1 < f->corners ? i + 1 : 0];
        const double px = f->x[p], py = f->y[p], dx = f->x[q] - px, dy = f->y[q] - py;
        const on3 own = on_edges((int)i, NO_EDGE, of_b);
        part3 part;
        if (!clip_edge(others, px, py, f->x[q], f->y[q], &part) || !cut_part(m, own, px, py, dx, dy, &part))
            continue;
        if (part.from_side == OWN_END)
            put_corner(m, own, px, py, of_b ? FEATURE_VERTEX_B(f->id[p]) : FEATURE_VERTEX_A(f->id[p]));
        else if (!of_b || part.from_side == MARGIN_END)
            put_corner(m, on_edges((int)i, edge_of(part.from_side), of_b), px + part.from * dx,
                       py + part.from * dy, id_of_end(others, f->id[p], part.from_side, 0, of_b));
        if (part.to > part.from && (part.to_side == MARGIN_END || (!of_b && part.to_side != OWN_END)))
            put_corner(m, on_edges((int)i, edge_of(part.to_side), of_b), px + part.to * dx,
                       py + part.to * dy, id_of_end(others, f->id[p], part.to_side, 1, of_b));
    }
}

/* A point of a segment that is a little out of the sides of the other feature: half way to it, so that it is as near
 * to either. */
static void put_end(meet3 *m, on3 on, const sides3 *others, double x, double y, uint32_t feature)
{
    double most = 0, nx = 0, ny = 0;
    for (unsigned k = 0; k < others->count; k++) {
        const double out = others->least[k] + others->grown - (others->nx[k] * x + others->ny[k] * y);
        if (out > most) {
            most = out;
            nx = others->nx[k];
            ny = others->ny[k];
        }
    }
    put_corner(m, on, x + nx * most / 2, y + ny * most / 2, feature);
}

/* The part of a segment that is over the other feature, grown by a little more than what a right answer is granted: where
 * edges cross at a small angle, all that is as near. One point, if they cross at a large one. */
static void find_ends(meet3 *m, const feature3 *f, const sides3 *others, int of_b)
{
    const unsigned p = f->corner[0], q = f->corner[1], id[2] = {f->id[p], f->id[q]};
    const double px = f->x[p], py = f->y[p], dx = f->x[q] - px, dy = f->y[q] - py;
    const on3 none = {NO_EDGE, NO_EDGE};
    part3 part;
    if (!clip_edge(others, px, py, f->x[q], f->y[q], &part) || !cut_part(m, none, px, py, dx, dy, &part))
        return;
    if (part.from_side >= 0 && part.to_side >= 0 &&
        (part.to - part.from) * sqrt(dx * dx + dy * dy) < 2.25 * others->grown)
        part.from = part.to = (part.from + part.to) / 2;
    for (unsigned end = 0; end < (part.to > part.from ? 2u : 1u); end++) {
        const int side = end ? part.to_side : part.from_side;
        const double t = end ? part.to : part.from;
        if (side == OWN_END)
            put_corner(m, none, f->x[end ? q : p], f->y[end ? q : p],
                       of_b ? FEATURE_VERTEX_B(id[end]) : FEATURE_VERTEX_A(id[end]));
        else if (side == MARGIN_END)
            put_corner(m, none, px + t * dx, py + t * dy, id_of_end(others, id[0], side, end, of_b));
        else
            put_end(m, on_edges(NO_EDGE, edge_of(side), of_b), others, px + t * dx, py + t * dy,
                    of_b ? FEATURE_CROSSING(others->id[side], id[0])
                         : FEATURE_CROSSING(id[0], others->id[side]));
    }
}

/* What ends the patch in a direction from its middle: a line, of which (nx, ny) points outward, and the point on it. */
typedef struct limit3 {
    double dx, dy;
    double x, y, nx, ny;
    double unsure; /* of a margin: as a corner's */
    uint32_t name; /* of the side, or of the faces between which the gap is the margin */
    int is_margin;
} limit3;

/* Out of a side by rounding is on it. What runs along a side does not leave it. */
static double find_side(limit3 *l, const sides3 *sides, double x, double y)
{
    double most = FARTHEST;
    for (unsigned of_b = 0; of_b < 2; of_b++)
        for (unsigned k = 0; k < sides[of_b].count; k++) {
            const double nx = sides[of_b].nx[k], ny = sides[of_b].ny[k];
            const double in = nx * x + ny * y - sides[of_b].least[k], rate = nx * l->dx + ny * l->dy;
            const double to = in > 0 ? in / -rate : 0;
            if (rate < -ALONG && to < most) {
                most = to;
                l->nx = -nx;
                l->ny = -ny;
            }
        }
    return most;
}

/* 0 if the gap is more than the margin all along. */
static int find_limit(meet3 *m, const sides3 *sides, double x, double y, limit3 *l)
{
    const on3 none = {NO_EDGE, NO_EDGE};
    const double side = find_side(l, sides, x, y);
    double end;
    if (!cut_end(m, none, x, y, l->dx, l->dy, side, 0, &end))
        return 0;
    l->x = x + end * l->dx;
    l->y = y + end * l->dy;
    l->is_margin = end < side;
    if (!l->is_margin)
        return 1;
    const height3 a = height_over(m->a, OF_FEATURE, l->x, l->y),
                  b = height_over(m->b, OF_FEATURE, l->x, l->y);
    const double gx = -(a.gx + b.gx), gy = -(a.gy + b.gy), by = 1 / sqrt(gx * gx + gy * gy);
    l->nx = gx * by;
    l->ny = gy * by;
    l->unsure = SAME_POINT / 2 * by;
    l->name = name_of_both(a.name, b.name);
    return gx * gx + gy * gy > 0;
}

/* The direction in which two neighbours' lines meet, and how far away; along the first if they do not. 0 if it is not
 * between theirs: nothing is, or what rounding left. */
static int find_between(const limit3 *l, const limit3 *r, double x, double y, limit3 *to, double *away)
{
    const double turn = l->nx * r->ny - l->ny * r->nx;
    to->dx = -l->ny;
    to->dy = l->nx;
    *away = (double)INFINITY;
    if (turn > 0) {
        const double cl = l->nx * (l->x - x) + l->ny * (l->y - y),
                     cr = r->nx * (r->x - x) + r->ny * (r->y - y);
        const double vx = (cl * r->ny - cr * l->ny) / turn, vy = (cr * l->nx - cl * r->nx) / turn;
        const double length = sqrt(vx * vx + vy * vy);
        if (length < FARTHEST) {
            to->dx = vx / length;
            to->dy = vy / length;
            *away = length;
        }
    } else if (l->nx * r->nx + l->ny * r->ny > 0) {
        return 0;
    }
    return l->dx * to->dy - l->dy * to->dx > 0 && to->dx * r->dy - to->dy * r->dx > 0;
}

/* Next to a feature its surface is steep. What ends there, up to rounding, is a corner on its edge, which is there
 * already. */
static int is_at_side(const sides3 *sides, double x, double y)
{
    for (unsigned of_b = 0; of_b < 2; of_b++)
        for (unsigned k = 0; k < sides[of_b].count; k++)
            if (sides[of_b].nx[k] * x + sides[of_b].ny[k] * y < sides[of_b].least[k] + SAME_POINT / 2)
                return 1;
    return 0;
}

/* Where the margin ends between surfaces that are not flat it has corners over their inner edges, too. The patch is
 * convex: from a point in it, over which the gap is least, the lines that end it are found in four directions, then
 * there where the lines of two neighbours meet, until that is a corner. So narrow patches are found to their ends. If
 * that point is at a side, which ends all ways that leave it by rounding, the middle of it and the corners on edges is
 * in the patch, too. */
static void find_inner_corners(meet3 *m, const sides3 *sides, double x, double y)
{
    static const double way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    if (is_at_side(sides, x, y)) {
        const patch3 *p = m->patch;
        const double share = 1 / (1 + (double)p->count);
        x *= share;
        y *= share;
        for (unsigned i = 0; i < p->count; i++) {
            x += share * p->corner[i].x;
            y += share * p->corner[i].y;
        }
    }
    limit3 limit[MOST_RAYS];
    uint8_t next[MOST_RAYS], from[2 * MOST_RAYS];
    unsigned count = 0, first = 0, waiting = 0;
    for (; count < 4; count++) {
        limit[count] = (limit3){.dx = way[count][0], .dy = way[count][1]};
        if (!find_limit(m, sides, x, y, &limit[count]))
            return;
        next[count] = (uint8_t)((count + 1) % 4);
        from[waiting++] = (uint8_t)count;
    }
    for (; first < waiting && count < MOST_RAYS; first++) {
        const unsigned l = from[first], r = next[l];
        limit3 *between = &limit[count];
        double away;
        *between = (limit3){.name = 0};
        if (!find_between(&limit[l], &limit[r], x, y, between, &away) || !find_limit(m, sides, x, y, between))
            continue;
        next[count] = (uint8_t)r;
        next[l] = (uint8_t)count++;
        if ((between->x - x) * between->dx + (between->y - y) * between->dy > away - SAME_POINT) {
            between->name = name_of_both(limit[l].name, limit[r].name);
        } else {
            from[waiting++] = (uint8_t)l;
            from[waiting++] = next[l];
        }
    }
    for (unsigned k = 0; k < count; k++)
        if (limit[k].is_margin && !is_at_side(sides, limit[k].x, limit[k].y)) {
            put_corner(m, (on3){NO_EDGE, NO_EDGE}, limit[k].x, limit[k].y,
                       FEATURE_MARGIN_INNER(limit[k].name));
            m->patch->corner[m->patch->count - 1].unsure = limit[k].unsure;
        }
}

/* ---- points that are kept ---- */

static double square_between(const corner3 *p, const corner3 *q)
{
    return (p->x - q->x) * (p->x - q->x) + (p->y - q->y) * (p->y - q->y);
}

static double area_of(const corner3 *p, const corner3 *q, const corner3 *r)
{
    return (q->x - p->x) * (r->y - p->y) - (q->y - p->y) * (r->x - p->x);
}

/* Of points that are one the deeper stays, of those as deep the first. */
static void merge_corners(patch3 *p)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < p->count; i++) {
        unsigned k = 0;
        while (k < kept && square_between(&p->corner[i], &p->corner[k]) > SAME_POINT * SAME_POINT)
            k++;
        if (k == kept)
            p->corner[kept++] = p->corner[i];
        else if (p->corner[i].gap < p->corner[k].gap - AS_DEEP)
            p->corner[k] = p->corner[i];
    }
    p->count = kept;
}

/* Where the margin ends is asked of features, and contacts are of the surfaces below them: those that are farther apart
 * than `most` are none. */
static void drop_beyond(patch3 *p, double most)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < p->count; i++)
        if (p->corner[i].gap <= most + AS_DEEP)
            p->corner[kept++] = p->corner[i];
    p->count = kept;
}

static unsigned deepest_of(const patch3 *p)
{
    unsigned at = 0;
    for (unsigned i = 1; i < p->count; i++)
        at = p->corner[i].gap < p->corner[at].gap ? i : at;
    return at;
}

static unsigned farthest_from(const patch3 *p, unsigned from)
{
    unsigned at = from;
    for (unsigned i = 0; i < p->count; i++)
        if (square_between(&p->corner[from], &p->corner[i]) > square_between(&p->corner[from], &p->corner[at]))
            at = i;
    return at;
}

/* Places of corners along a long diagonal, from -1 to 1, and across it, 1 at most: a narrow patch is then as wide as
 * long. */
static void spread_corners(const patch3 *p, double (*place)[2])
{
    const corner3 *c = p->corner;
    const unsigned from = farthest_from(p, 0), to = farthest_from(p, from);
    const double dx = c[to].x - c[from].x, dy = c[to].y - c[from].y, square = dx * dx + dy * dy;
    double most = 0;
    for (unsigned i = 0; i < p->count; i++) {
        const double x = c[i].x - c[from].x, y = c[i].y - c[from].y;
        place[i][0] = 2 * (x * dx + y * dy) / square - 1;
        place[i][1] = dx * y - dy * x;
        most = fabs(place[i][1]) > most ? fabs(place[i][1]) : most;
    }
    for (unsigned i = 0; i < p->count && most > 0; i++)
        place[i][1] /= most;
}

/* Are all of some corners on one side of the line from one to another, which is not the same point? */
static int is_side(const corner3 *kept, unsigned n, const corner3 *from, const corner3 *to)
{
    for (unsigned k = 0; k < n; k++)
        if (area_of(from, to, &kept[k]) < 0)
            return 0;
    return square_between(from, to) > 0;
}

/* The corner that is farthest outside of the hull of those kept, if by more than what makes points one; else -1. */
static int farthest_outside(const patch3 *p, const corner3 *kept, unsigned n)
{
    double most = SAME_POINT;
    int at = -1;
    for (unsigned side = 0; side < n * n; side++) {
        const corner3 *from = &kept[side / n], *to = &kept[side % n];
        if (!is_side(kept, n, from, to))
            continue;
        const double by = 1 / sqrt(square_between(from, to));
        for (unsigned c = 0; c < p->count; c++) {
            const double beyond = -area_of(from, to, &p->corner[c]) * by;
            if (beyond > most) {
                most = beyond;
                at = (int)c;
            }
        }
    }
    return at;
}

/* Of many those that are farthest along one of some directions, and the deepest. Where these are few, as of triangles
 * with a chain of corners along one side, also those farthest outside of them. */
static void thin_corners(patch3 *p)
{
    static const double way[MOST_CORNERS - 1][2] = {{1, 0},    {12, 5},  {4, 3},    {3, 4},   {5, 12},
                                                    {0, 1},    {-5, 12}, {-1, 1},   {-12, 5}, {-1, 0},
                                                    {-12, -5}, {-1, -1}, {-5, -12}, {0, -1},  {1, -1}};
    double place[CORNER_ROOM][2];
    uint16_t best[MOST_CORNERS];
    if (p->count <= MOST_CORNERS)
        return;
    spread_corners(p, place);
    for (unsigned k = 0; k + 1 < MOST_CORNERS; k++) {
        double most = -(double)INFINITY;
        for (unsigned i = 0; i < p->count; i++) {
            const double at = way[k][0] * place[i][0] + way[k][1] * place[i][1];
            if (at > most) {
                most = at;
                best[k] = (uint16_t)i;
            }
        }
    }
    best[MOST_CORNERS - 1] = (uint16_t)deepest_of(p);
    corner3 kept[MOST_CORNERS];
    unsigned count = 0;
    for (unsigned k = 0; k < MOST_CORNERS; k++) {
        int known = 0;
        for (unsigned i = 0; i < k; i++)
            known |= best[i] == best[k];
        if (!known)
            kept[count++] = p->corner[best[k]];
    }
    for (int out; count < FEW_CORNERS && (out = farthest_outside(p, kept, count)) >= 0;)
        kept[count++] = p->corner[out];
    for (unsigned i = 0; i < count; i++)
        p->corner[i] = kept[i];
    p->count = count;
}

/* Where a direction is on the way around, from 0 to 4. */
static double way_of(double x, double y)
{
    const double sum = fabs(x) + fabs(y), part = sum > 0 ? x / sum : 0;
    return y < 0 ? 3 + part : 1 - part;
}

/* Anticlockwise, from the one of the least feature on: whatever axes there are, the order is the same. */
static void order_corners(patch3 *p)
{
    double way[MOST_CORNERS], cx = 0, cy = 0;
    corner3 *c = p->corner;
    for (unsigned i = 0; i < p->count; i++) {
        cx += c[i].x / p->count;
        cy += c[i].y / p->count;
    }
    for (unsigned i = 0; i < p->count; i++)
        way[i] = way_of(c[i].x - cx, c[i].y - cy);
    for (unsigned i = 1; i < p->count; i++) {
        const corner3 moved = c[i];
        const double at = way[i];
        unsigned k = i;
        for (; k > 0 && way[k - 1] > at; k--) {
            c[k] = c[k - 1];
            way[k] = way[k - 1];
        }
        c[k] = moved;
        way[k] = at;
    }
    corner3 turned[MOST_CORNERS];
    unsigned first = 0;
    for (unsigned i = 1; i < p->count; i++)
        first = c[i].feature < c[first].feature ? i : first;
    for (unsigned i = 0; i < p->count; i++)
        turned[i] = c[(first + i) % p->count];
    for (unsigned i = 0; i < p->count; i++)
        c[i] = turned[i];
}

/* Of a patch that is not much wider than rounding the area says little, and that of what is within rounding of it is
 * asked about: `grown` is more than 0 then. */
static double around(const patch3 *p, unsigned i, unsigned j, unsigned k, unsigned l, double grown)
{
    const corner3 *c = p->corner;
    return grown > 0 ? grown * (sqrt(square_between(&c[i], &c[j])) + sqrt(square_between(&c[j], &c[k])) +
                                sqrt(square_between(&c[k], &c[l])) + sqrt(square_between(&c[l], &c[i])))
                     : 0;
}

/* Is a corner next to the part of a line between two others? Less than half of T makes no difference. */
static int is_between(const corner3 *last, const corner3 *own, const corner3 *next)
{
    const double square = square_between(last, next);
    const double along = (own->x - last->x) * (next->x - last->x) + (own->y - last->y) * (next->y - last->y);
    const double most = fmax(SAME_POINT / 2, own->unsure);
    return along >= 0 && along <= square && area_of(last, own, next) <= most * sqrt(square);
}

/* Leaves out corners between their neighbours while there are more than fit, but of four the deepest: of a narrow patch
 * areas say less than rounding. */
static void drop_level(patch3 *p, unsigned room)
{
    for (unsigned i = 0; i < p->count && p->count > room;) {
        const corner3 *last = &p->corner[i ? i - 1 : p->count - 1],
                      *next = &p->corner[i + 1 < p->count ? i + 1 : 0];
        if (!is_between(last, &p->corner[i], next) || (room == 4 && i == deepest_of(p))) {
            i++;
            continue;
        }
        p->count--;
        for (unsigned k = i; k < p->count; k++)
            p->corner[k] = p->corner[k + 1];
    }
}

/* The two corners that are farthest from one another, and how far the others are from the line between them. */
typedef struct span3 {
    unsigned from, to;
    double square, wide;
} span3;

static span3 longest_span(const patch3 *p)
{
    span3 s = {0, 0, -1, 0};
    const corner3 *c = p->corner;
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned j = i + 1; j < p->count; j++)
            if (square_between(&c[i], &c[j]) > s.square)
                s = (span3){i, j, square_between(&c[i], &c[j]), 0};
    double across = 0;
    for (unsigned i = 0; i < p->count; i++)
        across = fmax(across, fabs(area_of(&c[s.from], &c[s.to], &c[i])));
    s.wide = across / sqrt(s.square);
    return s;
}

/* Of what is hardly wider than rounding: the largest triangle of corners that is as long as all, but for rounding. */
static void keep_longest(patch3 *p, const span3 *s)
{
    const double least = sqrt(s->square) - 4 * NARROW;
    double most = -1;
    unsigned best[3] = {0, 1, 2};
    const corner3 *c = p->corner;
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned j = i + 1; j < p->count; j++)
            for (unsigned k = j + 1; k < p->count; k++) {
                const double longest = fmax(square_between(&c[i], &c[j]),
                                            fmax(square_between(&c[j], &c[k]), square_between(&c[k], &c[i])));
                const double area = fabs(area_of(&c[i], &c[j], &c[k]));
                if (sqrt(longest) >= least && area > most * AREA_GAIN) {
                    most = area;
                    best[0] = i;
                    best[1] = j;
                    best[2] = k;
                }
            }
    for (unsigned k = 0; k < 3; k++)
        p->corner[k] = c[best[k]];
    p->count = 3;
}

static double square_off_side(const corner3 *p, const corner3 *q, const corner3 *from)
{
    const double dx = q->x - p->x, dy = q->y - p->y, square = dx * dx + dy * dy;
    const double along = (from->x - p->x) * dx + (from->y - p->y) * dy;
    const double t = square > 0 ? fmin(1, fmax(0, along / square)) : 0;
    const double x = from->x - p->x - t * dx, y = from->y - p->y - t * dy;
    return x * x + y * y;
}

static double square_off_triangle(const corner3 *p, const corner3 *q, const corner3 *r, const corner3 *from)
{
    if (area_of(p, q, from) >= 0 && area_of(q, r, from) >= 0 && area_of(r, p, from) >= 0)
        return 0;
    return fmin(square_off_side(p, q, from), fmin(square_off_side(q, r, from), square_off_side(r, p, from)));
}

/* Keeps the three of corners in order that stand for all: those from which the farthest other one is least far, if that
 * is little more than rounding. */
static int keep_standing(patch3 *p)
{
    const corner3 *c = p->corner;
    double least = STANDING * STANDING;
    unsigned best[3], found = 0;
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned j = i + 1; j < p->count; j++)
            for (unsigned k = j + 1; k < p->count; k++) {
                double most = 0;
                for (unsigned l = 0; l < p->count && most < least; l++)
                    most = fmax(most, square_off_triangle(&c[i], &c[j], &c[k], &c[l]));
                if (most < least) {
                    least = most;
                    best[0] = i;
                    best[1] = j;
                    best[2] = k;
                    found = 1;
                }
            }
    for (unsigned k = 0; k < 3 && found; k++)
        p->corner[k] = c[best[k]];
    p->count = found ? 3 : p->count;
    return found;
}

/* What the deepest point adds to a triangle of corners. Little of it says nothing: of three corners that stand for all
 * none must be left out for it. */
static double area_added(const corner3 *p, const corner3 *q, const corner3 *r, const corner3 *inner)
{
    const double most = fmax(-area_of(p, q, inner), fmax(-area_of(q, r, inner), -area_of(r, p, inner)));
    return most > INNER_SHARE * area_of(p, q, r) ? most : 0;
}

/* The largest polygon of four corners with one that is as deep as `deep` among them; or of three and of `inner`, the
 * deepest point, if that is no corner. */
static void keep_largest(patch3 *p, const corner3 *inner, double deep, double grown)
{
    const unsigned room = inner ? 3 : 4;
    unsigned best[4] = {0, 1, 2, 3};
    double most = -1;
    const corner3 *c = p->corner;
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned j = i + 1; j < p->count; j++)
            for (unsigned k = j + 1; k < p->count; k++) {
                const double half = area_of(&c[i], &c[j], &c[k]);
                const int is_deep = inner || c[i].gap <= deep || c[j].gap <= deep || c[k].gap <= deep;
                for (unsigned l = inner ? k : k + 1; l < (inner ? k + 1 : p->count); l++) {
                    const double rest = inner ? area_added(&c[i], &c[j], &c[k], inner) : area_of(&c[i], &c[k], &c[l]);
                    const double area = half + rest + around(p, i, j, k, l, grown);
                    if ((is_deep || c[l].gap <= deep) && area > most * AREA_GAIN) {
                        most = area;
                        best[0] = i;
                        best[1] = j;
                        best[2] = k;
                        best[3] = l;
                    }
                }
            }
    for (unsigned k = 0; k < room; k++)
        p->corner[k] = c[best[k]];
    p->count = room;
}

/* Whether all are in one line. Then the ends and the deepest stay. */
static int keep_line(patch3 *p, const span3 *s)
{
    if (s->wide > 2 * NARROW)
        return 0;
    const unsigned deep = deepest_of(p);
    corner3 *c = p->corner;
    const double bar = fmin(c[s->from].gap, c[s->to].gap) - AS_DEEP;
    const corner3 kept[3] = {c[s->from], c[s->to], c[deep]};
    p->count = c[deep].gap < bar ? 3 : 2;
    memcpy(c, kept, sizeof kept);
    return 1;
}

/* The corners that fit, the deepest first: four, or three next to `inner`, the deepest point, if that is no corner. For
 * the deepest may stand, among four, one whose gap is more by up to `slack`, or is `deep_enough` or less. */
static void keep_corners(patch3 *p, const corner3 *inner, double slack, double deep_enough)
{
    const unsigned room = inner ? 3 : 4;
    merge_corners(p);
    if (p->count > 2 && p->count > room - 1) {
        thin_corners(p);
        span3 span = longest_span(p);
        if (!keep_line(p, &span) && p->count > room) {
            order_corners(p);
            if (!(inner && keep_standing(p)))
                drop_level(p, room);
            span = longest_span(p);
        }
        const double deep = fmax(p->corner[deepest_of(p)].gap + slack, deep_enough);
        if (p->count > room && inner && span.wide < FEW_WIDE / 2)
            keep_longest(p, &span);
        else if (p->count > room)
            keep_largest(p, inner, deep, span.wide < FEW_WIDE ? 2 * NARROW : 0);
    }
    if (p->count == 0)
        return;
    const unsigned deep = deepest_of(p);
    const corner3 first = p->corner[deep];
    p->corner[deep] = p->corner[0];
    p->corner[0] = first;
}

#endif
