/* Grades contenders on a sample of a scene's pairs; the truth is found once for all of them. */
#ifndef GJB_CLI_CHOOSE_GRADE_H
#define GJB_CLI_CHOOSE_GRADE_H

#include <signal.h>

#include "bench/plan.h"
#include "choose/choose.h"
#include "core/error.h"

/* How long work is watched and ended. */
typedef struct choose_watch {
    const volatile sig_atomic_t *stop;
    void (*progress)(const char *what, uint64_t done, uint64_t total);
} choose_watch;

typedef struct choose_sample choose_sample;

/* How the pairs of the sample lie. */
typedef struct choose_mix {
    uint64_t pairs, overlapping, classes[CHOOSE_CLASSES];
} choose_mix;

/* Pairs to grade of a scene with shapes this large, if the user does not say: 4,096, fewer of large ones. */
uint64_t choose_sample_pairs(uint32_t vertices);

/* At most `pairs` pairs, in short runs spread over the scene. The sample borrows the scene and `watch`. Finds their
 * truth unless *stop is raised, which leaves them fewer. NULL with one line in `error`. */
choose_sample *choose_sample_open(const gjb_scene *scene, uint64_t pairs, const choose_watch *watch, gjb_error *error);
void choose_sample_close(choose_sample *sample); /* NULL is fine */
choose_mix choose_sample_mix(const choose_sample *sample);

/* The scene as a contender of that precision is given it, borrowed; NULL if its numbers do not fit, or for
 * want of memory. */
const gjb_scene *choose_sample_fed(choose_sample *sample, gjb_precision precision);

/* Asks a way for all pairs of the sample, in calls of at most `call` pairs, and adds up in `c` what came of
 * it: counts, worst error, mishap. Whatever the contender documents, wrong is an answer whose value is off
 * by more than `accuracy` S, a boolean that is wrong for a pair further than that from touching, and no
 * answer at all. Ends at the first pair that the contender dies of. 0, or -1 with one line in `error`; c
 * stays incomplete, with nothing graded, if it was interrupted. */
int choose_grade(choose_sample *sample, const gjb_way *way, gjb_precision precision, gjb_query query,
                 uint32_t call, double accuracy, choose_candidate *c, gjb_error *error);

#endif
