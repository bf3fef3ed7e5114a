/* Combines result files of shards, after a check that plan and build agree. */
#include "verify/verify_merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_file.h"
#include "verify/verify_private.h"

/* What of a context decides the bits of an answer. */
static const char *const build_keys[] = {"version", "commit", "compiler", "flags", "library_build_type"};

static int differ(const gjb_verify_part *part, const char *of, const char *key, const json_t *have, const json_t *want,
                  gjb_error *error)
{
    char one[GJB_JSON_WORDS], other[GJB_JSON_WORDS];
    return gjb_fail(error, "%s: another %s.%s: %s instead of %s", part->name, of, key, gjb_json_words(have, one),
                    gjb_json_words(want, other));
}

static int same_plan(const gjb_verify_part *part, const json_t *want, int any_shard, gjb_error *error)
{
    const json_t *have = json_object_get(part->root, "plan");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)want, key, value)
        if (!(any_shard && !strcmp(key, "shard")) && !json_equal(value, json_object_get(have, key)))
            return differ(part, "plan", key, json_object_get(have, key), value, error);
    static const char *const some[] = {"margin", "within", "leaving"}; /* which not every plan has */
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (json_object_get(have, some[i]) && !json_object_get(want, some[i]))
            return differ(part, "plan", some[i], json_object_get(have, some[i]), NULL, error);
    return 0;
}

static int same_build(const gjb_verify_part *part, const json_t *want, gjb_error *error)
{
    const json_t *have = json_object_get(part->root, "context");
    for (size_t i = 0; i < sizeof build_keys / sizeof *build_keys; i++) {
        const json_t *mine = json_object_get(have, build_keys[i]);
        if (!json_is_string(mine))
            return gjb_fail(error, "%s: no context.%s", part->name, build_keys[i]);
        if (!json_equal(mine, json_object_get(want, build_keys[i])))
            return differ(part, "context", build_keys[i], mine, json_object_get(want, build_keys[i]), error);
    }
    return 0;
}

static int whole_file(const gjb_verify_part *part, gjb_error *error)
{
    char digest[20];
    const char *said = json_string_value(json_object_get(part->root, "digest"));
    if (gjb_verify_digest(part->root, digest))
        return gjb_fail(error, "%s: out of memory", part->name);
    return !said || strcmp(said, digest) != 0 ? gjb_fail(error, "%s: digest: %s, and what it holds has %s: the file was changed",
                                                         part->name, said ? said : "none", digest)
                                              : 0;
}

int gjb_verify_same(const gjb_verify_part *part, const json_t *plan, const json_t *context, gjb_error *error)
{
    return same_plan(part, plan, 0, error) || same_build(part, context, error) ? -1 : 0;
}

static int add_summary(gjb_verify_report *report, const gjb_combos *combos, const gjb_verify_plan *plan,
                       const gjb_verify_part *part, gjb_error *error)
{
    const json_t *summary = json_object_get(part->root, "summary"), *interrupted = json_object_get(summary, "interrupted"),
                 *seconds = json_object_get(summary, "seconds");
    uint64_t planned, done, oracle_calls, audits, conflicts, threads, dealt = 0;
    char words[GJB_JSON_WORDS];
    const struct {
        const char *key;
        uint64_t *value;
    } counts[] = {{"pairs_planned", &planned}, {"pairs", &done}, {"oracle_calls", &oracle_calls},
                  {"audits", &audits}, {"conflicts", &conflicts}, {"threads", &threads}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (gjb_read_count(summary, counts[i].key, part->name, "summary", counts[i].value, error))
            return -1;
    if (!json_is_boolean(interrupted) || !json_is_number(seconds))
        return gjb_fail(error, "%s: summary.%s: %s is none", part->name, json_is_number(seconds) ? "interrupted" : "seconds",
                        gjb_json_words(json_is_number(seconds) ? interrupted : seconds, words));
    for (size_t i = 0; i < combos->count; i++)
        dealt += gjb_verify_dealt(plan, combos, i, NULL);
    if (planned != dealt || done > dealt || (done < dealt && !json_is_true(interrupted)))
        return gjb_fail(error, "%s: summary.pairs: %" PRIu64 " of %" PRIu64 ", and its shard has %" PRIu64, part->name, done,
                        planned, dealt);
    report->pairs_done += done;
    report->oracle_calls += oracle_calls;
    report->audits += audits;
    report->conflicts += conflicts;
    report->seconds += json_number_value(seconds);
    report->threads = threads > report->threads ? (uint32_t)threads : report->threads;
    return 0;
}

/* Takes the part's place among the shards. */
static int take_place(gjb_verify_shards *shards, const gjb_verify_part *parts, size_t p, uint64_t shard, gjb_error *error)
{
    const json_t *interrupted = json_object_get(json_object_get(parts[p].root, "summary"), "interrupted");
    if (shards->state[shard] != GJB_SHARD_MISSING)
        return gjb_fail(error, "%s: shard %" PRIu64 "/%" PRIu64 " again: %s is the same", parts[p].name, shard + 1,
                        shards->count, parts[shards->part[shard]].name);
    shards->state[shard] = json_is_true(interrupted) ? GJB_SHARD_INTERRUPTED : GJB_SHARD_DONE;
    shards->part[shard] = p;
    shards->done += shards->state[shard] == GJB_SHARD_DONE;
    return 0;
}

static int add_part(gjb_verify_report *report, const gjb_combos *combos, const gjb_verify_plan *plan,
                    const gjb_verify_part *parts, size_t p, gjb_verify_shards *shards, gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    const json_t *shard = json_object_get(json_object_get(parts[p].root, "plan"), "shard");
    if (same_plan(&parts[p], json_object_get(parts[0].root, "plan"), 1, error) ||
        same_build(&parts[p], json_object_get(parts[0].root, "context"), error))
        return -1;
    if (!json_is_integer(shard) || json_integer_value(shard) < 1 || (uint64_t)json_integer_value(shard) > plan->shards)
        return gjb_fail(error, "%s: plan.shard: %s is none", parts[p].name, gjb_json_words(shard, words));
    gjb_verify_plan own = *plan;
    own.shard = (uint64_t)json_integer_value(shard) - 1;
    return take_place(shards, parts, p, own.shard, error) || add_summary(report, combos, &own, &parts[p], error) ||
                   gjb_verify_add_file(report, combos, &own, &parts[p], error) || whole_file(&parts[p], error)
               ? -1
               : 0;
}

/* Who answered some pairs of a combination was asked all of them: else a row is lost. */
static int no_row_lost(const gjb_verify_report *report, const gjb_combos *combos, const gjb_verify_plan *plan, gjb_error *error)
{
    const size_t per = plan->entry_count * GJB_QUERIES;
    for (size_t r = 0; r < report->row_count; r++) {
        const gjb_verify_row *row = &report->rows[r];
        const gjb_combo *c = &combos->list[r / per];
        const uint64_t pairs = gjb_verify_samples(plan) ? gjb_verify_dealt(plan, combos, r / per, row->contender) : c->pairs;
        if (row->pairs && row->pairs != pairs && !row->unasked && c->others >= c->pairs)
            return gjb_fail(error, "%uD %s %s %s %s %s %s: rows of %" PRIu64 " of %" PRIu64 " pairs: a file lacks its row",
                            (unsigned)row->dim, row->workload, row->family->name, gjb_precision_name(row->precision),
                            row->contender->name, row->backend, gjb_queries[row->query].name, row->pairs, pairs);
    }
    return 0;
}

static int combine(gjb_verify_report *report, gjb_plan_file *file, gjb_combos *combos, const gjb_verify_part *parts,
                   size_t count, gjb_verify_shards *shards, gjb_error *error)
{
    const gjb_verify_plan *plan = &file->plan;
    if (gjb_plan_file_read(file, report->plan, parts[0].name, error) ||
        gjb_verify_combos_make(combos, plan, report, error))
        return -1;
    for (size_t i = 0; i < combos->count; i++)
        gjb_verify_name_rows(&combos->list[i], plan, 1);
    report->seed = plan->seed;
    report->answers_only = plan->answers_only;
    shards->count = plan->shards;
    shards->state = calloc(plan->shards, sizeof *shards->state);
    shards->part = calloc(plan->shards, sizeof *shards->part);
    if (!shards->state || !shards->part)
        return gjb_fail(error, "merge: out of memory");
    for (size_t i = 0; i < combos->count; i++)
        report->pairs_planned += combos->list[i].pairs;
    for (size_t p = 0; p < count; p++)
        if (add_part(report, combos, plan, parts, p, shards, error))
            return -1;
    report->interrupted = shards->done < shards->count;
    json_object_set_new(report->plan, "shard", json_integer(report->interrupted ? 0 : 1));
    if (!report->interrupted)
        json_object_set_new(report->plan, "shards", json_integer(1));
    return report->interrupted ? 0 : no_row_lost(report, combos, plan, error);
}

gjb_verify_report *gjb_verify_combine(const gjb_verify_part *parts, size_t count, gjb_verify_shards *shards,
                                      gjb_error *error)
{
    gjb_plan_file file = {.plan = {0}};
    gjb_combos combos = {0};
    char words[GJB_JSON_WORDS];
    *shards = (gjb_verify_shards){0};
    for (size_t p = 0; p < count; p++) {
        const json_t *kind = json_object_get(parts[p].root, "kind");
        if (!json_is_string(kind) || strcmp(json_string_value(kind), "verify") != 0) {
            gjb_fail(error, "%s: kind: %s: only results of 'verify' and 'fuzz' are merged, each with its own", parts[p].name,
                     gjb_json_words(kind, words));
            return NULL;
        }
    }
    gjb_verify_report *report = calloc(1, sizeof *report);
    if (!report) {
        gjb_fail(error, "merge: out of memory");
        return NULL;
    }
    /* A copy whose members are its own or shared: texts that rows point to live as long. */
    report->plan = json_copy(json_object_get(parts[0].root, "plan"));
    const int failed = combine(report, &file, &combos, parts, count, shards, error);
    report->contenders = file.contenders;
    file.contenders = NULL;
    gjb_plan_file_free(&file);
    gjb_verify_combos_free(&combos);
    if (failed) {
        gjb_verify_free(report);
        return NULL;
    }
    gjb_verify_conclude(report);
    return report;
}

void gjb_verify_shards_free(gjb_verify_shards *shards)
{
    free(shards->state);
    free(shards->part);
}
