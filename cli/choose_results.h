/* Times that earlier runs measured: from result files of `bench`, `run` and `choose`. */
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
        uint64_t used;
    } files[CHOOSE_FILES_MOST];
    size_t count;
    size_t built_in; /* so many contenders of the table are of this build, which its commit tells; set it */
} choose_results;

/* Loads files, with commas between. A file of another machine, commit, compiler or flags than `context` says
 * is kept out of use, with one line on stderr. 0, or -1 with one line in `error`; free in both cases. */
int choose_results_load(choose_results *all, const char *list, const json_t *context, gjb_error *error);
void choose_results_free(choose_results *all);

/* The row that answers the question of `point` on the scene of that hash (gjb_scene_hash, in the scene's own
 * precision): the same query, contender, version, backend, precision, pairs a call and threads. Borrowed; or
 * NULL. */
const json_t *choose_results_find(choose_results *all, const gjb_point *point, uint64_t hash,
                                  gjb_summary *ns);

#endif
