/* The feature of one shape along a normal: the vertices that are extreme within the angle of docs/manifolds.md, as a
 * polygon seen along the normal, and heights over it. For any polytope, in double, with nothing prepared.
 *
 * Coordinates are across the normal (x, y) and along it (h), in units of the pair's size. h grows from the shape
 * towards the other one, so that either shape is seen from its front.
 */
#ifndef GJB_SIMD_FEATURE3_H
#define GJB_SIMD_FEATURE3_H

#include <math.h>
#include <stdint.h>

#include "simd/lanes/lanes.h"
#include "simd/lanes/vector3.h"

#define SINE_SQUARED (1. / 4096)     /* of the angle */
#define TANGENT 0.015626907697949346 /* its tangent, rounded up */
#define TANGENT_SQUARED (TANGENT * TANGENT)
#define STEEP 4. /* times the tangent: vertices that may be under the surface over the feature */
#define NEAR (12 * (double)REAL_EPSILON) /* edges that miss each other by no more meet, in a pair of size 1 */
/* Less than T: separations that stand for the least one. In double those of floats are all but exact. */
#define DEEP ((GJB_BITS == 32 ? 30 : 24) * (double)REAL_EPSILON)
/* In the pair's units, in which T is at least 18 roundings. */
#define HEIGHT_DOUBT (2 * (double)REAL_EPSILON) /* heights that differ by less are equal */
/* The same where it is asked which vertices are extreme. Whatever the precision that is found in double, since what is
 * wanted is decided exactly: a vertex that is taken by mistake may be far from all others. */
#define EXTREME_DOUBT 0x1p-51
#define GROWN (6 * (double)REAL_EPSILON)        /* features are, at their sides */
enum { SHORT_OUTLINE = 64 }; /* corners: of larger outlines little is done that takes their square */
#define STEEPEST (GJB_BITS == 32 ? 0x1p19 : 0x1p30) /* what rises by more stands along the normal */
#define NARROW (8 * (double)REAL_EPSILON) /* a polygon without inside */

/* Where stored vertices are. */
typedef struct stored3 {
    const real *at;
    unsigned count, group;
} stored3;

/* Axes across the normal and along it, in the shape's own frame and on the scale of the pair; and where its origin
 * is along them. */
typedef struct view3 {
    vec3 x, y, h;
    double ox, oy, oh;
} view3;

/* Rows have room for every vertex of the shape. */
typedef struct feature3 {
    double *x, *y, *h; /* first vertices that may be of the feature, then those that may be near it */
    double *u, *v;     /* of a polygon that is not flat: along its longest diagonal, and across */
    uint16_t *id;      /* as stored */
    uint16_t *corner;  /* of the polygon, anticlockwise in x and y: which of these vertices */
    uint16_t *room;    /* first those that are of it; room for two polygons */
    unsigned own, extreme, near, corners;
    double ex, ey; /* along an edge, of unit length, if there are two corners; or along u */
    unsigned base; /* where u and v are 0 */
    int flat; /* of more corners, 1: all are on h = ph + gx x + gy y, which is no steeper than the angle */
    double ph, gx, gy;
    double top; /* the highest of h */
    int all;    /* 1: every vertex is taken as near */
    stored3 stored;
    view3 view;
} feature3;

static inline vec3 stored_vertex(const stored3 *s, unsigned i)
{
    const real *v = s->at + (size_t)(i / s->group) * s->group * 3 + i % s->group;
    return (vec3){(double)v[0], (double)v[s->group], (double)v[2 * s->group]};
}

static inline void put_vertex(feature3 *f, unsigned at, const feature3 *from, unsigned i)
{
    f->x[at] = from->x[i];
    f->y[at] = from->y[i];
    f->h[at] = from->h[i];
    f->id[at] = from->id[i];
}

/* Heights of all vertices. Returns which is the first of the highest. */
static unsigned find_heights(const stored3 *s, const view3 *view, double *h)
{
    for (unsigned base = 0; base < s->count; base += s->group) {
        const real *v = s->at + 3 * (size_t)base;
        for (unsigned i = 0; i < s->group; i++)
            h[base + i] = view->h.x * (double)v[i] + view->h.y * (double)v[s->group + i] +
                          view->h.z * (double)v[2 * s->group + i] + view->oh;
    }
    unsigned top = 0;
    for (unsigned i = 1; i < s->count; i++)
        top = h[i] > h[top] ? i : top;
    return top;
}

/* Takes all vertices that a direction within a slope of the normal may find. With s the one farthest along the
 * normal, every other vertex that does is above the cone of that slope whose apex is s. */
static void gather_vertices(feature3 *f, const stored3 *s, const view3 *view)
{
    const unsigned top = find_heights(s, view, f->h);
    const double most = f->top = f->h[top];
    const vec3 apex = stored_vertex(s, top);
    const double ax = dot3(view->x, apex) + view->ox, ay = dot3(view->y, apex) + view->oy;
    unsigned n = 0;
    f->extreme = 0;
    for (unsigned i = 0; i < s->count; i++) {
        const double h = f->h[i], down = most - h - HEIGHT_DOUBT;
        if (down > 2 * STEEP * TANGENT) /* nothing is farther across than 2 */
            continue;
        const vec3 v = stored_vertex(s, i);
        const double x = dot3(view->x, v) + view->ox, y = dot3(view->y, v) + view->oy;
        const double square = (x - ax) * (x - ax) + (y - ay) * (y - ay);
        if (i != top && down > 0 && down * down > STEEP * STEEP * TANGENT_SQUARED * square)
            continue;
        unsigned at = n++;
        if (down <= 0 || down * down <= TANGENT_SQUARED * square) {
            at = f->extreme++;
            put_vertex(f, n - 1, f, at);
        }
        f->x[at] = x;
        f->y[at] = y;
        f->h[at] = h; /* n - 1 is not above i */
        f->id[at] = (uint16_t)i;
    }
    f->near = n;
}

/* Places of a polygon along its longest diagonal and across: however narrow it is, what is across is then relative to
 * its width, but for the rounding of vertices. */
static void place_vertices(feature3 *f)
{
    for (unsigned i = 0; i < f->near; i++) {
        const double dx = f->x[i] - f->x[f->base], dy = f->y[i] - f->y[f->base];
        f->u[i] = f->ex * dx + f->ey * dy;
        f->v[i] = f->ex * dy - f->ey * dx;
    }
}

/* Takes all others as near, too. Those of the feature are first, by id. */
static void gather_all(feature3 *f)
{
    const stored3 *s = &f->stored;
    const view3 *view = &f->view;
    unsigned known = 0, n = f->extreme;
    f->all = 1;
    for (unsigned i = 0; i < s->count; i++) {
        if (known < f->extreme && f->id[known] == i) {
            known++;
            continue;
        }
        const vec3 v = stored_vertex(s, i);
        f->x[n] = dot3(view->x, v) + view->ox;
        f->y[n] = dot3(view->y, v) + view->oy;
        f->h[n] = view->h.x * v.x + view->h.y * v.y + view->h.z * v.z + view->oh;
        f->id[n++] = (uint16_t)i;
    }
    f->near = n;
    place_vertices(f);
}

/* Whether some plane through vertex v is above all others and no steeper than the angle: its slope is the point
 * nearest to 0 that satisfies a linear inequality for each other vertex, found by adding these one by one. */
static int is_extreme(const feature3 *f, unsigned v)
{
    double gx = 0, gy = 0;
    for (unsigned j = 0; j < f->extreme; j++) {
        const double ax = f->x[j] - f->x[v], ay = f->y[j] - f->y[v], c = f->h[j] - f->h[v] - EXTREME_DOUBT;
        if (ax * gx + ay * gy >=
            c - EXTREME_DOUBT / 4) /* as repeated vertices say the same but for rounding */
            continue;
        const double square = ax * ax + ay * ay;
        if (!(square > 0))
            return 0;
        const double fx = ax * c / square, fy = ay * c / square; /* the line's foot, and along it */
        const double most = 2 * TANGENT / sqrt(square); /* along it, from the foot */
        double low = -most, high = most;
        for (unsigned i = 0; i < j; i++) {
            const double bx = f->x[i] - f->x[v], by = f->y[i] - f->y[v], d = f->h[i] - f->h[v] - EXTREME_DOUBT;
            const double rate = by * ax - bx * ay,
                         rest = d - (bx * fx + by * fy) - EXTREME_DOUBT / 4; /* rate t >= rest */
            if (rate > 0)
                low = rest > low * rate ? rest / rate : low;
            else if (rate < 0)
                high = rest > high * rate ? rest / rate : high;
            else if (rest > 0)
                return 0;
        }
        if (low > high)
            return 0;
        const double t = low > 0 ? low : high < 0 ? high : 0;
        gx = fx - ay * t;
        gy = fy + ax * t;
        if (gx * gx + gy * gy > TANGENT_SQUARED)
            return 0;
    }
    return 1;
}

static inline double turn_of3(const feature3 *f, unsigned a, unsigned b, unsigned c)
{
    return (f->x[b] - f->x[a]) * (f->y[c] - f->y[a]) - (f->y[b] - f->y[a]) * (f->x[c] - f->x[a]);
}

static inline int is_before(const feature3 *f, unsigned a, unsigned b)
{
    if (f->x[a] != f->x[b])
        return f->x[a] < f->x[b];
    if (f->y[a] != f->y[b])
        return f->y[a] < f->y[b];
    return f->h[a] != f->h[b] ? f->h[a] > f->h[b] : f->id[a] < f->id[b];
}

static void sift_down(const feature3 *f, uint16_t *heap, unsigned at, unsigned n)
{
    for (unsigned child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && is_before(f, heap[child], heap[child + 1]);
        if (!is_before(f, heap[at], heap[child]))
            return;
        const uint16_t moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
}

static void sort_vertices(const feature3 *f, uint16_t *order, unsigned n)
{
    if (n <= 16) {
        for (unsigned i = 1; i < n; i++) {
            const uint16_t moved = order[i];
            unsigned at = i;
            for (; at > 0 && is_before(f, moved, order[at - 1]); at--)
                order[at] = order[at - 1];
            order[at] = moved;
        }
        return;
    }
    for (unsigned i = n / 2; i-- > 0;)
        sift_down(f, order, i, n);
    for (unsigned end = n; end-- > 1;) {
        const uint16_t last = order[end];
        order[end] = order[0];
        order[0] = last;
        sift_down(f, order, 0, end);
    }
}

/* The strictly convex hull, seen along the normal (Andrew 1979), of n vertices in f->room. */
static void outline(feature3 *f, unsigned n)
{
    uint16_t *order = f->room, *hull = f->room + n;
    unsigned count = 0;
    sort_vertices(f, order, n);
    unsigned apart = 0;
    for (unsigned k = 0; k < n; k++) /* of vertices over one another the highest comes first */
        if (apart == 0 || f->x[order[apart - 1]] != f->x[order[k]] ||
            f->y[order[apart - 1]] != f->y[order[k]])
            order[apart++] = order[k];
    f->own = n = apart;
    if (n == 1)
        hull[count++] = order[0];
    for (int side = 0; side < 2 && n > 1; side++) {
        const unsigned base = count;
        for (unsigned k = 0; k < n; k++) {
            const uint16_t p = order[side ? n - 1 - k : k];
            while (count >= base + 2 && turn_of3(f, hull[count - 2], hull[count - 1], p) <= 0)
                count--;
            hull[count++] = p;
        }
        count--; /* the next chain begins with it */
    }
    f->corners = count;
    for (unsigned i = 0; i < f->corners; i++)
        f->corner[i] = hull[i];
}

/* The plane of three corners that make a large triangle, if all vertices are on it but for rounding. A narrow face may
 * be steep: then the surface over it may be made by others. */
static void find_plane(feature3 *f, unsigned from, unsigned to)
{
    double area = 0;
    unsigned third = from;
    for (unsigned i = 0; i < f->corners; i++) {
        const double here = turn_of3(f, from, to, f->corner[i]);
        if (fabs(here) > fabs(area)) {
            area = here;
            third = f->corner[i];
        }
    }
    const double ex = f->x[to] - f->x[from], ey = f->y[to] - f->y[from], eh = f->h[to] - f->h[from];
    const double dx = f->x[third] - f->x[from], dy = f->y[third] - f->y[from], dh = f->h[third] - f->h[from];
    f->gx = (eh * dy - dh * ey) / area;
    f->gy = (dh * ex - eh * dx) / area;
    f->ph = f->h[from] - (f->gx * f->x[from] + f->gy * f->y[from]);
    f->flat = f->gx * f->gx + f->gy * f->gy <= TANGENT_SQUARED;
    for (unsigned i = 0; i < f->extreme && f->flat; i++)
        f->flat = fabs(f->h[i] - (f->ph + f->gx * f->x[i] + f->gy * f->y[i])) <= 2 * HEIGHT_DOUBT;
}

/* A polygon as narrow as rounding is the segment between its ends, which are the farthest apart, and that a point if
 * it is as short. */
static void flatten(feature3 *f, double narrow)
{
    double most = -1, wide = 0;
    unsigned from = 0, to = 0;
    f->flat = 0;
    f->base = f->corner[0];
    f->ex = 1;
    f->ey = 0;
    if (f->corners < 2 || f->corners > SHORT_OUTLINE)
        return;
    for (unsigned i = 0; i < f->corners; i++)
        for (unsigned j = i + 1; j < f->corners; j++) {
            const double dx = f->x[f->corner[j]] - f->x[f->corner[i]],
                         dy = f->y[f->corner[j]] - f->y[f->corner[i]];
            if (dx * dx + dy * dy > most) {
                most = dx * dx + dy * dy;
                from = f->corner[i];
                to = f->corner[j];
            }
        }
    if (f->id[from] > f->id[to]) {
        const unsigned first = to;
        to = from;
        from = first;
    }
    const double length = sqrt(most);
    for (unsigned i = 0; i < f->corners; i++)
        wide = fmax(wide, fabs(turn_of3(f, from, to, f->corner[i])));
    f->ex = (f->x[to] - f->x[from]) / length;
    f->ey = (f->y[to] - f->y[from]) / length;
    f->base = from;
    if (length > narrow && wide > narrow * length) {
        find_plane(f, from, to);
        return;
    }
    f->corners = length > narrow ? 2 : 1;
    f->corner[0] = (uint16_t)(f->corners == 2 || f->h[from] >= f->h[to] ? from : to);
    f->corner[1] = (uint16_t)to;
}

static unsigned highest_of(const feature3 *f)
{
    unsigned top = 0;
    for (unsigned i = 1; i < f->extreme; i++)
        top = f->h[i] > f->h[top] ? i : top;
    return top;
}

static void find_feature(feature3 *f, const stored3 *s, const view3 *view)
{
    f->stored = *s;
    f->view = *view;
    f->all = 0;
    gather_vertices(f, s, view);
    if (f->extreme == 1) {
        f->corner[0] = 0;
        f->corners = 1;
        return;
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < f->extreme; i++)
        if (is_extreme(f, i))
            f->room[kept++] = (uint16_t)i;
    if (kept == 0) /* by rounding */
        f->room[kept++] = (uint16_t)highest_of(f);
    outline(f, kept);
    flatten(f, NARROW);
    if (f->corners > 2 && !f->flat)
        place_vertices(f);
}

/* ---- heights ---- */

/* Over a point across the normal, how it rises there, and a name of the face. The feature itself may run below the
 * surface, as docs/manifolds.md says: where the margin ends is asked of it, where contacts are of the surface. */
typedef enum of3 { OF_FEATURE, OF_SURFACE } of3;

/* Some of the vertices: the first, or those that are listed. */
typedef struct some3 {
    const uint16_t *list;
    unsigned count;
} some3;

static inline some3 vertices_of(const feature3 *f, of3 of)
{
    return of == OF_SURFACE ? (some3){NULL, f->near} : (some3){f->room, f->own};
}

static inline unsigned vertex_at(some3 some, unsigned k)
{
    return some.list ? some.list[k] : k;
}

typedef struct height3 {
    double h, gx, gy;
    uint32_t name;
} height3;

static inline uint32_t mixed(uint32_t name)
{
    name *= 2654435769u; /* 2^32 by the golden ratio */
    return (name ^ name >> 16) * 2654435769u;
}

/* In any order. */
static inline uint32_t name_of_both(uint32_t a, uint32_t b)
{
    return mixed(a) + mixed(b);
}

static inline uint32_t name_of_line(const feature3 *f, unsigned a, unsigned b)
{
    return name_of_both(f->id[a] + 1u, f->id[b] + 1u);
}

enum { MOST_STEPS = 64 };

/* From a vertex in a direction of unit length. */
typedef struct line3 {
    double x, y, ex, ey, length;
} line3;

/* Of some vertices those that are along the line between two of them, no farther from it than `wide`. Writes
 * between which two the point is. */
static height3 height_on_line(const feature3 *f, const line3 *line, unsigned low, unsigned high, some3 some,
                              double wide, double x, double y, unsigned *between)
{
    double s0 = 0, s1 = line->length, s = (x - line->x) * line->ex + (y - line->y) * line->ey;
    s = s > 0 ? s < s1 ? s : s1 : 0;
    for (int step = 0;; step++) {
        const double rate = (f->h[high] - f->h[low]) / (s1 - s0), h = f->h[low] + rate * (s - s0);
        double most = HEIGHT_DOUBT, at = 0;
        unsigned best = low;
        for (unsigned k = 0; k < some.count; k++) {
            const unsigned i = vertex_at(some, k);
            const double dx = f->x[i] - line->x, dy = f->y[i] - line->y, si = dx * line->ex + dy * line->ey;
            const double over = f->h[i] - (f->h[low] + rate * (si - s0));
            if (si > s0 && si < s1 && over > most && fabs(dy * line->ex - dx * line->ey) <= wide) {
                most = over;
                best = i;
                at = si;
            }
        }
        if (best == low || step == MOST_STEPS) {
            between[0] = low;
            between[1] = high;
            if (fabs(rate) > STEEPEST) /* a wall, of which the upper end counts */
                return (height3){f->h[rate > 0 ? high : low], 0, 0, name_of_line(f, low, high)};
            return (height3){h, rate * line->ex, rate * line->ey, name_of_line(f, low, high)};
        }
        if (at <= s) {
            low = best;
            s0 = at;
        } else {
            high = best;
            s1 = at;
        }
    }
}

/* Over an edge, or several in line. */
static height3 height_on_edge(const feature3 *f, double x, double y)
{
    const unsigned low = f->corner[0], high = f->corner[1];
    const line3 line = {f->x[low], f->y[low], f->ex, f->ey,
                        (f->x[high] - f->x[low]) * f->ex + (f->y[high] - f->y[low]) * f->ey};
    unsigned between[2];
    return height_on_line(f, &line, low, high, (some3){NULL, f->extreme}, (double)INFINITY, x, y, between);
}

/* The triangle of two vertices on either side of a line, and of one on it, that is highest over its point next to (x,
 * y). 0 if no such triangle is above the line. */
static int find_above(const feature3 *f, of3 of, const line3 *line, const unsigned *between, double x,
                      double y, unsigned *v)
{
    const unsigned from = between[0], to = between[1];
    const double s0 = (f->x[from] - line->x) * line->ex + (f->y[from] - line->y) * line->ey;
    const double s1 = (f->x[to] - line->x) * line->ex + (f->y[to] - line->y) * line->ey;
    const double rate = (f->h[to] - f->h[from]) / (s1 - s0);
    const some3 some = vertices_of(f, of);
    double most[2] = {-(double)INFINITY, -(double)INFINITY}, wide[2] = {0, 0}, along[2] = {0, 0};
    if (!(fabs(rate) <= STEEPEST))
        return 0;
    for (unsigned k = 0; k < some.count; k++) {
        const unsigned i = vertex_at(some, k);
        const double dx = f->x[i] - line->x, dy = f->y[i] - line->y, s = dx * line->ex + dy * line->ey;
        const double across = line->ex * dy - line->ey * dx, over = f->h[i] - (f->h[from] + rate * (s - s0));
        const int side = across < 0;
        if (!(fabs(across) > 2 * NARROW) || !(over > most[side] * fabs(across)))
            continue;
        most[side] = over / fabs(across);
        wide[side] = fabs(across);
        along[side] = s;
        v[side] = i;
    }
    const double sum = wide[0] + wide[1], gain = (most[0] + most[1]) * (wide[0] * wide[1] / sum);
    if (!(wide[0] > 0 && wide[1] > 0 && gain > HEIGHT_DOUBT / 4))
        return 0;
    const double at = (x - line->x) * line->ex + (y - line->y) * line->ey;
    v[2] = (along[0] * wide[1] + along[1] * wide[0]) / sum > at ? from : to;
    return 1;
}

/* At which corner of a triangle its longest side begins, and how long that is. */
static int longest_side(const double *x, const double *y, const unsigned *v, double *length)
{
    double most = -1;
    int at = 0;
    for (int k = 0; k < 3; k++) {
        const unsigned p = v[k], q = v[(k + 1) % 3];
        const double dx = x[q] - x[p], dy = y[q] - y[p];
        if (dx * dx + dy * dy > most) {
            most = dx * dx + dy * dy;
            at = k;
        }
    }
    *length = sqrt(most);
    return at;
}

/* Over a triangle as narrow as rounding: that of the vertices along its longest side. Writes a triangle that is higher
 * and returns 1 if there is one. */
static int height_on_sliver(const feature3 *f, of3 of, unsigned *v, double x, double y, height3 *height)
{
    double length;
    const int side = longest_side(f->x, f->y, v, &length);
    const unsigned low = v[side], high = v[(side + 1) % 3];
    unsigned between[2];
    const line3 line = {f->x[low], f->y[low], (f->x[high] - f->x[low]) / length,
                        (f->y[high] - f->y[low]) / length, length};
    *height = height_on_line(f, &line, low, high, vertices_of(f, of), 2 * NARROW, x, y, between);
    return find_above(f, of, &line, between, x, y, v);
}

/* The square of how far a point is from a triangle that is anticlockwise, 0 within; more than anything if that is
 * narrower than `narrow`. Past the tip of a narrow one a point is far, though it is next to the lines of both sides. */
static double out_of(const feature3 *f, const unsigned *v, double pu, double pv, double narrow)
{
    double least = (double)INFINITY, area = 0, wide = 0;
    int out = 0;
    for (int k = 0; k < 3; k++) {
        const unsigned p = v[k], q = v[k < 2 ? k + 1 : 0], r = v[k ? k - 1 : 2];
        const double eu = f->u[q] - f->u[p], ev = f->v[q] - f->v[p], square = eu * eu + ev * ev;
        const double du = pu - f->u[p], dv = pv - f->v[p], part = (du * eu + dv * ev) / square;
        const double t = part > 0 ? part < 1 ? part : 1 : 0, ru = du - t * eu, rv = dv - t * ev;
        area = eu * (f->v[r] - f->v[p]) - ev * (f->u[r] - f->u[p]);
        wide = square > wide ? square : wide;
        out |= ev * du - eu * dv > 0;
        least = fmin(least, ru * ru + rv * rv);
    }
    return area > narrow * sqrt(wide) ? (out ? least : 0) : (double)INFINITY;
}

/* A triangle of corners that holds a point, or is the nearest to it: of those that are not narrow, or if it is in
 * none of these of all. */
static void begin_face(const feature3 *f, double pu, double pv, unsigned *v)
{
    double least = (double)INFINITY;
    for (int k = 0; k < 3; k++)
        v[k] = f->corner[k];
    for (int pass = 0; pass < 2 && least > GROWN * GROWN; pass++)
        for (unsigned i = 1; i + 1 < f->corners && least > 0; i++) {
            const unsigned w[3] = {f->corner[0], f->corner[i], f->corner[i + 1]};
            const double out = out_of(f, w, pu, pv, pass ? 0 : NARROW);
            if (out < least) {
                least = out;
                for (int k = 0; k < 3; k++)
                    v[k] = w[k];
            }
        }
}

/* Of the side of a triangle from corner p to q, over its point next to 0, if that is no farther than rounding makes it;
 * else what is given. */
static double height_on_side(const double *dx, const double *dy, const double *h, int p, int q,
                             double otherwise)
{
    const double ex = dx[q] - dx[p], ey = dy[q] - dy[p];
    const double part = -(dx[p] * ex + dy[p] * ey) / (ex * ex + ey * ey),
                 t = part > 0 ? part < 1 ? part : 1 : 0;
    const double x = dx[p] + t * ex, y = dy[p] + t * ey;
    return x * x + y * y <= GROWN * GROWN ? h[p] + t * (h[q] - h[p]) : otherwise;
}

/* Of a triangle over a point in it: by its longest side, and by how far the point is from that. So what is rounded is no
 * more than a place, however narrow the triangle is, and less next to the point. Out of it by rounding is on a side. */
static double height_in(const feature3 *f, const unsigned *v, double x, double y)
{
    static const unsigned own[3] = {0, 1, 2};
    double dx[3], dy[3], h[3], length;
    for (int k = 0; k < 3; k++) {
        dx[k] = f->x[v[k]] - x;
        dy[k] = f->y[v[k]] - y;
        h[k] = f->h[v[k]];
    }
    const int p = longest_side(dx, dy, own, &length), q = (p + 1) % 3, r = (p + 2) % 3;
    const double ex = (dx[q] - dx[p]) / length, ey = (dy[q] - dy[p]) / length;
    const double rx = dx[r] - dx[p], ry = dy[r] - dy[p];
    const double c = (ey * dx[p] - ex * dy[p]) / (ex * ry - ey * rx);
    const double s = (-(ex * dx[p] + ey * dy[p]) - c * (ex * rx + ey * ry)) / length;
    const double height = h[p] + (c * (h[r] - h[p]) + s * (h[q] - h[p]));
    if (!(c >= 0))
        return height_on_side(dx, dy, h, p, q, height);
    return s >= 0 && c + s <= 1 ? height : height_on_side(dx, dy, h, s < 0 ? p : q, r, height);
}

static height3 height_of_face(const feature3 *f, const unsigned *v, double x, double y, double along,
                              double across)
{
    return (height3){height_in(f, v, x, y), along * f->ex - across * f->ey, along * f->ey + across * f->ex,
                     name_of_line(f, v[0], v[1]) + mixed(f->id[v[2]] + 1u)};
}

/* Over a polygon: the highest of all triangles of vertices that hold the point, by the simplex method. What is steeper
 * than the angle may be below vertices that are not near. */
static height3 height_on_face(feature3 *f, of3 of, double x, double y)
{
    const double from_x = x - f->x[f->base], from_y = y - f->y[f->base];
    const double pu = f->ex * from_x + f->ey * from_y, pv = f->ex * from_y - f->ey * from_x;
    unsigned v[3];
    begin_face(f, pu, pv, v);
    for (int step = 0;; step++) {
        const double ex = f->u[v[1]] - f->u[v[0]], ey = f->v[v[1]] - f->v[v[0]], eh = f->h[v[1]] - f->h[v[0]];
        const double gx = f->u[v[2]] - f->u[v[0]], gy = f->v[v[2]] - f->v[v[0]], gh = f->h[v[2]] - f->h[v[0]];
        const double area = fabs(ex * gy - ey * gx), wide = fmax(ex * ex + ey * ey, gx * gx + gy * gy);
        if (area <= NARROW * sqrt(wide)) {
            height3 height;
            if (!f->all && of == OF_SURFACE) {
                gather_all(f);
                begin_face(f, pu, pv, v);
                continue;
            }
            if (!height_on_sliver(f, of, v, x, y, &height) || step >= MOST_STEPS)
                return height;
            continue;
        }
        const double by = 1 / (ex * gy - ey * gx), dx = pu - f->u[v[0]], dy = pv - f->v[v[0]];
        const double w1 = (dx * gy - dy * gx) * by, w2 = (ex * dy - ey * dx) * by;
        const double sx = (eh * gy - gh * ey) * by, sy = (gh * ex - eh * gx) * by; /* how it rises */
        double w[3] = {1 - w1 - w2, w1, w2}, most = 0;
        const double doubt = HEIGHT_DOUBT / 4 * (1 + fabs(sx));
        unsigned best = v[0];
        for (int k = 0; k < 3; k++)
            w[k] = w[k] > 0 ? w[k] : 0;
        const some3 some = vertices_of(f, of);
        for (unsigned k = 0; k < some.count; k++) {
            const unsigned i = vertex_at(some, k);
            const double across = sy * (f->v[i] - f->v[v[0]]); /* its rounding, as the slope may be very large */
            const double over = f->h[i] - (f->h[v[0]] + sx * (f->u[i] - f->u[v[0]]) + across) -
                                (doubt + 0x1p-50 * fabs(across));
            if (over > most && i != v[0] && i != v[1] && i != v[2]) {
                most = over;
                best = i;
            }
        }
        if (best == v[0] && !f->all && of == OF_SURFACE && sx * sx + sy * sy > TANGENT_SQUARED) {
            gather_all(f);
            begin_face(f, pu, pv, v);
            continue;
        }
        if (best == v[0] || step >= MOST_STEPS)
            return height_of_face(f, v, x, y, sx, sy);
        /* the vertex whose weight is the first to be used up when that of `best` grows */
        const double bx = f->u[best] - f->u[v[0]], b_y = f->v[best] - f->v[v[0]];
        const double c1 = (bx * gy - b_y * gx) * by, c2 = (ex * b_y - ey * bx) * by,
                     c[3] = {1 - c1 - c2, c1, c2};
        int leaves = -1;
        for (int k = 0; k < 3; k++)
            if (c[k] > 0 && (leaves < 0 || w[k] * c[leaves] < w[leaves] * c[k]))
                leaves = k;
        if (leaves < 0)
            return height_of_face(f, v, x, y, sx, sy);
        v[leaves] = best;
    }
}

/* The point of the outline that is nearest to another, on which edge that is, and whether the other is outside. */
typedef struct nearest3 {
    double x, y;
    unsigned edge;
    int out;
    int corner; /* the vertex that it is, or -1 */
} nearest3;

static nearest3 nearest_of(const feature3 *f, double x, double y)
{
    double least = (double)INFINITY;
    nearest3 n = {x, y, 0, 0, -1};
    for (unsigned i = 0; i < f->corners; i++) {
        const unsigned p = f->corner[i], q = f->corner[i + 1 < f->corners ? i + 1 : 0];
        const double ex = f->x[q] - f->x[p], ey = f->y[q] - f->y[p], dx = x - f->x[p], dy = y - f->y[p];
        const double part = (dx * ex + dy * ey) / (ex * ex + ey * ey), t = part > 0 ? part < 1 ? part : 1 : 0;
        const double rx = dx - t * ex, ry = dy - t * ey, square = rx * rx + ry * ry;
        n.out |= ex * dy - ey * dx < 0;
        if (square < least) {
            least = square;
            n.x = f->x[p] + t * ex;
            n.y = f->y[p] + t * ey;
            n.edge = i;
            n.corner = t <= 0 ? (int)p : t >= 1 ? (int)q : -1;
        }
    }
    return n;
}

/* Next to the outline it is that of the nearest side, as a narrow face may be steep. */
static height3 height_over(feature3 *f, of3 of, double x, double y)
{
    if (f->corners > 2 && f->flat)
        return (height3){f->ph + f->gx * x + f->gy * y, f->gx, f->gy, 0};
    if (f->corners > 2) {
        const nearest3 n = nearest_of(f, x, y);
        return n.out ? height_on_face(f, of, n.x, n.y) : height_on_face(f, of, x, y);
    }
    if (f->corners == 2)
        return height_on_edge(f, x, y);
    return (height3){f->h[f->corner[0]], 0, 0, 0};
}

enum { NO_EDGE = -1, NEXT_EDGE = -2 };

/* Of edge `edge` of a polygon, and vertices that are all but on it, over its point next to another. */
static height3 height_along(const feature3 *f, of3 of, unsigned edge, double x, double y)
{
    const unsigned p = f->corner[edge], q = f->corner[edge + 1 < f->corners ? edge + 1 : 0];
    const double ex = f->x[q] - f->x[p], ey = f->y[q] - f->y[p], length = sqrt(ex * ex + ey * ey);
    const line3 line = {f->x[p], f->y[p], ex / length, ey / length, length};
    unsigned between[2];
    return height_on_line(f, &line, p, q, vertices_of(f, of), GROWN, x, y, between);
}

/* Whether some vertex is out of an edge of the polygon: one that no direction within the angle finds. */
static int has_outer(const feature3 *f, unsigned edge)
{
    const unsigned p = f->corner[edge], q = f->corner[edge + 1 < f->corners ? edge + 1 : 0];
    const double ex = f->x[q] - f->x[p], ey = f->y[q] - f->y[p], most = GROWN * sqrt(ex * ex + ey * ey);
    for (unsigned i = 0; i < f->near; i++)
        if (turn_of3(f, p, q, i) < -most)
            return 1;
    return 0;
}

/* Whether a point is a corner of the polygon, or next to one outside. Corners are on the surface. Slivers end
 * there, and heights over these are lost. */
static int is_at_corner(const feature3 *f, const nearest3 *n, double x, double y)
{
    return n->corner >= 0 && (n->out || (f->x[n->corner] == x && f->y[n->corner] == y));
}

/* Over a point of an edge of the polygon, of the edge next to it, or of none. Where no vertex is out of the edge, there is
 * nothing else over it; next to it a wall may stand, on which the place is known too coarsely. */
static height3 height_at(feature3 *f, of3 of, int edge, double x, double y)
{
    if (f->corners <= 2 || f->flat)
        return height_over(f, of, x, y);
    nearest3 n = {.corner = -1};
    if (of == OF_SURFACE || edge == NEXT_EDGE)
        n = nearest_of(f, x, y);
    if (of == OF_SURFACE && is_at_corner(f, &n, x, y))
        return (height3){f->h[n.corner], 0, 0, f->id[n.corner]};
    if (edge == NO_EDGE)
        return height_over(f, of, x, y);
    if (edge == NEXT_EDGE)
        edge = (int)n.edge;
    if (!f->all && of == OF_SURFACE)
        gather_all(f);
    const height3 along = height_along(f, of, (unsigned)edge, x, y);
    if (of == OF_FEATURE || !has_outer(f, (unsigned)edge))
        return along;
    const height3 over = height_over(f, of, x, y);
    const double rise = 2 * GROWN * sqrt(over.gx * over.gx + over.gy * over.gy); /* what rounding does to a place */
    return over.h > along.h + rise ? over : along;
}

#endif
