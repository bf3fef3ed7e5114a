/* Result files of `verify`, read back and put together: shards into what one run would have given.
 *
 * A file says what its rows are of: {"kind": "verify", "plan": {"schema", "pairs", "space_pairs", "others",
 * "seed", "shard", "shards", "audit", "answers_only", "hulls", "queries", "precisions", "workloads", "families",
 * "contenders"}, ..., "digest"}. Shards are dealt in whole chunks, so that counts, histograms and keyed
 * fingerprints add up, and the largest errors are the largest of all. */
#ifndef GJB_FUZZ_VERIFY_MERGE_H
#define GJB_FUZZ_VERIFY_MERGE_H

#include "verify/verify.h"

enum { GJB_VERIFY_SHARDS_MAX = 1 << 20 };

typedef struct gjb_verify_part {
    const char *name; /* for messages */
    const json_t *root;
} gjb_verify_part;

typedef enum gjb_shard_state { GJB_SHARD_MISSING = 0, GJB_SHARD_INTERRUPTED, GJB_SHARD_DONE } gjb_shard_state;

typedef struct gjb_verify_shards {
    uint64_t count, done;
    uint8_t *state; /* [shard, from 0] of gjb_shard_state */
    size_t *part;   /* [shard] the part that it is of, if it is not missing */
} gjb_verify_shards;

/* What one run would have reported, of parts that are shards of one: the same plan by the same commit,
 * compiler and flags. Missing and interrupted shards leave it `interrupted`; seconds are the sum, threads the
 * most. Which shards there were is in `shards`, to be freed by gjb_verify_shards_free whatever comes back.
 * NULL with one line in `error` that names the file and what of it does not fit; the caller frees the report. Parts may
 * go before it: what it needs of them is referred to.
 *
 * Two things a run limits as it goes and shards each for themselves: mishaps kept of a row, and what is not
 * asked of a contender any more that has hung too often. */
gjb_verify_report *gjb_verify_combine(const gjb_verify_part *parts, size_t count, gjb_verify_shards *shards,
                                      gjb_error *error);
void gjb_verify_shards_free(gjb_verify_shards *shards);

/* What decides the results, as result files have it. NULL out of memory; the caller owns it. */
json_t *gjb_verify_plan_json(const gjb_verify_plan *plan);
/* Is what a file holds of that plan (as gjb_verify_plan_json gives it), by a program of that context? 0, or -1 with one
 * line in `error` that names what differs. A plan of another shard differs. */
int gjb_verify_same(const gjb_verify_part *part, const json_t *plan, const json_t *context, gjb_error *error);

/* XXH3 of plan, summary, rows and mishaps as written, 16 hex digits. 0, or -1 out of memory. */
int gjb_verify_digest(const json_t *root, char text[20]);

#endif
