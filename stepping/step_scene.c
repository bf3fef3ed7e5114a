/* Reads the moving boxes of a scene. */
#include "stepping/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/scene.h"

static double row_of(const gjb_shapes *s, uint32_t row, uint32_t axis)
{
    const size_t at = (size_t)row * s->dim + axis;
    return s->precision == GJB_F32 ? (double)((const float *)s->rows)[at] : ((const double *)s->rows)[at];
}

static double radius_of(const gjb_shapes *s, uint32_t i)
{
    return s->precision == GJB_F32 ? (double)((const float *)s->radius)[i] : ((const double *)s->radius)[i];
}

/* 0, or -1 with the body and the field that a step does not support. */
static int read_shape(const char *file, const gjb_scene *scene, uint32_t body, gjb_step_box *box,
                      gjb_error *error)
{
    const gjb_shapes *s = &scene->shapes;
    const uint32_t shape = scene->body_shape ? scene->body_shape[body] : body;
    const gjb_kind kind = (gjb_kind)s->kind[shape];
    if (kind != GJB_POINT && kind != GJB_BOX && kind != GJB_AABB)
        return gjb_fail(error, "%s: shapes[%u].kind: %s: a step takes point, box and aabb", file, shape,
                        gjb_kind_name(kind));
    if (radius_of(s, shape) > 0)
        return gjb_fail(error, "%s: shapes[%u].radius: %g: a step takes boxes without one", file, shape,
                        radius_of(s, shape));
    for (uint32_t k = 0; k < s->dim; k++) {
        const double x = row_of(s, s->first[shape], k),
                     y = kind == GJB_AABB ? row_of(s, s->first[shape] + 1, k) : x;
        box->low[k] = kind == GJB_BOX ? -x : fmin(x, y);
        box->high[k] = kind == GJB_BOX ? x : fmax(x, y);
    }
    return 0;
}

static int read_body(const char *file, const gjb_scene *scene, uint32_t body, gjb_step_box *box,
                     gjb_error *error)
{
    double motion[6] = {0}, turn = 0;
    int turned;
    if (read_shape(file, scene, body, box, error))
        return -1;
    gjb_scene_motion(scene, 0, body, motion);
    if (scene->shapes.dim == 2) {
        const gjb_pose2d p = gjb_scene_pose(scene, 0, body);
        memcpy(box->at, (double[3]){p.x, p.y, 0}, sizeof box->at);
        turned = fabs(p.s) > 0 || p.c < 1 || p.c > 1;
        turn = fabs(motion[2]);
        motion[2] = 0;
    } else {
        const gjb_pose3d p = gjb_scene_pose3(scene, 0, body);
        memcpy(box->at, (double[3]){p.x, p.y, p.z}, sizeof box->at);
        turned = fabs(p.qx) > 0 || fabs(p.qy) > 0 || fabs(p.qz) > 0;
        turn = hypot(hypot(motion[3], motion[4]), motion[5]);
    }
    memcpy(box->by, motion, sizeof box->by);
    if (turned)
        return gjb_fail(error, "%s: bodies[%u].pose: turned: a step takes boxes that are not", file, body);
    if (turn > 0)
        return gjb_fail(error, "%s: bodies[%u].motion: turns by %g: a step takes boxes that do not", file,
                        body, turn);
    return 0;
}

gjb_step_box *gjb_step_of_scene(const gjb_scene *scene, const char *file, gjb_error *error)
{
    gjb_step_box *boxes = calloc((size_t)scene->body_count + 1, sizeof *boxes);
    int failed = boxes ? 0 : gjb_fail(error, "out of memory for %u boxes", scene->body_count);
    for (uint32_t i = 0; i < scene->body_count && !failed; i++) {
        failed = read_body(file, scene, i, &boxes[i], error);
        for (uint32_t k = 0; k < scene->shapes.dim && !failed; k++)
            boxes[i].inverse_mass = fabs(boxes[i].by[k]) > 0 ? 1 : boxes[i].inverse_mass;
    }
    if (!failed)
        return boxes;
    free(boxes);
    return NULL;
}
