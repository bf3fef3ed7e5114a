/* One of two builds that are compared: it stands by in a process of its own, and answers and times the points of
 * a plan when it is told to. What is said to it are lines, and so is what it says:
 *
 *   (at the beginning)  {"gjkbench_worker": 1, "commit": ..., "compiler": ..., "points": ["2d/distance/...", ...]}
 *   open N              {"pairs": ..., "workload_hash": ..., "prepared": ...}   point N is what follows is about
 *   shuffle SEED        {"prepared": ...}   the same point elsewhere in memory: its scene, its session, and the code
 *   answer              {"fingerprint": ..., "answered": ..., "mean_iterations": ..., ...}   exact counts
 *   time CALLS          {"cpu_ns": ..., "wall_ns": ..., "pairs": ..., "instructions": ...}   a block, after one
 *                       call that is not timed; each block goes on in the scene where the last one stopped
 *
 * Where something fails, {"error": "..."} with one line. It ends with its input. */
#ifndef GJB_BENCH_WORKER_H
#define GJB_BENCH_WORKER_H

#include <jansson.h>
#include <stdio.h>

#include "bench/plan.h"

enum { GJB_WORKER_PROTOCOL = 1 };

typedef struct gjb_worker_settings {
    uint64_t seed;
    const gjb_shapes *library; /* of the workloads "realN"; NULL: the hulls that ship */
    double slow; /* gjb_slowed, of contenders that run in this process; 0: as they are */
} gjb_worker_settings;

/* Serves until `in` ends. Takes the reference to `context`, whose keys the first line carries too. 0, or -1 with one
 * line in `error`, which `out` was told as well. */
int gjb_worker_serve(const gjb_plan *plan, const gjb_worker_settings *settings, json_t *context, FILE *in, FILE *out,
                     gjb_error *error);

#endif
