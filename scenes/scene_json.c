/* Reading scenes as JSON; the schema is docs/scene-format.md. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <sleef.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_file.h"
#include "scenes/scene_json_parts.h"
#include "scenes/scene_private.h"

/* Names that engines have for kinds, and how to write those kinds here. */
static const char *other_name(const json_t *value)
{
    static const struct {
        const char *name, *means;
    } others[] = {{"circle", "; a circle is a point with a radius"},
                  {"sphere", "; a sphere is a point with a radius"},
                  {"ball", "; a ball is a point with a radius"},
                  {"capsule", "; a capsule is a segment with a radius"},
                  {"rectangle", "; a rectangle is a box"},
                  {"cuboid", "; a cuboid is a box"},
                  {"convex", "; a convex shape is a polygon in 2D, a hull in 3D"},
                  {"plane", "; a plane is a halfspace"},
                  {"floor", "; a floor is a halfspace"},
                  {"mesh", "; 'gjkbench import' makes a hull of a mesh"}};
    for (size_t i = 0; json_is_string(value) && i < sizeof others / sizeof others[0]; i++)
        if (strcmp(json_string_value(value), others[i].name) == 0)
            return others[i].means;
    return "";
}

/* Kind of a shape, or -1. */
static int read_kind(const gjb_json_reader *r, const gjb_json_path *where, json_t *shape)
{
    if (!json_is_object(shape))
        return gjb_json_refuse_type(r, where, shape, "an object");
    const json_t *value = json_object_get(shape, "kind");
    for (int kind = 0; json_is_string(value) && kind < GJB_KINDS; kind++) {
        if ((gjb_kinds_of(r->dim) >> kind & 1u) &&
            strcmp(json_string_value(value), gjb_kind_name((gjb_kind)kind)) == 0) {
            const char *fields[3 + GJB_KIND_PARTS] = {"kind", "radius", gjb_kinds[kind].field};
            for (uint32_t p = 0; p < gjb_kind_part_count((unsigned)kind); p++)
                fields[2 + p] = gjb_kinds[kind].parts[p].field;
            return gjb_json_object(r, where, shape, fields) == 0 ? kind : -1;
        }
    }
    char wanted[200];
    snprintf(wanted, sizeof wanted, "%s%s",
             r->dim == 2
                 ? "point, segment, polygon, box, aabb, ellipse, superellipse or halfspace"
                 : "point, segment, triangle, box, hull, aabb, ellipsoid, superellipsoid, cylinder, cone or halfspace",
             other_name(value));
    return gjb_json_refuse_type(r, KEY(where, "kind"), value, wanted);
}

/* Rows of a shape before any is read, for allocation. -1 on failure. */
static int64_t count_rows(const gjb_json_reader *r, const gjb_json_path *where, json_t *shape)
{
    const int kind = read_kind(r, where, shape);
    if (kind < 0 || gjb_kinds[kind].field == NULL)
        return kind < 0 ? -1 : (int64_t)gjb_kinds[kind].least;
    const json_t *rows = gjb_json_array(r, where, shape, gjb_kinds[kind].field);
    if (rows != NULL && json_array_size(rows) > GJB_MAX_VERTICES)
        return gjb_json_refuse(r, KEY(where, gjb_kinds[kind].field), "%zu given, at most %u are taken",
                               json_array_size(rows), GJB_MAX_VERTICES);
    return rows != NULL ? (int64_t)json_array_size(rows) : -1;
}

/* `rows` are 0 beforehand. */
static int read_parts(const gjb_json_reader *r, const gjb_json_path *where, json_t *shape, int kind, double *rows)
{
    for (uint32_t p = 0; p < gjb_kind_part_count((unsigned)kind); p++) {
        const gjb_kind_part *part = &gjb_kinds[kind].parts[p];
        const gjb_json_path *place = KEY(where, part->field);
        const json_t *value = json_object_get(shape, part->field);
        double *numbers = rows + r->dim * part->row + part->column;
        if ((part->each_axis ? gjb_json_numbers(r, place, value, r->dim, numbers)
                             : gjb_json_number(r, place, value, numbers)) != 0)
            return -1;
    }
    return 0;
}

static int read_shape(const gjb_json_reader *r, const gjb_json_path *where, json_t *shape, gjb_scene *scene,
                      uint32_t i, uint32_t *first)
{
    double rows[GJB_MAX_VERTICES * 3], radius = 0.0;
    const int kind = read_kind(r, where, shape);
    if (kind < 0)
        return -1;
    const json_t *value = json_object_get(shape, "radius");
    if (value != NULL && gjb_json_number(r, KEY(where, "radius"), value, &radius) != 0)
        return -1;
    uint32_t count = gjb_kinds[kind].least;
    if (gjb_kinds[kind].field == NULL) {
        memset(rows, 0, r->dim * count * sizeof *rows);
        if (read_parts(r, where, shape, kind, rows) != 0)
            return -1;
    } else {
        const gjb_json_path *place = KEY(where, gjb_kinds[kind].field);
        const json_t *array = json_object_get(shape, gjb_kinds[kind].field);
        count = (uint32_t)json_array_size(array);
        for (uint32_t v = 0; v < count; v++)
            if (gjb_json_numbers(r, INDEX(place, v), json_array_get(array, v), r->dim,
                                 rows + (size_t)r->dim * v) != 0)
                return -1;
    }
    gjb_scene_set_shape(scene, i, (gjb_kind)kind, *first, count, rows, radius);
    *first += count;
    return 0;
}

/* {"x", "y", "c", "s"}, or {"x", "y", "angle"} in radians; in 3D {"x", "y", "z",
 * "qx", "qy", "qz", "qw"}. Without a rotation: none. */
static int read_pose(const gjb_json_reader *r, const gjb_json_path *where, json_t *object, double *pose)
{
    static const double none[4][GJB_POSE_NUMBERS_MAX] = {[2] = {0, 0, 1, 0}, [3] = {0, 0, 0, 0, 0, 0, 1}};
    const uint32_t n = gjb_pose_numbers(r->dim);
    const char *fields[GJB_POSE_NUMBERS_MAX + 2] = {0};
    memcpy(pose, none[r->dim], n * sizeof *pose);
    memcpy(fields, gjb_pose_names[r->dim], n * sizeof *fields);
    fields[n] = r->dim == 2 ? "angle" : NULL;
    if (gjb_json_object(r, where, object, fields) != 0)
        return -1;
    /* All numbers of the rotation, or none. */
    const char *given = NULL, *missing = NULL;
    for (uint32_t i = r->dim; i < n; i++)
        *(json_object_get(object, fields[i]) != NULL ? &given : &missing) = fields[i];
    if (given != NULL && missing != NULL)
        return gjb_json_refuse(r, where, "%s without %s", given, missing);
    const json_t *angle = r->dim == 2 ? json_object_get(object, "angle") : NULL;
    if (angle != NULL && given != NULL)
        return gjb_json_refuse(r, where, "either angle or c and s, not both");
    for (uint32_t i = 0; i < n; i++) {
        const json_t *value = json_object_get(object, fields[i]);
        if ((i < r->dim || value != NULL) &&
            gjb_json_number(r, KEY(where, fields[i]), value, &pose[i]) != 0)
            return -1;
    }
    if (angle != NULL) {
        if (!json_is_number(angle))
            return gjb_json_refuse_type(r, KEY(where, "angle"), angle, "a number");
        if (r->largest_angle != NULL)
            *r->largest_angle = fmax(*r->largest_angle, fabs(json_number_value(angle)));
        /* The form whose bits are the same on every machine. */
        const Sleef_double_2 both = Sleef_cinz_sincosd1_u10purec(json_number_value(angle));
        pose[2] = both.y;
        pose[3] = both.x;
    }
    return 0;
}

/* Fields that are not given are 0. */
static int read_motion(const gjb_json_reader *r, const gjb_json_path *where, json_t *object, double *motion)
{
    if (gjb_json_object(r, where, object, gjb_motion_names[r->dim]) != 0)
        return -1;
    for (uint32_t i = 0; i < gjb_motion_numbers(r->dim); i++) {
        const char *field = gjb_motion_names[r->dim][i];
        const json_t *value = json_object_get(object, field);
        motion[i] = 0.0;
        if (value != NULL && gjb_json_number(r, KEY(where, field), value, &motion[i]) != 0)
            return -1;
    }
    return 0;
}

static int store_motion(const gjb_json_reader *r, gjb_scene *scene, uint32_t f, uint32_t b,
                        const double *motion)
{
    return gjb_scene_set_motion(scene, f, b, motion) != 0 ? gjb_json_refuse(r, NULL, "out of memory") : 0;
}

static int read_bodies(const gjb_json_reader *r, const json_t *bodies, int in_frames, gjb_scene *scene)
{
    static const char *const alone[] = {"shape", "pose", "motion", NULL}, *const framed[] = {"shape", NULL};
    for (uint32_t b = 0; b < scene->body_count; b++) {
        const gjb_json_path *where = INDEX(KEY(NULL, "bodies"), b);
        json_t *body = json_array_get(bodies, b);
        double pose[GJB_POSE_NUMBERS_MAX], motion[GJB_MOTION_NUMBERS_MAX];
        if (gjb_json_object(r, where, body, in_frames ? framed : alone) != 0 ||
            gjb_json_index(r, KEY(where, "shape"), json_object_get(body, "shape"), &scene->body_shape[b]) !=
                0)
            return -1;
        if (in_frames)
            continue;
        if (read_pose(r, KEY(where, "pose"), json_object_get(body, "pose"), pose) != 0)
            return -1;
        gjb_pose_store(scene, 0, b, pose);
        json_t *moves = json_object_get(body, "motion");
        if (moves != NULL && (read_motion(r, KEY(where, "motion"), moves, motion) != 0 ||
                              store_motion(r, scene, 0, b, motion) != 0))
            return -1;
    }
    return 0;
}

/* One compound; `owner` holds for each body the number of its compound, from 1 on. */
static int read_compound(const gjb_json_reader *r, const gjb_json_path *where, const json_t *parts, uint32_t number,
                         gjb_scene *scene, uint32_t *owner)
{
    const size_t count = json_array_size(parts);
    uint32_t body = 0, whole = UINT32_MAX;
    if (!json_is_array(parts))
        return gjb_json_refuse_type(r, where, parts, "an array of body indices");
    if (count < GJB_PARTS_LEAST || count > GJB_PARTS_MOST)
        return gjb_json_refuse(r, where, "%zu given, a compound has %d to %d parts", count, GJB_PARTS_LEAST,
                               GJB_PARTS_MOST);
    for (size_t i = 0; i < count; i++) {
        if (gjb_json_index(r, INDEX(where, i), json_array_get(parts, i), &body) != 0)
            return -1;
        if (body >= scene->body_count)
            return gjb_json_refuse(r, INDEX(where, i), "%" PRIu32 " is not a body (the scene has %" PRIu32 ")", body,
                                   scene->body_count);
        if (owner[body] != 0)
            return gjb_json_refuse(r, INDEX(where, i), "body %" PRIu32 " is already a part of compounds[%" PRIu32 "]",
                                   body, owner[body] - 1);
        owner[body] = number + 1;
        whole = body < whole ? body : whole;
    }
    for (size_t i = 0; i < count; i++)
        if (gjb_json_index(r, INDEX(where, i), json_array_get(parts, i), &body) != 0 ||
            gjb_scene_set_part(scene, body, whole) != 0)
            return gjb_json_refuse(r, where, "out of memory");
    return 0;
}

static int read_compounds(const gjb_json_reader *r, const json_t *root, gjb_scene *scene)
{
    if (json_object_get(root, "compounds") == NULL)
        return 0;
    const json_t *compounds = gjb_json_array(r, NULL, root, "compounds");
    uint32_t *owner = compounds != NULL ? calloc((size_t)scene->body_count + 1, sizeof *owner) : NULL;
    int failed = compounds == NULL ? -1 : owner == NULL ? gjb_json_refuse(r, NULL, "out of memory") : 0;
    for (size_t i = 0; i < json_array_size(compounds) && failed == 0; i++)
        failed = read_compound(r, INDEX(KEY(NULL, "compounds"), i), json_array_get(compounds, i), (uint32_t)i, scene,
                               owner);
    free(owner);
    return failed;
}

static int read_pairs(const gjb_json_reader *r, const gjb_json_path *where, const json_t *pairs,
                      gjb_frame *frame)
{
    for (uint64_t p = 0; p < frame->pair_count; p++) {
        const json_t *pair = json_array_get(pairs, p);
        if (!json_is_array(pair) || json_array_size(pair) != 2)
            return gjb_json_refuse_type(r, INDEX(where, p), pair, "an array of two body indices");
        for (size_t side = 0; side < 2; side++)
            if (gjb_json_index(r, INDEX(INDEX(where, p), side), json_array_get(pair, side),
                               &frame->pairs[2 * p + side]) != 0)
                return -1;
    }
    return 0;
}

/* `n` numbers of each body, from the array under `key`: poses or motions of frame `f`. */
static int read_of_each(const gjb_json_reader *r, const gjb_json_path *where, const json_t *object,
                        const char *key, gjb_scene *scene, uint32_t f)
{
    const int moves = strcmp(key, "motions") == 0;
    const uint32_t n = moves ? gjb_motion_numbers(r->dim) : gjb_pose_numbers(r->dim);
    const json_t *array = gjb_json_array(r, where, object, key);
    if (array == NULL)
        return -1;
    if (json_array_size(array) != scene->body_count)
        return gjb_json_refuse(r, KEY(where, key), "%zu given for %" PRIu32 " bodies", json_array_size(array),
                               scene->body_count);
    for (uint32_t b = 0; b < scene->body_count; b++) {
        double numbers[GJB_POSE_NUMBERS_MAX];
        if (gjb_json_numbers(r, INDEX(KEY(where, key), b), json_array_get(array, b), n, numbers) != 0)
            return -1;
        if (!moves)
            gjb_pose_store(scene, f, b, numbers);
        else if (store_motion(r, scene, f, b, numbers) != 0)
            return -1;
    }
    return 0;
}

static int read_frame(const gjb_json_reader *r, const gjb_json_path *where, json_t *object, gjb_scene *scene,
                      uint32_t f)
{
    static const char *const fields[] = {"poses", "motions", "pairs", NULL};
    if (gjb_json_object(r, where, object, fields) != 0 ||
        read_of_each(r, where, object, "poses", scene, f) != 0)
        return -1;
    if (json_object_get(object, "motions") != NULL &&
        read_of_each(r, where, object, "motions", scene, f) != 0)
        return -1;
    const json_t *pairs = gjb_json_array(r, where, object, "pairs");
    if (pairs == NULL)
        return -1;
    return read_pairs(r, KEY(where, "pairs"), pairs, &scene->frames[f]);
}

/* Pairs that frame `f` announces; what is malformed is found when it is read. */
static size_t frame_pairs(const json_t *frames, size_t f)
{
    return json_array_size(json_object_get(json_array_get(frames, f), "pairs"));
}

/* A scene with room for what the document holds. */
static gjb_scene *make_room(const gjb_json_reader *r, const json_t *shapes, const json_t *bodies,
                            const json_t *frames, const json_t *pairs)
{
    const uint32_t shape_count = (uint32_t)json_array_size(shapes);
    uint64_t rows = 0;
    for (uint32_t i = 0; i < shape_count; i++) {
        const int64_t count = count_rows(r, INDEX(KEY(NULL, "shapes"), i), json_array_get(shapes, i));
        if (count < 0)
            return NULL;
        rows += (uint64_t)count;
    }
    gjb_scene *scene = NULL;
    if (rows <= UINT32_MAX)
        scene = gjb_scene_new(r->dim, r->precision, shape_count, rows, (uint32_t)json_array_size(bodies),
                              frames != NULL ? frame_pairs(frames, 0) : json_array_size(pairs));
    for (size_t f = 1; scene != NULL && f < json_array_size(frames); f++) {
        if (gjb_scene_add_frame(scene, frame_pairs(frames, f)) == UINT32_MAX) {
            gjb_scene_free(scene);
            scene = NULL;
        }
    }
    if (scene == NULL)
        gjb_json_refuse(r, NULL, "out of memory");
    return scene;
}

/* In double in every scene: it is no coordinate. */
static int read_margin(const gjb_json_reader *r, const char *field, const json_t *root, double *margin)
{
    const json_t *given = json_object_get(root, field);
    if (given != NULL && !json_is_number(given))
        return gjb_json_refuse_type(r, KEY(NULL, field), given, "a number");
    *margin = json_number_value(given);
    return 0;
}

static int read_leaving(const gjb_json_reader *r, const json_t *given, uint32_t *leaving)
{
    const char *text = json_string_value(given);
    *leaving = text != NULL && strcmp(text, "ignore") == 0 ? GJB_LEAVING_IGNORE : GJB_LEAVING_HIT;
    if (given == NULL || *leaving || (text != NULL && strcmp(text, "hit") == 0))
        return 0;
    return gjb_json_refuse_type(r, KEY(NULL, "leaving"), given, "hit or ignore");
}

static int fill(const gjb_json_reader *r, const json_t *root, const json_t *shapes, const json_t *bodies,
                const json_t *frames, const json_t *pairs, gjb_scene *scene)
{
    if (gjb_json_text(r, KEY(NULL, "name"), json_object_get(root, "name"), scene->name, sizeof scene->name) !=
            0 ||
        gjb_json_text(r, KEY(NULL, "query"), json_object_get(root, "query"), scene->query,
                      sizeof scene->query) != 0 ||
        gjb_json_text(r, KEY(NULL, "note"), json_object_get(root, "note"), scene->note, sizeof scene->note) !=
            0)
        return -1;
    if (read_margin(r, "margin", root, &scene->margin) != 0 || read_margin(r, "within", root, &scene->within) != 0 ||
        read_leaving(r, json_object_get(root, "leaving"), &scene->leaving) != 0)
        return -1;
    uint32_t first = 0;
    for (uint32_t i = 0; i < scene->shapes.count; i++)
        if (read_shape(r, INDEX(KEY(NULL, "shapes"), i), json_array_get(shapes, i), scene, i, &first) != 0)
            return -1;
    if (read_bodies(r, bodies, frames != NULL, scene) != 0 || read_compounds(r, root, scene) != 0)
        return -1;
    if (frames == NULL)
        return read_pairs(r, KEY(NULL, "pairs"), pairs, &scene->frames[0]);
    for (uint32_t f = 0; f < scene->frame_count; f++)
        if (read_frame(r, INDEX(KEY(NULL, "frames"), f), json_array_get(frames, f), scene, f) != 0)
            return -1;
    return 0;
}

static int read_precision(gjb_json_reader *r, const json_t *value)
{
    r->precision = GJB_F64;
    for (int p = 0; value != NULL; p++) {
        if (p == GJB_PRECISIONS)
            return gjb_json_refuse_type(r, KEY(NULL, "precision"), value, "f32 or f64");
        if (json_is_string(value) &&
            strcmp(json_string_value(value), gjb_precision_name((gjb_precision)p)) == 0) {
            r->precision = (gjb_precision)p;
            break;
        }
    }
    return 0;
}

/* Its one shape and one body, which does not move. */
static int check_target(const gjb_json_reader *r, const json_t *root)
{
    static const char *const lists[] = {"shapes", "bodies"};
    for (int i = 0; i < 2; i++) {
        const json_t *list = gjb_json_array(r, NULL, root, lists[i]);
        if (list == NULL)
            return -1;
        if (json_array_size(list) != 1)
            return gjb_json_refuse(r, KEY(NULL, lists[i]), "%zu given, a ray has 1", json_array_size(list));
    }
    const gjb_json_path *where = INDEX(KEY(NULL, "bodies"), 0);
    const json_t *body = json_array_get(json_object_get(root, "bodies"), 0);
    uint32_t shape = 0;
    if (json_object_get(body, "motion") != NULL)
        return gjb_json_refuse(r, KEY(where, "motion"), "given, but what a ray meets is at rest");
    if (json_is_object(body) && gjb_json_index(r, KEY(where, "shape"), json_object_get(body, "shape"), &shape) != 0)
        return -1;
    return shape == 0 ? 0 : gjb_json_refuse(r, KEY(where, "shape"), "%" PRIu32 ", but a ray has 1 shape", shape);
}

/* The point's pose and motion, in their JSON. */
static int read_ray(const gjb_json_reader *r, const json_t *root, json_t *pose, json_t *motion)
{
    double origin[3], direction[3], maximum = 1.0;
    const json_t *most = json_object_get(root, "maximum");
    if (gjb_json_numbers(r, KEY(NULL, "origin"), json_object_get(root, "origin"), r->dim, origin) != 0 ||
        gjb_json_numbers(r, KEY(NULL, "direction"), json_object_get(root, "direction"), r->dim, direction) != 0 ||
        (most != NULL && gjb_json_number(r, KEY(NULL, "maximum"), most, &maximum) != 0))
        return -1;
    if (!(maximum > 0.0))
        return gjb_json_refuse(r, KEY(NULL, "maximum"), "%.9g is not positive", maximum);
    int moves = 0;
    for (uint32_t k = 0; k < r->dim; k++) {
        const double way = direction[k] * maximum, largest = gjb_largest(r->precision);
        if (!(fabs(origin[k]) <= largest))
            return gjb_json_refuse(r, INDEX(KEY(NULL, "origin"), k), "%.9g is too large", origin[k]);
        if (!(fabs(way) <= largest))
            return gjb_json_refuse(r, INDEX(KEY(NULL, "direction"), k), "%.9g is too large if multiplied by the maximum, %.9g",
                                   direction[k], maximum);
        moves |= r->precision == GJB_F32 ? (float)way != 0.0f : way != 0.0;
        json_object_set_new(pose, gjb_pose_names[r->dim][k], json_real(origin[k]));
        json_object_set_new(motion, gjb_motion_names[r->dim][k], json_real(way));
    }
    if (!moves)
        return gjb_json_refuse(r, KEY(NULL, "direction"), "all 0 if multiplied by the maximum, %.9g", maximum);
    return 0;
}

/* Writes a ray as the toi of a moving point, as the rest of this file reads it. */
static int rewrite_ray(const gjb_json_reader *r, json_t *root)
{
    json_t *pose = json_object(), *motion = json_object();
    if (check_target(r, root) != 0 || read_ray(r, root, pose, motion) != 0) {
        json_decref(pose);
        json_decref(motion);
        return -1;
    }
    json_t *point = json_pack("{ss s[[ii]]}", "kind", "point", "vertices", 0, 0);
    if (r->dim == 3)
        json_array_append_new(json_array_get(json_object_get(point, "vertices"), 0), json_integer(0));
    json_array_append_new(json_object_get(root, "shapes"), point);
    json_array_append_new(json_object_get(root, "bodies"),
                          json_pack("{si so so}", "shape", 1, "pose", pose, "motion", motion));
    json_object_set_new(root, "pairs", json_pack("[[ii]]", 0, 1));
    return json_object_set_new(root, "query", json_string("toi"));
}

static gjb_scene *read_root(gjb_json_reader *r, json_t *root)
{
#define ALWAYS                                                                                               \
    "gjkbench", "dim", "precision", "name", "note", "query", "margin", "within", "leaving", "shapes", "bodies"
    static const char *const still[] = {ALWAYS, "compounds", "pairs", NULL},
                      *const moving[] = {ALWAYS, "compounds", "frames", NULL};
    static const char *const fields_of_ray[] = {ALWAYS, "origin", "direction", "maximum", NULL};
#undef ALWAYS
    const json_t *frames = json_object_get(root, "frames"), *query = json_object_get(root, "query");
    const int ray = json_is_string(query) && strcmp(json_string_value(query), "ray") == 0;
    if (gjb_json_object(r, NULL, root, ray ? fields_of_ray : frames != NULL ? moving : still) != 0)
        return NULL;
    const json_t *version = json_object_get(root, "gjkbench"), *dim = json_object_get(root, "dim");
    if (!json_is_number(version) || json_number_value(version) != 1.0) {
        gjb_json_refuse_type(r, KEY(NULL, "gjkbench"), version, "format version 1");
        return NULL;
    }
    r->dim = 2;
    if (dim != NULL) {
        if (!json_is_number(dim) || (json_number_value(dim) != 2.0 && json_number_value(dim) != 3.0)) {
            gjb_json_refuse_type(r, KEY(NULL, "dim"), dim, "2 or 3");
            return NULL;
        }
        r->dim = (uint32_t)json_number_value(dim);
    }
    if (read_precision(r, json_object_get(root, "precision")) != 0 || (ray && rewrite_ray(r, root) != 0))
        return NULL;
    const json_t *shapes = gjb_json_array(r, NULL, root, "shapes");
    const json_t *bodies = shapes != NULL ? gjb_json_array(r, NULL, root, "bodies") : NULL;
    const json_t *last =
        bodies != NULL ? gjb_json_array(r, NULL, root, frames != NULL ? "frames" : "pairs") : NULL;
    if (last == NULL)
        return NULL;
    if (frames != NULL && json_array_size(frames) == 0) {
        gjb_json_refuse(r, KEY(NULL, "frames"), "empty, a scene needs at least one");
        return NULL;
    }
    gjb_scene *scene = make_room(r, shapes, bodies, frames, last);
    r->largest_angle = scene != NULL ? &scene->largest_angle : NULL;
    if (scene != NULL && fill(r, root, shapes, bodies, frames, last, scene) != 0) {
        gjb_scene_free(scene);
        scene = NULL;
    }
    return scene;
}

gjb_scene *gjb_scene_parse_json(const char *text, size_t size, const char *file, gjb_error *error)
{
    json_error_t fault;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &fault);
    if (root == NULL) {
        size_t blank = 0;
        while (blank < size && strchr(" \t\r\n", text[blank]) != NULL && text[blank] != '\0')
            blank++;
        const int none = blank < size && text[blank] != '{' && text[blank] != '[';
        if (none)
            gjb_fail(error, "%s:%d:%d: %s: this is no scene file (docs/scene-format.md)", file, fault.line,
                     fault.column, fault.text);
        else
            gjb_json_refuse_text(&fault, file, text, size, error);
        return NULL;
    }
    gjb_json_reader r = {.file = file, .error = error};
    gjb_scene *scene = read_root(&r, root);
    json_decref(root);
    return scene;
}
