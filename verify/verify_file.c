/* Rows and mishaps of a result file, into a report. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_file.h"
#include "verify/verify_private.h"

/* Where in which file, for messages. */
typedef struct spot {
    const char *name;
    char where[64];
    gjb_error *error;
} spot;

static int refuse(const spot *at, const char *key, const json_t *value, const char *why)
{
    char words[GJB_JSON_WORDS];
    return gjb_fail(at->error, "%s: %s.%s: %s %s", at->name, at->where, key, gjb_json_words(value, words), why);
}

static int count_of(const spot *at, const json_t *object, const char *key, uint64_t *value)
{
    return gjb_read_count(object, key, at->name, at->where, value, at->error);
}

static int real_of(const spot *at, const json_t *object, const char *key, double *value)
{
    const json_t *found = json_object_get(object, key);
    *value = json_is_null(found) ? INFINITY : json_number_value(found);
    return !json_is_null(found) && !(json_is_number(found) && *value >= 0) ? refuse(at, key, found, "is no size") : 0;
}

static int counts_of(const spot *at, const json_t *object, const char *key, uint64_t *values, size_t room)
{
    const json_t *list = json_object_get(object, key);
    size_t i;
    json_t *value;
    if (!json_is_array(list) || json_array_size(list) > room)
        return refuse(at, key, list, "is no such list of counts");
    json_array_foreach(list, i, value) {
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return refuse(at, key, value, "is no count");
        values[i] = (uint64_t)json_integer_value(value);
    }
    return 0;
}

typedef const char *(*namer)(int);
static const char *fault_name(int i) { return gjb_fault_name((gjb_fault)i); }
static const char *mishap_name(int i) { return gjb_mishap_name((gjb_mishap)i); }
static const char *hint_name(int i) { return gjb_hint_name((gjb_hint)i); }

/* {"name": count}, of names that are numbered. */
static int named_counts_of(const spot *at, const json_t *object, const char *key, namer name, int names, uint64_t *values)
{
    json_t *list = json_object_get(object, key), *value;
    const char *word;
    if (!json_is_object(list))
        return refuse(at, key, list, "is no object");
    json_object_foreach(list, word, value) {
        int i = 0;
        while (i < names && strcmp(name(i), word) != 0)
            i++;
        if (i == names)
            return gjb_fail(at->error, "%s: %s.%s: unknown to this program: %s", at->name, at->where, key, word);
        if (count_of(at, list, word, &values[i]))
            return -1;
    }
    return 0;
}

static int metrics_of(const spot *at, const json_t *json, gjb_metrics *m)
{
    const json_t *repeat = json_object_get(json, "repeat"), *shifts = json_object_get(json, "shifts");
    if (count_of(at, repeat, "pairs", &m->pairs) || count_of(at, repeat, "again", &m->again) ||
        count_of(at, repeat, "reordered", &m->reordered) || count_of(at, repeat, "other_session", &m->other_session))
        return -1;
    if (json_array_size(shifts) != GJB_SHIFTS)
        return refuse(at, "shifts", shifts, "is no such list");
    for (int k = 0; k < GJB_SHIFTS; k++) {
        const json_t *shift = json_array_get(shifts, (size_t)k);
        gjb_shift_count *s = &m->shifts[k];
        if (json_integer_value(json_object_get(shift, "log2")) != gjb_shift_log2[k])
            return refuse(at, "log2", json_object_get(shift, "log2"), "is another shift");
        if (count_of(at, shift, "pairs", &s->pairs) || count_of(at, shift, "inexact", &s->inexact) ||
            count_of(at, shift, "changed", &s->changed) || count_of(at, shift, "flipped", &s->flipped) ||
            real_of(at, shift, "worst_eps", &s->worst_eps))
            return -1;
    }
    return 0;
}

static int hex_of(const spot *at, const json_t *object, const char *key, uint64_t *value)
{
    const json_t *found = json_object_get(object, key);
    const char *text = json_string_value(found);
    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return refuse(at, key, found, "is no fingerprint");
    *value = strtoull(text, NULL, 16);
    return 0;
}

static int row_of(const spot *at, const json_t *json, gjb_verify_row *row)
{
    static const char *const histograms[] = {"value", "normal", "witness"};
    *row = (gjb_verify_row){0};
    for (const gjb_verify_field *f = gjb_verify_counts; f->name; f++)
        if (count_of(at, json, f->name, (uint64_t *)(void *)((char *)row + f->at)))
            return -1;
    if ((json_object_get(json, "too_slow") && count_of(at, json, "too_slow", &row->too_slow)) ||
        (json_object_get(json, "pairs_too_slow") && count_of(at, json, "pairs_too_slow", &row->pairs_too_slow)))
        return -1;
    if ((json_object_get(json, "covered") && count_of(at, json, "covered", &row->covered)) ||
        (json_object_get(json, "coverage_millionths") && count_of(at, json, "coverage_millionths", &row->coverage)))
        return -1;
    if ((json_object_get(json, "crashed_exchanged") &&
         count_of(at, json, "crashed_exchanged", &row->crashed_exchanged)) ||
        (json_object_get(json, "hung_exchanged") && count_of(at, json, "hung_exchanged", &row->hung_exchanged)) ||
        (json_object_get(json, "hints") &&
         named_counts_of(at, json, "hints", hint_name, GJB_HINTS, row->hints)))
        return -1;
    if (row->crashed_exchanged > row->crashed || row->hung_exchanged > row->hung)
        return refuse(at, "crashed_exchanged", json_object_get(json, "crashed_exchanged"),
                      "or hung_exchanged is more than all of them");
    if (row->covered > row->pairs || row->coverage / GJB_COVERAGE_ONE > row->covered)
        return refuse(at, "covered", json_object_get(json, "covered"),
                      "is no count of pairs, or less than the coverage");
    if (row->too_slow > row->ungraded)
        return refuse(at, "too_slow", json_object_get(json, "too_slow"), "is more than were ungraded");
    if (row->pairs_too_slow > row->too_slow)
        return refuse(at, "pairs_too_slow", json_object_get(json, "pairs_too_slow"), "is more than too_slow");
    for (const gjb_verify_field *f = gjb_verify_worst; f->name; f++)
        if (real_of(at, json, f->name, (double *)(void *)((char *)row + f->at)))
            return -1;
    for (size_t i = 0; i < 3; i++)
        if (counts_of(at, json_object_get(json, "error_histogram"), histograms[i], row->histogram[i], GJB_ERROR_BINS))
            return -1;
    return counts_of(at, json, "iterations", row->stats.run.iterations,
                     sizeof row->stats.run.iterations / sizeof *row->stats.run.iterations) ||
           named_counts_of(at, json, "faults", fault_name, GJB_FAULTS, row->faults) ||
           named_counts_of(at, json, "mishaps", mishap_name, GJB_MISHAPS, row->found) ||
           metrics_of(at, json_object_get(json, "metrics"), &row->metrics) ||
           hex_of(at, json, "fingerprint", &row->fingerprint)
               ? -1
               : 0;
}

static int is(const json_t *json, const char *key, const char *want)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text && !strcmp(text, want);
}

/* Is a row, or a mishap, of that place? */
static int is_at(const json_t *json, const gjb_verify_row *row)
{
    return is(json, "query", gjb_queries[row->query].name) && is(json, "family", row->family->name) &&
           is(json, "contender", row->contender->name) && is(json, "backend", row->backend) &&
           is(json, "workload", row->workload) && is(json, "precision", gjb_precision_name(row->precision)) &&
           json_integer_value(json_object_get(json, "dim")) == (json_int_t)row->dim;
}

/* The place in the report, searched from `from` on, round; row_count if there is none. */
static size_t place_of(const gjb_verify_report *report, const json_t *json, size_t from)
{
    for (size_t i = 0; i < report->row_count; i++) {
        const size_t at = (from + i) % report->row_count;
        if (is_at(json, &report->rows[at]))
            return at;
    }
    return report->row_count;
}

static int add_rows(gjb_verify_report *report, const gjb_combos *combos, const gjb_verify_plan *plan, const json_t *root,
                    spot *at)
{
    const json_t *rows = json_object_get(root, "rows");
    const int whole = !json_is_true(json_object_get(json_object_get(root, "summary"), "interrupted"));
    const size_t per = plan->entry_count * GJB_QUERIES;
    size_t i, next = 0;
    json_t *json;
    if (!json_is_array(rows))
        return gjb_fail(at->error, "%s: no rows", at->name);
    json_array_foreach(rows, i, json) {
        gjb_verify_row row;
        snprintf(at->where, sizeof at->where, "rows[%zu]", i);
        const size_t place = place_of(report, json, next);
        if (place < next || place == report->row_count)
            return gjb_fail(at->error, "%s: %s: %s", at->name, at->where,
                            place < next ? "out of order, or there twice" : "of no place that the plan has");
        next = place + 1;
        if (row_of(at, json, &row))
            return -1;
        const uint64_t dealt = gjb_verify_dealt(plan, combos, place / per, report->rows[place].contender);
        if (row.pairs > dealt || (whole && !row.unasked && row.pairs != dealt))
            return gjb_fail(at->error, "%s: %s.pairs: %" PRIu64 ", and its shard has %" PRIu64, at->name, at->where, row.pairs, dealt);
        gjb_verify_merge(&report->rows[place], &row);
    }
    return 0;
}

static int mishap_of(const spot *at, const json_t *json, const gjb_verify_row *row, gjb_verify_mishap *m)
{
    const json_t *pair = json_object_get(json, "pair"), *code = json_object_get(json, "code"),
                 *exchanged = json_object_get(json, "exchanged"), *file = json_object_get(json, "file"),
                 *said = json_object_get(json, "said");
    int what = 0;
    while (what < GJB_MISHAPS && !is(json, "what", gjb_mishap_name((gjb_mishap)what)))
        what++;
    if (what == GJB_MISHAPS)
        return refuse(at, "what", json_object_get(json, "what"), "is unknown to this program");
    if (!json_is_integer(code) || !json_is_boolean(exchanged) || !(json_is_null(pair) || json_is_integer(pair)) ||
        !(json_is_null(file) || json_is_string(file)) || !(said == NULL || json_is_string(said)))
        return gjb_fail(at->error, "%s: %s: code, pair, exchanged, file or said is of another type", at->name,
                        at->where);
    *m = (gjb_verify_mishap){.dim = row->dim,
                             .workload = row->workload,
                             .family = row->family,
                             .precision = row->precision,
                             .contender = row->contender,
                             .backend = row->backend,
                             .what = (gjb_mishap)what,
                             .code = (int)json_integer_value(code),
                             .query = row->query,
                             .pair = json_is_null(pair) ? GJB_NO_PAIR : (uint64_t)json_integer_value(pair),
                             .exchanged = json_is_true(exchanged),
                             .preparing = json_is_true(json_object_get(json, "preparing")),
                             .file = json_is_null(file) ? NULL : strdup(json_string_value(file)),
                             .said = said ? strdup(json_string_value(said)) : NULL};
    return 0;
}

static int add_mishaps(gjb_verify_report *report, const json_t *root, spot *at)
{
    const json_t *mishaps = json_object_get(root, "mishaps");
    uint64_t dropped;
    const size_t count = json_array_size(mishaps);
    snprintf(at->where, sizeof at->where, "it");
    if (!json_is_array(mishaps))
        return gjb_fail(at->error, "%s: no mishaps", at->name);
    if (count_of(at, root, "mishaps_dropped", &dropped))
        return -1;
    report->mishaps_dropped += dropped;
    gjb_verify_mishap *more = realloc(report->mishaps, (report->mishap_count + count + 1) * sizeof *more);
    if (!more)
        return gjb_fail(at->error, "%s: out of memory", at->name);
    report->mishaps = more;
    for (size_t i = 0; i < count; i++) {
        const json_t *json = json_array_get(mishaps, i);
        snprintf(at->where, sizeof at->where, "mishaps[%zu]", i);
        const size_t place = place_of(report, json, 0);
        if (place == report->row_count)
            return gjb_fail(at->error, "%s: %s: of no place that the plan has", at->name, at->where);
        if (mishap_of(at, json, &report->rows[place], &report->mishaps[report->mishap_count]))
            return -1;
        report->mishap_count++;
    }
    return 0;
}

int gjb_verify_add_file(gjb_verify_report *report, const gjb_combos *combos, const gjb_verify_plan *plan,
                        const gjb_verify_part *part, gjb_error *error)
{
    spot at = {.name = part->name, .error = error};
    return add_rows(report, combos, plan, part->root, &at) || add_mishaps(report, part->root, &at) ? -1 : 0;
}
