/* A scene of a model: a body for each shape, and the pairs that the file lets touch. */
#include <stdlib.h>
#include <string.h>

#include "scenes/mesh/hulls.h"
#include "scenes/model/model_parts.h"

static int has_key(const uint64_t *keys, uint32_t count, uint64_t key)
{
    return count > 0 && bsearch(&key, keys, count, sizeof key, gjb_model_by_key) != NULL;
}

/* Does a joint alone connect them? The world, to which much is connected, is no neighbour. */
static int are_joined(const gjb_model *model, uint32_t a, uint32_t b)
{
    const uint32_t over_a = model->bodies[model->bodies[a].parent].weld,
                   over_b = model->bodies[model->bodies[b].parent].weld;
    return !model->parents_touch && !(model->world_first && (a == 0 || b == 0)) && (over_a == b || over_b == a);
}

/* Whether two shapes are a pair; if not, the rule that says so is counted. */
static int may_touch(gjb_model *model, uint32_t i, uint32_t j)
{
    const gjb_model_shape *p = &model->shapes[i], *q = &model->shapes[j];
    const uint32_t a = model->bodies[p->body].weld, b = model->bodies[q->body].weld;
    const int planes = p->kind == GJB_HALFSPACE && q->kind == GJB_HALFSPACE;
    gjb_ruled_out why = GJB_RULED_COUNT;
    if (planes || a == b)
        why = GJB_RULED_SAME;
    else if (are_joined(model, a, b))
        why = GJB_RULED_JOINED;
    else if (has_key(model->apart, model->apart_count, gjb_model_key(p->body, q->body)))
        why = GJB_RULED_LISTED;
    else if (!(p->contype & q->conaffinity) && !(q->contype & p->conaffinity))
        why = GJB_RULED_BITS;
    if (why != GJB_RULED_COUNT && (planes || !has_key(model->together, model->together_count, gjb_model_key(i, j)))) {
        model->ruled_out[why]++;
        return 0;
    }
    return 1;
}

/* What a shape is a part of, by the shape that is the first: those of a rigid body that is more than the world, and of
 * a body of the file that is joined to the world. Half-spaces, and what the world itself holds, are on their own.
 * `first` has for each body the first of its shapes, UINT32_MAX before one was met. */
static uint32_t whole_of(const gjb_model *model, uint32_t i, uint32_t *first)
{
    const gjb_model_shape *shape = &model->shapes[i];
    const uint32_t weld = model->bodies[shape->body].weld, of_world = model->world_first && weld == 0;
    if (shape->kind == GJB_HALFSPACE || (of_world && shape->body == 0))
        return i;
    uint32_t *whole = &first[of_world ? shape->body : weld];
    return *whole = *whole == UINT32_MAX ? i : *whole;
}

/* Those of a pair of shapes that the file asks for in any case are on their own. */
static void dissolve(gjb_scene *scene)
{
    const gjb_frame *frame = &scene->frames[0];
    for (uint64_t p = 0; p < frame->pair_count; p++) {
        const uint32_t a = gjb_scene_whole(scene, frame->pairs[2 * p]),
                       b = gjb_scene_whole(scene, frame->pairs[2 * p + 1]);
        for (uint32_t part = 0; part < scene->body_count && a == b; part++)
            if (scene->part_of[part] == a)
                scene->part_of[part] = part;
    }
}

static int set_compounds(const gjb_model *model, gjb_scene *scene)
{
    uint32_t *first = malloc(((size_t)model->body_count + 1) * sizeof *first);
    int failed = first == NULL;
    for (uint32_t b = 0; b < model->body_count && !failed; b++)
        first[b] = UINT32_MAX;
    for (uint32_t i = 0; i < model->shape_count && !failed; i++) {
        const uint32_t whole = whole_of(model, i, first);
        failed = whole != i && gjb_scene_set_part(scene, i, whole) != 0;
    }
    free(first);
    if (!failed && scene->part_of != NULL)
        dissolve(scene);
    return failed;
}

/* The pair whose first shape is of the body with the lower first shape, as scenes with compounds have it. */
static void order_pairs(gjb_scene *scene)
{
    uint32_t *pairs = scene->frames[0].pairs;
    for (uint64_t p = 0; p < scene->frames[0].pair_count; p++, pairs += 2)
        if (gjb_scene_whole(scene, pairs[0]) > gjb_scene_whole(scene, pairs[1])) {
            const uint32_t swapped = pairs[0];
            pairs[0] = pairs[1];
            pairs[1] = swapped;
        }
}

/* How many pairs there are; they are written if `pairs` is not NULL. */
static uint64_t list_pairs(gjb_model *model, uint32_t *pairs)
{
    uint64_t count = 0;
    memset(model->ruled_out, 0, sizeof model->ruled_out);
    for (uint32_t i = 0; i < model->shape_count; i++) {
        for (uint32_t j = i + 1; j < model->shape_count; j++) {
            if (!may_touch(model, i, j))
                continue;
            if (pairs != NULL) {
                pairs[2 * count] = i;
                pairs[2 * count + 1] = j;
            }
            count++;
        }
    }
    return count;
}

/* Rows of a shape that is no hull. */
static uint32_t rows_of(gjb_kind kind)
{
    return kind == GJB_SEGMENT || kind == GJB_HALFSPACE ? 2 : 1;
}

/* Shapes of the scene: the meshes that are used, then the others. `at` is where each mesh is. */
static void set_shapes(const gjb_model *model, const gjb_hull3 *hulls, const uint32_t *at, double scale,
                       gjb_scene *scene)
{
    uint32_t next = 0, row = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        if (model->meshes[i].used == 0)
            continue;
        gjb_scene_set_shape(scene, next++, gjb_hull_kind(&hulls[i]), row, hulls[i].vertex_count, hulls[i].vertices, 0);
        row += hulls[i].vertex_count;
    }
    for (uint32_t i = 0; i < model->shape_count; i++) {
        const gjb_model_shape *shape = &model->shapes[i];
        scene->body_shape[i] = shape->kind == GJB_HULL ? at[shape->mesh] : next;
        if (shape->kind != GJB_HULL) {
            double rows[2][3];
            for (int k = 0; k < 6; k++) /* of a half-space the first row is a direction */
                rows[k / 3][k % 3] = shape->rows[k / 3][k % 3] * (shape->kind == GJB_HALFSPACE && k < 3 ? 1 : scale);
            gjb_scene_set_shape(scene, next++, shape->kind, row, rows_of(shape->kind), rows, shape->radius * scale);
            row += rows_of(shape->kind);
        }
        const double *t = shape->pose.t, *q = shape->pose.q;
        gjb_scene_set_pose3(scene, 0, i, (gjb_pose3d){.x = t[0] * scale, .y = t[1] * scale, .z = t[2] * scale,
                                                      .qx = q[0], .qy = q[1], .qz = q[2], .qw = q[3]});
    }
}

static gjb_scene *build(gjb_model *model, const gjb_hull3 *hulls, uint64_t pairs, gjb_precision precision, double scale)
{
    uint32_t shapes = 0;
    uint64_t rows = 0;
    uint32_t *at = calloc((size_t)model->mesh_count + 1, sizeof *at);
    for (uint32_t i = 0; i < model->mesh_count && at != NULL; i++) {
        if (model->meshes[i].used > 0) {
            at[i] = shapes++;
            rows += hulls[i].vertex_count;
        }
    }
    for (uint32_t i = 0; i < model->shape_count; i++) {
        shapes += model->shapes[i].kind != GJB_HULL;
        rows += model->shapes[i].kind != GJB_HULL ? rows_of(model->shapes[i].kind) : 0;
    }
    gjb_scene *scene = at != NULL ? gjb_scene_new(3, precision, shapes, rows, model->shape_count, pairs) : NULL;
    if (scene != NULL) {
        set_shapes(model, hulls, at, scale, scene);
        list_pairs(model, scene->frames[0].pairs);
        if (set_compounds(model, scene)) {
            gjb_scene_free(scene);
            scene = NULL;
        } else
            order_pairs(scene);
    }
    free(at);
    return scene;
}

static void fail_without_pairs(const gjb_model *model, gjb_error *error)
{
    const uint64_t *out = model->ruled_out;
    gjb_fail(error,
             "%s: no pair of its %u collision shapes may touch: %llu do not move against each other, %llu are joined, "
             "%llu are ruled out by contype and conaffinity, %llu are excluded by the file: add a body that they may meet",
             model->xml->file, model->shape_count, (unsigned long long)out[GJB_RULED_SAME],
             (unsigned long long)out[GJB_RULED_JOINED], (unsigned long long)out[GJB_RULED_BITS],
             (unsigned long long)out[GJB_RULED_LISTED]);
}

gjb_scene *gjb_model_scene(gjb_model *model, const gjb_hull3 *hulls, gjb_precision precision, double scale,
                           gjb_error *error)
{
    const char *file = model->xml->file;
    const uint64_t pairs = list_pairs(model, NULL);
    if (pairs == 0) {
        fail_without_pairs(model, error);
        return NULL;
    }
    if (pairs > GJB_MODEL_PAIRS_MOST) {
        gjb_fail(error, "%s: %u collision shapes make %llu pairs that may touch, and a scene has 1 to %d", file,
                 model->shape_count, (unsigned long long)pairs, GJB_MODEL_PAIRS_MOST);
        return NULL;
    }
    gjb_scene *scene = build(model, hulls, pairs, precision, scale);
    if (scene == NULL) {
        gjb_fail(error, "%s: out of memory for %llu pairs", file, (unsigned long long)pairs);
    } else if (gjb_scene_check(scene, file, error) != 0) {
        gjb_scene_free(scene);
        scene = NULL;
    }
    return scene;
}
