/* One run of 'bench', of times or of counts, as its result file has it: checked, and named by what is in it. */
#ifndef GJB_HISTORY_RECORD_H
#define GJB_HISTORY_RECORD_H

#include <jansson.h>

#include "core/error.h"

enum { GJB_NAME_HEX = 20 };

/* Strings point into `context`. */
typedef struct gjb_record {
    json_t *context, *rows;      /* as in the file: an object, and an array of at least one object */
    char hash[GJB_NAME_HEX];     /* of all of both, however the file was spelled */
    char machine[GJB_NAME_HEX];  /* of what makes times comparable: see gjb_record_make */
    char identity[1024];         /* what that was made of, as JSON */
    const char *file; /* that it came from, for people; NULL: none. Not part of what it is */
    const char *cpu, *host, *kernel, *commit, *compiler, *flags, *build_type; /* "" if the file has none */
    int counts; /* of instructions, not times; then `cpu` is what counted, and `cpus` is 0 */
    json_int_t cpus, seed;
    json_int_t date, commit_date; /* seconds since 1970 in UTC; commit_date -1 if the file has none */
} gjb_record;

/* What a row is filed under; strings point into the row, or the context. */
typedef struct gjb_row {
    const char *name, *contender, *version, *backend, *workload_hash, *fingerprint;
    double ns, low, high; /* per pair: median, and its interval if the row has one, else the median; or instructions */
} gjb_row;

/* A result file; "-" is standard input. 0, or -1 with one line naming file, field and value. Free in both cases. */
int gjb_record_read(gjb_record *record, const char *path, gjb_error *error);
/* Of a whole {"context": ..., "benchmarks": [...]}, which it borrows; `where` names it in errors. The machine is the
 * CPU's name, the number of processors, the caches and whether the clock is scaled: not the host, whose name tells
 * nothing of its speed, nor the kernel, whose updates would cut every series. Of counts it is what counted. */
int gjb_record_make(gjb_record *record, json_t *root, const char *where, gjb_error *error);
void gjb_record_free(gjb_record *record);

gjb_row gjb_record_row(const gjb_record *record, size_t at);

/* Compact JSON that parses to the same: what is stored, hashed and exported. The caller frees it. NULL out of memory. */
char *gjb_record_text(const json_t *json);

#endif
