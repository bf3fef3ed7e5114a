/* Support gap and point distance in long double, whose unit roundoff u is
 * 2^-64 on x86 and 2^-113 on aarch64: 2^11 times finer than double's or better.
 *
 * The error bounds count roundings. An image R v (or R^T n . v) carries at most
 * 4u sqrt2 |v|, the direction n/|n| (or the foot on an edge) 4u of the lengths
 * it acts on, a difference of translations 1u of itself, sums 1u each. 12u
 * times the sum of all lengths that take part, vertices counted as twice their
 * larger coordinate, covers it; tests find less than half of it used. For a
 * pair of size S that is below eps S / 2^6 on x86.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reference/curved/curved_pair.h"
#include "reference/oracle/hull2.h"
#include "reference/reference.h"

_Static_assert(LDBL_MANT_DIG >= 64, "certificates need a long double of 64 bits or more");

static const long double bound = 12 * (LDBL_EPSILON / 2);

static long double reach(const gjb_body2 *body)
{
    double most = 0;
    for (uint32_t k = 0; k < body->count; k++)
        most = fmax(most, fmax(fabs(body->vertices[k][0]), fabs(body->vertices[k][1])));
    return 2 * (long double)most; /* at least |x| + |y| */
}

/* Largest n . R v over the vertices. */
static long double support(const gjb_body2 *body, long double x, long double y)
{
    long double lx = body->pose.c * x + body->pose.s * y;
    long double ly = body->pose.c * y - body->pose.s * x;
    long double most = lx * body->vertices[0][0] + ly * body->vertices[0][1];
    for (uint32_t k = 1; k < body->count; k++) {
        long double along = lx * body->vertices[k][0] + ly * body->vertices[k][1];
        most = along > most ? along : most;
    }
    return most;
}

long double ref_gap2(const gjb_pair2 *pair, const double n[2], long double *error)
{
    if (ref_is_curved2(pair)) {
        const gjb_pair of = ref_pair_of2(pair);
        return ref_curved_pair_gap(&of, n, error);
    }
    const gjb_pose2d *pa = &pair->a.pose, *pb = &pair->b.pose;
    long double x = n[0], y = n[1], length = hypotl(x, y);
    long double dx = (long double)pb->x - pa->x, dy = (long double)pb->y - pa->y;
    x /= length;
    y /= length;
    long double from_b = x * dx + y * dy - support(&pair->b, -x, -y);
    long double from_a = support(&pair->a, x, y);
    long double radii = (long double)pair->a.radius + pair->b.radius;
    *error = bound * (reach(&pair->a) + reach(&pair->b) + fabsl(dx) + fabsl(dy) + radii);
    return from_b - from_a - radii;
}

typedef struct vector { long double x, y; } vector;

static vector rotate(const gjb_pose2d *pose, long double x, long double y)
{
    return (vector){pose->c * x - pose->s * y, pose->s * x + pose->c * y};
}

long double ref_point_distance2(const gjb_pair2 *pair, bool of_b, const double point[2], long double *error)
{
    const gjb_kind kind = (of_b ? &pair->b : &pair->a)->kind;
    if (gjb_is_curved(kind) || gjb_is_unbounded(kind)) {
        const gjb_pair of = ref_pair_of2(pair);
        return ref_curved_pair_distance(&of, of_b, point, error);
    }
    const gjb_body2 *body = of_b ? &pair->b : &pair->a;
    vector p = {point[0], point[1]};
    if (of_b) {
        p.x -= (long double)pair->b.pose.x - pair->a.pose.x;
        p.y -= (long double)pair->b.pose.y - pair->a.pose.y;
    }
    vector shift = {p.x - point[0], p.y - point[1]};
    *error = bound * (reach(body) + fabsl((long double)point[0]) + fabsl((long double)point[1])
                      + fabsl(shift.x) + fabsl(shift.y) + body->radius);

    uint32_t storage[64], *hull = storage;
    if (body->count > 64 && !(hull = malloc(body->count * sizeof *hull))) {
        fputs("gjkbench: out of memory in a certificate\n", stderr);
        abort();
    }
    uint32_t count = ref_hull2(body->vertices, body->count, hull);
    long double least = HUGE_VALL;
    bool inside = count >= 3;
    for (uint32_t k = 0; k < count; k++) {
        const double *from = body->vertices[hull[k]], *to = body->vertices[hull[k + 1 < count ? k + 1 : 0]];
        vector a = rotate(&body->pose, from[0], from[1]);
        /* The edge from local differences: a short edge keeps its direction. */
        vector e = rotate(&body->pose, (long double)to[0] - from[0], (long double)to[1] - from[1]);
        vector d = {p.x - a.x, p.y - a.y};
        long double length2 = e.x * e.x + e.y * e.y, along = d.x * e.x + d.y * e.y;
        long double t = along <= 0 || length2 == 0 ? 0 : along >= length2 ? 1 : along / length2;
        long double distance = hypotl(d.x - t * e.x, d.y - t * e.y);
        least = distance < least ? distance : least;
        inside = inside && e.x * d.y - e.y * d.x >= 0;
    }
    if (hull != storage)
        free(hull);
    long double outside = (inside ? 0 : least) - body->radius;
    return outside > 0 ? outside : 0;
}
