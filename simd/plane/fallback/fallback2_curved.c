/* The fallback path for curved shapes in the plane: branch and bound over directions. */
#define GJB_BITS 64
#define GJB_LANES_SCALAR
#include "simd/plane/fallback/fallback2_curved.h"

#include "simd/plane/fallback/fallback2_curve.h"
#include "simd/plane/fallback/fallback2_frame.h"

/* In units of the pair's frame (size of order one): a few roundings of a support. */
#define TOLERANCE 0x1p-50
#define NARROW 0x1p-51 /* arcs of this width are as good as their ends */

enum { MOST_CELLS = 256, MOST_STEPS = 192, MOST_LOOKS = 1 << 20 };

/* A core in the frame of the pair. */
typedef struct figure {
    const double *x, *y; /* vertices */
    uint32_t n;          /* 0 if it is curved */
    curve2 map;          /* then: lengths in units of the frame */
    double c, s, tx, ty; /* and its axes in the frame, of unit length, and its centre */
} figure;

/* The extreme point of a figure along a unit vector. */
typedef struct spot {
    double x, y; /* in the frame */
    spot2 own;   /* of a curve */
} spot;

/* The difference along a unit vector n: its point, its support, and how that changes with the angle. */
typedef struct look {
    double nx, ny;
    spot a, b;
    double x, y, h, rise;
} look;

typedef struct cell {
    look lo, hi; /* hi is less than half a turn on from lo, counter-clockwise */
    unsigned depth;
} cell;

typedef struct search {
    figure a, b;
    look best;
    unsigned looks;
} search;

typedef struct vec {
    double x, y;
} vec;

static double dot(double ax, double ay, double bx, double by)
{
    return ax * bx + ay * by;
}

static double cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

/* ---- supports ---- */

static spot extreme(const figure *f, double nx, double ny)
{
    spot at = {.x = 0};
    if (!f->n) {
        double x, y;
        at.own.nx = dot(f->c, f->s, nx, ny);
        at.own.ny = cross(f->c, f->s, nx, ny);
        extreme_of_curve2(&f->map, at.own.nx, at.own.ny, &x, &y);
        at.own.u = fabs(x);
        at.own.v = fabs(y);
        at.x = f->c * x - f->s * y + f->tx;
        at.y = f->s * x + f->c * y + f->ty;
        return at;
    }
    double most = -INFINITY;
    for (uint32_t i = 0; i < f->n; i++) {
        const double along = nx * f->x[i] + ny * f->y[i];
        if (along > most) {
            most = along;
            at.x = f->x[i];
            at.y = f->y[i];
        }
    }
    return at;
}

/* Along (x, y), of any length but 0. */
static look look_along(search *s, double x, double y)
{
    const double length = sqrt(x * x + y * y);
    look at = {.nx = x / length, .ny = y / length};
    at.a = extreme(&s->a, at.nx, at.ny);
    at.b = extreme(&s->b, -at.nx, -at.ny);
    at.x = at.a.x - at.b.x;
    at.y = at.a.y - at.b.y;
    at.h = dot(at.nx, at.ny, at.x, at.y);
    at.rise = cross(at.nx, at.ny, at.x, at.y);
    s->looks++;
    if (at.h < s->best.h)
        s->best = at;
    return at;
}

/* ---- cells ---- */

/* The least of n.s over the arc; *at is its direction if that is not an end. */
static double least_along(vec s, vec from, vec to, vec *at)
{
    const double first = dot(s.x, s.y, from.x, from.y), last = dot(s.x, s.y, to.x, to.y);
    const double length = sqrt(s.x * s.x + s.y * s.y);
    if (first < 0 && last < 0 && cross(from.x, from.y, -s.x, -s.y) > 0 && cross(-s.x, -s.y, to.x, to.y) > 0) {
        *at = (vec){-s.x / length, -s.y / length};
        return -length;
    }
    return fmin(first, last);
}

/* A lower bound of the support in a cell whose outline has a radius of curvature of at least `radius`; and
 * the direction at which to split it: strictly inside, unless the cell is as narrow as numbers allow. */
static double bound_of(const cell *c, double radius, vec *split)
{
    const vec from = {c->lo.nx, c->lo.ny}, to = {c->hi.nx, c->hi.ny};
    const vec p = {c->lo.x - radius * from.x, c->lo.y - radius * from.y};
    const vec q = {c->hi.x - radius * to.x, c->hi.y - radius * to.y};
    const double ex = q.x - p.x, ey = q.y - p.y, length = sqrt(ex * ex + ey * ey);
    const vec middle = {from.x + to.x, from.y + to.y};
    double least;
    *split = middle;
    if (length > 0 && cross(from.x, from.y, ey, -ex) >= 0 && cross(ey, -ex, to.x, to.y) >= 0) {
        const vec normal = {ey / length, -ex / length};
        vec aside_p = normal, aside_q = normal;
        const double by_p = least_along(p, from, normal, &aside_p), by_q = least_along(q, normal, to, &aside_q);
        *split = by_p < by_q ? aside_p : aside_q;
        least = fmin(by_p, by_q);
    } else {
        vec aside_p = middle, aside_q = middle;
        const double by_p = least_along(p, from, to, &aside_p), by_q = least_along(q, from, to, &aside_q);
        *split = by_p > by_q ? aside_p : aside_q;
        least = fmax(by_p, by_q);
    }
    if (!(cross(from.x, from.y, split->x, split->y) > 0 && cross(split->x, split->y, to.x, to.y) > 0))
        *split = middle;
    return least + radius;
}

/* ---- a minimum between a falling and a rising support ---- */

/* Narrows a cell to a minimum: by the normal of the chord, which may be that of a side, and by the zero
 * of the line through both derivatives, in turns; by the middle if those do not halve it. */
static void descend(search *s, cell *c)
{
    double weight_lo = -c->lo.rise, weight_hi = c->hi.rise, width = cross(c->lo.nx, c->lo.ny, c->hi.nx, c->hi.ny);
    int last = 0;
    for (int k = 0; k < MOST_STEPS && width > NARROW; k++) {
        vec at;
        if (fmin(c->lo.h, c->hi.h) - bound_of(c, 0, &at) <= 0x1p-53)
            return;
        if (k % 4 == 3)
            at = (vec){c->lo.nx + c->hi.nx, c->lo.ny + c->hi.ny};
        else if (k % 2)
            at = (vec){weight_hi * c->lo.nx + weight_lo * c->hi.nx, weight_hi * c->lo.ny + weight_lo * c->hi.ny};
        look now = look_along(s, at.x, at.y);
        const int side = now.rise > 0 ? 1 : -1;
        if (fabs(now.rise) <= 0x1p-53) {
            c->lo = c->hi = now;
            return;
        }
        if (side > 0) {
            c->hi = now;
            weight_hi = now.rise;
            weight_lo *= side == last ? 0.5 : 1;
        } else {
            c->lo = now;
            weight_lo = -now.rise;
            weight_hi *= side == last ? 0.5 : 1;
        }
        last = side;
        width = cross(c->lo.nx, c->lo.ny, c->hi.nx, c->hi.ny);
    }
}

/* An arc around the best direction; the support falls at its first end and rises at the other. */
static cell bracket(search *s)
{
    const look from = s->best;
    cell c = {.lo = from, .hi = from};
    const double sign = from.rise > 0 ? -1 : 1;
    for (double by = 0x1p-46; fabs(from.rise) > 0x1p-52 && by < 2; by *= 4) {
        const look there = look_along(s, from.nx - sign * by * from.ny, from.ny + sign * by * from.nx);
        if (there.rise * from.rise <= 0) {
            *(sign > 0 ? &c.hi : &c.lo) = there;
            break;
        }
        *(sign > 0 ? &c.lo : &c.hi) = there; /* as good, to rounding */
    }
    if (c.lo.rise * c.hi.rise > 0)
        c.lo = c.hi = from;
    return c;
}

/* ---- the search ---- */

/* Searches `c`: returns no cell, or its halves, the more promising last. */
static unsigned look_into(search *s, const cell *c, cell halves[2])
{
    const double width = cross(c->lo.nx, c->lo.ny, c->hi.nx, c->hi.ny),
                 cosine = dot(c->lo.nx, c->lo.ny, c->hi.nx, c->hi.ny);
    const double corner = 1 / sqrt(0.5 * (1 + cosine));
    const double radius = least_radius(&s->a.map, &c->lo.a.own, &c->hi.a.own, corner) +
                          least_radius(&s->b.map, &c->lo.b.own, &c->hi.b.own, corner);
    vec at;
    const double least = bound_of(c, radius, &at);
    if (least >= s->best.h - TOLERANCE || width <= NARROW)
        return 0;
    if (radius >= corner * fmax(fmax(c->lo.h, c->hi.h), 0)) {
        cell one = *c;
        if (c->lo.rise < 0 && c->hi.rise > 0)
            descend(s, &one);
        return 0;
    }
    if (c->depth % 3 == 2)
        at = (vec){c->lo.nx + c->hi.nx, c->lo.ny + c->hi.ny};
    const look now = look_along(s, at.x, at.y);
    const int low = c->lo.h < c->hi.h;
    halves[low] = (cell){c->lo, now, c->depth + 1};
    halves[!low] = (cell){now, c->hi, c->depth + 1};
    return 2;
}

static void search_all(search *s)
{
    static const vec axes[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    cell stack[MOST_CELLS];
    unsigned count = 0;
    look first[4];
    s->best.h = INFINITY;
    for (int i = 0; i < 4; i++)
        first[i] = look_along(s, axes[i].x, axes[i].y);
    for (int i = 0; i < 4; i++)
        stack[count++] = (cell){first[i], first[(i + 1) % 4], 0};
    while (count > 0 && s->looks < MOST_LOOKS) {
        cell halves[2];
        const cell next = stack[--count];
        const unsigned more = look_into(s, &next, halves);
        for (unsigned i = 0; i < more && count < MOST_CELLS; i++)
            stack[count++] = halves[i];
    }
}

/* The best direction in a bracket, and the share of the way between its ends at which the points cancel out across
 * it: that in which the derivative would be 0 if it were linear; or, if there is such a share, the chord's, opposite
 * to whose nearest point to the origin it is, or that of an end. */
static look direction_in(search *s, const cell *c, double *share)
{
    const double fall = fabs(c->lo.rise), rise = fabs(c->hi.rise), part = fall + rise > 0 ? fall / (fall + rise) : 0;
    look best = look_along(s, c->lo.nx + part * (c->hi.nx - c->lo.nx), c->lo.ny + part * (c->hi.ny - c->lo.ny));
    vec at;
    (void)bound_of(c, 0, &at);
    const look others[3] = {look_along(s, at.x, at.y), c->lo, c->hi};
    *share = part;
    for (int i = 0; i < 3; i++) {
        const double lo = cross(others[i].nx, others[i].ny, c->lo.x, c->lo.y);
        const double hi = cross(others[i].nx, others[i].ny, c->hi.x, c->hi.y);
        if (others[i].h < best.h && lo <= 0 && hi >= 0) {
            best = others[i];
            *share = hi > lo ? -lo / (hi - lo) : 0;
        }
    }
    return best;
}

static void solve(search *s, fallback_core *core)
{
    search_all(s);
    cell c = bracket(s);
    descend(s, &c);
    double share;
    const look n = direction_in(s, &c, &share);
    core->distance = -n.h;
    core->overlapping = !(core->distance > 4 * TOLERANCE);
    core->normal[0] = n.nx;
    core->normal[1] = n.ny;
    core->a[0] = c.lo.a.x + share * (c.hi.a.x - c.lo.a.x);
    core->a[1] = c.lo.a.y + share * (c.hi.a.y - c.lo.a.y);
    core->b[0] = c.lo.b.x + share * (c.hi.b.x - c.lo.b.x);
    core->b[1] = c.lo.b.y + share * (c.hi.b.y - c.lo.b.y);
}

/* The axes of a body in the frame, of a curve alone: scaled by the length of (c, s). */
static void place_curve(figure *f, const fallback_body *body, double c, double s, double tx, double ty)
{
    const double scale = sqrt(c * c + s * s);
    f->map = fallback_curve_of(body, scale);
    f->c = c / scale;
    f->s = s / scale;
    f->tx = tx;
    f->ty = ty;
}

/* Turns an ellipse of equal semi-axes into a point with a radius; others are unchanged. */
static fallback_body disk_to_point(const fallback_body *body)
{
    static const double origin[1];
    fallback_body out = *body;
    const int round = body->curve == CURVE_ELLIPSE || (body->curve == CURVE_SUPER && body->x[2] == 2);
    if (!round || body->x[0] != body->x[1])
        return out;
    out.curve = CURVE_NONE;
    out.x = out.y = origin;
    out.n = 1;
    out.radius += body->x[0] * sqrt(body->c * body->c + body->s * body->s);
    return out;
}

void gjb_fallback2_curved(const fallback_body *given_a, const fallback_body *given_b, double extent, double *room,
                         fallback_answer *answer)
{
    const fallback_body plain_a = disk_to_point(given_a), plain_b = disk_to_point(given_b), *a = &plain_a,
                        *b = &plain_b;
    if (!a->curve && !b->curve) {
        gjb_fallback2(a, b, extent, room, answer);
        return;
    }
    const fallback_frame frame = fallback_frame_of(a, b, extent);
    double *ax = room, *ay = ax + a->n, *bx = ay + a->n, *by = bx + b->n;
    search s = {.a = {.x = ax, .y = ay, .n = a->n}, .b = {.x = bx, .y = by, .n = b->n}};
    fallback_place_a(&frame, a, ax, ay);
    fallback_place_b(&frame, b, bx, by);
    place_curve(&s.a, a, frame.rho2 * frame.scale, 0, 0, 0);
    place_curve(&s.b, b, frame.c, frame.s, frame.tx, frame.ty);
    fallback_core got = {.overlapping = 0};
    solve(&s, &got);
    fallback_to_world(&frame, a, b, &got, answer);
}
