/* Fails every memory request in turn: the call reports it, nothing is leaked, and with enough memory the
 * answer is the same as before. The linker redirects requests here (--wrap). */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include <gjkbench/kernels.h>

#include "simd/simd.h"
#include "stepping/step.h"

enum { MOST = 1000, ALL = -1 };

static long granted = ALL; /* requests that are still granted */
static long held;          /* blocks that are not freed yet */

static int grants(void)
{
    if (granted == 0)
        return 0;
    granted -= granted > 0;
    return 1;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void __real_free(void *block);

void *__wrap_malloc(size_t size)
{
    void *block = grants() ? __real_malloc(size) : NULL;
    held += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *block = grants() ? __real_calloc(count, size) : NULL;
    held += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    if (!grants())
        return NULL;
    held += block == NULL;
    return __real_realloc(block, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    if (!grants())
        return 12; /* and *block is unchanged */
    held++;
    return __real_posix_memalign(block, alignment, size);
}

void __wrap_free(void *block)
{
    held -= block != NULL;
    __real_free(block);
}

/* ---- libraries of shapes ---- */

static const uint8_t kinds[] = {GJB_BOX, GJB_POINT, GJB_SEGMENT};
static const uint32_t firsts[] = {0, 1, 2}, counts[] = {1, 1, 2};

static gjb_shapes shapes_of(uint32_t dim, gjb_precision precision)
{
    static const float rows32[12] = {1, 2, 3, 0, 0, 0, 1, 1, 1, 2, 2, 2}, radius32[3] = {0, 1, 0};
    static const double rows64[12] = {1, 2, 3, 0, 0, 0, 1, 1, 1, 2, 2, 2}, radius64[3] = {0, 1, 0};
    const int wide = precision == GJB_F64;
    return (gjb_shapes){.dim = dim,
                        .precision = (uint32_t)precision,
                        .count = 3,
                        .kind = kinds,
                        .first = firsts,
                        .row_count = counts,
                        .radius = wide ? (const void *)radius64 : (const void *)radius32,
                        .rows = wide ? (const void *)rows64 : (const void *)rows32};
}

Test(memory, kernels_are_refused_without)
{
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (int p = 0; p < GJB_PRECISIONS; p++) {
            const gjb_shapes shapes = shapes_of(dim, (gjb_precision)p);
            const long before = held;
            int enough = 0, refused = 0;
            for (; !enough && refused < MOST; refused += !enough) {
                char error[160] = "";
                granted = refused;
                gjb_kernels *kernels = gjb_kernels_prepare(&shapes, "scalar", error, sizeof error);
                granted = ALL;
                enough = kernels != NULL;
                cr_expect_str_eq(error, enough ? "" : "out of memory for 3 shapes");
                gjb_kernels_release(kernels);
                cr_expect_eq(held, before, "%uD, %d requests: %ld blocks left", dim, refused, held - before);
            }
            cr_expect(enough && refused >= 4, "%uD: %d requests refused", dim, refused);
        }
}

/* ---- a step of boxes ---- */

enum { BOXES = 40 };

/* All move towards the middle, so that every pair is due to meet: there are more due pairs, and more hits,
 * than there is room for at first. */
static void crowd(gjb_step_box *boxes, uint32_t dim)
{
    memset(boxes, 0, BOXES * sizeof *boxes);
    for (int i = 0; i < BOXES; i++) {
        boxes[i].inverse_mass = i % 7 ? 1 : 0.25;
        for (uint32_t k = 0; k < dim; k++) {
            const double at = ((i * (int)(5 + 8 * k)) % 41 - 20) * 1.5;
            boxes[i].low[k] = -0.5;
            boxes[i].high[k] = 0.5;
            boxes[i].at[k] = at;
            boxes[i].by[k] = -2 * at;
        }
    }
}

static void expect_same(const gjb_step *got, const gjb_step *want, uint32_t dim)
{
    cr_assert_eq(got->event_count, want->event_count);
    cr_expect_arr_eq(got->boxes, want->boxes, want->count * sizeof *want->boxes, "%uD: boxes", dim);
    cr_expect_arr_eq(got->events, want->events, want->event_count * sizeof *want->events, "%uD: events", dim);
}

Test(memory, a_step_without_says_so)
{
    static gjb_step_box boxes[BOXES];
    for (uint32_t dim = 2; dim <= 3; dim++) {
        const gjb_step_settings settings = {
            .dim = dim, .response = GJB_RESPOND_REFLECT, .restitution = 1, .backend = "scalar"};
        crowd(boxes, dim);
        gjb_step want = gjb_step_boxes(boxes, BOXES, &settings);
        cr_assert(want.status == GJB_STEP_DONE && want.event_count > 64, "status %d, %zu events", want.status,
                  want.event_count);
        const long before = held;
        int enough = 0, refused = 0;
        for (; !enough && refused < MOST; refused += !enough) {
            granted = refused;
            gjb_step got = gjb_step_boxes(boxes, BOXES, &settings);
            granted = ALL;
            enough = got.status != GJB_STEP_NO_MEMORY;
            if (enough) {
                cr_expect_eq(got.status, GJB_STEP_DONE);
                expect_same(&got, &want, dim);
            }
            gjb_step_free(&got);
            cr_expect_eq(held, before, "%uD, %d requests: %ld blocks left", dim, refused, held - before);
        }
        cr_expect(enough && refused >= 30, "%uD: %d requests refused", dim, refused);
        gjb_step_free(&want);
    }
}

Test(memory, boxes_of_a_scene_are_refused_without)
{
    const gjb_scene scene = {.body_count = 3};
    gjb_error error = {0};
    granted = 0;
    gjb_step_box *boxes = gjb_step_of_scene(&scene, "scene.json", &error);
    granted = ALL;
    cr_expect_null(boxes);
    cr_expect_str_eq(error.text, "out of memory for 3 boxes");
}
