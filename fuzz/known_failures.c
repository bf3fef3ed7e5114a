#include "fuzz/known_failures_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

int gjb_known_number(const gjb_known_context *c, const json_t *json, const char *field, double *value)
{
    *value = json_number_value(json);
    return json_is_number(json) && isfinite(*value) ? 0 : REFUSE(c, "%s: a finite number is wanted", field);
}

int gjb_known_vector(const gjb_known_context *c, const json_t *json, const char *field, double *value)
{
    if (json_array_size(json) != c->dim)
        return REFUSE(c, "%s: %u numbers are wanted", field, (unsigned)c->dim);
    for (uint32_t k = 0; k < c->dim; k++)
        if (gjb_known_number(c, json_array_get(json, k), field, &value[k]))
            return -1;
    return 0;
}

static int read_vertices(const gjb_known_context *c, const json_t *json, gjb_known_body *b)
{
    size_t count = json_array_size(json);
    if (!count || count > GJB_KNOWN_VERTICES)
        return REFUSE(c, "vertices: %zu of them, 1 to %d are wanted", count, GJB_KNOWN_VERTICES);
    b->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        if (gjb_known_vector(c, json_array_get(json, i), "vertices", b->rows + i * c->dim))
            return -1;
    return 0;
}

static int read_capsule(const gjb_known_context *c, const json_t *json, gjb_known_body *b)
{
    const json_t *ends = json_object_get(json, "endpoints");
    b->kind = GJB_SEGMENT;
    b->count = 2;
    if (ends)
        return gjb_known_vector(c, json_array_get(ends, 0), "endpoints", b->rows) ||
               gjb_known_vector(c, json_array_get(ends, 1), "endpoints", b->rows + c->dim);
    double half = 0;
    const char *axis = json_string_value(json_object_get(json, "axis"));
    const uint32_t along = axis && axis[0] && !axis[1] ? (uint32_t)(axis[0] - 'x') : GJB_KNOWN_DIMS;
    if (along >= c->dim)
        return REFUSE(c, "axis: '%s', one of %.*s is wanted", axis ? axis : "", (int)c->dim, "xyz");
    if (gjb_known_number(c, json_object_get(json, "half_length"), "half_length", &half))
        return -1;
    b->rows[along] = -half;
    b->rows[c->dim + along] = half;
    return 0;
}

/* Shapes given by their vertices. */
static const struct {
    uint32_t dim;
    const char *type;
    gjb_kind kind;
} outlines[] = {{2, "polygon", GJB_POLYGON}, {2, "triangle", GJB_POLYGON},  {2, "segment", GJB_SEGMENT},
                {3, "hull", GJB_HULL},       {3, "triangle", GJB_TRIANGLE}, {3, "segment", GJB_SEGMENT}};

/* A hull of few vertices is a simpler shape. */
static gjb_kind simplest(gjb_kind kind, uint32_t count)
{
    static const gjb_kind simple[] = {[1] = GJB_POINT, [2] = GJB_SEGMENT, [3] = GJB_TRIANGLE};
    return kind == GJB_HULL && count < 4 ? simple[count] : kind;
}

static int read_shape(gjb_known_context *c, const json_t *json, gjb_known_body *b)
{
    const char *type = json_string_value(json_object_get(json, "type"));
    const json_t *radius = json_object_get(json, "radius");
    memset(b->rows, 0, 2 * GJB_KNOWN_DIMS * sizeof *b->rows);
    b->radius = 0;
    b->count = 1;
    if (!type)
        return REFUSE(c, "%s", "type: a name is wanted");
    if (radius && gjb_known_number(c, radius, "radius", &b->radius))
        return -1;
    if (!strcmp(type, "circle") || !strcmp(type, "sphere")) {
        b->kind = GJB_POINT;
        return 0;
    }
    if (!strcmp(type, "point")) {
        b->kind = GJB_POINT;
        return gjb_known_vector(c, json_object_get(json, "p"), "p", b->rows);
    }
    if (!strcmp(type, "box")) {
        b->kind = GJB_BOX;
        return gjb_known_vector(c, json_object_get(json, "half_extents"), "half_extents", b->rows);
    }
    if (!strcmp(type, "capsule"))
        return read_capsule(c, json, b);
    for (size_t i = 0; i < sizeof outlines / sizeof *outlines; i++)
        if (c->dim == outlines[i].dim && !strcmp(type, outlines[i].type)) {
            if (read_vertices(c, json_object_get(json, "vertices"), b))
                return -1;
            b->kind = simplest(outlines[i].kind, b->count);
            return 0;
        }
    snprintf(c->why, sizeof c->why, "shape '%.40s'", type);
    return 0;
}

static int is_identity(const gjb_known_context *c, double r[GJB_KNOWN_DIMS][GJB_KNOWN_DIMS])
{
    int is = 1;
    for (uint32_t i = 0; i < c->dim; i++)
        for (uint32_t k = 0; k < c->dim; k++)
            is &= r[i][k] == (i == k);
    return is;
}

/* Rotates by a matrix that need not be orthogonal in the last digits. */
static void bake(const gjb_known_context *c, gjb_known_body *b, double r[GJB_KNOWN_DIMS][GJB_KNOWN_DIMS])
{
    if (is_identity(c, r))
        return;
    if (b->kind == GJB_BOX) {
        const double half[GJB_KNOWN_DIMS] = {b->rows[0], b->rows[1], b->rows[2]};
        b->kind = c->dim == 2 ? GJB_POLYGON : GJB_HULL;
        b->count = gjb_box_corners(c->dim);
        for (uint32_t i = 0; i < b->count; i++)
            for (uint32_t k = 0; k < c->dim; k++)
                b->rows[i * c->dim + k] = gjb_box_corner(c->dim, i, k) * half[k];
    }
    for (uint32_t i = 0; i < b->count; i++) {
        double *row = b->rows + i * c->dim, turned[GJB_KNOWN_DIMS] = {0};
        for (uint32_t k = 0; k < c->dim; k++)
            for (uint32_t m = 0; m < c->dim; m++)
                turned[k] += r[k][m] * row[m];
        memcpy(row, turned, c->dim * sizeof *row);
    }
}

static int read_body(gjb_known_context *c, const json_t *json, gjb_known_body *b)
{
    const json_t *pose = json_object_get(json, "pose"), *matrix = json_object_get(pose, "R");
    double r[GJB_KNOWN_DIMS][GJB_KNOWN_DIMS];
    if (read_shape(c, json, b) || c->why[0])
        return c->why[0] ? 0 : -1;
    for (uint32_t k = 0; k < c->dim; k++)
        if (gjb_known_vector(c, json_array_get(matrix, k), "pose.R", r[k]))
            return -1;
    if (gjb_known_vector(c, json_object_get(pose, "t"), "pose.t", b->place))
        return -1;
    bake(c, b, r);
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
    const double *t = b->place;
    gjb_scene_set_shape(scene, i, b->kind, first, b->count, b->rows, b->radius);
    if (scene->shapes.dim == 2)
        gjb_scene_set_pose(scene, 0, i, (gjb_pose2d){t[0], t[1], 1, 0});
    else
        gjb_scene_set_pose3(scene, 0, i, (gjb_pose3d){t[0], t[1], t[2], 0, 0, 0, 1});
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
    const size_t last = sizeof all->left_out / sizeof *all->left_out - 1;
    if (i >= last)
        i = last, reason = "other reasons";
    if (i == all->left_out_count)
        snprintf(all->left_out[all->left_out_count++].reason, sizeof all->left_out[0].reason, "%s", reason);
    all->left_out[i].count++;
}

static int import_case(gjb_known_failures *all, gjb_known_context *c, const json_t *json, gjb_known_body *a, gjb_known_body *b)
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
    c->why[0] = 0;
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
        leave_out(all, c->why);
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
        gjb_fail(error, "%s:%d:%d: %s", file, where.line, where.column, where.text);
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
