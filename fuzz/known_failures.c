#include "fuzz/known_failures.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES_MAX = 4096 };

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

/* One body as read. */
typedef struct body {
    gjb_kind kind;
    uint32_t count;
    double rows[VERTICES_MAX][2];
    double radius;
    gjb_pose2d pose;
} body;

typedef struct context {
    const char *file, *id;
    const char *why; /* the case is sound but not for us */
    gjb_error *error;
} context;

#define REFUSE(c, format, ...) gjb_fail((c)->error, "%s: case %s: " format, (c)->file, (c)->id, __VA_ARGS__)

static int read_number(const context *c, const json_t *json, const char *field, double *value)
{
    *value = json_number_value(json);
    return json_is_number(json) && isfinite(*value) ? 0 : REFUSE(c, "%s: a finite number is wanted", field);
}

static int read_vector(const context *c, const json_t *json, const char *field, double value[2])
{
    if (json_array_size(json) != 2)
        return REFUSE(c, "%s: two numbers are wanted", field);
    return read_number(c, json_array_get(json, 0), field, &value[0]) ||
           read_number(c, json_array_get(json, 1), field, &value[1]);
}

static int read_vertices(const context *c, const json_t *json, body *b)
{
    size_t count = json_array_size(json);
    if (!count || count > VERTICES_MAX)
        return REFUSE(c, "vertices: %zu of them, 1 to %d are wanted", count, VERTICES_MAX);
    b->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        if (read_vector(c, json_array_get(json, i), "vertices", b->rows[i]))
            return -1;
    return 0;
}

static int read_capsule(const context *c, const json_t *json, body *b)
{
    const json_t *ends = json_object_get(json, "endpoints");
    b->kind = GJB_SEGMENT;
    b->count = 2;
    if (ends)
        return read_vector(c, json_array_get(ends, 0), "endpoints", b->rows[0]) ||
               read_vector(c, json_array_get(ends, 1), "endpoints", b->rows[1]);
    double half = 0;
    const char *axis = json_string_value(json_object_get(json, "axis"));
    int along = axis && !strcmp(axis, "y");
    if (!axis || (!along && strcmp(axis, "x")))
        return REFUSE(c, "axis: '%s', x or y is wanted", axis ? axis : "");
    if (read_number(c, json_object_get(json, "half_length"), "half_length", &half))
        return -1;
    b->rows[0][along] = -half;
    b->rows[1][along] = half;
    return 0;
}

static int read_shape(context *c, const json_t *json, body *b)
{
    const char *type = json_string_value(json_object_get(json, "type"));
    const json_t *radius = json_object_get(json, "radius");
    memset(b->rows, 0, 2 * sizeof *b->rows);
    b->radius = 0;
    b->count = 1;
    if (!type)
        return REFUSE(c, "%s", "type: a name is wanted");
    if (radius && read_number(c, radius, "radius", &b->radius))
        return -1;
    if (!strcmp(type, "circle") || !strcmp(type, "sphere")) {
        b->kind = GJB_POINT;
        return 0;
    }
    if (!strcmp(type, "point")) {
        b->kind = GJB_POINT;
        return read_vector(c, json_object_get(json, "p"), "p", b->rows[0]);
    }
    if (!strcmp(type, "box")) {
        b->kind = GJB_BOX;
        return read_vector(c, json_object_get(json, "half_extents"), "half_extents", b->rows[0]);
    }
    if (!strcmp(type, "capsule"))
        return read_capsule(c, json, b);
    static const struct {
        const char *type;
        gjb_kind kind;
    } outlines[] = {{"polygon", GJB_POLYGON}, {"triangle", GJB_POLYGON}, {"segment", GJB_SEGMENT}};
    for (size_t i = 0; i < sizeof outlines / sizeof *outlines; i++)
        if (!strcmp(type, outlines[i].type)) {
            b->kind = outlines[i].kind;
            return read_vertices(c, json_object_get(json, "vertices"), b);
        }
    c->why = "shape kind not supported";
    return 0;
}

/* Rotates by a matrix that need not be orthogonal in the last digits; a turn
 * that our poses can hold exactly stays a pose. */
static void bake(body *b, const double r[2][2])
{
    if (r[0][0] == 1 && r[1][1] == 1 && r[0][1] == 0 && r[1][0] == 0)
        return;
    if (b->kind == GJB_BOX) {
        double hx = b->rows[0][0], hy = b->rows[0][1];
        const double corners[4][2] = {{-hx, -hy}, {hx, -hy}, {hx, hy}, {-hx, hy}};
        memcpy(b->rows, corners, sizeof corners);
        b->kind = GJB_POLYGON;
        b->count = 4;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        double x = b->rows[i][0], y = b->rows[i][1];
        b->rows[i][0] = r[0][0] * x + r[0][1] * y;
        b->rows[i][1] = r[1][0] * x + r[1][1] * y;
    }
}

static int read_body(context *c, const json_t *json, body *b)
{
    const json_t *pose = json_object_get(json, "pose"), *matrix = json_object_get(pose, "R");
    double r[2][2], t[2];
    if (read_shape(c, json, b) || c->why)
        return c->why ? 0 : -1;
    if (read_vector(c, json_array_get(matrix, 0), "pose.R", r[0]) ||
        read_vector(c, json_array_get(matrix, 1), "pose.R", r[1]) ||
        read_vector(c, json_object_get(pose, "t"), "pose.t", t))
        return -1;
    bake(b, (const double(*)[2])r);
    b->pose = (gjb_pose2d){t[0], t[1], 1, 0};
    return 0;
}

static gjb_scene *make_scene(context *c, const body *a, const body *b, const char *query)
{
    gjb_scene *scene = gjb_scene_new(2, GJB_F64, 2, (uint64_t)a->count + b->count, 2, 1);
    gjb_error refused = {{0}};
    if (!scene) {
        gjb_fail(c->error, "%s: out of memory", c->file);
        return NULL;
    }
    gjb_scene_set_shape(scene, 0, a->kind, 0, a->count, (const double(*)[2])a->rows, a->radius);
    gjb_scene_set_shape(scene, 1, b->kind, a->count, b->count, (const double(*)[2])b->rows, b->radius);
    gjb_scene_set_pose(scene, 0, 0, a->pose);
    gjb_scene_set_pose(scene, 0, 1, b->pose);
    scene->frames[0].pairs[0] = 0;
    scene->frames[0].pairs[1] = 1;
    snprintf(scene->query, sizeof scene->query, "%s", query);
    snprintf(scene->name, sizeof scene->name, "%.60s", c->id);
    if (gjb_scene_check(scene, c->id, &refused)) {
        c->why = "refused by the rules of scenes";
        gjb_scene_free(scene);
        return NULL;
    }
    return scene;
}

static void leave_out(gjb_known_failures *all, const char *reason)
{
    size_t i = 0;
    while (i < all->left_out_count && strcmp(all->left_out[i].reason, reason))
        i++;
    if (i == sizeof all->left_out / sizeof *all->left_out)
        return;
    if (i == all->left_out_count)
        snprintf(all->left_out[all->left_out_count++].reason, sizeof all->left_out[0].reason, "%s", reason);
    all->left_out[i].count++;
}

static int import_case(gjb_known_failures *all, context *c, const json_t *json, body *a, body *b)
{
    static const struct {
        const char *theirs, *ours;
    } queries[] = {{"boolean", "intersect"},
                   {"distance", "signed_distance"},
                   {"penetration", "penetration"},
                   {"contact", "signed_distance"}};
    const char *id = json_string_value(json_object_get(json, "id"));
    const char *query = json_string_value(json_object_get(json, "query")), *ours = NULL;
    c->id = id ? id : "?";
    c->why = NULL;
    if (!id || !query)
        return REFUSE(c, "%s", "id and query: two names are wanted");
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (!strcmp(query, queries[i].theirs))
            ours = queries[i].ours;
    char reason[96];
    if (json_integer_value(json_object_get(json, "dim")) != 2) {
        leave_out(all, "dimension 3");
        return 0;
    }
    if (!ours) {
        snprintf(reason, sizeof reason, "query '%.40s'", query);
        leave_out(all, reason);
        return 0;
    }
    gjb_scene *scene = NULL;
    if (read_body(c, json_object_get(json, "A"), a) ||
        (!c->why && read_body(c, json_object_get(json, "B"), b)))
        return -1;
    if (!c->why)
        scene = make_scene(c, a, b, ours);
    if (!scene && !c->why)
        return -1;
    if (c->why) {
        leave_out(all, c->why);
        return 0;
    }
    gjb_known_failure *one = &all->cases[all->count++];
    snprintf(one->id, sizeof one->id, "%s", id);
    one->scene = scene;
    return 0;
}

gjb_known_failures *gjb_known_failures_parse(const void *bytes, size_t size, const char *file,
                                             gjb_error *error)
{
    json_error_t where;
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &where);
    if (!root) {
        gjb_fail(error, "%s:%d:%d: %s", file, where.line, where.column, where.text);
        return NULL;
    }
    const json_t *cases = json_object_get(root, "cases");
    gjb_known_failures *all = calloc(1, sizeof *all);
    body *bodies = calloc(2, sizeof *bodies);
    context c = {.file = file, .id = "?", .error = error};
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
    free(all->cases);
    free(all);
}
