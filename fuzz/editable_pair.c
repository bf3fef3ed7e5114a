/* Converts pairs between scenes and plain numbers: rounded to storage, turned, measured, moved on. */
#include "fuzz/editable_pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"

static double number_at(const void *values, uint32_t precision, uint64_t i)
{
    return precision == GJB_F32 ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

void gjb_edit_load(gjb_edit *edit, const gjb_scene *scene, uint32_t frame, uint64_t index)
{
    const gjb_shapes *shapes = &scene->shapes;
    edit->dim = shapes->dim;
    edit->precision = (gjb_precision)shapes->precision;
    edit->margin = scene->margin;
    edit->within = scene->within;
    edit->leaving = scene->leaving;
    edit->moving = scene->frames[frame].motions != NULL;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t who = scene->frames[frame].pairs[2 * index + i];
        const uint32_t shape = scene->body_shape ? scene->body_shape[who] : who;
        gjb_edit_body *b = &edit->body[i];
        b->kind = (gjb_kind)shapes->kind[shape];
        b->count = shapes->row_count[shape];
        b->radius = number_at(shapes->radius, shapes->precision, shape);
        for (uint32_t v = 0; v < b->count; v++)
            for (uint32_t k = 0; k < 3; k++)
                b->rows[v][k] = k < edit->dim
                                    ? number_at(shapes->rows, shapes->precision,
                                                (uint64_t)edit->dim * (shapes->first[shape] + v) + k)
                                    : 0;
        memset(b->place, 0, sizeof b->place);
        memset(b->turn, 0, sizeof b->turn);
        if (edit->dim == 2) {
            const gjb_pose2d p = gjb_scene_pose(scene, frame, who);
            memcpy(b->place, (double[]){p.x, p.y}, 2 * sizeof(double));
            memcpy(b->turn, (double[]){p.c, p.s}, 2 * sizeof(double));
        } else {
            const gjb_pose3d p = gjb_scene_pose3(scene, frame, who);
            memcpy(b->place, (double[]){p.x, p.y, p.z}, 3 * sizeof(double));
            memcpy(b->turn, (double[]){p.qx, p.qy, p.qz, p.qw}, 4 * sizeof(double));
        }
        memset(b->motion, 0, sizeof b->motion);
        gjb_scene_motion(scene, frame, who, b->motion);
    }
}

static void copy_body(gjb_edit_body *to, const gjb_edit_body *from)
{
    memcpy(to, from, offsetof(gjb_edit_body, rows));
    memcpy(to->rows, from->rows, from->count * sizeof from->rows[0]);
}

void gjb_edit_copy(gjb_edit *to, const gjb_edit *from)
{
    to->dim = from->dim;
    to->precision = from->precision;
    to->margin = from->margin;
    to->within = from->within;
    to->leaving = from->leaving;
    to->moving = from->moving;
    for (int i = 0; i < 2; i++)
        copy_body(&to->body[i], &from->body[i]);
}

int gjb_edit_equal(const gjb_edit *a, const gjb_edit *b)
{
    int same = a->dim == b->dim && a->precision == b->precision && a->margin == b->margin &&
               a->within == b->within && a->leaving == b->leaving && a->moving == b->moving;
    for (int i = 0; i < 2 && same; i++) {
        const gjb_edit_body *p = &a->body[i], *q = &b->body[i];
        same = p->kind == q->kind && p->count == q->count && p->radius == q->radius &&
               !memcmp(p->place, q->place, sizeof p->place) && !memcmp(p->turn, q->turn, sizeof p->turn) &&
               (!a->moving || !memcmp(p->motion, q->motion, sizeof p->motion)) &&
               !memcmp(p->rows, q->rows, p->count * sizeof p->rows[0]);
    }
    return same;
}

/* As it will be stored, and no -0, which would make two files of one pair. */
static double plain(gjb_precision precision, double value)
{
    return gjb_rounded(precision, value) + 0.0;
}

int gjb_edit_put(const gjb_edit *edit, gjb_scene *scene, uint64_t index, uint32_t first)
{
    const uint32_t dim = edit->dim;
    double *rows = malloc((size_t)GJB_MAX_VERTICES * 3 * sizeof *rows);
    int failed = !rows;
    for (uint32_t i = 0; i < 2 && !failed; i++) {
        const gjb_edit_body *b = &edit->body[i];
        const uint32_t who = (uint32_t)(2 * index) + i;
        double at[3], motion[6];
        for (uint32_t k = 0; k < 3; k++)
            at[k] = plain(edit->precision, b->place[k]);
        for (uint32_t k = 0; k < 6; k++)
            motion[k] = plain(edit->precision, b->motion[k]);
        for (uint32_t v = 0; v < b->count; v++)
            for (uint32_t k = 0; k < dim; k++)
                rows[(size_t)dim * v + k] = plain(edit->precision, b->rows[v][k]);
        gjb_scene_set_shape(scene, who, b->kind, first, b->count, rows, plain(edit->precision, b->radius));
        first += b->count;
        const double *q = b->turn;
        if (dim == 2)
            gjb_scene_set_pose(scene, 0, who, (gjb_pose2d){at[0], at[1], q[0], q[1]});
        else
            gjb_scene_set_pose3(scene, 0, who, (gjb_pose3d){at[0], at[1], at[2], q[0], q[1], q[2], q[3]});
        scene->frames[0].pairs[2 * index + i] = who;
        failed = edit->moving && gjb_scene_set_motion(scene, 0, who, motion);
    }
    free(rows);
    return failed ? -1 : 0;
}

gjb_scene *gjb_edit_scene(const gjb_edit *edit, gjb_error *error)
{
    const uint64_t rows = (uint64_t)edit->body[0].count + edit->body[1].count;
    gjb_scene *scene = gjb_scene_new(edit->dim, edit->precision, 2, rows, 2, 1);
    const int failed = !scene || gjb_edit_put(edit, scene, 0, 0);
    if (failed)
        gjb_fail(error, "pair: out of memory");
    if (!failed) {
        scene->margin = edit->margin;
        scene->within = edit->within;
        scene->leaving = edit->leaving;
    }
    if (failed || gjb_scene_check(scene, "pair", error)) {
        gjb_scene_free(scene);
        return NULL;
    }
    return scene;
}

int gjb_edit_settle(gjb_edit *edit)
{
    gjb_scene *scene = gjb_edit_scene(edit, NULL);
    if (!scene)
        return -1;
    const int moving = edit->moving;
    gjb_edit_load(edit, scene, 0, 0);
    edit->moving = moving;
    gjb_scene_free(scene);
    return 0;
}

void gjb_edit_square(gjb_edit *edit)
{
    static const double none[3][4] = {{0}, {1, 0, 0, 0}, {0, 0, 0, 1}};
    for (uint32_t i = 0; i < 2; i++) {
        gjb_edit_body *b = &edit->body[i];
        if (b->kind != GJB_POINT && b->kind != GJB_BOX && b->kind != GJB_AABB) {
            double low[3] = {0}, high[3] = {0};
            for (uint32_t v = 0; v < b->count; v++)
                for (uint32_t k = 0; k < 3; k++) {
                    low[k] = v && low[k] < b->rows[v][k] ? low[k] : b->rows[v][k];
                    high[k] = v && high[k] > b->rows[v][k] ? high[k] : b->rows[v][k];
                }
            b->kind = GJB_AABB;
            b->count = 2;
            memcpy(b->rows[0], low, sizeof low);
            memcpy(b->rows[1], high, sizeof high);
        }
        b->radius = 0;
        memcpy(b->turn, none[edit->dim - 1], sizeof b->turn);
        memset(b->motion + edit->dim, 0, (gjb_motion_numbers(edit->dim) - edit->dim) * sizeof(double));
    }
}

uint32_t gjb_edit_corners(const gjb_edit *edit, uint32_t which, double (*out)[3])
{
    const gjb_edit_body *b = &edit->body[which];
    if (b->kind == GJB_BOX || b->kind == GJB_AABB) {
        const uint32_t count = gjb_box_corners(edit->dim);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < 3; k++) {
                const double side = k < edit->dim ? gjb_box_corner(edit->dim, i, k) : 0;
                out[i][k] = b->kind == GJB_BOX ? side * b->rows[0][k]
                            : side < 0         ? fmin(b->rows[0][k], b->rows[1][k])
                                               : fmax(b->rows[0][k], b->rows[1][k]);
            }
        return count;
    }
    if (!gjb_is_curved(b->kind)) {
        memcpy(out, b->rows, b->count * sizeof out[0]);
        return b->count;
    }
    double axes[3] = {b->rows[0][0], b->rows[0][1], b->rows[0][2]};
    if (b->kind == GJB_CYLINDER || b->kind == GJB_CONE) {
        axes[2] = axes[1];
        axes[1] = axes[0];
    }
    uint32_t count = 0;
    for (int side = 1; side >= -1; side -= 2) /* counter-clockwise in 2D */
        for (uint32_t k = 0; k < edit->dim; k++, count++) {
            memset(out[count], 0, sizeof out[count]);
            out[count][k] = side * axes[k];
        }
    return count;
}

static void apply_turn(const gjb_edit *edit, uint32_t which, double back, const double in[3], double out[3])
{
    const double *q = edit->body[which].turn;
    if (edit->dim == 2) {
        const double c = q[0], s = back * q[1], x = in[0], y = in[1];
        out[0] = c * x - s * y;
        out[1] = s * x + c * y;
        out[2] = 0;
        return;
    }
    const double x = back * q[0], y = back * q[1], z = back * q[2], w = q[3], a[3] = {in[0], in[1], in[2]};
    const double m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), w * w + y * y - x * x - z * z, 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), w * w + z * z - x * x - y * y}};
    const double square = x * x + y * y + z * z + w * w;
    for (int k = 0; k < 3; k++)
        out[k] = (m[k][0] * a[0] + m[k][1] * a[1] + m[k][2] * a[2]) / square;
}

void gjb_edit_turn(const gjb_edit *edit, uint32_t which, const double in[3], double out[3])
{
    apply_turn(edit, which, 1, in, out);
}

void gjb_edit_unturn(const gjb_edit *edit, uint32_t which, const double in[3], double out[3])
{
    apply_turn(edit, which, -1, in, out);
}

double gjb_edit_reach(const gjb_edit *edit, uint32_t which)
{
    double packed[2 * 3];
    const gjb_edit_body *b = &edit->body[which];
    if (gjb_is_curved(b->kind) || gjb_is_unbounded(b->kind)) {
        for (uint32_t v = 0; v < b->count; v++)
            memcpy(packed + (size_t)edit->dim * v, b->rows[v], edit->dim * sizeof(double));
        return gjb_core_reach(edit->dim, b->kind, packed, b->count) + b->radius;
    }
    double most = 0;
    for (uint32_t v = 0; v < b->count; v++)
        most = fmax(most, hypot(hypot(b->rows[v][0], b->rows[v][1]), b->rows[v][2]));
    if (b->kind == GJB_AABB)
        most = fmax(most, hypot(hypot(fmax(fabs(b->rows[0][0]), fabs(b->rows[1][0])),
                                      fmax(fabs(b->rows[0][1]), fabs(b->rows[1][1]))),
                                fmax(fabs(b->rows[0][2]), fabs(b->rows[1][2]))));
    return most + b->radius;
}

double gjb_edit_size(const gjb_edit *edit)
{
    const double *a = edit->body[0].place, *b = edit->body[1].place;
    return gjb_edit_reach(edit, 0) + gjb_edit_reach(edit, 1) +
           hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
}

double gjb_edit_step(gjb_precision precision, double value, int steps)
{
    for (int i = 0; i < abs(steps); i++) {
        const double towards = steps > 0 ? INFINITY : -INFINITY;
        value = precision == GJB_F32 ? (double)nextafterf((float)value, (float)towards)
                                     : nextafter(value, towards);
    }
    return value;
}
