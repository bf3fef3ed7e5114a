#include "core/json_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *gjb_json_place(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

json_t *gjb_json_load(const char *path, gjb_error *error)
{
    json_error_t at;
    const int standard = !strcmp(path, "-");
    FILE *stream = standard ? stdin : fopen(path, "rb");
    errno = stream ? 0 : errno;
    json_t *root = stream ? json_loadf(stream, JSON_REJECT_DUPLICATES, &at) : NULL;
    if (!stream || (!root && ferror(stream)))
        gjb_fail(error, "%s: cannot be read: %s", gjb_json_place(path), errno ? strerror(errno) : "input/output error");
    else if (!root)
        gjb_fail(error, "%s:%d:%d: %s", gjb_json_place(path), at.line, at.column, at.text);
    if (stream && !standard)
        fclose(stream);
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
