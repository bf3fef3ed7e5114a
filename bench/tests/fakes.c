/* Fake contenders for tests of measuring: some count calls, some are unable to answer, some end their process. */
#include "bench/tests/fakes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

fake_counts *fake;

__attribute__((constructor)) static void share_counts(void)
{
    fake = mmap(NULL, sizeof *fake, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fake == MAP_FAILED)
        abort();
}

typedef struct prepared {
    const gjb_shapes *shapes;
} prepared;

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    static prepared slots[4096];
    static size_t used;
    (void)backend;
    prepared *p = &slots[used++ % 4096];
    p->shapes = shapes;
    return p;
}

static size_t workspace_size(const void *p)
{
    (void)p;
    return 64;
}

static void release(void *p)
{
    (void)p;
}

/* The answer depends on the pair alone: status by parity, iterations by body. */
static void answer(const gjb_shapes *shapes, const gjb_batch *batch, gjb_status fixed)
{
    size_t size = gjb_result_size(batch->query, (gjb_precision)shapes->precision, shapes->dim);
    for (size_t i = 0; i < batch->pair_count; i++) {
        char *record = (char *)batch->results + i * batch->result_stride;
        uint32_t a = batch->pairs[2 * i], b = batch->pairs[2 * i + 1];
        gjb_head head = {(uint16_t)(fixed ? fixed : (a ^ b) & 2 ? GJB_SEPARATED : GJB_OVERLAPPING), (uint16_t)(a % 5)};
        memset(record, 0, size);
        memcpy(record, &head, sizeof head);
    }
    fake->pairs += batch->pair_count;
    if (++fake->calls == fake->stop_after)
        fake->stop = 1;
}

static void run(const void *p, const gjb_batch *batch)
{
    answer(((const prepared *)p)->shapes, batch, GJB_UNWRITTEN);
}

static void run_unable(const void *p, const gjb_batch *batch)
{
    answer(((const prepared *)p)->shapes, batch, GJB_UNSUPPORTED);
}

static void run_dying(const void *p, const gjb_batch *batch)
{
    (void)p;
    (void)batch;
    abort();
}

/* Not of body 20 before it was called so often. */
static void run_dying_late(const void *p, const gjb_batch *batch)
{
    for (size_t i = 0; i < batch->pair_count && fake->calls >= fake->dies_after; i++)
        if (batch->pairs[2 * i] == 20)
            abort();
    run(p, batch);
}

static int available(const char *backend)
{
    (void)backend;
    return 1;
}

static const char *const backends[] = {"narrow", "middle", "wide", NULL};

#define COMMON                                                                                                      \
    .abi_version = GJB_CONTENDER_ABI, .struct_size = sizeof(gjb_contender), .version = "1", .licence = "MIT",       \
    .note = "", .kinds = GJB_KINDS_2D | GJB_KINDS_3D, .prepare = prepare, .release = release,            \
    .workspace_size = workspace_size

const gjb_contender fake_wide = {
    COMMON, .name = "wide", .dims = 1u << 2 | 1u << 3, .queries = 15, .precisions = 3, .max_vertices = 4096, .ours = 1, .backends = backends,
    .backend_available = available, .run = run,
};
const gjb_contender fake_single = {
    COMMON, .name = "single", .dims = 1u << 2 | 1u << 3, .queries = 7, .precisions = 1, .max_vertices = 16, .run = run,
};
const gjb_contender fake_double = {
    COMMON, .name = "double", .dims = 1u << 2, .queries = 15, .precisions = 2, .max_vertices = 4096, .run = run,
};
const gjb_contender fake_unable = {
    COMMON, .name = "unable", .dims = 1u << 2, .queries = 1, .precisions = 1, .max_vertices = 4096, .run = run_unable,
};

const gjb_contender fake_dying = {
    COMMON, .name = "dying", .dims = 1u << 2, .queries = 1, .precisions = 1, .max_vertices = 4096, .run = run_dying,
};

const gjb_contender fake_dying_late = {
    COMMON, .name = "dying-late", .dims = 1u << 2, .queries = 1, .precisions = 1, .max_vertices = 4096,
    .run = run_dying_late,
};

const gjb_way fake_ways[6] = {
    {&fake_wide, "narrow"}, {&fake_wide, "middle"}, {&fake_wide, "wide"},
    {&fake_single, NULL}, {&fake_double, NULL}, {&fake_unable, NULL},
};
