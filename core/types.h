/* Types that every folder uses, in addition to the public ones: pairs, sizes, names. */
#ifndef GJB_CORE_TYPES_H
#define GJB_CORE_TYPES_H

#include <gjkbench/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Is the core no polytope? */
static inline int gjb_is_curved(unsigned kind)
{
    return kind < GJB_KINDS && ((GJB_CURVED_2D | GJB_CURVED_3D) >> kind & 1u);
}

static inline int gjb_is_unbounded(unsigned kind)
{
    return kind < GJB_KINDS && (GJB_UNBOUNDED >> kind & 1u);
}

/* One shape of a pair in double, its core expanded to vertices (a box has
 * four, counter-clockwise); those of a curved kind or a half-space are its rows, as stored.
 * The code that fills `vertices` owns them. */
typedef struct gjb_body2 {
    gjb_kind kind;
    uint32_t count;
    const double (*vertices)[2];
    double radius;
    gjb_pose2d pose;
    gjb_motion2d motion; /* 0 if nothing moves */
} gjb_body2;

typedef struct gjb_pair2 {
    gjb_body2 a, b;
} gjb_pair2;

/* The same in 3D: a box has eight vertices, in the order of gjb_box_corner. */
typedef struct gjb_body3 {
    gjb_kind kind;
    uint32_t count;
    const double (*vertices)[3];
    double radius;
    gjb_pose3d pose;
    gjb_motion3d motion;
} gjb_body3;

typedef struct gjb_pair3 {
    gjb_body3 a, b;
} gjb_pair3;

/* A pair of either dimension. */
typedef struct gjb_pair {
    uint32_t dim;
    double margin; /* of manifold: contacts are wanted up to this separation */
    double within; /* > 0: of intersect, the distance that counts as overlap; of distance, the most that matters */
    uint32_t leaving; /* of toi: a gjb_leaving */
    union {
        gjb_pair2 plane;
        gjb_pair3 space;
    } as;
} gjb_pair;

/* Queries before it are about shapes at rest and answered by one pair of points; manifold, which came later, is about
 * shapes at rest, too. */
#define GJB_STILL_QUERIES GJB_SWEEP
#define GJB_AT_REST_QUERIES (((1u << GJB_STILL_QUERIES) - 1) | 1u << GJB_MANIFOLD)

/* Is a shape of the pair curved? */
static inline int gjb_pair_curved(const gjb_pair *pair)
{
    return pair->dim == 2 ? gjb_is_curved(pair->as.plane.a.kind) || gjb_is_curved(pair->as.plane.b.kind)
                          : gjb_is_curved(pair->as.space.a.kind) || gjb_is_curved(pair->as.space.b.kind);
}

/* How many of both shapes are half-spaces. No contender answers a pair of two. */
static inline int gjb_pair_unbounded(const gjb_pair *pair)
{
    return pair->dim == 2 ? gjb_is_unbounded(pair->as.plane.a.kind) + gjb_is_unbounded(pair->as.plane.b.kind)
                          : gjb_is_unbounded(pair->as.space.a.kind) + gjb_is_unbounded(pair->as.space.b.kind);
}

/* Bytes of one result record: 4 for intersect, else the query's struct. */
size_t gjb_result_size(gjb_query query, gjb_precision precision, uint32_t dim);
/* Bytes of one pose. */
size_t gjb_pose_size(gjb_precision precision, uint32_t dim);
/* Bytes of one motion, and numbers in it: 3 or 6. */
size_t gjb_motion_size(gjb_precision precision, uint32_t dim);
uint32_t gjb_motion_numbers(uint32_t dim);
/* Corners of a box: 4 or 8. */
uint32_t gjb_box_corners(uint32_t dim);
/* Sign, -1 or 1, of corner i along an axis. Counter-clockwise in 2D; in 3D bit
 * `axis` of i says +. */
double gjb_box_corner(uint32_t dim, uint32_t i, uint32_t axis);

/* Largest distance of a core from its local origin, of any kind; `rows` as stored, or
 * expanded. Of superellipses and superellipsoids with p > 2 the length of the diagonal of
 * their box, which is at most sqrt(dim) too much. Of a half-space that of its plane. */
double gjb_core_reach(uint32_t dim, gjb_kind kind, const double *rows, uint32_t count);
/* S of a pair: max |vertex| about the local origin (gjb_core_reach) + radius, summed over both
 * shapes, plus the distance of the pose translations. The unit of every
 * tolerance; no point of the Minkowski difference is farther out, but of a half-space, which has no end. */
double gjb_pair_size2(const gjb_pair2 *pair);
double gjb_pair_size3(const gjb_pair3 *pair);
double gjb_pair_size(const gjb_pair *pair);
/* S of a pair in motion: the above, plus the paths of the step: the distance between
 * both displacements, and for each body its angle times max |vertex|; for a half-space its angle times all that comes
 * before, for so far away its plane may turn past the other shape. */
double gjb_path_size2(const gjb_pair2 *pair);
double gjb_path_size3(const gjb_pair3 *pair);
double gjb_path_size(const gjb_pair *pair);

/* Unit roundoff: 2^-24 or 2^-53. */
double gjb_epsilon(gjb_precision precision);
/* The largest magnitude of a coordinate, radius or translation in a scene: a
 * 256th of the largest number, so that a pair's size and answers are finite. */
double gjb_largest(gjb_precision precision);
/* A margin, or a `within`, is a double in every scene, and at most the largest length of f32: so what is asked of a
 * scene in f64 can be asked of it in f32. */
#define GJB_MOST_MARGIN 0x1p120
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
