/* Families in motion: approaches, spins, fast and slow passes, grazes, resting contact, overlap at the start. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"

/* Pairs in motion. Each is placed as it is at its closest, or in contact, and
 * then taken back to the beginning of the step. A - B is convex, so that without
 * rotation one instant determines all others. */

/* A - B thinner than this share of the size is met head-on, not at its rim. */
static const double thin = 1e-3;

/* A function, because the compiler may choose the order of two draws in one expression. */
static double either_way(gjb_random *r, double value)
{
    return gjb_random_sign(r) * value;
}

/* Each of the bodies, or one of both in every other pair. */
static void spin(gjb_random *r, double least, double most, gjb_course *course)
{
    const uint32_t which = gjb_random_below(r, 4);
    for (uint32_t i = 0; i < 2; i++) {
        const double turns = either_way(r, gjb_random_range(r, least, most));
        course->turns[i] = which == i ? 0.0 : turns;
    }
}

static void begin(gjb_random *r, gjb_placement *p)
{
    gjb_place_begin(r, p);
    gjb_place_difference(p);
}

/* A unit vector across the normal. */
static void tangent(gjb_random *r, const gjb_placement *p, double u[3])
{
    const double *n = p->normal, sign = gjb_random_sign(r);
    if (p->dim == 2) {
        u[0] = -sign * n[1];
        u[1] = sign * n[0];
        u[2] = 0.0;
        return;
    }
    do {
        gjb_random_direction3(r, u);
        gjb_along3(u, n, -gjb_dot3(n, u), u);
    } while (gjb_dot3(u, u) < 0.01);
    gjb_unit3(u);
}

/* Moves a touching pair by sigma along the contact normal. For sigma < 0 the depth along that
 * normal is -sigma, an upper bound of the pair's depth. */
static void place_beside(gjb_random *r, gjb_placement *p, double sigma)
{
    double t[3];
    gjb_place_sigma(r, p, 0.0);
    gjb_along3(p->t, p->normal, sigma, t);
    gjb_place_put(p, t);
}

/* Passes at that distance, along the plane. Cores of rounded pairs lie behind the normal too. */
static void pass(gjb_random *r, gjb_placement *p, double sigma, double length, gjb_course *course)
{
    double u[3];
    place_beside(r, p, sigma);
    tangent(r, p, u);
    for (int axis = 0; axis < 3; axis++)
        course->way[axis] = u[axis] * length;
}

/* 0 if only exact alignment lets the pair hit: a point and a point, or in 3D a point and a segment. */
static int can_be_hit(const gjb_placement *p)
{
    return p->radius > 0.0 || p->a.count + p->b.count > p->dim;
}

/* In contact, and on the way to the inside: half way between the centre and another point of
 * the boundary. What has no inside is crossed there, in any direction. */
static void aim(gjb_random *r, gjb_placement *p, double length, gjb_course *course)
{
    double target[3], u[3];
    if (!can_be_hit(p)) {
        pass(r, p, gjb_random_range(r, 0.02, 0.5) * p->size, length, course);
        return;
    }
    const int flat = gjb_place_deepest(p) + p->radius < thin * p->size;
    gjb_place_sigma(r, p, 0.0);
    for (int axis = 0; axis < 3; axis++)
        target[axis] = 0.5 * (p->centre[axis] + p->t[axis]);
    gjb_random_direction(r, p->dim, u);
    if (flat) {
        gjb_place_put(p, target);
    } else {
        gjb_place_sigma(r, p, 0.0);
        gjb_minus3(target, p->t, u);
        if (!gjb_unit3(u))
            gjb_along3(u, p->normal, -1.0, u);
    }
    for (int axis = 0; axis < 3; axis++)
        course->way[axis] = u[axis] * length;
}

/* Three of four aimed, the others passing; contact within the step or after it. */
static void approach(gjb_random *r, gjb_placement *p, gjb_course *course)
{
    begin(r, p);
    const double length = p->size * gjb_random_range(r, 0.5, 8.0);
    course->when = gjb_random_range(r, 0.0, 1.5);
    const double sigma = p->size * gjb_random_range(r, 0.02, 0.5);
    if (gjb_random_below(r, 4) == 0)
        pass(r, p, sigma, length, course);
    else
        aim(r, p, length, course);
}

void gjb_place_approach(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    approach(r, p, &course);
    gjb_place_set_course(r, p, &course);
}

/* No more than an eighth of a turn, which every library that supports rotation accepts. */
void gjb_place_approach_turn(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    approach(r, p, &course);
    spin(r, 0.005, 0.12, &course);
    gjb_place_set_course(r, p, &course);
}

void gjb_place_approach_spin(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    approach(r, p, &course);
    spin(r, 0.02, 1.0, &course);
    gjb_place_set_course(r, p, &course);
}

void gjb_place_spin(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    begin(r, p);
    gjb_place_sigma(r, p, p->size * gjb_random_octaves(r, -8, -1));
    spin(r, 0.1, 2.0, &course);
    gjb_place_set_course(r, p, &course);
}

/* Half pass within reach of corners that sweep around. */
void gjb_place_fast_spin(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    begin(r, p);
    const double length = p->size * gjb_random_range(r, 0.5, 8.0);
    course.when = gjb_random_range(r, 0.0, 1.5);
    const double sigma = p->size * gjb_random_range(r, 0.01, 0.5);
    if (gjb_random_below(r, 2) == 0)
        pass(r, p, sigma, length, &course);
    else
        aim(r, p, length, &course);
    spin(r, 2.0, 20.0, &course);
    gjb_place_set_course(r, p, &course);
}

/* Bullets: half aimed, half passing or nearly, a quarter with a spin. */
void gjb_place_fast(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    begin(r, p);
    const double length = p->size * gjb_random_octaves(r, 6, 13);
    course.when = gjb_random_range(r, 0.0, 1.25);
    const double share = either_way(r, gjb_random_range(r, 0.1, 0.5));
    if (gjb_random_below(r, 2) == 0 && can_be_hit(p))
        aim(r, p, length, &course);
    else
        pass(r, p, (can_be_hit(p) ? share : fabs(share)) * p->size, length, &course);
    if (gjb_random_below(r, 4) == 0)
        spin(r, 0.02, 1.0, &course);
    gjb_place_set_course(r, p, &course);
}

/* 2^-24 to 2^-6 of the size, of either sign; one in eight is 0. */
static double hair(gjb_random *r, const gjb_placement *p)
{
    const double share = either_way(r, gjb_random_octaves(r, -24, -6));
    return gjb_random_below(r, 8) == 0 ? 0.0 : share * p->size;
}

/* Vertices of a body as they are turned. */
static const double *turned(const gjb_placement *p, const gjb_placed *body, uint32_t i)
{
    return p->dim == 2 ? body->turned[i] : body->turned3[i];
}

/* Its vertex farthest back along n. */
static void hindmost(const gjb_placement *p, const gjb_placed *body, const double n[3], double v[3])
{
    double least = 0.0;
    for (uint32_t i = 0; i < body->count; i++) {
        const double *w = turned(p, body, i);
        const double here = n[0] * w[0] + n[1] * w[1] + (p->dim == 3 ? n[2] * w[2] : 0.0);
        if (i == 0 || here < least) {
            least = here;
            memcpy(v, w, p->dim * sizeof *v);
        }
    }
}

/* A's farthest corner from its origin sweeps past a corner of B. B lies behind a tangent plane of the
 * sphere that the corner sweeps, sigma away: no corner comes nearer, whatever the turns.
 * 0 if A is a point at its origin. */
static int place_before_sweep(gjb_placement *p, double sigma)
{
    double n[3] = {0.0, 0.0, 0.0}, corner[3] = {0.0, 0.0, 0.0}, far = 0.0, t[3];
    for (uint32_t i = 0; i < p->a.count; i++) {
        const double *v = turned(p, &p->a, i);
        const double here = v[0] * v[0] + v[1] * v[1] + (p->dim == 3 ? v[2] * v[2] : 0.0);
        if (here > far) {
            far = here;
            memcpy(n, v, p->dim * sizeof *n);
        }
    }
    if (!gjb_unit3(n))
        return 0;
    const double along = sqrt(far) + p->radius + sigma;
    hindmost(p, &p->b, n, corner);
    for (int axis = 0; axis < 3; axis++)
        t[axis] = n[axis] * along - corner[axis];
    gjb_place_put(p, t);
    return 1;
}

/* Closest at that time: along the plane between them without rotation, or with a little; or A
 * turns alone, a corner of it past B. */
void gjb_place_graze_motion(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    begin(r, p);
    const double length = p->size * gjb_random_range(r, 0.5, 8.0), sigma = hair(r, p);
    course.when = gjb_random_range(r, 0.0, 1.0);
    const uint32_t variant = gjb_random_below(r, 4);
    if (variant == 0 && place_before_sweep(p, sigma))
        course.turns[0] = either_way(r, gjb_random_range(r, 0.05, 1.0));
    else
        pass(r, p, sigma, length, &course);
    if (variant == 1)
        spin(r, 0.001, 0.1, &course);
    gjb_place_set_course(r, p, &course);
}

/* B takes A's rotation, so that boxes lie face on face. */
static void turn_alike(gjb_placement *p)
{
    if (p->dim == 2) {
        gjb_place_turn(&p->b, p->precision, p->a.pose.c, p->a.pose.s);
    } else {
        double q[4];
        gjb_stored_turn(&p->a, q);
        gjb_place_turn3(&p->b, p->precision, q);
    }
    gjb_place_difference(p);
}

/* Next to one another at the beginning: sliding, rolling, leaving or pressing on. */
void gjb_place_resting(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    begin(r, p);
    if (gjb_random_below(r, 2) == 0)
        turn_alike(p);
    const double length = p->size * gjb_random_range(r, 0.01, 2.0), share = gjb_random_octaves(r, -23, -10);
    const double slope = gjb_random_range(r, 0.01, 1.0);
    const uint32_t variant = gjb_random_below(r, 4);
    pass(r, p, share * p->size, length, &course);
    if (variant == 1)
        spin(r, 0.001, 0.1, &course);
    else if (variant > 1)
        gjb_along3(course.way, p->normal, (variant == 2 ? slope : -slope) * length, course.way);
    gjb_place_set_course(r, p, &course);
}

/* Deep, or touching to a hair, or exactly so but for rounding; going anywhere. */
void gjb_place_start_overlap(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    double u[3];
    begin(r, p);
    const uint32_t variant = gjb_random_below(r, 4);
    const double depth = gjb_random_range(r, 0.01, 0.5), sigma = hair(r, p);
    if (variant < 2)
        gjb_place_sigma(r, p, -depth * p->size);
    else
        place_beside(r, p, variant == 2 ? -fabs(sigma) : 0.0);
    gjb_random_direction(r, p->dim, u);
    const double length = p->size * gjb_random_range(r, 0.0, 4.0);
    for (int axis = 0; axis < 3; axis++)
        course.way[axis] = u[axis] * length;
    if (gjb_random_below(r, 2) == 0)
        spin(r, 0.01, 2.0, &course);
    gjb_place_set_course(r, p, &course);
}

/* 1e-6 to 1e-2 of the size in all: bodies that are about to come to rest. */
void gjb_place_slow(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    begin(r, p);
    const double length = p->size * gjb_random_octaves(r, -20, -7);
    course.when = gjb_random_range(r, 0.0, 1.5);
    const uint32_t variant = gjb_random_below(r, 4);
    if (variant == 0)
        pass(r, p, hair(r, p), length, &course);
    else
        aim(r, p, length, &course);
    if (variant > 1)
        spin(r, 1e-6, 1e-3, &course);
    gjb_place_set_course(r, p, &course);
}

/* B moves alone. Of eight, one passes by a hair and one begins in contact, within A or past it. */
void gjb_place_cast(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {.alone = 1};
    approach(r, p, &course);
    const uint32_t variant = gjb_random_below(r, 8);
    if (variant == 0)
        pass(r, p, hair(r, p), sqrt(gjb_dot3(course.way, course.way)), &course);
    else if (variant == 1)
        course.when = -gjb_random_range(r, 0.0, 0.25);
    gjb_place_set_course(r, p, &course);
}

/* Touching at first, half exactly but for rounding, half within a few hundred roundings in f32; then along the plane,
 * away from it, into it, anywhere, or up or down by a hair. */
void gjb_place_touch_cast(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {.alone = 1};
    double u[3];
    begin(r, p);
    if (gjb_random_below(r, 2) == 0)
        turn_alike(p);
    const double length = p->size * gjb_random_range(r, 0.01, 2.0), slope = gjb_random_range(r, 0.01, 1.0);
    const double off = p->size * either_way(r, gjb_random_octaves(r, p->precision == GJB_F32 ? -26 : -55,
                                                                  p->precision == GJB_F32 ? -17 : -46));
    const double tilt = either_way(r, gjb_random_octaves(r, -55, -10));
    const uint32_t exact = gjb_random_below(r, 2), variant = gjb_random_below(r, 5);
    pass(r, p, exact ? 0.0 : off, length, &course);
    gjb_random_direction(r, p->dim, u);
    if (variant == 1)
        gjb_along3(course.way, p->normal, slope * length, course.way);
    else if (variant == 2)
        gjb_along3(course.way, p->normal, -slope * length, course.way);
    else if (variant == 3)
        gjb_along3(course.way, p->normal, tilt * length, course.way);
    for (int axis = 0; axis < 3 && variant == 4; axis++)
        course.way[axis] = u[axis] * length;
    gjb_place_set_course(r, p, &course);
}

/* Both go 8 to 1024 sizes the same way, and little against each other. */
void gjb_place_common_motion(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {0};
    approach(r, p, &course);
    if (gjb_random_below(r, 2) == 0)
        spin(r, 0.02, 1.0, &course);
    course.common = p->size * gjb_random_octaves(r, 3, 10);
    gjb_place_set_course(r, p, &course);
}

/* Touching exactly, three of four, at a quarter of the step: all coordinates are integers, of
 * displacements multiples of four. */
void gjb_place_lattice_motion(gjb_random *r, gjb_placement *p)
{
    gjb_course course = {.grid = 4.0};
    if (p->dim == 3) {
        gjb_place_vertex_on3(r, p);
        p->t[0] = p->b.pose3.x - p->a.pose3.x;
        p->t[1] = p->b.pose3.y - p->a.pose3.y;
        p->t[2] = p->b.pose3.z - p->a.pose3.z;
    } else {
        gjb_place_vertex_on(r, p);
        p->t[0] = p->b.pose.x - p->a.pose.x;
        p->t[1] = p->b.pose.y - p->a.pose.y;
    }
    course.when = 0.25 * gjb_random_below(r, 5);
    for (uint32_t axis = 0; axis < p->dim; axis++) {
        const double way = 4.0 * ((double)gjb_random_below(r, 17) - 8.0);
        course.way[axis] = gjb_random_below(r, 4) == 0 ? 0.0 : way;
    }
    gjb_place_set_course(r, p, &course);
}

/* A little of everything, for shapes that are the point of a family. */
void gjb_place_assorted_motion(gjb_random *r, gjb_placement *p)
{
    static void (*const places[])(gjb_random *, gjb_placement *) = {
        gjb_place_approach, gjb_place_approach_spin, gjb_place_spin,    gjb_place_fast_spin,
        gjb_place_fast,     gjb_place_graze_motion,  gjb_place_resting, gjb_place_start_overlap,
    };
    places[gjb_random_below(r, sizeof places / sizeof *places)](r, p);
}
