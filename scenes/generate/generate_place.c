/* Places a pair in the plane at a wanted signed distance, on the outline of its Minkowski difference. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

/* Overlaps shallower than this share of the size do not count: pairs of points
 * and of parallel segments have no deeper ones. */
static const double least_overlap = 1e-3;

void gjb_place_turn(gjb_placed *body, gjb_precision precision, double c, double s)
{
    body->pose.c = gjb_rounded(precision, c);
    body->pose.s = gjb_rounded(precision, s);
    double sum[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < body->count; i++) {
        const double *v = body->local[i];
        body->turned[i][0] = body->pose.c * v[0] - body->pose.s * v[1];
        body->turned[i][1] = body->pose.s * v[0] + body->pose.c * v[1];
        sum[0] += body->turned[i][0];
        sum[1] += body->turned[i][1];
    }
    body->centre[0] = sum[0] / body->count;
    body->centre[1] = sum[1] / body->count;
}

void gjb_place_begin(gjb_random *r, gjb_placement *p)
{
    if (p->dim == 3) {
        gjb_place_begin3(r, p);
        return;
    }
    double c, s;
    gjb_random_rotation(r, &c, &s);
    gjb_place_turn(&p->a, p->precision, c, s);
    gjb_random_rotation(r, &c, &s);
    gjb_place_turn(&p->b, p->precision, c, s);
    p->a.pose.x = gjb_rounded(p->precision, p->unit * gjb_random_range(r, -4.0, 4.0) + p->offset[0]);
    p->a.pose.y = gjb_rounded(p->precision, p->unit * gjb_random_range(r, -4.0, 4.0) + p->offset[1]);
}

void gjb_place_at(gjb_placement *p, double x, double y)
{
    p->t[0] = x;
    p->t[1] = y;
    p->b.pose.x = gjb_rounded(p->precision, p->a.pose.x + x);
    p->b.pose.y = gjb_rounded(p->precision, p->a.pose.y + y);
}

/* Directions from +x (included) counter-clockwise to -x (excluded). */
static int points_up(const double e[2])
{
    return e[1] > 0.0 || (e[1] == 0.0 && e[0] > 0.0);
}

/* Order of two edges by angle from +x: < 0, 0, > 0. */
static int compare_angle(const double a[2], const double b[2])
{
    const int up_a = points_up(a), up_b = points_up(b);
    if (up_a != up_b)
        return up_b - up_a;
    const double left = a[0] * b[1], right = a[1] * b[0];
    return (left < right) - (left > right);
}

/* Lowest vertex (leftmost of several) of sign * v. */
static uint32_t lowest(const double (*v)[2], uint32_t n, double sign)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++) {
        const double dy = sign * (v[i][1] - v[best][1]), dx = sign * (v[i][0] - v[best][0]);
        if (dy < 0.0 || (dy == 0.0 && dx < 0.0))
            best = i;
    }
    return best;
}

typedef struct edges {
    const double (*v)[2];
    uint32_t n, start, done;
    double sign, edge[2];
} edges;

/* Moves on to the next edge that has a length; 0 after the last. */
static int next_edge(edges *e)
{
    while (e->done < e->n) {
        const double *from = e->v[(e->start + e->done) % e->n], *to = e->v[(e->start + e->done + 1) % e->n];
        e->edge[0] = e->sign * (to[0] - from[0]);
        e->edge[1] = e->sign * (to[1] - from[1]);
        if (e->edge[0] != 0.0 || e->edge[1] != 0.0)
            return 1;
        e->done++;
    }
    return 0;
}

static uint32_t vertex_at(const edges *e)
{
    return (e->start + e->done) % e->n;
}

/* Edge merge of A and -B, both walked from their lowest vertices. */
void gjb_place_difference(gjb_placement *p)
{
    if (p->dim == 3) {
        gjb_place_difference3(p);
        return;
    }
    edges a = {.v = (const double(*)[2])p->a.turned, .n = p->a.count, .sign = 1.0};
    edges b = {.v = (const double(*)[2])p->b.turned, .n = p->b.count, .sign = -1.0};
    a.start = lowest(a.v, a.n, 1.0);
    b.start = lowest(b.v, b.n, -1.0);
    p->loop_count = 0;
    for (;;) {
        const int more_a = next_edge(&a), more_b = next_edge(&b);
        if (!more_a && !more_b && p->loop_count > 0)
            break;
        const double *va = a.v[vertex_at(&a)], *vb = b.v[vertex_at(&b)];
        double *at = p->loop[p->loop_count], *before = p->loop[p->loop_count - (p->loop_count > 0)];
        at[0] = va[0] - vb[0];
        at[1] = va[1] - vb[1];
        /* an edge shorter than a rounding has no normal */
        p->loop_count += p->loop_count == 0 || at[0] != before[0] || at[1] != before[1];
        if (!more_a && !more_b)
            break;
        const int order = !more_a ? 1 : !more_b ? -1 : compare_angle(a.edge, b.edge);
        a.done += order <= 0;
        b.done += order >= 0;
    }
    const double *first = p->loop[0], *last = p->loop[p->loop_count - 1];
    p->loop_count -= p->loop_count > 1 && last[0] == first[0] && last[1] == first[1];
    p->centre[0] = p->a.centre[0] - p->b.centre[0];
    p->centre[1] = p->a.centre[1] - p->b.centre[1];
    p->radius = p->a.radius + p->b.radius;
}

/* Outward unit normal of the edge behind vertex i of the loop. */
static void edge_normal(const gjb_placement *p, uint32_t i, double normal[2])
{
    const double *from = p->loop[i], *to = p->loop[i + 1 < p->loop_count ? i + 1 : 0];
    const double x = to[0] - from[0], y = to[1] - from[1], length = sqrt(x * x + y * y);
    normal[0] = y / length;
    normal[1] = -x / length;
}

/* The point of A - B farthest along n, of which A or B is curved. */
static void curved_support(const gjb_placement *p, const double n[2], double point[2])
{
    const gjb_placed *bodies[2] = {&p->a, &p->b};
    point[0] = point[1] = 0.0;
    for (int i = 0; i < 2; i++) {
        const double sign = i ? -1.0 : 1.0, way[3] = {sign * n[0], sign * n[1], 0.0};
        double at[3];
        if (gjb_is_curved(bodies[i]->kind)) {
            gjb_placed_support(bodies[i], 2, way, at);
        } else {
            uint32_t best = 0;
            for (uint32_t k = 1; k < bodies[i]->count; k++) {
                const double *v = bodies[i]->turned[k], *had = bodies[i]->turned[best];
                best = way[0] * v[0] + way[1] * v[1] > way[0] * had[0] + way[1] * had[1] ? k : best;
            }
            memcpy(at, bodies[i]->turned[best], 2 * sizeof *at);
        }
        point[0] += sign * at[0];
        point[1] += sign * at[1];
    }
}

/* Half of the normals are along an axis of A or of B, and so normals of flat sides, with
 * the point anywhere on the side; the other normals are uniform. */
static void pick_curved(gjb_random *r, const gjb_placement *p, double point[2], double normal[2])
{
    static const double lean = 0x1p-30; /* towards the other corner of a side */
    gjb_random_rotation(r, &normal[0], &normal[1]);
    const uint32_t choice = gjb_random_below(r, 4), axis = gjb_random_below(r, 2);
    const double sign = gjb_random_sign(r), along = gjb_random_unit(r);
    if (choice < 2) {
        const gjb_pose2d *pose = choice == 0 ? &p->a.pose : &p->b.pose;
        normal[0] = sign * (axis ? -pose->s : pose->c);
        normal[1] = sign * (axis ? pose->c : pose->s);
    }
    double side[2][2];
    for (int i = 0; i < 2; i++) {
        const double way = i ? -lean : lean, n[2] = {normal[0] - way * normal[1], normal[1] + way * normal[0]};
        curved_support(p, n, side[i]);
    }
    point[0] = side[0][0] + (side[1][0] - side[0][0]) * along;
    point[1] = side[0][1] + (side[1][1] - side[0][1]) * along;
}

/* A random point of the loop with a normal there: in the middle of edges and
 * at vertices equally often. */
static void pick_boundary(gjb_random *r, const gjb_placement *p, double point[2], double normal[2])
{
    if (p->curved) {
        pick_curved(r, p, point, normal);
        return;
    }
    const double along = gjb_random_unit(r);
    const uint32_t on_edge = gjb_random_below(r, 2);
    if (on_edge && p->loop_count > 1) {
        const uint32_t i = gjb_random_below(r, p->loop_count);
        const double *from = p->loop[i], *to = p->loop[i + 1 < p->loop_count ? i + 1 : 0];
        point[0] = from[0] + (to[0] - from[0]) * along;
        point[1] = from[1] + (to[1] - from[1]) * along;
        edge_normal(p, i, normal);
        return;
    }
    gjb_random_rotation(r, &normal[0], &normal[1]);
    uint32_t best = 0;
    double reach = 0.0;
    for (uint32_t i = 0; i < p->loop_count; i++) {
        const double here = normal[0] * p->loop[i][0] + normal[1] * p->loop[i][1];
        if (i == 0 || here > reach) {
            best = i;
            reach = here;
        }
    }
    memcpy(point, p->loop[best], 2 * sizeof *point);
}

double gjb_place_deepest(const gjb_placement *p)
{
    if (p->dim == 3)
        return gjb_place_deepest3(p);
    double least = 0.0;
    for (uint32_t i = 0; p->loop_count > 1 && i < p->loop_count; i++) {
        double n[2];
        edge_normal(p, i, n);
        const double here = n[0] * (p->loop[i][0] - p->centre[0]) + n[1] * (p->loop[i][1] - p->centre[1]);
        least = i == 0 || here < least ? here : least;
    }
    return least > 0.0 ? least : 0.0;
}

/* Moves `point` of the loop towards the centre until its depth is `depth`,
 * which must be less than at the centre. The depth is concave along the way:
 * the edge that needs the longest step decides. */
static void go_inwards(const gjb_placement *p, double point[2], double depth)
{
    const double way[2] = {p->centre[0] - point[0], p->centre[1] - point[1]};
    double step = 0.0;
    for (uint32_t i = 0; i < p->loop_count; i++) {
        double n[2];
        edge_normal(p, i, n);
        const double has = n[0] * (p->loop[i][0] - point[0]) + n[1] * (p->loop[i][1] - point[1]);
        const double gains = -(n[0] * way[0] + n[1] * way[1]);
        if (gains > 0.0 && depth - has > step * gains)
            step = (depth - has) / gains;
    }
    point[0] += way[0] * step;
    point[1] += way[1] * step;
}

void gjb_place_sigma(gjb_random *r, gjb_placement *p, double sigma)
{
    if (p->dim == 3) {
        gjb_place_sigma3(r, p, sigma);
        return;
    }
    double point[2], normal[2], core = sigma + p->radius;
    if (core < 0.0) {
        const double most = 0.9 * gjb_place_deepest(p), depth = -core < most ? -core : most;
        if (depth + p->radius < least_overlap * p->size) {
            core = 0.01 * p->size + p->radius;
        } else {
            pick_boundary(r, p, point, normal);
            memcpy(p->normal, normal, sizeof normal);
            go_inwards(p, point, depth);
            gjb_place_at(p, point[0], point[1]);
            return;
        }
    }
    pick_boundary(r, p, point, normal);
    memcpy(p->normal, normal, sizeof normal);
    gjb_place_at(p, point[0] + normal[0] * core, point[1] + normal[1] * core);
}

/* Distance at which the ray from the loop's centre leaves the loop widened by the
 * radius: the last of the edges moved outwards and the discs about vertices. */
static double exit_of_ray(const gjb_placement *p, const double u[2])
{
    double first = 0.0, last = 0.0;
    int any = 0;
    for (uint32_t i = 0; i < p->loop_count; i++) {
        const double w[2] = {p->loop[i][0] - p->centre[0], p->loop[i][1] - p->centre[1]};
        const double along = w[0] * u[0] + w[1] * u[1], across = w[0] * u[1] - w[1] * u[0];
        if (across * across < p->radius * p->radius) {
            const double end = along + sqrt(p->radius * p->radius - across * across);
            last = end > last ? end : last;
        }
        if (p->loop_count == 1)
            break;
        double n[2];
        edge_normal(p, i, n);
        const double speed = n[0] * u[0] + n[1] * u[1];
        if (!(speed > 0.0)) /* or NaN, the normal of an edge without length: points may coincide */
            continue;
        const double core = (n[0] * w[0] + n[1] * w[1]) / speed;
        first = !any || core < first ? core : first;
        any = 1;
        /* Where the moved edge is met, and how far from the vertex that is. */
        const double moved = core + p->radius / speed;
        const double from = n[0] * (u[1] * moved - w[1]) - n[1] * (u[0] * moved - w[0]);
        const double *to = p->loop[i + 1 < p->loop_count ? i + 1 : 0];
        const double x = to[0] - p->loop[i][0], y = to[1] - p->loop[i][1];
        if (from >= 0.0 && from * from <= x * x + y * y && moved > last)
            last = moved;
    }
    return p->radius > 0.0 && last > first ? last : first;
}

void gjb_place_ray(gjb_random *r, gjb_placement *p)
{
    if (p->dim == 3) {
        gjb_place_ray3(r, p);
        return;
    }
    double u[2];
    gjb_random_rotation(r, &u[0], &u[1]);
    const double at = gjb_random_range(r, 0.0, 2.0);
    double exit = exit_of_ray(p, u);
    if (exit < 1e-9 * p->size)
        exit = p->size;
    gjb_place_at(p, p->centre[0] + u[0] * at * exit, p->centre[1] + u[1] * at * exit);
}
