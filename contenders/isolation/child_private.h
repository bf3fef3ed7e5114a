/* Inside a child: what it shares with its parent. */
#ifndef GJB_CONTENDERS_CHILD_PRIVATE_H
#define GJB_CONTENDERS_CHILD_PRIVATE_H

#include <stdatomic.h>
#include <sys/types.h>

#include "contenders/isolation/child.h"

typedef enum gjb_request { GJB_ASK_RUN = 1, GJB_ASK_TIME, GJB_ASK_PREPARE, GJB_ASK_AXES } gjb_request;

/* The child may have scribbled on it: nothing in here is used as an index. */
typedef struct gjb_channel {
    gjb_request what;
    gjb_span span;
    int poison, want_stats, warm;
    size_t at; /* of the first record, from the beginning of its mapping */
    gjb_stretch stretch;
    gjb_query warm_query;
    gjb_start start; /* of its calls, from here on */
    int started; /* what gjb_in_process_start said */
    gjb_timing timing;
    gjb_run_stats stats;
    double seconds; /* of preparing; negative: failed */
    int unprepared; /* it was loaded, and failed at that */
    uint64_t float_changes;
    gjb_error error;
    _Atomic uint64_t progress;
    _Atomic int said; /* its last words */
    double hang_limit; /* seconds: see gjb_session_hang_limit */
    int program_ended; /* what it asks is a program, which came to its end: */
    gjb_end program_end;
} gjb_channel;

struct gjb_child {
    const gjb_contender *contender;
    const char *backend;
    const gjb_shared_scene *shared;
    uint32_t threads;
    gjb_fenced talk, results, timed; /* results of runs, which are small: all is looked at; of timed calls */
    gjb_channel *channel;
    pid_t pid;  /* 0: none */
    int elsewhere; /* forked by the fork server */
    int socket; /* ours; -1: none */
    int started_once;
    double prepare_seconds;
    gjb_query warm_query; /* calls of it begin as `start` says, in every process */
    gjb_start start;
    uint64_t float_changes, float_changes_before; /* of this process, of those before */
};

/* Of a child of this process, how it ended, as by waitpid; kills what does not end by itself, at once
 * if it was `killed`. Its group goes with it. */
int gjb_child_wait_for_end(pid_t pid, int killed);

/* What the forked process does until it ends. Of the socket pair, `theirs` is the parent's end. */
_Noreturn void gjb_child_serve(const gjb_child *child, int theirs, int own, pid_t parent);

#endif
