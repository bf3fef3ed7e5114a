/* A search's plan, rows, failures and closest pairs as JSON, with equal failures marked. */
#include "fuzz/hunt_json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "scenes/hash.h"
#include "verify/verify_merge.h"

void gjb_hunt_island_add(gjb_island *sum, const gjb_island *part)
{
    sum->number++;
    sum->pairs += part->pairs;
    sum->graded += part->graded;
    sum->ungraded += part->ungraded;
    sum->unsupported += part->unsupported;
    sum->wrong += part->wrong;
    sum->too_slow += part->too_slow;
    sum->niches += part->niches;
    sum->rounds += part->rounds;
    sum->dropped += part->dropped;
    for (int i = 0; i < GJB_SYMPTOMS; i++)
        sum->symptoms[i] += part->symptoms[i];
    sum->closest = fmax(sum->closest, part->closest);
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void name_target(json_t *json, const gjb_target *t)
{
    const char *version = t->ask.contender->version;
    json_object_set_new(json, "contender", json_string(t->ask.contender->name));
    json_object_set_new(json, "version", json_string(version ? version : ""));
    json_object_set_new(json, "ours", json_boolean(t->ask.contender->ours));
    json_object_set_new(json, "precision", json_string(gjb_precision_name(t->precision)));
    json_object_set_new(json, "dim", json_integer(t->dim));
    json_object_set_new(json, "query", json_string(gjb_queries[t->ask.query].name));
}

json_t *gjb_hunt_row_json(const gjb_target *target, const gjb_island *sum, const gjb_island *closest,
                          const char *name)
{
    json_t *json = json_object(), *symptoms = json_object(), *best = json_null();
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"islands", sum->number},          {"pairs", sum->pairs},
                  {"graded", sum->graded},           {"ungraded", sum->ungraded},
                  {"unsupported", sum->unsupported}, {"wrong", sum->wrong},
                  {"niches", sum->niches},           {"dropped", sum->dropped}};
    name_target(json, target);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_object_set_new(json, counts[i].name, json_integer((json_int_t)counts[i].value));
    for (unsigned s = 1; s < GJB_SYMPTOMS; s++)
        if (sum->symptoms[s])
            json_object_set_new(symptoms, gjb_symptom_name(s), json_integer((json_int_t)sum->symptoms[s]));
    json_object_set_new(json, "symptoms", symptoms);
    json_object_set_new(json, "closest", json_real(sum->closest));
    if (closest)
        best = json_pack("{sI sI ss*}", "island", (json_int_t)closest->number, "pair",
                         (json_int_t)closest->closest_index, "file", name && *name ? name : NULL);
    json_object_set_new(json, "closest_pair", best);
    return json;
}

static json_t *kinds_json(const gjb_failure *f)
{
    return json_pack("[ss]", gjb_kind_name(f->kinds[0]), gjb_kind_name(f->kinds[1]));
}

json_t *gjb_hunt_failure_json(const gjb_target *target, const gjb_failure *failure, const gjb_shrunk *shrunk,
                              const char *line, const char *name)
{
    const gjb_outcome *o = &shrunk->outcome;
    gjb_failure after = {.outcome = *o, .regime = gjb_regime_of(o)};
    const gjb_kind a = (gjb_kind)shrunk->pair->shapes.kind[0], b = (gjb_kind)shrunk->pair->shapes.kind[1];
    json_t *json = json_object();
    char hash[20];
    after.kinds[0] = a < b ? a : b;
    after.kinds[1] = a < b ? b : a;
    snprintf(hash, sizeof hash, "%016" PRIx64, gjb_scene_hash(shrunk->pair));
    name_target(json, target);
    json_object_set_new(json, "symptom", json_string(gjb_symptom_name(o->symptom)));
    json_object_set_new(json, "kinds", kinds_json(&after));
    json_object_set_new(json, "regime", json_string(gjb_regime_names[after.regime]));
    json_object_set_new(json, "status", json_string(gjb_status_name(o->result.status)));
    json_object_set_new(json, "value", real_or_null(o->result.value));
    json_object_set_new(json, "truth", real_or_null(o->truth));
    json_object_set_new(json, "size", real_or_null(o->size));
    json_object_set_new(json, "error", real_or_null(o->error));
    json_object_set_new(json, "tolerance", real_or_null(o->tolerance));
    if (o->symptom == GJB_FAULT_LENGTH)
        json_object_set_new(json, "length_off", json_real(o->grade.length_off));
    json_object_set_new(
        json, "vertices",
        json_pack("[ii]", (int)shrunk->pair->shapes.row_count[0], (int)shrunk->pair->shapes.row_count[1]));
    json_object_set_new(json, "asked", json_integer((json_int_t)shrunk->asked));
    json_object_set_new(json, "line", json_string(line));
    json_object_set_new(json, "pair_hash", json_string(hash));
    json_object_set_new(json, "file", name ? json_string(name) : json_null());
    json_object_set_new(json, "found",
                        json_pack("{sI sI so ss ss}", "island", (json_int_t)failure->island, "pair",
                                  (json_int_t)failure->index, "kinds", kinds_json(failure), "regime",
                                  gjb_regime_names[failure->regime], "symptom",
                                  gjb_symptom_name(failure->outcome.symptom)));
    return json;
}

json_t *gjb_hunt_plan_json(const gjb_hunt_plan *plan)
{
    const gjb_verify_plan same = {.workloads = plan->workloads,
                                  .workload_count = plan->workload_count,
                                  .families = plan->families,
                                  .family_count = plan->family_count,
                                  .entries = plan->entries,
                                  .entry_count = plan->entry_count,
                                  .queries = plan->queries,
                                  .precisions = plan->precisions,
                                  .pairs = plan->pairs,
                                  .seed = plan->seed,
                                  .margin = plan->margin,
                                  .within = plan->within,
                                  .leaving = plan->leaving,
                                  .shard = plan->shard,
                                  .shards = plan->shards};
    static const char *const others[] = {"space_pairs", "others", "audit", "answers_only", "hulls"};
    json_t *json = gjb_verify_plan_json(&same);
    char corpus[20] = "-";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        json_object_del(json, others[i]);
    if (plan->corpus_count)
        snprintf(corpus, sizeof corpus, "%016" PRIx64, plan->corpus_hash);
    json_object_set_new(json, "seconds", json_real(plan->pairs ? 0 : plan->seconds));
    json_object_set_new(json, "island",
                        json_integer((json_int_t)(plan->island ? plan->island : GJB_HUNT_ISLAND)));
    json_object_set_new(json, "corpus", json_string(corpus));
    json_object_set_new(json, "guided", json_boolean(!plan->unguided));
    json_object_set_new(json, "as_found", json_boolean(plan->as_found));
    json_object_set_new(json, "shrink", json_integer((json_int_t)plan->shrink_most));
    return json;
}

int gjb_hunt_agree(const json_t *a, const json_t *b, const char *const *keys, size_t count)
{
    int same = 1;
    for (size_t i = 0; i < count && same; i++)
        same = json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i]));
    return same;
}

/* Shrunk, some are the same failure after all: whoever reads the list wants each once. */
void gjb_hunt_mark_same(json_t *failures)
{
    static const char *const keys[] = {"contender", "query", "dim", "symptom", "kinds", "regime"};
    size_t i;
    json_t *one;
    json_array_foreach(failures, i, one) {
        json_t *same = json_null();
        for (size_t j = 0; j < i && json_is_null(same); j++)
            if (gjb_hunt_agree(one, json_array_get(failures, j), keys, sizeof keys / sizeof *keys) &&
                json_is_null(json_object_get(json_array_get(failures, j), "same_as")))
                same = json_integer((json_int_t)j);
        json_object_set_new(one, "same_as", same);
    }
}

static json_t *summary_of(const json_t *rows, const json_t *failures, int interrupted, double searched,
                          double seconds)
{
    json_int_t pairs = 0, graded = 0, wrong = 0, ours = 0, conflicts = 0, distinct = 0, slow = 0;
    size_t i;
    json_t *one;
    json_array_foreach((json_t *)(uintptr_t)rows, i, one) {
        pairs += json_integer_value(json_object_get(one, "pairs"));
        graded += json_integer_value(json_object_get(one, "graded"));
        wrong += json_integer_value(json_object_get(one, "wrong"));
        slow += json_integer_value(json_object_get(one, "too_slow"));
    }
    json_array_foreach((json_t *)(uintptr_t)failures, i, one) {
        const int conflict = !strcmp(json_string_value(json_object_get(one, "symptom")),
                                     gjb_symptom_name(GJB_SYMPTOM_CONFLICT));
        distinct += json_is_null(json_object_get(one, "same_as"));
        conflicts += conflict;
        ours += !conflict && json_is_true(json_object_get(one, "ours"));
    }
    return json_pack("{sI sI sI sI sI sI sI so* sb sf sf}", "pairs", pairs, "graded", graded, "wrong", wrong,
                     "failures", (json_int_t)json_array_size(failures), "distinct", distinct, "of_ours", ours,
                     "conflicts", conflicts, "too_slow", slow ? json_integer(slow) : NULL, "interrupted",
                     interrupted, "search_seconds", searched, "seconds", seconds);
}

json_t *gjb_hunt_json(json_t *plan, json_t *rows, json_t *failures, int interrupted, double searched,
                      double seconds, gjb_error *error)
{
    char digest[20];
    gjb_hunt_mark_same(failures);
    json_t *summary = summary_of(rows, failures, interrupted, searched, seconds);
    json_t *json = json_pack("{ss so so so so}", "kind", "fuzz", "plan", plan, "summary", summary, "rows",
                             rows, "failures", failures);
    if (!json || gjb_verify_digest(json, digest)) {
        json_decref(json);
        gjb_fail(error, "out of memory");
        return NULL;
    }
    json_object_set_new(json, "digest", json_string(digest));
    return json;
}
