/* Rows of curved shapes that equal, contain or lie within other shapes, such as circles among ellipses. */
#include "properties/tests/shape_relations.h"

#include <math.h>
#include <string.h>

#include "core/query.h"

static form form_of(gjb_kind kind, double x, double y, double z, double radius)
{
    return (form){.kind = kind, .count = 1, .rows = {{x, y, z}}, .radius = radius};
}

static form with_exponent(gjb_kind kind, const form *f, double p)
{
    form out = form_of(kind, f->rows[0][0], f->rows[0][1], f->rows[0][2], f->radius);
    out.count = 2;
    out.rows[1][0] = p;
    return out;
}

/* By less than 1: what was rounded is then inside for certain. */
static form shrunk(form f, double by)
{
    by *= 1 - 0x1p-21;
    for (int k = 0; k < 3; k++)
        f.rows[0][k] *= by;
    return f;
}

static form grown(form f)
{
    for (int k = 0; k < 3; k++)
        f.rows[0][k] *= 1 + 0x1p-21;
    return f;
}

/* --- What a form becomes: of ellipses (a, b) and ellipsoids (a, b, c) with a radius, unless said otherwise --- */

static form itself(const form *f)
{
    return *f;
}
static form ball(const form *f)
{
    return form_of(GJB_POINT, 0, 0, 0, f->rows[0][0]);
}
static form even(const form *f)
{
    const gjb_kind kind = f->kind;
    return form_of(kind, f->rows[0][0], f->rows[0][0], kind == GJB_ELLIPSOID ? f->rows[0][0] : 0, 0);
}
/* A part of it as the radius, which a power of two divides exactly. */
static form even_and_radius(const form *f)
{
    const double part = 0.25 * f->rows[0][0];
    const gjb_kind kind = f->kind;
    return form_of(kind, part, part, kind == GJB_ELLIPSOID ? part : 0, 3 * part);
}
static form quarters(const form *f)
{
    return form_of(GJB_POINT, 0, 0, 0, 4 * (0.25 * f->rows[0][0]));
}
static form on_a_line(const form *f)
{
    return form_of(f->kind, f->rows[0][0], 0, 0, f->radius);
}
static form segment(const form *f)
{
    form out = {.kind = GJB_SEGMENT, .count = 2, .radius = f->radius};
    out.rows[0][0] = -f->rows[0][0];
    out.rows[1][0] = f->rows[0][0];
    return out;
}
static form upright(const form *f)
{
    form out = {.kind = GJB_SEGMENT, .count = 2, .radius = f->radius};
    out.rows[0][2] = -f->rows[0][1];
    out.rows[1][2] = f->rows[0][1];
    return out;
}
static gjb_kind superkind(const form *f)
{
    return f->kind == GJB_ELLIPSE || f->kind == GJB_SUPERELLIPSE ? GJB_SUPERELLIPSE : GJB_SUPERELLIPSOID;
}
static form squared(const form *f)
{
    return with_exponent(superkind(f), f, 2);
}
static form first_power(const form *f)
{
    return with_exponent(superkind(f), f, 1);
}
static form sixteenth_power(const form *f)
{
    return with_exponent(superkind(f), f, 16);
}
static form next_power(const form *f)
{
    form out = *f;
    out.rows[1][0] = fmin(16, f->rows[1][0] * 1.5);
    return out;
}
static form rhomb(const form *f)
{
    form out = {.kind = GJB_POLYGON, .count = 4, .radius = f->radius};
    out.rows[0][0] = f->rows[0][0];
    out.rows[1][1] = f->rows[0][1];
    out.rows[2][0] = -f->rows[0][0];
    out.rows[3][1] = -f->rows[0][1];
    return out;
}
static form octahedron(const form *f)
{
    form out = {.kind = GJB_HULL, .count = 6, .radius = f->radius};
    for (uint32_t k = 0; k < 3; k++) {
        out.rows[2 * k][k] = f->rows[0][k];
        out.rows[2 * k + 1][k] = -f->rows[0][k];
    }
    return out;
}
static form box(const form *f)
{
    return form_of(GJB_BOX, f->rows[0][0], f->rows[0][1], f->rows[0][2], f->radius);
}
/* (t, t, ..) is on the unit ball of exponent p where dim t^p = 1. */
static form box_within(const form *f)
{
    const double dim = superkind(f) == GJB_SUPERELLIPSE ? 2 : 3;
    return shrunk(box(f), pow(dim, -1 / f->rows[1][0]));
}
static double least(const form *f)
{
    const double two = fmin(f->rows[0][0], f->rows[0][1]);
    return f->kind == GJB_ELLIPSE ? two : fmin(two, f->rows[0][2]);
}
static form ball_within(const form *f)
{
    form out = shrunk(form_of(GJB_POINT, 0, 0, 0, 0), 1);
    out.radius = least(f) * (1 - 0x1p-21);
    return out;
}
static form ball_around(const form *f)
{
    const double most = fmax(f->rows[0][0], fmax(f->rows[0][1], f->rows[0][2]));
    return form_of(GJB_POINT, 0, 0, 0, most * (1 + 0x1p-21) + f->radius);
}
/* |(a + r) n| <= |a n| + r |n|, in each coordinate of n: radii grow more than axes do. */
static form longer_axes(const form *f)
{
    form out = shrunk(*f, 1);
    for (int k = 0; k < 3; k++)
        out.rows[0][k] += out.rows[0][k] > 0 ? f->radius * (1 - 0x1p-21) : 0;
    out.radius = 0;
    return out;
}

/* Of cylinders and cones (r, h). */
static form disc_of(gjb_kind kind, const form *f)
{
    return form_of(kind, f->rows[0][0], kind == GJB_ELLIPSOID ? f->rows[0][0] : 0, 0, f->radius);
}
static form flat_cylinder(const form *f)
{
    return disc_of(GJB_CYLINDER, f);
}
static form flat_cone(const form *f)
{
    return disc_of(GJB_CONE, f);
}
static form flat_ellipsoid(const form *f)
{
    return disc_of(GJB_ELLIPSOID, f);
}
static form thin(const form *f)
{
    return form_of(f->kind, 0, f->rows[0][1], 0, f->radius);
}
static form cylinder_around(const form *f)
{
    return grown(form_of(GJB_CYLINDER, f->rows[0][0], f->rows[0][1], 0, f->radius));
}
/* Half as high as the cone, about its middle: at the upper end the cone is a quarter as wide as below. */
static form cylinder_within(const form *f)
{
    return shrunk(form_of(GJB_CYLINDER, 0.25 * f->rows[0][0], 0.5 * f->rows[0][1], 0, f->radius), 1);
}
static form ellipsoid_within(const form *f)
{
    return shrunk(form_of(GJB_ELLIPSOID, f->rows[0][0], f->rows[0][0], f->rows[0][1], f->radius), 1);
}
static form box_around(const form *f)
{
    return grown(form_of(GJB_BOX, f->rows[0][0], f->rows[0][0], f->rows[0][1], f->radius));
}
static form box_in_cylinder(const form *f)
{
    form out = form_of(GJB_BOX, f->rows[0][0], f->rows[0][0], f->rows[0][1], f->radius);
    out.rows[0][0] *= sqrt(0.5);
    out.rows[0][1] *= sqrt(0.5);
    return shrunk(out, 1);
}
static form ball_around_cylinder(const form *f)
{
    return form_of(GJB_POINT, 0, 0, 0, hypot(f->rows[0][0], f->rows[0][1]) * (1 + 0x1p-21) + f->radius);
}
/* On a square whose corners are on the circle, or whose sides touch it. */
static form pyramid(const form *f, double side)
{
    form out = {.kind = GJB_HULL, .count = 5, .radius = f->radius};
    for (int k = 0; k < 4; k++) {
        out.rows[k][0] = (k & 1 ? side : -side) * f->rows[0][0];
        out.rows[k][1] = (k & 2 ? side : -side) * f->rows[0][0];
        out.rows[k][2] = -f->rows[0][1];
    }
    out.rows[4][2] = f->rows[0][1];
    return out;
}
static form pyramid_within(const form *f)
{
    return pyramid(f, sqrt(0.5) * (1 - 0x1p-21));
}
static form pyramid_around(const form *f)
{
    return pyramid(f, 1 + 0x1p-21);
}

/* --- From the plane into space --- */

static double reach(const form *f)
{
    double most = 0;
    for (uint32_t i = 0; i < f->count; i++)
        most = fmax(most, hypot(f->rows[i][0], f->rows[i][1]));
    return most;
}

/* A plane shape, extruded along z: twice as far as it reaches, so that the way out of two lies in the plane. */
static form extruded(const form *f)
{
    const double high = 2 * ((f->kind == GJB_POINT ? 0 : reach(f)) + f->radius);
    form out = {.kind = GJB_HULL, .count = 2 * f->count, .radius = f->radius};
    if (f->kind == GJB_POINT)
        return form_of(GJB_CYLINDER, f->radius, high, 0, 0);
    if (f->kind == GJB_BOX)
        return form_of(GJB_BOX, f->rows[0][0], f->rows[0][1], high, f->radius);
    for (uint32_t i = 0; i < out.count; i++) {
        memcpy(out.rows[i], f->rows[i / 2], sizeof out.rows[i]);
        out.rows[i][2] = i % 2 ? high : -high;
    }
    return out;
}

/* A cylinder is about its local origin, which a circle need not be. */
static form centred(const form *f)
{
    return f->kind == GJB_POINT ? form_of(GJB_POINT, 0, 0, 0, f->radius) : *f;
}

/* Solids whose section through the axis z is a shape of the plane (x, z), and which that plane mirrors: the nearest
 * points of two are in the plane if both are so. Of ellipses: y is up in the plane, z in space. */
static form section_of_itself(const form *f)
{
    form out = *f;
    out.kind = f->kind == GJB_ELLIPSE ? GJB_ELLIPSOID : GJB_SUPERELLIPSOID;
    out.rows[0][1] = 0.75 * f->rows[0][0];
    out.rows[0][2] = f->rows[0][1];
    return out;
}
static form cylinder_of(const form *f)
{
    return form_of(GJB_CYLINDER, f->rows[0][0], f->rows[0][1], 0, f->radius);
}
static form cone_of(const form *f)
{
    return form_of(GJB_CONE, f->rows[0][0], f->rows[0][1], 0, f->radius);
}
static form triangle(const form *f)
{
    const double r = f->rows[0][0], h = f->rows[0][1];
    return (form){.kind = GJB_POLYGON, .count = 3, .rows = {{-r, -h}, {r, -h}, {0, h}}, .radius = f->radius};
}

/* --- Rows --- */

enum {
    STILL = (1u << GJB_STILL_QUERIES) - 1,
    APART = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE,
    TOI = 1u << GJB_TOI
};

const kin all_kin[] = {
    {"an ellipse of equal axes is a circle", 2, "ellipse", even, ball, SAME, AS_IT_IS, STILL | TOI},
    {"and may have part of it for a radius",
     2, "ellipse", even_and_radius, quarters, SAME, AS_IT_IS, STILL | TOI},
    {"an ellipsoid of equal axes is a ball", 3, "ellipsoid", even, ball, SAME, AS_IT_IS, STILL | TOI},
    {"and may have part of it for a radius",
     3, "ellipsoid", even_and_radius, quarters, SAME, AS_IT_IS, STILL | TOI},
    {"an ellipse of one axis is a segment",
     2, "rounded-ellipse", on_a_line, segment, SAME, AS_IT_IS, STILL | TOI},
    {"an ellipsoid of one axis is a segment",
     3, "rounded-ellipsoid", on_a_line, segment, SAME, AS_IT_IS, STILL | TOI},
    {"p = 2 is the ellipse", 2, "rounded-ellipse", squared, itself, SAME, AS_IT_IS, STILL | TOI},
    {"p = 2 is the ellipsoid", 3, "rounded-ellipsoid", squared, itself, SAME, AS_IT_IS, STILL | TOI},
    {"p = 1 is the rhomb", 2, "rounded-ellipse", first_power, rhomb, SAME, AS_IT_IS, STILL | TOI},
    {"p = 1 is the octahedron", 3, "rounded-ellipsoid", first_power, octahedron, SAME, AS_IT_IS, STILL | TOI},
    {"a cylinder of no height is a disc",
     3, "rounded-cylinder", flat_cylinder, flat_ellipsoid, SAME, AS_IT_IS, STILL | TOI},
    {"a cone of no height is a disc",
     3, "rounded-cone", flat_cone, flat_ellipsoid, SAME, AS_IT_IS, STILL | TOI},
    {"a cylinder of no width is a segment",
     3, "rounded-cylinder", thin, upright, SAME, AS_IT_IS, STILL | TOI},
    {"a cone of no width is a segment", 3, "rounded-cone", thin, upright, SAME, AS_IT_IS, STILL | TOI},
    /* As p grows both boxes come together: at 16 they are 4% of the size apart in the plane, 7% in space. */
    {"a superellipse is within its box", 2, "rounded-superellipse", itself, box, INSIDE, AS_IT_IS, STILL},
    {"and holds 2^(-1/p) of it", 2, "rounded-superellipse", itself, box_within, AROUND, AS_IT_IS, STILL},
    {"and what p = 1 makes of it", 2, "rounded-superellipse", itself, rhomb, AROUND, AS_IT_IS, STILL},
    {"and is within that of larger p",
     2, "rounded-superellipse", itself, next_power, INSIDE, AS_IT_IS, STILL},
    {"p = 16 holds the ellipse", 2, "rounded-ellipse", sixteenth_power, itself, AROUND, AS_IT_IS, STILL},
    {"a superellipsoid is within its box", 3, "rounded-superellipsoid", itself, box, INSIDE, AS_IT_IS, STILL},
    {"and holds 3^(-1/p) of it", 3, "rounded-superellipsoid", itself, box_within, AROUND, AS_IT_IS, STILL},
    {"and what p = 1 makes of it", 3, "rounded-superellipsoid", itself, octahedron, AROUND, AS_IT_IS, STILL},
    {"and is within that of larger p",
     3, "rounded-superellipsoid", itself, next_power, INSIDE, AS_IT_IS, STILL},
    {"p = 16 holds the ellipsoid", 3, "rounded-ellipsoid", sixteenth_power, itself, AROUND, AS_IT_IS, STILL},
    {"an ellipse holds a circle", 2, "rounded-ellipse", itself, ball_within, AROUND, AS_IT_IS, STILL},
    {"and lies within one", 2, "rounded-ellipse", itself, ball_around, INSIDE, AS_IT_IS, STILL},
    {"a radius holds longer axes", 2, "rounded-ellipse", itself, longer_axes, AROUND, AS_IT_IS, STILL},
    {"an ellipsoid holds a ball", 3, "rounded-ellipsoid", itself, ball_within, AROUND, AS_IT_IS, STILL},
    {"and lies within one", 3, "rounded-ellipsoid", itself, ball_around, INSIDE, AS_IT_IS, STILL},
    {"a radius holds longer axes", 3, "rounded-ellipsoid", itself, longer_axes, AROUND, AS_IT_IS, STILL},
    {"a cylinder holds an ellipsoid",
     3, "rounded-cylinder", itself, ellipsoid_within, AROUND, AS_IT_IS, STILL},
    {"and a box", 3, "rounded-cylinder", itself, box_in_cylinder, AROUND, AS_IT_IS, STILL},
    {"and is within one", 3, "rounded-cylinder", itself, box_around, INSIDE, AS_IT_IS, STILL},
    {"and within a ball", 3, "rounded-cylinder", itself, ball_around_cylinder, INSIDE, AS_IT_IS, STILL},
    {"a cone is within a cylinder", 3, "rounded-cone", itself, cylinder_around, INSIDE, AS_IT_IS, STILL},
    {"and holds one", 3, "rounded-cone", itself, cylinder_within, AROUND, AS_IT_IS, STILL},
    {"a cone holds a pyramid", 3, "rounded-cone", itself, pyramid_within, AROUND, AS_IT_IS, STILL},
    {"and is within one", 3, "rounded-cone", itself, pyramid_around, INSIDE, AS_IT_IS, STILL},
    {"a cylinder is an extruded circle", 2, "circle", extruded, centred, SAME, UPON_THE_PLANE, STILL},
    {"next to extruded boxes", 2, "mixed-kinds", extruded, centred, SAME, UPON_THE_PLANE, STILL},
    {"ellipsoids side by side are ellipses",
     2, "rounded-ellipse", section_of_itself, itself, SAME, THROUGH_THE_AXIS, APART},
    {"whose way out may leave the plane",
     2, "rounded-ellipse", section_of_itself, itself, INSIDE, THROUGH_THE_AXIS, STILL},
    {"superellipsoids are superellipses",
     2, "rounded-superellipse", section_of_itself, itself, SAME, THROUGH_THE_AXIS, APART},
    {"whose way out may leave the plane",
     2, "rounded-superellipse", section_of_itself, itself, INSIDE, THROUGH_THE_AXIS, STILL},
    {"cylinders are boxes", 2, "rounded-box", cylinder_of, itself, SAME, THROUGH_THE_AXIS, APART},
    {"whose way out may leave the plane",
     2, "rounded-box", cylinder_of, itself, INSIDE, THROUGH_THE_AXIS, STILL},
    {"cones are triangles", 2, "rounded-box", cone_of, triangle, SAME, THROUGH_THE_AXIS, APART},
    {"whose way out may leave the plane",
     2, "rounded-box", cone_of, triangle, INSIDE, THROUGH_THE_AXIS, STILL},
};
const size_t kin_count = sizeof all_kin / sizeof *all_kin;
