/* One of two builds that are compared: it stands by in a process of its own, and answers and times the points of
 * a plan on request. What is said to it are lines, and so is what it says:
 *
 *   (at the beginning)  {"gjkbench_worker": 2, "commit": ..., "compiler": ..., "counts": "callgrind", "points":
 *                       ["2d/distance/...", ...]}; "processor" if its counter can be read, and null if nothing counts
 *   open N              {"pairs": ..., "workload_hash": ..., "prepared": ..., "contender": ..., "backend": ...}
 *                       point N is what follows is about
 *   shuffle SEED        {"prepared": ..., "code_moved": ...}   the same point elsewhere in memory: its scene, its session, and the code
 *   move SEED           {"code_moved": ...}   the code alone, which takes less time; bytes
 *   answer              {"fingerprint": ..., "answered": ..., "mean_iterations": ..., ...}   exact counts
 *   turns PAIRS SIDE ORDER
 *                       {"blocks": [[cpu_ns, wall_ns, pairs, instructions], ...]}   a block of about so many pairs,
 *                       in calls of the point's size at most, of whole frames if its calls are frames, wherever
 *                       ORDER, digits 0 and 1, has SIDE; elsewhere it is the other side's turn. A byte on a pipe hands the turn over,
 *                       as words with whoever asks would take longer than a block. A call that is not
 *                       timed comes before the first of them alone
 *   count               {"pairs": ..., "file": N}   what the contender's calls alone execute for the scene's first
 *                       pairs, after a first time that is not counted; under callgrind, which has it in its file N.
 *                       Or {"pairs": ..., "instructions": ...}   by the processor's counter
 *
 * Where something fails, {"error": "..."} with one line. It ends with its input. */
#ifndef GJB_BENCH_WORKER_H
#define GJB_BENCH_WORKER_H

#include <jansson.h>
#include <stdio.h>

#include "bench/plan.h"

enum {
    GJB_WORKER_PROTOCOL = 2,
    /* Descriptors that a worker is started with: what it hears its turn by, and hands it over by. */
    GJB_WORKER_HEARS = 3,
    GJB_WORKER_HANDS = 4,
    GJB_WORKER_TURNS = 200, /* of both sides, in one order */
};

typedef struct gjb_worker_settings {
    uint64_t seed;
    const gjb_shapes *library; /* of the workloads "realN"; NULL: the hulls that ship */
    double slow;               /* gjb_slowed, of contenders that run in this process; 0: as they are */
} gjb_worker_settings;

/* Serves until `in` ends. Takes the reference to `context`, whose keys the first line carries too. 0, or -1 with one
 * line in `error`, which was sent to `out` as well. */
int gjb_worker_serve(const gjb_plan *plan, const gjb_worker_settings *settings, json_t *context, FILE *in,
                     FILE *out, gjb_error *error);

#endif
