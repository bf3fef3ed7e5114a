/* Discs as polygons, side lines as segments: what cylinders and cones show along a normal. */
#include "reference/patch/flats.h"

#include <math.h>

#include "reference/curved/curved.h"
#include "reference/patch/patch.h"

typedef enum shown { SHOWS_POINT, SHOWS_LINE, SHOWS_DISC } shown;

/* The direction that a shape faces, in its own axes: along its axis and across, and where across. */
typedef struct facing {
    ref_real along, across, x, y;
} facing;

static facing facing_of(const ref_solid *solid, const double normal[3], int of_b)
{
    ref_real n[3], local[3];
    ref_real length = 0;
    for (int k = 0; k < 3; k++)
        length = fmaxl(length, fabsl((ref_real)normal[k]));
    for (int k = 0; k < 3; k++)
        n[k] = (of_b ? -normal[k] : normal[k]) / length;
    length = sqrtl(ref_inner(n, n));
    for (int k = 0; k < 3; k++)
        local[k] = (solid->turn[0][k] * n[0] + solid->turn[1][k] * n[1] + solid->turn[2][k] * n[2]) / length;
    const ref_real across = hypotl(local[0], local[1]);
    return (facing){local[2], across, across > 0 ? local[0] / across : 1, across > 0 ? local[1] / across : 0};
}

static shown what_is_shown(gjb_kind kind, const double size[3], const facing *f)
{
    const ref_real sine = REF_PATCH_SINE, r = size[0], h = size[1], slant = hypotl(r, 2 * h);
    const int down = f->along < 0 || kind == GJB_CYLINDER || h == 0;
    if (f->across <= sine && down)
        return SHOWS_DISC;
    if (kind == GJB_CYLINDER)
        return fabsl(f->along) <= sine ? SHOWS_LINE : SHOWS_POINT;
    /* A cone that rises by less than the angle has side lines within it all around. */
    if (!(2 * h > sine / sqrtl(1 - sine * sine) * r))
        return SHOWS_POINT;
    const ref_real off = fabsl(f->across * r - f->along * 2 * h) / slant;
    return off <= sine && f->across * 2 * h + f->along * r > 0 ? SHOWS_LINE : SHOWS_POINT;
}

static void set_line(double (*rows)[3], gjb_kind kind, const double size[3], const facing *f)
{
    for (int end = 0; end < 2; end++) {
        const ref_real out = end && kind == GJB_CONE ? 0 : (ref_real)size[0];
        rows[end][0] = (double)(out * f->x);
        rows[end][1] = (double)(out * f->y);
        rows[end][2] = end ? size[1] : -size[1];
    }
}

/* Radii are a little less or more, for the rounding of corners. */
static void set_disc(double (*rows)[3], gjb_kind kind, const double size[3], const facing *f, ref_flats_way way)
{
    const ref_real step = 6.283185307179586476925286766559L / REF_DISC_CORNERS;
    const ref_real shift = way == REF_FLATS_OUTER ? 0.5L : 0;
    const ref_real out = way == REF_FLATS_OUTER ? size[0] / cosl(step / 2) * (1 + 0x1p-52L) : size[0] * (1 - 0x1p-52L);
    const double height = kind == GJB_CYLINDER && f->along > 0 ? size[1] : -size[1];
    for (int i = 0; i < REF_DISC_CORNERS; i++) {
        const ref_real c = cosl((i + shift) * step), s = sinl((i + shift) * step);
        rows[i][0] = (double)(out * (c * f->x - s * f->y));
        rows[i][1] = (double)(out * (c * f->y + s * f->x));
        rows[i][2] = height;
    }
}

/* 0, or -1 of a point. */
static int set_body(ref_flats *flats, const ref_curved *curved, int side, const double normal[3], ref_flats_way way)
{
    gjb_body3 *body = side ? &flats->pair.as.space.b : &flats->pair.as.space.a;
    const gjb_kind kind = body->kind;
    if (kind != GJB_CYLINDER && kind != GJB_CONE)
        return gjb_is_curved(kind) ? -1 : 0;
    const double *size = body->vertices[0];
    const facing f = facing_of(&curved->body[side], normal, side);
    const shown what = what_is_shown(kind, size, &f);
    if (what == SHOWS_POINT)
        return -1;
    if (what == SHOWS_LINE)
        set_line(flats->rows[side], kind, size, &f);
    else
        set_disc(flats->rows[side], kind, size, &f, way);
    flats->discs += what == SHOWS_DISC;
    body->kind = what == SHOWS_LINE ? GJB_SEGMENT : GJB_HULL;
    body->count = what == SHOWS_LINE ? 2 : REF_DISC_CORNERS;
    body->vertices = (const double(*)[3])flats->rows[side];
    return 0;
}

int ref_flats_open(ref_flats *flats, const gjb_pair *pair, const double normal[3], ref_flats_way way)
{
    ref_curved curved;
    flats->pair = *pair;
    flats->discs = 0;
    flats->plane = gjb_pair_unbounded(pair) != 0;
    if (flats->plane) {
        ref_slab_open(&flats->slab, pair);
        flats->pair = flats->slab.pair;
    }
    if (!gjb_pair_curved(pair))
        return 0;
    if (pair->dim == 2)
        return -1;
    ref_curved_open(&curved, pair);
    for (int side = 0; side < 2; side++)
        if (set_body(flats, &curved, side, normal, way))
            return -1;
    return 0;
}
