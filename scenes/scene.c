/* Scenes in memory: allocation, frames, shapes, poses, conversion between precisions, extraction of a pair. */
#include "scenes/scene_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

gjb_scene *gjb_scene_new(uint32_t dim, gjb_precision precision, uint32_t shapes, uint64_t rows,
                         uint32_t bodies, uint64_t pairs)
{
    const size_t scalar = gjb_scalar_size(precision);
    gjb_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL)
        return NULL;
    scene->shapes = (gjb_shapes){
        .dim = dim,
        .precision = precision,
        .count = shapes,
        .kind = gjb_scene_alloc(shapes, sizeof(uint8_t)),
        .first = gjb_scene_alloc(shapes, sizeof(uint32_t)),
        .row_count = gjb_scene_alloc(shapes, sizeof(uint32_t)),
        .radius = gjb_scene_alloc(shapes, scalar),
        .rows = gjb_scene_alloc(rows, dim * scalar),
    };
    scene->body_count = bodies;
    scene->body_shape = gjb_scene_alloc(bodies, sizeof(uint32_t));
    const gjb_shapes *s = &scene->shapes;
    if (s->kind == NULL || s->first == NULL || s->row_count == NULL || s->radius == NULL || s->rows == NULL ||
        scene->body_shape == NULL || gjb_scene_add_frame(scene, pairs) == UINT32_MAX) {
        gjb_scene_free(scene);
        return NULL;
    }
    for (uint32_t i = 0; i < bodies && i < shapes; i++)
        scene->body_shape[i] = i;
    return scene;
}

void gjb_scene_free(gjb_scene *scene)
{
    if (scene == NULL)
        return;
    free((void *)scene->shapes.kind);
    free((void *)scene->shapes.first);
    free((void *)scene->shapes.row_count);
    free((void *)scene->shapes.radius);
    free((void *)scene->shapes.rows);
    free(scene->body_shape);
    free(scene->part_of);
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        free(scene->frames[f].poses);
        free(scene->frames[f].motions);
        free(scene->frames[f].pairs);
    }
    free(scene->frames);
    free(scene);
}

uint32_t gjb_scene_add_frame(gjb_scene *scene, uint64_t pairs)
{
    const uint32_t f = scene->frame_count;
    /* Capacity is the next power of two, so it needs no field of its own. */
    if ((f & (f - 1)) == 0) {
        uint64_t capacity = f == 0 ? 1 : 2 * (uint64_t)f;
        gjb_frame *frames = capacity > UINT32_MAX ? NULL : realloc(scene->frames, capacity * sizeof *frames);
        if (frames == NULL)
            return UINT32_MAX;
        scene->frames = frames;
    }
    gjb_frame frame = {
        .poses = gjb_scene_alloc(scene->body_count, gjb_pose_numbers(scene->shapes.dim) * gjb_scalar_size(scene->shapes.precision)),
        .pairs = gjb_scene_alloc(pairs, 2 * sizeof(uint32_t)),
        .pair_count = pairs,
    };
    if (frame.poses == NULL || frame.pairs == NULL) {
        free(frame.poses);
        free(frame.pairs);
        return UINT32_MAX;
    }
    scene->frames[f] = frame;
    scene->frame_count = f + 1;
    return f;
}

void gjb_scene_set_shape(gjb_scene *scene, uint32_t i, gjb_kind kind, uint32_t first, uint32_t count,
                         const void *rows, double radius)
{
    const double *numbers = rows;
    const gjb_shapes *shapes = &scene->shapes;
    ((uint8_t *)shapes->kind)[i] = (uint8_t)kind;
    ((uint32_t *)shapes->first)[i] = first;
    ((uint32_t *)shapes->row_count)[i] = count;
    gjb_scalar_store(shapes->radius, shapes->precision, i, radius);
    const uint64_t at = shapes->dim * (uint64_t)first;
    for (uint64_t k = 0; k < shapes->dim * (uint64_t)count; k++)
        gjb_scalar_store(shapes->rows, shapes->precision, at + k, numbers[k]);
}

void gjb_pose_store(gjb_scene *scene, uint32_t frame, uint32_t body, const double *numbers)
{
    const uint32_t n = gjb_pose_numbers(scene->shapes.dim);
    for (uint64_t i = 0; i < n; i++)
        gjb_scalar_store(scene->frames[frame].poses, scene->shapes.precision, n * (uint64_t)body + i, numbers[i]);
}

void gjb_pose_load(const gjb_scene *scene, uint32_t frame, uint32_t body, double *numbers)
{
    const uint32_t n = gjb_pose_numbers(scene->shapes.dim);
    for (uint64_t i = 0; i < n; i++)
        numbers[i] =
            gjb_scalar_load(scene->frames[frame].poses, scene->shapes.precision, n * (uint64_t)body + i);
}

void gjb_scene_set_pose(gjb_scene *scene, uint32_t frame, uint32_t body, gjb_pose2d pose)
{
    gjb_pose_store(scene, frame, body, (const double[]){pose.x, pose.y, pose.c, pose.s});
}

void gjb_scene_set_pose3(gjb_scene *scene, uint32_t frame, uint32_t body, gjb_pose3d pose)
{
    gjb_pose_store(scene, frame, body,
                   (const double[]){pose.x, pose.y, pose.z, pose.qx, pose.qy, pose.qz, pose.qw});
}

gjb_pose2d gjb_scene_pose(const gjb_scene *scene, uint32_t frame, uint32_t body)
{
    double n[4];
    gjb_pose_load(scene, frame, body, n);
    return (gjb_pose2d){n[0], n[1], n[2], n[3]};
}

gjb_pose3d gjb_scene_pose3(const gjb_scene *scene, uint32_t frame, uint32_t body)
{
    double n[7];
    gjb_pose_load(scene, frame, body, n);
    return (gjb_pose3d){n[0], n[1], n[2], n[3], n[4], n[5], n[6]};
}

void gjb_scene_copy_shape(const gjb_scene *source, uint32_t from, gjb_scene *target, uint32_t to, uint32_t first)
{
    const gjb_shapes *s = &source->shapes, *t = &target->shapes;
    const uint64_t dim = s->dim, row = s->first[from];
    ((uint8_t *)t->kind)[to] = s->kind[from];
    ((uint32_t *)t->first)[to] = first;
    ((uint32_t *)t->row_count)[to] = s->row_count[from];
    gjb_scalar_store(t->radius, t->precision, to, gjb_scalar_load(s->radius, s->precision, from));
    for (uint64_t i = 0; i < dim * s->row_count[from]; i++)
        gjb_scalar_store(t->rows, t->precision, dim * first + i,
                         gjb_scalar_load(s->rows, s->precision, dim * row + i));
}

static void copy_head(const gjb_scene *source, gjb_scene *target)
{
    memcpy(target->name, source->name, sizeof target->name);
    memcpy(target->query, source->query, sizeof target->query);
    memcpy(target->note, source->note, sizeof target->note);
    target->margin = source->margin;
    target->within = source->within;
    target->leaving = source->leaving;
}

int gjb_scene_fits(const gjb_scene *scene, gjb_precision precision)
{
    const gjb_shapes *s = &scene->shapes;
    const double most = gjb_largest(precision);
    if (!(scene->margin <= most && scene->within <= most))
        return 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (!(gjb_scalar_load(s->radius, s->precision, i) <= most))
            return 0;
        for (uint64_t k = 0; k < s->dim * (uint64_t)s->row_count[i]; k++)
            if (!(fabs(gjb_scalar_load(s->rows, s->precision, s->dim * (uint64_t)s->first[i] + k)) <= most))
                return 0;
    }
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        for (uint32_t b = 0; b < scene->body_count; b++) {
            double pose[GJB_POSE_NUMBERS_MAX];
            gjb_pose_load(scene, f, b, pose);
            double motion[6];
            gjb_scene_motion(scene, f, b, motion);
            for (uint32_t k = 0; k < s->dim; k++)
                if (!(fabs(pose[k]) <= most && fabs(motion[k]) <= most))
                    return 0;
            if (!(gjb_motion_sweep(scene, gjb_body_shape(scene, b), motion) <= most))
                return 0;
        }
    }
    return 1;
}

gjb_scene *gjb_scene_convert(const gjb_scene *scene, gjb_precision precision)
{
    if (precision < (gjb_precision)scene->shapes.precision && !gjb_scene_fits(scene, precision))
        return NULL;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < scene->shapes.count; i++)
        rows += scene->shapes.row_count[i];
    if (rows > UINT32_MAX)
        return NULL;
    const uint64_t pairs = scene->frame_count > 0 ? scene->frames[0].pair_count : 0;
    gjb_scene *copy = gjb_scene_new(scene->shapes.dim, precision, scene->shapes.count, rows, scene->body_count, pairs);
    if (copy == NULL)
        return NULL;
    copy_head(scene, copy);
    uint32_t first = 0;
    for (uint32_t i = 0; i < scene->shapes.count; i++) {
        gjb_scene_copy_shape(scene, i, copy, i, first);
        first += scene->shapes.row_count[i];
    }
    for (uint32_t b = 0; b < scene->body_count; b++)
        copy->body_shape[b] = gjb_body_shape(scene, b);
    for (uint32_t b = 0; b < scene->body_count && scene->part_of != NULL; b++)
        if (gjb_scene_set_part(copy, b, scene->part_of[b]) != 0) {
            gjb_scene_free(copy);
            return NULL;
        }
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        const gjb_frame *frame = &scene->frames[f];
        if (f > 0 && gjb_scene_add_frame(copy, frame->pair_count) == UINT32_MAX) {
            gjb_scene_free(copy);
            return NULL;
        }
        for (uint32_t b = 0; b < scene->body_count; b++) {
            double pose[GJB_POSE_NUMBERS_MAX];
            gjb_pose_load(scene, f, b, pose);
            gjb_pose_store(copy, f, b, pose);
            double motion[6];
            gjb_scene_motion(scene, f, b, motion);
            if (frame->motions != NULL && gjb_scene_set_motion(copy, f, b, motion) != 0) {
                gjb_scene_free(copy);
                return NULL;
            }
        }
        memcpy(copy->frames[f].pairs, frame->pairs, (size_t)frame->pair_count * 2 * sizeof(uint32_t));
    }
    return copy;
}

gjb_scene *gjb_scene_extract(const gjb_scene *scene, uint32_t frame, uint64_t index)
{
    const uint32_t *pair = scene->frames[frame].pairs + 2 * index;
    const uint32_t a = gjb_body_shape(scene, pair[0]), b = gjb_body_shape(scene, pair[1]);
    const uint32_t a_rows = scene->shapes.row_count[a];
    gjb_scene *copy = gjb_scene_new(scene->shapes.dim, (gjb_precision)scene->shapes.precision, 2,
                                    (uint64_t)a_rows + scene->shapes.row_count[b], 2, 1);
    if (copy == NULL)
        return NULL;
    copy_head(scene, copy);
    gjb_scene_copy_shape(scene, a, copy, 0, 0);
    gjb_scene_copy_shape(scene, b, copy, 1, a_rows);
    for (uint32_t i = 0; i < 2; i++) {
        double pose[GJB_POSE_NUMBERS_MAX];
        gjb_pose_load(scene, frame, pair[i], pose);
        gjb_pose_store(copy, 0, i, pose);
        double motion[6];
        gjb_scene_motion(scene, frame, pair[i], motion);
        if (scene->frames[frame].motions != NULL && gjb_scene_set_motion(copy, 0, i, motion) != 0) {
            gjb_scene_free(copy);
            return NULL;
        }
        copy->frames[0].pairs[i] = i;
    }
    return copy;
}

void gjb_pair_space_free(gjb_pair_space *space)
{
    free(space->numbers);
    *space = (gjb_pair_space){0};
}

static uint32_t expanded_count(const gjb_shapes *shapes, uint32_t shape)
{
    const gjb_kind kind = (gjb_kind)shapes->kind[shape];
    return kind == GJB_BOX || kind == GJB_AABB ? gjb_box_corners(shapes->dim) : shapes->row_count[shape];
}

/* Coordinate k of corner i of the box between two corners, the lesser first. */
static double corner_of(const gjb_shapes *shapes, uint64_t at, uint32_t i, uint32_t k)
{
    const double p = gjb_scalar_load(shapes->rows, shapes->precision, at + k);
    const double q = gjb_scalar_load(shapes->rows, shapes->precision, at + shapes->dim + k);
    return gjb_box_corner(shapes->dim, i, k) < 0.0 ? fmin(p, q) : fmax(p, q);
}

/* [expanded_count][dim] */
static void expand(const gjb_shapes *shapes, uint32_t shape, double *vertices)
{
    const uint32_t dim = shapes->dim, count = expanded_count(shapes, shape);
    const uint64_t at = dim * (uint64_t)shapes->first[shape];
    const int box = shapes->kind[shape] == GJB_BOX, aabb = shapes->kind[shape] == GJB_AABB;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < dim; k++) {
            if (aabb) {
                vertices[(size_t)dim * i + k] = corner_of(shapes, at, i, k);
                continue;
            }
            const uint64_t from = box ? at + k : at + dim * (uint64_t)i + k;
            const double number = gjb_scalar_load(shapes->rows, shapes->precision, from);
            vertices[(size_t)dim * i + k] = box ? gjb_box_corner(dim, i, k) * number : number;
        }
    }
}

int gjb_scene_pair(const gjb_scene *scene, uint32_t frame, uint64_t index, gjb_pair_space *space, gjb_pair *pair)
{
    const uint32_t *bodies = scene->frames[frame].pairs + 2 * index;
    const gjb_shapes *shapes = &scene->shapes;
    const uint32_t shape[2] = {gjb_body_shape(scene, bodies[0]), gjb_body_shape(scene, bodies[1])};
    const uint32_t count[2] = {expanded_count(shapes, shape[0]), expanded_count(shapes, shape[1])};
    const size_t needed = shapes->dim * ((size_t)count[0] + count[1]);
    if (needed > space->capacity) {
        void *numbers = realloc(space->numbers, 2 * needed * sizeof *space->numbers);
        if (numbers == NULL)
            return -1;
        space->numbers = numbers;
        space->capacity = 2 * needed;
    }
    pair->dim = shapes->dim;
    pair->margin = scene->margin;
    pair->within = scene->within;
    pair->leaving = scene->leaving;
    for (uint32_t side = 0; side < 2; side++) {
        double *vertices = space->numbers + (side == 0 ? 0 : shapes->dim * (size_t)count[0]);
        const gjb_kind kind = (gjb_kind)shapes->kind[shape[side]];
        const double radius = gjb_scalar_load(shapes->radius, shapes->precision, shape[side]);
        expand(shapes, shape[side], vertices);
        double motion[6];
        gjb_scene_motion(scene, frame, bodies[side], motion);
        if (shapes->dim == 2) {
            *(side == 0 ? &pair->as.plane.a : &pair->as.plane.b) =
                (gjb_body2){kind, count[side], (const double(*)[2])vertices, radius,
                            gjb_scene_pose(scene, frame, bodies[side]),
                            {motion[0], motion[1], motion[2]}};
        } else {
            *(side == 0 ? &pair->as.space.a : &pair->as.space.b) =
                (gjb_body3){kind, count[side], (const double(*)[3])vertices, radius,
                            gjb_scene_pose3(scene, frame, bodies[side]),
                            {motion[0], motion[1], motion[2], motion[3], motion[4], motion[5]}};
        }
    }
    return 0;
}
