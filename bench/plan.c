/* Makes a list of points from sweeps, maps and products of factors: names, sizes, and points that share a scene. */
#include "bench/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"
#include "scenes/generate/generate.h"

enum {
    LEAST_PAIRS = 16384, FEWEST_PAIRS = 1024,
    MOST_SHAPES = 1 << 24, MOST_CALL = 1 << 24, MOST_THREADS = 1024,
    /* Vertices of a library and of all pairs of a scene, beyond which a point makes do with fewer shapes and
     * pairs: 4,096 hulls of 64, and 64 of 4,096. */
    LIBRARY_ROWS = 1 << 18, SCENE_ROWS = 1 << 22,
    FEWEST_SHAPES = 64, FEWEST_CALL = 256,
    ANSWERS = 16384, GRADES = 1024, FEWEST_GRADES = 32, RECORDED_GRADES = 2048,
    /* Right means a rate of at most one in a thousand: twelve of so many may be wrong. */
    BASE_GRADES = 12288,
    /* Of a brief plan: two may be wrong; truths about motion take twenty times as long. */
    BRIEF_BASE_GRADES = 2048, BRIEF_ANSWERS = 1024, BRIEF_GRADES = 256, BRIEF_MOVING_GRADES = 64
};

size_t gjb_bench_case_question(const gjb_bench_case *point, char name[GJB_BENCH_CASE_NAME])
{
    char call[24] = "", threads[24] = "", scene[24] = "";
    if (point->by_frame)
        snprintf(call, sizeof call, "/call:frame");
    else if (point->call != gjb_base_point(point->dim)->call)
        snprintf(call, sizeof call, "/call:%u", point->call);
    if (point->threads != gjb_base_point(point->dim)->threads)
        snprintf(threads, sizeof threads, "/threads:%u", point->threads);
    if (point->names_scene)
        snprintf(scene, sizeof scene, "/scene:%s", gjb_precision_name(point->scene_precision));
    snprintf(name, GJB_BENCH_CASE_NAME, "%ud/%s/%s/%s/shapes:%u%s%s%s%s%s", point->dim, gjb_queries[point->query].name,
             point->workload, point->family, point->shapes, call, threads, scene, point->start ? "/" : "",
             point->start ? gjb_start_name(point->start) : "");
    return strlen(name);
}

const char *gjb_bench_case_name(const gjb_bench_case *point, char name[GJB_BENCH_CASE_NAME])
{
    const size_t at = gjb_bench_case_question(point, name);
    snprintf(name + at, GJB_BENCH_CASE_NAME - at, "/%s/%s/%s", point->way.contender->name,
             point->way.backend ? point->way.backend : "-", gjb_precision_name(point->precision));
    return name;
}

const char *gjb_sweep_names(uint64_t sweeps, char names[GJB_SWEEP_NAMES])
{
    size_t at = 0;
    names[0] = '\0';
    for (size_t i = 0; i < gjb_sweep_count; i++)
        if (sweeps >> i & 1 && at < GJB_SWEEP_NAMES)
            at += (size_t)snprintf(names + at, GJB_SWEEP_NAMES - at, "%s%s", at ? "," : "", gjb_sweeps[i].name);
    return names;
}

uint32_t gjb_bench_case_vertices(const gjb_bench_case *point)
{
    return point->recorded ? 0 : gjb_workload_vertices(point->dim, point->workload);
}

/* Halves `count` while so many shapes of `vertices` have more than `rows`. */
static uint64_t at_most(uint64_t count, uint64_t fewest, uint64_t vertices, uint64_t rows)
{
    while (count > fewest && count * vertices > rows)
        count /= 2;
    return count;
}

uint64_t gjb_bench_case_pairs(const gjb_bench_case *point)
{
    if (point->recorded) {
        uint64_t pairs = 0;
        for (uint32_t i = 0; i < point->recorded->frame_count; i++)
            pairs += point->recorded->frames[i].pair_count;
        return pairs;
    }
    uint64_t pairs = at_most(LEAST_PAIRS, FEWEST_PAIRS, gjb_bench_case_vertices(point), SCENE_ROWS);
    if (pairs < point->shapes / 2)
        pairs = point->shapes / 2;
    return pairs < point->call ? point->call : pairs;
}

/* Contenders are compared on the scene of one of the base points. */
static int on_base_scene(const gjb_bench_case *point)
{
    for (size_t i = 0; i < gjb_base_point_count; i++)
        if (gjb_bench_case_same_scene(point, &gjb_base_points[i]))
            return 1;
    return 0;
}

uint64_t gjb_bench_case_answers(const gjb_bench_case *point)
{
    if (point->answers)
        return point->answers;
    if (on_base_scene(point)) /* equal fingerprints must speak for all answers that are graded */
        return ANSWERS;
    uint64_t answers = at_most(ANSWERS, FEWEST_CALL, gjb_bench_case_vertices(point), SCENE_ROWS / 4);
    if (point->dim == 3 && answers > ANSWERS / 4)
        answers = ANSWERS / 4;
    return answers < point->call ? point->call : answers;
}

uint64_t gjb_bench_case_grades(const gjb_bench_case *point)
{
    if (point->grades)
        return point->grades;
    if (point->recorded) { /* of each frame; no other command grades them */
        uint64_t frames = point->recorded->frame_count ? point->recorded->frame_count : 1;
        return point->dim == 2 ? UINT64_MAX : RECORDED_GRADES / frames + 1;
    }
    if (on_base_scene(point) && gjb_query_meets(GJB_INTERSECT, gjb_family_find(point->family)->moving))
        return BASE_GRADES; /* in motion, proofs take longer */
    return at_most(GRADES, FEWEST_GRADES, gjb_bench_case_vertices(point),
                   point->dim == 3 ? SCENE_ROWS / 128 : SCENE_ROWS);
}

int gjb_bench_case_same_scene(const gjb_bench_case *a, const gjb_bench_case *b)
{
    return a->dim == b->dim && a->recorded == b->recorded && a->shapes == b->shapes &&
           a->scene_precision == b->scene_precision && gjb_bench_case_pairs(a) == gjb_bench_case_pairs(b) &&
           !strcmp(a->workload, b->workload) && !strcmp(a->family, b->family);
}

static int same_point(const gjb_bench_case *a, const gjb_bench_case *b)
{
    return a->dim == b->dim && a->query == b->query && a->call == b->call && a->threads == b->threads &&
           a->by_frame == b->by_frame && a->start == b->start && a->precision == b->precision &&
           a->shapes == b->shapes && a->way.contender == b->way.contender && a->way.backend == b->way.backend &&
           !strcmp(a->workload, b->workload) && !strcmp(a->family, b->family);
}

/* A point that is there already only learns of one more sweep. */
static int add(gjb_plan *plan, const gjb_bench_case *point)
{
    uint32_t names_scene = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (!same_point(&plan->points[i], point))
            continue;
        if (!plan->both_scenes || plan->points[i].scene_precision == point->scene_precision) {
            plan->points[i].sweeps |= point->sweeps;
            return 0;
        }
        names_scene = 1;
    }
    if (plan->count == plan->capacity) {
        size_t capacity = plan->capacity ? 2 * plan->capacity : 256;
        gjb_bench_case *points = realloc(plan->points, capacity * sizeof *points);
        if (!points)
            return -1;
        plan->points = points;
        plan->capacity = capacity;
    }
    plan->points[plan->count] = *point;
    plan->points[plan->count++].names_scene = names_scene;
    return 0;
}

/* Which ways a place takes. */
typedef struct takers {
    uint32_t queries;
    gjb_breadth breadth;
    int native_only;
    uint32_t others_shapes; /* 0: no limit */
    int with_axes;          /* only those that warm starts are measured of */
} takers;

static int has_way(const gjb_plan_options *options, size_t i, gjb_breadth breadth)
{
    int first = i == 0 || options->ways[i - 1].contender != options->ways[i].contender;
    int last = i + 1 == options->way_count || options->ways[i + 1].contender != options->ways[i].contender;
    return breadth == GJB_WAYS_ALL || last || (first && breadth == GJB_WAYS_ENDS);
}

/* Others are compared by what they do cold, and sweeps search for none. */
static int takes_axes(const gjb_contender *contender, unsigned query)
{
    return contender->ours && query != GJB_SWEEP;
}

/* All contenders and queries at one place of the sweep. */
static int add_place(gjb_plan *plan, const gjb_plan_options *options, const gjb_bench_case *place,
                     const takers *who)
{
    uint32_t vertices = gjb_bench_case_vertices(place);
    const gjb_family *family = place->recorded ? NULL : gjb_family_find(place->family);
    for (unsigned query = 0; query < GJB_QUERIES; query++) {
        /* a recording with motions is one of poses too */
        if (!(who->queries & 1u << query) || (family && !gjb_query_meets((gjb_query)query, family->moving)) ||
            (!family && gjb_queries[query].moving && (query == GJB_SWEEP || !gjb_scene_moves(place->recorded))))
            continue;
        for (size_t i = 0; i < options->way_count; i++) {
            const gjb_contender *contender = options->ways[i].contender;
            if (!has_way(options, i, who->breadth) || !(contender->dims >> place->dim & 1) ||
                !(contender->queries >> query & 1) || vertices > contender->max_vertices ||
                ((place->start || who->with_axes) && !takes_axes(contender, query)) ||
                (who->others_shapes && !contender->ours && place->shapes > who->others_shapes))
                continue;
            gjb_bench_case point = *place;
            point.query = (gjb_query)query;
            point.way = options->ways[i];
            point.margin = place->recorded ? place->recorded->margin : options->margin;
            point.within = place->recorded ? place->recorded->within : options->within;
            point.leaving = place->recorded                       ? place->recorded->leaving
                            : family && gjb_family_leaves(family) ? options->leaving
                                                                  : (uint32_t)GJB_LEAVING_HIT;
            if (gjb_queries[query].has_leaving && options->leaving != point.leaving && !point.leaving)
                continue; /* it turns, so contacts that are left cannot be ignored: another question than was asked */
            if (!(contender->precisions & 1u << point.precision)) {
                if (who->native_only)
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

static int known_workload(const gjb_plan_options *options, const char *name)
{
    for (uint32_t dim = 2; dim <= 3; dim++)
        if (options->dims >> dim & 1 && gjb_workload_vertices(dim, name))
            return 1;
    return 0;
}

void gjb_bench_case_fit(gjb_bench_case *place)
{
    uint32_t vertices = gjb_bench_case_vertices(place);
    place->shapes = (uint32_t)at_most(place->shapes, FEWEST_SHAPES, vertices, LIBRARY_ROWS);
    place->call = (uint32_t)at_most(place->call, FEWEST_CALL, vertices, SCENE_ROWS / 4);
}

/* Sets one factor of a place from its text: 1, 0 when the dimension lacks what it names, -1 with `error`. */
static int set_factor(gjb_bench_case *place, gjb_axis axis, const char *text, size_t size,
                      const gjb_plan_options *options, gjb_error *error)
{
    char value[48];
    const gjb_family *family;
    snprintf(value, sizeof value, "%.*s", (int)size, text);
    switch (axis) {
    case GJB_AXIS_SHAPES:
        place->shapes = (uint32_t)strtoul(value, NULL, 10);
        return 1;
    case GJB_AXIS_CALL:
        place->call = (uint32_t)strtoul(value, NULL, 10);
        return 1;
    case GJB_AXIS_THREADS:
        place->threads = !strcmp(value, "all") ? options->all_threads : (uint32_t)strtoul(value, NULL, 10);
        return 1;
    case GJB_AXIS_WORKLOAD:
        if (!known_workload(options, value))
            return gjb_fail(error, "workload '%s': no selected dimension has it, see 'gjkbench list'", value);
        snprintf(place->workload, sizeof place->workload, "%s", value);
        gjb_bench_case_fit(place);
        return gjb_bench_case_vertices(place) > 0;
    case GJB_AXIS_FAMILY:
        family = gjb_family_find(value);
        if (!family)
            return gjb_fail(error, "family '%s': unknown, see 'gjkbench list'", value);
        snprintf(place->family, sizeof place->family, "%s", value);
        return gjb_family_has(family, place->dim, place->workload);
    case GJB_AXIS_PRECISION:
        place->precision = place->scene_precision = !strcmp(value, "f64") ? GJB_F64 : GJB_F32;
        return 1;
    case GJB_AXIS_START:
        for (int start = 0; start < GJB_STARTS; start++)
            if (!strcmp(value, gjb_start_name((gjb_start)start)))
                place->start = (gjb_start)start;
        return 1;
    default:
        return 1;
    }
}

/* As an engine makes its calls. */
void gjb_bench_case_by_frame(gjb_bench_case *point)
{
    uint64_t most = 1;
    for (uint32_t i = 0; i < point->recorded->frame_count; i++)
        most = point->recorded->frames[i].pair_count > most ? point->recorded->frames[i].pair_count : most;
    point->by_frame = most <= MOST_CALL;
    point->call = (uint32_t)(most <= MOST_CALL ? most : MOST_CALL);
}

static void set_recording(gjb_bench_case *place, const gjb_recording *recording)
{
    place->recorded = recording->scene;
    place->dim = recording->scene->shapes.dim;
    place->shapes = recording->scene->shapes.count;
    gjb_bench_case_by_frame(place);
    snprintf(place->workload, sizeof place->workload, "%s", recording->name);
    snprintf(place->family, sizeof place->family, "recorded");
}

enum { USUAL_QUERIES = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION,
       ALL_QUERIES = GJB_UNNAMED_QUERIES };

/* Of a sweep in one dimension; `at` is a place of it. */
typedef struct sweeping {
    gjb_plan *plan;
    const gjb_plan_options *options;
    const gjb_sweep *sweep;
    uint32_t dim, queries;
} sweeping;

static int add_swept(const sweeping *s, const gjb_bench_case *at, gjb_error *error)
{
    gjb_plan_size size = s->options->size;
    const takers who = {s->queries, s->sweep->breadth[size], s->sweep->axis == GJB_AXIS_PRECISION,
                        s->sweep->others_shapes[size], s->sweep->across == GJB_AXIS_START};
    gjb_bench_case place = *at;
    place.sweeps = UINT64_C(1) << (s->sweep - gjb_sweeps);
    if (s->options->precisions == 1u << GJB_F64)
        place.precision = place.scene_precision = GJB_F64;
    if (place.dim != s->dim ||
        (s->options->precisions && !(s->options->precisions >> place.scene_precision & 1)))
        return 0;
    if (add_place(s->plan, s->options, &place, &who))
        return gjb_fail(error, "out of memory");
    return 0;
}

static int add_along(const sweeping *s, const gjb_bench_case *from, int level, gjb_error *error);

/* Among names with commas between, or any if that is "*". */
static int is_listed(const char *name, const char *list)
{
    const size_t size = strlen(name);
    while (*list && *list != '*' && (strncmp(list, name, size) || (list[size] && list[size] != ','))) {
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return *list != '\0';
}

/* The places of a sweep that are no values of one number or name. */
static int add_listed(const sweeping *s, gjb_error *error)
{
    int failed = 0;
    for (size_t i = 0; s->sweep->axis == GJB_AXIS_BASES && i < gjb_base_point_count && !failed; i++)
        failed = add_swept(s, &gjb_base_points[i], error);
    for (size_t i = 0; s->sweep->axis == GJB_AXIS_RECORDED && i < s->options->recording_count && !failed; i++) {
        gjb_bench_case place = *gjb_base_point(s->dim);
        if (!is_listed(s->options->recordings[i].name, s->sweep->values[s->options->size]))
            continue;
        set_recording(&place, &s->options->recordings[i]);
        failed = s->sweep->across == GJB_AXIS_BASES ? add_swept(s, &place, error) : add_along(s, &place, 1, error);
    }
    return failed;
}

/* Every value of the first factor, level 0, and with each every value of the second. */
static int add_along(const sweeping *s, const gjb_bench_case *from, int level, gjb_error *error)
{
    const gjb_axis axis = level ? s->sweep->across : s->sweep->axis;
    const char *value = (level ? s->sweep->across_values : s->sweep->values)[s->options->size];
    const int last = level || s->sweep->across == GJB_AXIS_BASES;
    while (*value) {
        const size_t size = strcspn(value, ",");
        gjb_bench_case place = *from;
        const int set = set_factor(&place, axis, value, size, s->options, error);
        if (set < 0 || (set && (last ? add_swept(s, &place, error) : add_along(s, &place, level + 1, error))))
            return -1;
        value += size + (value[size] == ',');
    }
    return 0;
}

static int add_sweep(gjb_plan *plan, const gjb_plan_options *options, const gjb_sweep *sweep, uint32_t dim,
                     gjb_error *error)
{
    const sweeping s = {plan, options, sweep, dim,
                        options->queries ? options->queries : sweep->all_queries ? ALL_QUERIES : USUAL_QUERIES};
    if (!*sweep->values[options->size])
        return 0;
    if (sweep->axis == GJB_AXIS_BASES || sweep->axis == GJB_AXIS_RECORDED)
        return add_listed(&s, error);
    return add_along(&s, gjb_base_point_of(dim, sweep->around), 0, error);
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
static int add_product_at(gjb_plan *plan, const gjb_plan_options *options, const gjb_bench_case *place,
                          gjb_error *error)
{
    uint32_t precisions = options->precisions ? options->precisions : 1u << GJB_F32;
    const uint32_t *shapes = options->shapes, *calls = options->calls, *threads = options->threads;
    size_t shape_count = options->shape_count, call_count = options->call_count,
           thread_count = options->thread_count;
    if (!shape_count || place->recorded)
        shapes = &place->shapes, shape_count = 1;
    if (!call_count)
        calls = &place->call, call_count = 1;
    if (!thread_count)
        threads = &place->threads, thread_count = 1;

    const gjb_start *starts = options->start_count ? options->starts : &place->start;
    const size_t start_count = options->start_count ? options->start_count : 1;
    gjb_bench_case at = *place;
    for (unsigned precision = 0; precision < GJB_PRECISIONS; precision++)
        for (size_t s = 0; s < shape_count; s++)
            for (size_t c = 0; c < call_count; c++)
                for (size_t t = 0; t < thread_count * start_count; t++) {
                    if (!(precisions & 1u << precision))
                        continue;
                    at.precision = at.scene_precision = (gjb_precision)precision;
                    at.shapes = shapes[s];
                    at.call = calls[c];
                    at.by_frame = place->by_frame && !options->call_count;
                    at.threads = threads[t / start_count];
                    at.start = starts[t % start_count];
                    const takers who = {options->queries ? options->queries : ALL_QUERIES, GJB_WAYS_ALL,
                                        precision == GJB_F64, 0, 0};
                    if (add_place(plan, options, &at, &who))
                        return gjb_fail(error, "out of memory");
                }
    return 0;
}

/* A workload with each of the families, or with `base_family` if none is given, in one dimension. */
static int add_product_of(gjb_plan *plan, const gjb_plan_options *options, uint32_t dim, const char *workload,
                          const char *base_family, gjb_error *error)
{
    const gjb_bench_case *base = gjb_base_point(dim);
    const char *const *families = options->family_count ? options->families : &base_family;
    size_t family_count = options->family_count ? options->family_count : 1;
    const gjb_recording *recording = find_recording(options, workload);
    gjb_bench_case place = *base;
    if (recording) {
        set_recording(&place, recording);
        return place.dim == dim ? add_product_at(plan, options, &place, error) : 0;
    }
    int set = set_factor(&place, GJB_AXIS_WORKLOAD, workload, strlen(workload), options, error);
    for (size_t f = 0; f < family_count && set > 0; f++) {
        int has = set_factor(&place, GJB_AXIS_FAMILY, families[f], strlen(families[f]), options, error);
        if (has < 0 || (has && add_product_at(plan, options, &place, error)))
            return -1;
    }
    return set < 0 ? -1 : 0;
}

static int add_product(gjb_plan *plan, const gjb_plan_options *options, uint32_t dim, gjb_error *error)
{
    int failed = 0;
    for (size_t w = 0; w < options->workload_count && !failed; w++)
        for (int around = GJB_AROUND_FIRST; around <= GJB_AROUND_MOVING && !failed; around++) {
            const gjb_bench_case *base = gjb_base_point_of(dim, (gjb_around)around);
            if (around != GJB_AROUND_SWEPT || !strcmp(options->workloads[w], base->workload)) /* boxes all */
                failed = add_product_of(plan, options, dim, options->workloads[w], base->family, error);
        }
    for (size_t i = 0; !options->workload_count && i < gjb_base_point_count && !failed; i++)
        if (gjb_base_points[i].dim == dim)
            failed = add_product_of(plan, options, dim, gjb_base_points[i].workload,
                                    gjb_base_points[i].family, error);
    return failed;
}

/* What was given, in the dimensions that it was given for. */
static int add_all(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error)
{
    int product = options->workload_count || options->family_count || options->shape_count ||
                  options->call_count || options->thread_count || options->start_count;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        if (!(options->dims >> dim & 1))
            continue;
        if (product && add_product(plan, options, dim, error))
            return -1;
        for (size_t i = 0; !product && i < gjb_sweep_count; i++)
            if (gjb_sweeps[i].dims >> dim & 1 && add_sweep(plan, options, &gjb_sweeps[i], dim, error))
                return -1;
    }
    return 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Answers and truths are what takes the time that a brief plan has not: fewer of both. */
static void hurry(gjb_bench_case *point)
{
    const uint64_t frames = point->recorded && point->recorded->frame_count ? point->recorded->frame_count : 1;
    const int moves = gjb_queries[point->query].moving != GJB_AT_REST, base = on_base_scene(point);
    const uint64_t most = moves ? BRIEF_MOVING_GRADES : base ? BRIEF_BASE_GRADES : BRIEF_GRADES;
    point->answers = least(gjb_bench_case_answers(point), base && !moves ? BRIEF_BASE_GRADES : BRIEF_ANSWERS);
    point->grades = least(gjb_bench_case_grades(point), most / frames + (frames > 1));
}

int gjb_plan_add(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error)
{
    gjb_plan_options filled = *options;
    if (!filled.dims)
        filled.dims = 1u << 2 | 1u << 3;
    if (check_numbers("shapes", options->shapes, options->shape_count, 2, MOST_SHAPES, error) ||
        check_numbers("batch", options->calls, options->call_count, 1, MOST_CALL, error) ||
        check_numbers("threads", options->threads, options->thread_count, 1, MOST_THREADS, error) ||
        add_all(plan, &filled, error))
        return -1;
    return 0;
}

int gjb_plan_make(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error)
{
    if (gjb_plan_add(plan, options, error))
        return -1;
    if (!plan->count)
        return gjb_fail(error, "nothing to measure: no selected contender supports what is selected%s",
                        options->leaving ? ", or it turns, and leaving is 'ignore'" : "");
    for (size_t i = 0; options->brief && i < plan->count; i++)
        hurry(&plan->points[i]);
    return 0;
}

void gjb_plan_keep_bases(gjb_plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++)
        for (size_t s = 0; s < gjb_sweep_count; s++)
            if (plan->points[i].sweeps >> s & 1 && gjb_sweeps[s].axis == GJB_AXIS_BASES) {
                plan->points[kept++] = plan->points[i];
                break;
            }
    plan->count = kept;
}

void gjb_plan_free(gjb_plan *plan)
{
    free(plan->points);
    *plan = (gjb_plan){0};
}
