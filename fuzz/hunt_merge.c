/* Merges result files of a search's shards into that of one run. */
#include <string.h>

#include "core/json_file.h"
#include "fuzz/hunt_json.h"
#include "verify/verify_merge.h"

static const char *const target_keys[] = {"contender", "version", "precision", "dim", "query"};
static const char *const found_keys[] = {"kinds", "regime", "symptom"};
static const char *const counts[] = {"islands",     "pairs", "graded", "ungraded",
                                     "unsupported", "wrong", "niches", "dropped"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* So large at most that those of all shards add up. */
static int is_count(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= INT64_C(1) << 40;
}

static int refuse(const char *name, const char *what, gjb_error *error)
{
    return gjb_fail(error, "%s: %s", name, what);
}

/* Is it a whole result file of a search, and a shard of the same one as the first? */
static int check_part(const gjb_hunt_part *parts, size_t p, gjb_error *error)
{
    const gjb_hunt_part *part = &parts[p];
    const gjb_verify_part as_part = {part->name, part->root};
    char words[GJB_JSON_WORDS], digest[20];
    const json_t *kind = json_object_get(part->root, "kind"), *plan = json_object_get(part->root, "plan"),
                 *one;
    const char *said = json_string_value(json_object_get(part->root, "digest"));
    const char *key;
    json_t *value;
    size_t i;
    if (!json_is_string(kind) || strcmp(json_string_value(kind), "fuzz") != 0)
        return gjb_fail(error, "%s: kind: %s: only results of 'verify' and 'fuzz' are merged, each with its own",
                        part->name, gjb_json_words(kind, words));
    if (!json_is_object(plan) || !json_is_array(json_object_get(part->root, "rows")) ||
        !json_is_array(json_object_get(part->root, "failures")) ||
        !json_is_object(json_object_get(part->root, "summary")))
        return refuse(part->name, "no result file of 'fuzz': plan, summary, rows or failures are missing",
                      error);
    if (gjb_verify_digest(part->root, digest))
        return refuse(part->name, "out of memory", error);
    if (!said || strcmp(said, digest) != 0)
        return gjb_fail(error, "%s: digest: %s, and what it holds has %s: the file was changed", part->name,
                        said ? said : "none", digest);
    json_array_foreach(json_object_get(part->root, "rows"), i, one) {
        for (size_t k = 0; k < COUNT(counts); k++)
            if (!is_count(json_object_get(one, counts[k])))
                return gjb_fail(error, "%s: rows[%zu].%s: no count", part->name, i, counts[k]);
        if (json_object_get(one, "too_slow") && !is_count(json_object_get(one, "too_slow")))
            return gjb_fail(error, "%s: rows[%zu].too_slow: no count", part->name, i);
        if (!json_is_object(json_object_get(one, "symptoms")) ||
            !json_is_number(json_object_get(one, "closest")))
            return gjb_fail(error, "%s: rows[%zu]: no symptoms, or no closest", part->name, i);
        json_object_foreach(json_object_get(one, "symptoms"), key, value)
            if (!is_count(value))
                return gjb_fail(error, "%s: rows[%zu].symptoms: no count", part->name, i);
    }
    json_array_foreach(json_object_get(part->root, "failures"), i, one)
        if (!json_is_string(json_object_get(one, "symptom")) ||
            !json_is_object(json_object_get(one, "found")))
            return gjb_fail(error, "%s: failures[%zu]: no symptom, or not where it was found", part->name, i);
    if (!json_is_array(json_object_get(plan, "contenders")))
        return refuse(part->name, "plan.contenders: no list", error);
    json_array_foreach(json_object_get(plan, "contenders"), i, one)
        if (!json_is_string(json_object_get(one, "name")))
            return gjb_fail(error, "%s: plan.contenders[%zu]: no name", part->name, i);
    const json_int_t shard = number(plan, "shard"), shards = number(plan, "shards");
    if (shard < 1 || shard > shards || shards > GJB_VERIFY_SHARDS_MAX)
        return gjb_fail(error, "%s: plan.shard: %s is none", part->name,
                        gjb_json_words(json_object_get(plan, "shard"), words));
    json_t *want = json_copy(json_object_get(parts[0].root, "plan"));
    json_object_set(want, "shard", json_object_get(plan, "shard"));
    const int differs = gjb_verify_same(&as_part, want, json_object_get(parts[0].root, "context"), error);
    json_decref(want);
    for (size_t q = 0; q < p && !differs; q++)
        if (number(json_object_get(parts[q].root, "plan"), "shard") == shard)
            return gjb_fail(error, "%s: shard %lld/%lld again: %s is the same", part->name, (long long)shard,
                            (long long)shards, parts[q].name);
    return differs ? -1 : 0;
}

static void add_row(json_t *row, const json_t *part)
{
    json_t *symptoms = json_object_get(row, "symptoms");
    for (size_t k = 0; k < COUNT(counts); k++)
        json_object_set_new(row, counts[k], json_integer(number(row, counts[k]) + number(part, counts[k])));
    if (json_object_get(part, "too_slow")) {
        json_object_set_new(row, "too_slow",
                            json_integer(number(row, "too_slow") + number(part, "too_slow")));
        json_object_set(row, "too_slow_pair", json_object_get(part, "too_slow_pair"));
    }
    /* In one order, whoever came first. */
    json_t *sum = json_object();
    for (unsigned s = 1; s < GJB_SYMPTOMS; s++) {
        const json_int_t both = number(symptoms, gjb_symptom_name(s)) +
                                number(json_object_get(part, "symptoms"), gjb_symptom_name(s));
        if (both)
            json_object_set_new(sum, gjb_symptom_name(s), json_integer(both));
    }
    json_object_set_new(row, "symptoms", sum);
    const double mine = json_number_value(json_object_get(row, "closest")),
                 theirs = json_number_value(json_object_get(part, "closest"));
    const json_t *here = json_object_get(row, "closest_pair"), *there = json_object_get(part, "closest_pair");
    if (theirs > mine || (theirs == mine && json_is_object(there) &&
                          (!json_is_object(here) || number(there, "island") < number(here, "island")))) {
        json_object_set(row, "closest", json_object_get(part, "closest"));
        json_object_set(row, "closest_pair", json_object_get(part, "closest_pair"));
    }
}

/* Was this failure found earlier than that one, of the same kind? */
static int earlier(const json_t *a, const json_t *b)
{
    const json_t *f = json_object_get(a, "found"), *g = json_object_get(b, "found");
    return number(f, "island") != number(g, "island") ? number(f, "island") < number(g, "island")
                                                      : number(f, "pair") < number(g, "pair");
}

static void add_failure(json_t *failures, const json_t *part)
{
    size_t i;
    json_t *one;
    json_array_foreach(failures, i, one)
        if (gjb_hunt_agree(one, part, target_keys, COUNT(target_keys)) &&
            gjb_hunt_agree(json_object_get(one, "found"), json_object_get(part, "found"), found_keys,
                  COUNT(found_keys))) {
            if (earlier(part, one))
                json_array_set_new(failures, i, json_deep_copy(part));
            return;
        }
    json_array_append_new(failures, json_deep_copy(part));
}

/* As one run has them: targets in the order of the plan, failures of a target in that in which they were
 * found. */
static size_t place_of(const json_t *plan, const json_t *one)
{
    size_t i, place = 0;
    const json_t *value;
    const char *who = json_string_value(json_object_get(one, "contender"));
    json_array_foreach(json_object_get(plan, "contenders"), i, value)
        if (who && !strcmp(who, json_string_value(json_object_get(value, "name")))) {
            place = i;
            break;
        }
    const char *precision = json_string_value(json_object_get(one, "precision")),
               *query = json_string_value(json_object_get(one, "query"));
    const gjb_query_row *row = gjb_query_find(query ? query : "");
    place = place * 4 + (size_t)number(one, "dim");
    place = place * 2 + (size_t)(precision && !strcmp(precision, gjb_precision_name(GJB_F64)));
    return place * GJB_QUERIES + (row ? (size_t)row->id : 0);
}

static json_t *sorted(json_t *list, const json_t *plan, int by_find)
{
    json_t *out = json_array(), *one;
    size_t i;
    json_array_foreach(list, i, one) {
        size_t at = json_array_size(out);
        while (at > 0) {
            const json_t *before = json_array_get(out, at - 1);
            const size_t mine = place_of(plan, one), theirs = place_of(plan, before);
            if (theirs < mine || (theirs == mine && !(by_find && earlier(one, before))))
                break;
            at--;
        }
        json_array_insert(out, at, one);
    }
    json_decref(list);
    return out;
}

json_t *gjb_hunt_merge(const gjb_hunt_part *parts, size_t count, uint64_t *missing, gjb_error *error)
{
    json_t *rows = json_array(), *failures = json_array(), *one;
    double seconds = 0, searched = 0;
    size_t i, done = 0;
    int failed = 0;
    for (size_t p = 0; p < count && !failed; p++) {
        failed = check_part(parts, p, error);
        if (failed)
            break;
        json_array_foreach(json_object_get(parts[p].root, "rows"), i, one) {
            size_t at = 0;
            while (at < json_array_size(rows) &&
                   !gjb_hunt_agree(json_array_get(rows, at), one, target_keys, COUNT(target_keys)))
                at++;
            if (at < json_array_size(rows))
                add_row(json_array_get(rows, at), one);
            else
                json_array_append_new(rows, json_deep_copy(one));
        }
        json_array_foreach(json_object_get(parts[p].root, "failures"), i, one)
            add_failure(failures, one);
        const json_t *summary = json_object_get(parts[p].root, "summary");
        done += !json_is_true(json_object_get(summary, "interrupted"));
        seconds += json_number_value(json_object_get(summary, "seconds"));
        searched += json_number_value(json_object_get(summary, "search_seconds"));
    }
    if (failed) {
        json_decref(rows);
        json_decref(failures);
        return NULL;
    }
    json_t *plan = json_copy(json_object_get(parts[0].root, "plan"));
    const uint64_t shards = (uint64_t)number(plan, "shards"), left = shards - done;
    json_object_set_new(plan, "shard", json_integer(left ? 0 : 1));
    if (!left)
        json_object_set_new(plan, "shards", json_integer(1));
    if (missing)
        *missing = left;
    rows = sorted(rows, plan, 0);
    failures = sorted(failures, plan, 1);
    return gjb_hunt_json(plan, rows, failures, left > 0, searched, seconds, error);
}
