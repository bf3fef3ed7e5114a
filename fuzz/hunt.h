/* `gjkbench fuzz`: a search for pairs that break a bound. Nothing but the answers guides it: how much of the
 * tolerance an error takes, how near to the band of ungraded booleans a pair lies, how many iterations it
 * took.
 *
 * A target is a contender, a query, a dimension and a precision. Pairs of it are tried in islands that know
 * nothing of each other: each begins with pairs of workloads and families, keeps the closest pair of every
 * niche (kinds, how far apart or deep, the mutation that made it; after MAP-Elites, Mouret and Clune 2015),
 * and mutates those. What an island does depends on the seed, the target and its number alone, so that
 * neither threads nor shards show. */
#ifndef GJB_FUZZ_HUNT_H
#define GJB_FUZZ_HUNT_H

#include <jansson.h>

#include "fuzz/mutate.h"
#include "fuzz/shrink.h"

enum {
    GJB_HUNT_ROUND = 64,    /* pairs asked at once */
    GJB_HUNT_ISLAND = 4096, /* pairs of an island, if pairs are counted */
    GJB_HUNT_FAILURES = 64  /* distinct failures kept of an island */
};

/* Called after a failure is shrunk, to draw it and write what else belongs to it: `stem` is the path without
 * ".json". From several threads, one at a time. */
typedef struct gjb_hunt_found {
    const gjb_ask *ask;
    const gjb_scene *pair; /* shrunk, with note and query */
    const gjb_outcome *outcome;
    const char *line; /* what is wrong, and by how much */
    const char *stem;
} gjb_hunt_found;

typedef struct gjb_hunt_plan {
    const gjb_verify_workload *workloads;
    size_t workload_count;
    const gjb_family *const *families;
    size_t family_count;
    const gjb_verify_entry
        *entries; /* those of one contender next to each other; its last is the one that guides */
    size_t entry_count;
    uint32_t queries, precisions; /* bits */
    uint64_t pairs;               /* of each target; 0: as many as the time allows */
    uint64_t island;              /* of them in an island; 0: GJB_HUNT_ISLAND */
    double seconds; /* without `pairs`: how long, shrinking included, which gets a third of it where
                       something failed; rounds that are begun are finished */
    uint64_t seed;
    double margin, within; /* of generated pairs, as gjb_recipe has them */
    uint32_t leaving;      /* likewise */
    uint64_t shard, shards; /* this shard, from 0, of so many; 0 shards means 1 */
    uint32_t threads;       /* 0: all processors; with `pairs` the results do not depend on it */
    const gjb_scene *const
        *corpus; /* pairs that islands begin with too, of any dimension and precision, but of no shape of more
                    than GJB_MUTATE_VERTICES; borrowed */
    size_t corpus_count;
    uint64_t corpus_hash;
    int unguided; /* pairs of workloads and families alone, nothing kept or mutated: to see what guiding gains
                   */
    uint64_t shrink_most;                                    /* as gjb_shrink_plan.most */
    int as_found;                                            /* failures are kept as they were found */
    const char *out;                                         /* folder for pairs; NULL: none are written */
    void (*found)(void *context, const gjb_hunt_found *find); /* may be NULL */
    /* Called when a file cannot be written, with one line why; all else is. May be NULL. */
    void (*unwritten)(void *context, const char *why);
    void *context;
    const volatile sig_atomic_t *stop; /* may be NULL */
    void (*progress)(uint64_t done,
                     uint64_t total); /* may be NULL; from the calling thread: pairs, or milliseconds */
    void (*shrinking)(uint64_t done, uint64_t total); /* the same of failures */
} gjb_hunt_plan;

/* {"kind": "fuzz", "plan": {...}, "summary": {...}, "rows": [...], "failures": [...], "digest"}; the caller
 * adds "context" and owns the reference. NULL with `error`. */
json_t *gjb_hunt_run(const gjb_hunt_plan *plan, gjb_error *error);

/* Shards of one hunt into what one run would have given: of the same plan, commit, compiler and flags.
 * `missing` (may be NULL) takes how many shards there are not, or were interrupted. NULL with one line in
 * `error` that names the file. */
typedef struct gjb_hunt_part {
    const char *name;
    const json_t *root;
} gjb_hunt_part;
json_t *gjb_hunt_merge(const gjb_hunt_part *parts, size_t count, uint64_t *missing, gjb_error *error);

/* A table of targets, then a line for each distinct failure. */
void gjb_hunt_print(const json_t *hunt, FILE *stream, const gjb_verify_paint *paint);
/* Writes `folder`/README.md: a line for each file of distinct failures, the worst first, and of closest
 * pairs. 0, or -1 with `error`. */
int gjb_hunt_index(const json_t *hunt, const char *folder, gjb_error *error);
/* GJB_EXIT_WRONG when one of ours fails, GJB_EXIT_HARNESS when certificate and oracle contradict each other.
 */
int gjb_hunt_exit(const json_t *hunt);

/* "CONTENDER-2d-QUERY-f32-WHAT-HASH", of letters, digits and '-', the hash that of the pair. */
enum { GJB_FAILURE_NAME = 160 };
void gjb_failure_name(const gjb_ask *ask, const char *what, const gjb_scene *pair, char name[GJB_FAILURE_NAME]);
/* One line: who, what, what was answered, the truth, off by how much. Returns `text`. */
enum { GJB_FAILURE_LINE = 512 };
const char *gjb_failure_line(const gjb_ask *ask, const gjb_scene *pair, const gjb_outcome *outcome,
                             char text[GJB_FAILURE_LINE]);
/* Note, query and what a file of data/wrong-answers has as "x-wrong": contender, version, status, value,
 * sigma. */
int gjb_failure_save(const gjb_ask *ask, const gjb_scene *pair, const gjb_outcome *outcome, const char *path,
                     gjb_error *error);
/* A program in C that fails while the answer is wrong; see docs/fuzzing.md. */
int gjb_reproducer_save(const gjb_ask *ask, const gjb_scene *pair, const gjb_outcome *outcome,
                        const char *path, gjb_error *error);

#endif
