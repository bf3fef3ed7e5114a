/* Checks a result file as a run of a history, and derives its names, dates, machine and compact JSON. */
#include "history/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/rows.h"
#include "core/json_file.h"
#include "scenes/hash.h"

enum { STORED = JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17), HASHED = STORED | JSON_SORT_KEYS };

char *gjb_record_text(const json_t *json)
{
    return json_dumps(json, STORED);
}

void gjb_record_free(gjb_record *record)
{
    json_decref(record->context);
    json_decref(record->rows);
    record->context = record->rows = NULL;
}

static void hash_text(const char *text, char name[GJB_NAME_HEX])
{
    const size_t size = strlen(text);
    snprintf(name, GJB_NAME_HEX, "%016llx", (unsigned long long)gjb_fingerprint(text, 1, size, size, 0));
}

/* "" if an optional one is missing; NULL with one line in `error` if it is needed, or no text. */
static const char *text_at(const json_t *object, const char *where, const char *key, int needed, gjb_error *error)
{
    const json_t *value = json_object_get(object, key);
    if (!value && !needed)
        return "";
    if (!json_is_string(value) || (needed && !*json_string_value(value))) {
        char words[GJB_JSON_WORDS];
        if (value)
            gjb_fail(error, "%s.%s: expected a text, not %s", where, key, gjb_json_words(value, words));
        else
            gjb_fail(error, "%s.%s: missing", where, key);
        return NULL;
    }
    return json_string_value(value);
}

static int whole_at(const json_t *object, const char *where, const char *key, json_int_t *number, gjb_error *error)
{
    const json_t *value = json_object_get(object, key);
    char words[GJB_JSON_WORDS];
    if (!value)
        return gjb_fail(error, "%s.%s: missing", where, key);
    if (!json_is_integer(value))
        return gjb_fail(error, "%s.%s: expected a whole number, not %s", where, key, gjb_json_words(value, words));
    *number = json_integer_value(value);
    return 0;
}

/* 2026-11-23T15:07:00Z, or +01:00 for Z. */
static int read_date(const char *text, json_int_t *seconds)
{
    struct tm t = {0};
    char sign = 0;
    int used = 0, hours = 0, minutes = 0;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour, &t.tm_min, &t.tm_sec,
               &used) != 6 || t.tm_mon < 1 || t.tm_mon > 12 || t.tm_mday < 1 || t.tm_mday > 31 || t.tm_hour < 0 ||
        t.tm_hour > 23 || t.tm_min < 0 || t.tm_min > 59 || t.tm_sec < 0 || t.tm_sec > 60 || t.tm_year < 1970)
        return -1;
    text += used;
    if (strcmp(text, "Z") &&
        (sscanf(text, "%c%2d:%2d%n", &sign, &hours, &minutes, &used) != 3 || text[used] || (sign != '+' && sign != '-')))
        return -1;
    t.tm_year -= 1900;
    t.tm_mon--;
    *seconds = (json_int_t)timegm(&t) - (sign == '-' ? -1 : 1) * (3600 * hours + 60 * minutes);
    return 0;
}

static int date_at(const json_t *context, const char *where, const char *key, int needed, json_int_t *date,
                   gjb_error *error)
{
    const char *text = text_at(context, where, key, needed, error);
    if (!text)
        return -1;
    *date = -1;
    if (*text && read_date(text, date))
        return gjb_fail(error, "%s.%s: '%s' is no date such as 2026-11-23T15:07:00Z", where, key, text);
    return 0;
}

static int read_texts(gjb_record *r, const char *where, gjb_error *error)
{
    const struct { const char *key, **text; int needed; } texts[] = {
        {"cpu", &r->cpu, 1}, {"commit", &r->commit, 1}, {"compiler", &r->compiler, 1}, {"flags", &r->flags, 0},
        {"library_build_type", &r->build_type, 0}, {"host_name", &r->host, 0}, {"kernel", &r->kernel, 0}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!(*texts[i].text = text_at(r->context, where, texts[i].key, texts[i].needed, error)))
            return -1;
    return 0;
}

static int read_context(gjb_record *r, const char *file, gjb_error *error)
{
    char where[320];
    snprintf(where, sizeof where, "%.280s: context", file);
    return read_texts(r, where, error) || whole_at(r->context, where, "num_cpus", &r->cpus, error) ||
                   whole_at(r->context, where, "seed", &r->seed, error) ||
                   date_at(r->context, where, "date", 1, &r->date, error) ||
                   date_at(r->context, where, "commit_date", 0, &r->commit_date, error)
               ? -1
               : 0;
}

static const gjb_field count_fields[] = {
    {"name", GJB_FIELD_TEXT, 1},
    {"contender", GJB_FIELD_TEXT, 1},
    {"backend", GJB_FIELD_TEXT, 1},
    {"workload_hash", GJB_FIELD_TEXT, 1},
    {"label", GJB_FIELD_TEXT, 1},
    {"instructions_per_pair", GJB_FIELD_SOME, 1},
};

static const gjb_field row_fields[] = {
    {"name", GJB_FIELD_TEXT, 1},
    {"contender", GJB_FIELD_TEXT, 1},
    {"backend", GJB_FIELD_TEXT, 1},
    {"workload_hash", GJB_FIELD_TEXT, 1},
    {"label", GJB_FIELD_TEXT, 1},
    {"ns_per_pair", GJB_FIELD_TIME, 1},
    {"ns_low", GJB_FIELD_TIME, 0},
    {"ns_high", GJB_FIELD_TIME, 0},
    {"samples", GJB_FIELD_TIMES, 1},
};

/* Counts are those of what counted, on whichever machine: that takes the machine's place. */
static void count_as_machine(gjb_record *r)
{
    r->counts = 1;
    r->cpu = json_string_value(json_object_get(r->context, "counted_by"));
    r->cpus = 0;
}

static int name_machine(gjb_record *r, const char *where, gjb_error *error)
{
    static const char *const of_times[] = {"cpu", "num_cpus", "caches", "cpu_scaling_enabled", NULL},
                             *const of_counts[] = {"counted_by", NULL};
    const char *const *keys = r->counts ? of_counts : of_times;
    json_t *identity = json_object();
    for (size_t i = 0; keys[i]; i++) {
        json_t *value = json_object_get(r->context, keys[i]);
        if (value)
            json_object_set(identity, keys[i], value);
    }
    char *text = json_dumps(identity, HASHED);
    json_decref(identity);
    if (!text || strlen(text) >= sizeof r->identity) {
        free(text);
        return gjb_fail(error, "%s: context: the machine's description is too long", where);
    }
    strcpy(r->identity, text);
    hash_text(text, r->machine);
    r->machine[12] = '\0'; /* enough to tell machines apart, and short enough to type */
    free(text);
    return 0;
}

static int name_run(gjb_record *r, const char *where, gjb_error *error)
{
    json_t *both = json_pack("{sO sO}", "context", r->context, "benchmarks", r->rows);
    char *text = both ? json_dumps(both, HASHED) : NULL;
    json_decref(both);
    if (!text)
        return gjb_fail(error, "%s: out of memory", where);
    hash_text(text, r->hash);
    free(text);
    return 0;
}

static int refuse_kind(const json_t *root, const char *where, gjb_error *error)
{
    if (json_object_get(root, "gjkbench_history"))
        return gjb_fail(error, "%s: is what 'history export' writes: 'history import' reads it", where);
    if (json_is_array(json_object_get(root, "rows")))
        return gjb_fail(error, "%s: benchmarks: missing: these are results of verify, and a history is one of times",
                        where);
    return gjb_fail(error, "%s: benchmarks: missing: not a result of 'bench --json'", where);
}

int gjb_record_make(gjb_record *r, json_t *root, const char *where, gjb_error *error)
{
    *r = (gjb_record){0};
    r->context = json_incref(json_object_get(root, "context"));
    r->rows = json_incref(json_object_get(root, "benchmarks"));
    if (!r->rows)
        return refuse_kind(root, where, error);
    if (!json_is_array(r->rows))
        return gjb_fail(error, "%s: benchmarks: expected an array", where);
    if (!json_is_object(r->context))
        return gjb_fail(error, "%s: context: %s", where, r->context ? "expected an object" : "missing");
    if (read_context(r, where, error))
        return -1;
    if (gjb_rows_are_counts(root))
        count_as_machine(r);
    const int bad =
        r->counts ? !gjb_rows(root, where, count_fields, sizeof count_fields / sizeof *count_fields, error)
                  : !gjb_rows(root, where, row_fields, sizeof row_fields / sizeof *row_fields, error);
    return bad || name_machine(r, where, error) || name_run(r, where, error) ? -1 : 0;
}

int gjb_record_read(gjb_record *record, const char *path, gjb_error *error)
{
    *record = (gjb_record){0};
    json_t *root = gjb_json_load(path, error);
    if (!root)
        return -1;
    const int failed = gjb_record_make(record, root, gjb_json_place(path), error);
    record->file = gjb_json_place(path);
    if (failed)
        gjb_json_point_file(error, path);
    json_decref(root);
    return failed;
}

static const char *version_of(const json_t *context, const char *contender)
{
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(context, "contenders"), i, one) {
        const char *name = json_string_value(json_object_get(one, "name"));
        const char *version = json_string_value(json_object_get(one, "version"));
        if (name && version && !strcmp(name, contender))
            return version;
    }
    return "";
}

gjb_row gjb_record_row(const gjb_record *record, size_t at)
{
    const char *measured = record->counts ? "instructions_per_pair" : "ns_per_pair";
    const json_t *row = json_array_get(record->rows, at), *low = json_object_get(row, "ns_low"),
                 *high = json_object_get(row, "ns_high");
    gjb_row r = {.name = json_string_value(json_object_get(row, "name")),
                 .contender = json_string_value(json_object_get(row, "contender")),
                 .backend = json_string_value(json_object_get(row, "backend")),
                 .workload_hash = json_string_value(json_object_get(row, "workload_hash")),
                 .fingerprint = json_string_value(json_object_get(row, "label")),
                 .ns = json_number_value(json_object_get(row, measured))};
    r.version = version_of(record->context, r.contender);
    r.low = low ? json_number_value(low) : r.ns;
    r.high = high ? json_number_value(high) : r.ns;
    return r;
}
