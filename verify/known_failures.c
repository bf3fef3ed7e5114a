/* Imports a collection of known failures: recognises the file, reads cases, and notes those left out. */
#include "verify/known_failures_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/json_file.h"
#include "core/query.h"

static size_t skip_blanks(const char *text, size_t size, size_t at)
{
    while (at < size && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t'))
        at++;
    return at;
}

/* Only a key of the outermost object counts: fields x-... of scenes may hold anything. */
int gjb_known_failures_sniff(const void *bytes, size_t size)
{
    static const char mark[] = "cases";
    const char *text = bytes;
    size_t at = skip_blanks(text, size, 0), depth = 0;
    if (at == size || text[at] != '{')
        return 0;
    for (; at < size; at++) {
        depth += text[at] == '{' || text[at] == '[';
        depth -= depth && (text[at] == '}' || text[at] == ']');
        if (text[at] != '"')
            continue;
        size_t begin = ++at;
        while (at < size && text[at] != '"')
            at += text[at] == '\\' ? 2 : 1;
        if (depth != 1 || at >= size || at - begin != sizeof mark - 1 || memcmp(text + begin, mark, sizeof mark - 1))
            continue;
        size_t colon = skip_blanks(text, size, at + 1);
        if (colon < size && text[colon] == ':')
            return 1;
    }
    return 0;
}

static int read_body(gjb_known_context *c, const json_t *json, gjb_known_body *b)
{
    const json_t *pose = json_object_get(json, "pose"), *matrix = json_object_get(pose, "R");
    double r[GJB_KNOWN_DIMS][GJB_KNOWN_DIMS];
    if (gjb_known_shape(c, json, b) || c->why[0])
        return c->why[0] ? 0 : -1;
    for (uint32_t k = 0; k < c->dim; k++)
        if (gjb_known_vector(c, json_array_get(matrix, k), "pose.R", r[k]))
            return -1;
    if (gjb_known_vector(c, json_object_get(pose, "t"), "pose.t", b->place))
        return -1;
    gjb_known_turn(c, b, r);
    return 0;
}

static int set_motion(gjb_scene *scene, uint32_t i, const gjb_known_body *b)
{
    const uint32_t dim = scene->shapes.dim;
    double numbers[2 * GJB_KNOWN_DIMS] = {0};
    memcpy(numbers, b->way, dim * sizeof *numbers);
    memcpy(numbers + dim, b->angle, (gjb_motion_numbers(dim) - dim) * sizeof *numbers);
    return gjb_scene_set_motion(scene, 0, i, numbers);
}

static void set_body(gjb_scene *scene, uint32_t i, uint32_t first, const gjb_known_body *b)
{
    const double *t = b->place, *q = b->turn;
    gjb_scene_set_shape(scene, i, b->kind, first, b->count, b->rows, b->radius);
    if (scene->shapes.dim == 2)
        gjb_scene_set_pose(scene, 0, i, (gjb_pose2d){t[0], t[1], 1, 0});
    else
        gjb_scene_set_pose3(scene, 0, i, (gjb_pose3d){t[0], t[1], t[2], q[0], q[1], q[2], q[3]});
    scene->frames[0].pairs[i] = i;
}

static gjb_scene *make_scene(gjb_known_context *c, const gjb_known_body *a, const gjb_known_body *b,
                             const gjb_query_row *query)
{
    gjb_scene *scene = gjb_scene_new(c->dim, GJB_F64, 2, (uint64_t)a->count + b->count, 2, 1);
    gjb_error refused = {{0}};
    if (!scene) {
        gjb_fail(c->error, "%s: out of memory", c->file);
        return NULL;
    }
    set_body(scene, 0, 0, a);
    set_body(scene, 1, a->count, b);
    if (query->moving && (set_motion(scene, 0, a) || set_motion(scene, 1, b))) {
        gjb_fail(c->error, "%s: out of memory", c->file);
        gjb_scene_free(scene);
        return NULL;
    }
    snprintf(scene->query, sizeof scene->query, "%s", query->name);
    snprintf(scene->name, sizeof scene->name, "%.60s", c->id);
    if (gjb_scene_check(scene, c->id, &refused)) {
        snprintf(c->why, sizeof c->why, "refused by the rules of scenes");
        snprintf(c->at, sizeof c->at, "%.250s", refused.text);
        gjb_scene_free(scene);
        return NULL;
    }
    return scene;
}

static void note_id(gjb_left_out *out, const char *id)
{
    const size_t before = out->ids ? strlen(out->ids) : 0, size = before + strlen(id) + 3;
    char *longer = out->count && !out->ids ? NULL : realloc(out->ids, size);
    if (longer)
        snprintf(longer + before, size - before, "%s%s", before ? ", " : "", id);
    else
        free(out->ids);
    out->ids = longer;
}

static void leave_out(gjb_known_failures *all, const gjb_known_context *c)
{
    const char *reason = c->why;
    size_t i = 0;
    while (i < all->left_out_count && strcmp(all->left_out[i].reason, reason))
        i++;
    const size_t last = sizeof all->left_out / sizeof *all->left_out - 1;
    if (i >= last)
        i = last, reason = "other reasons";
    if (i == all->left_out_count) {
        gjb_left_out *added = &all->left_out[all->left_out_count++];
        snprintf(added->reason, sizeof added->reason, "%s", reason);
        snprintf(added->first, sizeof added->first, "%.250s", c->at[0] ? c->at : c->id);
    }
    note_id(&all->left_out[i], c->id);
    all->left_out[i].count++;
}

static int import_case(gjb_known_failures *all, gjb_known_context *c, const json_t *json, gjb_known_body *a,
                       gjb_known_body *b)
{
    static const struct {
        const char *theirs;
        gjb_query ours;
    } queries[] = {{"boolean", GJB_INTERSECT},
                   {"distance", GJB_SIGNED_DISTANCE},
                   {"penetration", GJB_PENETRATION},
                   {"contact", GJB_SIGNED_DISTANCE},
                   {"toi", GJB_TOI}};
    const char *id = json_string_value(json_object_get(json, "id"));
    const char *query = json_string_value(json_object_get(json, "query"));
    const gjb_query_row *ours = NULL;
    double step = 0;
    const json_int_t dim = json_integer_value(json_object_get(json, "dim"));
    c->id = id ? id : "?";
    c->why[0] = c->at[0] = 0;
    if (!id || !query)
        return REFUSE(c, "%s", "id and query: two names are wanted");
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (!strcmp(query, queries[i].theirs))
            ours = &gjb_queries[queries[i].ours];
    if (dim != 2 && dim != 3)
        return REFUSE(c, "dim: %lld, 2 or 3 is wanted", (long long)dim);
    c->dim = (uint32_t)dim;
    gjb_scene *scene = NULL;
    if (!ours)
        snprintf(c->why, sizeof c->why, "query '%.40s'", query);
    if (!c->why[0] && read_body(c, json_object_get(json, "A"), a))
        return -1;
    if (!c->why[0] && read_body(c, json_object_get(json, "B"), b))
        return -1;
    if (!c->why[0] && ours->moving && gjb_known_motion(c, json_object_get(json, "motion"), a, b, &step))
        return -1;
    if (!c->why[0])
        scene = make_scene(c, a, b, ours);
    if (!scene && !c->why[0])
        return -1;
    if (c->why[0]) {
        leave_out(all, c);
        return 0;
    }
    gjb_known_failure *one = &all->cases[all->count++];
    snprintf(one->id, sizeof one->id, "%s", id);
    one->scene = scene;
    one->step = step;
    return 0;
}

gjb_known_failures *gjb_known_failures_parse(const void *bytes, size_t size, const char *file,
                                             gjb_error *error)
{
    json_error_t where;
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &where);
    if (!root) {
        gjb_json_refuse_text(&where, file, bytes, size, error);
        return NULL;
    }
    const json_t *cases = json_object_get(root, "cases");
    gjb_known_failures *all = calloc(1, sizeof *all);
    gjb_known_body *bodies = calloc(2, sizeof *bodies);
    gjb_known_context c = {.file = file, .id = "?", .error = error};
    int failed = !all || !bodies;
    if (failed)
        gjb_fail(error, "%s: out of memory", file);
    else if (!json_is_array(cases))
        failed = gjb_fail(error, "%s: cases: an array is wanted", file);
    if (!failed) {
        all->cases = calloc(json_array_size(cases) + 1, sizeof *all->cases);
        failed = all->cases ? 0 : gjb_fail(error, "%s: out of memory", file);
    }
    for (size_t i = 0; !failed && i < json_array_size(cases); i++)
        failed = import_case(all, &c, json_array_get(cases, i), &bodies[0], &bodies[1]);
    json_decref(root);
    free(bodies);
    if (failed) {
        if (error)
            gjb_json_point(error, file, bytes, size);
        gjb_known_failures_free(all);
        return NULL;
    }
    return all;
}

void gjb_known_failures_free(gjb_known_failures *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        gjb_scene_free(all->cases[i].scene);
    for (size_t i = 0; i < all->left_out_count; i++)
        free(all->left_out[i].ids);
    free(all->cases);
    free(all);
}
