/* Result files: rows of "benchmarks" with the fields that their readers need. */
#ifndef GJB_BENCH_ROWS_H
#define GJB_BENCH_ROWS_H

#include <jansson.h>
#include <stddef.h>

#include "core/error.h"

typedef enum gjb_field_type {
    GJB_FIELD_TEXT,   /* not empty */
    GJB_FIELD_TIME,   /* nanoseconds a pair: above gjb_time_least, below gjb_time_most */
    GJB_FIELD_TIMES,  /* an array of those, not empty */
    GJB_FIELD_COUNT,  /* a number, at least 0 */
    GJB_FIELD_SOME,   /* a number above 0 */
    GJB_FIELD_COUNTS, /* an array of those */
} gjb_field_type;

/* What no pair takes: a hundredth of a cycle, and a day. */
extern const double gjb_time_least, gjb_time_most;

typedef struct gjb_field {
    const char *key;
    gjb_field_type type;
    int needed;
} gjb_field;

/* The array "benchmarks" of `root`, which `file` holds: at least one row, each with these fields, and with a name that
 * no other has. NULL with one line in `error` that names file, row, field and value. It is part of `root`. */
json_t *gjb_rows(const json_t *root, const char *file, const gjb_field *fields, size_t count, gjb_error *error);

/* Is it a file of counts, of `bench --count`, and not of times? */
int gjb_rows_are_counts(const json_t *root);

#endif
