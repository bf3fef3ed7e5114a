/* Times that earlier runs measured: from result files of `bench`, `run` and `choose`, or a league table. */
#ifndef GJB_CLI_CHOOSE_RESULTS_H
#define GJB_CLI_CHOOSE_RESULTS_H

#include <jansson.h>

#include "bench/plan.h"
#include "bench/statistics.h"
#include "core/error.h"

enum { CHOOSE_FILES_MOST = 16 };

typedef struct choose_results {
    struct {
        char name[1024];
        json_t *root;
        int fits;
    } files[CHOOSE_FILES_MOST];
    size_t count;
    /* Set these beforehand. */
    int plain;     /* the scene is what one workload and family generate, of the hulls that ship if of any */
    uint64_t seed; /* from this seed */
    size_t built_in; /* so many contenders of the table are of this build, and of its commit */
} choose_results;

/* Loads files, with commas between. A file of another machine, commit, compiler or flags than `context` says
 * is kept out of use, with one line on stderr. 0, or -1 with one line in `error`; free in both cases. */
int choose_results_load(choose_results *all, const char *list, const json_t *context, gjb_error *error);
void choose_results_free(choose_results *all);

/* A time that answers the question of `point` on the scene of that hash (gjb_scene_hash_for, in the scene's own
 * precision): the same query, contender, version, backend, precision, pairs a call and threads. 1, and the
 * row of results that has it, borrowed, or NULL if a league table has it, which keeps the points that
 * contenders are compared at; or 0, as for plug-ins, which change without anybody saying so. */
int choose_results_find(choose_results *all, const gjb_bench_case *point, uint64_t hash, gjb_summary *ns,
                        const json_t **row);

#endif
