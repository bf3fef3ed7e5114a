/* Results in the words of other programs that track benchmarks. */
#ifndef GJB_BENCH_FORMATS_H
#define GJB_BENCH_FORMATS_H

#include <jansson.h>
#include <stddef.h>

#include "bench/rows.h"

typedef struct gjb_format {
    const char *name;  /* "bencher" */
    const char *about; /* which programs read it, and how */
    json_t *(*convert)(const json_t *benchmarks); /* an array of rows, each of which has what is asked of one below */
} gjb_format;

extern const gjb_format gjb_formats[];
extern const size_t gjb_format_count;
const gjb_format *gjb_format_find(const char *name); /* NULL if none */

/* What is asked of a row, for gjb_rows: a name, ns_per_pair with its interval; the others may be missing. */
enum { GJB_FORMAT_FIELDS = 7 };
extern const gjb_field gjb_format_fields[GJB_FORMAT_FIELDS];

#endif
