/* Reads JSON values of a wanted kind, and refuses others with file, line, column and field. */
#include "scenes/scene_json_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static void spell(const gjb_json_path *p, char *text, size_t size)
{
    if (p == NULL) {
        text[0] = '\0';
        return;
    }
    spell(p->up, text, size);
    const size_t used = strlen(text);
    if (p->key == NULL)
        snprintf(text + used, size - used, "[%" PRIu64 "]", p->index);
    else
        snprintf(text + used, size - used, "%s%s", used > 0 ? "." : "", p->key);
}

int gjb_json_refuse(const gjb_json_reader *r, const gjb_json_path *where, const char *format, ...)
{
    char place[160], what[256];
    spell(where, place, sizeof place);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return gjb_fail(r->error, "%s: %s%s%s", r->file, place, place[0] != '\0' ? ": " : "", what);
}

/* A few words about a value of the wrong kind. */
static const char *shown(const json_t *value, char text[48])
{
    if (value == NULL)
        return "missing";
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        snprintf(text, 48, "'%.40s'", json_string_value(value));
        return text;
    case JSON_REAL:
    case JSON_INTEGER:
        snprintf(text, 48, "%.9g", json_number_value(value));
        return text;
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

int gjb_json_refuse_type(const gjb_json_reader *r, const gjb_json_path *where, const json_t *value,
                         const char *wanted)
{
    char text[48];
    return gjb_json_refuse(r, where, "%s, wanted %s", shown(value, text), wanted);
}

/* "kind, radius, vertices" */
static const char *listed(const char *const *fields, char text[200])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; fields[i] != NULL && used < 200; i++)
        used += (size_t)snprintf(text + used, 200 - used, "%s%s", i > 0 ? ", " : "", fields[i]);
    return text;
}

/* Checks that an object has only these fields: a misspelt one must not pass
 * as a default. `fields` ends with NULL. */
int gjb_json_object(const gjb_json_reader *r, const gjb_json_path *where, json_t *object,
                    const char *const *fields)
{
    if (!json_is_object(object))
        return gjb_json_refuse_type(r, where, object, "an object");
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (fields[i] != NULL && strcmp(fields[i], key) != 0)
            i++;
        if (fields[i] == NULL && strncmp(key, "x-", 2) != 0) {
            char list[200];
            return gjb_json_refuse(r, where, "unknown field '%.60s'; there are %s", key,
                                   listed(fields, list));
        }
    }
    return 0;
}

int gjb_json_number(const gjb_json_reader *r, const gjb_json_path *where, const json_t *value, double *number)
{
    if (!json_is_number(value))
        return gjb_json_refuse_type(r, where, value, "a number");
    *number = json_number_value(value);
    if (r->precision == GJB_F32) {
        if (isinf((float)*number))
            return gjb_json_refuse(r, where, "%.9g does not fit f32", *number);
        *number = (float)*number;
    }
    return 0;
}

int gjb_json_index(const gjb_json_reader *r, const gjb_json_path *where, const json_t *value, uint32_t *index)
{
    const double number = json_is_number(value) ? json_number_value(value) : -1.0;
    if (!(number >= 0.0 && number < UINT32_MAX && number == floor(number)))
        return gjb_json_refuse_type(r, where, value, "an index");
    *index = (uint32_t)number;
    return 0;
}

/* An array of exactly `size` numbers. */
int gjb_json_numbers(const gjb_json_reader *r, const gjb_json_path *where, const json_t *array, size_t size,
                     double *numbers)
{
    if (!json_is_array(array) || json_array_size(array) != size) {
        char wanted[40];
        snprintf(wanted, sizeof wanted, "an array of %zu numbers", size);
        if (json_is_array(array))
            return gjb_json_refuse(r, where, "%zu values, wanted %s", json_array_size(array), wanted);
        return gjb_json_refuse_type(r, where, array, wanted);
    }
    for (size_t i = 0; i < size; i++)
        if (gjb_json_number(r, INDEX(where, i), json_array_get(array, i), &numbers[i]) != 0)
            return -1;
    return 0;
}

int gjb_json_text(const gjb_json_reader *r, const gjb_json_path *where, const json_t *value, char *text,
                  size_t size)
{
    if (value == NULL)
        return 0;
    if (!json_is_string(value))
        return gjb_json_refuse_type(r, where, value, "a string");
    if (json_string_length(value) >= size)
        return gjb_json_refuse(r, where, "'%.20s...' has %zu bytes, at most %zu fit",
                               json_string_value(value), json_string_length(value), size - 1);
    memcpy(text, json_string_value(value), json_string_length(value));
    return 0;
}

/* Array under `key` of `object`. NULL with an error when it is something else. */
const json_t *gjb_json_array(const gjb_json_reader *r, const gjb_json_path *up, const json_t *object,
                             const char *key)
{
    const json_t *array = json_object_get(object, key);
    if (!json_is_array(array)) {
        gjb_json_refuse_type(r, KEY(up, key), array, "an array");
        return NULL;
    }
    if (json_array_size(array) >= UINT32_MAX) {
        gjb_json_refuse(r, KEY(up, key), "%zu elements are too many", json_array_size(array));
        return NULL;
    }
    return array;
}
