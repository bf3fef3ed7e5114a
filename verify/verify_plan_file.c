/* A plan as result files have it, to JSON and back. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_file.h"
#include "scenes/hash.h"
#include "verify/verify_private.h"

enum { SCHEMA = 1, LIST_MAX = 4096 };
static const uint64_t rows_max = 1u << 24;

int gjb_verify_digest(const json_t *root, char text[20])
{
    static const char *const keys[] = {"plan", "summary", "rows", "mishaps", "mishaps_dropped", "failures"};
    uint64_t print = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_object_get(root, keys[i]);
        if (!value)
            continue;
        char *dumped = json_dumps(value, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
        if (!dumped)
            return -1;
        print = gjb_fingerprint(dumped, 1, strlen(dumped), strlen(dumped), print);
        free(dumped);
    }
    snprintf(text, 20, "%016" PRIx64, print);
    return 0;
}

json_t *gjb_verify_plan_json(const gjb_verify_plan *plan)
{
    char hulls[20] = "-";
    json_t *queries = json_array(), *precisions = json_array(), *workloads = json_array(), *families = json_array(),
           *contenders = json_array();
    for (int q = 0; q < GJB_QUERIES; q++)
        if (plan->queries >> q & 1)
            json_array_append_new(queries, json_string(gjb_queries[q].name));
    for (int p = 0; p < GJB_PRECISIONS; p++)
        if (plan->precisions >> p & 1)
            json_array_append_new(precisions, json_string(gjb_precision_name((gjb_precision)p)));
    for (size_t w = 0; w < plan->workload_count; w++)
        json_array_append_new(workloads, json_pack("{si ss}", "dim", (int)plan->workloads[w].dim, "name", plan->workloads[w].name));
    for (size_t f = 0; f < plan->family_count; f++)
        json_array_append_new(families, json_string(plan->families[f]->name));
    for (size_t e = 0; e < plan->entry_count; e++) {
        const gjb_contender *who = plan->entries[e].contender;
        json_array_append_new(contenders, json_pack("{ss ss ss sb}", "name", who->name, "version", who->version ? who->version : "",
                                                    "backend", plan->entries[e].backend ? plan->entries[e].backend : "-",
                                                    "ours", who->ours != 0));
    }
    if (plan->library_hash)
        snprintf(hulls, sizeof hulls, "%016" PRIx64, plan->library_hash);
    json_t *margin = plan->queries >> GJB_MANIFOLD & 1 && plan->margin > 0 ? json_real(plan->margin) : NULL;
    const uint32_t limited = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE;
    json_t *within = plan->queries & limited && plan->within > 0 ? json_real(plan->within) : NULL;
    json_t *leaving = plan->queries >> GJB_TOI & 1 && plan->leaving ? json_string("ignore") : NULL;
    json_t *sample = gjb_verify_samples(plan) ? json_pack("{sf sI}", "seconds", plan->sample.seconds, "chunks",
                                                          (json_int_t)plan->sample.chunks)
                                              : NULL;
    return json_pack("{si sI sI sI sI sI sI si sb ss so so so so so so* so* so* so*}", "schema", SCHEMA, "pairs",
                     (json_int_t)plan->pairs, "space_pairs", (json_int_t)plan->space_pairs, "others",
                     (json_int_t)plan->others, "seed", (json_int_t)plan->seed, "shard",
                     (json_int_t)plan->shard + 1, "shards", (json_int_t)(plan->shards ? plan->shards : 1),
                     "audit", (int)plan->audit, "answers_only", plan->answers_only, "hulls", hulls, "queries",
                     queries, "precisions", precisions, "workloads", workloads, "families", families,
                     "contenders", contenders, "sample", sample, "margin", margin, "within", within,
                     "leaving", leaving);
}

void gjb_verify_plan_note(json_t *plan, size_t begun, size_t of)
{
    json_t *sample = json_object_get(plan, "sample");
    json_object_set_new(sample, "chunks", json_integer((json_int_t)begun));
    json_object_set_new(sample, "of", json_integer((json_int_t)of));
}

int gjb_read_count(const json_t *object, const char *key, const char *name, const char *where, uint64_t *value,
                   gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    const json_t *found = json_object_get(object, key);
    if (!json_is_integer(found) || json_integer_value(found) < 0)
        return gjb_fail(error, "%s: %s.%s: %s is no count", name, where, key, gjb_json_words(found, words));
    *value = (uint64_t)json_integer_value(found);
    return 0;
}

/* A plan without one is no sample. */
static int read_sample(gjb_verify_plan *plan, const json_t *json, const char *name, gjb_error *error)
{
    const json_t *sample = json_object_get(json, "sample"), *seconds = json_object_get(sample, "seconds");
    char words[GJB_JSON_WORDS];
    if (!sample)
        return 0;
    if (gjb_read_count(sample, "chunks", name, "plan.sample", &plan->sample.chunks, error))
        return -1;
    if (!json_is_number(seconds) || !(json_number_value(seconds) >= 0))
        return gjb_fail(error, "%s: plan.sample.seconds: %s is no time", name, gjb_json_words(seconds, words));
    return plan->sample.chunks > 0 && plan->shards == 1
               ? 0
               : gjb_fail(error, "%s: plan.sample: of no chunks, or of shards", name);
}

/* A plan without one is of no query that has a margin, or of margin 0. */
static int read_margin(double *value, const json_t *json, const char *key, const char *name, gjb_error *error)
{
    const json_t *margin = json_object_get(json, key);
    char words[GJB_JSON_WORDS];
    *value = json_number_value(margin);
    return !margin || (json_is_number(margin) && *value >= 0 && *value <= GJB_MOST_MARGIN)
               ? 0
               : gjb_fail(error, "%s: plan.%s: %s is none", name, key, gjb_json_words(margin, words));
}

/* An array of at least one, and no more than a plan can have. */
static const json_t *list_of(const json_t *plan, const char *key, const char *name, gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    const json_t *list = json_object_get(plan, key);
    if (json_array_size(list) > 0 && json_array_size(list) <= LIST_MAX)
        return list;
    gjb_fail(error, "%s: plan.%s: %s is no list of 1 to %d", name, key, gjb_json_words(list, words), LIST_MAX);
    return NULL;
}

static int unknown(const char *name, const char *what, const json_t *value, gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    return gjb_fail(error, "%s: plan.%s: unknown to this program: %s", name, what, gjb_json_words(value, words));
}

/* Of plans about a grid the one that stands in. */
static const gjb_family *family_named(const char *name)
{
    return name && !strcmp(name, gjb_grid_family.name) ? &gjb_grid_family : name ? gjb_family_find(name) : NULL;
}

static int is_workload(json_int_t dim, const char *name)
{
    const gjb_grid_row *grid = name ? gjb_grid_find(name) : NULL;
    return name && (dim == 2 || dim == 3) && (grid ? grid->dim == dim : gjb_workload_vertices((uint32_t)dim, name) > 0);
}

static int read_names(gjb_plan_file *file, const json_t *json, const char *name, gjb_error *error)
{
    const json_t *queries = list_of(json, "queries", name, error), *precisions = list_of(json, "precisions", name, error),
                 *families = list_of(json, "families", name, error);
    if (!queries || !precisions || !families)
        return -1;
    size_t i;
    json_t *value;
    json_array_foreach(queries, i, value) {
        const char *text = json_string_value(value);
        const gjb_query_row *row = text ? gjb_query_find(text) : NULL;
        if (!row)
            return unknown(name, "queries", value, error);
        file->plan.queries |= 1u << (row - gjb_queries);
    }
    json_array_foreach(precisions, i, value) {
        const char *text = json_string_value(value);
        uint32_t bit = 0;
        for (int p = 0; p < GJB_PRECISIONS && text; p++)
            bit |= !strcmp(text, gjb_precision_name((gjb_precision)p)) ? 1u << p : 0;
        if (!bit)
            return unknown(name, "precisions", value, error);
        file->plan.precisions |= bit;
    }
    file->families = calloc(json_array_size(families), sizeof *file->families);
    if (!file->families)
        return gjb_fail(error, "%s: out of memory", name);
    json_array_foreach(families, i, value) {
        file->families[i] = family_named(json_string_value(value));
        if (!file->families[i])
            return unknown(name, "families", value, error);
    }
    file->plan.families = file->families;
    file->plan.family_count = json_array_size(families);
    return 0;
}

static int read_workloads(gjb_plan_file *file, const json_t *json, const char *name, gjb_error *error)
{
    const json_t *workloads = list_of(json, "workloads", name, error);
    size_t i;
    json_t *value;
    if (!workloads)
        return -1;
    file->workloads = calloc(json_array_size(workloads), sizeof *file->workloads);
    if (!file->workloads)
        return gjb_fail(error, "%s: out of memory", name);
    json_array_foreach(workloads, i, value) {
        const json_int_t dim = json_integer_value(json_object_get(value, "dim"));
        const char *text = json_string_value(json_object_get(value, "name"));
        if (!is_workload(dim, text))
            return unknown(name, "workloads", value, error);
        file->workloads[i] = (gjb_verify_workload){(uint32_t)dim, text};
    }
    file->plan.workloads = file->workloads;
    file->plan.workload_count = json_array_size(workloads);
    return 0;
}

/* Entries of one name share a stand-in: it distinguishes rows. */
static int read_contenders(gjb_plan_file *file, const json_t *json, const char *name, gjb_error *error)
{
    static const char *const some[] = {"some", NULL};
    const json_t *contenders = list_of(json, "contenders", name, error);
    const size_t count = json_array_size(contenders);
    size_t i;
    json_t *value;
    if (!contenders)
        return -1;
    file->entries = calloc(count, sizeof *file->entries);
    file->contenders = calloc(count, sizeof *file->contenders);
    if (!file->entries || !file->contenders)
        return gjb_fail(error, "%s: out of memory", name);
    json_array_foreach(contenders, i, value) {
        const char *who = json_string_value(json_object_get(value, "name")),
                   *version = json_string_value(json_object_get(value, "version")),
                   *backend = json_string_value(json_object_get(value, "backend"));
        const json_t *ours = json_object_get(value, "ours");
        if (!who || !version || !backend || !json_is_boolean(ours))
            return unknown(name, "contenders", value, error);
        size_t same = 0;
        while (same < i && strcmp(file->contenders[same].name, who) != 0)
            same++;
        if (same == i)
            file->contenders[i] = (gjb_contender){.ours = json_is_true(ours)};
        file->contenders[i].name = who;
        file->contenders[i].version = version;
        const int ways = strcmp(backend, "-") != 0;
        if (ways)
            file->contenders[same].backends = some;
        file->entries[i] = (gjb_verify_entry){&file->contenders[same], ways ? backend : NULL};
    }
    file->plan.entries = file->entries;
    file->plan.entry_count = count;
    return 0;
}

static int read_leaving(uint32_t *leaving, const json_t *json, const char *name, gjb_error *error)
{
    const json_t *given = json_object_get(json, "leaving");
    const char *text = json_string_value(given);
    *leaving = given ? GJB_LEAVING_IGNORE : GJB_LEAVING_HIT;
    return given && !(text && strcmp(text, "ignore") == 0) ? unknown(name, "leaving", given, error) : 0;
}

int gjb_plan_file_read_pairs(gjb_plan_file *file, const json_t *json, const char *name, gjb_error *error)
{
    *file = (gjb_plan_file){.plan = {0}};
    gjb_verify_plan *plan = &file->plan;
    char words[GJB_JSON_WORDS];
    const json_t *seed = json_object_get(json, "seed");
    if (gjb_read_count(json, "pairs", name, "plan", &plan->pairs, error) ||
        gjb_read_count(json, "space_pairs", name, "plan", &plan->space_pairs, error))
        return -1;
    if (!json_is_integer(seed))
        return gjb_fail(error, "%s: plan.seed: %s is none", name, gjb_json_words(seed, words));
    plan->seed = (uint64_t)json_integer_value(seed);
    return read_margin(&plan->margin, json, "margin", name, error) ||
                   read_margin(&plan->within, json, "within", name, error) ||
                   read_leaving(&plan->leaving, json, name, error) || read_names(file, json, name, error) ||
                   read_workloads(file, json, name, error)
               ? -1
               : 0;
}

/* Of a grid nothing is left to chance: merging would look for generators. */
static int refuse_sample_of_grid(const gjb_verify_plan *plan, const char *name, gjb_error *error)
{
    for (size_t i = 0; i < plan->family_count && gjb_verify_samples(plan); i++)
        if (plan->families[i] == &gjb_grid_family)
            return gjb_fail(error, "%s: plan.sample: of a grid, of which none are taken", name);
    return 0;
}

int gjb_plan_file_read(gjb_plan_file *file, const json_t *json, const char *name, gjb_error *error)
{
    *file = (gjb_plan_file){.plan = {0}};
    gjb_verify_plan *plan = &file->plan;
    char words[GJB_JSON_WORDS];
    uint64_t schema, others, shard, shards, audit;
    const json_t *answers_only = json_object_get(json, "answers_only");
    if (!json_is_object(json))
        return gjb_fail(error, "%s: no plan: not of 'verify --json', or of a version before 'merge'", name);
    if (gjb_read_count(json, "schema", name, "plan", &schema, error))
        return -1;
    if (schema != SCHEMA)
        return gjb_fail(error, "%s: plan.schema: %s, and this program reads %d", name,
                        gjb_json_words(json_object_get(json, "schema"), words), SCHEMA);
    if (gjb_read_count(json, "others", name, "plan", &others, error) ||
        gjb_read_count(json, "shard", name, "plan", &shard, error) ||
        gjb_read_count(json, "shards", name, "plan", &shards, error) ||
        gjb_read_count(json, "audit", name, "plan", &audit, error))
        return -1;
    if (!shard && shards)
        return gjb_fail(error, "%s: a merge of some shards alone: merge the files of the shards themselves", name);
    if (!shard || shard > shards || shards > GJB_VERIFY_SHARDS_MAX)
        return gjb_fail(error, "%s: plan.shard: %" PRIu64 " of %" PRIu64 ": at most %d, and no more than there are", name,
                        shard, shards, GJB_VERIFY_SHARDS_MAX);
    if (!json_is_boolean(answers_only))
        return gjb_fail(error, "%s: plan.answers_only: %s is none", name, gjb_json_words(answers_only, words));
    if (gjb_plan_file_read_pairs(file, json, name, error))
        return -1;
    plan->others = others;
    plan->shard = shard - 1;
    plan->shards = shards;
    plan->audit = (uint32_t)audit;
    plan->answers_only = json_is_true(answers_only);
    if (read_sample(plan, json, name, error) || refuse_sample_of_grid(plan, name, error) ||
        read_contenders(file, json, name, error))
        return -1;
    return (uint64_t)plan->workload_count * plan->family_count * plan->entry_count > rows_max / GJB_QUERIES
               ? gjb_fail(error, "%s: plan: more rows than %" PRIu64, name, rows_max)
               : 0;
}

void gjb_plan_file_free(gjb_plan_file *file)
{
    free(file->workloads);
    free(file->families);
    free(file->entries);
    free(file->contenders);
    *file = (gjb_plan_file){.plan = {0}};
}
