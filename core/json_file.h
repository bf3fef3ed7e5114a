/* JSON from files, and one-line reasons why not. */
#ifndef GJB_CORE_JSON_FILE_H
#define GJB_CORE_JSON_FILE_H

#include <jansson.h>
#include <stdint.h>

#include "core/error.h"

enum { GJB_JSON_WORDS = 48 };

/* The value in `path` ("-": standard input); the caller owns it. NULL with "PATH: ..." in `error`, or
 * "PATH:LINE:COLUMN: ..." if it is not valid JSON. Duplicate keys in an object are refused. */
json_t *gjb_json_load(const char *path, gjb_error *error);

/* "FILE: shapes[1].radius: ..." becomes "FILE:LINE:COLUMN: shapes[1].radius: ...": the position of that
 * value, or of the nearest value around it, in `text`, the JSON of `file`. A message that names no place
 * is unchanged. `error` is not NULL. */
void gjb_json_point(gjb_error *error, const char *file, const char *text, size_t size);
/* The same for a file, which is read again. Standard input cannot be: its errors are unchanged. */
void gjb_json_point_file(gjb_error *error, const char *path);

/* Of text that is no JSON: "FILE:LINE:COLUMN: shapes[1].offset: invalid token near 'NaN'", with the field if it is a
 * value that is at fault. Returns -1. */
int gjb_json_refuse_text(const json_error_t *why, const char *file, const char *text, size_t size, gjb_error *error);

/* The name of that file in messages. */
const char *gjb_json_place(const char *path);

/* A value for messages, shortened if it is long; "none" for NULL. Returns `words`. */
const char *gjb_json_words(const json_t *value, char words[GJB_JSON_WORDS]);

/* The text under a key, "" if there is none; the number, 0 if there is none. */
const char *gjb_text_at(const json_t *object, const char *key);
double gjb_number_at(const json_t *object, const char *key);
/* Sets them. A number that is not finite, which JSON has none of, is left out. */
void gjb_set_number(json_t *object, const char *key, double value);
void gjb_set_count(json_t *object, const char *key, uint64_t value);

#endif
