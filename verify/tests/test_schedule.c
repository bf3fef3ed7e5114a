/* Which pairs a sample takes: fair to every family at any moment, the same on every machine, and the same again. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"
#include "verify/verify_private.h"

enum { LISTED = 128 };
static gjb_verify_workload workloads[LISTED];
static const gjb_family *families[LISTED];
static gjb_verify_entry entries[2];

/* Every family on every workload of the tours, of the reference and of one that dies often. */
static gjb_verify_plan whole_plan(void)
{
    gjb_verify_plan plan = {.workloads = workloads, .families = families, .entries = entries, .entry_count = 2,
                            .queries = (1u << GJB_QUERIES) - 1, .precisions = (1u << GJB_PRECISIONS) - 1,
                            .pairs = 30000, .space_pairs = 20000, .seed = 3, .threads = 2};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (const char *const *name = gjb_workload_tour(dim); *name; name++)
            workloads[plan.workload_count++] = (gjb_verify_workload){dim, *name};
    for (; plan.family_count < gjb_family_count; plan.family_count++)
        families[plan.family_count] = &gjb_families[plan.family_count];
    entries[0] = (gjb_verify_entry){gjb_contender_find("reference"), NULL};
    entries[1] = (gjb_verify_entry){gjb_contender_find("textbook-dist2"), NULL};
    return plan;
}

/* The chunks of a plan; free both. */
static gjb_combos chunks_of(const gjb_verify_plan *plan, gjb_verify_report *report)
{
    gjb_combos all = {0};
    gjb_error error = {{0}};
    *report = (gjb_verify_report){0};
    cr_assert_eq(gjb_verify_combos_make(&all, plan, report, &error), 0, "%s", error.text);
    return all;
}

static void drop(gjb_combos *all, gjb_verify_report *report)
{
    gjb_verify_combos_free(all);
    free(report->rows);
}

static int same_lane(const gjb_combo *a, const gjb_combo *b)
{
    return a->family == b->family && a->dim == b->dim && a->precision == b->precision;
}

Test(schedule, all_pairs_of_the_plan_are_dealt_once)
{
    gjb_verify_plan plan = whole_plan();
    plan.sample.seconds = 1;
    gjb_verify_report report;
    gjb_combos all = chunks_of(&plan, &report);
    uint64_t *next = calloc(all.count, sizeof *next), sum = 0, place = 0;
    for (size_t i = 0; i < all.task_count; i++) {
        const gjb_task *t = &all.tasks[i];
        cr_assert(t->pairs > 0 && t->pairs <= GJB_VERIFY_CHUNK && t->first == next[t->combo], "chunk %zu", i);
        cr_assert_eq(t->audited_from, place, "chunk %zu", i);
        next[t->combo] += t->pairs;
        place += t->pairs;
    }
    for (size_t i = 0; i < all.count; i++) {
        cr_expect_eq(next[i], all.list[i].pairs);
        cr_expect_eq(gjb_verify_dealt(&plan, &all, i, NULL), next[i]);
        sum += next[i];
    }
    cr_expect_eq(sum, gjb_verify_task_pairs(&all, SIZE_MAX));
    cr_expect(sum >= 2 * 50000 && sum < 2 * 50000 + 2 * all.count, "%d pairs", (int)sum);
    free(next);
    drop(&all, &report);
}

/* Wherever it is cut, no family is more than a chunk ahead of another; each begins with another kind of shape. */
Test(schedule, every_family_has_a_chunk_before_any_has_a_second)
{
    gjb_verify_plan plan = whole_plan();
    plan.sample.seconds = 1;
    gjb_verify_report report;
    gjb_combos all = chunks_of(&plan, &report);
    size_t lanes = 0;
    for (size_t i = 0; i < all.count; i++) {
        size_t first = 0;
        while (!same_lane(&all.list[first], &all.list[i]))
            first++;
        lanes += first == i;
    }
    for (size_t round = 0; round < 4; round++)
        for (size_t i = round * lanes; i < (round + 1) * lanes; i++)
            for (size_t k = round * lanes; k < i; k++)
                cr_assert(!same_lane(&all.list[all.tasks[i].combo], &all.list[all.tasks[k].combo]), "chunks %zu and %zu", k, i);
    size_t curved = 0, still = 0, solid = 0, doubles = 0, quarter = lanes / 4, measured = 0;
    for (size_t i = 0; i < quarter; i++) {
        const gjb_combo *c = &all.list[all.tasks[i].combo];
        curved += strstr(c->workload, "ell") || strstr(c->workload, "c");
        still += c->family->moving == GJB_AT_REST;
        solid += c->dim == 3;
        doubles += c->precision == GJB_F64;
    }
    cr_expect(curved > 0 && still > quarter / 4 && still < quarter * 3 / 4 && solid > quarter / 4 && solid < quarter * 3 / 4 &&
                  doubles > quarter / 4 && doubles < quarter * 3 / 4,
              "of %d chunks %d at rest, %d in 3D, %d in f64", (int)quarter, (int)still, (int)solid, (int)doubles);
    for (size_t i = 0; i < all.task_count; i++)
        measured += all.tasks[i].metrics != 0;
    cr_expect_eq(measured, lanes, "each family is asked once what its answers depend on");
    drop(&all, &report);
}

Test(schedule, so_many_chunks_are_the_first_of_all)
{
    gjb_verify_plan plan = whole_plan();
    plan.sample.seconds = 1;
    gjb_verify_report whole_report, cut_report;
    gjb_combos whole = chunks_of(&plan, &whole_report);
    plan.sample = (gjb_verify_sample){.chunks = 333};
    gjb_combos cut = chunks_of(&plan, &cut_report);
    cr_assert_eq(cut.task_count, 333);
    for (size_t i = 0; i < cut.task_count; i++)
        cr_assert(cut.tasks[i].combo == whole.tasks[i].combo && cut.tasks[i].first == whole.tasks[i].first &&
                  cut.tasks[i].pairs == whole.tasks[i].pairs && cut.tasks[i].metrics == whole.tasks[i].metrics);
    uint64_t dealt = 0, of_dear = 0;
    for (size_t i = 0; i < cut.count; i++) {
        dealt += gjb_verify_dealt(&plan, &cut, i, entries[0].contender);
        of_dear += gjb_verify_dealt(&plan, &cut, i, entries[1].contender);
    }
    cr_expect_eq(dealt, gjb_verify_task_pairs(&whole, 333));
    cr_expect(of_dear > 0 && of_dear < dealt, "who dies often is asked less: %d of %d", (int)of_dear, (int)dealt);
    drop(&whole, &whole_report);
    drop(&cut, &cut_report);
}

static gjb_verify_report *run(const gjb_verify_plan *plan)
{
    gjb_error error = {{0}};
    gjb_verify_report *report = gjb_verify_run(plan, &error);
    cr_assert(report, "%s", error.text);
    return report;
}

/* What a clock cut is repeated without one, bit for bit, and `merge` takes it for whole. */
Test(schedule, a_sample_that_a_clock_cut_can_be_repeated, .timeout = 120)
{
    gjb_verify_plan plan = whole_plan();
    plan.entry_count = 1;
    plan.queries = 1u << GJB_DISTANCE | 1u << GJB_SWEEP;
    plan.sample.seconds = 0.05;
    gjb_verify_report *cut = run(&plan);
    json_t *sample = json_object_get(cut->plan, "sample");
    const json_int_t chunks = json_integer_value(json_object_get(sample, "chunks"));
    cr_assert(!cut->interrupted && chunks > 0 && chunks < json_integer_value(json_object_get(sample, "of")), "%d chunks",
              (int)chunks);
    cr_expect_eq(cut->pairs_done, cut->pairs_planned);

    plan.sample = (gjb_verify_sample){.chunks = (uint64_t)chunks};
    gjb_verify_report *again = run(&plan);
    json_t *a = gjb_verify_json(cut), *b = gjb_verify_json(again);
    cr_expect(json_equal(json_object_get(a, "rows"), json_object_get(b, "rows")), "rows differ");
    cr_expect_eq(cut->pairs_done, again->pairs_done);

    json_object_set_new(a, "context", json_pack("{ss ss ss ss ss}", "version", "1", "commit", "2", "compiler", "3", "flags", "4",
                                                "library_build_type", "5"));
    const gjb_verify_part part = {"cut.json", a};
    gjb_verify_shards shards;
    gjb_error error = {{0}};
    gjb_verify_report *read = gjb_verify_combine(&part, 1, &shards, &error);
    cr_assert(read, "%s", error.text);
    cr_expect(!read->interrupted && read->pairs_done == cut->pairs_done && read->row_count == cut->row_count);
    gjb_verify_shards_free(&shards);
    gjb_verify_free(read);
    gjb_verify_free(cut);
    gjb_verify_free(again);
    json_decref(a);
    json_decref(b);
}
