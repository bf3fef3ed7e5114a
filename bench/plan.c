#include "bench/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/generate.h"
#include "core/query.h"

enum { LEAST_PAIRS = 16384, MOST_SHAPES = 1 << 24, MOST_CALL = 1 << 24, MOST_THREADS = 1024 };

const gjb_point gjb_base_point = {
    .workload = "polygon8", .family = "mixed", .shapes = 4096, .call = 4096, .threads = 1,
    .precision = GJB_F32, .scene_precision = GJB_F32,
};

#define DECADES "16,64,256,1024,4096,16384,65536,262144,1000000"
#define CORNERS "polygon3,polygon4,polygon8,polygon16,polygon32,polygon64,polygon256"
#define CLASSES "far,near,touching,shallow,deep,contained,mixed"
#define KINDS "circle,capsule,box,rounded-box,rounded-polygon8,mixed-kinds"

/* One row a sweep. The base comes first: should time run out, it is there. */
const gjb_sweep gjb_sweeps[] = {
    {"base", GJB_AXIS_NONE, {"-", "-", "-"}, {GJB_WAYS_ALL, GJB_WAYS_ALL, GJB_WAYS_ALL}, 1},
    {"scenes", GJB_AXIS_RECORDED, {"*", "*", "*"}, {GJB_WAYS_WIDEST, GJB_WAYS_ENDS, GJB_WAYS_ALL}, 0},
    {"families", GJB_AXIS_FAMILY, {"far,touching,deep,mixed", CLASSES, CLASSES},
     {GJB_WAYS_ENDS, GJB_WAYS_ENDS, GJB_WAYS_ALL}, 0},
    {"vertices", GJB_AXIS_WORKLOAD, {"polygon4,polygon8,polygon32", CORNERS, CORNERS},
     {GJB_WAYS_ENDS, GJB_WAYS_ENDS, GJB_WAYS_ALL}, 0},
    {"calls", GJB_AXIS_CALL, {"16,256,4096", "1,4,16,64,256,1024,4096,16384,65536", "1,4,16,64,256,1024,4096,16384,65536"},
     {GJB_WAYS_WIDEST, GJB_WAYS_WIDEST, GJB_WAYS_ALL}, 0},
    {"threads", GJB_AXIS_THREADS, {"", "1,all", "1,all"}, {GJB_WAYS_WIDEST, GJB_WAYS_WIDEST, GJB_WAYS_ALL}, 0},
    {"precision", GJB_AXIS_PRECISION, {"f64", "f64", "f64"}, {GJB_WAYS_WIDEST, GJB_WAYS_ALL, GJB_WAYS_ALL}, 1},
    {"kinds", GJB_AXIS_WORKLOAD, {"", KINDS, KINDS}, {GJB_WAYS_WIDEST, GJB_WAYS_WIDEST, GJB_WAYS_ALL}, 0},
    {"shapes", GJB_AXIS_SHAPES, {"64,4096,65536", DECADES, DECADES}, {GJB_WAYS_ALL, GJB_WAYS_ALL, GJB_WAYS_ALL}, 0},
};
const size_t gjb_sweep_count = sizeof gjb_sweeps / sizeof *gjb_sweeps;

const char *gjb_point_name(const gjb_point *point, char name[GJB_POINT_NAME])
{
    char call[24] = "", threads[24] = "";
    if (point->call != gjb_base_point.call)
        snprintf(call, sizeof call, "/call:%u", point->call);
    if (point->threads != gjb_base_point.threads)
        snprintf(threads, sizeof threads, "/threads:%u", point->threads);
    snprintf(name, GJB_POINT_NAME, "2d/%s/%s/%s/shapes:%u%s%s/%s/%s/%s", gjb_queries[point->query].name,
             point->workload, point->family, point->shapes, call, threads, point->way.contender->name,
             point->way.backend ? point->way.backend : "-", gjb_precision_name(point->precision));
    return name;
}

uint64_t gjb_point_pairs(const gjb_point *point)
{
    if (point->recorded) {
        uint64_t pairs = 0;
        for (uint32_t i = 0; i < point->recorded->frame_count; i++)
            pairs += point->recorded->frames[i].pair_count;
        return pairs;
    }
    uint64_t pairs = LEAST_PAIRS;
    if (pairs < point->shapes / 2)
        pairs = point->shapes / 2;
    return pairs < point->call ? point->call : pairs;
}

int gjb_point_same_scene(const gjb_point *a, const gjb_point *b)
{
    return a->recorded == b->recorded && a->shapes == b->shapes && a->scene_precision == b->scene_precision &&
           gjb_point_pairs(a) == gjb_point_pairs(b) && !strcmp(a->workload, b->workload) &&
           !strcmp(a->family, b->family);
}

static int same_point(const gjb_point *a, const gjb_point *b)
{
    return a->query == b->query && a->call == b->call && a->threads == b->threads && a->precision == b->precision &&
           a->shapes == b->shapes && a->way.contender == b->way.contender && a->way.backend == b->way.backend &&
           !strcmp(a->workload, b->workload) && !strcmp(a->family, b->family);
}

/* A point that is there already only learns of one more sweep. */
static int add(gjb_plan *plan, const gjb_point *point)
{
    for (size_t i = 0; i < plan->count; i++)
        if (same_point(&plan->points[i], point)) {
            plan->points[i].sweeps |= point->sweeps;
            return 0;
        }
    if (plan->count == plan->capacity) {
        size_t capacity = plan->capacity ? 2 * plan->capacity : 256;
        gjb_point *points = realloc(plan->points, capacity * sizeof *points);
        if (!points)
            return -1;
        plan->points = points;
        plan->capacity = capacity;
    }
    plan->points[plan->count++] = *point;
    return 0;
}

static int has_way(const gjb_plan_options *options, size_t i, gjb_breadth breadth)
{
    int first = i == 0 || options->ways[i - 1].contender != options->ways[i].contender;
    int last = i + 1 == options->way_count || options->ways[i + 1].contender != options->ways[i].contender;
    return breadth == GJB_WAYS_ALL || last || (first && breadth == GJB_WAYS_ENDS);
}

/* All contenders and queries at one place of the sweep. */
static int add_place(gjb_plan *plan, const gjb_plan_options *options, const gjb_point *place, uint32_t queries,
                     gjb_breadth breadth, int native_only)
{
    uint32_t vertices = gjb_workload_vertices(2, place->workload);
    uint32_t dim = place->recorded ? place->recorded->shapes.dim : 2;
    for (unsigned query = 0; query < GJB_QUERIES; query++) {
        if (!(queries & 1u << query))
            continue;
        for (size_t i = 0; i < options->way_count; i++) {
            const gjb_contender *contender = options->ways[i].contender;
            if (!has_way(options, i, breadth) || !(contender->queries & 1u << query) || vertices > contender->max_vertices ||
                !(contender->dims & 1u << dim))
                continue;
            gjb_point point = *place;
            point.query = (gjb_query)query;
            point.way = options->ways[i];
            if (!(contender->precisions & 1u << point.precision)) {
                if (native_only)
                    continue;
                point.precision = point.precision == GJB_F32 ? GJB_F64 : GJB_F32;
                if (options->precisions && !(options->precisions & 1u << point.precision))
                    continue;
            }
            if (add(plan, &point))
                return -1;
        }
    }
    return 0;
}

/* Sets one factor of a place from its text. */
static int set_factor(gjb_point *place, gjb_axis axis, const char *text, size_t size, const gjb_plan_options *options,
                      gjb_error *error)
{
    char value[48];
    snprintf(value, sizeof value, "%.*s", (int)size, text);
    switch (axis) {
    case GJB_AXIS_SHAPES:
        place->shapes = (uint32_t)strtoul(value, NULL, 10);
        break;
    case GJB_AXIS_CALL:
        place->call = (uint32_t)strtoul(value, NULL, 10);
        break;
    case GJB_AXIS_THREADS:
        place->threads = !strcmp(value, "all") ? options->all_threads : (uint32_t)strtoul(value, NULL, 10);
        break;
    case GJB_AXIS_WORKLOAD:
        if (!gjb_workload_vertices(2, value))
            return gjb_fail(error, "workload '%s': unknown, see 'gjkbench list'", value);
        snprintf(place->workload, sizeof place->workload, "%s", value);
        break;
    case GJB_AXIS_FAMILY:
        if (!gjb_family_find(value))
            return gjb_fail(error, "family '%s': unknown, see 'gjkbench list'", value);
        snprintf(place->family, sizeof place->family, "%s", value);
        break;
    case GJB_AXIS_PRECISION:
        place->precision = place->scene_precision = !strcmp(value, "f64") ? GJB_F64 : GJB_F32;
        break;
    default:
        break;
    }
    return 0;
}

static void set_recording(gjb_point *place, const gjb_recording *recording)
{
    place->recorded = recording->scene;
    place->shapes = recording->scene->shapes.count;
    snprintf(place->workload, sizeof place->workload, "%s", recording->name);
    snprintf(place->family, sizeof place->family, "recorded");
}

enum { USUAL_QUERIES = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION,
       ALL_QUERIES = (1u << GJB_QUERIES) - 1 };

static int add_sweep(gjb_plan *plan, const gjb_plan_options *options, size_t index, gjb_error *error)
{
    const gjb_sweep *sweep = &gjb_sweeps[index];
    const char *values = sweep->values[options->size];
    gjb_breadth breadth = sweep->breadth[options->size];
    uint32_t queries = options->queries ? options->queries : sweep->all_queries ? ALL_QUERIES : USUAL_QUERIES;
    gjb_point base = gjb_base_point;
    if (options->precisions == 1u << GJB_F64)
        base.precision = base.scene_precision = GJB_F64;
    base.sweeps = 1u << index;
    if (!*values)
        return 0;

    if (sweep->axis == GJB_AXIS_RECORDED) {
        for (size_t i = 0; i < options->recording_count; i++) {
            gjb_point place = base;
            set_recording(&place, &options->recordings[i]);
            if (add_place(plan, options, &place, queries, breadth, 0))
                return gjb_fail(error, "out of memory");
        }
        return 0;
    }
    int native_only = sweep->axis == GJB_AXIS_PRECISION;
    for (const char *value = values; *value;) {
        size_t size = strcspn(value, ",");
        gjb_point place = base;
        if (set_factor(&place, sweep->axis, value, size, options, error))
            return -1;
        int wanted = !options->precisions || options->precisions & 1u << place.scene_precision;
        if (wanted && add_place(plan, options, &place, queries, breadth, native_only))
            return gjb_fail(error, "out of memory");
        value += size + (value[size] == ',');
    }
    return 0;
}

static const gjb_recording *find_recording(const gjb_plan_options *options, const char *name)
{
    for (size_t i = 0; i < options->recording_count; i++)
        if (!strcmp(options->recordings[i].name, name))
            return &options->recordings[i];
    return NULL;
}

static int check_numbers(const char *what, const uint32_t *values, size_t count, uint32_t least, uint32_t most,
                         gjb_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] < least || values[i] > most)
            return gjb_fail(error, "--%s %u: must lie in %u to %u", what, values[i], least, most);
    return 0;
}

/* Everything but workload and family, which the caller has set. */
static int add_product_at(gjb_plan *plan, const gjb_plan_options *options, gjb_point place, gjb_error *error)
{
    uint32_t precisions = options->precisions ? options->precisions : 1u << GJB_F32;
    const uint32_t *shapes = options->shapes, *calls = options->calls, *threads = options->threads;
    size_t shape_count = options->shape_count, call_count = options->call_count, thread_count = options->thread_count;
    if (!shape_count || place.recorded)
        shapes = &place.shapes, shape_count = 1;
    if (!call_count)
        calls = &gjb_base_point.call, call_count = 1;
    if (!thread_count)
        threads = &gjb_base_point.threads, thread_count = 1;

    gjb_point at = place;
    for (unsigned precision = 0; precision < GJB_PRECISIONS; precision++)
        for (size_t s = 0; s < shape_count; s++)
            for (size_t c = 0; c < call_count; c++)
                for (size_t t = 0; t < thread_count; t++) {
                    if (!(precisions & 1u << precision))
                        continue;
                    at.precision = at.scene_precision = (gjb_precision)precision;
                    at.shapes = shapes[s];
                    at.call = calls[c];
                    at.threads = threads[t];
                    uint32_t queries = options->queries ? options->queries : ALL_QUERIES;
                    if (add_place(plan, options, &at, queries, GJB_WAYS_ALL, precision == GJB_F64))
                        return gjb_fail(error, "out of memory");
                }
    return 0;
}

static int add_product(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error)
{
    const char *base_workload = gjb_base_point.workload, *base_family = gjb_base_point.family;
    const char *const *workloads = options->workload_count ? options->workloads : &base_workload;
    const char *const *families = options->family_count ? options->families : &base_family;
    size_t workload_count = options->workload_count ? options->workload_count : 1;
    size_t family_count = options->family_count ? options->family_count : 1;

    for (size_t w = 0; w < workload_count; w++) {
        gjb_point place = gjb_base_point;
        const gjb_recording *recording = find_recording(options, workloads[w]);
        if (recording) {
            set_recording(&place, recording);
            if (add_product_at(plan, options, place, error))
                return -1;
            continue;
        }
        for (size_t f = 0; f < family_count; f++)
            if (set_factor(&place, GJB_AXIS_WORKLOAD, workloads[w], strlen(workloads[w]), options, error) ||
                set_factor(&place, GJB_AXIS_FAMILY, families[f], strlen(families[f]), options, error) ||
                add_product_at(plan, options, place, error))
                return -1;
    }
    return 0;
}

int gjb_plan_make(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error)
{
    if (check_numbers("shapes", options->shapes, options->shape_count, 2, MOST_SHAPES, error) ||
        check_numbers("batch", options->calls, options->call_count, 1, MOST_CALL, error) ||
        check_numbers("threads", options->threads, options->thread_count, 1, MOST_THREADS, error))
        return -1;

    int product = options->workload_count || options->family_count || options->shape_count || options->call_count ||
                  options->thread_count;
    if (product && add_product(plan, options, error))
        return -1;
    for (size_t i = 0; !product && i < gjb_sweep_count; i++)
        if (add_sweep(plan, options, i, error))
            return -1;
    if (!plan->count)
        return gjb_fail(error, "nothing to measure: no selected contender supports what is selected");
    return 0;
}

void gjb_plan_free(gjb_plan *plan)
{
    free(plan->points);
    *plan = (gjb_plan){NULL, 0, 0};
}
