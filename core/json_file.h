/* JSON from files, and one-line reasons why not. */
#ifndef GJB_CORE_JSON_FILE_H
#define GJB_CORE_JSON_FILE_H

#include <jansson.h>

#include "core/error.h"

enum { GJB_JSON_WORDS = 48 };

/* What `path` holds ("-": standard input); the caller owns it. NULL with "PATH: ..." in `error`, or
 * "PATH:LINE:COLUMN: ..." where it is no JSON; keys that stand twice in an object are refused. */
json_t *gjb_json_load(const char *path, gjb_error *error);

/* How messages name that file. */
const char *gjb_json_place(const char *path);

/* A value for messages, cut where it is long; "none" for NULL. Returns `words`. */
const char *gjb_json_words(const json_t *value, char words[GJB_JSON_WORDS]);

#endif
