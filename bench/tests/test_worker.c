/* A worker over its protocol: the same answers wherever memory is, errors that do not end it, slowed contenders. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare/injected_slowdown.h"
#include "bench/compare/worker.h"
#include "bench/tests/fakes.h"
#include "contenders/table.h"
#include "core/query.h"
#include "scenes/generate/generate.h"

/* What is said to `lines`, an array of so many replies, hello first. */
static json_t *serve(const gjb_plan *plan, double slow, const char *lines)
{
    gjb_error error = {{0}};
    const gjb_worker_settings settings = {.seed = 1, .slow = slow};
    char *said = NULL;
    size_t size = 0;
    FILE *in = fmemopen((void *)(uintptr_t)lines, strlen(lines), "r"), *out = open_memstream(&said, &size);
    cr_assert_eq(gjb_worker_serve(plan, &settings, json_object(), in, out, &error), 0, "%s", error.text);
    fclose(in);
    fclose(out);
    json_t *replies = json_array();
    for (char *line = strtok(said, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *reply = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        cr_assert_not_null(reply, "%s", line);
        json_array_append_new(replies, reply);
    }
    free(said);
    return replies;
}

static gjb_plan plan_of(const gjb_way *way)
{
    static const uint32_t shapes[] = {64};
    const gjb_plan_options options = {.dims = 3u << 2,
                                      .ways = way,
                                      .way_count = 1,
                                      .shapes = shapes,
                                      .shape_count = 1,
                                      .queries = 1u << GJB_DISTANCE,
                                      .precisions = 1u << GJB_F32,
                                      .all_threads = 1};
    gjb_plan plan = {0};
    gjb_error error = {{0}};
    cr_assert_eq(gjb_plan_make(&plan, &options, &error), 0, "%s", error.text);
    return plan;
}

static const char *text(const json_t *replies, size_t i, const char *key)
{
    const char *value = json_string_value(json_object_get(json_array_get(replies, i), key));
    return value ? value : "";
}

/* Wherever they lie in memory, and whether some are answered twice, answers and counts are the same. */
Test(worker, answers_are_the_same_at_any_place)
{
    const gjb_way way = {gjb_contender_find("batch"), "scalar"};
    gjb_plan plan = plan_of(&way);
    const char *lines = "open 0\nanswer\nturns 192 0 00\nmove 1\nanswer\nturns 192 1 1\nshuffle "
                        "2\nanswer\nopen 1\nanswer\nopen 0\nanswer\n";
    json_t *as_is = serve(&plan, 0, lines), *slowed = serve(&plan, 0.05, lines);
    cr_assert_eq(json_array_size(as_is), 13);
    cr_expect_eq(json_array_size(json_object_get(json_array_get(as_is, 0), "points")), plan.count);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(as_is, 0), "gjkbench_worker")),
                 GJB_WORKER_PROTOCOL);
    json_t *first = json_array_get(as_is, 2);
    cr_expect_neq(json_integer_value(json_object_get(first, "answered")), 0);
    static const size_t again[] = {5, 8, 12};
    for (size_t i = 0; i < sizeof again / sizeof *again; i++) {
        cr_expect(json_equal(first, json_array_get(as_is, again[i])), "reply %zu", again[i]);
        cr_expect(json_equal(first, json_array_get(slowed, again[i])), "reply %zu, slowed", again[i]);
    }
    cr_expect_not(json_equal(first, json_array_get(as_is, 10)), "the other dimension has other answers");
    for (size_t i = 3; i < 7; i += 3) {
        const json_t *blocks = json_object_get(json_array_get(as_is, i), "blocks"),
                     *block = json_array_get(blocks, 0);
        cr_expect_eq(json_array_size(blocks), i == 3 ? 2 : 1);
        cr_expect(json_number_value(json_array_get(block, 0)) > 0);
        cr_expect_eq(json_integer_value(json_array_get(block, 2)), 192);
    }
    json_decref(as_is);
    json_decref(slowed);
    gjb_plan_free(&plan);
}

/* Frames of 30 and 10 pairs, whatever number a block is to have. */
Test(worker, frames_stay_whole)
{
    const gjb_recipe recipe = {.workload = "box", .family = "mixed", .seed = 1, .dim = 2, .pairs = 40, .shapes = 16};
    gjb_error error = {{0}};
    gjb_scene *made = gjb_generate(&recipe, &error);
    cr_assert_not_null(made, "%s", error.text);
    gjb_frame frames[2] = {made->frames[0], made->frames[0]};
    frames[0].pair_count = 30;
    frames[1].pairs += 2 * (size_t)30;
    frames[1].pair_count = 10;
    gjb_scene scene = *made;
    scene.frames = frames;
    scene.frame_count = 2;
    gjb_bench_case point = *gjb_base_point(2);
    point.query = GJB_DISTANCE;
    point.recorded = &scene;
    point.way = (gjb_way){&fake_single, NULL};
    gjb_bench_case_by_frame(&point);
    const gjb_plan plan = {.points = &point, .count = 1, .capacity = 1};
    json_t *replies = serve(&plan, 0, "open 0\nturns 1 0 0\nturns 40 0 0\n");
    cr_assert_eq(json_array_size(replies), 4);
    for (size_t i = 2; i < 4; i++) {
        const json_t *blocks = json_object_get(json_array_get(replies, i), "blocks");
        cr_expect_eq(json_integer_value(json_array_get(json_array_get(blocks, 0), 2)), i == 2 ? 10 : 40,
                     "after a frame of 30 that is not timed, of both");
    }
    json_decref(replies);
    gjb_scene_free(made);
}

Test(worker, what_makes_no_sense_is_an_error_and_it_goes_on)
{
    const gjb_way way = {&fake_single, NULL};
    gjb_plan plan = plan_of(&way);
    json_t *replies =
        serve(&plan, 0,
              "turns 1 0 0\nanswer\nshuffle 1\nopen 99\nopen\nopen 0\nturns 0 0 0\nturns x\nturns 1 0 0 "
              "0\nfoo\nmove 3\nturns 256 0 2\nturns 256 0 11\nturns 256 1 111\nturns 64 0 0\n");
    char beyond[64];
    snprintf(beyond, sizeof beyond, "open 99: there are %zu points", plan.count);
    const char *const words[] = {"",
                                 "no point is open",
                                 "no point is open",
                                 "no point is open",
                                 beyond,
                                 "no point is open",
                                 "",
                                 "what is 'turns 0 0 0'?",
                                 "what is 'turns x'?",
                                 "what is 'turns 1 0 0 0'?",
                                 "what is 'foo'?",
                                 "",
                                 "what is 'turns 256 0 2'?",
                                 "",
                                 "",
                                 ""};
    cr_assert_eq(json_array_size(replies), sizeof words / sizeof *words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_expect_str_eq(text(replies, i, "error"), words[i], "reply %zu", i);
    json_decref(replies);
    gjb_plan_free(&plan);
}

Test(slowed, so_large_a_part_is_answered_twice)
{
    const gjb_contender *slow = gjb_slowed(&fake_wide, 0.05);
    uint32_t pairs[2 * 90] = {0};
    gjb_result3d results[90];
    gjb_batch batch = {.query = GJB_DISTANCE,
                       .pairs = pairs,
                       .pair_count = 90,
                       .results = results,
                       .result_stride = sizeof *results};
    gjb_shapes shapes = {.dim = 2, .precision = GJB_F32};
    void *prepared = slow->prepare(&shapes, "narrow");
    const uint64_t before = fake->pairs;
    for (int i = 0; i < 1000; i++)
        slow->run(prepared, &batch);
    slow->release(prepared);
    const uint64_t done = fake->pairs - before;
    cr_expect(done >= 94499 && done <= 94500, "%ju pairs for 90000", (uintmax_t)done);
}
