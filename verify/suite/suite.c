/* Reads a suite from the files that the program carries: its plans, its cases, and its recorded hashes. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_file.h"
#include "core/spelling.h"
#include "verify/suite/suite_files.h"
#include "verify/suite/suite_private.h"

enum { FORMAT = 1, PARTS_MAX = 64, CASES_MAX = 4096, KIND_MOST = 24 };
static const char folder[] = "suites/";

const char *gjb_suite_length_name(gjb_suite_length length)
{
    static const char *const names[GJB_SUITE_LENGTHS] = {"short", "usual", "long"};
    return names[length];
}

/* The name of the suite that a file is of; 0 if it is of none. */
static size_t name_of(const gjb_suite_file *file, const char **name)
{
    const size_t begin = sizeof folder - 1, end = sizeof ".json" - 1, length = strlen(file->name);
    *name = file->name + begin;
    return strncmp(file->name, folder, begin) == 0 && length > begin + end ? length - begin - end : 0;
}

size_t gjb_suite_names(const char *names[GJB_SUITES_MAX])
{
    static char texts[GJB_SUITES_MAX][32];
    size_t count = 0;
    for (const gjb_suite_file *f = gjb_suite_files; f->name && count < GJB_SUITES_MAX; f++) {
        const char *name;
        const size_t length = name_of(f, &name);
        if (!length)
            continue;
        snprintf(texts[count], sizeof texts[count], "%.*s", (int)length, name);
        names[count] = texts[count];
        count++;
    }
    return count;
}

static int missing(const char *file, const char *field, const char *wanted, const json_t *found,
                   gjb_error *error)
{
    char words[GJB_JSON_WORDS];
    return gjb_fail(error, "%s: %s: %s is wanted, not %s", file, field, wanted, gjb_json_words(found, words));
}

static int read_hash(const json_t *length, const char *key, const char *file, uint64_t *hash,
                     gjb_error *error)
{
    const json_t *json = json_object_get(length, key);
    const char *text = json_string_value(json);
    char *end = NULL;
    errno = 0;
    *hash = text ? strtoull(text, &end, 16) : 0;
    return text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16 && !*end && !errno
               ? 0
               : missing(file, key, "a hash of 16 digits", json, error);
}

static int read_part(gjb_suite_part *part, const json_t *json, const char *file, gjb_error *error)
{
    part->kind = json_string_value(json_object_get(json, "kind"));
    if (!part->kind || !*part->kind || strlen(part->kind) > KIND_MOST)
        return missing(file, "plans[].kind", "a short name", json_object_get(json, "kind"), error);
    return gjb_plan_file_read_pairs(&part->file, json, file, error);
}

static int read_length(gjb_suite *suite, const json_t *json, const char *file, gjb_error *error)
{
    const json_t *plans = json_object_get(json, "plans");
    const size_t count = json_array_size(plans);
    if (!count || count > PARTS_MAX)
        return missing(file, "plans", "a list of 1 to 64", plans, error);
    suite->parts = calloc(count, sizeof *suite->parts);
    if (!suite->parts)
        return gjb_fail(error, "%s: out of memory", file);
    for (suite->part_count = 0; suite->part_count < count;) {
        gjb_suite_part *part = &suite->parts[suite->part_count++];
        if (read_part(part, json_array_get(plans, suite->part_count - 1), file, error))
            return -1;
    }
    return gjb_read_count(json, "truth_pairs", file, "lengths", &suite->truths, error) ||
                   read_hash(json, "inputs", file, &suite->recorded.inputs, error) ||
                   read_hash(json, "truths", file, &suite->recorded.truths, error)
               ? -1
           : suite->truths ? 0
                           : gjb_fail(error, "%s: truth_pairs: 0: at least 1 is wanted", file);
}

static int add_case(gjb_suite *suite, const char *name, const json_t *id, const char *file, gjb_error *error)
{
    if (suite->case_count == CASES_MAX || (id && !json_is_string(id)))
        return missing(file, name, "a list of names, few enough", id, error);
    suite->cases[suite->case_count++] = (gjb_suite_case){name, json_string_value(id)};
    return 0;
}

/* "known-failures/toi.json": ["box2d-115", ...], or "wrong-answers/ode-ball.json": true. */
static int read_cases(gjb_suite *suite, const json_t *cases, const char *file, gjb_error *error)
{
    const char *name;
    json_t *ids;
    suite->cases = calloc(CASES_MAX, sizeof *suite->cases);
    if (!suite->cases)
        return gjb_fail(error, "%s: out of memory", file);
    if (!json_is_object(cases))
        return missing(file, "cases", "an object", cases, error);
    json_object_foreach((json_t *)(uintptr_t)cases, name, ids) {
        if (!json_is_true(ids) && !json_array_size(ids))
            return missing(file, name, "a list of names, or true", ids, error);
        if (json_is_true(ids) && add_case(suite, name, NULL, file, error))
            return -1;
        for (size_t i = 0; i < json_array_size(ids); i++)
            if (add_case(suite, name, json_array_get(ids, i), file, error))
                return -1;
    }
    return 0;
}

static int read_suite(gjb_suite *suite, gjb_suite_length length, const char *file, gjb_error *error)
{
    const json_t *format = json_object_get(suite->root, "format"),
                 *one =
                     json_object_get(json_object_get(suite->root, "lengths"), gjb_suite_length_name(length));
    suite->name = json_string_value(json_object_get(suite->root, "suite"));
    suite->about = json_string_value(json_object_get(suite->root, "about"));
    if (json_integer_value(format) != FORMAT)
        return missing(file, "format", "1", format, error);
    if (!suite->name || !suite->about)
        return missing(file, suite->name ? "about" : "suite", "text", NULL, error);
    if (!json_is_object(one))
        return missing(file, "lengths", gjb_suite_length_name(length), NULL, error);
    return read_length(suite, one, file, error) ||
                   read_cases(suite, json_object_get(suite->root, "cases"), file, error)
               ? -1
               : 0;
}

gjb_suite *gjb_suite_parse(const void *bytes, size_t size, gjb_suite_length length, const char *file,
                           gjb_error *error)
{
    json_error_t where;
    gjb_suite *suite = calloc(1, sizeof *suite);
    if (!suite) {
        gjb_fail(error, "%s: out of memory", file);
        return NULL;
    }
    suite->root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &where);
    if (!suite->root ? gjb_json_refuse_text(&where, file, bytes, size, error)
                     : read_suite(suite, length, file, error)) {
        gjb_suite_free(suite);
        return NULL;
    }
    return suite;
}

gjb_suite *gjb_suite_open(const char *name, gjb_suite_length length, gjb_error *error)
{
    const char *names[GJB_SUITES_MAX];
    const size_t count = gjb_suite_names(names);
    for (const gjb_suite_file *f = gjb_suite_files; f->name; f++) {
        const char *own;
        const size_t size = name_of(f, &own);
        if (size && size == strlen(name) && strncmp(own, name, size) == 0)
            return gjb_suite_parse(f->bytes, f->size, length, f->name, error);
    }
    const char *near = gjb_nearest_name(name, names, count);
    if (near)
        gjb_fail(error, "unknown suite '%s': did you mean '%s'?", name, near);
    else
        gjb_fail(error, "unknown suite '%s'; without a name the command lists all suites", name);
    return NULL;
}

void gjb_suite_free(gjb_suite *suite)
{
    if (!suite)
        return;
    for (size_t i = 0; i < suite->part_count; i++)
        gjb_plan_file_free(&suite->parts[i].file);
    free(suite->parts);
    free(suite->cases);
    json_decref(suite->root);
    free(suite);
}

const char *gjb_suite_name(const gjb_suite *suite)
{
    return suite->name;
}

const char *gjb_suite_about(const gjb_suite *suite)
{
    return suite->about;
}

const gjb_verify_hashes *gjb_suite_recorded(const gjb_suite *suite)
{
    return &suite->recorded;
}

uint32_t gjb_suite_queries(const gjb_suite *suite)
{
    uint32_t queries = 0;
    for (size_t i = 0; i < suite->part_count; i++)
        queries |= suite->parts[i].file.plan.queries;
    return queries;
}

/* As the plan deals them: evenly, at least one to each combination. */
static uint64_t pairs_in(const gjb_verify_plan *plan, uint32_t dim)
{
    uint64_t combos = 0, precisions = 0;
    const uint64_t pairs = dim == 3 && plan->space_pairs ? plan->space_pairs : plan->pairs;
    for (size_t w = 0; w < plan->workload_count; w++)
        for (size_t f = 0; f < plan->family_count && plan->workloads[w].dim == dim; f++)
            combos += (uint64_t)gjb_verify_asks(plan, plan->families[f], &plan->workloads[w]);
    for (int p = 0; p < GJB_PRECISIONS; p++)
        precisions += plan->precisions >> p & 1;
    return combos ? (pairs + combos - 1) / combos * combos * precisions : 0;
}

uint64_t gjb_suite_pairs(const gjb_suite *suite)
{
    uint64_t pairs = 0;
    for (size_t i = 0; i < suite->part_count; i++)
        pairs += pairs_in(&suite->parts[i].file.plan, 2) + pairs_in(&suite->parts[i].file.plan, 3);
    return pairs;
}

/* Does the part ask that about pairs of the dimension? */
static int asks(const gjb_verify_plan *plan, int query, uint32_t dim)
{
    size_t w = 0;
    while (w < plan->workload_count && plan->workloads[w].dim != dim)
        w++;
    return plan->queries >> query & 1 && w < plan->workload_count;
}

size_t gjb_suite_places(const gjb_suite *suite, gjb_suite_place places[GJB_SUITE_PLACES])
{
    size_t count = 0;
    for (int q = 0; q < GJB_QUERIES; q++)
        for (uint32_t dim = 2; dim <= 3; dim++)
            for (size_t i = 0; i < suite->part_count && count < GJB_SUITE_PLACES; i++)
                if (asks(&suite->parts[i].file.plan, q, dim))
                    places[count++] = (gjb_suite_place){(gjb_query)q, dim, suite->parts[i].kind};
    return count;
}
