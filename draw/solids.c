/* Projected outlines and wireframes of shapes and of Minkowski differences, and the view on them. */
#include "draw/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/mesh/hull3.h"

enum { ROUND_STEPS = 120, CORNERS_MOST = 100, OUTLINE_MOST = 240 };

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

/* A half-plane as a band under the other shape, as wide as a pair is large; `away`: the other's translation less its own,
 * in its own axes. */
static void band_of(const double (*rows)[2], const double away[2], double wide, double out[4][2])
{
    const double length = hypot(rows[0][0], rows[0][1]), n[2] = {rows[0][0] / length, rows[0][1] / length};
    const double above = n[0] * away[0] + n[1] * away[1] - rows[1][0];
    for (int i = 0; i < 4; i++) {
        const double along = i == 0 || i == 3 ? wide : -wide, down = above + (i < 2 ? 0 : wide / 4);
        out[i][0] = away[0] - down * n[0] - along * n[1];
        out[i][1] = away[1] - down * n[1] + along * n[0];
    }
}

static int place_plane(const gjb_pair2 *pair, int of_b, solid *s)
{
    const gjb_body2 *body = of_b ? &pair->b : &pair->a, *other = of_b ? &pair->a : &pair->b;
    const gjb_pose2d *pose = &body->pose;
    double shift[2] = {of_b ? pose->x - pair->a.pose.x : 0, of_b ? pose->y - pair->a.pose.y : 0}, band[4][2];
    const int unbounded = gjb_is_unbounded(body->kind);
    if (unbounded) {
        const double x = other->pose.x - pose->x, y = other->pose.y - pose->y;
        const double away[2] = {pose->c * x + pose->s * y, pose->c * y - pose->s * x};
        band_of(body->vertices, away, 0.75 * gjb_pair_size2(pair), band);
    }
    const double(*vertices)[2] = unbounded ? (const double(*)[2])band : body->vertices;
    const size_t count = unbounded ? 4 : body->count;
    s->points = calloc(count, sizeof *s->points);
    for (s->count = 0; s->points && s->count < count; s->count++) {
        const double *at = vertices[s->count];
        s->points[s->count][0] = pose->c * at[0] - pose->s * at[1] + shift[0];
        s->points[s->count][1] = pose->s * at[0] + pose->c * at[1] + shift[1];
    }
    s->radius = body->radius;
    return s->points ? 0 : -1;
}

/* A half-space as a square of its plane, likewise. */
static void square_of(const double (*rows)[3], const double away[3], double wide, double out[4][3])
{
    const double length = sqrt(solid_dot(rows[0], rows[0]));
    const double n[3] = {rows[0][0] / length, rows[0][1] / length, rows[0][2] / length};
    const double axis[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0}, above = solid_dot(n, away) - rows[1][0];
    double t[3], u[3];
    solid_cross(n, axis, t);
    const double scale = wide / sqrt(solid_dot(t, t));
    for (int m = 0; m < 3; m++)
        t[m] *= scale;
    solid_cross(n, t, u);
    for (int i = 0; i < 4; i++)
        for (int m = 0; m < 3; m++)
            out[i][m] = away[m] - above * n[m] + (i & 1 ? 1 : -1) * t[m] + (i & 2 ? 1 : -1) * u[m];
}

/* R(u, w) v, with the square of the quaternion's length. */
static void turn_by(const double u[3], double w, const double v[3], double out[3])
{
    const double norm = solid_dot(u, u) + w * w;
    double once[3], twice[3];
    solid_cross(u, v, once);
    solid_cross(u, once, twice);
    for (int m = 0; m < 3; m++)
        out[m] = v[m] + 2 * (w * once[m] + twice[m]) / norm;
}

static int place_space(const gjb_pair3 *pair, int of_b, solid *s)
{
    const gjb_body3 *body = of_b ? &pair->b : &pair->a, *other = of_b ? &pair->a : &pair->b;
    const gjb_pose3d *pose = &body->pose, *a = &pair->a.pose;
    const double shift[3] = {of_b ? pose->x - a->x : 0, of_b ? pose->y - a->y : 0, of_b ? pose->z - a->z : 0};
    const double u[3] = {pose->qx, pose->qy, pose->qz}, back[3] = {-u[0], -u[1], -u[2]}, w = pose->qw;
    const int unbounded = gjb_is_unbounded(body->kind);
    double square[4][3], away[3];
    if (unbounded) {
        const double way[3] = {other->pose.x - pose->x, other->pose.y - pose->y, other->pose.z - pose->z};
        turn_by(back, w, way, away);
        square_of(body->vertices, away, 0.75 * gjb_pair_size3(pair), square);
    }
    const double(*vertices)[3] = unbounded ? (const double(*)[3])square : body->vertices;
    const size_t count = unbounded ? 4 : body->count;
    s->points = calloc(count, sizeof *s->points);
    for (s->count = 0; s->points && s->count < count; s->count++) {
        turn_by(u, w, vertices[s->count], s->points[s->count]);
        for (int m = 0; m < 3; m++)
            s->points[s->count][m] += shift[m];
    }
    s->radius = body->radius;
    return s->points ? 0 : -1;
}

/* ---- both ---- */

int solid_draw(const view *v, solid *s, gjb_error *error)
{
    if (draw_outline(v, s))
        return gjb_fail(error, "out of memory");
    return v->dim == 3 ? draw_edges(v, s, error) : 0;
}

int solid_place(const gjb_pair *pair, int of_b, solid *s)
{
    return pair->dim == 2 ? place_plane(&pair->as.plane, of_b, s) : place_space(&pair->as.space, of_b, s);
}

int solid_see(const view *v, const gjb_pair *pair, int of_b, solid *s, gjb_error *error)
{
    return solid_place(pair, of_b, s) ? gjb_fail(error, "out of memory") : solid_draw(v, s, error);
}
