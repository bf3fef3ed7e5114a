/* What a shape is made of: its vertices in another order, more of them, fewer, and parts of it. */
#include <math.h>
#include <string.h>

#include "properties/property_private.h"

static void copy_row(prop_body *to, uint32_t row, const prop_body *from, uint32_t from_row)
{
    memcpy(to->rows[row], from->rows[from_row], sizeof to->rows[row]);
}

static int of_vertices(const prop_body *body)
{
    return body->kind == GJB_POLYGON || body->kind == GJB_HULL;
}

PROP_MAKES(gjb_prop_permuted)
{
    int changed = 0;
    (void)which;
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        const prop_body *was = &from->pair->body[b];
        const uint32_t n = body->count;
        if (body->kind == GJB_POLYGON) { /* an outline has a beginning, and no other freedom */
            const uint32_t by = 1 + gjb_random_below(random, n - 1);
            for (uint32_t i = 0; i < n; i++)
                copy_row(body, i, was, (i + by) % n);
        } else if (body->kind == GJB_HULL || body->kind == GJB_SEGMENT || body->kind == GJB_TRIANGLE) {
            for (uint32_t i = n; i-- > 1;) { /* Fisher and Yates */
                const uint32_t j = gjb_random_below(random, n > 2 ? i + 1 : 1);
                double row[3];
                memcpy(row, body->rows[i], sizeof row);
                copy_row(body, i, body, j);
                memcpy(body->rows[j], row, sizeof row);
            }
        } else {
            continue;
        }
        changed = 1;
    }
    return changed;
}

PROP_MAKES(gjb_prop_repeated)
{
    int changed = 0;
    (void)which;
    for (int b = 0; b < 2; b++) {
        prop_body *body = &to->pair->body[b];
        const prop_body *was = &from->pair->body[b];
        const uint32_t n = body->count, again = gjb_random_below(random, n),
                       copies = 1 + gjb_random_below(random, 3);
        if (!of_vertices(body) || n + copies > PROP_ROWS)
            continue;
        uint32_t row = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < (i == again ? 1 + copies : 1); k++)
                copy_row(body, row++, was, i);
        body->count = row;
        changed = 1;
    }
    return changed;
}

/* An outline takes a vertex within an edge whose middle is a number; a hull the middle of four of its own. */
static int add_within(gjb_precision precision, prop_body *body, gjb_random *random)
{
    const uint32_t n = body->count;
    double *more = body->rows[n];
    if (!of_vertices(body) || n + 1 > PROP_ROWS)
        return 0;
    if (body->kind == GJB_HULL) {
        memset(more, 0, sizeof body->rows[n]);
        for (int i = 0; i < 4; i++) {
            const double *of = body->rows[gjb_random_below(random, n)];
            for (int k = 0; k < 3; k++)
                more[k] += 0.25 * of[k];
        }
        for (int k = 0; k < 3; k++)
            more[k] = gjb_prop_rounded(precision, more[k]);
        body->count++;
        return 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        const double *u = body->rows[i], *v = body->rows[(i + 1) % n];
        double x, y;
        if (!gjb_prop_exact_sum(GJB_F64, u[0], v[0], &x) || !gjb_prop_exact_sum(GJB_F64, u[1], v[1], &y) ||
            gjb_prop_rounded(precision, 0.5 * x) != 0.5 * x ||
            gjb_prop_rounded(precision, 0.5 * y) != 0.5 * y)
            continue;
        const double middle[3] = {0.5 * x, 0.5 * y, 0};
        memmove(body->rows[i + 2], body->rows[i + 1], (n - i - 1) * sizeof *body->rows);
        memcpy(body->rows[i + 1], middle, sizeof middle);
        body->count++;
        return 1;
    }
    return 0;
}

PROP_MAKES(gjb_prop_interior)
{
    int changed = 0;
    (void)which;
    for (int b = 0; b < 2; b++) {
        if (!add_within(from->pair->precision, &to->pair->body[b], random))
            continue;
        changed = 1;
        if (to->pair->body[b].kind ==
            GJB_HULL) /* of a flat hull, or at equal vertices, rounding may take it out */
            to->off += 2 * from->epsilon * gjb_prop_reach(from->pair, b);
    }
    return changed;
}

/* --- Inclusion --- */

static int shrink(gjb_precision precision, prop_body *body, gjb_random *random)
{
    const uint32_t n = body->count;
    switch (body->kind) {
    case GJB_SEGMENT:
        body->kind = GJB_POINT;
        body->count = 1;
        return 1;
    case GJB_POLYGON:
    case GJB_HULL: {
        const uint32_t gone = gjb_random_below(random, n);
        if (n < 5)
            return 0;
        memmove(body->rows[gone], body->rows[gone + 1], (n - gone - 1) * sizeof *body->rows);
        body->count--;
        return 1;
    }
    case GJB_TRIANGLE:
        body->kind = GJB_SEGMENT;
        body->count = 2;
        return 1;
    case GJB_BOX:
    case GJB_ELLIPSE:
    case GJB_ELLIPSOID:
    case GJB_SUPERELLIPSE:
    case GJB_SUPERELLIPSOID:
    case GJB_CYLINDER:
        for (int k = 0; k < 3; k++)
            body->rows[0][k] = gjb_prop_rounded(precision, 0.75 * body->rows[0][k]);
        return 1;
    case GJB_POINT:
    case GJB_AABB:
    case GJB_HALFSPACE:
    case GJB_CONE: /* whose middle is about the origin: a shorter one stands elsewhere */
    case GJB_KINDS:
        break;
    }
    body->radius = gjb_prop_rounded(precision, 0.75 * body->radius);
    return body->radius > 0;
}

PROP_MAKES(gjb_prop_smaller)
{
    (void)which;
    const int a = shrink(from->pair->precision, &to->pair->body[0], random);
    const int b = gjb_random_below(random, 2) && shrink(from->pair->precision, &to->pair->body[1], random);
    to->claim = PROP_NO_LESS;
    return a || b;
}

/* The ball, or the box, about the local origin that holds the core: a little more than that, for rounding. */
PROP_MAKES(gjb_prop_larger)
{
    const double more = 1 + 8 * from->epsilon;
    prop_body *body = &to->pair->body[0];
    const prop_body *was = &from->pair->body[0];
    double half[3] = {0, 0, 0};
    (void)random;
    to->claim = PROP_NO_MORE;
    if (gjb_is_unbounded(was->kind)) /* nothing that is bounded holds it */
        return 0;
    if (which == 0) {
        body->radius = (gjb_prop_reach(from->pair, 0) + was->radius) * more;
        body->kind = GJB_POINT;
        body->count = 1;
        memset(body->rows[0], 0, sizeof body->rows[0]);
        return gjb_prop_round(to->pair) == 0;
    }
    if (which == 1) {
        const uint32_t rows = gjb_is_curved(body->kind) ? 1 : body->count;
        for (uint32_t i = 0; i < rows; i++)
            for (int k = 0; k < 3; k++)
                half[k] = fmax(half[k], fabs(was->rows[i][k]) * more);
        if (body->kind == GJB_CYLINDER || body->kind == GJB_CONE) {
            half[2] = half[1];
            half[1] = half[0];
        }
        body->kind = GJB_BOX;
        body->count = 1;
        memcpy(body->rows[0], half, sizeof half);
        return was->kind != GJB_BOX && was->kind != GJB_POINT && gjb_prop_round(to->pair) == 0;
    }
    /* A larger exponent holds a lesser one. */
    if (body->kind == GJB_SUPERELLIPSE || body->kind == GJB_SUPERELLIPSOID)
        body->rows[1][0] = gjb_prop_rounded(from->pair->precision, fmin(16, was->rows[1][0] * 1.5));
    else if (body->kind == GJB_CONE) /* and a cylinder a cone */
        body->kind = GJB_CYLINDER;
    else
        return 0;
    return 1;
}

/* --- Cutting in two --- */

/* The part of a hull on one side of a plane across its longest axis. Every segment between vertices on either side
 * leaves its point there; all but that coordinate are rounded. 0 if there would be too many. */
static int cut_hull(gjb_precision precision, const prop_body *whole, double side, prop_body *part)
{
    double low[3], high[3];
    int axis = 0;
    memcpy(low, whole->rows[0], sizeof low);
    memcpy(high, whole->rows[0], sizeof high);
    for (uint32_t i = 1; i < whole->count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], whole->rows[i][k]);
            high[k] = fmax(high[k], whole->rows[i][k]);
        }
    for (int k = 1; k < 3; k++)
        axis = high[k] - low[k] > high[axis] - low[axis] ? k : axis;
    const double at = gjb_prop_rounded(precision, 0.5 * (low[axis] + high[axis]));
    part->count = 0;
    part->kind = GJB_HULL;
    for (uint32_t i = 0; i < whole->count; i++)
        if (side * (whole->rows[i][axis] - at) <= 0)
            copy_row(part, part->count++, whole, i);
    for (uint32_t i = 0; i < whole->count; i++)
        for (uint32_t j = 0; j < whole->count; j++) {
            const double *u = whole->rows[i], *v = whole->rows[j];
            if (!(u[axis] < at && v[axis] > at))
                continue;
            if (part->count == PROP_ROWS)
                return 0;
            const long double t = ((long double)at - u[axis]) / ((long double)v[axis] - u[axis]);
            for (int k = 0; k < 3; k++)
                part->rows[part->count][k] =
                    k == axis ? at
                              : gjb_prop_rounded(precision, (double)(u[k] + t * ((long double)v[k] - u[k])));
            part->count++;
        }
    while (part->count && part->count < 4) {
        copy_row(part, part->count, part, 0);
        part->count++;
    }
    return part->count > 0;
}

/* Corners of a box, as a polygon or hull. */
static void corners(uint32_t dim, prop_body *body)
{
    const double half[3] = {body->rows[0][0], body->rows[0][1], body->rows[0][2]};
    body->kind = dim == 2 ? GJB_POLYGON : GJB_HULL;
    body->count = gjb_box_corners(dim);
    for (uint32_t i = 0; i < body->count; i++)
        for (uint32_t k = 0; k < 3; k++)
            body->rows[i][k] = k < dim ? gjb_box_corner(dim, i, k) * half[k] + 0.0 : 0;
}

static int cut_segment(gjb_precision precision, double side, prop_body *part)
{
    for (int k = 0; k < 3; k++) {
        const double middle = gjb_prop_rounded(precision, 0.5 * part->rows[0][k] + 0.5 * part->rows[1][k]);
        part->rows[side > 0 ? 0 : 1][k] = middle;
    }
    return 1;
}

/* Along a diagonal, exactly. */
static int cut_polygon(double side, const prop_body *whole, prop_body *part)
{
    const uint32_t n = whole->count, half = n / 2;
    if (n < 4)
        return 0;
    part->count = 0;
    for (uint32_t i = side > 0 ? half : 0; i <= (side > 0 ? n : half); i++)
        copy_row(part, part->count++, whole, i % n);
    return 1;
}

/* Both halves of its height, each about its own middle. */
static int cut_cylinder(gjb_related *to, const gjb_drawn *from, double side)
{
    prop_body *part = &to->pair->body[0];
    long double m[3][3];
    double axis[3];
    gjb_prop_matrix(3, part, m);
    for (int k = 0; k < 3; k++)
        axis[k] = (double)m[k][2];
    part->rows[0][1] *= 0.5;
    to->off += gjb_prop_move(to->pair, 0, axis, side * part->rows[0][1], NULL) + 0x1p-52 * from->size;
    return 1;
}

PROP_MAKES(gjb_prop_cut)
{
    const double side = which ? 1 : -1;
    const prop_body *whole = &from->pair->body[0];
    prop_body *part = &to->pair->body[0];
    const double error = 2 * from->epsilon * gjb_prop_reach(from->pair, 0);
    prop_body box;
    (void)random;
    to->claim = which ? PROP_UNION : PROP_NOTHING;
    to->against = which ? 0 : -1;
    switch (whole->kind) {
    case GJB_SEGMENT:
        to->off = error;
        return cut_segment(from->pair->precision, side, part);
    case GJB_POLYGON:
        return cut_polygon(side, whole, part);
    case GJB_BOX:
        memcpy(&box, whole, sizeof box);
        corners(from->pair->dim, &box);
        if (from->pair->dim == 2) {
            part->kind = GJB_POLYGON;
            return cut_polygon(side, &box, part);
        }
        return cut_hull(from->pair->precision, &box, side, part);
    case GJB_TRIANGLE:
    case GJB_HULL:
        to->off = error;
        return cut_hull(from->pair->precision, whole, side, part);
    case GJB_CYLINDER:
        return cut_cylinder(to, from, side);
    default:
        return 0;
    }
}
