/* What happened in series: where their level changed, and what else did. */
#ifndef GJB_HISTORY_FIND_H
#define GJB_HISTORY_FIND_H

#include "history/change.h"
#include "history/series.h"

/* Counts change or do not: a level is left where a run differs from its first by a thousandth, and what alarms is as
 * much as of `compare --count`. */
#define GJB_COUNT_SEEN 0.001
#define GJB_COUNT_ALARM 0.005

typedef struct gjb_turn {
    size_t at;        /* the first time at the new level */
    double p;         /* 0 of counts; of it between its neighbours; the part's own says more if there is just one */
    gjb_shift ratio;  /* after : before; above 1 is slower */
    size_t before, after; /* runs on either side, up to the next change or the part's ends */
} gjb_turn;

typedef enum gjb_event_kind { GJB_EVENT_WORKLOAD, GJB_EVENT_ANSWERS, GJB_EVENT_VERSION, GJB_EVENT_KERNEL, GJB_EVENT_KINDS } gjb_event_kind;
typedef struct gjb_event { size_t at; gjb_event_kind kind; const char *before, *after; } gjb_event;
const char *gjb_event_name(gjb_event_kind kind); /* "workload", "answers", ... */

/* What lies between two changes of the workload: its times answer one question. */
typedef struct gjb_part {
    size_t first, end;
    double p, q; /* that there is a change in it; q corrects for all parts asked for. 1 if there are too few runs */
} gjb_part;

typedef struct gjb_found {
    const gjb_series *series;
    gjb_part *parts;
    size_t part_count;
    gjb_turn *turns; /* in order */
    size_t turn_count;
    gjb_event *events;
    size_t event_count;
} gjb_found;

typedef struct gjb_search {
    double rate;    /* of false discoveries among parts that are said to change */
    double least;   /* a change by less than this share is not told; 0 tells all */
    const char *since; /* a change that came by this commit is not told; NULL tells all */
    uint64_t seed;
} gjb_search;

typedef struct gjb_findings {
    gjb_found *all; /* one per series of the past, in its order */
    size_t count;
    size_t parts, counted, tested, few; /* counted: of counts, which are not tested; few: of less than 4 runs */
    size_t hopeless; /* of 4 runs and more, and no order of them would be significant */
    size_t draws;
    double rate;    /* as searched */
    double level;   /* for p within a part that changes */
} gjb_findings;

/* 0, or -1 with one line in `error`. Free in both cases. The past must outlive it. */
int gjb_findings_make(gjb_findings *findings, const gjb_past *past, const gjb_store *store, const gjb_search *search,
                      gjb_error *error);
void gjb_findings_free(gjb_findings *findings);

/* Whether the newest change of a series is a slow-down whose interval agrees; of counts, one that alarms. */
int gjb_found_slower(const gjb_found *found);
/* The least runs that can be significant at a rate. */
size_t gjb_runs_needed(double rate);
/* Series of the same benchmark, from its place on: they are told apart by machine, build or seed. */
size_t gjb_findings_alike(const gjb_findings *findings, size_t at);

json_t *gjb_findings_json(const gjb_findings *findings, const gjb_past *past, const gjb_search *search);

#endif
