/* Is a point on the upper side of a shape along n? Without its topology, by support mapping alone.
 *
 * A point a that is no more than T below the highest point of its shape is. Else a point of the shape over a is found,
 * a combination of support points. If none is over a, since a lies next to the shape by rounding, it is the one of the
 * rim that is nearest: a wall that stands along n has its rim for an upper side, and nothing below. If it is more than
 * T higher, the same is asked over places T away across n, as a may be off by that: if the surface is no more than T
 * higher over one of them, some point of it is next to a. What rises by more than S over T, or 2^30 times as much as
 * it goes across, is a wall.
 *
 * Contacts of rounded shapes are points of the core that are moved along n by the radius. On a slope they lie within
 * the shape. So a is on the upper side, too, if what it was moved from is within T of that of the core. Such a point
 * may be above the core: then a ridge is looked for as well. */
#include "grading/manifold/manifold.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "grading/bounds_private.h"
#include "grading/manifold/roof.h"
#include "reference/patch/side.h"

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

static side moved_by(const side *s, const real across[2])
{
    side moved = *s;
    for (int m = 0; m < 3; m++)
        moved.from[m] += across[0] * s->e[m] + across[1] * s->f[m];
    return moved;
}

/* Where the surface is, seen from the point, over places within `near` of it: how low, and how high. */
typedef struct span {
    real low, high;
} span;

/* Over the corners of an octagon about that circle, and its middle: a surface that is concave is lowest at corners, or
 * on the rim. So a steep face that is narrower than `near` lets a point pass that is next to it, and no other. 0 if
 * nothing was found. */
static int find_span(const side *s, real near, span *out)
{
    static const real a = 1.0823922002924L, b = 0.76536686473018L; /* 1 / cos 22.5 degrees, and by its half root */
    static const real way[9][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const real doubt = 4 * s->placed->error;
    int found = 0;
    *out = (span){INFINITY, -INFINITY};
    for (int k = 0; k < 9; k++) {
        const real by = near * (way[k][0] != 0 && way[k][1] != 0 ? b : a);
        const real across[2] = {by * way[k][0], by * way[k][1]};
        const side moved = moved_by(s, across);
        gjb_roof roof;
        if (!find_nearest(&moved, near, &roof) ||
            (roof.reals < 3 && hypotl(across[0] + roof.over[0], across[1] + roof.over[1]) > a * near + doubt))
            continue;
        out->low = fminl(out->low, roof.over[2]);
        out->high = fmaxl(out->high, roof.reals == 3 ? roof.most : roof.over[2]);
        found = 1;
    }
    return found;
}

/* How high the surface is within `near` up its slope, found by halving until it is as high as `enough`: it may be a
 * ridge that is narrower, and lower all around. */
static real find_ridge(const side *s, real near, const gjb_roof *at, real enough)
{
    enum { STEPS = 48 };
    const real steep = hypotl(at->tilt[0], at->tilt[1]);
    real most = -INFINITY, low = 0, high = near;
    for (int step = 0; step < STEPS && steep > 0 && most < enough; step++) {
        const real by = -0.5L * (low + high) / steep, across[2] = {by * at->tilt[0], by * at->tilt[1]};
        const side moved = moved_by(s, across);
        gjb_roof roof = roof_over(&moved, near);
        const int found = gjb_roof_find(&roof, 0.0625L * near, 2 * LDBL_EPSILON * (real)s->placed->size);
        if (found)
            most = fmaxl(most, roof.reals == 3 ? roof.most : roof.over[2]);
        if (found && roof.reals == 3 && roof.tilt[0] * at->tilt[0] + roof.tilt[1] * at->tilt[1] > 0)
            low = 0.5L * (low + high);
        else
            high = 0.5L * (low + high);
    }
    return most;
}

/* How much more than `near` what the point was moved from is off the core's upper side. */
static real off_core(const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b,
                     const double point[3], real near)
{
    const real granted = near + 4 * placed->error;
    side core;
    gjb_roof roof;
    span heights;
    open_side(&core, placed, frame, of_b, point, 1);
    if (!find_nearest(&core, near, &roof))
        return 0;
    const real across = roof.reals == 3 ? 0 : hypotl(roof.over[0], roof.over[1]);
    if (across > granted)
        return across - granted;
    if (!find_span(&core, near, &heights))
        return 0;
    if (heights.high < -granted && roof.reals == 3)
        heights.high = fmaxl(heights.high, find_ridge(&core, near, &roof, -granted));
    return fmaxl(0, fmaxl(heights.low, -heights.high) - granted);
}

/* Is a point that seems to be below in fact within `granted` of a face that looks along n? That is decided by the exact
 * faces: a point may be next to a peak, or on a face that is steeper than what counts as a wall here. */
static int is_on_face(const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b,
                      const double point[3], real granted)
{
    const real back = radius_of(placed, of_b) * (of_b ? 1 : -1);
    const double n[3] = {(double)frame->n[0], (double)frame->n[1], (double)frame->n[2]};
    real core[3];
    for (int k = 0; k < 3; k++)
        core[k] = point[k] + back * frame->n[k];
    const real off = ref_side_distance(placed->pair, of_b, n, core);
    return off >= 0 && off <= granted;
}

static real below_surface(const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b,
                          const double point[3], real near)
{
    const real level[2] = {0, 0}, granted = near + 4 * placed->error;
    if (placed->is_curved && gjb_is_unbounded(placed->curved.body[of_b].kind))
        return fmaxl(0, -ref_slab_above(placed->pair, point) - granted); /* its upper side is its plane */
    real top[3];
    side shape;
    span heights;
    open_side(&shape, placed, frame, of_b, point, 0);
    side_support(&shape, level, top);
    if (top[2] <= granted)
        return 0;
    gjb_roof roof = roof_over(&shape, near);
    if (!gjb_roof_find(&roof, 0.0625L * near, 2 * LDBL_EPSILON * (real)placed->size) || roof.over[2] <= granted)
        return 0;
    const real below = find_span(&shape, near, &heights) ? heights.low - granted : 0;
    return below <= 0 || radius_of(placed, of_b) == 0 ? fmaxl(below, 0)
                                                      : fminl(below, off_core(placed, frame, of_b, point, near));
}

real gjb_below_surface(const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b,
                       const double point[3], real near)
{
    const real below = below_surface(placed, frame, of_b, point, near);
    const int has_faces = placed->pair->dim == 3 && !placed->is_curved;
    return below > 0 && has_faces && is_on_face(placed, frame, of_b, point, near + 4 * placed->error) ? 0
                                                                                                      : below;
}
