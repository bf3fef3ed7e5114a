/* Shapes, poses, queries and results, in 2D and 3D, as contenders get them.
 * Plain C, and C++.
 *
 * Frames. A shape lives in its own local frame. A pose takes local to world:
 * world = R * local + t. In 2D R = [c -s; s c] and t = (x, y), exactly as
 * stored. In 3D q = (qx, qy, qz, qw), qw the real part, and R = M(q) / (q.q):
 * exactly orthogonal and rational whatever the rounding of q, with
 *        [ w2+x2-y2-z2   2(xy - wz)    2(xz + wy)  ]
 *   M =  [ 2(xy + wz)    w2-x2+y2-z2   2(yz - wx)  ],  q.q = w2+x2+y2+z2.
 *        [ 2(xz - wy)    2(yz + wx)    w2-x2-y2+z2 ]
 * The truth of a pair is the exact image of the exact stored numbers.
 *
 * Result vectors are in world axes, and result points are relative to the
 * translation of A's pose (world point = A's t + point): a pair far from the
 * origin keeps every digit that its inputs had.
 *
 * sigma is the exact signed distance of a pair: > 0 apart, <= 0 overlapping
 * (shapes are closed), and -sigma is then the penetration depth, the length
 * of the minimum translation vector. The normal always points from A to B:
 * moving B by depth * normal separates. Its length is 1 within 4 eps of the
 * record's precision (gjb_unit of gjkbench/adapter.h makes it so): any other
 * is a fault, whatever accuracy is documented. For every query that returns
 * them, witness points satisfy  point_b - point_a = sigma * normal.
 *
 * Motion. A body may move over a step; t in [0, 1] is the fraction of the step that
 * has passed. Its translation is then t0 + t * d. Its rotation is R(t * angle) * R0 in
 * 2D and R(t * w) * R0 in 3D; R(w) rotates by |w| radians about w. Both velocities are
 * constant, in world axes, about the body's local origin. Angles may be many turns.
 * Queries without motion are answered at t = 0.
 */
#ifndef GJKBENCH_TYPES_H
#define GJKBENCH_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gjb_precision { GJB_F32 = 0, GJB_F64 = 1, GJB_PRECISIONS = 2 } gjb_precision;

/* A shape is a convex core plus a radius >= 0. Rows are vertices as stored:
 * point 1 row, segment 2 rows, box 1 row holding its half extents >= 0 about
 * the local origin. In 2D polygon, 3 rows or more (counter-clockwise, convex;
 * repeated and collinear vertices allowed). In 3D triangle, 3 rows, and hull, 4
 * rows or more in any order (repeated, collinear, coplanar and interior
 * vertices allowed). Polygons, triangles and hulls that are flat, on one line
 * or a single repeated point are valid too. A shape means the convex hull of its
 * stored vertices.
 *
 * Curved cores are about the local origin, their axes those of the local frame;
 * lengths are >= 0, and a shape without thickness is valid. Unused numbers of a
 * row are 0. With a, b, c the semi-axes:
 *   ellipse, ellipsoid            1 row, the semi-axes: (x/a)^2 + (y/b)^2 + (z/c)^2 <= 1
 *   superellipse, superellipsoid  2 rows, the semi-axes, then the exponent p first, from 1 to 16:
 *                                 |x/a|^p + |y/b|^p + |z/c|^p <= 1
 *   cylinder                      1 row (r, h, 0): x^2 + y^2 <= r^2, |z| <= h
 *   cone                          1 row (r, h, 0): the hull of the disc of radius r about the z axis
 *                                 at z = -h, and the apex (0, 0, h)
 *
 * A half-space is unbounded. It has 2 rows, an outward normal n, of any length but 0, then the plane's signed distance
 * d from the local origin along n first: n.x <= d |n|, and with a radius r n.x <= (d + r) |n|. In 2D it is a half-plane.
 * Of a pair at most one is a half-space: two are unsupported. It counts as |d| + r of a pair's size. Its depth in a
 * shape is how far the shape goes below the plane, for there is no other way out, and the normal of every answer is
 * that of the plane. */
typedef enum gjb_kind {
    GJB_POINT = 0,
    GJB_SEGMENT,
    GJB_POLYGON, /* 2D */
    GJB_BOX,
    GJB_TRIANGLE, /* 3D */
    GJB_HULL,     /* 3D */
    GJB_AABB,     /* a box by two opposite corners: 2 rows, in any order, about any centre */
    GJB_ELLIPSE,      /* 2D */
    GJB_SUPERELLIPSE, /* 2D */
    GJB_ELLIPSOID,      /* 3D */
    GJB_SUPERELLIPSOID, /* 3D */
    GJB_CYLINDER,       /* 3D */
    GJB_CONE,           /* 3D */
    GJB_HALFSPACE,      /* 2D and 3D */
    GJB_KINDS
} gjb_kind;
#define GJB_MAX_VERTICES 4096u /* of one shape */

/* Bit per kind with vertices in a dimension, without GJB_AABB, which came later and is declared
 * separately. */
#define GJB_KINDS_2D (1u << GJB_POINT | 1u << GJB_SEGMENT | 1u << GJB_POLYGON | 1u << GJB_BOX)
#define GJB_KINDS_3D (1u << GJB_POINT | 1u << GJB_SEGMENT | 1u << GJB_TRIANGLE | 1u << GJB_BOX | 1u << GJB_HULL)
/* The same for curved kinds, which also came later. */
#define GJB_CURVED_2D (1u << GJB_ELLIPSE | 1u << GJB_SUPERELLIPSE)
#define GJB_CURVED_3D (1u << GJB_ELLIPSOID | 1u << GJB_SUPERELLIPSOID | 1u << GJB_CYLINDER | 1u << GJB_CONE)
/* And for what is unbounded, in both dimensions. */
#define GJB_UNBOUNDED (1u << GJB_HALFSPACE)
#define GJB_LEAST_EXPONENT 1.0
#define GJB_LARGEST_EXPONENT 16.0

typedef enum gjb_query {
    GJB_INTERSECT = 0,   /* status only */
    GJB_DISTANCE,        /* max(sigma, 0); normal and points if separated */
    GJB_PENETRATION,     /* max(-sigma, 0); normal and points if overlapping */
    GJB_SIGNED_DISTANCE, /* sigma; normal and points always */
    GJB_SWEEP,           /* first and last contact of two moving boxes that stay unturned */
    GJB_TOI,             /* time of impact: the first t in [0, 1] with sigma(t) <= 0 */
    GJB_MANIFOLD,        /* normal and contact points whose separation is at most the batch's margin */
    GJB_QUERIES
} gjb_query;
#define GJB_QUERY_ROOM 16 /* size of arrays by query; later versions may add queries */

/* Why the method stopped. Fields that a status leaves undefined are +0:
 * all of them for the last three, and those the query does not define
 * (see gjb_query). No contender may leave a record at 0.
 *
 * sweep and toi answer GJB_HIT with the time as value, GJB_OVERLAPPING if the shapes
 * already overlap or touch at t = 0, or GJB_SEPARATED if they stay apart until t = 1.
 * A time is never later than the first contact, and earlier by no more than the shapes
 * take to close the last T (docs/design.md). Normal and points of a hit are those at
 * that time, points relative to A's translation at that time. For shapes that overlap at
 * t = 0, the penetration query gives the minimum translation vector. */
typedef enum gjb_status {
    GJB_UNWRITTEN = 0,
    GJB_SEPARATED,
    GJB_OVERLAPPING,
    GJB_ITERATION_LIMIT,
    GJB_INVALID_INPUT,
    GJB_UNSUPPORTED,
    GJB_HIT, /* for sweep and toi only: apart at t = 0, and in contact later */
    GJB_STATUSES
} gjb_status;

/* Results, one record per pair. `intersect` writes only the head. */
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

typedef struct gjb_result3f {
    gjb_head head;
    float value;
    float normal[3];
    float point_a[3];
    float point_b[3];
} gjb_result3f;

typedef struct gjb_result3d {
    gjb_head head;
    uint32_t zero;
    double value;
    double normal[3];
    double point_a[3];
    double point_b[3];
} gjb_result3d;

/* Records of `sweep`. `value` and `last` are the times of first and last contact within [0, 1];
 * `last` is 1 if the boxes are in contact at t = 1, and never earlier than the truth. The normal is
 * the outward normal of the face of A that is hit: exactly one coordinate is 1 or -1. Of faces hit at
 * the same time it is that of the lowest axis. The point is the centre of the contact region at `value`,
 * relative to A's translation at that time. For boxes that overlap at t = 0 it is the centre of their
 * intersection, and value and normal are +0. If they stay apart, all is +0. */
typedef struct gjb_sweep2f {
    gjb_head head;
    float value, last, normal[2], point[2];
} gjb_sweep2f;

typedef struct gjb_sweep2d {
    gjb_head head;
    uint32_t zero;
    double value, last, normal[2], point[2];
} gjb_sweep2d;

typedef struct gjb_sweep3f {
    gjb_head head;
    float value, last, normal[3], point[3];
} gjb_sweep3f;

typedef struct gjb_sweep3d {
    gjb_head head;
    uint32_t zero;
    double value, last, normal[3], point[3];
} gjb_sweep3d;

/* Records of `manifold` (docs/manifolds.md). `count` contacts, 0 to 2 in 2D and 0 to 4 in 3D, come first; of the
 * others every byte is 0. The normal points from A to B and has length 1; it is +0 if there is no contact. Points
 * are as above, relative to A's translation, and point_b - point_a = separation * normal; a negative separation
 * is an overlap, in the unit of the shapes. The status is GJB_OVERLAPPING if the shapes overlap, and
 * GJB_SEPARATED if they are apart, within the margin or not; with any other status all the rest is 0. Shapes at
 * one place, flat or of a point are answered, too.
 *
 * `feature` says what meets there. It stays the same from call to call as long as the same features of the same
 * two shapes meet, and contacts of one manifold have different ones. Its bits mean nothing else. */
#define GJB_CONTACTS_2D 2u
#define GJB_CONTACTS_3D 4u
typedef struct gjb_contact2f {
    float point_a[2], point_b[2], separation;
    uint32_t feature;
} gjb_contact2f;

typedef struct gjb_contact2d {
    double point_a[2], point_b[2], separation;
    uint32_t feature, zero; /* always 0 */
} gjb_contact2d;

typedef struct gjb_contact3f {
    float point_a[3], point_b[3], separation;
    uint32_t feature;
} gjb_contact3f;

typedef struct gjb_contact3d {
    double point_a[3], point_b[3], separation;
    uint32_t feature, zero;
} gjb_contact3d;

typedef struct gjb_manifold2f {
    gjb_head head;
    uint32_t count;
    float normal[2];
    gjb_contact2f contact[GJB_CONTACTS_2D];
} gjb_manifold2f;

typedef struct gjb_manifold2d {
    gjb_head head;
    uint32_t count;
    double normal[2];
    gjb_contact2d contact[GJB_CONTACTS_2D];
} gjb_manifold2d;

typedef struct gjb_manifold3f {
    gjb_head head;
    uint32_t count;
    float normal[3];
    gjb_contact3f contact[GJB_CONTACTS_3D];
} gjb_manifold3f;

typedef struct gjb_manifold3d {
    gjb_head head;
    uint32_t count;
    double normal[3];
    gjb_contact3d contact[GJB_CONTACTS_3D];
} gjb_manifold3d;

/* A shape library in one precision. `rows` is [row][dim] floats or doubles;
 * shape i owns rows first[i] .. first[i] + row_count[i] - 1. */
typedef struct gjb_shapes {
    uint32_t dim;       /* 2 or 3 */
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

/* 3D poses likewise. |q.q - 1| is at most 4 eps. */
typedef struct gjb_pose3f { float x, y, z, qx, qy, qz, qw; } gjb_pose3f;
typedef struct gjb_pose3d { double x, y, z, qx, qy, qz, qw; } gjb_pose3d;

/* Motion over a step: a displacement, and an angle in radians, in 3D a rotation vector. */
typedef struct gjb_motion2f { float x, y, angle; } gjb_motion2f;
typedef struct gjb_motion2d { double x, y, angle; } gjb_motion2d;
typedef struct gjb_motion3f { float x, y, z, wx, wy, wz; } gjb_motion3f;
typedef struct gjb_motion3d { double x, y, z, wx, wy, wz; } gjb_motion3d;
#define GJB_MOST_RADIANS 1024.0 /* the most that a body may turn in a step */

#ifdef __cplusplus
}
#endif
#endif
