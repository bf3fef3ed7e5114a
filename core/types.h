/* The words every other room uses: shapes, poses, pairs, queries, results.
 *
 * Frames. A shape lives in its own local frame. A pose takes local to world:
 * world = R(c,s) * local + (x,y) with R = [c -s; s c], exactly as stored.
 * The truth of a pair is the exact image of the exact stored numbers.
 *
 * Result vectors are in world axes, and result points are relative to the
 * translation of A's pose (world point = A's (x,y) + point): a pair far from
 * the origin keeps every digit that its inputs had.
 *
 * sigma is the exact signed distance of a pair: > 0 apart, <= 0 overlapping
 * (shapes are closed), and -sigma is then the penetration depth, the length
 * of the minimum translation vector. The normal always points from A to B:
 * moving B by depth * normal separates. For every query that returns them,
 * witness points satisfy  point_b - point_a = sigma * normal.
 */
#ifndef GJB_CORE_TYPES_H
#define GJB_CORE_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gjb_precision { GJB_F32 = 0, GJB_F64 = 1, GJB_PRECISIONS = 2 } gjb_precision;

/* A shape is a convex core plus a radius >= 0. Rows are vertices as stored:
 * point 1 row, segment 2 rows, polygon 3 rows or more (counter-clockwise,
 * convex; repeated and collinear vertices allowed), box 1 row holding its
 * half extents (hx, hy) >= 0 about the local origin. A polygon that is entirely
 * collinear or a single repeated point is valid too. A shape means the convex
 * hull of its stored vertices: rounding may leave one of them a few eps inside. */
typedef enum gjb_kind { GJB_POINT = 0, GJB_SEGMENT, GJB_POLYGON, GJB_BOX, GJB_KINDS } gjb_kind;
#define GJB_MAX_VERTICES 4096u /* of one shape */

typedef enum gjb_query {
    GJB_INTERSECT = 0,   /* status only */
    GJB_DISTANCE,        /* max(sigma, 0); normal and points where separated */
    GJB_PENETRATION,     /* max(-sigma, 0); normal and points where overlapping */
    GJB_SIGNED_DISTANCE, /* sigma; normal and points always */
    GJB_QUERIES
} gjb_query;

/* Why the method stopped. Fields that a status leaves undefined are +0:
 * all of them for the last three, and those the query does not define
 * (see gjb_query). 0 is what no contender may leave behind. */
typedef enum gjb_status {
    GJB_UNWRITTEN = 0,
    GJB_SEPARATED,
    GJB_OVERLAPPING,
    GJB_ITERATION_LIMIT,
    GJB_INVALID_INPUT,
    GJB_UNSUPPORTED,
    GJB_STATUSES
} gjb_status;

/* Results, one record a pair. `intersect` writes the head alone. */
typedef struct gjb_head {
    uint16_t status; /* gjb_status */
    uint16_t iterations;
} gjb_head;

typedef struct gjb_result2f {
    gjb_head head;
    float value;
    float normal[2];
    float point_a[2];
    float point_b[2];
} gjb_result2f;

typedef struct gjb_result2d {
    gjb_head head;
    uint32_t zero; /* always 0, so that records compare as bytes */
    double value;
    double normal[2];
    double point_a[2];
    double point_b[2];
} gjb_result2d;

/* A shape library in one precision. `rows` is [row][dim] floats or doubles;
 * shape i owns rows first[i] .. first[i] + row_count[i] - 1. */
typedef struct gjb_shapes {
    uint32_t dim;       /* 2 */
    uint32_t precision; /* gjb_precision of rows and radius */
    uint32_t count;
    const uint8_t *kind; /* gjb_kind, [count] */
    const uint32_t *first;
    const uint32_t *row_count;
    const void *radius; /* [count] */
    const void *rows;
} gjb_shapes;

/* 2D poses are stored as {x, y, c, s} in the precision of the scene. */
typedef struct gjb_pose2f { float x, y, c, s; } gjb_pose2f;
typedef struct gjb_pose2d { double x, y, c, s; } gjb_pose2d;

/* One shape of a pair in double, its core expanded to vertices (a box has
 * four, counter-clockwise). `vertices` belongs to whoever filled it. */
typedef struct gjb_body2 {
    gjb_kind kind;
    uint32_t count;
    const double (*vertices)[2];
    double radius;
    gjb_pose2d pose;
} gjb_body2;

typedef struct gjb_pair2 {
    gjb_body2 a, b;
} gjb_pair2;

/* Bytes of one result record: 4 for intersect, else the struct above. */
size_t gjb_result_size(gjb_query query, gjb_precision precision);

/* S of a pair: max |vertex| about the local origin + radius, summed over both
 * shapes, plus the distance of the pose translations. The unit of every
 * tolerance; no point of the Minkowski difference is farther out. */
double gjb_pair_size2(const gjb_pair2 *pair);

/* Unit roundoff: 2^-24 or 2^-53. */
double gjb_epsilon(gjb_precision precision);
/* The largest magnitude of a coordinate, radius or translation in a scene: a
 * 256th of the largest number, so that a pair's size and answers are finite. */
double gjb_largest(gjb_precision precision);
/* 16 times the smallest normal number: rounding is no longer relative to the
 * size of pairs that are smaller, which are held to that of this size. */
double gjb_least_size(gjb_precision precision);

const char *gjb_precision_name(gjb_precision precision); /* "f32", "f64" */
const char *gjb_kind_name(gjb_kind kind);                /* "point", ... */
const char *gjb_status_name(unsigned status);            /* "separated", ... */

#ifdef __cplusplus
}
#endif
#endif
