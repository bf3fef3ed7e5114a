/* Contenders that are programs: docs/programs.md. What the table holds is a row; the functions that talk to the
 * program are for a child process alone, as those of a plug-in are (contenders/plugin.h). There every workspace has a
 * program of its own. */
#ifndef GJB_CONTENDERS_PROGRAM_PROGRAM_H
#define GJB_CONTENDERS_PROGRAM_PROGRAM_H

#include <stdatomic.h>

#include <gjkbench/contender.h>

#include "contenders/program/breach.h"
#include "core/error.h"

/* Starts `command`, a program and its arguments with the quotes of a shell, reads its header and adds its contender to
 * the table. Its functions are not to be called in this process. 0, or -1 with one line in `error`. */
int gjb_program_add(const char *command, gjb_error *error);

/* 1: the times of its answers are those of its own clock. */
int gjb_is_self_timed(const gjb_contender *contender);

/* --- in a child process ---------------------------------------------------------- */

/* How it watches its programs. `ended` is called as one has come to an end, and does not return. `alive` goes up as
 * long as one is waited for. `seconds` is that of gjb_session_hang_limit. */
typedef struct gjb_program_watch {
    void (*ended)(const gjb_program_end *end);
    _Atomic uint64_t *alive;
    double seconds;
} gjb_program_watch;

/* What to call behind a row that gjb_program_add added; any other contender as it is. Once a process. */
const gjb_contender *gjb_program_resolve(const gjb_contender *contender, const gjb_program_watch *watch);

/* What the program of a workspace said that its answers took since this was last asked, and 0 of other contenders. */
uint64_t gjb_program_answers_ns(const gjb_contender *contender, void *workspace);
/* The same of preparing: seconds; `otherwise` of other contenders. */
double gjb_program_prepare_seconds(const gjb_contender *contender, const void *prepared, double otherwise);

#endif
