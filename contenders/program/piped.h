/* A program at the other end of two pipes: started, asked, watched, ended. */
#ifndef GJB_CONTENDERS_PROGRAM_PIPED_H
#define GJB_CONTENDERS_PROGRAM_PIPED_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "contenders/program/breach.h"

/* Zeroed before it is started. A program ends with the thread that started it. */
typedef struct gjb_piped {
    pid_t pid; /* 0: none */
    int own_group;
    int to, from; /* its standard input and output */
    int errors;   /* its standard error; -1: closed */
    char *bytes;  /* that came, and were not taken */
    size_t size, room;
    char words[GJB_SAID], line[GJB_SAID]; /* of its standard error: the last line that says what, not where; one that has
                                             begun */
    size_t line_size;
} gjb_piped;

/* `words` are the program and its arguments, NULL at the end. `alone`: it leads a process group, which ends with it.
 * Otherwise it is in the caller's group, and what it writes to its standard error goes to the caller's, too. 0, or -1
 * with one line in `error`: there is no such program, or the system has no room for it. */
int gjb_piped_start(gjb_piped *piped, char *const *words, int alone, gjb_error *error);
void gjb_piped_stop(gjb_piped *piped); /* kills it; zeroed is fine */

/* How long it may take, as gjb_patience. Counted again from every change of `progress`. `alive`, which may be NULL,
 * goes up as long as it is waited for. */
typedef struct gjb_piped_limits {
    double cpu, blocked; /* seconds */
    const _Atomic uint64_t *progress;
    _Atomic uint64_t *alive;
} gjb_piped_limits;

/* Looks at what came so far, and says in `used` how much of it is done with. GJB_TAKEN_MORE is asked for again once
 * more has come; anything beyond GJB_TAKEN_ALL is a breach. */
typedef int (*gjb_piped_take)(void *user, const char *bytes, size_t size, size_t *used);
enum { GJB_TAKEN_MORE = -2, GJB_TAKEN_ALL = -1 };

/* Writes `size` bytes and reads until `take` has all, at the same time: neither side waits for the other. 0, or -1
 * with `end`; the program is then dead, or no more to be spoken to. */
int gjb_piped_exchange(gjb_piped *piped, const char *out, size_t size, const gjb_piped_limits *limits,
                       gjb_piped_take take, void *user, gjb_program_end *end);

#endif
