/* How many random cache lines a second one core can fetch when nothing else
 * is in its way: the roof over any method that visits shapes in random order. */
#ifndef GJB_BENCH_MEMORY_CEILING_H
#define GJB_BENCH_MEMORY_CEILING_H

#include <stddef.h>
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

/* The fewest random lines that a pair of shapes of `rows` vertices of
 * `row_bytes` needs: for each shape its vertices, rounded up to lines, and one
 * line that says where they are. Poses are left out: they come in order; and so
 * are the axes of the batched penetration, as many lines again as vertices. */
double gjb_random_lines_per_pair(uint32_t rows, size_t row_bytes);

#endif
