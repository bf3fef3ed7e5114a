#include "core/generate_parts.h"

#include <math.h>
#include <string.h>

#include "core/generate_solid.h"

void gjb_rotation3(const double q[4], double m[3][3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double xx = x * x, yy = y * y, zz = z * z, ww = w * w, norm = (ww + xx) + (yy + zz);
    m[0][0] = ((ww + xx) - (yy + zz)) / norm;
    m[1][1] = ((ww + yy) - (xx + zz)) / norm;
    m[2][2] = ((ww + zz) - (xx + yy)) / norm;
    m[0][1] = 2.0 * (x * y - w * z) / norm;
    m[1][0] = 2.0 * (x * y + w * z) / norm;
    m[0][2] = 2.0 * (x * z + w * y) / norm;
    m[2][0] = 2.0 * (x * z - w * y) / norm;
    m[1][2] = 2.0 * (y * z - w * x) / norm;
    m[2][1] = 2.0 * (y * z + w * x) / norm;
}

void gjb_place_turn3(gjb_placed *body, gjb_precision precision, const double q[4])
{
    double stored[4], m[3][3];
    for (int i = 0; i < 4; i++) {
        stored[i] = gjb_rounded(precision, q[i]);
    }
    body->pose3.qx = stored[0];
    body->pose3.qy = stored[1];
    body->pose3.qz = stored[2];
    body->pose3.qw = stored[3];
    gjb_rotation3(stored, m);
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < body->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            body->turned3[i][axis] = gjb_dot3(m[axis], body->local3[i]);
            sum[axis] += body->turned3[i][axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        body->centre[axis] = sum[axis] / body->count;
    }
}

void gjb_place_origin3(gjb_placement *p, const double at[3])
{
    p->a.pose3.x = gjb_rounded(p->precision, at[0] + p->offset[0]);
    p->a.pose3.y = gjb_rounded(p->precision, at[1] + p->offset[1]);
    p->a.pose3.z = gjb_rounded(p->precision, at[2] + p->offset[2]);
}

void gjb_place_begin3(gjb_random *r, gjb_placement *p)
{
    double q[4], at[3];
    gjb_random_quaternion(r, q);
    gjb_place_turn3(&p->a, p->precision, q);
    gjb_random_quaternion(r, q);
    gjb_place_turn3(&p->b, p->precision, q);
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = p->unit * gjb_random_range(r, -4.0, 4.0);
    }
    gjb_place_origin3(p, at);
}

void gjb_place_difference3(gjb_placement *p)
{
    gjb_minus3(p->a.centre, p->b.centre, p->centre);
    p->radius = p->a.radius + p->b.radius;
}

void gjb_place_at3(gjb_placement *p, const double t[3])
{
    p->b.pose3.x = gjb_rounded(p->precision, p->a.pose3.x + t[0]);
    p->b.pose3.y = gjb_rounded(p->precision, p->a.pose3.y + t[1]);
    p->b.pose3.z = gjb_rounded(p->precision, p->a.pose3.z + t[2]);
}

/* A vertex of A - B by those that it comes from. */
typedef struct corner {
    uint32_t a, b;
} corner;

static void corner_at(const gjb_placement *p, corner c, double v[3])
{
    gjb_minus3(p->a.turned3[c.a], p->b.turned3[c.b], v);
}

static uint32_t farthest(const gjb_placed *body, const double n[3], double sign)
{
    uint32_t best = 0;
    double reach = sign * gjb_dot3(n, body->turned3[0]);
    for (uint32_t i = 1; i < body->count; i++) {
        const double here = sign * gjb_dot3(n, body->turned3[i]);
        if (here > reach) {
            reach = here;
            best = i;
        }
    }
    return best;
}

static corner support(const gjb_placement *p, const double n[3])
{
    return (corner){farthest(&p->a, n, 1.0), farthest(&p->b, n, -1.0)};
}

void gjb_place_support3(const gjb_placement *p, const double n[3], double v[3])
{
    corner_at(p, support(p, n), v);
}

/* A plane about to be tilted. */
typedef struct tilting {
    double n[3], u[3]; /* normal, and the direction it leans to; n is unit */
    double rise, run;  /* slope at which the plane meets the first vertex: rise / run */
    double edge[3];    /* from the corner to that vertex */
    uint8_t of_b;
    uint8_t met;
} tilting;

/* From one body: vertices beyond the hinge lean against the plane. Those in
 * line with the hinge, but for rounding, are no stop. */
static void tilt_over(const gjb_placed *body, uint32_t at, double sign, tilting *t)
{
    for (uint32_t i = 0; i < body->count; i++) {
        double d[3];
        gjb_minus3(body->turned3[i], body->turned3[at], d);
        const double run = sign * gjb_dot3(d, t->u), below = -sign * gjb_dot3(d, t->n);
        const double rise = below > 0.0 ? below : 0.0;
        if (run <= 0.0 || run * run <= 1e-20 * gjb_dot3(d, d) || (t->met && rise * t->run >= t->rise * run)) {
            continue;
        }
        t->rise = rise;
        t->run = run;
        t->met = 1;
        t->of_b = sign < 0.0;
        for (int axis = 0; axis < 3; axis++) {
            t->edge[axis] = sign * d[axis];
        }
    }
}

/* Leans the plane through a corner until it meets another vertex of A - B:
 * edges of A - B at a corner are those of A and of -B there. 0 if there is
 * none that way. */
static int tilt(const gjb_placement *p, corner at, tilting *t)
{
    t->met = 0;
    tilt_over(&p->a, at.a, 1.0, t);
    tilt_over(&p->b, at.b, -1.0, t);
    if (!t->met) {
        return 0;
    }
    double n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = t->n[axis] * t->run + t->u[axis] * t->rise;
    }
    if (!gjb_unit3(n)) {
        return 0;
    }
    memcpy(t->n, n, sizeof n);
    return 1;
}

/* A face, edge or corner of A - B: `edges` counts the sides known. */
typedef struct feature {
    double at[3], edge[2][3];
    uint8_t of_b[2];
    uint32_t edges;
    double normal[3]; /* unit, outwards */
} feature;

/* From the corner farthest along `n` over an edge to a face, leaning to `u`
 * first: gift wrapping (Chand, Kapur 1970) on A - B, which is never built.
 * At most `edges` of them: fewer where A - B is flat. */
static void find_feature(const gjb_placement *p, const double n[3], const double u[3], uint32_t edges, feature *f)
{
    const corner at = support(p, n);
    tilting t;
    corner_at(p, at, f->at);
    memcpy(t.n, n, sizeof t.n);
    gjb_along3(u, n, -gjb_dot3(u, n), t.u);
    for (f->edges = 0; f->edges < edges && gjb_unit3(t.u) && tilt(p, at, &t); f->edges++) {
        memcpy(f->edge[f->edges], t.edge, sizeof t.edge);
        f->of_b[f->edges] = t.of_b;
        gjb_cross3(t.n, t.edge, t.u);
    }
    memcpy(f->normal, t.n, sizeof f->normal);
    double cross[3];
    if (f->edges == 2) {
        gjb_cross3(f->edge[0], f->edge[1], cross);
        const double least = 1e-9 * sqrt(gjb_dot3(f->edge[0], f->edge[0]) * gjb_dot3(f->edge[1], f->edge[1]));
        const double side = gjb_dot3(cross, f->normal) < 0.0 ? -1.0 : 1.0;
        if (gjb_dot3(cross, cross) > least * least && gjb_unit3(cross)) {
            for (int axis = 0; axis < 3; axis++) {
                f->normal[axis] = side * cross[axis];
            }
        }
    }
}

/* A random point of a feature, whose normal is one there: should rounding say
 * that another corner lies farther out, then that. */
static void point_on(gjb_random *r, const gjb_placement *p, const feature *f, double point[3])
{
    double along[2] = {gjb_random_unit(r), gjb_random_unit(r)}, far[3], gap[3];
    if (f->edges == 2 && f->of_b[0] == f->of_b[1] && along[0] + along[1] > 1.0) {
        along[0] = 1.0 - along[0];
        along[1] = 1.0 - along[1];
    }
    memcpy(point, f->at, sizeof f->at);
    for (uint32_t i = 0; i < f->edges; i++) {
        gjb_along3(point, f->edge[i], along[i], point);
    }
    gjb_place_support3(p, f->normal, far);
    gjb_minus3(far, point, gap);
    if (gjb_dot3(f->normal, gap) > 1e-13 * (p->a.size + p->b.size)) {
        memcpy(point, far, sizeof far);
    }
}

/* Corners, edges and faces equally often. */
static void pick_boundary3(gjb_random *r, const gjb_placement *p, double point[3], double normal[3])
{
    double n[3], u[3];
    feature f;
    gjb_random_direction3(r, n);
    gjb_random_direction3(r, u);
    find_feature(p, n, u, gjb_random_below(r, 3), &f);
    point_on(r, p, &f, point);
    memcpy(normal, f.normal, sizeof f.normal);
}

/* Planes with A - B behind them: each is an upper bound of every depth. */
enum { PLANES_MAX = 24 };
typedef struct bounds {
    double normal[PLANES_MAX][3], reach[PLANES_MAX]; /* of the plane from the centre */
    uint32_t count;
} bounds;

static void add_bound(const gjb_placement *p, const double n[3], const double u[3], bounds *b)
{
    feature f;
    double far[3];
    find_feature(p, n, u, 2, &f);
    gjb_place_support3(p, f.normal, far);
    gjb_minus3(far, p->centre, far);
    const double reach = gjb_dot3(f.normal, far);
    memcpy(b->normal[b->count], f.normal, sizeof f.normal);
    b->reach[b->count++] = reach > 0.0 ? reach : 0.0;
}

/* Faces all around, the same at every call: those next to the farthest
 * corners along the axes, and the thinnest again from opposite sides. */
static void bounds_around(const gjb_placement *p, bounds *b)
{
    b->count = 0;
    for (int i = 0; i < 6; i++) {
        double n[3] = {0.0, 0.0, 0.0}, u[3] = {0.6, 0.48, 0.64};
        n[i / 2] = i % 2 ? -1.0 : 1.0;
        u[(i + 1) / 2 % 3] *= -1.0;
        add_bound(p, n, u, b);
    }
    for (int i = 0; i < 2; i++) {
        uint32_t thin = 0;
        for (uint32_t k = 1; k < b->count; k++) {
            thin = b->reach[k] < b->reach[thin] ? k : thin;
        }
        double n[3], u[3] = {-0.48, 0.64, 0.6};
        for (int axis = 0; axis < 3; axis++) {
            n[axis] = i == 0 ? -b->normal[thin][axis] : b->normal[thin][axis];
        }
        add_bound(p, n, u, b);
    }
}

static double least_reach(const bounds *b)
{
    double least = b->reach[0];
    for (uint32_t i = 1; i < b->count; i++) {
        least = b->reach[i] < least ? b->reach[i] : least;
    }
    return least;
}

double gjb_place_deepest3(const gjb_placement *p)
{
    bounds b;
    bounds_around(p, &b);
    return least_reach(&b);
}

/* From `point` of the boundary towards the centre, until every plane known is
 * `depth` away: the true depth is that or, where a plane unknown is nearer,
 * less; never 0, since A - B has an inside. */
static void go_inwards3(const gjb_placement *p, const bounds *b, double point[3], double depth)
{
    double way[3], step = 0.0;
    gjb_minus3(p->centre, point, way);
    for (uint32_t i = 0; i < b->count; i++) {
        const double gains = -gjb_dot3(b->normal[i], way), has = b->reach[i] - gains;
        if (gains > 0.0 && depth - has > step * gains) {
            step = (depth - has) / gains;
        }
    }
    gjb_along3(point, way, step < 0.95 ? step : 0.95, point);
}

/* Overlaps shallower than this share of the size are none. */
static const double least_overlap = 1e-3;

void gjb_place_sigma3(gjb_random *r, gjb_placement *p, double sigma)
{
    double n[3], u[3], point[3], core = sigma + p->radius;
    bounds b;
    feature f;
    if (core < 0.0) {
        bounds_around(p, &b);
        const double most = 0.9 * least_reach(&b), depth = -core < most ? -core : most;
        if (depth + p->radius < least_overlap * p->size) {
            core = 0.01 * p->size + p->radius;
        } else {
            gjb_random_direction3(r, n);
            for (uint32_t i = 0; i < 4; i++) {
                gjb_random_direction3(r, u);
                add_bound(p, n, u, &b);
            }
            find_feature(p, n, u, gjb_random_below(r, 3), &f);
            point_on(r, p, &f, point);
            go_inwards3(p, &b, point, depth);
            gjb_place_at3(p, point);
            return;
        }
    }
    pick_boundary3(r, p, point, n);
    gjb_along3(point, n, core, point);
    gjb_place_at3(p, point);
}

/* Farthest point of A - B, widened by the radius, about its centre. */
static void rounded_support(const gjb_placement *p, const double n[3], double v[3])
{
    const double length = sqrt(gjb_dot3(n, n));
    gjb_place_support3(p, n, v);
    gjb_minus3(v, p->centre, v);
    gjb_along3(v, n, length > 0.0 ? p->radius / length : 0.0, v);
}

/* How far inside the cone of a, b, c the ray u runs: the least of three
 * volumes, positive inside. */
static double inside_cone(const double a[3], const double b[3], const double c[3], const double u[3])
{
    const double *v[3] = {a, b, c};
    double least = 0.0;
    for (int i = 0; i < 3; i++) {
        double cross[3];
        gjb_cross3(v[i], v[(i + 1) % 3], cross);
        const double volume = gjb_dot3(cross, u);
        least = i == 0 || volume < least ? volume : least;
    }
    return least;
}

/* A triangle of boundary points that the ray u from the centre goes through;
 * 0 where A - B is too flat to have one. */
static int find_portal(const gjb_placement *p, const double u[3], double v[3][3])
{
    static const int tries = 32;
    double n[3];
    rounded_support(p, u, v[0]);
    gjb_cross3(v[0], u, n);
    if (!(gjb_dot3(n, n) > 1e-24 * gjb_dot3(v[0], v[0]))) {
        const double any[3] = {u[1], u[2], -u[0]}; /* the ray goes through the corner */
        gjb_cross3(u, any, n);
    }
    rounded_support(p, n, v[1]);
    for (int i = 0; i < tries; i++) {
        gjb_cross3(v[0], v[1], n);
        if (gjb_dot3(n, u) < 0.0) {
            double swap[3];
            memcpy(swap, v[0], sizeof swap);
            memcpy(v[0], v[1], sizeof swap);
            memcpy(v[1], swap, sizeof swap);
            gjb_cross3(v[0], v[1], n);
        }
        if (!gjb_unit3(n)) {
            return 0;
        }
        rounded_support(p, n, v[2]);
        if (gjb_dot3(n, v[2]) <= 1e-9 * p->size) {
            return 0;
        }
        double side[3];
        gjb_cross3(v[0], v[2], side);
        if (gjb_dot3(side, u) > 0.0) {
            memcpy(v[1], v[2], sizeof v[1]);
            continue;
        }
        gjb_cross3(v[2], v[1], side);
        if (gjb_dot3(side, u) > 0.0) {
            memcpy(v[0], v[2], sizeof v[0]);
            continue;
        }
        return 1;
    }
    return 0;
}

/* Where the ray from the centre leaves A - B, widened by the radius, to about
 * a thousandth: portal refinement (Snethen 2008). 0 if A - B is flat. */
static double exit_of_ray3(const gjb_placement *p, const double u[3])
{
    static const int most = 48;
    double v[3][3], lower = 0.0;
    if (!find_portal(p, u, v)) {
        return 0.0;
    }
    for (int i = 0; i < most; i++) {
        double e[3], g[3], n[3], far[3];
        gjb_minus3(v[1], v[0], e);
        gjb_minus3(v[2], v[0], g);
        gjb_cross3(e, g, n);
        const double speed = gjb_dot3(n, u);
        if (speed == 0.0) {
            break;
        }
        for (int axis = 0; axis < 3 && speed < 0.0; axis++) {
            n[axis] = -n[axis];
        }
        rounded_support(p, n, far);
        const double portal = gjb_dot3(n, v[0]) / fabs(speed), plane = gjb_dot3(n, far) / fabs(speed);
        lower = portal > lower ? portal : lower;
        if (plane - portal <= 1e-3 * plane) {
            break;
        }
        /* The new point splits the portal in three: the ray goes through one. */
        int best = 0;
        double inside = 0.0;
        for (int k = 0; k < 3; k++) {
            const double here = inside_cone(k == 0 ? far : v[0], k == 1 ? far : v[1], k == 2 ? far : v[2], u);
            if (k == 0 || here > inside) {
                inside = here;
                best = k;
            }
        }
        memcpy(v[best], far, sizeof far);
    }
    return lower;
}

void gjb_place_ray3(gjb_random *r, gjb_placement *p)
{
    double u[3], t[3];
    gjb_random_direction3(r, u);
    const double at = gjb_random_range(r, 0.0, 2.0);
    double exit = exit_of_ray3(p, u);
    if (exit < 1e-9 * p->size) {
        exit = p->size;
    }
    gjb_along3(p->centre, u, at * exit, t);
    gjb_place_at3(p, t);
}
