/* Families in space that are exact: lattice shapes that touch, vertices on faces, flat shapes. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"

/* Places that are exact: lattice shapes under rotations of a cube. */

/* Rotation `which` of the 24 of a cube: no turn and half turns about the
 * axes, quarter turns and half turns about diagonals of faces, third turns. */
static void cube_rotation(uint32_t which, double q[4])
{
    static const uint8_t sides[6][2] = {{0, 3}, {1, 3}, {2, 3}, {0, 1}, {0, 2}, {1, 2}};
    memset(q, 0, 4 * sizeof *q);
    if (which < 4) {
        q[which] = 1.0;
    } else if (which < 16) {
        const uint8_t *side = sides[(which - 4) / 2];
        q[side[0]] = which % 2 ? -sqrt(0.5) : sqrt(0.5);
        q[side[1]] = sqrt(0.5);
    } else {
        for (uint32_t axis = 0; axis < 3; axis++)
            q[axis] = (which >> axis & 1u) ? -0.5 : 0.5;
        q[3] = 0.5;
    }
}

/* Rotations of a cube and A at a multiple of `grid`: on shapes whose
 * coordinates are multiples of a power of two, all that follows is exact. */
static void begin_exact3(gjb_random *r, gjb_placement *p, double grid)
{
    double q[4], at[3];
    cube_rotation(gjb_random_below(r, 24), q);
    gjb_place_turn3(&p->a, p->precision, q);
    cube_rotation(gjb_random_below(r, 24), q);
    gjb_place_turn3(&p->b, p->precision, q);
    for (int axis = 0; axis < 3; axis++)
        at[axis] = ((double)gjb_random_below(r, 65) - 32.0) * grid;
    gjb_place_origin3(p, at);
    gjb_place_difference3(p);
}

/* A random vertex of those farthest along an exact n. */
static const double *pick_farthest(gjb_random *r, const gjb_placed *body, const double n[3], double sign)
{
    uint32_t ties = 0;
    double reach = 0.0;
    for (uint32_t i = 0; i < body->count; i++) {
        const double here = sign * gjb_dot3(n, body->turned3[i]);
        if (i == 0 || here > reach) {
            reach = here;
            ties = 0;
        }
        ties += here == reach;
    }
    uint32_t skip = gjb_random_below(r, ties);
    for (uint32_t i = 0; i < body->count; i++)
        if (sign * gjb_dot3(n, body->turned3[i]) == reach && skip-- == 0)
            return body->turned3[i];
    return body->turned3[0];
}

/* A point of A - B farthest along an exact n, at fractions of `parts` between
 * vertices that are: exact. */
static void pick_exact3(gjb_random *r, const gjb_placement *p, const double n[3], uint32_t parts,
                        double point[3])
{
    double side[3];
    memset(point, 0, 3 * sizeof *point);
    for (int which = 0; which < 2; which++) {
        const gjb_placed *body = which ? &p->b : &p->a;
        const double sign = which ? -1.0 : 1.0;
        const double *from = pick_farthest(r, body, n, sign), *to = pick_farthest(r, body, n, sign);
        gjb_minus3(to, from, side);
        gjb_along3(point, from, sign, point);
        gjb_along3(point, side, sign * gjb_random_below(r, parts) / parts, point);
    }
}

static void random_axis(gjb_random *r, double n[3])
{
    const uint32_t axis = gjb_random_below(r, 3);
    memset(n, 0, 3 * sizeof *n);
    n[axis] = gjb_random_sign(r);
}

/* Not 0, in small integers. */
static void random_integers(gjb_random *r, double n[3])
{
    do {
        for (int axis = 0; axis < 3; axis++)
            n[axis] = (double)gjb_random_below(r, 9) - 4.0;
    } while (gjb_dot3(n, n) == 0.0);
}

/* The normal of a face of A - B as a product of lattice vectors; any integers
 * if A - B is flat. */
static void exact_normal(gjb_random *r, const gjb_placement *p, double n[3])
{
    double from[3], to[3];
    gjb_feature f;
    gjb_random_direction3(r, from);
    gjb_random_direction3(r, to);
    gjb_find_feature(p, from, to, 2, &f);
    gjb_cross3(f.edge[0], f.edge[1], n);
    if (f.edges < 2 || gjb_dot3(n, n) == 0.0)
        random_integers(r, n);
    else if (gjb_dot3(n, f.normal) < 0.0)
        for (int axis = 0; axis < 3; axis++)
            n[axis] = -n[axis];
}

/* sigma = 0 in exact arithmetic: at a corner, edge or face; rounded and curved pairs
 * meet along an axis. */
static void touch_exactly3(gjb_random *r, gjb_placement *p, uint32_t parts)
{
    double n[3], point[3];
    const uint32_t choice = gjb_random_below(r, 3);
    if (p->radius > 0.0 || p->curved || choice == 0)
        random_axis(r, n);
    else if (choice == 1)
        random_integers(r, n);
    else
        exact_normal(r, p, n);
    pick_exact3(r, p, n, parts, point);
    if (p->radius > 0.0)
        gjb_along3(point, n, p->radius, point);
    gjb_place_at3(p, point);
}

void gjb_place_touching3(gjb_random *r, gjb_placement *p)
{
    if (gjb_random_below(r, 2) == 0) {
        begin_exact3(r, p, 0.125);
        touch_exactly3(r, p, 4);
        return;
    }
    gjb_place_begin3(r, p);
    gjb_place_difference3(p);
    gjb_place_sigma3(r, p, 0.0);
}

/* One pair of four is one or two steps of the lattice off. */
static void step_off(gjb_random *r, gjb_placement *p)
{
    if (gjb_random_below(r, 4) != 0)
        return;
    double t[3] = {p->b.pose3.x - p->a.pose3.x, p->b.pose3.y - p->a.pose3.y, p->b.pose3.z - p->a.pose3.z};
    for (int axis = 0; axis < 3; axis++)
        t[axis] += (double)gjb_random_below(r, 5) - 2.0;
    gjb_place_at3(p, t);
}

void gjb_place_vertex_on3(gjb_random *r, gjb_placement *p)
{
    begin_exact3(r, p, 1.0);
    touch_exactly3(r, p, 2);
    step_off(r, p);
}

/* The origin on what a starting simplex is made of: a face, an edge
 * or a corner of the difference of the cores, or half way between opposite
 * corners. */
void gjb_place_face_on3(gjb_random *r, gjb_placement *p)
{
    double n[3], point[3];
    begin_exact3(r, p, 1.0);
    if (gjb_random_below(r, 4) > 0) {
        exact_normal(r, p, n);
        pick_exact3(r, p, n, 2, point);
    } else {
        double far[3];
        random_axis(r, n);
        pick_exact3(r, p, n, 1, point);
        gjb_along3(n, n, -2.0, n);
        pick_exact3(r, p, n, 1, far);
        for (int axis = 0; axis < 3; axis++)
            point[axis] = 0.5 * (point[axis] + far[axis]);
    }
    gjb_place_at3(p, point);
    step_off(r, p);
}

/* B's rotation becomes one of a cube that keeps A's plane. */
static void turn_into_plane(gjb_random *r, gjb_placement *p)
{
    double q[4], a[3], b[3];
    gjb_stored_turn(&p->a, q);
    gjb_turned_axis(q, 2, a);
    uint32_t which = gjb_random_below(r, 24);
    do {
        which = (which + 1) % 24;
        cube_rotation(which, q);
        gjb_turned_axis(q, 2, b);
    } while (gjb_dot3(a, b) == 0.0);
    gjb_place_turn3(&p->b, p->precision, q);
    gjb_place_difference3(p);
}

/* Half in one plane, overlapping, touching and apart within it; half anyhow. */
void gjb_place_flat3(gjb_random *r, gjb_placement *p)
{
    double q[4], axis[3], point[3] = {0.0, 0.0, 0.0};
    if (gjb_random_below(r, 2) == 0) {
        gjb_place_assorted(r, p);
        return;
    }
    begin_exact3(r, p, 0.125);
    turn_into_plane(r, p);
    if (gjb_random_below(r, 4) == 0) {
        touch_exactly3(r, p, 4);
        return;
    }
    const double reach = p->a.size + p->b.size + p->radius;
    gjb_stored_turn(&p->a, q);
    for (int i = 0; i < 2; i++) {
        gjb_turned_axis(q, i, axis);
        gjb_along3(point, axis, floor(reach * gjb_random_range(r, -0.8, 0.8) * 256.0) / 256.0, point);
    }
    gjb_place_at3(p, point);
}
