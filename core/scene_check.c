#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/polygon.h"
#include "core/query.h"
#include "core/scene_private.h"

const gjb_kind_row gjb_kinds[GJB_KINDS] = {
    [GJB_POINT] = {"vertices", 1, 1},
    [GJB_SEGMENT] = {"vertices", 2, 2},
    [GJB_POLYGON] = {"vertices", 3, GJB_MAX_VERTICES},
    [GJB_BOX] = {"half_extents", 1, 1},
};

/* A pose farther from unit length than this is a mistake, not rounding. */
static const double mendable = 1e-3;

typedef struct door {
    gjb_scene *scene;
    const char *file;
    gjb_error *error;
} door;

#define REFUSE(d, format, ...) gjb_fail((d)->error, "%s: " format, (d)->file, __VA_ARGS__)

static int check_text(const door *d, const char *field, char *text, size_t size)
{
    if (memchr(text, '\0', size) == NULL) {
        return REFUSE(d, "%s: longer than %zu bytes", field, size - 1);
    }
    char copy[256];
    memcpy(copy, text, size);
    if (gjb_text_clean(copy) != 0) {
        return REFUSE(d, "%s: '%s' has control characters or is not UTF-8", field, copy);
    }
    return 0;
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
            for (uint32_t axis = 0; axis < 2; axis++) {
                gjb_scalar_store(shapes->rows, shapes->precision,
                                 2 * ((uint64_t)shapes->first[shape] + i) + axis, vertices[count - i][axis]);
            }
        }
        return 0;
    case GJB_OUTLINE_WINDS:
        return REFUSE(
            d, "shapes[%" PRIu32 "].vertices: the outline winds %d times around, a convex one winds once",
            shape, report.winds);
    case GJB_OUTLINE_DISORDERED:
        return REFUSE(
            d, "shapes[%" PRIu32 "].vertices: not convex: the %" PRIu32 " vertices do not follow their hull",
            shape, count);
    case GJB_OUTLINE_DENTED:
        break;
    }
    return REFUSE(
        d, "shapes[%" PRIu32 "].vertices[%" PRIu32 "]: not convex: (%.9g, %.9g) lies %.3g inside the hull",
        shape, report.vertex, vertices[report.vertex][0], vertices[report.vertex][1], report.depth);
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

static int check_rows(const door *d, uint32_t shape, double (*rows)[2])
{
    const gjb_shapes *shapes = &d->scene->shapes;
    const uint8_t kind = shapes->kind[shape];
    const uint32_t count = shapes->row_count[shape];
    const char *field = gjb_kinds[kind].field;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t axis = 0; axis < 2; axis++) {
            const uint64_t at = 2 * ((uint64_t)shapes->first[shape] + i) + axis;
            const double value = gjb_scalar_load(shapes->rows, shapes->precision, at);
            rows[i][axis] = value;
            const char *fault = magnitude_fault(d, value);
            if (fault == NULL && (kind != GJB_BOX || value >= 0.0)) {
                continue;
            }
            if (fault == NULL) {
                fault = "is negative";
            }
            if (kind == GJB_BOX) {
                return REFUSE(d, "shapes[%" PRIu32 "].%s[%" PRIu32 "]: %.9g %s", shape, field, axis, value,
                              fault);
            }
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
    if (kind >= GJB_KINDS) {
        return REFUSE(d, "shapes[%" PRIu32 "].kind: %u is no kind of shape", i, kind);
    }
    const uint32_t count = shapes->row_count[i];
    const gjb_kind_row *row = &gjb_kinds[kind];
    if (count < row->least || count > row->most) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, row->least == row->most ? "%" PRIu32 : "%" PRIu32 " to %" PRIu32,
                 row->least, row->most);
        return REFUSE(d, "shapes[%" PRIu32 "].%s: %" PRIu32 " given, a %s has %s", i, row->field, count,
                      gjb_kind_name((gjb_kind)kind), wanted);
    }
    const double radius = gjb_scalar_load(shapes->radius, shapes->precision, i);
    const char *fault = magnitude_fault(d, radius);
    if (fault != NULL || radius < 0.0) {
        return REFUSE(d, "shapes[%" PRIu32 "].radius: %.9g %s", i, radius, fault != NULL ? fault : "is negative");
    }
    double rows[GJB_MAX_VERTICES][2];
    if (check_rows(d, i, rows) != 0) {
        return -1;
    }
    return kind == GJB_POLYGON ? check_outline(d, i, (const double(*)[2])rows, count) : 0;
}

/* c*c + s*s - 1, nearly exact and the same on every machine: products with
 * their rounding errors, and the larger one meets the 1 first. */
static double length_residual(double c, double s)
{
    const double cc = c * c, ss = s * s;
    const double errors = fma(c, c, -cc) + fma(s, s, -ss);
    return ((cc > ss ? cc : ss) - 1.0) + (cc > ss ? ss : cc) + errors;
}

static int check_pose(const door *d, uint32_t frame, uint32_t body)
{
    gjb_scene *scene = d->scene;
    char where[64];
    if (scene->frame_count == 1) {
        snprintf(where, sizeof where, "bodies[%" PRIu32 "].pose", body);
    } else {
        snprintf(where, sizeof where, "frames[%" PRIu32 "].poses[%" PRIu32 "]", frame, body);
    }
    gjb_pose2d pose = gjb_scene_pose(scene, frame, body);
    const double values[4] = {pose.x, pose.y, pose.c, pose.s};
    for (int i = 0; i < 4; i++) {
        const char *fault = magnitude_fault(d, values[i]);
        if (fault != NULL) {
            return REFUSE(d, "%s.%c: %.9g %s", where, "xycs"[i], values[i], fault);
        }
    }
    if (pose.c == 0.0 && pose.s == 0.0) {
        return REFUSE(d, "%s: (c, s) = (0, 0) is no direction", where);
    }
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    const double allowed = 4.0 * gjb_epsilon(precision);
    double residual = length_residual(pose.c, pose.s);
    if (fabs(residual) <= allowed) {
        return 0;
    }
    if (!(fabs(residual) <= mendable)) {
        return REFUSE(d, "%s: (c, s) = (%.9g, %.9g) is not of unit length (length %.9g)", where, pose.c,
                      pose.s, hypot(pose.c, pose.s));
    }
    const double length = sqrt(pose.c * pose.c + pose.s * pose.s);
    pose.c /= length;
    pose.s /= length;
    residual = length_residual(pose.c, pose.s);
    pose.c -= 0.5 * residual * pose.c;
    pose.s -= 0.5 * residual * pose.s;
    gjb_scene_set_pose(scene, frame, body, pose);
    return 0;
}

static int check_frame(const door *d, uint32_t f)
{
    const gjb_scene *scene = d->scene;
    for (uint32_t b = 0; b < scene->body_count; b++) {
        if (check_pose(d, f, b) != 0) {
            return -1;
        }
    }
    const gjb_frame *frame = &scene->frames[f];
    for (uint64_t p = 0; p < frame->pair_count; p++) {
        for (unsigned side = 0; side < 2; side++) {
            const uint32_t body = frame->pairs[2 * p + side];
            if (body >= scene->body_count) {
                char where[32] = "";
                if (scene->frame_count > 1) {
                    snprintf(where, sizeof where, "frames[%" PRIu32 "].", f);
                }
                return REFUSE(d, "%spairs[%" PRIu64 "][%u]: %" PRIu32 " is no body, there are %" PRIu32,
                              where, p, side, body, scene->body_count);
            }
        }
    }
    return 0;
}

int gjb_scene_check(gjb_scene *scene, const char *file, gjb_error *error)
{
    const door d = {scene, file, error};
    if (scene->shapes.dim != 2) {
        return REFUSE(&d, "dim: %" PRIu32 " is not supported, only 2", scene->shapes.dim);
    }
    if (scene->shapes.precision >= GJB_PRECISIONS) {
        return REFUSE(&d, "precision: %" PRIu32 " is none", scene->shapes.precision);
    }
    if (check_text(&d, "name", scene->name, sizeof scene->name) != 0 ||
        check_text(&d, "query", scene->query, sizeof scene->query) != 0 ||
        check_text(&d, "note", scene->note, sizeof scene->note) != 0) {
        return -1;
    }
    if (scene->query[0] != '\0' && gjb_query_find(scene->query) == NULL) {
        return REFUSE(&d, "query: '%s' is no query", scene->query);
    }
    uint64_t pairs = 0;
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        pairs += scene->frames[f].pair_count;
    }
    const struct {
        const char *field;
        uint64_t count;
    } needed[] = {
        {"shapes", scene->shapes.count},
        {"bodies", scene->body_count},
        {"pairs", pairs},
    };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (needed[i].count == 0) {
            return REFUSE(&d, "%s: empty, a scene needs at least one", needed[i].field);
        }
    }
    for (uint32_t i = 0; i < scene->shapes.count; i++) {
        if (check_shape(&d, i) != 0) {
            return -1;
        }
    }
    for (uint32_t b = 0; b < scene->body_count; b++) {
        if (gjb_body_shape(scene, b) >= scene->shapes.count) {
            return REFUSE(&d, "bodies[%" PRIu32 "].shape: %" PRIu32 " is no shape, there are %" PRIu32, b,
                          gjb_body_shape(scene, b), scene->shapes.count);
        }
    }
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        if (check_frame(&d, f) != 0) {
            return -1;
        }
    }
    return 0;
}
