/* Sizes of results and poses, the size S of a pair at rest and in motion, and names of kinds and statuses. */
#include "core/types.h"

#include <math.h>

size_t gjb_result_size(gjb_query query, gjb_precision precision, uint32_t dim)
{
    if (query == GJB_INTERSECT)
        return sizeof(gjb_head);
    if (query == GJB_SWEEP) {
        if (dim == 2)
            return precision == GJB_F32 ? sizeof(gjb_sweep2f) : sizeof(gjb_sweep2d);
        return precision == GJB_F32 ? sizeof(gjb_sweep3f) : sizeof(gjb_sweep3d);
    }
    if (query == GJB_MANIFOLD) {
        if (dim == 2)
            return precision == GJB_F32 ? sizeof(gjb_manifold2f) : sizeof(gjb_manifold2d);
        return precision == GJB_F32 ? sizeof(gjb_manifold3f) : sizeof(gjb_manifold3d);
    }
    if (dim == 2)
        return precision == GJB_F32 ? sizeof(gjb_result2f) : sizeof(gjb_result2d);
    return precision == GJB_F32 ? sizeof(gjb_result3f) : sizeof(gjb_result3d);
}

size_t gjb_pose_size(gjb_precision precision, uint32_t dim)
{
    if (dim == 2)
        return precision == GJB_F32 ? sizeof(gjb_pose2f) : sizeof(gjb_pose2d);
    return precision == GJB_F32 ? sizeof(gjb_pose3f) : sizeof(gjb_pose3d);
}

uint32_t gjb_motion_numbers(uint32_t dim)
{
    return dim == 2 ? 3 : 6;
}

size_t gjb_motion_size(gjb_precision precision, uint32_t dim)
{
    return gjb_motion_numbers(dim) * (precision == GJB_F32 ? sizeof(float) : sizeof(double));
}

uint32_t gjb_box_corners(uint32_t dim)
{
    return 1u << dim;
}

double gjb_box_corner(uint32_t dim, uint32_t i, uint32_t axis)
{
    const uint32_t bits = dim == 2 ? i ^ i >> 1 : i; /* Gray code goes around the square */
    return bits >> axis & 1u ? 1.0 : -1.0;
}

static double length_of(const double *row, uint32_t dim)
{
    return dim == 2 ? hypot(row[0], row[1]) : hypot(hypot(row[0], row[1]), row[2]);
}

double gjb_core_reach(uint32_t dim, gjb_kind kind, const double *rows, uint32_t count)
{
    double largest = 0.0;
    if (gjb_is_unbounded(kind))
        return fabs(rows[dim]);
    if (kind == GJB_CYLINDER || kind == GJB_CONE || (gjb_is_curved(kind) && count > 1 && rows[dim] > 2.0))
        return length_of(rows, dim);
    if (gjb_is_curved(kind)) {
        for (uint32_t axis = 0; axis < dim; axis++)
            largest = fmax(largest, rows[axis]);
        return largest;
    }
    for (uint32_t i = 0; i < count; i++)
        largest = fmax(largest, length_of(rows + (size_t)i * dim, dim));
    return largest;
}

static double reach2(const gjb_body2 *body)
{
    return gjb_core_reach(2, body->kind, *body->vertices, body->count);
}

static double reach3(const gjb_body3 *body)
{
    return gjb_core_reach(3, body->kind, *body->vertices, body->count);
}

double gjb_pair_size2(const gjb_pair2 *pair)
{
    const gjb_body2 *a = &pair->a, *b = &pair->b;
    return reach2(a) + a->radius + reach2(b) + b->radius +
           hypot(b->pose.x - a->pose.x, b->pose.y - a->pose.y);
}

double gjb_pair_size3(const gjb_pair3 *pair)
{
    const gjb_body3 *a = &pair->a, *b = &pair->b;
    return reach3(a) + a->radius + reach3(b) + b->radius +
           hypot(hypot(b->pose.x - a->pose.x, b->pose.y - a->pose.y), b->pose.z - a->pose.z);
}

double gjb_pair_size(const gjb_pair *pair)
{
    return pair->dim == 2 ? gjb_pair_size2(&pair->as.plane) : gjb_pair_size3(&pair->as.space);
}

double gjb_path_size2(const gjb_pair2 *pair)
{
    const gjb_body2 *a = &pair->a, *b = &pair->b;
    const double size = gjb_pair_size2(pair) + hypot(b->motion.x - a->motion.x, b->motion.y - a->motion.y);
    return size + fabs(a->motion.angle) * (gjb_is_unbounded(a->kind) ? size : reach2(a)) +
           fabs(b->motion.angle) * (gjb_is_unbounded(b->kind) ? size : reach2(b));
}

/* A plane turns past the other shape as far as that is away. */
static double turned3(const gjb_body3 *body, double size)
{
    const gjb_motion3d *m = &body->motion;
    return hypot(hypot(m->wx, m->wy), m->wz) * (gjb_is_unbounded(body->kind) ? size : reach3(body));
}

double gjb_path_size3(const gjb_pair3 *pair)
{
    const gjb_motion3d *a = &pair->a.motion, *b = &pair->b.motion;
    const double size = gjb_pair_size3(pair) + hypot(hypot(b->x - a->x, b->y - a->y), b->z - a->z);
    return size + turned3(&pair->a, size) + turned3(&pair->b, size);
}

double gjb_path_size(const gjb_pair *pair)
{
    return pair->dim == 2 ? gjb_path_size2(&pair->as.plane) : gjb_path_size3(&pair->as.space);
}

double gjb_epsilon(gjb_precision precision)
{
    return precision == GJB_F32 ? 0x1p-24 : 0x1p-53;
}

double gjb_largest(gjb_precision precision)
{
    return precision == GJB_F32 ? 0x1p120 : 0x1p1016;
}

double gjb_least_size(gjb_precision precision)
{
    return precision == GJB_F32 ? 0x1p-122 : 0x1p-1018;
}

const char *gjb_precision_name(gjb_precision precision)
{
    return precision == GJB_F32 ? "f32" : "f64";
}

const char *gjb_kind_name(gjb_kind kind)
{
    static const char *const names[GJB_KINDS] = {
        "point", "segment",      "polygon",   "box",            "triangle", "hull", "aabb",
        "ellipse", "superellipse", "ellipsoid", "superellipsoid", "cylinder", "cone", "halfspace",
    };
    return (unsigned)kind < GJB_KINDS ? names[kind] : "unknown";
}

const char *gjb_status_name(unsigned status)
{
    static const char *const names[GJB_STATUSES] = {
        "unwritten", "separated", "overlapping", "iteration-limit", "invalid-input", "unsupported", "hit",
    };
    return status < GJB_STATUSES ? names[status] : "unknown";
}
