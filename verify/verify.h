/* Verification: every selected contender on generated pairs, graded. */
#ifndef GJB_FUZZ_VERIFY_H
#define GJB_FUZZ_VERIFY_H

#include <jansson.h>
#include <signal.h>
#include <stdio.h>

#include "contenders/harness.h"
#include "core/error.h"
#include "grading/grade.h"
#include "scenes/generate/grid.h"
#include "verify/verify_metrics.h"

enum {
    GJB_VERIFY_CHUNK = 1024, /* pairs generated, answered and graded at a time */
    GJB_VERIFY_SAVED = 20,   /* failing pairs kept per row, mishaps that ended a process, and mild ones */
    GJB_VERIFY_MISHAPS = 64, /* mishaps of a kind kept per entry: none crowds out the others */
    GJB_VERIFY_HANGS = GJB_HANGS_MAX, /* per row; what is left of it goes unasked, for each costs seconds */
    GJB_VERIFY_SHARE_LEAST = 1000, /* pairs of a line, from which on its share of ungraded ones is judged */
    GJB_VERIFY_PAIR = 160,   /* bytes of the name of a pair */
    GJB_ERROR_BINS = 16      /* < 1/16, then powers of two up to >= 1024, in units of eps S */
};

typedef struct gjb_verify_entry {
    const gjb_contender *contender;
    const char *backend; /* NULL if there is just one way */
} gjb_verify_entry;

typedef struct gjb_verify_workload {
    uint32_t dim;
    const char *name;
} gjb_verify_workload;

/* Fewer pairs than a plan has, if time is short: chunks of a few pairs each, a chunk of every family before a second
 * of any, kinds of shapes by turns, fewer pairs of what is dear. Done is always the first so many chunks. */
typedef struct gjb_verify_sample {
    double seconds;  /* no chunk is begun after so long; 0: the clock does not matter */
    uint64_t chunks; /* no more than so many; 0: any number. Both 0: no sample, but all pairs */
} gjb_verify_sample;

typedef struct gjb_verify_plan {
    const gjb_verify_workload *workloads; /* each meets the families that its dimension has */
    size_t workload_count;
    const gjb_family *const *families;
    size_t family_count;
    const gjb_verify_entry *entries; /* those of one contender next to each other */
    size_t entry_count;
    uint32_t queries, precisions; /* bits */
    uint64_t pairs; /* per dimension and precision, spread evenly over workloads x families, at least 1 each */
    uint64_t space_pairs; /* the same of 3D, whose truth costs more; 0: as many as in 2D */
    uint64_t others; /* the first so many of them, in chunks, for contenders that are not ours; 0: all */
    uint64_t seed;
    double margin; /* of manifold, as gjb_recipe has it */
    double within; /* of intersect and distance, as gjb_recipe has it */
    uint32_t leaving; /* of toi: a gjb_leaving. Families that turn are then left out */
    gjb_verify_sample sample; /* of one shard alone */
    uint64_t shard, shards; /* this shard, from 0, of so many; 0 shards means 1 */
    uint32_t threads;       /* 0: all processors */
    gjb_grid *grid; /* NULL, or the pairs are all of it: its name the one workload, gjb_grid_family the one family,
                       `pairs` how many it has */
    const gjb_shapes *library; /* of the workloads "realN"; NULL: the hulls that ship */
    uint64_t library_hash;     /* of them, to recognise results on other hulls; 0: the hulls that ship */
    uint32_t audit;         /* every so many pairs the oracle checks the certificates, and verdicts are
                               compared with those of a slow truth; 0: never */
    const char *out;        /* folder for failing pairs, and of mishaps, made when the first comes; NULL: keep none */
    int answers_only;       /* answer and compare backends; nothing is graded, exchanged or measured */
    uint64_t truths;        /* of the first so many pairs of each combination the exact truth is hashed, if there is one: of
                               polytopes at rest, rounded or not. With 0 nothing is hashed; else what answers depend on
                               is not measured */
    int save_all;           /* also those of contenders that are not ours */
    double hang_seconds;    /* one of ours hangs if it uses more CPU time over some pairs, or is blocked for longer,
                               or for 30 s (core/patience.h); 0: 120 */
    const volatile sig_atomic_t *stop; /* may be NULL; once nonzero, chunks begun are finished, but for
                                          what gjb_session_stop_on cuts short: those pairs are left out */
    void (*progress)(uint64_t done, uint64_t total); /* may be NULL; pairs, from the calling thread */
} gjb_verify_plan;

/* Hashes of pairs and of their truths: sums over chunks, each keyed by its place, so that no order shows. */
typedef struct gjb_verify_hashes {
    uint64_t inputs;        /* of shapes, poses, motions and margins, as gjb_scene_hash has them */
    uint64_t truths, truth_count; /* of signed distances, each as the doubles around its exact value; how many */
} gjb_verify_hashes;
/* Adds the hashes of a scene of one frame that `key` names, and of the truths about its first `truths` pairs. 0, or -1
 * out of memory. */
int gjb_verify_hash(gjb_verify_hashes *sum, const gjb_scene *scene, uint64_t truths, uint64_t key);

/* 1 if a family has pairs of a workload that a query of the plan is about. */
int gjb_verify_asks(const gjb_verify_plan *plan, const gjb_family *family, const gjb_verify_workload *workload);

enum { GJB_COVERAGE_ONE = 1000000 };

/* One row: dimension x workload x family x precision x contender x backend x query. */
typedef struct gjb_verify_row {
    uint32_t dim;
    const char *workload;
    const gjb_family *family;
    gjb_precision precision;
    const gjb_contender *contender;
    const char *backend; /* "-" if there is just one way */
    gjb_query query;
    /* Of the pairs that crashed or hung some did so with A and B exchanged: these are not among the graded. */
    uint64_t pairs, graded, ungraded, unsupported, wrong, nan, hung, crashed, capped, unwritten, symmetry_wrong;
    uint64_t crashed_exchanged, hung_exchanged;
    uint64_t too_slow; /* of the ungraded ones: the truth took more than a pair has (reference/effort.h) */
    uint64_t pairs_too_slow; /* those that no row before had found to be */
    uint64_t unasked; /* not run, after too many of these that a contender died of or did not come back from */
    uint64_t found[GJB_MISHAPS]; /* mishaps, straight and with A and B exchanged, those that are not kept too */
    uint64_t faults[GJB_FAULTS];
    uint64_t hints[GJB_HINTS]; /* wrong answers that look like an adapter's mistake; of contenders that are not ours */
    uint64_t covered,
        coverage; /* manifolds whose coverage is defined, and its sum, in millionths: sums of whole numbers
                                   are the same in any order */
    uint64_t beyond_1e6, beyond_1e3; /* further than 1e-6 S, 1e-3 S from the truth, or no answer: gjb_grade_beyond */
    /* Of answers that are numbers: what is NaN, capped or unwritten has no error, and counts above alone. */
    double worst_error_eps, worst_value_eps, worst_normal_eps, worst_witness_eps;
    uint64_t histogram[3][GJB_ERROR_BINS];                                        /* value, normal, witness */
    uint64_t saved;
    uint64_t pairs_apart, ungraded_apart, too_slow_apart; /* lines only: of families that are not touching; ungraded
                                                             for another reason than a slow truth, and for that one */
    gjb_metrics metrics;
    gjb_session_stats stats;
    uint64_t fingerprint; /* of all records; the sum of keyed prints of chunks, so that no order shows */
} gjb_verify_row;

/* What a contender did apart from answering. */
typedef struct gjb_verify_mishap {
    uint32_t dim;
    const char *workload;
    const gjb_family *family;
    gjb_precision precision;
    const gjb_contender *contender;
    const char *backend;
    gjb_mishap what;
    int code; /* signal or exit status, see gjb_finding */
    gjb_query query;
    uint64_t pair; /* as `seed` numbers them; GJB_NO_PAIR if it was none alone */
    int exchanged; /* with B as A */
    int preparing; /* gjb_finding.preparing; then the pair is the first with a shape that does it */
    char *file;    /* where the pair is; NULL: nowhere */
    char *said;    /* gjb_finding.said; NULL: nothing */
    uint64_t place; /* of its row, once the report is concluded */
} gjb_verify_mishap;

typedef struct gjb_verify_report {
    gjb_verify_row *rows;
    size_t row_count;
    gjb_verify_mishap *mishaps; /* in the order of rows and pairs */
    size_t mishap_count, mishap_room, mishaps_dropped;
    uint64_t pairs_planned, pairs_done;       /* distinct pairs, over precisions */
    uint64_t oracle_calls, audits;
    gjb_verify_hashes hashes; /* if the plan asks for them */
    uint64_t conflicts; /* pairs of which certificate and oracle, or verdicts by the fast and the slow truth,
                           contradict each other: a defect of ours */
    gjb_error conflict_first; /* one of them, with what contradicts what; "" in what was read from files */
    uint64_t differing_rows;                  /* rows of one contender whose backends differ in fingerprint */
    uint64_t wrong_ours;     /* wrong, NaN, unwritten, capped, hung, crashed, asymmetric or unrepeatable answers of
                                ours, and calls after which floats were changed */
    uint64_t too_slow;       /* pairs, over precisions, of which an answer went ungraded for it */
    char too_slow_first[GJB_VERIFY_PAIR]; /* one of them */
    uint64_t ungraded_lines; /* lines of ours with 1% or more of enough pairs ungraded outside touching families,
                                or 5% or more too slow to judge */
    gjb_error save_error;    /* the first failing pair that could not be saved, or "" */
    int interrupted, answers_only;
    double seconds;
    uint32_t threads;
    uint64_t seed;
    json_t *plan;              /* what the rows are of; NULL in reports made by hand */
    gjb_contender *contenders; /* of reports read from files, whose rows point to it; else NULL */
} gjb_verify_report;

/* NULL with one line in `error` when the plan cannot be carried out. */
gjb_verify_report *gjb_verify_run(const gjb_verify_plan *plan, gjb_error *error);
void gjb_verify_free(gjb_verify_report *report);

/* Mean coverage of the manifolds of a row, from 0 to 1; NaN if there is none. */
double gjb_verify_coverage(const gjb_verify_row *row);

/* Rows summed over workloads and families: one per dimension, contender,
 * backend, precision and query, in the order of rows. Returns how many; the caller
 * frees *lines (NULL out of memory). Fingerprints are chained. */
size_t gjb_verify_lines(const gjb_verify_report *report, gjb_verify_row **lines);

/* GJB_EXIT_OK, GJB_EXIT_WRONG when one of ours is wrong in any way counted
 * above, GJB_EXIT_HARNESS when truths contradict each other. */
int gjb_verify_exit(const gjb_verify_report *report);

/* {"kind": "verify", "plan": {...}, "summary": {...}, "rows": [...], "mishaps": [...], "digest"}; the caller
 * adds "context". verify_merge.h reads it. */
json_t *gjb_verify_json(const gjb_verify_report *report);

/* Escapes for the words that matter; all "" for plain text. */
typedef struct gjb_verify_paint {
    const char *good, *bad, *note, *plain;
} gjb_verify_paint;
/* A table per dimension, with one line per contender, backend, precision and
 * query, over workloads and families. */
void gjb_verify_print(const gjb_verify_report *report, FILE *stream, const gjb_verify_paint *paint);

#endif
