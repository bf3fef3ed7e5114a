/* Faces that lie on one another and slide: what makes their contacts stays, and so must their number and their ids. */
#include <math.h>
#include <string.h>

#include "properties/property_private.h"
#include "reference/patch/patch.h"

enum { VERTICES = 64, TRIES = 24 };
/* In sizes of both shapes together. Between corners and the other's edges there is CLEAR at least, before and after;
 * the disc in the patch and both bodies' heights are so much more than the depth that no other way out is shorter. */
static const long double CLEAR = 0x1p-7L, SLIDE = 0x1p-8L, DEPTH = 0x1p-12L, LEAST = 0x1p-5L;
/* What falls off by less than `level`, an eps of the size, is one face; all else falls off by more than this, and is no
 * part of the feature. In between the deepest contact may be at no corner, and takes the place of one. */
static const long double STEEP = 2.0L * REF_PATCH_SINE;

typedef long double point[3];

/* A face of a body, in its local axes, or as an outline in the plane of contact. */
typedef struct face {
    uint32_t count;
    point at[VERTICES], normal;
    long double height; /* of the body behind it */
} face;

static long double dot(const point u, const point v)
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static void subtract(const point u, const point v, point out)
{
    for (int k = 0; k < 3; k++)
        out[k] = u[k] - v[k];
}

static void cross(const point u, const point v, point out)
{
    const point w = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    memcpy(out, w, sizeof w);
}

static void apply(const long double m[3][3], const point v, point out)
{
    const point w = {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
    memcpy(out, w, sizeof w);
}

/* 0 if the shape has no faces, or more vertices than are looked at. */
static uint32_t corners_of(uint32_t dim, const prop_body *body, point at[VERTICES])
{
    const int box = body->kind == GJB_BOX;
    const uint32_t count = box ? 1u << dim : body->count;
    if ((!box && body->kind != GJB_POLYGON && body->kind != GJB_HULL) || count > VERTICES)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const long double along = body->rows[box ? 0 : i][k];
            at[i][k] = k < dim ? (box && !(i >> k & 1) ? -along : along) : 0;
        }
    return count;
}

/* --- Faces --- */

/* The plane through corners i, j and, in space, k: is that a face? */
static int take_face(uint32_t dim, point *at, uint32_t count, const uint32_t through[3], long double size,
                     long double level, face *out)
{
    point u, v = {0, 0, 1};
    subtract(at[through[1]], at[through[0]], u);
    if (dim == 3)
        subtract(at[through[2]], at[through[0]], v);
    cross(u, v, out->normal);
    const long double length = sqrtl(dot(out->normal, out->normal));
    if (!(length > CLEAR * (dim == 3 ? CLEAR * size * size : size)))
        return 0;
    for (int k = 0; k < 3; k++)
        out->normal[k] /= length;
    out->count = 0;
    out->height = 0;
    for (uint32_t i = 0; i < count; i++) {
        subtract(at[i], at[through[0]], u);
        const long double below = -dot(out->normal, u), across = sqrtl(dot(u, u));
        if (below < -level || (below > level && below < STEEP * across))
            return 0;
        if (below <= level)
            memcpy(out->at[out->count++], at[i], sizeof u);
        out->height = fmaxl(out->height, below);
    }
    return out->height > LEAST * size;
}

/* One that has the corner farthest along some direction. */
static int find_face(const prop_pair *pair, int b, long double size, gjb_random *random, face *out)
{
    const uint32_t dim = pair->dim;
    const long double level = gjb_epsilon(pair->precision) * size;
    point at[VERTICES];
    double direction[3];
    const uint32_t count = corners_of(dim, &pair->body[b], at);
    uint32_t top = 0;
    gjb_prop_direction(dim, random, direction);
    const point along = {direction[0], direction[1], direction[2]};
    for (uint32_t i = 1; i < count; i++)
        top = dot(along, at[i]) > dot(along, at[top]) ? i : top;
    for (uint32_t j = 0; j < count; j++)
        for (uint32_t k = 0; k < (dim == 3 ? count : 1); k++)
            if (take_face(dim, at, count, (const uint32_t[3]){top, j, k}, size, level, out))
                return 1;
    return 0;
}

/* --- Poses --- */

/* q = what takes unit vector `from` to `to`, and then turns about that. */
static void align(const point from, const point to, long double spin, double q[4])
{
    point axis;
    cross(from, to, axis);
    long double w = 1 + dot(from, to);
    if (w < 0x1p-10L) { /* half a turn about anything across */
        const point other = {fabsl(from[0]) < 0.5L, fabsl(from[0]) >= 0.5L, 0};
        cross(from, other, axis);
        w = 0;
    }
    const long double length = sqrtl(dot(axis, axis) + w * w), c = cosl(spin / 2), s = sinl(spin / 2);
    point turned, v;
    for (int k = 0; k < 3; k++)
        v[k] = axis[k] / length;
    w /= length;
    cross(to, v, turned);
    for (int k = 0; k < 3; k++)
        q[k] = (double)(c * v[k] + s * w * to[k] + s * turned[k]);
    q[3] = (double)(c * w - s * dot(to, v));
}

/* The plane of contact: normal, and what spans it. */
typedef struct plane {
    point n, e, f;
} plane;

static plane plane_of(uint32_t dim, const point normal)
{
    plane p;
    const point other = {fabsl(normal[0]) < 0.5L, fabsl(normal[0]) >= 0.5L, 0}, up = {0, 0, 1};
    memcpy(p.n, normal, sizeof p.n);
    cross(normal, dim == 3 ? other : up, p.e);
    const long double length = sqrtl(dot(p.e, p.e));
    for (int k = 0; k < 3; k++)
        p.e[k] /= length;
    cross(normal, p.e, p.f);
    return p;
}

/* Face on face, at some turn about the normal and some place along it. */
static void put(prop_pair *pair, const face *a, const face *b, long double size, gjb_random *random,
                plane *contact)
{
    prop_body *body = pair->body;
    long double m[3][3];
    point normal, against, at[2];
    memset(body[0].place, 0, sizeof body[0].place);
    gjb_prop_matrix(pair->dim, &body[0], m);
    apply((const long double(*)[3])m, a->normal, normal);
    apply((const long double(*)[3])m, a->at[gjb_random_below(random, a->count)], at[0]);
    *contact = plane_of(pair->dim, normal);
    for (int k = 0; k < 3; k++)
        against[k] = -normal[k];
    if (pair->dim == 3) {
        align(b->normal, against, gjb_random_range(random, 0, 6.25), body[1].turn);
    } else { /* as a quotient of complex numbers */
        body[1].turn[0] = (double)(against[0] * b->normal[0] + against[1] * b->normal[1]);
        body[1].turn[1] = (double)(against[1] * b->normal[0] - against[0] * b->normal[1]);
    }
    gjb_prop_round(pair);
    gjb_prop_matrix(pair->dim, &body[1], m);
    apply((const long double(*)[3])m, b->at[gjb_random_below(random, b->count)], at[1]);
    const long double out = (long double)body[0].radius + body[1].radius - DEPTH * size,
                      x = size * gjb_random_range(random, -0.5, 0.5),
                      y = pair->dim == 3 ? size * gjb_random_range(random, -0.5, 0.5) : 0;
    for (int k = 0; k < 3; k++)
        body[1].place[k] =
            (double)(at[0][k] - at[1][k] + out * contact->n[k] + x * contact->e[k] + y * contact->f[k]);
    gjb_prop_round(pair);
}

/* --- The patch --- */

/* A face as the plane of contact shows it, in order. 0 if some corner is none. */
static int outline(const prop_pair *pair, int b, const face *of, const plane *contact, long double size,
                   face *out)
{
    long double m[3][3], middle[2] = {0, 0}, angle[VERTICES];
    gjb_prop_matrix(pair->dim, &pair->body[b], m);
    *out = (face){.count = of->count};
    for (uint32_t i = 0; i < of->count; i++) {
        point v;
        apply((const long double(*)[3])m, of->at[i], v);
        for (int k = 0; k < 3; k++)
            v[k] += pair->body[b].place[k];
        out->at[i][0] = dot(v, contact->e);
        out->at[i][1] = pair->dim == 3 ? dot(v, contact->f) : 0;
        for (int k = 0; k < 2; k++)
            middle[k] += out->at[i][k] / of->count;
    }
    for (uint32_t i = 0; i < of->count; i++) { /* by angle about the middle */
        point v = {out->at[i][0], out->at[i][1], 0};
        const long double turn = atan2l(v[1] - middle[1], v[0] - middle[0]);
        uint32_t j = i;
        for (; j > 0 && angle[j - 1] > turn; j--) {
            angle[j] = angle[j - 1];
            memcpy(out->at[j], out->at[j - 1], sizeof v);
        }
        angle[j] = turn;
        memcpy(out->at[j], v, sizeof v);
    }
    for (uint32_t i = 0; i < out->count && pair->dim == 3; i++) {
        point u, v, w;
        subtract(out->at[(i + 1) % out->count], out->at[i], u);
        subtract(out->at[(i + 2) % out->count], out->at[(i + 1) % out->count], v);
        cross(u, v, w);
        if (!(w[2] > STEEP * sqrtl(dot(u, u) * dot(v, v)) && dot(u, u) > CLEAR * CLEAR * size * size))
            return 0;
    }
    return out->count >= pair->dim;
}

/* Of a point from the line along edge i, positive inside. */
static long double inside(const face *of, uint32_t i, const point p)
{
    point u, v, w;
    subtract(of->at[(i + 1) % of->count], of->at[i], u);
    subtract(p, of->at[i], v);
    cross(u, v, w);
    return w[2] / sqrtl(dot(u, u));
}

static long double least_inside(const face *of, const point p)
{
    long double least = INFINITY;
    for (uint32_t i = 0; i < of->count; i++)
        least = fminl(least, inside(of, i, p));
    return least;
}

/* Corners of one within the other. -1 if one is too close to a line to tell. */
static int add_corners(const face *of, const face *within, long double size, face *patch)
{
    for (uint32_t i = 0; i < of->count; i++) {
        for (uint32_t k = 0; k < within->count; k++)
            if (!(fabsl(inside(within, k, of->at[i])) > CLEAR * size))
                return -1;
        if (patch->count < VERTICES && least_inside(within, of->at[i]) > 0)
            memcpy(patch->at[patch->count++], of->at[i], sizeof(point));
    }
    return 0;
}

static int opposite(long double u, long double v)
{
    return (u > 0) != (v > 0);
}

static void add_crossings(const face *a, const face *b, face *patch)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count && patch->count < VERTICES; k++) {
            const long double *p = a->at[i], *q = a->at[(i + 1) % a->count];
            const long double before = inside(b, k, p), after = inside(b, k, q);
            if (!opposite(before, after) ||
                !opposite(inside(a, i, b->at[k]), inside(a, i, b->at[(k + 1) % b->count])))
                continue;
            for (int j = 0; j < 2; j++)
                patch->at[patch->count][j] = p[j] + (q[j] - p[j]) * before / (before - after);
            patch->at[patch->count++][2] = 0;
        }
}

/* Whether it has no more corners than fit, none of them near to being another, and room about its middle. */
static int is_plain_patch(const face *a, const face *b, long double size)
{
    face patch = {.count = 0};
    if (add_corners(a, b, size, &patch) || add_corners(b, a, size, &patch))
        return 0;
    add_crossings(a, b, &patch);
    if (patch.count < 3 || patch.count > GJB_CONTACTS_3D)
        return 0;
    point middle = {0, 0, 0};
    for (uint32_t i = 0; i < patch.count; i++)
        for (int k = 0; k < 2; k++)
            middle[k] += patch.at[i][k] / patch.count;
    return fminl(least_inside(a, middle), least_inside(b, middle)) > LEAST * size;
}

static int is_plain_interval(const face *a, const face *b, long double size)
{
    long double end[2][2]; /* of each, the lower and the higher */
    for (int s = 0; s < 2; s++) {
        const face *of = s ? b : a;
        end[s][0] = fminl(of->at[0][0], of->at[1][0]);
        end[s][1] = fmaxl(of->at[0][0], of->at[1][0]);
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (!(fabsl(end[0][i] - end[1][k]) > CLEAR * size))
                return 0;
    return fminl(end[0][1], end[1][1]) - fmaxl(end[0][0], end[1][0]) > 2 * LEAST * size;
}

static int try_once(prop_pair *pair, long double size, gjb_random *random, plane *contact)
{
    face of[2], seen[2];
    for (int b = 0; b < 2; b++)
        if (!find_face(pair, b, size, random, &of[b]))
            return 0;
    put(pair, &of[0], &of[1], size, random, contact);
    for (int b = 0; b < 2; b++)
        if (!outline(pair, b, &of[b], contact, size, &seen[b]) || (pair->dim == 2 && seen[b].count != 2))
            return 0;
    return pair->dim == 3 ? is_plain_patch(&seen[0], &seen[1], size)
                          : is_plain_interval(&seen[0], &seen[1], size);
}

/* Related pair 0 lies face on face, and pair 1 is moved along the face. */
PROP_MAKES(gjb_prop_slide)
{
    prop_pair *pair = to->pair;
    plane contact;
    long double size = 0;
    for (int b = 0; b < 2; b++)
        size += gjb_prop_reach(pair, b) + pair->body[b].radius;
    for (int i = 0; i < TRIES; i++) {
        *pair = *from->pair;
        if (!try_once(pair, size, random, &contact))
            continue;
        const double turn = pair->dim == 3 ? gjb_random_range(random, 0, 6.25) : 0;
        for (int k = 0; k < 3 && which; k++)
            pair->body[1].place[k] +=
                (double)(SLIDE * size * (cos(turn) * contact.e[k] + sin(turn) * contact.f[k]));
        to->claim = which ? PROP_FEATURES : PROP_NOTHING;
        to->against = which ? 0 : -1;
        return 1;
    }
    return 0;
}
