/* Scenes for tests: spirals of mixed shapes in 2D and 3D, motions, and one pair with its exchanged twin. */
#include "contenders/tests/scenes.h"

#include <math.h>
#include <stdlib.h>

static const test_shape spiral_shapes[] = {
    {GJB_POLYGON, 5, {{1, 0}, {0.3, 0.95}, {-0.8, 0.6}, {-0.8, -0.6}, {0.3, -0.95}}, 0},
    {GJB_BOX, 1, {{0.75, 0.5}}, 0},
    {GJB_POINT, 1, {{0.125, 0}}, 0.5},
    {GJB_SEGMENT, 2, {{-0.5, 0}, {0.5, 0.25}}, 0.25},
    {GJB_BOX, 1, {{0.5, 0.25}}, 0.125},
    {GJB_POLYGON, 3, {{0, 0}, {1, 0.5}, {-0.25, 1}}, 0},
};
enum { SPIRAL_SHAPES = sizeof spiral_shapes / sizeof spiral_shapes[0] };

static void check(const void *allocated)
{
    if (allocated == NULL)
        abort();
}

static void pair_neighbours(gjb_scene *scene, uint32_t bodies, uint32_t reach)
{
    for (uint32_t i = 0; i < bodies; i++)
        for (uint32_t n = 0; n < reach; n++) {
            uint32_t *pair = scene->frames[0].pairs + 2 * ((uint64_t)i * reach + n);
            pair[0] = i;
            pair[1] = (i + 1 + n) % bodies;
        }
}

gjb_scene *test_spiral(gjb_precision precision, uint32_t bodies, uint32_t reach)
{
    gjb_scene *scene = gjb_scene_new(2, precision, SPIRAL_SHAPES, 8 * SPIRAL_SHAPES, bodies,
                                     (uint64_t)bodies * reach);
    check(scene);
    uint32_t first = 0;
    for (uint32_t i = 0; i < SPIRAL_SHAPES; i++) {
        const test_shape *s = &spiral_shapes[i];
        gjb_scene_set_shape(scene, i, s->kind, first, s->count, s->rows, s->radius);
        first += s->count;
    }
    for (uint32_t i = 0; i < bodies; i++) {
        const double angle = 0.7 * i, r = 0.6 * sqrt(i);
        scene->body_shape[i] = i % SPIRAL_SHAPES;
        gjb_scene_set_pose(scene, 0, i,
                           (gjb_pose2d){r * cos(angle), r * sin(angle), cos(3 * angle), sin(3 * angle)});
    }
    pair_neighbours(scene, bodies, reach);
    return scene;
}

static const struct {
    gjb_kind kind;
    uint32_t count;
    double rows[8][3];
    double radius;
} solids[] = {
    {GJB_HULL, 5, {{1, 0, 0}, {-0.5, 0.8, 0.1}, {-0.5, -0.8, 0}, {0.1, 0, 0.9}, {0, 0.1, -0.7}}, 0},
    {GJB_BOX, 1, {{0.75, 0.5, 0.4}}, 0},
    {GJB_POINT, 1, {{0.125, 0, 0.25}}, 0.5},
    {GJB_SEGMENT, 2, {{-0.5, 0, 0.1}, {0.5, 0.25, 0}}, 0.25},
    {GJB_BOX, 1, {{0.5, 0.25, 0.75}}, 0.125},
    {GJB_TRIANGLE, 3, {{0, 0, 0}, {1, 0.5, 0.25}, {-0.25, 1, 0.5}}, 0},
};
enum { SOLIDS = sizeof solids / sizeof solids[0] };

gjb_scene *test_spiral3(gjb_precision precision, uint32_t bodies, uint32_t reach)
{
    gjb_scene *scene = gjb_scene_new(3, precision, SOLIDS, 8 * SOLIDS, bodies, (uint64_t)bodies * reach);
    check(scene);
    uint32_t first = 0;
    for (uint32_t i = 0; i < SOLIDS; i++) {
        gjb_scene_set_shape(scene, i, solids[i].kind, first, solids[i].count, solids[i].rows, solids[i].radius);
        first += solids[i].count;
    }
    for (uint32_t i = 0; i < bodies; i++) {
        const double angle = 0.7 * i, r = 0.5 * sqrt(i), half = 1.3 * i;
        scene->body_shape[i] = i % SOLIDS;
        gjb_scene_set_pose3(scene, 0, i,
                            (gjb_pose3d){r * cos(angle), r * sin(angle), 0.4 * sin(5 * angle), 0.6 * sin(half), 0,
                                         0.8 * sin(half), cos(half)});
    }
    pair_neighbours(scene, bodies, reach);
    return scene;
}

void test_set_moving(gjb_scene *scene, uint32_t frame)
{
    const uint32_t numbers = gjb_motion_numbers(scene->shapes.dim);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        double motion[6];
        for (uint32_t k = 0; k < numbers; k++)
            motion[k] = 0.25 * sin(1.7 * i + k + frame);
        if (gjb_scene_set_motion(scene, frame, i, motion) != 0)
            abort();
    }
}

gjb_scene *test_couple(gjb_precision precision, const test_shape *a, gjb_pose2d pose_a, const test_shape *b,
                       gjb_pose2d pose_b)
{
    gjb_scene *scene = gjb_scene_new(2, precision, 2, a->count + b->count, 2, 2);
    check(scene);
    gjb_scene_set_shape(scene, 0, a->kind, 0, a->count, a->rows, a->radius);
    gjb_scene_set_shape(scene, 1, b->kind, a->count, b->count, b->rows, b->radius);
    gjb_scene_set_pose(scene, 0, 0, pose_a);
    gjb_scene_set_pose(scene, 0, 1, pose_b);
    static const uint32_t pairs[] = {0, 1, 1, 0};
    for (int i = 0; i < 4; i++)
        scene->frames[0].pairs[i] = pairs[i];
    return scene;
}
