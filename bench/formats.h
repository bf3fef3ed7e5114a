/* Results in the words of other programs that track benchmarks. */
#ifndef GJB_BENCH_FORMATS_H
#define GJB_BENCH_FORMATS_H

#include <jansson.h>
#include <stddef.h>

typedef struct gjb_format {
    const char *name;  /* "bencher" */
    const char *about; /* who reads it, and how */
    json_t *(*convert)(const json_t *benchmarks); /* an array of rows, each of which has what is asked of one below */
} gjb_format;

extern const gjb_format gjb_formats[];
extern const size_t gjb_format_count;
const gjb_format *gjb_format_find(const char *name); /* NULL if none */

/* Rows need a name, ns_per_pair and its interval: the place of the first that lacks one, and what it lacks at `*key`;
 * SIZE_MAX where all have them. */
size_t gjb_format_lacks(const json_t *benchmarks, const char **key);

#endif
