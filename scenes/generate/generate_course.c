/* Gives both bodies of a placed pair their motion, and takes them back to the beginning of the step. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"

static const double radians = 6.283185307179586; /* in a turn */

void gjb_random_direction(gjb_random *r, uint32_t dim, double u[3])
{
    if (dim == 3) {
        gjb_random_direction3(r, u);
        return;
    }
    gjb_random_rotation(r, &u[0], &u[1]);
    u[2] = 0.0;
}

void gjb_place_put(gjb_placement *p, const double t[3])
{
    if (p->dim == 3)
        gjb_place_at3(p, t);
    else
        gjb_place_at(p, t[0], t[1]);
}

/* An axis to turn about: of the world in one body of four. */
static void draw_axis(gjb_random *r, double u[3])
{
    gjb_random_direction3(r, u);
    const uint32_t axis = gjb_random_below(r, 12);
    for (uint32_t k = 0; k < 3 && axis < 3; k++)
        u[k] = k == axis ? 1.0 : 0.0;
}

/* Gives a body its turns over the step, and takes it back by those up to `when`. */
static void turn_back(gjb_random *r, const gjb_placement *p, gjb_placed *body, double turns, double when)
{
    double c, s, u[3];
    if (turns == 0.0)
        return;
    if (p->dim == 2) {
        gjb_cos_sin(-turns * when, &c, &s);
        double x = c * body->pose.c - s * body->pose.s, y = s * body->pose.c + c * body->pose.s;
        gjb_unit_length(&x, &y);
        gjb_place_turn(body, p->precision, x, y);
        body->motion[2] = gjb_rounded(p->precision, turns * radians);
        return;
    }
    double q[4], turn[4];
    draw_axis(r, u);
    gjb_cos_sin(-0.5 * turns * when, &turn[3], &s);
    for (int axis = 0; axis < 3; axis++) {
        turn[axis] = u[axis] * s;
        body->motion[3 + axis] = gjb_rounded(p->precision, u[axis] * (turns * radians)) + 0.0;
    }
    gjb_stored_turn(body, q);
    gjb_turn_after(turn, q, q);
    gjb_place_turn3(body, p->precision, q);
}

/* Half of the pairs have one body at rest, unless both are to move, or B alone. */
static void displace(gjb_random *r, gjb_placement *p, const gjb_course *course)
{
    double u[3];
    gjb_random_direction(r, p->dim, u);
    const double length = sqrt(gjb_dot3(course->way, course->way));
    const double share = length * gjb_random_range(r, 0.0, 2.0);
    const uint32_t which = course->alone ? 0 : gjb_random_below(r, 4);
    for (uint32_t axis = 0; axis < p->dim; axis++) {
        double a = u[axis] * (course->common > 0.0 ? course->common : share);
        a = course->common > 0.0 || which > 1 ? a : which == 0 ? 0.0 : -course->way[axis];
        if (course->grid > 0.0)
            gjb_snap(&a, 1, course->grid);
        a = gjb_rounded(p->precision, a);
        p->a.motion[axis] = a + 0.0;
        p->b.motion[axis] = gjb_rounded(p->precision, a + course->way[axis]) + 0.0;
    }
}

void gjb_place_set_course(gjb_random *r, gjb_placement *p, const gjb_course *course)
{
    double t[3];
    gjb_place_turn_planes(p);
    gjb_along3(p->t, course->way, -course->when, t);
    gjb_place_put(p, t);
    turn_back(r, p, &p->a, course->turns[0], course->when);
    turn_back(r, p, &p->b, course->turns[1], course->when);
    displace(r, p, course);
    p->swap = (uint8_t)gjb_random_below(r, 2);
}
