/* Draws random pairs with curved cores for tests: kinds, exponents, and axes that are almost parallel. */
#include "reference/tests/curved/curved_pairs.h"

#include <math.h>
#include <string.h>

void curved_pair_set(curved_pair *out, int side, gjb_kind kind, uint32_t count, const double *rows, double radius)
{
    const uint32_t dim = out->pair.dim;
    memset(out->rows[side], 0, sizeof out->rows[side]);
    memcpy(out->rows[side], rows, count * dim * sizeof *rows);
    if (dim == 2) {
        gjb_body2 *body = side ? &out->pair.as.plane.b : &out->pair.as.plane.a;
        *body = (gjb_body2){.kind = kind, .count = count, .radius = radius, .pose = {.c = 1},
                            .vertices = (const double(*)[2])out->rows[side]};
    } else {
        gjb_body3 *body = side ? &out->pair.as.space.b : &out->pair.as.space.a;
        *body = (gjb_body3){.kind = kind, .count = count, .radius = radius, .pose = {.qw = 1},
                            .vertices = (const double(*)[3])out->rows[side]};
    }
}

void curved_pair_pose(curved_pair *out, int side, const double at[3], const double turn[4])
{
    if (out->pair.dim == 2) {
        (side ? &out->pair.as.plane.b : &out->pair.as.plane.a)->pose = (gjb_pose2d){at[0], at[1], turn[0], turn[1]};
    } else {
        (side ? &out->pair.as.space.b : &out->pair.as.space.a)->pose =
            (gjb_pose3d){at[0], at[1], at[2], turn[0], turn[1], turn[2], turn[3]};
    }
}

gjb_pair curved_pair_swapped(const gjb_pair *pair)
{
    gjb_pair swapped = *pair;
    if (pair->dim == 2)
        swapped.as.plane = (gjb_pair2){pair->as.plane.b, pair->as.plane.a};
    else
        swapped.as.space = (gjb_pair3){pair->as.space.b, pair->as.space.a};
    return swapped;
}

static const gjb_kind curved[4][4] = {
    [2] = {GJB_ELLIPSE, GJB_SUPERELLIPSE, GJB_ELLIPSE, GJB_SUPERELLIPSE},
    [3] = {GJB_ELLIPSOID, GJB_SUPERELLIPSOID, GJB_CYLINDER, GJB_CONE},
};

static double exponent(gjb_random *r)
{
    static const double some[] = {1, 2, 16, 1 + 0x1p-30, 1.01, 1.5, 3, 4};
    return gjb_random_below(r, 2) ? some[gjb_random_below(r, 8)] : 1 + 15 * pow(gjb_random_unit(r), 3);
}

static void draw_curved(gjb_random *r, curved_pair *out, int side, curved_family family, double scale)
{
    const uint32_t dim = out->pair.dim;
    const gjb_kind kind = curved[dim][gjb_random_below(r, 4)];
    const uint32_t lengths = kind == GJB_CYLINDER || kind == GJB_CONE ? 2 : dim;
    double rows[6] = {0};
    for (uint32_t k = 0; k < lengths; k++) {
        rows[k] = scale * gjb_random_range(r, 0.2, 1.5);
        if (family == CURVED_FLAT && gjb_random_below(r, 2))
            rows[k] = 0;
        else if (family == CURVED_NEEDLE)
            rows[k] *= pow(1e-9, gjb_random_unit(r));
    }
    if (gjb_random_below(r, 3) == 0) /* of revolution */
        rows[1] = rows[0];
    rows[dim] = exponent(r);
    const uint32_t count = kind == GJB_SUPERELLIPSE || kind == GJB_SUPERELLIPSOID ? 2 : 1;
    rows[dim] = count == 2 ? rows[dim] : 0;
    curved_pair_set(out, side, kind, count, rows, 0);
}

/* A point, a segment, a triangle, or a box. */
static void draw_plain(gjb_random *r, curved_pair *out, int side, double scale)
{
    const uint32_t dim = out->pair.dim;
    static const gjb_kind kinds[4][4] = {[2] = {GJB_POINT, GJB_SEGMENT, GJB_POLYGON, GJB_BOX},
                                         [3] = {GJB_POINT, GJB_SEGMENT, GJB_TRIANGLE, GJB_BOX}};
    const uint32_t which = gjb_random_below(r, 4);
    double rows[24], half[3];
    for (int k = 0; k < 24; k++) {
        rows[k] = scale * gjb_random_range(r, -1, 1);
        half[k % 3] = fabs(rows[k]);
    }
    if (which == 0)
        memset(rows, 0, sizeof rows);
    for (uint32_t k = 0; k < dim << dim && which == 3; k++)
        rows[k] = gjb_box_corner(dim, k / dim, k % dim) * half[k % dim];
    const uint32_t counts[4] = {1, 2, 3, 1u << dim};
    if (dim == 2 && which == 2 &&
        (rows[2] - rows[0]) * (rows[5] - rows[1]) - (rows[3] - rows[1]) * (rows[4] - rows[0]) < 0) {
        const double x = rows[0], y = rows[1];
        rows[0] = rows[2];
        rows[1] = rows[3];
        rows[2] = x;
        rows[3] = y;
    }
    curved_pair_set(out, side, kinds[dim][which], counts[which], rows, which == 0 ? scale * gjb_random_unit(r) : 0);
}

static void draw_turn(gjb_random *r, uint32_t dim, double turn[4])
{
    if (dim == 2) {
        gjb_random_rotation(r, &turn[0], &turn[1]);
        return;
    }
    double size = 0;
    for (int k = 0; k < 4; k++) {
        turn[k] = gjb_random_range(r, -1, 1);
        size += turn[k] * turn[k];
    }
    for (int k = 0; k < 4; k++)
        turn[k] /= sqrt(size);
}

/* The third axis of a rotation, or the second of the plane. */
static void axis_of(uint32_t dim, const double q[4], double axis[3])
{
    if (dim == 2) {
        axis[0] = -q[1];
        axis[1] = q[0];
        axis[2] = 0;
        return;
    }
    axis[0] = 2 * (q[0] * q[2] + q[3] * q[1]);
    axis[1] = 2 * (q[1] * q[2] - q[3] * q[0]);
    axis[2] = q[3] * q[3] + q[2] * q[2] - q[0] * q[0] - q[1] * q[1];
}

void curved_pair_make(curved_pair *out, uint32_t dim, curved_family family, uint64_t index)
{
    gjb_random r = gjb_random_make(6, 100 * dim + (uint64_t)family, index);
    const double scale = family == CURVED_TINY ? 0x1p-500 : family == CURVED_HUGE ? 0x1p500 : 1;
    double turn[4] = {0}, at[3] = {0}, shift[3] = {0}, axis[3];
    out->pair.dim = dim;
    draw_curved(&r, out, 0, family, scale);
    if (family == CURVED_SAME) {
        const uint32_t count = dim == 2 ? out->pair.as.plane.a.count : out->pair.as.space.a.count;
        curved_pair_set(out, 1, dim == 2 ? out->pair.as.plane.a.kind : out->pair.as.space.a.kind, count,
                        out->rows[0][0], 0);
    } else if (family >= CURVED_COAXIAL || gjb_random_below(&r, 2)) {
        draw_curved(&r, out, 1, family, scale);
    } else {
        draw_plain(&r, out, 1, scale);
    }
    if (family == CURVED_ROUNDED && dim == 2) {
        out->pair.as.plane.a.radius = gjb_random_unit(&r);
        out->pair.as.plane.b.radius = gjb_random_unit(&r);
    } else if (family == CURVED_ROUNDED) {
        out->pair.as.space.a.radius = gjb_random_unit(&r);
        out->pair.as.space.b.radius = gjb_random_unit(&r);
    }
    draw_turn(&r, dim, turn);
    for (uint32_t k = 0; k < dim; k++) {
        at[k] = family == CURVED_OFFSET ? 0x1p40 * gjb_random_range(&r, -1, 1) : scale * gjb_random_range(&r, -1, 1);
        shift[k] = scale * gjb_random_range(&r, -2, 2);
    }
    curved_pair_pose(out, 0, at, turn);
    axis_of(dim, turn, axis);
    const double along = scale * gjb_random_range(&r, -2, 2) * gjb_random_below(&r, 2);
    for (int k = 0; k < 3; k++) {
        if (family == CURVED_SAME)
            shift[k] = 0;
        else if (family == CURVED_COAXIAL || family == CURVED_LEANING)
            shift[k] = along * axis[k];
        at[k] += shift[k];
    }
    if (family == CURVED_LEANING) {
        const double lean = pow(2, gjb_random_range(&r, -50, -6));
        for (int k = 0; k < (dim == 2 ? 2 : 4); k++)
            turn[k] += lean * gjb_random_range(&r, -1, 1);
        if (dim == 2) {
            const double size = hypot(turn[0], turn[1]);
            turn[0] /= size;
            turn[1] /= size;
        }
    } else if (family < CURVED_COAXIAL) {
        draw_turn(&r, dim, turn);
    }
    curved_pair_pose(out, 1, at, turn);
}
