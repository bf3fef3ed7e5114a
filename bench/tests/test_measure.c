/* Measuring with fake contenders: the result schema, fingerprints, grades, deaths, interruption, ceilings. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/isolation_cost.h"
#include "bench/results.h"
#include "bench/tests/fakes.h"
#include "core/query.h"
#include "core/random.h"
#include "scenes/generate/generate.h"
#include "simd/ports/ports.h"
#include "simd/simd.h"

static gjb_bench measure(const gjb_plan_options *options, gjb_bench_settings settings)
{
    gjb_plan plan = {0};
    gjb_bench bench = {0};
    gjb_error error = {{0}};
    if (settings.min_time == 0)
        settings.min_time = 1e-4;
    cr_assert_eq(gjb_plan_make(&plan, options, &error), 0, "%s", error.text);
    cr_assert_eq(gjb_bench_measure(&bench, &plan, &settings, &error), 0, "%s", error.text);
    gjb_plan_free(&plan);
    return bench;
}

static const uint32_t few_shapes[] = {16, 100}, calls[] = {1, 7, 4096, 5000};

static gjb_plan_options small(void)
{
    return (gjb_plan_options){.dims = 1u << 2,
                              .ways = fake_ways,
                              .way_count = 6,
                              .shapes = few_shapes,
                              .shape_count = 2,
                              .all_threads = 1};
}

/* Every number in the tree is finite: text that says nan or inf is no JSON. */
static void expect_round_trip(const gjb_bench *bench)
{
    json_t *root = gjb_bench_json(bench, json_pack("{ss}", "date", "today"));
    cr_assert_not_null(root);
    char *text = json_dumps(root, 0);
    json_t *again = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(again);
    cr_expect(json_equal(root, again));
    free(text);
    json_decref(again);
    json_decref(root);
}

Test(measure, rows_follow_the_schema)
{
    static const struct { const char *key; json_type type; } required[] = {
        {"name", JSON_STRING}, {"run_name", JSON_STRING}, {"run_type", JSON_STRING}, {"repetitions", JSON_INTEGER},
        {"repetition_index", JSON_INTEGER}, {"threads", JSON_INTEGER}, {"iterations", JSON_INTEGER},
        {"real_time", JSON_REAL}, {"cpu_time", JSON_REAL}, {"time_unit", JSON_STRING}, {"label", JSON_STRING},
        {"ns_per_pair", JSON_REAL}, {"ns_low", JSON_REAL}, {"ns_high", JSON_REAL}, {"ns_min", JSON_REAL},
        {"pairs_per_second", JSON_REAL}, {"prepare_ns_per_shape", JSON_REAL}, {"contender", JSON_STRING},
        {"backend", JSON_STRING}, {"precision", JSON_STRING}, {"dim", JSON_INTEGER}, {"query", JSON_STRING},
        {"workload", JSON_STRING}, {"family", JSON_STRING}, {"shapes", JSON_INTEGER}, {"pairs", JSON_INTEGER},
        {"pairs_per_call", JSON_INTEGER}, {"sweep", JSON_STRING}, {"workload_hash", JSON_STRING},
        {"samples", JSON_ARRAY}, {"iteration_histogram", JSON_ARRAY},
    };
    gjb_plan_options options = small();
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 5});
    cr_assert_eq(bench.count, 2u * (5 + 5 + 5 + 4));
    cr_expect_eq(bench.unsupported, 2);
    expect_round_trip(&bench);

    json_t *root = gjb_bench_json(&bench, json_object()), *row;
    json_t *rows = json_object_get(root, "benchmarks");
    size_t index;
    cr_assert_eq(json_array_size(rows), bench.count);
    json_array_foreach(rows, index, row) {
        for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
            json_t *value = json_object_get(row, required[i].key);
            cr_expect(value && json_typeof(value) == required[i].type, "%s", required[i].key);
        }
        cr_expect_str_eq(json_string_value(json_object_get(row, "time_unit")), "ns");
        cr_expect_eq(json_array_size(json_object_get(row, "samples")), 5);
        cr_expect_eq(strlen(json_string_value(json_object_get(row, "label"))), 16);
        cr_expect(json_is_null(json_object_get(row, "wrong_rate")) &&
                      json_is_null(json_object_get(row, "wrong_rate_1e3")) &&
                      json_is_string(json_object_get(row, "not_graded")),
                  "nothing was graded, and it says why");
        double low = json_number_value(json_object_get(row, "ns_low"));
        cr_expect(low > 0 && low <= json_number_value(json_object_get(row, "ns_high")));
    }
    json_decref(root);
    gjb_bench_free(&bench);
}

/* The answers decide the fingerprint, not the way they were asked for. */
Test(measure, fingerprint_does_not_depend_on_call_backend_or_threads)
{
    const uint32_t threads[] = {1, 2};
    gjb_plan_options options = small();
    options.way_count = 3;
    options.queries = 1u << GJB_DISTANCE;
    options.shape_count = 1;
    options.calls = calls;
    options.call_count = 4;
    options.threads = threads;
    options.thread_count = 2;
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3});
    cr_assert_eq(bench.count, 24, "%zu rows, %zu died", bench.count, bench.died_count);
    for (size_t i = 0; i < bench.count; i++) {
        const gjb_measurement *m = &bench.rows[i];
        cr_expect_eq(m->fingerprint, bench.rows[0].fingerprint);
        cr_expect_eq(m->workload_hash, bench.rows[0].workload_hash);
        cr_expect_eq(m->answered, 16384);
        cr_expect_eq(m->unwritten, 0);
        cr_expect_eq(m->timed_call, m->point.call);
        uint64_t sum = 0;
        for (size_t k = 0; k < GJB_ITERATION_BINS; k++)
            sum += m->iterations[k];
        cr_expect_eq(sum, m->answered);
        cr_expect_float_eq(m->mean_iterations, 2, 0.02); /* iterations are body % 5 */
    }
    gjb_bench_free(&bench);

    options.shapes = few_shapes + 1;
    gjb_bench other = measure(&options, (gjb_bench_settings){.seed = 2, .blocks = 3});
    cr_expect_neq(other.rows[0].workload_hash, 0);
    gjb_bench_free(&other);
}

typedef struct grading {
    uint64_t calls, pairs;
} grading;

static int grade(void *user, const gjb_bench_case *point, const gjb_scene *fed, uint32_t frame, uint64_t first,
                 uint64_t count, const void *results, gjb_bench_grade *sum)
{
    grading *g = user;
    cr_assert_eq(fed->shapes.precision, (uint32_t)point->precision);
    cr_assert_leq(first + count, fed->frames[frame].pair_count);
    for (uint64_t i = 0; i < count; i++)
        sum->wrong += gjb_result_get(point->query, point->precision, 2, results, i).status == GJB_OVERLAPPING;
    sum->graded += count;
    sum->worst_error_eps = INFINITY;
    g->calls++;
    g->pairs += count;
    return 0;
}

Test(measure, equal_answers_are_graded_once)
{
    grading g = {0, 0};
    gjb_plan_options options = small();
    options.way_count = 5;
    options.queries = 1u << GJB_INTERSECT;
    options.shape_count = 1;
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3, .grade = grade, .user = &g,
                                                             .grade_pairs = 1000});
    cr_assert_eq(bench.count, 5);
    cr_expect_eq(g.pairs, 3000, "three backends with the same answers, and two other contenders");
    for (size_t i = 0; i < bench.count; i++) {
        cr_expect_eq(bench.rows[i].grade.graded, 1000);
        cr_expect_eq(bench.rows[i].grade.wrong, bench.rows[0].grade.wrong);
    }
    cr_expect_eq(gjb_bench_wrong_ours(&bench), 3);
    expect_round_trip(&bench); /* an infinite error is left out */
    gjb_bench_free(&bench);
}

/* It has no time either, so that its grade would be of no use. */
Test(measure, who_dies_of_pairs_is_not_graded)
{
    grading g = {0, 0};
    gjb_plan_options options = small();
    const gjb_way dying = {&fake_dying, NULL};
    options.ways = &dying;
    options.way_count = 1;
    options.queries = 1u << GJB_INTERSECT;
    options.shape_count = 1;
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3, .grade = grade, .user = &g});
    cr_expect_eq(bench.count, 0);
    cr_expect_eq(bench.died_count, 1);
    cr_expect_eq(g.calls, 0);
    cr_assert(bench.mishaps.count == 1 && bench.mishaps.all[0].finding.what == GJB_ABORTED &&
              bench.mishaps.all[0].finding.pair == 0 && bench.mishaps.all[0].file == NULL);
    gjb_bench_free(&bench);
}

/* All is well while it answers; then, by the clock, it dies: of which pair is found all the same. */
Test(measure, who_dies_of_timed_pairs_loses_the_row_and_the_pair_is_saved)
{
    char folder[] = "/tmp/gjkbench-measure-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    gjb_plan_options options = small();
    const gjb_way dying = {&fake_dying_late, NULL};
    options.ways = &dying;
    options.way_count = 1;
    options.queries = 1u << GJB_INTERSECT;
    options.shape_count = 1;
    fake->calls = 0;
    fake->dies_after = UINT64_MAX;
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3, .min_time = 0.01});
    cr_assert_eq(bench.count, 1);
    gjb_bench_free(&bench);

    fake->dies_after = fake->calls / 2; /* of which the answers are a few */
    fake->calls = 0;
    bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3, .min_time = 0.01, .out = folder});
    cr_assert(bench.count == 0 && bench.died_count == 1, "%zu rows, %zu died", bench.count, bench.died_count);
    const gjb_bench_mishap *m = bench.mishaps.all;
    cr_assert(bench.mishaps.count == 1 && m->finding.what == GJB_ABORTED && m->finding.pair == 10,
              "%zu: %s at %ju", bench.mishaps.count, gjb_mishap_name(m->finding.what),
              (uintmax_t)m->finding.pair);
    gjb_error error = {{0}};
    gjb_scene *pair = m->file ? gjb_scene_load(m->file, &error) : NULL;
    cr_assert(pair && pair->frames[0].pair_count == 1 && !strcmp(pair->query, "intersect"), "%s", error.text);
    gjb_scene_free(pair);
    remove(m->file);
    gjb_bench_free(&bench);
    rmdir(folder);
}

Test(measure, interruption_keeps_what_is_complete)
{
    gjb_plan_options options = small();
    gjb_bench all = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 4});
    uint64_t total = fake->calls;
    gjb_bench_free(&all);

    for (int tenth = 0; tenth <= 9; tenth++) {
        fake->calls = 0;
        fake->stop = 0;
        fake->stop_after = total * (uint64_t)tenth / 10 + 1;
        gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 4, .stop = &fake->stop});
        /* How many calls fill a block is up to the machine: late stops may never come. */
        if (fake->stop) {
            cr_expect(bench.interrupted);
            for (size_t i = 0; i < bench.count; i++)
                cr_expect_geq(bench.rows[i].sample_count, GJB_BLOCKS_LEAST);
            json_t *root = gjb_bench_json(&bench, json_object());
            cr_expect(json_is_true(json_object_get(json_object_get(root, "context"), "interrupted")));
            json_decref(root);
        }
        expect_round_trip(&bench);
        gjb_bench_free(&bench);
    }
}

/* A run that a clock cut is repeated by the number of its scenes, those of both dimensions by turns. */
Test(measure, so_many_scenes_are_the_first_of_each_dimension_by_turns)
{
    gjb_plan_options options = {
        .ways = fake_ways, .way_count = 1, .queries = 1u << GJB_DISTANCE, .precisions = 1u << GJB_F32};
    const char *families[] = {"far", "near", "deep"};
    options.families = families;
    options.family_count = 3;
    gjb_bench all = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3, .min_time = 1e-6});
    cr_assert(all.scenes == all.scenes_planned && all.scenes > 3, "%zu of %zu", all.scenes, all.scenes_planned);
    for (uint64_t scenes = 1; scenes < 4; scenes++) {
        gjb_bench some = measure(
            &options, (gjb_bench_settings){.seed = 1, .blocks = 3, .min_time = 1e-6, .scenes = scenes});
        size_t of[4] = {0};
        for (size_t i = 0; i < some.count; i++) {
            size_t k = 0;
            while (k < all.count && (strcmp(all.rows[k].point.family, some.rows[i].point.family) ||
                                     strcmp(all.rows[k].point.workload, some.rows[i].point.workload) ||
                                     all.rows[k].point.dim != some.rows[i].point.dim))
                k++;
            cr_expect(k < all.count && all.rows[k].fingerprint == some.rows[i].fingerprint);
            of[some.rows[i].point.dim]++;
        }
        cr_expect(some.scenes == scenes && some.scenes_planned == all.scenes && !some.interrupted);
        cr_expect(of[2] == (scenes + 1) / 2 && of[3] == scenes / 2, "%zu and %zu of %d", of[2], of[3],
                  (int)scenes);
        gjb_bench_free(&some);
    }
    gjb_bench late =
        measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3, .min_time = 1e-6, .seconds = 1e-9});
    cr_expect(late.scenes == 1 && !late.interrupted, "%zu scenes, and one there is always", late.scenes);
    gjb_bench_free(&late);
    gjb_bench_free(&all);
}

/* The flag comes up between two scenes: the first one's rows are all kept. */
static void stop_late(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    if (done > total / 2 + 2)
        fake->stop = 1;
}

Test(measure, interruption_between_scenes_keeps_the_first)
{
    gjb_plan_options options = small();
    options.way_count = 5;
    options.queries = 1u << GJB_INTERSECT;
    fake->stop = 0;
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 4, .stop = &fake->stop,
                                                             .progress = stop_late});
    cr_expect(bench.interrupted);
    cr_assert_eq(bench.count, 5);
    for (size_t i = 0; i < bench.count; i++) {
        cr_expect_eq(bench.rows[i].point.shapes, 16);
        cr_expect_eq(bench.rows[i].sample_count, 4);
    }
    gjb_bench_free(&bench);
}

Test(measure, scenes_of_both_dimensions_are_measured)
{
    gjb_plan_options options = small();
    options.dims = 0;
    options.way_count = 4;
    options.queries = 1u << GJB_DISTANCE;
    options.shape_count = 1;
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3});
    cr_assert_eq(bench.count, 3u * 4, "polygons, hulls and boxes");
    for (size_t i = 0; i < bench.count; i++) {
        const gjb_measurement *m = &bench.rows[i];
        cr_expect_eq(m->answered, m->point.dim == 2 ? 16384 : 4096);
        cr_expect_eq(m->workload_hash == bench.rows[0].workload_hash, m->point.dim == 2);
    }
    json_t *root = gjb_bench_json(&bench, json_object()),
           *last = json_array_get(json_object_get(root, "benchmarks"), 11);
    cr_expect_eq(json_integer_value(json_object_get(last, "dim")), 3);
    cr_expect_eq(json_integer_value(json_object_get(last, "vertices")), 8);
    json_decref(root);
    gjb_bench_free(&bench);
}

/* Frames of 30 pairs, none and 10: calls are never cut, and blocks have each frame as often as any other. */
Test(measure, calls_of_a_recording_are_its_frames)
{
    const gjb_recipe recipe = {.workload = "box", .family = "mixed", .seed = 1, .dim = 2, .pairs = 40, .shapes = 16};
    gjb_error error = {{0}};
    gjb_scene *made = gjb_generate(&recipe, &error);
    cr_assert_not_null(made, "%s", error.text);
    gjb_frame frames[3] = {made->frames[0], made->frames[0], made->frames[0]};
    frames[0].pair_count = 30;
    frames[1].pair_count = 0;
    frames[2].pairs += 2 * (size_t)30;
    frames[2].pair_count = 10;
    gjb_scene scene = *made;
    scene.frames = frames;
    scene.frame_count = 3;
    const gjb_recording recording = {"box2d-pile", &scene};
    const char *workloads[] = {"box2d-pile"};
    gjb_plan_options options = small();
    options.way_count = 4;
    options.queries = 1u << GJB_DISTANCE;
    options.shape_count = 0;
    options.workloads = workloads, options.workload_count = 1;
    options.recordings = &recording, options.recording_count = 1;
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3});
    cr_assert_eq(bench.count, 4);
    json_t *root = gjb_bench_json(&bench, json_object());
    for (size_t i = 0; i < bench.count; i++) {
        const gjb_measurement *m = &bench.rows[i];
        const json_t *row = json_array_get(json_object_get(root, "benchmarks"), i);
        cr_expect_eq(m->timed_call, 30);
        cr_expect_eq(m->answered, 40);
        cr_expect(m->calls && m->calls % (3 * 2) == 0, "%ju calls in three blocks of two frames", (uintmax_t)m->calls);
        cr_expect_str_eq(json_string_value(json_object_get(row, "call")), "frame");
        cr_expect_eq(json_integer_value(json_object_get(row, "pairs_per_call")), 30);
    }
    json_decref(root);
    gjb_bench_free(&bench);
    gjb_scene_free(made);
}

/* A contender that is wrong in one of 1024 passes, in two it does not; among equals the fastest counts. */
Test(measure, the_fastest_packaged_contender_that_is_right)
{
    static gjb_contender packaged[3], ours;
    gjb_measurement rows[4] = {0};
    const double ns[] = {5, 20, 30, 1};
    const uint64_t wrong[] = {2, 1, 0, 0};
    ours.ours = 1;
    for (size_t i = 0; i < 4; i++) {
        rows[i].point = *gjb_base_point(3);
        rows[i].point.way.contender = i < 3 ? &packaged[i] : &ours;
        rows[i].ns.median = ns[i];
        rows[i].grade = (gjb_bench_grade){.graded = 1024, .wrong = 500, .wrong_1e3 = wrong[i]};
    }
    const gjb_bench bench = {.rows = rows, .count = 4};
    cr_expect_eq(gjb_bench_others(&bench, &rows[3], 0), &rows[0]);
    cr_expect_eq(gjb_bench_others(&bench, &rows[3], 1), &rows[1]);
    rows[1].point.family[0] = 'x';
    cr_expect_eq(gjb_bench_others(&bench, &rows[3], 1), &rows[2], "only on the same scene");
    rows[2].point.query = GJB_DISTANCE;
    cr_expect_null(gjb_bench_others(&bench, &rows[3], 1));
}

Test(measure, rivals_share_query_and_scene)
{
    gjb_plan_options options = small();
    options.way_count = 5;
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3});
    for (size_t i = 0; i < bench.count; i++) {
        const gjb_measurement *m = &bench.rows[i], *rival = gjb_bench_rival(&bench, m, "wide");
        cr_assert_not_null(rival);
        cr_expect_str_eq(rival->point.way.backend, "wide");
        cr_expect(rival->point.query == m->point.query && rival->point.shapes == m->point.shapes);
        cr_expect_null(gjb_bench_rival(&bench, m, "nobody"));
    }
    gjb_bench_free(&bench);
}

Test(memory, lines_that_a_pair_needs)
{
    cr_expect_eq(gjb_random_lines_per_pair(8, 8),
                 4); /* f32 octagons: one line of vertices, one that finds them */
    cr_expect_eq(gjb_random_lines_per_pair(9, 8), 6);
    cr_expect_eq(gjb_random_lines_per_pair(8, 16), 6);
    gjb_memory_row row;
    cr_assert_eq(gjb_memory_ceiling(1 << 20, 0, &row), 0);
    cr_expect(row.bytes == 1 << 20 && row.ns_per_line > 0);
    cr_expect_eq(gjb_memory_ceiling(0, 0, &row), -1);
}

/* Every backend gets the same from a scan: none leaves it out. */
Test(ports, scans_are_the_same_on_every_backend)
{
    for (int precision = 0; precision < GJB_PRECISIONS; precision++)
        for (uint32_t dim = 2; dim <= 3; dim++) {
            double expected, sum;
            gjb_ports_find("scalar", (gjb_precision)precision)(dim, 100, &expected);
            cr_expect_neq(expected, 0);
            for (size_t i = 0; i < gjb_backend_count; i++) {
                gjb_port_row row = {
                    .backend = gjb_backends[i]->name, .precision = (gjb_precision)precision, .dim = dim};
                cr_assert_not_null(gjb_ports_find(row.backend, row.precision));
                if (!gjb_backend_available(row.backend)) {
                    cr_expect_eq(gjb_port_ceiling(&row, 0), -1);
                    continue;
                }
                gjb_ports_find(row.backend, row.precision)(dim, 100, &sum);
                cr_expect_eq(sum, expected, "%s", row.backend);
                cr_expect_eq(gjb_port_ceiling(&row, 0), 0);
                cr_expect_gt(row.vertices_per_second, 0);
            }
        }
    gjb_port_row row = {.backend = "abacus", .dim = 2};
    cr_expect_eq(gjb_port_ceiling(&row, 0), -1);
}

/* Ctrl-C while the first ceiling is taken leaves no row that a scene could be held against. */
Test(memory, interrupted_before_the_row_of_scenes)
{
    gjb_memory_row rows[GJB_MEMORY_ROWS] = {{0}};
    for (size_t taken = 0; taken <= GJB_MEMORY_SCENE_ROW; taken++) {
        json_t *context = json_object();
        cr_assert_eq(gjb_bench_add_context(context, 1, rows, taken), 0, "%zu rows", taken);
        cr_expect_null(json_object_get(context, "memory_ceiling"));
        json_decref(context);
        rows[taken] = (gjb_memory_row){.bytes = 64, .ns_per_line = 1};
    }
}

/* Calls here and in children, in memory that they share. */
static struct asked {
    uint64_t here, apart;
} *asked;
static pid_t own;

static void run_counting(const void *prepared, const gjb_batch *batch)
{
    *(getpid() == own ? &asked->here : &asked->apart) += batch->pair_count;
    fake_wide.run(prepared, batch);
}

/* What the page marks ratios for (reports/ratios.h), from made-up times: blocks and draws vary by half a percent, the
 * machine is up to twice as slow from one draw to the next, and a fifth of one side's blocks are disturbed. */
Test(isolation, five_percent_between_two_children_are_seen)
{
    static const double much = 0.03, more[] = {0, 0.05};
    double ns[2][GJB_ISOLATION_BLOCKS];
    const uint32_t a_draw = GJB_ISOLATION_BLOCKS / GJB_ISOLATION_DRAWS;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int i = 0; i < 2; i++) {
            gjb_random random = gjb_random_make(seed, 0, 0);
            double draw = 1, machine = 50;
            for (uint32_t block = 0; block < GJB_ISOLATION_BLOCKS; block++) {
                if (block % a_draw == 0) {
                    draw = gjb_random_range(&random, 0.995, 1.005);
                    machine = gjb_random_range(&random, 50, 100);
                }
                for (int second = 0; second < 2; second++)
                    ns[second][block] = machine * gjb_random_range(&random, 0.995, 1.005);
                ns[1][block] *= draw * (1 + more[i]) * (block % 5 == 3 ? 1.5 : 1);
            }
            const gjb_ratio r = gjb_isolation_ratio(ns[1], ns[0], seed);
            cr_expect(r.low <= r.log && r.log <= r.high && fabs(r.log - log1p(more[i])) < 0.01, "%g", r.log);
            cr_expect_eq(exp(r.low) > 1 + much || exp(r.high) < 1 - much, i == 1,
                         "%+.1f%%: %+.2f%% (%+.2f%% to %+.2f%%)", 100 * more[i], 100 * expm1(r.log),
                         100 * expm1(r.low), 100 * expm1(r.high));
        }
}

/* Children, and whether the second of a pair works fifty times as much. */
static struct forked {
    uint32_t children;
    int unequal;
} *forked;
static double work = 1;

static void *prepare_unequal(const gjb_shapes *shapes, const char *backend)
{
    const uint32_t child = getpid() == own ? 0 : forked->children++;
    const uint32_t pair = child / 2; /* which of them is forked first changes */
    work = forked->unequal && (child ^ pair) & 1 ? 50 : 1;
    return fake_wide.prepare(shapes, backend);
}

static void run_unequal(const void *prepared, const gjb_batch *batch)
{
    volatile double spent = 0;
    for (double left = 20 * work * (double)batch->pair_count; left > 0; left--)
        spent += left;
    fake_wide.run(prepared, batch);
}

/* So much that no neighbour hides it. */
Test(isolation, each_draw_forks_two_children_with_times_of_their_own)
{
    gjb_contender twin = fake_wide;
    gjb_isolation_row row;
    gjb_error error = {{0}};
    own = getpid();
    forked = mmap(NULL, sizeof *forked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(forked != MAP_FAILED);
    twin.prepare = prepare_unequal;
    twin.run = run_unequal;
    for (int i = 0; i < 2; i++) {
        *forked = (struct forked){0, i};
        cr_assert_eq(gjb_isolation_cost(gjb_base_point(2), &twin, 1, 0.05, NULL, &row, &error), 0, "%s",
                     error.text);
        cr_expect_eq(forked->children, 2 * GJB_ISOLATION_DRAWS);
        cr_expect_eq(row.between.log > log(4), i == 1, "%g", row.between.log);
        cr_expect_lt(row.ratio.log, log(4), "the first child does what this process does");
    }
}

/* A contender of which a block holds few pairs is asked for few. */
Test(isolation, calls_are_as_short_as_blocks)
{
    gjb_contender twin = fake_wide;
    gjb_isolation_row row;
    gjb_error error = {{0}};
    twin.run = run_unequal;
    work = 500; /* 10,000 additions a pair */
    cr_assert_eq(gjb_isolation_cost(gjb_base_point(2), &twin, 1, 0.01, NULL, &row, &error), 0, "%s", error.text);
    cr_expect_eq(row.point.call, 16);
    work = 1;
}

/* And answers with an axis. */
static void run_counting_axes(const void *prepared, const gjb_batch *batch)
{
    run_counting(prepared, batch);
    for (size_t i = 0; batch->axes && i < batch->pair_count; i++)
        memset((char *)batch->axes + i * batch->axis_stride, 1, batch->axis_stride);
}

/* As all else is: the fake answers here too, which is not timed. */
Test(isolation, what_starts_warm_is_timed_in_a_child)
{
    static const gjb_start warm = GJB_WARM;
    gjb_contender ours = fake_wide;
    const gjb_way way = {&ours, "wide"};
    own = getpid();
    asked = mmap(NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(asked != MAP_FAILED);
    ours.run = run_counting_axes;
    const gjb_plan_options options = {.dims = 1u << 2, .ways = &way, .way_count = 1, .shapes = few_shapes,
                                      .shape_count = 1, .queries = 1u << GJB_DISTANCE, .precisions = 1u << GJB_F32,
                                      .starts = &warm, .start_count = 1, .all_threads = 1};
    gjb_bench bench = measure(&options, (gjb_bench_settings){.seed = 1, .blocks = 3});
    cr_assert(bench.count == 1 && bench.rows[0].point.start == GJB_WARM, "%zu", bench.count);
    cr_expect_eq(asked->here, bench.rows[0].answered + bench.rows[0].pairs,
                 "answers, and the axes that they start from");
    cr_expect_gt(asked->apart, bench.rows[0].pairs);
    gjb_bench_free(&bench);
}

static void run_dying_apart(const void *prepared, const gjb_batch *batch)
{
    if (getpid() != own)
        abort();
    fake_wide.run(prepared, batch);
}

Test(isolation, the_same_pairs_are_timed_here_and_in_a_child)
{
    static volatile sig_atomic_t stop;
    gjb_isolation_row row;
    gjb_error error = {{0}};
    gjb_contender twin = fake_wide;
    own = getpid();
    asked = mmap(NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(asked != MAP_FAILED);
    twin.run = run_counting;
    for (int doubles = 0; doubles < 2; doubles++) {
        *asked = (struct asked){0, 0};
        twin.precisions = doubles ? 1u << GJB_F64 : 3;
        cr_assert_eq(gjb_isolation_cost(gjb_base_point(2), &twin, 1, 0.01, NULL, &row, &error), 0, "%s",
                     error.text);
        cr_expect(row.blocks == GJB_ISOLATION_BLOCKS && row.point.precision == (doubles ? GJB_F64 : GJB_F32));
        cr_expect(row.ratio.low <= row.ratio.log && row.ratio.log <= row.ratio.high);
        cr_expect(row.ns_here > 0 && row.ns_child > 0);
        cr_expect(asked->apart >= 4 * row.point.call * GJB_ISOLATION_BLOCKS && 2 * asked->here > asked->apart,
                  "two children; more calls here, to know how many fill a block");
        cr_expect(isfinite(row.between.low) && row.between.low <= row.between.high);
        json_t *json = gjb_isolation_json(&row, 1);
        cr_expect_eq(json_array_size(json), 1);
        json_decref(json);
    }
    stop = 1;
    cr_assert_eq(gjb_isolation_cost(gjb_base_point(3), &twin, 1, 0.01, &stop, &row, &error), 0);
    cr_expect_eq(row.blocks, 0);
    twin.run = run_dying_apart;
    cr_assert_eq(gjb_isolation_cost(gjb_base_point(2), &twin, 1, 0.01, NULL, &row, &error), -1);
    cr_expect(strstr(error.text, "wide"), "%s", error.text);
}
