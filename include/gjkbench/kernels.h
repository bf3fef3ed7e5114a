/* The batched kernels as a library: `pkg-config --cflags --libs libgjkbench`. Plain C, and C++.
 *
 * Shapes are prepared once, for one precision and one backend; then batches of pairs are
 * run on them, whenever and from as many threads as wanted. Shapes, poses, queries and
 * records are those of gjkbench/types.h, which says what frames, normals and witness points
 * mean; gjb_batch is that of gjkbench/batch.h. examples/engine shows it in ten lines.
 *
 * Every backend gives the same bits, whatever the batch size and the number of threads, so
 * that a choice of backend is one of speed alone. No environment variable is read, nothing
 * is printed, no global state is changed.
 *
 * What a function refuses it says in one line: `error` takes it, cut to `error_size` bytes
 * with the end of string; it is "" if nothing is wrong. NULL and 0: no text.
 *
 * Floats round to nearest, and subnormal numbers are numbers: a thread that flushes them to
 * zero (FTZ, DAZ) gets no more than nearly the right answers while it does.
 */
#ifndef GJKBENCH_KERNELS_H
#define GJKBENCH_KERNELS_H

#include <gjkbench/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts changes that break a program built before, the soname (libgjkbench.so.0) with it. */
#define GJB_KERNELS_ABI 0u

/* Of the library in use, such as "0.1.0". Static. */
const char *gjb_kernels_version(void);

/* Backend i that the library has, narrowest first: "scalar", then "sse4", "avx", ... or
 * "neon"; NULL from the last on. Static. That it is there does not say that this CPU has it. */
const char *gjb_kernels_backend(size_t i);
/* 1: the library has it, and this CPU too; else 0. Any text, or NULL. */
int gjb_kernels_available(const char *backend);
/* The widest that is available: at least "scalar". Static. */
const char *gjb_kernels_best(void);

/* Shapes as the kernels read them. */
typedef struct gjb_kernels gjb_kernels;

/* Shapes in the precision and dimension that they say. All is copied: `shapes`, and what it
 * points to, may go afterwards. `backend` is the name of an available one, or NULL for the
 * widest. The caller's to release.
 *
 * NULL if the backend is unknown or not of this CPU, `dim` is neither 2 nor 3,
 * `precision` is none, an array is NULL (with `count` above 0), a shape has more than
 * GJB_MAX_VERTICES rows, or there is no memory. A shape that is no such thing (a kind that the
 * dimension has not, too few rows, a number that is not finite, a negative length or
 * radius, an exponent out of range) is no error here: pairs with it are answered
 * GJB_INVALID_INPUT. An empty library (`count` 0) is valid.
 *
 * Any thread, at any time. */
gjb_kernels *gjb_kernels_prepare(const gjb_shapes *shapes, const char *backend, char *error, size_t error_size);
/* NULL is nothing to do. No run may be under way. */
void gjb_kernels_release(gjb_kernels *kernels);

/* Bytes of workspace that a run on these shapes takes, a multiple of 64, whatever the number
 * of pairs: from 40 kB in 2D and 300 kB in 3D on; 2 MB where a 3D shape curves, 18 MB where one
 * has GJB_MAX_VERTICES. 0 for NULL. */
size_t gjb_kernels_workspace_size(const gjb_kernels *kernels);

/* Answers all pairs of the batch: 0 and every record is written, or -1 and nothing is.
 *
 *   workspace    64-aligned, and of `workspace_size` bytes, at least gjb_kernels_workspace_size(); all zero
 *                before its first run, and left alone between runs. It goes with these shapes: zero it
 *                to use it with others. One per thread: runs that share one spoil each other.
 *   poses, motions, axes  numbers of the prepared precision, aligned as these are; strides at least a
 *                record's size and multiples of a number's. Doubles given to shapes in f32 cannot be
 *                told from floats that lie apart, and make nonsense.
 *   pairs        body indices, which nobody checks: a body has a pose, a shape (body_shape[body],
 *                or its own number) below the library's count, and, with motions, a motion. A body
 *                may meet itself.
 *   results      records of query, dimension and precision: gjb_head for GJB_INTERSECT,
 *                gjb_sweep2f ... for GJB_SWEEP, else gjb_result2f ... ; result_stride at least as large, and
 *                both aligned as the record. Nothing between records is written.
 *   stats        is added to; zero it first.
 *   motions, axes  may be NULL. GJB_SWEEP and GJB_TOI alone look at motions.
 *
 * An empty batch (pair_count 0) is fine, and needs no more than a query that exists.
 *
 * Answers are right as docs/design.md has it: booleans but for pairs within k eps S of
 * touching, values to k eps S, k as `gjkbench list` shows it. A pair whose shapes or pose are
 * not finite, or no such thing, has status GJB_INVALID_INPUT; a sweep of what is no point or box, has a radius or
 * turns, GJB_UNSUPPORTED; other fields are then +0. Flat shapes, shapes that are one point and shapes in one
 * place are answered as any other.
 *
 * Allocates nothing, but for what qsort of the C library may, in depths of curved shapes. Any number of threads at once, each with its own workspace, results and stats. */
int gjb_kernels_run(const gjb_kernels *kernels, const gjb_batch *batch, size_t workspace_size, char *error,
                    size_t error_size);

#ifdef __cplusplus
}
#endif
#endif
