/* Checks the rows of a result file against a table of fields, each with its kind. */
#include "bench/rows.h"

#include "core/json_file.h"

const double gjb_time_least = 1e-3, gjb_time_most = 1e14;

static int is_time(const json_t *value)
{
    return json_is_number(value) && json_number_value(value) > gjb_time_least && json_number_value(value) < gjb_time_most;
}

static int is_count(const json_t *value)
{
    return json_is_number(value) && json_number_value(value) >= 0;
}

static int is_some(const json_t *value)
{
    return json_number_value(value) > 0;
}

static int is_text(const json_t *value)
{
    return json_string_length(value) > 0;
}

static const struct kind {
    const char *one, *many; /* what is wanted; many: an array of it */
    int (*is)(const json_t *value);
    size_t least;
} kinds[] = {
    [GJB_FIELD_TEXT] = {"a text", NULL, is_text, 1},
    [GJB_FIELD_TIME] = {"a time in nanoseconds", NULL, is_time, 1},
    [GJB_FIELD_TIMES] = {"a time in nanoseconds", "an array of times in nanoseconds", is_time, 1},
    [GJB_FIELD_COUNT] = {"a number, 0 or more", NULL, is_count, 1},
    [GJB_FIELD_SOME] = {"a number above 0", NULL, is_some, 1},
    [GJB_FIELD_COUNTS] = {"a number, 0 or more", "an array of numbers, 0 or more", is_count, 0},
};

static int check_field(const json_t *row, const char *where, const gjb_field *field, gjb_error *error)
{
    const json_t *value = json_object_get(row, field->key);
    const struct kind *kind = &kinds[field->type];
    char words[GJB_JSON_WORDS];
    size_t i;
    json_t *part;
    if (!value || (json_is_null(value) && !field->needed)) /* null: it is not known, and a reason stands next to it */
        return field->needed ? gjb_fail(error, "%s.%s: missing", where, field->key) : 0;
    if (kind->many ? !json_is_array(value) || json_array_size(value) < kind->least : !kind->is(value))
        return gjb_fail(error, "%s.%s: expected %s, not %s", where, field->key, kind->many ? kind->many : kind->one,
                        gjb_json_words(value, words));
    json_array_foreach(value, i, part)
        if (!kind->is(part))
            return gjb_fail(error, "%s.%s[%zu]: expected %s, not %s", where, field->key, i, kind->one,
                            gjb_json_words(part, words));
    return 0;
}

json_t *gjb_rows(const json_t *root, const char *file, const gjb_field *fields, size_t count, gjb_error *error)
{
    json_t *rows = json_object_get(root, "benchmarks"), *names, *row;
    char words[GJB_JSON_WORDS];
    size_t i;
    if (!json_is_array(rows)) {
        gjb_fail(error, "%s: no result of 'bench --json': it has no array 'benchmarks'", file);
        return NULL;
    }
    const json_t *context = json_object_get(root, "context");
    if (context && !json_is_object(context)) {
        gjb_fail(error, "%s: context: expected an object", file);
        return NULL;
    }
    names = json_object();
    int failed = json_array_size(rows) ? names ? 0 : gjb_fail(error, "%s: out of memory", file)
                                       : gjb_fail(error, "%s: benchmarks: none", file);
    json_array_foreach(rows, i, row) {
        char where[320];
        snprintf(where, sizeof where, "%.280s: benchmarks[%zu]", file, i);
        if (!failed && !json_is_object(row))
            failed = gjb_fail(error, "%s: expected an object, not %s", where, gjb_json_words(row, words));
        for (size_t f = 0; f < count && !failed; f++)
            failed = check_field(row, where, &fields[f], error);
        const char *name = json_string_value(json_object_get(row, "name"));
        if (!failed && name && json_object_get(names, name))
            failed = gjb_fail(error, "%s.name: '%.150s' comes twice", where, name);
        if (failed)
            break;
        if (name)
            json_object_set_new(names, name, json_true());
    }
    json_decref(names);
    return failed ? NULL : rows;
}

int gjb_rows_are_counts(const json_t *root)
{
    return json_is_string(json_object_get(json_object_get(root, "context"), "counted_by"));
}
