/* Families of unturned boxes in motion: sweeps, grazes, faces, contact at the start, late contact. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"

/* Boxes that move and stay unturned. The axes are independent: B's place on each lies below,
 * within or above the interval of A - B. */

/* Half extents of boxes, and about any centre for those by corners: in any order. One axis of
 * eight has no extent, `thin` times as much another. */
static void draw_box(gjb_random *r, gjb_draft *draft, int plate)
{
    const double size = gjb_random_range(r, 0.5, 2.0);
    double *numbers = draft->dim == 2 ? draft->rows[0] : draft->rows3[0];
    const uint32_t dim = draft->dim, thin = gjb_random_below(r, 2 * dim);
    const double share = plate ? gjb_random_octaves(r, -20, -6) : 1.0;
    draft->radius = 0.0;
    for (uint32_t axis = 0; axis < dim; axis++) {
        double half = size * gjb_random_range(r, 0.1, 1.0);
        half = gjb_random_below(r, 8) == 0 ? 0.0 : axis == thin ? half * share : half;
        const double centre = size * gjb_random_range(r, -1.0, 1.0), sign = gjb_random_sign(r);
        if (draft->kind == GJB_BOX)
            numbers[axis] = half;
        else
            numbers[axis] = draft->kind == GJB_POINT ? centre : centre - sign * half;
        if (draft->kind == GJB_AABB)
            numbers[dim + axis] = centre + sign * half;
    }
}

void gjb_shape_unturned(gjb_random *r, gjb_draft *draft)
{
    draw_box(r, draft, 0);
}

void gjb_shape_unturned_lattice(gjb_random *r, gjb_draft *draft)
{
    draw_box(r, draft, 0);
    draft->quantum = 0x1p-8;
}

void gjb_shape_plate(gjb_random *r, gjb_draft *draft)
{
    draw_box(r, draft, 1);
}

/* Coordinate of B's place, as it is stored. */
static double *stored(gjb_placement *p, gjb_placed *body, uint32_t axis)
{
    double *const plane[2] = {&body->pose.x, &body->pose.y};
    double *const space[3] = {&body->pose3.x, &body->pose3.y, &body->pose3.z};
    return p->dim == 2 ? plane[axis] : space[axis];
}

/* A - B along each axis, and a pair in the making. */
typedef struct boxes {
    double lo[3], hi[3];
    double t[3];
    gjb_course course;
    uint32_t exact; /* all on a lattice, so that nothing rounds */
} boxes;

static void range_of(const gjb_placement *p, const gjb_placed *body, uint32_t axis, double range[2])
{
    for (uint32_t i = 0; i < body->count; i++) {
        const double here = p->dim == 2 ? body->turned[i][axis] : body->turned3[i][axis];
        range[0] = i == 0 || here < range[0] ? here : range[0];
        range[1] = i == 0 || here > range[1] ? here : range[1];
    }
}

static void leave_unturned(gjb_placement *p, gjb_placed *body)
{
    static const double none[4] = {0.0, 0.0, 0.0, 1.0};
    if (p->dim == 2)
        gjb_place_turn(body, p->precision, 1.0, 0.0);
    else
        gjb_place_turn3(body, p->precision, none);
}

static void begin(gjb_random *r, gjb_placement *p, boxes *b, uint32_t exact)
{
    *b = (boxes){.exact = exact, .course.grid = exact ? 0.125 : 0.0};
    leave_unturned(p, &p->a);
    leave_unturned(p, &p->b);
    for (uint32_t axis = 0; axis < p->dim; axis++) {
        double of_a[2] = {0}, of_b[2] = {0}, at = p->unit * gjb_random_range(r, -4.0, 4.0);
        range_of(p, &p->a, axis, of_a);
        range_of(p, &p->b, axis, of_b);
        b->lo[axis] = of_a[0] - of_b[1];
        b->hi[axis] = of_a[1] - of_b[0];
        if (exact)
            gjb_snap(&at, 1, 0.125);
        *stored(p, &p->a, axis) = gjb_rounded(p->precision, at + p->offset[axis]);
    }
}

/* In eighths if the pair is exact. */
static double drawn(gjb_random *r, const boxes *b, double lo, double hi)
{
    double value = gjb_random_range(r, lo, hi);
    if (b->exact)
        gjb_snap(&value, 1, 0.125);
    return value;
}

static double instant(gjb_random *r, const boxes *b, double hi)
{
    return drawn(r, b, b->exact ? 0.125 : 0.0, hi);
}

/* Not 0. */
static double speed(gjb_random *r, const gjb_placement *p, const boxes *b)
{
    const double value = drawn(r, b, 0.25 * p->size, 4.0 * p->size);
    return b->exact && value < 0.125 ? 0.125 : value;
}

/* Inside along all axes, with any velocity. */
static void place_within(gjb_random *r, const gjb_placement *p, boxes *b)
{
    for (uint32_t axis = 0; axis < p->dim; axis++) {
        const double share = gjb_random_range(r, 0.02, 0.98),
                     way = drawn(r, b, -2.0 * p->size, 2.0 * p->size);
        b->t[axis] = b->lo[axis] + (b->hi[axis] - b->lo[axis]) * share;
        b->course.way[axis] = way;
    }
}

/* On a face along an axis, moving in or out. Its side, -1 or 1. */
static double place_on_face(gjb_random *r, const gjb_placement *p, boxes *b, uint32_t axis, double outwards)
{
    const double side = gjb_random_sign(r);
    b->t[axis] = side > 0.0 ? b->hi[axis] : b->lo[axis];
    b->course.way[axis] = side * outwards * speed(r, p, b);
    return side;
}

/* B approaches a face of A. In a quarter of the pairs it passes: when it arrives, it is outside along another
 * axis, and leaving there. */
static void face_a_side(gjb_random *r, gjb_placement *p, boxes *b)
{
    const uint32_t axis = gjb_random_below(r, p->dim);
    place_within(r, p, b);
    place_on_face(r, p, b, axis, -1.0);
    b->course.when = instant(r, b, 1.5);
    const double gap = p->size * gjb_random_range(r, 0.01, 1.0);
    if (gjb_random_below(r, 4) == 0) {
        const uint32_t other = (axis + 1) % p->dim;
        const double side = place_on_face(r, p, b, other, 1.0);
        b->t[other] += side * gap;
    }
}

/* As drawn, or off by a few units in the last place, 1e-7 to 1e-5 or 1e-4 to 1e-2 of the size. */
static void nudge(gjb_random *r, gjb_placement *p, uint32_t axis)
{
    const uint32_t variant = gjb_random_below(r, 4);
    const double few = (double)gjb_random_below(r, 9) - 4.0, fine = gjb_random_octaves(r, -23, -16);
    const double coarse = gjb_random_octaves(r, -13, -6), sign = gjb_random_sign(r);
    double *x = stored(p, &p->b, axis);
    if (variant == 1)
        *x += few * 2.0 * gjb_epsilon(p->precision) * fabs(*x);
    else if (variant > 1)
        *x += sign * (variant == 2 ? fine : coarse) * p->size;
    *x = gjb_rounded(p->precision, *x);
}

static void finish(gjb_random *r, gjb_placement *p, const boxes *b)
{
    gjb_place_put(p, b->t);
    gjb_place_set_course(r, p, &b->course);
}

void gjb_place_box_sweep(gjb_random *r, gjb_placement *p)
{
    boxes b;
    begin(r, p, &b, 0);
    face_a_side(r, p, &b);
    finish(r, p, &b);
}

/* In contact only at one instant: it arrives along one axis when it leaves along another. */
void gjb_place_box_graze(gjb_random *r, gjb_placement *p)
{
    boxes b;
    begin(r, p, &b, gjb_random_below(r, 2));
    const uint32_t axis = gjb_random_below(r, p->dim), other = (axis + 1) % p->dim;
    place_within(r, p, &b);
    b.course.when = instant(r, &b, 1.0);
    place_on_face(r, p, &b, axis, -1.0);
    place_on_face(r, p, &b, other, 1.0);
    if (p->dim == 3 && gjb_random_below(r, 2) == 0)
        place_on_face(r, p, &b, (axis + 2) % p->dim, gjb_random_sign(r)); /* a corner, not an edge */
    finish(r, p, &b);
    nudge(r, p, other);
}

/* Along the axes at rest: inside, on a face, or outside. */
void gjb_place_box_axis(gjb_random *r, gjb_placement *p)
{
    boxes b;
    begin(r, p, &b, gjb_random_below(r, 2));
    const uint32_t axis = gjb_random_below(r, p->dim), all = gjb_random_below(r, 4) == 0;
    place_within(r, p, &b);
    b.course.when = instant(r, &b, 1.25);
    for (uint32_t k = 0; k < p->dim; k++) {
        const uint32_t place = gjb_random_below(r, all ? 8 : 4);
        const double gap = p->size * gjb_random_octaves(r, -6, 0);
        if (k != axis && !all) {
            place_on_face(r, p, &b, k, -1.0);
            continue;
        }
        if (place < 2) {
            const double side = place_on_face(r, p, &b, k, 1.0);
            b.t[k] += place == 0 ? 0.0 : side * gap;
        }
        b.course.way[k] = 0.0;
    }
    finish(r, p, &b);
    nudge(r, p, axis);
}

/* At first inside, on a face, or nearly, and going anywhere. */
void gjb_place_box_inside(gjb_random *r, gjb_placement *p)
{
    boxes b;
    begin(r, p, &b, gjb_random_below(r, 2));
    const uint32_t axis = gjb_random_below(r, p->dim), variant = gjb_random_below(r, 3);
    const double outwards = gjb_random_sign(r);
    place_within(r, p, &b);
    if (variant > 0)
        place_on_face(r, p, &b, axis, outwards);
    if (gjb_random_below(r, 2) == 0)
        b.course.way[(axis + 1) % p->dim] = 0.0;
    finish(r, p, &b);
    if (variant > 1)
        nudge(r, p, axis);
}

void gjb_place_box_fast(gjb_random *r, gjb_placement *p)
{
    boxes b;
    begin(r, p, &b, 0);
    face_a_side(r, p, &b);
    const double times = gjb_random_octaves(r, 6, 16);
    for (uint32_t axis = 0; axis < p->dim; axis++)
        b.course.way[axis] *= times;
    finish(r, p, &b);
}

void gjb_place_box_common(gjb_random *r, gjb_placement *p)
{
    boxes b;
    double u[3];
    gjb_random_direction(r, p->dim, u);
    const double away = p->size * gjb_random_octaves(r, 6, 16);
    for (uint32_t axis = 0; axis < p->dim; axis++)
        p->offset[axis] += u[axis] * away;
    begin(r, p, &b, 0);
    face_a_side(r, p, &b);
    b.course.common = p->size * gjb_random_octaves(r, 3, 10);
    finish(r, p, &b);
}

void gjb_place_box_late(gjb_random *r, gjb_placement *p)
{
    boxes b;
    begin(r, p, &b, gjb_random_below(r, 2));
    const uint32_t axis = gjb_random_below(r, p->dim);
    place_within(r, p, &b);
    b.course.when = gjb_random_below(r, 4) == 0 ? 0.0 : 1.0;
    place_on_face(r, p, &b, axis, -1.0);
    finish(r, p, &b);
    nudge(r, p, axis);
}
