/* Asks contenders for the pairs of a scene: grades answers, takes times. */
#ifndef GJB_CHOOSE_CANDIDATES_H
#define GJB_CHOOSE_CANDIDATES_H

#include "bench/measure.h"
#include "choose/choose.h"
#include "choose/choose_grade.h"
#include "choose/choose_results.h"

/* One scene to choose by. */
typedef struct choose_asked {
    const gjb_scene *scene;
    const gjb_way *ways; /* contenders that have the dimension, each with the backends to ask */
    size_t way_count;
    uint32_t precisions; /* bit per gjb_precision; 0: the scene's, or one that the contender has */
    choose_watch watch;
    char workload[48], family[48]; /* as result files name it */
    uint32_t call, threads;        /* pairs a call; threads */
    int by_frame;                  /* each call is one frame of the scene instead: `call` is not asked */
    uint32_t queries;              /* bit per gjb_query */
    uint64_t pairs;                /* to grade; 0: choose_sample_pairs */
    double min_time;               /* seconds of timed work per contender and query */
    uint64_t seed;
    double accuracy;
} choose_asked;

/* One contender, backend, precision and query. */
typedef struct choose_entry {
    choose_candidate c;
    gjb_bench_case point;
    const json_t *reused; /* the row that its time comes from, or NULL */
} choose_entry;

typedef struct choose_answers {
    choose_entry *entries;
    size_t count;
    choose_mix mix;
    gjb_bench bench;     /* what was measured now */
} choose_answers;

/* 0, or -1 with one line in `error`; what was found by then, or until *stop was raised, is there. Zero it beforehand,
 * free it in both cases, before the scene. */
int choose_ask(choose_answers *all, const choose_asked *asked, choose_results *results, gjb_error *error);
void choose_answers_free(choose_answers *all);

#endif
