/* Signed distance in the plane by all differences of vertices, their hull, and its edges. */
#include "scenes/generate/tests/brute_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct point {
    double x, y;
} point;

static point turned(const gjb_pose2d *pose, const double v[2])
{
    return (point){pose->c * v[0] - pose->s * v[1], pose->s * v[0] + pose->c * v[1]};
}

static int by_x_then_y(const void *a, const void *b)
{
    const point *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static double cross(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Monotone chain (Andrew 1979), counter-clockwise. */
static size_t hull_of(point *points, size_t n, point *hull)
{
    qsort(points, n, sizeof *points, by_x_then_y);
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++)
        if (distinct == 0 || by_x_then_y(&points[distinct - 1], &points[i]) != 0)
            points[distinct++] = points[i];
    if (distinct == 1) {
        hull[0] = points[0];
        return 1;
    }
    size_t size = 0;
    for (int upper = 0; upper < 2; upper++) {
        const size_t base = size;
        for (size_t k = 0; k < distinct; k++) {
            const point p = points[upper ? distinct - 1 - k : k];
            while (size >= base + 2 && cross(hull[size - 2], hull[size - 1], p) <= 0.0)
                size--;
            hull[size++] = p;
        }
        size--;
    }
    return size;
}

static double distance_to_edge(point p, point a, point b)
{
    const double x = b.x - a.x, y = b.y - a.y;
    double t = ((p.x - a.x) * x + (p.y - a.y) * y) / (x * x + y * y);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return hypot(p.x - a.x - t * x, p.y - a.y - t * y);
}

double brute_force_sigma(const gjb_pair2 *pair)
{
    static point differences[MOST * MOST], hull[2 * MOST * MOST];
    const gjb_body2 *a = &pair->a, *b = &pair->b;
    size_t n = 0;
    for (uint32_t i = 0; i < a->count && i < MOST; i++) {
        const point p = turned(&a->pose, a->vertices[i]);
        for (uint32_t j = 0; j < b->count && j < MOST; j++) {
            const point q = turned(&b->pose, b->vertices[j]);
            differences[n++] = (point){p.x - q.x, p.y - q.y};
        }
    }
    const size_t size = hull_of(differences, n, hull);
    const point t = {b->pose.x - a->pose.x, b->pose.y - a->pose.y};
    const double radius = a->radius + b->radius;
    if (size == 1)
        return hypot(t.x - hull[0].x, t.y - hull[0].y) - radius;
    double least = INFINITY;
    int inside = size > 2;
    for (size_t i = 0; i < size; i++) {
        const point from = hull[i], to = hull[(i + 1) % size];
        least = fmin(least, distance_to_edge(t, from, to));
        inside &= cross(from, to, t) >= 0.0;
    }
    return (inside ? -least : least) - radius;
}

double brute_force_size(const gjb_body2 *body)
{
    double x = 0.0, y = 0.0, most = 0.0;
    for (uint32_t i = 0; i < body->count; i++) {
        x += body->vertices[i][0] / body->count;
        y += body->vertices[i][1] / body->count;
    }
    for (uint32_t i = 0; i < body->count; i++)
        most = fmax(most, hypot(body->vertices[i][0] - x, body->vertices[i][1] - y));
    return most + body->radius;
}
