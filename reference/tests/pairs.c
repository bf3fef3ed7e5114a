/* Draws pairs in the plane for tests: dyadic, repeated, collinear and exchanged shapes. */
#include "reference/tests/pairs.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double turn = 6.283185307179586;

static gjb_kind kind_of(uint32_t count)
{
    return count == 1 ? GJB_POINT : count == 2 ? GJB_SEGMENT : GJB_POLYGON;
}

void test_pair_set(test_pair *out, int side, gjb_kind kind, uint32_t count, const double (*vertices)[2],
                   double radius, gjb_pose2d pose)
{
    gjb_body2 *body = side ? &out->pair.b : &out->pair.a;
    memmove(out->vertices[side], vertices, count * sizeof *vertices);
    *body = (gjb_body2){kind, count, (const double (*)[2])out->vertices[side], radius, pose, {0, 0, 0}};
}

gjb_pair2 test_pair_swapped(const gjb_pair2 *pair)
{
    return (gjb_pair2){.a = pair->b, .b = pair->a};
}

static void ellipse(gjb_random *r, double (*v)[2], uint32_t count, double rx, double ry, double jitter)
{
    for (uint32_t k = 0; k < count; k++) {
        double angle = turn * (k + jitter * gjb_random_unit(r)) / count;
        v[k][0] = rx * cos(angle);
        v[k][1] = ry * sin(angle);
    }
}

static void repeat_some(gjb_random *r, double (*v)[2], uint32_t count)
{
    for (uint32_t k = 1; k < count; k++)
        if (gjb_random_below(r, 3) == 0)
            memcpy(v[k], v[k - 1], sizeof v[k]);
}

static void straighten_some(gjb_random *r, double (*v)[2], uint32_t count)
{
    for (uint32_t k = 1; k + 1 < count; k += 2) {
        double t = gjb_random_unit(r);
        for (int m = 0; m < 2; m++)
            v[k][m] = v[k - 1][m] + t * (v[k + 1][m] - v[k - 1][m]);
    }
}

static void dyadic_body(gjb_random *r, double (*v)[2], uint32_t *count)
{
    static const double octagon[8][2] = {{3, -1}, {3, 1}, {1, 3}, {-1, 3},
                                         {-3, 1}, {-3, -1}, {-1, -3}, {1, -3}};
    static const double box[4][2] = {{-2, -1}, {2, -1}, {2, 1}, {-2, 1}};
    static const double triangle[3][2] = {{0, 0}, {4, 0}, {0, 3}};
    static const double segment[2][2] = {{-2, -1}, {1, 3}};
    static const double point[1][2] = {{1, 0}};
    static const struct { uint32_t count; const double (*rows)[2]; } shapes[5] = {
        {8, octagon}, {4, box}, {3, triangle}, {2, segment}, {1, point}};
    uint32_t chosen = gjb_random_below(r, 5);
    double scale = 0.25 * (1 << gjb_random_below(r, 3));
    *count = shapes[chosen].count;
    for (uint32_t k = 0; k < *count; k++) {
        v[k][0] = scale * shapes[chosen].rows[k][0];
        v[k][1] = scale * shapes[chosen].rows[k][1];
    }
}

static void make_body(test_pair *out, int side, gjb_random *r, test_family family, uint32_t most)
{
    static const double quarter[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double (*v)[2] = out->vertices[side];
    uint32_t count = 1 + gjb_random_below(r, most);
    double scale = family == TINY ? 1e-6 : family == HUGE_SCALE ? 1e6 : 1;
    double size = scale * (0.2 + gjb_random_unit(r)), aspect = gjb_random_unit(r);
    double angle = turn * gjb_random_unit(r);
    double x = 3 * scale * (gjb_random_unit(r) - 0.5), y = 3 * scale * (gjb_random_unit(r) - 0.5);
    gjb_pose2d pose = {x, y, cos(angle), sin(angle)};
    double radius = gjb_random_below(r, 2) ? 0.5 * size * gjb_random_unit(r) : 0;
    if (family == NEEDLE)
        aspect = pow(10, -4 * gjb_random_unit(r));
    ellipse(r, v, count, size, aspect * size, family == PARALLEL ? 0 : 0.9);
    if (family == REPEATED) {
        repeat_some(r, v, count);
    } else if (family == COLLINEAR) {
        straighten_some(r, v, count);
    } else if (family == OFFSET) {
        pose.x += 1e6;
        pose.y -= 1e6;
    } else if (family == PARALLEL) {
        ellipse(r, v, count, size, size, 0);
    } else if (family == DYADIC) {
        dyadic_body(r, v, &count);
        uint32_t q = gjb_random_below(r, 4);
        x = 0.5 * gjb_random_below(r, 12);
        y = 0.5 * gjb_random_below(r, 12);
        pose = (gjb_pose2d){x, y, quarter[q][0], quarter[q][1]};
        radius = 0.25 * gjb_random_below(r, 4);
    } else if (family == FLAT) {
        for (uint32_t k = 0; k < count; k++) {
            v[k][0] = 0.25 * gjb_random_below(r, 5);
            v[k][1] = 0;
        }
        count = count > 2 ? 2 : count;
        bool quarters = gjb_random_below(r, 2);
        uint32_t q = gjb_random_below(r, 4);
        pose = (gjb_pose2d){quarters ? 0.5 * gjb_random_below(r, 3) : 0, 0, quarters ? quarter[q][0] : pose.c,
                            quarters ? quarter[q][1] : pose.s};
        radius = gjb_random_below(r, 2) ? 0.25 : 0;
    }
    gjb_body2 *body = side ? &out->pair.b : &out->pair.a;
    *body = (gjb_body2){kind_of(count), count, (const double (*)[2])v, radius, pose, {0, 0, 0}};
}

void test_pair_make(test_pair *out, test_family family, uint64_t index, uint32_t most)
{
    gjb_random r = gjb_random_make(2, (uint64_t)family, index);
    make_body(out, 0, &r, family, most);
    make_body(out, 1, &r, family, most);
    gjb_body2 *a = &out->pair.a, *b = &out->pair.b;
    if (family == PARALLEL) {
        b->pose.c = a->pose.c;
        b->pose.s = a->pose.s;
    } else if (family == IDENTICAL || (family == FLAT && gjb_random_below(&r, 2))) {
        memcpy(out->vertices[1], out->vertices[0], a->count * sizeof out->vertices[0][0]);
        *b = *a;
        b->vertices = (const double (*)[2])out->vertices[1];
        if (gjb_random_below(&r, 2) && a->count > 1) {
            const double *p = a->vertices[0], *q = a->vertices[1];
            double t = 3 * gjb_random_unit(&r), x = t * (q[0] - p[0]), y = t * (q[1] - p[1]);
            b->pose.x += b->pose.c * x - b->pose.s * y;
            b->pose.y += b->pose.s * x + b->pose.c * y;
        }
    } else if (family == NEAR) {
        a->radius = b->radius = 0;
        const double *p = a->vertices[gjb_random_below(&r, a->count)];
        const double *q = b->vertices[gjb_random_below(&r, b->count)];
        double gap = 1e-12 * (gjb_random_unit(&r) - 0.5);
        const gjb_pose2d *from = &a->pose;
        gjb_pose2d *to = &b->pose;
        to->x = from->x + from->c * p[0] - from->s * p[1] - to->c * q[0] + to->s * q[1] + gap;
        to->y = from->y + from->s * p[0] + from->c * p[1] - to->s * q[0] - to->c * q[1] - gap;
    }
}
