/* Inside the search: targets, islands, and what comes of them. */
#ifndef GJB_FUZZ_HUNT_PRIVATE_H
#define GJB_FUZZ_HUNT_PRIVATE_H

#include "fuzz/hunt.h"

typedef struct gjb_target {
    gjb_ask ask;
    const char *backends[16]; /* what ask.backends leads to */
    uint32_t dim;
    gjb_precision precision;
    uint64_t key; /* of its name: what islands draw from */
} gjb_target;

/* How a pair lies. */
typedef enum gjb_regime { GJB_DEEP, GJB_SHALLOW, GJB_TOUCHING, GJB_NEAR, GJB_FAR, GJB_REGIMES } gjb_regime;
extern const char *const gjb_regime_names[GJB_REGIMES];
gjb_regime gjb_regime_of(const gjb_outcome *outcome);

/* What failed alike is one failure. */
typedef struct gjb_failure {
    gjb_scene *pair;
    gjb_outcome outcome;
    uint64_t island, index; /* of the pair in it */
    gjb_kind kinds[2];      /* the lesser first */
    gjb_regime regime;
} gjb_failure;
int gjb_failure_alike(const gjb_failure *a, const gjb_failure *b);

typedef struct gjb_island {
    size_t target;
    uint64_t number;
    uint64_t pairs, graded, ungraded, unsupported, wrong, niches, rounds;
    uint64_t symptoms[GJB_SYMPTOMS];
    double closest; /* largest error of a right answer, in T */
    gjb_scene *closest_pair;
    uint64_t closest_index;
    uint64_t too_slow;    /* of the ungraded ones: gjb_grade.too_slow */
    gjb_scene *slow_pair; /* the first of them */
    uint64_t slow_index;
    gjb_failure *failures;
    size_t failure_count, dropped;
    int stopped;
} gjb_island;

/* Tries `pairs` pairs, or as many as until `deadline` (monotonic seconds; 0: none), one round at least. 0, or
 * -1. */
int gjb_island_run(gjb_island *island, const gjb_hunt_plan *plan, const gjb_target *target, uint64_t pairs,
                   double deadline, gjb_error *error);
void gjb_island_free(gjb_island *island);

#endif
