/* How GJK and EPA come nearer to the answer, kind by kind: on a polytope they end, on a smooth shape they converge.
 * Seeded pairs, the truth of each proven; what the methods of the papers (converge_methods.h) would answer after
 * each support, against it; and how many iterations ours take. */
#ifndef GJB_VERIFY_CONVERGE_H
#define GJB_VERIFY_CONVERGE_H

#include <jansson.h>
#include <signal.h>
#include <stdint.h>

#include "core/error.h"

typedef struct gjb_converge_plan {
    uint32_t dims, precisions; /* bits */
    uint64_t pairs, seed;      /* pairs of each row */
    const volatile sig_atomic_t *stop; /* may be NULL; once nonzero the rows that are done are all */
    void (*progress)(uint64_t done, uint64_t total); /* may be NULL; rows */
} gjb_converge_plan;

/* {"convergence": [{"dim", "query" ("distance" of pairs a hundredth of their size apart, "penetration" of those that
 * overlap deeply), "workload", "precision", "method", "pairs" (of that sort), "supports": [...], "median", "most": [...]
 * (errors after so many supports, in units of S: of half of the pairs, and of all but one in twenty, none below
 * 2^-56), "met", "floor", "capped" (pairs by how the method ended; met: bounds within 4 eps S; floor: by rounding),
 * "ours": {"backend", "pairs", "mean", "median", "most", "all" (iterations), "capped", "unproven"}}]}. The caller owns the
 * reference; NULL with `error`. */
json_t *gjb_converge_json(const gjb_converge_plan *plan, gjb_error *error);
/* Answers of ours that are an iteration limit: there are to be none. */
uint64_t gjb_converge_capped(const json_t *convergence);

#endif
