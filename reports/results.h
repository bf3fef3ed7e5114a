/* Result files, checked on loading. Strings point into the JSON, which the
 * results own. A number that a file leaves out is NaN, a string is "". */
#ifndef GJB_REPORTS_RESULTS_H
#define GJB_REPORTS_RESULTS_H

#include <jansson.h>

#include "core/error.h"

enum { ITERATION_BINS = 32, ERROR_BINS = 64 };
enum { ERROR_VALUE, ERROR_NORMAL, ERROR_WITNESS, ERROR_KINDS };

typedef struct bench_row {
    const char *name, *contender, *backend, *precision, *query, *workload, *family, *sweep, *fingerprint;
    double ns, low, high, minimum; /* nanoseconds a pair: median, its interval, the best block */
    double pairs_per_second;
    double prepare_ns, wrong_rate, worst_error_eps;
    double dim, shapes, pairs, call, threads, vertices;
    double occupancy, mean_iterations, careful_share, random_lines;
    size_t iteration_bins;
    double iterations[ITERATION_BINS];
} bench_row;

typedef struct verify_row {
    const char *contender, *backend, *precision, *query, *workload, *family, *fingerprint;
    double pairs, graded, ungraded, unsupported, wrong, nan, hung, capped, unwritten, symmetry_wrong;
    double beyond_1e6, beyond_1e3; /* answers further than that times S from the truth */
    double worst_error_eps;
    /* Counts by log2 of the error in eps * S: bin 0 below 1/16, bin i below 2^(i-4), the last the rest. */
    size_t error_bins[ERROR_KINDS];
    double errors[ERROR_KINDS][ERROR_BINS];
} verify_row;

typedef struct results_file {
    const char *name;
    int is_bench;
    json_t *root, *context, *summary; /* the last two may be NULL */
} results_file;

typedef struct results {
    results_file *files;
    size_t file_count;
    bench_row *bench;
    size_t bench_count;
    verify_row *verify;
    size_t verify_count;
} results;

/* 0, or -1 with one line naming file, field and value. Free in both cases. */
int results_load(results *r, const char *const *files, size_t n, gjb_error *error);
void results_free(results *r);

/* The context of the first file that has `key`, bench results before verify results; or NULL. */
json_t *results_context(const results *r, const char *key);
/* The contender does more work than this query asks: its time is no like for like. */
int results_does_more(const results *r, const char *contender, const char *query);

#endif
