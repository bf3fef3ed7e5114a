/* One set of points under two names. Where the drawn shape is none of these, related pair 0 is what it is made into,
 * and pair 1, the other name, is held against that. */
#include <math.h>
#include <string.h>

#include "properties/property_private.h"

static void against_the_first(unsigned which, gjb_related *to)
{
    to->claim = which ? PROP_SAME : PROP_NOTHING;
    to->against = which ? 0 : -1;
}

PROP_MAKES(gjb_prop_box_is_hull)
{
    int changed = 0;
    (void)which, (void)random;
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        const uint32_t dim = from->pair->dim;
        const double half[3] = {body->rows[0][0], body->rows[0][1], body->rows[0][2]};
        if (body->kind != GJB_BOX)
            continue;
        changed = 1;
        body->kind = dim == 2 ? GJB_POLYGON : GJB_HULL;
        body->count = gjb_box_corners(dim);
        for (uint32_t i = 0; i < body->count; i++)
            for (uint32_t k = 0; k < 3; k++)
                body->rows[i][k] = k < dim ? gjb_box_corner(dim, i, k) * half[k] + 0.0 : 0;
    }
    return changed;
}

/* A capsule is a polygon or hull of its two ends with a radius, and a circle a segment of no length with one. */
PROP_MAKES(gjb_prop_capsule_is_rounded)
{
    int changed = 0;
    (void)random;
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        const uint32_t most = which == 0 ? 1 : from->pair->dim == 2 ? 3 : 4;
        if (body->kind != (which == 0 ? GJB_POINT : GJB_SEGMENT))
            continue;
        changed = 1;
        body->kind = which == 0 ? GJB_SEGMENT : from->pair->dim == 2 ? GJB_POLYGON : GJB_HULL;
        for (uint32_t i = body->count; i < (which == 0 ? 2 : most); i++)
            memcpy(body->rows[i], body->rows[i % body->count], sizeof body->rows[i]);
        body->count = which == 0 ? 2 : most;
    }
    return changed;
}

/* Equal axes are a ball: pair 0 of ellipses made round, pair 1 of points with the sum of axis and radius. */
PROP_MAKES(gjb_prop_round_ellipse)
{
    int changed = 0;
    (void)random;
    against_the_first(which, to);
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        if (body->kind != GJB_ELLIPSE && body->kind != GJB_ELLIPSOID)
            continue;
        const double axis = body->rows[0][0],
                     sum = gjb_prop_rounded(from->pair->precision, axis + body->radius);
        changed = 1;
        body->rows[0][1] = axis;
        body->rows[0][2] = body->kind == GJB_ELLIPSOID ? axis : 0;
        if (!which)
            continue;
        to->off += (double)fabsl((long double)axis + body->radius - sum);
        body->kind = GJB_POINT;
        body->radius = sum;
        memset(body->rows[0], 0, sizeof body->rows[0]);
    }
    return changed;
}

static gjb_kind superkind(gjb_kind kind)
{
    return kind == GJB_ELLIPSE || kind == GJB_SUPERELLIPSE ? GJB_SUPERELLIPSE : GJB_SUPERELLIPSOID;
}

static int is_elliptic(gjb_kind kind)
{
    return kind == GJB_ELLIPSE || kind == GJB_ELLIPSOID || kind == GJB_SUPERELLIPSE ||
           kind == GJB_SUPERELLIPSOID;
}

PROP_MAKES(gjb_prop_square_power)
{
    int changed = 0;
    (void)random, (void)from;
    against_the_first(which, to);
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        if (!is_elliptic(body->kind))
            continue;
        const int plane = superkind(body->kind) == GJB_SUPERELLIPSE;
        changed = 1;
        body->kind = which ? superkind(body->kind) : plane ? GJB_ELLIPSE : GJB_ELLIPSOID;
        body->count = which ? 2 : 1;
        memcpy(body->rows[1], (double[3]){2, 0, 0}, sizeof body->rows[1]);
    }
    return changed;
}

/* Of p = 1 a rhomb and an octahedron are left. */
PROP_MAKES(gjb_prop_first_power)
{
    int changed = 0;
    (void)random, (void)from;
    against_the_first(which, to);
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        if (!is_elliptic(body->kind))
            continue;
        const uint32_t dim = superkind(body->kind) == GJB_SUPERELLIPSE ? 2 : 3;
        const double axes[3] = {body->rows[0][0], body->rows[0][1], body->rows[0][2]};
        changed = 1;
        if (!which) {
            body->kind = superkind(body->kind);
            body->count = 2;
            memcpy(body->rows[1], (double[3]){1, 0, 0}, sizeof body->rows[1]);
            continue;
        }
        body->kind = dim == 2 ? GJB_POLYGON : GJB_HULL;
        body->count = 2 * dim;
        memset(body->rows, 0, 6 * sizeof *body->rows);
        for (uint32_t k = 0; k < dim; k++) {
            body->rows[k][k] = axes[k];
            body->rows[k + dim][k] = 0.0 - axes[k];
        }
    }
    return changed;
}

/* Cylinders, cones and ellipsoids without width are segments; 1 for ellipses on one axis. */
PROP_MAKES(gjb_prop_thin_curved)
{
    int changed = 0;
    (void)random, (void)from;
    against_the_first(which, to);
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        const int upright = body->kind == GJB_CYLINDER || body->kind == GJB_CONE;
        if (!upright && body->kind != GJB_ELLIPSE && body->kind != GJB_ELLIPSOID)
            continue;
        const double half = upright ? body->rows[0][1] : body->rows[0][0];
        changed = 1;
        memset(body->rows, 0, 2 * sizeof *body->rows);
        body->rows[0][upright] = half;
        if (!which)
            continue;
        body->kind = GJB_SEGMENT;
        body->count = 2;
        body->rows[0][upright] = 0;
        body->rows[0][upright ? 2 : 0] = 0.0 - half;
        body->rows[1][upright ? 2 : 0] = half;
    }
    return changed;
}
