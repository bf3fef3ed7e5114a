/* Inside verification: combinations, the chunks that they are done in, and sums of rows. */
#ifndef GJB_FUZZ_VERIFY_PRIVATE_H
#define GJB_FUZZ_VERIFY_PRIVATE_H

#include <stdatomic.h>

#include "fuzz/verify.h"

/* One dimension x workload x family x precision: rows beside each other, one per entry and query. */
typedef struct gjb_combo {
    uint32_t dim;
    const char *workload;
    const gjb_family *family;
    gjb_precision precision;
    uint64_t first, pairs; /* of this shard */
    uint64_t others;       /* contenders that are not ours meet chunks that begin before it */
    gjb_verify_row *rows;  /* [entry][query] */
    _Atomic uint32_t *saved, *hung; /* [row] failing pairs and hangs so far, in all chunks */
    _Atomic uint32_t *kept;         /* [row][is it mild?] mishaps */
    _Atomic uint32_t *entry_kept;   /* [entry][kind] mishaps, in all combinations */
} gjb_combo;

/* What a worker is doing, for the watchdog. */
typedef struct gjb_watch {
    _Atomic double since; /* 0: nothing that can hang */
    _Atomic size_t combo, row;
} gjb_watch;

/* Everything of one chunk; made for the task, freed after it. */
typedef struct gjb_chunk {
    const gjb_combo *combo;
    gjb_scene *scene; /* frame 0 as generated, frame 1 with the bodies of each pair exchanged */
    uint64_t first, pairs;
    size_t rows;
    void **straight, **swapped; /* [row] result records, NULL where not run */
    uint64_t *exchanged;        /* [row] of the pairs, the first so many were asked exchanged too */
    int interrupted;            /* pairs were left out */
    gjb_verify_row *tally;      /* [row] */
    gjb_tolerance *granted;     /* [row] */
    gjb_grade *grades;          /* [row], of the pair at hand */
    uint8_t *skewed;            /* [row], of the pair at hand: another answer when exchanged */
    uint64_t oracle_calls, audits, conflicts;
    gjb_verify_mishap *mishaps;
    size_t mishap_count, mishaps_dropped;
    gjb_error save_error;
} gjb_chunk;

/* Generates, answers and grades pairs [first, first + pairs) of a combination.
 * Free the chunk whatever comes back: 0, or -1 with one line in `error`. */
int gjb_verify_chunk_run(gjb_chunk *c, const gjb_verify_plan *plan, const gjb_combo *combo, uint64_t first,
                         uint64_t pairs, gjb_watch *watch, gjb_error *error);
void gjb_verify_chunk_free(gjb_chunk *c);

/* What answers depend on, into the tally of a chunk that begins its combination; of others
 * nothing. After the answers. 0, or -1 with one line in `error`. */
int gjb_metrics_measure(gjb_chunk *c, const gjb_verify_plan *plan, gjb_watch *watch, gjb_error *error);

/* Gives frame `to` the motions of frame `from`, where it has any. 0, or -1 when memory does not suffice. */
int gjb_verify_copy_motions(gjb_scene *scene, uint32_t from, uint32_t to);
double gjb_verify_now(void); /* monotonic seconds */
/* Moves what happened in a chunk into the report. 0, or -1 out of memory. */
int gjb_verify_keep_mishaps(gjb_verify_report *report, gjb_chunk *c);
void gjb_verify_merge(gjb_verify_row *into, const gjb_verify_row *from);
/* Drops rows that nobody answered, and draws conclusions. */
void gjb_verify_conclude(gjb_verify_report *report);

#endif
