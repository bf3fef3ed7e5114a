/* Checks every rule of scenes, with one line that names field and value; repairs outlines and rotations. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/polygon.h"
#include "core/query.h"
#include "scenes/scene_private.h"

const gjb_kind_row gjb_kinds[GJB_KINDS] = {
    [GJB_POINT] = {"vertices", 1, 1, {{0}}},
    [GJB_SEGMENT] = {"vertices", 2, 2, {{0}}},
    [GJB_POLYGON] = {"vertices", 3, GJB_MAX_VERTICES, {{0}}},
    [GJB_BOX] = {NULL, 1, 1, {{"half_extents", 0, 0, 1, 0}}},
    [GJB_TRIANGLE] = {"vertices", 3, 3, {{0}}},
    [GJB_HULL] = {"vertices", 4, GJB_MAX_VERTICES, {{0}}},
    [GJB_AABB] = {"corners", 2, 2, {{0}}},
    [GJB_ELLIPSE] = {NULL, 1, 1, {{"semi_axes", 0, 0, 1, 0}}},
    [GJB_SUPERELLIPSE] = {NULL, 2, 2, {{"semi_axes", 0, 0, 1, 0}, {"exponent", 1, 0, 0, 0}}},
    [GJB_ELLIPSOID] = {NULL, 1, 1, {{"semi_axes", 0, 0, 1, 0}}},
    [GJB_SUPERELLIPSOID] = {NULL, 2, 2, {{"semi_axes", 0, 0, 1, 0}, {"exponent", 1, 0, 0, 0}}},
    [GJB_CYLINDER] = {NULL, 1, 1, {{"base_radius", 0, 0, 0, 0}, {"half_height", 0, 1, 0, 0}}},
    [GJB_CONE] = {NULL, 1, 1, {{"base_radius", 0, 0, 0, 0}, {"half_height", 0, 1, 0, 0}}},
    [GJB_HALFSPACE] = {NULL, 2, 2, {{"normal", 0, 0, 1, 1}, {"offset", 1, 0, 0, 1}}},
};

const char *const gjb_pose_names[4][GJB_POSE_NUMBERS_MAX + 1] = {
    [2] = {"x", "y", "c", "s"},
    [3] = {"x", "y", "z", "qx", "qy", "qz", "qw"},
};

const char *const gjb_motion_names[4][GJB_MOTION_NUMBERS_MAX + 1] = {
    [2] = {"x", "y", "angle"},
    [3] = {"x", "y", "z", "wx", "wy", "wz"},
};

/* A pose farther from unit length than this is a mistake, not rounding. */
static const double mendable = 1e-3;

typedef struct door {
    gjb_scene *scene;
    const char *file;
    gjb_error *error;
    const uint32_t *next; /* gjb_scene_next_parts; NULL: not known, or no compounds */
} door;

#define REFUSE(d, format, ...) gjb_fail((d)->error, "%s: " format, (d)->file, __VA_ARGS__)

static int is_part(const door *d, uint32_t body)
{
    return d->next != NULL && (d->scene->part_of[body] != body || d->next[body] != GJB_NO_PART);
}

static int check_text(const door *d, const char *field, char *text, size_t size)
{
    if (memchr(text, '\0', size) == NULL)
        return REFUSE(d, "%s: longer than %zu bytes", field, size - 1);
    char copy[256];
    memcpy(copy, text, size);
    if (gjb_text_clean(copy) != 0)
        return REFUSE(d, "%s: '%s' has control characters or is not UTF-8", field, copy);
    return 0;
}

/* A hint if the outline is convex in f32: it was probably written by a program that computes in f32. */
static const char *f32_hint(const door *d, const double (*vertices)[2], uint32_t count)
{
    double rounded[GJB_MAX_VERTICES][2];
    gjb_outline_report report;
    if (d->scene->shapes.precision == GJB_F32)
        return "";
    for (uint32_t i = 0; i < 2 * count; i++) {
        const double value = vertices[i / 2][i % 2];
        if (fabs(value) > gjb_largest(GJB_F32))
            return "";
        rounded[i / 2][i % 2] = (float)value;
    }
    return gjb_outline_check((const double(*)[2])rounded, count, gjb_epsilon(GJB_F32), &report) <=
                   GJB_OUTLINE_CW
               ? "; it is convex in f32: say \"precision\": \"f32\""
               : "";
}

static int check_outline(const door *d, uint32_t shape, const double (*vertices)[2], uint32_t count)
{
    const gjb_shapes *shapes = &d->scene->shapes;
    const double epsilon = gjb_epsilon((gjb_precision)shapes->precision);
    gjb_outline_report report;
    switch (gjb_outline_check(vertices, count, epsilon, &report)) {
    case GJB_OUTLINE_CCW:
    case GJB_OUTLINE_FLAT:
        return 0;
    case GJB_OUTLINE_CW:
        for (uint32_t i = 1; i < count; i++) {
            for (uint32_t axis = 0; axis < 2; axis++)
                gjb_scalar_store(shapes->rows, shapes->precision,
                                 2 * ((uint64_t)shapes->first[shape] + i) + axis, vertices[count - i][axis]);
        }
        return 0;
    case GJB_OUTLINE_WINDS:
        return REFUSE(
            d, "shapes[%" PRIu32 "].vertices: the outline winds %d times around, a convex one winds once",
            shape, report.winds);
    case GJB_OUTLINE_DISORDERED:
        return REFUSE(d,
                      "shapes[%" PRIu32 "].vertices: not convex: the %" PRIu32
                      " vertices do not follow their hull%s",
                      shape, count, f32_hint(d, vertices, count));
    case GJB_OUTLINE_DENTED:
        break;
    }
    return REFUSE(
        d, "shapes[%" PRIu32 "].vertices[%" PRIu32 "]: not convex: (%.9g, %.9g) lies %.3g inside the hull%s",
        shape, report.vertex, vertices[report.vertex][0], vertices[report.vertex][1], report.depth,
        f32_hint(d, vertices, count));
}

/* What is wrong with a coordinate's magnitude, or NULL. */
static const char *magnitude_fault(const door *d, double value)
{
    if (!isfinite(value))
        return "is not finite";
    const gjb_precision precision = (gjb_precision)d->scene->shapes.precision;
    if (fabs(value) <= gjb_largest(precision))
        return NULL;
    return precision == GJB_F32 ? "is too large (f32: at most 2^120)" : "is too large (f64: at most 2^1016)";
}

static const char *article(uint8_t kind)
{
    return strchr("aeiou", gjb_kind_name((gjb_kind)kind)[0]) != NULL ? "an" : "a";
}

/* What is wrong with a number of a part, or NULL. */
static const char *part_fault(const door *d, const gjb_kind_part *part, double value)
{
    const char *fault = magnitude_fault(d, value);
    if (part->any_sign)
        return fault;
    if (isfinite(value) && part->row == 1 && !(value >= GJB_LEAST_EXPONENT && value <= GJB_LARGEST_EXPONENT))
        return "is not from 1 to 16";
    return fault == NULL && value < 0.0 ? "is negative" : fault;
}

static int check_normal(const door *d, uint32_t shape)
{
    const gjb_shapes *shapes = &d->scene->shapes;
    for (uint32_t k = 0; k < shapes->dim; k++)
        if (gjb_scalar_load(shapes->rows, shapes->precision, shapes->dim * (uint64_t)shapes->first[shape] + k) != 0.0)
            return 0;
    return REFUSE(d, "shapes[%" PRIu32 "].normal: (0, 0%s) has no direction", shape, shapes->dim == 3 ? ", 0" : "");
}

/* Checks the named numbers of a kind, and that all others are 0. */
static int check_parts(const door *d, uint32_t shape)
{
    const gjb_shapes *shapes = &d->scene->shapes;
    const uint32_t kind = shapes->kind[shape], dim = shapes->dim;
    const uint64_t first = dim * (uint64_t)shapes->first[shape];
    uint32_t known = 0;
    for (uint32_t p = 0; p < gjb_kind_part_count(kind); p++) {
        const gjb_kind_part *part = &gjb_kinds[kind].parts[p];
        for (uint32_t k = 0; k < gjb_part_numbers(part, dim); k++) {
            const uint32_t at = dim * part->row + part->column + k;
            const double value = gjb_scalar_load(shapes->rows, shapes->precision, first + at);
            const char *fault = part_fault(d, part, value);
            known |= 1u << at;
            if (fault != NULL && part->each_axis)
                return REFUSE(d, "shapes[%" PRIu32 "].%s[%" PRIu32 "]: %.9g %s", shape, part->field, k, value,
                              fault);
            if (fault != NULL)
                return REFUSE(d, "shapes[%" PRIu32 "].%s: %.17g %s", shape, part->field, value, fault);
        }
    }
    for (uint32_t at = 0; at < dim * shapes->row_count[shape]; at++) {
        const double value = gjb_scalar_load(shapes->rows, shapes->precision, first + at);
        if (!(known >> at & 1u) && (value != 0.0 || signbit(value))) /* -0 would have another hash */
            return REFUSE(d, "shapes[%" PRIu32 "]: row %" PRIu32 " of %s %s has %.9g, must be 0", shape,
                          at / dim, article((uint8_t)kind), gjb_kind_name((gjb_kind)kind), value);
    }
    return gjb_is_unbounded(kind) ? check_normal(d, shape) : 0;
}

/* `rows`: [count][dim]. */
static int check_rows(const door *d, uint32_t shape, double *rows)
{
    const gjb_shapes *shapes = &d->scene->shapes;
    const uint32_t count = shapes->row_count[shape], dim = shapes->dim;
    const char *field = gjb_kinds[shapes->kind[shape]].field;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t axis = 0; axis < dim; axis++) {
            const uint64_t at = dim * ((uint64_t)shapes->first[shape] + i) + axis;
            const double value = gjb_scalar_load(shapes->rows, shapes->precision, at);
            rows[(size_t)dim * i + axis] = value;
            const char *fault = magnitude_fault(d, value);
            if (fault != NULL)
                return REFUSE(d, "shapes[%" PRIu32 "].%s[%" PRIu32 "][%" PRIu32 "]: %.9g %s", shape, field, i,
                              axis, value, fault);
        }
    }
    return 0;
}

static int check_shape(const door *d, uint32_t i)
{
    const gjb_shapes *shapes = &d->scene->shapes;
    const uint8_t kind = shapes->kind[i];
    if (kind >= GJB_KINDS)
        return REFUSE(d, "shapes[%" PRIu32 "].kind: %u is no kind of shape", i, kind);
    if (!(gjb_kinds_of(shapes->dim) >> kind & 1u))
        return REFUSE(d, "shapes[%" PRIu32 "].kind: %s %s is not of dimension %" PRIu32, i,
                      article(kind), gjb_kind_name((gjb_kind)kind), shapes->dim);
    const uint32_t count = shapes->row_count[i];
    const gjb_kind_row *row = &gjb_kinds[kind];
    if (count < row->least || count > row->most) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, row->least == row->most ? "%" PRIu32 : "%" PRIu32 " to %" PRIu32,
                 row->least, row->most);
        return REFUSE(d, "shapes[%" PRIu32 "].%s: %" PRIu32 " given, %s %s has %s", i,
                      row->field != NULL ? row->field : "rows", count, article(kind),
                      gjb_kind_name((gjb_kind)kind), wanted);
    }
    const double radius = gjb_scalar_load(shapes->radius, shapes->precision, i);
    const char *fault = magnitude_fault(d, radius);
    if (fault != NULL || radius < 0.0)
        return REFUSE(d, "shapes[%" PRIu32 "].radius: %.9g %s", i, radius, fault != NULL ? fault : "is negative");
    if (gjb_kinds[kind].field == NULL)
        return check_parts(d, i);
    double rows[GJB_MAX_VERTICES * 3];
    if (check_rows(d, i, rows) != 0)
        return -1;
    return kind == GJB_POLYGON ? check_outline(d, i, (const double(*)[2])rows, count) : 0;
}

/* Sum of squares less 1, nearly exact and the same on every machine: products
 * and sums (Knuth 1969) with their rounding errors. */
static double length_residual(const double *v, uint32_t n)
{
    double sum = -1.0, errors = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        const double square = v[i] * v[i], total = sum + square, shared = total - sum;
        errors += fma(v[i], v[i], -square);
        errors += (sum - (total - shared)) + (square - shared);
        sum = total;
    }
    return sum + errors;
}

static double square_of(const double *v, uint32_t n)
{
    double square = 0.0;
    for (uint32_t i = 0; i < n; i++)
        square += v[i] * v[i];
    return square;
}

/* The most that length_residual may be of a rotation that is left as it is. */
static double allowed_for(const gjb_scene *scene)
{
    return 4.0 * gjb_epsilon((gjb_precision)scene->shapes.precision);
}

static void make_unit(double *rotation, uint32_t n)
{
    const double length = sqrt(square_of(rotation, n));
    for (uint32_t i = 0; i < n; i++)
        rotation[i] /= length;
    const double residual = length_residual(rotation, n);
    for (uint32_t i = 0; i < n; i++)
        rotation[i] -= 0.5 * residual * rotation[i];
}

/* "(c, s) = (3, 4)" */
static const char *spell_rotation(uint32_t dim, const double *rotation, char text[160])
{
    const uint32_t n = gjb_pose_numbers(dim) - dim;
    size_t used = 0;
    for (uint32_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, 160 - used, "%s%s", i == 0 ? "(" : ", ", gjb_pose_names[dim][dim + i]);
    for (uint32_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, 160 - used, "%s%.9g", i == 0 ? ") = (" : ", ", rotation[i]);
    snprintf(text + used, 160 - used, ")");
    return text;
}

/* "bodies[3].pose", "frames[2].poses[3]" */
static void spell_body(const door *d, uint32_t frame, uint32_t body, const char *what, char where[64])
{
    if (d->scene->frame_count == 1)
        snprintf(where, 64, "bodies[%" PRIu32 "].%s", body, what);
    else
        snprintf(where, 64, "frames[%" PRIu32 "].%ss[%" PRIu32 "]", frame, what, body);
}

static int check_pose(const door *d, uint32_t frame, uint32_t body)
{
    gjb_scene *scene = d->scene;
    const uint32_t dim = scene->shapes.dim, n = gjb_pose_numbers(dim) - dim;
    char where[64], text[160];
    spell_body(d, frame, body, "pose", where);
    double pose[GJB_POSE_NUMBERS_MAX], *rotation = pose + dim, sum = 0.0;
    gjb_pose_load(scene, frame, body, pose);
    for (uint32_t i = 0; i < dim + n; i++) {
        const char *fault = magnitude_fault(d, pose[i]);
        if (fault != NULL)
            return REFUSE(d, "%s.%s: %.9g %s", where, gjb_pose_names[dim][i], pose[i], fault);
        sum += i < dim ? 0.0 : fabs(pose[i]);
    }
    if (sum == 0.0)
        return REFUSE(d, "%s: %s is not a rotation", where, spell_rotation(dim, rotation, text));
    const double residual = length_residual(rotation, n);
    if (fabs(residual) <= allowed_for(scene))
        return 0;
    if (!(fabs(residual) <= mendable))
        return REFUSE(d, "%s: %s is not of unit length (length %.9g)", where,
                      spell_rotation(dim, rotation, text), sqrt(square_of(rotation, n)));
    make_unit(rotation, n);
    gjb_pose_store(scene, frame, body, pose);
    return 0;
}

void gjb_scene_make_unit(gjb_scene *scene)
{
    const uint32_t dim = scene->shapes.dim, n = gjb_pose_numbers(dim) - dim;
    for (uint32_t f = 0; f < scene->frame_count; f++)
        for (uint32_t b = 0; b < scene->body_count; b++) {
            double pose[GJB_POSE_NUMBERS_MAX];
            gjb_pose_load(scene, f, b, pose);
            if (fabs(length_residual(pose + dim, n)) <= allowed_for(scene))
                continue;
            make_unit(pose + dim, n);
            gjb_pose_store(scene, f, b, pose);
        }
}

static int check_motion(const door *d, uint32_t frame, uint32_t body)
{
    const gjb_scene *scene = d->scene;
    const uint32_t dim = scene->shapes.dim, n = gjb_motion_numbers(dim);
    char where[64];
    spell_body(d, frame, body, "motion", where);
    double motion[GJB_MOTION_NUMBERS_MAX];
    gjb_scene_motion(scene, frame, body, motion);
    for (uint32_t i = 0; i < n; i++) {
        const char *fault = i < dim        ? magnitude_fault(d, motion[i])
                            : isfinite(motion[i]) ? NULL
                                           : "is not finite";
        if (fault != NULL)
            return REFUSE(d, "%s.%s: %.9g %s", where, gjb_motion_names[dim][i], motion[i], fault);
    }
    const double radians = gjb_motion_radians(dim, motion);
    if (!(radians <= GJB_MOST_RADIANS))
        return REFUSE(d, "%s.%s: %.9g radians are too many (at most %g in a step)", where,
                      dim == 2 ? "angle" : "w", radians, GJB_MOST_RADIANS);
    const double way = gjb_motion_sweep(scene, gjb_body_shape(scene, body), motion);
    const char *fault = magnitude_fault(d, way);
    return fault != NULL ? REFUSE(d, "%s: the way of the farthest vertex around: %.9g %s", where, way, fault) : 0;
}

/* The first part stands for a compound: no part is of another, and no later one. */
static int check_part(const door *d, uint32_t b)
{
    const gjb_scene *scene = d->scene;
    const uint32_t whole = scene->part_of[b];
    if (whole > b || scene->part_of[whole] != whole)
        return REFUSE(d, "compounds: body %" PRIu32 " is a part of that of body %" PRIu32 ", which is no first part", b,
                      whole);
    uint32_t parts = 0;
    for (uint32_t part = whole == b ? b : GJB_NO_PART; part != GJB_NO_PART; part = d->next[part])
        parts++;
    if (parts > GJB_PARTS_MOST)
        return REFUSE(d, "compounds: that of body %" PRIu32 " has %" PRIu32 " parts, at most %d are taken", b, parts,
                      GJB_PARTS_MOST);
    return is_part(d, b) && gjb_is_unbounded(scene->shapes.kind[gjb_body_shape(scene, b)])
               ? REFUSE(d, "compounds: body %" PRIu32 " is a halfspace, which is no part", b)
               : 0;
}

/* Of two compounds that with the lower first part is A in all pairs of parts, so that their normals agree. */
static int check_wholes(const door *d, const char *where, uint64_t p, const uint32_t *pair)
{
    const uint32_t a = gjb_scene_whole(d->scene, pair[0]), b = gjb_scene_whole(d->scene, pair[1]);
    if (!is_part(d, pair[0]) && !is_part(d, pair[1]))
        return 0;
    if (a == b)
        return REFUSE(d, "%spairs[%" PRIu64 "]: bodies %" PRIu32 " and %" PRIu32 " are parts of one compound", where, p,
                      pair[0], pair[1]);
    return a < b ? 0
                 : REFUSE(d,
                          "%spairs[%" PRIu64 "]: [%" PRIu32 ", %" PRIu32 "]: body %" PRIu32 " comes first, as its "
                          "compound has the lower first part, %" PRIu32,
                          where, p, pair[0], pair[1], pair[1], b);
}

static int check_frame(const door *d, uint32_t f)
{
    const gjb_scene *scene = d->scene;
    for (uint32_t b = 0; b < scene->body_count; b++)
        if (check_pose(d, f, b) != 0 || (scene->frames[f].motions != NULL && check_motion(d, f, b) != 0))
            return -1;
    const gjb_frame *frame = &scene->frames[f];
    char where[32] = "";
    if (scene->frame_count > 1)
        snprintf(where, sizeof where, "frames[%" PRIu32 "].", f);
    for (uint64_t p = 0; p < frame->pair_count; p++) {
        for (unsigned side = 0; side < 2; side++) {
            const uint32_t body = frame->pairs[2 * p + side];
            if (body >= scene->body_count)
                return REFUSE(
                    d, "%spairs[%" PRIu64 "][%u]: %" PRIu32 " is not a body (the scene has %" PRIu32 ")",
                    where, p, side, body, scene->body_count);
        }
        if (check_wholes(d, where, p, frame->pairs + 2 * p) != 0)
            return -1;
    }
    return 0;
}

static int check_margin(const door *d, const char *field, double *margin)
{
    const char *fault = !isfinite(*margin)          ? "is not finite"
                        : *margin < 0.0             ? "is negative"
                        : *margin > GJB_MOST_MARGIN ? "is too large (at most 2^120)"
                                                    : NULL;
    if (fault != NULL)
        return REFUSE(d, "%s: %.9g %s", field, *margin, fault);
    *margin += 0.0; /* -0 would be written otherwise */
    return 0;
}

/* One whose body turns: which, and how. */
static int refuse_turning(const door *d, uint32_t frame, uint32_t body)
{
    const gjb_scene *scene = d->scene;
    const uint32_t dim = scene->shapes.dim;
    char where[64];
    double motion[GJB_MOTION_NUMBERS_MAX];
    gjb_scene_motion(scene, frame, body, motion);
    for (uint32_t i = dim; i < gjb_motion_numbers(dim); i++)
        if (motion[i] != 0.0) {
            spell_body(d, frame, body, "motion", where);
            return REFUSE(d, "%s.%s: %.9g turns, but leaving is 'ignore', which takes motions that do not", where,
                          gjb_motion_names[dim][i], motion[i]);
        }
    return 0;
}

static int may_leave(const gjb_scene *scene)
{
    return scene->query[0] == '\0' || gjb_queries[gjb_query_find(scene->query)->id].has_leaving;
}

static int check_leaving(const door *d)
{
    const gjb_scene *scene = d->scene;
    if (scene->leaving != GJB_LEAVING_HIT && scene->leaving != GJB_LEAVING_IGNORE)
        return REFUSE(d, "leaving: %" PRIu32 " is neither 0 (hit) nor 1 (ignore)", scene->leaving);
    if (scene->leaving == GJB_LEAVING_HIT)
        return 0;
    if (!may_leave(scene))
        return REFUSE(d, "leaving: 'ignore' is of toi and ray, not of query '%s'", scene->query);
    for (uint32_t f = 0; f < scene->frame_count; f++)
        for (uint32_t b = 0; b < scene->body_count && scene->frames[f].motions != NULL; b++)
            if (refuse_turning(d, f, b) != 0)
                return -1;
    return 0;
}

int gjb_scene_take_leaving(gjb_scene *scene, uint32_t leaving, const char *file, gjb_error *error)
{
    const door d = {.scene = scene, .file = file, .error = error};
    scene->leaving = leaving;
    if (leaving == GJB_LEAVING_IGNORE && !may_leave(scene))
        return gjb_fail(error, "%s is of query '%s', and only toi and ray ignore contacts", file, scene->query);
    return check_leaving(&d);
}

static int check_parts_and_frames(door *d)
{
    uint32_t *next = d->scene->part_of != NULL ? gjb_scene_next_parts(d->scene) : NULL;
    int failed = d->scene->part_of != NULL && next == NULL
                     ? REFUSE(d, "compounds: out of memory for %" PRIu32 " bodies", d->scene->body_count)
                     : 0;
    d->next = next;
    for (uint32_t b = 0; b < d->scene->body_count && next != NULL && !failed; b++)
        failed = check_part(d, b);
    for (uint32_t f = 0; f < d->scene->frame_count && !failed; f++)
        failed = check_frame(d, f);
    d->next = NULL;
    free(next);
    return failed ? -1 : check_leaving(d);
}

int gjb_scene_check(gjb_scene *scene, const char *file, gjb_error *error)
{
    door d = {.scene = scene, .file = file, .error = error};
    if (scene->shapes.dim != 2 && scene->shapes.dim != 3)
        return REFUSE(&d, "dim: %" PRIu32 " is neither 2 nor 3", scene->shapes.dim);
    if (scene->shapes.precision >= GJB_PRECISIONS)
        return REFUSE(&d, "precision: %" PRIu32 " is none", scene->shapes.precision);
    if (check_text(&d, "name", scene->name, sizeof scene->name) != 0 ||
        check_text(&d, "query", scene->query, sizeof scene->query) != 0 ||
        check_text(&d, "note", scene->note, sizeof scene->note) != 0)
        return -1;
    if (scene->query[0] != '\0' && gjb_query_find(scene->query) == NULL) {
        char names[200] = "";
        for (int q = 0; q < GJB_QUERIES; q++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", q > 0 ? ", " : "",
                     gjb_queries[q].name);
        return REFUSE(&d, "query: '%s' is no query; there are %s, and in JSON ray", scene->query, names);
    }
    if (check_margin(&d, "margin", &scene->margin) != 0 || check_margin(&d, "within", &scene->within) != 0)
        return -1;
    uint64_t pairs = 0;
    for (uint32_t f = 0; f < scene->frame_count; f++)
        pairs += scene->frames[f].pair_count;
    const struct {
        const char *field;
        uint64_t count;
    } needed[] = {
        {"shapes", scene->shapes.count},
        {"bodies", scene->body_count},
        {"pairs", pairs},
    };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (needed[i].count == 0)
            return REFUSE(&d, "%s: empty, a scene needs at least one", needed[i].field);
    for (uint32_t i = 0; i < scene->shapes.count; i++)
        if (check_shape(&d, i) != 0)
            return -1;
    for (uint32_t b = 0; b < scene->body_count; b++) {
        if (gjb_body_shape(scene, b) >= scene->shapes.count)
            return REFUSE(&d,
                          "bodies[%" PRIu32 "].shape: %" PRIu32 " is not a shape (the scene has %" PRIu32 ")",
                          b, gjb_body_shape(scene, b), scene->shapes.count);
    }
    return check_parts_and_frames(&d);
}
