/* Reads each pair and writes its record, and does nothing between: the least that any contender has to do, in plain
 * code. All of its answers are wrong. f32 only.
 */
#include <gjkbench/adapter.h>
#include <stdlib.h>

/* In eight sums, so that a compiler may add in registers. */
static float sum(const float *numbers, size_t count)
{
    float sums[8] = {0}, all = 0;
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (size_t k = 0; k < 8; k++)
            sums[k] += numbers[i + k];
    for (; i < count; i++)
        all += numbers[i];
    for (size_t k = 0; k < 8; k++)
        all += sums[k];
    return all;
}

static float read_body(const gjb_shapes *s, const gjb_batch *batch, uint32_t body)
{
    const uint32_t shape = gjb_batch_shape(batch, body);
    const float *rows = (const float *)s->rows + (size_t)s->dim * s->first[shape];
    return sum(gjb_batch_pose(batch, body), s->dim == 2 ? 4 : 7) + (float)s->kind[shape] +
           ((const float *)s->radius)[shape] + sum(rows, (size_t)s->dim * s->row_count[shape]);
}

static void run(const void *prepared, const gjb_batch *batch)
{
    const gjb_shapes *s = prepared;
    const size_t size = batch->query == GJB_INTERSECT ? sizeof(gjb_head)
                        : s->dim == 2                 ? sizeof(gjb_result2f)
                                                      : sizeof(gjb_result3f);
    for (size_t i = 0; i < batch->pair_count; i++) {
        gjb_result3f record = {.head = {GJB_SEPARATED, 1}};
        record.value = read_body(s, batch, batch->pairs[2 * i]) + read_body(s, batch, batch->pairs[2 * i + 1]);
        if (record.value < 0) /* so that no read is left out for intersect */
            record.head.status = GJB_OVERLAPPING;
        memcpy((char *)batch->results + i * batch->result_stride, &record, size);
    }
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    gjb_shapes *kept = malloc(sizeof *kept);
    if (kept != NULL)
        *kept = *shapes;
    return kept;
}

GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size)
{
    static const gjb_contender floor_of_all = {
        .abi_version = GJB_CONTENDER_ABI,
        .struct_size = sizeof(gjb_contender),
        .name = "floor",
        .version = "1",
        .licence = "MIT",
        .note = "reads and writes, and answers nothing",
        .dims = 1u << 2 | 1u << 3,
        .kinds = GJB_KINDS_2D | GJB_KINDS_3D,
        .queries = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_SIGNED_DISTANCE,
        .precisions = 1u << GJB_F32,
        .max_vertices = GJB_NO_VERTEX_LIMIT,
        .prepare = prepare,
        .workspace_size = gjb_no_workspace,
        .run = run,
        .release = free,
    };
    static const gjb_contender *const tables[] = {&floor_of_all, NULL};
    (void)options, (void)error, (void)error_size;
    return tables;
}
