/* Draws pairs in motion for tests, aimed so that they meet or miss by a given distance. */
#include "reference/tests/moving.h"

#include <math.h>

#include "reference/motion/motion.h"

/* Families whose shapes have a size of about 1 each, whatever their places. */
static const test_family plane_families[] = {PLAIN, NEEDLE, REPEATED, COLLINEAR, PARALLEL, DYADIC, FLAT};
static const test_family3 space_families[] = {SPACE_PLAIN, SPACE_SLIVER, SPACE_REPEATED, SPACE_PARALLEL,
                                              SPACE_LATTICE, SPACE_FLAT};

static void direction(gjb_random *r, uint32_t dim, double out[3])
{
    double length;
    do {
        length = 0;
        for (uint32_t m = 0; m < 3; m++) {
            out[m] = m < dim ? gjb_random_range(r, -1, 1) : 0;
            length = hypot(length, out[m]);
        }
    } while (length > 1 || length < 0.1);
    for (int m = 0; m < 3; m++)
        out[m] /= length;
}

static void set(gjb_pair *pair, int side, const double at[3], const double by[3], const double turn[3])
{
    if (pair->dim == 2) {
        gjb_body2 *body = side ? &pair->as.plane.b : &pair->as.plane.a;
        body->pose.x = at[0], body->pose.y = at[1];
        body->motion = (gjb_motion2d){by[0], by[1], turn[2]};
    } else {
        gjb_body3 *body = side ? &pair->as.space.b : &pair->as.space.a;
        body->pose.x = at[0], body->pose.y = at[1], body->pose.z = at[2];
        body->motion = (gjb_motion3d){by[0], by[1], by[2], turn[0], turn[1], turn[2]};
    }
}

static double most_turn(gjb_random *r, test_motion motion)
{
    const double turns[TEST_MOTIONS] = {0, 1, 20, 3, 0.5, 2};
    return gjb_random_below(r, 4) == 0 ? 0 : 2 * M_PI * turns[motion] * gjb_random_unit(r);
}

/* Moves B across the way by what makes the least distance over some times `wanted`. */
static void aim(gjb_pair *pair, double at[3], const double by[3], const double turn[3], const double across[3],
                double wanted)
{
    for (int round = 0; round < 40; round++) {
        double least = INFINITY;
        for (int k = 0; k <= 64; k++) {
            gjb_pair there;
            ref_pair_at(pair, k / 64.0, &there);
            double sigma = pair->dim == 2 ? ref_signed_distance2(&there.as.plane).sigma
                                          : ref_signed_distance3(&there.as.space, NULL).sigma;
            least = fmin(least, sigma);
        }
        for (int m = 0; m < 3; m++)
            at[m] += across[m] * (wanted - least);
        set(pair, 1, at, by, turn);
    }
}

void test_moving_make(test_moving *out, uint32_t dim, test_motion motion, uint64_t index, uint32_t most)
{
    gjb_random random = gjb_random_make(5, (uint64_t)motion * 4 + dim, index), *r = &random;
    uint32_t planes = sizeof plane_families / sizeof *plane_families;
    uint32_t spaces = sizeof space_families / sizeof *space_families;
    out->pair.dim = dim;
    if (dim == 2) {
        test_pair_make(&out->plane, plane_families[gjb_random_below(r, planes)], index, most);
        out->pair.as.plane = out->plane.pair;
    } else {
        test_pair3_make(&out->space, space_families[gjb_random_below(r, spaces)], index, most);
        out->pair.as.space = out->space.pair;
    }
    double nothing[3] = {0}, way[3], across[3], at[3], by[2][3] = {{0}}, turn[2][3] = {{0}}, zero[3] = {0};
    set(&out->pair, 0, zero, nothing, nothing);
    set(&out->pair, 1, zero, nothing, nothing);
    double size = gjb_pair_size(&out->pair), start = size * gjb_random_range(r, 0.2, 1.5);
    double common = motion == MOVING_TOGETHER ? 1000 * size : 0;
    double go = motion == MOVING_IN_PLACE ? 0 : size * gjb_random_range(r, 0.2, 4);
    direction(r, dim, way);
    direction(r, dim, across);
    for (int side = 0; side < 2; side++) {
        double axis[3], most_angle = most_turn(r, motion);
        direction(r, 3, axis);
        for (int m = 0; m < 3; m++)
            turn[side][m] = dim == 3 ? axis[m] * most_angle : m == 2 ? (axis[0] < 0 ? -most_angle : most_angle) : 0;
    }
    for (uint32_t m = 0; m < dim; m++) {
        at[m] = way[m] * start + across[m] * size * gjb_random_range(r, 0, 0.4);
        by[0][m] = common * across[m] + way[m] * go * 0.3;
        by[1][m] = common * across[m] - way[m] * go * 0.7;
    }
    if (dim == 2)
        at[2] = 0;
    set(&out->pair, 0, zero, by[0], turn[0]);
    set(&out->pair, 1, at, by[1], turn[1]);
    if (motion == MOVING_GRAZING) {
        double wanted = size * pow(10, -gjb_random_range(r, 3, 12));
        aim(&out->pair, at, by[1], turn[1], across, gjb_random_below(r, 2) ? wanted : -wanted);
    }
}
