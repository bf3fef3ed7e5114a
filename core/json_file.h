/* JSON from files, and one-line reasons why not. */
#ifndef GJB_CORE_JSON_FILE_H
#define GJB_CORE_JSON_FILE_H

#include <jansson.h>

#include "core/error.h"

enum { GJB_JSON_WORDS = 48 };

/* What `path` holds ("-": standard input); the caller owns it. NULL with "PATH: ..." in `error`, or
 * "PATH:LINE:COLUMN: ..." where it is no JSON; keys that stand twice in an object are refused. */
json_t *gjb_json_load(const char *path, gjb_error *error);

/* "FILE: shapes[1].radius: ..." becomes "FILE:LINE:COLUMN: shapes[1].radius: ...": where `text`, which is
 * JSON and `file`'s, has that place, or what is nearest around it. What names no place stays. `error` is
 * not NULL. */
void gjb_json_point(gjb_error *error, const char *file, const char *text, size_t size);
/* The same of a file, read again; of standard input nothing is left. */
void gjb_json_point_file(gjb_error *error, const char *path);

/* How messages name that file. */
const char *gjb_json_place(const char *path);

/* A value for messages, cut where it is long; "none" for NULL. Returns `words`. */
const char *gjb_json_words(const json_t *value, char words[GJB_JSON_WORDS]);

#endif
