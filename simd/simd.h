/* Batched kernels behind one table of backends. */
#ifndef GJB_SIMD_H
#define GJB_SIMD_H

#include <gjkbench/batch.h>

#include "core/types.h"

/* Serves entries of a window that a bin takes (simd/window.h), with a context (simd/context.h): first .. end - 1, or if
 * `idx` is not NULL idx[first] .. idx[end - 1]. */
typedef void gjb_bin(void *context, unsigned bin, const uint16_t *idx, unsigned first, unsigned end);

/* Answers all pairs of a batch, of shapes at rest, one by one. */
typedef void gjb_few(const void *prepared, const gjb_batch *batch);

/* Of pairs first .. first + count - 1 of a batch of manifold lists those that may have contacts, and writes the records
 * of the others. Returns how many are listed. */
typedef unsigned gjb_near(const void *prepared, const gjb_batch *batch, size_t first, unsigned count, size_t *near);

/* Contacts of `count` pairs of a batch of manifold, by their numbers in it, whose signed distances are in records
 * (gjb_result2f ...) one after another; writes their records. */
typedef void gjb_patches(const void *prepared, const gjb_batch *batch, const size_t *pairs, size_t count,
                         const void *signed_distances);

/* One row per backend; a function per entry point, each serving a whole batch. */
typedef struct gjb_backend {
    const char *name;      /* "scalar", "sse4", "avx", "avx2", "avx512vl", "avx512", "neon" */
    uint32_t cpu;          /* features it needs, GJB_CPU_* */
    uint32_t lanes[GJB_PRECISIONS];
    void (*run[4][GJB_PRECISIONS])(const void *prepared, const gjb_batch *batch); /* [dim] */
    void (*sweep[4][GJB_PRECISIONS])(const void *prepared, const gjb_batch *batch);
    gjb_bin *bin[4][GJB_PRECISIONS];
    gjb_patches *patches[4][GJB_PRECISIONS];
    gjb_near *near[4][GJB_PRECISIONS];
} gjb_backend;

extern const gjb_backend *const gjb_backends[];
extern const size_t gjb_backend_count;

const gjb_backend *gjb_backend_find(const char *name); /* NULL: unknown here */
int gjb_backend_available(const char *name);           /* built in and this CPU has it */
/* The widest that this CPU has. */
const gjb_backend *gjb_backend_best(void);

/* Functions for the contender rows of the batched kernels. */
void *gjb_simd_prepare(const gjb_shapes *shapes, const char *backend);
size_t gjb_simd_workspace_size(const void *prepared);
void gjb_simd_run(const void *prepared, const gjb_batch *batch);
void gjb_simd_release(void *prepared);

#endif
