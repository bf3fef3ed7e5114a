/* Measures random cache lines and streamed bytes a second, and says how much of either a pair needs. */
#include "bench/machine/memory_ceiling.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/clock.h"
#include "scenes/generate/generate.h"

const size_t gjb_memory_bytes[GJB_MEMORY_ROWS] = {(size_t)1 << 20, (size_t)64 << 20, (size_t)256 << 20};

enum { STREAM_LINES = 0x62656e03, INDICES = 1 << 18, UNROLL = 8 };

static volatile uint64_t sink;

/* Every address is known beforehand, so the core may have as many lines under
 * way as it has room for; the index array itself is read in order. `level` is
 * the cache into which lines are prefetched, 0 for none. */
static inline __attribute__((always_inline)) uint64_t sum_lines(const char *buffer, const uint32_t *index,
                                                                size_t count, size_t ahead, unsigned level)
{
    uint64_t sum[UNROLL] = {0};
    for (size_t i = 0; i < count; i += UNROLL)
        for (size_t j = 0; j < UNROLL; j++) {
            uint64_t word;
            if (level == 1)
                __builtin_prefetch(buffer + (size_t)index[i + j + ahead] * GJB_LINE, 0, 3);
            if (level == 2)
                __builtin_prefetch(buffer + (size_t)index[i + j + ahead] * GJB_LINE, 0, 2);
            memcpy(&word, buffer + (size_t)index[i + j] * GJB_LINE, sizeof word);
            sum[j] += word;
        }
    uint64_t total = 0;
    for (size_t j = 0; j < UNROLL; j++)
        total += sum[j];
    return total;
}

static const struct way {
    size_t ahead;
    unsigned level;
} ways[] = {{0, 0}, {16, 1}, {32, 1}, {64, 1}, {32, 2}, {64, 2}, {256, 2}};

static uint64_t fetch(const char *buffer, const uint32_t *index, const struct way *way)
{
    switch (way->level) {
    case 1: return sum_lines(buffer, index, INDICES, way->ahead, 1);
    case 2: return sum_lines(buffer, index, INDICES, way->ahead, 2);
    default: return sum_lines(buffer, index, INDICES, 0, 0);
    }
}

int gjb_memory_ceiling(size_t bytes, double seconds, gjb_memory_row *row)
{
    enum { WAYS = sizeof ways / sizeof *ways, SLACK = 256 };

    size_t lines = bytes / GJB_LINE;
    uint32_t *index = malloc((INDICES + SLACK) * sizeof *index);
    char *buffer = lines ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (!index || buffer == MAP_FAILED) {
        free(index);
        if (buffer != MAP_FAILED)
            munmap(buffer, bytes);
        return -1;
    }
#ifdef MADV_HUGEPAGE
    madvise(buffer, bytes, MADV_HUGEPAGE); /* as the kernels' shapes are */
#endif
    memset(buffer, 1, bytes); /* else all pages would be the one zero page */

    gjb_random random = gjb_random_make(bytes, STREAM_LINES, 0);
    *row = (gjb_memory_row){.bytes = bytes};
    uint64_t start = gjb_clock_wall(), budget = (uint64_t)(seconds * 1e9);
    for (int round = 0; round < 2 || gjb_clock_wall() - start < budget; round++)
        for (int i = 0; i < WAYS; i++) {
            for (size_t k = 0; k < INDICES + SLACK; k++)
                index[k] = gjb_random_below(&random, (uint32_t)lines);
            uint64_t before = gjb_clock_thread();
            sink = fetch(buffer, index, &ways[i]);
            double ns = (double)(gjb_clock_thread() - before) / INDICES;
            double *best = &row->ns_by_level[ways[i].level];
            if (*best == 0 || ns < *best)
                *best = ns;
            if (row->ns_per_line == 0 || ns < row->ns_per_line)
                row->ns_per_line = ns;
        }
    munmap(buffer, bytes);
    free(index);
    return 0;
}

double gjb_random_lines_per_pair(uint32_t rows, size_t row_bytes)
{
    size_t vertex_lines = (rows * row_bytes + GJB_LINE - 1) / GJB_LINE;
    return 2.0 * (double)(vertex_lines + 1);
}

double gjb_stream_ceiling(size_t read, size_t written, double seconds)
{
    const size_t whole = (read + GJB_LINE - 1) / GJB_LINE * GJB_LINE;
    char *in = aligned_alloc(GJB_LINE, whole + GJB_LINE), *out = malloc(written + 1);
    double best = -1;
    if (in && out) {
        memset(in, 1, whole);
        memset(out, 1, written);
        const uint64_t start = gjb_clock_wall();
        for (int round = 0; round < 2 || (double)(gjb_clock_wall() - start) < 1e9 * seconds; round++) {
            const uint64_t before = gjb_clock_thread();
            uint64_t sum[8] = {0};
            for (size_t at = 0; at < whole; at += GJB_LINE) {
                uint64_t line[8];
                memcpy(line, in + at, sizeof line);
                for (int k = 0; k < 8; k++)
                    sum[k] += line[k];
            }
            sink = sum[0] ^ sum[1] ^ sum[2] ^ sum[3] ^ sum[4] ^ sum[5] ^ sum[6] ^ sum[7];
            if (written)
                memset(out, (int)(sink & 1), written);
            const double ns = (double)(gjb_clock_thread() - before);
            best = best < 0 || ns < best ? ns : best;
        }
    }
    free(in);
    free(out);
    return best;
}

size_t gjb_swept_bytes(uint32_t dim, gjb_precision precision)
{
    return 2 * (gjb_pose_size(precision, dim) + gjb_motion_size(precision, dim) + 2 * sizeof(uint32_t));
}

double gjb_swept_ceiling(uint32_t dim, gjb_precision precision, uint32_t shapes, uint64_t pairs, double seconds)
{
    const size_t box = 2 * dim * (precision == GJB_F32 ? sizeof(float) : sizeof(double));
    const double stream = gjb_stream_ceiling(gjb_swept_bytes(dim, precision) * pairs, 0, seconds);
    gjb_memory_row lines;
    if (stream < 0 || gjb_memory_ceiling(shapes * box + GJB_LINE, seconds, &lines))
        return -1;
    return stream / (double)pairs + 2 * lines.ns_per_line;
}
