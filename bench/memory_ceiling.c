#include "bench/memory_ceiling.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/clock.h"
#include "core/generate.h"

const size_t gjb_memory_bytes[GJB_MEMORY_ROWS] = {(size_t)1 << 20, (size_t)64 << 20, (size_t)256 << 20};

enum { STREAM_LINES = 0x62656e03, INDICES = 1 << 18, UNROLL = 8 };

static volatile uint64_t sink;

/* Every address is known beforehand, so the core may have as many lines under
 * way as it has room for; the index array itself is read in order. */
static uint64_t sum_lines(const char *buffer, const uint32_t *index, size_t count, size_t ahead)
{
    uint64_t sum[UNROLL] = {0};
    for (size_t i = 0; i < count; i += UNROLL)
        for (size_t j = 0; j < UNROLL; j++) {
            uint64_t word;
            if (ahead)
                __builtin_prefetch(buffer + (size_t)index[i + j + ahead] * GJB_LINE);
            memcpy(&word, buffer + (size_t)index[i + j] * GJB_LINE, sizeof word);
            sum[j] += word;
        }
    uint64_t total = 0;
    for (size_t j = 0; j < UNROLL; j++)
        total += sum[j];
    return total;
}

int gjb_memory_ceiling(size_t bytes, double seconds, gjb_memory_row *row)
{
    static const uint32_t aheads[] = {0, 16, 32, 64};
    enum { AHEADS = sizeof aheads / sizeof *aheads, SLACK = 64 };

    size_t lines = bytes / GJB_LINE;
    uint32_t *index = malloc((INDICES + SLACK) * sizeof *index);
    char *buffer = lines ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (!index || buffer == MAP_FAILED) {
        free(index);
        if (buffer != MAP_FAILED)
            munmap(buffer, bytes);
        return -1;
    }
    memset(buffer, 1, bytes); /* else all pages would be the one zero page */

    gjb_random random = gjb_random_make(bytes, STREAM_LINES, 0);
    *row = (gjb_memory_row){.bytes = bytes};
    uint64_t start = gjb_clock_wall(), budget = (uint64_t)(seconds * 1e9);
    for (int round = 0; round < 2 || gjb_clock_wall() - start < budget; round++)
        for (int i = 0; i < AHEADS; i++) {
            for (size_t k = 0; k < INDICES + SLACK; k++)
                index[k] = gjb_random_below(&random, (uint32_t)lines);
            uint64_t before = gjb_clock_thread();
            sink = sum_lines(buffer, index, INDICES, aheads[i]);
            double ns = (double)(gjb_clock_thread() - before) / INDICES;
            if (row->ns_per_line == 0 || ns < row->ns_per_line) {
                row->ns_per_line = ns;
                row->ahead = aheads[i];
            }
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
