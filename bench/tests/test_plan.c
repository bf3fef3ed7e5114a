/* Plans: unique names, the points of each sweep and map, sizes of scenes, and refusal of bad input. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tests/fakes.h"
#include "core/query.h"
#include "scenes/generate/generate.h"

static gjb_plan make(const gjb_plan_options *options)
{
    gjb_plan plan = {0};
    gjb_error error = {{0}};
    cr_assert_eq(gjb_plan_make(&plan, options, &error), 0, "%s", error.text);
    return plan;
}

static void refuse(const gjb_plan_options *options, const char *says)
{
    gjb_plan plan = {0};
    gjb_error error = {{0}};
    cr_expect_eq(gjb_plan_make(&plan, options, &error), -1, "accepted what should say '%s'", says);
    cr_expect(strstr(error.text, says), "'%s' does not say '%s'", error.text, says);
    gjb_plan_free(&plan);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void expect_unique(const gjb_plan *plan)
{
    char(*names)[GJB_BENCH_CASE_NAME] = malloc(plan->count * sizeof *names);
    for (size_t i = 0; i < plan->count; i++)
        gjb_bench_case_name(&plan->points[i], names[i]);
    qsort(names, plan->count, sizeof *names, compare_names);
    for (size_t i = 1; i < plan->count; i++)
        cr_expect_str_neq(names[i - 1], names[i]);
    free(names);
}

static size_t count_sweep(const gjb_plan *plan, const char *name)
{
    size_t count = 0;
    for (size_t s = 0; s < gjb_sweep_count; s++)
        for (size_t i = 0; i < plan->count && !strcmp(gjb_sweeps[s].name, name); i++)
            count += plan->points[i].sweeps >> s & 1;
    return count;
}

Test(plan, names_say_what_differs_from_the_base)
{
    char name[GJB_BENCH_CASE_NAME];
    gjb_bench_case p = *gjb_base_point(2);
    p.query = GJB_DISTANCE;
    p.way = fake_ways[2];
    cr_expect_str_eq(gjb_bench_case_name(&p, name), "2d/distance/polygon8/mixed/shapes:4096/wide/wide/f32");
    p.call = 64;
    cr_expect_str_eq(gjb_bench_case_name(&p, name),
                     "2d/distance/polygon8/mixed/shapes:4096/call:64/wide/wide/f32");
    p.threads = 2;
    p.way = fake_ways[4];
    p.precision = GJB_F64;
    p.query = GJB_INTERSECT;
    cr_expect_str_eq(gjb_bench_case_name(&p, name),
                     "2d/intersect/polygon8/mixed/shapes:4096/call:64/threads:2/double/-/f64");
    p = *gjb_base_point(3);
    p.way = fake_ways[3];
    cr_expect_str_eq(gjb_bench_case_name(&p, name), "3d/intersect/hull16/mixed/shapes:4096/single/-/f32");
}

Test(plan, every_size_has_unique_names_and_every_point_a_sweep)
{
    for (int size = 0; size < GJB_PLAN_SIZES; size++) {
        gjb_plan plan = make(&(gjb_plan_options){.size = (gjb_plan_size)size, .ways = fake_ways, .way_count = 6,
                                                 .all_threads = 2});
        expect_unique(&plan);
        for (size_t i = 0; i < plan.count; i++) {
            const gjb_bench_case *p = &plan.points[i];
            cr_expect(p->sweeps);
            cr_expect(p->way.contender->queries >> p->query & 1);
            cr_expect(p->way.contender->precisions >> p->precision & 1);
        }
        gjb_plan_free(&plan);
    }
}

/* Counted by hand: intersect has six ways, distance and penetration five,
 * signed distance four. In 3D there are the three ways of `wide` and `single`,
 * which is not ours. */
static void expect_sweeps(uint32_t dim, const size_t wanted[][2], size_t count)
{
    static const char *const names[] = {"base", "shapes", "families", "vertices", "calls",
                                        "threads", "precision", "kinds", "real", "scenes", "map-vertices",
                                        "map-shapes", "families-box", "families-f64", "vertices-f64", "kinds-f64",
                                        "families-curved", "calls-kinds"};
    gjb_plan plan = make(&(gjb_plan_options){.size = GJB_PLAN_DEFAULT, .ways = fake_ways, .way_count = 6,
                                             .all_threads = 2, .dims = 1u << dim});
    cr_assert_eq(count, sizeof names / sizeof *names);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(count_sweep(&plan, names[i]), wanted[i][0] * wanted[i][1], "%uD %s: %zu", dim, names[i],
                     count_sweep(&plan, names[i]));
    for (size_t i = 0; i < plan.count; i++)
        cr_expect_eq(plan.points[i].dim, dim);
    gjb_plan_free(&plan);
}

Test(plan, default_sweeps_have_the_points_that_they_should)
{
    /* of seven vertex counts `single` takes four; the double contender is in "precision" already: an f32 scene is
     * widened for it */
    expect_sweeps(2, (const size_t[][2]){{1, 6 + 5 + 5 + 4}, {9, 6 + 5 + 5}, {7, 5 + 4 + 4 + 3},
                                         {1, 7 * (4 + 3 + 3 + 3) + 4 * 3},
                                         {9, 4 + 3 + 3}, {2, 4 + 3 + 3}, {4, 4}, {9, 4 + 3 + 3}, {0, 0}, {0, 0},
                                         {5, 4 * (3 + 2 + 2) + 3 * 3}, {4 * 4, 4 + 3 + 3}, {0, 0},
                                         {7, 4 + 4}, {3, 4 + 4}, {3, 4 + 4}, {2 * 2, 4 + 3 + 3 + 2}, {6, 4 + 3 + 3}}, 18);
    /* Two base points. `single` takes hulls of up to 16 vertices, and 16,384 shapes. */
    expect_sweeps(3,
                  (const size_t[][2]){{2, 4 + 4 + 4 + 3},
                                      {1, 6 * 3 * 2 + 4 * 3},
                                      {7, 3 * 3 + 2},
                                      {1, 11 * (3 * 2 + 2) + 4 * 3},
                                      {6, 2 * 3},
                                      {2, 2 * 3},
                                      {4, 3},
                                      {1, 12 * 3 + 12 * 3},
                                      {1, 3 * 3 + 1 * 3},
                                      {0, 0},
                                      {5, 4 * 3 + 3 * 3},
                                      {4 * 4, 2 * 3},
                                      {7, 4 + 3},
                                      {7, 4},
                                      {4, 4},
                                      {5, 4},
                                      {3 * 2, 4 + 3},
                                      {6, 2 * 3}},
                  18);
}

/* A map has every value of one factor with every one of the other, and nothing else differs from the base. */
Test(plan, maps_vary_two_factors)
{
    for (uint32_t dim = 2; dim <= 3; dim++) {
        gjb_plan plan = make(&(gjb_plan_options){.size = GJB_PLAN_DEFAULT, .ways = fake_ways, .way_count = 1,
                                                 .queries = 1, .all_threads = 2, .dims = 1u << dim});
        size_t seen[2] = {0, 0};
        for (size_t i = 0; i < plan.count; i++)
            for (size_t s = 0; s < gjb_sweep_count; s++) {
                const gjb_bench_case *p = &plan.points[i], *base = gjb_base_point(dim);
                if (!(p->sweeps >> s & 1) || strncmp(gjb_sweeps[s].name, "map-", 4))
                    continue;
                const int shapes = !strcmp(gjb_sweeps[s].name, "map-shapes");
                seen[shapes]++;
                cr_expect_eq(p->threads, base->threads);
                cr_expect_eq(p->precision, base->precision);
                if (shapes)
                    cr_expect(!strcmp(p->workload, base->workload) && !strcmp(p->family, base->family));
                else
                    cr_expect(strcmp(p->family, "mixed") &&
                              (p->shapes == base->shapes || gjb_bench_case_vertices(p) > 64));
            }
        cr_expect_eq(seen[0], 4 * 5);
        cr_expect_eq(seen[1], 4 * 4);
        gjb_plan_free(&plan);
    }
}

Test(plan, large_shapes_come_in_smaller_numbers)
{
    const char *workloads[] = {"hull64", "hull512", "hull4096"};
    gjb_plan plan = make(&(gjb_plan_options){.ways = fake_ways, .way_count = 1, .queries = 1, .precisions = 1,
                                             .workloads = workloads, .workload_count = 3, .dims = 1u << 3});
    cr_assert_eq(plan.count, 3);
    const uint32_t shapes[] = {4096, 512, 64}, calls[] = {4096, 2048, 256};
    const uint64_t pairs[] = {16384, 8192, 1024}, answers[] = {4096, 2048, 256}, grades[] = {512, 64, 32};
    for (size_t i = 0; i < 3; i++) {
        const gjb_bench_case *p = &plan.points[i];
        cr_expect_eq(p->shapes, shapes[i]);
        cr_expect_eq(p->call, calls[i]);
        cr_expect_eq(gjb_bench_case_pairs(p), pairs[i]);
        cr_expect_eq(gjb_bench_case_answers(p), answers[i]);
        cr_expect_eq(gjb_bench_case_grades(p), grades[i]);
    }
    gjb_plan_free(&plan);

    const uint32_t asked[] = {1000};
    plan = make(&(gjb_plan_options){.ways = fake_ways,
                                    .way_count = 1,
                                    .queries = 1,
                                    .precisions = 1,
                                    .shapes = asked,
                                    .shape_count = 1,
                                    .workloads = workloads + 2,
                                    .workload_count = 1});
    cr_assert_eq(plan.count, 1);
    cr_expect_eq(plan.points[0].shapes, 1000, "what is asked for stays");
    gjb_plan_free(&plan);
}

/* Right is who is wrong in 0.1% at most: of a thousand pairs, one by chance would decide. */
Test(plan, base_points_are_graded_on_ten_thousand_pairs)
{
    for (size_t i = 0; i < gjb_base_point_count; i++) {
        gjb_bench_case p = gjb_base_points[i];
        if (strcmp(p.family, "mixed")) /* in motion */
            continue;
        cr_expect_geq(gjb_bench_case_grades(&p), 10000);
        cr_expect_geq(gjb_bench_case_pairs(&p), gjb_bench_case_grades(&p));
        cr_expect_geq(gjb_bench_case_answers(&p), gjb_bench_case_grades(&p),
                      "a fingerprint speaks for all that is graded");
        strcpy(p.family, "far");
        cr_expect_leq(gjb_bench_case_grades(&p), 1024);
    }
}

Test(plan, a_brief_plan_asks_and_grades_less_and_no_more_than_it_asks)
{
    gjb_plan_options options = {.ways = fake_ways, .way_count = 1, .size = GJB_PLAN_QUICK};
    gjb_plan whole = make(&options);
    options.brief = 1;
    gjb_plan brief = make(&options);
    cr_assert_eq(brief.count, whole.count, "of the same points");
    for (size_t i = 0; i < brief.count; i++) {
        const gjb_bench_case *p = &brief.points[i];
        cr_expect(gjb_bench_case_answers(p) <= gjb_bench_case_answers(&whole.points[i]) &&
                  gjb_bench_case_answers(p) <= 2048);
        cr_expect(gjb_bench_case_grades(p) > 0 && gjb_bench_case_grades(p) <= gjb_bench_case_answers(p));
        cr_expect(gjb_bench_case_grades(p) <= gjb_bench_case_grades(&whole.points[i]));
    }
    gjb_plan_free(&whole);
    gjb_plan_free(&brief);
}

Test(plan, what_a_dimension_lacks_is_left_out_of_it)
{
    const char *workloads[] = {"polygon8", "hull16", "box"};
    gjb_plan plan = make(&(gjb_plan_options){.ways = fake_ways, .way_count = 1, .queries = 1, .precisions = 1,
                                             .workloads = workloads, .workload_count = 3});
    cr_assert_eq(plan.count, 4, "polygons in 2D, hulls in 3D, boxes in both");
    cr_expect_not(gjb_bench_case_same_scene(&plan.points[1], &plan.points[3]), "boxes in 2D are not those in 3D");
    expect_unique(&plan);
    gjb_plan_free(&plan);
    gjb_plan_options alone = {.ways = fake_ways, .way_count = 1, .workloads = workloads, .workload_count = 1,
                              .dims = 1u << 3};
    refuse(&alone, "workload 'polygon8'");
}

Test(plan, listing_any_axis_makes_a_product)
{
    const char *workloads[] = {"box", "polygon32"}, *families[] = {"far", "deep"};
    const uint32_t shapes[] = {16, 64}, calls[] = {1}, threads[] = {1, 3};
    gjb_plan plan = make(&(gjb_plan_options){.dims = 1u << 2,
                                             .ways = fake_ways,
                                             .way_count = 4,
                                             .queries = 1u << GJB_DISTANCE,
                                             .precisions = 1u << GJB_F32,
                                             .workloads = workloads,
                                             .workload_count = 2,
                                             .families = families,
                                             .family_count = 2,
                                             .shapes = shapes,
                                             .shape_count = 2,
                                             .calls = calls,
                                             .call_count = 1,
                                             .threads = threads,
                                             .thread_count = 2,
                                             .all_threads = 2});
    cr_expect_eq(plan.count, (2u * 2 * 2) * 4 + (2u * 2 * 2) * 3); /* polygon32 is too much for `single` */
    expect_unique(&plan);
    gjb_plan_free(&plan);

    /* One axis: the base stands for the rest. */
    plan = make(&(gjb_plan_options){.dims = 1u << 2,
                                    .ways = fake_ways,
                                    .way_count = 1,
                                    .queries = 1,
                                    .precisions = 1,
                                    .shapes = shapes,
                                    .shape_count = 2,
                                    .all_threads = 2});
    cr_assert_eq(plan.count, 2);
    cr_expect_str_eq(plan.points[1].workload, gjb_base_point(2)->workload);
    cr_expect_eq(plan.points[1].call, gjb_base_point(2)->call);
    cr_expect_eq(plan.points[1].shapes, 64);
    gjb_plan_free(&plan);
}

Test(plan, scenes_have_enough_pairs_for_every_shape_and_call)
{
    gjb_bench_case p = *gjb_base_point(2);
    cr_expect_eq(gjb_bench_case_pairs(&p), 16384);
    p.shapes = 1000000;
    cr_expect_eq(gjb_bench_case_pairs(&p), 500000);
    p.shapes = 16;
    p.call = 65536;
    cr_expect_eq(gjb_bench_case_pairs(&p), 65536);
}

Test(plan, recordings_become_workloads)
{
    gjb_scene scene = {.shapes = {.dim = 2, .count = 57}, .body_count = 57};
    gjb_scene solid = {.shapes = {.dim = 3, .count = 9}, .body_count = 9};
    const gjb_recording recording[] = {{"box2d-pile", &scene}, {"bullet-heap", &solid}};
    gjb_plan plan = make(&(gjb_plan_options){.size = GJB_PLAN_DEFAULT, .ways = fake_ways, .way_count = 6,
                                             .all_threads = 1, .recordings = recording, .recording_count = 2});
    cr_expect_eq(count_sweep(&plan, "scenes"), (5 + 4 + 4) + 3 * 3);
    char name[GJB_BENCH_CASE_NAME];
    size_t named = 0;
    for (size_t i = 0; i < plan.count; i++)
        named += !strcmp(gjb_bench_case_name(&plan.points[i], name),
                         "2d/intersect/box2d-pile/recorded/shapes:57/call:frame/wide/wide/f32");
    cr_expect_eq(named, 1);
    named = 0;
    for (size_t i = 0; i < plan.count; i++)
        named += !strcmp(gjb_bench_case_name(&plan.points[i], name),
                         "3d/intersect/bullet-heap/recorded/shapes:9/call:frame/wide/wide/f32");
    cr_expect_eq(named, 1);
    expect_unique(&plan);
    gjb_plan_free(&plan);
}

/* As an engine asks; a number of pairs that is given divides the frames. */
Test(plan, a_call_of_a_recording_is_one_frame)
{
    uint32_t pairs[14] = {0};
    gjb_frame frames[] = {{.pairs = pairs, .pair_count = 3}, {.pairs = pairs, .pair_count = 7}, {.pair_count = 0}};
    gjb_scene scene = {.shapes = {.dim = 2, .count = 57}, .body_count = 57, .frames = frames, .frame_count = 3};
    const gjb_recording recording[] = {{"box2d-pile", &scene}};
    const char *workloads[] = {"box2d-pile", "polygon8"};
    const uint32_t calls[] = {4, 7};
    gjb_plan_options options = {.ways = fake_ways, .way_count = 4, .queries = 1, .precisions = 1, .dims = 1u << 2,
                                .workloads = workloads, .workload_count = 2, .recordings = recording,
                                .recording_count = 1};
    gjb_plan plan = make(&options);
    cr_assert_eq(plan.count, 2 * 4);
    for (size_t i = 0; i < plan.count; i++) {
        const gjb_bench_case *p = &plan.points[i];
        cr_expect_eq(p->by_frame, i < 4, "of all contenders");
        cr_expect_eq(p->call, i < 4 ? 7 : gjb_base_point(2)->call);
    }
    gjb_plan_free(&plan);

    options.calls = calls, options.call_count = 2;
    plan = make(&options);
    char name[GJB_BENCH_CASE_NAME];
    cr_assert_eq(plan.count, 2 * 2 * 4);
    for (size_t i = 0; i < plan.count; i++)
        cr_expect_not(plan.points[i].by_frame);
    cr_expect_str_eq(gjb_bench_case_name(&plan.points[4], name),
                     "2d/intersect/box2d-pile/recorded/shapes:57/call:7/wide/narrow/f32");
    expect_unique(&plan);
    gjb_plan_free(&plan);
}

/* Cold next to warm, of ours alone; the cold ones have the names that they had. */
Test(plan, warm_starts_are_points_of_ours)
{
    gjb_scene scene = {.shapes = {.dim = 2, .count = 57}, .body_count = 57};
    const gjb_recording recording[] = {{"box2d-pile", &scene}};
    const char *workloads[] = {"box2d-pile"};
    const gjb_start starts[] = {GJB_WARM, GJB_STALE};
    gjb_plan plan = make(&(gjb_plan_options){.size = GJB_PLAN_DEFAULT,
                                             .ways = fake_ways,
                                             .way_count = 6,
                                             .dims = 1u << 2,
                                             .all_threads = 1,
                                             .recordings = recording,
                                             .recording_count = 1});
    cr_expect_eq(count_sweep(&plan, "coherence"), 2 * 4);
    cr_expect_eq(count_sweep(&plan, "coherence-cost"), 2 * 2 * 4);
    for (size_t i = 0; i < plan.count; i++)
        cr_expect(!plan.points[i].start || plan.points[i].way.contender->ours);
    gjb_plan_free(&plan);

    plan = make(&(gjb_plan_options){.ways = fake_ways,
                                    .way_count = 3,
                                    .queries = 1u << GJB_DISTANCE,
                                    .precisions = 1,
                                    .workloads = workloads,
                                    .workload_count = 1,
                                    .recordings = recording,
                                    .recording_count = 1,
                                    .starts = starts,
                                    .start_count = 2,
                                    .dims = 1u << 2});
    char name[GJB_BENCH_CASE_NAME];
    cr_assert_eq(plan.count, 2 * 3);
    cr_expect_str_eq(gjb_bench_case_name(&plan.points[0], name),
                     "2d/distance/box2d-pile/recorded/shapes:57/call:frame/warm/wide/narrow/f32");
    expect_unique(&plan);
    gjb_plan_free(&plan);
}

/* Queries are asked about pairs that they are for. */
Test(plan, motion_has_points_of_its_own)
{
    gjb_contender moves = *fake_ways[0].contender;
    moves.queries = (1u << GJB_QUERIES) - 1;
    const gjb_way way = {&moves, "wide"};
    for (int size = 0; size < GJB_PLAN_SIZES; size++) {
        gjb_plan plan = make(
            &(gjb_plan_options){.size = (gjb_plan_size)size, .ways = &way, .way_count = 1, .all_threads = 1});
        expect_unique(&plan);
        size_t seen[GJB_QUERIES] = {0};
        for (size_t i = 0; i < plan.count; i++) {
            const gjb_bench_case *p = &plan.points[i];
            cr_expect(gjb_query_meets(p->query, gjb_family_find(p->family)->moving), "%s of %s",
                      gjb_queries[p->query].name, p->family);
            seen[p->query]++;
        }
        cr_expect(seen[GJB_SWEEP] && seen[GJB_TOI]);
        gjb_plan_free(&plan);
    }
    /* Without a family, those that the base points have. */
    const char *workloads[] = {"box"};
    gjb_plan plan = make(&(gjb_plan_options){.ways = &way,
                                             .way_count = 1,
                                             .queries = 1u << GJB_SWEEP | 1u << GJB_TOI,
                                             .precisions = 1,
                                             .workloads = workloads,
                                             .workload_count = 1,
                                             .dims = 1u << 2});
    cr_expect_eq(plan.count, 3, "sweep and toi of swept boxes, toi of turning ones");
    gjb_plan_free(&plan);
}

Test(plan, bad_input_is_named)
{
    const char *nothing[] = {"polygonal"};
    const uint32_t one[] = {1}, zero[] = {0}, many[] = {100000000};
    gjb_plan_options o = {.ways = fake_ways, .way_count = 6, .all_threads = 1};
    gjb_plan_options workload = o, family = o, shapes = o, call = o, threads = o, none = o;
    workload.workloads = nothing, workload.workload_count = 1;
    refuse(&workload, "workload 'polygonal'");
    family.families = nothing, family.family_count = 1;
    refuse(&family, "family 'polygonal'");
    shapes.shapes = one, shapes.shape_count = 1;
    refuse(&shapes, "--shapes 1:");
    shapes.shapes = many;
    refuse(&shapes, "--shapes 100000000:");
    call.calls = zero, call.call_count = 1;
    refuse(&call, "--batch 0:");
    threads.threads = zero, threads.thread_count = 1;
    refuse(&threads, "--threads 0:");
    none.way_count = 0;
    refuse(&none, "nothing to measure");
    none.ways = fake_ways + 4, none.way_count = 1, none.precisions = 1u << GJB_F32; /* it has f64 alone */
    refuse(&none, "nothing to measure");
}
