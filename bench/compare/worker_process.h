/* A worker (bench/compare/worker.h) from outside: its process, and what is said to it. */
#ifndef GJB_BENCH_WORKER_PROCESS_H
#define GJB_BENCH_WORKER_PROCESS_H

#include <jansson.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/error.h"

typedef struct gjb_worker_process {
    const char *program; /* for errors */
    pid_t pid;
    FILE *to, *from;
    char *line;
    size_t room;
    int served;                        /* it has said something */
    const volatile sig_atomic_t *stop; /* listening ends if it is raised; may be NULL */
} gjb_worker_process;

/* Seconds of its CPU time, or of being blocked (core/patience.h), that it may be silent for: 300 unless set; for tests. */
void gjb_worker_process_patience(double seconds);

/* Starts `command` (argv, ended by NULL), which people know as `program`. What it says first is at *hello, the
 * caller's; it has loaded by then what it needs. `turn` is what it hears and hands turns by (GJB_WORKER_HEARS,
 * GJB_WORKER_HANDS): two descriptors above these; NULL if it takes none. 0, or -1 with one line in `error`: no
 * such program, one that does not serve, or of another protocol. */
int gjb_worker_process_start(gjb_worker_process *o, const char *program, const char *const *command, const int *turn,
                             const volatile sig_atomic_t *stop, json_t **hello, gjb_error *error);
/* Ends it; one that was never started is fine. */
void gjb_worker_process_end(gjb_worker_process *o);

/* Said without waiting, so that both sides may be at work. */
void gjb_worker_process_tell(gjb_worker_process *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The reply: the caller's. NULL with one line in `error` if it is gone or failed, the flag was raised, or it said
 * nothing before patience ended: then it was ended. */
json_t *gjb_worker_process_hear(gjb_worker_process *o, gjb_error *error);

/* From here on it runs on one CPU, of those that this process may use: the `which`-th, round and round. NULL: on any. */
void gjb_worker_process_pin(const gjb_worker_process *o, const uint64_t *which);

#endif
