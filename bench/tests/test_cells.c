/* Cells: who is a rival, by which of its answers, what counts as lost, and what is measured for them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cells.h"
#include "bench/tests/fakes.h"
#include "core/query.h"

static gjb_contender batch = {.name = "batch", .ours = 1}, reference = {.name = "reference", .ours = 1},
                     one = {.name = "one"}, two = {.name = "two"}, three = {.name = "three"};

/* Of a thousand graded answers, so many are wrong; negative: none is graded. */
static gjb_measurement row(const gjb_contender *who, const char *family, double ns, int wrong)
{
    gjb_measurement m = {.point = *gjb_base_point(2)};
    m.point.way = (gjb_way){who, who == &batch ? "wide" : NULL};
    snprintf(m.point.family, sizeof m.point.family, "%s", family);
    m.ns.median = ns;
    if (wrong >= 0)
        m.grade = (gjb_bench_grade){.graded = 1000, .wrong = 900, .wrong_1e3 = (uint64_t)wrong};
    return m;
}

static gjb_cells rank(gjb_measurement *rows, size_t count)
{
    const gjb_bench bench = {.rows = rows, .count = count};
    gjb_cells cells = {0};
    cr_assert_eq(gjb_cells_rank(&cells, &bench), 0);
    return cells;
}

Test(cells, worst_first_with_what_is_lost_and_what_has_no_peer)
{
    gjb_measurement rows[] = {
        row(&batch, "far", 10, 0),   row(&one, "far", 30, 1),   row(&two, "far", 5, 2),   /* below 4 */
        row(&batch, "near", 10, 0),  row(&one, "near", 8, 0),   row(&two, "near", 9, 0),  /* lost */
        row(&batch, "deep", 10, 0),  row(&one, "deep", 1, 11),  row(&two, "deep", 1, 500), /* no peer */
        row(&batch, "mixed", 10, 0), row(&one, "mixed", 40, 0), row(&reference, "mixed", 1, 0),
    };
    gjb_cells cells = rank(rows, sizeof rows / sizeof *rows);
    const gjb_measurement *const ours[] = {&rows[3], &rows[0], &rows[9], &rows[6]},
                          *const rivals[] = {&rows[4], &rows[1], &rows[10], NULL};
    const double ratios[] = {0.8, 3, 4, NAN};
    cr_assert_eq(cells.count, 4, "the reference is none of them");
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(cells.all[i].ours, ours[i], "cell %zu", i);
        cr_expect_eq(cells.all[i].rival, rivals[i], "cell %zu", i);
        cr_expect_eq(cells.all[i].judged, i < 3 ? GJB_RIGHT_PEER : GJB_NO_PEER, "cell %zu", i);
        cr_expect(i == 3 ? isnan(cells.all[i].ratio) : fabs(cells.all[i].ratio - ratios[i]) < 1e-12, "cell %zu", i);
    }
    cr_expect_eq(cells.lost, 1);
    cr_expect_eq(cells.below_4, 2, "four times as fast is not below");
    cr_expect_eq(cells.no_peer, 1, "and is neither lost nor below 4");
    gjb_cells_free(&cells);
}

/* Off in 0.5% is a rival only if none is right, however slow that one is; the fastest of equals. */
Test(cells, who_is_nearly_right_stands_in)
{
    gjb_measurement rows[] = {
        row(&batch, "far", 10, 0),  row(&one, "far", 8, 5),   row(&two, "far", 7, 10),  row(&three, "far", 1, 11),
        row(&batch, "near", 10, 0), row(&one, "near", 90, 1), row(&two, "near", 7, 10),
    };
    gjb_cells cells = rank(rows, sizeof rows / sizeof *rows);
    cr_assert_eq(cells.count, 2);
    cr_expect_eq(cells.all[0].rival, &rows[2]);
    cr_expect_eq(cells.all[0].judged, GJB_NEARLY_RIGHT);
    cr_expect_str_eq(gjb_judged_name(cells.all[0].judged), "1% off");
    cr_expect_float_eq(cells.all[0].wrong, 0.01, 1e-12);
    cr_expect_eq(cells.all[1].rival, &rows[5]);
    cr_expect_eq(cells.all[1].judged, GJB_RIGHT_PEER);
    cr_expect_eq(cells.lost, 1);
    gjb_cells_free(&cells);
}

/* Booleans of pairs that touch: other families of the query and workload decide, else other workloads; of a contender
 * that was never graded nothing is known. */
Test(cells, what_is_not_graded_is_judged_by_other_families)
{
    gjb_measurement rows[] = {
        row(&batch, "touching", 10, -1), row(&one, "touching", 2, -1), row(&two, "touching", 5, -1),
        row(&three, "touching", 1, -1),  row(&one, "far", 1, 300),     row(&one, "far", 1, 0),
        row(&two, "far", 1, 0),          row(&two, "near", 1, 1),      row(&two, "far", 1, 300),
        row(&two, "far", 1, 300),
    };
    const size_t count = sizeof rows / sizeof *rows;
    strcpy(rows[5].point.workload, "box"); /* right elsewhere does not help */
    strcpy(rows[8].point.workload, "box"); /* nor does wrong elsewhere harm */
    rows[9].point.query = GJB_DISTANCE;
    gjb_cells cells = rank(rows, count);
    cr_assert_eq(cells.count, 1);
    cr_expect_eq(cells.all[0].rival, &rows[2]);
    cr_expect_eq(cells.all[0].judged, GJB_RIGHT_PEER);
    cr_expect_float_eq(cells.all[0].wrong, 1.0 / 2000, 1e-12);
    gjb_cells_free(&cells);

    gjb_measurement unknown[] = {rows[0], rows[3]};
    cells = rank(unknown, 2);
    cr_expect_eq(cells.no_peer, 1);
    gjb_cells_free(&cells);
}

/* Of times of impact those count that are off by more than the contender documents. */
Test(cells, times_of_impact_have_no_share_of_the_size)
{
    gjb_measurement rows[] = {row(&batch, "approach", 10, 0), row(&one, "approach", 5, 900),
                              row(&two, "approach", 2, 0)};
    for (size_t i = 0; i < 3; i++)
        rows[i].point.query = GJB_TOI;
    rows[1].grade.wrong = 1;
    gjb_cells cells = rank(rows, 3);
    cr_expect_eq(cells.all[0].rival, &rows[1]);
    gjb_cells_free(&cells);
}

Test(cells, rivals_are_of_the_same_call_and_scene)
{
    gjb_measurement rows[] = {row(&batch, "far", 10, 0), row(&one, "far", 5, 0)};
    rows[1].point.call = 16;
    gjb_cells cells = rank(rows, 2);
    cr_expect_eq(cells.no_peer, 1);
    gjb_cells_free(&cells);
}

/* The geometric mean of the six scenes that were recorded first is apart from that of the new ones. */
Test(cells, new_recordings_are_in_no_mean_with_the_first)
{
    static const struct {
        const char *workload, *family;
        double ns;
        int wrong;
    } of[] = {{"box2d-pile", "recorded", 20, 0},
              {"bullet-heap", "recorded", 80, 0},
              {"bullet-rest", "recorded", 30, 0},
              {"box2d-level", "recorded", 10, 5},
              {"polygon8", "far", 1, 0}};
    enum { COUNT = sizeof of / sizeof *of };
    static const gjb_scene scene = {0};
    gjb_measurement rows[2 * COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        rows[2 * i] = row(&batch, of[i].family, 10, 0);
        rows[2 * i + 1] = row(&one, of[i].family, of[i].ns, of[i].wrong);
        for (size_t k = 2 * i; k < 2 * i + 2; k++) {
            rows[k].point.recorded = i + 1 < COUNT ? &scene : NULL;
            strcpy(rows[k].point.workload, of[i].workload);
        }
    }
    gjb_cells cells = rank(rows, 2 * COUNT);
    cr_expect_eq(cells.first.cells, 2);
    cr_expect_float_eq(cells.first.ratio, 4, 1e-12);
    cr_expect_eq(cells.recent.cells, 1, "nearly right is not right");
    cr_expect_float_eq(cells.recent.ratio, 3, 1e-12);
    size_t marked = 0;
    for (size_t i = 0; i < cells.count; i++)
        marked += (size_t)gjb_cell_is_new(&cells.all[i]);
    cr_expect_eq(marked, 2);
    gjb_cells_free(&cells);
}

static json_t *json_of(const gjb_cells *cells)
{
    json_t *root = json_object();
    cr_assert_eq(gjb_cells_add_json(cells, root), 0);
    return root;
}

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

Test(cells, json_has_counts_and_how_each_was_judged)
{
    gjb_measurement rows[] = {row(&batch, "far", 10, 0), row(&one, "far", 5, 0), row(&batch, "deep", 10, 0)};
    rows[2].point.by_frame = 1;
    gjb_cells cells = rank(rows, 3);
    json_t *root = json_of(&cells), *summary = json_object_get(root, "summary");
    cr_expect_eq(number(summary, "cells"), 2);
    cr_expect_eq(number(summary, "lost"), 1);
    cr_expect_eq(number(summary, "below_4"), 1);
    cr_expect_eq(number(summary, "no_right_peer"), 1);
    const json_t *lost = json_array_get(json_object_get(root, "cells"), 0),
                 *none = json_array_get(json_object_get(root, "cells"), 1);
    static const char *const words[][2] = {
        {"query", "intersect"}, {"workload", "polygon8"}, {"family", "far"}, {"call", "4096"}, {"precision", "f32"},
        {"backend", "wide"},    {"rival", "one"},         {"judged", "right"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_expect_str_eq(json_string_value(json_object_get(lost, words[i][0])), words[i][1]);
    cr_expect_float_eq(json_real_value(json_object_get(lost, "ratio")), 0.5, 1e-12);
    cr_expect_float_eq(json_real_value(json_object_get(lost, "wrong_share")), 0, 1e-12);
    cr_expect_str_eq(json_string_value(json_object_get(none, "judged")), "none");
    cr_expect_str_eq(json_string_value(json_object_get(none, "call")), "frame");
    cr_expect_null(json_object_get(none, "ratio"));
    json_decref(root);
    gjb_cells_free(&cells);
}

Test(cells, lines_have_at_most_100_columns)
{
    static gjb_contender long_name = {.name = "a-library-with-a-name-that-is-as-long-as-none"};
    gjb_measurement rows[] = {row(&batch, "approach-turn", 123456, 0), row(&long_name, "approach-turn", 1e9, 0),
                              row(&batch, "approach-turn", 12, 0)};
    for (size_t i = 0; i < 3; i++) {
        strcpy(rows[i].point.workload, "rounded-superellipsoid");
        rows[i].point.query = GJB_SIGNED_DISTANCE;
    }
    rows[2].point.way.backend = "avx512vl";
    gjb_cells cells = rank(rows, 3);
    static const gjb_bench_paint plain = {"", "", "", ""};
    char *said = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&said, &size);
    gjb_cells_print(&cells, stream, &plain);
    fclose(stream);
    size_t lines = 0;
    for (char *line = strtok(said, "\n"); line; line = strtok(NULL, "\n"), lines++)
        cr_expect_leq(strlen(line), 100, "%s", line);
    cr_expect_eq(lines, 1 + 2 + 1 + 5);
    free(said);
    gjb_cells_free(&cells);
}

static size_t count_points(const gjb_plan *plan, const char *family, uint32_t call, uint32_t queries)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const gjb_bench_case *p = &plan->points[i];
        count += (!family || !strcmp(p->family, family)) && (!call || p->call == call) && queries >> p->query & 1;
    }
    return count;
}

static gjb_plan plan_of(const gjb_plan_options *options)
{
    gjb_plan plan = {0};
    gjb_error error = {{0}};
    cr_assert_eq(gjb_cells_plan(&plan, options, &error), 0, "%s", error.text);
    return plan;
}

/* Two workloads, of a contender that answers four queries at rest. */
Test(cells, what_is_named_narrows_the_plan)
{
    const char *workloads[] = {"polygon8", "mixed-kinds"}, *families[] = {"far", "mixed"};
    const uint32_t calls[] = {64, 4096};
    const gjb_way way = {&fake_wide, "wide"};
    gjb_plan_options options = {.ways = &way, .way_count = 1, .dims = 1u << 2, .workloads = workloads,
                                .workload_count = 2};
    gjb_plan plan = plan_of(&options);
    cr_expect_eq(plan.count, 2 * 4 * (7 + 3));
    cr_expect_eq(count_points(&plan, NULL, 4096, 15), 2 * 4 * 7);
    cr_expect_eq(count_points(&plan, "mixed", 1, 15), 2 * 4);
    gjb_plan_free(&plan);

    options.queries = 1u << GJB_DISTANCE;
    options.families = families, options.family_count = 2;
    plan = plan_of(&options);
    cr_expect_eq(plan.count, 2 * (2 + 3));
    gjb_plan_free(&plan);

    options.calls = calls, options.call_count = 2;
    plan = plan_of(&options);
    cr_expect_eq(plan.count, 2 * 2 * 2);
    gjb_plan_free(&plan);

    options.family_count = 0;
    plan = plan_of(&options);
    cr_expect_eq(plan.count, 2 * (7 + 1), "64 at the family at which calls vary");
    gjb_plan_free(&plan);
}

/* Fed f64 in both, a contender that has nothing else is a rival in cells of either precision. */
Test(cells, who_has_one_precision_is_asked_about_scenes_of_both)
{
    const char *workloads[] = {"polygon8"}, *families[] = {"far"};
    const gjb_way ways[] = {{&fake_wide, "wide"}, {&fake_double, NULL}};
    gjb_plan_options options = {.ways = ways, .way_count = 2, .dims = 1u << 2, .queries = 1u << GJB_DISTANCE,
                                .precisions = 3, .workloads = workloads, .workload_count = 1, .families = families,
                                .family_count = 1};
    gjb_plan plan = plan_of(&options);
    size_t of[GJB_PRECISIONS] = {0};
    char name[GJB_BENCH_CASE_NAME];
    cr_assert_eq(plan.count, 4);
    for (size_t i = 0; i < plan.count; i++)
        of[plan.points[i].scene_precision] += plan.points[i].way.contender == &fake_double;
    cr_expect(of[GJB_F32] == 1 && of[GJB_F64] == 1, "of f32 %zu, of f64 %zu", of[GJB_F32], of[GJB_F64]);
    cr_expect_str_eq(gjb_bench_case_name(&plan.points[3], name),
                     "2d/distance/polygon8/far/shapes:4096/scene:f64/double/-/f64");
    for (size_t i = 0; i < 3; i++)
        cr_expect_null(strstr(gjb_bench_case_name(&plan.points[i], name), "/scene:"), "%s", name);
    gjb_plan_free(&plan);
}

Test(cells, recordings_take_part_frame_by_frame)
{
    gjb_scene scene = {.shapes = {.dim = 2, .count = 57}, .body_count = 57};
    const gjb_recording recording[] = {{"box2d-pile", &scene}};
    const gjb_way ways[] = {{&fake_wide, "wide"}, {&fake_single, NULL}};
    gjb_plan_options options = {.ways = ways, .way_count = 2, .dims = 1u << 2, .queries = 1u << GJB_DISTANCE,
                                .recordings = recording, .recording_count = 1};
    gjb_plan plan = plan_of(&options);
    cr_expect_eq(count_points(&plan, "recorded", 0, 15), 2);
    gjb_plan_free(&plan);
    const char *families[] = {"far"};
    options.families = families, options.family_count = 1;
    plan = plan_of(&options);
    cr_expect_eq(count_points(&plan, "recorded", 0, 15), 0, "a family is named, and it is none");
    gjb_plan_free(&plan);
}

Test(cells, without_ours_there_is_nothing_to_compare)
{
    const gjb_way way = {&fake_single, NULL};
    gjb_plan_options options = {.ways = &way, .way_count = 1};
    gjb_plan plan = {0};
    gjb_error error = {{0}};
    cr_expect_eq(gjb_cells_plan(&plan, &options, &error), -1);
    cr_expect(strstr(error.text, "not among the selected contenders"), "%s", error.text);
    gjb_plan_free(&plan);
    options.queries = 1u << GJB_SWEEP;
    error = (gjb_error){{0}};
    cr_expect_eq(gjb_cells_plan(&plan, &options, &error), -1);
    cr_expect(strstr(error.text, "nothing to measure"), "%s", error.text);
    gjb_plan_free(&plan);
}
