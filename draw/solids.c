/* Projected outlines and wireframes of shapes and of Minkowski differences, and the view on them. */
#include "draw/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"
#include "scenes/mesh/hull3.h"

enum { ROUND_STEPS = 120, CORNERS_MOST = 100, OUTLINE_MOST = 240, CURVE_POINTS = 240, SURFACE_POINTS = 1500 };

void view_project(const view *v, const double at[3], double out[2])
{
    out[0] = solid_dot(v->right, at) / v->unit;
    out[1] = solid_dot(v->up, at) / v->unit;
}

void view_direct(const view *v, const double way[3], double out[2])
{
    double size = hypot(hypot(way[0], way[1]), way[2]);
    const double unit[3] = {way[0] / size, way[1] / size, way[2] / size};
    out[0] = solid_dot(v->right, unit);
    out[1] = solid_dot(v->up, unit);
}

void solid_free(solid *s)
{
    free(s->points);
    free(s->outline);
    free(s->rounded);
    free(s->edges);
    *s = (solid){0};
}

static int by_place(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

static double turn(const double p[2], const double q[2], const double r[2])
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* Andrew's monotone chain, 1979. What is no number would turn nowhere, and never leave the chain. */
size_t hull_of_drawn(double (*p)[2], size_t n)
{
    size_t finite = 0;
    for (size_t k = 0; k < n; k++)
        if (isfinite(p[k][0]) && isfinite(p[k][1]))
            memmove(p[finite++], p[k], sizeof *p);
    n = finite;
    if (n < 3)
        return n;
    qsort(p, n, sizeof *p, by_place);
    double(*hull)[2] = malloc(2 * n * sizeof *hull);
    if (!hull)
        return 0;
    size_t count = 0;
    for (int back = 0; back < 2; back++) {
        size_t base = count;
        for (size_t k = 0; k < n; k++) {
            const double *at = p[back ? n - 1 - k : k];
            while (count >= base + 2 && turn(hull[count - 2], hull[count - 1], at) <= 0)
                count--;
            memcpy(hull[count++], at, sizeof *hull);
        }
        count--; /* the last is the first of the way back */
    }
    if (count == 0) /* all in one place */
        count = 1;
    count = count < n ? count : n; /* rounding may keep a point on both ways */
    memcpy(p, hull, count * sizeof *p);
    free(hull);
    return count;
}

int hull_holds(const double (*p)[2], size_t n, const double at[2])
{
    int inside = n > 2;
    for (size_t k = 0; k < n; k++)
        inside &= turn(p[k], p[(k + 1) % n], at) >= 0;
    return inside;
}

/* Of a fine outline, points a little apart: what is nearer cannot be seen. */
static size_t thin_out(double (*p)[2], size_t n)
{
    double size = 0;
    size_t kept = 1;
    if (n <= OUTLINE_MOST)
        return n;
    for (size_t k = 1; k < n; k++)
        size = fmax(size, hypot(p[k][0] - p[0][0], p[k][1] - p[0][1]));
    for (size_t k = 1; k < n; k++)
        if (hypot(p[k][0] - p[kept - 1][0], p[k][1] - p[kept - 1][1]) > size / 150)
            memcpy(p[kept++], p[k], sizeof *p);
    return kept;
}

static int draw_outline(const view *v, solid *s)
{
    s->outline = malloc(s->count * sizeof *s->outline);
    if (!s->outline)
        return -1;
    for (size_t k = 0; k < s->count; k++)
        view_project(v, s->points[k], s->outline[k]);
    s->outline_count = thin_out(s->outline, hull_of_drawn(s->outline, s->count));
    if (!s->outline_count)
        return -1;
    if (!(s->radius > 0))
        return 0;
    /* A shadow grows as its body does. */
    size_t n = s->outline_count;
    s->rounded = malloc(n * ROUND_STEPS * sizeof *s->rounded);
    if (!s->rounded)
        return -1;
    for (size_t k = 0; k < n; k++)
        for (int step = 0; step < ROUND_STEPS; step++) {
            double angle = step * 2 * 3.14159265358979 / ROUND_STEPS, radius = s->radius / v->unit;
            double *at = s->rounded[s->rounded_count++];
            at[0] = s->outline[k][0] + radius * cos(angle);
            at[1] = s->outline[k][1] + radius * sin(angle);
        }
    s->rounded_count = thin_out(s->rounded, hull_of_drawn(s->rounded, s->rounded_count));
    return s->rounded_count ? 0 : -1;
}

/* ---- wireframes ---- */

/* The edge p-q of a triangle, with its outward unit normal. */
typedef struct rim {
    uint32_t p, q;
    double normal[3];
} rim;

static int by_edge(const void *a, const void *b)
{
    const rim *r = a, *s = b;
    return r->p != s->p ? (r->p > s->p) - (r->p < s->p) : (r->q > s->q) - (r->q < s->q);
}

/* The hull that is drawn. */
static int make_hull(const solid *s, gjb_hull3 *hull, gjb_error *error)
{
    gjb_hull3 few;
    double deviation;
    if (gjb_hull3_make((const double(*)[3])s->points, s->count, hull, error))
        return -1;
    if (hull->dimension < 3 || hull->vertex_count <= CORNERS_MOST)
        return 0;
    if (gjb_hull3_simplify(hull, CORNERS_MOST, &few, &deviation, error)) {
        gjb_hull3_free(hull);
        return -1;
    }
    gjb_hull3_free(hull);
    *hull = few;
    return 0;
}

static void draw_rim(const view *v, const gjb_hull3 *hull, const rim *r, double out[2][2])
{
    view_project(v, hull->vertices[r->p], out[0]);
    view_project(v, hull->vertices[r->q], out[1]);
}

static int draw_edges(const view *v, solid *s, gjb_error *error)
{
    gjb_hull3 hull;
    if (make_hull(s, &hull, error))
        return -1;
    rim *rims = malloc((3 * hull.triangle_count + 1) * sizeof *rims);
    s->edges = malloc((3 * hull.triangle_count + 1) * sizeof *s->edges);
    int failed = !rims || !s->edges;
    size_t n = 0;
    for (uint32_t t = 0; t < hull.triangle_count && !failed; t++) {
        const uint32_t *c = hull.triangles[t];
        double e[3], f[3], normal[3];
        for (int m = 0; m < 3; m++) {
            e[m] = hull.vertices[c[1]][m] - hull.vertices[c[0]][m];
            f[m] = hull.vertices[c[2]][m] - hull.vertices[c[0]][m];
        }
        solid_cross(e, f, normal);
        double length = sqrt(solid_dot(normal, normal));
        for (int k = 0; k < 3; k++) {
            uint32_t p = c[k], q = c[(k + 1) % 3];
            rims[n] = (rim){p < q ? p : q, p < q ? q : p, {0}};
            for (int m = 0; m < 3; m++)
                rims[n].normal[m] = length > 0 ? normal[m] / length : 0;
            n++;
        }
    }
    if (!failed)
        qsort(rims, n, sizeof *rims, by_edge);
    for (int hidden = 0; hidden < 2; hidden++)
        for (size_t k = 0; k + 1 < n && !failed; k += 2) { /* a closed surface: each edge is there twice */
            int behind = solid_dot(rims[k].normal, v->toward) < 0 && solid_dot(rims[k + 1].normal, v->toward) < 0;
            if (behind != hidden || solid_dot(rims[k].normal, rims[k + 1].normal) > 1 - 1e-9) /* in a flat face */
                continue;
            draw_rim(v, &hull, &rims[k], s->edges[s->edge_count++]);
            s->hidden_count += (size_t)hidden;
        }
    free(rims);
    gjb_hull3_free(&hull);
    return failed ? gjb_fail(error, "explain: out of memory") : 0;
}

/* ---- placing ---- */

void solid_direction(uint32_t dim, int k, int n, double out[3])
{
    const double z = dim == 2 ? 0 : 1 - (2 * k + 1.0) / n, flat = sqrt(1 - z * z);
    const double angle = k * (dim == 2 ? 2 * 3.14159265358979 / n : 2.39996322972865);
    out[0] = flat * cos(angle);
    out[1] = flat * sin(angle);
    out[2] = z;
}

/* A body of a pair in the plane or in space, and how it lies; third coordinates in the plane are 0. */
typedef struct placed {
    uint32_t dim, count;
    gjb_kind kind;
    const double *rows;
    double radius, place[3], turn[4]; /* relative to A's translation; a quaternion, the real part last */
} placed;

static placed placed_of(const gjb_pair *pair, int of_b)
{
    if (pair->dim == 2) {
        const gjb_body2 *body = of_b ? &pair->as.plane.b : &pair->as.plane.a;
        const gjb_pose2d *p = &body->pose, *a = &pair->as.plane.a.pose;
        const double half = atan2(p->s, p->c) / 2;
        return (placed){2, body->count, body->kind, body->vertices[0], body->radius, {p->x - a->x, p->y - a->y, 0},
                        {0, 0, sin(half), cos(half)}};
    }
    const gjb_body3 *body = of_b ? &pair->as.space.b : &pair->as.space.a;
    const gjb_pose3d *p = &body->pose, *a = &pair->as.space.a.pose;
    return (placed){3, body->count, body->kind, body->vertices[0], body->radius,
                    {p->x - a->x, p->y - a->y, p->z - a->z}, {p->qx, p->qy, p->qz, p->qw}};
}

/* R(q) v, with the square of the quaternion's length. */
static void turn_by(const double q[4], const double v[3], double out[3])
{
    const double norm = solid_dot(q, q) + q[3] * q[3];
    double once[3], twice[3];
    solid_cross(q, v, once);
    solid_cross(q, once, twice);
    for (int m = 0; m < 3; m++)
        out[m] = v[m] + 2 * (q[3] * once[m] + twice[m]) / norm;
}

static void row_of(const placed *p, uint32_t row, double out[3])
{
    for (uint32_t k = 0; k < 3; k++)
        out[k] = k < p->dim ? p->rows[row * p->dim + k] : 0;
}

/* A half-space's plane under the other shape, wider than that; in the plane the line, and a band below it. */
static int place_unbounded(const placed *p, const placed *other, double size, solid *s)
{
    double normal[3], axis[3] = {0, 0, 1}, t[3], u[3], above = 0, down = 0;
    row_of(p, 0, normal);
    turn_by(p->turn, normal, s->outward);
    const double length = sqrt(solid_dot(s->outward, s->outward));
    for (int m = 0; m < 3; m++) {
        s->outward[m] /= length;
        above += s->outward[m] * (other->place[m] - p->place[m]);
    }
    above -= p->rows[p->dim];
    double wide = 1.5 * (other->radius + gjb_core_reach(other->dim, other->kind, other->rows, other->count));
    wide = fmax(wide, fabs(above) / 2);
    if (!(wide > 0))
        wide = size;
    if (p->dim == 3) {
        const int steep = fabs(s->outward[0]) < 0.6;
        memcpy(axis, (double[3]){steep, !steep, 0}, sizeof axis);
    }
    solid_cross(s->outward, axis, t);
    solid_cross(s->outward, t, u);
    const double scale = wide / sqrt(solid_dot(t, t));
    s->points = calloc(4, sizeof *s->points);
    for (; s->points && s->count < 4; s->count++) {
        down = p->dim == 2 && s->count >= 2 ? wide / 4 : 0;
        for (int m = 0; m < 3; m++)
            s->points[s->count][m] = other->place[m] - (above + down) * s->outward[m] +
                                     scale * ((s->count & 1 ? 1 : -1) * t[m] +
                                              (p->dim == 2 ? 0 : s->count & 2 ? 1 : -1) * u[m]);
    }
    s->unbounded = 1;
    return s->points ? 0 : -1;
}

static int place_bounded(const placed *p, solid *s)
{
    const int curved = gjb_is_curved(p->kind);
    const size_t count = !curved ? p->count : p->dim == 2 ? CURVE_POINTS : SURFACE_POINTS;
    s->smooth = curved;
    s->points = calloc(count, sizeof *s->points);
    for (; s->points && s->count < count; s->count++) {
        double way[3], at[3] = {0, 0, 0};
        solid_direction(p->dim, (int)s->count, (int)count, way);
        if (curved)
            gjb_curved_support(p->kind, p->dim, p->rows, way, at);
        else
            row_of(p, (uint32_t)s->count, at);
        turn_by(p->turn, at, s->points[s->count]);
        for (int m = 0; m < 3; m++)
            s->points[s->count][m] += p->place[m];
    }
    return s->points ? 0 : -1;
}

int solid_place(const gjb_pair *pair, int of_b, solid *s)
{
    const placed p = placed_of(pair, of_b), other = placed_of(pair, !of_b);
    s->radius = p.radius;
    return gjb_is_unbounded(p.kind) ? place_unbounded(&p, &other, gjb_pair_size(pair), s) : place_bounded(&p, s);
}

/* ---- both ---- */

int solid_draw(const view *v, solid *s, gjb_error *error)
{
    if (draw_outline(v, s))
        return gjb_fail(error, "out of memory");
    return v->dim == 3 && !s->smooth && !s->unbounded ? draw_edges(v, s, error) : 0;
}

int solid_see(const view *v, const gjb_pair *pair, int of_b, solid *s, gjb_error *error)
{
    return solid_place(pair, of_b, s) ? gjb_fail(error, "out of memory") : solid_draw(v, s, error);
}
