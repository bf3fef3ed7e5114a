/* The fallback path in the plane for straight cores: separating axes and nearest features, one pair at a time. */
#include "simd/plane/fallback/fallback2_frame.h"

/* In units of the pair's frame (size of order one): cores nearer than this, or
 * crossing by less, are touching. A few roundings of the transform. */
#define TOUCH 0x1p-51
#define SHORT_SQUARE 0x1p-400 /* of an edge whose products may vanish */

/* A core in the frame of the pair. */
typedef struct core2 {
    const double *x, *y;
    uint32_t n;
} core2;

typedef struct axis {
    double gap; /* largest so far */
    double x, y;
    int found;
} axis;

static double lowest(const double *x, const double *y, uint32_t n, double nx, double ny)
{
    double low[4] = {INFINITY, INFINITY, INFINITY, INFINITY}; /* so that one need not wait for the other */
    for (uint32_t i = 0; i < n; i++) {
        double d = nx * x[i] + ny * y[i];
        low[i % 4] = d < low[i % 4] ? d : low[i % 4];
    }
    return fmin(fmin(low[0], low[1]), fmin(low[2], low[3]));
}

static uint32_t lowest_vertex(core2 core, double nx, double ny)
{
    uint32_t low = 0;
    for (uint32_t i = 1; i < core.n; i++)
        if (nx * core.x[i] + ny * core.y[i] < nx * core.x[low] + ny * core.y[low])
            low = i;
    return low;
}

/* Outward unit normal of the edge i -> i+1; 0 if it has no length. */
static int edge_normal(const double *x, const double *y, uint32_t n, uint32_t i, double *nx, double *ny)
{
    uint32_t j = i + 1 == n ? 0 : i + 1;
    double ex = x[j] - x[i], ey = y[j] - y[i];
    double scale = fmax(fabs(ex), fabs(ey));
    if (!(scale > 0))
        return 0;
    ex /= scale;
    ey /= scale;
    double length = sqrt(ex * ex + ey * ey);
    *nx = ey / length;
    *ny = -ex / length;
    return 1;
}

/* Gaps along the edge normals of `x`, seen by the other core. */
static void try_every_edge(const double *x, const double *y, uint32_t n, const double *ox, const double *oy,
                           uint32_t on, double sign, axis *best)
{
    for (uint32_t i = 0; i < n; i++) {
        double nx, ny;
        if (!edge_normal(x, y, n, i, &nx, &ny))
            continue;
        double gap = lowest(ox, oy, on, nx, ny) - (nx * x[i] + ny * y[i]);
        if (!best->found || gap > best->gap)
            *best = (axis){gap, sign * nx, sign * ny, 1};
    }
}

/* The same in O(n + on): the lowest vertex walks around the other core as the normal turns. Gaps are compared by
 * squares, without a root for each edge. A walk can only overestimate a gap, so if a full scan confirms the winner's
 * gap, it is the largest. Returns 0 if it does not, or if an edge is too short for its square. */
static int try_edges_walking(const double *x, const double *y, uint32_t n, const double *ox, const double *oy,
                             uint32_t on, double sign, axis *best)
{
    double power = -1, square = 0; /* of the best: the signed square of gap times length, and length squared */
    uint32_t low = 0, edge = n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = i + 1 == n ? 0 : i + 1;
        const double nx = y[j] - y[i], ny = x[i] - x[j], own = nx * nx + ny * ny;
        if (own < SHORT_SQUARE) {
            if (nx != 0 || ny != 0)
                return 0;
            continue;
        }
        if (edge == n)
            low = lowest_vertex((core2){ox, oy, on}, nx, ny);
        double at = nx * ox[low] + ny * oy[low];
        for (uint32_t steps = 0; steps < on; steps++) {
            uint32_t next = low + 1 == on ? 0 : low + 1;
            double there = nx * ox[next] + ny * oy[next];
            if (there > at)
                break;
            at = there;
            low = next;
        }
        const double gap = at - (nx * x[i] + ny * y[i]), mine = gap * fabs(gap);
        if (mine * square > power * own) {
            power = mine;
            square = own;
            edge = i;
        }
    }
    axis mine = {.found = 1};
    if (edge == n || !edge_normal(x, y, n, edge, &mine.x, &mine.y))
        return 1;
    mine.gap = copysign(sqrt(fabs(power) / square), power);
    const double base = -lowest(x, y, n, -mine.x, -mine.y), proven = lowest(ox, oy, on, mine.x, mine.y) - base;
    if (proven < mine.gap - TOUCH)
        return 0;
    if (!best->found || proven > best->gap)
        *best = (axis){proven, sign * mine.x, sign * mine.y, 1};
    return 1;
}

static void try_edges(const double *x, const double *y, uint32_t n, const double *ox, const double *oy,
                      uint32_t on, double sign, axis *best)
{
    if (n * on <= 1024 || !try_edges_walking(x, y, n, ox, oy, on, sign, best))
        try_every_edge(x, y, n, ox, oy, on, sign, best);
}

/* The gap along (nx, ny), of any length but 0, from `from` to `to`. */
static double gap_along(core2 from, core2 to, double nx, double ny)
{
    const double length = sqrt(nx * nx + ny * ny);
    nx /= length;
    ny /= length;
    return lowest(to.x, to.y, to.n, nx, ny) + lowest(from.x, from.y, from.n, -nx, -ny);
}

/* 1 if (dx, dy) from an edge to a vertex is better than the best so far. Lengths do not distinguish
 * directions that differ by less than the root of a roundoff: among equal lengths the gap decides. */
static int is_nearer(core2 vertices, core2 edges, double dx, double dy, double sign, const fallback_core *best)
{
    const double d = sqrt(dx * dx + dy * dy);
    if (d < best->distance - TOUCH || d > best->least + TOUCH || !(d > 0 && best->distance > 0))
        return d < best->distance;
    const double had = gap_along(edges, vertices, sign * best->normal[0], sign * best->normal[1]);
    return gap_along(edges, vertices, dx, dy) > had;
}

/* A half-plane that holds what can be nearest: points with nx x + ny y <= most. */
typedef struct slab {
    double nx, ny, most;
} slab;

static int is_within(const slab *s, double x, double y)
{
    return s->nx * x + s->ny * y <= s->most;
}

/* Nearest pair of a vertex of one core and an edge of the other; `sign`: +1 if
 * the vertex is B's, else -1. Vertices out of `of_vertices`, and edges out of `of_edges`, are left out. */
static void vertex_to_edges(core2 vertices, core2 edges, double sign, const slab *of_vertices, const slab *of_edges,
                            fallback_core *best)
{
    const double *vx = vertices.x, *vy = vertices.y, *x = edges.x, *y = edges.y;
    const uint32_t vn = vertices.n, n = edges.n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = i + 1 == n ? 0 : i + 1;
        double ex = x[j] - x[i], ey = y[j] - y[i], nn = ex * ex + ey * ey;
        if (!is_within(of_edges, x[i], y[i]) && !is_within(of_edges, x[j], y[j]))
            continue;
        for (uint32_t k = 0; k < vn; k++) {
            if (!is_within(of_vertices, vx[k], vy[k]))
                continue;
            double rx = vx[k] - x[i], ry = vy[k] - y[i];
            double along = rx * ex + ry * ey;
            double fx = x[i], fy = y[i], dx = rx, dy = ry;
            if (along > 0 && along < nn) {
                /* perpendicular part by the cross product: no cancellation near contact */
                double across = (ex * ry - ey * rx) / nn;
                dx = -ey * across;
                dy = ex * across;
                fx = vx[k] - dx;
                fy = vy[k] - dy;
            } else if (along >= nn && nn > 0) {
                fx = x[j];
                fy = y[j];
                dx = vx[k] - fx;
                dy = vy[k] - fy;
            }
            if (is_nearer(vertices, edges, dx, dy, sign, best)) {
                best->distance = sqrt(dx * dx + dy * dy);
                best->least = fmin(best->least, best->distance);
                best->normal[0] = sign * dx;
                best->normal[1] = sign * dy;
                double *on_edge = sign > 0 ? best->a : best->b, *at_vertex = sign > 0 ? best->b : best->a;
                on_edge[0] = fx, on_edge[1] = fy;
                at_vertex[0] = vx[k], at_vertex[1] = vy[k];
            }
        }
    }
}

/* Nearest features, of which (nx, ny), a unit vector from A to B, is a guess: what is further along it than some two
 * points are apart is not looked at. */
static void nearest_features(core2 a, core2 b, double nx, double ny, fallback_core *nearest)
{
    const slab everything = {0, 0, 0};
    const uint32_t high = lowest_vertex(a, -nx, -ny), low = lowest_vertex(b, nx, ny);
    fallback_core some = {.distance = INFINITY, .least = INFINITY};
    vertex_to_edges((core2){b.x + low, b.y + low, 1}, a, 1, &everything, &everything, &some);
    vertex_to_edges((core2){a.x + high, a.y + high, 1}, b, -1, &everything, &everything, &some);
    const double reach = some.least * (1 + 0x1p-40) + 8 * TOUCH;
    const slab of_a = {-nx, -ny, reach - (nx * b.x[low] + ny * b.y[low])},
               of_b = {nx, ny, reach + (nx * a.x[high] + ny * a.y[high])};
    *nearest = (fallback_core){.distance = INFINITY, .least = INFINITY};
    vertex_to_edges(b, a, 1, &of_b, &of_a, nearest);
    vertex_to_edges(a, b, -1, &of_a, &of_b, nearest);
}

/* Extent along the tangent of the vertices that are extreme along the normal. */
static void feature(const double *x, const double *y, uint32_t n, double nx, double ny, double *height, double *lo,
                    double *hi)
{
    double top = -lowest(x, y, n, -nx, -ny);
    *height = top;
    *lo = INFINITY;
    *hi = -INFINITY;
    for (uint32_t i = 0; i < n; i++)
        if (nx * x[i] + ny * y[i] >= top - TOUCH) {
            double t = nx * y[i] - ny * x[i];
            *lo = t < *lo ? t : *lo;
            *hi = t > *hi ? t : *hi;
        }
}

/* What the features along an axis share: a part of the tangent. */
typedef struct overlap2 {
    double top, gap;
    double lo, hi;
} overlap2;

static overlap2 find_overlap(core2 a, core2 b, const axis *along)
{
    double top, bottom, alo, ahi, blo, bhi;
    feature(a.x, a.y, a.n, along->x, along->y, &top, &alo, &ahi);
    feature(b.x, b.y, b.n, -along->x, -along->y, &bottom, &blo, &bhi);
    /* B's tangent runs the other way round */
    return (overlap2){top, -bottom - top, fmax(alo, -bhi), fmin(ahi, -blo)};
}

static int shares_nothing(const overlap2 *o)
{
    return o->lo > o->hi + TOUCH;
}

/* `bx`, `by` are b's vertices, to be moved. */
static void overlap_answer(core2 a, core2 b, double *bx, double *by, const axis *best, const overlap2 *o,
                           fallback_core *answer)
{
    const double nx = best->x, ny = best->y, distance = fmin(o->gap, 0), t = 0.5 * (o->lo + o->hi);
    double px = nx * o->top - ny * t, py = ny * o->top + nx * t;
    if (shares_nothing(o)) {
        /* The features share nothing: the axis is a neighbour, to rounding, of
         * the right one. The point of contact after moving apart is in both. */
        fallback_core touch;
        for (uint32_t i = 0; i < b.n; i++) {
            bx[i] -= nx * distance;
            by[i] -= ny * distance;
        }
        nearest_features(a, b, nx, ny, &touch);
        px = touch.a[0];
        py = touch.a[1];
    }
    answer->overlapping = 1;
    answer->distance = distance;
    answer->normal[0] = nx;
    answer->normal[1] = ny;
    answer->a[0] = px;
    answer->a[1] = py;
    answer->b[0] = px + nx * distance;
    answer->b[1] = py + ny * distance;
}

/* Features that share a part and have no gap touch: what is nearest need not be looked for. */
static void solve(core2 a, core2 b, double *bx, double *by, fallback_core *answer)
{
    axis best = {.found = 0};
    try_edges(a.x, a.y, a.n, b.x, b.y, b.n, 1, &best);
    try_edges(b.x, b.y, b.n, a.x, a.y, a.n, -1, &best);
    const int points = !best.found;
    if (points) /* any axis, along which no gap is known */
        best = (axis){0, 1, 0, 1};
    const overlap2 overlap = find_overlap(a, b, &best);
    const int touch = !points && best.gap <= TOUCH && !shares_nothing(&overlap);
    if (best.gap >= -TOUCH && !touch) {
        nearest_features(a, b, best.x, best.y, answer);
        if (answer->distance > 4 * TOUCH) {
            double length = sqrt(answer->normal[0] * answer->normal[0] + answer->normal[1] * answer->normal[1]);
            answer->normal[0] /= length;
            answer->normal[1] /= length;
            return;
        }
    }
    overlap_answer(a, b, bx, by, &best, &overlap, answer);
}

void gjb_fallback2(const fallback_body *a, const fallback_body *b, double extent, double *room, fallback_answer *answer)
{
    const fallback_frame frame = fallback_frame_of(a, b, extent);
    double *ax = room, *ay = ax + a->n, *bx = ay + a->n, *by = bx + b->n;
    fallback_place_a(&frame, a, ax, ay);
    fallback_place_b(&frame, b, bx, by);
    fallback_core got;
    solve((core2){ax, ay, a->n}, (core2){bx, by, b->n}, bx, by, &got);
    fallback_to_world(&frame, a, b, &got, answer);
}
