/* Result files, checked on loading. Strings point into the JSON, which the
 * results own. A number that a file leaves out is NaN, a string is "". */
#ifndef GJB_REPORTS_RESULTS_H
#define GJB_REPORTS_RESULTS_H

#include <jansson.h>
#include <stdint.h>

#include "core/error.h"
#include "reports/figures/timeline.h"
#include "reports/league/league.h"
#include "reports/metrics.h"

enum { ITERATION_BINS = 32, ERROR_BINS = 64 };
enum { ERROR_VALUE, ERROR_NORMAL, ERROR_WITNESS, ERROR_KINDS };

typedef struct bench_row {
    const char *name, *contender, *backend, *precision, *query, *workload, *family, *sweep, *start, *fingerprint;
    double ns, low, high, minimum; /* nanoseconds a pair: median, its interval, the best block */
    double real_time, cpu_time; /* of a call, on average */
    double pairs_per_second;
    double prepare_ns, wrong_rate, wrong_rate_1e3, graded, worst_error_eps; /* 1e3: beyond 1e-3 S */
    double mean_coverage; /* of manifolds */
    double dim, shapes, pairs, call, threads, vertices;
    double occupancy, mean_iterations, fallback_share, random_lines;
    double memory_ns, pair_bytes; /* of sweep: what memory takes of the time, and for how much */
    int ours; /* see results_ours */
    int self_timed; /* by its own clock: it is never the fastest */
    int only; /* no row of its contender and query is of the other precision */
    size_t iteration_bins;
    double iterations[ITERATION_BINS];
} bench_row;

typedef struct verify_row {
    const char *contender, *backend, *precision, *query, *workload, *family, *fingerprint;
    double dim, pairs, graded, ungraded, too_slow, unsupported, wrong, nan, hung, crashed, unasked, capped,
        unwritten, symmetry_wrong, fallback, unproven;
    double beyond_1e6, beyond_1e3; /* answers further than that times S from the truth */
    int ours;
    double worst_error_eps;
    /* Counts by log2 of the error in eps * S: bin 0 below 1/16, bin i below 2^(i-4), the last the rest. */
    size_t error_bins[ERROR_KINDS];
    double errors[ERROR_KINDS][ERROR_BINS];
    metrics metrics;
} verify_row;

/* An answer of a contender to a known failure of some library. */
typedef struct known_row {
    const char *id, *contender, *backend, *precision, *query, *verdict;
    int ours;
} known_row;

/* A benchmark of two builds, new over old. */
typedef struct compared_row {
    const char *name, *verdict; /* "slower", "faster", "same", "cannot tell" or "not judged" */
    double ratio, low, high;
    int of_counts;  /* of instructions, which are exact, not of times */
    size_t changes; /* of its answers and exact counts */
} compared_row;

/* Ours against the fastest right contender, of a file of `bench --cells`. */
typedef struct cell_row {
    const char *query, *workload, *family, *call, *precision, *backend, *judged;
    const char *rival;    /* "": none is right */
    const char *recorded; /* of a recorded scene: "first", or "new"; else "" */
    double dim, ours_ns, rival_ns, ratio, wrong_share; /* of the rival: NaN without one */
} cell_row;

typedef enum results_kind { RESULTS_BENCH, RESULTS_VERIFY, RESULTS_KNOWN, RESULTS_LEAGUE, RESULTS_CONVERGENCE, RESULTS_COMPARED, RESULTS_TIMELINE, RESULTS_KINDS } results_kind;

typedef struct results_file {
    const char *name;
    results_kind kind;
    json_t *root, *context, *summary; /* the last two may be NULL */
} results_file;

typedef struct results {
    results_file *files;
    size_t file_count;
    bench_row *bench; /* of queries at rest, started cold */
    size_t bench_count;
    bench_row *apart; /* all others: in motion, or started from an axis */
    size_t apart_count;
    verify_row *verify;
    size_t verify_count;
    known_row *known;
    size_t known_count;
    compared_row *compared;
    size_t compared_count;
    timeline_row *timeline;
    size_t timeline_count;
    cell_row *cells; /* in the order of their files */
    size_t cell_count;
    league_row *league;
    size_t league_count;
    json_t *made; /* the league table of the other rows, if no file has one; or NULL */
} results;

/* Series of times that changed, and those that are slower since their newest change. */
void timeline_count(const results *r, size_t *changed, size_t *slower);

/* 0, or -1 with one line naming file, field and value. Free in both cases. */
int results_load(results *r, const char *const *files, size_t n, gjb_error *error);
void results_free(results *r);

/* The league table of verified and measured rows. The caller owns the reference. NULL out of memory. */
json_t *league_of(const results *r);

/* Where no file has a league table, makes that of the rows. 0, or -1 with one line in `error`. */
int results_make_league(results *r, gjb_error *error);
/* That table, which from then on is the results'; NULL out of memory. Likewise. */
int results_take_league(results *r, json_t *made, gjb_error *error);

/* The rows of one dimension, with all of the files; a row that names none is 2D. `part` borrows from `all`: end
 * with results_part_free before the whole is freed. 0, or -1 out of memory. */
int results_part(const results *all, uint32_t dim, results *part);
void results_part_free(results *part);

/* Measured points, those that stand apart last: their number, and the one at `i`. */
size_t results_points(const results *r);
const bench_row *results_point(const results *r, size_t i);

/* The context of the first file that has `key`, bench results first, then verify results; or NULL. */
json_t *results_context(const results *r, const char *key);
/* The interrupted flag, a seed: a bench file has them in its context, a verify file in its summary. Or NULL. */
json_t *results_fact(const results_file *file, const char *key);
/* A count that a file may leave out: 0 then. */
double results_count(double count);
/* The first object of the list whose "name" is that; or NULL. */
json_t *results_named(json_t *list, const char *name);
/* Of the first contender table that knows the name, of a league file or of a context: its version, licence, note.
 * NULL if none does. */
json_t *results_about(const results *r, const char *contender);
/* The contender is the batched kernels: what backends, lanes and drawings of ours are of. */
int results_batch(const char *contender);
/* The contender is of this project, and no rival. Files that do not say so are older: two were then. */
int results_ours(const results *r, const char *contender);
/* Its times are those of its own clock: it is a program. */
int results_self_timed(const results *r, const char *contender);
/* The contender does more work than this query asks: its time is no like for like. */
int results_does_more(const results *r, const char *contender, const char *query);

#endif
