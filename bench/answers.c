/* Answers of one contender at a point of a plan: the scene, its chunks, counts of statuses, and a fingerprint. */
#include "bench/answers.h"

#include <string.h>

#include "core/query.h"
#include "scenes/generate/generate.h"
#include "scenes/hash.h"

enum {
    CHUNK = 4096
}; /* records hashed at a time, so that the fingerprint does not depend on the call size */

const gjb_scene *gjb_bench_case_scene(const gjb_bench_case *point, const gjb_shapes *library, uint64_t seed,
                                 gjb_scene **owned, gjb_error *error)
{
    *owned = NULL;
    if (!point->recorded) {
        const gjb_recipe recipe = {
            .workload = point->workload,
            .family = point->family,
            .seed = seed,
            .dim = point->dim,
            .library = library,
            .precision = point->scene_precision,
            .pairs = gjb_bench_case_pairs(point),
            .shapes = point->shapes,
            .margin = point->margin,
            .within = point->within,
            .leaving = point->leaving,
        };
        return *owned = gjb_generate(&recipe, error);
    }
    if (point->recorded->shapes.precision == (uint32_t)point->scene_precision)
        return point->recorded;
    *owned = gjb_scene_convert(point->recorded, point->scene_precision);
    if (!*owned)
        gjb_fail(error, "%s: out of memory", point->workload);
    else
        gjb_scene_make_unit(*owned);
    return *owned;
}

int gjb_bench_asks_margin(const gjb_bench_case *point)
{
    const gjb_query_row *row = &gjb_queries[point->query];
    return row->has_patch || (row->has_within && point->within > 0) || (row->has_leaving && point->leaving);
}

uint64_t gjb_bench_span(const gjb_bench_case *point)
{
    return (point->call + CHUNK - 1) / CHUNK * (uint64_t)CHUNK;
}

size_t gjb_bench_result_bytes(const gjb_bench_case *point)
{
    uint64_t records = gjb_bench_span(point);
    if (point->threads > 1 && records < GJB_THREADED_PAIRS)
        records = GJB_THREADED_PAIRS;
    return (records * gjb_result_size(point->query, point->precision, 3) + 63) / 64 * 64;
}

int gjb_bench_lost(const gjb_session_stats *stats)
{
    return stats->crashed || stats->hung || stats->unasked;
}

/* Counts statuses and iterations; returns how many were "unsupported". */
static uint64_t read_heads(gjb_measurement *row, const char *results, size_t size, uint64_t count)
{
    uint64_t unsupported = 0;
    for (uint64_t i = 0; i < count; i++) {
        gjb_head head;
        memcpy(&head, results + i * size, sizeof head);
        unsupported += head.status == GJB_UNSUPPORTED;
        row->capped += head.status == GJB_ITERATION_LIMIT;
        row->iterations[head.iterations < GJB_ITERATION_BINS ? head.iterations : GJB_ITERATION_BINS - 1]++;
        row->mean_iterations += head.iterations;
    }
    return unsupported;
}

/* Pairs of one frame, chunk by chunk. Returns how many were unsupported. */
static uint64_t answer_frame(gjb_measurement *row, gjb_session *session, const gjb_scene *scene,
                             uint32_t frame, uint64_t limit, char *results)
{
    const gjb_bench_case *point = &row->point;
    const size_t size = gjb_result_size(point->query, point->precision, scene->shapes.dim);
    uint64_t count = scene->frames[frame].pair_count, unsupported = 0, span = gjb_bench_span(point);
    if (count > limit)
        count = limit;

    for (uint64_t first = 0; first < count && !gjb_bench_lost(&row->stats); first += span) {
        const uint64_t part = count - first < span ? count - first : span;
        gjb_session_stats stats = {0};
        row->unwritten +=
            gjb_session_run(session, point->query, frame, first, part, point->call, 1, results, &stats);
        gjb_session_stats_add(&row->stats, &stats);
        unsupported += read_heads(row, results, size, part);
        for (uint64_t at = 0; at < part; at += CHUNK) {
            const uint64_t some = part - at < CHUNK ? part - at : CHUNK;
            row->fingerprint = gjb_fingerprint(results + at * size, some, size, size, row->fingerprint);
        }
        row->answered += part;
    }
    return unsupported;
}

uint64_t gjb_bench_answer(gjb_measurement *row, gjb_session *session, const gjb_scene *scene, void *results)
{
    const uint64_t limit = gjb_bench_case_answers(&row->point);
    uint64_t unsupported = 0;
    for (uint32_t frame = 0; frame < scene->frame_count && row->answered < limit; frame++)
        unsupported += answer_frame(row, session, scene, frame, limit - row->answered, results);
    row->mean_iterations /= row->answered ? (double)row->answered : 1;
    return unsupported;
}
