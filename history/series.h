/* Runs of a history put in order, and their times put into series. A series is of one benchmark on one machine, from
 * one compiler with one set of flags, with one seed: what differs in any of these is another series. */
#ifndef GJB_HISTORY_SERIES_H
#define GJB_HISTORY_SERIES_H

#include <stdint.h>

#include "history/store.h"

typedef struct gjb_past_run {
    long long id, build, seed, date, place; /* place: the commit's date, or the run's if no run tells that */
    const char *hash, *machine, *commit, *kernel, *compiler, *flags, *type;
    const char *described; /* the machine: "AMD EPYC, 2 CPUs" */
    int counts;            /* of instructions, which have no noise: gjb_record */
} gjb_past_run;

typedef struct gjb_past_time {
    uint32_t run; /* index into runs */
    double ns, low, high; /* or instructions */
    const char *workload_hash, *fingerprint, *version;
} gjb_past_time;

typedef struct gjb_series {
    long long benchmark;
    const char *name, *contender;
    const gjb_past_run *of; /* its first run: machine, build and seed are those of all */
    gjb_past_time *times;   /* in order */
    size_t count;
} gjb_series;

/* Zero it; strings are its own. */
typedef struct gjb_past {
    gjb_past_run *runs; /* by place, then date, then hash */
    size_t run_count;
    gjb_past_time *times;
    gjb_series *all; /* by name, then machine, build and seed */
    size_t count;
    json_t *words; /* every text once */
} gjb_past;

/* Those whose name matches `glob` (NULL: all) on machines whose id begins with `machine` (NULL: all). 0, or -1 with
 * one line in `error`: nothing matches. Free in both cases. */
int gjb_past_load(gjb_past *past, const gjb_store *store, const char *glob, const char *machine, gjb_error *error);
void gjb_past_free(gjb_past *past);

/* What its numbers are, a pair: "ns" or "instructions". */
const char *gjb_series_unit(const gjb_series *series);

/* The blocks of one time, in ns per pair, into `samples`; at most `most`. The number, or -1 with one line in `error`. */
long gjb_past_samples(const gjb_store *store, long long run, long long benchmark, double *samples, size_t most,
                      gjb_error *error);

/* "2026-11-23 15:07", in UTC. */
typedef struct gjb_day { char s[40]; } gjb_day;
gjb_day gjb_day_of(long long seconds);

#endif
