/* Signed distance in space by all vertices, pairs and triples of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/tests/brute_force.h"

/* Everything in long double over all vertices, all pairs and all triples of
 * them, whether they are edges and faces or not: what is inside a shape
 * changes neither its distance nor its depth. */

typedef long double real;
enum { MOST = 16, SIDES = MOST * (MOST - 1) / 2, TRIPLES = MOST * (MOST - 1) * (MOST - 2) / 6 };

typedef struct vec {
    real x, y, z;
} vec;

static vec minus(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec plus(vec a, vec b, real t)
{
    return (vec){a.x + b.x * t, a.y + b.y * t, a.z + b.z * t};
}

static real dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static real length(vec a)
{
    return sqrtl(dot(a, a));
}

/* The image of a vertex: v + 2 (w (q x v) + q x (q x v)) / (q.q). */
static vec placed(const gjb_pose3d *pose, const double v[3])
{
    const vec q = {pose->qx, pose->qy, pose->qz}, local = {v[0], v[1], v[2]};
    const real w = pose->qw, norm = dot(q, q) + w * w;
    const vec once = cross(q, local), twice = cross(q, once);
    const vec turned = plus(local, plus((vec){w * once.x, w * once.y, w * once.z}, twice, 1.0L), 2.0L / norm);
    return (vec){turned.x, turned.y, turned.z};
}

static real to_segment(vec p, vec a, vec b)
{
    const vec d = minus(b, a);
    const real square = dot(d, d);
    real t = square > 0.0L ? dot(minus(p, a), d) / square : 0.0L;
    t = t < 0.0L ? 0.0L : t > 1.0L ? 1.0L : t;
    return length(minus(p, plus(a, d, t)));
}

/* Infinite if p does not project into the triangle: its sides are measured
 * separately. */
static real to_inside(vec p, vec a, vec b, vec c)
{
    const vec n = cross(minus(b, a), minus(c, a));
    const real square = dot(n, n);
    if (square == 0.0L || dot(cross(minus(b, a), minus(p, a)), n) < 0.0L ||
        dot(cross(minus(c, b), minus(p, b)), n) < 0.0L || dot(cross(minus(a, c), minus(p, c)), n) < 0.0L)
        return INFINITY;
    return fabsl(dot(minus(p, a), n)) / sqrtl(square);
}

/* Distance of two segments if their lines are closest inside both, else infinite:
 * ends are measured separately. */
static real between_lines(vec a, vec b, vec c, vec d)
{
    const vec u = minus(b, a), v = minus(d, c), n = cross(u, v), w = minus(c, a);
    const real square = dot(n, n);
    if (square == 0.0L)
        return INFINITY;
    const real s = dot(cross(w, v), n) / square, t = dot(cross(w, u), n) / square;
    if (s < 0.0L || s > 1.0L || t < 0.0L || t > 1.0L)
        return INFINITY;
    return fabsl(dot(w, n)) / sqrtl(square);
}

typedef struct cloud {
    vec v[MOST];
    uint32_t count;
} cloud;

static cloud cloud_of(const gjb_body3 *body)
{
    cloud c = {.count = body->count};
    if (c.count > MOST)
        abort();
    for (uint32_t i = 0; i < c.count; i++)
        c.v[i] = placed(&body->pose, body->vertices[i]);
    return c;
}

/* Least distance of a point from sides and triples of the cloud. */
static real to_cloud(vec p, const cloud *c)
{
    real least = INFINITY;
    for (uint32_t i = 0; i < c->count; i++) {
        least = fminl(least, length(minus(p, c->v[i])));
        for (uint32_t j = 0; j < i; j++) {
            least = fminl(least, to_segment(p, c->v[i], c->v[j]));
            for (uint32_t k = 0; k < j; k++)
                least = fminl(least, to_inside(p, c->v[i], c->v[j], c->v[k]));
        }
    }
    return least;
}

static real distance(const cloud *a, const cloud *b)
{
    real least = INFINITY;
    for (uint32_t i = 0; i < a->count; i++)
        least = fminl(least, to_cloud(a->v[i], b));
    for (uint32_t i = 0; i < b->count; i++)
        least = fminl(least, to_cloud(b->v[i], a));
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            for (uint32_t k = 0; k < b->count; k++)
                for (uint32_t l = 0; l < k; l++)
                    least = fminl(least, between_lines(a->v[i], a->v[j], b->v[k], b->v[l]));
        }
    }
    return least;
}

/* The gap between the clouds along u x v, in either order: negative if they
 * overlap. Sides parallel up to rounding have no normal. */
static real gap_along(const cloud *a, const cloud *b, vec u, vec v)
{
    const vec n = cross(u, v);
    const real size = length(n);
    if (!(size > 1e-15L * length(u) * length(v)))
        return -INFINITY;
    real a_lo = INFINITY, a_hi = -INFINITY, b_lo = INFINITY, b_hi = -INFINITY;
    for (uint32_t i = 0; i < a->count; i++) {
        a_lo = fminl(a_lo, dot(n, a->v[i]));
        a_hi = fmaxl(a_hi, dot(n, a->v[i]));
    }
    for (uint32_t i = 0; i < b->count; i++) {
        b_lo = fminl(b_lo, dot(n, b->v[i]));
        b_hi = fmaxl(b_hi, dot(n, b->v[i]));
    }
    return fmaxl(b_lo - a_hi, a_lo - b_hi) / size;
}

/* Largest gap along the normals of triples and of pairs of sides. */
static real largest_gap(const cloud *a, const cloud *b)
{
    real most = -INFINITY;
    vec sides[2][SIDES];
    uint32_t count[2] = {0, 0};
    for (int which = 0; which < 2; which++) {
        const cloud *c = which ? b : a;
        for (uint32_t i = 0; i < c->count; i++) {
            for (uint32_t j = 0; j < i; j++) {
                const vec side = minus(c->v[i], c->v[j]);
                sides[which][count[which]++] = side;
                for (uint32_t k = 0; k < j; k++)
                    most = fmaxl(most, gap_along(a, b, side, minus(c->v[k], c->v[j])));
            }
        }
    }
    for (uint32_t i = 0; i < count[0]; i++)
        for (uint32_t j = 0; j < count[1]; j++)
            most = fmaxl(most, gap_along(a, b, sides[0][i], sides[1][j]));
    return most;
}

double brute_force_sigma3(const gjb_pair3 *pair)
{
    cloud a = cloud_of(&pair->a), b = cloud_of(&pair->b);
    const gjb_pose3d *from = &pair->a.pose, *to = &pair->b.pose;
    const vec t = {(real)to->x - from->x, (real)to->y - from->y, (real)to->z - from->z};
    for (uint32_t i = 0; i < b.count; i++)
        b.v[i] = plus(b.v[i], t, 1.0L);
    const real radius = (real)pair->a.radius + pair->b.radius, gap = largest_gap(&a, &b);
    /* If A - B is flat, the gap along its normal is 0 up to rounding. */
    const real noise = 1e-17L * (brute_force_size3(&pair->a) + brute_force_size3(&pair->b));
    const real core = gap < -noise && gap > -INFINITY ? gap : distance(&a, &b);
    return (double)(core - radius);
}

double brute_force_size3(const gjb_body3 *body)
{
    double mean[3] = {0.0, 0.0, 0.0}, most = 0.0;
    for (uint32_t i = 0; i < body->count; i++)
        for (int axis = 0; axis < 3; axis++)
            mean[axis] += body->vertices[i][axis];
    for (int axis = 0; axis < 3; axis++)
        mean[axis] /= body->count;
    for (uint32_t i = 0; i < body->count; i++) {
        const double *v = body->vertices[i];
        most = fmax(most, hypot(hypot(v[0] - mean[0], v[1] - mean[1]), v[2] - mean[2]));
    }
    return most + body->radius;
}
