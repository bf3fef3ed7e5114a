/* Places a pair in space at a wanted signed distance, by boundary features and bounding planes of A - B. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"

void gjb_place_turn3(gjb_placed *body, gjb_precision precision, const double q[4])
{
    double stored[4], m[3][3];
    for (int i = 0; i < 4; i++)
        stored[i] = gjb_rounded(precision, q[i]);
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
    for (int axis = 0; axis < 3; axis++)
        body->centre[axis] = sum[axis] / body->count;
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
    for (int axis = 0; axis < 3; axis++)
        at[axis] = p->unit * gjb_random_range(r, -4.0, 4.0);
    gjb_place_origin3(p, at);
}

void gjb_place_difference3(gjb_placement *p)
{
    gjb_minus3(p->a.centre, p->b.centre, p->centre);
    p->radius = p->a.radius + p->b.radius;
}

void gjb_place_at3(gjb_placement *p, const double t[3])
{
    memmove(p->t, t, sizeof p->t);
    p->b.pose3.x = gjb_rounded(p->precision, p->a.pose3.x + t[0]);
    p->b.pose3.y = gjb_rounded(p->precision, p->a.pose3.y + t[1]);
    p->b.pose3.z = gjb_rounded(p->precision, p->a.pose3.z + t[2]);
}

/* A random point of a feature, with the feature's normal. If by rounding another
 * corner lies farther out, that corner. */
static void point_on(gjb_random *r, const gjb_placement *p, const gjb_feature *f, double point[3])
{
    double along[2] = {gjb_random_unit(r), gjb_random_unit(r)}, far[3], gap[3];
    if (f->edges == 2 && f->of_b[0] == f->of_b[1] && along[0] + along[1] > 1.0) {
        along[0] = 1.0 - along[0];
        along[1] = 1.0 - along[1];
    }
    memcpy(point, f->at, sizeof f->at);
    for (uint32_t i = 0; i < f->edges; i++)
        gjb_along3(point, f->edge[i], along[i], point);
    gjb_support3(p, f->normal, far);
    gjb_minus3(far, point, gap);
    if (gjb_dot3(f->normal, gap) > 1e-13 * (p->a.size + p->b.size))
        memcpy(point, far, sizeof far);
}

/* Directions lean by so much towards the other corners of a flat side. */
static const double lean = 0x1p-30;

/* Half of the normals are along an axis of A or of B, and so normals of flat sides, with
 * the point anywhere on the side; the other normals are uniform. */
static void pick_curved3(gjb_random *r, const gjb_placement *p, double point[3], double normal[3])
{
    gjb_random_direction3(r, normal);
    const uint32_t choice = gjb_random_below(r, 4), axis = gjb_random_below(r, 3);
    const double sign = gjb_random_sign(r);
    if (choice < 2) {
        double q[4];
        gjb_stored_turn(choice == 0 ? &p->a : &p->b, q);
        gjb_turned_axis(q, (int)axis, normal);
        for (int i = 0; i < 3; i++)
            normal[i] *= sign;
    }
    gjb_support3(p, normal, point);
    for (int i = 0; i < 3; i++) {
        double u[3], other[3];
        gjb_random_direction3(r, u);
        gjb_along3(normal, u, lean, u);
        gjb_support3(p, u, other);
        gjb_minus3(other, point, other);
        gjb_along3(point, other, gjb_random_unit(r), point);
    }
}

/* Corners, edges and faces equally often. */
static void pick_boundary3(gjb_random *r, const gjb_placement *p, double point[3], double normal[3])
{
    double n[3], u[3];
    gjb_feature f;
    if (p->curved) {
        pick_curved3(r, p, point, normal);
        return;
    }
    gjb_random_direction3(r, n);
    gjb_random_direction3(r, u);
    gjb_find_feature(p, n, u, gjb_random_below(r, 3), &f);
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
    gjb_feature f;
    double far[3];
    gjb_find_feature(p, n, u, 2, &f);
    gjb_support3(p, f.normal, far);
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
        for (uint32_t k = 1; k < b->count; k++)
            thin = b->reach[k] < b->reach[thin] ? k : thin;
        double n[3], u[3] = {-0.48, 0.64, 0.6};
        for (int axis = 0; axis < 3; axis++)
            n[axis] = i == 0 ? -b->normal[thin][axis] : b->normal[thin][axis];
        add_bound(p, n, u, b);
    }
}

static double least_reach(const bounds *b)
{
    double least = b->reach[0];
    for (uint32_t i = 1; i < b->count; i++)
        least = b->reach[i] < least ? b->reach[i] : least;
    return least;
}

double gjb_place_deepest3(const gjb_placement *p)
{
    bounds b;
    bounds_around(p, &b);
    return least_reach(&b);
}

/* Moves `point` of the boundary towards the centre, until every known plane is at
 * least `depth` away. The true depth is that, or less if an unknown plane is
 * nearer; never 0, since A - B has an inside. */
static void go_inwards3(const gjb_placement *p, const bounds *b, double point[3], double depth)
{
    double way[3], step = 0.0;
    gjb_minus3(p->centre, point, way);
    for (uint32_t i = 0; i < b->count; i++) {
        const double gains = -gjb_dot3(b->normal[i], way), has = b->reach[i] - gains;
        if (gains > 0.0 && depth - has > step * gains)
            step = (depth - has) / gains;
    }
    gjb_along3(point, way, step < 0.95 ? step : 0.95, point);
}

/* Overlaps shallower than this share of the size do not count. */
static const double least_overlap = 1e-3;

void gjb_place_sigma3(gjb_random *r, gjb_placement *p, double sigma)
{
    double n[3], u[3], point[3], core = sigma + p->radius;
    bounds b;
    gjb_feature f;
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
            gjb_find_feature(p, n, u, gjb_random_below(r, 3), &f);
            point_on(r, p, &f, point);
            memcpy(p->normal, f.normal, sizeof f.normal);
            go_inwards3(p, &b, point, depth);
            gjb_place_at3(p, point);
            return;
        }
    }
    pick_boundary3(r, p, point, n);
    memcpy(p->normal, n, sizeof n);
    gjb_along3(point, n, core, point);
    gjb_place_at3(p, point);
}

void gjb_place_ray3(gjb_random *r, gjb_placement *p)
{
    double u[3], t[3];
    gjb_random_direction3(r, u);
    const double at = gjb_random_range(r, 0.0, 2.0);
    double exit = gjb_exit_of_ray3(p, u);
    if (exit < 1e-9 * p->size)
        exit = p->size;
    gjb_along3(p->centre, u, at * exit, t);
    gjb_place_at3(p, t);
}
