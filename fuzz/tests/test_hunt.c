/* The search finds what plain families do not, shrinking makes it small, and neither threads nor shards show.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contenders/table.h"
#include "fuzz/hunt.h"
#include "fuzz/tests/planted.h"

typedef struct hunted {
    gjb_contender contender;
    gjb_verify_entry entry;
    gjb_verify_workload workload;
    const gjb_family *families[3];
    gjb_hunt_plan plan;
} hunted;

static void hunt_of(hunted *h, const planted *fault)
{
    *h = (hunted){.contender = planted_contender(fault), .workload = {fault->dim, fault->workload}};
    h->entry = (gjb_verify_entry){&h->contender, NULL};
    h->plan = (gjb_hunt_plan){.workloads = &h->workload,
                              .workload_count = 1,
                              .families = h->families,
                              .entries = &h->entry,
                              .entry_count = 1,
                              .queries = 1u << fault->query,
                              .precisions = 1u << GJB_F64,
                              .pairs = fault->pairs,
                              .seed = 1,
                              .threads = 2};
    for (; h->plan.family_count < 3 && fault->families[h->plan.family_count]; h->plan.family_count++)
        h->families[h->plan.family_count] = gjb_family_find(fault->families[h->plan.family_count]);
}

static json_t *run(const hunted *h)
{
    gjb_error error = {{0}};
    json_t *json = gjb_hunt_run(&h->plan, &error);
    cr_assert(json, "%s", error.text);
    return json;
}

static long long of_summary(const json_t *hunt, const char *key)
{
    return (long long)json_integer_value(json_object_get(json_object_get(hunt, "summary"), key));
}

Test(hunt, finds_faults_that_plain_families_of_as_many_pairs_do_not, .timeout = 280)
{
    for (size_t i = 0; i < planted_count; i++) {
        hunted h;
        hunt_of(&h, &planted_faults[i]);
        h.plan.as_found = 1;
        json_t *guided = run(&h);
        h.plan.unguided = 1;
        json_t *plain = run(&h);
        cr_expect_eq(of_summary(plain, "failures"), 0,
                     "%s: families show it, and prove nothing of the search", planted_faults[i].name);
        cr_expect_geq(of_summary(guided, "failures"), 1, "%s: not found in %d pairs", planted_faults[i].name,
                      (int)planted_faults[i].pairs);
        cr_expect_eq(gjb_hunt_exit(guided), GJB_EXIT_WRONG, "%s", planted_faults[i].name);
        cr_expect_eq(gjb_hunt_exit(plain), GJB_EXIT_OK, "%s", planted_faults[i].name);
        cr_expect_eq((uint64_t)of_summary(guided, "pairs"), planted_faults[i].pairs, "%s",
                     planted_faults[i].name);
        json_decref(guided);
        json_decref(plain);
    }
}

/* What the reference answers without a fault is right wherever the search goes. */
Test(hunt, finds_nothing_where_there_is_nothing, .timeout = 120)
{
    for (size_t i = 0; i < planted_count; i += 3) {
        hunted h;
        hunt_of(&h, &planted_faults[i]);
        h.contender.run = gjb_contender_find("reference")->run;
        h.plan.pairs = 256;
        json_t *hunt = run(&h);
        cr_expect_eq(of_summary(hunt, "failures"), 0, "%s", planted_faults[i].name);
        cr_expect_gt(of_summary(hunt, "graded"), 128);
        json_decref(hunt);
    }
}

/* They are counted, one is named and kept, and none is a failure, the closest or a parent. */
Test(hunt, what_is_too_slow_to_judge_is_passed_over, .timeout = 120)
{
    const planted fault = {.dim = 3,
                           .workload = "rounded-cone",
                           .query = GJB_SIGNED_DISTANCE,
                           .pairs = 32,
                           .families = {"mixed"}};
    char folder[] = "too-slow-XXXXXX", path[512];
    hunted h;
    cr_assert(mkdtemp(folder));
    hunt_of(&h, &fault);
    h.contender = *gjb_contender_find("reference");
    h.plan.out = folder;
    ref_effort_limit(0);
    json_t *hunt = run(&h);
    ref_effort_limit(REF_EFFORT_SECONDS);
    const json_t *row = json_array_get(json_object_get(hunt, "rows"), 0);
    const char *file = json_string_value(json_object_get(json_object_get(row, "too_slow_pair"), "file"));
    const json_int_t slow = json_integer_value(json_object_get(row, "too_slow"));
    cr_assert(file && strstr(file, "-too-slow-"), "%s", file);
    cr_expect(slow > 0 && slow <= json_integer_value(json_object_get(row, "ungraded")));
    cr_expect_eq(of_summary(hunt, "too_slow"), slow);
    cr_expect_eq(of_summary(hunt, "failures"), 0);
    snprintf(path, sizeof path, "%s/%s.json", folder, file);
    cr_expect_eq(remove(path), 0, "%s", path);
    rmdir(folder);
    json_decref(hunt);
}

static void keep_find(void *context, const gjb_hunt_found *find)
{
    (void)context, (void)find;
}

/* Each of those that are found once more, from the failing pair alone. */
static gjb_scene *a_failure(const planted *fault, gjb_ask *ask, gjb_contender *contender)
{
    static const char *const ways[] = {NULL};
    gjb_edit *edit = malloc(sizeof *edit), *other = malloc(sizeof *other), *spare = malloc(sizeof *spare);
    gjb_scene *found = NULL;
    gjb_error error = {{0}};
    *contender = planted_contender(fault);
    *ask = (gjb_ask){contender, ways, 1, fault->query};
    for (uint64_t seed = 0; !found && seed < 4000; seed++) {
        gjb_random r = gjb_random_make(seed, 1, 1);
        gjb_scene *scene = gjb_generate(&(gjb_recipe){.dim = fault->dim,
                                                      .workload = fault->workload,
                                                      .family = fault->families[0],
                                                      .seed = seed,
                                                      .precision = GJB_F64,
                                                      .pairs = 2},
                                        &error);
        cr_assert(scene, "%s", error.text);
        gjb_edit_load(edit, scene, 0, 0);
        gjb_edit_load(other, scene, 0, 1);
        edit->moving = other->moving = gjb_queries[fault->query].moving;
        gjb_scene_free(scene);
        for (int step = 0; step < 12 && !found; step++) {
            gjb_outcome outcome;
            if (!gjb_mutate(&r, edit, other, spare) || !(scene = gjb_edit_scene(edit, NULL)))
                continue;
            cr_assert_eq(gjb_ask_pairs(ask, (const gjb_scene *const[]){scene}, 1, &outcome, &error), 0, "%s",
                         error.text);
            if (outcome.symptom)
                found = scene;
            else
                gjb_scene_free(scene);
        }
    }
    free(edit);
    free(other);
    free(spare);
    return found;
}

static int whole(const gjb_edit *e)
{
    double off = 0;
    for (int i = 0; i < 2; i++) {
        for (uint32_t v = 0; v < e->body[i].count; v++)
            for (int k = 0; k < 3; k++)
                off += fabs(e->body[i].rows[v][k] - rint(e->body[i].rows[v][k]));
        for (int k = 0; k < 3; k++)
            off += fabs(e->body[i].place[k] - rint(e->body[i].place[k]));
        off += fabs(e->body[i].radius - rint(e->body[i].radius));
    }
    return off == 0;
}

Test(hunt, shrinks_each_fault_to_few_vertices_and_whole_numbers, .timeout = 280)
{
    gjb_edit *edit = malloc(sizeof *edit);
    for (size_t i = 0; i < planted_count; i++) {
        gjb_contender contender;
        gjb_ask ask;
        gjb_shrunk s;
        gjb_error error = {{0}};
        if (planted_faults[i].share) /* which mutations alone do not come to */
            continue;
        gjb_scene *pair = a_failure(&planted_faults[i], &ask, &contender);
        cr_assert(pair, "%s: not found by mutations alone", planted_faults[i].name);
        cr_assert_eq(gjb_shrink(&(gjb_shrink_plan){.ask = ask, .most = 6000}, pair, &s, &error), 0, "%s: %s",
                     planted_faults[i].name, error.text);
        cr_expect_eq(s.outcome.symptom, s.before.symptom, "%s: %s became %s", planted_faults[i].name,
                     gjb_symptom_name(s.before.symptom), gjb_symptom_name(s.outcome.symptom));
        gjb_edit_load(edit, pair, 0, 0);
        const double before = gjb_edit_cost(edit);
        gjb_edit_load(edit, s.pair, 0, 0);
        cr_expect_lt(gjb_edit_cost(edit), before, "%s", planted_faults[i].name);
        cr_expect(edit->body[0].count <= 8 && edit->body[1].count <= 8, "%s: %u and %u vertices",
                  planted_faults[i].name, (unsigned)edit->body[0].count, (unsigned)edit->body[1].count);
        cr_expect(!planted_faults[i].whole || whole(edit), "%s: no whole numbers", planted_faults[i].name);
        /* It fails alone, as the file says. */
        gjb_outcome again;
        cr_assert_eq(gjb_ask_pairs(&ask, (const gjb_scene *const[]){s.pair}, 1, &again, &error), 0);
        cr_expect_eq(again.symptom, s.before.symptom, "%s", planted_faults[i].name);
        gjb_scene_free(s.pair);
        gjb_scene_free(pair);
    }
    free(edit);
}

/* With what differs from run to run by right left out. */
static json_t *comparable(const json_t *hunt)
{
    json_t *copy = json_deep_copy(hunt);
    json_object_del(json_object_get(copy, "summary"), "seconds");
    json_object_del(json_object_get(copy, "summary"), "search_seconds");
    json_object_del(copy, "digest");
    return copy;
}

static void expect_equal(json_t *a, json_t *b, const char *what)
{
    json_t *left = comparable(a), *right = comparable(b);
    char *one = json_dumps(left, JSON_SORT_KEYS), *two = json_dumps(right, JSON_SORT_KEYS);
    cr_expect_str_eq(one, two, "%s", what);
    free(one);
    free(two);
    json_decref(left);
    json_decref(right);
}

static json_t *with_context(json_t *hunt)
{
    json_object_set_new(hunt, "context",
                        json_pack("{ss ss ss ss ss}", "version", "1", "commit", "c", "compiler", "cc",
                                  "flags", "-O", "library_build_type", "release"));
    return hunt;
}

Test(hunt, threads_and_shards_do_not_show, .timeout = 200)
{
    hunted h;
    hunt_of(&h, &planted_faults[2]);
    h.plan.queries = 1u << GJB_SIGNED_DISTANCE | 1u << GJB_INTERSECT | 1u << GJB_DISTANCE;
    h.plan.shrink_most = 400;
    h.plan.island = 256;
    h.plan.pairs = 2 * 256 + 100;
    h.plan.found = keep_find;
    h.plan.threads = 1;
    json_t *one = run(&h);
    cr_assert_geq(of_summary(one, "failures"), 2, "nothing that could differ");
    h.plan.threads = 3;
    json_t *threads = run(&h);
    expect_equal(one, threads, "threads");

    gjb_error error = {{0}};
    json_t *shards[3], *bare = json_deep_copy(one);
    gjb_hunt_part parts[3];
    static const char *const names[] = {"1.json", "2.json", "3.json"};
    for (uint64_t k = 0; k < 3; k++) {
        h.plan.shard = k;
        h.plan.shards = 3;
        shards[k] = with_context(run(&h));
        parts[k] = (gjb_hunt_part){names[k], shards[k]};
    }
    uint64_t missing = 7;
    json_t *merged = gjb_hunt_merge(parts, 3, &missing, &error);
    cr_assert(merged, "%s", error.text);
    cr_expect_eq(missing, 0);
    expect_equal(bare, merged, "shards");
    json_decref(merged);
    merged = gjb_hunt_merge((gjb_hunt_part[]){parts[2], parts[0], parts[1]}, 3, &missing, &error);
    expect_equal(bare, merged, "shards in another order");
    json_decref(merged);
    merged = gjb_hunt_merge(parts, 2, &missing, &error);
    cr_expect(merged && missing == 1, "a shard is missing");
    json_decref(merged);

    /* Mixtures, shards twice and changed files are refused, by name. */
    cr_expect(!gjb_hunt_merge((gjb_hunt_part[]){parts[0], parts[0]}, 2, NULL, &error));
    cr_expect(strstr(error.text, "again"), "%s", error.text);
    error = (gjb_error){{0}};
    h.plan.seed = 2;
    json_t *stranger = with_context(run(&h));
    cr_expect(!gjb_hunt_merge((gjb_hunt_part[]){parts[0], {"stranger", stranger}}, 2, NULL, &error));
    cr_expect(strstr(error.text, "stranger") && strstr(error.text, "seed"), "%s", error.text);
    error = (gjb_error){{0}};
    json_object_set_new(json_array_get(json_object_get(stranger, "rows"), 0), "wrong", json_integer(12345));
    cr_expect(!gjb_hunt_merge((gjb_hunt_part[]){{"changed", stranger}}, 1, NULL, &error));
    cr_expect(strstr(error.text, "changed"), "%s", error.text);
    error = (gjb_error){{0}};
    json_t *verify = json_pack("{ss}", "kind", "verify");
    cr_expect(!gjb_hunt_merge((gjb_hunt_part[]){parts[0], {"v.json", verify}}, 2, NULL, &error));
    cr_expect(strstr(error.text, "v.json") && strstr(error.text, "kind"), "%s", error.text);
    json_decref(verify);
    json_decref(stranger);
    json_decref(bare);
    json_decref(one);
    json_decref(threads);
    for (int k = 0; k < 3; k++)
        json_decref(shards[k]);
}

/* Dies of a box that is unturned and as wide as high; does not come back from one twice as wide. */
static void die_or_hang(const void *prepared, const gjb_batch *batch)
{
    const gjb_shapes *shapes = prepared;
    gjb_contender_find("reference")->run(prepared, batch);
    for (size_t i = 0; i < 2 * batch->pair_count; i++) {
        const double *half =
            (const double *)shapes->rows + (size_t)shapes->dim * shapes->first[batch->pairs[i]];
        if (shapes->kind[batch->pairs[i]] == GJB_BOX && half[0] > 0 && half[0] == half[1])
            abort();
        for (volatile int forever =
                 shapes->kind[batch->pairs[i]] == GJB_BOX && half[0] > 0 && half[0] == 2 * half[1];
             forever;)
            ;
    }
}

Test(hunt, shrinks_pairs_that_end_a_process_or_hang, .timeout = 120)
{
    gjb_contender contender = *gjb_contender_find("reference");
    static const char *const ways[] = {NULL};
    contender.name = "mortal";
    contender.ours = 0;
    contender.run = die_or_hang;
    gjb_session_hang_limit(0.05);
    gjb_edit *edit = malloc(sizeof *edit);
    for (int hang = 0; hang < 2; hang++) {
        gjb_error error = {{0}};
        gjb_scene *scene = gjb_generate(
            &(gjb_recipe){
                .dim = 2, .workload = "box", .family = "near", .seed = 3, .precision = GJB_F64, .pairs = 1},
            &error);
        cr_assert(scene);
        gjb_edit_load(edit, scene, 0, 0);
        gjb_scene_free(scene);
        edit->body[1].rows[0][0] = (1 + hang) * edit->body[1].rows[0][1];
        scene = gjb_edit_scene(edit, &error);
        const gjb_shrink_plan plan = {.ask = {&contender, ways, 1, GJB_DISTANCE}, .most = hang ? 12 : 80};
        gjb_shrunk s;
        cr_assert_eq(gjb_shrink(&plan, scene, &s, &error), 0, "%s", error.text);
        cr_expect_eq(s.outcome.symptom, (gjb_symptom)(GJB_SYMPTOM_MISHAP + (hang ? GJB_HUNG : GJB_ABORTED)),
                     "%s", gjb_symptom_name(s.outcome.symptom));
        const double before = gjb_edit_cost(edit);
        gjb_edit_load(edit, s.pair, 0, 0);
        cr_expect_lt(gjb_edit_cost(edit), 0.8 * before);
        gjb_scene_free(s.pair);
        gjb_scene_free(scene);
    }
    free(edit);
}
