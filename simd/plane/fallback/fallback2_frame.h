/* The frame of a pair on the fallback path, that of simd/plane/tile2.h: A's axes, scaled by
 * a power of two to a size of order one; in double, one pair at a time. */
#ifndef GJB_SIMD_FALLBACK2_FRAME_H
#define GJB_SIMD_FALLBACK2_FRAME_H

#include <float.h>
#include <math.h>

#include "simd/plane/fallback/fallback2.h"

typedef struct fallback_frame {
    double grain, scale; /* world units in one of the frame's, and the reverse */
    double rho2;         /* square of A's rotation, by which A is also scaled */
    double c, s, tx, ty; /* B to the frame: rotation times scale, translation */
} fallback_frame;

/* The result for the cores in that frame. */
typedef struct fallback_core {
    int overlapping;
    double distance; /* minus their depth if they overlap */
    double least;    /* of all distances, during the search for the nearest */
    double normal[2], a[2], b[2];
} fallback_core;

static inline fallback_frame fallback_frame_of(const fallback_body *a, const fallback_body *b, double extent)
{
    const double dx = b->px - a->px, dy = b->py - a->py;
    const double tx = a->c * dx + a->s * dy, ty = a->c * dy - a->s * dx;
    /* At least this, as in the tile: for subnormal grains the scale would be infinite. */
    const double size = fmax(extent + fabs(tx) + fabs(ty), 16 * DBL_MIN);
    fallback_frame f = {.grain = ldexp(1, ilogb(size)), .rho2 = a->c * a->c + a->s * a->s};
    f.scale = 1 / f.grain;
    f.c = (a->c * b->c + a->s * b->s) * f.scale;
    f.s = (a->c * b->s - a->s * b->c) * f.scale;
    f.tx = tx * f.scale;
    f.ty = ty * f.scale;
    return f;
}

static inline void fallback_place_a(const fallback_frame *f, const fallback_body *a, double *x, double *y)
{
    for (uint32_t i = 0; i < a->n; i++) {
        x[i] = f->rho2 * f->scale * a->x[i];
        y[i] = f->rho2 * f->scale * a->y[i];
    }
}

static inline void fallback_place_b(const fallback_frame *f, const fallback_body *b, double *x, double *y)
{
    for (uint32_t i = 0; i < b->n; i++) {
        x[i] = f->c * b->x[i] - f->s * b->y[i] + f->tx;
        y[i] = f->s * b->x[i] + f->c * b->y[i] + f->ty;
    }
}

/* Takes a result to world units and axes, and its points to the surfaces of the radii. */
static inline void fallback_to_world(const fallback_frame *f, const fallback_body *a, const fallback_body *b,
                                    const fallback_core *got, fallback_answer *answer)
{
    const double length = sqrt(f->rho2), wc = a->c * f->grain / f->rho2, ws = a->s * f->grain / f->rho2;
    const double nx = (a->c * got->normal[0] - a->s * got->normal[1]) / length;
    const double ny = (a->s * got->normal[0] + a->c * got->normal[1]) / length;
    answer->cores_overlap = got->overlapping;
    answer->sigma = got->distance * f->grain / length - (a->radius + b->radius);
    answer->normal[0] = nx;
    answer->normal[1] = ny;
    answer->a[0] = wc * got->a[0] - ws * got->a[1] + a->radius * nx;
    answer->a[1] = ws * got->a[0] + wc * got->a[1] + a->radius * ny;
    answer->b[0] = wc * got->b[0] - ws * got->b[1] - b->radius * nx;
    answer->b[1] = ws * got->b[0] + wc * got->b[1] - b->radius * ny;
}

#endif
