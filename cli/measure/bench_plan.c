/* Makes a bench plan from the command line, and measures it: ceilings, cached truths, progress, results. */
#include "cli/measure/bench_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "contenders/recorded.h"
#include "contenders/table.h"

/* Seconds that the points share, and seconds a point if there is no such limit. */
static const double budgets[2][GJB_PLAN_SIZES] = {{9, 60, 0}, {14, 100, 0}}; /* of 2D, of 3D */
static const double point_seconds = 0.25, full_point_seconds = 0.5, port_seconds = 0.03;
static const double memory_seconds = 0.3, memory_brief_seconds = 0.1;
static const uint32_t brief_blocks = 7, cells_blocks = 5;
static const double cells_seconds = 480; /* that cells share: with what is not timed, a quarter of an hour at most */

enum { FRAME_TRUTHS = 67 }; /* frames begin so far apart among truths, so that few of each push none out */

static int selected(const cli_select *select, const char *workload)
{
    for (size_t i = 0; i < select->workload_count; i++)
        if (!strcmp(select->workloads[i], workload))
            return 1;
    return 0;
}

/* Those of the sweeps may be missing; one that was asked for may not. */
static int load_recordings(cli_bench *b, const cli_select *select, int product, gjb_error *error)
{
    for (size_t i = 0; i < gjb_recorded_count && i < CLI_RECORDINGS_MAX; i++) {
        gjb_error missing = {{0}};
        if (product && !selected(select, gjb_recorded_scenes[i].name))
            continue;
        gjb_scene *scene = gjb_recorded_load(&gjb_recorded_scenes[i], &missing);
        if (!scene && product)
            return gjb_fail(error, "%s", missing.text);
        if (!scene) {
            fprintf(stderr, CLI_PROGRAM ": left out: %s\n", missing.text);
            continue;
        }
        scene->margin = b->margin >= 0 ? b->margin : scene->margin;
        scene->within = b->within >= 0 ? b->within : scene->within;
        if (cli_take_leaving(scene, b->leaving, gjb_recorded_scenes[i].name, &missing)) {
            if (product) {
                gjb_scene_free(scene);
                return gjb_fail(error, "%s", missing.text);
            }
            scene->leaving = GJB_LEAVING_HIT; /* it turns, so the plan leaves it out for toi */
        }
        b->scenes[b->recording_count] = scene;
        b->recordings[b->recording_count++] = (gjb_recording){gjb_recorded_scenes[i].name, scene};
    }
    return 0;
}

static size_t fill_ways(cli_bench *b, const cli_select *select)
{
    size_t count = 0;
    for (size_t i = 0; i < select->contender_count; i++) {
        const char *backends[CLI_BACKENDS_MAX];
        size_t ways = cli_select_backends(select, select->contenders[i], backends);
        const int widest = b->cells && ways && !select->backend_count;
        for (size_t w = widest ? ways - 1 : 0; w < ways && count < CLI_WAYS_MAX; w++)
            b->ways[count++] = (gjb_way){select->contenders[i], backends[w]};
    }
    return count;
}

static int fill_numbers(uint32_t *out, const cli_numbers *in, const char *option, gjb_error *error)
{
    for (size_t i = 0; i < in->count; i++) {
        if (in->value[i] > UINT32_MAX)
            return gjb_fail(error, "--%s %llu: too large", option, (unsigned long long)in->value[i]);
        out[i] = (uint32_t)in->value[i];
    }
    return 0;
}

/* Returns how many starts are named, or -1 with `error`. */
static int fill_starts(cli_bench *b, gjb_error *error)
{
    int count = 0;
    for (const char *at = b->coherence; at && *at;) {
        const size_t size = strcspn(at, ",");
        int start = 0, twice = 0;
        while (start < GJB_STARTS && (strlen(gjb_start_name((gjb_start)start)) != size ||
                                      strncmp(at, gjb_start_name((gjb_start)start), size)))
            start++;
        if (start == GJB_STARTS)
            return gjb_fail(error, "--coherence %.*s: must be cold, warm or stale", (int)size, at);
        for (int i = 0; i < count; i++)
            twice |= b->starts[i] == (gjb_start)start;
        if (!twice)
            b->starts[count++] = (gjb_start)start;
        at += size + (at[size] == ',');
    }
    return count;
}

int cli_bench_plan(cli_bench *b, const cli_select *select, gjb_error *error)
{
    if (cli_check_leaving(select, b->leaving, error))
        return -1;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    gjb_plan_options options = {
        .size = b->size, .brief = b->brief,
        .ways = b->ways, .way_count = fill_ways(b, select),
        .dims = select->dims,
        .queries = select->queries_given ? select->queries : 0,
        .precisions = select->precisions_given ? select->precisions : 0,
        .workloads = b->workloads, .workload_count = select->workload_count,
        .families = b->families, .family_count = select->family_count,
        .shapes = b->numbers[0], .shape_count = b->shapes.count,
        .calls = b->numbers[1], .call_count = b->calls.count,
        .threads = b->numbers[2], .thread_count = b->threads.count,
        .margin = cli_margin_of_made(b->margin),
        .within = cli_within_of_made(b->within),
        .leaving = cli_leaving_of_made(b->leaving),
        .all_threads = processors > 0 ? (uint32_t)processors : 1,
    };
    const int starts = fill_starts(b, error);
    if (starts < 0)
        return -1;
    options.starts = b->starts;
    options.start_count = (size_t)starts;
    for (size_t i = 0; i < select->workload_count; i++)
        b->workloads[i] = select->workloads[i];
    for (size_t i = 0; i < select->family_count; i++)
        b->families[i] = select->families[i]->name;
    if (fill_numbers(b->numbers[0], &b->shapes, "shapes", error) ||
        fill_numbers(b->numbers[1], &b->calls, "batch", error) ||
        fill_numbers(b->numbers[2], &b->threads, "threads", error))
        return -1;
    for (size_t i = 0; i < b->threads.count; i++)
        if (!b->numbers[2][i])
            b->numbers[2][i] = options.all_threads;

    int product = options.workload_count || options.family_count || options.shape_count || options.call_count ||
                  options.thread_count || options.start_count;
    if (load_recordings(b, select, b->cells ? options.workload_count > 0 : product, error))
        return -1;
    if (product && !b->cells && b->min_time == 0)
        b->min_time = point_seconds;
    if (!product && !b->cells && b->min_time == 0 && b->size == GJB_PLAN_FULL)
        b->min_time = full_point_seconds;
    options.recordings = b->recordings;
    options.recording_count = b->recording_count;
    if (!(b->cells ? gjb_cells_plan : gjb_plan_make)(&b->plan, &options, error))
        return 0;
    char clash[256];
    const size_t used = strlen(error->text);
    if (!b->plan.count && *cli_select_clash(select, clash))
        snprintf(error->text + used, sizeof error->text - used, "%s", clash);
    return -1;
}

static int has_port_row(const cli_bench *b, const gjb_bench_case *point)
{
    for (size_t i = 0; i < b->port_rows; i++)
        if (!strcmp(b->ports[i].backend, point->way.backend) && b->ports[i].precision == point->precision &&
            b->ports[i].dim == point->dim)
            return 1;
    return 0;
}

/* Of each backend, precision and dimension that the plan has our kernels at. */
static void measure_ports(cli_bench *b)
{
    const gjb_contender *batch = gjb_contender_find("batch");
    for (size_t i = 0; i < b->plan.count && b->port_rows < CLI_PORTS_MAX && !cli_interrupted; i++) {
        const gjb_bench_case *point = &b->plan.points[i];
        if (point->way.contender != batch || has_port_row(b, point))
            continue;
        gjb_port_row *row = &b->ports[b->port_rows];
        *row = (gjb_port_row){.backend = point->way.backend, .precision = point->precision, .dim = point->dim};
        b->port_rows += gjb_port_ceiling(row, port_seconds) == 0;
    }
}

int cli_bench_ceilings(cli_bench *b, gjb_error *error)
{
    for (size_t i = 0; i < GJB_MEMORY_ROWS && !cli_interrupted; i++) {
        cli_progress("memory", i, GJB_MEMORY_ROWS);
        if (gjb_memory_ceiling(gjb_memory_bytes[i], b->brief ? memory_brief_seconds : memory_seconds, &b->memory[i]))
            return gjb_fail(error, "memory ceiling: no room for a buffer of %zu bytes", gjb_memory_bytes[i]);
        b->memory_rows = i + 1;
    }
    cli_progress("memory", GJB_MEMORY_ROWS, GJB_MEMORY_ROWS);
    measure_ports(b);
    return 0;
}

int cli_bench_isolation(cli_bench *b, const cli_select *select, double seconds, gjb_error *error)
{
    static const char *const ours[] = {"batch", "reference"};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (size_t i = 0; i < sizeof ours / sizeof *ours && !cli_interrupted; i++) {
            const gjb_contender *contender = gjb_contender_find(ours[i]);
            cli_progress("isolation", b->isolation_rows, CLI_ISOLATION_MAX);
            if (!contender || !(select->dims >> dim & 1) || !(contender->dims >> dim & 1))
                continue;
            if (gjb_isolation_cost(gjb_base_point(dim), contender, b->seed, seconds, &cli_interrupted,
                                   &b->isolation[b->isolation_rows], error))
                return -1;
            b->isolation_rows++;
        }
    cli_progress("isolation", CLI_ISOLATION_MAX, CLI_ISOLATION_MAX);
    return 0;
}

/* Truth depends on the scene and on what it was rounded to, not on what is
 * graded: a group's entries come one after another and share it. */
static int keep_truths_of(cli_bench *b, const gjb_bench_case *point, const gjb_scene *fed)
{
    int rounded = fed->shapes.precision < (uint32_t)point->scene_precision;
    if (!b->truths)
        b->truths = calloc(CLI_TRUTHS, sizeof *b->truths);
    if (!b->truths)
        return -1;
    if (!b->truths_scene || b->truths_rounded != rounded || !gjb_bench_case_same_scene(&b->truths_of, point))
        b->truths_scene++;
    b->truths_of = *point;
    b->truths_rounded = rounded;
    return 0;
}

static gjb_truth *truth_of(cli_bench *b, const gjb_scene *fed, int moving, uint32_t frame, uint64_t index)
{
    cli_truth *t = &b->truths[(index + (uint64_t)FRAME_TRUTHS * frame) % CLI_TRUTHS];
    gjb_pair pair;
    if (t->scene == b->truths_scene && t->truth.moving == moving && t->frame == frame && t->index == index)
        return &t->truth;
    if (gjb_scene_pair(fed, frame, index, &t->space, &pair))
        return NULL;
    t->pair = pair;
    const int failed = (moving ? gjb_truth_open_moving : gjb_truth_open)(&t->truth, &t->pair);
    t->scene = failed ? 0 : b->truths_scene;
    t->frame = frame;
    t->index = index;
    return failed ? NULL : &t->truth;
}

static int grade(void *user, const gjb_bench_case *point, const gjb_scene *fed, uint32_t frame, uint64_t first,
                 uint64_t count, const void *results, gjb_bench_grade *sum)
{
    cli_bench *b = user;
    gjb_tolerance tolerance = gjb_tolerance_for(point->way.contender, point->query, point->precision, fed->shapes.dim);
    tolerance.epsilon = fmax(tolerance.epsilon, gjb_epsilon(point->scene_precision));
    if (keep_truths_of(b, point, fed))
        return -1;
    for (uint64_t i = 0; i < count && !cli_interrupted; i++) {
        gjb_truth *truth = truth_of(b, fed, gjb_queries[point->query].moving != GJB_AT_REST, frame, first + i);
        if (!truth)
            return -1;
        gjb_result result = gjb_result_get(point->query, point->precision, fed->shapes.dim, results, i);
        gjb_grade g = gjb_grade_result(point->query, truth, &result, &tolerance);
        sum->looked_at++;
        sum->too_slow += g.too_slow;
        sum->graded += g.verdict == GJB_RIGHT || g.verdict == GJB_WRONG;
        sum->wrong += g.verdict == GJB_WRONG;
        sum->wrong_1e3 += (uint64_t)gjb_grade_beyond(&g, truth, 1e-3, tolerance.epsilon);
        if (g.has_coverage) {
            sum->covered++;
            sum->coverage += g.coverage;
        }
        if (g.verdict != GJB_NOT_SUPPORTED && g.error_eps > sum->worst_error_eps)
            sum->worst_error_eps = g.error_eps;
    }
    return 0;
}

static void progress(void *user, uint64_t done, uint64_t total)
{
    const uint32_t steps = gjb_bench_steps(((const cli_bench *)user)->settings);
    cli_progress("timed points", done / steps, total / steps);
}

int cli_bench_measure(cli_bench *b, gjb_error *error)
{
    double budget = 0;
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (size_t i = 0; i < b->plan.count; i++)
            if (b->plan.points[i].dim == dim) {
                budget += budgets[dim - 2][b->size];
                break;
            }
    const gjb_bench_settings settings = {
        .seed = b->seed, .library = b->library, .min_time = b->min_time, .budget = b->cells ? cells_seconds : budget,
        .blocks = b->cells && !(b->min_time > 0) ? cells_blocks : b->brief ? brief_blocks : 0, .brief = b->brief,
        .seconds = b->seconds, .scenes = b->scenes_most,
        .out = b->out,
        .stop = &cli_interrupted,
        .grade = grade, .progress = progress, .user = b,
    };
    b->settings = &settings;
    cli_progress_until(b->seconds);
    return gjb_bench_measure(&b->bench, &b->plan, &settings, error);
}

int cli_bench_print_cells(const cli_bench *b, FILE *stream, gjb_error *error)
{
    const gjb_bench_paint paint = cli_bench_paint(stream);
    gjb_cells cells = {0};
    if (gjb_cells_rank(&cells, &b->bench))
        return gjb_fail(error, "out of memory");
    gjb_cells_print(&cells, stream, &paint);
    gjb_bench_print_losses(&b->bench, stream, &paint);
    gjb_cells_free(&cells);
    return 0;
}

static int add_cells(const cli_bench *b, json_t *root)
{
    gjb_cells cells = {0};
    const int failed = gjb_cells_rank(&cells, &b->bench) || gjb_cells_add_json(&cells, root);
    gjb_cells_free(&cells);
    return failed ? -1 : 0;
}

int cli_bench_write(const cli_bench *b, const char *path, gjb_error *error)
{
    json_t *context = cli_context();
    if (!context || gjb_bench_add_context(context, b->seed, b->memory, b->memory_rows) ||
        gjb_bench_add_ports(context, b->ports, b->port_rows))
        return gjb_fail(error, "out of memory");
    if (b->seconds > 0 || b->scenes_most)
        json_object_set_new(context, "sample", json_pack("{sf sI sI}", "seconds", b->seconds, "scenes",
                                                         (json_int_t)b->bench.scenes, "of",
                                                         (json_int_t)b->bench.scenes_planned));
    if (b->isolation_rows)
        json_object_set_new(context, "isolation_cost", gjb_isolation_json(b->isolation, b->isolation_rows));
    json_object_set_new(context, "gjkbench_version", json_incref(json_object_get(context, "version")));
    json_t *root = gjb_bench_json(&b->bench, context);
    if (!root || (b->cells && add_cells(b, root))) {
        json_decref(root);
        return gjb_fail(error, "out of memory");
    }
    int failed = cli_write_json(root, path, error);
    json_decref(root);
    return failed;
}

void cli_bench_free(cli_bench *b)
{
    gjb_bench_free(&b->bench);
    gjb_plan_free(&b->plan);
    for (size_t i = 0; i < b->recording_count; i++)
        gjb_scene_free(b->scenes[i]);
    for (size_t i = 0; b->truths && i < CLI_TRUTHS; i++) {
        gjb_truth_close(&b->truths[i].truth);
        gjb_pair_space_free(&b->truths[i].space);
    }
    free(b->truths);
}

gjb_bench_paint cli_bench_paint(FILE *stream)
{
    return (gjb_bench_paint){cli_color(stream, CLI_BOLD), cli_color(stream, CLI_GOOD), cli_color(stream, CLI_BAD),
                             cli_color(stream, CLI_PLAIN)};
}
