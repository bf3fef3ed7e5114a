/* Shapes as the kernels read them, built once by `prepare`.
 *
 * A record is x[4q] y[4q] reals for q quads of vertices; as far from it as from
 * every other, nx[4q] ny[4q]: (nx, ny)[i] is a unit axis in whose direction
 * vertex i is extreme, the outward normal of the edge that starts there. Apart,
 * because most queries need no axes, and a cache line fetched beside a needed
 * one costs as much as it. No record straddles more lines than it must. Only
 * corners of the hull are kept, and repeated to fill the quads that the stored
 * vertices take, which changes no answer.
 * Any unit vector is a valid axis to try, so points and segments, which have
 * fewer edges than slots, carry axes that cover the flat directions.
 */
#ifndef GJB_SIMD_LIBRARY_H
#define GJB_SIMD_LIBRARY_H

#include "simd/simd.h"


/* Up to 8 quads (32 vertices) travel in lanes and come in powers of two;
 * larger shapes are scanned in place and padded to a multiple of 4 quads. */
#define LANE_QUADS 8
enum { SIZE_4, SIZE_8, SIZE_16, SIZE_32, SIZE_BIG, SIZES, SHAPE_INVALID = SIZES };

typedef struct gjb_meta_f32 {
    uint32_t offset; /* quads before it: 8 reals each */
    uint16_t quads;
    uint16_t method; /* twice the index into the kernels' sizes, or SHAPE_INVALID; plus 1 with a radius */
    float radius, extent; /* extent: max |vertex| + radius */
} gjb_meta_f32;

typedef struct gjb_meta_f64 {
    uint32_t offset;
    uint16_t quads, method;
    double radius, extent;
} gjb_meta_f64;

typedef struct gjb_library {
    const gjb_backend *backend;
    gjb_precision precision;
    uint32_t count;
    uint32_t max_quads;
    void *meta;    /* gjb_meta_f32 or gjb_meta_f64 [count] */
    void *records; /* 64-aligned reals */
    size_t axes;   /* reals from a record to its axes */
    int far;       /* too large to stay in a core's own cache */
    double (*room)[2]; /* while filling: 3 points a vertex of the largest shape */
} gjb_library;

/* Fill meta and records of a library whose arrays are sized by
 * gjb_library_quads(); one function per precision, from one source. */
void gjb_library_fill_f32(gjb_library *library, const gjb_shapes *shapes);
void gjb_library_fill_f64(gjb_library *library, const gjb_shapes *shapes);

/* Quads that shape i takes; 1 for shapes that cannot be used. */
uint32_t gjb_library_quads(const gjb_shapes *shapes, uint32_t i);

/* Where a shape goes that comes after `offset` quads: not across a cache line
 * where it fits one. */
static inline size_t gjb_library_place(size_t offset, uint32_t quads)
{
    return quads > 1 ? (offset + 1) / 2 * 2 : offset;
}

/* Workspace of one thread: the kernels' context, then vertices for the careful
 * path. The context's size is the same for every backend (simd/tile2.h). */
#define WINDOW 256 /* pairs looked at together: binned, and prefetched */
size_t gjb_context_bytes_f32(void);
size_t gjb_context_bytes_f64(void);

#endif
