/* Motions of a scene's bodies: stored, read, and how far they turn and sweep. */
#include <math.h>

#include "scenes/scene_private.h"

int gjb_scene_set_motion(gjb_scene *scene, uint32_t frame, uint32_t body, const double *numbers)
{
    gjb_frame *f = &scene->frames[frame];
    const uint32_t n = gjb_motion_numbers(scene->shapes.dim);
    if (f->motions == NULL) {
        f->motions = gjb_scene_alloc(scene->body_count, n * gjb_scalar_size(scene->shapes.precision));
        if (f->motions == NULL)
            return -1;
    }
    for (uint64_t i = 0; i < n; i++)
        gjb_scalar_store(f->motions, scene->shapes.precision, n * (uint64_t)body + i, numbers[i]);
    return 0;
}

void gjb_scene_motion(const gjb_scene *scene, uint32_t frame, uint32_t body, double numbers[6])
{
    const gjb_frame *f = &scene->frames[frame];
    const uint32_t n = gjb_motion_numbers(scene->shapes.dim);
    for (uint64_t i = 0; i < 6; i++) {
        const int known = f->motions != NULL && i < n;
        numbers[i] =
            known ? gjb_scalar_load(f->motions, scene->shapes.precision, n * (uint64_t)body + i) : 0.0;
    }
}

int gjb_scene_moves(const gjb_scene *scene)
{
    for (uint32_t f = 0; f < scene->frame_count; f++)
        if (scene->frames[f].motions != NULL)
            return 1;
    return 0;
}

double gjb_motion_radians(uint32_t dim, const double *motion)
{
    return dim == 2 ? fabs(motion[2]) : hypot(hypot(motion[3], motion[4]), motion[5]);
}

double gjb_motion_sweep(const gjb_scene *scene, uint32_t shape, const double *motion)
{
    const gjb_shapes *s = &scene->shapes;
    const double radians = gjb_motion_radians(s->dim, motion);
    const uint32_t dim = s->dim, count = s->row_count[shape];
    double farthest = 0.0, rows[6] = {0.0};
    const uint64_t first = dim * (uint64_t)s->first[shape];
    if (radians > 0.0 && (gjb_is_curved(s->kind[shape]) || gjb_is_unbounded(s->kind[shape]))) {
        for (uint32_t k = 0; k < dim * count; k++)
            rows[k] = gjb_scalar_load(s->rows, s->precision, first + k);
        return radians * gjb_core_reach(dim, (gjb_kind)s->kind[shape], rows, count);
    }
    const int aabb = s->kind[shape] == GJB_AABB; /* the farthest corner may be neither of the two */
    for (uint64_t i = 0; radians > 0.0 && i < count; i++) {
        double length = 0.0;
        for (uint64_t k = 0; k < dim; k++) {
            const double here = fabs(gjb_scalar_load(s->rows, s->precision, first + dim * i + k));
            length = hypot(length, aabb ? fmax(here, fabs(gjb_scalar_load(s->rows, s->precision, first + k))) : here);
        }
        farthest = fmax(farthest, length);
    }
    return radians * farthest;
}
