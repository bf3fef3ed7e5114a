/* Moving boxes of a scene: their numbers are those of the scene, and every scene that a step does not
 * support is refused by body, field and value. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stepping/step.h"

static gjb_scene *scene_of(const char *text)
{
    gjb_error error = {0};
    gjb_scene *scene = gjb_scene_parse(text, strlen(text), "scene.json", &error);
    cr_assert(scene, "%s", error.text);
    return scene;
}

/* A point, a box by its half extents, a box by its corners in either order; the last moves. */
/* clang-format off */
static const char *const good[4] = {
    [2] = "{\"gjkbench\": 1, \"precision\": \"%s\", \"shapes\": [{\"kind\": \"point\", \"vertices\": [[1, 2]]},"
          "{\"kind\": \"box\", \"half_extents\": [0.5, 0.25]}, {\"kind\": \"aabb\", \"corners\": [[3, 1], [-1, 4]]}],"
          "\"bodies\": [{\"shape\": 1, \"pose\": {\"x\": 8, \"y\": -8}}, {\"shape\": 0, \"pose\": {\"x\": 1, \"y\": 2}},"
          "{\"shape\": 2, \"pose\": {\"x\": 3, \"y\": 4}, \"motion\": {\"x\": 0, \"y\": -5}}], \"pairs\": [[0, 2]]}",
    [3] = "{\"gjkbench\": 1, \"dim\": 3, \"precision\": \"%s\","
          "\"shapes\": [{\"kind\": \"point\", \"vertices\": [[1, 2, 3]]},"
          "{\"kind\": \"box\", \"half_extents\": [0.5, 0.25, 2]},"
          "{\"kind\": \"aabb\", \"corners\": [[3, 1, 6], [-1, 4, 5]]}],"
          "\"bodies\": [{\"shape\": 1, \"pose\": {\"x\": 8, \"y\": -8, \"z\": 7}},"
          "{\"shape\": 0, \"pose\": {\"x\": 1, \"y\": 2, \"z\": 3}},"
          "{\"shape\": 2, \"pose\": {\"x\": 3, \"y\": 4, \"z\": 5}, \"motion\": {\"x\": 0, \"y\": -5, \"z\": 0}}],"
          "\"pairs\": [[0, 2]]}",
};
/* clang-format on */

Test(step_scene, takes_boxes_as_they_stand)
{
    static const gjb_step_box want[3] = {
        {{-0.5, -0.25, -2}, {0.5, 0.25, 2}, {8, -8, 7}, {0}, 0},
        {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {0}, 0},
        {{-1, 1, 5}, {3, 4, 6}, {3, 4, 5}, {0, -5, 0}, 1},
    };
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            char text[1024];
            snprintf(text, sizeof text, good[dim], gjb_precision_name((gjb_precision)p));
            gjb_scene *scene = scene_of(text);
            gjb_error error = {0};
            gjb_step_box *boxes = gjb_step_of_scene(scene, "scene.json", &error);
            cr_assert(boxes, "%s", error.text);
            for (int i = 0; i < 3; i++) {
                for (uint32_t k = 0; k < 3; k++) {
                    const int there = k < dim;
                    cr_expect_eq(boxes[i].low[k], there ? want[i].low[k] : 0, "%uD, box %d, axis %u", dim, i,
                                 k);
                    cr_expect_eq(boxes[i].high[k], there ? want[i].high[k] : 0, "%uD, box %d, axis %u", dim,
                                 i, k);
                    cr_expect_eq(boxes[i].at[k], there ? want[i].at[k] : 0, "%uD, box %d, axis %u", dim, i,
                                 k);
                    cr_expect_eq(boxes[i].by[k], want[i].by[k], "%uD, box %d, axis %u", dim, i, k);
                }
                cr_expect_eq(boxes[i].inverse_mass, want[i].inverse_mass, "%uD, box %d", dim, i);
            }
            free(boxes);
            gjb_scene_free(scene);
        }
}

static const char
    plane[] = "{\"gjkbench\": 1, \"shapes\": [%s], \"bodies\": [{\"shape\": 0, \"pose\": {\"x\": 0,"
              " \"y\": 0}}, {\"shape\": 0, \"pose\": {\"x\": 5, \"y\": 0%s}%s}], \"pairs\": [[0, 1]]}",
    space[] = "{\"gjkbench\": 1, \"dim\": 3, \"shapes\": [%s], \"bodies\": [{\"shape\": 0, \"pose\":"
              " {\"x\": 0, \"y\": 0, \"z\": 0}}, {\"shape\": 0, \"pose\": {\"x\": 5, \"y\": 0, \"z\": 0%s}"
              "%s}], \"pairs\": [[0, 1]]}",
    box2[] = "{\"kind\": \"box\", \"half_extents\": [1, 1]}",
    box3[] = "{\"kind\": \"box\", \"half_extents\": [1, 1, 1]}";

Test(step_scene, says_what_no_step_takes)
{
    static const struct {
        const char *scene, *shape, *pose, *motion, *said;
    } rows[] = {
        {plane, "{\"kind\": \"segment\", \"vertices\": [[0, 0], [1, 0]]}", "", "",
         "scene.json: shapes[0].kind: segment: a step takes point, box and aabb"},
        {plane, "{\"kind\": \"point\", \"vertices\": [[0, 0]], \"radius\": 0.5}", "", "",
         "scene.json: shapes[0].radius: 0.5: a step takes boxes without one"},
        {plane, box2, ", \"c\": 0, \"s\": 1", "",
         "scene.json: bodies[1].pose: turned: a step takes boxes that are not"},
        {plane, box2, ", \"c\": -1, \"s\": 0", "",
         "scene.json: bodies[1].pose: turned: a step takes boxes that are not"},
        {plane, box2, "", ", \"motion\": {\"x\": 1, \"y\": 0, \"angle\": -2}",
         "scene.json: bodies[1].motion: turns by 2: a step takes boxes that do not"},
        {space, box3, ", \"qx\": 0, \"qy\": 0, \"qz\": 1, \"qw\": 0", "",
         "scene.json: bodies[1].pose: turned: a step takes boxes that are not"},
        {space, box3, "", ", \"motion\": {\"x\": 0, \"y\": 0, \"z\": 0, \"wx\": 2, \"wy\": 3, \"wz\": 6}",
         "scene.json: bodies[1].motion: turns by 7: a step takes boxes that do not"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[1024];
        snprintf(text, sizeof text, rows[k].scene, rows[k].shape, rows[k].pose, rows[k].motion);
        gjb_scene *scene = scene_of(text);
        gjb_error error = {0};
        cr_expect_null(gjb_step_of_scene(scene, "scene.json", &error), "row %zu", k);
        cr_expect_str_eq(error.text, rows[k].said);
        gjb_scene_free(scene);
    }
}

Test(step_scene, responses_have_names)
{
    cr_expect_str_eq(gjb_response_name(GJB_RESPOND_STOP), "stop");
    cr_expect_str_eq(gjb_response_name(GJB_RESPOND_SLIDE), "slide");
    cr_expect_str_eq(gjb_response_name(GJB_RESPOND_REFLECT), "reflect");
    cr_expect_str_eq(gjb_response_name(GJB_RESPONSES), "unknown");
}
