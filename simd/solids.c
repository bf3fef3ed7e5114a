/* Finds the faces and edges of the hull of a few points, in double: point by point, the faces that it sees give way to
 * a cone from it (beneath-beyond: Kallay 1984). */
#include "simd/solids.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Of points whose size is of order one: */
#define IN_PLANE 0x1p-48  /* a point this near to the plane of a face is in it */
#define ABOVE_MOST 0x1p-46 /* how far above a face a point may be in the end */
#define THIN 0x1p-40      /* sine of a triangle that has no normal */
#define WIDEST (-0.75)    /* cosine of the widest arc */

enum { NONE = 255 };

typedef struct hull_face {
    double n[3], far; /* n . p = far for points of its plane */
    uint8_t v[3];     /* counter-clockwise from outside */
    uint8_t next[3];  /* the face across the side from v[k] on */
} hull_face;

typedef struct hull {
    double p[SOLID_VERTICES][3];
    uint32_t count, faces;
    hull_face face[SOLID_FACES];
} hull;

static void sub(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void scale(double *a, double by)
{
    for (int k = 0; k < 3; k++)
        a[k] *= by;
}

/* The unit normal of a triangle, made perpendicular to its longest side once more: the plane of a thin triangle is
 * then exact to rounding wherever it has points. 0 if it has none. */
static int find_normal(const double *p, const double *q, const double *r, double *n)
{
    double side[3][3];
    sub(q, p, side[0]);
    sub(r, q, side[1]);
    sub(p, r, side[2]);
    cross(side[0], side[1], n);
    const double square = dot(n, n);
    double longest = 0;
    int which = 0;
    for (int k = 0; k < 3; k++) {
        const double length = dot(side[k], side[k]);
        if (length > longest) {
            longest = length;
            which = k;
        }
    }
    const double *other = side[(which + 1) % 3];
    if (!(square > THIN * THIN * longest * dot(other, other)))
        return 0;
    const double along = dot(n, side[which]) / longest;
    for (int k = 0; k < 3; k++)
        n[k] -= along * side[which][k];
    scale(n, 1 / sqrt(dot(n, n)));
    return 1;
}

static int set_plane(const hull *h, hull_face *f)
{
    const int sound = find_normal(h->p[f->v[0]], h->p[f->v[1]], h->p[f->v[2]], f->n);
    f->far = dot(f->n, h->p[f->v[0]]);
    return sound;
}

/* ---- growing a hull ---- */

/* A side of the faces that a point sees, with the face across it, which the point does not see. */
typedef struct rim {
    uint8_t from, to, outer;
} rim;

/* Lists the rim of the faces in seen[], whose number is *seen_count. Returns its length, 0 if there is none, or -1
 * if it is no loop. */
static int find_rim(const hull *h, uint32_t point, rim *rims, uint8_t *seen, uint32_t *seen_count)
{
    uint8_t sees[SOLID_FACES];
    uint32_t count = 0;
    for (uint32_t f = 0; f < h->faces; f++) {
        sees[f] = dot(h->face[f].n, h->p[point]) - h->face[f].far > IN_PLANE;
        if (sees[f])
            seen[count++] = (uint8_t)f;
    }
    *seen_count = count;
    if (count == 0)
        return 0;
    int length = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const hull_face *f = &h->face[seen[i]];
            if (sees[f->next[k]])
                continue;
            if (length == SOLID_VERTICES)
                return -1;
            rims[length++] = (rim){f->v[k], f->v[(k + 1) % 3], f->next[k]};
        }
    return length == (int)count + 2 ? length : -1;
}

/* Which rim begins at each vertex; 0 if two do, or if they are no single loop. */
static int order_rim(const rim *rims, int length, uint8_t *at)
{
    memset(at, NONE, SOLID_VERTICES);
    for (int i = 0; i < length; i++) {
        if (at[rims[i].from] != NONE)
            return 0;
        at[rims[i].from] = (uint8_t)i;
    }
    int around = 0, steps = 0;
    do {
        const uint8_t next = at[rims[around].to];
        if (next == NONE)
            return 0;
        around = next;
    } while (++steps < length && around != 0);
    return around == 0 && steps == length;
}

static int side_of(const hull_face *f, uint8_t from)
{
    return f->v[0] == from ? 0 : f->v[1] == from ? 1 : 2;
}

/* Puts a cone from a point over the faces that it sees. 0 if rounding leaves no surface. */
static int add_point(hull *h, uint32_t point)
{
    rim rims[SOLID_VERTICES];
    uint8_t seen[SOLID_FACES + 2], at[SOLID_VERTICES];
    uint32_t count;
    const int length = find_rim(h, point, rims, seen, &count);
    if (length <= 0)
        return length == 0;
    if (h->faces + 2 > SOLID_FACES || !order_rim(rims, length, at))
        return 0;
    seen[count] = (uint8_t)h->faces++;
    seen[count + 1] = (uint8_t)h->faces++;
    int sound = 1;
    for (int i = 0; i < length; i++) {
        const rim *r = &rims[i];
        const uint8_t id = seen[i], after = seen[at[r->to]];
        hull_face *f = &h->face[id], *outer = &h->face[r->outer];
        memcpy(f->v, (const uint8_t[3]){r->from, r->to, (uint8_t)point}, 3);
        f->next[0] = r->outer;
        f->next[1] = after;
        h->face[after].next[2] = id;
        outer->next[side_of(outer, r->to)] = id;
        sound &= set_plane(h, f);
    }
    return sound;
}

/* The point farthest from the first `known` of v[]: from a point, a line, or a plane. */
static uint32_t farthest(const hull *h, const uint32_t *v, int known, double *most)
{
    double e[3] = {0}, n[3] = {0}, d[3], c[3];
    uint32_t best = 0;
    *most = -1;
    if (known > 1)
        sub(h->p[v[1]], h->p[v[0]], e);
    if (known > 2)
        find_normal(h->p[v[0]], h->p[v[1]], h->p[v[2]], n);
    for (uint32_t i = 0; i < h->count; i++) {
        sub(h->p[i], h->p[v[0]], d);
        cross(e, d, c);
        const double far = known == 1 ? sqrt(dot(d, d)) : known == 2 ? sqrt(dot(c, c) / dot(e, e)) : fabs(dot(n, d));
        if (far > *most) {
            *most = far;
            best = i;
        }
    }
    return best;
}

static int first_solid(hull *h, const uint32_t *v)
{
    static const uint8_t corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint8_t next[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    double n[3], d[3];
    int sound = find_normal(h->p[v[0]], h->p[v[1]], h->p[v[2]], n);
    sub(h->p[v[3]], h->p[v[0]], d);
    const int above = dot(n, d) > 0; /* the fourth belongs below the first face */
    const uint32_t w[4] = {v[0], v[above ? 2 : 1], v[above ? 1 : 2], v[3]};
    h->faces = 4;
    for (int f = 0; f < 4; f++) {
        for (int k = 0; k < 3; k++)
            h->face[f].v[k] = (uint8_t)w[corner[f][k]];
        memcpy(h->face[f].next, next[f], 3);
        sound &= set_plane(h, &h->face[f]);
    }
    return sound;
}

static int is_convex(const hull *h)
{
    for (uint32_t f = 0; f < h->faces; f++)
        for (uint32_t i = 0; i < h->count; i++)
            if (!(dot(h->face[f].n, h->p[i]) - h->face[f].far <= ABOVE_MOST))
                return 0;
    return 1;
}

/* ---- the Gauss map ---- */

static void mark_corner(gjb_solid *s, uint32_t i)
{
    s->corners |= (uint64_t)1 << i;
}

static uint32_t put_normal(gjb_solid *s, const double *n, double sign)
{
    for (int k = 0; k < 3; k++)
        s->normal[s->faces][k] = sign * n[k];
    return s->faces++;
}

static void put_arc(gjb_solid *s, uint32_t f, uint32_t g, uint32_t vertex)
{
    s->arc[s->arcs++] = (gjb_arc){{(uint8_t)f, (uint8_t)g}, (uint8_t)vertex};
}

static int are_alike(const hull_face *f, const hull_face *g, double merge)
{
    double d[3];
    sub(f->n, g->n, d);
    return dot(d, d) <= merge * merge;
}

/* Gives faces of one plane one number each; those not yet numbered have NONE. */
static void number_face(const hull *h, gjb_solid *s, uint32_t face, double merge, uint8_t *number)
{
    uint8_t stack[SOLID_FACES];
    uint32_t depth = 0;
    number[face] = (uint8_t)put_normal(s, h->face[face].n, 1);
    stack[depth++] = (uint8_t)face;
    while (depth > 0) {
        const hull_face *f = &h->face[stack[--depth]];
        for (int k = 0; k < 3; k++)
            if (number[f->next[k]] == NONE && are_alike(&h->face[face], &h->face[f->next[k]], merge)) {
                number[f->next[k]] = number[face];
                stack[depth++] = f->next[k];
            }
    }
}

/* The edge from a to b, counter-clockwise around face f, which is across it from g. 0 if there is no room. */
static int put_edge(const hull *h, gjb_solid *s, uint32_t f, uint32_t g, uint32_t a, uint32_t b)
{
    const double *n = s->normal[f], *m = s->normal[g];
    if (dot(n, m) >= WIDEST) {
        put_arc(s, f, g, a);
        return 1;
    }
    if (s->faces == SOLID_FACES)
        return 0;
    double e[3], d[3], side[3];
    sub(h->p[b], h->p[a], e);
    sub(n, m, d);
    cross(e, d, side);
    scale(side, 1 / sqrt(dot(side, side)));
    const uint32_t middle = put_normal(s, side, 1);
    put_arc(s, f, middle, a);
    put_arc(s, middle, g, a);
    return 1;
}

static int map_hull(const hull *h, gjb_solid *s, double merge)
{
    uint8_t number[SOLID_FACES];
    memset(number, NONE, sizeof number);
    for (uint32_t f = 0; f < h->faces; f++)
        if (number[f] == NONE)
            number_face(h, s, f, merge, number);
    for (uint32_t f = 0; f < h->faces; f++)
        for (int k = 0; k < 3; k++) {
            const uint32_t g = h->face[f].next[k], a = h->face[f].v[k], b = h->face[f].v[(k + 1) % 3];
            mark_corner(s, a);
            if (f < g && number[f] != number[g] && !put_edge(h, s, number[f], number[g], a, b))
                return 0;
        }
    return 1;
}

/* Whether b is to the right of the line from a to c, seen from the end of n, or on it and not between them. */
static int is_outside(const hull *h, const double *n, uint32_t a, uint32_t c, uint32_t b)
{
    double e[3], d[3], t[3];
    sub(h->p[c], h->p[a], e);
    sub(h->p[b], h->p[a], d);
    cross(e, d, t);
    const double turn = dot(n, t);
    return turn < 0 || (turn == 0 && dot(d, d) > dot(e, e));
}

/* The corners of points in a plane in turn, by wrapping (Jarvis 1973). Their number, or 0 if rounding leaves no
 * polygon. */
static uint32_t wrap_polygon(const hull *h, const double *n, uint32_t first, uint8_t *corner)
{
    uint32_t count = 0, at = first;
    do {
        if (count == h->count)
            return 0;
        corner[count++] = (uint8_t)at;
        uint32_t to = at == 0;
        for (uint32_t i = 0; i < h->count; i++)
            if (i != at && (h->p[i][0] != h->p[at][0] || h->p[i][1] != h->p[at][1] || h->p[i][2] != h->p[at][2]) &&
                (memcmp(h->p[to], h->p[at], sizeof h->p[at]) == 0 || is_outside(h, n, at, to, i)))
                to = i;
        at = to;
    } while (memcmp(h->p[at], h->p[first], sizeof h->p[at]) != 0);
    return count < 3 ? 0 : count;
}

static int map_polygon(const hull *h, const uint32_t *v, gjb_solid *s)
{
    double n[3];
    uint8_t corner[SOLID_VERTICES];
    if (!find_normal(h->p[v[0]], h->p[v[1]], h->p[v[2]], n))
        return 0;
    const uint32_t count = wrap_polygon(h, n, v[1], corner); /* farthest from another: a corner */
    put_normal(s, n, 1);
    put_normal(s, n, -1);
    for (uint32_t i = 0; i < count; i++) {
        double e[3], side[3];
        sub(h->p[corner[i + 1 == count ? 0 : i + 1]], h->p[corner[i]], e);
        cross(e, n, side);
        scale(side, 1 / sqrt(dot(side, side)));
        const uint32_t f = put_normal(s, side, 1);
        put_arc(s, 0, f, corner[i]);
        put_arc(s, f, 1, corner[i]);
        mark_corner(s, corner[i]);
    }
    return count > 0;
}

static void map_segment(const hull *h, uint32_t end, gjb_solid *s)
{
    double most, e[3], u[3], v[3];
    const uint32_t other = farthest(h, &end, 1, &most);
    sub(h->p[other], h->p[end], e);
    const int least = fabs(e[0]) <= fabs(e[1]) && fabs(e[0]) <= fabs(e[2]) ? 0 : fabs(e[1]) <= fabs(e[2]) ? 1 : 2;
    cross(e, (const double[3]){least == 0, least == 1, least == 2}, u);
    scale(u, 1 / sqrt(dot(u, u)));
    cross(e, u, v);
    scale(v, 1 / sqrt(dot(v, v)));
    for (int i = 0; i < 4; i++)
        put_normal(s, i % 2 ? v : u, i < 2 ? 1 : -1);
    for (uint32_t i = 0; i < 4; i++)
        put_arc(s, i, (i + 1) % 4, end);
    mark_corner(s, end);
    mark_corner(s, other);
}

/* Copies the points, scaled by a power of two to a size of order one about the first. */
static void load_points(hull *h, const double (*points)[3], uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(points[i][k]));
    const int by = most > 0 ? ilogb(most) : 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            h->p[i][k] = ldexp(points[i][k], -by);
    h->count = count;
    h->faces = 0;
}

static int map_points(hull *h, gjb_solid *s, double merge)
{
    double most;
    uint32_t v[4] = {0};
    v[0] = farthest(h, v, 1, &most);
    v[1] = farthest(h, v, 1, &most);
    if (!(most > 0)) {
        mark_corner(s, 0);
        return 1;
    }
    v[2] = farthest(h, v, 2, &most);
    if (!(most > 4 * IN_PLANE)) {
        map_segment(h, v[0], s);
        return 1;
    }
    v[3] = farthest(h, v, 3, &most);
    if (!(most > 4 * IN_PLANE))
        return map_polygon(h, v, s);
    if (!first_solid(h, v))
        return 0;
    for (uint32_t i = 0; i < h->count; i++)
        if (i != v[0] && i != v[1] && i != v[2] && i != v[3] && !add_point(h, i))
            return 0;
    return is_convex(h) && map_hull(h, s, merge);
}

int gjb_solid_find(gjb_solid *solid, const double (*points)[3], uint32_t count, double merge)
{
    hull h;
    memset(solid, 0, offsetof(gjb_solid, normal));
    load_points(&h, points, count);
    if (map_points(&h, solid, merge))
        return 1;
    memset(solid, 0, offsetof(gjb_solid, normal));
    return 0;
}
