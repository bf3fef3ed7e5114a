/* Signed distances in integers: every axis along which shapes may be parted, every feature that may be nearest. */
#include "grading/halves.h"

#include <math.h>
#include <stdlib.h>

/* Coordinates are counted in halves and at most 16. So no difference exceeds 32, no normal 2^11, no product of the two
 * 2^18; squares stay below 2^36, their divisors below 2^24, and what compares them below 2^60. */
typedef int64_t whole;

enum { A, B, EDGES = GJB_HALVES_CORNERS * (GJB_HALVES_CORNERS - 1) };

typedef struct placed {
    whole corner[2][GJB_HALVES_CORNERS][3];
    int count[2];
    whole edge[EDGES][3]; /* between any two corners of a shape */
    int edges, dim;
} placed;

typedef struct fraction {
    whole over, under;
} fraction;

static whole dot(const whole a[3], const whole b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const whole a[3], const whole b[3], whole out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void less(const whole a[3], const whole b[3], whole out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static int is_zero(const whole a[3])
{
    return !a[0] && !a[1] && !a[2];
}

static void lower(fraction *least, whole over, whole under)
{
    if (least->under == 0 || over * least->under < least->over * under)
        *least = (fraction){over, under};
}

/* ---- the form of a pair ---- */

static int take(double local, double translation, whole *halves)
{
    const double twice = 2 * local + 2 * translation;
    *halves = (whole)(fabs(twice) <= GJB_HALVES_MOST ? twice : 0);
    return fabs(local) <= GJB_HALVES_MOST && (double)*halves == twice;
}

/* Both dimensions: `vertices` [count][dim]. */
static int place_shape(placed *p, int side, uint32_t count, const double *vertices,
                       const double translation[3])
{
    int fits = count >= 1 && count <= GJB_HALVES_CORNERS;
    p->count[side] = fits ? (int)count : 0;
    for (int i = 0; i < p->count[side]; i++)
        for (int k = 0; k < p->dim; k++)
            fits &= take(vertices[i * p->dim + k], translation[k], &p->corner[side][i][k]);
    for (int i = 0; i < p->count[side]; i++)
        for (int j = 0; j < i; j++) {
            less(p->corner[side][i], p->corner[side][j], p->edge[p->edges]);
            p->edges += !is_zero(p->edge[p->edges]);
        }
    return fits;
}

static int place2(placed *p, int side, const gjb_body2 *body)
{
    const double translation[3] = {body->pose.x, body->pose.y, 0};
    return body->kind <= GJB_HULL && body->radius == 0 && body->pose.c == 1 && body->pose.s == 0 &&
           place_shape(p, side, body->count, body->vertices[0], translation);
}

static int place3(placed *p, int side, const gjb_body3 *body)
{
    const gjb_pose3d *pose = &body->pose;
    const double translation[3] = {pose->x, pose->y, pose->z};
    return body->kind <= GJB_HULL && body->radius == 0 && pose->qx == 0 && pose->qy == 0 && pose->qz == 0 &&
           pose->qw == 1 && place_shape(p, side, body->count, body->vertices[0], translation);
}

/* ---- axes ---- */

/* How far B is beyond A along n, times the length of n; negative if they overlap along it. */
static whole gap_along(const placed *p, const whole n[3])
{
    whole most = dot(n, p->corner[A][0]), least = dot(n, p->corner[B][0]);
    for (int i = 1; i < p->count[A]; i++)
        most = dot(n, p->corner[A][i]) > most ? dot(n, p->corner[A][i]) : most;
    for (int i = 1; i < p->count[B]; i++)
        least = dot(n, p->corner[B][i]) < least ? dot(n, p->corner[B][i]) : least;
    return least - most;
}

static int is_across(const placed *p, const whole n[3])
{
    for (int i = 0; i < p->edges; i++)
        if (dot(n, p->edge[i]))
            return 1;
    return 0;
}

typedef struct axes {
    int full;       /* 1: the difference of the shapes is not flat */
    int apart;      /* 1: an axis parts them */
    fraction depth; /* squared, if it is neither flat nor are they apart */
} axes;

static void try_axis(const placed *p, const whole n[3], axes *found)
{
    found->full |= is_across(p, n);
    for (int sign = -1; sign <= 1; sign += 2) {
        const whole along[3] = {sign * n[0], sign * n[1], sign * n[2]}, gap = gap_along(p, along);
        found->apart |= gap > 0;
        lower(&found->depth, gap * gap, dot(n, n));
    }
}

/* All facets of the difference B - A that there may be: in the plane along an edge, in space along two. What of these
 * is no facet supports it, too. */
static axes try_axes(const placed *p)
{
    axes found = {0};
    for (int i = 0; i < p->edges; i++) {
        const whole *e = p->edge[i], aside[3] = {-e[1], e[0], 0};
        if (p->dim == 2)
            try_axis(p, aside, &found);
        for (int j = 0; j < i && p->dim == 3; j++) {
            whole n[3];
            cross(e, p->edge[j], n);
            if (!is_zero(n))
                try_axis(p, n, &found);
        }
    }
    return found;
}

/* ---- features ---- */

/* Of a point to the inside of a segment, and of a triangle. Each is a distance of some points of both shapes, or it is
 * left out, and the nearest points are among them. */
static void point_to_segment(const whole *p, const whole *u, const whole *v, fraction *least)
{
    whole e[3], w[3];
    less(v, u, e);
    less(p, u, w);
    const whole along = dot(w, e), length = dot(e, e);
    if (along > 0 && along < length)
        lower(least, dot(w, w) * length - along * along, length);
}

static int is_left(const whole *p, const whole *u, const whole *v, const whole n[3])
{
    whole e[3], w[3], c[3];
    less(v, u, e);
    less(p, u, w);
    cross(e, w, c);
    return dot(c, n) >= 0;
}

static void point_to_triangle(const whole *p, const whole *u, const whole *v, const whole *w, fraction *least)
{
    whole e[3], f[3], n[3], way[3];
    less(v, u, e);
    less(w, u, f);
    cross(e, f, n);
    less(p, u, way);
    if (!is_zero(n) && is_left(p, u, v, n) && is_left(p, v, w, n) && is_left(p, w, u, n))
        lower(least, dot(way, n) * dot(way, n), dot(n, n));
}

static void segment_to_segment(const whole *p, const whole *q, const whole *u, const whole *v,
                               fraction *least)
{
    whole e[3], f[3], n[3], way[3], c[3];
    less(q, p, e);
    less(v, u, f);
    cross(e, f, n);
    less(u, p, way);
    const whole all = dot(n, n);
    cross(way, f, c);
    const whole on_first = dot(c, n);
    cross(way, e, c);
    const whole on_second = dot(c, n);
    if (all > 0 && on_first >= 0 && on_first <= all && on_second >= 0 && on_second <= all)
        lower(least, dot(way, n) * dot(way, n), all);
}

/* A corner of one shape to all of the other. */
static void corner_to_shape(const placed *p, const whole *corner, int side, fraction *least)
{
    const whole(*c)[3] = p->corner[side];
    for (int i = 0; i < p->count[side]; i++) {
        whole way[3];
        less(corner, c[i], way);
        lower(least, dot(way, way), 1);
        for (int j = 0; j < i; j++) {
            point_to_segment(corner, c[i], c[j], least);
            for (int k = 0; k < j; k++)
                point_to_triangle(corner, c[i], c[j], c[k], least);
        }
    }
}

/* 0 if the shapes touch, or overlap and their difference is flat. */
static fraction nearest(const placed *p)
{
    fraction least = {0, 0};
    for (int side = A; side <= B; side++)
        for (int i = 0; i < p->count[side]; i++)
            corner_to_shape(p, p->corner[side][i], 1 - side, &least);
    for (int i = 0; i < p->count[A]; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < p->count[B]; k++)
                for (int l = 0; l < k; l++)
                    segment_to_segment(p->corner[A][i], p->corner[A][j], p->corner[B][k], p->corner[B][l],
                                       &least);
    return least;
}

int gjb_halves_sigma(const gjb_pair *pair, gjb_squared *sigma)
{
    placed p = {.dim = (int)pair->dim};
    const int fits = pair->dim == 2 ? place2(&p, A, &pair->as.plane.a) && place2(&p, B, &pair->as.plane.b)
                                    : place3(&p, A, &pair->as.space.a) && place3(&p, B, &pair->as.space.b);
    if (!fits)
        return -1;
    const axes found = try_axes(&p);
    const int overlap = found.full && !found.apart;
    const fraction square = overlap ? found.depth : nearest(&p);
    *sigma = (gjb_squared){square.over, 4 * square.under, square.over == 0 ? 0 : overlap ? -1 : 1};
    return 0;
}

void gjb_squared_root(const gjb_squared *sigma, double *lo, double *hi)
{
    const double root = sigma->sign * (double)sqrtl((long double)sigma->over / (long double)sigma->under);
    *lo = root != 0 ? nextafter(root, -INFINITY) : 0;
    *hi = root != 0 ? nextafter(root, INFINITY) : 0;
}
