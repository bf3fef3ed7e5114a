/* Times over commits: series of `gjkbench history changes --json`, one drawing each. */
#ifndef GJB_REPORTS_TIMELINE_H
#define GJB_REPORTS_TIMELINE_H

#include <jansson.h>

#include "core/error.h"

typedef struct timeline_row {
    const char *benchmark, *machine, *compiler, *flags, *build_type;
    double seed;
    double dim;               /* as its name begins */
    int slower;               /* at its newest change */
    json_t *times;            /* array: nanoseconds a pair, in order of commits */
    json_t *levels, *changes; /* arrays of objects, as history/find_json.c writes them */
} timeline_row;

/* 0, or -1 with "WHERE.key: ..." in `error`. */
int timeline_read(timeline_row *row, json_t *object, const char *where, gjb_error *error);

#endif
