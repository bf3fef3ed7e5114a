/* Bounds on sigma in the plane: certain hull corners, support gaps, and the depth over edge normals. */
#include "grading/bounds_private.h"

#include <float.h>
#include <stdlib.h>

/* Squares of doubles, and of their differences, stay in the range of long double. */
static real length_of(real x, real y)
{
    return sqrtl(x * x + y * y);
}

static int reserve(gjb_placed2 *placed, uint32_t count)
{
    if (count <= placed->capacity)
        return 0;
    void *vertices = realloc(placed->vertices, count * sizeof *placed->vertices);
    if (vertices)
        placed->vertices = vertices;
    void *normals = realloc(placed->normals, ((size_t)count + 2) * sizeof *placed->normals);
    if (normals)
        placed->normals = normals;
    void *corners = realloc(placed->corners, 2 * ((size_t)count + 1) * sizeof *placed->corners);
    if (corners)
        placed->corners = corners;
    void *order = realloc(placed->order, (size_t)count * sizeof *placed->order);
    if (order)
        placed->order = order;
    if (!vertices || !normals || !corners || !order)
        return -1;
    placed->capacity = count;
    return 0;
}

/* Does q lie certainly to the right of p -> r, so that the hull turns left at it? */
static int certain_corner(const double p[2], const double q[2], const double r[2])
{
    real ax = (real)q[0] - p[0], ay = (real)q[1] - p[1], bx = (real)r[0] - q[0], by = (real)r[1] - q[1];
    real left = ax * by, right = ay * bx;
    return left - right > 4 * LDBL_EPSILON * (fabsl(left) + fabsl(right));
}

static int before(const double p[2], const double q[2])
{
    return p[0] < q[0] || (p[0] == q[0] && p[1] < q[1]);
}

/* Vertices from left to right. Those of a convex polygon rise from the leftmost
 * on both ways round: these two are merged, and insertion puts right the few
 * that dents have left out of order. */
static void sort_vertices(uint32_t *order, const double (*v)[2], uint32_t count)
{
    uint32_t up = 0;
    for (uint32_t i = 1; i < count; i++)
        up = before(v[i], v[up]) ? i : up;
    uint32_t down = (up + count - 1) % count;
    for (uint32_t k = 0; k < count; k++) {
        int take_up = before(v[up], v[down]);
        uint32_t at = k, i = take_up ? up : down;
        if (take_up)
            up = (up + 1) % count;
        else
            down = (down + count - 1) % count;
        for (; at > 0 && before(v[i], v[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Corners of the hull (Andrew 1979) at which it certainly turns left. What
 * remains is convex and inside the core; what is dropped lies on it but for
 * rounding. The order of the vertices is not relied on: a valid polygon may be
 * dented by its rounding, and if it is thin, from one side to the other. */
static void find_corners(gjb_placed2 *placed, const double (*v)[2], uint32_t count)
{
    uint32_t *c = placed->corners, *order = placed->order, n = 0;
    sort_vertices(order, v, count);
    for (int upper = 0; upper < 2; upper++) {
        const uint32_t base = n;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t i = order[upper ? count - 1 - k : k];
            while (n >= base + 2 && !certain_corner(v[c[n - 2]], v[c[n - 1]], v[i]))
                n--;
            c[n++] = i;
        }
        n--; /* the other chain begins with it */
    }
    if (n == 2 && !before(v[c[0]], v[c[1]]))
        n = 1;
    placed->corner_count = n ? n : 1;
}

static void place(gjb_placed2 *placed, const gjb_body2 *body, const real turn[2], const real offset[3])
{
    const double(*v)[2] = body->vertices;
    const real c = turn[0], s = turn[1], tx = offset[0], ty = offset[1];
    placed->count = body->count;
    placed->radius = body->radius;
    for (uint32_t i = 0; i < body->count; i++) {
        placed->vertices[i][0] = (c * v[i][0] - s * v[i][1]) + tx;
        placed->vertices[i][1] = (s * v[i][0] + c * v[i][1]) + ty;
    }
    find_corners(placed, v, body->count);

    uint32_t n = placed->corner_count;
    placed->normal_count = n < 2 ? 0 : n;
    for (uint32_t i = 0; i < placed->normal_count; i++) {
        /* Differences of stored vertices are exact but for one rounding each, so
         * that the direction of the shortest edge is as good as any. */
        const double *p = v[placed->corners[i]], *q = v[placed->corners[(i + 1) % n]];
        real ex = (real)q[0] - p[0], ey = (real)q[1] - p[1];
        real wx = c * ex - s * ey, wy = s * ex + c * ey, length = length_of(wx, wy);
        placed->normals[i][0] = wy / length;
        placed->normals[i][1] = -wx / length;
    }
}

int gjb_place2(gjb_placed_pair *placed)
{
    const gjb_body2 *a = &placed->whose->as.plane.a, *b = &placed->whose->as.plane.b;
    const real still[3] = {0};
    real turn[4], offset[3];
    if (reserve(&placed->plane[0], a->count) || reserve(&placed->plane[1], b->count))
        return -1;
    gjb_turned_at(placed->whose, 0, placed->time, turn);
    place(&placed->plane[0], a, turn, still);
    gjb_turned_at(placed->whose, 1, placed->time, turn);
    gjb_offset_at(placed->whose, placed->time, offset);
    place(&placed->plane[1], b, turn, offset);
    return 0;
}

void gjb_placed2_free(gjb_placed2 *placed)
{
    free(placed->vertices);
    free(placed->normals);
    free(placed->corners);
    free(placed->order);
}

real gjb_core_gap2(const gjb_placed_pair *placed, real nx, real ny)
{
    real top = -INFINITY, bottom = INFINITY;
    for (uint32_t i = 0; i < placed->plane[0].count; i++) {
        real along = placed->plane[0].vertices[i][0] * nx + placed->plane[0].vertices[i][1] * ny;
        top = along > top ? along : top;
    }
    for (uint32_t i = 0; i < placed->plane[1].count; i++) {
        real along = placed->plane[1].vertices[i][0] * nx + placed->plane[1].vertices[i][1] * ny;
        bottom = along < bottom ? along : bottom;
    }
    return bottom - top;
}

/* Distance of p to the segment u, v; `d` leads from the nearest point to p. */
static real segment_distance(const real p[2], const real u[2], const real v[2], real d[2])
{
    real ex = v[0] - u[0], ey = v[1] - u[1], px = p[0] - u[0], py = p[1] - u[1];
    real along = px * ex + py * ey, squared = ex * ex + ey * ey;
    real t = along <= 0 || squared <= 0 ? 0 : along >= squared ? 1 : along / squared;
    /* From the nearer end, so that t * e rounds least. */
    if (t > 0.5L) {
        d[0] = (p[0] - v[0]) + (1 - t) * ex;
        d[1] = (p[1] - v[1]) + (1 - t) * ey;
    } else {
        d[0] = px - t * ex;
        d[1] = py - t * ey;
    }
    return length_of(d[0], d[1]);
}

/* Vertex `i` of the hull, counted around. */
static const real *corner(const gjb_placed2 *placed, uint32_t i)
{
    return placed->vertices[placed->corners[i % placed->corner_count]];
}

/* Distance of p to the hull's outline. The vertices as stored will not do: they
 * may lie in dents as deep as rounding makes them. */
static real outline_distance(const gjb_placed2 *placed, const real p[2])
{
    real best = INFINITY, d[2];
    for (uint32_t i = 0; i < placed->corner_count; i++) {
        real distance = segment_distance(p, corner(placed, i), corner(placed, i + 1), d);
        best = distance < best ? distance : best;
    }
    return best;
}

/* Is p on the inner side of every hull edge, by at least `depth`? */
static int inside_corners(const gjb_placed2 *placed, const real p[2], real depth)
{
    if (placed->corner_count < 3)
        return 0;
    for (uint32_t i = 0; i < placed->corner_count; i++) {
        const real *u = corner(placed, i), *n = placed->normals[i];
        if (n[0] * (p[0] - u[0]) + n[1] * (p[1] - u[1]) > -depth)
            return 0;
    }
    return 1;
}

real gjb_point_distance2(const gjb_placed_pair *placed, int of_b, const real point[2])
{
    const gjb_placed2 *shape = of_b ? &placed->plane[1] : &placed->plane[0];
    /* Within rounding of every edge is not enough: next to the tip of a needle such a point may be far outside. */
    if (inside_corners(shape, point, 0.25L * placed->error))
        return 0;
    real distance = outline_distance(shape, point) - shape->radius;
    return distance > 0 ? distance : 0;
}

static real along(const real v[2], real nx, real ny)
{
    return v[0] * nx + v[1] * ny;
}

/* Uphill along the corners from `start`: the extreme one, or one that rounding
 * cannot tell from its neighbours, which stands no further out. */
static uint32_t climb(const gjb_placed2 *placed, uint32_t start, real nx, real ny)
{
    const uint32_t n = placed->corner_count, ways[2] = {1, n - 1};
    uint32_t at = start;
    real height = along(corner(placed, at), nx, ny);
    for (int way = 0; way < 2; way++)
        for (uint32_t moves = 0; moves < n; moves++) {
            real next = along(corner(placed, at + ways[way]), nx, ny);
            if (!(next > height))
                break;
            height = next;
            at = (at + ways[way]) % n;
        }
    return at;
}

/* A walk over the edge normals of both corner polygons, with the support of the
 * difference along each. Consecutive normals have neighbouring supports. */
typedef struct axis_walk {
    real least_support; /* of A - B, outwards */
    real widest[2];     /* the normal, A to B, with the largest gap */
} axis_walk;

static axis_walk walk_axes(const gjb_placed_pair *placed)
{
    axis_walk walk = {INFINITY, {1, 0}};
    for (int of_b = 0; of_b < 2; of_b++) {
        const gjb_placed2 *from = of_b ? &placed->plane[1] : &placed->plane[0];
        real sign = of_b ? -1 : 1;
        uint32_t at_a = 0, at_b = 0;
        for (uint32_t i = 0; i < from->normal_count; i++) {
            real nx = sign * from->normals[i][0], ny = sign * from->normals[i][1];
            at_a = climb(&placed->plane[0], at_a, nx, ny);
            at_b = climb(&placed->plane[1], at_b, -nx, -ny);
            real support = along(corner(&placed->plane[0], at_a), nx, ny) - along(corner(&placed->plane[1], at_b), nx, ny);
            if (support < walk.least_support) {
                walk.least_support = support;
                walk.widest[0] = nx;
                walk.widest[1] = ny;
            }
        }
    }
    return walk;
}

/* Depth of the cores from below: every facet of the Minkowski difference of
 * the corner polygons has the normal of an edge of one of them, so the least
 * support over all of these is the depth of a set inside the difference. */
static real least_support(const gjb_placed_pair *placed)
{
    return walk_axes(placed).least_support;
}

/* The best axis among the edge normals, for a bound on sigma from below: proven
 * with every vertex, since a climb may stop short. */
static real best_edge_gap(const gjb_placed_pair *placed)
{
    if (placed->plane[0].normal_count + placed->plane[1].normal_count == 0)
        return -INFINITY;
    axis_walk walk = walk_axes(placed);
    return gjb_core_gap2(placed, walk.widest[0], walk.widest[1]);
}

/* Hull edges of a core within `reach` of a point, by their first corner. */
enum { NEAR_MAX = 16 };
static uint32_t near_edges(const gjb_placed2 *placed, const real p[2], real reach, uint32_t out[NEAR_MAX])
{
    uint32_t n = 0;
    real d[2];
    for (uint32_t i = 0; i < placed->corner_count && n < NEAR_MAX; i++)
        if (segment_distance(p, corner(placed, i), corner(placed, i + 1), d) <= reach)
            out[n++] = i;
    return n;
}

/* Cores apart: the nearest features about the guessed points give the distance
 * from above, and their directions give axes. */
typedef struct nearest {
    real distance, direction[2];
    real edge_gap; /* best support gap along the normals of the edges considered */
} nearest;

static void consider(nearest *best, const gjb_placed2 *points, uint32_t vertex, const gjb_placed2 *edges,
                     uint32_t edge, real sign)
{
    real d[2];
    real distance = segment_distance(corner(points, vertex), corner(edges, edge), corner(edges, edge + 1), d);
    if (distance < best->distance) {
        best->distance = distance;
        best->direction[0] = sign * d[0];
        best->direction[1] = sign * d[1];
    }
}

static nearest nearest_features(const gjb_placed_pair *placed, const real pa[2], const real pb[2])
{
    nearest best = {INFINITY, {0, 0}, -INFINITY};
    uint32_t near_a[NEAR_MAX], near_b[NEAR_MAX];
    real reach = 1e-12L * placed->size;
    uint32_t na = near_edges(&placed->plane[0], pa, reach, near_a), nb = near_edges(&placed->plane[1], pb, reach, near_b);
    /* Close by, the difference of two points is too coarse for an axis; an edge is not. */
    for (uint32_t i = 0; i < na && placed->plane[0].normal_count; i++) {
        const real *n = placed->plane[0].normals[near_a[i]];
        real gap = gjb_core_gap2(placed, n[0], n[1]);
        best.edge_gap = gap > best.edge_gap ? gap : best.edge_gap;
    }
    for (uint32_t j = 0; j < nb && placed->plane[1].normal_count; j++) {
        const real *n = placed->plane[1].normals[near_b[j]];
        real gap = gjb_core_gap2(placed, -n[0], -n[1]);
        best.edge_gap = gap > best.edge_gap ? gap : best.edge_gap;
    }
    for (uint32_t i = 0; i < na; i++)
        for (uint32_t j = 0; j < nb; j++)
            for (uint32_t end = 0; end < 2; end++) {
                consider(&best, &placed->plane[1], near_b[j] + end, &placed->plane[0], near_a[i], 1);
                consider(&best, &placed->plane[0], near_a[i] + end, &placed->plane[1], near_b[j], -1);
            }
    return best;
}

/* Cores said to overlap: one walk tells how deep. 1 if they do. */
static int bound_depth(const gjb_placed_pair *placed, gjb_core_bounds *bounds)
{
    if (!placed->plane[0].normal_count || !placed->plane[1].normal_count)
        return 0;
    const axis_walk walk = walk_axes(placed);
    const real depth = walk.least_support - placed->error;
    *bounds = (gjb_core_bounds){gjb_core_gap2(placed, walk.widest[0], walk.widest[1]), -depth};
    return depth > 0;
}

gjb_core_bounds gjb_core_bounds2(const gjb_placed_pair *placed)
{
    gjb_core_bounds overlapping;
    if (placed->deep && bound_depth(placed, &overlapping))
        return overlapping;
    /* A good guess makes the bounds narrow, a bad one only wide. */
    ref_answer guess = ref_signed_distance2(&placed->pair->as.plane);
    const double *normal = guess.normal, *point_a = guess.point_a, *point_b = guess.point_b;
    /* The guess is about the shapes; back to the cores along its normal. */
    real pa[2], pb[2], nx = normal[0], ny = normal[1], length = length_of(nx, ny);
    if (length > 0) {
        nx /= length;
        ny /= length;
    }
    for (int k = 0; k < 2; k++) {
        real n = k ? ny : nx;
        pa[k] = point_a[k] - placed->plane[0].radius * n;
        pb[k] = point_b[k] + placed->plane[1].radius * n;
    }
    real lower = length > 0 ? gjb_core_gap2(placed, nx, ny) : -INFINITY, upper = INFINITY;

    nearest found = nearest_features(placed, pa, pb);
    upper = found.distance;
    lower = found.edge_gap > lower ? found.edge_gap : lower;
    real along = length_of(found.direction[0], found.direction[1]);
    if (isfinite(found.distance) && along > 0) {
        real gap = gjb_core_gap2(placed, found.direction[0] / along, found.direction[1] / along);
        lower = gap > lower ? gap : lower;
    }
    if (!(lower > placed->error) || upper - lower > 4 * placed->error) {
        real gap = best_edge_gap(placed);
        lower = gap > lower ? gap : lower;
        if (placed->plane[0].corner_count == 1 && placed->plane[1].corner_count == 1) {
            /* Two points: no edges, and the distance is plain. */
            upper = hypotl(placed->plane[1].vertices[0][0] - placed->plane[0].vertices[0][0],
                           placed->plane[1].vertices[0][1] - placed->plane[0].vertices[0][1]);
            lower = upper;
        } else {
            real depth = least_support(placed) - placed->error;
            if (depth > 0 && -depth < upper)
                upper = -depth;
        }
    }
    if (!isfinite(upper)) {
        /* Any two points of the shapes bound the distance. */
        upper = hypotl(placed->plane[1].vertices[0][0] - placed->plane[0].vertices[0][0],
                       placed->plane[1].vertices[0][1] - placed->plane[0].vertices[0][1]);
    }
    return (gjb_core_bounds){lower, upper};
}
