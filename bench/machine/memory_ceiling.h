/* How many random cache lines a second one core can fetch when nothing else
 * is in its way: the roof over any method that visits shapes in random order. */
#ifndef GJB_BENCH_MEMORY_CEILING_H
#define GJB_BENCH_MEMORY_CEILING_H

#include <stddef.h>

#include "core/types.h"
#include <stdint.h>

enum { GJB_LINE = 64 };

enum { GJB_MEMORY_LEVELS = 3 };

typedef struct gjb_memory_row {
    size_t bytes;        /* of the buffer, every line as likely as any other */
    /* Best of the runs, thread CPU time: not prefetched, prefetched into the first
     * and into the second level of the cache; and the best of these. */
    double ns_by_level[GJB_MEMORY_LEVELS], ns_per_line;
} gjb_memory_row;

enum { GJB_MEMORY_ROWS = 3 };

/* Buffers of the rows: within reach of caches, the vertices of a million
 * octagons in f32, and four times that. */
extern const size_t gjb_memory_bytes[GJB_MEMORY_ROWS];
enum { GJB_MEMORY_SCENE_ROW = 1 }; /* the one that a million-shape scene compares with */

/* Measures one buffer for about `seconds`. 0, or -1 when memory does not suffice. */
int gjb_memory_ceiling(size_t bytes, double seconds, gjb_memory_row *row);

/* What memory takes, in nanoseconds, to have `read` bytes read in order and `written` bytes written, the
 * best of what is tried in about `seconds`, thread CPU time: no work over arrays as large is done sooner.
 * Negative when memory does not suffice. */
double gjb_stream_ceiling(size_t read, size_t written, double seconds);

/* Bytes that a call has to read, in order, of a pair of boxes in motion, each body in one pair: two poses,
 * motions and indices of shapes, and the pair. Its answer is left out: in calls of the base point's size
 * answers stay in the cache. */
size_t gjb_swept_bytes(uint32_t dim, gjb_precision precision);

/* What memory takes for a pair of them, in nanoseconds: these bytes, and a random line for each of two boxes
 * of a library. Negative when memory does not suffice. */
double gjb_swept_ceiling(uint32_t dim, gjb_precision precision, uint32_t shapes, uint64_t pairs, double seconds);

/* The fewest random lines that a pair of shapes of `rows` vertices of
 * `row_bytes` needs: for each shape its vertices, rounded up to lines, and one
 * line that says where they are. Poses are left out: they come in order; and so
 * are the axes of the batched penetration, as many lines again as vertices. */
double gjb_random_lines_per_pair(uint32_t rows, size_t row_bytes);

#endif
