/* A contender at work in this very process: prepared shapes, one workspace and
 * thread each, calls. The harness runs ours so; the child that it forks for
 * everybody else runs them so too. */
#ifndef GJB_CONTENDERS_IN_PROCESS_H
#define GJB_CONTENDERS_IN_PROCESS_H

#include <stdatomic.h>

#include "contenders/harness.h"

typedef struct gjb_in_process gjb_in_process;

/* Pairs [first, first + count) of a frame in calls of at most `call` pairs; 0:
 * one call a thread. Inside the scene. */
typedef struct gjb_span {
    gjb_query query;
    uint32_t frame;
    uint64_t first, count, call;
} gjb_span;

/* `backend` is one that the contender has and the CPU too, or NULL if there
 * is just one way; `threads` at least 1. NULL with one line in `error`. */
gjb_in_process *gjb_in_process_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                                    uint32_t threads, gjb_error *error);
void gjb_in_process_close(gjb_in_process *local); /* NULL is fine */
double gjb_in_process_prepare_seconds(const gjb_in_process *local);
uint64_t gjb_in_process_float_changes(const gjb_in_process *local);

/* See gjb_session_start. */
int gjb_in_process_start(gjb_in_process *local, gjb_query query, gjb_start start, gjb_error *error);

/* See gjb_session_run. */
uint64_t gjb_in_process_run(gjb_in_process *local, const gjb_span *span, int poison, void *results,
                            gjb_run_stats *stats);

/* See gjb_session_time. `progress`, if not NULL, goes up by one a call. */
void gjb_in_process_time(gjb_in_process *local, gjb_stretch *stretch, int warm, void *results, gjb_timing *timing,
                         _Atomic uint64_t *progress);

/* See gjb_session_time_prepare. */
double gjb_in_process_time_prepare(gjb_in_process *local);

/* Records of `count` that are still poisoned, wholly or in a field. */
uint64_t gjb_count_unwritten(gjb_query query, gjb_precision precision, uint32_t dim, const void *results,
                             uint64_t count);

#endif
