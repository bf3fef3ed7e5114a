/* Families that place pairs in space: contained, parallel faces, crossing edges, near an axis, identical. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"

/* Product of quaternions: first b, then a. Exact if one is a half turn
 * about an axis. `out` may be either. */
static void compose_exactly(const double a[4], const double b[4], double out[4])
{
    double cross[3];
    gjb_cross3(a, b, cross);
    const double real = a[3] * b[3] - gjb_dot3(a, b), along_a = b[3], along_b = a[3];
    for (int axis = 0; axis < 3; axis++)
        out[axis] = (along_b * b[axis] + along_a * a[axis]) + cross[axis];
    out[3] = real;
}

void gjb_turn_after(const double a[4], const double b[4], double out[4])
{
    compose_exactly(a, b, out);
    gjb_unit_quaternion(out);
}

/* B, the small one, at most four tenths of the way from A's centre out of A. */
void gjb_place_contained3(gjb_random *r, gjb_placement *p)
{
    double u[3], t[3];
    gjb_place_begin3(r, p);
    gjb_place_difference3(p);
    gjb_random_direction3(r, u);
    const double away = gjb_random_range(r, 0.0, 0.4);
    p->swap = (uint8_t)gjb_random_below(r, 2);
    if (gjb_place_deepest3(p) + p->radius < 1e-3 * p->size) {
        gjb_place_sigma3(r, p, 0.01 * p->size); /* points and parallel segments contain nothing */
        return;
    }
    gjb_along3(p->centre, u, away * gjb_exit_of_body3(&p->a, u), t);
    gjb_place_at3(p, t);
}

/* Turns by up to eight roundings about each axis. */
static void nudge3(gjb_random *r, double q[4], gjb_precision precision)
{
    double turn[4] = {0.0, 0.0, 0.0, 1.0};
    for (int axis = 0; axis < 3; axis++)
        turn[axis] = gjb_epsilon(precision) * ((double)gjb_random_below(r, 17) - 8.0);
    gjb_turn_after(q, turn, q);
}

/* A random vertex of those within `depth` of the farthest along u. */
static const double *pick_near_farthest(gjb_random *r, const gjb_placed *body, const double u[3], double sign,
                                        double depth)
{
    double reach = 0.0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->count; i++) {
        const double here = sign * gjb_dot3(u, body->turned3[i]);
        reach = i == 0 || here > reach ? here : reach;
    }
    for (uint32_t i = 0; i < body->count; i++)
        count += sign * gjb_dot3(u, body->turned3[i]) >= reach - depth;
    uint32_t skip = gjb_random_below(r, count), pick = 0;
    for (uint32_t i = 0; i < body->count; i++)
        if (sign * gjb_dot3(u, body->turned3[i]) >= reach - depth && skip-- == 0)
            pick = i;
    return body->turned3[pick];
}

/* A little apart or overlapping along u, with a point of A's side that faces B
 * on one of B's side that faces A; or, in one pair of eight, next to it. */
static void place_facing(gjb_random *r, gjb_placement *p, const double u[3], int least_octave)
{
    double far[3], point[3] = {0.0, 0.0, 0.0}, side[3];
    const double share = gjb_random_octaves(r, least_octave, -4);
    double sign = gjb_random_sign(r);
    gjb_support3(p, u, far);
    if (gjb_place_deepest3(p) + p->radius < 1e-3 * p->size)
        sign = 1.0;
    const double beyond = gjb_random_below(r, 8) == 0 ? 1.3 : 1.0, depth = 1e-4 * p->size;
    for (int which = 0; which < 2; which++) {
        const gjb_placed *body = which ? &p->b : &p->a;
        const double way = which ? -1.0 : 1.0, *at = pick_near_farthest(r, body, u, way, depth);
        gjb_along3(point, at, way, point);
        for (int i = 0; i < 2; i++) {
            gjb_minus3(pick_near_farthest(r, body, u, way, depth), at, side);
            gjb_along3(point, side, way * (i == 0 ? beyond : 0.5) * gjb_random_unit(r), point);
        }
    }
    const double along = gjb_dot3(u, far) + p->radius + sign * share * p->size - gjb_dot3(u, point);
    gjb_along3(point, u, along, point);
    gjb_place_at3(p, point);
}

/* B against the lowest feature of A in the frame of q. */
static void place_below(gjb_random *r, gjb_placement *p, const double q[4])
{
    double down[3];
    gjb_turned_axis(q, 2, down);
    for (int axis = 0; axis < 3; axis++)
        down[axis] = -down[axis];
    place_facing(r, p, down, -10);
}

/* Lower faces face to face, parallel exactly (the rotation of B is A's after a
 * half turn about x), to a few roundings, or turned about their normal too. */
void gjb_place_parallel3(gjb_random *r, gjb_placement *p)
{
    static const double half_turn[4] = {1.0, 0.0, 0.0, 0.0};
    double a[4], b[4];
    gjb_place_begin3(r, p);
    gjb_stored_turn(&p->a, a);
    compose_exactly(a, half_turn, b);
    const uint32_t variant = gjb_random_below(r, 4);
    if (variant == 0) {
        nudge3(r, b, p->precision);
    } else if (variant == 1) {
        double turn[4] = {0.0, 0.0, 0.0, 0.0};
        gjb_random_rotation(r, &turn[3], &turn[2]);
        gjb_turn_after(b, turn, b);
    }
    gjb_place_turn3(&p->b, p->precision, b);
    gjb_place_difference3(p);
    place_below(r, p, a);
}

/* Lower edges cross at 0, a few roundings, or up to 1e-3. Boxes are turned so
 * that an edge is lowest. */
void gjb_place_edges3(gjb_random *r, gjb_placement *p)
{
    static const double half_turn[4] = {1.0, 0.0, 0.0, 0.0};
    double a[4], b[4], turn[4] = {0.0, 0.0, 0.0, 1.0}, lean[4] = {0.0, 0.0, 0.0, 0.0}, q[4];
    gjb_place_begin3(r, p);
    gjb_stored_turn(&p->a, a);
    const uint32_t variant = gjb_random_below(r, 3);
    const double few = gjb_epsilon(p->precision) * (1.0 + gjb_random_below(r, 16));
    const double angle = variant == 0 ? 0.0 : variant == 1 ? few : gjb_random_octaves(r, -23, -10);
    turn[2] = 0.5 * angle * gjb_random_sign(r);
    gjb_unit_quaternion(turn);
    compose_exactly(a, half_turn, b);
    if (variant > 0)
        gjb_turn_after(b, turn, b);
    gjb_cos_sin(0.0625, &lean[3], &lean[0]); /* half the angle of an eighth turn */
    gjb_placed *bodies[2] = {&p->a, &p->b};
    for (int i = 0; i < 2; i++) {
        memcpy(q, i ? b : a, sizeof q);
        if (bodies[i]->kind == GJB_BOX)
            gjb_turn_after(q, lean, q);
        gjb_place_turn3(bodies[i], p->precision, q);
    }
    gjb_place_difference3(p);
    place_below(r, p, a);
}

/* Off a cube's rotation about z by a few roundings to 1e-5. */
static void turn_near_axis(gjb_random *r, gjb_placed *body, gjb_precision precision, int upside_down)
{
    double q[4] = {0.0, 0.0, 0.0, 0.0}, lean[4] = {0.0, 0.0, 0.0, 1.0};
    const double most =
        precision == GJB_F32 ? gjb_random_octaves(r, -22, -17) : gjb_random_octaves(r, -50, -17);
    const uint32_t quarters = gjb_random_below(r, 4);
    q[2] = quarters == 2 ? 1.0 : quarters == 1 ? sqrt(0.5) : quarters == 3 ? -sqrt(0.5) : 0.0;
    q[3] = quarters == 2 ? 0.0 : quarters == 0 ? 1.0 : sqrt(0.5);
    for (int axis = 0; axis < 3; axis++)
        lean[axis] = 0.28 * most * gjb_random_range(r, -1.0, 1.0); /* half the angle, over three axes */
    if (upside_down) {
        const double half_turn[4] = {1.0, 0.0, 0.0, 0.0};
        compose_exactly(half_turn, q, q);
    }
    gjb_turn_after(lean, q, q);
    gjb_place_turn3(body, precision, q);
}

/* B on A, as bodies that have come to rest on each other; boxes also side by
 * side. A has its lower face up, B has it down. */
void gjb_place_near_axis3(gjb_random *r, gjb_placement *p)
{
    double u[3] = {0.0, 0.0, 0.0};
    gjb_place_begin3(r, p);
    turn_near_axis(r, &p->a, p->precision, 1);
    turn_near_axis(r, &p->b, p->precision, 0);
    gjb_place_difference3(p);
    const uint32_t boxes = p->a.kind == GJB_BOX && p->b.kind == GJB_BOX;
    const uint32_t axis = boxes ? gjb_random_below(r, 3) : 2;
    u[axis] = boxes ? gjb_random_sign(r) : 1.0;
    place_facing(r, p, u, -20);
}

/* One shape twice: the same pose; a few roundings away; turned about the same
 * origin; turned by a few roundings; a small step away. */
void gjb_place_identical3(gjb_random *r, gjb_placement *p)
{
    double q[4], u[3], t[3];
    gjb_place_begin3(r, p);
    const uint32_t variant = gjb_random_below(r, 5);
    gjb_stored_turn(variant == 2 ? &p->b : &p->a, q);
    gjb_random_direction3(r, u);
    const double step = gjb_random_octaves(r, -10, -3), few = gjb_random_range(r, 0.0, 64.0);
    if (variant == 3)
        nudge3(r, q, p->precision);
    const double away = variant == 1   ? few * gjb_epsilon(p->precision) * p->size
                        : variant == 4 ? step * p->size
                                       : 0.0;
    gjb_place_turn3(&p->b, p->precision, q);
    gjb_place_difference3(p);
    if (gjb_place_deepest3(p) + p->radius < 1e-3 * p->size) {
        gjb_place_sigma3(r, p, step * p->size); /* without an inside: side by side */
        return;
    }
    memset(t, 0, sizeof t);
    gjb_along3(t, u, away, t);
    gjb_place_at3(p, t);
}
