/* Fields of a JSON object into a struct, by a table; one line for what is wrong. */
#ifndef GJB_REPORTS_JSON_FIELDS_H
#define GJB_REPORTS_JSON_FIELDS_H

#include <jansson.h>
#include <stddef.h>

#include "core/error.h"

typedef enum field_type { TEXT, NUMBER, COUNT } field_type; /* a count is a number that is not negative */

/* One row a field: what the file calls it, where it goes, and whether an object
 * without it can be used at all. Text goes to a const char *, borrowed from the
 * JSON and "" if it is left out; numbers to a double, NaN if they are. */
typedef struct field {
    const char *key;
    size_t offset;
    field_type type;
    int required;
} field;

/* 0, or -1 with "WHERE.key: ..." in `error`. */
int fields_read(void *row, const field *fields, size_t count, json_t *object, const char *where,
                gjb_error *error);

#endif
