#include "core/scene_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shapes of eight f32 vertices then fill one cache line, not two halves. */
enum { CACHE_LINE = 64 };

/* Zero-filled, aligned to a cache line; never NULL for lack of elements. */
static void *scene_alloc(uint64_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 2 * CACHE_LINE) {
        return NULL;
    }
    bytes = (bytes + CACHE_LINE) / CACHE_LINE * CACHE_LINE;
    void *memory = aligned_alloc(CACHE_LINE, bytes);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

gjb_scene *gjb_scene_new(gjb_precision precision, uint32_t shapes, uint64_t rows, uint32_t bodies,
                         uint64_t pairs)
{
    const size_t scalar = gjb_scalar_size(precision);
    gjb_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL) {
        return NULL;
    }
    scene->shapes = (gjb_shapes){
        .dim = 2,
        .precision = precision,
        .count = shapes,
        .kind = scene_alloc(shapes, sizeof(uint8_t)),
        .first = scene_alloc(shapes, sizeof(uint32_t)),
        .row_count = scene_alloc(shapes, sizeof(uint32_t)),
        .radius = scene_alloc(shapes, scalar),
        .rows = scene_alloc(rows, 2 * scalar),
    };
    scene->body_count = bodies;
    scene->body_shape = scene_alloc(bodies, sizeof(uint32_t));
    const gjb_shapes *s = &scene->shapes;
    if (s->kind == NULL || s->first == NULL || s->row_count == NULL || s->radius == NULL || s->rows == NULL ||
        scene->body_shape == NULL || gjb_scene_add_frame(scene, pairs) == UINT32_MAX) {
        gjb_scene_free(scene);
        return NULL;
    }
    for (uint32_t i = 0; i < bodies && i < shapes; i++) {
        scene->body_shape[i] = i;
    }
    return scene;
}

void gjb_scene_free(gjb_scene *scene)
{
    if (scene == NULL) {
        return;
    }
    free((void *)scene->shapes.kind);
    free((void *)scene->shapes.first);
    free((void *)scene->shapes.row_count);
    free((void *)scene->shapes.radius);
    free((void *)scene->shapes.rows);
    free(scene->body_shape);
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        free(scene->frames[f].poses);
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
        if (frames == NULL) {
            return UINT32_MAX;
        }
        scene->frames = frames;
    }
    gjb_frame frame = {
        .poses = scene_alloc(scene->body_count, 4 * gjb_scalar_size(scene->shapes.precision)),
        .pairs = scene_alloc(pairs, 2 * sizeof(uint32_t)),
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
                         const double (*rows)[2], double radius)
{
    const gjb_shapes *shapes = &scene->shapes;
    ((uint8_t *)shapes->kind)[i] = (uint8_t)kind;
    ((uint32_t *)shapes->first)[i] = first;
    ((uint32_t *)shapes->row_count)[i] = count;
    gjb_scalar_store(shapes->radius, shapes->precision, i, radius);
    for (uint32_t r = 0; r < count; r++) {
        gjb_scalar_store(shapes->rows, shapes->precision, 2 * ((uint64_t)first + r), rows[r][0]);
        gjb_scalar_store(shapes->rows, shapes->precision, 2 * ((uint64_t)first + r) + 1, rows[r][1]);
    }
}

void gjb_scene_set_pose(gjb_scene *scene, uint32_t frame, uint32_t body, gjb_pose2d pose)
{
    const double values[4] = {pose.x, pose.y, pose.c, pose.s};
    for (uint64_t i = 0; i < 4; i++) {
        gjb_scalar_store(scene->frames[frame].poses, scene->shapes.precision, 4 * (uint64_t)body + i,
                         values[i]);
    }
}

gjb_pose2d gjb_scene_pose(const gjb_scene *scene, uint32_t frame, uint32_t body)
{
    const void *poses = scene->frames[frame].poses;
    const uint32_t precision = scene->shapes.precision;
    const uint64_t at = 4 * (uint64_t)body;
    return (gjb_pose2d){
        .x = gjb_scalar_load(poses, precision, at),
        .y = gjb_scalar_load(poses, precision, at + 1),
        .c = gjb_scalar_load(poses, precision, at + 2),
        .s = gjb_scalar_load(poses, precision, at + 3),
    };
}

/* Copies shape `from` into shape `to` of another scene, rows at `first`. */
static void copy_shape(const gjb_scene *source, uint32_t from, gjb_scene *target, uint32_t to, uint32_t first)
{
    const gjb_shapes *s = &source->shapes, *t = &target->shapes;
    const uint64_t row = s->first[from];
    ((uint8_t *)t->kind)[to] = s->kind[from];
    ((uint32_t *)t->first)[to] = first;
    ((uint32_t *)t->row_count)[to] = s->row_count[from];
    gjb_scalar_store(t->radius, t->precision, to, gjb_scalar_load(s->radius, s->precision, from));
    for (uint64_t i = 0; i < 2 * (uint64_t)s->row_count[from]; i++) {
        gjb_scalar_store(t->rows, t->precision, 2 * (uint64_t)first + i,
                         gjb_scalar_load(s->rows, s->precision, 2 * row + i));
    }
}

static void copy_text(const gjb_scene *source, gjb_scene *target)
{
    memcpy(target->name, source->name, sizeof target->name);
    memcpy(target->query, source->query, sizeof target->query);
    memcpy(target->note, source->note, sizeof target->note);
}

/* Is every number of the scene one that this precision may hold? */
static int fits(const gjb_scene *scene, gjb_precision precision)
{
    const gjb_shapes *s = &scene->shapes;
    const double most = gjb_largest(precision);
    for (uint32_t i = 0; i < s->count; i++) {
        if (!(gjb_scalar_load(s->radius, s->precision, i) <= most)) {
            return 0;
        }
        for (uint64_t k = 0; k < 2 * (uint64_t)s->row_count[i]; k++) {
            if (!(fabs(gjb_scalar_load(s->rows, s->precision, 2 * (uint64_t)s->first[i] + k)) <= most)) {
                return 0;
            }
        }
    }
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        for (uint32_t b = 0; b < scene->body_count; b++) {
            const gjb_pose2d pose = gjb_scene_pose(scene, f, b);
            if (!(fabs(pose.x) <= most && fabs(pose.y) <= most)) {
                return 0;
            }
        }
    }
    return 1;
}

gjb_scene *gjb_scene_convert(const gjb_scene *scene, gjb_precision precision)
{
    if (precision < (gjb_precision)scene->shapes.precision && !fits(scene, precision)) {
        return NULL;
    }
    uint64_t rows = 0;
    for (uint32_t i = 0; i < scene->shapes.count; i++) {
        rows += scene->shapes.row_count[i];
    }
    if (rows > UINT32_MAX) {
        return NULL;
    }
    const uint64_t pairs = scene->frame_count > 0 ? scene->frames[0].pair_count : 0;
    gjb_scene *copy = gjb_scene_new(precision, scene->shapes.count, rows, scene->body_count, pairs);
    if (copy == NULL) {
        return NULL;
    }
    copy_text(scene, copy);
    uint32_t first = 0;
    for (uint32_t i = 0; i < scene->shapes.count; i++) {
        copy_shape(scene, i, copy, i, first);
        first += scene->shapes.row_count[i];
    }
    for (uint32_t b = 0; b < scene->body_count; b++) {
        copy->body_shape[b] = gjb_body_shape(scene, b);
    }
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        const gjb_frame *frame = &scene->frames[f];
        if (f > 0 && gjb_scene_add_frame(copy, frame->pair_count) == UINT32_MAX) {
            gjb_scene_free(copy);
            return NULL;
        }
        for (uint32_t b = 0; b < scene->body_count; b++) {
            gjb_scene_set_pose(copy, f, b, gjb_scene_pose(scene, f, b));
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
    gjb_scene *copy = gjb_scene_new((gjb_precision)scene->shapes.precision, 2,
                                    (uint64_t)a_rows + scene->shapes.row_count[b], 2, 1);
    if (copy == NULL) {
        return NULL;
    }
    copy_text(scene, copy);
    copy_shape(scene, a, copy, 0, 0);
    copy_shape(scene, b, copy, 1, a_rows);
    for (uint32_t i = 0; i < 2; i++) {
        gjb_scene_set_pose(copy, 0, i, gjb_scene_pose(scene, frame, pair[i]));
        copy->frames[0].pairs[i] = i;
    }
    return copy;
}

void gjb_pair_space_free(gjb_pair_space *space)
{
    free(space->vertices);
    *space = (gjb_pair_space){0};
}

static uint32_t expanded_count(const gjb_shapes *shapes, uint32_t shape)
{
    return shapes->kind[shape] == GJB_BOX ? 4 : shapes->row_count[shape];
}

static gjb_body2 expand(const gjb_scene *scene, uint32_t frame, uint32_t body, double (*vertices)[2])
{
    const gjb_shapes *shapes = &scene->shapes;
    const uint32_t shape = gjb_body_shape(scene, body);
    const uint64_t at = 2 * (uint64_t)shapes->first[shape];
    const uint32_t count = expanded_count(shapes, shape);
    if (shapes->kind[shape] == GJB_BOX) {
        static const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        for (uint32_t i = 0; i < 4; i++) {
            vertices[i][0] = corners[i][0] * gjb_scalar_load(shapes->rows, shapes->precision, at);
            vertices[i][1] = corners[i][1] * gjb_scalar_load(shapes->rows, shapes->precision, at + 1);
        }
    } else {
        for (uint32_t i = 0; i < count; i++) {
            vertices[i][0] = gjb_scalar_load(shapes->rows, shapes->precision, at + 2 * (uint64_t)i);
            vertices[i][1] = gjb_scalar_load(shapes->rows, shapes->precision, at + 2 * (uint64_t)i + 1);
        }
    }
    return (gjb_body2){
        .kind = (gjb_kind)shapes->kind[shape],
        .count = count,
        .vertices = (const double(*)[2])vertices,
        .radius = gjb_scalar_load(shapes->radius, shapes->precision, shape),
        .pose = gjb_scene_pose(scene, frame, body),
    };
}

int gjb_scene_pair(const gjb_scene *scene, uint32_t frame, uint64_t index, gjb_pair_space *space,
                   gjb_pair2 *pair)
{
    const uint32_t *bodies = scene->frames[frame].pairs + 2 * index;
    const size_t a_count = expanded_count(&scene->shapes, gjb_body_shape(scene, bodies[0]));
    const size_t count = a_count + expanded_count(&scene->shapes, gjb_body_shape(scene, bodies[1]));
    if (count > space->capacity) {
        void *vertices = realloc(space->vertices, 2 * count * sizeof *space->vertices);
        if (vertices == NULL) {
            return -1;
        }
        space->vertices = vertices;
        space->capacity = 2 * count;
    }
    pair->a = expand(scene, frame, bodies[0], space->vertices);
    pair->b = expand(scene, frame, bodies[1], space->vertices + a_count);
    return 0;
}
