/* Families with aligned axes: stacked, nested, crossed and all but round shapes, at rest and in motion. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"

/* Pairs with aligned axes: one shape is on, next to or within the other, or slides along it. The nearest
 * features of such curved shapes are faces, lines and whole circles. Also shapes that are nearly round about
 * a common axis: depths around it differ only as far as the shapes are not round. And thin shapes that cross
 * others like them: depths along the normals of both differ only by the offset, and the normals by a small
 * angle. */

/* Steps aside are eighths of the size, no more than half of it. */
enum { STEPS = 8, FARTHEST_STEP = 4 };

/* Unit vectors along A's axes, exact if A is not turned; in 2D the first two. */
static void axes_of(const gjb_placement *p, double axes[3][3])
{
    double q[4];
    memset(axes, 0, 9 * sizeof **axes);
    if (p->dim == 2) {
        axes[0][0] = axes[1][1] = p->a.pose.c;
        axes[0][1] = p->a.pose.s;
        axes[1][0] = -p->a.pose.s;
        return;
    }
    gjb_stored_turn(&p->a, q);
    for (int axis = 0; axis < 3; axis++)
        gjb_turned_axis(q, axis, axes[axis]);
}

/* How far A - B reaches along one of those axes. */
static double reach_along(const gjb_placement *p, const double u[3])
{
    double far[3], reach = 0.0;
    if (p->dim == 3) {
        gjb_support3(p, u, far);
        return gjb_dot3(u, far);
    }
    for (uint32_t i = 0; i < p->loop_count; i++) {
        const double here = u[0] * p->loop[i][0] + u[1] * p->loop[i][1];
        reach = i == 0 || here > reach ? here : reach;
    }
    return reach;
}

/* The tangent of an angle, in 3D of half of it: 0 in half, else a few roundings, or 2^-20 to 2^-7. */
static double lean_of_aligned(gjb_random *r, gjb_precision precision)
{
    const uint32_t variant = gjb_random_below(r, 8);
    const double few = gjb_epsilon(precision) * ((double)gjb_random_below(r, 17) - 8.0);
    const double some = gjb_random_octaves(r, -20, -7);
    return variant < 4 ? 0.0 : variant < 7 ? few : some;
}

/* A unturned in every other pair, B turned like A but for a symmetry of the square or cube and for how it leans. */
static void turn_both(gjb_random *r, gjb_placement *p, double (*draw_lean)(gjb_random *, gjb_precision))
{
    const uint32_t unturned = gjb_random_below(r, 2);
    if (p->dim == 2) {
        double c = unturned ? 1.0 : p->a.pose.c, s = unturned ? 0.0 : p->a.pose.s;
        gjb_place_turn(&p->a, p->precision, c, s);
        for (uint32_t quarters = gjb_random_below(r, 4); quarters > 0; quarters--) {
            const double was = c;
            c = -s;
            s = was;
        }
        const double lean = draw_lean(r, p->precision), was = c, length = sqrt(1.0 + lean * lean);
        c = (was - lean * s) / length;
        s = (s + lean * was) / length;
        gjb_unit_length(&c, &s);
        gjb_place_turn(&p->b, p->precision, c, s);
        return;
    }
    static const double unturned3[4] = {0.0, 0.0, 0.0, 1.0};
    double q[4], lean[4] = {0.0, 0.0, 0.0, 1.0};
    if (unturned)
        gjb_place_turn3(&p->a, p->precision, unturned3);
    gjb_stored_turn(&p->a, q);
    for (uint32_t turn = gjb_random_below(r, 4); turn > 0; turn--) { /* thirds about the diagonal, and halves about an axis */
        const uint32_t axis = gjb_random_below(r, 3);
        double quarter[4] = {0.5, 0.5, 0.5, 0.5};
        if (gjb_random_below(r, 2) == 0) {
            memset(quarter, 0, sizeof quarter);
            quarter[axis] = 1.0;
        }
        gjb_turn_after(q, quarter, q);
    }
    for (int axis = 0; axis < 3; axis++)
        lean[axis] = draw_lean(r, p->precision);
    const double length = sqrt(1.0 + gjb_dot3(lean, lean));
    for (int k = 0; k < 4; k++)
        lean[k] /= length;
    gjb_turn_after(q, lean, q);
    gjb_place_turn3(&p->b, p->precision, q);
}

/* Axes in line but for the lean that is drawn, those of A as the frame of steps aside. */
static void begin_in_line(gjb_random *r, gjb_placement *p, double (*draw_lean)(gjb_random *, gjb_precision),
                          double axes[3][3])
{
    gjb_place_begin(r, p);
    turn_both(r, p, draw_lean);
    gjb_place_difference(p);
    axes_of(p, axes);
}

/* Touching exactly, but for a few roundings, or by 2^-20 to 2^-3 of the size, to either side. */
static double draw_gap(gjb_random *r, const gjb_placement *p)
{
    const uint32_t variant = gjb_random_below(r, 3);
    const double few = gjb_epsilon(p->precision) * ((double)gjb_random_below(r, 17) - 8.0), sign = gjb_random_sign(r);
    const double some = sign * gjb_random_octaves(r, -20, -3);
    return p->size * (variant == 0 ? 0.0 : variant == 1 ? few : some);
}

/* How far aside: not at all, a few roundings, or some eighths of the size. */
static double draw_step(gjb_random *r, const gjb_placement *p)
{
    const uint32_t variant = gjb_random_below(r, 4);
    const double few = gjb_epsilon(p->precision) * ((double)gjb_random_below(r, 17) - 8.0);
    const double steps = ((double)gjb_random_below(r, 2 * FARTHEST_STEP + 1) - FARTHEST_STEP) / STEPS;
    return p->size * (variant < 2 ? 0.0 : variant == 2 ? few : steps);
}

/* One of four within, the others end to end, side by side or on top; `u`: along which axis. */
static void place_aligned(gjb_random *r, gjb_placement *p, double axes[3][3], double u[3])
{
    double t[3] = {0.0, 0.0, 0.0};
    begin_in_line(r, p, lean_of_aligned, axes);
    const uint32_t along = gjb_random_below(r, p->dim), within = gjb_random_below(r, 4);
    const double sign = gjb_random_sign(r), gap = draw_gap(r, p);
    for (int k = 0; k < 3; k++)
        u[k] = sign * axes[along][k];
    for (uint32_t axis = 0; axis < p->dim; axis++) {
        const double step = draw_step(r, p);
        if (axis != along || within == 0)
            gjb_along3(t, axes[axis], step, t);
    }
    if (within != 0)
        gjb_along3(t, u, reach_along(p, u) + p->radius + gap, t);
    gjb_place_put(p, t);
}

void gjb_place_aligned(gjb_random *r, gjb_placement *p)
{
    double axes[3][3], u[3];
    place_aligned(r, p, axes, u);
}

/* Towards the other or along an axis of A, by quarters of the size; in one of four turning as well. */
void gjb_place_aligned_motion(gjb_random *r, gjb_placement *p)
{
    double axes[3][3], u[3];
    gjb_course course = {0};
    place_aligned(r, p, axes, u);
    const uint32_t slides = gjb_random_below(r, 3), axis = gjb_random_below(r, p->dim);
    const double length = 0.25 * p->size * (1.0 + gjb_random_below(r, 16)), turns = gjb_random_range(r, -0.25, 0.25);
    course.when = 0.25 * gjb_random_below(r, 5);
    const uint32_t body = gjb_random_below(r, 2), spins = gjb_random_below(r, 4);
    course.turns[body] = spins == 0 ? turns : 0.0;
    for (int k = 0; k < 3; k++)
        course.way[k] = length * (slides == 0 ? axes[axis][k] : -u[k]);
    gjb_place_set_course(r, p, &course);
}

/* 0 in one of so many, else either sign of 2^lo to 2^hi. */
static double some_or_0(gjb_random *r, uint32_t one_of, int lo, int hi)
{
    const uint32_t variant = gjb_random_below(r, one_of);
    const double sign = gjb_random_sign(r), some = gjb_random_octaves(r, lo, hi);
    return variant == 0 ? 0.0 : sign * some;
}

static double all_but_0(gjb_random *r)
{
    return some_or_0(r, 3, -54, -10);
}

static double lean_of_round(gjb_random *r, gjb_precision precision)
{
    (void)precision;
    return all_but_0(r);
}

/* Nearly round, mostly about the last axis, at times about all. Half of those with vertices are nearly a line
 * along that axis. The small half has 2^-8 of its size to all of it. */
void gjb_shape_all_but_round(gjb_random *r, gjb_draft *draft)
{
    gjb_shape_plain(r, draft);
    const uint32_t dim = draft->dim, pole = gjb_random_below(r, 3 * dim), around = gjb_random_below(r, 4);
    const uint32_t last = pole < dim ? pole : dim - 1, first = (last + 1) % dim;
    const double off = all_but_0(r), off_pole = all_but_0(r), exponent = all_but_0(r), scale = gjb_random_octaves(r, -8, 0);
    const double thin = gjb_power_of_two(-8 * (int)gjb_random_below(r, 6)); /* exact, so that vertices stay convex */
    double *row = dim == 2 ? draft->rows[0] : draft->rows3[0];
    draft->scale *= draft->small ? scale : 1.0;
    if (draft->kind == GJB_SUPERELLIPSE || draft->kind == GJB_SUPERELLIPSOID)
        row[dim] = 2.0 + exponent;
    if (!gjb_is_curved(draft->kind)) {
        for (uint32_t axis = 0; axis + 1 < dim && around < 2; axis++)
            draft->stretch[axis] *= thin;
    } else if (draft->kind != GJB_CYLINDER && draft->kind != GJB_CONE) {
        row[(first + 1) % dim] = row[first] * (1.0 + off);
        row[last] = dim == 2 || around == 0 ? row[first] * (1.0 + off_pole) : row[last];
    }
}

/* One within the other, the axes in line but for so little, half of the pairs moved along the last. */
void gjb_place_all_but_round(gjb_random *r, gjb_placement *p)
{
    double axes[3][3], t[3] = {0.0, 0.0, 0.0};
    begin_in_line(r, p, lean_of_round, axes);
    for (uint32_t axis = 0; axis < p->dim; axis++)
        gjb_along3(t, axes[axis], all_but_0(r) * p->size, t);
    const double *along = axes[p->dim - 1], share = gjb_random_range(r, -0.5, 0.5);
    const uint32_t moved = gjb_random_below(r, 2);
    p->swap = (uint8_t)gjb_random_below(r, 2);
    if (gjb_place_deepest(p) + p->radius < 1e-3 * p->size) {
        gjb_place_sigma(r, p, 0.01 * p->size); /* lines contain nothing */
        return;
    }
    if (moved)
        gjb_along3(t, along, share * reach_along(p, along), t);
    gjb_place_put(p, t);
}

static double lean_of_crossed(gjb_random *r, gjb_precision precision)
{
    (void)precision;
    return some_or_0(r, 2, -20, -4);
}

/* Thin along one axis, by up to 2^-40; of curved shapes in one of four without any thickness. */
void gjb_shape_crossed(gjb_random *r, gjb_draft *draft)
{
    gjb_shape_plain(r, draft);
    const uint32_t lined = draft->kind == GJB_CYLINDER || draft->kind == GJB_CONE;
    const uint32_t axis = gjb_random_below(r, lined ? 2 : draft->dim), none = gjb_random_below(r, 4);
    const double thin = gjb_power_of_two(-(int)gjb_random_below(r, 41)); /* exact, so that vertices stay convex */
    double *row = draft->dim == 2 ? draft->rows[0] : draft->rows3[0];
    draft->radius *= draft->kind == GJB_POINT ? 1.0 : thin;
    if (gjb_is_curved(draft->kind))
        row[axis] *= none == 0 ? 0.0 : thin;
    else
        draft->stretch[axis] *= thin;
}

/* In one place but for 2^-40 to 2^-10 of the size along some of the axes. */
void gjb_place_crossed(gjb_random *r, gjb_placement *p)
{
    double axes[3][3], t[3] = {0.0, 0.0, 0.0};
    begin_in_line(r, p, lean_of_crossed, axes);
    for (uint32_t axis = 0; axis < p->dim; axis++)
        gjb_along3(t, axes[axis], some_or_0(r, 2, -40, -10) * p->size, t);
    if (gjb_place_deepest(p) + p->radius < 256.0 * gjb_epsilon(p->precision) * p->size) {
        gjb_place_sigma(r, p, 0.01 * p->size); /* no inside to speak of */
        return;
    }
    gjb_place_put(p, t);
}
