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
