/* Scenes for the tests of this room, built by hand: no generator, no files. */
#ifndef GJB_CONTENDERS_TESTS_SCENES_H
#define GJB_CONTENDERS_TESTS_SCENES_H

#include "scenes/scene.h"

/* `bodies` of mixed kinds on a spiral, each paired with `reach` neighbours; in
 * 2D, and in space. */
gjb_scene *test_spiral(gjb_precision precision, uint32_t bodies, uint32_t reach);
gjb_scene *test_spiral3(gjb_precision precision, uint32_t bodies, uint32_t reach);

/* Sets each body of a frame in motion, each in its own way. */
void test_set_moving(gjb_scene *scene, uint32_t frame);

/* One shape of a case with a known answer. */
typedef struct test_shape {
    gjb_kind kind;
    uint32_t count;
    double rows[12][2];
    double radius;
} test_shape;

/* A scene of one pair (0, 1), and the same swapped as pair 1. */
gjb_scene *test_couple(gjb_precision precision, const test_shape *a, gjb_pose2d pose_a, const test_shape *b,
                       gjb_pose2d pose_b);

#endif
