/* Families that place pairs in the plane, and those of both dimensions: classes, parallel edges, flat shapes. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

static void place_gap(gjb_random *r, gjb_placement *p, double lo, double hi)
{
    gjb_place_begin(r, p);
    gjb_place_difference(p);
    const double share = gjb_random_range(r, lo, hi);
    gjb_place_sigma(r, p, share * p->size);
}

void gjb_place_far(gjb_random *r, gjb_placement *p)
{
    place_gap(r, p, 1.0, 3.0);
}

void gjb_place_near(gjb_random *r, gjb_placement *p)
{
    place_gap(r, p, 0.005, 0.015);
}

void gjb_place_shallow(gjb_random *r, gjb_placement *p)
{
    place_gap(r, p, -0.015, -0.005);
}

void gjb_place_deep(gjb_random *r, gjb_placement *p)
{
    place_gap(r, p, -0.5, -0.2);
}

void gjb_place_mixed(gjb_random *r, gjb_placement *p)
{
    gjb_place_begin(r, p);
    gjb_place_difference(p);
    gjb_place_ray(r, p);
}

/* A third as in `mixed`, the others within 1e-3 to 0.1 of contact. */
void gjb_place_assorted(gjb_random *r, gjb_placement *p)
{
    gjb_place_begin(r, p);
    gjb_place_difference(p);
    const uint32_t class = gjb_random_below(r, 3);
    const double share = gjb_random_octaves(r, -10, -3);
    if (class == 0)
        gjb_place_ray(r, p);
    else
        gjb_place_sigma(r, p, (class == 1 ? share : -share) * p->size);
}

/* Least distance of the body's centre from its own edges: the radius of a
 * circle that fits. */
static double inner_radius(const gjb_placed *body)
{
    double least = -1.0;
    for (uint32_t i = 0; body->count > 2 && i < body->count; i++) {
        const double *from = body->turned[i], *to = body->turned[i + 1 < body->count ? i + 1 : 0];
        const double x = to[0] - from[0], y = to[1] - from[1], length = sqrt(x * x + y * y);
        if (length > 0.0) {
            const double here = (x * (body->centre[1] - from[1]) - y * (body->centre[0] - from[0])) / length;
            least = least < 0.0 || here < least ? here : least;
        }
    }
    return body->radius + (least > 0.0 ? least : 0.0);
}

/* B is the small one. If its circumcircle does not fit about A's centre, it
 * takes A's rotation, which helps long boxes. */
void gjb_place_contained(gjb_random *r, gjb_placement *p)
{
    gjb_place_begin(r, p);
    const double room = inner_radius(&p->a) - p->b.size;
    if (room < 0.0)
        gjb_place_turn(&p->b, p->precision, p->a.pose.c, p->a.pose.s);
    gjb_place_difference(p);
    double u[2];
    gjb_random_rotation(r, &u[0], &u[1]);
    const double away = gjb_random_range(r, 0.0, room > 0.0 ? 0.8 * room : 0.0);
    p->swap = (uint8_t)gjb_random_below(r, 2);
    if (gjb_place_deepest(p) + p->radius < 1e-3 * p->size)
        gjb_place_sigma(r, p, 0.01 * p->size); /* points and parallel segments contain nothing */
    else
        gjb_place_at(p, p->centre[0] + u[0] * away, p->centre[1] + u[1] * away);
}

static void quarter_turn(gjb_random *r, gjb_placed *body, gjb_precision precision)
{
    static const double turns[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    const double *turn = turns[gjb_random_below(r, 4)];
    gjb_place_turn(body, precision, turn[0], turn[1]);
}

/* Rotations by quarter turns and A at a multiple of `grid`: on shapes whose
 * coordinates are multiples of a power of two, all that follows is exact. */
static void begin_exact(gjb_random *r, gjb_placement *p, double grid)
{
    quarter_turn(r, &p->a, p->precision);
    quarter_turn(r, &p->b, p->precision);
    const double x = (double)gjb_random_below(r, 65) - 32.0, y = (double)gjb_random_below(r, 65) - 32.0;
    p->a.pose.x = gjb_rounded(p->precision, x * grid + p->offset[0]);
    p->a.pose.y = gjb_rounded(p->precision, y * grid + p->offset[1]);
    gjb_place_difference(p);
}

/* A vertex, or a dyadic point of an edge, of the loop that is farthest along
 * `axis` (any, for axis NULL): exact. */
static void pick_exact(gjb_random *r, const gjb_placement *p, const double *axis, double parts,
                       double point[2])
{
    const uint32_t n = p->loop_count, part = gjb_random_below(r, (uint32_t)parts);
    uint32_t i = gjb_random_below(r, n);
    double along = part / parts;
    if (axis != NULL) {
        double reach = 0.0;
        for (uint32_t k = 0; k < n; k++) {
            const double here = p->loop[k][0] * axis[0] + p->loop[k][1] * axis[1];
            if (k == 0 || here > reach) {
                reach = here;
                i = k;
            }
        }
        const double *next = p->loop[i + 1 < n ? i + 1 : 0];
        along = next[0] * axis[0] + next[1] * axis[1] == reach ? along : 0.0;
    }
    const double *from = p->loop[i], *to = p->loop[i + 1 < n ? i + 1 : 0];
    point[0] = from[0] + (to[0] - from[0]) * along;
    point[1] = from[1] + (to[1] - from[1]) * along;
}

/* sigma = 0 in exact arithmetic. Rounded and curved pairs meet along an axis. */
static void touch_exactly(gjb_random *r, gjb_placement *p, double parts)
{
    static const double axes[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    const double *axis = axes[gjb_random_below(r, 4)];
    double point[2];
    pick_exact(r, p, p->radius > 0.0 || p->curved ? axis : NULL, parts, point);
    gjb_place_at(p, point[0] + axis[0] * p->radius, point[1] + axis[1] * p->radius);
}

void gjb_place_touching(gjb_random *r, gjb_placement *p)
{
    if (gjb_random_below(r, 2) == 0) {
        begin_exact(r, p, 0.125);
        touch_exactly(r, p, 4.0);
        return;
    }
    place_gap(r, p, 0.0, 0.0);
}

/* Three of four with the origin on the boundary of A - B; the others one or
 * two steps of the lattice off. */
void gjb_place_vertex_on(gjb_random *r, gjb_placement *p)
{
    begin_exact(r, p, 1.0);
    touch_exactly(r, p, 2.0);
    if (gjb_random_below(r, 4) == 0) {
        const double x = (double)gjb_random_below(r, 5) - 2.0, y = (double)gjb_random_below(r, 5) - 2.0;
        p->b.pose.x = gjb_rounded(p->precision, p->b.pose.x + x);
        p->b.pose.y = gjb_rounded(p->precision, p->b.pose.y + y);
    }
}

/* Turns by up to eight roundings. */
static void nudge_rotation(gjb_random *r, double *c, double *s, gjb_precision precision)
{
    const double unit = gjb_epsilon(precision);
    const double angle = unit * ((double)gjb_random_below(r, 17) - 8.0), old = *c;
    *c -= *s * angle;
    *s += old * angle;
}

/* Lower edges face to face, parallel exactly (the rotation of B is A's by a
 * half turn) or to a few roundings. */
void gjb_place_parallel(gjb_random *r, gjb_placement *p)
{
    gjb_place_begin(r, p);
    double c = -p->a.pose.c, s = -p->a.pose.s;
    if (gjb_random_below(r, 2) == 0)
        nudge_rotation(r, &c, &s, p->precision);
    gjb_place_turn(&p->b, p->precision, c, s);
    gjb_place_difference(p);
    const double u[2] = {p->a.pose.s, -p->a.pose.c};
    double reach = 0.0, left = 0.0, right = 0.0;
    for (uint32_t i = 0; i < p->loop_count; i++) {
        const double here = u[0] * p->loop[i][0] + u[1] * p->loop[i][1];
        reach = i == 0 || here > reach ? here : reach;
    }
    int any = 0;
    for (uint32_t i = 0; i < p->loop_count; i++) {
        const double here = u[0] * p->loop[i][0] + u[1] * p->loop[i][1];
        const double across = u[0] * p->loop[i][1] - u[1] * p->loop[i][0];
        if (here >= reach - 1e-5 * p->size) {
            left = !any || across < left ? across : left;
            right = !any || across > right ? across : right;
            any = 1;
        }
    }
    const double share = gjb_random_octaves(r, -10, -4), sign = gjb_random_below(r, 2) ? 1.0 : -1.0;
    const double across = left + (right - left) * gjb_random_range(r, -0.1, 1.1);
    double along = reach + p->radius + sign * share * p->size;
    if (gjb_place_deepest(p) + p->radius < 1e-3 * p->size)
        along = reach + p->radius + share * p->size;
    gjb_place_at(p, u[0] * along - u[1] * across, u[1] * along + u[0] * across);
}

/* One shape twice: the same pose; a few roundings away; turned about the same
 * origin; turned by a few roundings; a small step away. */
void gjb_place_identical(gjb_random *r, gjb_placement *p)
{
    gjb_place_begin(r, p);
    const uint32_t variant = gjb_random_below(r, 5);
    double c = p->a.pose.c, s = p->a.pose.s, u[2], away = 0.0;
    gjb_random_rotation(r, &u[0], &u[1]);
    const double step = gjb_random_octaves(r, -10, -3), few = gjb_random_range(r, 0.0, 64.0);
    if (variant == 2) {
        c = p->b.pose.c;
        s = p->b.pose.s;
    } else if (variant == 3) {
        nudge_rotation(r, &c, &s, p->precision);
    }
    away = variant == 1 ? few * gjb_epsilon(p->precision) * p->size : variant == 4 ? step * p->size : 0.0;
    gjb_place_turn(&p->b, p->precision, c, s);
    gjb_place_difference(p);
    if (gjb_place_deepest(p) + p->radius < 1e-3 * p->size)
        gjb_place_sigma(r, p, step * p->size); /* without an inside: side by side */
    else
        gjb_place_at(p, u[0] * away, u[1] * away);
}

/* 1e3 to 1e6 sizes from the origin: the pair is what rounding leaves of its
 * relative pose. */
void gjb_place_far_origin(gjb_random *r, gjb_placement *p)
{
    double u[3] = {0.0, 0.0, 0.0};
    if (p->dim == 3)
        gjb_random_direction3(r, u);
    else
        gjb_random_rotation(r, &u[0], &u[1]);
    const double away = p->size * gjb_random_octaves(r, 10, 20);
    for (int axis = 0; axis < 3; axis++)
        p->offset[axis] += u[axis] * away;
    gjb_place_mixed(r, p);
}

/* Distances from contact in proportion to the larger shape, 2^-12 to 1 of it;
 * smaller ones would drown in the roundings of its coordinates. */
void gjb_place_size_ratio(gjb_random *r, gjb_placement *p)
{
    const double larger = p->a.size > p->b.size ? p->a.size : p->b.size;
    gjb_place_begin(r, p);
    gjb_place_difference(p);
    p->size = larger > 0.0 ? larger : p->size;
    const double share = gjb_random_octaves(r, -12, 0), sign = gjb_random_below(r, 2) ? 1.0 : -1.0;
    gjb_place_sigma(r, p, sign * share * p->size);
}

/* Half on one line, overlapping, touching and apart along it; half anyhow. */
void gjb_place_flat(gjb_random *r, gjb_placement *p)
{
    if (gjb_random_below(r, 2) == 0) {
        gjb_place_assorted(r, p);
        return;
    }
    static const double turns[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    begin_exact(r, p, 0.125);
    const double *turn = turns[gjb_random_below(r, 4)];
    gjb_place_turn(&p->a, p->precision, turn[0], turn[1]);
    const double sign = gjb_random_below(r, 2) ? 1.0 : -1.0;
    gjb_place_turn(&p->b, p->precision, sign * turn[0], sign * turn[1]);
    gjb_place_difference(p);
    if (gjb_random_below(r, 4) == 0) {
        touch_exactly(r, p, 4.0);
        return;
    }
    const double reach = p->a.size + p->b.size + p->radius;
    const double along = floor(reach * gjb_random_range(r, -1.2, 1.2) * 256.0) / 256.0;
    gjb_place_at(p, turn[0] * along, turn[1] * along);
}
