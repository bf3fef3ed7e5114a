/* Inside verification: combinations, the chunks that they are done in, and sums of rows. */
#ifndef GJB_FUZZ_VERIFY_PRIVATE_H
#define GJB_FUZZ_VERIFY_PRIVATE_H

#include <stdatomic.h>

#include "core/clock.h"
#include "verify/verify_merge.h"

/* One dimension x workload x family x precision: rows next to each other, one per entry and query. */
typedef struct gjb_combo {
    uint32_t dim;
    const char *workload;
    const gjb_family *family;
    gjb_precision precision;
    uint64_t pairs;        /* of all shards */
    uint64_t others;       /* contenders that are not ours meet chunks that begin before it */
    gjb_verify_row *rows;  /* [entry][query] */
    int named;             /* rows say what they are of */
    _Atomic uint32_t *saved, *hung; /* [row] failing pairs and hangs so far, in all chunks */
    _Atomic uint32_t *kept;         /* [row][is it mild?] mishaps */
    _Atomic uint32_t *entry_kept;   /* [entry][kind] mishaps, in all combinations */
    _Atomic uint32_t *deaths;       /* [entry] of a program, without an answer since, in all combinations of the workload */
} gjb_combo;

/* A chunk to do: pairs [first, first + pairs) of a combination. */
typedef struct gjb_task {
    size_t combo;
    uint64_t first, pairs;
    int metrics;           /* what answers depend on is measured with it */
    uint64_t audited_from; /* its place among all pairs, every so many of which are audited */
} gjb_task;

typedef struct gjb_combos {
    gjb_combo *list;
    size_t count;
    gjb_task *tasks; /* in the order that they are begun in */
    size_t task_count;
    _Atomic uint32_t *counters; /* what their pointers lead to */
} gjb_combos;

/* Every combination of a plan, in the order of rows, the chunks of a sample, and the report's rows, empty and without
 * names: they are many, and of most of them a sample has no pair, so that their memory stays untouched. Free the
 * combinations whatever comes back: 0, or -1 with one line in `error`. */
int gjb_verify_combos_make(gjb_combos *all, const gjb_verify_plan *plan, gjb_verify_report *report, gjb_error *error);
void gjb_verify_combos_free(gjb_combos *all);
/* Says in the rows of a combination what they are of, in `all` or in those that a contender answers; once. */
void gjb_verify_name_rows(gjb_combo *c, const gjb_verify_plan *plan, int all);
/* Leaves the rows that have names and that a contender answers. */
void gjb_verify_keep_named(gjb_verify_report *report, const gjb_combos *all, const gjb_verify_plan *plan);
/* Does a contender answer that query there? */
int gjb_verify_supports(const gjb_combo *c, const gjb_contender *who, gjb_query query);
/* The chunks of a plan that is no sample; nothing if they are there. 0, or -1 out of memory. */
int gjb_verify_tasks_make(gjb_combos *all, const gjb_verify_plan *plan);
/* Pairs of the first `count` chunks. */
uint64_t gjb_verify_task_pairs(const gjb_combos *all, size_t count);
/* Pairs of the combination of that index that are the plan's shard's, or in its sample; of them, with `who`, those that
 * this contender is asked. */
uint64_t gjb_verify_dealt(const gjb_verify_plan *plan, const gjb_combos *all, size_t combo, const gjb_contender *who);
int gjb_verify_samples(const gjb_verify_plan *plan);
/* Of so many pairs of a chunk, the first that a contender is asked. */
uint64_t gjb_verify_asked(const gjb_verify_plan *plan, const gjb_contender *who, uint64_t pairs);
/* Writes into a plan's JSON that a sample was its first `begun` chunks of so many. */
void gjb_verify_plan_note(json_t *plan, size_t begun, size_t of);

/* Fields of a row that its JSON has by name; tables end with a NULL name. */
typedef struct gjb_verify_field {
    const char *name;
    size_t at; /* offset */
} gjb_verify_field;
extern const gjb_verify_field gjb_verify_counts[]; /* uint64_t: they add up */
extern const gjb_verify_field gjb_verify_worst[];  /* double: the largest counts; infinity is null */

/* A plan read back from JSON, with what its pointers lead to. */
typedef struct gjb_plan_file {
    gjb_verify_plan plan;
    gjb_verify_workload *workloads;
    const gjb_family **families;
    gjb_verify_entry *entries;
    gjb_contender *contenders; /* stand-ins that know their name, version and whose they are */
} gjb_plan_file;
/* `name` is for messages; `json` must outlive it. Free it whatever comes back: 0, or -1 with one line in `error`. The
 * second reads only which pairs are asked what: no contenders, no shard. */
int gjb_plan_file_read(gjb_plan_file *file, const json_t *json, const char *name, gjb_error *error);
int gjb_plan_file_read_pairs(gjb_plan_file *file, const json_t *json, const char *name, gjb_error *error);
void gjb_plan_file_free(gjb_plan_file *file);
/* Adds the rows and mishaps of a result file to a report that has a row for every place of the plan.
 * `plan` with its own shard, `combos` those of the report. 0, or -1 with one line in `error`. */
int gjb_verify_add_file(gjb_verify_report *report, const gjb_combos *combos, const gjb_verify_plan *plan,
                        const gjb_verify_part *part, gjb_error *error);
/* A count of an object: 0, or -1 with "NAME: WHERE.KEY: ..." in `error`. */
int gjb_read_count(const json_t *object, const char *key, const char *name, const char *where, uint64_t *value,
                   gjb_error *error);

/* What a worker is doing, for the watchdog of contenders that run in this process: ours. */
typedef struct gjb_watch {
    _Atomic uint64_t asked; /* odd while ours answers, and another number each time */
    _Atomic size_t combo, row;
    const volatile sig_atomic_t *stop; /* the plan's: once raised, ours is asked no more */
} gjb_watch;

/* Is it ours, and one that answers pairs one after another, without lanes? */
static inline int gjb_answers_singly(const gjb_contender *contender)
{
    return contender->ours && contender->backends == NULL;
}

/* gjb_session_run on all pairs of a frame, poisoned, one record after another, under the watch of its row. */
void gjb_verify_ask(gjb_watch *watch, size_t row, const gjb_contender *contender, gjb_session *session, gjb_query query,
                    uint32_t frame, uint64_t pairs, size_t size, void *records, gjb_session_stats *stats);

/* Everything of one chunk; made for the task, freed after it. */
typedef struct gjb_chunk {
    const gjb_combo *combo;
    gjb_scene *scene; /* frame 0 as generated, frame 1 with the bodies of each pair exchanged */
    uint64_t first, pairs;
    const gjb_task *task;
    size_t rows;
    void **straight, **swapped; /* [row] result records, NULL if not run */
    uint64_t *exchanged;        /* [row] of the pairs, the first so many were asked exchanged too */
    int interrupted;            /* pairs were left out */
    gjb_verify_row *tally;      /* [row] */
    gjb_tolerance *granted;     /* [row] */
    gjb_grade *grades;          /* [row], of the pair at hand */
    uint8_t *skewed;            /* [row], of the pair at hand: another answer when exchanged */
    uint64_t oracle_calls, audits, conflicts;
    gjb_verify_hashes hashes;
    char too_slow[GJB_VERIFY_PAIR]; /* the first pair whose truth was, or "" */
    gjb_error conflict; /* the first */
    uint64_t slow_known; /* the last such pair, counted from 1 */
    gjb_verify_mishap *mishaps;
    size_t mishap_count, mishaps_dropped;
    gjb_error save_error;
} gjb_chunk;

/* Generates, answers and grades the pairs of a task, which is of that combination.
 * Free the chunk whatever comes back: 0, or -1 with one line in `error`. */
int gjb_verify_chunk_run(gjb_chunk *c, const gjb_verify_plan *plan, const gjb_combo *combo, const gjb_task *task,
                         gjb_watch *watch, gjb_error *error);
void gjb_verify_chunk_free(gjb_chunk *c);
/* "pair 12 of 3D cone mixed, f64"; returns `name`. */
const char *gjb_verify_pair_name(const gjb_chunk *c, uint64_t index, char name[GJB_VERIFY_PAIR]);
/* The pairs of a combination from `first` on, of a grid or from a recipe. NULL with one line in `error`. */
gjb_scene *gjb_verify_make_scene(const gjb_verify_plan *plan, const gjb_combo *combo, uint64_t first, uint64_t pairs,
                                 gjb_error *error);
/* As pairs of the chunk need it; of a grid's pairs by integers, unless it is slow. 0, or -1 out of memory. */
int gjb_verify_open_truth(const gjb_chunk *c, gjb_truth *truth, const gjb_pair *pair);
/* Audits the pair at hand, which `truth` has given grades: all are given once more by `slow`, zeroed but for
 * `epsilon` and `slowly` before its first use. A verdict that differs is a conflict of `truth`, unless it is slow
 * that leaves it open. 0, or -1 out of memory. */
int gjb_verify_audit(gjb_chunk *c, gjb_truth *truth, gjb_truth *slow, uint64_t index);

/* What answers depend on, into the tally of a chunk whose task says so; of others nothing. After the answers. 0, or -1 with one line in `error`. */
int gjb_metrics_measure(gjb_chunk *c, const gjb_verify_plan *plan, gjb_watch *watch, gjb_error *error);

/* Gives frame `to` the motions of frame `from`, if it has any. 0, or -1 when memory does not suffice. */
int gjb_verify_copy_motions(gjb_scene *scene, uint32_t from, uint32_t to);
/* Adds frame 1: frame 0 with the bodies of each pair exchanged. 0, or -1 when memory does not suffice. */
int gjb_verify_add_swapped_frame(gjb_scene *scene);
/* Monotonic seconds. */
static inline double gjb_verify_now(void)
{
    return 1e-9 * (double)gjb_clock_wall();
}
/* Moves what happened in a chunk into the report. 0, or -1 out of memory. */
int gjb_verify_keep_mishaps(gjb_verify_report *report, gjb_chunk *c);
void gjb_verify_merge(gjb_verify_row *into, const gjb_verify_row *from);
/* Drops rows without an answer, and draws conclusions. */
void gjb_verify_conclude(gjb_verify_report *report);

#endif
