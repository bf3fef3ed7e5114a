/* Is a point on the upper side of a shape along n? Without its topology, by support mapping alone.
 *
 * A point a that is no more than T below the highest point of its shape is. Else a point of the shape over a is
 * found, a combination of support points, that is D higher. If none is over a, since a lies next to the shape by
 * rounding, it is the one of the rim that is nearest: a wall that stands along n has its rim for an upper side, and
 * nothing below. On a slope a may be off across n by T, too, so D may be T (1 + slope). Where D is more, the point over
 * it proves that a lies below the surface. What rises by more than S over T, or 2^30 times as much as it goes across,
 * is a wall.
 *
 * Contacts of rounded shapes are points of the core that are moved along n by the radius. On a slope they lie within
 * the shape. So a is on the upper side, too, if what it was moved from is within T of that of the core. */
#include "grading/manifold/manifold.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "grading/bounds_private.h"
#include "grading/manifold/roof.h"

typedef struct side {
    const gjb_placed_pair *placed;
    real e[3], f[3], up[3], from[3]; /* about the point that is asked about */
    int of_b, core;                  /* 1: of the core alone */
} side;

static real radius_of(const gjb_placed_pair *placed, int of_b)
{
    return placed->is_curved        ? placed->curved.body[of_b].ball
           : placed->pair->dim == 2 ? placed->plane[of_b].radius
                                    : placed->space[of_b].radius;
}

/* The farthest point of a shape along r; in the plane, of the prism over it, as thick as the pair is large. */
static void support(const side *s, const real r[3], real out[3])
{
    const gjb_placed_pair *placed = s->placed;
    const int plane = placed->pair->dim == 2, of_b = s->of_b;
    real flat[3] = {r[0], r[1], plane ? 0 : r[2]};
    const real radius = s->core ? 0 : radius_of(placed, of_b);
    const int any = gjb_normalise3(flat);
    if (placed->is_curved) {
        ref_solid_support(&placed->curved.body[of_b], flat, out);
    } else if (plane) {
        const gjb_placed2 *own = &placed->plane[of_b];
        uint32_t best = 0;
        for (uint32_t k = 1; k < own->count; k++)
            if (flat[0] * own->vertices[k][0] + flat[1] * own->vertices[k][1] >
                flat[0] * own->vertices[best][0] + flat[1] * own->vertices[best][1])
                best = k;
        out[0] = own->vertices[best][0];
        out[1] = own->vertices[best][1];
    } else {
        uint32_t index = 0;
        gjb_placed_support3(&placed->space[of_b], flat, &index);
        gjb_image3(&placed->space[of_b], index, out);
    }
    for (int k = 0; k < 3 && any; k++)
        out[k] += radius * flat[k];
    if (plane)
        out[2] = r[2] < 0 ? -(real)placed->size : (real)placed->size;
}

static void side_support(const void *context, const real tilt[2], real out[3])
{
    const side *s = context;
    real r[3], x[3];
    for (int k = 0; k < 3; k++)
        r[k] = s->up[k] + tilt[0] * s->e[k] + tilt[1] * s->f[k];
    support(s, r, x);
    gjb_sub3(x, s->from, x);
    out[0] = gjb_dot3(s->e, x);
    out[1] = gjb_dot3(s->f, x);
    out[2] = gjb_dot3(s->up, x);
}

static void open_side(side *s, const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b,
                      const double point[3], int core)
{
    *s = (side){.placed = placed, .of_b = of_b, .core = core};
    const real back = core ? radius_of(placed, of_b) : 0;
    for (int k = 0; k < 3; k++) {
        s->e[k] = frame->e[k];
        s->f[k] = of_b ? -frame->f[k] : frame->f[k];
        s->up[k] = of_b ? -frame->n[k] : frame->n[k];
        s->from[k] = point[k] - back * s->up[k];
    }
}

static gjb_roof roof_over(const side *s, real near)
{
    const real size = s->placed->size;
    return (gjb_roof){
        .support = side_support, .context = s, .far = 8 * size, .steepest = fminl(0x1p30L, size / near)};
}

/* A point within a set, across. */
static void middle_of(const side *s, real out[2])
{
    out[0] = out[1] = 0;
    for (int way = 0; way < 4; way++) {
        const real *axis = way / 2 ? s->f : s->e, sign = way % 2 ? -1 : 1;
        const real r[3] = {sign * axis[0], sign * axis[1], sign * axis[2]};
        real x[3];
        support(s, r, x);
        gjb_sub3(x, s->from, x);
        out[0] += 0.25L * gjb_dot3(s->e, x);
        out[1] += 0.25L * gjb_dot3(s->f, x);
    }
}

/* Moves a core's point that is on its rim, or next to it, by `near` towards its inside. */
static void move_inward(side *core, const gjb_roof *roof, real near)
{
    real way[2], inward[2];
    middle_of(core, inward);
    for (int k = 0; k < 2; k++)
        inward[k] -= roof->over[k];
    if (roof->reals == 2) {
        const real along[2] = {roof->end[1][0] - roof->end[0][0], roof->end[1][1] - roof->end[0][1]};
        const real turn = along[0] * inward[1] - along[1] * inward[0];
        way[0] = turn < 0 ? along[1] : -along[1];
        way[1] = turn < 0 ? -along[0] : along[0];
    } else {
        memcpy(way, inward, sizeof way);
    }
    const real length = hypotl(way[0], way[1]);
    for (int k = 0; k < 3 && length > 0; k++)
        core->from[k] += (roof->over[0] + near * way[0] / length) * core->e[k] +
                         (roof->over[1] + near * way[1] / length) * core->f[k];
}

/* What is over a point, or the rim next to it: of those that are found from several starts the nearest. */
static int find_nearest(const side *s, real near, gjb_roof *roof)
{
    const real rounding = 2 * LDBL_EPSILON * (real)s->placed->size;
    int found = 0;
    for (int turned = 0; turned < 4; turned++) {
        gjb_roof next = roof_over(s, near);
        next.turned = turned;
        if (!gjb_roof_find(&next, 0.0625L * near, rounding))
            continue;
        if (!found || hypotl(next.over[0], next.over[1]) < hypotl(roof->over[0], roof->over[1]))
            *roof = next;
        found = 1;
        if (roof->reals == 3 || hypotl(roof->over[0], roof->over[1]) <= near)
            return 1;
    }
    return found;
}

/* How far a point is proven to be above what is under it, or below what is over it. */
static real off_by(const gjb_roof *roof)
{
    return roof->over[2] > 0 ? roof->over[2] : roof->reals == 3 ? -roof->most : -roof->over[2];
}

/* By how much more than is granted the point is off the surface over places next to it, at the least: on a narrow steep
 * face, or at its edge, it may be off across by `near`, and what is over it may belong to another face. */
static real least_next_to(const side *s, real near)
{
    static const real way[8][2] = {{1, 0}, {0.75L, 0.625L}, {0, 1}, {-0.75L, 0.625L},
                                   {-1, 0}, {-0.75L, -0.625L}, {0, -1}, {0.75L, -0.625L}};
    const real rounding = 2 * LDBL_EPSILON * (real)s->placed->size, doubt = 4 * s->placed->error;
    real least = INFINITY;
    for (int k = 0; k < 8; k++) {
        const real across[2] = {near * way[k][0], near * way[k][1]};
        side moved = *s;
        for (int m = 0; m < 3; m++)
            moved.from[m] += across[0] * s->e[m] + across[1] * s->f[m];
        gjb_roof roof = roof_over(&moved, near);
        if (!gjb_roof_find(&roof, 0.0625L * near, rounding))
            continue;
        if (roof.reals < 3 && hypotl(across[0] + roof.over[0], across[1] + roof.over[1]) > near + doubt)
            continue;
        least = fminl(least, off_by(&roof) - (near + doubt) * (1 + roof.slope));
    }
    return least;
}

/* How much more than `near` what the point was moved from is off the core's upper side. Where that ends in a wall, the
 * point may be off across by `near`, and so over what is within by as much. */
static real off_core(const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b,
                     const double point[3], real near)
{
    const real doubt = 4 * placed->error, rounding = 2 * LDBL_EPSILON * (real)placed->size;
    side core;
    open_side(&core, placed, frame, of_b, point, 1);
    gjb_roof roof;
    if (!find_nearest(&core, near, &roof))
        return 0;
    real across = hypotl(roof.over[0], roof.over[1]);
    real up = off_by(&roof) - (near + doubt) * (1 + roof.slope);
    if (up > 0 && roof.over[2] < 0 && roof.reals < 3) {
        side within = core;
        move_inward(&within, &roof, near);
        gjb_roof inner = roof_over(&within, near);
        if (!gjb_roof_find(&inner, 0.0625L * near, rounding))
            return 0;
        up = fminl(up, off_by(&inner) - (near + doubt) * (1 + inner.slope));
    }
    if (up > 0)
        up = fminl(up, least_next_to(&core, near));
    across = roof.reals == 3 ? 0 : across;
    return fmaxl(0, fmaxl(up, across - near - doubt));
}

real gjb_below_surface(const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b,
                       const double point[3], real near)
{
    const real level[2] = {0, 0}, doubt = 4 * placed->error;
    if (placed->is_curved && gjb_is_unbounded(placed->curved.body[of_b].kind))
        return fmaxl(0, -ref_slab_above(placed->pair, point) - near - doubt); /* its upper side is its plane */
    real top[3];
    side shape;
    open_side(&shape, placed, frame, of_b, point, 0);
    side_support(&shape, level, top);
    if (top[2] <= near + doubt)
        return 0;
    gjb_roof roof = roof_over(&shape, near);
    if (!gjb_roof_find(&roof, 0.0625L * near, 2 * LDBL_EPSILON * (real)placed->size))
        return 0;
    real below = roof.over[2] - (near + doubt) * (1 + roof.slope);
    if (below > 0)
        below = fminl(below, least_next_to(&shape, near));
    if (below <= 0 || radius_of(placed, of_b) == 0)
        return fmaxl(below, 0);
    return fminl(below, off_core(placed, frame, of_b, point, near));
}
