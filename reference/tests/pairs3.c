/* Draws pairs in space for tests: prisms, boxes, lattices, identical and almost aligned shapes. */
#include "reference/tests/pairs3.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double circle = 6.283185307179586;

static gjb_kind kind_of(uint32_t count)
{
    static const gjb_kind small[4] = {GJB_POINT, GJB_POINT, GJB_SEGMENT, GJB_TRIANGLE};
    return count < 4 ? small[count] : GJB_HULL;
}

void test_pair3_set(test_pair3 *out, int side, uint32_t count, const double (*vertices)[3], double radius,
                    gjb_pose3d pose)
{
    gjb_body3 *body = side ? &out->pair.b : &out->pair.a;
    memmove(out->vertices[side], vertices, count * sizeof *vertices);
    *body = (gjb_body3){kind_of(count), count, (const double(*)[3])out->vertices[side], radius, pose, {0, 0, 0, 0, 0, 0}};
}

gjb_pair3 test_pair3_swapped(const gjb_pair3 *pair)
{
    return (gjb_pair3){.a = pair->b, .b = pair->a};
}

static gjb_pose3d random_pose(gjb_random *r, double spread)
{
    double q[4], norm = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = gjb_random_range(r, -1, 1);
        norm += q[k] * q[k];
    }
    norm = sqrt(norm);
    double x = spread * gjb_random_range(r, -1, 1), y = spread * gjb_random_range(r, -1, 1);
    return (gjb_pose3d){x, y, spread * gjb_random_range(r, -1, 1), q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
}

static gjb_pose3d about_z(gjb_pose3d at, double angle)
{
    return (gjb_pose3d){at.x, at.y, at.z, 0, 0, sin(angle / 2), cos(angle / 2)};
}

static void ellipsoid(gjb_random *r, double (*v)[3], uint32_t count, const double axes[3])
{
    for (uint32_t k = 0; k < count; k++) {
        double z = gjb_random_range(r, -1, 1), angle = circle * gjb_random_unit(r), ring = sqrt(1 - z * z);
        v[k][0] = axes[0] * ring * cos(angle);
        v[k][1] = axes[1] * ring * sin(angle);
        v[k][2] = axes[2] * z;
    }
}

static uint32_t prism(double (*v)[3], uint32_t sides, double radius, double half_height)
{
    for (uint32_t k = 0; k < 2 * sides; k++) {
        double angle = circle * (k / 2) / sides;
        v[k][0] = radius * cos(angle);
        v[k][1] = radius * sin(angle);
        v[k][2] = k % 2 ? half_height : -half_height;
    }
    return 2 * sides;
}

static uint32_t box(double (*v)[3], const double half[3])
{
    for (uint32_t k = 0; k < 8; k++)
        for (uint32_t m = 0; m < 3; m++)
            v[k][m] = gjb_box_corner(3, k, m) * half[m];
    return 8;
}

static void repeat_and_fill(gjb_random *r, double (*v)[3], uint32_t count)
{
    for (uint32_t k = 1; k < count; k++) {
        uint32_t what = gjb_random_below(r, 4);
        for (int m = 0; m < 3 && what < 2; m++)
            v[k][m] = what ? v[k - 1][m] : 0.5 * (v[k - 1][m] + v[0][m]);
    }
}

/* Half turns and quarter turns, whose R is exact whatever the length of q. */
static gjb_pose3d lattice_pose(gjb_random *r)
{
    static const double turns[6][4] = {{0, 0, 0, 1}, {0.5, 0, 0, 0.5}, {0, 0.5, 0, 0.5},
                                       {0, 0, 0.5, 0.5}, {0, 1, 0, 0}, {0.5, 0.5, 0.5, 0.5}};
    const double *q = turns[gjb_random_below(r, 6)];
    double x = 0.5 * gjb_random_below(r, 9), y = 0.5 * gjb_random_below(r, 7);
    return (gjb_pose3d){x, y, 0.5 * gjb_random_below(r, 5), q[0], q[1], q[2], q[3]};
}

/* Image without translation, rounded as it comes. */
static void turn(const gjb_pose3d *p, const double v[3], double out[3])
{
    double x = p->qx, y = p->qy, z = p->qz, w = p->qw, s = 2 / (x * x + y * y + z * z + w * w);
    out[0] = v[0] + s * (-(y * y + z * z) * v[0] + (x * y - w * z) * v[1] + (x * z + w * y) * v[2]);
    out[1] = v[1] + s * ((x * y + w * z) * v[0] - (x * x + z * z) * v[1] + (y * z - w * x) * v[2]);
    out[2] = v[2] + s * ((x * z - w * y) * v[0] + (y * z + w * x) * v[1] - (x * x + y * y) * v[2]);
}

/* Both bodies alike turned, half of the time. */
static void make_nearly(gjb_random *r, double (*v)[3], uint32_t count, gjb_pose3d *pose)
{
    gjb_pose3d tilt = gjb_random_below(r, 2) ? (gjb_pose3d){0, 0, 0, 0.1, 0.2, 0.3, 0.9} : *pose;
    for (uint32_t k = 0; k < count; k++) {
        double at[3];
        for (int m = 0; m < 3; m++)
            at[m] = 0.5 * (gjb_random_below(r, 4) - 1.5);
        turn(&tilt, at, v[k]);
    }
    double at[3] = {0.5 * gjb_random_below(r, 4), 0.5 * gjb_random_below(r, 3), 0.5 * gjb_random_below(r, 3)};
    double moved[3];
    turn(&tilt, at, moved);
    *pose = (gjb_pose3d){moved[0], moved[1], moved[2], 0, 0, 0, 1};
}

static void make_body(test_pair3 *out, int side, gjb_random *r, test_family3 family, uint32_t most)
{
    double(*v)[3] = out->vertices[side];
    uint32_t count = 1 + gjb_random_below(r, most);
    double scale = family == SPACE_TINY ? 1e-6 : family == SPACE_HUGE ? 1e6 : 1;
    scale *= family == SPACE_RATIO && side ? 1e-6 : 1;
    double axes[3] = {scale * gjb_random_range(r, 0.2, 1), scale * gjb_random_range(r, 0.2, 1),
                      scale * gjb_random_range(r, 0.2, 1)};
    gjb_pose3d pose = random_pose(r, family == SPACE_RATIO ? 1 : scale);
    double radius = gjb_random_below(r, 2) ? 0.5 * axes[0] * gjb_random_unit(r) : 0;
    bool whole = count >= 8;
    bool thin_twins = family == SPACE_IDENTICAL && gjb_random_below(r, 2);
    if (family == SPACE_SLIVER || family == SPACE_THIN || thin_twins) {
        double thinnest = family == SPACE_THIN ? -17 : -6;
        axes[0] *= pow(10, thinnest * gjb_random_unit(r));
        axes[1] *= pow(10, thinnest * gjb_random_unit(r));
    }
    ellipsoid(r, v, count, axes);
    switch (family) {
    case SPACE_REPEATED:
        repeat_and_fill(r, v, count);
        break;
    case SPACE_COPLANAR:
        count = whole ? prism(v, count / 2, axes[0], axes[1]) : count;
        pose = about_z(pose, circle * gjb_random_below(r, 12) / 12);
        break;
    case SPACE_PARALLEL:
        count = whole ? box(v, axes) : count;
        pose = about_z(pose, circle * gjb_random_unit(r));
        break;
    case SPACE_TURNED:
        count = whole ? box(v, axes) : count;
        pose.qx *= 1e-5;
        pose.qy *= 1e-5;
        pose.qz *= gjb_random_below(r, 2) ? 1e-5 : 0;
        pose.qw = 1;
        break;
    case SPACE_OFFSET:
        pose.x += 1e6;
        pose.y -= 1e6;
        pose.z += 3e5;
        break;
    case SPACE_LATTICE:
        for (uint32_t k = 0; k < count; k++)
            for (int m = 0; m < 3; m++)
                v[k][m] = 0.5 * (gjb_random_below(r, 5) - 2.0);
        pose = lattice_pose(r);
        radius = 0.25 * gjb_random_below(r, 3);
        break;
    case SPACE_NEARLY:
        make_nearly(r, v, count, &pose);
        break;
    case SPACE_SPREAD:
        for (uint32_t k = 0; k < 3 * count; k++)
            v[k / 3][k % 3] = ldexp(v[k / 3][k % 3], -(int)gjb_random_below(r, 80));
        pose.x = ldexp(pose.x, -(int)gjb_random_below(r, 80));
        pose.y = ldexp(pose.y, -(int)gjb_random_below(r, 80));
        pose.z = ldexp(pose.z, -(int)gjb_random_below(r, 80));
        break;
    case SPACE_FLAT:
        for (uint32_t k = 0; k < count; k++)
            v[k][2] = 0;
        pose = gjb_random_below(r, 2) ? about_z(pose, circle * gjb_random_unit(r)) : pose;
        pose.z = gjb_random_below(r, 2) ? 0 : pose.z;
        break;
    case SPACE_LINE:
        for (uint32_t k = 0; k < count; k++) {
            v[k][0] = 0.25 * gjb_random_below(r, 5);
            v[k][1] = v[k][2] = 0;
        }
        pose = lattice_pose(r);
        pose.y = pose.z = 0;
        radius = gjb_random_below(r, 2) ? 0.25 : 0;
        break;
    default:
        break;
    }
    gjb_body3 *body = side ? &out->pair.b : &out->pair.a;
    *body = (gjb_body3){kind_of(count), count, (const double(*)[3])v, radius, pose, {0, 0, 0, 0, 0, 0}};
}

static void make_identical(test_pair3 *out, gjb_random *r)
{
    gjb_body3 *a = &out->pair.a, *b = &out->pair.b;
    memcpy(out->vertices[1], out->vertices[0], a->count * sizeof out->vertices[0][0]);
    *b = *a;
    b->vertices = (const double(*)[3])out->vertices[1];
    if (gjb_random_below(r, 2) && a->count > 1) {
        double t = 3 * gjb_random_unit(r), edge[3], moved[3];
        for (int m = 0; m < 3; m++)
            edge[m] = t * (a->vertices[1][m] - a->vertices[0][m]);
        turn(&a->pose, edge, moved);
        b->pose.x += moved[0];
        b->pose.y += moved[1];
        b->pose.z += moved[2];
    }
}

void test_pair3_make(test_pair3 *out, test_family3 family, uint64_t index, uint32_t most)
{
    gjb_random r = gjb_random_make(3, (uint64_t)family, index);
    make_body(out, 0, &r, family, most);
    make_body(out, 1, &r, family, most);
    gjb_body3 *a = &out->pair.a, *b = &out->pair.b;
    if (family == SPACE_IDENTICAL || (family == SPACE_FLAT && gjb_random_below(&r, 3) == 0)) {
        make_identical(out, &r);
    } else if (family == SPACE_NEAR) {
        a->radius = b->radius = 0;
        double p[3], q[3], gap = 1e-12 * gjb_random_range(&r, -1, 1);
        turn(&a->pose, a->vertices[gjb_random_below(&r, a->count)], p);
        turn(&b->pose, b->vertices[gjb_random_below(&r, b->count)], q);
        b->pose.x = a->pose.x + p[0] - q[0] + gap;
        b->pose.y = a->pose.y + p[1] - q[1] - gap;
        b->pose.z = a->pose.z + p[2] - q[2] + 0.5 * gap;
    }
}
