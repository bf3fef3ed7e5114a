/* Optional helpers that save an adapter most of the writing: an answer in double for
 * a library of either precision, its record, and the loop over a batch.
 * Inline, so that an adapter adds little to the library's time. */
#ifndef GJKBENCH_ADAPTER_H
#define GJKBENCH_ADAPTER_H

#include <math.h>
#include <string.h>

#include <gjkbench/contender.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Conventions of gjkbench/types.h, in 2D with third coordinates 0. `normal` and points
 * are used only if gjb_answer_defined() says so. */
typedef struct gjb_answer {
    gjb_status status;
    unsigned iterations;
    double sigma; /* for sweep and toi: the time */
    double normal[3], point_a[3], point_b[3];
    double last;  /* for sweep, whose only point is point_a */
    unsigned count; /* for manifold: of contacts; sigma and points are not used then */
    gjb_contact3d contact[GJB_CONTACTS_3D]; /* the last field: gjb_answer_all sets none of them */
} gjb_answer;

/* A body's motion in double; all 0 if nothing moves. In 2D x, y, angle, 0, 0, 0. */
static inline void gjb_batch_motion(const gjb_batch *batch, gjb_precision precision, uint32_t dim, uint32_t body,
                                    double motion[6])
{
    const char *from = batch->motions == NULL ? NULL : (const char *)batch->motions + body * batch->motion_stride;
    const size_t count = batch->motions == NULL ? 0 : dim == 2 ? 3 : 6;
    float narrow[6] = {0};
    memset(motion, 0, 6 * sizeof *motion);
    if (count > 0 && precision == GJB_F64)
        memcpy(motion, from, count * sizeof *motion);
    else if (count > 0)
        memcpy(narrow, from, count * sizeof *narrow);
    for (size_t i = 0; i < count && precision == GJB_F32; i++)
        motion[i] = (double)narrow[i];
}

/* 1 if the query defines a value and vectors for the status. */
static inline int gjb_answer_defined(gjb_query query, gjb_status status)
{
    if (query == GJB_TOI || query == GJB_SWEEP)
        return status == GJB_HIT || (query == GJB_SWEEP && status == GJB_OVERLAPPING);
    return (status == GJB_SEPARATED && query != GJB_PENETRATION) ||
           (status == GJB_OVERLAPPING && query != GJB_DISTANCE);
}

/* Writes `count` numbers in the precision of records; returns the bytes. + 0.0 turns -0 into +0, as records promise;
 * a tiny negative number may also round to -0. */
static inline size_t gjb_numbers_write(gjb_precision precision, const double *numbers, size_t count, char *record)
{
    for (size_t i = 0; i < count; i++) {
        const double wide = numbers[i] + 0.0;
        const float narrow = (float)numbers[i] + 0.0f;
        if (precision == GJB_F64)
            memcpy(record + i * sizeof wide, &wide, sizeof wide);
        else
            memcpy(record + i * sizeof narrow, &narrow, sizeof narrow);
    }
    return count * (precision == GJB_F64 ? sizeof(double) : sizeof(float));
}

/* A record of manifold behind its head. Of an answer that is neither apart nor overlapping all of it is 0. */
static inline void gjb_manifold_write(gjb_precision precision, uint32_t dim, const gjb_answer *answer, char *record)
{
    const gjb_contact3d none = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0};
    const double zero[3] = {0, 0, 0};
    const uint32_t most = dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D;
    const int answered = answer->status == GJB_SEPARATED || answer->status == GJB_OVERLAPPING;
    const uint32_t count = !answered ? 0 : answer->count < most ? answer->count : most;
    memcpy(record + sizeof(gjb_head), &count, sizeof count);
    record += sizeof(gjb_head) + sizeof count;
    record += gjb_numbers_write(precision, count > 0 ? answer->normal : zero, dim, record);
    for (uint32_t i = 0; i < most; i++) {
        const gjb_contact3d *contact = i < count ? &answer->contact[i] : &none;
        const uint32_t feature[2] = {contact->feature, 0};
        const size_t feature_size = precision == GJB_F64 ? sizeof feature : sizeof *feature;
        record += gjb_numbers_write(precision, contact->point_a, dim, record);
        record += gjb_numbers_write(precision, contact->point_b, dim, record);
        record += gjb_numbers_write(precision, &contact->separation, 1, record);
        memcpy(record, feature, feature_size);
        record += feature_size;
    }
}

static inline void gjb_answer_write(gjb_query query, gjb_precision precision, uint32_t dim,
                                    const gjb_answer *answer, char *record)
{
    const gjb_head head = {(uint16_t)answer->status,
                           (uint16_t)(answer->iterations < UINT16_MAX ? answer->iterations : UINT16_MAX)};
    memcpy(record, &head, sizeof head);
    if (query == GJB_INTERSECT)
        return;
    if (query == GJB_MANIFOLD) {
        gjb_manifold_write(precision, dim, answer, record);
        return;
    }
    double numbers[1 + 3 * 3] = {0};
    const size_t scalars = query == GJB_SWEEP ? 2 : 1, vectors = query == GJB_SWEEP ? 2 : 3;
    const size_t count = scalars + vectors * (size_t)dim;
    if (gjb_answer_defined(query, answer->status)) {
        const double *const of[3] = {answer->normal, answer->point_a, answer->point_b};
        numbers[0] = query == GJB_PENETRATION ? -answer->sigma : answer->sigma;
        if (scalars == 2)
            numbers[1] = answer->last;
        for (size_t k = 0; k < vectors; k++)
            memcpy(numbers + scalars + k * dim, of[k], dim * sizeof *numbers);
    }
    if (precision == GJB_F64)
        memset(record + sizeof head, 0, sizeof(uint32_t));
    gjb_numbers_write(precision, numbers, count,
                      record + (precision == GJB_F64 ? offsetof(gjb_result3d, value) : offsetof(gjb_result3f, value)));
}

static inline uint32_t gjb_batch_shape(const gjb_batch *batch, uint32_t body)
{
    return batch->body_shape != NULL ? batch->body_shape[body] : body;
}

static inline const void *gjb_batch_pose(const gjb_batch *batch, uint32_t body)
{
    return (const char *)batch->poses + body * batch->pose_stride;
}

/* --- numbers of either precision --------------------------------------------- */

/* `count` floats or doubles as doubles. */
static inline void gjb_numbers_read(gjb_precision precision, const void *from, size_t count, double *to)
{
    const char *at = (const char *)from;
    for (size_t i = 0; i < count; i++) {
        float narrow = 0;
        if (precision == GJB_F64) {
            memcpy(&to[i], at + i * sizeof(double), sizeof(double));
        } else {
            memcpy(&narrow, at + i * sizeof(float), sizeof(float));
            to[i] = (double)narrow;
        }
    }
}

/* Poses that gjkbench hands to a contender lie next to each other, so that their stride says how they are stored. The
 * four functions below take batches of either precision. What they return is exact, or rounded to float. */
static inline void gjb_batch_pose_numbers(const gjb_batch *batch, uint32_t body, size_t count, double *numbers)
{
    const gjb_precision stored = batch->pose_stride == count * sizeof(float) ? GJB_F32 : GJB_F64;
    gjb_numbers_read(stored, gjb_batch_pose(batch, body), count, numbers);
}

static inline gjb_pose2d gjb_batch_pose2d(const gjb_batch *batch, uint32_t body)
{
    double n[4];
    gjb_batch_pose_numbers(batch, body, 4, n);
    const gjb_pose2d pose = {n[0], n[1], n[2], n[3]};
    return pose;
}

static inline gjb_pose3d gjb_batch_pose3d(const gjb_batch *batch, uint32_t body)
{
    double n[7];
    gjb_batch_pose_numbers(batch, body, 7, n);
    const gjb_pose3d pose = {n[0], n[1], n[2], n[3], n[4], n[5], n[6]};
    return pose;
}

static inline gjb_pose2f gjb_batch_pose2f(const gjb_batch *batch, uint32_t body)
{
    const gjb_pose2d p = gjb_batch_pose2d(batch, body);
    const gjb_pose2f pose = {(float)p.x, (float)p.y, (float)p.c, (float)p.s};
    return pose;
}

static inline gjb_pose3f gjb_batch_pose3f(const gjb_batch *batch, uint32_t body)
{
    const gjb_pose3d p = gjb_batch_pose3d(batch, body);
    const gjb_pose3f pose = {(float)p.x, (float)p.y, (float)p.z, (float)p.qx, (float)p.qy, (float)p.qz, (float)p.qw};
    return pose;
}

static inline double gjb_shape_radius(const gjb_shapes *shapes, uint32_t shape)
{
    double radius;
    const size_t size = shapes->precision == GJB_F64 ? sizeof(double) : sizeof(float);
    gjb_numbers_read((gjb_precision)shapes->precision, (const char *)shapes->radius + shape * size, 1, &radius);
    return radius;
}

/* Vertices of a core: its rows, and of a box its corners. Of a curved core or a half-space there are none: 0. */
static inline uint32_t gjb_shape_vertex_count(const gjb_shapes *shapes, uint32_t shape)
{
    const gjb_kind kind = (gjb_kind)shapes->kind[shape];
    if (kind == GJB_BOX || kind == GJB_AABB)
        return shapes->dim == 2 ? 4 : 8;
    return kind < GJB_AABB ? shapes->row_count[shape] : 0;
}

/* The i-th of them in the shape's frame, in 2D with third coordinate 0. In 2D the corners of a box come
 * counter-clockwise. In 3D bit k of i says on which side of axis k a corner is: 1 for the larger coordinate. */
static inline void gjb_shape_vertex(const gjb_shapes *shapes, uint32_t shape, uint32_t i, double v[3])
{
    const gjb_kind kind = (gjb_kind)shapes->kind[shape];
    const int is_box = kind == GJB_BOX || kind == GJB_AABB;
    const uint32_t dim = shapes->dim, row = shapes->first[shape] + (is_box ? 0 : i);
    const uint32_t side = dim == 2 ? i ^ (i >> 1) : i; /* 0, 1, 3, 2 go round */
    const size_t size = dim * (shapes->precision == GJB_F64 ? sizeof(double) : sizeof(float));
    double second[3] = {0, 0, 0};
    v[2] = 0;
    gjb_numbers_read((gjb_precision)shapes->precision, (const char *)shapes->rows + row * size, dim, v);
    if (kind == GJB_AABB)
        gjb_numbers_read((gjb_precision)shapes->precision, (const char *)shapes->rows + (row + 1) * size, dim, second);
    for (uint32_t k = 0; is_box && k < dim; k++) {
        const double other = kind == GJB_AABB ? second[k] : -v[k];
        const int upper = (int)(side >> k & 1);
        v[k] = upper == (v[k] > other) ? v[k] : other;
    }
}

/* Makes the length 1 within rounding, and returns what it was. A vector of length 0 stays as it is. */
static inline double gjb_unit(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 0; i++)
        v[i] /= length;
    return length;
}

/* `answer` is GJB_UNSUPPORTED on entry, with every other field zero but the contacts, of which there are none. */
typedef void (*gjb_answer_pair)(const void *prepared, const gjb_batch *batch, const uint32_t *pair,
                                gjb_answer *answer);

static inline void gjb_answer_all(const void *prepared, const gjb_batch *batch, gjb_precision precision,
                                  uint32_t dim, gjb_answer_pair one)
{
    for (size_t i = 0; i < batch->pair_count; i++) {
        gjb_answer answer;
        memset(&answer, 0, offsetof(gjb_answer, contact)); /* to clear contacts would cost every query time */
        answer.status = GJB_UNSUPPORTED;
        one(prepared, batch, batch->pairs + 2 * i, &answer);
        gjb_answer_write(batch->query, precision, dim, &answer, (char *)batch->results + i * batch->result_stride);
        if (batch->stats != NULL) {
            batch->stats->pairs++;
            batch->stats->iterations[answer.iterations < 31 ? answer.iterations : 31]++;
        }
    }
}

/* Leaves every pair unsupported, for a query that a library lacks. */
static inline void gjb_answer_unsupported(const void *prepared, const gjb_batch *batch, const uint32_t *pair,
                                          gjb_answer *answer)
{
    (void)prepared;
    (void)batch;
    (void)pair;
    (void)answer;
}

/* `workspace_size` of a contender that needs none. */
static inline size_t gjb_no_workspace(const void *prepared)
{
    (void)prepared;
    return 0;
}

/* Both points from the one half way between the surfaces, along a unit normal from A to B. */
static inline void gjb_points_about(const double middle[3], double separation, const double normal[3],
                                    double point_a[3], double point_b[3])
{
    for (int i = 0; i < 3; i++) {
        point_a[i] = middle[i] - 0.5 * separation * normal[i];
        point_b[i] = middle[i] + 0.5 * separation * normal[i];
    }
}

/* Contact points from the point half way between both surfaces, for a library that gives
 * no others. `normal` and `sigma` must be set. */
static inline void gjb_answer_about(gjb_answer *answer, const double middle[3])
{
    gjb_points_about(middle, answer->sigma, answer->normal, answer->point_a, answer->point_b);
}

/* The same for a ball, whose deepest point lies along the normal, whatever position a library
 * gives. `sign` is 1 if the ball is A, -1 if it is B. */
static inline void gjb_answer_from_ball(gjb_answer *answer, double sign, const double centre[3], double radius)
{
    double middle[3];
    for (int i = 0; i < 3; i++)
        middle[i] = centre[i] + sign * (radius + 0.5 * answer->sigma) * answer->normal[i];
    gjb_answer_about(answer, middle);
}

/* One contact more of a manifold; what does not fit is left out. */
static inline void gjb_answer_contact(gjb_answer *answer, const double point_a[3], const double point_b[3],
                                      double separation, uint32_t feature)
{
    if (answer->count == GJB_CONTACTS_3D)
        return;
    gjb_contact3d *contact = &answer->contact[answer->count++];
    memcpy(contact->point_a, point_a, sizeof contact->point_a);
    memcpy(contact->point_b, point_b, sizeof contact->point_b);
    contact->separation = separation;
    contact->feature = feature;
}

/* The same from the point half way between both surfaces. `normal` must be set. */
static inline void gjb_answer_contact_about(gjb_answer *answer, const double middle[3], double separation,
                                            uint32_t feature)
{
    double point_a[3], point_b[3];
    gjb_points_about(middle, separation, answer->normal, point_a, point_b);
    gjb_answer_contact(answer, point_a, point_b, separation, feature);
}

/* --- 3D, in double ----------------------------------------------------------- */

/* A rotation, r[3 * row + column], then a translation. */
typedef struct gjb_placing {
    double r[9], t[3];
} gjb_placing;

/* M(q) / (q.q) of gjkbench/types.h, relative to `origin`. */
static inline gjb_placing gjb_place(const gjb_pose3d *pose, const gjb_pose3d *origin)
{
    const double x = pose->qx, y = pose->qy, z = pose->qz, w = pose->qw;
    const double s = 2 / (x * x + y * y + z * z + w * w);
    const gjb_placing placing = {
        {1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
         s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),
         s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)},
        {pose->x - origin->x, pose->y - origin->y, pose->z - origin->z},
    };
    return placing;
}

static inline void gjb_turn(const double r[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2];
}

static inline void gjb_turn_back(const double r[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = r[i] * v[0] + r[3 + i] * v[1] + r[6 + i] * v[2];
}

/* A point of a shape, placed: relative to the translation of `origin`. */
static inline void gjb_place_point(const gjb_placing *placing, const double v[3], double out[3])
{
    gjb_turn(placing->r, v, out);
    for (int i = 0; i < 3; i++)
        out[i] += placing->t[i];
}

/* The same in 2D: world axes, relative to the translation of `origin`. Third coordinates are 0. */
static inline void gjb_place_point2(const gjb_pose2d *pose, const gjb_pose2d *origin, const double v[3], double out[3])
{
    const double x = v[0], y = v[1];
    out[0] = pose->c * x - pose->s * y + (pose->x - origin->x);
    out[1] = pose->s * x + pose->c * y + (pose->y - origin->y);
    out[2] = 0;
}

#ifdef __cplusplus
}
#endif
#endif
