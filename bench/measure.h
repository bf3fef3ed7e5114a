/* Measures the points of a plan.
 *
 * Points that share a scene are measured together: the scene is made once, and
 * in each round every point gets one block, in an order drawn again, so that
 * whatever drifts on the machine drifts for all contenders alike. A block is
 * as many calls as fill its time, preceded by one untimed call, and goes on in
 * the scene where the last block stopped. If calls are frames, it is whole passes over the scene. Timed is contender->run alone, where it runs: contenders that
 * are not ours do so in a child process;
 * answers are fingerprinted and graded outside of that.
 */
#ifndef GJB_BENCH_MEASURE_H
#define GJB_BENCH_MEASURE_H

#include <signal.h>

#include "bench/plan.h"
#include "bench/statistics.h"
#include "contenders/harness.h"

typedef struct gjb_bench_grade {
    uint64_t looked_at; /* pairs; of some the truth lies too near to what they answer, or was too slow */
    uint64_t too_slow;
    uint64_t graded, wrong;
    uint64_t wrong_1e3; /* beyond 1e-3 S, whatever the contender documents */
    double worst_error_eps;
    uint64_t covered; /* manifolds whose coverage is defined */
    double coverage;  /* the sum of theirs */
} gjb_bench_grade;

/* Adds the verdicts on `count` answers of a frame, from pair `first` on. `fed`
 * is the scene in the precision that the contender was fed. 0, or -1 when
 * memory does not suffice. */
typedef int (*gjb_bench_grader)(void *user, const gjb_bench_case *point, const gjb_scene *fed, uint32_t frame,
                                uint64_t first, uint64_t count, const void *results, gjb_bench_grade *grade);

typedef struct gjb_bench_settings {
    uint64_t seed;
    const gjb_shapes *library; /* of the workloads "realN"; NULL: the hulls that ship */
    double min_time; /* seconds of timed work per point; 0: what the budget allows */
    double budget;   /* seconds for everything, when min_time is 0 */
    uint32_t blocks; /* per point; 0: GJB_BLOCKS, more if min_time is long */
    int brief;       /* also what is not timed takes no longer than it must: preparing again, warm-up, slow answers */
    double seconds;  /* no scene is begun after so long; 0: the clock does not matter */
    uint64_t scenes; /* no more than so many, those of both dimensions by turns; 0: all */
    uint32_t grade_pairs; /* per point; 0, and of a recording always: gjb_bench_case_grades */
    const char *out; /* folder for pairs of mishaps, made when the first comes; NULL: keep none */
    const volatile sig_atomic_t *stop; /* may be NULL; non-zero ends the run after the current block */
    gjb_bench_grader grade;            /* may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* may be NULL */
    void *user;                        /* of the two callbacks */
} gjb_bench_settings;

enum { GJB_BLOCKS = 9, GJB_BLOCKS_LEAST = 3, GJB_ITERATION_BINS = 32 };

typedef struct gjb_measurement {
    gjb_bench_case point;
    gjb_summary ns;        /* per pair; thread CPU time on one thread, else wall time */
    double *samples;       /* ns per pair of each block, in the order taken */
    double *wall_samples;  /* the same in wall time */
    uint32_t sample_count;
    uint32_t timed_call;   /* pairs a call in the timed blocks: less than point.call if one call takes too long */
    uint64_t calls;        /* timed, in all blocks */
    double cpu_ns_per_call, wall_ns_per_call; /* means */
    double prepare_ns_per_shape;
    double memory_ns;      /* a pair: gjb_swept_ceiling of it; of sweep alone, else 0 */
    uint64_t pairs;        /* in the scene */
    uint64_t answered;     /* pairs behind fingerprint, histogram and counts */
    uint64_t unwritten, capped;
    uint64_t fingerprint;
    uint64_t workload_hash;
    uint64_t iterations[GJB_ITERATION_BINS]; /* histogram; the last bin takes the rest */
    double mean_iterations;
    gjb_session_stats stats;
    gjb_bench_grade grade;
} gjb_measurement;

/* What a contender did at a point apart from answering: the first of its kind, one with a pair if there is
 * one. */
typedef struct gjb_bench_mishap {
    gjb_bench_case point;
    gjb_finding finding;
    uint64_t times; /* pairs; at least 1 */
    char *file;     /* where the pair is; NULL: nowhere */
} gjb_bench_mishap;

typedef struct gjb_bench_mishaps {
    gjb_bench_mishap *all; /* in the order that they happened in */
    size_t count;
} gjb_bench_mishaps;

/* A point without a time: so many of the pairs that were asked about are "unsupported". */
typedef struct gjb_bench_left_out {
    gjb_bench_case point;
    uint64_t pairs, asked;
} gjb_bench_left_out;

typedef struct gjb_bench {
    gjb_measurement *rows; /* in the order of the plan; those of an interrupted run that have their samples */
    size_t count;
    gjb_bench_left_out *left_out; /* points of which the contender does not support some pair */
    size_t unsupported;
    gjb_bench_case *died;       /* points left out because the contender crashed or hung on a pair of theirs */
    size_t died_count;
    gjb_bench_mishaps mishaps;
    size_t scenes, scenes_planned; /* measured, always the first so many; and those of the plan */
    int interrupted;
} gjb_bench;

/* 0, or -1 with one line in `error`; what is measured by then stays in `bench`.
 * Free it in both cases. */
int gjb_bench_measure(gjb_bench *bench, const gjb_plan *plan, const gjb_bench_settings *settings, gjb_error *error);
void gjb_bench_free(gjb_bench *bench);
/* Steps of progress that a point takes. */
uint32_t gjb_bench_steps(const gjb_bench_settings *settings);

#endif
