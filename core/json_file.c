/* Loads a JSON file; errors name the place and what is wrong there. */
#include "core/json_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"

const char *gjb_json_place(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

json_t *gjb_json_load(const char *path, gjb_error *error)
{
    json_error_t at;
    size_t size;
    unsigned char *bytes = gjb_file_read(path, gjb_file_accept_text, &size, error);
    json_t *root = bytes ? json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &at) : NULL;
    if (bytes && !root)
        gjb_json_refuse_text(&at, gjb_json_place(path), (const char *)bytes, size, error);
    free(bytes);
    return root;
}

const char *gjb_json_words(const json_t *value, char words[GJB_JSON_WORDS])
{
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    const size_t size = text ? strlen(text) : 0, most = GJB_JSON_WORDS - 4;
    snprintf(words, GJB_JSON_WORDS, "%.*s%s", (int)most, text ? text : "none", size > most ? "..." : "");
    free(text);
    return words;
}

const char *gjb_text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

double gjb_number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

void gjb_set_number(json_t *object, const char *key, double value)
{
    if (isfinite(value))
        json_object_set_new(object, key, json_real(value));
}

void gjb_set_count(json_t *object, const char *key, uint64_t value)
{
    json_object_set_new(object, key, json_integer((json_int_t)value));
}
