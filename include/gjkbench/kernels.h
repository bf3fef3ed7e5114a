/* The batched kernels as a library: `pkg-config --cflags --libs libgjkbench`. Plain C, and C++.
 *
 * Shapes are prepared once, for one precision and one backend. Then batches of pairs are
 * run on them, at any time and from any number of threads. Shapes, poses, queries and
 * records are those of gjkbench/types.h, which defines frames, normals and witness points;
 * gjb_batch is in gjkbench/batch.h. examples/engine shows it in ten lines.
 *
 * Every backend gives the same bits, whatever the batch size and the number of threads:
 * backends differ in speed only. No environment variable is read, nothing is printed, no
 * global state is changed.
 *
 * A function that fails writes one line to `error`, cut to `error_size` bytes including the
 * terminating NUL. On success it writes "". NULL and 0: no text.
 *
 * The kernels need rounding to nearest and subnormal numbers: on a thread that flushes those
 * to zero (FTZ, DAZ), answers are only nearly right.
 */
#ifndef GJKBENCH_KERNELS_H
#define GJKBENCH_KERNELS_H

#include <gjkbench/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented, with the soname (libgjkbench.so.2), by changes that break older programs. */
#define GJB_KERNELS_ABI 2u

/* Version of the library in use, such as "0.1.0". Static. */
const char *gjb_kernels_version(void);

/* Name of the library's backend i, narrowest first: "scalar", then "sse4", "avx", ... or
 * "neon"; NULL after the last. Static. This CPU may lack what a backend needs. */
const char *gjb_kernels_backend(size_t i);
/* 1 if the library has the backend and this CPU can run it, else 0. Any text, or NULL. */
int gjb_kernels_available(const char *backend);
/* The widest available backend: at least "scalar". Static. */
const char *gjb_kernels_best(void);

/* Prepared shapes. */
typedef struct gjb_kernels gjb_kernels;

/* Prepares shapes in their own precision and dimension. Everything is copied: `shapes`, and what
 * it points to, may be freed afterwards. `backend` is the name of an available one, or NULL for
 * the widest. The caller releases the result.
 *
 * Returns NULL if `shapes` is NULL, the backend is unknown or not available on this CPU, `dim` or
 * `precision` is out of range, an array is NULL (with `count` above 0), a shape has more than
 * GJB_MAX_VERTICES rows, or memory runs out. An invalid shape (a kind that the dimension
 * lacks, too few rows, a number that is not finite, a negative length or radius, an exponent out
 * of range) is not an error here: its pairs are answered GJB_INVALID_INPUT. An empty
 * library (`count` 0) is valid.
 *
 * May be called on any thread, at any time. */
gjb_kernels *gjb_kernels_prepare(const gjb_shapes *shapes, const char *backend, char *error, size_t error_size);
/* Does nothing for NULL. No run may be in progress. */
void gjb_kernels_release(gjb_kernels *kernels);

/* Bytes of workspace that a run on these shapes needs, a multiple of 64, whatever the number
 * of pairs: at least 80 kB in 2D and 130 kB in 3D; 2 MB if a 3D shape is curved, 18 MB if one
 * has GJB_MAX_VERTICES. 0 for NULL. */
size_t gjb_kernels_workspace_size(const gjb_kernels *kernels);

/* Answers all pairs of the batch. Returns 0 with every record written, or -1 with none.
 *
 *   workspace    64-aligned, and of `workspace_size` bytes, at least gjb_kernels_workspace_size(); all zero
 *                before its first run, and not changed between runs. It belongs to these shapes: zero it
 *                to use it with others. One per thread: concurrent runs must not share one.
 *   poses, motions, axes  numbers of the prepared precision, aligned as these are; strides at least a
 *                record's size and multiples of a number's. Doubles passed to shapes in f32 cannot be
 *                distinguished from floats with a larger stride; the answers are then meaningless.
 *   pairs        body indices, which are not checked: a body needs a pose, a shape (body_shape[body],
 *                or its own number) below the library's count, and, with motions, a motion. A body
 *                may be paired with itself.
 *   results      records of query, dimension and precision: gjb_head for GJB_INTERSECT,
 *                gjb_sweep2f ... for GJB_SWEEP, gjb_manifold2f ... for GJB_MANIFOLD, else gjb_result2f ... ;
 *                result_stride at least as large, and both aligned as the record. Bytes between records
 *                are not written.
 *   stats        is added to; zero it first.
 *   motions, axes  may be NULL. Only GJB_SWEEP and GJB_TOI use motions.
 *   margin       only read for GJB_MANIFOLD, GJB_INTERSECT and GJB_DISTANCE: 0 or more, or INFINITY; batch.h says
 *                what it means.
 *   leaving      only read for GJB_TOI: a gjb_leaving. With GJB_LEAVING_IGNORE no body of a pair may turn.
 *
 * An empty batch (pair_count 0) is valid; only its query is checked.
 *
 * Accuracy is that of docs/design.md: booleans are right except within k eps S of touching, values
 * are right to k eps S, with k as `gjkbench list` prints it. A pair with an invalid shape or pose, or
 * a number that is not finite, has status GJB_INVALID_INPUT. A sweep of a shape that is no point or
 * box, has a radius or turns, has GJB_UNSUPPORTED, and so has any query of two half-spaces. All other
 * fields are then +0. Flat shapes, single points and shapes at the same place are answered like any
 * others.
 *
 * Allocates nothing. Any number of threads may run at once, each with its own workspace, results and
 * stats. */
int gjb_kernels_run(const gjb_kernels *kernels, const gjb_batch *batch, size_t workspace_size, char *error,
                    size_t error_size);

/* Answers one pair: the shapes of these numbers, placed by these poses. For engines that ask for pairs one by one; many
 * pairs take less time each as a batch. The answer has the same bits as that of the same pair in any batch.
 *
 * `query` is one of shapes at rest: GJB_INTERSECT, GJB_DISTANCE, GJB_PENETRATION or GJB_SIGNED_DISTANCE. The record is
 * that of gjkbench/types.h: the normal points from A to B, in world axes; points are relative to A's translation, in
 * world axes; lengths are in the unit of shapes and poses. Of GJB_INTERSECT all fields but `head` are +0. Both shapes
 * may be the same. Degenerate shapes, and shapes and poses that are invalid, are answered as in a batch.
 *
 * Returns the status of the record, or GJB_UNWRITTEN if nothing was written, because an argument is NULL, the
 * shapes were prepared in another dimension or precision, the query is not one of these four, a number is not one of a
 * shape, or `workspace` is not 64-aligned. `workspace` is as for gjb_kernels_run(), and may serve both by turns; its
 * size is not checked.
 *
 * Allocates nothing. Any number of threads may call at once, each with its own workspace and result. */
gjb_status gjb_kernels_pair2f(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a, const gjb_pose2f *pose_a,
                              uint32_t shape_b, const gjb_pose2f *pose_b, gjb_result2f *result, void *workspace);
gjb_status gjb_kernels_pair2d(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a, const gjb_pose2d *pose_a,
                              uint32_t shape_b, const gjb_pose2d *pose_b, gjb_result2d *result, void *workspace);
gjb_status gjb_kernels_pair3f(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a, const gjb_pose3f *pose_a,
                              uint32_t shape_b, const gjb_pose3f *pose_b, gjb_result3f *result, void *workspace);
gjb_status gjb_kernels_pair3d(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a, const gjb_pose3d *pose_a,
                              uint32_t shape_b, const gjb_pose3d *pose_b, gjb_result3d *result, void *workspace);

/* The same with a margin, which gjb_kernels_pair2f() and its like have as 0: for GJB_INTERSECT and GJB_DISTANCE what
 * batch.h says of it, while the other two queries ignore it. Here, too, a batch with the same margin gives the same
 * bits. A margin that is negative or no number is one more reason for GJB_UNWRITTEN, where it is read. */
gjb_status gjb_kernels_within2f(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a,
                                const gjb_pose2f *pose_a, uint32_t shape_b, const gjb_pose2f *pose_b,
                                double margin, gjb_result2f *result, void *workspace);
gjb_status gjb_kernels_within2d(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a,
                                const gjb_pose2d *pose_a, uint32_t shape_b, const gjb_pose2d *pose_b,
                                double margin, gjb_result2d *result, void *workspace);
gjb_status gjb_kernels_within3f(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a,
                                const gjb_pose3f *pose_a, uint32_t shape_b, const gjb_pose3f *pose_b,
                                double margin, gjb_result3f *result, void *workspace);
gjb_status gjb_kernels_within3d(const gjb_kernels *kernels, gjb_query query, uint32_t shape_a,
                                const gjb_pose3d *pose_a, uint32_t shape_b, const gjb_pose3d *pose_b,
                                double margin, gjb_result3d *result, void *workspace);

/* The contacts of one pair whose separation is at most `margin`, which is 0 or more, or INFINITY; otherwise the same as
 * gjb_kernels_pair2f() and its like. A margin that is negative or no number is one more reason for GJB_UNWRITTEN. */
gjb_status gjb_kernels_manifold2f(const gjb_kernels *kernels, uint32_t shape_a, const gjb_pose2f *pose_a,
                                  uint32_t shape_b, const gjb_pose2f *pose_b, double margin, gjb_manifold2f *manifold,
                                  void *workspace);
gjb_status gjb_kernels_manifold2d(const gjb_kernels *kernels, uint32_t shape_a, const gjb_pose2d *pose_a,
                                  uint32_t shape_b, const gjb_pose2d *pose_b, double margin, gjb_manifold2d *manifold,
                                  void *workspace);
gjb_status gjb_kernels_manifold3f(const gjb_kernels *kernels, uint32_t shape_a, const gjb_pose3f *pose_a,
                                  uint32_t shape_b, const gjb_pose3f *pose_b, double margin, gjb_manifold3f *manifold,
                                  void *workspace);
gjb_status gjb_kernels_manifold3d(const gjb_kernels *kernels, uint32_t shape_a, const gjb_pose3d *pose_a,
                                  uint32_t shape_b, const gjb_pose3d *pose_b, double margin, gjb_manifold3d *manifold,
                                  void *workspace);

#ifdef __cplusplus
}
#endif
#endif
