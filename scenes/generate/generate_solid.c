/* Features of A - B in space: supports, faces, edges, corners, and exits of rays. */
#include "scenes/generate/generate_solid.h"

#include <string.h>

#include "scenes/generate/generate_parts.h"

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

void gjb_turned_axis(const double q[4], int axis, double u[3])
{
    double m[3][3];
    gjb_rotation3(q, m);
    for (int row = 0; row < 3; row++)
        u[row] = m[row][axis];
}

void gjb_stored_turn(const gjb_placed *body, double q[4])
{
    const double stored[4] = {body->pose3.qx, body->pose3.qy, body->pose3.qz, body->pose3.qw};
    memcpy(q, stored, sizeof stored);
}

void gjb_placed_support(const gjb_placed *body, uint32_t dim, const double n[3], double out[3])
{
    double local[3] = {0.0, 0.0, 0.0}, at[3];
    if (dim == 2) {
        const double c = body->pose.c, s = body->pose.s;
        local[0] = c * n[0] + s * n[1];
        local[1] = c * n[1] - s * n[0];
        gjb_curved_support(body->kind, dim, body->curve, local, at);
        out[0] = c * at[0] - s * at[1];
        out[1] = s * at[0] + c * at[1];
        out[2] = 0.0;
        return;
    }
    double q[4], m[3][3];
    gjb_stored_turn(body, q);
    gjb_rotation3(q, m);
    for (int axis = 0; axis < 3; axis++)
        local[axis] = m[0][axis] * n[0] + m[1][axis] * n[1] + m[2][axis] * n[2];
    gjb_curved_support(body->kind, dim, body->curve, local, at);
    for (int axis = 0; axis < 3; axis++)
        out[axis] = gjb_dot3(m[axis], at);
}

/* A vertex of A - B, by its vertices of A and B. */
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

/* Support of A - B if one body is curved. */
static void curved_support(const gjb_placement *p, const double n[3], double v[3])
{
    const gjb_placed *bodies[2] = {&p->a, &p->b};
    double at[2][3];
    for (int i = 0; i < 2; i++) {
        const double sign = i ? -1.0 : 1.0, way[3] = {sign * n[0], sign * n[1], sign * n[2]};
        if (gjb_is_curved(bodies[i]->kind))
            gjb_placed_support(bodies[i], 3, way, at[i]);
        else
            memcpy(at[i], bodies[i]->turned3[farthest(bodies[i], n, sign)], sizeof at[i]);
    }
    gjb_minus3(at[0], at[1], v);
}

void gjb_support3(const gjb_placement *p, const double n[3], double v[3])
{
    if (p->curved) {
        curved_support(p, n, v);
        return;
    }
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

/* The vertices of one body that stop the tilting plane. Vertices in line with
 * the hinge, up to rounding, do not stop it. */
static void tilt_over(const gjb_placed *body, uint32_t at, double sign, tilting *t)
{
    for (uint32_t i = 0; i < body->count; i++) {
        double d[3];
        gjb_minus3(body->turned3[i], body->turned3[at], d);
        const double run = sign * gjb_dot3(d, t->u), below = -sign * gjb_dot3(d, t->n);
        const double rise = below > 0.0 ? below : 0.0;
        if (run <= 0.0 || run * run <= 1e-20 * gjb_dot3(d, d) || (t->met && rise * t->run >= t->rise * run))
            continue;
        t->rise = rise;
        t->run = run;
        t->met = 1;
        t->of_b = sign < 0.0;
        for (int axis = 0; axis < 3; axis++)
            t->edge[axis] = sign * d[axis];
    }
}

/* Tilts the plane through a corner until it meets another vertex of A - B:
 * edges of A - B at a corner are those of A and of -B there. If there is none
 * within a quarter turn, as at sharp corners and in flat pairs, it tilts the
 * other way; 0 if there is none that way either. */
static int tilt(const gjb_placement *p, corner at, tilting *t)
{
    t->met = 0;
    for (int way = 0; way < 2 && !t->met; way++) {
        for (int axis = 0; axis < 3 && way == 1; axis++)
            t->u[axis] = -t->u[axis];
        tilt_over(&p->a, at.a, 1.0, t);
        tilt_over(&p->b, at.b, -1.0, t);
    }
    if (!t->met)
        return 0;
    double n[3];
    for (int axis = 0; axis < 3; axis++)
        n[axis] = t->n[axis] * t->run + t->u[axis] * t->rise;
    if (!gjb_unit3(n))
        return 0;
    memcpy(t->n, n, sizeof n);
    return 1;
}

void gjb_find_feature(const gjb_placement *p, const double n[3], const double u[3], uint32_t edges,
                      gjb_feature *f)
{
    if (p->curved) { /* each point is a feature */
        gjb_support3(p, n, f->at);
        memcpy(f->normal, n, sizeof f->normal);
        f->edges = 0;
        return;
    }
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
        if (gjb_dot3(cross, cross) > least * least && gjb_unit3(cross))
            for (int axis = 0; axis < 3; axis++)
                f->normal[axis] = side * cross[axis];
    }
}

/* Farthest point of A - B, widened by the radius, about its centre. */
static void rounded_support(const gjb_placement *p, const double n[3], double v[3])
{
    const double length = sqrt(gjb_dot3(n, n));
    gjb_support3(p, n, v);
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
 * 0 if A - B is too flat to have one. */
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
        if (!gjb_unit3(n))
            return 0;
        rounded_support(p, n, v[2]);
        if (gjb_dot3(n, v[2]) <= 1e-9 * p->size)
            return 0;
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

double gjb_exit_of_ray3(const gjb_placement *p, const double u[3])
{
    static const int most = 48;
    double v[3][3], lower = 0.0;
    if (!find_portal(p, u, v))
        return 0.0;
    for (int i = 0; i < most; i++) {
        double e[3], g[3], n[3], far[3];
        gjb_minus3(v[1], v[0], e);
        gjb_minus3(v[2], v[0], g);
        gjb_cross3(e, g, n);
        const double speed = gjb_dot3(n, u);
        if (speed == 0.0)
            break;
        for (int axis = 0; axis < 3 && speed < 0.0; axis++)
            n[axis] = -n[axis];
        rounded_support(p, n, far);
        const double portal = gjb_dot3(n, v[0]) / fabs(speed), plane = gjb_dot3(n, far) / fabs(speed);
        lower = portal > lower ? portal : lower;
        if (plane - portal <= 1e-3 * plane)
            break;
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

static const double no_place[1][3];

/* The origin alone, for B. */
static gjb_placed origin_alone(void)
{
    return (gjb_placed){.count = 1, .turned3 = (double(*)[3])no_place};
}

double gjb_exit_of_body3(const gjb_placed *body, const double u[3])
{
    gjb_placement p = {.dim = 3, .size = body->size, .radius = body->radius, .a = *body, .b = origin_alone()};
    memcpy(p.centre, body->centre, sizeof p.centre);
    return gjb_exit_of_ray3(&p, u);
}

void gjb_feature_of_points(double (*rows)[3], uint32_t count, const double n[3], const double u[3],
                           uint32_t edges, gjb_feature *f)
{
    const gjb_placement p = {.dim = 3, .a = {.count = count, .turned3 = rows}, .b = origin_alone()};
    gjb_find_feature(&p, n, u, edges, f);
}
