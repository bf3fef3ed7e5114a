/* The table of manifolds that are known from paper. */
#include "contenders/tests/manifolds/cases.h"

#define HALF 0.70710678118654752440 /* root of 1/2: an eighth of a turn */
#define COS_22 0.92387953251128675613
#define SIN_22 0.38268343236508977173

#define UPRIGHT2 {1, 0}
#define UPRIGHT3 {0, 0, 0, 1}
/* 3-4-5 about the normal: half the angle has cosine 3 / root 10. */
#define TURNED3 {0, 0, 0.31622776601683793320, 0.94868329805051379960}
#define ON_EDGE3 {SIN_22, 0, 0, COS_22}

#define FLOOR2 {GJB_BOX, 1, {{2, 1}}, 0}
#define FLOOR3 {GJB_BOX, 1, {{2, 1.5, 1}}, 0}
#define BRICK2 {GJB_BOX, 1, {{1, 0.5}}, 0}
#define BRICK3 {GJB_BOX, 1, {{1, 0.75, 1.25}}, 0}
#define TRAPEZOID {GJB_POLYGON, 4, {{-1, 0}, {1, 0}, {0.5, 1}, {-0.5, 1}}, 0}
/* Wider at the bottom. */
#define FRUSTUM                                                                                                        \
    {GJB_HULL, 8, {{-1, -0.5, 0}, {1, -0.5, 0}, {1, 0.5, 0}, {-1, 0.5, 0}, {-0.5, -0.25, 1.5}, {0.5, -0.25, 1.5},      \
                   {0.5, 0.25, 1.5}, {-0.5, 0.25, 1.5}}, 0}
#define BALL {GJB_POINT, 1, {{0}}, 0.5}
#define SEGMENT {GJB_SEGMENT, 2, {{-1, 0, 0}, {1, 0, 0}}, 0}
#define CAPSULE {GJB_SEGMENT, 2, {{-1, 0, 0}, {1, 0, 0}}, 0.25}
#define DRUM {GJB_CYLINDER, 1, {{0.5, 0.75, 0}}, 0}
#define TABLE {GJB_CYLINDER, 1, {{2, 1, 0}}, 0}
#define HAT {GJB_CONE, 1, {{0.5, 0.75, 0}}, 0}
#define ON_SIDE3 {HALF, 0, 0, HALF}

const manifold_case manifold_cases[] = {
    {"box on box", 2, FLOOR2, BRICK2, {0.5, 1.5}, UPRIGHT2, 2, {{-0.5, 1}, {1.5, 1}}},
    {"box beyond the end of a box", 2, FLOOR2, BRICK2, {1.5, 1.5}, UPRIGHT2, 2, {{0.5, 1}, {2, 1}}},
    {"polygon on box", 2, FLOOR2, TRAPEZOID, {0.25, 1}, UPRIGHT2, 2, {{-0.75, 1}, {1.25, 1}}},
    {"corner on box", 2, FLOOR2, {GJB_BOX, 1, {{1, 1}}, 0}, {0.5, 1 + 2 * HALF}, {HALF, HALF}, 1, {{0.5, 1}}},
    {"circle on box", 2, FLOOR2, BALL, {0.5, 1.5}, UPRIGHT2, 1, {{0.5, 1}}},
    {"circle on circle", 2, BALL, BALL, {0, 1}, UPRIGHT2, 1, {{0, 0.5}}},
    {"capsule on box", 2, FLOOR2, CAPSULE, {0.25, 1.25}, UPRIGHT2, 2, {{-0.75, 1}, {1.25, 1}}},
    {"segment on box", 2, FLOOR2, SEGMENT, {0.25, 1}, UPRIGHT2, 2, {{-0.75, 1}, {1.25, 1}}},
    {"circle on segment", 2, SEGMENT, BALL, {0.25, 0.5}, UPRIGHT2, 1, {{0.25, 0}}},
    {"circle on capsule", 2, CAPSULE, BALL, {0.25, 0.75}, UPRIGHT2, 1, {{0.25, 0.25}}},
    {"capsule on capsule", 2, CAPSULE, CAPSULE, {0.5, 0.5}, UPRIGHT2, 2, {{-0.5, 0.25}, {1, 0.25}}},

    {"box on box", 3, FLOOR3, BRICK3, {0.5, 0.25, 2.25}, UPRIGHT3, 4,
     {{-0.5, -0.5, 1}, {1.5, -0.5, 1}, {1.5, 1, 1}, {-0.5, 1, 1}}},
    {"box beyond the end of a box", 3, FLOOR3, BRICK3, {1.5, 1.25, 2.25}, UPRIGHT3, 4,
     {{0.5, 0.5, 1}, {2, 0.5, 1}, {2, 1.5, 1}, {0.5, 1.5, 1}}},
    {"turned box on box", 3, FLOOR3, {GJB_BOX, 1, {{1, 0.5, 1}}, 0}, {0.25, 0.125, 2}, TURNED3, 4,
     {{-0.25, -0.875, 1}, {1.35, 0.325, 1}, {0.75, 1.125, 1}, {-0.85, -0.075, 1}}},
    {"edge on box", 3, FLOOR3, {GJB_BOX, 1, {{1, 1, 1}}, 0}, {0.5, 0.25, 1 + 2 * HALF}, ON_EDGE3, 2,
     {{-0.5, 0.25, 1}, {1.5, 0.25, 1}}},
    {"hull on box", 3, FLOOR3, FRUSTUM, {0.5, 0.25, 1}, UPRIGHT3, 4,
     {{-0.5, -0.25, 1}, {1.5, -0.25, 1}, {1.5, 0.75, 1}, {-0.5, 0.75, 1}}},
    {"hull on hull", 3, FRUSTUM, FRUSTUM, {0, 0, 1.5}, UPRIGHT3, 4,
     {{-0.5, -0.25, 1.5}, {0.5, -0.25, 1.5}, {0.5, 0.25, 1.5}, {-0.5, 0.25, 1.5}}},
    {"sphere on box", 3, FLOOR3, BALL, {0.5, 0.25, 1.5}, UPRIGHT3, 1, {{0.5, 0.25, 1}}},
    {"sphere on sphere", 3, BALL, BALL, {0, 0, 1}, UPRIGHT3, 1, {{0, 0, 0.5}}},
    {"sphere on hull", 3, FRUSTUM, BALL, {0.125, 0.0625, 2}, UPRIGHT3, 1, {{0.125, 0.0625, 1.5}}},
    {"capsule on box", 3, FLOOR3, CAPSULE, {0.25, 0.5, 1.25}, UPRIGHT3, 2, {{-0.75, 0.5, 1}, {1.25, 0.5, 1}}},
    {"sphere on capsule", 3, CAPSULE, BALL, {0.25, 0, 0.75}, UPRIGHT3, 1, {{0.25, 0, 0.25}}},
    {"capsule on capsule", 3, CAPSULE, CAPSULE, {0.5, 0, 0.5}, UPRIGHT3, 2, {{-0.5, 0, 0.25}, {1, 0, 0.25}}},
    {"cylinder lying on box", 3, FLOOR3, DRUM, {0.5, 0.25, 1.5}, ON_SIDE3, 2, {{0.5, -0.5, 1}, {0.5, 1, 1}}},
    {"cylinder lying beyond the end of a box", 3, FLOOR3, DRUM, {0.5, 1.25, 1.5}, ON_SIDE3, 2,
     {{0.5, 0.5, 1}, {0.5, 1.5, 1}}},
    {"capsule on cylinder", 3, TABLE, CAPSULE, {0.5, 0, 1.25}, UPRIGHT3, 2, {{-0.5, 0, 1}, {1.5, 0, 1}}},
    {"box on cylinder", 3, TABLE, {GJB_BOX, 1, {{1, 0.5, 1}}, 0}, {0.5, 0.25, 2}, UPRIGHT3, 4,
     {{-0.5, -0.25, 1}, {1.5, -0.25, 1}, {1.5, 0.75, 1}, {-0.5, 0.75, 1}}},
    {"tip of a cone on box", 3, FLOOR3, HAT, {0.5, 0.25, 1.75}, {1, 0, 0, 0}, 1, {{0.5, 0.25, 1}}},
    {"tip of a cone on cylinder", 3, TABLE, HAT, {0.5, 0.25, 1.75}, {1, 0, 0, 0}, 1, {{0.5, 0.25, 1}}},
};
const unsigned manifold_case_count = sizeof manifold_cases / sizeof manifold_cases[0];
