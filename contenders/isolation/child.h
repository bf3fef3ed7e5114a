/* A contender in a process of its own, asked over a socket; requests, answers
 * and records lie in memory that both share. Anything that goes wrong in there
 * comes back as an end, never as an error of this process. */
#ifndef GJB_CONTENDERS_CHILD_H
#define GJB_CONTENDERS_CHILD_H

#include "contenders/isolation/in_process.h"
#include "contenders/isolation/shared_memory.h"

typedef struct gjb_child gjb_child;

/* How a child came to its end. */
typedef struct gjb_end {
    gjb_mishap what;
    int code;
    char said[GJB_SAID]; /* as in gjb_finding */
} gjb_end;

/* Runs are of at most `most` pairs. Nothing is forked yet. `shared` and `backend` as
 * for gjb_in_process_open; they outlive the child. NULL when memory does not suffice. */
gjb_child *gjb_child_new(const gjb_contender *contender, const char *backend, const gjb_shared_scene *shared,
                         uint32_t threads, uint64_t most);
/* It is started to see whether it prepares, and asked nothing: it is given less time. */
void gjb_child_be_brief(gjb_child *child);
void gjb_child_free(gjb_child *child); /* ends the process too; NULL is fine */

typedef enum gjb_reply {
    GJB_REPLY_OK = 0,
    GJB_REPLY_ENDED,  /* `end` says how; the process is gone */
    GJB_REPLY_STOPPED, /* the stop flag was raised; the process is gone */
    GJB_REPLY_REFUSED /* of a start alone: the contender could not be opened, `error` says why */
} gjb_reply;

int gjb_child_stoppable(void); /* is there a stop flag? */
int gjb_child_stopped(void);   /* is it raised? */

/* Forks and prepares; nothing if a process is already there. */
gjb_reply gjb_child_start(gjb_child *child, gjb_end *end, gjb_error *error);
void gjb_child_stop(gjb_child *child);

/* Each needs a started child. The records are at *results until the next request. */
gjb_reply gjb_child_run(gjb_child *child, const gjb_span *span, int poison, int want_stats, const void **results,
                        gjb_run_stats *stats, gjb_end *end);
/* The first pair of the last run, from 0, whose record is unwritten, as far as a child that came to its end
 * got: a hint. `count` for none. */
uint64_t gjb_child_got_to(const gjb_child *child, const gjb_span *span);
gjb_reply gjb_child_time(gjb_child *child, gjb_stretch *stretch, int warm, gjb_timing *timing, gjb_end *end);
gjb_reply gjb_child_time_prepare(gjb_child *child, double *seconds, gjb_end *end);
/* As gjb_in_process_start, whose result comes in `started`; processes that are started later begin so too. */
gjb_reply gjb_child_axes(gjb_child *child, gjb_query query, gjb_start start, int *started, gjb_error *error,
                         gjb_end *end);

double gjb_child_prepare_seconds(const gjb_child *child);   /* of the first start */
uint64_t gjb_child_float_changes(const gjb_child *child);   /* in all its processes */

#endif
