/* What cylinders and cones show along a normal: a disc, a line of the side, or a point (docs/manifolds.md, "Discs and
 * side lines"). In double, of one shape at a time; coordinates are those of feature3.h. */
#ifndef GJB_SIMD_ROUND3_H
#define GJB_SIMD_ROUND3_H

#include "simd/library.h"
#include "simd/space/patch3.h"

#define ROUND_SINE (0x1p-6 * (1 + 0x1p-40)) /* of the angle; rounding decides for more */
#define ROUND_GROWN (4 * (double)REAL_EPSILON) /* discs are, at their rims, in the pair's units */

/* Names of vertices. The ends of a line are 0 and 1, an apex is 1. Of a rim: 0 to 15 are fixed to the shape, */
enum {
    RIM_WAYS = 16,
    RIM_DEEPEST = RIM_WAYS, /* that of a disc that leans, */
    RIM_ALONE,              /* that is farthest along the normal, where no more than that is shown, */
    RIM_MARGIN = 20,        /* where the margin ends, and the next one, */
    RIM_TIP = 22,           /* where two rims cross, and the next one, */
    RIM_HALF = 24,          /* about half way from the deepest to the end before it, and to the one after it, */
    RIM_CROSSING = 64,      /* where the other's edge of vertex e comes in, plus 2 e, and the next one where it goes, */
    RIM_MIDDLE = 32768      /* half way from a margin's end, a tip or a crossing to the next of these. */
};

/* As stored: of a cylinder or cone the radius and half the height. */
typedef struct round3 {
    unsigned curve;
    double radius, half;
} round3;

/* A flat end, seen along the normal. */
typedef struct disc3 {
    double x, y, h;                /* the centre */
    double px, py, ph, qx, qy, qh; /* from it to the rim along the shape's first axis, and its second one */
    double by[2][2];               /* times a way in x and y: what it is of these two */
    double radius;
} disc3;

typedef enum shown3 { SHOWS_POINT, SHOWS_LINE, SHOWS_DISC } shown3;

/* `n`: outward, of unit length, in the shape's own axes. */
static shown3 shown_by(const round3 *r, vec3 n)
{
    const double across = sqrt(n.x * n.x + n.y * n.y), rise = 2 * r->half,
                 slant = sqrt(r->radius * r->radius + rise * rise);
    if (across <= ROUND_SINE && (r->curve == CURVE_CYLINDER || n.z < 0 || !(r->half > 0)))
        return SHOWS_DISC;
    if (r->curve == CURVE_CYLINDER)
        return fabs(n.z) <= ROUND_SINE ? SHOWS_LINE : SHOWS_POINT;
    if (rise <= TANGENT * r->radius) /* lines all around are within the angle */
        return SHOWS_POINT;
    const double off = fabs(across * r->radius - n.z * rise) / slant;
    return off <= ROUND_SINE && across * rise + n.z * r->radius > 0 ? SHOWS_LINE : SHOWS_POINT;
}

/* Of what is shown as a point: the apex or the rim. */
static unsigned name_of_point(const round3 *r, vec3 n)
{
    const double across = sqrt(n.x * n.x + n.y * n.y);
    return r->curve == CURVE_CONE && 2 * r->half * n.z >= r->radius * across ? 1 : RIM_ALONE;
}

static vec3 front_of(const view3 *view)
{
    return mul3(view->h, 1 / length3(view->h));
}

static void place_in_view(const view3 *view, vec3 v, double *x, double *y, double *h)
{
    *x = dot3(view->x, v) + view->ox;
    *y = dot3(view->y, v) + view->oy;
    *h = dot3(view->h, v) + view->oh;
}

/* A feature that is an edge, or a vertex if it is as short as rounding. */
static void find_side_line(feature3 *f, const round3 *r, const view3 *view, vec3 n)
{
    const double across = sqrt(n.x * n.x + n.y * n.y), out = across > 0 ? r->radius / across : 0;
    const vec3 low = {out * n.x, out * n.y, -r->half},
               high = {r->curve == CURVE_CONE ? 0 : low.x, r->curve == CURVE_CONE ? 0 : low.y, r->half};
    place_in_view(view, low, &f->x[0], &f->y[0], &f->h[0]);
    place_in_view(view, high, &f->x[1], &f->y[1], &f->h[1]);
    const double dx = f->x[1] - f->x[0], dy = f->y[1] - f->y[0], length = sqrt(dx * dx + dy * dy);
    f->extreme = f->near = 2;
    f->corners = length > NARROW ? 2 : 1;
    f->ex = length > NARROW ? dx / length : 1;
    f->ey = length > NARROW ? dy / length : 0;
    for (unsigned k = 0; k < 2; k++) {
        f->id[k] = (uint16_t)k;
        f->corner[k] = (uint16_t)k;
    }
    f->base = 0;
    f->flat = 0;
    f->all = 1;
    f->top = f->h[0] > f->h[1] ? f->h[0] : f->h[1];
}

/* A feature that is a plane without corners of its own, and the disc; a vertex if it is as small as rounding. */
static void find_disc(feature3 *f, disc3 *d, const round3 *r, const view3 *view, vec3 n)
{
    const double way = r->curve == CURVE_CYLINDER && n.z > 0 ? 1 : -1, up = n.z > 0 ? 1 : -1;
    const double nx = up * view->x.z, ny = up * view->y.z, nh = up * view->h.z;
    place_in_view(view, (vec3){0, 0, way * r->half}, &d->x, &d->y, &d->h);
    d->px = view->x.x * r->radius;
    d->py = view->y.x * r->radius;
    d->ph = view->h.x * r->radius;
    d->qx = view->x.y * r->radius;
    d->qy = view->y.y * r->radius;
    d->qh = view->h.y * r->radius;
    d->radius = length3(view->h) * r->radius;
    const double det = d->px * d->qy - d->py * d->qx;
    f->corners = d->radius > NARROW ? 3 : 1;
    f->extreme = f->near = 0;
    f->id[0] = RIM_ALONE;
    f->corner[0] = 0;
    f->flat = 1;
    f->all = 1;
    f->gx = -nx / nh;
    f->gy = -ny / nh;
    f->ph = d->h - (f->gx * d->x + f->gy * d->y);
    f->top = d->h + sqrt(d->ph * d->ph + d->qh * d->qh);
    if (f->corners == 1)
        return;
    d->by[0][0] = d->qy / det;
    d->by[0][1] = -d->qx / det;
    d->by[1][0] = -d->py / det;
    d->by[1][1] = d->px / det;
}

/* ---- rims ---- */

/* A point of the rim by its parts along both axes, which are a cosine and a sine. */
typedef struct rim3 {
    double c, s;
    unsigned id;
} rim3;

static const double rim_ways[RIM_WAYS][2] = {
    {1, 0},
    {0.92387953251128674, 0.38268343236508977},
    {0.70710678118654752, 0.70710678118654752},
    {0.38268343236508977, 0.92387953251128674},
    {0, 1},
    {-0.38268343236508977, 0.92387953251128674},
    {-0.70710678118654752, 0.70710678118654752},
    {-0.92387953251128674, 0.38268343236508977},
    {-1, 0},
    {-0.92387953251128674, -0.38268343236508977},
    {-0.70710678118654752, -0.70710678118654752},
    {-0.38268343236508977, -0.92387953251128674},
    {0, -1},
    {0.38268343236508977, -0.92387953251128674},
    {0.70710678118654752, -0.70710678118654752},
    {0.92387953251128674, -0.38268343236508977}};

static void rim_place(const disc3 *d, const rim3 *at, double *x, double *y)
{
    *x = d->x + (at->c * d->px + at->s * d->qx);
    *y = d->y + (at->c * d->py + at->s * d->qy);
}

/* Parts of a place along both axes: those of the rim make 1. */
static void parts_in(const disc3 *d, double x, double y, double *a, double *b)
{
    const double dx = x - d->x, dy = y - d->y;
    *a = d->by[0][0] * dx + d->by[0][1] * dy;
    *b = d->by[1][0] * dx + d->by[1][1] * dy;
}

/* How far the grown rim is from the centre, in parts. */
static double grown_parts(const disc3 *d)
{
    return 1 + ROUND_GROWN / d->radius;
}

static int is_in_disc(const disc3 *d, double x, double y)
{
    double a, b;
    const double most = grown_parts(d);
    parts_in(d, x, y, &a, &b);
    return a * a + b * b <= most * most;
}

/* 0 if it is nowhere. */
static int rim_towards(double a, double b, unsigned id, rim3 *at)
{
    const double length = sqrt(a * a + b * b);
    if (!(length > 0))
        return 0;
    *at = (rim3){a / length, b / length, id};
    return 1;
}

enum { RIM_ROOM = 64 };

/* Where something ends on a rim. */
typedef struct rim_ends {
    rim3 at[RIM_ROOM];
    unsigned count;
} rim_ends;

static void add_end(rim_ends *ends, double a, double b, unsigned id)
{
    if (ends->count < RIM_ROOM && rim_towards(a, b, id, &ends->at[ends->count]))
        ends->count++;
}

/* Where a line of parts, u a + v b = w, meets the rim. */
static void add_line_ends(rim_ends *ends, double u, double v, double w, unsigned id)
{
    const double square = u * u + v * v, left = square - w * w;
    if (!(square > 0) || !(left >= 0))
        return;
    const double along = sqrt(left) / square, foot = w / square;
    add_end(ends, u * foot - v * along, v * foot + u * along, id);
    add_end(ends, u * foot + v * along, v * foot - u * along, id + 1);
}

/* The highest point of a rim on a plane that rises by u and v along both axes. 0 if one that is fixed to the shape is
 * less than `slack` lower. */
static int highest_of_rim(double u, double v, double slack, rim3 *at)
{
    const double less = 0.0193; /* 1 less the cosine of half the angle between two of these */
    return less * sqrt(u * u + v * v) > slack && rim_towards(u, v, RIM_DEEPEST, at);
}

/* About half way from the deepest point to the ends before and after it, if these are so near that few fixed points, or
 * none, are between. The one after it is nearer to the deepest: both are as far in most patches, and which is kept is
 * not for rounding to say. How many there are. */
static unsigned find_halves(const rim_ends *ends, const rim3 *deepest, rim3 half[2])
{
    static const double weight[2] = {1, 1.5};
    const double near = 0.70710678118654752; /* two steps of the fixed points */
    const rim3 *nearest[2] = {NULL, NULL};
    double way[2] = {0, 4};
    unsigned count = 0;
    for (unsigned k = 0; k < ends->count; k++) {
        const rim3 *end = &ends->at[k];
        const double along = deepest->c * end->c + deepest->s * end->s,
                     across = deepest->c * end->s - deepest->s * end->c, to = way_of(along, across);
        const int after = across > 0;
        if (along > near && across != 0 && (after ? to < way[1] : to > way[0])) {
            nearest[after] = end;
            way[after] = to;
        }
    }
    for (unsigned k = 0; k < 2; k++)
        if (nearest[k])
            count += (unsigned)rim_towards(weight[k] * deepest->c + nearest[k]->c,
                                           weight[k] * deepest->s + nearest[k]->s, RIM_HALF + k, &half[count]);
    return count;
}

#endif
